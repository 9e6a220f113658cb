"""What the date tells: builds of stems, season and strengths, the moon."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import lru_cache
from types import MappingProxyType
from typing import Any

from liuren.facts.ganzhi import BRANCHES, SIXTY, STEMS, built_stem, hidden_stem

from ..data import KnowledgeData
from .moon import mansion_branch, moon_mansion, phase
from .pillars import Pillars
from .steps import Ledger
from .strengths import ruling_element, under_ruler

# Days counted back from a moment, which only the calendar can tell: each is a branch.
_FROM_CALENDAR = ("season_day", "term_day", "pentad_day")


def put_builds(log: Ledger, p: Pillars) -> None:
    """初建 runs from the day stem, 復建 from the hour's."""
    log.add("build1", by_day(p), "build1", ("pillar.day",))
    log.add("build2", by_hour(p), "build2", ("pillar.hour",))


def put_hidden(log: Ledger, school: str, p: Pillars) -> Mapping[str, str | None]:
    """遁干: branch to its hidden stem, by the value of the option ``hidden``."""
    find, method, rests = HIDDEN[school]
    stems = find(p)
    log.add("hidden", stems, method, (rests, "option.hidden"))
    return stems


def by_decade(p: Pillars) -> dict[str, str | None]:
    """旬遁: the stems of the day's decade, ``None`` for its two void branches."""
    return dict(_decade_stems(p.day))


def by_day(p: Pillars) -> dict[str, str | None]:
    """五子元遁 from the day stem (初建)."""
    return dict(_run_from(p.day[0]))


def by_hour(p: Pillars) -> dict[str, str | None]:
    """五子元遁 from the stem of the hour (復建)."""
    return dict(_run_from(p.hour.stem or ""))


@lru_cache(maxsize=len(SIXTY))
def _decade_stems(day: str) -> Mapping[str, str | None]:
    return MappingProxyType({b: hidden_stem(day, b) for b in BRANCHES})


@lru_cache(maxsize=len(STEMS))
def _run_from(stem: str) -> Mapping[str, str]:
    return MappingProxyType({b: built_stem(stem, b) for b in BRANCHES})


HIDDEN: dict[str, tuple[Callable[[Pillars], dict[str, str | None]], str, str]] = {
    "decade": (by_decade, "hidden", "decade"),
    "day": (by_day, "build1", "pillar.day"),
    "hour": (by_hour, "build2", "pillar.hour"),
}


def find_season(
    log: Ledger, data: KnowledgeData, school: str, p: Pillars
) -> tuple[str | None, Mapping[str, str] | None]:
    """The season of the month and the strength of each element; ``None`` without a month."""
    month = p.month.branch
    if month is None:
        log.add("season", None, "season", needs=("month",))
        log.add("strengths", None, "strengths", needs=("month",))
        return None, None
    season = data.tables.season_of[month]
    log.add("season", season, "season", ("pillar.month",))
    sun = next((s.value for s in p.steps if s.id == "solar_longitude"), None)
    ruler, by_sun = ruling_element(data, school, month, sun)
    strengths = under_ruler(data, ruler)
    inputs = ("season", "pillar.month", *(("solar_longitude",) if by_sun else ()))
    log.add("strengths", dict(strengths), "strengths", (*inputs, "option.earth_months"))
    return season, strengths


def find_day_facts(
    log: Ledger, data: KnowledgeData, options: Mapping[str, str], p: Pillars, season: str | None
) -> dict[str, Any]:
    """The ``day_facts`` of a chart: term, season, lunar date, phase and moon, as known."""
    facts: dict[str, Any] = {}
    if p.opens is not None:
        facts["opens"] = p.opens
    if season is not None:
        facts["season"] = season
    facts |= {s.id: s.value for s in p.steps if s.id in _FROM_CALENDAR and s.value is not None}
    if p.lunar is None:
        log.add("moon", None, "moon", needs=("lunar",))
        return facts
    month, day, _ = p.lunar
    facts |= {"lunar_month": month, "lunar_day": day}
    known = next((s.value for s in p.steps if s.id == "phase"), None)
    name = known if known is not None else phase(data, day)
    if name is not None:
        facts["phase"] = name
    if known is None:
        log.add("phase", name, "phase", ("lunar",), needs=() if name is not None else ("moment",))
    return facts | _moon_facts(log, data, options, p)


def _moon_facts(
    log: Ledger, data: KnowledgeData, options: Mapping[str, str], p: Pillars
) -> dict[str, Any]:
    """The moon's mansion, by the rule or by its true place, and the branch of its palace."""
    if options["moon_mansion"] == "position":
        place = next((s.value for s in p.steps if s.id == "moon_place"), None)
        if place is None:
            log.add("mansion", None, "mansion_position", needs=("moment",))
            log.add("moon", None, "moon", needs=("moment",))
            return {}
        mansion = str(place["mansion"])
        log.add("mansion", mansion, "mansion_position", ("moon_place", "option.moon_mansion"))
    else:
        assert p.lunar is not None
        month, day, _ = p.lunar
        mansion = moon_mansion(data, month, day, options["moon_eleventh"])
        log.add("mansion", mansion, "mansion", ("lunar", "option.moon_eleventh"))
    moon = mansion_branch(data, mansion)
    log.add("moon", moon, "moon", ("mansion",))
    return {"mansion": mansion, "moon": moon}
