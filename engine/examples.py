"""Running the examples of rule files; and the questions of a sweep.

The charts of a sweep (:mod:`.lessons`) are every day and plate in every month:
60 x 12 x 12.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from liuren.facts.errors import UserError
from liuren.facts.ganzhi import BRANCHES, SIXTY, step
from liuren.facts.question import Question

from .evaluate import Evaluation
from .language.conclusions import Rule
from .language.conditions import PatternIs, flatten
from .language.passages import Example, Passage, conjuncts
from .language.source import Problem
from .library import Library
from .questions import build_request


@dataclass(frozen=True, slots=True)
class Missing:
    """A rule without the examples it should have."""

    rule: Rule
    what: tuple[str, ...]


def check_examples(passage: Passage, library: Library) -> Iterator[Problem]:
    """Problems of a passage's examples: each is run as it says."""
    for example in passage.examples:
        for message in _run(example, passage, library):
            yield Problem(passage.file, example.line, passage.id, message)


def missing_examples(passage: Passage, library: Library) -> Iterator[Missing]:
    """Rules that test more than one pattern and lack a firing or a near miss."""
    fires = {k.split("@")[0] for e in passage.examples for k in (*e.fires, *e.never)}
    near = {k.split("@")[0] for e in passage.examples for k in (*e.near, *e.never)}
    for rule in passage.rules:
        parts = flatten(rule.instances[0].when) if rule.instances else ()
        if not parts or (len(parts) == 1 and isinstance(parts[0], PatternIs)):
            continue
        what = [w for w, having in (("fires", fires), ("near", near)) if rule.key not in having]
        if what:
            yield Missing(rule, tuple(what))


def _run(example: Example, passage: Passage, library: Library) -> Iterator[str]:
    for key in example.fires:
        yield from _expect(example, passage, library, key, "fires")
    for key in example.not_:
        yield from _expect(example, passage, library, key, "fails")
    for key in example.unknown:
        yield from _expect(example, passage, library, key, "is undecided")
    for key in example.near:
        yield from _expect(example, passage, library, key, "fails by one condition")


_WANTED = {"fires": True, "fails": False, "is undecided": None}


def _expect(
    example: Example, passage: Passage, library: Library, key: str, how: str
) -> Iterator[str]:
    """A message if the rule *key* does not do on the example's chart what it should."""
    try:
        evaluation = evaluate_example(example, passage, library, key)
    except UserError as error:
        yield f"the example's question is wrong: {error}"
        return
    if how in _WANTED:
        right = _truth(evaluation, passage, key) is _WANTED[how]
    else:
        right = is_near(evaluation, f"{passage.id}/{key}")
    if not right:
        yield f"the example says that {key} {how}; {_state(evaluation, passage, key)}"


def evaluate_example(
    example: Example, passage: Passage, library: Library, key: str
) -> Evaluation:
    """The evaluation of an example's question under its text's own doctrine.

    A reading that the rule *key* belongs to is switched on.

    Raises:
        UserError: the question is wrong.
    """
    given: dict[str, Any] = dict(example.given)
    variants = {f"{passage.id}:{k}": str(v) for k, v in (given.pop("variants", None) or {}).items()}
    rule = library.kb.rules.get(f"{passage.id}/{key.split('@')[0]}")
    if rule is not None and not library.awake(rule, variants):
        for crux, option in conjuncts(rule.readings[0]):
            variants.setdefault(f"{passage.id}:{crux}", option)
    request = build_request(given, library.kb.lexicon)
    doctrine = library.doctrine(
        request.doctrine or library.kb.texts[passage.text].doctrine, request.sets
    )
    chart = library.chart(request.question, doctrine)
    return Evaluation(library.program(passage.text, variants), chart)


def _truth(evaluation: Evaluation, passage: Passage, key: str) -> bool | None:
    id = f"{passage.id}/{key}"
    if "@" in key:
        return next((evaluation.instance(i) for i in evaluation.program.instances if i.id == id), False)
    return evaluation.rule(id) if id in evaluation.program.rules else False


def _state(evaluation: Evaluation, passage: Passage, key: str) -> str:
    id = f"{passage.id}/{key.split('@')[0]}"
    if id not in evaluation.program.rules:
        return "it is not awake under these readings, or has problems of its own"
    if _truth(evaluation, passage, key) is True:
        return "it fires"
    rule = evaluation.program.rules[id]
    best = min(rule.instances, key=lambda i: sum(evaluation.truth(c) is not True for c in flatten(i.when)))
    failing = [c.key for c in flatten(best.when) if evaluation.truth(c) is False]
    open_ = [n for c in flatten(best.when) for n in evaluation.needs(c)]
    parts = ([f"«{'», «'.join(failing)}» fails"] if failing else []) + ([f"it needs {', '.join(open_)}"] if open_ else [])
    return "; ".join(parts)


def is_near(evaluation: Evaluation, id: str) -> bool:
    """Whether the rule (or instance) fails, and some instance by exactly one condition."""
    rule_id = id.split("@")[0]
    if rule_id not in evaluation.program.rules or evaluation.rule(rule_id) is not False:
        return False
    for instance in evaluation.program.rules[rule_id].instances:
        if "@" in id and instance.id != id:
            continue
        truths = [evaluation.truth(c) for c in flatten(instance.when)]
        if truths.count(False) == 1 and None not in truths:
            return True
    return False


# --- the sweep ---------------------------------------------------------------------


def lesson_questions() -> Iterator[tuple[str, int, str, Question]]:
    """Every day, plate offset and month, as (day, offset, month, question).

    The month general is the one of the month's 中氣 (六合 of the month), the
    hour the one that turns the plate to the offset.
    """
    for day in SIXTY:
        for offset in range(12):
            for n, month in enumerate(BRANCHES[2:] + BRANCHES[:2]):
                general = step("亥", -n)
                hour = step(general, -offset)
                yield day, offset, month, Question(day=day, hour=hour, month_general=general, month=month)
