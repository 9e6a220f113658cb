"""Every relation on every pair of signs, against the rhymes everyone learns."""

from __future__ import annotations

import itertools
from collections.abc import Callable

import pytest
from liuren.facts.chart import Chart
from liuren.facts.ganzhi import BRANCHES, STEMS
from liuren.facts.relations import ELEMENT_RELATIONS, RELATIONS

ELEMENT = {
    **dict.fromkeys("甲乙寅卯", "木"), **dict.fromkeys("丙丁巳午", "火"), **dict.fromkeys("戊己辰戌丑未", "土"),
    **dict.fromkeys("庚辛申酉", "金"), **dict.fromkeys("壬癸亥子", "水"),
}  # fmt: skip
CONTROLS = {"木土", "土水", "水火", "火金", "金木"}
GENERATES = {"木火", "火土", "土金", "金水", "水木"}
LODGING = dict(zip("甲乙丙丁戊己庚辛壬癸", "寅辰巳未巳未申戌亥丑", strict=True))
PAIRS = {
    "clash": "子午 丑未 寅申 卯酉 辰戌 巳亥",
    "harms": "子未 丑午 寅巳 卯辰 申亥 酉戌",
    "breaks": "子酉 卯午 丑辰 未戌 寅亥 巳申",
}
COMBINES = {"branch": "子丑 寅亥 卯戌 辰酉 巳申 午未", "stem": "甲己 乙庚 丙辛 丁壬 戊癸"}
TRINES = ("申子辰", "亥卯未", "寅午戌", "巳酉丑")
# 子刑卯，卯刑子；寅刑巳，巳刑申，申刑寅；丑刑戌，戌刑未，未刑丑；辰午酉亥自刑
PUNISHES = {"子卯", "卯子", "寅巳", "巳申", "申寅", "丑戌", "戌未", "未丑", "辰辰", "午午", "酉酉", "亥亥"}
TOMB = {"木": "未", "火": "戌", "金": "丑", "水": "辰"}  # 土 differs by school


@pytest.fixture(scope="module")
def chart(chart_of: Callable[..., Chart]) -> Chart:
    """Plate of offset 5: 卯 on 戌."""
    return chart_of("甲子", "戌", "卯")


def both_ways(words: str) -> set[str]:
    return {pair for word in words.split() for pair in (word, word[::-1])}


def seat(sign: str) -> str:
    return LODGING.get(sign, sign)


SIGNS = [*STEMS, *BRANCHES]


@pytest.mark.parametrize(("a", "b"), [pytest.param(a, b, id=a + b) for a, b in itertools.product("甲丙戊庚壬子寅丑巳酉", SIGNS)])
def test_elements(a: str, b: str, chart: Chart) -> None:
    pair = ELEMENT[a] + ELEMENT[b]
    expected = {
        "same": pair[0] == pair[1], "generates": pair in GENERATES, "generated_by": pair[::-1] in GENERATES,
        "controls": pair in CONTROLS, "controlled_by": pair[::-1] in CONTROLS,
    }  # fmt: skip
    assert {r: RELATIONS[r](chart, a, b) for r in ELEMENT_RELATIONS} == expected
    assert sum(expected.values()) == 1


@pytest.mark.parametrize("name", PAIRS)
def test_pairs_a_stem_standing_for_its_palace(name: str, chart: Chart) -> None:
    pairs = both_ways(PAIRS[name])
    for a, b in itertools.product(SIGNS, SIGNS):
        assert RELATIONS[name](chart, a, b) is (seat(a) + seat(b) in pairs), (a, b)


def test_combines(chart: Chart) -> None:
    for a, b in itertools.product(STEMS, STEMS):
        assert RELATIONS["combines"](chart, a, b) is (a + b in both_ways(COMBINES["stem"]))
    for a, b in itertools.product(SIGNS, BRANCHES):
        assert RELATIONS["combines"](chart, a, b) is (seat(a) + b in both_ways(COMBINES["branch"]))


def test_trine_punishment_and_tomb(chart: Chart) -> None:
    for a, b in itertools.product(BRANCHES, BRANCHES):
        assert RELATIONS["trine"](chart, a, b) is any(a in t and b in t and a != b for t in TRINES)
        assert RELATIONS["punishes"](chart, a, b) is (a + b in PUNISHES)
        assert RELATIONS["punished_by"](chart, a, b) is (b + a in PUNISHES)
        if ELEMENT[b] in TOMB:
            assert RELATIONS["tomb_of"](chart, a, b) is (a == TOMB[ELEMENT[b]])


def test_stands_on_and_is(chart: Chart) -> None:
    for earth, heaven in zip(BRANCHES, "巳午未申酉戌亥子丑寅卯辰", strict=True):
        found = [b for b in BRANCHES if RELATIONS["stands_on"](chart, heaven, b)]
        assert found == [earth]
    assert RELATIONS["is"](chart, "子", "子") and not RELATIONS["is"](chart, "甲", "寅")
