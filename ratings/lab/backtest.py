"""Back-test of rating systems on real games: how well does each predict results before the games are played?

The games are split once in time. The first part settles the ratings and fits what has to be fitted; only games of the
second part are scored, each predicted before it is rated. Systems are compared by their predictions alone, as true
strengths are unknown: logarithmic loss (nats a game), Brier score, calibration, and the difference in log-loss to a
baseline on the same games with a bootstrap interval (`ratings.lab.summary`).

A draw is scored through the expected score E, as half a win and half a loss: −½ ln E − ½ ln(1 − E). A system without an
expected score gets a logistic function of the rating gap, its slope fitted on the first part; a game of which a system
knows nothing is predicted as ½. No system knows who has White; `with_first_move` enters a system a second time with a
constant advantage for White, fitted on the first part (`ratings.lab.findings`).

With `newcomers` only those games are scored in which somebody had played fewer than so many: how a rule treats people
it hardly knows hardly shows in all games together.

Contests with sides are tested by their pairs of sides and by their places (`ratings.lab.sides_measures`).

`report` gives the result as plain values for JSON; the last section reads such a report for members.
Not done: probabilities of draws, several splits.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from math import isfinite, log
from typing import Any

import numpy

from clubrating.ground.marks import marked
from ratings.lab.calibration import Bin, calibration, fit_logistic, logistic
from ratings.lab.contenders import WENG_LIN_KINDS, Contender, contender
from ratings.lab.findings import fit_first_move, moved
from ratings.lab.measures import Entrant, History, Predictions, Teller, brier, log_losses
from ratings.lab.sides_measures import ContestHistory
from ratings.lab.summary import RESAMPLES, Difference, blocks, mean_interval

# --- the back-test ---------------------------------------------------------------------------------------------------
COIN = log(2.0)  # log-loss of predicting ½ for every game, draws too
GIVEN = "given"
WITH_FIRST_MOVE = "+first-move"  # at the end of such an entry's key
# Every system with the defaults of `manage.py rate`, not with the studies' settings: these are real games.
CONTENDERS: tuple[Contender, ...] = (
    contender("elo", marked("Elo"), "elo", {"preset": "fide-simple"}),
    contender("elo-k20", marked("Elo, K 20"), "elo", {"preset": "constant", "k": 20}),
    contender("elo-k32", marked("Elo, K 32"), "elo", {"preset": "constant", "k": 32}),
    contender("fide", marked("Elo, FIDE’s K"), "elo", {"preset": "club"}),
    contender("fide-known", marked("Elo, newcomers’ K until known"), "elo", {"newcomer_k": "until-known"}),
    contender("fide-evidence", marked("Elo, newcomers’ K by evidence"), "elo", {"newcomer_k": "evidence"}),
    contender("glicko", marked("Glicko-1"), "glicko"),
    contender("glicko-c", marked("Glicko-1, c = 55.47"), "glicko", {"c": 55.47}),
    contender("glicko2", marked("Glicko-2"), "glicko2"),
    contender("league", marked("League"), "league"),
    contender("solo-zerg", marked("Solo-Zerg"), "solo-zerg"),
    contender("r2", marked("R2"), "r2"),
    contender("kd", marked("KD"), "kd"),
    contender("bradley-terry", marked("Bradley–Terry, fitted anew"), "bradley-terry"),
    contender("trueskill", marked("TrueSkill"), "trueskill"),
    contender("weng-lin", marked("Weng–Lin"), "weng-lin"),
)

# On contests with sides those take part that rate them, and these.
SIDES_CONTENDERS: tuple[Contender, ...] = (
    *(each for each in CONTENDERS if each.system.contest_rater(each.settings) is not None),
    contender("elo-sum", marked("Elo, sum of members"), "elo", {"preset": "fide-simple", "sides": "sum"}),
    *WENG_LIN_KINDS,
)


@dataclass(frozen=True, slots=True)
class Verdict:
    """One system on the scored games. `expected` and `losses` (nats) are arrays over them. `slope`: of the fitted
    logistic, per point of rating, where one was needed; `untold`: scored games it knew nothing of; `first_move`: what
    was added for White, in Elo points, None where nothing was. `ranked`: the ranked probability score of places, of
    contests only."""

    entrant: Entrant
    expected: Any
    losses: Any
    brier: float
    calibration: tuple[Bin, ...]
    difference: Difference
    slope: float | None
    untold: int
    first_move: float | None = None
    ranked: float | None = None

    @property
    def log_loss(self) -> float:
        """Mean of the losses, in nats a game."""
        return float(self.losses.mean())


@dataclass(frozen=True, slots=True)
class BackTest:
    """All systems on one history of `played` games: ratings settle on the first `fitted_on`, `scored` are predicted.
    `groups`: how many days, or blocks of 50 where there are no days, the interval is drawn from. `pairs`: of sides,
    in the scored contests; None of games. `newcomers`: scored are only games with somebody who had played fewer; None:
    all."""

    played: int
    fitted_on: int
    scored: int
    groups: int
    by_day: bool
    baseline: str
    seed: int
    resamples: int
    verdicts: tuple[Verdict, ...]
    pairs: int | None = None
    newcomers: int | None = None


def first_scored(history: History | ContestHistory) -> int:
    """The place of the first game that is scored: half way, or the first game of the next day, so that no day is cut
    in two where there are several. Raises ValueError for fewer than two games."""
    games = history.games
    if len(games) < 2:
        raise ValueError(f"Too few played games ({len(games)}): there must be some to settle on and others to score.")
    half = len(games) // 2
    if not history.dated:
        return half
    borders = [at for at in range(1, len(games)) if games[at].day != games[at - 1].day]
    return next((at for at in borders if at >= half), borders[-1] if borders else half)


def backtest(
    history: History | ContestHistory,
    entrants: Sequence[Entrant],
    baseline: str,
    *,
    seed: int = 1,
    resamples: int = RESAMPLES,
    newcomers: int | None = None,
) -> BackTest:
    """Test every entrant; differences are to the entrant with the key `baseline` (below 0: better than
    it). `newcomers`: only games with somebody who had played fewer. Raises ValueError for fewer than two games, or no
    such game, KeyError where the baseline does not take part."""
    first, sizes = first_scored(history), history.sizes
    cut = int(sizes[:first].sum())
    all_scores = history.scores
    kept = numpy.full(len(all_scores) - cut, True) if newcomers is None else with_newcomers(history, newcomers)[first:]
    if not kept.any():
        raise ValueError(f"No scored game has anybody in it who had played fewer than {newcomers}.")
    scores = all_scores[cut:][kept]
    said = {tell: tell(history, first) for tell in dict.fromkeys(each.tell for each in entrants)}
    values = {each.key: _completed(each, said, all_scores, cut, kept) for each in entrants}
    yardstick = log_losses(values[baseline].expected, scores)
    units = [game.day for game in history.games[first:]] if history.dated else blocks(len(history.games) - first)
    groups = numpy.repeat(units, sizes[first:])[kept].tolist()  # all pairs of a contest are drawn together
    contests = history if isinstance(history, ContestHistory) else None
    verdicts = []
    for each in entrants:
        own = values[each.key]
        losses = log_losses(own.expected, scores)
        off = mean_interval(losses - yardstick, groups, seed=seed, resamples=resamples)
        bins, score = calibration(own.expected, scores), brier(own.expected, scores)
        ranked = contests.ranked(first, own.expected) if contests else None
        verdicts.append(
            Verdict(each, own.expected, losses, score, bins, off, own.slope, own.untold, own.first_move, ranked)
        )
    return BackTest(
        played=len(history.games),
        fitted_on=first,
        scored=len(history.games) - first if newcomers is None else len(scores),
        groups=len(set(groups)),
        by_day=history.dated,
        baseline=baseline,
        seed=seed,
        resamples=resamples,
        verdicts=tuple(verdicts),
        pairs=len(scores) if contests else None,
        newcomers=newcomers,
    )


def with_newcomers(history: History | ContestHistory, fewer_than: int) -> Any:
    """Of each game whether somebody in it had played fewer than so many, as an array. Raises ValueError for contests,
    which are not counted so."""
    if not isinstance(history, History):
        raise ValueError("Newcomers are told in games of two.")
    games: Counter[int] = Counter()
    found = []
    for game in history.games:
        found.append(min(games[game.white], games[game.black]) < fewer_than)
        games.update((game.white, game.black))
    return numpy.array(found)


def with_first_move(each: Entrant) -> Entrant:
    """The same system once more, White's advantage added."""
    return replace(each, key=f"{each.key}{WITH_FIRST_MOVE}", first_move=True)


