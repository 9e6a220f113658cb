"""Writing down the steps of casting."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from liuren.facts.chart import Step

from ..data import KnowledgeData


class Ledger:
    """Collects steps in casting order, each with the source of its method."""

    def __init__(self, data: KnowledgeData) -> None:
        """Start an empty ledger over the methods of *data*."""
        self._methods = data.methods
        self.steps: list[Step] = []

    def add(
        self,
        id: str,
        value: Any,
        method: str,
        inputs: tuple[str, ...] = (),
        needs: tuple[str, ...] = (),
        source: str | None = None,
    ) -> None:
        """Append a step; its source is the method's unless *source* is given.

        Raises:
            KeyError: *method* is not in ``kb/methods.yaml``.
        """
        if source is None:
            source = self._methods[method]["source"]
        self.steps.append(Step(id, "step", value, method, inputs, source, needs))

    def done(self) -> tuple[Step, ...]:
        """The steps so far, in order."""
        return tuple(self.steps)


def given(id: str, value: Any) -> Step:
    """The step of a value the asker gave."""
    return Step(id, "input", value)


@lru_cache(maxsize=1024)
def option(name: str, value: str) -> Step:
    """The step of an option the doctrine chose."""
    return Step(f"option.{name}", "option", value)
