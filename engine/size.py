"""How many productions a rule becomes, so that no rule explodes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from .language.conclusions import Rule
from .language.conditions import AnyOf, Condition, flatten, normal
from .language.source import Problem


def productions(rule: Rule) -> int:
    """How many productions *rule* becomes at most: its choices and their alternatives.

    :mod:`.compile` shares alternatives among rules, so the engine may have fewer.
    """
    return sum(1 + _alternatives(i.when) for i in rule.instances)


def _alternatives(condition: Condition) -> int:
    return sum(
        1 + _alternatives(item)
        for part in flatten(normal(condition))
        if isinstance(part, AnyOf)
        for item in part.items
    )


def explosions(rules: Iterable[Rule], limit: int) -> Iterator[Problem]:
    """Rules that become more than *limit* productions."""
    for rule in rules:
        size = productions(rule)
        if size > limit:
            yield Problem(
                rule.file, rule.line, rule.id,
                f"becomes {size} productions ({len(rule.instances)} choices of its variables); at most {limit}: "
                "name the inner condition as a pattern of its own, or let fewer variables run",
            )  # fmt: skip
