"""What the tests of contests share: a table evening rated by TrueSkill, contests in one line, and ratings by number."""

from datetime import date, timedelta

from players.models import Player
from ratings.lists.services import create_list
from ratings.models import PlayerRating, RatingList
from tests import factory
from tournaments.contests.services import ContestData, SideData, record_contest
from tournaments.events.services.events import NewTournament, create_tournament
from tournaments.models import Contest, Tournament

DAY = factory.MONDAY


def make_tables(system: str = "trueskill", **rules: object) -> tuple[RatingList, Tournament]:
    """A list of that system in a pool of its own, and an event without rounds that is rated in it."""
    rating_list = create_list(name="Tables", slug="tables", pool="tables", by=None, system=system)
    return rating_list, make_evening("Table evening", **rules)


def make_evening(name: str, **rules: object) -> Tournament:
    new = NewTournament(name, pool="tables", pairing_system="free", rules=dict(rules))
    return create_tournament(new, by=None)


def table(event: Tournament, text: str, day: int = 0, **more: object) -> ContestData:
    """ "1: 1 2; 2: 3 4" is two sides, their places before the colon, players by number; an equals sign gives a score:
    "1=260: 1; 2=240: 2"."""
    return ContestData(event.pk, sides(text), DAY + timedelta(days=day), **more)  # type: ignore[arg-type]


def sides(text: str) -> tuple[SideData, ...]:
    keys = dict(Player.objects.values_list("number", "pk"))
    found = []
    for side in text.split(";"):
        head, _, members = side.partition(":")
        place, _, score = head.partition("=")
        weights = [part.partition("*") for part in members.split()]
        found.append(
            SideData(
                int(place),
                tuple(keys[int(number)] for number, _, _ in weights),
                tuple(float(weight or 1) for _, _, weight in weights),
                float(score) if score else None,
            )
        )
    return tuple(found)


def play(event: Tournament, text: str, day: int = 0, **more: object) -> Contest:
    return record_contest(table(event, text, day, **more), by=None)


def day(number: int) -> date:
    return DAY + timedelta(days=number)


def the_list() -> RatingList:
    return RatingList.objects.get(slug="tables")


def ratings() -> dict[int, tuple[float, float | None]]:
    """By number: rating and deviation."""
    rows = PlayerRating.objects.filter(rating_list=the_list(), generation=the_list().live_generation)
    return {row.player.number: (row.rating, row.deviation) for row in rows.select_related("player")}
