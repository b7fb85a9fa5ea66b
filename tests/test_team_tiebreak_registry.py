"""Contracts over every tie-break of teams: whoever adds one gets these tests for nothing."""

from fractions import Fraction
from pathlib import Path

import pytest

from tournaments.standings.team_event import BoardPoints, TeamEvent, TeamMeeting, TeamScoring
from tournaments.standings.team_standings import team_standings
from tournaments.standings.team_tiebreaks import TEAM_TIEBREAKS, team_tiebreak
from tournaments.standings.tiebreaks import GroupTiebreak, PlayerTiebreak, Rule, Worth

ALGORITHMS = Path(__file__).resolve().parent.parent / "docs" / "algorithms"
each_tiebreak = pytest.mark.parametrize("rule", TEAM_TIEBREAKS, ids=lambda rule: rule.code)


def match(number: int, first: int, second: int, *boards: tuple[int, int]) -> TeamMeeting:
    points = (BoardPoints(board, *both) for board, both in enumerate(boards, start=1))
    return TeamMeeting(number, first, second, tuple(points))


THREE = (match(1, 1, 2, (2, 0), (1, 1)), match(2, 3, 1, (2, 0), (1, 1)), match(3, 2, 3, (2, 0), (0, 2)))


def worths(rule: Rule, teams: tuple[int, ...], meetings: tuple[TeamMeeting, ...]) -> dict[int, Worth | None]:
    event = TeamEvent(teams, TeamScoring(2), meetings, rounds=len(meetings))
    return {row.team: row.tiebreaks[0] for row in team_standings(event, [rule])}


@each_tiebreak
def test_a_tiebreak_of_teams_keeps_its_contract(rule: Rule) -> None:
    assert [one.code for one in TEAM_TIEBREAKS].count(rule.code) == 1
    assert team_tiebreak(f" {rule.code.lower()} ") is rule
    assert rule.name
    assert rule.rule.endswith(".")
    assert isinstance(rule, PlayerTiebreak) != isinstance(rule, GroupTiebreak), "for teams or for groups"
    with pytest.raises(ValueError, match=f"There is no “{rule.base}/X”"):
        team_tiebreak(f"{rule.code}/X")


@each_tiebreak
def test_a_tiebreak_of_teams_has_its_page(rule: Rule) -> None:
    headings = (page.read_text(encoding="utf-8").splitlines()[0] for page in ALGORITHMS.glob("*.md"))
    assert sum(f"`{rule.code}`" in heading for heading in headings) == 1


@each_tiebreak
def test_a_tiebreak_of_teams_does_not_depend_on_the_order_of_teams_and_matches(rule: Rule) -> None:
    found = worths(rule, (1, 2, 3), THREE)
    assert all(isinstance(worth.number, Fraction) for worth in found.values() if worth is not None)
    assert worths(rule, (3, 1, 2), THREE[::-1]) == found


@each_tiebreak
def test_a_tiebreak_of_teams_takes_the_modifiers_it_names(rule: Rule) -> None:
    for letter in ("C1", "P", "F", "K2", "L+1", "R"):
        if letter[0] in rule.takes:
            assert team_tiebreak(f"{rule.code}/{letter}").code == f"{rule.code}/{letter}"
        else:
            with pytest.raises(ValueError, match=f"There is no “{rule.base}/"):
                team_tiebreak(f"{rule.code}/{letter}")


@each_tiebreak
def test_a_tiebreak_that_reads_points_takes_the_score_to_read(rule: Rule) -> None:
    if rule.scored:
        assert team_tiebreak(f"{rule.code}:GP").code == f"{rule.code}:GP"
        assert team_tiebreak(f"{rule.code}:mp").variations == ("By match points.",)
    with pytest.raises(ValueError, match=f"There is no “{rule.base.upper()}:XP”"):
        team_tiebreak(f"{rule.code}:XP")
