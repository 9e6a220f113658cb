"""The cases of other books: every stated value, its date, and the school of each."""

from __future__ import annotations

import pickle
from collections import Counter
from collections.abc import Mapping
from datetime import date, timedelta
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import pytest
import yaml
from liuren.engine.calendar.clock import Spot
from liuren.engine.calendar.when import Wanted, When
from liuren.engine.cases import Case, book_cases, load_cases, run_case
from liuren.engine.cases_run import truths
from liuren.engine.library import Library
from liuren.engine.reproduce import reproduce, services
from liuren.facts.errors import UserError
from liuren.facts.ganzhi import SIXTY, SIXTY_INDEX

CALENDAR_OF_ITS_TIME = {"DA35", "DA40", "ZN145", "ZN150a", "ZN180", "ZN213b"}
"""Cases whose month general changes by the 中氣 of a calendar of their time."""

MENG_ZHONG = ("DA74", "DA120", "DA151", "DA189", "DA191", "ZN164", "ZN168")
"""Printed charts that follow 孟仲季 where counting the depth gives another initial."""


@pytest.fixture(scope="module")
def books(library: Library) -> Mapping[str, Case]:
    return {c.id: c for c in load_cases(corpus=book_cases(), library=library)}


def made(library: Library, folder: Path, case: Mapping[str, Any], **top: Any) -> Case:
    """One case as a person would write it."""
    path = folder / "cases.yaml"
    text = yaml.safe_dump({**top, "cases": [{"id": "t.case", **case}]}, allow_unicode=True)
    path.write_text(text, encoding="utf-8")
    (case_,) = load_cases(corpus=path, library=library)
    return case_


# --- the corpus ---------------------------------------------------------------


def test_every_case_comes_out_as_recorded(library: Library, books: Mapping[str, Case]) -> None:
    wrong = {
        c.id: [f"{s.text_value} | {s.computed_value} | {s.problem}" for s in r.statements if not s.passed]
        for c in books.values()
        if not (r := run_case(c, library)).passed
    }
    assert not wrong


def test_results_can_be_sent_between_processes(library: Library, books: Mapping[str, Case]) -> None:
    """`cases run -j` gets them from its workers."""
    for id in ("DA04", "DQD4", "DA39"):
        result = run_case(books[id], library)
        assert pickle.loads(pickle.dumps(result)) == result


def test_the_corpus_is_whole(books: Mapping[str, Case]) -> None:
    assert Counter(c.book for c in books.values()) == {
        "六壬斷案": 186, "六壬指南": 90, "六壬占驗彙選": 4, "六壬大全": 62, "畢法賦": 17,
        "景祐六壬神定經": 8,
    }  # fmt: skip
    assert all(c.outcome.keys() in ({"en", "ko"}, set()) for c in books.values())
    assert sum(bool(c.outcome) for c in books.values()) == 69


def test_the_books_are_apart_from_the_texts(library: Library, books: Mapping[str, Case]) -> None:
    own = load_cases(library=library)
    assert own and all(c.text for c in own)
    assert not {c.id for c in own} & books.keys()


def test_recorded_disagreements(books: Mapping[str, Case]) -> None:
    """The slips that readers of the prints found, the 比用格, and two names."""
    differ = {c.id for c in books.values() if any(not s.agrees for s in c.statements)}
    assert differ == {
        "DA39", "HX2", "ZN197", "ZN222", "DQ9", "DQB2", "DQB3", "DQB4", "DQB5",
    }  # fmt: skip


# --- dates, worked out by other readers ----------------------------------------


def test_dates_have_the_day_of_the_case(books: Mapping[str, Case]) -> None:
    """The cycle of days is unbroken and 2000-01-01 is 戊午."""
    dated = [c for c in books.values() if c.date]
    assert len(dated) == 126
    for case in dated:
        days = (date.fromisoformat(case.date) - date(2000, 1, 1)).days
        assert SIXTY[(SIXTY_INDEX["戊午"] + days) % 60] == case.given["day"], case.id


