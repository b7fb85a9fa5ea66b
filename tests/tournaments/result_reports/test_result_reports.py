"""Reports of wrong results: anybody makes one, nothing moves by it, an arbiter settles it."""

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.db.models import Q
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from players.models import AuditEvent, Player
from players.refusals import Refused
from ratings.models import PlayerRating, RatingList
from tests import factory
from tests.desk_scene import facts
from tests.tournaments.admin_pages import carried_out
from tests.tournaments.entries.entry_cases import club_and_list
from tests.visitor import Page, Visitor
from tournaments.erasure.services.erasure import anonymise_player
from tournaments.events.services.events import open_event
from tournaments.free_play.services import record_free_game
from tournaments.models import Game, Pairing, ResultReport, Round, Team, Tournament
from tournaments.result_reports.selectors import count_open, open_by_game, settled_reports
from tournaments.result_reports.services import MOST_OPEN, decline_report, report_result
from tournaments.result_reports.views import LIMIT
from tournaments.results.services.results import correct_result
from tournaments.standings.points import Result

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("empty_cache")]
WORDS, CONTACT = "it was a draw, said Boris", "call 555 0199"


standard = club_and_list


@pytest.fixture(scope="module")
def cup(standard: RatingList) -> Tournament:
    return factory.make_round_robin(factory.make_players(5))


@pytest.fixture
def game(cup: Tournament) -> Game:
    """Board 1 of round 1, which White won."""
    return factory.play_round(cup, 1, [Result.WHITE_WINS, Result.DRAW])[0]


def address(game: Game) -> str:
    return reverse("tournaments:report", args=[game.tournament.slug, game.pk])


def made(game: Game, **more: str) -> ResultReport:
    return report_result(game.pk, Result.DRAW, role="visitor", **{"words": WORDS, "contact": CONTACT, **more})


# --- whoever reports ----------------------------------------------------------------------------------------------
def test_from_the_round_page_to_the_arbiters_without_signing_in(game: Game) -> None:
    visitor = Visitor()
    visitor.open(f"/tournaments/{game.tournament.slug}/rounds/1/")
    visitor.click("wrong?")
    visitor.sees("This result is wrong", "1–0 stands", f"{game.black.name} wins")
    visitor.send("Tell the arbiters", claimed="1/2", words=WORDS, contact=CONTACT)
    visitor.sees("The arbiters have your report. The result stays as it is")
    report = ResultReport.objects.get()
    assert (report.stood, report.claimed, report.words, report.contact) == ("1-0", "1/2", WORDS, CONTACT)
    assert AuditEvent.objects.get(action="result.reported").role == "visitor"


def test_a_report_changes_no_fact_and_the_trail_knows_the_claim_and_not_the_words(game: Game) -> None:
    before = facts()
    report = made(game)
    moved = {label for label, rows in facts().items() if rows != before[label]}
    assert moved == {"tournaments.ResultReport", "players.AuditEvent"}
    event = AuditEvent.objects.get(action="result.reported")
    assert (event.subject_kind, event.subject_key, event.role) == ("resultreport", report.pk, "visitor")
    assert event.after == {"game": game.pk, "stood": "1-0", "claimed": "1/2"}
    assert (event.actor, event.note) == (None, "")
    long = made(game, words="w" * 501, contact="c" * 201)
    assert (len(long.words), len(long.contact)) == (500, 200), "what nobody will read is cut"


def test_what_stands_and_what_is_no_result_cannot_be_claimed_and_many_reports_are_enough(game: Game) -> None:
    for claimed in (Result.WHITE_WINS, Result.OPEN, Result.ADJOURNED, Result.DRAW_UNRATED):
        with pytest.raises(Refused, match="choose the one it should be"):
            report_result(game.pk, claimed, role="visitor")
    for _time in range(MOST_OPEN):
        last = made(game)
    with pytest.raises(Refused, match="several reports"):
        made(game)
    decline_report(last.pk, by=None, answer="both signed 1–0")
    made(game)
    beside = report_result(Game.objects.get(result="1/2").pk, Result.WHITE_WINS, role="visitor")
    team = Team.objects.create(tournament=game.tournament, name="Rooks", number=1)
    report_result(game.pk, Result.DRAW, role="captain", team=team.pk)
    ResultReport.objects.filter(game=game, state="open", by_team=None).latest("pk").delete()
    made(game)
    ResultReport.objects.filter(Q(pk__in=(beside.pk, last.pk)) | Q(by_team=team)).delete()
    answer = Client().post(address(game), {"claimed": "1/2"})
    assert (answer.status_code, "several reports" in answer.text) == (409, True)
    assert ResultReport.objects.count() == MOST_OPEN


