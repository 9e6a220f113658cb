"""Charts cast from a moment: nothing between a value and the moment asked about is missing."""

from __future__ import annotations

import pytest
from liuren.engine.calendar import parse_moment, resolve_moment
from liuren.engine.casting import cast
from liuren.engine.data import load_knowledge
from liuren.engine.doctrine import load_doctrine
from liuren.facts.chart import Chart
from liuren.facts.question import Question


def chart_of(text: str, place: str | None = None, **options: str) -> Chart:
    data = load_knowledge()
    doctrine = load_doctrine("common", data).with_set(options)
    asked = Question(moment=parse_moment(text, "+08:00"), place=place)
    question, steps = resolve_moment(asked, doctrine.options)
    return cast(question, doctrine, data, steps)


@pytest.mark.parametrize(
    ("text", "options"),
    [
        ("2026-11-30 14:20", {}),
        ("1988-02-15 23:30", {"day_starts": "23"}),
        ("1988-02-15 23:30", {"day_starts": "0"}),
        ("2022-02-04 04:00", {"month_general": "jie"}),
        ("1991-09-19 23:00", {"hour_time": "apparent", "day_night": "sunrise"}),
    ],
)
def test_every_value_goes_back_to_the_moment(text, options):
    chart = chart_of(text, place="北京", **options)

    def roots(id: str) -> set[str]:
        step = chart.steps[id]
        if not step.inputs:
            return {id}
        return set().union(*(roots(name) for name in step.inputs))

    for id in ("pillar.year", "pillar.month", "pillar.day", "pillar.hour", "plate", "initial"):
        found = roots(id)
        assert "input.moment" in found
        assert all(root.startswith(("input.moment", "input.place", "option.")) for root in found)


def test_the_late_hour_in_a_chart_of_each_school():
    """1988-02-15 is 庚子; at 23:30 the hour is 戊子 either way, the day 辛丑 or 庚子."""
    late, early = (chart_of("1988-02-15 23:30", day_starts=starts) for starts in ("23", "0"))
    assert str(late.pillars["day"]) == "辛丑" and str(early.pillars["day"]) == "庚子"
    assert str(late.pillars["hour"]) == str(early.pillars["hour"]) == "戊子"


def test_what_is_known_of_the_day():
    """24 November 2026: 十月十六, the day of the full moon (14:53 UT on the 24th)."""
    facts = chart_of("2026-11-24 12:00").day_facts
    assert facts["phase"] == "望"
    assert (facts["lunar_month"], facts["lunar_day"]) == (10, 16)
    assert facts["opens"] == ""
    assert chart_of("2026-02-04 03:00").day_facts["opens"] == "立春"


def test_day_and_night_by_the_sun_at_a_place():
    """In Beijing on 21 June the Sun rises at 4:46: at 4:30, the hour 寅, night; at 4:50 day."""
    night, day = (
        chart_of(f"2026-06-21 {clock}", place="北京", day_night="sunrise").noble.period
        for clock in ("04:30", "04:50")
    )
    assert (night, day) == ("夜", "晝")
