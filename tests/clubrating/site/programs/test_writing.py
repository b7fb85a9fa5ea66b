"""The write API: the desk's services and refusals as JSON, nothing twice, and never more than the officer may."""

from datetime import timedelta
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.utils import timezone

from clubrating.site.programs import requests
from players.models import ApiAnswer, ApiToken, AuditEvent, Player
from players.officers.roles import ARBITER, group_of
from players.officers.services.officers import set_role
from players.programs.services import forget_old_answers, make_token, revoke_token, token_of
from players.refusals import Refused
from ratings.models import RatingList
from tests import factory
from tests.clubrating.site.programs.program_cases import API, BOARD, CUP, Program, program_of
from tests.tournaments.event_pages import page_cases
from tournaments.corrections.services import corrections
from tournaments.formats.services import Calendar, form_stages, make_rounds
from tournaments.free_play.services import record_free_game
from tournaments.models import AbsenceNotice, CheckIn, Entry, Game, Round, Tournament
from tournaments.rounds.services.next_round import pair_next_round
from tournaments.standings.points import Result
from tournaments.teams.services.events import NewTeamEvent, create_team_event
from tournaments.trail.admin import line_of
from tournaments.trail.selectors import places_of

pytestmark = pytest.mark.django_db
WIN, LOSS = {"result": "1-0"}, {"result": "0-1"}


@pytest.fixture(scope="module", autouse=True)
def scene(world: None) -> None:
    factory.make_club()
    factory.make_list()
    factory.make_round_robin(factory.make_players(5))
    page_cases.make_event(factory.first_players(4), "dutch", name="Open", rounds=3)
    factory.make_arbiter()
    factory.make_assistant()


@pytest.fixture
def arbiter() -> User:
    return User.objects.get(username="arbiter")


@pytest.fixture
def program(arbiter: User) -> Program:
    return program_of(arbiter)


def game() -> Game:
    return Game.objects.get(tournament__slug="winter-cup", pairing__round__number=1, pairing__board=1)


# --- results --------------------------------------------------------------------------------------------------------
def test_a_result_is_entered_as_on_the_desk_and_the_trail_names_the_token(program: Program) -> None:
    later = {**WIN, "played_on": "2026-01-06"}
    stale = program.post(f"{BOARD}result/", {**later, "revision": game().revision + 1})
    assert (stale.status_code, stale.json()["stale"], game().result) == (409, True, "")
    found = program.post(f"{BOARD}result/", {**later, "revision": game().revision})
    assert (found.status_code, found.json()["result"], found.json()["played_on"]) == (200, "1-0", "2026-01-06")
    assert RatingList.objects.get().revision
    line = AuditEvent.objects.get(action="result.recorded")
    assert (line.actor.username, line.role) == ("arbiter", "arbiter")  # type: ignore[union-attr]
    assert line_of(line, places_of([line]), runs_events=True).origin == "token “Door”"


def test_a_second_result_is_refused_and_one_that_knows_the_first_corrects_it(program: Program) -> None:
    first = program.post(f"{BOARD}result/", WIN).json()
    assert program.post(f"{BOARD}result/", LOSS).status_code == 409
    change = {**LOSS, "reason": "entry-error", "note": "misread", "played_on": "2026-01-04"}
    stale = program.post(f"{BOARD}correction/", {**change, "revision": first["revision"] - 1})
    assert (stale.status_code, stale.json()["stale"], game().result) == (409, True, "1-0")
    done = program.post(f"{BOARD}correction/", {**change, "revision": first["revision"]})
    assert (done.status_code, done.json()["result"], game().result) == (200, "0-1", "0-1")
    assert done.json()["played_on"] == "2026-01-04"
    line = AuditEvent.objects.get(action="result.corrected")
    assert (line.reason, line.note) == ("entry-error", "misread")


def test_a_score_is_entered_and_corrected_where_the_event_keeps_scores(program: Program) -> None:
    Tournament.objects.filter(slug="winter-cup").update(scores="goals")
    first = program.post(f"{BOARD}result/", {**WIN, "score": "3-1"}).json()
    assert (game().white_points, game().black_points) == (3, 1)
    change = {**WIN, "score": "3-2", "reason": "entry-error", "revision": first["revision"]}
    assert program.post(f"{BOARD}correction/", change).status_code == 200
    assert (game().white_points, game().black_points) == (3, 2)


def test_of_groups_side_by_side_no_board_is_taken_for_that_of_another(program: Program) -> None:
    event = page_cases.make_event(factory.make_players(8), "groups", name="Groups")
    for group in form_stages(event.stages.get(), by=None, seed=1)[:2]:
        make_rounds(group, by=None, calendar=Calendar(factory.MONDAY))
    board = BOARD.replace("winter-cup", "groups")
    assert [program.post(f"{board}result/", WIN).status_code, Client().get(board).status_code] == [409, 409]
    assert not Game.objects.filter(tournament=event).exclude(result="").exists()


