"""Crosstables as other programs print them, one row a player and one column a round (pure).

Lines of `;`, `,` or tabs: title lines, then a header with a name column and the rounds 1, 2, 3 …, then the players.
Place, start number, federation, rating and points are read where the header names them. Opponents are named by their
place (the row's position) or by start number; the reading is taken that makes both sides agree. Every game stands in
two cells, and what the two say must fit. A game that gave less than a game has to give, where a total says otherwise,
is refused; other totals that do not add up are noted, as are blank lines and what stands below the table.

Sources of the shapes: chess-results.com ("3z1", a Dutch page), Norway Chess 2019 (2 for a win, 1½ and ½ after a draw
and an armageddon game). Not done: days and boards, which such a table does not know; tables without colours.
"""

import csv
import io
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import islice

from clubrating.ground.numbers import whole_number
from tournaments.interchange.crosstable_games import (
    Cell,
    Free,
    Met,
    Scale,
    best_reading,
    points_of,
    read_cell,
)
from tournaments.interchange.games_csv import GameRow
from tournaments.interchange.tables_csv import (
    DELIMITERS,
    BadRow,
    UnreadableFileError,
    in_order,
    number_reader,
    read_name,
    refuse_long,
    refuse_wide,
    shortened,
)
from tournaments.standings.crosstable import Meeting
from tournaments.standings.points import OUTCOMES, Result

_WORDS: dict[str, tuple[str, ...]] = {
    "name": ("name", "player", "spieler", "naam", "nom", "nombre"),
    "place": ("pos", "pl", "rk", "rank", "place", "platz", "rang", "rg"),
    "number": ("no", "nr", "sno", "#", "startnr", "start"),
    "federation": ("fed", "federation", "land", "country"),
    "rating": ("rtg", "rating", "elo", "rtgi", "twz"),
    "points": ("pts", "points", "pkt", "punkte", "score", "total"),
}
_ROUND = re.compile(r"(?:r|rd|round|runde)?\.?\s*([0-9]{1,2})\.?\s*(?:r|rd|runde)?\.?", re.IGNORECASE)
_MOST_TITLES, _MOST_LINES, _MOST_CELLS = 30, 5_000, 60_000
_LESS_THAN_A_GAME = (Result.NO_POINTS, Result.WHITE_DRAWS_BLACK_PENALISED, Result.BLACK_DRAWS_WHITE_PENALISED)
_TOTAL = number_reader("points", low=0, high=1000)
_RATING = number_reader("rating", low=0, high=4000)


@dataclass(frozen=True, slots=True)
class CrossPlayer:
    """A row: its line in the file, its position from 1, and what the table says of the player."""

    line: int
    place: int
    number: int | None
    name: str
    federation: str
    rating: float | None
    points: Fraction | None


@dataclass(frozen=True, slots=True)
class CrossBye:
    """A round without an opponent; `points` is None where the table leaves open what it brought."""

    round: int
    player: int
    points: Fraction | None


@dataclass(frozen=True, slots=True)
class CrosstableFile:
    """A crosstable as read. Games and byes name players by their place; `point_system` is "classic", "armageddon" or
    "football"; `bad` is what contradicts itself, `notes` what only looks odd."""

    titles: tuple[str, ...]
    players: tuple[CrossPlayer, ...]
    rounds: tuple[int, ...]
    games: tuple[Meeting, ...]
    byes: tuple[CrossBye, ...]
    point_system: str
    bad: tuple[BadRow, ...]
    notes: tuple[str, ...]


def read_crosstable(data: bytes) -> CrosstableFile:
    """A whole file. Raises UnreadableFileError where it is no text, where no line names a player column and rounds, or
    one names a round twice for different opponents, and where no cell names an opponent: so do square tables, everybody
    against everybody."""
    lines = _lines(data)
    head = next((index for index, (_number, row) in enumerate(lines) if _is_header(row)), None)
    if head is None:
        raise UnreadableFileError("The file is no crosstable: no line names a column “Name” and the rounds 1, 2, 3 …")
    titles = tuple(text for _number, row in lines[:head] for text in [" ".join(filter(None, row))] if text)
    reader = _Reader(lines[head][1])
    for number, row in lines[head + 1 :]:
        reader.read(number, row)
    reader.name_blank_lines(lines[head][0], [number for number, _row in lines])
    reader.refuse_other_tables(lines[head][0])
    return reader.finish(titles)


def is_crosstable(data: bytes) -> bool:
    """Whether one of the first lines names players and rounds. No file of games (GAMES.csv) does."""
    try:
        return any(_is_header(row) for _number, row in _lines(b"".join(islice(io.BytesIO(data), _MOST_TITLES))))
    except UnreadableFileError:
        return False


