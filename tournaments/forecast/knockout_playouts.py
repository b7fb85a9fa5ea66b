"""Knockouts under way (pure): who can still reach what, and the chance of each place (numpy).

Places are those of `standings.formats`: who loses in the same round shares them (third and fourth are played out where
there is a match for it).

`knockout_reach`: places, opponents, and how many matches must be won. Everybody who is in may win or lose every match
before him, so it follows from the bracket alone, match by match; nothing is estimated. Not considered: matches from
which nobody goes on.

`play_knockout`: the chance of each place from the bracket, exact or sampled; a shared place counts as an equal part of
each. Given the strengths, matches of different parts of the bracket are independent, so from the first round on the
chance of everybody to come into each line follows from the lines before. Unknown strengths bind matches together, so
each draw of strengths is calculated whole; the mean over all draws is exact. Only where field and draws are too large
for that is the bracket played out so many times. A match ends as soon as it is decided; an even one is settled by games
that count no further, with the odds of a win against a loss. Not considered: matches from which nobody goes on, an
armageddon game's draw odds, the advantage of White. Not done: double elimination, for whose places the club has no
rule.
"""

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Generic, TypeVar

import numpy

from tournaments.forecast.outlook import (
    EXACT,
    SAMPLED,
    Floats,
    Outlook,
    Strengths,
    Tell,
    chances_of,
    columns_of,
    rows_for,
)
from tournaments.pairing.base import Bracket, Match, Source

Key = tuple[int, int]  # a match by its round and its board
Places = tuple[int, int]  # from … to


# --- who can still reach what -------------------------------------------------------------------------------------
@dataclass(frozen=True, slots=True)
class Reach:
    """What one player can still come to. `places`: every range he may end in, best first; one only where all is
    decided. `opponents`: whom he may meet in each match he can still play, in the order of rounds, by the match's
    round and board."""

    player: int
    places: tuple[Places, ...]
    opponents: Mapping[Key, frozenset[int]]

    def has_clinched(self, top: int) -> bool:
        """Whether he is among the first `top` whatever happens (a range counts by its last place)."""
        return self.places[-1][1] <= top

    def can_reach(self, top: int) -> bool:
        """Whether he can still come among the first `top`."""
        return self.places[0][1] <= top

    def wins_for(self, top: int) -> int | None:
        """How many of his next matches he must win to be among the first `top` for sure; None where he cannot. In a
        row from now: a semi-final lost and the match for third place won are not counted as a way."""
        if self.has_clinched(top):
            return 0
        return next((wins for wins, worst in enumerate(self._worst_after_wins(), 1) if worst <= top), None)

    def _worst_after_wins(self) -> list[int]:
        """The last place that threatens after one win, two …, all of them in a row from now. Who wins on has no third
        place to play for."""
        lasts = {last for _first, last in self.places}
        if self.can_reach(2) and 4 in lasts:
            lasts.discard(3)
        return sorted(lasts, reverse=True)[1:]


def knockout_reach(bracket: Bracket, winners: Mapping[Key, int]) -> tuple[Reach, ...]:
    """Everybody's reach, in the order of seeds. `winners`: who went on in the matches played, by round and board; a
    match with a bye needs none. Raises ValueError where somebody is said to have won a match he cannot be in."""
    return tuple(_Bracket(bracket, winners).reach(seed) for seed in seeds_of(bracket))


def seeds_of(bracket: Bracket) -> tuple[int, ...]:
    """All players, the first seed first."""
    sources = [source for match in bracket for source in (match.upper, match.lower)]
    return tuple(sorted(source.seed for source in sources if source.seed is not None))


def ends_of(bracket: Bracket, match: Match) -> tuple[Places | None, Places | None]:
    """The places a match gives for good, from and to: its winner's, its loser's; None where they play on."""
    if match.third_place:
        return (3, 3), (4, 4)
    rounds = max(each.round for each in bracket)
    wins = (1, 1) if match.round == rounds else None
    if match.round == rounds - 1 and any(other.third_place for other in bracket):
        return wins, None
    better = 2 ** (rounds - match.round)
    return wins, (better + 1, min(2 * better, len(seeds_of(bracket))))


