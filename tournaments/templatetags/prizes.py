"""Prizes in words: what each is for, and sums of money."""

from decimal import Decimal

from django import template
from django.utils.formats import number_format
from django.utils.translation import gettext as _

from tournaments.models import Prize, PrizeFund
from tournaments.prizes.selectors import Winner

register = template.Library()


@register.simple_tag
def money(amount: int, fund: PrizeFund) -> str:
    """{% money prize.amount fund %}: a sum in hundredths with the fund's currency: 1,250 €, 12.50 €."""
    whole = amount % 100 == 0
    text = number_format(Decimal(amount) / 100, decimal_pos=0 if whole else 2, force_grouping=True)
    return f"{text}\u00a0{fund.currency}" if fund.currency else text


@register.filter
def prize_name(prize: Prize) -> str:
    """What a prize is for: Place 2; Best junior, up to 18: no. 2."""
    return _ranked(prize, str(prize.rank))


@register.filter
def share_name(winner: Winner) -> str:
    """The prizes a share comes from: Places 2–4."""
    first, last = winner.first, winner.last
    if first == last:
        return prize_name(first)
    ranks = f"{first.rank}–{last.rank}"
    if first.kind == Prize.Kind.PLACE:
        return _("Places %(ranks)s") % {"ranks": ranks}
    return _ranked(first, ranks)


def _ranked(prize: Prize, rank: str) -> str:
    if prize.kind == Prize.Kind.PLACE:
        return _("Place %(rank)s") % {"rank": rank}
    names = {
        Prize.Kind.JUNIOR: _("Best junior, up to %(limit)s"),
        Prize.Kind.SENIOR: _("Best senior, from %(limit)s"),
        Prize.Kind.WOMAN: _("Best woman"),
        Prize.Kind.BELOW: _("Best rated below %(limit)s"),
        Prize.Kind.NEWCOMER: _("Best on probation or unrated"),
    }
    name = names[Prize.Kind(prize.kind)] % {"limit": prize.limit}
    return name if rank == "1" else _("%(category)s: no. %(rank)s") % {"category": name, "rank": rank}
