"""The sixty pairs and what is reckoned from them; expected values from the common almanac."""

from __future__ import annotations

import pytest
from liuren.facts.ganzhi import (
    BRANCHES,
    SIXTY,
    STEMS,
    built_stem,
    decade_head,
    distance,
    five_rats,
    hidden_stem,
    kind,
    step,
    void_branches,
)  # fmt: skip


def test_sixty_pairs_are_all_different_and_of_one_parity() -> None:
    assert len(set(SIXTY)) == 60
    assert (SIXTY[0], SIXTY[10], SIXTY[59]) == ("甲子", "甲戌", "癸亥")
    assert all(STEMS.index(p[0]) % 2 == BRANCHES.index(p[1]) % 2 for p in SIXTY)


def test_kind_and_ring() -> None:
    assert [kind(v) for v in ("甲", "子", "青龍")] == ["stem", "branch", "general"]
    assert (step("亥", 1), step("子", -1), step("寅", 24)) == ("子", "亥", "寅")
    assert (distance("戌", "卯"), distance("卯", "戌"), distance("子", "子")) == (5, 7, 0)


# 六甲旬空: the two branches each decade leaves void
VOID = {"甲子": "戌亥", "甲戌": "申酉", "甲申": "午未", "甲午": "辰巳", "甲辰": "寅卯", "甲寅": "子丑"}


@pytest.mark.parametrize("head", VOID)
def test_decades(head: str) -> None:
    start = SIXTY.index(head)
    for day in SIXTY[start : start + 10]:
        assert decade_head(day) == head
        assert set(void_branches(day)) == set(VOID[head])
        assert [b for b in BRANCHES if hidden_stem(day, b) is None] == sorted(VOID[head], key=BRANCHES.index)
        for pair in SIXTY[start : start + 10]:  # each branch has the stem it has in its decade
            assert hidden_stem(day, pair[1]) == pair[0]


# 五鼠遁: 甲己還加甲，乙庚丙作初，丙辛從戊起，丁壬庚子居，戊癸何方發，壬子是真途
RATS = {"甲": "甲", "己": "甲", "乙": "丙", "庚": "丙", "丙": "戊", "辛": "戊", "丁": "庚", "壬": "庚", "戊": "壬", "癸": "壬"}


@pytest.mark.parametrize("stem", RATS)
def test_five_rats(stem: str) -> None:
    assert five_rats(stem) == RATS[stem]
    start = SIXTY.index(RATS[stem] + "子")
    assert [built_stem(stem, b) + b for b in BRANCHES] == list(SIXTY[start : start + 12])
