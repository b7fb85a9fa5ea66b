"""The luck ledger: parts that always add up, what each of them means, and whether stated intervals hold."""

from collections import Counter
from copy import deepcopy
from datetime import date
from math import erf, sqrt

import numpy
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ratings.history.whole_history import HistoryGame, When, fitted
from ratings.lab import luck_study
from ratings.lab.engine import PLAIN
from ratings.lab.luck import (
    FEWEST_GAMES,
    PARTS,
    Believed,
    Estimate,
    Move,
    chance_of_gain,
    curve,
    estimate,
    in_whole,
    split,
)
from ratings.lab.luck_study import (
    FIGURES,
    FIRST_EVENING,
    LISTS,
    WANDER,
    WORLDS,
    Counted,
    evenings,
    luck_report,
    replicate,
    seasons_of,
    wandering,
)
from ratings.lab.scenario_games import LOOK, blocks, scenario
from ratings.lab.strength_draws import strengths_from
from ratings.lab_pages.charts import result_document
from ratings.systems.base import RatedGame
from ratings.systems.replay import DatedRule, DatedRules, replay
from tests import ROOT
from tests.choosing import examples

points = st.floats(0, 4000, allow_nan=False)
changes, ks, scores = st.floats(-500, 500), st.floats(0, 100), st.sampled_from((0.0, 0.5, 1.0))
games = st.tuples(changes, ks, scores, points, points).map(Move._make)
moves = st.lists(games | changes.map(Move), max_size=12)


@examples(60)
@given(moves, points, points, st.integers(0, 2**32 - 1))
def test_the_parts_add_up_to_the_change_whatever_is_believed(
    played: list[Move], start: float, end: float, seed: int
) -> None:
    rng = numpy.random.default_rng(seed)
    count = sum(move.k is not None for move in played)
    believed = Believed(*(rng.uniform(0, 4000, shape) for shape in (3, (3, count), (3, count))))
    parts = split(played, start, end, believed)
    together = sum(getattr(parts, name) for name in PARTS)
    assert together == pytest.approx([end - start] * 3, abs=1e-6)
    assert parts.above == pytest.approx(end - believed.start - parts.strength)


@examples(100)
@given(st.lists(st.floats(-3000, 3000), min_size=1, max_size=6), st.integers(-1, 1))
def test_shown_parts_are_whole_and_add_up_to_the_shown_change(parts: list[float], off: int) -> None:
    change = round(sum(parts)) + off
    shown = in_whole(parts, change)
    assert sum(shown) == change
    assert all(abs(whole - part) < 2.0 for whole, part in zip(shown, parts, strict=True))


def test_what_is_too_much_is_taken_from_those_rounding_wronged_least() -> None:
    assert in_whole([3.0, 5.4, 2.0], 9) == [3, 5, 1]
    assert in_whole([3.0, 5.4, 2.0], 8) == [2, 5, 1]


def season(k: float, scores: list[float], opponent: float, start: float) -> tuple[list[Move], float]:
    """Games of Elo against one and the same opponent, and the rating after them."""
    rating, played = start, []
    for score in scores:
        change = k * (score - float(curve(rating - opponent)))
        played.append(Move(change, k, score, rating, opponent))
        rating += change
    return played, rating


def steady(own: float, opponent: float, count: int) -> Believed:
    return Believed(numpy.array([own]), numpy.full((1, count), own), numpy.full((1, count), opponent))


def test_luck_is_what_is_left_of_it_and_the_rest_of_it_was_given_back() -> None:
    played, end = season(20, [1.0] * 4, 1500.0, 1500.0)
    parts = split(played, 1500.0, end, steady(1500.0, 1500.0, 4))
    assert parts.luck == pytest.approx([end - 1500.0]), "rating was right, so all that moved it is luck"
    assert parts.luck[0] < 4 * 10.0, "four wins of equals bring ten points each, less what the rating gave back"
    assert [parts.strength[0], parts.opponents[0], parts.rule[0]] == pytest.approx([0.0] * 3)
    assert parts.due[0] == pytest.approx(2.0)


