"""How a conclusion stands once the modifiers of its text have acted.

Standing is worked out beside the conclusion and never changes it: a cancelled
verdict stays visible, with what cancelled it.  A modifier acts only if it
stands itself.  A modifier with a topic acts only when that topic, or one below
it, is asked.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fnmatch import fnmatchcase

from .language.conclusions import Instance, Judged, Modifier, Role, Rule, Verdict
from .language.conditions import PatternIs, nodes

STATES = (
    "cancelled", "replaced", "outranked", "reversed", "disputed",
    "strengthened", "weakened", "open", "stands",
)  # fmt: skip
"""The states, the one that decides first."""

_STATE_OF = {
    "cancels": "cancelled",
    "replaces": "replaced",
    "outranks": "outranked",
    "reverses": "reversed",
    "strengthens": "strengthened",
    "weakens": "weakened",
}
_SILENT = ("cancelled", "replaced", "outranked", "reversed")
"""States in which a modifier no longer acts."""


@dataclass(frozen=True, slots=True)
class Subject:
    """Something a modifier can act on, or a modifier, with where it comes from.

    ``decided`` is false for a modifier whose rule is unknown; ``needs`` then
    names the inputs that would decide it.
    """

    conclusion: Judged
    instance: Instance
    decided: bool = True
    needs: tuple[str, ...] = ()

    @property
    def id(self) -> str:
        """Id of the conclusion."""
        return self.conclusion.id

    @property
    def kind(self) -> str:
        """``verdict``, ``measure``, ``modifier`` or ``role``: one rule can have one of
        each, and they then share an id."""
        return kind_of(self.conclusion)

    @property
    def points(self) -> tuple[str, ...]:
        """The points it is about: its own ``of``, else the rule's variables."""
        if isinstance(self.conclusion, Role):
            return (self.conclusion.point.text,)
        return (self.conclusion.of,) if self.conclusion.of else self.instance.of


@dataclass(frozen=True, slots=True)
class Standing:
    """How a conclusion stands for a topic (``None``: no topic asked).

    ``by`` are the modifiers that act, as (id, kind); ``unless`` those that
    would act if the named inputs said so.  The state is ``open`` when one of
    these could undo the conclusion; one that could only strengthen or weaken it
    leaves it standing and is still named.
    """

    state: str
    by: tuple[tuple[str, str], ...] = ()
    unless: tuple[tuple[str, str, tuple[str, ...]], ...] = ()


def kind_of(conclusion: Judged) -> str:
    """``verdict``, ``measure``, ``modifier`` or ``role``."""
    return type(conclusion).__name__.lower()


def within(topic: str, scopes: Iterable[str], parents: Mapping[str, str | None]) -> bool:
    """Whether *topic* is one of *scopes* or below one of them in the tree."""
    allowed = set(scopes)
    at: str | None = topic
    while at is not None:
        if at in allowed:
            return True
        at = parents.get(at)
    return False


