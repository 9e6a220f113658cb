"""The explanation graph: from every conclusion down to the moment asked about.

A :class:`networkx.DiGraph`.  An edge runs from what explains to what is
explained, so "why" follows edges backward.  Nodes carry ``kind``, ``label`` and
what their kind needs; edges ``kind`` and, into a firing, ``condition``.

=============  ============================================================
kind           node id
=============  ============================================================
input          ``input.day`` (shared by all charts)
option         ``<chart>/option.shehai``: a school's choice
step           ``<chart>/<step>``: a step of casting
fact           ``<chart>/fact <seat>``
absence        ``<text>/no pattern X``: nothing concluded it
count          ``<text>/<condition>``: how many of a group
alternative    ``<text>/<condition>``: one of several conditions
tally          ``tally:<text>:<name>``, and ``<text>/tally …`` for a comparison
firing         ``firing:<instance>``
pattern        ``pattern:<text>:<name>`` (``@point``)
verdict, measure, modifier, role   ``verdict:<conclusion>`` …
standing       ``standing:<verdict>``, ``standing:measure:<id>`` …
passage        ``passage:<id>``
=============  ============================================================

Edge kinds: ``input`` (into a step), ``gives`` (step to fact), ``holds`` (into a
firing), ``fails`` (what kept a pattern from being concluded), ``member``,
``concludes``, ``votes``, ``states`` (a passage states a rule or a method),
``stands`` and the six kinds of modifier (into a standing).

Ids are stable across runs, and nodes and edges are in a fixed order.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import networkx as nx
from liuren.facts.chart import Chart, Step
from liuren.facts.points import Point, Unknown, steps_of
from liuren.facts.relations import RELATION_STEPS
from liuren.facts.slots import RECORD_SLOTS, SLOTS

from .language.conclusions import Instance, Judged, Measure, Modifier, Pattern, Role, Value, Verdict
from .language.conditions import (
    AllOf,
    AnyOf,
    Condition,
    CountOf,
    Fires,
    Not,
    PatternIs,
    Related,
    SlotIs,
    TallyIs,
    flatten,
)
from .reading import Reading, Said, TextReading
from .standing import Standing, kind_of

SCHEMA = "liuren.graph/1"
"""Version of the node-link data; it changes when a reader would have to."""


def explain(reading: Reading) -> nx.DiGraph[str]:
    """The explanation graph of a whole reading."""
    builder = _Builder(reading)
    for chart in reading.charts.values():
        builder.add_chart(chart)
    for text in reading.texts.values():
        builder.add_text(text)
    return builder.graph


def node_link(graph: nx.DiGraph[str]) -> dict[str, Any]:
    """Node-link data, ``{schema, directed, nodes, edges}``, ready for JSON."""
    return {
        "schema": SCHEMA,
        "directed": True,
        "nodes": [{"id": id, **data} for id, data in graph.nodes(data=True)],
        "edges": [
            {"source": a, "target": b, **data} for a, b, data in graph.edges(data=True)
        ],
    }


def because(graph: nx.DiGraph[str], ids: Iterable[str]) -> nx.DiGraph[str]:
    """The part of *graph* that explains the nodes *ids*."""
    keep: set[str] = set()
    stack = list(ids)
    while stack:
        node = stack.pop()
        if node not in keep:
            keep.add(node)
            stack.extend(graph.predecessors(node))
    part: nx.DiGraph[str] = nx.DiGraph()
    part.add_nodes_from((n, d) for n, d in graph.nodes(data=True) if n in keep)
    part.add_edges_from((a, b, d) for a, b, d in graph.edges(data=True) if b in keep)
    return part


_CHOICES = ("pattern", "alternative")
"""Kinds of node that any one of several derivations explains."""


def shortest(graph: nx.DiGraph[str]) -> nx.DiGraph[str]:
    """*graph* with one derivation, the shortest, where there are several.

    A pattern that three rules concluded is there for any one of their reasons;
    the shortest is the one that rests on the fewest nodes, the first of equals.
    Nothing else is left out: a firing keeps all its conditions, a tally all its
    votes, a standing all its modifiers.
    """
    sizes: dict[str, int] = {}
    kept: nx.DiGraph[str] = nx.DiGraph()
    kept.add_nodes_from(graph.nodes(data=True))
    for node in nx.topological_sort(graph):
        sources = list(graph.predecessors(node))
        if graph.nodes[node]["kind"] in _CHOICES and len(sources) > 1:
            sources = [min(sources, key=lambda s: sizes[s])]
        sizes[node] = 1 + sum(sizes[s] for s in sources)
        kept.add_edges_from((s, node, graph.edges[s, node]) for s in sources)
    return kept


class _Builder:
    def __init__(self, reading: Reading) -> None:
        self.reading = reading
        self.kb = reading.library.kb
        self.graph: nx.DiGraph[str] = nx.DiGraph()

    # --- casting ----------------------------------------------------------------

    def add_chart(self, chart: Chart) -> None:
        """Inputs, options and casting steps of a chart."""
        for step in chart.steps.values():
            id = step_node(chart, step)
            data: dict[str, Any] = {"kind": step.kind, "label": step.id, "value": step.value}
            if step.kind != "input":
                data |= {"chart": chart.id, "method": step.method, "source": step.source}
            if step.needs:
                data["needs"] = list(step.needs)
            self.graph.add_node(id, **data)
        for step in chart.steps.values():
            id = step_node(chart, step)
            for source in step.inputs:
                if source in chart.steps:
                    self.graph.add_edge(step_node(chart, chart.steps[source]), id, kind="input")
            if step.source in self.kb.passages:
                self._passage(step.source)
                self.graph.add_edge(f"passage:{step.source}", id, kind="states")

    def _passage(self, id: str) -> None:
        node = f"passage:{id}"
        if node in self.graph:
            return
        passage = self.kb.passages[id]
        title = dict(passage.title)
        self.graph.add_node(
            node,
            kind="passage",
            label=title.get("zh", id),
            title=title,
            text=passage.text,
            edition=passage.edition,
            lines=list(passage.lines),
        )

    # --- a text -------------------------------------------------------------------

    def add_text(self, text: TextReading) -> None:
        """Facts, firings, conclusions and standings of one text."""
        for condition in self._seats(text):
            self._fact(text, condition)
        for name in text.run.tallies:
            self._tally(text, name)
        self._firings(text)
        self._bridges(text)
        for said in text.said:
            self._said(text, said)
        for said in text.said:
            if isinstance(said.conclusion, Judged):
                self._standing(text, said)

    def _seats(self, text: TextReading) -> list[SlotIs | Related]:
        reasoner = self.reading.library.reasoner(text.text, self.reading.request.variants)
        seats = reasoner.compiled.seats
        used = {key for firing in text.run.firings for key in firing.support}
        used |= {key for keys in text.run.members.values() for key in keys}
        found = []
        for key, seat in seats.items():
            if key in used and key in text.run.memory and isinstance(seat.condition, SlotIs | Related):
                found.append(seat.condition)
        return found

    def _fact(self, text: TextReading, condition: Condition) -> str:
        """The node of a fact on the chart, with edges from its casting steps."""
        assert isinstance(condition, SlotIs | Related)
        chart, key = text.chart, seat_key(condition)
        node = f"{chart.id}/fact {key}"
        if node in self.graph:
            return node
        value = text.run.memory.get(key)
        data: dict[str, Any] = {"kind": "fact", "chart": chart.id, "key": key}
        if isinstance(condition, SlotIs):
            shown = list(value) if isinstance(value, tuple) else value
            data |= {"point": condition.point.text, "slot": condition.slot, "value": shown}
            data["label"] = f"{key} = {_spell(shown)}"
        else:
            found = list(value or ())
            sign = text.evaluation.sign(condition.point)
            data |= {
                "point": condition.point.text,
                "relations": list(condition.relations),
                "others": [o.text for o in condition.others],
                "value": found,
                "signs": {
                    p.text: _plain(text.evaluation.sign(p))
                    for p in (condition.point, *condition.others)
                },
            }
            data["label"] = f"{condition.point} ({_plain(sign)}) " + (
                ", ".join(found) if found else f"not {' or '.join(condition.relations)} " + ", ".join(o.text for o in condition.others)
            )
        self.graph.add_node(node, **data)
        for step in self._steps(chart, condition):
            self.graph.add_edge(step, node, kind="gives")
        return node

    def _steps(self, chart: Chart, condition: SlotIs | Related) -> list[str]:
        if isinstance(condition, SlotIs):
            points: tuple[Point, ...] = (condition.point,)
            more = slot_steps(condition.point, condition.slot)
        else:
            points = (condition.point, *condition.others)
            more = tuple(s for r in condition.relations for s in RELATION_STEPS.get(r, ()))
        ids: dict[str, None] = {}
        for point in points:
            if point.kind != "record":
                ids.update(dict.fromkeys(steps_of(point, chart, self.kb.spirit_keys)))
        ids.update(dict.fromkeys(more))
        return [step_node(chart, chart.steps[i]) for i in ids if i in chart.steps]

    def _firings(self, text: TextReading) -> None:
        run, program = text.run, text.evaluation.program
        for firing in run.firings:
            if firing.instance is None:
                node = f"{text.text}/{firing.production.rpartition('#')[0]}"
                self.graph.add_node(
                    node, kind="alternative", text=text.text, label=firing.production.rpartition("#")[0]
                )
            else:
                instance_rule = program.rules[firing.instance.partition("@")[0]]
                node = f"firing:{firing.instance}"
                self._passage(instance_rule.passage)
                self.graph.add_node(
                    node,
                    kind="firing",
                    label=firing.instance,
                    rule=instance_rule.id,
                    text=text.text,
                    passage=instance_rule.passage,
                    quote=instance_rule.quote,
                    chart=text.chart.id,
                )
                self.graph.add_edge(f"passage:{instance_rule.passage}", node, kind="states")
            for key in firing.support:
                for source in self._sources(text, key):
                    self.graph.add_edge(source, node, kind="holds", condition=key)

    def _sources(self, text: TextReading, key: str) -> list[str]:
        """The nodes of the seat *key*."""
        kind = text.run.kinds[key]
        if kind in ("slot", "relation"):
            return [f"{text.chart.id}/fact {key}"]
        if kind == "always":
            return []
        if key.startswith("fires "):
            firings = text.run.firings
            return [f"firing:{firings[n].instance}" for n in text.run.derived[key]]
        if key.startswith("pattern "):
            name, _, of = key[8:].partition(" of ")
            ends = [f"@{of}"] if of else self._pattern_ends(text, name)
            return [f"pattern:{text.text}:{name}{end}" for end in ends]
        return [f"{text.text}/{key}"]

    def _pattern_ends(self, text: TextReading, name: str) -> list[str]:
        fired = text.run.fired
        made = text.evaluation.program.patterns.get(name, ())
        return list(dict.fromkeys(f"@{of}" if of else "" for i, of in made if i.id in fired))

    # --- absence, counting, tallies -------------------------------------------------

    def _bridges(self, text: TextReading) -> None:
        used = {key for firing in text.run.firings for key in firing.support}
        seats = self.reading.library.reasoner(text.text, self.reading.request.variants).compiled.seats
        for key, members in text.run.members.items():
            if key not in used:
                continue
            kind, node = text.run.kinds[key], f"{text.text}/{key}"
            condition = seats[key].condition
            self.graph.add_node(node, kind=kind, text=text.text, label=key, value=text.run.memory[key])
            if kind == "count":
                self._count(text, node, condition)
            elif kind == "tally":
                assert isinstance(condition, TallyIs)
                self.graph.add_edge(f"tally:{text.text}:{condition.tally}", node, kind="member")
            else:
                self._absence(text, node, members)

    def _count(self, text: TextReading, node: str, condition: Condition | None) -> None:
        assert isinstance(condition, CountOf)
        truths = [text.evaluation.truth(m) for m in condition.members]
        held = [n for n, t in zip(condition.names, truths, strict=True) if t]
        self.graph.nodes[node].update(
            word=condition.word, points=list(condition.names), held=held,
            low=condition.low, high=condition.high,
        )  # fmt: skip
        for member in condition.members:
            for leaf in _leaves(member):
                for source in self._decides(text, leaf):
                    self.graph.add_edge(source, node, kind="member", condition=leaf.key)

    def _decides(self, text: TextReading, leaf: Condition) -> list[str]:
        """The nodes that make a decided leaf true or false."""
        if isinstance(leaf, PatternIs | Fires) and text.evaluation.truth(leaf) is True:
            return self._sources(text, leaf.key) if leaf.key in text.run.derived else self._made(text, leaf)
        source = self._leaf(text, leaf)
        return [source] if source is not None else []

    def _made(self, text: TextReading, leaf: PatternIs | Fires) -> list[str]:
        """Firings behind a derived leaf that no rule reads as a seat of its own."""
        return [f"firing:{i.id}" for i in self._producers(text, leaf) if i.id in text.run.fired]

    def _producers(self, text: TextReading, leaf: PatternIs | Fires) -> list[Instance]:
        program = text.evaluation.program
        if isinstance(leaf, PatternIs):
            return [i for i, of in program.patterns.get(leaf.name, ()) if leaf.of in (None, of)]
        return list(program.rules[leaf.rule].instances) if leaf.rule in program.rules else []

    def _absence(self, text: TextReading, node: str, members: tuple[str, ...]) -> None:
        """What keeps each rule that could conclude it from holding."""
        instances = {i.id: i for i in text.evaluation.program.instances}
        self.graph.nodes[node]["rules"] = list(dict.fromkeys(m.partition("@")[0] for m in members))
        for member in members:
            self._failing(text, node, instances[member])

    def _failing(self, text: TextReading, node: str, instance: Instance) -> None:
        """Edges from what makes the first failing condition of *instance* fail."""
        evaluation = text.evaluation
        failed = next((c for c in flatten(instance.when) if evaluation.truth(c) is False), None)
        for leaf in _leaves(failed) if failed is not None else ():
            for source in self._decides(text, leaf):
                self.graph.add_edge(source, node, kind="fails", condition=leaf.key)

    def _leaf(self, text: TextReading, leaf: Condition) -> str | None:
        if isinstance(leaf, SlotIs | Related):
            return self._fact(text, leaf) if seat_key(leaf) in text.run.memory else None
        if isinstance(leaf, TallyIs):
            return f"tally:{text.text}:{leaf.tally}"
        if isinstance(leaf, PatternIs | Fires):
            node = f"{text.text}/no {leaf.key}"
            if node not in self.graph and text.evaluation.truth(leaf) is False:
                self.graph.add_node(node, kind="absence", text=text.text, label=f"no {leaf.key}", value=True)
                self._absence(text, node, tuple(i.id for i in self._producers(text, leaf)))
            return node if node in self.graph else None
        return None

    def _tally(self, text: TextReading, name: str) -> None:
        node = f"tally:{text.text}:{name}"
        scores = text.run.tallies[name]
        compared = any(k.startswith(f"tally {name}:") for k in text.run.members)
        if not compared and not any(s.possible for s in scores.values()):
            return
        self.graph.add_node(
            node,
            kind="tally",
            label=name,
            text=text.text,
            scores={s: [v.sure, v.possible] for s, v in scores.items()},
        )
        cast = {v.instance: v for v in text.run.votes[name]}
        for instance, vote in text.evaluation.program.votes[name]:
            made = cast.get(instance.id)
            if made is None:
                self._failing(text, node, instance)
            elif made.sure:
                self.graph.add_edge(
                    f"firing:{instance.id}", node, kind="votes", side=made.side, weight=made.weight
                )
            if vote.side.point is not None:
                for step in self._value_steps(text.chart, vote.side):
                    self.graph.add_edge(step, node, kind="gives")

    # --- conclusions ----------------------------------------------------------------

    def _said(self, text: TextReading, said: Said) -> None:
        node = said_node(said)
        body = said.conclusion
        data: dict[str, Any] = {
            "kind": type(body).__name__.lower(),
            "text": text.text,
            "rule": said.rule.id,
            "chart": said.chart,
        }
        match body:
            case Pattern(name=name, of=of):
                data |= {"label": name, "of": of}
            case Verdict():
                data |= {
                    "label": body.en, "en": body.en, "ko": body.ko, "zh": said.rule.quote,
                    "topic": list(body.topics), "polarity": body.polarity, "of": body.of,
                }  # fmt: skip
            case Measure():
                values = {k: _plain(v) for k, v in text.value(body).items()}
                data |= {
                    "label": body.name, "topic": list(body.topics), "of": body.of,
                    "values": values, "en": body.en, "ko": body.ko,
                }  # fmt: skip
            case Modifier():
                data |= {
                    "label": f"{body.kind} {', '.join(body.targets)}", "modifier": body.kind,
                    "topic": list(body.topics), "of": body.of,
                }  # fmt: skip
            case Role():
                data |= {
                    "label": f"{body.point}: {body.en}", "point": body.point.text, "zh": body.zh,
                    "en": body.en, "ko": body.ko, "topic": list(body.topics),
                }  # fmt: skip
        self.graph.add_node(node, **data)
        self.graph.add_edge(f"firing:{said.instance.id}", node, kind="concludes")
        if isinstance(body, Measure):
            for _, value in body.fields:
                for step in self._value_steps(text.chart, value):
                    self.graph.add_edge(step, node, kind="gives")

    def _value_steps(self, chart: Chart, value: Value) -> list[str]:
        if value.point is None:
            return []
        ids = dict.fromkeys(
            steps_of(value.point, chart, self.kb.spirit_keys) if value.point.kind != "record" else ()
        )
        if value.slot:
            ids.update(dict.fromkeys(slot_steps(value.point, value.slot)))
        return [step_node(chart, chart.steps[i]) for i in ids if i in chart.steps]

    def _standing(self, text: TextReading, said: Said) -> None:
        standing: Standing = self.reading.standing(said)
        assert isinstance(said.conclusion, Judged)
        node = standing_node(said)
        self.graph.add_node(
            node,
            kind="standing",
            label=standing.state,
            text=text.text,
            topic=self.reading.request.topic,
            unless=[{"modifier": m, "kind": k, "needs": list(n)} for m, k, n in standing.unless],
        )
        self.graph.add_edge(said_node(said), node, kind="stands")
        for modifier, kind in standing.by:
            self.graph.add_edge(f"modifier:{modifier}", node, kind=kind)


def said_node(said: Said) -> str:
    """Node id of something said."""
    body = said.conclusion
    if isinstance(body, Pattern):
        return f"pattern:{said.rule.text}:{body.name}" + (f"@{body.of}" if body.of else "")
    return f"{type(body).__name__.lower()}:{body.id}"


def standing_node(said: Said) -> str:
    """Node id of the standing of a verdict (by its id), measure or modifier."""
    body = said.conclusion
    assert isinstance(body, Judged)
    kind = kind_of(body)
    return f"standing:{body.id}" if kind == "verdict" else f"standing:{kind}:{body.id}"


def step_node(chart: Chart, step: Step) -> str:
    """Node id of a casting step; inputs are shared by all charts."""
    return step.id if step.kind == "input" else f"{chart.id}/{step.id}"


def seat_key(condition: SlotIs | Related) -> str:
    """Key of the seat an atom looks at."""
    return f"{condition.point}.{condition.slot}" if isinstance(condition, SlotIs) else condition.key


def slot_steps(point: Point, slot: str) -> tuple[str, ...]:
    """Casting steps a slot rests on beside those of its point."""
    if point.name == "told":
        return (f"input.told.{slot}",)
    if point.name in RECORD_SLOTS:
        return RECORD_SLOTS[point.name][slot].steps
    if point.kind == "record":
        return (f"input.{point.name}.{slot}",)
    return SLOTS[slot].steps if slot in SLOTS else ()


def _leaves(condition: Condition) -> list[Condition]:
    match condition:
        case AllOf(items=items) | AnyOf(items=items) | CountOf(members=items):
            return [leaf for i in items for leaf in _leaves(i)]
        case Not(item=item):
            return _leaves(item)
        case _:
            return [condition]


def _plain(value: object) -> Any:
    return {"unknown": list(value.needs)} if isinstance(value, Unknown) else value


def _spell(value: object) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, list):
        return " ".join(map(str, value))
    return "none" if value is None else str(value)
