"""Mini-matches of a knockout: best of n games, and what follows while nobody is ahead (pure).

The regular games alternate colours; the match ends as soon as it is decided. An even match goes on in blocks of extra
games ("rapid2": two rapid games); the last block is repeated until somebody wins. In an armageddon game a draw is
enough for Black. Who goes on is kept apart from the score: an armageddon draw leaves the score even.

Source: FIDE World Cup regulations (2 classical games; 2 rapid, 2 rapid, 2 blitz; then blitz until a win); FIDE B.02,
6.2: games played after a match is decided are not rated.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import count, groupby

from clubrating.ground.marks import marked, sentence
from tournaments.pairing.base import PairingError
from tournaments.standings.crosstable import HALVES
from tournaments.standings.points import OUTCOMES, Result

CLASSICAL, RAPID, BLITZ, ARMAGEDDON = "classical", "rapid", "blitz", "armageddon"
PHASES = (CLASSICAL, RAPID, BLITZ, ARMAGEDDON)
EXTRA_CHOICES: tuple[tuple[str, str], ...] = (
    ("", marked("what the arbiter decides")),
    ("classical1", marked("one more game at a time until somebody wins")),
    ("rapid2 blitz2 armageddon1", marked("two rapid games, two blitz games, armageddon")),
    ("rapid2 rapid2 blitz2 blitz1", marked("two rapid games twice, two blitz games, then blitz until somebody wins")),
    ("blitz2 armageddon1", marked("two blitz games, armageddon")),
    ("blitz1", marked("blitz until somebody wins")),
    ("armageddon1", "armageddon"),
)


@dataclass(frozen=True, slots=True)
class MatchGame:
    """One game of a match: its number in it, its phase, who has White, and its result as White sees it."""

    number: int
    phase: str
    upper_is_white: bool
    result: Result = Result.OPEN

    @property
    def decided(self) -> bool:
        return OUTCOMES[self.result].white is not None

    @property
    def shares(self) -> tuple[int, int]:
        """Half-points of the line above and the line below."""
        outcome = OUTCOMES[self.result]
        white, black = HALVES[outcome.white], HALVES[outcome.black]
        return (white, black) if self.upper_is_white else (black, white)


@dataclass(frozen=True, slots=True)
class MatchState:
    """How a match stands. Scores in half-points, of the games that count; `winner` is line 1 or 2, or 0 while it is
    open; `by` the phase that decided it. `to_come`: the games to be played next and not made yet. `surplus`: numbers
    of the games after the decision; those without a result are not needed."""

    upper: int
    lower: int
    winner: int
    by: str
    to_come: tuple[MatchGame, ...]
    surplus: frozenset[int]


def blocks_of(extra: str) -> tuple[tuple[str, int], ...]:
    """The blocks written as "rapid2 blitz2 armageddon1": phase and games. Raises PairingError."""
    blocks = []
    for word in extra.split():
        phase, games = word.rstrip("0123456789"), word.lstrip("abcdefghijklmnopqrstuvwxyz")
        if phase not in PHASES or not games.isdigit() or int(games) < 1:
            raise PairingError(
                sentence("“%(word)s” is no block of extra games: write a phase and a number, as in rapid2.", word=word)
            )
        blocks.append((phase, int(games)))
    return tuple(blocks)


def match_state(games: Sequence[MatchGame], *, best_of: int, extra: str = "", upper_starts: bool = True) -> MatchState:
    """How the match stands after `games`, in order of their numbers. `upper_starts`: the line above has White in game
    1. Without a plan for extra games those the arbiter made count by runs of one phase. Raises PairingError for a plan
    that is none."""
    left = list(games)
    upper = lower = 0
    for phase, size in _plan(best_of, extra, games[best_of:]):
        block, left = left[:size], left[size:]
        lead, winner, used = _play(block, size)
        upper += sum(game.shares[0] for game in block[:used])
        lower += sum(game.shares[1] for game in block[:used])
        if winner:
            surplus = frozenset(game.number for game in [*block[used:], *left])
            return MatchState(upper, lower, winner, phase, (), surplus)
        if lead is None or len(block) < size:
            # The next game is made once those made are over; colours go on alternating from the last one.
            ready = all(game.decided for game in block)
            to_come = (next_game(games[-1] if games else None, phase, upper_starts),) if ready else ()
            return MatchState(upper, lower, 0, "", to_come, frozenset())
    return MatchState(upper, lower, 0, "", (), frozenset())


def _plan(best_of: int, extra: str, beyond: Sequence[MatchGame]) -> Iterator[tuple[str, int]]:
    """The blocks in order: the regular games, then the plan's, the last one for ever; else the runs there are."""
    yield CLASSICAL, best_of
    blocks = blocks_of(extra)
    if not blocks:
        yield from ((phase, len(list(run))) for phase, run in groupby(beyond, key=lambda game: game.phase))
        return
    yield from blocks
    for _again in count():
        yield blocks[-1]


def _play(block: Sequence[MatchGame], size: int) -> tuple[int | None, int, int]:
    """The lead of the line above in half-points (None while games of the block are open), the winner, and how many of
    its games it took."""
    lead = 0
    for used, game in enumerate(block, start=1):
        if not game.decided:
            return None, 0, used - 1
        upper, lower = game.shares
        lead += upper - lower
        if game.phase == ARMAGEDDON and upper == lower == 1:
            return lead, 2 if game.upper_is_white else 1, used
        if abs(lead) > 2 * (size - used):
            return lead, 1 if lead > 0 else 2, used
    return lead, 0, len(block)


def next_game(last: MatchGame | None, phase: str, upper_starts: bool) -> MatchGame:
    """The game after `last`, with the colours exchanged; the first one where there is none."""
    if last is None:
        return MatchGame(1, phase, upper_starts)
    return MatchGame(last.number + 1, phase, not last.upper_is_white)
