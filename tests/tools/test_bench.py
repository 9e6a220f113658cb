"""``liuren bench``: sizes that can be counted otherwise, times that are times, the same charts."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from liuren.engine.library import Library
from liuren.facts.errors import UserError
from liuren.facts.points import Unknown
from liuren.facts.slots import read
from liuren.tools.bench import bench_lines, choose, count_facts, measure


def test_the_same_number_means_the_same_charts_spread_over_all() -> None:
    five = choose(5)
    assert five == choose(5)
    assert [q.day for q in five] == ["甲子", "丙子", "戊子", "庚子", "壬子"]  # every twelfth of sixty days
    assert len({(q.day, q.hour, q.month) for q in choose(8640)}) == 8640


@pytest.mark.parametrize("charts", [0, -1, 8641])
def test_so_many_charts_there_are_not(charts: int) -> None:
    with pytest.raises(UserError, match=f"--charts {charts}: choose from 1 to 8640 charts"):
        choose(charts)


def test_facts_are_the_seats_that_are_known(library: Library) -> None:
    """Counted again for slots alone, on a chart of which all that can be told is told or not."""
    reasoner = library.reasoner("primer")
    chart = library.chart(choose(1)[0], library.doctrine("primer"))
    seats = [s for s in reasoner.compiled.seats.values() if s.kind == "slot"]
    known = sum(not isinstance(read(s.condition.point, s.condition.slot, chart), Unknown) for s in seats)  # type: ignore[union-attr]
    relations = sum(s.kind == "relation" for s in reasoner.compiled.seats.values())
    assert known <= count_facts(reasoner, chart) <= known + relations


def test_json_and_text(run: Callable[..., Any], library: Library) -> None:
    data = run("bench", "--charts", "2", "--json").json
    assert data["schema"] == "liuren.bench/1" and data["charts"] == 2
    assert [t["text"] for t in data["texts"]] == list(library.texts())
    for text in data["texts"]:
        program = library.program(text["text"])
        assert text["rules"] == len(program.rules) and text["instances"] == len(program.instances)
        assert text["productions"] == library.reasoner(text["text"]).productions >= 1
        assert 0 < text["facts"] <= text["seats"]
        assert set(text["ms"]) == {"compile", "casting", "emission", "experta", "evaluator"}
        assert all(ms > 0 for ms in text["ms"].values())
    assert data["graph"]["ms"] > 0 and data["graph"]["nodes"] > data["texts"][0]["rules"] // 10
    assert set(data["cold_ms"]) == {"cast", "read"}


def test_the_text_names_every_measure(library: Library, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("liuren.tools.bench._cold", lambda command: 1.0)
    text = "\n".join(bench_lines(measure(library, 1)))
    for word in ("rules", "instances", "productions", "seats", "facts", "casting", "emission", "experta", "evaluator", "graph", "cold start"):
        assert word in text
