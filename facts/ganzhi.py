"""The twenty-two signs and the sixty pairs.

Every value of a chart is a plain ``str`` in traditional Chinese.  Stems
(天干), branches (地支) and generals (天將) share no character sequence, so a
value's kind can be read off the value; :func:`kind` does so.
"""

from __future__ import annotations

from typing import Final

STEMS: Final = ("甲", "乙", "丙", "丁", "戊", "己", "庚", "辛", "壬", "癸")
"""The ten heavenly stems, in order."""

BRANCHES: Final = (
    "子", "丑", "寅", "卯", "辰", "巳", "午", "未", "申", "酉", "戌", "亥",
)  # fmt: skip
"""The twelve earthly branches, in order."""

STEM_INDEX: Final = {s: i for i, s in enumerate(STEMS)}
BRANCH_INDEX: Final = {b: i for i, b in enumerate(BRANCHES)}

SIXTY: Final = tuple(STEMS[i % 10] + BRANCHES[i % 12] for i in range(60))
"""The sexagenary cycle from 甲子 to 癸亥."""

SIXTY_INDEX: Final = {pair: i for i, pair in enumerate(SIXTY)}


def kind(value: str) -> str:
    """Return ``"stem"``, ``"branch"`` or ``"general"`` for a chart value.

    Anything that is neither a stem nor a branch counts as a general; callers
    check generals against the tables of the knowledge base.
    """
    if value in BRANCH_INDEX:
        return "branch"
    if value in STEM_INDEX:
        return "stem"
    return "general"


def step(branch: str, n: int) -> str:
    """The branch *n* places after *branch* (before it when *n* is negative)."""
    return BRANCHES[(BRANCH_INDEX[branch] + n) % 12]


def distance(start: str, end: str) -> int:
    """How many places *end* lies after *start* on the ring of branches, 0-11."""
    return (BRANCH_INDEX[end] - BRANCH_INDEX[start]) % 12


def decade_head(day: str) -> str:
    """The head (旬首) of the ten-day decade of *day*, for example 甲戌 for 丁丑."""
    index = SIXTY_INDEX[day]
    return SIXTY[index - index % 10]


def five_rats(stem: str) -> str:
    """The stem that 五子元遁 puts on 子 under *stem* (甲己 gives 甲, 乙庚 丙 …)."""
    return STEMS[(STEM_INDEX[stem] % 5) * 2]


def built_stem(stem: str, branch: str) -> str:
    """The stem that *branch* carries when 五子元遁 runs from *stem*."""
    return STEMS[(STEM_INDEX[five_rats(stem)] + BRANCH_INDEX[branch]) % 10]


def hidden_stem(day: str, branch: str) -> str | None:
    """The stem that *branch* has in the decade of *day* (旬遁).

    ``None`` for the two branches that the decade leaves void (旬空).
    """
    head = SIXTY_INDEX[decade_head(day)]
    offset = (BRANCH_INDEX[branch] - head) % 12
    return STEMS[offset] if offset < 10 else None


def void_branches(day: str) -> tuple[str, str]:
    """The two void branches (旬空) of the decade of *day*, in branch order."""
    head = SIXTY_INDEX[decade_head(day)]
    return BRANCHES[(head + 10) % 12], BRANCHES[(head + 11) % 12]