class _Bracket:
    """The bracket with everybody who may still come into each line."""

    def __init__(self, bracket: Bracket, winners: Mapping[Key, int]) -> None:
        self.winners = winners
        self.lines: dict[Key, tuple[frozenset[int], frozenset[int]]] = {}
        self.ends: dict[Key, tuple[Places | None, Places | None]] = {}  # what its winner, its loser has for good
        for match in bracket:
            key = match.round, match.board
            self.ends[key] = ends_of(bracket, match)
            self.lines[key] = self._who(match.upper), self._who(match.lower)
            if key in winners and winners[key] not in self.lines[key][0] | self.lines[key][1]:
                raise ValueError(f"{winners[key]} cannot have won match {key[1]} of round {key[0]}.")

    def reach(self, player: int) -> Reach:
        mine = [key for key, lines in self.lines.items() if player in lines[0] | lines[1]]
        places: set[Places] = set()
        opponents = {}
        for key in mine:
            upper, lower = self.lines[key]
            if self._is_open(key):
                opponents[key] = lower if player in upper else upper
            comes = player in self._go_on(key), player in self._lose(key)
            places |= {ends for ends, may in zip(self.ends[key], comes, strict=True) if may and ends is not None}
        return Reach(player, tuple(sorted(places)), opponents)

    def _who(self, source: Source) -> frozenset[int]:
        if source.match is None:
            return frozenset() if source.seed is None else frozenset({source.seed})
        return self._lose(source.match) if source.loser else self._go_on(source.match)

    def _go_on(self, key: Key) -> frozenset[int]:
        return frozenset({self.winners[key]}) if key in self.winners else self.lines[key][0] | self.lines[key][1]

    def _lose(self, key: Key) -> frozenset[int]:
        """Those whom this match may put out; nobody where one has the bye."""
        upper, lower = self.lines[key]
        if not upper or not lower:
            return frozenset()
        return (upper | lower) - ({self.winners[key]} if key in self.winners else set())

    def _is_open(self, key: Key) -> bool:
        return key not in self.winners and all(self.lines[key])


# --- the chance of each place -------------------------------------------------------------------------------------
Line = TypeVar("Line")
WIN = 2  # half-points
MOST_MATCHES = 100_000_000  # draws × players²: some seconds
AT_ONCE = 4_000_000  # numbers held in memory


@dataclass(frozen=True, slots=True)
class KnockoutToCome:
    """A bracket under way. Players are its seeds. `winners`: who went on in the matches decided, by round and board (a
    bye needs none); `leads` of matches under way: by how many half-points the upper line leads, and how many games are
    still to come; `games` of every match not begun."""

    bracket: Bracket
    winners: Mapping[Key, int] = field(default_factory=dict)
    leads: Mapping[Key, tuple[int, int]] = field(default_factory=dict)
    games: int = 1

    def __post_init__(self) -> None:
        if any((match.upper.loser or match.lower.loser) and not match.third_place for match in self.bracket):
            raise ValueError("Who loses is out: a double elimination cannot be forecast.")

    @property
    def seeds(self) -> tuple[int, ...]:
        return seeds_of(self.bracket)


