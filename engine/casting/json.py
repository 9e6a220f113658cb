"""A chart as JSON-able data, the shape of ``cast --json``."""

from __future__ import annotations

from typing import Any

from liuren.facts.chart import Chart, Person
from liuren.facts.ganzhi import BRANCHES


def chart_to_json(chart: Chart) -> dict[str, Any]:
    """The chart as plain dicts, lists, strings, numbers and ``None``.

    Keys: pillars, month_general, doctrine, plate (earth to heaven), generals
    (heaven to general), noble, lessons (4), method, transmissions (3), void (2),
    spirits, persons, steps.  An unknown pillar is ``None``.
    """
    return {
        "pillars": {k: str(p) or None for k, p in chart.pillars.items()},
        "month_general": chart.month_general,
        "doctrine": {"id": chart.id, "options": dict(chart.doctrine)},
        "plate": dict(zip(BRANCHES, chart.plate, strict=True)),
        "generals": dict(chart.general_of),
        "noble": {
            "branch": chart.noble.branch,
            "earth": chart.noble.earth,
            "period": chart.noble.period,
            "direction": chart.noble.direction,
        },
        "lessons": [
            {"lower": x.lower, "upper": x.upper, "general": x.general, "relation": x.relation}
            for x in chart.lessons
        ],
        "method": {"name": chart.method.name, "head": chart.method.head},
        "transmissions": [
            {
                "branch": x.branch,
                "general": x.general,
                "stem": x.stem,
                "relative": x.relative,
                "void": x.void,
                "strength": x.strength,
            }
            for x in chart.transmissions
        ],
        "void": list(chart.void),
        "spirits": dict(chart.spirits),
        "persons": {role: _person(p) for role, p in chart.persons.items()},
        "steps": [
            {
                "id": s.id,
                "kind": s.kind,
                "value": s.value,
                "method": s.method,
                "inputs": list(s.inputs),
                "source": s.source,
            }
            for s in chart.steps.values()
        ],
    }


def _person(person: Person) -> dict[str, Any]:
    return {
        "sex": person.sex,
        "age": person.age,
        "natal": str(person.natal) or None,
        "annual": str(person.annual) or None,
    }
