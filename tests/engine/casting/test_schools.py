"""The points on which schools part, each on charts that a book prints or a rule decides."""

from __future__ import annotations

import pytest
from liuren.engine.casting.day import HIDDEN
from liuren.engine.casting.nobles import ORDERS
from liuren.engine.casting.persons import YEARS
from liuren.engine.casting.shehai import REPEATED
from liuren.engine.data import load_knowledge
from liuren.engine.doctrine import option_values
from liuren.facts.ganzhi import BRANCHES, SIXTY, step
from liuren.facts.question import PersonInput

DATA = load_knowledge()


def moves(chart) -> str:
    return "".join(t.branch for t in chart.transmissions)


@pytest.mark.parametrize(
    ("option", "registry"), [("repeated", REPEATED), ("hidden", HIDDEN), ("noble_order", ORDERS)]
)
def test_values_are_the_registered_procedures(option, registry):
    assert set(option_values(DATA)[option]) == set(registry)


def test_years_are_registered():
    values = DATA.doctrines["options"]["annual"]["values"]
    assert {entry["year"] for entry in values.values()} == set(YEARS)


# --- repeated lessons ------------------------------------------------------------


def test_shao_refuses_a_repeated_lesson(make):
    """六壬斷案 7: 乙巳, general 戌 on hour 亥. Lesson 4, 卯 on 辰, repeats lesson 1; refused, no 克 is
    left, and 彈射 gives 辰卯寅; all tables of the 720 give 元首 卯寅丑."""
    common, shao = make("乙巳", "亥", "戌"), make("乙巳", "亥", "戌", "duanan")
    assert (moves(common), common.method.name, common.method.lesson) == ("卯寅丑", "賊克", 4)
    assert (moves(shao), shao.method.name, shao.method.head) == ("辰卯寅", "遙克", "彈射")
    assert shao.steps["method.candidates"].value == ["辰"]


def test_zhinan_uses_a_repeated_lesson(make):
    """六壬指南 203: 辛酉 offset 1 prints 亥子丑, from lesson 4 alone."""
    assert moves(make("辛酉", "子", "丑", "zhinan")) == "亥子丑"
    assert moves(make("辛酉", "子", "丑", options={"repeated": "refuse"})) != "亥子丑"


def test_refusing_changes_only_lessons_that_repeat(on_plate):
    """A lesson repeats another where two uppers are one; and the 克 of the rest decides still."""
    for day in SIXTY:
        for offset in range(12):
            plain, strict = on_plate(day, offset), on_plate(day, offset, repeated="refuse")
            uppers = [x.upper for x in plain.lessons]
            if len(set(uppers)) == 4:
                assert moves(plain) == moves(strict)
                continue
            first = [x for n, x in enumerate(plain.lessons) if x.upper not in uppers[:n]]
            fights = any(x.relation in ("上克下", "下賊上") for x in first)
            if offset not in (0, 6):
                assert fights == (strict.method.name in ("賊克", "比用", "涉害"))


def test_the_choice_is_named_where_nothing_fights(make):
    steps = make("乙巳", "亥", "戌", "duanan").steps
    assert "option.repeated" in steps and steps["option.repeated"].value == "refuse"


# --- hidden stems ------------------------------------------------------------------


def test_hidden_stems_by_three_schools(make):
    """丙寅 at hour 未 (the decade of 甲子): 辰 hides 戊 by the decade; run from 丙 it carries 壬
    (丙辛 begin with 戊子), and from the hour 乙未 it carries 庚 (乙庚 begin with 丙子)."""
    found = {}
    for school in ("decade", "day", "hour"):
        chart = make("丙寅", "未", "申", options={"hidden": school})
        found[school] = (chart.hidden["辰"], chart.hidden["戌"])
        for t in chart.transmissions:
            assert t.stem == chart.hidden[t.branch]
    # 戌 is void in this decade and hides nothing there.
    assert found == {"decade": ("戊", None), "day": ("壬", "戊"), "hour": ("庚", "丙")}


@pytest.mark.parametrize(("school", "stem", "pair"), [("decade", "戊", "戊辰"), ("day", "丙", "丙辰")])
def test_rules_see_the_hidden_stem_of_the_school(make, evaluate, school, stem, pair):
    """On 戊辰 the branch hides 戊 by the decade; run from 戊 (壬子 …) it carries 丙."""
    chart = make("戊辰", "子", "丑", options={"hidden": school})
    for condition in (f"hidden(branch): {{is: {stem}}}", f"branch: {{pair: {pair}}}"):
        rules = f"- {{key: a, quote: 試, when: [{condition}], then: {{pattern: 甲格}}}}"
        evaluation = evaluate(chart, rules)
        assert [evaluation.instance(i) for i in evaluation.program.instances] == [True]
    other = make("戊辰", "子", "丑", options={"hidden": "hour"})
    evaluation = evaluate(other, rules)
    # The hour 壬子 runs from 庚子, so that 辰 carries 甲.
    assert other.hidden["辰"] == "甲"
    assert [evaluation.instance(i) for i in evaluation.program.instances] == [False]


