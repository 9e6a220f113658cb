"""Points: what a condition of a rule points at.

A point is written as an expression and denotes one sign of a chart:

=========================  =====================================================
``stem`` ``branch``        日干, 日支
``year`` ``month`` ``hour``  太歲, 月建, 占時 (branches)
``month_general``          月將
``initial`` ``middle`` ``final``  三傳
``lesson1`` … ``lesson4``  the upper branch of each lesson
``natal`` ``annual``       本命, 行年 of the asker
``wife.annual`` …          the same of another person; ``_stem`` gives the stem
``yesterday.stem`` …       the pillar of the day before
``moon``                   the branch of the moon's mansion (月宿)
``season_day`` ``term_day`` ``pentad_day``  the day the season, solar term, 候 began
``貴人`` ``驛馬`` …          the branch a general rides or a spirit sits on
``over(p)`` ``under(p)``   heaven branch above p, earth branch beneath p
``palace(p)``              寄宮 of a stem
``combine(p)`` ``clash(p)``  its 合 (五合 of a stem, 六合 of a branch), its 沖
``punish(p)``              the branch that p punishes
``shift(p n)``             n places on from p
``stage(p 墓)``            where the element of p is at that stage of 長生十二
``virtue(p)``              日德 of a stem, as a branch
``lord(p)``                the stem at home in a branch (寅 甲, 辰 戊 …)
``寅`` ``乙`` …              a sign itself
``general(p)``             the general riding p (a general as value)
``hidden(p)`` ``build1(p)`` ``build2(p)``  the stem of p by 遁干 (旬遁 unless the doctrine says
                            otherwise), 初建, 復建
=========================  =====================================================

Where a branch is needed a stem stands for its palace.  ``over(stem)`` and
``lesson1`` are one point; :func:`canonical` sees to it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Final

from .chart import Chart
from .ganzhi import BRANCH_INDEX, STEM_INDEX, built_stem, step


@dataclass(frozen=True, slots=True)
class Point:
    """A parsed point: a name, or a function of points with an argument.

    ``text`` is the canonical spelling and the identity of the point.
    """

    text: str
    name: str
    args: tuple[Point, ...] = ()
    extra: str = ""
    kind: str = field(default="branch", compare=False)

    def __str__(self) -> str:
        return self.text


@dataclass(frozen=True, slots=True)
class Unknown:
    """A value that was not told; ``needs`` names the inputs that would tell it."""

    needs: tuple[str, ...]


class PointError(ValueError):
    """An expression that is no point; the message says what would be one."""


SIMPLE: Final[Mapping[str, str]] = {
    "stem": "stem",
    "branch": "branch",
    "year": "branch",
    "month": "branch",
    "hour": "branch",
    "month_general": "branch",
    "initial": "branch",
    "middle": "branch",
    "final": "branch",
    "lesson1": "branch",
    "lesson2": "branch",
    "lesson3": "branch",
    "lesson4": "branch",
    "natal": "branch",
    "annual": "branch",
    "natal_stem": "stem",
    "annual_stem": "stem",
    "year_stem": "stem",
    "month_stem": "stem",
    "hour_stem": "stem",
    "yesterday.stem": "stem",
    "yesterday.branch": "branch",
    "moon": "branch",
    "season_day": "branch",
    "term_day": "branch",
    "pentad_day": "branch",
}
"""Named points and the kind of sign each gives."""

RECORDS: Final = ("day", "noble", "method", "chart", "told", "querent")
"""Names that have slots but are no sign themselves."""

PERSON_PARTS: Final[Mapping[str, str]] = {
    "natal": "branch",
    "annual": "branch",
    "natal_stem": "stem",
    "annual_stem": "stem",
}

FUNCTIONS: Final[Mapping[str, tuple[str, str]]] = {
    # name: (kind of result or "same", what the extra argument is)
    "over": ("branch", ""),
    "under": ("branch", ""),
    "palace": ("branch", ""),
    "combine": ("same", ""),
    "clash": ("branch", ""),
    "punish": ("branch", ""),
    "shift": ("branch", "number"),
    "stage": ("branch", "stage"),
    "virtue": ("branch", ""),
    "lord": ("stem", ""),
    "general": ("general", ""),
    "hidden": ("stem", ""),
    "build1": ("stem", ""),
    "build2": ("stem", ""),
}

_CANONICAL: Final = {
    "over(stem)": "lesson1",
    "over(palace(stem))": "lesson1",
    "over(lesson1)": "lesson2",
    "over(branch)": "lesson3",
    "over(lesson3)": "lesson4",
}

_TOKEN = re.compile(r"\s*([()]|[^\s()]+)")


@dataclass(frozen=True, slots=True)
class PointNames:
    """The names that data adds to the point language.

    Attributes:
        generals: the twelve generals.
        spirits: spirit names (神煞), as traditional Chinese.
        roles: persons beside the asker (``wife``, ``husband`` …).
        stages: the twelve stages of 長生.
    """

    generals: frozenset[str]
    spirits: frozenset[str]
    roles: frozenset[str]
    stages: frozenset[str]


def parse_point(text: str, names: PointNames) -> Point:
    """Parse *text* into a canonical :class:`Point`.

    Raises:
        PointError: unknown name or function, wrong argument, unbalanced
            parentheses; the message names what would be accepted.
    """
    tokens = _TOKEN.findall(text)
    if "".join(tokens) != re.sub(r"\s+", "", text) or not tokens:
        raise PointError(f"«{text}» is not a point")
    point, rest = _parse(tokens, names, text)
    if rest:
        raise PointError(f"«{text}» has «{' '.join(rest)}» after the end of the point")
    return point


def _parse(tokens: list[str], names: PointNames, text: str) -> tuple[Point, list[str]]:
    head, rest = tokens[0], tokens[1:]
    if head in "()":
        raise PointError(f"«{text}» has a parenthesis out of place")
    if not rest or rest[0] != "(":
        return _named(head, names), rest
    if head not in FUNCTIONS:
        raise PointError(f"«{head}» is no function of a point; known: {', '.join(FUNCTIONS)}")
    if len(rest) < 2:
        raise PointError(f"«{text}» does not close its parenthesis")
    arg, rest = _parse(rest[1:], names, text)
    result, wants = FUNCTIONS[head]
    extra = ""
    if wants:
        if not rest or rest[0] == ")":
            raise PointError(f"«{head}» wants a {wants} after the point, as in {_sample(head)}")
        extra, rest = _extra(head, wants, rest[0], names), rest[1:]
    if not rest or rest[0] != ")":
        raise PointError(f"«{text}» does not close its parenthesis after «{head}(»")
    return _apply(head, arg, extra, result), rest[1:]


def _sample(head: str) -> str:
    return {"shift": "shift(initial 3)", "stage": "stage(stem 墓)"}[head]


def _extra(head: str, wants: str, token: str, names: PointNames) -> str:
    if wants == "number":
        if not re.fullmatch(r"[+-]?\d+", token):
            raise PointError(f"«{head}» wants a number of places, not «{token}»")
        return str(int(token))
    if token not in names.stages:
        raise PointError(f"«{token}» is no stage; known: {' '.join(sorted(names.stages))}")
    return token


def _named(name: str, names: PointNames) -> Point:
    if name in SIMPLE:
        return Point(name, name, kind=SIMPLE[name])
    if name in BRANCH_INDEX or name in STEM_INDEX:
        return Point(name, name, kind="branch" if name in BRANCH_INDEX else "stem")
    if name in names.generals or name in names.spirits:
        return Point(name, name)
    if name in RECORDS or name in names.roles:
        return Point(name, name, kind="record")
    role, _, part = name.partition(".")
    if part and role in names.roles:
        if part not in PERSON_PARTS:
            raise PointError(f"«{part}» is no part of a person; known: {', '.join(PERSON_PARTS)}")
        return Point(name, name, kind=PERSON_PARTS[part])
    if role == "querent" and part in PERSON_PARTS:
        return Point(part, part, kind=PERSON_PARTS[part])
    known = [*SIMPLE, *RECORDS, *names.generals, *names.spirits, *names.roles]
    near = nearest(name, known)
    raise PointError(f"«{name}» is no point" + (f"; did you mean {near}?" if near else ""))


def _apply(head: str, arg: Point, extra: str, result: str) -> Point:
    if arg.kind == "record":
        raise PointError(f"«{arg}» is no sign, so «{head}({arg})» has no meaning")
    if arg.kind == "general":
        raise PointError(f"«{head}({arg})»: a general stands on no branch of its own here")
    if head in ("palace", "virtue") and arg.kind != "stem":
        raise PointError(f"«{head}({arg})» wants a stem, and {arg} is a branch")
    text = f"{head}({arg}{' ' + extra if extra else ''})"
    if text in _CANONICAL:
        name = _CANONICAL[text]
        return Point(name, name)
    return Point(text, head, (arg,), extra, kind=arg.kind if result == "same" else result)


def nearest(name: str, known: Iterable[str], n: int = 3) -> str:
    """The known names closest to *name*, joined by "or"; "" when none is near."""
    import difflib

    pool = sorted(set(known))
    found = difflib.get_close_matches(name, pool, n=n, cutoff=0.5)
    if not found:
        found = [k for k in pool if name and name in k][:n]
    return " or ".join(found)


# --- resolution ---------------------------------------------------------------

Value = str | Unknown | None


def resolve(point: Point, chart: Chart) -> Value:
    """The sign that *point* denotes on *chart*.

    Returns:
        a stem, branch or general; :class:`Unknown` when an input is missing;
        ``None`` when the chart has no such sign (the hidden stem of a void
        branch).
    """
    if not point.args:
        return _named_value(point.name, chart)
    arg = resolve(point.args[0], chart)
    if arg is None or isinstance(arg, Unknown):
        return arg
    return _FUNCTION_OF[point.name](chart, arg, point.extra)


def as_branch(chart: Chart, sign: str) -> str:
    """*sign* itself if a branch, else the palace of the stem."""
    return chart.tables.lodging[sign] if sign in STEM_INDEX else sign


def _named_value(name: str, chart: Chart) -> Value:
    if name in _SIMPLE_OF:
        return _SIMPLE_OF[name](chart)
    if name in BRANCH_INDEX or name in STEM_INDEX:
        return name
    if name in chart.spirits:
        return chart.spirits[name]
    if name in chart.spirit_needs:
        return Unknown(chart.spirit_needs[name])
    if "." in name:
        role, _, part = name.partition(".")
        return person_part(chart, role, part)
    return chart.riding(name)


def person_part(chart: Chart, role: str, part: str) -> Value:
    """A person's ``natal``/``annual`` branch or ``…_stem``, or what is missing."""
    person = chart.persons.get(role)
    which, _, stem = part.partition("_")
    pillar = None if person is None else (person.natal if which == "natal" else person.annual)
    sign = None if pillar is None else (pillar.stem if stem else pillar.branch)
    return sign or Unknown((f"{role}.{which}",))


