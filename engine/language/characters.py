"""Names in simplified or variant characters: one thing must have one name.

A quotation keeps the characters of its edition, and words are free; but a
pattern called 龙战 in one rule and 龍戰 in another would be two patterns.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from liuren.engine.normalise import normalise

from .source import Problem, line_of

_FREE = frozenset({"quote", "lem", "rdg", "note", "en", "ko", "because", "reason"})
"""Keys under which an edition or a person speaks."""


def variant_names(data: Any, name: str) -> Iterator[Problem]:
    """Names of a passage file that are not written in the characters used here.

    Args:
        data: the file as read, with lines.
        name: how messages call it.
    """
    for text, line in _names(data, line_of(data, 1)):
        if not text.isascii() and (right := normalise(text)) != text.strip():
            yield Problem(name, line, "", f"«{text}» is written in simplified or variant characters; write {right}")


def _names(value: Any, line: int) -> Iterator[tuple[str, int]]:
    if isinstance(value, dict):
        lines = getattr(value, "lines", {})
        columns = value.get("columns") if isinstance(value.get("rows"), dict) else None
        for key, item in value.items():
            here = lines.get(key, line_of(value, line))
            yield key, here
            if key == "given" and "day" in (item if isinstance(item, dict) else ()):
                continue  # an example's question is read as a person writes it
            if key == "rows" and isinstance(columns, list):
                yield from _rows(item, columns, here)
            elif key not in _FREE:
                yield from _names(item, here)
    elif isinstance(value, list):
        for item in value:
            yield from _names(item, line_of(value, line))
    elif isinstance(value, str):
        yield value, line_of(value, line)


def _rows(rows: dict[str, Any], columns: list[Any], line: int) -> Iterator[tuple[str, int]]:
    for key, row in rows.items():
        here = getattr(rows, "lines", {}).get(key, line)
        if isinstance(row, list):
            for column, item in zip(columns, row, strict=False):
                if column not in _FREE:
                    yield from _names(item, here)
