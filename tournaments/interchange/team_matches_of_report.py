"""The matches of a report of teams, with who sat on which board (pure).

They are found by who met whom in the players' rows; a line 330, or 300 of a round that was played, tells of one that
nobody sat down to. A board's place is that of its player in 300; without one, players are in the order of 310 or 013.
A player without an opponent who has a full point (F, U, or + in the old manner) won that board by default.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import cycle, islice, zip_longest

from clubrating.ground.marks import marked, sentence
from tournaments.interchange.trf.cells import column_of
from tournaments.interchange.trf.games import RESULTS
from tournaments.interchange.trf.records import (
    ABSENT,
    ALLOCATED,
    FORFEIT_LOSS,
    FORFEIT_WIN,
    FULL,
    NO_COLOUR,
    OPEN,
    WHITE,
    Cell,
    Note,
    Report,
    ReportError,
)
from tournaments.interchange.trf.team_records import DefaultedMatch, LineUp, TeamRecords
from tournaments.standings.points import OUTCOMES, PointSystem


@dataclass(frozen=True, slots=True)
class Seat:
    """One side of a board: the player (0: nobody), the colour, and the result as a row has it (`FORFEIT_LOSS` where
    nobody sat)."""

    player: int
    colour: str
    code: str


NOBODY = Seat(0, NO_COLOUR, FORFEIT_LOSS)
SeatedBoard = tuple[Seat, Seat]


@dataclass(frozen=True, slots=True)
class TeamMatch:
    """`first` is the team with White on board 1; `boards` from 1 down, the first team's seat first."""

    round: int
    first: int
    second: int
    boards: tuple[SeatedBoard, ...]

    @property
    def defaulted(self) -> bool:
        """Whether it is over and no game was played in it."""
        return not any(is_played(board) or OPEN in (board[0].code, board[1].code) for board in self.boards)


def is_played(board: SeatedBoard) -> bool:
    """Whether a game was played on it."""
    return all(seat.code not in (FORFEIT_WIN, FORFEIT_LOSS, OPEN) for seat in board)


def points_on(board: SeatedBoard, points: PointSystem) -> tuple[int, int]:
    """Game points of the two sides; nobody has any for a game he did not come to."""
    outcome = OUTCOMES[RESULTS[board[0].code, board[1].code]]
    first, second = (points.share(share) for share in (outcome.white, outcome.black))
    return 0 if board[0].code == FORFEIT_LOSS else first, 0 if board[1].code == FORFEIT_LOSS else second


def matches_of(report: Report, records: TeamRecords) -> tuple[TeamMatch, ...]:
    """All matches in the order of rounds. Every one has the same number of boards: those that are missing stayed empty.
    Raises ReportError with every place that contradicts another."""
    finder = _Finder(report, records)
    found = finder.matches()
    if finder.problems:
        raise ReportError(finder.problems)
    return found


def boards_of(records: TeamRecords, matches: Sequence[TeamMatch]) -> int:
    """Boards of a match: by the colours, else as many as the largest one has, else by the smallest team."""
    largest = max((len(match.boards) for match in matches), default=0)
    smallest = min((len(team.players) for team in records.teams), default=0)
    return len(records.colours) or largest or smallest or 1


# --- finding them -----------------------------------------------------------------------------------------------------
_Key = tuple[int, int, int]  # round, lower number, higher number
_WON_ALONE = frozenset((FULL, ALLOCATED))


