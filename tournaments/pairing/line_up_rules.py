"""Who may sit where in a team's line-up (pure).

A line-up is a number or None (nobody) a board, from board 1 down. `LineUpRule` says the order: by *rating*, where
nobody may sit below a player weaker by more than a tolerance; by the club's *list*, where absentees close up and, if
the rules say so, neighbours may change places by one; or *free*. Beside the order it says who may play at all.

`check_line_up` names everything that breaks a rule. A finding is refused, or a warning that needs a reason: gaps, too
few players, and a last game before a player is tied are the captain's choice, and leagues fine them at most. Consent
of the other captain lifts the tolerance of ratings and of substitutes.

Sources: rules of leagues. By rating: Northamptonshire (100 points; nominated players; a substitute at most 100 points
stronger), Connaught (150 points; without a rating 1200). By list: FIDE team events, Konz (neighbours may change; three
games up, then tied to the higher team). Not done: a larger tolerance for juniors; fines.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from clubrating.ground.marks import marked, sentence
from tournaments.pairing.base import PairingError, Remark


# --- the rule -----------------------------------------------------------------------------------------------------
class Order(StrEnum):
    """What decides the order of the boards."""

    RATING = "rating"
    LIST = "list"
    FREE = "free"


@dataclass(frozen=True, slots=True)
class LineUpRule:
    """Order and eligibility in an event. `tolerance`: points by which a player may be rated above somebody who sits
    higher; `unrated`: what a player without a rating counts. `swaps`: neighbours on the list may change places.
    `minimum`: players without whom the match is lost. `most_games_up`: with so many games for a higher team a player
    is tied to it; `substitute_margin`: points by which a substitute may be stronger than the regular player who is
    absent. None: no such rule. Raises PairingError for numbers that make no rule."""

    boards: int
    order: Order = Order.FREE
    tolerance: int = 0
    unrated: int = 1200
    swaps: bool = False
    minimum: int = 0
    most_games_up: int | None = None
    substitute_margin: int | None = None

    def __post_init__(self) -> None:
        if self.boards < 1 or self.tolerance < 0 or not 0 <= self.minimum <= self.boards:
            raise PairingError(
                sentence(
                    "A match has at least one board and needs no more players than that; a tolerance is not negative."
                )
            )

    def rating(self, player: "SquadPlayer") -> int:
        """What the player counts in this order."""
        return self.unrated if player.rating is None else player.rating


@dataclass(frozen=True, slots=True)
class SquadPlayer:
    """Somebody a club may seat. `rating`: that of the day of the match; `place` on the club's list, from 1; `team`: the
    team he is registered with, 1 being the club's first. A nominated player may not play for a lower team.
    `games_up`: his games for higher teams this season."""

    number: int
    rating: int | None = None
    place: int = 0
    team: int = 1
    nominated: bool = False
    reserve: bool = False
    games_up: int = 0


def default_order(rule: LineUpRule, players: Sequence[SquadPlayer]) -> tuple[SquadPlayer, ...]:
    """Those who sit down if nobody says otherwise: the first of the list, reserves behind, in the order of their
    ratings where that is the rule."""
    first = sorted(players, key=lambda player: (player.reserve, player.place))[: rule.boards]
    if rule.order is Order.RATING:
        return tuple(sorted(first, key=lambda player: -rule.rating(player)))
    return tuple(sorted(first, key=lambda player: player.place) if rule.order is Order.LIST else first)


def may_follow(rule: LineUpRule, seated: Sequence[SquadPlayer], player: SquadPlayer) -> bool:
    """Whether the player may sit on the next board below those, who sit as the rule allows."""
    if rule.order is Order.RATING:
        return all(rule.rating(player) - rule.rating(above) <= rule.tolerance for above in seated)
    if rule.order is Order.FREE:
        return True
    behind = [above for above in seated if above.place > player.place]
    # One place only: the one passed sits directly above. Had he been passed before, two would stand behind.
    return not behind or (rule.swaps and len(behind) == 1 and seated[-1] is behind[0])


def state_of(rule: LineUpRule, seated: Sequence[SquadPlayer]) -> tuple[frozenset[int], int]:
    """All that `may_follow` needs to know of those seated: who they are, and, where neighbours may change, who sits
    last. Line-ups of one state have the same continuations."""
    last = seated[-1].number if seated and rule.order is Order.LIST and rule.swaps else 0
    return frozenset(player.number for player in seated), last


# --- what is found ------------------------------------------------------------------------------------------------
class Breach(StrEnum):
    """What is wrong with a line-up."""

    TOO_MANY = "too many"
    TOO_FEW = "too few"
    GAP = "gap"
    TWICE = "twice"
    STRANGER = "stranger"
    ELSEWHERE = "elsewhere"
    SAME_DAY = "same day"
    NOMINATED = "nominated"
    TIED = "tied"
    LAST_GAME_UP = "last game up"
    SUBSTITUTE = "substitute"
    RATING_ORDER = "rating order"
    LIST_ORDER = "list order"
    NEIGHBOURS = "neighbours"


WARNINGS = frozenset({Breach.TOO_FEW, Breach.GAP, Breach.LAST_GAME_UP})
# The other captain's consent lifts these.
BY_CONSENT = frozenset({Breach.RATING_ORDER, Breach.SUBSTITUTE})
SAYS = {
    Breach.TOO_MANY: marked("Board %(board)s: the match has fewer boards (%(boards)s). Remove this player."),
    Breach.TOO_FEW: marked(
        "Players named: %(present)s, needed: %(minimum)s. The match would be lost by default. Name more players."
    ),
    Breach.GAP: marked("Board %(board)s is empty above a player. Move the players up, or give the reason."),
    Breach.TWICE: marked("Board %(board)s: %(player)s already sits on board %(above)s. Name each player once."),
    Breach.STRANGER: marked(
        "Board %(board)s: %(player)s does not belong to this team. Seat one of its players, or register this one first."
    ),
    Breach.ELSEWHERE: marked(
        "Board %(board)s: %(player)s already plays for “%(team)s” in this round (%(match)s). Seat somebody else."
    ),
    Breach.SAME_DAY: marked(
        "Board %(board)s: %(player)s already plays for “%(team)s” on this day (%(match)s). Seat somebody else."
    ),
    Breach.NOMINATED: marked(
        "Board %(board)s: %(player)s is nominated for team %(team)s and may not play for a lower one. "
        "Seat somebody else."
    ),
    Breach.TIED: marked(
        "Board %(board)s: %(player)s is tied to a higher team by games played for it (%(games)s). Seat somebody else."
    ),
    Breach.LAST_GAME_UP: marked(
        "Board %(board)s: %(player)s will be tied to the higher team after this game. Seat somebody else to avoid that."
    ),
    Breach.SUBSTITUTE: marked(
        "Board %(board)s: substitute %(player)s is rated above %(other)s, who is absent, by %(gap)s "
        "(allowed: %(allowed)s). Seat somebody weaker, or ask the other captain for consent."
    ),
    Breach.RATING_ORDER: marked(
        "Board %(board)s: %(player)s is rated above %(other)s on board %(above)s by %(gap)s (allowed: %(allowed)s). "
        "Seat the stronger player higher, or ask the other captain for consent."
    ),
    Breach.LIST_ORDER: marked(
        "Board %(board)s: on the list %(player)s stands before %(other)s, who sits on board %(above)s. "
        "Seat them in the order of the list."
    ),
    Breach.NEIGHBOURS: marked(
        "Board %(board)s: %(player)s sits more than one place away from the order of the list. "
        "Only neighbours may change places."
    ),
}


@dataclass(frozen=True, slots=True)
class Elsewhere:
    """Where somebody sits already: for which team and in which match, by their names; in the same round, or in another
    division on the same day."""

    team: str
    match: str
    same_round: bool = True


@dataclass(frozen=True, slots=True)
class Finding:
    """One breach: on which board (0: of the whole line-up), and the sentence that says so with the remedy. Numbers of
    players stand in the remark's `players`. Who seats the line-up against a warning gives a reason."""

    breach: Breach
    board: int
    remark: Remark

    @property
    def refused(self) -> bool:
        return self.breach not in WARNINGS


