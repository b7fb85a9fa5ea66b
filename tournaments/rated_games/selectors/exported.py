"""The rated events' games as lines of GAMES.csv, in order of replay."""

from collections.abc import Iterator, Sequence
from typing import Any

from tournaments.interchange.games_csv import NOTATION
from tournaments.interchange.list_csv import guarded
from tournaments.models import Game

_COLUMNS = (
    "played_on",
    "white__number",
    "black__number",
    "result",
    "tournament__name",
    "pairing__round__number",
    "pairing__board",
    "pairing__label",
    "pool",
    "importance",
    "white_points",
    "black_points",
    "tournament__slug",
    "tournament__starts_on",
    "tournament__closed",
    "tournament__open_ended",
    "white__birth_year",
    "black__birth_year",
)
PAGE = 2000


def exported_games(pool: str | None, results: Sequence[str] = tuple(NOTATION)) -> Iterator[list[Any]]:
    """Games of rated events with one of those results, of one pool or of all: values of the file's columns, years of
    birth last. What was played after its match was decided is not rated, and no file can say so: it is left out."""
    games = Game.objects.filter(tournament__rated=True, result__in=results, surplus=False)
    if pool is not None:
        games = games.filter(pool=pool)
    for row in games.order_by("played_on", "sequence").values_list(*_COLUMNS).iterator(chunk_size=PAGE):
        on, white, black, result, event, number, board, label, *rest = row
        pool_of, importance, own, other, slug, starts_on, closed, open_ended, *born = rest
        yield [
            on.isoformat(),
            f"#{white}",
            f"#{black}",
            NOTATION[result],
            guarded(event),
            label if number is None else number,
            None if number is None else board,
            pool_of,
            importance,
            own,
            other,
            slug,
            starts_on.isoformat() if starts_on else None,
            int(closed or open_ended),
            *born,
        ]


def left_out(pool: str | None) -> int:
    """Games with a result that the file cannot say, of events that are not rated, or after the decision of a match."""
    games = Game.objects.exclude(result="")
    if pool is not None:
        games = games.filter(pool=pool)
    return games.exclude(tournament__rated=True, result__in=tuple(NOTATION), surplus=False).count()
