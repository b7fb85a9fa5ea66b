"""Clubs on one scale against other ways to the same numbers: a grid, one history of everybody, every result tried."""

import json
from dataclasses import replace
from math import inf, sqrt

import numpy
import pytest

from ratings.history import one_scale
from ratings.history.one_scale import Bridge, Joined, Member, Own, Terms, best_match, join, joined_to, own_of
from ratings.history.one_scale_proof import SHARED, SIZES, by_year, one_scale_report
from ratings.history.whole_history import UNIT, HistoryGame, Model, When, expected, log_odds, whole_history
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
