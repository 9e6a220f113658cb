"""``liuren bench --casting``: charts a second over every year, month, day and hour."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Any

from liuren.engine.casting import cast
from liuren.engine.library import Library
from liuren.facts.errors import UserError
from liuren.facts.ganzhi import BRANCHES, SIXTY
from liuren.facts.question import Question

from .bench import SCHEMA
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
