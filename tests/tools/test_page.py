"""``liuren read --html``: one file that holds everything, and nothing that is fetched or run but its own."""

from __future__ import annotations

import base64
import hashlib
import json
import os
import re
import subprocess
import sys
from collections.abc import Callable
from html.parser import HTMLParser
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest
from liuren.engine.explain import explain
from liuren.engine.library import Library
from liuren.engine.questions import build_request
from liuren.engine.reading import Reading, read
from liuren.tools.markup import Say
from liuren.tools.page import page
from liuren.tools.pagedata import script_json
from liuren.tools.words import Words

PILLARS = ("--day", "庚子", "--hour", "午", "--month-general", "卯")
QUESTION = {"moment": "2026-11-30T14:20", "tz": "Asia/Seoul", "born": 1975, "sex": "m"}


class Parsed(HTMLParser):
    """The tags of a page with their attributes, and the text of each script."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.scripts: list[tuple[dict[str, str | None], str]] = []
        self._open = False
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        self._open = tag == "script"
        if self._open:
            self.scripts.append((dict(attrs), ""))

    def handle_endtag(self, tag: str) -> None:
        self._open = False

    def handle_data(self, data: str) -> None:
        if self._open:
            attrs, text = self.scripts.pop()
            self.scripts.append((attrs, text + data))


@pytest.fixture(scope="module")
def reading(library: Library) -> Reading:
    return read(build_request(QUESTION, library.kb.lexicon), library)


@pytest.fixture(scope="module")
def text(reading: Reading) -> str:
    return page(reading, Words("en", reading.library))


@pytest.fixture(scope="module")
def parsed(text: str) -> Parsed:
    return Parsed(text)


@pytest.fixture(scope="module")
def data(parsed: Parsed) -> Any:
    [held] = [t for attrs, t in parsed.scripts if attrs.get("id") == "data"]
    return json.loads(held)


def test_nothing_is_fetched(parsed: Parsed) -> None:
    for tag, attrs in parsed.tags:
        assert not {"src", "srcset", "action", "poster", "background"} & set(attrs), tag
        if "href" in attrs:
            assert attrs["href"] == "data:," or str(attrs["href"]).startswith("#")
        assert tag not in ("iframe", "object", "embed", "img", "base")
        assert not [a for a in attrs if a.startswith("on")], "a handler in a tag"


def test_the_policy_lets_nothing_in_but_our_scripts(parsed: Parsed) -> None:
    [policy] = [a["content"] for t, a in parsed.tags if a.get("http-equiv") == "Content-Security-Policy"]
    rules = {r.split()[0]: r.split()[1:] for r in str(policy).split(";")}
    assert rules["default-src"] == ["'none'"]
    run = [t for attrs, t in parsed.scripts if attrs.get("type") != "application/json"]
    digests = {"'sha256-" + base64.b64encode(hashlib.sha256(t.encode()).digest()).decode() + "'" for t in run}
    assert set(rules["script-src"]) == digests and len(run) == 3


def test_the_libraries_are_whole_and_their_licences_are_in_the_page(text: str) -> None:
    assets = files("liuren.tools").joinpath("assets")
    for name in ("cytoscape.min.js", "cytoscape-dagre.min.js"):
        source = assets.joinpath(name).read_text(encoding="utf-8")
        assert source.split("//# sourceMappingURL")[0].rstrip() in text
        assert f"`{name}`" in assets.joinpath("README.md").read_text(encoding="utf-8")
    for name in ("cytoscape.LICENSE", "cytoscape-dagre.LICENSE", "dagre.LICENSE"):
        assert assets.joinpath(name).read_text(encoding="utf-8").strip() in text
    assert "sourceMappingURL" not in text


def test_the_whole_explanation_is_held_once(reading: Reading, data: Any) -> None:
    graph = explain(reading)
    ids = [n[0] for n in data["nodes"]]
    assert ids == list(graph)
    edges = {(ids[a], ids[b], data["links"][k]) for a, b, k, _ in data["edges"]}
    assert edges == {(a, b, d["kind"]) for a, b, d in graph.edges(data=True)}
    assert [data["kinds"][n[1]] for n in data["nodes"]] == [d["kind"] for _, d in graph.nodes(data=True)]


def test_every_word_is_there_in_three_languages(parsed: Parsed, data: Any) -> None:
    assert data["languages"] == ["zh", "ko", "en"] and data["first"] == "en"
    used = {int(v) for _, attrs in parsed.tags for a, v in attrs.items() if a.startswith("data-w") and v}
    assert used and max(used) < len(data["words"])
    assert all(isinstance(w, str) or len(w) == 3 for w in data["words"])
    assert data["words"][data["ui"]["verdict"]] == ["斷語", "판단", "verdict"]


def test_every_verdict_is_there_and_can_be_asked_about(reading: Reading, text: str, data: Any) -> None:
    ids = [n[0] for n in data["nodes"]]
    asked = {ids[int(n)] for found in re.findall(r'data-ask="([\d ]+)"', text) for n in found.split()}
    graph = explain(reading)
    wanted = {n for n, d in graph.nodes(data=True) if d["kind"] == "pattern"}
    wanted |= {f"tally:{book}:{name}" for book, name, _ in reading.tallies()}
    wanted |= {b for a, b, d in graph.edges(data=True) if d["kind"] == "stands" and graph.nodes[a]["kind"] in ("verdict", "measure")}
    assert wanted <= asked
    for chart in reading.charts:
        steps = ["plate", "generals", "lesson1", "lesson2", "lesson3", "lesson4", "initial", "middle", "final", "method", "noble", "void", "month_general"]
        assert {f"{chart}/{s}" for s in steps} <= asked


def test_a_full_reading_stays_small(text: str) -> None:
    assert len(text.encode()) < 1_500_000


@pytest.mark.parametrize("nasty", ["</script><script>x", "<!--", "a&b", "\u2028", '"\\"', "甲子"])
def test_json_in_a_script_cannot_end_it(nasty: str) -> None:
    held = script_json({"a": nasty})
    assert json.loads(held) == {"a": nasty}
    assert not set("<>&\u2028\u2029") & set(held)


def test_what_is_said_is_escaped(library: Library) -> None:
    say = Say([Words("en", library)], "en")
    assert say(lambda w: "<b>&") == "<span>&lt;b&gt;&amp;</span>"
    assert say.attribute("aria-label", lambda w: '"') == ' aria-label="&quot;"'


def test_the_language_asked_for_opens(reading: Reading) -> None:
    text = page(reading, Words("ko", reading.library))
    assert '<html lang="ko">' in text and "<title>육임 풀이</title>" in text


def test_the_file_is_written(run: Callable[..., Any], tmp_path: Path) -> None:
    target = tmp_path / "a.html"
    outcome = run("read", *PILLARS, "--html", str(target))
    assert (outcome.status, outcome.out, outcome.err) == (0, "", "")
    assert target.read_text(encoding="utf-8").startswith("<!DOCTYPE html>")
    assert run("read", *PILLARS, "--html", str(tmp_path / "b.html"), "--json").json["verdicts"]
    assert (tmp_path / "b.html").read_bytes() == target.read_bytes()


def test_a_file_that_exists_is_kept(run: Callable[..., Any], refused: Callable[..., str], tmp_path: Path) -> None:
    target = tmp_path / "a.html"
    target.write_text("mine", encoding="utf-8")
    said = refused("read", *PILLARS, "--html", str(target))
    assert str(target) in said and "--force" in said
    assert target.read_text(encoding="utf-8") == "mine"
    assert run("read", *PILLARS, "--html", str(target), "--force").status == 0
    assert "</html>" in target.read_text(encoding="utf-8")


def test_where_nothing_can_be_written_nothing_is_left(refused: Callable[..., str], tmp_path: Path) -> None:
    assert "cannot be written" in refused("read", *PILLARS, "--html", str(tmp_path / "none" / "a.html"))
    assert list(tmp_path.iterdir()) == []


def test_the_same_bytes_under_any_hash_seed(tmp_path: Path) -> None:
    written = []
    for seed in ("1", "4242"):
        target = tmp_path / f"{seed}.html"
        program = f"from liuren.tools.cli import main\nmain(['read', *{PILLARS!r}, '--html', {str(target)!r}])\n"
        subprocess.run([sys.executable, "-c", program], env={**os.environ, "PYTHONHASHSEED": seed}, check=True)
        written.append(target.read_bytes())
    assert written[0] == written[1]
