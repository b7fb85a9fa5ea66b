"""The facts of a team event as values: its teams, its matches with their boards, and the pure `TeamEvent` of both.

The number of queries does not grow with teams or matches.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

from tournaments.models import (
    ByeKind,
    Entry,
    FirstWhite,
    Game,
    LeaverRule,
    LineUp,
    Pairing,
    Round,
    Seat,
    Stage,
    Team,
    TeamMatch,
    TeamPenalty,
    TeamRules,
    Tournament,
)
from tournaments.pairing.team_base import Kind
from tournaments.pairing.team_formats import team_format
from tournaments.standings.points import OUTCOMES, PointSystem, Result, point_system
from tournaments.standings.team_event import (
    BoardPoints,
    TeamBye,
    TeamEvent,
    TeamMeeting,
    TeamScoring,
)
from tournaments.standings.team_event import TeamPenalty as Penalty

HOME, AWAY = 1, 2  # lines of a board’s seats


@dataclass(frozen=True, slots=True)
class BoardFacts:
    """A board of a match: who sits for the home team and for the guests (nobody: None), who has White, and the game
    with its result; none where nobody sat opposite."""

    number: int
    home: Entry | None
    away: Entry | None
    home_is_white: bool
    game: Game | None

    @property
    def result(self) -> Result:
        return Result(self.game.result) if self.game else Result.OPEN

    @property
    def decided(self) -> bool:
        """A board with a missing player is decided by default."""
        return self.game is None or OUTCOMES[self.result].white is not None

    def points(self, system: PointSystem) -> BoardPoints:
        """What the board brings the home team and the guests."""
        if self.game is None:
            home, away = (system.win if one and not other else 0 for one, other in self._sides())
            return BoardPoints(self.number, home, away, played=False)
        outcome = OUTCOMES[self.result]
        white, black = system.share(outcome.white), system.share(outcome.black)
        home, away = (white, black) if self.home_is_white else (black, white)
        return BoardPoints(self.number, home, away, played=outcome.played, decided=self.decided)

    def _sides(self) -> tuple[tuple[Entry | None, Entry | None], tuple[Entry | None, Entry | None]]:
        return (self.home, self.away), (self.away, self.home)


@dataclass(frozen=True, slots=True)
class MatchFacts:
    """A match with its boards (none until it is opened) and what was handed in (`line_ups`, by the team's key)."""

    row: TeamMatch
    round: Round
    boards: tuple[BoardFacts, ...]
    line_ups: dict[int, LineUp]
    game_points: tuple[int, int]
    match_points: tuple[int, int] | None  # None while it is open

    @property
    def is_open(self) -> bool:
        """Whether its boards are made."""
        return bool(self.boards)

    @property
    def decided(self) -> bool:
        return self.match_points is not None

    @property
    def agreed_sides(self) -> tuple[bool, bool]:
        """Whether home and guests said that the card is right, as it is now: a result entered later undoes that."""
        entered = [board.game.recorded_at for board in self.boards if board.game and board.game.recorded_at]
        said = (self.row.home_agreed_at, self.row.away_agreed_at)
        home, away = (at is not None and not self.still_open and all(at >= one for one in entered) for at in said)
        return home, away

    @property
    def still_open(self) -> int:
        """How many boards have no result yet."""
        return sum(not board.decided for board in self.boards)


@dataclass(frozen=True, slots=True)
class TeamFacts:
    """An event of teams. `teams` in the order of numbers; `matches` in the order of rounds, byes among them; `event` is
    what standings and pairings are computed from. Drafts are left out unless asked for."""

    tournament: Tournament
    stage: Stage
    rules: TeamRules
    teams: tuple[Team, ...]
    matches: tuple[MatchFacts, ...]
    penalties: tuple[TeamPenalty, ...]
    event: TeamEvent

    def team(self, key: int | None) -> Team | None:
        return next((team for team in self.teams if team.pk == key), None)

    def by_number(self) -> dict[int, Team]:
        return {team.number: team for team in self.teams}


def is_team_event(tournament: Tournament) -> bool:
    return TeamRules.objects.filter(tournament=tournament).exists()


def kind_of(rules: TeamRules) -> Kind:
    """What the event's format can be asked for."""
    return team_format(rules.format).kind


def team_facts(tournament: Tournament, *, drafts: bool = False, rounds: Iterable[int] | None = None) -> TeamFacts:
    """All that is known of a team event; `rounds`: only matches of those numbers. Raises TeamRules.DoesNotExist."""
    found = all_team_facts([tournament.pk], drafts=drafts, rounds=rounds)
    if not found:
        raise TeamRules.DoesNotExist
    return found[tournament.pk]


def all_team_facts(
    tournaments: Collection[int], *, drafts: bool = False, rounds: Iterable[int] | None = None
) -> dict[int, TeamFacts]:
    """The same of those of the events (by key) that are of teams, by key. Nine queries, however many there are."""
    rules = {
        row.tournament_id: row
        for row in TeamRules.objects.filter(tournament__in=tournaments).select_related("league", "tournament")
    }
    if not rules:
        return {}
    stages = {row.tournament_id: row for row in Stage.objects.filter(tournament__in=rules).order_by("-order")}
    teams: dict[int, list[Team]] = {key: [] for key in rules}
    for team in Team.objects.filter(tournament__in=rules).select_related("club", "captain").order_by("number"):
        team.tournament = rules[team.tournament_id].tournament  # at hand: no query for its address
        teams[team.tournament_id].append(team)
    scorings = {key: scoring_of(row.tournament, row) for key, row in rules.items()}
    matches: dict[int, list[MatchFacts]] = {key: [] for key in rules}
    for key, match in _matches(teams, scorings, drafts=drafts, rounds=rounds):
        matches[key].append(match)
    penalties: dict[int, list[TeamPenalty]] = {key: [] for key in rules}
    for penalty in TeamPenalty.objects.filter(team__tournament__in=rules, lifted=False).select_related("team"):
        penalties[penalty.team.tournament_id].append(penalty)
    return {
        key: _facts(row, stages[key], teams[key], matches[key], penalties[key], scorings[key])
        for key, row in rules.items()
    }


def _facts(
    rules: TeamRules,
    stage: Stage,
    teams: Sequence[Team],
    matches: Sequence[MatchFacts],
    penalties: Sequence[TeamPenalty],
    scoring: TeamScoring,
) -> TeamFacts:
    own, met, fined = tuple(teams), tuple(matches), tuple(penalties)
    event = _event(rules.tournament, rules, own, met, fined, scoring)
    return TeamFacts(rules.tournament, stage, rules, own, met, fined, event)


def scoring_of(tournament: Tournament, rules: TeamRules) -> TeamScoring:
    """What a match brings in the event."""
    return TeamScoring(
        boards=rules.boards,
        points=point_system(tournament.point_system),
        win=rules.win,
        draw=rules.draw,
        loss=rules.loss,
        primary="GP" if rules.primary == "GP" else "MP",
        bye_match_points=rules.bye_match_points,
        bye_game_points=rules.bye_game_points,
    )


def meeting_of(match: MatchFacts, numbers: dict[int, int], scoring: TeamScoring) -> TeamMeeting | None:
    """The match as the rules see it, from the team with White on board 1; None for a bye, and for one that has not
    begun and was not decided: a postponed match is no draw."""
    row = match.row
    if row.home_id is None or row.away_id is None:
        return None
    boards = _defaulted(row, scoring) if row.absent else tuple(board.points(scoring.points) for board in match.boards)
    if match.boards and not row.absent:
        boards = _with_empty(boards, scoring.boards)
    ruled = _both(row.ruled_home, row.ruled_away)
    awarded = _both(row.ruled_home_games, row.ruled_away_games) if ruled else None  # never alone
    if not boards and ruled is None:
        return None
    home, away = numbers[row.home_id], numbers[row.away_id]
    if row.first_white != FirstWhite.AWAY:
        return TeamMeeting(match.round.number, home, away, boards, ruled, awarded)
    turned = tuple(BoardPoints(one.board, one.second, one.first, one.played, one.decided) for one in boards)
    return TeamMeeting(
        match.round.number, away, home, turned, ruled and (ruled[1], ruled[0]), awarded and (awarded[1], awarded[0])
    )


def _both(home: int | None, away: int | None) -> tuple[int, int] | None:
    return None if home is None or away is None else (home, away)


def _defaulted(row: TeamMatch, scoring: TeamScoring) -> tuple[BoardPoints, ...]:
    """Every board lost by whoever did not come."""
    win = scoring.points.win
    home = win if row.absent == TeamMatch.Absent.AWAY else 0
    away = win if row.absent == TeamMatch.Absent.HOME else 0
    return tuple(BoardPoints(board, home, away, played=False) for board in range(1, scoring.boards + 1))


def _with_empty(boards: tuple[BoardPoints, ...], count: int) -> tuple[BoardPoints, ...]:
    """With the boards nobody sat on: nobody has a point of them."""
    known = {board.board: board for board in boards}
    return tuple(known.get(number) or BoardPoints(number, 0, 0, played=False) for number in range(1, count + 1))


def _matches(
    teams: Mapping[int, Sequence[Team]],
    scorings: Mapping[int, TeamScoring],
    *,
    drafts: bool,
    rounds: Iterable[int] | None,
) -> Iterable[tuple[int, MatchFacts]]:
    """The matches of the events in order of rounds, each with its event's key."""
    rows = TeamMatch.objects.filter(round__stage__tournament__in=teams).select_related("round__stage")
    if not drafts:
        rows = rows.exclude(round__state=Round.State.DRAFT)
    if rounds is not None:
        rows = rows.filter(round__number__in=list(rounds))
    found = list(rows.order_by("round__stage__tournament", "round__number", "number"))
    known = {team.pk: team for own in teams.values() for team in own}
    numbers = {key: team.number for key, team in known.items()}
    boards = _boards([row.pk for row in found])
    handed: dict[int, dict[int, LineUp]] = defaultdict(dict)
    for line_up in LineUp.objects.filter(match__in=[row.pk for row in found]):
        handed[line_up.match_id][line_up.team_id] = line_up
    for row in found:
        # The teams are at hand: no query, and the same objects everywhere.
        row.home, row.away = known.get(row.home_id or 0), known.get(row.away_id or 0)
        key = row.round.stage.tournament_id
        match = MatchFacts(row, row.round, tuple(boards[row.pk]), dict(handed[row.pk]), (0, 0), None)
        yield key, _counted(match, numbers, scorings[key])


def _counted(match: MatchFacts, numbers: dict[int, int], scoring: TeamScoring) -> MatchFacts:
    meeting = meeting_of(match, numbers, scoring)
    if meeting is None:
        return match
    game_points, match_points = meeting.game_points, scoring.match_points(meeting)
    if match.row.first_white == FirstWhite.AWAY:
        game_points, match_points = (game_points[1], game_points[0]), (match_points[1], match_points[0])
    decided = match_points if meeting.decided else None
    return MatchFacts(match.row, match.round, match.boards, match.line_ups, game_points, decided)


def _boards(matches: list[int]) -> dict[int, list[BoardFacts]]:
    """The boards of those matches, by the match's key. Three queries."""
    seats: dict[int, dict[int, Seat]] = defaultdict(dict)
    for seat in Seat.objects.filter(pairing__match__in=matches).select_related("entry__player"):
        seats[seat.pairing_id][seat.line or 0] = seat
    played = Game.objects.filter(pairing__match__in=matches, number=1)
    games = {game.pairing_id: game for game in played.select_related("footnote", "white", "black")}
    found: dict[int, list[BoardFacts]] = defaultdict(list)
    pairings = Pairing.objects.filter(match__in=matches, superseded=False).order_by("match", "match_board")
    for pairing in pairings:
        sides, game = seats[pairing.pk], games.get(pairing.pk)
        home, away = (sides[line].entry if line in sides else None for line in (HOME, AWAY))
        is_white = game is not None and home is not None and game.white_id == home.player_id
        found[pairing.match_id or 0].append(BoardFacts(pairing.match_board or 0, home, away, is_white, game))
    return found


def _event(
    tournament: Tournament,
    rules: TeamRules,
    teams: tuple[Team, ...],
    matches: tuple[MatchFacts, ...],
    penalties: tuple[TeamPenalty, ...],
    scoring: TeamScoring,
) -> TeamEvent:
    numbers = {team.pk: team.number for team in teams}
    meetings = [meeting_of(match, numbers, scoring) for match in matches]
    return TeamEvent(
        teams=tuple(numbers.values()),
        scoring=scoring,
        meetings=tuple(meeting for meeting in meetings if meeting is not None),
        byes=tuple(_byes(matches, numbers, scoring, rules)),
        penalties=tuple(
            Penalty(row.team.number, row.from_round, row.match_points, row.game_points, row.reason) for row in penalties
        ),
        rounds=max((match.round.number for match in matches if match.decided or match.is_open), default=0),
        swiss=kind_of(rules) is Kind.ROUNDS,
        edition=tournament.tiebreak_edition,
        annulled=frozenset(_annulled(tournament, rules, teams, matches)),
    )


def _annulled(
    tournament: Tournament, rules: TeamRules, teams: tuple[Team, ...], matches: tuple[MatchFacts, ...]
) -> Iterable[int]:
    """The numbers of teams that left an all-play-all before half of their matches: nothing of theirs counts. Matches
    that a team lost because it had left are not among those it played."""
    if kind_of(rules) is not Kind.SCHEDULE or tournament.leaver_rule == LeaverRule.ALL:
        return
    for team in teams:
        if team.left_before is None:
            continue
        own = [match for match in matches if match.row.away_id and team.pk in (match.row.home_id, match.row.away_id)]
        played = sum(match.decided and not was_absent(match.row, team.pk) for match in own)
        if 2 * played < len(own):
            yield team.number


def was_absent(match: TeamMatch, team: int) -> bool:
    """Whether the match was decided because that team did not come, or had left."""
    side = TeamMatch.Absent.HOME if team == match.home_id else TeamMatch.Absent.AWAY
    return match.absent in (side, TeamMatch.Absent.BOTH)


def _byes(
    matches: tuple[MatchFacts, ...], numbers: dict[int, int], scoring: TeamScoring, rules: TeamRules
) -> Iterable[TeamBye]:
    """Byes with what they bring; in an all-play-all a free day brings nothing."""
    for match in matches:
        team = match.row.home_id
        if match.row.away_id is None and team is not None and kind_of(rules) is not Kind.SCHEDULE:
            kind = match.row.bye or ByeKind.ALLOCATED
            yield scoring.bye(match.round.number, numbers[team], kind)
