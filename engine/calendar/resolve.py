"""From a question's moment to its pillars, with the step that made each value."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta, tzinfo
from typing import Any

from liuren.facts.chart import Step
from liuren.facts.question import Question

from . import clock, generals, lunar, moon, pillars, scale, stations, sun, terms
from .clock import Spot
from .inputs import OPTIONS, agree, checked, choose, spot_of, spot_value
from .scale import at
from .steps import Steps


def resolve_moment(
    question: Question, options: Mapping[str, str]
) -> tuple[Question, tuple[Step, ...]]:
    """Fill in what a question's moment tells, and how it was told.

    A question without a moment comes back as it is, with no steps.

    Args:
        question: its *moment* must be an aware datetime from year 600 to 2200.
        options: option to value; an option that is absent takes its default in
            ``kb/doctrines.yaml``.  Read are ``day_starts``, ``hour_time``,
            ``month_general``, ``lunar_meridian``, ``day_night`` (``sunrise`` only) and
            ``moon_mansion`` (``position`` only).

    Returns:
        The question with *year*, *month*, *day*, *hour* (ganzhi), *month_general*,
        *term*, *lunar* and, where the place is known, *longitude* and *latitude*;
        *noble* is set only under ``day_night=sunrise`` when the place is known and it
        was not told.  And the steps: ``input.moment``, ``input.place``, ``option.*``,
        ``instant``, ``solar_longitude``, ``solar_term``, ``year.opens``, ``month.opens``,
        ``equation_of_time``, ``clock``, ``day.number``, ``pillar.*``, ``sun_mansion`` (only
        where the general goes by the stars), ``month_general.opens``, ``month_general``,
        ``day.opens``, ``day.eve``, ``lunar``, ``phase``, ``moon_longitude`` and
        ``moon_place`` (only where the Moon's true place is asked for), ``sunlight``,
        ``day_night``.

    Terms begin on a whole second, and from that second on the new year, month or general
    holds; a moment told to the minute is taken at its first second.  *term*, *lunar* and
    *phase* go by the civil day of the moment's zone, midnight to midnight, whatever
    ``day_starts``; the day pillar changes by the clock that ``hour_time`` names.

    Raises:
        UserError: the moment has no zone or is out of range; an option value or place
            is unknown; a place is needed and not given; a value of the question
            contradicts the moment.
    """
    if question.moment is None:
        return question, ()
    moment = checked(question.moment)
    chosen = choose(options)
    spot = spot_of(question)
    steps = Steps()
    steps.input("moment", moment.isoformat())
    if spot.known:
        steps.input("place", spot_value(spot))
    for name in OPTIONS[:-2]:
        steps.option(name, chosen[name])

    unix = scale.seconds(moment)
    values = _from_sun(unix, moment, chosen, steps)
    values |= _from_clock(moment, spot, chosen, steps)
    values |= _from_day(unix, moment, chosen, steps)
    if chosen["moon_mansion"] == "position":
        _put_moon(unix, steps)
    agree(question, values, moment)
    if question.noble is None and chosen["day_night"] == "sunrise":
        steps.option("day_night", "sunrise")
        values["noble"] = _from_light(unix, moment, spot, steps)
    return (
        replace(question, longitude=spot.longitude, latitude=spot.latitude, **values),
        tuple(steps.done),
    )


def _from_sun(
    unix: float, moment: datetime, chosen: Mapping[str, str], steps: Steps
) -> dict[str, Any]:
    """Year, month and month general, by the solar terms."""
    zone = moment.tzinfo or UTC

    def opening(n: int) -> dict[str, str]:
        return {"term": terms.name(n), "at": scale.iso(terms.begins(n), zone)}

    n = terms.holding(unix)
    steps.add("instant", moment.astimezone(UTC).isoformat(), "instant_utc", "input.moment")
    steps.add("solar_longitude", round(sun.longitude(unix), 4), "solar_longitude", "instant")
    held = opening(n) | {"next": terms.name(n + 1), "next_at": scale.iso(terms.begins(n + 1), zone)}
    steps.add("solar_term", held, "solar_term", "instant", "solar_longitude")
    steps.add("year.opens", opening(n - n % 24), "year_opens", "instant", "solar_term")
    year = pillars.year_pillar(n)
    steps.add("pillar.year", year, "year_from_lichun", "year.opens")
    steps.add("month.opens", opening(n - n % 2), "month_opens", "instant", "solar_term")
    month = pillars.month_pillar(n)
    steps.add("pillar.month", month, "month_from_jie", "month.opens", "pillar.year")
    general = _general(unix, zone, chosen["month_general"], steps)
    return {"year": year, "month": month, "month_general": general}


def _general(unix: float, zone: tzinfo, school: str, steps: Steps) -> str:
    """The month general, by the Sun's place among the terms or among the stars."""
    turn, rule = generals.turn(unix, school), f"general_{school}"
    inputs = ["instant", "solar_term"]
    opened: dict[str, Any] = {"term": turn.opened, "at": scale.iso(turn.at, zone)}
    if school == generals.SIDEREAL:
        mansion, degrees = stations.sun_place(unix)
        place = {"mansion": mansion, "degrees": round(degrees, 2)}
        steps.add("sun_mansion", place, "sun_mansion", "instant", "solar_longitude")
        entered = stations.station(stations.holding(unix))
        inputs[1] = "sun_mansion"
        opened = {
            "station": turn.opened,
            "mansion": entered.mansion,
            "degrees": entered.degrees,
            "at": opened["at"],
        }
    steps.add("month_general.opens", opened, f"{rule}_opens", *inputs)
    steps.add("month_general", turn.general, rule, "month_general.opens", "option.month_general")
    return turn.general


def _from_clock(
    moment: datetime, spot: Spot, chosen: Mapping[str, str], steps: Steps
) -> dict[str, Any]:
    """Day and hour, by the clock that tells the hours."""
    kind, starts = chosen["hour_time"], chosen["day_starts"]
    shown = clock.CLOCKS[kind](moment, spot)
    inputs = ["input.moment"] if kind == "civil" else ["instant", "input.place"]
    if kind == "apparent":
        equation = round(sun.equation_of_time(scale.seconds(moment)), 1)
        steps.add("equation_of_time", equation, "equation_of_time", "instant", "solar_longitude")
        inputs.append("equation_of_time")
    text = shown.isoformat(timespec="seconds")
    steps.add("clock", text, f"clock_{kind}", *inputs, "option.hour_time")
    number = pillars.day_number(shown, starts)
    steps.add("day.number", number, f"day_number_{starts}", "clock", "option.day_starts")
    day = pillars.day_pillar(number)
    steps.add("pillar.day", day, "day_from_number", "day.number")
    hour = pillars.hour_pillar(shown)
    # late 子 under a day that begins at midnight: the stem is the coming day's
    late = pillars.day_number(shown, "23") != number
    method = "hour_late_zi" if late else "hour_from_day"
    steps.add("pillar.hour", hour, method, "clock", "pillar.day")
    return {"day": day, "hour": hour}


def _from_day(
    unix: float, moment: datetime, chosen: Mapping[str, str], steps: Steps
) -> dict[str, Any]:
    """The term that begins on the civil day, and the lunar date."""
    zone = moment.tzinfo or UTC
    today, near = moment.date(), terms.holding(unix)
    opens = terms.beginning_on(today, zone, near)
    eve = terms.beginning_on(today + timedelta(days=1), zone, near)
    steps.add("day.opens", opens, "day_opens", "input.moment", "solar_term")
    steps.add("day.eve", eve, "day_eve", "input.moment", "solar_term")
    _openings(near, today, zone, steps)
    found = lunar.lunar_day(today, chosen["lunar_meridian"])
    method = "lunar_month" if today.year >= lunar.SINCE else "lunar_carried_back"
    value = {"month": found.month, "day": found.day, "leap": found.leap}
    steps.add("lunar", value, method, "input.moment", "option.lunar_meridian")
    steps.add("phase", found.phase, "phase_instant", "lunar", "option.lunar_meridian")
    return {"term": opens, "lunar": (found.month, found.day, found.leap)}


def _put_moon(unix: float, steps: Steps) -> None:
    """The Moon's true place among the mansions."""
    steps.option("moon_mansion", "position")
    steps.add("moon_longitude", round(moon.longitude(unix), 3), "moon_longitude", "instant")
    mansion, degrees = moon.place(unix)
    place = {"mansion": mansion, "degrees": round(degrees, 2)}
    steps.add("moon_place", place, "moon_place", "instant", "moon_longitude")


def _openings(near: int, today: date, zone: tzinfo, steps: Steps) -> None:
    """The branches of the days on which the season, the term and the 候 last began.

    A term that begins later today has begun for this purpose: days are whole.
    """
    n = near + 1 if at(terms.begins(near + 1), zone).date() <= today else near
    # 立春 is count 0; the seasons begin at every sixth term from it.
    season, term = (at(terms.begins(k), zone).date() for k in (n - n % 6, n))
    pentad = term + timedelta(days=5 * min((today - term).days // 5, 2))
    for id, day in (("season_day", season), ("term_day", term), ("pentad_day", pentad)):
        noon = datetime(day.year, day.month, day.day, 12)
        branch = pillars.day_pillar(pillars.day_number(noon, "0"))[1]
        steps.add(id, branch, id, "input.moment", "solar_term")


def _from_light(unix: float, moment: datetime, spot: Spot, steps: Steps) -> str | None:
    """晝 or 夜 by the Sun at the place; ``None``, with what is needed, when that is unknown."""
    inputs = ("instant", "input.place", "option.day_night")
    if spot.longitude is None or spot.latitude is None:
        needs = ("place",)
        steps.add("day_night", None, "day_night_sunrise", *inputs[::2], needs=needs)
        return None
    zone = moment.tzinfo or UTC
    light = sun.daylight(unix, spot.latitude, spot.longitude)
    value = {
        "sunrise": None if light.rise is None else scale.iso(light.rise, zone),
        "sunset": None if light.set is None else scale.iso(light.set, zone),
    }
    steps.add("sunlight", value, "sunlight", *inputs[:2])
    noble = "晝" if light.day else "夜"
    steps.add("day_night", noble, "day_night_sunrise", "instant", "sunlight", "option.day_night")
    return noble
