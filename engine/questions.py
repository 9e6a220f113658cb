"""From what people write (options, saved questions, examples) to a :class:`Question`.

One mapping of plain values serves the command line, ``--reading FILE``, the
examples of rule files and the cases: keys ``moment tz place longitude latitude
day hour month_general year month term lunar noble natal annual born sex persons
told`` and, beside the question, ``doctrine set variants topic``.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any

from liuren.engine.normalise import normalise
from liuren.facts.errors import UserError
from liuren.facts.points import nearest
from liuren.facts.question import PersonInput, Question

from .language.scope import Lexicon

QUESTION_KEYS = (
    "moment", "tz", "place", "longitude", "latitude", "day", "hour", "month_general", "year",
    "month", "term", "lunar", "noble", "natal", "annual", "born", "sex", "persons", "told",
)  # fmt: skip
REQUEST_KEYS = ("doctrine", "set", "variants", "topic")
PERSON_KEYS = ("born", "sex", "natal", "annual")

_SEX = {"m": "男", "male": "男", "男": "男", "남": "男", "f": "女", "female": "女", "女": "女", "여": "女"}
_NOBLE = {"day": "晝", "晝": "晝", "night": "夜", "夜": "夜"}


@dataclass(frozen=True, slots=True)
class Request:
    """A question with how it is to be read.

    Attributes:
        question: the inputs of the chart.
        doctrine: one doctrine for all texts, or ``None`` for each its own.
        sets: options set apart from the doctrine.
        variants: ``passage:crux`` to the chosen option of a reading.
        topic: the topic asked about, or ``None``.
    """

    question: Question
    doctrine: str | None = None
    sets: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))
    variants: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))
    topic: str | None = None


def build_request(given: Mapping[str, Any], lexicon: Lexicon, where: str = "") -> Request:
    """Read a mapping of plain values.

    Args:
        given: see the module; ``None`` values count as not given.
        lexicon: for topics, roles and told facts.
        where: prefix of error messages (a file name), or "".

    Raises:
        UserError: an unknown key, or a value that cannot be read.
    """
    values = {k: v for k, v in given.items() if v is not None}
    for key in values:
        if key not in (*QUESTION_KEYS, *REQUEST_KEYS):
            near = nearest(key, [*QUESTION_KEYS, *REQUEST_KEYS])
            raise UserError(f"{where}«{key}» is no part of a question" + (f"; did you mean {near}?" if near else "."))
    topic = values.get("topic")
    return Request(
        question=_question(values, lexicon),
        doctrine=_text(values.get("doctrine")),
        sets=_pairs(values.get("set"), "set"),
        variants=_pairs(values.get("variants"), "variants"),
        topic=None if topic is None else find_topic(str(topic), lexicon),
    )


def find_topic(name: str, lexicon: Lexicon) -> str:
    """The topic called *name*, aliases included.

    Raises:
        UserError: there is none; the nearest are named.
    """
    if name in lexicon.topics:
        return name
    if name in lexicon.aliases:
        return lexicon.aliases[name]
    near = nearest(name, [*lexicon.topics, *lexicon.aliases])
    hint = f"did you mean {near}?" if near else f"known: {', '.join(lexicon.topics)}."
    raise UserError(f"«{name}» is no topic; {hint}")


def _question(values: Mapping[str, Any], lexicon: Lexicon) -> Question:
    from .calendar.moment import has_zone, parse_moment
    from .calendar.places import find_place

    moment, tz = values.get("moment"), _text(values.get("tz"))
    if moment is not None and tz is None and "place" in values and not has_zone(str(moment)):
        tz = find_place(str(values["place"])).tz
    if moment is None and values.get("tz") is not None:
        raise UserError("A time zone is given without a moment; give the moment as well, or leave it out.")
    if moment is None:
        missing = [k for k in ("day", "hour", "month_general") if k not in values]
        if missing:
            named = ", ".join(f"--{m.replace('_', '-')}" for m in missing)
            raise UserError(f"The question gives no moment and lacks {named}; a chart needs a moment, or day, hour and month general.")
    return Question(
        moment=None if moment is None else parse_moment(str(moment), tz),
        place=_text(values.get("place")),
        longitude=_number(values.get("longitude"), "longitude", 180),
        latitude=_number(values.get("latitude"), "latitude", 90),
        **{k: _sign(values.get(k)) for k in ("day", "hour", "month_general", "year", "month", "term")},
        lunar=None if values.get("lunar") is None else parse_lunar(values["lunar"]),
        noble=_choice(values.get("noble"), _NOBLE, "nobleman", "day or night"),
        persons=MappingProxyType(_persons(values, lexicon)),
        told=MappingProxyType(_told(values.get("told"), lexicon)),
    )


def _persons(values: Mapping[str, Any], lexicon: Lexicon) -> dict[str, PersonInput]:
    found: dict[str, PersonInput] = {}
    querent = {k: values[k] for k in PERSON_KEYS if k in values}
    if querent:
        found["querent"] = _person("querent", querent)
    persons = values.get("persons") or {}
    if not isinstance(persons, Mapping):
        raise UserError("`persons` maps roles to persons, as in {wife: {born: 1980, sex: f}}.")
    for role, told in persons.items():
        if role not in lexicon.points.roles:
            near = nearest(str(role), lexicon.points.roles)
            hint = f"did you mean {near}?" if near else f"known: {', '.join(sorted(lexicon.points.roles))}."
            raise UserError(f"«{role}» is no role of a person; {hint}")
        found[str(role)] = _person(str(role), told)
    return found


def _person(role: str, told: Any) -> PersonInput:
    if not isinstance(told, Mapping) or not set(told) <= set(PERSON_KEYS):
        raise UserError(f"The person {role} is given by {', '.join(PERSON_KEYS)}, not by «{told}».")
    born = told.get("born")
    if born is not None and not re.fullmatch(r"-?\d{1,4}", str(born)):
        raise UserError(f"The birth year «{born}» of {role} is no year; write it as 1975.")
    return PersonInput(
        born=None if born is None else int(born),
        sex=_choice(told.get("sex"), _SEX, f"sex of {role}", "m or f"),
        natal=_sign(told.get("natal")),
        annual=_sign(told.get("annual")),
    )


def _told(data: Any, lexicon: Lexicon) -> dict[str, str]:
    found = {}
    for name, value in _pairs(data, "told").items():
        if name not in lexicon.told:
            near = nearest(name, lexicon.told)
            hint = f"did you mean {near}?" if near else f"known: {', '.join(lexicon.told)}."
            raise UserError(f"«{name}» is no fact that can be told; {hint}")
        if value not in lexicon.told[name]:
            raise UserError(f"The told fact {name} cannot be «{value}»; it is {' or '.join(lexicon.told[name])}.")
        found[name] = value
    return found


_LUNAR = re.compile(r"(?P<leap>L|l|leap ?|閏|闰|윤)?(?P<month>\d{1,2})-(?P<day>\d{1,2})(?P<after>L|l| ?leap)?")


def parse_lunar(data: Any) -> tuple[int, int, bool]:
    """A lunar date: ``1-15``, ``L4-1`` or ``閏4-1`` for a leap month, or its parts.

    Raises:
        UserError: it cannot be read, or there is no such month or day.
    """
    if isinstance(data, list | tuple) and len(data) == 3:
        return int(data[0]), int(data[1]), bool(data[2])
    match = _LUNAR.fullmatch(str(data).strip())
    if match is None:
        raise UserError(f"The lunar date «{data}» cannot be read; write month and day as 1-15, a leap month as L4-1.")
    month, day = int(match["month"]), int(match["day"])
    if not (1 <= month <= 12 and 1 <= day <= 30):
        raise UserError(f"The lunar date «{data}» does not exist; months are 1 to 12 and days 1 to 30.")
    return month, day, bool(match["leap"] or match["after"])


def _pairs(data: Any, what: str) -> Mapping[str, str]:
    if data is None:
        return MappingProxyType({})
    if not isinstance(data, Mapping):
        raise UserError(f"`{what}` wants names with values, as in {{NAME: VALUE}}, not «{data}».")
    return MappingProxyType({str(k): str(v) for k, v in data.items()})


def _text(value: Any) -> str | None:
    return None if value is None else str(value)


def _sign(value: Any) -> str | None:
    return None if value is None else normalise(str(value))


def _choice(value: Any, known: Mapping[str, str], what: str, accepted: str) -> str | None:
    if value is None:
        return None
    text = normalise(str(value))
    found = known.get(text) or known.get(text.lower())
    if found is None:
        raise UserError(f"The {what} cannot be «{value}»; write {accepted}.")
    return found


def _number(value: Any, what: str, limit: int) -> float | None:
    if value is None:
        return None
    try:
        number = float(value)
    except (TypeError, ValueError):
        raise UserError(f"The {what} «{value}» is no number of degrees.") from None
    if not -limit <= number <= limit:
        raise UserError(f"The {what} {value} is outside -{limit} to {limit} degrees.")
    return number
