"""A group whose commands stand in modules of their own, loaded when they are called."""

from __future__ import annotations

from importlib import import_module
from typing import Any

import click


class LazyGroup(click.Group):
    """Loads a command with its first use, so that the others start without it."""

    def __init__(self, *args: Any, **options: Any) -> None:
        """As a group of click."""
        super().__init__(*args, **options)
        self.later: dict[str, str] = {}

    def list_commands(self, ctx: click.Context) -> list[str]:
        """All names, sorted."""
        return sorted({*super().list_commands(ctx), *self.later})

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command, loaded if need be."""
        if cmd_name not in self.later:
            return super().get_command(ctx, cmd_name)
        module, _, name = self.later[cmd_name].partition(":")
        command = getattr(import_module(f".{module}", __package__), name)
        assert isinstance(command, click.Command)
        return command


def later(group: click.Group, name: str, where: str) -> None:
    """Register the command *name* of a :class:`LazyGroup`.

    Args:
        group: made with ``cls=LazyGroup``.
        name: as it is called.
        where: ``module:attribute`` in this package.
    """
    assert isinstance(group, LazyGroup)
    group.later[name] = where
