"""Several clubs' strengths on one scale: each club's games say who is how strong within it, bridge games join them.

A club's own history (`ratings.history.whole_history`) is normal around its best strengths, and knows everything but its
level: how strong its newcomers are on average. The levels are the one thing more, normal around a common mean, so
that two clubs' levels differ by a deviation of `spread`. All strengths that matter then have a joint normal
distribution before the bridge games: within a club its own covariance and a constant, between clubs nothing. Bridge
games end by Davidson's odds. Their posterior is normal around its summit (Laplace); the summit is found by Newton's
method in the gaps of the games, in the form that stays well-conditioned whether a gap is known well or not at all
(C. Rasmussen and C. Williams, "Gaussian Processes for Machine Learning", 2006, algorithm 3.1).

So a member who plays five bridge games counts as one whose strength within the club is known so well and no better.
Nothing is ever taken from a name: members are numbers. Somebody who belongs to two clubs is as strong in one as in the
other on the list's day: a linear condition, so what it leaves is normal, exactly.

Units: Elo points outside, natural logarithms of odds (`UNIT` points) inside `_summit`. Not done: somebody of two clubs
on other days than the list's; bridge games that were chosen by knowledge of their results.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import isfinite, sqrt
from typing import NamedTuple

import numpy

from ratings.history.chains import Floats
from ratings.history.whole_history import UNIT, Estimate, History, When, expected, log_odds

SPREAD = 300.0
TOLERANCE = 1e-9  # a step so small in every gap (of `UNIT` points) ends the search
MOST_STEPS = 200
BLOCK = 20_000  # games weighed at once: a few megabytes
_KNOWN = 1e-6  # a variance so small (points squared) is none
_NODES, _WEIGHTS = numpy.polynomial.hermite_e.hermegauss(16)  # means over a normal distribution
_WEIGHTS = _WEIGHTS / _WEIGHTS.sum()


class Member(NamedTuple):
    """A player of a club: the club's place in the order given, and the player's number there."""

    club: int
    player: int


Same = tuple[Member, Member]  # one person in two clubs


class Bridge(NamedTuple):
    """A game between members of two clubs on a day (ordinal); `score` is the first's: 1, ½ or 0."""

    first: Member
    second: Member
    day: int
    score: float


@dataclass(frozen=True)
class Own:
    """What a club's own games say: strengths above its newcomers' mean, with their joint covariance, in the order of
    `whens`. `listed` are the players whose mean strength on the `day` is the club's level on its list."""

    whens: tuple[When, ...]
    means: Floats
    covariance: Floats
    listed: tuple[int, ...]
    day: int


@dataclass(frozen=True, slots=True)
class Terms:
    """`spread`: deviation of the difference between two clubs' newcomers, before any bridge game. `draw_rate` and
    `advantage` of the first side: of the bridge games."""

    spread: float = SPREAD
    draw_rate: float = 0.0
    advantage: float = 0.0

    def __post_init__(self) -> None:
        if not (isfinite(self.spread) and self.spread > 0.0):
            raise ValueError("The deviation between clubs is above 0.")


def own_of(history: History, listed: Sequence[int], day: int, more: Sequence[When] = ()) -> Own:
    """Everybody listed on that day, and whoever played bridge games on the days of these. The history was asked for
    all of them (`also`). Raises KeyError or ValueError as `Field.place`; ValueError where nobody is listed."""
    if not listed:
        raise ValueError("Nobody is listed, so the list has no level.")
    whens = tuple(dict.fromkeys([*(When(player, day) for player in listed), *more]))
    means = numpy.array([history.mean(when) - history.model.mean for when in whens])
    return Own(whens, means, history.covariance(whens), tuple(listed), day)


@dataclass(frozen=True)
class Joined:
    """All clubs' strengths on one scale: `means` and `covariance` by place, and how much of the assumption is `left` in
    them: by how much each moves when each club's level was assumed a point higher (places × clubs)."""

    places: Mapping[tuple[int, When], int]
    clubs: tuple[Own, ...]
    means: Floats
    covariance: Floats
    left: Floats

    def place(self, member: Member) -> int:
        """Of a listed member, on the list's day. Raises KeyError for others."""
        return self.places[member.club, When(member.player, self.clubs[member.club].day)]

    def difference(self, one: Member, other: Member) -> Estimate:
        """How much stronger one listed member is than another."""
        contrast = numpy.zeros(len(self.means))
        contrast[self.place(one)] += 1.0
        contrast[self.place(other)] -= 1.0
        return self._estimate(contrast)

    def levels(self, one: int, other: int) -> Estimate:
        """How much stronger the club `one` is than the other, in the mean of their listed players."""
        return self._estimate(self.contrast(one, other))

    def assumed(self, one: int, other: int) -> float:
        """By how many points `levels` moves for each point of the assumed difference (1: all is assumed)."""
        moves: Floats = self.contrast(one, other) @ (self.left[:, one] - self.left[:, other]) / 2.0
        return float(moves)

    def contrast(self, one: int, other: int) -> Floats:
        """`levels` as weights of the strengths."""
        return self._level(one) - self._level(other)

    def _level(self, club: int) -> Floats:
        own = self.clubs[club]
        weights = numpy.zeros(len(self.means))
        weights[[self.place(Member(club, player)) for player in own.listed]] = 1.0 / len(own.listed)
        return weights

    def _estimate(self, contrast: Floats) -> Estimate:
        return Estimate(float(contrast @ self.means), sqrt(max(float(contrast @ self.covariance @ contrast), 0.0)))


