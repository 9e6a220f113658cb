"""Season, strengths, hidden and built stems, yesterday, the moon."""

from __future__ import annotations

import pytest
from liuren.facts.chart import Step
from liuren.facts.ganzhi import BRANCHES


def strengths(chart):
    return {v: e for e, v in chart.strengths.items()}


# quanheng.tianshi: 得氣者旺 將來者相 過去者休 氣克者死 克氣者囚; the same of the days (jusan.bian2).
TABLE = {
    "木": {"旺": "木", "相": "火", "休": "水", "死": "土", "囚": "金"},
    "火": {"旺": "火", "相": "土", "休": "木", "死": "金", "囚": "水"},
    "金": {"旺": "金", "相": "水", "休": "土", "死": "木", "囚": "火"},
    "水": {"旺": "水", "相": "木", "休": "金", "死": "火", "囚": "土"},
    "土": {"旺": "土", "相": "金", "休": "火", "死": "水", "囚": "木"},
}
SEASONS = {
    "寅卯辰": ("春", "木"),
    "巳午未": ("夏", "火"),
    "申酉戌": ("秋", "金"),
    "亥子丑": ("冬", "水"),
}
GENERAL = dict(zip("寅卯辰巳午未申酉戌亥子丑", "亥戌酉申未午巳辰卯寅丑子", strict=True))


@pytest.mark.parametrize("months", SEASONS)
def test_strengths_by_season(make, months):
    season, element = SEASONS[months]
    for month in months:
        chart = make("甲子", "子", GENERAL[month], month=month)
        assert chart.day_facts["season"] == season
        assert strengths(chart) == TABLE[element]
        own = make("甲子", "子", GENERAL[month], month=month, options={"earth_months": "own"})
        assert strengths(own) == TABLE["土" if month == months[2] else element]


def test_eighteen_days_of_earth(make, data):
    """Earth takes the last eighteen days of 辰: longitude 15 to 45, so from 27 on."""
    from liuren.engine.casting import cast
    from liuren.engine.doctrine import load_doctrine
    from liuren.facts.question import Question

    school = load_doctrine("quanheng", data)
    question = Question(day="甲子", hour="子", month_general="酉", month="辰")
    for longitude, element in ((16.0, "木"), (26.9, "木"), (27.1, "土"), (44.9, "土")):
        sun = Step("solar_longitude", "step", longitude)
        chart = cast(question, school, data, (sun,))
        assert strengths(chart) == TABLE[element]
        assert "solar_longitude" in chart.steps["strengths"].inputs
    assert strengths(cast(question, school, data)) == TABLE["木"]


def test_unknown_month(make):
    chart = make("甲子", "子", "子")
    assert chart.strengths is None and "season" not in chart.day_facts
    assert chart.steps["strengths"].needs == ("month",)
    assert all(t.strength is None for t in chart.transmissions)


def test_day_strengths_and_relatives(make):
    chart = make("甲子", "子", "子")
    assert {v: e for e, v in chart.steps["day_strengths"].value.items()} == TABLE["木"]
    # 甲 wood: water feeds it, fire is its child, it controls earth, metal controls it.
    assert dict(chart.relatives) == {
        "木": "兄弟",
        "火": "子孫",
        "土": "妻財",
        "金": "官鬼",
        "水": "父母",
    }


def test_hidden_and_built_stems(make):
    """quanheng.jusan.case_dinghai: 丁 day, 卯 carries 癸; at 己酉, 酉 carries 癸."""
    chart = make("丁亥", "己酉", "亥")
    build1, build2 = chart.steps["build1"].value, chart.steps["build2"].value
    assert build1["卯"] == "癸" and build1["亥"] == "辛"
    assert build2["子"] == "甲" and build2["酉"] == "癸"
    hidden = make("己巳", "卯", "丑").steps["hidden"].value
    assert hidden["丑"] == "乙" and hidden["戌"] is hidden["亥"] is None
    assert make("己巳", "卯", "丑").steps["build1"].value["丑"] == "乙"
    assert make("己巳", "卯", "丑").steps["build2"].value["丑"] == "辛"


def test_yesterday(make):
    assert str(make("乙酉", "戌", "子").yesterday) == "甲申"
    assert str(make("甲子", "戌", "子").yesterday) == "癸亥"


# xinjing.erfan.def: month 1 day 15 is 星, palace 午; 大全's reckonings of months 2, 8 and 9.
@pytest.mark.parametrize(
    ("month", "day", "mansion", "branch"),
    [
        (1, 15, "星", "午"), (1, 1, "室", "亥"), (2, 5, "昴", "酉"), (8, 5, "房", "卯"),
        (9, 14, "奎", "戌"), (11, 1, "斗", "丑"), (12, 30, "箕", "寅"), (6, 30, "觜", "申"),
    ],
)  # fmt: skip
def test_mansions_of_the_moon(make, month, day, mansion, branch):
    facts = make("甲子", "子", "子", lunar=(month, day, False)).day_facts
    assert (facts["mansion"], facts["moon"]) == (mansion, branch)


def test_first_days_of_the_months(make):
    """室 奎 胃 畢 參 鬼 張 角 氐 心 斗 虛 (xinjing.erfan.def), with their palaces."""
    first = [make("甲子", "子", "子", lunar=(m, 1, False)).day_facts for m in range(1, 13)]
    assert "".join(f["mansion"] for f in first) == "室奎胃畢參鬼張角氐心斗虛"
    assert "".join(f["moon"] for f in first) == "亥戌酉酉申未午辰卯卯丑子"


def test_the_moon_through_the_first_month(make):
    """The thirty days of month 1, as the song counts them (xinjing.erfan.song)."""
    ring = "室壁奎奎婁胃昴畢觜參井井鬼柳星張張翼翼軫角亢氐氐房心尾箕斗牛"
    seen = [
        make("甲子", "子", "子", lunar=(1, d, False)).day_facts["mansion"] for d in range(1, 31)
    ]
    assert "".join(seen) == ring


def test_month_eleven_may_begin_at_niu(make):
    song = make("甲子", "子", "子", options={"moon_eleventh": "niu"}, lunar=(11, 1, False))
    assert song.day_facts["mansion"] == "牛" and song.spirits["月宿"] == "丑"


def test_mansions_fill_the_palaces(data):
    m = data.mansions
    assert sorted("".join(m["palaces"].values())) == sorted(m["order"]) and len(m["order"]) == 28
    assert tuple(m["palaces"]) == BRANCHES


@pytest.mark.parametrize(
    ("day", "phase"), [(1, "朔"), (8, "上弦"), (15, "望"), (23, "下弦"), (30, "晦"), (2, "")]
)
def test_phases(make, day, phase):
    assert make("甲子", "子", "子", lunar=(1, day, False)).day_facts["phase"] == phase


def test_the_last_day_of_a_short_month_is_not_known(make):
    chart = make("甲子", "子", "子", lunar=(1, 29, False))
    assert "phase" not in chart.day_facts and chart.steps["phase"].value is None


def test_days_that_only_the_calendar_tells(make, data):
    from liuren.engine.casting import cast
    from liuren.engine.doctrine import load_doctrine
    from liuren.facts.question import Question

    question = Question(day="甲子", hour="子", month_general="酉", month="辰")
    days = (Step("term_day", "step", "卯"), Step("pentad_day", "step", "未"))
    facts = cast(question, load_doctrine("common", data), data, days).day_facts
    assert (facts["term_day"], facts["pentad_day"]) == ("卯", "未") and "season_day" not in facts
