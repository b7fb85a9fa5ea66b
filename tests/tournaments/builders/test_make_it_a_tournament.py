"""From a builder to an event: the arbiter takes the names over, in the order of their numbers."""

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from players.models import Player
from ratings.models import RatingList
from tests import factory
from tests.tournaments.entries.entry_cases import club_and_list
from tests.visitor import Visitor
from tournaments.builders.views.schedule import by_lot, rounds_of
from tournaments.entries.services.entries import enter_players
from tournaments.entries.services.files import enter_list, preview_entries, read_list
from tournaments.events.services.events import NewTournament, create_tournament
from tournaments.models import Entry, Tournament
from tournaments.rounds.services.rounds import pair_all_rounds

pytestmark = pytest.mark.django_db
NAMES = ["Dag Dahl", "Ada Alvarez", "Zoe Zander", "Bo Brandt", "Cleo Costa"]
TAKE_OVER = "/admin/tournaments/tournament/new/names/"
standard = club_and_list


@pytest.fixture
def visitor(arbiter: User) -> Visitor:
    factory.make_players(4)
    someone = Visitor()
    someone.client.force_login(arbiter)
    return someone


def take_over(visitor: Visitor, address: str) -> None:
    """From the tool's page to the event's form, filled in as far as the builder knows."""
    visitor.open(address)
    visitor.send("Make it a tournament")


def test_a_schedule_becomes_an_event_with_the_very_same_rounds(visitor: Visitor, arbiter: User) -> None:
    take_over(visitor, f"/tools/schedule/?names={'%0A'.join(NAMES)}&order=lots&seed=7&title=Winter Cup&cycles=2")
    visitor.sees("5 names are taken over in the order of the builder")
    form = next(form for form in visitor.page.forms if "play" in form.names)
    assert (form.values["name"], form.values["play"]) == (["Winter Cup"], ["twice"])
    visitor.send("Save")
    visitor.sees("“Winter Cup” is made", "Zoe Zander", "new: will be added", "Number them in the order of this list")
    visitor.send("Enter these players")
    event = Tournament.objects.get(name="Winter Cup")
    drawn = by_lot(NAMES, 7)
    assert [entry.player.name for entry in Entry.objects.order_by("number").select_related("player")] == drawn
    stage = factory.stage_of(event)
    pair_all_rounds(stage, by=arbiter, first_day=factory.MONDAY)
    for row, one in zip(stage.rounds.order_by("number"), rounds_of(drawn, {"cycles": 2}), strict=True):
        seats = [pairing.seats.order_by("-colour") for pairing in row.pairings.all()]
        boards = [tuple(seat.entry.player.name for seat in board) for board in seats if len(board) == 2]
        assert boards == [(line.record.white, line.record.black) for line in one.table.rows]


def test_by_taking_over_nothing_is_made_and_no_address_has_the_names(visitor: Visitor) -> None:
    take_over(visitor, f"/tools/schedule/?names={'%0A'.join(NAMES)}")
    assert not Tournament.objects.exists()
    assert Player.objects.count() == 4
    assert "Zander" not in visitor.address
    visitor.send("Save", name="Winter Cup")
    assert "Zander" not in visitor.address
    event = Tournament.objects.get()
    visitor.open(f"{reverse('admin:tournaments_tournament_entry_list', args=[event.pk])}?kept={'0' * 64}&order=list")
    visitor.sees("The uploaded file is no longer here: upload it again.")
    take_over(visitor, f"/tools/bracket/?names={'%0A'.join(NAMES[:4])}&title=Cup")
    form = next(form for form in visitor.page.forms if "play" in form.names)
    assert form.values["play"] == ["knockout"]


def test_nonsense_leads_to_the_choice_of_a_new_event(visitor: Visitor) -> None:
    for names in ("", "  \n ", "x" * 20_001):
        answer = visitor.client.post(TAKE_OVER, {"names": names})
        assert answer["Location"] == reverse("admin:tournaments_tournament_new")


def test_only_arbiters_are_offered_it_and_only_they_may_with_a_token(client: Client, arbiter: User) -> None:
    address = "/tools/schedule/?names=Ada%0ABo"
    assert "Make it a tournament" not in client.get(address).text
    client.force_login(factory.make_assistant())
    assert "Make it a tournament" not in client.get(address).text
    assert client.post(TAKE_OVER, {"names": "Ada\nBo"}).status_code == 403
    strict = Client(enforce_csrf_checks=True)
    strict.force_login(arbiter)
    assert "csrfmiddlewaretoken" in strict.get(address).text
    assert strict.post(TAKE_OVER, {"names": "Ada\nBo"}).status_code == 403


# --- numbers in the order of a list --------------------------------------------------------------------------------
def numbers(tournament: Tournament) -> dict[str, int | None]:
    return {row.player.name: row.number for row in Entry.objects.filter(tournament=tournament).select_related("player")}


def enter(tournament: Tournament, *names: str, in_order: bool) -> None:
    rows = read_list("\n".join(["name", *names]).encode())
    seal = preview_entries(tournament, rows, {}).seal
    enter_list(tournament, rows, {}, by=None, seal=seal, in_order=in_order)


def test_a_lists_order_gives_the_numbers_only_when_asked(standard: RatingList) -> None:
    factory.make_players(2)
    plain, ordered = (create_tournament(NewTournament(name), by=None) for name in ("Plain", "Ordered"))
    enter(plain, "Bo Brandt", "Zoe Zander", "Ada Alvarez", in_order=False)
    enter(ordered, "Bo Brandt", "Zoe Zander", "Ada Alvarez", in_order=True)
    assert set(numbers(plain).values()) == {None}
    assert numbers(ordered) == {"Bo Brandt": 1, "Zoe Zander": 2, "Ada Alvarez": 3}


def test_a_list_cannot_number_those_it_does_not_name(standard: RatingList) -> None:
    players = factory.make_players(3)
    event = create_tournament(NewTournament("Cup"), by=None)
    enter_players(event, players[:1], by=None)
    with pytest.raises(Exception, match="cannot number everybody"):
        enter(event, "Bo Brandt", "Cleo Costa", in_order=True)
    assert numbers(event) == {"Ada Alvarez": None}, "all or nothing"
