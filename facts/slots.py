"""Slots: what can be asked of a point, and what answers there are.

A slot is read by :func:`read`; :data:`SLOTS` says to which kinds of point it
applies and which values it can have, so that a rule that asks for something
else is told so when it is loaded.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from .chart import Chart
from .ganzhi import BRANCHES, SIXTY, STEMS, decade_head
from .points import Point, Unknown, as_branch, resolve
from .tables import polarity

Answer = str | bool | int | tuple[str, ...] | Unknown | None


@dataclass(frozen=True, slots=True)
class Slot:
    """One slot: its name, the points it applies to, its values, its steps.

    Attributes:
        name: as written in a rule.
        kinds: kinds of point (``branch``, ``stem``, ``general``) or names of
            records it applies to.
        values: the values it can have; names in angle brackets stand for
            values that data defines (``<general>``, ``<term>`` …).
        steps: casting steps the answer rests on beside those of the point.
        doc: one line of description.
    """

    name: str
    kinds: frozenset[str]
    values: tuple[object, ...]
    steps: tuple[str, ...]
    doc: str


_SIGN = frozenset({"branch", "stem"})
_ANY = frozenset({"branch", "stem", "general"})
_BRANCH = frozenset({"branch"})
RELATIVES: Final = ("父母", "兄弟", "子孫", "妻財", "官鬼")
STRENGTHS: Final = ("旺", "相", "休", "囚", "死")
LESSON_RELATIONS: Final = ("上克下", "下賊上", "上生下", "下生上", "比")
ELEMENTS: Final = ("木", "火", "土", "金", "水")


def _slot(
    name: str, kinds: frozenset[str], values: tuple[object, ...], steps: str, doc: str
) -> tuple[str, Slot]:
    return name, Slot(name, kinds, values, tuple(steps.split()), doc)


SLOTS: Final[Mapping[str, Slot]] = dict(
    [
        _slot("branch", _BRANCH, BRANCHES, "", "the branch itself"),
        _slot("stem", frozenset({"stem"}), STEMS, "", "the stem itself"),
        _slot("name", frozenset({"general"}), ("<general>",), "", "the general itself"),
        _slot("element", _ANY, ELEMENTS, "", "五行"),
        _slot("polarity", _SIGN, ("陽", "陰"), "", "陰陽 by place in the order"),
        _slot("general", _BRANCH, ("<general>",), "generals", "the general riding the branch"),
        _slot("relative", _ANY, RELATIVES, "relatives", "六親 to the day stem"),
        _slot("strength", _ANY, STRENGTHS, "strengths", "旺相休囚死 by the season"),
        _slot("day_strength", _ANY, STRENGTHS, "day_strengths", "旺相休囚死 by the day stem"),
        _slot("void", _BRANCH, (True, False), "void", "whether in 旬空"),
        _slot("known", _ANY, (True,), "", "true as soon as the point is known"),
        _slot("pair", _SIGN, SIXTY, "hidden", "the ganzhi of the branch by 遁干 (旬遁 unless set)"),
    ]
)
"""Slots of signs."""

LESSON_SLOTS: Final[Mapping[str, Slot]] = dict(
    [_slot("relation", _BRANCH, LESSON_RELATIONS, "", "how upper and lower of the lesson stand")]
)

RECORD_SLOTS: Final[Mapping[str, Mapping[str, Slot]]] = {
    "noble": dict(
        [
            _slot("direction", frozenset({"noble"}), ("順", "逆"), "noble", "which way the generals run"),
            _slot("period", frozenset({"noble"}), ("晝", "夜"), "noble", "day or night nobleman"),
        ]
    ),
    "method": dict(
        [
            _slot(
                "name",
                frozenset({"method"}),
                ("賊克", "比用", "涉害", "遙克", "昴星", "別責", "八專", "伏吟", "返吟"),
                "method",
                "one of the nine methods",
            ),
            _slot("head", frozenset({"method"}), ("<head>",), "method", "any name a text gives the method"),
            _slot("lesson", frozenset({"method"}), (1, 2, 3, 4), "method", "lesson the initial came from"),
        ]
    ),
    "chart": dict(
        [_slot("offset", frozenset({"chart"}), tuple(range(12)), "plate", "heaven plate over earth plate")]
    ),
    "day": dict(
        [
            _slot("pair", frozenset({"day"}), SIXTY, "pillar.day", "the day's ganzhi"),
            _slot("decade", frozenset({"day"}), SIXTY[::10], "decade", "the head of its decade"),
            _slot("opens", frozenset({"day"}), ("<term>",), "day.opens", "solar term that begins on it"),
            _slot("season", frozenset({"day"}), ("春", "夏", "秋", "冬"), "season", "season by the month"),
            _slot("lunar_month", frozenset({"day"}), tuple(range(1, 13)), "lunar", "lunar month"),
            _slot("lunar_day", frozenset({"day"}), tuple(range(1, 31)), "lunar", "day of the lunar month"),
            _slot("phase", frozenset({"day"}), ("朔", "上弦", "望", "下弦", "晦"), "lunar", "phase of the moon"),
            _slot("mansion", frozenset({"day"}), ("<mansion>",), "moon", "the moon's mansion"),
        ]
    ),
}
"""Slots of the records ``noble``, ``method``, ``chart`` and ``day``.

