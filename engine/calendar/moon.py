"""The Moon's longitude, for its true place among the mansions (option ``moon_mansion=true``).

The principal terms of the theory ELP-2000/82 as Meeus gives them (Astronomical Algorithms,
chapter 47): those of a thousandth of a degree and more, good to about 0.01 degree in our time, or
a minute of the Moon's way.
"""

from __future__ import annotations

import math

from . import stars
from .scale import to_tt
from .table import DAY, UNIX_EPOCH

_J2000 = 2451545.0

# Multiples of D, M, M' and F, and the term of the longitude in millionths of a degree.
_TERMS = (
    (0, 0, 1, 0, 6288774), (2, 0, -1, 0, 1274027), (2, 0, 0, 0, 658314), (0, 0, 2, 0, 213618),
    (0, 1, 0, 0, -185116), (0, 0, 0, 2, -114332), (2, 0, -2, 0, 58793), (2, -1, -1, 0, 57066),
    (2, 0, 1, 0, 53322), (2, -1, 0, 0, 45758), (0, 1, -1, 0, -40923), (1, 0, 0, 0, -34720),
    (0, 1, 1, 0, -30383), (2, 0, 0, -2, 15327), (0, 0, 1, 2, -12528), (0, 0, 1, -2, 10980),
    (4, 0, -1, 0, 10675), (0, 0, 3, 0, 10034), (4, 0, -2, 0, 8548), (2, 1, -1, 0, -7888),
    (2, 1, 0, 0, -6766), (1, 0, -1, 0, -5163), (1, 1, 0, 0, 4987), (2, -1, 1, 0, 4036),
    (2, 0, 2, 0, 3994), (4, 0, 0, 0, 3861), (2, 0, -3, 0, 3665), (0, 1, -2, 0, -2689),
    (2, 0, -1, 2, -2602), (2, -1, -2, 0, 2390), (1, 0, 1, 0, -2348), (2, -2, 0, 0, 2236),
    (0, 1, 2, 0, -2120), (0, 2, 0, 0, -2069), (2, -2, -1, 0, 2048), (2, 0, 1, -2, -1773),
    (2, 0, 0, 2, -1595), (4, -1, -1, 0, 1215), (0, 0, 2, 2, -1110),
)  # fmt: skip


def longitude(unix: float) -> float:
    """The Moon's geocentric longitude from the mean equinox of date, degrees from 0 up to 360."""
    t = (to_tt(unix) / DAY + UNIX_EPOCH - _J2000) / 36525
    mean = 218.3164477 + 481267.88123421 * t - 0.0015786 * t * t + t**3 / 538841
    node = 93.2720950 + 483202.0175233 * t - 0.0036539 * t * t  # F, from the node
    angles = (
        297.8501921 + 445267.1114034 * t - 0.0018819 * t * t,  # D, elongation from the Sun
        357.5291092 + 35999.0502909 * t - 0.0001536 * t * t,  # M, the Sun's anomaly
        134.9633964 + 477198.8675055 * t + 0.0087414 * t * t + t**3 / 69699,  # M', the Moon's
        node,
    )
    # The Earth's orbit grows rounder, which weakens the terms that hang on the Sun's anomaly.
    rounder = 1 - 0.002516 * t - 0.0000074 * t * t
    total = (
        3958 * _sine(119.75 + 131.849 * t)  # Venus
        + 1962 * _sine(mean - node)  # the Earth's flattening
        + 318 * _sine(53.09 + 479264.290 * t)  # Jupiter
    )
    for *multiples, term in _TERMS:
        angle = sum(n * a for n, a in zip(multiples, angles, strict=True))
        total += term * rounder ** abs(multiples[1]) * _sine(angle)
    return (mean + total / 1e6) % 360


def _sine(degrees: float) -> float:
    return math.sin(math.radians(degrees))


def place(unix: float) -> tuple[str, float]:
    """The mansion in which the Moon stands, and degrees of 365.2575 from its beginning.

    Mansions are those of :mod:`.stars`, bounded on the ecliptic; the Moon's latitude is left out.
    """
    return stars.place_of(longitude(unix), unix)
