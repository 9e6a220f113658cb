"""The smallest change of a question that makes something so, found by trying.

A change is one thing told otherwise: the hour, the month general, the day, the
nobleman, one option of the school, one thing about the asker, one told fact,
one reading of a verse.  Every change is tried by casting and evaluating anew,
and what is reported has been run.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from datetime import timedelta
from itertools import combinations
from types import MappingProxyType

from liuren.facts.errors import UserError
from liuren.facts.ganzhi import BRANCHES, SIXTY
from liuren.facts.question import PersonInput, Question

from .doctrine import option_values
from .evaluate import Evaluation
from .library import Library
from .questions import Request

KINDS = ("variant", "told", "noble", "option", "hour", "month_general", "person", "day")
"""Kinds of change, in the order they are tried and shown."""

_ANNUAL_YEARS = 60


@dataclass(frozen=True, slots=True)
class Change:
    """One thing told otherwise: what, from, to, and the request that results."""

    kind: str
    name: str
    old: str
    new: str
    apply: Callable[[Request], Request]

    def __str__(self) -> str:
        return f"{self.name}: {self.old or '—'} -> {self.new}"


@dataclass(frozen=True, slots=True)
class Way:
    """Changes that together make it so, and the request with all of them."""

    changes: tuple[Change, ...]
    request: Request


def single_changes(request: Request, library: Library, text: str, rule: str = "") -> Iterator[Change]:
    """Every single change of *request* that could matter to *text*.

    Args:
        request: the question as asked.
        library: the knowledge base.
        text: the text whose rules are wanted.
        rule: the rule wanted, for the readings of its passage.
    """
    yield from _variants(request, library, rule)
    yield from _told(request, library)
    yield from _nobles(request)
    yield from _options(request, library, text)
    question = request.question
    if question.moment is not None:
        yield from _hours_of_moment(request)
    else:
        yield from _field(request, "hour", BRANCHES, question.hour or "")
        yield from _field(request, "month_general", BRANCHES, question.month_general or "")
    yield from _persons(request)
    if question.moment is not None:
        yield from _days_of_moment(request)
    else:
        yield from _field(request, "day", SIXTY, question.day or "")


def _set_question(**values: object) -> Callable[[Request], Request]:
    return lambda r: replace(r, question=replace(r.question, **values))  # type: ignore[arg-type]


def _field(request: Request, name: str, values: tuple[str, ...], old: str) -> Iterator[Change]:
    # An hour told as a ganzhi is changed as a branch: its stem follows from the day.
    short = old[-1:] if name == "hour" else old
    for value in values:
        if value != short:
            yield Change(name, name, old, value, _set_question(**{name: value}))


def _hours_of_moment(request: Request) -> Iterator[Change]:
    moment = request.question.moment
    assert moment is not None
    for hours in sorted((h for h in range(-22, 24, 2) if h), key=abs):
        other = moment + timedelta(hours=hours)
        if other.date() == moment.date():
            yield Change("hour", "moment", moment.isoformat(), other.isoformat(), _set_question(moment=other))


def _days_of_moment(request: Request) -> Iterator[Change]:
    moment = request.question.moment
    assert moment is not None
    for days in sorted((d for d in range(-30, 31) if d), key=abs):
        other = moment + timedelta(days=days)
        yield Change("day", "moment", moment.isoformat(), other.isoformat(), _set_question(moment=other))


def _nobles(request: Request) -> Iterator[Change]:
    for value in ("晝", "夜"):
        if value != request.question.noble:
            yield Change("noble", "noble", request.question.noble or "", value, _set_question(noble=value))


def _told(request: Request, library: Library) -> Iterator[Change]:
    told = request.question.told
    for name, values in library.kb.lexicon.told.items():
        for value in values:
            if told.get(name) != value:
                yield Change("told", f"told.{name}", told.get(name, ""), value, _tell(name, value))


def _tell(name: str, value: str) -> Callable[[Request], Request]:
    def apply(request: Request) -> Request:
        told = MappingProxyType({**request.question.told, name: value})
        return replace(request, question=replace(request.question, told=told))

    return apply


def _options(request: Request, library: Library, text: str) -> Iterator[Change]:
    doctrine = library.doctrine(request.doctrine or library.kb.texts[text].doctrine, request.sets)
    for option, values in option_values(library.data).items():
        for value in values:
            if value != doctrine.options[option]:
                yield Change("option", option, doctrine.options[option], value, _choose(option, value))


def _choose(option: str, value: str) -> Callable[[Request], Request]:
    return lambda r: replace(r, sets=MappingProxyType({**r.sets, option: value}))


def _variants(request: Request, library: Library, rule: str) -> Iterator[Change]:
    known = library.kb.rules.get(rule)
    if known is None:
        return
    for crux in library.kb.passages[known.passage].cruces:
        at = f"{known.passage}:{crux.id}"
        old = request.variants.get(at, " ".join(crux.default))
        for option, _, _ in crux.options:
            if option != old:
                yield Change("variant", at, old, option, _read_as(at, option))


def _read_as(at: str, option: str) -> Callable[[Request], Request]:
    return lambda r: replace(r, variants=MappingProxyType({**r.variants, at: option}))


def _persons(request: Request) -> Iterator[Change]:
    querent = request.question.persons.get("querent", PersonInput())
    if querent.born is not None:
        for years in sorted((y for y in range(-_ANNUAL_YEARS // 2, _ANNUAL_YEARS // 2 + 1) if y), key=abs):
            born = querent.born + years
            yield Change("person", "born", str(querent.born), str(born), _person(born=born))
    else:
        for part in ("annual", "natal"):
            old = getattr(querent, part) or ""
            for branch in BRANCHES:
                if branch != old[-1:]:
                    yield Change("person", part, old, branch, _person(**{part: branch}))
    for sex in ("男", "女"):
        if sex != querent.sex:
            yield Change("person", "sex", querent.sex or "", sex, _person(sex=sex))


def _person(**values: object) -> Callable[[Request], Request]:
    def apply(request: Request) -> Request:
        persons = dict(request.question.persons)
        persons["querent"] = replace(persons.get("querent", PersonInput()), **values)  # type: ignore[arg-type]
        question: Question = replace(request.question, persons=MappingProxyType(persons))
        return replace(request, question=question)

    return apply


def find_ways(
    request: Request,
    library: Library,
    text: str,
    wanted: Callable[[Evaluation], bool],
    rule: str = "",
    deep: bool = False,
    limit: int = 2,
    progress: Callable[[int], None] | None = None,
) -> list[Way]:
    """The smallest changes that make *wanted* true, each verified by running.

    Args:
        request: the question as asked.
        library: the knowledge base.
        text: whose evaluation is asked.
        wanted: the test on an evaluation.
        rule: the rule wanted, for its readings.
        deep: try pairs of changes of different kinds when no single one does.
        limit: how many ways of each kind (or pair of kinds) to report.
        progress: called with the number of changes tried.

    Returns:
        ways with one change, in the order of :data:`KINDS`; with two if *deep*
        and none has one.
    """
    singles = list(single_changes(request, library, text, rule))
    tried = 0

    def attempt(changes: tuple[Change, ...]) -> Way | None:
        nonlocal tried
        tried += 1
        if progress is not None:
            progress(tried)
        changed = request
        for change in changes:
            changed = change.apply(changed)
        evaluation = _evaluation(changed, library, text)
        return Way(changes, changed) if evaluation is not None and wanted(evaluation) else None

    ways = _collect(((c,) for c in singles), attempt, limit)
    if ways or not deep:
        return ways
    pairs = (
        (a, b) for a, b in combinations(singles, 2) if a.name != b.name and not (a.kind == b.kind == "option")
    )
    return _collect(pairs, attempt, limit, total=limit * 3)


def _collect(
    candidates: Iterator[tuple[Change, ...]],
    attempt: Callable[[tuple[Change, ...]], Way | None],
    limit: int,
    total: int | None = None,
) -> list[Way]:
    counts: dict[tuple[str, ...], int] = {}
    ways: list[Way] = []
    for changes in candidates:
        kinds = tuple(c.kind for c in changes)
        if counts.get(kinds, 0) >= limit:
            continue
        way = attempt(changes)
        if way is not None:
            counts[kinds] = counts.get(kinds, 0) + 1
            ways.append(way)
            if total is not None and len(ways) >= total:
                break
    return ways


def _evaluation(request: Request, library: Library, text: str) -> Evaluation | None:
    """The evaluation of a changed request; ``None`` when the change is impossible."""
    try:
        doctrine = library.doctrine(request.doctrine or library.kb.texts[text].doctrine, request.sets)
        chart = library.chart(request.question, doctrine)
        return Evaluation(library.program(text, request.variants), chart)
    except UserError:
        return None


