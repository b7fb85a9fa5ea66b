"""The two files of a study on a given stream: PLAYERS.csv with true strengths, GAMES.csv with who met whom (pure).

PLAYERS: `player` (or `id`), `strength`, optional `frequency`; GAMES as everywhere (games_csv). Everybody who plays
must stand in PLAYERS. Forfeits were not played and are left out; a dated file is put in order of its days.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date
from math import isfinite

from tournaments.interchange.games_csv import GameRow
from tournaments.interchange.tables_csv import (
    BadRow,
    Fields,
    Table,
    UnreadableFileError,
    in_order,
    read_name,
    read_table,
    shortened,
)
from tournaments.standings.points import SCORES


@dataclass(frozen=True, slots=True)
class StudyPlayer:
    """Somebody of known strength. The frequency is how often he was drawn; nothing is computed from it here."""

    line: int
    name: str
    strength: float
    frequency: float | None = None


@dataclass(frozen=True, slots=True)
class StudyPlayersFile:
    """The good rows in the file's order, and every bad one."""

    rows: tuple[StudyPlayer, ...]
    bad: tuple[BadRow, ...]


@dataclass(frozen=True, slots=True)
class StudyGames:
    """Places in the players' file, White's scores; `left_out`: rows nobody played."""

    white: tuple[int, ...]
    black: tuple[int, ...]
    scores: tuple[float, ...]
    left_out: int
    bad: tuple[BadRow, ...]


def read_study_players(data: bytes) -> StudyPlayersFile:
    """A whole file. Raises UnreadableFileError for a file or header that is none, and where nobody stands in it."""
    table = read_table(data)
    column = _name_column(table)
    rows: dict[str, StudyPlayer] = {}
    bad = list(table.bad)
    for line in table.lines:
        fields = Fields(line)
        row = _read_row(fields, column)
        if row.name in rows:
            first = rows[row.name].line
            fields.problems.append(f"“{shortened(row.name)}” stands in line {first} already: remove one of the two")
        if fields.problems:
            bad += fields.bad_rows()
        else:
            rows[row.name] = row
    if not rows and not bad:
        raise UnreadableFileError("line 2: there is no player: write one a line under the header.")
    return StudyPlayersFile(tuple(rows.values()), in_order(bad))


def _name_column(table: Table) -> str:
    column = "id" if "id" in table.columns and "player" not in table.columns else "player"
    table.require(column, "strength")
    return column


def _read_row(fields: Fields, column: str) -> StudyPlayer:
    return StudyPlayer(
        line=fields.line.number,
        name=fields.take(column, lambda text: read_name(text, "the player’s name"), ""),
        strength=fields.take("strength", _above_zero("strength"), 0.0),
        frequency=fields.take("frequency", lambda text: _above_zero("frequency")(text) if text else None, None),
    )


def _above_zero(what: str) -> Callable[[str], float]:
    """A reader of numbers above 0, decimal point or comma."""

    def read(text: str) -> float:
        try:
            number = float(text.replace(",", "."))
        except ValueError:
            number = 0.0
        if isfinite(number) and number > 0.0:
            return number
        found = f"{what} “{shortened(text)}” is not known" if text else f"the {what} is missing"
        raise ValueError(f"{found}: write a number above 0")

    return read


def place_games(games: Sequence[GameRow], people: Sequence[StudyPlayer]) -> StudyGames:
    """The games by places in the players' file, in order of play; games of somebody unknown are bad rows. Raises
    UnreadableFileError where there is none."""
    places = {person.name: place for place, person in enumerate(people)}
    bad = [
        BadRow(
            game.line,
            f"“{shortened(name)}” does not stand in the players’ file: write a line for him there, or correct the name",
        )
        for game in games
        for name in (game.white, game.black)
        if name not in places
    ]
    played = [game for game in games if game.result in SCORES]
    if not played:
        raise UnreadableFileError("line 2: there is no played game: write one a line under the header.")
    if all(game.played_on for game in played):
        played.sort(key=lambda game: game.played_on or date.min)
    known = [game for game in played if game.white in places and game.black in places]
    return StudyGames(
        tuple(places[game.white] for game in known),
        tuple(places[game.black] for game in known),
        tuple(SCORES[game.result] for game in known),
        len(games) - len(played),
        in_order(bad),
    )
