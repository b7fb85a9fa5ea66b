"""The proof of clubs on one scale, as a document: a stream of games is split in two and joined by few bridge games.

Two thirds of all who played are drawn and split into two clubs. Each club's strengths come from the games within it
alone. How fast strengths move, how often games are drawn, and the first side's advantage are found once, from all
games. Then games between the clubs are added one by one: as the lot has it, or each time the one of the candidates that
promises most (which looks at who plays, never at the result). Held against it is what all games of the stream say
together; its own deviation is told beside. Games count as of the middle of their year.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from math import sqrt
from statistics import fmean, stdev
from typing import Any, NamedTuple

import numpy

from ratings.history.chains import Floats
from ratings.history.one_scale import Bridge, Joined, Member, Own, Terms, join, narrows, own_of
from ratings.history.tuning import tuned
from ratings.history.whole_history import UNIT, Z95, Estimate, HistoryGame, When, whole_history

LOT, STRENGTH, REGIONS = "lot", "strength", "regions"
SPLITS = (LOT, STRENGTH, REGIONS)
BY_LOT, CHOSEN = "by lot", "chosen"
SIZES = (1, 2, 4, 8, 16, 32, 64)
CANDIDATES = 160  # games between the clubs from which bridge games are taken
LISTED_GAMES = 20  # within the club, from which on somebody is listed
LISTED_YEARS = 3  # since the last of them, at most
SHARED = (1, 4)  # members of both clubs, in place of bridge games
PAIRS = 20  # of members, asked about after each number of bridge games
REPLICATIONS = 20


@dataclass(frozen=True, slots=True)
class Asked:
    """What was said of a difference, and the truth; Elo points."""

    said: Estimate
    truth: float

    @property
    def is_held(self) -> bool:
        """Whether the truth lies within the 95 % interval."""
        return abs(self.said.mean - self.truth) <= Z95 * self.said.deviation


class Step(NamedTuple):
    """After so many bridge games: the clubs' difference, differences of members, the share that is still assumed, and
    the deviation that was told before the last game (0: after none)."""

    games: int
    levels: Asked
    members: list[Asked]
    assumed: float
    told: float


def by_year(games: Iterable[HistoryGame]) -> list[HistoryGame]:
    """The games, each on the first of July of its year."""
    return [game._replace(day=date(date.fromordinal(game.day).year, 7, 1).toordinal()) for game in games]


class Truth:
    """What all games together say, with the model found from them."""

    def __init__(self, games: Sequence[HistoryGame]) -> None:
        self.games = games
        self.model = tuned(games).model
        self.day = max(game.day for game in games)
        self.players = sorted({player for game in games for player in (game.first, game.second)})
        self.history = whole_history(games, self.model, also={player: [self.day] for player in self.players})

    def mean(self, player: int) -> float:
        """His strength at the end."""
        return self.history.mean(When(player, self.day))

    def deviation(self, one: Sequence[int], other: Sequence[int]) -> float:
        """Of the difference between two clubs' mean strengths."""
        weights = numpy.zeros(len(self.history.strengths))
        for players, sign in ((one, 1.0), (other, -1.0)):
            for player in players:
                weights[self.history.field.place(When(player, self.day))] = sign / len(players)
        return UNIT * sqrt(float(weights @ self.history.precision.solve(weights[:, None])[:, 0]))


