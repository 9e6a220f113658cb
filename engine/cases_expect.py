"""What a case expects: the short forms of a chart, and what a condition rests on."""

from __future__ import annotations

from collections.abc import Mapping

from liuren.facts.points import Point

from .language.conditions import Condition, Related, atoms

_SHORT: Mapping[str, tuple[tuple[str, ...], str]] = {
    "transmissions": (("initial", "middle", "final"), "branch"),
    "generals": (("initial", "middle", "final"), "general"),
    "hidden": (("hidden(initial)", "hidden(middle)", "hidden(final)"), "stem"),
    "lessons": (("lesson1", "lesson2", "lesson3", "lesson4"), "branch"),
    "lesson_generals": (("lesson1", "lesson2", "lesson3", "lesson4"), "general"),
    # The two places before the head of the decade are the ones it leaves out.
    "void": (("shift(旬首 -2)", "shift(旬首 -1)"), "branch"),
}

OF_THE_YEAR = frozenset({"year", "year_stem", "natal", "natal_stem"})
"""Names of points that the year asked about decides."""


def point_names(condition: Condition) -> frozenset[str]:
    """Names of the points that *condition* looks at; of a person's, the part alone."""
    found: set[str] = set()
    points: list[Point] = []
    for atom in atoms(condition):
        points.extend((atom.point, *(atom.others if isinstance(atom, Related) else ())))
    while points:
        point = points.pop()
        found.add(point.name.rpartition(".")[2])
        points.extend(point.args)
    return frozenset(found)


def expand(data: object) -> object:
    """*data* with the short forms of a chart written out as conditions.

    ``transmissions: [酉, 亥, 丑]``, ``generals: [貴人, …]`` and ``hidden`` (stems by
    旬遁) of the transmissions, ``lessons`` (the four uppers), ``lesson_generals``
    and ``void: [申, 酉]`` stand for the conditions that say the same.  A ``null``
    in their list is a place of which the text says nothing.

    Raises:
        ValueError: a short form has not as many values as it wants.
    """
    if isinstance(data, list):
        return [expand(item) for item in data]
    if not isinstance(data, dict) or not set(data) & set(_SHORT):
        return data
    items: list[object] = []
    for key, value in data.items():
        if key not in _SHORT:
            items.append({key: value})
            continue
        points, slot = _SHORT[key]
        if not isinstance(value, list) or len(value) != len(points):
            raise ValueError(f"`{key}` wants a list of {len(points)}, not «{value}»")
        items.extend({p: {slot: v}} for p, v in zip(points, value, strict=True) if v is not None)
    return items
