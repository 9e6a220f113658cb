"""``liuren read`` and ``liuren why``: the keys of their data, and what they show."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from typing import Any

import pytest
from liuren.engine.normalise import normalise
from liuren.tools.layout import centre, pad, table, width

Run = Callable[..., Any]
# 卯 stands on 午, so each heaven branch is three places behind its seat.  庚 lodges in 申: 巳 stands
# on it, fire on metal; 子 carries 酉, and 酉 carries 午, fire on metal again.  Of the two that
# control from above, 午 is yang like the day 庚: the initial is 午, and the hour is 午 too.
PILLARS = ("--day", "庚子", "--hour", "午", "--month-general", "卯")
FIRED = "xinjing.tianwang/def"
FULL = (
    "--day", "戊辰", "--hour", "卯", "--month-general", "申", "--month", "巳", "--year", "子", "--natal", "寅",
    "--annual", "酉", "--sex", "m", "--person", "wife:natal=卯:annual=丑", "--told", "duration=long",
)  # fmt: skip


def test_read_json_keys(run: Run) -> None:
    data = run("read", *PILLARS, "--json").json
    assert set(data) >= {"charts", "patterns", "tallies", "measures", "verdicts", "unknown"}
    assert all(set(p) >= {"name", "rule", "of", "text", "chart"} for p in data["patterns"])
    keys = {"id", "rule", "of", "topic", "polarity", "standing", "by", "en", "ko", "quote", "text", "chart"}
    assert data["verdicts"] and all(set(v) >= keys for v in data["verdicts"])
    assert data["unknown"] and all(set(u) >= {"rule", "needs"} and u["needs"] for u in data["unknown"])
    charts = {c["doctrine"]["id"] for c in data["charts"]}
    assert {v["chart"] for v in data["verdicts"]} <= charts
    ids = [v["id"] for v in data["verdicts"]]
    assert len(ids) == len(set(ids))
    assert {v["polarity"] for v in data["verdicts"]} <= {"good", "bad", "mixed", "neutral", "conditional"}


def test_read_json_says_what_fired(run: Run) -> None:
    """天網: the initial and the hour both control the day stem."""
    data = run("read", *PILLARS, "--json").json
    assert data["charts"][0]["transmissions"][0]["branch"] == "午"
    assert {"天網"} <= {p["name"] for p in data["patterns"] if p["rule"] == FIRED}
    [verdict] = [v for v in data["verdicts"] if v["rule"] == FIRED]
    assert verdict["text"] == "xinjing" and verdict["polarity"] == "bad"
    assert len(verdict["quote"]) <= 16


def test_a_topic_narrows_and_nothing_else_changes(run: Run) -> None:
    every = {v["id"]: v for v in run("read", *FULL, "--json").json["verdicts"]}
    ill = run("read", *FULL, "--topic", "illness", "--json").json
    assert ill["topic"] == "illness"
    assert 0 < len(ill["verdicts"]) < len(every)
    for verdict in ill["verdicts"]:
        assert set(verdict["topic"]) & {"illness", "general"}
        assert verdict["en"] == every[verdict["id"]]["en"]
    assert run("read", *FULL, "--topic", "disease", "--json").out == run("read", *FULL, "--topic", "illness", "--json").out


def test_what_is_told_is_no_longer_unknown(run: Run) -> None:
    before = {n for u in run("read", *PILLARS, "--json").json["unknown"] for n in u["needs"]}
    assert {"month", "querent.natal"} <= before
    after = {n for u in run("read", *PILLARS, "--month", "戌", "--natal", "卯", "--json").json["unknown"] for n in u["needs"]}
    assert not {"month", "querent.natal"} & after


def test_why_json_keys(run: Run) -> None:
    data = run("why", FIRED, *PILLARS, "--json").json
    assert set(data) >= {"nodes", "edges"}
    ids = [n["id"] for n in data["nodes"]]
    assert len(ids) == len(set(ids))
    assert all(n["kind"] for n in data["nodes"])
    assert all({"source", "target", "kind"} <= set(e) for e in data["edges"])
    assert {"input.day", "input.hour", "input.month_general", "passage:xinjing.tianwang", f"firing:{FIRED}"} <= set(ids)


def test_why_tells_rule_passage_and_input(run: Run) -> None:
    text = run("why", FIRED, *PILLARS).out
    assert "用起並時同剋日" in text
    assert "day = 庚子" in text and "hour" in text
    assert "\x1b" not in text


def test_why_to_a_depth(run: Run) -> None:
    lines = run("why", FIRED, *PILLARS, "--depth", "0").out.splitlines()
    assert 0 < len(lines) < len(run("why", FIRED, *PILLARS, "--depth", "1").out.splitlines())
    assert not any(line.startswith(("├", "└", "│")) for line in lines)


@pytest.mark.parametrize("id", ["initial", "noble", "plate"])
def test_why_a_value_of_the_chart(run: Run, id: str) -> None:
    data = run("why", id, *PILLARS, "--json").json
    assert any(n["id"].endswith(f"/{id}") for n in data["nodes"])


def test_simplified_characters_name_the_same(run: Run) -> None:
    plain = run("why", "天網", *PILLARS, "--json")
    assert plain.status == 0
    assert run("why", "天网", *PILLARS, "--json") == plain


@pytest.mark.parametrize(
    ("written", "meant"),
    [("青龙", "青龍"), ("元武", "玄武"), ("天後", "天后"), ("腾蛇", "螣蛇"), ("甲戍", "甲戌"), ("惊蛰", "驚蟄"), ("玄武", "玄武")],
)
def test_variants_are_read_as_the_traditional_form(written: str, meant: str) -> None:
    assert normalise(written) == meant
    assert normalise(normalise(written)) == meant


def test_a_day_and_a_term_in_variant_characters(run: Run) -> None:
    """甲戍 (the wrong 戌, often met) and 惊蛰, which opens the month 卯 (general 亥 before 春分)."""
    rest = ("--hour", "午", "--month-general", "亥", "--month", "卯", "--json")
    plain = run("cast", "--day", "甲戌", "--term", "驚蟄", *rest)
    assert plain.status == 0
    assert run("cast", "--day", "甲戍", "--term", "惊蛰", *rest).json["generals"] == plain.json["generals"]


@pytest.mark.parametrize("lang", ["zh", "ko", "en"])
def test_read_in_each_language_in_a_pipe(run: Run, lang: str) -> None:
    outcome = run("read", *PILLARS, "--lang", lang, "--why")
    assert outcome.status == 0 and outcome.err == ""
    assert "\x1b" not in outcome.out
    assert "天網" in outcome.out


def test_the_same_bytes_under_any_hash_seed() -> None:
    """cast, read and why, each in two processes that order their sets otherwise."""
    program = (
        "from liuren.tools.cli import main\n"
        f"main(['cast', *{PILLARS!r}, '--json'])\n"
        f"main(['read', *{FULL!r}, '--json', '--why'])\n"
        f"main(['read', *{PILLARS!r}, '--lang', 'ko'])\n"
        f"main(['why', {FIRED!r}, *{PILLARS!r}, '--json'])\n"
    )
    outputs = []
    for seed in ("1", "4242"):
        env = {**os.environ, "PYTHONHASHSEED": seed}
        done = subprocess.run([sys.executable, "-c", program], env=env, capture_output=True, check=True)
        assert b"\x1b" not in done.stdout and done.stderr == b""
        outputs.append(done.stdout)
    assert outputs[0] == outputs[1]
    assert "天網".encode() in outputs[0]


# --- layout --------------------------------------------------------------------------------


def test_width_counts_wide_characters_twice_and_colour_not_at_all() -> None:
    assert [width(t) for t in ("", "abc", "甲子", "甲a", "한글", "\x1b[1m甲\x1b[0m", "—")] == [0, 3, 4, 3, 4, 2, 1]
    assert pad("甲", 4) == "甲  " and pad("abcde", 3) == "abcde"
    assert centre("甲", 5) == " 甲  "


def test_a_table_lines_up_and_has_no_blanks_at_the_end() -> None:
    rows = [["a", "貴人", "x"], ["甲子", "b", ""], ["\x1b[1m丙\x1b[0m", "cc", "yy"]]
    assert table(rows, indent=" ") == [" a     貴人  x", " 甲子  b", " \x1b[1m丙\x1b[0m    cc    yy"]
