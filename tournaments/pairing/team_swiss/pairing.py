"""A round of the team Swiss (pure): the bye, bracket after bracket, the colours, the order of matches.

`pair_teams` is what a round is made by; `paired_round` keeps how it came about, for explanations. Matches stand in the
order of C.04.2: the higher score of the two, the sum of both, the number of the higher one; the bye comes last.

Source: FIDE C.04.6 (2026) art. 3.3; C.04.2 art. 3 (order of publication).
"""

from collections.abc import Sequence
from dataclasses import dataclass

from tournaments.pairing.team_base import TeamPair
from tournaments.pairing.team_swiss.bracket import Pair, PairedBracket, pair_bracket
from tournaments.pairing.team_swiss.colours import colour_rule, first_of
from tournaments.pairing.team_swiss.field import Contender, TeamField, contenders_of
from tournaments.pairing.team_swiss.legal import Legal, Two, bye_of


@dataclass(frozen=True, slots=True, eq=False)
class PairedRound:
    """A round as it was paired. `teams`: by score, then by number; `bye`: who has it."""

    field: TeamField
    teams: tuple[Contender, ...]
    legal: Legal
    bye: Contender | None
    brackets: tuple[PairedBracket, ...]


def paired_round(field: TeamField, forced: Two | None = None) -> PairedRound:
    """The round, `forced` pair included (a pair of numbers; 0 for the bye). Raises PairingError where no legal pairing
    exists; then the arbiter decides (art. 3.3.3)."""
    teams = tuple(contenders_of(field))
    legal = Legal(teams, field.prohibited, forced)
    bye = bye_of(teams, legal)
    left: Sequence[Contender] = tuple(team for team in teams if team is not bye)
    brackets = []
    while left:
        bracket = pair_bracket(left, legal, last_two=field.last_two)
        brackets.append(bracket)
        left = bracket.left
    return PairedRound(field, teams, legal, bye, tuple(brackets))


def pair_teams(field: TeamField) -> tuple[TeamPair, ...]:
    """The matches in order, White on board 1 first, the bye last. Raises PairingError."""
    made = paired_round(field)
    pairs = [pair for bracket in made.brackets for pair in bracket.pairs]
    matches = [_match(field, *pair) for pair in sorted(pairs, key=_order)]
    return (*matches, *([TeamPair(made.bye.number, None)] if made.bye else []))


def _order(pair: Pair) -> tuple[int, int, int]:
    better, other = sorted(pair, key=lambda team: (-team.primary, team.number))
    return -better.primary, -better.primary - other.primary, better.number


def _match(field: TeamField, one: Contender, other: Contender) -> TeamPair:
    first, second = first_of(one, other, secondary=field.secondary)
    white, _clause = colour_rule(first, second, first_white=field.first_white)
    return TeamPair(first.number, second.number) if white else TeamPair(second.number, first.number)
