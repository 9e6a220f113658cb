"""``liuren kb new``: a work and its edition in texts.yaml."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path

import yaml
from liuren.engine.data import load_knowledge as load_casting_data
from liuren.engine.doctrine import load_doctrine
from liuren.facts.errors import UserError

from .kbfiles import (
    Change,
    Edit,
    add_to_mapping,
    apply,
    child,
    compose,
    own_folder,
    quoted,
    read_raw,
    verify,
    write_all,
)

_TEXT = re.compile(r"[a-z][a-z0-9_-]*")
_EDITION = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]*")


def register_text(
    kb_dir: str | None, text: str, titles: Mapping[str, str], doctrine: str, edition: str | None, witness: str | None
) -> list[str]:
    """Add a work to texts.yaml, and its first edition if one is named.

    Args:
        kb_dir: the knowledge base, if not the checkout's own.
        text: id of the work: small letters, digits, ``_`` and ``-``.
        titles: zh, en and ko.
        doctrine: the school it is cast by.
        edition: id of its edition.
        witness: what the edition is.

    Returns:
        lines that say what was done and what comes next.

    Raises:
        UserError: an id is wrong or taken, or there is no such school.
    """
    root = own_folder(kb_dir)
    path = root / "texts.yaml"
    raw = read_raw(path)
    if not _TEXT.fullmatch(text):
        raise UserError(f"«{text}» is no id of a text; use small letters, digits, «_» and «-», as in bifa.")
    texts = child(compose(raw), "texts")
    if not isinstance(texts, yaml.MappingNode) or not texts.value:
        raise UserError(f"{path} wants a mapping `texts:` with the works.")
    if child(texts, text) is not None:
        raise UserError(f"«{text}» is in texts.yaml already; `liuren kb import` adds an edition to it.")
    load_doctrine(doctrine, load_casting_data(kb_dir))
    if edition is not None:
        _free(texts, edition)
    editions = f"{quoted(edition)}: {_witness(witness)}" if edition else ""
    pad = " " * texts.value[0][0].start_mark.column
    entry = "".join(
        f"{pad}{line}\n"
        for line in (
            f"{text}:",
            f"  title: {{zh: {quoted(titles['zh'])}, en: {quoted(titles['en'])}, ko: {quoted(titles['ko'])}}}",
            f"  doctrine: {doctrine}",
            f"  editions: {{{editions}}}",
        )
    )
    last = texts.value[-1][1].end_mark.index
    at = len(raw[:last].rstrip())
    after = apply(raw, [Edit(at, at, "\n" + entry.rstrip("\n"))])
    change = {path: Change(raw, after)}
    verify(root, change)
    write_all(change)
    next_ = f"liuren kb import FILE --text {text} --edition {edition or 'ED'}" + (f" --kb {kb_dir}" if kb_dir else "")
    return [f"{path}: {text} registered" + (f" with the edition {edition}" if edition else ""), f"next: {next_}"]


def _witness(words: str | None) -> str:
    return f"{{en: {quoted(words or 'an edition not described yet')}}}"


def _free(texts: yaml.MappingNode, edition: str) -> None:
    """Refuse an edition id that is none, or that another text has."""
    if not _EDITION.fullmatch(edition):
        raise UserError(f"«{edition}» is no id of an edition; use letters, digits, «_» and «-», as in 005.")
    for name, work in texts.value:
        if edition in edition_ids(work):
            raise UserError(f"The edition «{edition}» belongs to {name.value} already; give this one another id.")


def edition_ids(work: yaml.Node) -> list[str]:
    """Ids of the editions of one work's node."""
    editions = child(work, "editions")
    return [str(key.value) for key, _ in editions.value] if isinstance(editions, yaml.MappingNode) else []


def with_edition(path: Path, text: str, edition: str, witness: str | None) -> Change | None:
    """texts.yaml with one more edition of *text*; ``None`` when it has it already.

    Raises:
        UserError: there is no such text, or the id is wrong or another text's.
    """
    raw = read_raw(path)
    texts = child(compose(raw), "texts")
    work = child(texts, text)
    if work is None:
        raise UserError(f"«{text}» is no text of texts.yaml; register it first: liuren kb new {text} --zh … --ko … --en ….")
    if edition in edition_ids(work):
        return None
    _free(texts, edition)
    editions = child(work, "editions")
    entry = f"{quoted(edition)}: {_witness(witness)}"
    if not isinstance(editions, yaml.MappingNode):
        raise UserError(f"{path}: {text} wants a mapping `editions:`.")
    return Change(raw, apply(raw, [add_to_mapping(raw, editions, entry)]))
