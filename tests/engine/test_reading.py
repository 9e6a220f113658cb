"""A reading: what speaks to a topic, what waits, and in which order."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from liuren.engine.language.conclusions import Measure, Modifier, Pattern, Verdict
from liuren.engine.library import Library
from liuren.engine.questions import build_request
from liuren.engine.reading import Reading, is_unknown, read

RULES = """\
text: primer
passages:
- id: primer.mine
  title: {zh: 試, ko: 시험, en: a trial}
  locus: {edition: "000", lines: [1, 2]}
  rules:
  - {key: late, quote: 試, when: [pattern: 甲], then: {verdict: {topic: general, polarity: good, en: x, ko: 좋음}}}
  - {key: first, quote: 試, when: [stem: {stem: 甲}], then: {pattern: 甲}}
  - {key: ill, quote: 試, when: always, then: {verdict: {topic: illness, polarity: bad, en: x, ko: 나쁨}}}
  - {key: money, quote: 試, when: always, then: {verdict: {topic: [wealth, offspring], polarity: good, en: x, ko: 좋음}}}
  - {key: time, quote: 試, when: always, then: {measure: 應期, branch: month, day: initial, number: 3, unit: day, topic: illness}}
  - {key: waits, quote: 試, when: [told: {nature: bad}], then: {verdict: {topic: illness, polarity: bad, en: x, ko: 나쁨}}}
  - {key: maybe, quote: 試, when: [told: {duration: long}, month: {void: true}], then: {modifier: {cancels: ill}}}
  - {key: vote, quote: 試, when: always, then: {vote: 票, for: 左, weight: 2}}
  - {key: doubt, quote: 試, when: [month: {void: true}], then: {vote: 票, for: 右}}
  - {key: never, quote: 試, when: [stem: {stem: 乙}], then: {vote: 空, for: 左}}
"""
PILLARS = {"day": "甲子", "hour": "子", "month_general": "子"}


@pytest.fixture
def ask(make_kb: Callable[..., Path]) -> Callable[..., Reading]:
    library = Library.load(make_kb(mine=RULES))
    assert library.kb.problems == ()

    def asked(**more: Any) -> Reading:
        return read(build_request({**PILLARS, **more}, library.kb.lexicon), library)

    return asked


def keys(reading: Reading, kind: type) -> list[str]:
    return [said.rule.key for said in reading.said(kind)]


def test_the_order_is_that_of_the_text_not_of_the_levels(ask: Callable[..., Reading]) -> None:
    assert keys(ask(), Verdict) == ["late", "ill", "money"]
    assert keys(ask(), Pattern) == ["first"]


@pytest.mark.parametrize(
    ("topic", "verdicts"),
    [("illness", ["late", "ill"]), ("child_illness", ["late", "ill"]), ("trade", ["late", "money"]), ("offspring", ["late", "money"]),
     ("family", ["late"]), ("general", ["late"])],
)  # fmt: skip
def test_a_conclusion_speaks_to_its_topic_and_those_below(
    topic: str, verdicts: list[str], ask: Callable[..., Reading]
) -> None:
    """child_illness is under illness, trade under wealth, offspring under family."""
    assert keys(ask(topic=topic), Verdict) == verdicts


def test_what_waits_names_its_inputs_and_only_what_would_speak(ask: Callable[..., Reading]) -> None:
    def waits(reading: Reading) -> dict[str, tuple[str, ...]]:
        return {u.rule.key: u.needs for u in reading.undecided()}

    every = {"waits": ("told.nature",), "maybe": ("month", "told.duration"), "doubt": ("month",)}
    assert waits(ask()) == every
    assert waits(ask(topic="wealth")) == {k: v for k, v in every.items() if k != "waits"}
    assert waits(ask(told={"nature": "good", "duration": "short"}, month="丑")) == {}


def test_standing_uses_the_topic_asked_and_what_is_open(ask: Callable[..., Reading]) -> None:
    reading = ask()
    ill = next(s for s in reading.said(Verdict) if s.rule.key == "ill")
    assert reading.standing(ill).state == "open"
    assert reading.standing(ill).unless == (("primer.mine/maybe", "cancels", ("month", "told.duration")),)
    assert keys(reading, Modifier) == []


def test_measures_hold_values_and_unknowns(ask: Callable[..., Reading]) -> None:
    """甲 lodges in 寅; 伏吟 of a yang day begins with its stem's palace."""
    for month, branch in (("丑", "丑"), (None, None)):
        reading = ask(month=month)
        [said] = reading.said(Measure)
        values = reading.texts["primer"].value(said.conclusion)  # type: ignore[arg-type]
        assert (values["day"], values["number"], values["unit"]) == ("寅", 3, "day")
        assert is_unknown(values["branch"]) if branch is None else values["branch"] == branch


def test_tallies_in_which_nothing_can_vote_are_not_shown(ask: Callable[..., Reading]) -> None:
    shown = {name: {s: (v.sure, v.possible) for s, v in sides.items()} for _, name, sides in ask().tallies()}
    assert shown == {"票": {"左": (2, 2), "右": (0, 1)}}


def test_narrower_questions_have_verdicts_of_their_own(library: Library) -> None:
    request = build_request({"moment": "2026-11-30T14:20+09:00", "topic": "conflict"}, library.kb.lexicon)
    reading = read(request, library)
    narrower = reading.narrower()
    assert narrower and "conflict" not in narrower
    shown = {s.conclusion.id for s in reading.said(Verdict)}  # type: ignore[union-attr]
    for topic, count in narrower.items():
        assert library.kb.lexicon.topics[topic] == "conflict"
        below = read(dataclasses.replace(request, topic=topic), library)
        more = [s for s in below.said(Verdict) if s.conclusion.id not in shown]  # type: ignore[union-attr]
        assert sum(topic in s.conclusion.topics for s in more) == count  # type: ignore[union-attr]


def test_timing_is_told_in_dates_when_the_moment_is_known(library: Library) -> None:
    # 2026-11-30 14:20 in Seoul: the initial 子 is 旺 in the month of 亥 … the primer numbers it
    # one by its element and nine by its branch (no unit); what has a unit of time has dates.
    moment = read(build_request({"moment": "2026-11-30T14:20+09:00"}, library.kb.lexicon), library)
    dated = [s for s in moment.said(Measure) if moment.dates(s)]
    assert dated
    for said in dated:
        assert {n for n, _ in said.conclusion.fields} & {"year", "month", "day", "hour", "within", "unit"}  # type: ignore[union-attr]
    given = {"day": "戊申", "hour": "未", "month_general": "寅", "month": "亥"}
    pillars = read(build_request(given, library.kb.lexicon), library)
    assert not any(pillars.dates(s) for s in pillars.said(Measure))
