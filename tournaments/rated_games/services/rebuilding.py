"""A list rated from nothing, and compared with a fresh replay: the games are handed down from here."""

from ratings.ledger.services.ledger import reads_handicap
from ratings.ledger.services.rebuild import GamesOf, Tell, clear_generations, differences, rebuild
from ratings.models import RatingList
from ratings.systems.base import Moment
from ratings.systems.sides import Played
from tournaments.events.services.counts import miscounted
from tournaments.rated_games.selectors.games import rated_play
from tournaments.rated_games.services.rating import tail_games


def play_of(rating_list: RatingList) -> Played:
    """All games and contests a list rates, with what its system reads of them."""
    return rated_play(rating_list.pool, handicaps=reads_handicap(rating_list))


class ListGames(GamesOf):
    """The games and contests of a list, for a rebuild."""

    def __init__(self, rating_list: RatingList) -> None:
        self.list = rating_list

    def all(self) -> Played:
        return play_of(self.list)

    def since(self, moment: Moment) -> tuple[Moment, Played, bool]:
        return tail_games(self.list, moment, {})


def rebuild_list(rating_list: RatingList, *, tell: Tell | None = None) -> int:
    """Rate a list from nothing beside the live one; the number of games rated. `tell` hears how far it is."""
    games = rebuild(rating_list, ListGames(rating_list), tell=tell)
    clear_generations(rating_list)
    return games


def check_list(rating_list: RatingList) -> list[str]:
    """What differs between a list and a fresh replay of its facts, and between the kept counts of its pool's games and
    these, one line each; empty where nothing does."""
    return [*differences(rating_list, play_of(rating_list)), *miscounted(rating_list.pool)]
