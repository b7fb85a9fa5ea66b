"""The rounds that are still to come in a list's season: boards that are paired, and rounds of events with a field.

Only events whose games the list rates, game by game. A round without a planned day follows at its event's own pace, the
middle distance of its planned days (a week where there are fewer than two); of an event still to begin the rounds are
spread over its days. Of a Swiss, a Keizer list and whatever else is paired round by round, the rounds the settings name
are to come; of other formats only what is paired already. Boards of somebody the list does not know are left out,
and so is an event whose last day lies `GIVEN_UP` days back: nobody will play on.
"""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import date
from itertools import pairwise
from statistics import median

from django.db.models import Q, QuerySet

from ratings.models import RatingList
from tournaments.events.selectors.stages import round_limit
from tournaments.forecast.season import TURNOUT, Calendar, Planned
from tournaments.models import Entry, Game, Round, Stage
from tournaments.standings.points import RATED_RESULTS, Result

WEEK = 7
GIVEN_UP = 92  # days
TURNOUT_ROUNDS = 10  # as many rounds as `TURNOUT` counts for beside somebody's own


@dataclass(slots=True)
class _Facts:
    """Of a stage: planned days by round, open boards by round (0: of none), games played by player, rounds with a
    result, and the last day of play (0: none)."""

    days: dict[int, int | None] = field(default_factory=dict)
    boards: dict[int, list[tuple[int, int]]] = field(default_factory=lambda: defaultdict(list))
    played: Counter[int] = field(default_factory=Counter)
    rounds_played: set[int] = field(default_factory=set)
    last_played: int = 0
    importance: float = 1.0


def calendar_of(rating_list: RatingList, today: date, until: date, known: Collection[int]) -> Calendar:
    """What is planned from tomorrow to `until`, for the players the list knows (by key). Four queries."""
    stages = list(_stages(rating_list).select_related("tournament").order_by("pk"))
    facts, entered = _facts(stages), _entered(stages, known)
    found = [
        planned
        for stage in stages
        if not _is_given_up(stage, facts[stage.pk], today.toordinal())
        for planned in _planned(stage, facts[stage.pk], entered[stage.tournament_id], today.toordinal(), known)
        if planned.day <= until.toordinal()
    ]
    return Calendar(today.toordinal(), until.toordinal(), tuple(sorted(found, key=lambda each: each.day)))


def _stages(rating_list: RatingList) -> QuerySet[Stage]:
    pool = Q(pool=rating_list.pool) | Q(pool="", tournament__pool=rating_list.pool)
    running = Q(tournament__rated=True, tournament__closed=False, tournament__open_ended=False)
    return Stage.objects.filter(pool, running, tournament__entry_size=1)


def _facts(stages: Collection[Stage]) -> dict[int, _Facts]:
    found = {stage.pk: _Facts(importance=stage.tournament.importance) for stage in stages}
    for stage, number, day in Round.objects.filter(stage__in=stages).values_list("stage", "number", "planned_on"):
        found[stage].days[number] = day.toordinal() if day else None
    games = Game.objects.filter(pairing__stage__in=stages, surplus=False).order_by("pk")
    columns = ("pairing__stage", "pairing__round__number", "white", "black", "result", "played_on")
    for stage, number, white, black, result, day in games.values_list(*columns):
        own = found[stage]
        if result == Result.OPEN:
            own.boards[number or 0].append((white, black))
        elif result in RATED_RESULTS:
            own.played.update((white, black))
            own.rounds_played.add(number or 0)
            own.last_played = max(own.last_played, day.toordinal() if day else 0)
    return found


def _is_given_up(stage: Stage, facts: _Facts, today: int) -> bool:
    event = stage.tournament
    own = [day.toordinal() for day in (event.starts_on, event.ends_on) if day is not None]
    last = max([*own, *(day for day in facts.days.values() if day), facts.last_played])
    return 0 < last < today - GIVEN_UP


def _entered(stages: Collection[Stage], known: Collection[int]) -> dict[int, list[int]]:
    """Who plays in each event, by key: those who have not withdrawn and whom the list knows."""
    found: dict[int, list[int]] = defaultdict(list)
    entries = Entry.objects.filter(tournament__in={stage.tournament_id for stage in stages}, withdrawn=False)
    for event, player in entries.order_by("pk").values_list("tournament", "player"):
        if player in known:
            found[event].append(player)
    return found


def _planned(
    stage: Stage, facts: _Facts, entered: Collection[int], today: int, known: Collection[int]
) -> Iterator[Planned]:
    event, begins = stage.tournament, stage.tournament.starts_on
    days = _days(stage, facts, today)
    rules_day = begins.toordinal() if begins else None
    for number, pairs in sorted(facts.boards.items()):
        boards = tuple(pair for pair in pairs if pair[0] in known and pair[1] in known)
        if boards:
            yield Planned(days[number], boards, {}, event.pk, rules_day, facts.importance)
    rounds = len(facts.rounds_played)
    comes = {
        player: min((TURNOUT * TURNOUT_ROUNDS + facts.played[player]) / (TURNOUT_ROUNDS + rounds), 1.0)
        for player in entered
    }
    if len(comes) > 1:
        for number in _to_be_paired(stage, facts):
            yield Planned(days[number], (), comes, event.pk, rules_day, facts.importance)


def _to_be_paired(stage: Stage, facts: _Facts) -> range:
    """The rounds that are not paired yet; none where nobody can say how many there are, or who plays in them."""
    limit = round_limit(stage)
    last = max(facts.days, default=0)
    has_day = bool(facts.days) or stage.tournament.starts_on is not None
    return range(last + 1, limit + 1) if limit and has_day and stage.takes_everybody else range(0)


def _days(stage: Stage, facts: _Facts, today: int) -> Mapping[int, int]:
    """The day of every round with open boards and of every one to be paired, from tomorrow on."""
    known = sorted(day for day in facts.days.values() if day is not None)
    apart = [later - earlier for earlier, later in pairwise(known)]
    pace = max(round(median(apart)), 0) if apart else WEEK
    coming = _to_be_paired(stage, facts)
    found, last = {}, max([today, *known]) if known else today
    spread = {} if facts.days else _spread(stage, coming, today)
    for number in sorted({*facts.boards, *coming}):
        day = facts.days.get(number) or spread.get(number)
        if day is None:
            day = last = last + pace
        found[number] = max(day, today + 1)
    return found


def _spread(stage: Stage, rounds: range, today: int) -> dict[int, int]:
    """The rounds of an event still to begin, evenly over its days."""
    event = stage.tournament
    if event.starts_on is None or not rounds:
        return {}
    first = event.starts_on.toordinal()
    length = (event.ends_on.toordinal() if event.ends_on else first) - first
    return {number: first + length * at // max(len(rounds) - 1, 1) for at, number in enumerate(rounds)}
