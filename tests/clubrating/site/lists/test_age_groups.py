"""The leaderboard by age groups: for members and officers, of those whose names they see."""

from itertools import pairwise

import pytest
from django.test import Client

from clubrating.site.lists.views.filters import AGE_GROUPS
from players.models import Player
from players.people.services import NewPlayer, create_players
from ratings.lists.services import NewStart
from tests import factory
from tests.clubrating.site.lists.list_pages import PAGE, as_member, numbers
from tournaments.rated_games.services.people import bring_starting_ratings, change_player

pytestmark = pytest.mark.django_db
THIS_YEAR = factory.today().year
SOME = "Only those whose names you see stand in an age group."


@pytest.fixture(scope="module")
def ages(world: None) -> dict[str, Player]:
    """One of every age, all with sixty games; the child and the teenager by initials, as minors are."""
    factory.make_club()
    standard = factory.make_list()
    born = {"child": 9, "teen": 15, "adult": 30, "elder": 57, "oldest": 70, "hidden": 16, "unknown": None}
    people = create_players(
        [
            NewPlayer(
                f"Pat {name.title()}",
                birth_year=None if age is None else THIS_YEAR - age,
                visibility="hidden" if name == "hidden" else "",
            )
            for name, age in born.items()
        ],
        by=None,
    )
    starts = [NewStart(player.pk, factory.MONDAY, 1500, 60) for player in people]
    bring_starting_ratings(standard, starts, by=None)
    return dict(zip(born, people, strict=True))


def test_the_public_is_shown_no_age_group(client: Client, ages: dict[str, Player]) -> None:
    everybody = numbers(client)
    for group in AGE_GROUPS:
        page = client.get(f"{PAGE}?age={group.key}")
        assert numbers(client, f"?age={group.key}") == everybody
        assert "Age groups tell ages" in page.text
        assert SOME not in page.text
    assert "?age=" not in client.get(PAGE).text
    assert "Age groups tell ages" not in client.get(PAGE).text, "nobody asked for one"


def test_members_see_age_groups_of_those_whose_names_they_see(client: Client, ages: dict[str, Player]) -> None:
    as_member(client)
    names = {player.number: name for name, player in ages.items()}
    found = {group.key: {names[number] for number in numbers(client, f"?age={group.key}")} for group in AGE_GROUPS}
    assert found["u8"] == set()
    assert found["u10"] == found["u14"] == {"child"}
    assert found["u16"] == found["u20"] == {"child", "teen"}
    assert (found["50"], found["65"]) == ({"elder", "oldest"}, {"oldest"})
    assert 'href="?age=u10"' in client.get(PAGE).text
    assert SOME not in client.get(PAGE).text
    asked = client.get(f"{PAGE}?age=u10").text
    assert SOME in asked
    assert "Age groups tell ages" not in asked


@pytest.mark.extended
def test_officers_see_everybody_with_a_year_of_birth_the_younger_groups_within_the_older(
    client: Client, ages: dict[str, Player]
) -> None:
    client.force_login(factory.make_arbiter())
    assert ages["hidden"].number in numbers(client, "?age=u16")
    assert ages["unknown"].number not in {n for group in AGE_GROUPS for n in numbers(client, f"?age={group.key}")}
    juniors = [set(numbers(client, f"?age={group.key}")) for group in AGE_GROUPS if group.under]
    assert all(younger <= older for younger, older in pairwise(juniors))


def test_an_age_group_is_no_age_but_a_year(ages: dict[str, Player]) -> None:
    """U18: nobody who turned 18 before this year; whoever turns 18 this year is in it, as is in 50+ who turns 50."""
    groups = {group.key: group for group in AGE_GROUPS}
    for key, age, is_in in (("u18", 18, True), ("u18", 19, False), ("50", 50, True), ("50", 49, False)):
        change_player(ages["adult"].pk, {"birth_year": THIS_YEAR - age}, by=None)
        found = Player.objects.filter(groups[key].born(factory.today(), ""), pk=ages["adult"].pk)
        assert found.exists() is is_in, (key, age)
