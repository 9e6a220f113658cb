"""The ways in which the schools part on one lesson, as few as can be told apart."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

from liuren.facts.errors import UserError

from .casting.core import OPTIONS, Core, core
from .casting.nobles import find_noble, noble_table, place_generals
from .doctrine import Doctrine, option_values
from .library import Library

Choice = Mapping[str, str]
"""Options chosen, by name; what is not named does not matter."""

_NAMING = "heads"
_OF_NOBLE = ("noble", "noble_order")
HALF = "day_night"


@dataclass(frozen=True, slots=True)
class Schools:
    """Which options may be chosen freely, and from where they are counted.

    Attributes:
        library: the knowledge base.
        base: the doctrine from which changes are counted.
        free: option to the values that may be tried, the base's own first.
    """

    library: Library
    base: Doctrine
    free: Mapping[str, tuple[str, ...]]
    _riders: dict[tuple[str | int, ...], Mapping[str, str]] = field(default_factory=dict)

    @classmethod
    def of(cls, library: Library, doctrine: str | None, sets: Mapping[str, str]) -> Schools:
        """Every school, or *doctrine* alone; what *sets* names is not varied.

        Raises:
            UserError: an unknown doctrine, option or value.
        """
        base = library.doctrine(doctrine or "common", sets)
        varied = (*(o for o in OPTIONS if o != _NAMING), *_OF_NOBLE, HALF)
        values = option_values(library.data)
        free = {
            o: (base.options[o], *(v for v in values[o] if v != base.options[o]))
            if doctrine is None and o not in sets
            else (base.options[o],)
            for o in varied
        }
        return cls(library, base, MappingProxyType(free))

    def transmissions(self, day: str, offset: int, annual: str | None) -> list[tuple[Core, list[Choice]]]:
        """The lesson as each school derives it, with the choices that give it.

        Only options that a step of the derivation rests on are varied.
        """
        found: dict[tuple[object, ...], tuple[Core, list[Choice]]] = {}
        for made, choice in self._derive(day, offset, annual, {}):
            key = (made.branches, made.method.name, made.method.heads)
            found.setdefault(key, (made, []))[1].append(choice)
        return [(made, self._least(choices)) for made, choices in found.values()]

    def _derive(
        self, day: str, offset: int, annual: str | None, chosen: dict[str, str]
    ) -> Iterator[tuple[Core, Choice]]:
        options = {**self.base.options, **chosen}
        at = annual if options["duzu"] == "annual" else None
        made = core(self.library.data, day, offset, tuple(options[o] for o in OPTIONS), at)
        used = {i.removeprefix("option.") for s in made.steps for i in s.inputs}
        used |= {"duzu"} if options["duzu"] == "annual" and annual else set()
        for option in OPTIONS:
            if option in used and option in self.free and option not in chosen:
                for value in self.free[option]:
                    yield from self._derive(day, offset, annual, {**chosen, option: value})
                return
        yield made, chosen

    def nobles(self, stem: str, half: str, offset: int) -> list[tuple[Choice, list[Choice]]]:
        """Each different setting of the generals: one choice that makes it, and all of them."""
        found: dict[tuple[str, str], list[Choice]] = {}
        for table in self.free["noble"]:
            for order in self.free["noble_order"]:
                rows = noble_table(self.library.data, table)
                noble = find_noble(rows, stem, half, offset, order)
                choice = {"noble": table, "noble_order": order}
                found.setdefault((noble.branch, noble.direction), []).append(choice)
        return [(choices[0], self._least(choices)) for choices in found.values()]

    def riders(self, place: tuple[str, int], half: str, choice: Choice) -> Mapping[str, str]:
        """Heaven branch to general.

        Args:
            place: day stem and offset.
            half: 晝 or 夜.
            choice: one of :meth:`nobles`.
        """
        table, order = (choice.get(o, self.base.options[o]) for o in _OF_NOBLE)
        key = (*place, half, table, order)
        if key not in self._riders:
            rows = noble_table(self.library.data, table)
            noble = find_noble(rows, place[0], half, place[1], order)
            self._riders[key] = place_generals(self.library.data.tables, noble)
        return self._riders[key]

    def halves(self, hour: str) -> dict[str, list[Choice]]:
        """晝 or 夜 at *hour*, with the choices that say so; the sun's own hours are not known."""
        found: dict[str, list[Choice]] = {}
        for value in self.free[HALF]:
            hours = self.library.data.doctrines["options"][HALF]["values"][value].get("day_hours")
            if hours is not None:
                half = "晝" if hour in hours else "夜"
                found.setdefault(half, []).append({HALF: value})
        if not found:
            raise UserError(
                f"{HALF}={self.base.options[HALF]} needs a moment and a place; "
                "choose another value, or tell the nobleman."
            )
        return {half: self._least(choices) for half, choices in found.items()}

    def changes(self, choice: Choice) -> dict[str, str]:
        """Where *choice* parts from the base."""
        return {o: v for o, v in choice.items() if v != self.base.options[o]}

    def _least(self, choices: list[Choice]) -> list[Choice]:
        """The choices that are no more than another with something added."""
        parts = [self.changes(c) for c in choices]
        least = [p for p in parts if not any(q.items() < p.items() for q in parts)]
        return [dict(t) for t in dict.fromkeys(tuple(p.items()) for p in least)]
