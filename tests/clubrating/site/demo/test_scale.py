"""A club of any size: the numbers asked for, the same every time, an honest ledger, and never over another club."""

from io import StringIO

import pytest
from django.core.management import CommandError, call_command

from clubrating.site.demo.services.scale import YEARS, seed_scale
from players.models import Club, Player
from players.privacy.rules import is_minor
from players.refusals import Refused
from ratings.models import LedgerEntry, PlayerRating, RatingList
from tests import factory
from tournaments.models import Game, Tournament
from tournaments.rated_games.services.rebuilding import check_list

pytestmark = pytest.mark.django_db


@pytest.mark.extended
def test_so_many_people_games_of_ten_years_and_an_honest_ledger() -> None:
    made = seed_scale(60, 500, today=factory.today())
    assert (made.players, made.games, made.rated) == (60, 500, 500)
    assert factory.told("club.scaled", Club.objects.get()).after == {"players": 60, "games": 500, "seed": 1}
    assert Player.objects.count() == 60
    assert Game.objects.count() == LedgerEntry.objects.count() == 500
    assert check_list(RatingList.objects.get()) == []
    assert Player.objects.filter(active=False).exists()
    days = list(Game.objects.order_by("sequence").values_list("played_on", flat=True))
    assert days == sorted(days)
    assert days[-1] <= factory.today()
    assert days[0].year == factory.today().year - YEARS
    assert Tournament.objects.count() in (YEARS, YEARS + 1)


def test_minors_stand_there_by_initials() -> None:
    seed_scale(200, 0, today=factory.today())
    minors = [player for player in Player.objects.all() if is_minor(player.birth_year, factory.today())]
    assert minors
    assert {player.visibility for player in minors} == {"initials"}
    assert PlayerRating.objects.count() == 0


@pytest.mark.extended
@pytest.mark.django_db(transaction=True)
def test_the_same_seed_gives_the_same_club() -> None:
    def known() -> list[tuple[object, ...]]:
        return [*PlayerRating.objects.order_by("player__number").values_list("player__name", "rating", "games")]

    found = []
    for seed in (1, 1, 2):
        call_command("flush", interactive=False, verbosity=0)
        seed_scale(30, 200, today=factory.today(), seed=seed)
        found.append(known())
    assert found[0] == found[1] != found[2]


def test_a_club_that_is_there_is_left_alone_and_nonsense_numbers_are_refused() -> None:
    for players, games in ((1, 5), (0, 0), (5, -1)):
        with pytest.raises(Refused, match="two players"):
            seed_scale(players, games, today=factory.today())
    factory.make_club()
    with pytest.raises(Refused, match="in use already"):
        seed_scale(10, 10, today=factory.today())
    assert Player.objects.count() == 0


def test_the_command_says_what_it_made() -> None:
    out = StringIO()
    call_command("seed_scale", "--players", "12", "--games", "30", stdout=out)
    assert out.getvalue() == "12 people, 30 games, 30 of them rated.\n"
    with pytest.raises(CommandError, match="in use already") as refusal:
        call_command("seed_scale")
    assert refusal.value.returncode == 2
