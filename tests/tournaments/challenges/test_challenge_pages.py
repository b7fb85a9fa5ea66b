"""Members challenge, check in and report from their own phones, and an arbiter runs the evening at the desk."""

from datetime import timedelta

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries

from players.models import AuditEvent, Club, Player
from tests import factory
from tests.players.links.link_cases import phone_of
from tests.tournaments.challenges import challenge_cases
from tests.tournaments.challenges.challenge_cases import ask, entry, order, player
from tests.tournaments.score_sheets.photo_cases import photo
from tests.visitor import Page
from tournaments.challenges.services import accept
from tournaments.evenings.services import arrive, open_evening, set_boards
from tournaments.events.services.events import open_event
from tournaments.free_boards.services.boards import set_board
from tournaments.free_boards.services.rules import set_free_rules
from tournaments.models import Arrival, Challenge, Evening, FreeRules, Game, ScoreSheet, Tournament
from tournaments.player_results.services import report_own_result
from tournaments.standings.points import Result

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("club_time")]
ladder = challenge_cases.ladder


def press(phone: Client, path: str, **sent: object) -> int:
    return phone.post(path, {name: str(value) for name, value in sent.items()}).status_code


def test_a_double_tap_makes_one_challenge(ladder: Tournament) -> None:
    assert ask(ladder, 3, 1) == ask(ladder, 3, 1)
    assert AuditEvent.objects.filter(action="challenge.made").count() == 1


def test_two_phones_challenge_accept_and_play(ladder: Tournament) -> None:
    path, one, three = f"{ladder.get_absolute_url()}challenges/", player(ladder, 1), player(ladder, 3)
    own, theirs, strangers = phone_of(three), phone_of(one), phone_of(player(ladder, 5))
    assert "Open my link" in Client().get(path).text
    assert press(Client(), path, player=3, challenge=entry(ladder, 1).pk) == 403
    assert press(strangers, path, player=3, challenge=entry(ladder, 1).pk) == 409, "not that device's player"
    assert press(strangers, path, player=5, challenge=entry(ladder, 1).pk) == 409
    assert press(own, path, player=3, challenge="x") == press(own, path, player=3) == 409
    for _tap in range(2):
        assert press(own, path, player=3, challenge=entry(ladder, 1).pk) == 302
    row = Challenge.objects.get()
    assert "challenges you" in theirs.get("/mine/").text
    assert "You challenge" in own.get("/mine/").text
    both = phone_of(player(ladder, 5), client=phone_of(one))
    assert both.get("/mine/").text.count("challenges you") == 1, "under whom it concerns"
    assert one.name not in strangers.get("/mine/").text, "what waits is the two sides' alone"
    assert press(strangers, path, player=5, accept=row.pk) == 409
    other = ask(ladder, 5, 4)
    assert press(phone_of(player(ladder, 4)), path, player=4, decline=other.pk) == 302
    other.refresh_from_db()
    assert other.state == Challenge.State.DECLINED
    assert press(theirs, path, player=1, accept=row.pk, mine=1) == 302
    assert press(own, path, player=3, withdraw=row.pk) == 409, "the old tab"
    game = Game.objects.get()
    board = f"{ladder.get_absolute_url()}games/{game.pk}/"
    assert "What happened?" in own.get("/mine/").text
    for phone, number in ((own, 3), (theirs, 1)):
        assert press(phone, board, player=number, revision=game.revision, claimed="0-1") == 302
    assert "0–1" in Client().get(board).text
    assert order(ladder) == [3, 1, 2, 4, 5]


def test_switched_off_no_button_is_left_over(ladder: Tournament) -> None:
    ask(ladder, 3, 1)
    own = phone_of(player(ladder, 1))
    FreeRules.objects.update(challenges=False)
    assert "challenges you" not in own.get("/mine/").text
    path = f"{ladder.get_absolute_url()}challenges/"
    assert own.get(path).status_code == 404
    FreeRules.objects.update(challenges=True)
    assert own.get(path).status_code == 200
    Club.objects.update(personal_links=False)
    assert own.get(path).status_code == 404