def test_the_board_tells_the_revision_a_correction_needs(program: Program) -> None:
    program.post(f"{BOARD}result/", WIN)
    found = Client().get(BOARD).json()
    assert (found["revision"], found["result"]) == (game().revision, "1-0")
    assert found["white"] == game().white.name
    assert Client().get(BOARD.replace("boards/1/", "boards/99/")).status_code == 404
    Round.objects.update(state=Round.State.DRAFT)
    officer = Client()
    officer.force_login(User.objects.get(username="arbiter"))
    assert [client.get(BOARD).status_code for client in (Client(), officer)] == [404, 200], "a draft is for officers"


# --- entries and presence -------------------------------------------------------------------------------------------
def test_an_entry_is_made_and_taken_back_before_there_are_rounds(program: Program) -> None:
    address = f"{API}tournaments/open/entries/"
    number = factory.make_players(5)[4].number
    assert program.post(address, {"player": number}).status_code == 201
    assert program.post(address, {"player": number}).status_code == 409
    assert program.post(f"{address}{number}/withdrawal/").json()["withdrawn"]
    assert not Entry.objects.filter(tournament__slug="open", player__number=number).exists()


def test_once_rounds_are_made_whoever_leaves_is_withdrawn_and_whoever_comes_is_late(program: Program) -> None:
    open_event = Tournament.objects.get(slug="open")
    pair_next_round(page_cases.first_stage(open_event), by=None, day=factory.MONDAY, publish=True)
    late = program.post(f"{API}tournaments/open/entries/", {"player": factory.make_players(5)[4].number})
    assert (late.status_code, late.json()["first_round"]) == (201, 2)
    assert program.post(f"{API}tournaments/open/entries/1/withdrawal/", {"note": "ill"}).status_code == 200
    assert Entry.objects.get(tournament=open_event, player__number=1).withdrawn
    assert AuditEvent.objects.get(action="entry.withdrawn").note == "ill"


def test_a_ladder_forgets_who_leaves_before_anything_is_played_and_withdraws_who_leaves_later(program: Program) -> None:
    one, two, three = factory.first_players(3)
    ladder = factory.make_ladder([one, two, three]).tournament
    for player, stays in ((three, False), (two, True)):
        assert program.post(f"{API}tournaments/ladder/entries/{player.number}/withdrawal/").status_code == 200
        assert Entry.objects.filter(tournament=ladder, player=player, withdrawn=True).exists() is stays
        if not stays:
            record_free_game(ladder, two, one, Result.DRAW, factory.MONDAY, by=None)
    assert Entry.objects.filter(tournament=ladder, withdrawn=False).get().player == one
    assert not Entry.objects.exclude(tournament=ladder).filter(withdrawn=True).exists()


def test_who_is_here_is_noted_for_all_named_or_for_nobody(program: Program) -> None:
    assert program.post(f"{CUP}check-in/", {"here": [1, 2], "away": [3]}).json()["changed"] == 3
    assert dict(CheckIn.objects.values_list("entry__player__number", "here")) == {1: True, 2: True, 3: False}
    for body in ({"here": [4, 999]}, {"here": [4], "away": [4]}, {}, {"here": [4], "on": "2999-01-01"}):
        assert program.post(f"{CUP}check-in/", body).status_code in (400, 404, 409)
    assert CheckIn.objects.count() == 3


def test_an_absence_is_noted_and_taken_back(program: Program) -> None:
    for absent in (True, False):
        body = {"player": 1, "absent": absent}
        assert program.post(f"{API}tournaments/open/rounds/1/absence/", body).json()["absent"] is absent
        assert AbsenceNotice.objects.exists() is absent
    assert program.post(f"{API}tournaments/open/rounds/9/absence/", {"player": 1, "absent": True}).status_code == 409


# --- nothing twice --------------------------------------------------------------------------------------------------
def test_the_same_request_under_a_key_is_done_once_and_answered_alike(program: Program) -> None:
    first, again = (program.post(f"{BOARD}result/", WIN, key="a" * 100) for _ in range(2))
    assert (again.status_code, again.content) == (200, first.content)
    assert AuditEvent.objects.filter(action="result.recorded").count() == 1
    other = program.post(f"{BOARD}result/", LOSS, key="a" * 100)
    assert (other.status_code, other.json()["field"]) == (422, "Idempotency-Key")
    elsewhere = program.post(f"{BOARD.replace('boards/1', 'boards/2')}result/", WIN, key="a" * 100)
    assert elsewhere.status_code == 422


