"""`kb new` and `kb import`: a text goes in, is filled, and survives its edition's changes."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml
from liuren.engine.language.loader import load_knowledge

Run = Callable[..., Any]

EDITION = """\
試課第一

甲日見乙，吉。丙日見丁，凶。

갑일에 을을 보면 길하다.

己日見庚，凶。

기일에 경을 보면 흉하다.

辛日見壬，吉。

신일에 임을 보면 길하다.
"""
NAMES = ("--zh", "試課經", "--ko", "시과경", "--en", "Classic of trials")


@pytest.fixture
def kb(closed_lists: Path, tmp_path: Path) -> Path:
    root = tmp_path / "kb"
    shutil.copytree(closed_lists, root)
    return root


@pytest.fixture
def edition(tmp_path: Path) -> Path:
    path = tmp_path / "900.txt"
    path.write_text(EDITION, encoding="utf-8")
    return path


@pytest.fixture
def imported(kb: Path, edition: Path, run: Run) -> Path:
    """A knowledge base with the edition cut into it; the passage file."""
    assert run("kb", "new", "trials", *NAMES, "--kb", str(kb)).status == 0
    assert run("kb", "import", str(edition), "--text", "trials", "--edition", "900", "--kb", str(kb)).status == 0
    return kb / "texts" / "trials" / "900.yaml"


def again(run: Run, kb: Path, edition: Path, *more: str) -> Any:
    return run("kb", "import", str(edition), "--text", "trials", "--edition", "900", "--kb", str(kb), "--json", *more).json


def test_a_work_is_registered_and_the_rest_of_the_list_untouched(kb: Path, run: Run) -> None:
    before = (kb / "texts.yaml").read_text(encoding="utf-8")
    outcome = run("kb", "new", "trials", *NAMES, "--edition", "900", "--witness", "a: copy", "--kb", str(kb))
    assert outcome.status == 0
    after = (kb / "texts.yaml").read_text(encoding="utf-8")
    assert after.startswith(before.rstrip("\n"))
    old, new = yaml.safe_load(before)["texts"], yaml.safe_load(after)["texts"]
    assert new.pop("trials") == {
        "title": {"zh": "試課經", "ko": "시과경", "en": "Classic of trials"},
        "doctrine": "common",
        "editions": {"900": {"en": "a: copy"}},
    }
    assert new == old


@pytest.mark.parametrize(
    ("argv", "words"),
    [
        (("primer",), "primer"),
        (("Trials",), "small letters"),
        (("trials", "--doctrine", "comon"), "common"),
        (("trials", "--edition", "001"), "xinjing"),
        (("trials", "--edition", "a b"), "no id of an edition"),
    ],
)
def test_what_cannot_be_registered(argv: tuple[str, ...], words: str, kb: Path, refused: Callable[..., str]) -> None:
    before = (kb / "texts.yaml").read_bytes()
    assert words in refused("kb", "new", *argv, *NAMES, "--kb", str(kb))
    assert (kb / "texts.yaml").read_bytes() == before


def test_an_edition_is_cut_into_passages_that_load(imported: Path, kb: Path, run: Run) -> None:
    found = load_knowledge(kb)
    assert not found.problems
    assert [(p.id, p.lines, dict(p.title)["zh"]) for p in found.passages.values()] == [
        ("trials.900.p001", (1, 5), "試課第一"),
        ("trials.900.p002", (7, 9), "己日見庚"),
        ("trials.900.p003", (11, 13), "辛日見壬"),
    ]
    quotes = [c.quote for p in found.passages.values() for c in p.clauses]
    assert quotes == ["甲日見乙，吉", "丙日見丁，凶", "己日見庚，凶", "辛日見壬，吉"]
    assert found.texts["trials"].editions == ("900",)
    outcome = run("kb", "check", "--kb", str(kb))
    assert outcome.status == 2
    assert outcome.out.count("has no fate yet") == 4 and outcome.out.count("is not yet put into ko and en") == 3


RULES = """\
  rules:
  - key: see   # a remark of the author
    quote: 甲日見乙，吉
    when: [stem: {stem: 甲}, initial: {branch: 卯}]
    then: {verdict: {topic: general, polarity: good, en: well, ko: 좋다}}
