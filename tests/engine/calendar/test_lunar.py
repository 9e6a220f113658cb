"""The lunar calendar, against the almanacs."""

from __future__ import annotations

from datetime import date, timedelta

import pytest
from liuren.engine.calendar.lunar import lunar_day, new_year

# 春節, as the Hong Kong Observatory's conversion tables have it
NEW_YEARS = [
    "1901-02-19",
    "1912-02-18",
    "1928-01-23",
    "1929-02-10",
    "1949-01-29",
    "1966-01-21",
    "1968-01-30",
    "1984-02-02",
    "1985-02-20",
    "2000-02-05",
    "2007-02-18",
    "2015-02-19",
    "2020-01-25",
    "2023-01-22",
    "2024-02-10",
    "2026-02-17",
    "2030-02-03",
    "2033-01-31",
    "2034-02-19",
    "2050-01-23",
]

# Every leap month of 1901-2040, by the same tables
LEAPS = {
    1903: 5, 1906: 4, 1909: 2, 1911: 6, 1914: 5, 1917: 2, 1919: 7, 1922: 5, 1925: 4, 1928: 2,
    1930: 6, 1933: 5, 1936: 3, 1938: 7, 1941: 6, 1944: 4, 1947: 2, 1949: 7, 1952: 5, 1955: 3,
    1957: 8, 1960: 6, 1963: 4, 1966: 3, 1968: 7, 1971: 5, 1974: 4, 1976: 8, 1979: 6, 1982: 4,
    1984: 10, 1987: 6, 1990: 5, 1993: 3, 1995: 8, 1998: 5, 2001: 4, 2004: 2, 2006: 7, 2009: 5,
    2012: 4, 2014: 9, 2017: 6, 2020: 4, 2023: 2, 2025: 6, 2028: 5, 2031: 3, 2033: 11, 2036: 6,
    2039: 5,
}  # fmt: skip


@pytest.mark.parametrize("text", NEW_YEARS)
def test_new_year(text):
    day = date.fromisoformat(text)
    assert new_year(day.year, "china") == day
    found = lunar_day(day, "china")
    assert (found.month, found.day, found.leap, found.phase) == (1, 1, False, "朔")


def leap_of(year: int) -> int | None:
    day, end = new_year(year, "china"), new_year(year + 1, "china")
    leaps = set()
    while day < end:
        found = lunar_day(day, "china")
        if found.leap:
            leaps.add(found.month)
        day += timedelta(days=10)
    assert len(leaps) <= 1
    return leaps.pop() if leaps else None


@pytest.mark.parametrize("year", range(1901, 2041))
def test_leap_months(year):
    assert leap_of(year) == LEAPS.get(year)


def test_months_without_zhongqi_in_2033_and_2034():
    """Three months lack a 中氣; only the one between two 冬至 with 13 months is leap."""
    assert lunar_day(date(2033, 12, 22), "china").leap
    assert lunar_day(date(2033, 12, 21), "china").month == 11  # 冬至
    assert not lunar_day(date(2034, 2, 20), "china").leap
    assert not lunar_day(date(2033, 8, 26), "china").leap


def test_beijing_time_to_1928():
    """New moon at 16:01:41 UT on 1914-11-17: 23:47 in Beijing, but already the 18th at 120 E."""
    assert lunar_day(date(1914, 11, 17), "china").day == 1
    assert lunar_day(date(1914, 11, 17), "china").month == 10


@pytest.mark.parametrize(
    ("text", "month", "day", "leap"),
    [
        # 順治二年閏六月, 十八年閏七月, 雍正五年閏三月, 嘉慶十年閏六月: printed, though true motion differs
        ("1645-07-23", 6, 1, True),
        ("1661-08-25", 7, 1, True),
        ("1727-04-21", 3, 1, True),
        ("1805-07-26", 6, 1, True),
        # 光緒三十二年四月 began on 24 April; at Beijing the new moon was at 23:52 on the 23rd
        ("1906-04-23", 3, 30, False),
        ("1906-04-24", 4, 1, False),
    ],
)
def test_printed_almanacs(text, month, day, leap):
    found = lunar_day(date.fromisoformat(text), "china")
    assert (found.month, found.day, found.leap) == (month, day, leap)


@pytest.mark.parametrize(
    ("china", "korea"),
    [
        # 설날 that part: the new moon falls between 23:00 and 24:00 in China
        ("1997-02-07", "1997-02-08"),
        ("2027-02-06", "2027-02-07"),
        ("2028-01-26", "2028-01-27"),
    ],
)
def test_korean_meridian(china, korea):
    assert new_year(int(china[:4]), "china") == date.fromisoformat(china)
    assert new_year(int(korea[:4]), "korea") == date.fromisoformat(korea)


def test_korean_leap_month_of_2012():
    """China had leap 4 in 2012, Korea leap 3 (윤3월)."""
    assert lunar_day(date(2012, 5, 1), "korea").leap
    assert lunar_day(date(2012, 5, 1), "korea").month == 3
    assert not lunar_day(date(2012, 5, 1), "china").leap


@pytest.mark.parametrize(
    "start", [date(600, 1, 1), date(1582, 9, 1), date(1644, 12, 1), date(2198, 1, 1)]
)
def test_days_follow_one_another(start):
    before = lunar_day(start, "china")
    for n in range(1, 1000):
        after = lunar_day(start + timedelta(days=n), "china")
        if after.day == 1:
            assert before.day == before.length
            assert before.phase == "晦" and after.phase == "朔"
            # the next number, or a leap month of the same
            assert after.month == (before.month if after.leap else before.month % 12 + 1)
        else:
            assert after.day == before.day + 1
            assert (after.month, after.leap) == (before.month, before.leap)
        assert after.length in (29, 30)
        before = after


def test_phases_of_a_month():
    """十月 of 2026 (from 9 November): quarters on the 17th and 2nd, full moon on the 24th (UTC+8)."""
    phases = {}
    for n in range(30):
        day = date(2026, 11, 9) + timedelta(days=n)
        phase = lunar_day(day, "china").phase
        if phase:
            phases[phase] = day
    assert phases == {
        "朔": date(2026, 11, 9),
        "上弦": date(2026, 11, 17),
        "望": date(2026, 11, 24),
        "下弦": date(2026, 12, 1),
        "晦": date(2026, 12, 8),
    }
