"""The shared tables of the art, as one immutable object.

The data stands in ``kb/tables.yaml``; this module only gives it a shape and
the small lookups that casting and conditions need.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from .ganzhi import BRANCH_INDEX, STEM_INDEX, step


@dataclass(frozen=True, slots=True)
class Tables:
    """五行, 合沖刑害, 寄宮, 長生 and the order of the generals.

    Attributes are mappings from sign to sign unless said otherwise;
    ``trine_of`` gives the element of the bureau a branch belongs to, and
    ``cycle`` the five elements in the order of generation.
    """

    element: Mapping[str, str]
    cycle: tuple[str, ...]
    generals: tuple[str, ...]
    lodging: Mapping[str, str]
    stem_combine: Mapping[str, str]
    branch_combine: Mapping[str, str]
    trine_of: Mapping[str, str]
    harm: Mapping[str, str]
    break_: Mapping[str, str]
    punish: Mapping[str, str]
    virtue: Mapping[str, str]
    lord: Mapping[str, str]
    stages: tuple[str, ...]
    growth: Mapping[str, str]
    relatives: Mapping[str, str]
    strengths: Mapping[str, str]
    season_of: Mapping[str, str]
    season_element: Mapping[str, str]

    @classmethod
    def from_data(cls, data: Mapping[str, Any]) -> Tables:
        """Build the tables from the parsed ``kb/tables.yaml``.

        Raises:
            KeyError: a table is missing.
        """
        return cls(
            element=_freeze(
                {sign: e for e, signs in data["elements"].items() if e != "source" for sign in signs}
                | {e: e for e in data["cycle"]}
            ),
            cycle=tuple(data["cycle"]),
            generals=tuple(data["generals"]),
            lodging=_table(data["lodging"]),
            stem_combine=_pairs(data["stem_combines"]),
            branch_combine=_pairs(data["branch_combines"]),
            trine_of=_freeze({b: e for e, signs in data["trines"].items() for b in signs}),
            harm=_pairs(data["harms"]),
            break_=_pairs(data["breaks"]),
            punish=_table(data["punishes"]),
            virtue=_table(data["virtue"]),
            lord=_table(data["lords"]),
            stages=tuple(data["stages"]),
            growth=_table(data["growth"]),
            relatives=_table(data["relatives"]),
            strengths=_table(data["strengths"]),
            season_of=_freeze({b: s for s, signs in data["seasons"].items() for b in signs}),
            season_element=_table(data["season_element"]),
        )

    def generates(self, a: str, b: str) -> bool:
        """Whether the element of *a* generates that of *b*."""
        return self._ring(a, b) == 1

    def controls(self, a: str, b: str) -> bool:
        """Whether the element of *a* controls (克) that of *b*."""
        return self._ring(a, b) == 2

    def same(self, a: str, b: str) -> bool:
        """Whether *a* and *b* are of one element (比)."""
        return self._ring(a, b) == 0

    def bearing(self, a: str, b: str) -> str:
        """How *a*'s element stands to *b*'s.

        One of ``same``, ``generates``, ``controls``, ``controlled_by``,
        ``generated_by``.
        """
        return ("same", "generates", "controls", "controlled_by", "generated_by")[self._ring(a, b)]

    def combine(self, sign: str) -> str:
        """The partner of a stem (五合) or of a branch (六合)."""
        return self.stem_combine[sign] if sign in STEM_INDEX else self.branch_combine[sign]

    def clash(self, branch: str) -> str:
        """The branch opposite *branch* (沖)."""
        return step(branch, 6)

    def stage(self, growth: Mapping[str, str], sign: str, name: str) -> str:
        """The branch where the element of *sign* is at stage *name* of the twelve.

        *growth* maps each element to its 長生 and comes from the chart, since
        schools differ on 土.
        """
        start = growth[self.element[sign]]
        return step(start, self.stages.index(name))

    def _ring(self, a: str, b: str) -> int:
        order = self.cycle.index
        return (order(self.element[b]) - order(self.element[a])) % 5


def polarity(sign: str) -> str:
    """陽 or 陰 of a stem or branch, by its place in the order."""
    index = STEM_INDEX[sign] if sign in STEM_INDEX else BRANCH_INDEX[sign]
    return "陰" if index % 2 else "陽"


def _freeze(table: dict[str, str]) -> Mapping[str, str]:
    return MappingProxyType(table)


def _table(data: Mapping[str, str]) -> Mapping[str, str]:
    return _freeze({k: v for k, v in data.items() if k != "source"})


def _pairs(pairs: list[str]) -> Mapping[str, str]:
    return _freeze({pair[i]: pair[1 - i] for pair in pairs for i in (0, 1)})


