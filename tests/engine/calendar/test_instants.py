"""The table's instants and the Sun between them, against JPL DE421 by skyfield."""

from __future__ import annotations

import itertools
import random
from datetime import UTC, datetime

import pytest
from liuren.engine.calendar import scale, sun, table, terms

TERM_COUNT = 14 * 24  # fourteen whole years stand in the reference file


def test_terms_within_a_second_of_de421(de421):
    rows = [(degrees, at) for what, degrees, at in de421 if what == "term"]
    assert len(rows) == TERM_COUNT
    for degrees, at in rows:
        n = terms.holding(at + 86400)
        assert (315 + 15 * n) % 360 == degrees
        assert abs(terms.begins(n) - at) < 1


def test_phases_within_a_second_of_de421(de421):
    rows = [(degrees // 90, at) for what, degrees, at in de421 if what == "phase"]
    assert len(rows) > 80
    for quarter, at in rows:
        # the reference is one quarter of one lunation; take the nearest of ours
        k = round((at - 947182440) / (29.530588861 * 86400) - quarter / 4)
        assert abs(scale.to_unix(table.phase_tt(k, quarter)) - at) < 1


def test_the_whole_range_against_another_theory(moshier):
    """Within a minute from 600 to 2200, in TT; the theory itself strays most in the Moon, early."""
    assert len(moshier) > 80
    for what, degrees, at in moshier:
        if what == "term":
            n = terms.holding(scale.to_unix(at) + 86400)
            assert (315 + 15 * n) % 360 == degrees
            assert abs(table.term_tt(n + 2) - at) < 15
        else:
            quarter = degrees // 90
            k = round((at - 947182504) / (29.530588861 * 86400) - quarter / 4)
            assert abs(table.phase_tt(k, quarter) - at) < 60


@pytest.mark.filterwarnings("ignore:The file finals2000A")  # DE421 alone is used of that package
def test_table_against_skyfield_itself():
    """Every tenth term and phase of 1900-2050, without Delta T: both in TT."""
    np = pytest.importorskip("numpy")
    api = pytest.importorskip("skyfield.api")
    data = pytest.importorskip("skyfield_data")
    framelib = pytest.importorskip("skyfield.framelib")
    eph = api.load_file(f"{data.get_skyfield_data_path()}/de421.bsp")
    scale_ = api.load.timescale(builtin=True)
    earth = eph["earth"]

    def longitudes(tt: list[float], body: str):
        when = scale_.tt_jd(np.array(tt) / 86400 + table.UNIX_EPOCH)
        seen = earth.at(when).observe(eph[body]).apparent()
        return seen.frame_latlon(framelib.ecliptic_frame)[1].degrees

    def worst(angle, wanted, degrees_a_day: float) -> float:
        error = (angle - np.array(wanted) + 180) % 360 - 180
        return float(np.abs(error).max()) / degrees_a_day * 86400

    counts = range(-100 * 24 + 1, 50 * 24, 10)
    instants = [table.term_tt(k) for k in counts]
    wanted = [(285 + 15 * k) % 360 for k in counts]
    assert worst(longitudes(instants, "sun"), wanted, 0.986) < 0.2

    for quarter in range(4):
        instants = [table.phase_tt(k, quarter) for k in range(-1230, 610, 10)]
        apart = longitudes(instants, "moon") - longitudes(instants, "sun")
        assert worst(apart, [90 * quarter] * len(instants), 12.19) < 0.2


@pytest.mark.parametrize(
    ("tdt", "degrees"),
    [
        # Meeus, Astronomical Algorithms, examples 25.a and 25.b: 1992-10-13 0h TD
        (datetime(1992, 10, 13, tzinfo=UTC), 199.90895),
        # example 27.a: the solstice of June 1962, 21h24m42s TD, longitude 90 degrees
        (datetime(1962, 6, 21, 21, 24, 42, tzinfo=UTC), 90.0),
    ],
)
def test_longitude_of_worked_examples(tdt, degrees):
    unix = scale.to_unix(scale.seconds(tdt))
    # Meeus gives 199 54' 32" by the short theory and 21.818" by VSOP87
    assert sun.longitude(unix) == pytest.approx(degrees, abs=0.003)


def test_new_moon_of_a_worked_example():
    """Meeus, example 49.a: the new moon of February 1977 at 3h37m42s TD on the 18th (3 s)."""
    wanted = scale.seconds(datetime(1977, 2, 18, 3, 37, 42, tzinfo=UTC))
    assert table.phase_tt(-283, 0) == pytest.approx(wanted, abs=20)


@pytest.mark.parametrize(
    ("year", "seconds", "within"),
    [
        # Stephenson, Morrison and Hohenkerk 2016, their table of Delta T; 1972 on by leap seconds
        (700, 3810, 100),
        (1000, 1650, 60),
        (1500, 292, 20),
        (1600, 109, 10),
        (1800, 18.4, 1),
        (1900, -2, 1),
        (1950, 29.1, 0.3),
        (1990, 57.184, 0.001),
        (2020, 69.184, 0.001),
        (2150, 69.184, 0.001),
    ],
)
def test_delta_t(year, seconds, within):
    unix = scale.seconds(datetime(year, 6, 1, tzinfo=UTC))
    assert scale.tt_minus_clock(unix) == pytest.approx(seconds, abs=within)


def test_clock_and_tt_are_inverse():
    numbers = random.Random(7)
    for _ in range(500):
        unix = numbers.uniform(-4.3e10, 7.2e9)
        # a leap second repeats a Unix second; none falls on these numbers
        assert scale.to_unix(scale.to_tt(unix)) == pytest.approx(unix, abs=1e-3)


def test_terms_are_in_order_over_the_whole_range():
    first = (600 - 2000) * 24 - 2
    instants = [terms.begins(n) for n in range(first, (2201 - 2000) * 24 - 2)]
    gaps = [b - a for a, b in itertools.pairwise(instants)]
    # 15 degrees take from 14.7 days near perihelion to 15.8 near aphelion
    assert 14.6 * 86400 < min(gaps) <= max(gaps) < 15.8 * 86400
    years = 1601 * 365.2422 * 86400
    assert instants[-1] - instants[0] == pytest.approx(years, rel=1e-4)


def test_a_term_holds_from_its_own_second():
    for n in range(-33600, 4800, 997):
        at = terms.begins(n)
        assert terms.holding(at) == n
        assert terms.holding(at - 1) == n - 1


def test_longitude_is_continuous_at_terms():
    for n in range(0, 600, 7):
        at = terms.begins(n)
        before, after = sun.longitude(at - 60), sun.longitude(at + 60)
        # two minutes are 0.00137 degrees of the Sun's motion
        assert (after - before + 180) % 360 - 180 == pytest.approx(0.00137, abs=0.00006)
        assert (sun.longitude(at) - 315 - 15 * n + 180) % 360 - 180 == pytest.approx(0, abs=1e-5)
