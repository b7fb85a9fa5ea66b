"""Double elimination played: losers go on, the second final, corrections, who withdraws, and the ledger behind."""

from datetime import timedelta

import pytest
from django.test import Client
from hypothesis import given
from hypothesis import strategies as st

from players.privacy.rules import NOBODY
from ratings.models import RatingList
from tests import databases
from tests.choosing import examples
from tests.factory import MONDAY, make_club, make_knockout, make_list, make_players, match_of, play_match, stage_of
from tests.tournaments.knockouts.match_cases import LOSS, WIN, advanced, entry_named, name_in
from tests.tournaments.undo.test_stack import image, rewind
from tournaments.event_list.selectors import State, state_of_facts
from tournaments.events.selectors.events import event_data
from tournaments.events.services.closing import close_event
from tournaments.knockouts.selectors.brackets import bracket_of, knockout_news, places_of
from tournaments.knockouts.services.matches import FOLLOW, BracketMovesError, seats_of_match
from tournaments.knockouts.services.rulings import rule_match
from tournaments.models import Game, Pairing, Tournament
from tournaments.rated_games.services.rebuilding import check_list
from tournaments.reports.selectors import report_of
from tournaments.results.services.results import correct_result, record_result
from tournaments.standings.points import Result
from tournaments.undo.services.stack import last_steps
from tournaments.withdrawals.services.withdrawals import return_entry, withdraw_entry

pytestmark = pytest.mark.django_db
PAGE = "/tournaments/autumn-cup/"


@pytest.fixture(scope="module", autouse=True)
def lists(world: None) -> None:
    make_club()
    make_list()


def cup_of(count: int, **options: object) -> Tournament:
    return make_knockout(make_players(count), system="double-elimination", **options)


def play(cup: Tournament, *matches: tuple[int, int], result: Result = WIN) -> Game:
    """Those matches in order, the same for the line above; the last one's game."""
    for number, board in matches:
        game = play_match(match_of(cup, number, board), result, on=MONDAY + timedelta(days=number))
    return game


def up_to_the_final() -> Tournament:
    """Four players; the better one wins: Ada meets Bo in the final."""
    cup = cup_of(4)
    play(cup, (1, 1), (1, 2), (2, 1), (2, 2), (3, 1))
    return cup


def sits(cup: Tournament, number: int, board: int) -> list[str]:
    return [name_in(match_of(cup, number, board), line) for line in (1, 2)]


def places(cup: Tournament) -> list[tuple[str, int, int, bool]]:
    rows = places_of(event_data(stage_of(cup), NOBODY))
    return [(row.entrant.player.name.split()[0], row.first, row.last, row.still_in) for row in rows]


def test_the_final_is_over_where_the_one_who_never_lost_wins_it() -> None:
    cup = up_to_the_final()
    assert sits(cup, 4, 1) == ["Ada", "Bo"]
    play(cup, (4, 1))
    assert places(cup) == [("Ada", 1, 1, False), ("Bo", 2, 2, False), ("Dag", 3, 3, False), ("Cleo", 4, 4, False)]
    assert [(row.points, row.rank) for row in report_of(cup).players] == [
        ("3.0", 1),
        ("2.0", 2),
        ("0.0", 4),
        ("1.0", 3),
    ]
    facts = event_data(stage_of(cup), NOBODY)
    assert state_of_facts(facts, MONDAY) == State.FINISHED
    news = knockout_news(bracket_of(facts))
    assert news is not None
    assert [person.name.split()[0] for person in (news.winner, news.runner_up, news.third) if person] == [
        *("Ada", "Bo", "Dag")
    ]
    close_event(cup, by=None)


