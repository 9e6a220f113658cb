"""What a reading says as HTML: verdicts by topic, and the lists around them."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence
from html import escape

from liuren.engine.explain import said_node, standing_node
from liuren.engine.language.conclusions import Measure, Pattern, Role, Verdict
from liuren.engine.reading import Reading, Said
from liuren.engine.standing import Standing
from liuren.facts.points import parse_point

from .markup import Say, chinese
from .phrases import Phrases
from .report import how_to_tell, measure_words, source

Ask = Callable[[Sequence[str], str, str], str]
"""(nodes, what is shown, CSS classes) as HTML: something that explains itself when clicked."""


class Sayings:
    """The sections of a reading."""

    def __init__(self, reading: Reading, say: Say, ask: Ask) -> None:
        """*ask* makes the parts that can be asked about."""
        self.reading, self.say, self.ask = reading, say, ask

    # --- verdicts -------------------------------------------------------------------

    def verdicts(self) -> str:
        """The verdicts, a list for each topic in the order of the topics."""
        by_topic: dict[str, list[Said]] = {}
        for said in self.reading.said(Verdict):
            assert isinstance(said.conclusion, Verdict)
            by_topic.setdefault(said.conclusion.topics[0], []).append(said)
        return "".join(
            f'<section class="topic" data-topic="{topic}"><h3>{self.say(lambda w, t=topic: w.topic(t))}</h3>'  # type: ignore[misc]
            f'<ul>{"".join(map(self._verdict, by_topic[topic]))}</ul></section>'
            for topic in self.reading.library.kb.lexicon.topics
            if topic in by_topic
        )

    def topics(self) -> list[str]:
        """The topics that a verdict names, or under which one stands otherwise."""
        named: set[str] = set()
        for said in self.reading.said(Verdict):
            assert isinstance(said.conclusion, Verdict)
            named.update(said.conclusion.topics, self._elsewhere(said))
        return [t for t in self.reading.library.kb.lexicon.topics if t in named]

    def polarities(self) -> list[str]:
        """The polarities that occur."""
        found = {s.conclusion.polarity for s in self.reading.said(Verdict) if isinstance(s.conclusion, Verdict)}
        return [p for p in ("good", "bad", "mixed", "conditional", "neutral") if p in found]

    def _verdict(self, said: Said) -> str:
        body, standing = said.conclusion, self.reading.standing(said)
        assert isinstance(body, Verdict)
        quote = f"「{said.rule.quote}」"
        of = self._at([body.of] if body.of else [])
        head = (
            self.say.ui(body.polarity, f"badge {body.polarity}")
            + self.say.ui(standing.state, f"badge state {standing.state}")
            + self.say(lambda w: w.pick({"zh": quote, "en": body.en, "ko": body.ko}), "words")
            + of
        )
        states = {
            topic: [self.say.place(lambda w, s=other: w.ui(s.state)), self.say.place(lambda w, s=other: _by(s, w.ui))]  # type: ignore[misc]
            for topic, other in self._elsewhere(said).items()
        }
        usual = [self.say.place(lambda w: w.ui(standing.state)), self.say.place(lambda w: "")]
        data = f' data-polarity="{body.polarity}" data-topics="{escape(" ".join(body.topics))}"'
        if states:
            data += f" data-states='{escape(json.dumps({'': usual, **states}))}'"
        return (
            f'<li class="said"{data}>{self.ask([standing_node(said)], head, "head")}{self._source(said, body.id)}'
            f'{self._modifiers(standing)}<p class="by elsewhere"></p></li>'
        )

    def _at(self, points: Sequence[str]) -> str:
        """Where it was found, in words."""
        if not points:
            return ""
        names = self.reading.library.kb.lexicon.points
        return " " + self.say(lambda w: f"({', '.join(Phrases(w).point(parse_point(p, names)) for p in points)})", "of")

    def _elsewhere(self, said: Said) -> dict[str, Standing]:
        """Topics under which the verdict stands otherwise than it is shown."""
        if self.reading.request.topic is not None:
            return {}
        standings = self.reading.texts[said.rule.text].standings
        body = said.conclusion
        assert isinstance(body, Verdict)
        if not standings.topics_that_matter(body.id):
            return {}
        usual = standings.standing(body.id)
        found = {t: standings.standing(body.id, t) for t in self.reading.library.kb.lexicon.topics}
        return {t: s for t, s in found.items() if s != usual}

    def _source(self, said: Said, id: str) -> str:
        return f'<p class="source">{self.say(lambda w: source(said, w))} <code>{escape(id)}</code></p>'

    def _modifiers(self, standing: Standing) -> str:
        lines = [
            f'<p class="by">← {self.say.ui(kind)}: {self.ask([f"modifier:{id}"], f"<code>{escape(id)}</code>", "inline")}</p>'
            for id, kind in standing.by
        ]
        lines += [
            f'<p class="by">← {self.say.ui("unless")} {self.say.ui(kind)}: <code>{escape(id)}</code> '
            f'({self.say.ui("needs")}: {escape(", ".join(needs))})</p>'
            for id, kind, needs in standing.unless
        ]
        return "".join(lines)

    # --- the lists around -----------------------------------------------------------

    def patterns(self) -> str:
        """A line for each pattern a rule concluded, with the points it was found at."""
        found: dict[tuple[str, str], list[Said]] = {}
        for said in self.reading.said(Pattern):
            assert isinstance(said.conclusion, Pattern)
            found.setdefault((said.conclusion.name, said.rule.id), []).append(said)
        return _list(self._pattern(name, group) for (name, _), group in found.items())

    def _pattern(self, name: str, group: list[Said]) -> str:
        points = [s.conclusion.of for s in group if isinstance(s.conclusion, Pattern) and s.conclusion.of]
        return self.ask([said_node(s) for s in group], chinese(name) + self._at(points), "head") + self._source(group[0], group[0].rule.id)

    def tallies(self) -> str:
        """A line for each tally in which something votes."""
        lines = []
        for text, name, sides in self.reading.tallies():
            shown = "  ".join(
                f"{side} {s.sure}" + (f"–{s.possible}" if s.possible != s.sure else "") for side, s in sides.items()
            )
            head = self.ask([f"tally:{text}:{name}"], chinese(f"{name}  {shown}"), "head")
            lines.append(f'{head}<p class="source">{self.say(lambda w, t=text: w.text(t))}</p>')  # type: ignore[misc]
        return _list(lines)

    def measures(self) -> str:
        """A line for each measure, with its standing."""
        return _list(map(self._measure, self.reading.said(Measure)))

    def _measure(self, said: Said) -> str:
        standing = self.reading.standing(said)
        assert isinstance(said.conclusion, Measure)
        state = "" if standing.state == "stands" else self.say.ui(standing.state, f"badge state {standing.state}")
        head = state + self.say(lambda w: measure_words(self.reading, said, w), "words")
        return self.ask([standing_node(said)], head, "head") + self._source(said, said.conclusion.id) + self._modifiers(standing)

    def roles(self) -> str:
        """Who is who for the topic asked; nothing when none was."""
        return _list(map(self._role, self.reading.said(Role))) if self.reading.request.topic else ""

    def _role(self, said: Said) -> str:
        body = said.conclusion
        assert isinstance(body, Role)
        head = self.say(lambda w: Phrases(w).point(body.point)) + ": " + self.say(lambda w: w.pick({"zh": body.zh, "en": body.en, "ko": body.ko}))
        return self.ask([said_node(said)], head, "head") + self._source(said, body.id)

    def unknown(self) -> str:
        """What was not told, and the rules that wait for it."""
        needs: dict[tuple[str, ...], list[str]] = {}
        for item in self.reading.undecided():
            needs.setdefault(item.needs, []).append(item.rule.id)
        return _list(
            f'<p>{escape(", ".join(map(how_to_tell, missing)))}</p><p class="source">'
            + " ".join(f"<code>{escape(rule)}</code>" for rule in rules)
            + "</p>"
            for missing, rules in sorted(needs.items(), key=lambda pair: (len(pair[0]), pair[0]))
        )


def _list(items: Iterable[str]) -> str:
    lines = "".join(f'<li class="said">{item}</li>' for item in items)
    return f"<ul>{lines}</ul>" if lines else ""


def _by(standing: Standing, ui: Callable[[str], str]) -> str:
    return "".join(f"← {ui(kind)}: {id} " for id, kind in standing.by)


