"""Evenings on which members check in by the code at the door: opened and ended by an arbiter, and by the clock after
twelve hours. Whoever is here is paired by nobody but the arbiter. Only the server's clock counts."""

import secrets
from collections.abc import Iterable
from datetime import timedelta

from django.contrib.auth.models import User
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from players.links.services.personal_links import PLAYER
from players.models import Player
from players.refusals import Refused, Stale
from players.trail.services import write_audit
from tournaments.evenings.selectors import busy_at, evening_now, here_at
from tournaments.events.services.unplayed import refuse_closed
from tournaments.free_boards.services.boards import lock_event, set_board
from tournaments.free_play.services import check_on_ladder
from tournaments.models import Arrival, Evening, FreeRules, Game, Tournament
from tournaments.pairing.evening import Pair

LASTS = timedelta(hours=12)
KEPT = timedelta(days=30)  # who came, after the evening
_CODE_BYTES = 9


@transaction.atomic
def open_evening(tournament: Tournament, *, by: User | None) -> Evening:
    """The evening that is on, or a new one with a new code. Raises Refused where members do not check in."""
    event, now = lock_event(tournament.pk), timezone.now()
    refuse_closed(event)
    if not FreeRules.objects.filter(tournament=event, check_in=True).exists():
        raise Refused(_("Members check in nowhere in this event: switch it on first."))
    running = evening_now(event, now)
    if running is not None:
        return running
    code = secrets.token_urlsafe(_CODE_BYTES)
    row = Evening.objects.create(tournament=event, door_code=code, opened_at=now, ends_at=now + LASTS, by=by)
    write_audit("evening.opened", event, by=by, after={"evening": row.pk})
    return row


@transaction.atomic
def end_evening(key: int, *, by: User | None) -> None:
    """Nobody checks in by its code any more. Boards without a result stay. Raises Stale where it is over."""
    row, now = _locked(key), timezone.now()
    if row.ends_at <= now:
        raise Stale(_("This evening is over already."))
    row.ends_at = now
    row.save(update_fields=["ends_at"])
    write_audit("evening.ended", row.tournament, by=by, before={"evening": row.pk})


def forget_arrivals() -> int:
    """Delete who came to evenings that ended a month ago; how many check-ins."""
    return Arrival.objects.filter(evening__ends_at__lt=timezone.now() - KEPT).delete()[0]


@transaction.atomic
def arrive(key: int, player: Player, *, by: User | None = None) -> Arrival:
    """Somebody is here, on an evening by key; said twice it is said once. Raises Stale after its end, Refused for
    somebody without a place on the ladder."""
    row = _running(key)
    check_on_ladder(row.tournament, [player])
    arrival, made = Arrival.objects.get_or_create(evening=row, player=player, defaults={"at": timezone.now()})
    if made or arrival.left_at is not None:
        arrival.left_at = None
        arrival.save(update_fields=["left_at"])
        _note("evening.arrived", row, player, by)
    return arrival


@transaction.atomic
def leave(key: int, player: Player, *, by: User | None = None) -> None:
    """Somebody goes, or was not here after all; said twice it is said once. Raises Stale after the evening's end."""
    row = _running(key)
    gone = Arrival.objects.filter(evening=row, player=player, left_at=None).update(left_at=timezone.now())
    if gone:
        _note("evening.left", row, player, by)


@transaction.atomic
def set_boards(key: int, pairs: Iterable[Pair], *, by: User | None) -> list[Game]:
    """Set boards of an evening, as keys of players, White first; all or none. Raises Stale where somebody has left,
    or sits on a board by now."""
    row = _running(key)
    free = {each.player_id for each in here_at(row)} - busy_at(row.tournament)
    games = []
    for white, black in pairs:
        if not {white, black} <= free:
            text = _("Somebody has left or has a board by now: nothing was set. Look at the proposal again.")
            raise Stale(text)
        free -= {white, black}
        games.append(set_board(row.tournament, white, black, by=by))
    return games


def _locked(key: int) -> Evening:
    """Raises Stale where it is gone."""
    event = Evening.objects.filter(pk=key).values_list("tournament", flat=True).first()
    if event is None:
        raise Stale(_("This evening is not there any more."))
    tournament = lock_event(event)
    row = Evening.objects.get(pk=key)
    row.tournament = tournament
    return row


def _running(key: int) -> Evening:
    row = _locked(key)
    if row.ends_at <= timezone.now() or row.tournament.closed:
        raise Stale(_("This evening is over: scan the code that hangs at the door today."))
    return row


def _note(action: str, evening: Evening, player: Player, by: User | None) -> None:
    values = {"evening": evening.pk, "tournament": evening.tournament.slug}
    write_audit(action, player, by=by, role="" if by else PLAYER, after=values)
