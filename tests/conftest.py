"""What many tests share: the packaged knowledge base, small ones of our own, charts."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from liuren.engine.casting import cast
from liuren.engine.data import load_data, load_knowledge, packaged
from liuren.engine.doctrine import load_doctrine
from liuren.engine.evaluate import Evaluation, Program
from liuren.engine.language.conditions import Condition
from liuren.engine.language.levels import levels
from liuren.engine.language.lexicon import build_lexicon
from liuren.engine.language.parser import parse_conditions
from liuren.engine.language.passages import Passage, parse_passage
from liuren.engine.language.references import check_references
from liuren.engine.language.scope import Lexicon, Scope
from liuren.engine.language.source import Problem, parse_yaml
from liuren.engine.library import Library
from liuren.facts.chart import Chart
from liuren.facts.question import Question

KB = Path(str(packaged()))

PASSAGE = """\
id: primer.mine
title: {zh: 試, ko: 시험, en: a trial}
locus: {edition: "000", lines: [1, 2]}
"""


@pytest.fixture(scope="session")
def library() -> Library:
    return Library.load()


@pytest.fixture(scope="session")
def lexicon() -> Lexicon:
    return build_lexicon(load_data)


@pytest.fixture(scope="session")
def closed_lists(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The closed lists of the packaged knowledge base, without texts and cases."""
    root = tmp_path_factory.mktemp("lists")
    for path in KB.glob("*.yaml"):
        shutil.copy(path, root)
    return root


@pytest.fixture
def make_kb(closed_lists: Path, tmp_path: Path) -> Callable[..., Path]:
    """make_kb(name="text of the file" or bytes): a knowledge base with those primer files."""

    def made(**files: str | bytes) -> Path:
        root = tmp_path / "kb"
        shutil.copytree(closed_lists, root)
        folder = root / "texts" / "primer"
        folder.mkdir(parents=True)
        for name, text in files.items():
            raw = text.encode() if isinstance(text, str) else text
            (folder / f"{name}.yaml").write_bytes(raw)
        return root

    return made


@pytest.fixture(scope="session")
def chart_of() -> Callable[..., Chart]:
    """chart_of(day, hour, general, **fields of the question), by the common doctrine."""
    data = load_knowledge()
    doctrine = load_doctrine("common", data)

    def made(day: str = "甲子", hour: str = "子", general: str = "丑", **fields: Any) -> Chart:
        question = Question(day=day, hour=hour, month_general=general, **fields)
        return cast(question, doctrine, data)

    return made


@pytest.fixture(scope="session")
def passage_of(lexicon: Lexicon) -> Callable[[str], Passage]:
    """passage_of("rules:\\n- {…}"): a passage of our own, free of problems."""

    def made(body: str) -> Passage:
        problems: list[Problem] = []
        scope = Scope(lexicon, "mine.yaml", "primer", "", "", problems.append)
        passage = parse_passage(parse_yaml(PASSAGE + body, "mine.yaml"), scope, {"000": None})
        assert passage is not None
        problems.extend(check_references({passage.id: passage}, {r.id: r for r in passage.rules}))
        assert not problems, problems
        return passage

    return made


@pytest.fixture(scope="session")
def program_of(passage_of: Callable[[str], Passage]) -> Callable[[str], Program]:
    """program_of("- {key: a, …}"): the rules as a program."""

    def made(rules: str) -> Program:
        passage = passage_of("rules:\n" + rules)
        by_id = {r.id: r for r in passage.rules}
        return Program.of("primer", passage.rules, levels(by_id))

    return made


@pytest.fixture(scope="session")
def condition_of(lexicon: Lexicon) -> Callable[[str], Condition]:
    """condition_of("initial: {void: true}"): a condition from YAML, free of problems."""

    def made(text: str) -> Condition:
        problems: list[Problem] = []
        scope = Scope(lexicon, "c.yaml", "primer", "primer.mine", "primer.mine/c", problems.append)
        condition = parse_conditions(parse_yaml(text, "c.yaml"), scope)
        assert not problems, problems
        return condition

    return made


@pytest.fixture(scope="session")
def evaluate(program_of: Callable[[str], Program]) -> Callable[..., Evaluation]:
    """evaluate(chart, "- {key: a, …}"): the rules on a chart; no rules by default."""

    def made(chart: Chart, rules: str = "- {key: none, quote: 試, when: always, then: {pattern: 無}}") -> Evaluation:
        return Evaluation(program_of(rules), chart)

    return made
