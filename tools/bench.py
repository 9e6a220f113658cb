"""``liuren bench``: what casting, inference, recording and explanation cost, warm and cold.

The charts are taken at even distances from the 720 lessons in twelve months, so
that the same number always means the same charts.

**What recording costs** is the difference between two runs over the same chart:
the run that every reading makes (:class:`~liuren.engine.inference.Reasoner`),
and a run that infers the same and keeps no account of it (:class:`Unrecorded`).
A clock inside the callback would not do: it is called some hundred times a chart
for a microsecond's work, and reading the clock costs as much as what it times.
The two run in turn, so that a busy machine slows both alike, and of several runs
of each over a chart the quickest counts, the one least disturbed.
"""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from statistics import fmean
from typing import Any, TypeVar

from liuren.engine.bridge import Bridge
from liuren.engine.changes import find_ways
from liuren.engine.compile import ALWAYS_KEY, Production
from liuren.engine.evaluate import Evaluation, Score
from liuren.engine.examples import lesson_questions
from liuren.engine.explain import because, explain, shortest, standing_node
from liuren.engine.inference import Reasoner
from liuren.engine.language.conclusions import Verdict
from liuren.engine.language.conditions import Related, SlotIs
from liuren.engine.library import Library
from liuren.engine.questions import Request
from liuren.engine.reading import Reading, Said, read
from liuren.facts.chart import Chart
from liuren.facts.emission import relation_answer, slot_answer
from liuren.facts.errors import UserError
from liuren.facts.points import Unknown
from liuren.facts.question import Question
from liuren.facts.rete import Agenda, Facts

from .layout import table
from .progress import Progress
from .whynot import Question as WhyNot

SCHEMA = "liuren.bench/1"
"""Version of ``bench --json``."""

T = TypeVar("T")
R = TypeVar("R")

COLD = ("--day", "甲子", "--hour", "戌", "--month-general", "卯")
"""The question of the cold start."""

_TURNS = 3
"""How often each chart is run with and without recording."""


@dataclass(frozen=True, slots=True)
class Inferred:
    """What a run concludes, without how: the memory, the instances that fired, the tallies."""

    memory: dict[str, Any]
    fired: frozenset[str]
    tallies: dict[str, dict[str, Score]]


class Unrecorded(Reasoner):
    """A reasoner that infers what :class:`Reasoner` infers and records nothing.

    What inference itself needs is kept: the working memory, which the bridge reads
    and which says what is declared already, the names of the instances that fired,
    and the sums of the tallies.  What only an explanation needs is not: firings
    with their support, which firings derived what, what absences, counts and
    tallies rest on, the list of the votes, and the :class:`~.inference.Run`.
    """

    def infer(self, chart: Chart) -> Inferred:
        """Run the text on *chart*, stage by stage like :meth:`Reasoner.run`."""
        compiled, engine = self.compiled, self.compiled.engine
        self._memory = {}
        self._fired: dict[str, bool] = {}
        engine.reset()
        engine.agenda = Agenda()
        engine.facts = Facts()
        sides = self._sides(chart)
        engine.running = True
        engine.facts.declare(compiled.seats[ALWAYS_KEY].fact(value=True))
        self._memory[ALWAYS_KEY] = True
        self._emit(engine, chart)
        bridge = Bridge(compiled, self._memory, self._fired, sides)
        for stage in range(compiled.stages + 1):
            for seat in compiled.seats.values():
                if seat.kind in ("absence", "count", "tally") and seat.stage == stage:
                    assert seat.condition is not None
                    truth = bridge.holds(seat.condition)
                    if seat.kind == "absence":
                        truth = True if truth is False else None
                    if truth is not None:
                        self._declare(engine, seat.key, truth)
            try:
                engine.run()
            finally:
                engine.running = False
            bridge.refresh()
            engine.running = True
        engine.running = False
        scores = {tally: bridge.scores(tally) for tally in compiled.program.votes}
        return Inferred(self._memory, frozenset(self._fired), scores)

    def _on_fire(self, engine: Any, production: Production, facts: Any) -> None:
        if production.instance is not None:
            self._fired[production.instance.id] = True
        for key in production.fills:
            if key not in self._memory:
                self._declare(engine, key, True)


