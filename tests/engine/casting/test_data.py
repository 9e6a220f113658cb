"""Loading data files, and reading variants."""

from __future__ import annotations

import pytest
from liuren.engine.data import load_data, load_knowledge
from liuren.engine.normalise import normalise
from liuren.facts.errors import UserError


def test_a_missing_file_is_told(tmp_path):
    with pytest.raises(UserError, match=r"spirits.yaml is not in"):
        load_data("spirits", tmp_path)


def test_a_broken_file_is_told_with_its_line(tmp_path):
    (tmp_path / "spirits.yaml").write_text("a: 1\nb: [1, 2\nc: 3\n", encoding="utf-8")
    with pytest.raises(UserError, match=r"spirits.yaml, line \d+: "):
        load_data("spirits", tmp_path)


def test_loaded_once():
    assert load_knowledge() is load_knowledge()


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ("青龙", "青龍"), ("元武", "玄武"), ("天後", "天后"), ("天后", "天后"), ("勾陈", "勾陳"),
        ("腾蛇", "螣蛇"), ("螣蛇", "螣蛇"), ("贵人", "貴人"), ("天乙", "貴人"), ("太阴", "太陰"),
        ("惊蛰", "驚蟄"), ("谷雨", "穀雨"), ("小满", "小滿"), ("芒种", "芒種"), ("处暑", "處暑"),
        ("反吟", "返吟"), ("昼", "晝"), ("顺", "順"), ("重审", "重審"), ("见机", "見機"),
        ("弹射", "彈射"), ("驿马", "驛馬"), ("甲戍", "甲戌"), ("官鬼", "官鬼"), ("妻财", "妻財"),
    ],
)  # fmt: skip
def test_normalise(written, read):
    assert normalise(written) == read


def test_normalising_twice_changes_nothing():
    data = load_data("variants")
    for variant in (*data["words"], *data["characters"]):
        assert normalise(normalise(variant)) == normalise(variant)
        assert normalise(variant) != variant


def test_proper_names_are_left_alone():
    knowledge = load_knowledge()
    names = [
        *knowledge.tables.generals,
        *knowledge.terms,
        *(s["zh"] for s in knowledge.spirits.values()),
    ]
    names += [n for entry in knowledge.heads.values() for n in entry.values() if isinstance(n, str)]
    assert [normalise(n) for n in names] == names
