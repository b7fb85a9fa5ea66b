"""Notices to browsers and by e-mail: you are paired, your result was entered, a new list is out.

`write_audit` queues `tell` with the fact; it finds who is concerned and queues one `send` a browser and one
`send_letter` an address, all together. A browser shows one notice a fact (its `tag`), a mail program one letter (its
`Message-ID`), so what is sent twice after a crash is seen once. Told is what everybody may read, with names as the
public sees them.
"""

import json
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.conf import settings
from django.db import transaction
from django.db.models import Q
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import timezone
from django.utils.module_loading import import_string
from django.utils.translation import gettext as _
from django.utils.translation import override
from django_tasks import task

from clubrating.site.notices.letters import Letter, Outcome, deliver
from players.jobs.services import BEHIND
from players.models import AuditEvent, MailSubscription, Player, Subscription
from players.notices.services import note_reached, note_sent, stop_mail, unsubscribe
from players.people.selectors import current_club, known_site
from players.privacy.rules import NOBODY, sees_page, shown_name
from players.trail.services import LIST, RESULT
from ratings.models import PublishedList, PublishedRow
from tournaments.events.selectors.stages import name_sides, sits_at
from tournaments.models import Game, Round
from tournaments.standings.points import DECIDED_RESULTS

RECENT = timedelta(days=3)  # a result entered later than that is no news
MOST_TRIES = 5
FIRST_PAUSE = timedelta(minutes=1)  # then four times as long each time
GONE = (404, 410)


@dataclass(frozen=True, slots=True)
class Notice:
    """What a browser shows, and the page it opens."""

    title: str
    body: str
    url: str


@task(priority=BEHIND)
def tell(event_key: int) -> None:
    """Queue a notice for every browser and every address concerned by that line of the trail."""
    event = AuditEvent.objects.filter(pk=event_key).first()
    if event is None:
        return
    concerned = _concerned(event)
    wanted = Q(player__in=concerned) | Q(player__merged_into__in=concerned)
    wanted &= Q(**{_kind(event): True})
    with transaction.atomic():
        if settings.PUSH_KEY:
            for key in Subscription.objects.filter(wanted).order_by("pk").values_list("pk", flat=True):
                send.enqueue(key, event_key, 1)
        if settings.MAIL:
            confirmed = MailSubscription.objects.filter(wanted, confirmed_at__isnull=False)
            for key in confirmed.order_by("pk").values_list("pk", flat=True):
                send_letter.enqueue(key, event_key, 1)


@task(priority=BEHIND)
def send(subscription_key: int, event_key: int, tries: int) -> None:
    """Send one notice to one browser; a browser that is gone is forgotten, a push service that fails is asked again."""
    row = Subscription.objects.filter(pk=subscription_key).select_related("player__merged_into").first()
    event = AuditEvent.objects.filter(pk=event_key).first()
    if row is None or event is None or not settings.PUSH_KEY:
        return
    player = row.player.merged_into or row.player
    if not sees_page(player, NOBODY):
        unsubscribe(row.endpoint)
        return
    with override(row.language):
        notice = notice_for(player, event)
    if notice is None:
        return
    content = {"title": notice.title, "body": notice.body, "url": notice.url, "tag": f"club-{event_key}"}
    status = import_string(settings.PUSH_SENDER)(
        *(row.endpoint, row.p256dh, row.auth, json.dumps(content).encode(), f"club-{event_key}"),
        key=settings.PUSH_KEY,
        contact=settings.PUSH_CONTACT,
    )
    if status in GONE:
        unsubscribe(row.endpoint)
    elif 200 <= status < 300:
        note_reached(row)
    elif (status == 0 or status == 429 or status >= 500) and tries < MOST_TRIES:
        send.using(run_after=_later(tries)).enqueue(subscription_key, event_key, tries + 1)


@task(priority=BEHIND)
def send_letter(subscription_key: int, event_key: int | None, tries: int) -> None:
    """Send one letter to one address: about that line of the trail, or (None) the question whether letters are wanted.
    An address that is gone is forgotten, a mail server that fails is asked again. Nothing is sent about whoever is
    hidden."""
    row = MailSubscription.objects.filter(pk=subscription_key).select_related("player__merged_into").first()
    if row is None or not settings.MAIL or not sees_page(row.player.merged_into or row.player, NOBODY):
        return
    with override(row.language):
        letter = _question(row) if event_key is None else _news(row, event_key)
    if letter is None:
        return
    outcome = deliver(letter)
    if outcome is Outcome.GONE:
        stop_mail(row)
    elif outcome is Outcome.FAILED and tries < MOST_TRIES:
        send_letter.using(run_after=_later(tries)).enqueue(subscription_key, event_key, tries + 1)
    elif outcome is Outcome.SENT and event_key is not None:
        note_sent(row, event_key)


