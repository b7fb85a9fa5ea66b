"""The events' facts as the public pages show them: entrants, rounds, boards and matches.

They take a fixed number of queries however many stages, rounds and players there are. `EventData`
(`tournaments.events.selectors.event_data`) is one stage. `whole_of` lays the stages of an event of several parts over
each other: rounds that are played side by side become one. Drafts exist for officers only.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import groupby
from operator import attrgetter
from typing import Any

from django.db.models import F, FilteredRelation, Q, QuerySet

from players.privacy.rules import Level, Viewer
from ratings.lists.selectors.lists import main_of
from ratings.models import RatingList
from ratings.systems.probation import Probation, Record
from tournaments.events.selectors.clock import COLUMNS, clock_of
from tournaments.events.selectors.event_data import BoardData, ByeData, Entrant, EventData, MatchData, RoundData
from tournaments.events.selectors.stages import is_plan, name_together, round_limit, system_of
from tournaments.interchange.go_csv import known_handicap
from tournaments.models import ByeKind, ByeRequest, Contest, Entry, Game, Pairing, Round, Stage, StageEntry, Tournament
from tournaments.pairing.base import BracketSystem, ScheduleSystem
from tournaments.standings.points import Result, score_text, seen_from_black


# --- an event -----------------------------------------------------------------------------------------------------
def stages_at(slug: str) -> list[Stage]:
    """All stages of the event at that address in order, with the event joined in; none where there is no event."""
    stages = Stage.objects.filter(tournament__slug=slug).select_related(
        *(f"tournament__{own}" for own in ("prize_fund", "team_rules", "entry_rules", "free_rules"))
    )
    return list(stages.order_by("order"))


def all_event_data(tournament: Tournament, viewer: Viewer) -> list[EventData]:
    """The facts of every stage that is played, in order: everything but the plan of an event of several parts."""
    return facts_of(stages_at(tournament.slug), viewer)


def event_data(stage: Stage, viewer: Viewer) -> EventData:
    """The facts of one stage, a plan too: it has no rounds."""
    return _facts([stage], viewer)[0]


def whole_event(stage: Stage, viewer: Viewer) -> EventData:
    """The whole event that stage stands for (`whole_stage`): of a plan with all that is played of it."""
    if not is_plan(stage):
        return event_data(stage, viewer)
    stages = stages_at(stage.tournament.slug)
    return whole_of(stages, facts_of(stages, viewer))


def facts_of(stages: Sequence[Stage], viewer: Viewer) -> list[EventData]:
    """The facts of those stages of one event that are played, or of the plan alone. Four queries at most."""
    played = [stage for stage in stages if not is_plan(stage)]
    return _facts(played or stages, viewer)


def whole_of(stages: Sequence[Stage], facts: Sequence[EventData]) -> EventData:
    """The whole event, with its own numbers, out of its parts; their rounds of the same number are one."""
    if len(stages) == 1:
        return facts[0]
    groups: dict[int, str] = {}  # of everybody, where there are groups
    for part in facts:
        if not part.stage.takes_everybody and not part.is_bracket:
            groups |= {person.key: part.stage.name for person in part.entrants}
    rows = sorted((row for part in facts for row in part.rounds), key=attrgetter("number"))
    rounds = tuple(_merged(list(own)) for _number, own in groupby(rows, key=attrgetter("number")))
    highest = max((part.rounds[-1].number for part in facts if part.rounds), default=0)
    hidden = max(part.round_count - len(part.rounds) for part in facts)
    known = all(part.length_known and part.round_count for part in facts) and len(facts) > 1
    return EventData(
        tournament=facts[0].tournament,
        stage=stages[0],
        entrants=tuple(replace(person, group=groups.get(person.key, "")) for person in facts[0].everybody),
        rounds=rounds,
        round_count=highest + hidden,
        rating_list=facts[0].rating_list,
        length_known=known,
        everybody=facts[0].everybody,
    )


def _merged(rows: Sequence[RoundData]) -> RoundData:
    return replace(
        rows[0],
        is_draft=all(row.is_draft for row in rows),
        boards=tuple(board for row in rows for board in row.boards),
        byes=tuple(bye for row in rows for bye in row.byes),
        matches=tuple(match for row in rows for match in row.matches),
        clock=next((row.clock for row in rows if row.clock), None),
    )


def _facts(stages: Sequence[Stage], viewer: Viewer) -> list[EventData]:
    tournament = stages[0].tournament
    entries = list(entries_of([tournament.pk]))
    name_together(entries, tournament)
    # The pool's lists, and those the snapshots were taken from: the pool may have been changed since.
    slugs = {entry.rating_list for entry in entries} - {""}
    lists = list(RatingList.objects.filter(Q(pool=tournament.pool) | Q(slug__in=slugs)))
    # A rating from a list that is not public is for officers.
    shown_lists = [row for row in lists if row.public or viewer.level >= Level.OFFICER]
    entrants = tuple(entrant(entry, {row.slug: row.probation for row in shown_lists}) for entry in entries)
    fields = fields_of(stages)
    boards = _grouped(board_rows([tournament.pk]), "stage_id")
    rating_list = main_of(row for row in lists if row.pool == tournament.pool and row.public)
    parts = []
    for stage in stages:
        field = in_stage(stage, entrants, fields)
        rounds = rounds_from(boards.get(stage.pk, ()), field)
        part = EventData(
            tournament=stage.tournament,
            stage=stage,
            entrants=field,
            rounds=tuple(row for row in rounds if not row.is_draft or viewer.level >= Level.OFFICER),
            round_count=len(rounds),
            rating_list=rating_list if tournament.rated else None,
            length_known=isinstance(system_of(stage), ScheduleSystem | BracketSystem),
            everybody=entrants,
        )
        parts.append(part)
    return parts


def public_facts(events: Mapping[int, Sequence[Stage]]) -> dict[int, list[EventData]]:
    """The facts of several events, by key, as `facts_of` has them of one, but without drafts and ratings. `events`: the
    stages of each, the event joined in. Three queries at most."""
    entries = _grouped(entries_of(list(events)), "tournament_id")
    boards = _grouped(board_rows(list(events)), "stage_id")
    fields = fields_of(stage for stages in events.values() for stage in stages)
    found: dict[int, list[EventData]] = {}
    for key, stages in events.items():
        own = entries.get(key, [])
        name_together(own, stages[0].tournament)
        people = tuple(entrant(entry, {}) for entry in own)
        found[key] = []
        for stage in [stage for stage in stages if not is_plan(stage)] or stages:
            field = in_stage(stage, people, fields)
            rounds = tuple(row for row in rounds_from(boards.get(stage.pk, ()), field) if not row.is_draft)
            known = isinstance(system_of(stage), ScheduleSystem | BracketSystem)
            event = EventData(stage.tournament, stage, field, rounds, len(rounds), None, known, everybody=people)
            found[key].append(event)
    return found


def _grouped(rows: Iterable[Any], by: str) -> dict[int, list[Any]]:
    groups: dict[int, list[Any]] = {}
    for row in rows:
        groups.setdefault(getattr(row, by), []).append(row)
    return groups


# --- who plays ----------------------------------------------------------------------------------------------------
def entries_of(tournaments: Sequence[int]) -> QuerySet[Entry]:
    """The entries of those events (by key) with their players, by pairing number."""
    entries = Entry.objects.filter(tournament__in=tournaments).select_related("player")
    return entries.order_by(F("number").asc(nulls_last=True), "pk")


def fields_of(stages: Iterable[Stage]) -> dict[int, dict[int, int]]:
    """The number of every entry (by key) in those stages that do not take everybody, by the stage's key."""
    own = [stage.pk for stage in stages if not stage.takes_everybody]
    fields: dict[int, dict[int, int]] = {key: {} for key in own}
    if own:
        for stage, entry, number in StageEntry.objects.filter(stage__in=own).values_list("stage", "entry", "number"):
            fields[stage][entry] = number
    return fields


