"""``liuren bench --casting`` and ``--cases``: much at once.

``--casting`` casts charts over every year, month, day and hour; ``--cases`` holds a
whole corpus of worked cases against our charts.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from statistics import fmean, median
from typing import Any

from liuren.engine.cases import Case, load_cases, run_case
from liuren.engine.casting import cast
from liuren.engine.library import Library
from liuren.facts.errors import UserError
from liuren.facts.ganzhi import BRANCHES, SIXTY
from liuren.facts.question import Question

from .bench import SCHEMA
from .layout import table
from .progress import Progress

EVERY = len(SIXTY) * len(BRANCHES) * len(SIXTY) * len(BRANCHES)
"""60 years x 12 months x 60 days x 12 hours."""

_BATCH = 1000


@dataclass(frozen=True, slots=True)
class CastBench:
    """How many charts were cast, and the seconds that casting took, the questions not counted."""

    charts: int
    seconds: float

    @property
    def rate(self) -> float:
        """Charts a second."""
        return self.charts / self.seconds


def question(number: int, library: Library) -> Question:
    """One of the :data:`EVERY` questions; its month general is that of the month's second half."""
    rest, hour = divmod(number, len(BRANCHES))
    rest, day = divmod(rest, len(SIXTY))
    year, month = divmod(rest, len(BRANCHES))
    branch = BRANCHES[month]
    return Question(
        year=SIXTY[year],
        month=branch,
        day=SIXTY[day],
        hour=BRANCHES[hour],
        month_general=library.data.tables.branch_combine[branch],
    )


def questions(charts: int, library: Library) -> Iterator[Question]:
    """*charts* of them at even distances, in order.

    Raises:
        UserError: there are not so many.
    """
    if not 1 <= charts <= EVERY:
        raise UserError(f"--charts {charts}: choose from 1 to {EVERY} charts.")
    return (question(n * EVERY // charts, library) for n in range(charts))


def measure_casting(library: Library, charts: int = EVERY) -> CastBench:
    """Cast *charts* charts under the common doctrine, in one process.

    Raises:
        UserError: there are not so many.
    """
    school = library.doctrine("common")
    waiting = questions(charts, library)
    seconds = 0.0
    with Progress("bench", charts) as progress:
        while batch := list(islice(waiting, _BATCH)):
            started = time.perf_counter()
            for each in batch:
                cast(each, school, library.data)
            seconds += time.perf_counter() - started
            progress.step(len(batch))
    return CastBench(charts, seconds)


def casting_json(found: CastBench) -> dict[str, Any]:
    """``bench --casting --json``."""
    return {
        "schema": SCHEMA,
        "casting": {
            "charts": found.charts,
            "seconds": round(found.seconds, 3),
            "charts_a_second": round(found.rate, 1),
        },
    }


def casting_lines(found: CastBench) -> list[str]:
    """The same as text."""
    each = found.seconds * 1e6 / found.charts
    return [f"{found.charts} charts cast in {found.seconds:.1f} s: {found.rate:.0f} a second, {each:.0f} microseconds each"]


# --- the cases -----------------------------------------------------------------------

_SLOWEST = 5
"""How many of the slowest cases are named."""


@dataclass(frozen=True, slots=True)
class CasesBench:
    """A corpus of cases, each run once, in the order of its files.

    Attributes:
        loading: milliseconds to read and check the case files.
        cases: id, number of charts and milliseconds of each case.
        failed: how many did not come out as recorded.
    """

    loading: float
    cases: tuple[tuple[str, int, float], ...]
    failed: int

    @property
    def charts(self) -> int:
        """Charts of all cases: one for a whole chart, many for a fragment."""
        return sum(charts for _, charts, _ in self.cases)

    @property
    def times(self) -> list[float]:
        """Milliseconds of each case."""
        return [ms for _, _, ms in self.cases]

    @property
    def slowest(self) -> list[tuple[str, int, float]]:
        """The five slowest, or all if there are fewer, the slowest first."""
        return sorted(self.cases, key=lambda case: -case[2])[:_SLOWEST]


def measure_cases(library: Library, kb_dir: str | None, corpus: str | None) -> CasesBench:
    """Run every case of the texts, or of *corpus*, once and in one process.

    Nothing is run beforehand, so the first case of a text also pays for making its
    rules ready, as it does in ``cases run``; the knowledge base is loaded already.

    Raises:
        UserError: a case file is broken, or there is no case in the corpus.
    """
    started = time.perf_counter()
    cases = load_cases(kb_dir, corpus, library)
    loading = (time.perf_counter() - started) * 1000
    if not cases:
        raise UserError("There is no case to measure; --cases needs a corpus with at least one.")
    found: list[tuple[str, int, float]] = []
    failed = 0
    with Progress("cases", len(cases)) as progress:
        for case in cases:
            charts, passed, ms = _run(case, library)
            found.append((case.id, charts, ms))
            failed += not passed
            progress.step()
    return CasesBench(loading, tuple(found), failed)


def _run(case: Case, library: Library) -> tuple[int, bool, float]:
    started = time.perf_counter()
    result = run_case(case, library)
    return result.charts, result.passed, (time.perf_counter() - started) * 1000


def cases_json(found: CasesBench) -> dict[str, Any]:
    """``bench --cases --json``."""
    return {
        "schema": SCHEMA,
        "cases": {
            "cases": len(found.cases),
            "charts": found.charts,
            "failed": found.failed,
            "ms": {
                "loading": round(found.loading, 3),
                "total": round(sum(found.times), 3),
                "mean": round(fmean(found.times), 3),
                "median": round(median(found.times), 3),
            },
            "slowest": [
                {"id": id, "charts": charts, "ms": round(ms, 3)} for id, charts, ms in found.slowest
            ],
        },
    }


def cases_lines(found: CasesBench) -> list[str]:
    """The same as text."""
    count, total = len(found.cases), sum(found.times)
    return [
        f"{count} cases, {found.charts} charts, {found.failed} failed: {total:.0f} ms, the files {found.loading:.0f} ms",
        f"a case: mean {fmean(found.times):.2f} ms, median {median(found.times):.2f} ms; the slowest:",
        *table([[id, f"{ms:.1f} ms", f"charts: {charts}"] for id, charts, ms in found.slowest], indent="  "),
    ]
