"""The audit trail read: what a line is about, in words, filtered, as a file, and by whom."""

import csv
import io
import json
from datetime import date, timedelta

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.db.models import Model
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import override

from players.club.services import update_club
from players.models import AuditEvent, Player
from players.trail.services import acting_from, write_audit
from ratings.lists.services import NewStart
from ratings.models import RatingList, StartingRating
from tests import factory
from tests.tournaments.admin_pages import url
from tests.tournaments.contests.contest_cases import make_evening, play
from tests.tournaments.entries.entry_cases import club_and_list
from tests.tournaments.teams.team_cases import make_team_event
from tournaments.entries.services.entries import enter_players, remove_entry
from tournaments.events.services.events import NewTournament, create_tournament, delete_tournament, update_tournament
from tournaments.models import Entry, EntryRequest, Game, ResultReport, TeamMatch, Tournament
from tournaments.rated_games.services.people import bring_starting_ratings
from tournaments.result_reports.services import report_result
from tournaments.results.services.results import correct_result
from tournaments.rounds.services.rounds import delete_rounds
from tournaments.standings.points import Result
from tournaments.trail.selectors import TrailFilter, lines, places_of
from tournaments.trail.services import COLUMNS
from tournaments.trail.words import change_in_words, origin_in_words
from tournaments.undo.services.undo import UNDOING

TRAIL = "admin:players_auditevent_changelist"


pytestmark = pytest.mark.django_db


standard = club_and_list


@pytest.fixture(scope="module")
def corrected(standard: RatingList) -> Game:
    """Round 1, board 1 of a cup: recorded, and corrected by an arbiter."""
    cup = factory.make_round_robin(factory.make_players(5))
    game = factory.play_round(cup, 1, [Result.DRAW, Result.DRAW])[0]
    ann = factory.make_arbiter("ann")
    with acting_from("admin:tournaments_game_correct"):
        correct_result(game=game.pk, result=Result.WHITE_WINS, by=ann, reason="appeal", note="=1+1")
    factory.make_administrator()
    return Game.objects.get(pk=game.pk)


@pytest.fixture
def office(client: Client, corrected: Game) -> Client:
    client.force_login(User.objects.get(username="admin"))
    return client


def page(client: Client, **wish: object) -> str:
    answer = client.get(reverse(TRAIL), wish)
    assert answer.status_code == 200, answer.content.decode()
    return answer.content.decode()


def file_of(client: Client, address: str = "", **wish: object) -> str:
    answer = client.get(address or reverse(TRAIL), {"file": "csv", **wish})
    return b"".join(answer.streaming_content).decode()  # type: ignore[attr-defined]


def rows_of(client: Client, address: str = "", **wish: object) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(file_of(client, address, **wish))))


# --- in words -----------------------------------------------------------------------------------------------------
def test_a_line_says_who_from_where_what_about_whom_and_why(office: Client, corrected: Game) -> None:
    factory.make_arbiter("idle")
    html = page(office, action="result.corrected")
    assert ">idle</option>" not in html, "who did nothing is no choice"
    for words in ("ann", "arbiter", "correction", "result corrected", "Winter Cup, round 1, board 1", "=1+1"):
        assert words in html, words
    assert "result: ½–½ → 1–0" in html
    assert "decision on an appeal" in html
    assert reverse("admin:tournaments_game_change", args=[corrected.pk]) in html
    assert corrected.white.name in html, "players are named on the page and nowhere in the trail"
    kept = json.dumps(list(AuditEvent.objects.values("before", "after", "effect")))
    assert not [player.name for player in Player.objects.all() if player.name in kept]


def test_where_it_came_from_in_words() -> None:
    values = {
        "admin:tournaments_tournament_results": "result entry", "admin:players_player_change": "player: form",
        "admin:ratings_ratinglist_add": "rating list: new", "command import_trf": "command import_trf",
        "job rebuild-list": "job rebuild-list", "": "–",
        "admin:tournaments_tournament_something_new": "tournament something new",
        f"{UNDOING}17": "undo",
    }  # fmt: skip
    assert {origin: origin_in_words(origin) for origin in values} == values


