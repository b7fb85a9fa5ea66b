"""Who may still be entered in a tournament."""

from collections.abc import Collection
from dataclasses import dataclass, replace

from players.models import Player
from players.privacy.rules import OFFICER
from players.people.selectors import list_players
from ratings.models import PlayerRating
from ratings.lists.selectors.lists import main_list_of, ratings_now
from tournaments.models import Tournament

# A longer list is no list to tick in: the filter makes it short.
MOST_TO_TICK = 200


@dataclass(frozen=True, slots=True)
class Candidate:
    """Somebody who may still be entered. `rating` is empty for the unrated."""

    player: Player
    rating: PlayerRating | None
    ticked: bool


@dataclass(frozen=True, slots=True)
class Candidates:
    rows: list[Candidate]
    more: int


def candidates_for(tournament: Tournament, *, search: str, ticked: Collection[int]) -> Candidates:
    """Active players not yet entered, by name, those ticked always among them. `more` did not fit on the list."""
    free = list_players(OFFICER).filter(active=True).exclude(entries__tournament=tournament)
    chosen = list(free.filter(pk__in=ticked))
    found = list_players(OFFICER, search=search.replace(",", " ")).filter(active=True)
    found = found.exclude(entries__tournament=tournament).exclude(pk__in=ticked)
    others = list(found[: MOST_TO_TICK + 1])
    more = found.count() - MOST_TO_TICK if len(others) > MOST_TO_TICK else 0
    people = sorted([*chosen, *others[:MOST_TO_TICK]], key=lambda player: (player.sort_name, player.number))
    rating_list = main_list_of(tournament.pool)
    ratings = ratings_now(rating_list, [player.pk for player in people]) if rating_list else {}
    rows = [Candidate(player, ratings.get(player.pk), player.pk in ticked) for player in people]
    return Candidates(rows, more)


def with_the_one_ticked(found: Candidates) -> Candidates:
    """The same with a tick for the only one that a search has found beside those ticked already."""
    new = [row for row in found.rows if not row.ticked]
    if len(new) != 1:
        return found
    return Candidates([replace(row, ticked=True) for row in found.rows], found.more)
