"""Events: made, changed, deleted while nothing was played."""

from dataclasses import dataclass, field
from datetime import date
from typing import Any

from django.contrib.auth.models import User
from django.db import transaction
from django.utils.text import slugify
from django.utils.translation import gettext as _

from players.names import slug_part
from players.services.audit import write_audit
from players.services.refusals import Refused, Stale
from ratings.services.lists import lock_lists
from tournaments.models import RESERVED_SLUGS, Game, Round, Stage, Tournament
from tournaments.pairing import pairing_system
from tournaments.services.entries import refresh_snapshots
from tournaments.services.rating import rerate_event

EDITABLE = ("name", "place", "starts_on", "ends_on", "rated", "pool", "tier_from", "tier_below")


@dataclass(frozen=True, slots=True)
class NewTournament:
    """An event to be made. `settings` are the pairing system's own (see its file)."""

    name: str
    pairing_system: str = "round-robin"
    settings: dict[str, Any] = field(default_factory=dict)
    place: str = ""
    starts_on: date | None = None
    ends_on: date | None = None
    rated: bool = True
    pool: str = "standard"
    tier_from: int | None = None
    tier_below: int | None = None


def free_slug(name: str) -> str:
    """An address for that name that no event has yet."""
    base = slugify(slug_part(name)) or "event"
    taken = set(Tournament.objects.filter(slug__startswith=base).values_list("slug", flat=True)) | set(RESERVED_SLUGS)
    slug, number = base, 2
    while slug in taken:
        slug, number = f"{base}-{number}", number + 1
    return slug


@transaction.atomic
def create_tournament(new: NewTournament, *, by: User | None) -> Tournament:
    """Make an event with one stage. Raises Refused for an unknown format, an empty name or dates in the wrong order."""
    _check(new.name, new.starts_on, new.ends_on)
    _check_tier(new.tier_from, new.tier_below)
    try:
        pairing_system(new.pairing_system)
    except KeyError:
        raise Refused(_("There is no format “%(key)s”.") % {"key": new.pairing_system}) from None
    tournament = Tournament.objects.create(
        name=new.name.strip(),
        slug=free_slug(new.name),
        place=new.place,
        starts_on=new.starts_on,
        ends_on=new.ends_on,
        rated=new.rated,
        pool=new.pool,
        tier_from=new.tier_from,
        tier_below=new.tier_below,
    )
    Stage.objects.create(tournament=tournament, pairing_system=new.pairing_system, settings=new.settings)
    write_audit("tournament.created", tournament, by=by, after={"slug": tournament.slug, **new.settings})
    return tournament


def open_event(name: str, *, pool: str, by: User | None) -> Stage:
    """The stage of the open-ended event that files call by that name (club evenings, loaded streams), made when first
    needed; the event itself may be renamed."""
    found = Stage.objects.filter(name=name, tournament__open_ended=True).select_related("tournament").first()
    if found:
        return found
    tournament = Tournament.objects.create(name=name, slug=free_slug(name), pool=pool, open_ended=True)
    write_audit("tournament.created", tournament, by=by, after={"slug": tournament.slug, "open_ended": True})
    return Stage.objects.create(tournament=tournament, name=name)


@transaction.atomic
def update_tournament(
    tournament_key: int, changes: dict[str, Any], *, by: User | None, revision: int | None = None
) -> Tournament:
    """Change an event's data. The format can change only while there are no rounds. A change of `rated`, `pool` or of
    the first day re-rates the event's games. Raises Stale or Refused."""
    lock_lists()
    tournament = Tournament.objects.select_for_update(no_key=True).get(pk=tournament_key)
    if revision is not None and tournament.revision != revision:
        raise Stale(_("Somebody else changed this tournament meanwhile: look at the new data, then change it again."))
    wanted = {name: changes[name] for name in EDITABLE if name in changes}
    before = {name: getattr(tournament, name) for name in wanted}
    _check(
        wanted.get("name", tournament.name),
        wanted.get("starts_on", tournament.starts_on),
        wanted.get("ends_on", tournament.ends_on),
    )
    _check_tier(wanted.get("tier_from", tournament.tier_from), wanted.get("tier_below", tournament.tier_below))
    _change_format(tournament, changes)
    games = Game.objects.filter(tournament=tournament)
    pools = {*games.order_by().values_list("pool", flat=True).distinct(), wanted.get("pool", tournament.pool)}
    for name, value in wanted.items():
        setattr(tournament, name, value)
    tournament.revision += 1
    tournament.save()
    if tournament.pool != before.get("pool", tournament.pool):
        # Games that a file put into a pool of their own stay there.
        games.filter(pool=before["pool"]).update(pool=tournament.pool)
        refresh_snapshots(tournament)
    if any(wanted.get(name) != before.get(name) for name in ("rated", "pool", "starts_on") if name in wanted):
        rerate_event(tournament, pools)
    write_audit("tournament.changed", tournament, by=by, before=_plain(before), after=_plain(wanted))
    return tournament


def _change_format(tournament: Tournament, changes: dict[str, Any]) -> None:
    stage = tournament.stages.first()
    system = changes.get("pairing_system")
    if stage is None or system is None:
        return
    settings = changes.get("settings", stage.settings)
    if (system, settings) == (stage.pairing_system, stage.settings):
        return
    if Round.objects.filter(stage=stage).exists():
        raise Refused(_("The rounds are made: delete them before you change the format."))
    stage.pairing_system, stage.settings = system, settings
    stage.save(update_fields=["pairing_system", "settings"])


@transaction.atomic
def delete_tournament(tournament_key: int, *, by: User | None) -> None:
    """Delete an event in which nothing was played. Raises Refused where a result is recorded."""
    tournament = Tournament.objects.select_for_update(no_key=True).get(pk=tournament_key)
    if Game.objects.filter(tournament=tournament).exclude(result="").exists():
        raise Refused(
            _("“%(name)s” has results and cannot be deleted: clear the results first.") % {"name": tournament.name}
        )
    write_audit("tournament.deleted", tournament, by=by, before={"slug": tournament.slug})
    tournament.games.all().delete()
    Round.objects.filter(stage__tournament=tournament).delete()
    tournament.delete()


def _check(name: str, starts_on: date | None, ends_on: date | None) -> None:
    if not name.strip():
        raise Refused(_("A tournament needs a name."))
    if starts_on and ends_on and ends_on < starts_on:
        raise Refused(_("The last day lies before the first."))


def _check_tier(lowest: int | None, below: int | None) -> None:
    if lowest is not None and below is not None and below <= lowest:
        raise Refused(_("Nobody’s rating lies in that range: “below” must be higher than “from”."))


def _plain(values: dict[str, Any]) -> dict[str, Any]:
    return {name: value.isoformat() if isinstance(value, date) else value for name, value in values.items()}
