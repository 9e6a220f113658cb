"""Schools as data: names, values, and that every value has its procedure."""

from __future__ import annotations

import pytest
from liuren.engine.casting.echo import FUYIN, JINGLAN
from liuren.engine.casting.nine import BIEZE, DUZU
from liuren.engine.casting.shehai import SHEHAI, TIES
from liuren.engine.data import load_knowledge
from liuren.engine.doctrine import load_doctrine, option_values
from liuren.facts.errors import UserError

DATA = load_knowledge()


@pytest.mark.parametrize(
    ("option", "registry"),
    [
        ("shehai", SHEHAI), ("shehai_tie", TIES), ("fuyin", FUYIN), ("jinglan", JINGLAN),
        ("bieze", BIEZE), ("duzu", DUZU),
    ],
)  # fmt: skip
def test_values_are_the_registered_procedures(option, registry):
    assert set(option_values(DATA)[option]) == set(registry)


def test_every_doctrine_has_every_option():
    options = option_values(DATA)
    assert {"common", "xinjing", "primer", "quanheng", "daquan"} <= set(DATA.doctrines["doctrines"])
    for name in DATA.doctrines["doctrines"]:
        doctrine = load_doctrine(name, DATA)
        assert list(doctrine.options) == list(options) and doctrine.id == name
        assert all(v in options[o] for o, v in doctrine.options.items())


def test_every_value_says_what_it_does_and_who_holds_it():
    for option, spec in DATA.doctrines["options"].items():
        assert spec["default"] in spec["values"], option
        for value, entry in spec["values"].items():
            assert {"zh", "ko", "en", "what", "held_by"} <= set(entry), (option, value)
            assert set(entry["what"]) == {"zh", "ko", "en"}, (option, value)
            assert entry["held_by"], (option, value)
            for held in entry["held_by"]:
                assert set(held) == {"book", "evidence"}
                assert set(held["evidence"]) == {"zh", "ko", "en"}


def test_set():
    common = load_doctrine("common", DATA)
    changed = common.with_set({"shehai": "meng-zhong", "earth": "fire"})
    assert changed.id == "common+shehai=meng-zhong+earth=fire"
    assert common.options["shehai"] == "depth-open"
    assert common.with_set({"shehai": "depth-open"}).id == "common"
    # The order of setting does not change the id.
    assert common.with_set({"earth": "fire"}).with_set({"shehai": "meng-zhong"}) == changed


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"shehia": "x"}, "Unknown option 'shehia'; the nearest known are shehai"),
        ({"shehai": "depth_open"}, "Unknown value of shehai 'depth_open'; the nearest known are depth-open"),
        ({"spirit.dashi": "other"}, "Unknown value of spirit.dashi"),
    ],
)  # fmt: skip
def test_unknown_names(changes, said):
    with pytest.raises(UserError, match=said):
        load_doctrine("common", DATA).with_set(changes)


def test_unknown_doctrine():
    with pytest.raises(UserError, match="Unknown doctrine 'xinjin'; the nearest known are xinjing"):
        load_doctrine("xinjin", DATA)
