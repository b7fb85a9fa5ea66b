"""Pairs that should not meet: a family, a club, two who travel together. The formats that pair by choice keep them
apart where they can; a round robin cannot, since there everybody meets everybody."""

from collections.abc import Sequence
from itertools import combinations

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils.translation import gettext as _

from players.refusals import Refused
from players.trail.services import write_audit
from tournaments.models import Entry, ProhibitedPair, Tournament
from tournaments.undo.services.snapshots import image_of

LARGEST_GROUP = 40


@transaction.atomic
def prohibit(tournament: Tournament, entries: Sequence[Entry], *, by: User | None) -> int:
    """Keep every two of those entries apart; how many pairs are new. Raises Refused for fewer than two, for somebody
    named twice, or for an entry of another event."""
    locked = Tournament.objects.select_for_update(no_key=True).get(pk=tournament.pk)
    if len(entries) < 2:
        raise Refused(_("Name at least two players who should not meet."))
    if len(entries) > LARGEST_GROUP:
        raise Refused(_("Up to %(count)s players can be kept apart at once.") % {"count": LARGEST_GROUP})
    keys = sorted(entry.pk for entry in entries)
    if len(set(keys)) < len(keys):
        raise Refused(_("Somebody is named twice: nobody plays against themselves anyway."))
    if any(entry.tournament_id != locked.pk for entry in entries):
        raise Refused(_("Somebody is not entered in this event: enter the player first."))
    known = set(ProhibitedPair.objects.filter(tournament=locked).values_list("first_id", "second_id"))
    new = [pair for pair in combinations(keys, 2) if pair not in known]
    rows = [ProhibitedPair(tournament=locked, first_id=first, second_id=second) for first, second in new]
    ProhibitedPair.objects.bulk_create(rows)
    if new:
        write_audit("pairs.prohibited", locked, by=by, after={"pairs": [list(pair) for pair in new]})
    return len(new)


@transaction.atomic
def allow(pair_key: int, *, by: User | None) -> None:
    """Let two meet again. Raises Refused where they may already."""
    pair = (
        ProhibitedPair.objects.select_for_update(of=("self",)).select_related("tournament").filter(pk=pair_key).first()
    )
    if pair is None:
        raise Refused(_("These two may meet already."))
    image = image_of(ProhibitedPair.objects.filter(pk=pair.pk))
    before = {"pairs": [[pair.first_id, pair.second_id]], "image": image}
    write_audit("pair.allowed", pair.tournament, by=by, before=before)
    pair.delete()


def prohibited_pairs(tournament: Tournament, entry: Entry | None = None) -> QuerySet[ProhibitedPair]:
    """The pairs as rows for showing, in the order of numbers; of one entry, or all."""
    pairs = ProhibitedPair.objects.filter(tournament=tournament)
    if entry is not None:
        pairs = pairs.filter(Q(first=entry) | Q(second=entry))
    return pairs.select_related("first__player", "second__player").order_by("first__number", "second__number", "pk")
