"""Points and conditions in words of zh, ko or en (templates in ``kb/phrases.yaml``)."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any

from liuren.engine.data import load_data
from liuren.engine.language.conditions import (
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
from liuren.facts.points import Point, parse_point

from .words import Words


@cache
def _templates(kb_dir: str | None) -> Any:
    return load_data("phrases", kb_dir)


_SIGN_SLOTS = ("branch", "stem", "name")


class Phrases:
    """Puts points and conditions into the words of one language."""

    def __init__(self, words: Words) -> None:
        """*words* gives the language and the single words."""
        self.words = words
        data = _templates(words.kb_dir)
        self._points: Mapping[str, Mapping[str, str]] = data["points"]
        self._conditions: Mapping[str, Mapping[str, str]] = data["conditions"]

    def point(self, point: Point) -> str:
        """A point: ``over(annual)`` is "what stands on the annual branch"."""
        if point.args:
            return self._fill(self._points[point.name], self.point(point.args[0]), n=point.extra)
        role, _, part = point.name.partition(".")
        if part:
            return f"{self.words.ui(role)} {self.words.ui(part)}"
        return self.words.ui(point.name)

    def condition(self, condition: Condition) -> str:
        """A condition in one phrase."""
        match condition:
            case SlotIs():
                return self._slot(condition)
            case Related(point=point, relations=relations, others=others):
                joined = f" {self.words.ui('or')} "
                return self._say(
                    "related",
                    a=self.point(point),
                    rel=joined.join(self.words.ui(r) for r in relations),
                    b=joined.join(self.point(o) for o in others),
                )
            case AllOf(items=()):
                return self._say("always")
            case AllOf(items=items):
                return f" {self.words.ui('and')} ".join(self.condition(i) for i in items)
            case AnyOf(items=items):
                return f" {self.words.ui('or')} ".join(self.condition(i) for i in items)
            case Not(item=item):
                return self._say("not", c=self.condition(item))
            case CountOf():
                return self._count(condition)
            case PatternIs(name=name, of=None):
                return self._say("pattern", v=name)
            case PatternIs(name=name, of=of):
                return self._say("pattern_of", v=name, a=str(of))
            case Fires(rule=rule):
                return self._say("fires", v=rule)
            case TallyIs(tally=tally, side=side, op=op, operand=operand):
                what = self.words.ui("most") if op == "most" else f"{op} {operand}"
                return self._say("tally", a=tally, v=f"{side} {what}")

    def fact(self, data: Mapping[str, Any]) -> str:
        """A fact node of the explanation graph: what was found, with the signs."""
        names = self.words.library.kb.lexicon.points
        point = parse_point(data["point"], names)
        if "slot" in data:
            value = data["value"]
            shown = value if isinstance(value, list) else [value]
            return self._slot(SlotIs(point, data["slot"], tuple("—" if v is None else v for v in shown)))
        where = {p: f"{self.point(parse_point(p, names))} {sign}" for p, sign in data["signs"].items() if isinstance(sign, str)}
        if data["value"]:
            found = [one.partition(" ") for one in data["value"]]
            return f" {self.words.ui('and')} ".join(
                self._say("related", a=where.get(data["point"], data["point"]), rel=self.words.ui(rel), b=where.get(other, other))
                for rel, _, other in found
            )
        joined = f" {self.words.ui('or')} "
        related = self._say(
            "related",
            a=where.get(data["point"], data["point"]),
            rel=joined.join(self.words.ui(r) for r in data["relations"]),
            b=joined.join(where.get(o, o) for o in data["others"]),
        )
        return self._say("not", c=related)

    def _slot(self, condition: SlotIs) -> str:
        point, values = condition.point, condition.values
        where = self.words.ui(point.name) if point.kind == "record" else self.point(point)
        if condition.slot == "void":
            return self._say("void" if True in values else "full", a=where)
        joined = f" {self.words.ui('or')} ".join(
            self.words.ui(str(v).lower()) if isinstance(v, bool) else str(v) for v in values
        )
        if condition.slot in _SIGN_SLOTS:
            return self._say("sign", a=where, v=joined)
        return self._say("slot", a=where, slot=self.words.ui(condition.slot), v=joined)

    def _count(self, condition: CountOf) -> str:
        group = " ".join(condition.names)
        size = len(condition.names)
        # Said of the first member and then of "it": the members differ in the point alone.
        inner = self.condition(condition.members[0]).replace(
            self.words.ui(condition.names[0]), self.words.ui("it")
        )
        if (condition.low, condition.high) == (1, size):
            return self._say("some", g=group, c=inner)
        if condition.high == 0:
            return self._say("none", g=group, c=inner)
        if condition.low == size:
            return self._say("every", g=group, c=inner)
        span = str(condition.low) if condition.low == condition.high else f"{condition.low}–{condition.high}"
        return self._say("count", g=group, c=inner, n=span)

    def _say(self, key: str, **parts: str) -> str:
        return self._fill(self._conditions[key], **parts)

    def _fill(self, template: Mapping[str, str], *args: str, **parts: str) -> str:
        return self.words.pick(template).format(*args, **parts)
