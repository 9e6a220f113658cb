"""From YAML to passages with their rules."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from .conclude import parse_conclusions
from .conclusions import Instance, Rule
from .conditions import AllOf, Condition, flatten
from .parser import parse_conditions
from .scope import QUOTE_LIMIT, Scope
from .source import Mapping, Sequence, Text, line_of

KEY = re.compile(r"[a-z0-9][a-z0-9_.-]*")
PASSAGE_KEYS = (
    "id", "title", "locus", "readings", "emendations", "rules", "worked", "notes",
    "untranslatable", "open", "examples", "note",
)  # fmt: skip
RULE_KEYS = (
    "key", "quote", "reading", "each", "given", "when", "then", "table", "columns", "rows", "note",
)
ROW_KEYS = ("quote", "when", "then", "reading", "note")
CRUX_KEYS = ("id", "lem", "default", "options", "note")
OPTION_KEYS = ("id", "by", "note", "rdg")
EMENDATION_KEYS = ("lem", "rdg", "by", "note")
CLAUSE_KEYS = {
    "worked": ("key", "quote", "case", "note"),
    "notes": ("key", "quote", "note"),
    "untranslatable": ("key", "quote", "reason"),
    "open": ("key", "quote", "note"),
}
FATES = tuple(CLAUSE_KEYS)
"""What can become of a clause that is no rule; ``open`` ones wait for a fate."""
LOCUS_KEYS = ("edition", "lines", "sum")
EXAMPLE_KEYS = ("given", "fires", "near", "not", "unknown", "never", "because", "note")
LANGUAGES = ("zh", "ko", "en")


@dataclass(frozen=True, slots=True)
class Crux:
    """A place that can be read in several ways: its options and the default ones."""

    id: str
    lem: str
    default: tuple[str, ...]
    options: tuple[tuple[str, str, tuple[tuple[str, str], ...]], ...]  # id, by, note


@dataclass(frozen=True, slots=True)
class Emendation:
    """What the edition prints and what should stand there."""

    lem: str
    rdg: str
    by: str
    note: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Clause:
    """A clause that is no rule: ``worked``, ``notes``, ``untranslatable`` or ``open``."""

    id: str
    fate: str
    quote: str
    words: tuple[tuple[str, str], ...]
    case: str = ""
    line: int = 0


@dataclass(frozen=True, slots=True)
class Example:
    """A chart and the rules it must or must not fire."""

    given: tuple[tuple[str, Any], ...]
    fires: tuple[str, ...]
    near: tuple[str, ...]
    not_: tuple[str, ...]
    unknown: tuple[str, ...]
    never: tuple[str, ...]
    because: tuple[tuple[str, str], ...]
    line: int


@dataclass(frozen=True, slots=True)
class Passage:
    """A passage of a text with the fate of each of its clauses."""

    id: str
    text: str
    title: tuple[tuple[str, str], ...]
    edition: str
    lines: tuple[int, int]
    sum: str
    cruces: tuple[Crux, ...]
    emendations: tuple[Emendation, ...]
    rules: tuple[Rule, ...]
    clauses: tuple[Clause, ...]
    examples: tuple[Example, ...]
    file: str
    line: int


def parse_passage(data: object, scope: Scope, editions: dict[str, Any]) -> Passage | None:
    """One passage of a file; problems are reported to *scope*."""
    if not isinstance(data, dict) or not isinstance(data.get("id"), str):
        scope.error(data, "a passage wants an `id`; if this is the rest of the passage before, take its «- » away")
        return None
    id = str(data["id"])
    scope = Scope(scope.lexicon, scope.file, scope.text, id, id, scope.report)
    if not re.fullmatch(re.escape(scope.text) + r"(\.[a-z0-9_-]+)+", id):
        scope.error(data["id"], f"«{id}» must begin with «{scope.text}.» and be ascii")
    _known(data, PASSAGE_KEYS, "a passage", scope)
    edition, lines, digest = _locus(data, scope, editions)
    cruces = tuple(c for c in (_crux(x, scope) for x in _list(data, "readings", scope)) if c)
    keys: dict[str, int] = {}
    rules = [
        rule
        for item in _list(data, "rules", scope)
        for rule in _rules(item, scope, cruces, keys)
    ]
    clauses = [
        clause
        for fate in FATES
        for item in _list(data, fate, scope)
        if (clause := _clause(item, fate, scope, keys))
    ]
    return Passage(
        id=id,
        text=scope.text,
        title=_named(data.get("title"), LANGUAGES, "a title", data, scope),
        edition=edition,
        lines=lines,
        sum=digest,
        cruces=cruces,
        emendations=tuple(_emendation(e, scope) for e in _list(data, "emendations", scope)),
        rules=tuple(rules),
        clauses=tuple(clauses),
        examples=tuple(
            e for x in _list(data, "examples", scope) if (e := _example(x, scope, keys))
        ),
        file=scope.file,
        line=line_of(data),
    )


def _list(data: dict[str, Any], key: str, scope: Scope) -> list[Any]:
    value = data.get(key) or []
    if not isinstance(value, list):
        scope.error(data, f"`{key}` is a list", getattr(data, "lines", {}).get(key, 0))
        return []
    return value


def _known(data: dict[str, Any], allowed: tuple[str, ...], what: str, scope: Scope) -> None:
    for key in data:
        if key not in allowed:
            line = getattr(data, "lines", {}).get(key, 0)
            scope.error(data, f"{what} has no «{key}»; known: {', '.join(allowed)}", line)


def _named(
    data: object, wanted: tuple[str, ...], what: str, where: object, scope: Scope
) -> tuple[tuple[str, str], ...]:
    if isinstance(data, str) and "zh" not in wanted:
        return (("en", str(data)),)
    if not isinstance(data, dict):
        scope.error(where, f"{what} wants words in {', '.join(wanted)}")
        return ()
    for language in wanted:
        if not str(data.get(language) or "").strip():
            scope.error(data, f"{what} wants words in `{language}`")
    for key in data:
        if key not in LANGUAGES:
            line = getattr(data, "lines", {}).get(key, 0)
            scope.error(data, f"{what} has words in {', '.join(LANGUAGES)}, not «{key}»; in braces a text with a comma wants quotes", line)
    return tuple((k, str(v)) for k, v in data.items())


def _note(data: object, scope: Scope) -> tuple[tuple[str, str], ...]:
    if data is None:
        return ()
    return _named(data, ("en",), "a note", data, scope)


def _locus(
    data: dict[str, Any], scope: Scope, editions: dict[str, Any]
) -> tuple[str, tuple[int, int], str]:
    locus = data.get("locus")
    if not isinstance(locus, dict) or str(locus.get("edition")) not in editions:
        given = f", not «{locus.get('edition')}»" if isinstance(locus, dict) else ""
        line = getattr(data, "lines", {}).get("locus", 0)
        scope.error(data, f"`locus` wants an edition of texts.yaml: {', '.join(editions)}{given}", line)
        return "", (0, 0), ""
    lines = locus.get("lines")
    if not (isinstance(lines, list) and len(lines) == 2 and all(isinstance(n, int) for n in lines)):
        scope.error(locus, "`locus` wants `lines: [first, last]`")
        return str(locus["edition"]), (0, 0), ""
    _known(locus, LOCUS_KEYS, "`locus`", scope)
    return str(locus["edition"]), (lines[0], lines[1]), str(locus.get("sum") or "")


def _quote(data: dict[str, Any], scope: Scope, fallback: str = "") -> str:
    quote = data.get("quote", fallback)
    if not isinstance(quote, str) or not quote:
        scope.error(data, "a clause wants a `quote` from the edition")
        return ""
    if len(quote) > QUOTE_LIMIT:
        line = getattr(data, "lines", {}).get("quote", 0)
        scope.error(data, f"the quote «{quote}» has {len(quote)} characters; at most {QUOTE_LIMIT}", line)
    return str(quote)


def _key(data: dict[str, Any], scope: Scope, keys: dict[str, int]) -> str | None:
    key = data.get("key")
    if isinstance(key, int):
        key = str(key)
    if not isinstance(key, str) or not KEY.fullmatch(key):
        scope.error(data, f"«{key}» is no key; use small letters, digits, «_», «-» and «.»")
        return None
    return _claim(key, data, scope, keys)


def _claim(key: str, data: object, scope: Scope, keys: dict[str, int]) -> str:
    if key in keys:
        scope.at(f"{scope.passage}/{key}").error(
            data,
            f"the key «{key}» stands twice in this passage; first on line {keys[key]}; give the copy a key of its own",
        )
    keys.setdefault(key, line_of(data))
    return key


def _crux(data: object, scope: Scope) -> Crux | None:
    if not isinstance(data, dict) or not data.get("id") or not isinstance(data.get("options"), list):
        scope.error(data, "a reading wants id, lem, default and options")
        return None
    _known(data, CRUX_KEYS, "a reading", scope)
    options = []
    for option in data["options"]:
        if not isinstance(option, dict) or not option.get("id"):
            scope.error(option, "an option of a reading wants an `id` and `by`")
            continue
        _known(option, OPTION_KEYS, "an option of a reading", scope)
        options.append((str(option["id"]), str(option.get("by", "")), _note(option.get("note"), scope)))
    default = data.get("default")
    chosen = tuple(str(d) for d in (default if isinstance(default, list) else [default]))
    for name in chosen:
        if name not in {o[0] for o in options}:
            scope.error(data, f"the default «{name}» is none of the options {', '.join(o[0] for o in options)}")
    lem = str(data.get("lem") or "")
    if len(lem) > QUOTE_LIMIT:
        scope.error(data, f"the lemma «{lem}» has {len(lem)} characters; at most {QUOTE_LIMIT}")
    return Crux(str(data["id"]), lem, chosen, tuple(options))


def _emendation(data: object, scope: Scope) -> Emendation:
    if not isinstance(data, dict):
        scope.error(data, "an emendation is written `{lem, rdg, by, note}`")
        return Emendation("", "", "", ())
    _known(data, EMENDATION_KEYS, "an emendation", scope)
    for name in ("lem", "rdg"):
        if len(str(data.get(name) or "")) > QUOTE_LIMIT:
            scope.error(data, f"`{name}` of an emendation has at most {QUOTE_LIMIT} characters")
    lem, rdg, by = (str(data.get(k) or "") for k in ("lem", "rdg", "by"))
    return Emendation(lem, rdg, by, _note(data.get("note"), scope))


def _clause(data: object, fate: str, scope: Scope, keys: dict[str, int]) -> Clause | None:
    if not isinstance(data, dict):
        scope.error(data, f"an item of `{fate}` wants key and quote")
        return None
    _known(data, CLAUSE_KEYS[fate], f"an item of `{fate}`", scope)
    key = _key(data, scope, keys)
    if key is None:
        return None
    scope = scope.at(f"{scope.passage}/{key}")
    quote = _quote(data, scope)
    if fate == "worked" and not isinstance(data.get("case"), str):
        scope.error(data, "a worked clause wants the `case` it is a line of")
    if fate in ("worked", "open"):
        case = str(data.get("case") or "")
        return Clause(scope.id, fate, quote, _note(data.get("note"), scope), case, line_of(data))
    words = _named(data.get(CLAUSE_KEYS[fate][-1]), ("en", "ko"), f"an item of `{fate}`", data, scope)
    return Clause(scope.id, fate, quote, words, "", line_of(data))


# --- rules ---------------------------------------------------------------------


def _rules(
    data: object, scope: Scope, cruces: tuple[Crux, ...], keys: dict[str, int]
) -> Iterator[Rule]:
    if not isinstance(data, dict):
        scope.error(data, "a rule wants key, quote, when and then")
        return
    key = _key(data, scope, keys)
    if key is None:
        return
    scope = scope.at(f"{scope.passage}/{key}")
    _known(data, RULE_KEYS, "a rule", scope)
    quote = _quote(data, scope)
    if "table" in data or "rows" in data:
        for row_key, row in _rows(data, scope):
            name = _claim(row_key, row, scope, keys)
            here = scope.at(f"{scope.passage}/{name}")
            yield _rule(name, row, _quote(row, here, quote), here, cruces, clause=key)
        return
    yield _rule(key, data, quote, scope, cruces, clause=key)


def _rows(data: dict[str, Any], scope: Scope) -> Iterator[tuple[str, dict[str, Any]]]:
    """The rows of a table, each as a whole rule."""
    given = data.get("given") or []
    base: dict[str, Any] = {k: data[k] for k in ("each", "reading", "note") if k in data}
    if "rows" in data:
        yield from _columns(data, base, given, scope)
        return
    table = data["table"]
    if not isinstance(table, dict) or not table:
        scope.error(data, "`table` wants rows: `{key: {when, then}}`")
        return
    for key, row in table.items():
        body = row if isinstance(row, dict) else {"when": row}
        if isinstance(row, dict):
            _known(row, ROW_KEYS, "a row of a table", scope)
        when = _joined(given, data.get("when"), body.get("when"))
        yield str(key), _marked({**base, "then": data.get("then"), **body, "when": when}, data, key)


def _columns(
    data: dict[str, Any], base: dict[str, Any], given: Any, scope: Scope
) -> Iterator[tuple[str, dict[str, Any]]]:
    columns, rows = data.get("columns"), data["rows"]
    if not isinstance(columns, list) or not isinstance(rows, dict) or not all(isinstance(c, str) for c in columns):
        scope.error(data, "a table wants `columns: [names]` and `rows: {key: [values]}`")
        return
    used = {m for item in _strings([given, data.get("when"), data.get("then")]) for m in _slots(item)}
    for name in sorted(used - set(columns)):
        scope.error(data, f"«<{name}>» is no column; the columns are {', '.join(columns)}")
    if used - set(columns):
        return
    for key, row in rows.items():
        if not isinstance(row, list) or len(row) != len(columns):
            line = getattr(rows, "lines", {}).get(key, 0)
            size = len(row) if isinstance(row, list) else 0
            scope.error(rows, f"row «{key}» has {size} values for {len(columns)} columns", line)
            continue
        values = dict(zip(columns, row, strict=True))
        body: dict[str, Any] = {
            **base,
            "when": _fill(_joined(given, data.get("when")), values),
            "then": _fill(data.get("then"), values),
        }
        for name in ("quote", "reading", "note"):
            if values.get(name) is not None:
                body[name] = values[name]
        yield str(key), _marked(body, rows, key)


_SLOT = re.compile(r"<([a-z][a-z0-9_]*)>")


def _slots(text: str) -> list[str]:
    return _SLOT.findall(text)


def _strings(value: Any) -> Iterator[str]:
    if isinstance(value, dict):
        for k, v in value.items():
            yield k
            yield from _strings(v)
    elif isinstance(value, list):
        for v in value:
            yield from _strings(v)
    elif isinstance(value, str):
        yield value


def _fill(value: Any, row: dict[str, Any]) -> Any:
    """*value* with ``<column>`` replaced: whole values as they are, parts as text."""
    if isinstance(value, dict):
        filled = Mapping((str(_fill(k, row)), _fill(v, row)) for k, v in value.items())
        filled.line, filled.lines = line_of(value), dict(getattr(value, "lines", {}))
        return filled
    if isinstance(value, list):
        items = Sequence(_fill(v, row) for v in value)
        items.line = line_of(value)
        return items
    if isinstance(value, str) and (match := _SLOT.fullmatch(value)):
        return row[match[1]]
    if isinstance(value, str) and _SLOT.search(value):
        text = Text(_SLOT.sub(lambda m: str(row[m[1]]), value))
        text.line = line_of(value)
        return text
    return value


def _join(*parts: Any) -> list[Any]:
    joined: list[Any] = []
    for part in parts:
        if part is not None and part != "always":
            joined.extend(part if isinstance(part, list) else [part])
    return joined


def _joined(*parts: Any) -> Any:
    """The conditions of a row; ``always`` if one part says so and none says more."""
    return _join(*parts) or ("always" if "always" in parts else None)


def _marked(body: dict[str, Any], parent: Any, key: str) -> Mapping:
    marked = Mapping(body)
    own = parent.get("table") if isinstance(parent, dict) and "table" in parent else parent
    marked.line = getattr(own, "lines", {}).get(key, line_of(parent))
    marked.lines = {}
    return marked


def _rule(
    key: str, data: dict[str, Any], quote: str, scope: Scope, cruces: tuple[Crux, ...], clause: str
) -> Rule:
    when = _join(data.get("given"), data.get("when"))
    for name in ("when", "then"):
        if data.get(name) in (None, "", [], {}):
            hint = "; write `always` for a clause without condition" if name == "when" else ""
            scope.error(data, f"a rule wants `{name}`{hint}")
    instances = tuple(
        _instance(data, when, scope.bind(variables), variables)
        for variables in _choices(data.get("each"), scope)
    )
    return Rule(
        id=scope.id,
        text=scope.text,
        passage=scope.passage,
        key=key,
        quote=quote,
        readings=_readings(data.get("reading"), scope, cruces),
        note=_note(data.get("note"), scope),
        file=scope.file,
        line=line_of(data),
        instances=instances,
        clause=clause,
    )


def _choices(each: object, scope: Scope) -> list[dict[str, str]]:
    """Every choice of the variables; two variables never take one point."""
    if each is None:
        return [{}]
    if not isinstance(each, dict) or not each:
        scope.error(each, "`each` wants variables: `{x: [課, 傳]}`")
        return []
    names = list(each)
    for name in names:
        if not re.fullmatch("[a-z]", name):
            scope.error(each, f"the variable «{name}» must be one small letter")
            return []
    pools = [[p.text for p in scope.members(each[name])] for name in names]
    return [
        dict(zip(names, choice, strict=True))
        for choice in itertools.product(*pools)
        if len(set(choice)) == len(choice)
    ]


def _instance(
    data: dict[str, Any], when: list[Any], scope: Scope, variables: dict[str, str]
) -> Instance:
    of = tuple(variables.values())
    id = scope.id + (f"@{','.join(of)}" if of else "")
    parsed: Condition = AllOf(flatten(parse_conditions(when or "always", scope)))
    conclusions = parse_conclusions(data.get("then"), id, scope) if data.get("then") else ()
    return Instance(id, scope.id, of, parsed, conclusions)


def conjuncts(reading: str) -> tuple[tuple[str, str], ...]:
    """The (crux, option) pairs of a rule's reading: ``a=x`` or ``a=x & b=y``."""
    pairs = (part.strip().partition("=") for part in reading.split("&"))
    return tuple((crux, option) for crux, _, option in pairs)


