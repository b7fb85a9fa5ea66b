"""Swisses of the cast, always through the real services and the real engine."""

from collections.abc import Sequence

from players.models import Player
from ratings.lists.services import NewStart
from ratings.models import RatingList
from tests import factory
from tests.tournaments.rounds.round_cases import play
from tournaments.entries.services.entries import enter_players, number_by_rating
from tournaments.events.services.events import NewTournament, create_tournament
from tournaments.models import Entry, Game, Round, Stage
from tournaments.rated_games.services.people import bring_starting_ratings
from tournaments.rounds.services.next_round import pair_next_round
from tournaments.standings.points import Result

WHITE, DRAW, BLACK = Result.WHITE_WINS, Result.DRAW, Result.BLACK_WINS


def rate(standard: RatingList, players: Sequence[Player], *ratings: int) -> None:
    """Ratings of the club's list, in the order of the players."""
    starts = [NewStart(player.pk, factory.MONDAY, rating, 40) for player, rating in zip(players, ratings, strict=True)]
    bring_starting_ratings(standard, starts, by=None)


def make_swiss(players: Sequence[Player], *, name: str = "Open", **settings: object) -> Stage:
    """The stage of a Swiss, numbered by rating; no round yet."""
    new = NewTournament(name, pairing_system="dutch", starts_on=factory.MONDAY, settings={"rounds": 5, **settings})
    tournament = create_tournament(new, by=None)
    enter_players(tournament, players, by=None)
    number_by_rating(factory.stage_of(tournament), by=None)
    return factory.stage_of(tournament)


def play_rounds(stage: Stage, count: int, *results: Result) -> list[Round]:
    """The next rounds, published and played: these results in board order, draws after them."""
    made = []
    for _round in range(count):
        row = pair_next_round(stage, by=None, publish=True)
        boards = Game.objects.filter(pairing__round=row).count()
        play(row, *(*results, *[DRAW] * boards)[:boards])
        made.append(row)
    return made


def numbers_of(stage: Stage) -> dict[int, int]:
    """The pairing number of each player, by the player's own."""
    rows = Entry.objects.filter(tournament=stage.tournament_id).order_by("number")
    return {player: number or 0 for player, number in rows.values_list("player__number", "number")}
