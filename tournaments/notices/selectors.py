"""What players are told about events: they are paired, the opponent reported a result or says otherwise, a result was
entered, somebody challenges them or answers, what became of their entry. Each kind says whom a line of the trail
concerns as the facts are now; what is over by then concerns nobody.
"""

from collections.abc import Callable, Collection, Iterable
from datetime import date, datetime, timedelta
from functools import partial
from typing import Any

from django.db.models import QuerySet
from django.urls import reverse
from django.utils.formats import date_format
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from players.models import AuditEvent, Player
from players.notices.kinds import Kind, News, Say
from players.privacy.rules import NOBODY, shown_name
from players.trail.services import CHALLENGES, CLAIMED, ENTRIES, RESULT, ROUNDS
from tournaments.events.selectors.stages import name_sides
from tournaments.models import Challenge, Entry, EntryRequest, Game, PlayerResult, Round
from tournaments.player_results.services import STILL_OPEN, reports_of, why_closed
from tournaments.results.services.results import notation
from tournaments.standings.points import DECIDED_RESULTS

RECENT = timedelta(days=3)  # a result entered later than that is no news
Told = dict[int, Say]
_State = EntryRequest.State


# --- boards -------------------------------------------------------------------------------------------------------
def _games() -> QuerySet[Game]:
    return Game.objects.select_related("white", "black", "tournament", "pairing__round")


def _for_players(games: Iterable[Game], among: Collection[int] | None, say: Callable[[Game, bool], Say | None]) -> Told:
    """For everybody at those boards what `say` has for the game and whether that one has White; None: nothing. One
    query at most."""
    games = list(games)
    name_sides(games)
    found = Told()
    for game in games:
        for is_white, side in ((True, game.white), (False, game.black)):
            if (words := say(game, is_white)) is not None:
                own = (each.pk for each in (side, *side.beside))
                found |= {key: words for key in own if among is None or key in among}
    return found


def _words(game: Game, *, is_white: bool) -> dict[str, object]:
    opponent = shown_name(game.black if is_white else game.white, NOBODY)
    return {"event": game.tournament.name, "opponent": opponent, "number": game.pairing.board}


def _round_page(game: Game) -> str:
    slug, row = game.tournament.slug, game.pairing.round
    return reverse("tournaments:round", args=[slug, row.number]) if row else game.tournament.get_absolute_url()


def _own_page(game: Game) -> str:
    return reverse("tournaments:board", args=[game.tournament.slug, game.pk])


def _paired(event: AuditEvent, among: Collection[int] | None, now: datetime) -> Told:
    """The boards of a published round that are still to be played; of all rounds of an event at once the first."""
    rows = Round.objects.filter(state=Round.State.PUBLISHED, stage__tournament__closed=False)
    if event.subject_kind == "round":
        rows = rows.filter(pk=event.subject_key)
    else:
        rows = rows.filter(stage__tournament=event.subject_key, number=1)
    games = _games().filter(pairing__round__in=rows, pairing__superseded=False, number=1, result__in=STILL_OPEN)
    then, today = event.at.astimezone(now.tzinfo).date(), now.date()
    is_over = {row.pk for row in rows if row.planned_on and then <= row.planned_on < today}
    coming = (game for game in games.order_by("pairing__board") if game.pairing.round_id not in is_over)
    return _for_players(coming, among, lambda game, is_white: lambda: _paired_news(game, is_white=is_white))


def _paired_news(game: Game, *, is_white: bool) -> News:
    white = _("Board %(number)s: White against %(opponent)s")
    black = _("Board %(number)s: Black against %(opponent)s")
    words = _words(game, is_white=is_white)
    title = _("You are paired: %(event)s") % words
    return News(title, (white if is_white else black) % words, _round_page(game), f"paired-{game.tournament_id}")


def _entered(event: AuditEvent, among: Collection[int] | None, now: datetime) -> Told:
    """A result that stands, of a game of these days."""
    since = now.date() - RECENT
    games = _games().filter(pk=event.subject_key, result__in=DECIDED_RESULTS, played_on__gte=since)
    return _for_players(games, among, lambda game, is_white: lambda: _entered_news(game, is_white=is_white))


