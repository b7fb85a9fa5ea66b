"""Buchholz, Fore Buchholz and the average of the opponents' Buchholz.

- Buchholz: the sum of the opponents' scores. FIDE C.07 art. 8.1, cuts and medians 14.1–14.4, unplayed rounds 16. Not
  for round robins, where it says nothing that one's own score does not.
- Fore Buchholz: Buchholz as if all games paired in the last round had been drawn. Art. 8.3. The last round is the last
  one that counts; an unplayed game of it counts as drawn too.
- Average of the opponents' Buchholz, over the games played over the board. Art. 8.2; not rounded, since the article
  says nothing of rounding.
"""

from collections.abc import Mapping
from fractions import Fraction
from functools import lru_cache

from clubrating.ground.marks import marked
from tournaments.standings.tiebreaks.base import Contest, Part, Rule, Worth
from tournaments.standings.tiebreaks.modifiers import Modifiers
from tournaments.standings.tiebreaks.parts import cut_rounds, score_part, shown
from tournaments.standings.tiebreaks.unplayed import as_if_drawn, meant_rounds, turns_of


class Buchholz(Rule):
    base = "BH"
    name = marked("Buchholz")
    rule = marked("Sum of the opponents’ points.")
    takes = "CMPF"
    round_robins = False
    scored = True

    def worth(self, player: int, contest: Contest) -> Worth:
        return opponents_scores(player, as_if_drawn(contest) if self.modifiers.fore else contest, self.modifiers)


def opponents_scores(player: int, contest: Contest, modifiers: Modifiers) -> Worth:
    """The sum of what the player's rounds count for, without what the modifiers cut."""
    rounds = meant_rounds(contest, modifiers.as_played)[player]
    cut = cut_rounds(rounds, modifiers.low, modifiers.high, lambda meant: meant.score)
    total = sum(meant.score for at, meant in enumerate(rounds) if at not in cut)
    parts = tuple(score_part(meant, contest, cut=at in cut) for at, meant in enumerate(rounds))
    return Worth(shown(total, contest.points.unit), parts)


class ForeBuchholz(Rule):
    base = "FB"
    name = marked("Fore Buchholz")
    rule = marked("Buchholz as if all games of the last round had been drawn.")
    takes = "CMP"
    round_robins = False
    scored = True

    def worth(self, player: int, contest: Contest) -> Worth:
        return opponents_scores(player, as_if_drawn(contest), self.modifiers)


class AverageBuchholz(Rule):
    base = "AOB"
    name = marked("Average of opponents’ Buchholz")
    rule = marked("Mean of the Buchholz of the opponents played over the board.")
    takes = "F"
    round_robins = False
    scored = True

    def worth(self, player: int, contest: Contest) -> Worth:
        sums = buchholz_sums(as_if_drawn(contest) if self.modifiers.fore else contest)
        turns, unit = [turn for turn in turns_of(contest)[player] if turn.played], contest.points.unit
        parts = tuple(Part(turn.round, turn.opponent, shown(sums[turn.opponent], unit)) for turn in turns)
        total = sum(sums[turn.opponent] for turn in turns)
        return Worth(Fraction(total, unit * len(turns)) if turns else Fraction(0), parts, "mean")


@lru_cache(maxsize=32)
def buchholz_sums(contest: Contest) -> Mapping[int, int]:
    """Everybody's Buchholz in the smallest unit."""
    return {player: sum(meant.score for meant in rounds) for player, rounds in meant_rounds(contest).items()}
