"""Who can still come among the first `top` on points, and who is there already whatever happens (pure).

Both are decided exactly, without trying results:

- A player *can* if he wins all his games and the others' games can then be dealt out so that at most top − 1 pass him.
  Which of them pass him is tried, set by set; whether the rest can be held below is a flow (`dealing`).
- He *has* if, losing all his games, no `top` others can pass him together: each needs so many half-points, and whether
  the games have them for all of that set is the same flow.

Winning more never hurts: a result better for the player takes from nobody else but his opponent. So it is enough to
look at all won and all lost. `Ties.SHARED`: passing is having more points; `Ties.ALONE`: having as many is enough to
pass. For first place there is one set to try, or one a chaser; for the first few the sets grow with the players in
question, up to `MOST_SETS`. Tie-breaks: `outcomes`.

Source: B. Schwartz, Possible winners in partially completed tournaments, SIAM Review 8 (1966), for first place.
"""

from collections.abc import Mapping
from itertools import combinations
from math import comb

from tournaments.forecast.clinching_dealing import most_dealt
from tournaments.forecast.clinching_race import LOSS, WIN, Race, Ties, TooManyWaysError

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
