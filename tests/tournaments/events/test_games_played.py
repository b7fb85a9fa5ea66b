"""What an event plays: said on its form, and on every page with boards whose sides are not chess's White and Black."""

import pytest
from django.test import Client
from django.urls import reverse

from players.refusals import Refused
from ratings.models import RatingList
from tests import factory
from tests.tournaments.admin_pages import fields_of, url
from tests.tournaments.event_pages.page_cases import make_event
from tournaments.events.services.events import NewTournament, create_tournament, update_tournament
from tournaments.models import BoardGame, Tournament
from tournaments.rounds.services.next_round import pair_next_round
from tournaments.standings.points import Result
from tournaments.templatetags.events import sides

pytestmark = pytest.mark.django_db
SENTENCES = {
    "chess": "",
    "xiangqi": "Red begins and stands where these pages say White.",
    "go": "Black begins and stands on the right.",
    "draughts": "",
    "other": "",
}
SHEETS_WITH_SIDES = ("pairings", "names", "slips", "board-cards", "calendar", "player-cards", "blank-results")
SHEETS_WITH_SIDES += ("crosstable", "crosstable-number")
SHEETS_OF_A_SWISS = ("crosstable", "blank-pairings", "blank-crosstable")


def test_where_white_begins_nothing_is_said() -> None:
    assert {game: sides(game) for game in BoardGame.values} == SENTENCES


def test_every_page_with_sides_says_who_begins(client: Client, desk: Client) -> None:
    cup = factory.make_round_robin(factory.make_players(4))
    event = f"/tournaments/{cup.slug}/"
    of_round = (f"{event}rounds/1/", f"{event}rounds/1/?order=name", event)
    for address in of_round:
        page = client.get(address).text
        assert not [words for words in SENTENCES.values() if words and words in page], "chess needs no words"
        assert "· go" not in page
    update_tournament(cup.pk, {"game": "go"}, by=None)
    printed = (f"{event}print/?sheets={sheet}" for sheet in SHEETS_WITH_SIDES)
    screen = f"{event}tv/?show=pairings"
    pages = [client.get(address).text for address in (*of_round, *printed, screen)]
    factory.play_round(cup, 1, [Result.DRAW, Result.DRAW])
    pages += [client.get(f"{event}{page}/").text for page in ("crosstable", "statistics")]
    pages.append(desk.get(url("results", factory.round_of(cup, 1).pk)).text)
    for system, page in (("dutch", "next_round"), ("by-hand", "by_hand")):
        other = make_event(factory.first_players(4), system, name=system)
        update_tournament(other.pk, {"game": "go"}, by=None)
        pages.append(desk.get(url(page, factory.stage_of(other).pk)).text)
        if system == "dutch":
            pair_next_round(factory.stage_of(other), by=None, day=factory.MONDAY, publish=True)
            addresses = ("crosstable/", *(f"print/?sheets={sheet}" for sheet in SHEETS_OF_A_SWISS))
            pages += [client.get(f"/tournaments/{other.slug}/{address}").text for address in addresses]
    for page in pages:
        assert [words for words in SENTENCES.values() if words and words in page] == [SENTENCES["go"]]
    assert all("· go" in page for page in (pages[2], pages[0])), "beside place and days"


def test_a_new_event_plays_what_the_last_one_did_and_the_form_changes_it(desk: Client, standard: RatingList) -> None:
    new = reverse("admin:tournaments_tournament_add")
    create_tournament(NewTournament("Spring", game=BoardGame.GO), by=None)
    page = desk.get(new).text
    assert '<option value="go" selected>go</option>' in page
    form = fields_of(page) | {"name": "Autumn", "play": "dutch", "pool": "standard"}
    desk.post(new, form | {"game": "xiangqi"})
    event = Tournament.objects.get(name="Autumn")
    assert event.game == "xiangqi"
    form = fields_of(desk.get(url("change", event.pk)).text) | {"play": "dutch", "pool": "standard"}
    for said, game in (({}, "xiangqi"), ({"game": "go"}, "go"), ({"game": "ludo"}, "go")):
        desk.post(url("change", event.pk), form | said)
        event.refresh_from_db()
        assert event.game == game, said
        form |= {"revision": str(event.revision)}
    assert "game: xiangqi → go" in desk.get(url("trail", event.pk)).text
    with pytest.raises(Refused, match="no such game"):
        update_tournament(event.pk, {"game": "ludo"}, by=None)
