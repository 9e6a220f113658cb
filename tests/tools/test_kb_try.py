"""`kb try` and `kb diff`: what a rule does, and what changes, on a small knowledge base.

Expected counts are reckoned from the calendar: a day is one of sixty, a plate one of
twelve, a month one of twelve, of the 8640 charts.
"""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Run = Callable[..., Any]

HEAD = """\
text: primer
passages:
- id: primer.mine
  title: {zh: 試, ko: 시험, en: a trial}
  locus: {edition: "000", lines: [1, 2]}
  readings: [{id: bing, lem: 並, default: both, options: [{id: both, by: base}, {id: one, by: editor}]}]
  rules:
"""
DAY = "  - {key: day, quote: 日, when: [day: {pair: 甲子}, chart: {offset: 3}], then: {pattern: 八專}}\n"
READS = "  - {key: reads, quote: 用, when: [pattern: 八專], then: {verdict: {topic: travel, polarity: bad, en: stay, ko: 머문다}}}\n"
OTHER = "  - {key: other, quote: 他, when: [chart: {offset: 0}], then: {verdict: {topic: travel, polarity: good, en: go, ko: 간다}}}\n"
SPRING = "  - {key: spring, quote: 春, when: [day: {season: 春}], then: {verdict: {topic: travel, polarity: good, en: spring, ko: 봄}}}\n"
SLEEPS = "  - {key: sleeps, quote: 並, reading: bing=one, when: [day: {pair: 甲子}], then: {pattern: 伏吟}}\n"
CASES = """\
text: primer
cases:
- {id: primer.first, passage: primer.mine, quote: 日, given: {day: 甲子, hour: 子, month_general: 卯}, stated: [{quote: 日, expect: {fires: primer.mine/day}}]}
- {id: primer.second, passage: primer.mine, quote: 日, given: {day: 乙丑, hour: 子, month_general: 卯}, stated: [{quote: 日, expect: {stem: {stem: 乙}}}]}
"""


@pytest.fixture
def kb(make_kb: Callable[..., Path]) -> Path:
    root = make_kb(mine=HEAD + DAY + READS + OTHER)
    (root / "cases").mkdir()
    (root / "cases" / "primer.yaml").write_text(CASES, encoding="utf-8")
    return root


def rules_of(data: dict[str, Any]) -> dict[str, Any]:
    return {r["id"].partition("/")[2]: r for r in data["rules"]}


def test_a_file_of_the_knowledge_base_as_it_stands(kb: Path, run: Run) -> None:
    data = run("kb", "try", str(kb / "texts" / "primer" / "mine.yaml"), "--kb", str(kb), "--json").json
    rules = rules_of(data)
    assert {r["state"] for r in rules.values()} == {"as it stands"}
    assert rules["day"]["lessons"] == {"fires": 12, "of": 8640, "lessons": 1, "unknown": 0}
    assert rules["reads"]["lessons"]["fires"] == 12
    assert rules["other"]["lessons"] == {"fires": 720, "of": 8640, "lessons": 60, "unknown": 0}
    # the day on eleven other plates, or the plate on fifty-nine other days, in twelve months
    assert rules["day"]["near_count"] == (11 + 59) * 12
    assert all("--day 甲子 " in q for q in rules["day"]["first"]) and len(rules["day"]["first"]) == 3
    conditions = {n["condition"] for n in rules["day"]["near"]}
    assert conditions <= {"day.pair=甲子", "chart.offset=3"}
    # without the rules the first case has nothing, and no longer comes out; the second is untouched
    assert [(c["case"], [e["id"] for e in c["effects"]]) for c in data["changes"]] == [
        ("primer.first", ["八專", "primer.mine/reads"])
    ]
    assert data["failing"] == []


def test_a_new_rule_in_a_copy_of_the_file(kb: Path, run: Run, tmp_path: Path) -> None:
    """Only what is new or changed is tried; the knowledge base is not touched."""
    copy = tmp_path / "draft.yaml"
    changed = DAY.replace("offset: 3", "offset: 4")
    copy.write_text(HEAD + changed + READS + OTHER + SPRING + SLEEPS, encoding="utf-8")
    before = (kb / "texts" / "primer" / "mine.yaml").read_bytes()
    data = run("kb", "try", str(copy), "--kb", str(kb), "--json", "--first", "1").json
    rules = rules_of(data)
    assert {k: r["state"] for k, r in rules.items()} == {"day": "changed", "spring": "new", "sleeps": "new"}
    assert rules["spring"]["lessons"]["fires"] == 8640 // 4
    assert rules["sleeps"]["lessons"]["fires"] == 144
    # a season of a year has about a quarter of its moments; a day one in sixty
    assert 0.24 < rules["spring"]["moments"]["fires"] / data["moments"] < 0.27
    assert 0.01 < rules["sleeps"]["moments"]["fires"] / data["moments"] < 0.025
    [case] = data["changes"]
    assert {(e["id"], e["after"]) for e in case["effects"]} == {
        ("八專", None), ("primer.mine/reads", None), ("伏吟", "present"),  # the sleeping rule is woken
    }  # fmt: skip
    assert data["failing"] == ["primer.first"]
    assert (kb / "texts" / "primer" / "mine.yaml").read_bytes() == before


def test_one_rule_in_words(kb: Path, run: Run) -> None:
    path = str(kb / "texts" / "primer" / "mine.yaml")
    out = run("kb", "try", path, "--rule", "day", "--kb", str(kb), "--first", "1").out
    assert "primer.mine/day (as it stands)" in out and "primer.mine/other" not in out
    assert "fires on 12 of 8640 charts (0.14%), 1 of the 720 lessons" in out
    assert "missed by one condition on 840 charts" in out
    assert "1 of 2 worked cases read otherwise" in out and "+ primer.mine/reads" in out


