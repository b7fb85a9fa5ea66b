"""What programs can do in an event: the services of the desk, with its refusals, by numbers instead of names."""

from collections.abc import Mapping, Sequence
from datetime import date
from typing import Any

from django.contrib.auth.models import User
from django.http import JsonResponse
from django.utils import timezone

from clubrating.site.programs.boards import board_of, result_of
from clubrating.site.programs.requests import Call, Deed, Problem
from clubrating.site.programs.results import CODES
from clubrating.web.api import answer, refuse
from clubrating.web.requests import ClubRequest
from players.models import Job, Player
from players.privacy.rules import OFFICER
from players.programs.services import CHECK_IN, ENTRIES, RESULTS
from players.refusals import Refused
from tournaments.corrections.services.changes import ResultChange
from tournaments.corrections.services.corrections import commit_at_once
from tournaments.downloads.api import NO_EVENT
from tournaments.entries.services.entries import enter_players, remove_entry
from tournaments.entries.services.late import enter_late
from tournaments.events.selectors.officers import may_correct, may_enter, runs
from tournaments.models import Entry, Game, Round, Tournament
from tournaments.presence.services import check_in, report_absence, take_absence_back
from tournaments.results.admin.results import day_of
from tournaments.results.services.results import game_on_board, record_result
from tournaments.teams.selectors.facts import is_team_event
from tournaments.withdrawals.services.withdrawals import withdraw_entry

NO_ROUND = "There is no such round."


# --- boards ---------------------------------------------------------------------------------------------------------
def board(request: ClubRequest, slug: str, number: int, board: int) -> JsonResponse:
    """A board of a round, with the revision of its game."""
    event = Tournament.objects.filter(slug=slug).first()
    if event is None:
        return refuse(NO_EVENT)
    try:
        game = _game(event, number, board, drafts=request.viewer == OFFICER)
    except Problem as problem:
        return refuse(problem.data["error"], problem.status)
    return answer(board_of(game, request.viewer))


def _game(event: Tournament, number: int, board: int, *, drafts: bool) -> Game:
    """The latest game on that board. Raises Problem where there is none, and where several groups play the round."""
    rows = list(Round.objects.filter(stage__tournament=event, number=number))
    if not rows or (not drafts and any(row.state == Round.State.DRAFT for row in rows)):
        raise Problem(404, NO_ROUND)
    if len(rows) > 1:  # each group has a board of that number
        raise Problem(
            409, "Several groups play this round, each with boards of its own: enter its results at the desk."
        )
    try:
        key = game_on_board(rows[0], board).pk
    except Refused as refusal:
        raise Problem(404, str(refusal)) from None
    return Game.objects.select_related("tournament", "white", "black", "pairing__round__stage__tournament").get(pk=key)


def record(call: Call, number: int, board: int) -> tuple[int, dict[str, Any]]:
    """The first result of a board."""
    game, body = _game(call.event, number, board, drafts=True), call.body
    done = record_result(
        game=game.pk,
        result=CODES[body["result"]],
        played_on=_day(body.get("played_on"), game),
        by=call.officer,
        revision=body.get("revision"),
        score=body.get("score"),
    )
    return 200, _place(done)


def correct(call: Call, number: int, board: int) -> tuple[int, dict[str, Any]]:
    """Another result, or none, for a board that has one; behind many games it is carried out in the background."""
    game, body = _game(call.event, number, board, drafts=True), call.body
    day = date.fromisoformat(body["played_on"]) if body.get("played_on") else None
    change = ResultChange(game.pk, CODES[body["result"]], day, body["revision"], body.get("score"))
    job: Job | None = commit_at_once(change, reason=body["reason"], note=body.get("note", ""), by=call.officer)
    if job is not None:
        return 202, {**_place(game), "waiting": True}
    game.refresh_from_db()
    return 200, _place(game)


def _place(game: Game) -> dict[str, Any]:
    row = game.pairing.round
    place = {"tournament": game.tournament.slug, "round": row.number if row else None, "board": game.pairing.board}
    return {**place, "game": game.number, **result_of(game)}


def _day(text: str | None, game: Game) -> date:
    """The day given, else the one that the desk's form begins with."""
    if text:
        return date.fromisoformat(text)
    return day_of(game.pairing.round) if game.pairing.round else timezone.localdate()


