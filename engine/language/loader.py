"""Reading a whole knowledge base: every file, every mistake, one object."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from liuren.engine.data import load_data, packaged
from liuren.facts.errors import UserError
from liuren.facts.points import nearest

from .characters import variant_names
from .conclusions import Rule
from .levels import Cycle, levels
from .lexicon import build_lexicon, spirit_keys
from .passages import Passage, parse_passage
from .references import check_references
from .scope import Lexicon, Scope
from .source import Problem, SourceError, line_of, read_yaml


@dataclass(frozen=True, slots=True)
class TextInfo:
    """A work: its titles, the doctrine it is cast by, its editions."""

    id: str
    title: Mapping[str, str]
    doctrine: str
    editions: tuple[str, ...]


@dataclass(frozen=True, slots=True, eq=False)
class KnowledgeBase:
    """Everything the rules say, with the problems found on the way.

    Attributes:
        lexicon: the closed lists.
        spirit_keys: spirit name to ascii key.
        texts, passages, rules: by id, in file order.
        levels: rule id to its level within its text.
        problems: what is wrong, by file and line; rules with problems are left
            out of *rules*.
    """

    lexicon: Lexicon
    spirit_keys: Mapping[str, str]
    texts: Mapping[str, TextInfo]
    passages: Mapping[str, Passage]
    rules: Mapping[str, Rule]
    levels: Mapping[str, int]
    problems: tuple[Problem, ...]


def text_files(kb_dir: str | Path | None) -> Iterator[tuple[Path, str]]:
    """The passage files of a knowledge base, sorted, with the name to show."""
    root = Path(kb_dir) if kb_dir is not None else Path(str(packaged()))
    if not (root / "texts.yaml").is_file():
        raise UserError(f"«{root}» is no knowledge base: it has no texts.yaml.")
    for path in sorted((root / "texts").rglob("*.yaml")):
        yield path, path.relative_to(root).as_posix()


def load_knowledge(
    kb_dir: str | Path | None = None,
    only: tuple[Path, ...] | None = None,
    overlay: Mapping[str, Path] | None = None,
    choose: Callable[[Path, str], bool] | None = None,
) -> KnowledgeBase:
    """Read a knowledge base; mistakes are collected in ``problems``.

    Args:
        kb_dir: a directory that stands elsewhere; the packaged one if ``None``.
        only: read these passage files instead of those of *kb_dir*.
        overlay: files to read beside those of *kb_dir*, by the name messages give
            them; one with the name of a file there is read in its place.
        choose: says of a path and name whether that file is read; all are without it.

    Raises:
        UserError: the directory or one of its closed lists cannot be read.
    """

    def load(name: str) -> Any:
        return load_data(name, kb_dir)

    lexicon, keys = build_lexicon(load), spirit_keys(load)
    texts = {
        id: TextInfo(id, t["title"], t["doctrine"], tuple(map(str, t["editions"])))
        for id, t in load("texts")["texts"].items()
    }
    problems: list[Problem] = []
    passages: dict[str, Passage] = {}
    files = [(p, str(p)) for p in only] if only is not None else list(text_files(kb_dir))
    if overlay:
        files = [(overlay.get(n, p), n) for p, n in files]
        files += [(p, n) for n, p in overlay.items() if n not in {name for _, name in files}]
    if choose is not None:
        files = [(p, n) for p, n in files if choose(p, n)]
    for path, name in files:
        for passage in _read(path, name, lexicon, texts, problems):
            if passage.id in passages:
                first = passages[passage.id]
                problems.append(
                    Problem(name, passage.line, passage.id, f"the passage stands twice; first in {first.file}:{first.line}; join the two, or give one an id of its own")
                )
                continue
            passages[passage.id] = passage
    rules = {r.id: r for p in passages.values() for r in p.rules}
    problems.extend(check_references(passages, rules))
    order = _levels(rules, problems)
    broken = {p.id for p in problems}
    found = tuple(sorted(set(problems)))
    return KnowledgeBase(
        lexicon=lexicon,
        spirit_keys=keys,
        texts=texts,
        passages=passages,
        rules={id: r for id, r in rules.items() if id not in broken},
        levels=order,
        problems=found,
    )


def _read(
    path: Path,
    name: str,
    lexicon: Lexicon,
    texts: Mapping[str, TextInfo],
    problems: list[Problem],
) -> Iterator[Passage]:
    try:
        data = read_yaml(path, name)
    except SourceError as error:
        problems.extend(error.problems)
        return
    if not isinstance(data, dict) or not isinstance(data.get("passages"), list):
        problems.append(Problem(name, 1, "", "a passage file wants `text:` and a list `passages:`"))
        return
    for key in data:
        if key not in ("text", "passages"):
            problems.append(Problem(name, getattr(data, "lines", {}).get(key, 0), "", f"a passage file has no «{key}»; known: text, passages"))
    text = data.get("text")
    if text not in texts:
        near = nearest(str(text), texts)
        problems.append(
            Problem(name, line_of(text, 1), "", f"«{text}» is no text of texts.yaml" + (f"; did you mean {near}?" if near else f"; known: {', '.join(texts)}"))
        )
        return
    problems.extend(variant_names(data, name))
    scope = Scope(lexicon, name, str(text), "", "", problems.append)
    editions = dict.fromkeys(texts[str(text)].editions)
    for item in data["passages"]:
        passage = parse_passage(item, scope, editions)
        if passage is not None:
            yield passage


def _levels(rules: Mapping[str, Rule], problems: list[Problem]) -> dict[str, int]:
    """Levels of each text's rules; a circle is reported and its rules dropped."""
    order: dict[str, int] = {}
    for text in dict.fromkeys(r.text for r in rules.values()):
        own = {id: r for id, r in rules.items() if r.text == text}
        while True:
            try:
                order.update(levels(own))
                break
            except Cycle as cycle:
                for id in cycle.path[:-1]:
                    rule = own.pop(id)
                    path = " reads ".join(cycle.path)
                    problems.append(Problem(rule.file, rule.line, id, f"the rules read each other in a circle: {path}"))
    return order
