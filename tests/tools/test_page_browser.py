"""The page of a reading in a real browser: what a person clicks and what then appears.

Needs the package ``playwright`` (extra ``browser``) and a Chromium of the system; without them
these tests are skipped.  The browser has no network, and each test ends with the proof that the
page asked for nothing but itself and logged nothing.
"""

from __future__ import annotations

import dataclasses
import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import networkx as nx
import pytest
from liuren.engine.explain import because, explain, shortest
from liuren.engine.language.conclusions import Verdict
from liuren.engine.library import Library
from liuren.engine.questions import build_request
from liuren.engine.reading import Reading, read
from liuren.tools.page import page
from liuren.tools.tree import describe, explanation_lines
from liuren.tools.words import Words

playwright = pytest.importorskip(
    "playwright.sync_api", reason="the package playwright is not installed (pip install '.[browser]')"
)
CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="there is no chromium on this machine's PATH")

QUESTION = {"moment": "2026-11-30T14:20", "tz": "Asia/Seoul", "born": 1975, "sex": "m"}
DESK, PHONE = {"width": 1300, "height": 900}, {"width": 375, "height": 740}


@pytest.fixture(scope="module")
def reading(library: Library) -> Reading:
    return read(build_request(QUESTION, library.kb.lexicon), library)


@pytest.fixture(scope="module")
def graph(reading: Reading) -> nx.DiGraph[str]:
    return explain(reading)


@pytest.fixture(scope="module")
def words(library: Library) -> Words:
    return Words("en", library)


@pytest.fixture(scope="module")
def address(reading: Reading, words: Words, tmp_path_factory: pytest.TempPathFactory) -> str:
    path: Path = tmp_path_factory.mktemp("page") / "reading.html"
    path.write_text(page(reading, words), encoding="utf-8")
    return path.as_uri()


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    with playwright.sync_playwright() as driver:
        started = driver.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield started
        started.close()


def opened(browser: Any, address: str, **screen: Any) -> Iterator[Any]:
    context = browser.new_context(offline=True, **screen)
    asked: list[str] = []
    logged: list[str] = []
    tab = context.new_page()
    tab.set_default_timeout(10_000)
    tab.on("request", lambda request: asked.append(request.url))
    tab.on("console", lambda message: logged.append(message.text))
    tab.on("pageerror", lambda error: logged.append(str(error)))
    tab.goto(address)
    yield tab
    context.close()
    assert asked == [address]
    assert logged == []


@pytest.fixture
def tab(browser: Any, address: str) -> Iterator[Any]:
    yield from opened(browser, address, viewport=DESK)


@pytest.fixture
def phone(browser: Any, address: str) -> Iterator[Any]:
    yield from opened(browser, address, viewport=PHONE, has_touch=True, is_mobile=True)


@pytest.fixture(scope="module")
def verdict(reading: Reading, graph: nx.DiGraph[str]) -> str:
    """Id of a verdict that a modifier acts on, so that its explanation has two branches."""
    return next(
        s.conclusion.id for s in reading.said(Verdict) if isinstance(s.conclusion, Verdict) and reading.standing(s).by
    )


def ask(tab: Any, id: str) -> Any:
    """Click on the verdict *id*; the button clicked."""
    button = tab.locator("li.said", has=tab.locator("code", has_text=re.compile(f"^{re.escape(id)}$"))).locator(".head")
    button.click()
    return button


def visible_ids(tab: Any) -> list[str]:
    return list(tab.locator("#verdicts li.said:visible .source code").all_inner_texts())


def ids_of(tab: Any, where: str) -> set[str]:
    """Node ids behind the buttons in *where*."""
    held = "JSON.parse(document.getElementById('data').textContent).nodes"
    return set(tab.evaluate(f"[...document.querySelectorAll('{where} [data-node]')].map(b => {held}[b.dataset.node][0])"))


# --- the chart ------------------------------------------------------------------------------