# --- entries --------------------------------------------------------------------------------------------------------
def enter(call: Call) -> tuple[int, dict[str, Any]]:
    """A player comes in, late where rounds are made."""
    _refuse_teams(call.event)
    player, *others = _players([call.body["player"], *call.body.get("partners", [])])
    late = Round.objects.filter(stage__tournament=call.event).exists()
    partners = {player.pk: others} if others else {}
    (row,) = (enter_late if late else enter_players)(call.event, [player], by=call.officer, partners=partners)
    values = {"pairing_number": row.number, "first_round": row.first_round}
    return 201, {"tournament": call.event.slug, "player": player.number, **values}


def withdraw(call: Call, player: int) -> tuple[int, dict[str, Any]]:
    """The entry leaves; before there are rounds it goes without a trace in the event."""
    _refuse_teams(call.event)
    (row,) = _entries(call.event, [player]).values()
    leaves = call.event.open_ended or Round.objects.filter(stage__tournament=call.event).exists()
    if leaves and not _is_fresh(call.event):
        withdraw_entry(row.pk, by=call.officer, note=call.body.get("note", ""))
    else:
        remove_entry(row.pk, by=call.officer)
    return 200, {"tournament": call.event.slug, "player": player, "withdrawn": True}


def _is_fresh(event: Tournament) -> bool:
    """Of an event without rounds whether nothing was played in it."""
    return event.open_ended and not Game.objects.filter(tournament=event).exists()


def _refuse_teams(event: Tournament) -> None:
    if is_team_event(event):
        raise Problem(409, "The lists of teams are kept at the desk.")


def _players(numbers: Sequence[int]) -> list[Player]:
    """Those players in that order. Raises Problem for a number nobody has, or a record that was merged."""
    found = {row.number: row for row in Player.objects.filter(number__in=numbers, merged_into=None)}
    if missing := [number for number in numbers if number not in found]:
        raise Problem(404, f"There is no player {missing[0]}.", field="player")
    return [found[number] for number in numbers]


def _entries(event: Tournament, numbers: Sequence[int]) -> dict[int, Entry]:
    """Entries by the number of a player in it. Raises Problem for whoever has none."""
    rows = Entry.objects.filter(tournament=event, player__number__in=numbers).select_related("player")
    found = {row.player.number: row for row in rows}
    if missing := [number for number in numbers if number not in found]:
        raise Problem(404, f"Player {missing[0]} is not entered in this event.", field="player")
    return found


# --- who is there ---------------------------------------------------------------------------------------------------
ANSWERS: Mapping[str, bool | None] = {"here": True, "away": False, "unknown": None}


def check_them_in(call: Call) -> tuple[int, dict[str, Any]]:
    """Who is here, who is not, of whom it is not known any more."""
    named = [(number, name) for name in ANSWERS for number in call.body.get(name, [])]
    seen = {number: ANSWERS[name] for number, name in named}
    if len(seen) < len(named):
        raise Problem(400, "A player stands there twice.", field="here")
    if not seen:
        raise Problem(400, "Nobody is named.", field="here")
    entries = _entries(call.event, list(seen))
    day = date.fromisoformat(call.body["on"]) if call.body.get("on") else timezone.localdate()
    keys = {entries[number].pk: value for number, value in seen.items()}
    changed = check_in(call.event, keys, on=day, by=call.officer)
    return 200, {"tournament": call.event.slug, "on": day.isoformat(), "changed": changed}


def miss(call: Call, number: int) -> tuple[int, dict[str, Any]]:
    """Somebody will miss a round, or comes after all."""
    player, absent = call.body["player"], call.body["absent"]
    (row,) = _entries(call.event, [player]).values()
    (report_absence if absent else take_absence_back)(row.pk, number, by=call.officer)
    return 200, {"tournament": call.event.slug, "round": number, "player": player, "absent": absent}


def may_change(user: User, event: Tournament) -> bool:
    """Whether that officer changes entries of the event, as its page at the desk asks."""
    return user.has_perm("tournaments.change_tournament") and runs(user, event)


RECORD = Deed("result", RESULTS, may_enter, record)
CORRECT = Deed("correction", RESULTS, may_correct, correct)
ENTER = Deed("entries", ENTRIES, may_change, enter)
WITHDRAW = Deed("withdrawal", ENTRIES, may_change, withdraw)
CHECK = Deed("check-in", CHECK_IN, may_enter, check_them_in)
MISS = Deed("absence", CHECK_IN, may_enter, miss)
