"""Plain text that lines up: CJK characters are two columns wide."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from wcwidth import wcswidth

_STYLE = re.compile(r"\x1b\[[0-9;]*m")


def width(text: str) -> int:
    """Columns that *text* takes on a terminal, colour codes left out."""
    plain = _STYLE.sub("", text)
    columns = wcswidth(plain)
    return columns if columns >= 0 else len(plain)


def pad(text: str, columns: int) -> str:
    """*text* filled with blanks to *columns*."""
    return text + " " * max(0, columns - width(text))


def centre(text: str, columns: int) -> str:
    """*text* in the middle of *columns*."""
    space = max(0, columns - width(text))
    return " " * (space // 2) + text + " " * (space - space // 2)


def table(rows: Iterable[Sequence[str]], gap: str = "  ", indent: str = "") -> list[str]:
    """Rows as lines with aligned columns; trailing blanks are cut."""
    cells = [list(map(str, row)) for row in rows]
    columns = max((len(row) for row in cells), default=0)
    widths = [max((width(row[i]) for row in cells if i < len(row)), default=0) for i in range(columns)]
    return [
        (indent + gap.join(pad(cell, widths[i]) for i, cell in enumerate(row))).rstrip()
        for row in cells
    ]
