"""How a conclusion stands: every kind of modifier, its scope, and modifiers on modifiers."""

from __future__ import annotations

import itertools
from collections.abc import Callable

import pytest
from liuren.engine.evaluate import Evaluation, Program
from liuren.engine.language.conclusions import Measure, Modifier, Verdict
from liuren.engine.standing import Standing, Standings, Subject, within
from liuren.facts.chart import Chart

Stand = Callable[..., Standings]

GOOD = "- {key: good, quote: 吉, when: always, then: {verdict: {topic: general, polarity: good, en: luck, ko: 좋음}}}\n"
BAD = "- {key: bad, quote: 凶, when: always, then: {verdict: {topic: illness, polarity: bad, en: harm, ko: 나쁨}}}\n"


def modifier(key: str, body: str, when: str = "always") -> str:
    return f"- {{key: {key}, quote: 試, when: {when}, then: {{modifier: {{{body}}}}}}}\n"


@pytest.fixture(scope="module")
def stand(
    program_of: Callable[[str], Program], chart_of: Callable[..., Chart], lexicon: object
) -> Stand:
    """stand("- {key: …}", **told): the standings of these rules on a 甲子 day."""

    def made(rules: str, **told: str) -> Standings:
        program = program_of(rules)
        evaluation = Evaluation(program, chart_of(told=told))
        subjects, undecided = [], []
        for instance in program.instances:
            truth = evaluation.instance(instance)
            for c in instance.conclusions:
                if truth is True and isinstance(c, Verdict | Measure | Modifier):
                    subjects.append(Subject(c, instance))
                elif truth is None and isinstance(c, Modifier):
                    undecided.append(Subject(c, instance, False, evaluation.needs(instance.when)))
        return Standings(program.rules, subjects, undecided, lexicon.topics)  # type: ignore[attr-defined]

    return made


def state(standings: Standings, key: str, topic: str | None = None) -> str:
    return standings.standing(f"primer.mine/{key}", topic).state


def by(standings: Standings, key: str, topic: str | None = None) -> list[tuple[str, str]]:
    found = standings.standing(f"primer.mine/{key}", topic).by
    return [(id.removeprefix("primer.mine/"), kind) for id, kind in found]


def test_alone_it_stands(stand: Stand) -> None:
    assert stand(GOOD).standing("primer.mine/good") == Standing("stands")


KINDS = {
    "strengthens": "strengthened", "weakens": "weakened", "reverses": "reversed",
    "cancels": "cancelled", "replaces": "replaced", "outranks": "outranked",
}  # fmt: skip


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind(kind: str, stand: Stand) -> None:
    found = stand(GOOD + BAD + modifier("m", f"{kind}: good"))
    assert state(found, "good") == KINDS[kind]
    assert by(found, "good") == [("m", kind)]
    assert state(found, "bad") == "stands"


def test_the_weightier_decides_and_all_are_named(stand: Stand) -> None:
    """Cancelled before replaced before outranked before reversed before strengthened."""
    order = ("cancels", "replaces", "outranks", "reverses", "strengthens")
    for heavy, light in itertools.combinations(order, 2):
        found = stand(GOOD + modifier("a", f"{light}: good") + modifier("b", f"{heavy}: good"))
        assert state(found, "good") == KINDS[heavy]
        assert by(found, "good") == [("a", light), ("b", heavy)]


def test_strengthened_and_weakened_is_disputed(stand: Stand) -> None:
    found = stand(GOOD + modifier("a", "strengthens: good") + modifier("b", "weakens: good"))
    assert state(found, "good") == "disputed"
    cancelled = stand(
        GOOD + modifier("a", "strengthens: good") + modifier("b", "weakens: good") + modifier("c", "cancels: good")
    )
    assert state(cancelled, "good") == "cancelled"


# --- targets -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("target", "good", "bad"),
    [
        ("good", "weakened", "stands"),
        ("primer.mine/good", "weakened", "stands"),
        ("[good, bad]", "weakened", "weakened"),
        ("'primer.m*/b*'", "stands", "weakened"),
        ("'*'", "weakened", "weakened"),
        ("'*', polarity: bad", "stands", "weakened"),
        ("'*', polarity: good", "weakened", "stands"),
    ],
)
def test_targets(target: str, good: str, bad: str, stand: Stand) -> None:
    found = stand(GOOD + BAD + modifier("m", f"weakens: {target}"))
    assert (state(found, "good"), state(found, "bad")) == (good, bad)


