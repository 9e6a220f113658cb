"""What some rules change: on the sweep's charts and in the worked cases."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace

from liuren.facts.chart import Chart
from liuren.facts.errors import UserError

from .cases_types import Case
from .evaluate import Evaluation, Program
from .language.conclusions import Instance, Judged, Measure, Modifier, Pattern, Role, Rule, Verdict
from .language.levels import levels, producers, reads
from .lessons import Swept
from .library import Library
from .questions import Request
from .standing import Standings, Subject, kind_of
from .sweep import NOWHERE, Field, Sweep, bits


@dataclass(frozen=True, slots=True)
class Effect:
    """A conclusion that is otherwise: its id, what it was and what it is ("" for absent)."""

    id: str
    before: str
    after: str


@dataclass(frozen=True, slots=True)
class CaseChange:
    """What changes in a worked case.

    Attributes:
        case: its id.
        text: whose reading changes.
        charts: on how many of its charts something changes.
        rules: the rules that fire otherwise.
        effects: conclusions that are otherwise, on the first such chart.
    """

    case: str
    text: str
    charts: int
    rules: tuple[str, ...]
    effects: tuple[Effect, ...]


def with_rules(library: Library, rules: Mapping[str, Rule]) -> Library:
    """The same knowledge base with other rules."""
    order: dict[str, int] = {}
    for text in dict.fromkeys(r.text for r in rules.values()):
        order.update(levels({id: r for id, r in rules.items() if r.text == text}))
    return Library(replace(library.kb, rules=rules, levels=order), library.data)


def same_rule(a: Rule, b: Rule) -> bool:
    """Whether two rules ask and say the same, wherever they are written."""
    return a.instances == b.instances and a.readings == b.readings


def said(evaluation: Evaluation, parents: Mapping[str, str | None], topic: str | None = None) -> dict[str, str]:
    """Everything one text says on a chart, with how it stands when *topic* is asked.

    The keys are ids of conclusions, with the kind where one rule says several things
    under one id; names of patterns, with ``@`` and the point.
    """
    program = evaluation.program
    truths = [(i, evaluation.instance(i)) for i in program.instances]
    held = [i for i, t in truths if t is True]
    subjects = [Subject(c, i) for i in held for c in i.conclusions if isinstance(c, Judged)]
    waiting = [
        Subject(c, i, False, evaluation.needs(i.when))
        for i, t in truths
        if t is None
        for c in i.conclusions
        if isinstance(c, Modifier)
    ]
    standings = Standings(program.rules, subjects, waiting, parents)
    found: dict[str, str] = {}
    for instance in held:
        for c in instance.conclusions:
            if isinstance(c, Pattern):
                found[c.name + (f"@{c.of}" if c.of else "")] = "present"
            elif isinstance(c, Judged):
                kind = kind_of(c)
                state = standings.standing(c.id, topic, kind).state
                key = c.id if kind == "verdict" else f"{c.id} ({kind})"
                found[key] = f"{state}, {_words(c, evaluation)}"
    return found


def _words(said: Judged, evaluation: Evaluation) -> str:
    match said:
        case Verdict(polarity=polarity, en=en):
            return f"{polarity}: {en}"
        case Measure(name=name, fields=fields, en=en):
            values = ", ".join(f"{k} {_value(evaluation.value(v))}" for k, v in fields)
            return f"{name} {values}{': ' + en if en else ''}"
        case Modifier(kind=kind, targets=targets):
            return f"{kind} {', '.join(targets)}"
        case Role(point=point, en=en):
            return f"{point}: {en}"


def _value(answer: object) -> str:
    return "—" if answer is None or not isinstance(answer, str | int) else str(answer)


def effects(
    before: Evaluation, after: Evaluation, parents: Mapping[str, str | None], topic: str | None = None
) -> tuple[Effect, ...]:
    """What is said otherwise on one chart when *topic* is asked."""
    old, new = said(before, parents, topic), said(after, parents, topic)
    return tuple(
        Effect(id, old.get(id, ""), new.get(id, ""))
        for id in dict.fromkeys((*old, *new))
        if old.get(id) != new.get(id)
    )


# --- where rules fire otherwise ----------------------------------------------------


def differing(before: Swept, after: Swept) -> dict[str, int]:
    """Rule id to the charts on which it concludes otherwise."""
    found: dict[str, int] = {}
    for id in dict.fromkeys((*before.rules, *after.rules)):
        old, new = before.rules.get(id), after.rules.get(id)
        mask = _otherwise(_fired(old, before), _fired(new, after))
        if mask:
            found[id] = mask
    return found


def _fired(rule: Rule | None, swept: Swept) -> list[tuple[Instance, int]]:
    return [(i, swept.masks.get(i.id, NOWHERE).yes) for i in rule.instances] if rule else []


def _otherwise(old: Iterable[tuple[Instance, int]], new: Iterable[tuple[Instance, int]]) -> int:
    """Where the instances of a rule conclude otherwise."""
    a, b = {i.id: (i, m) for i, m in old}, {i.id: (i, m) for i, m in new}
    mask = 0
    for id in dict.fromkeys((*a, *b)):
        if id not in a or id not in b:
            mask |= (a.get(id) or b[id])[1]
        elif a[id][0].conclusions != b[id][0].conclusions:
            mask |= a[id][1] | b[id][1]
        else:
            mask |= a[id][1] ^ b[id][1]
    return mask


def causes(rule: str, changed: set[str], *libraries: Library) -> tuple[str, ...]:
    """The changed rules that *rule* rests on, itself first, in either knowledge base."""
    if rule in changed:
        return (rule,)
    found: dict[str, None] = {}
    for library in libraries:
        if rule not in library.kb.rules:
            continue
        made_by = producers(r for r in library.kb.rules.values() if r.text == library.kb.rules[rule].text)
        seen, waiting = {rule}, [library.kb.rules[rule]]
        while waiting:
            for name in sorted(reads(waiting.pop())):
                for source in made_by.get(name, ()):
                    if source.id in changed:
                        found[source.id] = None
                    if source.id not in seen:
                        seen.add(source.id)
                        waiting.append(source)
    return tuple(found)


# --- the worked cases ----------------------------------------------------------------


def case_changes(
    before: Library,
    after: Library,
    cases: Iterable[Case],
    texts: Iterable[str],
    variants: Mapping[str, str] | None = None,
) -> Iterator[CaseChange]:
    """The cases in which a text's reading is otherwise.

    Args:
        before, after: two knowledge bases.
        cases: worked cases; their charts are cast by their own school for their own
            text, by the text's school for another.
        texts: whose readings are compared.
        variants: readings to switch on in both.
    """
    every = [(case, request) for case in cases for request in case.requests]
    for text in texts:
        groups: dict[tuple[object, ...], list[tuple[Case, Request]]] = {}
        for case, request in every:
            own = case.text == text
            options = tuple(case.doctrine.options.items()) if own else ()
            chosen = tuple(sorted({**(request.variants if own else {}), **(variants or {})}.items()))
            groups.setdefault((options, chosen), []).append((case, request))
        for members in groups.values():
            case, request = members[0]
            own = case.text == text
            chosen_now = {**(request.variants if own else {}), **(variants or {})}
            yield from _group_changes(before, after, text, members, chosen_now)


def _group_changes(
    before: Library, after: Library, text: str, members: list[tuple[Case, Request]], variants: Mapping[str, str]
) -> Iterator[CaseChange]:
    pairs = [
        (case, old, new)
        for (case, _), old, new in zip(
            members, _charts(before, text, members), _charts(after, text, members), strict=True
        )
        if old is not None and new is not None  # what cannot be cast is told by `cases run`
    ]
    old_program, new_program = _program(before, text, variants), _program(after, text, variants)
    by_rule = differing(
        _swept(old_program, [old for _, old, _ in pairs]), _swept(new_program, [new for _, _, new in pairs])
    )
    at: dict[str, list[int]] = {}
    union = 0
    for mask in by_rule.values():
        union |= mask
    for i in bits(union):
        at.setdefault(pairs[i][0].id, []).append(i)
    for id, indices in at.items():
        case, old, new = pairs[indices[0]]
        yield CaseChange(
            id,
            text,
            len(indices),
            tuple(rule for rule, mask in by_rule.items() if any(mask >> i & 1 for i in indices)),
            effects(Evaluation(old_program, old), Evaluation(new_program, new), after.kb.lexicon.topics, case.topic or None),
        )


def _charts(library: Library, text: str, members: list[tuple[Case, Request]]) -> list[Chart | None]:
    case = members[0][0]
    known = text in library.kb.texts
    charts: list[Chart | None] = []
    for _, request in members:
        try:
            doctrine = library.doctrine(library.kb.texts[text].doctrine) if known and case.text != text else case.doctrine
            charts.append(library.chart(request.question, doctrine))
        except UserError:
            charts.append(None)
    return charts


def _program(library: Library, text: str, variants: Mapping[str, str]) -> Program:
    if text not in library.kb.texts:
        return Program.of(text, (), {})
    return library.program(text, {k: v for k, v in variants.items() if _has_reading(library, k, v)})


def _has_reading(library: Library, at: str, option: str) -> bool:
    passage, _, crux = at.rpartition(":")
    cruces = library.kb.passages[passage].cruces if passage in library.kb.passages else ()
    return any(c.id == crux and option in ("all", *(o[0] for o in c.options)) for c in cruces)


def _swept(program: Program, charts: list[Chart]) -> Swept:
    sweep = Sweep(program, Field(charts))
    return Swept({i.id: sweep.instance(i) for i in program.instances}, program.rules)
