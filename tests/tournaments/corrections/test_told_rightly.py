"""What the pages and files say in the less usual cases: other points than 1–½–0, matches of teams, lots, Keizer lists,
walk-overs, games still to be decided."""

import csv
import io
from collections.abc import Callable
from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone

from players.models import AuditEvent, Player
from players.privacy.rules import NOBODY
from ratings.models import RatingList
from tests import factory
from tests.factory import MONDAY, make_round_robin, play_all, play_round
from tests.tournaments.entries.entry_cases import club_and_list
from tests.tournaments.event_pages.page_cases import (
    BLACK,
    DRAW,
    WHITE,
    draw_cup,
    first_stage,
    form_groups,
    keizer_club,
    make_event,
    match_of,
    play_bracket,
    play_match,
    play_open_round,
    play_stage,
    team_match,
    text_of,
)
from tournaments.event_list.selectors import list_events, progress_of
from tournaments.event_pages.selectors.formats import keizer_places
from tournaments.event_pages.selectors.lots import lots_of
from tournaments.events.selectors.events import all_event_data, event_data, stages_at
from tournaments.events.selectors.standings import rating_changes, standings_of
from tournaments.formats.services import Calendar, make_rounds
from tournaments.free_play.services import record_free_game
from tournaments.knockouts.services.rulings import rule_match
from tournaments.models import Game, Round, Stage, Tournament
from tournaments.rounds.selectors.progress import rounds_now
from tournaments.rounds.services.next_round import pair_next_round
from tournaments.standings.points import Result

pytestmark = pytest.mark.django_db
CountQueries = Callable[..., object]


standard = club_and_list


@pytest.fixture(scope="module")
def people(standard: RatingList) -> list[Player]:
    return factory.make_players(8)


def rows(client: Client, address: str) -> list[dict[str, str]]:
    """The lines of a CSV file."""
    response = client.get(address)
    assert response.status_code == 200
    return list(csv.DictReader(io.StringIO(response.content.decode())))


# --- files --------------------------------------------------------------------------------------------------------
def test_the_standings_of_a_keizer_competition_are_its_list(client: Client, people: list[Player]) -> None:
    event = make_event(people[:4], "keizer", name="Even")
    pair_next_round(first_stage(event), by=None, day=MONDAY, publish=True)
    shared = {(row["place"], row["last_place"]) for row in rows(client, "/tournaments/even/standings.csv")}
    assert shared == {("1", "4")}, "a shared place goes to the last who shares it"
    event = keizer_club(people[:5], [[WHITE, DRAW], [BLACK, WHITE]])
    found = rows(client, "/tournaments/keizer/standings.csv")
    places = keizer_places(event_data(first_stage(event), NOBODY))
    assert [(row["player"], float(row["points"]), float(row["list_value"])) for row in found] == [
        (line.entrant.player.name, round(float(line.score), 4), round(float(line.value), 4)) for line in places
    ]
    assert "SB" not in found[0]
    page = text_of(client, "/tournaments/keizer/standings/")
    assert "everybody has the average of the values in it" in page


def test_the_standings_of_a_ladder_are_its_places(client: Client, people: list[Player]) -> None:
    event = make_event(people[:3], "ladder", name="Ladder")
    record_free_game(event, people[2], people[1], WHITE, MONDAY, by=None)
    found = rows(client, "/tournaments/ladder/standings.csv")
    places = [(row["place"], row["player"]) for row in found]
    assert places == [("1", "Ada Alvarez"), ("2", "Cleo Costa"), ("3", "Bo Brandt")]
    assert (found[1]["climbed_from"], found[1]["climbed_to"], found[1]["climbed_on"]) == ("3", "2", "2026-01-05")
    make_event([], "free", name="Evenings")
    assert client.get("/tournaments/evenings/standings.csv").status_code == 404, "free play has no places"
    assert "standings.csv" not in text_of(client, "/tournaments/evenings/")
    assert 'href="/tournaments/ladder/standings.csv"' in text_of(client, "/tournaments/ladder/")
    assert client.get("/tournaments/ladder/standings.xlsx").status_code == 200
    assert client.get("/tournaments/ladder/pairings.csv").status_code == 404


