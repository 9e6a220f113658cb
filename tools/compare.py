"""``liuren compare``: two doctrines on one question, down to the verdicts that change."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import Any

from liuren.engine.doctrine import option_values
from liuren.engine.library import Library
from liuren.engine.questions import Request
from liuren.engine.reading import Reading
from liuren.facts.errors import UserError

from .layout import table
from .sidebyside import differences_json, differences_lines
from .words import Words

SCHEMA = "liuren.compare/1"
"""Version of ``compare --json``."""


def other_school(request: Request, doctrine: str | None, sets: Mapping[str, str]) -> Request:
    """The same question under another school.

    Args:
        request: the question, with the school it is first read under.
        doctrine: the other doctrine; ``None`` keeps the first one.
        sets: options of the other school; with a doctrine named they are all it has, and
            without one they come over those of the first.

    Raises:
        UserError: neither is given.
    """
    if doctrine is None and not sets:
        raise UserError("compare wants another school; give --with DOCTRINE or --with-set OPTION=VALUE.")
    if doctrine is not None:
        return replace(request, doctrine=doctrine, sets=MappingProxyType(dict(sets)))
    return replace(request, sets=MappingProxyType({**request.sets, **sets}))


def parting_options(library: Library, before: Reading, after: Reading) -> list[dict[str, Any]]:
    """Text by text, the options on which the two charts part."""
    found = []
    for text, old in before.texts.items():
        a, b = old.chart.doctrine, after.texts[text].chart.doctrine
        for option in option_values(library.data):
            if a[option] != b[option]:
                found.append({"text": text, "option": option, "before": a[option], "after": b[option]})
    return found


def compare_json(before: Reading, after: Reading) -> dict[str, Any]:
    """``compare --json``: the charts' schools, the options that part, and every difference."""
    return {
        "schema": SCHEMA,
        "texts": {
            text: {"before": old.chart.id, "after": after.texts[text].chart.id}
            for text, old in before.texts.items()
        },
        "options": parting_options(before.library, before, after),
        **differences_json(before, after),
    }


def compare_lines(before: Reading, after: Reading, words: Words) -> list[str]:
    """The same as text: the options first, then text by text what changes and why."""
    pairs: dict[tuple[str, str, str], list[str]] = {}
    for part in parting_options(before.library, before, after):
        pairs.setdefault((part["option"], part["before"], part["after"]), []).append(part["text"])
    rows = [
        [option, _option(option, words), _value(option, a, words), "→", _value(option, b, words), " ".join(texts)]
        for (option, a, b), texts in pairs.items()
    ]
    title = " ".join((_schools(before), "→", _schools(after)))
    head = [words.ui("options"), *table(rows, indent="  ")] if rows else []
    return differences_lines(before, after, f"{words.ui('compare')} {title}", head, words)


def _schools(reading: Reading) -> str:
    return ", ".join(dict.fromkeys(t.chart.id for t in reading.texts.values()))


def _option(option: str, words: Words) -> str:
    data = words.library.data
    spirit = data.spirits.get(option.removeprefix("spirit."))
    return words.pick(spirit if spirit and option.startswith("spirit.") else data.doctrines["options"][option])


def _value(option: str, value: str, words: Words) -> str:
    if option.startswith("spirit."):
        return value
    return f"{value} ({words.pick(words.library.data.doctrines['options'][option]['values'][value])})"
