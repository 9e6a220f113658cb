"""Many charts at once: the masks say of every chart what the evaluator says of it."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st
from liuren.engine.evaluate import Evaluation, Program
from liuren.engine.lessons import CHARTS, lessons, lessons_of, masks_and_near
from liuren.engine.library import Library
from liuren.engine.sweep import Field, Mask, Sweep, at_least, bits, mask_of
from liuren.facts.chart import Chart

ChartOf = Callable[..., Chart]

RULES = """\
- {key: slot, quote: 試, when: [initial: {general: $凶將}], then: {pattern: 甲}}
- {key: relation, quote: 試, when: [initial: {controls or generates: [stem, final]}], then: {pattern: 乙}}
- {key: seat, quote: 試, when: [initial: {stands_on: 辰}], then: {pattern: 丙}}
- {key: tomb, quote: 試, when: [initial: {tomb_of: stem}], then: {pattern: 丁}}
- {key: months, quote: 試, when: [month: {branch: [寅, 卯]}], then: {pattern: 戊}}
- {key: told, quote: 試, when: [told: {duration: long}, initial: {void: true}], then: {pattern: 己}}
- {key: neither, quote: 試, when: [not: {any: [{pattern: 甲}, {pattern: 己}]}], then: {pattern: 庚}}
- {key: counted, quote: 試, when: [count: {in: [課, annual], has: {void: true}, at_least: 1, at_most: 2}], then: {pattern: 辛}}
- {key: each, quote: 試, each: {x: 傳}, when: [x: {relative: 官鬼}], then: [{pattern: 壬, of: x}, {vote: 票, for: x.relative}]}
- {key: of, quote: 試, when: [initial: {pattern: 壬}, fires: each], then: {vote: 票, for: 官鬼, weight: 2}}
- {key: annual, quote: 試, when: always, then: {vote: 票, for: annual.relative}}
- {key: most, quote: 試, when: [tally: {of: 票, most: 官鬼}], then: {pattern: 癸}}
- {key: votes, quote: 試, when: [tally: {of: 票, 官鬼: '>= 3'}], then: {pattern: 多}}
- {key: unnamed, quote: 試, when: [tally: {of: 票, 妻財: '>= 1'}], then: {pattern: 財}}
"""


def charts(chart_of: ChartOf) -> list[Chart]:
    days, hours, months = ("甲子", "丙申", "己卯", "癸亥"), ("子", "辰", "未"), (None, "寅", "酉")
    return [
        chart_of(day, hour, general="亥" if month == "寅" else "辰", **({"month": month} if month else {}))
        for day, hour, month in product(days, hours, months)
    ]


def truth(mask: Mask, i: int) -> bool | None:
    return True if mask.yes >> i & 1 else None if mask.maybe >> i & 1 else False


def test_masks_agree_with_the_evaluator(program_of: Callable[[str], Program], chart_of: ChartOf) -> None:
    program, cast = program_of(RULES), charts(chart_of)
    sweep = Sweep(program, Field(cast))
    found = {id: sweep.rule(id) for id in program.rules}
    for i, chart in enumerate(cast):
        evaluation = Evaluation(program, chart)
        assert {id: truth(mask, i) for id, mask in found.items()} == {
            id: evaluation.rule(id) for id in program.rules
        }
    seen = {truth(mask, i) for mask in found.values() for i in range(len(cast))}
    assert seen == {True, False, None}


@pytest.mark.parametrize("text", ["primer", "xinjing", "quanheng"])
def test_masks_agree_with_the_evaluator_on_the_texts(text: str, library: Library) -> None:
    """A chart of every five hundred of the sweep, every rule of the text."""
    doctrine = library.doctrine(library.kb.texts[text].doctrine)
    program = library.program(text)
    cast = [library.chart(each.question, doctrine) for each in lessons()[::499]]
    sweep = Sweep(program, Field(cast))
    for i, chart in enumerate(cast):
        evaluation = Evaluation(program, chart)
        for instance in program.instances:
            assert truth(sweep.instance(instance), i) is evaluation.instance(instance), (instance.id, i)


@given(st.lists(st.integers(0, 255), max_size=6))
def test_at_least_counts(masks: list[int]) -> None:
    reached = at_least(masks, 255)
    assert len(reached) == len(masks) + 1
    for i in range(8):
        held = sum(m >> i & 1 for m in masks)
        assert [bool(r >> i & 1) for r in reached] == [k <= held for k in range(len(masks) + 1)]


@given(st.sets(st.integers(0, 40)))
def test_a_mask_and_its_bits(at: set[int]) -> None:
    mask = mask_of(at, 41)
    assert list(bits(mask)) == sorted(at)
    assert mask == sum(2**i for i in at)


def test_the_sweep_is_the_720_lessons_in_twelve_months() -> None:
    assert len(lessons()) == CHARTS == 8640
    assert len({(x.day, x.offset, x.month) for x in lessons()}) == CHARTS
    assert lessons_of((1 << CHARTS) - 1) == 720
    first_day = mask_of([i for i, x in enumerate(lessons()) if x.day == "甲子"], CHARTS)
    assert lessons_of(first_day) == 12


def test_near_is_one_condition_short(library: Library) -> None:
    """As the examples have it: 癸亥 or 甲子 alone misses by the other condition."""
    rule = library.kb.rules["xinjing.tianwang/jia_yi_shen"]
    doctrine = library.doctrine("xinjing")
    some = lessons()[::97]
    cast = [library.chart(each.question, doctrine) for each in some]
    found = masks_and_near([rule], library, Field(cast))
    near = found[f"near {rule.id}"]
    for i, chart in enumerate(cast):
        held = [chart.pillars["day"].stem in "甲乙", chart.pillars["hour"].branch == "申", chart.transmissions[0].branch == "申"]
        assert bool(near.yes >> i & 1) == (held.count(False) == 1)
        assert bool(found[rule.id].yes >> i & 1) == all(held)
