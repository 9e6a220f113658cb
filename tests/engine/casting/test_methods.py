"""The nine methods on charts that the texts work out."""

from __future__ import annotations

import pytest
from liuren.facts.ganzhi import BRANCHES, SIXTY


def moves(chart) -> str:
    return "".join(t.branch for t in chart.transmissions)


# xinjing.bazhuan_method lists all charts of 八專 without 克.
BAZHUAN = {
    "甲寅": {4: "申午午", 9: "丑亥亥"},
    "庚申": {1: "亥酉酉", 3: "丑亥亥", 5: "卯丑丑", 11: "酉未未"},
    "丁未": {3: "亥戌戌", 9: "亥辰辰", 10: "丑巳巳", 11: "卯午午"},
    "己未": {1: "未申申", 2: "酉酉酉", 3: "亥戌戌", 9: "亥辰辰", 10: "丑巳巳", 11: "卯午午"},
}


def test_the_sixteen_of_bazhuan(on_plate):
    found = {
        day: {k: moves(c) for k in range(12) if (c := on_plate(day, k)).method.name == "八專"}
        for day in SIXTY
    }
    assert {day: charts for day, charts in found.items() if charts} == BAZHUAN


def test_bazhuan_days_never_take_yaoke(on_plate):
    for day in ("甲寅", "丁未", "己未", "庚申", "癸丑"):
        for offset in range(12):
            chart = on_plate(day, offset)
            fights = any(x.relation in ("上克下", "下賊上") for x in chart.lessons)
            assert chart.method.name != "遙克"
            if not fights and offset not in (0, 6):
                assert chart.method.name == "八專"


def test_seven_of_the_sixteen_would_have_a_yaoke(on_plate):
    """xinjing.bazhuan_method: the rule matters on seven of them."""
    names = [
        on_plate(day, k, bazhuan="yaoke-first").method.name
        for day, charts in BAZHUAN.items()
        for k in charts
    ]
    assert names.count("遙克") == 7


def test_duzu(on_plate, make):
    stay, fly = on_plate("己未", 2), on_plate("己未", 2, "xinjing")
    assert moves(stay) == "酉酉酉" and moves(fly) == "酉亥丑"
    assert "獨足" in stay.method.heads and "獨足" in fly.method.heads
    assert stay.method.name == fly.method.name == "八專"


@pytest.mark.parametrize(("annual", "stated"), [("未", "酉亥丑"), ("丑", "酉酉酉")])
def test_duzu_by_the_annual_branch(make, annual, stated):
    """六壬斷案 lets it fly when 酉 stands on the 行年, that is on 未."""
    from liuren.facts.question import PersonInput

    asker = {"querent": PersonInput(annual=annual)}
    chart = make("己未", "子", "寅", "duanan", persons=asker)
    assert moves(chart) == stated
    assert "querent.annual" in chart.steps["middle"].inputs


# 大全 and 心鏡 print these; the depth counts are those of 大全 under 涉害.
@pytest.mark.parametrize(
    ("day", "offset", "depths"),
    [
        ("丁卯", 10, {"丑": 1, "亥": 5}),
        ("甲午", 2, {"申": 1, "辰": 1}),
        ("甲辰", 8, {"戌": 2, "子": 4}),
        ("庚子", 10, {"午": 2, "戌": 1}),
        ("甲子", 6, {"寅": 2, "午": 1}),
        ("庚午", 2, {"子": 0, "申": 1}),
    ],
)
def test_depths_that_the_books_count(on_plate, day, offset, depths):
    value = on_plate(day, offset).steps["method.depth"].value
    assert {b: value[b]["depth"] for b in depths} == depths


def test_depth_with_the_seat(on_plate):
    """亥 on 丑 meets 丑 besides, 丑 on 卯 meets 卯 (quanheng, the case of 丁卯)."""
    value = on_plate("丁卯", 10, shehai="depth-seat").steps["method.depth"].value
    assert (value["丑"]["depth"], value["亥"]["depth"]) == (2, 6)
    assert value["丑"]["met"] == ["卯", "乙"]
    assert value["亥"]["met"] == ["丑", "辰", "戊", "未", "己", "戌"]


