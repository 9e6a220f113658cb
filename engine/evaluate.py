"""The meaning of a rule: a small three-valued evaluator.

Every condition of every rule has one value on a chart: ``True``, ``False`` or
``None`` (unknown: an input that would decide it was not given).  Each distinct
condition is evaluated once.  Unknown follows Kleene's strong logic; a count is
known as soon as the unknown members cannot change it.

This module is the definition.  The readings run on experta
(:mod:`liuren.engine.inference`), which must agree with it on every chart.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from liuren.engine.language.conclusions import Instance, Pattern, Rule, Value, Vote
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
from liuren.facts.chart import Chart
from liuren.facts.points import Point, Unknown, resolve
from liuren.facts.points import Value as Sign
from liuren.facts.relations import RELATIONS
from liuren.facts.slots import Answer, read

Truth = bool | None


@dataclass(frozen=True, slots=True)
class Program:
    """The rules of one text that are awake, indexed for evaluation.

    Attributes:
        text: id of the text.
        rules: the rules, by id, in the order of the knowledge base.
        instances: all instances, in order of level, then of the knowledge base.
        level: instance id to level.
        patterns: pattern name to (instance, of) pairs that can conclude it.
        votes: tally to (instance, vote) pairs.
    """

    text: str
    rules: Mapping[str, Rule]
    instances: tuple[Instance, ...]
    level: Mapping[str, int]
    patterns: Mapping[str, tuple[tuple[Instance, str | None], ...]]
    votes: Mapping[str, tuple[tuple[Instance, Vote], ...]]

    @classmethod
    def of(cls, text: str, rules: Iterable[Rule], levels: Mapping[str, int]) -> Program:
        """Index *rules* (all of one text)."""
        kept = {r.id: r for r in rules}
        ordered = sorted(kept.values(), key=lambda r: levels[r.id])  # stable within a level
        instances = tuple(i for r in ordered for i in r.instances)
        patterns: dict[str, list[tuple[Instance, str | None]]] = {}
        votes: dict[str, list[tuple[Instance, Vote]]] = {}
        for instance in instances:
            for conclusion in instance.conclusions:
                if isinstance(conclusion, Pattern):
                    patterns.setdefault(conclusion.name, []).append((instance, conclusion.of))
                elif isinstance(conclusion, Vote):
                    votes.setdefault(conclusion.tally, []).append((instance, conclusion))
        return cls(
            text=text,
            rules=kept,
            instances=instances,
            level={i.id: levels[i.rule] for i in instances},
            patterns={k: tuple(v) for k, v in patterns.items()},
            votes={k: tuple(v) for k, v in votes.items()},
        )


@dataclass(frozen=True, slots=True)
class Score:
    """The votes for one side: certain ones, and how many more are possible."""

    sure: int
    possible: int


class Evaluation:
    """The truth of conditions and rules of one program on one chart."""

    def __init__(self, program: Program, chart: Chart) -> None:
        """Prepare; nothing is evaluated until it is asked for."""
        self.program = program
        self.chart = chart
        self._truth: dict[str, Truth] = {}
        self._signs: dict[str, Sign] = {}
        self._answers: dict[tuple[str, str], Answer] = {}
        self._tallies: dict[str, dict[str, Score]] = {}
        self._unplaced: dict[str, int] = {}

    # --- values -------------------------------------------------------------

    def sign(self, point: Point) -> Sign:
        """The sign a point denotes, computed once."""
        if point.text not in self._signs:
            self._signs[point.text] = resolve(point, self.chart)
        return self._signs[point.text]

    def answer(self, point: Point, slot: str) -> Answer:
        """The answer of a slot, computed once."""
        at = (point.text, slot)
        if at not in self._answers:
            self._answers[at] = read(point, slot, self.chart)
        return self._answers[at]

    def value(self, value: Value) -> Answer:
        """A value of a conclusion."""
        if value.point is None:
            return value.literal
        if value.slot is None:
            return self.sign(value.point)
        return self.answer(value.point, value.slot)

    # --- truth --------------------------------------------------------------

    def truth(self, condition: Condition) -> Truth:
        """``True``, ``False`` or ``None`` for unknown."""
        key = condition.key
        if key not in self._truth:
            self._truth[key] = self._evaluate(condition)
        return self._truth[key]

    def instance(self, instance: Instance) -> Truth:
        """Whether a rule instance holds."""
        return self.truth(instance.when)

    def rule(self, id: str) -> Truth:
        """Whether some instance of the rule holds."""
        return any_(self.instance(i) for i in self.program.rules[id].instances)

    def _evaluate(self, condition: Condition) -> Truth:
        match condition:
            case SlotIs():
                return self._slot(condition)
            case Related():
                return self._related(condition)
            case AllOf(items=items):
                return all_(self.truth(i) for i in items)
            case AnyOf(items=items):
                return any_(self.truth(i) for i in items)
            case Not(item=item):
                return not_(self.truth(item))
            case CountOf():
                return self._count(condition)
            case PatternIs(name=name, of=of):
                made = self.program.patterns.get(name, ())
                return any_(self.instance(i) for i, at in made if of is None or at == of)
            case Fires(rule=rule):
                return self.rule(rule) if rule in self.program.rules else False
            case TallyIs():
                return self._tally(condition)

    def _slot(self, condition: SlotIs) -> Truth:
        answer = self.answer(condition.point, condition.slot)
        if isinstance(answer, Unknown):
            return None
        if isinstance(answer, tuple):
            return any(a in condition.values for a in answer)
        return answer in condition.values

    def _related(self, condition: Related) -> Truth:
        left = self.sign(condition.point)
        results: list[Truth] = []
        for other in condition.others:
            right = self.sign(other)
            if isinstance(left, Unknown) or isinstance(right, Unknown):
                results.append(None)
            elif left is None or right is None:
                results.append(False)
            else:
                results.append(any(RELATIONS[r](self.chart, left, right) for r in condition.relations))
        return any_(results)

    def _count(self, condition: CountOf) -> Truth:
        sure = possible = 0
        for member in condition.members:
            truth = self.truth(member)
            sure += truth is True
            possible += truth is not False
        if condition.low <= sure and possible <= condition.high:
            return True
        if sure > condition.high or possible < condition.low:
            return False
        return None

    # --- tallies ------------------------------------------------------------

    def tally(self, name: str) -> Mapping[str, Score]:
        """Side to its score; a vote whose side is unknown may fall to any side."""
        if name not in self._tallies:
            self._tallies[name] = self._score(name)
        return self._tallies[name]

    def _score(self, name: str) -> dict[str, Score]:
        votes = self.program.votes.get(name, ())
        sides: dict[str, list[int]] = {}
        for _, vote in votes:
            if vote.side.point is None:
                sides.setdefault(str(vote.side.literal), [0, 0])
        anywhere = 0
        for instance, vote in votes:
            truth = self.instance(instance)
            if truth is False:
                continue
            side = self.value(vote.side)
            if side is None:
                continue
            if isinstance(side, Unknown):
                anywhere += vote.weight
                continue
            scores = sides.setdefault(str(side), [0, 0])
            scores[0] += vote.weight if truth else 0
            scores[1] += vote.weight
        self._unplaced[name] = anywhere
        return {s: Score(sure, most + anywhere) for s, (sure, most) in sides.items()}

    def _tally(self, condition: TallyIs) -> Truth:
        scores = self.tally(condition.tally)
        return tally_truth(condition, scores, self._unplaced[condition.tally])

    # --- what is missing ----------------------------------------------------

    def needs(self, condition: Condition) -> tuple[str, ...]:
        """Inputs that would help to decide an unknown condition, sorted."""
        return tuple(sorted(self._needs(condition)))

    def _needs(self, condition: Condition) -> set[str]:
        if self.truth(condition) is not None:
            return set()
        match condition:
            case SlotIs(point=point, slot=slot):
                answer = self.answer(point, slot)
                return set(answer.needs) if isinstance(answer, Unknown) else set()
            case Related(point=point, others=others):
                signs = [self.sign(p) for p in (point, *others)]
                return {n for s in signs if isinstance(s, Unknown) for n in s.needs}
            case AllOf(items=items) | AnyOf(items=items) | CountOf(members=items):
                return {n for i in items for n in self._needs(i)}
            case Not(item=item):
                return self._needs(item)
            case PatternIs(name=name, of=of):
                made = self.program.patterns.get(name, ())
                return {n for i, at in made if of in (None, at) for n in self._needs(i.when)}
            case Fires(rule=rule):
                return {n for i in self.program.rules[rule].instances for n in self._needs(i.when)}
            case TallyIs(tally=tally):
                return {
                    n
                    for i, vote in self.program.votes[tally]
                    for n in (*self._needs(i.when), *self._side_needs(vote))
                }

    def _side_needs(self, vote: Vote) -> tuple[str, ...]:
        side = self.value(vote.side)
        return side.needs if isinstance(side, Unknown) else ()


def tally_truth(condition: TallyIs, scores: Mapping[str, Score], unplaced: int) -> Truth:
    """A comparison of votes.

    Args:
        condition: what is asked.
        scores: side to its score.
        unplaced: votes that are possible for a side not told yet.
    """
    # A side that no vote has named may still get those whose side is unknown.
    none = Score(0, unplaced)
    mine = scores.get(condition.side, none)
    if condition.op == "most":
        others = [s for side, s in scores.items() if side != condition.side]
        return all_(compare(mine, ">", s) for s in (none, *others))
    operand = condition.operand
    other = Score(operand, operand) if isinstance(operand, int) else scores.get(operand, none)
    return compare(mine, condition.op, other)


def not_(truth: Truth) -> Truth:
    """Kleene negation."""
    return None if truth is None else not truth


def all_(truths: Iterable[Truth]) -> Truth:
    """Kleene conjunction; stops at the first ``False``."""
    unknown = False
    for truth in truths:
        if truth is False:
            return False
        unknown = unknown or truth is None
    return None if unknown else True


def any_(truths: Iterable[Truth]) -> Truth:
    """Kleene disjunction; stops at the first ``True``."""
    unknown = False
    for truth in truths:
        if truth is True:
            return True
        unknown = unknown or truth is None
    return None if unknown else False


def compare(a: Score, op: str, b: Score) -> Truth:
    """Compare two scores that may still grow, three-valued."""
    match op:
        case ">":
            return True if a.sure > b.possible else False if a.possible <= b.sure else None
        case ">=":
            return True if a.sure >= b.possible else False if a.possible < b.sure else None
        case "<":
            return compare(b, ">", a)
        case "<=":
            return compare(b, ">=", a)
        case _:
            if a.sure == a.possible == b.sure == b.possible:
                return True
            return False if a.possible < b.sure or b.possible < a.sure else None
