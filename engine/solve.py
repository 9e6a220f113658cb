"""Charts and schools that fit what a broken case still says; if none, what contradicts.

The search goes from the sixty days on twelve plates to the hours, to the transmissions
as the schools derive them, to the generals, and drops a branch with the first statement
that fails.  When nothing fits, every chart breaks some statement; the smallest sets of
statements of which each chart breaks one are those that contradict each other.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import combinations

from liuren.facts.chart import Chart
from liuren.facts.errors import UserError
from liuren.facts.ganzhi import BRANCHES, SIXTY
from liuren.facts.question import PersonInput, Question

from .casting.core import Core
from .doctrine import Doctrine
from .evaluate import Evaluation, Program
from .language.conditions import Condition
from .library import Library
from .solve_schools import Choice, Schools
from .solve_statements import GENERALS, HOUR, LESSON, TRANSMISSIONS, WHOLE, Place, Statement

_NO_RULES = Program.of("", (), {})


@dataclass(frozen=True, slots=True)
class Solution:
    """A chart that fits, with the schools under which it does.

    Attributes:
        day: ganzhi.
        offset: 0-11, heaven branch less earth branch.
        hours: the hours that fit; every one where nothing was said of them.
        half: 晝 or 夜, or "" where nothing rests on it.
        lessons: the four uppers.
        method: its usual name, one of the nine.
        transmissions: the three branches.
        generals: those of the transmissions, or () where nothing rests on them.
        changes: the fewest options that make it, as sets over the base doctrine;
            an empty one means the base itself.
        doctrines: named doctrines under which it fits.
    """

    day: str
    offset: int
    hours: tuple[str, ...]
    half: str
    lessons: tuple[str, ...]
    method: str
    transmissions: tuple[str, ...]
    generals: tuple[str, ...]
    changes: tuple[Choice, ...]
    doctrines: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Fit:
    """Hours at which one setting of the generals fits, with the ways that make it."""

    hours: list[str]
    half: str
    generals: tuple[str, ...]
    ways: list[Choice]
    chart: Chart


@dataclass(slots=True)
class Search:
    """One search; see :func:`solve` and :func:`contradictions`."""

    library: Library
    schools: Schools
    statements: tuple[Statement, ...]
    annual: str | None = None
    step: Callable[[], None] = lambda: None
    _by_options: dict[tuple[tuple[str, str], ...], Doctrine] = field(default_factory=dict)

    # --- what holds -------------------------------------------------------------

    def _broken(
        self, level: int, place: Place, half: str, choice: Choice, stop: bool,
        made: Core | None = None,
    ) -> int:  # fmt: skip
        """The statements of *level* that fail, as bits; with *stop* the first is enough.

        *made* is the lesson as derived, for statements that need no more of the chart.
        """
        broken, evaluation = 0, None
        for n, statement in enumerate(self.statements):
            if statement.level != level:
                continue
            if statement.half:
                holds = statement.half == half
            elif statement.test is not None:
                holds = statement.test(place)
            elif statement.riding is not None and made is not None:
                at, generals = statement.riding
                riders = self.schools.riders((place.day[0], place.offset), half, choice)
                holds = riders[_sign(at, made)] in generals
            else:
                evaluation = evaluation or Evaluation(_NO_RULES, self._chart(place, half, choice))
                assert statement.condition is not None
                holds = _decided(statement.condition, evaluation, statement.text)
            if not holds:
                broken |= 1 << n
                if stop:
                    break
        return broken

    def _chart(self, place: Place, half: str, choice: Choice) -> Chart:
        key = tuple(choice.items())
        if key not in self._by_options:
            self._by_options[key] = self.schools.base.with_set(choice)
        return self.library.chart(self._question(place, half or "晝"), self._by_options[key])

    def _question(self, place: Place, half: str | None) -> Question:
        persons = {"querent": PersonInput(annual=self.annual)} if self.annual else {}
        return Question(
            day=place.day, hour=place.hour, month_general=place.general, noble=half, persons=persons
        )

    def _levels(self) -> set[int]:
        return {s.level for s in self.statements}

    # --- the tree of charts -----------------------------------------------------

    def lessons(self) -> Iterator[tuple[str, int]]:
        """Every day on every plate."""
        for day in SIXTY:
            self.step()
            for offset in range(12):
                yield day, offset

    def _hours(self) -> tuple[str, ...]:
        return BRANCHES if self._levels() & {HOUR, WHOLE} else BRANCHES[:1]

    def _halves(self, hour: str) -> dict[str, list[Choice]]:
        """The halves of the day to try: as told, as the hour gives them, or both."""
        if not self._levels() & {GENERALS, WHOLE}:
            return {"": [{}]}
        return self.schools.halves(hour) if self._by_clock() else {"晝": [{}], "夜": [{}]}

    def _by_clock(self) -> bool:
        """Whether the hour decides the nobleman: it is spoken of, and the half is not told."""
        return HOUR in self._levels() and not any(s.half for s in self.statements)

    def _nobles(self, place: Place, half: str) -> list[tuple[Choice, list[Choice]]]:
        if not half:
            return [({}, [{}])]
        return self.schools.nobles(place.day[0], half, place.offset)

    # --- solving ----------------------------------------------------------------

    def solutions(self) -> Iterator[Solution]:
        """Every chart that fits, in the order of days and plates."""
        for day, offset in self.lessons():
            first = Place(day, offset, BRANCHES[0])
            if self._broken(LESSON, first, "晝", {}, stop=True):
                continue
            hours = [
                h for h in self._hours()
                if not self._broken(HOUR, Place(day, offset, h), "晝", {}, stop=True)
            ]  # fmt: skip
            if not hours:
                continue
            for made, choices in self.schools.transmissions(day, offset, self.annual):
                if self._broken(TRANSMISSIONS, first, "晝", choices[0], stop=True):
                    continue
                yield from self._with_generals(first, hours, made, choices)

    def _with_generals(
        self, first: Place, hours: list[str], made: Core, choices: list[Choice]
    ) -> Iterator[Solution]:
        fits: dict[str, _Fit] = {}
        for hour in hours:
            place = Place(first.day, first.offset, hour)
            for half, by_half in self._halves(hour).items():
                for one, nobles in self._nobles(place, half):
                    choice = {**choices[0], **one}
                    if self._broken(GENERALS, place, half, choice, stop=True, made=made):
                        continue
                    if self._broken(WHOLE, place, half, choice, stop=True):
                        continue
                    chart = self._chart(place, half or "晝", choice)
                    generals = tuple(t.general for t in chart.transmissions) if half else ()
                    ways: list[Choice] = [
                        {**a, **b, **c} for a in choices for b in nobles for c in by_half
                    ]
                    fit = _Fit([], half, generals, sorted(ways, key=len), chart)
                    fits.setdefault(f"{half} {generals} {ways}", fit).hours.append(hour)
        every = not self._levels() & {HOUR, WHOLE}
        for fit in fits.values():
            yield Solution(
                day=first.day,
                offset=first.offset,
                hours=BRANCHES if every else tuple(fit.hours),
                half=fit.half,
                lessons=tuple(x.upper for x in fit.chart.lessons),
                method=fit.chart.method.name,
                transmissions=made.branches,
                generals=fit.generals,
                changes=tuple(fit.ways),
                doctrines=self._named(
                    Place(first.day, first.offset, fit.hours[0]), fit.half, fit.chart
                ),
            )

    def _named(self, place: Place, half: str, chart: Chart) -> tuple[str, ...]:
        """Named doctrines that cast the same transmissions and generals."""
        found = []
        told = None if half and self._by_clock() else half or "晝"
        for name in self.library.data.doctrines["doctrines"]:
            school = self.library.doctrine(name)
            if any(school.options[o] not in values for o, values in self.schools.free.items()):
                continue
            other = self.library.chart(self._question(place, told), school)
            same = [t.branch for t in other.transmissions] == [t.branch for t in chart.transmissions]
            if same and (not half or other.general_of == chart.general_of):
                found.append(name)
        return tuple(found)

    # --- contradictions ---------------------------------------------------------

    def broken_sets(self) -> list[int]:
        """What the charts break, as bits of the statements; supersets of another left out."""
        least: list[int] = []

        def add(broken: int) -> None:
            if not any(b & broken == b for b in least):
                least[:] = [b for b in least if b & broken != broken] + [broken]

        for day, offset in self.lessons():
            first = Place(day, offset, BRANCHES[0])
            of_lesson = self._broken(LESSON, first, "晝", {}, stop=False)
            if any(b & of_lesson == b for b in least):
                continue
            hours = self._by_hour(first)
            for made, choices in self.schools.transmissions(day, offset, self.annual):
                so_far = of_lesson | self._broken(TRANSMISSIONS, first, "晝", choices[0], False)
                for of_hour, hour, half in hours:
                    if any(b & (so_far | of_hour) == b for b in least):
                        continue
                    place = Place(day, offset, hour)
                    for one, _ in self._nobles(place, half):
                        choice = {**choices[0], **one}
                        rest = self._broken(GENERALS, place, half, choice, False, made)
                        rest |= self._broken(WHOLE, place, half, choice, False)
                        add(so_far | of_hour | rest)
        return least

    def _by_hour(self, first: Place) -> list[tuple[int, str, str]]:
        """What each hour breaks, with each half of the day it may have."""
        found: dict[tuple[int, str, str], None] = {}
        seen: set[tuple[int, str]] = set()
        whole = WHOLE in self._levels()
        for hour in self._hours():
            place = Place(first.day, first.offset, hour)
            broken = self._broken(HOUR, place, "晝", {}, False)
            for half in self._halves(hour):
                if whole or (broken, half) not in seen:
                    seen.add((broken, half))
                    found[broken, hour, half] = None
        return sorted(found, key=lambda f: (f[0].bit_count(), f[1]))


def _sign(place: str, made: Core) -> str:
    """The branch of a transmission or an upper; a branch is itself."""
    if place in BRANCHES:
        return place
    if place.startswith("lesson"):
        return made.feet[int(place[-1]) - 1].upper
    return made.branches[("initial", "middle", "final").index(place)]


def _decided(condition: Condition, evaluation: Evaluation, text: str) -> bool:
    truth = evaluation.truth(condition)
    if truth is None:
        needs = ", ".join(evaluation.needs(condition)) or "more inputs"
        raise UserError(f"«{text}» cannot be decided from a chart alone; it needs {needs}.")
    return truth


def contradictions(search: Search) -> list[tuple[Statement, ...]]:
    """The smallest sets of statements that no chart fulfils together, all of one size.

    Args:
        search: one that has no solutions.

    Returns:
        nothing if some chart fulfils every statement.
    """
    broken = search.broken_sets()
    if not broken or 0 in broken:
        return []
    n = len(search.statements)
    for size in range(1, n + 1):
        found = []
        for some in combinations(range(n), size):
            bits = sum(1 << i for i in some)
            if all(b & bits for b in broken):
                found.append(tuple(search.statements[i] for i in some))
        if found:
            return found
    return []
