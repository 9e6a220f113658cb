"""Which school reproduces a printed case, found by trying.

The doctrine of the case is tried first, then it with one option chosen otherwise,
then with two of those that matter to the case.  What is looked for is a school under
which everything that the text states holds; the fewest changes come first.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import combinations
from types import MappingProxyType

from liuren.facts.errors import UserError

from .calendar.inputs import OPTIONS as CALENDAR
from .cases_run import truths
from .cases_types import Case
from .doctrine import Doctrine, option_values
from .library import Library


@dataclass(frozen=True, slots=True)
class Reproduction:
    """The school that comes nearest to a printed case.

    Attributes:
        id: the case.
        doctrine: the school, the case's own where nothing had to be changed.
        changed: option to value, where it parts from the doctrine it began with.
        held, stated: how many of the statements hold under it, and how many there are.
        told_noble: whether the half of the day must be told, because the chart
            has the other nobleman than its hour gives under this school.
        others: more sets of as few changes that do as well.
    """

    id: str
    doctrine: Doctrine
    changed: Mapping[str, str]
    held: int
    stated: int
    told_noble: bool
    others: tuple[Mapping[str, str], ...] = ()

    @property
    def whole(self) -> bool:
        """Whether everything stated holds."""
        return self.held == self.stated


def reproduce(case: Case, library: Library, base: Doctrine | None = None) -> Reproduction:
    """The school nearest to *base* that reproduces *case*.

    Args:
        case: a worked case; what it records as a disagreement is looked for too.
        library: the knowledge base.
        base: where to begin; the doctrine of the case without its own options if
            ``None``.

    Returns:
        The school with the fewest changes (none, one or two) under which most
        statements hold.

    Raises:
        UserError: what the case gives makes no chart under *base*.
    """
    base = base or library.doctrine(case.doctrine.name)
    first = truths(case, library, base)
    best = sum(first)
    found: list[dict[str, str]] = [{}]
    if best < len(first):
        singles = [(c, _try(case, library, base, c)) for c in _single_changes(base, library)]
        tried = [(c, t) for c, t in singles if t is not None]
        best, found = _best(best, found, [(c, sum(t)) for c, t in tried])
        if best < len(first):
            matter = [c for c, t in tried if t != first or _moves(case, library, base, c)]
            pairs = ({**a, **b} for a, b in combinations(matter, 2) if not a.keys() & b.keys())
            more = ((c, _try(case, library, base, c)) for c in pairs)
            best, found = _best(best, found, [(c, sum(t)) for c, t in more if t is not None])
    doctrine = base.with_set(found[0]) if found[0] else base
    return Reproduction(
        id=case.id,
        doctrine=doctrine,
        changed=MappingProxyType(found[0]),
        held=best,
        stated=len(first),
        told_noble=_needs_noble(case, library, doctrine, best),
        others=tuple(MappingProxyType(c) for c in found[1:]),
    )


def _best(
    best: int, found: list[dict[str, str]], tried: list[tuple[dict[str, str], int]]
) -> tuple[int, list[dict[str, str]]]:
    most = max((n for _, n in tried), default=0)
    return (most, [c for c, n in tried if n == most]) if most > best else (best, found)


def _single_changes(base: Doctrine, library: Library) -> Iterator[dict[str, str]]:
    """Every option of casting chosen otherwise; those of the calendar need a moment."""
    for option, values in option_values(library.data).items():
        if option in CALENDAR and option != "day_night":
            continue
        for value in values:
            if value != base.options[option]:
                yield {option: value}


def _try(
    case: Case, library: Library, base: Doctrine, changes: Mapping[str, str]
) -> tuple[bool, ...] | None:
    try:
        return truths(case, library, base.with_set(changes))
    except UserError:
        return None  # such as sunrise, which pillars alone do not tell


def _moves(case: Case, library: Library, base: Doctrine, changes: Mapping[str, str]) -> bool:
    """Whether *changes* alter transmissions, generals or growth, though no statement yet."""
    question = case.requests[0].question
    one, other = (library.chart(question, d) for d in (base, base.with_set(changes)))
    return any(
        getattr(one, part) != getattr(other, part)
        for part in ("transmissions", "general_of", "growth", "persons", "strengths")
    )


def _needs_noble(case: Case, library: Library, doctrine: Doctrine, held: int) -> bool:
    """Whether less holds when the nobleman is left to the hour."""
    if not any(r.question.noble for r in case.requests) or "noble" not in case.given:
        return False
    asked = tuple(replace(r, question=replace(r.question, noble=None)) for r in case.requests)
    return sum(truths(replace(case, requests=asked), library, doctrine)) < held


@dataclass(frozen=True, slots=True)
class Service:
    """How far one doctrine serves for the cases of a book.

    Attributes:
        doctrine: name of the doctrine.
        whole: ids of the cases in which everything stated holds.
        wanting: ids of the others.
    """

    doctrine: str
    whole: tuple[str, ...]
    wanting: tuple[str, ...]


def services(
    cases: Iterable[Case], library: Library, step: Callable[[], None] = lambda: None
) -> tuple[Service, ...]:
    """How far each named doctrine serves *cases*, each tried alone; the best first.

    Args:
        cases: the cases of one book.
        library: the knowledge base.
        step: called after each doctrine.
    """
    items = tuple(cases)
    found = []
    for name in library.data.doctrines["doctrines"]:
        school = library.doctrine(name)
        holds = {c.id: all(truths(c, library, school)) for c in items}
        whole = tuple(i for i, held in holds.items() if held)
        found.append(Service(name, whole, tuple(i for i in holds if i not in whole)))
        step()
    return tuple(sorted(found, key=lambda s: -len(s.whole)))
