"""Writing down the steps of the calendar."""

from __future__ import annotations

from functools import cache
from typing import Any

from liuren.engine.data import load_data
from liuren.facts.chart import Step


@cache
def _sources() -> dict[str, str]:
    return {key: row["source"] for key, row in load_data("methods-calendar").items()}


class Steps:
    """Collects the steps of one question, in order."""

    def __init__(self) -> None:
        """Start with none."""
        self.done: list[Step] = []

    def input(self, id: str, value: Any) -> None:
        """Add what was given."""
        self.done.append(Step(f"input.{id}", "input", value))

    def option(self, name: str, value: str) -> None:
        """Add an option of the doctrine."""
        self.done.append(Step(f"option.{name}", "option", value))

    def add(
        self, id: str, value: Any, method: str, *inputs: str, needs: tuple[str, ...] = ()
    ) -> None:
        """Add a value, the key of its method in ``methods-calendar.yaml`` and the ids it rests on."""
        self.done.append(Step(id, "step", value, method, inputs, _sources()[method], needs))
