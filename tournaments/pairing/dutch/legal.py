"""Who may meet whom, and who may have the bye: the absolute criteria and the completion of the round (pure).

- C1: nobody meets twice. Pairs an arbiter prohibits are treated alike.
- C2: who had the bye, or a win without playing, does not have it.
- C3: two with the same absolute preference do not meet, unless one is a top scorer in the last round.
- C4: whoever is not paired yet must remain pairable. C5 (since February 2026): the bye goes to the lowest score from
  which a round can be completed.

Source: FIDE C.04.3 art. 2.1 to 2.3 (edition 2025: C.1 to C.4); C.04.1.
"""

from collections.abc import Collection, Iterable, Sequence
from itertools import combinations

from tournaments.pairing.dutch.competitor import Competitor, Strength
from tournaments.pairing.matching import maximum_matching

BYE = 0  # stands for an opponent where somebody has the bye


class Legal:
    """The pairs that break no absolute criterion. `byes`: numbers that may have the bye; empty where nobody needs one.
    `prohibited`: pairs that must not meet. `forced`: two who shall meet, or one who shall have the bye (BYE)."""

    def __init__(
        self,
        players: Sequence[Competitor],
        prohibited: Collection[frozenset[int]],
        forced: tuple[int, int] | None = None,
    ) -> None:
        self.odd = len(players) % 2 == 1
        self.byes = frozenset(player.number for player in players if self.odd and player.may_have_bye)
        self.opponents: dict[int, list[int]] = {player.number: [] for player in players}
        for one, other in combinations(players, 2):
            met = other.number in one.met or frozenset((one.number, other.number)) in prohibited
            if not met and not clash(one, other):
                self.opponents[one.number].append(other.number)
                self.opponents[other.number].append(one.number)
        if forced is not None:
            self._force(*forced)
        self._allowed = {player: frozenset(others) for player, others in self.opponents.items()}

    def _force(self, one: int, other: int) -> None:
        for number, others in self.opponents.items():
            if number == one:
                self.opponents[number] = [mate for mate in others if mate == other]
            elif number == other:
                self.opponents[number] = [mate for mate in others if mate == one]
            else:
                self.opponents[number] = [mate for mate in others if mate not in (one, other)]
        self.byes = self.byes & {one} if other == BYE else self.byes - {one, other}

    def allows(self, one: Competitor, other: Competitor) -> bool:
        """Whether the pair breaks no absolute criterion."""
        return other.number in self._allowed[one.number]

    def may_complete(self, players: Iterable[int]) -> bool:
        """Whether all of them can be paired, one having the bye where their number is odd. BYE among them means that
        nobody has it yet."""
        wanted = set(players)
        graph = {player: self._open_to(player, wanted) for player in sorted(wanted, reverse=True)}
        return len(maximum_matching(graph)) == len(graph)

    def _open_to(self, player: int, wanted: set[int]) -> list[int]:
        if player == BYE:
            return [other for other in self.byes if other in wanted]
        open_to = [other for other in self.opponents[player] if other in wanted]
        return [*open_to, BYE] if BYE in wanted and player in self.byes else open_to

    def has_round(self, players: Iterable[Competitor]) -> bool:
        """Whether all of them can be paired, one having the bye where their number is odd."""
        return self.may_complete(self.with_bye(players))

    def with_bye(self, players: Iterable[Competitor]) -> list[int]:
        """Their numbers, and BYE where somebody needs the bye."""
        return [*(player.number for player in players), *([BYE] if self.odd else [])]

    def restrict_bye(self, players: Sequence[Competitor]) -> bool:
        """Leave the bye to those of the lowest score from which the round can be completed (C5). False where nobody can
        have it."""
        everybody, able = self.with_bye(players), self.byes
        for score in sorted({player.score for player in players if player.number in able}):
            self.byes = frozenset(
                player.number for player in players if player.number in able and player.score == score
            )
            if self.may_complete(everybody):
                return True
        self.byes = able
        return False


def clash(one: Competitor, other: Competitor) -> bool:
    """Whether both must have the same colour (C3)."""
    absolute = one.preference.strength == other.preference.strength == Strength.ABSOLUTE
    return absolute and one.preference.white == other.preference.white and not (one.top or other.top)
