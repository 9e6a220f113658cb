"""experta, imported so that it works on Python 3.10 and later, and made to scale.

experta 1.9.4 pins frozendict 1.2, which looks for ``collections.Mapping`` (gone
since 3.10), and configures the root logger when imported.  Both are put right
around the import and nothing is left changed.

:class:`Matcher` is experta's RETE with two changes that do not touch its
results: facts go straight to the nodes of their own class instead of past
every type test, and only conflict nodes that were touched are polled.
:class:`Strategy` orders activations by production number, so that the same
facts fire the same rules in the same order in every process.
"""

from __future__ import annotations

import collections
import collections.abc
import logging
from typing import Any


def _import_experta() -> Any:
    root = logging.getLogger()
    handlers = list(root.handlers)
    missing = not hasattr(collections, "Mapping")
    if missing:
        collections.Mapping = collections.abc.Mapping  # type: ignore[attr-defined]
    try:
        import experta
        import experta.abstract
        import experta.matchers.rete
        import experta.matchers.rete.abstract
        import experta.matchers.rete.check
        import experta.matchers.rete.nodes
    finally:
        if missing:
            del collections.Mapping  # type: ignore[attr-defined]
        for handler in list(root.handlers):
            if handler not in handlers:
                root.removeHandler(handler)
    return experta


experta: Any = _import_experta()
Fact: Any = experta.Fact
Rule: Any = experta.Rule
P: Any = experta.P
KnowledgeEngine: Any = experta.KnowledgeEngine
Agenda: Any = experta.engine.Agenda
_rete: Any = experta.matchers.rete


class Facts(experta.engine.FactList):  # type: ignore[misc]
    """experta's list of facts, told each fact once: it need not look for doubles."""

    def declare(self, fact: Any) -> Any:
        """Number *fact* and keep it for the next poll."""
        fact.__factid__ = self.last_index
        self[self.last_index] = fact
        self.last_index += 1
        self.added.append(fact)
        return fact


class Token(_rete.nodes.Token):  # type: ignore[misc]
    """A token that is not checked anew at every node; only its context is ever changed."""

    __slots__ = ()

    def __new__(cls, tag: Any, data: frozenset[Any], context: dict[str, Any]) -> Token:
        """A token of *data*, which is shared, and *context*, which is not."""
        token: Token = tuple.__new__(cls, (tag, data, context))
        return token

    def copy(self) -> Token:
        """The same facts with a context of its own."""
        return Token(self[0], self[1], dict(self[2]))


class Join(_rete.nodes.OrdinaryMatchNode):  # type: ignore[misc]
    """experta's join, which keeps the tokens themselves: here all are valid."""

    def activate_left(self, token: Token) -> None:
        """A token from the left."""
        self._join(token, self.left_memory, self.right_memory)

    def activate_right(self, token: Token) -> None:
        """A token from the right."""
        self._join(token, self.right_memory, self.left_memory)

    def _join(self, token: Token, own: list[Token], others: list[Token]) -> None:
        own.append(token)
        for other in others:
            if self.matcher(token.context, other.context):
                joined = Token(token.tag, token.data | other.data, {**other.context, **token.context})
                for child in self.children:
                    child.callback(joined)


class Bus(_rete.nodes.BusNode):  # type: ignore[misc]
    """The root: hands a fact to the patterns of its class, and on from there.

    A pattern of ours is one class, tests of its fields, and the name the fact is
    bound to; experta has a node for each of these, which copies the token for
    each.  Here the tests of a pattern are made one after the other.
    """

    def index(self) -> None:
        """Index the patterns by fact class; call when the network is built."""
        self.by_type: dict[type, list[tuple[tuple[Any, ...], str, list[Any]]]] = {}
        for child in self.children:
            into = self.by_type.setdefault(child.node.matcher.fact_type, [])
            for below in child.node.children:
                self._patterns(below.node, (), into)

    def _patterns(self, node: Any, tests: tuple[Any, ...], into: list[Any]) -> None:
        if isinstance(node.matcher, _rete.check.FactCapture):
            into.append((tests, node.matcher.bind, node.children))
            return
        for below in node.children:
            self._patterns(below.node, (*tests, node.matcher), into)

    def add(self, fact: Any) -> None:
        """Send a new fact into the network."""
        data = frozenset((fact,))
        for tests, name, children in self.by_type.get(type(fact), ()):
            for test in tests:
                if not test(fact):
                    break
            else:
                for child in children:
                    child.callback(Token(Token.TagType.VALID, data, {name: fact}))


