"""A forgotten game of a club evening, or a file of games: first the form, then the preview every correction has."""

from collections.abc import Sequence
from datetime import date
from typing import Any

from django import forms
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from clubrating.web.admin import admin_page, officer
from clubrating.web.formatting import day_text
from players.models import AuditEvent, Player
from players.people.names import MAX_NAME, clean_name
from players.privacy.rules import OFFICER, shown_name
from players.refusals import Refused, first_of, said, sign
from ratings.lists.selectors.lists import pool_choices
from tournaments.corrections.admin.preview import CorrectionPage, correction
from tournaments.corrections.services.changes import GameInserted, StreamLoaded
from tournaments.corrections.services.game_changes import ForgottenGame
from tournaments.corrections.services.uploads import drop_upload, keep_upload, read_upload
from tournaments.entries.services.entries import match_names
from tournaments.entries.services.names import BadRows
from tournaments.events.admin.event_page import check_may
from tournaments.events.admin.forms import DayInput, day_that_has_come
from tournaments.events.selectors.officers import may_correct
from tournaments.interchange.games_csv import read_games
from tournaments.interchange.tables_csv import UnreadableFileError
from tournaments.loading.services.streams import load_games
from tournaments.models import Tournament
from tournaments.rated_games.selectors.late_starts import late_starts_for
from tournaments.results.services.results import EARLIEST_DAY, notation
from tournaments.standings.points import RATED_RESULTS, Result

MOST_BAD_ROWS = 20


class PlayerField(forms.CharField):
    """A player by exact name or number."""

    def clean(self, value: Any) -> Any:
        text = super().clean(value)
        if not text:
            return None
        found = match_names([text])
        if found.problems:
            raise forms.ValidationError([problem.partition(": ")[2] for problem in found.problems])
        return found.players[0] if found.players else None


class DayForm(forms.Form):
    """The day games were played on, none to come."""

    played_on = forms.DateField(label=gettext_lazy("Played on"), widget=DayInput(attrs={"min": EARLIEST_DAY}))

    def clean_played_on(self) -> date:
        return day_that_has_come(self.cleaned_data["played_on"])


def day_asked(request: HttpRequest) -> date:
    """The day of the sheet before, else today."""
    try:
        return date.fromisoformat(request.GET.get("day", ""))
    except ValueError:
        return timezone.localdate()


class ForgottenGameForm(DayForm):
    """A game of a club evening that was not entered when it was played."""

    field_order = ("tournament", "white", "black", "result", "played_on")

    tournament = forms.ModelChoiceField(
        label=gettext_lazy("Event"), queryset=Tournament.objects.filter(open_ended=True), empty_label=None
    )
    white = PlayerField(
        label=gettext_lazy("White"),
        max_length=MAX_NAME,
        help_text=gettext_lazy("The name as it stands in the list of players, or the number, like #17."),
    )
    black = PlayerField(label=gettext_lazy("Black"), max_length=MAX_NAME)
    result = forms.ChoiceField(
        label=gettext_lazy("Result"), choices=[(code.value, notation(code)) for code in RATED_RESULTS]
    )


