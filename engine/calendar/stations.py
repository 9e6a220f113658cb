"""The Sun's twelve stations (十二次) by the stars: the school ``month_general=sidereal``.

授時曆 gives the mansion and degree at which each station begins; its branch is the month general.
An entry is known by its count *n*: 0 is that into 娵訾 (亥) of 2000, one more is the next station.
The Sun is taken as seen, the points among the stars at their mean places.  From 1900 to 2050 the
instants are within half a minute of those reckoned with JPL DE421; the text that gives the points
was measured to some 0.1 degree, or two hours of the Sun's way, so a nearer second has no meaning.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from . import stars, sun
from .table import DAY

_YEAR = 365.25636 * DAY  # the sidereal year
_FIRST = 951955200.0  # 2000-03-02, about when the Sun entered 娵訾


@dataclass(frozen=True, slots=True)
class Station:
    """A station of the Sun.

    Attributes:
        branch: its palace, which is the month general.
        name: 娵訾 …
        mansion, degrees: where it begins, in degrees of the calendar.
    """

    branch: str
    name: str
    mansion: str
    degrees: float


def station(n: int) -> Station:
    """The station that entry *n* opens."""
    rows = list(stars.sidereal()["stations"].items())
    branch, row = rows[n % 12]
    return Station(str(branch), str(row["name"]), str(row["mansion"]), float(row["degrees"]))


def longitude(unix: float) -> float:
    """The Sun's apparent longitude from the mean equinox of date, degrees."""
    return (sun.longitude(unix) - sun.nutation(unix)) % 360


@lru_cache(maxsize=1024)
def begins(n: int) -> float:
    """When the Sun makes entry *n*, in Unix seconds, to the nearest whole second.

    Raises:
        IndexError: the table does not reach so far.
    """
    found = station(n)
    start = stars.starts()[found.mansion] + stars.degrees_of(found.degrees)
    unix = _FIRST + n / 12 * _YEAR
    for _ in range(12):
        short = (start + stars.precession_since(unix) - longitude(unix) + 180) % 360 - 180
        unix += short / 360 * _YEAR
        if abs(short) < 1e-7:
            break
    return float(round(unix))


def holding(unix: float) -> int:
    """The last entry that the Sun has made at *unix*, its own instant included."""
    n = int((unix - _FIRST) / _YEAR * 12)
    while begins(n) > unix:
        n -= 1
    while begins(n + 1) <= unix:
        n += 1
    return n


def sun_place(unix: float) -> tuple[str, float]:
    """The mansion in which the Sun stands, and degrees of the calendar from its beginning."""
    return stars.place_of(longitude(unix), unix)