def test_the_square_is_drawn_as_readers_know_it(tab: Any, reading: Reading) -> None:
    """South up: 巳午未申 above, 寅丑子亥 below, 辰卯 to the left, 酉戌 to the right."""
    chart = next(iter(reading.charts.values()))
    boxes = {}
    for palace in tab.locator("#chart-0 .palace").all():
        general, heaven, earth = (palace.locator(f".{part}").inner_text() for part in ("general", "heaven", "earth"))
        assert heaven.replace("○", "") == chart.over(earth)
        assert ("○" in heaven) == (chart.over(earth) in chart.void)
        assert general == chart.general_of[chart.over(earth)]
        boxes[earth] = palace.bounding_box()
    assert len(boxes) == 12
    for row in ("巳午未申", "寅丑子亥", "辰酉", "卯戌"):
        assert len({round(boxes[e]["y"]) for e in row}) == 1
        assert [boxes[e]["x"] for e in row] == sorted(boxes[e]["x"] for e in row)
    for column in ("巳辰卯寅", "申酉戌亥"):
        assert len({round(boxes[e]["x"]) for e in column}) == 1
        assert [boxes[e]["y"] for e in column] == sorted(boxes[e]["y"] for e in column)


def test_lessons_run_from_the_right_and_transmissions_down(tab: Any, reading: Reading) -> None:
    chart = next(iter(reading.charts.values()))
    lessons = tab.locator("#chart-0 .lesson").all()
    shown = [(x.locator(".upper, .heaven").inner_text(), x.locator(".lower").inner_text()) for x in lessons]
    assert shown == [(x.upper, x.lower) for x in chart.lessons]
    across = [x.bounding_box()["x"] for x in lessons]
    assert across == sorted(across, reverse=True)
    rows = tab.locator("#chart-0 .transmission").all()
    assert [r.locator(".heaven").inner_text()[-1] for r in rows] == [t.branch for t in chart.transmissions]
    assert [r.locator(".general").inner_text() for r in rows] == [t.general for t in chart.transmissions]


def test_a_transmission_explains_itself(tab: Any, graph: nx.DiGraph[str], reading: Reading, words: Words) -> None:
    chart = next(iter(reading.charts))
    tab.locator("#chart-0 .transmission").nth(0).click()
    assert tab.locator("#why-title").text_content() == describe(graph, f"{chart}/initial", words)
    assert set(graph.predecessors(f"{chart}/initial")) <= ids_of(tab, "#tree")
    assert "input.moment" in ids_of(tab, "#tree")


def test_charts_of_other_schools_are_a_tab_away(tab: Any, reading: Reading) -> None:
    charts = list(reading.charts)
    assert len(charts) > 1
    tab.locator("#tab-chart-0").focus()
    tab.keyboard.press("ArrowRight")
    assert tab.locator("#chart-0").is_hidden() and tab.locator("#chart-1").is_visible()
    assert tab.locator("#tab-chart-1").get_attribute("aria-selected") == "true"
    assert tab.locator("#chart-1 .owner code").inner_text() == charts[1]


# --- why, and what rests on it -----------------------------------------------------------------


def test_a_click_on_a_verdict_tells_what_why_tells(tab: Any, verdict: str, graph: nx.DiGraph[str], words: Words) -> None:
    """The text in the page, unfolded, is line by line what `liuren why` prints."""
    assert tab.locator("#why").is_hidden()
    ask(tab, verdict)
    tab.locator("#unfold").click()
    shown = tab.evaluate(
        """[...document.querySelectorAll('#tree li')].map(li => [...li.childNodes]
        .filter(c => c.nodeType === 3 || !c.matches('ul, .fold')).map(c => c.textContent).join(''))"""
    )
    root = f"standing:{verdict}"
    told = explanation_lines(because(shortest(graph), [root]), [root], words)
    assert [s.strip() for s in shown] == [line.lstrip("│├└─ ").strip() for line in told]


