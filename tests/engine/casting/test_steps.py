"""Every value has the step that made it, and every step its inputs and source."""

from __future__ import annotations

import json

import pytest
from liuren.engine.casting.json import chart_to_json
from liuren.facts.ganzhi import BRANCHES, SIXTY
from liuren.facts.question import PersonInput

FULL = {
    "year": "1984",
    "month": "寅",
    "term": "",
    "lunar": (1, 15, False),
    "persons": {"querent": PersonInput(born=1960, sex="男"), "wife": PersonInput(natal="丑")},
    "told": {"duration": "long"},
}
ALWAYS = [
    "pillar.day",
    "pillar.hour",
    "lodging",
    "plate",
    "lesson1",
    "lesson2",
    "lesson3",
    "lesson4",
    "method",
    "initial",
    "middle",
    "final",
    "noble.period",
    "noble",
    "generals",
    "void",
    "decade",
    "hidden",
    "build1",
    "build2",
    "relatives",
    "season",
    "strengths",
    "day_strengths",
    "growth",
    "yesterday",
    "moon",
    "month_general",
]
WITH_DATE = [
    "pillar.year",
    "pillar.month",
    "day.opens",
    "lunar",
    "mansion",
    "querent.natal",
    "querent.annual",
    "wife.natal",
    "wife.annual",
]


@pytest.fixture
def full(make):
    return make("甲子", "巳", "亥", **FULL)


def test_every_value_has_a_step(full):
    for id in (*ALWAYS, *WITH_DATE, "spirit.yima", "input.told.duration", "input.wife.natal"):
        assert id in full.steps
    for key in full.spirits:
        assert any(
            s.value == full.spirits[key] for i, s in full.steps.items() if i.startswith("spirit.")
        )
    assert full.steps["plate"].value == dict(zip(BRANCHES, full.plate, strict=True))
    assert full.steps["generals"].value == dict(full.general_of)


def test_steps_rest_on_earlier_steps_down_to_inputs(make):
    """On all 720 lessons, every input of a step is a step that stands before it."""
    for day in SIXTY:
        for offset in range(12):
            general = BRANCHES[offset]
            chart = make(day, "子", general, "xinjing")
            seen: set[str] = set()
            for id, step in chart.steps.items():
                assert id == step.id
                assert set(step.inputs) <= seen, (day, offset, id, step.inputs)
                seen.add(id)
                if step.kind == "step" and not step.needs:
                    assert step.inputs, id
                if step.kind == "option":
                    assert step.value == chart.doctrine[id.removeprefix("option.")]


# What each value is found from, as the art has it.
RESTS = {
    "plate": ("month_general", "pillar.hour"),
    "lodging": ("pillar.day",),
    "lesson1": ("lodging", "plate"),
    "lesson2": ("lesson1", "plate"),
    "lesson3": ("pillar.day", "plate"),
    "lesson4": ("lesson3", "plate"),
    "middle": ("initial", "plate"),
    "final": ("middle", "plate"),
    "noble": ("pillar.day", "noble.period", "plate", "option.noble", "option.noble_order"),
    "generals": ("noble",),
    "void": ("decade",),
    "build1": ("pillar.day",),
    "build2": ("pillar.hour",),
    "season": ("pillar.month",),
    "growth": ("option.earth",),
    "moon": ("mansion",),
    "spirit.yima": ("pillar.day",),
    "spirit.tianma": ("pillar.month",),
    "spirit.dashi": ("pillar.month", "option.spirit.dashi"),
    "querent.annual": ("pillar.year", "querent.natal", "input.querent.sex", "option.annual"),
}


@pytest.mark.parametrize("id", RESTS)
def test_what_a_step_rests_on(full, id):
    assert full.steps[id].inputs == RESTS[id]


def test_methods_are_known_and_sourced(data, full):
    for step in full.steps.values():
        if step.kind == "step":
            assert step.method in data.methods and step.source, step.id
    for key, words in data.methods.items():
        assert set(words) == {"zh", "ko", "en", "source"}, key
        assert all(words.values()), key


def test_why_the_initial_is_what_it_is(on_plate):
    """丁卯 offset 10: two 賊, both yin like 丁, so the deeper: 亥 five, 丑 one."""
    steps = on_plate("丁卯", 10).steps
    assert steps["method.candidates"].value == ["丑", "亥"]
    assert steps["method.candidates"].method == "candidates_lower"
    assert steps["method.matching"].value == ["丑", "亥"]
    assert {b: v["depth"] for b, v in steps["method.depth"].value.items()} == {"丑": 1, "亥": 5}
    assert steps["method"].inputs[0] == "method.depth"
    assert "method.tie" not in steps
    tied = on_plate("甲午", 2).steps["method.tie"]
    # 申 on 午 and 辰 on 寅, one each: 寅 is a 孟 seat.
    assert tied.value["chosen"] == "辰" and tied.method == "tie_meng"
    assert tied.value["seats"] == {"申": "午", "辰": "寅"}


def test_sources_of_the_texts_are_passages(full):
    """A source is `external` or the id of a passage of one of the four texts."""
    for step in full.steps.values():
        assert step.kind != "step" or step.source == "external" or step.source.split(".")[0] in (
            "primer", "xinjing", "quanheng")  # fmt: skip


def test_json(full):
    shown = json.loads(json.dumps(chart_to_json(full), ensure_ascii=False))
    assert list(shown) == [
        "pillars", "month_general", "doctrine", "plate", "generals", "noble", "lessons", "method",
        "transmissions", "void", "spirits", "persons", "steps",
    ]  # fmt: skip
    assert shown["pillars"] == {"year": "甲子", "month": "丙寅", "day": "甲子", "hour": "己巳"}
    assert shown["plate"]["巳"] == "亥"
    assert shown["method"] == {"name": "返吟", "head": "無依"}
    assert set(shown["lessons"][0]) == {"lower", "upper", "general", "relation"}
    assert shown["transmissions"][0] == {
        "branch": "寅", "general": "天后", "stem": "丙", "relative": "兄弟", "void": False, "strength": "旺",
    }  # fmt: skip
    assert shown["noble"] == {"branch": "丑", "earth": "未", "period": "晝", "direction": "逆"}
    assert shown["void"] == ["戌", "亥"]
    assert shown["persons"]["wife"] == {"sex": None, "age": None, "natal": "丑", "annual": None}
    assert all(
        set(s) == {"id", "kind", "value", "method", "inputs", "source"} for s in shown["steps"]
    )


def test_same_question_same_bytes(make):
    once = json.dumps(chart_to_json(make("甲子", "巳", "亥", **FULL)), ensure_ascii=False)
    again = json.dumps(chart_to_json(make("甲子", "巳", "亥", **FULL)), ensure_ascii=False)
    assert once == again


def test_simplified_input_is_the_same_chart(make):
    traditional = make("甲子", "巳", "戌", term="驚蟄", month="卯")
    simplified = make(" 甲子", "巳", "戌 ", term="惊蛰", month="夘")
    assert traditional.steps["day.opens"].value == simplified.steps["day.opens"].value == "驚蟄"
    assert str(simplified.pillars["month"]) == "卯"
