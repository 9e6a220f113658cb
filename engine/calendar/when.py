"""When given pillars are: the spans of real time in which a lesson can be cast.

A span of years is cut at every second at which a pillar or the month general may
change: where an hour begins by the clock that tells the hours, where a solar term
begins, where the clocks of the zone are set.  Between two cuts nothing changes, so one
look at each piece is enough, and what is found is exact to the second.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, timedelta, tzinfo
from itertools import pairwise

from liuren.facts.errors import UserError
from liuren.facts.ganzhi import BRANCH_INDEX, SIXTY, SIXTY_INDEX, STEM_INDEX, distance
from liuren.facts.ganzhi import step as branch_after

from ..casting.reading import read_branch, read_ganzhi, read_pillar
from . import clock, generals, pillars, scale, terms
from .clock import Spot
from .inputs import check_span, choose
from .table import DAY

_DAY = timedelta(days=1)
_HOURS = tuple(timedelta(hours=h) for h in (0, 1, 3, 5, 7, 9, 11, 13, 15, 17, 19, 21, 23, 24))


@dataclass(frozen=True, slots=True)
class Wanted:
    """What is looked for; each part is a ganzhi, a branch, or ``None`` for any.

    Attributes:
        year, month, hour: a ganzhi or a branch.
        day: a ganzhi.
        month_general: a branch.
        offset: 0-11, month general less hour.
    """

    year: str | None = None
    month: str | None = None
    day: str | None = None
    hour: str | None = None
    month_general: str | None = None
    offset: int | None = None

    @classmethod
    def of(
        cls,
        given: Mapping[str, str | None],
        offset: int | None = None,
        school: str = "zhongqi",
    ) -> Wanted:
        """Read and check what a person wrote.

        Args:
            given: the parts by name, ``None`` for any.
            offset: 0-11, or ``None`` for any.
            school: the value of ``month_general``; by the stars a month may have a
                third general.

        Raises:
            UserError: a value is none of the sixty, or of the twelve; they
                contradict each other; or nothing is given.
        """
        read = {
            "year": lambda v: str(read_pillar(v, "Year")),
            "month": lambda v: str(read_pillar(v, "Month")),
            "day": lambda v: read_ganzhi(v, "Day"),
            "hour": lambda v: str(read_pillar(v, "Hour")),
            "month_general": lambda v: read_branch(v, "Month general"),
        }
        found = {k: read[k](v) for k, v in given.items() if v is not None}
        if offset is not None and not 0 <= offset <= 11:
            raise UserError(f"The offset {offset} is no plate; a number from 0 to 11 is accepted.")
        wanted = cls(**found, offset=offset)
        if wanted == cls():
            raise UserError(
                "Nothing is looked for; give a day, an hour, a month general, an offset, "
                "a month or a year."
            )
        wanted._check(school)
        return wanted

    def _check(self, school: str) -> None:
        for lower, upper, what, start in (
            (self.hour, self.day, "hour", 0), (self.month, self.year, "month", 2),
        ):  # fmt: skip
            if lower and upper and len(lower) == len(upper) == 2:
                # 五子元遁 from the day, 五虎遁 from the year: 甲己 begin with 甲子 and 丙寅.
                first = STEM_INDEX[upper[0]] % 5 * 2 + start
                stem = (first + (BRANCH_INDEX[lower[1]] - start) % 12) % 10
                # Where the day begins at midnight its late 子 hour has the stem of tomorrow's.
                late = what == "hour" and lower[1] == "子" and STEM_INDEX[lower[0]] == (stem + 2) % 10
                if STEM_INDEX[lower[0]] != stem and not late:
                    pair = next(p for p in SIXTY if STEM_INDEX[p[0]] == stem and p[1] == lower[1])
                    other = "day" if what == "hour" else "year"
                    raise UserError(f"The {what} {lower} is not of {other} {upper}, which has {pair}.")
        hour, general = self.hour, self.month_general
        made = distance(hour[-1], general) if hour and general else None
        if None not in (self.offset, made) and made != self.offset:
            raise UserError(
                f"The offset {self.offset} contradicts month general {general} on hour {hour}, "
                f"which is {made}."
            )
        if self.month and general:
            left, before, after = _generals_of(self.month[-1])
            fits: tuple[str, ...] = (before, after)
            said = f"it is {before} before the month's 中氣 and {after} after it"
            if school == generals.SIDEREAL:
                # Precession has carried some entries of the Sun into the next month.
                fits = (left, *fits)
                said = f"by the stars it is {left}, {before} or {after}"
            if general not in fits:
                raise UserError(
                    f"Month general {general} cannot fall in month {self.month}; {said}."
                )


def _generals_of(month: str) -> tuple[str, str, str]:
    """The general left over from the month before (by the stars only), and the month's two."""
    left, before, after = (generals.combines()[branch_after(month, -back)] for back in (2, 1, 0))
    return left, before, after


