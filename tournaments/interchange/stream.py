"""A file of games as the replay takes it: players as numbers, games in order, starting ratings before the first (pure).

Players are numbered in order of first appearance, those of the players' file first. The order of replay is by date,
and by the file's order within a day; the file itself need not be sorted. Forfeits and penalties are not rated.
In a file without dates the order of its rows is the order of play, and all stand on one day that means nothing.
Not done: several lists at once, dated rules; a run over a file knows one system with one set of settings.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date

from ratings.systems.base import PlayedGame, Start, order_key
from tournaments.interchange.games_csv import GameRow
from tournaments.interchange.players_csv import PlayerRow
from tournaments.interchange.tables_csv import BadRow
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


def make_stream(rows: Sequence[GameRow], people: Sequence[PlayerRow] = (), *, today: date, pool: str = "") -> Stream:
    """The stream of the good rows of a games file and a players' file, or of one pool's games.

    `today` stands for the day where the file has no dates. An event's games share the first one's `rules_day`.
    """
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


def make_starts(
    stream: Stream, people: Sequence[PlayerRow], *, newcomer: Callable[[int | None], float | None]
) -> tuple[tuple[Start, ...], tuple[BadRow, ...]]:
    """What players bring, as starting ratings before the first game, and the lines that cannot be used.

    `newcomer`: the rating at which somebody of that year of birth begins, None where the system has none. Who has a
    K or a volatility of his own and no rating begins there, if he plays at all.
    """
    plays = {player for game in stream.games for player in (game.white, game.black)}
    starts: list[Start] = []
    bad: list[BadRow] = []
    for player, row in enumerate(people):
        is_bare = row.rating is None
        if is_bare and (player not in plays or (row.k_factor is None and row.volatility is None)):
            continue
        rating = newcomer(row.birth_year) if row.rating is None else row.rating
        if rating is None:
            bad.append(BadRow(row.line, "k_factor or volatility of an unrated player: write the rating too"))
        else:
            starts.append(_start(player, row, rating, stream.begins))
    return tuple(starts), tuple(bad)


def _played(rows: Sequence[GameRow], numbers: dict[str, int], today: date) -> tuple[PlayedGame, ...]:
    games = []
    first_days: dict[str, int] = {}
    for sequence, row in enumerate(rows, start=1):
        score = SCORES.get(row.result)
        on = row.played_on or today
        rules_day = first_days.setdefault(row.event, on.toordinal()) if row.event else on.toordinal()
        if score is not None:
            white, black = numbers[row.white], numbers[row.black]
            order, margin = order_key(on, sequence), _margin(row)
            games.append(
                PlayedGame(
                    row.line, white, black, score, order, rules_day, row.event or None, True, row.importance, margin
                )
            )
    return tuple(games)


def _margin(row: GameRow) -> int | None:
    """The difference of points, whoever has more."""
    if row.white_points is None or row.black_points is None:
        return None
    return abs(row.white_points - row.black_points)


def _start(player: int, row: PlayerRow, rating: float, on: date) -> Start:
    return Start(
        player,
        on,
        rating,
        games=row.games,
        peak=row.peak,
        deviation=row.deviation,
        volatility=row.volatility,
        k=row.k_factor,
    )