def play_knockout(
    to_come: KnockoutToCome, strengths: Strengths, samples: int, rng: numpy.random.Generator, tell: Tell
) -> Outlook:
    """The chance of each place for all seeds, without points. `EXACT` up to `MOST_MATCHES`, else so many samples.
    Raises ValueError where a seed has no strength, where somebody has won or is in a match he cannot be in, and for
    less than one sample."""
    columns = columns_of(strengths, to_come.seeds)
    draws = strengths.draws[:, columns]
    exact = len(draws) * len(columns) ** 2 <= MOST_MATCHES
    if not exact:
        draws = draws[rows_for(strengths, samples)]
    places = numpy.zeros((len(columns), len(columns)))
    step = max(1, AT_ONCE // len(columns) ** 2) if exact else len(draws)
    for begin in range(0, len(draws), step):
        part = draws[begin : begin + step], strengths.rate
        places += (_Reckoned(to_come, *part) if exact else _Drawn(to_come, *part, rng)).places()
        tell(min(begin + step, len(draws)), len(draws))
    places = numpy.clip(places / len(draws), 0.0, 1.0)
    return Outlook(to_come.seeds, places, None, EXACT if exact else SAMPLED, 0 if exact else samples)


def places_of_fields(to_come: KnockoutToCome, draws: Floats, rate: float, fields: Floats) -> Floats:
    """The mean chance of each place (people × places of the bracket) where in each draw of strengths (draws × people)
    others come into the bracket: `fields` (draws × seeds), the columns of the first seed, the second …"""
    people, seeds = draws.shape[1], fields.shape[1]
    places = numpy.zeros((people, seeds))
    step = max(1, AT_ONCE // seeds**2)
    for begin in range(0, len(draws), step):
        chosen = fields[begin : begin + step]
        strong = numpy.take_along_axis(draws[begin : begin + step], chosen, axis=1)
        places += _OfFields(to_come, strong, rate, chosen, people).places()
    return numpy.clip(places / len(draws), 0.0, 1.0)


def goes_on(own: Floats, other: Floats, rate: float, lead: int, left: int) -> Floats:
    """The chance to win a match in which one leads by so many half-points with so many games to come (arrays)."""
    chances = chances_of(own, other, rate)
    known: dict[tuple[int, int], Floats] = {}

    def chance(lead: int, left: int) -> Floats:
        if abs(lead) > WIN * left or not left:
            return chances.decided if lead == 0 else numpy.full(chances.win.shape, float(lead > 0))
        if (lead, left) not in known:
            ends = ((chances.win, WIN), (chances.draw, 0), (chances.loss, -WIN))
            known[lead, left] = sum(share * chance(lead + more, left - 1) for share, more in ends)
        return known[lead, left]

    return chance(lead, left)


class _Walk(ABC, Generic[Line]):
    """A bracket gone through match by match, with some draws of strengths (draws × seeds). What a line is (who comes
    into it in each draw) the two ways to reckon say for themselves."""

    def __init__(self, to_come: KnockoutToCome, draws: Floats, rate: float) -> None:
        self.to_come, self.draws, self.rate = to_come, draws, rate
        self.at = {seed: column for column, seed in enumerate(to_come.seeds)}
        self.people = len(self.at)  # whose places are counted
        self.ends: dict[Key, tuple[Line | None, Line | None]] = {}  # who wins, who loses
        self.sure: dict[Key, tuple[int | None, int | None]] = {}  # where that is known

    @abstractmethod
    def seat(self, seed: int) -> Line:
        """The line of a seed."""

    @abstractmethod
    def meet(self, upper: Line, lower: Line, lead: int, left: int) -> tuple[Line, Line]:
        """Who wins and who loses a match."""

    @abstractmethod
    def share(self, line: Line) -> Floats:
        """How often each of the people is in the line, summed over the draws."""

    def places(self) -> Floats:
        """The share of each place, summed over the draws (people × places)."""
        places = numpy.zeros((self.people, len(self.at)))
        for match in self.to_come.bracket:
            self._play(match)
            key = match.round, match.board
            for line, ends in zip(self.ends[key], ends_of(self.to_come.bracket, match), strict=True):
                if line is not None and ends is not None:
                    first, last = ends
                    places[:, first - 1 : last] += self.share(line)[:, None] / (last - first + 1)
        return places

    def _play(self, match: Match) -> None:
        key = match.round, match.board
        upper, lower = self._who(match.upper), self._who(match.lower)
        known = self._known(match.upper), self._known(match.lower)
        if upper is None or lower is None:
            self.ends[key] = (lower if upper is None else upper), None
            self.sure[key] = (known[1] if upper is None else known[0]), None
            return
        self._check(key, known)
        winner = self.to_come.winners.get(key)
        if winner is not None:
            won = winner == known[0]
            self.ends[key] = (upper, lower) if won else (lower, upper)
            self.sure[key] = known if won else known[::-1]
            return
        self.ends[key] = self.meet(upper, lower, *self.to_come.leads.get(key, (0, self.to_come.games)))
        self.sure[key] = None, None

    def _who(self, source: Source) -> Line | None:
        if source.match is not None:
            return self.ends[source.match][source.loser]
        return None if source.seed is None else self.seat(source.seed)

    def _known(self, source: Source) -> int | None:
        return source.seed if source.match is None else self.sure[source.match][source.loser]

    def _check(self, key: Key, known: tuple[int | None, int | None]) -> None:
        winner = self.to_come.winners.get(key)
        if winner is not None and (winner not in known or None in known):
            raise ValueError(f"{winner} cannot have won match {key[1]} of round {key[0]}.")
        if key in self.to_come.leads and None in known:
            raise ValueError(f"Match {key[1]} of round {key[0]} cannot be under way: its players are not known.")


@dataclass(frozen=True, slots=True)
class _Chances:
    """Who may be in a line (columns of seeds), with the chance of each in each draw (draws × those)."""

    columns: tuple[int, ...]
    chances: Floats


class _Reckoned(_Walk[_Chances]):
    """Every line with the chance of everybody to be in it."""

    def seat(self, seed: int) -> _Chances:
        return _Chances((self.at[seed],), numpy.ones((len(self.draws), 1)))

    def meet(self, upper: _Chances, lower: _Chances, lead: int, left: int) -> tuple[_Chances, _Chances]:
        own, other = self.draws[:, upper.columns][:, :, None], self.draws[:, lower.columns][:, None, :]
        beats = goes_on(own, other, self.rate, lead, left)
        above = upper.chances * numpy.matmul(beats, lower.chances[:, :, None])[:, :, 0]
        below = lower.chances * numpy.matmul(upper.chances[:, None, :], 1.0 - beats)[:, 0, :]
        columns = upper.columns + lower.columns
        wins = numpy.hstack([above, below])
        return _Chances(columns, wins), _Chances(columns, numpy.hstack([upper.chances, lower.chances]) - wins)

    def share(self, line: _Chances) -> Floats:
        found = numpy.zeros(len(self.at))
        found[list(line.columns)] = line.chances.sum(axis=0)
        return found


class _OfFields(_Reckoned):
    """The same where in every draw others have the seeds: `fields` (draws × seeds) has their columns, of so many
    `people`."""

    def __init__(self, to_come: KnockoutToCome, draws: Floats, rate: float, fields: Floats, people: int) -> None:
        super().__init__(to_come, draws, rate)
        self.fields, self.people = fields, people

    def share(self, line: _Chances) -> Floats:
        who = self.fields[:, list(line.columns)].ravel()
        return numpy.bincount(who, line.chances.ravel(), minlength=self.people)


class _Drawn(_Walk[Floats]):
    """Every line with who is in it in each sample: an array of columns of seeds."""

    def __init__(self, to_come: KnockoutToCome, draws: Floats, rate: float, rng: numpy.random.Generator) -> None:
        super().__init__(to_come, draws, rate)
        self.rng, self.rows = rng, numpy.arange(len(draws))

    def seat(self, seed: int) -> Floats:
        return numpy.full(len(self.rows), self.at[seed])

    def meet(self, upper: Floats, lower: Floats, lead: int, left: int) -> tuple[Floats, Floats]:
        chance = goes_on(self.draws[self.rows, upper], self.draws[self.rows, lower], self.rate, lead, left)
        wins = self.rng.random(len(self.rows)) < chance
        return numpy.where(wins, upper, lower), numpy.where(wins, lower, upper)

    def share(self, line: Floats) -> Floats:
        return numpy.bincount(line, minlength=len(self.at)).astype(float)
