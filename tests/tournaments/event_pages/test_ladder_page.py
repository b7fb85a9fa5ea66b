"""Events without rounds: the places of a ladder, everybody's games of a season, games by day."""

from collections.abc import Callable
from datetime import date
from itertools import pairwise

import pytest
from django.test import Client

from players.models import Player, Visibility
from players.people.services import NewPlayer, create_players
from players.privacy.rules import MEMBER, NOBODY
from ratings.models import LedgerEntry, RatingList
from tests import factory
from tests.factory import make_players
from tests.tournaments.entries.entry_cases import club_and_list
from tests.tournaments.event_pages.page_cases import BLACK, DRAW, WHITE, first_stage, make_event, text_of
from tournaments.event_pages.selectors.formats import ladder_places, season_table, seasons_of
from tournaments.events.services.events import open_event
from tournaments.free_play.services import record_free_game
from tournaments.models import Entry, Game, Tournament
from tournaments.results.services.results import correct_result
from tournaments.standings.points import Result

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("standard")]
standard = club_and_list
CountQueries = Callable[..., object]
LAST_YEAR, SPRING, SUMMER = date(2025, 11, 3), date(2026, 3, 2), date(2026, 6, 1)


def evenings(players: list[Player]) -> Tournament:
    """A free-play series: a win last year, then a win and a draw."""
    event = make_event([], "free", name="Evenings")
    one, two, three = players[:3]
    record_free_game(event, one, two, WHITE, LAST_YEAR, by=None)
    record_free_game(event, one, two, BLACK, SPRING, by=None)
    record_free_game(event, two, three, DRAW, SUMMER, by=None)
    return event


def ladder(players: list[Player]) -> Tournament:
    return make_event(players, "ladder", name="Ladder")


# --- free play ----------------------------------------------------------------------------------------------------
def test_a_season_has_everybodys_games_points_and_results_and_all_years_are_one_table() -> None:
    one, two, three = make_players(3)
    event = evenings([one, two, three])
    assert seasons_of(event) == [2026, 2025], "a season is a year with games"
    rows = {row.player.pk: row for row in season_table(event, 2026, NOBODY)}
    assert (rows[two.pk].games, rows[two.pk].points) == (2, 3)
    assert (rows[two.pk].wins, rows[two.pk].draws, rows[two.pk].losses) == (1, 1, 0)
    assert (rows[one.pk].games, rows[one.pk].losses, rows[three.pk].points) == (1, 1, 1)
    table = season_table(event, None, NOBODY)
    assert [(row.player.pk, row.games) for row in table] == [(two.pk, 3), (one.pk, 2), (three.pk, 1)]
    assert sum(row.points for row in table) == sum(row.games for row in table) == 2 * 3
    ledger = LedgerEntry.objects.filter(game__tournament=event)
    found = sum(row.white_change or 0 for row in ledger.filter(game__white=two))
    found += sum(row.black_change or 0 for row in ledger.filter(game__black=two))
    assert table[0].change == pytest.approx(found)
    entry = ledger[0]
    entry.pk, entry.generation = None, entry.generation + 1
    entry.save()
    assert season_table(event, None, NOBODY) == table, "a list being built moves nobody yet"
    assert seasons_of(make_event([], "free", name="New")) == []


@pytest.mark.extended
def test_another_event_another_list_another_season_and_an_adjourned_game_bring_nothing() -> None:
    factory.make_list("second", primary=False)
    one, two, three = people = make_players(3)
    other = make_event([], "free", name="Other Evenings")
    for day in (date(2024, 5, 6), date(2025, 11, 2)):
        record_free_game(other, one, two, WHITE, day, by=None)
    event = evenings(people)
    adjourned = record_free_game(event, one, two, DRAW, SUMMER, by=None)
    correct_result(game=adjourned.pk, result=Result.ADJOURNED, by=None)
    cleared = record_free_game(event, one, two, DRAW, SUMMER, by=None)
    correct_result(game=cleared.pk, result=Result.OPEN, by=None)
    Game.objects.filter(pk=cleared.pk).update(played_on=date(2023, 5, 6))
    assert seasons_of(event) == [2026, 2025]
    first = LedgerEntry.objects.get(rating_list__slug="standard", game__tournament=event, game__played_on=LAST_YEAR)
    rows = {row.player.pk: (row.games, row.change) for row in season_table(event, 2025, NOBODY)}
    assert rows == {one.pk: (1, first.white_change), two.pk: (1, first.black_change)}
    assert {row.player: row.games for row in season_table(event, None, NOBODY)} == {two: 3, one: 2, three: 1}
    RatingList.objects.filter(slug="standard").update(public=False)
    assert {row.change for row in season_table(event, 2025, NOBODY)} == {None}


def test_a_change_is_shown_where_the_name_is() -> None:
    hidden = create_players([NewPlayer("Kid Kline", visibility=Visibility.INITIALS)], by=None)
    event = evenings([*hidden, *make_players(2)])
    for viewer, seen in ((NOBODY, False), (MEMBER, True)):
        rows = {row.player.pk: row for row in season_table(event, None, viewer)}
        assert (rows[hidden[0].pk].change is not None) == seen


