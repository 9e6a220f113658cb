"""The parts of a worked case and of its result; :mod:`.cases` explains what a case is."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from .doctrine import Doctrine
from .language.conditions import Condition
from .questions import Request

Words = Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Statement:
    """One thing the text says of the chart.

    Attributes:
        quote: the text's words, or "".
        expect: what the text says, as a condition.
        agrees: whether our chart is known to agree.
        ours: what holds on our chart instead, where it does not agree.
        reason: why text and chart part, by language; empty where they agree.
        note: a remark by language.
        line: line of the file, 0 if unknown.
        steps: what the text says of the way there: id of a casting step to its
            value, or to that part of it which the text tells.
    """

    quote: str
    expect: Condition
    agrees: bool
    ours: Condition | None
    reason: Words
    note: Words
    line: int
    steps: Mapping[str, Any] = field(default_factory=dict)  # plain, to be sent between processes


@dataclass(frozen=True, slots=True)
class Case:
    """A worked case: what is given, what is stated, and where it is printed.

    Attributes:
        id: ascii id, unique in its corpus.
        text: the text it belongs to, or "" for a case of another book.
        passage: passage id, or "".
        edition, lines: where it is printed, "" and () if not said.
        quote: words of the edition that open it, or "".
        topic: what was asked, a name of topics.yaml, or "".
        doctrine: the school to cast by, with the options the case sets.
        given: what is given, as in the file.
        requests: what is cast: one for a whole chart, many for a fragment.
        assume: what must hold of a chart of a fragment to belong to the case,
            or ``None``.
        statements: what is stated, in order.
        outcome: what came of it, by language; empty if not told.
        note: a remark by language.
        file, line: where the case is written.
        book: the book that prints it, "" for the texts' own cases.
        title: what the book calls it, or "".
        date: the day as someone reckoned it, in the Gregorian calendar carried
            back, or ""; nothing is computed from it.
    """

    id: str
    text: str
    passage: str
    edition: str
    lines: tuple[int, ...]
    quote: str
    topic: str
    doctrine: Doctrine
    given: Mapping[str, Any]
    requests: tuple[Request, ...]
    assume: Condition | None
    statements: tuple[Statement, ...]
    outcome: Words
    note: Words
    file: str
    line: int
    book: str = ""
    title: str = ""
    date: str = ""


@dataclass(frozen=True, slots=True)
class StatementResult:
    """One statement held against the charts of its case.

    Attributes:
        statement: what was stated.
        passed: whether it came out as recorded.
        text_value: what the text says, in one line.
        computed_value: what our chart has there, in one line; of a fragment, the
            first chart that failed, or the first of all.
        reason: why text and chart part, by language; empty where they agree.
        problem: why it did not pass, "" if it did.
    """

    statement: Statement
    passed: bool
    text_value: str
    computed_value: str
    reason: Words
    problem: str


@dataclass(frozen=True, slots=True)
class CaseResult:
    """A case held against our charts.

    Attributes:
        id: the case.
        passed: whether every statement came out as recorded.
        charts: how many charts it was held against; 1 for a whole chart.
        statements: the results, in the order of the case.
        problem: why the case as a whole failed, "" otherwise.
    """

    id: str
    passed: bool
    charts: int
    statements: tuple[StatementResult, ...]
    problem: str = ""
