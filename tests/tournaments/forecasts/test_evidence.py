"""From a list's rated games to what the posterior is asked: nothing counts twice, nothing is made up."""

from collections.abc import Iterable, Mapping
from math import log, sqrt
from pathlib import Path

import pytest

from tests.tournaments.forecast.held_out import by_event, held_out, read_stream
from tournaments.forecast.posterior import Meeting, Outside, Plan, Prior
from tournaments.forecasts.evidence import COMMON, NEW, SETTLED, UNKNOWN, Evidence, Known, Rated, evidence_of, prior_of

ADA, BO, CLEO, DAG = 1, 2, 3, 4
NOW = {ADA: Known(1700.0, 40), BO: Known(1600.0, 12), CLEO: Known(1450.0, 60)}


def rated(white: int, black: int, score: float, own: float | None = 1500.0, other: float | None = 1500.0) -> Rated:
    return Rated(white, black, score, Known(own, 50), Known(other, 50))


def evidence(games: Iterable[Rated], now: Mapping[int, Known] = NOW) -> Evidence:
    return evidence_of([BO, ADA], games, now)


def test_games_of_the_field_are_meetings_and_others_are_held_at_their_present_rating() -> None:
    found = evidence([rated(ADA, BO, 1.0), rated(CLEO, ADA, 0.0), rated(BO, CLEO, 0.5)])
    assert found.meetings == (Meeting(ADA, BO, 1.0),)
    assert found.outside == (Outside(ADA, 1450.0, 1.0), Outside(BO, 1450.0, 0.5))
    assert found.games == {ADA: 2, BO: 2}


def test_the_prior_is_what_stood_before_the_first_game_that_counts_or_stands_now() -> None:
    games = [rated(ADA, CLEO, 1.0, 1550.0), rated(BO, ADA, 0.0, 1620.0, 1560.0), rated(ADA, BO, 1.0, 1570.0, 1610.0)]
    assert evidence(games).priors == {ADA: Prior(1550.0, SETTLED), BO: Prior(1620.0, SETTLED)}
    assert evidence([]).priors[ADA] == Prior(1700.0, SETTLED)
    assert evidence([], {}).priors == {ADA: Prior(COMMON, NEW), BO: Prior(COMMON, NEW)}
    assert list(evidence([rated(ADA, BO, 1.0)]).priors) == [BO, ADA]


def test_outsiders_without_a_rating_are_left_out_and_so_is_the_rating_before() -> None:
    """The game does not count, so the rating after it is where the games that count begin."""
    found = evidence([rated(ADA, DAG, 1.0, 1400.0), rated(ADA, CLEO, 1.0, 1440.0)], NOW | {DAG: UNKNOWN})
    assert found.outside == (Outside(ADA, 1450.0, 1.0),)
    assert (found.priors[ADA].mean, found.games[ADA]) == (1440.0, 1)
    found = evidence([rated(CLEO, DAG, 1.0)])
    assert (found.meetings, found.outside) == ((), ())


def test_a_rated_players_game_that_moved_nothing_leaves_his_rating_to_the_next() -> None:
    """FIDE: against somebody unrated. His rating before it stands in the next row that has one, or is the present."""
    silent = rated(ADA, BO, 1.0, None, None)
    assert evidence([silent, rated(ADA, CLEO, 1.0, 1710.0)]).priors[ADA].mean == 1710.0
    assert evidence([silent]).priors[ADA].mean == 1700.0
    newcomer = Rated(ADA, CLEO, 1.0, UNKNOWN, Known(1450.0, 60))
    assert evidence([newcomer, rated(ADA, CLEO, 1.0, 1710.0)]).priors[ADA] == Prior(COMMON, NEW)
    game = Rated(ADA, CLEO, 1.0, UNKNOWN, Known(1450.0, 60))
    assert evidence([game]).priors[ADA] == Prior(COMMON, NEW)


# --- how far off a rating may be ------------------------------------------------------------------------------------
def test_the_deviation_falls_as_glickos_does_down_to_a_floor() -> None:
    """1/RD² grows by q² E (1 − E) a game; at a fifth, from 350: 10 games make 116, 30 make 69."""
    assert prior_of(Known(1500.0, 0)).deviation == pytest.approx(350.0)
    q = log(10) / 400
    assert prior_of(Known(1500.0, 10)).deviation == pytest.approx(1 / sqrt(1 / 350**2 + 10 * q * q * 0.2))
    assert prior_of(Known(1500.0, 10)).deviation == pytest.approx(115.9, abs=0.1)
    widths = [prior_of(Known(1500.0, games)).deviation for games in (0, 1, 5, 10, 30, 1000)]
    assert widths == sorted(widths, reverse=True)
    assert widths[-1] == SETTLED
    assert prior_of(Known(1800.0, 0, 140.0)) == Prior(1800.0, 140.0)
    assert prior_of(Known(1800.0, 0, 31.0)) == Prior(1800.0, SETTLED)


@pytest.mark.extended
@pytest.mark.real_data
def test_real_events_are_told_better_than_by_the_ratings_alone(real_data: Path) -> None:
    """The club's twelve events of the second half, from all games before each; a coin's loss is 0.6931."""
    found = held_out(
        read_stream(real_data / "streams" / "club_games_2024.csv", by_event),
        years=1,
        plan=Plan(warm_up=60, kept=30, apart=1),
    )
    assert (found.games, found.events) == (1029, 12)
    assert found.posterior < found.ratings - 0.01
    assert found.posterior < found.means - 0.01  # what is not known has to be carried through
    assert found.ratings < 0.6931
