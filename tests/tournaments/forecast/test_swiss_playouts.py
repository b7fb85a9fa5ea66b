"""Where a Swiss may end: rounds to come are those of the pairing system, ends are ranked as its standings are."""

from dataclasses import replace
from itertools import product

import numpy
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ratings.systems.draws import odds_of
from ratings.systems.elo import expected_score
from tests.choosing import examples
from tests.tournaments.forecast.playing_cases import RATE, adds_up, known, near, quiet, rng, unsure
from tournaments.forecast import round_robin_playouts, swiss_playouts, swiss_rounds
from tournaments.forecast.outcomes import Running
from tournaments.forecast.outlook import EXACT, SAMPLED, SAMPLED_FAST, Outlook, Strengths
from tournaments.forecast.swiss_playouts import play_swiss
from tournaments.forecast.swiss_rounds import History, Rounds, SwissToCome, Way
from tournaments.pairing.base import Board, Field
from tournaments.pairing.dutch.system import Dutch
from tournaments.standings.crosstable import Bye, Meeting
from tournaments.standings.points import POINT_SYSTEMS, Result, point_system, with_allocated_bye
from tournaments.standings.tiebreaks import tiebreaks_of

WON, DRAW, LOST, OPEN = Result.WHITE_WINS, Result.DRAW, Result.BLACK_WINS, Result.OPEN
BUCHHOLZ = "BH/C1, BH, DE, SB"


def swiss(
    players: int, rounds: int, codes: str = BUCHHOLZ, points: str = "classic", results: tuple[Result, ...] = ()
) -> tuple[Running, SwissToCome]:
    """An event of so many players: a first round by the engine with these results, the rest to come."""
    worth, everybody = point_system(points), tuple(range(1, players + 1))
    field = Field(everybody, frozenset(everybody), (), (), frozenset(), 1, worth)
    running = Running(everybody, (), worth, tiebreaks_of(codes), lots=1)
    to_come = SwissToCome(Dutch(), {"rounds": rounds}, field, rounds)
    if not results:
        return running, to_come
    boards = Dutch().pair_round(field, {"rounds": rounds})
    pairs = [(board.white, board.black) for board in boards if board.black is not None]
    byes = tuple(Bye(1, board.white, worth.allocated_bye, "pab") for board in boards if board.is_bye)
    meetings = tuple(Meeting(1, *pair, result) for pair, result in zip(pairs, results, strict=True))
    field = replace(field, meetings=meetings, byes=byes, round=2)
    return replace(running, meetings=meetings, byes=byes), replace(to_come, field=field)


def test_whoever_won_without_playing_has_had_his_bye() -> None:
    _running, to_come = swiss(4, 3)
    won = Way((Meeting(1, 1, 2, Result.BLACK_FORFEITS), Meeting(1, 4, 3, Result.WHITE_FORFEITS)), ())
    history = History(to_come.field, won)
    assert history.had_bye == {1, 3}
    win = to_come.field.points.win
    assert history.points == {1: win, 2: 0, 3: win, 4: 0}
    assert not any(history.met.values())


def test_a_colour_is_counted_for_the_one_who_had_it() -> None:
    _running, to_come = swiss(4, 3)
    history = History(to_come.field, Way((Meeting(1, 1, 2, WON), Meeting(1, 4, 3, LOST), Meeting(2, 3, 1, DRAW)), ()))
    assert history.whites == {1: 0, 2: -1, 3: 0, 4: 1}
    assert history.last == {1: -1, 2: -1, 3: 1, 4: 1}


def played(event: tuple[Running, SwissToCome], strengths: Strengths, samples: int = 300, seed: int = 7) -> Outlook:
    return play_swiss(*event, strengths, samples, rng(seed), quiet)


def strong(players: int) -> list[float]:
    return [1900.0 - 60 * player for player in range(players)]


