"""A station's bracket, its titles counted draw by draw, and ratings after an event, game by game."""

from fractions import Fraction
from functools import partial
from itertools import combinations, permutations, product

import numpy
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.random import PCG64, Generator

from ratings.systems.base import PlayedGame, PlayerState
from ratings.systems.elo import Elo
from tournaments.forecast.masters import MASTERS, Chances, MastersField, Rule, chances
from tournaments.forecast.masters_chain import (
    DRAWN_ON,
    DRAWN_OUT,
    LOST,
    WON,
    Events,
    Floats,
    deal,
    exact_titles,
    matches_of,
    outcome_table,
    play,
)

FOUR = MastersField(tuple("abcd"), (2500, 2500, 2500, 2500), {})
SCORES = {WON: 1.0, DRAWN_ON: 0.5, DRAWN_OUT: 0.5, LOST: 0.0}
SHARES = st.lists(st.floats(0, 1), min_size=6, max_size=6)


def table_of(rule: Rule) -> Floats:
    return outcome_table(MASTERS, partial(chances, MASTERS, rule))


def table_of_four(shares: list[float]) -> Floats:
    """The six pairs' chances to go on."""
    pairs = dict(zip(combinations(range(4), 2), shares, strict=True))

    def of(upper: int, lower: int) -> Chances:
        won = pairs[upper, lower] if upper < lower else 1 - pairs[lower, upper]
        return Chances(won, 0, 1 - won)

    return outcome_table(FOUR, of)


def certain(players: int) -> Floats:
    """The earlier one always wins."""
    field = MastersField(tuple("abcdefgh"[:players]), (2500,) * players, {})
    return outcome_table(field, lambda upper, lower: Chances(upper < lower, 0, upper > lower))


# --- the bracket --------------------------------------------------------------------------------------------------
def test_the_first_winner_meets_the_fourth_the_second_the_third() -> None:
    first, later = matches_of(8)[:4], matches_of(8)[4:]
    assert first == ((0, 1), (2, 3), (4, 5), (6, 7))
    assert later == ((8, 11), (9, 10), (12, 13))
    assert matches_of(2) == ((0, 1),)
    for rule in Rule:
        assert table_of(rule).sum(axis=2) == pytest.approx(1 - numpy.eye(8))


# --- exactly ------------------------------------------------------------------------------------------------------
def titles_by_brute_force(table: Floats) -> list[float]:
    """Every draw, and every result of every match in it."""
    players = len(table)
    won = [0.0] * players
    draws = list(permutations(range(players)))
    for lines, results in product(draws, product((WON, LOST), repeat=players - 1)):
        at, chance = list(lines), 1 / len(draws)
        for (above, below), outcome in zip(matches_of(players), results, strict=True):
            chance *= table[at[above], at[below], outcome]
            at.append(at[above] if outcome == WON else at[below])
        won[at[-1]] += chance
    return won


def titles_by_draws(going_on: Floats) -> Floats:
    """Every draw of the field, its matches' winners as distributions."""
    players = len(going_on)
    lines = numpy.array(list(permutations(range(players))))
    at = [numpy.eye(players)[lines[:, line]] for line in range(players)]
    for above, below in matches_of(players):
        upper, lower = at[above], at[below]
        at.append(upper * (lower @ going_on.T) + lower * (upper @ going_on.T))
    return at[-1].mean(axis=0)


@given(shares=SHARES)
def test_titles_of_four_are_those_of_all_draws_and_results(shares: list[float]) -> None:
    table = table_of_four(shares)
    assert exact_titles(table) == pytest.approx(titles_by_brute_force(table))


@pytest.mark.extended
@pytest.mark.parametrize("rule", Rule)
def test_titles_of_eight_are_those_of_all_40320_draws(rule: Rule) -> None:
    table = table_of(rule)
    assert exact_titles(table) == pytest.approx(titles_by_draws(table[:, :, WON] + table[:, :, DRAWN_ON]).tolist())


@given(order=st.permutations(range(8)), rule=st.sampled_from(Rule))
def test_in_whatever_order_the_players_stand(order: list[int], rule: Rule) -> None:
    table = table_of(rule)
    found = exact_titles(table[numpy.ix_(order, order)])
    assert found == pytest.approx([exact_titles(table)[player] for player in order])


@given(shares=SHARES, more=st.floats(0, 1))
def test_whoever_gets_better_against_one_wins_no_fewer_titles(shares: list[float], more: float) -> None:
    better = [shares[0] + (1 - shares[0]) * more, *shares[1:]]
    assert exact_titles(table_of_four(better))[0] >= exact_titles(table_of_four(shares))[0] - 1e-12


