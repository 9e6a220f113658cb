"""The nine methods (九宗門) that give the three transmissions.

賊克 比用 涉害 遙克 昴星 別責 八專 伏吟 返吟, after 六壬大全; 六壬心鏡 chapters 1-9
give the same nine.  Points on which schools part are options: ``shehai``,
``shehai_tie``, ``fuyin``, ``bieze``, ``bazhuan``, ``duzu``, ``jinglan``; the
procedure of each value stands in a registry under its name, here and in
``shehai`` and ``echo``.
"""

from __future__ import annotations

from collections.abc import Callable

from liuren.facts.ganzhi import step

from .board import Board, Derivation, Found
from .echo import derive_fanyin, derive_fuyin
from .shehai import by_distance, by_lessons
from .ways import Way, chain, last_note, no_candidate

_NAME = {
    "single_upper": "賊克",
    "single_lower": "賊克",
    "single_lower_mixed": "賊克",
    "matching": "比用",
    "depth": "涉害",
    "meng": "涉害",
    "zhong": "涉害",
    "side": "涉害",
}


def derive(board: Board) -> Derivation:
    """The three transmissions of *board*, by the first method that applies."""
    if board.offset == 0:
        return derive_fuyin(board)
    if board.offset == 6:
        return derive_fanyin(board)
    found = by_lessons(board)
    if found:
        return chain(board, _NAME[found.case], found)
    two = board.tables.lodging[board.stem] == board.branch
    if not two or board.options["bazhuan"] == "yaoke-first":
        found = by_distance(board)
        if found:
            return chain(board, "遙克", found)
    if two:
        return _bazhuan(board)
    if len({f.upper for f in board.feet}) == 3:
        return _bieze(board)
    return _maoxing(board)


def _maoxing(board: Board) -> Derivation:
    """昴星: yang days look up at 酉, yin days look down from 酉."""
    none = no_candidate(board)
    stem_top, branch_top = board.feet[0].upper, board.feet[2].upper
    if board.yang:
        found = Found(board.over("酉"), "maoxing_yang", none)
        rest, ways = (branch_top, stem_top), (("branch_top", "lesson3"), ("stem_top", "lesson1"))
        first = "maoxing_up"
    else:
        found = Found(board.under("酉"), "maoxing_yin", none)
        rest, ways = (stem_top, branch_top), (("stem_top", "lesson1"), ("branch_top", "lesson3"))
        first = "maoxing_down"
    return Derivation(
        "昴星",
        found,
        (found.branch, *rest),
        (
            (first, (last_note(found), "plate", "pillar.day")),
            *((m, (i, "pillar.day")) for m, i in ways),
        ),
    )


def above_combine(board: Board) -> tuple[str, str]:
    """The heaven branch on the lodging of the stem that combines with the day stem."""
    partner = board.tables.stem_combine[board.stem]
    return board.over(board.tables.lodging[partner]), "bieze_yang"


def trine_branch(board: Board) -> tuple[str, str]:
    """The next branch of the day branch's trine, itself (a yin day)."""
    return step(board.branch, 4), "bieze_branch"


def trine_above(board: Board) -> tuple[str, str]:
    """What stands on the next branch of the day branch's trine (a yin day)."""
    return board.over(step(board.branch, 4)), "bieze_above"


def _bieze(board: Board) -> Derivation:
    """別責: three lessons, no 克 near or far; middle and final are the stem's upper."""
    branch, method = above_combine(board) if board.yang else BIEZE[board.options["bieze"]](board)
    found = Found(branch, "bieze", no_candidate(board))
    top = board.feet[0].upper
    inputs = (last_note(found), "plate", "pillar.day", "option.bieze")
    way = ("stem_top", ("lesson1",))
    return Derivation("別責", found, (branch, top, top), ((method, inputs), way, way))


def _bazhuan(board: Board) -> Derivation:
    """八專: two lessons; count three from the stem's upper, or back from the yin upper."""
    top = board.feet[0].upper
    start, n, method = (
        (top, 2, "bazhuan_yang") if board.yang else (board.feet[3].upper, -2, "bazhuan_yin")
    )
    branch = step(start, n)
    case = "duzu" if branch == top else "bazhuan"
    found = Found(branch, case, no_candidate(board, ("option.bazhuan",)))
    first = (method, (last_note(found), "lesson1" if board.yang else "lesson4", "pillar.day"))
    if case == "duzu":
        middle, final, way = DUZU[board.options["duzu"]](board, branch)
    else:
        middle, final, way = top, top, ("stem_top", ("lesson1",))
    return Derivation("八專", found, (branch, middle, final), (first, way, way))


def stay(board: Board, initial: str) -> tuple[str, str, Way]:
    """獨足: middle and final repeat the stem's upper."""
    return initial, initial, ("duzu_stay", ("initial", "lesson1", "option.duzu"))


def fly(board: Board, initial: str) -> tuple[str, str, Way]:
    """飛散: middle and final follow from place to place."""
    middle = board.over(initial)
    return middle, board.over(middle), ("duzu_fly", ("initial", "lesson1", "plate", "option.duzu"))


def by_annual(board: Board, initial: str) -> tuple[str, str, Way]:
    """飛散 when the initial also stands on the asker's 行年, else 獨足."""
    if board.annual is None:
        return stay(board, initial)
    go = fly if board.over(board.annual) == initial else stay
    middle, final, (method, inputs) = go(board, initial)
    return middle, final, (method, (*inputs, "querent.annual"))


BIEZE: dict[str, Callable[[Board], tuple[str, str]]] = {
    "branch": trine_branch,
    "above": trine_above,
}
DUZU: dict[str, Callable[[Board, str], tuple[str, str, Way]]] = {
    "stay": stay,
    "fly": fly,
    "annual": by_annual,
}
