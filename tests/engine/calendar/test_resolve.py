"""A whole moment: the question filled in, its steps, its contradictions."""

from __future__ import annotations

import subprocess
import sys
from datetime import datetime

import pytest
from liuren.engine.calendar import parse_moment, resolve_moment
from liuren.engine.data import load_data
from liuren.facts.errors import UserError
from liuren.facts.question import Question

ALL = {
    "day_starts": "0",
    "hour_time": "apparent",
    "month_general": "jie",
    "lunar_meridian": "korea",
    "day_night": "sunrise",
}


def question(text: str = "2026-11-30 14:20", tz: str = "Asia/Seoul", **given) -> Question:
    return Question(moment=parse_moment(text, tz), **given)


def values(found: Question) -> tuple[object, ...]:
    return found.year, found.month, found.day, found.hour, found.month_general, found.lunar


def test_a_whole_moment():
    """30 November 2026, 14:20 in Seoul: 丙午 year; 立冬 7 Nov. makes the month 己亥 and 小雪, 22 Nov.,
    the general 寅; 2000-01-01 (戊午) and 9830 days is 戊申; the 未 hour of a 戊 day is 己未."""
    found, _ = resolve_moment(question(), {})
    assert values(found) == ("丙午", "己亥", "戊申", "己未", "寅", (10, 22, False))
    assert found.term == ""
    assert found.noble is None


def test_a_question_without_a_moment_is_left_alone():
    asked = Question(day="甲子", hour="午", month_general="子")
    assert resolve_moment(asked, {}) == (asked, ())


def test_term_of_the_civil_day():
    """大雪 of 2026 is on 7 December at 11:52 in Seoul; on the 6th at Honolulu (16:52)."""
    assert resolve_moment(question("2026-12-07 00:00"), {})[0].term == "大雪"
    assert resolve_moment(question("2026-12-07 23:59"), {})[0].term == "大雪"
    assert resolve_moment(question("2026-12-08 00:00"), {})[0].term == ""
    assert resolve_moment(question("2026-12-06 01:00", "Pacific/Honolulu"), {})[0].term == "大雪"
    steps = {step.id: step for step in resolve_moment(question("2026-12-06 12:00"), {})[1]}
    assert steps["day.opens"].value == ""
    assert steps["day.eve"].value == "大雪"


@pytest.mark.parametrize("options", [{}, ALL, {"hour_time": "mean"}])
def test_every_step_rests_on_earlier_steps(options):
    """From each value a way leads down to the moment asked about, and every method has words."""
    _, steps = resolve_moment(question(place="서울"), options)
    methods = load_data("methods-calendar")
    seen: dict[str, bool] = {}
    for step in steps:
        assert step.id not in seen
        if step.kind == "step":
            words = methods[step.method]
            assert all(words[key] for key in ("zh", "ko", "en", "source"))
            assert step.source == words["source"]
            assert step.inputs
            for name in step.inputs:
                assert name in seen, f"{step.id} rests on {name}, which is not there before it"
        seen[step.id] = step.id == "input.moment" or any(seen[name] for name in step.inputs)
    for name in ("year", "month", "day", "hour"):
        assert seen[f"pillar.{name}"]
    assert seen["month_general"] and seen["lunar"] and seen["day.opens"] and seen["solar_longitude"]


def test_steps_tell_the_values_of_the_question():
    found, steps = resolve_moment(question(place="서울"), ALL)
    value = {step.id: step.value for step in steps}
    assert value["pillar.year"] == found.year
    assert value["pillar.month"] == found.month
    assert value["pillar.day"] == found.day
    assert value["pillar.hour"] == found.hour
    assert value["month_general"] == found.month_general
    assert value["day_night"] == found.noble
    assert value["day.opens"] == found.term
    assert tuple(value["lunar"].values()) == found.lunar
    assert value["option.hour_time"] == "apparent"


