"""Worked cases: what books say of charts they print, held against our charts.

A case file is YAML with a list ``cases`` and, where all its cases share them, a
``text``, or a ``book`` with the ``doctrine`` it is cast by; or JSONL with one case
a line.  ``kb/cases`` holds the cases of the texts, ``kb/cases/books`` those of other
books, which are run only when asked for.  A case::

    id: quanheng.case1.dinghai        # ascii, unique
    passage: quanheng.jusan.case_dinghai
    locus: {edition: "004", lines: [59, 61]}
    quote: 丁亥日，亥將加己酉時         # at most 16 characters of the edition
    topic: theft                      # of topics.yaml
    doctrine: common                  # else that of its file or text, else common
    set: {shehai: meng-zhong}         # options by which the case parts from it
    given: {day: 丁亥, hour: 己酉, month_general: 亥}
    stated:
    - {quote: 三傳酉、亥、丑, expect: {transmissions: [酉, 亥, 丑]}}
    - quote: 午加癸上乘元武凶將
      expect: {lesson1: {general: 玄武}}
      agrees: false
      ours: {lesson1: {general: 螣蛇}}
      reason: {en: …, ko: …}
    outcome: {en: …, ko: …}           # what came of it, if told
    note: {en: …}

``given`` has the keys of a question (:mod:`.questions`), and ``offset`` (the
plate, 0-11) and ``age`` of a person.  An age without a year is counted from a
year of our choosing, so such a case may state nothing of year or 本命.  ``expect``
is what the text says: a condition of the rule language or a list of them, with
the short forms ``transmissions``, ``generals`` and ``hidden`` (of the
transmissions), ``lessons`` (the four uppers), ``lesson_generals`` and ``void``;
``fires: RULE`` says that a rule holds.  ``steps`` is what it says of the way there,
id of a casting step to its value or part of it
(``method.depth: {亥: {depth: 5}}``).  Every agreement is tested.  Where our chart differs, ``agrees: false``
records the text's word, ``ours`` what we have, and the reason: the text's word
must then fail and ours hold, so that either changing is noticed.

A case of another book may also have ``book``, ``title``, ``source`` (where it
stands), and ``date``, the day as someone reckoned it.

A text that gives less than a chart makes a **fragment**.  Its ``fragment`` maps
the inputs left open to the values they run over (``all``; days also as a stem, a
branch or ``甲戌旬``).  If it names neither day nor plate the sixty days are taken,
each on a plate of its own; if one of the two, all of the other.
``assume`` are conditions that choose the charts meant.  What is stated must hold
on every chart that remains, and at least one must remain.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

from liuren.facts.errors import UserError

from .cases_form import parse_case
from .cases_run import run_all, run_case
from .cases_types import Case, CaseResult, Statement, StatementResult
from .data import packaged
from .language.source import Problem, SourceError, line_of, read_yaml
from .library import Library

BOOKS = "books"
"""The folder of ``kb/cases`` with the cases of other books."""

__all__ = [
    "BOOKS",
    "Case",
    "CaseResult",
    "Statement",
    "StatementResult",
    "book_cases",
    "load_cases",
    "run_all",
    "run_case",
]

_SHARED = ("book", "doctrine")


def load_cases(
    kb_dir: str | Path | None = None,
    corpus: str | Path | None = None,
    library: Library | None = None,
) -> tuple[Case, ...]:
    """The cases of the texts, or those of a corpus.

    Args:
        kb_dir: a knowledge base that stands elsewhere; the packaged one if ``None``.
        corpus: a YAML or JSONL file, or a directory of them, instead of ``kb/cases``.
        library: the loaded knowledge base, if there is one already.

    Raises:
        UserError: a file cannot be read, or a case in it is broken; the message
            names file, line and id.
    """
    library = library or Library.load(kb_dir)
    root = Path(corpus) if corpus is not None else _kb(kb_dir) / "cases"
    cases: dict[str, Case] = {}
    for path, name in _files(root, () if corpus is not None else (BOOKS,)):
        for case in _read(path, name, library):
            if case.id in cases:
                first = cases[case.id]
                where = Problem(
                    name,
                    case.line,
                    case.id,
                    f"the case stands twice; first in {first.file}:{first.line}",
                )
                raise UserError(f"{where}.")
            cases[case.id] = case
    return tuple(cases.values())


def book_cases(kb_dir: str | Path | None = None) -> Path:
    """Where the cases of other books stand, for ``corpus``."""
    return _kb(kb_dir) / "cases" / BOOKS


def _kb(kb_dir: str | Path | None) -> Path:
    return Path(kb_dir) if kb_dir is not None else Path(str(packaged()))


def _files(root: Path, without: tuple[str, ...] = ()) -> list[tuple[Path, str]]:
    if root.is_file():
        return [(root, root.name)]
    found = [
        p
        for p in sorted(root.rglob("*"))
        if p.suffix in (".yaml", ".yml", ".jsonl") and p.relative_to(root).parts[0] not in without
    ]
    if not found:
        raise UserError(
            f"«{root}» holds no cases; a .yaml or .jsonl file, or a directory of them, is expected."
        )
    return [(p, p.relative_to(root).as_posix()) for p in found]


def _read(path: Path, name: str, library: Library) -> Iterator[Case]:
    if path.suffix == ".jsonl":
        yield from _read_jsonl(path, name, library)
        return
    try:
        data = read_yaml(path, name)
    except SourceError as error:
        raise UserError(f"{error.problems[0]}.") from None
    if not isinstance(data, dict) or not isinstance(data.get("cases"), list):
        raise UserError(
            f"{name}: a case file wants a list `cases`, and `text` if they are of one text."
        )
    for key in data:
        if key not in ("text", *_SHARED, "cases"):
            raise UserError(
                f"{name}:{getattr(data, 'lines', {}).get(key, 1)}: a case file has no «{key}»; "
                f"known: text, {', '.join(_SHARED)}, cases."
            )
    text = str(data.get("text") or "")
    for item in data["cases"]:
        if isinstance(item, dict):
            for key in _SHARED:
                if key in data:
                    item.setdefault(key, data[key])
        yield parse_case(item, name, text, library, line_of(item, 1))


def _read_jsonl(path: Path, name: str, library: Library) -> Iterator[Case]:
    try:
        lines = path.read_text(encoding="utf-8-sig").splitlines()
    except UnicodeDecodeError:
        raise UserError(f"{name}: the file is not UTF-8; save it in UTF-8.") from None
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            data = json.loads(line)
        except json.JSONDecodeError as error:
            raise UserError(
                f"{name}:{number}: broken JSON: {error.msg}; one case a line is expected."
            ) from None
        yield parse_case(data, name, "", library, number)
