"""The texts' own worked cases, and the form of case files."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
import yaml
from liuren.engine.cases import CaseResult, load_cases, run_all, run_case
from liuren.engine.cases_given import requests
from liuren.engine.evaluate import Evaluation, Program
from liuren.engine.language.parser import parse_conditions
from liuren.engine.language.scope import Scope
from liuren.engine.library import Library
from liuren.facts.errors import UserError

ROOT = Path(__file__).resolve().parents[2]
CASE_FILES = sorted((ROOT / "kb" / "cases").glob("*.yaml"))
CENSUS = yaml.safe_load((ROOT / "tests" / "data" / "census.yaml").read_text(encoding="utf-8"))[
    "census"
]
CASE_IDS = [
    case["id"]
    for file in CASE_FILES
    for case in yaml.safe_load(file.read_text(encoding="utf-8"))["cases"]
]
GUIYOU = {"day": "癸酉", "hour": "午", "month_general": "亥", "month": "寅"}
"""八迍: 正月癸酉日午時 (xinjing.batun_wufu.example)."""


@pytest.fixture(scope="module")
def library() -> Library:
    return Library.load(ROOT / "kb")


@pytest.fixture(scope="module")
def results(library: Library) -> Mapping[str, CaseResult]:
    cases = load_cases(ROOT / "kb", library=library)
    return {r.id: r for r in run_all(cases, library)}


def write(folder: Path, case: dict[str, Any], **top: Any) -> Path:
    """A case file with one case, as a person would write it."""
    path = folder / "cases.yaml"
    path.write_text(yaml.safe_dump({**top, "cases": [case]}, allow_unicode=True), encoding="utf-8")
    return path


def one(
    library: Library, folder: Path, given: Mapping[str, Any], *stated: Any, **more: Any
) -> CaseResult:
    """Run one case made of *given* and *stated*."""
    case = {"id": "t.case", "given": dict(given), "stated": list(stated), **more}
    (loaded,) = load_cases(corpus=write(folder, case), library=library)
    return run_case(loaded, library)


def sentence(library: Library, path: Path) -> str:
    """The message that a broken corpus gives."""
    with pytest.raises(UserError) as error:
        for case in load_cases(corpus=path, library=library):
            run_case(case, library)
    return str(error.value)


# --- the texts' own cases -----------------------------------------------------


@pytest.mark.parametrize("id", CASE_IDS)
def test_case_comes_out_as_recorded(id: str, results: Mapping[str, CaseResult]) -> None:
    result = results[id]
    wrong = [
        f"{s.text_value} | {s.computed_value} | {s.problem}"
        for s in result.statements
        if not s.passed
    ]
    assert not wrong and not result.problem, result.problem or wrong
    assert result.passed and result.charts > 0


def test_ids_belong_to_their_text_and_passage(library: Library) -> None:
    for case in load_cases(ROOT / "kb", library=library):
        assert case.id.startswith(f"{case.text}.")
        assert case.passage.startswith(f"{case.text}.")
        assert case.edition in library.kb.texts[case.text].editions
        assert len(case.lines) == 2 and case.quote


def test_worked_clauses_name_cases_that_exist(library: Library) -> None:
    named = {
        clause.case
        for passage in library.kb.passages.values()
        for clause in passage.clauses
        if clause.fate == "worked"
    }
    assert named <= set(CASE_IDS)


def test_eighth_trouble_is_recorded_as_a_slip(results: Mapping[str, CaseResult]) -> None:
    """午加癸上乘元武 is what the text says; the chart has 螣蛇, as its own 五福 say."""
    (slip,) = [s for s in results["xinjing.batun_guiyou"].statements if not s.statement.agrees]
    assert slip.text_value == "lesson1.general: 玄武"
    assert "lesson1.general: 螣蛇" in slip.computed_value
    assert slip.reason["en"] and slip.reason["ko"]


def test_shehai_of_the_balance_rests_on_meng_zhong(library: Library, tmp_path: Path) -> None:
    """丁卯 offset 10: 丑 by 孟仲季 as the text prints, 亥 by counting depth."""
    given = {"day": "丁卯", "hour": "卯", "month_general": "丑"}
    text = {"expect": {"initial": {"branch": "丑"}}}
    assert one(library, tmp_path, given, text, text="quanheng").passed
    assert not one(library, tmp_path, given, text, doctrine="common").passed
    told = {**given, "set": {"shehai": "meng-zhong"}}
    assert one(library, tmp_path, told, text, doctrine="common").passed


# --- planted mistakes ---------------------------------------------------------


@pytest.mark.parametrize(
    ("stated", "problem"),
    [
        ({"expect": {"initial": {"branch": "子"}}}, "does not have what the text says"),
        ({"expect": {"generals": ["朱雀", "白虎", "天后"]}}, "does not have what the text says"),
        (
            {
                "expect": {"lesson1": {"general": "螣蛇"}},
                "agrees": False,
                "ours": {"lesson1": {"general": "螣蛇"}},
                "reason": {"en": "planted", "ko": "planted"},
            },
            "the chart has what the text says",
        ),
        (
            {
                "expect": {"lesson1": {"general": "玄武"}},
                "agrees": False,
                "ours": {"lesson1": {"general": "白虎"}},
                "reason": {"en": "planted", "ko": "planted"},
            },
            "records as ours",
        ),
        ({"expect": {"annual": {"branch": "亥"}}}, "needs"),
        ({"expect": {"fires": "xinjing.batun_wufu.count/nothing"}}, "there is no rule"),
    ],
)
def test_wrong_expectation_fails(
    library: Library, tmp_path: Path, stated: dict[str, Any], problem: str
) -> None:
    true = {"expect": {"transmissions": ["未", "子", "巳"], "void": ["戌", "亥"]}}
    result = one(library, tmp_path, GUIYOU, true, stated)
    assert not result.passed
    assert [s.passed for s in result.statements] == [True, False]
    assert problem in result.statements[1].problem


def test_disagreement_is_told_with_both_values(library: Library, tmp_path: Path) -> None:
    result = one(library, tmp_path, GUIYOU, {"expect": {"lesson1": {"general": "玄武"}}})
    (statement,) = result.statements
    assert (statement.text_value, statement.computed_value) == (
        "lesson1.general: 玄武",
        "lesson1.general: 螣蛇",
    )


# --- fragments ----------------------------------------------------------------


def test_fragment_holds_on_every_chart_it_leaves_open(library: Library, tmp_path: Path) -> None:
    """庚 days at noon: the text's fire initial comes from 巳 or 午, not from 午 alone."""
    both = {"expect": {"initial": {"controls": "stem"}}}
    noon = {"expect": {"initial": {"is": "hour"}}}
    result = one(
        library, tmp_path, {"hour": "午"}, both, noon,
        fragment={"day": ["庚", "辛"], "offset": "all"}, assume=[{"initial": {"element": "火"}}],
    )  # fmt: skip
    assert result.charts == 36  # counted independently: 17 with 午, 19 with 巳
    assert [s.passed for s in result.statements] == [True, False]
    assert "initial: 巳" in result.statements[1].computed_value


