"""``liuren kb import``: an edition cut into passages, and put right when it changes."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml
from liuren.engine.cutting import Found, Unit, clauses, cut, fresh_clauses, locate
from liuren.engine.editions import digest, han, quotations, read_plain
from liuren.engine.language.loader import load_knowledge
from liuren.engine.language.passages import Passage
from liuren.facts.errors import UserError

from .kbfiles import (
    Change,
    Edit,
    add_items,
    apply,
    child,
    compose,
    line_start,
    own_folder,
    quoted,
    read_raw,
    verify,
    write_all,
)
from .newtext import with_edition

SCHEMA = "liuren.import/1"


@dataclass(frozen=True, slots=True)
class Placed:
    """What became of one passage of the knowledge base in the new file.

    Attributes:
        passage: it.
        fate: ``same``, ``moved``, ``changed`` or ``vanished``.
        lines: where it stands now.
        sum: of its words now.
        lost: quotations that are no longer there.
        fresh: clauses that are there and have no fate yet.
    """

    passage: Passage
    fate: str
    lines: tuple[int, int]
    sum: str
    lost: tuple[str, ...]
    fresh: tuple[str, ...]


def import_edition(
    kb_dir: str | None,
    file: str,
    text: str,
    edition: str,
    witness: str | None,
    into: str | None,
    dry_run: bool,
    untranslated: bool = False,
) -> tuple[list[str], dict[str, Any]]:
    """Cut a plain file into passages, or put those cut before right.

    Args:
        kb_dir: the knowledge base, if not the checkout's own.
        file: the edition, plain text in UTF-8.
        text, edition: what it is; the edition is registered if it is new.
        witness: what the edition is, when it is new.
        into: name of the passage file for new passages.
        dry_run: write nothing.
        untranslated: let Chinese stand without translation.

    Returns:
        lines for a person, and the same as data.

    Raises:
        UserError: the file does not fit, or something would break; nothing is
            written then.
    """
    root = own_folder(kb_dir)
    plain = read_plain(Path(file))
    units, problems = cut(plain, file, untranslated)
    if problems:
        more = f" ({len(problems) - 1} more such places)" if len(problems) > 1 else ""
        raise UserError(f"{problems[0]}{more}.")
    if not units:
        raise UserError(f"{file} has no paragraph of Chinese; a paragraph of Chinese and one of translation are expected.")
    changes: dict[Path, Change] = {}
    registered = with_edition(root / "texts.yaml", text, edition, witness)
    if registered is not None:
        changes[root / "texts.yaml"] = registered
    kb = load_knowledge(root)
    held = [p for p in kb.passages.values() if p.text == text and p.edition == edition]
    _refuse_broken(kb.problems, {p.file for p in held})
    found = {p.id: locate(units, [q for _, _, q in quotations(p)], p.lines, p.sum) for p in held}
    placed = [_placed(p, found[p.id], units, plain) for p in held]
    taken = {i for f in found.values() if f for i in range(f.start, f.stop)}
    new = _named([u for i, u in enumerate(units) if i not in taken], text, edition, kb.passages)
    for name in dict.fromkeys(p.passage.file for p in placed):
        raw = read_raw(root / name)
        changes[root / name] = Change(raw, apply(raw, _edits(raw, [p for p in placed if p.passage.file == name])))
    if new:
        _add(changes, root / "texts" / text / f"{_file_name(into or edition)}.yaml", text, edition, new, placed)
    changes = {path: c for path, c in changes.items() if c.before != c.after}
    if changes:
        verify(root, changes)
        if not dry_run:
            write_all(changes)
    return _report(placed, new, [p.relative_to(root).as_posix() for p in changes], dry_run)


def _refuse_broken(problems: Sequence[Any], files: set[str]) -> None:
    """A file that could not be read whole must be mended first: its passages would seem to be new."""
    broken = [p for p in problems if p.file in files or not p.id]
    if broken:
        raise UserError(f"Mend {broken[0]} first; nothing was written.")


def _placed(passage: Passage, found: Found | None, units: Sequence[Unit], plain: Sequence[str]) -> Placed:
    if found is None:
        lost = tuple(dict.fromkeys(q for _, _, q in quotations(passage) if q))
        return Placed(passage, "vanished", passage.lines, passage.sum, lost, ())
    window = units[found.start : found.stop]
    lines = (window[0].first, window[-1].last)
    words = "".join(u.chinese for u in window)
    fresh: tuple[str, ...] = ()
    if passage.sum and not found.same:
        fresh = tuple(fresh_clauses(words, [q for _, _, q in quotations(passage)]))
    if found.same and lines[0] <= passage.lines[0] <= passage.lines[1] <= lines[1] and _holds(passage, plain):
        lines = passage.lines  # a person drew it closer, without the heading say
    fate = "changed" if not found.same else "same" if lines == passage.lines else "moved"
    return Placed(passage, fate, lines, digest(words) if passage.sum else "", found.lost, fresh)


def _holds(passage: Passage, plain: Sequence[str]) -> bool:
    """Whether the lines a passage names hold all that it quotes."""
    words = han("".join(plain[passage.lines[0] - 1 : passage.lines[1]]))
    return all(han(q) in words for _, _, q in quotations(passage))


# --- passages that are there ---------------------------------------------------------


def _edits(raw: str, placed: Sequence[Placed]) -> list[Edit]:
    nodes = {child(item, "id").value: item for item in child(compose(raw), "passages").value if child(item, "id") is not None}
    edits: list[Edit] = []
    for each in placed:
        if each.fate not in ("moved", "changed"):
            continue
        node = nodes[each.passage.id]
        locus = child(node, "locus")
        lines, old_sum = child(locus, "lines"), child(locus, "sum")
        edits.append(_replace(raw, lines, f"[{each.lines[0]}, {each.lines[1]}]"))
        if old_sum is not None and each.sum:
            edits.append(_replace(raw, old_sum, quoted(each.sum)))
        if each.fresh:
            edits.append(_open(raw, node, each))
    return edits


def _replace(raw: str, node: yaml.Node, text: str) -> Edit:
    """Put *text* in the place of a node; a block one is cut back to its last character."""
    start, stop = node.start_mark.index, node.end_mark.index
    return Edit(start, start + len(raw[start:stop].rstrip()), text)


def _open(raw: str, node: yaml.MappingNode, placed: Placed) -> Edit:
    keys = _free_keys(placed.passage, len(placed.fresh))
    items = [f"{{key: {k}, quote: {quoted(q)}}}" for k, q in zip(keys, placed.fresh, strict=True)]
    held = child(node, "open")
    if isinstance(held, yaml.SequenceNode):
        return add_items(raw, held, items)
    locus = next(key for key, _ in node.value if key.value == "locus")
    at = line_start(raw, locus.start_mark.index)
    pad = " " * locus.start_mark.column
    if raw[at : locus.start_mark.index].strip():  # the passage's first line begins with "- "
        at, pad = locus.start_mark.index, ""
        rest = " " * locus.start_mark.column
        return Edit(at, at, "open:\n" + "".join(f"{rest}- {i}\n" for i in items) + rest)
    return Edit(at, at, f"{pad}open:\n" + "".join(f"{pad}- {i}\n" for i in items))


def _free_keys(passage: Passage, n: int) -> list[str]:
    taken = {r.key for r in passage.rules} | {r.clause for r in passage.rules}
    taken |= {c.id.partition("/")[2] for c in passage.clauses}
    found: list[str] = []
    number = 1
    while len(found) < n:
        if f"c{number}" not in taken:
            found.append(f"c{number}")
        number += 1
    return found


# --- passages that are new -------------------------------------------------------------


def _named(units: Sequence[Unit], text: str, edition: str, taken: Any) -> list[tuple[str, Unit]]:
    prefix = f"{text}.{edition.lower()}.p"
    numbers = [int(m[1]) for id in taken if (m := re.fullmatch(re.escape(prefix) + r"(\d+)", id))]
    first = max(numbers, default=0) + 1
    return [(f"{prefix}{first + n:03d}", unit) for n, unit in enumerate(units)]


def passage_block(id: str, unit: Unit, edition: str) -> str:
    """A passage as it stands in a file before anyone has filled it."""
    title = quoted(unit.title)
    lines = [
        f"- id: {id}",
        f"  title: {{zh: {title}, ko: {title}, en: {title}}}",
        f"  locus: {{edition: {quoted(edition)}, lines: [{unit.first}, {unit.last}], sum: {quoted(unit.sum)}}}",
        *(f"  {name}: []" for name in ("readings", "emendations", "rules", "worked", "notes", "untranslatable")),
        "  open:",
        *(f"  - {{key: c{n}, quote: {quoted(q)}}}" for n, q in enumerate(clauses(unit.words), 1)),
        "  examples: []",
    ]
    if not clauses(unit.words):
        lines[lines.index("  open:")] = "  open: []"
    return "\n".join(lines) + "\n"


def _file_name(name: str) -> str:
    if not re.fullmatch(r"[A-Za-z0-9][A-Za-z0-9_-]*", name):
        raise UserError(f"«{name}» is no name of a passage file; use letters, digits, «_» and «-», without .yaml.")
    return name


def _add(
    changes: dict[Path, Change], path: Path, text: str, edition: str, new: list[tuple[str, Unit]], placed: Sequence[Placed]
) -> None:
    """Put new passages into a file, each before the first passage that follows it in the edition."""
    if not path.exists():
        body = "".join(passage_block(id, unit, edition) for id, unit in new)
        changes[path] = Change(None, f"text: {text}\npassages:\n{body}")
        return
    before = changes[path].before if path in changes else read_raw(path)
    raw = changes[path].after if path in changes else str(before)
    root = compose(raw)
    if child(root, "text") is None or child(root, "text").value != text or child(root, "passages") is None:
        raise UserError(f"{path} is no passage file of {text}; name another with --into.")
    items = child(root, "passages")
    now = {p.passage.id: p.lines for p in placed}
    if not items.value:
        block = "".join(passage_block(id, unit, edition) for id, unit in new)
        edits = [Edit(items.start_mark.index, items.end_mark.index, "\n" + block.rstrip("\n"))]
        changes[path] = Change(before, apply(raw, edits))
        return
    blocks: dict[int, str] = {}
    for id, unit in new:
        after = next((n for n in items.value if _line_of(n, edition, now) > unit.first), None)
        at = _above(raw, after) if after is not None else len(raw)
        blocks[at] = blocks.get(at, "") + _indented(passage_block(id, unit, edition), items.start_mark.column)
    edits = [Edit(at, at, block if at < len(raw) or raw.endswith("\n") else "\n" + block) for at, block in blocks.items()]
    changes[path] = Change(before, apply(raw, edits))


def _line_of(node: yaml.Node, edition: str, now: dict[str, tuple[int, int]]) -> int:
    """The first line of a passage's node in this edition; 0 for one of another."""
    id, locus = child(node, "id"), child(node, "locus")
    if id is None or locus is None or str(child(locus, "edition").value) != edition:
        return 0
    return now.get(id.value, (0, 0))[0]


