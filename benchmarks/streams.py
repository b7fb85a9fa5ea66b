"""The invented stream every measurement rates: a thousand players of spread strengths, results by chance."""

from dataclasses import dataclass
from datetime import date
from random import Random

from ratings.systems.base import PlayedGame, order_key

PLAYERS = 1000
GAMES_A_DAY = 50


@dataclass(frozen=True, slots=True)
class Stream:
    """The same games twice: as columns of places and scores, and as the replay's games."""

    white: list[int]
    black: list[int]
    scores: list[float]

    @property
    def triples(self) -> list[tuple[int, int, float]]:
        return list(zip(self.white, self.black, self.scores, strict=True))

    def played(self) -> list[PlayedGame]:
        first = date(2000, 1, 1).toordinal()
        return [
            PlayedGame(n, white, black, score, order_key(date.fromordinal(first + n // GAMES_A_DAY), n), first)
            for n, (white, black, score) in enumerate(self.triples, start=1)
        ]


def make_stream(games: int, seed: int = 2026) -> Stream:
    """`games` games between players drawn at random; a third are drawn."""
    rng = Random(seed)
    stream = Stream([], [], [])
    for _ in range(games):
        white = rng.randrange(PLAYERS)
        black = (white + rng.randrange(1, PLAYERS)) % PLAYERS
        stream.white.append(white)
        stream.black.append(black)
        stream.scores.append(rng.choice((1.0, 0.5, 0.0)))
    return stream