def test_images_for_undoing_are_not_read_out_and_another_format_is(standard: RatingList) -> None:
    cup = factory.make_round_robin(factory.make_players(5))
    delete_rounds(factory.stage_of(cup), by=None)
    assert change_in_words(AuditEvent.objects.get(action="rounds.deleted")) == "rounds: 5"
    cup = create_tournament(NewTournament("Spring Cup"), by=None)
    update_tournament(cup.pk, {"pairing_system": "dutch", "settings": {"rounds": 5}}, by=None)
    event = AuditEvent.objects.get(action="tournament.changed")
    assert change_in_words(event) == "format: round-robin → dutch; settings: – → rounds: 5"


@pytest.mark.parametrize(
    ("before", "after", "shown"),
    [
        ({"1": 4, "2": 5}, {"1": 5, "2": 4}, "2 numbers moved"),
        ({}, {"begin": "2026-01-05T18:30:00+00:00"}, "start: 2026-01-05 19:30"),
    ],
)
def test_numbers_are_counted_and_a_moment_is_that_of_the_clubs_clock(
    before: dict[str, int], after: dict[str, str], shown: str, club_time: None
) -> None:
    assert change_in_words(AuditEvent(action="entries.numbered", before=before, after=after)) == shown


def test_a_line_about_an_entry_asked_for_leads_to_the_entries(office: Client, corrected: Game) -> None:
    wish = {"tournament": corrected.tournament, "player": corrected.white, "asked_at": timezone.now()}
    request = EntryRequest.objects.create(**wish)
    write_audit("entry.asked", request, by=None)
    assert url("entries", corrected.tournament_id) in page(office, action="entry.asked")
    office.force_login(factory.make_rating_officer())
    html = page(office, action="entry.asked")
    assert url("entries", corrected.tournament_id) not in html, "only for those who change events"
    assert url("change", corrected.tournament_id) in html


@pytest.mark.parametrize(
    ("language", "shown"),
    [("en", "round: 2; kind: half-point bye"), ("zh-hans", "轮次：2；种类：半分轮空")],
)
def test_choices_and_signs_are_those_of_the_language(language: str, shown: str) -> None:
    with override(language):
        assert change_in_words(AuditEvent(action="bye.requested", after={"round": 2, "kind": "half"})) == shown


def test_what_is_gone_is_named_by_what_the_line_keeps(office: Client, standard: RatingList) -> None:
    cup = create_tournament(NewTournament("Spring Cup"), by=None)
    [entry] = enter_players(cup, factory.make_players(1), by=None)
    remove_entry(entry.pk, by=None)
    html = page(office, action="entry.removed")
    assert "entry spring-cup" in html
    assert f"#{entry.player.number} Ada Alvarez" in html


# --- filters ------------------------------------------------------------------------------------------------------
def keys(wish: TrailFilter) -> set[int]:
    return set(lines(wish).values_list("pk", flat=True))


def test_every_filter_keeps_just_its_lines(corrected: Game) -> None:
    ann = User.objects.get(username="ann")
    [line] = AuditEvent.objects.filter(action="result.corrected")
    for wish in (
        TrailFilter(who=ann.pk),
        TrailFilter(role="arbiter"),
        TrailFilter(reason="appeal"),
        TrailFilter(action="result.corrected"),
    ):
        assert keys(wish) == {line.pk}, wish
    assert keys(TrailFilter(action="result.corrected", role="system")) == set()
    assert keys(TrailFilter()) == set(AuditEvent.objects.values_list("pk", flat=True))
    today, day = timezone.localdate(), timedelta(days=1)
    assert keys(TrailFilter(since=today, until=today)) == keys(TrailFilter()), "both days are in"
    assert keys(TrailFilter(since=today + day)) == keys(TrailFilter(until=today - day)) == set()
    assert keys(TrailFilter(since=date.min, until=date.max)) == keys(TrailFilter())
    bye = Entry.objects.get(seats__round__number=1, seats__colour="")
    kinds = {event.subject_kind for event in lines(TrailFilter(number=bye.player.number))}
    assert kinds == {"player", "entry"}
    other = Entry.objects.exclude(pk=bye.pk)[0]
    assert "game" in {event.subject_kind for event in lines(TrailFilter(number=other.player.number))}
    assert keys(TrailFilter(number=999)) == set()


