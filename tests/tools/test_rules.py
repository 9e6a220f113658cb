"""`rules list|search|show`: found by what they look at and say, shown in three languages."""

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
  title: {zh: 試卦, ko: 시험, en: trial}
  locus: {edition: "000", lines: [1, 2]}
  readings: [{id: bing, lem: 並時, default: both, options: [{id: both, by: base, note: {en: both of them}}, {id: one, by: editor, note: {en: one alone}}]}]
  rules:
  - {key: horse, quote: 馬動, when: [驛馬: {void: false}], then: {verdict: {topic: travel, polarity: good, en: he sets out, ko: 떠난다}}}
  - {key: seat, quote: 剋, when: [over(branch): {controls: stem}], then: {pattern: 八專}}
  - {key: dragon, quote: 龍, when: [initial: {general: 青龍, void: true}], then: {verdict: {topic: exam, polarity: bad, en: fails, ko: 떨어진다}}}
  - {key: rides, quote: 龍, when: [青龍: {stands_on: branch}], then: {measure: 應期, branch: clash(驛馬)}}
  - {key: tests, quote: 八, when: [pattern: 八專], then: {role: {topic: marriage, zh: 妻, en: the wife, ko: 아내, is: branch}}, note: {en: why so}}
  - {key: sleeps, quote: 並, reading: bing=one, when: [day: {pair: 甲子}], then: {pattern: 八專}}
  - {key: each, quote: 傳, each: {x: 傳}, when: [x: {branch: 子}], then: {vote: 遲速, for: 速, weight: 2}}
  examples:
  - {given: {day: 甲子, hour: 子, month_general: 卯}, near: [horse], not: [dragon]}
