"""貴人 and the twelve generals."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import lru_cache
from types import MappingProxyType

from liuren.facts.chart import Noble
from liuren.facts.errors import UserError
from liuren.facts.ganzhi import BRANCH_INDEX, BRANCHES, step
from liuren.facts.tables import Tables

from ..data import KnowledgeData
from ..normalise import normalise

DAY, NIGHT = "晝", "夜"
FORWARD, BACKWARD = "順", "逆"


@lru_cache(maxsize=16)
def noble_table(data: KnowledgeData, school: str) -> Mapping[str, str]:
    """Day stem to the branches of the noble by day and by night, as two characters."""
    rows = data.doctrines["options"]["noble"]["values"][school]["table"]
    return MappingProxyType({stem: pair for stems, pair in rows.items() for stem in stems})


def half_of_day(data: KnowledgeData, school: str, hour: str, told: str | None) -> tuple[str, str]:
    """晝 or 夜, with the method that found it.

    Args:
        data: the knowledge base with the schools.
        school: the value of the option ``day_night``.
        hour: the hour branch.
        told: the half told by the asker or by the calendar, which wins.

    Raises:
        UserError: *told* is neither 晝 nor 夜, or the school goes by the sun and
            nothing was told.
    """
    if told is not None:
        half = normalise(told)
        if half not in (DAY, NIGHT):
            raise UserError(f"Noble {told!r} is neither 晝 (of the day) nor 夜 (of the night).")
        return half, "noble_told"
    hours = data.doctrines["options"]["day_night"]["values"][school].get("day_hours")
    if hours is None:
        raise UserError(
            f"day_night={school} needs a moment and a place, or the noble told as 晝 or 夜."
        )
    return (DAY if hour in hours else NIGHT), "noble_hour"


def find_noble(
    table: Mapping[str, str], stem: str, period: str, offset: int, order: str
) -> Noble:
    """The noble of *stem* in a half of the day on the plate of *offset*.

    Args:
        table: see :func:`noble_table`.
        stem: the day stem.
        period: 晝 or 夜.
        offset: 0-11, heaven branch less earth branch.
        order: the value of the option ``noble_order``, which says which way it leads.
    """
    pair = table[stem]
    branch, other = (pair[0], pair[1]) if period == DAY else (pair[1], pair[0])
    earth = step(branch, -offset)
    return Noble(branch, earth, period, ORDERS[order](earth, period), other)


def by_seat(earth: str, period: str) -> str:
    """順 when the noble stands on 亥子丑寅卯辰, else 逆."""
    # From 亥 on: six places with 亥 first.
    return FORWARD if (BRANCH_INDEX[earth] + 1) % 12 < 6 else BACKWARD


def by_half(earth: str, period: str) -> str:
    """順 by day and 逆 by night, wherever the noble stands."""
    return FORWARD if period == DAY else BACKWARD


ORDERS: dict[str, Callable[[str, str], str]] = {"seat": by_seat, "half": by_half}


def place_generals(tables: Tables, noble: Noble) -> Mapping[str, str]:
    """Heaven branch to general, in branch order."""
    way = 1 if noble.direction == FORWARD else -1
    start = BRANCH_INDEX[noble.branch]
    return MappingProxyType(
        {b: tables.generals[(i - start) * way % 12] for i, b in enumerate(BRANCHES)}
    )