def in_stage(stage: Stage, entrants: Sequence[Entrant], fields: Mapping[int, Mapping[int, int]]) -> tuple[Entrant, ...]:
    """Who plays in the stage, with the numbers there, in their order."""
    if stage.takes_everybody:
        return tuple(entrants)
    numbers = fields[stage.pk]
    field = [replace(person, number=numbers[person.key]) for person in entrants if person.key in numbers]
    return tuple(sorted(field, key=lambda person: person.number or 0))


def entrant(entry: Entry, probation: Mapping[str, Probation]) -> Entrant:
    """An entry for showing; `probation` is that of each list whose ratings may be shown. A rating
    of no list came with the event's report, which anybody may read."""
    is_shown = entry.rating_list in probation or not entry.rating_list
    here = probation.get(entry.rating_list, Probation(0))
    return Entrant(
        key=entry.pk,
        number=entry.number,
        player=entry.player,
        rating=entry.rating if is_shown else None,
        games=entry.rating_games if is_shown else None,
        of=here.of,
        withdrawn=entry.withdrawn,
        first_round=entry.first_round,
        last_round=entry.last_round,
        card=entry.number,
        told=here.done(Record(entry.rating_games or 0, deviation=entry.rating_deviation)) if here.deviations else None,
    )


# --- boards and matches -------------------------------------------------------------------------------------------
def board_rows(tournaments: Sequence[int]) -> QuerySet[Pairing, Any]:
    """Every board of those events, one row a game, bye or match without games, in order of boards. One query."""
    return (
        Pairing.objects.filter(stage__tournament__in=tournaments, round__isnull=False, superseded=False)
        .annotate(
            free=FilteredRelation("seats", condition=Q(seats__colour="")),
            upper=FilteredRelation("seats", condition=Q(seats__line=1)),
            lower=FilteredRelation("seats", condition=Q(seats__line=2)),
        )
        .order_by("stage__tournament", "stage__order", "round__number", "board", "games__number")
        .values_list(
            "pk",
            "stage_id",
            "stage__tournament_id",
            "round__number",
            "round__state",
            "round__planned_on",
            "round__planned_at",
            *(f"round__{name}" for name in COLUMNS),
            "board",
            "bye",
            "slot",
            "winner_to_id",
            "loser_to_id",
            "advanced_id",
            "walk_over",
            "ruled",
            "free__entry_id",
            "upper__entry_id",
            "lower__entry_id",
            "games__id",
            "games__number",
            "games__phase",
            "games__surplus",
            "games__white_points",
            "games__black_points",
            "games__white_id",
            "games__black_id",
            "games__result",
            "games__played_on",
            "games__handicap",
            "games__komi",
            "games__footnote__text",
            named=True,
        )
    )


