"""From YAML to conclusions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from liuren.facts.points import PERSON_PARTS, Point
from liuren.facts.slots import SLOTS, slot_of, slots_for

from .conclusions import (
    Conclusion,
    Measure,
    Modifier,
    Pattern,
    Role,
    Value,
    Verdict,
    Vote,
)
from .parser import whole_id
from .scope import Scope
from .source import Text, line_of

KINDS = ("pattern", "vote", "measure", "verdict", "modifier", "role")
MEASURE_FIELDS = (
    "branch", "stem", "general", "direction", "year", "month", "day", "hour",
    "number", "within", "unit", "value",
)  # fmt: skip
CONCLUSION_KEYS = {
    "pattern": ("pattern", "of"),
    "vote": ("vote", "for", "weight"),
    "measure": ("measure", "of", "topic", "text", *MEASURE_FIELDS),
}
"""Keys of the conclusions that are written flat."""
BODY_KEYS = {
    "verdict": ("topic", "polarity", "en", "ko", "of"),
    "modifier": ("topic", "polarity", "of"),  # and one kind of vocabulary.yaml
    "role": ("topic", "zh", "en", "ko", "is"),
}
"""Keys inside the conclusions that have a body of their own."""


def parse_conclusions(data: object, instance: str, scope: Scope) -> tuple[Conclusion, ...]:
    """The conclusions of one rule instance.

    Args:
        data: one conclusion or a list of them.
        instance: id of the instance; conclusions are numbered after it when a
            rule has several of one kind.
        scope: where the rule stands, with its variables bound.
    """
    items = data if isinstance(data, list) else [data]
    if not items or items == [None]:
        scope.error(data, "`then` concludes nothing")
    counts: dict[str, int] = {}
    found: list[Conclusion] = []
    for item in items:
        kinds = [k for k in KINDS if isinstance(item, dict) and k in item]
        if not isinstance(item, dict) or len(kinds) != 1:
            other = [str(k) for k in item if k not in KINDS] if isinstance(item, dict) else [str(item)]
            given = f", not «{other[0]}»" if other and not kinds else ""
            scope.error(item, f"a conclusion has exactly one of {', '.join(KINDS)}{given}")
            continue
        kind = kinds[0]
        counts[kind] = counts.get(kind, 0) + 1
        id = instance if counts[kind] == 1 else f"{instance}#{counts[kind]}"
        concluded = _PARSE[kind](item, id, scope)
        if concluded is not None:
            found.append(concluded)
    return tuple(found)


def _keys(data: dict[str, Any], allowed: Sequence[str], what: str, scope: Scope) -> None:
    for key in data:
        if key not in allowed:
            line = getattr(data, "lines", {}).get(key, 0)
            scope.error(data, f"{what} has no «{key}»; known: {', '.join(allowed)}", line)


def _of(data: dict[str, Any], scope: Scope) -> str | None:
    if "of" not in data:
        return None
    point = scope.point(data["of"])
    return point.text if point else None


def _pattern(data: dict[str, Any], id: str, scope: Scope) -> Conclusion:
    _keys(data, CONCLUSION_KEYS["pattern"], "a pattern", scope)
    return Pattern(_name(data, "pattern", scope), _of(data, scope))


def _name(data: dict[str, Any], kind: str, scope: Scope) -> str:
    if not isinstance(data[kind], str) or not data[kind]:
        scope.error(data, f"`{kind}` wants a name, not «{data[kind]}»")
    return str(data[kind])


def _vote(data: dict[str, Any], id: str, scope: Scope) -> Conclusion | None:
    _keys(data, CONCLUSION_KEYS["vote"], "a vote", scope)
    if "for" not in data:
        scope.error(data, "a vote wants `for:` with the side it votes for")
        return None
    weight = data.get("weight", 1)
    if not isinstance(weight, int) or isinstance(weight, bool) or weight < 1:
        scope.error(data, f"the weight of a vote is a whole number from 1, not «{weight}»")
        weight = 1
    spec = data["for"]
    if not isinstance(spec, str) or not spec:
        scope.error(data, f"`for` wants the name of a side or `point.slot`, not «{spec}»")
        return None
    side = value_of(spec, scope) if "." in spec else Value(literal=str(spec))
    return Vote(_name(data, "vote", scope), side, weight) if side else None


def _measure(data: dict[str, Any], id: str, scope: Scope) -> Conclusion:
    _keys(data, CONCLUSION_KEYS["measure"], "a measure", scope)
    fields = []
    for name in MEASURE_FIELDS:
        if name in data:
            value = _field(name, data[name], scope)
            if value is not None:
                fields.append((name, value))
    words = data.get("text") or {}
    if not words and not any(name in data for name in MEASURE_FIELDS):
        scope.error(data, f"a measure gives one of {', '.join(MEASURE_FIELDS)}, or text")
    topics = scope.topics(data.get("topic", "general"))
    en, ko = (str(words.get(k, "")) for k in ("en", "ko")) if isinstance(words, dict) else ("", "")
    return Measure(id, _name(data, "measure", scope), tuple(fields), topics, _of(data, scope), en, ko)


def _field(name: str, spec: object, scope: Scope) -> Value | None:
    if name in ("within", "unit"):
        if spec not in scope.lexicon.units:
            scope.error(spec, f"«{spec}» is no unit of time; known: {', '.join(scope.lexicon.units)}")
            return None
        return Value(literal=str(spec))
    if isinstance(spec, int):
        return Value(literal=spec)
    return value_of(spec, scope)


def value_of(spec: object, scope: Scope) -> Value | None:
    """A point, a slot of a point (``initial.general``), or a plain sign."""
    if not isinstance(spec, str):
        scope.error(spec, f"«{spec}» is no value; write a point or `point.slot`")
        return None
    signs = {v for slot in SLOTS.values() for v in slot.values if isinstance(v, str)}
    if str(spec) in signs:
        return Value(literal=str(spec))
    head, dot, slot = spec.rpartition(".")
    if dot and slot.isidentifier() and slot not in (*PERSON_PARTS, "stem", "branch"):
        return _slot_value(head, slot, spec, scope)
    point = scope.point(spec)
    if point is not None and point.kind == "record":
        scope.error(spec, f"«{point}» is no sign; name one of its slots, as in `noble.direction`")
        return None
    return Value(point) if point else None


def _slot_value(head: str, slot: str, spec: str, scope: Scope) -> Value | None:
    """A slot of a point, ``point.slot``; slots that points have of themselves
    (``stem``, ``branch``) are written as the point alone."""
    marked = Text(head)
    marked.line = line_of(spec)
    point = scope.point(marked)
    if point is None:
        return None
    told = frozenset(scope.lexicon.told)
    if slot_of(point, slot, told) is None:
        known = ", ".join(slots_for(point, told))
        scope.error(spec, f"«{slot}» is no slot of {point}; known: {known}")
        return None
    return Value(point, slot)


def _words(data: dict[str, Any], what: str, scope: Scope) -> tuple[str, str]:
    for key in ("en", "ko"):
        if not isinstance(data.get(key), str) or not data[key].strip():
            scope.error(data, f"{what} wants words in `{key}`")
    return str(data.get("en") or ""), str(data.get("ko") or "")


def _verdict(data: dict[str, Any], id: str, scope: Scope) -> Conclusion | None:
    body = data["verdict"]
    if not isinstance(body, dict):
        scope.error(data, "a verdict is written `verdict: {topic, polarity, en, ko}`")
        return None
    _keys(body, BODY_KEYS["verdict"], "a verdict", scope)
    polarity = body.get("polarity")
    if polarity not in scope.lexicon.polarities:
        scope.error(
            body, f"«{polarity}» is no polarity; known: {', '.join(scope.lexicon.polarities)}"
        )
    en, ko = _words(body, "a verdict", scope)
    if "topic" not in body:
        scope.error(body, "a verdict wants a topic; `general` when the clause names none")
    topics = scope.topics(body.get("topic", "general"))
    return Verdict(id, topics, str(polarity), en, ko, _of(body, scope))


def _modifier(data: dict[str, Any], id: str, scope: Scope) -> Conclusion | None:
    body = data["modifier"]
    if not isinstance(body, dict):
        scope.error(data, "a modifier is written `modifier: {cancels: target}`")
        return None
    kinds = [k for k in scope.lexicon.modifiers if k in body]
    _keys(body, (*scope.lexicon.modifiers, *BODY_KEYS["modifier"]), "a modifier", scope)
    if len(kinds) != 1:
        scope.error(body, f"a modifier has exactly one of {', '.join(scope.lexicon.modifiers)}")
        return None
    spec = body[kinds[0]]
    targets = tuple(_target(str(t), scope) for t in (spec if isinstance(spec, list) else [spec]))
    topics = scope.topics(body["topic"]) if "topic" in body else ()
    polarity = body.get("polarity")
    if polarity is not None and polarity not in scope.lexicon.polarities:
        scope.error(body, f"«{polarity}» is no polarity; known: {', '.join(scope.lexicon.polarities)}")
    return Modifier(id, kinds[0], targets, topics, polarity and str(polarity), _of(body, scope))


def _target(target: str, scope: Scope) -> str:
    if target == "*":
        return f"{scope.text}.*"
    return target if target.startswith("pattern:") else whole_id(target, scope)


def _role(data: dict[str, Any], id: str, scope: Scope) -> Conclusion | None:
    body = data["role"]
    if not isinstance(body, dict):
        scope.error(data, "a role is written `role: {topic, zh, en, ko, is: POINT}`")
        return None
    _keys(body, BODY_KEYS["role"], "a role", scope)
    en, ko = _words(body, "a role", scope)
    point: Point | None = scope.point(body.get("is"))
    topics = scope.topics(body.get("topic", "general"))
    if point is not None and point.kind == "record":
        scope.error(body, f"«{point}» is no sign, so it stands for nobody; name a point, as in `{point}.annual`")
    return Role(id, topics, point, str(body.get("zh") or ""), en, ko) if point else None


_PARSE = {
    "pattern": _pattern,
    "vote": _vote,
    "measure": _measure,
    "verdict": _verdict,
    "modifier": _modifier,
    "role": _role,
}