def _pillar(name: str, part: str) -> Callable[[Chart], Value]:
    def of(chart: Chart) -> Value:
        sign = getattr(chart.pillars[name], part) if name in chart.pillars else None
        return sign or Unknown((name,))

    return of


_SIMPLE_OF: Final[Mapping[str, Callable[[Chart], Value]]] = {
    "stem": lambda c: c.pillars["day"].stem,
    "branch": lambda c: c.pillars["day"].branch,
    "year": _pillar("year", "branch"),
    "month": _pillar("month", "branch"),
    "hour": _pillar("hour", "branch"),
    "year_stem": _pillar("year", "stem"),
    "month_stem": _pillar("month", "stem"),
    "hour_stem": _pillar("hour", "stem"),
    "month_general": lambda c: c.month_general,
    "initial": lambda c: c.transmissions[0].branch,
    "middle": lambda c: c.transmissions[1].branch,
    "final": lambda c: c.transmissions[2].branch,
    "lesson1": lambda c: c.lessons[0].upper,
    "lesson2": lambda c: c.lessons[1].upper,
    "lesson3": lambda c: c.lessons[2].upper,
    "lesson4": lambda c: c.lessons[3].upper,
    "natal": lambda c: person_part(c, "querent", "natal"),
    "annual": lambda c: person_part(c, "querent", "annual"),
    "natal_stem": lambda c: person_part(c, "querent", "natal_stem"),
    "annual_stem": lambda c: person_part(c, "querent", "annual_stem"),
    "yesterday.stem": lambda c: c.yesterday.stem,
    "yesterday.branch": lambda c: c.yesterday.branch,
    "moon": lambda c: c.day_facts["moon"] if "moon" in c.day_facts else Unknown(("lunar",)),
    "season_day": lambda c: c.day_facts.get("season_day") or Unknown(("moment",)),
    "term_day": lambda c: c.day_facts.get("term_day") or Unknown(("moment",)),
    "pentad_day": lambda c: c.day_facts.get("pentad_day") or Unknown(("moment",)),
}