class Matcher(_rete.ReteMatcher):  # type: ignore[misc]
    """experta's RETE with a dispatching root and touched-only polling."""

    def __init__(self, engine: Any) -> None:
        """Build the network of *engine*'s rules."""
        experta.abstract.Matcher.__init__(self, engine)
        self.root_node = Bus()
        self.build_network()
        self.root_node.index()
        self._touched: dict[Any, None] = {}
        self._nodes: list[Any] = []
        self._collect()

    @staticmethod
    def prepare_ruleset(engine: Any) -> set[Any]:
        """The rules as they are: each is a plain conjunction of facts already,
        which stock experta would find out by rewriting every one of them."""
        rules = engine.get_rules()
        for rule in rules:
            rule._wrapped_self = None  # looking a rule up binds it; experta passes the engine itself
        return set(rules)

    @staticmethod
    def build_beta_part(ruleset: Any, alpha_terminals: Any) -> None:
        """Chain the patterns of each rule; rules that begin alike share the joins."""
        nodes = _rete.nodes
        joins: dict[tuple[int, int], Any] = {}
        for rule in ruleset:
            current, *rest = (alpha_terminals[fact] for fact in rule)
            for right in rest:
                at = (id(current), id(right))
                if at not in joins:
                    join = Join(_rete.check.SameContextCheck())
                    current.add_child(join, join.activate_left)
                    right.add_child(join, join.activate_right)
                    joins[at] = join
                current = joins[at]
            end = nodes.ConflictSetNode(rule)
            current.add_child(end, end.activate)

    def _collect(self) -> None:
        seen: set[int] = set()
        stack = [self.root_node]
        while stack:
            node = stack.pop()
            if id(node) in seen:
                continue
            seen.add(id(node))
            self._nodes.append(node)
            stack.extend(child.node for child in node.children)
            if isinstance(node, _rete.nodes.ConflictSetNode):
                self._watch(node)

    def _watch(self, node: Any) -> None:
        activate, touched = node._activate, self._touched

        def watched(token: Any) -> None:
            touched[node] = None
            activate(token)

        node._activate = watched

    def changes(self, adding: Any = None, deleting: Any = None) -> tuple[list[Any], list[Any]]:
        """Pass changes to the network; return activations added and removed."""
        if deleting:
            raise RuntimeError("facts are never withdrawn in this project")
        for fact in adding or ():
            self.root_node.add(fact)
        added: list[Any] = []
        for node in self._touched:
            new, gone = node.get_activations()
            added.extend(new)
            assert not gone, "no fact is withdrawn, so no activation can be"
        self._touched.clear()
        return added, []

    def reset(self) -> None:
        """Forget all facts; each node once, where stock experta recurses."""
        for node in self._nodes:
            node._reset()
        self._touched.clear()


class Strategy(experta.abstract.Strategy):  # type: ignore[misc]
    """Fires the production with the lowest number first.

    Stock ``DepthStrategy`` orders equal activations by object identity and can
    withdraw the wrong one; here every production has at most one activation,
    and its number decides.
    """

    def get_key(self, activation: Any) -> int:
        """The number of the activation's production, negated: the agenda pops its end."""
        number: int = activation.rule._wrapped.number
        return -number

    def _update_agenda(self, agenda: Any, added: Any, removed: Any) -> None:
        assert not removed
        if added:
            for activation in added:
                activation.key = self.get_key(activation)
            agenda.activations.extend(added)
            agenda.activations.sort()
