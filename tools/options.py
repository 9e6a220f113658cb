"""The options that every command about a question takes, and what they make."""

from __future__ import annotations

import functools
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click
from liuren.engine.library import Library
from liuren.engine.questions import QUESTION_KEYS, Request, build_request
from liuren.facts.errors import UserError

from .words import LANGUAGES, Words

_OPTIONS: tuple[Any, ...] = (
    click.option("--reading", "reading_file", type=click.Path(), metavar="FILE", help="A saved question (YAML or JSON); options given besides win."),
    click.option("--tz", metavar="ZONE", help="Time zone of MOMENT, as Asia/Seoul or +09:00."),
    click.option("--place", metavar="NAME", help="A place by name, for local time and sunrise."),
    click.option("--longitude", type=float, metavar="DEG", help="East positive."),
    click.option("--latitude", type=float, metavar="DEG", help="North positive."),
    click.option("--day", metavar="干支", help="Day pillar, as 甲子."),
    click.option("--hour", metavar="支", help="Hour branch."),
    click.option("--month-general", metavar="支", help="月將."),
    click.option("--year", metavar="支", help="Year branch, ganzhi or number."),
    click.option("--month", metavar="支", help="Month branch or ganzhi (月建)."),
    click.option("--term", metavar="節氣", help="Solar term that begins on the day."),
    click.option("--lunar", metavar="M-D", help="Lunar date, as 1-15; L4-1 in a leap month."),
    click.option("--noble", metavar="day|night", help="Force the nobleman."),
    click.option("--natal", metavar="支", help="本命 of the asker."),
    click.option("--annual", metavar="支", help="行年 of the asker."),
    click.option("--born", metavar="YEAR", help="Year of birth of the asker."),
    click.option("--sex", metavar="m|f", help="Sex of the asker."),
    click.option("--person", "persons", multiple=True, metavar="ROLE:BORN:SEX", help="Another person, as wife:1980:f; ROLE:natal=子:annual=午 also."),
    click.option("--told", multiple=True, metavar="NAME=VALUE", help="A fact from the closed list (told.yaml)."),
    click.option("--doctrine", metavar="NAME", help="One school for all texts."),
    click.option("--set", "sets", multiple=True, metavar="OPTION=VALUE", help="One option of the school."),
    click.option("--variant", "variants", multiple=True, metavar="PASSAGE:CRUX=OPTION", help="Another reading of a verse."),
    click.option("--topic", metavar="TOPIC", help="What is asked about."),
)  # fmt: skip

_COMMON: tuple[Any, ...] = (
    click.option("--kb", "kb_dir", type=click.Path(file_okay=False), metavar="DIR", help="A knowledge base that stands elsewhere."),
    click.option("--lang", type=click.Choice(LANGUAGES), default="en", show_default=True, help="Language of the words."),
    click.option("--json", "as_json", is_flag=True, help="JSON instead of text."),
)  # fmt: skip


def common_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """``--kb``, ``--lang`` and ``--json``."""
    return functools.reduce(lambda f, option: option(f), reversed(_COMMON), command)


def question_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """``MOMENT`` and every option of a question, gathered into ``given``."""

    @functools.wraps(command)
    def gathered(**options: Any) -> Any:
        given = {k: options.pop(k) for k in ("moment", *_NAMES) if k in options}
        return command(given=given, **options)

    wrapped = functools.reduce(lambda f, option: option(f), reversed(_OPTIONS), gathered)
    return click.argument("moment", required=False)(wrapped)


_NAMES = (
    "reading_file", "tz", "place", "longitude", "latitude", "day", "hour", "month_general", "year",
    "month", "term", "lunar", "noble", "natal", "annual", "born", "sex", "persons", "told",
    "doctrine", "sets", "variants", "topic",
)  # fmt: skip


@functools.cache
def _packaged() -> Library:
    """The packaged knowledge base does not change while a process runs: load it once."""
    return Library.load()


def load(kb_dir: str | None, lang: str = "en") -> tuple[Library, Words]:
    """The knowledge base and the words of a language.

    Raises:
        UserError: a closed list cannot be read, or the rules have problems: a
            reading without the rules that are wrong would say less than its texts.
    """
    library = _packaged() if kb_dir is None else Library.load(kb_dir)
    if found := library.kb.problems:
        count = f"{len(found)} problems, the first at" if len(found) > 1 else "a problem at"
        check = "liuren kb check" + (f" --kb {kb_dir}" if kb_dir else "")
        raise UserError(f"The knowledge base has {count} {found[0]}; run {check}.")
    return library, Words(lang, library, kb_dir)


def make_request(given: dict[str, Any], library: Library) -> Request:
    """The request that the options (and a saved question) make.

    Raises:
        UserError: something in them is wrong.
    """
    return build_request(plain_question(given), library.kb.lexicon)


def plain_question(given: dict[str, Any]) -> dict[str, Any]:
    """The options as a mapping of plain values, over the saved question if any."""
    values = _saved(given.get("reading_file"))
    for key in ("moment", *QUESTION_KEYS, "doctrine", "topic"):
        if key not in ("persons", "told") and given.get(key) is not None:
            values[key] = given[key]
    for key, option in (("told", "--told"), ("sets", "--set"), ("variants", "--variant")):
        named = pairs(given.get(key) or (), option)
        if named:
            name = "set" if key == "sets" else key
            values[name] = {**(values.get(name) or {}), **named}
    persons = dict(_person(text) for text in given.get("persons") or ())
    if persons:
        values["persons"] = {**(values.get("persons") or {}), **persons}
    return values


def _saved(path: str | None) -> dict[str, Any]:
    if path is None:
        return {}
    from liuren.engine.language.source import SourceError, read_yaml

    try:
        data = read_yaml(Path(path), path)
    except SourceError as error:
        raise UserError(str(error.problems[0])) from None
    if not isinstance(data, dict):
        raise UserError(f"{path}: a saved question is a mapping, as in `day: 甲子`.")
    return dict(data)


def pairs(texts: tuple[str, ...], option: str) -> dict[str, str]:
    """``NAME=VALUE`` options as a mapping.

    Raises:
        UserError: one is not of that form.
    """
    found = {}
    for text in texts:
        name, sign, value = text.partition("=")
        if not sign or not name or not value:
            raise UserError(f"{option} {text}: write {option} NAME=VALUE.")
        found[name] = value
    return found


def _person(text: str) -> tuple[str, dict[str, Any]]:
    role, *parts = text.split(":")
    person: dict[str, Any] = {}
    for part in parts:
        name, sign, value = part.partition("=")
        if sign:
            person[name] = value
        elif part.lstrip("-").isdigit():
            person["born"] = part
        elif part:
            person["sex"] = part
    if not person:
        raise UserError(f"--person {text}: write ROLE:BORN:SEX, as wife:1980:f.")
    return role, person
