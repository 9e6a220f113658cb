"""What a question may not say, and what is filled in."""

from __future__ import annotations

import pytest
from liuren.facts.errors import UserError

GOOD = {"day": "甲子", "hour": "巳", "general": "亥"}


@pytest.mark.parametrize(
    ("change", "fields", "said"),
    [
        ({"day": "甲丑"}, {}, "Day 甲丑: 甲 goes only with 子寅辰午申戌"),
        ({"day": "子"}, {}, "Day '子' is not a ganzhi"),
        ({"hour": "x"}, {}, "Hour 'x' is not a branch"),
        ({"hour": "庚巳"}, {}, "Hour 庚巳: 庚 goes only with"),
        ({"hour": "辛巳"}, {}, "Hour 辛巳 does not belong to day 甲子, on which 巳 is 己巳"),
        ({"general": "甲"}, {}, "Month general '甲' is not a branch"),
        ({"general": "戌"}, {"month": "寅"}, "it is 子 before the month's 中氣 and 亥 after it"),
        ({}, {"year": "甲子", "month": "戊寅"}, "Month 戊寅 does not belong to a 甲 year, in which 寅 is 丙寅"),
        ({}, {"term": "立冰"}, "is not one of the 24 solar terms, such as"),
        ({}, {"term": "雨水", "month": "亥"}, "cannot fall in month 亥"),
        ({"general": "寅"}, {"term": "雨水", "month": "亥"}, "Term 雨水 falls in month 寅"),
        ({}, {"lunar": (13, 1, False)}, "month 13, day 1 does not exist"),
        ({}, {"lunar": (1, 31, False)}, "month 1, day 31 does not exist"),
    ],
)  # fmt: skip
def test_mistakes_are_told_in_one_sentence(make, change, fields, said):
    with pytest.raises(UserError) as raised:
        make(**(GOOD | change), **fields)
    message = str(raised.value)
    assert said in message
    assert message.endswith(".") and "\n" not in message


def test_missing_pillars(make, data):
    from liuren.engine.casting import cast
    from liuren.engine.doctrine import load_doctrine
    from liuren.facts.question import Question

    with pytest.raises(UserError, match="lacks hour, month_general"):
        cast(Question(day="甲子"), load_doctrine("common", data), data)


@pytest.mark.parametrize(
    ("month", "general"),
    [
        (m, g)
        for m, pair in {
            "寅": "子亥", "卯": "亥戌", "辰": "戌酉", "巳": "酉申", "午": "申未", "未": "未午",
            "申": "午巳", "酉": "巳辰", "戌": "辰卯", "亥": "卯寅", "子": "寅丑", "丑": "丑子",
        }.items()
        for g in pair
    ],
)  # fmt: skip
def test_generals_of_the_months(make, month, general):
    """雨水 brings 亥, 春分 戌 and so on, against the order of the months."""
    assert make("甲子", "巳", general, month=month).month_general == general


def test_hour_and_month_stems_are_filled(make):
    chart = make("甲子", "巳", "亥", year="甲子", month="寅")
    assert str(chart.pillars["hour"]) == "己巳"
    assert str(chart.pillars["month"]) == "丙寅"
    assert chart.steps["pillar.month"].inputs == ("input.month", "pillar.year")
    assert str(make("甲子", "巳", "亥", month="寅").pillars["month"]) == "寅"
    # 1984 is 甲子 by independent knowledge.
    assert str(make("甲子", "巳", "亥", year="1984").pillars["year"]) == "甲子"


def test_five_tigers(make):
    """甲己之年丙作首, 乙庚戊, 丙辛庚, 丁壬壬, 戊癸甲."""
    first = {"甲子": "丙", "己巳": "丙", "乙丑": "戊", "庚午": "戊", "丙寅": "庚", "辛未": "庚",
             "丁卯": "壬", "壬申": "壬", "戊辰": "甲", "癸酉": "甲"}  # fmt: skip
    for year, stem in first.items():
        chart = make("甲子", "巳", "亥", year=year, month="寅")
        assert str(chart.pillars["month"]) == stem + "寅"
        last = make("甲子", "巳", "子", year=year, month="丑")
        # 丑 is the twelfth month of the same year: eleven stems on, which is one.
        assert (
            last.pillars["month"].stem
            == "甲乙丙丁戊己庚辛壬癸甲"["甲乙丙丁戊己庚辛壬癸".index(stem) + 1]
        )


def test_late_zi_under_a_day_from_midnight(make):
    """The night's 子 has the next day's stem: 甲 days 丙子 beside the early 甲子."""
    midnight = {"day_starts": "0"}
    assert str(make("甲子", "丙子", "亥", options=midnight).pillars["hour"]) == "丙子"
    assert str(make("甲子", "甲子", "亥", options=midnight).pillars["hour"]) == "甲子"
    with pytest.raises(UserError, match="does not belong to day"):
        make("甲子", "丙子", "亥")
    with pytest.raises(UserError, match="does not belong to day"):
        make("甲子", "丁丑", "亥", options=midnight)


def test_a_node_may_open_late_in_the_day(make):
    """On the day of 立春 the month may still be 丑, its general 子."""
    chart = make("乙酉", "戌", "子", month="丑", term="立春")
    assert chart.day_facts["opens"] == "立春" and chart.spirits["四絕"] == "申"
    with pytest.raises(UserError, match="Term 春分 falls in month 卯"):
        make("乙酉", "戌", "亥", month="寅", term="春分")


def test_values_given_by_the_calendar_get_no_input_step(data):
    from liuren.engine.casting import cast
    from liuren.engine.doctrine import load_doctrine
    from liuren.facts.chart import Step
    from liuren.facts.question import Question

    made = (
        Step("input.moment", "input", "x"),
        Step("pillar.day", "step", "甲子", "m", ("input.moment",)),
    )
    chart = cast(Question(day="甲子", hour="巳", month_general="亥"),
                 load_doctrine("common", data), data, made)  # fmt: skip
    assert "input.day" not in chart.steps and "input.hour" in chart.steps
    assert chart.steps["pillar.day"] is made[1]
