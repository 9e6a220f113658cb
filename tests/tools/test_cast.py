"""``liuren cast``: a chart worked by hand, and the keys of its JSON.

甲子 day, hour 戌, month general 卯, common doctrine.  卯 stands on 戌, so each heaven branch
is five places ahead of its seat.  甲 lodges in 寅: its upper is 未, and 未's upper is 子;
子's upper is 巳, and 巳's upper is 戌.  Lessons (upper/lower): 未/甲, 子/未, 巳/子, 戌/巳.
甲 wood overcomes 未 earth from below (下賊上); 未 earth overcomes 子 water from below;
子 water overcomes 巳 fire from below; 巳 fire generates 戌 from below (下生上).
戌 hour is night: 甲's night nobleman is 未 (甲戊庚牛羊), on seat 寅, in the eastern half, so
the generals run forward: 貴人 未, 螣蛇 申, … 天后 午.
The decade of 甲子 leaves 戌 and 亥 void.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml
from liuren.tools.layout import width

Run = Callable[..., Any]
PILLARS = ("--day", "甲子", "--hour", "戌", "--month-general", "卯")
BRANCHES = "子丑寅卯辰巳午未申酉戌亥"
GENERALS = ["貴人", "螣蛇", "朱雀", "六合", "勾陳", "青龍", "天空", "白虎", "太常", "玄武", "太陰", "天后"]


def test_json_by_hand(run: Run) -> None:
    data = run("cast", *PILLARS, "--json").json
    assert data["pillars"]["day"] == "甲子"
    assert data["pillars"]["hour"] in ("戌", "甲戌")
    assert data["month_general"] == "卯"
    assert data["plate"] == {b: BRANCHES[(i + 5) % 12] for i, b in enumerate(BRANCHES)}
    assert [(x["upper"], x["lower"]) for x in data["lessons"]] == [
        ("未", "甲"), ("子", "未"), ("巳", "子"), ("戌", "巳"),
    ]  # fmt: skip
    assert [x["relation"] for x in data["lessons"]] == ["下賊上", "下賊上", "下賊上", "下生上"]
    assert data["noble"] == {"branch": "未", "earth": "寅", "period": "夜", "direction": "順"}
    assert data["generals"] == {
        BRANCHES[(7 + i) % 12]: general for i, general in enumerate(GENERALS)
    }
    assert data["void"] == ["戌", "亥"]
    riding = data["generals"]
    assert [x["general"] for x in data["lessons"]] == [riding[b] for b in "未子巳戌"]
    for transmission in data["transmissions"]:
        assert transmission["general"] == riding[transmission["branch"]]
        assert transmission["void"] is (transmission["branch"] in "戌亥")


def test_json_keys(run: Run) -> None:
    data = run("cast", *PILLARS, "--json").json
    assert set(data) >= {
        "pillars", "month_general", "doctrine", "plate", "generals", "noble", "lessons", "method",
        "transmissions", "void", "spirits", "persons", "steps",
    }  # fmt: skip
    assert set(data["pillars"]) == {"year", "month", "day", "hour"}
    assert set(data["noble"]) == {"branch", "earth", "period", "direction"}
    assert len(data["lessons"]) == 4
    assert all(set(x) == {"lower", "upper", "general", "relation"} for x in data["lessons"])
    assert set(data["method"]) == {"name", "head"}
    assert len(data["transmissions"]) == 3
    keys = {"branch", "general", "stem", "relative", "void", "strength"}
    assert all(set(x) == keys for x in data["transmissions"])
    assert all({"id", "kind", "value", "method", "inputs", "source"} <= set(s) for s in data["steps"])


def test_what_was_not_told_is_null(run: Run) -> None:
    data = run("cast", *PILLARS, "--json").json
    assert data["pillars"]["year"] is None and data["pillars"]["month"] is None
    assert [x["strength"] for x in data["transmissions"]] == [None] * 3


@pytest.mark.parametrize("lang", ["zh", "ko", "en"])
def test_text_has_the_chart_and_no_colour_codes(run: Run, lang: str) -> None:
    text = run("cast", *PILLARS, "--lang", lang).out
    assert "\x1b" not in text
    for value in ("甲子", "螣蛇", "下賊上", "戌", "順"):
        assert value in text
    assert not any(line != line.rstrip() for line in text.splitlines())


def test_columns_line_up(run: Run) -> None:
    """In the block of the four lessons each column begins at one width."""
    lines = run("cast", *PILLARS).out.splitlines()
    start = next(i for i, line in enumerate(lines) if line == "four lessons")
    block = lines[start + 1 : start + 5]
    assert [line.split() for line in block][1:3] == [["戌", "巳", "子", "未"], ["巳", "子", "未", "甲"]]
    columns = [[width(line[: m.start()]) for m in re.finditer(r"\S+", line)] for line in block]
    assert columns == [columns[0]] * 4


@pytest.mark.parametrize(
    "changed",
    [
        ("--noble", "night"), ("--noble", "夜"), ("--day", "甲子 "),
    ],
)  # fmt: skip
def test_the_same_chart_otherwise_written(run: Run, changed: tuple[str, str]) -> None:
    plain = run("cast", *PILLARS, "--json").json
    again = run("cast", *PILLARS, *changed, "--json").json
    assert again["generals"] == plain["generals"]
    assert again["transmissions"] == plain["transmissions"]


def test_saved_question_gives_the_same_chart(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "question.yaml"
    first = run("cast", *PILLARS, "--born", "1975", "--sex", "m", "--year", "子", "--json", "--save", str(path))
    assert first.status == 0
    saved = yaml.safe_load(path.read_text(encoding="utf-8"))
    assert (saved["day"], saved["hour"], saved["month_general"]) == ("甲子", "戌", "卯")
    assert run("cast", "--reading", str(path), "--json").out == first.out


def test_options_win_over_the_saved_question(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "question.json"
    path.write_text('{"day": "乙丑", "hour": "戌", "month_general": "卯"}', encoding="utf-8")
    assert run("cast", "--reading", str(path), "--json").json["pillars"]["day"] == "乙丑"
    assert run("cast", "--reading", str(path), "--day", "甲子", "--json").out == run("cast", *PILLARS, "--json").out


def test_save_replaces_a_file_only_when_told(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "question.yaml"
    path.write_text("mine\n", encoding="utf-8")
    assert run("cast", *PILLARS, "--save", str(path), "--force").status == 0
    assert "甲子" in path.read_text(encoding="utf-8")
    assert [p.name for p in tmp_path.iterdir()] == ["question.yaml"]
