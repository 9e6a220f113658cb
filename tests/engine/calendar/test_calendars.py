"""Every day of 1900 to 2050 against public calendars, and the days on which these differ."""

from __future__ import annotations

from collections import Counter
from datetime import date, timedelta, timezone

import pytest
from liuren.engine.calendar import table
from liuren.engine.calendar.lunar import lunar_day
from liuren.engine.calendar.meridians import differences
from liuren.engine.calendar.scale import at, to_unix

from .conftest import _rows

FIRST, LAST = date(1900, 1, 1), date(2050, 12, 31)
DAY = timedelta(days=1)
SINCE = {
    "s": FIRST,
    "c": date(1901, 1, 1),
    "b": date(1900, 1, 31),
    "l": date(1900, 1, 31),
    "k": FIRST,
}
Dated = dict[date, tuple[int, int, bool]]


@pytest.fixture(scope="module")
def calendars() -> dict[str, Dated]:
    """Each calendar's month, day and leap flag of every civil day that it has."""
    rows = _rows("months.csv")
    found: dict[str, Dated] = {}
    for name in SINCE:
        begins = [(date.fromisoformat(d), m) for d, m, who in rows if name in who]
        ends = [d for d, _ in begins[1:]] + [LAST + DAY]
        days = found[name] = {}
        for (first, month), end in zip(begins, ends, strict=True):
            for n in range((end - first).days):
                if SINCE[name] <= first + n * DAY <= LAST:
                    days[first + n * DAY] = (int(month.rstrip("+")), n + 1, "+" in month)
    return found


@pytest.fixture(scope="module")
def ours() -> dict[str, Dated]:
    days = [FIRST + n * DAY for n in range((LAST - FIRST).days + 1)]
    return {
        meridian: {
            day: (m.month, m.day, m.leap) for day in days for m in (lunar_day(day, meridian),)
        }
        for meridian in ("china", "korea")
    }


def parting(one: Dated, other: Dated) -> list[tuple[date, date]]:
    """The spans of days that both have, and date differently."""
    spans: list[tuple[date, date]] = []
    for day in sorted(one.keys() & other.keys()):
        if one[day] != other[day]:
            if spans and spans[-1][1] + DAY == day:
                spans[-1] = (spans[-1][0], day)
            else:
                spans.append((day, day))
    return spans


def listed(one: str, other: str) -> list[tuple[date, date]]:
    """The spans of ``differences.csv`` for two calendars."""
    return [
        (date.fromisoformat(first), date.fromisoformat(last))
        for first, last, _, a, _, b, _ in _rows("differences.csv")
        if (a, b) == (one, other)
    ]


def test_the_calendars_have_every_day(calendars):
    for name, since in SINCE.items():
        assert len(calendars[name]) == (LAST - since).days + 1
    # 55,152 days of 151 years
    assert len(calendars["s"]) == len(calendars["k"]) == 55152


@pytest.mark.parametrize("name", ["s", "c", "b"])
def test_china_agrees_on_every_day(name, calendars, ours):
    assert parting(ours["china"], calendars[name]) == []


def test_korea_agrees_on_every_day(calendars, ours):
    assert parting(ours["korea"], calendars["k"]) == []


@pytest.mark.parametrize("name", ["c", "b", "l", "k"])
def test_calendars_differ_exactly_where_listed(name, calendars):
    assert parting(calendars["s"], calendars[name]) == listed("s", name)


def test_the_list_says_how(calendars):
    rows = _rows("differences.csv")
    counted = Counter()
    for first, last, days, one, on_one, other, on_other in rows:
        day = date.fromisoformat(first)
        assert (date.fromisoformat(last) - day).days + 1 == int(days)
        for name, told in ((one, on_one), (other, on_other)):
            month, of_month, leap = calendars[name][day]
            assert told == f"{month}{'+' if leap else ''}/{of_month}"
        counted[other] += int(days)
    assert counted == {"l": 90, "k": 1978}


def test_lunardate_parts_from_the_almanac_three_times(calendars, ours):
    """Where one table alone stands against the others, the instant of the new moon decides."""
    assert parting(ours["china"], calendars["l"]) == listed("s", "l")
    clocks = []
    for first, _ in listed("s", "l"):
        k = round((first - date(2000, 1, 6)).days / 29.530588861)
        minute = round(to_unix(table.phase_tt(k, 0)) / 60) * 60
        new = at(minute, timezone(timedelta(hours=8)))
        clocks.append(new.strftime("%Y-%m-%d %H:%M"))
    assert clocks == ["1933-07-23 00:03", "1954-11-25 20:30", "1978-09-03 00:09"]


def test_differences_of_meridians_are_the_same_days(calendars):
    """What the engine finds between China and Korea is what the two almanacs differ in."""
    days: set[date] = set()
    for found in differences(FIRST, LAST, "china", "korea"):
        span = [found.first + n * DAY for n in range((found.last - found.first).days + 1)]
        assert not days & set(span)
        days |= set(span)
    printed = {
        first + n * DAY for first, last in listed("s", "k") for n in range((last - first).days + 1)
    }
    assert {day for day in days if FIRST <= day <= LAST} == printed


def test_a_leap_month_elsewhere_is_a_difference():
    """In 2012 Korea had leap 3 where China had 4, so two months differ though they begin together."""
    year = list(differences(date(2012, 1, 1), date(2012, 12, 31), "china", "korea"))
    names = [((d.one.month, d.one.leap), (d.other.month, d.other.leap)) for d in year]
    assert names == [
        ((4, False), (3, True)),
        ((4, True), (4, False)),
        ((5, False), (5, False)),
        ((7, False), (7, False)),
    ]
    assert [d.one.begins == d.other.begins for d in year] == [True, True, False, False]