def test_fragment_that_fits_no_chart_fails(library: Library, tmp_path: Path) -> None:
    result = one(
        library, tmp_path, {"day": "甲子"}, {"expect": {"stem": {"stem": "甲"}}},
        fragment={}, assume=[{"initial": {"branch": "丑"}}, {"initial": {"branch": "寅"}}],
    )  # fmt: skip
    assert not result.passed and "no chart" in result.problem


def test_open_day_and_plate_cover_all_days_and_plates(library: Library) -> None:
    asked = list(requests({}, {}, library.data.tables, library.kb.lexicon))
    charts = [library.chart(r.question, library.doctrine("common")) for r in asked]
    assert len(charts) == len({str(c.pillars["day"]) for c in charts}) == 60
    assert {c.offset for c in charts} == set(range(12))


def test_decades_and_branches_name_days(library: Library) -> None:
    tables, lexicon = library.data.tables, library.kb.lexicon
    days = [r.question.day for r in requests({"offset": 0}, {"day": ["甲戌旬"]}, tables, lexicon)]
    assert days == ["甲戌", "乙亥", "丙子", "丁丑", "戊寅", "己卯", "庚辰", "辛巳", "壬午", "癸未"]
    days = [r.question.day for r in requests({"offset": 0}, {"day": ["卯"]}, tables, lexicon)]
    assert days == ["丁卯", "己卯", "辛卯", "癸卯", "乙卯"]


