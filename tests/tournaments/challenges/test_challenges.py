"""Members challenge each other on a ladder and check in on evenings, from their own phones."""

import re
from collections.abc import Callable
from datetime import timedelta

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries

from players.models import AuditEvent, Player
from players.refusals import Refused, Stale
from ratings.models import LedgerEntry
from tests import factory
from tests.players.links.link_cases import phone_of, switch_links_on
from tests.tournaments.free_play.test_free_play import make_ladder
from tests.tournaments.score_sheets.photo_cases import photo
from tests.visitor import Page
from tournaments.challenges.selectors import due_reminders, ladder_now, open_challenges, rules_with_challenges
from tournaments.challenges.services import accept, cancel, challenge, decline, remind, withdraw
from tournaments.evenings.services import arrive, open_evening, set_boards
from tournaments.event_pages.selectors.formats import ladder_of
from tournaments.events.services.events import open_event
from tournaments.free_boards.services.boards import enter_result, set_board, take_off
from tournaments.free_boards.services.rules import NewFreeRules, set_free_rules
from tournaments.free_play.services import record_free_game
from tournaments.models import Arrival, Challenge, Entry, Evening, FreeRules, Game, ScoreSheet, Tournament
from tournaments.notices.selectors import CHALLENGE
from tournaments.player_results.services import Said, report_own_result
from tournaments.standings.points import Result
from tournaments.withdrawals.services.withdrawals import withdraw_entry

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("club_time")]
DAY = timedelta(days=1)
ON = NewFreeRules(challenges=True, check_in=True)


@pytest.fixture(scope="module")
def ladder(world: None) -> Tournament:
    factory.make_club()
    factory.make_list()
    switch_links_on()
    ladder = make_ladder(factory.make_players(5), reach=2).tournament
    set_free_rules(ladder, ON, by=None, revision=0)
    Tournament.objects.filter(pk=ladder.pk).update(player_results="agreed")
    return ladder


def entry(ladder: Tournament, place: int) -> Entry:
    """By the place at the start."""
    return Entry.objects.select_related("player").get(tournament=ladder, number=place)


def player(ladder: Tournament, place: int) -> Player:
    return entry(ladder, place).player


def ask(ladder: Tournament, own: int, other: int) -> Challenge:
    return challenge(ladder, player(ladder, own).pk, entry(ladder, other).pk)


def order(ladder: Tournament) -> list[int | None]:
    return [each.number for each in ladder_of(factory.stage_of(ladder)).order]


def past(row: Challenge, days: int) -> None:
    """As if so many days had passed since it was made."""
    row.refresh_from_db()
    for name in ("made_on", "answer_by", "play_by"):
        if day := getattr(row, name):
            Challenge.objects.filter(pk=row.pk).update(**{name: day - days * DAY})


# --- challenges -----------------------------------------------------------------------------------------------------
def test_an_accepted_challenge_is_a_board_whose_result_both_report(ladder: Tournament) -> None:
    row = ask(ladder, 3, 1)
    assert accept(row.pk, player(ladder, 1).pk).game == accept(row.pk, player(ladder, 1).pk).game, "pressed twice"
    game = Game.objects.get()
    assert (game.white, game.black, game.result) == (player(ladder, 1), player(ladder, 3), "")
    today = timezone.localdate()
    assert list(open_challenges(ladder.pk, today)) == [row]
    for side, said in ((game.white_id, Said.WAITS), (game.black_id, Said.ENTERED)):
        assert report_own_result(game.pk, side, Result.BLACK_WINS, revision=game.revision) == said
    assert order(ladder) == [3, 1, 2, 4, 5]
    assert LedgerEntry.objects.filter(game=game).exists()
    assert not open_challenges(ladder.pk, today)
    actions = AuditEvent.objects.filter(action__startswith="challenge.").order_by("pk")
    assert list(actions.values_list("action", "role")) == [
        ("challenge.made", "player"),
        ("challenge.accepted", "player"),
    ]


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


