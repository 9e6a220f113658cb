"""What the nine methods share: the way from one transmission to the next."""

from __future__ import annotations

from .board import LESSONS, Board, Derivation, Found, Note

Way = tuple[str, tuple[str, ...]]
"""The method key of a transmission and the ids of the steps it used."""


def chain(board: Board, name: str, found: Found) -> Derivation:
    """Middle is what stands on the initial's earth, final what stands on the middle's."""
    middle = board.over(found.branch)
    return Derivation(
        name,
        found,
        (found.branch, middle, board.over(middle)),
        (
            ("initial_lesson", (last_note(found),)),
            ("chain", ("initial", "plate")),
            ("chain", ("middle", "plate")),
        ),
    )


def no_candidate(board: Board, more: tuple[str, ...] = ()) -> tuple[Note, ...]:
    """The note that no lesson has 克, resting on the lessons and the steps *more*."""
    inputs = (*LESSONS, "option.repeated", *more)
    return (Note("method.candidates", [], "candidates_none", inputs),)


def last_note(found: Found) -> str:
    """The id of the last step that led to the initial."""
    return found.notes[-1].id
