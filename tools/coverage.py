"""``liuren kb coverage``: what became of every clause, by text and chapter."""

from __future__ import annotations

import html
from collections.abc import Iterable
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

from liuren.engine.editions import uncovered
from liuren.engine.language.passages import Passage
from liuren.engine.library import Library
from liuren.facts.errors import UserError

from .files import write_whole
from .layout import table
from .words import Words

SCHEMA = "liuren.coverage/1"


@dataclass(frozen=True, slots=True)
class Counts:
    """What a chapter holds.

    Attributes:
        passages: passages.
        clauses: clauses: a table of rules is one; the sum of the five below.
        as_rules: clauses written as rules.
        worked, notes, untranslatable: clauses of these fates.
        open: clauses without a fate yet.
        rules: rules, every row of a table for itself.
        readings: places that can be read in several ways.
        examples: examples.
    """

    passages: int = 0
    clauses: int = 0
    as_rules: int = 0
    worked: int = 0
    notes: int = 0
    untranslatable: int = 0
    open: int = 0
    rules: int = 0
    readings: int = 0
    examples: int = 0

    def __add__(self, other: Counts) -> Counts:
        return Counts(*(getattr(self, f.name) + getattr(other, f.name) for f in fields(Counts)))


COLUMNS = tuple(f.name for f in fields(Counts))


@dataclass(frozen=True, slots=True)
class Coverage:
    """Counts by chapter (passage file), and lines of the editions in no passage.

    Attributes:
        chapters: text to file name to counts, in the order of texts.yaml.
        uncovered: edition to its Chinese lines that stand in no passage; ``None``
            where the editions were not at hand.
    """

    chapters: dict[str, dict[str, Counts]]
    uncovered: dict[str, list[int]] | None

    def of_text(self, text: str) -> Counts:
        """The sum of a text."""
        return total(self.chapters[text].values())


def total(counts: Iterable[Counts]) -> Counts:
    """The sum of several."""
    return sum(counts, Counts())


def count(library: Library, texts: str | None = None) -> Coverage:
    """Count a loaded knowledge base.

    Args:
        library: the knowledge base.
        texts: folder of the edition files, if the reader has them.

    Raises:
        UserError: the folder or an edition in it cannot be read.
    """
    chapters: dict[str, dict[str, Counts]] = {t: {} for t in library.kb.texts}
    for passage in library.kb.passages.values():
        files = chapters[passage.text]
        files[passage.file] = files.get(passage.file, Counts()) + of_passage(passage)
    return Coverage(chapters, uncovered(library.kb, Path(texts)) if texts else None)


def of_passage(passage: Passage) -> Counts:
    """What one passage holds."""
    fates = [c.fate for c in passage.clauses]
    as_rules = len({r.clause for r in passage.rules})
    return Counts(
        passages=1,
        clauses=as_rules + len(fates),
        as_rules=as_rules,
        worked=fates.count("worked"),
        notes=fates.count("notes"),
        untranslatable=fates.count("untranslatable"),
        open=fates.count("open"),
        rules=len(passage.rules),
        readings=len(passage.cruces),
        examples=len(passage.examples),
    )


def coverage_json(found: Coverage) -> dict[str, Any]:
    """``kb coverage --json``: texts with their chapters, and the sum of all."""
    return {
        "schema": SCHEMA,
        "texts": {
            text: {
                "total": _plain(found.of_text(text)),
                "chapters": {name: _plain(c) for name, c in files.items()},
            }
            for text, files in found.chapters.items()
        },
        "total": _plain(total(found.of_text(t) for t in found.chapters)),
        "uncovered": found.uncovered,
    }


def _plain(counts: Counts) -> dict[str, int]:
    return {name: getattr(counts, name) for name in COLUMNS}


def _rows(found: Coverage, words: Words) -> list[tuple[str, list[str]]]:
    """Rows of the table as (kind, cells): head, text, chapter, sum."""
    rows = [("head", ["", *(words.ui(f"cover_{c}") for c in COLUMNS)])]
    for text, files in found.chapters.items():
        rows.append(("text", [words.text(text), *_cells(found.of_text(text))]))
        rows += [("chapter", [_chapter(name), *_cells(c)]) for name, c in files.items()]
    rows.append(("sum", [words.ui("cover_sum"), *_cells(total(found.of_text(t) for t in found.chapters))]))
    return rows


def _chapter(name: str) -> str:
    return name.removeprefix("texts/").removesuffix(".yaml")


def _cells(counts: Counts) -> list[str]:
    return [str(getattr(counts, name)) for name in COLUMNS]


def coverage_lines(found: Coverage, words: Words) -> list[str]:
    """The table, and what stands in no passage."""
    rows = [[f"  {cells[0]}" if kind == "chapter" else cells[0], *cells[1:]] for kind, cells in _rows(found, words)]
    return [*table(rows), *_uncovered(found, words)]


def _uncovered(found: Coverage, words: Words) -> list[str]:
    if found.uncovered is None:
        return []
    return [
        f"{id}: " + (words.ui("cover_lines").format(n=", ".join(map(str, at))) if at else words.ui("cover_all"))
        for id, at in found.uncovered.items()
    ]


def write_page(found: Coverage, path: str, words: Words, force: bool) -> None:
    """Write the table as Markdown or HTML, as the name of the file says.

    Raises:
        UserError: the name says neither, or the file cannot be written.
    """
    makers = {".md": markdown, ".html": page_html, ".htm": page_html}
    if Path(path).suffix not in makers:
        raise UserError(f"{path}: a page is .md or .html.")
    write_whole(Path(path), makers[Path(path).suffix](found, words), force)


def markdown(found: Coverage, words: Words) -> str:
    """The table as Markdown."""
    lines = [f"# {words.ui('cover_title')}", ""]
    for n, (kind, cells) in enumerate(_rows(found, words)):
        shown = [f"**{c}**" for c in cells] if kind in ("text", "sum") else cells
        lines.append("| " + " | ".join(shown) + " |")
        if n == 0:
            lines.append("| --- |" + " ---: |" * len(COLUMNS))
    return "\n".join([*lines, "", *(f"- {line}" for line in _uncovered(found, words)), ""]).rstrip() + "\n"


_STYLE = "body{font-family:sans-serif}table{border-collapse:collapse}td,th{padding:.2em .6em;text-align:right}td:first-child{text-align:left}.chapter td:first-child{padding-left:1.6em}.text,.sum{font-weight:bold;border-top:1px solid #888}"


def page_html(found: Coverage, words: Words) -> str:
    """The table as an HTML page that needs nothing else."""
    title = html.escape(words.ui("cover_title"))
    body = []
    for kind, cells in _rows(found, words):
        tag = "th" if kind == "head" else "td"
        inner = "".join(f"<{tag}>{html.escape(c)}</{tag}>" for c in cells)
        body.append(f'<tr class="{kind}">{inner}</tr>')
    rest = "".join(f"<p>{html.escape(line)}</p>\n" for line in _uncovered(found, words))
    return (
        f'<!DOCTYPE html>\n<html lang="{words.language}">\n<head><meta charset="utf-8"><title>{title}</title>'
        f"<style>{_STYLE}</style></head>\n<body>\n<h1>{title}</h1>\n<table>\n" + "\n".join(body) + f"\n</table>\n{rest}</body>\n</html>\n"
    )
