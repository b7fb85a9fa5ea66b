"""What other programs may do here, and are told: tokens, answers kept so that nothing is done twice, webhooks.

A token acts for the officer who made it, within its scopes, and never does more than the officer may at that moment;
what it may of an event is asked where the deed is done (`clubrating.site.programs`). Only its digest is kept.

A program may send a key of its own with a request. The key, what was asked and the answer stand in one transaction with
the deed: of two that come at once the second waits, and gets the first one's answer.
"""

import secrets
from collections.abc import Callable, Collection
from datetime import datetime, timedelta
from urllib.parse import urlsplit

from django.conf import settings
from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import F, Q, QuerySet
from django.utils import timezone
from django.utils.crypto import salted_hmac
from django.utils.translation import gettext as _

from players.links.services.secret_links import digest_of, holds, take_back
from players.models import ApiAnswer, ApiToken, Webhook, WebhookDelivery
from players.officers.roles import ADMINISTRATOR, role_of
from players.refusals import Refused
from players.trail.services import write_audit

RESULTS, ENTRIES, CHECK_IN = "results", "entries", "check-in"
# Each with the permissions of which an officer needs one, to be able to use it at all.
SCOPES = {
    RESULTS: ("tournaments.enter_results", "tournaments.change_game"),
    ENTRIES: ("tournaments.change_tournament",),
    CHECK_IN: ("tournaments.enter_results",),
}
MOST_DAYS, MOST_TOKENS, LONGEST_NAME = 366, 20, 60
PREFIX = "club_"  # so that a scanner of sources knows a token that was published by mistake
ANSWERS_KEPT = timedelta(days=7)
NOTED_EVERY = timedelta(minutes=1)


# --- tokens -------------------------------------------------------------------------------------------------------
def may_use(user: User, scope: str) -> bool:
    """Whether that officer may do anything at all of what the scope is about."""
    return any(user.has_perm(name) for name in SCOPES[scope])


@transaction.atomic
def make_token(
    *, officer: User, name: str, scopes: Collection[str], days: int, event: int | None = None
) -> tuple[ApiToken, str]:
    """A token for that officer and its secret, which is shown once and not kept. `event`: the key of the only one it is
    for. Raises Refused without a name or scope, for a scope the officer has no right to, for no day or more than a
    year, and where there are many already."""
    name = _checked_name(name)
    if not scopes:
        raise Refused(_("A token needs at least one thing it may do: tick one."))
    if any(scope not in SCOPES or not may_use(officer, scope) for scope in scopes):
        raise Refused(_("A token can do nothing its officer may not do."))
    if not 1 <= days <= MOST_DAYS:
        raise Refused(_("A token lasts from 1 to %(most)s days.") % {"most": MOST_DAYS})
    User.objects.select_for_update(no_key=True).get(pk=officer.pk)
    if live_tokens().filter(officer=officer).count() >= MOST_TOKENS:
        raise Refused(_("You have %(most)s tokens already: take one back first.") % {"most": MOST_TOKENS})
    secret = PREFIX + secrets.token_urlsafe(32)
    row = ApiToken.objects.create(
        name=name,
        officer=officer,
        digest=digest_of(secret),
        scopes=",".join(scope for scope in SCOPES if scope in scopes),
        event=event,
        expires_at=timezone.now() + timedelta(days=days),
    )
    write_audit("token.made", row, by=officer, after={"scopes": row.scopes, "days": days, "event": event})
    return row, secret


@transaction.atomic
def revoke_token(key: int, *, by: User) -> ApiToken:
    """Take a token back; it works no more at once. Raises Refused for another officer's, unless an administrator does
    it, and for one that was taken back before."""
    row = live_tokens().select_for_update(no_key=True).filter(pk=key).first()
    if row is None or (row.officer_id != by.pk and role_of(by) != ADMINISTRATOR):
        raise Refused(_("There is no such token of yours any more."))
    take_back(row)
    write_audit("token.revoked", row, by=by)
    return row


def live_tokens() -> QuerySet[ApiToken]:
    """Tokens that were not taken back and have not ended."""
    return ApiToken.objects.filter(holds())