def _combine(chart: Chart, sign: str, _: str) -> Value:
    return chart.tables.combine(sign)


_FUNCTION_OF: Final[Mapping[str, Callable[[Chart, str, str], Value]]] = {
    "over": lambda c, s, _: c.over(as_branch(c, s)),
    "under": lambda c, s, _: c.under(as_branch(c, s)),
    "palace": lambda c, s, _: c.tables.lodging[s],
    "combine": _combine,
    "clash": lambda c, s, _: step(as_branch(c, s), 6),
    "punish": lambda c, s, _: c.tables.punish[as_branch(c, s)],
    "shift": lambda c, s, n: step(as_branch(c, s), int(n)),
    "stage": lambda c, s, name: c.tables.stage(c.growth, s, name),
    "virtue": lambda c, s, _: c.tables.virtue[s],
    "lord": lambda c, s, _: c.tables.lord[as_branch(c, s)],
    "general": lambda c, s, _: c.general_of[as_branch(c, s)],
    "hidden": lambda c, s, _: c.hidden[as_branch(c, s)],
    "build1": lambda c, s, _: built_stem(_day_stem(c), as_branch(c, s)),
    "build2": lambda c, s, _: built_stem(_hour_stem(c), as_branch(c, s)),
}


def _day_stem(chart: Chart) -> str:
    stem = chart.pillars["day"].stem
    assert stem is not None, "a chart always has a day stem"
    return stem


