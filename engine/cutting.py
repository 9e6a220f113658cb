"""Cutting an edition into passages: a paragraph of Chinese, a paragraph of translation."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from liuren.engine.normalise import normalise

from .editions import digest, han, is_chinese
from .language.scope import QUOTE_LIMIT
from .language.source import Problem

_STOP = re.compile(r"[。！？；!?;]+")
_PAUSE = re.compile(r"[，、：,:]")
_EDGE = "“”‘’「」『』《》〈〉（）()〔〕【】— 　\t，、：,:。"
_HEADING_STOPS = re.compile(r"[。！？；，、：]|[.!?]$")
_TITLE = 8


@dataclass(frozen=True, slots=True)
class Unit:
    """A passage of an edition as it is cut.

    Attributes:
        first, last: its lines, headings before it and its translation included.
        words: its Chinese.
        heading: the headings before it, or "".
    """

    first: int
    last: int
    words: str
    heading: str

    @property
    def title(self) -> str:
        """The heading before it, or its first words, in the characters used here."""
        last = self.heading.rpartition("\n")[2]
        return normalise(last or _first_words(self.words))

    @property
    def sum(self) -> str:
        """Changes when its Chinese does."""
        return digest(self.chinese)

    @property
    def chinese(self) -> str:
        """Its Chinese with that of its headings."""
        return "".join(h for h in self.heading.split("\n") if is_chinese(h)) + self.words

    @property
    def text(self) -> str:
        """What can be quoted of it."""
        return self.heading + self.words


@dataclass(frozen=True, slots=True)
class _Paragraph:
    first: int
    last: int
    text: str

    @property
    def chinese(self) -> bool:
        return is_chinese(self.text)

    @property
    def short(self) -> bool:
        return len(self.text) <= 40 and not _HEADING_STOPS.search(self.text)


def cut(lines: Sequence[str], name: str, untranslated: bool = False) -> tuple[list[Unit], list[Problem]]:
    """Cut the lines of an edition into units.

    A short paragraph without stops, before one of Chinese, is a heading.  If no
    paragraph is a translation, every one of Chinese is a unit.

    Args:
        lines: the file.
        name: how messages call it.
        untranslated: let a paragraph of Chinese stand without translation.

    Returns:
        the units, and what does not fit, each with its line.
    """
    paragraphs = _paragraphs(lines)
    loose = untranslated or all(p.chinese for p in paragraphs)
    units: list[Unit] = []
    problems: list[Problem] = []
    headings: list[_Paragraph] = []
    at = 0
    while at < len(paragraphs):
        here = paragraphs[at]
        after = paragraphs[at + 1] if at + 1 < len(paragraphs) else None
        at += 1
        if after is not None and after.chinese and here.short:
            headings.append(here)
        elif not here.chinese:
            problems.append(Problem(name, here.first, "", "a paragraph of translation has no paragraph of Chinese before it; join it to the translation before, or write the Chinese"))
        elif after is not None and not after.chinese:
            units.append(_unit(here, after.last, headings))
            headings, at = [], at + 1
        elif loose:
            units.append(_unit(here, here.last, headings))
            headings = []
        else:
            other = f"another of Chinese on line {after.first}" if after else "nothing"
            problems.append(Problem(name, here.first, "", f"after this paragraph of Chinese comes {other}, where its translation should be: if the passage is cut in two, join the halves; if it has no translation, give --untranslated"))
    return units, problems


def _paragraphs(lines: Sequence[str]) -> list[_Paragraph]:
    found: list[_Paragraph] = []
    start = 0
    for number, line in enumerate([*lines, ""], 1):
        if line.strip():
            start = start or number
        elif start:
            found.append(_Paragraph(start, number - 1, "\n".join(x.strip() for x in lines[start - 1 : number - 1])))
            start = 0
    return found


def _unit(chinese: _Paragraph, last: int, headings: Sequence[_Paragraph]) -> Unit:
    first = headings[0].first if headings else chinese.first
    return Unit(first, last, chinese.text.replace("\n", ""), "\n".join(h.text for h in headings))


def _first_words(words: str) -> str:
    first = next((p for p in re.split(r"[。！？；，、：\s]", words) if han(p)), words)
    return (han(first) or first)[:_TITLE]


def clauses(words: str) -> list[str]:
    """A short quotation for each sentence, at most sixteen characters, none twice."""
    found: dict[str, None] = {}
    for sentence in _STOP.split(words):
        quote = _short(sentence.strip(_EDGE))
        if len(han(quote)) > 1:
            found[quote] = None
    return list(found)


def _short(sentence: str) -> str:
    """The beginning of a sentence, to the last pause that fits."""
    if len(sentence) <= QUOTE_LIMIT:
        return sentence
    pauses = [m.start() for m in _PAUSE.finditer(sentence) if 2 <= m.start() <= QUOTE_LIMIT]
    return sentence[: pauses[-1] if pauses else QUOTE_LIMIT].strip(_EDGE)


def fresh_clauses(words: str, quoted: Iterable[str]) -> list[str]:
    """Clauses of *words* in whose sentences nothing is quoted yet."""
    known = [han(q) for q in quoted if han(q)]
    sentences = {_short(s.strip(_EDGE)): han(s) for s in _STOP.split(words)}
    return [c for c in clauses(words) if not any(q in sentences[c] or sentences[c] in q for q in known)]


# --- finding a passage again ------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Found:
    """Where a passage stands in a new file: units *start* to before *stop*; what is lost."""

    start: int
    stop: int
    lost: tuple[str, ...]
    same: bool


def locate(units: Sequence[Unit], quotes: Sequence[str], lines: tuple[int, int], digit_sum: str) -> Found | None:
    """Find a passage by its sum, else by what it quotes.

    Args:
        units: of the new file.
        quotes: everything the passage quotes.
        lines: where it stood.
        digit_sum: the ``sum`` of its words when it was cut, or "".

    Returns:
        where it is now; ``None`` when nothing of it is left.
    """
    longest = max(1, (lines[1] - lines[0] + 4) // 4)
    windows = [(i, i + n) for n in range(1, longest + 1) for i in range(len(units) - n + 1)]
    by_sum = [w for w in windows if digit_sum and digest(_words(units, w)) == digit_sum]
    if by_sum:
        start, stop = min(by_sum, key=lambda w: abs(units[w[0]].first - lines[0]))
        return Found(start, stop, (), True)
    wanted = {q: han(q) or q for q in dict.fromkeys(quotes) if q}
    texts = [han(u.text) or u.text for u in units]

    def holds(window: tuple[int, int]) -> int:
        text = "".join(texts[window[0] : window[1]])
        return sum(q in text for q in wanted.values())

    best = max(windows, key=lambda w: (holds(w), w[0] - w[1], -abs(units[w[0]].first - lines[0])), default=None)
    if best is None or not holds(best):
        return None
    text = "".join(texts[best[0] : best[1]])
    lost = tuple(q for q, words in wanted.items() if words not in text)
    return Found(*best, lost, not lost and not digit_sum)


def _words(units: Sequence[Unit], window: tuple[int, int]) -> str:
    return "".join(u.chinese for u in units[window[0] : window[1]])

