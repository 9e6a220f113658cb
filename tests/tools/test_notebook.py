"""A chart and a reading in a notebook."""

from __future__ import annotations

import re
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import pytest
from liuren.engine.language.conclusions import Verdict
from liuren.engine.library import Library
from liuren.engine.questions import build_request
from liuren.engine.reading import Reading, read
from liuren.facts.chart import Chart
from liuren.tools.notebook import register, show


@pytest.fixture(scope="module")
def reading(library: Library) -> Reading:
    asked = {"day": "庚子", "hour": "午", "month_general": "卯"}
    return read(build_request(asked, library.kb.lexicon), library)


def test_a_chart_shows_its_square(chart_of: Callable[..., Chart]) -> None:
    """卯 on 午 (the month general on the hour), so 子 carries 酉; the lessons of 庚子 are 庚巳 巳寅 子酉 酉午."""
    html = show(chart_of("庚子", "午", "卯"))._repr_html_()
    palaces = re.findall(r'class="palace">(.*?)</div>', html)
    signs = [re.findall(r'<span lang="zh-Hant"[^>]*>(.)</span>', p.replace("○", "")) for p in palaces]
    over = {s[-1]: next(x for x in s if x in "子丑寅卯辰巳午未申酉戌亥") for s in signs}
    assert len(over) == 12 and over["午"] == "卯" and over["子"] == "酉"
    lessons = re.findall(r'class="lesson">.*?class="heaven">(.)</span>.*?class="lower">(.)</span>', html)
    assert lessons == [("巳", "庚"), ("寅", "巳"), ("酉", "子"), ("午", "酉")]


def test_a_chart_is_text_in_a_terminal(chart_of: Callable[..., Chart]) -> None:
    assert "四課" in repr(show(chart_of("庚子", "午", "卯"), "zh"))


@pytest.mark.parametrize("lang", ["zh", "ko", "en"])
def test_a_reading_shows_its_verdicts(reading: Reading, lang: str) -> None:
    html = show(reading, lang)._repr_html_()
    verdicts = [s for s in reading.said(Verdict)]
    assert verdicts
    for said in verdicts:
        assert isinstance(said.conclusion, Verdict)
        assert said.conclusion.id.replace("&", "&amp;") in html
    assert html.count('class="said"') >= len(verdicts)


def test_a_display_needs_nothing_from_outside_and_runs_nothing(reading: Reading) -> None:
    html = show(reading)._repr_html_()
    assert not re.search(r"<script|<button|src=|href=|@import|url\(", html)
    assert html.startswith('<div class="liuren">')
    rules = re.findall(r"^([^{}\n]+)\{", html[html.index("<style>") + 7 : html.index("</style>")], re.M)
    assert rules and all(part.strip().startswith(".liuren") for rule in rules for part in rule.split(","))


def test_ipython_is_told_how(reading: Reading, chart_of: Callable[..., Chart]) -> None:
    """Any shell with IPython's formatter registry; its rule is a type and a function."""
    known: dict[type, Any] = {}
    plain: dict[type, Any] = {}
    formatters = {"text/html": SimpleNamespace(for_type=known.__setitem__), "text/plain": SimpleNamespace(for_type=plain.__setitem__)}
    register(SimpleNamespace(display_formatter=SimpleNamespace(formatters=formatters)))
    chart = chart_of("庚子", "午", "卯")
    assert known[Chart](chart) == show(chart)._repr_html_()
    assert known[Reading](reading) == show(reading)._repr_html_()
    told: list[str] = []
    plain[Chart](chart, SimpleNamespace(text=told.append), False)
    assert told == [repr(show(chart))] and "\x1b" not in told[0]
