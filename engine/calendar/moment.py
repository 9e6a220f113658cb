"""Reading a moment as people write it."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta, timezone, tzinfo
from difflib import get_close_matches
from functools import lru_cache
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError, available_timezones

from liuren.facts.errors import UserError

FIRST_YEAR, LAST_YEAR = 600, 2200

_FORM = re.compile(
    r"(?P<year>[+-]?\d{1,6})-(?P<month>\d{1,2})-(?P<day>\d{1,2})"
    r"(?:(?:[Tt]|\s+)(?P<hour>\d{1,2}):(?P<minute>\d{2})(?::(?P<second>\d{2})(?P<part>\.\d{1,6})?)?)?"
    r"(?:\s*(?P<zone>[Zz]|[+-]\d{2}(?::?\d{2}(?::\d{2})?)?|\[?[A-Za-z][\w+/-]*\]?))?"
)
_WANTED = "write it as 2026-11-30T14:20 or 2026-11-30 14:20:30, with an offset such as +09:00"


def parse_moment(text: str, tz: str | None) -> datetime:
    """The moment that *text* tells, as an aware datetime.

    Args:
        text: ``2026-11-30T14:20`` or ``2026-11-30 14:20:30``; an offset (``+09:00``, ``Z``) or the
            name of a time zone (``Asia/Seoul``) may follow.  Seconds that are not told are :00.
        tz: the time zone, a name or an offset, where *text* names none.

    Returns:
        A datetime whose zone is the named one, or else the fixed offset.  Given both
        an offset and a zone, the offset chooses between two equal clock times.

    Raises:
        UserError: the text cannot be read; the day or time does not exist; the year
            is outside 600-2200; there is no zone, or an unknown one; the clocks
            skipped that time or showed it twice; offset and zone disagree.
    """
    match = _FORM.fullmatch(text.strip())
    if match is None:
        raise UserError(f"The moment {text!r} cannot be read; {_WANTED}.")
    if match["hour"] is None:
        raise UserError(f"The moment {text!r} has no time of day; {_WANTED}.")
    year, month, day = int(match["year"]), int(match["month"]), int(match["day"])
    if not FIRST_YEAR <= year <= LAST_YEAR:
        raise UserError(
            f"The year {year} of the moment {text!r} is outside the calendar, "
            f"which covers {FIRST_YEAR} to {LAST_YEAR}."
        )
    part = round(float(match["part"] or 0) * 1_000_000)
    try:
        wall = datetime(
            year, month, day,
            int(match["hour"]), int(match["minute"]), int(match["second"] or 0), part,
        )  # fmt: skip
    except ValueError as error:
        raise UserError(f"The moment {text!r} does not exist: {error}.") from None
    written = match["zone"]
    if written is None and tz is None:
        raise UserError(
            f"The moment {text!r} has no time zone; write an offset after it (+09:00) or give "
            "the name of a time zone (Asia/Seoul)."
        )
    if written is None or tz is None:
        return _place(wall, _zone(written or tz or "", text), text)
    first, second = _zone(written, text), _zone(tz, text)
    if not isinstance(first, timezone):
        if isinstance(second, timezone) or str(first) != str(second):
            raise UserError(
                f"The moment {text!r} is told in the time zone {written.strip('[]')}, but the zone "
                f"{tz} is given besides; give one of them."
            )
        return _place(wall, first, text)
    return _agree(wall, first, second, text)


def has_zone(text: str) -> bool:
    """Whether *text* tells its own offset or time zone."""
    match = _FORM.fullmatch(text.strip())
    return match is not None and match["zone"] is not None


def zone_named(name: str) -> tzinfo:
    """The time zone called *name* (``Asia/Seoul``), or an offset (``+09:00``).

    Raises:
        UserError: there is none; the nearest names are given.
    """
    return _zone(name, name)


def _zone(name: str, text: str) -> tzinfo:
    name = name.strip().strip("[]")
    if name in ("Z", "z"):
        return UTC
    offset = re.fullmatch(r"([+-])(\d{2})(?::?(\d{2})(?::(\d{2}))?)?", name)
    if offset:
        hours, minutes, seconds = (int(part or 0) for part in offset.groups()[1:])
        if hours > 23 or minutes > 59 or seconds > 59:
            raise UserError(f"The offset {name} is no offset; up to 23:59 is accepted, as +09:00.")
        sign = -1 if offset[1] == "-" else 1
        return timezone(sign * timedelta(hours=hours, minutes=minutes, seconds=seconds))
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        return _nearest_zone(name)


def _nearest_zone(name: str) -> tzinfo:
    """The zone that differs from *name* in case only, or an error with the nearest names."""
    known = _known()
    if name.lower() in known:
        return ZoneInfo(known[name.lower()])
    near = [known[key] for key in get_close_matches(name.lower(), known, n=3, cutoff=0.7)]
    if not near:
        near = [zone for key, zone in known.items() if name.lower() in key.split("/")][:3]
    hint = f"nearest are {', '.join(near)}" if near else "names are as Asia/Seoul"
    raise UserError(f"The time zone {name!r} is not known; {hint}, or write an offset (+09:00).")


@lru_cache(maxsize=1)
def _known() -> dict[str, str]:
    """Every zone name by its lower case, in alphabetical order."""
    return {name.lower(): name for name in sorted(available_timezones())}


def _offset_text(moment: datetime) -> str:
    return moment.isoformat()[len(moment.replace(tzinfo=None).isoformat()) :]


def _place(wall: datetime, zone: tzinfo, text: str) -> datetime:
    """*wall* in *zone*, if the clocks there showed it once."""
    early, late = (wall.replace(tzinfo=zone, fold=fold) for fold in (0, 1))
    if early.utcoffset() == late.utcoffset():
        return early
    if early.astimezone(UTC).astimezone(zone).replace(tzinfo=None, fold=0) != wall:
        raise UserError(
            f"The time {text!r} does not exist in {zone}: the clocks went from "
            f"{_offset_text(early)} to {_offset_text(late)} and skipped it; write a time that was shown."
        )
    raise UserError(
        f"The time {text!r} was shown twice in {zone}, with offset {_offset_text(early)} and then "
        f"{_offset_text(late)}; write the offset after it to choose."
    )


def _agree(wall: datetime, offset: timezone, zone: tzinfo, text: str) -> datetime:
    """*wall* at *offset*, told in *zone*, if that is the offset of *zone* then."""
    told = wall.replace(tzinfo=offset)
    here = told.astimezone(zone)
    if here.replace(tzinfo=None, fold=0) != wall:
        raise UserError(
            f"The offset of the moment {text!r} is not that of {zone}, which then had "
            f"{_offset_text(here)}; give one of them."
        )
    return here
