"""``liuren calendar``: what the calendar holds, and where calendars differ."""

from __future__ import annotations

from datetime import date
from typing import Any

import click
from liuren.engine.calendar.inputs import check_span
from liuren.engine.calendar.meridians import Difference, Month
from liuren.engine.calendar.meridians import differences as find_differences

from .layout import table
from .options import common_options, load
from .whenis import read_day
from .words import Words

SCHEMA = "liuren.calendar-differences/1"
MERIDIANS = ("china", "korea")


@click.command()
@common_options
@click.option("--from", "first", required=True, metavar="DATE", help="The first day; 1900 or 1900-05 is its first.")
@click.option("--to", "last", required=True, metavar="DATE", help="The last day, included; 2050 or 2050-05 is its last.")
def differences(kb_dir: str | None, lang: str, as_json: bool, first: str, last: str) -> None:
    """List the lunar months that China and Korea begin or number differently.

    A new moon that falls between 23:00 and midnight in China falls on the next day in
    Korea; and now and then the leap month stands elsewhere.
    """
    from .cli import emit, emit_json

    _, words = load(kb_dir, lang)
    span = read_day(first, "--from", end=False), read_day(last, "--to", end=True)
    found = list_differences(*span)
    if as_json:
        emit_json(differences_json(found, *span))
    else:
        emit(differences_lines(found, words))


def list_differences(first: date, last: date) -> list[Difference]:
    """Every lunation on which the calendars of China and Korea part.

    Raises:
        UserError: the days are out of order or outside the calendar.
    """
    check_span(first, last)
    return list(find_differences(first, last, *MERIDIANS))


def differences_json(found: list[Difference], first: date, last: date) -> dict[str, Any]:
    """``calendar differences --json``: the span, total, and the months of each meridian.

    Each has the month as *china* and as *korea* have it (begins, month, leap, length) and the
    days that are dated differently, *first* to *last*.
    """

    def month(m: Month) -> dict[str, Any]:
        return {"begins": m.begins.isoformat(), "month": m.month, "leap": m.leap, "length": m.length}

    return {
        "schema": SCHEMA,
        "from": first.isoformat(),
        "to": last.isoformat(),
        "total": len(found),
        "months": [
            {"china": month(d.one), "korea": month(d.other), "first": d.first.isoformat(), "last": d.last.isoformat()}
            for d in found
        ],
    }


def differences_lines(found: list[Difference], words: Words) -> list[str]:
    """A line for each month, under a head, and how many there are."""

    def name(m: Month) -> str:
        return f"{words.ui('leap')} {m.month}" if m.leap else str(m.month)

    china, korea, month = words.ui("meridian_china"), words.ui("meridian_korea"), words.ui("lunar_month")
    rows = [[china, month, korea, month]]
    rows += [[d.one.begins.isoformat(), name(d.one), d.other.begins.isoformat(), name(d.other)] for d in found]
    return [*table(rows), f"{len(found)} {words.ui('months_found')}"]
