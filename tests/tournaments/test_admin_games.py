"""Games without a round: found by name and corrected at the desk, with the ratings behind them."""

import pytest
from django.test import Client
from django.urls import reverse

from players.models import AuditEvent
from ratings.models import LedgerEntry, PlayerRating, RatingList
from tests import factory
from tests.tournaments.admin_pages import carried_out, fields_of
from tournaments.interchange.games_csv import read_games
from tournaments.models import Game
from tournaments.services.rating import check_list
from tournaments.services.streams import load_games

pytestmark = pytest.mark.django_db
EVENING = b"date,white,black,result\n2026-01-05,Ada Alvarez,Bo Brandt,1\n2026-01-05,Cleo Costa,Ada Alvarez,1\n"


@pytest.fixture
def evening(standard: RatingList) -> list[Game]:
    rows = read_games(EVENING, today=factory.MONDAY).rows
    load_games(rows, by=None, event_name="Mondays", today=factory.MONDAY)
    return list(Game.objects.order_by("sequence"))


def page(game: Game) -> str:
    return reverse("admin:tournaments_game_change", args=[game.pk])


def test_a_loaded_game_is_found_by_its_players_and_corrected(
    desk: Client, evening: list[Game], standard: RatingList
) -> None:
    found = desk.get(reverse("admin:tournaments_game_changelist"), {"q": "ada brandt"}).content.decode()
    assert page(evening[0]) in found
    assert page(evening[1]) not in found
    form = fields_of(desk.get(page(evening[0])).content.decode())
    answer = desk.post(page(evening[0]), form | {"result": "0-1"})
    assert carried_out(desk, answer, note="sheet found").status_code == 302
    event = AuditEvent.objects.get(action="result.corrected")
    assert (event.before["result"], event.after["result"], event.reason) == ("1-0", "0-1", "appeal")
    assert LedgerEntry.objects.order_by("id")[0].score == 0
    assert check_list(standard) == []


def test_a_loaded_game_can_be_cleared_and_entered_again(
    desk: Client, evening: list[Game], standard: RatingList
) -> None:
    form = fields_of(desk.get(page(evening[1])).content.decode())
    carried_out(desk, desk.post(page(evening[1]), form | {"result": ""}))
    assert PlayerRating.objects.count() == 2
    form = fields_of(desk.get(page(evening[1])).content.decode())
    desk.post(page(evening[1]), form | {"result": "1/2"})
    assert Game.objects.get(pk=evening[1].pk).result == "1/2"
    assert check_list(standard) == []


def test_a_stale_game_form_changes_nothing(desk: Client, evening: list[Game]) -> None:
    form = fields_of(desk.get(page(evening[0])).content.decode())
    carried_out(desk, desk.post(page(evening[0]), form | {"result": "1/2"}))
    answer = desk.post(page(evening[0]), form | {"result": "0-1"}, follow=True)
    assert "Somebody else entered ½–½ here meanwhile" in answer.content.decode()
    assert Game.objects.get(pk=evening[0].pk).result == "1/2"


def test_games_are_neither_added_nor_deleted_here(desk: Client, evening: list[Game]) -> None:
    assert desk.get(reverse("admin:tournaments_game_add")).status_code == 403
    assert desk.post(reverse("admin:tournaments_game_delete", args=[evening[0].pk])).status_code == 403


@pytest.mark.parametrize("missing", [("result",), ("played_on",), ("result", "played_on")])
def test_a_form_without_its_fields_changes_nothing(desk: Client, evening: list[Game], missing: tuple[str, ...]) -> None:
    form = fields_of(desk.get(page(evening[0])).content.decode())
    answer = desk.post(page(evening[0]), {name: value for name, value in form.items() if name not in missing})
    assert answer.status_code in (200, 302)
    assert Game.objects.get(pk=evening[0].pk).result == evening[0].result
