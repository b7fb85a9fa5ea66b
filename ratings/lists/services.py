"""Rating lists, their dated rules and starting ratings, and their tiers.

Whoever changes a rule or a starting rating, or another setting that ratings depend on, re-rates the list in the same
transaction (`tournaments.rated_games.services.rating`). A caller that does so in `follow` gets what it moved into the
audit event.

Tiers are leagues by rating: a filter of the list and a restriction for tournaments. They do not affect ratings.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from typing import Any

from django.conf import settings as site
from django.contrib.auth.models import User
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import override

from clubrating.ground.marks import marked
from players.people.names import clean_name, slug_part
from players.refusals import Refused, Stale, said
from players.trail.services import write_audit
from ratings.models import RatingList, RatingListRule, RatingTier, StartingRating
from ratings.systems import rating_system
from ratings.systems.base import Moment, Start
from ratings.systems.replay import DatedRule, DatedRules, Reentry

# --- lists, rules, starting ratings ----------------------------------------------------------------------------------
# A list's first rule holds for everything before the second one, so its date says only "from the beginning".
BEGINNING = date(1900, 1, 1)
# What of a list may change; the pool and the address are its identity.
LIST_FIELDS = ("name", "names", "provisional_games", "reentry_years", "reentry_games", "public", "primary", "order")


Follow = Callable[[], dict[str, Any]]  # rates what hangs on a change; what it moved, as the audit trail keeps it


@dataclass(frozen=True, slots=True)
class NewStart:
    """A starting rating to be entered for a player (by key)."""

    player: int
    on: date
    rating: float
    games: int | None = None
    peak: float | None = None
    deviation: float | None = None
    source: str = StartingRating.Source.CLUB
    revision: int | None = None


@dataclass(frozen=True, slots=True)
class NewRule:
    """A dated rule to be given to a list."""

    valid_from: date
    system: str
    settings: Mapping[str, Any]


def _usable_names(names: Mapping[str, str], model: type[RatingList | RatingTier]) -> dict[str, str]:
    """The cleaned names by language code; an empty one is left out. Raises Refused for a language the site does not
    have, and for a name that is no name or longer than the model's."""
    languages, most = dict(site.LANGUAGES), model._meta.get_field("name").max_length or 0
    for code, text in names.items():
        if code not in languages:
            raise Refused(_("The site has no language “%(code)s”.") % {"code": code})
        if text and not any(char.isalnum() for char in text):
            raise Refused(_("A name needs a letter or a digit: “%(name)s”.") % {"name": text})
        if len(clean_name(text)) > most:
            values = {"language": languages[code], "most": most}
            raise Refused(_("The name in %(language)s is longer than %(most)s characters: shorten it.") % values)
    return {code: clean_name(text) for code, text in names.items() if text}


def check_rule(system: str, settings: Mapping[str, Any]) -> None:
    """Raises Refused where the system is unknown or its settings are wrong."""
    try:
        known = rating_system(system)
    except KeyError:
        raise Refused(_("There is no rating system “%(key)s”.") % {"key": system}) from None
    try:
        known.read_settings(settings)
    except ValueError as error:
        raise Refused(said(error)) from None


def _is_cautious(system: str, settings: Mapping[str, Any]) -> bool:
    """Whether a rule lists less than the rating."""
    known = rating_system(system)
    return known.listing(known.read_settings(settings)).deviations > 0


@transaction.atomic
def create_list(
    *,
    name: str,
    slug: str,
    pool: str,
    by: User | None,
    system: str = "elo",
    settings: Mapping[str, Any] | None = None,
    primary: bool = False,
    order: int = 1,
    names: Mapping[str, str] | None = None,
) -> RatingList:
    """A new list with its first rule; empty until it is re-rated. `names` are further ones by language code. Raises
    Refused for settings the system refuses, and for names that cannot be used."""
    check_rule(system, settings or {})
    rating_list = RatingList.objects.create(
        name=name,
        names=_usable_names(names or {}, RatingList),
        slug=slug,
        pool=pool,
        primary=primary,
        order=order,
        cautious=_is_cautious(system, settings or {}),
    )
    RatingListRule.objects.create(
        rating_list=rating_list, valid_from=BEGINNING, system=system, settings=dict(settings or {})
    )
    settle_probation(rating_list)
    write_audit("list.created", rating_list, by=by, after={"slug": slug, "pool": pool, "system": system})
    return rating_list


# What the lists are called that the app makes: the first one of a club, and those of the demo club.
_USUAL = (marked("Standard"), marked("Rapid"), marked("World class"), marked("Tables"))


def usual_names(name: str) -> dict[str, str]:
    """A usual list's further names by language code, in whichever language `name` is; none for any other name."""
    for usual in _USUAL:
        names = {}
        for code, _language in site.LANGUAGES:
            with override(code):
                names[code] = _(usual)
        if name in names.values():
            return {code: text for code, text in names.items() if text != name}
    return {}


