"""One text's rules run on experta over one chart, with everything recorded."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from liuren.facts.chart import Chart
from liuren.facts.emission import relation_answer, slot_answer
from liuren.facts.points import Unknown, resolve
from liuren.facts.rete import Agenda, Facts

from .bridge import Bridge, CastVote
from .compile import ALWAYS_KEY, Compiled, Production, compile_program
from .evaluate import Evaluation, Program, Score
from .language.conditions import Related, SlotIs


@dataclass(frozen=True, slots=True)
class Firing:
    """A production that fired: its support are the seats it matched, in the
    order of the rule's conditions."""

    production: str
    instance: str | None
    support: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Run:
    """What happened when a text was run on a chart.

    Attributes:
        text: id of the text.
        memory: seat key to declared value (facts, derived, bridge facts).
        kinds: seat key to its kind (see :class:`~.compile.SeatInfo`).
        firings: in the order they fired.
        derived: derived key to the numbers of the firings that declared it,
            the first and every further one.
        members: bridge key to the keys or instance ids it rests on.
        tallies: tally to side to score.
        votes: tally to the votes cast.
    """

    text: str
    memory: dict[str, Any]
    kinds: dict[str, str]
    firings: tuple[Firing, ...]
    derived: dict[str, tuple[int, ...]]
    members: dict[str, tuple[str, ...]]
    tallies: dict[str, dict[str, Score]]
    votes: dict[str, tuple[CastVote, ...]]

    @property
    def fired(self) -> frozenset[str]:
        """Ids of the instances that fired."""
        return frozenset(f.instance for f in self.firings if f.instance is not None)


class Disagreement(RuntimeError):
    """experta and the evaluator differ: a fault of this program, never of a rule."""


class Reasoner:
    """The experta engine of one text: built once, run for many charts."""

    def __init__(self, program: Program) -> None:
        """Compile *program* (a second or so for a thousand rules)."""
        self.compiled: Compiled = compile_program(program, self._on_fire)
        self._firings: list[Firing] = []
        self._derived: dict[str, list[int]] = {}
        self._memory: dict[str, Any] = {}

    @property
    def productions(self) -> int:
        """How many productions the text compiles to."""
        return len(self.compiled.productions)

    def run(self, chart: Chart, check: Evaluation | None = None) -> Run:
        """Run the text on *chart*.

        Args:
            chart: the chart.
            check: an evaluation of the same program and chart to compare with.

        Raises:
            Disagreement: *check* is given and differs.
        """
        compiled, engine = self.compiled, self.compiled.engine
        self._firings, self._derived, self._memory = [], {}, {}
        members: dict[str, tuple[str, ...]] = {}
        engine.reset()
        engine.agenda = Agenda()
        engine.facts = Facts()
        sides = self._sides(chart)
        engine.running = True  # declare without polling; run() polls once
        # Straight to the fact list: experta warns when the first fact is declared through it.
        engine.facts.declare(compiled.seats[ALWAYS_KEY].fact(value=True))
        self._memory[ALWAYS_KEY] = True
        self._emit(engine, chart)
        fired: dict[str, Any] = {}
        bridge = Bridge(compiled, self._memory, fired, sides)
        for stage in range(compiled.stages + 1):
            for seat in compiled.seats.values():
                if seat.kind in ("absence", "count", "tally") and seat.stage == stage:
                    settled = bridge.settle(seat)
                    if settled is not None:
                        self._declare(engine, seat.key, settled.value)
                        members[seat.key] = settled.members
            try:
                engine.run()
            finally:
                engine.running = False  # an action that raises leaves it set
            fired.update((f.instance, f) for f in self._firings if f.instance is not None)
            bridge.refresh()
            engine.running = True
        engine.running = False
        tallies = compiled.program.votes
        result = Run(
            text=compiled.program.text,
            memory=self._memory,
            kinds={k: compiled.seats[k].kind for k in self._memory},
            firings=tuple(self._firings),
            derived={k: tuple(v) for k, v in self._derived.items()},
            members=members,
            tallies={t: bridge.scores(t) for t in tallies},
            votes={t: tuple(bridge.votes(t)) for t in tallies},
        )
        if check is not None:
            self._compare(result, check)
        return result

    def _declare(self, engine: Any, key: str, value: Any) -> None:
        self._memory[key] = value
        # Straight to the fact list: the engine is running, so nothing is polled, and a seat
        # is declared once, so nothing is there twice.
        engine.facts.declare(self.compiled.seats[key].fact(value=value))

    def _emit(self, engine: Any, chart: Chart) -> None:
        """Declare the chart's facts on every seat that some rule looks at."""
        for seat in self.compiled.seats.values():
            condition = seat.condition
            if isinstance(condition, SlotIs):
                answer = slot_answer(chart, condition.point, condition.slot)
            elif isinstance(condition, Related):
                answer = relation_answer(
                    chart, condition.point, condition.relations, condition.others
                )
            else:
                continue
            if not isinstance(answer, Unknown):
                self._declare(engine, seat.key, answer)

    def _sides(self, chart: Chart) -> dict[tuple[str, str], str | None]:
        """The computed sides of votes that are known on this chart."""
        found: dict[tuple[str, str], str | None] = {}
        for votes in self.compiled.program.votes.values():
            for instance, vote in votes:
                value = vote.side
                if value.point is None:
                    continue
                answer = (
                    slot_answer(chart, value.point, value.slot)
                    if value.slot
                    else resolve(value.point, chart)
                )
                if not isinstance(answer, Unknown):
                    found[instance.id, str(value)] = None if answer is None else str(answer)
        return found

    def _on_fire(self, engine: Any, production: Production, facts: Any) -> None:
        number = len(self._firings)
        instance = production.instance.id if production.instance is not None else None
        self._firings.append(Firing(production.id, instance, production.seats))
        for key in production.fills:
            self._derived.setdefault(key, []).append(number)
            if key not in self._memory:
                self._declare(engine, key, True)

    def _compare(self, run: Run, evaluation: Evaluation) -> None:
        program = self.compiled.program
        expected = {i.id for i in program.instances if evaluation.instance(i) is True}
        if run.fired != expected:
            more, less = sorted(run.fired - expected), sorted(expected - run.fired)
            raise Disagreement(
                f"experta and the evaluator differ on {program.text}: only experta fires {more}, only the evaluator {less}"
            )
        for tally, sides in run.tallies.items():
            if dict(evaluation.tally(tally)) != sides:
                raise Disagreement(f"experta and the evaluator count the tally {tally} differently")
