"""The published JSON Schema: every packaged file fits it, planted mistakes do not, and it
knows exactly the keys the parser knows."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable
from typing import Any

import jsonschema
import pytest
from liuren.engine.data import packaged
from liuren.engine.language import conclude, parser, passages
from liuren.engine.language.loader import text_files
from liuren.engine.language.scope import Lexicon
from liuren.engine.language.source import parse_yaml, read_yaml
from liuren.engine.questions import PERSON_KEYS, QUESTION_KEYS, REQUEST_KEYS
from liuren.facts.relations import RELATIONS
from liuren.facts.slots import LESSON_SLOTS, PERSON_SLOTS, RECORD_SLOTS, SLOTS

SCHEMA: dict[str, Any] = json.loads(
    (packaged() / "rules.schema.json").read_text(encoding="utf-8")
)
DEFS = SCHEMA["$defs"]
VALIDATOR = jsonschema.Draft202012Validator(SCHEMA)

GOOD = """\
text: primer
passages:
- id: primer.mine
  title: {zh: 試, ko: 시험, en: a trial}
  locus: {edition: "000", lines: [1, 2]}
  readings:
  - {id: chain, lem: 終始, default: full, options: [{id: full, by: base}, {id: loose, by: editor}]}
  emendations:
  - {lem: 四課日, rdg: 四仲日, by: editor, note: {en: a slip}}
  rules:
  - key: all_forms
    quote: 試
    each: {x: [課, 傳]}
    when:
    - x: {controls or generates: stem, general: $凶將, void: false}
    - any: [{pattern: 甲}, [{fires: other}, {not: {hour: {is: branch}}}]]
    - some: {in: 傳, as: y, where: [general(y): {controls: y}]}
    - told: {duration: long, nature: [good, bad]}
    - count: {in: 課, but: lesson1, has: {branch: [子, 丑]}, at_least: 2}
    - tally: {of: 遲速, 速: '> 遲'}
    then:
    - {pattern: 甲, of: x}
    - {vote: 遲速, for: 速, weight: 2}
    - {measure: 應期, branch: over(x), number: 3, unit: day, text: {en: soon, ko: 곧}}
    - verdict: {topic: [illness, death], polarity: bad, en: ill, ko: 나쁨}
    - modifier: {cancels: other, topic: illness}
    - role: {topic: general, zh: 彼, en: the other, ko: 상대, is: branch}
  - key: rows
    quote: 表
    columns: [b, polarity, quote]
    when: [initial: {branch: <b>}]
    then: {verdict: {topic: general, polarity: <polarity>, en: "<b>", ko: "<b>"}}
    rows: {1: [子, good, null]}
  - {key: table, quote: 表, given: {hour: {void: true}}, table: {a: {when: always, then: {pattern: 乙}}}}
  worked: [{key: chart, quote: 例, case: primer.one}]
  notes: [{key: rest, quote: 餘仿此, note: {en: and so on, ko: 나머지도 같다}}]
  untranslatable: [{key: hard, quote: 難, reason: {en: no such slot, ko: 그런 칸이 없다}}]
  open: [{key: later, quote: 未定}]
  examples:
  - {given: {day: 甲子, hour: 子, month_general: 子, variants: {chain: loose}}, fires: [all_forms], near: [1]}
  - {never: [table], because: {en: why}}
