"""Conditions in words: what a text says, and what our chart has in its place."""

from __future__ import annotations

from liuren.facts.points import Unknown

from .evaluate import Evaluation, Truth
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
)


def said(condition: Condition) -> str:
    """*condition* in one line: ``initial.general: 玄武; initial controls stem``."""
    match condition:
        case SlotIs(point=point, slot=slot, values=values):
            return f"{point}.{slot}: {' or '.join(map(_plain, values))}"
        case Related(point=point, relations=relations, others=others):
            return f"{point} {' or '.join(relations)} {' or '.join(map(str, others))}"
        case AllOf(items=items):
            return "; ".join(said(i) for i in items)
        case AnyOf(items=items):
            return " or ".join(f"({said(i)})" for i in items)
        case Not(item=item):
            return f"not ({said(item)})"
        case CountOf(word=word, names=names, members=members):
            return f"{word} of {len(names)} points: {said(members[0])} …"
        case PatternIs(name=name, of=of):
            return f"pattern {name}" + (f" of {of}" if of else "")
        case Fires(rule=rule):
            return f"{rule} fires"
        case TallyIs():
            return condition.key


def found(condition: Condition, evaluation: Evaluation) -> str:
    """What the chart has at every place that *condition* looks at, in one line."""
    parts = dict.fromkeys(_found(condition, evaluation))
    return "; ".join(parts)


def _found(condition: Condition, evaluation: Evaluation) -> list[str]:
    match condition:
        case SlotIs(point=point, slot=slot):
            return [f"{point}.{slot}: {_value(evaluation.answer(point, slot))}"]
        case Related(point=point, others=others):
            return [f"{p}: {_value(evaluation.sign(p))}" for p in (point, *others)]
        case AllOf(items=items) | AnyOf(items=items):
            return [part for item in items for part in _found(item, evaluation)]
        case Not(item=item):
            return _found(item, evaluation)
        case CountOf(names=names, members=members):
            pairs = zip(names, members, strict=True)
            holding = [n for n, m in pairs if evaluation.truth(m)]
            return [f"holds of {', '.join(holding) or 'none'}"]
        case Fires(rule=rule):
            return [f"{rule}: {_fired(rule, evaluation)}"]
        case PatternIs() | TallyIs():
            return [f"{said(condition)}: {_truth(evaluation.truth(condition))}"]


def _fired(rule: str, evaluation: Evaluation) -> str:
    if rule not in evaluation.program.rules:
        return "no such rule"
    return {True: "fires", False: "does not fire", None: "unknown"}[evaluation.rule(rule)]


def _truth(truth: Truth) -> str:
    return {True: "holds", False: "does not hold", None: "unknown"}[truth]


def _value(value: object) -> str:
    if isinstance(value, Unknown):
        return f"unknown (needs {', '.join(value.needs)})"
    if isinstance(value, tuple):
        return " ".join(map(_plain, value))
    return "none" if value is None else _plain(value)


def _plain(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)