def test_target_by_the_pattern_that_was_tested(stand: Stand) -> None:
    rules = (
        "- {key: p, quote: 試, when: always, then: {pattern: 甲}}\n"
        "- {key: of_p, quote: 試, when: [pattern: 甲], then: {verdict: {topic: general, polarity: bad, en: x, ko: 나쁨}}}\n"
    )
    found = stand(rules + GOOD + modifier("m", "cancels: 'pattern:甲'"))
    assert state(found, "of_p") == "cancelled"
    assert state(found, "good") == "stands"


def test_measures_are_acted_on_but_have_no_polarity(stand: Stand) -> None:
    rules = "- {key: when, quote: 試, when: always, then: {measure: 應期, branch: initial}}\n"
    assert state(stand(rules + modifier("m", "cancels: when")), "when") == "cancelled"
    assert state(stand(rules + modifier("m", "cancels: when, polarity: bad")), "when") == "stands"


def test_a_modifier_never_acts_on_its_own_rule(stand: Stand) -> None:
    rules = (
        "- key: both\n  quote: 試\n  when: always\n  then:\n"
        "  - verdict: {topic: general, polarity: mixed, en: x, ko: 나쁨}\n"
        "  - modifier: {weakens: '*'}\n"
    )
    found = stand(rules + GOOD)
    assert state(found, "both") == "stands"
    assert state(found, "good") == "weakened"


EACH = """
- key: seat
  quote: 試
  each: {x: [stem, branch]}
  when: [x: {known: true}]
  then: {verdict: {topic: general, polarity: good, en: x, ko: 좋음}}
"""


def test_of_narrows_to_one_point(stand: Stand) -> None:
    found = stand(EACH + GOOD + modifier("m", "weakens: '*', of: branch"))
    assert state(found, "seat@branch") == "weakened"
    assert state(found, "seat@stem") == "stands"
    assert state(found, "good") == "stands"  # it is about no point


# --- topics -------------------------------------------------------------------------------


def test_topics_form_a_tree(lexicon: object) -> None:
    """child_illness is under illness, illness under general (topics.yaml)."""
    parents = lexicon.topics  # type: ignore[attr-defined]
    assert within("child_illness", ["illness"], parents)
    assert within("illness", ["illness"], parents)
    assert within("illness", ["wealth", "general"], parents)
    assert not within("illness", ["child_illness"], parents)
    assert not within("illness", ["wealth"], parents)


@pytest.mark.parametrize(
    ("topic", "expected"),
    [("illness", "reversed"), ("child_illness", "reversed"), ("wealth", "stands"), ("general", "stands"), (None, "stands")],
)
def test_a_topic_is_where_a_modifier_acts(topic: str | None, expected: str, stand: Stand) -> None:
    found = stand(GOOD + modifier("m", "reverses: good, topic: illness"))
    assert state(found, "good", topic) == expected


def test_topics_under_which_it_stands_otherwise(stand: Stand) -> None:
    found = stand(GOOD + modifier("m", "reverses: good, topic: [illness, wealth]") + modifier("n", "weakens: good"))
    assert found.topics_that_matter("primer.mine/good") == ("illness", "wealth")
    assert found.topics_that_matter("primer.mine/m") == ()


# --- unknown ----------------------------------------------------------------------------


def test_an_undecided_modifier_leaves_it_open(stand: Stand) -> None:
    rules = GOOD + modifier("m", "cancels: good", "[told: {duration: long}]")
    standing = stand(rules).standing("primer.mine/good")
    assert standing == Standing("open", (), (("primer.mine/m", "cancels", ("told.duration",)),))
    assert state(stand(rules, duration="long"), "good") == "cancelled"
    assert state(stand(rules, duration="short"), "good") == "stands"


@pytest.mark.parametrize(
    ("kind", "expected"),
    [("cancels", "open"), ("replaces", "open"), ("outranks", "open"), ("reverses", "open"),
     ("strengthens", "stands"), ("weakens", "stands")],
)  # fmt: skip
def test_open_only_when_it_could_be_undone(kind: str, expected: str, stand: Stand) -> None:
    standing = stand(GOOD + modifier("m", f"{kind}: good", "[told: {duration: long}]")).standing("primer.mine/good")
    assert standing.state == expected
    assert [(id, k) for id, k, _ in standing.unless] == [("primer.mine/m", kind)]


