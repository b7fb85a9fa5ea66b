"""Metropolis–Hastings: when a candidate is taken, what a move may change, and that chances come out right."""

from itertools import permutations, product

import numpy
import pytest
from numpy.random import PCG64, Generator

from tournaments.forecast.masters import MASTERS, Chances, MastersField, Rule, by_rating, chances
from tournaments.forecast.masters_chain import (
    DRAWN_ON,
    DRAWN_OUT,
    LOST,
    MOVES,
    STATIONS,
    WON,
    Chain,
    Floats,
    Move,
    Station,
    outcome_table,
)

PAIR = MastersField(("a", "b"), (2520, 2500), {})
FOUR = MastersField(tuple("abcd"), (2500,) * 4, {})


def pair_table(won: float, drawn: float = 0.0) -> Floats:
    found = Chances(won, drawn, 1 - won - drawn)
    return outcome_table(PAIR, lambda upper, lower: found if upper < lower else found.mirrored)


def masters_chain(rule: Rule, seed: int = 1) -> Chain:
    target = outcome_table(MASTERS, lambda one, other: chances(MASTERS, rule, one, other))
    proposal = outcome_table(MASTERS, lambda one, other: by_rating(MASTERS, one, other, draws=rule is Rule.DRAWS))
    return Chain(target, proposal, Generator(PCG64(seed)))


def flip(accept: float, *, station: int = 0, match: int = 0, turn: int = 0) -> Move:
    return Move(False, station, match, turn, accept, [], [])


def anew(accept: float, lots: list[int], luck: list[float], station: int = 0) -> Move:
    return Move(True, station, 0, 0, accept, lots, luck)


def pair_chain(won: float, expected: float) -> Chain:
    return Chain(pair_table(won), pair_table(expected), Generator(PCG64(1)))


# --- the ratio R --------------------------------------------------------------------------------------------------
def test_the_chain_starts_at_the_likeliest_results_if_there_are_any() -> None:
    assert pair_chain(0.7, 0.6).stations == [Station([0, 1], [WON], 0.7, 0.6)] * STATIONS
    assert pair_chain(0.2, 0.6).stations[0].outcomes == [LOST]
    with pytest.raises(ValueError, match="must start where the target is positive"):
        Chain(numpy.zeros((2, 2, 4)), pair_table(0.5), Generator(PCG64(1)))


def test_another_result_is_taken_by_the_ratio_of_the_targets() -> None:
    """From .7 to .3: R = 3/7."""
    for accept, taken in ((0.428, True), (0.429, False)):
        chain = pair_chain(0.7, 0.6)
        chain.move(flip(accept))
        assert chain.stations[0].outcomes == [LOST if taken else WON], accept
        assert (chain.accepted, chain.tried) == (int(taken), 1), accept
        assert chain.stations[1:] == [Station([0, 1], [WON], 0.7, 0.6)] * 2, accept


def test_a_station_drawn_anew_is_taken_by_the_whole_ratio() -> None:
    """R = f(v) g(u|v) / (f(u) g(v|u)) = .3 · .6 / (.7 · .4) = 9/14."""
    for accept, taken in ((0.642, True), (0.643, False)):
        chain = pair_chain(0.7, 0.6)
        chain.move(anew(accept, [0, 1], [0.61]))
        assert chain.stations[0].outcomes == [LOST if taken else WON], accept


def test_better_candidates_are_always_taken_and_what_cannot_happen_never() -> None:
    chain = pair_chain(0.7, 0.6)
    chain.stations[0] = Station([0, 1], [LOST], 0.3, 0.4)
    chain.move(flip(0.999999))
    assert chain.stations[0] == Station([0, 1], [WON], 0.7, 0.6)
    chain = pair_chain(1.0, 0.6)
    chain.move(flip(0.0))
    chain.move(anew(0.0, [1, 0], [0.1]))  # the lower rated wins
    assert chain.accepted == 0
    chain.move(anew(0.0, [1, 0], [0.5]))
    assert chain.stations[0] == Station([1, 0], [LOST], 1.0, 0.6)


def test_with_draws_a_match_turns_to_any_other_outcome() -> None:
    table = pair_table(0.3, 0.4)
    for turn, outcome in enumerate((WON, DRAWN_ON, DRAWN_OUT)):
        chain = Chain(table, table, Generator(PCG64(1)))
        chain.stations[0] = Station([0, 1], [LOST], 0.3, 0.3)
        chain.move(flip(0.0, turn=turn))
        assert chain.stations[0].outcomes == [outcome]


def test_a_turned_match_sends_another_player_on() -> None:
    """Behind it the same line wins, whoever is in it now; the target is that of those who meet."""
    shares = {(0, 1): 0.6, (2, 3): 0.7, (0, 2): 0.8, (1, 2): 0.9, (0, 3): 0.5, (1, 3): 0.5}

    def of(upper: int, lower: int) -> Chances:
        won = shares[upper, lower] if upper < lower else 1 - shares[lower, upper]
        return Chances(won, 0, 1 - won)

    table = outcome_table(FOUR, of)
    chain = Chain(table, table, Generator(PCG64(1)))
    assert chain.stations[0].target == pytest.approx(0.6 * 0.7 * 0.8)
    chain.move(flip(0.0, match=0))
    assert chain.stations[0].outcomes == [LOST, WON, WON]
    assert chain.stations[0].target == pytest.approx(0.4 * 0.7 * 0.9)


# --- in the long run ----------------------------------------------------------------------------------------------
def test_every_state_comes_as_often_as_its_target_says() -> None:
    """Two players with draws: eight states a station, each by its own probability."""
    target, proposal = pair_table(0.5, 0.2), pair_table(0.3, 0.4)
    events = Chain(target, proposal, Generator(PCG64(7))).run(3000)
    upper, outcomes = events.lines[:, :, 0].ravel(), events.outcomes[:, :, 0].ravel()
    for lines, outcome in product(permutations(range(2)), range(4)):
        share = target[lines[0], lines[1], outcome] / 2
        seen = ((upper == lines[0]) & (outcomes == outcome)).mean()
        assert seen == pytest.approx(share, abs=0.02)


@pytest.mark.parametrize("rule", [Rule.DECISIVE, Rule.DRAWS])
def test_the_chain_stays_where_things_can_happen(rule: Rule) -> None:
    chain = masters_chain(rule)
    for _ in range(300):
        chain.run(1)
        assert min(station.target for station in chain.stations) > 0


def test_samples_are_whole_events_some_moves_apart_and_a_chain_goes_on_where_it_was() -> None:
    chain = masters_chain(Rule.DRAWS)
    events = chain.run(400)
    assert events.lines.shape == (400, STATIONS, 8)
    assert events.outcomes.shape == (400, STATIONS, 7)
    assert (numpy.sort(events.lines, axis=2) == numpy.arange(8)).all()
    assert chain.tried == 400 * MOVES
    whole, parts = masters_chain(Rule.DRAWS, 5), masters_chain(Rule.DRAWS, 5)
    first, second = parts.run(30), parts.run(20)
    assert numpy.array_equal(whole.run(50).lines, numpy.concatenate([first.lines, second.lines]))


def test_a_proposal_that_is_the_target_is_always_taken() -> None:
    """By the ratings alone only turned matches are refused."""
    chain = masters_chain(Rule.RATING)
    refused = 0
    for _ in range(500):
        before = chain.accepted
        chain.move(next(chain._moves)._replace(anew=True))
        refused += chain.accepted == before
    assert refused == 0
