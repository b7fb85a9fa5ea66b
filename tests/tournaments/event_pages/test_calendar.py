"""The calendar of an event as a page, and the rounds as a calendar of one's own."""

from collections.abc import Callable
from datetime import date, time, timedelta
from typing import Any

import pytest
from django.test import Client

from players.models import Player, Visibility
from players.people.services import NewPlayer, create_players
from tests import factory
from tests.clubrating.site.lists.list_pages import as_member
from tests.tournaments.corrections.correction_cases import EVENT, stream
from tests.tournaments.event_pages.page_cases import text_of
from tests.tournaments.events.open_events import small_swiss
from tournaments.events.services.events import NewTournament, create_tournament
from tournaments.loading.services.streams import load_games
from tournaments.models import Game, Round, Stage, Tournament
from tournaments.standings.points import Result

pytestmark = pytest.mark.django_db


@pytest.fixture(scope="module", autouse=True)
def cup(world: None) -> Tournament:
    """Five players, so one has a bye in every round."""
    factory.make_club()
    factory.make_list()
    return factory.make_round_robin(factory.make_players(5))


def events(client: Client, address: str) -> list[dict[str, str]]:
    """The entries of a calendar, as a reader unfolds them."""
    response = client.get(address)
    assert (response.status_code, response.headers["Content-Type"]) == (200, "text/calendar; charset=utf-8")
    lines = response.content.decode().replace("\r\n ", "").split("\r\n")
    found: list[dict[str, str]] = []
    for line in lines:
        if line == "BEGIN:VEVENT":
            found.append({})
        elif found and ":" in line:
            name, _, value = line.partition(":")
            found[-1][name] = value
    return found


# --- the page -----------------------------------------------------------------------------------------------------
def test_every_round_stands_with_its_day_its_boards_and_its_results(client: Client, cup: Tournament) -> None:
    factory.play_round(cup, 1, [Result.WHITE_WINS, Result.DRAW])
    page = text_of(client, f"/tournaments/{cup.slug}/calendar/")
    assert page.count("<h3") == 5
    assert "Mon 5 Jan 2026" in page
    assert "Mon 2 Feb 2026" in page
    assert page.count('class="result"') == 10
    assert page.count("</bdi> – bye: a free round, no points</p>") == 5
    assert page.index("Bo Brandt") < page.index("Eva Engel")
    Round.objects.filter(number=2).update(planned_at=time(19, 30))
    Game.objects.exclude(result="").update(played_on=date(2026, 1, 9))
    page = text_of(client, f"/tournaments/{cup.slug}/calendar/")
    assert "12 Jan 2026</time>, 19:30" in page, "the hour stands beside the day"
    assert "Mon 5 Jan 2026" in page, "a round played on another day stays on the day it was planned for"


def test_a_knockout_shows_who_meets_and_who_is_to_come(client: Client) -> None:
    cup = factory.make_knockout([*factory.first_players(5), *factory.make_players(1)])
    factory.play_match(factory.match_of(cup, 1, 2), Result.WHITE_WINS)
    page = text_of(client, f"/tournaments/{cup.slug}/calendar/")
    assert page.count("to come") >= 1
    assert page.count(">bye<") == 2
    assert "1 : 0" in page


def test_who_asked_for_a_bye_or_was_away_does_not_have_the_bye(client: Client) -> None:
    small_swiss()
    page = text_of(client, "/tournaments/open/calendar/")
    assert "<bdi>Cleo Costa</bdi> – half-point bye" in page
    assert "<bdi>Bo Brandt</bdi> – zero-point bye" in page
    assert "<bdi>Eva Engel</bdi> – bye</p>" in page


def test_drafts_are_for_officers_and_tentative(client: Client, cup: Tournament) -> None:
    Round.objects.filter(number__gt=3).update(state=Round.State.DRAFT)
    address, own = f"/tournaments/{cup.slug}/calendar/", f"/tournaments/{cup.slug}/calendar.ics"
    for become in (None, as_member):
        if become is not None:
            become(client)
        assert text_of(client, address).count("<h3") == len(events(client, own)) == 3
    client.force_login(factory.make_arbiter())
    page = text_of(client, address)
    assert (page.count("<h3"), page.count("draft, only officers see it")) == (5, 2)
    assert [entry["STATUS"] for entry in events(client, own)] == ["CONFIRMED"] * 3 + ["TENTATIVE"] * 2