@pytest.mark.extended
def test_an_event_s_lines_are_its_own_and_those_of_what_was_deleted_in_it(standard: RatingList) -> None:
    players = factory.make_players(5)
    cup = factory.make_round_robin(players)
    games = factory.play_round(cup, 1, [Result.DRAW, Result.DRAW])
    for game in games:
        correct_result(game=game.pk, result=Result.OPEN, by=None)
    elsewhere = factory.make_round_robin(players[:4], name="Other Cup")
    report_result(factory.play_round(elsewhere, 1, [Result.DRAW] * 2)[0].pk, Result.WHITE_WINS, role="visitor")
    league = make_team_event(2)
    emptied = factory.make_round_robin(players[:2], name="Emptied Cup")
    [game] = factory.play_round(emptied, 1, [Result.DRAW])
    correct_result(game=game.pk, result=Result.OPEN, by=None)
    delete_rounds(factory.stage_of(emptied), by=None)
    before = keys(TrailFilter(event=cup))
    assert AuditEvent.objects.filter(pk__in=before, subject_kind="game").count() == 4
    assert lines(TrailFilter(event=league)).filter(action="team.made").count() == 2
    delete_rounds(factory.stage_of(cup), by=None)
    assert keys(TrailFilter(event=cup)) - before == {AuditEvent.objects.filter(action="rounds.deleted").latest("pk").pk}
    assert before < keys(TrailFilter(event=cup)), "what is deleted keeps its lines"
    assert AuditEvent.objects.get(action="result.reported").pk in keys(TrailFilter(event=elsewhere))
    kept = [keys(TrailFilter(event=event)) for event in (cup, elsewhere, league, emptied)]
    assert sum(map(len, kept)) == len(set.union(*kept)), "no line is of two events"


def test_a_line_of_every_kind_is_found_by_its_event_and_its_players(standard: RatingList) -> None:
    """And leads there. Everything is there twice, with other people."""
    people = factory.make_players(6)
    bring_starting_ratings(standard, [NewStart(each.pk, factory.MONDAY, 1700, 40) for each in people], by=None)
    of_events: dict[Tournament, list[Model]] = {}
    of_people: dict[Player, list[Model]] = {}
    for name, (one, two, three) in (("First", people[:3]), ("Second", people[3:])):
        cup, evening = factory.make_round_robin([one, two], name=name), make_evening(f"{name} evening")
        game, league = factory.play_round(cup, 1, [Result.DRAW])[0], make_team_event(2)
        report_result(game.pk, Result.WHITE_WINS, role="visitor")
        report, entry = ResultReport.objects.get(game=game), cup.entries.get(player=one)
        asked = EntryRequest.objects.create(tournament=cup, player=three, asked_at=timezone.now())
        table = play(evening, f"1: {one.number}; 2: {two.number}; 3: {three.number}")
        start = StartingRating.objects.get(player=one)
        of_events[cup] = [
            cup,
            factory.stage_of(cup),
            factory.round_of(cup, 1),
            entry,
            game.pairing,
            game,
            report,
            asked,
        ]
        of_events |= {
            evening: [table],
            league: [*league.teams.all(), *TeamMatch.objects.filter(home__tournament=league)],
        }
        of_people |= {one: [one, entry, game, report, table, start], two: [game, report, table], three: [table]}
    rows = {
        (row._meta.model_name, row.pk): row for some in (of_events, of_people) for own in some.values() for row in own
    }
    for row in rows.values():
        write_audit("tournament.looked-at", row, by=None)
    looked = AuditEvent.objects.filter(action="tournament.looked-at")
    places = places_of(looked)

    def found(wish: TrailFilter) -> set[tuple[str, int]]:
        return set(lines(wish).values_list("subject_kind", "subject_key"))

    for event, own in of_events.items():
        names = {(row._meta.model_name, row.pk) for row in own}
        assert found(TrailFilter(event=event, action="tournament.looked-at")) == names
        assert {places.of[name].event for name in names} == {event}
    for player, own in of_people.items():
        names = {(row._meta.model_name, row.pk) for row in own}
        assert found(TrailFilter(number=player.number, action="tournament.looked-at")) == names
        assert all(player in places.of[name].players for name in names)
    for name, row in rows.items():
        assert found(TrailFilter(subject=(row._meta.model_name, row.pk), action="tournament.looked-at")) == {name}


