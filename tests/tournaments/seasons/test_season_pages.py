"""The table of a season: over real events of every format, on pages and in a file, with names as everywhere."""

import csv
import io
from datetime import date

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils.text import slugify

from players.models import AuditEvent, Player
from players.people.services import NewPlayer, create_player, create_players
from players.privacy.rules import NOBODY, shown_name
from players.refusals import Refused, Stale
from ratings.models import RatingList
from tests import factory
from tests.tournaments.entries.entry_cases import club_and_list
from tests.tournaments.event_pages import page_cases
from tests.visitor import Visitor
from tournaments.merging.services import merge_players
from tournaments.models import Season, Tournament
from tournaments.seasons.selectors import table_of
from tournaments.seasons.services import delete_season, save_season
from tournaments.standings.points import Result

pytestmark = pytest.mark.django_db
FACTS = {"name": "Grand Prix 2026", "slug": "gp", "place_points": "10, 6, 3, 1", "best": 1}


def robin(players: list[Player], name: str, month: int) -> Tournament:
    """The lower number wins every game."""
    event = factory.make_round_robin(players, name=name, first_day=date(2026, month, 1))
    rounds = sorted(set(event.games.values_list("pairing__round__number", flat=True)))
    for number in rounds:
        games = event.games.filter(pairing__round__number=number).order_by("pairing__board")
        won = [players.index(game.white) < players.index(game.black) for game in games]
        factory.play_round(event, number, [Result.WHITE_WINS if each else Result.BLACK_WINS for each in won])
    return event


standard = club_and_list


@pytest.fixture(scope="module")
def players(standard: RatingList) -> list[Player]:
    return factory.make_players(4)


@pytest.fixture
def events(players: list[Player]) -> list[Tournament]:
    """In the first Ada wins before Bo, Cleo and Dag; in the second Bo before Ada, without the others."""
    return [robin(players, "Winter", 1), robin([players[1], players[0]], "Spring", 3)]


@pytest.fixture
def season(events: list[Tournament]) -> Season:
    return save_season(None, FACTS, [event.pk for event in events], by=None)


def lines(season: Season) -> list[tuple[int, str, str]]:
    return [(row.place, row.player.name.split()[0], str(row.line.total)) for row in table_of(season).rows]


def test_the_table_over_two_events(season: Season) -> None:
    """Ada 10 and 6, Bo 6 and 10: the better best result is equal too."""
    assert lines(season) == [(1, "Ada", "10"), (1, "Bo", "10"), (3, "Cleo", "3"), (4, "Dag", "1")]
    row = table_of(season).rows[1]
    assert [(score.worth, score.counts) for score in row.scores if score] == [(6, False), (10, True)]
    Player.objects.filter(name="Ada Alvarez").update(number=99)
    assert [name for _place, name, _total in lines(season)[:2]] == ["Bo", "Ada"], "by their numbers where they share"
    save_season(season.pk, {"scoring": "points", "best": None}, season.events.values_list("pk", flat=True), by=None)
    season.refresh_from_db()
    assert lines(season) == [(1, "Ada", "3"), (2, "Bo", "3"), (3, "Cleo", "1"), (4, "Dag", "0")], "points are added"


@pytest.mark.extended
def test_every_format_has_its_places(players: list[Player]) -> None:
    cup = page_cases.draw_cup(players, name="Cup")
    page_cases.play_bracket(cup, 2)
    keizer = page_cases.keizer_club(players, [[Result.WHITE_WINS, Result.DRAW]])
    more = create_players([NewPlayer(f"More {n}") for n in range(4)], by=None)
    stages = page_cases.form_groups([*players, *more], groups=2)
    page_cases.play_stage(stages[0])
    coming = page_cases.make_event(players, "dutch", name="Coming", rounds=3)
    keys = [event.pk for event in (cup, keizer, stages[0].tournament, coming)]
    table = table_of(save_season(None, {**FACTS, "best": None}, keys, by=None))
    values = {row.tournament.pk: (row.counts, row.players) for row in table.events}
    assert values[cup.pk][0]
    assert values[coming.pk] == (True, 0)
    assert values[stages[0].tournament.pk] == (False, 0)
    shared = [row.scores[[e.tournament for e in table.events].index(cup)].worth for row in table.rows]  # type: ignore[union-attr]
    assert sorted(shared, reverse=True) == [10, 6, 2, 2], "the beaten semi-finalists share 3 and 1"


def test_two_records_of_one_person_are_one_line(events: list[Tournament], season: Season) -> None:
    twin = create_player(NewPlayer("Cleo Costas"), by=None)
    other = robin([twin, Player.objects.get(name="Dag Dahl")], "Summer", 6)
    save_season(season.pk, {"best": None}, [*(event.pk for event in events), other.pk], by=None)
    merge_players(keep=Player.objects.get(name="Cleo Costa").pk, gone=twin.pk, by=None, reason="wrong-player")
    season.refresh_from_db()
    assert ("Cleo", "13") in [(name, total) for _place, name, total in lines(season)]


