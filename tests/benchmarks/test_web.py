"""`benchmark web`: its pages answer, its ratios are of one request to one; the speed itself is asserted nowhere."""

import json
from pathlib import Path

import pytest

from benchmarks import web
from benchmarks.measure import Measured
from benchmarks.web import KEPT_TIMES, OWN_TIMES
from tests.live import Site

# As `bin/benchmark web --games 200 --json`, but that pages are asked for less often.
SMALL = """
import django; django.setup()
from benchmarks import command, web
web.OWN_TIMES, web.KEPT_TIMES = 1, 10
command.Command().run_from_argv("bin benchmark web --games 200 --json".split())
"""


@pytest.mark.slow
def test_every_page_is_measured_against_a_bare_view(tmp_path: Path) -> None:
    rows = json.loads(Site(tmp_path).run("-c", SMALL))["results"]
    assert [row["goal"] for row in rows] == [1.5, None, None, 0.05, None, 0.05, None]
    assert {row["against"] for row in rows} == {
        "a bare table of the same rows",
        "a bare Django view",
        "the leaderboard of 50 rows",
    }
    assert all(row["ratio"] > 0 for row in rows)


def test_without_a_secret_it_says_what_to_do(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("CLUB_SECRET_KEY", raising=False)
    (measured,) = web.measure_web(10)
    assert measured.ratio is None
    assert "CLUB_SECRET_KEY" in measured.note


def test_a_longer_run_is_told_by_the_request() -> None:
    twice_as_long = Measured("kept", "made", 2.0 * KEPT_TIMES / OWN_TIMES, 1.0, 1.0)
    assert web._many(twice_as_long).ratio == pytest.approx(2.0)
