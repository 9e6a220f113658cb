"""The calendar: from a moment and a place to the four pillars, to the second.

:func:`resolve_moment` fills a question's pillars, month general, solar term and lunar date from
its moment, with the steps that made them; :func:`parse_moment` reads a moment as people write it;
:func:`find_place` looks a place up in the gazetteer.  Years 600 to 2200 are covered.
"""

from __future__ import annotations

from .moment import parse_moment
from .places import Place, find_place
from .resolve import resolve_moment

__all__ = ["Place", "find_place", "parse_moment", "resolve_moment"]
