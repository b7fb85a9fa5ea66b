"""A career folded from the ledger: streaks, the best win, the chart of several lists, and games rated by the event."""

from dataclasses import replace
from datetime import date, timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clubrating.site.player_pages.careers import Streak, best_win, career_chart, fold_career, samples_of, streak
from players.models import Player
from ratings.lists.selectors.history import CareerRow, careers, common_standings, drawn_share
from ratings.lists.services import NewRule, NewStart, set_rules
from ratings.models import RatingList
from ratings.systems.probation import Probation
from tests import factory
from tests.tournaments.entries.entry_cases import club_and_list
from tournaments.events.services.events import update_tournament
from tournaments.models import Tournament
from tournaments.rated_games.services.people import bring_starting_ratings
from tournaments.rated_games.services.rebuilding import rebuild_list
from tournaments.standings.points import Result


def row(score: float = 1.0, opponent: float | None = 1500.0, *, game: int = 1, **other: Any) -> CareerRow:
    """The `game`th of a career that began from nothing."""
    on, is_white, after = date(2026, 1, 1) + timedelta(days=game), game % 2 == 1, 1500.0 + game
    plain = CareerRow(game, on, is_white, score, game - 1, 0, after - 1.0, 1.0, after, opponent, 40, 7, "Cup", "cup")
    return replace(plain, **other)


@pytest.mark.parametrize(
    ("scores", "wins", "unbeaten"),
    [("", (0, 0), (0, 0)), ("111", (3, 3), (3, 3)), ("11½1", (1, 2), (4, 4)), ("1110½½", (0, 3), (2, 3))],
)
def test_streaks_run_to_the_last_game(scores: str, wins: tuple[int, int], unbeaten: tuple[int, int]) -> None:
    worth = {"1": 1.0, "½": 0.5, "0": 0.0}
    career = fold_career([row(worth[score], game=at + 1) for at, score in enumerate(scores)])
    assert (career.wins.now, career.wins.longest) == wins
    assert (career.unbeaten.now, career.unbeaten.longest) == unbeaten


@given(st.lists(st.booleans()))
def test_a_streak_is_the_longest_row_of_what_is_kept(kept: list[bool]) -> None:
    runs = "".join("x" if each else " " for each in kept).split(" ")
    assert streak(kept) == Streak(len(runs[-1]), max(len(run) for run in runs))


def test_the_best_win_is_over_the_highest_rating_then() -> None:
    rows = [row(1.0, 1700, game=1), row(0.5, 2100, game=2), row(1.0, 1900, game=3), row(1.0, None, game=4)]
    assert fold_career(rows).best_win is rows[2]
    assert best_win([row(0.0), row(1.0, None)]) is None


def test_samples_say_which_games_were_on_probation_and_which_end_an_event() -> None:
    rows = [row(game=game, event_slug="a" if game < 3 else "b") for game in range(1, 5)]
    found = samples_of(rows, Probation(3))
    assert [sample.provisional for sample in found] == [True, True, False, False]
    assert [sample.ends for sample in found] == [False, True, False, True]
    back = samples_of([row(game=40 + at, reentry=reentry) for at, reentry in enumerate((0, 2, 1, 0))], Probation(30))
    assert [sample.provisional for sample in back] == [False, True, False, False], "to the last game after a return"
    # All three bring the number of games before the event; a game that is not rated yet has no point.
    rows = [row(game=1, games=28), row(game=2, games=28), row(game=3, games=28, after=None)]
    assert [(sample.game, sample.provisional) for sample in samples_of(rows, Probation(30))] == [
        (29, True),
        (30, False),
    ]


def test_a_chart_begins_with_the_second_game_of_the_chosen_list(monkeypatch: pytest.MonkeyPatch) -> None:
    one, other = RatingList(pk=1, name="One"), RatingList(pk=2, name="Other")
    rows = {1: [row()], 2: [row(), row(game=2)]}
    assert career_chart([one, other], rows, one) is None
    chart = career_chart([one, other], rows, other)
    assert chart is not None
    assert [line.name for line in chart.wide.lines] == ["One", "Other"]
    assert [mark.rating_list.name for mark in chart.marks] == ["Other", "One", "Other"], "latest first"
    monkeypatch.setattr("clubrating.site.player_pages.careers.MOST_POINTS", 3)
    assert career_chart([one, other], rows, other) == chart, "every game of three"
    assert career_chart([one, other], rows, other, date(2026, 1, 3)) is None, "one game is left from that day on"


standard = club_and_list


@pytest.fixture(scope="module")
def season(standard: RatingList) -> list[Player]:
    """Four players in a standard and a rapid cup: White always wins."""
    factory.make_list("rapid", pool="rapid", primary=False)
    players = factory.make_players(4)
    for name, pool in (("Winter Cup", "standard"), ("Rapid Cup", "rapid")):
        cup = factory.make_round_robin(players, name=name)
        update_tournament(cup.pk, {"pool": pool}, by=None)
        factory.play_all(cup, Result.WHITE_WINS)
    return players


@pytest.mark.django_db
def test_a_career_is_read_in_every_list_at_once(
    season: list[Player], django_assert_num_queries: pytest.FixtureRequest
) -> None:
    lists = list(RatingList.objects.all())
    with django_assert_num_queries(1):  # type: ignore[operator]
        found = careers(season[0], lists)
    assert [len(found[each.pk]) for each in lists] == [3, 3]
    rows = found[lists[0].pk]
    assert [each.score for each in rows] == [1.0 if each.is_white else 0.0 for each in rows]
    assert {each.opponent_key for each in rows} == {player.pk for player in season[1:]}
    assert rows[-1].after == pytest.approx(1500.0 + sum(each.change or 0.0 for each in rows))


@pytest.mark.django_db
def test_where_the_event_is_rated_as_a_whole_its_step_stands_after_each_game(season: list[Player]) -> None:
    rating_list = RatingList.objects.get(slug="standard")
    set_rules(rating_list, [NewRule(date(1900, 1, 1), "elo", {"period": "event"})], by=None)
    Tournament.objects.update(closed=True)
    rebuild_list(rating_list)
    rating_list.refresh_from_db()
    rows = careers(season[0], [rating_list])[rating_list.pk]
    assert len({each.after for each in rows}) == 1
    assert None not in {each.after for each in rows}


@pytest.mark.django_db
def test_common_lists_are_those_that_have_both(season: list[Player]) -> None:
    found = common_standings(season[0], season[1])
    pairs = [(own.rating_list.slug, own.player, other.player) for own, other in found]
    assert pairs == [(slug, season[0], season[1]) for slug in ("standard", "rapid")]
    (stranger,) = factory.make_players(1)
    bring_starting_ratings(found[0][0].rating_list, [NewStart(stranger.pk, factory.MONDAY, 1500)], by=None)
    assert len(common_standings(season[0], stranger)) == 1


@pytest.mark.django_db
def test_the_share_of_draws_is_read_off_the_latest_games(season: list[Player]) -> None:
    rating_list = RatingList.objects.get(slug="standard")
    found = drawn_share(rating_list)
    assert (found.games, found.draws) == (6, 0)
    assert 0.2 < found.even <= 0.25
    factory.play_all(factory.make_round_robin(season, name="Drawn Cup"))
    assert drawn_share(rating_list).draws == 6
    empty = factory.make_list("blitz", pool="blitz", primary=False)
    assert (drawn_share(empty).games, drawn_share(empty).even) == (0, 0.0)
