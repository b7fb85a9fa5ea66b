"""Webhooks: other programs are told what happened, once it is stored.

`write_audit` queues `tell_programs` with the fact; it makes a delivery for every webhook that wants such news and
queues `deliver`. What is sent is made from the facts as they are then, as the public sees them, so that nobody who was
hidden meanwhile is named. What was sent before a crash is sent again: its `id` is the same.
"""

import json
from typing import Any

from django.conf import settings
from django.contrib.auth.models import User
from django.core.cache import cache
from django.db import transaction
from django.urls import reverse
from django_tasks import task

from clubrating.site.programs.boards import board_of
from clubrating.site.programs.sending import Outcome, send, signature
from players.jobs.services import BEHIND
from players.models import AuditEvent, Webhook, WebhookDelivery
from players.people.selectors import current_club
from players.privacy.rules import NOBODY
from players.programs.services import (
    FIRST_WAIT,
    lost_deliveries,
    note_end,
    note_failure,
    secret_of,
    send_again,
    switch_webhook,
    waiting_for,
)
from players.trail.services import CORRECTIONS, LIST, RESULT
from ratings.models import PublishedList
from tournaments.models import Game, Round

State = WebhookDelivery.State
NAMES = {"new_list": "list"}  # what the kinds are called outside


@task(priority=BEHIND)
def tell_programs(event_key: int) -> None:
    """Queue a message for every webhook that is to know of that line of the trail."""
    event = AuditEvent.objects.filter(pk=event_key).first()
    if event is None:
        return
    with transaction.atomic():
        for key in waiting_for(kind_of(event.action), event_key):
            deliver.enqueue(key)


@task(priority=BEHIND)
def deliver(delivery_key: int) -> None:
    """Send one message; one that is not taken is tried again later, and given up in the end."""
    row = WebhookDelivery.objects.filter(pk=delivery_key).select_related("webhook").first()
    if row is None or row.state != State.WAITING or not row.webhook.active:
        return
    message = message_of(row)
    if message is None:
        note_end(row, State.DROPPED)
        return
    body = json.dumps(message, ensure_ascii=False).encode()
    headers = {
        "Content-Type": "application/json",
        "User-Agent": "club-rating",
        "Club-Event": message["kind"],
        "Club-Delivery": message["id"],
        "Club-Signature": signature(secret_of(row.webhook), body),
    }
    outcome = _sent(row.webhook, body, headers)
    if not outcome.problem:
        note_end(row, State.SENT, outcome.status)
        return
    due = note_failure(row, status=outcome.status, problem=outcome.problem)
    if due is not None:
        deliver.using(run_after=due).enqueue(row.pk)


def _sent(webhook: Webhook, body: bytes, headers: dict[str, str]) -> Outcome:
    """Send it. A host that did not answer is not asked again until the first retry is due: a round's results to a dead
    one would keep the worker from everybody else's work for half an hour."""
    silent = f"webhook-silent:{webhook.pk}"
    if problem := cache.get(silent):
        return Outcome(0, problem)
    outcome = send(webhook.url, body, headers, local=settings.WEBHOOKS_LOCAL)
    if outcome.problem and not outcome.status:
        cache.set(silent, outcome.problem, FIRST_WAIT.total_seconds())
    return outcome


@transaction.atomic
def switch_on(key: int, *, by: User) -> None:
    """Switch a webhook on and send what waits for it. Raises Refused."""
    switch_webhook(key, on=True, by=by)
    for each in WebhookDelivery.objects.filter(webhook=key, state=State.WAITING).order_by("pk"):
        deliver.enqueue(each.pk)


@transaction.atomic
def send_now(key: int, *, by: User) -> None:
    """Send a message that was given up once more. Raises Refused."""
    deliver.enqueue(send_again(key, by=by).pk)


def requeue_deliveries() -> int:
    """Queue messages again that the queue has lost; how many."""
    keys = lost_deliveries()
    for key in keys:
        deliver.enqueue(key)
    return len(keys)


# --- what is told ---------------------------------------------------------------------------------------------------
def kind_of(action: str) -> str:
    """The field of a webhook that says whether it wants such news."""
    if action in CORRECTIONS:
        return "correction"
    return {RESULT: "result", LIST: "new_list"}.get(action, "paired")


def message_of(row: WebhookDelivery) -> dict[str, Any] | None:
    """What is sent; None where the fact is gone, or is not for the public."""
    event = AuditEvent.objects.filter(pk=row.event).first()
    told, club = _told(event) if event else None, current_club()
    if event is None or told is None or club is None:
        return None
    kind = NAMES.get(row.kind, row.kind)
    return {
        "id": str(row.pk),
        "kind": kind,
        "at": event.at.isoformat(timespec="seconds"),
        "club": club.name,
        **told,
        **({"reason": event.reason} if kind == "correction" else {}),
    }


def _told(event: AuditEvent) -> dict[str, Any] | None:
    kind = kind_of(event.action)
    if kind == "new_list":
        return _list(event.subject_key)
    return _paired(event) if kind == "paired" else _game(event.subject_key)


def _list(key: int) -> dict[str, Any] | None:
    row = PublishedList.objects.filter(pk=key, rating_list__public=True).select_related("rating_list").first()
    if row is None:
        return None
    slug = row.rating_list.slug
    return {"list": slug, "on": row.on.isoformat(), "path": reverse("api:ranks", args=[slug])}


def _paired(event: AuditEvent) -> dict[str, Any] | None:
    rows = Round.objects.exclude(state=Round.State.DRAFT).select_related("stage__tournament")
    about = "pk" if event.subject_kind == "round" else "stage__tournament"
    found = list(rows.filter(**{about: event.subject_key}))
    if not found:
        return None
    slug = found[0].stage.tournament.slug
    path = reverse("api:rounds", args=[slug])
    return {"tournament": slug, "rounds": sorted({row.number for row in found}), "path": path}


def _game(key: int) -> dict[str, Any] | None:
    games = Game.objects.select_related("tournament", "white", "black", "pairing__round")
    game = games.filter(pk=key, pairing__superseded=False).first()
    if game is None:
        return None
    row, slug = game.pairing.round, game.tournament.slug
    if row is not None and row.state == Round.State.DRAFT:
        return None
    path = reverse("api:round", args=[slug, row.number]) if row else reverse("api:tournament", args=[slug])
    return {**board_of(game, NOBODY), "path": path}
