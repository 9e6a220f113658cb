"""`kb check`: bad input named with its line, editions, words that lack, notes, exit status, --watch."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from liuren.tools.check import watch_check

Run = Callable[..., Any]
MakeKb = Callable[..., Path]

HEAD = """\
text: primer
passages:
- id: primer.mine
  title: {zh: 試, ko: 시험, en: a trial}
  locus: {edition: "000", lines: [3, 5]}
  rules:
"""
RULE = """\
  - key: first
    quote: 甲日見乙
    when: [pattern: 八專]
    then: {verdict: {topic: general, polarity: bad, en: trouble, ko: 어려움}}
  - {key: def, quote: 吉, when: [initial: {void: true}], then: {pattern: 八專}}
  examples:
  - {given: {day: 甲子, hour: 子, month_general: 卯}, not: [def]}
  - {never: [first, def], because: {en: not so, ko: 아님}}
"""
GOOD = HEAD + RULE


def lines(outcome: Any) -> list[str]:
    return outcome.out.splitlines()


def test_a_sound_file_passes(run: Run, make_kb: MakeKb) -> None:
    outcome = run("kb", "check", "--kb", str(make_kb(mine=GOOD)))
    assert (outcome.status, outcome.err) == (0, "")
    assert lines(outcome) == ["1 passages, 2 rules: 0 problems, 0 examples wanted"]


BAD: dict[str, tuple[str | bytes, int, tuple[str, ...]]] = {
    # the file, the line, what the message must name
    "wrong encoding": (GOOD.encode() + "  note: 試\n".encode("big5"), 15, ("UTF-8",)),
    "a passage cut in two with its id": (
        GOOD + HEAD.partition("passages:\n")[2].replace("  rules:\n", ""), 15, ("stands twice", "primer/mine.yaml:3", "join the two"),
    ),
    "a passage cut in two without id": (GOOD + "- rules: []\n", 15, ("wants an `id`", "rest of the passage before", "«- »")),
    "a rule copied with its id": (
        GOOD.replace("  examples:", "  - {key: def, quote: 吉, when: always, then: {pattern: 八專}}\n  examples:"),
        12, ("«def» stands twice", "first on line 11", "key of its own"),
    ),
    "two people's edits": (
        GOOD.replace("    when: [pattern: 八專]\n", "<<<<<<< mine\n    when: always\n=======\n    when: [pattern: 八專]\n>>>>>>> theirs\n"),
        9, ("two people's edits", "<<<<<<<"),
    ),
    "a term in simplified characters": (GOOD.replace("pattern: 八專}", "pattern: 八专}"), 11, ("«八专»", "write 八專")),
    "a variant form in a condition": (GOOD.replace("pattern: 八專]", "pattern: 元武]"), 9, ("«元武»", "write 玄武")),
    "a tab before a key": (GOOD.replace("    when: [pattern", "\twhen: [pattern"), 9, ("a tab", "spaces")),
    "a tab after a dash": (GOOD.replace("  - {never:", "  -\t- {never:\n\t x:"), 15, ("a tab", "spaces")),
}  # fmt: skip


@pytest.mark.parametrize("kind", BAD)
def test_bad_input_is_named_with_its_line_and_what_to_do(kind: str, run: Run, make_kb: MakeKb) -> None:
    raw, line, words = BAD[kind]
    outcome = run("kb", "check", "--kb", str(make_kb(mine=raw)))
    assert outcome.status == 2
    told = [x for x in lines(outcome) if x.startswith(f"texts/primer/mine.yaml:{line}: ") and all(w in x for w in words)]
    assert told, outcome.out


@pytest.mark.parametrize(
    ("raw", "words"),
    [
        ("told:\n<<<<<<< mine\n", ("told.yaml:2", "two people's edits")),
        ("told:\n\ta: 1\n", ("told.yaml:2", "a tab")),
        ("told: 試\n".encode("big5"), ("told.yaml:1", "UTF-8")),
    ],
    ids=["two edits", "tab", "encoding"],
)
def test_bad_input_in_a_closed_list(raw: str | bytes, words: tuple[str, ...], refused: Callable[..., str], make_kb: MakeKb) -> None:
    root = make_kb(mine=GOOD)
    (root / "told.yaml").write_bytes(raw.encode() if isinstance(raw, str) else raw)
    said = refused("kb", "check", "--kb", str(root))
    assert all(w in said for w in words), said


def test_quotations_keep_the_characters_of_the_edition(run: Run, make_kb: MakeKb) -> None:
    spoken = GOOD.replace("quote: 甲日見乙", "quote: 甲日见乙").replace("en: trouble", "en: trouble with 元武")
    assert run("kb", "check", "--kb", str(make_kb(mine=spoken))).status == 0


# --- words -------------------------------------------------------------------------


def test_words_that_lack_are_wanted(run: Run, make_kb: MakeKb) -> None:
    root = make_kb(mine=GOOD.replace("八專", "無名格").replace("ko: 시험", "ko: 試"))
    topics = root / "topics.yaml"
    text = topics.read_text(encoding="utf-8")
    entry = next(x for x in text.splitlines() if x.strip().startswith("illness:"))
    topics.write_text(text.replace(entry, entry.replace(", ko: 질병", "")), encoding="utf-8")
    outcome = run("kb", "check", "--kb", str(root), "--json")
    wants = {(w["file"], w["line"]): w["message"] for w in outcome.json["wants"]}
    assert outcome.status == 2 and outcome.json["problems"] == []
    assert wants == {
        ("topics.yaml", 1 + text.splitlines().index(entry)): "«illness» has no word in ko; write one",
        ("texts/primer/mine.yaml", 3): "the title «試» is not yet put into ko",
        ("texts/primer/mine.yaml", 11): "«無名格» has no entry in terms.yaml; add it under `values:` with ko and en",
    }


def test_clauses_and_passages_without_a_fate_are_wanted(run: Run, make_kb: MakeKb) -> None:
    empty = HEAD.replace("primer.mine", "primer.bare").replace("  rules:\n", "").partition("passages:\n")[2]
    outcome = run("kb", "check", "--kb", str(make_kb(mine=GOOD + "  open: [{key: c9, quote: 丙日見丁}]\n" + empty)))
    assert outcome.status == 2
    assert any("mine.yaml:15: primer.mine/c9: «丙日見丁» has no fate yet" in x for x in lines(outcome))
    assert any("mine.yaml:16: primer.bare: the passage has no clause yet" in x for x in lines(outcome))


# --- the editions -----------------------------------------------------------------------

EDITION = "試\n\n甲日見乙，吉。\n\n갑일에 을을 보면 길하다.\n"


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (EDITION, ""),
        (EDITION.replace("甲日見乙", "甲日 見乙"), ""),
        ("\n\n\n\n" + EDITION, "mine.yaml:7: primer.mine/first: the words «甲日見乙» have drifted: 000_a.txt has them on line 7, not in 3 to 5"),
        (EDITION.replace("甲日見乙", "甲日見丙"), "mine.yaml:7: primer.mine/first: the words «甲日見乙» are not in 000_a.txt"),
        (EDITION[:4], "mine.yaml:3: primer.mine: the lines 3 to 5 are not in 000_a.txt"),
    ],
    ids=["as quoted", "other stops", "drifted", "other words", "too short"],
)
def test_quotations_are_looked_up_in_the_edition(text: str, words: str, run: Run, make_kb: MakeKb, tmp_path: Path) -> None:
    folder = tmp_path / "editions"
    folder.mkdir()
    (folder / "000_a.txt").write_text(text, encoding="utf-8")
    (folder / "0001.txt").write_text("別", encoding="utf-8")  # begins like an edition, and is none
    quoted = GOOD.replace("quote: 吉", "quote: 甲日")
    outcome = run("kb", "check", "--kb", str(make_kb(mine=quoted)), "--texts", str(folder))
    assert (words in outcome.out) and outcome.status == (2 if words else 0), outcome.out


def test_editions_that_cannot_be_told_apart(refused: Callable[..., str], make_kb: MakeKb, tmp_path: Path) -> None:
    (tmp_path / "editions").mkdir()
    for name in ("000.txt", "000-b.txt"):
        (tmp_path / "editions" / name).write_text(EDITION, encoding="utf-8")
    said = refused("kb", "check", "--kb", str(make_kb(mine=GOOD)), "--texts", str(tmp_path / "editions"))
    assert "000-b.txt and 000.txt" in said
    assert "--texts" in refused("kb", "check", "--kb", str(tmp_path / "kb"), "--texts", str(tmp_path / "none"))


# --- notes and narrowing ------------------------------------------------------------------


TWICE = HEAD + """\
  - {key: def, quote: 吉, when: [pattern: 八專], then: {pattern: 伏吟}}
  - {key: again, quote: 吉, when: [pattern: 八專], then: {pattern: 伏吟}}
  - {key: made, quote: 吉, when: [initial: {void: true}], then: {pattern: 八專}}
  examples:
  - {given: {day: 甲子, hour: 子, month_general: 卯}, not: [made]}
  - {never: [made], because: {en: not so, ko: 아님}}
