"""Tie-breaks by ratings: the opponents' average, and one's own.

Average rating of the opponents played over the board, rounded, halves upwards. Source: FIDE C.07 art. 10.1; cuts
14.1–14.4 leave out the lowest (and highest) rated.

Own rating, the higher the better: a last resort in place of a drawing of lots. Source: FIDE C.07 art. 10.6 (new in
2026); /R turns it round.
"""

from fractions import Fraction

from clubrating.ground.marks import marked
from tournaments.standings.tiebreaks.base import Contest, Part, Rule, Worth
from tournaments.standings.tiebreaks.parts import shown
from tournaments.standings.tiebreaks.performance import all_rated, games_of, rounded_mean


class AverageRating(Rule):
    base = "ARO"
    name = marked("Average rating of opponents")
    rule = marked("Mean rating of the opponents played over the board.")
    takes = "CM"
    by_rating = True

    def worth(self, player: int, contest: Contest) -> Worth | None:
        if not all_rated(contest):
            return None
        games = games_of(player, contest)
        ratings = [contest.ratings[game.opponent] for game in games]
        order = sorted(range(len(games)), key=lambda at: ratings[at])
        left = order[self.modifiers.low : len(order) - self.modifiers.high]
        parts = tuple(
            Part(game.round, game.opponent, shown(ratings[at]), cut=at not in left) for at, game in enumerate(games)
        )
        return Worth(shown(rounded_mean([ratings[at] for at in left])), parts, "mean")


class OwnRating(Rule):
    base = "RTNG"
    name = marked("Rating")
    rule = marked("The higher rating comes first.")
    takes = "R"
    by_rating = True

    def worth(self, player: int, contest: Contest) -> Worth | None:
        return Worth(Fraction(contest.ratings[player]), how="number") if all_rated(contest) else None