def test_a_filter_that_is_nonsense_is_told_and_shows_nothing(office: Client) -> None:
    nonsense = {"since": "yesterday", "number": "17 or 1=1", "who": "999999", "event": "x", "role": "king"}
    nonsense |= {"reason": "\x00", "subject_key": "9" * 40}
    for name, value in nonsense.items():
        answer = office.get(reverse(TRAIL), {name: value})
        assert answer.status_code == 400, name
        assert "result corrected" not in answer.content.decode().partition("</form>")[2].partition("<table")[2], name
        assert office.get(reverse(TRAIL), {name: value, "file": "csv"}).status_code == 400, name
    assert "player added" in page(office, page="999"), "a page beyond the last is the last"
    assert "result corrected" in page(office, page="x")


def test_a_long_trail_asks_no_more_than_a_short_one(office: Client, corrected: Game) -> None:
    cup = corrected.tournament

    def queries() -> int:
        with CaptureQueriesContext(connection) as found:
            page(office, event=cup.pk)
        return len(found)

    short = queries()
    for number in range(2, 6):
        factory.play_round(cup, number, [Result.DRAW, Result.DRAW])
    assert queries() == short <= 30


# --- files --------------------------------------------------------------------------------------------------------
def test_the_files_hold_what_the_page_shows_with_all_filters_and_name_nobody(office: Client, corrected: Game) -> None:
    [row] = rows_of(office, action="result.corrected")
    assert tuple(row) == COLUMNS
    assert (row["who"], row["role"], row["from"]) == ("ann", "arbiter", "admin:tournaments_game_correct")
    assert (row["event"], row["round"], row["board"]) == ("winter-cup", "1", "1")
    assert row["players"] == f"{corrected.white.number} {corrected.black.number}"
    assert json.loads(row["before"])["result"] == "1/2"
    assert row["note"] == "'=1+1", "no formula in a spreadsheet"
    assert row["at"].endswith("Z")
    assert len(rows_of(office)) == AuditEvent.objects.count()
    [text] = file_of(office, file="jsonl", action="result.corrected").splitlines()
    event, found = AuditEvent.objects.get(action="result.corrected"), json.loads(text)
    assert (found["before"], found["after"], found["effect"]) == (event.before, event.after, event.effect)
    assert found["note"] == "=1+1"
    write_audit("rounds.deleted", corrected.tournament, by=None, before={"rounds": 2, "image": {"round": []}})
    [row] = rows_of(office, action="rounds.deleted")
    assert json.loads(row["before"]) == {"rounds": 2}, "the image is kept for undoing alone"
    for kind in ("csv", "jsonl"):
        text = file_of(office, file=kind)
        assert not [player.name for player in Player.objects.all() if player.name in text]


def test_a_long_file_comes_in_parts(office: Client, corrected: Game) -> None:
    write_audit("tournament.looked-at", corrected.tournament, by=None, after={"turn": 0})
    first = AuditEvent.objects.values().get(action="tournament.looked-at")
    more = ({**first, "id": first["id"] + turn, "after": {"turn": turn}} for turn in range(1, 700))
    AuditEvent.objects.bulk_create(AuditEvent(**each) for each in more)
    with CaptureQueriesContext(connection) as found:
        rows = rows_of(office, action="tournament.looked-at")
    assert [json.loads(row["after"])["turn"] for row in rows] == list(range(699, -1, -1))
    assert len(found) < 20