@pytest.mark.extended
def test_the_table_costs_the_same_however_many_events(players: list[Player]) -> None:
    def queries(season: Season) -> int:
        with CaptureQueriesContext(connection) as found:
            table_of(season)
        return len(found)

    few = save_season(None, FACTS, [robin(players, "One", 1).pk], by=None)
    keys = [robin(players, f"Event {month}", month).pk for month in range(2, 5)]
    many = save_season(None, {**FACTS, "slug": "many"}, keys, by=None)
    assert queries(few) == queries(many)


# --- one writer ---------------------------------------------------------------------------------------------------
def test_what_cannot_be_is_refused_and_an_address_is_made_of_the_name(standard: RatingList) -> None:
    evenings = page_cases.make_event([], "free", name="Evenings")
    for facts, keys, words in (
        ({**FACTS, "place_points": ""}, [], "how many points"),
        ({**FACTS, "place_points": "ten, six"}, [], "commas"),
        ({**FACTS, "first_day": date(2026, 2, 1), "last_day": date(2026, 1, 1)}, [], "before the first"),
        (FACTS, [evenings.pk], "has no end"),
    ):
        with pytest.raises(Refused, match=words):
            save_season(None, facts, keys, by=None)
    assert not Season.objects.exists()
    made = [save_season(None, {**FACTS, "slug": ""}, [], by=None).slug for _time in range(2)]
    assert made == ["grand-prix-2026", "grand-prix-2026-2"]
    save_season(None, FACTS, [], by=None)
    with pytest.raises(Refused, match="already exists"):
        save_season(None, FACTS, [], by=None)


def test_a_season_has_only_so_many_events(season: Season, monkeypatch: pytest.MonkeyPatch) -> None:
    keys = list(season.events.values_list("pk", flat=True))
    monkeypatch.setattr("tournaments.seasons.services.MOST_EVENTS", 1)
    with pytest.raises(Refused, match="over 1 events at most"):
        save_season(season.pk, {"best": 2}, keys, by=None)
    save_season(season.pk, {}, keys[:1], by=None)


def test_a_stale_form_is_noticed_and_the_trail_tells(season: Season) -> None:
    other = save_season(None, {**FACTS, "slug": "other"}, season.events.values_list("pk", flat=True), by=None)
    save_season(season.pk, {"best": 2}, [], by=None, revision=season.revision)
    with pytest.raises(Stale):
        save_season(season.pk, {"best": 3}, [], by=None, revision=season.revision)
    save_season(season.pk, {"best": 2}, [], by=None)  # nothing else than before: no line
    delete_season(season.pk, by=None)
    assert (Season.objects.get(), other.events.count()) == (other, 2), "another season stays as it is"
    actions = AuditEvent.objects.filter(subject_kind="season", subject_key=season.pk).order_by("pk")
    assert [event.action for event in actions] == ["season.made", "season.changed", "season.deleted"]
    assert actions[1].before["best"] == 1
    assert actions[1].after["events"] == []


def test_an_arbiter_makes_changes_and_deletes_one(desk: Client, events: list[Tournament]) -> None:
    facts = {**FACTS, "slug": "", "scoring": "places", "tie": "wins", "first_day": "", "last_day": ""}
    keys = [event.pk for event in events]
    answer = desk.post(reverse("admin:tournaments_season_add"), {**facts, "events": keys})
    assert answer.status_code == 302
    season = Season.objects.get()
    assert (season.slug, season.tie, season.events.count()) == ("grand-prix-2026", "wins", 2)
    change = reverse("admin:tournaments_season_change", args=[season.pk])
    page = desk.get(change).text
    assert "Winter" in page
    refused = desk.post(change, {**facts, "slug": "gp", "place_points": "", "revision": season.revision})
    assert "how many points" in refused.text
    desk.post(change, {**facts, "slug": "gp", "events": keys[:1], "revision": season.revision})
    season.refresh_from_db()
    assert (season.slug, season.events.count()) == ("gp", 1)
    assert "Grand Prix" in desk.get(reverse("admin:tournaments_season_changelist")).text
    other = Client()
    other.force_login(factory.make_rating_officer())
    assert other.get(change).status_code == 403, "who changes no events changes no season"
    desk.post(reverse("admin:tournaments_season_delete", args=[season.pk]), {"post": "yes"})
    assert not Season.objects.exists()


