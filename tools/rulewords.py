"""A rule in words: what it asks, what it concludes, how often it fires."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from liuren.engine.language.conclusions import (
    Conclusion,
    Instance,
    Measure,
    Modifier,
    Pattern,
    Role,
    Rule,
    Value,
    Verdict,
    Vote,
)
from liuren.engine.language.conditions import flatten
from liuren.engine.language.passages import Example
from liuren.engine.lessons import CHARTS, Swept, lessons_of
from liuren.engine.library import Library

from .phrases import Phrases


def condition_words(instance: Instance, phrases: Phrases) -> list[str]:
    """Each condition of an instance in words; one line "always" if there is none."""
    parts = flatten(instance.when)
    return [phrases.condition(p) for p in parts] or [phrases.condition(instance.when)]


def conclusion_words(conclusion: Conclusion, phrases: Phrases, quote: str = "") -> str:
    """A conclusion in words; *quote* stands for a verdict in Chinese."""
    words = phrases.words
    match conclusion:
        case Pattern(name=name, of=of):
            return f"{words.ui('pattern')}: {words.gloss(name)}" + (f" ({of})" if of else "")
        case Vote(tally=tally, side=side, weight=weight):
            times = f" ×{weight}" if weight != 1 else ""
            return f"{words.ui('vote')}: {words.gloss(tally)} → {value_words(side, phrases)}{times}"
        case Measure(name=name, fields=fields, en=en, ko=ko, of=of):
            parts = [_field(field, value, phrases) for field, value in fields]
            text = words.pick({"en": en, "ko": ko})
            head = f"{words.ui('measure')}: {words.gloss(name)}" + (f" ({of})" if of else "")
            return head + (f" = {', '.join(parts)}" if parts else "") + (f": {text}" if text else "")
        case Verdict(topics=topics, polarity=polarity, en=en, ko=ko, of=of):
            text = words.pick({"zh": f"「{quote}」" if quote else "", "en": en, "ko": ko})
            about = ", ".join(words.topic(t) for t in topics)
            return f"{words.ui('verdict')} ({about}, {words.ui(polarity)})" + (f" ({of})" if of else "") + f": {text}"
        case Modifier(kind=kind, targets=targets, topics=topics, polarity=polarity, of=of):
            only = [words.topic(t) for t in topics] + ([words.ui(polarity)] if polarity else []) + ([of] if of else [])
            return f"{words.ui(kind)}: {', '.join(targets)}" + (f" ({', '.join(only)})" if only else "")
        case Role(topics=topics, point=point, zh=zh, en=en, ko=ko):
            about = ", ".join(words.topic(t) for t in topics)
            return f"{words.ui('role')} ({about}): {phrases.point(point)} = {words.pick({'zh': zh, 'en': en, 'ko': ko})}"


def _field(name: str, value: Value, phrases: Phrases) -> str:
    shown = value_words(value, phrases)
    if name in ("within", "unit"):
        shown = phrases.words.ui(f"unit_{value.literal}")
    return f"{phrases.words.ui(name)} {shown}"


def value_words(value: Value, phrases: Phrases) -> str:
    """A value of a conclusion in words."""
    if value.point is None:
        return str(value.literal)
    where = phrases.words.ui(value.point.name) if value.point.kind == "record" else phrases.point(value.point)
    return f"{where} · {phrases.words.ui(value.slot)}" if value.slot else where


def question_words(given: Mapping[str, Any]) -> str:
    """An example's question in one line."""
    return " ".join(f"{k} {_plain(v)}" for k, v in given.items())


def _plain(value: Any) -> str:
    if isinstance(value, dict):
        return "{" + ", ".join(f"{k}: {_plain(v)}" for k, v in value.items()) + "}"
    return str(value)


def examples_of(rule: Rule, library: Library) -> list[tuple[str, Example]]:
    """What the examples of its passage say of a rule: (fires, near, not …; example)."""
    found = []
    for example in library.kb.passages[rule.passage].examples:
        for kind, keys in (
            ("fires", example.fires),
            ("near", example.near),
            ("not", example.not_),
            ("unknown", example.unknown),
            ("never", example.never),
        ):
            if rule.key in {k.split("@")[0] for k in keys}:
                found.append((kind, example))
    return found


def frequency(rule: Rule, swept: Swept) -> dict[str, int]:
    """How often a rule fires in the sweep: charts, of how many, lessons, undecided charts."""
    mask = swept.rule(rule.id)
    return {
        "fires": mask.yes.bit_count(),
        "of": CHARTS,
        "lessons": lessons_of(mask.yes),
        "unknown": mask.unknown.bit_count(),
    }


def percent(part: int, whole: int) -> str:
    """A share, with as many places as it takes to see that it is not nothing."""
    share = 100 * part / whole if whole else 0
    return f"{share:.2f}%" if 0 < share < 1 else f"{share:.1f}%"
