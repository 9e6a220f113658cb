"""A chart and a reading in a notebook.

``show(chart)`` and ``show(reading)`` are objects that a notebook displays as
HTML and a terminal as text.  Importing this module inside IPython lets every
chart and reading display itself so, without ``show``.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from functools import cache
from html import escape
from importlib.resources import files
from typing import Any

from liuren.engine.library import Library
from liuren.engine.reading import Reading
from liuren.facts.chart import Chart

from .draw import draw_chart
from .markup import Say
from .report import reading_text
from .said import Sayings
from .square import Square
from .words import Words


@cache
def _packaged() -> Library:
    return Library.load()


class Shown:
    """A chart or a reading, with its display."""

    def __init__(self, thing: Chart | Reading, words: Words) -> None:
        """*words* gives the language."""
        self.thing, self.words = thing, words

    def _repr_html_(self) -> str:
        """What a notebook shows: no script, nothing to fetch, styles of its own."""
        say = Say([self.words], self.words.language)
        inner = _chart(self.thing, say) if isinstance(self.thing, Chart) else _reading(self.thing, say)
        style = files("liuren.tools").joinpath("assets", "notebook.css").read_text(encoding="utf-8")
        return f'<div class="liuren"><style>{style}</style>{inner}</div>'

    def __repr__(self) -> str:
        """What a terminal shows."""
        if isinstance(self.thing, Chart):
            lines = draw_chart(self.thing, self.words)
        else:
            lines = reading_text(self.thing, self.words)
        return "\n".join(_plain(line) for line in lines)


def show(thing: Chart | Reading, lang: str = "en", kb_dir: str | None = None) -> Shown:
    """*thing* as an object that displays itself.

    Args:
        thing: a chart or a reading.
        lang: ``zh``, ``ko`` or ``en``.
        kb_dir: where the words stand, if not in the packaged knowledge base.

    Raises:
        UserError: *kb_dir* is no knowledge base.
    """
    if isinstance(thing, Reading):
        library = thing.library
    else:
        library = Library.load(kb_dir) if kb_dir else _packaged()
    return Shown(thing, Words(lang, library, kb_dir))


def register(shell: Any) -> None:
    """Let the IPython shell *shell* display charts and readings, as HTML and as text."""
    formatters = shell.display_formatter.formatters
    for kind in (Chart, Reading):
        formatters["text/html"].for_type(kind, lambda thing: show(thing)._repr_html_())
        formatters["text/plain"].for_type(kind, lambda thing, printer, cycle: printer.text(repr(show(thing))))


def _chart(chart: Chart, say: Say, first: Chart | None = None) -> str:
    return f"<p><code>{escape(chart.id)}</code></p>" + Square(chart, say, {}, first=first).html()


def _reading(reading: Reading, say: Say) -> str:
    sayings = Sayings(reading, say, _still)
    charts = list(reading.charts.values())
    others = "".join(
        f'<details><summary>{say.ui("charts_part")}: <code>{escape(c.id)}</code></summary>{_chart(c, say, charts[0])}</details>'
        for c in charts[1:]
    )
    parts = [("charts", "".join(_chart(c, say) for c in charts[:1]) + others), ("patterns", sayings.patterns())]
    parts += [("tallies", sayings.tallies()), ("verdicts_by_topic", sayings.verdicts()), ("measures", sayings.measures())]
    parts += [("roles", sayings.roles()), ("unknown", sayings.unknown())]
    return "".join(f"<h3>{say.ui(key)}</h3>{inner}" for key, inner in parts if inner)


def _still(nodes: Sequence[str], inner: str, css: str) -> str:
    """What could be asked about, where nothing answers."""
    return f'<span class="{css}">{inner}</span>'


def _plain(line: str) -> str:
    import click

    return click.unstyle(line)


def _inside_ipython() -> Any:
    """The running IPython shell, or ``None``; IPython is not loaded for it."""
    ipython = sys.modules.get("IPython")
    return ipython.get_ipython() if ipython is not None else None


if (_shell := _inside_ipython()) is not None:
    register(_shell)