def test_a_key_is_its_tokens_own_and_is_forgotten_after_a_week(program: Program, arbiter: User) -> None:
    program.post(f"{BOARD}result/", WIN, key="a" * 100)
    second = program_of(arbiter).post(f"{BOARD}result/", WIN, key="a" * 100)
    assert (second.status_code, ApiAnswer.objects.count()) == (409, 1)  # refused: nothing done, nothing kept
    assert forget_old_answers() == 0
    ApiAnswer.objects.update(made_at=timezone.now() - timedelta(days=7, minutes=1))
    assert forget_old_answers() == 1


def test_what_is_refused_under_a_key_may_be_sent_again_when_it_can_be_done(program: Program) -> None:
    Round.objects.filter(number=1, stage__tournament__slug="winter-cup").update(state=Round.State.DRAFT)
    assert program.post(f"{BOARD}result/", WIN, key="a" * 100).status_code == 409
    Round.objects.update(state=Round.State.PUBLISHED)
    assert program.post(f"{BOARD}result/", WIN, key="a" * 100).status_code == 200


# --- who may --------------------------------------------------------------------------------------------------------
DEEDS: dict[str, tuple[str, dict[str, Any]]] = {
    "results": (f"{BOARD}result/", WIN),
    "entries": (f"{CUP}entries/5/withdrawal/", {}),
    "check-in": (f"{CUP}check-in/", {"here": [1]}),
}


@pytest.mark.parametrize("scope", DEEDS)
def test_a_token_does_what_its_scope_is_for_and_nothing_else(arbiter: User, scope: str) -> None:
    for each, (address, body) in DEEDS.items():
        if each != scope:
            assert program_of(arbiter, scope).post(address, body).status_code == 403, each
    assert program_of(arbiter, scope).post(*DEEDS[scope]).status_code == 200


def test_a_token_never_does_more_than_its_officer_may_now(program: Program, arbiter: User, settings: Any) -> None:
    assistant = User.objects.get(username="assistant")
    with pytest.raises(Refused):
        make_token(officer=assistant, name="Door", scopes=["entries"], days=1)
    helper = program_of(assistant, "results", "check-in")
    correction = {**LOSS, "reason": "appeal", "revision": 0}
    assert helper.post(f"{BOARD}correction/", correction).status_code == 403
    Tournament.objects.get(slug="winter-cup").officers.add(assistant)
    assert [program.post(*deed).status_code for deed in DEEDS.values()] == [403] * 3
    Tournament.objects.get(slug="winter-cup").officers.clear()
    arbiter.groups.clear()
    assert [program.post(*deed).status_code for deed in DEEDS.values()] == [403] * 3
    arbiter.groups.add(group_of(ARBITER))
    settings.SECOND_FACTOR_REQUIRED = True
    found = program.post(*DEEDS["results"])
    assert (found.status_code, "turn on a second factor" in found.json()["error"]) == (403, True)
    settings.SECOND_FACTOR_REQUIRED = False
    for lost in ("is_staff", "is_active"):
        User.objects.filter(pk=arbiter.pk).update(**{"is_staff": True, lost: False})
        assert [program.post(*deed).status_code for deed in DEEDS.values()] == [403] * 3
        assert program.get(f"{API}token/").status_code == 403


def test_an_account_that_was_closed_and_opened_again_has_no_tokens(program: Program, arbiter: User) -> None:
    for active in (False, True):
        set_role(arbiter, ARBITER, active=active, by=None)
    assert program.get(f"{API}token/").status_code == 401


def test_a_token_of_one_event_does_nothing_in_another(arbiter: User) -> None:
    own = program_of(arbiter, event=Tournament.objects.get(slug="open").pk)
    assert own.post(f"{BOARD}result/", WIN).status_code == 403
    assert own.post(f"{API}tournaments/no-such/check-in/", {"here": [1]}).status_code == 403
    assert own.post(f"{API}tournaments/open/check-in/", {"here": [1]}).status_code == 200
    assert own.get(f"{API}token/").json()["event"] == "open"


def test_without_a_token_that_is_valid_nothing_opens(program: Program, arbiter: User) -> None:
    row = ApiToken.objects.get()
    assert program.secret not in str(vars(row))
    for wrong in ("", "club_", "club_" + "x" * 43, "x" * 5000, "ü"):
        assert Program(wrong).post(f"{BOARD}result/", WIN).status_code == 401
    ApiToken.objects.update(expires_at=timezone.now())
    assert program.post(f"{BOARD}result/", WIN)["WWW-Authenticate"] == "Bearer"
    ApiToken.objects.update(expires_at=timezone.now() + timedelta(days=1))
    with pytest.raises(Refused):
        revoke_token(row.pk, by=User.objects.get(username="assistant"))
    newer, secret = make_token(officer=arbiter, name="Gate", scopes=["results"], days=1)
    revoke_token(newer.pk, by=arbiter)
    assert (token_of(secret), token_of(program.secret)) == (None, row)
    revoke_token(row.pk, by=arbiter)
    assert program.get(f"{API}token/").status_code == 401
    assert token_of(program.secret) is None


