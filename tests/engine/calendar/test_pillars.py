"""The pillars: anchors, boundaries to the second, and inputs known to break other programs."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from liuren.engine.calendar import parse_moment, resolve_moment
from liuren.facts.ganzhi import SIXTY, SIXTY_INDEX
from liuren.facts.question import Question

CHINA = "+08:00"


def pillars(text: str, **options: str) -> tuple[str | None, ...]:
    question, _ = resolve_moment(Question(moment=parse_moment(text, CHINA)), options)
    return question.year, question.month, question.day, question.hour


def general(text: str, **options: str) -> str | None:
    return resolve_moment(Question(moment=parse_moment(text, CHINA)), options)[0].month_general


@pytest.mark.parametrize(
    ("day", "pillar"),
    [
        ("2000-01-01", "戊午"),
        ("1949-10-01", "甲子"),
        # days named in the histories; the Julian dates before 1582 are turned into Gregorian
        ("1644-04-25", "丁未"),  # 明史: 崇禎十七年三月丁未, the fall of Beijing
        ("1279-03-26", "癸未"),  # 宋史: 祥興二年二月癸未, 崖山 (19 March, Julian)
        ("0756-07-19", "丙申"),  # 舊唐書: 天寶十五載六月丙申, 馬嵬 (15 July, Julian)
    ],
)
def test_day_anchors(day, pillar):
    assert pillars(f"{day} 12:00")[2] == pillar


@pytest.mark.parametrize(
    ("text", "year"),
    [
        ("1984-06-01 12:00", "甲子"),
        ("2023-06-01 12:00", "癸卯"),
        ("2026-06-01 12:00", "丙午"),
        ("1900-06-01 12:00", "庚子"),  # the Boxer year
        ("1911-10-10 12:00", "辛亥"),  # the 辛亥 revolution
        ("1644-06-01 12:00", "甲申"),  # the fall of the Ming
        ("1127-06-01 12:00", "丁未"),  # 靖康二年 was 丁未
    ],
)
def test_year_anchors(text, year):
    assert pillars(text)[0] == year


def test_year_and_month_change_at_lichun_to_the_second():
    """立春 of 2022 was at 04:50:47.6 +08:00 (DE421), so the second of 04:50:48 is the first."""
    assert pillars("2022-02-04 04:00") == ("辛丑", "辛丑", "戊子", "甲寅")
    assert pillars("2022-02-04 04:50:47")[:2] == ("辛丑", "辛丑")
    assert pillars("2022-02-04 04:50:48")[:2] == ("壬寅", "壬寅")


def test_xiaoxue_of_1912():
    """小雪 was at 23:48:07.4 by UT1 (DE421, Delta T 14.3 s); a 中氣 moves the general alone."""
    assert general("1912-11-22 23:48:06") == "卯"
    assert general("1912-11-22 23:48:08") == "寅"
    assert pillars("1912-11-22 23:48:08")[1] == pillars("1912-11-22 23:48:06")[1] == "辛亥"


def test_daxue_of_1917():
    """大雪 was at 00:00:59.5 by UT1 (DE421), half a second that Delta T itself does not settle:

    the almanac's second is 00:00:59, and from it on the month is 子."""
    assert pillars("1917-12-08 00:00:59") == ("丁巳", "壬子", "甲申", "甲子")
    assert pillars("1917-12-08 00:00:58") == ("丁巳", "辛亥", "甲申", "甲子")


def test_xiaohan_of_2026_inside_the_minute():
    """小寒 was at 16:23:08.6; a moment told to the minute is its first second, before the 節."""
    assert pillars("2026-01-05 16:23")[1] == "戊子"
    assert pillars("2026-01-05 16:23:08")[1] == "戊子"
    assert pillars("2026-01-05 16:23:09")[1] == "己丑"
    assert pillars("2026-01-05 16:24")[1] == "己丑"