def test_strong_opponents_with_low_ratings_are_no_bad_luck_and_a_low_rating_is_caught_up_with() -> None:
    expected = float(curve(0.0))
    played, end = season(20, [expected], 1300.0, 1500.0)
    parts = split(played, 1500.0, end, steady(1500.0, 1500.0, 1))
    assert parts.luck[0] == pytest.approx(0.0)
    assert parts.opponents[0] == pytest.approx(end - 1500.0)
    assert parts.opponents[0] < -4.0
    played, end = season(20, [float(curve(200.0))], 1500.0, 1500.0)
    parts = split(played, 1500.0, end, steady(1700.0, 1500.0, 1))
    assert parts.following[0] == pytest.approx(end - 1500.0)


def test_floors_and_starts_are_the_rules_and_a_gain_is_followed_by_and_by() -> None:
    floored = Move(0.0, 20.0, 0.0, 1500.0, 1500.0)  # a loss that a floor held back
    parts = split([floored, Move(50.0)], 1500.0, 1550.0, steady(1500.0, 1500.0, 1))
    assert (parts.luck[0], parts.rule[0]) == pytest.approx((-10.0, 60.0))
    played, end = season(20, [float(curve(100.0))] * 60, 1500.0, 1500.0)
    grown = Believed(numpy.array([1500.0]), numpy.full((1, 60), 1600.0), numpy.full((1, 60), 1500.0))
    parts = split(played, 1500.0, end, grown)
    assert parts.strength[0] == pytest.approx(100.0)
    assert -40.0 < parts.following[0] < -10.0, "sixty games bring most of it"


def test_a_probability_of_gain_is_the_normal_distributions() -> None:
    assert chance_of_gain(Estimate(30.0, 20.0)) == pytest.approx((1.0 + erf(1.5 / sqrt(2.0))) / 2.0)
    assert [chance_of_gain(Estimate(mean, 0.0)) for mean in (-3.0, 0.0, 3.0)] == [0.0, 0.5, 1.0]


def test_an_estimate_holds_what_is_near_it_on_either_side() -> None:
    held = [value for value in (-30.0, 27.0, 28.5, 31.5, 33.0) if Estimate(30.0, 1.0).holds(value)]
    assert held == [28.5, 31.5]
    assert not Estimate(*Estimate(0.0, 1.0).interval[1:], 1.0).is_clear, "zero is the end of the interval"
    assert estimate(numpy.array([1.0, 1.0])) == Estimate(1.0, 0.0)
    with pytest.raises(ValueError, match="two draws"):
        estimate(numpy.array([1.0]))


def test_draws_have_the_covariance_of_the_history_they_are_drawn_around() -> None:
    rng = numpy.random.default_rng(5)
    played = [HistoryGame(*map(int, rng.choice(4, 2, replace=False)), 30 * day, float(day % 2)) for day in range(40)]
    found = strengths_from(played, 4000, rng)
    assert found.variation == 1.0, "nobody drew"
    history = fitted(found.field, found.model)
    whens = [When(0, history.days(0)[0]), When(0, history.days(0)[-1]), When(3, history.days(3)[-1])]
    at = [found.field.place(when) for when in whens]
    exact = history.covariance(whens)
    assert numpy.cov(found.draws[:, at].T) == pytest.approx(exact, rel=0.1, abs=0.03 * exact.max())
    assert found.draws[:, at].mean(axis=0) == pytest.approx([history.mean(when) for when in whens], abs=6.0)


@pytest.mark.slow
def test_a_drawn_game_tells_more_and_the_drift_is_found_where_there_is_one() -> None:
    found = {}
    for world in ("wandering", "constant"):
        made = evenings(world, 4000, 1, 0, PLAIN)
        results = [HistoryGame(game.white, game.black, game.day, game.score) for game in made.games]
        found[world] = strengths_from(results, 2, numpy.random.default_rng(1))
    assert found["wandering"].variation < 0.8 < found["constant"].variation
    assert found["constant"].model.drift < 40.0 < 60.0 < found["wandering"].model.drift < 160.0
    assert found["constant"].model.prior == pytest.approx(241.0, rel=0.15)


def test_strengths_wander_a_hundred_points_a_year() -> None:
    weeks = 30
    course = [strengths for strengths, _games in wandering(weeks * LOOK, numpy.random.Generator(numpy.random.PCG64(1)))]
    assert numpy.std(numpy.diff(course, axis=0)) == pytest.approx(WANDER * sqrt(7 / 365.25), rel=0.05)


