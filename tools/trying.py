"""``liuren kb try``: a rule just written, on the 720 lessons, real moments and the worked cases."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click
from liuren.engine.cases import Case, book_cases, load_cases, run_case
from liuren.engine.counts import DOMAINS
from liuren.engine.data import load_knowledge as load_casting_data
from liuren.engine.evaluate import Evaluation
from liuren.engine.language.conclusions import Rule
from liuren.engine.language.conditions import Condition, flatten
from liuren.engine.language.loader import load_knowledge, text_files
from liuren.engine.language.source import SourceError, read_yaml
from liuren.engine.lessons import (
    CHARTS,
    NEAR,
    Swept,
    lessons,
    masks_and_near,
    readings_needed,
    sweep,
    sweep_lessons,
)
from liuren.engine.library import Library
from liuren.engine.sweep import bits
from liuren.engine.trial import CaseChange, case_changes, same_rule, with_rules
from liuren.engine.whynot import examine
from liuren.facts.errors import UserError
from liuren.facts.question import Question

from .phrases import Phrases
from .progress import Progress
from .report import heading
from .rulewords import conclusion_words, condition_words, frequency, percent
from .words import Words

SCHEMA = "liuren.try/1"


@dataclass(frozen=True, slots=True)
class Near:
    """A chart of the sweep that a rule misses by one condition, and what was found instead."""

    question: str
    condition: Condition
    actual: str


@dataclass(frozen=True, slots=True)
class Tried:
    """One rule tried.

    Attributes:
        rule: the rule.
        state: ``new``, ``changed`` or ``as it stands``.
        lessons: how it fares on the sweep (:func:`.rulewords.frequency`).
        first: the first charts that fire it, as questions.
        near_count: on how many charts it is missed by one condition.
        near: the first of them.
        moments: on how many of the year's moments it fires, and on how many it is undecided.
        when: the first moments that fire it.
    """

    rule: Rule
    state: str
    lessons: dict[str, int]
    first: tuple[str, ...]
    near_count: int
    near: tuple[Near, ...]
    moments: tuple[int, int]
    when: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Trial:
    """What was found of all rules of a file.

    Attributes:
        library: the knowledge base with them.
        rules: each rule tried.
        moments: how many moments were asked.
        cases: how many worked cases.
        changes: cases that read otherwise with the rules than without.
        failing: cases that came out as recorded without the rules and do not with them.
    """

    library: Library
    rules: tuple[Tried, ...]
    moments: int
    cases: int
    changes: tuple[CaseChange, ...]
    failing: tuple[str, ...]


def try_rules(kb_dir: str | None, file: str, keys: Sequence[str], first: int, jobs: int | None) -> Trial:
    """Try the rules of a passage file.

    Args:
        kb_dir: the knowledge base, if not the packaged one.
        file: a passage file of it, a changed copy of one, or a new one.
        keys: rule ids or keys; without any, the rules that are new or changed, or
            every rule of a file that stands in the knowledge base as it is.
        first: how many charts to show of each kind.
        jobs: processes.

    Raises:
        UserError: the file is broken or has no rule of that name.
    """
    library, own = _with_file(kb_dir, file)
    standing = Library.load(kb_dir).kb.rules
    fresh = [r for r in own if r.id not in standing or not same_rule(r, standing[r.id])]
    chosen = _chosen(own, keys) if keys else fresh or own
    rules = {r.id: r for r in chosen}
    before = with_rules(library, {
        **{id: r for id, r in library.kb.rules.items() if id not in rules},
        **{id: standing[id] for id in rules if id in standing and not same_rule(rules[id], standing[id])},
    })  # fmt: skip
    moments = list(DOMAINS["moments"](library.data))
    with Progress("charts", CHARTS + len(moments)) as progress:
        swept = sweep_lessons(library, chosen, jobs, progress.step, masks_and_near)
        year = sweep(library, moments, chosen, jobs, progress.step)
    tried = tuple(_tried(r, library, standing, swept, year, moments, first) for r in chosen)
    cases = every_case(kb_dir, library)
    variants = dict(pair for r in reversed(chosen) for pair in readings_needed(r, library))
    texts = tuple(dict.fromkeys(r.text for r in chosen))
    changes = tuple(case_changes(before, library, cases, texts, variants))
    failing = tuple(_failing(before, library, [c for c in cases if c.text in texts]))
    return Trial(library, tried, len(moments), len(cases), changes, failing)


def _with_file(kb_dir: str | None, file: str) -> tuple[Library, list[Rule]]:
    """The knowledge base with the file read into it, and the file's rules."""
    path = Path(file)
    if not path.is_file():
        raise UserError(f"{file} is no file; `kb try` wants a passage file.")
    try:
        data = read_yaml(path, file)
    except SourceError as error:
        raise UserError(f"{error.problems[0]}.") from None
    items = data.get("passages") if isinstance(data, dict) else None
    ids = {str(p.get("id")) for p in items or () if isinstance(p, dict)}
    name = _name_in(kb_dir, path, ids)
    kb = load_knowledge(kb_dir, overlay={name: path})
    if found := [p for p in kb.problems if p.file == name]:
        more = f" and {len(found) - 1} more" if len(found) > 1 else ""
        raise UserError(f"{file}:{found[0].line}: {found[0].id + ': ' if found[0].id else ''}{found[0].message}{more}.")
    own = [r for r in kb.rules.values() if r.file == name]
    if not own:
        raise UserError(f"{file} has no rule yet; write one under `rules:`.")
    return Library(kb, load_casting_data(kb_dir)), own


