"""An explanation in the forms other programs read: node-link JSON, GraphML, DOT, PROV-JSON, Markdown."""

from __future__ import annotations

import io
import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import networkx as nx
from liuren.engine.explain import node_link
from liuren.facts.errors import UserError

from .files import write_whole
from .tree import describe, explanation_lines
from .words import Words

SUFFIXES = {".json": "json", ".graphml": "graphml", ".dot": "dot", ".gv": "dot", ".prov": "prov", ".md": "markdown"}

_SHAPE = {
    "verdict": "box", "standing": "octagon", "measure": "box", "pattern": "hexagon",
    "passage": "note", "firing": "component", "input": "house", "option": "house",
}  # fmt: skip


def export(graph: nx.DiGraph[str], roots: list[str], form: str, words: Words) -> str:
    """The explanation as text in one of the forms.

    Args:
        graph: the part of the explanation graph that explains *roots*.
        roots: what is explained.
        form: ``json``, ``graphml``, ``dot``, ``prov`` or ``markdown``.
        words: the language of labels.
    """
    return _FORMS[form](graph, roots, words)


def write_export(graph: nx.DiGraph[str], roots: list[str], path: str, form: str | None, words: Words, force: bool) -> None:
    """Write an export to *path*, whole or not at all.

    Raises:
        UserError: the form cannot be told from the name, the file exists and
            *force* is not set, or it cannot be written.
    """
    chosen = form or SUFFIXES.get(Path(path).suffix)
    if chosen is None:
        raise UserError(f"{path}: the name does not tell the form; end it in {', '.join(SUFFIXES)} or give --format.")
    if Path(path).exists() and not force:  # before the work, and again when writing
        raise UserError(f"{path} exists already; give --force to replace it.")
    write_whole(Path(path), export(graph, roots, chosen, words), force)


def _json(graph: nx.DiGraph[str], roots: list[str], words: Words) -> str:
    return json.dumps(node_link(graph), ensure_ascii=False, indent=1) + "\n"


def _graphml(graph: nx.DiGraph[str], roots: list[str], words: Words) -> str:
    """GraphML holds plain values only; lists and mappings become JSON text."""
    plain: nx.DiGraph[str] = nx.DiGraph()
    for id, data in graph.nodes(data=True):
        plain.add_node(id, words=describe(graph, id, words), **_scalars(data))
    for a, b, data in graph.edges(data=True):
        plain.add_edge(a, b, **_scalars(data))
    buffer = io.BytesIO()
    nx.write_graphml(plain, buffer, prettyprint=True)
    return buffer.getvalue().decode("utf-8")


def _scalars(data: Mapping[str, Any]) -> dict[str, Any]:
    return {
        k: v if isinstance(v, str | int | float | bool) else json.dumps(v, ensure_ascii=False)
        for k, v in data.items()
        if v is not None
    }


def _dot(graph: nx.DiGraph[str], roots: list[str], words: Words) -> str:
    import pydot

    drawn = pydot.Dot("why", graph_type="digraph", rankdir="BT")
    for id in graph:
        kind = graph.nodes[id]["kind"]
        drawn.add_node(
            pydot.Node(_quoted(id), label=_quoted(describe(graph, id, words)), shape=_SHAPE.get(kind, "ellipse"))
        )
    for a, b, data in graph.edges(data=True):
        drawn.add_edge(pydot.Edge(_quoted(a), _quoted(b), label=_quoted(words.ui(data["kind"]))))
    return str(drawn.to_string())


def _quoted(text: str) -> str:
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


def _prov(graph: nx.DiGraph[str], roots: list[str], words: Words) -> str:
    """W3C PROV: what is known is an entity; a casting step's value was derived
    from its inputs, a firing is an activity that used its facts."""
    from prov.model import ProvDocument

    document = ProvDocument()
    document.add_namespace("liuren", "urn:liuren:")
    names = {id: f"liuren:n{n}" for n, id in enumerate(graph)}
    for id, data in graph.nodes(data=True):
        about = {"prov:label": describe(graph, id, words), "liuren:id": id, "liuren:kind": data["kind"]}
        if data["kind"] == "firing":
            document.activity(names[id], other_attributes=about)
        else:
            document.entity(names[id], about)
    for a, b, data in graph.edges(data=True):
        _relate(document, graph, names, a, b, str(data["kind"]))
    return str(document.serialize(format="json", indent=1)) + "\n"


def _relate(document: Any, graph: nx.DiGraph[str], names: Mapping[str, str], a: str, b: str, kind: str) -> None:
    cause, effect = graph.nodes[a]["kind"], graph.nodes[b]["kind"]
    if effect == "firing" and cause == "firing":
        document.wasInformedBy(names[b], names[a], other_attributes={"prov:label": kind})
    elif effect == "firing":
        document.used(names[b], names[a], other_attributes={"prov:label": kind})
    elif cause == "firing":
        document.wasGeneratedBy(names[b], names[a], other_attributes={"prov:label": kind})
    else:
        document.wasDerivedFrom(names[b], names[a], other_attributes={"prov:label": kind})


def _markdown(graph: nx.DiGraph[str], roots: list[str], words: Words) -> str:
    """A report: for each thing explained, a heading and the tree as a nested list."""
    parts = []
    for root in roots:
        lines = explanation_lines(graph, [root], words)
        body = "\n".join(_bullet(line) for line in lines[1:])
        parts.append(f"## {words.ui('why')}: {lines[0]}\n\n{body}\n")
    return "\n".join(parts)


def _bullet(line: str) -> str:
    """A tree line as a list item at the same depth."""
    stripped = line.lstrip("│├└─ ")
    depth = (len(line) - len(stripped)) // 3
    return "  " * max(0, depth - 1) + "- " + stripped


_FORMS: Mapping[str, Callable[[nx.DiGraph[str], list[str], Words], str]] = {
    "json": _json,
    "graphml": _graphml,
    "dot": _dot,
    "prov": _prov,
    "markdown": _markdown,
}
FORMS = tuple(_FORMS)
