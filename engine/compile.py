"""Compiling the rules of a text to experta productions.

A rule instance becomes one production.  Its conditions are brought to negation
normal form and each becomes a pattern on one seat:

* a slot, with a predicate on its value (negated: the complement predicate on
  the same seat, so that the actual value is part of the activation);
* a relation, by what was found;
* ``any``, as a derived seat that one auxiliary production per alternative fills;
* a pattern or firing of another rule, as a derived seat;
* an absence, a count or a tally, as a *bridge* seat: declared between levels,
  when everything that could change it has fired (:mod:`.bridge`).

So productions match only present facts: no NOT, EXISTS, FORALL, TEST or OR.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from liuren.facts.emission import seat_class
from liuren.facts.rete import KnowledgeEngine, Matcher, P, Rule, Strategy

from .evaluate import Program
from .language.conclusions import Instance, Pattern
from .language.conditions import (
    AnyOf,
    Condition,
    CountOf,
    Fires,
    Not,
    PatternIs,
    Related,
    SlotIs,
    TallyIs,
    atoms,
    flatten,
    nodes,
    normal,
)

ALWAYS_KEY = "always"


@dataclass(frozen=True, slots=True)
class SeatInfo:
    """A seat of the compiled program.

    ``kind`` is ``slot``, ``relation``, ``derived`` (pattern, firing,
    alternative), ``absence``, ``count``, ``tally`` or ``always``.  ``stage`` is
    when a bridge seat is declared.  ``condition`` is what it stands for.
    """

    number: int
    key: str
    kind: str
    fact: Any
    condition: Condition | None = None
    stage: int = 0


@dataclass(frozen=True, slots=True)
class Production:
    """One production: an instance, or one alternative of an ``any``.

    ``seats`` are the keys its patterns look at, in the order of the conditions;
    ``fills`` are the derived keys it declares when it fires.
    """

    number: int
    id: str
    instance: Instance | None
    seats: tuple[str, ...]
    fills: tuple[str, ...]


@dataclass(slots=True)
class Compiled:
    """A text compiled: seats, productions and the experta engine, built once."""

    program: Program
    seats: dict[str, SeatInfo] = field(default_factory=dict)
    productions: list[Production] = field(default_factory=list)
    never: list[Instance] = field(default_factory=list)
    stages: int = 0
    engine: Any = None


def compile_program(program: Program, on_fire: Callable[[Any, Production, Any], None]) -> Compiled:
    """Compile *program* and build its engine.

    Args:
        program: the awake rules of one text.
        on_fire: called as ``on_fire(engine, production, facts)`` when a
            production fires; *facts* maps binding names to experta facts.
    """
    builder = _Builder(program)
    for instance in program.instances:
        builder.add(instance)
    compiled = builder.compiled
    compiled.stages = max((s.stage for s in compiled.seats.values()), default=0)
    compiled.engine = _engine(compiled, builder.patterns, on_fire)
    return compiled


class _Builder:
    def __init__(self, program: Program) -> None:
        self.program = program
        self.compiled = Compiled(program)
        self.patterns: list[list[Any]] = []
        self._predicates: dict[tuple[str, frozenset[tuple[str, bool]]], Any] = {}
        self._alternatives: set[str] = set()
        self._read = {
            n.key for i in program.instances for n in nodes(i.when) if isinstance(n, PatternIs | Fires)
        }
        self._seat(ALWAYS_KEY, "always")

    # --- seats ----------------------------------------------------------------

    def _seat(self, key: str, kind: str, condition: Condition | None = None, stage: int = 0) -> SeatInfo:
        seats = self.compiled.seats
        if key not in seats:
            number = len(seats)
            seats[key] = SeatInfo(number, key, kind, seat_class(number, key), condition, stage)
        return seats[key]

    def _stage(self, condition: Condition) -> int:
        """When everything *condition* reads of other rules is settled."""
        stage = 0
        for node in nodes(condition):
            match node:
                case PatternIs(name=name):
                    made = [i for i, _ in self.program.patterns.get(name, ())]
                case TallyIs(tally=tally):
                    made = [i for i, _ in self.program.votes.get(tally, ())]
                case Fires(rule=rule):
                    made = list(self.program.rules[rule].instances) if rule in self.program.rules else []
                case _:
                    continue
            stage = max([stage, *(self.program.level[i.id] + 1 for i in made)])
        return stage

    # --- patterns ---------------------------------------------------------------

    def add(self, instance: Instance) -> None:
        """One production for *instance* (and those of its alternatives)."""
        fills = [f"fires {instance.rule}"]
        for conclusion in instance.conclusions:
            if isinstance(conclusion, Pattern):
                fills.append(f"pattern {conclusion.name}")
                if conclusion.of:
                    fills.append(f"pattern {conclusion.name} of {conclusion.of}")
        kept = tuple(dict.fromkeys(f for f in fills if f in self._read))
        for key in kept:
            self._seat(key, "derived")
        if not self._production(instance.id, instance, instance.when, kept):
            self.compiled.never.append(instance)

    def _production(
        self, id: str, instance: Instance | None, when: Condition, fills: tuple[str, ...]
    ) -> bool:
        """Add a production; ``False`` when its condition is never."""
        looks: dict[str, list[tuple[str, Callable[[Any], bool]]]] = {}
        for part in flatten(normal(when)):
            if isinstance(part, AnyOf) and not part.items:
                return False
            key, mark, test = self._look(part)
            looks.setdefault(key, []).append((mark, test))
        if not looks:
            looks[ALWAYS_KEY] = [("", lambda value: True)]
        self.patterns.append([self._pattern(key, tests) for key, tests in looks.items()])
        number = len(self.compiled.productions)
        self.compiled.productions.append(Production(number, id, instance, tuple(looks), fills))
        return True

    def _pattern(self, key: str, tests: list[tuple[str, Callable[[Any], bool]]]) -> Any:
        seat = self.compiled.seats[key]
        mark = (key, frozenset((m, True) for m, _ in tests))
        if mark not in self._predicates:
            checks = tuple(t for _, t in tests)
            # One callable per distinct test: experta shares alpha nodes by its identity.
            self._predicates[mark] = (
                checks[0] if len(checks) == 1 else lambda value: all(c(value) for c in checks)
            )
        return f"s{seat.number}", seat.fact, self._predicates[mark]

    def _look(self, part: Condition) -> tuple[str, str, Callable[[Any], bool]]:
        """The seat a conjunct looks at, a mark of its test, and the test."""
        negated = isinstance(part, Not)
        inner = part.item if isinstance(part, Not) else part
        match inner:
            case SlotIs(point=point, slot=slot, values=values):
                seat = self._seat(f"{point}.{slot}", "slot", inner)
                return seat.key, part.key, _among(frozenset(values), negated)
            case Related():
                seat = self._seat(inner.key, "relation", inner)
                return seat.key, part.key, (lambda v: not v) if negated else bool
            case AnyOf(items=items):
                assert not negated, "normal form leaves no negated alternatives"
                self._any(inner, items)
                return inner.key, "", _always
            case CountOf():
                seat = self._seat(inner.key, "count", inner, self._stage(inner))
                self._atoms(inner)
                return seat.key, part.key, _is(True)
            case TallyIs():
                seat = self._seat(inner.key, "tally", inner, self._stage(inner))
                return seat.key, part.key, _is(not negated)
            case PatternIs() | Fires():
                if negated:
                    seat = self._seat(f"no {inner.key}", "absence", inner, self._stage(inner))
                else:
                    seat = self._seat(inner.key, "derived", inner)
                return seat.key, part.key, _always
        raise AssertionError(f"{part.key} is no conjunct of a normal form")

    def _any(self, condition: AnyOf, items: tuple[Condition, ...]) -> None:
        self._seat(condition.key, "derived", condition)
        if condition.key in self._alternatives:
            return
        self._alternatives.add(condition.key)
        for n, item in enumerate(items, 1):
            self._production(f"{condition.key}#{n}", None, item, (condition.key,))

    def _atoms(self, condition: Condition) -> None:
        """Seats for what a count's members look at, so that the bridge finds them."""
        for atom in atoms(condition):
            if isinstance(atom, SlotIs):
                self._seat(f"{atom.point}.{atom.slot}", "slot", atom)
            else:
                self._seat(atom.key, "relation", atom)