def _name_in(kb_dir: str | None, path: Path, ids: set[str]) -> str:
    """The name of the file of the knowledge base that *path* is, or is a copy of."""
    for other, name in text_files(kb_dir):
        if other.resolve() == path.resolve():
            return name
    for other, name in text_files(kb_dir):
        try:
            data = read_yaml(other, name)
        except SourceError:
            continue
        items = data.get("passages") if isinstance(data, dict) else None
        there = {str(p.get("id")) for p in items or () if isinstance(p, dict)}
        if there and there <= ids:
            return name
    return str(path)


def _chosen(rules: list[Rule], keys: Sequence[str]) -> list[Rule]:
    found = []
    for key in keys:
        named = [r for r in rules if key in (r.id, r.key)]
        if not named:
            raise UserError(f"«{key}» is no rule of the file; it has {', '.join(r.key for r in rules[:20])}.")
        found += [r for r in named if r not in found]
    return found


def every_case(kb_dir: str | None, library: Library) -> list[Case]:
    """The worked cases of the texts and of other books, as far as there are any."""
    books = book_cases(kb_dir)
    own = books.parent
    found: list[Case] = []
    if own.is_dir() and any(p.suffix in (".yaml", ".jsonl") for p in own.glob("*")):
        found += load_cases(kb_dir, None, library)
    if books.is_dir():
        found += load_cases(kb_dir, books, library)
    return found


def _failing(before: Library, after: Library, cases: list[Case]) -> list[str]:
    return [c.id for c in cases if run_case(c, before).passed and not run_case(c, after).passed]


def _tried(
    rule: Rule, library: Library, standing: Any, swept: Swept, year: Swept, moments: list[Question], first: int
) -> Tried:
    fires, real = swept.rule(rule.id), year.rule(rule.id)
    missed = 0
    for instance in rule.instances:
        missed |= swept.masks[NEAR + instance.id].yes
    old = standing.get(rule.id)
    return Tried(
        rule=rule,
        state="new" if old is None else "as it stands" if same_rule(rule, old) else "changed",
        lessons=frequency(rule, swept),
        first=tuple(str(lessons()[i]) for i in _some(fires.yes, first)),
        near_count=missed.bit_count(),
        near=tuple(_near(rule, library, swept, i) for i in _some(missed, first)),
        moments=(real.yes.bit_count(), real.unknown.bit_count()),
        when=tuple(str(moments[i].moment.isoformat(timespec="minutes")) for i in _some(real.yes, first)),  # type: ignore[union-attr]
    )


def _some(mask: int, n: int) -> list[int]:
    found: list[int] = []
    for i in bits(mask):
        if len(found) >= n:
            break
        found.append(i)
    return found


