"""Who else speaks: other clauses on the same ground, and other texts' use of a name."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from .language.conclusions import Pattern, Rule, Verdict
from .reading import Reading, Said, TextReading


@dataclass(frozen=True, slots=True)
class Voice:
    """Another verdict that rests on some of the same facts.

    ``agrees`` is true for the same polarity, false for the opposite of good and
    bad, ``None`` where neither can be said; ``shared`` are the facts in common.
    """

    said: Said
    agrees: bool | None
    shared: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Definition:
    """A rule that concludes a pattern of the name, and whether it holds here.

    ``fires`` is ``None`` for unknown; ``awake`` is false for a rule of a
    reading that is not chosen.
    """

    rule: Rule
    fires: bool | None
    awake: bool


def definitions(name: str, reading: Reading) -> Iterator[Definition]:
    """Every rule of every text that concludes the pattern *name*."""
    for rule in reading.library.kb.rules.values():
        if not any(isinstance(c, Pattern) and c.name == name for i in rule.instances for c in i.conclusions):
            continue
        evaluation = reading.texts[rule.text].evaluation
        awake = rule.id in evaluation.program.rules
        yield Definition(rule, evaluation.rule(rule.id) if awake else None, awake)


def voices(said: Said, reading: Reading) -> Iterator[Voice]:
    """Verdicts on the same or a wider topic that rest on facts of *said*'s.

    Facts are compared across texts by what they say (``initial.general``), so
    that two texts that look at the same place of their charts meet.
    """
    mine = grounds(said, reading.texts[said.rule.text])
    assert isinstance(said.conclusion, Verdict)
    topics = set(said.conclusion.topics)
    for text in reading.texts.values():
        for other in text.of_kind(Verdict):
            body = other.conclusion
            assert isinstance(body, Verdict)
            if other.rule.id == said.rule.id or not topics & {*body.topics, "general"}:
                continue
            shared = tuple(k for k in grounds(other, text) if k in mine)
            if shared:
                yield Voice(other, _agree(said.conclusion.polarity, body.polarity), shared)


def grounds(said: Said, text: TextReading) -> dict[str, None]:
    """The keys of the chart facts that a conclusion's firing rests on, in order."""
    run = text.run
    by_instance = {f.instance: f for f in run.firings if f.instance is not None}
    found: dict[str, None] = {}
    stack = list(reversed(by_instance[said.instance.id].support))
    seen: set[str] = set()
    while stack:
        key = stack.pop()
        if key in seen:
            continue
        seen.add(key)
        kind = run.kinds.get(key)
        if kind in ("slot", "relation"):
            found[key] = None
        elif key in run.derived:
            for number in run.derived[key]:
                stack.extend(reversed(run.firings[number].support))
        else:
            stack.extend(k for k in reversed(run.members.get(key, ())) if k in run.memory)
    return found


def _agree(a: str, b: str) -> bool | None:
    if a == b:
        return True
    return False if {a, b} == {"good", "bad"} else None
