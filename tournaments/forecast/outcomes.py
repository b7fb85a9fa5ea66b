"""The games to come played out and ranked by the event's own tie-breaks (pure).

`Running` is an event under way. The order is that of `standings.rank`, with the event's tie-breaks, so a forecast
cannot rank otherwise than the standings. Ratings and the lots are those handed in. Not considered: games both lose,
penalties, anybody leaving, and wins by forfeit, which some tie-breaks take for less than a win over the board.

`ways_of`: in which ways a game to come may end, a code for each, and what it is worth. A game is won, drawn or lost. In
an armageddon event a draw is followed by a game that has a winner.

`Finishes` (numpy): places at the end of an event played out many times, by points, and where those are level by the
event's own tie-breaks. Points are compared for many endings at once. Only where somebody who counts is level with
somebody is the ending ranked as the standings are (`Running.order`), each ending once however often it comes.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import product

import numpy

from tournaments.forecast.clinching import DRAW, LOSS, WIN, Race, Ties, can_reach, has_clinched
from tournaments.forecast.needs import Verdict
from tournaments.forecast.outlook import Floats
from tournaments.standings.crosstable import Bye, Crosstable, Meeting, build_crosstable
from tournaments.standings.points import OUTCOMES, PointSystem, Result
from tournaments.standings.rank import Standing, finishing_order, rank
from tournaments.standings.tiebreaks import Contest, Tiebreak


# --- an event under way, and who wants what -------------------------------------------------------------------------
@dataclass(frozen=True, slots=True)
class Running:
    """An event under way: all its games, those to come without a result, and what its standings are made of (as in
    `build_crosstable` and `Contest`). `rounds`: the last one of the whole event; 0: that of the last meeting. `swiss`:
    unplayed rounds count as in a Swiss."""

    players: tuple[int, ...]
    meetings: tuple[Meeting, ...]
    points: PointSystem
    tiebreaks: tuple[Tiebreak, ...] = ()
    byes: tuple[Bye, ...] = ()
    rounds: int = 0
    edition: int = 2026
    ratings: Mapping[int, int] = field(default_factory=dict)
    lots: int | None = None
    annulled: frozenset[int] = frozenset()
    swiss: bool = False

    @property
    def is_race(self) -> bool:
        """Whether points can be reasoned about: 1 – ½ – 0, without armageddon."""
        shares = self.points.win, self.points.draw, self.points.loss
        return shares == (WIN, DRAW, LOSS) and self.points.after_draw is None

    def table(self, meetings: Sequence[Meeting]) -> Crosstable:
        """The crosstable once the event's meetings are these."""
        return build_crosstable(self.players, meetings, self.byes, self.points, self.annulled)

    def standings(self, table: Crosstable) -> list[Standing]:
        """The order by points and tie-breaks."""
        return rank(self._contest(table), self.tiebreaks)

    def order(self, table: Crosstable) -> list[tuple[int, ...]]:
        """Those who share a place together, best first: the same order, sooner found."""
        return finishing_order(self._contest(table), self.tiebreaks)

    def _contest(self, table: Crosstable) -> Contest:
        rounds = self.rounds or max((meeting.round for meeting in self.meetings), default=0)
        return Contest(table, self.points, rounds, self.swiss, self.edition, self.ratings, self.lots)

    def is_open(self, meeting: Meeting) -> bool:
        """Whether the game is still to be played and counts (or its armageddon game is)."""
        if {meeting.white, meeting.black} & self.annulled:
            return False
        drawn = meeting.result is Result.DRAW and self.points.after_draw is not None
        return OUTCOMES[meeting.result].white is None or (drawn and OUTCOMES[meeting.armageddon].white is None)

    def race(self) -> Race:
        """Points and games to come, of those who count."""
        table = self.table(self.meetings)
        games = tuple((one.white, one.black) for one in self.meetings if self.is_open(one))
        return Race({player: line.points for player, line in table.items() if line.counts}, games)


@dataclass(frozen=True, slots=True)
class Goal:
    """Who wants to be among the first how many, and whether sharing the place with others is enough."""

    player: int
    top: int
    ties: Ties

    def is_met(self, order: Sequence[Sequence[int]]) -> bool:
        """Whether he is, by the order of those who share a place together, best first. Shared: fewer than `top` stand
        before him; alone: fewer than `top` others before him or level."""
        at = next(place for place, group in enumerate(order) if self.player in group)
        before = sum(len(group) for group in order[:at])
        return before < self.top if self.ties is Ties.SHARED else before + len(order[at]) <= self.top

    def on_points(self, table: Crosstable) -> Verdict:
        """What the points of a finished table say without the tie-breaks: sure, lost, or open where those decide."""
        own = table[self.player].points
        others = [line.points for line in table.values() if line.counts and line.player != self.player]
        if sum(points > own for points in others) >= self.top:
            return Verdict.LOST
        return Verdict.SURE if sum(points >= own for points in others) < self.top else Verdict.OPEN


def all_outcomes(running: Running) -> Iterator[tuple[Meeting, ...]]:
    """The meetings of the event, played out in every way."""
    return product(*(endings_of(running, meeting) for meeting in running.meetings))