def _above(raw: str, node: yaml.Node) -> int:
    """The beginning of the line where an item starts, above the comments that belong to it."""
    at = line_start(raw, node.start_mark.index)
    while at:
        previous = line_start(raw, at - 1)
        if not raw[previous:at].lstrip().startswith("#"):
            break
        at = previous
    return at


def _indented(block: str, column: int) -> str:
    return "".join(" " * column + line for line in block.splitlines(keepends=True))


# --- what was done -----------------------------------------------------------------------


def _report(
    placed: Sequence[Placed], new: Sequence[tuple[str, Unit]], files: list[str], dry_run: bool
) -> tuple[list[str], dict[str, Any]]:
    by_fate = {fate: [p for p in placed if p.fate == fate] for fate in ("same", "moved", "changed", "vanished")}
    lines = [f"+ {id} {u.first}–{u.last} {u.title}: {len(clauses(u.words))} clauses to place" for id, u in new]
    lines += [f"→ {p.passage.id} moved from {_span(p.passage.lines)} to {_span(p.lines)}" for p in by_fate["moved"]]
    for p in by_fate["changed"]:
        lines.append(f"± {p.passage.id} changed, now {_span(p.lines)}; its rules are kept, look at them again")
        lines += [f"    no longer there: «{q}»" for q in p.lost]
        lines += [f"    to place: «{q}»" for q in p.fresh]
    lines += [f"− {p.passage.id} vanished, was {_span(p.passage.lines)}; its rules are kept in {p.passage.file}" for p in by_fate["vanished"]]
    counts = {"new": len(new), **{fate: len(found) for fate, found in by_fate.items()}}
    lines.append(", ".join(f"{n} {fate}" for fate, n in counts.items()))
    lines.append(("would write " if dry_run else "written: ") + (", ".join(files) or "nothing"))
    data = {
        "schema": SCHEMA,
        "new": [{"id": id, "lines": [u.first, u.last], "title": u.title} for id, u in new],
        **{
            fate: [
                {"id": p.passage.id, "from": list(p.passage.lines), "to": list(p.lines), "lost": list(p.lost), "open": list(p.fresh)}
                for p in found
            ]
            for fate, found in by_fate.items()
        },
        "files": files,
        "written": bool(files) and not dry_run,
    }
    return lines, data


def _span(lines: tuple[int, int]) -> str:
    return f"lines {lines[0]}–{lines[1]}"
