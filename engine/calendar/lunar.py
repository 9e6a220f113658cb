"""The lunar calendar by the rule of 1645: true new moons, leap months without 中氣.

A month begins on the day, at the calendar's meridian, of the new moon.  The month that holds
冬至 is month 11; where thirteen months stretch from one month 11 to the next, the first without a
中氣 is leap and carries the number of the month before it (時憲曆; GB/T 33661-2017).

Meridians, as the calendar makers kept them, are data of ``kb/calendar.yaml``, and so are the
months of 1645-1911 that the printed almanacs had otherwise than true motion gives.  From 1912 on
true motion agrees with them; a new moon of the future within two minutes of midnight (2057-09-28,
2089-09-04 and 2097-08-07 in China) may yet fall on the other day.  Before 1645 the
rule is carried back, with the Sun's and Moon's true motion: the calendar of that time, which had
mean terms (平氣) and other constants, may differ by a day or have its leap month elsewhere.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from functools import cache, lru_cache
from typing import Any

from liuren.engine.data import load_data

from . import table, terms
from .scale import EPOCH, to_unix
from .table import DAY

SINCE = 1645
"""The first year of the rule."""

_EPOCH_DAY = EPOCH.toordinal()
_MONTH = 29.530588861 * DAY
_MOON_2000 = 947182440.0  # 2000-01-06 18:14 UTC
_WINTER = 21  # 冬至 counts 21 from 立春


@dataclass(frozen=True, slots=True)
class LunarDay:
    """A day of the lunar calendar.

    Attributes:
        month: 1-12.
        day: 1-30.
        leap: whether the month is a leap month.
        length: 29 or 30, the days of the month.
        phase: 朔 上弦 望 下弦 晦, or ``""``: 朔 is day 1 and 晦 the last day; the
            quarters and 望 are the days of the instants.
    """

    month: int
    day: int
    leap: bool
    length: int
    phase: str


@cache
def _data() -> dict[str, Any]:
    data: dict[str, Any] = load_data("calendar")
    return data


@cache
def _moved() -> dict[int, int]:
    """New moons (ordinals of days) to the day on which the almanac began the month."""
    rows = _data()["almanac"]["moved"].items()
    return {computed.toordinal(): printed.toordinal() for computed, printed in rows}


@cache
def _offsets(meridian: str) -> tuple[tuple[int, float], ...]:
    """First day (ordinal) and seconds east of Greenwich, latest first."""
    rows = _data()["meridians"][meridian]
    return tuple(
        (date.fromisoformat(row["from"]).toordinal() if row["from"] else 0, row["degrees"] * 240.0)
        for row in sorted(rows, key=lambda row: row["from"], reverse=True)
    )


def _day(unix: float, meridian: str) -> int:
    """The day (ordinal) at the calendar's meridian that holds *unix*."""
    for start, offset in _offsets(meridian):
        day = int((unix + offset) // DAY) + _EPOCH_DAY
        if day >= start:
            return day
    raise AssertionError("the first row of a meridian begins at the beginning")


@lru_cache(maxsize=4096)
def _phase_day(k: int, quarter: int, meridian: str) -> int:
    day = _day(to_unix(table.phase_tt(k, quarter)), meridian)
    return _moved().get(day, day) if quarter == 0 else day


@lru_cache(maxsize=4096)
def _term_day(n: int, meridian: str) -> int:
    return _day(terms.begins(n), meridian)


def _month_of(day: int, meridian: str) -> int:
    """The lunation (as the table counts) of the month that holds *day*."""
    k = round(((day - _EPOCH_DAY) * DAY - _MOON_2000) / _MONTH)
    while _phase_day(k, 0, meridian) > day:
        k -= 1
    while _phase_day(k + 1, 0, meridian) <= day:
        k += 1
    return k


@lru_cache(maxsize=256)
def _winter_month(year: int, meridian: str) -> int:
    """The lunation of month 11, which holds 冬至 of Gregorian *year*."""
    return _month_of(_term_day((year - 2000) * 24 + _WINTER, meridian), meridian)


@lru_cache(maxsize=256)
def _leap_month(year: int, meridian: str) -> int | None:
    """The leap lunation between month 11 of *year* - 1 and of *year*, if any."""
    start, end = _winter_month(year - 1, meridian), _winter_month(year, meridian)
    if end - start == 12:
        return None
    printed = _data()["almanac"]["leap"].get(year)
    if printed is not None:
        # month 1 is two after month 11, and the leap month follows the one whose number it has
        return int(start + 1 + printed + 1)
    # 中氣 from 大寒 after the first 冬至 on, one after another
    n = (year - 1 - 2000) * 24 + _WINTER + 2
    for k in range(start + 1, end):
        if _term_day(n, meridian) >= _phase_day(k + 1, 0, meridian):
            return k
        while _term_day(n, meridian) < _phase_day(k + 1, 0, meridian):
            n += 2
    raise AssertionError("thirteen months cannot all hold one of twelve 中氣")


def lunar_day(day: date, meridian: str) -> LunarDay:
    """The lunar date of a civil *day*.

    Args:
        day: the day of the civil calendar, from midnight to midnight.
        meridian: ``"china"`` or ``"korea"``, whose almanac is followed.

    Raises:
        IndexError: the table does not reach so far.
    """
    ordinal = day.toordinal()
    k = _month_of(ordinal, meridian)
    year = day.year
    if k >= _winter_month(year, meridian):
        year += 1
    leap = _leap_month(year, meridian)
    # months since month 11 that count
    number = k - _winter_month(year - 1, meridian)
    if leap is not None and k >= leap:
        number -= 1
    first, after = _phase_day(k, 0, meridian), _phase_day(k + 1, 0, meridian)
    return LunarDay(
        month=(10 + number) % 12 + 1,
        day=ordinal - first + 1,
        leap=k == leap,
        length=after - first,
        phase=_phase(ordinal, k, after, meridian),
    )


def _phase(ordinal: int, k: int, after: int, meridian: str) -> str:
    *quarters, last = _data()["phases"]
    if ordinal == after - 1:
        return str(last)
    for quarter, name in enumerate(quarters):
        if _phase_day(k, quarter, meridian) == ordinal:
            return str(name)
    return ""


def new_year(year: int, meridian: str) -> date:
    """The first day of month 1 of the lunar year that begins in Gregorian *year*."""
    k = _winter_month(year - 1, meridian) + 2
    leap = _leap_month(year, meridian)
    if leap is not None and leap <= k:
        k += 1
    return date.fromordinal(_phase_day(k, 0, meridian))
