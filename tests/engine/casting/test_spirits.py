"""Spirits against the tables and cases of the texts."""

from __future__ import annotations

import pytest
from liuren.engine.casting.spirits import spirit_entry, spirit_table
from liuren.facts.ganzhi import BRANCHES, SIXTY, STEMS, decade_head, hidden_stem, step

MONTHS = BRANCHES[2:] + BRANCHES[:2]
# A general that fits each month, after its 中氣.
GENERAL = dict(zip(MONTHS, "亥戌酉申未午巳辰卯寅丑子", strict=True))


def by_month(make, name, school="common"):
    return "".join(make("甲子", "子", GENERAL[m], school, month=m).spirits[name] for m in MONTHS)


# Rules as the texts state them: 心鏡 135 147 151 155 and 111, 79 (xinjing).
@pytest.mark.parametrize(
    ("name", "first", "stride", "ring"),
    [
        ("死神", "巳", 1, BRANCHES),
        ("游魂", "亥", 1, BRANCHES),
        ("死氣", "午", 1, BRANCHES),
        ("生氣", "子", 1, BRANCHES),
        ("喪門", "未", -1, ("丑", "辰", "未", "戌")),
        ("天鬼", "酉", -1, ("子", "卯", "午", "酉")),
        ("天馬", "午", 1, ("子", "寅", "辰", "午", "申", "戌")),
        ("月厭", "戌", -1, BRANCHES),
    ],
)
def test_tables_by_month(make, name, first, stride, ring):
    at = ring.index(first)
    assert by_month(make, name) == "".join(ring[(at + stride * i) % len(ring)] for i in range(12))


YANG, YIN = BRANCHES[::2], BRANCHES[1::2]
MENG, ZHONG, JI = tuple("寅巳申亥"), tuple("子卯午酉"), tuple("丑辰未戌")


# The rules of 六壬大全 (chapter 1, formulas by season and month) and of the rhyme 神煞賦: where month 1
# begins, which way, round which branches.
@pytest.mark.parametrize(
    ("name", "first", "stride", "ring"),
    [
        ("天詔", "亥", 1, BRANCHES),
        ("月破", "申", 1, BRANCHES),
        ("月合", "亥", -1, BRANCHES),
        ("信煞", "酉", 1, BRANCHES),
        ("天雞", "酉", -1, BRANCHES),
        ("天書", "戌", 1, BRANCHES),
        ("天巫", "辰", 1, BRANCHES),
        ("風煞", "申", -1, BRANCHES),
        ("遊煞", "卯", 1, BRANCHES),
        ("血支", "丑", 1, BRANCHES),
        ("皇恩", "未", 1, YIN),
        ("天財", "辰", 1, YANG),
        ("天刑", "寅", 1, YANG),
        ("天解", "申", 1, YANG),
        ("成神", "巳", 1, MENG),
        ("雨煞", "子", -1, ZHONG),
        ("大煞", "午", -1, ZHONG),
        ("小煞", "丑", -1, JI),
        ("奸門", "申", 1, MENG),
    ],
)
def test_common_tables_by_month(make, name, first, stride, ring):
    at = ring.index(first)
    assert by_month(make, name) == "".join(ring[(at + stride * i) % len(ring)] for i in range(12))


def test_tables_of_odd_and_even_months(make):
    """聖心 from 亥 in odd and 巳 in even months, both forward; 天賊 from 辰 and 酉, both back;
    受死 from 戌 and 辰; 血忌 from 丑 and 未; 解神 two months to a place (六壬大全)."""
    for name, odd, even, n in (("聖心", "亥", "巳", 1), ("天賊", "辰", "酉", -2), ("受死", "戌", "辰", 1), ("血忌", "丑", "未", 1)):
        found = by_month(make, name)
        for i in range(6):
            assert found[2 * i] == step(odd, n * i) and found[2 * i + 1] == step(even, n * i), name
    assert by_month(make, "解神") == "".join(2 * b for b in "申酉戌亥午未")
    assert by_month(make, "往亡") == "寅巳申亥" + "卯午酉子" + "辰未戌丑"
    assert by_month(make, "歸忌") == "丑寅子" * 4


def test_meeting_and_letters(make):
    """會神: sheep, dog, tiger, boar, cock, rat, ox, horse, snake, hare, monkey, dragon (神煞賦);
    信神 and 進爵 as 六壬大全 prints them."""
    assert by_month(make, "進爵") == "申亥巳" * 4
    assert by_month(make, "會神") == "未戌寅亥酉子丑午巳卯申辰"
    assert by_month(make, "信神") == "申戌寅丑亥辰巳未巳未申戌"


