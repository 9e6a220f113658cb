"""All 720 lessons under every school, against tables made by others."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest

TABLE = Path(__file__).parents[2] / "data" / "lessons720.csv"


def rows() -> list[dict[str, str]]:
    with TABLE.open(encoding="utf-8") as file:
        return list(csv.DictReader(line for line in file if not line.startswith("#")))


def moves(chart) -> str:
    return "".join(t.branch for t in chart.transmissions)


def test_the_table_is_whole():
    cells = {(r["day"], r["offset"]) for r in rows()}
    assert len(rows()) == len(cells) == 720


@pytest.mark.parametrize("fuyin", ["clash", "circle"])
@pytest.mark.parametrize("bieze", ["branch", "above"])
@pytest.mark.parametrize("shehai", ["depth-open", "depth-seat", "meng-zhong"])
def test_transmissions(on_plate, shehai, bieze, fuyin):
    wrong = []
    for row in rows():
        stated = row[shehai.replace("-", "_")]
        if fuyin == "circle" and row["fuyin_circle"]:
            stated = row["fuyin_circle"]
        if bieze == "above" and row["bieze_above"]:
            stated = row["bieze_above"]
        chart = on_plate(row["day"], int(row["offset"]), shehai=shehai, bieze=bieze, fuyin=fuyin)
        if moves(chart) != stated:
            wrong.append((row["day"], row["offset"], moves(chart), stated))
    assert not wrong


def test_methods_and_heads(on_plate):
    """The nine methods and their heads fall as in the table."""
    for row in rows():
        method = on_plate(row["day"], int(row["offset"])).method
        assert method.name == row["method"], row
        head = row["head"].split("·")[-1]
        if method.name == "返吟" and head != "井欄射":
            # The table writes the rule that chose among the 克; the head is 無依.
            assert method.head == "無依" and head in method.heads, row
        elif head == "杜傳" or head == "有克":
            # Neither is a head here: 杜傳 says that the initial punishes itself, 有克 that
            # there is one.
            assert method.head in ("自任", "自信", "伏吟"), row
        else:
            assert method.head == head, row


def test_heads_of_xinjing(on_plate):
    """宗首九科: one head to each method (xinjing.nine_sections and the songs after it)."""
    heads = {
        "賊克": {"元首", "始入", "重審"},
        "比用": {"知一"},
        "涉害": {"見機"},
        "遙克": {"蒿矢", "彈射"},
        "昴星": {"虎視"},
        "別責": {"別責"},
        "伏吟": {"信任"},
        "返吟": {"無依"},
        "八專": {"帷簿不修"},
    }
    seen: dict[str, set[str]] = {name: set() for name in heads}
    for row in rows():
        method = on_plate(row["day"], int(row["offset"]), "xinjing").method
        seen[method.name].add(method.head)
        if method.name == "遙克":
            assert method.head == row["head"]
    assert seen == heads


def test_counts_of_the_methods(on_plate):
    """別責 9, 八專 16, 昴星 16 and 伏吟 60 are the traditional counts."""
    count: dict[str, int] = {}
    for row in rows():
        name = on_plate(row["day"], int(row["offset"])).method.name
        count[name] = count.get(name, 0) + 1
    assert (count["別責"], count["八專"], count["昴星"], count["伏吟"]) == (9, 16, 16, 60)
    assert count["返吟"] == 60 and sum(count.values()) == 720


def test_xinjing_tie_parts_from_the_seat_rule_once(on_plate):
    """Without 孟仲季, only 甲辰 offset 5 changes (an independent count for xinjing.jianji)."""
    parts = [
        (r["day"], int(r["offset"]))
        for r in rows()
        if moves(on_plate(r["day"], int(r["offset"]), shehai_tie="side")) != r["depth_open"]
    ]
    assert parts == [("甲辰", 5)]
    assert moves(on_plate("甲辰", 5, shehai_tie="side"))[0] == "子"
    assert moves(on_plate("甲辰", 5))[0] == "寅"


def test_names_of_xinjing_by_count(on_plate):
    """元首 127, 始入 126, 重審 128 and 見機 82 of 720 (xinjing.shiru_zheng, jianji)."""
    names = ("元首", "始入", "重審", "見機")
    count = dict.fromkeys(names, 0)
    for r in rows():
        method = on_plate(r["day"], int(r["offset"]), "xinjing").method
        # 重審 beside 始入 is the usual name of a lone 賊, not that of 心鏡.
        lone = "始入" in method.heads
        for name in names:
            count[name] += name in method.heads and not (name == "重審" and lone)
    assert count == {"元首": 127, "始入": 126, "重審": 128, "見機": 82}
