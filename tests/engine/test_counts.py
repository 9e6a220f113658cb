"""How many charts each choice changes, against counts made without this engine.

The comparison of five tables of the 720 lessons (tests/data/lessons720.csv names them) and the
rules themselves give the numbers; how each is reached stands beside it.
"""

from __future__ import annotations

import csv
from pathlib import Path

import pytest
from liuren.engine.counts import DOMAINS, FACETS, Count, Counter
from liuren.engine.data import load_knowledge
from liuren.facts.errors import UserError
from liuren.facts.ganzhi import BRANCHES, SIXTY, STEMS

DATA = load_knowledge()
TABLE = Path(__file__).parents[1] / "data" / "lessons720.csv"


@pytest.fixture(scope="module")
def counter() -> Counter:
    return Counter(DATA)


def rows() -> list[dict[str, str]]:
    lines = [x for x in TABLE.read_text(encoding="utf-8").splitlines() if not x.startswith("#")]
    return list(csv.DictReader(lines))


def lessons_that_part(one: str, other: str) -> int:
    return sum(1 for r in rows() if r[other] and r[other] != r[one])


def test_the_schools_of_shehai_as_the_tables_have_them(counter):
    """The columns of the table are three schools of 涉害 as others computed them."""
    for value, column in (("depth-seat", "depth_seat"), ("meng-zhong", "meng_zhong")):
        found = counter.count("shehai", value)
        assert found.shows["transmissions"] == lessons_that_part("depth_open", column) > 0
        assert (found.over, found.base) == ("lessons", 720)


@pytest.mark.parametrize(
    ("option", "value", "facet", "lessons"),
    [
        ("fuyin", "circle", "transmissions", 3),  # 丁卯 己卯 辛卯
        ("bieze", "above", "transmissions", 6),  # the yin days among the nine of 別責
        ("bazhuan", "yaoke-first", "transmissions", 7),  # xinjing.bazhuan_method: seven of the sixteen
        ("jinglan", "clash", "transmissions", 6),  # the six days of 返吟 without 克
        ("shehai_tie", "side", "transmissions", 1),  # 甲辰 offset 5
        ("earth", "fire", "spirits", 2 * 6 * 12),  # 戊 and 己 days have root and tomb of earth
    ],
)
def test_lessons_that_a_choice_changes(counter, option, value, facet, lessons):
    found = counter.count(option, value)
    assert (found.base, found.shows[facet], found.lessons) == (720, lessons, found.changed)


def test_a_lone_foot_flies(counter):
    """己未 offset 2 alone: always, or only with 行年 on 未, where 酉 stands."""
    fly, annual = counter.count("duzu", "fly"), counter.count("duzu", "annual")
    assert (fly.base, fly.changed, fly.lessons) == (720 * 12, 12, 1)
    assert (annual.base, annual.changed, annual.lessons) == (720 * 12, 1, 1)


@pytest.mark.parametrize(
    ("value", "stems"),
    [("sheep-ox", "甲戊庚"), ("horse-tiger", "庚"), ("stems", "甲乙丙辛壬")],
)
def test_tables_of_the_nobleman(counter, value, stems):
    """Six days of each stem whose pair differs, on twelve plates, by day and by night."""
    found = counter.count("noble", value)
    assert (found.base, found.changed) == (1440, len(stems) * 6 * 12 * 2)
    assert found.lessons == len(stems) * 6 * 12


def test_order_by_the_half_of_the_day(counter):
    """Of twelve plates the seat leads six times forward: half differ by day and half by night."""
    assert counter.count("noble_order", "half").changed == 60 * 6 * 2


