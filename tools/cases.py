"""``liuren cases run``: a corpus of worked cases held against our charts."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import click
from liuren.engine.cases import Case, CaseResult, book_cases, load_cases, run_case
from liuren.engine.library import Library
from liuren.facts.errors import UserError

from .files import write_whole
from .layout import table
from .progress import Progress
from .words import Words

SCHEMA = "liuren.cases/1"
_worker: tuple[Library, dict[str, Case]] | None = None


def run_cases(
    kb_dir: str | None,
    corpus: str | None,
    ids: tuple[str, ...],
    doctrine: str | None,
    sets: Mapping[str, str],
    jobs: int,
) -> tuple[list[Case], list[CaseResult]]:
    """Run the cases of the texts, or of *corpus*, in the order of their files.

    Args:
        kb_dir: a knowledge base that stands elsewhere.
        corpus: a case file or directory instead of the texts' own cases.
        ids: run only these.
        doctrine: one school for all, or ``None`` for each case its own.
        sets: options set for all.
        jobs: worker processes.

    Raises:
        UserError: a case file is broken, or an id or school is unknown.
    """
    library = Library.load(kb_dir)
    cases = choose(load_cases(kb_dir, corpus, library), ids)
    cases = [_under(c, library, doctrine, sets) for c in cases]
    results: list[CaseResult] = []
    with Progress("cases", len(cases)) as progress:
        if jobs > 1 and len(cases) > jobs:
            arguments = (kb_dir, corpus, doctrine, dict(sets))
            with ProcessPoolExecutor(jobs, initializer=_start, initargs=arguments) as pool:
                for result in pool.map(_run_one, [c.id for c in cases], chunksize=4):
                    results.append(result)
                    progress.step()
        else:
            for case in cases:
                results.append(run_case(case, library))
                progress.step()
    return cases, results


def corpus_of(kb_dir: str | None, corpus: str | None, books: bool) -> str | None:
    """Where the cases stand; ``None`` for the texts' own.

    Raises:
        UserError: a corpus and the books are both asked for.
    """
    if books and corpus:
        raise UserError("--books and --corpus are both given; give one of them.")
    return str(book_cases(kb_dir)) if books else corpus


def choose(cases: tuple[Case, ...], ids: tuple[str, ...]) -> list[Case]:
    """Those named, in the order named; all without names.

    Raises:
        UserError: one is not there; the nearest is named.
    """
    if not ids:
        return list(cases)
    known = {c.id: c for c in cases}
    for id in ids:
        if id not in known:
            from liuren.facts.points import nearest

            near = nearest(id, known)
            raise UserError(f"«{id}» is no case" + (f"; did you mean {near}?" if near else "."))
    return [known[id] for id in ids]


def _under(case: Case, library: Library, doctrine: str | None, sets: Mapping[str, str]) -> Case:
    if doctrine is None and not sets:
        return case
    school = library.doctrine(doctrine) if doctrine else case.doctrine
    return replace(case, doctrine=school.with_set(sets) if sets else school)


def _start(kb_dir: str | None, corpus: str | None, doctrine: str | None, sets: dict[str, str]) -> None:
    """Load once in each worker; cases hold closures of the library and are not sent."""
    global _worker
    library = Library.load(kb_dir)
    cases = {c.id: _under(c, library, doctrine, sets) for c in load_cases(kb_dir, corpus, library)}
    _worker = (library, cases)


def _run_one(id: str) -> CaseResult:
    assert _worker is not None
    library, cases = _worker
    return run_case(cases[id], library)


# --- output --------------------------------------------------------------------------


def cases_json(cases: list[Case], results: list[CaseResult]) -> dict[str, Any]:
    """``cases run --json``: total, passed, failed, and each case with its statements."""
    passed = sum(r.passed for r in results)
    return {
        "schema": SCHEMA,
        "total": len(results),
        "passed": passed,
        "failed": len(results) - passed,
        "results": [_case_json(c, r) for c, r in zip(cases, results, strict=True)],
    }


def _case_json(case: Case, result: CaseResult) -> dict[str, Any]:
    return {
        "id": case.id,
        "text": case.text or None,
        "book": case.book or None,
        "passage": case.passage or None,
        "doctrine": case.doctrine.id,
        "passed": result.passed,
        "charts": result.charts,
        "problem": result.problem or None,
        "statements": [
            {
                "quote": s.statement.quote,
                "agrees": s.statement.agrees,
                "passed": s.passed,
                "text_value": s.text_value,
                "computed_value": s.computed_value,
                "reason": dict(s.reason) or None,
                "problem": s.problem or None,
            }
            for s in result.statements
        ],
    }


def cases_lines(cases: list[Case], results: list[CaseResult], words: Words) -> list[str]:
    """A row for each case, its disagreements, what failed, and the sum."""
    rows = []
    for case, result in zip(cases, results, strict=True):
        mark = click.style("✓", fg="green") if result.passed else click.style("✗", fg="red")
        differ = sum(not s.statement.agrees for s in result.statements)
        noted = f"{differ} {words.ui('differs')}" if differ else ""
        rows.append([mark, case.id, case.doctrine.id, f"{len(result.statements)}", noted])
    lines = table(rows)
    for case, result in zip(cases, results, strict=True):
        for statement in result.statements:
            if not statement.statement.agrees:
                lines.append(f"{case.id}: {words.ui('text')} {statement.text_value}; {words.ui('computed')} {statement.computed_value}: {words.pick(statement.reason)}")
        if not result.passed:
            problems = [result.problem, *(s.problem for s in result.statements)]
            lines += [click.style(f"✗ {case.file}:{case.line}: {case.id}: {p}", fg="red") for p in problems if p]
    passed = sum(r.passed for r in results)
    lines.append(f"{len(results)} {words.ui('cases')}, {passed} ✓, {len(results) - passed} ✗")
    return lines


def junit(cases: list[Case], results: list[CaseResult]) -> str:
    """The results as JUnit XML, without times, so that equal runs are equal bytes."""
    failed = sum(not r.passed for r in results)
    suite = ElementTree.Element("testsuite", name="liuren.cases", tests=str(len(results)), failures=str(failed))
    for case, result in zip(cases, results, strict=True):
        item = ElementTree.SubElement(suite, "testcase", classname=case.text or case.book or "corpus", name=case.id, file=case.file)
        if not result.passed:
            problems = [p for p in (result.problem, *(s.problem for s in result.statements)) if p]
            ElementTree.SubElement(item, "failure", message=problems[0] if problems else "failed").text = "\n".join(problems)
    ElementTree.indent(suite)
    return ElementTree.tostring(suite, encoding="unicode", xml_declaration=False) + "\n"


def write_junit(path: str, cases: list[Case], results: list[CaseResult], force: bool) -> None:
    """Write the JUnit XML, whole or not at all."""
    write_whole(Path(path), junit(cases, results), force)


def finish(results: list[CaseResult]) -> None:
    """Exit with 1 if a case failed."""
    if not all(r.passed for r in results):
        sys.exit(1)