def test_tables_by_season(make, data):
    """皇書 is where the season's element takes office, 天喜 where it is nourished, 天赦 the branch
    of 戊寅 甲午 戊申 甲子, 火鬼 where what rules dies: each three months long."""
    t = data.tables
    elements = [t.season_element[t.season_of[m]] for m in MONTHS]
    assert by_month(make, "皇書") == "".join(t.stage(t.growth, e, "臨官") for e in elements)
    assert by_month(make, "天耳") == "".join(t.stage(t.growth, e, "養") for e in elements)
    assert by_month(make, "火鬼") == "".join(t.stage(t.growth, e, "死") for e in elements)
    assert by_month(make, "五墓") == "".join(t.stage(t.growth, e, "墓") for e in elements)
    assert by_month(make, "三丘") == "".join(t.clash(b) for b in by_month(make, "五墓"))
    assert by_month(make, "天目") == "".join(t.clash(b) for b in by_month(make, "天耳"))
    assert by_month(make, "天赦") == "寅寅寅午午午申申申子子子"
    assert by_month(make, "孤神") == "巳巳巳申申申亥亥亥寅寅寅"


def test_rival_tables_are_chosen_by_option(make):
    """六壬大全 has 皇恩 戌丑辰… and 天醫 子卯午酉; the rest stays as it was."""
    plain = make("甲子", "子", "亥", month="寅")
    other = make("甲子", "子", "亥", month="寅", options={"spirit.huangen": "daquan", "spirit.tianyi": "daquan"})
    assert (plain.spirits["皇恩"], plain.spirits["天醫"]) == ("未", "辰")
    assert (other.spirits["皇恩"], other.spirits["天醫"]) == ("戌", "子")
    parted = {n for n in plain.spirits if plain.spirits[n] != other.spirits[n]}
    assert parted == {"皇恩", "天醫"}


def test_a_rival_may_have_a_basis_of_its_own(make):
    """劫煞 by the day branch 子 is 巳, by month 寅 it is 亥; without a month it waits for one."""
    by_month_ = {"spirit.jiesha": "month"}
    assert make("甲子", "子", "亥", month="寅").spirits["劫煞"] == "巳"
    assert make("甲子", "子", "亥", month="寅", options=by_month_).spirits["劫煞"] == "亥"
    assert make("甲子", "子", "亥", options=by_month_).spirit_needs["劫煞"] == ("month",)


def test_spirits_of_the_year_by_distance(make):
    """六壬大全: 歲破 opposite, 官符 four ahead, 小耗 five ahead, 歲墓 five back, 歲虎 four back,
    病符 one back; 大將軍 酉 for 亥子丑 and the next 仲 for each next quarter."""
    for day in SIXTY[:12]:
        spirits = make(day, "子", "子", year=day).spirits
        for name, n in (("歲破", 6), ("官符", 4), ("小耗", 5), ("歲墓", -5), ("歲虎", -4), ("病符", -1)):
            assert spirits[name] == step(day[1], n), name
        quarter = "亥子丑寅卯辰巳午未申酉戌".index(day[1]) // 3
        assert spirits["大將軍"] == "酉子卯午"[quarter]


def test_court_of_heaven_needs_the_stem_of_the_year(make):
    """天庭 is one behind the salary of the year's stem (六壬指南)."""
    for year in SIXTY[:10]:
        spirits = make(year, "子", "子", year=year).spirits
        assert spirits["天庭"] == step(spirits["日祿"], -1)
    assert make("甲子", "子", "子", year="子").spirit_needs["天庭"] == ("year",)