def test_dates_are_found_from_day_hour_and_general(books: Mapping[str, Case]) -> None:
    search = When(ZoneInfo("Asia/Shanghai"), Spot(), {})
    missing = set()
    for case in books.values():
        if not case.date:
            continue
        day = date.fromisoformat(case.date)
        given = {k: case.given[k] for k in ("day", "hour", "month_general")}
        near = timedelta(days=2)
        found = list(search.windows(Wanted.of(given), day - near, day + near))
        # The hour 子 begins on the evening before.
        if not any(w.end.date() == day for w in found):
            missing.add(case.id)
    assert missing == CALENDAR_OF_ITS_TIME


def test_ages_are_those_of_the_year(books: Mapping[str, Case]) -> None:
    wrong, seen = set(), 0
    for case in books.values():
        if not (case.date and "age" in case.given):
            continue
        seen += 1
        year = date.fromisoformat(case.date).year
        # Early in a Gregorian year the old one may still run.
        ages = {y - 4 - SIXTY_INDEX[case.given["natal"]] for y in (year, year - 1)}
        if not any((age + 1 - case.given["age"]) % 60 == 0 for age in ages):
            wrong.add(case.id)
    assert seen > 60
    # 丁巳, 50 years old in 己酉, who would be 53.  DA134 is told as 31 at the end of
    # 己酉, where 31 was his age in 戊申.
    assert wrong == {"DA157"}


# --- schools --------------------------------------------------------------------


@pytest.mark.parametrize("id", MENG_ZHONG)
def test_charts_that_need_meng_zhong(id: str, library: Library, books: Mapping[str, Case]) -> None:
    found = reproduce(books[id], library, library.doctrine("common"))
    assert dict(found.changed) == {"shehai": "meng-zhong"} and found.whole


@pytest.mark.parametrize(
    ("id", "base", "changed"),
    [
        ("DA07", "common", {"repeated": "refuse"}),  # 邵彦和 refuses the lesson that repeats
        ("ZN203", "duanan", {"repeated": "use"}),
        ("ZN134", "common", {"fuyin": "circle"}),  # 辛卯 prints 卯子卯
        ("DA127", "xinjing", {"duzu": "stay"}),  # 獨足 stays 酉酉酉
        ("DQ8", "daquan", {"shehai_tie": "side"}),  # 綴瑕
    ],
)
def test_the_school_of_a_case(
    id: str, base: str, changed: dict[str, str], library: Library, books: Mapping[str, Case]
) -> None:
    found = reproduce(books[id], library, library.doctrine(base))
    assert found.whole and changed in [dict(found.changed), *map(dict, found.others)]
    assert library.doctrine(base).options[next(iter(changed))] != next(iter(changed.values()))


def test_recorded_school_is_the_one_found(library: Library, books: Mapping[str, Case]) -> None:
    for case in books.values():
        found = reproduce(case, library)
        assert dict(found.changed) == dict(case.doctrine.overrides), case.id


def test_told_nobleman_is_needed_where_it_is_given(
    library: Library, books: Mapping[str, Case]
) -> None:
    """DA37: the day's nobleman at hour 酉; DA15: the night's, which 酉 has anyway."""
    assert reproduce(books["DA37"], library).told_noble
    assert not reproduce(books["DA15"], library).told_noble


def test_two_options_are_found_together(library: Library, tmp_path: Path) -> None:
    """庚辰 offset 10: 午辰寅 by 孟仲季.  Day noble 未 (羊牛) on 酉 leads backward: 午 is next."""
    case = made(
        library, tmp_path,
        {
            "given": {"day": "庚辰", "offset": 10, "noble": "day"},
            "stated": [
                {"expect": {"transmissions": ["午", "辰", "寅"]}},
                {"expect": {"generals": ["螣蛇", "六合", "青龍"]}},
            ],
        },
    )  # fmt: skip
    found = reproduce(case, library)
    assert found.whole
    assert dict(found.changed) == {"shehai": "meng-zhong", "noble": "sheep-ox"}


def test_a_chart_that_no_school_has(library: Library, tmp_path: Path) -> None:
    stated = [{"expect": {"transmissions": ["子", "丑", "寅"]}}]
    case = made(library, tmp_path, {"given": {"day": "甲子", "offset": 0}, "stated": stated})
    found = reproduce(case, library)
    assert not found.whole and (found.held, found.stated) == (0, 1) and not found.changed


