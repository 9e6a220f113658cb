"""``liuren calendar differences``."""

from __future__ import annotations


def test_korean_new_year_of_1997(run):
    """설날 fell on 8 February, a day after China's: the new moon was at 23:06 in Beijing."""
    found = run("calendar", "differences", "--from", "1997-02", "--to", "1997-02", "--json").json
    assert (found["from"], found["to"], found["total"]) == ("1997-02-01", "1997-02-28", 1)
    (month,) = found["months"]
    assert month["china"] == {"begins": "1997-02-07", "month": 1, "leap": False, "length": 30}
    assert month["korea"]["begins"] == "1997-02-08"
    assert (month["first"], month["last"]) == ("1997-02-07", "1997-03-08")


def test_the_whole_span_as_text(run):
    """66 months of 1900 to 2050 begin on different days or bear different numbers."""
    lines = run("calendar", "differences", "--from", "1900", "--to", "2050").out.splitlines()
    assert lines[0].split() == ["China", "lunar", "month", "Korea", "lunar", "month"]
    assert "1997-02-07" in "\n".join(lines) and "leap month 4" in "\n".join(lines)
    assert lines[-1] == f"{len(lines) - 2} months differ"


def test_a_span_out_of_order_is_refused(run):
    told = run("calendar", "differences", "--from", "2012", "--to", "2011")
    assert told.status == 2
    assert told.err == "liuren: The span begins on 2012-01-01, after its end on 2011-12-31.\n"


def test_years_outside_the_calendar_are_refused(run):
    told = run("calendar", "differences", "--from", "500", "--to", "700")
    assert told.status == 2 and "600 to 2200" in told.err