def test_casting_is_folded_until_asked_for(tab: Any, verdict: str) -> None:
    ask(tab, verdict)
    assert tab.locator("#tree .node.fact").first.is_visible()
    assert not tab.locator("#tree .node.input").first.is_visible()
    tab.locator("#tree .fold[aria-expanded=false]").first.click()
    assert tab.locator("#tree .node.fact ~ ul .node").first.is_visible()


def test_a_click_on_a_fact_lists_what_rests_on_it(tab: Any, verdict: str, graph: nx.DiGraph[str]) -> None:
    ask(tab, verdict)
    fact = tab.locator("#tree .node.fact").first
    label = fact.inner_text()
    fact.click()
    assert tab.locator("#why-title").inner_text().lower() == label.lower()
    node = unquote(tab.url.partition("#")[2])
    assert graph.nodes[node]["kind"] == "fact"
    ends = {"verdict", "measure", "pattern", "tally", "role", "modifier"}
    wanted = set(graph.successors(node)) | {n for n in nx.descendants(graph, node) if graph.nodes[n]["kind"] in ends}
    assert f"verdict:{verdict}" in wanted
    assert ids_of(tab, "#resting") == wanted
    # and back up: a click on what rests on it explains that
    tab.locator("#resting .node.verdict").first.click()
    assert tab.locator("#tree .node.standing").first.is_visible()
    tab.locator("#back").click()
    tab.wait_for_function("label => document.getElementById('why-title').textContent === label", arg=label)


def test_everything_rests_on_the_moment(tab: Any, graph: nx.DiGraph[str]) -> None:
    tab.locator(".asked .ask").first.click()
    ends = {"verdict", "pattern"}
    wanted = {n for n in nx.descendants(graph, "input.moment") if graph.nodes[n]["kind"] in ends}
    assert wanted and wanted <= ids_of(tab, "#resting")


# --- the graph -----------------------------------------------------------------------------------


def drawn(tab: Any) -> set[str]:
    held = "JSON.parse(document.getElementById('data').textContent).nodes"
    return set(tab.evaluate(f"liurenGraph.nodes().map(n => {held}[n.id()][0])"))


def test_the_graph_of_a_verdict(tab: Any, verdict: str, graph: nx.DiGraph[str]) -> None:
    ask(tab, verdict)
    tab.locator("#tab-graph").click()
    part = because(shortest(graph), [f"standing:{verdict}"])
    shallow = part.copy()  # what can be reached without going below a fact of the chart
    shallow.remove_edges_from([(a, b) for a, b in part.edges if graph.nodes[b]["kind"] in ("fact", "step")])
    assert drawn(tab) == {f"standing:{verdict}"} | nx.ancestors(shallow, f"standing:{verdict}")
    assert len(drawn(tab)) < len(part)
    tab.locator("#deep").check()
    assert drawn(tab) == set(part)
    ink = tab.evaluate(
        """[...document.querySelectorAll('#graph canvas')].some(c => c.getContext('2d') &&
        c.getContext('2d').getImageData(0, 0, c.width, c.height).data.some(v => v > 0))"""
    )
    assert ink, "the canvas is empty"


def test_the_graph_can_be_followed_both_ways(tab: Any, verdict: str, graph: nx.DiGraph[str], words: Words) -> None:
    ask(tab, verdict)
    tab.locator("#tab-graph").click()
    held = "JSON.parse(document.getElementById('data').textContent).nodes"
    fact = next(n for n in sorted(drawn(tab)) if graph.nodes[n]["kind"] == "firing")
    place = tab.evaluate(
        f"""(id) => {{ const n = liurenGraph.nodes().filter(n => {held}[n.id()][0] === id)[0];
        liurenGraph.zoom(1); liurenGraph.center(n); return n.renderedPosition(); }}""",
        fact,
    )
    box = tab.locator("#graph").bounding_box()
    tab.mouse.click(box["x"] + place["x"], box["y"] + place["y"])
    tab.wait_for_function("document.querySelector('#why-title').textContent.startsWith('rule ')")
    assert describe(graph, fact, words) == tab.locator("#why-title").text_content()
    tab.locator("#way").select_option("up")
    assert drawn(tab) == {fact} | set(nx.descendants(graph, fact))
    tab.locator("#way").select_option("both")
    assert {fact} | set(nx.descendants(graph, fact)) | set(graph.predecessors(fact)) <= drawn(tab)


