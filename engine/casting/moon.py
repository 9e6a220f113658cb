"""起月宿: the moon's mansion by lunar month and day (心鏡, xinjing.erfan.def)."""

from __future__ import annotations

from functools import lru_cache

from ..data import KnowledgeData


@lru_cache(maxsize=4)
def _round(data: KnowledgeData) -> str:
    """One round of the moon: the 28 mansions, some of them two days long."""
    m = data.mansions
    return "".join(x * 2 if x in m["doubled"] else x for x in m["order"])


@lru_cache(maxsize=1024)
def moon_mansion(data: KnowledgeData, month: int, day: int, eleventh: str) -> str:
    """The mansion of the moon on a lunar day.

    Args:
        data: the knowledge base with the mansions.
        month: lunar month, 1-12 (a leap month counts as the month it repeats).
        day: lunar day, 1-30.
        eleventh: the value of the option ``moon_eleventh``.
    """
    start = data.mansions["starts"][month - 1]
    if month == 11:
        start = data.doctrines["options"]["moon_eleventh"]["values"][eleventh]["mansion"]
    ring = _round(data)
    return ring[(ring.index(start) + day - 1) % len(ring)]


@lru_cache(maxsize=64)
def mansion_branch(data: KnowledgeData, mansion: str) -> str:
    """The branch of the palace that holds *mansion*."""
    palaces: dict[str, str] = data.mansions["palaces"]
    return next(branch for branch, held in palaces.items() if mansion in held)


def phase(data: KnowledgeData, day: int) -> str | None:
    """朔 上弦 望 下弦 晦 by the lunar day, ``""`` for days that are none of them.

    ``None`` on day 29, which is 晦 only of a month of 29 days.
    """
    phases: dict[int, str] = data.mansions["phases"]
    return None if day == 29 else phases.get(day, "")
