"""Where the lunar calendars of two meridians part."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, timedelta

from .lunar import lunar_day

_DAY = timedelta(days=1)


@dataclass(frozen=True, slots=True)
class Month:
    """A lunar month.

    Attributes:
        begins: its first civil day.
        month: 1-12.
        leap: whether it is a leap month.
        length: 29 or 30 days.
    """

    begins: date
    month: int
    leap: bool
    length: int

    @property
    def ends(self) -> date:
        """The first day after it."""
        return self.begins + self.length * _DAY


@dataclass(frozen=True, slots=True)
class Difference:
    """A lunation that two meridians begin on different days, or number differently.

    Attributes:
        one, other: the month as each meridian has it.
    """

    one: Month
    other: Month

    @property
    def first(self) -> date:
        """The first day that the two date differently."""
        return min(self.one.begins, self.other.begins)

    @property
    def last(self) -> date:
        """The last one before either begins its next month."""
        return min(self.one.ends, self.other.ends) - _DAY


def month_at(day: date, meridian: str) -> Month:
    """The lunar month that holds civil *day* at *meridian*.

    Raises:
        IndexError: the table does not reach so far.
    """
    found = lunar_day(day, meridian)
    return Month(day - (found.day - 1) * _DAY, found.month, found.leap, found.length)


def differences(first: date, last: date, one: str, other: str) -> Iterator[Difference]:
    """Every lunation by which two meridians date a day from *first* to *last* differently.

    They part where the new moon falls on different days, and where the leap month stands
    elsewhere, so that months with the same beginning bear different numbers.

    Args:
        first, last: civil days, both included.
        one, other: names of meridians in ``kb/calendar.yaml``.

    Raises:
        IndexError: the table does not reach so far.
    """
    month = month_at(first, one)
    while month.begins <= last + _DAY:
        # A month's middle lies in the same lunation at every meridian.
        found = Difference(month, month_at(month.begins + 14 * _DAY, other))
        names = {(m.begins, m.month, m.leap) for m in (found.one, found.other)}
        if len(names) == 2 and found.first <= last and found.last >= first:
            yield found
        month = month_at(month.ends, one)
