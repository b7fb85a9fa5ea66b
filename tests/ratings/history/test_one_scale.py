"""Clubs on one scale against other ways to the same numbers: a grid, one history of everybody, every result tried."""

import json
from dataclasses import replace
from itertools import combinations
from math import inf, sqrt
from statistics import fmean
from types import SimpleNamespace
from typing import Any

import numpy
import pytest

from ratings.history import one_scale, one_scale_proof
from ratings.history.one_scale import Bridge, Joined, Member, Own, Terms, best_match, join, joined_to, own_of
from ratings.history.one_scale_proof import (
    LOT,
    REGIONS,
    SHARED,
    SIZES,
    SPLITS,
    STRENGTH,
    Asked,
    Shared,
    Step,
    Truth,
    by_year,
    clubs_of,
    one_scale_report,
    shared_lines,
    shared_steps,
    split,
    steps,
)
from ratings.history.tuning import Tuned
from ratings.history.whole_history import UNIT, Estimate, HistoryGame, Model, When, expected, log_odds, whole_history
from tests import ROOT

DAY = 10
TERMS = Terms(spread=300.0, draw_rate=0.7, advantage=30.0)


def club(deviation: float, *means: float) -> Own:
    whens = tuple(When(player, DAY) for player in range(len(means)))
    covariance = numpy.eye(len(means)) * deviation**2
    return Own(whens, numpy.array(means), covariance, tuple(range(len(means))), DAY)


def bridge(one: tuple[int, int], other: tuple[int, int], score: float) -> Bridge:
    return Bridge(Member(*one), Member(*other), DAY, score)


ONE, OTHER = club(60.0, 50.0, 0.0, -50.0), club(80.0, 100.0, 0.0, -100.0)


@pytest.mark.parametrize("scores", [[1.0], [0.5], [0.0, 0.0], [1.0, 0.0, 1.0, 1.0]])
def test_the_levels_are_those_of_the_posterior_summed_over_a_grid(scores: list[float]) -> None:
    """First of One against first of Other; level, and both strengths within the club, are summed whole."""
    joined = join([ONE, OTHER], [bridge((0, 0), (1, 0), score) for score in scores], TERMS)
    axes = numpy.linspace(-1500, 1500, 301), numpy.linspace(-300, 300, 31), numpy.linspace(-400, 400, 31)
    level, own, against = numpy.meshgrid(*axes, indexing="ij")
    gaps = (50.0 + own - level - 100.0 - against + 30.0) / UNIT
    logs = -((level / 300.0) ** 2 + (own / 60.0) ** 2 + (against / 80.0) ** 2) / 2.0
    for score in scores:
        logs += log_odds(gaps, numpy.array(score), 0.7)
    weights = numpy.exp(logs - logs.max())
    weights /= weights.sum()
    ahead = level + against / 3.0 - own / 3.0
    mean = float((weights * ahead).sum())
    variance = float((weights * (ahead - mean) ** 2).sum()) + (60.0**2 + 80.0**2) * 2.0 / 9.0
    found = joined.levels(1, 0)
    assert found.deviation == pytest.approx(sqrt(variance), rel=0.04)
    assert found.mean == pytest.approx(mean, abs=0.12 * found.deviation)


