"""神煞: the branch of every spirit, or what would decide it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from types import MappingProxyType
from typing import Any

from liuren.facts.chart import Step
from liuren.facts.ganzhi import BRANCHES, decade_head, step
from liuren.facts.tables import Tables

from ..data import KnowledgeData
from ..doctrine import SPIRIT_DEFAULT

_FIRST_MONTH = 2  # 寅


@dataclass(frozen=True, slots=True)
class Basis:
    """What the spirits of one chart are found from; ``None`` is not known."""

    day: str
    month: str | None
    year: str | None
    season: str | None
    opens: str | None
    yesterday: str
    noble_other: str
    month_general: str
    moon: str | None
    growth: Mapping[str, str]


# Basis name to the step ids it rests on and the input that is missing without it.
_RESTS: dict[str, tuple[tuple[str, ...], str]] = {
    "month": (("pillar.month",), "month"),
    "season": (("season",), "month"),
    "year": (("pillar.year",), "year"),
    "day_stem": (("pillar.day",), ""),
    "day_branch": (("pillar.day",), ""),
    "decade": (("decade",), ""),
    "growth": (("growth", "pillar.day"), ""),
    "eve": (("day.opens", "yesterday"), "term"),
    "noble_other": (("noble",), ""),
    "month_general": (("month_general",), ""),
    "moon": (("moon",), "lunar"),
}


def find_spirits(
    data: KnowledgeData, options: Mapping[str, str], basis: Basis
) -> tuple[Mapping[str, str], Mapping[str, tuple[str, ...]], tuple[Step, ...]]:
    """Name to branch, name to the inputs missing, and the steps, in the file's order."""
    found: dict[str, str] = {}
    missing: dict[str, tuple[str, ...]] = {}
    steps = []
    keys = _keys(data.tables, basis)
    for key, spirit in data.spirits.items():
        kind = spirit["basis"]
        rival = options.get(f"spirit.{key}", SPIRIT_DEFAULT)
        value = keys[kind]
        if kind == "growth":
            value = data.tables.stage(basis.growth, basis.day[0], spirit["stage"])
        made = _spirit(data, key, rival, value, basis.yesterday if kind == "eve" else "")
        if made is None:
            continue
        if made.needs:
            missing[spirit["zh"]] = made.needs
        else:
            found[spirit["zh"]] = made.value
        steps.append(made)
    return MappingProxyType(found), MappingProxyType(missing), tuple(steps)


def _keys(tables: Tables, basis: Basis) -> dict[str, str | None]:
    return {
        "month": basis.month,
        "season": basis.season,
        "year": basis.year,
        "day_stem": basis.day[0],
        "day_branch": basis.day[1],
        "decade": decade_head(basis.day),
        "growth": None,
        "eve": basis.opens,
        "noble_other": basis.noble_other,
        "month_general": basis.month_general,
        "moon": basis.moon,
    }


@lru_cache(maxsize=8192)
def _spirit(data: KnowledgeData, key: str, rival: str, value: str | None, eve: str) -> Step | None:
    """The step of one spirit; ``None`` when the day simply has none of it."""
    spirit = data.spirits[key]
    kind = spirit["basis"]
    entry = spirit if rival == SPIRIT_DEFAULT else spirit["rivals"][rival]
    rests, need = _RESTS[kind]
    if "rivals" in spirit:
        rests = (*rests, f"option.spirit.{key}")
    id, method, source = f"spirit.{key}", f"spirit_{kind}", entry["source"]
    if value is None:
        return Step(id, "step", None, method, (), source, (need,))
    if kind == "eve":
        if value not in spirit["terms"]:
            return None
        branch = eve
    elif "table" in entry:
        branch = spirit_table(entry["table"])[value]
    else:
        branch = value
    return Step(id, "step", branch, method, rests, source)


def spirit_table(table: Any) -> dict[str, str]:
    """A table of the file as sign to branch.

    Args:
        table: twelve branches for the months from 寅, or groups of signs (a
            decade's head, a season, 申子辰 …) to a branch.

    Raises:
        ValueError: a table of months has not twelve branches.
    """
    if isinstance(table, str):
        if len(table) != 12:
            raise ValueError(f"{table} is not twelve branches")
        return {step(BRANCHES[_FIRST_MONTH], i): b for i, b in enumerate(table)}
    rows: dict[str, str] = {}
    for signs, branch in table.items():
        # A decade's head is one key of two characters.
        keys = (signs,) if signs[0] == "甲" and signs[1:] in BRANCHES else tuple(signs)
        rows |= dict.fromkeys(keys, branch)
    return rows