@pytest.mark.parametrize(
    ("book", "doctrine", "wanting"),
    [
        ("六壬斷案", "duanan", {"DA39"}),
        ("六壬指南", "zhinan", {"ZN197", "ZN222"}),
    ],
)
def test_one_school_serves_a_book(
    book: str, doctrine: str, wanting: set[str], library: Library, books: Mapping[str, Case]
) -> None:
    """All but the slips of the print; no doctrine with other options serves as far.

    畢法賦 and 六壬指南 are cast alike, under a name each.
    """
    options = library.doctrine(doctrine).options
    best, *rest = services([c for c in books.values() if c.book == book], library)
    assert library.doctrine(best.doctrine).options == options and set(best.wanting) == wanting
    others = [s for s in rest if library.doctrine(s.doctrine).options != options]
    assert others and all(len(s.whole) < len(best.whole) for s in others)


def test_names_of_daquan_need_two_schools(library: Library, books: Mapping[str, Case]) -> None:
    """察微 where ties go by the seat, 綴瑕 where they go by the side."""
    seat = library.doctrine("daquan")
    side = seat.with_set({"shehai_tie": "side"})
    holds = {s: [all(truths(books[i], library, s_)) for i in ("DQ7", "DQ8")] for s, s_ in (("seat", seat), ("side", side))}
    assert holds == {"seat": [True, False], "side": [False, True]}


# --- the form -------------------------------------------------------------------

DEPTH = {"day": "丁卯", "offset": 10}
"""六壬大全: 亥 on 丑 counts five, 丑 on 卯 one."""


def test_steps_of_the_way_are_held(library: Library, tmp_path: Path) -> None:
    right = {"steps": {"method.depth": {"亥": {"depth": 5}, "丑": {"depth": 1}}}}
    wrong = {"steps": {"method.depth": {"亥": {"depth": 4}}}}
    none = {"steps": {"method.tie": {"by": "seat"}}}
    for statement, passed in ((right, True), (wrong, False), (none, False)):
        case = made(library, tmp_path, {"given": DEPTH, "stated": [statement]})
        assert run_case(case, library).passed is passed


def test_a_place_of_which_nothing_is_said(library: Library, tmp_path: Path) -> None:
    """丁卯 offset 10: 亥酉未; the decade of 甲子 has no stem for 亥."""
    for initial, passed in ((None, True), ("亥", True), ("子", False)):
        stated = [{"expect": {"transmissions": [initial, "酉", "未"]}}, {"expect": {"hidden": [None, "癸", "辛"]}}]
        case = made(library, tmp_path, {"given": DEPTH, "stated": stated})
        assert run_case(case, library).passed is passed


def test_a_book_shares_its_doctrine(library: Library, tmp_path: Path) -> None:
    given = {"given": {"day": "庚辰", "offset": 10}, "stated": [{"expect": {"initial": {"branch": "午"}}}]}
    case = made(library, tmp_path, given, book="某書", doctrine="duanan")
    assert (case.book, case.doctrine.name) == ("某書", "duanan") and run_case(case, library).passed
    other = made(library, tmp_path, {**given, "doctrine": "common", "set": {"shehai": "meng-zhong"}}, doctrine="daquan")
    assert other.doctrine.id == "common+shehai=meng-zhong" and run_case(other, library).passed


@pytest.mark.parametrize(
    ("case", "word"),
    [
        ({"given": DEPTH, "stated": [{"quote": "亥"}]}, "`steps`"),
        ({"given": DEPTH, "stated": [{"steps": 3}]}, "`steps`"),
        ({"given": DEPTH, "stated": [{"expect": {"hidden": ["癸"]}}]}, "`hidden`"),
        ({"given": DEPTH, "set": {"shehai": "none"}, "stated": [{"steps": {}}]}, "shehai"),
    ],
)
def test_mistakes_are_one_sentence(case: Mapping[str, Any], word: str, library: Library, tmp_path: Path) -> None:
    with pytest.raises(UserError) as error:
        made(library, tmp_path, case)
    assert word in str(error.value) and "t.case" in str(error.value)
