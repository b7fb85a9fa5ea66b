"""What the tests of corrections share: files of games, a dump of the database, and a correction made in one breath."""

from django.db import connection
from django.utils import timezone

from ratings.models import RatingList
from tournaments.interchange.games_csv import GameRow, read_games
from tournaments.models import Game
from tournaments.services.changes import Change
from tournaments.services.corrections import ListPreview, Preview, commit, preview
from tournaments.services.rating import check_list
from tournaments.standings.points import Result

RESULTS = (Result.WHITE_WINS, Result.DRAW, Result.BLACK_WINS)
EVENT = "Thursday evenings"


def stream(*rows: str) -> tuple[GameRow, ...]:
    text = "date,white,black,result\n" + "\n".join(rows)
    return tuple(read_games(text.encode(), today=timezone.localdate()).rows)


def dump() -> dict[str, list[tuple[object, ...]]]:
    """Every row of every table, as the database holds it."""
    tables = {}
    with connection.cursor() as cursor:
        for name in sorted(connection.introspection.table_names(cursor)):
            cursor.execute(f"SELECT * FROM {connection.ops.quote_name(name)}")
            tables[name] = sorted(cursor.fetchall(), key=repr)
    return tables


def in_order(lists: tuple[ListPreview, ...]) -> list[object]:
    return [
        (
            row.rating_list.pk,
            row.games,
            row.replaced,
            [(m.player.number, m.move.before, m.move.after, m.place_before, m.place_after) for m in row.moves],
        )
        for row in lists
    ]


def same(one: Preview, other: Preview) -> bool:
    return (in_order(one.lists), one.standings, one.seen, one.report) == (
        in_order(other.lists),
        other.standings,
        other.seen,
        other.report,
    )


def correct(change: Change, **why: object) -> Preview:
    shown = preview(change, by=None)
    return commit(change, shown.seen, **{"reason": "appeal", "by": None, **why})  # type: ignore[arg-type]


def is_exact() -> bool:
    return all(check_list(row) == [] for row in RatingList.objects.all())


def other_result(game: Game) -> Result:
    """A rated result the game does not have."""
    return next(code for code in RESULTS if code != game.result)
