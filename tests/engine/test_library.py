"""The library: which rules are awake, and one chart for each distinct doctrine."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
import yaml
from liuren.engine.library import Library
from liuren.facts.errors import UserError
from liuren.facts.question import Question

READINGS = """\
text: primer
passages:
- id: primer.mine
  title: {zh: 試, ko: 시험, en: a trial}
  locus: {edition: "000", lines: [1, 2]}
  readings:
  - {id: chain, lem: 終始, default: full, options: [{id: full, by: base}, {id: loose, by: editor}]}
  - {id: place, lem: 處, default: [here, there], options: [{id: here, by: base}, {id: there, by: base}, {id: nowhere, by: editor}]}
  rules:
  - {key: always, quote: 試, when: always, then: {pattern: 甲}}
  - {key: full, quote: 試, when: always, then: {pattern: 甲}, reading: chain=full}
  - {key: loose, quote: 試, when: always, then: {pattern: 甲}, reading: chain=loose}
  - {key: either, quote: 試, when: always, then: {pattern: 甲}, reading: [chain=loose, place=there]}
  - {key: both, quote: 試, when: always, then: {pattern: 甲}, reading: chain=loose & place=nowhere}
"""


@pytest.fixture
def small(make_kb: Callable[..., Path]) -> Library:
    library = Library.load(make_kb(mine=READINGS))
    assert library.kb.problems == ()
    return library


AWAKE = {
    "": {"always", "full", "either"},
    "chain=loose": {"always", "loose", "either"},
    "chain=all": {"always", "full", "loose", "either"},
    "place=here": {"always", "full"},
    "place=nowhere": {"always", "full"},
    "chain=loose place=nowhere": {"always", "loose", "either", "both"},
}


@pytest.mark.parametrize("chosen", AWAKE)
def test_which_rules_are_awake(chosen: str, small: Library) -> None:
    variants = {}
    for part in chosen.split():
        crux, _, option = part.partition("=")
        variants[f"primer.mine:{crux}"] = option
    rules = small.program("primer", variants).rules
    assert {id.partition("/")[2] for id in rules} == AWAKE[chosen]


@pytest.mark.parametrize(
    ("at", "option", "message"),
    [
        ("primer.mien:chain", "loose", "«primer.mien:chain» names no reading; write PASSAGE:CRUX=OPTION, perhaps primer.mine"),
        ("primer.mine:chian", "loose", "«chian» is no reading of primer.mine; known: chain, place."),
        ("primer.mine:chain", "losse", "«losse» is no option of primer.mine:chain; known: full, loose or all."),
    ],
)
def test_readings_that_are_none(at: str, option: str, message: str, small: Library) -> None:
    with pytest.raises(UserError) as error:
        small.program("primer", {at: option})
    assert message in str(error.value)


def test_programs_and_engines_are_made_once(small: Library) -> None:
    loose = {"primer.mine:chain": "loose"}
    assert small.program("primer") is small.program("primer", {})
    assert small.program("primer", loose) is small.program("primer", dict(loose))
    assert small.program("primer", loose) is not small.program("primer")
    assert small.reasoner("primer", loose) is small.reasoner("primer", loose)


def test_one_chart_for_each_distinct_doctrine(library: Library) -> None:
    question = Question(day="丁卯", hour="丑", month_general="亥")
    charts, of_text = library.charts(question)
    assert tuple(of_text) == library.texts()
    for text, id in of_text.items():
        own = library.doctrine(library.kb.texts[text].doctrine)
        assert dict(charts[id].doctrine) == dict(own.options)
    options = [tuple(c.doctrine.items()) for c in charts.values()]
    assert len(set(options)) == len(options)
    one, of_text = library.charts(question, doctrine="common", sets={"shehai": "meng-zhong"})
    assert list(one) == ["common+shehai=meng-zhong"] and set(of_text.values()) == set(one)


def test_an_option_that_the_knowledge_base_lacks_is_named(closed_lists: Path, tmp_path: Path) -> None:
    """A knowledge base copied before casting learned to ask for an option."""
    root = tmp_path / "old"
    shutil.copytree(closed_lists, root)
    data = yaml.safe_load((root / "doctrines.yaml").read_text(encoding="utf-8"))
    del data["options"]["fuyin"]
    for doctrine in data["doctrines"].values():
        doctrine.get("set", {}).pop("fuyin", None)
    (root / "doctrines.yaml").write_text(yaml.safe_dump(data, allow_unicode=True), encoding="utf-8")
    library = Library.load(root)
    with pytest.raises(UserError, match="no option «fuyin»"):
        library.chart(Question(day="甲子", hour="子", month_general="子"), library.doctrine("common"))
