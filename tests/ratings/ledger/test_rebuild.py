"""A list rated anew beside the live one: whatever happens meanwhile, what takes over equals a fresh replay."""

from collections.abc import Callable
from datetime import timedelta

import pytest

from players.models import Player
from ratings.ledger.services import rebuild as rebuilding
from ratings.lists.services import NewStart
from ratings.models import LedgerEntry, PlayerRating, RatingList
from tests import factory
from tournaments.corrections.services.game_changes import swap_colours
from tournaments.merging.services import merge_players
from tournaments.models import Game
from tournaments.rated_games.services.people import bring_starting_ratings, change_player
from tournaments.rated_games.services.rebuilding import ListGames, check_list, rebuild_list
from tournaments.results.services.results import correct_result
from tournaments.standings.points import Result

pytestmark = pytest.mark.django_db
DAY = factory.MONDAY


@pytest.fixture(scope="module")
def players(world: None) -> list[Player]:
    factory.make_club()
    factory.make_list()
    everybody = factory.make_players(6)
    cup = factory.make_round_robin(everybody)
    factory.play_all(cup, Result.WHITE_WINS)
    return everybody


@pytest.fixture
def standard(players: list[Player]) -> RatingList:
    return RatingList.objects.get(slug="standard")


def first_game() -> Game:
    return Game.objects.order_by("played_on", "sequence")[0]


def corrected(players: list[Player]) -> None:
    """A late game, then an early one, then the late one again."""
    last = Game.objects.order_by("-played_on", "-sequence")[0]
    for game, result in ((last, Result.BLACK_WINS), (first_game(), Result.BLACK_WINS), (last, Result.DRAW)):
        correct_result(game=game.pk, result=result, by=None)


def merged(players: list[Player]) -> None:
    newcomer = factory.make_players(7)[-1]
    factory.play_all(factory.make_round_robin([newcomer, players[0]], name="Late"), Result.DRAW)
    merge_players(keep=players[3].pk, gone=newcomer.pk, by=None, reason="other")


MEANWHILE: dict[str, Callable[[list[Player]], object]] = {
    "a correction": corrected,
    "a game moved": lambda players: correct_result(
        game=first_game().pk, result=Result.WHITE_WINS, played_on=DAY + timedelta(days=60), by=None
    ),
    "a game cleared": lambda players: correct_result(game=first_game().pk, result=Result.OPEN, by=None),
    "colours swapped": lambda players: swap_colours(game=first_game().pk, mirror=False, by=None, reason="other"),
    "two records merged": merged,
    "a junior": lambda players: change_player(players[1].pk, {"birth_year": 2015}, by=None),
    "somebody inactive": lambda players: change_player(players[1].pk, {"active": False}, by=None),
    "a starting rating": lambda players: bring_starting_ratings(
        RatingList.objects.get(), [NewStart(players[2].pk, DAY, 1900, 40)], by=None
    ),
    "another rebuild": lambda players: rebuild_list(RatingList.objects.get()),
}


@pytest.mark.extended
@pytest.mark.parametrize("at", [1, 3, 6])
@pytest.mark.parametrize("what", MEANWHILE)
def test_what_happens_while_a_list_is_rated_is_in_it(
    standard: RatingList, players: list[Player], monkeypatch: pytest.MonkeyPatch, what: str, at: int
) -> None:
    breaths = []

    def breathe(seconds: float) -> None:
        breaths.append(seconds)
        if len(breaths) == at:
            MEANWHILE[what](players)

    monkeypatch.setattr(rebuilding, "CHUNK", 3)
    monkeypatch.setattr(rebuilding, "sleep", breathe)
    rebuild_list(standard)
    assert breaths.count(rebuilding.BREATH) >= 15 / 3 + 6 / 3, "one for every chunk of games and of ratings"
    assert check_list(standard) == []


def test_of_two_lists_rated_at_once_neither_touches_the_other(standard: RatingList, players: list[Player]) -> None:
    other = factory.make_list("other", primary=False)
    built, games = rebuilding.build(other, ListGames(other)), ListGames(standard)
    given_up = rebuilding.build(standard, games)
    assert given_up.generation == built.generation, "the number alone does not tell them apart"
    rebuilding.abandon(given_up)
    rebuilding.rebuild(standard, games, tell=lambda _rated: MEANWHILE["a correction"](players), pause=0)
    rebuilding.clear_generations(standard)
    assert check_list(other) == []
    assert rebuilding.take_over(built, ListGames(other))
    assert check_list(standard) == check_list(other) == []


def test_clearing_up_leaves_what_a_later_rebuild_wrote(
    standard: RatingList, players: list[Player], monkeypatch: pytest.MonkeyPatch
) -> None:
    rebuild_list(standard)
    games = ListGames(standard)
    built = rebuilding.build(standard, games)
    assert rebuilding.take_over(built, games)
    monkeypatch.setattr(rebuilding, "CHUNK", 3)
    breaths: list[float] = []
    monkeypatch.setattr(rebuilding, "sleep", breaths.append)
    later = rebuilding.build(standard, games)
    rebuilding.clear_generations(standard)
    assert rebuilding.take_over(later, games)
    breaths.clear()
    rebuilding.clear_generations(standard)
    assert set(breaths) == {rebuilding.BREATH}, "a pause for others, however long the removal takes"
    assert 15 / 3 + 6 / 3 <= len(breaths) <= 15 / 3 + 6 / 3 + 2, "one for every range of keys"
    assert check_list(standard) == []
    assert PlayerRating.objects.count() == len(players)


def test_a_generations_number_is_given_once(standard: RatingList, players: list[Player]) -> None:
    first = rebuilding.build(standard, ListGames(standard), tell=lambda _rated: MEANWHILE["a starting rating"](players))
    rebuilding.abandon(first)
    assert check_list(standard) == [], "what is given up took nothing from the live one"
    second = rebuilding.build(standard, ListGames(standard))
    assert second.generation > first.generation
    assert not LedgerEntry.objects.filter(generation=first.generation).exists()
    rebuilding.abandon(first)
    assert rebuilding.take_over(second, ListGames(standard)), "abandoning one does not void another"


def test_of_two_rebuilds_the_later_one_takes_over(standard: RatingList, players: list[Player]) -> None:
    games = ListGames(standard)
    first, second = rebuilding.build(standard, games), rebuilding.build(standard, games)
    assert not rebuilding.take_over(first, games)
    assert rebuilding.take_over(second, games)
    rebuilding.abandon(first)
    assert set(LedgerEntry.objects.values_list("generation", flat=True)) == {1, second.generation}
    assert check_list(standard) == []


def test_what_another_rebuild_overtook_is_removed(standard: RatingList, players: list[Player]) -> None:
    games, later = ListGames(standard), []

    def overtake(_rated: int) -> None:
        if not later:
            later.append(rebuilding.build(standard, games))
            assert rebuilding.take_over(later[0], games)

    rebuilding.rebuild(standard, games, tell=overtake, pause=0)
    assert set(LedgerEntry.objects.values_list("generation", flat=True)) == {1, later[0].generation}


def test_a_rebuild_takes_no_change_from_the_one_that_overtook_it(standard: RatingList, players: list[Player]) -> None:
    games, later = ListGames(standard), []

    def overtake(_rated: int) -> None:
        if not later:
            later.append(rebuilding.build(standard, games))
            corrected(players)

    rebuilding.build(standard, games, tell=overtake)
    assert rebuilding.take_over(later[0], games)
    assert check_list(standard) == []
