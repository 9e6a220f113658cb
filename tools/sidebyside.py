"""``liuren what-if``, and what it shares with ``compare``: two readings side by side."""

from __future__ import annotations

from typing import Any

import click
from liuren.engine.compare import Difference, compare, first_change
from liuren.engine.questions import PERSON_KEYS, QUESTION_KEYS, REQUEST_KEYS
from liuren.engine.reading import Reading
from liuren.facts.errors import UserError
from liuren.facts.points import nearest

from .layout import table
from .words import Words

SCHEMA = "liuren.whatif/1"
_NESTED = ("set", "told", "variants", "persons")


def changed_question(asked: dict[str, Any], changes: tuple[str, ...]) -> dict[str, Any]:
    """The question with changes told as ``hour=午`` or ``set.shehai=meng-zhong``.

    An empty value takes the thing back (``born=``).

    Raises:
        UserError: a change is not of that form, or names nothing of a question.
    """
    values = {k: dict(v) if isinstance(v, dict) else v for k, v in asked.items()}
    for change in changes:
        name, sign, value = change.partition("=")
        if not sign:
            raise UserError(f"--change {change}: write NAME=VALUE.")
        if name.startswith("variants."):
            # The name of a reading has dots and an «=» of its own only after them.
            head, rest = "variants", name[len("variants.") :]
        else:
            head, _, rest = name.partition(".")
        head = head.replace("-", "_")
        if head not in (*QUESTION_KEYS, *REQUEST_KEYS) or (head in _NESTED) != bool(rest):
            near = nearest(head, [*QUESTION_KEYS, *REQUEST_KEYS])
            raise UserError(f"--change {change}: «{name}» is no part of a question" + (f"; did you mean {near}?" if near else "."))
        if head == "persons":
            role, _, part = rest.partition(".")
            if part not in PERSON_KEYS:
                raise UserError(f"--change {change}: write persons.ROLE.{'|'.join(PERSON_KEYS)}=VALUE.")
            values.setdefault("persons", {})[role] = {**values.get("persons", {}).get(role, {}), part: value}
        elif rest:
            values.setdefault(head, {})[rest] = value
        elif value:
            values[head] = value
        else:
            values.pop(head, None)
    return values


def difference_json(before: Reading, after: Reading, changes: tuple[str, ...]) -> dict[str, Any]:
    """What changed, as data."""
    return {"schema": SCHEMA, "changes": list(changes), **differences_json(before, after)}


def differences_json(before: Reading, after: Reading) -> dict[str, Any]:
    """The first casting step that parts, for each text, and every difference, as data."""
    return {
        "first": {
            text: _root(first_change(old, after.texts[text])) for text, old in before.texts.items()
        },
        "differences": [
            {
                "kind": d.kind, "text": d.text, "what": d.what, "before": d.before, "after": d.after,
                "cause": None if d.cause is None else {"condition": d.cause[0], "before": d.cause[1], "after": d.cause[2]},
                "root": _root(d.root),
            }
            for d in compare(before, after)
        ],
    }  # fmt: skip


def _root(root: tuple[str, str, str] | None) -> dict[str, str] | None:
    return None if root is None else {"step": root[0], "before": root[1], "after": root[2]}


def difference_lines(before: Reading, after: Reading, changes: tuple[str, ...], words: Words) -> list[str]:
    """What changed, as text: chart, then what is gained and lost, with causes."""
    return differences_lines(before, after, f"{words.ui('what_if')} {' '.join(changes)}", [], words)


def differences_lines(
    before: Reading, after: Reading, title: str, head: list[str], words: Words
) -> list[str]:
    """A title, the lines of *head*, then text by text every difference with its cause."""
    found = list(compare(before, after))
    lines = [click.style(title, bold=True), *head]
    if not found:
        return [*lines, f"  {words.ui('nothing')}"]
    for text in before.texts:
        own = [d for d in found if d.text == text]
        if not own:
            continue
        lines += ["", click.style(words.text(text), underline=True)]
        rows = [[d.what, d.before or "—", "→", d.after or "—"] for d in own if d.kind == "chart"]
        lines += table(rows, indent="  ")
        for d in own:
            if d.kind != "chart":
                lines += _line(d, words)
    return lines


def _line(d: Difference, words: Words) -> list[str]:
    if d.kind == "standing":
        head = f"  {words.ui('standing')} {d.what}: {words.ui(d.before)} → {words.ui(d.after)}"
    else:
        sign = "+" if d.after else "−"
        head = f"  {sign} {words.ui(d.kind)} {d.what}: {d.after or d.before}"
    lines = [head]
    if d.cause is not None:
        condition, was, now = d.cause
        turned = f": {was or '—'} → {now or '—'}" if was or now else ""
        lines.append(click.style(f"      {words.ui('because')} {condition}{turned}", dim=True))
    return lines
