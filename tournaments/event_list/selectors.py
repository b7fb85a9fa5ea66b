"""The list of all events: who leads each, in what state it is, and how far.

An event is finished when the club has closed it. Where all rounds are known beforehand it is finished too when every
board has its result and every match its winner, in every part; formats that make their rounds one by one, and free
play, never end by themselves.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date
from enum import StrEnum
from fractions import Fraction
from itertools import groupby
from operator import attrgetter
from typing import Any

from django.db.models import Count, Exists, OuterRef, Q, QuerySet, Subquery
from django.db.models.functions import Coalesce

from players.models import Player
from tournaments.event_pages.selectors.formats import Team, is_keizer, keizer_places, teams_of
from tournaments.events.selectors.event_data import EventData
from tournaments.events.selectors.events import public_facts, whole_of
from tournaments.events.selectors.stages import is_plan, round_limit, system_of
from tournaments.events.selectors.standings import EventStandings, standings_of
from tournaments.knockouts.selectors.brackets import bracket_of
from tournaments.models import Entry, Game, Pairing, Round, Stage, Tournament
from tournaments.models import Team as LeagueTeam
from tournaments.pairing.base import BracketSystem, ScheduleSystem
from tournaments.pairing.free import Teams
from tournaments.standings.points import DECIDED_RESULTS
from tournaments.standings.rank import find_lead
from tournaments.teams.selectors.facts import TeamFacts, all_team_facts
from tournaments.teams.selectors.matches import current_round
from tournaments.teams.selectors.table import league_table


# --- who leads ----------------------------------------------------------------------------------------------------
@dataclass(frozen=True, slots=True)
class EventLead:
    """Who is in front: the people in first place, their points, and by how much they are ahead of whom. `by_value`:
    the points are those of a Keizer list, and no share of the games played; `of_one`: a win is one point, so that
    points are so many out of the rounds `played` (with byes, where these count)."""

    leaders: tuple[Player, ...]
    points: int | Fraction
    played: int
    ahead_by: int | Fraction
    chasers: tuple[Player, ...]
    unit: int
    by_value: bool = False
    of_one: bool = True

    @property
    def others(self) -> int:
        """How many share the first place with the first of the leaders."""
        return len(self.leaders) - 1


def lead_of(event: EventData, standings: EventStandings) -> EventLead | None:
    """Who leads, or won; None while nothing has been played."""
    if is_keizer(event):
        return _keizer_lead(event)
    lead = find_lead(standings.rows)
    if lead is None:
        return None
    people, points = standings.entrants, standings.points
    leaders, chasers = (tuple(people[number].player for number in own) for own in (lead.leaders, lead.chasers))
    of_one = points.win == points.unit
    # A bye counts as a round in a Swiss; the free day of a round robin does not.
    byes = len(standings.table[lead.leaders[0]].byes) if standings.contest.swiss else 0
    return EventLead(leaders, lead.points, lead.played + byes, lead.ahead_by, chasers, points.unit, of_one=of_one)


def _keizer_lead(event: EventData) -> EventLead | None:
    lines = keizer_places(event)
    if not any(line.played for line in lines):
        return None
    first = lines[0]
    leaders = tuple(line.entrant.player for line in lines if line.place == first.place)
    rest = lines[len(leaders) :]
    chasers = tuple(line.entrant.player for line in rest if line.score == rest[0].score)
    ahead_by = first.score - rest[0].score if rest else Fraction(0)
    return EventLead(leaders, first.score, first.played, ahead_by, chasers, 1, by_value=True)


# --- the list -----------------------------------------------------------------------------------------------------
class State(StrEnum):
    COMING = "coming"
    RUNNING = "running"
    FINISHED = "finished"
    OPEN_ENDED = "open-ended"


@dataclass(frozen=True, slots=True)
class EventLine:
    """One event of the list. `stage` names the format, `stages` are all of them. `games` have a result, None where a
    closed event's are not counted for the list (`count_games`); `first_on` and `last_on` are the days of the first and
    the last game. `rounds` is 0 until the first one is published; `length_known` says whether that count is all."""

    tournament: Tournament
    stage: Stage
    state: State
    players: int
    rounds: int
    games: int | None
    first_on: date | None
    last_on: date | None
    stages: tuple[Stage, ...] = ()
    length_known: bool = True

    @property
    def planned_rounds(self) -> int | None:
        """How many rounds there will be altogether, where that is known."""
        if self.length_known:
            return self.rounds
        return round_limit(self.stage) if len(self.stages) == 1 else None


@dataclass(frozen=True, slots=True)
class Progress:
    """How far an event is, and who leads it or has won its knockout; `teams` once something was played; `front`: the
    teams that lead a team event. `current`: the round that is being played, or comes next."""

    rounds_done: int
    current: int
    lead: EventLead | None
    winner: Player | None = None
    teams: tuple[Team, ...] = ()
    front: tuple[LeagueTeam, ...] = ()


@dataclass(frozen=True, slots=True)
class Tally:
    """What an event's state follows from. `rounds` are published; `games` have a result; `open_boards` and
    `open_matches` have none yet, nor a winner. `length_known`: all rounds there will be are made."""

    rounds: int
    games: int
    open_boards: int
    open_matches: int = 0
    length_known: bool = True


def list_events(today: date, *, slug: str = "") -> list[EventLine]:
    """All events, the latest first, or the one at that address, in two queries."""
    return _lines(Q(tournament__slug=slug) if slug else Q(), today)


def running_events(today: date) -> list[EventLine]:
    """Those of the list that are under way, in two queries."""
    open_ones = _lines(Q(tournament__open_ended=False, tournament__closed=False), today)
    return [line for line in open_ones if line.state == State.RUNNING]


def count_games(lines: Iterable[EventLine]) -> dict[int, int]:
    """How many games have a result, by the event's key; in one query at most."""
    shown = list(lines)
    counted = {line.tournament.pk: line.games for line in shown if line.games is not None}
    if rest := [line.tournament.pk for line in shown if line.games is None]:
        games = Game.objects.filter(tournament__in=rest, result__in=DECIDED_RESULTS, pairing__superseded=False)
        found = games.order_by().values("tournament_id").annotate(count=Count("pk"))
        counted |= dict.fromkeys(rest, 0) | dict(found.values_list("tournament_id", "count"))
    return counted