def _lines(data: bytes) -> list[tuple[int, list[str]]]:
    """Line number and values of every line that is not blank."""
    refuse_long(data, _MOST_LINES)
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise UnreadableFileError("The file is not UTF-8 text: save it as “CSV UTF-8” and try again.") from None
    written = text.splitlines()
    widths = {sign: max((line.count(sign) for line in written), default=0) for sign in DELIMITERS}
    delimiter = max(DELIMITERS, key=widths.__getitem__)
    refuse_wide(widths[delimiter] + 1)
    if text.count(delimiter) > _MOST_CELLS:
        raise UnreadableFileError(f"The file has more than {_MOST_CELLS} cells: no crosstable is so large.")
    rows = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter)
    try:
        numbered = [(rows.line_num, [value.strip() for value in row]) for row in rows]
    except csv.Error as error:
        raise UnreadableFileError(f"Line {rows.line_num} cannot be read: {error}.") from None
    return [(number, row) for number, row in numbered if any(row)]


def _is_header(row: Sequence[str]) -> bool:
    return "name" in _columns(row) and 1 in _rounds(row).values()


def _columns(row: Sequence[str]) -> dict[str, int]:
    """Where each kind of column stands. A start number without a place beside it is the place."""
    found: dict[str, int] = {}
    for index, text in enumerate(row):
        word = text.casefold().strip(". ")
        kind = next((kind for kind, words in _WORDS.items() if word in words), None)
        if kind:
            found.setdefault(kind, index)
    if "place" not in found and "number" in found:
        found["place"] = found.pop("number")
    return found


def _rounds(row: Sequence[str]) -> dict[int, int]:
    """Index of a column → number of the round."""
    matches = [(index, _ROUND.fullmatch(text)) for index, text in enumerate(row)]
    return {index: int(match[1]) for index, match in matches if match and int(match[1])}