def by_points(race: Race, goal: Goal) -> Verdict:
    """What holds of a race whatever the tie-breaks say; open where it depends on them. Raises as `has_clinched`."""
    player, top = goal.player, goal.top
    if has_clinched(race, player, top, Ties.ALONE):
        return Verdict.SURE
    if not can_reach(race, player, top, Ties.SHARED):
        return Verdict.LOST
    if can_reach(race, player, top, Ties.ALONE) and not has_clinched(race, player, top, Ties.SHARED):
        return Verdict.HELP
    return Verdict.OPEN


def endings_of(running: Running, meeting: Meeting) -> list[Meeting]:
    """How a game may end; as it is where it has."""
    if not running.is_open(meeting):
        return [meeting]
    return [ended(meeting, code) for code in ways_of(meeting, running.points)]


# --- how a game may end -------------------------------------------------------------------------------------------
WON, DRAWN, LOST, DRAWN_WON, DRAWN_LOST = range(5)  # as White sees it
_RESULTS = (Result.WHITE_WINS, Result.DRAW, Result.BLACK_WINS, Result.DRAW, Result.DRAW)
_DECIDERS = {DRAWN_WON: Result.WHITE_WINS, DRAWN_LOST: Result.BLACK_WINS}


def ways_of(meeting: Meeting, points: PointSystem) -> tuple[int, ...]:
    """The codes with which an open game may end."""
    if points.after_draw is None:
        return WON, DRAWN, LOST
    decided = DRAWN_WON, DRAWN_LOST
    return decided if meeting.result is Result.DRAW else (WON, *decided, LOST)


def ended(meeting: Meeting, code: int) -> Meeting:
    """The game once it has ended so."""
    return replace(meeting, result=_RESULTS[code], armageddon=_DECIDERS.get(code, meeting.armageddon))


def worths_of(points: PointSystem) -> tuple[tuple[int, int], ...]:
    """What each code brings White and Black, in the point system's smallest unit."""
    won, lost = points.decided_share("win"), points.decided_share("loss")
    plain = (points.win, points.loss), (points.draw, points.draw), (points.loss, points.win)
    return *plain, (won, lost), (lost, won)


# --- places at the end --------------------------------------------------------------------------------------------
AT_ONCE = 2_000_000  # comparisons of points held in memory
Group = tuple[int, ...]


class Finishes:
    """Sums up where everybody ends. `add` endings, then ask for `places`."""

    def __init__(self, running: Running) -> None:
        self.running, self.size = running, len(running.players)
        self.counts = numpy.array([player not in running.annulled for player in running.players], bool)
        self._at = {player: column for column, player in enumerate(running.players)}
        self._shared: dict[int, Floats] = {}  # by how many share: weight of each player from each place on
        self._points, self._weight = numpy.zeros(self.size), 0.0

    def add(self, points: Floats, weights: Floats, table_of: Callable[[int], Crosstable]) -> None:
        """Endings with everybody's points (endings × players) and their weights; `table_of`: the crosstable of the
        ending in that row."""
        step = max(1, AT_ONCE // self.size**2)
        for begin in range(0, len(points), step):
            self._add(begin, points[begin : begin + step], weights[begin : begin + step], table_of)

    def places(self) -> Floats:
        """The share of each place (players × places); rows and columns add up to one."""
        places = numpy.zeros((self.size, self.size))
        for shared, weight in self._shared.items():
            for further in range(shared):
                places[:, further:] += weight[:, : self.size - further] / shared
        return numpy.clip(places / self._weight, 0.0, 1.0)

    def points(self) -> Floats:
        """Everybody's mean points."""
        return self._points / self._weight

    def _add(self, begin: int, points: Floats, weights: Floats, table_of: Callable[[int], Crosstable]) -> None:
        first, shared = self._by_points(points)
        level = ((shared > 1) & self.counts).any(axis=1)
        if self.running.tiebreaks:
            for row in numpy.flatnonzero(level).tolist():
                self._rank(self.running.order(table_of(begin + row)), first[row], shared[row])
        self._points += weights @ points
        self._weight += float(weights.sum())
        for many in numpy.unique(shared).tolist():
            self._count(first, shared == many, weights, many)

    def _by_points(self, points: Floats) -> tuple[Floats, Floats]:
        """How many stand before each player, and how many with him, himself among them. Who does not count stands
        behind all who do."""
        ranked = numpy.where(self.counts, points, points.min(initial=0) - 1)
        first = (ranked[:, None, :] > ranked[:, :, None]).sum(axis=2)
        return first, (ranked[:, None, :] == ranked[:, :, None]).sum(axis=2)

    def _rank(self, order: Sequence[Group], first: Floats, shared: Floats) -> None:
        before = 0
        for group in order:
            for player in group:
                first[self._at[player]], shared[self._at[player]] = before, len(group)
            before += len(group)

    def _count(self, first: Floats, those: Floats, weights: Floats, many: int) -> None:
        rows, players = numpy.nonzero(those)
        cells = players * self.size + first[rows, players]
        found = numpy.bincount(cells, weights[rows], minlength=self.size**2).reshape(self.size, self.size)
        self._shared[many] = self._shared.get(many, 0.0) + found