def test_age_is_counted_from_any_year(library: Library, tmp_path: Path) -> None:
    """A man of 37 stands on 寅 whatever the year (xinjing.wangyun)."""
    for year in ({}, {"year": "戊午"}, {"year": "1999"}):
        given = {
            "day": "甲子",
            "offset": 0,
            **year,
            "persons": {"husband": {"sex": "男", "age": 37}},
        }
        assert one(
            library, tmp_path, given, {"expect": {"husband.annual": {"branch": "寅"}}}
        ).passed


# --- corpora ------------------------------------------------------------------


def test_jsonl_and_directories_are_read(library: Library, tmp_path: Path) -> None:
    cases = [
        {"id": "DQ-1", "given": GUIYOU, "stated": [{"expect": {"transmissions": ["未", "子", "巳"]}}]},
        {"id": "DQ-2", "given": GUIYOU, "topic": "illness", "outcome": {"en": "recovered"},
         "stated": [{"expect": {"lessons": ["午", "亥", "寅", "未"]}}]},
    ]  # fmt: skip
    file = tmp_path / "book.jsonl"
    file.write_text("\n\n".join(json.dumps(c, ensure_ascii=False) for c in cases), encoding="utf-8")
    loaded = load_cases(corpus=file, library=library)
    assert loaded == load_cases(corpus=tmp_path, library=library)
    assert [c.line for c in loaded] == [1, 3]
    assert loaded[1].topic == "illness" and loaded[1].outcome == {"en": "recovered"}
    seen: list[tuple[int, int, str]] = []
    done = run_all(loaded, library, lambda n, total, r: seen.append((n, total, r.id)))
    assert all(r.passed for r in done)
    assert seen == [(1, 2, "DQ-1"), (2, 2, "DQ-2")]


def test_case_of_a_moment_is_cast_by_the_calendar(library: Library, tmp_path: Path) -> None:
    """2000-01-01 was the day 戊午; in the month 子 after 冬至 the general is 丑."""
    given = {"moment": "2000-01-01T12:00", "tz": "Asia/Shanghai"}
    stated = {"expect": {"day": {"pair": "戊午"}, "month_general": {"branch": "丑"}}}
    assert one(library, tmp_path, given, stated).passed


GOOD: dict[str, Any] = {
    "id": "t.case",
    "given": GUIYOU,
    "stated": [{"expect": {"initial": {"branch": "未"}}}],
}


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"id": "三"}, ["三", "is no case id"]),
        ({"statd": []}, ["statd", "did you mean stated"]),
        ({"stated": []}, ["t.case", "`stated` is missing or empty"]),
        ({"stated": ["未"]}, ["未", "is no statement"]),
        (
            {"stated": [{"expect": {"initail": {"branch": "未"}}}]},
            ["initail", "did you mean initial"],
        ),
        (
            {"stated": [{"expect": {"initial": {"branch": "末"}}}]},
            ["末", "is no value of initial.branch"],
        ),
        ({"stated": [{"expect": {"transmissions": ["未"]}}]}, ["transmissions", "a list of 3"]),
        (
            {"stated": [{"expect": {"initial": {"branch": "未"}}, "agrees": False}]},
            ["`ours`", "`reason`"],
        ),
        ({"stated": [{"expect": {"pattern": "天網"}}]}, ["pattern", "`text`"]),
        ({"given": {**GUIYOU, "dya": "甲子"}}, ["dya", "did you mean day"]),
        ({"given": {"day": "癸酉"}}, ["hour", "month"]),
        ({"given": {**GUIYOU, "day": "癸子"}}, ["癸子", "there is no 癸子"]),
        ({"given": {**GUIYOU, "offset": 12}}, ["12", "0 to 11"]),
        ({"given": {**GUIYOU, "offset": 1}}, ["contradicts hour 午"]),
        (
            {"given": {**GUIYOU, "persons": {"wife": {"sex": "女", "age": 0}}, "year": "甲子"}},
            ["age", "0"],
        ),
        (
            {
                "given": {**GUIYOU, "sex": "男", "age": 37},
                "stated": [{"expect": {"over(natal)": {"void": True}}}],
            },
            ["natal", "give `year`"],
        ),
        ({"doctrine": "xinjin"}, ["xinjin", "xinjing"]),
        ({"text": "xinjin"}, ["xinjin", "is no text"]),
        ({"topic": "ilness"}, ["ilness", "did you mean illness"]),
        ({"quote": "一二三四五六七八九十一二三四五六七"}, ["17 characters", "16"]),
        ({"assume": ["always"]}, ["`assume`", "`fragment`"]),
        ({"fragment": {"dya": "all"}}, ["dya", "did you mean day"]),
        ({"fragment": {"day": "all"}}, ["day", "both given and left open"]),
        ({"given": {}, "fragment": {"day": ["甲戊"]}}, ["甲戊", "names no days"]),
        ({"given": {}, "fragment": {"lunar": "all"}}, ["lunar", "a list of values"]),
    ],
)
def test_broken_case_is_told_in_one_sentence(
    library: Library, tmp_path: Path, change: dict[str, Any], words: list[str]
) -> None:
    message = sentence(library, write(tmp_path, {**GOOD, **change}))
    assert message.startswith("cases.yaml:") and "\n" not in message
    assert all(word in message for word in words), message


