"""Last year's event once more: its settings, its officers and, on wish, its people; none of its rounds and results.

The editions of the regulations are those of the new first day. Entries get fresh snapshots of the ratings, and no
numbers. Who is no longer active, was merged into another, or has outgrown its tier, is left out. Stages after the
first are formed from the plan, as in every event of several parts. An event of teams takes its rules along and, with
the people, its teams (`tournaments.teams.services.copying`).
"""

from dataclasses import dataclass, field
from datetime import date, timedelta

from django.contrib.auth.models import User
from django.db import transaction
from django.utils.translation import gettext as _

from players.models import Player
from players.refusals import Refused
from players.trail.services import write_audit
from ratings.lists.services import lock_lists
from tournaments.entries.services.entries import Partners, enter_players, outside_tier
from tournaments.events.selectors.events import entries_of
from tournaments.events.selectors.officers import who_may_run
from tournaments.events.selectors.stages import members_of
from tournaments.events.services.events import EDITIONS, FACTS, RULES, NewTournament, create_tournament
from tournaments.models import Entry, ProhibitedPair, Stage, Tournament
from tournaments.teams.services.copying import copy_rules, copy_teams

YEAR = timedelta(weeks=52)  # the same weekday again


@dataclass(frozen=True, slots=True)
class Copied:
    """What a copy takes over. Left out is who is inactive, or `outgrown`: outside the tier by now."""

    stage: Stage
    players: tuple[Player, ...]
    left_out: tuple[Player, ...]
    outgrown: tuple[Player, ...]
    officers: tuple[User, ...]
    pairs: int
    partners: Partners = field(default_factory=dict)


def what_is_copied(source: Tournament) -> Copied:
    """Read from the source as it is now. Raises Refused for a loaded stream, which has no format."""
    stage = source.stages.order_by("order").first()
    if stage is None or not stage.pairing_system:
        raise Refused(_("“%(name)s” is a stream of games: there is nothing to copy.") % {"name": source.name})
    entries = entries_of([source.pk])
    people = [entry.player for entry in entries]
    together = members_of(entry.pk for entry in entries) if source.entry_size > 1 else {}
    partners = {entry.player_id: together[entry.pk][1:] for entry in entries if entry.pk in together}
    active = [player for player in people if all(map(_is_active, (player, *partners.get(player.pk, ()))))]
    outside = outside_tier(source, [*active, *(other for player in active for other in partners.get(player.pk, ()))])
    stays = [
        player for player in active if not any(each.pk in outside for each in (player, *partners.get(player.pk, ())))
    ]
    outgrown = tuple(player for player in active if player not in stays)
    gone = [player for player in people if player not in active]
    able = tuple(who_may_run().filter(tournaments_run=source))
    pairs = ProhibitedPair.objects.filter(tournament=source, first__player__in=stays, second__player__in=stays)
    return Copied(stage, tuple(stays), tuple(gone), outgrown, able, pairs.count(), partners)


def _is_active(player: Player) -> bool:
    return player.active and player.merged_into_id is None


def next_year(source: Tournament) -> date | None:
    """The first day of the copy where nobody says another: a year later, on the same weekday."""
    return source.starts_on + YEAR if source.starts_on else None


@transaction.atomic
def copy_event(
    source: Tournament, *, name: str, starts_on: date | None, with_entries: bool, by: User | None
) -> Tournament:
    """Make the event anew, beginning on `starts_on`. Where it named who runs it, whoever copies it is one of them.
    Raises Refused as making an event and entering players do."""
    lock_lists()  # so that the ratings are those by which the tier is read
    taken = what_is_copied(source)
    copy = create_tournament(_new(source, taken, name, starts_on, by), by=by)
    Tournament.objects.filter(pk=copy.pk).update(correction_hours=source.correction_hours)
    Stage.objects.filter(tournament=copy, order=1).update(pool=taken.stage.pool)
    if copy_rules(source, copy):
        if with_entries:
            copy_teams(source, copy, taken.players, by=by)
    elif with_entries and taken.players:
        enter_players(copy, taken.players, by=by, partners=taken.partners)
    if with_entries:
        _keep_apart(source, copy)
    values = {"from": source.pk, "entries": len(taken.players) if with_entries else 0}
    write_audit("tournament.copied", copy, by=by, after=values)
    copy.refresh_from_db()
    return copy


def _new(source: Tournament, taken: Copied, name: str, starts_on: date | None, by: User | None) -> NewTournament:
    facts = {fact: getattr(source, fact) for fact in FACTS} | {"name": name, "starts_on": starts_on}
    if source.ends_on is not None:  # as many days after the first as it was
        days = source.ends_on - source.starts_on if source.starts_on else None
        facts["ends_on"] = starts_on + days if starts_on is not None and days is not None else None
    officers: set[int] = set()
    if source.officers.exists():  # nobody stays nobody; an administrator runs it anyway
        officers = {user.pk for user in taken.officers}
        officers |= {by.pk} if by is not None and not by.is_superuser else set()
    return NewTournament(
        **facts,
        pairing_system=taken.stage.pairing_system,
        settings=dict(taken.stage.settings),
        importance=source.importance,
        rules={rule: getattr(source, rule) for rule in RULES if rule not in EDITIONS},
        officers=tuple(sorted(officers)),
    )


def _keep_apart(source: Tournament, copy: Tournament) -> None:
    """The same people apart as before. The entry made first stands first in a pair."""
    entries = dict(Entry.objects.filter(tournament=copy).values_list("player", "pk"))
    known = ProhibitedPair.objects.filter(tournament=source).values_list("first__player", "second__player")
    pairs = [sorted((entries[one], entries[two])) for one, two in known if one in entries and two in entries]
    ProhibitedPair.objects.bulk_create(
        ProhibitedPair(tournament=copy, first_id=first, second_id=second) for first, second in pairs
    )
