"""The experta facts that a chart emits.

A *seat* is one thing a rule can look at: a slot of a point (``initial.general``)
or a relation between points (``initial controls stem``).  Each seat has a fact
class of its own, so that experta hands a fact only to the rules that look at
that seat, and holds one fact, whose ``value`` is the actual answer.  What is
unknown is not declared; so an absent fact never reads as false.
"""

from __future__ import annotations

from typing import Any

from .chart import Chart
from .points import Point, Unknown, resolve
from .relations import RELATIONS
from .rete import Fact
from .slots import Answer, read


class Seat(Fact):  # type: ignore[misc]
    """A fact on one seat; ``value`` is what was found there."""

    def __init__(self, value: Any) -> None:
        """A fact whose value is a plain one already: stock experta would freeze it."""
        dict.__setitem__(self, "value", value)
        self._Fact__defaults: dict[str, Any] = {}


def seat_class(number: int, key: str) -> Any:
    """A fact class for the seat *key*; *number* keeps its name ascii and short."""
    return type(f"Seat{number}", (Seat,), {"key": key, "number": number})


def slot_answer(chart: Chart, point: Point, slot: str) -> Answer:
    """What a slot seat holds: the answer, ``None`` for none, or Unknown."""
    return read(point, slot, chart)


def relation_answer(
    chart: Chart, point: Point, relations: tuple[str, ...], others: tuple[Point, ...]
) -> tuple[str, ...] | Unknown:
    """What a relation seat holds: the relations found, as ``"controls stem"``.

    An empty tuple means that none holds.  Unknown when a sign is missing and
    none of the known ones answers.
    """
    left = resolve(point, chart)
    if isinstance(left, Unknown):
        return left
    found: list[str] = []
    missing: list[str] = []
    for other in others:
        right = resolve(other, chart)
        if isinstance(right, Unknown):
            missing.extend(right.needs)
        elif left is not None and right is not None:
            found.extend(f"{r} {other}" for r in relations if RELATIONS[r](chart, left, right))
    if not found and missing:
        return Unknown(tuple(dict.fromkeys(missing)))
    return tuple(found)
