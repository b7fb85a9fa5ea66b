"""The second reading of a result: who may read it, what it holds for, and what is kept of it."""

from datetime import date

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from players.models import AuditEvent
from players.refusals import Refused, Stale
from ratings.models import RatingList
from tests import factory
from tests.tournaments.admin_pages import games_of, shown
from tests.tournaments.entries.entry_cases import club_and_list
from tournaments.models import Game, Pairing, Reading, Round, SecondReading, Tournament
from tournaments.results.services.results import correct_result, record_result
from tournaments.standings.points import Result
from tournaments.verification.selectors import (
    count_unread,
    entered_events,
    games_to_read,
    read_games,
    readings_of,
    unread_rounds,
)
from tournaments.verification.services import Differs, read_result

pytestmark = pytest.mark.django_db

W, D, B = Result.WHITE_WINS, Result.DRAW, Result.BLACK_WINS


standard = club_and_list


@pytest.fixture(scope="module")
def arbiter(standard: RatingList) -> User:
    return factory.make_arbiter()


@pytest.fixture(scope="module")
def cup(standard: RatingList) -> Tournament:
    return factory.make_round_robin(factory.make_players(5))


@pytest.fixture
def reader(standard: RatingList) -> User:
    return factory.make_assistant("reader")


@pytest.fixture
def game(cup: Tournament, arbiter: User) -> Game:
    """Board 1 of round 1, entered by the arbiter as 1–0."""
    first = games_of(factory.round_of(cup, 1))[0]
    return record_result(game=first.pk, result=W, played_on=factory.MONDAY, by=arbiter)


def asks(event: Tournament, how: str) -> None:
    Tournament.objects.filter(pk=event.pk).update(second_reading=how)


def row_of(game: Game) -> Round:
    return Round.objects.get(pairings__games=game)


# --- reading the same ------------------------------------------------------------------------------------------------
def test_the_same_result_is_a_reading_that_moves_nothing(game: Game, reader: User, arbiter: User) -> None:
    before = Game.objects.filter(pk=game.pk).values().get()
    reading = read_result(game=game.pk, result=W, by=reader, revision=game.revision)
    assert (reading.result, reading.by, reading.revision) == (W, reader, game.revision)
    assert read_games(row_of(game)) == {game.pk}
    assert games_to_read(row_of(game)) == []
    assert [*readings_of(row_of(game))] == [reading]
    assert Game.objects.filter(pk=game.pk).values().get() == before
    read_result(game=game.pk, result=W, by=reader, revision=game.revision)
    event = AuditEvent.objects.get(action="result.read")
    assert (event.actor, event.subject_key) == (reader, game.pk)
    assert event.after == {"result": "1-0", "revision": game.revision}
    assert Reading.objects.count() == 1, "read twice by the same it is one reading"
    read_result(game=game.pk, result=W, by=arbiter, revision=game.revision)
    assert [reading.by for reading in readings_of(row_of(game))] == [arbiter, reader]
    assert read_games(row_of(game)) == {game.pk}


@pytest.mark.parametrize("result", [W, Result.BLACK_FORFEITS, Result.BOTH_FORFEIT, Result.NO_POINTS])
def test_whatever_settles_a_board_is_read_after_a_command_by_anybody(
    cup: Tournament, reader: User, result: Result
) -> None:
    asks(cup, SecondReading.ANOTHER)
    first = games_of(factory.round_of(cup, 1))[0]
    game = record_result(game=first.pk, result=result, played_on=factory.MONDAY, by=None)
    reading = read_result(game=game.pk, result=result, by=reader, revision=game.revision)
    assert (reading.result, reading.by) == (result, reader)


# --- reading something else ------------------------------------------------------------------------------------------
def test_another_result_changes_nothing_and_tells_which_stands(game: Game, reader: User) -> None:
    with pytest.raises(Differs, match="Entered was 1–0, you read 0–1") as refusal:
        read_result(game=game.pk, result=B, by=reader, revision=game.revision)
    assert refusal.value.stands == W
    assert str(refusal.value) == "Entered was 1–0, you read 0–1: say which stands."
    assert not Reading.objects.exists()
    assert Game.objects.get(pk=game.pk).result == W
    assert not AuditEvent.objects.filter(action="result.read").exists()


