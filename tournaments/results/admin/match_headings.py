"""A round of teams on the result page: a heading above the boards of each match, with the score so far."""

from collections.abc import Sequence

from players.refusals import sign
from tournaments.models import Round
from tournaments.pairing.free import Teams
from tournaments.results.admin.boards import Board, MatchHeading
from tournaments.teams.selectors.facts import MatchFacts, TeamFacts, team_facts


def with_headings(row: Round, boards: Sequence[Board]) -> list[MatchFacts]:
    """Give the first board of each match its heading; the matches of the round whose boards are not made yet. Nothing
    in a round of players."""
    if row.stage.pairing_system != Teams.key:
        return []
    facts = team_facts(row.stage.tournament, drafts=True, rounds=[row.number])
    first: dict[int, Board] = {}
    for board in boards:
        first.setdefault((board.number - 1) // facts.rules.boards + 1, board)
    for match in facts.matches:
        if match.row.number in first:
            home, away = (team.name if team else "" for team in (match.row.home, match.row.away))
            first[match.row.number].heading = MatchHeading(match.row.pk, home, away, score_of(facts, match))
    return [match for match in facts.matches if match.row.away_id and not match.is_open and not match.row.absent]


def scores_of(row: Round) -> dict[int, str]:
    """The score of each match of a round of teams that is open, by its key."""
    if row.stage.pairing_system != Teams.key:
        return {}
    facts = team_facts(row.stage.tournament, drafts=True, rounds=[row.number])
    return {match.row.pk: score_of(facts, match) for match in facts.matches if match.is_open}


def score_of(facts: TeamFacts, match: MatchFacts) -> str:
    """Game points of the home team and the guests: 2½ : 1½."""
    points = facts.event.scoring.points
    home, away = match.game_points
    return f"{points.text(home)}{sign(': ').strip()}{points.text(away)}"
