"""Season, 旺相休囚死, 長生 and 六親: what the elements are worth."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from types import MappingProxyType

from ..data import KnowledgeData


@lru_cache(maxsize=64)
def under_ruler(data: KnowledgeData, ruler: str) -> Mapping[str, str]:
    """Element to 旺相休囚死 when *ruler* (an element or a sign) rules."""
    t = data.tables
    return MappingProxyType({e: t.strengths[t.bearing(e, ruler)] for e in t.cycle})


def ruling_element(
    data: KnowledgeData, school: str, month: str, longitude: float | None
) -> tuple[str, bool]:
    """The element that rules in the month branch *month*, and whether the sun decided it.

    Args:
        data: the knowledge base with seasons and schools.
        school: the value of the option ``earth_months``.
        month: month branch.
        longitude: the sun's apparent longitude in degrees, if known; each month
            is 30 of them, beginning at a 節 (315 for 寅).
    """
    t = data.tables
    spec = data.doctrines["options"]["earth_months"]["values"][school]
    earthly = "element" in spec and t.element[month] == spec["element"]
    by_sun = earthly and "last_degrees" in spec and longitude is not None
    if earthly and "last_degrees" in spec:
        earthly = longitude is not None and (longitude - 15) % 30 >= 30 - spec["last_degrees"]
    return (spec["element"] if earthly else t.season_element[t.season_of[month]]), by_sun


@lru_cache(maxsize=16)
def growth_of(data: KnowledgeData, school: str) -> Mapping[str, str]:
    """Element to the branch of its 長生, 土 by the option ``earth``."""
    earth = data.doctrines["options"]["earth"]["values"][school]["branch"]
    born = {**data.tables.growth, "土": earth}
    return MappingProxyType({e: born[e] for e in data.tables.cycle})


@lru_cache(maxsize=16)
def relatives_of(data: KnowledgeData, stem: str) -> Mapping[str, str]:
    """Element to 父母 兄弟 子孫 妻財 官鬼, as it stands to *stem*."""
    t = data.tables
    return MappingProxyType({e: t.relatives[t.bearing(e, stem)] for e in t.cycle})
