"""YAML with line numbers, and problems that name file and line.

PyYAML throws positions away when it builds values; a scholar who mistypes a
slot needs them.  So the node tree is turned into ``dict``, ``list`` and ``str``
subclasses that remember their line.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

# The base loader leaves scalars as text: what is a number is told apart below, in one look
# instead of PyYAML's many, and a plain 001 stays what the scholar wrote.
_Loader: Any = getattr(yaml, "CBaseLoader", yaml.BaseLoader)


class Mapping(dict[str, Any]):
    """A YAML mapping; ``line`` is where it starts, ``lines`` the line of each key."""

    line: int = 0
    lines: dict[str, int]


class Sequence(list[Any]):
    """A YAML sequence with the line it starts on."""

    line: int = 0


class Text(str):
    """A YAML string with its line."""

    line: int = 0


@dataclass(frozen=True, slots=True, order=True)
class Problem:
    """A mistake in a knowledge base file.

    Attributes:
        file: path as given or relative to the knowledge base.
        line: 1-based line, 0 when the file as a whole is meant.
        id: passage or rule id, or "".
        message: what is wrong and what would be accepted, in one sentence.
    """

    file: str
    line: int
    id: str
    message: str

    def __str__(self) -> str:
        where = f"{self.file}:{self.line}" if self.line else self.file
        return f"{where}: {self.id + ': ' if self.id else ''}{self.message}"


class SourceError(Exception):
    """A file that cannot be read as YAML at all; carries its problems."""

    def __init__(self, problems: list[Problem]) -> None:
        super().__init__("; ".join(map(str, problems)))
        self.problems = problems


def read_yaml(path: Path, name: str) -> Any:
    """Read one YAML file into marked values.

    Args:
        path: the file.
        name: how messages call it.

    Raises:
        SourceError: wrong encoding, a tab, broken syntax, a key twice.
    """
    try:
        raw = path.read_bytes().decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = path.read_bytes()[: error.start].count(b"\n") + 1
        raise SourceError(
            [Problem(name, line, "", "the file is not UTF-8; save it in UTF-8")]
        ) from None
    except OSError as error:
        raise SourceError(
            [Problem(name, 0, "", f"cannot be read: {error.strerror}")]
        ) from None
    return parse_yaml(raw, name)


def parse_yaml(raw: str, name: str) -> Any:
    """Parse YAML text into marked values; see :func:`read_yaml`."""
    for number, line in enumerate(raw.split("\n"), 1):
        if _CONFLICT.match(line):
            message = "two people's edits of this place meet here; keep what is right of both and take the lines <<<<<<<, ======= and >>>>>>> away"
            raise SourceError([Problem(name, number, "", message)])
        indent = line[: len(line) - len(line.lstrip(" \t"))]
        if "\t" in indent:
            raise SourceError(
                [Problem(name, number, "", "a tab indents this line; YAML wants spaces")]
            )
    try:
        node = yaml.compose(raw, Loader=_Loader)
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        at = mark.line + 1 if mark else 0
        raise SourceError([Problem(name, at, "", _broken(error, raw, at))]) from None
    except yaml.YAMLError as error:
        raise SourceError([Problem(name, 0, "", f"broken YAML: {error}")]) from None
    problems: list[Problem] = []
    try:
        value = _build(node, name, problems) if node is not None else Mapping()
    except RecursionError:
        raise SourceError([Problem(name, 0, "", "an alias of the YAML contains itself")]) from None
    if problems:
        raise SourceError(problems)
    return value


_CONFLICT = re.compile(r"(<{7}|>{7}|\|{7})( |$)|={7}$")
"""What git leaves where two edits of one place meet."""


def _broken(error: yaml.MarkedYAMLError, raw: str, line: int) -> str:
    """What is wrong with the syntax; a tab is named, since it cannot be seen."""
    if "'\\t'" in str(error.problem) or "\t" in "".join(raw.split("\n")[line - 1 : line]):
        return "a tab stands in this line; YAML wants spaces"
    return "broken YAML: " + " ".join(str(error.problem or error.context).split())


def _build(node: Any, name: str, problems: list[Problem]) -> Any:
    line = node.start_mark.line + 1
    if isinstance(node, yaml.MappingNode):
        return _mapping(node, line, name, problems)
    if isinstance(node, yaml.SequenceNode):
        items = Sequence(_build(child, name, problems) for child in node.value)
        items.line = line
        return items
    return _scalar(node, line)


def _mapping(node: Any, line: int, name: str, problems: list[Problem]) -> Mapping:
    result = Mapping()
    result.line, result.lines = line, {}
    for key_node, value_node in node.value:
        key = str(key_node.value) if isinstance(key_node, yaml.ScalarNode) else None
        here = key_node.start_mark.line + 1
        if key is None:
            problems.append(Problem(name, here, "", "a key must be a plain word"))
            continue
        if key in result:
            problems.append(
                Problem(name, here, "", f"the key «{key}» stands twice; first on line {result.lines[key]}")
            )
        result[key] = _build(value_node, name, problems)
        result.lines[key] = here
    return result


_INTEGER = re.compile(r"[+-]?(0|[1-9][0-9]*)")
_REAL = re.compile(r"[+-]?[0-9]+\.[0-9]+")
_TRUE, _FALSE, _NULL = {"true", "True"}, {"false", "False"}, {"", "~", "null"}


def _scalar(node: Any, line: int) -> Any:
    value = node.value
    if not node.style:  # plain scalars only: '3' in quotes is text
        if _INTEGER.fullmatch(value):
            return int(value)
        if _REAL.fullmatch(value):
            return float(value)
        if value in _TRUE or value in _FALSE:
            return value in _TRUE
        if value in _NULL:
            return None
    text = Text(value)
    text.line = line
    return text


def line_of(value: Any, default: int = 0) -> int:
    """The line a marked value starts on, or *default* for unmarked ones."""
    return getattr(value, "line", 0) or default
