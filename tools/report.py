"""A reading as text and as JSON."""

from __future__ import annotations

from typing import Any

import click
from liuren.engine.casting.json import chart_to_json
from liuren.engine.explain import said_node
from liuren.engine.language.conclusions import Judged, Measure, Pattern, Role, Verdict
from liuren.engine.reading import Reading, Said, is_unknown
from liuren.engine.standing import Standing, kind_of
from liuren.facts.chart import Chart
from liuren.facts.points import is_branch

from .draw import draw_chart
from .layout import table
from .words import Words

SCHEMA = "liuren.reading/1"
"""Version of ``read --json``."""

_COLOUR = {"good": "green", "bad": "red", "mixed": "yellow", "conditional": "cyan", "neutral": None}


# --- JSON ------------------------------------------------------------------------


def reading_json(reading: Reading) -> dict[str, Any]:
    """``read --json``: charts, patterns, tallies, measures, roles, verdicts, unknown."""
    return {
        "schema": SCHEMA,
        "topic": reading.request.topic,
        "charts": [chart_to_json(c) for c in reading.charts.values()],
        "texts": {t: r.chart.id for t, r in reading.texts.items()},
        "patterns": [_pattern(s) for s in reading.said(Pattern)],
        "tallies": [
            {"text": text, "name": name, "sides": {s: {"votes": v.sure, "possible": v.possible} for s, v in sides.items()}}
            for text, name, sides in reading.tallies()
        ],
        "measures": [_measure(reading, s) for s in reading.said(Measure)],
        "roles": [_role(reading, s) for s in reading.said(Role)],
        "verdicts": [_verdict(reading, s) for s in reading.said(Verdict)],
        "narrower": reading.narrower(),
        "unknown": [
            {"rule": u.rule.id, "text": u.rule.text, "needs": list(u.needs)} for u in reading.undecided()
        ],
    }


def _pattern(said: Said) -> dict[str, Any]:
    assert isinstance(said.conclusion, Pattern)
    return {
        "name": said.conclusion.name, "rule": said.rule.id, "of": said.conclusion.of,
        "text": said.rule.text, "chart": said.chart,
    }  # fmt: skip


def _by(standing: Standing) -> list[dict[str, Any]]:
    return [{"modifier": m, "kind": k} for m, k in standing.by]


def _verdict(reading: Reading, said: Said) -> dict[str, Any]:
    body, standing = said.conclusion, reading.standing(said)
    assert isinstance(body, Verdict)
    return {
        "id": body.id, "rule": said.rule.id, "of": body.of, "topic": list(body.topics),
        "polarity": body.polarity, "standing": standing.state, "by": _by(standing),
        "unless": [{"modifier": m, "kind": k, "needs": list(n)} for m, k, n in standing.unless],
        "elsewhere": _elsewhere(reading, said), "en": body.en, "ko": body.ko,
        "quote": said.rule.quote, "text": said.rule.text, "passage": said.rule.passage,
        "chart": said.chart,
    }  # fmt: skip


def _elsewhere(reading: Reading, said: Said) -> list[dict[str, Any]]:
    """Topics under which the verdict stands otherwise, when none was asked."""
    if reading.request.topic is not None:
        return []
    standings = reading.texts[said.rule.text].standings
    body = said.conclusion
    assert isinstance(body, Judged)
    found = []
    for topic in standings.topics_that_matter(body.id, kind_of(body)):
        standing = standings.standing(body.id, topic, kind_of(body))
        found.append({"topic": topic, "standing": standing.state, "by": _by(standing)})
    return found


def _measure(reading: Reading, said: Said) -> dict[str, Any]:
    body = said.conclusion
    assert isinstance(body, Measure)
    standing = reading.standing(said)
    return {
        "id": body.id, "name": body.name, "rule": said.rule.id, "of": body.of,
        "topic": list(body.topics), "values": _values(reading, said),
        "dates": [{"unit": s.unit, "from": s.first, "to": s.last} for s in reading.dates(said)],
        "en": body.en, "ko": body.ko,
        "standing": standing.state, "by": _by(standing), "quote": said.rule.quote,
        "text": said.rule.text, "passage": said.rule.passage, "chart": said.chart,
    }  # fmt: skip