def test_an_officers_cookies_open_nothing_there(arbiter: User) -> None:
    client = Client()
    client.force_login(arbiter)
    for address, body in DEEDS.values():
        answer = client.post(address, body, content_type="application/json")
        assert (answer.status_code, "Access-Control-Allow-Origin" in answer) == (401, False)
    assert "Access-Control-Allow-Origin" not in client.options(DEEDS["results"][0], headers={"origin": "https://evil"})


# --- what is wrong --------------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("body", "status", "field"),
    [
        ("[]", 400, ""),
        ("{", 400, None),
        ('{"result": NaN}', 400, None),
        ("[" * 20_000, 400, None),
        ('{"\\ud800": 1}', 400, None),
        ('{"result": "1-0", "result": "0-1"}', 400, None),
        ({}, 400, "result"),
        ({"result": "2-0"}, 400, "result"),
        ({"result": True}, 400, "result"),
        ({**WIN, "force": 1}, 400, "force"),
        ({**WIN, "played_on": "6.1.2026"}, 400, "played_on"),
        ({**WIN, "revision": -1}, 400, "revision"),
        ('{"result": "1-0", "score": "\\u0000"}', 400, None),
        ({**WIN, "played_on": "2999-01-01"}, 409, None),
        ({**WIN, "score": "21-15"}, 409, None),
        (" " * 20_001, 413, None),
    ],
)
def test_a_body_that_is_wrong_is_answered_with_the_field(program: Program, body: Any, status: int, field: Any) -> None:
    answer = program.post(f"{BOARD}result/", body)
    assert answer.status_code == status
    assert answer.json()["error"].endswith(".") or status == 400
    assert field is None or answer.json()["field"] == field
    assert not game().result


def test_nobody_enters_who_is_not_there_nor_a_team_by_its_players(program: Program) -> None:
    assert program.post(f"{API}tournaments/open/entries/", {"player": 999}).json()["error"] == "There is no player 999."
    [twin] = factory.make_players(1)
    Player.objects.filter(pk=twin.pk).update(merged_into=factory.first_players(1)[0])
    merged = program.post(f"{API}tournaments/open/entries/", {"player": twin.number})
    assert merged.json()["error"] == f"There is no player {twin.number}."
    league = create_team_event(NewTeamEvent("Team League", starts_on=factory.MONDAY, rules={"boards": 2}), by=None)
    for deed, body in (("entries/", {"player": 5}), ("entries/5/withdrawal/", {})):
        found = program.post(f"{API}tournaments/{league.slug}/{deed}", body)
        assert (found.status_code, found.json()["error"]) == (409, "The lists of teams are kept at the desk.")
    assert not Entry.objects.filter(player__number__in=(5, twin.number, 999), tournament__slug="open").exists()


def test_a_correction_behind_many_games_is_carried_out_in_the_background(
    program: Program, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = program.post(f"{BOARD}result/", WIN).json()
    monkeypatch.setattr(corrections, "LONG_TAIL", 0)
    change = {**LOSS, "reason": "entry-error", "revision": first["revision"]}
    found = program.post(f"{BOARD}correction/", change)
    assert (found.status_code, found.json()["waiting"]) == (202, True)
    assert game().result == "0-1"


def test_other_ways_of_asking_are_answered_with_their_status(program: Program) -> None:
    assert program.post(f"{BOARD}result/", "result=1-0", **{"content-type": "text/plain"}).status_code == 415
    assert program.post(f"{BOARD}result/", WIN, key="ü").status_code == 400
    assert program.get(f"{BOARD}result/")["Allow"] == "POST"
    assert program.post(f"{API}tournaments/none/check-in/", {"here": [1]}).status_code == 404
    assert program.post(f"{BOARD}result/", "x" * 600_000).json()["error"]


def test_a_program_in_a_loop_is_told_to_wait(program: Program, settings: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    settings.RATE_LIMITS = True
    monkeypatch.setattr(requests, "EACH_TOKEN", requests.RateLimit("token", 2, 60))
    answers = [program.post(f"{CUP}check-in/", {"here": [1]}) for _ in range(3)]
    assert [each.status_code for each in answers] == [200, 200, 429]
    assert answers[2]["Retry-After"] == "60"


def test_wrong_tokens_of_a_hall_lock_no_valid_one_out(
    program: Program, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.RATE_LIMITS = True
    monkeypatch.setattr(requests, "WRONG_TOKENS", requests.RateLimit("wrong-in-hall", 1, 600))
    assert [Program("club_").post(f"{BOARD}result/", WIN).status_code for _ in range(2)] == [401, 429]
    assert program.post(f"{BOARD}result/", WIN).status_code == 200
