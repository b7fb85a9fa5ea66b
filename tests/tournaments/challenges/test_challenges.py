"""Members challenge each other on a ladder: who may, what becomes of it, and the boards that are set."""

import re
from collections.abc import Callable
from datetime import timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from players.models import AuditEvent, Player
from players.refusals import Refused, Stale
from ratings.models import LedgerEntry
from tests import factory
from tests.tournaments.challenges import challenge_cases
from tests.tournaments.challenges.challenge_cases import ON, ask, entry, order, player
from tournaments.challenges.selectors import (
    challenges_of,
    due_reminders,
    ladder_now,
    open_challenges,
    rules_with_challenges,
)
from tournaments.challenges.services import accept, cancel, decline, remind, withdraw
from tournaments.evenings.services import open_evening
from tournaments.events.services.events import open_event
from tournaments.free_boards.selectors import waiting
from tournaments.free_boards.services.boards import enter_result, set_board, take_off
from tournaments.free_boards.services.rules import NewFreeRules, set_free_rules
from tournaments.free_play.services import EnteredAlreadyError, LateGameError, record_free_game
from tournaments.models import Challenge, Entry, Evening, FreeRules, Game, Pairing, Tournament
from tournaments.notices.selectors import CHALLENGE
from tournaments.player_results.services import Said, report_own_result
from tournaments.results.services.results import correct_result
from tournaments.standings.points import Result
from tournaments.withdrawals.services.withdrawals import withdraw_entry

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("club_time")]
DAY = timedelta(days=1)
ladder = challenge_cases.ladder


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


def test_whom_somebody_may_challenge(ladder: Tournament) -> None:
    rules = rules_with_challenges(ladder.pk)
    assert rules
    now = ladder_now(rules, timezone.localdate())
    assert now
    assert [(each.entry.number, each.place) for each in now.opponents(entry(ladder, 4))] == [(3, 3), (2, 2)]
    assert now.opponents(entry(ladder, 1)) == []
    Player.objects.filter(pk=player(ladder, 3).pk).update(visibility="hidden")
    now = ladder_now(rules, timezone.localdate())
    assert [each.place for each in now.opponents(entry(ladder, 4))] == [2] if now else False


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


def test_the_same_two_challenge_again_after_their_rest(ladder: Tournament) -> None:
    row, rest = ask(ladder, 3, 1), FreeRules.objects.get().rest_days
    decline(row.pk, player(ladder, 1).pk)
    past(row, rest - 1)
    with pytest.raises(Refused, match="lately"):
        ask(ladder, 3, 1)
    past(row, 1)
    assert ask(ladder, 3, 1) != row
    people = player(ladder, 4), player(ladder, 2)
    record_free_game(ladder, *people, Result.DRAW, timezone.localdate() - rest * DAY, by=None)
    decline(ask(ladder, 4, 2).pk, people[1].pk)
    record_free_game(ladder, *people, Result.DRAW, timezone.localdate() - DAY, by=None)
    rests = ladder_now(FreeRules.objects.get(), timezone.localdate()).rests
    assert rests[frozenset(entry(ladder, place).pk for place in (4, 2))] == timezone.localdate() + rest * DAY


def test_silence_lapses_and_a_board_of_long_ago_blocks_nobody(ladder: Tournament) -> None:
    row = ask(ladder, 3, 1)
    past(row, 3)
    assert open_challenges(ladder.pk, timezone.localdate()).get() == row, "the whole of the last day"
    last = ask(ladder, 5, 4)
    past(last, 3)
    decline(last.pk, player(ladder, 4).pk)
    past(row, 1)
    with pytest.raises(Stale, match="lapsed"):
        accept(row.pk, player(ladder, 1).pk)
    other = ask(ladder, 2, 1)
    accept(other.pk, player(ladder, 1).pk)
    past(other, 14)
    with pytest.raises(Refused, match="has an open challenge"):
        ask(ladder, 3, 2)
    past(other, 1)
    assert ask(ladder, 3, 2), "neither is held by what was not played in time"


def test_only_its_sides_answer_and_only_once(ladder: Tournament) -> None:
    row = ask(ladder, 3, 1)
    one, two, three = (player(ladder, place).pk for place in (1, 2, 3))
    for deed, who in ((accept, two), (accept, three), (decline, three), (withdraw, one)):
        with pytest.raises(Refused, match="not for you"):
            deed(row.pk, who)
    decline(row.pk, one)
    decline(row.pk, one)
    assert factory.told("challenge.declined", row.challenged, "player").after == {"challenge": row.pk}
    other = ask(ladder, 3, 2)
    withdraw(other.pk, three)
    assert factory.told("challenge.withdrawn", row.challenger, "player").after == {"challenge": other.pk}
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
    assert factory.told("challenge.accepted", row.challenged, arbiter).after["challenge"] == row.pk
    assert factory.told("challenge.cancelled", row.challenger, arbiter).after == {"challenge": row.pk}
    row.refresh_from_db()
    assert (row.state, row.game, Game.objects.count()) == ("cancelled", None, 0)
    assert ask(ladder, 3, 1), "the same two need not wait"


