"""Two players' page: who may open it, from which side it is seen, what each list says, and what it costs."""

from datetime import date

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from players.club.services import update_club
from players.models import Player
from ratings.lists.services import NewRule, set_rules
from ratings.models import RatingList
from ratings.systems import RatingSystem
from tests import factory
from tests.clubrating.site.lists.list_pages import found_list
from tests.test_registries import WAYS
from tests.visitor import Visitor
from tournaments.merging.services import merge_players
from tournaments.rated_games.services.people import change_player
from tournaments.rated_games.services.rebuilding import rebuild_list
from tournaments.standings.points import Result

pytestmark = pytest.mark.django_db


@pytest.fixture(scope="module")
def cast(world: None) -> list[Player]:
    """Four players, 1800, 1700, … before a cup in which White won every game."""
    players = found_list((1800, 40), (1700, 40), (1600, 40), (1500, 40))
    factory.play_all(factory.make_round_robin(players), Result.WHITE_WINS)
    return players


@pytest.fixture
def standard(cast: list[Player]) -> RatingList:
    return RatingList.objects.get(slug="standard")


def address(one: Player, other: Player) -> str:
    return f"/players/{one.slug}/vs/{other.slug}/"


def test_the_form_on_a_players_page_leads_there(cast: list[Player]) -> None:
    visitor = Visitor()
    visitor.open(cast[0].get_absolute_url())
    assert visitor.sees("Head to head", "Bo Brandt: ")
    visitor.send("Compare", **{"with": str(cast[1].number)})
    assert visitor.address == address(cast[0], cast[1])
    assert visitor.sees("Ada Alvarez – Bo Brandt", "From the side of Ada Alvarez", "Next game, by Standard")
    visitor.click("Seen from the other side")
    assert visitor.address == address(cast[1], cast[0])
    visitor.click("Ada Alvarez")
    assert visitor.address == cast[0].get_absolute_url()


def test_without_an_opponent_the_form_leads_back_and_nobody_meets_himself_or_nobody(
    client: Client, cast: list[Player]
) -> None:
    at = f"/players/{cast[0].slug}/vs/"
    assert client.get(at).headers["Location"] == cast[0].get_absolute_url()
    assert client.get(f"{at}?with=999").status_code == 404
    assert client.get(f"{at}?with=x").status_code == 404
    for other in ("1", "1-ada-alvarez", "999", "x", "-"):
        assert client.get(f"/players/1-ada-alvarez/vs/{other}/").status_code == 404, other


def test_both_orders_are_one_page_to_search_engines_and_what_one_won_the_other_lost(
    client: Client, cast: list[Player]
) -> None:
    canonical = f'<link rel="canonical" href="http://testserver{address(cast[0], cast[1])}">'
    totals = []
    for order in ((cast[0], cast[1]), (cast[1], cast[0])):
        page = client.get(address(*order))
        assert canonical in page.text
        assert page.context["mirrored"] == address(*order[::-1])
        totals.append(page.context["score"].total)
    one, other = totals
    assert (one.games, one.wins, one.losses) == (1, other.losses, other.wins)


def test_the_probabilities_keep_the_list_s_expected_score_and_a_result_changes_what_was_said(
    client: Client, cast: list[Player]
) -> None:
    """The page's forecast, then the game: the ledger has the same change."""
    (prospect,) = client.get(address(cast[0], cast[1])).context["prospects"]
    cup = factory.make_round_robin(cast[:2], name="Match", first_day=factory.today())
    (game,) = factory.play_round(cup, 1, [Result.DRAW])
    row = game.ledger.get()
    own = row.white_change if game.white_id == cast[0].pk else row.black_change
    assert own == pytest.approx(prospect.found.endings[1].own_change)
    (prospect,) = client.get(address(cast[0], cast[3])).context["prospects"]
    odds = prospect.found.odds
    assert odds.expected == pytest.approx(prospect.found.expected)
    assert sum(prospect.shares) == 100
    assert odds.win > odds.draw > odds.loss


def test_whom_the_viewer_may_not_open_has_no_page_here_either(client: Client, cast: list[Player]) -> None:
    change_player(cast[1].pk, {"visibility": "members"}, by=None)
    hidden = Player.objects.get(pk=cast[1].pk)
    assert client.get(address(cast[0], hidden)).status_code == 404
    assert client.get(address(hidden, cast[0])).status_code == 404
    assert client.get(f"/players/{cast[0].slug}/vs/?with={hidden.number}").status_code == 404
    page = client.get(cast[0].get_absolute_url()).text
    assert f'<option value="{hidden.number}"' not in page
    update_club({"pass_phrase": "open sesame"}, by=None)
    client.post("/members/", {"pass_phrase": "open sesame"})
    assert client.get(address(cast[0], hidden)).status_code == 200