def test_the_hours_of_day_and_night(counter):
    """寅 and 申 change sides: two hours of twelve, whose nobles always differ."""
    found = counter.count("day_night", "yin-shen")
    assert (found.base, found.changed, found.lessons) == (8640, 8640 // 6, 720)


def test_hidden_stems_reckoned_from_the_table(counter):
    """The stems of the printed transmissions by the decade and from the day's stem."""

    def by_decade(day: str, branch: str) -> str | None:
        head = SIXTY.index(day) // 10 * 10
        return next((p[0] for p in SIXTY[head : head + 10] if p[1] == branch), None)

    def by_day(day: str, branch: str) -> str:
        # 甲己 begin with 甲子, 乙庚 丙子, 丙辛 戊子, 丁壬 庚子, 戊癸 壬子.
        start = STEMS.index("甲丙戊庚壬"[STEMS.index(day[0]) % 5])
        return STEMS[(start + BRANCHES.index(branch)) % 10]

    # The default finds 卯子午 on the three days on which the table leaves a choice.
    parted = sum(
        any(by_decade(r["day"], b) != by_day(r["day"], b) for b in r["depth_open"]) for r in rows()
    )
    assert counter.count("hidden", "day").changed == parted


def test_months_of_earth_and_the_eleventh_moon(counter):
    """辰 戌 丑 未 are four months of twelve; month 11 moves by one mansion, but in the second day of
    the five doubled ones and where two follow each other nothing is seen to move."""
    assert counter.count("earth_months", "own").changed == 8640 // 3
    ring = "".join(x * 2 if x in "奎井張翼氐" else x for x in "室壁奎婁胃昴畢觜參井鬼柳星張翼軫角亢氐房心尾箕斗牛女虛危")
    dou, niu = ring.index("斗"), ring.index("牛")
    moved = sum(ring[(dou + n) % len(ring)] != ring[(niu + n) % len(ring)] for n in range(30))
    assert counter.count("moon_eleventh", "niu").shows["mansion"] == moved


def test_day_that_begins_at_midnight(counter):
    """The hour from 23:00 to 0:00 belongs to the day before: one moment in twenty-four."""
    found = counter.count("day_starts", "0")
    assert found.lessons is None and found.shows["hour"] == 0
    assert found.changed / found.base == pytest.approx(1 / 24, rel=0.02)


def test_years_from_the_new_moon(counter):
    """2026: 立春 on 4 February, the first of lunar month 1 on 17 February (13.0 days of 365)."""
    found = counter.count("annual", "new-year")
    assert found.changed / found.base == pytest.approx(12.8 / 365, rel=0.05)


def test_spirits_are_counted_in_themselves(counter):
    """皇恩 of 六壬大全 is elsewhere in ten months of twelve: 酉 in month 7 … agree in two."""
    common, daquan = "未酉亥丑卯巳未酉亥丑卯巳", "戌丑辰未卯酉子午亥寅巳申"
    months = sum(a != b for a, b in zip(common, daquan, strict=True))
    found = counter.count("spirit.huangen", "daquan")
    assert (found.base, found.changed) == (720, months * 60)


def test_every_option_says_how_it_is_counted(counter):
    for option, spec in DATA.doctrines["options"].items():
        for entry in (spec, *spec["values"].values()):
            if "counted" in entry:
                assert entry["counted"]["over"] in DOMAINS
                assert set(entry["counted"]["shows"]) <= set(FACETS), option
        assert "counted" in spec, option


def test_the_sizes_of_what_is_counted_over():
    sizes = {name: sum(1 for _ in made(DATA)) for name, made in DOMAINS.items() if name != "moments"}
    assert sizes == {
        "lessons": 720, "day-night": 1440, "hours": 8640, "months": 8640, "annuals": 8640,
        "month-days": 720, "lunar-days": 360,
    }  # fmt: skip


def test_an_unknown_choice(counter):
    with pytest.raises(UserError, match="Unknown value of fuyin"):
        counter.count("fuyin", "square")


def test_choices_are_all_values_but_the_defaults(counter):
    choices = counter.choices()
    assert ("fuyin", "circle") in choices and ("fuyin", "clash") not in choices
    assert ("spirit.dashi", "xinjing") in choices
    assert isinstance(counter.count("fuyin", "circle"), Count)
