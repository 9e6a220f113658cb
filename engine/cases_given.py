"""From what a case gives to the requests that are cast.

A whole chart gives one request.  A fragment (a case that names only a seat, a
general, a day) stands for every chart it leaves open, and gives them all.
Beside the keys of a question (:mod:`.questions`) a case may give ``offset``, the
plate alone, and an ``age`` of a person.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import product
from typing import Any

from liuren.facts.errors import UserError
from liuren.facts.ganzhi import BRANCH_INDEX, BRANCHES, SIXTY, SIXTY_INDEX, STEM_INDEX, step
from liuren.facts.points import nearest
from liuren.facts.tables import Tables

from .language.scope import Lexicon
from .normalise import normalise
from .questions import QUESTION_KEYS, Request, build_request

GIVEN = (*QUESTION_KEYS, "offset", "age", "set", "variants")
"""What a case may give."""

OPEN = ("day", "hour", "month_general", "offset", "month", "lunar", "noble", "annual", "natal")
"""Inputs that a fragment may leave open."""

_ALL: Mapping[str, tuple[Any, ...]] = {
    "day": SIXTY,
    "offset": tuple(range(12)),
    "noble": ("晝", "夜"),
    **{key: BRANCHES for key in ("hour", "month_general", "month", "annual", "natal")},
}
# Counting an age needs a year.  Where the case tells none, any serves: the 行年
# depends on the age alone.
_ANY_YEAR = "甲子"


def requests(
    given: Mapping[str, Any],
    fragment: Mapping[str, Any] | None,
    tables: Tables,
    lexicon: Lexicon,
) -> Iterator[Request]:
    """The requests of a case, in a fixed order.

    A fragment that names neither day nor plate runs over the sixty days, each on
    a plate of its own; if it names one of the two, over all of the other.  What
    it lists is combined with everything else it lists.

    Args:
        given: what the case gives.
        fragment: open inputs and their values, or ``None`` for a whole chart.
        tables: for the general that belongs to a month.
        lexicon: for roles and told facts.

    Raises:
        UserError: an input is unknown, impossible, both given and left open, or
            missing from a whole chart.
    """
    _known(given, GIVEN, "a case can give no")
    for open_part in _choices(given, fragment):
        yield build_request(_plain({**given, **open_part}, tables), lexicon)


def needs_year(given: Mapping[str, Any]) -> bool:
    """Whether an age is told and no year to count it from."""
    return _ages(given) and "year" not in given


def _choices(
    given: Mapping[str, Any], fragment: Mapping[str, Any] | None
) -> Iterator[dict[str, Any]]:
    if fragment is None:
        yield {}
        return
    _known(fragment, OPEN, "a fragment can leave open no")
    for key in fragment:
        if key in given:
            raise UserError(f"«{key}» is both given and left open; keep one.")
    axes = [[{key: value} for value in _open(key, values)] for key, values in fragment.items()]
    known = set(given) | set(fragment)
    plate = bool({"offset", "month_general"} & known)
    if "day" not in known and not plate:
        # Over sixty days each branch meets five plates and each stem six.
        axes.append([{"day": d, "offset": (i + i // 12) % 12} for i, d in enumerate(SIXTY)])
    elif "day" not in known:
        axes.append([{"day": d} for d in SIXTY])
    elif not plate:
        axes.append([{"offset": n} for n in range(12)])
    for choice in product(*axes):
        yield {key: value for part in choice for key, value in part.items()}


def _open(key: str, values: object) -> tuple[Any, ...]:
    """The values of an open input: a list or ``all``; days also by stem, branch, decade."""
    if values == "all" and key in _ALL:
        return _ALL[key]
    if not isinstance(values, list) or not values:
        raise UserError(
            f"the open «{key}» wants a list of values" + (" or all." if key in _ALL else ".")
        )
    if key != "day":
        return tuple(values)
    return tuple(dict.fromkeys(day for value in values for day in days_of(str(value))))


def days_of(value: str) -> tuple[str, ...]:
    """The days that a ganzhi, a stem, a branch or a decade (甲戌旬) names.

    Raises:
        UserError: *value* is none of them.
    """
    if value in SIXTY_INDEX:
        return (value,)
    if value in STEM_INDEX or value in BRANCH_INDEX:
        return tuple(d for d in SIXTY if value in d)
    head = value.removesuffix("旬")
    if head != value and head in SIXTY_INDEX and SIXTY_INDEX[head] % 10 == 0:
        return SIXTY[SIXTY_INDEX[head] : SIXTY_INDEX[head] + 10]
    raise UserError(
        f"«{value}» names no days; a ganzhi, a stem, a branch or a decade such as 甲戌旬 is accepted."
    )


def _plain(values: dict[str, Any], tables: Tables) -> dict[str, Any]:
    """*values* with ``offset`` and ``age`` turned into inputs of a question."""
    if "offset" in values:
        values |= _plate(values, values.pop("offset"), tables)
    if not _ages(values):
        return values
    if "moment" in values and "year" not in values:
        raise UserError("an age beside a moment needs the year too; give year, or born instead.")
    year = str(values.setdefault("year", _ANY_YEAR))
    if isinstance(persons := values.get("persons"), Mapping):
        values["persons"] = {role: _aged(role, told, year) for role, told in persons.items()}
    return dict(_aged("the asker", values, year))


def _ages(values: Mapping[str, Any]) -> bool:
    """Whether anyone's age is told."""
    persons = values.get("persons")
    people = (values, *(persons.values() if isinstance(persons, Mapping) else ()))
    return any(isinstance(p, Mapping) and "age" in p for p in people)


