"""Whatever captains and arbiters do in any order: points are conserved, nobody sits twice, colours follow the rule.

After each deed, some of which take others back, every cell of the table is what a second reading of the boards makes;
in the end (with --all after each) the ledger equals its replay.
"""

from contextlib import suppress

import pytest
from django.db import transaction
from django.db.models import Count
from hypothesis import given
from hypothesis import strategies as st

from players.refusals import Refused
from ratings.models import RatingList
from tests.choosing import everything, examples
from tests.factory import MONDAY
from tests.tournaments.standings.team_tiebreaks_plainly import (
    check_boards,
    check_encounters,
    check_sums,
    counting,
    total,
)
from tests.tournaments.teams.team_cases import make_team_event, play
from tests.tournaments.undo.undo_cases import facts_beside
from tournaments.models import Game, Seat, Team, TeamMatch, TeamPenalty, TeamPlayer, TeamRules, Tournament
from tournaments.rated_games.services.rebuilding import check_list
from tournaments.results.services.results import correct_result, record_result
from tournaments.standings.points import OUTCOMES, Result
from tournaments.standings.team_event import BoardPoints, TeamEvent, TeamMeeting, TeamScoring, team_scores
from tournaments.standings.team_event import TeamPenalty as Penalty
from tournaments.teams.selectors.facts import team_facts
from tournaments.teams.services.leaving import bring_team_back, take_team_out
from tournaments.teams.services.line_ups import change_board, hand_in, open_match
from tournaments.teams.services.matches import Ruling, lift_penalty, penalise, plan_match, rule_on_match, set_absent
from tournaments.undo.services.undo import last_undoable, undo
from tournaments.withdrawals.services.withdrawals import withdraw_entry

pytestmark = pytest.mark.usefixtures("event")
ON_BOARDS = ("hand in", "open", "change", "result", "result", "result", "correct", "clear", "default", "postpone")
DECISIONS = ("penalty", "lift", "ruling", "award", "unrule", "leave", "return", "withdraw", "undo")
DEEDS = (*ON_BOARDS, *DECISIONS)
RESULTS = (Result.WHITE_WINS, Result.DRAW, Result.BLACK_WINS, Result.BLACK_FORFEITS, Result.BOTH_FORFEIT)


@pytest.fixture(scope="module")
def event(standard: RatingList) -> Tournament:
    """A league, beside another with a round behind it."""
    other = make_team_event()
    first, second = TeamMatch.objects.filter(round__stage__tournament=other, round__number=1)
    play(first, [Result.WHITE_WINS, Result.DRAW])
    penalise(first.home_id, by=None, reason="Late", match_points=1)
    hand_in(
        second.pk,
        second.home_id,
        list(TeamPlayer.objects.filter(team=second.home).values_list("pk", flat=True))[:2],
        by=None,
    )
    return make_team_event()


def do(data: st.DataObject, event: Tournament) -> None:
    """One thing somebody does; what the rules do not allow is refused and changes nothing."""
    deed = data.draw(st.sampled_from(DEEDS))
    matches = TeamMatch.objects.filter(round__stage__tournament=event, round__number__lte=2).order_by("pk")
    match = data.draw(st.sampled_from(list(matches)))
    team = data.draw(st.sampled_from([match.home, match.away]))
    with suppress(Refused), transaction.atomic():
        if deed in DECISIONS:
            decide(deed, data, match, team)
        else:
            do_on_boards(deed, data, match, team)


def do_on_boards(deed: str, data: st.DataObject, match: TeamMatch, team: Team) -> None:
    squad = [*TeamPlayer.objects.filter(team=team).order_by("place").values_list("pk", flat=True), None]
    games = Game.objects.filter(pairing__match=match).order_by("pk")
    if deed == "hand in":
        hand_in(match.pk, team.pk, data.draw(st.permutations(squad))[:2], by=None)
    elif deed == "open":
        open_match(match.pk, by=None)
    elif deed == "change":
        row = data.draw(st.sampled_from(squad))
        change_board(match.pk, data.draw(st.integers(1, 2)), team.pk, row, by=None, reason="other")
    elif deed == "default":
        set_absent(match.pk, data.draw(st.sampled_from(["home", "both", ""])), by=None, reason="other")
    elif deed == "postpone":
        plan_match(match.pk, data.draw(st.sampled_from([None, MONDAY])), by=None)
    elif games:
        game, result = data.draw(st.sampled_from(list(games))), data.draw(st.sampled_from(RESULTS))
        if deed in ("correct", "clear"):
            correct_result(game=game.pk, result=result if deed == "correct" else Result.OPEN, by=None)
        else:
            record_result(game=game.pk, result=result, played_on=MONDAY, by=None)


