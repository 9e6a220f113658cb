"""The table of instants: when the Sun and the Moon reach the points that calendars use.

``data/instants.bin`` is made by ``tools/ephemeris.py`` from JPL DE440 (from 1550) and DE406
(before): 24 solar terms a year (apparent geocentric longitude of date, multiples of 15 degrees)
and the four principal phases of the Moon, from 599 to 2201.  All instants are kept in TT, the
uniform time of the ephemeris, so that a better Delta T needs no new table.

Format: one line ``liuren instants 1``; one line of JSON; then little-endian 16-bit counts, each
``unit`` seconds, to be added to a simple model of the instant.  The JSON has

* ``terms``: term *k* (0 is 小寒 of 2000) is at ``zero + k * period + P(c)`` days TT (a Julian
  date), where *c* is ``k * period`` in centuries and P the polynomial of ``series[k % 24]``;
  its count is number ``k - first k``;
* ``phases``: lunation *k* (0 is the new moon of 2000-01-06) with quarter q = 0 .. 3 added to *k*
  as q / 4; to ``zero + k * period`` add the polynomial ``poly`` of ``series[q]`` and, for each
  row of ``arguments`` (multiples of three angles), its sine and cosine by ``waves``; each angle is
  ``a + b k + c C^2 + d C^3`` degrees with C = k / 1236.85 (Meeus, Astronomical Algorithms, 49);
  the counts of quarter 0 come first, then those of 1, 2 and 3;
* ``source``: what all this was computed from;
* ``delta_t``: TT minus UT1 at ``zero + n * step`` (Julian dates);
* ``leaps``: Unix seconds and TT minus UTC from then on.

The counts are spaced so that rounding costs 0.025 s at most.
"""

from __future__ import annotations

import json
import math
import sys
from array import array
from functools import cache, lru_cache
from importlib import resources
from typing import Any

MAGIC = b"liuren instants 1"
UNIX_EPOCH = 2440587.5  # Julian date
DAY = 86400.0


@cache
def header() -> dict[str, Any]:
    """The JSON header of the table."""
    head: dict[str, Any] = _load()[0]
    return head


@cache
def _load() -> tuple[dict[str, Any], array[int]]:
    raw = (resources.files("liuren.engine.calendar") / "data" / "instants.bin").read_bytes()
    magic, text, counts = raw.split(b"\n", 2)
    if magic != MAGIC:
        raise RuntimeError(f"instants.bin begins with {magic!r}, not {MAGIC!r}")
    numbers = array("h")
    numbers.frombytes(counts)
    if sys.byteorder == "big":
        numbers.byteswap()
    return json.loads(text), numbers


def _polynomial(coefficients: list[float], x: float) -> float:
    total = 0.0
    for coefficient in reversed(coefficients):
        total = total * x + coefficient
    return total


@lru_cache(maxsize=4096)
def term_tt(k: int) -> float:
    """When term *k* begins (0 is 小寒 of 2000), in TT seconds since 1970-01-01 TT.

    Raises:
        IndexError: *k* lies outside the table.
    """
    head, counts = _load()
    terms = head["terms"]
    first, last = terms["k"]
    if not first <= k <= last:
        raise IndexError(k)
    days = k * terms["period"]
    days += _polynomial(terms["series"][k % 24], days / 36525.0)
    residual: float = counts[k - first] * head["unit"]
    return float(terms["zero"] - UNIX_EPOCH + days) * DAY + residual


@lru_cache(maxsize=4096)
def phase_tt(k: int, quarter: int) -> float:
    """When lunation *k* (0: 2000-01-06) is at *quarter* (0 new, 1 first, 2 full, 3 last).

    Returns:
        TT seconds since 1970-01-01 TT.

    Raises:
        IndexError: *k* lies outside the table.
    """
    head, counts = _load()
    phases = head["phases"]
    first, last = phases["k"]
    if not first <= k <= last:
        raise IndexError(k)
    here = k + quarter / 4
    c = here / 1236.85
    angles = [
        math.radians(a0 + a1 * here + a2 * c * c + a3 * c * c * c)
        for a0, a1, a2, a3 in phases["angles"]
    ]
    days = here * phases["period"]
    series = phases["series"][quarter]
    days += _polynomial(series["poly"], days / 36525.0)
    waves = iter(series["waves"])
    for row in phases["arguments"]:
        angle = sum(m * a for m, a in zip(row, angles, strict=True))
        days += next(waves) * math.sin(angle) + next(waves) * math.cos(angle)
    term_first, term_last = head["terms"]["k"]
    place = (term_last - term_first + 1) + quarter * (last - first + 1) + (k - first)
    residual: float = counts[place] * head["unit"]
    return float(phases["zero"] - UNIX_EPOCH + days) * DAY + residual
