"""A pairing bracket: who is paired now, who would be next, and what remains (pure).

Residents come from one score group; those moved down from brackets above come first. `following` is the next score
group, `rest` everybody below it. In the collapsed last bracket of the older rules the residents are of several score
groups.

Source: FIDE C.04.3 art. 1.3 (edition 2025: A.3, A.9).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import groupby

from tournaments.pairing.dutch.competitor import Competitor


@dataclass(frozen=True)
class Bracket:
    """Everybody in the order of scores and numbers. `point`: one shown point in the smallest unit. `decides_bye`: the
    one who floats from here is the one who gets the pairing-allocated bye."""

    moved_down: tuple[Competitor, ...]
    residents: tuple[Competitor, ...]
    following: tuple[Competitor, ...]
    rest: tuple[Competitor, ...]
    point: int
    decides_bye: bool = False

    @cached_property
    def players(self) -> tuple[Competitor, ...]:
        """All who may be paired here."""
        return self.moved_down + self.residents

    @property
    def below(self) -> tuple[Competitor, ...]:
        """All who are in none of the brackets so far."""
        return self.following + self.rest

    @property
    def floor(self) -> int:
        """What a floater's score is compared with: one point less than the lowest score of the bracket (edition 2025,
        A.8)."""
        return self.players[-1].score - self.point

    @property
    def next_floor(self) -> int:
        """The same for the following bracket."""
        return self.following[-1].score - self.point if self.following else self.floor

    def is_moved_down(self, player: Competitor) -> bool:
        """Whether he comes from a bracket above."""
        return player.number in self._moved_down

    @cached_property
    def _moved_down(self) -> frozenset[int]:
        return frozenset(player.number for player in self.moved_down)


def score_groups(players: Sequence[Competitor]) -> list[tuple[Competitor, ...]]:
    """The players, ordered, by score from the top."""
    return [tuple(group) for _score, group in groupby(players, key=lambda player: player.score)]
