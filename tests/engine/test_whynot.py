"""Why something is not there: what failed with what was found, and the nearest change."""

from __future__ import annotations

import pytest
from liuren.engine.changes import find_ways, single_changes
from liuren.engine.evaluate import Evaluation
from liuren.engine.language.conditions import AnyOf, PatternIs, flatten
from liuren.engine.library import Library
from liuren.engine.questions import Request, build_request
from liuren.engine.reading import Reading, read
from liuren.engine.whynot import examine, examine_instance, near_rules, nearest_instance

NET = "xinjing.tianwang/def"


def asked(library: Library, **given: object) -> Request:
    return build_request(given, library.kb.lexicon)


def reading(library: Library, **given: object) -> Reading:
    return read(asked(library, **given), library)


def test_each_condition_with_what_was_found(library: Library) -> None:
    # 甲子, plate turned by six: the transmissions are 寅申寅 (any table of the 720 lessons).
    # 天網 wants initial and hour to control 甲 (wood): 寅 is wood too, and 子 (water) feeds it.
    text = reading(library, day="甲子", hour="子", month_general="午").texts["xinjing"]
    found = examine_instance(nearest_instance(NET, text.evaluation), text.evaluation)
    assert found.truth is False
    assert [(p.truth, p.actual) for p in found.parts] == [
        (False, "寅 same 甲 (stem)"),
        (False, "子 generates 甲 (stem)"),
    ]
    assert found.distance == 2


def test_the_unknown_names_the_input(library: Library) -> None:
    # 聚 is strength by the season; without the month it cannot be known.
    text = reading(library, day="甲子", hour="子", month_general="午").texts["quanheng"]
    found = examine_instance(nearest_instance("quanheng.jusan.rule/ju", text.evaluation), text.evaluation)
    assert found.truth is None
    assert found.needs == ("month",)


def test_alternatives_come_nearest_first(library: Library) -> None:
    evaluation = reading(library, day="甲子", hour="子", month_general="午", month="未").texts["xinjing"].evaluation
    seen = 0
    for instance in evaluation.program.instances:
        for part in flatten(instance.when):
            if isinstance(part, AnyOf):
                distances = [p.distance for p in examine(part, evaluation).parts]
                assert distances == sorted(distances)
                seen += 1
    assert seen > 10


def test_a_pattern_is_opened_to_the_rules_that_could_conclude_it(library: Library) -> None:
    evaluation = reading(library, day="甲子", hour="子", month_general="午").texts["xinjing"].evaluation
    found = examine(PatternIs("天網", None), evaluation)
    assert found.truth is False
    assert NET in {p.rule for p in found.parts}


def test_near_rules_fail_by_exactly_one_condition(library: Library) -> None:
    evaluation = reading(library, day="甲子", hour="子", month_general="午", month="未").texts["xinjing"].evaluation
    near = list(near_rules(evaluation))
    assert near
    for instance, finding in near:
        truths = [evaluation.truth(c) for c in flatten(instance.when)]
        assert truths.count(False) == 1 and truths.count(True) == len(truths) - 1
        assert finding.truth is False


def holds(rule: str):
    return lambda evaluation: rule in evaluation.program.rules and evaluation.rule(rule) is True


def test_one_change_brings_it_about(library: Library) -> None:
    # An independent list of the charts of 天網 has 甲子 with general 亥 at hour 申: 申亥寅. With general 子 the
    # initial is 辰, which does not control 甲; so changing the general alone must do.
    request = asked(library, day="甲子", hour="申", month_general="子")
    ways = find_ways(request, library, "xinjing", holds(NET), NET)
    assert ("month_general", "子", "亥") in {(c.name, c.old, c.new) for w in ways for c in w.changes}


@pytest.mark.parametrize("given", [
    {"day": "甲子", "hour": "子", "month_general": "午"},
    {"moment": "2026-11-30T14:20+09:00", "born": 1975, "sex": "m"},
])
def test_every_way_is_verified_by_running_and_changes_one_thing(library: Library, given: dict) -> None:
    request = asked(library, **given)
    ways = find_ways(request, library, "xinjing", holds(NET), NET)
    assert ways
    for way in ways:
        assert len(way.changes) == 1
        again = read(way.request, library)
        assert holds(NET)(again.texts["xinjing"].evaluation)
        fired = again.texts["xinjing"].run.fired
        assert NET in fired  # experta says so too


def test_pairs_are_tried_only_when_asked(library: Library) -> None:
    # The day nobleman on 乙丑, from a night hour of 甲子: no one change gives both.
    request = asked(library, day="甲子", hour="子", month_general="午")

    def wanted(evaluation: Evaluation) -> bool:
        chart = evaluation.chart
        return chart.noble.period == "晝" and str(chart.pillars["day"]) == "乙丑"

    assert find_ways(request, library, "xinjing", wanted) == []
    deep = find_ways(request, library, "xinjing", wanted, deep=True)
    assert deep and all({c.name for c in w.changes} == {"noble", "day"} for w in deep[:1])


def test_impossible_changes_are_left_out(library: Library) -> None:
    # Month 寅 admits the generals 子 and 亥 only; other generals are no questions at all.
    request = asked(library, day="甲子", hour="子", month_general="亥", month="寅")
    ways = find_ways(request, library, "xinjing", lambda e: True, limit=60)
    generals = {c.new for w in ways for c in w.changes if c.kind == "month_general"}
    assert generals == {"子"}


def test_changes_are_single_and_different(library: Library) -> None:
    request = asked(library, day="甲子", hour="子", month_general="午")
    changes = list(single_changes(request, library, "xinjing", NET))
    assert len({(c.name, c.new) for c in changes}) == len(changes)
    for change in changes:
        assert change.apply(request) != request
