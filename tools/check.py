"""``liuren kb check``: everything that is wrong with a knowledge base."""

from __future__ import annotations

import re
import sys
import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

import click
from liuren.engine.data import load_data, packaged
from liuren.engine.data import load_knowledge as load_casting_data
from liuren.engine.editions import check_quotations
from liuren.engine.examples import check_examples, missing_examples
from liuren.engine.language.loader import load_knowledge, text_files
from liuren.engine.language.passages import Passage
from liuren.engine.language.source import Problem
from liuren.engine.lessons import CHARTS, sweep_lessons
from liuren.engine.library import Library
from liuren.engine.notes import never_problems, notes
from liuren.engine.size import explosions
from liuren.engine.termcheck import list_problems, missing_words
from liuren.facts.errors import UserError

from .progress import Progress

SCHEMA = "liuren.check/1"
_WANT = {"fires": "fires it", "near": "misses it by one condition"}


@dataclass(frozen=True, slots=True)
class Report:
    """What a check found, each list sorted.

    Attributes:
        passages, rules: how many were read.
        problems: mistakes.
        wants: what is still to be written.
        notes: what a sweep shows that may be meant.
    """

    passages: int
    rules: int
    problems: tuple[Problem, ...]
    wants: tuple[Problem, ...]
    notes: tuple[Problem, ...]

    def fails(self, strict: bool) -> bool:
        """Whether the exit status tells of it."""
        return bool(self.problems or self.wants or (strict and self.notes))


def check(
    kb_dir: str | None,
    files: tuple[str, ...] = (),
    sweep: bool = False,
    texts: str | None = None,
    jobs: int | None = None,
) -> Report:
    """Check a knowledge base.

    Args:
        kb_dir: where it stands, if not packaged.
        files: passage files to which the report is narrowed; only their texts are read.
        sweep: also run every rule on the 720 lessons in twelve months.
        texts: folder of the edition files, in which the quotations are looked up.
        jobs: processes of the sweep.

    Raises:
        UserError: a file named is not part of the knowledge base, or a closed
            list or edition cannot be read.
    """
    library = _load(kb_dir, files)
    kb = library.kb
    limit = load_data("vocabulary", kb_dir)["limits"]["productions"]
    problems = [*kb.problems, *list_problems(kb_dir), *explosions(kb.rules.values(), limit)]
    wants: list[Problem] = list(missing_words(kb, kb_dir))
    found: list[Problem] = []
    passages = [p for p in kb.passages.values() if _wanted(p.file, files)]
    with Progress("check", len(passages)) as progress:
        for passage in passages:
            problems.extend(check_examples(passage, library))
            wants.extend(_wants(passage, library))
            progress.step()
    if texts is not None:
        problems.extend(check_quotations(kb, Path(texts)))
    if sweep:
        with Progress("sweep", CHARTS * len(library.texts())) as progress:
            swept = sweep_lessons(library, jobs=jobs, progress=progress.step)
        problems.extend(never_problems(kb, swept))
        found.extend(notes(kb, swept))
    return Report(
        len(kb.passages), len(kb.rules), *(_sorted(part, files) for part in (problems, wants, found))
    )


def _sorted(found: Iterable[Problem], files: tuple[str, ...]) -> tuple[Problem, ...]:
    return tuple(sorted(p for p in set(found) if _wanted(p.file, files)))


def _load(kb_dir: str | None, files: tuple[str, ...]) -> Library:
    """The knowledge base, or the texts of *files* alone."""
    if not files:
        return Library.load(kb_dir)
    known = list(text_files(kb_dir))
    for file in files:
        if not any(_wanted(name, (file,)) for _, name in known):
            raise UserError(f"{file} is no passage file of this knowledge base.")
    named = {_text_of(path) for path, name in known if _wanted(name, files)}

    def choose(path: Path, name: str) -> bool:
        return _wanted(name, files) or _text_of(path) in named

    return Library(load_knowledge(kb_dir, choose=choose), load_casting_data(kb_dir))


_TEXT = re.compile(rb"^text:\s*[\"']?([\w-]+)", re.MULTILINE)


def _text_of(path: Path) -> bytes:
    """The text a passage file says it belongs to, without reading it as YAML."""
    try:
        found = _TEXT.search(path.read_bytes())
    except OSError:
        return b""
    return found[1] if found else b""


