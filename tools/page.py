"""One self-contained HTML page of a reading.

The page holds everything it needs: the reading as HTML in the language it
opens in, the explanation graph and the words of every language once as JSON,
Cytoscape.js with the dagre layout, and our own program and style (``assets/``).
A content security policy forbids every request and every script but these.
The same reading gives the same bytes.
"""

from __future__ import annotations

import base64
import hashlib
import re
from collections.abc import Sequence
from functools import cache
from html import escape
from importlib.resources import files
from pathlib import Path
from string import Template

import networkx as nx
from liuren.engine.explain import explain
from liuren.engine.reading import Reading
from liuren.facts.chart import Chart
from liuren.facts.errors import UserError

from .files import write_whole
from .markup import Say, sign
from .pagedata import page_data, script_json
from .said import Sayings
from .square import Square
from .words import LANGUAGES, Words

_SCRIPTS = ("cytoscape.min.js", "cytoscape-dagre.min.js", "page.js")
_LICENCES = ("cytoscape.LICENSE", "cytoscape-dagre.LICENSE", "dagre.LICENSE")
_HTML_LANG = {"zh": "zh-Hant", "ko": "ko", "en": "en"}


def write_page(reading: Reading, path: str, words: Words, force: bool) -> None:
    """Write the page to *path*, whole or not at all.

    Raises:
        UserError: the file exists and *force* is not set, or it cannot be written.
    """
    if Path(path).exists() and not force:  # before the work, and again when writing
        raise UserError(f"{path} exists already; give --force to replace it.")
    write_whole(Path(path), page(reading, words), force)


def page(reading: Reading, words: Words) -> str:
    """The page as text; it opens in the language of *words*."""
    languages = [Words(name, words.library, words.kb_dir) for name in LANGUAGES]
    maker = _Page(reading, Say(languages, words.language))
    body = maker.body()
    scripts = [_asset(name) for name in _SCRIPTS]
    return Template(_asset("page.html")).substitute(
        language=_HTML_LANG[words.language],
        title=escape(words.ui("page_title")),
        policy=_policy(scripts),
        licences="\n\n".join(f"{name}\n{_asset(name).strip()}" for name in _LICENCES),
        style=_asset("page.css"),
        body=body,
        data=script_json(page_data(reading, maker.graph, maker.say)),
        scripts="\n".join(f"<script>{text}</script>" for text in scripts),
    )


@cache
def _asset(name: str) -> str:
    """A file of ``assets/``; a reference to a source map, which a page alone has not, is cut."""
    text = files("liuren.tools").joinpath("assets", name).read_text(encoding="utf-8")
    return re.sub(r"\n?//# sourceMappingURL=\S+\s*$", "\n", text)


def _policy(scripts: Sequence[str]) -> str:
    """No request to anywhere; of scripts only these, known by their digest."""
    digests = (base64.b64encode(hashlib.sha256(s.encode()).digest()).decode() for s in scripts)
    allowed = " ".join(f"'sha256-{d}'" for d in digests)
    return f"default-src 'none'; img-src data:; style-src 'unsafe-inline'; script-src {allowed}"


