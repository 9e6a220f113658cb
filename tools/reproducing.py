"""``liuren cases reproduce``: the school of each case, and whether one serves a book."""

from __future__ import annotations

from itertools import groupby
from typing import Any

import click
from liuren.engine.cases import Case, load_cases
from liuren.engine.reproduce import Reproduction, Service, reproduce, services

from .cases import choose, corpus_of
from .layout import table
from .options import common_options, load
from .progress import Progress
from .words import Words

SCHEMA = "liuren.cases.reproduce/1"


@click.command(name="reproduce")
@click.argument("ids", nargs=-1)
@common_options
@click.option("--corpus", type=click.Path(), metavar="FILE", help="A YAML or JSONL file of cases, or a folder, instead of the texts' own.")
@click.option("--books", is_flag=True, help="The cases of other books instead.")
@click.option("--doctrine", metavar="NAME", help="Begin from this school, not from that of the case.")
def reproduce_command(ids: tuple[str, ...], kb_dir: str | None, lang: str, as_json: bool, corpus: str | None, books: bool, doctrine: str | None) -> None:
    """Look for the school that reproduces each case, and one for each book.

    The school of the book is tried first, then one and two options chosen otherwise.
    """
    from .cli import emit, emit_json

    library, words = load(kb_dir, lang)
    cases = choose(load_cases(kb_dir, corpus_of(kb_dir, corpus, books), library), ids)
    base = library.doctrine(doctrine) if doctrine else None
    shelves = {b: list(g) for b, g in groupby(sorted(cases, key=_book), key=_book)}
    schools = len(library.data.doctrines["doctrines"])
    with Progress("cases", len(cases) + schools * len(shelves)) as progress:
        found = []
        for case in cases:
            found.append(reproduce(case, library, base))
            progress.step()
        served = {b: services(items, library, progress.step) for b, items in shelves.items()}
    if as_json:
        emit_json(reproduce_json(cases, found, served))
    else:
        emit(reproduce_lines(cases, found, served, words))


def _book(case: Case) -> str:
    return case.book or case.text or case.file


def reproduce_json(
    cases: list[Case], found: list[Reproduction], served: dict[str, tuple[Service, ...]]
) -> dict[str, Any]:
    """``cases reproduce --json``: each case with its school, each book with every doctrine."""
    return {
        "schema": SCHEMA,
        "total": len(found),
        "whole": sum(r.whole for r in found),
        "results": [
            {
                "id": r.id,
                "book": _book(c),
                "doctrine": r.doctrine.name,
                "set": dict(r.changed),
                "others": [dict(o) for o in r.others],
                "held": r.held,
                "stated": r.stated,
                "told_noble": r.told_noble,
            }
            for c, r in zip(cases, found, strict=True)
        ],
        "books": [
            {
                "book": book,
                "cases": len(services_[0].whole) + len(services_[0].wanting),
                "doctrines": [
                    {"doctrine": s.doctrine, "whole": len(s.whole), "wanting": list(s.wanting)}
                    for s in services_
                ],
            }
            for book, services_ in served.items()
        ],
    }


def reproduce_lines(
    cases: list[Case], found: list[Reproduction], served: dict[str, tuple[Service, ...]], words: Words
) -> list[str]:
    """What each case needs beyond its book's school, then how far each doctrine serves."""
    rows = []
    for case, r in zip(cases, found, strict=True):
        mark = click.style("✓", fg="green") if r.whole else click.style("✗", fg="yellow")
        sets = " ".join(f"{k}={v}" for k, v in r.changed.items())
        more = f"(+{len(r.others)})" if r.others else ""
        noble = words.ui("noble_told") if r.told_noble else ""
        rows.append([mark, r.id, _book(case), r.doctrine.name, f"{r.held}/{r.stated}", sets, more, noble])
    lines = table(rows)
    for book, served_ in served.items():
        lines += ["", click.style(book, bold=True)]
        lines += table(
            [
                [s.doctrine, f"{len(s.whole)}/{len(s.whole) + len(s.wanting)}", _some(s.wanting)]
                for s in served_
            ],
            indent="  ",
        )
    return lines


def _some(ids: tuple[str, ...], most: int = 12) -> str:
    return " ".join(ids[:most]) + (f" … +{len(ids) - most}" if len(ids) > most else "")
