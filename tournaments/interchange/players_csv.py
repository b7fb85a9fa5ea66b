"""PLAYERS.csv, and the given ratings of GAMES.csv (pure).

PLAYERS.csv: people and the ratings they bring, one a line. The shape is an interface of the project. Header with
`player` (or `id`); optional `rating`, `games` (rated games so far), `deviation`, `peak`, `birth_year`, `reading` (the
name in another script); for a run over a file also `volatility`, `k_factor` (see RUN_COLUMNS) and `grade` (GRADE);
other columns are ignored. A line without rating names a person and no more. Not done: the columns only studies read
(`strength`, `frequency`).

`white_rating` and `black_rating` of GAMES.csv are the source's ratings before the game; only back-tests read them.
"""

from collections.abc import Collection
from dataclasses import dataclass, replace
from datetime import date

from clubrating.ground.marks import marked, sentence
from ratings.systems.egf import grade_rating
from tournaments.interchange.headers import as_known, without_footers
from tournaments.interchange.tables_csv import (
    BadRow,
    Fields,
    Rows,
    Table,
    number_reader,
    read_name,
    read_optional_name,
    read_rows,
    read_table,
    shortened,
    whole_reader,
)

# --- PLAYERS.csv --------------------------------------------------------------------------------------------------
MAX_RATING = 4000
MAX_GAMES = 1_000_000
MAX_DEVIATION = 1000
MIN_VOLATILITY, MAX_VOLATILITY = 0.001, 1.0  # as Glicko-2's own setting
Span = tuple[float, float]  # lowest and highest
MIN_K, MAX_K = 0.1, 1000.0
EARLIEST_BIRTH_YEAR = 1850
# What a single run may fix for a player; a club's import ignores these columns, whatever stands in them.
RUN_COLUMNS = ("volatility", "k_factor")
GRADE = "grade"  # of go, such as 3k: a rating on the scale of `ratings.systems.egf` for whom no rating is given


@dataclass(frozen=True, slots=True)
class PlayerRow:
    """One person as the file gives it; what the file does not say is None."""

    line: int
    name: str
    rating: float | None = None
    games: int | None = None
    deviation: float | None = None
    peak: float | None = None
    birth_year: int | None = None
    volatility: float | None = None
    k_factor: float | None = None
    reading: str | None = None


PlayersFile = Rows[PlayerRow]


def read_players(
    data: bytes,
    *,
    today: date,
    also: Collection[str] = (),
    ratings: Span = (0, MAX_RATING),
    deviations: Span = (1, MAX_DEVIATION),
) -> PlayersFile:
    """A whole file. `also`: those of RUN_COLUMNS, and GRADE, that are read; `ratings`, `deviations`: lowest and highest
    the caller can use. A name that stands twice is a bad row. Raises UnreadableFileError for a file or header that is
    none."""
    return _read_people(read_table(data), today=today, also=also, ratings=ratings, deviations=deviations)


MEMBER_COLUMNS = ("player", "rating", "games", "deviation", "peak", "birth_year", "reading")


def read_members(data: bytes, *, today: date, grades: bool = False) -> PlayersFile:
    """A club's own list, its header as people write it (`headers`); with `grades` those of go are read too. Raises
    UnreadableFileError."""
    columns = (*MEMBER_COLUMNS, GRADE) if grades else MEMBER_COLUMNS
    table = as_known(read_table(data), columns)
    return _read_people(without_footers(table, (*columns, name_column(table))), today=today, also=columns)


def columns_left(data: bytes) -> tuple[str, ...]:
    """The columns of a club's list that are not read. Raises UnreadableFileError."""
    columns = as_known(read_table(data), MEMBER_COLUMNS).columns
    name = "id" if "player" not in columns else "player"
    return tuple(column for column in columns if column and column not in (*MEMBER_COLUMNS, name))


