"""Two readings side by side: what changed, and the first cause of each change."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from liuren.engine.casting.json import chart_to_json

from .language.conclusions import Instance, Measure, Pattern, Verdict
from .language.conditions import flatten
from .reading import Reading, Said, TextReading
from .whynot import examine

_CHART_PARTS = (
    "pillars", "month_general", "plate", "generals", "noble", "lessons", "method",
    "transmissions", "void", "spirits", "persons",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Difference:
    """One thing that is otherwise.

    Attributes:
        kind: ``chart``, ``pattern``, ``verdict``, ``measure`` or ``standing``.
        text: the text it belongs to.
        what: the part of the chart, or the id of the conclusion.
        before, after: its value (or words), "" for absent.
        cause: for a conclusion, the first condition that turned, as
            (condition key, found before, found after); else ``None``.
        root: the first chart value or input that the cause rests on and that
            differs, as (step id, before, after); else ``None``.
    """

    kind: str
    text: str
    what: str
    before: str
    after: str
    cause: tuple[str, str, str] | None = None
    root: tuple[str, str, str] | None = None


def compare(before: Reading, after: Reading) -> Iterator[Difference]:
    """Every difference, text by text: chart first, then what is concluded."""
    for text, old in before.texts.items():
        new = after.texts.get(text)
        if new is None:
            continue
        yield from _charts(text, old, new)
        yield from _conclusions(before, after, old, new)


def _charts(text: str, old: TextReading, new: TextReading) -> Iterator[Difference]:
    a, b = chart_to_json(old.chart), chart_to_json(new.chart)
    for part in _CHART_PARTS:
        for path, x, y in _walk(part, a[part], b[part]):
            yield Difference("chart", text, path, _spell(x), _spell(y))


def _walk(path: str, a: Any, b: Any) -> Iterator[tuple[str, Any, Any]]:
    """Leaves that differ, with their path; branch maps are compared whole."""
    if a == b:
        return
    if isinstance(a, dict) and isinstance(b, dict) and path not in ("plate", "generals"):
        for key in dict.fromkeys((*a, *b)):
            yield from _walk(f"{path}.{key}", a.get(key), b.get(key))
    elif isinstance(a, list) and isinstance(b, list) and len(a) == len(b) and path != "void":
        for n, (x, y) in enumerate(zip(a, b, strict=True)):
            yield from _walk(f"{path}.{n}", x, y)
    else:
        yield path, a, b


def _spell(value: Any) -> str:
    if isinstance(value, dict):
        return " ".join(f"{k}{v}" for k, v in value.items())
    if isinstance(value, list):
        return " ".join(map(str, value))
    return "" if value is None else str(value)


def _conclusions(
    before: Reading, after: Reading, old: TextReading, new: TextReading
) -> Iterator[Difference]:
    a, b = _said(old), _said(new)
    for id in dict.fromkeys((*a, *b)):
        if id in a and id in b:
            yield from _standing(before, after, a[id], b[id], id)
            continue
        said = a.get(id) or b[id]
        cause, root = _turned(said.instance, old, new)
        kind = type(said.conclusion).__name__.lower()
        words = _words(said)
        yield Difference(
            kind, old.text, id, words if id in a else "", words if id in b else "", cause, root
        )


def _said(text: TextReading) -> dict[str, Said]:
    found: dict[str, Said] = {}
    for said in text.said:
        body = said.conclusion
        if isinstance(body, Pattern):
            found.setdefault(f"{body.name}" + (f"@{body.of}" if body.of else ""), said)
        elif isinstance(body, Verdict):
            found[body.id] = said
        elif isinstance(body, Measure):
            found[f"measure {body.id}"] = said
    return found


def _words(said: Said) -> str:
    body = said.conclusion
    if isinstance(body, Verdict):
        return f"{body.polarity}: {body.en}"
    return body.name if isinstance(body, Pattern | Measure) else ""


def _standing(
    before: Reading, after: Reading, old: Said, new: Said, id: str
) -> Iterator[Difference]:
    if isinstance(old.conclusion, Pattern):
        return
    a, b = before.standing(old), after.standing(new)
    if a.state != b.state:
        by = [m for m, _ in (*a.by, *b.by) if ((m in dict(a.by)) != (m in dict(b.by)))]
        cause = ("modifier " + ", ".join(dict.fromkeys(by)), "", "") if by else None
        yield Difference("standing", old.rule.text, id, a.state, b.state, cause)


def _turned(
    instance: Instance, old: TextReading, new: TextReading
) -> tuple[tuple[str, str, str] | None, tuple[str, str, str] | None]:
    """The first condition of *instance* whose truth turned, and what it goes back to."""
    for part in flatten(instance.when):
        x, y = old.evaluation.truth(part), new.evaluation.truth(part)
        if x is not y:
            was, now = examine(part, old.evaluation).actual, examine(part, new.evaluation).actual
            return (part.key, was, now), first_change(old, new)
    awake = {i.id for i in new.evaluation.program.instances} & {
        i.id for i in old.evaluation.program.instances
    }
    if instance.id not in awake:
        return ("reading of the verse", "", ""), None
    return None, first_change(old, new)


def first_change(old: TextReading, new: TextReading) -> tuple[str, str, str] | None:
    """The first casting step, in casting order, whose value differs."""
    for id, step in old.chart.steps.items():
        other = new.chart.steps.get(id)
        if other is None or other.value != step.value:
            return id, _spell(step.value), _spell(other.value) if other else ""
    for id, step in new.chart.steps.items():
        if id not in old.chart.steps:
            return id, "", _spell(step.value)
    return None
