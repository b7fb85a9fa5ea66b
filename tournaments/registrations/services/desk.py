"""What officers decide about requests: approve, refuse, link a newcomer to a person, tick what was paid."""

from collections.abc import Sequence

from django.contrib.auth.models import User
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from players.models import Player
from players.people.services import NewPlayer, create_player
from players.refusals import Refused, sign
from players.trail.services import write_audit
from ratings.lists.services import lock_lists
from tournaments.entries.services.entries import remove_entry
from tournaments.entries.services.late import removable, remove_late
from tournaments.models import EntryRequest, EntryRules, Tournament
from tournaments.registrations.services.queue import (
    RUNNING,
    enter,
    entry_gone,
    facts_of,
    has_begun,
    move_up,
    store,
    tell,
    year_differs,
)

_State = EntryRequest.State
_OPEN = (_State.WAITING, _State.LISTED)


@transaction.atomic
def approve(request_key: int, *, by: User | None) -> EntryRequest:
    """Enter whom a request is about, from the waiting list too, even beyond the places. Raises Refused for a newcomer
    who is linked to nobody yet, and as `enter_players` and `enter_late` do."""
    lock_lists()
    return _approve(_lock_open(request_key), by)


@transaction.atomic
def approve_all(tournament: Tournament, *, by: User | None) -> tuple[int, list[str]]:
    """Enter everybody who waits and is a player known here; how many, and a sentence for each who cannot be, or wrote
    another year of birth than the club knows: such a one an officer approves alone."""
    lock_lists()
    event = Tournament.objects.select_for_update(no_key=True).get(pk=tournament.pk)
    waiting = EntryRequest.objects.filter(tournament=event, state=_State.WAITING, player__isnull=False)
    rules = EntryRules.objects.filter(tournament=event).first()
    done, problems = 0, list[str]()
    for request in waiting.select_related("player").order_by("turn"):
        request.tournament = event
        if request.player and rules and year_differs(request, rules):
            sentence = _("The club knows another year of birth of this player.")
            problems.append(f"#{request.player.number}{sign(': ')}{sentence}")
            continue
        try:
            with transaction.atomic():
                _approve(request, by)
            done += 1
        except Refused as refusal:
            problems.append(str(refusal))
    return done, problems


def _approve(request: EntryRequest, by: User | None) -> EntryRequest:
    enter(request, by=by)
    store(request)
    write_audit("entry-request.approved", request, by=by, after=facts_of(request))
    tell(request)
    return request


@transaction.atomic
def refuse(request_key: int, *, by: User | None, answer: str) -> None:
    """Turn a request down for a reason that the player is told; the first of the waiting list takes the place. Raises
    Refused without a reason."""
    request = _lock_open(request_key)
    if not answer.strip():
        raise Refused(_("Write the reason: the player reads it."))
    request.state, request.answer = _State.REFUSED, answer.strip()[:300]
    request.settled_at, request.settled_by = timezone.now(), by
    store(request)
    write_audit("entry-request.refused", request, by=by, after=facts_of(request))
    tell(request)
    move_up(request.tournament, by=by)


@transaction.atomic
def link_player(request_key: int, player: Player, *, by: User | None) -> None:
    """Say who a newcomer is. Raises Refused where that player has asked already, or was merged into another."""
    request = _lock_open(request_key)
    if player.merged_into_id is not None or not player.name:
        raise Refused(_("Player %(number)s is no record of its own any more.") % {"number": f"#{player.number}"})
    others = EntryRequest.objects.filter(tournament=request.tournament, player=player, state__in=RUNNING)
    if others.exclude(pk=request.pk).exists():
        text = _("Player %(number)s has asked already: refuse one of the two requests.")
        raise Refused(text % {"number": f"#{player.number}"})
    request.player, request.name = player, ""
    store(request)
    write_audit("entry-request.linked", request, by=by, after=facts_of(request))


@transaction.atomic
def create_from(request_key: int, *, by: User | None) -> Player:
    """Add a newcomer to the club's players, and link the request. Raises Refused where it has a player."""
    request = _lock_open(request_key)
    if request.player is not None:
        raise Refused(_("This request has a player already."))
    player = create_player(NewPlayer(request.name, birth_year=request.birth_year), by=by)
    link_player(request_key, player, by=by)
    return player


@transaction.atomic
def mark_paid(request_key: int, *, paid: bool, by: User | None) -> None:
    """Note that the fee was paid, or that it was not. Raises Refused for a request that is over."""
    request = _lock_in(request_key, RUNNING)
    if request.paid != paid:
        EntryRequest.objects.filter(pk=request.pk).update(paid=paid)
        write_audit("entry-request.paid", request, by=by, after={"tournament": request.tournament.slug, "paid": paid})


@transaction.atomic
def take_entry_back(entry_key: int, tournament: Tournament, *, by: User | None) -> None:
    """Remove an entry from the list before its first round, with the request it came by; the first of the waiting list
    takes the place. Raises Refused as `remove_entry` and `remove_late` do."""
    lock_lists()
    event = Tournament.objects.select_for_update(no_key=True).get(pk=tournament.pk)
    entry_gone(entry_key, by=by)
    late = has_begun(event) and entry_key in removable(event)
    (remove_late if late else remove_entry)(entry_key, by=by)
    move_up(event, by=by)


def _lock_open(request_key: int) -> EntryRequest:
    return _lock_in(request_key, _OPEN)


def _lock_in(request_key: int, states: Sequence[EntryRequest.State]) -> EntryRequest:
    """The request as it stands, behind the lock of its event. Raises Refused where it is decided already."""
    key = EntryRequest.objects.filter(pk=request_key).values_list("tournament", flat=True).first()
    event = Tournament.objects.select_for_update(no_key=True).filter(pk=key or 0).first()
    request = EntryRequest.objects.select_related("player").filter(pk=request_key, state__in=states).first()
    if event is None or request is None:
        raise Refused(_("This request was decided or withdrawn meanwhile: look at the list again."))
    request.tournament = event
    return request