class _Page:
    def __init__(self, reading: Reading, say: Say) -> None:
        self.reading, self.say = reading, say
        self.graph: nx.DiGraph[str] = explain(reading)
        self._places = {id: n for n, id in enumerate(self.graph)}

    def ask(self, nodes: Sequence[str], inner: str, css: str) -> str:
        """A button that explains *nodes*, those of them that the graph has."""
        found = [str(self._places[n]) for n in nodes if n in self._places]
        if not found:
            return f'<span class="{css}">{inner}</span>'
        return f'<button type="button" class="ask {css}" data-ask="{" ".join(found)}">{inner}</button>'

    def body(self) -> str:
        """Header, chart and everything said; then the place where it is explained."""
        sayings = Sayings(self.reading, self.say, self.ask)
        sections = [("charts", self._charts()), ("patterns", sayings.patterns()), ("tallies", sayings.tallies())]
        sections += [("verdicts", self._filters(sayings) + sayings.verdicts()), ("measures", sayings.measures())]
        sections += [("roles", sayings.roles()), ("unknown", sayings.unknown())]
        shown = [(key, inner) for key, inner in sections if inner]
        main = "".join(f'<section id="{key}"><h2>{self.say.ui(key)}</h2>{inner}</section>' for key, inner in shown)
        links = "".join(f'<a href="#{key}">{self.say.ui(key)}</a>' for key, _ in shown)
        return f'{self._header(links)}<main id="main">{main}</main>{self._aside()}'

    def _header(self, links: str) -> str:
        languages = "".join(
            f'<button type="button" data-language="{w.language}" lang="{_HTML_LANG[w.language]}" '
            f'aria-pressed="{str(w is self.say.words).lower()}">{escape(w.ui(w.language))}</button>'
            for w in self.say.languages
        )
        asked = "".join(
            self.ask([id], self.say.ui(d["label"].rpartition(".")[2], "dim") + " " + sign(str(d["value"])), "row")
            for id, d in self.graph.nodes(data=True)
            if d["kind"] == "input" and isinstance(d["value"], str | int | float)
        )
        topic = self.reading.request.topic
        if topic:
            asked += f'<span class="row">{self.say.ui("topic", "dim")} {self.say(lambda w: w.topic(topic))}</span>'
        return (
            f'<header id="top"><h1>{self.say.ui("page_title")}</h1>'
            f'<div class="languages" role="group"{self.say.attribute("aria-label", lambda w: w.ui("language"))}>{languages}</div>'
            f'<div class="asked">{asked}</div><p class="hint">{self.say.ui("page_hint")}</p>'
            f'<nav{self.say.attribute("aria-label", lambda w: w.ui("contents"))}>{links}</nav></header>'
        )

    # --- charts ---------------------------------------------------------------------

    def _charts(self) -> str:
        """Each chart, with the texts read on it; the others are held against the first."""
        charts = list(self.reading.charts.values())
        tabs = ""
        if len(charts) > 1:
            buttons = "".join(
                f'<button type="button" role="tab" id="tab-chart-{n}" aria-controls="chart-{n}" '
                f'aria-selected="{str(n == 0).lower()}" tabindex="{-1 if n else 0}">{self._owners(chart)}</button>'
                for n, chart in enumerate(charts)
            )
            tabs = f'<div role="tablist"{self.say.attribute("aria-label", lambda w: w.ui("charts"))}>{buttons}</div>'
        role = ' role="tabpanel"' if tabs else ""
        return tabs + "".join(
            f'<div class="chart" id="chart-{n}"{role}{f" aria-labelledby={chr(34)}tab-chart-{n}{chr(34)}" if tabs else ""}>'
            f'<p class="owner">{self._owners(chart)} <code>{escape(chart.id)}</code> {self._parting(chart, charts[0])}</p>'
            f"{self._square(chart, charts[0])}</div>"
            for n, chart in enumerate(charts)
        )

    def _owners(self, chart: Chart) -> str:
        texts = [t for t, r in self.reading.texts.items() if r.chart.id == chart.id]
        return self.say(lambda w: " · ".join(w.text(t) for t in texts))

    def _parting(self, chart: Chart, first: Chart) -> str:
        return "" if chart is first else f'<span class="parts">{self.say.ui("charts_part")}</span>'

    def _square(self, chart: Chart, first: Chart) -> str:
        def link(steps: Sequence[str], inner: str, css: str) -> str:
            return self.ask([s if s in self._places else f"{chart.id}/{s}" for s in steps], inner, css)

        return Square(chart, self.say, self.reading.library.kb.spirit_keys, link, first).html()

    # --- the filter and the explanation -----------------------------------------------

    def _filters(self, sayings: Sayings) -> str:
        def option(value: str, label: str, n: int) -> str:
            return f'<option value="{value}" data-w="{n}">{escape(label)}</option>'

        words = self.say.words
        topics = option("", words.ui("every_topic"), self.say.place(lambda w: w.ui("every_topic"))) + "".join(
            option(t, words.topic(t), self.say.place(lambda w, t=t: w.topic(t)))  # type: ignore[misc]
            for t in sayings.topics()
        )
        polarities = option("", words.ui("every_polarity"), self.say.place(lambda w: w.ui("every_polarity"))) + "".join(
            option(p, words.ui(p), self.say.place(lambda w, p=p: w.ui(p)))  # type: ignore[misc]
            for p in sayings.polarities()
        )
        return (
            f'<form class="filter" role="search" id="filter">'
            f'<label>{self.say.ui("topic")} <select id="by-topic">{topics}</select></label>'
            f'<label>{self.say.ui("polarity")} <select id="by-polarity">{polarities}</select></label>'
            f'<label>{self.say.ui("search")} <input type="search" id="by-text" autocomplete="off"></label>'
            f'<output id="shown" aria-live="polite"></output></form>'
        )

    def _aside(self) -> str:
        ui, attribute = self.say.ui, self.say.attribute
        tabs = "".join(
            f'<button type="button" role="tab" id="tab-{key}" aria-controls="as-{key}" '
            f'aria-selected="{str(not n).lower()}" tabindex="{-n}">{ui(word)}</button>'
            for n, (key, word) in enumerate((("text", "as_text"), ("graph", "graph")))
        )
        ways = "".join(
            f'<option value="{value}" data-w="{self.say.place(lambda w, k=key: w.ui(k))}">{escape(self.say.words.ui(key))}</option>'  # type: ignore[misc]
            for value, key in (("down", "rests_on"), ("up", "rests_on_it"), ("both", "both_ways"))
        )
        zooms = "".join(
            f'<button type="button" id="{id}"{attribute("aria-label", lambda w, k=key: w.ui(k))}>{sign}</button>'  # type: ignore[misc]
            for id, key, sign in (("in", "zoom_in", "+"), ("out", "zoom_out", "−"), ("fit", "zoom_fit", "⤢"))
        )
        return Template(_asset("aside.html")).substitute(
            tabs=tabs, ways=ways, zooms=zooms, why=ui("why"), way=ui("direction_of_graph"), every=ui("every_derivation"),
            unfold=ui("unfold"), resting=ui("rests_on_it"), resting_on=ui("rests_on"), back=attribute("aria-label", lambda w: w.ui("back")),
            close=attribute("aria-label", lambda w: w.ui("close")), graph=attribute("aria-label", lambda w: w.ui("graph_help")),
            help=ui("graph_help"), deep=ui("with_casting"),
        )  # fmt: skip
