"""A mistake in a question is one sentence on standard error, status 2, and nothing else.

``refused`` checks that; here stands what each sentence must name.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Refused = Callable[..., str]

DAY = ("--day", "甲子")
REST = ("--hour", "戌", "--month-general", "卯")
PILLARS = (*DAY, *REST)

BAD: dict[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    # what is wrong: the command line, what the sentence must contain
    "impossible ganzhi": (("cast", "--day", "甲丑", *REST), ("甲丑",)),
    "no ganzhi": (("cast", "--day", "xx", *REST), ("xx",)),
    "no branch": (("cast", *DAY, "--hour", "甲", "--month-general", "卯"), ("甲",)),
    "hour stem against the day": (("cast", *DAY, "--hour", "乙戌", "--month-general", "卯"), ("乙戌",)),
    "month general of another month": (("cast", *PILLARS, "--month", "寅"), ("卯", "寅", "亥")),
    "nothing told": (("cast",), ("moment",)),
    "half told": (("cast", *DAY), ("--hour", "--month-general")),
    "moment without a zone": (("cast", "2024-02-10T09:30"), ("2024-02-10T09:30", "zone")),
    "zone without a moment": (("cast", *PILLARS, "--tz", "Asia/Seoul"), ("zone", "moment")),
    "unknown zone": (("cast", "2024-02-10T09:30", "--tz", "Asia/Soul"), ("Asia/Soul",)),
    "no such day": (("cast", "2023-02-29T09:30", "--tz", "Asia/Seoul"), ("2023-02-29",)),
    "no moment": (("cast", "yesterday", "--tz", "Asia/Seoul"), ("yesterday",)),
    # New York sprang forward on 2024-03-10 from 02:00 to 03:00, and back on 2024-11-03 at 02:00
    "local time that never was": (("cast", "2024-03-10T02:30", "--tz", "America/New_York"), ("02:30",)),
    "local time that was twice": (("cast", "2024-11-03T01:30", "--tz", "America/New_York"), ("01:30",)),
    "year out of range": (("cast", "0001-01-01T00:00", "--tz", "UTC"), ("year",)),
    "far future": (("cast", "9999-01-01T00:00", "--tz", "UTC"), ("9999",)),
    "born after the moment": (("cast", "2024-02-10T09:30", "--tz", "Asia/Seoul", "--born", "2030", "--sex", "m"), ("2030",)),
    "no year of birth": (("cast", *PILLARS, "--born", "seventy"), ("seventy",)),
    "no sex": (("cast", *PILLARS, "--sex", "x"), ("«x»", "m or f")),
    "no nobleman": (("cast", *PILLARS, "--noble", "dusk"), ("dusk", "day or night")),
    "no lunar date": (("cast", *PILLARS, "--lunar", "13-1"), ("13-1",)),
    "no longitude": (("cast", *PILLARS, "--longitude", "200"), ("200", "180")),
    "unknown place": (("cast", "2024-02-10T09:30", "--place", "Atlantisville"), ("Atlantisville",)),
    "unknown role": (("cast", *PILLARS, "--person", "wyfe:1980:f"), ("wyfe", "wife")),
    "empty person": (("cast", *PILLARS, "--person", "wife"), ("wife", "ROLE:BORN:SEX")),
    "unknown told fact": (("read", *PILLARS, "--told", "duratoin=long"), ("duratoin", "duration")),
    "unknown value of a told fact": (("read", *PILLARS, "--told", "duration=ages"), ("ages", "short", "long")),
    "told without value": (("read", *PILLARS, "--told", "duration"), ("duration", "NAME=VALUE")),
    "unknown topic": (("read", *PILLARS, "--topic", "ilness"), ("ilness", "illness")),
    "unknown doctrine": (("cast", *PILLARS, "--doctrine", "xinjin"), ("xinjin", "xinjing")),
    "unknown option of a school": (("cast", *PILLARS, "--set", "shehia=side"), ("shehia", "shehai")),
    "unknown value of an option": (("cast", *PILLARS, "--set", "shehai=mengzhong"), ("mengzhong", "meng-zhong")),
    "unknown passage of a reading": (("read", *PILLARS, "--variant", "xinjing.jielli:chain=loose"), ("xinjing.jielli", "xinjing.jieli")),
    "unknown reading": (("read", *PILLARS, "--variant", "xinjing.jieli:chian=loose"), ("chian", "chain")),
    "unknown option of a reading": (("read", *PILLARS, "--variant", "xinjing.jieli:chain=losse"), ("losse", "loose")),
    "rule that is not there": (("why", "xinjing.tianwang/dfe", *PILLARS), ("xinjing.tianwang/dfe", "xinjing.tianwang/def")),
    "rule that did not fire": (("why", "xinjing.tianwang/def", *PILLARS), ("xinjing.tianwang/def", "did not fire")),
    "saved question that is not there": (("cast", "--reading", "/nowhere/question.yaml"), ("/nowhere/question.yaml",)),
    "knowledge base that is not there": (("cast", *PILLARS, "--kb", "/nowhere"), ("/nowhere",)),
    "unknown option": (("cast", *PILLARS, "--moth", "寅"), ("--moth",)),
    "unknown language": (("cast", *PILLARS, "--lang", "fr"), ("fr", "en")),
    "unknown command": (("caste",), ("caste",)),
}  # fmt: skip


@pytest.mark.parametrize("kind", BAD)
def test_one_sentence(kind: str, refused: Refused) -> None:
    argv, named = BAD[kind]
    said = refused(*argv)
    assert [word for word in named if word not in said] == [], said


def test_saved_question_with_a_wrong_key(refused: Refused, tmp_path: Path) -> None:
    path = tmp_path / "q.yaml"
    path.write_text("day: 甲子\nhour: 戌\nmonth_genral: 卯\n", encoding="utf-8")
    said = refused("read", "--reading", str(path))
    assert "month_genral" in said and "month_general" in said


@pytest.mark.parametrize(
    ("text", "named"),
    [("day: [", "broken YAML"), ("- 甲子\n", "mapping"), ("day: 甲子\nday: 乙丑\n", "twice"), ("\tday: 甲子\n", "tab")],
)
def test_saved_question_that_cannot_be_read(text: str, named: str, refused: Refused, tmp_path: Path) -> None:
    path = tmp_path / "q.yaml"
    path.write_text(text, encoding="utf-8")
    said = refused("cast", "--reading", str(path))
    assert str(path) in said and named in said


def test_save_onto_a_file_that_stands(refused: Refused, tmp_path: Path) -> None:
    path = tmp_path / "q.yaml"
    path.write_text("mine\n", encoding="utf-8")
    said = refused("cast", *PILLARS, "--save", str(path))
    assert str(path) in said and "--force" in said
    assert path.read_text(encoding="utf-8") == "mine\n"
    assert list(tmp_path.iterdir()) == [path]


def test_save_into_a_folder_that_is_not_there(refused: Refused, tmp_path: Path) -> None:
    path = tmp_path / "none" / "q.yaml"
    assert str(path) in refused("cast", *PILLARS, "--save", str(path))
    assert not path.parent.exists()


def test_a_knowledge_base_with_a_broken_list(
    refused: Refused, make_kb: Callable[..., Path]
) -> None:
    root = make_kb()
    (root / "topics.yaml").write_text("topics: [", encoding="utf-8")
    said = refused("read", *PILLARS, "--kb", str(root))
    assert "topics.yaml, line 2" in said


def test_a_knowledge_base_with_problems_is_refused(
    refused: Refused, make_kb: Callable[..., Path]
) -> None:
    """Two mistakes in two files: the number, the first, and what to run."""
    bad = "text: primer\npassages:\n- {id: primer.%s, title: {zh: 試, ko: 시험}, locus: {edition: '000', lines: [1, 2]}}\n"
    root = make_kb(a=bad % "a", b=bad % "b")
    for argv in (("cast", *PILLARS), ("read", *PILLARS), ("why", "initial", *PILLARS)):
        said = refused(*argv, "--kb", str(root))
        assert said.startswith("The knowledge base has 2 problems, the first at texts/primer/a.yaml:3: primer.a: ")
        assert said.endswith(f"run liuren kb check --kb {root}.")


def test_kb_check_still_tells_all_of_them(run: Callable[..., Any], make_kb: Callable[..., Path]) -> None:
    bad = "text: primer\npassages:\n- {id: primer.%s, title: {zh: 試, ko: 시험}, locus: {edition: '000', lines: [1, 2]}}\n"
    outcome = run("kb", "check", "--kb", str(make_kb(a=bad % "a", b=bad % "b")))
    assert outcome.status == 2 and outcome.err == ""
    lines = outcome.out.splitlines()
    assert [line.partition(": ")[0] for line in lines[:2]] == ["texts/primer/a.yaml:3", "texts/primer/b.yaml:3"]
    assert lines[-1].startswith("2 passages, 0 rules: 2 problems, ")