def decide(deed: str, data: st.DataObject, match: TeamMatch, team: Team) -> None:
    points = st.integers(-3, 3)
    if deed == "penalty":
        penalise(team.pk, by=None, reason="Late", match_points=data.draw(points), game_points=1, match=match)
    elif deed == "ruling":
        own, other = data.draw(st.integers(0, 4)), data.draw(st.integers(0, 4))
        rule_on_match(match.pk, Ruling(own, other, "Decided"), by=None)
    elif deed == "award":
        own, games = data.draw(st.sampled_from([None, 1])), (data.draw(st.integers(0, 4)), data.draw(st.integers(0, 4)))
        rule_on_match(match.pk, Ruling(own, own, "Decided", games), by=None)
    elif deed == "unrule":
        rule_on_match(match.pk, None, by=None)
    elif deed == "leave":
        take_team_out(team.pk, by=None)
    elif deed == "return":
        bring_team_back(team.pk, by=None)
    elif deed == "withdraw":
        entry = TeamPlayer.objects.filter(team=team)[0].entry
        withdraw_entry(entry.pk, by=None)
    elif deed == "undo":
        last = last_undoable(team.tournament)
        if last is not None:
            undo(last.event.pk, by=None, seen=last.seen)
    else:
        for row in TeamPenalty.objects.filter(team=team):
            lift_penalty(row.pk, by=None, lifted=not row.lifted)


# --- a second reading ---------------------------------------------------------------------------------------------
def read_again(event: Tournament) -> TeamEvent:
    """The event from its rows alone, board by board."""
    rules, teams = event.team_rules, list(Team.objects.filter(tournament=event).order_by("number"))
    rows = list(TeamMatch.objects.filter(round__stage__tournament=event).select_related("round", "home", "away"))
    meetings = {row: meeting for row in rows if (meeting := meeting_of(row)) is not None}
    begun = [row.round.number for row, one in meetings.items() if one.decided or row.boards.exists()]
    fined = TeamPenalty.objects.filter(team__tournament=event, lifted=False).select_related("team")
    gone = []
    for team in teams:
        own = [row for row in rows if team in (row.home, row.away)]
        came = [row for row in own if row in meetings and meetings[row].decided and not missed(row, team)]
        gone += [team.number] if team.left_before and 2 * len(came) < len(own) else []
    return TeamEvent(
        tuple(team.number for team in teams),
        TeamScoring(2, primary="GP" if rules.primary == "GP" else "MP"),
        tuple(meetings.values()),
        penalties=tuple(Penalty(one.team.number, one.from_round, one.match_points, one.game_points) for one in fined),
        rounds=max(begun, default=0),
        edition=event.tiebreak_edition,
        annulled=frozenset(gone),
    )


def missed(row: TeamMatch, team: Team) -> bool:
    return row.absent == "both" or (row.absent != "" and (row.absent == "home") == (team == row.home))


def meeting_of(row: TeamMatch) -> TeamMeeting | None:
    """A match from its seats and games; its home team first, who has White on board 1 here."""
    ruled = None if row.ruled_home is None else (row.ruled_home, row.ruled_away or 0)
    awarded = None if row.ruled_home_games is None else (row.ruled_home_games, row.ruled_away_games or 0)
    boards = [BoardPoints(number, *of_board(row, number)) for number in (1, 2)]
    if not row.absent and not row.boards.exists():
        boards = []
    return (
        TeamMeeting(row.round.number, row.home.number, row.away.number, tuple(boards), ruled, awarded)
        if boards or ruled
        else None
    )


