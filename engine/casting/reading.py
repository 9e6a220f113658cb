"""Reading a branch, a ganzhi or either from what a person wrote."""

from __future__ import annotations

from liuren.facts.chart import Pillar
from liuren.facts.errors import UserError
from liuren.facts.ganzhi import BRANCH_INDEX, BRANCHES, SIXTY_INDEX, STEM_INDEX

from ..normalise import normalise


def read_ganzhi(text: str, where: str) -> str:
    """A ganzhi such as 甲子, normalised.

    Raises:
        UserError: *text* is not one of the sixty pairs.
    """
    pair = text if text in SIXTY_INDEX else normalise(text)
    if pair in SIXTY_INDEX:
        return pair
    if len(pair) == 2 and pair[0] in STEM_INDEX and pair[1] in BRANCH_INDEX:
        at = STEM_INDEX[pair[0]]
        fits = "".join(BRANCHES[at % 2 :: 2])
        raise UserError(f"{where} {text}: {pair[0]} goes only with {fits}, so there is no {pair}.")
    raise UserError(f"{where} {text!r} is not a ganzhi; one of the sixty such as 甲子 is accepted.")


def read_branch(text: str, where: str) -> str:
    """A branch such as 子, normalised.

    Raises:
        UserError: *text* is not one of the twelve.
    """
    branch = text if text in BRANCH_INDEX else normalise(text)
    if branch in BRANCH_INDEX:
        return branch
    raise UserError(f"{where} {text!r} is not a branch; one of {''.join(BRANCHES)} is accepted.")


def read_pillar(text: str, where: str) -> Pillar:
    """A ganzhi or a bare branch.

    Raises:
        UserError: *text* is neither.
    """
    plain = normalise(text)
    if len(plain) == 1:
        return Pillar(None, read_branch(plain, where))
    pair = read_ganzhi(text, where)
    return Pillar(pair[0], pair[1])