"""
"""One rule twice; and a `never` that is not true, which only a sweep shows."""


def test_notes_change_the_status_only_when_asked(run: Run, make_kb: MakeKb) -> None:
    root = str(make_kb(mine=TWICE.replace("  - {never: [made], because: {en: not so, ko: 아님}}\n", "  - {given: {day: 甲子, hour: 寅, month_general: 亥}, near: [made], fires: []}\n")))
    base = run("kb", "check", "--kb", root, "--json").json
    found = run("kb", "check", "--kb", root, "--sweep", "--json")
    assert base["notes"] == [] and (found.json["problems"], found.json["wants"]) == (base["problems"], base["wants"])
    [note] = found.json["notes"]
    assert (note["line"], note["id"]) == (8, "primer.mine/again")
    assert "says what primer.mine/def says" in note["message"]


def test_strict_lets_notes_count(run: Run, make_kb: MakeKb) -> None:
    sound = TWICE.replace("[initial: {void: true}]", "always").replace("  - {never: [made], because: {en: not so, ko: 아님}}\n", "")
    root = str(make_kb(mine=sound.replace("not: [made]", "fires: [made]")))
    assert run("kb", "check", "--kb", root, "--sweep").status == 0
    assert run("kb", "check", "--kb", root, "--sweep", "--strict").status == 2


def test_a_sweep_finds_a_never_that_fires(run: Run, make_kb: MakeKb) -> None:
    root = str(make_kb(mine=TWICE))
    assert "never to fire" not in run("kb", "check", "--kb", root).out
    outcome = run("kb", "check", "--kb", root, "--sweep")
    assert outcome.status == 2
    assert any("mine.yaml:12: primer.mine: made is said never to fire; it fires on day 甲" in x for x in lines(outcome)), outcome.out


def test_one_file_is_checked_with_its_text_alone(run: Run, make_kb: MakeKb) -> None:
    root = make_kb(mine=GOOD, other=GOOD.replace("primer.mine", "primer.other").replace("void: true", "viod: true"))
    other = root / "texts" / "xinjing"
    other.mkdir()
    (other / "x.yaml").write_text("text: xinjing\npassages: [\n", encoding="utf-8")
    outcome = run("kb", "check", "primer/mine.yaml", "--kb", str(root))
    assert (outcome.status, lines(outcome)[-1]) == (0, "2 passages, 3 rules: 0 problems, 0 examples wanted")
    outcome = run("kb", "check", "xinjing/x.yaml", "--kb", str(root))
    assert outcome.status == 2 and lines(outcome)[0].startswith("texts/xinjing/x.yaml:3: broken YAML")


def test_a_file_that_is_not_there(refused: Callable[..., str], make_kb: MakeKb) -> None:
    assert "nowhere.yaml" in refused("kb", "check", "nowhere.yaml", "--kb", str(make_kb(mine=GOOD)))


# --- watching ------------------------------------------------------------------------------


def test_watch_checks_again_when_a_file_changes(make_kb: MakeKb, capsys: pytest.CaptureFixture[str]) -> None:
    root = make_kb(mine=GOOD)
    path = root / "texts" / "primer" / "mine.yaml"

    def ticks() -> Iterator[None]:
        yield None  # the first look
        yield None  # nothing has changed
        path.write_text(GOOD.replace("void: true", "viod: true "), encoding="utf-8")
        yield None
        shutil.copy(path, path.with_name("mine.bak"))  # no file of the knowledge base
        yield None
        (root / "told.yaml").write_text("told: [\n", encoding="utf-8")
        yield None

    watch_check(str(root), (), False, ticks=ticks())
    out, err = capsys.readouterr()
    assert out.count("1 passages,") == 2
    first, _, second = out.partition("\n\n")
    assert "0 problems" in first and "mine.yaml" in second and "«viod» is no slot" in second
    assert "told.yaml" in err
