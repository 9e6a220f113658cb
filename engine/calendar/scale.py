"""Time scales: TT of the ephemeris against the time that clocks keep.

A clock's time is written as Unix seconds: days of 86400 s since 1970-01-01 00:00 at Greenwich,
with no leap seconds counted, as :meth:`datetime.timestamp` gives it.  What it means:

* from 1972 on, UTC; after the last leap second known, TT - UTC stays where it is (69.184 s), as
  is to be expected now that leap seconds are to be given up by 2035 (CGPM 2022, resolution 4);
* before 1972, UT1, to which clocks were set by the stars: TT - UT1 is Delta T after Morrison,
  Stephenson, Hohenkerk and Zawilski 2021 and, from the 20th century, the observations of the IERS.
  It is known to about a second from 1800 on, some 20 s in 1600 and some minutes in 600.
"""

from __future__ import annotations

from bisect import bisect_right
from datetime import UTC, datetime, timedelta, tzinfo
from functools import cache

from .table import DAY, UNIX_EPOCH, header

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


@cache
def _leaps() -> tuple[list[int], list[float]]:
    rows = header()["leaps"]
    return [int(row[0]) for row in rows], [float(row[1]) for row in rows]


def tt_minus_clock(unix: float) -> float:
    """TT minus clock time in seconds: TT - UTC from 1972, Delta T before."""
    starts, offsets = _leaps()
    if unix >= starts[0]:
        return offsets[bisect_right(starts, unix) - 1]
    return delta_t(unix)


def delta_t(unix: float) -> float:
    """TT minus UT1 in seconds (Delta T), as observed, reckoned before and foretold after that."""
    data = header()["delta_t"]
    place = (unix / DAY + UNIX_EPOCH - data["zero"]) / data["step"]
    index = int(place)
    low, high = data["seconds"][index : index + 2]
    return float(low + (high - low) * (place - index))


def to_unix(tt: float) -> float:
    """Unix seconds of TT seconds since 1970-01-01 TT."""
    unix = tt - tt_minus_clock(tt)
    # Delta T changes too slowly for more than one correction
    return tt - tt_minus_clock(unix)


def to_tt(unix: float) -> float:
    """TT seconds since 1970-01-01 TT of Unix seconds."""
    return unix + tt_minus_clock(unix)


def to_ut1(unix: float) -> float:
    """UT1, by which the Earth turns, in seconds since 1970-01-01; differs from UTC since 1972."""
    return to_tt(unix) - delta_t(unix)


def seconds(moment: datetime) -> float:
    """Unix seconds of an aware *moment* (any year, unlike ``timestamp`` on some platforms)."""
    return (moment - EPOCH).total_seconds()


def at(unix: float, zone: tzinfo) -> datetime:
    """The datetime in *zone* at Unix seconds *unix*, to the microsecond."""
    return (EPOCH + timedelta(seconds=unix)).astimezone(zone)


def iso(unix: float, zone: tzinfo) -> str:
    """ISO 8601 text in *zone*, rounded to the second."""
    return at(float(round(unix)), zone).isoformat()
