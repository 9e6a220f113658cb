"""The words a person is shown, in zh, ko or en.

Chart values stay in Chinese in every language; what surrounds them is looked
up in ``terms.yaml`` and the other data files.  An English key that has no entry
is shown as it stands, so nothing is ever lost.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from liuren.engine.data import load_data
from liuren.engine.library import Library

LANGUAGES = ("zh", "ko", "en")


class Words:
    """Looks words up in one language."""

    def __init__(self, language: str, library: Library, kb_dir: str | None = None) -> None:
        """Load the words.

        Args:
            language: ``zh``, ``ko`` or ``en``.
            library: the knowledge base, for titles and casting methods.
            kb_dir: where the data files stand, if not packaged.
        """
        self.language = language
        self.library = library
        self.kb_dir = kb_dir
        terms = load_data("terms", kb_dir)
        self._ui: Mapping[str, Mapping[str, str]] = terms["ui"]
        self._values: Mapping[str, Mapping[str, str]] = terms["values"]
        self._topics: Mapping[str, Mapping[str, Any]] = load_data("topics", kb_dir)["topics"]

    def pick(self, words: Mapping[str, str], fallback: str = "") -> str:
        """The words of this language, else English, else Chinese, else *fallback*."""
        for language in (self.language, "en", "zh"):
            if words.get(language):
                return words[language]
        return fallback

    def ui(self, key: str) -> str:
        """A word of the interface (``verdicts``, ``cancelled`` …)."""
        return self.pick(self._ui.get(key, {}), key.replace("_", " "))

    def gloss(self, value: str) -> str:
        """A chart value, with its Korean or English word after it."""
        word = self._values.get(value, {}).get(self.language)
        return f"{value} ({word})" if word and word != value else value

    def topic(self, name: str) -> str:
        """The name of a topic."""
        return self.pick(self._topics.get(name, {}), name)

    def text(self, id: str) -> str:
        """The title of a work."""
        info = self.library.kb.texts.get(id)
        return self.pick(info.title, id) if info else id

    def passage(self, id: str) -> str:
        """The title of a passage."""
        passage = self.library.kb.passages.get(id)
        return self.pick(dict(passage.title), id) if passage else id

    def method(self, key: str) -> str:
        """What a casting step did."""
        return self.pick(self.library.data.methods.get(key, {}), key)