def of_board(row: TeamMatch, number: int) -> tuple[int, int, bool, bool]:
    """Half-points of both, whether it was played, whether it is over."""
    if row.absent:
        return 2 * (row.absent == "away"), 2 * (row.absent == "home"), False, True
    sides = {seat.line: seat.colour for seat in Seat.objects.filter(pairing__match=row, pairing__match_board=number)}
    if len(sides) < 2:
        return 2 * (1 in sides), 2 * (2 in sides), False, True
    result = Result(Game.objects.get(pairing__match=row, pairing__match_board=number).result)
    white, black = {"1-0": (2, 0), "1/2": (1, 1), "0-1": (0, 2), "+-": (2, 0)}.get(result.value, (0, 0))
    own, other = (white, black) if sides[1] == "w" else (black, white)
    return own, other, result.value in ("1-0", "1/2", "0-1"), result != Result.OPEN


def check_table(event: Tournament) -> None:
    """Every cell, and both scores, against the second reading."""
    found, again = team_facts(event).event, read_again(event)
    check_sums(found, again)
    check_boards(found, again)
    check_encounters(found, again)
    scores, teams = team_scores(found), counting(again)
    assert {team: (scores[team].match_points, scores[team].game_points) for team in teams} == {
        team: tuple(2 * total(again, team, score) for score in "MG") for team in teams
    }


def check_seats(event: Tournament) -> None:
    twice = Seat.objects.filter(round__stage__tournament=event).values("round", "entry").annotate(n=Count("pk"))
    assert not twice.filter(n__gt=1).exists()
    for seat in Seat.objects.filter(round__stage__tournament=event).exclude(colour="").select_related("pairing__match"):
        home_is_white = seat.pairing.match.first_white == ("home" if seat.pairing.match_board % 2 else "away")
        assert seat.colour == ("w" if home_is_white == (seat.line == 1) else "b")
    facts = team_facts(event)
    win = facts.event.scoring.points.win
    for match in facts.matches:
        alone = sum(board.game is None for board in match.boards)
        shared = sum(win for board in match.boards if board.game and sum(_shares(board.result)))
        if not match.row.absent and match.row.ruled_home_games is None:
            assert sum(match.game_points) == shared + alone * win


def _shares(result: Result) -> tuple[int, int]:
    """What is shared on a board: nothing where nobody came to it."""
    outcome = OUTCOMES[result]
    return int(outcome.white in ("win", "draw")), int(outcome.black in ("win", "draw"))


@pytest.mark.extended
@examples(40)
@given(data=st.data())
def test_whatever_is_done_the_table_is_that_of_the_boards_and_nobody_sits_twice(
    event: Tournament, data: st.DataObject
) -> None:
    with transaction.atomic():
        event = Tournament.objects.get(pk=event.pk)  # the one of the try before remembers its rules
        beside = facts_beside(event)
        TeamRules.objects.filter(tournament=event).update(primary=data.draw(st.sampled_from(["MP", "GP"])))
        for _deed in range(data.draw(st.integers(5, 25))):
            do(data, event)
            check_table(event)
            assert not everything() or check_list(RatingList.objects.get()) == []
        assert check_list(RatingList.objects.get()) == []
        check_seats(event)
        assert facts_beside(event) == beside
        transaction.set_rollback(True)


@pytest.mark.extended
@examples(10)
@given(order=st.permutations(range(4)), results=st.lists(st.sampled_from(RESULTS), min_size=8, max_size=8))
def test_the_table_does_not_depend_on_the_order_of_entry(
    event: Tournament, order: list[int], results: list[Result]
) -> None:
    """Four matches of two rounds."""
    tables = []
    Tournament.objects.update(rated=False)
    matches = list(TeamMatch.objects.filter(round__stage__tournament=event).order_by("round__number", "number"))
    for turn in (range(4), order):
        with transaction.atomic():
            for at in turn:
                play(matches[at], results[2 * at : 2 * at + 2])
            tables.append(team_scores(team_facts(Tournament.objects.get(pk=event.pk)).event))
            transaction.set_rollback(True)
    assert tables[0] == tables[1]