def test_photos_of_a_disputed_board_of_a_ladder_are_added_and_seen_too(ladder: Tournament) -> None:
    Tournament.objects.update(score_sheets=True)
    accept(ask(ladder, 3, 1).pk, player(ladder, 1).pk)
    game = Game.objects.get()
    for side, said in ((game.white, Result.WHITE_WINS), (game.black, Result.BLACK_WINS)):
        report_own_result(game.pk, side.pk, said, revision=game.revision)
    phone, page = phone_of(game.white), f"/tournaments/{ladder.slug}/games/{game.pk}/"
    assert 'name="photo"' in phone.get(page).text
    sent = {"player": game.white.number, "photo": SimpleUploadedFile("IMG_1.jpg", photo())}
    assert phone.post(f"{page}sheets/", sent).status_code == 302
    assert phone.get(f"{page}sheets/{ScoreSheet.objects.get().pk}.jpg").status_code == 200


@pytest.mark.extended
@pytest.mark.parametrize(("limit", "page"), [("challenges", "challenges/"), ("evening", "here/{}/")])
def test_a_device_that_sends_much_is_slowed_down(ladder: Tournament, limit: str, page: str) -> None:
    path, phone = (
        ladder.get_absolute_url() + page.format(open_evening(ladder, by=None).door_code),
        phone_of(player(ladder, 3)),
    )
    sent = {"player": 3, "challenge": 0, "here": 3}
    first = press(phone, path, **sent)
    assert first in (302, 409)
    while (status := press(phone, path, **sent)) == first:
        pass
    assert status == 429
    arrived, asked = Arrival.objects.count(), Challenge.objects.count()
    assert press(phone, path, player=3, challenge=entry(ladder, 1).pk, going=3) == 429
    assert (Arrival.objects.filter(left_at=None).count(), Challenge.objects.count()) == (arrived, asked)