@pytest.mark.extended
def test_how_a_match_was_decided_is_a_word_of_the_file(client: Client, people: list[Player]) -> None:
    cup = draw_cup(people[:4])
    match = match_of(cup, 1, 1)
    rule_match(match.pk, advanced=match.seats.get(line=2).entry_id, walk_over=True, by=None)
    play_match(cup, 1, 2, WHITE)
    first, second, final = rows(client, "/tournaments/cup/pairings.csv")
    assert (first["decided"], first["advanced"], first["result"]) == ("walk-over", first["black"], "")
    assert first["advanced_number"] == first["black_number"]
    assert (second["decided"], second["advanced"]) == ("", second["white"])
    assert (final["decided"], final["advanced"]) == ("", "")
    forfeit, ruling = (draw_cup(people[:2], name=name) for name in ("Forfeit", "Ruling"))
    play_match(forfeit, 1, 1, Result.BLACK_FORFEITS)
    match = match_of(ruling, 1, 1)
    rule_match(match.pk, advanced=match.seats.get(line=1).entry_id, by=None)
    for word in ("forfeit", "ruling"):
        (row,) = rows(client, f"/tournaments/{word}/pairings.csv")
        assert row["decided"] == word
        assert row["advanced"]
    draw_cup(people[:3], name="Bye")
    bye = rows(client, "/tournaments/bye/pairings.csv")[0]
    assert (bye["bye"], bye["advanced"], bye["decided"]) == ("bye", bye["white"], "")
    event = make_round_robin(people[:3])
    columns = list(rows(client, f"/tournaments/{event.slug}/pairings.csv")[0])
    assert columns[-2:] == ["bye", "note"], "an event without matches has no columns of them"


@pytest.mark.extended
def test_beside_a_knockout_the_rows_of_the_groups_are_as_long(client: Client, people: list[Player]) -> None:
    *groups, knockout = form_groups(people)
    play_stages(*groups)
    make_rounds(knockout, by=None, calendar=Calendar())
    text = client.get("/tournaments/cup/pairings.csv").content.decode()
    assert len({len(line) for line in csv.reader(io.StringIO(text))}) == 1


def play_stages(*stages: Stage, result: Result | None = None) -> None:
    for stage in stages:
        play_stage(stage, result)


# --- who leads ----------------------------------------------------------------------------------------------------
@pytest.mark.extended
def test_where_a_win_is_not_one_point_they_come_from_games(client: Client, people: list[Player]) -> None:
    event, short, norway = (make_round_robin(people[:count], name=f"Cup {count}") for count in (4, 2, 3))
    Tournament.objects.update(point_system="football")
    Tournament.objects.filter(pk=norway.pk).update(point_system="armageddon")
    play_round(event, 1, [WHITE, DRAW])
    page = text_of(client, f"/tournaments/{event.slug}/")
    assert "Ada Alvarez leads with 3 points from 1 game." in page
    assert "out of" not in page
    play_all(short)
    assert "share first place with 1 point from 1 game." in text_of(client, f"/tournaments/{short.slug}/")
    play_round(norway, 1, [WHITE])
    play_round(norway, 2, [WHITE])
    page = text_of(client, f"/tournaments/{norway.slug}/")
    assert "points from" in page
    assert "out of" not in page


# --- what is over -------------------------------------------------------------------------------------------------
def test_a_round_with_an_armageddon_game_to_come_is_not_complete(client: Client, people: list[Player]) -> None:
    event = make_round_robin(people[:4])
    Tournament.objects.update(point_system="armageddon")
    play_round(event, 1, [WHITE, DRAW])
    page = text_of(client, f"/tournaments/{event.slug}/")
    assert "during round 1 of 3, 1 of 2 results in" in page
    assert "Next is round 2" not in page
    assert "armageddon to come" in page
    (line,) = list_events(timezone.localdate())
    assert progress_of([line])[event.pk].rounds_done == 0
    armageddon = Game.objects.get(tournament=event, number=2)
    factory.record_result(game=armageddon.pk, result=BLACK, played_on=MONDAY, by=None)
    assert progress_of([line])[event.pk].rounds_done == 1
    assert "after 1 of 3 rounds" in text_of(client, f"/tournaments/{event.slug}/")


