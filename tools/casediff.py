"""``liuren cases diff``: the worked cases under two schools or two knowledge bases."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any

import click
from liuren.engine.cases import Case, load_cases
from liuren.engine.cases_diff import CaseDifference, RuleChange, Side, difference
from liuren.engine.library import Library
from liuren.facts.errors import UserError

from .cases import choose, corpus_of
from .layout import table
from .options import common_options, load, pairs
from .progress import Progress
from .words import Words

SCHEMA = "liuren.cases.diff/1"
_MARK = {True: "✓", False: "—", None: "?", "": "·"}


@click.command(name="diff")
@click.argument("ids", nargs=-1)
@common_options
@click.option("--doctrine", metavar="NAME", help="The school before.")
@click.option("--set", "sets", multiple=True, metavar="OPTION=VALUE", help="One option of it.")
@click.option("--with", "doctrine_after", metavar="NAME", help="The school after.")
@click.option("--with-set", "sets_after", multiple=True, metavar="OPTION=VALUE", help="One option of it.")
@click.option("--with-kb", "kb_after", type=click.Path(file_okay=False), metavar="DIR", help="The knowledge base after; --kb is the one before.")
@click.option("--corpus", type=click.Path(), metavar="FILE", help="A YAML or JSONL file of cases, or a folder, instead of the texts' own.")
@click.option("--books", is_flag=True, help="The cases of other books instead.")
def diff(ids: tuple[str, ...], kb_dir: str | None, lang: str, as_json: bool, doctrine: str | None, sets: tuple[str, ...], doctrine_after: str | None, sets_after: tuple[str, ...], kb_after: str | None, corpus: str | None, books: bool) -> None:
    """Which worked cases come out otherwise, and through which rules.

    Before: --doctrine, --set, --kb. After: --with, --with-set, --with-kb. What
    is not told of the side after is as before. Exit status 0 whether or not
    something changed.
    """
    from .cli import emit, emit_json

    library, words = load(kb_dir, lang)
    if not (doctrine_after or sets_after or kb_after):
        raise UserError("Nothing is told of the other side; give --with, --with-set or --with-kb.")
    other = Library.load(kb_after) if kb_after else library
    one = pairs(sets, "--set")
    before = Side(library, doctrine, one)
    after = Side(other, doctrine_after or doctrine, {**one, **pairs(sets_after, "--with-set")})
    for side in (before, after):
        side.library.doctrine(side.doctrine or "common", side.sets)
    found, total, unmatched = compare_cases(
        before, after, (kb_dir, kb_after or kb_dir), corpus, books, ids
    )
    if as_json:
        emit_json(diff_json(found, total, unmatched))
    else:
        emit(diff_lines(found, total, unmatched, words))


def compare_cases(
    before: Side, after: Side, kbs: tuple[str | None, str | None], corpus: str | None,
    books: bool, ids: tuple[str, ...],
) -> tuple[list[CaseDifference], int, list[str]]:  # fmt: skip
    """The cases that changed, how many were compared, and those of one side only.

    Raises:
        UserError: a case file is broken, or an id unknown.
    """
    old, new = (
        load_cases(kb, corpus_of(kb, corpus, books), side.library)
        for kb, side in zip(kbs, (before, after), strict=True)
    )
    by_id: dict[str, Case] = {c.id: c for c in new}
    chosen = choose(old if not ids else tuple({**by_id, **{c.id: c for c in old}}.values()), ids)
    known = {c.id for c in old}
    unmatched = [c.id for c in chosen if c.id not in by_id or c.id not in known]
    unmatched += [i for i in by_id if i not in known and not ids]
    items = [c for c in chosen if c.id in by_id and c.id in known]
    found = []
    with Progress("cases", len(items)) as progress:
        for case in items:
            change = difference(case, by_id[case.id], before, after)
            if change is not None:
                found.append(change)
            progress.step()
    return found, len(items), unmatched


def diff_json(found: list[CaseDifference], total: int, unmatched: list[str]) -> dict[str, Any]:
    """``cases diff --json``: total, changed, unmatched, rules (id to number of cases), results."""
    return {
        "schema": SCHEMA,
        "total": total,
        "changed": len(found),
        "unmatched": unmatched,
        "rules": dict(_counted(found)),
        "results": [
            {
                "id": d.id,
                "passed": {"before": d.before, "after": d.after},
                "chart": [{"part": p, "before": a, "after": b} for p, a, b in d.chart],
                "rules": [_rule_json(r) for r in d.rules],
            }
            for d in found
        ],
    }


def _rule_json(change: RuleChange) -> Mapping[str, Any]:
    return {
        "rule": change.rule,
        "before": None if change.before == "" else change.before,
        "after": None if change.after == "" else change.after,
        "how": change.how,
        "condition": change.condition or None,
        "was": change.was or None,
        "now": change.now or None,
        "charts": change.charts,
    }


def _counted(found: list[CaseDifference]) -> list[tuple[str, int]]:
    counts = Counter(r for d in found for r in dict.fromkeys(c.rule for c in d.rules))
    return sorted(counts.items(), key=lambda item: (-item[1], item[0]))


def diff_lines(found: list[CaseDifference], total: int, unmatched: list[str], words: Words) -> list[str]:
    """Each changed case with its chart and its rules, then the rules by number of cases."""
    lines = []
    for d in found:
        passed = "" if d.before == d.after else f"  {_outcome(d.before)} -> {_outcome(d.after)}"
        lines.append(click.style(d.id, bold=True) + passed)
        lines += table([[words.ui(p), a, "->", b] for p, a, b in d.chart if p not in ("plate", "generals")], indent="  ")
        lines += table([_rule_row(r, words) for r in d.rules], indent="  ")
    counts = _counted(found)
    if len(found) > 1 and counts:
        lines += ["", words.ui("through_rules")]
        lines += table([[rule, f"{n}"] for rule, n in counts], indent="  ")
    if unmatched:
        lines.append(f"{words.ui('on_one_side')}: {' '.join(unmatched)}")
    lines.append(f"{total} {words.ui('cases')}, {len(found)} {words.ui('changed')}")
    return lines


def _outcome(passed: bool) -> str:
    return click.style("✓", fg="green") if passed else click.style("✗", fg="red")


def _rule_row(change: RuleChange, words: Words) -> list[str]:
    turned = f"{change.condition}: {change.was or '—'} -> {change.now or '—'}" if change.condition else words.ui(f"rule_{change.how}")
    return [f"{_MARK[change.before]} -> {_MARK[change.after]}", change.rule, turned]