def _lines(which: Q, today: date) -> list[EventLine]:
    """The events for whose stages the condition holds."""
    events = [list(own) for _key, own in groupby(_stages().filter(which), key=attrgetter("tournament_id"))]
    asked = [stages[0].tournament_id for stages in events if _is_counted(stages[0].tournament)]
    games = {row["tournament_id"]: row for row in _game_counts(asked)} if asked else {}
    return [_line(stages, games.get(stages[0].tournament_id, {}), today) for stages in events]


def _is_counted(event: Tournament) -> bool:
    """Whether the games tell in what state it is. Games of the other events are not counted for the list."""
    return not (event.open_ended or event.closed)


def progress_of(lines: Iterable[EventLine]) -> dict[int, Progress]:
    """Rounds done and lead of those events, by the event's key, in three queries however many there are, and nine more
    where events of teams are among them."""
    begun = [line for line in lines if line.state in (State.RUNNING, State.FINISHED)]
    shown = [line for line in begun if line.stage.pairing_system != Teams.key]
    of_teams = [line.tournament.pk for line in begun if line.stage.pairing_system == Teams.key]
    found = {key: _team_progress(own) for key, own in all_team_facts(of_teams).items()} if of_teams else {}
    facts = public_facts({line.tournament.pk: line.stages for line in shown})
    parts = [(line, facts[line.tournament.pk]) for line in shown]
    return found | {line.tournament.pk: _progress(whole_of(line.stages, own), own) for line, own in parts}


def _team_progress(facts: TeamFacts) -> Progress:
    rounds: dict[int, bool] = {}
    for match in facts.matches:
        rounds[match.round.number] = rounds.get(match.round.number, True) and (match.decided or not match.row.away_id)
    now = current_round(facts)
    front = tuple(row.team for row in league_table(facts).leaders)
    return Progress(sum(rounds.values()), now.number if now else 0, None, front=front)


def _progress(whole: EventData, parts: Sequence[EventData]) -> Progress:
    last, current = parts[-1], whole.current_round.number if whole.current_round else 0
    if last.is_bracket:
        final = bracket_of(last).final
        winner = final.winner if final else None
        return Progress(whole.rounds_done, current, None, winner.player if winner else None)
    if len(parts) > 1:
        return Progress(whole.rounds_done, current, None)
    ranked = standings_of(last)
    lead = lead_of(last, ranked)
    return Progress(whole.rounds_done, current, lead, teams=teams_of(last, ranked) if lead else ())


