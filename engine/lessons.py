"""The sweep: every rule on the 720 lessons in each of the twelve months.

The charts are those of :func:`.examples.lesson_questions`, day by day.  The work
is shared among processes, each casting some of the days.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import cache
from multiprocessing import get_all_start_methods, get_context
from pathlib import Path

from liuren.facts.question import Question

from .examples import lesson_questions
from .language.conclusions import Rule
from .language.passages import conjuncts
from .library import Choices, Library
from .sweep import NOWHERE, Field, Mask, Sweep, bits

CHARTS = 60 * 12 * 12
"""How many charts a sweep has."""
_PER_DAY = 12 * 12


@dataclass(frozen=True, slots=True)
class Lesson:
    """One chart of the sweep: the day's ganzhi, plate offset, month, and the question."""

    day: str
    offset: int
    month: str
    question: Question

    def __str__(self) -> str:
        q = self.question
        return f"--day {q.day} --hour {q.hour} --month-general {q.month_general} --month {q.month}"


@cache
def lessons() -> tuple[Lesson, ...]:
    """The charts of the sweep, in the order of the masks' bits."""
    return tuple(Lesson(*each) for each in lesson_questions())


def lessons_of(mask: int) -> int:
    """How many of the 720 lessons a mask touches in any month."""
    return len({i // 12 for i in bits(mask)})


@dataclass(frozen=True, slots=True)
class Swept:
    """What a sweep found.

    Attributes:
        masks: instance id to where it holds, each rule under the readings that
            it needs.
        rules: the rules that were swept.
    """

    masks: Mapping[str, Mask]
    rules: Mapping[str, Rule]

    def rule(self, id: str) -> Mask:
        """Where some instance of the rule holds."""
        yes = maybe = 0
        for instance in self.rules[id].instances:
            mask = self.masks.get(instance.id, NOWHERE)
            yes |= mask.yes
            maybe |= mask.maybe
        return Mask(yes, maybe)


def readings_needed(rule: Rule, library: Library) -> Choices:
    """The readings that must be switched on for *rule* to be awake, if any."""
    if library.awake(rule, {}):
        return ()
    return tuple((f"{rule.passage}:{crux}", option) for crux, option in conjuncts(rule.readings[0]))


def masks_of(rules: Iterable[Rule], library: Library, field: Field) -> dict[str, Mask]:
    """Where the instances of *rules* hold on *field*, each under its own readings."""
    groups: dict[tuple[str, Choices], list[Rule]] = {}
    for rule in rules:
        groups.setdefault((rule.text, readings_needed(rule, library)), []).append(rule)
    found: dict[str, Mask] = {}
    for (text, readings), members in groups.items():
        sweep = Sweep(library.program(text, dict(readings)), field)
        for rule in members:
            found.update((i.id, sweep.instance(i)) for i in rule.instances)
    return found


def sweep_lessons(
    library: Library,
    kb_dir: str | Path | None = None,
    rules: Iterable[Rule] | None = None,
    jobs: int | None = None,
    progress: Callable[[int], None] | None = None,
) -> Swept:
    """Evaluate rules on every lesson in every month.

    Args:
        library: the knowledge base.
        kb_dir: where it stands, for a process that must load it again.
        rules: which rules; all if ``None``.
        jobs: processes; as many as there are processors if ``None``.
        progress: called with the number of charts that were just done.

    Returns:
        masks over :func:`lessons`.
    """
    chosen = {r.id: r for r in (rules if rules is not None else library.kb.rules.values())}
    groups = _by_doctrine(library, {r.text for r in chosen.values()})
    tasks = [
        (tuple(r.id for r in chosen.values() if r.text in texts), texts[0], start, min(start + 5, 60))
        for texts in groups
        for start in range(0, 60, 5)
    ]
    jobs = min(jobs or os.cpu_count() or 1, len(tasks) or 1)
    found: dict[str, list[int]] = {i.id: [0, 0] for r in chosen.values() for i in r.instances}

    def take(start: int, masks: Mapping[str, Mask]) -> None:
        for id, mask in masks.items():
            found[id][0] |= mask.yes << start * _PER_DAY
            found[id][1] |= mask.maybe << start * _PER_DAY
        if progress is not None:
            progress(5 * _PER_DAY)

    if jobs == 1:
        for task in tasks:
            take(task[2], _sweep_days(library, *task))
    else:
        global _library
        _library = library  # a forked process finds it there and need not load it again
        method = "fork" if "fork" in get_all_start_methods() else None
        try:
            with ProcessPoolExecutor(jobs, get_context(method), _start, (kb_dir,)) as pool:
                for task, masks in zip(tasks, pool.map(_work, tasks), strict=True):
                    take(task[2], masks)
        finally:
            _library = None
    return Swept({id: Mask(yes, maybe) for id, (yes, maybe) in found.items()}, chosen)


def _by_doctrine(library: Library, texts: set[str]) -> list[tuple[str, ...]]:
    """Texts that are cast alike, together."""
    groups: dict[tuple[tuple[str, str], ...], list[str]] = {}
    for text in library.kb.texts:
        if text in texts:
            options = library.doctrine(library.kb.texts[text].doctrine).options
            groups.setdefault(tuple(options.items()), []).append(text)
    return [tuple(group) for group in groups.values()]


_Task = tuple[tuple[str, ...], str, int, int]
_library: Library | None = None


def _start(kb_dir: str | Path | None) -> None:
    global _library
    if _library is None:
        _library = Library.load(kb_dir)


def _work(task: _Task) -> dict[str, Mask]:
    assert _library is not None
    return _sweep_days(_library, *task)


def _sweep_days(library: Library, ids: tuple[str, ...], text: str, first: int, last: int) -> dict[str, Mask]:
    """The masks of some rules over the charts of days *first* to before *last*."""
    doctrine = library.doctrine(library.kb.texts[text].doctrine)
    part = lessons()[first * _PER_DAY : last * _PER_DAY]
    field = Field([library.chart(each.question, doctrine) for each in part])
    return masks_of((library.kb.rules[id] for id in ids), library, field)
