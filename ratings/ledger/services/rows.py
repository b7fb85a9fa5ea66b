"""Between the replay's rows and the tables' columns, in one place and in one order."""

from collections.abc import Iterable, Iterator, Sequence
from operator import attrgetter
from typing import Any

from django.db import connection, models

from ratings.models import ContestEntry, LedgerEntry, PlayerRating, RatingList, RatingStep
from ratings.systems.base import PlayerState, Side
from ratings.systems.probation import Known
from ratings.systems.replay import RatedGame, Row, Step
from ratings.systems.sides import RatedMember

ROWS_AT_ONCE = 500  # in one statement, where a statement costs a way to another machine
KEYS_AT_ONCE = 500  # in one question
SIDE_COLUMNS = Side._fields
# A player's state before an event: the columns a replay of the tail begins with.
STATE_COLUMNS = SIDE_COLUMNS[: SIDE_COLUMNS.index("expected")]
LEDGER_COLUMNS = (
    "game_id",
    "order",
    "score",
    "white_player",
    "black_player",
    *(f"white_{name}" for name in SIDE_COLUMNS),
    *(f"black_{name}" for name in SIDE_COLUMNS),
    "pending",
)
CONTEST_COLUMNS = (
    "contest_id",
    "order",
    "sides",
    "place",
    "side",
    "player",
    "outcome",
    *SIDE_COLUMNS,
    "deviation_after",
)
STEP_COLUMNS = tuple("player_id" if name == "player" else name for name in Step._fields)
# Player, state of the player (`_STATE`, in this order), `ranked`.
RATING_COLUMNS = tuple(
    field.attname
    for field in PlayerRating._meta.concrete_fields
    if field.attname not in ("id", "rating_list_id", "generation")
)
_STATE = attrgetter(*(name.replace("reached_order", "reached") for name in RATING_COLUMNS[1:-1]))


def ledger_values(row: RatedGame) -> tuple[Any, ...]:
    """The values of LEDGER_COLUMNS."""
    played = row.played
    return (played.game, played.order, played.score, played.white, played.black, *row[1:])


def contest_values(row: RatedMember, head: tuple[Any, ...] = ()) -> tuple[Any, ...]:
    """The values of CONTEST_COLUMNS behind those of `head`."""
    contest, side = row[0], row[1]
    sides = contest.sides
    return (*head, contest.contest, contest.order, len(sides), sides[side - 1].place, *row[1:])


def rating_values(rating_list: RatingList, player: int, state: PlayerState, active: bool) -> tuple[Any, ...]:
    """The values of RATING_COLUMNS."""
    return (player, *_STATE(state), is_ranked(rating_list, state, active))


def is_ranked(rating_list: RatingList, state: Known, active: bool) -> bool:
    """Whether a player takes a place: off probation and active."""
    return active and not rating_list.probation.holds(state)


def state_of(row: PlayerRating, birth_year: int | None) -> PlayerState:
    """The state a stored rating stands for."""
    return state_from(tuple(getattr(row, name) for name in RATING_COLUMNS), birth_year)


def state_from(values: tuple[Any, ...], birth_year: int | None) -> PlayerState:
    """The state that the values of RATING_COLUMNS stand for."""
    _, rating, deviation, volatility, coefficient, games, wins, draws, losses, peak, reached, last, reentry, _ = values
    return PlayerState(
        rating,
        games,
        peak,
        birth_year,
        deviation,
        volatility,
        coefficient,
        wins=wins,
        draws=draws,
        losses=losses,
        reached=reached,
        last_day=last.toordinal() if last else None,
        reentry=reentry,
    )


def write_rows(rating_list: RatingList, generation: int, rows: Iterable[Row]) -> None:
    """Write ledger rows and steps in the order given, past the object layer: it would cost ten times the rest."""
    head, written = (rating_list.pk, generation), list(rows)
    games = [head + ledger_values(row) for row in written if isinstance(row, RatedGame)]
    members = [contest_values(row, head) for row in written if isinstance(row, RatedMember)]
    steps = [head + tuple(row) for row in written if isinstance(row, Step)]
    insert_rows(LedgerEntry, LEDGER_COLUMNS, games)
    insert_rows(ContestEntry, CONTEST_COLUMNS, members)
    insert_rows(RatingStep, STEP_COLUMNS, steps)
    if members and not rating_list.has_contests:
        rating_list.has_contests = True
        RatingList.objects.filter(pk=rating_list.pk).update(has_contests=True)


def write_ratings(rating_list: RatingList, generation: int, rows: Sequence[tuple[Any, ...]]) -> None:
    """Insert or update current ratings; `rows` in the order of RATING_COLUMNS."""
    quote = connection.ops.quote_name
    key, columns = ("rating_list_id", "generation", "player_id"), ("rating_list_id", "generation", *RATING_COLUMNS)
    new = ", ".join(f"{quote(name)} = EXCLUDED.{quote(name)}" for name in RATING_COLUMNS[1:])
    head, day = (rating_list.pk, generation), RATING_COLUMNS.index("last_played")
    adapt = connection.ops.adapt_datefield_value
    values = [(*head, *row[:day], adapt(row[day]), *row[day + 1 :]) for row in rows]
    marks = f"({', '.join(['%s'] * len(columns))})"
    start = f"INSERT INTO {quote(PlayerRating._meta.db_table)} ({', '.join(map(quote, columns))}) VALUES "
    end = f" ON CONFLICT ({', '.join(map(quote, key))}) DO UPDATE SET {new}"
    with connection.cursor() as cursor:
        if connection.vendor == "sqlite":
            cursor.executemany(start + marks + end, values)
            return
        for first in range(0, len(values), ROWS_AT_ONCE):
            some = values[first : first + ROWS_AT_ONCE]
            cursor.execute(start + ", ".join([marks] * len(some)) + end, [value for row in some for value in row])


def insert_rows(table: type[models.Model], columns: Sequence[str], rows: Sequence[tuple[Any, ...]]) -> None:
    if not rows:
        return
    quote = connection.ops.quote_name
    # Every column is called as its field, keys with _id: the names above are the database's own.
    named = ", ".join(quote(name) for name in ("rating_list_id", "generation", *columns))
    name = quote(table._meta.db_table)
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            with cursor.copy(f"COPY {name} ({named}) FROM STDIN") as copying:
                for row in rows:
                    copying.write_row(row)
        else:
            marks = ", ".join(["%s"] * (len(columns) + 2))
            cursor.executemany(f"INSERT INTO {name} ({named}) VALUES ({marks})", rows)


def in_batches(keys: Iterable[int]) -> Iterator[list[int]]:
    """The keys in order, as many at once as a question takes. Whoever asks for two thousand people of a hundred
    thousand reads two thousand rows."""
    wanted = sorted(keys)
    for start in range(0, len(wanted), KEYS_AT_ONCE):
        yield wanted[start : start + KEYS_AT_ONCE]
