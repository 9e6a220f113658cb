"""Holding worked cases against our charts; :mod:`.cases` explains what a case is."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from liuren.facts.chart import Chart
from liuren.facts.errors import UserError
from liuren.facts.points import nearest

from .cases_spell import found, said
from .cases_types import Case, CaseResult, Statement, StatementResult
from .doctrine import Doctrine
from .evaluate import Evaluation, Program
from .language.conditions import Condition, Fires, nodes
from .language.source import Problem
from .library import Library


def run_case(case: Case, library: Library) -> CaseResult:
    """Hold *case* against the charts it gives.

    Raises:
        UserError: what is given makes no chart; the message names file, line and id.
    """
    board = _board(case, library, case.doctrine)
    if not board:
        return CaseResult(case.id, False, 0, (), "no chart fits what the case assumes")
    results = tuple(_hold(statement, board) for statement in case.statements)
    return CaseResult(case.id, all(r.passed for r in results), len(board), results)


def truths(case: Case, library: Library, doctrine: Doctrine) -> tuple[bool, ...]:
    """Whether what the text says holds under *doctrine*, for each statement in order.

    How a statement is recorded (``agrees``) does not matter; what cannot be decided
    does not hold, nor does anything where no chart fits.

    Raises:
        UserError: what is given makes no chart; the message names file, line and id.
    """
    board = _board(case, library, doctrine)
    return tuple(bool(board) and all(_truth(s, b) for b in board) for s in case.statements)


def _board(case: Case, library: Library, doctrine: Doctrine) -> list[_Bench]:
    try:
        charts = [(library.chart(r.question, doctrine), r.variants) for r in case.requests]
    except UserError as error:
        where = Problem(case.file, case.line, case.id, str(error).removesuffix("."))
        raise UserError(f"{where}.") from None
    board = [_Bench(library, chart, variants, case.text) for chart, variants in charts]
    return board if case.assume is None else [b for b in board if b.truth(case.assume)]


def run_all(
    cases: Iterable[Case],
    library: Library,
    progress: Callable[[int, int, CaseResult], None] | None = None,
) -> tuple[CaseResult, ...]:
    """Run *cases* in order.

    Args:
        cases: from :func:`load_cases`.
        library: the knowledge base.
        progress: called after each case with the number done, the number in all
            and the result.

    Raises:
        UserError: what a case gives makes no chart.
    """
    items = tuple(cases)
    results = []
    for number, case in enumerate(items, 1):
        results.append(run_case(case, library))
        if progress is not None:
            progress(number, len(items), results[-1])
    return tuple(results)


class _Bench:
    """One chart with the evaluations of the texts that are asked about it."""

    def __init__(
        self, library: Library, chart: Chart, variants: Mapping[str, str], text: str
    ) -> None:
        self._library, self._chart, self._variants, self._text = library, chart, variants, text
        self._evaluations: dict[str, Evaluation] = {}

    def evaluation(self, condition: Condition) -> Evaluation:
        """The evaluation by the text whose rules *condition* names, else the case's."""
        named = [n.rule.partition(".")[0] for n in nodes(condition) if isinstance(n, Fires)]
        text = named[0] if named else self._text
        if text not in self._evaluations:
            known = text in self._library.kb.texts
            program = (
                self._library.program(text, self._variants) if known else Program.of(text, (), {})
            )
            self._evaluations[text] = Evaluation(program, self._chart)
        return self._evaluations[text]

    def truth(self, condition: Condition) -> bool | None:
        """The truth of *condition* on this chart."""
        return self.evaluation(condition).truth(condition)

    def steps(self, wanted: Mapping[str, Any]) -> dict[str, Any]:
        """What the chart has at the steps *wanted*; a step that was not taken is ``None``."""
        taken = self._chart.steps
        return {id: taken[id].value if id in taken else None for id in wanted}

    def lacks(self, rule: str) -> str:
        """A sentence if there is no such rule to ask, or if it sleeps; else ""."""
        rules = self._library.kb.rules
        if rule not in rules:
            near = nearest(rule, rules)
            return f"there is no rule «{rule}»" + (f"; did you mean {near}?" if near else "")
        if rule not in self.evaluation(Fires(rule)).program.rules:
            return f"the rule «{rule}» belongs to a reading that is not chosen"
        return ""


def _hold(statement: Statement, board: list[_Bench]) -> StatementResult:
    shown, problem = board[0], ""
    for bench in board:
        problem = _problem(statement, bench)
        if problem:
            shown = bench
            break
    looked = statement.expect if statement.agrees or statement.ours is None else statement.ours
    return StatementResult(
        statement=statement,
        passed=not problem,
        text_value=_both(said(statement.expect), _spell(statement.steps)),
        computed_value=_both(
            found(looked, shown.evaluation(looked)), _spell(shown.steps(statement.steps))
        ),
        reason=statement.reason,
        problem=problem,
    )


def _truth(statement: Statement, bench: _Bench) -> bool | None:
    """Whether what the text says, of the chart and of the way there, holds."""
    truth = bench.truth(statement.expect)
    if truth and statement.steps:
        return _holds(statement.steps, bench.steps(statement.steps))
    return truth


def _holds(wanted: Any, found: Any) -> bool:
    """Whether *found* is *wanted*, or a mapping that has at least what it says."""
    if isinstance(wanted, Mapping) and isinstance(found, Mapping):
        return all(k in found and _holds(v, found[k]) for k, v in wanted.items())
    return bool(wanted == found)


def _spell(steps: Mapping[str, Any]) -> str:
    return "; ".join(f"{id}: {_plain(value)}" for id, value in steps.items())


def _plain(value: Any) -> str:
    if isinstance(value, Mapping):
        return ", ".join(f"{k} {_plain(v)}" for k, v in value.items())
    return " ".join(map(_plain, value)) if isinstance(value, list) else str(value)


def _both(*parts: str) -> str:
    return "; ".join(p for p in parts if p)


def _problem(statement: Statement, bench: _Bench) -> str:
    """Why *statement* is not as recorded on one chart, or ""."""
    for node in nodes(statement.expect):
        if isinstance(node, Fires) and bench.lacks(node.rule):
            return bench.lacks(node.rule)
    truth = _truth(statement, bench)
    missing = bench.evaluation(statement.expect).needs(statement.expect) if truth is None else ()
    if truth is None:
        return f"cannot be decided; it needs {', '.join(missing) or 'more inputs'}"
    if statement.agrees:
        return "" if truth else "the chart does not have what the text says"
    if truth:
        return "recorded as a disagreement, but the chart has what the text says"
    if statement.ours is not None and bench.truth(statement.ours) is not True:
        return "the chart does not have what the case records as ours"
    return ""