def test_the_page_opens_with_the_latest_season_and_another_can_be_asked_for(client: Client) -> None:
    evenings(make_players(3))
    page = text_of(client, "/tournaments/evenings/")
    assert '<a class="chip" href="?season=2026" aria-current="true">2026</a>' in page
    assert "Free play" in page
    assert "1 won, 1 drawn, 0 lost" in page
    assert "3 games so far" in page
    for asked, shown in {"2025": "2025", "all": "all years", "1999": "2026", "x'": "2026"}.items():
        assert f"<small>{shown}</small>" in text_of(client, f"/tournaments/evenings/?season={asked}")
    assert ">Change<" in page
    Tournament.objects.filter(slug="evenings").update(rated=False)
    assert ">Change<" not in text_of(client, "/tournaments/evenings/")


def test_one_season_needs_no_choice_and_a_loaded_stream_shows_its_games_only(client: Client) -> None:
    event = make_event([], "free", name="Evenings")
    assert "No games yet." in text_of(client, "/tournaments/evenings/")
    one, two = make_players(2)
    record_free_game(event, one, two, Result.BLACK_FORFEITS, SPRING, by=None)
    assert season_table(event, None, NOBODY)[0].wins == 1, "a game won without play counts as won"
    assert "?season=" not in text_of(client, "/tournaments/evenings/")
    stage = open_event("Stream", pool="standard", by=None)
    page = text_of(client, stage.tournament.get_absolute_url())
    assert "Open-ended event" in page
    assert 'id="players"' not in page


# --- the ladder ---------------------------------------------------------------------------------------------------
def test_a_winner_takes_the_place_and_the_page_tells_it(client: Client) -> None:
    """The ladder begins in the order of the numbers. What they play on another ladder moves nobody here."""
    people = make_players(4)
    event, other = ladder(people), make_event(people, "ladder", name="Summer Ladder")
    record_free_game(other, people[3], people[0], WHITE, SPRING, by=None)
    assert [row.entry.player_id for row in ladder_places(first_stage(event))] == [player.pk for player in people]
    page = text_of(client, "/tournaments/ladder/")
    assert '<h2 id="ladder">Ladder</h2>' in page
    assert "Whoever beats somebody above takes that place." in page
    record_free_game(event, people[2], people[0], WHITE, SPRING, by=None)
    places = ladder_places(first_stage(event))
    assert [row.entry.player_id for row in places] == [people[index].pk for index in (2, 0, 1, 3)]
    assert (places[0].was, places[0].now, places[0].moved_on) == (3, 1, SPRING)
    assert (places[1].was, places[1].now) == (0, 0), "pushed down is no climb"
    assert "from 3 to 1" in text_of(client, "/tournaments/ladder/")


def test_the_last_climb_is_told_and_who_has_left_holds_no_place(client: Client) -> None:
    people = make_players(4)
    event = ladder(people)
    record_free_game(event, people[3], people[2], WHITE, SPRING, by=None)
    record_free_game(event, people[3], people[1], WHITE, SUMMER, by=None)
    first = next(row for row in ladder_places(first_stage(event)) if row.entry.player == people[3])
    assert (first.was, first.now, first.moved_on) == (3, 2, SUMMER)
    event.stages.update(settings={"reach": 2})
    record_free_game(event, people[2], people[0], WHITE, SUMMER, by=None)
    last = ladder_places(first_stage(event))[3]
    assert (last.entry.player, last.was, last.now, last.moved_on) == (people[2], 0, 0, None), "beyond reach"
    Entry.objects.filter(tournament=event, number=4).update(withdrawn=True)
    assert [row.place for row in ladder_places(first_stage(event))] == [1, None, 2, 3]
    assert "withdrawn" in text_of(client, "/tournaments/ladder/")


# --- who sees what, queries ---------------------------------------------------------------------------------------
def test_no_page_names_who_is_not_public(client: Client) -> None:
    kept_back = (Visibility.INITIALS, Visibility.MEMBERS, Visibility.HIDDEN)
    hidden = create_players([NewPlayer("Zacharias Quillfeather", visibility=kind) for kind in kept_back], by=None)
    evenings(hidden)
    event = ladder([*make_players(2), *hidden])
    for player in hidden:
        record_free_game(event, player, event.entries.get(number=1).player, WHITE, SUMMER, by=None)
    for address in ("/tournaments/evenings/", "/tournaments/evenings/?season=all", "/tournaments/ladder/"):
        assert "quillfeather" not in text_of(client, address).lower()


@pytest.mark.extended
def test_pages_need_few_queries_whatever_was_played(client: Client, at_most: CountQueries) -> None:
    arbiter = factory.make_arbiter()
    people = make_players(10)
    event = ladder(people)
    for one, two in pairwise(people):
        record_free_game(event, two, one, WHITE, SPRING, by=None)
    for signed_in in (False, True):
        if signed_in:
            client.force_login(arbiter)
        with at_most(18):
            text_of(client, f"/tournaments/{event.slug}/")
