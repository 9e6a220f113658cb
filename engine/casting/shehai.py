"""賊克, 比用 and 涉害: choosing the initial among lessons with 克.

The order is that of 六壬大全 and 六壬心鏡: lower against upper (賊) before upper
against lower (克); of several, those of the day stem's polarity (比); of several
still, or of none, the deepest (涉害).  The schools part on how to find the
deepest, on ties and on lessons that repeat another: the options ``shehai``,
``shehai_tie`` and ``repeated`` choose from :data:`SHEHAI`, :data:`TIES` and
:data:`REPEATED`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace

from liuren.facts.ganzhi import BRANCH_INDEX, STEM_INDEX, distance, step

from .board import LESSONS, Board, Found, Note
from .plate import Foot

# Places of 孟 (寅巳申亥) and 仲 (子卯午酉) in each run of three branches from 子.
_MENG, _ZHONG = 2, 0


def by_lessons(board: Board) -> Found | None:
    """The initial by 賊克, 比用 or 涉害; ``None`` when no lesson has 克."""
    feet = REPEATED[board.options["repeated"]](board)
    for relation, method in (("下賊上", "candidates_lower"), ("上克下", "candidates_upper")):
        uppers = _distinct(f.upper for f in feet if f.relation == relation)
        if uppers:
            note = Note("method.candidates", uppers, method, (*LESSONS, "option.repeated"))
            found = _narrow(board, uppers, relation, note)
            # The lesson is the one that has the 克: an upper may stand in an earlier one
            # without it, since a stem and its palace can differ in element.
            own = (f.number for f in feet if (f.upper, f.relation) == (found.branch, relation))
            return replace(found, lesson=next(own))
    return None


def use_repeated(board: Board) -> tuple[Foot, ...]:
    """Every lesson is asked for 克, also one that repeats another."""
    return board.feet


def refuse_repeated(board: Board) -> tuple[Foot, ...]:
    """A lesson that has the upper and the seat of an earlier one is not asked again."""
    first = {f.upper: f.number for f in reversed(board.feet)}
    return tuple(f for f in board.feet if first[f.upper] == f.number)


def by_distance(board: Board) -> Found | None:
    """The initial by 遙克: 蒿矢 (an upper controls the stem), else 彈射."""
    t, stem = board.tables, board.stem
    uppers = [f.upper for f in board.feet[1:]]
    shot = _distinct(u for u in uppers if t.controls(u, stem))
    case, method, relation = "yaoke_upper", "candidates_haoshi", "上克下"
    if not shot:
        shot = _distinct(u for u in uppers if t.controls(stem, u))
        case, method, relation = "yaoke_stem", "candidates_tanshe", "下賊上"
    if not shot:
        return None
    inputs = (*LESSONS[1:], "pillar.day", "option.repeated")
    note = Note("method.candidates", shot, method, inputs)
    found = _narrow(board, shot, relation, note)
    lesson = next(f.number for f in board.feet[1:] if f.upper == found.branch)
    return Found(found.branch, case, found.notes, lesson)


def _narrow(board: Board, uppers: list[str], relation: str, first: Note) -> Found:
    if len(uppers) == 1:
        case = "single_upper"
        if relation == "下賊上":
            asked = REPEATED[board.options["repeated"]](board)
            mixed = any(f.relation == "上克下" for f in asked)
            case = "single_lower_mixed" if mixed else "single_lower"
        return _found(board, uppers[0], case, (first,))
    day = STEM_INDEX[board.stem] % 2
    matching = [u for u in uppers if BRANCH_INDEX[u] % 2 == day]
    match = Note("method.matching", matching, "matching", ("method.candidates", "pillar.day"))
    if len(matching) == 1:
        return _found(board, matching[0], "matching", (first, match))
    rest = matching or uppers
    return SHEHAI[board.options["shehai"]](board, rest, relation, (first, match))


def _deepest(
    board: Board, uppers: list[str], relation: str, notes: tuple[Note, ...], with_seat: bool
) -> Found:
    met = {u: _met(board, u, relation, with_seat) for u in uppers}
    most = max(len(m) for m in met.values())
    value = {u: {"seat": board.under(u), "met": met[u], "depth": len(met[u])} for u in uppers}
    method = "depth_seat" if with_seat else "depth_open"
    inputs = ("method.matching", "plate", "option.shehai")
    notes = (*notes, Note("method.depth", value, method, inputs))
    left = [u for u in uppers if len(met[u]) == most]
    if len(left) == 1:
        return _found(board, left[0], "depth", notes)
    return TIES[board.options["shehai_tie"]](board, left, notes, "method.depth")


def _met(board: Board, upper: str, relation: str, with_seat: bool) -> list[str]:
    """What fights *upper* on its way home from its seat, branches and lodged stems.

    A 賊 counts what controls the upper, a 克 what the upper controls.  Home is
    never counted; the seat only in the school that counts it.
    """
    t, seat = board.tables, board.under(upper)
    found = []
    for n in range(0 if with_seat else 1, distance(seat, upper)):
        place = step(seat, n)
        for sign in (place, *(s for s, b in t.lodging.items() if b == place)):
            fights = t.controls(sign, upper) if relation == "下賊上" else t.controls(upper, sign)
            if fights:
                found.append(sign)
    return found


def depth_open(board: Board, uppers: list[str], relation: str, notes: tuple[Note, ...]) -> Found:
    """涉害 by depth, the seat not counted (六壬大全)."""
    return _deepest(board, uppers, relation, notes, with_seat=False)


def depth_seat(board: Board, uppers: list[str], relation: str, notes: tuple[Note, ...]) -> Found:
    """涉害 by depth, the seat counted with the stems lodged in it."""
    return _deepest(board, uppers, relation, notes, with_seat=True)


def meng_zhong(board: Board, uppers: list[str], relation: str, notes: tuple[Note, ...]) -> Found:
    """涉害 by the seat alone: 孟 before 仲 before 季, nothing counted."""
    return by_seat(board, uppers, notes, "method.matching")


def by_seat(board: Board, uppers: list[str], notes: tuple[Note, ...], after: str) -> Found:
    """The candidate on a 孟 seat (見機), else on a 仲 seat (察微), else by the side (綴瑕)."""
    seats = {u: board.under(u) for u in uppers}
    inputs = (after, "plate", "option.shehai", "option.shehai_tie")
    for place, case in ((_MENG, "meng"), (_ZHONG, "zhong")):
        left = [u for u in uppers if BRANCH_INDEX[seats[u]] % 3 == place]
        if len(left) == 1:
            value = {"seats": seats, "chosen": left[0], "by": case}
            return _found(
                board, left[0], case, (*notes, Note("method.tie", value, f"tie_{case}", inputs))
            )
        if left:
            return by_side(board, left, notes, after, seats)
    return by_side(board, uppers, notes, after, seats)


def by_side(
    board: Board,
    uppers: list[str],
    notes: tuple[Note, ...],
    after: str,
    seats: dict[str, str] | None = None,
) -> Found:
    """The candidate on the day's side: stem (lessons 1, 2) on yang days, branch on yin."""
    mine = board.feet[:2] if board.yang else board.feet[2:]
    order = [f.upper for f in (*mine, *board.feet)]
    chosen = next(u for u in order if u in uppers)
    value: dict[str, object] = {"seats": seats} if seats else {}
    value |= {"tied": uppers, "chosen": chosen, "by": "side"}
    inputs = (after, "plate", "pillar.day", "option.shehai", "option.shehai_tie")
    return _found(board, chosen, "side", (*notes, Note("method.tie", value, "tie_side", inputs)))


def _found(board: Board, upper: str, case: str, notes: tuple[Note, ...]) -> Found:
    return Found(upper, case, notes, board.lesson_of(upper))


def _distinct(signs: Iterable[str]) -> list[str]:
    return list(dict.fromkeys(signs))


Shehai = Callable[[Board, list[str], str, tuple[Note, ...]], Found]
Tie = Callable[[Board, list[str], tuple[Note, ...], str], Found]

SHEHAI: dict[str, Shehai] = {
    "depth-open": depth_open,
    "depth-seat": depth_seat,
    "meng-zhong": meng_zhong,
}
TIES: dict[str, Tie] = {"seat": by_seat, "side": by_side}
REPEATED: dict[str, Callable[[Board], tuple[Foot, ...]]] = {
    "use": use_repeated,
    "refuse": refuse_repeated,
}
