"""The sweep: every rule on the 720 lessons in each of the twelve months.

The charts are those of :func:`.examples.lesson_questions`, day by day.  The work
is shared among processes, each casting some of the days.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import ExitStack
from dataclasses import dataclass
from functools import cache
from multiprocessing import get_all_start_methods, get_context

from liuren.facts.question import Question

from .examples import lesson_questions
from .language.conclusions import Rule
from .language.conditions import flatten
from .language.passages import conjuncts
from .library import Choices, Library
from .sweep import NOWHERE, Field, Mask, Sweep, bits

CHARTS = 60 * 12 * 12
"""How many charts a sweep has."""
_SLICES = 12
"""Into how many parts the charts of a sweep are cut for the processes."""


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


Masking = Callable[[Iterable[Rule], Library, Field], dict[str, Mask]]


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


NEAR = "near "
"""Before an instance's id: where it fails by exactly one of several conditions."""


def masks_and_near(rules: Iterable[Rule], library: Library, field: Field) -> dict[str, Mask]:
    """As :func:`masks_of`, and under :data:`NEAR` where a rule fails by one condition of an instance."""
    rules = list(rules)
    found = masks_of(rules, library, field)
    for rule in rules:
        sweep = Sweep(library.program(rule.text, dict(readings_needed(rule, library))), field)
        fails = field.full & ~sweep.rule(rule.id).maybe
        for instance in rule.instances:
            near = _one_false([sweep.truth(c) for c in flatten(instance.when)], field.full) & fails
            found[NEAR + instance.id] = Mask(near, near)
    return found


def _one_false(parts: Sequence[Mask], full: int) -> int:
    """Where exactly one of *parts* fails and no other is unknown."""
    none, one = full, 0
    for part in parts:
        one = (one & part.yes) | (none & full & ~part.maybe)
        none &= part.yes
    return one if len(parts) > 1 else 0


def sweep_lessons(
    library: Library,
    rules: Iterable[Rule] | None = None,
    jobs: int | None = None,
    progress: Callable[[int], None] | None = None,
    of: Masking = masks_of,
) -> Swept:
    """Evaluate rules on every lesson in every month; see :func:`sweep`."""
    return sweep(library, [each.question for each in lessons()], rules, jobs, progress, of)


def sweep(
    library: Library,
    questions: Sequence[Question],
    rules: Iterable[Rule] | None = None,
    jobs: int | None = None,
    progress: Callable[[int], None] | None = None,
    of: Masking = masks_of,
) -> Swept:
    """Evaluate rules on the charts of many questions, each text by its own doctrine.

    Args:
        library: the knowledge base.
        questions: what is cast.
        rules: which rules; all if ``None``.
        jobs: processes; as many as there are processors if ``None``.
        progress: called with the number of charts that were just done.
        of: what is asked of the rules, :func:`masks_of` or :func:`masks_and_near`.

    Returns:
        masks over *questions*.
    """
    global _shared
    chosen = {r.id: r for r in (rules if rules is not None else library.kb.rules.values())}
    step = -(-len(questions) // _SLICES) or 1
    tasks = [
        (tuple(r.id for r in chosen.values() if r.text in texts), texts[0], start, min(start + step, len(questions)))
        for texts in _by_doctrine(library, {r.text for r in chosen.values()})
        for start in range(0, len(questions), step)
    ]
    found: dict[str, list[int]] = {}
    jobs = min(jobs or os.cpu_count() or 1, len(tasks) or 1)
    if "fork" not in get_all_start_methods():
        jobs = 1  # the processes share what was loaded
    _shared = (library, questions, of)
    try:
        with ExitStack() as stack:
            run = map
            if jobs > 1:
                run = stack.enter_context(ProcessPoolExecutor(jobs, get_context("fork"))).map  # type: ignore[assignment]
            for task, masks in zip(tasks, run(_work, tasks), strict=True):
                for id, mask in masks.items():
                    both = found.setdefault(id, [0, 0])
                    both[0] |= mask.yes << task[2]
                    both[1] |= mask.maybe << task[2]
                if progress is not None:
                    progress(task[3] - task[2])
    finally:
        _shared = None
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
_shared: tuple[Library, Sequence[Question], Masking] | None = None
"""What the forked processes find when they start."""


def _work(task: _Task) -> dict[str, Mask]:
    """The masks of some rules over the charts of some of the questions."""
    assert _shared is not None
    library, questions, of = _shared
    ids, text, first, last = task
    doctrine = library.doctrine(library.kb.texts[text].doctrine)
    field = Field([library.chart(question, doctrine) for question in questions[first:last]])
    return of((library.kb.rules[id] for id in ids), library, field)
