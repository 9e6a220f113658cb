"""The four pillars by arithmetic (干支紀年月日時).

The day's place among the sixty comes from the Julian Day Number: (JDN + 49) mod 60, 0 being 甲子.
The cycle of days is unbroken; 2000-01-01 (JDN 2451545) is 戊午.
"""

from __future__ import annotations

from datetime import datetime, timedelta

from liuren.facts.ganzhi import BRANCHES, SIXTY, built_stem

_JDN_OF_ORDINAL = 1721425  # what a JDN has over date.toordinal()
_DAY_ZERO = 49
_YEAR_ZERO = 4  # the year 4 is 甲子, and so is 1984
_MONTH_ZERO = 14  # the 寅 month of 2000 (庚辰) is 戊寅 (五虎元遁)


def day_number(clock: datetime, day_starts: str) -> int:
    """The Julian Day Number of the day that *clock* belongs to.

    Args:
        clock: the time by the clock that tells the hours (only its wall time counts).
        day_starts: ``"23"``, the day begins with its 子 hour; ``"0"``, at midnight.
    """
    if day_starts == "23":
        clock = clock + timedelta(hours=1)
    return clock.toordinal() + _JDN_OF_ORDINAL


def day_pillar(number: int) -> str:
    """The ganzhi of the day with Julian Day Number *number*."""
    return SIXTY[(number + _DAY_ZERO) % 60]


def hour_branch(clock: datetime) -> str:
    """The branch of the two-hour hour: 子 from 23:00 to 1:00, 丑 from 1:00 …"""
    return BRANCHES[(clock.hour + 1) // 2 % 12]


def hour_pillar(clock: datetime) -> str:
    """The ganzhi of the hour, by 五子元遁 from the day's stem.

    Both schools of the day's beginning give the late 子 hour (23:00 to midnight) the stem of the
    *coming* day: where the day begins at 23:00 that is its own day; where it begins at midnight the
    day pillar stays and the hour alone looks ahead (夜子時).
    """
    day = day_pillar(day_number(clock, "23"))
    branch = hour_branch(clock)
    return built_stem(day[0], branch) + branch


def year_pillar(n: int) -> str:
    """The ganzhi of the year in which term *n* (0: 立春 of 2000) lies; it opens at 立春."""
    return SIXTY[(2000 + n // 24 - _YEAR_ZERO) % 60]


def month_pillar(n: int) -> str:
    """The ganzhi of the month in which term *n* (0: 立春 of 2000) lies; it opens at a 節."""
    return SIXTY[(_MONTH_ZERO + n // 2) % 60]