def test_whom_somebody_may_challenge(ladder: Tournament) -> None:
    rules = rules_with_challenges(ladder.pk)
    assert rules
    now = ladder_now(rules, timezone.localdate())
    assert now
    assert [(each.entry.number, each.place) for each in now.opponents(entry(ladder, 4))] == [(3, 3), (2, 2)]
    assert now.opponents(entry(ladder, 1)) == []


@pytest.mark.parametrize(
    ("prepare", "own", "other", "says"),
    [
        (lambda _: None, 4, 1, "within reach"),
        (lambda _: None, 1, 2, "within reach"),
        (lambda _: None, 3, 3, "within reach"),
        (lambda it: ask(it, 3, 1), 3, 2, "You have an open challenge"),
        (lambda it: ask(it, 3, 2), 2, 1, "You have an open challenge"),
        (lambda it: ask(it, 3, 1), 2, 1, "has an open challenge"),
        (lambda it: decline(ask(it, 3, 1).pk, player(it, 1).pk), 3, 1, "lately: again from"),
        (lambda it: withdraw(ask(it, 3, 1).pk, player(it, 3).pk), 3, 1, "lately"),
        (
            lambda it: record_free_game(it, player(it, 1), player(it, 3), Result.DRAW, factory.today(), by=None),
            *(3, 1, "lately"),
        ),
        (
            lambda it: Player.objects.filter(pk=player(it, 1).pk).update(visibility="hidden"),
            3,
            1,
            "not challenged here",
        ),
        (lambda it: Player.objects.filter(pk=player(it, 1).pk).update(active=False), 3, 1, "not challenged here"),
        (lambda it: Player.objects.filter(pk=player(it, 3).pk).update(visibility="hidden"), 3, 1, "hidden"),
        (lambda it: Entry.objects.filter(pk=entry(it, 1).pk).update(withdrawn=True), 3, 1, "not challenged here"),
        (lambda it: Entry.objects.filter(pk=entry(it, 3).pk).update(withdrawn=True), 3, 1, "not on this ladder"),
        (lambda it: FreeRules.objects.update(challenges=False), 3, 1, "at the moment"),
        (lambda it: Tournament.objects.filter(pk=it.pk).update(closed=True), 3, 1, "at the moment"),
    ],
)
def test_who_challenges_nobody_and_who_is_not_challenged(
    ladder: Tournament, prepare: Callable[[Tournament], object], own: int, other: int, says: str
) -> None:
    prepare(ladder)
    count = Challenge.objects.count()
    with pytest.raises(Refused, match=says):
        ask(ladder, own, other)
    assert Challenge.objects.count() == count


def test_a_double_tap_makes_one_challenge(ladder: Tournament) -> None:
    assert ask(ladder, 3, 1) == ask(ladder, 3, 1)
    assert AuditEvent.objects.filter(action="challenge.made").count() == 1


def test_silence_lapses_and_a_board_of_long_ago_blocks_nobody(ladder: Tournament) -> None:
    row = ask(ladder, 3, 1)
    past(row, 3)
    assert open_challenges(ladder.pk, timezone.localdate()).get() == row, "the whole of the last day"
    past(row, 1)
    with pytest.raises(Stale, match="lapsed"):
        accept(row.pk, player(ladder, 1).pk)
    other = ask(ladder, 2, 1)
    accept(other.pk, player(ladder, 1).pk)
    past(other, 15)
    assert ask(ladder, 3, 2), "neither is held by what was not played in time"


def test_only_its_sides_answer_and_only_once(ladder: Tournament) -> None:
    row = ask(ladder, 3, 1)
    one, two, three = (player(ladder, place).pk for place in (1, 2, 3))
    for deed, who in ((accept, two), (accept, three), (decline, three), (withdraw, one)):
        with pytest.raises(Refused, match="not for you"):
            deed(row.pk, who)
    decline(row.pk, one)
    decline(row.pk, one)
    with pytest.raises(Stale, match="declined"):
        accept(row.pk, one)
    with pytest.raises(Stale, match="declined"):
        cancel(row.pk, by=factory.make_arbiter())
    assert not Game.objects.exists()