def _readings(data: object, scope: Scope, cruces: tuple[Crux, ...]) -> tuple[str, ...]:
    if data is None:
        return ()
    known = {(c.id, o[0]) for c in cruces for o in c.options}
    found = []
    for item in data if isinstance(data, list) else [data]:
        wrong = [f"{c}={o}" for c, o in conjuncts(str(item)) if (c, o) not in known]
        if wrong:
            listed = ", ".join(sorted(f"{c}={o}" for c, o in known)) or "none"
            scope.error(item, f"«{wrong[0]}» is no reading of this passage; known: {listed}")
        else:
            found.append(str(item))
    return tuple(found)


# --- examples ------------------------------------------------------------------


def _example(data: object, scope: Scope, keys: dict[str, int]) -> Example | None:
    if not isinstance(data, dict):
        scope.error(data, "an example is written `{given: {…}, fires: [keys]}`")
        return None
    _known(data, EXAMPLE_KEYS, "an example", scope)
    given = data.get("given") or {}
    if not isinstance(given, dict) or (not given and "never" not in data):
        scope.error(data, "an example wants `given:` with a question")
        return None
    groups: dict[str, tuple[str, ...]] = {}
    for name in ("fires", "near", "not", "unknown", "never"):
        values = data.get(name) or []
        groups[name] = tuple(str(k) for k in (values if isinstance(values, list) else [values]))
        for key in groups[name]:
            if key.split("@")[0] not in keys:
                scope.error(data, f"«{key}» is no rule of this passage")
    return Example(
        given=tuple(given.items()),
        fires=groups["fires"],
        near=groups["near"],
        not_=groups["not"],
        unknown=groups["unknown"],
        never=groups["never"],
        because=_note(data.get("because"), scope),
        line=line_of(data),
    )