def by_hand(event: tuple[Running, SwissToCome], strengths: Strengths) -> list[list[float]]:
    """The open games of round 1, the round paired after each of their endings, and its endings: all of them."""
    running, to_come = event
    places = [[0.0] * len(running.players) for _player in running.players]
    row = strengths.draws[0]

    def endings(meetings: list[Meeting]) -> list[tuple[float, list[Meeting]]]:
        found = []
        ways = [(WON, DRAW, LOST) if meeting.result is OPEN else (meeting.result,) for meeting in meetings]
        for results in product(*ways):
            chance = 1.0
            for meeting, result in zip(meetings, results, strict=True):
                odds = odds_of(expected_score(row[meeting.white - 1], row[meeting.black - 1]), RATE)
                share = {WON: odds.win, DRAW: odds.draw, LOST: odds.loss}[result]
                chance *= share if meeting.result is OPEN else 1.0
            found.append((chance, [replace(one, result=how) for one, how in zip(meetings, results, strict=True)]))
        return found

    for before, first in endings(list(running.meetings)):
        boards = Dutch().pair_round(replace(to_come.field, meetings=tuple(first)), to_come.settings)
        new = [Meeting(2, board.white, board.black, OPEN) for board in boards if board.black is not None]
        byes = [Bye(2, board.white, to_come.bye_points, "pab") for board in boards if board.is_bye]
        for then, second in endings(new):
            whole = replace(running, byes=(*running.byes, *byes), swiss=True, rounds=2)
            standings = whole.standings(whole.table([*first, *second]))
            for line in standings:
                level = sum(other.place == line.place for other in standings)
                for place in range(line.place, line.place + level):
                    places[line.player - 1][place - 1] += before * then / level
    return places


