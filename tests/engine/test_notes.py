"""What a sweep tells of rules: each planted fault is told once, and sound rules are not."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from liuren.engine.language.source import Problem
from liuren.engine.lessons import Swept, sweep_lessons
from liuren.engine.library import Library
from liuren.engine.notes import never_problems, notes
from liuren.engine.size import explosions, productions

FILE = """\
text: primer
passages:
- id: primer.mine
  title: {zh: 試, ko: 시험, en: a trial}
  locus: {edition: "000", lines: [1, 2]}
  rules:
  - {key: day, quote: 試, when: [day: {pair: 甲子}], then: {pattern: 甲}}
  - {key: fuyin, quote: 試, when: [chart: {offset: 0}], then: {verdict: {topic: travel, polarity: bad, en: stay, ko: 머문다}}}
  - {key: month, quote: 試, when: [month: {branch: 寅}], then: {pattern: 乙}}
  # 甲 is never a yin stem
  - {key: never, quote: 試, when: [stem: {stem: 甲, polarity: 陰}], then: {pattern: 丙}}
  - {key: needs_never, quote: 試, when: [pattern: 丁], then: {pattern: 戊}}
  - {key: said_never, quote: 試, when: [stem: {stem: 乙, polarity: 陽}], then: {pattern: 丁}}
  - {key: said_wrongly, quote: 試, when: [stem: {stem: 乙, polarity: 陰}], then: {pattern: 己}}
  # a stem is yang or yin
  - {key: ever, quote: 試, when: [any: [{stem: {polarity: 陽}}, {stem: {polarity: 陰}}]], then: {pattern: 庚}}
  - {key: plainly, quote: 試, when: always, then: {pattern: 辛}}
  # the day 甲子 again, by its parts
  - {key: twin, quote: 試, when: [stem: {stem: 甲}, branch: {branch: 子}], then: {pattern: 甲}}
  - {key: narrow, quote: 試, when: [day: {pair: 甲子}, chart: {offset: 3}], then: {pattern: 甲}}
  - {key: asked, quote: 試, when: [day: {pair: 甲子}, chart: {offset: 4}], then: {pattern: 甲}}
  - {key: asks, quote: 試, when: [fires: asked], then: {pattern: 壬}}
  # 伏吟 is the plate at offset nought: good and bad of travel on the same charts
  - {key: against, quote: 試, when: [initial: {stands_on: initial}, middle: {stands_on: middle}], then: {verdict: {topic: travel, polarity: good, en: go, ko: 간다}}}
  - {key: elsewhere, quote: 試, when: [chart: {offset: 0}], then: {verdict: {topic: illness, polarity: good, en: well, ko: 낫는다}}}
  - {key: cancelled, quote: 試, when: [chart: {offset: 1}], then: {verdict: {topic: travel, polarity: bad, en: no, ko: 아니다}}}
  - {key: cancels, quote: 試, when: [chart: {offset: 1}], then: [{verdict: {topic: travel, polarity: good, en: yes, ko: 그렇다}}, {modifier: {cancels: cancelled}}]}
  # a modifier that never meets its target, and one whose target says nothing bad
  - {key: apart, quote: 試, when: [chart: {offset: 2}], then: {modifier: {cancels: cancelled}}}
  - {key: nothing, quote: 試, when: [chart: {offset: 0}], then: {modifier: {cancels: elsewhere, polarity: bad}}}
  # unknown on every chart of the sweep: nothing can be said of it
  - {key: asker, quote: 試, when: [annual: {branch: 子}, natal: {branch: 午}], then: {pattern: 甲}}
  examples:
  - {never: [said_never], because: {en: 乙 is yin, ko: 을은 음이다}}
  - {never: [said_wrongly], because: {en: wrong, ko: 틀림}}
"""


@pytest.fixture(scope="module")
def swept(closed_lists: Path, tmp_path_factory: pytest.TempPathFactory) -> tuple[Library, Swept]:
    root = tmp_path_factory.mktemp("notes") / "kb"
    shutil.copytree(closed_lists, root)
    (root / "texts").mkdir()
    (root / "texts" / "mine.yaml").write_text(FILE, encoding="utf-8")
    library = Library.load(root)
    assert not library.kb.problems
    return library, sweep_lessons(library)


@pytest.fixture(scope="module")
def told(swept: tuple[Library, Swept]) -> dict[str, list[Problem]]:
    library, found = swept
    by_key: dict[str, list[Problem]] = {}
    for note in notes(library.kb, found):
        by_key.setdefault(note.id.partition("/")[2], []).append(note)
    return by_key


def line(key: str) -> int:
    return 1 + next(n for n, text in enumerate(FILE.splitlines()) if f"key: {key}," in text)


@pytest.mark.parametrize(
    ("key", "words", "way_out"),
    [
        ("never", "never fires", "`never` example"),
        ("ever", "fires on every one of the 720 lessons", "`when: always`"),
        ("twin", "says what primer.mine/day says", "drop one"),
        ("narrow", "fires only where primer.mine/day fires", "drop it"),
        ("against", "is good for travel on the very charts on which primer.mine/fuyin is bad", "modifier"),
        ("apart", "which never fires on a chart on which this rule fires", "conditions of both"),
        ("nothing", "nothing is said that it could act on", "target"),
    ],
)
def test_a_planted_fault_is_told(key: str, words: str, way_out: str, told: dict[str, list[Problem]]) -> None:
    [note] = told[key]
    assert words in note.message and way_out in note.message
    assert (note.file, note.line) == ("texts/mine.yaml", line(key))


def test_nothing_else_is_told(told: dict[str, list[Problem]]) -> None:
    assert set(told) == {"never", "ever", "twin", "narrow", "against", "apart", "nothing"}


def test_a_rule_said_never_to_fire_that_fires(swept: tuple[Library, Swept]) -> None:
    [problem] = never_problems(swept[0].kb, swept[1])
    assert problem.line == len(FILE.splitlines())
    assert problem.message == "said_wrongly is said never to fire; it fires on day 乙丑, offset 0, month 寅"


def test_counts_are_those_of_the_calendar(swept: tuple[Library, Swept]) -> None:
    """One day of sixty, one plate of twelve, one month of twelve; and what is not told is unknown."""
    found = swept[1]
    assert found.rule("primer.mine/day").yes.bit_count() == 12 * 12
    assert found.rule("primer.mine/fuyin").yes.bit_count() == 60 * 12
    assert found.rule("primer.mine/month").yes.bit_count() == 60 * 12
    asker = found.rule("primer.mine/asker")
    assert (asker.yes, asker.unknown.bit_count()) == (0, 8640)


def test_productions_of_a_rule(passage_of: object) -> None:
    """Three choices of a variable, each with an `any` of two: three and six."""
    assert callable(passage_of)
    passage = passage_of(
        "rules:\n- {key: many, quote: 試, each: {x: 傳}, when: [any: [{x: {void: true}}, {x: {branch: 子}}]], then: {pattern: 甲, of: x}}\n"
        "- {key: one, quote: 試, when: [initial: {void: true}], then: {pattern: 乙}}\n"
    )
    many, one = passage.rules
    assert (productions(many), productions(one)) == (3 + 6, 1)
    assert list(explosions(passage.rules, 9)) == []
    [problem] = explosions(passage.rules, 8)
    assert "9 productions" in problem.message and "at most 8" in problem.message
