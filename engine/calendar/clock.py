"""The clock that tells the two-hour hours, and with them the change of the day."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta

from liuren.facts.errors import UserError

from . import scale, sun


@dataclass(frozen=True, slots=True)
class Spot:
    """Where a question is asked: a name, or coordinates alone, or neither.

    Attributes:
        name: gazetteer name as given, or ``None``.
        longitude, latitude: degrees, east and north positive, or ``None``.
    """

    name: str | None = None
    longitude: float | None = None
    latitude: float | None = None

    @property
    def known(self) -> bool:
        """Whether anything is known of the place."""
        return self.longitude is not None or self.latitude is not None


def civil(moment: datetime, spot: Spot) -> datetime:
    """The wall time of the moment's own zone, summer time included."""
    return moment.replace(tzinfo=None, fold=0)


def mean(moment: datetime, spot: Spot) -> datetime:
    """Local mean solar time at the longitude of *spot*.

    Raises:
        UserError: the longitude is not known.
    """
    return _solar(moment, spot, apparent=False)


def apparent(moment: datetime, spot: Spot) -> datetime:
    """Local apparent solar time (真太陽時), as a sundial at *spot* shows.

    Raises:
        UserError: the longitude is not known.
    """
    return _solar(moment, spot, apparent=True)


CLOCKS: dict[str, Callable[[datetime, Spot], datetime]] = {
    "civil": civil,
    "mean": mean,
    "apparent": apparent,
}
"""The procedure behind each value of the option ``hour_time``."""


def _solar(moment: datetime, spot: Spot, *, apparent: bool) -> datetime:
    if spot.longitude is None:
        word = "apparent" if apparent else "mean"
        raise UserError(
            f"Hours by {word} solar time (hour_time={word}) need a place or a longitude, "
            "and none is given."
        )
    local = sun.solar_time(scale.seconds(moment), spot.longitude, apparent)
    return (scale.EPOCH + timedelta(seconds=local)).replace(tzinfo=None)