def test_of_whoever_is_shown_by_initials_no_change_is_told(client: Client, cast: list[Player]) -> None:
    change_player(cast[1].pk, {"visibility": "initials"}, by=None)
    shy = Player.objects.get(pk=cast[1].pk)
    page = client.get(address(cast[0], shy))
    assert "Bo Brandt" not in page.text
    assert "B. B." in page.text
    assert "shown where both names are" in page.text
    assert "/why/" in page.text, "Ada’s own changes stay hers"
    other_side = client.get(address(shy, cast[0])).text
    assert "/why/" not in other_side
    assert "Bo Brandt" not in other_side
    assert [column.name for column in page.context["prospects"][0].table.columns] == ["player", "rating", "expected"]


def test_former_addresses_and_merged_records_lead_to_the_present_one(client: Client, cast: list[Player]) -> None:
    twin, kept = factory.make_players(2)
    merge_players(keep=kept.pk, gone=twin.pk, by=None, reason="duplicate")
    at = f"/players/{cast[0].slug}/vs/{twin.slug}/"
    assert client.get(at).headers["Location"] == address(cast[0], kept)
    assert client.get(f"/players/{kept.slug}/vs/{twin.slug}/").status_code == 404, "one and the same"
    for old in ("1/vs/2", "1-somebody/vs/2-bo-brandt", "1-ada-alvarez/vs/2-else"):
        assert client.get(f"/players/{old}/").headers["Location"] == address(cast[0], cast[1])
    change_player(cast[1].pk, {"visibility": "initials"}, by=None)
    assert client.get("/players/1-ada-alvarez/vs/2-bo-brandt/").status_code == 404


@pytest.mark.parametrize("shut", ["gone", "kept"])
def test_a_merged_record_leads_nowhere_where_either_of_the_two_may_not_be_opened(
    client: Client, cast: list[Player], shut: str
) -> None:
    gone, kept = factory.make_players(2)
    merge_players(keep=kept.pk, gone=gone.pk, by=None, reason="duplicate")
    Player.objects.filter(pk={"gone": gone, "kept": kept}[shut].pk).update(visibility="members")
    assert client.get(f"/players/{cast[0].slug}/vs/{gone.number}/").status_code == 404
    assert client.get(f"/players/{gone.number}/").status_code == 404


def test_two_who_never_met_are_told_so(client: Client, cast: list[Player]) -> None:
    (stranger,) = factory.make_players(1)
    page = client.get(address(cast[0], stranger)).text
    for said in ("They have not played each other yet.", "They have never met.", "No list rates both of them"):
        assert said in page


def is_twin(place: int) -> bool:
    """Another preset or another length of a period: other numbers, the same page."""
    system, raw = WAYS[place]
    return system in [other for other, _raw in WAYS[:place]] and raw.get("period") != "event"


@pytest.mark.extended
@pytest.mark.parametrize(
    ("system", "raw"),
    [
        pytest.param(*way, id="-".join([way[0].key, *way[1].values()]), marks=[pytest.mark.slow] * is_twin(place))
        for place, way in enumerate(WAYS)
    ],
)
def test_every_system_has_its_page(
    client: Client, cast: list[Player], standard: RatingList, system: RatingSystem, raw: dict[str, str]
) -> None:
    standard.starting_ratings.all().delete()
    set_rules(standard, [NewRule(date(1900, 1, 1), system.key, raw)], by=None)
    rebuild_list(standard)
    page = client.get(address(cast[0], cast[1]))
    assert page.status_code == 200
    for prospect in page.context["prospects"]:
        assert (prospect.found.expected is None) == ("knows no expected score" in page.text)


def test_the_page_costs_the_same_however_often_they_met(client: Client, cast: list[Player]) -> None:
    def cost() -> int:
        with CaptureQueriesContext(connection) as queries:
            client.get(address(cast[0], cast[1]))
        return len(queries)

    client.get("/")
    before = cost()
    for number in range(6):
        factory.play_all(factory.make_round_robin(cast[:2], name=f"Cup {number}"))
    assert cost() == before
    assert before <= 14
