"""An explanation in other programs' forms: each is read back by a reader that is not ours."""

from __future__ import annotations

import io
import json
from pathlib import Path

import networkx as nx
import pydot
import pytest
from click.testing import CliRunner
from liuren.engine.explain import because, explain, shortest
from liuren.engine.library import Library
from liuren.engine.questions import build_request
from liuren.engine.reading import read
from liuren.facts.errors import UserError
from liuren.tools.cli import cli
from liuren.tools.export import FORMS, export, write_export
from liuren.tools.find import find_nodes
from liuren.tools.words import Words
from prov.model import ProvDocument

PILLARS = {"day": "甲子", "hour": "巳", "month_general": "酉", "month": "辰", "year": "辰"}


@pytest.fixture(scope="module")
def part(library: Library) -> tuple[nx.DiGraph, list[str]]:
    # 五要權衡 prints this chart: 玄武 on 辰 at war with it; so the pattern 內戰 is there.
    reading = read(build_request(PILLARS, library.kb.lexicon), library)
    graph = explain(reading)
    roots = find_nodes("內戰", reading, graph)
    return because(shortest(graph), roots), roots


@pytest.fixture(scope="module")
def words(library: Library) -> Words:
    return Words("en", library)


def test_json_is_node_link_data(part, words) -> None:
    graph, roots = part
    data = json.loads(export(graph, roots, "json", words))
    assert {n["id"] for n in data["nodes"]} == set(graph)
    assert {(e["source"], e["target"]) for e in data["edges"]} == set(graph.edges)


def test_graphml_reads_back_whole(part, words) -> None:
    graph, roots = part
    again = nx.read_graphml(io.BytesIO(export(graph, roots, "graphml", words).encode()))
    assert set(again) == set(graph) and set(again.edges) == set(graph.edges)
    for node in graph:
        assert again.nodes[node]["kind"] == graph.nodes[node]["kind"]


def test_dot_reads_back_whole(part, words) -> None:
    graph, roots = part
    (again,) = pydot.graph_from_dot_data(export(graph, roots, "dot", words))
    assert {n.get_name().strip('"') for n in again.get_nodes()} >= set(graph)
    assert len(again.get_edges()) == graph.number_of_edges()


def test_prov_is_accepted_and_has_every_relation(part, words) -> None:
    graph, roots = part
    document = ProvDocument.deserialize(content=export(graph, roots, "prov", words), format="json")
    records = list(document.get_records())
    kinds = [graph.nodes[n]["kind"] for n in graph]
    named = {type(r).__name__ for r in records}
    assert {"ProvEntity", "ProvActivity", "ProvUsage", "ProvGeneration", "ProvDerivation"} <= named
    assert sum(type(r).__name__ == "ProvActivity" for r in records) == kinds.count("firing")
    assert sum(r.is_relation() for r in records) == graph.number_of_edges()


def test_markdown_names_everything_once_at_least(part, words) -> None:
    graph, roots = part
    text = export(graph, roots, "markdown", words)
    assert text.count("## ") == len(roots)
    for _, data in graph.nodes(data=True):
        if data["kind"] == "firing":
            assert data["label"] in text and data["quote"] in text


@pytest.mark.parametrize("form", FORMS)
def test_the_same_bytes_every_time(part, words, form: str) -> None:
    graph, roots = part
    assert export(graph, roots, form, words) == export(graph, roots, form, words)


def test_an_existing_file_is_not_replaced(part, words, tmp_path: Path) -> None:
    graph, roots = part
    target = tmp_path / "why.dot"
    target.write_text("mine")
    with pytest.raises(UserError, match="exists already"):
        write_export(graph, roots, str(target), None, words, force=False)
    assert target.read_text() == "mine"
    write_export(graph, roots, str(target), None, words, force=True)
    assert target.read_text().startswith("digraph")


def test_a_failed_write_leaves_nothing(part, words, tmp_path: Path) -> None:
    graph, roots = part
    with pytest.raises(UserError, match="cannot be written"):
        write_export(graph, roots, str(tmp_path / "no" / "why.dot"), None, words, force=False)
    with pytest.raises(UserError, match="does not tell the form"):
        write_export(graph, roots, str(tmp_path / "why.txt"), None, words, force=False)
    assert list(tmp_path.iterdir()) == []


def options() -> list[str]:
    return [x for k, v in PILLARS.items() for x in (f"--{k.replace('_', '-')}", v)]


def test_why_not_and_why_point_at_each_other() -> None:
    run = CliRunner().invoke(cli, ["why", "xinjing.tianwang/def", *options()])
    assert isinstance(run.exception, UserError) and "why-not xinjing.tianwang/def" in str(run.exception)
    run = CliRunner().invoke(cli, ["why-not", "內戰", *options()])
    assert isinstance(run.exception, UserError) and "`liuren why 內戰`" in str(run.exception)


def test_why_not_json() -> None:
    run = CliRunner().invoke(cli, ["why-not", "xinjing.tianwang/def", *options(), "--json"])
    data = json.loads(run.stdout)
    assert data["schema"] == "liuren.whynot/1" and data["finding"]["truth"] is False
    assert all(len(way) == 1 for way in data["changes"])


def test_what_if_json() -> None:
    run = CliRunner().invoke(cli, ["what-if", *options(), "--change", "noble=night", "--json"])
    data = json.loads(run.stdout)
    # Only the nobleman changes, so plate and transmitted branches stay.
    parts = {d["what"] for d in data["differences"] if d["kind"] == "chart"}
    assert "generals" in parts and "plate" not in parts
    assert not any(p.startswith("transmissions") and p.endswith("branch") for p in parts)


@pytest.mark.parametrize(("change", "message"), [
    ("hour", "write NAME=VALUE"),
    ("houre=午", "did you mean hour"),
    ("persons.wife=1980", "persons.ROLE"),
    ("set=x", "no part of a question"),
])
def test_a_wrong_change_is_one_sentence(change: str, message: str) -> None:
    run = CliRunner().invoke(cli, ["what-if", *options(), "--change", change])
    assert isinstance(run.exception, UserError) and message in str(run.exception)


def test_depth_and_all(library: Library) -> None:
    runner = CliRunner()
    whole = runner.invoke(cli, ["why", "內戰", *options()]).stdout.splitlines()
    short = runner.invoke(cli, ["why", "內戰", *options(), "--depth", "1"]).stdout.splitlines()
    every = runner.invoke(cli, ["why", "內戰", *options(), "--all"]).stdout.splitlines()
    assert len(short) < len(whole) <= len(every)
