"""Worked cases under two schools or two knowledge bases."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest
from liuren.engine.cases import Case, book_cases, load_cases
from liuren.engine.cases_diff import Side, difference
from liuren.engine.library import Library

RULES = """\
- {key: shot, quote: 甲, when: [initial: {controls: stem}], then: {verdict: {topic: general, polarity: bad, en: a, ko: 가}}}
- {key: fed, quote: 乙, when: [initial: {branch: 寅}], then: {verdict: {topic: general, polarity: good, en: b, ko: 나}}}
"""


@pytest.fixture(scope="module")
def books(library: Library) -> Mapping[str, Case]:
    return {c.id: c for c in load_cases(corpus=book_cases(), library=library)}


def test_an_option_changes_chart_outcome_and_rules(library: Library, books: Mapping[str, Case]) -> None:
    """DA74 (庚辰 offset 10) prints 午辰寅; counting depth gives 寅子戌 as in the printed tables."""
    case = books["DA74"]
    found = difference(case, case, Side(library, "daquan", {}), Side(library, "duanan", {}))
    assert found is not None
    assert (found.before, found.after) == (False, True)
    chart = {part: (a, b) for part, a, b in found.chart}
    assert [x[0] for x in chart["transmissions"][0].split()] == ["寅", "子", "戌"]
    assert [x[0] for x in chart["transmissions"][1].split()] == ["午", "辰", "寅"]
    assert "lessons" not in chart and "plate" not in chart
    assert found.rules and all(r.how == "chart" and r.before is not r.after for r in found.rules)
    assert all(r.was != r.now for r in found.rules if r.was and r.now)


def test_an_option_that_does_not_matter(library: Library, books: Mapping[str, Case]) -> None:
    case = books["DA74"]
    assert difference(case, case, Side(library, "duanan", {}), Side(library, "duanan", {"fuyin": "circle"})) is None


def test_set_options_hold_for_every_school(library: Library, books: Mapping[str, Case]) -> None:
    case = books["DA74"]
    own, other = Side(library, None, {}), Side(library, None, {"shehai": "depth-open"})
    found = difference(case, case, own, other)
    assert found is not None and (found.before, found.after) == (True, False)


def kb_of(make_kb: Callable[..., Path], rules: str) -> Library:
    body = "text: primer\npassages:\n- id: primer.mine\n  title: {zh: 試, ko: 시험, en: a trial}\n"
    body += '  locus: {edition: "000", lines: [1, 2]}\n  rules:\n'
    body += "".join(f"  {line}\n" for line in rules.splitlines())
    return Library.load(make_kb(mine=body))


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("", "", []),
        ("branch: 寅}", "branch: [寅, 申]}", []),  # the initial is 寅 either way
        ("branch: 寅}", "branch: 申}", [("primer.mine/fed", True, False, "rewritten")]),
        ("en: b,", "en: c,", [("primer.mine/fed", True, True, "reworded")]),
        ("key: fed", "key: grown", [("primer.mine/fed", True, "", "gone"), ("primer.mine/grown", "", True, "new")]),
        ("initial: {controls: stem}", "initial: {generates: stem}", []),  # false on both sides
    ],
)  # fmt: skip
def test_rules_of_two_knowledge_bases(
    old: str, new: str, expected: list[tuple[str, object, object, str]],
    make_kb: Callable[..., Path], tmp_path: Path,
) -> None:  # fmt: skip
    """甲子 offset 0 has 寅巳申; its initial is of the stem's element."""
    first = kb_of(make_kb, RULES)
    shutil.move(tmp_path / "kb", tmp_path / "before")
    second = kb_of(make_kb, RULES.replace(old, new) if old else RULES)
    corpus = tmp_path / "c.yaml"
    corpus.write_text("cases:\n- {id: t, given: {day: 甲子, offset: 0}, stated: [{expect: {transmissions: [寅, 巳, 申]}}]}\n", encoding="utf-8")
    (a,), (b,) = (load_cases(corpus=corpus, library=library) for library in (first, second))
    found = difference(a, b, Side(first, None, {}), Side(second, None, {}))
    changes = [(r.rule, r.before, r.after, r.how) for r in found.rules] if found else []
    assert changes == expected
    assert found is None or (found.before and found.after and not found.chart)
