"""Where a round robin may end (pure, numpy): the games to come played out, in every way or many times.

Every ending is ranked as the event's standings are: points first, then its own tie-breaks; those who share a place
after the last one have equal parts of the places. With few games to come all endings are reckoned with (`EXACT`), each
with the mean of its chances over the draws of strengths. Else so many are sampled, the rows of strengths taken in turn.
The crosstable is as it stands but for the games to come: unplayed ones, byes and annulled ones count as they do there.

Not reckoned with: forfeits to come, penalties, anybody leaving. Any event whose games are all known can be played out
like this, so the last round of a Swiss is too.
"""

import numpy

from tournaments.forecast.outlook_chances import rows_for
from tournaments.forecast.round_robin_playouts_endings import Codes, OpenGames, draw_codes
from tournaments.forecast.outcomes_finishes import Finishes
from tournaments.forecast.outcomes import MOST_OUTCOMES, Running
from tournaments.forecast.outlook import EXACT, SAMPLED, Floats, Outlook, Strengths, Tell
from tournaments.standings.crosstable import Crosstable

AT_ONCE = 250  # endings ranked between two words on how far it is


def play_round_robin(
    running: Running, strengths: Strengths, samples: int, rng: numpy.random.Generator, tell: Tell
) -> Outlook:
    """The chance of each place for all players of the event, exact with up to `MOST_OUTCOMES` endings, else from so
    many samples. Points in the smallest unit of the event's points. Raises ValueError where somebody with a game to
    come has no strength, and for less than one sample."""
    games = OpenGames(running)
    if games.ways <= MOST_OUTCOMES:
        return _outlook(games, games.all_codes(), games.all_chances(strengths), EXACT, tell)
    if samples < 1:
        raise ValueError("An event is played out at least once.")
    chances = games.chances(strengths, rows_for(strengths, samples))
    codes = draw_codes(chances, games.drawn, running.points, rng)
    if not running.tiebreaks:
        return _outlook(games, codes, numpy.ones(samples), SAMPLED, tell, samples)
    return _outlook(games, *_each_once(codes), SAMPLED, tell, samples)


def _each_once(codes: Codes) -> tuple[Codes, Floats]:
    """The endings that came, and how often: none has to be ranked twice."""
    endings, often = numpy.unique(codes.astype(numpy.int8), axis=0, return_counts=True)
    return endings, often.astype(float)


def _outlook(games: OpenGames, codes: Codes, weights: Floats, method: str, tell: Tell, samples: int = 0) -> Outlook:
    finishes = Finishes(games.running)
    points = games.points(codes)
    step = AT_ONCE if games.running.tiebreaks else len(codes)
    for begin in range(0, len(codes), step):
        end = min(begin + step, len(codes))

        def table_of(row: int, begin: int = begin) -> Crosstable:
            return games.table(codes[begin + row].tolist())

        finishes.add(points[begin:end], weights[begin:end], table_of)
        tell(end, len(codes))
    return Outlook(games.running.players, finishes.places(), finishes.points(), method, samples)
