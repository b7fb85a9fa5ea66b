"""Speed of the ledger with its database: rebuilds, corrections and waiting, on a scratch database of its own.

Also used by the other measurements: the settings under which pages are measured (no caches, no collected static files),
and the invented stream of games: a thousand players drawn at random, with random results.

Each measurement is compared with a floor, what any program must do: read the games and write the same rows through the
driver, with nothing computed.
"""

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from datetime import date, timedelta
from itertools import count
from multiprocessing import get_context
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from time import perf_counter, sleep
from typing import Any

from django.conf import settings
from django.db import connection, transaction
from django.db.models import F
from django.test.utils import override_settings

from benchmarks.measure import Measured, compare, seconds
from players.people.services import NewPlayer, create_players
from ratings.ledger.services.rebuild import CHUNK, clear_generations, rebuild
from ratings.ledger.services.rows import LEDGER_COLUMNS, insert_rows
from ratings.lists.services import create_list
from ratings.models import LedgerEntry, RatingList
from ratings.systems.base import Moment, PlayedGame, order_key
from tournaments.events.services.counts import recount_games
from tournaments.events.services.events import open_event
from tournaments.models import Game, Pairing, Stage
from tournaments.rated_games.services.rating import rerate
from tournaments.rated_games.services.rebuilding import ListGames, check_list, rebuild_list
from tournaments.results.services.results import correct_result
from tournaments.standings.points import Result

# --- settings for pages ----------------------------------------------------------------------------------------------
_NOTHING = "django.core.cache.backends.dummy.DummyCache"
NOTHING_KEPT = {"default": {"BACKEND": _NOTHING}, "pages": {"BACKEND": _NOTHING}}
# Static files by their plain names, so that `collectstatic` is not needed.
_PLAIN = "django.contrib.staticfiles.storage.StaticFilesStorage"


def pages_made_anew(**more: Any) -> AbstractContextManager[Any]:
    """Every page is made anew for each request, none comes from a cache; `more`: other settings."""
    storages = settings.STORAGES | {"staticfiles": {"BACKEND": _PLAIN}}
    return override_settings(STORAGES=storages, CACHES=settings.CACHES | NOTHING_KEPT, DEBUG=False, **more)


# --- the stream of games ---------------------------------------------------------------------------------------------
PLAYERS = 1000
GAMES_A_DAY = 50