@transaction.atomic
def ensure_main_list(*, name: str = "Standard", pool: str = "standard", by: User | None) -> RatingList:
    """The club's main list: the one of that name's address if it is there, else a new one; the former main list steps
    back."""
    slug = slug_part(name)[:30].strip("-")
    found = RatingList.objects.filter(slug=slug).first()
    former = RatingList.objects.filter(primary=True).exclude(slug=slug).first()
    if former:
        change_list(former, {"primary": False}, by=by)
    if found:
        change_list(found, {"name": name, "primary": True}, by=by)
        found.refresh_from_db()
        return found
    return create_list(name=name, names=usual_names(name), slug=slug, pool=pool, by=by, primary=True)


@transaction.atomic
def change_list(
    rating_list: RatingList,
    changes: Mapping[str, Any],
    *,
    by: User | None,
    reason: str = "",
    note: str = "",
    follow: Follow = dict,
) -> None:
    """Change what may change of a list (LIST_FIELDS). Another `provisional_games` moves places: re-rate."""
    after = {name: changes[name] for name in LIST_FIELDS if name in changes}
    if not after:
        return
    if "names" in after:
        after["names"] = _usable_names(after["names"], RatingList)
    before = RatingList.objects.values(*after).get(pk=rating_list.pk)
    RatingList.objects.filter(pk=rating_list.pk).update(**after)
    if "provisional_games" in after:
        settle_probation(rating_list)
    values: dict[str, Any] = {"before": before, "after": after, "effect": follow()}
    write_audit("list.changed", rating_list, by=by, reason=reason, note=note, **values)


@transaction.atomic
def set_rules(
    rating_list: RatingList,
    rules: Iterable[NewRule],
    *,
    by: User | None,
    reason: str = "",
    note: str = "",
    follow: Follow = dict,
) -> None:
    """Give the list these dated rules in place of all it had; re-rate.

    Raises Refused for none at all, two from one day, or settings a system refuses; then nothing is changed.
    """
    wanted = sorted(rules, key=lambda rule: rule.valid_from)
    days = [rule.valid_from for rule in wanted]
    if not wanted:
        raise Refused(_("A rating list needs at least one rule."))
    if len(set(days)) < len(days):
        raise Refused(_("Two rules begin on one day: give each its own."))
    for rule in wanted:
        check_rule(rule.system, rule.settings)
    rating_list.rules.all().delete()
    RatingListRule.objects.bulk_create(
        RatingListRule(
            rating_list=rating_list, valid_from=rule.valid_from, system=rule.system, settings=dict(rule.settings)
        )
        for rule in wanted
    )
    rating_list.cautious = any(_is_cautious(rule.system, rule.settings) for rule in wanted)
    RatingList.objects.filter(pk=rating_list.pk).update(cautious=rating_list.cautious)
    settle_probation(rating_list)
    after = {rule.valid_from.isoformat(): f"{rule.system} {dict(rule.settings)}" for rule in wanted}
    write_audit("list.rules-changed", rating_list, by=by, after=after, effect=follow(), reason=reason, note=note)


def settle_probation(rating_list: RatingList) -> bool:
    """Keep what ends the list's probation by the rule that holds today. Whether that is new."""
    stored = RatingList.objects.get(pk=rating_list.pk)
    ends = rules_of(stored).probation(stored.provisional_games, timezone.localdate())
    rating_list.evidence = [round(each, 4) for each in ends.deviations]
    RatingList.objects.filter(pk=rating_list.pk).update(evidence=rating_list.evidence)
    return bool(rating_list.evidence != stored.evidence)


@transaction.atomic
def enter_starting_ratings(
    rating_list: RatingList,
    starts: Iterable[NewStart],
    *,
    by: User | None,
    reason: str = "",
    note: str = "",
    follow: Follow = dict,
) -> None:
    """Write starting ratings as facts; one for the same player and day replaces the earlier one.

    The caller re-rates from the earliest day. Raises Refused for a rating that no player of the list's system has
    (`RatingSystem.lowest_start` to 4000) or a day that has not come, Stale where `revision` is given and no longer
    the fact's.
    """
    today, rules = timezone.localdate(), rules_of(rating_list)
    written: list[tuple[str, StartingRating, dict[str, Any]]] = []
    for start in starts:
        if start.on > today:
            raise Refused(_("%(day)s lies in the future: a rating can be brought from today on.") % {"day": start.on})
        low = rules.on(start.on).system.lowest_start
        if not low <= start.rating <= 4000:
            text = _("A rating of %(rating)s is not plausible: write one from %(low)s to 4000.")
            raise Refused(text % {"rating": f"{start.rating:g}", "low": f"{low:g}"})
        values = {name: getattr(start, name) for name in ("rating", "games", "peak", "deviation", "source")}
        row, created = StartingRating.objects.select_for_update(no_key=True).get_or_create(
            rating_list=rating_list, player_id=start.player, on=start.on, defaults=values
        )
        if not created:
            if start.revision not in (None, row.revision):
                raise Stale(
                    _("Somebody else changed this starting rating meanwhile: look at it again, then change it.")
                )
            StartingRating.objects.filter(pk=row.pk).update(**values, revision=row.revision + 1)
        action = "starting-rating.entered" if created else "starting-rating.changed"
        written.append((action, row, {"player": start.player, "on": start.on.isoformat(), **values}))
    effect = follow()
    for action, row, after in written:
        write_audit(action, row, by=by, after=after, effect=effect, reason=reason, note=note)
        effect = {}  # of all together, so it stands once