def test_a_corrected_result_waits_for_a_reading_anew(game: Game, reader: User, arbiter: User) -> None:
    read_result(game=game.pk, result=W, by=reader, revision=game.revision)
    corrected = correct_result(game=game.pk, result=B, by=arbiter)
    assert read_games(row_of(game)) == set()
    assert [each.pk for each in games_to_read(row_of(game))] == [game.pk]
    assert [*readings_of(row_of(game))] == []
    read_result(game=game.pk, result=B, by=reader, revision=corrected.revision)
    assert read_games(row_of(game)) == {game.pk}
    assert Reading.objects.count() == 2, "who read the result before is kept"


# --- what cannot be read ---------------------------------------------------------------------------------------------
def test_a_game_changed_meanwhile_is_not_read(game: Game, reader: User, arbiter: User) -> None:
    correct_result(game=game.pk, result=D, by=arbiter)
    for result in (W, D):
        with pytest.raises(Stale, match="read it again"):
            read_result(game=game.pk, result=result, by=reader, revision=game.revision)
    assert not Reading.objects.exists()


def test_a_board_without_result_or_a_game_nobody_has_is_not_read(cup: Tournament, reader: User) -> None:
    with pytest.raises(Stale):
        read_result(game=10**6, result=D, by=reader, revision=0)
    game = games_of(factory.round_of(cup, 1))[0]
    for adjourned in (False, True):
        if adjourned:
            game = record_result(game=game.pk, result=Result.ADJOURNED, played_on=factory.MONDAY, by=None)
        assert games_to_read(factory.round_of(cup, 1)) == []
        with pytest.raises(Refused, match="no result yet"):
            read_result(game=game.pk, result=D, by=reader, revision=game.revision)


# --- by whom ---------------------------------------------------------------------------------------------------------
def test_anybody_may_read_what_he_entered(game: Game, cup: Tournament, arbiter: User) -> None:
    for how in (SecondReading.NONE, SecondReading.ANYBODY):
        asks(cup, how)
        Reading.objects.all().delete()
        assert read_result(game=game.pk, result=W, by=arbiter, revision=game.revision).by == arbiter


def test_where_another_is_asked_for_who_entered_it_may_not(
    game: Game, cup: Tournament, arbiter: User, reader: User
) -> None:
    alone = factory.make_round_robin(factory.first_players(2), name="Of one officer")
    alone.officers.add(arbiter)
    for event in (cup, alone):
        asks(event, SecondReading.ANOTHER)
    for _before_and_after in range(2):
        for result in (W, B):
            with pytest.raises(Refused, match="let somebody else read it") as refusal:
                read_result(game=game.pk, result=result, by=arbiter, revision=game.revision)
            assert not isinstance(refusal.value, Differs), "what stands is not told"
        assert read_result(game=game.pk, result=W, by=reader, revision=game.revision).by == reader
        assert entered_events([game.pk])[game.pk].actor == arbiter, "who read it did not enter it"


def test_whoever_corrected_it_entered_the_present_result(game: Game, arbiter: User, reader: User) -> None:
    asks(game.tournament, SecondReading.ANOTHER)
    corrected = correct_result(game=game.pk, result=B, by=reader)
    with pytest.raises(Refused, match="let somebody else read it"):
        read_result(game=game.pk, result=B, by=reader, revision=corrected.revision)
    assert read_result(game=game.pk, result=B, by=arbiter, revision=corrected.revision).by == arbiter


