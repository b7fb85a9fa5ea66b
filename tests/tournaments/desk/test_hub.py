"""An event's page in the administration: what comes next as one button, its parts as tabs, its settings behind them."""

import re

import pytest
from django.contrib.contenttypes.models import ContentType
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from players.models import Player
from ratings.models import RatingList
from tests import factory
from tests.tournaments.admin_pages import fields_of, shown, url
from tests.tournaments.rounds.round_cases import play
from tests.tournaments.swiss_events import DRAW, make_swiss
from tests.tournaments.teams.team_cases import make_team_event
from tests.visitor import Visitor
from tournaments.events.admin.workflow import next_of, steps_of
from tournaments.events.services.closing import close_event, reopen_event
from tournaments.events.services.events import open_event
from tournaments.models import Entry, Stage, Tournament
from tournaments.rounds.services.next_round import pair_next_round
from tournaments.rounds.services.rounds import publish_round
from tournaments.teams.admin.steps import team_steps

pytestmark = pytest.mark.django_db


@pytest.fixture(scope="module", autouse=True)
def swiss(standard: RatingList) -> Stage:
    return make_swiss(factory.make_players(8), rounds=2)


def next_words(event: Tournament) -> str:
    """The words of what comes next; empty where nothing does."""
    step = next_of(steps_of(event))
    return step.link if step else ""


def next_step(desk: Client, event: Tournament) -> str:
    """The words of the one button on top; empty without one."""
    found = re.findall(
        r'<p class="next-step"><a class="button" href="[^"]+">([^<]+)</a>', shown(desk, "change", event.pk)
    )
    assert len(found) <= 1
    return found[0] if found else ""


def tabs(html: str) -> dict[str, str]:
    """The tabs' words and addresses, the present one marked by a star."""
    nav = html[html.index('class="event-tabs"') :].partition("</nav>")[0]
    links = re.findall(r'<a href="([^"]+)"([^>]*)>([^<]+)</a>', nav)
    return {f"{words}{'*' if 'aria-current' in rest else ''}": href for href, rest, words in links}


@pytest.mark.extended
def test_the_button_on_top_says_what_comes_next(desk: Client, swiss: Stage) -> None:
    event = swiss.tournament
    empty = Tournament.objects.create(name="Empty", slug="empty", pool="standard")
    Stage.objects.create(tournament=empty, order=1, pairing_system="dutch", settings={"rounds": 2})
    assert next_words(empty) == "Enter players"
    Entry.objects.filter(tournament=event, number=3).update(number=None)
    assert next_words(event) == "Sort by rating"
    Entry.objects.filter(tournament=event, number=None).update(number=3)
    for number, words in ((1, "Make the first round"), (2, "Make the next round")):
        assert next_words(event) == words
        row = pair_next_round(swiss, by=None)
        assert next_words(event) == f"Publish round {number}"
        publish_round(row.pk, by=None)
        assert next_words(event) == f"Enter results of round {number}"
        play(row, *[DRAW] * 4)
    assert next_step(desk, event) == next_words(event) == "Close the event"
    close_event(event, by=None)
    event.refresh_from_db()
    assert next_step(desk, event) == next_words(event) == "", "nothing comes after the end"
    reopen_event(event, by=None)
    evenings = open_event("Thursdays", pool="standard", by=None).tournament
    assert next_words(evenings) == "Enter tonight’s games"
    assert next_words(factory.make_knockout(factory.first_players(4))) == "Enter results of round 1"


def test_two_are_enough_to_go_on(swiss: Stage) -> None:
    people = Player.objects.order_by("number")
    for count, words in (
        (1, ["Enter players", "Enter players", "Enter teams and players"]),
        (2, ["Make the first round", "Enter tonight’s games", "Make the matches"]),
    ):
        events = [
            make_swiss(people[:count], rounds=2, name=f"Of {count}").tournament,
            factory.make_ladder(people[:count], name=f"Ladder of {count}").tournament,
        ]
        steps = [next_of(steps_of(event)) for event in events]
        steps.append(next_of(team_steps(make_team_event(count, size=1, fixtures=False))))
        assert [step.link for step in steps if step] == words


