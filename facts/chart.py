"""The chart (課) and its parts: immutable values, each with the step that made it.

Shapes follow ``cast --json``.  Branches, stems and generals are ``str`` in
traditional Chinese.  ``None`` means *not known* (the input that would decide
it was not given) unless a field says otherwise.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from .ganzhi import BRANCH_INDEX, BRANCHES
from .tables import Tables


@dataclass(frozen=True, slots=True)
class Step:
    """One step of casting: what was computed, from what, how, on whose word.

    Attributes:
        id: stable ascii id, e.g. ``pillar.day``, ``plate``, ``initial``,
            ``spirit.yima``; inputs begin with ``input.`` (``input.day``,
            ``input.moment``, ``input.querent.born``, ``input.told.duration``)
            and chosen options with ``option.`` (``option.shehai``).
        kind: ``"input"``, ``"option"`` or ``"step"``.
        value: what came out, as text or JSON-able data in chart values.
        method: what was done, a key of the ``methods`` section of
            ``kb/methods.yaml`` (its words in zh, ko, en and its source).
        inputs: ids of the steps this one used, in a fixed order.
        source: passage id that states the method, or ``external`` for common
            practice; empty for inputs.
        needs: inputs that are missing, when the value is unknown.
    """

    id: str
    kind: str
    value: Any
    method: str = ""
    inputs: tuple[str, ...] = ()
    source: str = ""
    needs: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Pillar:
    """A year, month, day or hour pillar; either part may be unknown."""

    stem: str | None = None
    branch: str | None = None

    def __str__(self) -> str:
        return (self.stem or "") + (self.branch or "")


@dataclass(frozen=True, slots=True)
class Lesson:
    """One of the four lessons (四課).

    ``lower`` is the day stem in lesson 1, a branch elsewhere.  ``seat`` is the
    earth branch that *upper* stands on (the stem's lodging in lesson 1).
    ``relation`` is 上克下, 下賊上, 上生下, 下生上 or 比.
    """

    lower: str
    seat: str
    upper: str
    general: str
    relation: str


@dataclass(frozen=True, slots=True)
class Transmission:
    """One of the three transmissions (三傳).

    ``stem`` is the hidden stem (遁干) by the doctrine's option ``hidden``; of the
    decade (旬遁) it is ``None`` when the branch is void.  ``strength`` is ``None``
    when the month is not known.
    """

    branch: str
    general: str
    stem: str | None
    relative: str
    void: bool
    strength: str | None


@dataclass(frozen=True, slots=True)
class Method:
    """How the initial was found: one of the nine methods and the texts' head.

    ``name`` is 賊克, 比用, 涉害, 遙克, 昴星, 別責, 八專, 伏吟 or 返吟.
    ``head`` is the name a text gives (元首, 重審, 始入, 知一, 見機, 蒿矢 …).
    ``heads`` are all names that fit, *head* first (a chart may be both 重審 and
    始入 in different texts; 獨足 stays among them under either school).
    ``lesson`` is the number (1-4) of the lesson the initial came from, or
    ``None`` when it came from none.
    """

    name: str
    head: str
    heads: tuple[str, ...] = ()
    lesson: int | None = None


@dataclass(frozen=True, slots=True)
class Noble:
    """The nobleman (貴人): heaven branch, earth seat, 晝 or 夜, 順 or 逆.

    ``other`` is the branch of the nobleman of the other half of the day.
    """

    branch: str
    earth: str
    period: str
    direction: str
    other: str


@dataclass(frozen=True, slots=True)
class Person:
    """A person of the question: 本命 and 行年 with what they were found from."""

    role: str
    sex: str | None = None
    age: int | None = None
    natal: Pillar = Pillar()
    annual: Pillar = Pillar()


@dataclass(frozen=True, slots=True)
class Chart:
    """A cast chart.

    Attributes:
        id: the name of the doctrine, with a suffix for overrides
            (``xinjing``, ``common+shehai=meng-zhong``).
        doctrine: option name to chosen value, every option present.
        tables: the tables of the knowledge base this chart was cast with.
        pillars: ``year``, ``month``, ``day``, ``hour``; *day* and *hour* are
            always whole.
        month_general: 月將.
        plate: 12 heaven branches, by index of the earth branch beneath.
        general_of: heaven branch to general.
        noble, lessons (4), method, transmissions (3), void (2): as named.
        spirits: spirit name (驛馬, 旬丁 …) to branch; a spirit whose input is
            missing is absent here and present in *spirit_needs*.
        spirit_needs: spirit name to the inputs that would decide it.
        hidden: branch to its hidden stem (遁干) by the doctrine, ``None`` for a
            branch that has none.
        growth: element to the branch of its 長生, by the doctrine.
        persons: role to :class:`Person`; the asker is ``querent``.
        told: facts told.
        day_facts: what is known of the day beyond its pillar: ``opens`` (solar
            term that begins on it, ``""`` for none), ``season`` (春夏秋冬),
            ``lunar_month``, ``lunar_day``, ``phase`` (朔 上弦 望 下弦 晦 or
            ``""``), ``mansion`` (one of the 28), ``moon`` (its branch);
            a key that is absent is unknown.
        yesterday: the pillar of the day before.
        strengths: element to 旺相休囚死 by the season; ``None`` if unknown.
        relatives: element to 父母 兄弟 子孫 妻財 官鬼, by the day stem.
        steps: step id to :class:`Step`, in casting order.
    """

    id: str
    doctrine: Mapping[str, str]
    tables: Tables
    pillars: Mapping[str, Pillar]
    month_general: str
    plate: tuple[str, ...]
    general_of: Mapping[str, str]
    noble: Noble
    lessons: tuple[Lesson, Lesson, Lesson, Lesson]
    method: Method
    transmissions: tuple[Transmission, Transmission, Transmission]
    void: tuple[str, str]
    spirits: Mapping[str, str]
    spirit_needs: Mapping[str, tuple[str, ...]]
    hidden: Mapping[str, str | None]
    growth: Mapping[str, str]
    persons: Mapping[str, Person]
    told: Mapping[str, str]
    day_facts: Mapping[str, Any]
    yesterday: Pillar
    strengths: Mapping[str, str] | None
    relatives: Mapping[str, str]
    steps: Mapping[str, Step] = field(repr=False)

    @property
    def offset(self) -> int:
        """Heaven branch index minus earth branch index, 0-11 (0 is 伏吟)."""
        return BRANCH_INDEX[self.plate[0]]

    def over(self, earth: str) -> str:
        """The heaven branch above earth branch *earth*."""
        return self.plate[BRANCH_INDEX[earth]]

    def under(self, heaven: str) -> str:
        """The earth branch beneath heaven branch *heaven*."""
        return BRANCHES[(BRANCH_INDEX[heaven] - self.offset) % 12]

    def riding(self, general: str) -> str:
        """The heaven branch that *general* rides."""
        for branch, name in self.general_of.items():
            if name == general:
                return branch
        raise KeyError(general)
