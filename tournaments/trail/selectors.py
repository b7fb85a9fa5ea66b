"""The audit trail to be read: which lines are wanted, and what each is about.

A line names its subject by kind and key; what stands behind it is looked up for many lines at once. Rows that are gone
are known only by what the line itself keeps.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from datetime import date, datetime, time, timedelta
from functools import reduce
from operator import or_
from typing import Any

from django.db.models import Prefetch, Q, QuerySet
from django.utils import timezone

from players.models import ApiToken, AuditEvent, Player
from players.trail.services import BY_PROGRAM
from ratings.models import PublishedList, RatingList, StartingRating
from tournaments.events.selectors.stages import games_with
from tournaments.models import (
    Contest,
    Entry,
    EntryRequest,
    Game,
    Pairing,
    ResultReport,
    Round,
    Stage,
    Team,
    TeamMatch,
    Tournament,
)
from tournaments.undo.services.snapshots import column_in, keys_in

Subject = tuple[str, int]  # kind and key
# Where an image of what went is kept.
_DELETIONS = ("round.deleted", "rounds.deleted", "bracket.superseded")
# What the images name players by: their numbers.
NUMBERS = ("player", "white", "black", "keep", "gone")


@dataclass(frozen=True, slots=True)
class TrailFilter:
    """Which lines; days in the club's zone, `who` an officer's key, `number` a player's."""

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
    teams: str = ""


@dataclass(frozen=True, slots=True)
class Places:
    """The places of many lines, the players that their images name, by number, and the names of the tokens with which
    programs made them, by origin."""

    of: Mapping[Subject, Place] = field(default_factory=dict)
    people: Mapping[int, Player] = field(default_factory=dict)
    tokens: Mapping[str, str] = field(default_factory=dict)

    def at(self, event: AuditEvent) -> Place:
        """What that line is about; an empty place where that is gone."""
        return self.of.get((event.subject_kind, event.subject_key), Place())


def lines(wish: TrailFilter) -> QuerySet[AuditEvent]:
    """The lines wanted, the last first."""
    plain = {
        "at__gte": _midnight(wish.since),
        "at__lt": _midnight(wish.until, after=1),
        "actor": wish.who,
        "role": wish.role,
        "action": wish.action,
        "reason": wish.reason,
    }
    rows = AuditEvent.objects.select_related("actor")
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
    own: dict[str, Any] = {
        "stage": Stage.objects.filter(tournament=event),
        "round": Round.objects.filter(stage__tournament=event),
        "entry": Entry.objects.filter(tournament=event),
        "pairing": Pairing.objects.filter(stage__tournament=event),
        "game": Game.objects.filter(tournament=event),
        "contest": Contest.objects.filter(tournament=event),
        "resultreport": ResultReport.objects.filter(game__tournament=event),
        "entryrequest": EntryRequest.objects.filter(tournament=event),
        "team": Team.objects.filter(tournament=event),
        "teammatch": TeamMatch.objects.filter(round__stage__tournament=event),
    }
    about = Q(subject_kind="tournament", subject_key=event.pk) | _one_of(own)
    for kind, keys in _gone(event).items():
        about |= Q(subject_kind=kind, subject_key__in=keys)
    return about


def _one_of(rows: Mapping[str, QuerySet[Any]]) -> Q:
    """The subject is one of those rows, by its kind."""
    return reduce(or_, (Q(subject_kind=kind, subject_key__in=own.values("pk")) for kind, own in rows.items()))


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
    player = Player.objects.filter(number=number)
    about = Q(subject_kind="player", subject_key__in=player.values("pk"))
    about |= Q(subject_kind="player", before__number=number) | Q(subject_kind="entry", before__player=number)
    games = Game.objects.filter(games_with(player))
    own: dict[str, Any] = {
        "entry": Entry.objects.filter(Q(player__in=player) | Q(members__player__in=player)),
        "game": games,
        "contest": Contest.objects.filter(members__player__in=player),
        "resultreport": ResultReport.objects.filter(game__in=games),
        "startingrating": StartingRating.objects.filter(player__in=player),
    }
    return about | _one_of(own)


