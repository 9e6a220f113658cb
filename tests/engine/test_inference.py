"""experta, the evaluator and an independent reckoning agree on rule sets made up at random;
and a mistake planted in either is seen.

The independent reckoning knows nothing of charts: the truth of the six atoms is set by what
is told (本命, 月建 and 太歲 are 子, 丑 or not told; 子 is the day branch, 甲 the day stem,
wood, which controls earth 丑 and not water 子), and rules are trees of nested tuples.
Truth is 1, 0 or ½, so that "and" is min, "or" is max and "not" is 1 minus.
"""

from __future__ import annotations

import itertools
import json
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from liuren.engine import compile as compiling
from liuren.engine import inference
from liuren.engine.evaluate import Evaluation, Program
from liuren.engine.inference import Disagreement, Reasoner
from liuren.engine.library import Library
from liuren.facts.chart import Chart
from liuren.facts.question import PersonInput, Question

HALF = 0.5
PLACES = ("natal", "month", "year")
INPUTS = list(itertools.product((1, 0, HALF), repeat=3))
ATOMS: list[tuple[dict[str, Any], Callable[[tuple[float, ...]], float]]] = [
    ({"natal": {"branch": "子"}}, lambda t: t[0]),
    ({"month": {"branch": ["子", "寅"]}}, lambda t: t[1]),
    ({"year": {"is": "branch"}}, lambda t: t[2]),
    ({"stem": {"controls": "natal"}}, lambda t: 1 - t[0]),
    ({"stem": {"stem": "甲"}}, lambda t: 1),
    ({"stem": {"element": ["火", "土"]}}, lambda t: 0),
]


@pytest.fixture(scope="module")
def charts(chart_of: Callable[..., Chart]) -> dict[tuple[float, ...], Chart]:
    """A chart for each of the 27 ways to tell the three inputs."""
    sign = {1: "子", 0: "丑", HALF: None}
    return {
        t: chart_of(
            month=sign[t[1]],
            year=sign[t[2]],
            persons={"querent": PersonInput(natal=sign[t[0]])} if t[0] != HALF else {},
        )
        for t in INPUTS
    }


# --- random rule sets -----------------------------------------------------------------

Tree = tuple[Any, ...]