"""


def fill(path: Path) -> str:
    """Write a rule for the first clause, as an author would."""
    text = path.read_text(encoding="utf-8")
    text = text.replace("  rules: []\n", RULES, 1).replace('  - {key: c1, quote: "甲日見乙，吉"}\n', "", 1)
    path.write_text(text, encoding="utf-8")
    return text


def test_again_without_a_change_writes_nothing(imported: Path, kb: Path, edition: Path, run: Run) -> None:
    text = fill(imported)
    found = again(run, kb, edition)
    assert (len(found["same"]), found["new"], found["moved"], found["files"]) == (3, [], [], [])
    assert imported.read_text(encoding="utf-8") == text


def test_moved_changed_vanished_and_new(imported: Path, kb: Path, edition: Path, run: Run) -> None:
    """A new passage before all, 丙日 rewritten in the first, the second gone, so the third stays."""
    text = fill(imported)
    changed = EDITION.replace("丙日見丁，凶。", "丙日見戊，大凶。")
    changed = changed.replace("己日見庚，凶。\n\n기일에 경을 보면 흉하다.\n\n", "")
    edition.write_text("乙日見丙，平。\n\n을일에 병을 본다.\n\n" + changed, encoding="utf-8")
    found = again(run, kb, edition)
    assert [(n["id"], n["lines"]) for n in found["new"]] == [("trials.900.p004", [1, 3])]
    [first] = found["changed"]
    assert (first["id"], first["to"], first["lost"], first["open"]) == (
        "trials.900.p001", [5, 9], ["丙日見丁，凶"], ["丙日見戊，大凶"],
    )  # fmt: skip
    assert [v["id"] for v in found["vanished"]] == ["trials.900.p002"]
    assert (found["moved"], [s["id"] for s in found["same"]]) == ([], ["trials.900.p003"])
    after = imported.read_text(encoding="utf-8")
    assert RULES in after and "己日見庚，凶" in after  # nothing is lost, remarks included
    kb_now = load_knowledge(kb)
    assert not kb_now.problems
    assert list(kb_now.passages)[:2] == ["trials.900.p004", "trials.900.p001"]
    assert kb_now.passages["trials.900.p001"].lines == (5, 9)
    assert [c.quote for c in kb_now.passages["trials.900.p001"].clauses] == ["丙日見戊，大凶", "丙日見丁，凶"]
    assert len(after) > len(text)


def test_a_passage_that_only_moved(imported: Path, kb: Path, edition: Path, run: Run) -> None:
    edition.write_text("\n\n" + EDITION, encoding="utf-8")
    found = again(run, kb, edition)
    assert [(m["id"], m["to"]) for m in found["moved"]] == [
        ("trials.900.p001", [3, 7]), ("trials.900.p002", [9, 11]), ("trials.900.p003", [13, 15]),
    ]  # fmt: skip
    assert [p.lines for p in load_knowledge(kb).passages.values()] == [(3, 7), (9, 11), (13, 15)]


def test_only_telling_writes_nothing(kb: Path, edition: Path, run: Run) -> None:
    run("kb", "new", "trials", *NAMES, "--kb", str(kb))
    before = {p: p.read_bytes() for p in kb.rglob("*") if p.is_file()}
    found = again(run, kb, edition, "--dry-run")
    assert len(found["new"]) == 3 and found["written"] is False
    assert {p: p.read_bytes() for p in kb.rglob("*") if p.is_file()} == before


@pytest.mark.parametrize(
    ("raw", "words"),
    [
        (EDITION.replace("吉。丙日", "吉。\n\n丙日").encode(), ":3: after this paragraph of Chinese"),
        (EDITION.encode() + "\n甲\n".encode("big5"), ":15: the file is not UTF-8"),
        (b"\n\n", "no paragraph of Chinese"),
        ("번역뿐이다, 그렇다.\n".encode(), ":1: a paragraph of translation"),
    ],
    ids=["cut in two", "wrong encoding", "empty", "translation alone"],
)
def test_a_file_that_does_not_fit_changes_nothing(
    raw: bytes, words: str, imported: Path, kb: Path, edition: Path, refused: Callable[..., str]
) -> None:
    fill(imported)
    before = {p: p.read_bytes() for p in kb.rglob("*") if p.is_file()}
    edition.write_bytes(raw)
    assert words in refused("kb", "import", str(edition), "--text", "trials", "--edition", "900", "--kb", str(kb))
    assert {p: p.read_bytes() for p in kb.rglob("*") if p.is_file()} == before


def test_a_broken_passage_file_is_mended_first(imported: Path, kb: Path, edition: Path, refused: Callable[..., str]) -> None:
    imported.write_text(imported.read_text(encoding="utf-8") + "<<<<<<< mine\n", encoding="utf-8")
    before = imported.read_bytes()
    said = refused("kb", "import", str(edition), "--text", "trials", "--edition", "900", "--kb", str(kb))
    assert "texts/trials/900.yaml:" in said and "two people's edits" in said
    assert imported.read_bytes() == before


def test_unknown_text_names_the_command_that_makes_it(kb: Path, edition: Path, refused: Callable[..., str]) -> None:
    assert "liuren kb new trials" in refused("kb", "import", str(edition), "--text", "trials", "--edition", "900", "--kb", str(kb))


def test_the_installed_knowledge_base_is_not_written_to(kb: Path, refused: Callable[..., str], monkeypatch: pytest.MonkeyPatch) -> None:
    installed = kb.parent / "site-packages" / "kb"
    shutil.copytree(kb, installed)
    monkeypatch.setattr("liuren.tools.kbfiles.packaged", lambda: installed)
    assert "--kb DIR" in refused("kb", "new", "trials", *NAMES)


def test_a_file_changed_meanwhile_is_not_overwritten(imported: Path) -> None:
    """Two people's edits: the one who comes later is told, and nothing of either is lost."""
    from liuren.facts.errors import UserError
    from liuren.tools.kbfiles import Change, write_all

    new = imported.with_name("new.yaml")
    before = imported.read_bytes()
    with pytest.raises(UserError, match="changed by someone else"):
        write_all({new: Change(None, "a"), imported: Change("what it was when it was read", "b")})
    assert imported.read_bytes() == before and not new.exists()
    assert sorted(p.name for p in imported.parent.iterdir()) == ["900.yaml"]
