"""The Sun: its longitude at any moment, the equation of time, rising and setting.

The longitude is Meeus' short series (Astronomical Algorithms, chapter 25),
corrected by its error at the two solar terms around, which the table knows exactly: good to about
2 arc seconds (20 s of time in the Sun's motion), and exact at the terms themselves.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from . import terms
from .scale import to_tt, to_ut1
from .table import DAY, UNIX_EPOCH

HORIZON = -50 / 60
"""Altitude of the Sun's centre, degrees, when its upper limb is on the horizon (refraction 34')."""

_J2000 = 2451545.0


def _series(unix: float) -> tuple[float, float, float]:
    """Apparent longitude, mean longitude and nutation in longitude, degrees, by the series."""
    t = (to_tt(unix) / DAY + UNIX_EPOCH - _J2000) / 36525
    mean = 280.46646 + 36000.76983 * t + 0.0003032 * t * t
    anomaly = math.radians(357.52911 + 35999.05029 * t - 0.0001537 * t * t)
    node = math.radians(125.04452 - 1934.136261 * t)
    elongation = math.radians(297.85036 + 445267.11148 * t)
    centre = (
        (1.914602 - 0.004817 * t - 0.000014 * t * t) * math.sin(anomaly)
        + (0.019993 - 0.000101 * t) * math.sin(2 * anomaly)
        + 0.000289 * math.sin(3 * anomaly)
    )
    nutation = -0.00478 * math.sin(node) - 0.00037 * math.sin(2 * math.radians(mean))
    # the last term is the Earth's swing about its centre of mass with the Moon
    seen = mean + centre - 0.00569 + nutation + 0.00179 * math.sin(elongation)
    return seen, mean, nutation


def nutation(unix: float) -> float:
    """Nutation in longitude, degrees: the true equinox of date against the mean one."""
    return _series(unix)[2]


def _error(n: int) -> float:
    """What the series is short of at term *n*, degrees, within half a turn."""
    return (315 + 15 * n - _series(terms.begins(n))[0] + 180) % 360 - 180


def longitude(unix: float) -> float:
    """The apparent geocentric longitude of the Sun, of date, in degrees from 0 up to 360."""
    n = terms.holding(unix)
    start, end = terms.begins(n), terms.begins(n + 1)
    share = (unix - start) / (end - start)
    error = _error(n) * (1 - share) + _error(n + 1) * share
    return (_series(unix)[0] + error) % 360


def _position(unix: float) -> tuple[float, float]:
    """Declination (radians) and equation of time (seconds, apparent minus mean)."""
    _, mean, nutation = _series(unix)
    t = (unix / DAY + UNIX_EPOCH - _J2000) / 36525
    node = math.radians(125.04452 - 1934.136261 * t)
    obliquity = math.radians(23.4392911 - 0.0130042 * t + 0.00256 * math.cos(node))
    seen = math.radians(longitude(unix))
    ascension = math.degrees(math.atan2(math.cos(obliquity) * math.sin(seen), math.cos(seen)))
    # Meeus, chapter 28
    equation = mean - 0.0057183 - ascension + nutation * math.cos(obliquity)
    declination = math.asin(math.sin(obliquity) * math.sin(seen))
    return declination, ((equation + 180) % 360 - 180) * 240


def equation_of_time(unix: float) -> float:
    """Apparent minus mean solar time, in seconds (about -860 in February, +990 in November)."""
    return _position(unix)[1]


def solar_time(unix: float, longitude_east: float, apparent: bool) -> float:
    """Local solar time: mean, or apparent by the equation of time.

    Returns:
        Seconds since 1970-01-01 00:00 of that local time; UT1 at Greenwich.
    """
    mean = to_ut1(unix) + longitude_east * 240
    return mean + equation_of_time(unix) if apparent else mean


@dataclass(frozen=True, slots=True)
class Daylight:
    """One day's light at a place, from one apparent midnight to the next.

    Attributes:
        rise, set: Unix seconds; ``None`` when the Sun stays on one side of the horizon.
        day: whether it was day (晝) at the moment asked about.
    """

    rise: float | None
    set: float | None
    day: bool


def daylight(unix: float, latitude: float, longitude_east: float) -> Daylight:
    """Sunrise and sunset (upper limb, refraction 34') of the solar day that holds *unix*.

    Args:
        unix: the moment, Unix seconds.
        latitude, longitude_east: degrees, north and east positive; the horizon is that of the sea.
    """
    local = solar_time(unix, longitude_east, apparent=True)
    noon = unix + DAY / 2 - local % DAY
    phi = math.radians(latitude)

    def crossing(side: int) -> float | None:
        when = noon
        for _ in range(6):
            declination, _eq = _position(when)
            turned = solar_time(when, longitude_east, apparent=True) % DAY - DAY / 2
            cosine = (math.sin(math.radians(HORIZON)) - math.sin(phi) * math.sin(declination)) / (
                math.cos(phi) * math.cos(declination)
            )
            if abs(cosine) > 1:
                return None
            wanted = side * math.degrees(math.acos(cosine)) * 240
            # whole turns do not count: a crossing near midnight may lie in the next day
            change = (wanted - turned + DAY / 2) % DAY - DAY / 2
            when += change
            if abs(change) < 0.1:
                break
        return when

    rise, set_ = crossing(-1), crossing(1)
    declination, _eq = _position(unix)
    hour_angle = math.radians((local % DAY - DAY / 2) / 240)
    height = math.asin(
        math.sin(phi) * math.sin(declination)
        + math.cos(phi) * math.cos(declination) * math.cos(hour_angle)
    )
    if rise is None or set_ is None:
        return Daylight(None, None, math.degrees(height) >= HORIZON)
    return Daylight(rise, set_, rise <= unix < set_)