def _files(folder: Path) -> Iterator[tuple[Path, list[str]]]:
    def file(name: str, text: str | bytes) -> Path:
        path = folder / name
        path.write_bytes(text.encode() if isinstance(text, str) else text)
        return path

    yield folder / "none.yaml", ["none.yaml", "holds no cases"]
    yield file("tab.yaml", "cases:\n\t- id: x\n"), ["tab.yaml:2", "tab"]
    yield file("list.yaml", "- id: x\n"), ["list.yaml", "`cases`"]
    yield file("key.yaml", "texts: xinjing\ncases: []\n"), ["key.yaml:1", "texts"]
    yield file("word.yaml", "cases: [x]\n"), ["word.yaml:1", "is no case"]
    yield file("bad.jsonl", '{"id": "a"\n'), ["bad.jsonl:1", "broken JSON"]
    yield file("latin.jsonl", b"\xff\n"), ["latin.jsonl", "UTF-8"]
    line = json.dumps(GOOD, ensure_ascii=False)
    yield file("twice.jsonl", f"{line}\n{line}\n"), ["twice.jsonl:2", "t.case", "twice.jsonl:1"]


def test_broken_files_are_told_in_one_sentence(library: Library, tmp_path: Path) -> None:
    for path, words in _files(tmp_path):
        message = sentence(library, path)
        assert "\n" not in message
        assert all(word in message for word in words), message


# --- counts made elsewhere ----------------------------------------------------

_BASES: Mapping[int, Mapping[str, Any]] = {
    60: {"day": "all", "offset": [0]},
    720: {"day": "all", "offset": "all"},
    1440: {"day": "all", "offset": "all", "noble": ["晝", "夜"]},
    2880: {"day": "all", "offset": "all", "month": ["寅", "巳", "申", "亥"]},
}


@pytest.fixture(scope="module")
def charts(library: Library) -> dict[str, list[Evaluation]]:
    """Evaluations by what was asked, filled as the counts need them."""
    return {}


@pytest.mark.parametrize("entry", CENSUS, ids=[c["id"] for c in CENSUS])
def test_census(
    entry: dict[str, Any], library: Library, charts: dict[str, list[Evaluation]]
) -> None:
    doctrine = library.doctrine(
        entry.get("doctrine", "common"), {"shehai": "depth-seat", **entry.get("set", {})}
    )
    given, fragment = entry.get("given", {}), entry.get("fragment") or _BASES[entry["base"]]
    at = f"{doctrine.id} {given} {fragment}"
    if at not in charts:
        program = Program.of("xinjing", (), {})
        asked = requests(given, fragment, library.data.tables, library.kb.lexicon)
        charts[at] = [Evaluation(program, library.chart(r.question, doctrine)) for r in asked]
    problems: list[Any] = []
    scope = Scope(library.kb.lexicon, "census.yaml", "xinjing", "", entry["id"], problems.append)
    condition = parse_conditions(entry["condition"], scope)
    assert not problems
    assert len(charts[at]) == entry["base"]
    assert sum(e.truth(condition) is True for e in charts[at]) == entry["count"]