def _values(reading: Reading, said: Said) -> dict[str, Any]:
    assert isinstance(said.conclusion, Measure)
    values = reading.texts[said.rule.text].value(said.conclusion)
    return {k: {"unknown": list(v.needs)} if is_unknown(v) else v for k, v in values.items()}


def where(reading: Reading, said: Said) -> dict[str, Any]:
    """Where the point of a role is on the chart: its sign, the general riding it,
    and the places of lessons and transmissions in which it shows (現否)."""
    assert isinstance(said.conclusion, Role)
    text = reading.texts[said.rule.text]
    sign = text.evaluation.sign(said.conclusion.point)
    if not is_branch(sign):
        return {"sign": sign if isinstance(sign, str) else None, "general": None, "shows": []}
    assert isinstance(sign, str)
    places = {f"lesson{n}": x.upper for n, x in enumerate(text.chart.lessons, 1)}
    names = ("initial", "middle", "final")
    places |= {n: t.branch for n, t in zip(names, text.chart.transmissions, strict=True)}
    shows = [name for name, branch in places.items() if branch == sign]
    return {"sign": sign, "general": text.chart.general_of[sign], "shows": shows}


def _role(reading: Reading, said: Said) -> dict[str, Any]:
    body, standing = said.conclusion, reading.standing(said)
    assert isinstance(body, Role)
    return {
        "id": body.id, "rule": said.rule.id, "topic": list(body.topics), "point": body.point.text,
        "zh": body.zh, "en": body.en, "ko": body.ko, "text": said.rule.text, "chart": said.chart,
        "standing": standing.state, "by": _by(standing), **where(reading, said),
    }  # fmt: skip


# --- text --------------------------------------------------------------------------


def reading_text(reading: Reading, words: Words) -> list[str]:
    """The reading as lines: chart, patterns, tallies, measures, verdicts, unknown."""
    lines: list[str] = []
    charts = list(reading.charts.values())
    lines += draw_chart(charts[0], words)
    for other in charts[1:]:
        lines += ["", *_parting(charts[0], other, words)]
    for title, part in (
        ("patterns", _patterns_text(reading, words)),
        ("tallies", _tallies_text(reading, words)),
        ("verdicts_by_topic", _verdicts_text(reading, words)),
        ("narrower", _narrower_text(reading, words)),
        ("measures", _measures_text(reading, words)),
        ("roles", _roles_text(reading, words)),
        ("unknown", _unknown_text(reading, words)),
    ):
        if part:
            lines += ["", heading(words.ui(title)), *part]
    return lines


def heading(text: str) -> str:
    """A heading line."""
    return click.style(text, bold=True)


def _parting(first: Chart, other: Chart, words: Words) -> list[str]:
    """Where another text's chart differs from the first one."""
    rows = []
    for label, a, b in (
        ("transmissions", _chain(first), _chain(other)),
        ("method", first.method.name, other.method.name),
        ("head", first.method.head, other.method.head),
        ("nobleman", first.noble.branch + first.noble.direction, other.noble.branch + other.noble.direction),
        ("spirits", *_spirit_difference(first, other)),
    ):
        if a != b:
            rows.append([words.ui(label), f"{first.id}: {a}", f"{other.id}: {b}"])
    if not rows:
        return [f"{words.ui('chart')} {other.id} = {first.id}"]
    return [f"{words.ui('chart')} {other.id}: {words.ui('charts_part')}", *table(rows, indent="  ")]


def _chain(chart: Chart) -> str:
    return " ".join(t.branch + t.general for t in chart.transmissions)