@dataclass(frozen=True, slots=True)
class _Completed:
    """An expected score of every scored game."""

    expected: Any
    slope: float | None
    untold: int
    first_move: float | None


def _completed(each: Entrant, said: Mapping[Teller, Predictions], scores: Any, first: int, kept: Any) -> _Completed:
    """Rating gaps become expected scores where a system gives none, and White's advantage is added where it is asked
    for, both fitted on the first part; what is still missing is ½. Of the scored games those that are `kept`."""
    found = said[each.tell]
    expected = found.expected.copy()
    bare = numpy.isnan(expected) & ~numpy.isnan(found.gaps)
    slope = None
    if bare[first:].any():
        known = bare[:first]
        slope = fit_logistic(found.gaps[:first][known], scores[:first][known])
        expected[bare] = logistic(found.gaps[bare], slope)
    advantage = None
    if each.first_move:
        known = ~numpy.isnan(expected[:first])
        advantage = fit_first_move(expected[:first][known], scores[:first][known])
        expected = expected if advantage is None else moved(expected, advantage)
    scored = expected[first:][kept]
    untold = int(numpy.isnan(scored).sum())
    return _Completed(numpy.where(numpy.isnan(scored), 0.5, scored), slope, untold, advantage)


# --- plain values ---------------------------------------------------------------------------------------------------
def report(found: BackTest) -> dict[str, Any]:
    """The back-test as plain values for JSON, unrounded; `games` is for the caller to say, who knows the forfeits."""
    return {
        "played": found.played,
        "fitted_on": found.fitted_on,
        "scored": found.scored,
        "resampled": {"by": "day" if found.by_day else "block", "groups": found.groups, "resamples": found.resamples},
        "seed": found.seed,
        "baseline": found.baseline,
        "coin": COIN,
        **({} if found.pairs is None else {"pairs": found.pairs}),
        **({} if found.newcomers is None else {"newcomers": found.newcomers}),
        "systems": {each.entrant.key: _verdict_values(each) for each in found.verdicts},
    }


