"""What the names in a rule mean: vocabulary, groups, classes, variables."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace

from liuren.facts.points import SIMPLE, Point, PointError, PointNames, nearest, parse_point

from .source import Problem, line_of

QUOTE_LIMIT = 16
"""Longest quotation of an edition, in characters."""

_WORD = re.compile(r"(?<![\w.])[a-z](?![\w.])")


@dataclass(frozen=True, slots=True)
class Lexicon:
    """The closed lists that data defines.

    Attributes:
        points: names the point language knows.
        groups: group name to the points' expressions.
        classes: class name to its values.
        told: told fact to its values.
        topics: topic name to its parent (``None`` for the root).
        aliases: other names of topics.
        values: ``<general>``, ``<head>``, ``<term>``, ``<mansion>`` to values.
        polarities, modifiers, units: closed word lists.
    """

    points: PointNames
    groups: Mapping[str, tuple[str, ...]]
    classes: Mapping[str, tuple[str, ...]]
    told: Mapping[str, tuple[str, ...]]
    topics: Mapping[str, str | None]
    aliases: Mapping[str, str]
    values: Mapping[str, tuple[str, ...]]
    polarities: tuple[str, ...]
    modifiers: tuple[str, ...]
    units: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Scope:
    """Where a piece of YAML stands: file, rule, variables; and how to complain."""

    lexicon: Lexicon
    file: str
    text: str
    passage: str
    id: str
    report: Callable[[Problem], None]
    variables: Mapping[str, str] = field(default_factory=dict)

    def at(self, id: str) -> Scope:
        """The same scope inside the rule or passage *id*."""
        return replace(self, id=id)

    def bind(self, variables: Mapping[str, str]) -> Scope:
        """The same scope with more variables bound to point expressions."""
        return replace(self, variables={**self.variables, **variables})

    def error(self, value: object, message: str, line: int = 0) -> None:
        """Report a problem on the line of *value* (or *line*)."""
        self.report(Problem(self.file, line or line_of(value), self.id, message))

    def substitute(self, text: str) -> str:
        """*text* with bound variables replaced by their points."""
        return _WORD.sub(lambda m: self.variables.get(m[0], m[0]), text)

    def point(self, text: object) -> Point | None:
        """Parse a point; reports and returns ``None`` if it is none."""
        if not isinstance(text, str):
            self.error(text, f"a point is written as text, not «{text}»")
            return None
        unbound = [w for w in _WORD.findall(text) if w not in self.variables]
        if unbound:
            bound = ", ".join(self.variables) or "none"
            self.error(text, f"the name «{unbound[0]}» is not bound by `each` or `as` (bound here: {bound})")
            return None
        try:
            return parse_point(self.substitute(text), self.lexicon.points)
        except PointError as error:
            message = str(error)
            if message == f"«{text}» is no point":
                message += f"; known: {', '.join(SIMPLE)}, a general, a spirit or a function of a point"
            self.error(text, message)
            return None

    def members(self, spec: object) -> list[Point]:
        """The points of a group, a point, or a list of them, without repeats."""
        found: dict[str, Point] = {}
        for item in spec if isinstance(spec, list) else [spec]:
            expressions = self.lexicon.groups.get(item, (item,)) if isinstance(item, str) else (item,)
            if isinstance(item, str) and not item.isascii() and self._no_point(item):
                near = nearest(item, self.lexicon.groups)
                hint = f"did you mean {near}?" if near else f"groups: {' '.join(self.lexicon.groups)}"
                self.error(item, f"«{item}» is no group and no point; {hint}", line_of(item) or line_of(spec))
                continue
            for expression in expressions:
                point = self.point(_relined(expression, item, spec))
                if point is not None:
                    found.setdefault(point.text, point)
        return list(found.values())

    def _no_point(self, item: str) -> bool:
        """Whether *item*, one word that is no group, is no point either."""
        if item in self.lexicon.groups or not item.isalpha():
            return False
        try:
            parse_point(item, self.lexicon.points)
        except PointError:
            return True
        return False

    def topics(self, spec: object) -> tuple[str, ...]:
        """Topic names of a conclusion, checked; aliases are not accepted here."""
        topics = []
        for item in spec if isinstance(spec, list) else [spec]:
            if isinstance(item, str) and item in self.lexicon.topics:
                topics.append(str(item))
            else:
                near = nearest(str(item), [*self.lexicon.topics])
                hint = f"did you mean {near}?" if near else f"known: {', '.join(self.lexicon.topics)}"
                self.error(item, f"«{item}» is no topic; {hint}", line_of(item) or line_of(spec))
        return tuple(topics)


def _relined(expression: object, item: object, spec: object) -> object:
    """Give a group's point the line of the group's use, for messages."""
    if type(expression) is str and (line := line_of(item) or line_of(spec)):
        from .source import Text

        marked = Text(expression)
        marked.line = line
        return marked
    return expression
