"""What players do: ask for an entry, confirm it by the link in a letter, withdraw it.

Anybody can type anybody's name and address. So nothing counts before whoever reads that address's mail has confirmed;
where the club sends no mail, an officer approves instead. A link's secret is shown or mailed once and kept as a digest.
Nothing that is answered tells whether an address, or a person who is not shown by name, is known here.
"""

import secrets
from collections import Counter
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from django.conf import settings
from django.core.cache import caches
from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils import timezone
from django.utils.crypto import salted_hmac
from django.utils.translation import gettext as _

from players.links.services.secret_links import digest_of
from players.models import Player
from players.people.services import check_name
from players.refusals import Refused
from players.trail.services import write_audit
from tournaments.entries.services.entries import remove_entry
from tournaments.models import Entry, EntryRequest, EntryRules, Tournament
from tournaments.registrations.services.queue import (
    RUNNING,
    facts_of,
    has_begun,
    join,
    move_up,
    rounds_text,
    store,
    tell,
)
from tournaments.registrations.services.rules import check_byes, check_open, check_rating, check_year

CONFIRMED_WITHIN = timedelta(days=2)
MOST_LETTERS, LETTERS_WITHIN = 5, timedelta(hours=1)  # to one address about one event
MOST_UNCONFIRMED = 200  # of an event
KEPT_UNCONFIRMED = timedelta(days=3)
_SOURCES, _SOURCES_OF = "tries", "entry-source:"
_State = EntryRequest.State


@dataclass(frozen=True, slots=True)
class NewRequest:
    """What the form holds: a player who was chosen, or the name of a newcomer; where letters go, in which language, and
    where the club's pages begin; the rounds for which a bye is asked; `source`: the network it came from."""

    player: Player | None = None
    name: str = ""
    birth_year: int | None = None
    address: str = field(default="", repr=False)
    byes: tuple[int, ...] = ()
    language: str = ""
    site: str = ""
    source: str = field(default="", repr=False)


@transaction.atomic
def ask_for_entry(tournament: Tournament, new: NewRequest, *, role: str) -> tuple[EntryRequest, str]:
    """Note that somebody wants to enter. Where the club sends mail a letter with the link to confirm is on its way and
    the secret is empty; else the request waits for an officer, and the secret is that of its page. Raises Refused."""
    rules = _lock_rules(tournament.pk)
    check_open(rules)
    name = "" if new.player else check_name(new.name)
    check_year(rules, new.birth_year)
    check_byes(rules, list(new.byes))
    if new.player:
        check_may_ask(tournament, new.player)
    by_mail = bool(settings.MAIL)
    if by_mail and not new.address:
        raise Refused(_("Write an e-mail address: the entry is confirmed by a letter."))
    request = (_same(rules, new, name) if by_mail else None) or EntryRequest(tournament=rules.tournament)
    if by_mail and request.pk is None:
        _make_room(rules)
    request.player, request.name, request.birth_year = new.player, name, new.birth_year
    request.address, request.language, request.site = new.address, new.language, new.site
    request.byes, request.asked_at, request.told = rounds_text(sorted(set(new.byes))), timezone.now(), ""
    if request.pk is None:
        request.save()
        _note_source(request, new.source)
    else:
        store(request, "address", "language", "site", "asked_at", "told")
    write_audit("entry-request.made", request, by=None, role=role, after=facts_of(request))
    if by_mail:
        tell(request)
        return request, ""
    secret = new_secret(request)
    join(request, rules, role=role)
    return request, secret


def check_may_ask(tournament: Tournament, player: Player) -> None:
    """Raises Refused for a player who is entered already, or has asked, or stands outside the event's ratings."""
    if Entry.objects.filter(tournament=tournament, player=player).exists():
        raise Refused(_("This player is entered already. Ask an arbiter if that is wrong."))
    if EntryRequest.objects.filter(tournament=tournament, player=player, state__in=RUNNING).exists():
        raise Refused(_("An entry of this player is noted already. Ask an arbiter if that is wrong."))
    check_rating(tournament, player)


def _same(rules: EntryRules, new: NewRequest, name: str) -> EntryRequest | None:
    """The request that the same address has made for the same person and not confirmed."""
    who = Q(player=new.player) if new.player else Q(player=None, name__iexact=name)
    return _unconfirmed(rules).filter(who, address__iexact=new.address).first()


def _unconfirmed(rules: EntryRules) -> QuerySet[EntryRequest]:
    return EntryRequest.objects.filter(tournament=rules.tournament_id, state=_State.UNCONFIRMED)


# --- many at once -------------------------------------------------------------------------------------------------
def _make_room(rules: EntryRules) -> None:
    """Where an event has as many unconfirmed requests as it keeps, one gives way, so that nobody keeps others from the
    form: the oldest of the network that has most. Of networks only digests are kept, for as long as such a request."""
    keys = list(_unconfirmed(rules).order_by("asked_at", "pk").values_list("pk", flat=True))
    if len(keys) < MOST_UNCONFIRMED:
        return
    sources = caches[_SOURCES].get_many([f"{_SOURCES_OF}{key}" for key in keys])
    of = {key: sources.get(f"{_SOURCES_OF}{key}", "") for key in keys}
    most, _count = Counter(of.values()).most_common(1)[0]
    EntryRequest.objects.filter(pk=next(key for key in keys if of[key] == most)).delete()


