"""Who has met whom: opponents with the score, two people's games, what counts and what only stands there."""

import pytest
from django.db import connection
from django.db.models import F
from django.test.utils import CaptureQueriesContext

from players.models import Player
from ratings.models import RatingList
from tests import factory
from tournaments.events.services.events import update_tournament
from tournaments.meetings.selectors import changes_in, games_between, opponents_of, score_between, share_of
from tournaments.models import Game, Tournament
from tournaments.standings.points import DECIDED_RESULTS, Result

pytestmark = pytest.mark.django_db


@pytest.fixture(scope="module")
def cast(world: None) -> list[Player]:
    """Three players in two cups: White wins all of the first one, the second, in rapid, is drawn."""
    factory.make_club()
    factory.make_list()
    players = factory.make_players(3)
    factory.play_all(factory.make_round_robin(players), Result.WHITE_WINS)
    rapid = factory.make_round_robin(players, name="Rapid Cup")
    update_tournament(rapid.pk, {"pool": "rapid"}, by=None)
    factory.play_all(rapid)
    return players


def test_opponents_come_with_the_score_the_most_frequent_first(cast: list[Player]) -> None:
    with CaptureQueriesContext(connection) as queries:
        met = opponents_of(cast[0])
    assert len(queries) == 2
    assert [(each.player, each.tally.games, each.tally.draws) for each in met] == [(cast[1], 2, 1), (cast[2], 2, 1)]
    players = factory.make_players(2)
    factory.make_round_robin(players)
    assert opponents_of(players[0]) == [], "an open game is no meeting"
    assert not games_between(*players)


def test_the_score_is_told_by_colour_and_pool_and_counts_no_forfeit(cast: list[Player]) -> None:
    one, other = score_between(cast[0], cast[1]), score_between(cast[1], cast[0])
    assert (one.total.wins, one.total.draws, one.total.losses) == (other.total.losses, 1, other.total.wins)
    assert one.white.games == other.black.games
    assert one.white.games + one.black.games == one.total.games == 2
    assert set(one.pools) == {"standard", "rapid"}
    assert one.pools["rapid"].draws == 1
    won = games_between(cast[0], cast[1]).get(result=Result.WHITE_WINS)
    score = score_between(won.white, won.black)
    assert (score.total.wins, score.white.wins, score.black.wins, score.pools["standard"].wins) == (1, 1, 0, 1)
    assert next(met for met in opponents_of(won.black) if met.player == won.white).tally.losses == 1
    game = games_between(cast[0], cast[1])[0]
    Game.objects.filter(pk=game.pk).update(result=Result.WHITE_FORFEITS)
    assert games_between(cast[0], cast[1]).count() == 2
    assert score_between(cast[0], cast[1]).total.games == 1
    assert next(met for met in opponents_of(cast[0]) if met.player == cast[1]).tally.games == 1


def test_what_a_result_is_worth_to_either_side() -> None:
    for result in DECIDED_RESULTS:
        white, black = share_of(result, is_white=True), share_of(result, is_white=False)
        assert {white, black} <= {0.0, 0.5, 1.0}, result
        assert white + black <= 1.0, result
    won = (Result.WHITE_WINS, Result.BLACK_FORFEITS, Result.WHITE_DRAWS_BLACK_PENALISED, Result.NO_POINTS)
    assert [share_of(result, is_white=True) for result in won] == [1.0, 1.0, 0.5, 0.0]
    assert [share_of(result, is_white=False) for result in won] == [0.0, 0.0, 0.0, 0.0]


def test_two_pairs_that_met_are_no_two_people_who_met(cast: list[Player]) -> None:
    Tournament.objects.filter(pool="rapid").update(entry_size=2)
    assert (
        {game.pool for game in games_between(cast[0], cast[1])} == set(score_between(*cast[:2]).pools) == {"standard"}
    )
    assert [each.tally.games for each in opponents_of(cast[0])] == [1, 1]


def test_changes_are_those_of_public_lists(cast: list[Player]) -> None:
    games = list(games_between(cast[0], cast[1]))
    found = changes_in(games)
    assert list(found) == [game.pk for game in games if game.pool == "standard"]
    RatingList.objects.update(public=False)
    assert changes_in(games) == {}
    RatingList.objects.update(public=True, live_generation=F("live_generation") + 1)
    assert changes_in(games) == {}, "what a replay has replaced"
