"""Starting ratings that hold only from a day after games they are meant for.

Such games are rated as a newcomer's, and the start sets everything back when its day comes. Not meant: a start given to
somebody who had games in the list by then. That one corrects a rating that was known.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import date
from typing import Any

from django.db.models import Exists, F, Min, OuterRef, Q, QuerySet, Subquery
from django.utils.formats import date_format
from django.utils.translation import gettext as _

from players.models import AuditEvent
from players.privacy.rules import OFFICER, shown_name
from ratings.ledger.services.rows import in_batches
from ratings.models import StartingRating
from tournaments.models import Entry, Game, Round, Tournament
from tournaments.rated_games.selectors.games import RATED_EVENT
from tournaments.standings.points import RATED_RESULTS

Firsts = Mapping[tuple[str, int], date]  # pool and player (key) → the first day on which he plays there
_PLAYS = Q(white=OuterRef("player")) | Q(black=OuterRef("player"))
_RATED = Game.objects.filter(result__in=RATED_RESULTS, surplus=False, **RATED_EVENT).order_by()


@dataclass(frozen=True, slots=True)
class LateStart:
    """A player's first starting rating in a list, and the earlier day from which their games need it."""

    start: StartingRating
    needed: date

    def __str__(self) -> str:
        """A sentence for officers."""
        text = _(
            "%(player)s (#%(number)s): the starting rating %(rating)s in %(list)s holds only from %(on)s, "
            "but is needed from %(needed)s."
        )
        start = self.start
        values = {
            "player": shown_name(start.player, OFFICER),
            "number": start.player.number,
            "rating": f"{start.rating:g}",
            "list": start.rating_list.shown_name,
            "on": date_format(start.on),
            "needed": date_format(self.needed),
        }
        return text % values


def late_starts(tournament: Tournament) -> list[LateStart]:
    """Those of an event: of its players from its first day on, and of whoever has a rated game in it. Three queries;
    two where every start is from before it."""
    if not tournament.rated:
        return []
    begin = _first_day(tournament)
    first_game = _RATED.filter(tournament=tournament).order_by("played_on").values("played_on")[:1]
    later = Q(on__gt=Subquery(first_game))
    if begin is not None:
        later |= Q(on__gt=begin)
    if not StartingRating.objects.filter(later).exists():
        return []
    games = _RATED.filter(_PLAYS, tournament=tournament, pool=OuterRef("rating_list__pool"))
    starts = _first_starts(known_before=begin).annotate(
        game=Subquery(games.order_by("played_on").values("played_on")[:1])
    )
    late = Q(on__gt=F("game"))
    entered = Entry.objects.filter(tournament=tournament, withdrawn=False)
    if begin is not None:
        people = entered.values("members__player" if tournament.entry_size > 1 else "player")
        late |= Q(on__gt=begin, rating_list__pool=tournament.pool, player__in=people)
    found = starts.filter(late)
    return _in_order(LateStart(start, min(_days(start, tournament.pool, begin))) for start in found)


def _days(start: Any, pool: str, begin: date | None) -> Iterator[date]:
    """The days an annotated start would have to hold on: the event's first one, that of the player's first game."""
    if begin is not None and start.rating_list.pool == pool:
        yield begin
    if start.game is not None:
        yield start.game


def _first_day(tournament: Tournament) -> date | None:
    """Its own first day or that of the first round, whichever is earlier; an event without end has none."""
    if tournament.open_ended:
        return None
    rounds = Round.objects.filter(stage__tournament=tournament).aggregate(day=Min("planned_on"))
    return min(filter(None, (tournament.starts_on, rounds["day"])), default=None)


def late_starts_for(firsts: Firsts) -> list[LateStart]:
    """The same for any people."""
    found = []
    for keys in in_batches({player for _pool, player in firsts}):
        for start in _first_starts().filter(player__in=keys, on__gt=min(firsts.values())):
            needed = firsts.get((start.rating_list.pool, start.player_id))
            if needed is not None and needed < start.on:
                found.append(LateStart(start, needed))
    return _in_order(found)


def _first_starts(*, known_before: date | None = None) -> QuerySet[StartingRating]:
    """Everybody's first starting rating in each list, but for those given to somebody who had games there by then;
    with `known_before` only games from before that day count."""
    earlier = StartingRating.objects.filter(
        rating_list=OuterRef("rating_list"), player=OuterRef("player"), on__lt=OuterRef("on")
    )
    entered = AuditEvent.objects.filter(
        subject_kind="startingrating", subject_key=OuterRef("pk"), action="starting-rating.entered"
    )
    here = _RATED.filter(_PLAYS, pool=OuterRef("rating_list__pool"), recorded_at__lt=OuterRef("entered"))
    here = here if known_before is None else here.filter(played_on__lt=known_before)
    starts = StartingRating.objects.alias(entered=Subquery(entered.values("at")[:1]))
    return starts.exclude(Exists(earlier)).exclude(Exists(here)).select_related("player", "rating_list")


def _in_order(found: Iterable[LateStart]) -> list[LateStart]:
    """By the players' numbers."""
    return sorted(found, key=lambda row: (row.start.player.number, row.start.rating_list.order, row.start.pk))