def random_games(seed: int, players: range, games: int = 300) -> list[HistoryGame]:
    rng = numpy.random.default_rng(seed)
    found = []
    for day in sorted(rng.integers(0, 700, games).tolist()):
        first, second = rng.choice(players, 2, replace=False).tolist()
        chance = expected(numpy.array(15.0 * (second - first) / UNIT), 0.0)[0]
        found.append(HistoryGame(first, second, day // 100 * 100, float(rng.random() < chance)))
    return found


def test_clubs_whose_levels_are_known_are_what_one_history_of_everybody_says() -> None:
    """With hardly any spread between clubs nothing but the bridge games tells the joint history from the clubs' own."""
    model, terms = Model(200.0, 40.0), Terms(spread=0.01)
    clubs = [random_games(1, range(8)), random_games(2, range(8, 16))]
    bridges = [Bridge(Member(0, k), Member(1, 8 + (3 * k) % 8), 100 * k, float(k % 3 > 0)) for k in range(1, 7)]
    owns = []
    for games in clubs:
        listed = sorted({game.first for game in games})
        more = [When(side.player, each.day) for each in bridges for side in (each.first, each.second)]
        more = [when for when in more if when.player in listed]
        also: dict[int, list[int]] = {player: [700] for player in listed}
        for when in more:
            also[when.player].append(when.day)
        owns.append(own_of(whole_history(games, model, also=also), listed, 700, more))
    joined = join(owns, bridges, terms)
    together = [HistoryGame(each.first.player, each.second.player, each.day, each.score) for each in bridges]
    everybody = whole_history([*clubs[0], *clubs[1], *together], model, also={player: [700] for player in range(16)})
    for one in range(8):
        for other in range(8, 16):
            said = joined.difference(Member(0, one), Member(1, other))
            alike = everybody.difference(When(one, 700), When(other, 700))
            assert said == pytest.approx(alike, rel=0.03, abs=3.0)


def after(bridges: list[Bridge], one: Member, other: Member) -> float:
    """The variance of the clubs' difference after one more game, in the mean over its results as they were expected."""
    now = join([ONE, OTHER], bridges, TERMS)
    mean, deviation = now.difference(one, other)
    nodes, weights = numpy.polynomial.hermite_e.hermegauss(32)
    gaps = (mean + deviation * nodes) / UNIT
    total = 0.0
    for score in (0.0, 0.5, 1.0):
        chance = float(numpy.exp(log_odds(gaps, numpy.array(score), 0.7)) @ weights / weights.sum())
        # A game in which neither has an advantage: the terms' is taken back.
        then = join([ONE, OTHER], [*bridges, Bridge(one, other, DAY, score)], replace(TERMS, advantage=0.0))
        total += chance * then.levels(0, 1).deviation ** 2
    return total


@pytest.mark.parametrize("bridges", [[], [bridge((0, 1), (1, 1), 0.5)] * 6])
def test_one_more_game_narrows_by_what_was_told(bridges: list[Bridge], monkeypatch: pytest.MonkeyPatch) -> None:
    best = best_match(join([ONE, OTHER], bridges, TERMS), 0, 1, 3, TERMS)
    assert best[0].deviation == pytest.approx(sqrt(after(bridges, best[0].one, best[0].other)), rel=0.03)
    every = [sqrt(after(bridges, Member(0, one), Member(1, other))) for one in range(3) for other in range(3)]
    assert best[0].deviation <= min(every) * 1.03
    monkeypatch.setattr(one_scale, "BLOCK", 2)
    assert best_match(join([ONE, OTHER], bridges, TERMS), 0, 1, 3, TERMS) == best, "weighed in parts"
    few = best_match(join([ONE, OTHER], bridges, TERMS), 0, 1, 3, TERMS, {0: [2], 1: [0, 1]})
    assert [each.one.player for each in few] == [2]
    assert [each.deviation for each in best] == sorted((each.deviation for each in best), reverse=True)
    assert len({each.one for each in best}) == len({each.other for each in best}) == 3


def test_without_bridge_games_all_is_assumed_and_each_game_leaves_less() -> None:
    shares = [join([ONE, OTHER], [bridge((0, 1), (1, 1), 0.5)] * games, TERMS).assumed(0, 1) for games in range(5)]
    assert shares[0] == pytest.approx(1.0)
    assert shares == sorted(shares, reverse=True)


def test_what_is_left_of_the_assumption_is_by_how_much_another_one_would_move_the_levels() -> None:
    bridges = [bridge((0, 0), (1, 1), 1.0), bridge((1, 2), (0, 2), 0.5)]
    joined = join([ONE, OTHER], bridges, TERMS)
    moved = join([replace(ONE, means=ONE.means + 0.01), OTHER], bridges, TERMS)
    assert (moved.levels(0, 1).mean - joined.levels(0, 1).mean) / 0.01 == pytest.approx(joined.assumed(0, 1), rel=1e-3)


def test_clubs_in_other_order_say_the_same() -> None:
    bridges = [bridge((0, 0), (1, 1), 1.0), bridge((1, 2), (0, 2), 0.5)]
    swapped = [bridge((1 - a.club, a.player), (1 - b.club, b.player), score) for a, b, _day, score in bridges]
    one = join([ONE, OTHER], bridges, TERMS).levels(0, 1)
    assert one == pytest.approx(join([OTHER, ONE], swapped, TERMS).levels(1, 0))


def chained() -> tuple[list[Bridge], Joined]:
    bridges = [bridge((0, 1), (1, 1), 0.5)] * 8 + [bridge((1, 1), (2, 1), 0.5)] * 8
    return bridges, join([ONE, OTHER, ONE, ONE], bridges, TERMS)


def test_a_third_club_is_joined_through_the_second_and_known_less_well() -> None:
    bridges, joined = chained()
    near, far, alone = (joined.levels(0, number).deviation for number in (1, 2, 3))
    assert near < far < alone
    assert joined_to(bridges, 0) == {0, 1, 2}
    assert joined_to(bridges, 3) == {3}


def test_a_member_who_plays_all_bridge_games_leaves_his_own_uncertainty() -> None:
    """Hundreds of drawn games: what is left is how well the two are known within their clubs."""
    joined = join([ONE, OTHER], [bridge((0, 1), (1, 1), 0.5)] * 700, Terms(spread=10_000.0))
    # The two alone move together: each keeps its own variance but for its third of the level.
    kept = (60.0**2 + 80.0**2) * ((1.0 - 1.0 / 3.0) ** 2 + 2.0 / 9.0)
    assert joined.levels(0, 1).deviation == pytest.approx(sqrt(kept), rel=0.03)


def test_somebody_of_two_clubs_is_what_hundreds_of_drawn_games_against_himself_would_say() -> None:
    own, other = Member(0, 1), Member(1, 2)
    wide = Terms(spread=300.0)
    joined = join([ONE, OTHER], [bridge((0, 0), (1, 0), 1.0)], wide, [(own, other)])
    drawn = join([ONE, OTHER], [bridge((0, 0), (1, 0), 1.0), *[bridge((0, 1), (1, 2), 0.5)] * 1000], wide)
    assert joined.difference(own, other) == pytest.approx((0.0, 0.0), abs=1e-3)
    assert joined.levels(1, 0) == pytest.approx(drawn.levels(1, 0), rel=0.02)
    assert joined.assumed(0, 1) == pytest.approx(drawn.assumed(0, 1), rel=0.02)
    twice = join([ONE, OTHER], [bridge((0, 0), (1, 0), 1.0)], wide, [(own, other), (other, own)])
    assert twice.levels(1, 0) == pytest.approx(joined.levels(1, 0))
    assert joined_to([], 0, [(own, other)]) == {0, 1}


@pytest.mark.parametrize(
    ("clubs", "bridges", "error"),
    [
        ([ONE, OTHER], [bridge((0, 0), (0, 1), 1.0)], ValueError),
        ([ONE, OTHER], [bridge((0, 7), (1, 0), 1.0)], KeyError),
    ],
)
def test_games_that_join_nothing_are_refused(clubs: list[Own], bridges: list[Bridge], error: type[Exception]) -> None:
    with pytest.raises(error):
        join(clubs, bridges, TERMS)
    for spread in (0.0, -1.0, inf):
        with pytest.raises(ValueError, match="above 0"):
            Terms(spread=spread)


def test_the_page_of_the_algorithm_has_the_figures_of_the_document() -> None:
    folder = ROOT / "docs" / "algorithms"
    page, document = (folder / "one-scale.md").read_text(), json.loads((folder / "one-scale.json").read_text())
    lines = {(line["split"], line["way"], line["games"]): line for line in document["lines"]}
    assert len(lines) == 3 * 2 * len(SIZES)
    at = 0
    for club in document["clubs"]:
        at = page.index(f"{club['apart']} points apart in the mean, known to ±{club['truth_deviation']} ", at)
        for games in SIZES:
            lot, best = (lines[club["split"], way, games] for way in ("by lot", "chosen"))
            found = [f"{lot['error']:.0f}", f"{lot['deviation']:.0f}", lot["held"], f"{lot['assumed']:.0%}"]
            found += [f"{lot['members_held']:.0%}", f"{best['error']:.0f}", f"{best['deviation']:.0f}", best["held"]]
            row = f"| {games} | {' | '.join(map(str, found))} |".replace("%", " %")
            at = page.index(row, at)
    for line in document["shared"]:
        values = [line[name] for name in ("split", "members", "error", "deviation", "held", "asked")]
        at = page.index("| {} | {} | {:.0f} | {:.0f} | {} of {} |".format(*values), at)


# --- the proof -------------------------------------------------------------------------------------------------------
@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """The proof of few games, with a given model: to find one takes seconds."""
    few = {"SIZES": (1, 2), "CANDIDATES": 6, "LISTED_GAMES": 4, "SHARED": (2, 3), "PAIRS": 5}
    for name, value in few.items():
        monkeypatch.setattr(one_scale_proof, name, value)
    monkeypatch.setattr(one_scale_proof, "tuned", lambda games: Tuned(Model(200.0, 40.0), ()))


@pytest.mark.usefixtures("small")
def test_the_truth_is_what_all_games_say_of_the_last_day() -> None:
    truth = Truth(random_games(1, range(6), 60))
    history = truth.history
    assert [truth.mean(each) for each in range(6)] == [history.path(each)[-1][1].mean for each in range(6)]
    weights = numpy.array([0.5, 0.5, -0.25, -0.25, -0.25, -0.25])
    varies = weights @ history.covariance([When(player, truth.day) for player in range(6)]) @ weights
    assert truth.deviation([0, 1], [2, 3, 4, 5]) == pytest.approx(sqrt(varies))


@pytest.mark.usefixtures("small")
def test_two_thirds_are_split_by_lot_by_strength_or_by_who_meets_whom() -> None:
    """Even numbers meet each other, odd ones too, and two games are between them. Low numbers win."""
    towns = [HistoryGame(one, other, 10, 1.0) for one, other in combinations(range(10), 2) if (one + other) % 2 == 0]
    truth = Truth([*towns, HistoryGame(0, 1, 10, 0.5), HistoryGame(8, 9, 10, 0.5)])
    parted = 0
    for seed in range(12):
        lot, strong, near = (split(truth, kind, numpy.random.default_rng(seed)) for kind in (LOT, STRENGTH, REGIONS))
        assert [len(club) for club in lot] == [3, 3]
        assert lot[0] | lot[1] == strong[0] | strong[1] == near[0] | near[1], "the same six are drawn"
        assert min(map(truth.mean, strong[0])) >= max(map(truth.mean, strong[1]))
        if sum(player % 2 for player in near[0] | near[1]) == 3:
            parted += 1
            assert [len({player % 2 for player in club}) for club in near] == [1, 1]
    assert parted > 2


def test_neighbours_stand_in_the_order_of_the_second_eigenvector_of_a_walk_from_game_to_game() -> None:
    games, met = random_games(1, range(8), 40), numpy.full((8, 8), 1e-3)
    for game in games:
        met[[game.first, game.second], [game.second, game.first]] += 1.0
    values, vectors = numpy.linalg.eig(met / met.sum(axis=1)[:, None])
    order = numpy.argsort(vectors[:, numpy.argsort(values.real)[-2]].real).tolist()
    assert one_scale_proof._by_neighbours(list(range(8)), games) in (order, order[::-1])


@pytest.mark.usefixtures("small")
def test_bridge_games_are_those_of_two_who_have_played_in_their_clubs(monkeypatch: pytest.MonkeyPatch) -> None:
    played = [(0, 2, 10), (0, 1, 20), (0, 2, 30), (2, 3, 40), (3, 0, 40), (1, 2, 50), (4, 1, 60), (5, 0, 60)]
    late = 40 + 3 * 366  # the last day on which those of the fortieth are listed
    monkeypatch.setattr(one_scale_proof, "LISTED_GAMES", 1)
    home = [HistoryGame(*game, 1.0) for game in played]
    rng = numpy.random.default_rng(1)
    owns, taken = clubs_of(Truth([*home, HistoryGame(6, 7, late, 1.0)]), [{0, 1, 6, 7}, {2, 3}], rng)
    across = [Bridge(Member(1, 3), Member(0, 0), 40, 1.0), Bridge(Member(0, 1), Member(1, 2), 50, 1.0)]
    assert sorted(taken) == sorted(across)
    assert [own.listed for own in owns] == [(6, 7), (2, 3)], "the game of the twentieth is too long ago"
    assert set(owns[0].whens) == {When(0, 40), When(1, 50), When(6, late), When(7, late)}
    monkeypatch.setattr(one_scale_proof, "CANDIDATES", 1)
    monkeypatch.setattr(one_scale_proof, "LISTED_YEARS", 4)
    owns, taken = clubs_of(Truth([*home, HistoryGame(6, 7, late, 1.0)]), [{0, 1, 6, 7}, {2, 3}], rng)
    assert (len(taken), owns[0].listed) == (1, (0, 1, 6, 7))


@pytest.mark.usefixtures("small")
def test_games_are_added_one_by_one_by_lot_or_the_best_first() -> None:
    owns = [ONE, replace(OTHER, whens=tuple(When(player, DAY) for player in (3, 4, 5)), listed=(3, 4, 5))]
    truth: Any = SimpleNamespace(model=Model(draw_rate=0.7, advantage=30.0), mean=lambda player: 4.0**player)
    pairs = {4.0**one - 4.0**other: (Member(0, one), Member(1, other)) for one in range(3) for other in (3, 4, 5)}
    taken = [Bridge(*pair, DAY, (pair[0].player + pair[1].player) % 3 / 2.0) for pair in pairs.values()] * 2
    for chosen in (False, True):
        used: list[Bridge] = []
        found = list(steps(truth, owns, taken, chosen=chosen))
        assert [step.games for step in found] == [1, 2]
        for step in found:
            game = taken[len(used)]
            if chosen:
                pair = best_match(join(owns, used, TERMS), 0, 1, 1, TERMS)[0][:2]
                game = next(each for each in taken if each[:2] == pair)
            among = {side.club: [side.player] for side in game[:2]}
            told = best_match(join(owns, used, TERMS), 0, 1, 1, TERMS, among)[0].deviation
            used.append(game)
            joined = join(owns, used, TERMS)
            assert step.told == pytest.approx(told)
            assert step.levels == Asked(joined.levels(0, 1), 7.0 - 448.0)
            assert step.assumed == joined.assumed(0, 1)
            assert len(step.members) == 5
            assert all(asked.said == joined.difference(*pairs[asked.truth]) for asked in step.members)


@pytest.mark.usefixtures("small")
def test_members_of_both_clubs_are_those_who_played_enough_in_both() -> None:
    """0 plays in the other club too, and so does 4. Their game against each other counts in the first alone."""
    clubs = [{0, 1, 2, 3}, {4, 5, 6, 7}]
    home = [[HistoryGame(one, other, 10, 1.0) for one, other in combinations(sorted(club), 2)] * 2 for club in clubs]
    guests = [[HistoryGame(4, other, 20, 0.5) for other in (1, 2, 3)] * 2, [HistoryGame(0, 5, 20, 0.0)] * 3]
    strangers = [HistoryGame(8, player, 20, 0.0) for player in range(8)]
    both = [HistoryGame(0, 4, 30, 0.0)]
    truth = Truth([*home[0], *home[1], *guests[0], *guests[1], *both, *strangers])
    owns = []
    for games, listed in (([*home[0], *guests[0], *both], [0, 1, 2, 3, 4]), ([*home[1], *guests[1]], [0, 4, 5, 6, 7])):
        # 0 has three games in the other club: a fourth would list him there.
        listed = [player for player in listed if sum(player in game[:2] for game in games) >= 4]
        history = whole_history(games, truth.model, also={player: [30] for player in listed})
        owns.append(own_of(history, listed, 30))
    joined = join(owns, [], Terms(), [(Member(0, 4), Member(1, 4))])
    means = [fmean(map(truth.mean, own.listed)) for own in owns]
    found = list(shared_steps(truth, clubs, numpy.random.default_rng(1)))
    assert found == [Shared(2, Asked(joined.levels(0, 1), means[0] - means[1]), joined.assumed(0, 1))]


def test_the_figures_of_a_line_by_hand() -> None:
    members = [Asked(Estimate(3.0, 1.0), 0.0), Asked(Estimate(0.0, 2.5), 4.0)]
    sure = [Asked(Estimate(7.0, 1.0), 7.0), Asked(Estimate(-5.0, 3.0), 0.0)]
    levels = [Asked(Estimate(30.0, 10.0), 20.0), Asked(Estimate(-10.0, 30.0), 60.0)]
    clubs = {"error": 50.0, "deviation": 20.0, "held": 1, "asked": 2, "assumed": 0.3}
    found = [Step(8, levels[0], members, 0.4, 20.0), Step(8, levels[1], sure, 0.2, 40.0)]
    assert one_scale_proof._line(found) == clubs | {
        "came": 0.625,
        "members_error": 3.5,  # √((9 + 16 + 0 + 25) / 4)
        "members_deviation": 1.9,
        "members_held": 0.75,
        "members_low": 0.26,
        "members_high": 1.0,
    }
    shared = [[Shared(1, levels[0], 0.4), Shared(4, levels[0], 0.1)], [Shared(1, levels[1], 0.2)]]
    assert list(shared_lines(LOT, shared)) == [{"split": LOT, "members": 1, **clubs}], "a single split says nothing"


@pytest.mark.usefixtures("small")
def test_every_kind_is_split_so_often_and_too_little_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    games = [game._replace(day=735_000 + game.day) for game in random_games(5, range(12), 150)]
    told: list[int] = []
    report = one_scale_report(games, replications=2, seed=1, tell=told.append)
    assert told == [1, 2, 3, 4, 5, 6]
    assert (report["games"], report["players"], report["replications"]) == (150, 12, 2)
    assert [club["split"] for club in report["clubs"]] == list(SPLITS)
    ways = [(kind, way, size) for kind in SPLITS for way in ("by lot", "chosen") for size in (1, 2)]
    assert [(line["split"], line["way"], line["games"]) for line in report["lines"]] == ways
    for one, two in zip(report["lines"][::2], report["lines"][1::2], strict=True):
        assert two["assumed"] < one["assumed"] < 1.0
    with pytest.raises(ValueError, match="at least two splits"):
        one_scale_report(games, replications=1, tell=told.append)
    monkeypatch.setattr(one_scale_proof, "CANDIDATES", 1)
    with pytest.raises(ValueError, match="the proof needs 2"):
        one_scale_report(games, replications=2, tell=told.append)


@pytest.mark.slow
def test_a_stream_split_in_two_is_found_together_again() -> None:
    """A few splits of an invented stream; the whole proof is the document of docs/algorithms/one-scale.md."""
    rng = numpy.random.default_rng(3)
    strengths = rng.normal(0.0, 200.0, 48)
    games = []
    for day in sorted(rng.integers(735_000, 736_400, 3_000).tolist()):
        one, other = rng.choice(48, 2, replace=False).tolist()
        chance = expected(numpy.array((strengths[one] - strengths[other]) / UNIT), 0.0)[0]
        games.append(HistoryGame(one, other, day, float(rng.random() < chance)))
    report = one_scale_report(games, replications=4, seed=1, tell=lambda done: None)
    lines = {(line["split"], line["way"], line["games"]): line for line in report["lines"]}
    assert len(lines) == 3 * 2 * len(SIZES)
    assert sum(line["held"] for line in lines.values()) >= 0.9 * sum(line["asked"] for line in lines.values())
    for kind in ("lot", "regions"):
        ways = [lines[kind, way, 64]["deviation"] for way in ("chosen", "by lot")]
        assert ways == sorted(ways)
        assert lines[kind, "by lot", 64]["deviation"] < lines[kind, "by lot", 1]["deviation"] / 3.0
    assert [(line["split"], line["members"]) for line in report["shared"] if line["split"] == "lot"] == [
        ("lot", members) for members in SHARED
    ]
    assert all(line["held"] >= line["asked"] - 2 for line in report["shared"])
    assert by_year(games)[0].day <= 735_000 + 366