def check_line_up(
    rule: LineUpRule,
    seats: Sequence[int | None],
    squad: Mapping[int, SquadPlayer],
    *,
    team: int = 1,
    elsewhere: Mapping[int, Elsewhere] | None = None,
    consent: bool = False,
) -> tuple[Finding, ...]:
    """Everything that breaks a rule, by board. `squad`: whom the club may seat in this team, by number; `team`: which
    of the club's teams plays; `elsewhere`: who already sits in another team; `consent`: that of the other
    captain."""
    found = [*_seating(rule, seats), *_eligibility(rule, seats, squad, team, elsewhere or {})]
    found += [*_substitutes(rule, seats, squad, team), *_order(rule, _known(seats, squad))]
    found = [each for each in found if not (consent and each.breach in BY_CONSENT)]
    return tuple(sorted(found, key=lambda each: each.board))


Seated = list[tuple[int, SquadPlayer]]  # board and who sits there


def _finding(breach: Breach, board: int, players: Mapping[str, int] | None = None, **values: Any) -> Finding:
    return Finding(breach, board, Remark(SAYS[breach], {"board": board, **values}, players or {}))


def _known(seats: Sequence[int | None], squad: Mapping[int, SquadPlayer]) -> Seated:
    """Those of the squad who sit somewhere, each where he is named first."""
    first: dict[int, int] = {}
    for board, number in enumerate(seats, 1):
        if number is not None and number in squad:
            first.setdefault(number, board)
    return [(board, squad[number]) for number, board in first.items()]


