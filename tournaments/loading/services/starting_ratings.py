"""A club brings its spreadsheet (PLAYERS.csv): people, and the ratings and game counts they start from.

Importing the same file again changes nothing: a starting rating that already says the same, on that day or before it,
is left alone. A year of birth in the file wins over the one here, because it decides K.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date
from enum import StrEnum

from django.contrib.auth.models import User
from django.db import transaction
from django.utils.translation import gettext as _

from players.models import Player
from players.people.services import NewPlayer, create_players, update_player
from ratings.lists.services import NewStart
from ratings.models import RatingList, StartingRating
from ratings.systems.base import Moment
from tournaments.entries.services.names import BadRows, People, look_alikes, look_up
from tournaments.interchange.players_csv import PlayerRow
from tournaments.interchange.tables_csv import BadRow, in_order
from tournaments.rated_games.selectors.games import first_rated_moments
from tournaments.rated_games.services.people import bring_starting_ratings
from tournaments.rated_games.services.rating import rerate


class Outcome(StrEnum):
    """What became of a row."""

    NEW = "new"
    CHANGED = "changed"
    KNOWN = "known"


@dataclass(frozen=True, slots=True)
class ImportedRow:
    """One row of the file and its outcome."""

    row: PlayerRow
    outcome: Outcome


@dataclass(frozen=True, slots=True)
class ImportReport:
    """All rows in the file's order; `alike` has a sentence for each new name that is much like somebody's."""

    rows: tuple[ImportedRow, ...]
    alike: tuple[str, ...] = ()

    def count(self, outcome: Outcome) -> int:
        """How many rows came out like that."""
        return sum(row.outcome == outcome for row in self.rows)


@transaction.atomic
def import_players(
    rows: Sequence[PlayerRow],
    *,
    rating_list: RatingList,
    on: date,
    by: User | None,
    dry_run: bool = False,
    bad: Sequence[BadRow] = (),
) -> ImportReport:
    """Create the people nobody knows, enter starting ratings valid from `on`, and rate what hangs on them.

    `bad`: the rows the reader refused; with any bad row nothing is imported, but all are checked and told at once.
    `dry_run` writes nothing. Raises BadRows.
    """
    people = look_up(row.name for row in rows)
    problems = [*bad, *_problems(rows, people)]
    if problems:
        raise BadRows(in_order(problems))
    standing = _starts_standing(rating_list, people, on)
    alike = look_alikes(row.name for row in rows if people.is_new(row.name))
    report = ImportReport(tuple(ImportedRow(row, _outcome(row, people, standing)) for row in rows), alike)
    if not dry_run:
        changing = [item.row for item in report.rows if item.outcome != Outcome.KNOWN]
        _write(changing, people, standing, rating_list, on, by)
    return report


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
_Start = tuple[float, int | None, float | None, float | None]
_BATCH = 500


def _starts_standing(rating_list: RatingList, people: People, on: date) -> dict[int, _Start]:
    """By player (key) the last starting rating in force on that day."""
    keys = [player.pk for player in people.found.values()]
    standing: dict[int, _Start] = {}
    for start in range(0, len(keys), _BATCH):
        rows = StartingRating.objects.filter(
            rating_list=rating_list, player__in=keys[start : start + _BATCH], on__lte=on
        ).order_by("on")
        standing |= {row.player_id: (row.rating, row.games, row.peak, row.deviation) for row in rows}
    return standing


def _outcome(row: PlayerRow, people: People, standing: dict[int, _Start]) -> Outcome:
    player = people.found.get(row.name)
    if player is None:
        return Outcome.NEW
    return Outcome.CHANGED if _is_other_birth(row, player) or _is_other_start(row, player, standing) else Outcome.KNOWN


def _is_other_birth(row: PlayerRow, player: Player) -> bool:
    return row.birth_year is not None and row.birth_year != player.birth_year


def _is_other_start(row: PlayerRow, player: Player, standing: dict[int, _Start]) -> bool:
    return row.rating is not None and standing.get(player.pk) != (row.rating, row.games, row.peak, row.deviation)


# --- writing ----------------------------------------------------------------------------------------------------
def _write(
    rows: Sequence[PlayerRow],
    people: People,
    standing: dict[int, _Start],
    rating_list: RatingList,
    on: date,
    by: User | None,
) -> None:
    new = [row for row in rows if people.is_new(row.name)]
    created = create_players([NewPlayer(row.name, birth_year=row.birth_year) for row in new], by=by)
    players = {**people.found, **{row.name: player for row, player in zip(new, created, strict=True)}}
    born = [(row, players[row.name]) for row in rows if _is_other_birth(row, players[row.name])]
    for row, player in born:
        update_player(player.pk, {"birth_year": row.birth_year}, by=by)
    starts = [
        NewStart(players[row.name].pk, on, row.rating, row.games, row.peak, row.deviation)
        for row in rows
        if row.rating is not None and _is_other_start(row, players[row.name], standing)
    ]
    bring_starting_ratings(rating_list, starts, by=by)
    _rerate_careers([player for _, player in born])


def _rerate_careers(players: Iterable[Player]) -> None:
    """Rate each pool once from the first game of any of them: the year of birth decides K."""
    first: dict[str, Moment] = {}
    for player in players:
        for pool, moment in first_rated_moments(player).items():
            first[pool] = min(first.get(pool, moment), moment)
    for pool, since in first.items():
        rerate(pool, since)