def test_an_arbiter_accepts_for_somebody_and_cancels_with_the_board(ladder: Tournament) -> None:
    arbiter = factory.make_arbiter()
    row = ask(ladder, 3, 1)
    accept(row.pk, None, by=arbiter)
    cancel(row.pk, by=arbiter)
    row.refresh_from_db()
    assert (row.state, row.game, Game.objects.count()) == ("cancelled", None, 0)
    assert ask(ladder, 3, 1), "the same two need not wait"


def test_who_leaves_the_ladder_ends_the_challenge(ladder: Tournament) -> None:
    row = ask(ladder, 3, 1)
    withdraw_entry(entry(ladder, 1).pk, by=None)
    assert not open_challenges(ladder.pk, timezone.localdate())
    with pytest.raises(Stale, match="left the ladder"):
        accept(row.pk, player(ladder, 1).pk)


def test_reminders_are_due_the_day_before(ladder: Tournament) -> None:
    row, today = ask(ladder, 3, 1), timezone.localdate()
    assert due_reminders(today) == due_reminders(today + 3 * DAY) == []
    assert [each.player for each in due_reminders(today + 2 * DAY)] == [player(ladder, 1)]
    accept(row.pk, player(ladder, 1).pk)
    assert due_reminders(today + 2 * DAY) == []
    assert [each.player.number for each in due_reminders(today + 13 * DAY)] == [3, 1]


def test_whom_each_line_is_told(ladder: Tournament) -> None:
    def told(action: str) -> set[int | None]:
        event = AuditEvent.objects.filter(action=action).latest("pk")
        keys = CHALLENGE.told(event, None, timezone.localtime())
        return {place for place in range(1, 6) if player(ladder, place).pk in keys}

    row = ask(ladder, 3, 1)
    remind(row.answer_by - DAY)
    assert (told("challenge.made"), told("challenge.reminded")) == ({1}, {1})
    accept(row.pk, player(ladder, 1).pk)
    assert (told("challenge.made"), told("challenge.accepted"), told("challenge.reminded")) == (set(), {3}, {1, 3})
    past(row, 15)
    assert not told("challenge.reminded"), "its day is over"
    decline(ask(ladder, 5, 4).pk, player(ladder, 4).pk)
    assert told("challenge.declined") == {5}
    FreeRules.objects.update(challenges=False)
    assert not told("challenge.declined")


def test_two_who_have_a_board_play_that_first(ladder: Tournament) -> None:
    late = ask(ladder, 3, 1)
    accept(late.pk, player(ladder, 1).pk)
    past(late, 15)
    with pytest.raises(Refused, match="a board already: play it"):
        ask(ladder, 3, 1)
    row = ask(ladder, 3, 2)
    with pytest.raises(Refused, match="against themselves"):
        set_board(ladder, player(ladder, 2).pk, player(ladder, 2).pk, by=None)
    set_board(ladder, player(ladder, 2).pk, player(ladder, 3).pk, by=None)
    with pytest.raises(Refused, match="a board already: play it"):
        accept(row.pk, player(ladder, 2).pk)


def test_switched_off_no_button_is_left_over(ladder: Tournament) -> None:
    ask(ladder, 3, 1)
    own = phone_of(player(ladder, 1))
    FreeRules.objects.update(challenges=False)
    assert "challenges you" not in own.get("/mine/").text


def test_an_arbiter_cancels_behind_the_lists(ladder: Tournament) -> None:
    """Two writers who lock in one order cannot wait for each other (`lock_lists`)."""
    row = ask(ladder, 3, 1)
    accept(row.pk, player(ladder, 1).pk)
    with CaptureQueriesContext(connection) as queries:
        cancel(row.pk, by=factory.make_arbiter())
    asked = " ".join(each["sql"] for each in queries)
    tables = re.findall(r'FROM "(ratings_ratinglist|tournaments_tournament)"', asked)
    assert tables[0] == "ratings_ratinglist"


