"""A table that is not finished: points so far, and the games still to come (pure).

Points are half-points, and a game to come shares two of them: two to one side, or one to each. So whatever way whole
half-points are dealt out, two a game, can be played; that is what makes the questions in `clinch` exact. Football's
three points and armageddon are no such race (`outcomes` tries every result instead). Not reckoned with: games that
both lose, penalties, anybody leaving.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

WIN, DRAW, LOSS = 2, 1, 0  # half-points of one side
Pair = tuple[int, int]


class Ties(StrEnum):
    """What sharing the place is worth. `shared`: enough; `alone`: not enough, nobody may stand level."""

    SHARED = "shared"
    ALONE = "alone"


class TooManyWaysError(ValueError):
    """More would have to be tried than is allowed; the message says how much."""


@dataclass(frozen=True, slots=True)
class Race:
    """Everybody's half-points so far, and who meets whom in the games to come (a pair as often as it meets)."""

    points: Mapping[int, int]
    games: tuple[Pair, ...]

    def __post_init__(self) -> None:
        for one, other in self.games:
            if one == other or one not in self.points or other not in self.points:
                raise ValueError(f"{one} – {other} is no game between two players of the table.")

    def opponents(self, player: int) -> tuple[int, ...]:
        """Whom the player still meets, in the order of the games. Raises KeyError for somebody not in the table."""
        self.points[player]
        return tuple(sum(game) - player for game in self.games if player in game)

    def after(self, player: int, own: Sequence[int]) -> "Race":
        """The race once the player's remaining games have brought him `own` half-points each, in the order of
        `opponents`. Raises ValueError where that is not one result a game."""
        met = self.opponents(player)
        if len(own) != len(met) or any(halves not in (WIN, DRAW, LOSS) for halves in own):
            raise ValueError(f"{player} has {len(met)} games to come, each worth 0, 1 or 2 half-points to him.")
        points = dict(self.points)
        points[player] += sum(own)
        for opponent, halves in zip(met, own, strict=True):
            points[opponent] += WIN - halves
        return Race(points, tuple(game for game in self.games if player not in game))