def _read_people(
    table: Table,
    *,
    today: date,
    also: Collection[str] = (),
    ratings: Span = (0, MAX_RATING),
    deviations: Span = (1, MAX_DEVIATION),
) -> PlayersFile:
    column = name_column(table)
    table.require(column)
    lines: dict[str, int] = {}

    def read(fields: Fields) -> PlayerRow:
        row = _read_row(fields, column, today, also, ratings, deviations)
        fields.refuse_twin(row.name, lines)
        return row

    return read_rows(table, read)


def name_column(table: Table) -> str:
    """The column of names: `player`, or `id` where only that is there."""
    return "id" if "id" in table.columns and "player" not in table.columns else "player"


def _read_row(
    fields: Fields, column: str, today: date, also: Collection[str], ratings: Span, deviations: Span
) -> PlayerRow:
    low, high = ratings
    rating = fields.take("rating", number_reader("rating", low=low, high=high), None)
    grade = fields.take(GRADE, _read_grade, None) if GRADE in also else None
    row = PlayerRow(
        line=fields.line.number,
        name=fields.take(column, lambda text: read_name(text, marked("the player’s name")), ""),
        rating=grade if rating is None else rating,
        games=fields.take("games", whole_reader("games", high=MAX_GAMES), None),
        deviation=fields.take("deviation", number_reader("deviation", low=deviations[0], high=deviations[1]), None),
        peak=fields.take("peak", number_reader("peak", low=low, high=high), None),
        birth_year=fields.take(
            "birth_year", whole_reader("birth_year", low=EARLIEST_BIRTH_YEAR, high=today.year), None
        ),
        volatility=_read_run_number(fields, "volatility", also, MIN_VOLATILITY, MAX_VOLATILITY),
        k_factor=_read_run_number(fields, "k_factor", also, MIN_K, MAX_K),
        reading=fields.take("reading", lambda text: read_optional_name(text, marked("the reading")), None) or None,
    )
    if not fields.problems:
        fields.problems += _contradictions(row)
    return row


def _read_run_number(fields: Fields, column: str, also: Collection[str], low: float, high: float) -> float | None:
    """One of RUN_COLUMNS; None where it is not asked for."""
    return fields.take(column, number_reader(column, low=low, high=high), None) if column in also else None


def _read_grade(text: str) -> float | None:
    """The rating of a grade; None where nothing is written."""
    try:
        return grade_rating(text) if text else None
    except ValueError as reason:
        raise ValueError(f"grade “{shortened(text)}” is not known: {reason}") from None


def _contradictions(row: PlayerRow) -> list[str]:
    if row.rating is None and (row.games or row.peak is not None or row.deviation is not None):
        return [marked("games, peak or deviation without a rating: write the rating too")]
    if row.rating is not None and row.peak is not None and row.peak < row.rating:
        text = sentence(
            "peak %(peak)s lies below the rating %(rating)s: the peak is the best rating ever reached",
            peak=f"{row.peak:g}",
            rating=f"{row.rating:g}",
        )
        return [text]
    return []


# --- given ratings of GAMES.csv -----------------------------------------------------------------------------------
COLUMNS = ("white_rating", "black_rating")
LOWEST, HIGHEST = -100_000.0, 100_000.0


@dataclass(frozen=True, slots=True)
class GivenRatings:
    """`is_given`: whether the file has both columns. `pairs`: White's and Black's rating by line, only where both are
    known."""

    is_given: bool
    pairs: dict[int, tuple[float, float]]
    bad: tuple[BadRow, ...]


def read_given_ratings(data: bytes) -> GivenRatings:
    """A whole file; columns that name winner and loser have no White, so nothing is given there. Raises
    UnreadableFileError for a file that is none."""
    table = read_table(data)
    if not {"white", "black", *COLUMNS} <= set(table.columns):
        return GivenRatings(False, {}, ())

    def read(fields: Fields) -> tuple[int, float | None, float | None]:
        white, black = (fields.take(name, number_reader(name, low=LOWEST, high=HIGHEST), None) for name in COLUMNS)
        return fields.line.number, white, black

    found = read_rows(replace(table, bad=()), read)  # lines that are none are told with the games
    pairs = {line: (white, black) for line, white, black in found.rows if white is not None and black is not None}
    return GivenRatings(True, pairs, found.bad)
