"""Something went wrong on a board: others sat there, or its result belongs to another board. A form with the board
chosen already, then the preview every correction has."""

from typing import Any
from urllib.parse import urlencode

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from clubrating.ground.marks import joined
from clubrating.ground.numbers import number_in
from players.models import AuditEvent
from players.privacy.rules import OFFICER, shown_name
from players.refusals import sign
from tournaments.corrections.admin.corrections import called, game_of, game_page, rules_for, stays_paired
from tournaments.corrections.admin.games_brought import ask
from tournaments.corrections.admin.preview import CorrectionPage, correction
from tournaments.corrections.services.board_changes import Pair, pair_of
from tournaments.corrections.services.changes import ResultsExchanged, SeatsTaken
from tournaments.events.selectors.officers import AnyUser, may_enter
from tournaments.events.selectors.stages import name_sides, name_together, system_of
from tournaments.models import Entry, Game
from tournaments.pairing.base import ScheduleSystem
from tournaments.results.services.results import notation
from tournaments.standings.points import Result, seen_from_black

Reason = AuditEvent.Reason


def board_page(game: Game, user: AnyUser | None = None) -> str:
    """The address of a game's board among the results of its round; its form where it has no round, or where that user
    enters no results there."""
    if game.pairing.round_id is None or (user is not None and not may_enter(user, game.tournament)):
        return game_page(game.pk)
    return f"{reverse('admin:tournaments_tournament_results', args=[game.pairing.round_id])}#board-{game.pairing.board}"


# --- who sat there ------------------------------------------------------------------------------------------------
class SeatsForm(forms.Form):
    """Who really sat at a board, chosen from everybody of its round."""

    white = forms.TypedChoiceField(label=gettext_lazy("White"), coerce=int)
    black = forms.TypedChoiceField(label=gettext_lazy("Black"), coerce=int)

    def __init__(self, data: QueryDict | None, *, game: Game) -> None:
        super().__init__(data, initial=pair_of(game)._asdict())
        entries = Entry.objects.filter(seats__round=game.pairing.round_id, seats__superseded=False)
        rows = list(entries.select_related("player"))
        name_together(rows, game.tournament)
        people: list[tuple[int, str]] = [(entry.pk, shown_name(entry.player, OFFICER)) for entry in rows]
        people.sort(key=lambda each: each[1].casefold())
        for field in ("white", "black"):
            choice = self.fields[field]
            if isinstance(choice, forms.ChoiceField):
                choice.choices = people


def seats(request: HttpRequest, key: int) -> HttpResponse:
    """Other opponents, or a wrong player: who sat at the board, then what it moves. Where everybody meets everybody
    the arbiter is led to the board of those two instead."""
    game, title = game_of(request, key), _("Who sat at this board?")
    back = board_page(game, request.user)
    if game.pairing.round_id is None or game.pairing.slot is not None:
        messages.error(request, _("Who meets whom here follows from the games: decide the match instead."))
        return redirect(back)
    form = SeatsForm(_asked(request, "white"), game=game)
    if not form.is_valid():
        return ask(request, joined(title, called(game)), form, back=back, parent=_("Board"))
    white, black = form.cleaned_data["white"], form.cleaned_data["black"]
    if isinstance(system_of(game.pairing.stage), ScheduleSystem):
        return _to_their_board(request, game, Pair(white, black))
    people = {entry.pk: shown_name(entry.player, OFFICER) for entry in _entries(white, black)}
    values = {"white": people[white], "black": people[black]}
    texts = CorrectionPage(
        title=title,
        says=[called(game), _("White is %(white)s, Black is %(black)s") % values],
        hidden=[("white", str(white)), ("black", str(black))],
        back=back,
        reason=Reason.WRONG_PLAYER,
        stays=[
            _("Whoever was seated here gets the other’s place: a board, a bye or none. Each board keeps its result."),
            *stays_paired([game]),
        ],
        rules=rules_for([game]),
        button=_("They sat like this"),
    )
    return correction(request, SeatsTaken(key, white, black, game.revision), texts)


def _asked(request: HttpRequest, name: str) -> QueryDict | None:
    asked = request.POST if request.method == "POST" else request.GET
    return asked if name in asked else None


