"""A published list beside what is known now for the same day: who stands otherwise, and by how much."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

SMALLEST = 0.00005  # ratings are published to four decimals


@dataclass(frozen=True, slots=True)
class Difference:
    """One player (by key): the rating published and the one known now; None where the list had or has no row."""

    player: int
    published: float | None
    known: float | None

    @property
    def points(self) -> float | None:
        """Known minus published; None for whoever came or went."""
        return None if self.published is None or self.known is None else self.known - self.published

    @property
    def size(self) -> float:
        """What differences are sorted by: whoever came or went first."""
        return float("inf") if self.points is None else abs(self.points)


def compare(published: Mapping[int, float], known: Mapping[int, float]) -> list[Difference]:
    """Everybody whose rating differs at four decimals, the largest difference first."""
    both: Iterable[int] = {**published, **known}
    found = [Difference(player, published.get(player), known.get(player)) for player in both]
    return sorted((row for row in found if row.size >= SMALLEST), key=lambda row: (-row.size, row.player))
