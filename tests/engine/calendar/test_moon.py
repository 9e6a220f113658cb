"""The Moon's true place among the mansions."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone

import pytest
from liuren.engine.calendar import moon, resolve_moment, scale, stars, stations, table
from liuren.facts.question import Question

from .conftest import _rows, _unix

POSITION = {"moon_mansion": "position"}


def test_longitude_and_mansion_against_de421():
    rows = _rows("moon.csv")
    assert len(rows) == 60
    for at, longitude, mansion, degrees in rows:
        found = moon.longitude(_unix(at))
        assert abs((found - float(longitude) + 180) % 360 - 180) < 0.01
        assert moon.place(_unix(at)) == (mansion, pytest.approx(float(degrees), abs=0.02))


@pytest.mark.parametrize(("quarter", "apart"), [(0, 0), (1, 90), (2, 180), (3, 270)])
def test_the_moon_against_the_sun_at_the_phases(quarter, apart):
    """The table's phases, from another ephemeris, over the whole of 600 to 2200."""
    for k in range(-17000, 2400, 371):
        unix = scale.to_unix(table.phase_tt(k, quarter))
        turn = moon.longitude(unix) - stations.longitude(unix) - apart
        assert abs((turn + 180) % 360 - 180) < 0.02


def test_a_mansion_without_breadth_is_passed_over():
    """觜 had half a tenth of a degree in 1281 and by the stars none, so 參 follows 畢 at once."""
    at_epoch = stars.starts()["參"]
    unix = scale.seconds(datetime(1281, 1, 1, 12, tzinfo=UTC))
    shift = stars.precession_since(unix)
    for into in (0.001, 0.03, 5.0):
        mansion, degrees = stars.place_of(at_epoch + into + shift, unix)
        assert mansion == "參"
        assert degrees == pytest.approx(into * 365.2575 / 360)
    assert stars.place_of(at_epoch - 0.001 + shift, unix)[0] == "畢"


def test_casting_with_the_true_mansion(library):
    """Each moment of the reference, cast: the mansion, and the palace that holds it."""
    school = library.doctrine("common", POSITION)
    palaces = {"畢": "酉", "柳": "午", "室": "亥", "女": "子"}
    seen = set()
    for at, _, mansion, degrees in _rows("moon.csv"):
        moment = datetime.fromisoformat(at)
        chart = library.chart(Question(moment=moment), school)
        assert chart.day_facts["mansion"] == mansion
        if mansion in palaces:
            assert chart.day_facts["moon"] == palaces[mansion]
            seen.add(mansion)
        step = chart.steps["moon_place"]
        assert step.value["degrees"] == pytest.approx(float(degrees), abs=0.03)
        assert chart.steps["mansion"].inputs == ("moon_place", "option.moon_mansion")
    assert seen


def test_by_the_rule_the_sky_is_not_asked(library):
    moment = datetime(2026, 11, 30, 14, 20, tzinfo=timezone(timedelta(hours=8)))
    chart = library.chart(Question(moment=moment), library.doctrine("common"))
    assert "moon_place" not in chart.steps and "option.moon_mansion" not in chart.steps
    # 十月廿二, 心 on the first: 奎 on the 11th and 12th, 井 on the 19th and 20th, 鬼, then 柳
    assert chart.day_facts["mansion"] == "柳"


def test_pillars_alone_do_not_tell_where_the_moon_stands(library):
    told = Question(day="甲子", hour="子", month_general="丑", lunar=(11, 1, False))
    chart = library.chart(told, library.doctrine("common", POSITION))
    assert "mansion" not in chart.day_facts and "moon" not in chart.day_facts
    assert chart.steps["mansion"].value is None
    assert chart.steps["mansion"].needs == ("moment",)


def test_resolving_gives_the_steps():
    moment = datetime(2026, 11, 30, 14, 20, tzinfo=timezone(timedelta(hours=8)))
    _, steps = resolve_moment(Question(moment=moment), POSITION)
    by_id = {step.id: step for step in steps}
    assert by_id["moon_longitude"].inputs == ("instant",)
    assert by_id["moon_place"].inputs == ("instant", "moon_longitude")