def token_of(secret: str) -> ApiToken | None:
    """The live token with that secret. When it was used is noted once a minute."""
    if not secret.startswith(PREFIX) or len(secret) > 100 or not secret.isascii():
        return None
    row = live_tokens().filter(digest=digest_of(secret)).first()
    if row is not None and (row.last_used_at is None or row.last_used_at < timezone.now() - NOTED_EVERY):
        ApiToken.objects.filter(pk=row.pk).update(last_used_at=timezone.now())
    return row


# --- nothing twice --------------------------------------------------------------------------------------------------
class KeyUsedError(Refused):
    """The key came before with another request."""


Answer = tuple[int, str]  # status and body


@transaction.atomic
def answer_once(token: ApiToken, key: str, digest: str, deed: Callable[[], Answer]) -> Answer:
    """Do it and keep the answer under the key; where that request was answered before, its answer and nothing done. A
    deed that is refused changes nothing and leaves nothing behind. Raises what the deed does, and KeyUsedError."""
    row, is_new = ApiAnswer.objects.get_or_create(token=token, key=key, defaults={"digest": digest})
    if row.digest != digest:
        raise KeyUsedError(_("This Idempotency-Key came with another request before: take a new one."))
    if is_new:
        row.status, row.body = deed()
        row.save(update_fields=["status", "body"])
    return row.status, row.body


def forget_old_answers() -> int:
    """Delete answers kept longer than a week; how many."""
    return ApiAnswer.objects.filter(made_at__lt=timezone.now() - ANSWERS_KEPT).delete()[0]


# --- webhooks -------------------------------------------------------------------------------------------------------
KINDS = ("paired", "result", "correction", "new_list")
MOST_WEBHOOKS = 10
MOST_TRIES = 8
FIRST_WAIT = timedelta(minutes=1)  # then four times as long each time, almost four days in all
DELIVERIES_KEPT = timedelta(days=30)
LATE = timedelta(hours=1)  # what is due so long has lost its task
REDIRECTED, NOT_PUBLIC, UNKNOWN_HOST, UNREACHABLE = "redirected", "not-public", "unknown-host", "unreachable"


@transaction.atomic
def make_webhook(*, name: str, url: str, kinds: Collection[str], by: User) -> Webhook:
    """A webhook, on at once; its secret is `secret_of`. Raises Refused for what is no address that may be called, and
    where there are many already. Whether the host is a public one is seen whenever something is sent."""
    name = _checked_name(name)
    if not kinds or not set(kinds) <= set(KINDS):
        raise Refused(_("A webhook needs at least one thing it is told: tick one."))
    if Webhook.objects.count() >= MOST_WEBHOOKS:
        raise Refused(_("There are %(most)s webhooks already: delete one first.") % {"most": MOST_WEBHOOKS})
    wanted = {kind: kind in kinds for kind in KINDS}
    row = Webhook.objects.create(name=name, url=checked_url(url), salt=_salt(), made_by=by, **wanted)
    write_audit("webhook.made", row, by=by, after=wanted)
    return row


def checked_url(text: str) -> str:
    """An address that can be called. Raises Refused for any but https, except where a setting allows others."""
    url = text.strip()
    try:
        parts = urlsplit(url)
        plain = url.isascii() and url.isprintable() and not set(' \\"<>^`{|}') & set(url)
        named = bool(parts.hostname) and parts.port != 0 and "@" not in parts.netloc and not parts.fragment
    except ValueError:
        plain = named = False
    schemes = ("https", "http") if settings.WEBHOOKS_LOCAL else ("https",)
    if not (plain and named) or parts.scheme not in schemes or len(url) > 500:
        raise Refused(_("This is no address that can be called: write it like https://example.org/club."))
    return url


def secret_of(row: Webhook) -> str:
    """What signs, as hexadecimal digits."""
    return salted_hmac("players webhook", row.salt, algorithm="sha256").hexdigest()


@transaction.atomic
def renew_secret(key: int, *, by: User) -> Webhook:
    """Another secret; the one before signs no more. Raises Refused where the webhook is gone."""
    row = lock_webhook(key)
    row.salt = _salt()
    row.save(update_fields=["salt"])
    write_audit("webhook.secret-made", row, by=by)
    return row


@transaction.atomic
def delete_webhook(key: int, *, by: User) -> None:
    """Delete it with all that waits for it. Raises Refused where it is gone."""
    row = lock_webhook(key)
    write_audit("webhook.deleted", row, by=by)
    row.delete()


