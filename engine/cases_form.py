"""The form of a worked case: what a case file may say, checked and parsed.

:mod:`.cases` explains the schema; this module turns one mapping of a file into
a :class:`Case` or says in one sentence what is wrong with it.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from liuren.facts.errors import UserError
from liuren.facts.points import nearest

from .cases_expect import OF_THE_YEAR, expand, point_names
from .cases_given import GIVEN, needs_year, requests
from .cases_types import Case, Statement, Words
from .doctrine import Doctrine
from .language.conditions import AllOf, Condition, PatternIs, TallyIs, nodes
from .language.parser import parse_conditions
from .language.scope import QUOTE_LIMIT, Scope
from .language.source import Problem, line_of
from .library import Library
from .questions import Request

CASE_KEYS = (
    "id", "text", "passage", "locus", "quote", "topic", "doctrine", "given", "fragment",
    "assume", "stated", "outcome", "note", "title", "source", "book", "date", "set",
)  # fmt: skip
STATEMENT_KEYS = ("quote", "expect", "steps", "agrees", "ours", "reason", "note")


def parse_case(data: object, file: str, text: str, library: Library, line: int = 0) -> Case:
    """Parse one case.

    Args:
        data: the mapping of the file.
        file: how messages call the file.
        text: the text of the whole file, or "".
        library: for the names that conditions, doctrines and questions may use.
        line: line of the case where *data* does not know it (JSONL).

    Raises:
        UserError: something is missing, unknown or contradictory; the message
            names file, line and id.
    """
    return _Reader(file, line_of(data, line), text, library).case(data)


class _Reader:
    def __init__(self, file: str, line: int, text: str, library: Library) -> None:
        self.file, self.line, self.text = file, line, text
        self.library, self.kb = library, library.kb
        self.id = ""

    def fail(self, message: str, value: object = None, line: int = 0) -> UserError:
        where = Problem(self.file, line or line_of(value, self.line), self.id, message)
        return UserError(f"{where}.")

    def case(self, data: object) -> Case:
        if not isinstance(data, dict):
            raise self.fail(f"«{data}» is no case; a mapping with id, given and stated is expected")
        self.id = str(data.get("id", ""))
        if not re.fullmatch(r"[A-Za-z0-9][A-Za-z0-9._-]*", self.id):
            raise self.fail(
                f"«{self.id}» is no case id; letters, digits, dots, _ and - are accepted", data
            )
        self._keys(data, CASE_KEYS, "a case")
        text = str(data.get("text") or self.text)
        if text and text not in self.kb.texts:
            raise self.fail(
                f"«{text}» is no text; known: {', '.join(self.kb.texts)}", data.get("text")
            )
        topic = str(data.get("topic", ""))
        if topic and topic not in self.kb.lexicon.topics:
            near = nearest(topic, self.kb.lexicon.topics)
            raise self.fail(
                f"«{topic}» is no topic" + (f"; did you mean {near}?" if near else ""),
                data["topic"],
            )
        given = self._mapping(data, "given")
        fragment = self._mapping(data, "fragment") if "fragment" in data else None
        if "assume" in data and fragment is None:
            raise self.fail(
                "`assume` chooses among the charts of a fragment; give `fragment` too", data
            )
        asked = self._requests(given, fragment)
        statements = self._statements(data, text)
        if needs_year(given):
            self._no_year(statements)
        edition, lines = self._locus(data.get("locus"))
        return Case(
            id=self.id,
            text=text,
            passage=str(data.get("passage", "")),
            edition=edition,
            lines=lines,
            quote=self._quote(data),
            topic=topic,
            doctrine=self._doctrine(data, text, asked[0].sets),
            given=given,
            requests=asked,
            assume=self._condition(data["assume"], text) if "assume" in data else None,
            statements=statements,
            outcome=self._words(data, "outcome"),
            note=self._words(data, "note"),
            file=self.file,
            line=line_of(data, self.line),
            book=str(data.get("book") or ""),
            title=str(data.get("title") or ""),
            date=str(data.get("date") or ""),
        )

    def _statements(self, data: dict[str, Any], text: str) -> tuple[Statement, ...]:
        stated = data.get("stated")
        if not isinstance(stated, list) or not stated:
            raise self.fail(
                "`stated` is missing or empty; a list of statements with `expect` is expected", data
            )
        return tuple(self._statement(item, text) for item in stated)

    def _statement(self, data: object, text: str) -> Statement:
        if not isinstance(data, dict) or not {"expect", "steps"} & set(data):
            raise self.fail(
                f"«{data}» is no statement; a mapping with `expect` (or `steps`) is expected", data
            )
        self._keys(data, STATEMENT_KEYS, "a statement")
        agrees = data.get("agrees", True)
        if not isinstance(agrees, bool):
            raise self.fail(f"`agrees` is «{agrees}»; true or false is accepted", data)
        reason = self._words(data, "reason")
        if agrees and ("ours" in data or reason):
            raise self.fail("`ours` and `reason` stand only beside `agrees: false`", data)
        if not agrees and ("ours" not in data or not {"en", "ko"} <= set(reason)):
            raise self.fail("`agrees: false` wants `ours` and a `reason` in en and ko", data)
        return Statement(
            quote=self._quote(data),
            expect=self._condition(data["expect"], text) if "expect" in data else AllOf(()),
            steps=self._mapping(data, "steps") if "steps" in data else {},
            agrees=agrees,
            ours=None if agrees else self._condition(data["ours"], text),
            reason=reason,
            note=self._words(data, "note"),
            line=line_of(data, self.line),
        )

    def _condition(self, data: object, text: str) -> Condition:
        problems: list[Problem] = []
        scope = Scope(self.kb.lexicon, self.file, text, "", self.id, problems.append)
        try:
            plain = expand(data)
        except ValueError as error:
            raise self.fail(str(error), data) from None
        condition = parse_conditions(plain, scope)
        if problems:
            raise self.fail(problems[0].message, data, problems[0].line)
        if not text and any(isinstance(n, PatternIs | TallyIs) for n in nodes(condition)):
            raise self.fail("a pattern or tally is a text's own, so the case wants `text`", data)
        return condition

    def _no_year(self, statements: tuple[Statement, ...]) -> None:
        """An age was counted from a year of our choosing, which must decide nothing."""
        for statement in statements:
            for condition in (statement.expect, statement.ours):
                bad = sorted(point_names(condition) & OF_THE_YEAR) if condition is not None else ()
                if bad:
                    raise self.fail(
                        f"«{bad[0]}» rests on the year asked about; an age alone does not tell it, give `year`",
                        line=statement.line,
                    )

    def _requests(
        self, given: Mapping[str, Any], fragment: Mapping[str, Any] | None
    ) -> tuple[Request, ...]:
        try:
            tables = self.library.data.tables
            return tuple(requests(given, fragment, tables, self.kb.lexicon))
        except UserError as error:
            raise self.fail(str(error).removesuffix("."), given) from None

    def _doctrine(self, data: dict[str, Any], text: str, sets: Mapping[str, str]) -> Doctrine:
        name = str(data.get("doctrine") or (self.kb.texts[text].doctrine if text else "common"))
        own = self._mapping(data, "set") if "set" in data else {}
        try:
            return self.library.doctrine(name, {**own, **sets})
        except UserError as error:
            raise self.fail(str(error).removesuffix("."), data) from None

    def _locus(self, data: object) -> tuple[str, tuple[int, ...]]:
        if data is None:
            return "", ()
        lines = data.get("lines") if isinstance(data, dict) else None
        if not isinstance(data, dict) or not isinstance(lines, list):
            raise self.fail("`locus` wants an edition and a list of lines", data)
        return str(data.get("edition", "")), tuple(int(n) for n in lines)

    def _quote(self, data: dict[str, Any]) -> str:
        quote = str(data.get("quote", ""))
        if len(quote) > QUOTE_LIMIT:
            raise self.fail(
                f"the quote «{quote}» has {len(quote)} characters; {QUOTE_LIMIT} are accepted",
                data["quote"],
            )
        return quote

    def _words(self, data: dict[str, Any], key: str) -> Words:
        words = data.get(key) or {}
        if isinstance(words, str):
            return {"en": words}
        if not isinstance(words, dict) or not set(words) <= {"en", "ko", "zh"}:
            raise self.fail(f"`{key}` is a text or a mapping of en, ko, zh", data)
        return {k: str(v) for k, v in words.items()}

    def _mapping(self, data: dict[str, Any], key: str) -> Mapping[str, Any]:
        value = data.get(key)
        if not isinstance(value, dict):
            raise self.fail(
                f"`{key}` is missing or no mapping"
                + (f"; known inputs: {', '.join(GIVEN)}" if key in ("given", "fragment") else ""),
                data,
            )
        return value

    def _keys(self, data: dict[str, Any], known: tuple[str, ...], what: str) -> None:
        for key in data:
            if key not in known:
                near = nearest(key, known)
                hint = f"did you mean {near}?" if near else f"known: {', '.join(known)}"
                raise self.fail(
                    f"{what} has no «{key}»; {hint}", data, getattr(data, "lines", {}).get(key, 0)
                )
