"""Which line-up to send: the allowed orders of a team against a line-up that is known or expected (pure, numpy).

Given who is there, the order rule (`pairing.line_up_rules`), the opponents board by board and the colours, every
allowed order is reckoned with: as many players as there are boards, empty boards at the bottom. Its worth is the
expected match points, exact as in `team_match.forecast_match`: a match is won by more games won than lost, so the
balance of the boards is convolved, for all orders at once.

With more than `MOST_ORDERS` allowed orders match points are not gone through. Expected *game* points are a sum over the
boards, so the best few orders by them are found exactly, board by board: orders that seat the same players so far (and,
where neighbours on a list may change, the same one last) have the same continuations, and only the best few of them are
kept. Those are then compared by match points. `method` says which of the two it was.

How much an order is worth hangs on strengths that are not known. `error` is the standard deviation of the difference to
the default order over what the strengths may be, from common draws: the same strengths for both orders. Where the
difference is within two of it, no difference can be told (`is_told`). Nothing here is stored.

Not reckoned with: who may play at all (the caller hands in who may), doubt about the opponents' line-up, players who
play worse with one colour.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy

from tournaments.forecast.outlook import Floats
from tournaments.forecast.posterior import Prior
from tournaments.forecast.team_league import independent
from tournaments.forecast.team_match import (
    LineUp,
    MatchBoard,
    MatchRule,
    alternating,
    forecast_match,
    match_points_by_draw,
    mean_chances,
)
from tournaments.pairing.line_up_rules import LineUpRule, SquadPlayer, default_order, may_follow, state_of

ALL_ORDERS, BY_GAME_POINTS = "all orders", "game points"
MOST_ORDERS = 50_000  # those of eight players on eight boards
MOST_PLAYERS = 16  # of whom eight sit down: 40,000 sets of players
FEW = 5
DRAWS = 400
TOLD = 2.0  # standard errors

Seated = tuple[SquadPlayer, ...]


@dataclass(frozen=True, slots=True)
class LineUpQuestion:
    """What a captain asks about: `players` who are there, the `opponents` from board 1 down (numbers, None: nobody),
    everybody's strength by number, and whether the own team has White on board 1."""

    players: Seated
    opponents: LineUp
    strengths: Mapping[int, Prior]
    order: LineUpRule
    match: MatchRule
    first_white: bool = True

    @property
    def seats(self) -> int:
        """How many of the own boards are taken."""
        return min(len(self.players), self.order.boards)

    def boards(self, order: Seated) -> tuple[MatchBoard, ...]:
        numbers = [player.number for player in order]
        return alternating(numbers, self.opponents, self.order.boards, self.first_white)


@dataclass(frozen=True, slots=True)
class Proposal:
    """An order from board 1 down, its expected match points (half-points) and game points (smallest unit), and how
    many match points it is worth more than the default order, with the standard error of that."""

    order: tuple[int, ...]
    match_points: float
    game_points: float
    difference: float
    error: float

    @property
    def is_told(self) -> bool:
        """Whether a difference to the default order can be told."""
        return abs(self.difference) > max(TOLD * self.error, 1e-9)


@dataclass(frozen=True, slots=True)
class LineUpAdvice:
    """The `default` order, the `best` few orders by match points, best first (the default may be among them), how many
    are `allowed`, and the method."""

    default: Proposal
    best: tuple[Proposal, ...]
    allowed: int
    method: str


def advise_line_up(question: LineUpQuestion, rng: numpy.random.Generator, most: int = MOST_ORDERS) -> LineUpAdvice:
    """The best few line-ups. Raises ValueError where nobody is there, more than `MOST_PLAYERS` are, somebody has no
    strength, or one side is below the minimum, so that no order changes anything."""
    _check(question)
    allowed = count_orders(question.order, question.players, question.seats)
    default = default_order(question.order, question.players)
    if allowed <= most:
        best, method = _best_by_match_points(question), ALL_ORDERS
    else:
        best, method = best_by_game_points(question), BY_GAME_POINTS
    proposals = _proposals(question, default, best, rng)
    ranked = sorted(proposals[1:], key=lambda each: -each.match_points)
    return LineUpAdvice(proposals[0], tuple(ranked), allowed, method)


def _check(question: LineUpQuestion) -> None:
    if not question.players:
        raise ValueError("Nobody is there who could play.")
    if len(question.players) > MOST_PLAYERS:
        raise ValueError(f"{len(question.players)} players are named; orders are compared for up to {MOST_PLAYERS}.")
    present = sum(opponent is not None for opponent in question.opponents)
    if min(question.seats, present) < question.match.minimum:
        raise ValueError("One side has fewer players than the match needs, whatever the order.")


# --- the allowed orders -------------------------------------------------------------------------------------------
def count_orders(rule: LineUpRule, players: Sequence[SquadPlayer], seats: int) -> int:
    """How many line-ups of so many players the rule allows."""
    layer: dict[tuple[frozenset[int], int], tuple[Seated, int]] = {state_of(rule, ()): ((), 1)}
    for _board in range(seats):
        after: dict[tuple[frozenset[int], int], tuple[Seated, int]] = {}
        for seated, count in layer.values():
            for further in _continued(rule, players, seated):
                state = state_of(rule, further)
                after[state] = further, count + (after[state][1] if state in after else 0)
        layer = after
    return sum(count for _seated, count in layer.values())