def _spirit_difference(a: Chart, b: Chart) -> tuple[str, str]:
    names = [s for s in a.spirits if b.spirits.get(s) != a.spirits[s]]
    return (
        " ".join(f"{s}{a.spirits[s]}" for s in names),
        " ".join(f"{s}{b.spirits.get(s, '—')}" for s in names),
    )


def source(said: Said, words: Words) -> str:
    """Where a thing is said: work, passage, quotation."""
    return f"{words.text(said.rule.text)} {words.passage(said.rule.passage)} 「{said.rule.quote}」"


def _patterns_text(reading: Reading, words: Words) -> list[str]:
    """A line for each pattern a rule concluded, with the points it was found at."""
    points: dict[tuple[str, str, str], list[str]] = {}
    for said in reading.said(Pattern):
        assert isinstance(said.conclusion, Pattern)
        at = (said.conclusion.name, said.rule.id, source(said, words))
        points.setdefault(at, []).extend([said.conclusion.of] if said.conclusion.of else [])
    rows = [
        [name + (f" ({' '.join(of)})" if of else ""), where, rule]
        for (name, rule, where), of in points.items()
    ]
    return [
        line
        for name, where, rule in rows
        for line in (f"  {name}", click.style(f"      {where}  {rule}", dim=True))
    ]


def _tallies_text(reading: Reading, words: Words) -> list[str]:
    rows = []
    for text, name, sides in reading.tallies():
        shown = "  ".join(
            f"{side} {s.sure}" + (f"–{s.possible}" if s.possible != s.sure else "") for side, s in sides.items()
        )
        rows.append([name, shown, words.text(text)])
    return table(rows, indent="  ")


def measure_words(reading: Reading, said: Said, words: Words) -> str:
    """A measure in one line: its fields with their values, then its words."""
    body = said.conclusion
    assert isinstance(body, Measure)
    parts = []
    for name, value in _values(reading, said).items():
        if isinstance(value, dict):
            parts.append(f"{_label(name, words)}— ({words.ui('needs')}: {', '.join(value['unknown'])})")
        else:
            shown = words.ui(f"unit_{value}") if name in ("unit", "within") else "—" if value is None else str(value)
            parts.append(_label(name, words) + shown)
    text = words.pick({"en": body.en, "ko": body.ko})
    when = "".join(
        f" → {s.first}" + (f" – {s.last}" if s.last != s.first else "") for s in reading.dates(said)
    )
    of = f" ({body.of or ' '.join(said.instance.of)})" if body.of or said.instance.of else ""
    return body.name + of + " " + ", ".join(parts) + (f": {text}" if text else "") + when


_SELF_EVIDENT = ("branch", "stem", "general", "value", "unit", "number")
"""Fields of a measure whose value says what it is."""


def _label(name: str, words: Words) -> str:
    if name in _SELF_EVIDENT:
        return ""
    unit = name in ("year", "month", "day", "hour")
    return words.ui(f"unit_{name}" if unit else name) + " "


def _measures_text(reading: Reading, words: Words) -> list[str]:
    rows = []
    for said in reading.said(Measure):
        state = reading.standing(said).state
        shown = "" if state == "stands" else f"[{words.ui(state)}]"
        assert isinstance(said.conclusion, Measure)
        rows.append([measure_words(reading, said, words), shown, source(said, words), said.conclusion.id])
    return [line for row in rows for line in _two_lines(row)]


def _two_lines(row: list[str]) -> list[str]:
    first, state, where, id = row
    return [f"  {first}{'  ' + state if state else ''}", click.style(f"      {where}  {id}", dim=True)]


def _roles_text(reading: Reading, words: Words) -> list[str]:
    topic = reading.request.topic
    if topic is None:
        return []
    rows = []
    for said in reading.said(Role):
        body, state = said.conclusion, reading.standing(said).state
        assert isinstance(body, Role)
        name = words.pick({"zh": body.zh, "en": body.en, "ko": body.ko})
        shown = "" if state == "stands" else f" [{words.ui(state)}]"
        at = where(reading, said)
        seen = " ".join(words.ui(p) for p in at["shows"]) or words.ui("not_shown")
        rows.append([body.point.text, at["sign"] or "—", at["general"] or "", name + shown, seen, source(said, words)])
    return table(rows, indent="  ")


