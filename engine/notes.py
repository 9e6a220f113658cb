"""What a sweep tells of the rules: never, always, twice, within another, against another.

These are notes, not mistakes: a text may say a thing twice, or give an example
of its own rule.  Each names the file, the line and a way out.  A rule that was
undecided on some chart of the sweep is compared by its conditions alone.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from fnmatch import fnmatchcase

from .language.conclusions import (
    Conclusion,
    Instance,
    Judged,
    Measure,
    Modifier,
    Pattern,
    Role,
    Rule,
    Verdict,
    Vote,
)
from .language.conditions import ALWAYS, Fires, PatternIs, flatten, nodes
from .language.levels import producers
from .language.loader import KnowledgeBase
from .language.source import Problem
from .lessons import CHARTS, Lesson, Swept, lessons
from .standing import Subject
from .sweep import NOWHERE, Mask, bits

_FULL = (1 << CHARTS) - 1


def never_problems(kb: KnowledgeBase, swept: Swept) -> Iterator[Problem]:
    """Rules said never to fire that fire: a mistake, with the first chart."""
    for passage in kb.passages.values():
        for example in passage.examples:
            for key in example.never:
                rule = f"{passage.id}/{key.split('@')[0]}"
                if rule not in swept.rules:
                    continue
                where = swept.rule(rule).yes if "@" not in key else swept.masks.get(f"{passage.id}/{key}", NOWHERE).yes
                if where:
                    yield Problem(passage.file, example.line, passage.id, f"{key} is said never to fire; it fires on {_first(where)}")


def notes(kb: KnowledgeBase, swept: Swept) -> Iterator[Problem]:
    """Every note on the rules that were swept."""
    for text in dict.fromkeys(r.text for r in swept.rules.values()):
        own = [r for r in swept.rules.values() if r.text == text]
        yield from _extremes(kb, own, swept)
        yield from _redundant(own, swept)
        yield from _against(own, swept)
        yield from _idle_modifiers(own, swept)


def _note(rule: Rule, message: str) -> Problem:
    return Problem(rule.file, rule.line, rule.id, message)


def _first(mask: int) -> str:
    lesson: Lesson = lessons()[next(bits(mask))]
    return f"day {lesson.day}, offset {lesson.offset}, month {lesson.month}"


# --- never, always ---------------------------------------------------------------


def _extremes(kb: KnowledgeBase, rules: list[Rule], swept: Swept) -> Iterator[Problem]:
    said = _said_never(kb, rules)
    for rule in rules:
        mask = swept.rule(rule.id)
        if not mask.maybe and rule.id not in said:
            yield _note(rule, "never fires on the 720 lessons in twelve months; mend its conditions, or say so with a `never` example and the reason")
        elif mask.yes == _FULL and any(i.when != ALWAYS for i in rule.instances):
            yield _note(rule, "fires on every one of the 720 lessons; write `when: always` if that is meant, else its conditions say too little")


def _said_never(kb: KnowledgeBase, rules: list[Rule]) -> set[str]:
    """Rules said never to fire, and those that need a pattern or rule that is said so."""
    said = {f"{p.id}/{k.split('@')[0]}" for p in kb.passages.values() for e in p.examples for k in e.never}
    made_by = producers(rules)
    while True:
        names = {name for name, made in made_by.items() if all(r.id in said for r in made)}
        more = {r.id for r in rules if r.id not in said and r.instances and all(_asks(i, names) for i in r.instances)}
        if not more:
            return said
        said |= more


def _asks(instance: Instance, names: set[str]) -> bool:
    """Whether a condition of the instance asks for one of *names*."""
    for part in flatten(instance.when):
        if isinstance(part, PatternIs) and f"pattern {part.name}" in names:
            return True
        if isinstance(part, Fires) and part.key in names:
            return True
    return False


# --- the same said twice -----------------------------------------------------------

_Key = tuple[object, ...]


def _key(conclusion: Conclusion) -> _Key:
    """What a conclusion says, without the id of its rule."""
    match conclusion:
        case Pattern(name=name, of=of):
            return ("pattern", name, of)
        case Vote(tally=tally, side=side, weight=weight):
            return ("vote", tally, str(side), weight)
        case Measure(name=name, fields=fields, topics=topics, of=of, en=en):
            return ("measure", name, tuple((k, str(v)) for k, v in fields), topics, of, en)
        case Verdict(topics=topics, polarity=polarity, en=en, of=of):
            return ("verdict", topics, polarity, of, " ".join(en.lower().split()))
        case Modifier(kind=kind, targets=targets, topics=topics, polarity=polarity, of=of):
            return ("modifier", kind, targets, topics, polarity, of)
        case Role(topics=topics, point=point, zh=zh, en=en):
            return ("role", topics, point.text, zh, en)


def _says(instance: Instance) -> frozenset[_Key]:
    return frozenset(_key(c) for c in instance.conclusions)


def _conditions(instance: Instance) -> frozenset[str]:
    return frozenset(c.key for c in flatten(instance.when))


class _Compared:
    """Instances of one text, compared by where they hold."""

    def __init__(self, rules: Iterable[Rule], swept: Swept) -> None:
        self.rules = list(rules)
        self.masks = swept.masks
        self.of = {i.id: r for r in self.rules for i in r.instances}
        self.says = {i.id: _says(i) for r in self.rules for i in r.instances}
        self.conditions = {i.id: _conditions(i) for r in self.rules for i in r.instances}

    def mask(self, instance: Instance) -> Mask:
        return self.masks.get(instance.id, NOWHERE)

    def decided(self, instance: Instance) -> bool:
        """Whether the sweep decided it everywhere, and it holds somewhere."""
        mask = self.mask(instance)
        return bool(mask.yes) and mask.yes == mask.maybe

    def within(self, a: Instance, b: Instance) -> bool:
        """Whether *a* holds only where *b* does."""
        if self.conditions[b.id] <= self.conditions[a.id]:
            return True
        return self.decided(a) and not self.mask(a).yes & ~self.mask(b).yes

    def same(self, a: Instance, b: Instance) -> bool:
        """Whether *a* and *b* hold on the same charts."""
        if self.conditions[a.id] == self.conditions[b.id]:
            return True
        return self.decided(a) and self.decided(b) and self.mask(a).yes == self.mask(b).yes


def _redundant(rules: list[Rule], swept: Swept) -> Iterator[Problem]:
    """Duplicates, and rules that hold only where another says the same."""
    compared = _Compared(rules, swept)
    asked = {n.rule for r in rules for i in r.instances for n in nodes(i.when) if isinstance(n, Fires)}
    making: dict[_Key, list[Rule]] = defaultdict(list)
    for rule in rules:
        for key in {k for i in rule.instances for k in compared.says[i.id]}:
            making[key].append(rule)
    order = {r.id: n for n, r in enumerate(rules)}
    for rule in rules:
        if not rule.instances or not any(compared.mask(i).maybe for i in rule.instances):
            continue
        others = _sharing(rule, making, compared, order)
        twin = next((o for o in others if order[o.id] < order[rule.id] and _twins(rule, o, compared)), None)
        if twin is not None:
            yield _note(rule, f"says what {twin.id} says, on the same charts; drop one, or write what sets them apart")
        elif rule.id not in asked and (wider := next((o for o in others if _covered(rule, o, compared)), None)):
            yield _note(rule, f"fires only where {wider.id} fires, and says nothing that it does not; drop it, or keep it as the text's own example of it")


def _sharing(rule: Rule, making: dict[_Key, list[Rule]], compared: _Compared, order: dict[str, int]) -> list[Rule]:
    """Other rules that say all that *rule* says and stay awake when it is."""
    keys = [k for i in rule.instances for k in compared.says[i.id]]
    if not keys:
        return []
    rarest = min(dict.fromkeys(keys), key=lambda k: (len(making[k]), str(k)))
    found = [o for o in making[rarest] if o is not rule and o.readings in ((), rule.readings)]
    return sorted(found, key=lambda o: order[o.id])


def _twins(a: Rule, b: Rule, compared: _Compared) -> bool:
    if a.readings != b.readings or len(a.instances) != len(b.instances):
        return False

    def matched(x: Instance, others: tuple[Instance, ...]) -> bool:
        return any(compared.says[x.id] == compared.says[y.id] and compared.same(x, y) for y in others)

    return all(matched(x, b.instances) for x in a.instances)


def _covered(rule: Rule, wider: Rule, compared: _Compared) -> bool:
    """Whether *wider* says everything *rule* says wherever *rule* holds."""
    if any(k[0] == "vote" for i in rule.instances for k in compared.says[i.id]):
        return False  # votes add up
    if all(_twin_of(i, wider, compared) for i in rule.instances):
        return False  # a duplicate, told where the later of the two stands
    live = [i for i in rule.instances if compared.mask(i).maybe]
    return all(
        any(compared.says[i.id] <= compared.says[w.id] and compared.within(i, w) for w in wider.instances)
        for i in live
    )


def _twin_of(instance: Instance, other: Rule, compared: _Compared) -> bool:
    return any(
        compared.says[instance.id] == compared.says[o.id] and compared.same(instance, o) for o in other.instances
    )


# --- one against another -------------------------------------------------------------


def _against(rules: list[Rule], swept: Swept) -> Iterator[Problem]:
    """Good and bad said of one topic on the same charts."""
    compared = _Compared(rules, swept)
    spoken: dict[tuple[str, str | None, tuple[str, ...]], list[tuple[Instance, str]]] = defaultdict(list)
    for rule in rules:
        for instance in rule.instances:
            for verdict in (c for c in instance.conclusions if isinstance(c, Verdict)):
                for topic in verdict.topics:
                    if verdict.polarity in ("good", "bad"):
                        spoken[topic, verdict.of, instance.of].append((instance, verdict.polarity))
    told: set[tuple[str, str]] = set()
    for (topic, _, _), said in spoken.items():
        for n, (later, polarity) in enumerate(said):
            for earlier, other in said[:n]:
                a, b = compared.of[earlier.id], compared.of[later.id]
                if polarity == other or (a.id, b.id) in told or a is b or not _together(a, b):
                    continue
                if compared.mask(later).maybe and compared.same(earlier, later) and not _settled(a, b):
                    told.add((a.id, b.id))
                    yield _note(b, f"is {polarity} for {topic} on the very charts on which {a.id} is {other}; look at the verses again, or let a modifier say which of them gives way")


def _together(a: Rule, b: Rule) -> bool:
    """Whether both may be awake at once: not two readings of one passage."""
    return not (a.readings and b.readings and a.readings != b.readings and a.passage == b.passage)


def _settled(a: Rule, b: Rule) -> bool:
    return any(_aims(m, y) for x, y in ((a, b), (b, a)) for m in _modifiers(x))


def _modifiers(rule: Rule) -> list[Modifier]:
    return [c for i in rule.instances for c in i.conclusions if isinstance(c, Modifier)]


# --- modifiers that never act -----------------------------------------------------------


def _aims(modifier: Modifier, rule: Rule) -> bool:
    tested = {n.name for i in rule.instances for n in nodes(i.when) if isinstance(n, PatternIs)}
    return any(t[8:] in tested if t.startswith("pattern:") else fnmatchcase(rule.id, t) for t in modifier.targets)


def _idle_modifiers(rules: list[Rule], swept: Swept) -> Iterator[Problem]:
    """Modifiers that never meet what they act on."""
    for rule in rules:
        for modifier in dict.fromkeys(_modifiers(rule)):
            acting = [i for i in rule.instances if modifier in i.conclusions]
            where = _union(acting, swept, lambda m: m.maybe)
            if not where:
                continue  # the rule itself never fires, which is told of the rule
            aimed = [(t, i) for t in rules if t is not rule and _aims(modifier, t) for i in t.instances if _touches(modifier, i)]
            what = f"a modifier {modifier.kind} {', '.join(modifier.targets)}"
            if not aimed:
                yield _note(rule, f"{what}, where nothing is said that it could act on; name another target, or widen `polarity` and `of`")
            elif not where & _union([i for _, i in aimed], swept, lambda m: m.maybe):
                yield _note(rule, f"{what}, which never fires on a chart on which this rule fires; look at the conditions of both")


def _touches(modifier: Modifier, instance: Instance) -> bool:
    """Whether the instance says something the modifier acts on."""
    for said in instance.conclusions:
        if not isinstance(said, Judged):
            continue
        if modifier.polarity and not (isinstance(said, Verdict) and said.polarity == modifier.polarity):
            continue
        if modifier.of is None or modifier.of in Subject(said, instance).points:
            return True
    return False


def _union(instances: Iterable[Instance], swept: Swept, part: Callable[[Mask], int]) -> int:
    found = 0
    for instance in instances:
        found |= part(swept.masks.get(instance.id, NOWHERE))
    return found