@dataclass(frozen=True, slots=True)
class TextBench:
    """One text: its size, the mean number of facts a chart emits, mean milliseconds a chart.

    ``compile`` is the one-off cost of building the experta engine; ``experta``
    is a whole run, emission included; ``evaluator`` the value of every rule.
    ``recorded`` and ``unrecorded`` are a whole run with and without recording,
    the quickest of some (see the module).
    """

    text: str
    rules: int
    instances: int
    productions: int
    seats: int
    facts: float
    firings: float
    compile: float
    casting: float
    emission: float
    experta: float
    evaluator: float
    recorded: float
    unrecorded: float

    @property
    def recording(self) -> float:
        """What recording costs; chance can make it negative where there is little to record."""
        return self.recorded - self.unrecorded


@dataclass(frozen=True, slots=True)
class WhyBench:
    """``why`` of the first verdict: the graph, cut to the shortest derivation, cut to its causes.

    Means over the *charts* on which some text has a verdict; 0 if there is none.
    """

    charts: int
    ms: float
    nodes: float


@dataclass(frozen=True, slots=True)
class WhyNotBench:
    """``why-not`` of one rule that did not fire: its nearest instance, and every single change.

    Attributes:
        rules: the rule asked on each chart that has one.
        examine: mean milliseconds to find and examine the nearest instance.
        ways: mean milliseconds of trying every single change.
        tried: mean number of changes tried, each cast and evaluated.
        found: mean number of changes that bring it about, of those reported.
    """

    rules: tuple[str, ...]
    examine: float
    ways: float
    tried: float
    found: float


@dataclass(frozen=True, slots=True)
class Bench:
    """All texts, the explanation of a whole question, and the cold start.

    Times are milliseconds; ``cold`` maps a command to its wall time in a process
    of its own.
    """

    charts: int
    texts: tuple[TextBench, ...]
    graph: float
    nodes: float
    edges: float
    cold: dict[str, float]
    why: WhyBench
    why_not: WhyNotBench


