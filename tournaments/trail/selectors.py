"""The audit trail to be read: which lines are wanted, and what each is about.

A line names its subject by kind and key. What stands behind it (event, round, board, players) is looked up for many
lines at once, a query for each kind. Rows that are gone are known only by what the line itself keeps.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import date, datetime, time, timedelta
from typing import Any

from django.db.models import Q, QuerySet
from django.utils import timezone

from players.models import AuditEvent, Player
from ratings.models import PublishedList, RatingList, StartingRating
from tournaments.models import Entry, Game, Pairing, ResultReport, Round, Stage, Tournament
from tournaments.undo.services.snapshots import column_in, keys_in

Subject = tuple[str, int]  # kind and key
# Where an image of what went is kept.
_DELETIONS = ("round.deleted", "rounds.deleted", "bracket.superseded")
# What the images name players by: their numbers.
NUMBERS = ("player", "white", "black", "keep", "gone")


@dataclass(frozen=True, slots=True)
class TrailFilter:
    """Which lines: nothing of it said, all of them. Days in the club's zone; `who` an officer's key, `number` a
    player's."""

    since: date | None = None
    until: date | None = None
    who: int | None = None
    role: str = ""
    action: str = ""
    reason: str = ""
    event: Tournament | None = None
    number: int | None = None
    subject: Subject | None = None


@dataclass(frozen=True, slots=True)
class Place:
    """What a line is about, as far as it is there."""

    event: Tournament | None = None
    round: int | None = None
    board: int | None = None
    players: tuple[Player, ...] = ()
    rating_list: RatingList | None = None


@dataclass(frozen=True, slots=True)
class Places:
    """The places of many lines, and the players that their images name, by number."""

    of: Mapping[Subject, Place] = field(default_factory=dict)
    people: Mapping[int, Player] = field(default_factory=dict)

    def at(self, event: AuditEvent) -> Place:
        """What that line is about; an empty place where that is gone."""
        return self.of.get((event.subject_kind, event.subject_key), Place())


def lines(wish: TrailFilter) -> QuerySet[AuditEvent]:
    """The lines wanted, the last first."""
    rows = AuditEvent.objects.select_related("actor")
    plain = {
        "at__gte": _midnight(wish.since),
        "at__lt": _midnight(wish.until, after=1),
        "actor": wish.who,
        "role": wish.role,
        "action": wish.action,
        "reason": wish.reason,
    }
    rows = rows.filter(**{name: value for name, value in plain.items() if value not in (None, "")})
    if wish.subject:
        rows = rows.filter(subject_kind=wish.subject[0], subject_key=wish.subject[1])
    if wish.event is not None:
        rows = rows.filter(_about_event(wish.event))
    return rows if wish.number is None else rows.filter(_about_player(wish.number))


def _midnight(day: date | None, *, after: int = 0) -> datetime | None:
    """The beginning of that day in the club's zone, or of the one `after`; the calendar's last day has none after."""
    if day is None or (after and day >= date.max - timedelta(days=1)) or day <= date.min + timedelta(days=1):
        return None
    return timezone.make_aware(datetime.combine(day + timedelta(days=after), time.min))


def _about_event(event: Tournament) -> Q:
    """Of the event, its stages, rounds, entries, boards and games, those too that were deleted."""
    own: dict[str, Any] = {
        "stage": Stage.objects.filter(tournament=event),
        "round": Round.objects.filter(stage__tournament=event),
        "entry": Entry.objects.filter(tournament=event),
        "pairing": Pairing.objects.filter(stage__tournament=event),
        "game": Game.objects.filter(tournament=event),
        "resultreport": ResultReport.objects.filter(game__tournament=event),
    }
    about = Q(subject_kind="tournament", subject_key=event.pk)
    for kind, rows in own.items():
        about |= Q(subject_kind=kind, subject_key__in=rows.values("pk"))
    for kind, keys in _gone(event).items():
        about |= Q(subject_kind=kind, subject_key__in=keys)
    return about


def _gone(event: Tournament) -> dict[str, set[int]]:
    """Keys of entries, rounds, boards and games that were deleted, by their images."""
    found: dict[str, set[int]] = {"entry": _entries_gone(event), "round": set(), "pairing": set(), "game": set()}
    events = AuditEvent.objects.filter(subject_kind="tournament", subject_key=event.pk, action__in=_DELETIONS)
    for before in events.values_list("before", flat=True):
        for table in (Round, Pairing, Game):
            found[str(table._meta.model_name)].update(keys_in(before.get("image", {}), table))
    return {kind: keys for kind, keys in found.items() if keys}


