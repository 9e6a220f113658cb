"""Changing the files of a knowledge base by hand's measure: only the words meant, all or nothing."""

from __future__ import annotations

import json
import os
import re
import shutil
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml
from liuren.engine.data import packaged
from liuren.engine.language.loader import load_knowledge
from liuren.engine.language.source import SourceError, parse_yaml
from liuren.facts.errors import UserError


def own_folder(kb_dir: str | None) -> Path:
    """The folder of a knowledge base that may be written to.

    Raises:
        UserError: it is none, or it is the installed one.
    """
    root = Path(kb_dir) if kb_dir is not None else Path(str(packaged()))
    if not (root / "texts.yaml").is_file():
        raise UserError(f"«{root}» is no knowledge base: it has no texts.yaml.")
    if kb_dir is None and {"site-packages", "dist-packages"} & set(root.parts):
        raise UserError("The installed knowledge base is not to be changed; copy it and name the copy with --kb DIR.")
    return root


def read_raw(path: Path) -> str:
    """The text of a YAML file as it stands, checked to be YAML.

    Raises:
        UserError: it cannot be read or is broken; file and line are named.
    """
    try:
        raw = path.read_bytes().decode("utf-8-sig")
        parse_yaml(raw, str(path))
    except OSError as error:
        raise UserError(f"{path} cannot be read: {error.strerror}.") from None
    except UnicodeDecodeError as error:
        line = path.read_bytes()[: error.start].count(b"\n") + 1
        raise UserError(f"{path}:{line}: the file is not UTF-8; save it in UTF-8.") from None
    except SourceError as error:
        raise UserError(f"{error.problems[0]}.") from None
    return raw


def quoted(text: str) -> str:
    """*text* as a YAML string."""
    return json.dumps(text, ensure_ascii=False)


# --- changing a text at some places -------------------------------------------------


@dataclass(frozen=True, slots=True)
class Edit:
    """Characters *start* to before *stop* become *text*."""

    start: int
    stop: int
    text: str


def apply(raw: str, edits: list[Edit]) -> str:
    """*raw* with all edits made; they do not overlap."""
    for edit in sorted(edits, key=lambda e: (e.start, e.stop), reverse=True):
        raw = raw[: edit.start] + edit.text + raw[edit.stop :]
    return raw


def compose(raw: str) -> Any:
    """The node tree of a YAML text, with the place of every node."""
    return yaml.compose(raw, Loader=yaml.SafeLoader)  # the C loader counts bytes


def child(node: Any, key: str) -> Any:
    """The value node of *key* in a mapping node, or ``None``."""
    for name, value in node.value if isinstance(node, yaml.MappingNode) else ():
        if name.value == key:
            return value
    return None


def line_start(raw: str, index: int) -> int:
    """Where the line of *index* begins."""
    return raw.rfind("\n", 0, index) + 1


def add_to_mapping(raw: str, node: Any, entry: str) -> Edit:
    """An edit that adds ``key: value`` as the last entry of a flow mapping, or the first of a block one."""
    if node.flow_style:
        at = node.end_mark.index - 1
        before = raw[node.start_mark.index + 1 : at]
        return Edit(at, at, (", " if before.strip().rstrip(",") else "") + entry)
    at = node.start_mark.index
    return Edit(at, at, f"{entry}\n{' ' * node.start_mark.column}")


def add_items(raw: str, node: Any, items: list[str]) -> Edit:
    """An edit that adds items to a sequence: before its first, or in place of an empty one."""
    if not node.value:
        pad = " " * _indent(raw, node)
        return Edit(node.start_mark.index, node.end_mark.index, "".join(f"\n{pad}- {i}" for i in items))
    if node.flow_style:
        at = node.start_mark.index + 1
        return Edit(at, at, "".join(f"{i}, " for i in items))
    at = line_start(raw, node.start_mark.index)
    pad = " " * node.start_mark.column
    return Edit(at, at, "".join(f"{pad}- {i}\n" for i in items))


def _indent(raw: str, node: Any) -> int:
    """The column of the key that *node* is the value of."""
    start = line_start(raw, node.start_mark.index)
    match = re.match(r"[ -]*", raw[start:])
    return len(match[0]) if match else 0


# --- writing all or nothing ------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Change:
    """A file as it was read (``None``: it was not there) and as it shall be."""

    before: str | None
    after: str


def verify(root: Path, changes: Mapping[Path, Change]) -> None:
    """Read a copy of the knowledge base with the changes made.

    Raises:
        UserError: it would have problems that it has not now.
    """
    known = {(p.file, p.id, p.message) for p in load_knowledge(root).problems}
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder) / "kb"
        shutil.copytree(root, copy, ignore=shutil.ignore_patterns("__pycache__", "*.py", "cases"))
        for path, change in changes.items():
            target = copy / path.relative_to(root)
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(change.after, encoding="utf-8", newline="")
        found = [p for p in load_knowledge(copy).problems if (p.file, p.id, p.message) not in known]
    if found:
        raise UserError(f"Nothing was written: it would make a problem at {found[0]}.")


def write_all(changes: Mapping[Path, Change]) -> None:
    """Write several files; nothing is replaced before all are written beside their places.

    Raises:
        UserError: a file was changed meanwhile, or cannot be written.
    """
    made: list[tuple[str, Path]] = []
    try:
        for path, change in changes.items():
            path.parent.mkdir(parents=True, exist_ok=True)
            handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
            made.append((name, path))
            with os.fdopen(handle, "w", encoding="utf-8", newline="") as stream:
                stream.write(change.after)
            os.chmod(name, 0o644)
        for path, change in changes.items():
            now = path.read_bytes().decode("utf-8-sig") if path.exists() else None
            if now != change.before:
                raise UserError(f"{path} was changed by someone else meanwhile; nothing was written, so run the command again.")
        for name, path in made:
            os.replace(name, path)
    except OSError as error:
        raise UserError(f"{error.filename} cannot be written: {error.strerror}; nothing was changed.") from None
    finally:
        for name, _ in made:
            Path(name).unlink(missing_ok=True)