def test_spirits_of_the_day(make):
    """游都 丑子寅巳申 for the stems by fives with 魯都 opposite; 亡神 where the trine's element takes
    office, 將星 its peak, 六厄 where it dies; 破碎 酉 巳 丑 for 孟 仲 季; 旬奇 丑 丑 子 子 亥 亥."""
    for n, day in enumerate(SIXTY):
        chart = make(day, "子", "子")
        spirits, t = chart.spirits, chart.tables
        assert spirits["游都"] == "丑子寅巳申"[n % 5] and spirits["魯都"] == step(spirits["游都"], 6)
        element = t.trine_of[day[1]]
        for name, stage in (("亡神", "臨官"), ("將星", "帝旺"), ("六厄", "死")):
            assert spirits[name] == t.stage(t.growth, element, stage), name
        assert spirits["破碎"] == "巳丑酉"[n % 12 % 3]
        assert spirits["旬奇"] == "丑丑子子亥亥"[n // 10]


def test_tables_of_the_primer(make):
    """The tables that the primer takes for granted, as it names them."""
    assert by_month(make, "血忌") == "丑未寅申卯酉辰戌巳亥午子"
    assert by_month(make, "天喜") == "戌戌戌丑丑丑辰辰辰未未未"
    assert by_month(make, "喜神") == by_month(make, "天喜")
    assert by_month(make, "天車") == "丑丑丑辰辰辰未未未戌戌戌"
    # 寅午戌 months 丙, 亥卯未 甲, 申子辰 壬, 巳酉丑 庚, each where it lodges.
    assert by_month(make, "月德") == "巳寅亥申" * 3


def test_other_tables_by_month(make):
    """金神三殺 酉 巳 丑 for 孟 仲 季; 災殺 clashes with the peak of the month's trine;
    四煞 is the tomb of the trine before; 天德 is 丁申壬辛亥甲癸寅丙乙巳庚 where they lodge."""
    assert by_month(make, "金神") == "酉巳丑" * 4
    assert by_month(make, "災殺") == "子酉午卯" * 3
    assert by_month(make, "四煞") == "丑戌未辰" * 3
    assert by_month(make, "天德") == "未申亥戌亥寅丑寅巳辰巳申"
    assert by_month(make, "咸池") == "卯子酉午" * 3
    heaven, earth = by_month(make, "天醫"), by_month(make, "地醫")
    assert heaven == "辰巳午未申酉戌亥子丑寅卯"
    assert earth == "".join(step(b, 6) for b in heaven)


def test_spirits_of_the_year_and_the_branch(make, data):
    """喪門 two ahead of 太歲, 弔客 two behind; 支德 five ahead of the day branch; 華蓋 the tomb."""
    for day in SIXTY[:12]:
        spirits = make(day, "子", "子", year=day).spirits
        assert spirits["歲喪門"] == step(day[1], 2) and spirits["弔客"] == step(day[1], -2)
        assert spirits["支德"] == step(day[1], 5)
        t = data.tables
        assert spirits["華蓋"] == t.stage({**t.growth, "土": "申"}, t.trine_of[day[1]], "墓")
        # 孤辰 opens the next quarter of the ring, 寡宿 closes the one before.
        quarter = t.season_of[day[1]]
        opens = next(b for b in (step(day[1], n) for n in range(1, 4)) if t.season_of[b] != quarter)
        assert spirits["歲孤辰"] == opens and spirits["歲寡宿"] == step(opens, -4)


def test_sun_and_moon(make):
    chart = make("甲子", "子", "亥", month="寅", lunar=(1, 15, False))
    assert (chart.spirits["日宿"], chart.spirits["月宿"]) == ("亥", "午")
    assert chart.spirits["學堂"] == chart.spirits["日本"] == "亥"


def test_great_and_little_hour(make):
    """Usually 咸池 and 月建; 心鏡 has the two rules the other way (xinjing.jiuchou.verdict)."""
    assert by_month(make, "大時") == "卯子酉午" * 3
    assert by_month(make, "小時") == "".join(MONTHS)
    assert by_month(make, "大時", "xinjing") == "卯辰巳午未申酉戌亥子丑寅"
    assert by_month(make, "小時", "xinjing") == "卯子酉午" * 3
    # There the two meet in months 1 4 7 10, on 卯 午 酉 子.
    meet = [
        m for m in MONTHS
        if (s := make("甲子", "子", GENERAL[m], "xinjing", month=m).spirits)["大時"] == s["小時"]
    ]  # fmt: skip
    assert meet == ["寅", "巳", "申", "亥"]
    chosen = make("甲子", "子", "亥", month="寅", options={"spirit.dashi": "xinjing"})
    assert chosen.id == "common+spirit.dashi=xinjing"


# The charts of 心鏡: 死神 午 in month 2, 戌 in month 6; 天馬 戌 in month 3; 災殺 子 in month 1.
@pytest.mark.parametrize(
    ("month", "name", "branch"),
    [
        ("卯", "死神", "午"),
        ("未", "死神", "戌"),
        ("辰", "天馬", "戌"),
        ("寅", "災殺", "子"),
        ("辰", "四煞", "未"),
    ],
)
def test_spirits_in_worked_charts(make, month, name, branch):
    assert make("乙巳", "午", GENERAL[month], month=month).spirits[name] == branch


def test_heads_tails_and_ding_of_decades(make):
    for day in SIXTY:
        spirits = make(day, "子", "子").spirits
        head = decade_head(day)
        assert spirits["旬首"] == head[1]
        # 度四: the tail is four back from the head, itself counted (xinjing.bikou).
        assert spirits["旬尾"] == step(head[1], -3)
        assert hidden_stem(day, spirits["旬尾"]) == "癸"
        assert hidden_stem(day, spirits["旬丁"]) == "丁"


def test_spirits_by_stem(make, data):
    for day in SIXTY[:10]:
        spirits = make(day, "子", "子").spirits
        lodge = data.tables.lodging[day[0]]
        assert spirits["天羅"] == step(lodge, 1) and spirits["地網"] == step(spirits["天羅"], 6)
        assert spirits["日德"] == data.tables.virtue[day[0]]
    # 庚: 酉 and 卯, as 心鏡 says outright.
    geng = make("庚午", "子", "子").spirits
    assert (geng["天羅"], geng["地網"]) == ("酉", "卯")
    salary = {d[0]: make(d, "子", "子").spirits["日祿"] for d in SIXTY[:10]}
    stage = data.tables.stage
    growth = make("甲子", "子", "子").growth
    for stem in "甲丙庚壬":
        assert salary[stem] == stage(growth, stem, "臨官")
    for stem in "乙丁辛癸":
        assert salary[stem] == stage(growth, stem, "帝旺")
    assert (salary["戊"], salary["己"]) == (salary["丙"], salary["丁"])


def test_root_and_tomb_follow_the_school_of_earth(make):
    water = make("戊子", "子", "子").spirits
    assert (water["日本"], water["日墓"]) == ("申", "辰")
    fire = make("戊子", "子", "子", options={"earth": "fire"}).spirits
    assert (fire["日本"], fire["日墓"]) == ("寅", "戌")
    # 乙木生於亥 (xinjing.tianyu.kin)
    assert make("乙酉", "子", "子").spirits["日本"] == "亥"


def test_horse_clashes_with_the_birth_of_the_trine(make, data):
    t = data.tables
    for day in SIXTY[:12]:
        spirits = make(day, "子", "子").spirits
        assert spirits["驛馬"] == t.clash(t.growth[t.trine_of[day[1]]])
        assert spirits["劫煞"] == t.stage({**t.growth, "土": "申"}, t.trine_of[day[1]], "絕")


def test_eves(make):
    """四絕 and 離神 are the branch of yesterday; 春分 on 卯 has 寅 (xinjing.tiankou.def)."""
    equinox = make("丁卯", "子", "戌", term="春分")
    assert equinox.spirits["離神"] == "寅" and "四絕" not in equinox.spirits
    plain = make("丁卯", "子", "戌", term="")
    assert "離神" not in plain.spirits and "離神" not in plain.spirit_needs
    unknown = make("丁卯", "子", "戌")
    assert unknown.spirit_needs["離神"] == unknown.spirit_needs["四絕"] == ("term",)


def test_missing_inputs_are_named(make):
    bare = make("甲子", "子", "子")
    assert bare.spirit_needs["天馬"] == ("month",) and bare.spirit_needs["天喜"] == ("month",)
    assert bare.spirit_needs["弔客"] == ("year",) and bare.spirit_needs["月宿"] == ("lunar",)
    assert not set(bare.spirits) & set(bare.spirit_needs)
    full = make("甲子", "子", "亥", month="寅", year="甲子", lunar=(1, 15, False), term="")
    assert not full.spirit_needs


def test_the_file_is_sound(data):
    names = [s["zh"] for s in data.spirits.values()]
    assert len(names) == len(set(names))
    signs = {
        "month": BRANCHES, "season": "春夏秋冬", "year": BRANCHES, "year_stem": STEMS,
        "day_branch": BRANCHES, "day_stem": STEMS, "decade": SIXTY[::10],
    }  # fmt: skip
    for key, spirit in data.spirits.items():
        assert {"zh", "ko", "en", "basis", "source"} <= set(spirit), key
        for rival in ("common", *spirit.get("rivals", {})):
            entry = spirit_entry(data, key, rival)
            if "table" in entry:
                table = spirit_table(entry["table"])
                assert set(table) == set(signs[entry["basis"]]), (key, rival)
                assert set(table.values()) <= set(BRANCHES), (key, rival)


def test_there_are_sixty_at_least_and_no_two_rivals_are_one(data):
    assert len(data.spirits) >= 60
    for key, spirit in data.spirits.items():
        tables = [
            (e["basis"], tuple(sorted(spirit_table(e["table"]).items())))
            for rival in ("common", *spirit.get("rivals", {}))
            if "table" in (e := spirit_entry(data, key, rival))
        ]
        assert len(tables) == len(set(tables)), key
