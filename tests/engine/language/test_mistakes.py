"""Every mistake is told with file, line, rule, the offending value and what would be accepted.

The second rule begins on line 13 of the file (the head has 6 lines, the first rule 6);
its quote stands on line 14, `when` on 15 and `then` on 16, counted by hand.
"""

from __future__ import annotations

from collections.abc import Callable

import pytest

Problems = Callable[[str], list[tuple[int, str, str]]]


def rule(
    when: str = "[initial: {relative: 官鬼}]",
    then: str = "{pattern: 乙局}",
    quote: str = "試",
    key: str = "second",
    extra: str = "",
) -> str:
    return f"  - key: {key}\n    quote: {quote}\n    when: {when}\n    then: {then}\n{extra}"


def verdict(topic: str = "illness", polarity: str = "bad") -> str:
    return rule(then=f"{{verdict: {{topic: {topic}, polarity: {polarity}, en: ill, ko: 나쁨}}}}")


TABLE = """\
  - key: t
    quote: 表
    columns: [b, quote]
    when: [initial: {branch: <b>}]
    then: {pattern: 表}
    rows:
      a: [子, 子]
"""

IN_A_RULE = {
    # what the second rule is, the line, the offending value, what would be accepted
    "unknown point": (rule("[initail: {void: true}]"), 15, "«initail»", "initial"),
    "unknown point, nothing near": (rule("[qqqq: {void: true}]"), 15, "«qqqq»", "month_general"),
    "unknown person": (rule("[nephew.annual: {void: true}]"), 15, "«nephew.annual»", "annual"),
    "unknown function": (rule("[above(stem): {void: true}]"), 15, "«above»", "over, under"),
    "unknown stage": (rule("[stage(stem 墳): {void: true}]"), 15, "«墳»", "墓"),
    "open parenthesis": (rule("[over(stem: {void: true}]"), 15, "«over(stem»", "close"),
    "unknown slot": (rule("[initial: {genral: 青龍}]"), 15, "«genral»", "general"),
    "slot of another kind": (rule("[stem: {void: true}]"), 15, "«void»", "element"),
    "unknown relation": (rule("[initial: {controlls: stem}]"), 15, "«controlls»", "controls"),
    "unknown relation after or": (rule("[initial: {controls or beats: stem}]"), 15, "beats", "controlled_by"),
    "unknown value": (rule("[initial: {general: 青竜}]"), 15, "«青竜»", "青龍"),
    "unknown value, nothing near": (rule("[initial: {relative: 鼠}]"), 15, "«鼠»", "父母 兄弟"),
    "number in quotes": (rule("[chart: {offset: '3'}]"), 15, "«3»", "without quotes"),
    "no value": (rule("[initial: {general: []}]"), 15, "initial.general", "no value"),
    "unknown told fact": (rule("[told: {duratoin: long}]"), 15, "«duratoin»", "duration"),
    "unknown class": (rule("[initial: {general: $凶蔣}]"), 15, "«$凶蔣»", "$凶將"),
    "unknown group": (rule("[some: {in: 三傳, has: {void: true}}]"), 15, "«三傳»", "傳"),
    "unknown form of a count": (rule("[some: {in: 傳, haz: {void: true}}]"), 15, "«haz»", "has"),
    "unbound name": (rule("[over(x): {void: true}]"), 15, "«x»", "each"),
    "no conditions": (rule("[]"), 13, "`when`", "always"),
    "unknown topic": (verdict(topic="ilness"), 16, "«ilness»", "illness"),
    "unknown polarity": (verdict(polarity="evil"), 16, "«evil»", "good, bad, mixed"),
    "unknown conclusion": (rule(then="{veredict: {topic: general}}"), 16, "«veredict»", "verdict"),
    "unknown unit": (rule(then="{measure: 應期, within: fortnight}"), 16, "«fortnight»", "half_month"),
    "unknown modifier": (rule(then="{modifier: {kills: first}}"), 16, "«kills»", "cancels"),
    "unknown field": (rule(extra="    whn: 3\n"), 17, "«whn»", "when"),
    "pattern never concluded": (rule("[pattern: 甲句]"), 13, "«甲句»", "甲局"),
    "rule that is not there": (rule("[fires: frist]"), 13, "«primer.mine/frist»", "primer.mine/first"),
    "tally without votes": (rule("[tally: {of: 遲速, 速: '> 遲'}]"), 13, "«遲速»", "no votes"),
    "side without votes": (
        rule("[tally: {of: 票, 速: '> 疾'}]", "{pattern: 丙}") + rule("always", "{vote: 票, for: 速}", key="third"),
        13, "«疾»", "速",
    ),
    "modifier with a missing target": (rule(then="{modifier: {cancels: frist}}"), 13, "«primer.mine/frist»", "primer.mine/first"),
    "modifier on a missing pattern": (rule(then="{modifier: {cancels: 'pattern:甲句'}}"), 13, "«甲句»", "甲局"),
    "unknown reading": (rule(extra="    reading: chain=loose\n"), 17, "«chain=loose»", "known: none"),
    "quote too long": (rule(quote="一二三四五六七八九十一二三四五六七"), 14, "17 characters", "at most 16"),
    "is between kinds": (rule("[initial: {is: stem}]"), 15, "initial: {is: stem}", "a branch is no stem"),
    "clash of a general": (rule("[general(initial): {clash: stem}]"), 15, "«clash»", "between branches"),
    "contradictory values": (rule("[initial: {branch: 子}, initial: {branch: [丑, 寅]}]"), 13, "initial.branch", "never hold together"),
    "value asked and refused": (rule("[initial: {branch: 子}, not: {initial: {branch: [子, 丑]}}]"), 13, "initial.branch", "never hold together"),
    "count out of range": (rule("[count: {in: 傳, has: {void: true}, at_least: 4}]"), 15, "4 to 3 of 3", "never hold"),
    "count without bounds": (rule("[count: {in: 傳, has: {void: true}}]"), 15, "`count`", "at_least, at_most or exactly"),
}  # fmt: skip