def _note_source(request: EntryRequest, source: str) -> None:
    value = salted_hmac(_SOURCES_OF, source).hexdigest()[:20] if source else ""
    caches[_SOURCES].set(f"{_SOURCES_OF}{request.pk}", value, timeout=KEPT_UNCONFIRMED.total_seconds())


# --- by a link ----------------------------------------------------------------------------------------------------
def new_secret(request: EntryRequest) -> str:
    """A secret for the page of a request, in place of the one it had; only its digest is kept."""
    secret = secrets.token_urlsafe(24)
    request.digest = digest_of(secret)
    EntryRequest.objects.filter(pk=request.pk).update(digest=request.digest)
    return secret


def letter_secret(request: EntryRequest) -> str:
    """The same for a letter that is about to be sent: earlier letters lead nowhere from then on."""
    secret = secrets.token_urlsafe(24)
    now = timezone.now()
    values = {"letter_digest": digest_of(secret), "letter_at": now, "told": request.state}
    EntryRequest.objects.filter(pk=request.pk).update(**values)
    return secret


def letter_not_sent(request: EntryRequest, secret: str, letter_at: datetime | None, told: str) -> None:
    """The mail server did not take the letter with that secret: it counts as none, unless a newer one went."""
    rows = EntryRequest.objects.filter(pk=request.pk, letter_digest=digest_of(secret))
    rows.update(letter_digest="", letter_at=letter_at, told=told)


def request_of(slug: str, secret: str) -> EntryRequest | None:
    """The request of that secret in the event at that address; None where the link ended. One query."""
    digest = digest_of(secret)
    rows = EntryRequest.objects.filter(Q(digest=digest) | Q(letter_digest=digest), tournament__slug=slug)
    late = Q(state=_State.UNCONFIRMED) & Q(letter_at__lte=timezone.now() - CONFIRMED_WITHIN)
    return rows.exclude(late).select_related("tournament", "player").first()


@transaction.atomic
def confirm_entry(request_key: int, *, role: str) -> tuple[EntryRequest, str]:
    """Whoever reads the address's mail wants the entry: it takes a place, or one on the waiting list. The link is used
    up; the secret is that of the request's page. Raises Refused where entries closed meanwhile, or somebody else was
    quicker: the request stays, and an arbiter may help."""
    request, rules = _lock(request_key)
    if request.state != _State.UNCONFIRMED:
        raise Refused(_("This was confirmed already."))
    check_open(rules)
    if request.player:
        check_may_ask(request.tournament, request.player)
    EntryRequest.objects.filter(pk=request.pk).update(letter_digest="")
    join(request, rules, role=role)
    tell(request)
    return request, new_secret(request)


@transaction.atomic
def withdraw_request(request_key: int, *, role: str) -> None:
    """The player does not come; the first of the waiting list takes the place. Raises Refused once the rounds are made:
    then an arbiter withdraws the entry, because games hang on it."""
    request, rules = _lock(request_key)
    if request.state in (_State.REFUSED, _State.WITHDRAWN):
        raise Refused(_("This entry was taken back already."))
    entry = request.entry_id
    if entry is not None and (has_begun(rules.tournament) or rules.tournament.closed):
        raise Refused(_("The rounds are made: tell an arbiter, who takes you out of them."))
    if entry is not None:
        remove_entry(entry, by=None)
    request.entry, request.state, request.settled_at = None, _State.WITHDRAWN, timezone.now()
    store(request)
    write_audit("entry-request.withdrawn", request, by=None, role=role, after=facts_of(request))
    move_up(rules.tournament, by=None)


@transaction.atomic
def forget_address(request_key: int) -> None:
    """No more letters to whoever asked so from a mail program; what was never confirmed goes as a whole."""
    rows = EntryRequest.objects.filter(pk=request_key)
    if not rows.filter(state=_State.UNCONFIRMED).delete()[0]:
        rows.update(address="")


def _lock_rules(tournament_key: int) -> EntryRules:
    """The rules, with the event locked. Raises Refused for an event that takes no entries."""
    event = Tournament.objects.select_for_update(no_key=True).get(pk=tournament_key)
    rules = EntryRules.objects.filter(tournament=event).first()
    if rules is None:
        raise Refused(_("This event takes no entries on its page: ask an arbiter."))
    rules.tournament = event
    return rules


def _lock(request_key: int) -> tuple[EntryRequest, EntryRules]:
    """The request as it stands, behind the lock of its event. Raises Refused where it is gone."""
    key = EntryRequest.objects.filter(pk=request_key).values_list("tournament", flat=True).first()
    if key is None:
        raise Refused(_("This request is not there any more."))
    rules = _lock_rules(key)
    request = EntryRequest.objects.select_related("player").get(pk=request_key)
    request.tournament = rules.tournament
    return request, rules


# --- forgetting ---------------------------------------------------------------------------------------------------
KEPT_AFTER = timedelta(days=30)


@transaction.atomic
def forget_old_requests() -> int:
    """Delete requests that nobody confirmed within three days, and those refused, withdrawn or of an event that ended
    a month ago; how many. Entries stay what they are."""
    now = timezone.now()
    late = Q(state=_State.UNCONFIRMED, asked_at__lte=now - KEPT_UNCONFIRMED)
    done = Q(state__in=(_State.REFUSED, _State.WITHDRAWN), settled_at__lte=now - KEPT_AFTER)
    over = Q(tournament__closed=True, tournament__closed_at__lte=now - KEPT_AFTER)
    return EntryRequest.objects.filter(late | done | over).delete()[0]
