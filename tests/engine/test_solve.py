"""Reconstruction: what fits a broken case, and what contradicts."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from liuren.engine.casting.board import Board
from liuren.engine.casting.core import OPTIONS
from liuren.engine.casting.nine import derive
from liuren.engine.casting.plate import four_lessons
from liuren.engine.doctrine import option_values
from liuren.engine.library import Library
from liuren.engine.solve import Search, Solution, contradictions
from liuren.engine.solve_schools import Schools
from liuren.engine.solve_statements import conditions, statements
from liuren.facts.errors import UserError

ROOT = Path(__file__).resolve().parents[2]


def table() -> dict[tuple[str, int], tuple[str, str]]:
    """Day and offset to the transmissions by depth and by 孟仲季, as printed tables have them."""
    found = {}
    for line in (ROOT / "tests" / "data" / "lessons720.csv").read_text(encoding="utf-8").splitlines():
        if not line.startswith(("#", "day")):
            day, offset, _, _, depth, _, meng, *_ = line.split(",")
            found[day, int(offset)] = (depth, meng)
    return found


TABLE = table()


def search(library: Library, *said: Any, given: Mapping[str, Any] | None = None, doctrine: str | None = None, sets: Mapping[str, str] | None = None, annual: str | None = None) -> Search:
    data = {"given": given or {}, "stated": [{"expect": s} for s in said]}
    schools = Schools.of(library, doctrine, sets or {})
    return Search(library, schools, tuple(statements(data, library)), annual)


def solve(library: Library, *said: Any, **more: Any) -> list[Solution]:
    return list(search(library, *said, **more).solutions())


def clashes(library: Library, *said: Any, **more: Any) -> list[list[str]]:
    return [[s.text for s in clash] for clash in contradictions(search(library, *said, **more))]


# --- what fits --------------------------------------------------------------------


def test_two_transmissions_give_the_lessons_of_the_printed_table(library: Library) -> None:
    """Counting depth: every lesson whose row begins with 申戌, and no other."""
    found = solve(library, {"transmissions": ["申", "戌", None]}, doctrine="common")
    assert [(s.day, s.offset) for s in found] == [k for k, (d, _) in TABLE.items() if d[:2] == "申戌"]
    assert found and all("common" in s.doctrines for s in found)


def test_all_schools_add_those_of_meng_zhong(library: Library) -> None:
    found = solve(library, {"transmissions": ["丑", "亥", "酉"]})
    pairs = {(s.day, s.offset) for s in found}
    assert pairs >= {k for k, v in TABLE.items() if "丑亥酉" in v}
    only = [s for s in found if (s.day, s.offset) == ("癸卯", 10)]  # DA151, DA191, ZN164
    # Lesson 4, 亥 on 丑, repeats lesson 1: who refuses it comes to 丑 without 孟仲季.
    ways = [dict(c) for s in only for c in s.changes]
    assert len(ways) == 2 and {"shehai": "meng-zhong"} in ways and {"repeated": "refuse"} in ways
    assert {d for s in only for d in s.doctrines} == {"quanheng", "duanan", "zhinan", "bifa"}


def test_a_part_of_the_day(library: Library) -> None:
    """庚辰 offset 10 is the only 辰 day with 午辰寅 (DA74, DA120)."""
    expected = [k for k, (_, meng) in TABLE.items() if meng == "午辰寅" and k[0][1] == "辰"]
    for day in ("?辰", "辰"):
        found = solve(library, {"transmissions": ["午", "辰", "寅"]}, given={"day": day}, sets={"shehai": "meng-zhong"})
        assert [(s.day, s.offset) for s in found] == expected == [("庚辰", 10)]


def test_generals_and_lost_hour(library: Library) -> None:
    """DA04: 庚寅, 辰 on 未: 巳勾陳 寅螣蛇 亥太陰 by day.  Only the first is left of the generals."""
    found = solve(
        library, {"transmissions": [None, "寅", "亥"]}, {"initial": {"general": "勾陳"}},
        given={"day": "庚?", "month_general": "辰"}, doctrine="duanan",
    )  # fmt: skip
    assert ("庚寅", 9, ("未",), "晝", ("勾陳", "螣蛇", "太陰")) in [
        (s.day, s.offset, s.hours, s.half, s.generals) for s in found
    ]
    assert all(s.day[0] == "庚" and s.generals[0] == "勾陳" and s.transmissions[1:] == ("寅", "亥") for s in found)


def test_hour_decides_the_nobleman_unless_it_is_told(library: Library) -> None:
    """DA37: 庚戌, 亥 on 酉, printed with 子天后 of the day's nobleman."""
    given = {"day": "庚戌", "hour": "酉", "month_general": "亥"}
    first = {"initial": {"branch": "子", "general": "天后"}}
    assert not solve(library, first, given=given, sets={"noble": "ox-sheep"})
    (found,) = solve(library, first, given={**given, "noble": "day"}, sets={"noble": "ox-sheep", "noble_order": "seat"})
    assert (found.half, found.offset, found.transmissions) == ("晝", 2, ("子", "寅", "辰"))


def test_rival_tables_of_the_nobleman(library: Library) -> None:
    """甲子 offset 0: 丑 leads from 丑 by day; with 羊牛 it is the night's."""
    found = solve(library, {"丑": {"general": "貴人"}}, given={"day": "甲子", "offset": 0, "noble": "night"})
    assert found and all("noble" in c for s in found for c in s.changes)
    assert not any(s.doctrines for s in found)


