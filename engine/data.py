"""Loading the knowledge base: YAML files, packaged or in a directory."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from importlib import import_module, resources
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any

import yaml
from liuren.facts.errors import UserError
from liuren.facts.tables import Tables

from .language.source import SourceError
from .language.source import parse_yaml as diagnose

# The C loader is some ten times faster, but is not built on every platform.
_Loader: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


def parse_yaml(text: str, where: str) -> Any:
    """Parse YAML *text*; *where* names it in the error.

    Raises:
        UserError: the text is not valid YAML.
    """
    try:
        return yaml.load(text, Loader=_Loader)
    except yaml.YAMLError as error:
        try:  # a conflict marker or a tab is told better there
            diagnose(text, where)
        except SourceError as found:
            if "broken YAML" not in str(found):
                raise UserError(f"{found.problems[0]}.") from None
        mark = getattr(error, "problem_mark", None)
        line = f", line {mark.line + 1}" if mark else ""
        problem = getattr(error, "problem", None) or "not valid YAML"
        raise UserError(f"{where}{line}: {problem}; a YAML mapping is expected.") from None


def load_data(name: str, kb_dir: str | Path | None = None) -> Any:
    """The parsed file ``<name>.yaml`` of the knowledge base.

    Args:
        name: file name without ``.yaml``, with ``/`` for a folder (``texts/xinjing``).
        kb_dir: a directory to read instead of the packaged knowledge base.

    Raises:
        UserError: there is no such file, or it is not valid YAML.
    """
    entry = Path(kb_dir) if kb_dir is not None else packaged()
    for part in f"{name}.yaml".split("/"):
        entry = entry / part
    try:
        text = entry.read_text(encoding="utf-8")
    except UnicodeDecodeError as error:
        line = error.object[: error.start].count(b"\n") + 1
        raise UserError(f"{name}.yaml:{line}: the file is not UTF-8; save it in UTF-8.") from None
    except (FileNotFoundError, NotADirectoryError):
        where = kb_dir if kb_dir is not None else "the packaged knowledge base"
        raise UserError(f"{name}.yaml is not in {where}; every data file must be there.") from None
    return parse_yaml(text, f"{name}.yaml")


@lru_cache(maxsize=1)
def packaged() -> Traversable:
    """The folder of the installed knowledge base."""
    try:
        return resources.files("liuren.kb")
    except NotADirectoryError:
        # The path of an editable install also lists an import hook, which is no folder.
        return Path(next(iter(import_module("liuren.kb").__path__)))


@dataclass(frozen=True, slots=True, eq=False)
class KnowledgeData:
    """What casting needs of the knowledge base, parsed once.

    Compared and hashed by identity, so that results can be cached per object;
    the parsed mappings are not to be written to.

    Attributes:
        tables: the shared tables (``tables.yaml``).
        doctrines: the parsed ``doctrines.yaml``.
        methods: method key to its words and source (``methods.yaml``, and
            ``methods-*.yaml`` where they exist).
        heads: situation to the names the schools give it (``methods.yaml``).
        spirits: the parsed ``spirits.yaml``.
        mansions: the 28 mansions and the moon's reckoning (``tables.yaml``).
        terms: the 24 solar terms with the month branch of each.
    """

    tables: Tables
    doctrines: dict[str, Any]
    methods: dict[str, dict[str, str]]
    heads: dict[str, dict[str, Any]]
    spirits: dict[str, dict[str, Any]]
    mansions: dict[str, Any]
    terms: dict[str, str]


@lru_cache(maxsize=8)
def load_knowledge(kb_dir: str | Path | None = None) -> KnowledgeData:
    """The knowledge that casting needs, loaded once per directory.

    Raises:
        UserError: a file is missing or is not valid YAML.
    """
    tables = load_data("tables", kb_dir)
    methods = load_data("methods", kb_dir)
    return KnowledgeData(
        tables=Tables.from_data(tables),
        doctrines=load_data("doctrines", kb_dir),
        methods=methods["methods"] | _calendar_methods(kb_dir),
        heads=methods["heads"],
        spirits=load_data("spirits", kb_dir)["spirits"],
        mansions=tables["mansions"],
        terms=tables["terms"],
    )


def _calendar_methods(kb_dir: str | Path | None) -> dict[str, dict[str, str]]:
    """The methods of the calendar, kept in a file of their own."""
    try:
        data = load_data("methods-calendar", kb_dir)
    except UserError:
        return {}
    methods: dict[str, dict[str, str]] = data.get("methods", data)
    return methods
