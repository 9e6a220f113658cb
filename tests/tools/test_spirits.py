"""spirits: those of a chart, and all tables."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from liuren.engine.library import Library

Run = Callable[..., Any]

# 甲子 at hour 子 under 丑, month 子. Every heaven branch stands one ahead of its seat; it is night, so the
# nobleman is 未 on 午 and leads backward. Lessons: 卯 辰 丑 寅; 辰 is the only upper its lower
# fights, so the transmissions are 辰 巳 午.
QUESTION = ("--day", "甲子", "--hour", "子", "--month-general", "丑")
MONTH = ("--month", "子")


@pytest.fixture
def of(run: Run) -> Callable[..., dict[str, Any]]:
    """of(more options): spirits of the chart, by name."""

    def found(*more: str) -> dict[str, Any]:
        return {s["zh"]: s for s in run("spirits", *QUESTION, *more, "--json").json["spirits"]}

    return found


def test_branch_seat_and_general_by_hand(of: Callable[..., dict[str, Any]]) -> None:
    """The horse of 子 is 寅, on 丑; five back from 未 is 寅, which 青龍 rides; it is lesson 4."""
    horse = of(*MONTH)["驛馬"]
    assert {k: horse[k] for k in ("key", "branch", "seat", "general", "in", "needs", "source")} == {
        "key": "yima", "branch": "寅", "seat": "丑", "general": "青龍", "in": ["lesson4"],
        "needs": [], "source": "external",
    }  # fmt: skip
    # 月破 of 子 is 午, the final; one back from 未 is 午, the serpent's.
    broken = of(*MONTH)["月破"]
    assert (broken["branch"], broken["seat"], broken["general"], broken["in"]) == ("午", "巳", "螣蛇", ["final"])


def test_rivals_side_by_side(of: Callable[..., dict[str, Any]]) -> None:
    """大時 in month 11: 酉 by the usual table (卯子酉午), 丑 by that of 心鏡 (from 卯 on)."""
    hour = of(*MONTH)["大時"]
    assert [(t["name"], t["branch"]) for t in hour["tables"]] == [("common", "酉"), ("xinjing", "丑")]
    assert (hour["table"], hour["branch"]) == ("common", "酉")
    chosen = of(*MONTH, "--doctrine", "xinjing")["大時"]
    assert (chosen["table"], chosen["branch"], chosen["source"]) == ("xinjing", "丑", "xinjing.jiuchou.verdict")
    assert [t["branch"] for t in chosen["tables"]] == ["酉", "丑"]


def test_what_is_missing_is_said(of: Callable[..., dict[str, Any]]) -> None:
    found = of()
    assert found["天馬"]["branch"] is None and found["天馬"]["needs"] == ["month"]
    # The common table of 劫煞 goes by the day, its rival by the month, which was not told.
    assert [t["branch"] for t in found["劫煞"]["tables"]] == ["巳", None]
    eve = of("--term", "")["四絕"]
    assert eve["branch"] is None and eve["needs"] in ([], ["term"])


@pytest.mark.parametrize("lang", ["zh", "ko", "en"])
def test_text_of_a_chart(run: Run, lang: str) -> None:
    lines = run("spirits", *QUESTION, *MONTH, "--lang", lang).out.splitlines()
    horse = next(line for line in lines if line.startswith("驛馬"))
    assert {"寅", "丑", "青龍"} <= set(horse.split())
    assert any("大時" in line and "酉" in line and "丑" in line and "xinjing" in line for line in lines)
    assert any(line.strip().startswith("弔客") and "year" in line for line in lines)


def test_every_table(run: Run, library: Library) -> None:
    found = run("spirits", "--all", "--json").json
    assert found["schema"] == "liuren.spirits/1"
    spirits = {s["zh"]: s for s in found["spirits"]}
    assert len(spirits) >= 60 and list(spirits) == [s["zh"] for s in library.data.spirits.values()]
    assert spirits["驛馬"]["tables"][0]["table"] == dict(zip("申子辰寅午戌亥卯未巳酉丑", "寅寅寅申申申巳巳巳亥亥亥", strict=True))
    assert [t["name"] for t in spirits["皇恩"]["tables"]] == ["common", "daquan", "zhinan"]
    # A spirit found without a table has none; it says what finds it.
    assert spirits["日本"]["tables"][0]["table"] is None and spirits["日本"]["tables"][0]["words"] == "長生"


def test_a_table_names_a_passage_or_is_marked_external(library: Library) -> None:
    for key, spirit in library.data.spirits.items():
        for entry in (spirit, *spirit.get("rivals", {}).values()):
            assert entry["source"] == "external" or entry["source"].split(".")[0] in library.kb.texts, key


@pytest.mark.parametrize("lang", ["zh", "ko", "en"])
def test_text_of_all_lines_up(run: Run, lang: str) -> None:
    lines = run("spirits", "--all", "--lang", lang).out.splitlines()
    assert len(lines) > 60 and any(line.startswith("天馬") and "午申戌子寅辰午申戌子寅辰" in line for line in lines)
    assert run("spirits", "--all", "--lang", lang).out.splitlines() == lines


def test_a_chart_needs_a_question(refused: Callable[..., str]) -> None:
    assert "--day" in refused("spirits")
