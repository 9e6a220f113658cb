"""``liuren kb diff``: what changed between two knowledge bases, and what reads differently."""

from __future__ import annotations

import io
import subprocess
import tarfile
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click
from liuren.engine.data import packaged
from liuren.engine.language.conclusions import Rule
from liuren.engine.lessons import CHARTS, lessons, lessons_of, sweep_lessons
from liuren.engine.library import Library
from liuren.engine.sweep import bits
from liuren.engine.trial import CaseChange, case_changes, causes, differing, same_rule
from liuren.facts.errors import UserError

from .progress import Progress
from .report import heading
from .rulewords import percent
from .trying import change_json, change_lines, every_case
from .words import Words

SCHEMA = "liuren.kbdiff/1"
_LESSONS = 720


@dataclass(frozen=True, slots=True)
class Otherwise:
    """A rule that concludes otherwise on some charts of the sweep.

    Attributes:
        rule: its id.
        charts, lessons: how many charts, and how many of the 720 lessons.
        through: the changed rules it rests on, itself if it changed; empty where
            the chart or a closed list changed beneath it.
        first: the first such chart, as a question.
    """

    rule: str
    charts: int
    lessons: int
    through: tuple[str, ...]
    first: str


@dataclass(frozen=True, slots=True)
class Difference:
    """What changed.

    Attributes:
        old, new: as they were named.
        added, changed, removed: rule ids.
        lists: closed lists and tables that differ.
        otherwise: rules that conclude otherwise, the most charts first.
        charts, lessons: on how many charts, and of how many of the 720 lessons,
            something is read otherwise.
        cases: worked cases that read otherwise.
        asked: how many worked cases were asked.
        problems: problems of the two, when they keep rules out.
        library: the new one.
    """

    old: str
    new: str
    added: tuple[str, ...]
    changed: tuple[str, ...]
    removed: tuple[str, ...]
    lists: tuple[str, ...]
    otherwise: tuple[Otherwise, ...]
    charts: int
    lessons: int
    cases: tuple[CaseChange, ...]
    asked: int
    problems: tuple[str, ...]
    library: Library


def diff(kb_dir: str | None, old: str, new: str | None, jobs: int | None) -> Difference:
    """Compare two knowledge bases.

    Args:
        kb_dir: the one in use, whose git history revisions are of.
        old, new: folders or git revisions; without *new*, the one in use as it stands.
        jobs: processes.

    Raises:
        UserError: one of them is neither a knowledge base nor a revision of one.
    """
    with _folder(kb_dir, old) as a, _folder(kb_dir, new) as b:
        before, after = Library.load(a), Library.load(b)
        lists = _lists(a, b)
        first, second = before.kb.rules, after.kb.rules
        added = tuple(id for id in second if id not in first)
        removed = tuple(id for id in first if id not in second)
        changed = tuple(id for id in second if id in first and not same_rule(first[id], second[id]))
        touched = {*added, *removed, *changed}
        texts = [
            t
            for t in dict.fromkeys((*before.kb.texts, *after.kb.texts))
            if lists or any(_text(id, first, second) == t for id in touched)
        ]
        otherwise, mask = _sweep(before, after, texts, touched, jobs)
        cases = every_case(str(b), after)
        return Difference(
            old=old,
            new=new or str(kb_dir or packaged()),
            added=added,
            changed=changed,
            removed=removed,
            lists=lists,
            otherwise=otherwise,
            charts=mask.bit_count(),
            lessons=lessons_of(mask),
            cases=tuple(case_changes(before, after, cases, texts)),
            asked=len(cases),
            problems=tuple(f"{side}: {p}" for side, kb in ((old, before.kb), (new or "", after.kb)) for p in kb.problems),
            library=after,
        )


def _text(id: str, *sides: Mapping[str, Rule]) -> str:
    return next(rules[id].text for rules in sides if id in rules)


def _sweep(
    before: Library, after: Library, texts: list[str], touched: set[str], jobs: int | None
) -> tuple[tuple[Otherwise, ...], int]:
    def of(library: Library) -> list[Rule]:
        return [r for r in library.kb.rules.values() if r.text in texts and library.awake(r, {})]

    if not texts:
        return (), 0
    with Progress("charts", 2 * CHARTS * len(texts)) as progress:
        old = sweep_lessons(before, of(before), jobs, progress.step)
        new = sweep_lessons(after, of(after), jobs, progress.step)
    union, found = 0, []
    for id, mask in differing(old, new).items():
        union |= mask
        first = str(lessons()[next(bits(mask))])
        found.append(Otherwise(id, mask.bit_count(), lessons_of(mask), causes(id, touched, before, after), first))
    return tuple(sorted(found, key=lambda o: (-o.charts, o.rule))), union


