"""The prizes of an event: one writer for the fund and all its prizes, saved together."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from hashlib import sha256
from typing import Any

from django.contrib.auth.models import User
from django.db import transaction
from django.utils.translation import gettext as _

from players.refusals import Refused, Stale
from players.trail.services import write_audit
from tournaments.models import Prize, PrizeFund, Tournament
from tournaments.standings.prizes import Sharing

MOST_PRIZES = 100
LARGEST = 100_000_000  # hundredths: a million
WITH_LIMIT = (Prize.Kind.JUNIOR, Prize.Kind.SENIOR, Prize.Kind.BELOW)
_OLDEST, _HIGHEST = 120, 4000


@dataclass(frozen=True, slots=True)
class NewPrize:
    """A prize as it was entered; `amount` in hundredths."""

    kind: str
    limit: int | None
    rank: int
    amount: int
    thing: str = ""


@dataclass(frozen=True, slots=True)
class Fund:
    """How the prizes are given."""

    currency: str
    sharing: str
    step: int
    one_each: bool


@transaction.atomic
def set_prizes(
    tournament: Tournament, fund: Fund, prizes: Sequence[NewPrize], *, by: User | None, seen: str | None = None
) -> int:
    """Give the event these prizes in place of all it had; how many. Raises Refused for prizes that cannot be, Stale
    where they are no longer those `seen` (`prizes_digest`)."""
    event = Tournament.objects.select_for_update(no_key=True).get(pk=tournament.pk)
    if seen is not None and seen != prizes_digest(event):
        raise Stale(_("Somebody else changed the prizes meanwhile: look at them again."))
    _check(event, fund, prizes)
    before = _audited(event)
    row, _made = PrizeFund.objects.update_or_create(tournament=event, defaults=asdict(fund))
    row.prizes.all().delete()
    Prize.objects.bulk_create(Prize(fund=row, **asdict(prize)) for prize in prizes)
    if not prizes:
        row.delete()
    after = _audited(event)
    if after != before:
        write_audit("prizes.changed", event, by=by, before=before, after=after)
    return len(prizes)


def prizes_digest(tournament: Tournament) -> str:
    """What tells two states of an event's prizes apart."""
    fund = PrizeFund.objects.filter(tournament=tournament).values_list("currency", "sharing", "step", "one_each")
    prizes = Prize.objects.filter(fund__tournament=tournament).order_by("pk")
    return sha256(repr([*fund, *prizes.values_list("pk", "amount", "thing")]).encode()).hexdigest()[:16]


def _audited(event: Tournament) -> dict[str, Any]:
    """What the trail keeps: how they are given, and each prize without its thing (a name may be in it)."""
    fund = PrizeFund.objects.filter(tournament=event).values("sharing", "step", "one_each").first()
    prizes = Prize.objects.filter(fund__tournament=event).order_by("pk")
    rows = [
        [kind, limit, rank, amount, bool(thing)]
        for kind, limit, rank, amount, thing in prizes.values_list("kind", "limit", "rank", "amount", "thing")
    ]
    return {**(fund or {}), "prizes": rows}


def _check(event: Tournament, fund: Fund, prizes: Sequence[NewPrize]) -> None:
    if event.open_ended:
        raise Refused(_("“%(name)s” has no end, so it has no prizes.") % {"name": event.name})
    if fund.sharing not in list(Sharing) or fund.step not in dict(PrizeFund._meta.get_field("step").flatchoices):
        raise Refused(_("Choose how prizes are shared and rounded."))
    if len(prizes) > MOST_PRIZES:
        raise Refused(_("Up to %(count)s prizes are possible.") % {"count": MOST_PRIZES})
    known: set[tuple[str, int | None, int]] = set()
    for prize in prizes:
        _check_one(prize)
        key = (prize.kind, prize.limit, prize.rank)
        if key in known:
            raise Refused(_("Two prizes are for the same: %(prize)s.") % {"prize": Prize.Kind(prize.kind).label})
        known.add(key)


def _check_one(prize: NewPrize) -> None:
    if prize.kind not in Prize.Kind.values or not 1 <= prize.rank <= 500:
        raise Refused(_("Choose what each prize is for."))
    label = {"prize": Prize.Kind(prize.kind).label}
    top = _HIGHEST if prize.kind == Prize.Kind.BELOW else _OLDEST
    if (prize.kind in WITH_LIMIT) != (prize.limit is not None):
        raise Refused(
            _("An age or a rating belongs to juniors, seniors and rating limits, and to no other: %(prize)s.") % label
        )
    if prize.limit is not None and not 1 <= prize.limit <= top:
        raise Refused(_("Check the age or the rating: %(prize)s.") % label)
    if not 0 <= prize.amount <= LARGEST or (not prize.amount and not prize.thing):
        raise Refused(_("A prize is money, a thing, or both: %(prize)s.") % label)
