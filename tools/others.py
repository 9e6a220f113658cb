"""``liuren who-else``: other voices on a verdict, other definitions of a name."""

from __future__ import annotations

from typing import Any

import click
from liuren.engine.language.conclusions import Verdict
from liuren.engine.reading import Reading, Said
from liuren.engine.whoelse import Definition, Voice, definitions, voices
from liuren.facts.errors import UserError
from liuren.facts.points import nearest

from .report import source
from .words import Words

SCHEMA = "liuren.whoelse/1"


def find(id: str, reading: Reading) -> tuple[list[Said], list[Definition]]:
    """The verdicts that *id* means, or the definitions of the pattern *id*.

    Raises:
        UserError: it names neither a verdict said on this chart nor a pattern.
    """
    said = [
        s
        for text in reading.texts.values()
        for s in text.of_kind(Verdict)
        if isinstance(s.conclusion, Verdict) and id in (s.conclusion.id, s.rule.id, s.instance.id)
    ]
    found = list(definitions(id, reading))
    if said or found:
        return said, found
    if id in reading.library.kb.rules:
        raise UserError(f"The rule {id} gives no verdict on this chart; ask `liuren why-not {id}`.")
    patterns = [p for t in reading.texts.values() for p in t.evaluation.program.patterns]
    near = nearest(id, [*reading.library.kb.rules, *patterns])
    raise UserError(f"«{id}» is no verdict or pattern" + (f"; did you mean {near}?" if near else "."))


def others_json(id: str, reading: Reading) -> dict[str, Any]:
    """The answer as data."""
    said, found = find(id, reading)
    return {
        "schema": SCHEMA,
        "id": id,
        "voices": [_voice(s, v) for s in said for v in voices(s, reading)],
        "definitions": [
            {
                "rule": d.rule.id, "text": d.rule.text, "quote": d.rule.quote,
                "fires": d.fires, "awake": d.awake, "readings": list(d.rule.readings),
            }
            for d in found
        ],
    }  # fmt: skip


def _voice(said: Said, voice: Voice) -> dict[str, Any]:
    body, mine = voice.said.conclusion, said.conclusion
    assert isinstance(body, Verdict) and isinstance(mine, Verdict)
    return {
        "on": mine.id, "id": body.id, "text": voice.said.rule.text, "polarity": body.polarity,
        "topic": list(body.topics), "agrees": voice.agrees, "shared": list(voice.shared),
        "en": body.en, "ko": body.ko, "quote": voice.said.rule.quote,
    }  # fmt: skip


def others_lines(id: str, reading: Reading, words: Words) -> list[str]:
    """The answer as text."""
    said, found = find(id, reading)
    lines: list[str] = []
    for one in said:
        assert isinstance(one.conclusion, Verdict)
        lines.append(click.style(f"{words.ui('who_else')} {one.conclusion.id}: {words.pick({'en': one.conclusion.en, 'ko': one.conclusion.ko, 'zh': one.rule.quote})}", bold=True))
        heard = list(voices(one, reading))
        lines += [line for voice in heard for line in _voice_lines(voice, words)]
        if not heard:
            lines.append(f"  {words.ui('none_found')}")
    if found:
        lines.append(click.style(f"{words.ui('who_else')} {id}", bold=True))
    for d in found:
        state = words.ui("variant") if not d.awake else words.ui({True: "held", False: "failed", None: "unknown"}[d.fires])
        readings = f" ({', '.join(d.rule.readings)})" if d.rule.readings else ""
        lines.append(f"  {state}: {words.text(d.rule.text)} {words.passage(d.rule.passage)} 「{d.rule.quote}」 {d.rule.id}{readings}")
    return lines


def _voice_lines(voice: Voice, words: Words) -> list[str]:
    body = voice.said.conclusion
    assert isinstance(body, Verdict)
    word = {True: "agrees", False: "contradicts", None: "beside"}[voice.agrees]
    text = words.pick({"en": body.en, "ko": body.ko, "zh": voice.said.rule.quote})
    return [
        f"  {words.ui(word)} · {words.ui(body.polarity)}: {text}",
        click.style(f"      {source(voice.said, words)}  {body.id}  [{', '.join(voice.shared)}]", dim=True),
    ]