@pytest.mark.parametrize(
    ("text", "own_day", "next_day", "hour"),
    [
        # 1988-02-15 is 庚子 (JDN 2447207); the hour's stem runs from 辛: 戊子
        ("1988-02-15 23:30", "庚子", "辛丑", "戊子"),
        # 1999-06-11 is 甲午 (JDN 2451341); from 乙: 丙子
        ("1999-06-11 23:31", "甲午", "乙未", "丙子"),
        # 1991-09-19 is 壬辰 (JDN 2448519), summer time had ended on the 15th; from 癸: 壬子
        ("1991-09-19 23:00", "壬辰", "癸巳", "壬子"),
    ],
)
def test_late_zi_hour_in_both_schools(text, own_day, next_day, hour):
    assert pillars(text, day_starts="23")[2:] == (next_day, hour)
    assert pillars(text, day_starts="0")[2:] == (own_day, hour)


@pytest.mark.parametrize("starts", ["23", "0"])
def test_the_schools_agree_outside_the_late_zi_hour(starts):
    assert pillars("1988-02-15 22:59", day_starts=starts)[2:] == ("庚子", "丁亥")
    assert pillars("1988-02-16 00:00", day_starts=starts)[2:] == ("辛丑", "戊子")


@pytest.mark.parametrize(
    ("clock", "branch"),
    [("00:59", "子"), ("01:00", "丑"), ("02:59", "丑"), ("11:00", "午"), ("12:59", "午"),
     ("13:00", "未"), ("22:59", "亥"), ("23:00", "子")],
)  # fmt: skip
def test_two_hour_hours(clock, branch):
    hour = pillars(f"2026-11-30 {clock}")[3]
    assert hour is not None and hour[1] == branch


def test_month_general_by_zhongqi_and_by_jie():
    """雨水 of 2026 is on 18 February: 亥 from there; the 節 school has 亥 from 立春 (4 February)."""
    assert [general(f"2026-02-{day} 12:00") for day in ("03", "05", "20")] == ["子", "子", "亥"]
    by_jie = [general(f"2026-02-{day} 12:00", month_general="jie") for day in ("03", "05", "20")]
    assert by_jie == ["子", "亥", "亥"]


def test_generals_go_backward_round_the_year():
    """春分 戌, 夏至 未, 秋分 辰, 冬至 丑, each a day or more after its 中氣."""
    found = [general(f"2026-{day} 12:00") for day in ("03-22", "06-23", "09-25", "12-23")]
    assert found == ["戌", "未", "辰", "丑"]


def test_the_instant_does_not_depend_on_the_zone():
    """The same moment told in Seoul, China and at Greenwich: the year and the month are the same."""
    for text in ("2022-02-04 04:50:47", "2022-02-04 04:50:48"):
        moment = parse_moment(text, CHINA)
        found = {
            resolve_moment(Question(moment=moment.astimezone(zone)), {})[0].month
            for zone in (UTC, timezone(timedelta(hours=9)), timezone(timedelta(hours=8)))
        }
        assert len(found) == 1


moments = st.datetimes(datetime(600, 1, 2), datetime(2200, 12, 30), timezones=st.just(UTC))


@settings(max_examples=150, deadline=None)
@given(moments)
def test_cycles_are_unbroken(moment):
    one, _ = resolve_moment(Question(moment=moment), {})
    two, _ = resolve_moment(Question(moment=moment + timedelta(days=1)), {})
    assert one.day and two.day and one.hour and two.hour
    assert SIXTY_INDEX[two.day] == (SIXTY_INDEX[one.day] + 1) % 60
    # twelve hours a day
    assert SIXTY_INDEX[two.hour] == (SIXTY_INDEX[one.hour] + 12) % 60
    assert one.year in SIXTY and one.month in SIXTY
    # 五虎遁: the 寅 month of a 甲 year is 丙寅, of a 乙 year 戊寅 …
    tiger = (SIXTY_INDEX[one.year] % 5) * 2 + 2
    stem = "甲乙丙丁戊己庚辛壬癸"[(tiger + (SIXTY_INDEX[one.month] - 2) % 12) % 10]
    assert one.month[0] == stem