def _verdicts_text(reading: Reading, words: Words) -> list[str]:
    by_topic: dict[str, list[Said]] = {}
    for said in reading.said(Verdict):
        assert isinstance(said.conclusion, Verdict)
        by_topic.setdefault(said.conclusion.topics[0], []).append(said)
    order = [t for t in reading.library.kb.lexicon.topics if t in by_topic]
    lines: list[str] = []
    for topic in order:
        lines.append(f"  {click.style(words.topic(topic), underline=True)}")
        for said in by_topic[topic]:
            lines += verdict_lines(reading, said, words)
    return lines


def verdict_lines(reading: Reading, said: Said, words: Words) -> list[str]:
    """A verdict: polarity, standing, words; then its source and id; then by what it stands so."""
    body, standing = said.conclusion, reading.standing(said)
    assert isinstance(body, Verdict)
    polarity = click.style(words.ui(body.polarity), fg=_COLOUR.get(body.polarity))
    text = words.pick({"zh": f"「{said.rule.quote}」", "en": body.en, "ko": body.ko})
    of = f" ({body.of})" if body.of else ""
    lines = [f"    {polarity} · {words.ui(standing.state)}{of}  {text}"]
    lines.append(click.style(f"        {source(said, words)}  {body.id}", dim=True))
    for modifier, kind in standing.by:
        lines.append(f"        ← {words.ui(kind)}: {modifier}")
    for modifier, kind, needs in standing.unless:
        lines.append(f"        ← {words.ui('unless')} {words.ui(kind)}: {modifier} ({words.ui('needs')}: {', '.join(needs)})")
    for other in _elsewhere(reading, said):
        by = ", ".join(b["modifier"] for b in other["by"])
        lines.append(f"        {words.topic(other['topic'])}: {words.ui(other['standing'])}" + (f" ← {by}" if by else ""))
    return lines


def _narrower_text(reading: Reading, words: Words) -> list[str]:
    return table(
        [[f"--topic {t}", words.topic(t), str(n)] for t, n in reading.narrower().items()], indent="  "
    )


def _unknown_text(reading: Reading, words: Words) -> list[str]:
    needs: dict[tuple[str, ...], list[str]] = {}
    for item in reading.undecided():
        needs.setdefault(item.needs, []).append(item.rule.id)
    lines = []
    for missing, rules in sorted(needs.items(), key=lambda pair: (len(pair[0]), pair[0])):
        lines.append(f"  {words.ui('needs')} {', '.join(map(how_to_tell, missing))}")
        lines += [click.style(f"      {rule}", dim=True) for rule in rules]
    return lines


_OPTION_OF = {"querent.natal": "--natal or --born", "querent.annual": "--annual, or --born with --sex and the year",
              "querent.sex": "--sex", "querent.born": "--born", "querent.age": "--born"}  # fmt: skip


def how_to_tell(need: str) -> str:
    """An input that is missing, with the option that tells it."""
    if need.startswith("told."):
        option = f"--told {need[5:]}=…"
    elif need in _OPTION_OF:
        option = _OPTION_OF[need]
    elif "." in need:
        option = f"--person {need.partition('.')[0]}:BORN:SEX"
    elif need == "moment":
        option = "MOMENT"
    else:
        option = f"--{need.replace('_', '-')}"
    return f"{need} ({option})"


def first_verdict(reading: Reading) -> str | None:
    """Node id of the standing of the first verdict shown, or ``None``."""
    by_topic: dict[str, Said] = {}
    for said in reading.said(Verdict):
        assert isinstance(said.conclusion, Verdict)
        by_topic.setdefault(said.conclusion.topics[0], said)
    for topic in reading.library.kb.lexicon.topics:
        if topic in by_topic:
            return said_node(by_topic[topic]).replace("verdict:", "standing:", 1)
    return None
