"""Tiers of a list: leagues by rating, a filter of the list and a restriction for tournaments. They rate nobody."""

from collections.abc import Iterable
from dataclasses import dataclass

from django.contrib.auth.models import User
from django.db import transaction
from django.utils.translation import gettext as _

from players.people.names import slug_part
from players.trail.services import write_audit
from players.refusals import Refused
from ratings.models import RatingList, RatingTier


@dataclass(frozen=True, slots=True)
class NewTier:
    """A tier to be given to a list: ratings below `below`, down to the next lower tier; None: the top tier."""

    name: str
    below: int | None


@transaction.atomic
def set_tiers(rating_list: RatingList, tiers: Iterable[NewTier], *, by: User | None) -> None:
    """Replace the list's tiers. Raises Refused where two have the same bound or the same name."""
    wanted = list(tiers)
    slugs = [slug_part(tier.name)[:40].strip("-") or f"tier-{place}" for place, tier in enumerate(wanted, start=1)]
    if len({tier.below for tier in wanted}) < len(wanted):
        raise Refused(_("Two tiers end at the same rating: give each one of its own."))
    if len(set(slugs)) < len(slugs):
        raise Refused(_("Two tiers have the same name: give each one of its own."))
    before = {tier.name: tier.below for tier in rating_list.tiers.all()}
    rating_list.tiers.all().delete()
    RatingTier.objects.bulk_create(
        RatingTier(rating_list=rating_list, name=tier.name, slug=slug, below=tier.below)
        for tier, slug in zip(wanted, slugs, strict=True)
    )
    after = {tier.name: tier.below for tier in wanted}
    write_audit("list.tiers-changed", rating_list, by=by, before=before, after=after)