def test_a_world_of_the_lab_is_played_as_evenings_a_week_apart() -> None:
    made = evenings("improving", 3 * LOOK, 1, 0, PLAIN)
    played = list(blocks(scenario("improving"), 3 * LOOK, 1, 0, PLAIN))
    for number, block in enumerate(played):
        games = made.games[number * LOOK : (number + 1) * LOOK]
        assert [game.white for game in games] == list(block.white)
        assert [game.black for game in games] == list(block.black)
        assert [game.score for game in games] == list(block.scores)
        assert {game.day for game in games} == {FIRST_EVENING + 7 * number}
        for game in games:
            for player in (game.white, game.black):
                assert made.truth[When(player, game.day)] == block.strengths[player]
    assert len(made.games) == 3 * LOOK


def test_a_season_is_twenty_evenings_of_whoever_played_enough_in_it() -> None:
    made = evenings("wandering", 45 * LOOK, 1, 0, PLAIN)
    rules = DatedRules([DatedRule(date.min, LISTS[1].system, LISTS[1].settings)])
    rows = [row for row in replay(made.games, (), states={}, birth_years={}, rules=rules) if isinstance(row, RatedGame)]
    played = Counter(
        (player, (game.day - FIRST_EVENING) // 140) for game in made.games for player in (game.white, game.black)
    )
    found = {(each.own[0].player, (each.own[0].day - FIRST_EVENING) // 140): len(each.own) for each in seasons_of(rows)}
    assert found == {season: games for season, games in played.items() if games >= FEWEST_GAMES}
    assert {season for _player, season in found} == {0, 1, 2}


def test_replications_of_a_list_are_added_up() -> None:
    found = Counted(2, *(dict.fromkeys(FIGURES, figure) for figure in (1, 0.5, 4.0)))
    found.tenths[3] = [2, 0.7, 1]
    found.add(deepcopy(found))
    assert found == Counted(4, *(dict.fromkeys(FIGURES, figure) for figure in (2, 1.0, 8.0)), found.tenths)
    assert found.tenths[2:4] == [[0, 0.0, 0], [4, 1.4, 2]]


@pytest.mark.slow
def test_the_intervals_hold_the_truth_in_the_lab() -> None:
    counted = replicate("wandering", LISTS[:1], 4000, 1, 0, PLAIN)["fide"]
    for name in FIGURES:
        assert counted.held[name] >= 0.88 * counted.seasons, name
    assert counted.seasons > 80


def test_the_documentation_shows_the_figures_of_the_command() -> None:
    found = result_document("luck")
    cells = [line.split("|") for line in (ROOT / "docs" / "algorithms" / "luck.md").read_text("utf-8").splitlines()]
    table = {row[1].strip().replace("rating above strength", "above"): row[2:-1] for row in cells if len(row) > 4}
    for name in ("luck", "above", "strength", "following", "opponents", "rule"):
        shares = [row["held"][name] for row in found["rows"]]
        shown = [float(cell.split("%")[0]) for cell in table[name]]
        assert shown == pytest.approx(
            [100 * each for each in (found["all"]["held"][name], min(shares), max(shares))], abs=0.06
        )
    for at, (name, times) in enumerate((("seasons", 1), ("said, %", 100), ("came, %", 100))):
        assert [float(cell) for cell in table[name]] == pytest.approx(
            [times * row[at] for row in found["gains"]], abs=0.51
        )


def test_the_document_tells_of_every_world_and_list_and_refuses_less_than_a_season(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(luck_study, "DRAWS", 10)
    report = luck_report(LISTS[:1], games=2000, replications=1, seed=1, engine=PLAIN, tell=int, worlds=WORLDS[-1:])
    assert [(row["world"], row["list"]) for row in report["rows"]] == [("wandering", "fide")]
    assert report["all"]["seasons"] == report["rows"][0]["seasons"] == sum(count for count, *_rest in report["gains"])
    for games, replications in ((100, 1), (2000, 0)):
        with pytest.raises(ValueError, match="a season, and one replication"):
            luck_report(LISTS, games=games, replications=replications, seed=1, engine=PLAIN, tell=int)
