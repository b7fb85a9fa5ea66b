"""Who comes when rounds are made: into the free number of a round robin, or into the rounds still to be paired."""

import pytest

from players.models import Player
from players.refusals import Refused
from ratings.lists.services import NewStart
from ratings.models import RatingList
from tests import factory
from tests.tournaments.entries.entry_cases import club_and_list, colours_of, entry_of, events, results_of
from tournaments.entries.services.late import enter_late, late_terms
from tournaments.events.services.closing import close_event
from tournaments.events.services.events import NewTournament, create_tournament, update_tournament
from tournaments.models import Game, Pairing, Round, Seat, Tournament
from tournaments.pairing.round_robin import cycles
from tournaments.rated_games.services.people import bring_starting_ratings
from tournaments.rated_games.services.rebuilding import check_list
from tournaments.results.services.results import record_result
from tournaments.standings.points import Result
from tournaments.withdrawals.services.withdrawals import return_entry, withdraw_entry

pytestmark = pytest.mark.django_db
standard = club_and_list


@pytest.fixture(scope="module")
def cast(standard: RatingList) -> list[Player]:
    return factory.make_players(8)


@pytest.fixture(scope="module")
def five(cast: list[Player]) -> Tournament:
    """Five players; round 1 is played."""
    cup = factory.make_round_robin(cast[:5])
    factory.play_round(cup, 1, [Result.WHITE_WINS] * 2)
    return cup


# --- round robin with a free number -------------------------------------------------------------------------------
@pytest.mark.extended
@pytest.mark.parametrize("settings", [{"cycles": 1}, {"cycles": 2}, {"cycles": 2, "swap_last_two": True}])
def test_the_late_one_plays_the_free_number_of_the_table(cast: list[Player], settings: dict[str, int]) -> None:
    """Colours and rounds are those the table for six has for number 6."""
    other = factory.make_round_robin(cast[:3], name="Other")
    cup = factory.make_round_robin(cast[:5], **settings)
    enter_late(cup, cast[5:6], by=None)
    rounds = cycles(6, double=settings["cycles"] == 2, swap_last_two=bool(settings.get("swap_last_two")))
    table = [
        (number, "w" if white == 6 else "b", black if white == 6 else white)
        for number, boards in enumerate(rounds, start=1)
        for white, black in boards
        if 6 in (white, black)
    ]
    assert colours_of(factory.stage_of(cup), 6) == table
    assert not Pairing.objects.filter(stage__tournament=cup).exclude(bye="").exists()
    assert Pairing.objects.filter(stage__tournament=other, bye="pab").count() == 3, "another event keeps its byes"


def test_every_bye_becomes_a_board_with_an_open_game_to_be_played_and_rated(
    five: Tournament, cast: list[Player], standard: RatingList
) -> None:
    before = dict(Pairing.objects.values_list("pk", "board"))
    revisions = dict(Round.objects.values_list("pk", "revision"))
    [entry] = enter_late(five, [cast[5]], by=None)
    assert (entry.number, entry.first_round) == (6, 1)
    assert results_of(five, 6) == ["."] * 5
    games = Game.objects.filter(tournament=five)
    assert games.count() == 15
    assert {row.revision - revisions[row.pk] for row in Round.objects.all()} == {1}, "a page open meanwhile is stale"
    for game in games:
        seats = dict(Seat.objects.filter(pairing=game.pairing).values_list("colour", "entry__player"))
        assert seats == {"w": game.white_id, "b": game.black_id}
    [made] = events("entry.boards-made")
    assert (made.after["number"], len(made.after["games"])) == (6, 5)
    assert dict(Pairing.objects.values_list("pk", "board")) == before, "published boards keep their numbers"
    game = Game.objects.get(pairing__round=factory.round_of(five, 1), pairing__seats__entry=entry)
    record_result(game=game.pk, result=Result.DRAW, played_on=factory.MONDAY, by=None)
    assert results_of(five, 6)[0] == "½"
    assert check_list(standard) == []


def test_there_is_one_free_number(five: Tournament, cast: list[Player]) -> None:
    with pytest.raises(Refused, match="Nobody was chosen"):
        enter_late(five, [], by=None)
    with pytest.raises(Refused, match="Player #2 is entered already"):
        enter_late(five, [cast[1]], by=None)
    with pytest.raises(Refused, match="choose one player"):
        enter_late(five, cast[5:7], by=None)
    enter_late(five, [cast[5]], by=None)
    with pytest.raises(Refused, match="no number is free"):
        enter_late(five, [cast[6]], by=None)
    assert five.entries.count() == 6
    even = factory.make_round_robin(cast[:4], name="Even")
    with pytest.raises(Refused, match="delete the rounds and make them anew"):
        enter_late(even, [cast[5]], by=None)
    assert late_terms(even).places == 0


def test_whoever_left_does_not_come_to_the_late_one_either(five: Tournament, cast: list[Player]) -> None:
    withdraw_entry(entry_of(five, 2).pk, by=None)
    enter_late(five, [cast[5]], by=None)
    assert sorted(results_of(five, 6)) == ["+", ".", ".", ".", "."]
    return_entry(entry_of(five, 2).pk, by=None)
    assert results_of(five, 6) == ["."] * 5


# --- what is checked as for everybody -----------------------------------------------------------------------------
def test_a_late_entry_has_the_rating_of_its_day_and_the_tier_holds(
    five: Tournament, cast: list[Player], standard: RatingList
) -> None:
    starts = [NewStart(cast[place].pk, factory.MONDAY, rating, 40) for place, rating in ((5, 1800), (6, 2100))]
    bring_starting_ratings(standard, starts, by=None)
    update_tournament(five.pk, {"tier_below": 2000}, by=None)
    with pytest.raises(Refused, match="less than 2000"):
        enter_late(five, [cast[6]], by=None)
    assert not Game.objects.filter(white=cast[6]).exists()
    Round.objects.filter(number=1).update(state=Round.State.CLOSED)
    [entry] = enter_late(five, [cast[5]], by=None)
    entry.refresh_from_db()
    assert (entry.rating, entry.rating_games, entry.rating_list) == (1800, 40, "standard")
    assert set(Round.objects.values_list("state", flat=True)) == {"published"}, "open again for its new game"


def test_nobody_is_late_before_the_rounds_are_made_or_once_the_event_is_over(
    five: Tournament, cast: list[Player]
) -> None:
    with pytest.raises(Refused, match="nobody is late"):
        enter_late(create_tournament(NewTournament("Cup"), by=None), cast[:1], by=None)
    for number in range(2, 6):
        factory.play_round(five, number, [Result.DRAW] * 2)
    close_event(five, by=None)
    five.refresh_from_db()
    with pytest.raises(Refused, match="open it again"):
        enter_late(five, [cast[5]], by=None)


def test_byes_that_are_not_those_of_the_table_give_no_free_number(five: Tournament, cast: list[Player]) -> None:
    """Two players exchanged their places by hand: the colours would no longer come out right."""
    first, second = Seat.objects.filter(colour="").order_by("round__number")[:2]
    board = Seat.objects.get(round=second.round, entry=first.entry)
    second.delete()
    Seat.objects.filter(pk=board.pk).update(entry=second.entry)
    Seat.objects.create(pairing=second.pairing, round=second.round, entry=first.entry)
    with pytest.raises(Refused, match="no longer those of the table"):
        enter_late(five, [cast[5]], by=None)
    assert five.entries.count() == 5