def rounds_from(rows: Iterable[Any], entrants: Sequence[Entrant]) -> tuple[RoundData, ...]:
    """Rounds put together from the board rows of one stage."""
    by_key = {person.key: person for person in entrants}
    by_player = {person.player.pk: person for person in entrants}
    rounds = []
    for number, group in groupby(rows, key=attrgetter("round__number")):
        pairings = [list(games) for _key, games in groupby(group, key=attrgetter("pk"))]
        first = pairings[0][0]
        matches = [_match(games, by_key, by_player) for games in pairings if games[0].slot is not None]
        others = [games for games in pairings if games[0].slot is None]
        rounds.append(
            RoundData(
                number=number,
                is_draft=first.round__state == Round.State.DRAFT,
                planned_on=first.round__planned_on,
                boards=tuple(_board(games, by_player) for games in others if games[0].games__white_id),
                byes=tuple(ByeData(by_key[row.free__entry_id], row.bye) for row, *_more in others if row.bye),
                matches=tuple(sorted(matches, key=attrgetter("slot"))),
                planned_at=first.round__planned_at,
                clock=clock_of(first, "round__"),
            )
        )
    return tuple(rounds)


def _board(rows: Sequence[Any], by_player: Mapping[int, Entrant]) -> BoardData:
    """A board; where more than one game was played on it, the last one is the decider."""
    first = _game(rows[0], by_player)
    if len(rows) == 1:
        return first
    last = _game(rows[-1], by_player)
    # In an armageddon game a draw is enough for Black.
    won = Result.BLACK_WINS if last.result == Result.DRAW else last.result
    armageddon = won if last.white == first.white else seen_from_black(won)
    return replace(first, armageddon=armageddon, waits=not last.decided)