def _lists(a: Path, b: Path) -> tuple[str, ...]:
    """Closed lists and tables whose bytes differ."""
    names = sorted({p.name for root in (a, b) for p in root.glob("*.yaml")} - set(_WORDS))
    return tuple(n for n in names if _bytes(a / n) != _bytes(b / n))


_WORDS = ("terms.yaml", "phrases.yaml", "texts.yaml", "weights.yaml", "places.yaml")
"""Files that change no chart and no rule."""


def _bytes(path: Path) -> bytes:
    return path.read_bytes() if path.is_file() else b""


# --- folders and revisions ---------------------------------------------------------------


@contextmanager
def _folder(kb_dir: str | None, name: str | None) -> Iterator[Path]:
    """The folder of a knowledge base: as it stands, or taken out of a revision."""
    here = Path(kb_dir) if kb_dir is not None else Path(str(packaged()))
    if name is None:
        yield here
    elif (Path(name) / "texts.yaml").is_file():
        yield Path(name)
    elif Path(name).is_dir():
        raise UserError(f"«{name}» is no knowledge base: it has no texts.yaml.")
    else:
        with tempfile.TemporaryDirectory() as folder:
            yield _take_out(here, name, Path(folder))


def _take_out(here: Path, revision: str, folder: Path) -> Path:
    """The knowledge base of a git revision, written to *folder*."""
    if revision.startswith("-"):
        raise UserError(f"«{revision}» is no folder and no git revision.")
    top = _git(here, revision, "rev-parse", "--show-toplevel").decode().strip()
    inside = here.resolve().relative_to(Path(top).resolve()).as_posix()
    commit = _git(here, revision, "rev-parse", "--verify", "--quiet", f"{revision}^{{commit}}").decode().strip()
    packed = _git(Path(top), revision, "archive", "--format=tar", commit, "--", inside)
    with tarfile.open(fileobj=io.BytesIO(packed)) as archive:
        if hasattr(tarfile, "data_filter"):  # from Python 3.11.4
            archive.extraction_filter = tarfile.data_filter
        archive.extractall(folder)
    root = folder / inside
    if not (root / "texts.yaml").is_file():
        raise UserError(f"The revision {revision} has no knowledge base in {inside}.")
    return root


def _git(folder: Path, revision: str, *arguments: str) -> bytes:
    try:
        done = subprocess.run(
            ["git", "-c", "safe.directory=*", "-C", str(folder), *arguments], capture_output=True, check=False
        )
    except OSError:
        raise UserError(f"«{revision}» is no folder, and git, which would know it as a revision, is not installed.") from None
    if done.returncode:
        raise UserError(f"«{revision}» is no folder with a knowledge base and no git revision of {folder}.")
    return done.stdout


# --- output --------------------------------------------------------------------------------


def diff_json(found: Difference) -> dict[str, Any]:
    """``kb diff --json``: rules, lessons, cases."""
    return {
        "schema": SCHEMA,
        "old": found.old,
        "new": found.new,
        "rules": {"added": list(found.added), "changed": list(found.changed), "removed": list(found.removed)},
        "lists": list(found.lists),
        "lessons": {"differ": found.lessons, "of": _LESSONS},
        "charts": {"differ": found.charts, "of": CHARTS},
        "otherwise": [
            {"rule": o.rule, "charts": o.charts, "lessons": o.lessons, "through": list(o.through), "first": o.first}
            for o in found.otherwise
        ],
        "cases": [change_json(c) for c in found.cases],
        "asked": found.asked,
        "problems": list(found.problems),
    }


def diff_lines(found: Difference, words: Words) -> list[str]:
    """The rules, then what reads otherwise: lessons and cases."""
    lines = [
        f"{mark} {id}"
        for mark, ids in (("+", found.added), ("±", found.changed), ("−", found.removed))
        for id in ids
    ]
    lines += [f"± {name}" for name in found.lists]
    counts = {"added": len(found.added), "changed": len(found.changed), "removed": len(found.removed)}
    lines.append(heading(words.ui("diff_rules").format(**counts)))
    lines.append(heading(words.ui("diff_lessons").format(
        lessons=found.lessons, share=percent(found.lessons, _LESSONS), charts=found.charts, of=CHARTS,
    )))  # fmt: skip
    for o in found.otherwise:
        via = "" if o.through == (o.rule,) else f" ← {', '.join(o.through) or words.ui('diff_chart')}"
        lines.append(f"  {o.rule}{via}: {words.ui('diff_on').format(lessons=o.lessons, charts=o.charts)}")
        lines.append(click.style(f"      {o.first}", dim=True))
    changed = len({c.case for c in found.cases})
    lines.append(heading(words.ui("try_cases").format(n=found.asked, changed=changed)))
    for case in found.cases:
        lines += change_lines(case)
    return lines + [click.style(p, fg="red") for p in found.problems]