@dataclass(frozen=True, slots=True)
class Window:
    """A span of time in which everything wanted is so.

    Attributes:
        start, end: aware; *end* is the first second after it.
        year, month, day, hour: ganzhi, ``None`` for one that changes within the span.
        month_general: a branch, or ``None`` likewise.
    """

    start: datetime
    end: datetime
    year: str | None
    month: str | None
    day: str | None
    hour: str | None
    month_general: str | None

    @property
    def offset(self) -> int | None:
        """The plate, month general less hour; ``None`` if it changes within the span."""
        if self.hour is None or self.month_general is None:
            return None
        return distance(self.hour[1], self.month_general)

    def joined(self, after: Window) -> Window:
        """This span with the one that follows at once; what differs is ``None``."""
        kept = {k: v if v == getattr(after, k) else None for k, v in self.pillars().items()}
        return Window(self.start, after.end, **kept)

    def pillars(self) -> dict[str, str | None]:
        """The four pillars and the month general by name."""
        names = ("year", "month", "day", "hour", "month_general")
        return {name: getattr(self, name) for name in names}


@dataclass(frozen=True, slots=True)
class When:
    """A search in one place.

    Attributes:
        zone: where days and hours are told, and results are shown.
        spot: the place, for hours by the sun.
        options: the doctrine's; ``day_starts``, ``hour_time`` and
            ``month_general`` are read.
    """

    zone: tzinfo
    spot: Spot
    options: Mapping[str, str]

    def windows(
        self, wanted: Wanted, first: date, last: date, step: Callable[[], None] = lambda: None
    ) -> Iterator[Window]:
        """Every span from *first* to *last* (days of the zone, both included), in order.

        Pieces that follow each other at once are one span.

        Args:
            wanted: what is looked for.
            first, last: at most the years that the calendar covers.
            step: called for each day looked at.

        Raises:
            UserError: the days lie outside the calendar or in the wrong order; an
                option wants a place.
        """
        check_span(first, last)
        chosen = choose(self.options)
        limits = self._midnight(first), self._midnight(last + _DAY)
        open_: Window | None = None
        for day in self._days(wanted, first, last):
            step()
            if not self._may(wanted, day, chosen):
                continue
            for start, end in pairwise(self._cuts(day, chosen)):
                start, end = max(start, limits[0]), min(end, limits[1])
                if start >= end:
                    continue
                window = self._look(start, end, chosen)
                if not _fits(window, wanted):
                    continue
                # By instants: within one zone Python compares clock times, which repeat.
                done = None if open_ is None else open_.end.astimezone(UTC)
                if done is not None and window.start.astimezone(UTC) < done:
                    continue  # the neighbouring day looked at it already
                if open_ is not None and window.start.astimezone(UTC) == done:
                    open_ = open_.joined(window)
                    continue
                if open_ is not None:
                    yield open_
                open_ = window
        if open_ is not None:
            yield open_

    def _may(self, wanted: Wanted, day: date, chosen: Mapping[str, str]) -> bool:
        """Whether year, month and general can be those wanted somewhere about *day*."""
        if not (wanted.year or wanted.month or wanted.month_general):
            return True
        noon = scale.seconds(datetime(day.year, day.month, day.day, 12, tzinfo=UTC))
        low, high = noon - 2 * DAY, noon + 2 * DAY
        held = (low, *generals.changes(low, high, chosen["month_general"]))
        return any(_fits(self._sun(unix, chosen), wanted) for unix in held)

    def _midnight(self, day: date) -> int:
        moment = datetime(day.year, day.month, day.day, tzinfo=self.zone)
        return round(scale.seconds(moment))

    def _days(self, wanted: Wanted, first: date, last: date) -> Iterator[date]:
        """Days by the clock that may hold what is wanted, one beyond either end."""
        start, count = max(first, date(2, 1, 1)) - _DAY, (last - first).days + 3
        if wanted.day is None:
            yield from (start + n * _DAY for n in range(count))
            return
        noon = datetime(start.year, start.month, start.day, 12)
        have = SIXTY_INDEX[pillars.day_pillar(pillars.day_number(noon, "0"))]
        gap = (SIXTY_INDEX[wanted.day] - have) % 60
        yield from (start + n * _DAY for n in range(gap, count, 60))

    def _wall(self, unix: int, kind: str) -> datetime:
        return clock.CLOCKS[kind](scale.at(unix, self.zone), self.spot)

    def _cuts(self, day: date, chosen: Mapping[str, str]) -> list[int]:
        """Seconds at which something may change on *day* by the clock, its eve's 23:00 included."""
        midnight = datetime(day.year, day.month, day.day)
        kind = chosen["hour_time"]
        walls = [midnight - timedelta(hours=1), *(midnight + h for h in _HOURS)]
        cuts = {s for wall in walls for s in self._seconds(wall, kind)}
        low, high = min(cuts), max(cuts)
        cuts.update(generals.changes(low, high, chosen["month_general"]))
        ordered = sorted(cuts)
        if kind == "civil":
            ordered = sorted({*ordered, *(s for a, b in pairwise(ordered) for s in self._set(a, b))})
        return ordered

    def _seconds(self, wall: datetime, kind: str) -> list[int]:
        """The seconds at which the clock comes to *wall*: one, or two where clocks were set."""
        if kind == "civil":
            both = (wall.replace(tzinfo=self.zone, fold=fold) for fold in (0, 1))
            return [_up(scale.seconds(moment.astimezone(UTC))) for moment in both]
        shown = wall.replace(tzinfo=UTC)
        guess = round(scale.seconds(shown) - (self.spot.longitude or 0.0) * 240)
        # The sun is at most 17 minutes from its mean, and Delta T small beside that.
        low, high = guess - 7200, guess + 7200
        while low < high:
            middle = (low + high) // 2
            if self._wall(middle, kind) < wall:
                low = middle + 1
            else:
                high = middle
        return [low]

    def _set(self, start: int, end: int) -> list[int]:
        """The second in a piece from which the zone has another offset, if it has."""
        before, after = (scale.at(s, self.zone).utcoffset() for s in (start, end - 1))
        if before == after:
            return []
        low, high = start, end - 1
        while high - low > 1:
            middle = (low + high) // 2
            if scale.at(middle, self.zone).utcoffset() == before:
                low = middle
            else:
                high = middle
        return [high]

    def _look(self, start: int, end: int, chosen: Mapping[str, str]) -> Window:
        shown = self._wall(start, chosen["hour_time"])
        return replace(
            self._sun(start, chosen),
            start=scale.at(start, self.zone),
            end=scale.at(end, self.zone),
            day=pillars.day_pillar(pillars.day_number(shown, chosen["day_starts"])),
            hour=pillars.hour_pillar(shown),
        )

    @staticmethod
    def _sun(unix: float, chosen: Mapping[str, str]) -> Window:
        """What the Sun tells at *unix*; the rest left open."""
        n = terms.holding(unix)
        general = generals.turn(unix, chosen["month_general"]).general
        return Window(
            scale.EPOCH, scale.EPOCH, pillars.year_pillar(n), pillars.month_pillar(n), None, None, general
        )


def _up(seconds: float) -> int:
    whole = int(seconds // 1)
    return whole if whole == seconds else whole + 1


def _fits(window: Window, wanted: Wanted) -> bool:
    for name, have in window.pillars().items():
        want = getattr(wanted, name)
        if have is not None and want is not None and want not in (have, have[-1]):
            return False
    return None in (wanted.offset, window.offset) or window.offset == wanted.offset
