"""The syntax tree of conclusions, and the rule with its instances."""

from __future__ import annotations

from dataclasses import dataclass

from liuren.facts.points import Point

from .conditions import Condition


@dataclass(frozen=True, slots=True)
class Value:
    """A value to be computed: a point, a slot of a point, or a plain literal."""

    point: Point | None = None
    slot: str | None = None
    literal: str | int | None = None

    def __str__(self) -> str:
        if self.point is None:
            return str(self.literal)
        return f"{self.point}.{self.slot}" if self.slot else str(self.point)


@dataclass(frozen=True, slots=True)
class Pattern:
    """The named pattern is present, of a point if *of* is given."""

    name: str
    of: str | None = None


@dataclass(frozen=True, slots=True)
class Vote:
    """*weight* votes in *tally* for a side, named or computed."""

    tally: str
    side: Value
    weight: int = 1


@dataclass(frozen=True, slots=True)
class Measure:
    """Something computed: *fields* are (name, value) pairs in the rule's order."""

    id: str
    name: str
    fields: tuple[tuple[str, Value], ...]
    topics: tuple[str, ...]
    of: str | None = None
    en: str = ""
    ko: str = ""


@dataclass(frozen=True, slots=True)
class Verdict:
    """What the clause says of a topic."""

    id: str
    topics: tuple[str, ...]
    polarity: str
    en: str
    ko: str
    of: str | None = None


@dataclass(frozen=True, slots=True)
class Modifier:
    """Acts on other conclusions: *kind* is strengthens, weakens, reverses,
    cancels, replaces or outranks; *targets* are globs over whole rule ids or
    ``pattern:NAME``."""

    id: str
    kind: str
    targets: tuple[str, ...]
    topics: tuple[str, ...] = ()
    polarity: str | None = None
    of: str | None = None


@dataclass(frozen=True, slots=True)
class Role:
    """A point stands for someone or something in questions on the topics."""

    id: str
    topics: tuple[str, ...]
    point: Point
    zh: str
    en: str
    ko: str


Judged = Verdict | Measure | Modifier | Role
"""Conclusions that modifiers can act on and that therefore have a standing."""

Conclusion = Pattern | Vote | Measure | Verdict | Modifier | Role


@dataclass(frozen=True, slots=True)
class Instance:
    """One choice of a rule's variables: what experta runs as one production.

    ``id`` is the rule id, with ``@point`` (or ``@a,b``) for an ``each`` rule.
    """

    id: str
    rule: str
    of: tuple[str, ...]
    when: Condition
    conclusions: tuple[Conclusion, ...]


@dataclass(frozen=True, slots=True)
class Rule:
    """A clause written as a rule.

    Attributes:
        id: passage id, slash, key.
        text, passage: where it belongs.
        quote: at most 16 characters of the edition.
        readings: ``crux=option`` it belongs to (any of them); empty for all.
        note: language code to note.
        file, line: where it is written.
        instances: one for each choice of the variables.
        clause: key of the clause it belongs to (a table row's table, else its own).
    """

    id: str
    text: str
    passage: str
    key: str
    quote: str
    readings: tuple[str, ...]
    note: tuple[tuple[str, str], ...]
    file: str
    line: int
    instances: tuple[Instance, ...]
    clause: str
