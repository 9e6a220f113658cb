"""本命 and 行年 against the worked ages of 心鏡."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from liuren.facts.errors import UserError
from liuren.facts.question import PersonInput


def person(make, told, role="querent", **fields):
    return make("甲子", "巳", "亥", persons={role: told}, **fields).persons[role]


# xinjing.wangyun and deyun_case_b; man of 1 on 丙寅, woman of 1 on 壬申 by the rule itself.
@pytest.mark.parametrize(
    ("sex", "age", "annual"),
    [
        ("男", 37, "壬寅"), ("女", 27, "丙午"), ("男", 39, "甲辰"), ("女", 34, "己亥"),
        ("男", 1, "丙寅"), ("女", 1, "壬申"), ("男", 59, "甲子"), ("女", 24, "己酉"),
        ("男", 61, "丙寅"),
    ],
)  # fmt: skip
def test_annual_by_age(make, sex, age, annual):
    year = 2000
    found = person(make, PersonInput(born=year - age + 1, sex=sex), year=str(year))
    assert str(found.annual) == annual and found.age == age


def test_branches_alone_give_the_branch(make):
    whole = person(make, PersonInput(born=1960, sex="女"), year="1984")
    assert str(whole.natal) == "庚子"
    bare = person(make, PersonInput(natal="子", sex="女"), year="子")
    assert bare.annual.stem is None and bare.annual.branch == whole.annual.branch
    assert bare.age is None
    # A whole ganzhi on both sides gives the stem too.
    assert person(make, PersonInput(natal="庚子", sex="女"), year="甲子").annual == whole.annual


def test_the_age_needs_a_year_by_number(make):
    told = PersonInput(born=1960, sex="男")
    assert person(make, told, year="甲子").age is None
    moment = datetime(1985, 1, 5, tzinfo=UTC)
    # Before 立春 the year is still 甲子, which was 1984.
    assert person(make, told, year="甲子", moment=moment).age == 25


def test_told_outright_wins(make):
    found = person(make, PersonInput(born=1960, sex="男", annual="申"), year="1984")
    assert str(found.annual) == "申"


def test_what_is_missing_is_named(make):
    chart = make("甲子", "巳", "亥", persons={"wife": PersonInput(born=1960)})
    step = chart.steps["wife.annual"]
    assert step.value is None and step.needs == ("wife.sex", "year")
    assert chart.persons["wife"].annual.branch is None
    nobody = make("甲子", "巳", "亥", persons={"wife": PersonInput()})
    assert nobody.steps["wife.natal"].needs == ("wife.born",)


@pytest.mark.parametrize(
    ("told", "said"),
    [
        (PersonInput(born=1990, sex="男"), "born in 1990, after the year asked about"),
        (PersonInput(sex="x"), "neither 男 nor 女"),
        (PersonInput(born=1960, natal="丑"), "contradicts the birth year 1960, which is 庚子"),
        (PersonInput(natal="甲丑"), "Natal branch of querent 甲丑"),
        (PersonInput(annual="猫"), "is not a branch"),
    ],
)
def test_mistakes(make, told, said):
    with pytest.raises(UserError, match=said):
        person(make, told, year="1984")


def test_annual_moves_one_place_a_year(make):
    for sex, way in (("男", 1), ("女", -1)):
        before = None
        for year in range(1984, 2044):
            annual = str(person(make, PersonInput(born=1984, sex=sex), year=str(year)).annual)
            if before is not None:
                from liuren.facts.ganzhi import SIXTY_INDEX

                assert (SIXTY_INDEX[annual] - SIXTY_INDEX[before]) % 60 == way % 60
            before = annual