def test_a_board_without_a_result_has_nothing_wrong(cup: Tournament) -> None:
    open_game = Game.objects.filter(tournament=cup, result="")[0]
    with pytest.raises(Refused, match="no result yet"):
        report_result(open_game.pk, Result.DRAW, role="visitor")
    assert Client().get(address(open_game)).status_code == 404
    assert "wrong?" not in Client().get(f"/tournaments/{cup.slug}/rounds/1/").text


def test_a_game_the_public_does_not_see_or_of_another_event_has_no_form(game: Game) -> None:
    other = factory.make_round_robin(factory.make_players(2), name="Other")
    for slug, key in ((other.slug, game.pk), (game.tournament.slug, 10**25)):
        assert Client().get(f"/tournaments/{slug}/games/{key}/wrong/").status_code == 404
    evenings = open_event("Evenings", pool="standard", by=None).tournament
    free = record_free_game(evenings, game.white, game.black, Result.DRAW, factory.today(), by=None)
    assert [Client().get(address(each)).status_code for each in (free, game)] == [200, 200]
    board = Pairing.objects.filter(games=game)
    board.update(superseded=True)
    assert Client().get(address(game)).status_code == 404
    board.update(superseded=False)
    Round.objects.filter(pk=game.pairing.round_id).update(state=Round.State.DRAFT)
    assert Client().get(address(game)).status_code == 404
    with pytest.raises(Refused, match="not there any more"):
        made(game)


def test_the_door_is_patient_and_closes_and_a_novel_is_refused_and_stays_typed(game: Game) -> None:
    client = Client()
    for field in ("words", "contact"):
        answer = client.post(address(game), {"claimed": "1/2", field: "x" * 501})
        assert answer.status_code == 200
        assert "x" * 501 in answer.text, field
    assert not ResultReport.objects.exists()
    for _time in range(LIMIT.tries - 1):
        LIMIT.count("127.0.0.1")
    sent, answer = (client.post(address(game), {"claimed": "1/2"}) for _time in range(2))
    assert (sent.status_code, answer.status_code) == (302, 429)
    assert "try again in ten minutes" in answer.text
    assert ResultReport.objects.count() == 1


def test_the_form_names_people_as_this_viewer_may_see_them(game: Game) -> None:
    Player.objects.update(visibility="hidden")
    text = Client().get(address(game)).text
    assert ['value="1-0"' in text, 'value="1/2"' in text] == [False, True], "what stands is not offered"
    for player in (game.white, game.black):
        assert player.name not in text
        assert f"Player {player.number} did not come" in text


# --- whoever decides ----------------------------------------------------------------------------------------------
def reports_page() -> str:
    return reverse("admin:tournaments_game_reports")


def test_the_desk_the_board_and_the_list_tell_of_it(desk: Client, game: Game) -> None:
    made(game)
    assert "1 report waits for a decision" in desk.get(reverse("admin:index")).text
    results = reverse("admin:tournaments_tournament_results", args=[game.pairing.round_id])
    assert "1 person says this result is wrong" in desk.get(results).text
    text = desk.get(reports_page()).text
    for word in (WORDS, CONTACT, game.white.name, "½–½", "See the correction"):
        assert word in text


def test_the_correction_it_asks_for_settles_it_and_forgets_whom_to_reach(desk: Client, game: Game) -> None:
    declined = made(game)
    decline_report(declined.pk, by=None, answer="both signed 1–0")
    beside = Game.objects.filter(tournament=game.tournament, result="")[0]
    elsewhere = ResultReport.objects.create(game=beside, stood="1-0", claimed="1/2", contact=CONTACT)
    report, other = made(game), report_result(game.pk, Result.BLACK_WINS, role="visitor", contact=CONTACT)
    [link] = [href for href, words in Page(desk.get(reports_page()).text).links if words == "See the correction"][:1]
    answer = desk.get(link)
    assert "1–0 → ½–½" in answer.text
    done = carried_out(desk, answer)
    assert done["Location"] == reports_page()
    report.refresh_from_db()
    assert (report.state, report.contact, report.words) == ("accepted", "", WORDS)
    assert report.settled_by is not None
    other.refresh_from_db()
    assert (other.state, other.contact) == ("open", CONTACT), "it claimed something else"
    stay = [ResultReport.objects.get(pk=each.pk).state for each in (declined, elsewhere)]
    assert stay == ["declined", "open"], "decided before, and of another game"
    assert AuditEvent.objects.filter(action="report.accepted", subject_key=report.pk).count() == 1
    assert "Undo" in desk.get(reports_page()).text, "the last line of the trail is the correction itself"


