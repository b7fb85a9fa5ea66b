"""Photos of score sheets: added where a result is disputed, and gone after the event.

They stand in the database and nowhere else: in no backup, no file, no export (decision 39). The audit trail knows that
one was added or deleted and on which board, and nothing of what is on it.
"""

from datetime import timedelta

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext as _

from players.links.services.personal_links import PLAYER
from players.refusals import Refused, said
from players.trail.services import write_audit
from tournaments.models import Entry, Game, ResultReport, ScoreSheet, Tournament
from tournaments.player_results.services import STILL_OPEN, reports_of, side_of
from tournaments.score_sheets.photos import UnfitPhotoError, clean_photo

MOST_A_SIDE = 2  # of one game: a sheet has two pages; officers are a side of their own
MOST_IN_EVENT = 100
DAYS_AFTER, MOST_DAYS = 30, 366  # after the event's end, and in any case
_ADDED, _DELETED = "score-sheet.added", "score-sheet.deleted"


def is_disputed(game: Game) -> bool:
    """Whether its sides say different things, or somebody says that its result is wrong. Two queries at most."""
    if game.result in STILL_OPEN and len({each.claimed for each in reports_of(game)}) > 1:
        return True
    return ResultReport.objects.filter(game=game, state=ResultReport.State.OPEN).exists()


def add_score_sheet(game: int, photo: bytes, *, player: int | None = None, by: User | None = None) -> ScoreSheet:
    """Keep a photo for one side of a disputed game, by one of its players, or for its officers, by one of them (keys).
    Raises Refused where that is switched off, nothing is disputed, there are enough, or the photo cannot be kept."""
    _side_that_may(game, player, by)
    try:
        image = clean_photo(photo)
    except UnfitPhotoError as reason:
        raise Refused(said(reason)) from None
    return _keep(game, image, player, by)


@transaction.atomic
def _keep(game: int, image: bytes, player: int | None, by: User | None) -> ScoreSheet:
    # Looked at again under a lock: drawing the picture anew takes a second.
    Game.objects.select_for_update(of=("self",), no_key=True).filter(pk=game).first()
    row, side = _side_that_may(game, player, by)
    sheet = ScoreSheet.objects.create(game=row, entry=side, image=image, at=timezone.now())
    write_audit(_ADDED, row.pairing, by=by, role=PLAYER if side else "")
    return sheet


def _side_that_may(game: int, player: int | None, by: User | None) -> tuple[Game, Entry | None]:
    """The game and the side that adds; None for officers. Raises Refused."""
    row = Game.objects.select_related("tournament", "pairing").filter(pk=game).first()
    if row is None or not row.tournament.score_sheets:
        raise Refused(_("Photos of score sheets are not kept in this event: show yours to the arbiter."))
    side = side_of(row, player) if player is not None else None
    if side is None and by is None:
        raise Refused(_("You do not sit on this board: open your own one."))
    if not is_disputed(row):
        raise Refused(_("Nothing is disputed on this board, so no photo is needed."))
    if ScoreSheet.objects.filter(game=row, entry=side).count() >= MOST_A_SIDE:
        text = _("There are %(most)s photos already: delete one first.")
        raise Refused(text % {"most": MOST_A_SIDE})
    if ScoreSheet.objects.filter(game__tournament=row.tournament).count() >= MOST_IN_EVENT:
        raise Refused(_("This event has as many photos as it may: officers delete those no longer needed."))
    return row, side


@transaction.atomic
def delete_score_sheet(sheet: int, *, player: int | None = None, by: User | None = None) -> None:
    """Delete a photo: an officer any, a player those of his own side until the arbiter has decided. Raises Refused."""
    rows = ScoreSheet.objects.defer("image").select_related("game__tournament", "game__pairing")
    row = rows.filter(pk=sheet).first()
    if row is None:
        raise Refused(_("This photo is not there any more."))
    side = side_of(row.game, player) if player is not None else None
    if by is None and (side is None or row.entry_id != side.pk):
        raise Refused(_("Only the side that added a photo deletes it, or an officer."))
    if by is None and not is_disputed(row.game):
        raise Refused(_("The arbiter has decided: now officers alone delete this photo."))
    ScoreSheet.objects.filter(pk=row.pk).delete()
    write_audit(_DELETED, row.game.pairing, by=by, role="" if by else PLAYER)


@transaction.atomic
def forget_score_sheets() -> int:
    """Delete the photos of events that ended a month ago (the last day, or without one the day it was closed), and any
    after a year; how many. A photo that was added later is kept a month too. The trail has a line for each event."""
    now = timezone.now()
    month = now - timedelta(days=DAYS_AFTER)
    of = "game__tournament__"
    ended = Q(**{f"{of}ends_on__lt": timezone.localdate(month)})
    ended |= Q(**{f"{of}ends_on": None, f"{of}closed_at__lt": month})
    over = ScoreSheet.objects.filter((ended & Q(at__lt=month)) | Q(at__lt=now - timedelta(days=MOST_DAYS)))
    keys = dict(over.values_list("pk", "game__tournament"))
    ScoreSheet.objects.filter(pk__in=keys).delete()
    for event in Tournament.objects.filter(pk__in=set(keys.values())).order_by("pk"):
        write_audit("score-sheets.expired", event, by=None)
    return len(keys)
