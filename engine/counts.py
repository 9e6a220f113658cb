"""How many charts each choice of a school changes against the default, by casting them all.

Every option of ``kb/doctrines.yaml`` says under ``counted`` over which charts it is
counted and in what it shows; a value may have a ``counted`` of its own.  An option
``spirit.<key>`` is counted over every month and day, in that spirit alone.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from types import MappingProxyType
from typing import Any
from zoneinfo import ZoneInfo

from liuren.facts.chart import Chart
from liuren.facts.ganzhi import BRANCHES, SIXTY, step
from liuren.facts.question import PersonInput, Question

from .casting import cast
from .data import KnowledgeData
from .doctrine import Doctrine, load_doctrine, option_values

DEFAULT = "common"
"""The doctrine that sets nothing, against which all is counted."""

_SPIRIT = "spirit."
_LUNAR_DAYS = 30


@dataclass(frozen=True, slots=True)
class Count:
    """What one choice changes.

    Attributes:
        option, value: the choice.
        over: the charts it was counted over, a key of :data:`DOMAINS`.
        base: how many they are.
        changed: how many of them differ in anything counted.
        shows: each thing counted, a key of :data:`FACETS`, to how many differ in it.
        lessons: how many of the 720 lessons (day and plate) are among the changed;
            ``None`` where the charts are not all the lessons.
    """

    option: str
    value: str
    over: str
    base: int
    changed: int
    shows: Mapping[str, int]
    lessons: int | None


# --- the charts ---------------------------------------------------------------


def _lessons(data: KnowledgeData) -> Iterator[Question]:
    """The 720: every day on every plate, at hour 子."""
    for day in SIXTY:
        for offset in range(12):
            yield Question(day=day, hour="子", month_general=BRANCHES[offset])


def _day_night(data: KnowledgeData) -> Iterator[Question]:
    """The 720 by day and by night."""
    for day in SIXTY:
        for offset in range(12):
            for half in ("晝", "夜"):
                yield Question(day=day, hour="子", month_general=BRANCHES[offset], noble=half)


def _hours(data: KnowledgeData) -> Iterator[Question]:
    """The 720 at each of the twelve hours."""
    for day in SIXTY:
        for offset in range(12):
            for hour in BRANCHES:
                yield Question(day=day, hour=hour, month_general=step(hour, offset))


def _months(data: KnowledgeData) -> Iterator[Question]:
    """The 720 in each of the twelve months, under the general of its second half."""
    for day in SIXTY:
        for offset in range(12):
            for month in BRANCHES:
                general = data.tables.branch_combine[month]
                hour = step(general, -offset)
                yield Question(day=day, hour=hour, month_general=general, month=month)


def _annuals(data: KnowledgeData) -> Iterator[Question]:
    """The 720 with the asker's 行年 on each of the twelve branches."""
    for day in SIXTY:
        for offset in range(12):
            for branch in BRANCHES:
                asker = MappingProxyType({"querent": PersonInput(annual=branch)})
                yield Question(day=day, hour="子", month_general=BRANCHES[offset], persons=asker)


def _month_days(data: KnowledgeData) -> Iterator[Question]:
    """The sixty days in each of the twelve months."""
    for month in BRANCHES:
        for day in SIXTY:
            general = data.tables.branch_combine[month]
            yield Question(day=day, hour="子", month_general=general, month=month)


def _lunar_days(data: KnowledgeData) -> Iterator[Question]:
    """The thirty days of each of the twelve lunar months."""
    for month in range(1, 13):
        for day in range(1, _LUNAR_DAYS + 1):
            yield Question(day="甲子", hour="子", month_general="子", lunar=(month, day, False))


def _moments(data: KnowledgeData) -> Iterator[Question]:
    """Moments at even distances through a year at a place, asked by one person."""
    from .calendar.places import find_place

    spec = data.doctrines["moments"]
    zone = ZoneInfo(find_place(spec["place"]).tz)
    asker = MappingProxyType({"querent": PersonInput(born=spec["born"], sex=spec["sex"])})
    at = datetime(spec["year"], 1, 1, tzinfo=zone)
    while at.year == spec["year"]:
        yield Question(moment=at, place=spec["place"], persons=asker)
        at += timedelta(minutes=spec["minutes"])


DOMAINS: Mapping[str, Callable[[KnowledgeData], Iterator[Question]]] = {
    "lessons": _lessons,
    "day-night": _day_night,
    "hours": _hours,
    "months": _months,
    "annuals": _annuals,
    "month-days": _month_days,
    "lunar-days": _lunar_days,
    "moments": _moments,
}
"""The charts that choices are counted over."""

