"""The guide for authors: every example in it is run as it stands, in the order of the page.

The blocks of ``kb/GUIDE.md`` are written to a copy of the knowledge base (the first line of a
block names its file) and its commands are run there; they must end as the guide says.
"""

from __future__ import annotations

import re
import shlex
import shutil
from dataclasses import dataclass
from pathlib import Path

import pytest
import yaml
from liuren.engine.data import packaged
from liuren.tools.cli import main

KB = Path(str(packaged()))
COPY = "mykb"
_FENCE = re.compile(r"^```(\w*)\n(.*?)^```$", re.M | re.S)
_STATUS = re.compile(r"\s+# exit status (\d)$")


@dataclass(frozen=True)
class Block:
    """A fenced block: its language (bash, yaml, text) and its lines."""

    kind: str
    body: str


def blocks(page: str) -> list[Block]:
    text = (KB / page).read_text(encoding="utf-8")
    return [Block(m[1], m[2]) for m in _FENCE.finditer(text)]


ENGLISH = blocks("GUIDE.md")


def _merge(old: dict[str, object], new: dict[str, object]) -> dict[str, object]:
    for key, value in new.items():
        mine = old.get(key)
        both = isinstance(mine, dict) and isinstance(value, dict)
        assert both or key not in old, f"{key} is there already"
        old[key] = (
            _merge(mine, value) if isinstance(mine, dict) and isinstance(value, dict) else value
        )
    return old


def _write(block: Block, folder: Path) -> None:
    """Put a block where its first line says: a new file, or added to a closed list."""
    first, _, rest = block.body.partition("\n")
    if block.kind == "text":
        (folder / "guide.txt").write_text(block.body, encoding="utf-8")
        return
    mark = re.fullmatch(r"# (file|add to) (\S+)", first)
    assert mark, f"a block does not say where it goes: {first}"
    path = folder / COPY / mark[2]
    if mark[1] == "file":
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(rest, encoding="utf-8")
    else:
        merged = _merge(yaml.safe_load(path.read_text(encoding="utf-8")), yaml.safe_load(rest))
        path.write_text(
            yaml.safe_dump(merged, allow_unicode=True, sort_keys=False), encoding="utf-8"
        )


def _run(line: str, folder: Path) -> int:
    words = shlex.split(line)
    if words[:2] == ["cp", "-r"]:
        shutil.copytree(folder / words[2], folder / words[3])
        return 0
    assert words[0] == "liuren", f"the test knows no command {words[0]}"
    try:
        main(words[1:])
    except SystemExit as end:
        return end.code if isinstance(end.code, int) else int(end.code is not None)
    return 0


def test_both_languages_have_the_same_examples() -> None:
    assert blocks("GUIDE.ko.md") == ENGLISH
    assert {b.kind for b in ENGLISH} == {"bash", "yaml", "text"}


def test_every_example_runs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    shutil.copytree(KB, tmp_path / "kb", ignore=shutil.ignore_patterns("__pycache__", "GUIDE*"))
    monkeypatch.chdir(tmp_path)
    said: dict[str, str] = {}
    for block in ENGLISH:
        if block.kind != "bash":
            _write(block, tmp_path)
            continue
        for line in block.body.splitlines():
            wanted = _STATUS.search(line)
            command = _STATUS.sub("", line)
            capsys.readouterr()
            status = _run(command, tmp_path)
            out, err = capsys.readouterr()
            assert status == (int(wanted[1]) if wanted else 0), f"{command}\n{out}\n{err}"
            said.setdefault(command, out)
    checks = [out for command, out in said.items() if command.startswith("liuren kb check")]
    assert "wants an example" in checks[1]
    assert checks[-1].rstrip().endswith("0 problems, 0 examples wanted")
    reason = next(out for command, out in said.items() if command.startswith("liuren why"))
    assert "青龍" in reason and "庚午" in reason