"""


def errors(data: Any) -> list[str]:
    return [e.message for e in VALIDATOR.iter_errors(data)]


def test_the_schema_is_one() -> None:
    jsonschema.Draft202012Validator.check_schema(SCHEMA)
    assert SCHEMA["$schema"] == "https://json-schema.org/draft/2020-12/schema"


@pytest.mark.parametrize("path", [p for p, _ in text_files(None)], ids=lambda p: p.stem)
def test_every_packaged_file_fits(path: Any) -> None:
    assert errors(read_yaml(path, path.name)) == []


def test_every_form_of_the_language_fits() -> None:
    assert errors(parse_yaml(GOOD, "good.yaml")) == []


Spoil = Callable[[dict[str, Any]], object]
RULE = ("passages", 0, "rules", 0)


def _at(data: Any, *path: str | int) -> Any:
    for key in path:
        data = data[key]
    return data


MISTAKES: dict[str, Spoil] = {
    "unknown key of a file": lambda d: d.update(author="me"),
    "no text": lambda d: d.pop("text"),
    "unknown key of a passage": lambda d: _at(d, "passages", 0).update(rule=[]),
    "no Korean title": lambda d: _at(d, "passages", 0, "title").pop("ko"),
    "one line": lambda d: _at(d, "passages", 0, "locus").update(lines=[1]),
    "unknown key of a rule": lambda d: _at(d, *RULE).update(whn=1),
    "no quote": lambda d: _at(d, *RULE).pop("quote"),
    "quote of 17": lambda d: _at(d, *RULE).update(quote="一" * 17),
    "rule without then": lambda d: _at(d, *RULE).pop("then"),
    "key in capitals": lambda d: _at(d, *RULE).update(key="Def"),
    "unknown slot": lambda d: _at(d, *RULE, "when", 0, "x").update(genral="青龍"),
    "unknown relation in a list": lambda d: _at(d, *RULE, "when", 0, "x").update({"controls or beats": "stem"}),
    "no value": lambda d: _at(d, *RULE, "when", 0, "x").update(general=[]),
    "count without bounds": lambda d: _at(d, *RULE, "when", 4, "count").pop("at_least"),
    "bounds of some": lambda d: _at(d, *RULE, "when", 2, "some").update(at_least=2),
    "where without as": lambda d: _at(d, *RULE, "when", 2, "some").pop("as"),
    "variable of two letters": lambda d: _at(d, *RULE).update(each={"xx": "傳"}),
    "unknown conclusion": lambda d: _at(d, *RULE, "then").append({"veredict": {}}),
    "two conclusions in one": lambda d: _at(d, *RULE, "then", 0).update(vote="x"),
    "polarity": lambda d: _at(d, *RULE, "then", 3, "verdict").update(polarity="evil"),
    "verdict without Korean": lambda d: _at(d, *RULE, "then", 3, "verdict").pop("ko"),
    "modifier of two kinds": lambda d: _at(d, *RULE, "then", 4, "modifier").update(weakens="other"),
    "weight of none": lambda d: _at(d, *RULE, "then", 1).update(weight=0),
    "rows without columns": lambda d: _at(d, "passages", 0, "rules", 1).pop("columns"),
    "row that is no list": lambda d: _at(d, "passages", 0, "rules", 1, "rows").update(b="子"),
    "unknown key of an example": lambda d: _at(d, "passages", 0, "examples", 0).update(fire=["a"]),
    "unknown part of a question": lambda d: _at(d, "passages", 0, "examples", 0, "given").update(dya="甲子"),
    "note without words": lambda d: _at(d, "passages", 0, "notes", 0).pop("note"),
}


@pytest.mark.parametrize("kind", MISTAKES)
def test_a_planted_mistake_does_not_fit(kind: str) -> None:
    data = copy.deepcopy(parse_yaml(GOOD, "good.yaml"))
    MISTAKES[kind](data)
    assert errors(data)


def _keys(definition: dict[str, Any]) -> set[str]:
    assert definition["additionalProperties"] is False, "an object of the schema is open"
    return set(definition["properties"])


def test_keys_of_passages_rules_and_examples() -> None:
    passage = DEFS["passage"]["properties"]
    assert set(SCHEMA["properties"]) == {"text", "passages"}
    assert _keys(DEFS["passage"]) == set(passages.PASSAGE_KEYS)
    assert _keys(DEFS["rule"]) == set(passages.RULE_KEYS)
    assert _keys(DEFS["row"]) == set(passages.ROW_KEYS)
    assert _keys(DEFS["example"]) == set(passages.EXAMPLE_KEYS)
    crux = passage["readings"]["items"]
    assert _keys(crux) == set(passages.CRUX_KEYS)
    assert _keys(crux["properties"]["options"]["items"]) == set(passages.OPTION_KEYS)
    assert _keys(passage["emendations"]["items"]) == set(passages.EMENDATION_KEYS)
    for fate, keys in passages.CLAUSE_KEYS.items():
        assert _keys(passage[fate]["items"]) == set(keys)
    for words in (passage["title"], passage["notes"]["items"]["properties"]["note"]):
        assert _keys(words) == set(passages.LANGUAGES)


def test_keys_of_conclusions(lexicon: Lexicon) -> None:
    kinds = {d["required"][0]: d for d in DEFS["conclusion"]["oneOf"]}
    assert tuple(kinds) == conclude.KINDS
    for kind, keys in conclude.CONCLUSION_KEYS.items():
        assert _keys(kinds[kind]) == set(keys)
    for kind, keys in conclude.BODY_KEYS.items():
        more = set(lexicon.modifiers) if kind == "modifier" else set()
        assert _keys(kinds[kind]["properties"][kind]) == set(keys) | more


def test_forms_of_conditions() -> None:
    assert set(DEFS["condition"]["properties"]) == {*parser.FORMS, "told"}
    assert _keys(DEFS["counted"]) == set(parser.COUNT_KEYS)
    bounds = {"at_least", "at_most", "exactly"}
    assert _keys(DEFS["quantified"]) == set(parser.COUNT_KEYS) - bounds


def test_slots_and_relations() -> None:
    """What can be told is closed in told.yaml and open here."""
    slots = {*SLOTS, *LESSON_SLOTS, *PERSON_SLOTS}
    slots |= {name for record in RECORD_SLOTS.values() for name in record}
    assert _keys(DEFS["slots"]) == slots | set(RELATIONS) | {"pattern"}


def test_words_of_the_closed_lists(lexicon: Lexicon) -> None:
    kinds = {d["required"][0]: d for d in DEFS["conclusion"]["oneOf"]}
    polarity = kinds["verdict"]["properties"]["verdict"]["properties"]["polarity"]
    assert polarity["anyOf"][0]["enum"] == list(lexicon.polarities)
    assert kinds["measure"]["properties"]["unit"]["anyOf"][0]["enum"] == list(lexicon.units)


def test_keys_of_a_question() -> None:
    given = DEFS["example"]["properties"]["given"]
    assert _keys(given) == {*QUESTION_KEYS, *REQUEST_KEYS}
    assert _keys(given["properties"]["persons"]["additionalProperties"]) == set(PERSON_KEYS)


def test_every_field_is_described() -> None:
    def bare(at: str, definition: Any) -> list[str]:
        found = []
        for name, body in (definition.get("properties") or {}).items():
            if "description" not in body and "$ref" not in body:
                found.append(f"{at}.{name}")
            found += bare(f"{at}.{name}", body)
        return found

    assert [x for name, d in DEFS.items() for x in bare(name, d)] == []