class FileForm(forms.Form):
    """A file of games, and what its rows may leave open."""

    file = forms.FileField(
        label=gettext_lazy("File of games"),
        help_text=gettext_lazy("GAMES.csv: date, white, black, result; up to 5 MB. What is here already is left out."),
    )
    event = forms.CharField(
        label=gettext_lazy("Event of the rows that name none"),
        max_length=MAX_NAME,
        initial=gettext_lazy("Club evenings"),
    )
    pool = forms.ChoiceField(label=gettext_lazy("Pool of the rows that name none"))
    known_players_only = forms.BooleanField(
        label=gettext_lazy("Refuse names nobody has"),
        required=False,
        initial=True,
        help_text=gettext_lazy("Without this tick the people nobody knows are added."),
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        field = self.fields["pool"]
        if isinstance(field, forms.ChoiceField):
            field.choices = pool_choices()


def insert(request: HttpRequest) -> HttpResponse:
    """A forgotten game: the form, then what it moves."""
    check_may(request, "tournaments.change_game")
    form = ForgottenGameForm(request.POST if request.method == "POST" else None)
    if not form.is_valid():
        return ask(request, _("Enter a forgotten game"), form)
    data = form.cleaned_data
    if not may_correct(request.user, data["tournament"]):
        raise PermissionDenied
    new = ForgottenGame(
        data["tournament"].pk, data["white"].pk, data["black"].pk, Result(data["result"]), data["played_on"]
    )
    names = " – ".join(called(data[side]) for side in ("white", "black"))
    firsts = {
        (data["tournament"].pool, key): new.played_on for key in (new.white, new.black) if data["tournament"].rated
    }
    texts = CorrectionPage(
        title=_("Enter a forgotten game"),
        says=[
            f"{names}{sign(': ')}"
            + sign(", ").join([notation(new.result), day_text(new.played_on), data["tournament"].name])
        ],
        hidden=[(name, request.POST[name]) for name in form.fields],
        back=reverse("admin:tournaments_game_insert"),
        done=reverse("admin:tournaments_game_changelist"),
        reason=AuditEvent.Reason.LATE_REPORT,
        button=_("Enter the game"),
        stays=list(map(str, late_starts_for(firsts))),
        success=_("The game is entered, and every rating behind it is counted anew."),
    )
    return correction(request, GameInserted(new), texts)


def load(request: HttpRequest) -> HttpResponse:
    """A file of games: the form, then what it moves."""
    check_may(request, "tournaments.change_game", "players.add_player")
    again = "kept" in request.POST
    form = FileForm(request.POST or None, request.FILES or None)
    if again:
        del form.fields["file"]
    title = _("Load a file of games")
    if not form.is_valid():
        return ask(request, title, form)
    data = form.cleaned_data
    try:
        key = request.POST["kept"] if again else keep_upload(data["file"].read())
        return _preview_file(request, title, key, data)
    except BadRows as refusal:
        problems = first_of([said(row) for row in refusal.rows], MOST_BAD_ROWS)
    except (Refused, UnreadableFileError) as refusal:
        problems = [said(refusal)]
    return ask(request, title, FileForm(initial=data), problems=problems)


def _preview_file(request: HttpRequest, title: str, key: str, data: dict[str, Any]) -> HttpResponse:
    """Raises BadRows, Refused, or UnreadableFileError."""
    today = timezone.localdate()
    games = read_games(read_upload(key), today=today)
    how = {"pool": data["pool"], "known_players_only": data["known_players_only"]}
    event = clean_name(data["event"])
    by = officer(request)
    load_games(games.rows, by=by, event_name=event, today=today, bad=games.bad, dry_run=True, **how)  # every bad row
    change = StreamLoaded(tuple(games.rows), event, today, **how)
    known = [("known_players_only", "on")] if data["known_players_only"] else []
    texts = CorrectionPage(
        title=title,
        says=[_("%(count)s rows in the file.") % {"count": len(games.rows)}],
        hidden=[("kept", key), ("event", data["event"]), ("pool", data["pool"]), *known],
        back=reverse("admin:tournaments_game_load"),
        done=reverse("admin:tournaments_game_changelist"),
        reason=AuditEvent.Reason.LATE_REPORT,
        button=_("Load the games"),
    )
    answer = correction(request, change, texts)
    if answer.status_code == 302:
        drop_upload(key)
    return answer


def called(player: Player) -> str:
    """ "Ada Alvarez (#1)", for officers."""
    return f"{shown_name(player, OFFICER)}{sign(' (')}#{player.number}{sign(')')}"


def ask(
    request: HttpRequest,
    title: str,
    form: forms.Form,
    *,
    problems: Sequence[str] = (),
    back: str = "",
    parent: str = "",
    at_once: str = "",
) -> HttpResponse:
    """The page before a preview: what is to be changed. `back` leads to the `parent` page, the games' list without.
    `at_once`: why there is no preview to come."""
    context = {
        "form": form,
        "problems": problems,
        "back": back or reverse("admin:tournaments_game_changelist"),
        "parent": parent or _("Games"),
        "told": at_once or _("First you see what it would move; nothing is changed before you say so."),
        "button": _("Save") if at_once else _("Show what it moves"),
    }
    status = 400 if problems or form.errors else 200
    return admin_page(request, "admin/ask.html", title, status=status, **context)
