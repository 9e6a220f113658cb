"""Casting a chart from pillars: every value with the step that made it.

The procedures are those of 六壬大全; where schools part, the doctrine's options
choose (``kb/doctrines.yaml``).  ``cast`` is the only entry.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from liuren.facts.chart import Chart, Lesson, Person, Pillar, Step, Transmission
from liuren.facts.ganzhi import (
    BRANCHES,
    SIXTY,
    SIXTY_INDEX,
    decade_head,
    distance,
    void_branches,
)
from liuren.facts.question import Question

from ..data import KnowledgeData
from ..doctrine import Doctrine
from .core import OPTIONS, core
from .day import find_day_facts, find_season, put_builds, put_hidden
from .nobles import find_noble, half_of_day, noble_table, place_generals
from .persons import read_person
from .pillars import read_pillars
from .plate import PLATES, Foot
from .spirits import Basis, find_spirits
from .steps import Ledger, given, option
from .strengths import growth_of, relatives_of, under_ruler

__all__ = ["cast"]


def cast(
    question: Question,
    doctrine: Doctrine,
    data: KnowledgeData,
    given_steps: tuple[Step, ...] = (),
) -> Chart:
    """Cast the chart of *question* under *doctrine*.

    Args:
        question: with its pillars present.  For a moment, let the calendar
            fill them first and pass on its steps.
        doctrine: the school; see :func:`liuren.engine.doctrine.load_doctrine`.
        data: see :func:`liuren.engine.data.load_knowledge`.
        given_steps: the steps that made the pillars; a value with such a step
            (``pillar.day``, ``month_general`` …) gets no ``input.*`` step.

    Raises:
        UserError: a value of the question is missing, impossible, or
            contradicts another.
    """
    options = doctrine.options
    p = read_pillars(question, doctrine, data, given_steps)
    log = Ledger(data)
    log.steps.extend(p.steps)
    persons: dict[str, Person] = {}
    for role, told in question.persons.items():
        persons[role], steps = read_person(data, options["annual"], role, told, p)
        log.steps.extend(steps)
    hour = p.hour.branch or ""
    offset = distance(hour, p.month_general)
    plate = PLATES[offset]
    log.add("plate", _by_earth(plate), "plate", ("month_general", "pillar.hour"))
    annual = persons["querent"].annual.branch if "querent" in persons else None
    board = core(
        data, p.day, offset, tuple(options[o] for o in OPTIONS),
        annual if options["duzu"] == "annual" else None,
    )  # fmt: skip
    log.steps.extend(board.steps)

    period = _period(log, data, options["day_night"], hour, question.noble)
    table = noble_table(data, options["noble"])
    noble = find_noble(table, p.day[0], period, offset, options["noble_order"])
    general_of = place_generals(data.tables, noble)
    shown = {k: getattr(noble, k) for k in ("branch", "earth", "period", "direction")}
    chosen = ("option.noble", "option.noble_order")
    log.add("noble", shown, "noble", ("pillar.day", "noble.period", "plate", *chosen))
    log.add("generals", dict(general_of), "generals", ("noble",))

    void = void_branches(p.day)
    log.add("decade", decade_head(p.day), "decade", ("pillar.day",))
    log.add("void", list(void), "void", ("decade",))
    hidden = put_hidden(log, options["hidden"], p)
    put_builds(log, p)
    relatives = relatives_of(data, p.day[0])
    log.add("relatives", dict(relatives), "relatives", ("pillar.day",))
    growth = growth_of(data, options["earth"])
    log.add("growth", dict(growth), "growth", ("option.earth",))
    season, strengths = find_season(log, data, options["earth_months"], p)
    of_day = under_ruler(data, p.day[0])
    log.add("day_strengths", dict(of_day), "day_strengths", ("pillar.day",))
    yesterday = SIXTY[SIXTY_INDEX[p.day] - 1]
    log.add("yesterday", yesterday, "yesterday", ("pillar.day",))
    facts = find_day_facts(log, data, options, p, season)

    spirits, needs, steps = find_spirits(
        data,
        options,
        Basis(
            p.day, p.month.branch, p.year.branch, p.year.stem, season, p.opens, yesterday[1],
            noble.other, p.month_general, facts.get("moon"), growth,
        ),
    )  # fmt: skip
    log.steps.extend(steps)

    element = data.tables.element

    def lesson(f: Foot) -> Lesson:
        return Lesson(f.lower, f.seat, f.upper, general_of[f.upper], f.relation)

    def transmission(b: str) -> Transmission:
        strength = strengths[element[b]] if strengths is not None else None
        relative = relatives[element[b]]
        return Transmission(b, general_of[b], hidden[b], relative, b in void, strength)

    one, two, three, four = (lesson(f) for f in board.feet)
    first, second, third = (transmission(b) for b in board.branches)
    for name, value in question.told.items():
        log.steps.append(given(f"input.told.{name}", value))
    return Chart(
        id=doctrine.id,
        doctrine=options,
        tables=data.tables,
        pillars=MappingProxyType(
            {"year": p.year, "month": p.month, "day": Pillar(p.day[0], p.day[1]), "hour": p.hour}
        ),
        month_general=p.month_general,
        plate=plate,
        general_of=general_of,
        noble=noble,
        lessons=(one, two, three, four),
        method=board.method,
        transmissions=(first, second, third),
        void=void,
        spirits=spirits,
        spirit_needs=needs,
        hidden=MappingProxyType(dict(hidden)),
        growth=growth,
        persons=MappingProxyType(persons),
        told=MappingProxyType(dict(question.told)),
        day_facts=MappingProxyType(facts),
        yesterday=Pillar(yesterday[0], yesterday[1]),
        strengths=strengths,
        relatives=relatives,
        steps=_ordered(log.steps, options),
    )


def _by_earth(plate: tuple[str, ...]) -> dict[str, str]:
    return dict(zip(BRANCHES, plate, strict=True))


def _period(log: Ledger, data: KnowledgeData, school: str, hour: str, told: str | None) -> str:
    """晝 or 夜: by the sun as the calendar found it, as told, or by the hour."""
    period, how = half_of_day(data, school, hour, told)
    if told is None:
        log.add("noble.period", period, how, ("pillar.hour", "option.day_night"))
    elif any(s.id == "day_night" and s.value == told for s in log.steps):
        log.add("noble.period", period, "noble_sun", ("day_night",))
    else:
        log.steps.append(given("input.noble", told))
        log.add("noble.period", period, how, ("input.noble",))
    return period


def _ordered(steps: list[Step], options: Mapping[str, str]) -> Mapping[str, Step]:
    """Inputs, then the options that some step rests on, then the rest in order."""
    used: set[str] = set()
    used.update(*[s.inputs for s in steps], [s.id for s in steps if s.kind == "option"])
    inputs = [s for s in steps if s.kind == "input"]
    chosen = [made for o, v in options.items() if (made := option(o, v)).id in used]
    rest = [s for s in steps if s.kind == "step"]
    return MappingProxyType({s.id: s for s in (*inputs, *chosen, *rest)})