def test_the_step_of_hidden_stems_says_which_school(make):
    step_ = make("丙寅", "未", "申", options={"hidden": "hour"}).steps["hidden"]
    assert step_.method == "build2" and step_.inputs == ("pillar.hour", "option.hidden")


# --- the way the nobleman leads --------------------------------------------------------


@pytest.mark.parametrize(
    ("half", "offset", "seat", "by_seat", "by_half"),
    [
        # 甲: 丑 by day, 未 by night; the offset puts it on its seat.
        ("晝", 1, "子", "順", "順"),
        ("晝", 7, "午", "逆", "順"),
        ("夜", 1, "午", "逆", "逆"),
        ("夜", 7, "子", "順", "逆"),
    ],
)
def test_order(make, half, offset, seat, by_seat, by_half):
    for school, stated in (("seat", by_seat), ("half", by_half)):
        noble = make("甲子", "子", BRANCHES[offset], options={"noble_order": school}, noble=half).noble
        assert (noble.earth, noble.direction) == (seat, stated)


def test_generals_follow_the_way(make):
    """甲子, 丑 on 午 by day: backward the serpent rides 子, forward 寅."""
    backward = make("甲子", "子", "未", noble="晝")
    forward = make("甲子", "子", "未", options={"noble_order": "half"}, noble="晝")
    assert backward.general_of["子"] == "螣蛇" and forward.general_of["寅"] == "螣蛇"
    assert backward.general_of["丑"] == forward.general_of["丑"] == "貴人"


def test_geng_with_xin(make):
    """庚辛逢馬虎: 庚 has 午 by day and 寅 by night, as 辛; the other stems as usual."""
    for day in SIXTY[:10]:
        plain = make(day, "子", "子", noble="晝").noble
        other = make(day, "子", "子", options={"noble": "horse-tiger"}, noble="晝").noble
        stated = ("午", "寅") if day[0] in "庚辛" else (plain.branch, plain.other)
        assert (other.branch, other.other) == stated


# --- the year of 行年 ----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("month", "general", "lunar", "year", "by_lichun", "by_moon"),
    [
        # A man born in 1980 (庚申): in 丙午 (2026) he is 47 and stands on 壬子, in 乙巳 on 辛亥.
        ("寅", "子", (12, 20, False), "2026", "壬子", "辛亥"),  # after 立春, before the new year
        ("寅", "子", (1, 2, False), "2026", "壬子", "壬子"),
        ("丑", "子", (12, 20, False), "2025", "辛亥", "辛亥"),
        ("丑", "子", (1, 2, False), "2025", "辛亥", "壬子"),  # the new year before 立春
        ("午", "未", (5, 5, False), "2026", "壬子", "壬子"),
    ],
)
def test_year_from_lichun_or_new_moon(make, month, general, lunar, year, by_lichun, by_moon):
    asker = {"querent": PersonInput(born=1980, sex="男")}
    for school, stated in (("xiaoyun", by_lichun), ("new-year", by_moon)):
        chart = make(
            "甲子", "子", general, options={"annual": school},
            month=month, year=year, lunar=lunar, persons=asker,
        )  # fmt: skip
        person = chart.persons["querent"]
        assert str(person.annual) == stated
        assert person.age == (47 if stated == "壬子" else 46)


def test_the_lunar_date_is_needed_only_about_the_new_year(make):
    asker = {"querent": PersonInput(born=1980, sex="男")}
    early = make("甲子", "子", "子", options={"annual": "new-year"}, month="寅", year="2026", persons=asker)
    assert early.persons["querent"].annual.branch is None
    assert early.steps["querent.annual"].needs == ("lunar",)
    summer = make("甲子", "子", "未", options={"annual": "new-year"}, month="午", year="2026", persons=asker)
    assert str(summer.persons["querent"].annual) == "壬子"


def test_woman_goes_back_whichever_year(make):
    """A woman born in 1980 stands in 2026 on 丙戌: 46 places back from 壬申."""
    asker = {"querent": PersonInput(born=1980, sex="女")}
    chart = make("甲子", "子", "未", month="午", year="2026", persons=asker)
    assert str(chart.persons["querent"].annual) == SIXTY[(SIXTY.index("壬申") - 46) % 60] == "丙戌"
    assert step("申", -46) == "戌"