def _game(row: Any, by_player: Mapping[int, Entrant]) -> BoardData:
    return BoardData(
        board=row.board,
        white=by_player[row.games__white_id],
        black=by_player[row.games__black_id],
        result=Result(row.games__result),
        played_on=row.games__played_on,
        number=row.games__number,
        phase=row.games__phase,
        surplus=row.games__surplus,
        score=score_text(row.games__white_points, row.games__black_points),
        key=row.games__id,
        handicap=known_handicap(row.games__handicap, row.games__komi),
        footnote=(row.games__footnote__text or "") if row.games__result else "",
    )


def _match(rows: Sequence[Any], by_key: Mapping[int, Entrant], by_player: Mapping[int, Entrant]) -> MatchData:
    row = rows[0]
    return MatchData(
        key=row.pk,
        board=row.board,
        slot=row.slot,
        upper=by_key.get(row.upper__entry_id),
        lower=by_key.get(row.lower__entry_id),
        games=tuple(_game(game, by_player) for game in rows if game.games__white_id),
        advanced=row.advanced_id,
        walk_over=row.walk_over,
        ruled=row.ruled,
        is_bye=bool(row.bye),
        winner_to=row.winner_to_id,
        loser_to=row.loser_to_id,
    )


def free_games(tournament: Tournament) -> QuerySet[Game]:
    """The games of an open-ended event, latest day first, within a day as they were entered."""
    games = Game.objects.filter(tournament=tournament, played_on__isnull=False).select_related(
        "white", "black", "footnote"
    )
    return games.order_by("-played_on", "sequence")


# --- plans that do not fit together -------------------------------------------------------------------------------
def count_results(tournament: Tournament) -> int:
    """How many games with a result and how many contests an event has."""
    games = Game.objects.filter(tournament=tournament).exclude(result="").count()
    if not tournament.open_ended:
        return games
    return games + Contest.objects.filter(tournament=tournament, withdrawn=False).count()


def rounds_outside(tournament: Tournament, rounds: Iterable[Round]) -> list[Round]:
    """Those of the rounds that are planned before the event's first day, or after its last. No query."""
    first, last = tournament.starts_on, tournament.ends_on
    return [
        row
        for row in rounds
        if row.planned_on and ((first and row.planned_on < first) or (last and row.planned_on > last))
    ]


def byes_too_late(stage: Stage) -> list[ByeRequest]:
    """Byes asked for rounds that do not come, and half-point byes in those last rounds in which the event gives none:
    what is left where the number of rounds was lowered. Two queries at most, none where that number is open."""
    limit = round_limit(stage)
    if limit is None:
        return []
    asked = ByeRequest.objects.filter(entry__tournament=stage.tournament_id, entry__withdrawn=False)
    last_half = limit - stage.tournament.half_byes_end
    return [
        bye
        for bye in asked.select_related("entry__player").order_by("round_number", "pk")
        if bye.round_number > limit or (bye.kind == ByeKind.HALF and bye.round_number > last_half)
    ]