def _entered_news(game: Game, *, is_white: bool) -> News:
    body = _("%(event)s: your game with %(opponent)s") % _words(game, is_white=is_white)
    return News(_("Your result was entered"), body, _round_page(game), f"result-{game.pk}")


# --- results by players -------------------------------------------------------------------------------------------
def _reported(event: AuditEvent, among: Collection[int] | None, now: datetime) -> Told:
    """The other side of a board on which one side said something, and nobody else has."""
    game, said = _open_board(event.after.get("game"))
    if game is None or set(said) != {event.subject_key}:
        return {}
    title = gettext_lazy("Confirm your result")
    body = gettext_lazy("%(event)s: %(opponent)s reported %(result)s. Confirm it, or say what happened.")
    return _told_other(game, said[event.subject_key], among, title, body)


def _disputed(event: AuditEvent, among: Collection[int] | None, now: datetime) -> Told:
    """The side that had reported already, where the other says otherwise; whoever had reported another result than was
    entered."""
    if event.action == RESULT:
        return _ruled(event, among)
    game, said = _open_board(event.after.get("game"))
    if game is None or event.subject_key not in said or len({each.claimed for each in said.values()}) < 2:
        return {}
    title = gettext_lazy("Your opponent says otherwise")
    body = gettext_lazy("%(event)s: %(opponent)s reported %(result)s. An arbiter decides.")
    return _told_other(game, said[event.subject_key], among, title, body)


def _open_board(key: Any) -> tuple[Game | None, dict[int, PlayerResult]]:
    """The board, while something can be reported of it, and what was said, by entry."""
    game = _games().filter(pk=key, result__in=STILL_OPEN).first()
    if game is None or why_closed(game):
        return None, {}
    return game, {each.entry_id: each for each in reports_of(game)}


def _told_other(game: Game, report: PlayerResult, among: Collection[int] | None, title: Promise, body: Promise) -> Told:
    """What one side said, for the other."""
    is_white = report.entry.player_id != game.white_id

    def say() -> News:
        words = {**_words(game, is_white=is_white), "result": notation(report.claimed)}
        return News(str(title), str(body) % words, _own_page(game), f"report-{game.pk}")

    return _for_players([game], among, lambda _game, side: say if side == is_white else None)


def _ruled(event: AuditEvent, among: Collection[int] | None) -> Told:
    rows = PlayerResult.objects.filter(game=event.subject_key).select_related("entry")
    said = {each.entry.player_id: each for each in rows}

    def say(game: Game, is_white: bool) -> Say | None:
        own = said.get(game.white_id if is_white else game.black_id)
        differs = own is not None and own.claimed != game.result
        return (lambda: _ruled_news(game, own, is_white=is_white)) if own is not None and differs else None

    games = _games().filter(pk=event.subject_key, result__in=DECIDED_RESULTS) if said else []
    return _for_players(games, among, say)


def _ruled_news(game: Game, own: PlayerResult, *, is_white: bool) -> News:
    body = _("%(event)s: your game with %(opponent)s. You reported %(own)s, %(result)s was entered.")
    words = {"own": notation(own.claimed), "result": notation(game.result)}
    title = _("Another result was entered than you reported")
    return News(title, body % {**_words(game, is_white=is_white), **words}, _own_page(game), f"result-{game.pk}")


# --- challenges ---------------------------------------------------------------------------------------------------
_Now = Challenge.State
# Whom each line is told while the challenge is in one of these states: the challenger, the challenged.
_CHALLENGED: dict[str, dict[str, tuple[bool, bool]]] = {
    "challenge.made": {_Now.WAITING: (False, True)},
    "challenge.accepted": {_Now.ACCEPTED: (True, False)},
    "challenge.declined": {_Now.DECLINED: (True, False)},
    "challenge.reminded": {_Now.WAITING: (False, True), _Now.ACCEPTED: (True, True)},
}


def _challenge(event: AuditEvent, among: Collection[int] | None, now: datetime) -> Told:
    """Whoever is challenged, or answered, or has to answer or to play by a day that is not over. One query."""
    rows = Challenge.objects.filter(pk=event.after.get("challenge"), tournament__free_rules__challenges=True)
    rows = rows.filter(challenger__withdrawn=False, challenged__withdrawn=False, tournament__closed=False)
    row = rows.select_related("tournament", "challenger__player", "challenged__player", "game").first()
    if row is None or _is_over(row, now.date()):
        return {}
    tells = _CHALLENGED[event.action].get(row.state, (False, False))
    pairs = ((row.challenger, row.challenged), (row.challenged, row.challenger))
    return {
        own.player_id: partial(_challenge_news, row, own, other.player, is_due=event.action == "challenge.reminded")
        for is_told, (own, other) in zip(tells, pairs, strict=True)
        if is_told and (among is None or own.player_id in among)
    }