def test_the_points_of_the_open_decider_are_those_that_are_safe(people: list[Player]) -> None:
    event = make_round_robin(people[:2])
    Tournament.objects.update(point_system="armageddon")
    play_round(event, 1, [DRAW])
    facts = event_data(first_stage(event), NOBODY)
    (board,) = facts.rounds[0].boards
    assert (board.waits, board.decided, board.begun) == (True, False, True)
    assert [row.points for row in standings_of(facts).rows] == [1, 1]


# --- the list of events -------------------------------------------------------------------------------------------
def test_a_match_of_teams_is_won_by_a_team(client: Client, people: list[Player]) -> None:
    event = team_match(people[:4])
    (line,) = list_events(timezone.localdate())
    assert progress_of([line])[event.pk].teams == ()
    play_open_round(event, *[WHITE] * 4)
    page = text_of(client, "/tournaments/")
    assert "Team A 2 : 2 team B" in page
    assert "Ada Alvarez" not in page


# --- team against team --------------------------------------------------------------------------------------------
def test_before_the_rounds_the_pages_say_who_is_in_which_team(client: Client, people: list[Player]) -> None:
    match = make_event(people[:6], "scheveningen", name="Match")
    other = make_round_robin(people[:4], name="Other")
    for page in ("entries/", "standings/", ""):
        page = text_of(client, f"/tournaments/match/{page}")
        assert "Team A: numbers 1 to 3. Team B: numbers 4 to 6." in page
    match.entries.update(number=None)
    entries = text_of(client, "/tournaments/match/entries/")
    assert "The first half of the numbers plays for one team" in entries
    client.force_login(factory.make_arbiter())
    desk = "/admin/tournaments/tournament/{}/entries/"
    assert "the second half team B" in text_of(client, desk.format(match.pk))
    assert "the second half team B" not in text_of(client, desk.format(other.pk))


# --- Keizer -------------------------------------------------------------------------------------------------------
def test_points_in_the_keizer_crosstable_are_those_of_the_games(client: Client, people: list[Player]) -> None:
    event = keizer_club(people[:5], [[WHITE, DRAW]])
    away = event.entries.get(number=5)
    here = list(event.entries.exclude(pk=away.pk))
    pair_next_round(first_stage(event), by=None, day=MONDAY, present=here, absent={away.pk: "half"}, publish=True)
    play_open_round(event, BLACK, WHITE)
    (parts,) = client.get("/tournaments/keizer/crosstable/").context["parts"]
    lines = parts[0].crosses[0].rows
    for line in lines:
        assert line.points == sum(game.points for games in line.cells for game in games or ())
    assert sum(line.points for line in lines) == 2 * 4, "a game is worth a point"
    event = make_round_robin(people[:3])
    Tournament.objects.filter(pk=event.pk).update(allocated_bye="win")
    play_round(event, 1, [DRAW])
    (parts,) = client.get(f"/tournaments/{event.slug}/crosstable/").context["parts"]
    assert sum(line.points for line in parts[0].crosses[0].rows) == 2 + 2, "byes count in other crosstables"


# --- the front page -----------------------------------------------------------------------------------------------


@pytest.mark.extended
def test_of_a_knockout_the_latest_round_in_play_is_on(people: list[Player]) -> None:
    today = timezone.localdate()
    cup = draw_cup(people)
    Round.objects.filter(stage__tournament=cup).update(planned_on=today)
    play_bracket(cup, 1)
    play_match(cup, 2, 1, WHITE)
    (now,) = rounds_now(today)
    assert (now.round.number, now.done) == (2, 1)
    Round.objects.filter(stage__tournament=cup, number__gt=1).update(planned_on=today + timedelta(days=7))
    (now,) = rounds_now(today)
    assert now.round.number == 2, "the winners played on before the day"


