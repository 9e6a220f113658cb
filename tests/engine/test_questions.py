"""From what people write to a question: one mapping for options, files, examples and cases."""

from __future__ import annotations

from typing import Any

import pytest
from liuren.engine.language.scope import Lexicon
from liuren.engine.questions import build_request, find_topic, parse_lunar
from liuren.facts.errors import UserError
from liuren.facts.question import PersonInput

PILLARS = {"day": "甲子", "hour": "戌", "month_general": "卯"}


def test_everything_that_can_be_given(lexicon: Lexicon) -> None:
    request = build_request(
        {
            **PILLARS, "year": "子", "month": "丙戌", "term": "霜降", "lunar": "L4-1", "noble": "night",
            "born": 1975, "sex": "m", "natal": "卯", "annual": "午", "longitude": "127", "latitude": 37.5,
            "persons": {"wife": {"born": "1980", "sex": "여"}}, "told": {"duration": "long"},
            "doctrine": "xinjing", "set": {"shehai": "meng-zhong"}, "variants": {"xinjing.jieli:chain": "loose"},
            "topic": "disease", "place": None,
        },
        lexicon,
    )  # fmt: skip
    q = request.question
    assert (q.day, q.hour, q.month_general, q.year, q.month, q.term) == ("甲子", "戌", "卯", "子", "丙戌", "霜降")
    assert q.moment is None and q.place is None
    assert (q.lunar, q.noble, q.longitude, q.latitude) == ((4, 1, True), "夜", 127.0, 37.5)
    assert dict(q.persons) == {
        "querent": PersonInput(born=1975, sex="男", natal="卯", annual="午"),
        "wife": PersonInput(born=1980, sex="女"),
    }
    assert dict(q.told) == {"duration": "long"}
    assert (request.doctrine, request.topic) == ("xinjing", "illness")  # disease is another name of it
    assert dict(request.sets) == {"shehai": "meng-zhong"}
    assert dict(request.variants) == {"xinjing.jieli:chain": "loose"}


@pytest.mark.parametrize("sex", ["f", "female", "F", "女", "여"])
def test_sex(sex: str, lexicon: Lexicon) -> None:
    assert build_request({**PILLARS, "sex": sex}, lexicon).question.persons["querent"].sex == "女"


@pytest.mark.parametrize(
    ("text", "date"),
    [("1-15", (1, 15, False)), ("L4-1", (4, 1, True)), ("閏4-1", (4, 1, True)), ("윤12-30", (12, 30, True)), ("4-1L", (4, 1, True)), ([2, 3, True], (2, 3, True))],
)  # fmt: skip
def test_lunar(text: Any, date: tuple[int, int, bool]) -> None:
    assert parse_lunar(text) == date


@pytest.mark.parametrize("text", ["15", "0-1", "1-31", "13-1", "first", "1/15"])
def test_no_lunar_date(text: str) -> None:
    with pytest.raises(UserError, match=f"The lunar date «{text}»"):
        parse_lunar(text)


WRONG: dict[str, tuple[dict[str, Any], str]] = {
    "key": ({"dya": "甲子"}, "«dya» is no part of a question; did you mean day"),
    "person key": ({"persons": {"wife": {"age": 3}}}, "The person wife is given by born, sex, natal, annual"),
    "person that is none": ({"persons": {"wife": 1980}}, "The person wife"),
    "persons that are none": ({"persons": ["wife"]}, "`persons` maps roles"),
    "role": ({"persons": {"wyfe": {"born": 1980}}}, "«wyfe» is no role of a person; did you mean wife"),
    "told that is none": ({"told": "long"}, "`told` wants names with values"),
    "born": ({"born": "75er"}, "birth year «75er»"),
    "latitude": ({"latitude": 91}, "The latitude 91 is outside"),
    "longitude": ({"longitude": "east"}, "The longitude «east» is no number"),
}


@pytest.mark.parametrize("kind", WRONG)
def test_wrong(kind: str, lexicon: Lexicon) -> None:
    given, message = WRONG[kind]
    with pytest.raises(UserError) as error:
        build_request({**PILLARS, **given}, lexicon)
    assert message in str(error.value)


def test_topics_by_name_alias_and_nearest(lexicon: Lexicon) -> None:
    assert find_topic("illness", lexicon) == find_topic("sickness", lexicon) == "illness"
    with pytest.raises(UserError, match="«welth» is no topic; did you mean wealth"):
        find_topic("welth", lexicon)
    with pytest.raises(UserError, match="«zzz» is no topic; known: general, "):
        find_topic("zzz", lexicon)


def test_every_topic_hangs_under_general_and_no_alias_is_a_topic(lexicon: Lexicon) -> None:
    for topic in lexicon.topics:
        seen = [topic]
        while (parent := lexicon.topics[seen[-1]]) is not None:
            assert parent in lexicon.topics and parent not in seen
            seen.append(parent)
        assert seen[-1] == "general"
    assert not set(lexicon.aliases) & set(lexicon.topics)
