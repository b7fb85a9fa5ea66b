"""Places and the waiting list: who is in, who waits, who moves up.

A confirmed request takes a place if one is free, in the order of confirmation, and stands on the waiting list if not. A
request that waits for an officer keeps its place until it is decided. Whenever a place gets free the first of the
waiting list moves up, in the same transaction. Every function here is called with the event locked, so of two who come
at once for the last place one is in and the other is first on the list.
"""

from datetime import datetime, timedelta

from django.conf import settings
from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import Max, QuerySet
from django.utils import timezone
from django.utils.module_loading import import_string
from django.utils.translation import gettext as _

from players.models import Player
from players.refusals import Refused
from players.trail.services import write_audit
from tournaments.entries.services.entries import enter_players
from tournaments.entries.services.late import enter_late
from tournaments.models import Entry, EntryRequest, EntryRules, Round, Tournament
from tournaments.presence.services import ask_half_byes

_State = EntryRequest.State
RUNNING = (_State.WAITING, _State.LISTED, _State.ENTERED)
_ONE_STEP = timedelta(minutes=1)
_OWN = (
    *("player", "entry", "name", "birth_year", "byes", "state", "turn", "paid", "answer"),
    *("confirmed_at", "settled_at", "settled_by"),
)


# --- places -------------------------------------------------------------------------------------------------------
def has_begun(tournament: Tournament) -> bool:
    """Whether rounds exist: whoever comes now comes late."""
    return Round.objects.filter(stage__tournament=tournament).exists()


def places_left(rules: EntryRules) -> int | None:
    """How many places are free; None where there is room for everybody. Two queries."""
    if rules.places is None:
        return None
    event = rules.tournament_id
    entered = Entry.objects.filter(tournament=event, withdrawn=False).count()
    return max(0, rules.places - entered - in_state(event, _State.WAITING).count())


def in_state(tournament_key: int, *states: EntryRequest.State) -> QuerySet[EntryRequest]:
    """The requests of an event in those states, in the order of confirmation."""
    rows = EntryRequest.objects.filter(tournament=tournament_key, state__in=states)
    return rows.select_related("player", "tournament", "entry").order_by("turn", "pk")


def place_in_list(request: EntryRequest) -> int:
    """Of a request on the waiting list: 1 for whoever moves up first. One query."""
    return in_state(request.tournament_id, _State.LISTED).filter(turn__lt=request.turn or 0).count() + 1


# --- moving -------------------------------------------------------------------------------------------------------
def join(request: EntryRequest, rules: EntryRules, *, role: str) -> None:
    """Give a request that was just confirmed its turn, and a place or one on the waiting list."""
    last = EntryRequest.objects.filter(tournament=rules.tournament_id).aggregate(last=Max("turn"))["last"]
    request.turn, request.confirmed_at = (last or 0) + 1, timezone.now()
    if places_left(rules) == 0:
        request.state = _State.LISTED
        store(request)
    else:
        _take_place(request, rules, by=None)
    write_audit("entry-request.confirmed", request, by=None, role=role, after=facts_of(request))


def move_up(tournament: Tournament, *, by: User | None) -> list[EntryRequest]:
    """The first of the waiting list take the places that are free now, and are told; who moved."""
    moved = list[EntryRequest]()
    rules = EntryRules.objects.filter(tournament=tournament).select_related("tournament").first()
    if rules is None or rules.tournament.closed:
        return moved
    while places_left(rules) != 0 and (first := in_state(tournament.pk, _State.LISTED).first()):
        _take_place(first, rules, by=by)
        write_audit("entry-request.moved-up", first, by=by, after=facts_of(first))
        tell(first)
        moved.append(first)
    return moved


def _take_place(request: EntryRequest, rules: EntryRules, *, by: User | None) -> None:
    """Enter at once whom the rules let in; everybody else waits for an officer, with a place kept."""
    request.state = _State.WAITING
    if not _waits(request, rules):
        try:
            with transaction.atomic():
                enter(request, by=by)
        except Refused:  # the groups are formed, say: an officer sees why
            request.state, request.entry = _State.WAITING, None
    store(request)


def _waits(request: EntryRequest, rules: EntryRules) -> bool:
    """Whether an officer has to look at it. Always where a year of birth was written: if the right one entered somebody
    at once, strangers could find it by trying. Always without mail: then nobody has confirmed anything."""
    unsure = request.player is None or rules.asks_year or not settings.MAIL
    return rules.approval or unsure or has_begun(rules.tournament)


