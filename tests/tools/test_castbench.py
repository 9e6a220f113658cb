"""bench --casting: which charts, and what is told of them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from liuren.engine.casting import cast
from liuren.engine.library import Library
from liuren.facts.errors import UserError
from liuren.tools.castbench import EVERY, CastBench, casting_lines, question, questions


def test_every_year_month_day_and_hour_once(library: Library) -> None:
    assert EVERY == 60 * 12 * 60 * 12 == 518_400
    first, last = question(0, library), question(EVERY - 1, library)
    assert (first.year, first.month, first.day, first.hour, first.month_general) == ("甲子", "子", "甲子", "子", "丑")
    assert (last.year, last.month, last.day, last.hour, last.month_general) == ("癸亥", "亥", "癸亥", "亥", "寅")
    step = 1009  # prime, so that every part takes every value
    seen = [question(n, library) for n in range(0, EVERY, step)]
    assert len({(q.year, q.month, q.day, q.hour) for q in seen}) == len(seen)
    for part, many in (("year", 60), ("month", 12), ("day", 60), ("hour", 12)):
        assert len({getattr(q, part) for q in seen}) == many


def test_all_can_be_cast(library: Library) -> None:
    school = library.doctrine("common")
    for each in questions(300, library):
        assert cast(each, school, library.data).pillars["day"].stem


@pytest.mark.parametrize("charts", [0, EVERY + 1])
def test_so_many_there_are_not(charts: int, library: Library) -> None:
    with pytest.raises(UserError, match="from 1 to 518400"):
        questions(charts, library)


def test_rate() -> None:
    assert CastBench(1000, 0.5).rate == 2000
    assert casting_lines(CastBench(1000, 0.5)) == ["1000 charts cast in 0.5 s: 2000 a second, 500 microseconds each"]


def test_command(run: Callable[..., Any]) -> None:
    found = run("bench", "--casting", "--charts", "24", "--json").json
    assert found["schema"] == "liuren.bench/1"
    assert found["casting"]["charts"] == 24 and found["casting"]["charts_a_second"] > 0