def _entries_gone(event: Tournament) -> set[int]:
    """Keys of entries that were taken back. The address alone does not tell: a deleted event may have had it before."""
    removed = AuditEvent.objects.filter(subject_kind="entry", action="entry.removed", before__tournament=event.slug)
    found = set()
    for key, before in removed.values_list("subject_key", "before"):
        events = column_in(before.get("image", {}), Entry, "tournament_id")
        if event.pk in events or not events:
            found.add(key)
    return found


def _about_player(number: int) -> Q:
    """Of the player with that number: the person, entries, games, starting ratings."""
    player = Player.objects.filter(number=number)
    about = Q(subject_kind="player", subject_key__in=player.values("pk"))
    about |= Q(subject_kind="player", before__number=number) | Q(subject_kind="entry", before__player=number)
    games = Game.objects.filter(Q(white__in=player) | Q(black__in=player))
    own: dict[str, Any] = {
        "entry": Entry.objects.filter(player__in=player),
        "game": games,
        "resultreport": ResultReport.objects.filter(game__in=games),
        "startingrating": StartingRating.objects.filter(player__in=player),
    }
    for kind, rows in own.items():
        about |= Q(subject_kind=kind, subject_key__in=rows.values("pk"))
    return about


# --- what a line is about -----------------------------------------------------------------------------------------
def places_of(events: Iterable[AuditEvent]) -> Places:
    """What those lines are about, with one query for each kind of row."""
    keys: dict[str, set[int]] = {}
    numbers: set[int] = set()
    for event in events:
        keys.setdefault(event.subject_kind, set()).add(event.subject_key)
        numbers |= numbers_in(event)
    found: dict[Subject, Place] = {}
    for kind, wanted in keys.items():
        if kind in _FINDERS:
            found |= {(kind, key): place for key, place in _FINDERS[kind](wanted)}
    people = {player.number: player for player in Player.objects.filter(number__in=numbers)}
    return Places(found, people)


def numbers_in(event: AuditEvent) -> set[int]:
    """The numbers of players that a line's images name."""
    values = (image.get(name) for image in (event.before, event.after) for name in NUMBERS)
    return {value for value in values if isinstance(value, int) and not isinstance(value, bool)}


Found = Iterator[tuple[int, Place]]


def _players(keys: set[int]) -> Found:
    for player in Player.objects.filter(pk__in=keys):
        yield player.pk, Place(players=(player,))


def _events(keys: set[int]) -> Found:
    for event in Tournament.objects.filter(pk__in=keys):
        yield event.pk, Place(event)


def _stages(keys: set[int]) -> Found:
    for stage in Stage.objects.filter(pk__in=keys).select_related("tournament"):
        yield stage.pk, Place(stage.tournament)


def _rounds(keys: set[int]) -> Found:
    for row in Round.objects.filter(pk__in=keys).select_related("stage__tournament"):
        yield row.pk, Place(row.stage.tournament, row.number)


def _entries(keys: set[int]) -> Found:
    for entry in Entry.objects.filter(pk__in=keys).select_related("tournament", "player"):
        yield entry.pk, Place(entry.tournament, players=(entry.player,))


def _pairings(keys: set[int]) -> Found:
    for row in Pairing.objects.filter(pk__in=keys).select_related("stage__tournament", "round"):
        yield row.pk, Place(row.stage.tournament, row.round.number if row.round else None, row.board)


def _games(keys: set[int]) -> Found:
    rows = Game.objects.filter(pk__in=keys).select_related("tournament", "pairing__round", "white", "black")
    for game in rows:
        row = game.pairing.round
        place = Place(game.tournament, row.number if row else None, game.pairing.board, (game.white, game.black))
        yield game.pk, place


def _reports(keys: set[int]) -> Found:
    reports = dict(ResultReport.objects.filter(pk__in=keys).values_list("pk", "game"))
    places = dict(_games(set(reports.values())))
    for key, game in reports.items():
        yield key, places[game]


def _lists(keys: set[int]) -> Found:
    for row in RatingList.objects.filter(pk__in=keys):
        yield row.pk, Place(rating_list=row)


def _published(keys: set[int]) -> Found:
    for row in PublishedList.objects.filter(pk__in=keys).select_related("rating_list").defer("settings"):
        yield row.pk, Place(rating_list=row.rating_list)


def _starts(keys: set[int]) -> Found:
    for start in StartingRating.objects.filter(pk__in=keys).select_related("player", "rating_list"):
        yield start.pk, Place(players=(start.player,), rating_list=start.rating_list)


_FINDERS: Mapping[str, Callable[[set[int]], Found]] = {
    "player": _players,
    "tournament": _events,
    "stage": _stages,
    "round": _rounds,
    "entry": _entries,
    "pairing": _pairings,
    "game": _games,
    "resultreport": _reports,
    "ratinglist": _lists,
    "publishedlist": _published,
    "startingrating": _starts,
}