def trees(number: int, depth: int = 3) -> st.SearchStrategy[Tree]:
    """Conditions of rule *number*: atoms, and what rules before it conclude."""
    leaves = [st.tuples(st.just("atom"), st.integers(0, len(ATOMS) - 1))]
    leaves.append(st.tuples(st.just("count"), st.integers(0, 3), st.integers(0, 3), st.booleans()))
    if number:
        before = st.integers(0, number - 1)
        leaves += [st.tuples(st.just("pattern"), before), st.tuples(st.just("fires"), before)]
    if number // 2:
        pair = st.integers(0, number // 2 - 1)
        leaves.append(st.tuples(st.just("shared"), pair))
        leaves.append(st.tuples(st.just("tally"), pair, st.sampled_from((">", ">=", "=", "<", "most"))))
    leaf = st.one_of(leaves)
    if depth == 0:
        return leaf
    inner = trees(number, depth - 1)
    return st.one_of(
        leaf,
        st.tuples(st.just("not"), inner),
        st.tuples(st.sampled_from(("any", "all")), st.lists(inner, min_size=1, max_size=3).map(tuple)),
    )


rule_sets = st.integers(2, 6).flatmap(lambda n: st.tuples(*(trees(i) for i in range(n))))


def as_condition(tree: Tree) -> dict[str, Any]:
    """The tree in the rule language."""
    match tree:
        case ("atom", n):
            return ATOMS[n][0]
        case ("not", item):
            return {"not": as_condition(item)}
        case (("any" | "all") as word, items):
            return {word: [as_condition(i) for i in items]}
        case ("count", a, b, negated):
            low, high = sorted((a, b))
            has = {"branch": "丑" if negated else "子"}
            return {"count": {"in": list(PLACES), "has": has, "at_least": low, "at_most": high}}
        case ("pattern", n):
            return {"pattern": f"p{n}"}
        case ("shared", n):
            return {"pattern": f"s{n}"}
        case ("fires", n):
            return {"fires": f"r{n}"}
        case ("tally", n, "most"):
            return {"tally": {"of": f"t{n}", "most": "甲"}}
        case ("tally", n, op):
            return {"tally": {"of": f"t{n}", "甲": f"{op} 乙"}}
    raise AssertionError(tree)


def as_yaml(rules: tuple[Tree, ...]) -> str:
    """The rules: each concludes a pattern of its own, one shared by two rules, and a vote."""
    return "\n".join(
        "- " + json.dumps(
            {
                "key": f"r{n}", "quote": "試", "when": [as_condition(tree)],
                "then": [{"pattern": f"p{n}"}, {"pattern": f"s{n // 2}"}, {"vote": f"t{n // 2}", "for": "甲乙"[n % 2]}],
            },
            ensure_ascii=False,
        )
        for n, tree in enumerate(rules)
    )  # fmt: skip


def reckon(rules: tuple[Tree, ...], told: tuple[float, ...]) -> list[float]:
    """The truth of each rule, worked out from the trees alone."""
    found: list[float] = []

    def compared(a: float, op: str, b: float) -> float:
        """Two votes of 0, 1 or ½ (either): every way they may turn out."""
        ways = itertools.product(*((x,) if x != HALF else (0, 1) for x in (a, b)))
        test = {">": float.__gt__, ">=": float.__ge__, "=": float.__eq__, "<": float.__lt__, "most": float.__gt__}[op]
        truths = {test(float(x), float(y)) for x, y in ways}
        return HALF if len(truths) == 2 else float(truths.pop())

    def truth(tree: Tree) -> float:
        match tree:
            case ("atom", n):
                return ATOMS[n][1](told)
            case ("not", item):
                return 1 - truth(item)
            case ("any", items):
                return max(map(truth, items))
            case ("all", items):
                return min(map(truth, items))
            case ("count", a, b, negated):
                members = [1 - t if negated else t for t in told]
                sure, possible = members.count(1), len(members) - members.count(0)
                ways = {min(a, b) <= n <= max(a, b) for n in range(sure, possible + 1)}
                return HALF if len(ways) == 2 else float(ways.pop())
            case (("pattern" | "fires"), n):
                return found[n]
            case ("shared", n):
                return max(found[2 * n : 2 * n + 2])
            case ("tally", n, op):
                return compared(found[2 * n], op, found[2 * n + 1])
        raise AssertionError(tree)

    for tree in rules:
        found.append(truth(tree))
    return found


@settings(
    max_examples=120, deadline=None, derandomize=True, database=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)  # fmt: skip
@given(rules=rule_sets, inputs=st.lists(st.sampled_from(INPUTS), min_size=4, max_size=4, unique=True))
def test_three_reckonings_of_random_rules(
    rules: tuple[Tree, ...],
    inputs: list[tuple[float, ...]],
    charts: dict[tuple[float, ...], Chart],
    program_of: Callable[[str], Program],
) -> None:
    program = program_of(as_yaml(rules))
    reasoner = Reasoner(program)
    for told in inputs:
        expected = reckon(rules, told)
        evaluation = Evaluation(program, charts[told])
        found = [evaluation.rule(f"primer.mine/r{n}") for n in range(len(rules))]
        assert [HALF if t is None else float(t) for t in found] == expected
        run = reasoner.run(charts[told], evaluation)
        assert run.fired == {f"primer.mine/r{n}" for n, t in enumerate(expected) if t == 1}


# --- hand-made rules ---------------------------------------------------------------------

MADE = """
- {key: seven, quote: 試, each: {x: [課, 傳]}, when: [x: {void: false}], then: {pattern: 實, of: x}}
- {key: all_full, quote: 試, when: [every: {in: 傳, has: {pattern: 實}}], then: {pattern: 三實}}
- {key: some_void, quote: 試, when: [not: {fires: all_full}], then: {pattern: 有空}}
- {key: twice, quote: 試, when: [initial: {pattern: 實}, not: {middle: {pattern: 實}}], then: {pattern: 初實}}
"""


def test_conclusions_of_a_point_and_their_absence(
    chart_of: Callable[..., Chart], program_of: Callable[[str], Program]
) -> None:
    """伏吟, worked by hand: a yang day begins with its stem's palace, a yin day with its
    branch, and each transmission is what the one before punishes (刑).

    丙寅: 丙 lodges in 巳, so 巳 申 寅; the uppers are 巳 巳 寅 寅; the decade of 甲子 leaves
    戌 and 亥 void, so nothing here is.  己丑: 丑 戌 未; 己 lodges in 未, so the uppers are
    未 未 丑 丑; the decade of 甲申 leaves 午 and 未 void.
    """
    program = program_of(MADE)
    reasoner = Reasoner(program)
    expected = {
        "丙寅": (("巳", "申", "寅"), "lesson1 lesson2 lesson3 lesson4 initial middle final", "all_full"),
        "己丑": (("丑", "戌", "未"), "lesson3 lesson4 initial middle", "some_void"),
    }
    for day, (transmissions, full, conclusion) in expected.items():
        chart = chart_of(day, "子", "子")
        assert tuple(t.branch for t in chart.transmissions) == transmissions
        run = reasoner.run(chart, Evaluation(program, chart))
        assert {f.partition("/")[2] for f in run.fired} == {conclusion, *(f"seven@{p}" for p in full.split())}


def test_an_engine_forgets_the_chart_before(
    charts: dict[tuple[float, ...], Chart], program_of: Callable[[str], Program]
) -> None:
    rules = "- {key: a, quote: 試, when: [natal: {branch: 子}], then: {pattern: 甲}}"
    reasoner = Reasoner(program_of(rules))
    fired = [bool(reasoner.run(charts[t]).fired) for t in ((1, 0, 0), (HALF, 0, 0), (0, 0, 0), (1, 0, 0))]
    assert fired == [True, False, False, True]


# --- planted mistakes -----------------------------------------------------------------------


@pytest.fixture(scope="module")
def some_charts(library: Library) -> list[Chart]:
    doctrine = library.doctrine("xinjing")
    days = ("甲子", "丁卯", "庚午", "壬申", "乙亥", "戊寅", "辛巳", "癸未")
    hours = ("子", "卯", "酉", "亥")
    questions = [Question(day=d, hour=h, month_general="午", month="未") for d in days for h in hours]
    return [library.chart(q, doctrine) for q in questions]


def disagreements(reasoner: Reasoner, program: Program, charts: list[Chart]) -> int:
    found = 0
    for chart in charts:
        try:
            reasoner.run(chart, Evaluation(program, chart))
        except RuntimeError:  # a Disagreement, or the bridge saw that a rule held and did not fire
            found += 1
    return found


def test_a_mistake_in_the_evaluator_is_seen(
    library: Library, some_charts: list[Chart], monkeypatch: pytest.MonkeyPatch
) -> None:
    program, reasoner = library.program("xinjing"), library.reasoner("xinjing")
    assert disagreements(reasoner, program, some_charts) == 0
    right = Evaluation._slot

    def wrong(self: Evaluation, condition: Any) -> Any:
        truth = right(self, condition)
        return not truth if condition.slot == "strength" and truth is not None else truth

    monkeypatch.setattr(Evaluation, "_slot", wrong)
    assert disagreements(reasoner, program, some_charts) > 0


def test_a_mistake_in_what_a_chart_emits_is_seen(
    library: Library, some_charts: list[Chart], monkeypatch: pytest.MonkeyPatch
) -> None:
    program, reasoner = library.program("xinjing"), library.reasoner("xinjing")
    right = inference.relation_answer

    def wrong(chart: Chart, point: Any, relations: tuple[str, ...], others: Any) -> Any:
        return () if "controls" in relations else right(chart, point, relations, others)

    monkeypatch.setattr(inference, "relation_answer", wrong)
    assert disagreements(reasoner, program, some_charts) > 0


def test_a_mistake_in_the_compiler_is_seen(
    library: Library, some_charts: list[Chart], monkeypatch: pytest.MonkeyPatch
) -> None:
    program = library.program("xinjing")
    right = compiling._among
    monkeypatch.setattr(compiling, "_among", lambda values, negated: right(values, not negated))
    assert disagreements(Reasoner(program), program, some_charts) > 0


def test_a_disagreement_says_what_differs(
    charts: dict[tuple[float, ...], Chart],
    program_of: Callable[[str], Program],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    program = program_of("- {key: a, quote: 試, when: [natal: {branch: 子}], then: {pattern: 甲}}")
    reasoner = Reasoner(program)
    monkeypatch.setattr(Evaluation, "instance", lambda self, instance: False)
    chart = charts[1, 0, 0]
    with pytest.raises(Disagreement, match=r"primer: only experta fires \['primer.mine/a'\]"):
        reasoner.run(chart, Evaluation(program, chart))
