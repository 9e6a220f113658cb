"""experta and the evaluator on every lesson in every month: 60 days, 12 plates, 12 months.

The work is split by day among two processes; the library is loaded and compiled before
they fork, so that each only runs.
"""

from __future__ import annotations

import gc
import multiprocessing
from collections import Counter
from concurrent.futures import ProcessPoolExecutor

import pytest
from liuren.engine.evaluate import Evaluation
from liuren.engine.examples import lesson_questions
from liuren.engine.inference import Disagreement
from liuren.engine.library import Library
from liuren.facts.ganzhi import SIXTY
from liuren.facts.question import PersonInput, Question

_LIBRARY: list[Library] = []  # what the forked workers inherit

Result = tuple[int, int, list[str]]


def run_day(day: str) -> Result:
    """All charts of a day under every text: how many, how many firings, what differs."""
    gc.disable()  # collected once a day instead
    library = _LIBRARY[0]
    charts = firings = 0
    wrong: list[str] = []
    for _, offset, month, question in (q for q in lesson_questions() if q[0] == day):
        cast, of_text = library.charts(question)
        for text, chart in of_text.items():
            evaluation = Evaluation(library.program(text), cast[chart])
            try:
                run = library.reasoner(text).run(cast[chart], evaluation)
            except Disagreement as error:
                wrong.append(f"{day} {offset} {month}: {error}")
                continue
            charts += 1
            firings += len(run.fired)
    gc.collect()
    return charts, firings, wrong


def test_every_lesson_in_every_month(library: Library) -> None:
    for text in library.texts():
        library.reasoner(text)
    _LIBRARY[:] = [library]
    gc.freeze()  # keeps the collector of the workers off what they share
    try:
        with ProcessPoolExecutor(2, mp_context=multiprocessing.get_context("fork")) as pool:
            results = list(pool.map(run_day, SIXTY))
    finally:
        gc.unfreeze()
    assert [w for _, _, wrong in results for w in wrong] == []
    assert sum(charts for charts, _, _ in results) == 60 * 12 * 12 * len(library.texts())
    assert sum(firings for _, firings, _ in results) > 0


PERSONS = {
    "querent": PersonInput(natal="子", annual="寅", sex="男"),
    "wife": PersonInput(natal="巳", annual="未", sex="女"),
    "husband": PersonInput(natal="亥", annual="酉", sex="男"),
}
TOLD = {"duration": "long", "nature": "bad", "status": "commoner", "fugitive": "maid", "drought": "yes"}


@pytest.mark.parametrize("what", ["persons", "told", "all that can be told"])
def test_charts_with_more_told(what: str, library: Library) -> None:
    """Every 17th day-plate pair, each in one month, with persons, told facts and dates."""
    more = {
        "persons": {"persons": PERSONS},
        "told": {"told": TOLD},
        "all that can be told": {"persons": PERSONS, "told": TOLD, "year": "申", "lunar": (3, 15, False), "term": ""},
    }[what]
    seen: Counter[str] = Counter()
    for day, _, _, plain in list(lesson_questions())[:: 17 * 12 + 1]:
        question = Question(
            day=day, hour=plain.hour, month_general=plain.month_general, month=plain.month, **more
        )
        cast, of_text = library.charts(question)
        for text, chart in of_text.items():
            evaluation = Evaluation(library.program(text), cast[chart])
            library.reasoner(text).run(cast[chart], evaluation)  # raises if they differ
            seen[text] += 1
    assert set(seen) == set(library.texts())
    assert min(seen.values()) > 40
