"""Cutting a plain edition into passages, and finding them again in a changed one."""

from __future__ import annotations

import pytest
from liuren.engine.cutting import clauses, cut, fresh_clauses, locate
from liuren.engine.editions import digest, is_chinese

TEXT = """\
試課第一

甲日見乙，吉。丙日見丁，凶；戊日不占。

갑일에 을을 보면 길하다. 「丙」일에 정을 보면 흉하다.

己日見庚，辛壬癸子丑寅卯辰巳午未申酉戌亥。

기일에 경을 본다.
"""


def units(text: str, untranslated: bool = False) -> list[tuple[int, int, str]]:
    found, problems = cut(text.split("\n"), "f.txt", untranslated)
    assert not problems
    return [(u.first, u.last, u.title) for u in found]


def test_a_heading_belongs_to_the_passage_it_stands_over() -> None:
    assert units(TEXT) == [(1, 5, "試課第一"), (7, 9, "己日見庚")]


def test_a_file_without_any_translation() -> None:
    chinese = "甲日見乙，吉。\n\n丙日見丁，凶。\n"
    assert units(chinese) == [(1, 1, "甲日見乙"), (3, 3, "丙日見丁")]


def test_a_passage_cut_in_two_is_named_with_its_line() -> None:
    text = TEXT.replace("吉。丙日", "吉。\n\n丙日")
    _, problems = cut(text.split("\n"), "f.txt")
    [problem] = problems
    assert (problem.file, problem.line) == ("f.txt", 3)
    assert "line 5" in problem.message and "join the halves" in problem.message
    assert units(text, untranslated=True)[0] == (1, 3, "試課第一")


def test_a_translation_cut_in_two_is_named_with_its_line() -> None:
    _, problems = cut(TEXT.replace("길하다. ", "길하다.\n\n").split("\n"), "f.txt")
    [problem] = problems
    assert problem.line == 7 and "translation" in problem.message


def test_quotations_are_short_and_of_the_text() -> None:
    words = TEXT.split("\n")[2] + TEXT.split("\n")[6]
    found = clauses(words)
    assert found == ["甲日見乙，吉", "丙日見丁，凶", "戊日不占", "己日見庚"]
    assert all(len(c) <= 16 and c in words for c in found)


def test_a_long_sentence_without_pause_is_cut_at_sixteen() -> None:
    assert clauses("一二三四五六七八九十甲乙丙丁戊己庚辛。") == ["一二三四五六七八九十甲乙丙丁戊己"]


def test_only_sentences_without_a_quotation_are_fresh() -> None:
    assert fresh_clauses("甲日見乙，吉。丙日見丁，凶。", ["見乙"]) == ["丙日見丁，凶"]


@pytest.mark.parametrize(
    ("line", "chinese"),
    [("甲日見乙，吉。", True), ("「丙」일에 정을 보면 흉하다", False), ("on a 丙 day", False), ("", False)],
)
def test_what_is_chinese(line: str, chinese: bool) -> None:
    assert is_chinese(line) is chinese


def test_a_sum_sees_characters_alone() -> None:
    assert digest("甲日，見乙。") == digest("甲日 見乙") != digest("甲日見丙")


def test_a_passage_is_found_again_by_sum_or_by_its_words() -> None:
    moved, _ = cut(("新課者，新也。\n\n새 것이다.\n\n" + TEXT).split("\n"), "f.txt")
    first = cut(TEXT.split("\n"), "f.txt")[0][0]
    by_sum = locate(moved, [], (1, 5), first.sum)
    assert by_sum is not None and (by_sum.start, by_sum.same) == (1, True)
    by_words = locate(moved, ["戊日不占"], (1, 5), "")
    assert by_words is not None and (by_words.start, by_words.same, by_words.lost) == (1, True, ())
    changed = locate(moved, ["戊日不占", "庚日不占"], (1, 5), "0" * 12)
    assert changed is not None and (changed.start, changed.same, changed.lost) == (1, False, ("庚日不占",))
    assert locate(moved, ["庚日不占"], (1, 5), "0" * 12) is None