def _among(values: frozenset[object], negated: bool) -> Callable[[Any], bool]:
    def test(value: Any) -> bool:
        found = any(v in values for v in value) if isinstance(value, tuple) else value in values
        return found is not negated

    return test


def _always(value: Any) -> bool:
    return True


def _is(wanted: bool) -> Callable[[Any], bool]:
    return lambda value: value is wanted


def _engine(
    compiled: Compiled,
    patterns: list[list[Any]],
    on_fire: Callable[[Any, Production, Any], None],
) -> Any:
    """An engine class of its own for the text: classes share bound rules in experta."""
    members: dict[str, Any] = {
        "__matcher__": Matcher,
        "__strategy__": Strategy,
        "get_deffacts": lambda self: (),
    }
    for production, looks in zip(compiled.productions, patterns, strict=True):
        ces = []
        for bind, fact, test in looks:
            ce = fact(value=P(test))
            ce.__bind__ = bind
            ces.append(ce)
        members[f"p{production.number}"] = Rule(*ces)(_action(production, on_fire))
    return type("Text", (KnowledgeEngine,), members)()


def _action(production: Production, on_fire: Callable[[Any, Production, Any], None]) -> Any:
    # One function object per production: experta merges rules that are equal.
    def fire(engine: Any, **facts: Any) -> None:
        on_fire(engine, production, facts)

    fire.number = production.number  # type: ignore[attr-defined]
    return fire
