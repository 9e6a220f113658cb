"""Relations between two points: 生克, 合, 沖, 刑, 破, 害, 墓, and identity.

Each takes the chart and two signs and answers yes or no.  Relations of
element hold between any signs; the others between branches, a stem standing
for its palace, except ``combines``, which between two stems is 五合.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from .chart import Chart
from .ganzhi import STEM_INDEX
from .points import as_branch

Test = Callable[[Chart, str, str], bool]

ELEMENT_RELATIONS: Final = ("same", "generates", "controls", "controlled_by", "generated_by")
"""Relations that follow from the five elements alone; exactly one holds."""


def _bearing(name: str) -> Test:
    return lambda c, a, b: c.tables.bearing(a, b) == name


def _combines(c: Chart, a: str, b: str) -> bool:
    if a in STEM_INDEX and b in STEM_INDEX:
        return c.tables.stem_combine[a] == b
    return c.tables.branch_combine[as_branch(c, a)] == as_branch(c, b)


def _trine(c: Chart, a: str, b: str) -> bool:
    x, y = as_branch(c, a), as_branch(c, b)
    return x != y and c.tables.trine_of[x] == c.tables.trine_of[y]


def _is(c: Chart, a: str, b: str) -> bool:
    return a == b


RELATIONS: Final[Mapping[str, Test]] = {
    **{name: _bearing(name) for name in ELEMENT_RELATIONS},
    "is": _is,
    "combines": _combines,
    "trine": _trine,
    "clash": lambda c, a, b: c.tables.clash(as_branch(c, a)) == as_branch(c, b),
    "punishes": lambda c, a, b: c.tables.punish[as_branch(c, a)] == as_branch(c, b),
    "punished_by": lambda c, a, b: c.tables.punish[as_branch(c, b)] == as_branch(c, a),
    "breaks": lambda c, a, b: c.tables.break_[as_branch(c, a)] == as_branch(c, b),
    "harms": lambda c, a, b: c.tables.harm[as_branch(c, a)] == as_branch(c, b),
    "tomb_of": lambda c, a, b: c.tables.stage(c.growth, b, "墓") == as_branch(c, a),
    "stands_on": lambda c, a, b: c.under(as_branch(c, a)) == as_branch(c, b),
}
"""Relation name to its test; ``x: {controls: y}`` reads "x controls y"."""

RELATION_STEPS: Final[Mapping[str, tuple[str, ...]]] = {
    "tomb_of": ("growth",),
    "stands_on": ("plate",),
}
"""Casting steps a relation rests on beside those of its two points."""

BRANCHES_ONLY: Final = frozenset(
    {"trine", "clash", "punishes", "punished_by", "breaks", "harms", "stands_on"}
)
"""Relations that a general, having no branch of its own, cannot enter."""