class Standings:
    """The standings of one text's conclusions on one chart.

    Args:
        rules: the rules of the text, for the patterns they test.
        subjects: verdicts, measures, modifiers and roles whose rules hold.
        undecided: modifiers whose rules are unknown.
        parents: topic to its parent.
    """

    def __init__(
        self,
        rules: Mapping[str, Rule],
        subjects: Iterable[Subject],
        undecided: Iterable[Subject],
        parents: Mapping[str, str | None],
    ) -> None:
        """Sort out the modifiers; standings are computed when asked for."""
        self.subjects = {(s.kind, s.id): s for s in subjects}
        self.parents = parents
        modifiers = [s for s in self.subjects.values() if isinstance(s.conclusion, Modifier)]
        self._modifiers = [*modifiers, *undecided]
        self._tests = {id: _patterns(rule) for id, rule in rules.items()}
        self._memo: dict[tuple[str, str, str | None], Standing] = {}
        self._settled: dict[str | None, tuple[frozenset[str], frozenset[str]]] = {}

    def standing(self, id: str, topic: str | None = None, kind: str | None = None) -> Standing:
        """How the conclusion *id* stands when *topic* is asked.

        *kind* tells a verdict, measure, modifier and role of one rule apart; without it
        the first of them that there is, in this order.
        """
        subject = self._subject(id, kind)
        at = (subject.kind, id, topic)
        if at not in self._memo:
            self._memo[at] = self._weigh(subject, topic)
        return self._memo[at]

    def _subject(self, id: str, kind: str | None) -> Subject:
        kinds = (kind,) if kind else ("verdict", "measure", "modifier", "role")
        return next(self.subjects[k, id] for k in kinds if (k, id) in self.subjects)

    def topics_that_matter(self, id: str, kind: str | None = None) -> tuple[str, ...]:
        """Topics under which the conclusion stands otherwise than in general."""
        subject = self._subject(id, kind)
        topics = dict.fromkeys(
            t
            for m in self._modifiers
            if self._aims_at(m, subject)
            for t in _modifier(m).topics
        )
        general = self.standing(id, None, subject.kind)
        return tuple(t for t in topics if self.standing(id, t, subject.kind) != general)

    def _weigh(self, subject: Subject, topic: str | None) -> Standing:
        acting: list[tuple[str, str]] = []
        unless: list[tuple[str, str, tuple[str, ...]]] = []
        for modifier in self._modifiers:
            body = _modifier(modifier)
            if not self._aims_at(modifier, subject) or not self._in_scope(body, topic):
                continue
            if not modifier.decided:
                unless.append((modifier.id, body.kind, modifier.needs))
            elif modifier.id not in self._settle(topic)[0]:
                acting.append((modifier.id, body.kind))
        open_ = any(_STATE_OF[kind] in _SILENT for _, kind, _ in unless)
        state = _state({k for _, k in acting}, open_)
        if subject.kind == "modifier" and state in _SILENT and subject.id in self._settle(topic)[1]:
            state = "disputed"
        return Standing(state, tuple(acting), tuple(unless))

    def _settle(self, topic: str | None) -> tuple[frozenset[str], frozenset[str]]:
        """Modifiers that are silenced, and those that silence each other in a circle.

        A modifier acts when all that would silence it are silent, and is silent when one
        that would silence it acts.  What this leaves undecided stands in a circle: each of
        these acts, and is itself disputed.  (The grounded extension of Dung 1995.)
        """
        if topic not in self._settled:
            decided = [m for m in self._modifiers if m.decided]
            against = {
                m.id: [
                    a.id
                    for a in decided
                    if _STATE_OF[_modifier(a).kind] in _SILENT
                    and self._aims_at(a, m)
                    and self._in_scope(_modifier(a), topic)
                ]
                for m in decided
            }
            acts: set[str] = set()
            silent: set[str] = set()
            size = -1
            while size != len(acts) + len(silent):
                size = len(acts) + len(silent)
                acts |= {m for m, by in against.items() if m not in silent and silent.issuperset(by)}
                silent |= {m for m, by in against.items() if acts.intersection(by)}
            self._settled[topic] = frozenset(silent), frozenset(against) - acts - silent
        return self._settled[topic]

    def _in_scope(self, body: Modifier, topic: str | None) -> bool:
        if not body.topics:
            return True
        return topic is not None and within(topic, body.topics, self.parents)

    def _aims_at(self, modifier: Subject, subject: Subject) -> bool:
        body, aim = _modifier(modifier), subject.conclusion
        if modifier.instance.rule == subject.instance.rule:
            return False
        if body.polarity is not None and not (
            isinstance(aim, Verdict) and aim.polarity == body.polarity
        ):
            return False
        if body.of is not None and body.of not in subject.points:
            return False
        rule = subject.instance.rule
        return any(self._matches(target, rule) for target in body.targets)

    def _matches(self, target: str, rule: str) -> bool:
        if target.startswith("pattern:"):
            return target[8:] in self._tests.get(rule, ())
        return fnmatchcase(rule, target)


def _modifier(subject: Subject) -> Modifier:
    assert isinstance(subject.conclusion, Modifier)
    return subject.conclusion


def _patterns(rule: Rule) -> frozenset[str]:
    return frozenset(
        node.name for i in rule.instances for node in nodes(i.when) if isinstance(node, PatternIs)
    )


def _state(kinds: set[str], open_: bool) -> str:
    states = {_STATE_OF[k] for k in kinds}
    if {"strengthened", "weakened"} <= states:
        states.add("disputed")
    for state in STATES:
        if state in states:
            return state
    return "open" if open_ else "stands"
