"""What players did for their teams: by board, in an event and in all events.

Counted are games played on the board. A board won because nobody sat opposite is a point for the team and no game of
the player's: it stands apart (`defaults`). Performance: FIDE's, by the opponents' ratings at entry.
"""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from players.models import Player
from ratings.systems.performance import performance_fide
from tournaments.models import Entry, Game, Seat, Team, Tournament
from tournaments.standings.points import OUTCOMES, Result, seen_from_black
from tournaments.teams.selectors.facts import AWAY, HOME, BoardFacts, MatchFacts, TeamFacts

_SCORE = {"win": Fraction(1), "draw": Fraction(1, 2), "loss": Fraction(0)}


@dataclass(frozen=True, slots=True)
class Sat:
    """A board somebody sat on: `score` of 1, ½ and 0 of a game that was played; None of a default or an open one."""

    match: MatchFacts
    board: int
    against: float | None  # the opponent's rating at entry, where it may be shown
    score: Fraction | None
    won_by_default: bool


@dataclass(frozen=True, slots=True)
class OnBoard:
    """Games and points on one board."""

    board: int
    games: int
    points: Fraction


@dataclass(frozen=True, slots=True)
class PlayerRecord:
    """A player for a team of an event: every board he sat on, in order of rounds."""

    entry: Entry
    team: Team
    sat: tuple[Sat, ...]

    @property
    def played(self) -> tuple[Sat, ...]:
        return tuple(each for each in self.sat if each.score is not None)

    @property
    def games(self) -> int:
        return len(self.played)

    @property
    def points(self) -> Fraction:
        return sum((each.score or Fraction(0) for each in self.sat), Fraction(0))

    @property
    def percent(self) -> int:
        return round(100 * self.points / self.games) if self.games else 0

    @property
    def defaults(self) -> int:
        return sum(each.won_by_default for each in self.sat)

    @property
    def board(self) -> int:
        """The board he played most of his games on, the higher one of two; 0 before the first."""
        counted = Counter(each.board for each in self.played)
        return min(counted, key=lambda board: (-counted[board], board)) if counted else 0

    @property
    def by_board(self) -> tuple[OnBoard, ...]:
        boards: dict[int, list[Fraction]] = defaultdict(list)
        for each in self.played:
            boards[each.board].append(each.score or Fraction(0))
        return tuple(OnBoard(board, len(own), sum(own, Fraction(0))) for board, own in sorted(boards.items()))

    @property
    def performance(self) -> int | None:
        """None where an opponent had no rating, or nothing was played."""
        against = [each.against for each in self.played if each.against is not None]
        if not against or len(against) < self.games:
            return None
        return performance_fide(against, [float(each.score) for each in self.played if each.score is not None])


def records_of(facts: TeamFacts, lists: Collection[str]) -> list[PlayerRecord]:
    """Everybody who sat on a board of the event, by team and number; `lists`: those (slugs) whose ratings may be shown.
    No query."""
    sat: dict[tuple[int, int], list[Sat]] = defaultdict(list)
    entries: dict[int, Entry] = {}
    for match in facts.matches:
        for board in match.boards:
            for line, entry, other in ((HOME, board.home, board.away), (AWAY, board.away, board.home)):
                team = match.row.home_id if line == HOME else match.row.away_id
                if entry is not None and team is not None:
                    entries[entry.pk] = entry
                    sat[team, entry.pk].append(_sat(match, board, line, _rating(other, lists)))
    found = [PlayerRecord(entries[entry], team, tuple(sat[team.pk, entry])) for team, entry in _keys(facts, sat)]
    return sorted(found, key=lambda record: (record.team.number, record.entry.number or 0))


def _keys(facts: TeamFacts, sat: Mapping[tuple[int, int], object]) -> Iterator[tuple[Team, int]]:
    teams = {team.pk: team for team in facts.teams}
    yield from ((teams[team], entry) for team, entry in sat)


