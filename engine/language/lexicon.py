"""Building the :class:`~.scope.Lexicon` from the closed lists of the knowledge base."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from liuren.facts.points import PointNames
from liuren.facts.slots import RECORD_SLOTS

from .scope import Lexicon

Load = Callable[[str], Any]


def build_lexicon(load: Load) -> Lexicon:
    """Read tables, spirits, classes, told, topics and vocabulary.

    Args:
        load: gives the parsed data of a file by its name without ``.yaml``.
    """
    tables, words, classes = load("tables"), load("vocabulary"), load("classes")
    spirits = load("spirits")["spirits"]
    topics: Mapping[str, Mapping[str, Any]] = load("topics")["topics"]
    return Lexicon(
        points=PointNames(
            generals=frozenset(tables["generals"]),
            spirits=frozenset(str(s["zh"]) for s in spirits.values()),
            roles=frozenset(words["roles"]),
            stages=frozenset(tables["stages"]),
        ),
        groups={name: tuple(g["points"]) for name, g in classes["groups"].items()},
        classes={name: tuple(c["values"]) for name, c in classes["classes"].items()},
        told={name: tuple(t["values"]) for name, t in load("told")["told"].items()},
        topics={name: t.get("under") for name, t in topics.items()},
        aliases={alias: name for name, t in topics.items() for alias in t.get("aka", ())},
        values={
            "<general>": tuple(tables["generals"]),
            "<head>": _heads(load("methods")["heads"]),
            "<term>": tuple(tables["terms"]),
            "<mansion>": tuple(tables["mansions"]["order"]),
        },
        polarities=tuple(words["polarities"]),
        modifiers=tuple(words["modifiers"]),
        units=tuple(words["units"]),
    )


def _heads(heads: Mapping[str, Mapping[str, Any]]) -> tuple[str, ...]:
    """Every name that some school gives a method, and the nine methods' own."""
    names: dict[str, None] = {}
    for school in heads.values():
        for name in school.values():
            names.update(dict.fromkeys(name if isinstance(name, list) else [name]))
    names.update(dict.fromkeys(RECORD_SLOTS["method"]["name"].values))  # type: ignore[arg-type]
    return tuple(names)


def spirit_keys(load: Load) -> dict[str, str]:
    """Spirit name (驛馬) to its ascii key (``yima``), as step ids use it."""
    return {str(s["zh"]): key for key, s in load("spirits")["spirits"].items()}