@dataclass(frozen=True, slots=True)
class Stream:
    """The same games twice: as columns of places and scores, and as the replay's games."""

    white: list[int]
    black: list[int]
    scores: list[float]

    @property
    def triples(self) -> list[tuple[int, int, float]]:
        return list(zip(self.white, self.black, self.scores, strict=True))

    def played(self) -> list[PlayedGame]:
        first = date(2000, 1, 1).toordinal()
        return [
            PlayedGame(n, white, black, score, order_key(date.fromordinal(first + n // GAMES_A_DAY), n), first)
            for n, (white, black, score) in enumerate(self.triples, start=1)
        ]


def make_stream(games: int, seed: int = 2026) -> Stream:
    """`games` games between players drawn at random; a third are drawn."""
    rng = Random(seed)
    stream = Stream([], [], [])
    for _ in range(games):
        white = rng.randrange(PLAYERS)
        black = (white + rng.randrange(1, PLAYERS)) % PLAYERS
        stream.white.append(white)
        stream.black.append(black)
        stream.scores.append(rng.choice((1.0, 0.5, 0.0)))
    return stream


# --- the ledger ------------------------------------------------------------------------------------------------------
FIRST_DAY = date(2000, 1, 1)
BACK = 1000  # a correction so many games back
SCRATCH_GENERATION = 1_000_000
RESULTS = {1.0: Result.WHITE_WINS, 0.5: Result.DRAW, 0.0: Result.BLACK_WINS}


@dataclass(frozen=True, slots=True)
class Club:
    """A scratch club with its games, oldest first (keys)."""

    rating_list: RatingList
    games: list[int]


@contextmanager
def scratch_database() -> Iterator[None]:
    """A database beside the club's own, gone afterwards: on SQLite a file in a temporary folder. Its tables are made as
    the models say: to go through all migrations takes longer than most measurements."""
    with TemporaryDirectory() as folder:
        connection.settings_dict["TEST"]["MIGRATE"] = False
        if connection.vendor == "sqlite":
            connection.settings_dict["TEST"]["NAME"] = str(Path(folder) / "scratch.sqlite3")
        own = connection.settings_dict["NAME"]
        connection.creation.create_test_db(verbosity=0, autoclobber=True, serialize=False)
        try:
            yield
        finally:
            connection.creation.destroy_test_db(own, verbosity=0)


@transaction.atomic
def make_club(games: int) -> Club:
    """A thousand players and their games in one open-ended event, unrated yet."""
    stream = make_stream(games)
    players = create_players([NewPlayer(f"Player {number}") for number in range(PLAYERS)], by=None)
    rating_list = create_list(name="Standard", slug="standard", pool="standard", by=None, primary=True)
    stage = open_event("Evenings", pool="standard", by=None)
    keys = [player.pk for player in players]
    found: list[int] = []
    for start in range(0, games, CHUNK):
        some = stream.triples[start : start + CHUNK]
        found += _write_games(stage, keys, some, start, games)
    return Club(rating_list, found)


def _write_games(
    stage: Stage, keys: list[int], some: list[tuple[int, int, float]], start: int, games: int
) -> list[int]:
    pairings = Pairing.objects.bulk_create([Pairing(stage=stage) for _ in some])
    rows = [
        Game(
            tournament_id=stage.tournament_id,
            pairing=pairing,
            pool="standard",
            white_id=keys[white],
            black_id=keys[black],
            result=RESULTS[score],
            played_on=FIRST_DAY + timedelta(days=9000 * number // games),
            sequence=16 * (number + 1),
        )
        for number, (pairing, (white, black, score)) in enumerate(zip(pairings, some, strict=True), start=start)
    ]
    return [game.pk for game in Game.objects.bulk_create(rows)]


def measure_databases(games: int) -> Iterator[Measured]:
    """Rebuild, correction, one new result and waiting, each against its floor."""
    with scratch_database():
        club = make_club(games)
        vendor = str(connection.display_name)
        yield _rebuild(club, games, vendor)
        yield _correction(club, vendor)
        yield from _waiting(club, vendor)
        recount_games()  # this stream's games were written without the services that count them
        wrong = len(check_list(club.rating_list))
        yield Measured("differences from a fresh replay afterwards", "none", float(wrong), goal=0)


def _rebuild(club: Club, games: int, vendor: str) -> Measured:
    rebuild_list(club.rating_list)
    measured = compare(
        f"rebuild of {games} games on {vendor}, ledger written and live",
        lambda: rebuild(club.rating_list, ListGames(club.rating_list)),
        "reading the games and writing the same rows",
        _floor_of(club.games),
        goal=2,
        rounds=3,
    )
    clear_generations(club.rating_list)
    LedgerEntry.objects.filter(generation__gte=SCRATCH_GENERATION).delete()
    return measured


def _floor_of(keys: list[int], *, replacing: bool = False) -> Callable[[], None]:
    """Read those games and write their ledger rows again under an unused generation, in the rebuild's chunks;
    `replacing`: remove them by key and write them back in one transaction."""
    live = LedgerEntry.objects.filter(generation=F("rating_list__live_generation"))
    live = live.filter(game__in=keys) if replacing else live
    rows = [(row[0], SCRATCH_GENERATION, *row[1:]) for row in live.values_list("rating_list_id", *LEDGER_COLUMNS)]
    numbers = count(SCRATCH_GENERATION)

    def run() -> None:
        generation = SCRATCH_GENERATION if replacing else next(numbers)
        with connection.cursor() as cursor:
            cursor.execute(
                "SELECT id, white_id, black_id, result, played_on, sequence FROM tournaments_game WHERE id >= %s"
                " ORDER BY played_on, sequence",
                [min(keys)],
            )
            cursor.fetchall()
        for start in range(0, len(rows), CHUNK):
            with transaction.atomic():
                if replacing:
                    LedgerEntry.objects.filter(generation=SCRATCH_GENERATION).delete()
                some = [(row[0], generation, *row[2:]) for row in rows[start : start + CHUNK]]
                insert_rows(LedgerEntry, LEDGER_COLUMNS, some)

    return run


def _correction(club: Club, vendor: str) -> Measured:
    game = club.games[-BACK]
    results = [Result.WHITE_WINS, Result.BLACK_WINS]

    def run() -> None:
        now = Game.objects.values_list("result", flat=True).get(pk=game)
        correct_result(game=game, result=results[now == results[0]], by=None)

    floor = _floor_of(club.games[-BACK:], replacing=True)
    measured = compare(
        f"correction {BACK} games back on {vendor}", run, "reading and replacing the same rows", floor, goal=5
    )
    clear_generations(club.rating_list)
    LedgerEntry.objects.filter(generation__gte=SCRATCH_GENERATION).delete()
    return measured


def _waiting(club: Club, vendor: str) -> Iterator[Measured]:
    """How long a result takes alone, and while a rebuild runs in another process."""
    moment = Moment(FIRST_DAY + timedelta(days=9001), 1)
    alone = min(seconds(lambda: rerate("standard", moment)) for _ in range(5))
    connection.close()  # no open connection may cross into another process
    rebuilding = get_context("fork").Process(target=_rebuild_apart, args=(club.rating_list.pk,))
    rebuilding.start()
    longest = 0.0
    while rebuilding.is_alive():
        begun = perf_counter()
        rerate("standard", moment)
        longest = max(longest, perf_counter() - begun)
        sleep(0.01)
    rebuilding.join()
    note = "" if rebuilding.exitcode == 0 else "the rebuild broke off"
    tenth = "a tenth of a second"
    yield Measured(
        f"longest wait of one result while a rebuild runs on {vendor}", tenth, longest / 0.1, longest, 0.1, 1, note
    )
    yield Measured(f"one result with nothing else going on, on {vendor}", tenth, alone / 0.1, alone, 0.1)


def _rebuild_apart(key: int) -> None:
    rebuild_list(RatingList.objects.get(pk=key))
    connection.close()
