"""``liuren weigh``: the verdicts on a topic by their weight, and what contradicts."""

from __future__ import annotations

from typing import Any

import click
from liuren.engine.language.conclusions import Verdict
from liuren.engine.reading import Reading
from liuren.engine.weigh import Weighed, clashes, weigh

from .report import verdict_lines
from .words import Words

SCHEMA = "liuren.weigh/1"


def weigh_json(reading: Reading, kb_dir: str | None) -> dict[str, Any]:
    """The weighing as data."""
    weighed = weigh(reading, kb_dir)
    return {
        "schema": SCHEMA,
        "topic": reading.request.topic,
        "verdicts": [_json(w) for w in weighed],
        "contradictions": [
            {"topic": c.topic, "good": list(c.good), "bad": list(c.bad)} for c in clashes(weighed, reading)
        ],
    }


def _json(weighed: Weighed) -> dict[str, Any]:
    body = weighed.said.conclusion
    assert isinstance(body, Verdict)
    return {
        "id": body.id, "text": weighed.said.rule.text, "ground": weighed.ground.id,
        "why": weighed.ground.why, "polarity": body.polarity, "topic": list(body.topics),
        "standing": weighed.standing.state, "en": body.en, "ko": body.ko,
    }  # fmt: skip


def weigh_lines(reading: Reading, words: Words, kb_dir: str | None) -> list[str]:
    """The weighing as text: text by text, ground by ground; then contradictions by name."""
    weighed = weigh(reading, kb_dir)
    lines: list[str] = []
    last: tuple[str, str] | None = None
    for one in weighed:
        text = one.said.rule.text
        if last is None or last[0] != text:
            lines += ["", click.style(words.text(text), bold=True)] if lines else [click.style(words.text(text), bold=True)]
        if last != (text, one.ground.id):
            quote = f" 「{one.ground.quote}」" if one.ground.quote else ""
            why = words.ui("external") if one.ground.why == "external" else words.passage(one.ground.why)
            lines.append(f"  {click.style(words.pick(one.ground.words), underline=True)} ({why}{quote})")
        last = (text, one.ground.id)
        lines += verdict_lines(reading, one.said, words)
    found = list(clashes(weighed, reading))
    if found:
        lines += ["", click.style(words.ui("contradictions"), bold=True)]
    for clash in found:
        lines.append(f"  {words.topic(clash.topic)}")
        lines.append(f"    {words.ui('good')}: {', '.join(clash.good)}")
        lines.append(f"    {words.ui('bad')}: {', '.join(clash.bad)}")
    return lines or [words.ui("nothing")]