def test_declined_with_a_reason_and_not_without(desk: Client, game: Game) -> None:
    other = report_result(Game.objects.get(result="1/2").pk, Result.WHITE_WINS, role="visitor")
    report = made(game)
    refused = desk.post(reports_page(), {"decline": report.pk})
    assert refused.status_code == 409
    assert "Say in a few words" in refused.text
    before = list(PlayerRating.objects.order_by("pk").values())
    desk.post(reports_page(), {"decline": report.pk, f"answer-{report.pk}": "both signed 1–0"})
    report.refresh_from_db()
    assert (report.state, report.answer, report.contact) == ("declined", "both signed 1–0", "")
    text = desk.get(reports_page()).text
    assert "both signed" in text
    assert (f"answer-{other.pk}" in text, f"answer-{report.pk}" in text) == (True, False)
    assert "both signed" not in str(list(AuditEvent.objects.values("before", "after", "note")))
    assert list(PlayerRating.objects.order_by("pk").values()) == before
    with pytest.raises(Refused, match="settled already"):
        decline_report(report.pk, by=None, answer="no")
    assert count_open(User.objects.get()) == 1
    assert settled_reports(User.objects.get()) == [report]
    assert open_by_game([game.pk, other.game_id]) == {other.game_id: 1}
    again = made(game)
    assert open_by_game([game.pk]) == {game.pk: 1}, "one waits, one is settled"
    again.delete()
    assert [line.subject_key for line in AuditEvent.objects.filter(action="report.declined")] == [report.pk]
    decline_report(other.pk, by=None, answer="the flag had fallen" * 30)
    assert settled_reports(User.objects.get()) == [other, report], "the last one first"
    other.refresh_from_db()
    assert len(other.answer) == 300


def test_a_result_that_came_to_stand_so_otherwise_settles_it_with_a_button(desk: Client, game: Game) -> None:
    report = made(game)
    early = desk.post(reports_page(), {"settle": report.pk})
    assert early.status_code == 409
    other = report_result(game.pk, Result.BLACK_WINS, role="visitor")
    Game.objects.filter(pk=game.pk).update(result="1/2")
    assert "It stands so: settled" in desk.get(reports_page()).text
    assert desk.post(reports_page(), {"settle": other.pk}).status_code == 409, "that is not what it claimed"
    report.refresh_from_db()
    assert report.state == "open"
    desk.post(reports_page(), {"settle": report.pk})
    report.refresh_from_db()
    assert report.state == "accepted"


def test_reports_on_events_of_others_are_not_an_arbiters_business(desk: Client, game: Game) -> None:
    report = made(game)
    game.tournament.officers.add(factory.make_arbiter("other"))
    assert WORDS not in desk.get(reports_page()).text
    assert desk.post(reports_page(), {"decline": report.pk, f"answer-{report.pk}": "x"}).status_code == 409
    assert "waits for a decision" not in desk.get(reverse("admin:index")).text
    report.refresh_from_db()
    assert report.state == "open"
    desk.force_login(factory.make_rating_officer())
    assert WORDS in desk.get(reports_page()).text, "who answers for the ratings corrects every event"
    desk.force_login(factory.make_assistant())
    assert desk.get(reports_page()).status_code == 403


def test_the_list_costs_the_same_however_many_there_are(desk: Client, game: Game) -> None:
    made(game)
    desk.get(reports_page())
    with CaptureQueriesContext(connection) as few:
        desk.get(reports_page())
    for other in Game.objects.filter(tournament=game.tournament, result="1/2"):
        report_result(other.pk, Result.WHITE_WINS, role="visitor")
    made(game)
    with CaptureQueriesContext(connection) as more:
        desk.get(reports_page())
    assert len(more) == len(few)
    assert open_by_game([game.pk]) == {game.pk: 2}


def test_the_public_reads_nothing_of_it(game: Game) -> None:
    made(game)
    for page in ("rounds/1/", "", "standings/", f"games/{game.pk}/wrong/"):
        text = Client().get(f"/tournaments/{game.tournament.slug}/{page}").text
        assert WORDS not in text
        assert CONTACT not in text


# --- and is forgotten ---------------------------------------------------------------------------------------------
def test_erasing_somebody_clears_what_was_written_about_his_results(game: Game) -> None:
    made(game, words="Adi slipped", contact="her aunt")
    elsewhere = Game.objects.filter(tournament=game.tournament, result="1/2").exclude(white=game.white)[0]
    report_result(elsewhere.pk, Result.WHITE_WINS, role="visitor", words=f"{game.white.name} saw it, ask Boris")
    anonymise_player(game.white_id, by=None)
    left = list(ResultReport.objects.order_by("pk").values_list("words", "contact"))
    assert left == [("", ""), (f"#{game.white.number} saw it, ask Boris", "")]


def test_a_corrected_result_can_be_reported_again(game: Game) -> None:
    made(game)
    correct_result(game=game.pk, result=Result.DRAW, by=None)
    again = report_result(game.pk, Result.WHITE_WINS, role="member")
    assert (again.state, again.stood) == ("open", "1/2")
