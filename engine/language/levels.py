"""The order of the rules of a text: what reads a conclusion comes after it.

A rule that reads a pattern, a tally or another rule's firing stands one level
above everything that could conclude it.  A circle has no meaning and is
reported with its path.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping

from .conclusions import Pattern, Rule, Vote
from .conditions import Fires, PatternIs, TallyIs, nodes


def reads(rule: Rule) -> frozenset[str]:
    """What *rule* reads of other rules: ``pattern X``, ``tally X``, ``fires id``."""
    found = set()
    for instance in rule.instances:
        for node in nodes(instance.when):
            match node:
                case PatternIs(name=name):
                    found.add(f"pattern {name}")
                case TallyIs(tally=tally):
                    found.add(f"tally {tally}")
                case Fires(rule=target):
                    found.add(f"fires {target}")
    return frozenset(found)


def concludes(rule: Rule) -> frozenset[str]:
    """What other rules can read of *rule*."""
    found = {f"fires {rule.id}"}
    for instance in rule.instances:
        for conclusion in instance.conclusions:
            match conclusion:
                case Pattern(name=name):
                    found.add(f"pattern {name}")
                case Vote(tally=tally):
                    found.add(f"tally {tally}")
    return frozenset(found)


def producers(rules: Iterable[Rule]) -> dict[str, tuple[Rule, ...]]:
    """Name of a conclusion to the rules that can conclude it."""
    found: dict[str, list[Rule]] = defaultdict(list)
    for rule in rules:
        for name in sorted(concludes(rule)):
            found[name].append(rule)
    return {name: tuple(made) for name, made in found.items()}


class Cycle(Exception):
    """Rules that read each other in a circle; ``path`` is closed."""

    def __init__(self, path: tuple[str, ...]) -> None:
        super().__init__(" -> ".join(path))
        self.path = path


def levels(rules: Mapping[str, Rule]) -> dict[str, int]:
    """Rule id to its level, 0 for rules that read only the chart.

    Raises:
        Cycle: the rules read each other in a circle.
    """
    made_by = producers(rules.values())
    level: dict[str, int] = {}
    open_: list[str] = []

    def visit(rule: Rule) -> int:
        if rule.id in level:
            return level[rule.id]
        if rule.id in open_:
            raise Cycle((*open_[open_.index(rule.id) :], rule.id))
        open_.append(rule.id)
        below = [
            visit(source) for name in sorted(reads(rule)) for source in made_by.get(name, ())
        ]
        open_.pop()
        level[rule.id] = max(below, default=-1) + 1
        return level[rule.id]

    for id in sorted(rules):
        visit(rules[id])
    return level
