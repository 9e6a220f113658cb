"""schools: every option with its values, who holds each, and what each changes."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from liuren.engine.doctrine import load_doctrine, option_values
from liuren.engine.library import Library

Run = Callable[..., Any]

# What the field is known to part on, each an option.
POINTS = (
    "shehai", "shehai_tie", "repeated", "fuyin", "bieze", "bazhuan", "duzu", "jinglan", "noble",
    "noble_order", "day_night", "month_general", "day_starts", "hour_time", "annual", "earth", "hidden",
    "earth_months", "spirit.dashi",
)  # fmt: skip


def test_every_option_with_every_value(run: Run, library: Library) -> None:
    found = run("schools", "--json").json
    assert found["schema"] == "liuren.schools/1"
    listed = {o["option"]: [v["value"] for v in o["values"]] for o in found["options"]}
    assert listed == {o: list(values) for o, values in option_values(library.data).items()}
    assert set(POINTS) <= set(listed)
    for option in found["options"]:
        assert all(option[lang] for lang in ("zh", "ko", "en"))
        assert len(option["values"]) >= 2 and option["default"] == option["values"][0]["value"], option["option"]
        for value in option["values"]:
            assert all(value["what"][lang] for lang in ("zh", "ko", "en"))
            assert all(h["book"] and h["evidence"]["ko"] for h in value["held_by"]) and value["held_by"]
            assert value["changes"] is None


def test_doctrines_that_choose_a_value(run: Run, library: Library) -> None:
    """心鏡 has 獨足 fly, 六壬斷案 by 行年, the rest stay."""
    (option,) = run("schools", "duzu", "--json").json["options"]
    choosing = {v["value"]: v["doctrines"] for v in option["values"]}
    assert choosing["fly"] == ["xinjing"] and choosing["annual"] == ["duanan"]
    for value, names in choosing.items():
        assert all(load_doctrine(n, library.data).options["duzu"] == value for n in names)


def test_counts(run: Run) -> None:
    """丁卯 己卯 辛卯 are the three days of 伏吟 that part; 甲戊庚 are three stems of ten."""
    found = run("schools", "fuyin", "noble", "--counts", "--json").json
    values = {(o["option"], v["value"]): v["changes"] for o in found["options"] for v in o["values"]}
    assert values["fuyin", "clash"] is None
    assert values["fuyin", "circle"] == {
        "over": "lessons", "of": 720, "changed": 3, "in": {"transmissions": 3}, "lessons": 3,
    }  # fmt: skip
    assert values["noble", "sheep-ox"] == {
        "over": "day-night", "of": 1440, "changed": 432, "in": {"generals": 432}, "lessons": 216,
    }  # fmt: skip


@pytest.mark.parametrize(("lang", "word"), [("zh", "課"), ("ko", "과"), ("en", "lessons")])
def test_text(run: Run, lang: str, word: str) -> None:
    out = run("schools", "fuyin", "--counts", "--lang", lang).out
    assert f"3 / 720 {word}" in out and "ZN134" in out and "circle" in out and "\x1b" not in out


def test_page(run: Run, tmp_path: Path) -> None:
    page = tmp_path / "schools.md"
    outcome = run("schools", "fuyin", "duzu", "spirit.huangen", "--page", str(page))
    assert (outcome.status, outcome.out) == (0, "")
    text = page.read_text(encoding="utf-8")
    assert text.startswith("# Where the schools part\n")
    rows = [line for line in text.splitlines() if line.startswith("| `circle`")]
    assert len(rows) == 1 and "3 / 720" in rows[0] and "畢法賦" in rows[0]
    # Every table is whole: as many cells in a row as in its head.
    blocks = [b.splitlines() for b in text.split("\n\n") if b.startswith("|")]
    assert blocks and all(len({line.count(" | ") for line in block}) == 1 for block in blocks)


def test_page_is_not_replaced_unless_told(run: Run, refused: Callable[..., str], tmp_path: Path) -> None:
    page = tmp_path / "schools.md"
    page.write_text("mine")
    assert "--force" in refused("schools", "fuyin", "--page", str(page))
    assert page.read_text() == "mine" and list(tmp_path.iterdir()) == [page]
    assert run("schools", "fuyin", "--page", str(page), "--force").status == 0
    assert page.read_text(encoding="utf-8") != "mine"


def test_unknown_option(refused: Callable[..., str]) -> None:
    assert "fuyin" in refused("schools", "fuyinn")