def join(clubs: Sequence[Own], bridges: Sequence[Bridge], terms: Terms, same: Sequence[Same] = ()) -> Joined:
    """The clubs’ strengths given the bridge games and who is one person. Raises KeyError for strengths that were not
    asked for, ValueError for a game within a club."""
    if any(bridge.first.club == bridge.second.club for bridge in bridges):
        raise ValueError("A bridge game is between two clubs.")
    whens = [(club, when) for club, own in enumerate(clubs) for when in own.whens]
    places = {each: place for place, each in enumerate(whens)}
    before, means = numpy.zeros((len(whens), len(whens))), numpy.concatenate([own.means for own in clubs])
    levels = numpy.zeros((len(whens), len(clubs)))
    for club, own in enumerate(clubs):
        first = places[club, own.whens[0]]
        here = slice(first, first + len(own.whens))
        before[here, here] = own.covariance + terms.spread**2 / 2.0
        levels[here, club] = 1.0
    for pair in same:
        one, other = (places[side.club, When(side.player, clubs[side.club].day)] for side in pair)
        _make_equal(one, other, means, before, levels)
    firsts, seconds = (
        numpy.array([places[side.club, When(side.player, bridge.day)] for side, bridge in each], dtype=numpy.int64)
        for each in ([(bridge.first, bridge) for bridge in bridges], [(bridge.second, bridge) for bridge in bridges])
    )
    games = _Games(firsts, seconds, numpy.array([bridge.score for bridge in bridges]), terms)
    pull, held = _summit(means, before, games)
    across = before[:, firsts] - before[:, seconds]
    after = before - across @ held @ across.T
    left = levels - across @ held @ (levels[firsts] - levels[seconds])
    return Joined(places, tuple(clubs), means + across @ pull, after, left)


def _make_equal(one: int, other: int, means: Floats, before: Floats, levels: Floats) -> None:
    """What is normal, given that two of it are equal; in place."""
    across = before[:, one] - before[:, other]
    gap_varies = float(across[one] - across[other])
    if gap_varies <= _KNOWN:  # equal by what was said already
        return
    gain = across / gap_varies
    means -= gain * (means[one] - means[other])
    levels -= numpy.outer(gain, levels[one] - levels[other])
    before -= numpy.outer(gain, across)


class _Games(NamedTuple):
    """Bridge games between places, with their scores and terms."""

    firsts: Floats
    seconds: Floats
    scores: Floats
    terms: Terms


def _summit(means: Floats, before: Floats, games: _Games) -> tuple[Floats, Floats]:
    """Of the gaps' posterior: the weights a with which the summit is the prior mean + prior covariance × a, and the
    matrix G = (V + W⁻¹)⁻¹ by which the games narrow the prior (V: covariance of the gaps, W: curvatures). Per point."""
    ties = (before[games.firsts] - before[games.seconds]) / UNIT**2
    gaps_vary = ties[:, games.firsts] - ties[:, games.seconds]
    begin = (means[games.firsts] - means[games.seconds] + games.terms.advantage) / UNIT
    weights = numpy.zeros(len(begin))
    value = _density(weights, begin, gaps_vary, games)
    for _step in range(MOST_STEPS):
        moved = gaps_vary @ weights
        score, curvature = expected(begin + moved, games.terms.draw_rate)
        narrows = _narrowing(gaps_vary, curvature)
        slope = curvature * moved + games.scores - score
        wanted = slope - narrows @ (gaps_vary @ slope)
        step, share = wanted - weights, 1.0
        while (there := _density(weights + share * step, begin, gaps_vary, games)) < value - 1e-12 * abs(value):
            share /= 2.0
        weights, value = weights + share * step, there
        if numpy.abs(gaps_vary @ step).max(initial=0.0) <= TOLERANCE:
            break
    _, curvature = expected(begin + gaps_vary @ weights, games.terms.draw_rate)
    return weights / UNIT, _narrowing(gaps_vary, curvature) / UNIT**2


