"""Every game of the study: its log in every system, and the study's measures on a given stream of games.

Source: the Russian study of six rating systems, which keeps such a log. One line a game and system, its fields parted
by tabs; the computation is a row of `name=value`, from the very functions that rate the club. Memory does not grow with
the number of games. Not done there: drawn games, which the study's world does not have.

Of a given stream: ratings at three milestones, disorder every 100 games. Everybody is there from the first game on, in
the order given. League, Solo-Zerg, R2 and KD know no draws: a drawn game leaves their ratings alone, and counts as a
game all the same.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import nan
from typing import Any

from ratings.lab.contenders import Contender
from ratings.lab.engine import PLAIN, Engine
from ratings.lab.table import Games, Table
from ratings.lab.vectorised import column_rater
from ratings.lab.world import Person
from ratings.systems.base import AGE_UNKNOWN, PlayerState
from ratings.systems.elo import EloSettings, expected_score, k_rule_of
from ratings.systems.glicko import GlickoSettings, grown
from ratings.systems.glicko import after_game as glicko_game
from ratings.systems.glicko2 import Glicko2Settings
from ratings.systems.glicko2 import after_game as glicko2_game
from ratings.systems.kd import KDSettings
from ratings.systems.league import LeagueSettings, league_game
from ratings.systems.r2 import GAP_PER_POINT, HIGHEST_BONUS, LARGEST_DISCOUNT, R2Settings, r2_game
from ratings.systems.solo_zerg import SoloZergSettings, solo_zerg_game

MILESTONES = (1_000, 10_000, 100_000)


@dataclass(frozen=True, slots=True)
class Measured:
    """Of one system: everybody's rating at the milestones the stream reaches, the disorder after every 100 games."""

    ratings: dict[int, list[float]]
    index: list[int]


def measure(strengths: Sequence[float], games: Games, contender: Contender, engine: Engine = PLAIN) -> Measured:
    """Run a stream through a system. `strengths`: true strengths of the players, by place."""
    table = Table(contender, engine, strengths)
    found = Measured({}, [])
    count = len(games.white)
    reached = [games_done for games_done in MILESTONES if games_done <= count]
    for start, end in pairwise(sorted({0, *reached, count})):
        # Every milestone is a whole number of looks, so no look falls between two parts.
        found.index.extend(table.play(games.white[start:end], games.black[start:end], games.scores[start:end]))
        if end in reached:
            found.ratings[end] = table.ratings
    return found


def stream_report(
    names: Sequence[str], strengths: Sequence[float], games: Games, contenders: Sequence[Contender]
) -> dict[str, Any]:
    """Every system's measures as plain values for JSON, players in the order given."""
    systems = {}
    for each in contenders:
        found = measure(strengths, games, each)
        ratings = {str(done): dict(zip(names, at, strict=True)) for done, at in found.ratings.items()}
        systems[each.key] = {"ratings": ratings, "index": found.index}
    return {"systems": systems}


FIELDS = ("game", "system", "winner", "rating", "loser", "rating", "computed", "winner after", "loser after")
Figures = tuple[float, float, float, int]  # rating, second, third, games, as `Table.figures` says them
# settings, winner, loser before the game -> what is computed, by name, in the order of the rule
Computation = Callable[[Any, Figures, Figures], Mapping[str, float]]


def _league(settings: LeagueSettings, winner: Figures, loser: Figures) -> Mapping[str, float]:
    _won, lost = league_game(winner[0], loser[0], settings.inflation)
    stake = loser[0] - lost
    return {"gap": loser[0] - winner[0], "stake": stake, "bonus": stake + settings.inflation}


def _solo_zerg(settings: SoloZergSettings, winner: Figures, loser: Figures) -> Mapping[str, float]:
    # The floor is the loser's affair; the bonus shows on the winner's side.
    won, _lost = solo_zerg_game(winner[0], loser[0], settings.floor)
    return {"gap": loser[0] - winner[0], "bonus": won - winner[0], "reached": won}


def _r2(settings: R2Settings, winner: Figures, loser: Figures) -> Mapping[str, float]:
    gap = loser[0] * loser[1] - winner[0] * winner[1]
    won, _lost, winner_k, loser_k = r2_game(winner[0], loser[0], winner[1], loser[1], settings.floor)
    return {
        "K_winner": winner[1],
        "K_loser": loser[1],
        "gap": gap,
        "bonus": HIGHEST_BONUS - min(LARGEST_DISCOUNT, abs(gap) / GAP_PER_POINT),
        "K_winner_after": winner_k,
        "K_loser_after": loser_k,
        "reached": won,
    }


def _kd(settings: KDSettings, winner: Figures, loser: Figures) -> Mapping[str, float]:
    return {"stake": settings.stake * (loser[0] + settings.stake) / (winner[0] + settings.stake)}