@transaction.atomic
def switch_webhook(key: int, *, on: bool, by: User | None) -> None:
    """Switch it on or off. On, everything that waits or was given up is due now, with all its tries. Raises Refused
    where it is gone."""
    row = lock_webhook(key)
    if on:
        again = WebhookDelivery.objects.filter(webhook=row, state__in=("waiting", "dead"))
        again.update(state=WebhookDelivery.State.WAITING, tries=0, due_at=timezone.now())
    _switch(row, on=on, by=by)


def _switch(row: Webhook, *, on: bool, by: User | None) -> None:
    row.active = on
    row.save(update_fields=["active"])
    write_audit("webhook.switched-on" if on else "webhook.switched-off", row, by=by)


@transaction.atomic
def send_again(key: int, *, by: User) -> WebhookDelivery:
    """One that was given up is due now. Raises Refused for any other, and where its webhook is off."""
    row = WebhookDelivery.objects.select_for_update(no_key=True).filter(pk=key).first()
    if row is None or row.state != WebhookDelivery.State.DEAD:
        raise Refused(_("This message is no longer among those that were given up."))
    if not row.webhook.active:
        raise Refused(_("This webhook is off: switch it on, and everything is sent again."))
    row.state, row.tries, row.due_at = WebhookDelivery.State.WAITING, 0, timezone.now()
    row.save(update_fields=["state", "tries", "due_at"])
    write_audit("webhook.sent-again", row.webhook, by=by)
    return row


def lock_webhook(key: int) -> Webhook:
    """The webhook, locked. Raises Refused where it is gone."""
    row = Webhook.objects.select_for_update(no_key=True).filter(pk=key).first()
    if row is None:
        raise Refused(_("This webhook is not there any more."))
    return row


def waiting_for(kind: str, event: int) -> list[int]:
    """A delivery of that line of the trail for every webhook that is on and wants such news: keys of those to send."""
    found = []
    for webhook in Webhook.objects.filter(active=True, **{kind: True}).order_by("pk"):
        values = {"kind": kind, "due_at": timezone.now()}
        row, _made = WebhookDelivery.objects.get_or_create(webhook=webhook, event=event, defaults=values)
        found += [row.pk] if row.state == WebhookDelivery.State.WAITING else []
    return found


def note_end(row: WebhookDelivery, state: str, status: int = 0) -> None:
    """It was sent, or nothing is left to tell."""
    waiting = WebhookDelivery.objects.filter(pk=row.pk, state=WebhookDelivery.State.WAITING)
    waiting.update(state=state, status=status, problem="", tries=F("tries") + 1)


@transaction.atomic
def note_failure(row: WebhookDelivery, *, status: int, problem: str) -> datetime | None:
    """It was not taken: when it is tried again. After the last try it is given up and its webhook switched off."""
    locked = lock_webhook(row.webhook_id)
    tries = row.tries + 1
    values = {"tries": tries, "status": status, "problem": problem}
    waiting = WebhookDelivery.objects.filter(pk=row.pk, state=WebhookDelivery.State.WAITING)
    if tries < MOST_TRIES:
        due: datetime = timezone.now() + FIRST_WAIT * 4 ** (tries - 1)
        waiting.update(**values, due_at=due)
        return due
    waiting.update(**values, state=WebhookDelivery.State.DEAD)
    if locked.active:
        _switch(locked, on=False, by=None)
    return None


def lost_deliveries() -> list[int]:
    """Keys of those that are due for an hour, so that nobody will send them."""
    waiting = WebhookDelivery.objects.filter(state=WebhookDelivery.State.WAITING, webhook__active=True)
    return list(waiting.filter(due_at__lt=timezone.now() - LATE).order_by("pk").values_list("pk", flat=True))


def forget_old_deliveries() -> int:
    """Delete what was sent, dropped or given up more than a month ago; how many."""
    over = ~Q(state=WebhookDelivery.State.WAITING) & Q(made_at__lt=timezone.now() - DELIVERIES_KEPT)
    return WebhookDelivery.objects.filter(over).delete()[0]


def _checked_name(text: str) -> str:
    name = " ".join(text.split())
    if not name or len(name) > LONGEST_NAME or not name.isprintable():
        raise Refused(_("Give it a name of at most %(most)s letters.") % {"most": LONGEST_NAME})
    return name


def _salt() -> str:
    return secrets.token_urlsafe(24)
