"""One person entered twice: two player records made one, and one made two again.

`merged_into` is a pointer: the record that goes stays, with its number. Games, entries (and with them places in teams),
captaincies, starting ratings and outside numbers move; the audit event keeps which, so that a merge can be undone while
they stand as it left them. Published lists keep what they said.
"""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import F, Q, QuerySet
from django.utils.formats import date_format
from django.utils.translation import gettext as _

from players.models import AuditEvent, Player, PlayerIdentity
from players.people.services import lock_players
from players.refusals import Refused, Stale
from players.trail.services import write_audit
from ratings.lists.services import lock_lists
from ratings.models import StartingRating
from ratings.systems.base import Moment
from tournaments.models import Contest, ContestMember, Entry, EntryMember, Game, Team, Tournament
from tournaments.rated_games.selectors.games import earliest, first_moments_of
from tournaments.rated_games.services.rating import rerate
from tournaments.rated_games.services.rating_impact import Effect, ImpactRecorder
from tournaments.standings.points import RATED_RESULTS, Result

_BATCH = 500


@dataclass(frozen=True, slots=True)
class Belongings:
    """What belongs to a player, by key."""

    white: tuple[int, ...]
    black: tuple[int, ...]
    entries: tuple[int, ...]
    starts: tuple[int, ...]
    identities: tuple[int, ...]
    contests: tuple[int, ...] = ()
    members: tuple[int, ...] = ()
    captaincies: tuple[int, ...] = ()

    @property
    def games(self) -> tuple[int, ...]:
        return (*self.white, *self.black)


def belongings_of(player: int, *, beside: int) -> Belongings:
    """What would move from `player` to `beside`: of the outside numbers only those of bodies he has none of."""
    schemes = PlayerIdentity.objects.filter(player=beside).values("scheme")
    identities = PlayerIdentity.objects.filter(player=player).exclude(scheme__in=schemes)
    return Belongings(
        _keys(Game.objects.filter(white=player)),
        _keys(Game.objects.filter(black=player)),
        _keys(Entry.objects.filter(player=player)),
        _keys(StartingRating.objects.filter(player=player)),
        _keys(identities),
        _keys(Contest.objects.filter(members__player=player)),
        _keys(EntryMember.objects.filter(player=player)),
        _keys(Team.objects.filter(captain=player)),
    )


def first_moments(what: Belongings) -> dict[str, Moment]:
    """For each pool the moment from which its lists must be rated anew when these change hands."""
    moments: list[tuple[str, Moment]] = []
    for some in _batches(what.games):
        rated = Game.objects.filter(pk__in=some, result__in=RATED_RESULTS, tournament__rated=True)
        moments += first_moments_of(rated.only("pool", "played_on", "sequence")).items()
    for some in _batches(what.contests):
        moments += first_moments_of(
            Contest.objects.filter(pk__in=some, withdrawn=False, tournament__rated=True)
        ).items()
    starts = StartingRating.objects.filter(pk__in=what.starts).values_list("rating_list__pool", "on")
    return earliest([*moments, *((pool, Moment(day)) for pool, day in starts)])


@transaction.atomic
def merge_players(*, keep: int, gone: int, by: User | None, reason: str, note: str = "") -> Player:
    """Make two records (by key) one; the person kept. Raises Refused where they met each other, entered one event
    both, or have a starting rating on the same day: then they are two persons, or one entry is wrong."""
    lock_lists()
    kept, going = _locked(keep, gone)
    _check(kept, going)
    what = belongings_of(gone, beside=keep)
    effect = _hand_over(what, going, kept)
    Player.objects.filter(pk=gone).update(merged_into=kept, revision=F("revision") + 1)
    Player.objects.filter(pk=keep).update(revision=F("revision") + 1)
    before = {"keep": kept.number, "gone": going.number, **asdict(what)}
    after = {"keep": kept.number, "games": len(what.games), "revisions": _revisions(gone, what)}
    write_audit("players.merged", going, by=by, before=before, after=after, effect=effect, reason=reason, note=note)
    kept.refresh_from_db()
    return kept


