"""``liuren schools``: every option with its values, who holds each, and what each changes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import click
from liuren.engine.casting.spirits import spirit_entry, spirit_table
from liuren.engine.counts import Count, Counter
from liuren.engine.data import KnowledgeData
from liuren.engine.doctrine import load_doctrine, option_values
from liuren.facts.errors import UserError
from liuren.facts.points import nearest

from .files import write_whole
from .progress import Progress
from .words import LANGUAGES, Words

SCHEMA = "liuren.schools/1"
"""Version of ``schools --json``."""

_SPIRIT = "spirit."
Named = dict[str, str]
Counts = Mapping[tuple[str, str], Count]


def chosen_options(data: KnowledgeData, asked: Iterable[str]) -> list[str]:
    """The options asked for, or all, in the file's order.

    Raises:
        UserError: one is no option; the nearest is named.
    """
    known, wanted = option_values(data), list(asked)
    for name in wanted:
        if name not in known:
            near = nearest(name, known)
            hint = f"did you mean {near}?" if near else f"known: {', '.join(known)}."
            raise UserError(f"«{name}» is no option of a school; {hint}")
    return [name for name in known if not wanted or name in wanted]


def count_choices(data: KnowledgeData, options: list[str]) -> dict[tuple[str, str], Count]:
    """What every choice of *options* changes against the default, with progress."""
    counter = Counter(data)
    choices = [choice for choice in counter.choices() if choice[0] in options]
    found = {}
    with Progress("schools", len(choices)) as progress:
        for choice in choices:
            found[choice] = counter.count(*choice)
            progress.step()
    return found


def schools_json(data: KnowledgeData, options: list[str], counts: Counts | None) -> dict[str, Any]:
    """``schools --json``: options with values in their order, the default first, and the doctrines."""
    return {
        "schema": SCHEMA,
        "moments": dict(data.doctrines["moments"]),
        "options": [_option(data, option, counts) for option in options],
        "doctrines": [
            {"name": name, **_names(entry), "set": {o: str(v) for o, v in entry["set"].items()}}
            for name, entry in data.doctrines["doctrines"].items()
        ],
    }


def _option(data: KnowledgeData, option: str, counts: Counts | None) -> dict[str, Any]:
    values = option_values(data)[option]
    entry: Mapping[str, Any] = (
        data.spirits[option.removeprefix(_SPIRIT)]
        if option.startswith(_SPIRIT)
        else data.doctrines["options"][option]
    )
    return {
        "option": option,
        **_names(entry),
        "default": values[0],
        "values": [_value(data, option, value, counts) for value in values],
    }


def _value(data: KnowledgeData, option: str, value: str, counts: Counts | None) -> dict[str, Any]:
    if option.startswith(_SPIRIT):
        entry = spirit_entry(data, option.removeprefix(_SPIRIT), value)
        body = _rival(entry, value)
    else:
        entry = data.doctrines["options"][option]["values"][value]
        body = {**_names(entry), "what": dict(entry["what"]), "held_by": [_held(h) for h in entry["held_by"]]}
    count = None if counts is None else counts.get((option, value))
    return {
        "value": value,
        **body,
        "doctrines": _choosing(data, option, value),
        "changes": None if count is None else count_json(count),
    }


def _rival(entry: Mapping[str, Any], value: str) -> dict[str, Any]:
    """A value of a spirit's option: its table, spelt out, and the books that have it."""
    table = table_words(entry)
    books = [*entry.get("books", ()), *([] if entry["source"] == "external" else [entry["source"]])]
    held = [{"book": book, "evidence": dict.fromkeys(LANGUAGES, table)} for book in books or ["common practice"]]
    name = dict.fromkeys(LANGUAGES, "、".join(books) or value)
    return {**name, "what": dict.fromkeys(LANGUAGES, table), "held_by": held}


def table_words(entry: Mapping[str, Any]) -> str:
    """The table of a spirit in one line: branch by branch from 寅 for months, else by groups."""
    if "table" not in entry:
        return str(entry.get("stage") or "、".join(entry.get("terms", ())) or entry["basis"])
    if isinstance(entry["table"], str):
        return str(entry["table"])
    return " ".join(f"{signs}{branch}" for signs, branch in entry["table"].items())


def table_json(entry: Mapping[str, Any]) -> dict[str, str] | None:
    """The table of a spirit, sign to branch; ``None`` for a spirit found otherwise."""
    return spirit_table(entry["table"]) if "table" in entry else None


def _held(held: Mapping[str, Any]) -> dict[str, Any]:
    return {"book": held["book"], "evidence": dict(held["evidence"])}


def _names(entry: Mapping[str, Any]) -> Named:
    return {language: entry[language] for language in LANGUAGES}


def _choosing(data: KnowledgeData, option: str, value: str) -> list[str]:
    """The named doctrines that choose *value*."""
    names = data.doctrines["doctrines"]
    return [name for name in names if load_doctrine(name, data).options[option] == value]


def count_json(count: Count) -> dict[str, Any]:
    """A count as data."""
    return {
        "over": count.over, "of": count.base, "changed": count.changed, "in": dict(count.shows),
        "lessons": count.lessons,
    }  # fmt: skip


# --- text --------------------------------------------------------------------------