def test_of_two_ladders_each_has_its_own_challenges_rests_and_boards(ladder: Tournament) -> None:
    """The same five on both."""
    today, other = timezone.localdate(), factory.make_ladder(factory.first_players(5), reach=1, name="Other").tournament
    set_free_rules(other, ON, by=None, revision=0)
    decline(ask(other, 2, 1).pk, player(other, 1).pk)
    record_free_game(other, player(other, 2), player(other, 3), Result.DRAW, today, by=None)
    asked, board = ask(other, 5, 4), set_board(other, player(other, 3).pk, player(other, 4).pk, by=None)
    now = ladder_now(FreeRules.objects.get(tournament=ladder), today)
    assert now
    assert (now.reach, now.taken, now.rests, now.seated) == (2, set(), {}, set())
    assert list(open_challenges(ladder.pk, today)) == []
    rows = [ask(ladder, 2, 1), ask(ladder, 4, 3)]
    for row in rows:
        accept(row.pk, row.challenged.player_id)
    games = list(Game.objects.filter(challenge__in=rows).order_by("pk"))
    assert (board in games, list(waiting(ladder.pk)), list(waiting(other.pk))) == (False, games, [board])
    assert list(open_challenges(other.pk, today)) == [asked]
    rules = rules_with_challenges(other.pk)
    now = ladder_now(rules, today) if rules else None
    assert now
    assert (now.reach, now.taken, len(now.seated)) == (1, {asked.challenger_id, asked.challenged_id}, 1)
    assert set(now.rests) == {frozenset(entry(other, place).pk for place in pair) for pair in ((1, 2), (2, 3), (4, 5))}
    take_off(games[0].pk, by=None)
    states = [Challenge.objects.get(pk=row.pk).state for row in (*rows, asked)]
    assert states == ["cancelled", "accepted", "waits"]
    assert (list(waiting(ladder.pk)), list(waiting(other.pk))) == (games[1:], [board])


def test_what_waits_for_somebody_is_what_names_them_and_is_not_answered(ladder: Tournament) -> None:
    one, two, three, four, five = (player(ladder, place).pk for place in range(1, 6))
    row, other, today = ask(ladder, 3, 1), ask(ladder, 4, 2), timezone.localdate()
    assert [challenges_of([key], today) for key in (one, two, three, four)] == [[row], [other], [row], [other]]
    assert (challenges_of([five], today), challenges_of([one, four], today)) == ([], [row, other])
    accept(row.pk, one)
    assert challenges_of([one, two, three], today) == [other]
    assert challenges_of([two], today + 4 * DAY) == [], "it has lapsed"
    for gone in (2, 4):
        Entry.objects.filter(tournament=ladder).update(withdrawn=False)
        Entry.objects.filter(pk=entry(ladder, gone).pk).update(withdrawn=True)
        assert challenges_of([two, four], today) == [], "one of the two has left"
    Entry.objects.filter(tournament=ladder).update(withdrawn=False)
    assert challenges_of([two, four], today) == [other]
    Tournament.objects.filter(pk=ladder.pk).update(closed=True)
    assert challenges_of([two, four], today) == []


@pytest.mark.parametrize("place", [1, 3])
def test_who_leaves_the_ladder_ends_the_challenge(ladder: Tournament, place: int) -> None:
    row = ask(ladder, 3, 1)
    withdraw_entry(entry(ladder, place).pk, by=None)
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
    assert [remind(today + 13 * DAY) for _call in range(2)] == [1, 0], "once, however often it is called"
    for table, key, value in (
        (Entry, entry(ladder, 1).pk, {"withdrawn": True}),
        (Entry, entry(ladder, 3).pk, {"withdrawn": True}),
        (FreeRules, FreeRules.objects.get().pk, {"challenges": False}),
        (Tournament, ladder.pk, {"closed": True}),
    ):
        table.objects.filter(pk=key).update(**value)
        assert due_reminders(today + 13 * DAY) == []
        table.objects.filter(pk=key).update(**{name: not is_so for name, is_so in value.items()})


