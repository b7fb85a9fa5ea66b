"""Tie-breaks by points taken from opponents: Sonneborn-Berger and Koya.

Sonneborn-Berger: each opponent's points times the points taken from him, summed. Source: FIDE C.07 art. 9.1; cuts
14.1.1 (the product of the lowest opponent) and 16.5; unplayed rounds by article 16 in a Swiss, in a round robin
forfeited games count like games (15.2).

Koya: points taken from opponents who scored at least half of the most one could score. Source: FIDE C.07 art. 9.2, for
round robins; the limit can be moved by half-points (14.5): KS/L+1, KS/L-1. The most one could score is a win in every
game of the rounds that count; nobody plays against himself, so with an odd number of players the free round is none of
them.
"""

from functools import lru_cache

from clubrating.ground.marks import marked
from tournaments.standings.tiebreaks.base import Contest, Part, Rule, Worth
from tournaments.standings.tiebreaks.parts import cut_rounds, product_part, shown
from tournaments.standings.tiebreaks.unplayed import meant_rounds, turns_of


class SonnebornBerger(Rule):
    base = "SB"
    name = marked("Sonneborn-Berger")
    rule = marked("Points of every opponent times the points taken from that opponent.")
    takes = "CMP"
    scored = True

    def worth(self, player: int, contest: Contest) -> Worth:
        rounds = meant_rounds(contest, self.modifiers.as_played)[player]
        cut = cut_rounds(rounds, self.modifiers.low, self.modifiers.high, lambda meant: meant.product)
        total = sum(meant.product for at, meant in enumerate(rounds) if at not in cut)
        parts = tuple(product_part(meant, contest, cut=at in cut) for at, meant in enumerate(rounds))
        return Worth(shown(total, contest.points.unit**2), parts)


BELOW = marked("This opponent is below the limit.")


class Koya(Rule):
    base = "KS"
    name = marked("Koya")
    rule = marked("Points taken from opponents with at least half of the points possible.")
    takes = "L"
    scored = True

    def worth(self, player: int, contest: Contest) -> Worth:
        unit = contest.points.unit
        limit = self.modifiers.limit * most_points(contest) + self.modifiers.shift * unit
        turns = [turn for turn in turns_of(contest)[player] if turn.opponent]
        below = {turn.opponent for turn in turns if contest.table[turn.opponent].points < limit}
        parts = tuple(
            Part(
                turn.round,
                turn.opponent,
                shown(turn.points, unit),
                cut=turn.opponent in below,
                note=BELOW if turn.opponent in below else "",
            )
            for turn in turns
        )
        return Worth(shown(sum(turn.points for turn in turns if turn.opponent not in below), unit), parts)


@lru_cache(maxsize=32)
def most_points(contest: Contest) -> int:
    """What a win in every round brings, in the smallest unit; in a round robin in every game."""
    games = (sum(cell.round <= contest.rounds for cell in line.cells) for line in contest.table.values())
    return contest.points.win * (contest.rounds if contest.swiss else max(games, default=0))
