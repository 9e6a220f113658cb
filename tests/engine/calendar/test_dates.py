"""Measures as dates.  2026-11-30 is 戊申 in the month of 亥 of 丙午 (any almanac):
小雪 was on 11-22, 大雪 is on 12-07, 小寒 on 2027-01-05, 立春 on 2027-02-04."""

from __future__ import annotations

from datetime import date
from zoneinfo import ZoneInfo

import pytest
from liuren.engine.calendar.dates import Span, day_pair, spans
from liuren.engine.calendar.moment import parse_moment

ASKED = parse_moment("2026-11-30T14:20", "Asia/Seoul")


def found(**values: object) -> list[tuple[str, str, str]]:
    return [(s.unit, s.first, s.last) for s in spans(ASKED, values)]


def test_the_day_itself() -> None:
    assert day_pair(date(2026, 11, 30)) == "戊申"
    assert day_pair(date(2000, 1, 1)) == "戊午"


@pytest.mark.parametrize(("values", "expected"), [
    ({"day": "申"}, ("day", "2026-11-30", "2026-11-30")),  # today counts
    ({"day": "酉"}, ("day", "2026-12-01", "2026-12-01")),
    ({"day": "丁"}, ("day", "2026-12-09", "2026-12-09")),  # 戊 … 丁 is nine days on
    ({"month": "亥"}, ("month", "2026-11-07", "2026-12-06")),  # this month, from 立冬
    ({"month": "子"}, ("month", "2026-12-07", "2027-01-04")),
    ({"year": "午"}, ("year", "2026-02-04", "2027-02-03")),
    ({"year": "未"}, ("year", "2027-02-04", "2028-02-03")),
    ({"hour": "未"}, ("hour", "2026-11-30T13:00+09:00", "2026-11-30T15:00+09:00")),
    ({"hour": "子"}, ("hour", "2026-11-30T23:00+09:00", "2026-12-01T01:00+09:00")),
    ({"within": "day"}, ("day", "2026-11-30", "2026-11-30")),
    ({"within": "hour"}, ("hour", "2026-11-30T14:20+09:00", "2026-11-30T15:00+09:00")),
    ({"within": "decade"}, ("decade", "2026-11-30", "2026-12-05")),  # 癸丑 closes 甲辰旬
    ({"within": "month"}, ("month", "2026-11-30", "2026-12-06")),
    ({"within": "season"}, ("season", "2026-11-30", "2027-02-03")),
    ({"within": "year"}, ("year", "2026-11-30", "2027-02-03")),
    ({"within": "half_month"}, ("half_month", "2026-11-30", "2026-12-14")),
    ({"number": 45, "unit": "day"}, ("day", "2027-01-14", "2027-01-14")),
    ({"number": 2, "unit": "month"}, ("month", "2027-01-05", "2027-02-03")),
    ({"number": 1, "unit": "hour"}, ("hour", "2026-11-30T15:00+09:00", "2026-11-30T17:00+09:00")),
])
def test_each_unit(values: dict[str, object], expected: tuple[str, str, str]) -> None:
    assert found(**values) == [expected]


def test_what_says_nothing_of_time() -> None:
    assert found(branch="子", number=9, direction="酉", general="青龍") == []
    assert found(day="青龍") == [] and found(hour="甲") == []


def test_every_branch_is_met_within_its_round() -> None:
    for branch in "子丑寅卯辰巳午未申酉戌亥":
        for unit in ("year", "month", "day", "hour"):
            (span,) = spans(ASKED, {unit: branch})
            assert isinstance(span, Span) and span.last >= ASKED.date().isoformat()


def test_late_at_night_the_hour_is_that_of_the_clock() -> None:
    late = parse_moment("2026-11-30T23:30", "Asia/Seoul")
    assert late.tzinfo == ZoneInfo("Asia/Seoul")
    (span,) = spans(late, {"within": "hour"})
    assert span.last == "2026-12-01T01:00+09:00"
