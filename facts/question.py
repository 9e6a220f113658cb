"""What a person asks: the inputs of a chart, before anything is computed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from types import MappingProxyType


@dataclass(frozen=True, slots=True)
class PersonInput:
    """A person as told: any subset may be given.

    Attributes:
        born: year of birth as a Gregorian year number (its 立春 year).
        sex: ``"男"`` or ``"女"``.
        natal: 本命, the branch (or ganzhi) of the birth year, told outright.
        annual: 行年, a branch or ganzhi, told outright; wins over *born*.
    """

    born: int | None = None
    sex: str | None = None
    natal: str | None = None
    annual: str | None = None


@dataclass(frozen=True, slots=True)
class Question:
    """The inputs of one chart, normalised to traditional characters.

    Either *moment* or *day* with *hour* and *month_general* must be present.
    Values told outright win over values computed from the moment; a
    contradiction between them is the caster's error to report.

    Attributes:
        moment: aware datetime asked about, or ``None`` for pillars alone.
        place: gazetteer name, if given.
        longitude, latitude: degrees, east and north positive.
        day: ganzhi such as ``甲子``.
        hour: branch, or ganzhi whose stem must agree with the day.
        month_general: 月將, a branch.
        year: ganzhi or branch.
        month: 月建, ganzhi or branch.
        term: name of the solar term (節氣) that begins on this day.
        lunar: ``(month, day, leap)`` of the lunar calendar.
        noble: ``"晝"`` or ``"夜"`` to force the nobleman.
        persons: role to :class:`PersonInput`; the asker is ``querent``.
        told: facts a person tells, from the closed list of the knowledge base.
    """

    moment: datetime | None = None
    place: str | None = None
    longitude: float | None = None
    latitude: float | None = None
    day: str | None = None
    hour: str | None = None
    month_general: str | None = None
    year: str | None = None
    month: str | None = None
    term: str | None = None
    lunar: tuple[int, int, bool] | None = None
    noble: str | None = None
    persons: Mapping[str, PersonInput] = field(default_factory=lambda: MappingProxyType({}))
    told: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))
