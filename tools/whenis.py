"""``liuren when``: the real moments that have given pillars or a given lesson."""

from __future__ import annotations

import re
from datetime import date, timedelta, tzinfo
from typing import Any

import click
from liuren.engine.calendar.clock import Spot
from liuren.engine.calendar.inputs import spot_of
from liuren.engine.calendar.moment import zone_named
from liuren.engine.calendar.places import find_place
from liuren.engine.calendar.when import Wanted, When, Window
from liuren.facts.errors import UserError
from liuren.facts.question import Question

from .layout import table
from .options import common_options, load, pairs
from .progress import Progress
from .words import Words

SCHEMA = "liuren.when/1"


@click.command()
@common_options
@click.option("--day", metavar="干支", help="Day pillar, as 甲子.")
@click.option("--hour", metavar="支", help="Hour, a branch or ganzhi.")
@click.option("--month-general", metavar="支", help="月將.")
@click.option("--offset", type=int, metavar="0-11", help="The plate: month general less hour.")
@click.option("--month", metavar="支", help="Month (月建), a branch or ganzhi.")
@click.option("--year", metavar="支", help="Year, a branch or ganzhi.")
@click.option("--from", "first", required=True, metavar="DATE", help="The first day; 1900 or 1900-05 is its first.")
@click.option("--to", "last", required=True, metavar="DATE", help="The last day, included; 2050 or 2050-05 is its last.")
@click.option("--tz", metavar="ZONE", help="Time zone, as Asia/Shanghai or +08:00.")
@click.option("--place", metavar="NAME", help="A place by name, for its zone and for hours by the sun.")
@click.option("--longitude", type=float, metavar="DEG", help="East positive.")
@click.option("--latitude", type=float, metavar="DEG", help="North positive.")
@click.option("--doctrine", metavar="NAME", help="The school (`common` without one).")
@click.option("--set", "sets", multiple=True, metavar="OPTION=VALUE", help="One option of it, as hour_time=apparent, day_starts=0, month_general=jie.")
@click.option("--limit", type=click.IntRange(0), default=100, show_default=True, help="How many to show; 0 for all.")
def when(kb_dir: str | None, lang: str, as_json: bool, offset: int | None, first: str, last: str, tz: str | None, place: str | None, longitude: float | None, latitude: float | None, doctrine: str | None, sets: tuple[str, ...], limit: int, **given: str | None) -> None:
    """Find the real moments that have given pillars or a given lesson.

    A lesson is a day with --offset, or with --hour and --month-general. Each span
    runs from its first second to the first second at which it no longer holds.
    """
    from .cli import emit, emit_json

    library, words = load(kb_dir, lang)
    school = library.doctrine(doctrine or "common", pairs(sets, "--set"))
    wanted = Wanted.of(given, offset, school.options["month_general"])
    spot = spot_of(Question(place=place, longitude=longitude, latitude=latitude))
    zone = _zone(tz, place)
    days = read_day(first, "--from", end=False), read_day(last, "--to", end=True)
    found = find(When(zone, spot, school.options), wanted, *days)
    shown = found[:limit] if limit else found
    if as_json:
        emit_json(when_json(shown, len(found), zone, spot))
    else:
        emit(when_lines(shown, len(found), words))


def find(search: When, wanted: Wanted, first: date, last: date) -> list[Window]:
    """Every span, with progress on a terminal.

    Raises:
        UserError: the days are out of order or outside the calendar.
    """
    total = (last - first).days + 3 if wanted.day is None else (last - first).days // 60 + 1
    with Progress("days", max(total, 0)) as progress:
        return list(search.windows(wanted, first, last, progress.step))


def _zone(tz: str | None, place: str | None) -> tzinfo:
    if tz is not None:
        return zone_named(tz)
    if place is not None:
        return zone_named(find_place(place).tz)
    raise UserError("Hours need a time zone; give --tz (Asia/Shanghai, +08:00) or --place.")


def read_day(text: str, option: str, end: bool) -> date:
    """A year, month or day as its first or, with *end*, its last day.

    Raises:
        UserError: it is none, or there is no such day.
    """
    match = re.fullmatch(r"(\d{1,4})(?:-(\d{1,2})(?:-(\d{1,2}))?)?", text.strip())
    if match is None:
        raise UserError(f"{option} {text}: write a year, a month or a day, as 1900, 1900-05 or 1900-05-31.")
    year, month, day = (int(part) if part else None for part in match.groups())
    try:
        if day is not None:
            return date(year or 0, month or 0, day)
        if not end:
            return date(year or 0, month or 1, 1)
        after = date(year or 0, 12, 31) if month in (None, 12) else date(year or 0, (month or 0) + 1, 1) - timedelta(days=1)
        return after
    except ValueError as error:
        raise UserError(f"{option} {text}: there is no such day: {error}.") from None


def when_json(shown: list[Window], total: int, zone: tzinfo, spot: Spot) -> dict[str, Any]:
    """``when --json``: tz, total, and the spans with start, end and what they have."""
    return {
        "schema": SCHEMA,
        "tz": str(zone),
        "place": {"name": spot.name, "longitude": spot.longitude, "latitude": spot.latitude},
        "total": total,
        "windows": [
            {"start": w.start.isoformat(), "end": w.end.isoformat(), **w.pillars(), "offset": w.offset}
            for w in shown
        ],
    }


def when_lines(shown: list[Window], total: int, words: Words) -> list[str]:
    """A line for each span, and how many there are."""
    rows = [
        [
            w.start.isoformat(sep=" "), "–", w.end.isoformat(sep=" "),
            *(w.pillars()[k] or "" for k in ("year", "month", "day", "hour")),
            f"{words.ui('month_general')} {w.month_general}" if w.month_general else "",
        ]
        for w in shown
    ]  # fmt: skip
    lines = table(rows)
    if len(shown) < total:
        lines.append(f"… {total - len(shown)} {words.ui('more')}")
    lines.append(f"{total} {words.ui('spans_found')}")
    return lines
