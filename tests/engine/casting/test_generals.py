"""Noblemen and generals on charts that the texts work out."""

from __future__ import annotations

import pytest
from liuren.facts.errors import UserError
from liuren.facts.ganzhi import BRANCHES, SIXTY, STEMS

SHORT = {
    "貴": "貴人", "蛇": "螣蛇", "雀": "朱雀", "合": "六合", "勾": "勾陳", "龍": "青龍",
    "空": "天空", "虎": "白虎", "常": "太常", "玄": "玄武", "陰": "太陰", "后": "天后",
}  # fmt: skip

# The worked charts of 五要權衡 (論 9, 13, 16): day, hour, month general, half of the day, method,
# transmissions, direction, seat of the noble and the whole ring of generals from the noble on.
QUANHENG = [
    ("甲子", "戌", "卯", "夜", "比用", "子巳戌", "順", "寅", "未貴申蛇酉雀戌合亥勾子龍丑空寅虎卯常辰玄巳陰午后"),
    ("甲子", "巳", "酉", "晝", "賊克", "辰申子", "逆", "酉", "丑貴子蛇亥雀戌合酉勾申龍未空午虎巳常辰玄卯陰寅后"),
    ("丙寅", "未", "酉", "晝", "賊克", "辰午申", "逆", "酉", "亥貴戌蛇酉雀申合未勾午龍巳空辰虎卯常寅玄丑陰子后"),
    ("己丑", "午", "亥", "晝", "比用", "巳戌卯", "逆", "未", "子貴亥蛇戌雀酉合申勾未龍午空巳虎辰常卯玄寅陰丑后"),
    ("己巳", "卯", "丑", "晝", "賊克", "丑亥酉", "順", "寅", "子貴丑蛇寅雀"),
    ("丁亥", "己酉", "亥", "夜", "賊克", "酉亥丑", "逆", "未", "酉貴申蛇未雀午合巳勾辰龍亥陰丑常"),
]  # fmt: skip


@pytest.mark.parametrize("case", QUANHENG, ids=lambda c: c[0] + c[1])
def test_worked_charts_of_quanheng(make, case):
    day, hour, general, period, method, moves, direction, seat, ring = case
    chart = make(day, hour, general, "quanheng")
    assert (chart.noble.period, chart.noble.direction, chart.noble.earth) == (
        period, direction, seat)  # fmt: skip
    assert chart.method.name == method
    assert "".join(t.branch for t in chart.transmissions) == moves
    for branch, name in zip(ring[::2], ring[1::2], strict=True):
        assert chart.general_of[branch] == SHORT[name]


def test_fuyin_of_wuzi_by_night(make):
    """quanheng: 戊子, 伏吟, night noble 未 on 未, backward; 雀 后 龍."""
    chart = make("戊子", "子", "子", "quanheng", noble="夜")
    assert [t.branch for t in chart.transmissions] == ["巳", "申", "寅"]
    assert [t.general for t in chart.transmissions] == ["朱雀", "天后", "青龍"]


# 心鏡: day, hour, month general, noble told, transmissions, their generals.
XINJING = [
    ("甲子", "巳", "亥", None, "寅申寅", ("天后", "青龍", "天后")),
    ("乙巳", "午", "酉", None, "未戌丑", ("青龍", "朱雀", "天后")),
    ("乙酉", "戌", "子", None, "申戌子", ("貴人", "太陰", "太常")),
    ("乙酉", "午", "亥", None, "未子巳", ("青龍", "貴人", "白虎")),
    ("癸酉", "午", "亥", None, "未子巳", ("朱雀", "白虎", "貴人")),
    ("甲戌", "寅", "戌", "晝", "戌午寅", ("六合", "白虎", "天后")),
    ("壬戌", "未", "午", None, "戌酉申", ("白虎", "太常", "玄武")),
]


@pytest.mark.parametrize("case", XINJING, ids=lambda c: c[0] + c[1])
def test_worked_charts_of_xinjing(make, case):
    day, hour, general, noble, moves, generals = case
    chart = make(day, hour, general, "xinjing", noble=noble)
    assert "".join(t.branch for t in chart.transmissions) == moves
    assert tuple(t.general for t in chart.transmissions) == generals


def test_table_of_nobles(make):
    """心鏡: 甲戊庚 大吉 小吉, 乙己 神后 傳送, 丙丁 登明 從魁, 六辛 勝光 功曹, 壬癸 太乙 太沖."""
    stated = {
        "甲": "丑未", "戊": "丑未", "庚": "丑未", "乙": "子申", "己": "子申", "丙": "亥酉",
        "丁": "亥酉", "辛": "午寅", "壬": "巳卯", "癸": "巳卯",
    }  # fmt: skip
    for day in SIXTY[:10]:
        chart = make(day, "午", "子")
        assert chart.noble.branch + chart.noble.other == stated[day[0]]
        night = make(day, "子", "子")
        assert night.noble.other + night.noble.branch == stated[day[0]]
        assert chart.spirits["簾幕貴人"] == chart.noble.other


def test_nobles_never_stand_in_the_nets(make):
    """No school lets the noble ride 辰 or 戌 (不降天罡)."""
    for school in ("ox-sheep", "sheep-ox", "stems"):
        for day in SIXTY[:10]:
            chart = make(day, "午", "午", options={"noble": school})
            assert not {chart.noble.branch, chart.noble.other} & {"辰", "戌"}


def test_sheep_ox_turns_three_stems(make):
    for day in SIXTY[:10]:
        ox = make(day, "午", "子").noble
        sheep = make(day, "午", "子", options={"noble": "sheep-ox"}).noble
        assert (ox.branch != sheep.branch) == (day[0] in "甲戊庚")


def test_generals_are_whole_and_lead_from_the_noble(make):
    for stem in range(10):
        for offset in range(12):
            for hour in ("子", "午"):
                general = BRANCHES[(BRANCHES.index(hour) + offset) % 12]
                chart = make(SIXTY[stem], hour, general)
                assert sorted(chart.general_of.values()) == sorted(SHORT.values())
                noble = chart.noble
                assert (
                    chart.general_of[noble.branch]
                    == "貴人"
                    == chart.general_of[chart.over(noble.earth)]
                )
                assert (noble.direction == "順") == (noble.earth in "亥子丑寅卯辰")
                step = 1 if noble.direction == "順" else -1
                snake = BRANCHES[(BRANCHES.index(noble.branch) + step) % 12]
                assert chart.riding("螣蛇") == snake


@pytest.mark.parametrize(
    ("school", "day_hours"), [("mao-you", "卯辰巳午未申"), ("yin-shen", "寅卯辰巳午未")]
)
def test_hours_of_day_and_night(make, school, day_hours):
    for hour in BRANCHES:
        chart = make("甲子", hour, "子", options={"day_night": school})
        assert chart.noble.period == ("晝" if hour in day_hours else "夜")
    assert make("甲子", "午", "子", noble="夜").noble.branch == "未"
    assert make("甲子", "子", "子", noble="昼").noble.branch == "丑"


def test_sunrise_needs_the_sun(make):
    with pytest.raises(UserError, match="day_night=sunrise needs a moment and a place"):
        make("甲子", "午", "子", options={"day_night": "sunrise"})
    assert (
        make("甲子", "午", "子", options={"day_night": "sunrise"}, noble="夜").noble.period == "夜"
    )
    with pytest.raises(UserError, match="neither 晝"):
        make("甲子", "午", "子", noble="day")


def test_stems_are_all_in_the_tables(data):
    for school in data.doctrines["options"]["noble"]["values"].values():
        assert sorted("".join(school["table"])) == sorted(STEMS)
