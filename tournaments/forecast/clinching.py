"""Who can still come among the first `top` on points, and who is there whatever happens (pure).

`Race` is a table that is not finished: points so far, and the games still to come. Points are half-points, and a game
to come shares two of them: two to one side, or one to each. So half-points dealt out in any way, two a game, can be
played; that makes both questions exact. Football's three points and armageddon games do not fit (`outcomes` tries
every result instead). Not considered: games that both lose, penalties, anybody leaving; tie-breaks (`outcomes`).

`can_reach` and `has_clinched` are decided without trying results:

- A player *can* if he wins all his games and the others' games can then be dealt out so that at most top − 1 pass him.
  Which of them pass him is tried, set by set; whether the rest can be held below is a flow (`most_dealt`).
- He *has* if, losing all his games, no `top` others can pass him together: each needs so many half-points, and whether
  the games have them for all of that set is the same flow.

A result better for the player takes points from nobody but his opponent, so it is enough to look at all games won and
all games lost. `Ties.SHARED`: passing is having more points; `Ties.ALONE`: having as many is enough to pass. For first
place there is one set to try, or one for each chaser; for the first few the number of sets grows with the players in
question, up to `MOST_SETS`.

`most_dealt` is a maximum flow from games through their two players: each half-point goes to a player with room; where
neither has any, a path is sought along which half-points move to the other player of their game until one arrives
where there is room. A game without such a path never gets one later, so every game is looked at once.

Sources: B. Schwartz, Possible winners in partially completed tournaments, SIAM Review 8 (1966), for first place and
for the flow; L. Ford and D. Fulkerson, Maximal flow through a network, Canadian Journal of Mathematics 8 (1956).
"""

from collections import deque
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import combinations
from math import comb

# --- the race -----------------------------------------------------------------------------------------------------
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


# --- who can, and who has -----------------------------------------------------------------------------------------
MOST_SETS = 20_000


def can_reach(race: Race, player: int, top: int = 1, ties: Ties = Ties.SHARED) -> bool:
    """Whether some results of the games to come leave the player among the first `top`. Raises KeyError for somebody
    not in the table, ValueError for a `top` below 1, TooManyWaysError."""
    _check(top)
    won = race.after(player, [WIN] * len(race.opponents(player)))
    limit = won.points[player] - (ties is Ties.ALONE)
    room = {other: limit - points for other, points in won.points.items() if other != player}
    ahead = {other for other in room if room[other] < 0}
    may_pass = top - 1 - len(ahead)
    if may_pass < 0:
        return False
    threats = [other for other, most in _to_come(won).items() if other not in ahead and most > room.get(other, most)]
    may_pass = min(may_pass, len(threats))
    _check_sets(len(threats), may_pass)
    return any(_can_be_held(won, room, ahead | set(passing)) for passing in combinations(threats, may_pass))


def has_clinched(race: Race, player: int, top: int = 1, ties: Ties = Ties.SHARED) -> bool:
    """Whether the player is among the first `top` whatever the games to come bring. Raises as `can_reach`."""
    _check(top)
    lost = race.after(player, [LOSS] * len(race.opponents(player)))
    target = lost.points[player] + (ties is Ties.SHARED)
    need = {other: max(target - points, 0) for other, points in lost.points.items() if other != player}
    past = [other for other in need if not need[other]]
    missing = top - len(past)
    if missing <= 0:
        return False
    reach = _to_come(lost)
    chasers = [other for other in need if 0 < need[other] <= reach.get(other, 0)]
    _check_sets(len(chasers), missing)
    return not any(_can_all_arrive(lost, need, group) for group in combinations(chasers, missing))


def _to_come(race: Race) -> dict[int, int]:
    """The half-points each could still make; nobody without a game."""
    most: dict[int, int] = {}
    for game in race.games:
        for player in game:
            most[player] = most.get(player, 0) + WIN
    return most


def _can_be_held(race: Race, room: Mapping[int, int], passing: set[int]) -> bool:
    """Whether everybody but those `passing` can be kept within his room."""
    everything = WIN * len(race.games)
    rooms = {other: everything if other in passing else most for other, most in room.items()}
    return most_dealt(race.games, rooms) == everything


def _can_all_arrive(race: Race, need: Mapping[int, int], group: tuple[int, ...]) -> bool:
    wanted = {other: need[other] for other in group}
    return most_dealt(race.games, wanted) == sum(wanted.values())


def _check(top: int) -> None:
    if top < 1:
        raise ValueError(f"The first {top} is nobody.")


def _check_sets(players: int, chosen: int) -> None:
    if comb(players, chosen) > MOST_SETS:
        raise TooManyWaysError(f"{comb(players, chosen)} sets of players would have to be tried, at most {MOST_SETS}.")


# --- how many half-points can be dealt out ------------------------------------------------------------------------
Held = dict[int, list[int]]  # of every player the games whose half-points lie with him, one entry each
# How a player was reached: by a half-point of which game, and from whom (None: a new one).
Came = dict[int, tuple[int, int | None]]


def most_dealt(games: Sequence[Pair], room: Mapping[int, int]) -> int:
    """The most half-points of `games` that can lie with their players, each taking up to his `room` (none where he is
    not named)."""
    held: Held = {}
    left = {player: room.get(player, 0) for game in games for player in game}
    dealt = 0
    for number, game in enumerate(games):
        for _half in range(WIN):
            if not _lay(number, game, games, left, held):
                break
            dealt += 1
    return dealt


def _lay(number: int, game: Pair, games: Sequence[Pair], left: dict[int, int], held: Held) -> bool:
    """One half-point of the game laid, others moved over where that is needed; false where it cannot be."""
    came: Came = {}
    for player in game:
        came[player] = (number, None)
    queue = deque(came)
    while queue:
        player = queue.popleft()
        if left[player] > 0:
            left[player] -= 1
            _move(player, came, held)
            return True
        for moved in held.get(player, ()):
            other = sum(games[moved]) - player
            if other not in came:
                came[other] = (moved, player)
                queue.append(other)
    return False


def _move(player: int, came: Came, held: Held) -> None:
    """Along the path, from its end: every half-point on it goes to the next player."""
    while True:
        game, before = came[player]
        held.setdefault(player, []).append(game)
        if before is None:
            return
        held[before].remove(game)
        player = before
