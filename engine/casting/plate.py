"""天地盤 and 四課: the plate, the lodging of the stem and the four lessons."""

from __future__ import annotations

from dataclasses import dataclass

from liuren.facts.ganzhi import BRANCH_INDEX, BRANCHES, STEM_INDEX
from liuren.facts.tables import Tables

# All twelve plates: PLATES[k] has the heaven branch k places ahead on every seat.
PLATES = tuple(tuple(BRANCHES[(i + k) % 12] for i in range(12)) for k in range(12))


@dataclass(frozen=True, slots=True)
class Foot:
    """One lesson before its general: what stands on what, and how they bear.

    ``number`` is 1-4; ``relation`` is 上克下, 下賊上, 上生下, 下生上 or 比.
    """

    number: int
    lower: str
    seat: str
    upper: str
    relation: str


def relation(tables: Tables, upper: str, lower: str) -> str:
    """How *upper* bears on *lower*: 上克下, 下賊上, 上生下, 下生上 or 比."""
    return {
        "controls": "上克下",
        "controlled_by": "下賊上",
        "generates": "上生下",
        "generated_by": "下生上",
        "same": "比",
    }[tables.bearing(upper, lower)]


def four_lessons(tables: Tables, day: str, offset: int) -> tuple[Foot, Foot, Foot, Foot]:
    """The four lessons of *day* (a ganzhi) on the plate of *offset*.

    Lesson 1 stands on the stem at its lodging, 2 on the upper of 1, 3 on the
    day branch, 4 on the upper of 3.
    """
    plate = PLATES[offset]
    lodge = tables.lodging[day[0]]
    first = plate[BRANCH_INDEX[lodge]]
    third = plate[BRANCH_INDEX[day[1]]]
    places = (
        (day[0], lodge, first),
        (first, first, plate[BRANCH_INDEX[first]]),
        (day[1], day[1], third),
        (third, third, plate[BRANCH_INDEX[third]]),
    )
    one, two, three, four = (
        Foot(n, lower, seat, upper, relation(tables, upper, lower))
        for n, (lower, seat, upper) in enumerate(places, 1)
    )
    return one, two, three, four


def is_yang(stem: str) -> bool:
    """Whether *stem* is one of 甲丙戊庚壬."""
    return STEM_INDEX[stem] % 2 == 0