@pytest.mark.parametrize("codes", ["", BUCHHOLZ])
@pytest.mark.parametrize("players", [5, 6])
def test_one_round_to_come_is_all_its_endings(players: int, codes: str) -> None:
    event = swiss(players, 2, codes, results=(WON, DRAW, LOST)[: players // 2])
    strengths = known(*strong(players))
    outlook = played(event, strengths)
    assert (outlook.method, outlook.samples) == (EXACT, 0), "the next pairing is certain"
    assert outlook.places == pytest.approx(numpy.array(by_hand(event, strengths)))
    assert adds_up(outlook)


def test_every_sample_is_paired_for_itself_and_agrees_with_exact(monkeypatch: pytest.MonkeyPatch) -> None:
    event = swiss(6, 2, results=(OPEN, OPEN, DRAW))
    strengths = known(*strong(6))
    outlook = played(event, strengths, 3000)
    assert (outlook.method, outlook.samples) == (SAMPLED, 3000)
    assert near(outlook, by_hand(event, strengths), 3000)
    assert outlook.points is not None
    assert outlook.points.sum() == pytest.approx(6 * 2), "six games, two half-points each"
    event = swiss(6, 2, results=(WON, DRAW, LOST))
    exact = played(event, known(*strong(6)))
    monkeypatch.setattr(round_robin_playouts, "MOST_OUTCOMES", 0)
    estimate = played(event, known(*strong(6)), 3000)
    assert (exact.method, estimate.method) == (EXACT, SAMPLED)
    assert near(estimate, exact.places, 3000)


def test_a_win_is_the_winners_with_white_and_with_black() -> None:
    outlook = played(swiss(6, 3, results=(WON, WON, WON)), known(4000, 3300, 2600, 1900, 1200, 500), 50)
    assert outlook.points is not None
    assert outlook.points[0] == pytest.approx(6, abs=0.2)


@pytest.mark.parametrize("exact_field", [0, 16])
@given(players=st.integers(2, 9), rounds=st.integers(1, 4), points=st.sampled_from(POINT_SYSTEMS))
@examples(10)
def test_every_place_is_dealt_out_once(exact_field: int, players: int, rounds: int, points: object) -> None:
    """Also where a few players have too many rounds: then pairs meet again."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(swiss_rounds, "EXACT_FIELD", exact_field)
        event = swiss(players, rounds, points=getattr(points, "key", ""))
        outlook = played(event, unsure(*strong(players)), 12)
    assert adds_up(outlook)
    assert outlook.players == tuple(range(1, players + 1))


def test_when_all_is_played_it_is_the_standings() -> None:
    running, to_come = swiss(6, 1, results=(WON, DRAW, LOST))
    outlook = played((running, to_come), known(*strong(6)))
    ended = replace(running, swiss=True, rounds=1)
    for line in ended.standings(ended.table(running.meetings)):
        assert outlook.places[line.player - 1, line.place - 1] > 0.0
    assert outlook.points is not None
    assert outlook.points.tolist() == [line.points for line in running.table(running.meetings).values()]


def test_the_bye_is_worth_what_is_said_and_who_does_not_play_on_keeps_his_points() -> None:
    for worth, points in (("draw", 1), ("win", 2)):
        running, to_come = swiss(3, 1)
        system = with_allocated_bye(running.points, worth)
        event = replace(running, points=system), replace(to_come, field=replace(to_come.field, points=system))
        outlook = played(event, known(1500, 1500, 1500))
        assert outlook.points is not None
        assert outlook.points == pytest.approx([1, 1, points])
    running, to_come = swiss(6, 3, results=(WON, WON, OPEN))
    to_come = replace(to_come, field=replace(to_come.field, present=frozenset({1, 2, 3, 5, 6})))
    outlook = played((running, to_come), known(*strong(6)), 60)
    assert outlook.points is not None
    assert outlook.points[3] == [line.points for line in running.table(running.meetings).values()][3]
    for left_out in (6, 1):  # with a game to be played, and with rounds to come only
        others = tuple(player for player in (1, 2, 3, 5, 6) if player != left_out)
        with pytest.raises(ValueError, match=f"how strong number {left_out} is"):
            played((running, to_come), Strengths(others, known(*strong(4)).draws, RATE))


def test_unplayed_rounds_count_as_in_a_swiss() -> None:
    """3 has a bye: for the Buchholz of a Swiss that is a game against a dummy, in a round robin it is nothing."""
    running, to_come = swiss(3, 1, "BH", results=(DRAW,))
    running = replace(running, byes=(Bye(1, 3, 1, "half"),))
    ended = replace(running, swiss=True, rounds=1)
    values = {line.player: line.tiebreaks for line in ended.standings(ended.table(running.meetings))}
    in_a_round_robin = replace(ended, swiss=False).standings(ended.table(running.meetings))
    assert values[3] != {line.player: line.tiebreaks for line in in_a_round_robin}[3]
    assert adds_up(played((running, to_come), known(1500, 1500, 1500)))


def test_rounds_may_be_numbered_on_and_one_with_games_is_not_paired_again() -> None:
    running, to_come = swiss(6, 3, "DE", results=(WON, OPEN, DRAW))
    later = tuple(replace(meeting, round=meeting.round + 4) for meeting in running.meetings)
    shifted = replace(running, meetings=later), replace(to_come, offset=4)
    one, other = played((running, to_come), known(*strong(6)), 50), played(shifted, known(*strong(6)), 50)
    assert one.places == pytest.approx(other.places)
    running, to_come = swiss(6, 3, results=(WON, OPEN, DRAW))
    with pytest.raises(ValueError, match="Round 1 is to be paired, and has games"):
        played((running, replace(to_come, field=replace(to_come.field, round=1))), known(*strong(6)))
    with pytest.raises(ValueError, match="at least once"):
        played((running, to_come), known(*strong(6)), 0)


def test_large_fields_are_paired_fast_and_that_is_said() -> None:
    players = swiss_rounds.EXACT_FIELD + 1
    event = swiss(players, 3)
    outlook = played(event, known(*strong(players)), 20)
    assert outlook.method == SAMPLED_FAST
    assert outlook.points is not None
    in_a_round = players // 2 * event[0].points.win + players % 2 * event[1].bye_points
    assert outlook.points.sum() == pytest.approx(3 * in_a_round)
    smaller = swiss(players - 1, 2, results=(OPEN,) * ((players - 1) // 2))
    assert played(smaller, known(*strong(players)), 5).method == SAMPLED


@pytest.mark.extended
def test_how_far_it_is_is_told_and_the_same_seed_say_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(swiss_playouts, "AT_ONCE", 1)
    lines: list[tuple[int, int]] = []
    play_swiss(*swiss(8, 3), known(*strong(8)), 100, rng(), lambda done, of: lines.append((done, of)))
    assert len(lines) > 100, "after every way that samples went"
    assert lines == sorted(lines)
    assert lines[-1] == (300, 300), "the first pairing is certain, two rounds and the ranking are not"
    one, other = (played(swiss(8, 3), unsure(*strong(8)), 30) for _time in range(2))
    assert (one.places == other.places).all()


def test_the_fast_round_keeps_apart_gives_colours_and_no_bye_to_who_won_without_playing() -> None:
    _running, to_come = swiss(4, 3)
    field = replace(to_come.field, prohibited=frozenset({frozenset({1, 3})}), round=2)
    rounds = Rounds(replace(to_come, field=field))
    first = Way((Meeting(1, 1, 2, WON), Meeting(1, 3, 4, WON)), ())
    boards = rounds.pair(first, 2, exactly=False)
    assert rounds.approximated
    assert boards == (Board(4, 1), Board(2, 3)), "1 must not meet 3; who had Black has White"
    _running, to_come = swiss(5, 3)
    rounds = Rounds(replace(to_come, field=replace(to_come.field, round=2)))
    forfeit = Way((Meeting(1, 1, 3, WON), Meeting(1, 5, 2, Result.BLACK_FORFEITS)), (Bye(1, 4, 0, "pab"),))
    assert rounds.pair(forfeit, 2, exactly=False)[-1] == Board(3, None)
