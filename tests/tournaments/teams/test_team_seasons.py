"""Whatever captains and arbiters do in any order: points are conserved, nobody sits twice, colours follow the rule, the
table is that of the boards, and the ledger equals its replay.
"""

from contextlib import suppress

import pytest
from django.db import transaction
from django.db.models import Count
from hypothesis import given
from hypothesis import strategies as st

from players.refusals import Refused
from ratings.models import RatingList
from tests.choosing import examples
from tests.factory import MONDAY
from tests.tournaments.teams.team_cases import make_team_event, play
from tournaments.models import Game, Seat, TeamMatch, TeamPlayer, Tournament
from tournaments.rated_games.services.rebuilding import check_list
from tournaments.results.services.results import correct_result, record_result
from tournaments.standings.points import OUTCOMES, Result
from tournaments.standings.team_event import team_scores
from tournaments.teams.selectors.facts import team_facts
from tournaments.teams.services.line_ups import change_board, colour_of, hand_in, open_match
from tournaments.teams.services.matches import plan_match, set_absent

pytestmark = pytest.mark.django_db
DEEDS = ("hand in", "open", "change", "result", "result", "result", "correct", "default", "postpone")
RESULTS = (Result.WHITE_WINS, Result.DRAW, Result.BLACK_WINS, Result.BLACK_FORFEITS)


def do(data: st.DataObject, event: Tournament) -> None:
    """One thing somebody does; what the rules do not allow is refused and changes nothing."""
    deed = data.draw(st.sampled_from(DEEDS))
    matches = TeamMatch.objects.filter(round__stage__tournament=event, round__number__lte=2).order_by("pk")
    match = data.draw(st.sampled_from(list(matches)))
    team = data.draw(st.sampled_from([match.home, match.away]))
    squad = [*TeamPlayer.objects.filter(team=team).order_by("place").values_list("pk", flat=True), None]
    games = Game.objects.filter(pairing__match=match).order_by("pk")
    with suppress(Refused), transaction.atomic():
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
            if deed == "correct":
                correct_result(game=game.pk, result=result, by=None)
            else:
                record_result(game=game.pk, result=result, played_on=MONDAY, by=None)


def check_boards(event: Tournament) -> None:
    twice = Seat.objects.filter(round__stage__tournament=event).values("round", "entry").annotate(n=Count("pk"))
    assert not twice.filter(n__gt=1).exists()
    for seat in Seat.objects.filter(round__stage__tournament=event).exclude(colour="").select_related("pairing__match"):
        assert seat.colour == colour_of(seat.pairing.match, seat.pairing.match_board, seat.line)
    facts = team_facts(event)
    win = facts.event.scoring.points.win
    for match in facts.matches:
        alone = sum(board.game is None for board in match.boards)
        shared = sum(win for board in match.boards if board.game and sum(_shares(board.result)))
        if not match.row.absent:
            assert sum(match.game_points) == shared + alone * win
    totals = team_scores(facts.event).values()
    assert sum(one.game_points for one in totals) == sum(sum(match.game_points) for match in facts.matches)


def _shares(result: Result) -> tuple[int, int]:
    outcome = OUTCOMES[result]
    return int(outcome.white is not None), int(outcome.black is not None)


@examples(40)
@given(st.data())
def test_whatever_is_done_points_are_conserved_and_nobody_sits_twice(data: st.DataObject) -> None:
    with transaction.atomic():
        event = make_team_event()
        for _deed in range(data.draw(st.integers(5, 25))):
            do(data, event)
        check_boards(event)
        assert check_list(RatingList.objects.get()) == []
        transaction.set_rollback(True)


@examples(10)
@given(st.permutations(range(6)), st.lists(st.sampled_from(RESULTS), min_size=12, max_size=12))
def test_the_table_does_not_depend_on_the_order_of_entry(order: list[int], results: list[Result]) -> None:
    tables = []
    with transaction.atomic():
        for turn in (list(range(6)), order):
            event = make_team_event()
            matches = list(TeamMatch.objects.filter(round__stage__tournament=event).order_by("round__number", "number"))
            for at in turn:
                play(matches[at], results[2 * at : 2 * at + 2])
            tables.append(team_scores(team_facts(event).event))
        assert tables[0] == tables[1]
        transaction.set_rollback(True)


@pytest.fixture(autouse=True)
def main_list(standard: RatingList) -> RatingList:
    return standard
