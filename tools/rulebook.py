"""``liuren rules list|show|search``: finding rules and reading them in words."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import click
from liuren.engine.language.conclusions import (
    Measure,
    Pattern,
    Role,
    Rule,
    Value,
    Verdict,
    Vote,
)
from liuren.engine.language.conditions import PatternIs, Related, SlotIs, flatten, nodes
from liuren.engine.lessons import Swept, sweep_lessons
from liuren.engine.library import Library
from liuren.engine.normalise import normalise
from liuren.engine.questions import find_topic
from liuren.engine.standing import within
from liuren.facts.errors import UserError
from liuren.facts.points import Point, PointError, nearest, parse_point
from liuren.facts.relations import RELATIONS
from liuren.facts.slots import LESSON_SLOTS, PERSON_SLOTS, RECORD_SLOTS, SLOTS

from .phrases import Phrases
from .report import heading
from .rulewords import (
    conclusion_words,
    condition_words,
    examples_of,
    frequency,
    percent,
    question_words,
)
from .words import Words

SCHEMA = "liuren.rules/1"


# --- choosing --------------------------------------------------------------------


def choose(library: Library, **filters: str | None) -> list[Rule]:
    """The rules that fit every filter given, in the order of the knowledge base.

    Args:
        library: the knowledge base.
        filters: ``text``, ``passage``, ``topic``, ``point``, ``slot``, ``spirit``,
            ``general``, ``pattern``, ``role``, ``polarity``.

    Raises:
        UserError: a filter names something that does not exist.
    """
    tests = [_TESTS[name](value, library) for name, value in filters.items() if value is not None]
    return [r for r in library.kb.rules.values() if all(test(r) for test in tests)]


def _known(value: str, known: Iterable[str], what: str) -> str:
    names = list(dict.fromkeys(known))
    value = value if value in names else normalise(value)
    if value not in names:
        near = nearest(value, names)
        raise UserError(f"«{value}» is no {what}" + (f"; did you mean {near}?" if near else f"; known: {', '.join(names[:30])}."))
    return value


def _text(value: str, library: Library) -> Any:
    text = _known(value, library.kb.texts, "text")
    return lambda rule: rule.text == text


def _passage(value: str, library: Library) -> Any:
    passage = _known(value, library.kb.passages, "passage")
    return lambda rule: rule.passage == passage


def _topic(value: str, library: Library) -> Any:
    topic, parents = find_topic(value, library.kb.lexicon), library.kb.lexicon.topics

    def speaks(rule: Rule) -> bool:
        topics = {t for c in _conclusions(rule) for t in getattr(c, "topics", ())}
        return any(within(t, (topic,), parents) for t in topics)

    return speaks


def _point(value: str, library: Library) -> Any:
    try:
        wanted = parse_point(normalise(value), library.kb.lexicon.points).text
    except PointError as error:
        raise UserError(f"{error}.") from None
    return lambda rule: any(p.text == wanted for p in points_of(rule))


def _slot(value: str, library: Library) -> Any:
    records = {s for slots in RECORD_SLOTS.values() for s in slots}
    known = [*SLOTS, *LESSON_SLOTS, *PERSON_SLOTS, *sorted(records), *RELATIONS, *library.kb.lexicon.told]
    slot = _known(value, known, "slot or relation")

    def asks(rule: Rule) -> bool:
        return any(
            (isinstance(n, SlotIs) and n.slot == slot) or (isinstance(n, Related) and slot in n.relations)
            for i in rule.instances
            for n in nodes(i.when)
        )

    return asks


def _spirit(value: str, library: Library) -> Any:
    spirit = _known(value, library.kb.lexicon.points.spirits, "spirit")
    return lambda rule: any(p.name == spirit for p in points_of(rule))


def _general(value: str, library: Library) -> Any:
    general = _known(value, library.kb.lexicon.points.generals, "general")

    def looks(rule: Rule) -> bool:
        slots = (n for i in rule.instances for n in nodes(i.when) if isinstance(n, SlotIs))
        return any(p.name == general for p in points_of(rule)) or any(general in n.values for n in slots)

    return looks


def _pattern(value: str, library: Library) -> Any:
    made = {r.id: _patterns(r) for r in library.kb.rules.values()}
    pattern = _known(value, (p for names in made.values() for p in names), "pattern")
    return lambda rule: pattern in made[rule.id]


def _patterns(rule: Rule) -> tuple[str, ...]:
    """Patterns a rule tests or concludes."""
    tested = [n.name for i in rule.instances for n in nodes(i.when) if isinstance(n, PatternIs)]
    return tuple(dict.fromkeys((*tested, *(c.name for c in _conclusions(rule) if isinstance(c, Pattern)))))


def _role(value: str, library: Library) -> Any:
    word = normalise(value).lower()

    def names(rule: Rule) -> bool:
        roles = [c for c in _conclusions(rule) if isinstance(c, Role)]
        return any(word == "any" or word in f"{r.zh} {r.en} {r.ko} {r.point}".lower() for r in roles)

    return names


def _polarity(value: str, library: Library) -> Any:
    polarity = _known(value, library.kb.lexicon.polarities, "polarity")
    return lambda rule: any(isinstance(c, Verdict) and c.polarity == polarity for c in _conclusions(rule))


_TESTS = {
    "text": _text,
    "passage": _passage,
    "topic": _topic,
    "point": _point,
    "slot": _slot,
    "spirit": _spirit,
    "general": _general,
    "pattern": _pattern,
    "role": _role,
    "polarity": _polarity,
}


def _conclusions(rule: Rule) -> Iterator[Any]:
    return (c for i in rule.instances for c in i.conclusions)


def points_of(rule: Rule) -> Iterator[Point]:
    """Every point a rule looks at or names, inner points too."""
    for instance in rule.instances:
        for node in nodes(instance.when):
            if isinstance(node, SlotIs):
                yield from _within(node.point)
            elif isinstance(node, Related):
                for point in (node.point, *node.others):
                    yield from _within(point)
        for conclusion in instance.conclusions:
            for value in _values(conclusion):
                if value.point is not None:
                    yield from _within(value.point)


def _values(conclusion: object) -> Iterator[Value]:
    match conclusion:
        case Vote(side=side):
            yield side
        case Measure(fields=fields):
            yield from (v for _, v in fields)
        case Role(point=point):
            yield Value(point)


def _within(point: Point) -> Iterator[Point]:
    yield point
    for arg in point.args:
        yield from _within(arg)


def search(rules: Sequence[Rule], words: Sequence[str], library: Library) -> list[Rule]:
    """The rules in which every one of *words* occurs: quotation, words, names, notes, id."""
    wanted = [normalise(w).lower() for w in words]
    return [r for r in rules if all(w in _text_of(r, library) for w in wanted)]


def _text_of(rule: Rule, library: Library) -> str:
    passage = library.kb.passages[rule.passage]
    parts = [rule.id, rule.quote, normalise(rule.quote), *(v for _, v in passage.title), *(v for _, v in rule.note)]
    for c in _conclusions(rule):
        parts += [str(getattr(c, name, "") or "") for name in ("name", "tally", "zh", "en", "ko")]
        parts += list(getattr(c, "topics", ()))
    parts += _patterns(rule)
    return "\n".join(parts).lower()


def find(id: str, library: Library) -> list[Rule]:
    """The rules that *id* means: a rule, a passage's, or those that conclude a pattern.

    Raises:
        UserError: it means none.
    """
    kb = library.kb
    rule = kb.rules.get(id.split("@")[0])
    if rule is not None:
        return [rule]
    if id in kb.passages:
        return [r for r in kb.passages[id].rules if r.id in kb.rules]
    name = normalise(id)
    made = [r for r in kb.rules.values() if any(isinstance(c, Pattern) and c.name == name for c in _conclusions(r))]
    if made:
        return made
    patterns = {c.name for r in kb.rules.values() for c in _conclusions(r) if isinstance(c, Pattern)}
    near = nearest(name, [*kb.rules, *kb.passages, *sorted(patterns)])
    raise UserError(f"«{id}» is no rule, passage or pattern" + (f"; did you mean {near}?" if near else "; ask `liuren rules search`."))


def sweep_of(rules: Sequence[Rule], library: Library, jobs: int | None) -> Swept:
    """How *rules* fare on the 720 lessons in twelve months."""
    return sweep_lessons(library, rules, jobs)


# --- list --------------------------------------------------------------------------


def list_json(rules: Sequence[Rule]) -> dict[str, Any]:
    """``rules list --json``: id, text, passage, quote, where it stands, what kinds it concludes."""
    return {
        "schema": SCHEMA,
        "total": len(rules),
        "rules": [
            {
                "id": r.id, "text": r.text, "passage": r.passage, "quote": r.quote, "file": r.file, "line": r.line,
                "readings": list(r.readings),
                "concludes": list(dict.fromkeys(type(c).__name__.lower() for c in _conclusions(r))),
            }
            for r in rules
        ],
    }  # fmt: skip


def list_lines(rules: Sequence[Rule], words: Words) -> list[str]:
    """A line for each rule with what it concludes, and their number."""
    phrases = Phrases(words)
    lines = []
    for rule in rules:
        said = rule.instances[0].conclusions if rule.instances else ()
        lines.append(f"{rule.id}  「{rule.quote}」")
        lines += [click.style(f"    {conclusion_words(c, phrases, rule.quote)}", dim=True) for c in said]
    return [*lines, f"{len(rules)} {words.ui('rules')}"]


# --- show ----------------------------------------------------------------------------


def show_json(rules: Sequence[Rule], swept: Swept | None, words: Words) -> dict[str, Any]:
    """``rules show --json``: each rule with conditions and conclusions in words."""
    return {"schema": SCHEMA, "total": len(rules), "rules": [_show(r, swept, words) for r in rules]}


def _show(rule: Rule, swept: Swept | None, words: Words) -> dict[str, Any]:
    phrases, passage = Phrases(words), words.library.kb.passages[rule.passage]
    first = rule.instances[0]
    return {
        "id": rule.id, "text": rule.text, "passage": rule.passage, "title": dict(passage.title),
        "edition": passage.edition, "lines": list(passage.lines), "quote": rule.quote,
        "choices": [list(i.of) for i in rule.instances if i.of],
        "when": condition_words(first, phrases),
        "keys": [c.key for c in flatten(first.when)],
        "then": [conclusion_words(c, phrases, rule.quote) for c in first.conclusions],
        "readings": list(rule.readings),
        "awake": words.library.awake(rule, {}),
        "note": dict(rule.note),
        "examples": [{"kind": k, "given": dict(e.given), "line": e.line} for k, e in examples_of(rule, words.library)],
        "sweep": frequency(rule, swept) if swept else None,
        "file": rule.file, "line": rule.line,
    }  # fmt: skip


def show_lines(rules: Sequence[Rule], swept: Swept | None, words: Words) -> list[str]:
    """Each rule in words."""
    lines: list[str] = []
    for rule in rules:
        lines += [*([""] if lines else []), *rule_lines(rule, swept, words)]
    return lines


def rule_lines(rule: Rule, swept: Swept | None, words: Words) -> list[str]:
    """One rule: where it stands, what it asks and says, its readings, examples, frequency."""
    library, phrases = words.library, Phrases(words)
    passage = library.kb.passages[rule.passage]
    first = rule.instances[0]
    lines = [
        heading(rule.id),
        f"  {words.text(rule.text)} · {words.passage(rule.passage)} · 「{rule.quote}」",
        click.style(f"  {passage.edition}, {words.ui('lines')} {passage.lines[0]}–{passage.lines[1]}; {rule.file}:{rule.line}", dim=True),
    ]
    if first.of:
        choices = " ".join("/".join(i.of) for i in rule.instances)
        lines.append(f"  {words.ui('each_of')}: {choices}")
    lines += [f"  {words.ui('when')}"] + [f"    {c}" for c in condition_words(first, phrases)]
    lines += [f"  {words.ui('then')}"] + [f"    {conclusion_words(c, phrases, rule.quote)}" for c in first.conclusions]
    lines += _reading_lines(rule, words)
    if note := words.pick(dict(rule.note)):
        lines.append(f"  {words.ui('note')}: {note}")
    for kind, example in examples_of(rule, library):
        said = question_words(dict(example.given)) if kind != "never" else words.pick(dict(example.because))
        lines.append(f"  {words.ui(f'example_{kind}')}: {said}")
    if swept is not None:
        lines.append(f"  {frequency_words(frequency(rule, swept), words)}")
    return lines


def _reading_lines(rule: Rule, words: Words) -> list[str]:
    library, lines = words.library, []
    cruces = {c.id: c for c in library.kb.passages[rule.passage].cruces}
    for reading in rule.readings:
        lines.append(f"  {words.ui('reading_of')}: {reading}" + ("" if library.awake(rule, {}) else f" ({words.ui('asleep')})"))
        for part in reading.split("&"):
            crux, _, option = part.strip().partition("=")
            for id, by, note in cruces[crux].options if crux in cruces else ():
                if id == option:
                    lines.append(f"    「{cruces[crux].lem}」 {by}: {words.pick(dict(note))}")
    return lines


def frequency_words(counts: dict[str, int], words: Words) -> str:
    """How often a rule fires, in one line."""
    line = words.ui("fires_on").format(share=percent(counts["fires"], counts["of"]), **counts)
    return line + (f"; {words.ui('undecided_on').format(**counts)}" if counts["unknown"] else "")