def _hour_stem(chart: Chart) -> str:
    """The hour's stem by 五子元遁 from the day stem (復建 runs from it)."""
    hour = chart.pillars["hour"]
    assert hour.branch is not None, "a chart always has an hour"
    return hour.stem or built_stem(_day_stem(chart), hour.branch)


# --- which casting steps a point rests on --------------------------------------

_STEPS_OF_NAME: Final[Mapping[str, tuple[str, ...]]] = {
    "stem": ("pillar.day",),
    "branch": ("pillar.day",),
    "year": ("pillar.year",),
    "month": ("pillar.month",),
    "hour": ("pillar.hour",),
    "year_stem": ("pillar.year",),
    "month_stem": ("pillar.month",),
    "hour_stem": ("pillar.hour",),
    "yesterday.stem": ("yesterday",),
    "yesterday.branch": ("yesterday",),
    "natal": ("querent.natal",),
    "annual": ("querent.annual",),
    "natal_stem": ("querent.natal",),
    "annual_stem": ("querent.annual",),
}

_STEPS_OF_FUNCTION: Final[Mapping[str, tuple[str, ...]]] = {
    "over": ("plate",),
    "under": ("plate",),
    "palace": ("lodging",),
    "general": ("generals",),
    "hidden": ("hidden",),
    "build1": ("build1",),
    "build2": ("build2",),
    "stage": ("growth",),
}


def steps_of(point: Point, chart: Chart, spirit_keys: Mapping[str, str]) -> tuple[str, ...]:
    """Ids of the casting steps that *point* rests on, without repeats, in order.

    Args:
        point: the point.
        chart: the chart, for the steps that exist.
        spirit_keys: spirit name to its ascii key (``驛馬`` to ``yima``).
    """
    found: dict[str, None] = {}
    for arg in point.args:
        found.update(dict.fromkeys(steps_of(arg, chart, spirit_keys)))
    if point.args:
        found.update(dict.fromkeys(_STEPS_OF_FUNCTION.get(point.name, ())))
    elif point.name in _STEPS_OF_NAME:
        found.update(dict.fromkeys(_STEPS_OF_NAME[point.name]))
    elif point.name in spirit_keys:
        found[f"spirit.{spirit_keys[point.name]}"] = None
    elif "." in point.name:
        found[point.name.removesuffix("_stem")] = None
    elif point.name in SIMPLE:
        found[point.name] = None
    elif point.name not in BRANCH_INDEX and point.name not in STEM_INDEX:
        found["generals"] = None
    return tuple(s for s in found if s in chart.steps)


def is_branch(sign: object) -> bool:
    """Whether *sign* is one of the twelve branches."""
    return isinstance(sign, str) and sign in BRANCH_INDEX
