"""The one exception that is a user's mistake and not ours."""

from __future__ import annotations


class UserError(Exception):
    """A mistake in what the user gave, told in one clear sentence.

    The message names the offending value, where it was found and what would
    be accepted.  The command line prints it and exits with status 2.
    """
