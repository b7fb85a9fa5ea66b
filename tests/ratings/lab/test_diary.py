"""The diary's world: who enters and wins, what is recorded, the one update a tournament, the −1 fault; the update is
held equal to the replay that rates the club, and the compiled run to the plain one."""

from datetime import date, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ratings.lab.diary import (
    FIRST_ATTEMPT,
    LAST,
    SECOND_ATTEMPT,
    Decides,
    DiaryFigures,
    DiaryRules,
    DiaryRun,
    diary_replication,
    run_diary,
)
from ratings.lab.diary_games import draw_lots, first_wins, recorded, two_highest
from ratings.lab.diary_study import DiaryStudy
from ratings.lab.engine import PLAIN, best_engine
from ratings.systems import rating_system
from ratings.systems.base import PlayedGame, PlayerState, order_key
from ratings.systems.replay import DatedRule, DatedRules, replay

MONDAY = date(2026, 3, 2)
WORLDS = (
    LAST, DiaryRules(bug=True), DiaryRules(draws=0.0),
    DiaryRules(leagues=2), DiaryRules(decides=Decides.CHANCE), FIRST_ATTEMPT,
    SECOND_ATTEMPT,
)  # fmt: skip


@pytest.fixture(scope="module")
def run() -> DiaryRun:
    """A hundred tournaments of the last version."""
    return run_diary(LAST, 100, 7, 0)


@pytest.fixture(scope="module")
def faulty() -> DiaryRun:
    """The same with the fault."""
    return run_diary(DiaryRules(bug=True), 100, 7, 0)


# --- the world ---------------------------------------------------------------------------------------------------
def test_the_last_version_is_the_one_described_with_one_game_in_twenty_drawn(run: DiaryRun) -> None:
    assert (LAST.players, LAST.entrants, LAST.rounds, LAST.games, LAST.start) == (64, 32, 5, 31, (1600, 1600))
    assert len(run.players) == 64
    assert len(run.first) == 100 * 31
    assert all(0 <= strength <= 100 for strength in run.strengths)
    assert len(set(run.strengths)) > 30
    share = sum(score == 0.5 for score in run.first_scores) / len(run.first_scores)
    assert share == pytest.approx(0.05, abs=0.012)  # three standard deviations of 3100 games
    assert not any(score == 0.5 for score in run_diary(DiaryRules(draws=0.0), 20, 7, 0).first_scores)


