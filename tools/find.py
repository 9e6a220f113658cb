"""From an id that a person gives to nodes of the explanation."""

from __future__ import annotations

import networkx as nx
from liuren.engine.language.conditions import flatten
from liuren.engine.normalise import normalise
from liuren.engine.reading import Reading, TextReading
from liuren.facts.errors import UserError
from liuren.facts.points import nearest


def find_nodes(id: str, reading: Reading, graph: nx.DiGraph[str]) -> list[str]:
    """The nodes that *id* means: what to explain.

    A conclusion or rule gives the standings of its conclusions (or the
    patterns and tallies it made), a pattern its nodes, a passage all that fired
    in it, a chart value its step on each chart.

    Raises:
        UserError: nothing is called so (the nearest are named), or the rule
            did not fire (with what kept it from firing).
    """
    for name in dict.fromkeys((id, normalise(id))):
        for finder in (_node, _conclusion, _rule, _passage, _pattern, _step):
            found = finder(name, reading, graph)
            if found:
                return found
    raise UserError(_not_found(id, reading, graph))


def _node(id: str, reading: Reading, graph: nx.DiGraph[str]) -> list[str]:
    return [id] if id in graph else []


def _conclusion(id: str, reading: Reading, graph: nx.DiGraph[str]) -> list[str]:
    for prefix in ("standing", "standing:measure", "standing:modifier", "role"):
        if f"{prefix}:{id}" in graph:
            return [f"{prefix}:{id}"]
    return _of_firing(graph, f"firing:{id}")


def _of_firing(graph: nx.DiGraph[str], firing: str) -> list[str]:
    """What a firing concluded, standings where there are any; else the firing."""
    if firing not in graph:
        return []
    found: dict[str, None] = {}
    for node in graph.successors(firing):
        kind = graph.nodes[node]["kind"]
        if kind in ("verdict", "measure", "modifier"):
            rest = node.partition(":")[2]
            found["standing:" + (rest if kind == "verdict" else node)] = None
        elif kind in ("pattern", "role"):
            found[node] = None
    return list(found) or [firing]


def _rule(id: str, reading: Reading, graph: nx.DiGraph[str]) -> list[str]:
    for text in reading.texts.values():
        if id in text.evaluation.program.rules:
            rule = text.evaluation.program.rules[id]
            found: dict[str, None] = {}
            for instance in rule.instances:
                found.update(dict.fromkeys(_of_firing(graph, f"firing:{instance.id}")))
            if not found:
                raise UserError(_did_not_fire(id, text))
            return list(found)
        for instance in text.evaluation.program.instances:
            if instance.id == id:
                raise UserError(_did_not_fire(id, text))
    if id in reading.library.kb.rules:
        raise UserError(f"The rule {id} belongs to a reading of its verse that is not chosen; choose it with --variant.")
    return []


def _passage(id: str, reading: Reading, graph: nx.DiGraph[str]) -> list[str]:
    if id not in reading.library.kb.passages:
        return []
    found: dict[str, None] = {}
    for rule in reading.library.kb.passages[id].rules:
        for instance in rule.instances:
            found.update(dict.fromkeys(_of_firing(graph, f"firing:{instance.id}")))
    if not found:
        raise UserError(f"No rule of the passage {id} fires on this chart; ask `liuren why-not` of one of its rules.")
    return list(found)


def _pattern(id: str, reading: Reading, graph: nx.DiGraph[str]) -> list[str]:
    found = [
        node
        for node, data in graph.nodes(data=True)
        if data["kind"] in ("pattern", "tally") and data["label"] == id and not node.startswith(data.get("text", "") + "/")
    ]
    if found:
        return found
    for text in reading.texts.values():
        if id in text.evaluation.program.patterns:
            raise UserError(f"The pattern {id} is not present on this chart; ask `liuren why-not {id}`.")
    return []


def _step(id: str, reading: Reading, graph: nx.DiGraph[str]) -> list[str]:
    return [f"{chart}/{id}" for chart in reading.charts if f"{chart}/{id}" in graph]


def _did_not_fire(id: str, text: TextReading) -> str:
    """Why a rule did not fire, in one sentence: its nearest instance's first failing condition."""
    evaluation = text.evaluation
    rule = evaluation.program.rules[id.partition("@")[0]]
    instances = [i for i in rule.instances if "@" not in id or i.id == id]
    best = min(
        instances,
        key=lambda i: sum(evaluation.truth(c) is not True for c in flatten(i.when)),
    )
    failing = [c for c in flatten(best.when) if evaluation.truth(c) is False]
    if failing:
        return f"The rule {id} did not fire: «{failing[0].key}» does not hold on this chart; ask `liuren why-not {id}`."
    needs = ", ".join(evaluation.needs(best.when))
    return f"The rule {id} is undecided on this chart: it needs {needs}; ask `liuren why-not {id}`."


def _not_found(id: str, reading: Reading, graph: nx.DiGraph[str]) -> str:
    kb = reading.library.kb
    patterns = [p for t in reading.texts.values() for p in t.evaluation.program.patterns]
    known = [*kb.rules, *kb.passages, *patterns]
    near = nearest(id, known)
    return f"«{id}» is no rule, passage, pattern or chart value" + (f"; did you mean {near}?" if near else ".")