def _plate(values: Mapping[str, Any], offset: object, tables: Tables) -> dict[str, str]:
    """Hour and month general; what is missing of them is made to fit the offset.

    An hour, month or general that is none is left for the caster to refuse.
    """
    if not isinstance(offset, int) or isinstance(offset, bool) or not 0 <= offset <= 11:
        raise UserError(f"the offset «{offset}» is no plate; a number from 0 to 11 is accepted.")
    hour, general, month = (
        normalise(str(values[k]))[-1:] if values.get(k) is not None else None
        for k in ("hour", "month_general", "month")
    )
    if general is None and hour is not None:
        return {"month_general": step(hour, offset)} if hour in BRANCH_INDEX else {}
    if general is None:
        # The general that may fall in the month; without a month any will do.
        general = tables.branch_combine.get(month or "丑", "子")
    if general not in BRANCH_INDEX:
        return {}
    fits = step(general, -offset)
    if hour in BRANCH_INDEX and hour != fits:
        raise UserError(f"the offset «{offset}» contradicts hour {hour} under general {general}.")
    return {"hour": str(values.get("hour") or fits), "month_general": general}


def _aged(role: str, told: Any, year: str) -> Any:
    """What is told of a person with 本命 for the age: birth is in the first year of life."""
    if not isinstance(told, Mapping) or "age" not in told:
        return told
    age = told["age"]
    rest = {k: v for k, v in told.items() if k != "age"}
    if "born" in told or "natal" in told:
        return rest
    if not isinstance(age, int) or isinstance(age, bool) or age < 1:
        raise UserError(f"the age «{age}» of {role} is no whole number of years from 1.")
    pair = SIXTY[(int(year) - 4) % 60] if year.lstrip("-").isdigit() else normalise(year)
    if pair not in SIXTY_INDEX:
        raise UserError(f"the age of {role} needs the year as a number or a ganzhi, not «{year}».")
    return {**rest, "natal": SIXTY[(SIXTY_INDEX[pair] - age + 1) % 60]}


def _known(data: Mapping[str, Any], known: tuple[str, ...], what: str) -> None:
    for key in data:
        if key not in known:
            near = nearest(key, known)
            hint = f"did you mean {near}?" if near else f"known: {', '.join(known)}."
            raise UserError(f"{what} «{key}»; {hint}")
