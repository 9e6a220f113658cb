"""Reading moments, and saying what is wrong with one."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from liuren.engine.calendar import parse_moment
from liuren.facts.errors import UserError


@pytest.mark.parametrize(
    ("text", "tz", "utc"),
    [
        ("2026-11-30T14:20", "+09:00", datetime(2026, 11, 30, 5, 20)),
        ("2026-11-30 14:20", "Asia/Seoul", datetime(2026, 11, 30, 5, 20)),
        ("2026-11-30 14:20:30", "Asia/Shanghai", datetime(2026, 11, 30, 6, 20, 30)),
        ("2026-11-30T14:20+09:00", None, datetime(2026, 11, 30, 5, 20)),
        ("2026-11-30T14:20:30 +0530", None, datetime(2026, 11, 30, 8, 50, 30)),
        ("2026-11-30T14:20Z", None, datetime(2026, 11, 30, 14, 20)),
        ("2026-11-30 14:20 Asia/Seoul", None, datetime(2026, 11, 30, 5, 20)),
        ("2026-11-30T14:20-08:00", None, datetime(2026, 11, 30, 22, 20)),
        ("2026-11-30T14:20+09:00", "Asia/Seoul", datetime(2026, 11, 30, 5, 20)),
        ("2026-11-30 14:20", "asia/seoul", datetime(2026, 11, 30, 5, 20)),
        ("2026-11-30 14:20:30.25", "Z", datetime(2026, 11, 30, 14, 20, 30, 250000)),
        (" 0600-01-01 00:00 ", "UTC", datetime(600, 1, 1)),
        # Chinese summer time, 4 May 1986 to 15 September 1991: +09:00
        ("1988-07-01 12:00", "Asia/Shanghai", datetime(1988, 7, 1, 3)),
        # Korean summer time of 1988, 10:00 ahead
        ("1988-07-01 12:00", "Asia/Seoul", datetime(1988, 7, 1, 2)),
    ],
)
def test_moments(text, tz, utc):
    moment = parse_moment(text, tz)
    assert moment.utcoffset() is not None
    assert moment == utc.replace(tzinfo=UTC)


def test_the_wall_time_is_kept():
    moment = parse_moment("2026-11-30 14:20", "Asia/Seoul")
    assert (moment.hour, moment.minute) == (14, 20)
    assert str(moment.tzinfo) == "Asia/Seoul"


@pytest.mark.parametrize(
    ("text", "tz", "words"),
    [
        ("2026-11-30 14:20", None, ["no time zone", "+09:00", "Asia/Seoul"]),
        ("2026-11-30", "Asia/Seoul", ["2026-11-30", "no time of day"]),
        ("tomorrow", "Asia/Seoul", ["tomorrow", "cannot be read", "2026-11-30T14:20"]),
        ("2026-11-30 14:20 +09:00 x", None, ["cannot be read"]),
        ("2026-02-30 14:20", "UTC", ["2026-02-30 14:20", "does not exist"]),
        ("2026-13-01 14:20", "UTC", ["does not exist"]),
        ("2026-11-30 24:00", "UTC", ["does not exist"]),
        ("2026-11-30 14:60", "UTC", ["does not exist"]),
        ("0599-12-31 14:20", "UTC", ["599", "600 to 2200"]),
        ("2201-01-01 00:00", "UTC", ["2201", "600 to 2200"]),
        ("12026-01-01 00:00", "UTC", ["12026", "600 to 2200"]),
        ("-0044-03-15 12:00", "UTC", ["-44", "600 to 2200"]),
        ("2026-11-30 14:20", "Asia/Seol", ["Asia/Seol", "Asia/Seoul"]),
        ("2026-11-30 14:20", "Seoul", ["Seoul", "Asia/Seoul"]),
        ("2026-11-30 14:20", "", ["not known"]),
        ("2026-11-30 14:20", "../etc/passwd", ["not known"]),
        ("2026-11-30 14:20+25:00", None, ["+25:00"]),
        # New York went from 01:59:59 to 03:00:00 on 8 March 2026
        ("2026-03-08 02:30", "America/New_York", ["does not exist", "-05:00", "-04:00"]),
        # and showed 01:00-02:00 twice on 1 November
        ("2026-11-01 01:30", "America/New_York", ["twice", "-04:00", "-05:00", "offset"]),
        ("2026-11-30 14:20+08:00", "Asia/Seoul", ["+08:00", "Asia/Seoul", "+09:00"]),
        ("2026-11-30 14:20 Asia/Tokyo", "Asia/Seoul", ["Asia/Tokyo", "Asia/Seoul"]),
    ],
)
def test_mistakes(text, tz, words):
    with pytest.raises(UserError) as caught:
        parse_moment(text, tz)
    message = str(caught.value)
    assert "\n" not in message
    for word in words:
        assert word in message


@pytest.mark.parametrize(("offset", "hour"), [("-04:00", 5), ("-05:00", 6)])
def test_the_offset_chooses_between_two_equal_times(offset, hour):
    moment = parse_moment(f"2026-11-01 01:30{offset}", "America/New_York")
    assert moment.astimezone(UTC) == datetime(2026, 11, 1, hour, 30, tzinfo=UTC)
    assert moment.utcoffset() == timedelta(hours=int(offset[:3]))


def test_the_last_second_before_a_gap_and_the_first_after():
    before = parse_moment("2026-03-08 01:59:59", "America/New_York")
    after = parse_moment("2026-03-08 03:00", "America/New_York")
    assert after.astimezone(UTC) - before.astimezone(UTC) == timedelta(seconds=1)
