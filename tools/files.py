"""Writing files whole or not at all."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

from liuren.facts.errors import UserError


def write_whole(path: Path, text: str, force: bool = False) -> None:
    """Write *text* to *path* through a temporary file beside it.

    Raises:
        UserError: the file exists and *force* is not set, or it cannot be written.
    """
    if not force:
        refuse_existing(path)
    try:
        handle, name = tempfile.mkstemp(dir=path.parent or Path("."), prefix=f".{path.name}.")
    except OSError as error:
        raise UserError(f"{path} cannot be written: {error.strerror}.") from None
    try:
        with os.fdopen(handle, "w", encoding="utf-8") as stream:
            stream.write(text)
        os.chmod(name, 0o644)
        os.replace(name, path)
    except OSError as error:
        os.unlink(name)
        raise UserError(f"{path} cannot be written: {error.strerror}.") from None


def refuse_existing(path: str | Path) -> None:
    """Refuse to replace a file, before the work that would fill it is done.

    Raises:
        UserError: the file exists.
    """
    if Path(path).exists():
        raise UserError(f"{path} exists already; give --force to replace it.")