def remove_starting_rating(
    start: StartingRating, *, by: User | None, reason: str = "", note: str = "", follow: Follow = dict
) -> None:
    """Take a starting rating back; `follow` re-rates from its day, and says for the audit event what that moved."""
    before = {"player": start.player_id, "on": start.on.isoformat(), "rating": start.rating, "games": start.games}
    key = start.pk
    start.delete()
    start.pk = key  # the audit event names it
    write_audit("starting-rating.removed", start, by=by, before=before, effect=follow(), reason=reason, note=note)


def lock_lists(pool: str | None = None) -> list[RatingList]:
    """The lists of a pool (of all pools), locked to the end of the transaction.

    Whoever changes a rated fact locks its lists before anything else, and reads the games afterwards: so no result
    is rated from an old view, and two writers cannot deadlock.
    """
    lists = RatingList.objects.select_for_update(no_key=True).order_by("pk")
    return list(lists if pool is None else lists.filter(pool=pool))


def starts_of(rating_list: RatingList, since: Moment | None = None) -> list[Start]:
    """The list's starting ratings in order of replay, all or from a moment on; one comes before the games of its
    day."""
    rows = StartingRating.objects.filter(rating_list=rating_list).order_by("on", "player_id")
    if since is not None:
        rows = rows.filter(on__gt=since.on) if since.sequence else rows.filter(on__gte=since.on)
    return [Start(row.player_id, row.on, row.rating, row.games, row.peak, row.deviation) for row in rows]


def reentry_of(rating_list: RatingList) -> Reentry | None:
    """The list's rule for players who return after a long absence; None where it has none."""
    if not rating_list.reentry_years:
        return None
    return Reentry(round(365.25 * rating_list.reentry_years), rating_list.reentry_games)


def rules_of(rating_list: RatingList) -> DatedRules:
    """The list's dated rules, ready to rate with."""
    rules = []
    for row in rating_list.rules.all():
        system = rating_system(row.system)
        rules.append(DatedRule(row.valid_from, system, system.read_settings(row.settings)))
    return DatedRules(rules)


# --- tiers -----------------------------------------------------------------------------------------------------------
@dataclass(frozen=True, slots=True)
class NewTier:
    """A tier to be given to a list: ratings below `below`, down to the next lower tier; None: the top tier."""

    name: str
    below: int | None
    names: Mapping[str, str] = field(default_factory=dict)  # further ones, by language code


@transaction.atomic
def set_tiers(rating_list: RatingList, tiers: Iterable[NewTier], *, by: User | None) -> None:
    """Replace the list's tiers. Raises Refused where two have the same bound or the same name, and for further names
    that cannot be used."""
    wanted = [replace(tier, names=_usable_names(tier.names, RatingTier)) for tier in tiers]
    slugs = [slug_part(tier.name)[:40].strip("-") or f"tier-{place}" for place, tier in enumerate(wanted, start=1)]
    if len({tier.below for tier in wanted}) < len(wanted):
        raise Refused(_("Two tiers end at the same rating: give each one of its own."))
    if len(set(slugs)) < len(slugs):
        raise Refused(_("Two tiers have the same name: give each one of its own."))
    before = _tiers_in_trail(list(rating_list.tiers.all()))
    rating_list.tiers.all().delete()
    RatingTier.objects.bulk_create(
        RatingTier(rating_list=rating_list, name=tier.name, slug=slug, below=tier.below, names=tier.names)
        for tier, slug in zip(wanted, slugs, strict=True)
    )
    after = _tiers_in_trail(wanted)
    write_audit("list.tiers-changed", rating_list, by=by, before=before, after=after)


def _tiers_in_trail(tiers: Sequence[NewTier | RatingTier]) -> dict[str, Any]:
    """Bounds by name, and further names as "Premier (ru)"."""
    bounds = {tier.name: tier.below for tier in tiers}
    return bounds | {f"{tier.name} ({code})": text for tier in tiers for code, text in sorted(tier.names.items())}
