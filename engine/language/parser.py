"""From YAML to conditions.

The parser never stops at a mistake: it reports it to its scope and leaves the
condition out, so that one run tells everything that is wrong with a file.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from liuren.facts.points import Point, nearest
from liuren.facts.relations import BRANCHES_ONLY, RELATIONS
from liuren.facts.slots import Slot, slot_of, slots_for

from .conditions import (
    ALWAYS,
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
from .scope import Scope
from .source import Text, line_of

FORMS = ("any", "all", "not", "some", "none", "every", "count", "pattern", "fires", "tally")
COUNT_KEYS = ("in", "has", "but", "as", "where", "at_least", "at_most", "exactly")


def parse_conditions(data: object, scope: Scope) -> Condition:
    """A list of conditions, one condition, or ``always``, as one condition."""
    if data == "always":
        return ALWAYS
    if data == []:
        scope.error(data, "an empty list of conditions says nothing; write `always` for a clause without condition")
    items = data if isinstance(data, list) else [data]
    parsed = [c for item in items for c in _item(item, scope)]
    return parsed[0] if len(parsed) == 1 else AllOf(tuple(parsed))


def _item(data: object, scope: Scope) -> list[Condition]:
    if isinstance(data, list):
        return [parse_conditions(data, scope)]
    if data == "always":
        return []
    if not isinstance(data, dict) or not data:
        scope.error(data, f"«{data}» is no condition; write `point: {{slot: value}}` or one of {', '.join(FORMS)}")
        return []
    return [c for key, value in data.items() for c in _entry(key, value, data, scope)]


def _entry(key: str, value: object, data: object, scope: Scope) -> list[Condition]:
    line = getattr(data, "lines", {}).get(key, 0)
    if key in ("any", "all"):
        if not isinstance(value, list) or not value:
            scope.error(data, f"`{key}` wants a list of conditions", line)
            return []
        items = tuple(parse_conditions(item, scope) for item in value)
        return [AnyOf(items) if key == "any" else AllOf(items)]
    if key == "not":
        return [Not(parse_conditions(value, scope))]
    if key in ("some", "none", "every", "count"):
        return _count(key, value, line, scope)
    if key == "pattern":
        return _patterns(value, None, line, scope)
    if key == "fires":
        return [_any_of([Fires(whole_id(v, scope)) for v in names])] if (names := _names("fires", value, line, scope)) else []
    if key == "tally":
        return _tally(value, data, line, scope)
    point = scope.point(_at(key, line))
    if point is None:
        return []
    return slot_conditions(point, value, scope, line)


def _at(text: str, line: int) -> str:
    marked = Text(text)
    marked.line = line
    return marked


def slot_conditions(point: Point, data: object, scope: Scope, line: int = 0) -> list[Condition]:
    """The conditions ``{slot: value, relation: point}`` says of *point*."""
    if not isinstance(data, dict) or not data:
        scope.error(data, f"«{point}» wants slots or relations in braces, as in `{point}: {{…}}`", line)
        return []
    found: list[Condition] = []
    for name, value in data.items():
        here = getattr(data, "lines", {}).get(name, line)
        if name == "pattern":
            found.extend(_patterns(value, point.text, here, scope))
        elif all(part in RELATIONS for part in name.split(" or ")):
            found.extend(_related(point, name, value, here, scope))
        else:
            found.extend(_slot(point, name, value, here, scope))
    return found


def _related(point: Point, name: str, value: object, line: int, scope: Scope) -> list[Condition]:
    if point.kind == "record":
        scope.error(value, f"«{point}» is no sign, so it has no relation «{name}»", line)
        return []
    relations = tuple(name.split(" or "))
    others = scope.members(value)
    if value == []:
        scope.error(value, f"«{name}» of {point} wants a point or a group, not an empty list", line)
    for other in others:
        if other.kind == "record":
            scope.error(value, f"«{other}» is no sign, so nothing can be said to be {name} it", line)
            return []
        if "is" in relations and other.kind != point.kind:
            scope.error(value, f"`{point}: {{is: {other}}}` can never hold: a {point.kind} is no {other.kind}", line)
            return []
        if BRANCHES_ONLY & set(relations) and "general" in (point.kind, other.kind):
            scope.error(value, f"«{name}» holds between branches, and a general is none", line)
            return []
    return [Related(point, relations, tuple(others))] if others else []


def _slot(point: Point, name: str, value: object, line: int, scope: Scope) -> list[Condition]:
    lexicon = scope.lexicon
    slot = slot_of(point, name, frozenset(lexicon.told))
    if slot is None:
        known = [*slots_for(point, frozenset(lexicon.told)), *(RELATIONS if point.kind != "record" else ())]
        near = nearest(name, known)
        hint = f"did you mean {near}?" if near else f"known: {', '.join(known)}"
        scope.error(value, f"«{name}» is no slot or relation of {point}; {hint}", line)
        return []
    values = _values(value, line, scope)
    if value == []:
        scope.error(value, f"{point}.{name} is given no value", line)
    allowed = _allowed(slot, point, scope)
    for item in values:
        if item not in allowed or (isinstance(item, bool) != any(isinstance(a, bool) for a in allowed)):
            here = _line_in(value, item, line)
            scope.error(value, f"«{_plain(item)}» is no value of {point}.{name}; {_hint(item, allowed)}", here)
            return []
    if values and len(set(values)) == len(allowed) > 1 and point.kind != "record":
        scope.error(value, f"{point}.{name} is given every value it can have, so it says nothing", line)
    return [SlotIs(point, name, tuple(values))] if values else []


def _plain(value: object) -> str:
    """A value as YAML writes it."""
    return str(value).lower() if isinstance(value, bool) else str(value)


def _hint(item: object, allowed: tuple[object, ...]) -> str:
    """What would be accepted in place of *item*."""
    known = [_plain(a) for a in allowed]
    if str(item) in known:  # '3' in quotes is text, 3 a number
        return f"write {item} without quotes"
    near = nearest(str(item), known)
    return f"did you mean {near}?" if near else f"known: {' '.join(known[:24])}"


def _line_in(value: object, item: object, line: int) -> int:
    """The line of *item* among the values given, where it is known."""
    items = value if isinstance(value, list) else [value]
    return next((line_of(i) for i in items if i == item and line_of(i)), line_of(value) or line)


def _allowed(slot: Slot, point: Point, scope: Scope) -> tuple[object, ...]:
    if point.name == "told":
        return scope.lexicon.told[slot.name]
    found: list[object] = []
    for value in slot.values:
        found.extend(scope.lexicon.values.get(str(value), (value,)))
    return tuple(found)


def _values(value: object, line: int, scope: Scope) -> list[object]:
    found: list[object] = []
    for item in value if isinstance(value, list) else [value]:
        if isinstance(item, str) and item.startswith("$"):
            members = scope.lexicon.classes.get(item[1:])
            if members is None:
                near = nearest(item[1:], scope.lexicon.classes)
                hint = f"did you mean ${near}?" if near else "known: $" + " $".join(scope.lexicon.classes)
                scope.error(value, f"«{item}» is no class; {hint}", line_of(item) or line)
            else:
                found.extend(members)
        elif isinstance(item, list | dict) or item is None:
            scope.error(value, f"«{item}» is no value", line)
        else:
            found.append(str(item) if isinstance(item, str) else item)
    return list(dict.fromkeys(found))


def _count(word: str, data: object, line: int, scope: Scope) -> list[Condition]:
    if not isinstance(data, dict):
        scope.error(data, f"`{word}` wants `{{in: GROUP, has: {{…}}}}`", line)
        return []
    for name in data:
        if name not in COUNT_KEYS or (name in ("at_least", "at_most", "exactly") and word != "count"):
            scope.error(data, f"`{word}` has no «{name}»; known: in, has, but, as, where" + (", at_least, at_most, exactly" if word == "count" else ""), line)
            return []
    if "in" not in data or ("has" in data) == ("where" in data):
        scope.error(data, f"`{word}` wants `in` and either `has` or `as` with `where`", line)
        return []
    out = {p.text for p in scope.members(data["but"])} if "but" in data else set()
    points = [p for p in scope.members(data["in"]) if p.text not in out]
    if not points:
        return []
    members = tuple(_member(p, data, line, scope) for p in points)
    bounds = _bounds(word, data, len(points), line, scope)
    if bounds is None:
        return []
    return [CountOf(word, tuple(p.text for p in points), members, *bounds)]


def _member(point: Point, data: dict[str, object], line: int, scope: Scope) -> Condition:
    if "has" in data:
        found = slot_conditions(point, data["has"], scope, line)
        return found[0] if len(found) == 1 else AllOf(tuple(found))
    name = str(data.get("as", ""))
    if not re.fullmatch("[a-z]", name):
        scope.error(data, "`as` wants a name of one small letter", line)
        return ALWAYS
    return parse_conditions(data["where"], scope.bind({name: point.text}))


def _bounds(
    word: str, data: dict[str, object], size: int, line: int, scope: Scope
) -> tuple[int, int] | None:
    if word != "count":
        return {"some": (1, size), "none": (0, 0), "every": (size, size)}[word]
    given = {k: data[k] for k in ("at_least", "at_most", "exactly") if k in data}
    if not given or any(not isinstance(v, int) or isinstance(v, bool) for v in given.values()):
        scope.error(data, "`count` wants at_least, at_most or exactly, with a whole number", line)
        return None
    exactly = given.get("exactly")
    low = int(str(exactly if exactly is not None else given.get("at_least", 0)))
    high = int(str(exactly if exactly is not None else given.get("at_most", size)))
    if not 0 <= low <= high <= size:
        scope.error(data, f"`count` asks for {low} to {high} of {size} points, which can never hold or is empty", line)
        return None
    return low, high


def _patterns(value: object, of: str | None, line: int, scope: Scope) -> list[Condition]:
    names = _names("pattern", value, line, scope)
    return [_any_of([PatternIs(v, of) for v in names])] if names else []


def _names(word: str, value: object, line: int, scope: Scope) -> list[str]:
    """One name or a list of names."""
    items = value if isinstance(value, list) else [value]
    if word == "fires":  # a key may be a number
        items = [str(v) if type(v) is int else v for v in items]
    if not items or not all(isinstance(v, str) and v for v in items):
        scope.error(value, f"`{word}` wants a name or a list of names", line)
        return []
    return [str(v) for v in items]


def _any_of(found: Sequence[Condition]) -> Condition:
    return found[0] if len(found) == 1 else AnyOf(tuple(found))


def whole_id(name: str, scope: Scope) -> str:
    """A rule id: a bare key means a rule of the same passage."""
    return name if "/" in name else f"{scope.passage}/{name}"


_COMPARE = re.compile(r"(>=|<=|=|>|<)?\s*(\S+)")


def _tally(data: object, outer: object, line: int, scope: Scope) -> list[Condition]:
    if not isinstance(data, dict) or "of" not in data or len(data) < 2:
        scope.error(outer, "`tally` wants `{of: NAME, SIDE: '> OTHER'}`", line)
        return []
    name = str(data["of"])
    found: list[Condition] = []
    for side, value in data.items():
        if side == "of":
            continue
        if side == "most":
            found.append(TallyIs(name, str(value), "most", 0))
            continue
        match = _COMPARE.fullmatch(str(value))
        if match is None:
            scope.error(data, f"«{value}» compares nothing; write 3, '>= 3' or '> OTHER'", line)
            continue
        operand: int | str = int(match[2]) if match[2].lstrip("-").isdigit() else match[2]
        found.append(TallyIs(name, side, match[1] or "=", operand))
    return found
