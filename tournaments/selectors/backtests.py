"""The club's own games of one list as the lab's back-test takes them, read as a rebuild reads them."""

from dataclasses import dataclass

from clubrating.marks import marked
from ratings.lab.backtest import CONTENDERS
from ratings.lab.predictions import Entrant, History, entrant, ruled
from ratings.models import RatingList
from ratings.selectors import main_of
from ratings.services.ledger import birth_years
from ratings.services.lists import reentry_of, rules_of, starts_of
from tournaments.selectors.games import rated_games

CLUB = "club"  # the key of the list's own rules among the systems


@dataclass(frozen=True, slots=True)
class ClubHistory:
    """The list's games, and all who can be tried on them: its own dated rules first, then the lab's systems."""

    rating_list: RatingList
    history: History
    entrants: tuple[Entrant, ...]


def main_list() -> RatingList | None:
    """The club's main list, shown to the public or not; None where there is no list."""
    return main_of(RatingList.objects.all())


def club_history(rating_list: RatingList) -> ClubHistory:
    """The rated games of the list's pool. Starting ratings are on Elo's scale, so every system on that scale begins
    with them, and the others without."""
    starts = starts_of(rating_list)
    history = History(tuple(rated_games(rating_list.pool)), birth_years(), dated=True, given={})
    own = ruled(CLUB, marked("The club’s rules"), rules_of(rating_list), starts, reentry_of(rating_list))
    others = (entrant(each, starts if each.system.elo_scale else ()) for each in CONTENDERS)
    return ClubHistory(rating_list, history, (own, *others))
