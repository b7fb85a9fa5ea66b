"""What the front page shows besides its rounds: the boards of one, latest results."""

from typing import Any

from django.db.models import F, FilteredRelation, OuterRef, Q, Subquery

from ratings.models import RatingList
from tournaments.events.selectors.stages import name_sides
from tournaments.models import Game, Round
from tournaments.standings.points import OUTCOMES

# Games played on the board; forfeits of players who withdrew are entered beforehand and are not shown.
PLAYED_RESULTS = [code.value for code, outcome in OUTCOMES.items() if outcome.played and outcome.white is not None]
# The latest results are searched among the last games recorded, so that an imported history is not read as a whole.
LOOKED_AT = 500


def boards_of(row: Round, rating_list: RatingList | None, count: int) -> list[Game]:
    """The round's first boards in order, in every group that plays it, of a match the latest game; each carries both
    players' present `white_rating`, `white_games` and `white_deviation` in that list, and Black's (None for whoever is
    not in it)."""
    of_match = Game.objects.filter(pairing=OuterRef("pairing"), surplus=False).order_by("-number")
    games = Game.objects.filter(
        pairing__stage__tournament=row.stage.tournament_id,
        pairing__round__number=row.number,
        pairing__superseded=False,
        number=Subquery(of_match.values("number")[:1]),
    ).select_related("white", "black", "pairing", "tournament")
    games = games.exclude(pairing__round__state=Round.State.DRAFT).annotate(
        in_list_white=FilteredRelation("white__ratings", condition=Q(white__ratings__rating_list=rating_list)),
        in_list_black=FilteredRelation("black__ratings", condition=Q(black__ratings__rating_list=rating_list)),
        white_rating=F("in_list_white__rating"),
        white_games=F("in_list_white__games"),
        white_deviation=F("in_list_white__deviation"),
        black_rating=F("in_list_black__rating"),
        black_games=F("in_list_black__games"),
        black_deviation=F("in_list_black__deviation"),
    )
    found: list[Any] = list(games.order_by("pairing__stage__order", "pairing__board")[:count])
    name_sides(found)
    for game in found:
        if game.tournament.entry_size > 1:  # the list knows people, not entries
            game.white_rating = game.black_rating = None
    return found


def latest_results(count: int = 8) -> list[Game]:
    """The results of games played that were recorded last, as far as the last games go."""
    last = Game.objects.filter(sequence__isnull=False).order_by("-sequence").values("pk")[:LOOKED_AT]
    found = list(
        Game.objects.filter(pk__in=last, recorded_at__isnull=False, result__in=PLAYED_RESULTS)
        .exclude(pairing__round__state=Round.State.DRAFT)
        .select_related("white", "black", "tournament")
        .order_by("-recorded_at", "-sequence")[:count]
    )
    name_sides(found)
    return found
