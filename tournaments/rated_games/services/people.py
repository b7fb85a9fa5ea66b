"""What is known of a person changes, and the ratings follow: starting ratings, the year of birth, activity."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

from django.contrib.auth.models import User
from django.db import transaction
from django.utils.formats import date_format
from django.utils.translation import gettext as _

from players.models import Player
from players.people.services import update_player
from players.refusals import Refused, Stale
from players.trail.services import write_audit
from ratings.ledger.services.ledger import refresh_ranked
from ratings.lists.services import NewStart, enter_starting_ratings, lock_lists, remove_starting_rating
from ratings.models import RatingList, StartingRating
from ratings.systems.base import Moment
from tournaments.rated_games.selectors.games import earliest, first_rated_moments, first_rated_moments_of
from tournaments.rated_games.services.rating import rerate, rerate_list
from tournaments.rated_games.services.rating_impact import Effect, ImpactRecorder


@transaction.atomic
def bring_starting_ratings(
    rating_list: RatingList, starts: Iterable[NewStart], *, by: User | None, reason: str = "", note: str = ""
) -> None:
    """Enter starting ratings and rate the list anew from the earliest of them; with a reason it is a correction, and
    the audit event has what it moved. Raises Refused."""
    brought = list(starts)
    if not brought:
        return
    locked = _locked(rating_list)
    since = Moment(min(start.on for start in brought))
    impact = ImpactRecorder({locked.pool: since}, [start.player for start in brought]) if reason else None

    def follow() -> Effect:
        rerate_list(locked, since)
        return impact.effect() if impact else {}

    enter_starting_ratings(locked, brought, by=by, reason=reason, note=note, follow=follow)


@transaction.atomic
def drop_starting_rating(start_key: int, *, by: User | None, reason: str = "", note: str = "") -> None:
    """Take a starting rating back and rate the list anew from its day; with a reason it is a correction, and the audit
    event has what it moved."""
    start = StartingRating.objects.select_related("rating_list").get(pk=start_key)
    locked, since = _locked(start.rating_list), Moment(start.on)
    impact = ImpactRecorder({locked.pool: since}, [start.player_id]) if reason else None

    def follow() -> Effect:
        rerate_list(locked, since)
        return impact.effect() if impact else {}

    remove_starting_rating(start, by=by, reason=reason, note=note, follow=follow)


@dataclass(frozen=True, slots=True)
class StartMove:
    """A starting rating (by key, with its revision) that is to hold from another day."""

    start: int
    revision: int
    on: date


def find_starts(moves: Iterable[StartMove]) -> list[tuple[StartingRating, date]]:
    """The starting ratings of those moves with their new days. Raises Stale where one is gone or was changed since."""
    wanted = {(move.start, move.revision): move.on for move in moves}
    rows = StartingRating.objects.select_related("player", "rating_list").filter(pk__in=[key for key, _seen in wanted])
    found = [(row, wanted[row.pk, row.revision]) for row in rows if (row.pk, row.revision) in wanted]
    if len(found) < len(wanted):
        raise Stale(_("Somebody else changed this starting rating meanwhile: look at it again, then change it."))
    return found


def begin_of_moves(starts: Iterable[tuple[StartingRating, date]]) -> dict[str, Moment]:
    """From which moment on the lists of which pools are rated anew."""
    return earliest((row.rating_list.pool, Moment(min(row.on, on))) for row, on in starts)


@transaction.atomic
def move_starting_ratings(moves: Sequence[StartMove], *, by: User | None, reason: str, note: str = "") -> None:
    """Let starting ratings hold from other days, and rate their lists anew. The last of the audit events, one for each,
    has what they moved, and how all of them stood before. Raises Stale, and Refused for a day that has one already."""
    lock_lists()
    starts = find_starts(moves)
    begin = begin_of_moves(starts)
    impact = ImpactRecorder(begin, [row.player_id for row, _on in starts])
    before = {row.pk: row.on for row, _on in starts}
    for row, on in starts:
        if StartingRating.objects.filter(rating_list=row.rating_list_id, player=row.player_id, on=on).exists():
            text = _("Player %(number)s has another starting rating from %(day)s: change that one.")
            raise Refused(text % {"number": f"#{row.player.number}", "day": date_format(on)})
        row.on, row.revision = on, row.revision + 1
        row.save(update_fields=["on", "revision"])
    for rating_list in {row.rating_list for row, _on in starts}:
        rerate_list(rating_list, begin[rating_list.pool])
    together = {row.pk: [before[row.pk].isoformat(), row.revision] for row, _on in starts}
    for left, (row, on) in enumerate(reversed(starts), start=1 - len(starts)):
        after = {"player": row.player_id, "on": on.isoformat(), **({} if left else {"together": together})}
        effect = {} if left else impact.effect()
        was = {"player": row.player_id, "on": before[row.pk].isoformat()}
        action = "starting-rating.changed"
        write_audit(action, row, by=by, before=was, after=after, effect=effect, reason=reason, note=note)


def _locked(rating_list: RatingList) -> RatingList:
    """The list as it is now, locked with the others of its pool."""
    return next(row for row in lock_lists(rating_list.pool) if row.pk == rating_list.pk)


@transaction.atomic
def change_player(
    player_key: int,
    changes: dict[str, Any],
    *,
    by: User | None,
    revision: int | None = None,
    reason: str = "",
    note: str = "",
) -> Player:
    """Change a person's data and let the ratings follow (birth year: K; activity: places); with a reason it is a
    correction, and the audit event has what it moved. Raises Stale or Refused."""
    lock_lists()
    begin = first_rated_moments(Player.objects.get(pk=player_key)) if "birth_year" in changes else {}
    impact = ImpactRecorder(begin, [player_key]) if reason else None

    def follow(_player: Player, changed: set[str]) -> Effect:
        if "birth_year" in changed:
            for pool, since in begin.items():
                rerate(pool, since)
        return impact.effect() if impact else {}

    player, changed = update_player(
        player_key, changes, by=by, revision=revision, reason=reason, note=note, follow=follow
    )
    if "active" in changed:
        refresh_ranked(player)
    return player


@transaction.atomic
def change_people(
    changes: Mapping[int, Mapping[str, Any]], *, by: User | None, reason: str = "", note: str = ""
) -> None:
    """Change the data of several people (by key). What hangs on their years of birth is rated once; with a reason that
    is a correction, and the last audit event has what it moved. Raises Refused."""
    lock_lists()
    years = dict(Player.objects.filter(pk__in=changes).values_list("pk", "birth_year"))
    # What hangs on them is done with the last one, so nobody is among them whose year is here already.
    born = dict.fromkeys(key for key, data in changes.items() if data.get("birth_year", years[key]) != years[key])
    begin = earliest(item for firsts in first_rated_moments_of(born).values() for item in firsts.items())
    impact = ImpactRecorder(begin, born) if reason else None

    def follow(_player: Player, _changed: set[str]) -> Effect:
        for pool, since in begin.items():
            rerate(pool, since)
        return impact.effect() if impact else {}

    for key, data in changes.items():
        if key not in born:
            update_player(key, dict(data), by=by)
    for left, key in enumerate(born, start=1 - len(born)):
        update_player(key, dict(changes[key]), by=by, reason=reason, note=note, follow=None if left else follow)


@dataclass(frozen=True, slots=True)
class Touched:
    """Somebody of whom a list of people says something else: the year of birth, the starting rating, or both."""

    player: Player
    birth: bool
    start: bool


def reach_of(people: Iterable[Touched], pool: str, on: date) -> tuple[dict[str, Moment], dict[int, dict[str, Moment]]]:
    """From which moment on which pools are rated anew where starting ratings of that pool hold from that day; and of
    those who have rated games (by key) the first in each pool. Nothing of both where no game is touched."""
    begin: list[tuple[str, Moment]] = []
    firsts: dict[int, dict[str, Moment]] = {}
    touched = [each for each in people if each.birth or each.start]
    moments = first_rated_moments_of([each.player.pk for each in touched])
    for each in touched:
        if first := moments[each.player.pk]:
            firsts[each.player.pk] = first
            begin += first.items() if each.birth else ()
            begin += [(pool, Moment(on))] if each.start and pool in first else []
    return earliest(begin), firsts if begin else {}