def test_a_round_robin_played_ahead_stays_with_tonight_and_a_finished_round_is_not_open(
    client: Client, people: list[Player]
) -> None:
    today = timezone.localdate()
    event, over = make_round_robin(people[:4]), make_round_robin(people[:2], name="Over")
    Round.objects.filter(number=1).update(planned_on=today)
    Round.objects.filter(number__gt=1).update(planned_on=today + timedelta(days=7))
    play_all(over)
    assert len(rounds_now(today)) == 2
    assert "0 of 1 boards open" not in text_of(client, "/")
    ahead = Game.objects.filter(tournament=event, pairing__round__number=2)[0]
    factory.record_result(game=ahead.pk, result=WHITE, played_on=today, by=None)
    assert [row.round.number for row in rounds_now(today)] == [1, 1]


# --- lots between groups and knockout -----------------------------------------------------------------------------
def drawn_groups(people: list[Player], *, lots: bool = True) -> Stage:
    """Groups in which everybody is equal in everything, and the knockout that lots filled."""
    first, second, knockout = form_groups(people)
    play_stages(first, second, result=DRAW if lots else None)
    make_rounds(knockout, by=None, calendar=Calendar(), lots=True)
    return knockout


SENTENCE = "They are equal in everything: lots drawn with seed 1 decided."


@pytest.mark.extended
def test_lots_that_nobody_needed_are_not_told(
    client: Client, people: list[Player], django_assert_num_queries: CountQueries
) -> None:
    drawn_groups(people, lots=False)
    assert SENTENCE not in text_of(client, "/tournaments/cup/")
    stages = stages_at("cup")
    facts = all_event_data(stages[0].tournament, NOBODY)
    with django_assert_num_queries(0):
        assert lots_of(stages, facts) == {}


def test_lots_that_decided_who_goes_on_are_told_and_a_field_without_lots_has_none(
    client: Client, people: list[Player], django_assert_num_queries: CountQueries
) -> None:
    knockout = drawn_groups(people)
    for part in ("", "standings/", "bracket/"):
        page = text_of(client, f"/tournaments/cup/{part}")
        assert page.count(SENTENCE) == 2, part
        assert "Group A: " in page, part
    stages = stages_at("cup")
    facts = all_event_data(stages[0].tournament, NOBODY)
    with django_assert_num_queries(1):
        lots = lots_of(stages, facts)
    assert list(lots) == [knockout.pk]
    named = [(group.group, len(group.people)) for group in lots[knockout.pk].groups]
    assert named == [("Group A", 4), ("Group B", 4)], "everybody on the place"
    event = AuditEvent.objects.get(action="stage.qualified")
    event.pk, event.after = None, {**event.after, "lots": False}
    event.subject_key += 1
    event.save()
    assert lots_of(stages, facts) == lots, "that was in another event"
    event.pk, event.subject_key = None, event.subject_key - 1
    event.save()
    assert lots_of(stages, facts) == {}, "the last field counts"


# --- what a part did to the ratings -------------------------------------------------------------------------------
@pytest.mark.extended
def test_the_change_beside_a_groups_games_is_that_of_the_group(client: Client, people: list[Player]) -> None:
    first, second, knockout = form_groups(people)
    play_stages(first, second)
    before = rating_changes(all_event_data(Tournament.objects.get(), NOBODY)[0])
    make_rounds(knockout, by=None, calendar=Calendar())
    for game in Game.objects.filter(pairing__stage=knockout, result=""):
        factory.record_result(game=game.pk, result=WHITE, played_on=MONDAY + timedelta(days=60), by=None)
    after = rating_changes(all_event_data(Tournament.objects.get(), NOBODY)[0])
    assert after[knockout.pk]
    assert {key: after[key] for key in before} == before
    assert sum(after[first.pk].values()) == pytest.approx(0, abs=1e-9)
    page = text_of(client, "/tournaments/cup/standings/")
    assert "Change: what the games of this part did to the rating" in page
