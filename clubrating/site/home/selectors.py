"""What the front page shows besides its rounds: the boards of one, running events, latest results."""

from django.db.models import Case, Count, Exists, F, FilteredRelation, Max, Min, OuterRef, Q, Subquery, When
from django.db.models.functions import Coalesce

from ratings.models import RatingList
from tournaments.events.selectors.stages import round_limit
from tournaments.models import Game, Round, Stage, Tournament
from tournaments.pairing import PAIRING_SYSTEMS
from tournaments.pairing.base import RoundSystem
from tournaments.standings.points import DECIDED_RESULTS, OUTCOMES

# Games played on the board; forfeits of players who withdrew are entered beforehand and are not shown.
PLAYED_RESULTS = [code.value for code, outcome in OUTCOMES.items() if outcome.played and outcome.white is not None]
# The latest results are searched among the last games recorded, so that an imported history is not read as a whole.
LOOKED_AT = 500
ONE_BY_ONE = [system.key for system in PAIRING_SYSTEMS if isinstance(system, RoundSystem)]


def boards_of(row: Round, rating_list: RatingList | None, count: int) -> list[Game]:
    """The round's first boards in order, in every group that plays it, of a match the latest game; each carries both
    players' present `white_rating`, `white_games`, `black_rating` and `black_games` in that list (None for whoever is
    not in it)."""
    of_match = Game.objects.filter(pairing=OuterRef("pairing"), surplus=False).order_by("-number")
    games = Game.objects.filter(
        pairing__stage__tournament=row.stage.tournament_id,
        pairing__round__number=row.number,
        pairing__superseded=False,
        number=Subquery(of_match.values("number")[:1]),
    ).select_related("white", "black", "pairing")
    games = games.exclude(pairing__round__state=Round.State.DRAFT).annotate(
        in_list_white=FilteredRelation("white__ratings", condition=Q(white__ratings__rating_list=rating_list)),
        in_list_black=FilteredRelation("black__ratings", condition=Q(black__ratings__rating_list=rating_list)),
        white_rating=F("in_list_white__rating"),
        white_games=F("in_list_white__games"),
        black_rating=F("in_list_black__rating"),
        black_games=F("in_list_black__games"),
    )
    return list(games.order_by("pairing__stage__order", "pairing__board")[:count])


def running_events(count: int = 8) -> list[Tournament]:
    """Published events with open boards, and those whose next round is still to be paired; each carries `current` (the
    first round with open boards, else the last one), and `rounds` (None where nobody knows how many come)."""
    shown = Q(games__pairing__superseded=False) & ~Q(games__pairing__round__state=Round.State.DRAFT)
    open_round = shown & ~Q(games__result__in=DECIDED_RESULTS)
    one_by_one = Stage.objects.filter(tournament=OuterRef("pk"), pairing_system__in=ONE_BY_ONE)
    last = Round.objects.filter(stage__tournament=OuterRef("pk")).order_by("-number").values("number")
    events = list(
        Tournament.objects.filter(open_ended=False, closed=False)
        .annotate(
            more_may_come=Exists(one_by_one),
            of_parts=Exists(Stage.objects.filter(tournament=OuterRef("pk"), order__gt=1)),
            stage_system=Subquery(one_by_one.values("pairing_system")[:1]),
            stage_settings=Subquery(one_by_one.values("settings")[:1]),
            first_open=Min("games__pairing__round__number", filter=open_round),
            last_paired=Max("games__pairing__round__number", filter=shown),
            current=Coalesce("first_open", "last_paired"),
            rounds=Case(When(more_may_come=False, then=Subquery(last[:1]))),
            players=Count("entries", distinct=True),
        )
        .filter(Q(first_open__isnull=False) | Q(more_may_come=True, last_paired__isnull=False))
        .order_by("-starts_on", "-pk")[:count]
    )
    for event in events:
        if event.more_may_come and not event.of_parts:
            event.rounds = round_limit(Stage(pairing_system=event.stage_system, settings=event.stage_settings))
    return [*events]


def latest_results(count: int = 8) -> list[Game]:
    """The results of games played that were recorded last, as far as the last games go."""
    last = Game.objects.filter(sequence__isnull=False).order_by("-sequence").values("pk")[:LOOKED_AT]
    return list(
        Game.objects.filter(pk__in=last, recorded_at__isnull=False, result__in=PLAYED_RESULTS)
        .exclude(pairing__round__state=Round.State.DRAFT)
        .select_related("white", "black", "tournament")
        .order_by("-recorded_at", "-sequence")[:count]
    )
