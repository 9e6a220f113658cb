"""The syntax tree of conditions.

Every node has a ``key``: its canonical spelling, which is its identity.  Two
rules that test the same thing share one key and so one evaluation and one fact.
Nodes are immutable.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from liuren.facts.points import Point


@dataclass(frozen=True, slots=True)
class SlotIs:
    """The answer of *slot* at *point* is one of *values*."""

    point: Point
    slot: str
    values: tuple[object, ...]
    key: str = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(
            self, "key", f"{self.point}.{self.slot}={'|'.join(map(_spell, self.values))}"
        )


@dataclass(frozen=True, slots=True)
class Related:
    """One of *relations* holds between *point* and one of *others*."""

    point: Point
    relations: tuple[str, ...]
    others: tuple[Point, ...]
    key: str = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(
            self,
            "key",
            f"{self.point} {'|'.join(self.relations)} {'|'.join(map(str, self.others))}",
        )


@dataclass(frozen=True, slots=True)
class PatternIs:
    """The text concluded pattern *name*, of point *of* if given."""

    name: str
    of: str | None
    key: str = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(
            self, "key", f"pattern {self.name}" + (f" of {self.of}" if self.of else "")
        )


@dataclass(frozen=True, slots=True)
class Fires:
    """Some instance of the rule with this whole id holds."""

    rule: str
    key: str = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "key", f"fires {self.rule}")


@dataclass(frozen=True, slots=True)
class TallyIs:
    """A comparison of the votes for *side* of *tally*.

    ``op`` is ``=``, ``>``, ``>=``, ``<``, ``<=`` with an ``int`` or the name of
    another side as *operand*; or ``most``: strictly more than every other side.
    """

    tally: str
    side: str
    op: str
    operand: int | str
    key: str = field(init=False)

    def __post_init__(self) -> None:
        what = "most" if self.op == "most" else f"{self.op} {self.operand}"
        object.__setattr__(self, "key", f"tally {self.tally}: {self.side} {what}")


@dataclass(frozen=True, slots=True)
class CountOf:
    """Between *low* and *high* of the members hold.

    ``names`` are the points, one for each member; ``word`` is how the rule put
    it (some, none, every, count).
    """

    word: str
    names: tuple[str, ...]
    members: tuple[Condition, ...]
    low: int
    high: int
    key: str = field(init=False)

    def __post_init__(self) -> None:
        inner = "; ".join(m.key for m in self.members)
        object.__setattr__(self, "key", f"{self.low}-{self.high} of [{inner}]")


@dataclass(frozen=True, slots=True)
class AllOf:
    """Every item holds; with no items, always."""

    items: tuple[Condition, ...]
    key: str = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "key", "(" + " & ".join(i.key for i in self.items) + ")")


@dataclass(frozen=True, slots=True)
class AnyOf:
    """At least one item holds."""

    items: tuple[Condition, ...]
    key: str = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "key", "(" + " / ".join(i.key for i in self.items) + ")")


@dataclass(frozen=True, slots=True)
class Not:
    """The item does not hold."""

    item: Condition
    key: str = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "key", f"not {self.item.key}")


Condition = SlotIs | Related | PatternIs | Fires | TallyIs | CountOf | AllOf | AnyOf | Not
ALWAYS = AllOf(())


def atoms(condition: Condition) -> Iterator[SlotIs | Related]:
    """The atoms on the chart that *condition* reads, left to right."""
    for node in nodes(condition):
        if isinstance(node, SlotIs | Related):
            yield node


def nodes(condition: Condition) -> Iterator[Condition]:
    """*condition* and everything below it, depth first."""
    yield condition
    match condition:
        case AllOf(items=items) | AnyOf(items=items):
            for item in items:
                yield from nodes(item)
        case CountOf(members=members):
            for member in members:
                yield from nodes(member)
        case Not(item=item):
            yield from nodes(item)


def flatten(condition: Condition) -> tuple[Condition, ...]:
    """The conjuncts of *condition*: nested ``all`` opened up."""
    if isinstance(condition, AllOf):
        return tuple(part for item in condition.items for part in flatten(item))
    return (condition,)


def negate(condition: Condition) -> Condition:
    """The negation, pushed inward so that only atoms and derived facts stay negated."""
    match condition:
        case Not(item=item):
            return item
        case AllOf(items=items):
            return AnyOf(tuple(negate(i) for i in items))
        case AnyOf(items=items):
            return AllOf(tuple(negate(i) for i in items))
        case CountOf(word=word, names=names, members=members, low=low, high=high):
            below = CountOf(f"not {word}", names, members, 0, low - 1) if low > 0 else None
            above = (
                CountOf(f"not {word}", names, members, high + 1, len(members))
                if high < len(members)
                else None
            )
            if below and above:
                return AnyOf((below, above))
            return below or above or AnyOf(())
        case _:
            return Not(condition)


def normal(condition: Condition) -> Condition:
    """Negation normal form: :class:`Not` stands only over leaves."""
    match condition:
        case Not(item=SlotIs() | Related() | PatternIs() | Fires() | TallyIs()):
            return condition
        case Not(item=item):
            return normal(negate(normal(item)))
        case AllOf(items=items):
            return AllOf(tuple(normal(i) for i in items))
        case AnyOf(items=items):
            return AnyOf(tuple(normal(i) for i in items))
        case CountOf(word=word, names=names, members=members, low=low, high=high):
            return CountOf(word, names, tuple(normal(m) for m in members), low, high)
        case _:
            return condition


def _spell(value: object) -> str:
    if value is True:
        return "true"
    if value is False:
        return "false"
    return str(value)
