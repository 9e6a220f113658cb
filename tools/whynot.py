"""``liuren why-not``: why something is not there, and the nearest way to it."""

from __future__ import annotations

from typing import Any

import click
from liuren.engine.changes import Way, find_ways
from liuren.engine.evaluate import Evaluation
from liuren.engine.language.conclusions import Verdict
from liuren.engine.language.conditions import AllOf, AnyOf, CountOf, Fires, Not, PatternIs
from liuren.engine.reading import Reading, TextReading
from liuren.engine.whynot import Finding, examine, examine_instance, near_rules, nearest_instance
from liuren.facts.errors import UserError
from liuren.facts.points import nearest

from .phrases import Phrases
from .progress import Progress

SCHEMA = "liuren.whynot/1"
_MARK = {True: ("✓", "green"), False: ("✗", "red"), None: ("?", "yellow")}


class Question:
    """What is asked to be there: in which text, how it fared, when it would be there."""

    def __init__(self, id: str, reading: Reading) -> None:
        """Find *id* among rules, instances, conclusions and patterns.

        Raises:
            UserError: it is there (see why), or nothing is called so.
        """
        self.id, self.reading = id, reading
        self.rule = ""
        found = self._rule(id) or self._pattern(id)
        if found is None:
            raise UserError(_unknown(id, reading))
        self.text, self.finding = found

    def _rule(self, id: str) -> tuple[TextReading, Finding] | None:
        base = id.partition("#")[0]
        rule_id = base.partition("@")[0]
        for text in self.reading.texts.values():
            program = text.evaluation.program
            if rule_id not in program.rules:
                continue
            instances = [i for i in program.instances if i.rule == rule_id]
            if "@" in base and base not in {i.id for i in instances}:
                raise UserError(f"«{base}» is no instance of {rule_id}; known: {', '.join(i.id for i in instances)}.")
            self.rule = rule_id
            if any(i.id in text.run.fired for i in instances if "@" not in base or i.id == base):
                raise UserError(f"{id} fired on this chart; ask `liuren why {id}`.")
            return text, examine_instance(nearest_instance(base, text.evaluation), text.evaluation)
        return self._sleeping(rule_id)

    def _sleeping(self, rule_id: str) -> tuple[TextReading, Finding] | None:
        """A rule of a reading that is not chosen is examined as if it were awake."""
        rule = self.reading.library.kb.rules.get(rule_id)
        if rule is None:
            return None
        self.rule = rule_id
        text = self.reading.texts[rule.text]
        found = min(
            (examine_instance(i, text.evaluation) for i in rule.instances), key=lambda f: f.distance
        )
        return text, found

    def _pattern(self, name: str) -> tuple[TextReading, Finding] | None:
        best: tuple[TextReading, Finding] | None = None
        for text in self.reading.texts.values():
            if name not in text.evaluation.program.patterns:
                continue
            found = examine(PatternIs(name, None), text.evaluation)
            if found.truth:
                raise UserError(f"The pattern {name} is present on this chart; ask `liuren why {name}`.")
            if best is None or found.distance < best[1].distance:
                best = (text, found)
        return best

    @property
    def asleep(self) -> bool:
        """Whether the rule belongs to a reading that is not chosen."""
        return bool(self.rule) and self.rule not in self.text.evaluation.program.rules

    def wanted(self, evaluation: Evaluation) -> bool:
        """Whether it is there on another evaluation."""
        if not self.rule:
            return evaluation.truth(PatternIs(self.id, None)) is True
        if self.rule not in evaluation.program.rules:
            return False
        base = self.id.partition("#")[0]
        return any(
            evaluation.instance(i) is True
            for i in evaluation.program.rules[self.rule].instances
            if "@" not in base or i.id == base
        )

    def ways(self, deep: bool) -> list[Way]:
        """The smallest changes that bring it about, each verified by running."""
        with Progress("tried", 0) as progress:
            return find_ways(
                self.reading.request, self.reading.library, self.text.text,
                self.wanted, self.rule, deep, progress=lambda n: progress.step(),
            )  # fmt: skip


def _unknown(id: str, reading: Reading) -> str:
    patterns = [p for t in reading.texts.values() for p in t.evaluation.program.patterns]
    near = nearest(id, [*reading.library.kb.rules, *patterns, *reading.library.kb.lexicon.topics])
    return f"«{id}» is no rule, verdict, pattern or topic" + (f"; did you mean {near}?" if near else ".")


# --- text and JSON ---------------------------------------------------------------------


