"""Real moments of given pillars, against a JPL table, the history of zones and arithmetic."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, date, datetime, timedelta
from itertools import pairwise
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from liuren.engine.calendar import resolve_moment
from liuren.engine.calendar.clock import Spot
from liuren.engine.calendar.when import Wanted, When, Window
from liuren.facts.errors import UserError
from liuren.facts.question import Question

DE421 = Path(__file__).resolve().parents[2] / "data" / "calendar" / "de421.csv"
SHANGHAI, SEOUL = ZoneInfo("Asia/Shanghai"), ZoneInfo("Asia/Seoul")
NOWHERE, BEIJING = Spot(), Spot("北京", 116.4, 39.9)


def windows(
    given: Mapping[str, str], first: str, last: str, zone: ZoneInfo = SHANGHAI, spot: Spot = NOWHERE,
    offset: int | None = None, **options: str,
) -> list[Window]:  # fmt: skip
    search = When(zone, spot, options)
    wanted = Wanted.of(given, offset)
    return list(search.windows(wanted, date.fromisoformat(first), date.fromisoformat(last)))


def terms(degrees: int, year: int) -> datetime:
    """The instant of a solar longitude in a year, by JPL DE421."""
    for line in DE421.read_text(encoding="utf-8").splitlines():
        if line.startswith(f"term,{degrees},{year}-"):
            return datetime.fromisoformat(line.split(",")[2])
    raise AssertionError(f"{degrees} {year}")


def spoken(moment: datetime) -> str:
    return moment.isoformat(timespec="minutes")


def test_a_day_comes_every_sixty_days() -> None:
    """2000-01-01 is 戊午, so 甲子 is six days on; each lasts from 23:00 to 23:00."""
    found = windows({"day": "甲子"}, "1900-01-01", "2050-12-31", zone=SEOUL)
    first = date(2000, 1, 7)
    days = [date(1900, 1, 1) + timedelta(n) for n in range(55152)]
    assert [w.end.date() for w in found] == [d for d in days if (d - first).days % 60 == 0]
    assert {w.start.time().isoformat() for w in found} == {"23:00:00"}


def test_the_printed_date_of_a_case() -> None:
    """DA04: 庚寅, hour 未, general 辰 is 1128-10-11, worked out by another reader."""
    (found,) = windows({"day": "庚寅", "hour": "未", "month_general": "辰"}, "1128-01-01", "1128-12-31")
    assert found.start.date() == date(1128, 10, 11)
    assert (found.start.hour, found.end.hour) == (13, 15)
    assert (found.year, found.hour) == ("戊申", "癸未")


def test_a_lesson_by_day_and_offset() -> None:
    """General 戌 (from 春分) on 午 is four places ahead, and so is 酉 on 巳 after 穀雨."""
    found = windows({"day": "甲子"}, "2021-01-01", "2021-12-31", offset=4)
    for w in found:
        q, _ = resolve_moment(Question(moment=w.start), {})
        assert q.day == "甲子" and q.hour is not None and q.month_general is not None
        hours, order = "子丑寅卯辰巳午未申酉戌亥", "子丑寅卯辰巳午未申酉戌亥"
        assert (order.index(q.month_general) - hours.index(q.hour[1])) % 12 == 4 == w.offset
    assert len(found) == len(windows({"day": "甲子"}, "2021-01-01", "2021-12-31"))


@pytest.mark.parametrize(("degrees", "general"), [(210, "卯"), (330, "亥"), (0, "戌")])
def test_a_span_is_cut_where_the_general_changes(degrees: int, general: str) -> None:
    """In the hour of a 中氣 the general changes within the hour, to the second."""
    instant = terms(degrees, 2026)
    shown = instant.astimezone(SHANGHAI)
    q, _ = resolve_moment(Question(moment=(instant + timedelta(seconds=2)).astimezone(SHANGHAI)), {})
    assert q.day and q.hour
    day = shown.date()
    (found,) = windows(
        {"day": q.day, "hour": q.hour[1], "month_general": general},
        str(day - timedelta(1)), str(day + timedelta(1)),
    )  # fmt: skip
    assert abs(found.start.astimezone(UTC) - instant) <= timedelta(seconds=1)
    assert found.end.minute == 0 and found.end.hour % 2 == 1


def test_year_and_month_run_from_term_to_term() -> None:
    (found,) = windows({"year": "丙午", "month": "庚寅"}, "2025-01-01", "2027-12-31")
    for moment, instant in ((found.start, terms(315, 2026)), (found.end, terms(345, 2026))):
        assert abs(moment.astimezone(UTC) - instant) <= timedelta(seconds=1)
    assert (found.day, found.hour, found.month_general, found.offset) == (None, None, None, None)


def test_month_general_by_jie() -> None:
    """At the 節 the general 亥 comes with 立春, at the 中氣 with 雨水."""
    for school, degrees in (("jie", 315), ("zhongqi", 330)):
        (found,) = windows({"month_general": "亥"}, "2026-01-25", "2026-02-27", month_general=school)
        assert abs(found.start.astimezone(UTC) - terms(degrees, 2026)) <= timedelta(seconds=1)


def test_clocks_set_forward_in_the_hour() -> None:
    """China, 1986-05-04: at 2:00 the clocks went to 3:00, so 丑 had one hour."""
    (found,) = windows({"hour": "丑"}, "1986-05-04", "1986-05-04")
    assert (spoken(found.start), spoken(found.end)) == ("1986-05-04T01:00+08:00", "1986-05-04T03:00+09:00")
    assert found.end.astimezone(UTC) - found.start.astimezone(UTC) == timedelta(hours=1)


def test_clocks_set_back_in_the_hour() -> None:
    """China, 1986-09-14: at 2:00 the clocks went back to 1:00, so 丑 had three hours."""
    (found,) = windows({"hour": "丑"}, "1986-09-14", "1986-09-14")
    assert (spoken(found.start), spoken(found.end)) == ("1986-09-14T01:00+09:00", "1986-09-14T03:00+08:00")
    assert found.end.astimezone(UTC) - found.start.astimezone(UTC) == timedelta(hours=3)


def test_clocks_set_back_across_the_change_of_hour() -> None:
    """Seoul, 1954-03-21: at 0:00 the clocks went back to 23:30, within the hour 子."""
    (found,) = windows({"hour": "子"}, "1954-03-20", "1954-03-21", zone=SEOUL)[1:2]
    assert found.end.astimezone(UTC) - found.start.astimezone(UTC) == timedelta(hours=2.5)


def test_late_zi_hour() -> None:
    """Where the day begins at midnight its 子 hour has two halves, of different stems."""
    (one,) = windows({"day": "甲子", "hour": "子"}, "2000-01-05", "2000-01-09")
    assert (spoken(one.start), spoken(one.end)) == ("2000-01-06T23:00+08:00", "2000-01-07T01:00+08:00")
    early, late = windows({"day": "甲子", "hour": "子"}, "2000-01-05", "2000-01-09", day_starts="0")
    assert (spoken(early.start), spoken(early.end)) == ("2000-01-07T00:00+08:00", "2000-01-07T01:00+08:00")
    assert (spoken(late.start), spoken(late.end)) == ("2000-01-07T23:00+08:00", "2000-01-08T00:00+08:00")
    assert (early.hour, late.hour) == ("甲子", "丙子")
    assert windows({"day": "甲子", "hour": "丙子"}, "2000-01-05", "2000-01-09", day_starts="0") == [late]


def test_hours_by_the_sun() -> None:
    """Mean time at 116.4 degrees is 14 min 24 s behind that of 120 (UT1 within 0.9 s of UTC)."""
    (found,) = windows({"day": "甲子", "hour": "午"}, "2000-01-05", "2000-01-09", spot=BEIJING, hour_time="mean")
    noon = datetime(2000, 1, 7, 11, 14, 24, tzinfo=SHANGHAI)
    assert abs(found.start - noon) <= timedelta(seconds=2)
    assert abs(found.end - found.start - timedelta(hours=2)) <= timedelta(seconds=1)


@pytest.mark.parametrize(
    ("given", "zone", "spot", "options"),
    [
        ({"day": "甲子", "hour": "子"}, SHANGHAI, Spot(), {"day_starts": "0"}),
        ({"hour": "丑", "month_general": "申"}, SHANGHAI, Spot(), {}),
        ({"day": "庚午", "hour": "卯"}, ZoneInfo("America/New_York"), Spot(), {"month_general": "jie"}),
        ({"day": "庚午", "hour": "卯"}, SHANGHAI, BEIJING, {"hour_time": "apparent"}),
        ({"month": "午", "hour": "酉"}, SEOUL, Spot(), {}),
    ],
)
def test_edges_agree_with_the_calendar(given: dict[str, str], zone: ZoneInfo, spot: Spot, options: dict[str, str]) -> None:
    """The first and last second of a span have the pillars, the seconds beside them have not."""
    found = windows(given, "1987-01-01", "1987-12-31", zone, spot, **options)
    assert found
    second = timedelta(seconds=1)
    for w in found:
        start, end = w.start.astimezone(UTC), w.end.astimezone(UTC)
        for moment, inside in ((start, True), (end - second, True), (start - second, False), (end, False)):
            question = Question(moment=moment.astimezone(zone), longitude=spot.longitude, latitude=spot.latitude)
            q, _ = resolve_moment(question, options)
            have: dict[str, Any] = {k: getattr(q, k) for k in given}
            assert all(v in (have[k], have[k][-1]) for k, v in given.items()) is inside, (w, moment)


def test_nothing_is_found_twice_or_out_of_order() -> None:
    found = windows({"hour": "子"}, "2020-02-01", "2020-03-31")
    assert all(a.end < b.start for a, b in pairwise(found))
    assert len(found) == 61  # sixty nights and what is left of the hour at either end


@pytest.mark.parametrize(
    ("given", "offset", "word"),
    [
        ({}, None, "Nothing"),
        ({"day": "甲丑"}, None, "甲丑"),
        ({"hour": "貓"}, None, "貓"),
        ({"day": "甲子", "hour": "丙戌"}, None, "甲戌"),
        ({"year": "甲子", "month": "甲寅"}, None, "丙寅"),
        ({"month": "寅", "month_general": "午"}, None, "子 before"),
        ({"hour": "子", "month_general": "丑"}, 2, "offset 2"),
        ({}, 12, "12"),
    ],
)
def test_what_cannot_be(given: dict[str, str], offset: int | None, word: str) -> None:
    with pytest.raises(UserError, match=word):
        Wanted.of(given, offset)


@pytest.mark.parametrize(("first", "last"), [("0599-12-31", "0700-01-01"), ("2200-01-01", "2201-01-01"), ("2001-01-02", "2001-01-01")])
def test_spans_outside_the_calendar(first: str, last: str) -> None:
    with pytest.raises(UserError):
        windows({"day": "甲子"}, first, last)


def test_the_ends_of_the_calendar() -> None:
    assert windows({"day": "甲子"}, "0600-01-01", "0600-12-31")
    assert windows({"day": "甲子"}, "2200-01-01", "2200-12-31")
