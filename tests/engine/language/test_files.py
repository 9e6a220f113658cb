"""Mistakes of a whole file; and one bad file never hides another."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from liuren.engine.language.loader import KnowledgeBase, load_knowledge
from liuren.facts.errors import UserError

Load = Callable[..., KnowledgeBase]


def told(kb: KnowledgeBase) -> list[str]:
    return [str(p) for p in kb.problems]


def test_unknown_text(load: Load, good: str) -> None:
    [problem] = told(load(mine=good.replace("text: primer", "text: primmer")))
    assert problem == "texts/primer/mine.yaml:1: «primmer» is no text of texts.yaml; did you mean primer?"


def test_unknown_edition(load: Load, good: str) -> None:
    [problem] = told(load(mine=good.replace('"000"', '"009"')))
    assert problem == (
        "texts/primer/mine.yaml:5: primer.mine: `locus` wants an edition of texts.yaml: 000, not «009»"
    )


def test_passage_of_another_text(load: Load, good: str) -> None:
    [problem] = told(load(mine=good.replace("primer.mine", "xinjing.mine")))
    assert problem.startswith("texts/primer/mine.yaml:3: xinjing.mine: «xinjing.mine» must begin with «primer.»")


def test_tab(load: Load, good: str) -> None:
    [problem] = told(load(mine=good + "\t- key: second\n"))
    assert problem == "texts/primer/mine.yaml:13: a tab indents this line; YAML wants spaces"


def test_not_utf8(load: Load, good: str) -> None:
    raw = good.encode() + "    note: 試\n".encode("big5")
    [problem] = told(load(mine=raw))
    assert problem == "texts/primer/mine.yaml:13: the file is not UTF-8; save it in UTF-8"


def test_broken_yaml(load: Load, good: str) -> None:
    [problem] = told(load(mine=good + "  - key: [second\n    quote: 試\n"))
    assert problem.startswith("texts/primer/mine.yaml:14: broken YAML: ")


def test_alias_that_contains_itself(load: Load) -> None:
    [problem] = told(load(mine="text: primer\npassages: &p [*p]\n"))
    assert problem == "texts/primer/mine.yaml: an alias of the YAML contains itself"


@pytest.mark.parametrize("raw", ["", "text: primer\n", "- 1\n", "passages: 3\n"])
def test_no_passages(load: Load, raw: str) -> None:
    [problem] = told(load(mine=raw))
    assert problem == "texts/primer/mine.yaml:1: a passage file wants `text:` and a list `passages:`"


def test_bad_files_do_not_hide_each_other_nor_a_good_one(load: Load, good: str) -> None:
    other = good.replace("primer.mine", "primer.other")
    kb = load(
        a_tab=good + "\t- key: second\n",
        b_slot=good.replace("relative: 官鬼", "relatve: 官鬼"),
        c_good=other,
    )
    assert [(p.file, p.line) for p in kb.problems] == [
        ("texts/primer/a_tab.yaml", 13),
        ("texts/primer/b_slot.yaml", 9),
    ]
    assert list(kb.rules) == ["primer.other/first"]


def test_every_mistake_of_a_file_is_told_at_once(load: Load, good: str) -> None:
    spoilt = good.replace("relative: 官鬼", "relatve: 官鬼").replace("topic: general", "topic: generl")
    assert [p.line for p in load(mine=spoilt).problems] == [9, 12]


def test_a_folder_that_is_no_knowledge_base(tmp_path: Path) -> None:
    with pytest.raises(UserError, match=r"tables\.yaml is not in .*; every data file must be there"):
        load_knowledge(tmp_path)


def test_a_closed_list_that_is_broken(make_kb: Callable[..., Path], good: str) -> None:
    root = make_kb(mine=good)
    (root / "topics.yaml").write_text("topics: [", encoding="utf-8")
    with pytest.raises(UserError, match=r"topics\.yaml, line \d+"):
        load_knowledge(root)
