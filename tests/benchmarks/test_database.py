"""`benchmark database`: every piece of work is measured against its floor and in a smaller club, and is done with as
many questions in both; how fast it is is asserted nowhere."""

import json
from pathlib import Path

import pytest

from benchmarks import federation
from benchmarks.federation import DISK, MADE, OVER_ITS_FLOOR, RATED, Taken, Work
from benchmarks.measure import Measured
from tests.live import Site

WORKS = 10  # of them one grows with the club
# As `bin/benchmark database --players 300 --games 2500 --json`, but that pages are asked for less often.
SMALL = """
import django; django.setup()
from benchmarks import command, federation
federation.FEW, federation.MANY = 1, 2
command.Command().run_from_argv("bin benchmark database --players 300 --games 2500 --json".split())
"""


@pytest.mark.slow
def test_all_work_is_measured_in_two_clubs(tmp_path: Path) -> None:
    values = json.loads(Site(tmp_path).run("-c", SMALL))
    assert (values["benchmark"], values["players"], values["games"]) == ("database", 300, 2500)
    rows = values["results"]
    asked = [row for row in rows if row["what"].startswith("queries of")]
    slopes = [row for row in rows if row["what"].endswith(OVER_ITS_FLOOR)]
    assert len(slopes) == WORKS
    assert [row["goal"] for row in slopes].count(None) == 1
    assert all(row["ratio"] > 0 for row in rows if row["ratio"] is not None)
    # A front page looks for newcomers once more where the last games are not all.
    more = [row["what"] for row in asked if row["ratio"] > 1]
    assert all("front page" in what for what in more), more
    last = [row["what"].partition(" (")[0] for row in rows[-5:]]
    assert last == [
        "resident size after 2 rounds of all pages",
        DISK,
        MADE,
        RATED,
        "a worker's own memory at its highest",
    ]
    assert all(row["ratio"] is None or row["ratio"] > 0 for row in rows[-5:])


def test_without_a_secret_it_says_what_to_do(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("CLUB_SECRET_KEY", raising=False)
    (measured,) = federation.measure_federation(100, 1000)
    assert measured.ratio is None
    assert "CLUB_SECRET_KEY" in measured.note


def taken(ratio: float, queries: int, *, grows: bool = False) -> Taken:
    work = Work("work", lambda: None, "a floor", lambda: None, grows=grows)
    return Taken(work, Measured("work", "a floor", ratio, ratio, 1.0), queries)


def test_a_slope_is_work_over_floor_over_the_small_clubs() -> None:
    own, slope, queries = federation._told(taken(2.0, 5), taken(6.0, 10), "many")
    assert (own.what, own.ratio) == ("work (many)", 6.0)
    assert (slope.ratio, slope.met) == (3.0, False)
    assert (queries.ratio, queries.met) == (2.0, False)


def test_what_has_to_grow_has_no_goal() -> None:
    _own, slope = federation._told(taken(2.0, 5, grows=True), taken(4.0, 9, grows=True), "many")
    assert (slope.ratio, slope.met) == (2.0, None)
