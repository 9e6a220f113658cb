"""``liuren spirits``: the spirits of a chart, and the tables of all of them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import click
from liuren.engine.casting.spirits import spirit_entry
from liuren.engine.data import KnowledgeData
from liuren.engine.doctrine import SPIRIT_DEFAULT, Doctrine
from liuren.engine.library import Library
from liuren.facts.chart import Chart
from liuren.facts.question import Question

from .layout import table
from .schools import table_json, table_words
from .words import LANGUAGES, Words

SCHEMA = "liuren.spirits/1"
"""Version of ``spirits --json``."""

_PLACES = ("initial", "middle", "final", "lesson1", "lesson2", "lesson3", "lesson4")


def spirits_of(question: Question, school: Doctrine, library: Library) -> dict[str, Any]:
    """Every spirit on the chart of *question*, with its rivals' branches beside it.

    A spirit whose input is missing has no branch and says what it needs; one that the
    day has none of (an eve) has neither.

    Raises:
        UserError: the question cannot be cast.
    """
    chart = library.chart(question, school)
    others = _under_rivals(question, school, library)
    return {
        "schema": SCHEMA,
        "chart": chart.id,
        "spirits": [_spirit(library.data, key, chart, others) for key in library.data.spirits],
    }


def _under_rivals(question: Question, school: Doctrine, library: Library) -> dict[tuple[str, str], Chart]:
    """The chart under every table of every spirit that has rivals."""
    return {
        (key, rival): library.chart(question, school.with_set({f"spirit.{key}": rival}))
        for key, spirit in library.data.spirits.items()
        for rival in (SPIRIT_DEFAULT, *spirit.get("rivals", ()))
        if "rivals" in spirit
    }


def _spirit(data: KnowledgeData, key: str, chart: Chart, others: Mapping[tuple[str, str], Chart]) -> dict[str, Any]:
    spirit = data.spirits[key]
    chosen = chart.doctrine.get(f"spirit.{key}", SPIRIT_DEFAULT)
    entry = spirit_entry(data, key, chosen)
    rivals = [
        {"name": rival, **_place(other, entry["zh"]), **_source(spirit_entry(data, key, rival))}
        for (of, rival), other in others.items()
        if of == key
    ]
    return {
        "key": key, **{language: spirit[language] for language in LANGUAGES}, "basis": entry["basis"],
        **_place(chart, entry["zh"]), "needs": list(chart.spirit_needs.get(entry["zh"], ())),
        **_source(entry), "table": chosen, "tables": rivals,
    }  # fmt: skip


def _place(chart: Chart, name: str) -> dict[str, Any]:
    """Where a spirit is: heaven branch, the earth it stands on, its general, where it is met."""
    branch = chart.spirits.get(name)
    if branch is None:
        return {"branch": None, "seat": None, "general": None, "in": []}
    signs = [t.branch for t in chart.transmissions] + [lesson.upper for lesson in chart.lessons]
    return {
        "branch": branch,
        "seat": chart.under(branch),
        "general": chart.general_of[branch],
        "in": [place for place, sign in zip(_PLACES, signs, strict=True) if sign == branch],
    }


def _source(entry: Mapping[str, Any]) -> dict[str, Any]:
    return {"source": entry["source"], "books": list(entry.get("books", ()))}


def all_spirits(data: KnowledgeData) -> dict[str, Any]:
    """Every spirit with its tables, the common one first."""
    return {
        "schema": SCHEMA,
        "spirits": [
            {
                "key": key,
                **{language: spirit[language] for language in LANGUAGES},
                "tables": [
                    _table_of(spirit_entry(data, key, rival), rival)
                    for rival in (SPIRIT_DEFAULT, *spirit.get("rivals", ()))
                ],
            }
            for key, spirit in data.spirits.items()
        ],
    }


def _table_of(entry: Mapping[str, Any], rival: str) -> dict[str, Any]:
    return {
        "name": rival, "basis": entry["basis"], "words": table_words(entry), "table": table_json(entry),
        **_source(entry),
    }  # fmt: skip


# --- text --------------------------------------------------------------------------


def spirits_lines(found: Mapping[str, Any], words: Words) -> list[str]:
    """The spirits of a chart as text, those that wait for an input at the end."""
    known = [s for s in found["spirits"] if s["branch"] is not None]
    waiting = [s for s in found["spirits"] if s["needs"]]
    head = [words.ui(k) for k in ("spirit", "branch_value", "seat", "general", "met_in", "basis", "source")]
    rows = [head, *(_row(s, words) for s in known)]
    lines = [f"{words.ui('chart')} {found['chart']}", "", *table(rows)]
    parted = [s for s in found["spirits"] if s["tables"]]
    if parted:
        lines += ["", click.style(words.ui("rival_tables"), bold=True), *table((_rivals(s, words) for s in parted), indent="  ")]
    if waiting:
        lines += ["", click.style(words.ui("unknown"), bold=True)]
        lines += table(([_named(s, words), f"{words.ui('needs')} {', '.join(s['needs'])}"] for s in waiting), indent="  ")
    return lines


def _row(spirit: Mapping[str, Any], words: Words) -> list[str]:
    met = " ".join(words.ui(place) for place in spirit["in"])
    return [
        _named(spirit, words), spirit["branch"], spirit["seat"], spirit["general"], met or "—",
        words.ui(f"basis_{spirit['basis']}"), source_words(spirit, words),
    ]  # fmt: skip


def _rivals(spirit: Mapping[str, Any], words: Words) -> list[str]:
    cells = [
        f"{'▸' if table['name'] == spirit['table'] else ' '}{table['name']} {table['branch'] or '—'} ({source_words(table, words)})"
        for table in spirit["tables"]
    ]
    return [_named(spirit, words), *cells]


def _named(spirit: Mapping[str, Any], words: Words) -> str:
    name: str = spirit["zh"]
    return name if words.language == "zh" else f"{name} {words.pick(spirit)}"


def source_words(entry: Mapping[str, Any], words: Words) -> str:
    """Where a table is stated: the passage, or the books outside the four texts."""
    if entry["source"] != "external":
        return words.passage(entry["source"])
    books = "、".join(entry["books"])
    return words.ui("external") + (f": {books}" if books else "")


def all_spirits_lines(found: Mapping[str, Any], words: Words) -> list[str]:
    """Every spirit's tables as text."""
    rows = [[words.ui(k) for k in ("spirit", "table", "basis", "branch_value", "source")]]
    for spirit in found["spirits"]:
        for n, each in enumerate(spirit["tables"]):
            name = _named(spirit, words) if n == 0 else ""
            rows.append(
                [name, each["name"], words.ui(f"basis_{each['basis']}"), each["words"], source_words(each, words)]
            )
    return table(rows)