def test_a_second_final_follows_with_colours_exchanged_where_the_other_one_wins() -> None:
    cup = up_to_the_final()
    first = play(cup, (4, 1), result=LOSS)
    assert sits(cup, 5, 1) == ["Ada", "Bo"]
    second = Game.objects.get(pairing=match_of(cup, 5, 1))
    assert (first.white_id, first.black_id) == (second.black_id, second.white_id)
    assert [row[1:] for row in places(cup)[:2]] == [(1, 2, True)] * 2
    assert bracket_of(event_data(stage_of(cup), NOBODY)).rounds[-1].name == "second-final"
    play(cup, (5, 1), result=LOSS)
    assert places(cup)[0] == ("Bo", 1, 1, False)
    with pytest.raises(BracketMovesError) as asked:
        correct_result(game=first.pk, result=_turned(first), by=None)
    assert len(asked.value.games) == 1
    correct_result(game=first.pk, result=_turned(first), by=None, bracket=FOLLOW)
    assert stage_of(cup).rounds.count() == 4, "the second final goes with its round"
    assert places(cup)[0] == ("Ada", 1, 1, False)
    assert not any(check_list(row) for row in RatingList.objects.all())


def _turned(game: Game) -> Result:
    return Result.BLACK_WINS if game.result == Result.WHITE_WINS else Result.WHITE_WINS


def test_without_a_second_final_the_first_one_decides() -> None:
    cup = cup_of(3, second_final=False)
    play(cup, (1, 2), (2, 1), (3, 1))
    play(cup, (4, 1), result=LOSS)
    assert stage_of(cup).rounds.count() == 4
    assert [row[1:3] for row in places(cup)] == [(1, 1), (2, 2), (3, 3)]


@pytest.mark.extended
def test_a_corrected_winner_changes_both_brackets_and_what_was_played_is_asked_for() -> None:
    cup = cup_of(8)
    game = play(cup, (1, 1))
    play(cup, (1, 2), (1, 3), (1, 4))
    was = sits(cup, 2, 3)[0]
    correct_result(game=game.pk, result=_turned(game), by=None)
    assert (sits(cup, 2, 1)[0], sits(cup, 2, 3)[0]) == (was, "Ada")
    play(cup, (2, 3))
    game.refresh_from_db()
    with pytest.raises(BracketMovesError):
        correct_result(game=game.pk, result=_turned(game), by=None)
    correct_result(game=game.pk, result=_turned(game), by=None, bracket=FOLLOW)
    assert (sits(cup, 2, 1)[0], sits(cup, 2, 3)[0]) == ("Ada", was)
    assert advanced(match_of(cup, 2, 3)) == "–", "what was played there is to be played again"


@pytest.mark.extended
def test_steps_go_back_from_a_second_final_and_with_the_walk_overs_that_came_by_themselves() -> None:
    cup = cup_of(4)
    play(cup, (1, 1), (1, 2), (2, 1))
    before, steps = image(cup), last_steps(cup)
    withdraw_entry(entry_named(cup, "Ada").pk, by=None)
    play(cup, (2, 2), (3, 1))
    assert match_of(cup, 5, 1).walk_over, "both finals, as soon as the opponent is known"
    rewind(cup, last_steps(cup)[2].event.pk)
    assert (image(cup), last_steps(cup)) == (before, steps)
    play(cup, (2, 2), (3, 1))
    play(cup, (4, 1), (5, 1), result=LOSS)
    rewind(cup, last_steps(cup)[3].event.pk)
    assert image(cup) == before


def test_a_correction_that_cleared_later_games_is_no_step_to_take_back() -> None:
    cup = cup_of(4)
    game = play(cup, (1, 1))
    play(cup, (1, 2), (2, 1))
    correct_result(game=game.pk, result=_turned(game), by=None, bracket=FOLLOW)
    (step,) = last_steps(cup)
    assert "do not come back" in step.why_not


@pytest.mark.extended
def test_who_withdraws_loses_in_both_brackets_and_may_come_back_below() -> None:
    cup = cup_of(4)
    play(cup, (1, 1))
    leaver = entry_named(cup, "Bo")
    withdraw_entry(leaver.pk, by=None)
    assert sits(cup, 2, 1)[1] == "Cleo"
    assert sits(cup, 2, 2) == ["Dag", "Bo"]
    assert (advanced(match_of(cup, 2, 2)), match_of(cup, 2, 2).walk_over) == ("Dag", True)
    assert sits(cup, 3, 1)[1] == "Dag"
    return_entry(leaver.pk, by=None)
    assert (sits(cup, 2, 1), sits(cup, 2, 2), sits(cup, 3, 1)) == (["Ada", "–"], ["Dag", "–"], ["–", "–"])
    withdraw_entry(leaver.pk, by=None)
    play(cup, (2, 1))
    return_entry(leaver.pk, by=None)
    assert sits(cup, 2, 2) == ["Dag", "Bo"], "above play has gone on: he is back in the losers' bracket"
    assert advanced(match_of(cup, 2, 2)) == "–"


