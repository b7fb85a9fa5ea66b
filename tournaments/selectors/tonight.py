"""What the front page tells beside its rounds: the boards of one, running events, latest results."""

from django.db.models import Count, F, FilteredRelation, Max, Min, Q

from ratings.models import RatingList
from tournaments.models import Game, Round, Tournament
from tournaments.standings.points import DECIDED_RESULTS


def boards_of(row: Round, rating_list: RatingList | None, count: int) -> list[Game]:
    """The round's first games in board order; each carries both players' present `white_rating`, `white_games`,
    `black_rating` and `black_games` in that list (None for whoever is not in it)."""
    games = Game.objects.filter(pairing__round=row, number=1).select_related("white", "black", "pairing")
    games = games.annotate(
        in_list_white=FilteredRelation("white__ratings", condition=Q(white__ratings__rating_list=rating_list)),
        in_list_black=FilteredRelation("black__ratings", condition=Q(black__ratings__rating_list=rating_list)),
        white_rating=F("in_list_white__rating"),
        white_games=F("in_list_white__games"),
        black_rating=F("in_list_black__rating"),
        black_games=F("in_list_black__games"),
    )
    return list(games.order_by("pairing__board")[:count])


def running_events(count: int = 8) -> list[Tournament]:
    """Published events with open boards; each carries `rounds`, `current` (the first round with open boards)."""
    open_round = Q(games__pairing__round__state=Round.State.PUBLISHED) & ~Q(games__result__in=DECIDED_RESULTS)
    return list(
        Tournament.objects.filter(open_ended=False)
        .annotate(
            current=Min("games__pairing__round__number", filter=open_round),
            rounds=Max("games__pairing__round__number"),
            players=Count("entries", distinct=True),
        )
        .filter(current__isnull=False)
        .order_by("-starts_on", "-pk")[:count]
    )


def latest_results(count: int = 8) -> list[Game]:
    """The results recorded last."""
    return list(
        Game.objects.filter(recorded_at__isnull=False, result__in=DECIDED_RESULTS)
        .exclude(pairing__round__state=Round.State.DRAFT)
        .select_related("white", "black", "tournament")
        .order_by("-recorded_at", "-sequence")[:count]
    )