"""


@pytest.fixture
def kb(make_kb: Callable[..., Path]) -> str:
    return str(make_kb(mine=FILE))


@pytest.fixture
def keys(kb: str, run: Run) -> Callable[..., list[str]]:
    """keys("list", "--point", …): keys of the rules found."""

    def found(command: str, *argv: str) -> list[str]:
        data = run("rules", command, *argv, "--kb", kb, "--json").json
        assert data["total"] == len(data["rules"])
        return [r["id"].partition("/")[2] for r in data["rules"]]

    return found


@pytest.mark.parametrize(
    ("argv", "expected"),
    [
        (("--point", "initial"), ["dragon", "each"]),
        (("--point", "over(branch)"), ["seat"]),
        (("--point", "lesson3"), ["seat"]),  # one point, two spellings
        (("--slot", "void"), ["horse", "dragon"]),
        (("--slot", "controls"), ["seat"]),
        (("--spirit", "驿马"), ["horse", "rides"]),  # simplified; also inside clash(…)
        (("--general", "青龍"), ["dragon", "rides"]),
        (("--pattern", "八專"), ["seat", "tests", "sleeps"]),
        (("--topic", "travel"), ["horse"]),
        (("--topic", "office"), ["dragon"]),  # exam is below office
        (("--topic", "career"), ["dragon"]),  # another name of office
        (("--role", "any"), ["tests"]),
        (("--role", "아내"), ["tests"]),
        (("--role", "husband"), []),
        (("--polarity", "bad"), ["dragon"]),
        (("--text", "primer", "--general", "青龍", "--slot", "void"), ["dragon"]),
        (("--text", "xinjing"), []),
        (("--passage", "primer.mine", "--polarity", "good"), ["horse"]),
    ],
)
def test_list(argv: tuple[str, ...], expected: list[str], keys: Callable[..., list[str]]) -> None:
    assert keys("list", *argv) == expected


@pytest.mark.parametrize(
    ("argv", "expected"),
    [
        (("sets",), ["horse"]),
        (("떠난다",), ["horse"]),
        (("馬動",), ["horse"]),
        (("克",), ["seat"]),  # the edition prints 剋
        (("青龙",), []),  # conditions are found by list, words by search
        (("WHY",), ["tests"]),
        (("應期",), ["rides"]),
        (("試卦", "fails"), ["dragon"]),
        (("trial", "--general", "青龍"), ["dragon", "rides"]),
        (("mine/seat",), ["seat"]),
    ],
)
def test_search(argv: tuple[str, ...], expected: list[str], keys: Callable[..., list[str]]) -> None:
    assert keys("search", *argv) == expected


@pytest.mark.parametrize(
    ("argv", "words"),
    [
        (("list", "--text", "primr"), ("primr", "primer")),
        (("list", "--topic", "ilness"), ("illness",)),
        (("list", "--point", "initail"), ("initial",)),
        (("list", "--slot", "genral"), ("general",)),
        (("list", "--spirit", "驛車"), ("驛馬",)),
        (("list", "--polarity", "evil"), ("good",)),
        (("show", "primer.mine/horsse"), ("primer.mine/horse",)),
        (("show", "八專專"), ("八專",)),
    ],
)
def test_what_is_not_there_is_named_with_the_nearest(argv: tuple[str, ...], words: tuple[str, ...], kb: str, refused: Callable[..., str]) -> None:
    said = refused("rules", *argv, "--kb", kb)
    assert all(w in said for w in words), said


@pytest.mark.parametrize(
    ("lang", "words"),
    [
        ("en", ("general of initial is 青龍", "initial is void", "verdict (examination and selection, bad): fails", "example, does not fire")),
        ("ko", ("초전", "초전 공망", "(과거와 선발, 흉): 떨어진다")),
        ("zh", ("初傳", "初傳空亡", "(選舉, 凶): 「龍」")),
    ],
)
def test_a_rule_in_words(lang: str, words: tuple[str, ...], kb: str, run: Run) -> None:
    out = run("rules", "show", "primer.mine/dragon", "--kb", kb, "--no-sweep", "--lang", lang).out
    for word in words:
        assert word in out
    assert "texts/primer/mine.yaml:10" in out and "「龍」" in out


def test_readings_choices_and_notes_are_shown(kb: str, run: Run) -> None:
    sleeps = run("rules", "show", "primer.mine/sleeps", "--kb", kb, "--no-sweep").out
    assert "bing=one (asleep)" in sleeps and "one alone" in sleeps and "both of them" not in sleeps
    each = run("rules", "show", "primer.mine/each", "--kb", kb, "--no-sweep").out
    assert "initial middle final" in each and "速 ×2" in each
    assert "why so" in run("rules", "show", "primer.mine/tests", "--kb", kb, "--no-sweep").out


def test_how_often_a_rule_fires(kb: str, run: Run) -> None:
    """The day 甲子 has twelve plates in twelve months, 144 of 8640 charts; the rule sleeps and is woken."""
    data = run("rules", "show", "primer.mine/sleeps", "--kb", kb, "--json").json
    [rule] = data["rules"]
    assert rule["sweep"] == {"fires": 144, "of": 8640, "lessons": 12, "unknown": 0}
    assert rule["awake"] is False


def test_show_a_passage_and_a_pattern(kb: str, run: Run) -> None:
    def ids(id: str) -> list[str]:
        data = run("rules", "show", id, "--kb", kb, "--no-sweep", "--json").json
        return [r["id"].partition("/")[2] for r in data["rules"]]

    assert ids("primer.mine") == ["horse", "seat", "dragon", "rides", "tests", "sleeps", "each"]
    assert ids("八专") == ["seat", "sleeps"]


def test_every_rule_of_the_texts_can_be_put_into_words(run: Run, library: Library) -> None:
    for lang in ("zh", "ko", "en"):
        data = run("rules", "list", "--json", "--lang", lang).json
        assert [r["id"] for r in data["rules"]] == list(library.kb.rules)
    for passage in list(library.kb.passages)[::10]:
        outcome = run("rules", "show", passage, "--no-sweep") if library.kb.passages[passage].rules else None
        assert outcome is None or outcome.status == 0