def test_what_the_steps_say_of_the_sky():
    """The instants are those of DE421 in ``tests/data/calendar/de421.csv``, told in Seoul's time."""
    _, steps = resolve_moment(question(place="서울"), ALL)
    value = {step.id: step.value for step in steps}
    assert value["instant"] == "2026-11-30T05:20:00+00:00"
    assert value["solar_term"] == {
        "term": "小雪",
        "at": "2026-11-22T16:23:21+09:00",
        "next": "大雪",
        "next_at": "2026-12-07T11:52:31+09:00",
    }
    assert value["year.opens"] == {"term": "立春", "at": "2026-02-04T05:02:08+09:00"}
    assert value["month.opens"] == {"term": "立冬", "at": "2026-11-07T18:52:04+09:00"}
    assert value["month_general.opens"] == value["month.opens"]  # under month_general=jie
    # DE421 by skyfield: longitude 248.00381, hour angle at Greenwich 687.2 s over the clock's
    assert value["solar_longitude"] == pytest.approx(248.0038, abs=0.0006)
    assert value["equation_of_time"] == pytest.approx(687.2, abs=1.5)
    assert value["clock"][:16] == "2026-11-30T13:59"
    assert value["day.number"] == 2461375
    assert value["sunlight"]["sunrise"][:16] == "2026-11-30T07:26"
    assert value["sunlight"]["sunset"][:16] == "2026-11-30T17:14"


def test_no_method_is_without_a_use():
    used = set()
    for moment in ("2026-11-30 14:20", "2026-11-30 23:20", "1400-11-30 14:20"):
        stars = {"month_general": "sidereal", "moon_mansion": "position"}
        for options in ({}, stars, {"day_starts": "0"}, ALL, ALL | {"hour_time": "mean"}):
            steps = resolve_moment(question(moment, place="서울"), options)[1]
            used |= {step.method for step in steps if step.kind == "step"}
    assert used == set(load_data("methods-calendar"))


@pytest.mark.parametrize(
    "given",
    [
        {"day": "戊申"},
        {"hour": "未"},
        {"hour": "己未"},
        {"year": "午"},
        {"year": "2026"},
        {"month": "亥"},
        {"month_general": "寅"},
        {"term": ""},
        {"lunar": (10, 22, False)},
    ],
)
def test_what_agrees_with_the_moment_may_be_told(given):
    found, _ = resolve_moment(question(**given), {})
    assert values(found) == values(resolve_moment(question(), {})[0])


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"day": "己酉"}, ["己酉", "戊申"]),
        ({"hour": "午"}, ["午", "己未"]),
        ({"hour": "丁未"}, ["丁未", "己未"]),
        ({"year": "乙巳"}, ["乙巳", "丙午"]),
        ({"year": "2025"}, ["2025", "丙午"]),
        ({"month": "子"}, ["子", "己亥"]),
        ({"month_general": "卯"}, ["卯", "寅", "month general"]),
        ({"term": "大雪"}, ["大雪", "none"]),
        ({"lunar": (10, 22, True)}, ["leap month 10 day 22", "month 10 day 22"]),
    ],
)
def test_contradictions(given, words):
    with pytest.raises(UserError) as caught:
        resolve_moment(question(**given), {})
    for word in [*words, "2026-11-30T14:20:00+09:00"]:
        assert word in str(caught.value)


@pytest.mark.parametrize(
    ("asked", "options", "words"),
    [
        (Question(moment=datetime(2026, 11, 30, 14, 20)), {}, ["no time zone"]),
        (Question(moment=datetime.fromisoformat("2201-01-01T00:00+00:00")), {},
         ["2201", "600 to 2200"]),
        (question(place="Seol"), {}, ["Seol", "Seoul"]),
        (question(longitude=181.0), {}, ["181", "longitude"]),
        (question(latitude=-91.0), {}, ["-91", "latitude"]),
        (question(), {"hour_time": "apparent"}, ["hour_time=apparent", "place"]),
        (question(), {"hour_time": "mean"}, ["hour_time=mean", "longitude"]),
        (question(), {"hour_time": "sundial"}, ["sundial", "civil, mean, apparent"]),
        (question(), {"day_starts": "22"}, ["day_starts", "22", "23, 0"]),
    ],
)  # fmt: skip
def test_mistakes(asked, options, words):
    with pytest.raises(UserError) as caught:
        resolve_moment(asked, options)
    for word in words:
        assert word in str(caught.value)