def choose(charts: int) -> list[Question]:
    """*charts* questions at even distances among the lessons in twelve months.

    Raises:
        UserError: there are not so many.
    """
    every = [question for _, _, _, question in lesson_questions()]
    if not 1 <= charts <= len(every):
        raise UserError(f"--charts {charts}: choose from 1 to {len(every)} charts.")
    return [every[n * len(every) // charts] for n in range(charts)]


def measure(library: Library, charts: int) -> Bench:
    """Measure everything on *charts* charts; each thing is done once unmeasured first."""
    questions = choose(charts)
    with Progress("bench", len(library.texts()) + 4) as progress:
        texts = []
        for text in library.texts():
            texts.append(_text(library, text, questions))
            progress.step()
        readings = [read(Request(question), library) for question in questions]
        graph, nodes, edges = _graph(readings)
        progress.step()
        why = measure_why(readings)
        progress.step()
        why_not = measure_why_not(readings)
        progress.step()
        cold = {command: _cold(command) for command in ("cast", "read")}
    return Bench(len(questions), tuple(texts), graph, nodes, edges, cold, why, why_not)


def _text(library: Library, text: str, questions: list[Question]) -> TextBench:
    program = library.program(text)
    started = time.perf_counter()
    reasoner = Reasoner(program)
    compiled = (time.perf_counter() - started) * 1000
    doctrine = library.doctrine(library.kb.texts[text].doctrine)
    casting, charts = timed(lambda q: library.chart(q, doctrine), questions)
    emission, facts = timed(lambda c: count_facts(reasoner, c), charts)
    experta, runs = timed(reasoner.run, charts)
    evaluator, _ = timed(lambda c: _evaluate(Evaluation(program, c)), charts)
    recorded, unrecorded = _in_turn(reasoner.run, Unrecorded(program).infer, charts)
    return TextBench(
        text=text,
        rules=len(program.rules),
        instances=len(program.instances),
        productions=reasoner.productions,
        seats=len(reasoner.compiled.seats),
        facts=fmean(facts),
        firings=fmean(len(run.firings) for run in runs),
        compile=compiled,
        casting=casting,
        emission=emission,
        experta=experta,
        evaluator=evaluator,
        recorded=recorded,
        unrecorded=unrecorded,
    )


def timed(work: Callable[[T], R], items: Iterable[T]) -> tuple[float, list[R]]:
    """Mean milliseconds of *work* on each item, and the results; the first is done twice."""
    items = list(items)
    work(items[0])
    results = []
    started = time.perf_counter()
    for item in items:
        results.append(work(item))
    return (time.perf_counter() - started) * 1000 / len(items), results


def _in_turn(
    one: Callable[[T], object], other: Callable[[T], object], items: Iterable[T]
) -> tuple[float, float]:
    """Milliseconds of *one* and of *other* on each item: mean of the quickest of some turns."""
    items = list(items)
    one(items[0])
    other(items[0])
    sums = [0.0, 0.0]
    for item in items:
        best = [float("inf"), float("inf")]
        for _ in range(_TURNS):
            for n, work in enumerate((one, other)):
                started = time.perf_counter()
                work(item)
                best[n] = min(best[n], time.perf_counter() - started)
        sums = [a + b for a, b in zip(sums, best, strict=True)]
    return sums[0] * 1000 / len(items), sums[1] * 1000 / len(items)


def count_facts(reasoner: Reasoner, chart: Chart) -> int:
    """How many facts *chart* emits for the seats of the text; the unknown are none."""
    known = 0
    for seat in reasoner.compiled.seats.values():
        condition = seat.condition
        if isinstance(condition, SlotIs):
            answer: Any = slot_answer(chart, condition.point, condition.slot)
        elif isinstance(condition, Related):
            answer = relation_answer(chart, condition.point, condition.relations, condition.others)
        else:
            continue
        known += not isinstance(answer, Unknown)
    return known


def _evaluate(evaluation: Evaluation) -> None:
    for instance in evaluation.program.instances:
        evaluation.instance(instance)


def _graph(readings: list[Reading]) -> tuple[float, float, float]:
    spent, graphs = timed(explain, readings)
    return spent, fmean(g.number_of_nodes() for g in graphs), fmean(g.number_of_edges() for g in graphs)


def measure_why(readings: list[Reading]) -> WhyBench:
    """What ``why`` of the first verdict of each reading costs, the graph included."""
    asked = [(r, said) for r in readings if (said := next(r.said(Verdict), None)) is not None]
    if not asked:
        return WhyBench(0, 0.0, 0.0)

    def why(item: tuple[Reading, Said]) -> int:
        reading, said = item
        return len(because(shortest(explain(reading)), [standing_node(said)]))

    spent, nodes = timed(why, asked)
    return WhyBench(len(asked), spent, fmean(nodes))


def measure_why_not(readings: list[Reading]) -> WhyNotBench:
    """What ``why-not`` of one rule of each reading costs."""
    many = len(readings)
    asked = [(r, rule) for n, r in enumerate(readings) if (rule := absent(r, n, many))]
    if not asked:
        return WhyNotBench((), 0.0, 0.0, 0.0, 0.0)
    spent, questions = timed(lambda a: WhyNot(a[1], a[0]), asked)
    ways, tries = timed(_ways, questions)
    tried, found = zip(*tries, strict=True)
    return WhyNotBench(tuple(rule for _, rule in asked), spent, ways, fmean(tried), fmean(found))


def absent(reading: Reading, number: int, of: int) -> str:
    """A rule that does not hold on the chart, "" if there is none.

    The *number*-th of *of* readings is asked of the rule as far along its own list,
    so that many readings ask of rules from the beginning of the first text to the
    end of the last; what waits for an input is not asked.
    """
    failed = [
        rule
        for text in reading.texts.values()
        for rule in text.evaluation.program.rules
        if text.evaluation.rule(rule) is False
    ]
    return failed[number * len(failed) // of] if failed else ""


def _ways(asked: WhyNot) -> tuple[int, int]:
    """How many single changes were tried, and how many of them are reported as a way."""
    tried = 0

    def count(done: int) -> None:
        nonlocal tried
        tried = done

    reading = asked.reading
    ways = find_ways(
        reading.request, reading.library, asked.text.text, asked.wanted, asked.rule, progress=count
    )
    return tried, len(ways)


def _cold(command: str) -> float:
    """Milliseconds that *command* takes in a new process, Python's own start included."""
    program = "from liuren.tools.cli import main; main()"
    started = time.perf_counter()
    subprocess.run(
        [sys.executable, "-c", program, command, *COLD, "--json"], check=True, capture_output=True
    )
    return (time.perf_counter() - started) * 1000


def bench_json(bench: Bench) -> dict[str, Any]:
    """``bench --json``: sizes as numbers, times as milliseconds with three places."""
    names = ("compile", "casting", "emission", "experta", "evaluator")
    return {
        "schema": SCHEMA,
        "charts": bench.charts,
        "texts": [
            {
                "text": t.text, "rules": t.rules, "instances": t.instances, "productions": t.productions,
                "seats": t.seats, "facts": round(t.facts, 1), "firings": round(t.firings, 1),
                "ms": {name: round(getattr(t, name), 3) for name in names},
                "recording": {
                    "with_ms": round(t.recorded, 3), "without_ms": round(t.unrecorded, 3),
                    "cost_ms": round(t.recording, 3),
                },
            }
            for t in bench.texts
        ],
        "graph": {"ms": round(bench.graph, 3), "nodes": round(bench.nodes, 1), "edges": round(bench.edges, 1)},
        "why": {"charts": bench.why.charts, "ms": round(bench.why.ms, 3), "nodes": round(bench.why.nodes, 1)},
        "why_not": {
            "charts": len(bench.why_not.rules), "rules": list(bench.why_not.rules),
            "examine_ms": round(bench.why_not.examine, 3), "ways_ms": round(bench.why_not.ways, 3),
            "tried": round(bench.why_not.tried, 1), "found": round(bench.why_not.found, 1),
        },
        "cold_ms": {command: round(ms, 1) for command, ms in bench.cold.items()},
    }  # fmt: skip


def bench_lines(bench: Bench) -> list[str]:
    """The benchmark as text."""
    texts = bench.texts
    head = ["", *(t.text for t in texts), "all"]

    def row(label: str, values: list[float], digits: int) -> list[str]:
        return [label, *(f"{v:.{digits}f}" for v in (*values, sum(values)))]

    sizes = [
        row(name, [getattr(t, name) for t in texts], 0)
        for name in ("rules", "instances", "productions", "seats", "facts", "firings")
    ]
    times = [
        row(name, [getattr(t, name) for t in texts], 2)
        for name in ("casting", "emission", "experta", "evaluator")
    ]
    runs = [
        row(name, [getattr(t, name) for t in texts], 2)
        for name in ("recorded", "unrecorded", "recording")
    ]
    recording, without, emission = (
        sum(getattr(t, name) for t in texts) for name in ("recording", "unrecorded", "emission")
    )
    why, why_not = bench.why, bench.why_not
    return [
        f"sizes (facts and firings: mean of {bench.charts} charts)",
        *table([head, *sizes], indent="  "),
        "",
        f"milliseconds a chart, warm, mean of {bench.charts} charts (experta: emission included)",
        *table([head, *times], indent="  "),
        "",
        f"the same run recorded and unrecorded, milliseconds a chart, each the quickest of {_TURNS}",
        *table([head, *runs], indent="  "),
        f"  recording costs {recording:.2f} ms, {recording / without:.1%} of the {without:.2f} ms"
        f" it records ({emission:.2f} of them emission)",
        "",
        *table(
            [
                ["graph of a question", f"{bench.graph:.2f} ms", f"{bench.nodes:.0f} nodes, {bench.edges:.0f} edges"],
                ["why, of the first verdict", f"{why.ms:.2f} ms", f"{why.nodes:.0f} nodes; mean of {why.charts}"],
                ["why-not, the nearest instance", f"{why_not.examine:.2f} ms", f"mean of {len(why_not.rules)} rules"],
                ["why-not, every single change", f"{why_not.ways:.2f} ms", f"{why_not.tried:.0f} tried, {why_not.found:.1f} reported"],
                ["building the engines, once", f"{sum(t.compile for t in texts):.0f} ms"],
                *(
                    [f"cold start of liuren {command}", f"{ms:.0f} ms"]
                    for command, ms in bench.cold.items()
                ),
            ]
        ),
    ]
