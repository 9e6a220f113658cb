"""When a measure comes about: branches, numbers and spans of time as dates.

A text says "in the month of 子" or "within the decade"; given the moment asked
about, that is a span of days.  What holds now counts: asked in the month of 子,
the month of 子 is this one.  Months and years are solar, as everywhere in the art
(節 and 立春); a number of months is counted in these, of days in civil days.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta

from liuren.facts.ganzhi import BRANCH_INDEX, BRANCHES, SIXTY_INDEX

from . import pillars, terms
from .scale import at, seconds

_TERMS = {"month": 2, "season": 6, "year": 24}
"""Terms in a unit that the Sun makes; each begins at a multiple of it, counted from 立春."""
_DAYS = {"day": 1, "pentad": 5, "decade": 10, "half_month": 15}
"""Civil days in a unit."""


@dataclass(frozen=True, slots=True)
class Span:
    """A span of time: first and last civil day, or for double hours the instants.

    ``unit`` is ``hour``, ``day``, ``month`` … as the measure had it.
    """

    unit: str
    first: str
    last: str


def spans(moment: datetime, values: dict[str, object]) -> Iterator[Span]:
    """The dates of a measure's values.

    Args:
        moment: the moment asked about, aware.
        values: the measure's fields by name: ``day``, ``month``, ``year``, ``hour``
            with a branch (``day`` also a stem), ``within`` with a unit, ``number``
            with ``unit``.  Other fields say nothing of time and are passed over.
    """
    for unit in ("year", "month", "day", "hour"):
        sign = values.get(unit)
        if isinstance(sign, str):
            found = _next(moment, unit, sign)
            if found is not None:
                yield found
    within = values.get("within")
    if isinstance(within, str):
        yield _within(moment, within)
    number, counted = values.get("number"), values.get("unit")
    if isinstance(number, int) and isinstance(counted, str):
        yield _after(moment, number, counted)


def _next(moment: datetime, unit: str, sign: str) -> Span | None:
    """The first span of the unit that bears *sign*, the present one included."""
    if unit == "hour":
        return _next_hour(moment, sign)
    if unit == "day":
        for n in range(60):
            day = moment.date() + timedelta(days=n)
            if sign in day_pair(day):
                return Span("day", day.isoformat(), day.isoformat())
        return None
    size = _TERMS[unit]
    start = terms.holding(seconds(moment))
    for n in range(start - start % size, start + 13 * size, size):
        branch = terms.branch(n) if unit == "month" else pillars.year_pillar(n)[1]
        if branch == sign:
            return _solar(moment, unit, n)
    return None


def _next_hour(moment: datetime, sign: str) -> Span | None:
    if sign not in BRANCH_INDEX:
        return None
    for n in range(13):
        start = _hour_start(moment) + timedelta(hours=2 * n)
        if BRANCHES[((start.hour + 1) // 2) % 12] == sign:
            end = start + timedelta(hours=2)
            return Span("hour", start.isoformat(timespec="minutes"), end.isoformat(timespec="minutes"))
    return None


def _hour_start(moment: datetime) -> datetime:
    """When the double hour of *moment* began, by the clock."""
    start = moment.replace(minute=0, second=0, microsecond=0)
    return start if moment.hour % 2 else start - timedelta(hours=1)


def _solar(moment: datetime, unit: str, n: int) -> Span:
    """The span from term *n* to the next of the unit, its last day the one before."""
    zone = moment.tzinfo or UTC
    first = at(terms.begins(n), zone).date()
    last = at(terms.begins(n + _TERMS[unit]), zone).date() - timedelta(days=1)
    return Span(unit, first.isoformat(), last.isoformat())


def _within(moment: datetime, unit: str) -> Span:
    today = moment.date()
    if unit == "hour":
        end = _hour_start(moment) + timedelta(hours=2)
        return Span(unit, moment.isoformat(timespec="minutes"), end.isoformat(timespec="minutes"))
    if unit == "decade":  # to the 癸 day that closes the 旬
        last = today + timedelta(days=9 - SIXTY_INDEX[day_pair(today)] % 10)
    elif unit in _DAYS:
        last = today + timedelta(days=_DAYS[unit] - 1)
    else:
        n = terms.holding(seconds(moment))
        span = _solar(moment, unit, n - n % _TERMS[unit])
        last = date.fromisoformat(span.last)
    return Span(unit, today.isoformat(), last.isoformat())


def _after(moment: datetime, number: int, unit: str) -> Span:
    if unit == "hour":
        start = _hour_start(moment) + timedelta(hours=2 * number)
        end = start + timedelta(hours=2)
        return Span(unit, start.isoformat(timespec="minutes"), end.isoformat(timespec="minutes"))
    if unit in _DAYS:
        day = (moment.date() + timedelta(days=number * _DAYS[unit])).isoformat()
        return Span(unit, day, day)
    n = terms.holding(seconds(moment))
    return _solar(moment, unit, n - n % _TERMS[unit] + number * _TERMS[unit])


def day_pair(day: date) -> str:
    """The pillar of a civil day."""
    return pillars.day_pillar(pillars.day_number(datetime(day.year, day.month, day.day, 12), "0"))
