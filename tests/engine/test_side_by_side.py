"""What changes between two readings, who else speaks, and the order of weight."""

from __future__ import annotations

from liuren.engine.compare import compare, first_change
from liuren.engine.language.conclusions import Verdict
from liuren.engine.library import Library
from liuren.engine.questions import build_request
from liuren.engine.reading import Reading, read
from liuren.engine.weigh import FALLEN, clashes, text_grounds, weigh
from liuren.engine.whoelse import definitions, grounds, voices


def reading(library: Library, **given: object) -> Reading:
    return read(build_request(given, library.kb.lexicon), library)


def test_nothing_changes_between_equal_questions(library: Library) -> None:
    given = {"day": "甲子", "hour": "戌", "month_general": "卯"}
    assert list(compare(reading(library, **given), reading(library, **given))) == []


def test_gained_and_lost_are_what_the_readings_say(library: Library) -> None:
    before = reading(library, day="甲子", hour="戌", month_general="卯")
    after = reading(library, day="甲子", hour="午", month_general="卯")
    found = [d for d in compare(before, after) if d.kind == "verdict"]
    ids = [{s.conclusion.id for s in r.said(Verdict)} for r in (before, after)]
    assert {d.what for d in found if d.after and not d.before} == ids[1] - ids[0]
    assert {d.what for d in found if d.before and not d.after} == ids[0] - ids[1]
    assert found


def test_the_cause_is_a_condition_that_turned(library: Library) -> None:
    # 甲子 hour 戌 general 卯: initial 子 with 青龍 (五要權衡 prints this chart).
    # At hour 午 the plate turns by nine: 午卯子, initial 午 (六壬大全 prints it, DQ1).
    before = reading(library, day="甲子", hour="戌", month_general="卯")
    after = reading(library, day="甲子", hour="午", month_general="卯")
    lost = {d.what: d for d in compare(before, after) if d.kind == "measure"}
    water = lost["measure primer.ying-qi.numbers/1"]
    assert water.cause == ("initial.element=水", "水", "火")
    assert water.root == ("input.hour", "戌", "午")
    assert first_change(before.texts["primer"], after.texts["primer"]) == ("input.hour", "戌", "午")


def test_definitions_of_one_name_in_two_texts(library: Library) -> None:
    # 內戰 is branch against general in both works, by names that are exchanged.
    # 甲子 hour 巳 general 酉: 玄武 (water) on the initial 辰 (earth): 內戰 (五要權衡 says so).
    here = reading(library, day="甲子", hour="巳", month_general="酉")
    found = {d.rule.text: d for d in definitions("內戰", here) if d.awake}
    assert {"primer", "quanheng"} <= set(found)
    assert found["primer"].fires is True
    assert found["quanheng"].fires is True


def test_voices_rest_on_shared_facts(library: Library) -> None:
    here = reading(library, moment="2026-11-30T14:20+09:00", born=1975, sex="m")
    heard = 0
    for said in here.said(Verdict):
        mine = grounds(said, here.texts[said.rule.text])
        for voice in voices(said, here):
            theirs = grounds(voice.said, here.texts[voice.said.rule.text])
            assert voice.shared and all(k in mine and k in theirs for k in voice.shared)
            pair = {said.conclusion.polarity, voice.said.conclusion.polarity}
            assert voice.agrees is (True if len(pair) == 1 else False if pair == {"good", "bad"} else None)
            heard += 1
    assert heard


def test_weight_follows_the_grounds_of_the_text(library: Library) -> None:
    here = reading(library, moment="2026-11-30T14:20+09:00", born=1975, sex="m", topic="office")
    weighed = weigh(here)
    assert {w.said.conclusion.id for w in weighed} == {s.conclusion.id for s in here.said(Verdict)}
    for text in here.texts:
        own = [w for w in weighed if w.said.rule.text == text]
        order = [(w.standing.state in FALLEN, w.ground.rank) for w in own]
        assert order == sorted(order)


def test_annual_and_natal_come_first_in_the_primer(library: Library) -> None:
    # primer.wu-yao.weigh: 決以年命上神吉凶如何; primer.san-chuan.roles: 而所宗都乃初耳.
    assert [g.id for g in text_grounds("primer")][:2] == ["annual_natal", "initial"]
    here = reading(library, moment="2026-11-30T14:20+09:00", born=1975, sex="m")
    ranks = {w.said.rule.id: w.ground.id for w in weigh(here)}
    assert {g for id, g in ranks.items() if id.startswith("primer.nian-ming.upper/")} == {"annual_natal"}
    assert {g for id, g in ranks.items() if id.startswith("primer.fa-yong.generals/")} == {"initial"}


def test_grounds_name_passages_that_exist(library: Library) -> None:
    for text in library.kb.texts:
        for ground in text_grounds(text):
            assert ground.why == "external" or ground.why in library.kb.passages


def test_clashes_set_good_against_bad(library: Library) -> None:
    here = reading(library, moment="2026-11-30T14:20+09:00", born=1975, sex="m")
    weighed = weigh(here)
    polarity = {w.said.conclusion.id: (w.said.conclusion.polarity, w.standing.state) for w in weighed}
    for clash in clashes(weighed, here):
        for id in clash.good:
            assert polarity[id] == ("bad", "reversed") or polarity[id][0] == "good"
        for id in clash.bad:
            assert polarity[id] == ("good", "reversed") or polarity[id][0] == "bad"
        assert not {polarity[i][1] for i in (*clash.good, *clash.bad)} & set(FALLEN)


def test_the_hour_is_a_ground_of_its_own(library: Library) -> None:
    # 己未, hour 子: 子 harms 未, the day branch and the palace of 己 (六害), so both harms of the
    # hour hold; primer.wu-yao.weigh says of them 又參以正時.
    here = reading(library, day="己未", hour="子", month_general="午")
    ranks = {w.said.rule.id: w.ground.id for w in weigh(here)}
    found = {id: g for id, g in ranks.items() if id.startswith("primer.wu-yao.weigh/hour-harm-")}
    assert found and set(found.values()) == {"hour"}
