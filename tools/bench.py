"""``liuren bench``: what casting, inference and explanation cost, warm and cold.

The charts are taken at even distances from the 720 lessons in twelve months, so
that the same number always means the same charts.
"""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from statistics import fmean
from typing import Any, TypeVar

from liuren.engine.evaluate import Evaluation
from liuren.engine.examples import lesson_questions
from liuren.engine.explain import explain
from liuren.engine.inference import Reasoner
from liuren.engine.language.conditions import Related, SlotIs
from liuren.engine.library import Library
from liuren.engine.questions import Request
from liuren.engine.reading import read
from liuren.facts.chart import Chart
from liuren.facts.emission import relation_answer, slot_answer
from liuren.facts.errors import UserError
from liuren.facts.points import Unknown
from liuren.facts.question import Question

from .layout import table
from .progress import Progress

SCHEMA = "liuren.bench/1"
"""Version of ``bench --json``."""

T = TypeVar("T")
R = TypeVar("R")

COLD = ("--day", "甲子", "--hour", "戌", "--month-general", "卯")
"""The question of the cold start."""


@dataclass(frozen=True, slots=True)
class TextBench:
    """One text: its size, the mean number of facts a chart emits, mean milliseconds a chart.

    ``compile`` is the one-off cost of building the experta engine; ``experta``
    is a whole run, emission included; ``evaluator`` the value of every rule.
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


@dataclass(frozen=True, slots=True)
class Bench:
    """All texts, the explanation graph of a whole question, and the cold start.

    Times are milliseconds; ``cold`` maps a command to its wall time in a process
    of its own.
    """

    charts: int
    texts: tuple[TextBench, ...]
    graph: float
    nodes: float
    edges: float
    cold: dict[str, float]


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
    with Progress("bench", len(library.texts()) + 2) as progress:
        texts = []
        for text in library.texts():
            texts.append(_text(library, text, questions))
            progress.step()
        graph, nodes, edges = _graph(library, questions)
        progress.step()
        cold = {command: _cold(command) for command in ("cast", "read")}
    return Bench(len(questions), tuple(texts), graph, nodes, edges, cold)


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


def _graph(library: Library, questions: list[Question]) -> tuple[float, float, float]:
    readings = [read(Request(question), library) for question in questions]
    spent, graphs = timed(explain, readings)
    return spent, fmean(g.number_of_nodes() for g in graphs), fmean(g.number_of_edges() for g in graphs)


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
            }
            for t in bench.texts
        ],
        "graph": {"ms": round(bench.graph, 3), "nodes": round(bench.nodes, 1), "edges": round(bench.edges, 1)},
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
    return [
        f"sizes (facts and firings: mean of {bench.charts} charts)",
        *table([head, *sizes], indent="  "),
        "",
        f"milliseconds a chart, warm, mean of {bench.charts} charts (experta: emission included)",
        *table([head, *times], indent="  "),
        "",
        *table(
            [
                ["graph of a question", f"{bench.graph:.2f} ms", f"{bench.nodes:.0f} nodes, {bench.edges:.0f} edges"],
                ["building the engines, once", f"{sum(t.compile for t in texts):.0f} ms"],
                *(
                    [f"cold start of liuren {command}", f"{ms:.0f} ms"]
                    for command, ms in bench.cold.items()
                ),
            ]
        ),
    ]