# --- who may ------------------------------------------------------------------------------------------------------
def test_an_arbiter_reads_the_trail_of_an_event_and_of_no_other(desk: Client, corrected: Game) -> None:
    address = url("trail", corrected.tournament_id)
    update_club({"name": "Other Name"}, by=None)
    html = desk.get(address).content.decode()
    assert "result corrected" in html
    assert "Other Name →" not in html
    assert "club changed</td>" not in html
    assert desk.get(reverse(TRAIL)).status_code == 403
    assert desk.get(reverse(TRAIL), {"file": "csv"}).status_code == 403
    club = AuditEvent.objects.filter(subject_kind="club")[0]
    found = rows_of(desk, address, subject_kind="club", subject_key=str(club.subject_key), event="")
    kinds = {row["about"] for row in found}
    assert kinds <= {"tournament", "entry", "game", "round"}, "filters cannot leave the event"


def test_the_trail_of_an_event_is_for_those_who_run_it(client: Client, desk: Client, corrected: Game) -> None:
    corrected.tournament.officers.add(User.objects.get(username="ann"))
    assert desk.get(url("trail", corrected.tournament_id)).status_code == 403
    desk.force_login(User.objects.get(username="ann"))
    assert desk.get(url("trail", corrected.tournament_id)).status_code == 200
    assert desk.get(url("trail", corrected.tournament_id), {"file": "csv"}).status_code == 200
    for made in (factory.make_assistant, factory.make_rating_officer):
        client.force_login(made())
        assert client.get(url("trail", corrected.tournament_id)).status_code == 403, made


def test_nothing_is_sent_to_the_trail_and_a_row_s_history_is_its_lines(office: Client, corrected: Game) -> None:
    before = list(AuditEvent.objects.values())
    assert office.post(reverse(TRAIL), {"action": "delete_selected"}).status_code == 403
    assert list(AuditEvent.objects.values()) == before
    history = reverse("admin:players_player_history", args=[corrected.white_id])
    html = office.get(history, follow=True).content.decode()
    assert "player added" in html
    assert "result corrected</td>" not in html


def test_places_of_many_kinds_are_found_at_once(corrected: Game, standard: RatingList) -> None:
    events = list(AuditEvent.objects.all())
    places = places_of(events)
    kinds = {event.subject_kind for event in events}
    assert {"player", "tournament", "entry", "game", "ratinglist"} <= kinds
    for event in events:
        place = places.at(event)
        assert place.event or place.players or place.rating_list or event.subject_kind == "club", event


def test_an_event_s_trail_has_nothing_of_a_deleted_one_at_its_address(standard: RatingList) -> None:
    """Whoever runs the new one need not be of those who ran the old one."""
    players = factory.make_players(3)
    old = create_tournament(NewTournament("Open"), by=None)
    remove_entry(enter_players(old, players, by=None)[0].pk, by=None)
    delete_tournament(old.pk, by=None)
    new = create_tournament(NewTournament("Open"), by=None)
    gone = enter_players(new, players, by=None)[1]
    remove_entry(gone.pk, by=None)
    about = lines(TrailFilter(event=new)).filter(subject_kind="entry")
    assert about.filter(action="entry.removed").get().subject_key == gone.pk
    assert about.filter(action="entry.made").count() == 3, "of an entry that is gone too"
    for key, slug in ((-1, "open"), (-2, "other")):  # an older version kept no image
        told = {"action": "entry.removed", "subject_kind": "entry", "subject_key": key, "before": {"tournament": slug}}
        AuditEvent.objects.create(role="system", **told)
    about = lines(TrailFilter(event=new)).filter(action="entry.removed")
    assert set(about.values_list("subject_key", flat=True)) == {gone.pk, -1}