def _elo(settings: EloSettings, winner: Figures, loser: Figures) -> Mapping[str, float]:
    rule = k_rule_of(settings)
    return {
        "expected": expected_score(winner[0], loser[0], settings.scale, settings.base),
        "K_winner": rule.step(winner[0], winner[3], winner[1], AGE_UNKNOWN).k,
        "K_loser": rule.step(loser[0], loser[3], loser[1], AGE_UNKNOWN).k,
    }


def _glicko(settings: GlickoSettings, winner: Figures, loser: Figures) -> Mapping[str, float]:
    def before(each: Figures) -> float:
        rests = settings.c > 0.0 and each[3] > 0
        return grown(each[1], settings.c, 1.0, settings.deviation) if rests else each[1]

    one, two = before(winner), before(loser)
    expected, k, after = glicko_game(winner[0], one, loser[0], two)
    loser_expected, loser_k, loser_after = glicko_game(loser[0], two, winner[0], one)
    return {
        "RD_winner": one, "RD_loser": two,
        "expected_winner": expected, "expected_loser": loser_expected,
        "K_winner": k, "K_loser": loser_k,
        "RD_winner_after": after, "RD_loser_after": loser_after,
    }  # fmt: skip


def _glicko2(settings: Glicko2Settings, winner: Figures, loser: Figures) -> Mapping[str, float]:
    expected, k, after, volatility = glicko2_game(*winner[:3], *loser[:2], 1.0, settings.tau)
    loser_expected, loser_k, loser_after, loser_volatility = glicko2_game(*loser[:3], *winner[:2], 0.0, settings.tau)
    return {
        "RD_winner": winner[1], "RD_loser": loser[1],
        "expected_winner": expected, "expected_loser": loser_expected,
        "K_winner": k, "K_loser": loser_k,
        "RD_winner_after": after, "RD_loser_after": loser_after,
        "volatility_winner_after": volatility, "volatility_loser_after": loser_volatility,
    }  # fmt: skip


COMPUTATIONS: Mapping[str, Computation] = {
    "league": _league,
    "solo-zerg": _solo_zerg,
    "r2": _r2,
    "kd": _kd,
    "elo": _elo,
    "glicko": _glicko,
    "glicko2": _glicko2,
}


def expectation_only(contender: Contender) -> Computation:
    """Of a system the lab knows only through its own rater: the expected score, where it has one."""

    def compute(settings: Any, winner: Figures, loser: Figures) -> Mapping[str, float]:
        own, other = (PlayerState(each[0], each[3], each[0]) for each in (winner, loser))
        expected = contender.system.expected(settings, own, other)
        return {"expected": nan if expected is None else expected}

    return compute


def computation_of(contender: Contender) -> Computation:
    """What the log shows of a contender's games."""
    found = COMPUTATIONS.get(contender.system.key)
    # The columns of a stated system hold its ratings only, not what it remembers besides.
    return found if found and column_rater(contender, PLAIN) else expectation_only(contender)


def number(value: float) -> str:
    """Four places; whole numbers bare; a dash for a figure the system does not know."""
    if value != value:
        return "-"
    return f"{value:.0f}" if value == int(value) else f"{value:.4f}"


class GameLog:
    """Plays a stream of games for the log's sake; hand it the stretches in their order."""

    def __init__(self, contenders: Sequence[Contender]) -> None:
        self._tables = [(each, computation_of(each), Table(each, PLAIN, [])) for each in contenders]
        self._people: list[str] = []
        self._game = 0

    @staticmethod
    def heading() -> str:
        """The first line of the file."""
        return "\t".join(FIELDS)

    def join(self, people: Sequence[Person]) -> None:
        """Newcomers take their places behind the others; `640-160 #35` is the 35th of all."""
        known = len(self._people)
        self._people += [f"{person.name} #{number}" for number, person in enumerate(people, known + 1)]
        for _contender, _compute, table in self._tables:
            table.join([person.strength for person in people])

    def lines(self, white: Sequence[int], black: Sequence[int], scores: Sequence[float]) -> Iterator[str]:
        """Play these games; a line of each in each system."""
        for one, two, score in zip(white, black, scores, strict=True):
            self._game += 1
            winner, loser = (one, two) if score == 1.0 else (two, one)
            for contender, compute, table in self._tables:
                before, other_before = table.figures(winner), table.figures(loser)
                computed = dict(compute(contender.settings, before, other_before))
                table.play([one], [two], [score])
                yield self._line(contender, winner, loser, before, other_before, computed, table)

    def _line(
        self, contender: Contender, winner: int, loser: int, before: Figures, other_before: Figures,
        computed: dict[str, float], table: Table,
    ) -> str:  # fmt: skip
        # Only the winner rises; what he reached before everybody was scaled down says whether they were.
        reached = computed.pop("reached", before[0])
        if reached > table.normalisation.above:
            computed["normalised"] = table.normalisation.factor
        figures = " ".join(f"{name}={number(value)}" for name, value in computed.items())
        return "\t".join((
            f"{self._game}", contender.key, self._people[winner], number(before[0]), self._people[loser],
            number(other_before[0]), figures, number(table.figures(winner)[0]), number(table.figures(loser)[0]),
        ))  # fmt: skip
