"""What holds for the tie-breaks of every event of teams: any matches, byes, absences and penalties."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.choosing import examples
from tests.tournaments.standings.team_events import BOARDS, TEAMS, events, numbers, places, rows
from tournaments.standings.team_event import TeamBye, TeamEvent, TeamMeeting, TeamPenalty, team_scores
from tournaments.standings.team_tiebreaks import TEAM_TIEBREAKS

# The pairing number names the number itself.
CODES = [rule.code for rule in TEAM_TIEBREAKS if rule.base != "TPN"]
CODES += ["EMMSB/C1", "EGGSB/C2/P", "SSSC/F", "SSSC/K2", "BH:GP/C1", "FB:GP", "DE:GP", "EDET/P", "KS:GP", "AOB:MP"]


@pytest.mark.extended
@given(events(), st.permutations(TEAMS))
@examples(150)
def test_numbers_of_teams_and_the_order_of_entry_change_nothing(event: TeamEvent, numbered: list[int]) -> None:
    new = dict(zip(TEAMS, numbered, strict=True))
    moved = TeamEvent(
        tuple(new[team] for team in reversed(event.teams)),
        event.scoring,
        tuple(TeamMeeting(one.round, new[one.first], new[one.second], one.boards) for one in reversed(event.meetings)),
        tuple(TeamBye(one.round, new[one.team], one.kind, one.match_points, one.game_points) for one in event.byes),
        tuple(TeamPenalty(new[one.team], 1, one.match_points, one.game_points) for one in event.penalties),
        event.rounds,
        event.swiss,
        event.edition,
    )
    for code in CODES:
        before, after = numbers(event, code), numbers(moved, code)
        assert {new[team]: number for team, number in before.items()} == after, code
        assert {(place, new[team]) for place, team in places(event, code)} == set(places(moved, code)), code


@given(events())
@examples(150)
def test_parts_add_up_to_the_number(event: TeamEvent) -> None:
    for code in CODES:
        for row in rows(event, code):
            (worth,) = row.tiebreaks
            if worth is not None and worth.how == "sum":
                assert worth.number == sum(part.amount for part in worth.parts if not part.cut), code


@given(events(marks="1=0"))
@examples(50)
def test_every_game_brings_one_point(event: TeamEvent) -> None:
    played = TeamEvent(event.teams, event.scoring, event.meetings)
    total = sum(score.game_points for score in team_scores(played).values())
    assert total == 2 * BOARDS * len(event.meetings)


@given(events())
@examples(100)
def test_berlin_and_board_count_make_up_all_boards(event: TeamEvent) -> None:
    berlin, count = numbers(event, "BERLIN"), numbers(event, "BC")
    on_boards = {
        row.team: sum(part.factors[1] for part in row.tiebreaks[0].parts)
        for row in rows(event, "BC")
        if row.tiebreaks[0]
    }
    assert {team: (berlin[team] or 0) + (count[team] or 0) for team in TEAMS} == {
        team: (BOARDS + 1) * total for team, total in on_boards.items()
    }


@given(events())
@examples(100)
def test_a_tiebreak_of_the_tied_moves_nobody_out_of_the_group(event: TeamEvent) -> None:
    before = {team: place for place, team in places(event)}
    for code in ("EDE", "EDEBT", "EDEB", "TBR", "BBE", "BC"):
        for place, team in places(event, code):
            tied = sum(one == before[team] for one in before.values())
            assert before[team] <= place < before[team] + tied