def test_where_neither_comes_both_are_out_and_the_arbiter_lets_the_others_go_on() -> None:
    cup = cup_of(4)
    play(cup, (1, 1))
    play(cup, (1, 2), result=Result.BOTH_FORFEIT)
    assert (sits(cup, 2, 1), sits(cup, 2, 2)) == (["Ada", "–"], ["Dag", "–"])
    for number, board, name in ((2, 2, "Dag"), (2, 1, "Ada")):
        rule_match(match_of(cup, number, board).pk, advanced=entry_named(cup, name).pk, walk_over=True, by=None)
    assert sits(cup, 3, 1) == ["–", "Dag"]
    rule_match(match_of(cup, 3, 1).pk, advanced=entry_named(cup, "Dag").pk, walk_over=True, by=None)
    play(cup, (4, 1))
    assert places(cup)[0] == ("Ada", 1, 1, False)
    close_event(cup, by=None)


STEPS = st.lists(
    st.tuples(st.integers(0, 40), st.sampled_from([WIN, WIN, LOSS, LOSS, Result.OPEN])), min_size=6, max_size=24
)


@pytest.mark.extended
@examples(20)
@given(count=st.integers(3, 7), steps=STEPS)
def test_changing_any_result_leaves_the_bracket_as_if_played_so_at_once(
    count: int, steps: list[tuple[int, Result]]
) -> None:
    with databases.rolled_back():
        cup = cup_of(count)
        for which, result in steps:
            games = list(Game.objects.filter(tournament=cup).order_by("pairing__round__number", "pairing__board"))
            game = games[which % len(games)]
            if game.result and game.result != result:
                correct_result(game=game.pk, result=result, by=None, bracket=FOLLOW)
            elif not game.result and result:
                record_result(game=game.pk, result=result, played_on=MONDAY, by=None)
        again = make_knockout(
            [row.player for row in cup.entries.order_by("number")], name="Again", system="double-elimination"
        )
        for game in Game.objects.filter(tournament=cup).exclude(result="").order_by("pairing__round__number"):
            at = match_of(again, game.pairing.round.number if game.pairing.round else 0, game.pairing.board or 0)
            own = Game.objects.get(pairing=at)
            record_result(game=own.pk, result=Result(game.result), played_on=MONDAY, by=None)
        assert stand(cup) == stand(again)
        assert not any(check_list(row) for row in RatingList.objects.all())


def stand(cup: Tournament) -> list[tuple[object, ...]]:
    """Every match: who sits where, with which colour, and who went on."""
    rows = Pairing.objects.filter(stage=stage_of(cup)).order_by("round__number", "board")
    return [
        (
            row.round.number if row.round else 0,
            row.board,
            *((line, seat.entry.player_id, seat.colour) for line, seat in sorted(seats_of_match(row).items())),
            row.advanced.player_id if row.advanced else None,
        )
        for row in rows
    ]


def test_the_pages_show_two_brackets_and_the_final(client: Client) -> None:
    cup = cup_of(8)
    play(cup, (1, 1), (1, 2), (1, 3), (1, 4))
    page = " ".join(client.get(f"{PAGE}bracket/").content.decode().split())
    for words in ("Winners’ bracket", "Losers’ bracket", "Grand final", "Losers’ round 1", "a second final decides"):
        assert words in page
    assert page.count("the loser goes to") == 7, "beside every match of the winners' bracket"
    keys = [part.split('"')[0] for part in page.split(' id="')[1:]]
    assert len(keys) == len(set(keys))
    for address in ("", "standings/", "print/?sheet=bracket", "tv/", "standings.csv", "pairings.csv"):
        assert client.get(f"{PAGE}{address}").status_code == 200, address
    assert "Winners’ semi-finals, Losers’ round 1" in client.get(f"{PAGE}rounds/2/").content.decode()
