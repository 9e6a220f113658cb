"""Everything said is explained down to what was told, without a gap."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import networkx as nx
import pytest
from liuren.engine.explain import SCHEMA, because, explain, node_link, said_node
from liuren.engine.language.conclusions import Measure, Pattern, Role, Verdict
from liuren.engine.language.conditions import ALWAYS
from liuren.engine.library import Library
from liuren.engine.questions import build_request
from liuren.engine.reading import Reading, read

QUESTIONS: dict[str, dict[str, Any]] = {
    "pillars": {"day": "甲子", "hour": "戌", "month_general": "卯"},
    "with the month": {"day": "庚午", "hour": "子", "month_general": "未", "month": "午"},
    "with persons and facts": {
        "day": "戊辰", "hour": "卯", "month_general": "申", "month": "巳", "year": "子", "natal": "寅",
        "annual": "酉", "sex": "m", "persons": {"wife": {"natal": "卯", "annual": "丑", "sex": "f"}},
        "told": {"duration": "long", "nature": "bad", "status": "commoner"}, "topic": "illness",
    },
    "moment": {"moment": "2024-02-10T09:30", "tz": "Asia/Seoul", "born": 1984, "sex": "f"},
    "other school": {"day": "丁卯", "hour": "丑", "month_general": "亥", "doctrine": "common", "set": {"shehai": "meng-zhong"}},
}  # fmt: skip


@pytest.fixture(scope="module", params=QUESTIONS)
def reading(request: pytest.FixtureRequest, library: Library) -> Reading:
    return read(build_request(QUESTIONS[request.param], library.kb.lexicon), library)


@pytest.fixture(scope="module")
def graph(reading: Reading) -> nx.DiGraph:
    return explain(reading)


ROOTS = {"input", "option", "passage"}


def test_every_root_is_an_input_an_option_or_a_passage(graph: nx.DiGraph) -> None:
    """Or a step of casting that could not be done, which then names the inputs it lacks."""
    roots = [(n, graph.nodes[n]) for n in graph if graph.in_degree(n) == 0]
    assert [n for n, data in roots if data["kind"] not in ROOTS and not data.get("needs")] == []
    assert all(data["value"] is None for _, data in roots if data.get("needs"))


def test_what_was_told_rests_on_nothing(graph: nx.DiGraph) -> None:
    told = [n for n, kind in graph.nodes(data="kind") if kind in ROOTS]
    assert [n for n in told if graph.in_degree(n)] == []


def test_every_edge_joins_nodes_with_a_kind_and_nothing_explains_itself(graph: nx.DiGraph) -> None:
    assert all(data.get("kind") and data.get("label") is not None for _, data in graph.nodes(data=True))
    assert all(data.get("kind") for _, _, data in graph.edges(data=True))
    assert nx.is_directed_acyclic_graph(graph)


def test_every_verdict_reaches_what_was_asked(reading: Reading, graph: nx.DiGraph) -> None:
    verdicts = list(reading.said(Verdict))
    assert verdicts
    day = "input.moment" if reading.request.question.moment else "input.day"
    for said in verdicts:
        standing = f"standing:{said.conclusion.id}"  # type: ignore[union-attr]
        part = because(graph, [standing])
        ends = {n for n in part if part.in_degree(n) == 0}
        assert f"passage:{said.rule.passage}" in part, standing
        assert {part.nodes[n]["kind"] for n in ends} <= ROOTS
        if said.instance.when != ALWAYS:
            assert day in part, standing


def test_everything_said_has_the_firing_that_said_it(reading: Reading, graph: nx.DiGraph) -> None:
    for kind in (Pattern, Measure, Role, Verdict):
        for said in reading.said(kind):
            edges = graph.in_edges(said_node(said), data="kind")
            assert (f"firing:{said.instance.id}", said_node(said), "concludes") in list(edges)


def test_a_firing_names_every_condition_of_its_rule(reading: Reading, graph: nx.DiGraph) -> None:
    for text in reading.texts.values():
        for firing in text.run.firings:
            if firing.instance is None:
                continue
            held = {c for _, _, c in graph.in_edges(f"firing:{firing.instance}", data="condition") if c}
            assert held == {key for key in firing.support if key != "always"}


def test_facts_show_what_the_evaluator_finds(reading: Reading, graph: nx.DiGraph) -> None:
    for text in reading.texts.values():
        for node, data in graph.nodes(data=True):
            if data["kind"] == "fact" and data["chart"] == text.chart.id and "slot" in data:
                key = data["key"]
                if key in text.run.memory:
                    value = text.run.memory[key]
                    assert data["value"] == (list(value) if isinstance(value, tuple) else value), node


def test_node_link_data_is_json_with_unique_ids(graph: nx.DiGraph) -> None:
    data = json.loads(json.dumps(node_link(graph), ensure_ascii=False))
    assert data["schema"] == SCHEMA
    ids = [node["id"] for node in data["nodes"]]
    assert len(ids) == len(set(ids)) == graph.number_of_nodes()
    assert {e["source"] for e in data["edges"]} | {e["target"] for e in data["edges"]} <= set(ids)


def test_because_keeps_all_that_explains_and_nothing_else(graph: nx.DiGraph) -> None:
    node = next(n for n, kind in graph.nodes(data="kind") if kind == "standing")
    part = because(graph, [node])
    assert set(part) == nx.ancestors(graph, node) | {node}
    assert all(part.in_degree(n) == graph.in_degree(n) for n in part)


def test_the_same_question_gives_the_same_graph(reading: Reading, graph: nx.DiGraph, library: Library) -> None:
    again = explain(read(reading.request, library))
    assert json.dumps(node_link(again), ensure_ascii=False) == json.dumps(node_link(graph), ensure_ascii=False)


# --- a knowledge base of our own: what is not there must be explained as well ----------------

ABSENT = """\
text: primer
passages:
- id: primer.mine
  title: {zh: 試, ko: 시험, en: a trial}
  locus: {edition: "000", lines: [1, 2]}
  rules:
  - {key: a, quote: 試, when: [stem: {stem: 乙}], then: [{pattern: 甲}, {vote: 票, for: 左}]}
  - {key: b, quote: 試, when: [branch: {branch: 丑}], then: {vote: 票, for: 右}}
  - {key: none, quote: 試, when: [not: {pattern: 甲}], then: &v {verdict: {topic: general, polarity: good, en: x, ko: 좋음}}}
  - {key: even, quote: 試, when: [tally: {of: 票, 左: '= 右'}], then: *v}
  - {key: few, quote: 試, when: [none: {in: 傳, has: {stands_on: 寅}}], then: *v}
  - {key: either, quote: 試, when: [any: [{pattern: 甲}, {stem: {stem: 甲}}]], then: *v}
  - {key: computed, quote: 試, when: always, then: {vote: 親, for: stem.relative}}
  - {key: kin, quote: 試, when: [tally: {of: 親, most: 兄弟}], then: *v}
  - {key: not_more, quote: 試, when: [not: {fires: more}], then: *v}
  - {key: more, quote: 試, when: [tally: {of: 票, 左: '> 右'}], then: {pattern: 乙}}
"""


def test_absences_ties_and_computed_votes_are_explained(make_kb: Callable[..., Path]) -> None:
    """甲子 day, 伏吟: the stem is 甲, the branch 子; 甲 lodges in 寅, so the transmissions are
    寅 巳 申 on their own seats, of which one stands on 寅: `few` does not hold, the rest do."""
    library = Library.load(make_kb(mine=ABSENT))
    assert library.kb.problems == ()
    given = {"day": "甲子", "hour": "子", "month_general": "子"}
    reading = read(build_request(given, library.kb.lexicon), library)
    graph = explain(reading)
    said = {s.rule.key for s in reading.said(Verdict)}
    assert said == {"none", "even", "either", "kin", "not_more"}
    assert all(data.get("kind") for _, data in graph.nodes(data=True))
    for key in said:
        part = because(graph, [f"standing:primer.mine/{key}"])
        ends = {part.nodes[n]["kind"] for n in part if part.in_degree(n) == 0}
        assert ends <= ROOTS and "input.day" in part, key
