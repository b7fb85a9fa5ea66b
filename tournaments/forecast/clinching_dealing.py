"""How many half-points can be dealt out, two a game, when nobody takes more than he has room for (pure).

A maximum flow from games through their two players. Each half-point of a game is laid on a player with room; where
neither has any, a path is sought along which half-points move over to the other player of their game until one
arrives where room is. Once there is none for a game there never will be, so every game is looked at once.

Source: L. Ford and D. Fulkerson, Maximal flow through a network, Canadian Journal of Mathematics 8 (1956); that who
can still win a league is such a flow: B. Schwartz, Possible winners in partially completed tournaments, SIAM Review 8
(1966).
"""

from collections import deque
from collections.abc import Mapping, Sequence

from tournaments.forecast.clinching_race import WIN, Pair

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
