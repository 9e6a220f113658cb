"""The board that the nine methods look at, and what they find on it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from liuren.facts.ganzhi import BRANCH_INDEX, BRANCHES
from liuren.facts.tables import Tables

from .plate import PLATES, Foot, is_yang

LESSONS = ("lesson1", "lesson2", "lesson3", "lesson4")


@dataclass(frozen=True, slots=True)
class Board:
    """A day on a plate, with the options of the doctrine in force.

    ``annual`` is the branch of the asker's 行年, for the school of 獨足 that
    looks at it.
    """

    tables: Tables
    day: str
    offset: int
    feet: tuple[Foot, Foot, Foot, Foot]
    options: Mapping[str, str]
    annual: str | None = None

    @property
    def stem(self) -> str:
        """The day stem."""
        return self.day[0]

    @property
    def branch(self) -> str:
        """The day branch."""
        return self.day[1]

    @property
    def yang(self) -> bool:
        """Whether the day stem is yang (剛日)."""
        return is_yang(self.day[0])

    def over(self, earth: str) -> str:
        """The heaven branch on *earth*."""
        return PLATES[self.offset][BRANCH_INDEX[earth]]

    def under(self, heaven: str) -> str:
        """The earth branch beneath *heaven*."""
        return BRANCHES[(BRANCH_INDEX[heaven] - self.offset) % 12]

    def lesson_of(self, upper: str) -> int | None:
        """The number of the first lesson whose upper is *upper*."""
        for foot in self.feet:
            if foot.upper == upper:
                return foot.number
        return None


@dataclass(frozen=True, slots=True)
class Note:
    """One step of the reasoning that found the initial.

    ``inputs`` are step ids; ``value`` is JSON-able.
    """

    id: str
    value: object
    method: str
    inputs: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Found:
    """The initial found, with the case that names it.

    Attributes:
        branch: the initial.
        case: key of ``heads`` in ``kb/methods.yaml``.
        notes: the reasoning, in order.
        lesson: number of the lesson it came from, or ``None``.
        inner: on the plates of 伏吟 and 返吟, the case by which the 克 was chosen.
    """

    branch: str
    case: str
    notes: tuple[Note, ...] = ()
    lesson: int | None = None
    inner: str | None = None


@dataclass(frozen=True, slots=True)
class Derivation:
    """The three transmissions with the method (one of the nine) and the reasoning.

    ``ways`` are, for initial, middle and final, the method key and the ids of
    the steps it used.
    """

    method: str
    found: Found
    branches: tuple[str, str, str]
    ways: tuple[tuple[str, tuple[str, ...]], ...]
