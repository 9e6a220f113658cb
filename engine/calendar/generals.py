"""When the month general changes, by each school (option ``month_general``)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache

from liuren.engine.data import load_data

from . import stations, terms

SIDEREAL = "sidereal"
"""The school that goes by the stars; the others go by the solar terms."""


@dataclass(frozen=True, slots=True)
class Turn:
    """The change that brought the month general in force.

    Attributes:
        general: the month general, a branch.
        opened: the solar term, or the station (次) of the Sun, that brought it.
        at: its instant, Unix seconds.
    """

    general: str
    opened: str
    at: float


@cache
def combines() -> dict[str, str]:
    """Each branch to the one it combines with (六合)."""
    pairs = load_data("tables")["branch_combines"]
    return {a: b for pair in pairs for a, b in (pair, pair[::-1])}


def turn(unix: float, school: str) -> Turn:
    """The change whose month general is in force at *unix*.

    Args:
        unix: the moment, Unix seconds.
        school: the value of the option ``month_general``.  Under ``zhongqi`` the general
            waits for the 中氣, the odd term; under ``jie`` it goes with the month; under
            ``sidereal`` it is the branch of the station that the Sun has entered.
    """
    if school == SIDEREAL:
        entry = stations.holding(unix)
        entered = stations.station(entry)
        return Turn(entered.branch, entered.name, stations.begins(entry))
    n = terms.holding(unix)
    n -= (n - 1) % 2 if school == "zhongqi" else n % 2
    return Turn(combines()[terms.branch(n)], terms.name(n), terms.begins(n))


def changes(low: float, high: float, school: str) -> list[int]:
    """Seconds after *low*, up to *high*, at which a term or, by the stars, a station begins."""
    found = _begun(low, high, terms.holding, terms.begins)
    if school == SIDEREAL:
        found |= _begun(low, high, stations.holding, stations.begins)
    return sorted(found)


def _begun(
    low: float, high: float, holding: Callable[[float], int], begins: Callable[[int], float]
) -> set[int]:
    found = set()
    n = holding(low) + 1
    while begins(n) <= high:
        found.add(round(begins(n)))
        n += 1
    return found
