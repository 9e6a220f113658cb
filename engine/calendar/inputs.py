"""What a question gives the calendar, and whether it can be used."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date, datetime
from functools import cache
from typing import Any

from liuren.engine.data import load_data
from liuren.facts.errors import UserError
from liuren.facts.question import Question

from . import scale, terms
from .clock import Spot
from .moment import FIRST_YEAR, LAST_YEAR
from .places import find_place

OPTIONS = (
    "day_starts", "hour_time", "month_general", "lunar_meridian", "day_night", "moon_mansion",
)  # fmt: skip
"""The doctrine options that the calendar reads; the last two only where they ask for more."""


@cache
def _known_options() -> dict[str, tuple[str, ...]]:
    """Each option's values, the default first, from ``kb/doctrines.yaml``."""
    data = load_data("doctrines")["options"]
    found = {}
    for name in OPTIONS:
        default = str(data[name]["default"])
        rest = [str(value) for value in data[name]["values"] if str(value) != default]
        found[name] = (default, *rest)
    return found


def checked(moment: datetime) -> datetime:
    """The moment itself.

    Raises:
        UserError: it has no zone, or its year is outside the calendar.
    """
    if moment.utcoffset() is None:
        raise UserError(
            f"The moment {moment.isoformat()} has no time zone; give an offset such as +09:00 "
            "or the name of a zone."
        )
    if not FIRST_YEAR <= moment.year <= LAST_YEAR:
        raise UserError(
            f"The moment {moment.isoformat()} is outside the calendar, "
            f"which covers the years {FIRST_YEAR} to {LAST_YEAR}."
        )
    return moment


def check_span(first: date, last: date) -> None:
    """Check a span of days.

    Raises:
        UserError: the days are out of order or outside the calendar.
    """
    if first > last:
        raise UserError(f"The span begins on {first}, after its end on {last}.")
    for day in (first, last):
        if not FIRST_YEAR <= day.year <= LAST_YEAR:
            raise UserError(
                f"The day {day} is outside the calendar, "
                f"which covers the years {FIRST_YEAR} to {LAST_YEAR}."
            )


def choose(options: Mapping[str, str]) -> dict[str, str]:
    """A value for each of :data:`OPTIONS`, the default of ``kb/doctrines.yaml`` where none is set.

    Raises:
        UserError: an option has no such value.
    """
    chosen = {}
    for name, values in _known_options().items():
        value = options.get(name, values[0])
        if value not in values:
            raise UserError(
                f"The option {name} has no value {value!r}; it takes {', '.join(values)}."
            )
        chosen[name] = value
    return chosen


def spot_of(question: Question) -> Spot:
    """The place: coordinates told outright win over those of the gazetteer.

    Raises:
        UserError: the place is not known, or a coordinate is not on Earth.
    """
    longitude, latitude = question.longitude, question.latitude
    for name, value, limit in (("longitude", longitude, 180), ("latitude", latitude, 90)):
        if value is not None and not -limit <= value <= limit:
            raise UserError(f"The {name} {value} is not on Earth; -{limit} to {limit} is accepted.")
    if question.place is not None:
        place = find_place(question.place)
        longitude = place.longitude if longitude is None else longitude
        latitude = place.latitude if latitude is None else latitude
    return Spot(question.place, longitude, latitude)


def spot_value(spot: Spot) -> dict[str, Any]:
    """What is known of the place, for its step."""
    found = {"name": spot.name, "longitude": spot.longitude, "latitude": spot.latitude}
    return {key: value for key, value in found.items() if value is not None}


_CALLED = {"month_general": "month general", "term": "solar term", "lunar": "lunar date"}


def agree(question: Question, values: Mapping[str, Any], moment: datetime) -> None:
    """Check what the question tells outright against what the moment gives.

    Raises:
        UserError: they contradict each other.
    """
    for name, found in values.items():
        told = getattr(question, name)
        if told is None or told == found:
            continue
        if name in ("year", "month", "day", "hour") and told == found[1]:
            continue
        if name == "year" and told == str(terms.year_of(scale.seconds(moment))):
            continue
        called = _CALLED.get(name, name)
        raise UserError(
            f"The {called} given is {_say(told)}, but at {moment.isoformat()} it is {_say(found)}; "
            "leave one of them out."
        )


def _say(value: Any) -> str:
    if isinstance(value, tuple):
        month, day, leap = value
        return f"{'leap ' if leap else ''}month {month} day {day}"
    return str(value) or "none"
