"""Running the command line in this process, on a knowledge base loaded once."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from liuren.engine.library import Library
from liuren.tools.cli import main


@dataclass(frozen=True)
class Outcome:
    """What a run of the command line left behind."""

    status: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        return json.loads(self.out)


Run = Callable[..., Outcome]


@pytest.fixture
def run(
    library: Library, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> Run:
    """run("cast", "--day", …): status and output; only --kb loads anything anew."""
    load = Library.load

    def once(kb_dir: str | Path | None = None) -> Library:
        return library if kb_dir is None else load(kb_dir)

    monkeypatch.setattr(Library, "load", once)

    def ran(*argv: str) -> Outcome:
        capsys.readouterr()
        try:
            main(list(argv))
            status = 0
        except SystemExit as end:
            status = end.code if isinstance(end.code, int) else 1
        out, err = capsys.readouterr()
        return Outcome(status, out, err)

    return ran


@pytest.fixture
def refused(run: Run) -> Callable[..., str]:
    """refused("cast", …): the one sentence on standard error of a question that is wrong."""

    def sentence(*argv: str) -> str:
        outcome = run(*argv)
        assert outcome.status == 2, outcome
        assert outcome.out == ""
        assert outcome.err.startswith("liuren: ") and outcome.err.endswith("\n")
        said = outcome.err.removeprefix("liuren: ").rstrip("\n")
        assert "\n" not in said and "Traceback" not in said
        return said

    return sentence