def _rating(entry: Entry | None, lists: Collection[str]) -> float | None:
    return entry.rating if entry is not None and (not entry.rating_list or entry.rating_list in lists) else None


def _sat(match: MatchFacts, board: BoardFacts, line: int, against: float | None) -> Sat:
    if board.game is None:
        return Sat(match, board.number, None, None, won_by_default=True)
    is_white = board.home_is_white == (line == HOME)
    outcome = OUTCOMES[board.result if is_white else seen_from_black(board.result)]
    score = _SCORE[outcome.white] if outcome.played and outcome.white else None
    return Sat(match, board.number, against, score, not outcome.played and outcome.white == "win")


@dataclass(frozen=True, slots=True)
class BestOnBoard:
    """The best of those who played most of their games on a board, best first; at most `BEST`."""

    board: int
    records: tuple[PlayerRecord, ...]


BEST = 5


def fewest_games(facts: TeamFacts) -> int:
    """How many games one needs to be among the best: half of the rounds that were played, rounded up."""
    played = {match.round.number for match in facts.matches if match.decided}
    return max(1, -(-len(played) // 2))


def best_by_board(records: Sequence[PlayerRecord], fewest: int) -> list[BestOnBoard]:
    """By per cent, then games, then performance."""
    counted = [record for record in records if record.games >= fewest]
    boards = sorted({record.board for record in counted})
    return [BestOnBoard(board, tuple(_best(record for record in counted if record.board == board))) for board in boards]


def _best(records: Iterable[PlayerRecord]) -> list[PlayerRecord]:
    ordered = sorted(
        records, key=lambda one: (-one.points / one.games, -one.games, -(one.performance or 0), one.entry.number or 0)
    )
    return ordered[:BEST]


# --- over all events ----------------------------------------------------------------------------------------------
@dataclass(frozen=True, slots=True)
class TeamRecord:
    """What somebody did for one team: games won, drawn and lost on the board, and boards won by default."""

    tournament: Tournament
    team: Team
    won: int
    drawn: int
    lost: int
    defaults: int

    @property
    def games(self) -> int:
        return self.won + self.drawn + self.lost

    @property
    def points(self) -> Fraction:
        return Fraction(2 * self.won + self.drawn, 2)


def team_records_of(player: Player) -> list[TeamRecord]:
    """For each team the player sat for, the latest event first. Two queries at most."""
    seats = Seat.objects.filter(entry__player=player, pairing__match__isnull=False, superseded=False)
    rows = list(seats.select_related("pairing__match__home", "pairing__match__away", "entry__tournament"))
    if not rows:
        return []
    games = {
        game.pairing_id: game for game in Game.objects.filter(pairing__in=[row.pairing_id for row in rows], number=1)
    }
    counted: dict[tuple[int, int], Counter[str]] = defaultdict(Counter)
    teams: dict[int, Team] = {}
    events: dict[int, Tournament] = {}
    for row in rows:
        match = row.pairing.match
        team = (match.home if row.line == HOME else match.away) if match else None
        if team is None:
            continue
        teams[team.pk], events[row.entry.tournament_id] = team, row.entry.tournament
        team.tournament = row.entry.tournament
        counted[row.entry.tournament_id, team.pk][_kind(games.get(row.pairing_id), player)] += 1
    found = [
        TeamRecord(events[event], teams[team], own["win"], own["draw"], own["loss"], own["default"])
        for (event, team), own in counted.items()
    ]
    return sorted(
        found,
        key=lambda one: (one.tournament.starts_on is not None, one.tournament.starts_on, one.team.pk),
        reverse=True,
    )


def _kind(game: Game | None, player: Player) -> str:
    if game is None:
        return "default"
    result = Result(game.result)
    outcome = OUTCOMES[result if game.white_id == player.pk else seen_from_black(result)]
    if outcome.played and outcome.white:
        return outcome.white
    return "default" if outcome.white == "win" else ""
