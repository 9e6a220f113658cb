"""The equation of time, solar clocks, sunrise and sunset."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from liuren.engine.calendar import scale, sun


def unix(*parts: int) -> float:
    return scale.seconds(datetime(*parts, tzinfo=UTC))


def test_equation_of_time_of_a_worked_example():
    """Meeus, example 28.a: 1992-10-13 0h TD, E = 13m42.6s."""
    assert sun.equation_of_time(unix(1992, 10, 13)) == pytest.approx(822.6, abs=1)


@pytest.mark.parametrize(
    ("month", "day", "low", "high"),
    [(2, 11, -860, -850), (5, 14, 215, 225), (7, 26, -395, -385), (11, 3, 980, 990)],
)
def test_extremes_of_the_equation_of_time(month, day, low, high):
    """The four turning points in our time: -14m14s, +3m40s, -6m32s, +16m26s."""
    assert low < sun.equation_of_time(unix(2015, month, day, 12)) < high


def test_mean_time_is_four_minutes_a_degree():
    at = unix(2026, 11, 30, 5, 20)
    # Seoul, 127 E: 8h28m ahead of Greenwich (UT1 is within a second of UTC)
    ahead = sun.solar_time(at, 127.0, apparent=False) - at
    assert ahead == pytest.approx(127 * 240, abs=1)


def test_sunrise_and_sunset_within_a_minute(sunlight):
    assert len(sunlight) == 40
    for latitude, longitude, asked, rise, set_ in sunlight:
        light = sun.daylight(asked, latitude, longitude)
        if rise is None or set_ is None:
            assert light.rise is None and light.set is None
            continue
        assert light.rise == pytest.approx(rise, abs=20)
        assert light.set == pytest.approx(set_, abs=20)


def test_day_and_night_change_with_the_upper_limb(sunlight):
    for latitude, longitude, _, rise, set_ in sunlight:
        if rise is None or set_ is None:
            continue
        for at, day in (
            (rise - 60, False),
            (rise + 60, True),
            (set_ - 60, True),
            (set_ + 60, False),
        ):
            assert sun.daylight(at, latitude, longitude).day is day


def test_midnight_sun_and_polar_night():
    """Tromsø, 69.65 N: the Sun stays up at midsummer and down at midwinter."""
    midsummer, midwinter = unix(2026, 6, 21, 23), unix(2026, 12, 21, 11)
    assert sun.daylight(midsummer, 69.65, 18.96) == sun.Daylight(None, None, True)
    assert sun.daylight(midwinter, 69.65, 18.96) == sun.Daylight(None, None, False)
