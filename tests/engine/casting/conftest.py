"""Helpers for the tests of casting."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from liuren.engine.casting import cast
from liuren.engine.data import KnowledgeData, load_knowledge
from liuren.engine.doctrine import load_doctrine
from liuren.facts.chart import Chart
from liuren.facts.ganzhi import BRANCHES
from liuren.facts.question import Question

Caster = Callable[..., Chart]


@pytest.fixture(scope="session")
def data() -> KnowledgeData:
    return load_knowledge()


@pytest.fixture(scope="session")
def make(data: KnowledgeData) -> Caster:
    """make(day, hour, general, school="common", options={}, **question fields)."""

    def made(
        day: str,
        hour: str,
        general: str,
        school: str = "common",
        options: dict[str, str] | None = None,
        **fields: Any,
    ) -> Chart:
        question = Question(day=day, hour=hour, month_general=general, **fields)
        return cast(question, load_doctrine(school, data).with_set(options or {}), data)

    return made


@pytest.fixture(scope="session")
def on_plate(make: Caster) -> Caster:
    """on_plate(day, offset, school, options): the chart of a day on a plate."""

    def made(day: str, offset: int, school: str = "common", **options: str) -> Chart:
        return make(day, "子", BRANCHES[offset], school, options)

    return made