def all_orders(rule: LineUpRule, players: Sequence[SquadPlayer], seats: int, seated: Seated = ()) -> Iterator[Seated]:
    """Every line-up of so many players that the rule allows."""
    if len(seated) == seats:
        yield seated
        return
    for further in _continued(rule, players, seated):
        yield from all_orders(rule, players, seats, further)


def _continued(rule: LineUpRule, players: Sequence[SquadPlayer], seated: Seated) -> Iterator[Seated]:
    taken = {player.number for player in seated}
    for player in players:
        if player.number not in taken and may_follow(rule, seated, player):
            yield (*seated, player)


# --- what they are worth ------------------------------------------------------------------------------------------
def _odds(question: LineUpQuestion) -> Floats:
    """The chance of a win, draw and loss of every player on every own board (players × boards × 3)."""
    own = [_strength(question, player.number) for player in question.players]
    odds = numpy.zeros((len(own), question.seats, 3))
    for at, board in enumerate(question.boards(question.players[: question.seats])[: question.seats]):
        if board.second is None:
            odds[:, at, 0] = 1.0
            continue
        other = _strength(question, board.second)
        gaps = numpy.array([each.mean - other.mean for each in own])
        spread = numpy.hypot([each.deviation for each in own], other.deviation)
        found = mean_chances(question.match, gaps, spread, numpy.full(len(own), board.first_white))
        odds[:, at] = numpy.stack([found.win[0], found.draw[0], found.loss[0]], axis=1)
    return odds


def _strength(question: LineUpQuestion, number: int) -> Prior:
    if number not in question.strengths:
        raise ValueError(f"Nobody has said how strong number {number} is.")
    return question.strengths[number]


def match_points_of(question: LineUpQuestion, orders: Floats) -> Floats:
    """Expected own match points of each order (orders × seats, as indices of the players)."""
    odds, boards = _odds(question), question.order.boards
    balance = numpy.zeros((len(orders), 2 * boards + 1))  # games won less games lost, from −boards on
    given = sum(opponent is not None for opponent in question.opponents[question.seats :])
    balance[:, boards - given] = 1.0
    for at in range(question.seats):
        win, draw, loss = (odds[orders[:, at], at, kind][:, None] for kind in range(3))
        moved = draw * balance
        moved[:, 1:] += win * balance[:, :-1]
        moved[:, :-1] += loss * balance[:, 1:]
        balance = moved
    lost, drawn, won = (question.match.match_points(*score)[0] for score in ((0, 1), (0, 0), (1, 0)))
    worths = numpy.array([lost] * boards + [drawn] + [won] * boards, float)
    found: Floats = balance @ worths
    return found


def _best_by_match_points(question: LineUpQuestion) -> list[Seated]:
    at = {player.number: index for index, player in enumerate(question.players)}
    orders = list(all_orders(question.order, question.players, question.seats))
    worth = match_points_of(question, numpy.array([[at[player.number] for player in order] for order in orders], int))
    return [orders[row] for row in numpy.argsort(-worth, kind="stable")[:FEW].tolist()]


def best_by_game_points(question: LineUpQuestion) -> list[Seated]:
    """The best few of all allowed orders by expected game points, exactly."""
    points = numpy.array([mine for mine, _his in question.match.worths])
    worth = _odds(question) @ points
    at = {player.number: index for index, player in enumerate(question.players)}
    layer: dict[tuple[frozenset[int], int], list[tuple[float, Seated]]] = {state_of(question.order, ()): [(0.0, ())]}
    for board in range(question.seats):
        after: dict[tuple[frozenset[int], int], list[tuple[float, Seated]]] = {}
        for ways in layer.values():
            for further in _continued(question.order, question.players, ways[0][1]):
                player = further[-1]
                gain = float(worth[at[player.number], board])
                reached = [(value + gain, (*seated, player)) for value, seated in ways]
                after.setdefault(state_of(question.order, further), []).extend(reached)
        layer = {state: sorted(ways, key=lambda way: -way[0])[:FEW] for state, ways in after.items()}
    found = sorted((way for ways in layer.values() for way in ways), key=lambda way: -way[0])
    return [seated for _value, seated in found[:FEW]]


def _proposals(
    question: LineUpQuestion, default: Seated, best: Sequence[Seated], rng: numpy.random.Generator
) -> list[Proposal]:
    """The default order first. Match points are exact; the errors come from common draws of strengths."""
    sitting = [
        *(player.number for player in question.players),
        *(each for each in question.opponents if each is not None),
    ]
    known = {number: _strength(question, number) for number in sitting}
    draws = independent(known, question.match.rate, DRAWS, rng)
    found: list[Proposal] = []
    base: tuple[float, Floats] | None = None
    for order in (default, *best):
        boards = question.boards(order)
        exact = forecast_match(boards, known, question.match)
        rows = match_points_by_draw(boards, draws, question.match)
        base = base or (exact.match_points[0], rows)
        difference, error = exact.match_points[0] - base[0], float(numpy.std(rows - base[1], ddof=1))
        numbers = tuple(player.number for player in order)
        found.append(Proposal(numbers, exact.match_points[0], exact.expected[0], difference, error))
    return found