def test_a_new_event_lands_on_its_overview(desk: Client) -> None:
    address = f"{reverse('admin:tournaments_tournament_add')}?template=rapid-evening"
    form = desk.get(address).text
    assert re.findall(r'<input type="submit"[^>]*name="([^"]+)"', form) == ["_save"]
    typed = {
        "name": "Evening",
        "play": "dutch",
        "pool": "standard",
        "rated": "on",
        "second_reading": "",
        "_addanother": "1",
    }
    answer = desk.post(address, {**fields_of(form), **typed})
    event = Tournament.objects.get(name="Evening")
    assert answer["Location"] == url("change", event.pk)
    page = shown(desk, "change", event.pk)
    assert "now enter the players" in page
    assert 'id="settings" open' not in page
    assert next_step(desk, event) == "Enter players"
    assert event.stages.get().settings["games"] == 2


def test_the_tabs_stand_on_every_page_of_the_event(desk: Client, swiss: Stage) -> None:
    row = pair_next_round(swiss, by=None, publish=True)
    play(row, *[DRAW] * 4)
    hub = tabs(shown(desk, "change", swiss.tournament_id))
    words = ["Rounds", "Entries", "Standings", "Prizes", "Files", "Audit trail", "Settings"]
    assert list(hub) == ["Overview*", *words]
    for name in words:
        html = desk.get(hub[name]).content.decode()
        assert f"{name}*" in tabs(html), name
        assert sum("*" in each for each in tabs(html)) == 1, name
    entry = Entry.objects.filter(tournament=swiss.tournament_id)[0]
    for page, key, tab in (("results", row.pk, "Rounds*"), ("entry", entry.pk, "Entries*")):
        assert tab in tabs(shown(desk, page, key))
    assert "Ada Alvarez" in shown(desk, "standings", swiss.tournament_id)
    assert "TRF26" in shown(desk, "files", swiss.tournament_id)
    evenings = open_event("Thursdays", pool="standard", by=None).tournament
    open_tabs = tabs(shown(desk, "change", evenings.pk))
    assert list(open_tabs) == ["Overview*", "Games", "Boards", "Tables", "Files", "Audit trail", "Settings"]
    assert all(desk.get(address).status_code == 200 for address in open_tabs.values())
    bare = factory.make_round_robin(factory.first_players(4), name="Bare")
    assert desk.get(tabs(shown(desk, "change", bare.pk))["Standings"]).status_code == 200


@pytest.mark.extended
def test_the_settings_stand_behind_their_tab(desk: Client, swiss: Stage) -> None:
    address = url("change", swiss.tournament_id)
    html = shown(desk, "change", swiss.tournament_id)
    assert "<h1>Open</h1>" in html
    assert "Change tournament" not in html
    assert "Save and add another" not in html
    assert '<details class="event-settings" id="settings">' in html
    html = desk.get(tabs(html)["Settings"]).content.decode()
    assert '<details class="event-settings" id="settings" open>' in html
    form = fields_of(html) | {"pool": "standard", "play": "dutch"}
    wrong = desk.post(address, form | {"name": ""}).content.decode()
    assert '<details class="event-settings" id="settings" open>' in wrong, "what is wrong is in sight"
    answer = desk.post(address, form | {"place": "Town hall"})
    assert answer["Location"] == address
    assert "was changed successfully" in desk.get(address).content.decode()
    assert Tournament.objects.get(pk=swiss.tournament_id).place == "Town hall"


def test_the_tabs_are_for_those_who_run_the_event(client: Client, swiss: Stage) -> None:
    row = pair_next_round(swiss, by=None, publish=True)
    client.force_login(factory.make_assistant())
    assert "event-tabs" not in client.get(url("results", row.pk)).content.decode()
    for name in ("standings", "files"):
        assert client.get(url(name, swiss.tournament_id)).status_code == 403
    swiss.tournament.officers.add(factory.make_arbiter("somebody-else"))
    visitor = Visitor()
    visitor.client.force_login(factory.make_arbiter("third"))
    visitor.open(reverse("admin:tournaments_tournament_change", args=[swiss.tournament_id]))
    assert "Enter results of round 1" not in visitor.page.words, "of others it is looked at only"
    assert visitor.client.get(url("standings", swiss.tournament_id)).status_code == 403


@pytest.mark.extended
def test_the_page_costs_the_same_for_many_players(desk: Client) -> None:
    costs = []
    for count in (4, 8):
        event = factory.make_round_robin(factory.first_players(count), name=f"Cup {count}")
        ContentType.objects.clear_cache()  # what other tests left in it would count
        with CaptureQueriesContext(connection) as seen:
            shown(desk, "change", event.pk)
        costs.append(len(seen))
    assert costs[0] == costs[1], costs
