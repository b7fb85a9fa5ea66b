"""Files of games as the replay and the studies take them: players as numbers, games in order (pure).

Players are numbered in order of first appearance, those of the players' file first. The order of replay is by date,
and by the file's order within a day; the file itself need not be sorted. Forfeits and penalties are not rated.
In a file without dates the order of its rows is the order of play, and all stand on one day that means nothing.
Not done: several lists at once, dated rules; a run over a file knows one system with one set of settings.

A study on a given stream reads two files, PLAYERS.csv with true strengths and GAMES.csv with who met whom.
PLAYERS: `player` (or `id`), `strength`, optional `frequency`; GAMES as everywhere (games_csv). Everybody who plays
must stand in PLAYERS. Forfeits were not played and are left out; a dated file is put in order of its days.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date
from math import isfinite
from typing import Protocol

from ratings.systems.base import PlayedGame, Start, order_key
from tournaments.interchange.games_csv import GameRow
from tournaments.interchange.players_csv import PlayerRow, name_column
from tournaments.interchange.tables_csv import (
    BadRow,
    Fields,
    Rows,
    UnreadableFileError,
    in_order,
    read_name,
    read_rows,
    read_table,
    shortened,
)
from tournaments.standings.points import SCORES

DEFAULT_POOL = "standard"  # the pool of a row that names none, as for `load_games`


@dataclass(frozen=True, slots=True)
class Stream:
    """`names[number]` is a player's name. `games` are the rated ones in order of replay (`game` is the line in the
    file, `event` the event's name), `rows` counts the others too. `begins` is the day of the first game."""

    names: tuple[str, ...]
    birth_years: dict[int, int | None]
    games: tuple[PlayedGame, ...]
    rows: int
    begins: date
    dated: bool

    @property
    def plays(self) -> set[int]:
        return {player for game in self.games for player in (game.white, game.black)}


def make_stream(rows: Sequence[GameRow], people: Sequence[PlayerRow] = (), *, today: date, pool: str = "") -> Stream:
    """The stream of the good rows of a games file and a players' file, or of one pool's games. `today` stands for the
    day where the file has no dates. An event's games share the first one's `rules_day`."""
    chosen = [row for row in rows if not pool or (row.pool or DEFAULT_POOL) == pool]
    numbers: dict[str, int] = {person.name: number for number, person in enumerate(people)}
    for row in chosen:
        numbers.setdefault(row.white, len(numbers))
        numbers.setdefault(row.black, len(numbers))
    dated = all(row.played_on is not None for row in chosen)
    if dated:
        chosen.sort(key=lambda row: row.played_on or today)
    return Stream(
        names=tuple(numbers),
        birth_years={numbers[person.name]: person.birth_year for person in people},
        games=_played(chosen, numbers, today),
        rows=len(chosen),
        begins=chosen[0].played_on or today if chosen else today,
        dated=dated,
    )


class AnyStream(Protocol):
    """What a stream of games and one of contests (`contests_csv`) have in common."""

    @property
    def names(self) -> tuple[str, ...]: ...
    @property
    def begins(self) -> date: ...
    @property
    def plays(self) -> set[int]:
        """Whoever plays in a rated game."""


def make_starts(
    stream: AnyStream, people: Sequence[PlayerRow], *, newcomer: Callable[[int | None], float | None]
) -> tuple[tuple[Start, ...], tuple[BadRow, ...]]:
    """What players bring, as starting ratings before the first game, and the lines that cannot be used. `newcomer`: the
    rating at which somebody of that year of birth begins, None where the system has none. Who has a K or a volatility
    of his own and no rating begins there, if he plays at all."""
    plays, numbers = stream.plays, {name: number for number, name in enumerate(stream.names)}
    starts: list[Start] = []
    bad: list[BadRow] = []
    for row in people:
        player = numbers[row.name]
        is_bare = row.rating is None
        if is_bare and (player not in plays or (row.k_factor is None and row.volatility is None)):
            continue
        rating = newcomer(row.birth_year) if row.rating is None else row.rating
        if rating is None:
            bad.append(BadRow(row.line, "k_factor or volatility of an unrated player: write the rating too"))
        else:
            starts.append(
                Start(
                    player,
                    stream.begins,
                    rating,
                    games=row.games,
                    peak=row.peak,
                    deviation=row.deviation,
                    volatility=row.volatility,
                    k=row.k_factor,
                )
            )
    return tuple(starts), tuple(bad)


def _played(rows: Sequence[GameRow], numbers: dict[str, int], today: date) -> tuple[PlayedGame, ...]:
    games = []
    first_days: dict[str, int] = {}
    for sequence, row in enumerate(rows, start=1):
        score = SCORES.get(row.result)
        on = row.played_on or today
        rules_day = first_days.setdefault(row.event, on.toordinal()) if row.event else on.toordinal()
        if score is not None:
            white, black, order = numbers[row.white], numbers[row.black], order_key(on, sequence)
            event, weight = row.event or None, row.importance or 1.0
            points = row.margin, row.scores, row.handicap
            games.append(PlayedGame(row.line, white, black, score, order, rules_day, event, True, weight, *points))
    return tuple(games)


@dataclass(frozen=True, slots=True)
class StudyPlayer:
    """Somebody of known strength. The frequency is how often he was drawn; nothing is computed from it here."""

    line: int
    name: str
    strength: float
    frequency: float | None = None


@dataclass(frozen=True, slots=True)
class StudyGames:
    """Places in the players' file, White's scores; `left_out`: rows nobody played."""

    white: tuple[int, ...]
    black: tuple[int, ...]
    scores: tuple[float, ...]
    left_out: int
    bad: tuple[BadRow, ...]


def read_study_players(data: bytes) -> Rows[StudyPlayer]:
    """A whole file. Raises UnreadableFileError for a file or header that is none, and where nobody stands in it."""
    table = read_table(data)
    column = name_column(table)
    table.require(column, "strength")
    lines: dict[str, int] = {}

    def read(fields: Fields) -> StudyPlayer:
        row = StudyPlayer(
            line=fields.line.number,
            name=fields.take(column, lambda text: read_name(text, "the player’s name"), ""),
            strength=fields.take("strength", lambda text: _above_zero(text, "strength"), 0.0),
            frequency=fields.take("frequency", lambda text: _above_zero(text, "frequency") if text else None, None),
        )
        fields.refuse_twin(row.name, lines)
        return row

    found = read_rows(table, read)
    if not found.rows and not found.bad:
        raise UnreadableFileError("line 2: there is no player: write one a line under the header.")
    return found


def _above_zero(text: str, what: str) -> float:
    """A number above 0, decimal point or comma. Raises ValueError."""
    try:
        number = float(text.replace(",", "."))
    except ValueError:
        number = 0.0
    if isfinite(number) and number > 0.0:
        return number
    found = f"{what} “{shortened(text)}” is not known" if text else f"the {what} is missing"
    raise ValueError(f"{found}: write a number above 0")


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
