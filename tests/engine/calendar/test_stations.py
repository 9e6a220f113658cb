"""The Sun's stations by the stars: against the breadths of 元史, and an independent reckoning."""

from __future__ import annotations

import math
from datetime import UTC, date, datetime, timedelta, timezone

import pytest
from liuren.engine.calendar import resolve_moment, scale, stars, stations, sun
from liuren.engine.calendar.clock import Spot
from liuren.engine.calendar.when import Wanted, When
from liuren.facts.errors import UserError
from liuren.facts.question import Question

from .conftest import _rows, _unix

SIDEREAL = {"month_general": "sidereal"}


def test_the_stars_give_the_breadths_of_the_text():
    """Which stars are meant, and that they bound mansions by hour circles, is no guess."""
    breadths = {mansion: float(width) for mansion, width in _rows("breadths.csv")}
    assert len(breadths) == 28 and sum(breadths.values()) == pytest.approx(365.2575)
    names, starts = list(breadths), stars.starts()
    assert list(starts) == names
    for here, after in zip(names, names[1:] + names[:1], strict=True):
        # 觜 is all but nothing: its star and that of 參 had just changed places
        turn = (starts[after] - starts[here] + 180) % 360 - 180
        assert turn * 365.2575 / 360 == pytest.approx(breadths[here], abs=0.35)


def test_the_stations_are_equal_on_the_equator():
    """Cut by hour circles, a twelfth of the equator to each, though their ecliptic parts differ."""
    obliquity = math.radians(23.532)  # in 1281
    cuts = []
    for n in range(12):
        s = stations.station(n)
        along = math.radians(stars.starts()[s.mansion] + stars.degrees_of(s.degrees))
        cuts.append(
            math.degrees(math.atan2(math.sin(along) * math.cos(obliquity), math.cos(along)))
        )
    for here, after in zip(cuts, cuts[1:] + cuts[:1], strict=True):
        assert (after - here) % 360 * 365.2575 / 360 == pytest.approx(365.2575 / 12, abs=0.25)


def test_the_stations_stand_in_the_order_of_the_palaces():
    """寅 follows 卯 in the Sun's way, and each begins within the mansion it is said to."""
    breadths = {mansion: float(width) for mansion, width in _rows("breadths.csv")}
    branches = [stations.station(n).branch for n in range(12)]
    assert "".join(branches) == "亥戌酉申未午巳辰卯寅丑子"
    for n in range(12):
        entered = stations.station(n)
        assert 0 < entered.degrees < breadths[entered.mansion]


def test_entries_against_an_independent_reckoning():
    rows = _rows("stations.csv")
    assert len(rows) == 7 * 12
    for branch, at in rows:
        n = stations.holding(_unix(at) + 60)
        assert stations.station(n).branch == branch
        assert stations.begins(n) == pytest.approx(_unix(at), abs=30)


def test_the_epoch_of_the_calendar():
    """In 1281 the Sun entered 娵訾 two days after 雨水, where 330 degrees of longitude begin it."""
    n = stations.holding(scale.seconds(datetime(1281, 3, 1, tzinfo=UTC)))
    assert stations.station(n).name == "娵訾"
    assert stations.longitude(stations.begins(n)) == pytest.approx(332.2, abs=0.1)


def test_stations_move_with_the_stars():
    """50.3 arc seconds a year: in 100 years each entry comes 1.4 degrees of longitude later."""
    for n in range(12):
        later = stations.longitude(stations.begins(n + 1200)) - stations.longitude(
            stations.begins(n)
        )
        assert later % 360 == pytest.approx(1.397, abs=0.002)


@pytest.mark.parametrize("year", [600, 1281, 1900, 2200])
def test_holding_agrees_with_the_place_of_the_sun(year):
    """By its count the Sun has made an entry exactly when its place among the mansions says so."""
    start = scale.seconds(datetime(year, 1, 1, tzinfo=UTC))
    for day in range(0, 366, 3):
        unix = start + day * 86400
        entered, after = (stations.station(stations.holding(unix) + n) for n in (0, 1))
        begun = [
            (stars.starts()[s.mansion] + stars.degrees_of(s.degrees)) % 360
            for s in (entered, after)
        ]
        here = (stations.longitude(unix) - stars.precession_since(unix) - begun[0]) % 360
        assert here < (begun[1] - begun[0]) % 360


def test_the_instant_itself_belongs_to_the_new_station():
    at = stations.begins(12)
    assert stations.holding(at - 1) == 11
    assert stations.holding(at) == 12


