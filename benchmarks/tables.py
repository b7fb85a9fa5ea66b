"""Speed of lists of tables with their database: the rebuild of contests of four, system by system, against its floor.

The floor is what any program must do: read the contests with their sides and members, and write the same rows through
the driver, with nothing computed. Processor time, so that what else the machine does says little.
"""

from collections.abc import Callable, Iterator
from datetime import timedelta
from itertools import count
from random import Random
from time import process_time

from django.db import connection, transaction
from django.db.models import F
from django.utils import timezone

from benchmarks.databases import FIRST_DAY, PLAYERS, SCRATCH_GENERATION, scratch_database
from benchmarks.measure import Measured, compare
from players.people.services import NewPlayer, create_players
from ratings.ledger.services.rebuild import CHUNK, clear_generations, rebuild
from ratings.ledger.services.rows import CONTEST_COLUMNS, insert_rows
from ratings.lists.services import create_list
from ratings.models import ContestEntry, RatingList
from tournaments.events.services.counts import recount_games
from tournaments.events.services.events import open_event
from tournaments.models import Contest, ContestMember, ContestSide
from tournaments.rated_games.services.rebuilding import ListGames, check_list

SEATS = 4
SYSTEMS = (("Elo over sides", "elo"), ("Weng–Lin bt_full", "weng-lin"), ("TrueSkill", "trueskill"))
PLACES = ((1, 2, 3, 4),) * 9 + ((1, 2, 2, 4),)  # one table in ten has a tie
READ = (
    "SELECT c.id, c.played_on, c.sequence, c.importance, s.place, s.score, m.player_id, m.weight"
    " FROM tournaments_contestmember m JOIN tournaments_contestside s ON s.id = m.side_id"
    " JOIN tournaments_contest c ON c.id = m.contest_id ORDER BY c.played_on, c.sequence"
)


def measure_tables(contests: int) -> Iterator[Measured]:
    """The rebuild of a list of each system, and whether it equals a fresh replay."""
    with scratch_database():
        _play(contests)
        recount_games()  # these were written without the services that count them
        differing = 0
        for order, (name, system) in enumerate(SYSTEMS):
            rating_list = create_list(
                name=name, slug=f"tables-{order}", pool="tables", by=None, system=system, primary=order == 0
            )
            yield _rebuild(rating_list, name, contests)
            differing += len(check_list(rating_list))
        yield Measured("differences of these lists from a fresh replay", "none", float(differing), goal=0)


def _rebuild(rating_list: RatingList, name: str, contests: int) -> Measured:
    rebuild(rating_list, ListGames(rating_list))
    measured = compare(
        f"rebuild of {contests} tables of four by {name} on {connection.display_name}, ledger written and live",
        lambda: rebuild(rating_list, ListGames(rating_list)),
        "reading the tables and writing the same rows",
        _floor_of(rating_list),
        goal=2,
        rounds=3,
        clock=process_time,
    )
    clear_generations(rating_list)
    ContestEntry.objects.filter(generation__gte=SCRATCH_GENERATION).delete()
    return measured


def _floor_of(rating_list: RatingList) -> Callable[[], None]:
    """Read all contests and write the list's rows again under an unused generation, in the rebuild's chunks."""
    live = ContestEntry.objects.filter(rating_list=rating_list, generation=F("rating_list__live_generation"))
    rows = [(row[0], *row[1:]) for row in live.order_by("pk").values_list("rating_list_id", *CONTEST_COLUMNS)]
    numbers = count(SCRATCH_GENERATION)

    def run() -> None:
        generation = next(numbers)
        with connection.cursor() as cursor:
            cursor.execute(READ)
            cursor.fetchall()
        for start in range(0, len(rows), CHUNK):
            with transaction.atomic():
                some = [(row[0], generation, *row[1:]) for row in rows[start : start + CHUNK]]
                insert_rows(ContestEntry, CONTEST_COLUMNS, some)

    return run


@transaction.atomic
def _play(contests: int) -> None:
    """A thousand players and their tables in one open-ended event, unrated yet."""
    players = create_players([NewPlayer(f"Player {number}") for number in range(PLAYERS)], by=None)
    event = open_event("Evenings", pool="tables", by=None).tournament
    keys, random = [player.pk for player in players], Random(2026)
    for start in range(0, contests, CHUNK):
        numbers = range(start, min(start + CHUNK, contests))
        made = Contest.objects.bulk_create(
            Contest(
                tournament=event,
                pool="tables",
                label=f"{number}",
                played_on=FIRST_DAY + timedelta(days=9000 * number // contests),
                sequence=16 * (number + 1),
                recorded_at=timezone.now(),
            )
            for number in numbers
        )
        sides = ContestSide.objects.bulk_create(
            ContestSide(contest=contest, line=line, place=place)
            for contest in made
            for line, place in enumerate(random.choice(PLACES), start=1)
        )
        seated = (key for _contest in made for key in random.sample(keys, SEATS))
        ContestMember.objects.bulk_create(
            ContestMember(contest=side.contest, side=side, player_id=player)
            for side, player in zip(sides, seated, strict=True)
        )
