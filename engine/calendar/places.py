"""The gazetteer: places by their names in Chinese, Korean or English."""

from __future__ import annotations

from dataclasses import dataclass
from difflib import get_close_matches
from functools import cache

from liuren.engine.data import load_data
from liuren.facts.errors import UserError


@dataclass(frozen=True, slots=True)
class Place:
    """A place of ``kb/places.yaml``.

    Attributes:
        zh, ko, en: its names.
        latitude, longitude: degrees, north and east positive.
        tz: the name of its time zone in the tz database.
    """

    zh: str
    ko: str
    en: str
    latitude: float
    longitude: float
    tz: str


@cache
def places() -> tuple[Place, ...]:
    """Every place of the gazetteer, in the file's order."""
    return tuple(
        Place(row["zh"], row["ko"], row["en"], float(row["lat"]), float(row["lon"]), row["tz"])
        for row in load_data("places")["places"]
    )


@cache
def _by_name() -> dict[str, Place]:
    found: dict[str, Place] = {}
    for place, row in zip(places(), load_data("places")["places"], strict=True):
        for name in (place.zh, place.ko, place.en, *row.get("also", ())):
            found.setdefault(_key(name), place)
    return found


def _key(name: str) -> str:
    return "".join(c for c in name.casefold() if c not in " -'’.")


def find_place(name: str) -> Place:
    """The place called *name* in Chinese, Korean or English; case and blanks do not matter.

    Raises:
        UserError: there is none; the nearest names are given.
    """
    known = _by_name()
    found = known.get(_key(name))
    if found is not None:
        return found
    near = get_close_matches(_key(name), known, n=3, cutoff=0.5)
    names = [f"{known[key].zh} {known[key].ko} {known[key].en}" for key in dict.fromkeys(near)]
    names = list(dict.fromkeys(names))
    hint = f"nearest are {', '.join(names)}" if names else "names are as 北京, 서울 or Tokyo"
    raise UserError(f"The place {name!r} is not in the gazetteer; {hint}; or give coordinates.")
