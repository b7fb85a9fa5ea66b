"""What an arbiter prints of a round: lines of a pairing list, slips, cards, grids to be filled in by hand.

No query but for the lists of teams: all of it is read off the facts of the event (`events`), so drafts and ratings are
those this viewer may see.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, time, timedelta, tzinfo
from typing import Any

from players.privacy.rules import Viewer
from ratings.lists.selectors.lists import public_lists
from tournaments.event_pages.selectors.finding import SeatByName, name_key, seats_by_name
from tournaments.event_pages.selectors.formats import is_keizer
from tournaments.events.selectors.event_data import Entrant, EventData, MatchData, RoundData
from tournaments.events.selectors.events import entrant
from tournaments.events.selectors.standings import by_number
from tournaments.models import Colour, Game, TeamPlayer, Tournament
from tournaments.rounds.selectors.field import bye_points
from tournaments.standings.points import DECIDED_RESULTS, OUTCOMES, Result
from tournaments.teams.selectors.facts import TeamFacts
from tournaments.teams.selectors.lists import is_listed

ROUNDS_AHEAD = 4  # are left open on a sheet where an event has no fixed number of rounds
_END_OF_DAY = time(23, 59)


@dataclass(frozen=True, slots=True)
class PrintedBoard:
    """A line of a pairing list. `game` is the game's number in a match, 0 on an ordinary board; whoever is still to
    come is None. `has_colours`: whether it is known who has White; before a match's first game it is not."""

    board: int
    white: Entrant | None
    black: Entrant | None
    result: Result = Result.OPEN
    game: int = 0
    phase: str = Game.Phase.CLASSICAL
    has_colours: bool = True
    score: str = ""
    key: int = 0

    @property
    def decided(self) -> bool:
        return self.result in DECIDED_RESULTS


@dataclass(frozen=True, slots=True)
class CardLine:
    """A round on a player's card: the board, colour and opponent (None: not known yet), what it brought, or the bye and
    its `worth` in the smallest unit of the event's points; None where byes have other worths."""

    round: RoundData | None
    number: int
    board: int | None = None
    colour: str = Colour.NONE
    opponent: Entrant | None = None
    result: Result = Result.OPEN
    bye: str = ""
    worth: int | None = None

    @property
    def own(self) -> str:
        """The player's own mark: 1, ½, 0, +, –; empty while it is open, and for a bye."""
        white, black = OUTCOMES[self.result].shown
        return black if self.colour == Colour.BLACK else white


@dataclass(frozen=True, slots=True)
class PlayerCard:
    """A player's rounds, those not paired yet as empty lines."""

    entrant: Entrant
    lines: tuple[CardLine, ...]


# --- teams ------------------------------------------------------------------------------------------------------
@dataclass(frozen=True, slots=True)
class Listed:
    """Somebody on a team's list, with the rating at entry."""

    row: TeamPlayer
    person: Entrant


def squads_of(facts: TeamFacts) -> dict[int, list[Listed]]:
    """Who stands on the teams' lists in their order, reserves behind, by the team's key. Two queries."""
    lists = {row.slug: row.probation for row in public_lists()}
    rows = TeamPlayer.objects.filter(team__tournament=facts.tournament).select_related("entry__player")
    found: dict[int, list[Listed]] = {team.pk: [] for team in facts.teams}
    for row in rows.order_by("reserve", "place", "pk"):
        found[row.team_id].append(Listed(row, entrant(row.entry, lists)))
    return found


def listed_on(squad: Iterable[Listed], day: date | None) -> list[Listed]:
    """Those of a list who can play on that day (today where it is not known), in order of the list."""
    return [one for one in squad if not one.person.withdrawn and is_listed(one.row, day)]


# --- the event in that round ------------------------------------------------------------------------------------
def facts_until(part: EventData, number: int) -> EventData:
    """The stage when that round was its last one; of a schedule the later ones are kept, without results."""
    if part.is_bracket or not part.rounds or part.rounds[-1].number <= number:
        return part
    if part.is_by_rounds:
        return replace(part, rounds=tuple(row for row in part.rounds if row.number <= number))
    return replace(part, rounds=tuple(_without_results(row) if row.number > number else row for row in part.rounds))


def _without_results(row: RoundData) -> RoundData:
    """The round as it was before anybody played in it; forfeits given beforehand stay."""
    unplayed: dict[str, Any] = {
        "result": Result.OPEN,
        "armageddon": Result.OPEN,
        "played_on": None,
        "waits": False,
        "score": "",
    }
    return replace(row, boards=tuple(replace(board, **unplayed) if board.begun else board for board in row.boards))


