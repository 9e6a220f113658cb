"""cases run --books, diff, solve, reproduce, and when: their output, errors and exit status."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Run = Callable[..., Any]

BROKEN = """\
given: {day: 甲?, month: 寅}
stated:
- {quote: 申戌, expect: {transmissions: [申, 戌, ~]}}
- {expect: {initial: {general: 青龙}}}
"""


def test_books_are_run_when_asked_for(run: Run) -> None:
    own = run("cases", "run", "primer.yinshen_snake", "--json").json
    assert own["total"] == 1 and own["results"][0]["book"] is None
    books = run("cases", "run", "--books", "DA74", "ZN134", "--json")
    assert books.status == 0 and books.json["passed"] == 2 and not books.err
    assert [r["book"] for r in books.json["results"]] == ["六壬斷案", "六壬指南"]
    under = run("cases", "run", "--books", "DA74", "--doctrine", "daquan", "--json")
    assert (under.status, under.json["failed"]) == (1, 1)


def test_books_and_corpus_are_one_or_the_other(refused: Run) -> None:
    assert "--books" in refused("cases", "run", "--books", "--corpus", "x.yaml")


def test_diff(run: Run, refused: Run) -> None:
    argv = ("cases", "diff", "--books", "DA74", "DA04", "--doctrine", "daquan", "--with", "duanan")
    data = run(*argv, "--json").json
    assert data["schema"] == "liuren.cases.diff/1" and (data["total"], data["changed"]) == (2, 1)
    (case,) = data["results"]
    assert case["id"] == "DA74" and case["passed"] == {"before": False, "after": True}
    assert set(data["rules"]) == {r["rule"] for r in case["rules"]}
    text = run(*argv)
    assert text.status == 0 and not text.err and "DA74" in text.out and "DA04" not in text.out
    assert "--with" in refused("cases", "diff", "--doctrine", "daquan")
    assert "duan" in refused("cases", "diff", "--with", "duanann")


def test_solve_lists_charts_with_their_schools(run: Run) -> None:
    argv = ("cases", "solve", "--day", "?辰", "--initial", "午", "--middle", "辰", "--general", "初:蛇")
    data = run(*argv, "--noble", "night", "--offset", "10", "--json")
    assert data.status == 0 and data.json["schema"] == "liuren.cases.solve/1"
    # 庚 has 未 by night, here on 酉 and so backward: 午 carries 螣蛇 (as DQ6 prints it for 庚子).
    (found,) = data.json["solutions"]
    assert (found["day"], found["offset"], found["noble"]) == ("庚辰", 10, "夜")
    assert found["generals"] == ["螣蛇", "六合", "青龍"] and "duanan" in found["doctrines"]
    text = run("cases", "solve", "--day", "庚辰", "--initial", "午|辰", "--middle", "辰", "--offset", "10")
    assert text.status == 0 and not text.err and "duanan" in text.out and "庚辰" in text.out


def test_solve_names_what_contradicts(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "broken.yaml"
    file.write_text(BROKEN, encoding="utf-8")
    data = run("cases", "solve", str(file), "--json")
    assert data.status == 1 and data.json["total"] == 0
    assert data.json["contradictions"] == [["day 甲?", "middle.branch: 戌"]]
    assert "month 寅" in data.json["statements"]
    assert "middle.branch: 戌" in run("cases", "solve", str(file)).out


@pytest.mark.parametrize(
    ("argv", "word"),
    [
        ((), "Nothing"),
        (("--initial", "貓"), "貓"),
        (("--general", "青龍"), "初:青龍"),
        (("--general", "初:天"), "天"),
        (("--hidden", "初:子"), "子"),
        (("--method", "無此"), "無此"),
        (("--says", "initial: {x: y}"), "--says"),
        (("--says", "["), "--says"),
        (("nothing.yaml",), "nothing.yaml"),
    ],
)
def test_solve_refuses(argv: tuple[str, ...], word: str, refused: Run) -> None:
    assert word in refused("cases", "solve", *argv)


def test_reproduce(run: Run) -> None:
    argv = ("cases", "reproduce", "--books", "DA74", "DA04", "DQB2", "--doctrine", "common")
    data = run(*argv, "--json").json
    assert data["schema"] == "liuren.cases.reproduce/1" and (data["total"], data["whole"]) == (3, 2)
    assert {r["id"]: r["set"] for r in data["results"]} == {"DA74": {"shehai": "meng-zhong"}, "DA04": {}, "DQB2": {}}
    assert [b["book"] for b in data["books"]] == ["六壬大全", "六壬斷案"]
    text = run(*argv)
    assert text.status == 0 and not text.err and "shehai=meng-zhong" in text.out


def test_when(run: Run) -> None:
    argv = ("when", "--day", "甲子", "--hour", "戌", "--month-general", "卯", "--tz", "Asia/Shanghai")
    data = run(*argv, "--from", "1906", "--to", "1907", "--json").json
    assert data["schema"] == "liuren.when/1" and data["total"] == 2
    # 1906-11-16 is 甲子 and after 霜降, before 小雪.
    assert data["windows"][0]["start"] == "1906-11-16T19:00:00+08:00"
    assert data["windows"][0]["end"] == "1906-11-16T21:00:00+08:00"
    text = run(*argv, "--from", "1900", "--to", "2050", "--limit", "2")
    assert text.status == 0 and not text.err and len(text.out.splitlines()) == 4
    none = run(*argv, "--from", "1906-01", "--to", "1906-02")
    assert none.status == 0 and none.out.startswith("0 ")


@pytest.mark.parametrize(
    ("argv", "word"),
    [
        (("--from", "2024", "--to", "2025", "--tz", "Asia/Seoul"), "Nothing"),
        (("--day", "甲子", "--from", "2024", "--to", "2025"), "--tz"),
        (("--day", "甲子", "--from", "soon", "--to", "2025", "--tz", "Asia/Seoul"), "soon"),
        (("--day", "甲子", "--from", "2024-02-30", "--to", "2025", "--tz", "Asia/Seoul"), "2024-02-30"),
        (("--day", "甲子", "--from", "2024", "--to", "2025-13", "--tz", "Asia/Seoul"), "2025-13"),
        (("--day", "甲子", "--from", "2026", "--to", "2025", "--tz", "Asia/Seoul"), "2026-01-01"),
        (("--day", "甲子", "--from", "2024", "--to", "9999", "--tz", "Asia/Seoul"), "9999"),
        (("--day", "甲子", "--from", "2024", "--to", "2025", "--tz", "Asia/Seul"), "Seoul"),
        (("--day", "甲子", "--from", "2024", "--to", "2025", "--tz", "+09:00", "--set", "hour_time=mean"), "longitude"),
        (("--day", "甲子", "--from", "2024", "--to", "2025", "--place", "無此城"), "無此城"),
        (("--day", "甲子", "--hour", "丙戌", "--from", "2024", "--to", "2025", "--tz", "Asia/Seoul"), "甲戌"),
        (("--day", "甲子", "--from", "0000", "--to", "2025", "--tz", "Asia/Seoul"), "0000"),
    ],
)
def test_when_refuses(argv: tuple[str, ...], word: str, refused: Run) -> None:
    assert word in refused("when", *argv)
