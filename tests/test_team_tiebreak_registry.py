"""Contracts over every tie-break of teams: whoever adds one gets these tests for nothing.

What they compute is tried in tests/tournaments/standings/test_team_tiebreaks_properties.py.
"""

from pathlib import Path

import pytest

from tournaments.standings.team_tiebreaks import TEAM_TIEBREAKS, team_tiebreak
from tournaments.standings.tiebreaks import GroupTiebreak, PlayerTiebreak, Rule

ALGORITHMS = Path(__file__).resolve().parent.parent / "docs" / "algorithms"
each_tiebreak = pytest.mark.parametrize("rule", TEAM_TIEBREAKS, ids=lambda rule: rule.code)


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
