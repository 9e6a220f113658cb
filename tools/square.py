"""A chart as HTML: the square of twelve palaces, the lessons, the transmissions."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from html import escape

from liuren.facts.chart import Chart, Lesson, Person
from liuren.facts.ganzhi import BRANCHES

from .markup import Say, chinese

Link = Callable[[Sequence[str], str, str], str]
"""(casting steps, what is shown, CSS classes) as HTML: something to click on, or plain."""

# South up, as readers know it; the order is that of the earth plate, so that the tab key walks
# round the square, and CSS sets each palace in its corner.
_PLACE = {
    "巳": "1/1", "午": "1/2", "未": "1/3", "申": "1/4", "酉": "2/4", "戌": "3/4",
    "亥": "4/4", "子": "4/3", "丑": "4/2", "寅": "4/1", "卯": "3/1", "辰": "2/1",
}  # fmt: skip
_PILLARS = (("year", "年"), ("month", "月"), ("day", "日"), ("hour", "時"))
_TRANSMISSIONS = (("initial", "初"), ("middle", "中"), ("final", "末"))


def plain_link(steps: Sequence[str], inner: str, css: str) -> str:
    """A part of the chart where nothing can be asked."""
    return f'<div class="{css}">{inner}</div>'


class Square:
    """Draws one chart."""

    def __init__(
        self,
        chart: Chart,
        say: Say,
        spirit_keys: Mapping[str, str],
        link: Link = plain_link,
        first: Chart | None = None,
    ) -> None:
        """*first* is the chart this one is held against: what differs is marked."""
        self.chart, self.say, self.link = chart, say, link
        self.spirit_keys = spirit_keys
        self.first = first if first is not None else chart

    def html(self) -> str:
        """The whole chart."""
        return (
            f'<div class="square">{self._palaces()}<div class="middle">{self._heading()}</div></div>'
            f'<div class="beside"><h3>{self.say.ui("lessons")}</h3><div class="lessons">{self._lessons()}</div>'
            f'<h3>{self.say.ui("transmissions")} {self._method()}</h3>'
            f'<div class="transmissions">{self._transmissions()}</div>{self._persons()}</div>'
            f'<details class="spirits"><summary>{self.say.ui("spirits")}</summary>{self._spirits()}</details>'
        )

    def _marked(self, css: str, of: Callable[[Chart], object]) -> str:
        """*css*, with the mark of what differs from the first chart."""
        return f"{css} parts" if of(self.chart) != of(self.first) else css

    # --- the square ---------------------------------------------------------------

    def _palaces(self) -> str:
        return "".join(
            f'<div class="place" style="grid-area:{place}">{self._palace(earth)}</div>'
            for earth, place in _PLACE.items()
        )

    def _palace(self, earth: str) -> str:
        heaven = self.chart.over(earth)
        void = chinese("○", "void") if heaven in self.chart.void else ""
        inner = (
            chinese(self.chart.general_of[heaven], "general")
            + f'<span class="heaven">{chinese(heaven)}{void}</span>'
            + chinese(earth, "earth")
        )
        css = self._marked("palace", lambda c: (c.over(earth), c.general_of[c.over(earth)]))
        return self.link(("plate", "generals"), inner, css)

    def _heading(self) -> str:
        chart, noble = self.chart, self.chart.noble
        pillars = "".join(
            self.link(
                (f"pillar.{name}",),
                chinese(label, "dim") + chinese(str(chart.pillars[name]) or "—"),
                self._marked("pillar", lambda c, name=name: c.pillars[name]),  # type: ignore[misc]
            )
            for name, label in _PILLARS
            if name in chart.pillars
        )
        rows = (
            ("month_general", ("month_general",), chart.month_general, self._marked("row", lambda c: c.month_general)),
            ("nobleman", ("noble",), f"{noble.branch} {noble.period}{noble.direction}", self._marked("row", lambda c: c.noble)),
            ("void", ("void",), "".join(chart.void), self._marked("row", lambda c: c.void)),
        )
        return f'<div class="pillars">{pillars}</div>' + "".join(
            self.link(steps, f"{self.say.ui(key, 'dim')} {chinese(value)}", css) for key, steps, value, css in rows
        )

    # --- lessons and transmissions ----------------------------------------------------

    def _lessons(self) -> str:
        """First to fourth in reading order; CSS sets them from right to left."""
        return "".join(
            self.link((f"lesson{n}",), self._lesson(n, lesson), self._marked("lesson", lambda c, n=n: c.lessons[n - 1]))  # type: ignore[misc]
            for n, lesson in enumerate(self.chart.lessons, 1)
        )

    def _lesson(self, n: int, lesson: Lesson) -> str:
        return (
            self.say.ui(f"lesson{n}", "hush")
            + chinese(lesson.general, "general")
            + chinese(lesson.upper, "heaven")
            + chinese(lesson.lower, "lower")
            + chinese(lesson.relation, "dim")
        )

    def _method(self) -> str:
        method = self.chart.method
        name = method.name if method.head == method.name else f"{method.name} · {method.head}"
        return self.link(("method",), chinese(name), self._marked("method", lambda c: (c.method.name, c.method.head)))

    def _transmissions(self) -> str:
        shown = []
        for n, ((step, label), t) in enumerate(zip(_TRANSMISSIONS, self.chart.transmissions, strict=True)):
            inner = (
                chinese(label, "dim")
                + chinese(t.relative, "relative")
                + chinese((t.stem or "○") + t.branch, "heaven")
                + chinese(t.general, "general")
                + chinese((t.strength or "—") + (" 空" if t.void else ""), "dim")
            )
            shown.append(self.link((step,), inner, self._marked("transmission", lambda c, n=n: c.transmissions[n])))  # type: ignore[misc]
        return "".join(shown)

    # --- persons and spirits --------------------------------------------------------

    def _persons(self) -> str:
        if not self.chart.persons:
            return ""
        shown = "".join(self._person(role, person) for role, person in self.chart.persons.items())
        return f'<h3>{self.say.ui("persons")}</h3><div class="persons">{shown}</div>'

    def _person(self, role: str, person: Person) -> str:
        age = f"{person.age}歲" if person.age is not None else ""
        parts = "".join(
            self.link((f"{role}.{step}",), chinese(label, "dim") + " " + chinese(str(value) or "—"), css)
            for step, label, value, css in (
                ("natal", "本命", person.natal, self._marked("row", lambda c: c.persons[role].natal)),
                ("annual", "行年", person.annual, self._marked("row", lambda c: c.persons[role].annual)),
            )
        )
        return f'<div class="person">{self.say.ui(role)} {chinese((person.sex or "") + " " + age)}{parts}</div>'

    def _spirits(self) -> str:
        by_branch: dict[str, list[str]] = {}
        for spirit, branch in self.chart.spirits.items():
            css = self._marked("spirit", lambda c, spirit=spirit: c.spirits.get(spirit))  # type: ignore[misc]
            key = self.spirit_keys.get(spirit)
            steps = (f"spirit.{key}",) if key else ()
            by_branch.setdefault(branch, []).append(self.link(steps, chinese(spirit), css))
        return "".join(
            f'<div class="branch"><b lang="zh-Hant">{escape(b)}</b>{"".join(by_branch[b])}</div>'
            for b in BRANCHES
            if b in by_branch
        )
