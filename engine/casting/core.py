"""Plate, lessons and transmissions of a day: the part that only the doctrine changes.

Everything here is a function of day, offset and a few options, so it is
computed once for each and kept with the steps that made it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from types import MappingProxyType

from liuren.facts.chart import Method, Step

from ..data import KnowledgeData
from .board import LESSONS, Board, Derivation
from .nine import derive
from .plate import Foot, four_lessons
from .steps import Ledger

OPTIONS = (
    "shehai", "shehai_tie", "repeated", "fuyin", "bieze", "bazhuan", "duzu", "jinglan", "heads",
)  # fmt: skip
_LESSON_METHODS = (
    "lesson_stem", "lesson_stem_shadow", "lesson_branch", "lesson_branch_shadow",
)  # fmt: skip
_LESSON_INPUTS = (
    ("lodging", "plate"), ("lesson1", "plate"), ("pillar.day", "plate"), ("lesson3", "plate"),
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Core:
    """The lessons, the method, the transmissions and their steps."""

    feet: tuple[Foot, Foot, Foot, Foot]
    method: Method
    branches: tuple[str, str, str]
    steps: tuple[Step, ...]


@lru_cache(maxsize=4096)
def core(
    data: KnowledgeData, day: str, offset: int, choices: tuple[str, ...], annual: str | None
) -> Core:
    """Lodging, lessons and transmissions of *day* on the plate of *offset*.

    Args:
        data: the knowledge base.
        day: ganzhi of the day.
        offset: 0-11, heaven branch less earth branch.
        choices: the values of :data:`OPTIONS`, in that order.
        annual: branch of the asker's 行年 where ``duzu`` looks at it, else ``None``.
    """
    options = MappingProxyType(dict(zip(OPTIONS, choices, strict=True)))
    feet = four_lessons(data.tables, day, offset)
    made = derive(Board(data.tables, day, offset, feet, options, annual))
    method = name_method(data, options["heads"], made)
    log = Ledger(data)
    log.add("lodging", data.tables.lodging[day[0]], "lodging", ("pillar.day",))
    for id, foot, how, inputs in zip(LESSONS, feet, _LESSON_METHODS, _LESSON_INPUTS, strict=True):
        lesson = {"lower": foot.lower, "upper": foot.upper, "relation": foot.relation}
        log.add(id, lesson, how, inputs)
    for note in made.found.notes:
        log.add(note.id, note.value, note.method, note.inputs)
    named = {
        "name": method.name,
        "head": method.head,
        "heads": list(method.heads),
        "lesson": method.lesson,
    }
    log.add("method", named, "name_method", (made.found.notes[-1].id, "plate", "option.heads"))
    for id, branch, (how, uses) in zip(
        ("initial", "middle", "final"), made.branches, made.ways, strict=True
    ):
        log.add(id, branch, how, ("method", *uses) if id == "initial" else uses)
    return Core(feet, method, made.branches, log.done())


def name_method(data: KnowledgeData, school: str, made: Derivation) -> Method:
    """The method with the names of its case: the school's own first, then the others'."""
    names: dict[str, None] = {}
    for case in (made.found.case, made.found.inner):
        if case is None:
            continue
        entry: Mapping[str, str] = data.heads[case]
        names[entry[school]] = None
        names |= {v: None for k, v in entry.items() if k not in (school, "also")}
        names |= dict.fromkeys(entry.get("also", ()))
    heads = tuple(names)
    return Method(made.method, heads[0], heads, made.found.lesson)