def _is_over(row: Challenge, today: date) -> bool:
    """Whether its day has passed, or its game is played or taken off."""
    if row.state == _Now.ACCEPTED:
        return row.game is None or row.play_by is None or row.game.result not in STILL_OPEN or row.play_by < today
    return row.answer_by < today


def _challenge_news(row: Challenge, own: Entry, opponent: Player, *, is_due: bool) -> News:
    title = {_Now.WAITING: _("You are challenged"), _Now.DECLINED: _("Your challenge is declined")}
    body = {
        _Now.WAITING: _("%(event)s: %(opponent)s waits for your answer until the end of %(day)s."),
        _Now.ACCEPTED: _("%(event)s: play %(opponent)s until the end of %(day)s."),
        _Now.DECLINED: _("%(event)s: %(opponent)s does not play."),
    }
    accepted = _("Play your challenge") if is_due else _("Your challenge is accepted")
    day = date_format(row.play_by or row.answer_by, "DATE_FORMAT")
    words = {"event": row.tournament.name, "opponent": shown_name(opponent, NOBODY), "day": day}
    state = _Now(row.state)
    page = reverse("tournaments:challenges", args=[row.tournament.slug])
    return News(title.get(state, accepted), body[state] % words, page, f"challenge-{row.pk}")


# --- entries ------------------------------------------------------------------------------------------------------
def _entry(event: AuditEvent, among: Collection[int] | None, now: datetime) -> Told:
    """Whoever asked for an entry and has a place now, or was refused."""
    rows = EntryRequest.objects.filter(pk=event.subject_key, tournament__closed=False)
    request = rows.select_related("tournament", "player__merged_into").first()
    if request is None or request.player is None or request.state not in _ENTRY_TITLES:
        return {}
    player = request.player.kept
    if among is not None and player.pk not in among:
        return {}
    return {player.pk: lambda: _entry_news(request)}


_ENTRY_TITLES: dict[str, Promise] = {
    _State.WAITING: gettext_lazy("Your entry moved up: %(event)s"),
    _State.ENTERED: gettext_lazy("You are entered: %(event)s"),
    _State.REFUSED: gettext_lazy("Your entry was refused: %(event)s"),
}


def _entry_news(request: EntryRequest) -> News:
    bodies = {
        _State.WAITING: _("A place is kept for you until an officer has looked at it."),
        _State.ENTERED: _("You have a place."),
    }
    title = str(_ENTRY_TITLES[request.state]) % {"event": request.tournament.name}
    body = bodies.get(_State(request.state)) or request.answer
    return News(title, body, request.tournament.get_absolute_url(), f"entry-{request.pk}")


def _entry_address(event: AuditEvent) -> str:
    found = EntryRequest.objects.filter(pk=event.subject_key).values_list("address", flat=True).first()
    return found or ""


# --- the kinds ----------------------------------------------------------------------------------------------------
PAIRED = Kind("paired", gettext_lazy("you are paired"), ROUNDS, _paired)
REPORTED = Kind(
    "reported", gettext_lazy("your opponent reported a result: confirm it"), (CLAIMED,), _reported, is_private=True
)
DISPUTED = Kind(
    "disputed",
    gettext_lazy("your opponent or an arbiter says otherwise"),
    (CLAIMED, RESULT),
    _disputed,
    is_private=True,
)
CHALLENGE = Kind(
    "challenge",
    gettext_lazy("you are challenged, get an answer, or a challenge is due"),
    CHALLENGES,
    _challenge,
    is_private=True,
)
ENTERED = Kind("result", gettext_lazy("your result was entered"), (RESULT,), _entered)
ENTRY = Kind(
    "entry",
    gettext_lazy("your entry has a place, moved up or was refused"),
    ENTRIES,
    _entry,
    is_private=True,
    own_letter=_entry_address,
)