def _seating(rule: LineUpRule, seats: Sequence[int | None]) -> Iterator[Finding]:
    lowest = max((board for board, number in enumerate(seats, 1) if number is not None), default=0)
    first: dict[int, int] = {}
    for board, number in enumerate(seats[:lowest], 1):
        if number is None:
            yield _finding(Breach.GAP, board)
            continue
        if board > rule.boards:
            yield _finding(Breach.TOO_MANY, board, boards=rule.boards)
        if number in first:
            yield _finding(Breach.TWICE, board, {"player": number}, above=first[number])
        first.setdefault(number, board)
    if len(first) < rule.minimum:
        yield _finding(Breach.TOO_FEW, 0, present=len(first), minimum=rule.minimum)


def _eligibility(
    rule: LineUpRule,
    seats: Sequence[int | None],
    squad: Mapping[int, SquadPlayer],
    team: int,
    elsewhere: Mapping[int, Elsewhere],
) -> Iterator[Finding]:
    for board, number in enumerate(seats, 1):
        if number is None or number in seats[: board - 1]:
            continue
        if number not in squad:
            yield _finding(Breach.STRANGER, board, {"player": number})
            continue
        if sits := elsewhere.get(number):
            breach = Breach.ELSEWHERE if sits.same_round else Breach.SAME_DAY
            yield _finding(breach, board, {"player": number}, team=sits.team, match=sits.match)
        yield from _standing(rule, board, squad[number], team)


def _standing(rule: LineUpRule, board: int, player: SquadPlayer, team: int) -> Iterator[Finding]:
    """Whether somebody of this or another team of the club may play in this one."""
    who = {"player": player.number}
    if player.nominated and team > player.team:
        yield _finding(Breach.NOMINATED, board, who, team=player.team)
    if rule.most_games_up is None:
        return
    if team >= player.team and player.games_up >= rule.most_games_up:
        yield _finding(Breach.TIED, board, who, games=player.games_up)
    if team < player.team and player.games_up == rule.most_games_up - 1:
        yield _finding(Breach.LAST_GAME_UP, board, who)


def _substitutes(
    rule: LineUpRule, seats: Sequence[int | None], squad: Mapping[int, SquadPlayer], team: int
) -> Iterator[Finding]:
    """Substitutes (reserves, and players of other teams) stronger than the strongest regular player who is absent."""
    missing = [each for each in squad.values() if _is_regular(each, team) and each.number not in seats]
    if rule.substitute_margin is None or not missing:
        return
    strongest = max(missing, key=rule.rating)
    for board, player in _known(seats, squad):
        gap = rule.rating(player) - rule.rating(strongest)
        if not _is_regular(player, team) and gap > rule.substitute_margin:
            both = {"player": player.number, "other": strongest.number}
            yield _finding(Breach.SUBSTITUTE, board, both, gap=gap, allowed=rule.substitute_margin)


def _is_regular(player: SquadPlayer, team: int) -> bool:
    return player.team == team and not player.reserve


def _order(rule: LineUpRule, seated: Seated) -> Iterator[Finding]:
    """Each player who sits too low is named once, against the one above him who shows it most."""
    if rule.order is Order.RATING:
        yield from _by_rating(rule, seated)
    elif rule.order is Order.LIST:
        yield from _neighbours(seated) if rule.swaps else _by_list(seated)


def _by_rating(rule: LineUpRule, seated: Seated) -> Iterator[Finding]:
    for at, (board, player) in enumerate(seated[1:], 1):
        above, other = min(seated[:at], key=lambda seat: rule.rating(seat[1]))
        gap = rule.rating(player) - rule.rating(other)
        if gap > rule.tolerance:
            both = {"player": player.number, "other": other.number}
            yield _finding(Breach.RATING_ORDER, board, both, above=above, gap=gap, allowed=rule.tolerance)


def _by_list(seated: Seated) -> Iterator[Finding]:
    for at, (board, player) in enumerate(seated[1:], 1):
        above, other = max(seated[:at], key=lambda seat: seat[1].place)
        if other.place > player.place:
            yield _finding(Breach.LIST_ORDER, board, {"player": player.number, "other": other.number}, above=above)


def _neighbours(seated: Seated) -> Iterator[Finding]:
    order = sorted(player.place for _board, player in seated)
    for at, (board, player) in enumerate(seated):
        if abs(at - order.index(player.place)) > 1:
            yield _finding(Breach.NEIGHBOURS, board, {"player": player.number})