def test_a_tournament_is_a_knockout_of_32_of_the_64(run: DiaryRun) -> None:
    for number in (1, 50, 100):
        games = run.tournament(number)
        first_round = [place for game in games[:16] for place in game[:2]]
        assert len(set(first_round)) == 32
        standing, at = 16, 16
        while standing > 1:
            met = {place for game in games[at : at + standing // 2] for place in game[:2]}
            assert len(met) == standing
            assert met <= set(first_round)
            at, standing = at + standing // 2, standing // 2
        assert at == 31


def test_the_stronger_goes_on_after_a_drawn_game_too(run: DiaryRun) -> None:
    """Whoever stands in the next round is the stronger of his pair; of equals, the first."""
    drawn = 0
    for number in range(1, 101):
        games = run.tournament(number)
        for turn, (begin, end) in enumerate(((0, 16), (16, 24), (24, 28), (28, 30))):
            later = {place for game in games[end : end + (16 >> (turn + 1))] for place in game[:2]}
            for game in games[begin:end]:
                first_stronger = run.strengths[game.first] >= run.strengths[game.second]
                winner = game.first if first_stronger else game.second
                assert winner in later
                drawn += game.first_score == 0.5
    assert drawn > 50


def test_other_tournaments_replications_and_switches_make_other_worlds(run: DiaryRun, faulty: DiaryRun) -> None:
    fields = [frozenset(place for game in run.tournament(number)[:16] for place in game[:2]) for number in range(1, 21)]
    assert len(set(fields)) == 20
    pairs = [frozenset(frozenset(game[:2]) for game in run.tournament(number)[:16]) for number in range(1, 21)]
    assert len(set(pairs)) == 20
    shorter = run_diary(LAST, 40, 7, 0)
    assert (run.top[:40], run.first[: 40 * 31]) == (shorter.top, shorter.first)
    assert run_diary(LAST, 5, 7, 1).strengths != run.strengths
    assert run_diary(LAST, 5, 8, 0).strengths != run.strengths
    assert (faulty.strengths, faulty.first) == (run.strengths, run.first)
    assert run_diary(DiaryRules(draws=0.5), 100, 7, 0).second == run.second


def test_points_recorded_are_points_expected_wins_draws_and_losses_the_games(run: DiaryRun) -> None:
    for player in run.players:
        assert player.wins + player.draws + player.losses == player.games
        assert player.peak >= max(player.rating, 1600)
    assert sum(player.games for player in run.players) == 2 * 3100
    assert run.deficit == 0.0
    assert max(abs(surplus) for surplus in run.surplus) < 1e-9


def test_a_world_that_cannot_be_played_is_refused() -> None:
    for wrong in ({"leagues": 3}, {"leagues": 4}, {"entrants": 33, "players": 66}, {"entrants": 65}, {"draws": 1.1}):
        with pytest.raises(ValueError, match=r"league|halve|draws"):
            DiaryRules(**wrong)


# --- the rules of one game ---------------------------------------------------------------------------------------
def test_of_equals_the_first_of_the_pair_wins_and_finite_chances_are_in_proportion() -> None:
    assert [first_wins(one, 50, True, uniform) for one, uniform in ((50, 0.99), (51, 0.99), (49, 0.0))] == [
        True,
        True,
        False,
    ]
    assert [first_wins(30, 10, False, uniform) for uniform in (0.7499, 0.75)] == [True, False]
    assert [first_wins(0, other, False, uniform) for other, uniform in ((10, 0.0), (0, 0.49), (0, 0.5))] == [
        False,
        True,
        False,
    ]


def test_what_is_written_down_and_with_the_fault() -> None:
    assert recorded(True, False, 2.0, False) == (1.0, 0.0)
    assert recorded(False, False, 2.0, False) == (0.0, 1.0)
    assert recorded(True, True, 2.0, True) == recorded(False, True, 2.0, False) == (0.5, 0.5)
    assert recorded(True, False, 2.0, True) == (1.0, -1.0)
    for had in (0.0, 1.0, 2.5, 4.0):
        loser, winner = recorded(False, False, had, True)
        assert (had + loser, winner) == (1.0, 1.0)


@given(st.lists(st.floats(0, 1, exclude_max=True), min_size=12, max_size=12))
def test_lots_are_an_order_of_the_pool(rng: list[float]) -> None:
    pool = list(range(12))
    draw_lots(pool, 12, 12, rng, 0)
    assert sorted(pool) == list(range(12))


def test_every_order_has_its_own_lots() -> None:
    """Three places, numbers in thirds, halves and one: all six orders, each once."""
    found = set()
    for one in (0.0, 0.34, 0.67):
        for two in (0.0, 0.5):
            pool = [0, 1, 2]
            draw_lots(pool, 3, 3, [9.0, one, two, 0.0], 1)
            found.add(tuple(pool))
    assert len(found) == 6


def test_the_two_highest_may_be_equal_and_the_course_is_looked_at_after_every_tenth(run: DiaryRun) -> None:
    assert two_highest([1600, 1700, 1650]) == (1700, 1650)
    assert two_highest([1700, 1600, 1700]) == (1700, 1700)
    assert two_highest([-2800, 815]) == (815, -2800)
    course = run.course()
    assert [point[0] for point in course] == list(range(10, 101, 10))
    assert course[-1][1:] == (max(run.ratings), sorted(run.ratings)[-2])
    assert run.table[0].rating == run.figures.top_rating


# --- the update --------------------------------------------------------------------------------------------------
@pytest.mark.extended
def test_the_update_is_the_clubs_own() -> None:
    """The stream of games through the replay that rates the club: the same ratings, games and results, to the point."""
    for rules, settings in (
        (LAST, {"preset": "diary"}),
        (DiaryRules(leagues=2, draws=0.2), {"preset": "diary"}),
        (DiaryRules(decides=Decides.CHANCE), {"preset": "diary"}),
        (DiaryRules(k=32), {"preset": "constant", "k": 32, "start": 1600}),
    ):
        run = run_diary(rules, 100, 3, 2)
        elo = rating_system("elo")
        dated = DatedRule(date.min, elo, elo.read_settings({**settings, "period": "event", "whole": True}))
        states: dict[int, PlayerState] = {}
        list(replay(_stream(run), (), states=states, birth_years={}, rules=DatedRules([dated])))
        for place, player in enumerate(run.players):
            state = states[place]
            assert (state.rating, state.games) == (player.rating, player.games)
            assert (state.wins, state.draws) == (player.wins, player.draws)
        assert max(state.rating for state in states.values()) == run.top[-1]


def _stream(run: DiaryRun) -> list[PlayedGame]:
    """The run's games, a tournament a day."""
    size, found = run.rules.games, []
    for number in range(len(run.first)):
        on = MONDAY + timedelta(days=number // size)
        sides = run.first[number], run.second[number], run.first_scores[number]
        found.append(PlayedGame(number, *sides, order_key(on, number % size), on.toordinal(), number // size))
    return found


# --- the fault ---------------------------------------------------------------------------------------------------
def test_the_faults_deficit_told_a_second_way_is_mild_at_a_hundred_tournaments(run: DiaryRun, faulty: DiaryRun) -> None:
    """From the sound run's games alone: points by the story's words, minus one expected for every game played."""
    deficit = 0.0
    for number in range(1, 101):
        points: dict[int, float] = {}
        for game in run.tournament(number):
            had = points.get(game.first, 0.0)
            points.setdefault(game.second, 0.0)
            if game.first_score == 0.5:
                points[game.first] = had + 0.5
                points[game.second] += 0.5
            elif game.first_score == 1.0:
                points[game.first] = had + 1
                points[game.second] -= 1
            else:
                points[game.second] += 1
                points[game.first] = 1.0
        deficit += sum(points.values()) - 31
    assert faulty.deficit == pytest.approx(deficit, abs=1e-6)
    assert min(faulty.ratings) > 500
    assert -1400 < faulty.deficit < -1000


# --- what it finds -----------------------------------------------------------------------------------------------
def test_a_replication_has_the_figures_of_its_run_and_without_a_tournament_none() -> None:
    """What they are in every world is held against the kept document: test_diary_report."""
    for bug in (False, True):
        found = run_diary(DiaryRules(bug=bug), 100, 1, 0)
        assert diary_replication(100, 1, 0, bug=bug) == found.figures
        assert (found.figures.top_rating, found.figures.second_rating) == tuple(sorted(found.ratings)[:-3:-1])
        assert found.figures.deficit == found.deficit
    with pytest.raises(ValueError, match="No tournament"):
        diary_replication(0, 1, 0)
    study = DiaryStudy(LAST.games, 1)
    made, found = study.replication(0, PLAIN), study.begin()
    found.add(made)
    with pytest.raises(ValueError, match="Replication 0 is there twice"):
        found.add(made)


def test_in_two_leagues_everybody_meets_his_own_half() -> None:
    run, before = (run_diary(DiaryRules(leagues=2), count, 1, 0) for count in (101, 100))
    border = sorted(before.ratings)[32]
    field = {place for game in run.tournament(101)[:16] for place in game[:2]}
    assert len(field) == 32
    assert all(before.ratings[place] >= border for place in field)


@pytest.mark.slow  # that compiled code computes the same is tried in test_engine
def test_compiled_and_plain_runs_are_equal_to_the_last_bit() -> None:
    pytest.importorskip("numba")
    engine = best_engine()
    for rules in WORLDS:
        assert run_diary(rules, 60, 5, 1, engine=engine) == run_diary(rules, 60, 5, 1)
    assert isinstance(diary_replication(60, 5, 1, engine=engine), DiaryFigures)
