"""``liuren bench``: sizes that can be counted otherwise, times that are times, the same charts."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from liuren.engine.cases import book_cases, load_cases
from liuren.engine.library import Library
from liuren.engine.questions import Request
from liuren.engine.reading import read as read_question
from liuren.facts.errors import UserError
from liuren.facts.points import Unknown
from liuren.facts.slots import read
from liuren.tools.bench import Unrecorded, absent, bench_lines, choose, count_facts, measure
from liuren.tools.castbench import CasesBench, cases_json, cases_lines
from liuren.tools.whynot import Question


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
        recording = text["recording"]
        assert recording["with_ms"] > 0 and recording["without_ms"] > 0
        difference = recording["with_ms"] - recording["without_ms"]
        assert recording["cost_ms"] == pytest.approx(difference, abs=0.002)  # each rounded by itself
    assert data["graph"]["ms"] > 0 and data["graph"]["nodes"] > data["texts"][0]["rules"] // 10
    assert set(data["cold_ms"]) == {"cast", "read"}
    why, why_not = data["why"], data["why_not"]
    assert why["charts"] == 2 and why["ms"] > 0
    assert 3 < why["nodes"] < data["graph"]["nodes"]  # standing, verdict, firing, and down to the inputs
    assert why_not["charts"] == len(why_not["rules"]) == 2
    assert set(why_not["rules"]) <= set(library.kb.rules)
    assert why_not["examine_ms"] > 0 and why_not["ways_ms"] > 0
    assert why_not["tried"] >= 11 + 11 + 59 + 1  # hours, month generals, days and the other noble at the least
    assert 0 <= why_not["found"] <= why_not["tried"]


def test_a_run_without_recording_infers_the_same(library: Library) -> None:
    """Else the difference of the two runs would not be what recording costs."""
    for text in library.texts():
        program, doctrine = library.program(text), library.doctrine(library.kb.texts[text].doctrine)
        bare, reasoner = Unrecorded(program), library.reasoner(text)
        for question in choose(12):
            chart = library.chart(question, doctrine)
            run, inferred = reasoner.run(chart), bare.infer(chart)
            assert inferred.memory == run.memory
            assert inferred.fired == run.fired
            assert inferred.tallies == run.tallies


def test_rules_asked_why_not_did_not_fire_and_are_of_all_the_texts(library: Library) -> None:
    readings = [read_question(Request(q), library) for q in choose(8)]
    asked = [absent(reading, n, len(readings)) for n, reading in enumerate(readings)]
    for reading, rule in zip(readings, asked, strict=True):
        found = Question(rule, reading)  # refused if it fired
        assert found.finding.truth is False and found.finding.distance >= 1
    assert asked[0].startswith(library.texts()[0])
    assert len({rule.partition(".")[0] for rule in asked}) > 1
    assert asked == [absent(reading, n, len(readings)) for n, reading in enumerate(readings)]


@pytest.mark.parametrize("books", [False, True])
def test_cases(books: bool, run: Callable[..., Any], library: Library) -> None:
    data = run("bench", "--cases", *(["--books"] if books else []), "--json").json
    assert data["schema"] == "liuren.bench/1"
    found = data["cases"]
    cases = {c.id: c for c in load_cases(corpus=book_cases() if books else None, library=library)}
    assert found["cases"] == len(cases)
    assert found["failed"] == 0
    assert len(cases) <= found["charts"] <= sum(len(c.requests) for c in cases.values())
    slowest = found["slowest"]
    assert len({s["id"] for s in slowest}) == 5 and {s["id"] for s in slowest} <= set(cases)
    assert all(1 <= s["charts"] <= len(cases[s["id"]].requests) for s in slowest)
    times = [s["ms"] for s in slowest]
    assert times == sorted(times, reverse=True)
    ms = found["ms"]
    assert 0 < ms["median"] <= times[0] and ms["mean"] <= times[0] and ms["loading"] > 0
    assert ms["mean"] * len(cases) == pytest.approx(ms["total"], abs=0.001 * len(cases))
    assert sum(times) <= ms["total"] + 0.01


def test_cases_as_text_reckoned_by_hand() -> None:
    times = (4.0, 1.0, 8.0, 2.0, 3.0, 6.0)
    found = CasesBench(100.0, tuple((f"case{n}", n, ms) for n, ms in enumerate(times, 1)), 1)
    assert cases_lines(found) == [
        "6 cases, 21 charts, 1 failed: 24 ms, the files 100 ms",
        "a case: mean 4.00 ms, median 3.50 ms; the slowest:",
        "  case3  8.0 ms  charts: 3",
        "  case6  6.0 ms  charts: 6",
        "  case1  4.0 ms  charts: 1",
        "  case5  3.0 ms  charts: 5",
        "  case4  2.0 ms  charts: 4",
    ]
    assert [s["id"] for s in cases_json(found)["cases"]["slowest"]] == ["case3", "case6", "case1", "case5", "case4"]


@pytest.mark.parametrize(
    ("argv", "sentence"),
    [
        (["--books"], "--books chooses among worked cases; give it together with --cases."),
        (["--cases", "--casting"], "--cases runs every case and is given with --casting; give one of them."),
        (["--cases", "--charts", "3"], "--cases runs every case and is given with --charts 3; give one of them."),
    ],
)
def test_what_does_not_go_together(argv: list[str], sentence: str, refused: Callable[..., str]) -> None:
    assert sentence in refused("bench", *argv)


def test_the_text_names_every_measure(library: Library, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("liuren.tools.bench._cold", lambda command: 1.0)
    text = "\n".join(bench_lines(measure(library, 1)))
    for word in ("rules", "instances", "productions", "seats", "facts", "casting", "emission", "experta", "evaluator", "graph", "cold start", "unrecorded", "recording costs", "why, of the first verdict", "why-not"):
        assert word in text
