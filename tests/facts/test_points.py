"""Points: what each expression denotes on a chart worked by hand, and what is no point.

丁卯 day, hour 申, month general 子: each heaven branch is four places ahead of its seat.
丁 lodges in 未, on which 亥 stands, and 亥 carries 卯; 卯 carries 未, and 未 carries 亥.
The decade of 甲子 leaves 戌 and 亥 void.
"""

from __future__ import annotations

from collections.abc import Callable

import pytest
from liuren.facts.chart import Chart
from liuren.facts.points import (
    Point,
    PointError,
    PointNames,
    Unknown,
    nearest,
    parse_point,
    resolve,
)
from liuren.facts.question import PersonInput

NAMES = PointNames(
    generals=frozenset(["貴人", "螣蛇", "朱雀", "六合", "勾陳", "青龍", "天空", "白虎", "太常", "玄武", "太陰", "天后"]),
    spirits=frozenset({"驛馬", "旬首"}),
    roles=frozenset({"wife", "husband"}),
    stages=frozenset(["長生", "沐浴", "冠帶", "臨官", "帝旺", "衰", "病", "死", "墓", "絕", "胎", "養"]),
)


def point(text: str) -> Point:
    return parse_point(text, NAMES)


@pytest.fixture(scope="module")
def chart(chart_of: Callable[..., Chart]) -> Chart:
    persons = {"querent": PersonInput(natal="子"), "wife": PersonInput(annual="寅")}
    return chart_of("丁卯", "申", "子", persons=persons, year="辰")


DENOTES = {
    "stem": "丁", "branch": "卯", "hour": "申", "month_general": "子", "year": "辰", "natal": "子",
    "wife.annual": "寅", "querent.natal": "子", "yesterday.stem": "丙", "yesterday.branch": "寅",
    "lesson1": "亥", "lesson2": "卯", "lesson3": "未", "lesson4": "亥",
    "over(stem)": "亥", "over(branch)": "未", "over(寅)": "午", "over(over(寅))": "戌", "under(子)": "申",
    "under(over(branch))": "卯", "palace(stem)": "未", "over(乙)": "申",  # 乙 lodges in 辰
    "combine(stem)": "壬", "combine(branch)": "戌", "clash(branch)": "酉", "clash(stem)": "丑",
    "punish(branch)": "子", "punish(丑)": "戌", "shift(branch 3)": "午", "shift(branch -4)": "亥",
    "shift(stem 1)": "申", "stage(stem 墓)": "戌", "stage(stem 長生)": "寅",
    "lord(寅)": "甲", "lord(亥)": "壬", "virtue(甲)": "寅",
    "hidden(branch)": "丁", "hidden(子)": "甲", "hidden(酉)": "癸", "hidden(戌)": None,
    "build1(子)": "庚", "build1(丑)": "辛",  # 丁壬庚子居
    "build2(子)": "壬",  # the hour 申 is 戊申 on a 丁 day; 戊癸 begins with 壬子
    "驛馬": "巳",  # 亥卯未 in 巳
    "旬首": "子", "酉": "酉", "丙": "丙",
}  # fmt: skip


@pytest.mark.parametrize("text", DENOTES)
def test_denotes(text: str, chart: Chart) -> None:
    assert resolve(point(text), chart) == DENOTES[text]


def test_generals(chart: Chart) -> None:
    """丙丁豬雞位: by day (申) 丁's nobleman is 亥, on seat 未 in the western half, where the
    generals run backward: 貴人 亥, 螣蛇 戌, 朱雀 酉, … 天后 子."""
    assert (chart.noble.period, chart.noble.branch, chart.noble.direction) == ("晝", "亥", "逆")
    assert [resolve(point(g), chart) for g in ("貴人", "螣蛇", "朱雀", "天后")] == ["亥", "戌", "酉", "子"]
    assert resolve(point("general(stem)"), chart) == chart.general_of["未"]
    assert resolve(point("over(貴人)"), chart) == "卯"


@pytest.mark.parametrize(
    ("text", "needs"),
    [("month", ("month",)), ("over(month)", ("month",)), ("annual", ("querent.annual",)), ("wife.natal", ("wife.natal",)),
     ("husband.annual", ("husband.annual",)), ("moon", ("lunar",)), ("term_day", ("moment",)), ("shift(month 2)", ("month",))],
)  # fmt: skip
def test_unknown(text: str, needs: tuple[str, ...], chart: Chart) -> None:
    assert resolve(point(text), chart) == Unknown(needs)


@pytest.mark.parametrize(
    ("text", "canonical"),
    [("over(stem)", "lesson1"), ("over(palace(stem))", "lesson1"), ("over(over(stem))", "lesson2"),
     ("over(branch)", "lesson3"), ("over( lesson3 )", "lesson4"), ("querent.natal", "natal"), ("shift( stem 3 )", "shift(stem 3)"),
     ("shift(stem +3)", "shift(stem 3)")],
)  # fmt: skip
def test_one_point_has_one_spelling(text: str, canonical: str) -> None:
    assert point(text).text == canonical
    assert point(text) == point(canonical)


NO_POINT = {
    "": "is not a point", "stem)": "after the end", "(stem": "out of place", "over": "no point",
    "over(stem": "close", "over()": "out of place", "over(stem) x": "after the end",
    "above(stem)": "no function of a point; known: over", "shift(stem)": "wants a number", "shift(stem x)": "number of places",
    "stage(stem 墳)": "no stage; known", "initail": "did you mean initial", "wife.shoe": "no part of a person; known: natal",
    "over(noble)": "no sign", "over(general(stem))": "general stands on no branch", "palace(branch)": "wants a stem", "virtue(initial)": "wants a stem",
}  # fmt: skip


@pytest.mark.parametrize("text", NO_POINT)
def test_no_point(text: str) -> None:
    with pytest.raises(PointError) as error:
        point(text)
    assert NO_POINT[text] in str(error.value)


def test_nearest() -> None:
    assert nearest("ilness", ["illness", "wealth"]) == "illness"
    assert nearest("龍", ["青龍", "白虎"]) == "青龍"
    assert nearest("qqq", ["illness"]) == ""
