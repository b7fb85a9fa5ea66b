"""Every switch does what it says, and all off is the study's own world."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from math import isclose

import pytest

from ratings.lab.engine import PLAIN, best_engine
from ratings.lab.scenario_games import (
    REFERENCE,
    SCENARIOS,
    STEP,
    Block,
    Scenario,
    blocks,
    draw_of,
    on_elo_scale,
    scenario,
    score_of,
)
from ratings.lab.table import Table
from ratings.lab.world import group, stretches
from ratings.systems.draws import odds_of
from ratings.systems.elo import expected_score

GAMES = 3000


@dataclass(frozen=True)
class Game:
    white: int
    black: int
    score: float
    truth: float


def run(world: Scenario, games: int = GAMES, seed: int = 7, replication: int = 0) -> list[Block]:
    return list(blocks(world, games, seed, replication, PLAIN))


def games_of(played: list[Block]) -> list[Game]:
    columns = ((block.white, block.black, block.scores, block.truth) for block in played)
    return [Game(*each) for four in columns for each in zip(*four, strict=True)]


def pairs(played: list[Block]) -> Iterator[tuple[Block, int, int]]:
    for block in played:
        for white, black in zip(block.white, block.black, strict=True):
            yield block, white, black


def mean(values: list[float]) -> float:
    return sum(values) / len(values)


# --- all off ------------------------------------------------------------------------------------------------------
def test_the_constant_world_is_the_studys_game_for_game_with_its_share_of_strengths() -> None:
    study = next(stretches(GAMES, 7, 0, PLAIN))
    ours = games_of(run(scenario("constant")))
    assert [(game.white, game.black, game.score) for game in ours] == list(
        zip(study.white, study.black, study.scores, strict=True)
    )
    people = group() * 4
    for game in ours[:500]:
        one, two = people[game.white].strength, people[game.black].strength
        assert isclose(game.truth, one / (one + two), rel_tol=1e-12)


def test_scores_come_as_truth_says() -> None:
    for world in SCENARIOS:
        played = games_of(run(world))
        spread = sum(game.truth * (1.0 - game.truth) for game in played) ** 0.5  # at most: draws scatter less
        assert abs(sum(game.score - game.truth for game in played)) < 4.0 * spread, world.key


def test_same_seed_same_games_and_a_longer_run_begins_like_a_shorter_one() -> None:
    one, again = run(scenario("club-life"), 600), run(scenario("club-life"), 600)
    assert games_of(one) == games_of(again)
    assert games_of(one) != games_of(run(scenario("club-life"), 600, replication=1))
    world = scenario("matchmaking")
    assert games_of(run(world, 1000))[:700] == games_of(run(world, 700))


@pytest.mark.slow  # that compiled code computes the same is tried in test_engine
def test_plain_and_compiled_worlds_are_the_same_to_the_last_bit() -> None:
    pytest.importorskip("numba")
    engine = best_engine()
    for world in SCENARIOS:
        plain, compiled = run(world, 1100), list(blocks(world, 1100, 7, 0, engine))
        assert games_of(plain) == games_of(compiled), world.key
        assert [block.strengths for block in plain] == [block.strengths for block in compiled]
        assert [block.tiers for block in plain] == [block.tiers for block in compiled]


# --- switch by switch ---------------------------------------------------------------------------------------------
def test_one_group_in_four_improves_with_every_game_of_its_own_up_to_its_limit() -> None:
    played = run(Scenario("fast", "Fast", pace=5.0, most=100.0))
    own = [0] * 140
    for _block, white, black in pairs(played):
        own[white] += 1
        own[black] += 1
    gains = played[-1].gains
    assert [round(gain, 6) for gain in gains[:35]] == [min(100.0, 5.0 * games) for games in own[:35]]
    assert set(gains[35:]) == {0.0}
    assert 100.0 in [round(gain, 6) for gain in gains]


def test_a_shock_lifts_one_group_and_lowers_another_half_way_through() -> None:
    played = run(scenario("shock"))
    before, after = played[14], played[15]
    assert set(before.gains) == {0.0}
    assert after.gains == pytest.approx([2 * STEP] * 35 + [-2 * STEP] * 35 + [0.0] * 70, abs=1e-6)


def test_leavers_stop_playing_and_as_many_newcomers_begin() -> None:
    played = run(Scenario("quick", "Quick", turnover=500))
    gone: set[int] = set()
    for number, block in enumerate(played):
        gone |= set(block.leaving)
        assert len(block.present) == 140
        assert not gone & {*block.white, *block.black}
        assert bool(block.leaving) == (number > 0 and number % 5 == 0) == (number > 0 and bool(block.joining))
    assert gone == set(range(5 * 35))
    last = {*played[-1].white, *played[-1].black}
    assert any(place >= 280 for place in last)


def test_with_equal_activity_all_play_about_as_often() -> None:
    def games(world: Scenario) -> list[int]:
        own = [0] * 140
        for _block, white, black in pairs(run(world)):
            own[white] += 1
            own[black] += 1
        return own

    usual, equal = games(scenario("constant")), games(scenario("equal-activity"))
    assert max(usual) > 10 * min(usual)
    assert max(equal) < 3 * min(equal)


def test_matchmaking_brings_equals_together() -> None:
    def gap(world: Scenario) -> float:
        late = run(world)[15:]
        return mean([abs(block.strengths[white] - block.strengths[black]) for block, white, black in pairs(late)])

    assert gap(scenario("matchmaking")) < 0.9 * gap(scenario("constant"))


def test_equals_draw_the_share_that_was_set() -> None:
    played = run(Scenario("even", "Even", draws=0.4, equal_activity=True), 12_000)
    equals = [
        score
        for block in played
        for white, black, score in zip(block.white, block.black, block.scores, strict=True)
        if block.strengths[white] == block.strengths[black]
    ]
    assert len(equals) > 1000
    assert abs(mean([score == 0.5 for score in equals]) - 0.4) < 4 * (0.24 / len(equals)) ** 0.5


@pytest.mark.parametrize("expected", [0.03, 0.2, 0.5, 0.77, 0.98])
@pytest.mark.parametrize("share", [0.0, 0.3, 0.5, 0.9])
def test_draws_are_davidsons_as_the_clubs_own_function_tells_them(expected: float, share: float) -> None:
    rate = Scenario("some", "Some", draws=share).draw_rate
    odds, draw = odds_of(expected, rate), draw_of(expected, rate)
    assert draw == odds.draw
    assert [score_of(uniform, expected, draw) for uniform in (0.0, odds.win + draw / 2, 1.0 - 1e-9)] == [
        1.0 if odds.win > 0 else 0.5, 0.5 if draw else 0.0, 0.0 if odds.loss > 1e-9 else 0.5,
    ]  # fmt: skip


def test_white_scores_more_when_the_first_move_counts() -> None:
    level, moved = (games_of(run(Scenario("w", "W", advantage=points), 6000)) for points in (0.0, 100.0))
    assert mean([game.score for game in moved]) > mean([game.score for game in level]) + 0.05
    one = moved[0]
    strengths = [on_elo_scale(person.strength) for person in group() * 4]
    assert one.truth == expected_score(strengths[one.white] + 100.0, strengths[one.black])


def test_tiers_never_mix_and_are_cut_by_the_reference_list() -> None:
    world = Scenario("leagues", "Leagues", tiers=4, season=500)
    table = Table(REFERENCE, PLAIN, [1.0] * 140)
    for number, block in enumerate(run(world)):
        if number % 5 == 0:
            order = sorted(range(140), key=lambda place: -table.ratings[place])
            assert sorted(block.tiers) == [0] * 35 + [1] * 35 + [2] * 35 + [3] * 35
            assert all(block.tiers[upper] <= block.tiers[lower] for upper, lower in pairwise(order))
        assert all(block.tiers[one] == block.tiers[two] for one, two in zip(block.white, block.black, strict=True))
        table.trace(block.white, block.black, block.scores)


def test_newcomers_begin_in_the_last_tier_and_farmers_meet_the_weak_only() -> None:
    played = run(Scenario("both", "Both", tiers=4, season=1000, turnover=1500), 1600)
    assert set(played[-1].tiers[140:]) == {3}
    farmers = {34, 69}
    games = [{white, black} for _block, white, black in pairs(run(scenario("farming")))]
    met = {place for game in games if game & farmers for place in game - farmers}
    people = group() * 4
    assert met
    assert {people[place].strength for place in met} <= {10.0, 20.0, 40.0}
    assert {people[place].name for place in farmers} == {"640-160"}


def test_a_world_that_cannot_be_is_refused() -> None:
    for wrong in (
        {"draws": 1.0}, {"draws": -0.1}, {"farmers": 4},
        {"farmers": 1, "tiers": 4}, {"tiers": 36}, {"turnover": 50}, {"farmers": 1, "turnover": 100},
        {"tiers": 4, "season": 0}, {"turnover": -100}, {"season": 150},
    ):  # fmt: skip
        with pytest.raises(ValueError, match=r"."):
            Scenario("x", "X", **wrong)


def test_every_scenario_has_its_own_key_and_differs_from_the_first() -> None:
    assert len({each.key for each in SCENARIOS}) == len(SCENARIOS) == len({each.name for each in SCENARIOS})
    plain = Scenario("constant", SCENARIOS[0].name)
    assert SCENARIOS[0] == plain
    for each in SCENARIOS[1:]:
        assert each != Scenario(each.key, each.name)
    with pytest.raises(KeyError):
        scenario("nowhere")