@transaction.atomic
def undo_merge(event: AuditEvent, *, by: User | None, reason: str, note: str = "") -> Player:
    """Give everything back that a merge moved; the person who was gone. Raises Stale where it no longer stands as the
    merge left it, or where games were made since for an entry that it moved."""
    lock_lists()
    what = moved_by(event)
    kept, going = _locked(_keeper(event), event.subject_key)
    if not stands(event):
        raise Stale(_("What was merged has been changed since: the merge can no longer be undone as a whole."))
    effect = _hand_over(what, kept, going)
    Player.objects.filter(pk=going.pk).update(merged_into=None, revision=F("revision") + 1)
    Player.objects.filter(pk=kept.pk).update(revision=F("revision") + 1)
    images = {"keep": kept.number, "gone": going.number, "games": len(what.games)}
    write_audit("players.unmerged", going, by=by, before=images, effect=effect, reason=reason, note=note)
    going.refresh_from_db()
    return going


def moved_by(event: AuditEvent) -> Belongings:
    """What a merge moved, as its audit event keeps it."""
    # Merges of the time before contests say nothing of them.
    return Belongings(**{name: tuple(event.before.get(name, ())) for name in Belongings.__dataclass_fields__})


def stands(event: AuditEvent) -> bool:
    """Whether everything a merge moved is still as it left it, by the revisions, and nobody played on with it."""
    what = moved_by(event)
    as_left = _revisions(event.subject_key, what) == event.after["revisions"]
    return as_left and not _played_on(_keeper(event), what)


def _keeper(event: AuditEvent) -> int:
    return Player.objects.get(number=event.before["keep"]).pk


def _played_on(keeper: int, what: Belongings) -> bool:
    """Whether whoever was kept has games in an event of the moved entries that did not move with them: they name him,
    and would go on naming him."""
    events = Tournament.objects.filter(Q(entries__in=what.entries) | Q(entry_members__in=what.members))
    games = Game.objects.filter(Q(white=keeper) | Q(black=keeper), tournament__in=events)
    contests = Contest.objects.filter(members__player=keeper, tournament__in=events)
    return not (
        set(games.values_list("pk", flat=True)) <= set(what.games)
        and set(contests.values_list("pk", flat=True)) <= set(what.contests)
    )


def _locked(keep: int, gone: int) -> tuple[Player, Player]:
    """Both, locked after the events they are entered in, as whoever enters somebody does: so nobody makes games in the
    name of one while his entry goes to the other."""
    events = Tournament.objects.select_for_update(no_key=True).order_by("pk")
    entered = Q(entries__player__in=(keep, gone)) | Q(entry_members__player__in=(keep, gone))
    list(events.filter(pk__in=Tournament.objects.filter(entered).values("pk")))
    people = lock_players((keep, gone))
    return people[keep], people[gone]


def _check(keep: Player, gone: Player) -> None:
    if keep.pk == gone.pk:
        raise Refused(_("Choose another player: nobody is merged with the same record."))
    for player in (keep, gone):
        if player.merged_into_id is not None:
            raise Refused(_("Player %(number)s was merged into another already.") % {"number": player.number})
    met = Game.objects.filter(Q(white=keep, black=gone) | Q(white=gone, black=keep)).select_related("tournament")
    if game := met.first():
        raise Refused(_("They met each other in “%(event)s”: they are two persons.") % {"event": game.tournament.name})
    tables = Contest.objects.filter(members__player=keep).filter(members__player=gone).select_related("tournament")
    if contest := tables.first():
        text = _("They met each other in “%(event)s”: they are two persons.")
        raise Refused(text % {"event": contest.tournament.name})
    both = _entered(keep).filter(pk__in=_entered(gone).values("pk")).first()
    if both:
        raise Refused(_("Both are entered in “%(event)s”: take one entry back first.") % {"event": both.name})
    days = StartingRating.objects.filter(player=keep).values_list("rating_list", "on")
    for start in StartingRating.objects.filter(player=gone):
        if (start.rating_list_id, start.on) in set(days):
            raise Refused(
                _("Both have a starting rating from %(day)s: remove one first.") % {"day": date_format(start.on)}
            )


