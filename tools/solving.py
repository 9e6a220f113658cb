"""``liuren cases solve``: the charts and schools that fit what a broken case still says."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import click
from liuren.engine.casting.reading import read_branch
from liuren.engine.language.source import SourceError, parse_yaml, read_yaml
from liuren.engine.library import Library
from liuren.engine.normalise import normalise
from liuren.engine.solve import Search, Solution, contradictions
from liuren.engine.solve_schools import Schools
from liuren.engine.solve_statements import Statement, conditions, statements
from liuren.facts.errors import UserError
from liuren.facts.ganzhi import BRANCH_INDEX, BRANCHES, SIXTY, STEM_INDEX

from .layout import table
from .options import common_options, load, pairs
from .progress import Progress
from .words import Words

SCHEMA = "liuren.cases.solve/1"
_PLACES: Mapping[str, str] = {
    "初": "initial", "初傳": "initial", "發用": "initial", "中": "middle", "中傳": "middle",
    "末": "final", "末傳": "final", "干上": "lesson1", "日上": "lesson1", "支上": "lesson3",
    "辰上": "lesson3", "一課": "lesson1", "二課": "lesson2", "三課": "lesson3", "四課": "lesson4",
    **{n: n for n in ("initial", "middle", "final", "lesson1", "lesson2", "lesson3", "lesson4")},
}  # fmt: skip


@click.command(name="solve")
@click.argument("file", required=False, type=click.Path())
@common_options
@click.option("--day", metavar="干支", help="The day or a part of it: 甲子, 甲?, ?子, 甲戌旬.")
@click.option("--hour", metavar="支", help="The hour. Every value may be several: 申|酉.")
@click.option("--month-general", metavar="支", help="月將.")
@click.option("--month", metavar="支", help="月建, for the two generals it may have.")
@click.option("--offset", metavar="0-11", help="The plate: month general less hour.")
@click.option("--noble", metavar="day|night", help="The nobleman; without it the hour decides, if told.")
@click.option("--initial", metavar="支", help="初傳.")
@click.option("--middle", metavar="支", help="中傳.")
@click.option("--final", metavar="支", help="末傳.")
@click.option("--lesson1", metavar="支", help="The upper of lesson 1 (干上).")
@click.option("--lesson2", metavar="支", help="The upper of lesson 2.")
@click.option("--lesson3", metavar="支", help="The upper of lesson 3 (支上).")
@click.option("--lesson4", metavar="支", help="The upper of lesson 4.")
@click.option("--general", "generals", multiple=True, metavar="PLACE:GENERAL", help="初:青龍, lesson1:玄武, or 戌:玄武 for the general that a branch carries.")
@click.option("--hidden", multiple=True, metavar="PLACE:STEM", help="初:庚, the stem by 旬遁.")
@click.option("--void", metavar="支", help="A void branch, or both.")
@click.option("--method", metavar="NAME", help="A name of the method: 涉害, 重審, 獨足.")
@click.option("--says", multiple=True, metavar="CONDITION", help="Anything else in the rule language, as 'initial: {controls: stem}'.")
@click.option("--annual", metavar="支", help="行年 of the asker, for the school of 獨足 that asks it.")
@click.option("--doctrine", metavar="NAME", help="One school only, where all are tried.")
@click.option("--set", "sets", multiple=True, metavar="OPTION=VALUE", help="One option that is not to be varied.")
@click.option("--limit", type=click.IntRange(0), default=50, show_default=True, help="How many to show; 0 for all.")
def solve_command(file: str | None, kb_dir: str | None, lang: str, as_json: bool, annual: str | None, doctrine: str | None, sets: tuple[str, ...], limit: int, **said: Any) -> None:
    """Find every chart and school consistent with what a broken case says.

    FILE is a case (YAML, `given` and `stated`, as in kb/cases) and adds to the
    options. When nothing fits, the smallest sets of statements that contradict each
    other are named, and the exit status is 1.
    """
    from .cli import emit, emit_json

    library, words = load(kb_dir, lang)
    found = [*(_from_file(file, library) if file else ()), *_from_options(said, library)]
    if not found:
        raise UserError("Nothing is said of the chart; give a day, a transmission or another part of it.")
    year = None if annual is None else read_branch(normalise(annual)[-1:], "Annual")
    schools = Schools.of(library, doctrine, pairs(sets, "--set"))
    with Progress("days", len(SIXTY)) as progress:
        search = Search(library, schools, tuple(found), year, progress.step)
        solutions = list(search.solutions())
    clashes: list[tuple[Statement, ...]] = []
    if not solutions:
        with Progress("days", len(SIXTY)) as progress:
            search.step = progress.step
            clashes = contradictions(search)
    shown = solutions[:limit] if limit else solutions
    if as_json:
        emit_json(solve_json(search, shown, len(solutions), clashes))
    else:
        emit(solve_lines(shown, len(solutions), clashes, words))
    if not solutions:
        sys.exit(1)


def _from_file(name: str, library: Library) -> list[Statement]:
    try:
        data = read_yaml(Path(name), name)
    except SourceError as error:
        raise UserError(f"{error.problems[0]}.") from None
    if isinstance(data, dict) and isinstance(data.get("cases"), list):
        if len(data["cases"]) != 1:
            raise UserError(f"{name}: one case can be solved at a time, and the file has {len(data['cases'])}.")
        data = data["cases"][0]
    if not isinstance(data, dict) or not {"given", "fragment", "stated"} & set(data):
        raise UserError(f"{name}: a case has `given`, what is told, and `stated`, a list of what the chart has.")
    for key in ("given", "fragment"):
        if not isinstance(data.get(key) or {}, dict):
            raise UserError(f"{name}: `{key}` is a mapping, as in {{day: 甲子}}.")
    return statements(data, library, f"{name}: ")


def _from_options(said: dict[str, Any], library: Library) -> list[Statement]:
    given = {
        key: _several(said[key])
        for key in ("day", "hour", "month_general", "month", "offset", "noble")
        if said.get(key)
    }
    expect: list[object] = []
    for key in ("initial", "middle", "final", "lesson1", "lesson2", "lesson3", "lesson4"):
        if said.get(key):
            expect.append({key: {"branch": [read_branch(v, f"--{key}") for v in _several(said[key])]}})
    for text in said["generals"]:
        place, value = _pair(text, "--general", "初:青龍")
        expect.append({place: {"general": [_general(v, library) for v in _several(value)]}})
    for text in said["hidden"]:
        place, value = _pair(text, "--hidden", "初:庚")
        for stem in _several(value):
            if stem not in STEM_INDEX:
                raise UserError(f"--hidden {text}: «{stem}» is no stem; one of {''.join(STEM_INDEX)} is accepted.")
        expect.append({f"hidden({place})": {"stem": _several(value)}})
    if said.get("void"):
        for branch in [b for part in _several(said["void"]) for b in part]:
            expect.append({read_branch(branch, "--void"): {"void": True}})
    found = statements({"given": given}, library)
    for item in expect:
        found.extend(conditions(item, library))
    if said.get("method"):
        found.extend(_method(normalise(said["method"]), library))
    for text in said["says"]:
        try:
            data = parse_yaml(f"{text}\n", "--says")
        except SourceError as error:
            raise UserError(f"--says {text}: {error.problems[0].message}.") from None
        found.extend(conditions(data, library, f"--says {text}: "))
    return found


def _method(name: str, library: Library) -> list[Statement]:
    """One of the nine methods, or a name that a text gives to a lesson."""
    try:
        return list(conditions({"method": {"name": name}}, library))
    except UserError:
        return list(conditions({"method": {"head": name}}, library, f"--method {name}: "))


def _several(value: str) -> list[str]:
    return [normalise(v) for v in value.replace(",", "|").split("|") if v.strip()]


def _pair(text: str, option: str, example: str) -> tuple[str, str]:
    place, sign, value = normalise(text).replace("：", ":").partition(":")
    place = place.strip()
    if not sign or not value.strip():
        raise UserError(f"{option} {text}: write {option} PLACE:VALUE, as {example}.")
    if place in _PLACES:
        return _PLACES[place], value
    if place in BRANCH_INDEX:
        return place, value
    raise UserError(
        f"{option} {text}: «{place}» is no place; 初 中 末, 干上, 支上, 一課 to 四課, "
        f"initial, lesson1 … or one of {''.join(BRANCHES)} are accepted."
    )


def _general(name: str, library: Library) -> str:
    """A general by its name or, where that is enough, by one character of it."""
    known = library.data.tables.generals
    fits = [g for g in known if g == name] or [g for g in known if len(name) == 1 and name in g]
    if len(fits) != 1:
        raise UserError(f"«{name}» is no general, or more than one; known: {'、'.join(known)}.")
    return fits[0]


# --- output --------------------------------------------------------------------------


def solve_json(
    search: Search, shown: list[Solution], total: int, clashes: list[tuple[Statement, ...]]
) -> dict[str, Any]:
    """``cases solve --json``: what was said, the charts that fit, or what contradicts."""
    return {
        "schema": SCHEMA,
        "statements": [s.text for s in search.statements],
        "base": search.schools.base.id,
        "total": total,
        "solutions": [
            {
                "day": s.day,
                "offset": s.offset,
                "hours": list(s.hours),
                "noble": s.half or None,
                "lessons": list(s.lessons),
                "method": s.method,
                "transmissions": list(s.transmissions),
                "generals": list(s.generals) or None,
                "doctrines": list(s.doctrines),
                "sets": [dict(c) for c in s.changes],
            }
            for s in shown
        ],
        "contradictions": [[s.text for s in clash] for clash in clashes],
    }


def solve_lines(
    shown: list[Solution], total: int, clashes: list[tuple[Statement, ...]], words: Words
) -> list[str]:
    """A line for each chart with its schools, or the statements that contradict each other."""
    if not total:
        lines = [words.ui("no_chart_fits")]
        for clash in clashes:
            lines.append("  " + " · ".join(s.text for s in clash))
        return lines
    rows = []
    for s in shown:
        hours = "" if len(s.hours) == 12 else f"{words.ui('hour')} {''.join(s.hours)}"
        signs = s.generals or ("",) * 3
        chain = " ".join(f"{b}{g}" for b, g in zip(s.transmissions, signs, strict=True))
        rows.append([s.day, f"{words.ui('plate_offset')} {s.offset}", hours, s.half, "".join(s.lessons), s.method, chain, _schools(s)])
    lines = table(rows)
    if len(shown) < total:
        lines.append(f"… {total - len(shown)} {words.ui('more')}")
    lines.append(f"{total} {words.ui('charts_fit')}")
    return lines


def _schools(solution: Solution) -> str:
    """The named doctrines, or the fewest options where none of them has it."""
    if solution.doctrines:
        return " ".join(solution.doctrines)
    first = min(solution.changes, key=len)
    return " ".join(f"{k}={v}" for k, v in first.items())
