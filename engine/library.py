"""Everything that is loaded once and used for every question."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from liuren.facts.chart import Chart
from liuren.facts.errors import UserError
from liuren.facts.points import nearest
from liuren.facts.question import Question

from .casting import cast
from .data import KnowledgeData
from .data import load_knowledge as load_casting_data
from .doctrine import Doctrine, load_doctrine, option_values
from .evaluate import Program
from .inference import Reasoner
from .language.conclusions import Rule
from .language.loader import KnowledgeBase
from .language.loader import load_knowledge as load_rules
from .language.passages import conjuncts

Choices = tuple[tuple[str, str], ...]


@dataclass(slots=True, eq=False)
class Library:
    """A knowledge base with its compiled programs.

    Attributes:
        kb: the rules.
        data: what casting needs.
    """

    kb: KnowledgeBase
    data: KnowledgeData
    _programs: dict[tuple[str, Choices], Program] = field(default_factory=dict)
    _reasoners: dict[tuple[str, Choices], Reasoner] = field(default_factory=dict)

    @classmethod
    def load(cls, kb_dir: str | Path | None = None) -> Library:
        """Load the packaged knowledge base, or the one in *kb_dir*.

        Raises:
            UserError: the directory is none, or a closed list is broken.
        """
        return cls(load_rules(kb_dir), load_casting_data(kb_dir))

    def texts(self) -> tuple[str, ...]:
        """Ids of the texts that have rules, in the order of texts.yaml."""
        having = {r.text for r in self.kb.rules.values()}
        return tuple(t for t in self.kb.texts if t in having)

    def program(self, text: str, variants: Mapping[str, str] | None = None) -> Program:
        """The awake rules of *text*.

        Args:
            text: id of the text.
            variants: ``passage:crux`` to an option (or ``all``); the defaults
                of the passages otherwise.

        Raises:
            UserError: an unknown passage, crux or option.
        """
        chosen = self._choices(text, variants or {})
        if (text, chosen) not in self._programs:
            awake = dict(chosen)
            rules = [
                r
                for r in self.kb.rules.values()
                if r.text == text and self.awake(r, awake)
            ]
            self._programs[text, chosen] = Program.of(text, rules, self.kb.levels)
        return self._programs[text, chosen]

    def reasoner(self, text: str, variants: Mapping[str, str] | None = None) -> Reasoner:
        """The experta engine of *text*, built on first use."""
        at = (text, self._choices(text, variants or {}))
        if at not in self._reasoners:
            self._reasoners[at] = Reasoner(self.program(text, variants))
        return self._reasoners[at]

    def doctrine(self, name: str, sets: Mapping[str, str] | None = None) -> Doctrine:
        """A doctrine by name, with options set apart from it."""
        doctrine = load_doctrine(name, self.data)
        return doctrine.with_set(sets) if sets else doctrine

    def chart(self, question: Question, doctrine: Doctrine) -> Chart:
        """Cast *question*: the calendar first when it gives a moment.

        Raises:
            UserError: the question is wrong, or the knowledge base is older than
                an option that casting asks for.
        """
        try:
            if question.moment is None:
                return cast(question, doctrine, self.data)
            from .calendar import resolve_moment

            filled, steps = resolve_moment(question, doctrine.options)
            return cast(filled, doctrine, self.data, given_steps=steps)
        except KeyError as error:
            missing = error.args[0]
            if missing in doctrine.options or missing not in option_values(load_casting_data()):
                raise
            raise UserError(
                f"doctrines.yaml of this knowledge base has no option «{missing}», which casting "
                "asks for; copy the option from a current knowledge base."
            ) from None

    def charts(
        self, question: Question, doctrine: str | None = None, sets: Mapping[str, str] | None = None
    ) -> tuple[dict[str, Chart], dict[str, str]]:
        """One chart for each distinct doctrine of the texts.

        Returns:
            charts by id, and text to the id of its chart.
        """
        charts: dict[str, Chart] = {}
        of_text: dict[str, str] = {}
        by_options: dict[tuple[tuple[str, str], ...], str] = {}
        for text in self.texts():
            school = self.doctrine(doctrine or self.kb.texts[text].doctrine, sets)
            options = tuple(school.options.items())
            if options not in by_options:
                chart = self.chart(question, school)
                by_options[options] = chart.id
                charts[chart.id] = chart
            of_text[text] = by_options[options]
        return charts, of_text

    def _choices(self, text: str, variants: Mapping[str, str]) -> Choices:
        """The variants that concern *text*, checked, in a fixed order."""
        found = []
        for at, option in sorted(variants.items()):
            passage_id, _, crux_id = at.rpartition(":")
            passage = self.kb.passages.get(passage_id)
            if passage is None:
                near = nearest(passage_id or at, self.kb.passages)
                raise UserError(f"«{at}» names no reading; write PASSAGE:CRUX=OPTION" + (f", perhaps {near}:…" if near else "") + ".")
            cruces = {c.id: c for c in passage.cruces}
            if crux_id not in cruces:
                known = ", ".join(cruces) or "none"
                raise UserError(f"«{crux_id}» is no reading of {passage_id}; known: {known}.")
            options = [o[0] for o in cruces[crux_id].options]
            if option != "all" and option not in options:
                raise UserError(f"«{option}» is no option of {at}; known: {', '.join(options)} or all.")
            if passage.text == text:
                found.append((at, option))
        return tuple(found)

    def awake(self, rule: Rule, chosen: Mapping[str, str]) -> bool:
        """Whether *rule* is awake when the readings *chosen* are switched on.

        Args:
            rule: a rule; it is awake if one of its readings is on, or it has none.
            chosen: ``passage:crux`` to an option or ``all``.
        """
        if not rule.readings:
            return True
        cruces = {c.id: c for c in self.kb.passages[rule.passage].cruces}

        def on(crux: str, option: str) -> bool:
            choice = chosen.get(f"{rule.passage}:{crux}")
            return option in cruces[crux].default if choice is None else choice in ("all", option)

        return any(all(on(c, o) for c, o in conjuncts(r)) for r in rule.readings)