def _entries(*keys: int) -> list[Entry]:
    rows = list(Entry.objects.filter(pk__in=keys).select_related("player", "tournament"))
    if rows:
        name_together(rows, rows[0].tournament)
    return rows


def _to_their_board(request: HttpRequest, game: Game, pair: Pair) -> HttpResponse:
    """The board on which the schedule lets those two meet, the first still open; what is entered here goes there."""
    players = [entry.player_id for entry in _entries(*pair)]
    games = Game.objects.filter(pairing__stage=game.pairing.stage_id, white__in=players, black__in=players)
    found = sorted(games.select_related("pairing__round"), key=lambda each: (bool(each.result), each.pk))
    if not found or found[0].pk == game.pk:
        messages.error(request, _("These two have no other board in this stage: choose who really played."))
        return redirect(request.path)
    there = found[0]
    if game.result:
        turned = there.white_id != next(entry.player_id for entry in _entries(pair.white))
        query = urlencode({"other": there.pk, "mirror": int(turned)})
        return redirect(f"{reverse('admin:tournaments_game_elsewhere', args=[game.pk])}?{query}")
    values = {"round": there.pairing.round.number if there.pairing.round else "–", "board": there.pairing.board}
    text = _("These two meet in round %(round)s on board %(board)s: enter their result here.")
    messages.info(request, text % values)
    return redirect(board_page(there, request.user))


# --- the result of another board ----------------------------------------------------------------------------------
class BoardForm(forms.Form):
    """Another board of the same round."""

    other = forms.TypedChoiceField(label=gettext_lazy("The result belongs to board"), coerce=int)

    def __init__(self, data: QueryDict | None, *, game: Game) -> None:
        super().__init__(data)
        games = Game.objects.filter(pairing__round=game.pairing.round_id, pairing__superseded=False, number=game.number)
        others = games.exclude(pk=game.pk).select_related("white", "black", "pairing", "tournament")
        rows = list(others.order_by("pairing__board"))
        name_sides(rows)
        other = self.fields["other"]
        if isinstance(other, forms.ChoiceField):
            other.choices = [(row.pk, _board_words(row)) for row in rows]


def _board_words(row: Game) -> str:
    names = f"{shown_name(row.white, OFFICER)} – {shown_name(row.black, OFFICER)}"
    return f"{row.pairing.board}{sign(': ')}{names}{sign(' (')}{notation(row.result, _('no result'))}{sign(')')}"


def elsewhere(request: HttpRequest, key: int) -> HttpResponse:
    """Two boards exchange their results, or one hands its result to a board that has none."""
    game = game_of(request, key)
    asked, back = _asked(request, "other"), board_page(game, request.user)
    mirror = asked is not None and asked.get("mirror") == "1"
    there = _game_of_event(request, game, asked.get("other", "")) if asked is not None else None
    if there is None:
        title = _("The result of another board")
        return ask(
            request, f"{title}{sign(': ')}{called(game)}", BoardForm(asked, game=game), back=back, parent=_("Board")
        )
    if request.method == "POST" and request.POST.get("do") != "commit":
        return redirect(f"{request.path}?{urlencode({'other': there.pk, 'mirror': int(mirror)})}")
    texts = CorrectionPage(
        title=_("The result of another board"),
        says=[_change_words(game, there, mirror=mirror), _change_words(there, game, mirror=mirror)],
        hidden=[("other", str(there.pk)), ("mirror", str(int(mirror)))],
        back=back,
        reason=Reason.ENTRY_ERROR,
        stays=stays_paired([game, there]),
        rules=rules_for([game, there]),
        button=_("Exchange the results"),
    )
    return correction(request, ResultsExchanged(key, there.pk, mirror, game.revision), texts)


def _game_of_event(request: HttpRequest, game: Game, text: str) -> Game | None:
    """The other game of the same event with that key; None for anything else."""
    key = number_in(text)
    known = Game.objects.filter(pk=key, tournament=game.tournament_id).exclude(pk=game.pk).exists()
    return game_of(request, key) if known else None


def _change_words(game: Game, other: Game, *, mirror: bool) -> str:
    now: Any = seen_from_black(Result(other.result)) if mirror else other.result
    return f"{called(game)}{sign(': ')}{notation(game.result, _('no result'))} → {notation(now, _('no result'))}"