_ALL_LESSONS = ("lessons", "day-night", "hours", "months", "annuals")


# --- what is compared ----------------------------------------------------------


def _annual(chart: Chart) -> str:
    return str(chart.persons["querent"].annual)


FACETS: Mapping[str, Callable[[Chart], Any]] = {
    "transmissions": lambda c: tuple(t.branch for t in c.transmissions),
    "method": lambda c: c.method.name,
    "names": lambda c: c.method.head,
    "generals": lambda c: (c.noble.branch, c.noble.direction),
    "hidden": lambda c: tuple(t.stem for t in c.transmissions),
    "spirits": lambda c: tuple(c.spirits.items()),
    "strengths": lambda c: tuple((c.strengths or {}).items()),
    "day": lambda c: str(c.pillars["day"]),
    "hour": lambda c: str(c.pillars["hour"]),
    "lesson": lambda c: (str(c.pillars["day"]), c.offset),
    "half": lambda c: c.noble.period,
    "lunar": lambda c: (c.day_facts.get("lunar_month"), c.day_facts.get("lunar_day")),
    "mansion": lambda c: c.day_facts.get("mansion"),
    "moon": lambda c: c.day_facts.get("moon"),
    "annual": _annual,
}
"""What a choice may show in; the nobleman and his way fix all twelve generals."""


# --- counting --------------------------------------------------------------------


Row = dict[str, Any]
"""What one chart shows, facet by facet; a spirit's branch stands under its option."""


@dataclass(slots=True)
class Counter:
    """Counts choices, casting each set of charts under the default only once."""

    data: KnowledgeData
    _defaults: dict[str, list[Row]] = field(default_factory=dict)

    def choices(self) -> list[tuple[str, str]]:
        """Every option with each value that is not its default, in the file's order."""
        return [(o, v) for o, values in option_values(self.data).items() for v in values[1:]]

    def count(self, option: str, value: str) -> Count:
        """Count what *value* of *option* changes, all else as the default has it.

        Raises:
            UserError: there is no such option or value.
        """
        changed = load_doctrine(DEFAULT, self.data).with_set({option: value})
        over, shows = self._spec(option, value)
        tally = dict.fromkeys(shows, 0)
        total = 0
        lessons = set()
        rows = self._default(over)
        for question, old in zip(DOMAINS[over](self.data), rows, strict=True):
            chart = self._cast(question, changed)
            new = self._row(chart, shows)
            for name in shows:
                tally[name] += old[name] != new[name]
            if any(old[name] != new[name] for name in shows):
                total += 1
                lessons.add((str(chart.pillars["day"]), chart.offset))
        whole = len(lessons) if over in _ALL_LESSONS else None
        return Count(option, value, over, len(rows), total, MappingProxyType(tally), whole)

    def _spec(self, option: str, value: str) -> tuple[str, tuple[str, ...]]:
        if option.startswith(_SPIRIT):
            return "month-days", (option,)
        entry = self.data.doctrines["options"][option]
        spec = entry["values"][value].get("counted", entry["counted"])
        return spec["over"], tuple(spec["shows"])

    def _default(self, over: str) -> list[Row]:
        """What the default shows over a set of charts, in everything counted over it."""
        if over not in self._defaults:
            school = load_doctrine(DEFAULT, self.data)
            specs = (self._spec(*choice) for choice in self.choices())
            shows = tuple(dict.fromkeys(n for where, names in specs if where == over for n in names))
            charts = (self._cast(q, school) for q in DOMAINS[over](self.data))
            self._defaults[over] = [self._row(chart, shows) for chart in charts]
        return self._defaults[over]

    def _row(self, chart: Chart, shows: tuple[str, ...]) -> Row:
        return {name: self._shown(chart, name) for name in shows}

    def _shown(self, chart: Chart, name: str) -> Any:
        if name.startswith(_SPIRIT):
            return chart.spirits.get(self.data.spirits[name.removeprefix(_SPIRIT)]["zh"])
        return FACETS[name](chart)

    def _cast(self, question: Question, school: Doctrine) -> Chart:
        if question.moment is None:
            return cast(question, school, self.data)
        from .calendar import resolve_moment

        filled, steps = resolve_moment(question, school.options)
        return cast(filled, school, self.data, given_steps=steps)
