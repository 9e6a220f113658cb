"""`kb coverage`: counted by hand on a small file, and every clause of the texts has a fate."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from liuren.engine.library import Library

Run = Callable[..., Any]

FILE = """\
text: primer
passages:
- id: primer.mine
  title: {zh: 試, ko: 시험, en: a | trial}
  locus: {edition: "000", lines: [1, 2]}
  readings: [{id: chain, lem: 終始, default: full, options: [{id: full, by: base}, {id: loose, by: editor}]}]
  rules:
  - {key: one, quote: 試, when: always, then: {pattern: 八專}}
  - {key: table, quote: 表, given: {hour: {void: true}}, table: {a: {when: always, then: {pattern: 八專}}, b: {when: always, then: {pattern: 八專}}}}
  worked: [{key: w, quote: 例, case: primer.one}]
  notes: [{key: n1, quote: 餘, note: {en: and so on, ko: 등}}, {key: n2, quote: 餘, note: {en: and so on, ko: 등}}]
  untranslatable: [{key: u, quote: 難, reason: {en: hard, ko: 어렵다}}]
  open: [{key: o, quote: 未}]
  examples: [{never: [a], because: {en: x, ko: x}}, {given: {day: 甲子, hour: 子, month_general: 卯}, fires: [one]}]
"""
COUNTS = {
    # two clauses as rules (a table is one), one worked, two notes, one untranslatable, one open
    "passages": 1, "clauses": 7, "as_rules": 2, "worked": 1, "notes": 2, "untranslatable": 1, "open": 1,
    "rules": 3, "readings": 1, "examples": 2,
}  # fmt: skip


@pytest.fixture
def kb(make_kb: Callable[..., Path]) -> str:
    return str(make_kb(mine=FILE))


def test_counts(kb: str, run: Run) -> None:
    data = run("kb", "coverage", "--kb", kb, "--json").json
    assert data["texts"]["primer"]["chapters"] == {"texts/primer/mine.yaml": COUNTS}
    assert data["texts"]["primer"]["total"] == data["total"] == COUNTS
    assert data["uncovered"] is None


@pytest.mark.parametrize(("lang", "title"), [("en", "passages"), ("ko", "단락"), ("zh", "段")])
def test_the_table(lang: str, title: str, kb: str, run: Run) -> None:
    rows = run("kb", "coverage", "--kb", kb, "--lang", lang).out.splitlines()
    assert title in rows[0]
    chapter = next(r for r in rows if "primer/mine" in r)
    assert chapter.split()[1:] == [str(n) for n in COUNTS.values()]


def test_lines_of_the_edition_in_no_passage(kb: str, run: Run, tmp_path: Path) -> None:
    """Lines 1 and 2 are the passage's, 3 is a translation, 4 and 6 are Chinese of no passage."""
    folder = tmp_path / "editions"
    folder.mkdir()
    (folder / "000.txt").write_text("甲\n乙\n갑은 을이다\n丙\n\n丁戊\n", encoding="utf-8")
    assert run("kb", "coverage", "--kb", kb, "--texts", str(folder), "--json").json["uncovered"] == {"000": [4, 6]}
    assert "000: lines in no passage: 4, 6" in run("kb", "coverage", "--kb", kb, "--texts", str(folder)).out


@pytest.mark.parametrize("name", ["page.md", "page.html"])
def test_a_page(name: str, kb: str, run: Run, refused: Callable[..., str], tmp_path: Path) -> None:
    path = tmp_path / name
    assert run("kb", "coverage", "--kb", kb, "--page", str(path)).status == 0
    text = path.read_text(encoding="utf-8")
    row = next(r for r in text.splitlines() if "primer/mine" in r)
    inner = row.replace("<td>", " ").replace("</td>", " ").replace("|", " ").replace("</tr>", "").split()
    assert inner[-len(COUNTS) :] == [str(n) for n in COUNTS.values()]
    assert "exists already" in refused("kb", "coverage", "--kb", kb, "--page", str(path))
    assert run("kb", "coverage", "--kb", kb, "--page", str(path), "--force").status == 0


def test_a_page_of_another_kind_is_refused(kb: str, refused: Callable[..., str], tmp_path: Path) -> None:
    assert ".md or .html" in refused("kb", "coverage", "--kb", kb, "--page", str(tmp_path / "page.pdf"))


def test_every_clause_of_the_texts_has_a_fate(run: Run, library: Library) -> None:
    data = run("kb", "coverage", "--json").json
    assert data["total"]["open"] == 0
    assert data["total"]["rules"] == len(library.kb.rules)
    for text in data["texts"].values():
        for c in (text["total"], *text["chapters"].values()):
            assert c["clauses"] == c["as_rules"] + c["worked"] + c["notes"] + c["untranslatable"] + c["open"]
