"""The 28 mansions on the ecliptic, bounded by their determinative stars (距星).

A mansion begins where the hour circle of its star meets the ecliptic: so 授時曆 made its breadths
on the ecliptic (黃道宿度) from those on the equator.  The points are taken at the epoch of that
calendar and kept among the stars from there: with time, only precession along the ecliptic moves
them.  Precession and obliquity: IAU 1976, after Meeus, Astronomical Algorithms, chapters 21 and 22.
"""

from __future__ import annotations

import math
from functools import cache
from typing import Any

from liuren.engine.data import load_data

from .scale import to_tt
from .table import DAY, UNIX_EPOCH

_J2000 = 2451545.0
_ARCSECOND = 1 / 3600


@cache
def sidereal() -> dict[str, Any]:
    """The part ``sidereal`` of ``kb/calendar.yaml``."""
    data: dict[str, Any] = load_data("calendar")["sidereal"]
    return data


def degrees_of(own: float) -> float:
    """Degrees of 360 to the circle, of degrees of the calendar (365.2575 to the circle)."""
    return own * 360 / float(sidereal()["circle"])


def precession(centuries: float) -> float:
    """Degrees that a star's longitude has gained since 2000.0, in Julian *centuries*."""
    t = centuries
    return (5029.0966 * t + 1.11113 * t * t - 0.000006 * t**3) * _ARCSECOND


def precession_since(unix: float) -> float:
    """Degrees that a star's longitude has gained from the calendar's epoch to *unix*."""
    now = (to_tt(unix) / DAY + UNIX_EPOCH - _J2000) / 36525
    return precession(now) - precession(_epoch())


def _epoch() -> float:
    """The calendar's epoch, in centuries from 2000.0."""
    return (float(sidereal()["epoch"]) - 2000) / 100


@cache
def starts() -> dict[str, float]:
    """The longitude (degrees, mean equinox of the calendar's epoch) at which each mansion begins."""
    t = _epoch()
    obliquity = math.radians(
        (84381.448 - 46.815 * t - 0.00059 * t * t + 0.001813 * t**3) * _ARCSECOND
    )
    found = {}
    for mansion, star in sidereal()["mansions"].items():
        ascension = _right_ascension(star["at"], star["motion"], t)
        y, x = math.sin(ascension), math.cos(ascension) * math.cos(obliquity)
        found[str(mansion)] = math.degrees(math.atan2(y, x)) % 360
    return found


def _right_ascension(at: list[float], motion: list[float], t: float) -> float:
    """The right ascension (radians, equinox of date) of a star *t* centuries after 2000.0."""
    moved = t * 100 / 1000 * _ARCSECOND  # degrees for a milliarcsecond a year
    declination = math.radians(at[1] + motion[1] * moved)
    ascension = math.radians(at[0] + motion[0] * moved / math.cos(math.radians(at[1])))
    zeta, z, theta = (
        math.radians((a * t + b * t * t + c * t**3) * _ARCSECOND)
        for a, b, c in (
            (2306.2181, 0.30188, 0.017998),
            (2306.2181, 1.09468, 0.018203),
            (2004.3109, -0.42665, -0.041833),
        )
    )
    turned = ascension + zeta
    y = math.cos(declination) * math.sin(turned)
    x = math.cos(theta) * math.cos(declination) * math.cos(turned) - math.sin(theta) * math.sin(
        declination
    )
    return math.atan2(y, x) + z


def place_of(longitude: float, unix: float) -> tuple[str, float]:
    """The mansion of a longitude, and how far into it.

    Args:
        longitude: degrees of 360, from the mean equinox of date.
        unix: the date, Unix seconds.

    Returns:
        The mansion, and degrees of the calendar (365.2575 to the circle) from its beginning.
    """
    at_epoch = longitude - precession_since(unix)
    begun = starts()
    names = list(begun)
    found = []
    for mansion, after in zip(names, names[1:] + names[:1], strict=True):
        breadth = (begun[after] - begun[mansion] + 180) % 360 - 180
        into = (at_epoch - begun[mansion]) % 360
        # 觜 has no breadth: its star and that of 參 had come to one hour circle (觜 初五分)
        if into < breadth:
            found.append((into, mansion))
    into, mansion = min(found)
    return mansion, into * float(sidereal()["circle"]) / 360
