"""A club brings its spreadsheet (PLAYERS.csv): people, and the ratings and game counts they start from.

Importing the same file again changes nothing: a starting rating that already says the same, on that day or before it,
is left alone; one from a later day moves to the earlier one. Where games stand before today, the day must be given. A
year of birth in the file wins over the one here, because it decides K; so does a reading of the name, since somebody
wrote it there.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from enum import StrEnum

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext as _

from players.models import AuditEvent, Player
from players.people.services import NewPlayer, check_reading, create_players, update_player
from players.refusals import Refused
from ratings.ledger.services.rows import in_batches
from ratings.lists.services import NewStart
from ratings.models import RatingList, StartingRating
from tournaments.entries.services.names import BadRows, People, look_alikes, look_up
from tournaments.interchange.players_csv import PlayerRow
from tournaments.interchange.tables_csv import BadRow, in_order
from tournaments.rated_games.selectors.games import rated_in
from tournaments.rated_games.services.people import (
    StartMove,
    Touched,
    bring_starting_ratings,
    change_people,
    move_starting_ratings,
)


class Outcome(StrEnum):
    """What became of a row."""

    NEW = "new"
    CHANGED = "changed"
    KNOWN = "known"


@dataclass(frozen=True, slots=True)
class ImportedRow:
    """One row of the file, its outcome, whom it means (nobody for somebody new), and what of it is other than here."""

    row: PlayerRow
    outcome: Outcome
    player: Player | None = None
    other_start: bool = False
    other_birth: bool = False


@dataclass(frozen=True, slots=True)
class ImportReport:
    """All rows in the file's order; `alike` has a sentence for each new name that is much like somebody's."""

    rows: tuple[ImportedRow, ...]
    alike: tuple[str, ...] = ()

    def count(self, outcome: Outcome) -> int:
        """How many rows came out like that."""
        return sum(row.outcome == outcome for row in self.rows)

    def touched(self) -> list[Touched]:
        """Whom of those here already it says something else of."""
        return [Touched(row.player, row.other_birth, row.other_start) for row in self.rows if row.player]


class DayNeededError(Refused):
    """Nobody said from which day the ratings hold, and rated games of those people (as the file calls them) stand
    before today, the first of them on `first`."""

    def __init__(self, names: Collection[str], first: date) -> None:
        self.names, self.first = tuple(names), first
        super().__init__(_("Rated games stand before today: say from which day the ratings hold."))


@transaction.atomic
def import_players(
    rows: Sequence[PlayerRow],
    *,
    rating_list: RatingList,
    on: date | None,
    by: User | None,
    dry_run: bool = False,
    bad: Sequence[BadRow] = (),
    reason: str = "",
    note: str = "",
) -> ImportReport:
    """Create the people nobody knows, enter starting ratings valid from `on` (today), and rate what hangs on them.

    `bad`: the rows the reader refused; with any bad row nothing is imported, but all are checked and told at once.
    `dry_run` writes nothing. With a reason it is a correction, and the audit events have what it moved. Raises BadRows,
    DayNeededError.
    """
    people = look_up(row.name for row in rows)
    problems = [*bad, *_problems(rows, people)]
    if problems:
        raise BadRows(in_order(problems))
    day = on or timezone.localdate()
    standing = _starts_standing(rating_list, people, day)
    alike = look_alikes(row.name for row in rows if people.is_new(row.name))
    report = ImportReport(tuple(_outcome(row, people, standing) for row in rows), alike)
    if on is None:
        brought = {item.player.pk: item.row.name for item in report.rows if item.player and item.other_start}
        _check_day(rating_list, brought, day)
    if not dry_run:
        changing = [item.row for item in report.rows if item.outcome != Outcome.KNOWN]
        _write(changing, people, standing, rating_list, day, _Why(by, reason, note))
    return report


def _check_day(rating_list: RatingList, brought: Mapping[int, str], day: date) -> None:
    """Raises DayNeededError where one of those who bring a starting rating (names by key) has rated games before that
    day."""
    played: dict[int, date] = {}
    for keys in in_batches(brought):
        games = rated_in(rating_list.pool).filter(Q(white__in=keys) | Q(black__in=keys), played_on__lt=day)
        for white, black, on in games.order_by("-played_on").values_list("white", "black", "played_on"):
            played |= {key: on for key in (white, black) if key in brought and on}
    if played:
        raise DayNeededError([name for key, name in brought.items() if key in played], min(played.values()))


def _problems(rows: Sequence[PlayerRow], people: People) -> Iterable[BadRow]:
    """Names that cannot be said to mean one person, and people named twice ("Ada", "#1")."""
    first: dict[int, PlayerRow] = {}
    for row in rows:
        if row.name in people.problems:
            yield BadRow(row.line, people.problems[row.name])
        elif row.name in people.found:
            known = first.setdefault(people.found[row.name].pk, row)
            if known is not row:
                text = _("“%(name)s” is the same person as in line %(line)s: remove one of the two")
                yield BadRow(row.line, text % {"name": row.name, "line": known.line})


# --- what is new ------------------------------------------------------------------------------------------------
_Start = tuple[float | None, int | None, float | None, float | None]


def _starts_standing(rating_list: RatingList, people: People, on: date) -> dict[int, _Start]:
    """By player (key) the last starting rating in force on that day."""
    standing: dict[int, _Start] = {}
    for keys in in_batches(player.pk for player in people.found.values()):
        rows = StartingRating.objects.filter(rating_list=rating_list, player__in=keys, on__lte=on).order_by("on")
        standing |= {row.player_id: _says(row) for row in rows}
    return standing


def _says(start: StartingRating) -> _Start:
    return (start.rating, start.games, start.peak, start.deviation)


def _written_in(row: PlayerRow) -> _Start:
    return (row.rating, row.games, row.peak, row.deviation)


def _outcome(row: PlayerRow, people: People, standing: dict[int, _Start]) -> ImportedRow:
    player = people.found.get(row.name)
    if player is None:
        return ImportedRow(row, Outcome.NEW)
    start, birth = _is_other_start(row, player, standing), _is_other_birth(row, player)
    is_other = start or birth or _is_other_reading(row, player)
    return ImportedRow(row, Outcome.CHANGED if is_other else Outcome.KNOWN, player, start, birth)


def _is_other_birth(row: PlayerRow, player: Player) -> bool:
    return row.birth_year is not None and row.birth_year != player.birth_year


def _is_other_reading(row: PlayerRow, player: Player) -> bool:
    return row.reading is not None and check_reading(row.reading, player.name) != player.reading


def _is_other_start(row: PlayerRow, player: Player, standing: dict[int, _Start]) -> bool:
    return row.rating is not None and standing.get(player.pk) != _written_in(row)


# --- writing ----------------------------------------------------------------------------------------------------
@dataclass(frozen=True, slots=True)
class _Why:
    """Who imports; where it is a correction, for which reason, and a note for officers."""

    by: User | None
    reason: str
    note: str


def _write(
    rows: Sequence[PlayerRow],
    people: People,
    standing: dict[int, _Start],
    rating_list: RatingList,
    on: date,
    why: _Why,
) -> None:
    new = [row for row in rows if people.is_new(row.name)]
    people_new = [NewPlayer(row.name, birth_year=row.birth_year, reading=row.reading or "") for row in new]
    created = create_players(people_new, by=why.by)
    players = {**people.found, **{row.name: player for row, player in zip(new, created, strict=True)}}
    for row in rows:
        if _is_other_reading(row, players[row.name]):
            update_player(players[row.name].pk, {"reading": row.reading}, by=why.by)
    born = {players[row.name].pk: row for row in rows if _is_other_birth(row, players[row.name])}
    years = {key: {"birth_year": row.birth_year} for key, row in born.items()}
    change_people(years, by=why.by, reason=why.reason, note=why.note)
    wanted = [row for row in rows if row.rating is not None and _is_other_start(row, players[row.name], standing)]
    later = _same_start_later(rating_list, {players[row.name].pk: row for row in wanted if row.name in people.found})
    if later:
        moves = [StartMove(start.pk, start.revision, on) for start in later.values()]
        move_starting_ratings(moves, by=why.by, reason=why.reason or AuditEvent.Reason.LATE_REPORT, note=why.note)
    starts = [
        NewStart(players[row.name].pk, on, row.rating, row.games, row.peak, row.deviation)
        for row in wanted
        if row.rating is not None and players[row.name].pk not in later
    ]
    bring_starting_ratings(rating_list, starts, by=why.by, reason=why.reason, note=why.note)


def _same_start_later(rating_list: RatingList, wanted: Mapping[int, PlayerRow]) -> dict[int, StartingRating]:
    """By player (key) the first starting rating of those that say what the row says, from a later day on."""
    found: dict[int, StartingRating] = {}
    for keys in in_batches(wanted):
        for start in StartingRating.objects.filter(rating_list=rating_list, player__in=keys).order_by("on"):
            found.setdefault(start.player_id, start)
    return {key: start for key, start in found.items() if _says(start) == _written_in(wanted[key])}