def split(truth: Truth, kind: str, rng: numpy.random.Generator) -> tuple[set[int], set[int]]:
    """Two thirds of the players in two clubs: by lot, the stronger half and the weaker, or so that few games are
    between them: the second eigenvector of the graph of who met whom (M. Fiedler, 1973) parts them at its middle."""
    some = rng.permutation(truth.players)[: 2 * len(truth.players) // 3].tolist()
    if kind == STRENGTH:
        some.sort(key=truth.mean, reverse=True)
    elif kind == REGIONS:
        some = _by_neighbours(sorted(some), truth.games)
    half = len(some) // 2
    return set(some[:half]), set(some[half:])


def _by_neighbours(players: list[int], games: Sequence[HistoryGame]) -> list[int]:
    numbers = {player: number for number, player in enumerate(players)}
    met = numpy.full((len(players), len(players)), 1e-3)  # so that nobody is alone
    for game in games:
        if game.first in numbers and game.second in numbers:
            one, other = numbers[game.first], numbers[game.second]
            met[one, other] += 1.0
            met[other, one] += 1.0
    scale = 1.0 / numpy.sqrt(met.sum(axis=1))
    second = numpy.linalg.eigh(scale[:, None] * met * scale)[1][:, -2] * scale
    return [players[number] for number in numpy.argsort(second, kind="stable").tolist()]


def clubs_of(truth: Truth, clubs: Sequence[set[int]], rng: numpy.random.Generator) -> tuple[list[Own], list[Bridge]]:
    """What each club's games say, and the candidates for bridge games in the order of the lot."""
    within = [[game for game in truth.games if {game.first, game.second} <= club] for club in clubs]
    since = [_first_days(games) for games in within]
    candidates = [
        Bridge(Member(club, game.first), Member(1 - club, game.second), game.day, game.score)
        for game in truth.games
        for club in (0, 1)
        if since[club].get(game.first, game.day + 1) <= game.day
        and since[1 - club].get(game.second, game.day + 1) <= game.day
    ]
    taken = [candidates[place] for place in rng.permutation(len(candidates))[:CANDIDATES].tolist()]
    owns = []
    for club, games in enumerate(within):
        more = [When(side.player, game.day) for game in taken for side in game[:2] if side.club == club]
        listed = _listed(games, truth.day)
        whens = [*more, *(When(player, truth.day) for player in listed)]
        also: dict[int, list[int]] = {}
        for when in whens:
            also.setdefault(when.player, []).append(when.day)
        owns.append(own_of(whole_history(games, truth.model, also=also), listed, truth.day, more))
    return owns, taken


def _first_days(games: Sequence[HistoryGame]) -> Mapping[int, int]:
    found: dict[int, int] = {}
    for game in games:
        for player in (game.first, game.second):
            found[player] = min(game.day, found.get(player, game.day))
    return found


def _listed(games: Sequence[HistoryGame], day: int) -> list[int]:
    played = Counter(player for game in games for player in (game.first, game.second))
    late = {player for game in games for player in (game.first, game.second) if day - game.day <= LISTED_YEARS * 366}
    return sorted(player for player, count in played.items() if count >= LISTED_GAMES and player in late)


class Shared(NamedTuple):
    """With so many members of both clubs: the clubs' difference, and the share that is still assumed."""

    members: int
    levels: Asked
    assumed: float


def shared_steps(truth: Truth, clubs: Sequence[set[int]], rng: numpy.random.Generator) -> Iterator[Shared]:
    """So many of those with enough games in both clubs become members of both, and nothing else joins the clubs."""
    inside = [game for game in truth.games if {game.first, game.second} <= clubs[0] | clubs[1]]
    within = [[game for game in inside if {game.first, game.second} <= club] for club in clubs]
    across = [game for game in inside if (game.first in clubs[0]) != (game.second in clubs[0])]
    at_home = {player for games in within for player in _listed(games, truth.day)}
    able = [player for player in _listed(across, truth.day) if player in at_home]
    order = rng.permutation(able).tolist()
    for size in SHARED:
        if len(order) < size:
            return
        both = set(order[:size])
        owns = []
        for at, club in enumerate(clubs):
            # A game of two who are in both clubs counts in the first.
            games = [
                game
                for game in inside
                if {game.first, game.second} <= club | both and not (at and {game.first, game.second} <= both)
            ]
            listed = _listed(games, truth.day)
            history = whole_history(games, truth.model, also={player: [truth.day] for player in listed})
            owns.append(own_of(history, listed, truth.day))
        same = [(Member(0, one), Member(1, one)) for one in sorted(both) if all(one in own.listed for own in owns)]
        joined = join(owns, [], Terms(draw_rate=truth.model.draw_rate, advantage=truth.model.advantage), same)
        means = [fmean(truth.mean(player) for player in own.listed) for own in owns]
        yield Shared(size, Asked(joined.levels(0, 1), means[0] - means[1]), joined.assumed(0, 1))


def steps(truth: Truth, owns: Sequence[Own], taken: Sequence[Bridge], *, chosen: bool) -> Iterator[Step]:
    """Bridge games added one by one; what is known after each of `SIZES`."""
    used: list[Bridge] = []
    left, told = list(taken), 0.0
    terms = Terms(draw_rate=truth.model.draw_rate, advantage=truth.model.advantage)
    rng = numpy.random.default_rng(len(taken))
    pairs = [tuple(int(rng.choice(own.listed)) for own in owns) for _pair in range(PAIRS)]
    means = [fmean(truth.mean(player) for player in own.listed) for own in owns]
    while True:
        joined = join(owns, used, terms)
        if len(used) in SIZES:
            members = [
                Asked(joined.difference(Member(0, one), Member(1, other)), truth.mean(one) - truth.mean(other))
                for one, other in pairs
            ]
            levels = Asked(joined.levels(0, 1), means[0] - means[1])
            yield Step(len(used), levels, members, joined.assumed(0, 1), told)
        if not left or len(used) == SIZES[-1]:
            return
        promised = _promised(joined, left, terms)
        best = int(numpy.argmax(promised)) if chosen else 0
        told = sqrt(joined.levels(0, 1).deviation ** 2 - float(promised[best]))
        used.append(left.pop(best))


def _promised(joined: Joined, games: Sequence[Bridge], terms: Terms) -> Floats:
    firsts = numpy.array([joined.places[game.first.club, When(game.first.player, game.day)] for game in games])
    seconds = numpy.array([joined.places[game.second.club, When(game.second.player, game.day)] for game in games])
    contrast = joined.contrast(0, 1)
    return narrows(joined.means, joined.covariance, contrast, (firsts, seconds), terms.draw_rate)


def one_scale_report(
    games: Sequence[HistoryGame], *, replications: int = REPLICATIONS, seed: int = 1, tell: Callable[[int], object]
) -> dict[str, Any]:
    """Every kind of split so many times; `tell` is called with the splits done. Raises ValueError for a stream of too
    few games, or a single replication."""
    if replications < 2:
        raise ValueError("The proof needs at least two splits of each kind.")
    truth = Truth(by_year(games))
    clubs, lines, done = [], [], 0
    shared: list[dict[str, Any]] = []
    for at, kind in enumerate(SPLITS):
        known: list[Truly] = []
        for number in range(replications):
            rngs = [numpy.random.default_rng([seed, at, number, *more]) for more in ((), (1,))]
            known.append(_tried(truth, kind, *rngs))
            tell(done := done + 1)
        clubs.append(
            {
                "split": kind,
                "apart": round(fmean(abs(each.apart) for each in known)),
                "truth_deviation": round(fmean(each.deviation for each in known), 1),
            }
        )
        shared += shared_lines(kind, [each.shared for each in known])
        for way in (BY_LOT, CHOSEN):
            for place, size in enumerate(SIZES):
                lines.append(
                    {"split": kind, "way": way, "games": size, **_line([each.ways[way][place] for each in known])}
                )
    return {
        "study": "one-scale",
        "games": len(games),
        "players": len(truth.players),
        "replications": replications,
        "seed": seed,
        "spread": Terms().spread,
        "clubs": clubs,
        "lines": lines,
        "shared": shared,
    }


class Truly(NamedTuple):
    """One split: by how much its clubs are `apart`, the `deviation` of that, and the steps of both ways."""

    apart: float
    deviation: float
    ways: Mapping[str, list[Step]]
    shared: list[Shared]


def _tried(truth: Truth, kind: str, rng: numpy.random.Generator, of_shared: numpy.random.Generator) -> Truly:
    clubs = split(truth, kind, rng)
    owns, taken = clubs_of(truth, clubs, rng)
    ways = {way: list(steps(truth, owns, taken, chosen=way == CHOSEN)) for way in (BY_LOT, CHOSEN)}
    if len(ways[BY_LOT]) < len(SIZES):
        raise ValueError(f"Too few games are between two clubs of this stream: the proof needs {SIZES[-1]}.")
    deviation = truth.deviation(owns[0].listed, owns[1].listed)
    return Truly(ways[BY_LOT][0].levels.truth, deviation, ways, list(shared_steps(truth, clubs, of_shared)))


def shared_lines(kind: str, known: Sequence[Sequence[Shared]]) -> Iterator[dict[str, Any]]:
    """Of each number of members of both clubs, over the splits that had so many; at least two of them."""
    for size in SHARED:
        found = [each for steps in known for each in steps if each.members == size]
        if len(found) > 1:
            yield {"split": kind, "members": size, **_clubs_line(found)}


def _line(found: Sequence[Step]) -> dict[str, Any]:
    """Over the splits of one kind. `came`: the deviation after the last game as a share of the one told before."""
    shares = [fmean(asked.is_held for asked in each.members) for each in found]
    away = Z95 * stdev(shares) / sqrt(len(shares))
    return {
        **_clubs_line(found),
        "came": round(fmean(each.levels.said.deviation / each.told for each in found), 3),
        "members_error": _root(asked.said.mean - asked.truth for each in found for asked in each.members),
        "members_deviation": round(fmean(asked.said.deviation for each in found for asked in each.members), 1),
        "members_held": round(fmean(shares), 3),
        "members_low": round(fmean(shares) - away, 3),
        "members_high": round(min(fmean(shares) + away, 1.0), 3),
    }


def _clubs_line(found: Sequence[Step] | Sequence[Shared]) -> dict[str, Any]:
    """What was said of the clubs' difference."""
    levels = [each.levels for each in found]
    return {
        "error": _root(each.said.mean - each.truth for each in levels),
        "deviation": round(fmean(each.said.deviation for each in levels), 1),
        "held": sum(each.is_held for each in levels),
        "asked": len(levels),
        "assumed": round(fmean(each.assumed for each in found), 3),
    }


def _root(errors: Iterable[float]) -> float:
    return round(sqrt(fmean(error * error for error in errors)), 1)
