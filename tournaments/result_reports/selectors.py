"""Reports of wrong results, as those who correct games see them."""

from collections.abc import Iterable

from django.contrib.auth.models import AnonymousUser, User
from django.db.models import Count, Q, QuerySet

from tournaments.events.selectors.officers import run_by
from tournaments.events.selectors.stages import name_sides
from tournaments.models import Game, ResultReport, Tournament

LONGEST = 200
SETTLED_SHOWN = 30
_Open = ResultReport.State.OPEN


def reports_for(user: User | AnonymousUser) -> QuerySet[ResultReport]:
    """Reports of games that user may correct, the oldest first."""
    rows = ResultReport.objects.order_by("pk")
    if user.has_perm("ratings.change_ratinglist"):
        return rows
    return rows.filter(game__tournament__in=Tournament.objects.filter(run_by(user)))


def open_reports(user: User | AnonymousUser) -> list[ResultReport]:
    """Those that wait, the oldest first, with all that is shown of them. One query."""
    return list(_with_games(reports_for(user).filter(state=_Open))[:LONGEST])


def settled_reports(user: User | AnonymousUser) -> list[ResultReport]:
    """Those settled last. One query."""
    return list(_with_games(reports_for(user).exclude(state=_Open).order_by("-settled_at", "-pk"))[:SETTLED_SHOWN])


def count_open(user: User | AnonymousUser) -> int:
    """How many wait. One query."""
    return reports_for(user).filter(state=_Open).count()


def open_by_game(games: Iterable[int]) -> dict[int, int]:
    """How many reports wait, by the game's key. One query."""
    rows = Game.objects.filter(pk__in=list(games), reports__state=_Open)
    return dict(rows.annotate(open=Count("reports", filter=Q(reports__state=_Open))).values_list("pk", "open"))


def game_to_report(slug: str, key: int) -> Game | None:
    """The game with that key in the event at that address, with what its form shows; None where there is none."""
    rows = Game.objects.select_related("tournament", "white", "black", "pairing__round", "footnote")
    game = rows.filter(tournament__slug=slug, pk=key).first() if key < 2**62 else None
    if game is not None:
        name_sides([game])
    return game


def _with_games(rows: QuerySet[ResultReport]) -> QuerySet[ResultReport]:
    return rows.select_related(
        "settled_by", "game__tournament", "game__white", "game__black", "game__pairing__round", "game__pairing"
    )
