"""A reading: what the texts say of a question, with the standing of each thing said."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from liuren.facts.chart import Chart
from liuren.facts.points import Unknown

from .evaluate import Evaluation, Score
from .inference import Run
from .language.conclusions import (
    Instance,
    Judged,
    Measure,
    Modifier,
    Pattern,
    Role,
    Rule,
    Verdict,
)
from .library import Library
from .questions import Request
from .standing import Standing, Standings, Subject, kind_of, within

if TYPE_CHECKING:
    from .calendar.dates import Span


@dataclass(frozen=True, slots=True)
class Said:
    """One thing a text says: the conclusion with its rule, text and chart."""

    conclusion: Pattern | Verdict | Measure | Modifier | Role
    instance: Instance
    rule: Rule
    chart: str


@dataclass(frozen=True, slots=True)
class Undecided:
    """A rule that waits for inputs."""

    rule: Rule
    needs: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class TextReading:
    """What one text says on its chart."""

    text: str
    chart: Chart
    run: Run
    evaluation: Evaluation
    said: tuple[Said, ...]
    undecided: tuple[Undecided, ...]
    standings: Standings

    def of_kind(self, kind: type) -> Iterator[Said]:
        """What was said of one kind, in the order of the text."""
        return (s for s in self.said if isinstance(s.conclusion, kind))

    def value(self, measure: Measure) -> dict[str, Any]:
        """The fields of a measure: a sign or number, ``None`` for none, or
        :class:`Unknown`."""
        return {name: self.evaluation.value(v) for name, v in measure.fields}


@dataclass(frozen=True, slots=True)
class Reading:
    """The whole answer to a request.

    Attributes:
        request: what was asked.
        charts: chart id to chart, one for each distinct doctrine.
        texts: text id to what it says.
        library: where the rules come from.
    """

    request: Request
    charts: Mapping[str, Chart]
    texts: Mapping[str, TextReading]
    library: Library

    def standing(self, said: Said) -> Standing:
        """The standing of a verdict, measure or modifier for the topic asked."""
        assert isinstance(said.conclusion, Judged)
        return self.texts[said.rule.text].standings.standing(
            said.conclusion.id, self.request.topic, kind_of(said.conclusion)
        )

    def dates(self, said: Said) -> tuple[Span, ...]:
        """A measure as dates, when the moment asked about is known; else none."""
        assert isinstance(said.conclusion, Measure)
        moment = self.request.question.moment
        if moment is None:
            return ()
        from .calendar.dates import spans

        return tuple(spans(moment, self.texts[said.rule.text].value(said.conclusion)))

    def speaks(self, topics: tuple[str, ...]) -> bool:
        """Whether a conclusion with *topics* speaks to the topic asked."""
        topic = self.request.topic
        return topic is None or within(topic, topics, self.library.kb.lexicon.topics)

    def said(self, kind: type) -> Iterator[Said]:
        """Everything said of one kind that speaks to the topic, text by text."""
        for text in self.texts.values():
            for said in text.of_kind(kind):
                topics = getattr(said.conclusion, "topics", ())
                if isinstance(said.conclusion, Pattern | Modifier) or self.speaks(topics):
                    yield said

    def narrower(self) -> dict[str, int]:
        """Topics below the one asked that have verdicts of their own, with how many.

        A verdict on rain does not speak to a question about the weather at large;
        the question can be narrowed to it.
        """
        topic = self.request.topic
        parents = self.library.kb.lexicon.topics
        if topic is None:
            return {}
        found: dict[str, int] = {}
        for text in self.texts.values():
            for said in text.of_kind(Verdict):
                assert isinstance(said.conclusion, Verdict)
                for below in said.conclusion.topics:
                    if below != topic and within(below, (topic,), parents) and not self.speaks((below,)):
                        found[below] = found.get(below, 0) + 1
        return {t: found[t] for t in parents if t in found}

    def undecided(self) -> Iterator[Undecided]:
        """Rules that wait for inputs and would speak to the topic."""
        for text in self.texts.values():
            for item in text.undecided:
                if any(self._may_speak(c) for i in item.rule.instances for c in i.conclusions):
                    yield item

    def _may_speak(self, conclusion: object) -> bool:
        topics = getattr(conclusion, "topics", None)
        if isinstance(conclusion, Modifier) or topics is None:
            return True
        return self.speaks(topics)

    def tallies(self) -> Iterator[tuple[str, str, Mapping[str, Score]]]:
        """Text, tally, and side to score, for tallies in which something votes."""
        for text in self.texts.values():
            for tally, sides in text.run.tallies.items():
                if any(s.possible for s in sides.values()):
                    yield text.text, tally, sides


def read(request: Request, library: Library) -> Reading:
    """Cast the question and let every text speak.

    Every run is compared with the evaluator.

    Raises:
        UserError: the question, a doctrine, an option or a reading is wrong.
        Disagreement: experta and the evaluator differ (a fault of ours).
    """
    charts, of_text = library.charts(request.question, request.doctrine, request.sets)
    texts = {
        text: _read_text(text, charts[chart], request, library) for text, chart in of_text.items()
    }
    return Reading(request, charts, texts, library)


def _read_text(text: str, chart: Chart, request: Request, library: Library) -> TextReading:
    reasoner = library.reasoner(text, request.variants)
    program = library.program(text, request.variants)
    evaluation = Evaluation(program, chart)
    run = reasoner.run(chart, evaluation)
    fired = run.fired
    order = {id: n for n, id in enumerate(library.kb.rules)}
    instances = sorted(
        (i for i in program.instances if i.id in fired), key=lambda i: order[i.rule]
    )
    said = tuple(
        Said(c, i, program.rules[i.rule], chart.id)
        for i in instances
        for c in i.conclusions
        if isinstance(c, Pattern | Judged)
    )
    waiting = _waiting(evaluation)
    return TextReading(
        text=text,
        chart=chart,
        run=run,
        evaluation=evaluation,
        said=said,
        undecided=_undecided(evaluation, waiting, order),
        standings=Standings(
            program.rules,
            [
                Subject(s.conclusion, s.instance)
                for s in said
                if isinstance(s.conclusion, Judged)
            ],
            [
                Subject(c, i, False, evaluation.needs(i.when))
                for i in waiting
                for c in i.conclusions
                if isinstance(c, Modifier)
            ],
            library.kb.lexicon.topics,
        ),
    )


def _waiting(evaluation: Evaluation) -> list[Instance]:
    return [i for i in evaluation.program.instances if evaluation.instance(i) is None]


def _undecided(
    evaluation: Evaluation, waiting: list[Instance], order: Mapping[str, int]
) -> tuple[Undecided, ...]:
    needs: dict[str, set[str]] = {}
    for instance in waiting:
        needs.setdefault(instance.rule, set()).update(evaluation.needs(instance.when))
    return tuple(
        Undecided(evaluation.program.rules[id], tuple(sorted(needs[id])))
        for id in sorted(needs, key=lambda id: order[id])
    )


def is_unknown(value: object) -> bool:
    """Whether a measure's value waits for an input."""
    return isinstance(value, Unknown)