# --- what a line is about -----------------------------------------------------------------------------------------
def places_of(events: Iterable[AuditEvent]) -> Places:
    """What those lines are about, with one query for each kind of row."""
    keys: dict[str, set[int]] = {}
    numbers: set[int] = set()
    events = list(events)
    for event in events:
        keys.setdefault(event.subject_kind, set()).add(event.subject_key)
        numbers |= numbers_in(event)
    found: dict[Subject, Place] = {}
    for kind in keys.keys() & _SUBJECTS.keys():
        rows, place = _SUBJECTS[kind]
        found |= {(kind, row.pk): place(row) for row in rows.filter(pk__in=keys[kind])}
    people = {player.number: player for player in Player.objects.filter(number__in=numbers)}
    return Places(found, people, _tokens(events))


def _tokens(events: Iterable[AuditEvent]) -> dict[str, str]:
    keys = {event.origin.removeprefix(BY_PROGRAM) for event in events if event.origin.startswith(BY_PROGRAM)}
    rows = ApiToken.objects.filter(pk__in=[key for key in keys if key.isdigit()]) if keys else ()
    return {f"{BY_PROGRAM}{row.pk}": row.name for row in rows}


def numbers_in(event: AuditEvent) -> set[int]:
    """The numbers of players that a line's images name."""
    values = (image.get(name) for image in (event.before, event.after) for name in NUMBERS)
    return {value for value in values if isinstance(value, int) and not isinstance(value, bool)}


def _on_board(pairing: Pairing, event: Tournament, *players: Player) -> Place:
    return Place(event, pairing.round.number if pairing.round else None, pairing.board, players)


def _of_game(game: Game) -> Place:
    return _on_board(game.pairing, game.tournament, game.white, game.black)


def _sides(row: TeamMatch) -> str:
    return " – ".join(team.name for team in (row.home, row.away) if team)


_GAMES = Game.objects.select_related("tournament", "pairing__round", "white", "black")
# Rows of each kind of subject, and the place of one.
_SUBJECTS: Mapping[str, tuple[QuerySet[Any], Callable[[Any], Place]]] = {
    "player": (Player.objects.all(), lambda row: Place(players=(row,))),
    "tournament": (Tournament.objects.all(), Place),
    "stage": (Stage.objects.select_related("tournament"), lambda row: Place(row.tournament)),
    "round": (Round.objects.select_related("stage__tournament"), lambda row: Place(row.stage.tournament, row.number)),
    "entry": (
        Entry.objects.select_related("tournament", "player"),
        lambda row: Place(row.tournament, players=(row.player,)),
    ),
    "pairing": (
        Pairing.objects.select_related("stage__tournament", "round"),
        lambda row: _on_board(row, row.stage.tournament),
    ),
    "game": (_GAMES, _of_game),
    "contest": (
        Contest.objects.select_related("tournament").prefetch_related("members__player"),
        lambda row: Place(row.tournament, players=tuple(member.player for member in row.members.all())),
    ),
    "entryrequest": (
        EntryRequest.objects.select_related("tournament", "player"),
        lambda row: Place(row.tournament, players=(row.player,) if row.player else ()),
    ),
    "resultreport": (
        ResultReport.objects.prefetch_related(Prefetch("game", _GAMES)),
        lambda row: _of_game(row.game),
    ),
    "team": (Team.objects.select_related("tournament"), lambda row: Place(row.tournament, teams=row.name)),
    "teammatch": (
        TeamMatch.objects.select_related("round__stage__tournament", "home", "away"),
        lambda row: Place(row.round.stage.tournament, row.round.number, teams=_sides(row)),
    ),
    "ratinglist": (RatingList.objects.all(), lambda row: Place(rating_list=row)),
    "publishedlist": (
        PublishedList.objects.select_related("rating_list").defer("settings"),
        lambda row: Place(rating_list=row.rating_list),
    ),
    "startingrating": (
        StartingRating.objects.select_related("player", "rating_list"),
        lambda row: Place(players=(row.player,), rating_list=row.rating_list),
    ),
}