def correction_deadline(tournament: Tournament, row: RoundData, zone: tzinfo) -> datetime | None:
    """Until when a wrong result of that round can be reported; None where that is until the next one is paired, or
    where the round has no day. A round without an hour counts from the end of its day."""
    if tournament.correction_hours is None or row.planned_on is None:
        return None
    start = datetime.combine(row.planned_on, row.planned_at or _END_OF_DAY, zone)
    return (start.astimezone(UTC) + timedelta(hours=tournament.correction_hours)).astimezone(zone)


# --- a round ----------------------------------------------------------------------------------------------------
def printed_boards(row: RoundData) -> list[PrintedBoard]:
    """The round in order of boards: a line a game, and one for a match whose first game is still to come. No byes."""
    lines = [
        PrintedBoard(board.board, board.white, board.black, board.result, score=board.score, key=board.key)
        for board in row.boards
    ]
    matches = sorted(row.matches, key=lambda match: match.board)
    return lines + [line for match in matches if not match.is_bye for line in _match(match)]


def _match(match: MatchData) -> Iterator[PrintedBoard]:
    for game in match.games:
        people = (game.white, game.black)
        yield PrintedBoard(match.board, *people, game.result, game.number, game.phase, score=game.score, key=game.key)
    if not match.games:
        yield PrintedBoard(match.board, match.upper, match.lower, has_colours=False)


def slips_of(row: RoundData) -> list[PrintedBoard]:
    """The games that want a result slip: those still open; once none is, every game of the round, for the files."""
    games = [line for line in printed_boards(row) if line.has_colours]
    return [line for line in games if not line.decided] or games


def board_cards(row: RoundData) -> list[PrintedBoard]:
    """One for every board on which two people meet; in a match the colours are those of its latest game."""
    lines = {line.board: line for line in printed_boards(row) if line.white and line.black}
    return list(lines.values())


def hall_list(part: EventData, row: RoundData, viewer: Viewer) -> list[SeatByName]:
    """Everybody of the stage once, by name: his seat in the round, his bye, or neither; not who lost a knockout."""
    seats = seats_by_name(row, viewer)
    if part.is_bracket:
        return seats
    seated = {seat.entrant.key for seat in seats}
    absent = [SeatByName(person, None, Colour.NONE, None) for person in part.entrants if person.key not in seated]
    return sorted([*seats, *absent], key=lambda seat: name_key(seat.entrant, viewer))


# --- what is filled in by hand ------------------------------------------------------------------------------------
def last_number(part: EventData) -> int | None:
    """The number of the stage's last round; None where rounds are made as long as people come."""
    planned, first = part.planned_rounds, part.rounds[0].number if part.rounds else 1
    return first + planned - 1 if planned else None


def open_numbers(part: EventData) -> list[int]:
    """The numbers of the rounds that still want results: to the end of the stage, or `ROUNDS_AHEAD` of them."""
    first = next((row.number for row in part.rounds if not row.is_complete), _next_number(part))
    last = last_number(part)
    if last is None:
        last = max(first + ROUNDS_AHEAD, _next_number(part)) - 1
    return list(range(first, last + 1))


def next_to_pair(part: EventData) -> int | None:
    """The number of the round that is to be paired next; None where all are made."""
    number, last = _next_number(part), last_number(part)
    return number if last is None or number <= last else None


def empty_boards(part: EventData) -> int:
    """How many boards the next round has at most."""
    return sum(not person.withdrawn for person in by_number(part).values()) // 2


def rounds_to_fill(part: EventData, number: int) -> list[RoundData]:
    """The rounds known beforehand that still want results, from that one on."""
    return [row for row in part.rounds if row.number >= number and not row.is_complete]


def player_cards(part: EventData) -> list[PlayerCard]:
    """A card for everybody with a number, by number."""
    lines: dict[int, dict[int, CardLine]] = {number: {} for number in by_number(part)}
    for row in part.rounds:
        for number, line in _card_lines(part, row):
            if number in lines:
                lines[number][row.number] = line
    rounds = sorted({row.number for row in part.rounds} | set(open_numbers(part)))
    known = {row.number: row for row in part.rounds}
    return [
        PlayerCard(person, tuple(lines[number].get(n, CardLine(known.get(n), n)) for n in rounds))
        for number, person in sorted(by_number(part).items())
        if not person.withdrawn
    ]


def _card_lines(part: EventData, row: RoundData) -> Iterator[tuple[int, CardLine]]:
    for board in row.boards:
        white, black, shared = board.white.number or 0, board.black.number or 0, (row, row.number, board.board)
        yield white, CardLine(*shared, Colour.WHITE, board.black, board.result)
        yield black, CardLine(*shared, Colour.BLACK, board.white, board.result)
    for bye in row.byes:
        # A Keizer list has worths of its own, and they move with every round.
        worth = None if is_keizer(part) else bye_points(part.stage, bye.kind)
        yield bye.entrant.number or 0, CardLine(row, row.number, bye=bye.kind, worth=worth)


def _next_number(part: EventData) -> int:
    return part.rounds[-1].number + 1 if part.rounds else 1
