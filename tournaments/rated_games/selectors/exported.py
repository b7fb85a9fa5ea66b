"""The rated events' games as lines of GAMES.csv, and their contests as lines of CONTESTS.csv, in order of replay."""

from collections.abc import Iterator, Sequence
from typing import Any

from tournaments.interchange.games_csv import NOTATION
from tournaments.interchange.list_csv import guarded
from tournaments.models import ContestMember, Game
from tournaments.rated_games.selectors.games import RATED_EVENT

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
    "handicap",
    "komi",
    "tournament__slug",
    "tournament__starts_on",
    "tournament__closed",
    "tournament__open_ended",
    "sequence",
    "white__birth_year",
    "black__birth_year",
)
PAGE = 2000


def exported_games(pool: str | None, results: Sequence[str] = tuple(NOTATION)) -> Iterator[list[Any]]:
    """Games of rated events with one of those results, of one pool or of all: values of the file's columns, years of
    birth last. What was played after its match was decided is not rated, and no file can say so: it is left out."""
    games = Game.objects.filter(result__in=results, surplus=False, **RATED_EVENT)
    if pool is not None:
        games = games.filter(pool=pool)
    for row in games.order_by("played_on", "sequence").values_list(*_COLUMNS).iterator(chunk_size=PAGE):
        on, white, black, result, event, number, board, label, *rest = row
        pool_of, importance, own, other, stones, komi, slug, starts_on, closed, open_ended, sequence, *born = rest
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
            stones or None,
            komi,
            slug,
            starts_on.isoformat() if starts_on else None,
            int(closed or open_ended),
            sequence,
            *born,
        ]


_MEMBER = (
    "contest__label",
    "contest__played_on",
    "contest__tournament__name",
    "side__line",
    "side__place",
    "player__number",
    "side__score",
    "weight",
    "contest__importance",
    "contest__own_importance",
    "contest__pool",
    "contest__sequence",
)
CONTEST_COLUMNS = (
    *("contest", "date", "event", "side", "place", "player", "score", "weight", "importance", "pool"),
    "sequence",
)


def exported_contests(pool: str | None) -> Iterator[list[Any]]:
    """Rated contests with sides as lines of CONTESTS.csv, one a member, in order of replay; of one pool or of all."""
    rows = ContestMember.objects.filter(contest__withdrawn=False, contest__tournament__rated=True)
    if pool is not None:
        rows = rows.filter(contest__pool=pool)
    rows = rows.order_by("contest__played_on", "contest__sequence", "side__line", "player__number")
    for row in rows.values_list(*_MEMBER).iterator(chunk_size=PAGE):
        label, on, event, line, place, number, score, weight, importance, is_own, pool_of, sequence = row
        own = importance if is_own or importance != 1 else None
        yield [label, on.isoformat(), guarded(event), line, place, f"#{number}", score, weight, own, pool_of, sequence]


def left_out(pool: str | None) -> int:
    """Games with a result that the file cannot say, of events that are not rated, or after the decision of a match."""
    games = Game.objects.filter(tournament__entry_size=1).exclude(result="")
    if pool is not None:
        games = games.filter(pool=pool)
    return games.exclude(tournament__rated=True, result__in=tuple(NOTATION), surplus=False).count()
