"""A passage file to spoil: a good rule, and a second one that the test writes."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from liuren.engine.language.loader import KnowledgeBase, load_knowledge

HEAD = """\
text: primer
passages:
- id: primer.mine
  title: {zh: 試, ko: 시험, en: a trial}
  locus: {edition: "000", lines: [1, 2]}
  rules:
"""
FIRST = """\
  - key: first
    quote: 初傳為官鬼
    when: [initial: {relative: 官鬼}]
    then:
    - pattern: 甲局
    - verdict: {topic: general, polarity: bad, en: trouble, ko: 어려움}
"""
GOOD = HEAD + FIRST


@pytest.fixture
def load(make_kb: Callable[..., Path]) -> Callable[..., KnowledgeBase]:
    """load(mine="file", …): the knowledge base of these files."""

    def loaded(**files: str | bytes) -> KnowledgeBase:
        return load_knowledge(make_kb(**files))

    return loaded


@pytest.fixture
def good() -> str:
    return GOOD


@pytest.fixture
def problems_of(load: Callable[..., KnowledgeBase]) -> Callable[[str], list[tuple[int, str, str]]]:
    """problems_of(text after the first rule, from line 13): (line, id, message) of each problem."""

    def found(body: str) -> list[tuple[int, str, str]]:
        problems = load(mine=GOOD + body).problems
        assert {p.file for p in problems} <= {"texts/primer/mine.yaml"}
        return [(p.line, p.id, p.message) for p in problems]

    return found
