"""A chart as text: the square of twelve palaces, lessons, transmissions."""

from __future__ import annotations

import click
from liuren.facts.chart import Chart
from liuren.facts.ganzhi import BRANCHES

from .layout import centre, table
from .words import Words

# The square as readers know it: 巳午未申 on top, 亥子丑寅 below, south up.
_TOP, _BOTTOM = ("巳", "午", "未", "申"), ("寅", "丑", "子", "亥")
_LEFT, _RIGHT = ("辰", "卯"), ("酉", "戌")
_CELL = 8


def draw_chart(chart: Chart, words: Words) -> list[str]:
    """The chart as lines of text."""
    lines = _heading(chart, words)
    lines += [""] + _square(chart)
    lines += ["", words.ui("lessons")] + _lessons(chart)
    lines += ["", words.ui("transmissions") + "  " + _method(chart)] + _transmissions(chart, words)
    if chart.persons:
        lines += ["", words.ui("persons")] + _persons(chart, words)
    lines += ["", words.ui("spirits")] + _spirits(chart)
    return lines


def _heading(chart: Chart, words: Words) -> list[str]:
    p = chart.pillars
    pillars = [f"{label} {p[name] or '—'}" for name, label in (("year", "年"), ("month", "月"), ("day", "日"), ("hour", "時")) if name in p]
    return table(
        [
            [words.ui("chart"), chart.id],
            [words.ui("pillars"), "  ".join(pillars)],
            [words.ui("month_general"), chart.month_general],
            [words.ui("nobleman"), f"{chart.noble.branch} / {chart.noble.earth}  {chart.noble.period} {chart.noble.direction}"],
            [words.ui("void"), " ".join(chart.void)],
        ]
    )


def _cell(chart: Chart, earth: str) -> str:
    heaven = chart.over(earth)
    mark = "○" if heaven in chart.void else ""
    return f"{chart.general_of[heaven]} {heaven}{mark}"


def _square(chart: Chart) -> list[str]:
    """Heaven branch and general in each palace, the earth branch beneath."""

    def row(palaces: tuple[str, ...]) -> list[str]:
        return [
            " " + " ".join(centre(_cell(chart, e), _CELL) for e in palaces),
            " " + " ".join(centre(click.style(e, dim=True), _CELL) for e in palaces),
        ]

    gap = " " * (_CELL * 2 + 3)
    lines = row(_TOP)
    for left, right in zip(_LEFT, _RIGHT, strict=True):
        cells = [row((left,)), row((right,))]
        lines += [(a + gap + b[1:]) for a, b in zip(*cells, strict=True)]
    lines += row(_BOTTOM)
    return [line.rstrip() for line in lines]


def _method(chart: Chart) -> str:
    m = chart.method
    return m.name if m.head == m.name else f"{m.name} · {m.head}"


def _lessons(chart: Chart) -> list[str]:
    order = list(reversed(chart.lessons))
    return table(
        [
            [lesson.general for lesson in order],
            [lesson.upper for lesson in order],
            [lesson.lower for lesson in order],
            [lesson.relation for lesson in order],
        ],
        indent="  ",
    )


def _transmissions(chart: Chart, words: Words) -> list[str]:
    rows = []
    for name, t in zip(("初", "中", "末"), chart.transmissions, strict=True):
        void = "空" if t.void else ""
        rows.append([name, t.relative, f"{t.stem or '○'}{t.branch}", t.general, t.strength or "—", void])
    return table(rows, indent="  ")


def _persons(chart: Chart, words: Words) -> list[str]:
    rows = []
    for role, person in chart.persons.items():
        age = f"{person.age}歲" if person.age is not None else ""
        rows.append([words.ui(role), person.sex or "", age, f"本命 {person.natal or '—'}", f"行年 {person.annual or '—'}"])
    return table(rows, indent="  ")


def _spirits(chart: Chart) -> list[str]:
    by_branch: dict[str, list[str]] = {}
    for spirit, branch in chart.spirits.items():
        by_branch.setdefault(branch, []).append(spirit)
    return table([[b, " ".join(by_branch[b])] for b in BRANCHES if b in by_branch], indent="  ")