@dataclass(slots=True)
class _Finder:
    """Finds the matches of one report; `problems` fill meanwhile."""

    report: Report
    records: TeamRecords
    problems: list[Note] = field(default_factory=list)

    def matches(self) -> tuple[TeamMatch, ...]:
        links = {_key(link.round, link.white, link.black): link for link in self.records.defaulted}
        games = self._games()
        last = max((number for number, _one, _other in {*games, *links}), default=0)
        line_ups = self._line_ups()
        announced = {_key(up.round, up.team, up.opponent) for up in line_ups.values() if self._is_over(up, last)}
        keys = sorted({*games, *links, *announced})
        self._check_opponents(keys, games)
        if self.problems:
            return ()
        found = {key: self._match(key, line_ups, links.get(key)) for key in keys}
        boards = boards_of(self.records, list(found.values()))
        for match in found.values():
            self._check_boards(match, boards)
        filled = [self._filled(match, boards, links.get(key)) for key, match in found.items()]
        for match, link in zip(filled, map(links.get, keys), strict=True):
            if link:
                self._check_link(match, link)
        return tuple(filled)

    def _is_over(self, up: LineUp, last: int) -> bool:
        """Whether a line-up is one of a round that was played, and not of one to come."""
        return up.round <= last or any(self._cell(player, up.round).code in _WON_ALONE for player in up.players)

    def _cell(self, player: int, number: int) -> Cell:
        cells = self.report.players[player - 1].cells if player else ()
        return cells[number - 1] if 0 < number <= len(cells) else ABSENT

    def _found(self, player: int, number: int, text: str) -> None:
        reason = sentence("round %(number)s: %(reason)s", number=number, reason=text)
        self.problems.append(Note(self.report.players[player - 1].line, column_of(number), reason))

    # --- who met whom -------------------------------------------------------------------------------------------------
    def _games(self) -> dict[_Key, int]:
        """The pairs of teams that met in the rows, each with the number of a player who was in it."""
        team_of, found = self.records.team_of, dict[_Key, int]()
        for player in self.report.players:
            mine = team_of.get(player.number, 0)
            for number, cell in enumerate(player.cells, start=1):
                theirs = team_of.get(cell.opponent, 0)
                if cell.opponent and not mine:
                    text = sentence(
                        "%(player)s has a game and is in no team: expected a team for them", player=player.number
                    )
                    self._found(player.number, number, text)
                elif cell.opponent > player.number and mine == theirs:
                    text = sentence(
                        "%(player)s and %(opponent)s are both of team %(team)s: expected another opponent",
                        player=player.number,
                        opponent=cell.opponent,
                        team=mine,
                    )
                    self._found(player.number, number, text)
                elif cell.opponent and theirs:
                    found.setdefault(_key(number, mine, theirs), player.number)
        return found

    def _check_opponents(self, keys: Sequence[_Key], games: Mapping[_Key, int]) -> None:
        """A team meets one other in a round."""
        first: dict[tuple[int, int], int] = {}
        for key in keys:
            number, *both = key
            for team, opponent in (tuple(both), tuple(reversed(both))):
                if (other := first.setdefault((number, team), opponent)) != opponent:
                    text = sentence(
                        "team %(team)s meets team %(one)s and team %(other)s: expected one opponent in a round",
                        team=team,
                        one=other,
                        other=opponent,
                    )
                    self._at(key, games, text)

    def _at(self, key: _Key, games: Mapping[_Key, int], text: str) -> None:
        """Told at the row the match was found in, else at the record."""
        if key in games:
            self._found(games[key], key[0], text)
            return
        records = [(link.line, _key(link.round, link.white, link.black)) for link in self.records.defaulted]
        records += [(up.line, _key(up.round, up.team, up.opponent)) for up in self.records.line_ups]
        line = next(line for line, own in records if own == key)
        self.problems.append(Note(line, 5, sentence("round %(number)s: %(reason)s", number=key[0], reason=text)))

    def _line_ups(self) -> dict[tuple[int, int], LineUp]:
        """The line-ups of 300 by round and team, of their own players."""
        team_of, found = self.records.team_of, dict[tuple[int, int], LineUp]()
        for up in self.records.line_ups:
            for at, player in enumerate(up.players):
                if player and team_of.get(player) != up.team:
                    text = sentence(
                        "player %(player)s is not in team %(team)s: expected its own players",
                        player=player,
                        team=up.team,
                    )
                    self.problems.append(Note(up.line, 17 + 5 * at, text))
            if len(set(filter(None, up.players))) < len(list(filter(None, up.players))):
                self.problems.append(Note(up.line, 17, marked("a player on two boards: expected everybody once")))
            if (other := found.setdefault((up.round, up.team), up)) is not up:
                text = sentence(
                    "the line-up of team %(team)s in round %(round)s stands in line %(line)s already: expected one",
                    team=up.team,
                    round=up.round,
                    line=other.line,
                )
                self.problems.append(Note(up.line, 5, text))
        return found

    # --- boards -------------------------------------------------------------------------------------------------------
    def _match(self, key: _Key, line_ups: Mapping[tuple[int, int], LineUp], link: DefaultedMatch | None) -> TeamMatch:
        number, low, high = key
        seated = self._seated(number, (low, high), (line_ups.get((number, low)), line_ups.get((number, high))))
        boards = tuple((self._seat(one, number), self._seat(other, number)) for one, other in seated)
        for (one, other), (seat, opposite) in zip(seated, boards, strict=True):
            if seat.code == opposite.code == FORFEIT_WIN:
                text = sentence(
                    "%(one)s and %(other)s have the same board and both won it: expected one of them",
                    one=one,
                    other=other,
                )
                self._found(one, number, text)
        whites = self._white_on_one(boards)
        turned = link.white != low if whites is None and link else whites is False
        if turned:
            return TeamMatch(number, high, low, tuple((other, one) for one, other in boards))
        return TeamMatch(number, low, high, boards)

    def _white_on_one(self, boards: Sequence[SeatedBoard]) -> bool | None:
        """Whether the lower number has White on board 1, by the highest board whose colours are known."""
        colours = self._colours(len(boards))
        known = ((seat.colour, colours[at]) for at, (seat, _other) in enumerate(boards) if seat.colour)
        return next(((colour == WHITE) == (own == colours[0]) for colour, own in known), None)

    def _colours(self, boards: int) -> str:
        return "".join(islice(cycle(self.records.colours or "WB"), boards))

    def _seat(self, player: int, number: int) -> Seat:
        if not player:
            return NOBODY
        cell = self._cell(player, number)
        if cell.opponent:
            return Seat(player, cell.colour, cell.code)
        return Seat(player, NO_COLOUR, FORFEIT_WIN if cell.code in _WON_ALONE else FORFEIT_LOSS)

    def _seated(
        self, number: int, teams: tuple[int, int], line_ups: tuple[LineUp | None, LineUp | None]
    ) -> list[tuple[int, int]]:
        """Who sat on each board, the lower number's player first; 0 where nobody did."""
        there = [self._present(number, team, other) for team, other in (teams, teams[::-1])]
        for up, players in zip(line_ups, there, strict=True):
            self._check_line_up(up, players)
        one, other = line_ups
        if one and other:
            boards = list(zip_longest(one.players, other.players, fillvalue=0))
            self._check_both(number, boards, one)
            return boards
        if one:
            return self._beside(number, one.players, there[1])
        if other:
            return [(theirs, mine) for mine, theirs in self._beside(number, other.players, there[0])]
        return self._in_order(number, there[0], there[1])

    def _present(self, number: int, team: int, opponent: int) -> list[int]:
        """The players of a team that have a game of the match, or won without one, in the order of its record."""
        cells = ((player, self._cell(player, number)) for player in self.records.teams[team - 1].players)
        return [player for player, cell in cells if cell.opponent or cell.code in _WON_ALONE]

    def _beside(self, number: int, players: Sequence[int], opponents: Sequence[int]) -> list[tuple[int, int]]:
        """Boards of a team that said its line-up: beside each player his opponent, and on its empty boards those who
        won without one."""
        alone = [one for one in opponents if not self._cell(one, number).opponent]
        boards = [(player, self._cell(player, number).opponent) for player in players]
        boards = [(player, other if player else (alone.pop(0) if alone else 0)) for player, other in boards]
        return boards + [(0, one) for one in alone]

    def _in_order(self, number: int, ones: Sequence[int], others: Sequence[int]) -> list[tuple[int, int]]:
        """Boards in the order of the lower number's record; those whom the other team has alone stand before the first
        board of a player behind them."""
        boards = [(one, self._cell(one, number).opponent) for one in ones]
        places = {player: at for at, player in enumerate(others)}
        for other in others:
            if not self._cell(other, number).opponent:
                behind = (at for at, (_one, own) in enumerate(boards) if places.get(own, -1) > places[other])
                boards.insert(next(behind, len(boards)), (0, other))
        return boards

    def _filled(self, match: TeamMatch, boards: int, link: DefaultedMatch | None) -> TeamMatch:
        """The match with all its boards: empty ones below; where nobody sat down, those of the match's winner."""
        missing: SeatedBoard = (NOBODY, NOBODY)
        nobody_won = all(seat.code == FORFEIT_LOSS for board in match.boards for seat in board)
        if link and nobody_won and link.kind != "--":
            won = replace(NOBODY, code=FORFEIT_WIN)
            is_first = (link.kind == "+-") == (link.white == match.first)
            empty = tuple(
                (replace(one, code=won.code), other) if is_first else (one, replace(other, code=won.code))
                for one, other in match.boards
            )
            missing = (won, NOBODY) if is_first else (NOBODY, won)
            return replace(match, boards=empty + (missing,) * (boards - len(match.boards)))
        return replace(match, boards=match.boards + (missing,) * (boards - len(match.boards)))

    # --- what contradicts another -------------------------------------------------------------------------------------
    def _check_line_up(self, up: LineUp | None, players: Iterable[int]) -> None:
        for player in players if up else ():
            if up and player not in up.players:
                text = sentence(
                    "player %(player)s had a board in round %(round)s: expected them in the line-up",
                    player=player,
                    round=up.round,
                )
                self.problems.append(Note(up.line, 17, text))

    def _check_both(self, number: int, boards: Iterable[tuple[int, int]], up: LineUp) -> None:
        for at, (one, other) in enumerate(boards):
            met = self._cell(one, number).opponent if one else self._cell(other, number).opponent
            if met and met not in (one, other):
                text = sentence(
                    "player %(player)s met %(opponent)s: expected both on one board of the two line-ups",
                    player=one or other,
                    opponent=met,
                )
                self.problems.append(Note(up.line, 17 + 5 * at, text))

    def _check_boards(self, match: TeamMatch, boards: int) -> None:
        if len(match.boards) > boards:
            one, other = match.boards[boards]
            text = sentence(
                "teams %(first)s and %(second)s have %(found)s boards, and 352 has %(boards)s: expected no more",
                first=match.first,
                second=match.second,
                found=len(match.boards),
                boards=boards,
            )
            self._found(one.player or other.player, match.round, text)

    def _check_link(self, match: TeamMatch, link: DefaultedMatch) -> None:
        """330 and the rows say the same."""
        won = [any(board[side].code == FORFEIT_WIN for board in match.boards) for side in (0, 1)]
        white, black = won if link.white == match.first else reversed(won)
        said = {"+-": (True, False), "-+": (False, True), "--": (False, False)}[link.kind]
        if not match.defaulted or (white, black) != said:
            self._contradicts(link, marked("the rows have a game, or another winner"))
        elif link.white != match.first:
            self._contradicts(link, marked("the rows have White and Black the other way round"))

    def _contradicts(self, link: DefaultedMatch, text: str) -> None:
        told = sentence("330 says a match by default, and %(rows)s: expected the same in both", rows=text)
        self.problems.append(Note(link.line, 5, told))


def _key(number: int, one: int, other: int) -> _Key:
    return number, min(one, other), max(one, other)


def teams_met(matches: Iterable[TeamMatch]) -> Iterator[tuple[int, int]]:
    """Who met whom, the lower number first."""
    yield from ((min(match.first, match.second), max(match.first, match.second)) for match in matches)
