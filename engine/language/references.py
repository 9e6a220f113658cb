"""Checks across rules: what a rule reads must exist, what it acts on too."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fnmatch import fnmatchcase

from liuren.facts.points import nearest

from .conclusions import Instance, Modifier, Pattern, Rule, Vote
from .conditions import Fires, Not, PatternIs, SlotIs, TallyIs, flatten, nodes
from .passages import Passage
from .source import Problem


def check_references(
    passages: Mapping[str, Passage], rules: Mapping[str, Rule]
) -> Iterator[Problem]:
    """Problems that show only when all rules are known."""
    for text in dict.fromkeys(r.text for r in rules.values()):
        own = [r for r in rules.values() if r.text == text]
        ids = {r.id for r in own}
        patterns = {
            c.name for r in own for i in r.instances for c in i.conclusions if isinstance(c, Pattern)
        }
        sides: dict[str, set[str]] = {}
        for vote in (c for r in own for i in r.instances for c in i.conclusions if isinstance(c, Vote)):
            sides.setdefault(vote.tally, set()).add(str(vote.side))
        for rule in own:
            found = dict.fromkeys(
                message
                for instance in rule.instances
                for message in (
                    *_reading(instance, ids, patterns, sides),
                    *_acting(instance, ids, patterns),
                    *_contradiction(instance),
                )
            )
            for message in found:
                yield Problem(rule.file, rule.line, rule.id, message)


def _near(name: str, known: set[str]) -> str:
    found = nearest(name, known)
    if found:
        return f"; did you mean {found}?"
    return f"; known: {', '.join(sorted(known)[:12])}" if known else ""


def _reading(
    instance: Instance, ids: set[str], patterns: set[str], sides: Mapping[str, set[str]]
) -> Iterator[str]:
    for node in nodes(instance.when):
        match node:
            case PatternIs(name=name) if name not in patterns:
                yield f"no rule of this text concludes the pattern «{name}»{_near(name, patterns)}"
            case Fires(rule=target) if target not in ids:
                yield f"«{target}» is no rule of this text{_near(target, ids)}"
            case TallyIs(tally=tally) if tally not in sides:
                yield f"nothing votes in the tally «{tally}»{_near(tally, set(sides)) or '; this text has no votes at all'}"
            case TallyIs(tally=tally, side=side, operand=operand):
                computed = any("." in s for s in sides[tally])
                for named in (side, operand):
                    if isinstance(named, str) and named not in sides[tally] and not computed:
                        yield f"no rule votes for «{named}» in the tally «{tally}»{_near(named, sides[tally])}"


def _acting(instance: Instance, ids: set[str], patterns: set[str]) -> Iterator[str]:
    for modifier in (c for c in instance.conclusions if isinstance(c, Modifier)):
        for target in modifier.targets:
            if target.startswith("pattern:"):
                if target[8:] not in patterns:
                    yield f"the modifier acts on the pattern «{target[8:]}», which no rule concludes{_near(target[8:], patterns)}"
            elif not any(fnmatchcase(id, target) for id in ids):
                yield f"the modifier acts on «{target}», which is no rule of this text{_near(target, ids)}"


def _contradiction(instance: Instance) -> Iterator[str]:
    """Conjuncts that no chart can meet together: one slot, disjoint values."""
    allowed: dict[tuple[str, str], set[object]] = {}
    refused: dict[tuple[str, str], set[object]] = {}
    for part in flatten(instance.when):
        match part:
            case SlotIs(point=point, slot=slot, values=values) if not (point.name == "method" and slot == "head"):
                at = (point.text, slot)
                allowed[at] = allowed.get(at, set(values)) & set(values)
            case Not(item=SlotIs(point=point, slot=slot, values=values)):
                refused.setdefault((point.text, slot), set()).update(values)
    for at, left in allowed.items():
        if not left - refused.get(at, set()):
            yield f"the conditions on {at[0]}.{at[1]} can never hold together"
    keys = {part.key for part in flatten(instance.when)}
    for part in flatten(instance.when):
        if isinstance(part, Not) and part.item.key in keys:
            yield f"«{part.item.key}» is asked both to hold and not to hold"