class _Reader:
    """The table's rows so far, and what was wrong with them."""

    def __init__(self, header: Sequence[str]) -> None:
        self.columns = _columns(header)
        # Columns are numbered from 1; a match of several games names its round in each of them.
        named = list(_rounds(header).items())
        self.rounds = {index: at for at, (index, _round) in enumerate(named, start=1)}
        self.names = {at: number for at, (_index, number) in enumerate(named, start=1)}
        self.players: list[CrossPlayer] = []
        self.cells: list[dict[int, Cell]] = []
        self.bad: list[BadRow] = []
        self.skipped: dict[int, str] = {}

    def read(self, line: int, row: Sequence[str]) -> None:
        values = {kind: row[index] if index < len(row) else "" for kind, index in self.columns.items()}
        if self._is_footer(row, values):
            text = shortened(" ".join(filter(None, row)))
            self.skipped[line] = f"line {line}: “{text}” is no player’s row and is left out"
            return
        try:
            player = self._player(line, values)
        except ValueError as reason:
            self.bad.append(BadRow(line, str(reason)))
            if not any(row[index] for index in self.rounds if index < len(row)):
                return
            # His place stays his: the opponents of everybody else are named by places.
            player = CrossPlayer(line, len(self.players) + 1, self._number(values), values["name"], "", None, None)
        self.players.append(player)
        self.cells.append({number: self._cell(line, row, index) for index, number in self.rounds.items()})

    def _is_footer(self, row: Sequence[str], values: Mapping[str, str]) -> bool:
        """Whether a row is what programs write below a table: no round, no number where a player has his."""
        rounds = any(row[index] for index in self.rounds if index < len(row))
        figures = (values.get(kind, "") for kind in ("place", "number", "rating", "points"))
        return not rounds and not any(text[:1].isdigit() for text in figures)

    def name_blank_lines(self, header: int, used: Sequence[int]) -> None:
        """Blank lines below the header, with something after them."""
        for line in set(range(header, max(used))) - set(used):
            self.skipped[line] = f"line {line} is blank and left out"

    def _player(self, line: int, values: Mapping[str, str]) -> CrossPlayer:
        total = values.get("points", "")
        points = _TOTAL(f"{total[:-1] or 0}.5" if total.endswith("½") else total)
        return CrossPlayer(
            line=line,
            place=len(self.players) + 1,
            number=self._number(values),
            name=read_name(values["name"], "the player’s name"),
            federation=values.get("federation", ""),
            rating=_RATING(values.get("rating", "")) or None,
            points=None if points is None else Fraction(points).limit_denominator(4),
        )

    def _number(self, values: Mapping[str, str]) -> int | None:
        return whole_number(values.get("number", ""))

    def _cell(self, line: int, row: Sequence[str], index: int) -> Cell:
        try:
            return read_cell(row[index]) if index < len(row) else None
        except ValueError as reason:
            self.bad.append(BadRow(line, f"round {self.names[self.rounds[index]]}: {reason}"))
            return None

    def refuse_other_tables(self, header: int) -> None:
        """Raises UnreadableFileError for a table that means something else."""
        if any(len(opponents) > 1 for opponents in self._opponents()):
            text = f"The header (line {header}) names a round twice, and its games are not of one match"
            raise UnreadableFileError(f"{text}: rename or remove one.")
        if not self.bad and not any(isinstance(cell, Met) for row in self.cells for cell in row.values()):
            raise UnreadableFileError("No cell names an opponent: cells like 12w1 are needed, a column a round.")

    def _opponents(self) -> Iterator[set[int]]:
        """Whom a player met in a round, for every player and round."""
        for row in self.cells:
            for name in set(self.names.values()):
                met = (cell for at, cell in row.items() if self.names[at] == name)
                yield {cell.opponent for cell in met if isinstance(cell, Met)}

    def finish(self, titles: tuple[str, ...]) -> CrosstableFile:
        scale, read, complaints = best_reading(self.cells, list(self._meanings()))
        games = tuple(replace(game, round=self.names[game.round]) for game in read)
        wrong = [
            BadRow(self.players[one.player - 1].line, f"round {self.names[one.round]}: {one.reason}")
            for one in complaints
        ]
        byes = tuple(
            CrossBye(self.names[at], player, cell.points)
            for player, row in enumerate(self.cells, start=1)
            for at, cell in row.items()
            if isinstance(cell, Free)
        )
        return CrosstableFile(
            titles=titles,
            players=tuple(self.players),
            rounds=tuple(sorted(set(self.names.values()))),
            games=games,
            byes=byes,
            point_system=scale.key,
            bad=in_order([*self.bad, *wrong, *self._scores_against_totals(games, scale)]),
            notes=(*(text for _line, text in sorted(self.skipped.items())), *self._totals(games, scale)),
        )

    def _meanings(self) -> Iterator[dict[int, int]]:
        """Number of an opponent → place: it is the place, or the start number."""
        yield {player.place: player.place for player in self.players}
        numbers = {player.number: player.place for player in self.players if player.number is not None}
        if len(numbers) == len(self.players):
            yield numbers

    def _totals(self, games: Sequence[Meeting], scale: Scale) -> Iterator[str]:
        """A sentence for every total the games do not add up to, and which no game contradicts."""
        refused = {player.line for player, _game in self._too_low(games, scale)}
        for player in self.players:
            if player.line not in refused and self._missing(player, scale):
                yield f"line {player.line}: the rounds of “{player.name}” {self._sums(player, scale)}"

    def _scores_against_totals(self, games: Sequence[Meeting], scale: Scale) -> Iterator[BadRow]:
        """The cells of games that gave less than a game has to give, of players whose total says that they had more."""
        for player, game in self._too_low(games, scale):
            other = self.players[(game.black if player.place == game.white else game.white) - 1]
            reason = f"round {game.round}: “{player.name}” and “{other.name}” share less than a point"
            text = f"{reason} (lines {player.line} and {other.line}), and the rounds {self._sums(player, scale)}"
            yield BadRow(player.line, f"{text}: correct the cells, or the total")

    def _too_low(self, games: Sequence[Meeting], scale: Scale) -> Iterator[tuple[CrossPlayer, Meeting]]:
        for game in games:
            for player in (self.players[game.white - 1], self.players[game.black - 1]):
                if game.result in _LESS_THAN_A_GAME and self._missing(player, scale) > 0:
                    yield player, game

    def _missing(self, player: CrossPlayer, scale: Scale) -> Fraction:
        """What the rounds lack of the total, below nought where they bring too much; a bye that says nothing may be
        worth a win."""
        if player.points is None:
            return Fraction(0)
        unsaid = sum(isinstance(cell, Free) and cell.points is None for cell in self.cells[player.place - 1].values())
        lacking = player.points - self._counted(player, scale)
        return min(lacking, Fraction(0)) or max(lacking - unsaid * scale.win, Fraction(0))

    def _counted(self, player: CrossPlayer, scale: Scale) -> Fraction:
        return sum((points_of(cell, scale) for cell in self.cells[player.place - 1].values()), Fraction(0))

    def _sums(self, player: CrossPlayer, scale: Scale) -> str:
        return f"add up to {float(self._counted(player, scale)):g}, the table says {float(player.points or 0):g}"


def as_game_rows(table: CrosstableFile) -> tuple[GameRow, ...]:
    """The games with a result as `load_games` takes them, in order of rounds and without days: the table knows none.
    Of a draw that an armageddon game decided it is the draw: the other game is none of the same pool."""
    people = {player.place: player for player in table.players}
    return tuple(
        GameRow(
            line=people[min(game.white, game.black)].line,
            white=people[game.white].name,
            black=people[game.black].name,
            result=game.result,
            label=str(game.round),
        )
        for game in table.games
        if OUTCOMES[game.result].white is not None
    )
