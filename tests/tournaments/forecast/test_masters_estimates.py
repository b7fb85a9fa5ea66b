"""Three ways to the same forecast, and errors that are what they say."""

from functools import cache
from itertools import product
from math import hypot, sqrt
from statistics import fmean, stdev

import pytest
from numpy.random import PCG64, Generator

from tests import ROOT
from tournaments.forecast.masters import MASTERS, MastersField, Record, Rule
from tournaments.forecast.masters_estimates import Forecast, exact, metropolis, monte_carlo

SAMPLES = {"mc": 20_000, "mh": 3_000}
BY = {"mc": monte_carlo, "mh": metropolis}
DOCUMENT = ROOT / "docs" / "algorithms" / "forecast-masters.md"
FIELDS = ("first", "top4", "station")


@cache
def forecast(rule: Rule, method: str) -> Forecast:
    return BY[method](MASTERS, rule, SAMPLES[method], Generator(PCG64(11)))


def column(found: Forecast, name: str) -> list[float]:
    return [getattr(each, name) for each in found.players]


# --- the three agree ----------------------------------------------------------------------------------------------
@pytest.mark.parametrize("rule", Rule)
def test_plain_and_chain_agree_within_their_errors(rule: Rule) -> None:
    plain, chain = forecast(rule, "mc"), forecast(rule, "mh")
    for asked, (one, other) in product(FIELDS, zip(plain.players, chain.players, strict=True)):
        reach = 4 * hypot(getattr(one, f"se_{asked}"), getattr(other, f"se_{asked}"))
        # What came once or never among thousands has an error no sample shows.
        assert abs(getattr(one, f"p_{asked}") - getattr(other, f"p_{asked}")) <= reach + 5 / SAMPLES["mh"]


@pytest.mark.parametrize("rule", Rule)
@pytest.mark.parametrize("method", BY)
def test_one_is_first_four_are_among_four_and_titles_are_the_exact_ones(rule: Rule, method: str) -> None:
    found = forecast(rule, method)
    for one, other in zip(found.players, exact(MASTERS, rule).players, strict=True):
        assert one.se_station is not None
        assert abs(one.p_station - other.p_station) <= 4 * one.se_station
    sums = [sum(column(found, f"p_{asked}")) for asked in FIELDS]
    assert sums == pytest.approx([1, 4, 1])
    for each in found.players:
        assert 0 <= (each.p_first or 0) <= (each.p_top4 or 0) <= 1
    assert tuple(column(found, "name")) == MASTERS.names


def test_only_titles_are_exact_and_the_documentation_shows_them() -> None:
    found = exact(MASTERS, Rule.SCORE_RATE)
    assert (found.samples, found.chain) == (None, None)
    assert {(each.p_first, each.p_top4, each.se_first, each.se_top4) for each in found.players} == {(None,) * 4}
    assert sum(column(found, "p_station")) == pytest.approx(1)
    titles = [column(exact(MASTERS, rule), "p_station") for rule in Rule]
    rows = [
        f"| {name} | " + " | ".join(f"{100 * each[player]:.2f}" for each in titles) + " |"
        for player, name in enumerate(MASTERS.names)
    ]
    header = "| P(a station), % | " + " | ".join(rule.value for rule in Rule) + " |"
    assert "\n".join([header, "|---|---|---|---|---|---|", *rows]) in DOCUMENT.read_text(encoding="utf-8")


def test_a_coin_after_a_draw_leaves_the_titles_as_they_are() -> None:
    """Who goes on is as likely as under the score rate; ratings move less."""
    titles = [column(exact(MASTERS, rule), "p_station") for rule in (Rule.DRAWS, Rule.SCORE_RATE)]
    assert titles[0] == pytest.approx(titles[1])
    changes = [forecast(rule, "mc").players[2].p_top4 for rule in (Rule.DRAWS, Rule.SCORE_RATE)]
    assert changes[0] > changes[1]


def test_equals_have_equal_forecasts_but_for_ties() -> None:
    field = MastersField(tuple("abcdefgh"), (2500,) * 8, {(0, 1): Record(3, 4, 3)})
    found = monte_carlo(field, Rule.SCORE_RATE, 20_000, Generator(PCG64(1)))
    for each in found.players:
        assert abs(each.p_station - 1 / 8) <= 4 * (each.se_station or 0)
    assert column(exact(field, Rule.SCORE_RATE), "p_station") == pytest.approx([1 / 8] * 8)


# --- errors -------------------------------------------------------------------------------------------------------
def test_plain_errors_are_the_binomial_s() -> None:
    for each in forecast(Rule.SCORE_RATE, "mc").players:
        assert each.p_first is not None
        assert each.se_first == pytest.approx(sqrt(each.p_first * (1 - each.p_first) / SAMPLES["mc"]))
        assert each.se_station == pytest.approx(sqrt(each.p_station * (1 - each.p_station) / (3 * SAMPLES["mc"])))


@pytest.mark.extended
def test_errors_of_the_chain_are_the_scatter_of_many_chains() -> None:
    """Twelve chains of their own: their estimates scatter as their errors say, on average."""
    runs = [metropolis(MASTERS, Rule.DECISIVE, 400, Generator(PCG64(seed))) for seed in range(12)]
    for player, asked in ((0, "first"), (1, "station"), (3, "top4")):
        seen = [
            (getattr(run.players[player], f"p_{asked}"), getattr(run.players[player], f"se_{asked}")) for run in runs
        ]
        scatter, said = stdev(found for found, _ in seen), fmean(wrong for _, wrong in seen)
        assert 0.55 < said / scatter < 1.8


@pytest.mark.parametrize("rule", Rule)
def test_samples_of_a_chain_are_worth_fewer_independent_ones(rule: Rule) -> None:
    chain = forecast(rule, "mh").chain
    assert chain is not None
    assert 0.2 < chain.accepted < 1
    for worth in (chain.effective_first, chain.effective_top4, chain.effective_station):
        assert SAMPLES["mh"] / 20 < worth <= SAMPLES["mh"]
    assert chain.effective_station < SAMPLES["mh"]
    assert forecast(rule, "mc").chain is None


# --- seeds, progress, refusals ------------------------------------------------------------------------------------
@pytest.mark.parametrize("method", BY)
def test_the_same_seed_gives_the_same_forecast_and_another_one_another(method: str) -> None:
    one, again, other = (BY[method](MASTERS, Rule.DRAWS, 200, Generator(PCG64(seed))) for seed in (3, 3, 4))
    assert one == again
    assert one != other


@pytest.mark.parametrize(("method", "samples"), [("mc", 45_000), ("mh", 203)])
def test_progress_rises_to_the_end(method: str, samples: int) -> None:
    lines: list[int] = []
    found = BY[method](MASTERS, Rule.RATING, samples, Generator(PCG64(1)), lines.append)
    assert lines == sorted(set(lines))
    assert (len(lines) > 2, lines[-1], found.samples) == (True, samples, samples)


def test_too_few_samples_are_refused() -> None:
    with pytest.raises(ValueError, match="at least one sample"):
        monte_carlo(MASTERS, Rule.RATING, 0, Generator(PCG64(1)))
    with pytest.raises(ValueError, match="at least four samples"):
        metropolis(MASTERS, Rule.RATING, 3, Generator(PCG64(1)))
    assert monte_carlo(MASTERS, Rule.RATING, 1, Generator(PCG64(1))).samples == 1
    assert metropolis(MASTERS, Rule.RATING, 4, Generator(PCG64(1))).samples == 4
