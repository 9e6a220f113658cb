"""神煞: the branch of every spirit, or what would decide it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from itertools import groupby
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
    year_stem: str | None
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
    "year_stem": (("pillar.year",), "year"),
    "day_stem": (("pillar.day",), ""),
    "day_branch": (("pillar.day",), ""),
    "decade": (("decade",), ""),
    "growth": (("growth", "pillar.day"), ""),
    "eve": (("day.opens", "yesterday"), "term"),
    "noble_other": (("noble",), ""),
    "month_general": (("month_general",), ""),
    "moon": (("moon",), "lunar"),
}

Members = tuple[tuple[str, str], ...]
"""Spirits of one basis that stand together in the file: key and the rival chosen."""


@dataclass(frozen=True, slots=True)
class _Part:
    """What some spirits of one basis come to: name to branch, name to needs, steps."""

    found: dict[str, str]
    missing: dict[str, tuple[str, ...]]
    steps: tuple[Step, ...]


def find_spirits(
    data: KnowledgeData, options: Mapping[str, str], basis: Basis
) -> tuple[Mapping[str, str], Mapping[str, tuple[str, ...]], tuple[Step, ...]]:
    """Name to branch, name to the inputs missing, and the steps, in the file's order."""
    found: dict[str, str] = {}
    missing: dict[str, tuple[str, ...]] = {}
    steps: list[Step] = []
    keys = _keys(basis)
    chosen = tuple(options.get(name, SPIRIT_DEFAULT) for name in _rival_options(data))
    for kind, members in _runs(data, chosen):
        part = _part(data, kind, members, keys[kind])
        found |= part.found
        missing |= part.missing
        steps += part.steps
    return MappingProxyType(found), MappingProxyType(missing), tuple(steps)


def spirit_entry(data: KnowledgeData, key: str, rival: str) -> dict[str, Any]:
    """The entry that finds the spirit *key*: its own, or a rival's over it."""
    spirit = data.spirits[key]
    entry: dict[str, Any] = spirit if rival == SPIRIT_DEFAULT else spirit | spirit["rivals"][rival]
    return entry


@lru_cache(maxsize=8)
def _rival_options(data: KnowledgeData) -> tuple[str, ...]:
    return tuple(f"spirit.{key}" for key, spirit in data.spirits.items() if "rivals" in spirit)


@lru_cache(maxsize=64)
def _runs(data: KnowledgeData, chosen: tuple[str, ...]) -> tuple[tuple[str, Members], ...]:
    """The spirits in the file's order, those of one basis that follow each other together."""
    rival_of = dict(zip(_rival_options(data), chosen, strict=True))
    pairs = [(key, rival_of.get(f"spirit.{key}", SPIRIT_DEFAULT)) for key in data.spirits]
    runs = groupby(pairs, key=lambda pair: str(spirit_entry(data, *pair)["basis"]))
    return tuple((kind, tuple(members)) for kind, members in runs)


def _keys(basis: Basis) -> dict[str, Any]:
    """Basis name to the hashable value its tables are entered with; ``None`` is not known."""
    return {
        "month": basis.month,
        "season": basis.season,
        "year": basis.year,
        "year_stem": basis.year_stem,
        "day_stem": basis.day[0],
        "day_branch": basis.day[1],
        "decade": decade_head(basis.day),
        "growth": (basis.day[0], tuple(basis.growth.items())),
        "eve": None if basis.opens is None else (basis.opens, basis.yesterday),
        "noble_other": basis.noble_other,
        "month_general": basis.month_general,
        "moon": basis.moon,
    }


@lru_cache(maxsize=4096)
def _part(data: KnowledgeData, kind: str, members: Members, value: Any) -> _Part:
    part: tuple[dict[str, str], dict[str, tuple[str, ...]], list[Step]] = ({}, {}, [])
    found, missing, steps = part
    rests, need = _RESTS[kind]
    for key, rival in members:
        entry = spirit_entry(data, key, rival)
        chosen = (f"option.spirit.{key}",) if "rivals" in entry else ()
        id, method, source = f"spirit.{key}", f"spirit_{kind}", entry["source"]
        if value is None:
            missing[entry["zh"]] = (need,)
            steps.append(Step(id, "step", None, method, (), source, (need,)))
            continue
        branch = branch_of(data.tables, entry, value)
        # On most days there is no spirit of an eve at all.
        if branch is not None:
            found[entry["zh"]] = branch
            steps.append(Step(id, "step", branch, method, (*rests, *chosen), source))
    return _Part(found, missing, tuple(steps))


def branch_of(tables: Tables, entry: Mapping[str, Any], value: Any) -> str | None:
    """The branch of a spirit; ``None`` when there is none of it.

    Args:
        tables: for the stages of life.
        entry: an entry of the file, see :func:`spirit_entry`.
        value: what its table is entered with, as :func:`_keys` gives it.
    """
    kind = entry["basis"]
    if kind == "growth":
        stem, growth = value
        return tables.stage(dict(growth), stem, entry["stage"])
    if kind == "eve":
        opens, yesterday = value
        return str(yesterday) if opens in entry["terms"] else None
    return spirit_table(entry["table"])[value] if "table" in entry else str(value)


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