def _later(tries: int) -> datetime:
    pause: timedelta = FIRST_PAUSE * 4 ** (tries - 1)
    return timezone.now() + pause


def _kind(event: AuditEvent) -> str:
    """The field of a subscription that says whether such news are wanted."""
    return {RESULT: "result", LIST: "new_list"}.get(event.action, "paired")


def _concerned(event: AuditEvent) -> set[int]:
    """The keys of the players whom it concerns."""
    if event.action == LIST:
        return set(PublishedRow.objects.filter(published_list=event.subject_key).values_list("player", flat=True))
    games = list(_games(event))
    name_sides(games)
    return {each.pk for game in games for side in (game.white, game.black) for each in (side, *side.beside)}


def _games(event: AuditEvent) -> Iterable[Game]:
    """The games it is about: the one with the result, or those of the published round."""
    games = Game.objects.select_related("white", "black", "tournament", "pairing__round")
    if event.action == RESULT:
        since = timezone.localdate() - RECENT
        return games.filter(pk=event.subject_key, result__in=DECIDED_RESULTS, played_on__gte=since)
    rows = Round.objects.filter(state=Round.State.PUBLISHED)
    if event.subject_kind == "round":
        rows = rows.filter(pk=event.subject_key)
    else:  # all rounds of an event at once: the first is news
        rows = rows.filter(stage__tournament=event.subject_key, number=1)
    return games.filter(pairing__round__in=rows, pairing__superseded=False, number=1).order_by("pairing__board")


def notice_for(player: Player, event: AuditEvent) -> Notice | None:
    """The words, in the language that is on; None where the fact is gone meanwhile."""
    if event.action == LIST:
        published = PublishedList.objects.filter(pk=event.subject_key).select_related("rating_list").first()
        return _of_list(player, published) if published else None
    games = list(_games(event))
    name_sides(games)
    own = (game for game in games if any(sits_at(side, player.pk) for side in (game.white, game.black)))
    game = next(own, None)
    return _of_game(player, game, event) if game else None


def _of_list(player: Player, published: PublishedList) -> Notice | None:
    row = PublishedRow.objects.filter(published_list=published, player=player).first()
    if row is None or not published.rating_list.public:
        return None
    body = _("Your rating: %(rating)s") % {"rating": row.rating}
    return Notice(_("New list: %(list)s") % {"list": published.rating_list.shown_name}, body, player.get_absolute_url())


def _of_game(player: Player, game: Game, event: AuditEvent) -> Notice:
    is_white = sits_at(game.white, player.pk)
    words = {
        "event": game.tournament.name,
        "opponent": shown_name(game.black if is_white else game.white, NOBODY),
        "number": game.pairing.board,
    }
    row = game.pairing.round
    page = (
        reverse("tournaments:round", args=[game.tournament.slug, row.number])
        if row
        else game.tournament.get_absolute_url()
    )
    if event.action == RESULT:
        return Notice(_("Your result was entered"), _("%(event)s: your game with %(opponent)s") % words, page)
    body = (
        _("Board %(number)s: White against %(opponent)s")
        if is_white
        else _("Board %(number)s: Black against %(opponent)s")
    )
    return Notice(_("You are paired: %(event)s") % words, body % words, page)


# --- letters ---------------------------------------------------------------------------------------------------------
def _question(row: MailSubscription) -> Letter:
    """Whether the owner of the address wants letters, or, where that is confirmed, where they are changed."""
    subject = _("Confirm: letters from %(club)s") if row.confirmed_at is None else _("Your letters from %(club)s")
    return _letter(row, subject % {"club": current_club()}, "mine/ask_letter.txt", {}, f"ask-{row.asked_at:%Y%m%d%H%M}")


def _news(row: MailSubscription, event_key: int) -> Letter | None:
    """The notice as a letter; None where it is sent already, not wanted any more, or its fact is gone."""
    event = AuditEvent.objects.filter(pk=event_key).first()
    if event is None or row.last_event == event_key or not getattr(row, _kind(event)):
        return None
    notice = notice_for(row.player.merged_into or row.player, event)
    if notice is None:
        return None
    context = {"body": notice.body, "page": _whole(row, notice.url)}
    return _letter(row, notice.title, "mine/letter.txt", context, str(event_key))


def _letter(row: MailSubscription, subject: str, template: str, context: dict[str, str], name: str) -> Letter:
    link = _whole(row, reverse("mail-link", args=[row.key]))
    shown = shown_name(row.player.merged_into or row.player, NOBODY)
    text = render_to_string(template, {"row": row, "club": current_club(), "name": shown, "link": link, **context})
    return Letter(row.address, subject, text, f"club-{row.pk}-{name}", link)


def _whole(row: MailSubscription, path: str) -> str:
    return known_site(row.site).rstrip("/") + path
