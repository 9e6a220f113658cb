"""Reading simplified and variant characters as the traditional ones used here."""

from __future__ import annotations

from functools import lru_cache

from .data import load_data


@lru_cache(maxsize=1)
def _variants() -> tuple[tuple[tuple[str, str], ...], dict[int, str]]:
    data = load_data("variants")
    words = tuple(sorted(data["words"].items(), key=lambda pair: (-len(pair[0]), pair[0])))
    return words, str.maketrans(data["characters"])


@lru_cache(maxsize=4096)
def normalise(text: str) -> str:
    """*text* in the traditional characters of this project (``kb/variants.yaml``).

    Single characters come before words, the longest word first: 元武 is 玄武,
    天後 is 天后, 腾蛇 is 螣蛇.  What is not a known variant stays as it is, and the
    result normalises to itself.
    """
    words, characters = _variants()
    text = text.strip().translate(characters)
    for variant, word in words:
        if variant in text:
            text = text.replace(variant, word)
    return text