def _narrowing(gaps_vary: Floats, curvature: Floats) -> Floats:
    """G of these curvatures."""
    root = numpy.sqrt(curvature)
    whole = numpy.eye(len(root)) + root[:, None] * gaps_vary * root
    return root[:, None] * numpy.linalg.inv(whole) * root


def _density(weights: Floats, begin: Floats, gaps_vary: Floats, games: _Games) -> float:
    """Logarithm of the gaps' posterior density, but for a constant."""
    moved = gaps_vary @ weights
    return float(log_odds(begin + moved, games.scores, games.terms.draw_rate).sum() - weights @ moved / 2.0)


# --- one more bridge game ------------------------------------------------------------------------------------------
class Next(NamedTuple):
    """A game that could be played, and the deviation of the two clubs' `levels` after it."""

    one: Member
    other: Member
    deviation: float


def best_match(
    joined: Joined,
    one: int,
    other: int,
    boards: int,
    terms: Terms,
    among: Mapping[int, Sequence[int]] | None = None,
) -> list[Next]:
    """Board by board, the game between two listed members who are in none yet that narrows the clubs' difference most;
    `deviation` after it and those before it. `among`: the players who can be asked, by club (not given: all listed).
    Fewer boards where there are fewer."""
    found: list[Next] = []
    contrast = joined.contrast(one, other)
    askable = among or {club: joined.clubs[club].listed for club in (one, other)}
    free = [[joined.place(Member(club, player)) for player in askable[club]] for club in (one, other)]
    players = {place: Member(club, when.player) for (club, when), place in joined.places.items()}
    covariance = joined.covariance
    for _board in range(min(boards, *map(len, free))):
        pairs = numpy.repeat(free[0], len(free[1])), numpy.tile(free[1], len(free[0]))
        best = int(numpy.argmax(narrows(joined.means, covariance, contrast, pairs, terms.draw_rate)))
        first, second = int(pairs[0][best]), int(pairs[1][best])
        own = covariance[:, first] - covariance[:, second]
        told = _told(joined.means, covariance, (numpy.array([first]), numpy.array([second])), terms.draw_rate)
        covariance = covariance - told[0] * numpy.outer(own, own)
        left = sqrt(max(float(contrast @ covariance @ contrast), 0.0))
        found.append(Next(players[first], players[second], left))
        free = [[place for place in some if place not in (first, second)] for some in free]
    return found


def narrows(
    means: Floats, covariance: Floats, contrast: Floats, pairs: tuple[Floats, Floats], draw_rate: float
) -> Floats:
    """By how much one more game between each two places would narrow the contrast's variance: c² w / (1 + w v). c: how
    the contrast varies together with the game's gap."""
    across = covariance @ contrast
    narrowed: Floats = (across[pairs[0]] - across[pairs[1]]) ** 2 * _told(means, covariance, pairs, draw_rate)
    return narrowed


def _told(means: Floats, covariance: Floats, pairs: tuple[Floats, Floats], draw_rate: float) -> Floats:
    """w / (1 + w v). v: the gap's variance; w: the game's curvature, in the mean over what the gap may be. Neither
    depends on the result; the summit at which w is taken afterwards does."""
    blocks = [_told_of(means, covariance, (firsts, seconds), draw_rate) for firsts, seconds in _blocks(*pairs)]
    told: Floats = numpy.concatenate(blocks) if blocks else numpy.zeros(0)
    return told


def _blocks(firsts: Floats, seconds: Floats) -> Iterator[tuple[Floats, Floats]]:
    """A part after the other: each pair takes as many numbers as there are nodes."""
    for begin in range(0, len(firsts), BLOCK):
        yield firsts[begin : begin + BLOCK], seconds[begin : begin + BLOCK]


def _told_of(means: Floats, covariance: Floats, pairs: tuple[Floats, Floats], draw_rate: float) -> Floats:
    """Of one block."""
    firsts, seconds = pairs
    varies = numpy.diagonal(covariance)
    wide = varies[firsts] + varies[seconds] - 2.0 * covariance[firsts, seconds]
    gaps = (means[firsts] - means[seconds])[:, None] + numpy.sqrt(numpy.maximum(wide, 0.0))[:, None] * _NODES
    curvature = expected(gaps / UNIT, draw_rate)[1] @ _WEIGHTS / UNIT**2
    told: Floats = curvature / (1.0 + curvature * wide)
    return told


def joined_to(bridges: Sequence[Bridge], club: int, same: Sequence[Same] = ()) -> set[int]:
    """The clubs to which a chain of bridge games or shared members leads from that one, itself among them."""
    links = [{first.club, second.club} for first, second in [*(bridge[:2] for bridge in bridges), *same]]
    found, waiting = {club}, [club]
    while waiting:
        here = waiting.pop()
        for ends in links:
            if here in ends:
                waiting += ends - found
                found |= ends
    return found