def state_of(tournament: Tournament, tally: Tally, today: date) -> State:
    """Where an event stands."""
    if tournament.open_ended:
        return State.OPEN_ENDED
    if tournament.closed:
        return State.FINISHED
    if not tally.rounds:
        return State.COMING
    if tally.length_known and not tally.open_boards and not tally.open_matches:
        return State.FINISHED
    begun = tally.games or (tournament.starts_on is not None and tournament.starts_on <= today)
    return State.RUNNING if begun else State.COMING


def state_of_facts(event: EventData, today: date) -> State:
    """The same for an event whose boards are at hand: the whole of it."""
    boards = [board for row in event.rounds for board in row.boards]
    matches = [match for row in event.rounds for match in row.matches]
    hidden = event.round_count - len(event.rounds)
    tally = Tally(
        rounds=sum(not row.is_draft for row in event.rounds),
        games=sum(game.decided for row in event.rounds for game in row.games),
        # A round this viewer may not see yet is still to be played.
        open_boards=sum(not board.decided for board in boards) + hidden,
        open_matches=sum(not match.decided for match in matches),
        length_known=event.length_known,
    )
    return state_of(event.tournament, tally, today)


def _line(stages: Sequence[Any], games: dict[str, Any], today: date) -> EventLine:
    first = stages[0]
    played = [stage for stage in stages if not is_plan(stage)]
    rounds = first.round_count if any(stage.published for stage in stages) else 0
    decided, counted = games.get("decided", 0), _is_counted(first.tournament)
    known = bool(played) and all(isinstance(system_of(row), ScheduleSystem | BracketSystem) for row in played)
    tally = Tally(
        rounds=rounds,
        games=decided,
        open_boards=games.get("open_boards", 0),
        open_matches=sum(stage.open_matches for stage in stages),
        length_known=known and (len(stages) == 1 or all(stage.published for stage in played)),
    )
    return EventLine(
        tournament=first.tournament,
        stage=first,
        state=state_of(first.tournament, tally, today),
        players=first.players,
        rounds=rounds,
        games=first.tournament.game_count if first.tournament.open_ended else decided if counted else None,
        first_on=first.first_on,
        last_on=first.last_on,
        stages=tuple(stages),
        length_known=tally.length_known,
    )


def _stages() -> QuerySet[Stage]:
    rounds = Round.objects.filter(stage__tournament=OuterRef("tournament"))
    published = Round.objects.filter(stage=OuterRef("pk")).exclude(state=Round.State.DRAFT)
    # A bye has its winner from the draw, so an open match is one that two have to play. Looked up by rounds, which
    # leaves out the boards of free play: they may be as many as a club has games.
    matches = Pairing.objects.filter(round__stage=OuterRef("pk"), slot__isnull=False, superseded=False)
    open_matches = matches.filter(advanced=None, ruled=False)
    days = Game.objects.filter(tournament=OuterRef("tournament")).exclude(result="").order_by("played_on")
    return (
        Stage.objects.select_related("tournament")
        .annotate(
            players=_count(Entry.objects.filter(tournament=OuterRef("tournament")), "tournament"),
            round_count=_count(rounds, "stage__tournament", Count("number", distinct=True)),
            published=Exists(published),
            open_matches=_count(open_matches, "round__stage"),
            first_on=Subquery(days.values("played_on")[:1]),
            last_on=Subquery(days.reverse().values("played_on")[:1]),
        )
        .order_by("tournament", "order")
    )


def _count(rows: QuerySet[Any], by: str, count: Count | None = None) -> Coalesce:
    """The number of rows as a subquery: joins would multiply each other."""
    return Coalesce(Subquery(rows.order_by().values(by).annotate(n=count or Count("pk")).values("n")), 0)


def _game_counts(events: list[int]) -> Iterable[Any]:
    decided = Q(result__in=DECIDED_RESULTS)
    return (
        Game.objects.filter(tournament__in=events, pairing__superseded=False)
        .order_by()
        .values("tournament_id")
        .annotate(
            # Matches are counted by themselves: games of a match that are not needed any more stay without result.
            open_boards=Count("pk", filter=~decided & Q(pairing__slot=None)),
            decided=Count("pk", filter=decided),
        )
    )