def _wants(passage: Passage, library: Library) -> Iterator[Problem]:
    for missing in missing_examples(passage, library):
        what = " and one that ".join(_WANT[w] for w in missing.what)
        yield Problem(passage.file, missing.rule.line, missing.rule.id, f"wants an example that {what}")
    for clause in passage.clauses:
        if clause.fate == "open":
            yield Problem(passage.file, clause.line, clause.id, f"«{clause.quote}» has no fate yet; move it to rules, worked, notes or untranslatable")
    if not passage.rules and not passage.clauses:
        yield Problem(passage.file, passage.line, passage.id, "the passage has no clause yet; write its rules, notes or untranslatable")


def _wanted(name: str, files: tuple[str, ...]) -> bool:
    return not files or any(Path(f).as_posix().endswith(name) or name.endswith(Path(f).as_posix()) for f in files)


# --- the command ---------------------------------------------------------------------


def run_check(
    kb_dir: str | None,
    files: tuple[str, ...],
    sweep: bool,
    as_json: bool,
    texts: str | None = None,
    strict: bool = False,
    jobs: int | None = None,
) -> None:
    """The command: print what was found, exit with 2 if something is wrong or wanted.

    Raises:
        UserError: a file named is not part of the knowledge base.
    """
    from .cli import emit_json

    report = check(kb_dir, files, sweep, texts, jobs)
    if as_json:
        emit_json(report_json(report))
    else:
        click.echo("\n".join(report_lines(report, sweep)))
    if report.fails(strict):
        sys.exit(2)


def report_json(report: Report) -> dict[str, Any]:
    """``kb check --json``: passages, rules, problems, wants, notes."""
    return {
        "schema": SCHEMA,
        "passages": report.passages,
        "rules": report.rules,
        "problems": [_json(p) for p in report.problems],
        "wants": [_json(p) for p in report.wants],
        "notes": [_json(p) for p in report.notes],
    }


def report_lines(report: Report, sweep: bool) -> list[str]:
    """A line for each finding, and the sum."""
    lines = [str(p) for p in (*report.problems, *report.wants)]
    lines += [f"note: {p}" for p in report.notes]
    examples = sum("wants an example" in p.message for p in report.wants)
    others = len(report.wants) - examples
    end = f"{report.passages} passages, {report.rules} rules: {len(report.problems)} problems, {examples} examples wanted"
    if others:
        end += f", {others} other things wanted"
    if sweep:
        end += f", {len(report.notes)} notes"
    return [*lines, end]


def _json(problem: Problem) -> dict[str, object]:
    return {"file": problem.file, "line": problem.line, "id": problem.id, "message": problem.message}


# --- again whenever a file changes -------------------------------------------------------

_POLL = 0.5
"""Seconds between two looks at the files."""


def watch_check(
    kb_dir: str | None,
    files: tuple[str, ...],
    sweep: bool,
    texts: str | None = None,
    jobs: int | None = None,
    ticks: Iterable[object] | None = None,
) -> None:
    """Check, and again whenever a file of the knowledge base changes, until interrupted.

    Args:
        kb_dir, files, sweep, texts, jobs: as for :func:`check`.
        ticks: when to look at the files; twice a second without end if ``None``.
    """
    seen: dict[Path, tuple[int, int]] | None = None
    for _ in _clock() if ticks is None else ticks:
        now = _snapshot(kb_dir)
        if now == seen:
            continue
        changed = [] if seen is None else sorted(p for p in {*now, *seen} if now.get(p) != seen.get(p))
        seen = now
        if changed:
            click.echo(f"\n{datetime.now():%H:%M:%S} {', '.join(p.name for p in changed)}")
        load_casting_data.cache_clear()
        try:
            click.echo("\n".join(report_lines(check(kb_dir, files, sweep, texts, jobs), sweep)))
        except UserError as error:
            click.echo(f"liuren: {error}", err=True)


def _clock() -> Iterator[None]:
    while True:
        yield
        time.sleep(_POLL)


def _snapshot(kb_dir: str | None) -> dict[Path, tuple[int, int]]:
    """Every YAML file of the knowledge base with its time and size."""
    root = Path(kb_dir) if kb_dir is not None else Path(str(packaged()))
    found = {}
    for path in sorted(root.rglob("*.yaml")):
        try:
            state = path.stat()
        except OSError:
            continue  # it went away while we looked
        found[path] = (state.st_mtime_ns, state.st_size)
    return found