def _near(rule: Rule, library: Library, swept: Swept, i: int) -> Near:
    """The condition that a rule misses on one chart of the sweep."""
    doctrine = library.doctrine(library.kb.texts[rule.text].doctrine)
    lesson = lessons()[i]
    program = library.program(rule.text, dict(readings_needed(rule, library)))
    evaluation = Evaluation(program, library.chart(lesson.question, doctrine))
    instance = next(x for x in rule.instances if swept.masks[NEAR + x.id].yes >> i & 1)
    part = next(c for c in flatten(instance.when) if evaluation.truth(c) is False)
    return Near(str(lesson), part, examine(part, evaluation).actual)


# --- output --------------------------------------------------------------------------


def trial_json(trial: Trial) -> dict[str, Any]:
    """``kb try --json``: each rule with its counts and charts, and the cases that change."""
    return {
        "schema": SCHEMA,
        "moments": trial.moments,
        "cases": trial.cases,
        "rules": [
            {
                "id": t.rule.id, "state": t.state, "lessons": t.lessons, "first": list(t.first),
                "near_count": t.near_count,
                "near": [{"question": n.question, "condition": n.condition.key, "actual": n.actual} for n in t.near],
                "moments": {"fires": t.moments[0], "unknown": t.moments[1], "first": list(t.when)},
            }
            for t in trial.rules
        ],
        "changes": [change_json(c) for c in trial.changes],
        "failing": list(trial.failing),
    }  # fmt: skip


def change_json(change: CaseChange) -> dict[str, Any]:
    """A case that reads otherwise, as data."""
    return {
        "case": change.case,
        "text": change.text,
        "charts": change.charts,
        "rules": list(change.rules),
        "effects": [{"id": e.id, "before": e.before or None, "after": e.after or None} for e in change.effects],
    }


def trial_lines(trial: Trial, lang: str, kb_dir: str | None) -> list[str]:
    """Each rule with what was found of it, then the cases."""
    words = Words(lang, trial.library, kb_dir)
    lines: list[str] = []
    for tried in trial.rules:
        lines += [*_rule_lines(tried, trial, words), ""]
    lines.append(heading(words.ui("try_cases").format(n=trial.cases, changed=len({c.case for c in trial.changes}))))
    for change in trial.changes:
        lines += change_lines(change)
    lines += [click.style(f"✗ {words.ui('try_failing')}: {id}", fg="red") for id in trial.failing]
    return lines


def _rule_lines(tried: Tried, trial: Trial, words: Words) -> list[str]:
    from .rulebook import frequency_words

    phrases, first = Phrases(words), tried.rule.instances[0]
    lines = [heading(f"{tried.rule.id} ({words.ui('try_' + tried.state.replace(' ', '_'))})")]
    lines += [f"  {c}" for c in condition_words(first, phrases)]
    lines += [f"  → {conclusion_words(c, phrases, tried.rule.quote)}" for c in first.conclusions]
    lines.append(f"  {frequency_words(tried.lessons, words)}")
    lines += [f"    {q}" for q in tried.first]
    if tried.near_count:
        lines.append(f"  {words.ui('try_near').format(n=tried.near_count, share=percent(tried.near_count, CHARTS))}")
    for near in tried.near:
        lines.append(f"    {near.question}: {phrases.condition(near.condition)} ✗" + (f" ({near.actual})" if near.actual else ""))
    fires, unknown = tried.moments
    said = words.ui("try_moments").format(fires=fires, of=trial.moments, share=percent(fires, trial.moments))
    lines.append(f"  {said}" + (f"; {words.ui('undecided_on').format(unknown=unknown)}" if unknown else ""))
    return lines + [f"    {at}" for at in tried.when]


def change_lines(change: CaseChange) -> list[str]:
    """A case that reads otherwise."""
    more = f" ({change.charts})" if change.charts > 1 else ""
    lines = [f"  {change.case}{more}: {', '.join(change.rules)}"]
    for effect in change.effects:
        mark = "+" if not effect.before else "−" if not effect.after else "±"
        text = effect.after or effect.before if mark != "±" else f"{effect.before} → {effect.after}"
        lines.append(click.style(f"    {mark} {effect.id}  {text}", dim=True))
    return lines