def test_the_graph_zooms_and_obeys_the_keyboard(tab: Any, verdict: str) -> None:
    ask(tab, verdict)
    tab.locator("#tab-graph").click()
    before = tab.evaluate("liurenGraph.zoom()")
    tab.locator("#in").click()
    assert tab.evaluate("liurenGraph.zoom()") > before
    tab.locator("#graph").focus()
    tab.keyboard.press("-")
    tab.keyboard.press("-")
    assert tab.evaluate("liurenGraph.zoom()") < before
    title = tab.locator("#why-title").text_content()
    tab.keyboard.press("ArrowLeft")  # the conclusion is on the right, what it rests on to the left
    tab.keyboard.press("ArrowLeft")
    tab.keyboard.press("Enter")
    tab.wait_for_function("before => document.querySelector('#why-title').textContent !== before", arg=title)
    assert tab.evaluate("document.activeElement.id") == "graph"
    box = tab.locator("#graph").bounding_box()
    tab.mouse.move(box["x"] + 50, box["y"] + 50)
    before = tab.evaluate("liurenGraph.zoom()")
    tab.mouse.wheel(0, -200)
    tab.wait_for_function("before => liurenGraph.zoom() !== before", arg=before)


# --- the filter -------------------------------------------------------------------------------------


def test_the_topic_filter_is_the_topic_asked(tab: Any, reading: Reading, library: Library, words: Words) -> None:
    """For each topic offered: the verdicts and standings that `read --topic` gives."""
    offered = [v for v in tab.eval_on_selector_all("#by-topic option", "all => all.map(o => o.value)") if v]
    assert "illness" in offered
    for topic in offered:
        asked = read(dataclasses.replace(reading.request, topic=topic), library)
        wanted = {
            s.conclusion.id: words.ui(asked.standing(s).state) for s in asked.said(Verdict) if isinstance(s.conclusion, Verdict)
        }
        tab.locator("#by-topic").select_option(topic)
        ids = visible_ids(tab)
        states = tab.locator("#verdicts li.said:visible .state").all_inner_texts()
        assert dict(zip(ids, states, strict=True)) == wanted
    tab.locator("#by-topic").select_option("")
    assert len(visible_ids(tab)) == sum(1 for _ in reading.said(Verdict))


def test_polarity_and_text_narrow_further(tab: Any, reading: Reading) -> None:
    said = [s for s in reading.said(Verdict) if isinstance(s.conclusion, Verdict)]
    bad = [s.conclusion.id for s in said if isinstance(s.conclusion, Verdict) and s.conclusion.polarity == "bad"]
    tab.locator("#by-polarity").select_option("bad")
    assert sorted(visible_ids(tab)) == sorted(bad)
    tab.locator("#by-text").fill("xinjing.")
    assert sorted(visible_ids(tab)) == sorted(i for i in bad if "xinjing." in i)
    assert tab.locator("#shown").inner_text() == f"shown {len(visible_ids(tab))} / {len(said)}"
    tab.locator("#by-text").fill("no such words")
    assert visible_ids(tab) == [] and not tab.locator("section.topic").first.is_visible()


# --- languages ----------------------------------------------------------------------------------------


def test_three_languages(tab: Any, verdict: str, graph: nx.DiGraph[str], library: Library) -> None:
    body = graph.nodes[f"verdict:{verdict}"]
    button = ask(tab, verdict)
    for language, code, said in (("ko", "ko", body["ko"]), ("zh", "zh-Hant", f"「{body['zh']}」"), ("en", "en", body["en"])):
        tab.locator(f"[data-language={language}]").click()
        assert tab.evaluate("document.documentElement.lang") == code
        assert tab.locator(f"[data-language={language}]").get_attribute("aria-pressed") == "true"
        assert button.locator(".words").inner_text() == said
        one = Words(language, library)
        assert tab.locator("#verdicts > h2").text_content() == one.ui("verdicts")
        assert tab.locator("#why-title").text_content() == describe(graph, f"verdict:{verdict}", one)
        assert tab.locator("#close").get_attribute("aria-label") == one.ui("close")
        assert tab.title() == one.ui("page_title")


