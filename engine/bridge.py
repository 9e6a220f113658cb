"""Between the levels: what experta cannot say of itself.

Absence, counting and tallies are statements about what is *not* there, and
only true once everything that could change them has fired.  The bridge reads
the working memory (not the chart, and not the evaluator) and declares them as
facts, each with the members it rests on.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from liuren.engine.language.conclusions import Instance
from liuren.engine.language.conditions import (
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

from .compile import Compiled, SeatInfo
from .evaluate import Score, Truth, all_, any_, not_, tally_truth

_MISSING = object()


@dataclass(frozen=True, slots=True)
class CastVote:
    """A vote that was cast: by which instance, for which side, how heavy.

    ``sure`` is false when the instance or the side is not decided.
    """

    instance: str
    side: str | None
    weight: int
    sure: bool


@dataclass(frozen=True, slots=True)
class Bridged:
    """A fact the bridge declares: its value and the seats it rests on."""

    value: bool
    members: tuple[str, ...]


class Bridge:
    """Reads one run's working memory.

    Args:
        compiled: the program.
        memory: seat key to the declared value.
        fired: ids of the instances that have fired.
        sides: computed sides of votes, ``(instance, index)`` to side, ``None``
            for no side; absent when unknown.
    """

    def __init__(
        self,
        compiled: Compiled,
        memory: Mapping[str, Any],
        fired: Mapping[str, Any],
        sides: Mapping[tuple[str, str], str | None],
    ) -> None:
        """Look at a run; nothing is computed yet."""
        self.compiled = compiled
        self.memory = memory
        self.fired = fired
        self.sides = sides
        self._decided: dict[str, Truth] = {}
        self._votes: dict[str, list[CastVote]] = {}

    def refresh(self) -> None:
        """Look anew: call when rules have fired since.

        Between two firings nothing that the bridge reads can change, so what was
        decided once is kept until then.
        """
        self._decided.clear()
        self._votes.clear()

    def settle(self, seat: SeatInfo) -> Bridged | None:
        """The fact for a bridge seat, or ``None`` when it is unknown or not so."""
        condition = seat.condition
        assert condition is not None
        if seat.kind == "absence":
            truth = self.holds(condition)
            return Bridged(True, tuple(self._producers(condition))) if truth is False else None
        truth = self.holds(condition)
        if truth is None:
            return None
        return Bridged(truth, tuple(self._members(condition)))

    def _members(self, condition: Condition) -> list[str]:
        """Keys of what a count or tally rests on: the members that decide it."""
        if isinstance(condition, CountOf):
            keys: dict[str, None] = {}
            for member in condition.members:
                keys.update(dict.fromkeys(self._keys(member)))
            return [k for k in keys if k in self.memory]
        assert isinstance(condition, TallyIs)
        return [f"fires {v.instance}" for v in self.votes(condition.tally) if v.sure]

    def _keys(self, condition: Condition) -> list[str]:
        match condition:
            case SlotIs(point=point, slot=slot):
                return [f"{point}.{slot}"]
            case AllOf(items=items) | AnyOf(items=items) | CountOf(members=items):
                return [k for i in items for k in self._keys(i)]
            case Not(item=item):
                return self._keys(item)
            case _:
                return [condition.key]

    def _producers(self, condition: Condition) -> list[str]:
        return [i.id for i in self._made_by(condition)]

    def _made_by(self, condition: Condition) -> list[Instance]:
        program = self.compiled.program
        match condition:
            case PatternIs(name=name, of=of):
                return [i for i, at in program.patterns.get(name, ()) if of in (None, at)]
            case Fires(rule=rule):
                return list(program.rules[rule].instances) if rule in program.rules else []
        return []

    # --- three-valued reading of the working memory -----------------------------

    def decided(self, instance: Instance) -> Truth:
        """Whether an instance fired, cannot fire, or waits for an input.

        Raises:
            RuntimeError: all conditions hold and it did not fire (a fault of
                the compiler, never of the rules).
        """
        if instance.id in self.fired:
            return True
        if instance.id not in self._decided:
            truth = self.holds(instance.when)
            if truth is True:
                raise RuntimeError(f"{instance.id} holds on the working memory but did not fire")
            self._decided[instance.id] = truth
        return self._decided[instance.id]

    def holds(self, condition: Condition) -> Truth:
        """A condition read off the working memory."""
        match condition:
            case SlotIs(point=point, slot=slot, values=values):
                found = self.memory.get(f"{point}.{slot}", _MISSING)
                if found is _MISSING:
                    return None
                many = found if isinstance(found, tuple) else (found,)
                return any(v in values for v in many)
            case Related():
                found = self.memory.get(condition.key, _MISSING)
                return None if found is _MISSING else bool(found)
            case AllOf(items=items):
                return all_(self.holds(i) for i in items)
            case AnyOf(items=items):
                return any_(self.holds(i) for i in items)
            case Not(item=item):
                return not_(self.holds(item))
            case CountOf(members=members, low=low, high=high):
                truths = [self.holds(m) for m in members]
                sure, open_ = truths.count(True), truths.count(None)
                if low <= sure and sure + open_ <= high:
                    return True
                return False if sure > high or sure + open_ < low else None
            case PatternIs() | Fires():
                return any_(self.decided(i) for i in self._made_by(condition))
            case TallyIs():
                return self._tally(condition)

    def votes(self, tally: str) -> list[CastVote]:
        """The votes cast or still possible in *tally*, in the order of the rules."""
        if tally not in self._votes:
            self._votes[tally] = self._cast(tally)
        return self._votes[tally]

    def _cast(self, tally: str) -> list[CastVote]:
        found = []
        for instance, vote in self.compiled.program.votes.get(tally, ()):
            truth = self.decided(instance)
            if truth is False:
                continue
            at = (instance.id, str(vote.side))
            known = vote.side.point is None or at in self.sides
            side = str(vote.side.literal) if vote.side.point is None else self.sides.get(at)
            if known and side is None:
                continue
            found.append(CastVote(instance.id, side, vote.weight, truth is True and known))
        return found

    def scores(self, tally: str) -> dict[str, Score]:
        """Side to the sure and the possible votes."""
        votes = self.votes(tally)
        names = [
            str(v.side.literal)
            for _, v in self.compiled.program.votes.get(tally, ())
            if v.side.point is None
        ]
        names += [v.side for v in votes if v.side is not None]
        anywhere = sum(v.weight for v in votes if v.side is None)
        return {
            side: Score(
                sum(v.weight for v in votes if v.side == side and v.sure),
                sum(v.weight for v in votes if v.side == side) + anywhere,
            )
            for side in dict.fromkeys(names)
        }

    def _tally(self, condition: TallyIs) -> Truth:
        unplaced = sum(v.weight for v in self.votes(condition.tally) if v.side is None)
        return tally_truth(condition, self.scores(condition.tally), unplaced)