@pytest.mark.parametrize("kind", IN_A_RULE)
def test_mistake_in_a_rule(kind: str, problems_of: Problems) -> None:
    body, line, offending, accepted = IN_A_RULE[kind]
    at_second = [p for p in problems_of(body) if p[1] == "primer.mine/second"]
    told = [(n, m) for n, _, m in at_second if offending in m and accepted in m]
    assert told, at_second
    assert told[0][0] == line
    assert "\n" not in told[0][1]


def test_the_rule_these_mistakes_are_made_in_is_right(problems_of: Problems) -> None:
    assert problems_of(rule()) == []


def test_duplicate_rule_key_names_the_first(problems_of: Problems) -> None:
    assert problems_of(rule(key="first")) == [
        (13, "primer.mine/first", "the key «first» stands twice in this passage; first on line 7; give the copy a key of its own")
    ]


def test_duplicate_yaml_key_names_the_first(problems_of: Problems) -> None:
    assert problems_of(rule(extra="    quote: 再\n")) == [
        (17, "", "the key «quote» stands twice; first on line 14")
    ]


def test_duplicate_passage_names_the_first(problems_of: Problems) -> None:
    again = '- id: primer.mine\n  title: {zh: 試, ko: 시험, en: x}\n  locus: {edition: "000", lines: [1, 2]}\n'
    assert problems_of(again) == [
        (13, "primer.mine", "the passage stands twice; first in texts/primer/mine.yaml:3; join the two, or give one an id of its own")
    ]


def test_a_circle_is_told_with_its_path(problems_of: Problems) -> None:
    body = rule("[fires: third]") + rule("[fires: fourth]", key="third") + rule("[fires: second]", key="fourth")
    found = problems_of(body)
    assert [(line, id) for line, id, _ in found] == [
        (13, "primer.mine/second"), (17, "primer.mine/third"), (21, "primer.mine/fourth"),
    ]  # fmt: skip
    for _, _, message in found:
        path = message.partition("circle: ")[2].split(" reads ")
        assert path[0] == path[-1]
        assert set(path) == {"primer.mine/second", "primer.mine/third", "primer.mine/fourth"}


def test_a_circle_through_a_pattern(problems_of: Problems) -> None:
    body = rule("[pattern: 丙]", "{pattern: 丁}") + rule("[pattern: 丁]", "{pattern: 丙}", key="third")
    assert [m.partition(":")[0] for _, _, m in problems_of(body)] == ["the rules read each other in a circle"] * 2


def test_unknown_column(problems_of: Problems) -> None:
    found = problems_of(TABLE.replace("<b>", "<c>"))
    assert found == [(13, "primer.mine/t", "«<c>» is no column; the columns are b, quote")]


def test_wrong_number_of_values_in_a_row(problems_of: Problems) -> None:
    found = problems_of(TABLE + "      b: [子]\n      c: [丑, 丑]\n")
    assert found == [(20, "primer.mine/t", "row «b» has 1 values for 2 columns")]


def test_wrong_value_in_a_row_is_told_on_its_own_line(problems_of: Problems) -> None:
    [(line, id, message)] = problems_of(TABLE + "      b: [鼠, 丑]\n")
    assert (line, id) == (20, "primer.mine/b")
    assert message.startswith("«鼠» is no value of initial.branch; known: 子 丑")


def test_words_cut_by_a_comma(problems_of: Problems) -> None:
    [(line, id, message)] = problems_of(rule(extra="    note: {en: first, second, ko: 하나}\n"))
    assert (line, id) == (17, "primer.mine/second")
    assert "«second»" in message and "wants quotes" in message
