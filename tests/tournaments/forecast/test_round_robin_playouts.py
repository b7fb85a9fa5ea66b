"""Where a round robin may end: as going through every ending by hand finds, and as the standings rank it."""

from dataclasses import replace

import numpy
import pytest
from hypothesis import given

from tests.tournaments.forecast.playing_cases import adds_up, by_every_ending, known, near, quiet, rng, unsure
from tests.tournaments.forecast.test_outcomes import CODES, event, running
from tournaments.forecast import round_robin_playouts
from tournaments.forecast.outcomes import Running
from tournaments.forecast.outlook import EXACT, SAMPLED, Outlook, Strengths
from tournaments.forecast.round_robin_playouts import play_round_robin
from tournaments.standings.crosstable import Bye
from tournaments.standings.points import POINT_SYSTEMS
from tournaments.standings.tiebreaks import tiebreaks_of

FOUR = unsure(1700, 1600, 1550, 1400)
each_points = pytest.mark.parametrize("points", [system.key for system in POINT_SYSTEMS])


def played(one: Running, strengths: Strengths = FOUR, samples: int = 4000) -> Outlook:
    return play_round_robin(one, strengths, samples, rng(), quiet)


def sampled(one: Running, monkeypatch: pytest.MonkeyPatch, samples: int = 4000) -> Outlook:
    monkeypatch.setattr(round_robin_playouts, "MOST_OUTCOMES", 0)
    return played(one, samples=samples)


@pytest.mark.extended
@given(one=running(to_come=3))
def test_exact_is_every_ending_gone_through(one: Running) -> None:
    places, points = by_every_ending(one, unsure(1700, 1600, 1550, 1400, draws=3))
    outlook = played(one, unsure(1700, 1600, 1550, 1400, draws=3))
    assert (outlook.method, outlook.samples) == (EXACT, 0)
    assert adds_up(outlook)
    for at, player in enumerate(one.players):
        assert outlook.places[at].tolist() == pytest.approx(places[player])
        assert outlook.points is not None
        assert outlook.points[at] == pytest.approx(points[player])


@each_points
@pytest.mark.parametrize("codes", ["", "DE, SB, WIN"])
def test_other_points_are_gone_through_too(points: str, codes: str) -> None:
    one = event("1= =1 ..", codes, points)
    strengths = unsure(1700, 1600, 1550, 1400, draws=2)
    places, _points = by_every_ending(one, strengths)
    outlook = played(one, strengths)
    assert outlook.places == pytest.approx(numpy.array(list(places.values())))


@pytest.mark.extended
@each_points
@pytest.mark.parametrize("codes", CODES)
def test_sampled_agrees_with_exact(points: str, codes: str, monkeypatch: pytest.MonkeyPatch) -> None:
    one = event("1= .. ..", codes, points)
    exact = played(one)
    estimate = sampled(one, monkeypatch, 3000)
    assert adds_up(estimate)
    assert (exact.method, estimate.method, estimate.samples) == (EXACT, SAMPLED, 3000)
    assert near(estimate, exact.places, 3000)
    assert estimate.points is not None
    assert exact.points is not None
    assert estimate.points == pytest.approx(exact.points, abs=0.15)


def test_it_is_exact_up_to_so_many_endings_and_wants_a_sample_beyond(monkeypatch: pytest.MonkeyPatch) -> None:
    one = event("1= 0. ..", "")
    monkeypatch.setattr(round_robin_playouts, "MOST_OUTCOMES", 3**3)
    assert played(one, samples=0).method == EXACT
    monkeypatch.setattr(round_robin_playouts, "MOST_OUTCOMES", 3**3 - 1)
    assert played(one, samples=1).method == SAMPLED
    with pytest.raises(ValueError, match="at least once"):
        played(one, samples=0)


@pytest.mark.parametrize("codes", CODES)
def test_with_all_games_played_it_is_the_standings(codes: str) -> None:
    one = event("1= 01 =1", codes)
    outlook = played(one)
    for line in one.standings(one.table(one.meetings)):
        level = sum(other.place == line.place for other in one.standings(one.table(one.meetings)))
        chances = outlook.places[line.player - 1].tolist()
        assert chances == [1 / level if line.place <= place < line.place + level else 0 for place in range(1, 5)]


def test_who_left_stands_last_and_byes_count_as_in_the_standings() -> None:
    one = replace(event("11 .. .."), annulled=frozenset({3}))
    outlook = played(one, Strengths((1, 2, 4), known(1500, 1500, 1500).draws, 0.8))
    assert outlook.places[2] == pytest.approx([0.0, 0.0, 0.0, 1.0])
    assert adds_up(outlook)
    with pytest.raises(ValueError, match="how strong number 3 is"):
        played(event("11 .. .."), Strengths((1, 2, 4), known(1500, 1500, 1500).draws, 0.8))
    one = replace(event("11 11 .."), byes=(Bye(1, 4, 20),))
    assert played(one).places[3].tolist() == pytest.approx([1.0, 0.0, 0.0, 0.0])


def test_how_far_it_is_is_told_and_the_same_seed_say_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(round_robin_playouts, "AT_ONCE", 10)
    lines: list[tuple[int, int]] = []
    play_round_robin(event("11 1. ..", "DE"), FOUR, 50, rng(), lambda done, of: lines.append((done, of)))
    assert lines == [(10, 27), (20, 27), (27, 27)]
    one = event(".. .. ..", "DE, SB")
    assert (sampled(one, monkeypatch, 300).places == sampled(one, monkeypatch, 300).places).all()
    with pytest.raises(ValueError, match="at least once"):
        sampled(event(".. .. .."), monkeypatch, 0)


def test_tiebreaks_decide_where_points_do_not() -> None:
    """1 and 2 are level, 1 has beaten 2; with the drawing of lots nothing is shared."""
    one = event("11 11 ..", "DE")
    assert played(one).title(1) == pytest.approx(1.0), "whoever catches him he has beaten"
    assert played(replace(one, tiebreaks=tiebreaks_of("LOTS"))).title(1) < 1.0
