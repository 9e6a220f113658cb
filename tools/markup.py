"""Words of one or several languages as HTML.

In a page that switches languages, what is said stands in the language it opens
in and carries ``data-w``, the place of its words in a table that the page holds
once.  In one language alone (a notebook) it is plain text.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from html import escape

from .words import Words

Saying = Callable[[Words], str]
"""What is said, in the language of the words it is given."""


class Say:
    """Says things as HTML and keeps the table of their words."""

    def __init__(self, languages: Sequence[Words], first: str) -> None:
        """*languages* are those the page can show; it opens in *first*."""
        self.languages = tuple(languages)
        self._first = [w.language for w in languages].index(first)
        self._places: dict[tuple[str, ...], int] = {}

    @property
    def words(self) -> Words:
        """The words of the language shown first."""
        return self.languages[self._first]

    def table(self) -> list[str | list[str]]:
        """The words in every language, in order of place; one string where all agree."""
        return [said[0] if len(set(said)) == 1 else list(said) for said in self._places]

    def place(self, saying: Saying) -> int:
        """The place of *saying* in the table."""
        said = tuple(saying(words) for words in self.languages)
        return self._places.setdefault(said, len(self._places))

    def __call__(self, saying: Saying, css: str = "") -> str:
        """*saying* as a span."""
        mark = f' class="{css}"' if css else ""
        if len(self.languages) > 1:
            mark += f' data-w="{self.place(saying)}"'
        return f"<span{mark}>{escape(saying(self.words))}</span>"

    def ui(self, key: str, css: str = "") -> str:
        """A word of the interface as a span."""
        return self(lambda words: words.ui(key), css)

    def attribute(self, name: str, saying: Saying) -> str:
        """*saying* as an attribute of a tag, with its place in ``data-w-NAME``."""
        place = f' data-w-{name}="{self.place(saying)}"' if len(self.languages) > 1 else ""
        return f' {name}="{escape(saying(self.words))}"{place}'


def chinese(text: str, css: str = "") -> str:
    """Chart values: Chinese in every language, and marked so."""
    mark = f' class="{css}"' if css else ""
    return f'<span lang="zh-Hant"{mark}>{escape(text)}</span>'


def sign(text: str) -> str:
    """A value as it stands: marked as Chinese when it is."""
    return escape(text) if text.isascii() else chinese(text)