# --- ratings ------------------------------------------------------------------------------------------------------
def rated_by_the_club(lines: list[list[int]], outcomes: list[list[int]]) -> list[Fraction]:
    """An event through the system the club would rate it by. Ratings are handed on as exact tenths, for the table is
    read at whole points: a gap of 18½ must not be a hair less."""
    rate = Elo().game_rater(Elo().read_settings({"preset": "xiangqi"}))
    states = [PlayerState(Fraction(rating), 100, rating) for rating in MASTERS.ratings]
    for drawn, results in zip(lines, outcomes, strict=True):
        at = list(drawn)
        for (above, below), outcome in zip(matches_of(8), results, strict=True):
            upper, lower = at[above], at[below]
            rate(states[upper], states[lower], PlayedGame(1, upper, lower, SCORES[outcome], 1, 1))
            for player in (upper, lower):
                states[player].rating = Fraction(round(10 * states[player].rating), 10)
            at.append(upper if outcome in {WON, DRAWN_ON} else lower)
    return [state.rating for state in states]


@given(seed=st.integers(0, 10_000))
def test_ratings_are_those_the_club_would_give(seed: int) -> None:
    events = deal(table_of(Rule.DRAWS), 3, Generator(PCG64(seed)))
    tenths = play(MASTERS, events).tenths
    for number in range(3):
        expected = rated_by_the_club(events.lines[number].tolist(), events.outcomes[number].tolist())
        assert [Fraction(rating, 10) for rating in tenths[number].tolist()] == expected


def test_one_game_by_hand_points_only_move_and_ties_go_by_the_rating_before() -> None:
    """The lower rated by 20 wins: We .47, so 5.3 points."""
    pair = MastersField(("a", "b"), (2520, 2500), {})
    ends = play(pair, Events(numpy.array([[[0, 1]]]), numpy.array([[[LOST]]])))
    assert (ends.titles.tolist(), ends.tenths.tolist(), ends.order.tolist()) == ([[1]], [[25147, 25053]], [[0, 1]])
    lines = numpy.array([[[3, 1, 2, 0]]])
    ends = play(FOUR, Events(lines, numpy.full((1, 1, 3), DRAWN_ON)))
    assert (ends.order.tolist(), ends.titles.tolist()) == ([[0, 1, 2, 3]], [[3]])
    ends = play(MASTERS, deal(table_of(Rule.RATING), 2000, Generator(PCG64(3))))
    tied = numpy.diff(numpy.take_along_axis(ends.tenths, ends.order, axis=1), axis=1) == 0
    assert tied.sum() > 10
    assert (numpy.diff(ends.order, axis=1)[tied] > 0).all()
    ends = play(MASTERS, deal(table_of(Rule.SCORE_RATE), 500, Generator(PCG64(3))))
    assert set(ends.tenths.sum(axis=1).tolist()) == {10 * sum(MASTERS.ratings)}
    assert (numpy.diff(numpy.take_along_axis(ends.tenths, ends.order, axis=1), axis=1) <= 0).all()


# --- chance -------------------------------------------------------------------------------------------------------
def test_the_same_numbers_make_the_same_events() -> None:
    one, other = (deal(table_of(Rule.DRAWS), 10, Generator(PCG64(seed))) for seed in (5, 6))
    again = deal(table_of(Rule.DRAWS), 10, Generator(PCG64(5)))
    assert numpy.array_equal(one.lines, again.lines)
    assert numpy.array_equal(one.outcomes, again.outcomes)
    assert not numpy.array_equal(one.lines, other.lines)


def test_lots_send_everybody_everywhere_as_often_and_certain_results_come_every_time() -> None:
    lines = deal(certain(8), 8000, Generator(PCG64(1))).lines.reshape(-1, 8)
    assert (numpy.sort(lines, axis=1) == numpy.arange(8)).all()
    counts = numpy.array([numpy.bincount(line, minlength=8) for line in lines.T])
    spread = (len(lines) * 1 / 8 * 7 / 8) ** 0.5
    assert abs(counts - len(lines) / 8).max() < 4.5 * spread
    field = MastersField(tuple("abcdefgh"), (2500,) * 8, {})
    ends = play(field, deal(certain(8), 200, Generator(PCG64(2))))
    assert not ends.titles.any()
    assert not ends.order[:, 0].any()


def test_outcomes_come_as_often_as_they_should() -> None:
    table = outcome_table(
        FOUR, lambda upper, lower: Chances(0.4, 0.4, 0.2) if upper < lower else Chances(0.2, 0.4, 0.4)
    )
    events = deal(table, 20_000, Generator(PCG64(4)))
    upper, lower = events.lines[:, 0, 0], events.lines[:, 0, 1]
    seen = numpy.bincount(events.outcomes[:, 0, 0][upper < lower], minlength=4)
    for share, count in zip((0.4, 0.2, 0.2, 0.2), seen, strict=True):
        assert abs(count / seen.sum() - share) < 4.5 * (share * (1 - share) / seen.sum()) ** 0.5
