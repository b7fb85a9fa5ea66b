"""The page of the study's findings: every claim with its verdict in words, figures with their bands, no query."""

import json
from pathlib import Path
from typing import Any

import pytest
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from players.models import Club
from ratings.lab.claims import CLAIMS
from ratings.lab.rules import Verdict, below, ratio, value
from ratings.lab_pages.charts import RESULTS
from ratings.lab_pages.views.findings import STRIP, VERDICTS, bounds, compared, decimals_for, finding, line, strip

pytestmark = pytest.mark.django_db
FIGURE = {
    "mean": -10.5, "sd": 3.0, "se": 0.5, "replications": 40, "share": 0.975, "low": None, "high": 0.0, "passes": True,
}  # fmt: skip


def test_every_claim_stands_there_with_its_verdict(client: Client, club: Club) -> None:
    page = client.get("/lab/findings/").text
    document: dict[str, Any] = json.loads((Path(RESULTS) / "findings.json").read_text(encoding="utf-8"))
    for each in document["claims"]:
        assert f'id="{each["key"]}"' in page
    for verdict, (mark, _look, words) in VERDICTS.items():
        found = sum(each["verdict"] == verdict for each in document["claims"])
        assert page.count(f'<span aria-hidden="true">{mark}</span> {words}</span></summary>') == found
    assert document["made_by"] in page


def test_the_page_asks_the_database_nothing_of_its_own(
    club: Club, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    client = Client()
    client.get("/lab/findings/")
    with django_assert_max_num_queries(2):  # the club's own record, on every page
        assert client.get("/lab/findings/").status_code == 200


@pytest.mark.parametrize("verdict", list(Verdict))
def test_each_verdict_has_a_mark_and_words(verdict: Verdict) -> None:
    """And the reason is told only beside the verdict it belongs to."""
    claim = next(each for each in CLAIMS if each.key == "inflation")
    found = finding(claim, {"key": claim.key, "verdict": str(verdict), "figures": {}})
    assert (found.mark, found.look, found.verdict) == VERDICTS[verdict]
    assert bool(found.because) == (verdict == Verdict.FAILS)
    assert len({mark for mark, _, _ in VERDICTS.values()}) == len(VERDICTS)


def test_a_line_says_who_is_compared_by_how_much_and_in_how_many_runs() -> None:
    found = line(below("1", "elo", "league kd"), FIGURE)
    assert found.compared == "Elo < League, KD"
    assert (found.mean, found.band, found.asked) == ("−10.5", "1.0", "< 0")
    assert (found.share, found.replications, found.passes) == (98, 40, True)
    assert line(ratio("2", "league", "elo"), FIGURE | {"mean": 2.5, "se": 0.002, "high": None}).band == "0.004"
    assert compared(ratio("2", "league", "glicko")) == "League : Glicko-1"
    assert compared(value("2", "solo-zerg-4000")) == "Solo-Zerg 4000"
    assert compared(ratio("kind-2", "r2", "r2", right_figure="2")) == "R2"


def test_bounds_are_said_in_signs_and_small_figures_with_more_decimals() -> None:
    for low, high, said in ((None, None, ""), (None, 0.0, "< 0"), (None, 1.25, "≤ 1.25"), (2.0, None, "≥ 2.00")):
        assert bounds(low, high, 2) == said
    assert bounds(0.95, 1.05, 2) == "0.95 … 1.05"
    assert [decimals_for(each) for each in (0.07, 1.4, 84.2)] == [3, 2, 1]
    assert decimals_for(-120.0, 0.95) == 2


def test_a_strip_lies_on_its_drawing_and_in_order_and_one_without_spread_too() -> None:
    drawn = strip(FIGURE)
    assert drawn.asked is not None
    assert 0.0 == drawn.asked[0] < drawn.spread[0] < drawn.band[0] < drawn.mean < drawn.band[1] < drawn.spread[1]
    assert drawn.spread[1] < drawn.asked[1] <= STRIP
    assert strip(FIGURE | {"passes": None, "high": None}).asked is None
    drawn = strip({"mean": 1.0, "sd": 0.0, "se": 0.0, "low": None, "high": None, "passes": None})
    assert drawn.spread == drawn.band == (drawn.mean, drawn.mean)
    assert drawn.asked_width == 0.0
