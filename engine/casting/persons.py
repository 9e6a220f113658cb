"""本命 and 行年 of the persons of a question."""

from __future__ import annotations

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
    year asked about, both beginning at 立春.  It needs the sex, the year asked
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
    age = _age(role, told, pillars)
    annual = _annual(data, school, role, told, sex, natal, pillars, log)
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


def _age(role: str, told: PersonInput, pillars: Pillars) -> int | None:
    if told.born is None or pillars.year_number is None:
        return None
    age = pillars.year_number - told.born + 1
    if age < 1:
        raise UserError(
            f"{role} is born in {told.born}, after the year asked about ({pillars.year_number}); "
            f"a birth year up to {pillars.year_number} is accepted."
        )
    return age


def _annual(
    data: KnowledgeData,
    school: str,
    role: str,
    told: PersonInput,
    sex: str | None,
    natal: Pillar,
    pillars: Pillars,
    log: Ledger,
) -> Pillar:
    if told.annual is not None:
        annual = read_pillar(told.annual, f"Annual branch of {role}")
        log.add(f"{role}.annual", str(annual), "annual_told", (f"input.{role}.annual",))
        return annual
    year = pillars.year
    needs = []
    if natal.branch is None:
        needs.append(f"{role}.born")
    if sex is None:
        needs.append(f"{role}.sex")
    if year.branch is None:
        needs.append("year")
    if sex is None or natal.branch is None or year.branch is None:
        log.add(f"{role}.annual", None, "annual_xiaoyun", needs=tuple(needs))
        return Pillar()
    spec = data.doctrines["options"]["annual"]["values"][school]
    start, stride = spec["start"][sex], spec["stride"][sex]
    if natal.stem is not None and year.stem is not None:
        lived = SIXTY_INDEX[str(year)] - SIXTY_INDEX[str(natal)]
        pair = SIXTY[(SIXTY_INDEX[start] + stride * lived) % 60]
        annual = Pillar(pair[0], pair[1])
    else:
        lived = BRANCH_INDEX[year.branch] - BRANCH_INDEX[natal.branch]
        annual = Pillar(None, BRANCHES[(BRANCH_INDEX[start[1]] + stride * lived) % 12])
    inputs = ("pillar.year", f"{role}.natal", f"input.{role}.sex", "option.annual")
    log.add(f"{role}.annual", str(annual), "annual_xiaoyun", inputs)
    return annual