def _entered(player: Player) -> QuerySet[Tournament]:
    return Tournament.objects.filter(Q(entries__player=player) | Q(entry_members__player=player)).order_by("pk")


def _hand_over(what: Belongings, giver: Player, taker: Player) -> Effect:
    """Let `taker` have it all, and the lists follow: first they are rated without the games, then with them."""
    since = first_moments(what)
    impact = ImpactRecorder(since, (giver.pk, taker.pk))
    results, contests = _without_results(what), _without_contests(what)
    _rerate(since)
    for some in _batches(contests):
        Contest.objects.filter(pk__in=some).update(withdrawn=False)
    for result, rated in results.items():
        for some in _batches(rated):
            Game.objects.filter(pk__in=some).update(result=result)
    for field, keys in (("white", what.white), ("black", what.black)):
        for some in _batches(keys):
            Game.objects.filter(pk__in=some).update(**{field: taker, "revision": F("revision") + 1})
    for some in _batches(what.contests):
        ContestMember.objects.filter(contest__in=some, player=giver).update(player=taker)
        Contest.objects.filter(pk__in=some).update(revision=F("revision") + 1)
    Team.objects.filter(pk__in=what.captaincies, captain=giver).update(captain=taker, revision=F("revision") + 1)
    rows = (
        (Entry, what.entries),
        (EntryMember, what.members),
        (StartingRating, what.starts),
        (PlayerIdentity, what.identities),
    )
    for table, keys in rows:
        table._default_manager.filter(pk__in=keys).update(player=taker)
    _rerate(since)
    return impact.effect()


def _without_results(what: Belongings) -> dict[str, list[int]]:
    kept: dict[str, list[int]] = {}
    for some in _batches(what.games):
        rated = Game.objects.filter(pk__in=some, result__in=RATED_RESULTS)
        for key, result in rated.values_list("pk", "result"):
            kept.setdefault(result, []).append(key)
        rated.update(result=Result.OPEN)
    return kept


def _without_contests(what: Belongings) -> list[int]:
    """Take the contests out of the lists; the keys of those that were in them."""
    kept: list[int] = []
    for some in _batches(what.contests):
        rated = Contest.objects.filter(pk__in=some, withdrawn=False)
        kept += rated.values_list("pk", flat=True)
        rated.update(withdrawn=True)
    return kept


def _rerate(since: dict[str, Moment]) -> None:
    for pool, moment in sorted(since.items()):
        rerate(pool, moment)


def _revisions(gone: int, what: Belongings) -> list[int]:
    """The revisions of the record that went and of the games and contests it brought; of its other rows how many there
    are."""
    found = [Player.objects.values_list("revision", flat=True).get(pk=gone)]
    for some in _batches(what.games):
        found += Game.objects.filter(pk__in=some).order_by("pk").values_list("revision", flat=True)
    for some in _batches(what.contests):
        found += Contest.objects.filter(pk__in=some).order_by("pk").values_list("revision", flat=True)
    entries, starts = Entry.objects.filter(pk__in=what.entries), StartingRating.objects.filter(pk__in=what.starts)
    return [*found, entries.count(), starts.count()]


def _keys(rows: Any) -> tuple[int, ...]:
    return tuple(rows.order_by("pk").values_list("pk", flat=True))


def _batches(keys: Sequence[int]) -> list[Sequence[int]]:
    return [keys[start : start + _BATCH] for start in range(0, len(keys), _BATCH)]
