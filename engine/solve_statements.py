"""What a broken case still says: statements, and on how much of a chart each rests.

A statement is about the day and the plate, about the hour and the general that made
the plate, about the transmissions, about the generals, or about more than one of
them.  Its **level** says how much of a chart must be settled to test it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from liuren.facts.errors import UserError
from liuren.facts.ganzhi import BRANCH_INDEX, BRANCHES, SIXTY, STEM_INDEX, step

from .cases_expect import expand, point_names
from .cases_given import days_of
from .cases_spell import said
from .language.conditions import (
    AllOf,
    Condition,
    Fires,
    PatternIs,
    SlotIs,
    TallyIs,
    atoms,
    nodes,
)
from .language.parser import parse_conditions
from .language.scope import Scope
from .language.source import Problem
from .library import Library
from .normalise import normalise

LESSON, HOUR, TRANSMISSIONS, GENERALS, WHOLE = range(5)
"""Levels: day and plate; hour and month general; transmissions; generals; all."""

_OF_LESSON = frozenset(
    ["stem", "branch", "lesson1", "lesson2", "lesson3", "lesson4", "over", "under", "shift", "palace", "combine", "clash", "punish", "stage", "virtue", "lord", "hidden", "build1", "day", "chart", "yesterday", "旬首"]
) | frozenset(BRANCHES) | frozenset(STEM_INDEX)  # fmt: skip
_PLACES = frozenset(
    ("initial", "middle", "final", "lesson1", "lesson2", "lesson3", "lesson4", *BRANCHES)
)
_OF_TRANSMISSIONS = frozenset({"initial", "middle", "final", "method"})


@dataclass(frozen=True, slots=True)
class Place:
    """Day, plate and hour of a chart that is tried."""

    day: str
    offset: int
    hour: str

    @property
    def general(self) -> str:
        """The month general that makes the plate at the hour."""
        return step(self.hour, self.offset)


@dataclass(frozen=True, slots=True)
class Statement:
    """One thing that is said.

    Attributes:
        text: the statement in words, as messages show it.
        level: on how much of a chart it rests.
        test: for what is said of day, plate, hour or general.
        condition: for everything else; exactly one of the two is there.
        half: 晝 or 夜 where that is all it says, else "".
        riding: where all it says is that a place carries one of some generals, the
            place and the generals; such a statement needs no chart.
    """

    text: str
    level: int
    test: Callable[[Place], bool] | None = None
    condition: Condition | None = None
    half: str = ""
    riding: tuple[str, tuple[object, ...]] | None = None


def statements(data: Mapping[str, Any], library: Library, where: str = "") -> list[Statement]:
    """The statements of a case file's mapping.

    Args:
        data: ``given`` (``day`` also in part, as 甲?; ``hour month_general month
            offset noble``), ``fragment`` (a list of values for one of them) and
            ``stated``, each as in a worked case (:mod:`.cases`).
        library: the knowledge base.
        where: prefix of messages (a file name), or "".

    Raises:
        UserError: something in it cannot be read or used.
    """
    found: list[Statement] = []
    given = {**(data.get("given") or {}), **(data.get("fragment") or {})}
    for key, value in given.items():
        if value is None or value == "all":
            continue
        if key not in _GIVEN:
            raise UserError(
                f"{where}«{key}» does not help to find a chart; known: {', '.join(_GIVEN)}."
            )
        values = value if isinstance(value, list) else [value]
        found.append(_GIVEN[key]([str(v) for v in values], library))
    stated = data.get("stated") or []
    if not isinstance(stated, list):
        raise UserError(f"{where}`stated` is a list of statements with `expect`.")
    for item in stated:
        if not isinstance(item, Mapping) or "expect" not in item:
            raise UserError(f"{where}«{item}» is no statement; a mapping with `expect` is expected.")
        found.extend(conditions(item["expect"], library, where))
    return found


def conditions(data: object, library: Library, where: str = "") -> Iterator[Statement]:
    """Each condition of *data* (the rule language, with the short forms of a case).

    Raises:
        UserError: it is no condition, or rests on the rules of a text.
    """
    problems: list[Problem] = []
    scope = Scope(library.kb.lexicon, "", "", "", "", problems.append)
    try:
        condition = parse_conditions(expand(_traditional(data)), scope)
    except ValueError as error:
        raise UserError(f"{where}{error}.") from None
    if problems:
        raise UserError(f"{where}{problems[0].message.rstrip('.')}.")
    for part in condition.items if isinstance(condition, AllOf) else (condition,):
        if any(isinstance(n, Fires | PatternIs | TallyIs) for n in nodes(part)):
            raise UserError(f"{where}«{said(part)}» rests on the rules of a text, not on a chart.")
        yield _statement(part, library)


def _traditional(data: object) -> object:
    """*data* with simplified and variant characters as the traditional ones."""
    if isinstance(data, str):
        return normalise(data)
    if isinstance(data, list):
        return [_traditional(item) for item in data]
    if isinstance(data, dict):
        return {normalise(str(key)): _traditional(value) for key, value in data.items()}
    return data


def _statement(condition: Condition, library: Library) -> Statement:
    match condition:
        case SlotIs(point=point, slot="branch", values=values) if str(point) == "hour":
            return Statement(said(condition), HOUR, lambda p: p.hour in values)
        case SlotIs(point=point, slot="branch", values=values) if str(point) == "month_general":
            return Statement(said(condition), HOUR, lambda p: p.general in values)
    level, riding = _level(condition, library), None
    match condition:
        case SlotIs(point=point, slot="general", values=values) if str(point) in _PLACES:
            riding = str(point), values
    return Statement(said(condition), level, condition=condition, riding=riding)


def _level(condition: Condition, library: Library) -> int:
    names = point_names(condition)
    of_generals = {"general", "noble", *library.data.tables.generals}
    riding = names & of_generals or any(
        isinstance(a, SlotIs) and a.slot == "general" for a in atoms(condition)
    )
    rest = names - _OF_LESSON - _OF_TRANSMISSIONS - of_generals
    if rest:
        return WHOLE
    if riding:
        return GENERALS
    return TRANSMISSIONS if names & _OF_TRANSMISSIONS else LESSON


def _day(values: list[str], library: Library) -> Statement:
    days = dict.fromkeys(d for value in values for d in _some_days(normalise(value)))
    return Statement(f"day {' or '.join(values)}", LESSON, lambda p: p.day in days)


def _some_days(value: str) -> tuple[str, ...]:
    if value in ("?", "??"):
        return SIXTY
    return days_of(value.replace("?", "").replace("？", ""))


def _offset(values: list[str], library: Library) -> Statement:
    for value in values:
        if not value.isdigit() or int(value) > 11:
            raise UserError(f"The offset «{value}» is no plate; a number from 0 to 11 is accepted.")
    plates = {int(v) for v in values}
    return Statement(f"offset {' or '.join(values)}", LESSON, lambda p: p.offset in plates)


def _branches(values: list[str], what: str) -> tuple[str, ...]:
    # Of a ganzhi the branch counts: the stem of an hour or month follows from the rest.
    found = tuple(normalise(v)[-1:] for v in values)
    for value, branch in zip(values, found, strict=True):
        if branch not in BRANCH_INDEX:
            raise UserError(f"The {what} «{value}» is no branch; one of {''.join(BRANCHES)} is accepted.")
    return found


def _hour(values: list[str], library: Library) -> Statement:
    hours = _branches(values, "hour")
    return Statement(f"hour {' or '.join(hours)}", HOUR, lambda p: p.hour in hours)


def _general(values: list[str], library: Library) -> Statement:
    generals = _branches(values, "month general")
    return Statement(f"month general {' or '.join(generals)}", HOUR, lambda p: p.general in generals)


def _month(values: list[str], library: Library) -> Statement:
    months, combine = _branches(values, "month"), library.data.tables.branch_combine
    # Before its 中氣 a month still has the general of the month before.
    fits = {combine[b] for m in months for b in (m, step(m, -1))}
    return Statement(f"month {' or '.join(months)}", HOUR, lambda p: p.general in fits)


def _noble(values: list[str], library: Library) -> Statement:
    halves = {"day": "晝", "night": "夜", "晝": "晝", "夜": "夜"}
    if len(values) != 1 or normalise(values[0]) not in halves:
        raise UserError(f"The nobleman «{' '.join(values)}» is neither day nor night.")
    half = halves[normalise(values[0])]
    return Statement(f"nobleman of the {'day' if half == '晝' else 'night'}", GENERALS, half=half)


_GIVEN: Mapping[str, Callable[[list[str], Library], Statement]] = {
    "day": _day, "offset": _offset, "hour": _hour, "month_general": _general,
    "month": _month, "noble": _noble,
}  # fmt: skip