# --- keyboard, phone, paper ------------------------------------------------------------------------------


def test_by_keyboard_alone(tab: Any) -> None:
    """Tab reaches the languages first, then what was asked; Enter asks why, Escape comes back."""
    tab.keyboard.press("Tab")
    assert tab.evaluate("document.activeElement.dataset.language") == "zh"
    for _ in range(3):
        tab.keyboard.press("Tab")
    asked = tab.evaluate("document.activeElement.textContent")
    assert "2026-11-30" in asked
    tab.keyboard.press("Enter")
    tab.wait_for_function("document.activeElement.id === 'why-title'")
    assert tab.locator("#why").get_attribute("aria-labelledby") == "why-title"
    tab.keyboard.press("Escape")
    assert tab.locator("#why").is_hidden()
    assert tab.evaluate("document.activeElement.textContent") == asked


def test_everything_to_click_has_a_name(tab: Any, verdict: str) -> None:
    ask(tab, verdict)
    nameless = tab.evaluate(
        """[...document.querySelectorAll('button, select, input, [role=application]')].filter(e =>
        !(e.textContent.trim() || e.getAttribute('aria-label') || (e.labels && e.labels.length))).length"""
    )
    assert nameless == 0
    ids = tab.evaluate("[...document.querySelectorAll('[id]')].map(e => e.id)")
    assert len(ids) == len(set(ids))
    assert tab.evaluate("[...document.querySelectorAll('[aria-controls]')].every(e => document.getElementById(e.getAttribute('aria-controls')))")


def test_an_address_opens_what_it_names(browser: Any, address: str, verdict: str) -> None:
    for tab in opened(browser, address, viewport=DESK):
        tab.evaluate("id => { location.hash = '#' + encodeURIComponent(id); }", f"standing:{verdict}")
        tab.wait_for_selector("#why:visible")
        tab.evaluate("location.hash = '#no%20such%20thing%'")
        tab.wait_for_selector("#why", state="hidden")


def test_on_a_phone(phone: Any, verdict: str) -> None:
    """Nothing is wider than the screen; the explanation covers the page and keeps the focus."""
    assert phone.evaluate("document.documentElement.scrollWidth <= innerWidth")
    button = ask(phone, verdict)
    box = phone.locator("#why").bounding_box()
    assert (box["x"], box["width"]) == (0, PHONE["width"])
    assert phone.evaluate("document.getElementById('main').inert")
    assert phone.evaluate("document.getElementById('why').scrollWidth <= innerWidth")
    phone.locator("#tab-graph").tap()
    assert phone.locator("#graph").bounding_box()["width"] > 300
    for _ in range(12):
        phone.keyboard.press("Tab")
        assert phone.evaluate("document.getElementById('why').contains(document.activeElement)")
    phone.locator("#close").tap()
    assert phone.locator("#why").is_hidden() and not phone.evaluate("document.getElementById('main').inert")
    assert button.evaluate("b => b === document.activeElement")


def test_on_paper(tab: Any, verdict: str, reading: Reading) -> None:
    """All charts, all that is said, and the explanation that is open; no controls."""
    ask(tab, verdict)
    tab.emulate_media(media="print")
    assert tab.locator(".chart:visible").count() == len(reading.charts)
    assert tab.locator("#tree").is_visible()
    for control in ("#filter", ".languages", "#close", "#graph", "[role=tablist]"):
        assert not tab.locator(control).first.is_visible()
    assert tab.pdf(format="A4")[:4] == b"%PDF"