def test_the_calendar_names_nobody_who_is_not_public(client: Client) -> None:
    (hidden,) = create_players([NewPlayer("Zacharias Quillfeather")], by=None)
    cup = factory.make_round_robin([hidden, *factory.first_players(2)], name="Small Cup")
    address = f"/tournaments/{cup.slug}/calendar/"
    assert "Quillfeather" in text_of(client, address)
    for visibility in (Visibility.INITIALS, Visibility.MEMBERS, Visibility.HIDDEN):
        Player.objects.filter(pk=hidden.pk).update(visibility=visibility)
        assert "Quillfeather" not in text_of(client, address), visibility


def test_the_calendar_is_a_part_of_the_event_once_there_are_rounds(client: Client, cup: Tournament) -> None:
    assert f"/tournaments/{cup.slug}/calendar/" in text_of(client, cup.get_absolute_url())
    later = create_tournament(NewTournament("Next Cup"), by=None)
    assert "/calendar/" not in text_of(client, later.get_absolute_url())
    assert "There is no calendar yet" in text_of(client, f"/tournaments/{later.slug}/calendar/")
    load_games(stream("2026-01-05,Ada Alvarez,Bo Brandt,1"), by=None, event_name=EVENT, today=factory.MONDAY)
    for slug in (Tournament.objects.get(open_ended=True).slug, "nowhere"):
        assert client.get(f"/tournaments/{slug}/calendar.ics").status_code == 404
        assert client.get(f"/tournaments/{slug}/calendar/").status_code == 404


def test_pages_and_calendars_ask_as_much_for_many_rounds_as_for_few(
    client: Client, django_assert_max_num_queries: Callable[..., Any]
) -> None:
    factory.make_players(7)
    for count in (3, 12):
        cup = factory.make_round_robin(factory.first_players(count), name=f"Cup of {count}", first_day=factory.today())
        own = f"/tournaments/{cup.slug}/calendar"
        for address, most in ((f"{own}/", 7), (f"{own}.ics", 3), ("/tournaments/calendar.ics", 3)):
            with django_assert_max_num_queries(most):
                client.get(address)


# --- a calendar of one's own --------------------------------------------------------------------------------------
def test_every_round_is_an_entry_and_the_same_when_it_is_moved(client: Client, cup: Tournament) -> None:
    factory.make_round_robin(factory.first_players(3), name="Other Cup")
    found = events(client, f"/tournaments/{cup.slug}/calendar.ics")
    assert len(found) == 5, "those of this event alone"
    assert found[0]["DTSTART;VALUE=DATE"] == "20260105"
    assert found[0]["SUMMARY"] == "Winter Cup\\, round 1"
    assert found[0]["URL"] == f"http://testserver/tournaments/{cup.slug}/rounds/1/"
    Round.objects.filter(number=1).update(planned_at=time(19, 30))
    Round.objects.filter(number=5).update(planned_on=None)
    found = events(client, f"/tournaments/{cup.slug}/calendar.ics")
    assert found[0]["DTSTART"] == "20260105T183000Z", "an hour is the club's, and written in UTC"
    assert len(found) == 4, "a round without a day is in no calendar"
    address = f"/tournaments/{cup.slug}/calendar.ics"
    before = events(client, address)[1]
    Round.objects.filter(number=2).update(planned_on=date(2026, 3, 1), revision=1)
    after = next(entry for entry in events(client, address) if entry["UID"] == before["UID"])
    assert after["UID"] == "winter-cup.1.2@club-rating"
    assert after["DTSTART;VALUE=DATE"] == "20260301"
    assert int(after["SEQUENCE"]) > int(before["SEQUENCE"])


def test_rounds_side_by_side_are_told_apart(client: Client, cup: Tournament) -> None:
    second = Stage.objects.create(tournament=cup, order=2, name="Group B", pairing_system="round-robin")
    Round.objects.create(stage=second, number=1, planned_on=factory.MONDAY, state=Round.State.PUBLISHED)
    Round.objects.filter(stage__order=1, number=1).update(planned_at=time(18))
    found = events(client, f"/tournaments/{cup.slug}/calendar.ics")
    assert len({entry["UID"] for entry in found}) == 6
    assert found[0]["SUMMARY"] == "Winter Cup\\, Group B\\, round 1", "before those of the day that have an hour"


def test_the_clubs_calendar_holds_what_is_still_to_come(client: Client) -> None:
    today = factory.today()
    players = factory.first_players(4)
    factory.make_round_robin(players, name="Spring Cup", first_day=today - timedelta(days=7))
    factory.make_round_robin(players, name="Other Cup", first_day=today + timedelta(days=1))
    found = events(client, "/tournaments/calendar.ics")
    names = [entry["SUMMARY"].replace(" Cup\\, round", "") for entry in found]
    assert names == ["Spring 2", "Other 1", "Spring 3", "Other 2", "Other 3"]
