"""Events of every format in the states their pages have to show, always through the real services."""

from collections.abc import Sequence
from datetime import date, timedelta

from django.test import Client

from players.models import Player
from tests.factory import MONDAY
from tournaments.entries.services.entries import enter_players, number_in_order
from tournaments.events.services.events import NewTournament, create_tournament
from tournaments.formats.services import Calendar, form_stages, make_rounds
from tournaments.knockouts.services.brackets import draw_bracket
from tournaments.models import Game, Pairing, Round, Stage, Tournament
from tournaments.results.services.results import record_result
from tournaments.rounds.services.next_round import pair_next_round
from tournaments.rounds.services.rounds import pair_all_rounds
from tournaments.standings.points import Result

WHITE, DRAW, BLACK = Result.WHITE_WINS, Result.DRAW, Result.BLACK_WINS


def text_of(client: Client, address: str, status: int = 200) -> str:
    """The page's text with blanks made one."""
    response = client.get(address)
    assert response.status_code == status, f"{address}: {response.status_code}"
    return " ".join(response.content.decode().split())


def make_event(players: Sequence[Player], system: str, *, name: str = "Cup", **settings: object) -> Tournament:
    """An event of that format; numbers in the order of `players`, nothing paired."""
    new = NewTournament(name, pairing_system=system, starts_on=MONDAY, settings=dict(settings))
    event = create_tournament(new, by=None)
    if players:
        number_in_order(first_stage(event), enter_players(event, players, by=None), by=None)
    return event


def first_stage(event: Tournament) -> Stage:
    return event.stages.order_by("order")[0]


def draw_cup(players: Sequence[Player], *, name: str = "Cup", **settings: object) -> Tournament:
    """A knockout, drawn, its rounds a week apart."""
    cup = make_event(players, "knockout", name=name, **settings)
    draw_bracket(first_stage(cup), by=None, first_day=MONDAY, seed=1)
    return cup


def match_of(event: Tournament, number: int, slot: int) -> Pairing:
    return Pairing.objects.get(stage__tournament=event, round__number=number, slot=slot, superseded=False)


def play_match(event: Tournament, number: int, slot: int, *results: Result) -> Pairing:
    """Record the match's next games; each is made when the one before is in."""
    match = match_of(event, number, slot)
    for result in results:
        game = Game.objects.filter(pairing=match, result="").order_by("number")[0]
        record_result(game=game.pk, result=result, played_on=day_of(number), by=None)
    match.refresh_from_db()
    return match


def play_bracket(event: Tournament, rounds: int, result: Result = WHITE) -> None:
    """The first `rounds` rounds of a knockout of single games, the same result everywhere."""
    for row in Round.objects.filter(stage__tournament=event).order_by("number")[:rounds]:
        for game in Game.objects.filter(pairing__round=row, result=""):
            record_result(game=game.pk, result=result, played_on=day_of(row.number), by=None)


def day_of(number: int) -> date:
    return MONDAY + timedelta(days=7 * (number - 1))


def form_groups(players: Sequence[Player], **settings: object) -> list[Stage]:
    """Groups whose rounds are made; the knockout waits for them."""
    event = make_event(players, "groups", **settings)
    stages = form_stages(first_stage(event), by=None, seed=1)
    for stage in stages:
        if stage.part == 1:
            make_rounds(stage, by=None, calendar=Calendar(first_day=MONDAY))
    return stages


def play_stage(stage: Stage, result: Result | None = None) -> None:
    """Every board of the stage: the lower number wins, unless told otherwise."""
    numbers = {row.entry.player_id: row.number for row in stage.field.select_related("entry")}
    for game in Game.objects.filter(pairing__stage=stage, result="").select_related("pairing__round"):
        won = WHITE if numbers[game.white_id] < numbers[game.black_id] else BLACK
        day = game.pairing.round.planned_on or MONDAY  # type: ignore[union-attr]
        record_result(game=game.pk, result=result or won, played_on=day, by=None)


def play_open_round(event: Tournament, *results: Result) -> None:
    """Results of the event's open boards, in board order."""
    games = Game.objects.filter(tournament=event, result="").order_by("pairing__round__number", "pairing__board")
    for game, result in zip(games, results, strict=True):
        record_result(game=game.pk, result=result, played_on=MONDAY, by=None)


def keizer_club(players: Sequence[Player], rounds: Sequence[Sequence[Result]], name: str = "Keizer") -> Tournament:
    """A Keizer competition with these rounds played."""
    event = make_event(players, "keizer", name=name)
    for results in rounds:
        pair_next_round(first_stage(event), by=None, day=MONDAY, publish=True)
        play_open_round(event, *results)
    return event


def team_match(players: Sequence[Player]) -> Tournament:
    """A Scheveningen match, all rounds made."""
    event = make_event(players, "scheveningen", name="Match")
    pair_all_rounds(first_stage(event), by=None, first_day=MONDAY)
    return event