@pytest.mark.parametrize(
    ("text", "argv", "words"),
    [
        (HEAD + DAY.replace("offset", "ofset"), (), (":8: ", "ofset")),
        (HEAD + "\t- x\n", (), (":8: ", "a tab")),
        (HEAD, (), ("no rule yet",)),
        (HEAD + DAY + READS, ("--rule", "dya"), ("dya", "day, reads")),
    ],
    ids=["a mistake", "a tab", "no rule", "no such rule"],
)
def test_what_cannot_be_tried(text: str, argv: tuple[str, ...], words: tuple[str, ...], kb: Path, refused: Callable[..., str], tmp_path: Path) -> None:
    path = tmp_path / "draft.yaml"
    path.write_text(text, encoding="utf-8")
    said = refused("kb", "try", str(path), *argv, "--kb", str(kb))
    assert all(w in said for w in words), said
    assert "no file" in refused("kb", "try", str(tmp_path / "none.yaml"), "--kb", str(kb))


# --- diff ----------------------------------------------------------------------------


@pytest.fixture
def changed(kb: Path, tmp_path: Path) -> Path:
    """A copy with one rule changed, one added, one removed."""
    root = tmp_path / "changed"
    shutil.copytree(kb, root)
    text = HEAD + DAY.replace("offset: 3", "offset: 4") + READS + SPRING.replace("season: 春", "pair: 丙寅")
    (root / "texts" / "primer" / "mine.yaml").write_text(text, encoding="utf-8")
    return root


def test_rules_lessons_and_cases(kb: Path, changed: Path, run: Run) -> None:
    data = run("kb", "diff", str(kb), str(changed), "--json").json
    assert data["rules"] == {
        "added": ["primer.mine/spring"], "changed": ["primer.mine/day"], "removed": ["primer.mine/other"],
    }  # fmt: skip
    otherwise = {o["rule"].partition("/")[2]: o for o in data["otherwise"]}
    # gone from one plate of 甲子, come to another: two lessons in twelve months
    assert (otherwise["day"]["lessons"], otherwise["day"]["charts"]) == (2, 24)
    assert otherwise["day"]["through"] == ["primer.mine/day"]
    assert (otherwise["reads"]["charts"], otherwise["reads"]["through"]) == (24, ["primer.mine/day"])
    assert (otherwise["other"]["lessons"], otherwise["spring"]["lessons"]) == (60, 12)
    # 60 plates of 伏吟, 12 of 丙寅 of which one is among them, and two of 甲子
    assert data["lessons"] == {"differ": 60 + 12 - 1 + 2, "of": 720}
    assert data["charts"] == {"differ": (60 + 12 - 1 + 2) * 12, "of": 8640}
    assert [c["case"] for c in data["cases"]] == ["primer.first"]
    assert set(data["cases"][0]["rules"]) == {"primer.mine/day", "primer.mine/reads"}
    assert data["asked"] == 2


def test_nothing_changed_where_only_words_of_notes_and_places_did(kb: Path, run: Run, tmp_path: Path) -> None:
    root = tmp_path / "same"
    shutil.copytree(kb, root)
    text = "# a remark\n" + (HEAD + DAY + READS + OTHER).replace("en: a trial", "en: an ordeal")
    (root / "texts" / "primer" / "mine.yaml").write_text(text, encoding="utf-8")
    data = run("kb", "diff", str(kb), str(root), "--json").json
    assert data["rules"] == {"added": [], "changed": [], "removed": []}
    assert (data["lessons"]["differ"], data["cases"], data["lists"]) == (0, [], [])


def git(folder: Path, *arguments: str) -> None:
    subprocess.run(
        ["git", "-c", "user.name=t", "-c", "user.email=t@example.org", *arguments], cwd=folder, check=True, capture_output=True
    )


@pytest.mark.skipif(shutil.which("git") is None, reason="needs git")
def test_revisions(kb: Path, changed: Path, run: Run, refused: Callable[..., str]) -> None:
    """The old files as a commit, the new ones as they stand: the same answer as of two folders."""
    git(kb.parent, "init", "-q")
    git(kb.parent, "add", "kb")
    git(kb.parent, "commit", "-q", "-m", "old")
    folders = run("kb", "diff", str(kb), str(changed), "--json").json
    shutil.copy(changed / "texts" / "primer" / "mine.yaml", kb / "texts" / "primer" / "mine.yaml")
    revisions = run("kb", "diff", "HEAD", "--kb", str(kb), "--json").json
    for part in ("rules", "lessons", "charts", "otherwise", "cases"):
        assert revisions[part] == folders[part]
    assert "no git revision" in refused("kb", "diff", "HEAD~7", "--kb", str(kb))
    assert "no texts.yaml" in refused("kb", "diff", str(kb / "texts"), "--kb", str(kb))


def test_the_difference_in_words(kb: Path, changed: Path, run: Run) -> None:
    out = run("kb", "diff", str(kb), str(changed)).out
    for line in (
        "+ primer.mine/spring", "± primer.mine/day", "− primer.mine/other",
        "rules: 1 added, 1 changed, 1 removed", "73 of the 720 lessons (10.1%) read otherwise, 876 of 8640 charts",
        "  primer.mine/reads ← primer.mine/day: 2 lessons, 24 charts", "1 of 2 worked cases read otherwise",
    ):  # fmt: skip
        assert line in out.splitlines(), line