def schools_lines(found: Mapping[str, Any], words: Words) -> list[str]:
    """What :func:`schools_json` found, as text."""
    lines: list[str] = []
    for option in found["options"]:
        head = click.style(option["option"], bold=True)
        lines += [*([""] if lines else []), f"{head}  {words.pick(option)}"]
        for value in option["values"]:
            mark = f" ({words.ui('default')})" if value["value"] == option["default"] else ""
            lines.append(f"  {click.style(value['value'], underline=True)}{mark}  {words.pick(value)}")
            lines.append(f"      {words.pick(value['what'])}")
            lines += [f"      {held}" for held in _held_lines(option, value, words)]
            lines += _doctrine_lines(value, words)
            if value["changes"] is not None:
                lines.append(f"      {words.ui('changes')}: {count_words(option['option'], value['changes'], words)}")
    return lines


def _held_lines(option: Mapping[str, Any], value: Mapping[str, Any], words: Words) -> list[str]:
    if option["option"].startswith(_SPIRIT):
        # A table is its own evidence, and stands in the line above.
        return [f"{words.ui('held_by')} {'、'.join(_book(h['book'], words) for h in value['held_by'])}"]
    return [
        click.style(f"{words.ui('held_by')} {_book(h['book'], words)}: {words.pick(h['evidence'])}", dim=True)
        for h in value["held_by"]
    ]


def _doctrine_lines(value: Mapping[str, Any], words: Words) -> list[str]:
    if not value["doctrines"]:
        return []
    return [click.style(f"      {words.ui('doctrines')}: {' '.join(value['doctrines'])}", dim=True)]


def _book(name: str, words: Words) -> str:
    """A book's own name, or the word for those who have none."""
    return words.ui("holder_" + name.replace(" ", "_")) if name.isascii() and "." not in name else name


def count_words(option: str, changes: Mapping[str, Any], words: Words) -> str:
    """A count in words: how many of how many charts, in what, and how many of the 720 lessons."""
    over = words.ui("over_" + changes["over"].replace("-", "_"))
    text = f"{changes['changed']} / {changes['of']} {over}"
    shows = {name: n for name, n in changes["in"].items() if n}
    if len(changes["in"]) > 1 and shows:
        text += " (" + ", ".join(f"{words.ui('shows_' + name)} {n}" for name, n in shows.items()) + ")"
    elif not option.startswith(_SPIRIT):
        text += " (" + ", ".join(words.ui("shows_" + name) for name in changes["in"]) + ")"
    if changes["lessons"] is not None and changes["of"] != 720:
        text += f"; {changes['lessons']} / 720 {words.ui('over_lessons')}"
    return text


# --- the page ----------------------------------------------------------------------


def schools_page(found: Mapping[str, Any], words: Words) -> str:
    """What :func:`schools_json` found, as a page of Markdown."""
    moments = found["moments"]
    lines = [f"# {words.ui('schools_title')}", "", words.ui("schools_intro"), ""]
    lines += [words.ui("schools_moments").format(**moments), ""]
    lines += [f"## {words.ui('summary')}", ""]
    lines += _table([words.ui(k) for k in ("option", "value", "changes")], _summary(found, words))
    for option in found["options"]:
        lines += ["", f"## {words.pick(option)} `{option['option']}`", ""]
        rows = [_page_row(option, value, words) for value in option["values"]]
        lines += _table([words.ui(k) for k in ("value", "what", "held_by", "doctrines", "changes")], rows)
    lines += ["", f"## {words.ui('doctrines')}", ""]
    doctrines = [
        [f"`{d['name']}`", words.pick(d), "<br>".join(f"`{o}` = `{v}`" for o, v in d["set"].items()) or "—"]
        for d in found["doctrines"]
    ]
    lines += _table([words.ui(k) for k in ("doctrine", "name", "options")], doctrines)
    return "\n".join(lines) + "\n"


def _summary(found: Mapping[str, Any], words: Words) -> list[list[str]]:
    return [
        [f"`{option['option']}` {words.pick(option)}", f"`{value['value']}`", count_words(option["option"], value["changes"], words)]
        for option in found["options"]
        for value in option["values"]
        if value["changes"] is not None
    ]


def _page_row(option: Mapping[str, Any], value: Mapping[str, Any], words: Words) -> list[str]:
    default = f" ({words.ui('default')})" if value["value"] == option["default"] else ""
    spirit = option["option"].startswith(_SPIRIT)
    held = [
        _book(h["book"], words) + ("" if spirit else f": {words.pick(h['evidence'])}")
        for h in value["held_by"]
    ]
    changes = "—" if value["changes"] is None else count_words(option["option"], value["changes"], words)
    name = "" if spirit else f"<br>{words.pick(value)}"
    doctrines = " ".join(value["doctrines"]) or "—"
    return [f"`{value['value']}`{default}{name}", words.pick(value["what"]), "<br>".join(held), doctrines, changes]


def _table(head: list[str], rows: list[list[str]]) -> list[str]:
    def row(cells: list[str]) -> str:
        return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"

    return [row(head), row(["---"] * len(head)), *map(row, rows)]


def write_page(found: Mapping[str, Any], words: Words, path: str, force: bool) -> None:
    """Write the page, whole or not at all.

    Raises:
        UserError: the file exists and *force* is not set, or it cannot be written.
    """
    write_whole(Path(path), schools_page(found, words), force)