def test_resolving_by_the_stars():
    """On 2026-02-25 the 中氣 雨水 (18 February) has brought 亥, but the Sun is still in 玄枵 (子)."""
    moment = datetime(2026, 2, 25, 10, tzinfo=timezone(timedelta(hours=8)))
    found, steps = resolve_moment(Question(moment=moment), SIDEREAL)
    assert found.month_general == "子"
    assert resolve_moment(Question(moment=moment), {})[0].month_general == "亥"
    by_id = {step.id: step for step in steps}
    opened = by_id["month_general.opens"]
    assert (opened.value["station"], opened.value["mansion"]) == ("玄枵", "女")
    # computed apart, as stations.csv: 2026-02-01 05:12 UTC
    assert opened.value["at"][:15] == "2026-02-01T13:1"
    assert opened.inputs == ("instant", "sun_mansion")
    assert by_id["sun_mansion"].value["mansion"] == "危"
    assert 6 < by_id["sun_mansion"].value["degrees"] < 7
    assert by_id["month_general"].inputs == ("month_general.opens", "option.month_general")


def test_the_other_schools_say_nothing_of_mansions():
    moment = datetime(2026, 2, 25, 10, tzinfo=UTC)
    ids = {step.id for step in resolve_moment(Question(moment=moment), {})[1]}
    assert "sun_mansion" not in ids


def test_a_general_that_contradicts_the_stars_is_refused():
    moment = datetime(2026, 2, 25, 10, tzinfo=UTC)
    with pytest.raises(UserError, match=r"month general given is 亥, but .* it is 子"):
        resolve_moment(Question(moment=moment, month_general="亥"), SIDEREAL)


def test_finding_moments_by_the_stars():
    """The spans with general 亥 in 2026 run from the entry into 娵訾 to that into 降婁."""
    search = When(UTC, Spot(), SIDEREAL)
    wanted = Wanted.of({"month_general": "亥"}, None, "sidereal")
    (window,) = search.windows(wanted, date(2026, 1, 1), date(2026, 12, 31))
    entries = {b: at for b, at in _rows("stations.csv") if at.startswith("2026")}
    for edge, branch in ((window.start, "亥"), (window.end, "戌")):
        assert edge.timestamp() == pytest.approx(_unix(entries[branch]), abs=30)


def test_by_the_stars_a_month_may_have_a_third_general():
    """大梁 begins after 立夏 (45 degrees) today, so month 巳 opens with 戌, whose 中氣 is 春分."""
    search = When(UTC, Spot(), SIDEREAL)
    wanted = Wanted.of({"month": "巳", "month_general": "戌"}, None, "sidereal")
    (window,) = search.windows(wanted, date(2026, 5, 1), date(2026, 5, 31))
    entries = {b: at for b, at in _rows("stations.csv") if at.startswith("2026")}
    assert window.end.timestamp() == pytest.approx(_unix(entries["酉"]), abs=30)
    assert sun.longitude(window.start.timestamp()) == pytest.approx(45, abs=1e-4)
    with pytest.raises(UserError, match="cannot fall in month 巳"):
        Wanted.of({"month": "巳", "month_general": "戌"})
    with pytest.raises(UserError, match="by the stars it is 戌, 酉 or 申"):
        Wanted.of({"month": "巳", "month_general": "亥"}, None, "sidereal")


@pytest.mark.parametrize("year", [600, 1281, 2000, 2200])
def test_every_moment_of_a_year_can_be_cast(year, library):
    """The pillars that the moment gives pass the checks that pillars told outright must pass."""
    school = library.doctrine("common", SIDEREAL)
    for hours in range(0, 366 * 24, 31):
        moment = datetime(year, 1, 1, tzinfo=UTC) + timedelta(hours=hours)
        if moment.year == year:
            chart = library.chart(Question(moment=moment), school)
            at = stations.holding(scale.seconds(moment))
            assert chart.month_general == stations.station(at).branch


def test_pillars_told_outright_may_have_the_third_general(library):
    told = {"day": "甲子", "hour": "子", "month": "巳"}
    by_stars = library.doctrine("common", SIDEREAL)
    assert library.chart(Question(**told, month_general="戌"), by_stars).month_general == "戌"
    with pytest.raises(UserError, match="by the stars it is 戌, 酉 or 申"):
        library.chart(Question(**told, month_general="亥"), by_stars)
    with pytest.raises(UserError, match="it is 酉 before the month's 中氣 and 申 after it"):
        library.chart(Question(**told, month_general="戌"), library.doctrine("common"))
