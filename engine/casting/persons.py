"""本命 and 行年 of the persons of a question."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from liuren.facts.chart import Person, Pillar, Step
from liuren.facts.errors import UserError
from liuren.facts.ganzhi import BRANCH_INDEX, BRANCHES, SIXTY, SIXTY_INDEX
from liuren.facts.question import PersonInput

from ..data import KnowledgeData
from ..normalise import normalise
from .pillars import Pillars
from .reading import read_pillar
from .steps import Ledger, given

SEXES = ("男", "女")


def read_person(
    data: KnowledgeData, school: str, role: str, told: PersonInput, pillars: Pillars
) -> tuple[Person, tuple[Step, ...]]:
    """One person with 本命 and 行年, and the steps that found them.

    The 行年 counts the years (歲) from the year of birth, itself the first, to the
    year asked about, which begins at 立春 or with lunar month 1, as the option
    ``annual`` says.  It needs the sex, the year asked
    about, and the year of birth or the natal ganzhi; from bare branches it gives
    the branch alone, since the count is then known only to a multiple of twelve.
    The age is known only when both years are known by number.

    Raises:
        UserError: a value is impossible, the natal branch contradicts the year
            of birth, or the person is born after the year asked about.
    """
    log = Ledger(data)
    inputs = [
        given(f"input.{role}.{name}", getattr(told, name))
        for name in ("born", "sex", "natal", "annual")
        if getattr(told, name) is not None
    ]
    sex = normalise(told.sex) if told.sex is not None else None
    if sex is not None and sex not in SEXES:
        raise UserError(f"Sex of {role} {told.sex!r} is neither 男 nor 女.")
    natal = _natal(role, told, log)
    spec = data.doctrines["options"]["annual"]["values"][school]
    asked = YEARS[spec["year"]](pillars)
    age = _age(role, told, asked)
    annual = _annual(spec, role, told, sex, natal, asked, log)
    return Person(role, sex, age, natal, annual), (*inputs, *log.steps)


def _natal(role: str, told: PersonInput, log: Ledger) -> Pillar:
    born = Pillar()
    if told.born is not None:
        pair = SIXTY[(told.born - 4) % 60]
        born = Pillar(pair[0], pair[1])
    if told.natal is None:
        if told.born is not None:
            log.add(f"{role}.natal", str(born), "natal_born", (f"input.{role}.born",))
        else:
            log.add(f"{role}.natal", None, "natal_born", needs=(f"{role}.born",))
        return born
    natal = read_pillar(told.natal, f"Natal branch of {role}")
    if told.born is not None:
        if natal.branch != born.branch or natal.stem not in (None, born.stem):
            raise UserError(
                f"Natal {natal} of {role} contradicts the birth year {told.born}, which is {born}."
            )
        natal = born
    log.add(f"{role}.natal", str(natal), "natal_told", (f"input.{role}.natal",))
    return natal


@dataclass(frozen=True, slots=True)
class YearAsked:
    """The year from which 歲 are counted.

    ``number`` is its Gregorian number if known; ``inputs`` are the ids of the steps
    it rests on, ``needs`` what is missing when ``pillar`` is unknown.
    """

    pillar: Pillar
    number: int | None
    inputs: tuple[str, ...]
    needs: tuple[str, ...] = ()


def from_lichun(pillars: Pillars) -> YearAsked:
    """The year that begins at 立春, which is the year's pillar."""
    needs = ("year",) if pillars.year.branch is None else ()
    return YearAsked(pillars.year, pillars.year_number, ("pillar.year",), needs)


def from_new_year(pillars: Pillars) -> YearAsked:
    """The year that begins with lunar month 1.

    It parts from the year of 立春 only in the months 丑 and 寅, where the lunar
    date decides; a year told without a month is taken as it was told.
    """
    year = from_lichun(pillars)
    if year.needs or pillars.month.branch not in ("丑", "寅"):
        return year
    if pillars.lunar is None:
        return YearAsked(Pillar(), None, (), ("lunar",))
    # In month 寅 an old lunar month 11 or 12 is last year's; in month 丑 a lunar month 1 next year's.
    early = pillars.month.branch == "丑"
    turn = (1 if pillars.lunar[0] == 1 else 0) if early else (-1 if pillars.lunar[0] > 10 else 0)
    number = None if year.number is None else year.number + turn
    return YearAsked(_shifted(year.pillar, turn), number, ("pillar.year", "pillar.month", "lunar"))


def _shifted(pillar: Pillar, years: int) -> Pillar:
    assert pillar.branch is not None
    if pillar.stem is None:
        return Pillar(None, BRANCHES[(BRANCH_INDEX[pillar.branch] + years) % 12])
    pair = SIXTY[(SIXTY_INDEX[str(pillar)] + years) % 60]
    return Pillar(pair[0], pair[1])


YEARS: dict[str, Callable[[Pillars], YearAsked]] = {
    "lichun": from_lichun,
    "new-year": from_new_year,
}


def _age(role: str, told: PersonInput, asked: YearAsked) -> int | None:
    if told.born is None or asked.number is None:
        return None
    age = asked.number - told.born + 1
    if age < 1:
        raise UserError(
            f"{role} is born in {told.born}, after the year asked about ({asked.number}); "
            f"a birth year up to {asked.number} is accepted."
        )
    return age


def _annual(
    spec: Mapping[str, Any],
    role: str,
    told: PersonInput,
    sex: str | None,
    natal: Pillar,
    asked: YearAsked,
    log: Ledger,
) -> Pillar:
    if told.annual is not None:
        annual = read_pillar(told.annual, f"Annual branch of {role}")
        log.add(f"{role}.annual", str(annual), "annual_told", (f"input.{role}.annual",))
        return annual
    year = asked.pillar
    needs = []
    if natal.branch is None:
        needs.append(f"{role}.born")
    if sex is None:
        needs.append(f"{role}.sex")
    needs += asked.needs
    if sex is None or natal.branch is None or year.branch is None:
        log.add(f"{role}.annual", None, "annual_xiaoyun", needs=tuple(needs))
        return Pillar()
    start, stride = spec["start"][sex], spec["stride"][sex]
    if natal.stem is not None and year.stem is not None:
        lived = SIXTY_INDEX[str(year)] - SIXTY_INDEX[str(natal)]
        pair = SIXTY[(SIXTY_INDEX[start] + stride * lived) % 60]
        annual = Pillar(pair[0], pair[1])
    else:
        lived = BRANCH_INDEX[year.branch] - BRANCH_INDEX[natal.branch]
        annual = Pillar(None, BRANCHES[(BRANCH_INDEX[start[1]] + stride * lived) % 12])
    inputs = (*asked.inputs, f"{role}.natal", f"input.{role}.sex", "option.annual")
    log.add(f"{role}.annual", str(annual), "annual_xiaoyun", inputs)
    return annual