def test_quanheng_takes_the_seat(on_plate):
    chart = on_plate("丁卯", 10, "quanheng")
    assert moves(chart) == "丑亥酉"
    assert chart.method.name == "涉害" and chart.method.head == "察微"
    assert moves(on_plate("丁卯", 10, "xinjing")) == "亥酉未"
    assert on_plate("丁卯", 10, "xinjing").method.head == "見機"


@pytest.mark.parametrize(
    ("school", "day", "offset", "stated"),
    [
        ("zhinan", "辛卯", 0, "卯子卯"),
        ("zhinan", "丁酉", 10, "丑巳巳"),
        ("zhinan", "癸酉", 7, "卯戌巳"),
        ("zhinan", "癸卯", 10, "丑亥酉"),
        ("duanan", "庚辰", 10, "午辰寅"),
        ("duanan", "甲辰", 8, "戌午寅"),
        ("daquan", "甲辰", 8, "子申辰"),
        ("daquan", "乙卯", 10, "亥酉未"),
        ("xinjing", "戊午", 1, "寅午午"),
        ("xinjing", "辛丑", 3, "巳丑丑"),
        ("xinjing", "乙丑", 0, "辰丑戌"),
        ("xinjing", "辛巳", 6, "巳亥巳"),
    ],
)
def test_charts_printed_in_the_books(on_plate, school, day, offset, stated):
    assert moves(on_plate(day, offset, school)) == stated


def test_six_days_of_fanyin_without_ke(on_plate):
    """心鏡 chapter 8 names the six; 丑 days take 亥, 未 days 巳."""
    found = {
        day: c.transmissions[0].branch
        for day in SIXTY
        if (c := on_plate(day, 6)).method.head == "井欄射"
    }
    assert found == {d: "亥" if d[1] == "丑" else "巳" for d in SIXTY if d in (
        "丁丑", "丁未", "己丑", "己未", "辛丑", "辛未")}  # fmt: skip
    assert moves(on_plate("丁丑", 6)) == "亥未丑"
    assert moves(on_plate("丁丑", 6, jinglan="clash")) == "亥巳申"


@pytest.mark.parametrize(
    ("day", "offset", "lesson"), [("甲子", 6, 2), ("庚午", 2, 3), ("丁卯", 10, 4), ("甲子", 4, 3)]
)
def test_the_lesson_of_the_initial(on_plate, day, offset, lesson):
    assert on_plate(day, offset).method.lesson == lesson


def test_every_chart_holds_together(on_plate):
    for day in SIXTY:
        for offset in range(12):
            chart = on_plate(day, offset)
            assert chart.offset == offset
            assert sorted(chart.plate, key=BRANCHES.index) == list(BRANCHES)
            for x in chart.lessons:
                assert chart.over(x.seat) == x.upper and chart.under(x.upper) == x.seat
            first, second, third, fourth = chart.lessons
            assert first.seat == chart.tables.lodging[day[0]] and third.seat == day[1]
            assert second.lower == first.upper and fourth.lower == third.upper
            lesson = chart.method.lesson
            if lesson is not None:
                assert chart.lessons[lesson - 1].upper == chart.transmissions[0].branch
            for t in chart.transmissions:
                assert (t.stem is None) == t.void == (t.branch in chart.void)
                assert t.general == chart.general_of[t.branch]


def test_the_lesson_of_the_initial_is_the_one_that_has_the_control(on_plate):
    # 癸卯, plate two back: 癸 lodges in 丑. Lesson 1 is 亥 over 癸 (water on water, no control),
    # lesson 2 酉 over 亥, lesson 3 丑 over 卯 (wood controls earth from below), lesson 4 亥 over 丑
    # (earth controls water from below). 丑 and 亥 are both yin as 癸 is, so 涉害 chooses; by
    # depth it takes 亥 (lessons720: 亥酉未), which has its control in lesson 4 and none in lesson 1.
    chart = on_plate("癸卯", 10)
    assert chart.transmissions[0].branch == "亥"
    assert chart.method.lesson == 4