def test_what_acts_for_certain_comes_before_what_is_open(stand: Stand) -> None:
    rules = GOOD + modifier("m", "cancels: good", "[told: {duration: long}]") + modifier("n", "weakens: good")
    standing = stand(rules).standing("primer.mine/good")
    assert standing.state == "weakened"
    assert [id for id, _, _ in standing.unless] == ["primer.mine/m"]


# --- modifiers on modifiers ---------------------------------------------------------------


@pytest.mark.parametrize(
    ("kind", "expected"),
    [("cancels", "stands"), ("replaces", "stands"), ("outranks", "stands"), ("reverses", "stands"),
     ("strengthens", "weakened"), ("weakens", "weakened")],
)  # fmt: skip
def test_a_modifier_acts_only_if_it_stands_itself(kind: str, expected: str, stand: Stand) -> None:
    found = stand(GOOD + modifier("m", "weakens: good") + modifier("n", f"{kind}: m"))
    assert state(found, "m") == KINDS[kind]
    assert state(found, "good") == expected


def test_three_deep(stand: Stand) -> None:
    """o silences n, so m acts after all."""
    rules = GOOD + modifier("m", "cancels: good") + modifier("n", "cancels: m") + modifier("o", "cancels: n")
    found = stand(rules)
    assert [state(found, k) for k in ("o", "n", "m", "good")] == ["stands", "cancelled", "stands", "cancelled"]


def test_a_modifier_silenced_only_for_a_topic(stand: Stand) -> None:
    found = stand(GOOD + modifier("m", "cancels: good") + modifier("n", "cancels: m, topic: illness"))
    assert state(found, "good") == "cancelled"
    assert state(found, "good", "illness") == "stands"


def test_an_undecided_modifier_of_a_modifier(stand: Stand) -> None:
    """n may silence m: m is open, and until that is told it still acts."""
    rules = GOOD + modifier("m", "weakens: good") + modifier("n", "cancels: m", "[told: {duration: long}]")
    assert state(stand(rules), "m") == "open"
    assert state(stand(rules), "good") == "weakened"
    assert state(stand(rules, duration="long"), "good") == "stands"


CIRCLE = GOOD + modifier("m", "cancels: [n, good]") + modifier("n", "cancels: [m, good]")


@pytest.mark.parametrize("order", list(itertools.permutations(("m", "n", "good"))))
def test_a_circle_ends_and_does_not_depend_on_what_is_asked_first(
    order: tuple[str, ...], stand: Stand
) -> None:
    """m and n cancel each other: nothing favours either, so they must come out alike."""
    asked = stand(CIRCLE)
    found = {key: state(asked, key) for key in order}
    assert found["m"] == found["n"]
    assert found == {key: state(stand(CIRCLE), key) for key in ("m", "n", "good")}


def test_a_circle_is_broken_from_outside(stand: Stand) -> None:
    """o cancels m, so m no longer cancels n, and n acts."""
    found = stand(CIRCLE + modifier("o", "cancels: m"))
    assert [state(found, k) for k in ("o", "m", "n")] == ["stands", "cancelled", "stands"]
    assert by(found, "good") == [("n", "cancels")]


@pytest.mark.parametrize("order", ["verdict first", "modifier first"])
def test_a_rule_with_a_verdict_and_a_modifier_keeps_both(stand: Stand, order: str) -> None:
    """One rule says «bad» and cancels «good»; another cancels what this rule concludes."""
    parts = [
        "verdict: {topic: general, polarity: bad, en: harm, ko: 나쁨}",
        "modifier: {cancels: good}",
    ]
    if order == "modifier first":
        parts.reverse()
    both = "- {key: both, quote: 試, when: always, then: [" + ", ".join(f"{{{p}}}" for p in parts) + "]}\n"
    standings = stand(GOOD + both)
    assert standings.standing("primer.mine/good").state == "cancelled"
    assert standings.standing("primer.mine/both", None, "verdict").state == "stands"
    against = stand(GOOD + both + modifier("last", "cancels: both"))
    assert against.standing("primer.mine/both", None, "verdict").state == "cancelled"
    assert against.standing("primer.mine/both", None, "modifier").state == "cancelled"
    assert against.standing("primer.mine/good").state == "stands"
