"""The editions on the reader's own disk: is every quotation there, where it is said to be?

An edition file is plain text in UTF-8 whose name begins with the edition's id
(``001_….txt``, ``001.txt``), as texts.yaml has it.  The knowledge base holds no
edition, only short quotations and where they stand.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator, Mapping
from pathlib import Path

from liuren.facts.errors import UserError

from .language.loader import KnowledgeBase
from .language.passages import Passage
from .language.source import Problem

_HAN = re.compile(r"[^\u3400-\u9fff\uf900-\ufaff\U00020000-\U0003ffff]")


def han(text: str) -> str:
    """The Chinese characters of *text* alone, without blanks and stops."""
    return _HAN.sub("", text)


def digest(text: str) -> str:
    """Twelve hexadecimal digits that change when the Chinese of *text* does."""
    return hashlib.sha256(han(text).encode()).hexdigest()[:12]


def read_plain(path: Path) -> list[str]:
    """The lines of a plain text file.

    Raises:
        UserError: it cannot be read or is not UTF-8; the line is named.
    """
    try:
        raw = path.read_bytes()
    except OSError as error:
        raise UserError(f"{path} cannot be read: {error.strerror}.") from None
    try:
        text = raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = raw[: error.start].count(b"\n") + 1
        raise UserError(f"{path}:{line}: the file is not UTF-8; save it in UTF-8 and try again.") from None
    return text.replace("\r\n", "\n").replace("\r", "\n").split("\n")


def edition_files(folder: Path, editions: Mapping[str, str]) -> dict[str, Path]:
    """Edition id to its file in *folder*; editions the reader lacks are left out.

    Raises:
        UserError: there is no such folder, or two files claim one edition.
    """
    if not folder.is_dir():
        raise UserError(f"{folder} is no folder; --texts wants the folder of the edition files.")
    found: dict[str, Path] = {}
    for path in sorted(p for p in folder.iterdir() if p.is_file() and not p.name.startswith(".")):
        id = next((e for e in editions if re.match(re.escape(e) + r"(?![0-9A-Za-z])", path.name)), None)
        if id is None:
            continue
        if id in found:
            raise UserError(f"{found[id].name} and {path.name} both begin with the edition «{id}»; keep one of them in {folder}.")
        found[id] = path
    return found


def editions_of(kb: KnowledgeBase) -> dict[str, str]:
    """Every edition id with the text it belongs to."""
    return {e: t.id for t in kb.texts.values() for e in t.editions}


def quotations(passage: Passage) -> Iterator[tuple[str, int, str]]:
    """Everything a passage quotes, as (id, line of the file, words)."""
    for rule in passage.rules:
        yield rule.id, rule.line, rule.quote
    for clause in passage.clauses:
        yield clause.id, clause.line, clause.quote
    for crux in passage.cruces:
        yield f"{passage.id}:{crux.id}", passage.line, crux.lem
    for emendation in passage.emendations:
        yield passage.id, passage.line, emendation.lem


def check_quotations(kb: KnowledgeBase, folder: Path) -> Iterator[Problem]:
    """Quotations and lemmas that are not in the edition where the passage stands.

    Raises:
        UserError: the folder or a file in it cannot be read.
    """
    files = edition_files(folder, editions_of(kb))
    lines = {id: read_plain(path) for id, path in files.items()}
    for passage in kb.passages.values():
        if passage.edition in lines:
            yield from _passage(passage, lines[passage.edition], files[passage.edition].name)


def _passage(passage: Passage, lines: list[str], name: str) -> Iterator[Problem]:
    first, last = passage.lines
    if not 1 <= first <= last <= len(lines):
        yield Problem(passage.file, passage.line, passage.id, f"the lines {first} to {last} are not in {name}, which has {len(lines)}; mend `locus`")
        return
    words = "".join(lines[first - 1 : last])
    here = han(words)
    for id, line, quote in dict.fromkeys(quotations(passage)):
        if not quote or quote in words or (han(quote) and han(quote) in here):
            continue
        at = [n for n, other in enumerate(lines, 1) if (han(quote) or quote) in (han(other) or other)]
        if at:
            message = f"the words «{quote}» have drifted: {name} has them on line {', '.join(map(str, at[:3]))}, not in {first} to {last}; mend `locus` or run `liuren kb import` again"
        else:
            message = f"the words «{quote}» are not in {name}; quote the edition as it prints them"
        yield Problem(passage.file, line, id, message)
    if passage.sum and passage.sum not in (digest(words), digest(_chinese(lines, first, last))):
        yield Problem(passage.file, passage.line, passage.id, f"the words of {name}, lines {first} to {last}, have changed since the passage was cut; look at its rules again and run `liuren kb import`")


def _chinese(lines: list[str], first: int, last: int) -> str:
    """The Chinese lines of a passage, without its translation."""
    return "".join(line for line in lines[first - 1 : last] if is_chinese(line))


def is_chinese(line: str) -> bool:
    """Whether a line is classical Chinese rather than a translation of it."""
    others = sum(1 for c in line if c.isalpha()) - len(han(line))
    return bool(han(line)) and len(han(line)) > others


def uncovered(kb: KnowledgeBase, folder: Path) -> dict[str, list[int]]:
    """Edition id to the Chinese lines that stand in no passage.

    Raises:
        UserError: the folder or a file in it cannot be read.
    """
    found: dict[str, list[int]] = {}
    for id, path in edition_files(folder, editions_of(kb)).items():
        held = {n for p in kb.passages.values() if p.edition == id for n in range(p.lines[0], p.lines[1] + 1)}
        if held:
            found[id] = [n for n, line in enumerate(read_plain(path), 1) if is_chinese(line) and n not in held]
    return found