# --- a round ---------------------------------------------------------------------------------------------------------
def test_what_waits_comes_in_the_order_of_boards(cup: Tournament, reader: User) -> None:
    row = factory.round_of(cup, 1)
    boards = zip(games_of(row)[::-1], [D, W], strict=True)  # board 1 is entered last
    games = [record_result(game=game.pk, result=code, played_on=factory.MONDAY, by=None) for game, code in boards][::-1]
    factory.play_round(cup, 2, [B, D])
    assert [game.pk for game in games_to_read(row)] == [game.pk for game in games]
    read_result(game=games[0].pk, result=W, by=reader, revision=games[0].revision)
    assert [game.pk for game in games_to_read(row)] == [games[1].pk]
    assert read_games(factory.round_of(cup, 2)) == set()
    assert count_unread(cup) == 0, "nobody asks for it"
    asks(cup, SecondReading.ANYBODY)
    assert count_unread(cup) == 3
    assert [(each.number, count) for each, count in unread_rounds([cup.pk])] == [(1, 1), (2, 2)]
    Pairing.objects.filter(round=row).update(superseded=True)
    assert (read_games(row), games_to_read(row), count_unread(cup)) == (set(), [], 2), "boards drawn anew"


def test_who_entered_a_round_costs_two_queries(season: Tournament) -> None:
    keys = [game.pk for game in Game.objects.filter(tournament=season)]
    with CaptureQueriesContext(connection) as seen:
        assert set(entered_events(keys)) == set(keys)
    assert len(seen) == 2


def test_whoever_moves_a_result_to_another_day_did_not_enter_it(game: Game, arbiter: User, reader: User) -> None:
    asks(game.tournament, SecondReading.ANOTHER)
    moved = correct_result(game=game.pk, result=W, played_on=date(2026, 1, 6), by=reader)
    assert entered_events([game.pk])[game.pk].actor == arbiter
    with pytest.raises(Refused, match="another reader"):
        read_result(game=game.pk, result=W, by=arbiter, revision=moved.revision)
    read_result(game=game.pk, result=W, by=reader, revision=moved.revision)


def test_only_what_gave_the_game_its_result_tells_who_entered_it(game: Game, arbiter: User, reader: User) -> None:
    told = {"subject_key": game.pk, "action": "test", "actor": reader}
    AuditEvent.objects.create(subject_kind="player", after={"result": "0-1"}, **told)
    assert entered_events([game.pk])[game.pk].actor == arbiter
    AuditEvent.objects.create(subject_kind="game", before={"result": "1-0"}, after={"result": ""}, **told)
    assert entered_events([game.pk]) == {}, "it was taken back"


# --- the page --------------------------------------------------------------------------------------------------------
def test_only_who_may_change_the_event_has_its_pages_in_the_breadcrumbs(
    client: Client, game: Game, reader: User, arbiter: User
) -> None:
    for user, end in ((reader, " › Second reading, round 1</nav>"), (arbiter, "</a> › Second reading</nav>")):
        client.force_login(user)
        assert end in shown(client, "read", row_of(game).pk), user


# --- a club with one officer -----------------------------------------------------------------------------------------
def test_where_nobody_else_enters_results_no_other_reader_is_asked_for(
    desk: Client, cup: Tournament, game: Game, arbiter: User
) -> None:
    """The club's only officer; an event named officer's alone; and as soon as there is another, it is asked for."""
    asks(cup, SecondReading.ANOTHER)

    def asked() -> tuple[int, bool, bool, bool]:
        html = shown(desk, "read", row_of(game).pk)
        says = "Only one officer may enter results here" in html
        form = "Only one officer may enter results here" in shown(desk, "change", cup.pk)
        return count_unread(cup), bool(unread_rounds([cup.pk])), says, form

    assert asked() == (0, False, True, True)
    factory.make_rating_officer()
    assert asked() == (0, False, True, True), "who enters no results reads none"
    other = factory.make_assistant("other")
    assert asked() == (1, True, False, False)
    cup.officers.add(arbiter)
    assert asked() == (0, False, True, True)
    cup.officers.add(other)
    assert asked() == (1, True, False, False)
    User.objects.filter(pk=other.pk).update(is_active=False)
    assert asked() == (0, False, True, True)
    assert read_result(game=game.pk, result=W, by=arbiter, revision=game.revision).by == arbiter
    asks(cup, SecondReading.ANYBODY)
    Reading.objects.all().delete()
    assert asked() == (1, True, False, False), "his own reading can be asked for all the same"
