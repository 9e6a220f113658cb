"""Progress of long work: a line on a terminal, nothing in a pipe."""

from __future__ import annotations

import sys
from types import TracebackType


class Progress:
    """Counts steps on standard error, only when it is a terminal."""

    def __init__(self, what: str, total: int) -> None:
        """*what* is being done *total* times."""
        self.what, self.total, self.done = what, total, 0
        self._shown = sys.stderr.isatty()

    def __enter__(self) -> Progress:
        """Start."""
        return self

    def step(self, n: int = 1) -> None:
        """*n* more are done."""
        self.done += n
        if self._shown:
            sys.stderr.write(f"\r{self.what} {self.done}/{self.total}")
            sys.stderr.flush()

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Clear the line."""
        if self._shown:
            sys.stderr.write("\r\x1b[K")
            sys.stderr.flush()
