"""compare: two doctrines on one question."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

Run = Callable[..., Any]

# 丁卯 with 戌 on 子: depth gives 亥 (六壬大全 counts it), 孟仲季 gives 丑 (the case of 五要權衡).
QUESTION = ("--day", "丁卯", "--hour", "子", "--month-general", "戌")


def verdicts(read: Any, text: str) -> set[tuple[str, str | None]]:
    return {(v["id"], v["standing"]) for v in read["verdicts"] if v["text"] == text}


def test_transmissions_part_as_the_books_have_them(run: Run) -> None:
    found = run("compare", *QUESTION, "--doctrine", "common", "--with", "quanheng", "--json").json
    assert list(found) == ["schema", "texts", "options", "first", "differences"]
    assert found["schema"] == "liuren.compare/1"
    assert found["texts"]["xinjing"] == {"before": "common", "after": "quanheng"}
    moved = {
        d["what"]: (d["before"], d["after"])
        for d in found["differences"]
        if d["text"] == "xinjing" and d["what"].endswith(".branch") and d["kind"] == "chart"
    }
    assert moved == {
        "transmissions.0.branch": ("亥", "丑"),
        "transmissions.1.branch": ("酉", "亥"),
        "transmissions.2.branch": ("未", "酉"),
    }
    options = [(o["option"], o["before"], o["after"]) for o in found["options"] if o["text"] == "xinjing"]
    assert options == [("shehai", "depth-open", "meng-zhong"), ("earth_months", "season", "eighteen")]
    assert found["first"]["xinjing"] == {"step": "option.shehai", "before": "depth-open", "after": "meng-zhong"}


def test_the_verdicts_that_change_are_those_of_two_readings(run: Run) -> None:
    """Gained, lost and otherwise standing: as `read` tells under each doctrine by itself."""
    before = run("read", *QUESTION, "--doctrine", "common", "--json").json
    after = run("read", *QUESTION, "--doctrine", "quanheng", "--json").json
    found = run("compare", *QUESTION, "--doctrine", "common", "--with", "quanheng", "--json").json
    for text in before["texts"]:
        a, b = dict(verdicts(before, text)), dict(verdicts(after, text))
        told = [d for d in found["differences"] if d["text"] == text]
        lost = {d["what"] for d in told if d["kind"] == "verdict" and not d["after"]}
        gained = {d["what"] for d in told if d["kind"] == "verdict" and not d["before"]}
        assert lost == set(a) - set(b) and gained == set(b) - set(a)
        changed = {id for id in set(a) & set(b) if a[id] != b[id]}
        assert changed <= {d["what"] for d in told if d["kind"] == "standing"}
    assert any(d["kind"] == "verdict" for d in found["differences"])


def test_a_verdict_tells_what_turned(run: Run) -> None:
    found = run("compare", *QUESTION, "--doctrine", "common", "--with", "quanheng", "--json").json
    verdict = next(d for d in found["differences"] if d["kind"] == "verdict")
    assert verdict["cause"]["condition"] and verdict["root"]["step"].startswith("option.")


def test_without_a_first_school_each_text_has_its_own(run: Run) -> None:
    found = run("compare", *QUESTION, "--with", "quanheng", "--json").json
    assert found["texts"]["xinjing"]["before"] == "xinjing"
    assert found["texts"]["quanheng"] == {"before": "quanheng", "after": "quanheng"}
    assert not [d for d in found["differences"] if d["text"] == "quanheng"]


def test_one_option_apart(run: Run) -> None:
    found = run("compare", *QUESTION, "--doctrine", "common", "--with-set", "shehai=meng-zhong", "--json").json
    assert {o["option"] for o in found["options"]} == {"shehai"}
    assert found["texts"]["primer"]["after"] == "common+shehai=meng-zhong"


@pytest.mark.parametrize("lang", ["zh", "ko", "en"])
def test_text(run: Run, lang: str) -> None:
    out = run("compare", *QUESTION, "--doctrine", "common", "--with", "quanheng", "--lang", lang).out
    assert "common → quanheng" in out and "shehai" in out and "\x1b" not in out
    assert any(line.split()[:1] == ["transmissions.0.branch"] and "亥" in line and "丑" in line for line in out.splitlines())


def test_the_same_school_twice(run: Run) -> None:
    assert run("compare", *QUESTION, "--doctrine", "common", "--with", "common").out.splitlines()[-1].strip() == "nothing"


@pytest.mark.parametrize(
    ("more", "named"),
    [
        ((), "--with DOCTRINE"),
        (("--with", "quanhen"), "quanheng"),
        (("--with-set", "shehai=deep"), "depth-open"),
        (("--with-set", "shehai"), "OPTION=VALUE|NAME=VALUE"),
    ],
)
def test_mistakes(refused: Callable[..., str], more: tuple[str, ...], named: str) -> None:
    sentence = refused("compare", *QUESTION, *more)
    assert any(name in sentence for name in named.split("|"))
