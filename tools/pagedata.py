"""The data that a page of a reading holds once: the explanation graph and its words.

The graph is node-link data with what repeats taken out: nodes and edges name
kinds and words by their place in a list.

==========  ================================================================
key         what it is
==========  ================================================================
schema      ``liuren.page/1``; ``graph`` is the schema of the graph
languages   ``zh``, ``ko``, ``en``; ``first`` is the one shown first
words       a string where all languages agree, else one for each language
ui          word of the interface to its place in ``words``
kinds       kinds of node; ``links`` are the kinds of edge
nodes       ``[id, place in kinds, place in words]``
edges       ``[source, target, place in links, 1 if of the shortest derivation]``
topics      topic to the topic above it, or ``null``
==========  ================================================================
"""

from __future__ import annotations

import json
from typing import Any

import networkx as nx
from liuren.engine.explain import SCHEMA as GRAPH_SCHEMA
from liuren.engine.explain import shortest
from liuren.engine.reading import Reading

from .markup import Say
from .tree import describe

SCHEMA = "liuren.page/1"

_UI = (
    "rests_on", "rests_on_it", "directly", "in_the_end", "nothing", "shown", "unfold", "fold",
    "chart", "input", "option", "step", "fact", "absence", "alternative", "count", "tally", "firing", "pattern",
    "verdict", "measure", "modifier", "role", "standing", "passage",
    "strengthens", "weakens", "reverses", "cancels", "replaces", "outranks", "fails",
    "stands", "strengthened", "weakened", "reversed", "cancelled", "replaced", "outranked", "disputed", "open",
)  # fmt: skip
"""What the page's program says by itself."""


def page_data(reading: Reading, graph: nx.DiGraph[str], say: Say) -> dict[str, Any]:
    """The data of the page; call it last, when everything shown has been said."""
    kinds = _places(d["kind"] for _, d in graph.nodes(data=True))
    links = _places(d["kind"] for _, _, d in graph.edges(data=True))
    places = {id: n for n, id in enumerate(graph)}
    kept = shortest(graph)
    nodes = [
        [id, kinds[d["kind"]], say.place(lambda words, id=id: describe(graph, id, words))]  # type: ignore[misc]
        for id, d in graph.nodes(data=True)
    ]
    ui = {key: say.place(lambda words, key=key: words.ui(key)) for key in _UI}  # type: ignore[misc]
    return {
        "schema": SCHEMA,
        "graph": GRAPH_SCHEMA,
        "languages": [w.language for w in say.languages],
        "first": say.words.language,
        "ui": ui,
        "kinds": list(kinds),
        "links": list(links),
        "nodes": nodes,
        "edges": [
            [places[a], places[b], links[d["kind"]], int(kept.has_edge(a, b))]
            for a, b, d in graph.edges(data=True)
        ],
        "topics": dict(reading.library.kb.lexicon.topics),
        "words": say.table(),
    }


def _places(names: Any) -> dict[str, int]:
    found: dict[str, int] = {}
    for name in names:
        found.setdefault(name, len(found))
    return found


def script_json(data: Any) -> str:
    """JSON that can stand in a script tag: no character that HTML would read."""
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
    for sign in "<>&\u2028\u2029":
        text = text.replace(sign, f"\\u{ord(sign):04x}")
    return text
