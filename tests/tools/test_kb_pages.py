"""`kb pages`: every rule, pattern, topic and term has its place, and every link leads somewhere."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml
from liuren.engine.library import Library

Run = Callable[..., Any]


@pytest.fixture
def site(run: Run, tmp_path: Path) -> Path:
    assert run("kb", "pages", str(tmp_path / "site"), "--no-sweep").status == 0
    return tmp_path / "site"


def test_the_reference_of_the_texts(site: Path, library: Library) -> None:
    docs = {p.relative_to(site / "docs").as_posix(): p.read_text(encoding="utf-8") for p in (site / "docs").rglob("*.md")}
    config = yaml.safe_load((site / "mkdocs.yml").read_text(encoding="utf-8"))
    listed = [n for entry in config["nav"] for v in entry.values() for n in (v if isinstance(v, list) else [v])]
    assert sorted(listed) == sorted(docs)
    anchors = {name: set(re.findall(r'<a id="([^"]+)"></a>', text)) for name, text in docs.items()}
    for name, text in docs.items():
        for target in re.findall(r"\]\(([^)]+)\)", text):
            page, _, anchor = target.partition("#")
            where = (Path(name).parent / page).as_posix()
            assert where in docs, (name, target)
            assert not anchor or anchor in anchors[where], (name, target)
    places = [a for name, found in anchors.items() if name.startswith("texts/") for a in found]
    assert len(places) == len(set(places)) == len(library.kb.rules)
    for topic in library.kb.lexicon.topics:
        assert f"`{topic}`" in docs["topics.md"]
    for spirit in library.kb.lexicon.points.spirits:
        assert spirit in docs["facts.md"]
    for clause in (c for p in library.kb.passages.values() for c in p.clauses):
        page = "texts/" + library.kb.passages[clause.id.partition("/")[0]].file.removeprefix("texts/").replace(".yaml", ".md")
        assert f"「{clause.quote}」" in docs[page].replace("\\", "")


@pytest.mark.parametrize(("lang", "word"), [("zh", "六壬規則總覽"), ("ko", "육임 규칙 총람"), ("en", "The rules of 六壬")])
def test_in_three_languages(lang: str, word: str, run: Run, make_kb: Callable[..., Path], tmp_path: Path) -> None:
    file = 'text: primer\npassages:\n- id: primer.mine\n  title: {zh: 試, ko: 시험, en: a_trial}\n  locus: {edition: "000", lines: [1, 2]}\n  rules:\n  - {key: day, quote: 日, when: [day: {pair: 甲子}], then: {pattern: 八專}}\n'
    root = make_kb(mine=file)
    outcome = run("kb", "pages", str(tmp_path / "site"), "--kb", str(root), "--lang", lang)
    assert outcome.status == 0
    assert word in (tmp_path / "site" / "docs" / "index.md").read_text(encoding="utf-8")
    page = (tmp_path / "site" / "docs" / "texts" / "primer" / "mine.md").read_text(encoding="utf-8")
    assert "144" in page and "8640" in page  # the day 甲子 on twelve plates in twelve months


def test_pages_are_replaced_only_when_told_and_only_pages(site: Path, run: Run, refused: Callable[..., str], tmp_path: Path) -> None:
    (site / "docs" / "stale.md").write_text("old", encoding="utf-8")
    assert "--force" in refused("kb", "pages", str(site), "--no-sweep")
    assert run("kb", "pages", str(site), "--no-sweep", "--force").status == 0
    assert not (site / "docs" / "stale.md").exists()
    mine = tmp_path / "mine"
    mine.mkdir()
    (mine / "letter.txt").write_text("dear", encoding="utf-8")
    assert "something else" in refused("kb", "pages", str(mine), "--no-sweep", "--force")
    assert (mine / "letter.txt").read_text(encoding="utf-8") == "dear"


def test_the_same_bytes_every_time(site: Path, run: Run, tmp_path: Path) -> None:
    run("kb", "pages", str(tmp_path / "again"), "--no-sweep")
    for path in sorted(site.rglob("*")):
        if path.is_file():
            assert path.read_bytes() == (tmp_path / "again" / path.relative_to(site)).read_bytes()
