"""An Elo list rates games and contests with sides in one order, and takes the points it wants."""

from datetime import date

import pytest

from ratings.lists.services import NewRule, set_rules
from ratings.models import ContestEntry, PlayerRating, RatingList
from tests import factory
from tests.tournaments.contests.contest_cases import make_tables, play, sides
from tournaments.contests.services import correct_contest
from tournaments.models import Tournament
from tournaments.rated_games.services.rebuilding import check_list, rebuild_list

pytestmark = pytest.mark.django_db
K20 = {"preset": "constant", "k": 20}
LOG = {"margin": "log", "margin_unit": 100, "margin_cap": 3}


@pytest.fixture(scope="module")
def tables(world: None) -> Tournament:
    factory.make_club()
    factory.make_players(8)
    return make_tables("elo", scores="victory")[1]


@pytest.fixture
def elo(tables: Tournament) -> RatingList:
    found = RatingList.objects.get(slug="tables")
    set_rules(found, [NewRule(date(1900, 1, 1), "elo", K20 | LOG)], by=None)
    rebuild_list(found)
    return RatingList.objects.get(pk=found.pk)


def changes() -> dict[int, float]:
    rows = PlayerRating.objects.filter(rating_list__slug="tables").select_related("player")
    return {row.player.number: row.rating - 1500 for row in rows}


def test_a_400_100_counts_twice_a_260_240(elo: RatingList, tables: Tournament) -> None:
    play(tables, "1=400: 1 2; 2=100: 3 4")
    close = play(tables, "1=260: 5 6; 2=240: 7 8", day=1)
    assert changes() == {1: 20, 2: 20, 3: -20, 4: -20, 5: 10, 6: 10, 7: -10, 8: -10}
    assert set(ContestEntry.objects.values_list("expected", "k")) == {(0.5, 40.0), (0.5, 20.0)}
    correct_contest(close.pk, sides=sides("1=940: 5 6; 2=240: 7 8"), by=None, reason="typing")
    assert changes()[5] == 30, "at the cap"
    assert check_list(elo) == []


def test_without_margin_everybody_plays_everybody_by_place(elo: RatingList, tables: Tournament) -> None:
    set_rules(elo, [NewRule(date(1900, 1, 1), "elo", K20 | {"normaliser": "half"})], by=None)
    rebuild_list(elo)
    play(tables, "1: 1; 2: 2; 2: 3; 4: 4")
    play(tables, "1: 5 6; 2: 7", day=1, importance=2.0)
    assert changes() == {1: 15, 2: 0, 3: 0, 4: -15, 5: 20, 6: 20, 7: -20}
    assert check_list(RatingList.objects.get(pk=elo.pk)) == []
