"""The last steps of an event as a stack: each can be taken back with all that came after it, newest first.

A step is a line of the event's audit trail that still stands. Left out are lines of what was taken back and of taking
it back, lines that are a part of another (the forfeits of somebody who left, the other boards of seats exchanged), and
letters that change no fact.

`preview` takes the steps back, reads what moved, and rolls back; `commit` does the same again and refuses where other
steps were done meanwhile, or the effect is another (decision 6). How one step is taken back: `steps`.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from typing import Any

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import Count, Q, QuerySet
from django.utils.translation import gettext as _

from players.models import AuditEvent, Player
from players.refusals import Refused, Stale
from ratings.lists.services import lock_lists
from ratings.systems.base import Moment
from tournaments.corrections.services.changes import digest
from tournaments.corrections.services.corrections import (
    ListPreview,
    effect_lines,
    list_previews,
    places_now,
    standings_lines,
)
from tournaments.corrections.services.jobs import LONG_TAIL
from tournaments.models import ByeRequest, Entry, Game, Pairing, Round, Tournament
from tournaments.rated_games.selectors.games import earliest, first_moments_of
from tournaments.rated_games.services.rating_impact import ImpactRecorder, count_from
from tournaments.trail.selectors import TrailFilter, lines
from tournaments.undo.services.steps import take_back, why_not
from tournaments.undo.services.undo import UNDOING, UNDONE, taking_back

SHOWN = 20
SEATS = "seats.exchanged"
_LOOKED_AT = 240  # lines looked through for so many steps
# Letters, and what is computed: no fact of the event moves with them.
_PASSING = (
    *("result.reported", "report.accepted", "report.declined", "result.claimed", "forecast.stored"),
    *("entry-request.made", "entry-request.confirmed", "entry-request.refused", "entry-request.paid"),
    *("captain-link.made", "captain-link.revoked"),
)


@dataclass(frozen=True, slots=True)
class Step:
    """A step that stands: its line of the trail, how many steps go with it (itself too), and why it, and whatever
    came before, cannot be taken back; empty where nothing is known that forbids it."""

    event: AuditEvent
    count: int
    why_not: str = ""


@dataclass(frozen=True, slots=True)
class Counted:
    """How many there are of something, before and after."""

    name: str
    before: int
    after: int


@dataclass(frozen=True, slots=True)
class Rewound:
    """What taking steps back moves: the `events` newest first, the lists, facts counted, who leads the standings before
    and after, how many lines of the standings change. `seen` has to come with the commit."""

    events: tuple[AuditEvent, ...]
    lists: tuple[ListPreview, ...]
    counts: tuple[Counted, ...]
    leaders: tuple[tuple[Player, ...], tuple[Player, ...]]
    places: int
    seen: str


def last_steps(tournament: Tournament) -> list[Step]:
    """The last steps of the event, newest first, as far as they can be taken back, and the first that cannot. Two
    queries, whatever their number."""
    found: list[Step] = []
    older = 0
    for event in _standing(tournament):
        if len(found) < SHOWN:
            found.append(Step(event, len(found) + 1, why_not(event)))
        if found[-1].why_not or found[-1].event != event:
            older = event.pk
            break
    return _as_cleared(tournament, found, older)


def _as_cleared(tournament: Tournament, steps: list[Step], older: int) -> list[Step]:
    """The steps down to the one that cleared games of later matches, since the line `older`: those do not come back.
    Their lines stand directly before its own."""
    cleared = AuditEvent.objects.filter(
        pk__gt=older, action="game.removed", before__tournament=tournament.slug, before__behind=True
    ).order_by("-pk")
    newest = cleared.values_list("pk", flat=True).first()
    since = [step for step in steps if newest is not None and step.event.pk > newest]
    if not since:
        return steps
    why = _("It cleared games of later matches, which do not come back.")
    return [*since[:-1], replace(since[-1], why_not=why)]


def _standing(tournament: Tournament) -> Iterator[AuditEvent]:
    rows = lines(TrailFilter(event=tournament)).exclude(action__in=_PASSING).defer("effect")  # what moved may be much
    gone: set[int] = set()
    parts: set[tuple[str, int, int | None]] = set()
    for event in rows.order_by("-pk")[:_LOOKED_AT]:
        if event.action.endswith(UNDONE):
            gone.add(event.after.get("event", 0))
            continue
        parts |= {("game", game, revision) for game, revision in event.after.get("forfeits", [])}
        if event.action == "entry.withdrawn":
            parts |= {("pairing", match, None) for match in event.after.get("matches", [])}
        taking = event.origin.startswith(UNDOING) or event.reason == AuditEvent.Reason.UNDONE
        part = (event.subject_kind, event.subject_key, event.after.get("revision")) in parts or _is_of_itself(event)
        part |= event.action == SEATS and "seats" not in event.before  # the other boards of that exchange
        if event.pk not in gone and not taking and not part:
            yield event


def _is_of_itself(event: AuditEvent) -> bool:
    """Whether it is a walk-over that a step before brought about: an opponent who has left came to be known."""
    return event.action == "match.ruled" and not event.before


# --- taking back --------------------------------------------------------------------------------------------------
def preview(tournament: Tournament, step: int, *, by: User | None) -> Rewound:
    """What taking back the step (key of its line) and all after it would move. Writes nothing. Raises Stale where it is
    no step of the event any more, Refused with the step that cannot be taken back."""
    with transaction.atomic():
        shown = _rewind(tournament, step, by)
        transaction.set_rollback(True)
    return shown


@transaction.atomic
def commit(tournament: Tournament, step: int, *, seen: str, by: User | None) -> Rewound:
    """Take the step and all after it back, in one transaction, each with a line in the trail. Raises Stale where it is
    not what `preview` showed with that `seen`, Refused as `preview` does."""
    done = _rewind(tournament, step, by)
    if done.seen != seen:
        raise Stale(_("Something else was done meanwhile, or the effect is another now: look at it again."))
    return done


def _rewind(tournament: Tournament, step: int, by: User | None) -> Rewound:
    lock_lists()
    event = Tournament.objects.select_for_update(no_key=True).get(pk=tournament.pk)
    list(Round.objects.select_for_update(no_key=True).filter(stage__tournament=event).values_list("pk").order_by("pk"))
    events = _down_to(last_steps(event), step)
    begin = _begin(event, events)
    if count_from(begin) > LONG_TAIL:
        text = _("More than %(games)s games are rated behind these steps: correct the result on its own page.")
        raise Refused(text % {"games": LONG_TAIL})
    impact, places, facts, standings = ImpactRecorder(begin, None), places_now(begin), _counts(event), _stand(event)
    for each in events:
        with taking_back(each, by):
            take_back(each, by)
    event.refresh_from_db()
    after = _stand(event)
    shown = Rewound(
        events=events,
        lists=tuple(row for row in list_previews(impact.moved(), begin, places, places_now(begin)) if row.moves),
        counts=tuple(map(Counted, facts.keys(), facts.values(), _counts(event).values())),
        leaders=(_leaders(standings), _leaders(after)),
        places=sum(standings.get(player) != after.get(player) for player in standings.keys() | after.keys()),
        seen="",
    )
    return replace(shown, seen=_seen(shown))


def _down_to(steps: Sequence[Step], step: int) -> tuple[AuditEvent, ...]:
    """The lines from the newest down to that step. Raises Stale or Refused."""
    at = next((place for place, row in enumerate(steps) if row.event.pk == step), None)
    if at is None:
        raise Stale(_("This step is not among the last ones any more: look at the list again."))
    if steps[at].why_not:
        raise Refused(steps[at].why_not)
    return tuple(row.event for row in steps[: at + 1])


def _begin(event: Tournament, events: Iterable[AuditEvent]) -> dict[str, Moment]:
    """From where lists are rated anew; the whole event where it was closed, since lists may rate by the event."""
    games = Game.objects.filter(tournament=event, sequence__isnull=False).select_related("tournament")
    if any(row.action == "event.closed" for row in events):
        return first_moments_of(games)
    days: dict[int, set[str]] = {}
    for row in events:
        if row.subject_kind == "game":
            days.setdefault(row.subject_key, set()).update(_days(row.before), _days(row.after))
        if row.action == SEATS:  # who was exchanged sits on other boards of the round
            beside = games.filter(pairing__round__pairings__games=row.subject_key).values_list("pk", flat=True)
            days.update({key: days.get(key, set()) for key in beside})
    found = []
    for game in games.filter(pk__in=days):
        if game.moment:
            on = min([game.moment.on, *map(date.fromisoformat, days[game.pk])])
            found.append((game.pool, game.moment._replace(on=on)))
    return earliest(found)


def _days(image: Mapping[str, str]) -> set[str]:
    return {image["played_on"]} if image.get("played_on") else set()


# --- what moved ---------------------------------------------------------------------------------------------------
Standings = Mapping[Player, tuple[int, int, int]]


def _stand(event: Tournament) -> Standings:
    return dict(standings_lines(event))


def _leaders(standings: Standings) -> tuple[Player, ...]:
    return tuple(player for player, line in standings.items() if line[0] == 1)


def _counts(event: Tournament) -> dict[str, int]:
    boards = _both(Pairing.objects.filter(stage__tournament=event, superseded=False), Q(bye=""))
    rounds = _both(Round.objects.filter(stage__tournament=event), Q(state=Round.State.DRAFT))
    entries = _both(Entry.objects.filter(tournament=event), Q(withdrawn=False))
    return {
        _("Results"): Game.objects.filter(tournament=event).exclude(result="").count(),
        _("Boards"): boards[True],
        _("Byes"): boards[False],
        _("Rounds"): sum(rounds.values()),
        _("Published rounds"): rounds[False],
        _("Entries"): sum(entries.values()),
        _("Withdrawn"): entries[False],
        _("Byes asked for"): ByeRequest.objects.filter(entry__tournament=event).count(),
    }


def _both(rows: QuerySet[Any], kind: Q) -> dict[bool, int]:
    """How many are of that kind, and how many are not. One query."""
    found = rows.aggregate(true=Count("pk", filter=kind), false=Count("pk", filter=~kind))
    return {True: found["true"], False: found["false"]}


def _seen(shown: Rewound) -> str:
    keys = [str(event.pk) for event in shown.events]
    counts = [f"{row.before} {row.after}" for row in shown.counts]
    leaders = [" ".join(str(player.number) for player in row) for row in shown.leaders]
    return digest([*keys, "", *effect_lines(shown.lists), "", *counts, *leaders, str(shown.places)])