def test_whom_each_line_is_told(ladder: Tournament) -> None:
    def told(action: str) -> set[int | None]:
        event = AuditEvent.objects.filter(action=action).latest("pk")
        keys = CHALLENGE.told(event, None, timezone.localtime())
        return {place for place in range(1, 6) if player(ladder, place).pk in keys}

    row = ask(ladder, 3, 1)
    remind(row.answer_by - DAY)
    assert (told("challenge.made"), told("challenge.reminded")) == ({1}, {1})
    past(row, 3)
    assert told("challenge.made") == {1}, "the whole of the last day"
    past(row, -3)
    accept(row.pk, player(ladder, 1).pk)
    assert (told("challenge.made"), told("challenge.accepted"), told("challenge.reminded")) == (set(), {3}, {1, 3})
    past(row, 14)
    assert told("challenge.reminded") == {1, 3}, "the whole of its day"
    past(row, 1)
    assert not told("challenge.reminded"), "its day is over"
    decline(ask(ladder, 5, 4).pk, player(ladder, 4).pk)
    assert told("challenge.declined") == {5}
    for table, key, value in (
        (Entry, entry(ladder, 4).pk, {"withdrawn": True}),
        (Entry, entry(ladder, 5).pk, {"withdrawn": True}),
        (Tournament, ladder.pk, {"closed": True}),
        (FreeRules, FreeRules.objects.get().pk, {"challenges": False}),
    ):
        table.objects.filter(pk=key).update(**value)
        assert not told("challenge.declined"), value
        table.objects.filter(pk=key).update(**{name: not is_so for name, is_so in value.items()})


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
    board = set_board(ladder, player(ladder, 1).pk, player(ladder, 2).pk, by=(officer := factory.make_arbiter()))
    seats = {"white": player(ladder, 1).number, "black": player(ladder, 2).number}
    assert factory.told("board.set", board, officer).after == seats
    with pytest.raises(Refused, match="board already"):
        set_board(ladder, player(ladder, 2).pk, player(ladder, 1).pk, by=None)
    with pytest.raises(Refused, match="Choose"):
        enter_result(board.pk, "", revision=board.revision, by=None)
    enter_result(board.pk, Result.WHITE_FORFEITS, revision=board.revision, by=None)
    assert (order(ladder)[:2], LedgerEntry.objects.count()) == ([2, 1], 0)
    correct_result(game=board.pk, result=Result.OPEN, by=None)
    assert not waiting(ladder.pk), "a result that was cleared makes no board to play"
    other = set_board(ladder, player(ladder, 1).pk, player(ladder, 2).pk, by=None)
    take_off(other.pk, by=officer)
    assert factory.told("board.taken-off", other, officer).before == {**seats, "tournament": ladder.slug}
    assert not Pairing.objects.filter(pk=other.pairing_id).exists()
    Tournament.objects.filter(pk=ladder.pk).update(closed=True)
    with pytest.raises(Refused, match="is over"):
        set_board(ladder, player(ladder, 1).pk, player(ladder, 2).pk, by=None)


def test_a_game_that_is_entered_or_late_is_not_the_one_of_the_board(ladder: Tournament) -> None:
    people, today = (player(ladder, 1), player(ladder, 2)), timezone.localdate()
    record_free_game(ladder, *people, Result.DRAW, today, by=None)
    board = set_board(ladder, people[0].pk, people[1].pk, by=None)
    with pytest.raises(EnteredAlreadyError):
        record_free_game(ladder, *people, Result.DRAW, today, by=None)
    with pytest.raises(LateGameError):
        record_free_game(ladder, *people, Result.DRAW, today - DAY, by=None)
    assert list(waiting(ladder.pk)) == [board]
    assert record_free_game(ladder, *people, Result.DRAW, today, by=None, again=True) == board


def test_what_an_event_cannot_have_is_refused(ladder: Tournament) -> None:
    told = factory.told("free-rules.changed", ladder)
    assert (told.before, told.after["challenges"], told.after["play_days"]) == ({}, True, ON.play_days)
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
    factory.make_ladder(list(Player.objects.filter(pk=stranger)), name="Other ladder")
    for event, sentence in ((cup, "enter the result on its board"), (ladder, "not on the ladder")):
        with pytest.raises(Refused, match=sentence):
            set_board(event, one, stranger, by=None)
    Entry.objects.filter(pk=entry(ladder, 2).pk).update(withdrawn=True)
    with pytest.raises(Refused, match="not on the ladder"):
        set_board(ladder, one, player(ladder, 2).pk, by=None)
    with pytest.raises(Refused, match="Members check in nowhere"):
        open_evening(evenings, by=None)
    assert not Evening.objects.exists()
    assert not Game.objects.filter(pairing__round=None).exists()


def test_a_ladder_that_became_another_format_has_no_challenges(ladder: Tournament) -> None:
    ladder.stages.update(pairing_system="free")
    with pytest.raises(Refused, match="challenge nobody in this event"):
        ask(ladder, 3, 1)
