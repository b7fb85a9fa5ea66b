"""The demo club's season: evenings and tournaments in the order of time, so that every entry's rating is the one of its
day, and every result is recorded when it was played."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date, datetime, time
from functools import partial
from operator import itemgetter
from random import Random

from django.contrib.auth.models import User
from django.utils import timezone

from clubrating.site.demo import season
from players.models import Player
from players.privacy.rules import NOBODY
from tournaments.entries.services.entries import enter_players, number_by_lot, number_by_rating
from tournaments.entries.services.late import enter_late
from tournaments.events.selectors.events import event_data
from tournaments.events.selectors.stages import is_plan, played_stages, system_of, waits_for_results
from tournaments.events.services.events import NewTournament, create_tournament
from tournaments.forecasts.selectors.forecasts import facts_digest, forecast_kind
from tournaments.forecasts.services.forecasts import store_forecast
from tournaments.forecasts.services.making import work_out
from tournaments.formats.services import Calendar, form_stages, make_rounds
from tournaments.loading.services.streams import load_games
from tournaments.models import Entry, Game, Stage, Tournament
from tournaments.pairing.base import RoundSystem
from tournaments.presence.services import request_bye
from tournaments.results.services.results import record_result
from tournaments.rounds.services.next_round import pair_next_round
from tournaments.rounds.services.rounds import plan_round
from tournaments.standings.points import DECIDED_RESULTS, Result

Diary = list[tuple[date, Callable[[], None]]]  # what happens on which day
FORETOLD = 200  # samples, and draws of strengths; few, so that the demo is made quickly


@dataclass(frozen=True, slots=True)
class _Step:
    """Something that happens on a day: an event is opened (number 0), or one of its rounds is played."""

    day: date
    number: int
    event: season.Event


def play_season(today: date, by: User, diary: Diary) -> None:
    """Everything up to today; in order of time with it what stands in the `diary`."""
    new = NewTournament(season.OPEN_BOARD, pairing_system="free", place="Lindenhof", pool="rapid")
    create_tournament(new, by=by)
    evenings = list(season.evenings(today))
    opened: dict[str, Tournament] = {}
    steps: Diary = [(step.day, partial(_carry_out, step, opened, by)) for step in _steps(today)]
    for day, act in sorted([*steps, *diary], key=itemgetter(0)):
        evenings = _load_before(day, evenings, today, by)
        act()
    _load_before(today, evenings, today, by)


def _carry_out(step: _Step, opened: dict[str, Tournament], by: User) -> None:
    if step.number == 0:
        opened[step.event.name] = _open(step.event, by)
    else:
        _play_round(opened[step.event.name], step.event, step.number, step.day, by)


def _steps(today: date) -> list[_Step]:
    steps = [
        _Step(day, number, event)
        for event in season.events(today)
        for number, day in enumerate((event.days[0], *event.days))
        if number == 0 or day <= today
    ]
    return sorted(steps, key=lambda step: (step.day, step.event.name, step.number))


def _load_before(day: date, evenings: Sequence[season.Evening], today: date, by: User) -> list[season.Evening]:
    """Load the evenings before that day; the later ones are handed back."""
    rows = [row for evening in evenings if evening.day < day for row in evening.games]
    load_games(rows, by=by, event_name="Club evenings", today=today, known_players_only=True)
    return [evening for evening in evenings if evening.day >= day]


def _open(event: season.Event, by: User) -> Tournament:
    """The event with its entries, numbers and the rounds that can be made."""
    new = NewTournament(
        event.name,
        pairing_system=event.system,
        settings=dict(event.settings),
        place="Lindenhof",
        starts_on=event.days[0],
        ends_on=event.days[-1],
        pool=event.pool,
    )
    tournament = create_tournament(new, by=by)
    by_name = {player.name: player for player in Player.objects.filter(name__in=event.field)}
    enter_players(tournament, [by_name[name] for name in event.field], by=by, on=event.days[0])
    stage = tournament.stages.get()
    if event.system == "round-robin":
        number_by_lot(stage, by=by, seed=event.seed)
    else:
        number_by_rating(stage, by=by)
    if is_plan(stage):
        form_stages(stage, by=by, seed=event.seed)
    for each in played_stages(tournament):
        if not isinstance(system_of(each), RoundSystem):
            _make(each, event, by)
    return tournament


def _make(stage: Stage, event: season.Event, by: User) -> None:
    """The rounds of a stage on the event's days; later, where its field is still to come."""
    if waits_for_results(stage) and not _is_over(stage.tournament, stage.part - 1):
        return
    for row in make_rounds(stage, by=by, calendar=Calendar(), seed=event.seed, lots=True):
        plan_round(row.pk, event.days[row.number - 1], by=by)


def _is_over(tournament: Tournament, part: int) -> bool:
    games = Game.objects.filter(tournament=tournament, pairing__stage__part=part)
    return games.exists() and not games.exclude(result__in=DECIDED_RESULTS).exists()


def _play_round(tournament: Tournament, event: season.Event, number: int, day: date, by: User) -> None:
    """A round with all its boards; of the one under way those that are in."""
    _pair(tournament, event, number, day, by)
    if event.foretold:
        _foretell(tournament.stages.get(), day)
    random = Random(f"{season.SEED} {event.seed} {number}")
    boards = Game.objects.filter(tournament=tournament, pairing__round__number=number)
    keys = list(boards.order_by("pairing__stage__order", "pairing__board").values_list("pairing", flat=True))
    for board, pairing in enumerate(keys, start=1):
        if number != event.under_way or board <= event.boards_in:
            _play_board(pairing, day, by, random, forfeited=event.forfeit == (number, board))
        elif board <= event.boards_in + event.begun:
            _play_board(pairing, day, by, random, games=1)
    for stage in played_stages(tournament):
        if waits_for_results(stage):
            _make(stage, event, by)


def _foretell(stage: Stage, day: date) -> None:
    """What would have been said at noon of the round's day."""
    facts = event_data(stage, NOBODY)
    if kind := forecast_kind(facts):
        answer = work_out(facts, kind, lambda done, of: None, draws=FORETOLD, samples=FORETOLD)
        noon = timezone.make_aware(datetime.combine(day, time(12)))
        store_forecast(stage.pk, facts_digest(facts), answer, at=min(noon, timezone.now()))


def _pair(tournament: Tournament, event: season.Event, number: int, day: date, by: User) -> None:
    """The round of a format that makes them one by one: who comes late, then the boards, then the byes asked for in
    the rounds to come."""
    stage = tournament.stages.order_by("order")[0]
    if not isinstance(system_of(stage), RoundSystem):
        return
    late = [name for name, since in event.late if since == number]
    if late:
        enter_late(tournament, list(Player.objects.filter(name__in=late)), by=by, on=day)
    pair_next_round(stage, by=by, day=day, publish=True)
    for name, missed, kind in event.byes:
        if missed == number + 1:
            request_bye(Entry.objects.get(tournament=tournament, player__name=name).pk, missed, kind, by=by)


def _play_board(pairing: int, day: date, by: User, random: Random, *, games: int = 0, forfeited: bool = False) -> None:
    """The game of a board, or of a match so many (0: to its end)."""
    played = 0
    open_games = Game.objects.filter(pairing=pairing, result="").select_related("white", "black").order_by("number")
    while (game := open_games.first()) and (not games or played < games):
        drawn = season.draw_result(game.white.name, game.black.name, random)
        result = Result.BLACK_FORFEITS if forfeited else drawn
        record_result(game=game.pk, result=result, played_on=day, by=by)
        played += 1
