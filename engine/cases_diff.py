"""Which worked cases come out otherwise under another school or knowledge base, and why.

A case is cast and every rule of every text evaluated on both sides.  A case has changed
if a part of its chart, its agreement with what is recorded, or a rule has.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from liuren.facts.chart import Chart
from liuren.facts.errors import UserError

from .cases_run import run_case
from .cases_types import Case
from .casting.json import chart_to_json
from .doctrine import Doctrine
from .evaluate import Evaluation, Program
from .language.conclusions import Rule
from .language.conditions import flatten
from .library import Library
from .questions import Request
from .whynot import actual_value

_PARTS = (
    "pillars", "month_general", "plate", "noble", "lessons", "method", "transmissions",
    "generals", "void", "spirits", "persons",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Side:
    """One of the two that are compared.

    Attributes:
        library: its knowledge base.
        doctrine: one school for all, or ``None`` for each case and text its own.
        sets: options set for all.
    """

    library: Library
    doctrine: str | None
    sets: Mapping[str, str]

    def school(self, case: Case, text: str = "") -> Doctrine:
        """The school by which *case* is cast, or by which *text* reads it."""
        library = self.library
        if self.doctrine is not None:
            return library.doctrine(self.doctrine, self.sets)
        school = case.doctrine
        if text and text != case.text and not case.book:
            school = library.doctrine(library.kb.texts[text].doctrine, case.requests[0].sets)
        return school.with_set(self.sets) if self.sets else school


@dataclass(frozen=True, slots=True)
class RuleChange:
    """A rule that comes out otherwise.

    Attributes:
        rule: its id.
        before, after: whether it fires; ``None`` for unknown, "" where there is no such rule.
        how: ``chart`` (a condition turned), ``new``, ``gone``, ``rewritten`` (its
            conditions) or ``reworded`` (what it concludes).
        condition: the first condition that turned, "" if the rule itself changed.
        was, now: what that condition found on either side.
        charts: on how many charts of the case.
    """

    rule: str
    before: bool | str | None
    after: bool | str | None
    how: str
    condition: str = ""
    was: str = ""
    now: str = ""
    charts: int = 1


@dataclass(frozen=True, slots=True)
class CaseDifference:
    """A case that comes out otherwise.

    Attributes:
        id: the case.
        before, after: whether it comes out as recorded.
        chart: parts of the (first) chart, as (path, before, after).
        rules: the rules, in the order of the knowledge base.
    """

    id: str
    before: bool
    after: bool
    chart: tuple[tuple[str, str, str], ...]
    rules: tuple[RuleChange, ...]


def difference(old: Case, new: Case, before: Side, after: Side) -> CaseDifference | None:
    """How a case changes from one side to the other; ``None`` if it does not.

    Args:
        old, new: the case as either side has it.
        before, after: the sides.

    Raises:
        UserError: what the case gives makes no chart on one of the sides.
    """
    chart: tuple[tuple[str, str, str], ...] = ()
    rules: dict[tuple[str, str], RuleChange] = {}
    pairs = zip(old.requests, new.requests, strict=False)
    for n, (asked_old, asked_new) in enumerate(pairs):
        a = _cast(old, asked_old, before)
        b = _cast(new, asked_new, after)
        if n == 0:
            chart = tuple(_chart_changes(a, b))
        for change in _rule_changes(old, new, asked_old, asked_new, before, after):
            key = (change.rule, change.how)
            known = rules.get(key)
            rules[key] = replace(known, charts=known.charts + 1) if known else change
    was = run_case(replace(old, doctrine=before.school(old)), before.library).passed
    now = run_case(replace(new, doctrine=after.school(new)), after.library).passed
    if was == now and not chart and not rules:
        return None
    return CaseDifference(new.id, was, now, chart, tuple(rules.values()))


def _cast(case: Case, request: Request, side: Side, text: str = "") -> Chart:
    try:
        return side.library.chart(request.question, side.school(case, text))
    except UserError as error:
        raise UserError(f"{case.file}:{case.line}: {case.id}: {error}") from None


def _chart_changes(a: Chart, b: Chart) -> Iterator[tuple[str, str, str]]:
    before, after = chart_to_json(a), chart_to_json(b)
    for part in _PARTS:
        if before[part] != after[part]:
            yield part, _spell(part, before[part]), _spell(part, after[part])


def _spell(part: str, value: Any) -> str:
    match part:
        case "transmissions":
            return " ".join(f"{x['branch']}{x['general']}" for x in value)
        case "lessons":
            return " ".join(f"{x['upper']}{x['general']}" for x in value)
    if isinstance(value, Mapping):
        return " ".join(f"{k}{'' if v is None else v}" for k, v in value.items())
    return " ".join(map(str, value)) if isinstance(value, list) else str(value)


def _rule_changes(
    old: Case, new: Case, asked_old: Request, asked_new: Request, before: Side, after: Side
) -> Iterator[RuleChange]:
    one, other = before.library, after.library
    texts = dict.fromkeys((*one.texts(), *other.texts()))
    for text in texts:
        ids_old = one.program(text, asked_old.variants) if text in one.kb.texts else _nothing(text)
        ids_new = other.program(text, asked_new.variants) if text in other.kb.texts else _nothing(text)
        a = _cast(old, asked_old, before, text if text in one.kb.texts else "")
        b = _cast(new, asked_new, after, text if text in other.kb.texts else "")
        if ids_old is ids_new and not any(_chart_changes(a, b)):
            continue
        yield from _compare(Evaluation(ids_old, a), Evaluation(ids_new, b))


def _nothing(text: str) -> Program:
    return Program.of(text, (), {})


def _compare(a: Evaluation, b: Evaluation) -> Iterator[RuleChange]:
    rules_a, rules_b = a.program.rules, b.program.rules
    for id in dict.fromkeys((*rules_a, *rules_b)):
        if id not in rules_b:
            if a.rule(id):
                yield RuleChange(id, True, "", "gone")
        elif id not in rules_a:
            if b.rule(id):
                yield RuleChange(id, "", True, "new")
        else:
            x, y = a.rule(id), b.rule(id)
            rewritten = _conditions(rules_a[id]) != _conditions(rules_b[id])
            if x is not y:
                how = "rewritten" if rewritten else "chart"
                turned = ("", "", "") if rewritten else _turned(rules_a[id], a, b)
                yield RuleChange(id, x, y, how, *turned)
            elif x and not rewritten and _conclusions(rules_a[id]) != _conclusions(rules_b[id]):
                yield RuleChange(id, x, y, "reworded")


def _conditions(rule: Rule) -> tuple[tuple[str, str], ...]:
    return tuple((i.id, i.when.key) for i in rule.instances)


def _conclusions(rule: Rule) -> tuple[str, ...]:
    return tuple(repr(i.conclusions) for i in rule.instances)


def _turned(rule: Rule, a: Evaluation, b: Evaluation) -> tuple[str, str, str]:
    """The first condition whose truth turned, in an instance that turned itself."""
    for instance in rule.instances:
        if a.instance(instance) is b.instance(instance):
            continue
        for part in flatten(instance.when):
            if a.truth(part) is not b.truth(part):
                return part.key, actual_value(part, a), actual_value(part, b)
    return "", "", ""
