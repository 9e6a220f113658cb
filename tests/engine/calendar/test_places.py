"""The gazetteer."""

from __future__ import annotations

from zoneinfo import ZoneInfo

import pytest
from liuren.engine.calendar import find_place
from liuren.engine.calendar.places import places
from liuren.engine.data import load_data
from liuren.facts.errors import UserError


@pytest.mark.parametrize("name", ["北京", "베이징", "Beijing", "beijing", "북경", "Peking"])
def test_one_place_by_any_of_its_names(name):
    place = find_place(name)
    assert place.en == "Beijing"
    # Tiananmen is at 39.905 N, 116.397 E
    assert place.latitude == pytest.approx(39.905, abs=0.1)
    assert place.longitude == pytest.approx(116.397, abs=0.1)
    assert place.tz == "Asia/Shanghai"


def test_blanks_and_marks_do_not_matter():
    assert find_place("hongkong") == find_place("Hong Kong") == find_place("香港")
    assert find_place("Xian") == find_place("Xi'an") == find_place("長安")
    assert find_place("Sao Paulo") == find_place("São Paulo")


def test_nearest_names_are_told():
    with pytest.raises(UserError, match=r"Seol.*Seoul"):
        find_place("Seol")
    with pytest.raises(UserError, match="북서울"):
        find_place("북서울")


@pytest.mark.parametrize("place", places(), ids=lambda place: place.en)
def test_entries(place):
    ZoneInfo(place.tz)  # raises for an unknown one
    assert -90 < place.latitude < 90
    assert -180 < place.longitude < 180


def test_longitudes_fit_their_time_zones():
    """No zone is told more than 2h20m from the mean time of a place in it (Lhasa is 1h56m)."""
    from datetime import datetime

    for place in places():
        offset = ZoneInfo(place.tz).utcoffset(datetime(2026, 1, 1))
        assert offset is not None
        assert abs(offset.total_seconds() / 3600 - place.longitude / 15) < 2.34, place.en


def test_no_name_stands_for_two_places():
    seen: dict[str, str] = {}
    for row in load_data("places")["places"]:
        for name in {row["zh"], row["ko"], row["en"], *row.get("also", ())}:
            assert seen.setdefault(name.casefold(), row["en"]) == row["en"], name