def test_duzu_that_flies(library: Library) -> None:
    """己未 offset 2: 酉亥丑 if it flies, or if the 行年 is 未, on which 酉 stands as well."""
    said = {"transmissions": ["酉", "亥", "丑"]}
    without = solve(library, said, given={"day": "己未"})
    assert [dict(c) for s in without for c in s.changes] == [{"duzu": "fly"}]
    with_ = solve(library, said, given={"day": "己未"}, annual="未")
    assert [dict(c) for s in with_ for c in s.changes] == [{"duzu": "fly"}, {"duzu": "annual"}]


def test_conditions_of_the_whole_chart(library: Library) -> None:
    """天網: hour and initial control the stem; 庚子 offset 10 has 午辰寅 (ZN208), fire is 巳 and 午."""
    found = solve(
        library, {"initial": {"controls": "stem"}}, {"hour": {"controls": "stem"}},
        given={"day": "庚子", "offset": 10}, doctrine="common",
    )  # fmt: skip
    hours = {h for s in found for h in s.hours}
    assert hours == {"巳", "午"} and {s.transmissions for s in found} == {("午", "辰", "寅")}


@pytest.mark.parametrize("day", ["甲辰", "己未", "辛卯", "乙巳", "辛丑", "丁未"])
def test_schools_are_those_of_all_options_together(day: str, library: Library) -> None:
    """Following only the options that a step rests on loses none of their combinations."""
    schools, values = Schools.of(library, None, {}), option_values(library.data)
    free = [o for o in OPTIONS if o != "heads"]
    for offset in range(12):
        feet = four_lessons(library.data.tables, day, offset)
        every = set()
        for choice in product(*(values[o] for o in free)):
            options = {"heads": "common", **dict(zip(free, choice, strict=True))}
            every.add(derive(Board(library.data.tables, day, offset, feet, options, "未")).branches)
        assert {made.branches for made, _ in schools.transmissions(day, offset, "未")} == every


# --- what contradicts -------------------------------------------------------------


def test_heading_of_da39_contradicts_its_chart(library: Library) -> None:
    """午 on 酉 puts 辰 on the lodging of 己, and the print has 戌: all four are needed; 癸巳 would fit."""
    given = {"day": "己巳", "hour": "酉", "month_general": "午"}
    assert clashes(library, {"lesson1": {"branch": "戌"}}, {"branch": {"branch": "巳"}}, given=given) == [
        ["day 己巳", "hour 酉", "month general 午", "lesson1.branch: 戌"]
    ]


def test_manuscript_hour_of_hx2_contradicts(library: Library) -> None:
    given = {"day": "丙子", "hour": "辰", "month_general": "酉"}
    found = clashes(library, {"method": {"name": "返吟"}}, {"lesson4": {"branch": "子"}}, given=given)
    assert ["hour 辰", "month general 酉", "method.name: 返吟"] in found and all(len(f) == 3 for f in found)


def test_no_jia_day_has_xu_in_the_middle(library: Library) -> None:
    assert not [k for k, v in TABLE.items() if k[0][0] == "甲" and "戌" in (v[0][1], v[1][1])]
    found = clashes(library, {"transmissions": ["申", "戌", None]}, {"initial": {"general": "青龍"}}, given={"day": "甲?", "month": "寅"})
    assert found == [["day 甲?", "middle.branch: 戌"]]


def test_a_general_rides_one_branch(library: Library) -> None:
    said = [{"子": {"general": "青龍"}}, {"丑": {"general": "青龍"}}, {"initial": {"branch": "寅"}}]
    assert clashes(library, *said) == [["子.general: 青龍", "丑.general: 青龍"]]


def test_month_and_general(library: Library) -> None:
    """The month 寅 has the general 子 before 雨水 and 亥 after."""
    assert clashes(library, given={"month": "寅", "month_general": "戌"}) == [["month 寅", "month general 戌"]]
    assert not clashes(library, given={"month": "寅", "month_general": "亥"})


def test_what_fits_contradicts_nothing(library: Library) -> None:
    assert not clashes(library, {"transmissions": ["寅", "巳", "申"]}, given={"day": "甲子"})


# --- what cannot be said -----------------------------------------------------------


@pytest.mark.parametrize(
    ("given", "word"),
    [
        ({"day": "甲丑"}, "甲丑"),
        ({"offset": 12}, "12"),
        ({"hour": "貓"}, "貓"),
        ({"noble": "noon"}, "noon"),
        ({"born": 1975}, "born"),
    ],
)
def test_what_is_given_is_checked(given: Mapping[str, Any], word: str, library: Library) -> None:
    with pytest.raises(UserError) as error:
        statements({"given": given}, library)
    assert word in str(error.value)


@pytest.mark.parametrize("said", [{"fires": "xinjing.tianwang/def"}, {"nonsense": {"branch": "子"}}, {"void": ["子"]}])
def test_what_is_stated_is_checked(said: Any, library: Library) -> None:
    with pytest.raises(UserError):
        list(conditions(said, library))


def test_what_a_chart_does_not_tell(library: Library) -> None:
    with pytest.raises(UserError, match="month"):
        solve(library, {"initial": {"strength": "旺"}}, given={"day": "甲子", "offset": 3})


def test_the_suns_hours_are_not_known(library: Library) -> None:
    with pytest.raises(UserError, match="day_night=sunrise"):
        solve(library, {"initial": {"general": "青龍"}}, given={"hour": "子"}, sets={"day_night": "sunrise"})
