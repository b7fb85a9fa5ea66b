"""The benchmark of forecasts: its loops, in Python and in C, play the very model that is forecast."""

import numpy
import pytest

from benchmarks import c_study, playouts
from benchmarks.measure import Measured, Run
from benchmarks.playouts import (
    bare_round_robin,
    bare_swiss,
    c_round_robin,
    measure_playouts,
    round_robin,
    rows_of,
    swiss,
)
from tests.tournaments.forecast.playing_cases import adds_up, near

SAMPLES = 3000
needs_c = pytest.mark.skipif(c_study.compiler() is None, reason="no C compiler")


def run_once(what: str, run: Run, against: str, baseline: Run, *, rounds: int) -> Measured:
    """A comparison that takes no time: both are run, once."""
    run()
    baseline()
    return Measured(what, against, 1.0, 1.0, 1.0)


@pytest.fixture
def short(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(playouts, "ROUND_ROBIN", 40)
    monkeypatch.setattr(playouts, "SWISS", 4)
    monkeypatch.setattr(playouts, "compare", run_once)


def rolls(samples: int, players: int) -> numpy.ndarray:
    return numpy.random.Generator(numpy.random.PCG64(3)).random(samples * (players * (players - 1) // 2 + players))


@needs_c
def test_c_and_python_count_the_same_places() -> None:
    strengths = rows_of(6)
    numbers = rolls(500, 6)
    c = c_round_robin(strengths, 500, numbers)
    assert c is not None
    assert c() == bare_round_robin(strengths.draws.tolist(), 500, iter(numbers.tolist()).__next__)


def test_the_loop_finds_what_the_forecast_finds(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(playouts, "ROUND_ROBIN", SAMPLES)
    strengths = rows_of(6)
    bare = bare_round_robin(strengths.draws.tolist(), SAMPLES, numpy.random.Generator(numpy.random.PCG64(5)).random)
    outlook = round_robin(strengths, "")()
    # Both are sampled: their difference has twice the variance, and lots part those who share.
    assert near(outlook, numpy.array(bare) / SAMPLES, SAMPLES // 2)


def test_the_loop_of_the_swiss_deals_out_every_place() -> None:
    places = numpy.array(bare_swiss(rows_of(8).draws.tolist()[:50], 50, 3, numpy.random.default_rng(5).random))
    assert (places.sum(axis=0) == 50).all()
    assert (places.sum(axis=1) == 50).all()


@pytest.mark.usefixtures("short")
def test_ours_is_a_forecast_and_what_is_measured() -> None:
    assert adds_up(round_robin(rows_of(8), "DE, SB")())
    assert adds_up(swiss(rows_of(20), "BH")())
    lines = [(each.what, each.against) for each in measure_playouts()]
    assert [what.split(",")[0] for what, _against in lines] == ["40 playouts of a round robin of 8"] * 3 + [
        "4 playouts of a Swiss of 32"
    ] * 2
    assert [against for _what, against in lines].count(playouts.C_LOOP) == 1


@pytest.mark.usefixtures("short")
def test_without_a_compiler_that_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(c_study, "which", lambda name: None)
    assert [each.note for each in measure_playouts() if each.ratio is None] == ["no C compiler"]
