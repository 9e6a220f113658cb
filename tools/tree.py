"""An explanation as a tree of text: from the conclusion down to the moment."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import networkx as nx
from liuren.facts.points import is_branch

from .phrases import Phrases
from .words import Words

_MODIFIERS = {"strengthens", "weakens", "reverses", "cancels", "replaces", "outranks"}


def explanation_lines(graph: nx.DiGraph[str], roots: Iterable[str], words: Words, depth: int | None = None) -> list[str]:
    """The tree below *roots*.

    What was already explained is named again with a mark and not repeated.

    Args:
        graph: the explanation graph.
        roots: node ids to explain.
        words: the language.
        depth: how many steps down, ``None`` for all.
    """
    teller = _Teller(graph, words, depth)
    for root in roots:
        teller.tell(root, "", "", "")
    return teller.lines


class _Teller:
    def __init__(self, graph: nx.DiGraph[str], words: Words, depth: int | None) -> None:
        self.graph, self.words, self.depth = graph, words, depth
        self.lines: list[str] = []
        self.told: set[str] = set()

    def tell(self, node: str, prefix: str, branch: str, edge: str, level: int = 0) -> None:
        """One node and what it rests on."""
        below = [] if node in self.told else self._below(node)
        again = " …" if node in self.told and self.graph.in_degree(node) else ""
        lead = f"{self.words.ui(edge)}: " if edge in _MODIFIERS or edge == "fails" else ""
        self.lines.append(f"{prefix}{branch}{lead}{describe(self.graph, node, self.words)}{again}")
        self.told.add(node)
        if self.depth is not None and level >= self.depth:
            return
        inner = prefix + {"": "", "├─ ": "│  ", "└─ ": "   "}[branch]
        for n, (source, kind) in enumerate(below):
            self.tell(source, inner, "└─ " if n == len(below) - 1 else "├─ ", kind, level + 1)

    def _below(self, node: str) -> list[tuple[str, str]]:
        """What *node* rests on: the passage first, then conditions or inputs in order."""
        edges = [(source, data["kind"]) for source, _, data in self.graph.in_edges(node, data=True)]
        return sorted(edges, key=lambda e: e[1] != "states")


def describe(graph: nx.DiGraph[str], node: str, words: Words) -> str:
    """One line on a node: its kind in words, what it says, where it comes from."""
    data = graph.nodes[node]
    return _DESCRIBE[data["kind"]](node, data, words)


def _kind(data: dict[str, Any], words: Words) -> str:
    return words.ui(data["kind"])


def _value(value: object, words: Words) -> str:
    """A step's value: maps of signs run together (子未 丑申), named parts with their name."""
    if isinstance(value, dict):
        return " ".join(
            f"{k}{_value(v, words)}" if is_branch(k) else f"{words.ui(str(k))} {_value(v, words)}"
            for k, v in value.items()
        )
    if isinstance(value, list):
        return " ".join(_value(v, words) for v in value)
    if isinstance(value, bool):
        return "true" if value else "false"
    return "—" if value is None else str(value)


def _input(node: str, data: dict[str, Any], words: Words) -> str:
    return f"{_kind(data, words)} {data['label'].removeprefix('input.')} = {_value(data['value'], words)}"


def _option(node: str, data: dict[str, Any], words: Words) -> str:
    return f"{_kind(data, words)} {data['label'].removeprefix('option.')} = {_value(data['value'], words)} ({data['chart']})"


def _step(node: str, data: dict[str, Any], words: Words) -> str:
    value = f" = {_value(data['value'], words)}" if data["value"] is not None else ""
    external = "" if data["source"] != "external" else f" [{words.ui('external')}]"
    return f"{_kind(data, words)} {data['label']}{value}: {words.method(data['method'])}{external}"


def _fact(node: str, data: dict[str, Any], words: Words) -> str:
    return f"{_kind(data, words)} {Phrases(words).fact(data)}"


def _firing(node: str, data: dict[str, Any], words: Words) -> str:
    return f"{words.ui('rule')} {data['label']} 「{data['quote']}」"


def _verdict(node: str, data: dict[str, Any], words: Words) -> str:
    text = words.pick({"zh": f"「{data['zh']}」", "en": data["en"], "ko": data["ko"]})
    return f"{_kind(data, words)} {words.ui(data['polarity'])} · {'/'.join(words.topic(t) for t in data['topic'])}: {text}"


def _standing(node: str, data: dict[str, Any], words: Words) -> str:
    topic = f" ({words.topic(data['topic'])})" if data["topic"] else ""
    unless = "".join(
        f"; {words.ui('unless')} {u['modifier']} ({', '.join(u['needs'])})" for u in data["unless"]
    )
    return f"{_kind(data, words)}{topic}: {words.ui(data['label'])}{unless}"


def _measure(node: str, data: dict[str, Any], words: Words) -> str:
    values = ", ".join(f"{words.ui(k)} {_value(v, words)}" for k, v in data["values"].items())
    text = words.pick({"en": data["en"], "ko": data["ko"]})
    return f"{_kind(data, words)} {data['label']} {values}" + (f": {text}" if text else "")


def _role(node: str, data: dict[str, Any], words: Words) -> str:
    return f"{_kind(data, words)} {data['point']}: {words.pick({k: data[k] for k in ('zh', 'en', 'ko')})}"


def _count(node: str, data: dict[str, Any], words: Words) -> str:
    held = " ".join(data.get("held", [])) or words.ui("none_found")
    return f"{_kind(data, words)} {data.get('word', '')} ({' '.join(data.get('points', []))}): {held}"


def _tally(node: str, data: dict[str, Any], words: Words) -> str:
    if "scores" not in data:
        return f"{_kind(data, words)} {data['label'].removeprefix('tally ')}"
    scores = ", ".join(f"{s} {v[0]}" + (f"–{v[1]}" if v[0] != v[1] else "") for s, v in data["scores"].items())
    return f"{_kind(data, words)} {data['label']}: {scores}"


def _passage(node: str, data: dict[str, Any], words: Words) -> str:
    id = node.removeprefix("passage:")
    lines = "–".join(dict.fromkeys(map(str, data["lines"])))
    return (
        f"{_kind(data, words)} {words.text(data['text'])} {words.passage(id)}"
        f" ({words.ui('edition')} {data['edition']}, {words.ui('lines')} {lines})"
    )


def _plain(node: str, data: dict[str, Any], words: Words) -> str:
    return f"{_kind(data, words)} {data['label']}"


_DESCRIBE = {
    "input": _input,
    "option": _option,
    "step": _step,
    "fact": _fact,
    "absence": _plain,
    "alternative": _plain,
    "count": _count,
    "tally": _tally,
    "firing": _firing,
    "pattern": _plain,
    "verdict": _verdict,
    "measure": _measure,
    "modifier": _plain,
    "role": _role,
    "standing": _standing,
    "passage": _passage,
}
