"""A program evaluated on many charts at once, as bit masks.

Bit *i* of a mask speaks of chart *i*.  A condition has two masks: where it
holds, and where it holds or is unknown.  Kleene's logic is then two bitwise
operations, and asking whether one rule fires wherever another does is one.
What a condition means is defined by :mod:`.evaluate`, with which this module
must agree on every chart.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from liuren.facts.chart import Chart
from liuren.facts.points import Point, Unknown, resolve
from liuren.facts.relations import RELATION_STEPS, RELATIONS
from liuren.facts.slots import Answer, read

from .evaluate import Program, Score, tally_truth
from .language.conclusions import Instance, Value, Vote
from .language.conditions import (
    AllOf,
    AnyOf,
    Condition,
    CountOf,
    Fires,
    Not,
    PatternIs,
    Related,
    SlotIs,
    TallyIs,
)

_UNKNOWN = Unknown(())
"""Stands for every unknown: what is missing does not matter to a mask."""


@dataclass(frozen=True, slots=True)
class Mask:
    """Where a condition holds (``yes``), and where it holds or is unknown (``maybe``)."""

    yes: int
    maybe: int

    @property
    def unknown(self) -> int:
        """Where the condition cannot be decided."""
        return self.maybe & ~self.yes


NOWHERE = Mask(0, 0)


def bits(mask: int) -> Iterator[int]:
    """The charts a mask speaks of, in order."""
    at = 0
    while mask:
        low = (mask & -mask).bit_length()
        at += low
        yield at - 1
        mask >>= low


def mask_of(indices: Iterable[int], size: int) -> int:
    """The mask of *indices* among *size* charts."""
    raw = bytearray(size // 8 + 1)
    for i in indices:
        raw[i >> 3] |= 1 << (i & 7)
    return int.from_bytes(raw, "little")


class Field:
    """Charts of one doctrine, and what was found on them, shared by programs."""

    def __init__(self, charts: Sequence[Chart]) -> None:
        """*charts* are all cast under one doctrine; nothing is computed yet."""
        self.charts = tuple(charts)
        self.full = (1 << len(self.charts)) - 1
        self._signs: dict[str, dict[Answer, int]] = {}
        self._answers: dict[tuple[str, str], dict[Answer, int]] = {}
        self._atoms: dict[str, Mask] = {}
        self._offsets: dict[Answer, int] | None = None

    def _group(self, values: Iterable[Answer]) -> dict[Answer, int]:
        """Value to the charts that have it; every unknown is one value."""
        found: dict[Answer, list[int]] = {}
        for i, value in enumerate(values):
            found.setdefault(_UNKNOWN if isinstance(value, Unknown) else value, []).append(i)
        return {value: mask_of(at, len(self.charts)) for value, at in found.items()}

    def signs(self, point: Point) -> Mapping[Answer, int]:
        """Sign of *point* to the charts where it denotes that."""
        if point.text not in self._signs:
            self._signs[point.text] = self._group(resolve(point, c) for c in self.charts)
        return self._signs[point.text]

    def answers(self, point: Point, slot: str) -> Mapping[Answer, int]:
        """Answer of a slot to the charts where it is that."""
        at = (point.text, slot)
        if at not in self._answers:
            self._answers[at] = self._group(read(point, slot, c) for c in self.charts)
        return self._answers[at]

    def value(self, value: Value) -> Mapping[Answer, int]:
        """A value of a conclusion."""
        if value.point is None:
            return {value.literal: self.full}
        return self.signs(value.point) if value.slot is None else self.answers(value.point, value.slot)

    def atom(self, condition: SlotIs | Related) -> Mask:
        """Where an atom holds."""
        if condition.key not in self._atoms:
            self._atoms[condition.key] = (
                self._slot(condition) if isinstance(condition, SlotIs) else self._related(condition)
            )
        return self._atoms[condition.key]

    def _slot(self, condition: SlotIs) -> Mask:
        yes = unknown = 0
        for answer, where in self.answers(condition.point, condition.slot).items():
            if isinstance(answer, Unknown):
                unknown |= where
            elif isinstance(answer, tuple):
                yes |= where if any(a in condition.values for a in answer) else 0
            elif answer in condition.values:
                yes |= where
        return Mask(yes, yes | unknown)

    def _related(self, condition: Related) -> Mask:
        yes = maybe = 0
        rests = {s for r in condition.relations for s in RELATION_STEPS.get(r, ())}
        boards = list(self._by_offset().values()) if "plate" in rests else [self.full]
        for left, here in self.signs(condition.point).items():
            for other in condition.others:
                for right, there in self.signs(other).items():
                    both = here & there
                    if not both:
                        continue
                    if isinstance(left, Unknown) or isinstance(right, Unknown):
                        maybe |= both
                    elif left is not None and right is not None:
                        for board in boards:
                            if (part := both & board) and self._bear(condition, left, right, part):
                                yes |= part
        return Mask(yes, yes | maybe)

    def _bear(self, condition: Related, left: Answer, right: Answer, where: int) -> bool:
        chart = self.charts[next(bits(where))]
        return any(RELATIONS[r](chart, str(left), str(right)) for r in condition.relations)

    def _by_offset(self) -> Mapping[Answer, int]:
        if self._offsets is None:
            self._offsets = self._group(c.offset for c in self.charts)
        return self._offsets


class Sweep:
    """The truth of conditions and rules of one program on all charts of a field."""

    def __init__(self, program: Program, field: Field) -> None:
        """Prepare; nothing is evaluated until it is asked for."""
        self.program = program
        self.field = field
        self._truth: dict[str, Mask] = {}
        self._tallies: dict[str, list[_Tally]] = {}

    def instance(self, instance: Instance) -> Mask:
        """Where a rule instance holds."""
        return self.truth(instance.when)

    def rule(self, id: str) -> Mask:
        """Where some instance of the rule holds."""
        return self._any(self.instance(i) for i in self.program.rules[id].instances)

    def truth(self, condition: Condition) -> Mask:
        """Where *condition* holds, and where it holds or is unknown."""
        if condition.key not in self._truth:
            self._truth[condition.key] = self._evaluate(condition)
        return self._truth[condition.key]

    def _evaluate(self, condition: Condition) -> Mask:
        match condition:
            case SlotIs() | Related():
                return self.field.atom(condition)
            case AllOf(items=items):
                return self._all(self.truth(i) for i in items)
            case AnyOf(items=items):
                return self._any(self.truth(i) for i in items)
            case Not(item=item):
                inner, full = self.truth(item), self.field.full
                return Mask(full & ~inner.maybe, full & ~inner.yes)
            case CountOf():
                return self._count(condition)
            case PatternIs(name=name, of=of):
                made = self.program.patterns.get(name, ())
                return self._any(self.instance(i) for i, at in made if of is None or at == of)
            case Fires(rule=rule):
                return self.rule(rule) if rule in self.program.rules else NOWHERE
            case TallyIs():
                return self._tally(condition)

    def _all(self, masks: Iterable[Mask]) -> Mask:
        yes = maybe = self.field.full
        for mask in masks:
            yes &= mask.yes
            maybe &= mask.maybe
        return Mask(yes, maybe)

    def _any(self, masks: Iterable[Mask]) -> Mask:
        yes = maybe = 0
        for mask in masks:
            yes |= mask.yes
            maybe |= mask.maybe
        return Mask(yes, maybe)

    def _count(self, condition: CountOf) -> Mask:
        members = [self.truth(m) for m in condition.members]
        sure = at_least([m.yes for m in members], self.field.full)
        possible = at_least([m.maybe for m in members], self.field.full)
        beyond = len(members) + 1
        low, high = condition.low, condition.high
        over = sure[high + 1] if high + 1 < beyond else 0
        may_over = possible[high + 1] if high + 1 < beyond else 0
        yes = sure[low] & ~may_over
        no = over | (self.field.full & ~possible[low])
        return Mask(yes, self.field.full & ~no)

    # --- tallies ------------------------------------------------------------

    def tally(self, name: str) -> Sequence[_Tally]:
        """For each chart, side to its score, and the votes whose side is unknown."""
        if name not in self._tallies:
            votes = self.program.votes.get(name, ())
            columns = [self._contributions(i, v) for i, v in votes]
            named = [str(v.side.literal) for _, v in votes if v.side.point is None]
            known: dict[tuple[_Given, ...], _Tally] = {}
            rows: Iterable[tuple[_Given, ...]] = zip(*columns, strict=True) if columns else [()] * len(self.field.charts)
            scores = []
            for row in rows:
                if row not in known:
                    known[row] = _add_up(row, named)
                scores.append(known[row])
            self._tallies[name] = scores
        return self._tallies[name]

    def _contributions(self, instance: Instance, vote: Vote) -> list[_Given]:
        """What one vote gives on each chart: (side, sure, possible), or ``None``."""
        truth = self.instance(instance)
        given: list[_Given] = [None] * len(self.field.charts)
        for side, where in self.field.value(vote.side).items():
            if side is None:
                continue
            name = None if isinstance(side, Unknown) else str(side)
            for sure, mask in ((vote.weight, truth.yes), (0, truth.unknown)):
                for i in bits(mask & where):
                    given[i] = (name, sure, vote.weight)
        return given

    def _tally(self, condition: TallyIs) -> Mask:
        yes, maybe = [], []
        for i, (scores, unplaced) in enumerate(self.tally(condition.tally)):
            truth = tally_truth(condition, scores, unplaced)
            if truth is not False:
                maybe.append(i)
            if truth is True:
                yes.append(i)
        size = len(self.field.charts)
        return Mask(mask_of(yes, size), mask_of(maybe, size))


_Given = tuple[str | None, int, int] | None
_Tally = tuple[dict[str, Score], int]


def _add_up(row: tuple[_Given, ...], named: Sequence[str]) -> _Tally:
    sides: dict[str, list[int]] = {side: [0, 0] for side in named}
    anywhere = 0
    for given in row:
        if given is None:
            continue
        side, sure, possible = given
        if side is None:
            anywhere += possible
            continue
        score = sides.setdefault(side, [0, 0])
        score[0] += sure
        score[1] += possible
    return {side: Score(sure, most + anywhere) for side, (sure, most) in sides.items()}, anywhere


def at_least(masks: Sequence[int], full: int) -> list[int]:
    """For each number from 0 to all: where at least so many of *masks* hold."""
    reached = [full, *([0] * len(masks))]
    for n, mask in enumerate(masks, 1):
        for k in range(n, 0, -1):
            reached[k] |= reached[k - 1] & mask
    return reached
