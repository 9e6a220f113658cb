"""The instants that reference ephemerides give, read once."""

from __future__ import annotations

import csv
from datetime import datetime
from pathlib import Path

import pytest

DATA = Path(__file__).parents[2] / "data" / "calendar"


def _rows(name: str) -> list[list[str]]:
    with (DATA / name).open(encoding="utf-8", newline="") as lines:
        return list(csv.reader(line for line in lines if not line.startswith("#")))


def _unix(text: str) -> float:
    return datetime.fromisoformat(text).timestamp()


@pytest.fixture(scope="session")
def de421() -> list[tuple[str, int, float]]:
    """Rows of ``de421.csv``: what, degrees, Unix seconds."""
    return [(what, int(degrees), _unix(at)) for what, degrees, at in _rows("de421.csv")]


@pytest.fixture(scope="session")
def moshier() -> list[tuple[str, int, float]]:
    """Rows of ``moshier.csv``: what, degrees, TT seconds since 1970-01-01 TT."""
    return [
        (what, int(degrees), (float(at) - 2440587.5) * 86400)
        for what, degrees, at in _rows("moshier.csv")
    ]


@pytest.fixture(scope="session")
def sunlight() -> list[tuple[float, float, float, float | None, float | None]]:
    """Rows of ``sunlight.csv``: latitude, longitude, when asked, sunrise, sunset."""
    return [
        (
            float(latitude),
            float(longitude),
            _unix(asked),
            None if rise == "none" else _unix(rise),
            None if set_ == "none" else _unix(set_),
        )
        for latitude, longitude, asked, rise, set_ in _rows("sunlight.csv")
    ]
