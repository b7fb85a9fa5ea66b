"""Tie-breaks by performance ratings, TPR, APRO, PTP and APPO, and what all tie-breaks by ratings read.

They look at the games played over the board; forfeits are never games here (15.2). They are dropped where an unrated
player takes part, unless the event has a rule for him: then he comes in `ratings` with the rating that it gives him.
The first rating counts where one gets more during the event. Source: FIDE C.07 art. 10.

- Tournament performance rating: the opponents' average (ARO), rounded, and what the score stands for by FIDE's table:
  dp of the score in whole hundredths (table 8.1.1 of the Rating Regulations). Art. 10.2. Not a title performance, which
  has floors of its own.
- Average of the opponents' tournament performances, rounded, halves upwards. Art. 10.4.
- Perfect tournament performance: the lowest rating whose expected score against the opponents is the score made.
  Art. 10.3, with table 8.1.2 of the Rating Regulations and the real differences, however large; without a point, 800
  below the lowest opponent.
- Average of the opponents' perfect performances, rounded, halves upwards. Art. 10.5.
"""

from bisect import bisect_left
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from functools import lru_cache

from clubrating.ground.marks import marked
from ratings.systems.fide_tables import expected_percent, rating_difference, score_percent
from tournaments.standings.tiebreaks.base import Contest, Part, Rule, Worth
from tournaments.standings.tiebreaks.parts import shown
from tournaments.standings.tiebreaks.unplayed import Turn, turns_of

BY_TABLE = marked("What the score stands for by FIDE’s table.")
# Who took nothing performs so far below his weakest opponent (10.3), who took all at most so far above his strongest.
_ZERO_BELOW, _REACH = 800, 800
# By the gap, which is asked for again and again.
_expected = lru_cache(maxsize=8192)(expected_percent)


@lru_cache(maxsize=32)
def all_rated(contest: Contest) -> bool:
    """Whether everybody whose games count has a rating."""
    return all(player in contest.ratings for player, line in contest.table.items() if line.counts)


def games_of(player: int, contest: Contest) -> list[Turn]:
    """The games played over the board, in order of rounds."""
    return [turn for turn in turns_of(contest)[player] if turn.played]


def rounded_mean(numbers: Sequence[int]) -> int:
    """The mean as a whole number, halves upwards; 0 of nothing."""
    count = len(numbers)
    return (2 * sum(numbers) + count) // (2 * count) if numbers else 0


def opponents_mean(player: int, contest: Contest, numbers: Mapping[int, int]) -> Worth:
    """The mean of what the opponents have, rounded (10.4, 10.5)."""
    turns = games_of(player, contest)
    parts = tuple(Part(turn.round, turn.opponent, shown(numbers[turn.opponent])) for turn in turns)
    return Worth(Fraction(rounded_mean([numbers[turn.opponent] for turn in turns])), parts, "mean")


@lru_cache(maxsize=32)
def performances(contest: Contest) -> Mapping[int, int]:
    """TPR of everybody whose games count (10.2)."""
    games = {player: games_of(player, contest) for player in _counting(contest)}
    return {
        player: rounded_mean([contest.ratings[turn.opponent] for turn in own]) + table_gap(own)
        for player, own in games.items()
    }


@lru_cache(maxsize=32)
def perfect_performances(contest: Contest) -> Mapping[int, int]:
    """PTP of everybody whose games count (10.3)."""
    return {player: _perfect(games_of(player, contest), contest) for player in _counting(contest)}


def table_gap(games: Sequence[Turn]) -> int:
    """What the score stands for in rating points, by table 8.1.1; 0 without a game."""
    return rating_difference(score_percent(sum(turn.halves for turn in games), len(games))) if games else 0


def opponents_parts(games: Iterable[Turn], contest: Contest) -> tuple[Part, ...]:
    """The opponents' ratings, each with the score against him."""
    return tuple(
        Part(turn.round, turn.opponent, shown(contest.ratings[turn.opponent]), (shown(turn.halves, 2),))
        for turn in games
    )


def _counting(contest: Contest) -> list[int]:
    return [player for player, line in contest.table.items() if line.counts]


def _perfect(games: Sequence[Turn], contest: Contest) -> int:
    """The lowest whole rating whose expected score (8.1.2, the real difference) is at least the score."""
    if not games:
        return 0
    ratings = [contest.ratings[turn.opponent] for turn in games]
    wanted = 50 * sum(turn.halves for turn in games)
    if not wanted:
        return min(ratings) - _ZERO_BELOW
    reach = range(min(ratings) - _REACH, max(ratings) + _REACH)
    return reach[bisect_left(reach, wanted, key=lambda own: sum(_expected(own - other) for other in ratings))]


# --- the tie-breaks -----------------------------------------------------------------------------------------------
class Performance(Rule):
    base = "TPR"
    name = marked("Tournament performance")
    rule = marked("Mean rating of the opponents played, and what the score against them stands for by FIDE’s table.")
    by_rating = True

    def worth(self, player: int, contest: Contest) -> Worth | None:
        if not all_rated(contest):
            return None
        games = games_of(player, contest)
        gap = Part(0, 0, Fraction(table_gap(games)), note=BY_TABLE)
        parts = (*opponents_parts(games, contest), gap) if games else ()
        return Worth(Fraction(performances(contest)[player]), parts, "table")


class AveragePerformance(Rule):
    base = "APRO"
    name = marked("Average performance of opponents")
    rule = marked("Mean of the tournament performances of the opponents played.")
    by_rating = True

    def worth(self, player: int, contest: Contest) -> Worth | None:
        return opponents_mean(player, contest, performances(contest)) if all_rated(contest) else None


class PerfectPerformance(Rule):
    base = "PTP"
    name = marked("Perfect performance")
    rule = marked("The lowest rating from which the score against the opponents played was to be expected.")
    by_rating = True

    def worth(self, player: int, contest: Contest) -> Worth | None:
        if not all_rated(contest):
            return None
        parts = opponents_parts(games_of(player, contest), contest)
        return Worth(Fraction(perfect_performances(contest)[player]), parts, "table")


class AveragePerfectPerformance(Rule):
    base = "APPO"
    name = marked("Average perfect performance of opponents")
    rule = marked("Mean of the perfect performances of the opponents played.")
    by_rating = True

    def worth(self, player: int, contest: Contest) -> Worth | None:
        return opponents_mean(player, contest, perfect_performances(contest)) if all_rated(contest) else None