def year_differs(request: EntryRequest, rules: EntryRules) -> bool:
    """Whether somebody wrote another year of birth than the club knows, where that decides."""
    known = request.player.birth_year if request.player else None
    return rules.asks_year and known is not None and known != request.birth_year


def enter(request: EntryRequest, *, by: User | None) -> None:
    """Make the ordinary entry of a request with a player, and its byes; the caller saves the request. Whoever was
    entered meanwhile keeps that entry. Raises Refused as `enter_players` and `enter_late` do."""
    player, event = _now(request), request.tournament
    entry = Entry.objects.filter(tournament=event, player=player, withdrawn=False).first()
    if entry is None:
        make = enter_late if has_begun(event) else enter_players
        entry = make(event, [player], by=by)[0]
        given = ask_half_byes(entry, rounds_in(request.byes), by=by)
        request.byes = rounds_text(given)
    request.entry, request.state = entry, _State.ENTERED
    # What only the decision needed; the name stands with the player.
    request.name, request.birth_year = "", None
    request.settled_at, request.settled_by = timezone.now(), by


def _now(request: EntryRequest) -> Player:
    """Whom a request is about, by the record that was kept. Raises Refused for a newcomer, and where that record has
    asked as well."""
    if request.player is None:
        raise Refused(_("This is a newcomer: say who it is, or add a new player, and approve then."))
    player = request.player.kept
    others = EntryRequest.objects.filter(tournament=request.tournament, player=player, state__in=RUNNING)
    if others.exclude(pk=request.pk).exists():
        text = _("Player %(number)s has asked already: refuse one of the two requests.")
        raise Refused(text % {"number": f"#{player.number}"})
    request.player = player
    return player


def store(request: EntryRequest, *more: str) -> None:
    """Write what changes behind the lock of the event, and the columns of `more`. Letters are sent without that lock:
    what they write stays: the digests of links, when the last one went and what it told, an address that is gone."""
    request.save(update_fields=[*_OWN, *more])


def entry_gone(entry_key: int, *, by: User | None) -> None:
    """The entry is about to be taken back or has left: its request, if it came by one, is withdrawn with it."""
    for request in EntryRequest.objects.filter(entry=entry_key, state=_State.ENTERED):
        request.state, request.settled_at, request.settled_by = _State.WITHDRAWN, timezone.now(), by
        store(request)
        write_audit("entry-request.withdrawn", request, by=by, after=facts_of(request))
        tell(request)


def entry_back(entry: Entry, *, by: User | None, removed_at: datetime | None = None) -> None:
    """The entry that had left is there again: so is the request it came by, unless the player has asked anew.
    `removed_at`: when the entry was removed, which took it off its request in the same step."""
    rows = EntryRequest.objects.filter(tournament=entry.tournament_id, player=entry.player_id)
    gone = rows.filter(state=_State.WITHDRAWN, entry=None if removed_at else entry)
    if removed_at:
        gone = gone.filter(settled_at__gte=removed_at - _ONE_STEP)
    request = gone.select_related("tournament", "player").order_by("-settled_at").first()
    if request is None or rows.filter(state__in=RUNNING).exists():
        return
    request.entry, request.state = entry, _State.ENTERED
    request.settled_at, request.settled_by = timezone.now(), by
    store(request)
    write_audit("entry-request.returned", request, by=by, after=facts_of(request))
    tell(request)


def tell(request: EntryRequest) -> None:
    """Have a letter sent that says how the request stands, where the club sends mail and somebody left an address. The
    task is named in the settings, so that nothing of it is imported here."""
    if settings.MAIL and request.address:
        import_string(settings.ENTRY_LETTER_TASK).enqueue(request.pk, 1)


# --- values -------------------------------------------------------------------------------------------------------
def rounds_in(text: str) -> list[int]:
    """ "2, 4" as 2 and 4."""
    return [int(part) for part in text.split(",") if part.strip().isdigit()]


def rounds_text(rounds: list[int]) -> str:
    """The same the other way round."""
    return ",".join(map(str, rounds))


def facts_of(request: EntryRequest) -> dict[str, object]:
    """What the audit trail keeps of a request: no name and no address."""
    player = {"player": request.player.number} if request.player else {}
    turn = {"number": request.turn} if request.turn else {}
    return {"tournament": request.tournament.slug, **player, **turn, "state": str(request.state)}
