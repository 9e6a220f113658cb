"""Why something is not there: each condition in turn, and the nearest way to it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from liuren.facts.points import Unknown
from liuren.facts.relations import ELEMENT_RELATIONS

from .evaluate import Evaluation, Truth
from .language.conclusions import Instance
from .language.conditions import (
    AllOf,
    AnyOf,
    Condition,
    CountOf,
    Fires,
    Not,
    PatternIs,
    Related,
    SlotIs,
    TallyIs,
    flatten,
)


@dataclass(frozen=True, slots=True)
class Finding:
    """A condition and how it fared.

    Attributes:
        condition: what was asked.
        truth: held, failed or unknown (``None``).
        actual: what was found instead, in chart values, for a leaf.
        needs: inputs that would decide it.
        parts: findings of what it is made of: alternatives (nearest first),
            members of a count, the rules that could conclude a pattern.
        rule: for a part that is a rule instance, its id.
    """

    condition: Condition
    truth: Truth
    actual: str = ""
    needs: tuple[str, ...] = ()
    parts: tuple[Finding, ...] = ()
    rule: str = ""

    @property
    def distance(self) -> int:
        """How many leaves would have to change at the least: 0 when it holds."""
        if self.truth is True:
            return 0
        if isinstance(self.condition, AnyOf | PatternIs | Fires) and self.parts:
            return min(p.distance for p in self.parts) or 1
        if isinstance(self.condition, AllOf) and self.parts:
            return sum(p.distance for p in self.parts)
        return 1


def examine(condition: Condition, evaluation: Evaluation, depth: int = 3) -> Finding:
    """How *condition* fared on the chart, and what it is made of.

    Args:
        condition: any condition.
        evaluation: of the program and chart.
        depth: how many rules deep patterns and firings are opened.
    """
    truth = evaluation.truth(condition)
    needs = evaluation.needs(condition)
    match condition:
        case AllOf():
            parts = tuple(examine(c, evaluation, depth) for c in flatten(condition))
            return Finding(condition, truth, "", needs, parts)
        case AnyOf(items=items):
            found = [examine(c, evaluation, depth) for c in items]
            return Finding(condition, truth, "", needs, tuple(sorted(found, key=lambda f: f.distance)))
        case CountOf(members=members, names=names):
            parts = tuple(examine(m, evaluation, depth) for m in members)
            held = [n for n, p in zip(names, parts, strict=True) if p.truth]
            return Finding(condition, truth, " ".join(held) or "none", needs, parts)
        case Not(item=item):
            inner = examine(item, evaluation, depth)
            return Finding(condition, truth, inner.actual, needs, inner.parts)
        case PatternIs(name=name, of=of):
            made = [i for i, at in evaluation.program.patterns.get(name, ()) if of in (None, at)]
            return Finding(condition, truth, "", needs, _rules(made, evaluation, depth))
        case Fires(rule=rule):
            known = evaluation.program.rules.get(rule)
            made = list(known.instances) if known else []
            return Finding(condition, truth, "", needs, _rules(made, evaluation, depth))
        case _:
            return Finding(condition, truth, actual_value(condition, evaluation), needs)


def examine_instance(instance: Instance, evaluation: Evaluation, depth: int = 3) -> Finding:
    """How a rule instance fared, condition by condition."""
    found = examine(instance.when, evaluation, depth)
    return Finding(found.condition, found.truth, "", found.needs, found.parts, instance.id)


def nearest_instance(id: str, evaluation: Evaluation) -> Instance:
    """The instance of a rule (or the one named) that came nearest to holding."""
    rule = evaluation.program.rules[id.partition("@")[0]]
    instances = [i for i in rule.instances if "@" not in id or i.id == id]
    return min(instances, key=lambda i: examine_instance(i, evaluation, 1).distance)


def _rules(instances: list[Instance], evaluation: Evaluation, depth: int) -> tuple[Finding, ...]:
    """The rules that could conclude something, the nearest first; one for each rule."""
    if depth <= 0:
        return ()
    best: dict[str, Finding] = {}
    for instance in instances:
        found = examine_instance(instance, evaluation, depth - 1)
        if instance.rule not in best or found.distance < best[instance.rule].distance:
            best[instance.rule] = found
    return tuple(sorted(best.values(), key=lambda f: f.distance))


def actual_value(condition: Condition, evaluation: Evaluation) -> str:
    """What was found at a leaf, in chart values; "" when it is not known."""
    match condition:
        case SlotIs(point=point, slot=slot):
            return _spell(evaluation.answer(point, slot))
        case Related(point=point, others=others):
            left = evaluation.sign(point)
            rights = [evaluation.sign(o) for o in others]
            if isinstance(left, Unknown) or any(isinstance(r, Unknown) for r in rights):
                return ""
            return "; ".join(_bearing(condition, left, r, o.text, evaluation) for r, o in zip(rights, others, strict=True))
        case TallyIs(tally=tally):
            scores = evaluation.tally(tally)
            return ", ".join(f"{s} {v.sure}" + (f"–{v.possible}" if v.possible != v.sure else "") for s, v in scores.items())
        case _:
            return ""


def _bearing(condition: Related, left: Any, right: Any, name: str, evaluation: Evaluation) -> str:
    """How two signs really stand: ``子 generates 寅 (stem)``."""
    if left is None or right is None:
        return f"{left or '—'}, {right or '—'} ({name})"
    if set(condition.relations) & set(ELEMENT_RELATIONS):
        relation = evaluation.chart.tables.bearing(left, right)
        return f"{left} {relation} {right} ({name})"
    return f"{left}, {right} ({name})"


def _spell(answer: object) -> str:
    if isinstance(answer, Unknown):
        return ""
    if isinstance(answer, tuple):
        return " ".join(map(str, answer))
    if isinstance(answer, bool):
        return "true" if answer else "false"
    return "none" if answer is None else str(answer)


def near_rules(evaluation: Evaluation) -> Iterator[tuple[Instance, Finding]]:
    """Rules that failed by exactly one condition, with that condition's finding.

    One instance for each rule, in the order of the text; undecided ones are
    left to the unknown.
    """
    for rule in evaluation.program.rules.values():
        if evaluation.rule(rule.id) is not False:
            continue
        for instance in rule.instances:
            truths = [evaluation.truth(c) for c in flatten(instance.when)]
            if truths.count(False) == 1 and None not in truths and len(truths) > 1:
                part = flatten(instance.when)[truths.index(False)]
                yield instance, examine(part, evaluation)
                break
