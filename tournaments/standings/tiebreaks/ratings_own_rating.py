"""Own rating, the higher the better: a last resort in place of a drawing of lots.

Source: FIDE C.07 art. 10.6 (new in 2026); /R turns it round.
"""

from fractions import Fraction

from clubrating.ground.marks import marked
from tournaments.standings.tiebreaks.base import Contest, Rule, Worth
from tournaments.standings.tiebreaks.over_the_board import all_rated


class OwnRating(Rule):
    base = "RTNG"
    name = marked("Rating")
    rule = marked("The higher rating comes first.")
    takes = "R"
    by_rating = True

    def worth(self, player: int, contest: Contest) -> Worth | None:
        return Worth(Fraction(contest.ratings[player]), how="number") if all_rated(contest) else None
