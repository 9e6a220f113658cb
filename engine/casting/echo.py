"""伏吟 and 返吟: the plates on which every branch is at home or opposite.

The options ``fuyin`` and ``jinglan`` choose from the registries at the end.
"""

from __future__ import annotations

from collections.abc import Callable

from .board import Board, Derivation, Found
from .shehai import by_lessons
from .ways import Way, chain, last_note, no_candidate


def derive_fuyin(board: Board) -> Derivation:
    """伏吟: the 克 if there is one, else the stem's (yin: the branch's) upper; then 刑."""
    own = by_lessons(board)
    way: Way
    second: Way
    if own:
        notes, initial = own.notes, own.branch
        case, way = "fuyin_ke", ("initial_lesson", (last_note(own),))
        # 乙 and 癸: the initial is the stem's upper, though the day is yin.
        side = initial == board.feet[0].upper
    else:
        notes, side = no_candidate(board), board.yang
        initial = board.feet[0 if side else 2].upper
        case = "fuyin_yang" if side else "fuyin_yin"
        way = (
            "stem_top" if side else "branch_top",
            (notes[-1].id, "lesson1" if side else "lesson3", "pillar.day"),
        )
    punish = board.tables.punish
    if punish[initial] == initial:
        # A self-punishing initial passes to the other side of the chart.
        middle = board.feet[2 if side else 0].upper
        second = ("fuyin_other_side", ("initial", "lesson3" if side else "lesson1"))
        if case != "fuyin_ke":
            case = "fuyin_blocked_yang" if side else "fuyin_blocked_yin"
    else:
        middle = punish[initial]
        second = ("punish", ("initial",))
    final, third = _fuyin_final(board, initial, middle)
    inner = own.case if own else None
    found = Found(initial, case, notes, board.lesson_of(initial), inner)
    return Derivation("伏吟", found, (initial, middle, final), (way, second, third))


def _fuyin_final(board: Board, initial: str, middle: str) -> tuple[str, Way]:
    final = board.tables.punish[middle]
    if final == middle:
        return board.tables.clash(middle), ("clash_of_middle", ("middle",))
    if final == initial:
        chosen, method = FUYIN[board.options["fuyin"]](board, middle)
        return chosen, (method, ("initial", "middle", "option.fuyin"))
    return final, ("punish", ("middle",))


def circle(board: Board, middle: str) -> tuple[str, str]:
    """卯 and 子 punish each other: the final is the initial again."""
    return board.tables.punish[middle], "punish"


def clash(board: Board, middle: str) -> tuple[str, str]:
    """卯 and 子 punish each other: the final is what clashes with the middle."""
    return board.tables.clash(middle), "clash_of_middle"


def derive_fanyin(board: Board) -> Derivation:
    """返吟: the 克 as usual; the six days without one take the horse of the branch."""
    own = by_lessons(board)
    if own:
        found = Found(own.branch, "fanyin_ke", own.notes, own.lesson, own.case)
        return chain(board, "返吟", found)
    t = board.tables
    # 驛馬 clashes with the 長生 of the trine: 亥 for 丑, 巳 for 未.
    horse = t.clash(t.growth[t.trine_of[board.branch]])
    found = Found(horse, "fanyin_jinglan", no_candidate(board))
    first = ("fanyin_horse", (last_note(found), "pillar.day"))
    middle, final, second, third = JINGLAN[board.options["jinglan"]](board, horse)
    return Derivation("返吟", found, (horse, middle, final), (first, second, third))


def sides(board: Board, initial: str) -> tuple[str, str, Way, Way]:
    """井欄射: middle the branch's upper, final the stem's."""
    branch_top, stem_top = board.feet[2].upper, board.feet[0].upper
    ways = (
        ("branch_top", ("lesson3", "option.jinglan")),
        ("stem_top", ("lesson1", "option.jinglan")),
    )
    return branch_top, stem_top, *ways


def clash_punish(board: Board, initial: str) -> tuple[str, str, Way, Way]:
    """井欄射: middle clashes with the initial, final is what the middle punishes."""
    middle = board.tables.clash(initial)
    ways = (
        ("clash_of_initial", ("initial", "option.jinglan")),
        ("punish", ("middle", "option.jinglan")),
    )
    return middle, board.tables.punish[middle], *ways


FUYIN: dict[str, Callable[[Board, str], tuple[str, str]]] = {"clash": clash, "circle": circle}
JINGLAN: dict[str, Callable[[Board, str], tuple[str, str, Way, Way]]] = {
    "sides": sides,
    "clash": clash_punish,
}