``querent`` and the other persons have ``sex`` (男 女); ``told`` has the names
of the closed list in ``kb/told.yaml``."""

PERSON_SLOTS: Final[Mapping[str, Slot]] = dict(
    [
        _slot("sex", frozenset({"person"}), ("男", "女"), "", "男 or 女"),
        _slot("age", frozenset({"person"}), tuple(range(1, 121)), "", "age in 歲"),
    ]
)


def read(point: Point, slot: str, chart: Chart) -> Answer:
    """The answer of *slot* at *point*: a value, ``None`` (there is none), or
    :class:`~.points.Unknown`.

    ``method.head`` answers with the tuple of all names that fit.
    """
    if point.kind == "record":
        return _read_record(point.name, slot, chart)
    sign = resolve(point, chart)
    if sign is None or isinstance(sign, Unknown):
        return sign
    return _READ[slot](chart, sign, point)


def _general(chart: Chart, sign: str, point: Point) -> Answer:
    return chart.general_of[as_branch(chart, sign)]


def _strength(chart: Chart, sign: str, point: Point) -> Answer:
    if chart.strengths is None:
        return Unknown(("month",))
    return chart.strengths[chart.tables.element[sign]]


def _day_strength(chart: Chart, sign: str, point: Point) -> Answer:
    stem = chart.pillars["day"].stem
    assert stem is not None
    tables = chart.tables
    return tables.strengths[tables.bearing(sign, stem)]


def _relation(chart: Chart, sign: str, point: Point) -> Answer:
    return chart.lessons[int(point.name[-1]) - 1].relation


def _pair(chart: Chart, sign: str, point: Point) -> Answer:
    branch = as_branch(chart, sign)
    stem = chart.hidden[branch]
    return None if stem is None else stem + branch


_READ: Final[Mapping[str, Callable[[Chart, str, Point], Answer]]] = {
    "branch": lambda c, s, p: s,
    "stem": lambda c, s, p: s,
    "name": lambda c, s, p: s,
    "element": lambda c, s, p: c.tables.element[s],
    "polarity": lambda c, s, p: polarity(s),
    "general": _general,
    "relative": lambda c, s, p: c.relatives[c.tables.element[s]],
    "strength": _strength,
    "day_strength": _day_strength,
    "void": lambda c, s, p: as_branch(c, s) in c.void,
    "known": lambda c, s, p: True,
    "pair": _pair,
    "relation": _relation,
}


def _read_record(name: str, slot: str, chart: Chart) -> Answer:
    if name == "told":
        return chart.told.get(slot) or Unknown((f"told.{slot}",))
    if name == "day":
        return _read_day(slot, chart)
    if name in ("noble", "method", "chart"):
        return _record_value(name, slot, chart)
    person = chart.persons.get(name)
    value = getattr(person, slot) if person is not None else None
    return value if value is not None else Unknown((f"{name}.{slot}",))


def _record_value(name: str, slot: str, chart: Chart) -> Answer:
    if name == "chart":
        return chart.offset
    if name == "noble":
        return str(getattr(chart.noble, slot))
    if slot == "head":
        return chart.method.heads or (chart.method.head,)
    value: Answer = getattr(chart.method, slot)
    return value


_DAY_NEEDS: Final = {
    "opens": ("term",),
    "season": ("month",),
    "lunar_month": ("lunar",),
    "lunar_day": ("lunar",),
    "phase": ("lunar",),
    "mansion": ("lunar",),
}


def _read_day(slot: str, chart: Chart) -> Answer:
    if slot == "pair":
        return str(chart.pillars["day"])
    if slot == "decade":
        return decade_head(str(chart.pillars["day"]))
    facts: Mapping[str, Any] = chart.day_facts
    return facts[slot] if slot in facts else Unknown(_DAY_NEEDS[slot])


def slot_of(point: Point, name: str, told: frozenset[str]) -> Slot | None:
    """The slot *name* of *point*, or ``None`` if it has no such slot.

    Args:
        point: the point asked.
        name: the slot's name.
        told: names of the closed list of facts a person may tell.
    """
    if point.kind == "record":
        if point.name == "told":
            return Slot(name, frozenset({"told"}), (), (), "told") if name in told else None
        if point.name in RECORD_SLOTS:
            return RECORD_SLOTS[point.name].get(name)
        return PERSON_SLOTS.get(name)
    if name == "relation":
        return LESSON_SLOTS[name] if point.name.startswith("lesson") else None
    slot = SLOTS.get(name)
    return slot if slot is not None and point.kind in slot.kinds else None


def slots_for(point: Point, told: frozenset[str]) -> tuple[str, ...]:
    """Names of all slots of *point*, for messages."""
    if point.kind == "record":
        if point.name == "told":
            return tuple(sorted(told))
        if point.name in RECORD_SLOTS:
            return tuple(RECORD_SLOTS[point.name])
        return tuple(PERSON_SLOTS)
    names = [s.name for s in SLOTS.values() if point.kind in s.kinds]
    return (*names, "relation") if point.name.startswith("lesson") else tuple(names)
