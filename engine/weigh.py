"""Weighing: the verdicts on a topic in the order the texts give their weight.

``kb/weights.yaml`` names, for each text, the grounds a verdict can rest on and
which comes first, with the passage that says so.  Nothing is added up: the
order is all, and what contradicts stands side by side.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from liuren.facts.points import Point

from .data import load_data
from .language.conclusions import Verdict
from .language.conditions import Related, SlotIs
from .reading import Reading, Said, TextReading
from .standing import Standing
from .whoelse import grounds

FALLEN = ("cancelled", "replaced", "outranked")
"""Standings that leave a verdict without force; it is shown last."""


@dataclass(frozen=True, slots=True)
class Ground:
    """A ground of a text's weighing, with the passage that gives it its place."""

    id: str
    rank: int
    points: frozenset[str]
    why: str
    quote: str
    words: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Weighed:
    """A verdict with the ground it rests on and its standing."""

    said: Said
    ground: Ground
    standing: Standing


@dataclass(frozen=True, slots=True)
class Clash:
    """Verdicts on one topic that contradict each other: good against bad."""

    topic: str
    good: tuple[str, ...]
    bad: tuple[str, ...]


def text_grounds(text: str, kb_dir: str | None = None) -> tuple[Ground, ...]:
    """The grounds of *text*, the weightiest first; one ground for all if none are named."""
    weights = load_data("weights", kb_dir)
    data: list[dict[str, Any]] = weights["weights"].get(text) or weights["unranked"]
    return tuple(
        Ground(
            row["ground"], rank, frozenset(row["points"]), row["why"], row.get("quote", ""),
            {k: row[k] for k in ("zh", "ko", "en")},
        )
        for rank, row in enumerate(data)
    )  # fmt: skip


def weigh(reading: Reading, kb_dir: str | None = None) -> list[Weighed]:
    """The verdicts that speak to the topic, text by text, the weightiest first.

    Within a ground the order is that of the text; verdicts without force come last.
    """
    found: list[Weighed] = []
    for text in reading.texts.values():
        own = text_grounds(text.text, kb_dir)
        weighed = [
            Weighed(s, _ground(s, text, reading, own), reading.standing(s))
            for s in reading.said(Verdict)
            if s.rule.text == text.text
        ]
        found += sorted(weighed, key=lambda w: (w.standing.state in FALLEN, w.ground.rank))
    return found


def clashes(weighed: list[Weighed], reading: Reading) -> Iterator[Clash]:
    """For each topic, the standing verdicts for good and for bad, when there are both.

    A reversed verdict counts for the other side.
    """
    by_topic: dict[str, tuple[list[str], list[str]]] = {}
    for one in weighed:
        body = one.said.conclusion
        assert isinstance(body, Verdict)
        if one.standing.state in FALLEN or body.polarity not in ("good", "bad"):
            continue
        good = (body.polarity == "good") is not (one.standing.state == "reversed")
        for topic in body.topics:
            by_topic.setdefault(topic, ([], []))[0 if good else 1].append(body.id)
    for topic in reading.library.kb.lexicon.topics:
        good_ids, bad_ids = by_topic.get(topic, ([], []))
        if good_ids and bad_ids:
            yield Clash(topic, tuple(good_ids), tuple(bad_ids))


def _ground(said: Said, text: TextReading, reading: Reading, own: tuple[Ground, ...]) -> Ground:
    """The weightiest ground that the verdict's facts, or its own point, belong to."""
    seats = reading.library.reasoner(text.text, reading.request.variants).compiled.seats
    names: set[str] = set()
    for key in grounds(said, text):
        condition = seats[key].condition
        if isinstance(condition, SlotIs):
            names |= _names(condition.point)
        elif isinstance(condition, Related):
            for point in (condition.point, *condition.others):
                names |= _names(point)
    return next((g for g in own if g.points & names), own[-1])


def _names(point: Point) -> set[str]:
    found = {point.text, point.name}
    for arg in point.args:
        found |= _names(arg)
    return found
