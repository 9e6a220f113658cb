"""Words that are missing: every term of the knowledge base in zh, ko and en."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from .data import packaged
from .language.conclusions import Measure, Pattern, Vote
from .language.loader import KnowledgeBase
from .language.source import Problem, SourceError, read_yaml

_ALL = ("zh", "ko", "en")
_LISTS: tuple[tuple[str, tuple[str, ...], tuple[str, ...]], ...] = (
    # file, path to the entries, languages wanted (where the key is Chinese it is the zh)
    ("topics", ("topics",), _ALL),
    ("spirits", ("spirits",), _ALL),
    ("classes", ("groups",), ("ko", "en")),
    ("classes", ("classes",), ("ko", "en")),
    ("told", ("told",), _ALL),
    ("vocabulary", ("roles",), _ALL),
    ("methods", ("methods",), _ALL),
    ("methods-calendar", ("methods",), _ALL),
    ("phrases", ("points",), _ALL),
    ("phrases", ("conditions",), _ALL),
    ("terms", ("values",), ("ko", "en")),
    ("terms", ("ui",), _ALL),
)
"""The closed lists, and the languages their entries need."""


def list_problems(kb_dir: str | Path | None = None) -> Iterator[Problem]:
    """Closed lists and tables that are no sound YAML: a key twice, say."""
    root = Path(kb_dir) if kb_dir is not None else Path(str(packaged()))
    for path in sorted(root.glob("*.yaml")):
        try:
            read_yaml(path, path.name)
        except SourceError as error:
            yield from error.problems


def missing_words(kb: KnowledgeBase, kb_dir: str | Path | None = None) -> Iterator[Problem]:
    """Entries of the closed lists, titles and names that lack a language.

    Args:
        kb: the rules, for the names they use.
        kb_dir: where the knowledge base stands, if not packaged.
    """
    root = Path(kb_dir) if kb_dir is not None else Path(str(packaged()))
    files: dict[str, Any] = {}
    for name in dict.fromkeys(["texts", *(file for file, _, _ in _LISTS)]):
        path = root / f"{name}.yaml"
        try:
            files[name] = read_yaml(path, path.name) if path.is_file() else {}
        except SourceError:
            return  # told by list_problems
    for file, path_in, wanted in _LISTS:
        entries = files[file]
        for key in path_in:
            entries = entries.get(key) or {}
        yield from _entries(f"{file}.yaml", entries, wanted)
    for id, info in (files["texts"].get("texts") or {}).items():
        yield from _entry("texts.yaml", getattr(info, "line", 0), f"the title of {id}", info.get("title") or {}, _ALL)
    yield from _titles(kb)
    yield from _names(kb, files)


def _entries(file: str, entries: Mapping[str, Any], wanted: tuple[str, ...]) -> Iterator[Problem]:
    for key, entry in entries.items():
        line = getattr(entries, "lines", {}).get(key, 0)
        yield from _entry(file, line, f"«{key}»", entry if isinstance(entry, dict) else {}, wanted)


def _entry(file: str, line: int, what: str, entry: Mapping[str, Any], wanted: tuple[str, ...]) -> Iterator[Problem]:
    lacking = [language for language in wanted if not str(entry.get(language) or "").strip()]
    if lacking:
        yield Problem(file, line, "", f"{what} has no word in {' and '.join(lacking)}; write one")


def _titles(kb: KnowledgeBase) -> Iterator[Problem]:
    """Titles of passages that are still the Chinese one."""
    for passage in kb.passages.values():
        title = dict(passage.title)
        same = [k for k in ("ko", "en") if title.get(k) and title[k] == title.get("zh")]
        if same:
            yield Problem(passage.file, passage.line, passage.id, f"the title «{title['zh']}» is not yet put into {' and '.join(same)}")


def _names(kb: KnowledgeBase, files: Mapping[str, Any]) -> Iterator[Problem]:
    """Names of patterns, measures, tallies and their sides without an entry."""
    known = set(files["terms"].get("values") or ()) | set(kb.lexicon.groups) | set(kb.lexicon.classes)
    known |= {str(s.get("zh")) for s in (files["spirits"].get("spirits") or {}).values()}
    told: set[str] = set()
    for rule in kb.rules.values():
        for conclusion in (c for i in rule.instances for c in i.conclusions):
            names: list[str] = []
            match conclusion:
                case Pattern(name=name) | Measure(name=name):
                    names = [name]
                case Vote(tally=tally, side=side):
                    names = [tally, *([str(side.literal)] if side.point is None else [])]
            for name in names:
                if name not in known and name not in told:
                    told.add(name)
                    yield Problem(rule.file, rule.line, rule.id, f"«{name}» has no entry in terms.yaml; add it under `values:` with ko and en")
