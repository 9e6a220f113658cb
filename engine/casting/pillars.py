"""Reading the pillars of a question and refusing what cannot be."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from difflib import get_close_matches

from liuren.facts.chart import Pillar, Step
from liuren.facts.errors import UserError
from liuren.facts.ganzhi import (
    BRANCH_INDEX,
    SIXTY,
    SIXTY_INDEX,
    STEM_INDEX,
    STEMS,
    built_stem,
    step,
)
from liuren.facts.question import Question

from ..data import KnowledgeData
from ..doctrine import Doctrine
from ..normalise import normalise
from .reading import read_branch, read_ganzhi, read_pillar
from .steps import Ledger, given


@dataclass(frozen=True, slots=True)
class Pillars:
    """The pillars and date facts of a question, checked, with their steps.

    ``year_number`` is the Gregorian number of the year that began at 立春, when
    known; ``opens`` is ``""`` when no term begins and ``None`` when not told.
    """

    year: Pillar
    month: Pillar
    day: str
    hour: Pillar
    month_general: str
    opens: str | None
    lunar: tuple[int, int, bool] | None
    year_number: int | None
    steps: tuple[Step, ...]


def read_pillars(
    question: Question, doctrine: Doctrine, data: KnowledgeData, given_steps: tuple[Step, ...]
) -> Pillars:
    """Read and check the pillars of *question*.

    Args:
        question: with day, hour and month general present.
        doctrine: for the schools of the beginning of the day.
        data: for the solar terms and the combinations of branches.
        given_steps: the steps of values computed from a moment; such a value
            gets no ``input.*`` step here.

    Raises:
        UserError: a value is missing, is impossible, or contradicts another.
    """
    missing = [k for k in ("day", "hour", "month_general") if getattr(question, k) is None]
    if missing:
        raise UserError(
            f"The question lacks {', '.join(missing)}; "
            "give a moment, or the day, the hour and the month general."
        )
    have = {s.id for s in given_steps}
    log = Ledger(data)
    inputs: list[Step] = []

    def put(field: str, id: str, raw: object, value: object, method: str, *more: str) -> None:
        if id not in have:
            inputs.append(given(f"input.{field}", raw))
            log.add(id, value, method, (f"input.{field}", *more))

    year, number = _year(question)
    if question.year is not None:
        put(
            "year",
            "pillar.year",
            question.year,
            str(year),
            "year_number" if number is not None else "pillar_given",
        )
    month, built = _month(question, year)
    if question.month is not None:
        put(
            "month",
            "pillar.month",
            question.month,
            str(month),
            "month_pillar" if built else "pillar_given",
            *(("pillar.year",) if built else ()),
        )
    day = read_ganzhi(question.day or "", "Day")
    put("day", "pillar.day", question.day, day, "pillar_given")
    hour = _hour(question, day, doctrine.options)
    put("hour", "pillar.hour", question.hour, str(hour), "hour_pillar", "pillar.day")
    general = _general(question, data, month, doctrine.options)
    put("month_general", "month_general", question.month_general, general, "month_general_given")
    opens = _opens(question, data, month)
    if opens is not None:
        put("term", "day.opens", question.term, opens, "opens_given")
    if question.lunar is not None:
        _check_lunar(question.lunar)
        put("lunar", "lunar", list(question.lunar), list(question.lunar), "lunar_given")
    if number is None and question.moment is not None and year.stem is not None:
        number = _number_near(question.moment.year, str(year))
    steps = (*given_steps, *inputs, *log.steps)
    return Pillars(year, month, day, hour, general, opens, question.lunar, number, steps)


def _year(question: Question) -> tuple[Pillar, int | None]:
    text = question.year
    if text is None:
        return Pillar(), None
    if re.fullmatch(r"-?\d{1,4}", text.strip()):
        number = int(text)
        pair = SIXTY[(number - 4) % 60]
        return Pillar(pair[0], pair[1]), number
    return read_pillar(text, "Year"), None


def _month(question: Question, year: Pillar) -> tuple[Pillar, bool]:
    """The month, and whether its stem was found from the year's."""
    if question.month is None:
        return Pillar(), False
    month = read_pillar(question.month, "Month")
    if year.stem is None or month.branch is None:
        return month, False
    # 五虎遁: 寅 of a 甲 or 己 year is 丙寅, and two stems on for each next pair.
    first = (STEM_INDEX[year.stem] % 5) * 2 + 2
    stem = STEMS[(first + (BRANCH_INDEX[month.branch] - 2) % 12) % 10]
    if month.stem is None:
        return Pillar(stem, month.branch), True
    if month.stem != stem:
        raise UserError(
            f"Month {month} does not belong to a {year.stem} year, "
            f"in which {month.branch} is {stem}{month.branch}."
        )
    return month, False


def _hour(question: Question, day: str, options: Mapping[str, str]) -> Pillar:
    hour = read_pillar(question.hour or "", "Hour")
    branch = hour.branch or ""
    stem = built_stem(day[0], branch)
    if hour.stem is None or hour.stem == stem:
        return Pillar(stem, branch)
    # Where the day begins at midnight, the late hour 子 has the next day's stem.
    tomorrow = STEMS[(STEM_INDEX[day[0]] + 1) % 10]
    late = built_stem(tomorrow, branch)
    if options["day_starts"] == "0" and branch == "子" and hour.stem == late:
        return hour
    raise UserError(
        f"Hour {hour} does not belong to day {day}, on which {branch} is {stem}{branch}."
    )


def _general(
    question: Question, data: KnowledgeData, month: Pillar, options: Mapping[str, str]
) -> str:
    general = read_branch(question.month_general or "", "Month general")
    if month.branch is None:
        return general
    combine = data.tables.branch_combine
    last, first, second = (combine[step(month.branch, -back)] for back in (2, 1, 0))
    if options["month_general"] == "sidereal":
        # Precession has carried some entries of the Sun over the beginning of the next month.
        if general not in (last, first, second):
            raise UserError(
                f"Month general {general} cannot fall in month {month.branch}; "
                f"by the stars it is {last}, {first} or {second}."
            )
    elif general not in (first, second):
        raise UserError(
            f"Month general {general} cannot fall in month {month.branch}; "
            f"it is {first} before the month's 中氣 and {second} after it."
        )
    return general


def _opens(question: Question, data: KnowledgeData, month: Pillar) -> str | None:
    if question.term is None or question.term == "":
        return question.term
    term = normalise(question.term)
    if term not in data.terms:
        near = get_close_matches(term, data.terms, n=3, cutoff=0.4) or list(data.terms)[:3]
        raise UserError(
            f"Term {question.term!r} is not one of the 24 solar terms, such as {'、'.join(near)}."
        )
    branch = data.terms[term]
    # A 節 begins the month: earlier on its day it is still the month before.
    opens_month = list(data.terms).index(term) % 2 == 0
    fits = (branch, step(branch, -1)) if opens_month else (branch,)
    if month.branch is not None and month.branch not in fits:
        raise UserError(f"Term {term} falls in month {branch}, not in month {month.branch}.")
    return term


def _check_lunar(lunar: tuple[int, int, bool]) -> None:
    month, day, _ = lunar
    if not (1 <= month <= 12 and 1 <= day <= 30):
        raise UserError(
            f"Lunar date month {month}, day {day} does not exist; "
            "months are 1 to 12 and days 1 to 30."
        )


def _number_near(year: int, pair: str) -> int:
    """The year number nearest to *year* whose pillar is *pair*."""
    back = (SIXTY_INDEX[SIXTY[(year - 4) % 60]] - SIXTY_INDEX[pair] + 30) % 60 - 30
    return year - back