# --- pages --------------------------------------------------------------------------------------------------------
def test_from_the_events_to_the_table_and_its_file(season: Season) -> None:
    robin(list(Player.objects.order_by("number")[:2]), "Alone", 5)
    save_season(None, {**FACTS, "name": "Empty", "slug": "empty"}, [], by=None)
    visitor = Visitor()
    visitor.open("/tournaments/")
    visitor.click("Tables of the seasons")
    visitor.sees("Grand Prix 2026", "2 events")
    visitor.click("Grand Prix 2026")
    visitor.sees("Ada Alvarez", "10, 6, 3, 1", "The best result counts.", "What is struck through does not count")
    assert "<s>6</s>" in visitor.client.get(season.get_absolute_url()).text
    text = Client().get("/seasons/gp/table.csv").text
    head, *rows = list(csv.reader(io.StringIO(text)))
    assert head == ["place", "number", "player", "winter", "spring", "total", "struck"]
    assert rows[1] == ["1", "2", "Bo Brandt", "6", "10", "10", "winter"]
    assert rows[2] == ["3", "3", "Cleo Costa", "3", "", "3", ""]


RULES = {
    "places": "Points for the place in each event: 10, 6, 3, 1.",
    "sums": "The points scored in each event are added.",
    "best": "result counts",
    "best total": "Of equal totals the better best result stands in front.",
    "wins": "Of equal totals more events won stand in front",
    "shared": "Equal totals share the place.",
    "struck": "What is struck through does not count.",
    "days": "1 Jan 2026 – 30 Jun 2026",
    "first day": "1 Jan 2026",
}


@pytest.mark.parametrize(
    ("facts", "said"),
    [
        ({"tie": "best", "best": 1}, {"places", "best", "best total", "struck"}),
        ({"tie": "wins", "best": None}, {"places", "wins"}),
        ({"scoring": "points", "tie": "shared", "best": None}, {"sums", "shared"}),
        ({"tie": "wins", "best": 2, "first_day": date(2026, 1, 1)}, {"places", "wins", "first day"}),
        (
            {"tie": "shared", "best": None, "first_day": date(2026, 1, 1), "last_day": date(2026, 6, 30)},
            {"places", "shared", "days", "first day"},
        ),
    ],
)
def test_a_season_says_its_own_rules_and_no_others(
    events: list[Tournament], facts: dict[str, object], said: set[str]
) -> None:
    made = save_season(None, {**FACTS, **facts}, [event.pk for event in events], by=None)
    page = page_cases.text_of(Client(), made.get_absolute_url())
    assert {rule for rule, words in RULES.items() if words in page} == said
    listed = page_cases.text_of(Client(), "/seasons/")
    assert {rule for rule in ("days", "first day") if RULES[rule] in listed} == said & {"days", "first day"}


def test_an_event_of_groups_side_by_side_is_told_not_to_count(players: list[Player], season: Season) -> None:
    assert "does not count." not in page_cases.text_of(Client(), season.get_absolute_url()).partition("</table>")[2]
    page_cases.form_groups(players, name="Groups", groups=2)
    save_season(season.pk, FACTS, list(Tournament.objects.values_list("pk", flat=True)), by=None)
    notes = page_cases.text_of(Client(), season.get_absolute_url()).partition("</table>")[2]
    assert notes.count("does not count.") == 1
    assert "Groups ends in groups side by side" in notes


def test_the_latest_season_and_the_latest_event_come_first_and_those_without_a_day_last(standard: RatingList) -> None:
    for name, day in (("Earlier", date(2024, 9, 1)), ("Newer", date(2025, 9, 1)), ("Any day", None)):
        save_season(None, FACTS | {"name": name, "slug": slugify(name), "first_day": day}, [], by=None)
        Tournament.objects.create(name=name, slug=slugify(name), starts_on=day)
    text = page_cases.text_of(Client(), "/seasons/")
    assert sorted(("Earlier", "Newer", "Any day"), key=text.index) == ["Newer", "Earlier", "Any day"]
    assert [event.name for event in Tournament.objects.all()] == ["Newer", "Earlier", "Any day"]


def test_no_season_no_link_and_no_page(standard: RatingList) -> None:
    client = Client()
    assert "seasons" not in client.get("/tournaments/").text.split("<main")[1].split("</main")[0]
    assert "There is no season yet" in client.get("/seasons/").text
    assert client.get("/seasons/none/").status_code == 404
    assert client.get("/seasons/none/table.csv").status_code == 404
    empty = save_season(None, FACTS, [], by=None)
    assert "Nothing has been played" in client.get(empty.get_absolute_url()).text


def test_whoever_is_not_shown_by_name_is_not_named_here(season: Season) -> None:
    hidden = Player.objects.get(name="Cleo Costa")
    Player.objects.filter(pk=hidden.pk).update(visibility="hidden")
    hidden.refresh_from_db()
    for address in (season.get_absolute_url(), "/seasons/gp/table.csv"):
        text = Client().get(address).text
        assert "Cleo" not in text
        assert shown_name(hidden, NOBODY) in text
