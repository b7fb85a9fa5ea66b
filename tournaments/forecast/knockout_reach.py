"""Who can still reach what in a knockout (pure): places, opponents, and how many matches must be won.

Everybody who is in may win or lose every match before him, so what he can reach follows from the bracket alone, match
by match; nothing is estimated. The places are those of `standings.bracket`: who loses in the same round shares them
(third and fourth are played out where there is a match for it). Not reckoned with: matches from which nobody goes on.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from tournaments.pairing.base import Bracket, Match, Source

Key = tuple[int, int]  # a match by its round and its board
Places = tuple[int, int]  # from … to


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
    return tuple(_Bracket(bracket, winners).reach(seed) for seed in _seeds(bracket))


def _seeds(bracket: Bracket) -> list[int]:
    sources = [source for match in bracket for source in (match.upper, match.lower)]
    return sorted(source.seed for source in sources if source.seed is not None)


class _Bracket:
    """The bracket with everybody who may still come into each line."""

    def __init__(self, bracket: Bracket, winners: Mapping[Key, int]) -> None:
        self.rounds = max((match.round for match in bracket), default=0)
        self.players = len(_seeds(bracket))
        self.winners = winners
        self.lines: dict[Key, tuple[frozenset[int], frozenset[int]]] = {}
        self.matches = {(match.round, match.board): match for match in bracket}
        for key, match in self.matches.items():
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
            places |= self._ends(key, player)
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

    def _ends(self, key: Key, player: int) -> set[Places]:
        """The places this match may give the player for good."""
        match = self.matches[key]
        wins, loses = player in self._go_on(key), player in self._lose(key)
        if match.third_place:
            return {(place, place) for place, comes in ((3, wins), (4, loses)) if comes}
        found = {(1, 1)} if wins and match.round == self.rounds else set()
        if loses and not self._plays_for_third(match):
            better = 2 ** (self.rounds - match.round)
            found.add((better + 1, min(2 * better, self.players)))
        return found

    def _plays_for_third(self, match: Match) -> bool:
        return match.round == self.rounds - 1 and any(other.third_place for other in self.matches.values())
