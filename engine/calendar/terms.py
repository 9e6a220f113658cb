"""The twenty-four solar terms (節氣): which one holds, which begins on a day.

A term is known by its count *n*: 0 is 立春 (315 degrees) of 2000, and one more is 15 degrees
further.  So ``n // 24 + 2000`` is the year that 立春 opens, even counts are 節 and odd ones 中氣.
"""

from __future__ import annotations

from datetime import date, tzinfo
from functools import cache, lru_cache

from liuren.engine.data import load_data

from . import table
from .scale import at, to_unix

_FROM_LICHUN = 2  # the table counts from 小寒
_YEAR = 31556926.0
_LICHUN_2000 = 949668000.0  # 2000-02-04 12:40 UTC


@cache
def names() -> tuple[str, ...]:
    """The names of the terms from 立春 on, in the order of ``kb/tables.yaml``."""
    return tuple(load_data("tables")["terms"])


@cache
def branches() -> tuple[str, ...]:
    """The branch of the month that each term belongs to, from 立春 on."""
    return tuple(load_data("tables")["terms"].values())


def name(n: int) -> str:
    """The name of term *n*."""
    return names()[n % 24]


def branch(n: int) -> str:
    """The branch of the month (月建) that term *n* belongs to."""
    return branches()[n % 24]


@lru_cache(maxsize=4096)
def begins(n: int) -> float:
    """When term *n* begins, in Unix seconds, to the nearest whole second.

    Almanacs print instants to the second at best; kept so, the second that is shown as the
    beginning of a term is the first that belongs to it.

    Raises:
        IndexError: the table does not reach so far.
    """
    return float(round(to_unix(table.term_tt(n + _FROM_LICHUN))))


def holding(unix: float) -> int:
    """The term that holds at *unix*: the last that has begun, its own instant included."""
    n = int((unix - _LICHUN_2000) / _YEAR * 24)
    while begins(n) > unix:
        n -= 1
    while begins(n + 1) <= unix:
        n += 1
    return n


def year_of(unix: float) -> int:
    """The Gregorian number of the year that *unix* lies in, counted from its 立春."""
    return 2000 + holding(unix) // 24


def beginning_on(day: date, zone: tzinfo, near: int) -> str:
    """The name of the term that begins on civil *day* in *zone*, ``""`` for none.

    Args:
        day: the day of the clocks of *zone*, from midnight.
        zone: where the day is counted.
        near: a term that holds within two days of *day*.
    """
    for n in (near, near + 1):
        if at(begins(n), zone).date() == day:
            return name(n)
    return ""