def _verdict_values(verdict: Verdict) -> dict[str, Any]:
    return {
        "log_loss": verdict.log_loss,
        "brier": verdict.brier,
        "calibration": [_bin_values(each) for each in verdict.calibration],
        "difference": verdict.difference._asdict(),
        "fitted_slope": verdict.slope if verdict.slope is not None and isfinite(verdict.slope) else None,
        "untold": verdict.untold,
        "first_move": verdict.first_move,
        **({} if verdict.ranked is None else {"ranked_probability_score": verdict.ranked}),
    }


def _bin_values(each: Bin) -> dict[str, Any]:
    """`interval`: Wilson's, at 95 %; of an empty bin nothing is known."""
    return {
        "low": each.low,
        "high": each.high,
        "games": each.games,
        "expected": each.expected,
        "score": each.score,
        "interval": list(each.interval),
    }


# --- for members: favourites and the coin ----------------------------------------------------------------------------
CLEAR = 0.6  # from here on somebody is the favourite


def read_bins(values: Iterable[Mapping[str, Any]]) -> list[Bin]:
    """The bins of a report (see `report`)."""
    found = []
    for each in values:
        expected, points = ((each[name] or 0.0) * each["games"] for name in ("expected", "score"))
        found.append(Bin(each["low"], each["high"], each["games"], expected, points))
    return found


def favourite_bands(bins: Sequence[Bin]) -> list[Bin]:
    """The upper half of the bins, from the favourite's side: each with its mirror image added. Raises ValueError for
    an odd number of bins, whose middle one has no sides."""
    if len(bins) % 2:
        raise ValueError("An odd number of bins has a middle one, and no favourite in it.")
    pairs = zip(bins[len(bins) // 2 :], reversed(bins[: len(bins) // 2]), strict=True)
    return [
        Bin(
            own.low,
            own.high,
            own.games + other.games,
            own.expected_points + other.games - other.expected_points,
            own.points + other.games - other.points,
        )
        for own, other in pairs
    ]


def telling_band(bins: Sequence[Bin]) -> Bin:
    """The favourite's band to quote: of those from `CLEAR` on the one with the most games (the lower of two equal
    ones); where none of them has any, the lowest."""
    bands = favourite_bands(bins)
    clear = [band for band in bands if band.low >= CLEAR - 1e-9 and band.games]
    return max(clear, key=lambda band: band.games, default=bands[0])


def ahead_of_coin(log_loss: float) -> float:
    """By which share a log-loss is below the coin's; negative where it is above."""
    return 1.0 - log_loss / COIN