def test_hours_by_the_sun():
    """Ürümqi keeps Beijing time 2h10m ahead of its Sun: at 14:00 it is 午 there (11:50), not 未."""
    asked = question("2026-04-15 14:00", "+08:00", place="烏魯木齊")
    hour = {
        kind: resolve_moment(asked, {"hour_time": kind})[0].hour
        for kind in ("civil", "mean", "apparent")
    }
    assert {kind: value and value[1] for kind, value in hour.items()} == {
        "civil": "未",
        "mean": "午",
        "apparent": "午",
    }


def test_the_equation_of_time_decides_an_hour():
    """At 120 E in early November the dial is 16 minutes fast: 12:50 by the clock is 未."""
    asked = question("2026-11-03 12:50", "+08:00", longitude=120.0)
    assert resolve_moment(asked, {"hour_time": "mean"})[0].hour[1] == "午"
    assert resolve_moment(asked, {"hour_time": "apparent"})[0].hour[1] == "未"


def test_the_day_changes_by_the_clock_that_tells_the_hours():
    """At 23:30 in Ürümqi the Sun's clock shows 21:20: still the 亥 hour of the same day."""
    asked = question("2026-04-15 23:30", "+08:00", place="烏魯木齊")
    civil, solar = (resolve_moment(asked, {"hour_time": k})[0] for k in ("civil", "mean"))
    assert (civil.hour or "")[1] == "子" and (solar.hour or "")[1] == "亥"
    noon = resolve_moment(question("2026-04-15 12:00", "+08:00"), {})[0]
    assert solar.day == noon.day
    assert civil.day == resolve_moment(question("2026-04-16 12:00", "+08:00"), {})[0].day


@pytest.mark.parametrize(
    ("text", "noble"),
    [
        # sunrise 07:26:42 and sunset 17:14:13 in Seoul (DE421, tests/data/calendar/sunlight.csv)
        ("2026-11-30 07:25", "夜"),
        ("2026-11-30 07:28", "晝"),
        ("2026-11-30 17:13", "晝"),
        ("2026-11-30 17:16", "夜"),
    ],
)
def test_day_and_night_by_sunrise(text, noble):
    asked = question(text, longitude=126.98, latitude=37.57)
    found, steps = resolve_moment(asked, {"day_night": "sunrise"})
    assert found.noble == noble
    assert next(step for step in steps if step.id == "day_night").value == noble
    assert resolve_moment(asked, {})[0].noble is None


def test_a_forced_nobleman_stays():
    asked = question(place="서울", noble="夜")
    assert resolve_moment(asked, {"day_night": "sunrise"})[0].noble == "夜"


def test_sunrise_without_a_place_says_what_it_needs():
    found, steps = resolve_moment(question(), {"day_night": "sunrise"})
    assert found.noble is None
    assert next(step for step in steps if step.id == "day_night").needs == ("place",)


def test_both_ends_of_the_range():
    for text in ("0600-01-01 00:00", "2200-12-31 23:59:59"):
        for tz in ("UTC", "-12:00", "+14:00"):
            found, _ = resolve_moment(question(text, tz), {})
            assert all(values(found))


def test_steps_are_the_same_every_time():
    assert resolve_moment(question(place="서울"), ALL) == resolve_moment(
        question(place="서울"), ALL
    )


def test_the_days_on_which_season_term_and_pentad_began():
    # 2026-11-30: 立冬 2026-11-07 and 小雪 2026-11-22 by any almanac. 2000-01-01 is 戊午, so
    # 2026-11-07 (9807 days on) is 乙酉, 2026-11-22 庚子, and the second 候 begins on 11-27, 乙巳.
    steps = {s.id: s.value for s in resolve_moment(question("2026-11-30T14:20+09:00"), {})[1]}
    assert (steps["season_day"], steps["term_day"], steps["pentad_day"]) == ("酉", "子", "巳")


def test_import_reads_no_data_and_needs_no_numpy():
    code = (
        "import sys; import liuren.engine.calendar as c; "
        "from liuren.engine.calendar import table, parse_moment; "
        "assert table._load.cache_info().currsize == 0; "
        "from liuren.facts.question import Question; "
        "c.resolve_moment(Question(moment=parse_moment('2026-11-30 14:20', '+09:00')), {}); "
        "assert 'numpy' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], check=True, timeout=60)