# --- boards ---------------------------------------------------------------------------------------------------------
def test_the_sheet_enters_a_game_on_its_board(ladder: Tournament) -> None:
    row = ask(ladder, 3, 1)
    board = accept(row.pk, player(ladder, 1).pk).game
    played = record_free_game(ladder, player(ladder, 3), player(ladder, 1), Result.WHITE_WINS, factory.today(), by=None)
    assert (played, Game.objects.count(), played.white) == (board, 1, player(ladder, 3))
    assert order(ladder) == [3, 1, 2, 4, 5]
    with pytest.raises(Stale, match="has a result"):
        take_off(played.pk, by=None)
    with pytest.raises(Stale, match="taken off already"):
        take_off(played.pk + 1, by=None)
    with pytest.raises(Stale, match="not there any more"):
        accept(row.pk + 1, player(ladder, 1).pk)


def test_whoever_does_not_come_loses_the_place_by_an_arbiters_entry(ladder: Tournament) -> None:
    board = set_board(ladder, player(ladder, 1).pk, player(ladder, 2).pk, by=None)
    with pytest.raises(Refused, match="board already"):
        set_board(ladder, player(ladder, 2).pk, player(ladder, 1).pk, by=None)
    with pytest.raises(Refused, match="Choose"):
        enter_result(board.pk, "", revision=board.revision, by=None)
    enter_result(board.pk, Result.WHITE_FORFEITS, revision=board.revision, by=None)
    assert (order(ladder)[:2], LedgerEntry.objects.count()) == ([2, 1], 0)


def test_what_an_event_cannot_have_is_refused(ladder: Tournament) -> None:
    evenings = open_event("Thursdays", pool="standard", by=None).tournament
    with pytest.raises(Refused, match="ladder"):
        set_free_rules(evenings, ON, by=None)
    for wrong in (NewFreeRules(answer_days=0), NewFreeRules(play_days=91), NewFreeRules(partners="love")):
        with pytest.raises(Refused):
            set_free_rules(ladder, wrong, by=None)
    with pytest.raises(Stale):
        set_free_rules(ladder, ON, by=None, revision=0)
    cup = factory.make_round_robin(factory.first_players(4), name="Cup")
    with pytest.raises(Refused, match="rounds"):
        set_free_rules(cup, ON, by=None)
    one, stranger = player(ladder, 1).pk, factory.make_players(6)[5].pk
    for event, sentence in ((cup, "enter the result on its board"), (ladder, "not on the ladder")):
        with pytest.raises(Refused, match=sentence):
            set_board(event, one, stranger, by=None)
    with pytest.raises(Refused, match="Members check in nowhere"):
        open_evening(evenings, by=None)
    assert not Evening.objects.exists()
    assert not Game.objects.filter(pairing__round=None).exists()


def test_a_ladder_that_became_another_format_has_no_challenges(ladder: Tournament) -> None:
    ladder.stages.update(pairing_system="free")
    with pytest.raises(Refused, match="challenge nobody in this event"):
        ask(ladder, 3, 1)


# --- pages ----------------------------------------------------------------------------------------------------------
def press(phone: Client, path: str, **sent: object) -> int:
    return phone.post(path, {name: str(value) for name, value in sent.items()}).status_code


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


def test_at_the_door(ladder: Tournament) -> None:
    evening = open_evening(ladder, by=None)
    path, phone = f"{ladder.get_absolute_url()}here/{evening.door_code}/", phone_of(player(ladder, 1))
    assert "not known here" in Client().get(path).text
    assert (press(Client(), path, here=1), press(phone, path, here=2)) == (403, 409)
    assert [press(phone, path, here=1), press(phone, path, here=1), press(phone, path, going=1)] == [302] * 3
    assert Arrival.objects.get().left_at is not None
    stranger = phone_of(factory.make_players(6)[5])
    assert press(stranger, path, here=Player.objects.latest("pk").number) == 409, "has no place on the ladder"
    Evening.objects.update(ends_at=timezone.now())
    old = phone.get(path)
    assert (old.status_code, "that evening is over" in old.text, press(phone, path, here=1)) == (410, True, 410)
    assert phone.get(f"{ladder.get_absolute_url()}here/guessed/").status_code == 404


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
    assert "What happened?" in phone_of(game.white).get("/mine/").text
    sent = {"enter": game.pk, f"revision-{game.pk}": game.revision, f"result-{game.pk}": "1-0"}
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
    assert "White against" in phone_of(people[0]).get("/mine/").text
    assert "/challenges/" not in Client().get(evenings.get_absolute_url()).text
