"""Slots: what can be asked of which point, and the answers on a chart worked by hand.

甲子 day, hour 戌, month general 卯, month 亥: each heaven branch is five places ahead of its
seat; 未 is the nobleman, generals forward (see tests/tools/test_cast.py).  In winter water
rules: water 旺, its child wood 相, its mother metal 休, its ruler earth 囚, fire, its prey, 死.
"""

from __future__ import annotations

from collections.abc import Callable

import pytest
from liuren.engine.language.scope import Lexicon
from liuren.facts.chart import Chart
from liuren.facts.points import Unknown, parse_point
from liuren.facts.question import PersonInput
from liuren.facts.slots import read, slot_of, slots_for


@pytest.fixture(scope="module")
def ask(chart_of: Callable[..., Chart], lexicon: Lexicon) -> Callable[[str], object]:
    persons = {"querent": PersonInput(natal="寅", sex="女"), "wife": PersonInput(sex="女")}
    chart = chart_of("甲子", "戌", "卯", month="亥", persons=persons, told={"duration": "long"})

    def asked(text: str) -> object:
        name, _, slot = text.rpartition(".")
        return read(parse_point(name, lexicon.points), slot, chart)

    return asked


ANSWERS = {
    "stem.stem": "甲", "stem.element": "木", "stem.polarity": "陽", "branch.element": "水", "lesson1.polarity": "陰",
    "lesson1.branch": "未", "lesson1.general": "貴人", "lesson1.relation": "下賊上", "lesson4.relation": "下生上",
    # to 甲: 未 earth is overcome 妻財, 子 water bears it 父母, 巳 fire is its child 子孫, 申 metal overcomes it 官鬼
    "lesson1.relative": "妻財", "lesson2.relative": "父母", "lesson3.relative": "子孫", "申.relative": "官鬼", "寅.relative": "兄弟",
    "子.strength": "旺", "寅.strength": "相", "酉.strength": "休", "未.strength": "囚", "午.strength": "死",
    # of the day stem 甲, wood: wood 旺, fire 相, water 休, metal 囚, earth 死
    "寅.day_strength": "旺", "午.day_strength": "相", "子.day_strength": "休", "申.day_strength": "囚", "未.day_strength": "死",
    "戌.void": True, "酉.void": False, "酉.pair": "癸酉", "亥.pair": None,
    "general(lesson1).name": "貴人", "natal.known": True,
    "noble.period": "夜", "noble.direction": "順", "chart.offset": 5,
    "day.pair": "甲子", "day.decade": "甲子", "day.season": "冬",
    "querent.sex": "女", "wife.sex": "女", "told.duration": "long",
}  # fmt: skip


@pytest.mark.parametrize("text", ANSWERS)
def test_answers(text: str, ask: Callable[[str], object]) -> None:
    assert ask(text) == ANSWERS[text]
    assert type(ask(text)) is type(ANSWERS[text])


def test_three_controlled_from_below_choose_by_comparison(ask: Callable[[str], object]) -> None:
    """未, 子 and 巳 are each overcome from below; of these only 子 is yang like the day 甲."""
    assert ask("method.name") == "比用"
    assert ask("initial.branch") == "子" and ask("method.lesson") == 2
    assert isinstance(ask("method.head"), tuple)


@pytest.mark.parametrize(
    ("text", "needs"),
    [("annual.known", "querent.annual"), ("querent.age", "querent.age"), ("husband.sex", "husband.sex"), ("told.nature", "told.nature"),
     ("day.lunar_day", "lunar"), ("day.opens", "term"), ("day.mansion", "lunar"), ("year.element", "year")],
)  # fmt: skip
def test_unknown(text: str, needs: str, ask: Callable[[str], object]) -> None:
    assert ask(text) == Unknown((needs,))


def test_which_slots_a_point_has(lexicon: Lexicon) -> None:
    told = frozenset(lexicon.told)

    def has(point: str, slot: str) -> bool:
        return slot_of(parse_point(point, lexicon.points), slot, told) is not None

    assert has("initial", "void") and not has("stem", "void")
    assert has("lesson2", "relation") and not has("initial", "relation")
    assert has("general(initial)", "name") and not has("initial", "name")
    assert has("told", "duration") and not has("told", "void")
    assert has("noble", "period") and not has("noble", "sex") and has("wife", "sex")
    for text in ("initial", "stem", "general(stem)", "lesson1", "told", "noble", "wife"):
        point = parse_point(text, lexicon.points)
        assert all(slot_of(point, name, told) for name in slots_for(point, told))
