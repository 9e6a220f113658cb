"""Schools as data: a doctrine chooses one value for every option.

The options, their values and who holds them stand in ``kb/doctrines.yaml``;
every spirit with rival tables (``kb/spirits.yaml``) adds an option
``spirit.<key>`` whose values are ``common`` and the names of the rivals.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from difflib import get_close_matches
from functools import lru_cache
from types import MappingProxyType
from typing import Any

from liuren.facts.errors import UserError

from .data import KnowledgeData

SPIRIT_DEFAULT = "common"


@dataclass(frozen=True, slots=True)
class Doctrine:
    """A named school with the value it takes for every option.

    Attributes:
        name: the name in ``doctrines.yaml`` (``common``, ``xinjing`` …).
        options: option to value, every option present, in the file's order.
        overrides: the options set by :meth:`with_set`, in the file's order.
        data: the knowledge base the names are checked against.
    """

    name: str
    options: Mapping[str, str]
    overrides: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))
    data: KnowledgeData | None = field(default=None, compare=False, repr=False)

    @property
    def id(self) -> str:
        """The name, and what was set apart from it: ``common+shehai=meng-zhong``."""
        return self.name + "".join(f"+{k}={v}" for k, v in self.overrides.items())

    def with_set(self, changes: Mapping[str, str]) -> Doctrine:
        """This doctrine with some options set otherwise.

        Args:
            changes: option to value.  A value that the doctrine already has
                changes nothing, not even the id.

        Raises:
            UserError: an option or a value is unknown; the nearest known ones
                are named.
        """
        if self.data is None:
            raise ValueError("a doctrine without data cannot be changed")
        known = option_values(self.data)
        options = dict(self.options)
        overrides = dict(self.overrides)
        for option, value in changes.items():
            if option not in known:
                raise UserError(_unknown("option", option, known))
            if value not in known[option]:
                raise UserError(_unknown(f"value of {option}", value, known[option]))
            if options[option] != value:
                overrides[option] = value
            options[option] = value
        ordered = {k: overrides[k] for k in known if k in overrides}
        return Doctrine(self.name, MappingProxyType(options), MappingProxyType(ordered), self.data)


@lru_cache(maxsize=16)
def option_values(data: KnowledgeData) -> Mapping[str, tuple[str, ...]]:
    """Every option with its values, the default first."""
    found = {}
    for option, spec in data.doctrines["options"].items():
        rest = [v for v in spec["values"] if v != spec["default"]]
        found[option] = (spec["default"], *rest)
    for key, spirit in data.spirits.items():
        if "rivals" in spirit:
            found[f"spirit.{key}"] = (SPIRIT_DEFAULT, *spirit["rivals"])
    return MappingProxyType(found)


@lru_cache(maxsize=64)
def load_doctrine(name: str, data: KnowledgeData) -> Doctrine:
    """The doctrine called *name*: the defaults, then what its file entry sets.

    Raises:
        UserError: no such doctrine (the nearest known ones are named), or its
            entry sets an option or value that does not exist.
    """
    named: dict[str, Any] = data.doctrines["doctrines"]
    if name not in named:
        raise UserError(_unknown("doctrine", name, named))
    options = {option: values[0] for option, values in option_values(data).items()}
    base = Doctrine(name, MappingProxyType(options), data=data)
    chosen = base.with_set(named[name].get("set", {}))
    return Doctrine(name, chosen.options, data=data)


def _unknown(what: str, name: str, known: Iterable[str]) -> str:
    names = list(known)
    near = get_close_matches(name, names, n=3, cutoff=0.4)
    listed = "、".join(near or names[:12])
    return f"Unknown {what} {name!r}; {'the nearest known are' if near else 'known are'} {listed}."
