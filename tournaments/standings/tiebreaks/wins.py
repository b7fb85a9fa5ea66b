"""Tie-breaks that count rounds, one part a round: WIN, WON, BPG, BWG, REP and STD.

- Number of wins: rounds that brought as many points as a win, forfeit wins and byes included. FIDE C.07 art. 7.1.
- Games won over the board: forfeit wins and byes do not count. Art. 7.2.
- Games played with Black, over the board only. Art. 7.3; forfeits are unplayed rounds here in a round robin too (15.2).
- Games won with Black, over the board only. Art. 7.4.
- Rounds one elected to play: all but half- and zero-point byes and forfeit losses. Art. 7.6.
- Standard points: one for every round in which a player outscored his opponent, a half where they were equal, whatever
  the point system. Art. 7.7 (new in 2026). A round without a game is compared with what a draw brings.
"""

from collections.abc import Callable
from fractions import Fraction

from clubrating.ground.marks import marked
from tournaments.standings.tiebreaks.base import Contest, Part, Rule, Worth
from tournaments.standings.tiebreaks.unplayed import Turn, turns_of

ONE = Fraction(1)


def count_rounds(player: int, contest: Contest, counts: Callable[[Turn], bool]) -> Worth:
    """How many of the player's rounds count."""
    parts = tuple(Part(turn.round, turn.opponent, ONE) for turn in turns_of(contest)[player] if counts(turn))
    return Worth(Fraction(len(parts)), parts, "count")


class Wins(Rule):
    base = "WIN"
    name = marked("Wins")
    rule = marked("Rounds with the points of a win, also without playing.")

    def worth(self, player: int, contest: Contest) -> Worth:
        return count_rounds(player, contest, lambda turn: turn.points == contest.points.win)


class GamesWon(Rule):
    base = "WON"
    name = marked("Games won")
    rule = marked("Games won over the board.")

    def worth(self, player: int, contest: Contest) -> Worth:
        return count_rounds(player, contest, lambda turn: turn.played and turn.points == contest.points.win)


class BlackGames(Rule):
    base = "BPG"
    name = marked("Games with Black")
    rule = marked("Games played over the board with Black.")

    def worth(self, player: int, contest: Contest) -> Worth:
        return count_rounds(player, contest, lambda turn: turn.played and not turn.is_white)


class BlackWins(Rule):
    base = "BWG"
    name = marked("Wins with Black")
    rule = marked("Games won over the board with Black.")

    def worth(self, player: int, contest: Contest) -> Worth:
        win = contest.points.win
        return count_rounds(player, contest, lambda turn: turn.played and not turn.is_white and turn.points == win)


class RoundsElected(Rule):
    base = "REP"
    name = marked("Rounds elected to play")
    rule = marked("Rounds without half- and zero-point byes and forfeit losses.")

    def worth(self, player: int, contest: Contest) -> Worth:
        return count_rounds(player, contest, lambda turn: not turn.voluntary)


HALF = Fraction(1, 2)


class StandardPoints(Rule):
    base = "STD"
    name = marked("Standard points")
    rule = marked("1 for every round with more points than the opponent, ½ for equal points.")
    since = 2026

    def worth(self, player: int, contest: Contest) -> Worth | None:
        if contest.edition < self.since:
            return None
        turns = ((turn, _standard(turn, contest.points.draw)) for turn in turns_of(contest)[player])
        parts = tuple(Part(turn.round, turn.opponent, amount) for turn, amount in turns if amount)
        return Worth(sum((part.amount for part in parts), Fraction(0)), parts)


def _standard(turn: Turn, draw: int) -> Fraction:
    other = turn.against if turn.played else draw
    return Fraction(turn.points > other) + (HALF if turn.points == other else 0)
