"""What the tests of corrections share: files of games, a dump of the database, and a correction made in one breath."""

from datetime import date, timedelta
from functools import cache
from random import Random

from django.db import connection
from django.utils import timezone

from ratings.lists.services import NewStart, create_list
from ratings.models import RatingList
from tests import factory
from tournaments.corrections.services.changes import Change
from tournaments.corrections.services.corrections import ListPreview, Preview, commit, preview
from tournaments.interchange.games_csv import GameRow, read_games
from tournaments.loading.services.streams import load_games
from tournaments.models import Game, Tournament
from tournaments.rated_games.services.people import bring_starting_ratings
from tournaments.rated_games.services.rebuilding import check_list
from tournaments.standings.points import Result

RESULTS = (Result.WHITE_WINS, Result.DRAW, Result.BLACK_WINS)
EVENT = "Thursday evenings"


def stream(*rows: str) -> tuple[GameRow, ...]:
    text = "date,white,black,result\n" + "\n".join(rows)
    return tuple(read_games(text.encode(), today=timezone.localdate()).rows)


@cache
def _tables() -> list[str]:
    """All tables but two long ones of Django, which no page writes."""
    return sorted({*connection.introspection.table_names()} - {"auth_permission", "django_migrations"})


def dump() -> dict[str, list[tuple[object, ...]]]:
    """Every row of every table a correction could write, as the database holds it."""
    tables = {}
    with connection.cursor() as cursor:
        for name in _tables():
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


def make_season(standard: RatingList) -> Tournament:
    """Six players, a round robin played to the end; the first has a rating brought along."""
    players = factory.make_players(6)
    bring_starting_ratings(standard, [NewStart(players[0].pk, date(2025, 12, 1), 1850, 29)], by=None)
    cup = factory.make_round_robin(players)
    random = Random(7)
    for number in range(1, 6):
        factory.play_round(cup, number, [random.choice(RESULTS) for _ in range(3)])
    return cup


def make_evenings() -> Tournament:
    """Club evenings of the same people, in the same weeks and after, rated in two lists."""
    create_list(name="Glicko", slug="glicko", pool="standard", by=None, system="glicko2", settings={"period": "month"})
    random, names = Random(3), factory.CAST[:6]
    rows = []
    for week in range(8):
        day = factory.MONDAY + timedelta(days=3 + 7 * week)
        for white, black in (random.sample(names, 2) for _ in range(4)):
            rows.append(f"{day},{white},{black},{random.choice(RESULTS)}")
    load_games(stream(*rows), by=None, event_name=EVENT, today=timezone.localdate())
    return Tournament.objects.get(open_ended=True)
