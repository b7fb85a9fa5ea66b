"""Who has met whom, in all events: a player's opponents with the score against each, and the games of two people.

Counted are games played on the board; whatever a result was decided by otherwise (forfeits) stands in the list of
games and nowhere else.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from django.db.models import Count, F, Q, QuerySet

from players.models import Player
from ratings.models import LedgerEntry
from ratings.systems.base import Tally
from tournaments.models import Game
from tournaments.standings.points import DECIDED_RESULTS, OUTCOMES, Result, seen_from_black

PLAYED = [result for result in DECIDED_RESULTS if OUTCOMES[result].played]
_SCORES = {"win": 1.0, "draw": 0.5, "loss": 0.0}


@dataclass(frozen=True, slots=True)
class Met:
    """An opponent, and the player's score against him in all games played."""

    player: Player
    tally: Tally


@dataclass(slots=True)
class Score:
    """The score of one player against another: in all, by the colour he had, and by pool."""

    total: Tally = field(default_factory=Tally)
    white: Tally = field(default_factory=Tally)
    black: Tally = field(default_factory=Tally)
    pools: dict[str, Tally] = field(default_factory=dict)


def opponents_of(player: Player) -> list[Met]:
    """Everybody the player has played, whoever he met most often first. Two queries."""
    own = Q(white=player) | Q(black=player)
    rows = Game.objects.filter(own, result__in=PLAYED, tournament__entry_size=1).order_by()
    tallies: dict[int, Tally] = {}
    for white, black, result, count in rows.values_list("white", "black", "result").annotate(count=Count("pk")):
        is_white = white == player.pk
        tally = tallies.setdefault(black if is_white else white, Tally())
        for _ in range(count):
            tally.add(share_of(result, is_white=is_white))
    people = Player.objects.in_bulk(list(tallies))
    met = [Met(people[key], tally) for key, tally in tallies.items()]
    return sorted(met, key=lambda each: (-each.tally.games, each.player.number))


def games_between(one: Player, other: Player) -> QuerySet[Game]:
    """Every decided game of the two, latest first, with event and round joined in."""
    seats = Q(white=one, black=other) | Q(white=other, black=one)
    rows = Game.objects.filter(seats, result__in=DECIDED_RESULTS, tournament__entry_size=1)
    return rows.select_related("tournament", "pairing__round").order_by("-played_on", "-sequence")


def score_between(one: Player, other: Player) -> Score:
    """The score of `one` against `other`, in the games played."""
    found = Score()
    rows = games_between(one, other).filter(result__in=PLAYED).order_by("pool")
    for white, pool, result in rows.values_list("white", "pool", "result"):
        share = share_of(result, is_white=white == one.pk)
        found.total.add(share)
        (found.white if white == one.pk else found.black).add(share)
        found.pools.setdefault(pool, Tally()).add(share)
    return found


def share_of(result: str, *, is_white: bool) -> float:
    """What a decided result was worth to one side: 1, ½ or 0."""
    code = Result(result)
    return _SCORES[OUTCOMES[code if is_white else seen_from_black(code)].white or "loss"]


def changes_in(games: Iterable[Game]) -> Mapping[int, LedgerEntry]:
    """What those games did to ratings: the row of each (by key) in the first public list that rated it."""
    rows = LedgerEntry.objects.filter(
        game__in=[game.pk for game in games],
        rating_list__public=True,
        generation=F("rating_list__live_generation"),
    ).select_related("rating_list")
    found: dict[int, LedgerEntry] = {}
    for row in rows.order_by("-rating_list__primary", "rating_list__order", "rating_list_id"):
        found.setdefault(row.game_id, row)
    return found
