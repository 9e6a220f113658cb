"""``liuren kb check``: everything that is wrong with a knowledge base."""

from __future__ import annotations

import sys
from pathlib import Path

import click
from liuren.engine.examples import check_examples, check_never, missing_examples
from liuren.engine.language.passages import Passage
from liuren.engine.language.source import Problem
from liuren.engine.library import Library
from liuren.facts.errors import UserError

from .progress import Progress


def check_library(
    library: Library, files: tuple[str, ...] = (), never: bool = False
) -> tuple[list[Problem], list[Problem]]:
    """Check a loaded knowledge base.

    Args:
        library: the knowledge base.
        files: endings of file names to which the report is narrowed.
        never: also sweep the 720 lessons for rules said never to fire.

    Returns:
        problems, and wants (rules that lack an example), each sorted.
    """
    problems = list(library.kb.problems)
    wants: list[Problem] = []
    passages = [p for p in library.kb.passages.values() if _wanted(p.file, files)]
    with Progress("check", len(passages)) as progress:
        for passage in passages:
            problems.extend(check_examples(passage, library))
            if never:
                problems.extend(check_never(passage, library))
            wants.extend(_wants(passage, library))
            progress.step()
    return sorted(p for p in set(problems) if _wanted(p.file, files)), sorted(wants)


def _wants(passage: Passage, library: Library) -> list[Problem]:
    return [
        Problem(passage.file, m.rule.line, m.rule.id, f"wants an example that {' and one that '.join(_WANT[w] for w in m.what)}")
        for m in missing_examples(passage, library)
    ]


_WANT = {"fires": "fires it", "near": "misses it by one condition"}


def _wanted(name: str, files: tuple[str, ...]) -> bool:
    return not files or any(Path(f).as_posix().endswith(name) or name.endswith(Path(f).as_posix()) for f in files)


def run_check(kb_dir: str | None, files: tuple[str, ...], sweep: bool, as_json: bool) -> None:
    """The command: print problems, exit with 2 if there are any.

    Raises:
        UserError: a file named is not part of the knowledge base.
    """
    from .cli import emit_json

    library = Library.load(kb_dir)
    known = {p.file for p in library.kb.passages.values()} | {p.file for p in library.kb.problems}
    for file in files:
        if not any(_wanted(name, (file,)) for name in known):
            raise UserError(f"{file} is no passage file of this knowledge base.")
    problems, wants = check_library(library, files, sweep)
    if as_json:
        emit_json(
            {
                "schema": "liuren.check/1",
                "passages": len(library.kb.passages),
                "rules": len(library.kb.rules),
                "problems": [_json(p) for p in problems],
                "wants": [_json(p) for p in wants],
            }
        )
    else:
        for problem in (*problems, *wants):
            click.echo(str(problem))
        click.echo(
            f"{len(library.kb.passages)} passages, {len(library.kb.rules)} rules: "
            f"{len(problems)} problems, {len(wants)} examples wanted"
        )
    if problems or wants:
        sys.exit(2)


def _json(problem: Problem) -> dict[str, object]:
    return {"file": problem.file, "line": problem.line, "id": problem.id, "message": problem.message}