def finding_lines(finding: Finding, phrases: Phrases, indent: str = "") -> list[str]:
    """A finding as an indented list: mark, condition in words, what was found."""
    lines: list[str] = []
    if finding.rule:
        lines.append(f"{indent}{_mark(finding)} {phrases.words.ui('rule')} {finding.rule}")
        return lines + [x for p in finding.parts for x in finding_lines(p, phrases, indent + "   ")]
    if isinstance(finding.condition, AllOf) and finding.parts:
        return [x for p in finding.parts for x in finding_lines(p, phrases, indent)]
    actual = f"  [{phrases.words.ui('found')}: {finding.actual}]" if finding.actual and finding.truth is not True else ""
    needs = f"  [{phrases.words.ui('needs')}: {', '.join(finding.needs)}]" if finding.truth is None else ""
    if isinstance(finding.condition, AnyOf):
        lines.append(f"{indent}{_mark(finding)} {phrases.words.ui('any')}:{needs}")
    else:
        lines.append(f"{indent}{_mark(finding)} {phrases.condition(finding.condition)}{actual}{needs}")
    if finding.truth is not True and isinstance(finding.condition, AnyOf | PatternIs | Fires | Not):
        lines += [x for p in finding.parts for x in finding_lines(p, phrases, indent + "   ")]
    return lines


def _mark(finding: Finding) -> str:
    sign, colour = _MARK[finding.truth]
    return click.style(sign, fg=colour)


def finding_json(finding: Finding, phrases: Phrases) -> dict[str, Any]:
    """A finding as data; ``truth`` is true, false or null for unknown."""
    opened = isinstance(finding.condition, AllOf | AnyOf | PatternIs | Fires | Not | CountOf)
    return {
        "condition": finding.condition.key,
        "words": phrases.condition(finding.condition),
        "truth": finding.truth,
        "actual": finding.actual,
        "needs": list(finding.needs),
        "rule": finding.rule or None,
        "distance": finding.distance,
        "parts": [finding_json(p, phrases) for p in finding.parts] if opened else [],
    }


def way_json(way: Way) -> list[dict[str, str]]:
    """The changes of a way as data."""
    return [{"kind": c.kind, "name": c.name, "from": c.old, "to": c.new} for c in way.changes]


def whynot_lines(question: Question, ways: list[Way], phrases: Phrases, deep: bool) -> list[str]:
    """The whole answer as text."""
    words = phrases.words
    lines = [click.style(f"{words.ui('why_not')} {question.id}", bold=True)]
    if question.asleep:
        lines.append(f"  {words.ui('variant')}: {question.rule} ({', '.join(question.reading.library.kb.rules[question.rule].readings)})")
    lines += finding_lines(question.finding, phrases, "  ")
    lines += ["", click.style(words.ui("smallest_change"), bold=True)]
    if not ways:
        lines.append(f"  {words.ui('none_found')}" + ("" if deep else f" ({words.ui('try_deep')})"))
    lines += [f"  {' + '.join(str(c) for c in way.changes)}" for way in ways]
    return lines


def topic_near(reading: Reading) -> list[tuple[TextReading, Any, Finding]]:
    """For the topic asked: rules with verdicts on it that failed by one condition."""
    found = []
    for text in reading.texts.values():
        for instance, finding in near_rules(text.evaluation):
            verdicts = [c for c in instance.conclusions if isinstance(c, Verdict)]
            if any(reading.speaks(v.topics) and v.topics != ("general",) for v in verdicts):
                found.append((text, instance, finding))
    return found


def topic_lines(reading: Reading, phrases: Phrases) -> list[str]:
    """The near misses of a topic as text."""
    words = phrases.words
    assert reading.request.topic is not None
    lines = [click.style(f"{words.ui('near_miss')}: {words.topic(reading.request.topic)}", bold=True)]
    for _, instance, finding in topic_near(reading):
        said = next(c for c in instance.conclusions if isinstance(c, Verdict))
        lines.append(f"  {instance.id}: {words.pick({'en': said.en, 'ko': said.ko, 'zh': said.en})}")
        lines += finding_lines(finding, phrases, "      ")
    if len(lines) == 1:
        lines.append(f"  {words.ui('none_found')}")
    return lines


def topic_json(reading: Reading, phrases: Phrases) -> list[dict[str, Any]]:
    """The near misses of a topic as data."""
    return [
        {"rule": instance.id, "text": text.text, "failed": finding_json(finding, phrases)}
        for text, instance, finding in topic_near(reading)
    ]