def test_the_ladders_page_shows_boards_and_hides_the_hidden(
    ladder: Tournament, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    ask(ladder, 5, 4)
    for white, black in ((1, 2), (2, 3)):
        set_board(ladder, player(ladder, white).pk, player(ladder, black).pk, by=None)
    hidden = player(ladder, 2)
    Player.objects.filter(pk=hidden.pk).update(visibility="hidden")
    with django_assert_max_num_queries(25):
        page = Client().get(ladder.get_absolute_url()).text
    assert "To be played" in page
    assert "Challenge somebody" in page
    assert hidden.name not in page + Client().get("/mine/?player=1").text
    Tournament.objects.filter(pk=ladder.pk).update(closed=True)
    assert "To be played" not in Client().get(ladder.get_absolute_url() + "?again").text


def test_at_the_door(ladder: Tournament, monkeypatch: pytest.MonkeyPatch) -> None:
    evening = open_evening(ladder, by=None)
    path, phone = f"{ladder.get_absolute_url()}here/{evening.door_code}/", phone_of(player(ladder, 1))
    assert "not known here" in Client().get(path).text
    assert (press(Client(), path, here=1), press(phone, path, here=2)) == (403, 409)
    assert [press(phone, path, here=1), press(phone, path, here=1), press(phone, path, going=1)] == [302] * 3
    assert Arrival.objects.get().left_at is not None
    stranger = phone_of(factory.make_players(6)[5])
    assert press(stranger, path, here=Player.objects.latest("pk").number) == 409, "has no place on the ladder"
    with monkeypatch.context() as at_its_end:
        at_its_end.setattr(timezone, "now", lambda: evening.ends_at)
        old = phone.get(path)
        assert (old.status_code, "that evening is over" in old.text, press(phone, path, here=1)) == (410, True, 410)
    assert phone.get(f"{ladder.get_absolute_url()}here/guessed/").status_code == 404
    Evening.objects.update(ends_at=timezone.now() + timedelta(hours=1))
    assert phone.get(path).status_code == 200
    Tournament.objects.filter(pk=ladder.pk).update(closed=True)
    assert (phone.get(path).status_code, press(phone, path, here=1)) == (410, 410)


def test_the_desk_runs_an_evening(ladder: Tournament, client: Client) -> None:
    client.force_login(factory.make_arbiter())
    desk = f"/admin/tournaments/tournament/{ladder.pk}/evening/boards/"
    assert press(client, desk, open=1) == 302
    sheet = client.get(desk.replace("boards", "sheet")).text
    assert Evening.objects.get().door_code in sheet
    for number in (1, 2, 3):
        assert press(client, desk, arrive=f"#{number}") == 302
    for wrong in (
        {"arrive": "Nobody Known"},
        {"arrive": " "},
        {"leave": 0},
        {"propose": 1},
        {"set": 1, "white": "#1"},
        {},
    ):
        assert press(client, desk, **wrong) == 409, wrong
    form = next(form for form in Page(client.get(desk).text).forms if "pair" in form.names)
    assert press(client, desk, propose=1, pair=form.values["pair"][0]) == 302
    assert press(client, desk, propose=1, pair=form.values["pair"][0]) == 409, "the old tab"
    game = Game.objects.get()
    own = phone_of(game.white).get("/mine/").text
    assert ("What happened?" in own, "White against" in own) == (True, False)
    sent = {"enter": game.pk, f"revision-{game.pk}": game.revision, f"result-{game.pk}": "1-0"}
    assert press(client, desk, **{**sent, f"result-{game.pk}": "adj"}) == 409, "a free game is played at once"
    assert press(client, desk, **sent) == 302
    row = ask(ladder, 5, 4)
    assert [press(client, desk, accept=row.pk), press(client, desk, accept=row.pk + 9)] == [302, 409]
    board = Challenge.objects.get(pk=row.pk).game_id
    assert press(client, desk, **{"take-off": board}) == 302
    assert press(client, desk, set=1, white="#4", black="#5") == 302
    assert list(Game.objects.filter(result="").values_list("white__number", "black__number")) == [(4, 5)]
    row = ask(ladder, 2, 1)
    assert press(client, desk, cancel=row.pk) == 302
    row.refresh_from_db()
    assert row.state == Challenge.State.CANCELLED
    assert press(client, desk, end=Evening.objects.get().pk) == 302
    assert press(client, desk, arrive="#1") == 409, "no evening is on"
    assert client.get(desk.replace("boards", "sheet")).status_code == 404


def test_the_desk_and_the_page_of_one_ladder_know_nothing_of_another(ladder: Tournament, client: Client) -> None:
    client.force_login(factory.make_arbiter())
    other = factory.make_ladder(factory.first_players(5), name="Other").tournament
    set_free_rules(other, challenge_cases.ON, by=None, revision=0)
    board = set_board(other, player(ladder, 1).pk, player(ladder, 2).pk, by=None)
    set_board(other, player(ladder, 1).pk, player(ladder, 3).pk, by=None)  # one may have several
    row, evening, own = ask(other, 4, 3), open_evening(other, by=None), open_evening(ladder, by=None)
    arrive(evening.pk, player(ladder, 1))
    desk = f"/admin/tournaments/tournament/{ladder.pk}/evening/boards/"
    for sent in (
        {"enter": board.pk, f"revision-{board.pk}": board.revision, f"result-{board.pk}": "1-0"},
        {"take-off": board.pk},
        {"accept": row.pk},
        {"cancel": row.pk},
        {"end": evening.pk},
        {"leave": player(ladder, 1).pk},
    ):
        assert press(client, desk, **sent) == 409, sent
    shown = client.get(desk).context
    assert [shown[name] for name in ("boards", "challenges", "here", "evening")] == [[], [], [], own]
    sides = [
        phone_of(row.challenged.player).get(f"{event.get_absolute_url()}challenges/").context["sides"]
        for event in (ladder, other)
    ]
    assert [[each.challenge for each in side.waiting] for [side] in sides] == [[], [row]]


def test_an_officer_switches_it_on_for_club_evenings_too(ladder: Tournament, client: Client) -> None:
    client.force_login(factory.make_arbiter())
    evenings = open_event("Thursdays", pool="standard", by=None).tournament
    path = f"/admin/tournaments/tournament/{evenings.pk}/evening/members/"
    assert "challenge each other" not in client.get(path).text
    assert press(client, path, check_in="on", partners="new", revision=0) == 302
    assert press(client, path, check_in="on", partners="new", revision=0) == 409
    evening = open_evening(evenings, by=None)
    people = [player(ladder, place) for place in (1, 2)]
    for each in people:
        arrive(evening.pk, each)
    set_boards(evening.pk, [(people[0].pk, people[1].pk)], by=None)
    factory.make_round_robin(people)
    own_page = phone_of(people[0]).get("/mine/").text
    assert ("White against" in own_page, "Board 1:" in own_page) == (True, False), "of rounds only what is reported"
    assert "/challenges/" not in Client().get(evenings.get_absolute_url()).text
