"""Stones and komi of a game of go: a form, then for a game that is rated the preview every correction has.

What the players' grades suggest is shown beside the form, and never stored unasked.
"""

from urllib.parse import urlencode

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from clubrating.web.admin import officer
from players.models import AuditEvent
from players.privacy.rules import OFFICER, shown_name
from players.refusals import Refused, sign
from ratings.lists.selectors.grades import ratings_on_go_scale
from ratings.lists.words import grade_words
from ratings.systems.base import Handicap
from ratings.systems.egf import usual_handicap
from tournaments.corrections.admin.boards import board_page
from tournaments.corrections.admin.corrections import called, game_of
from tournaments.corrections.admin.games_brought import ask
from tournaments.corrections.admin.preview import CorrectionPage, correction
from tournaments.corrections.services.fact_changes import HandicapChange
from tournaments.models import Game
from tournaments.results.services.handicap import STONES, check_komi, own_handicap, set_handicap, with_usual_komi
from tournaments.results.words import handicap_words
from tournaments.standings.points import RATED_RESULTS


class HandicapForm(forms.Form):
    """Stones Black is given, and points for White."""

    stones = forms.TypedChoiceField(
        label=gettext_lazy("Stones for Black"),
        coerce=int,
        choices=[(count, gettext_lazy("none") if not count else str(count)) for count in STONES],
    )
    komi = forms.FloatField(
        label=gettext_lazy("Komi for White"),
        required=False,
        widget=forms.NumberInput(attrs={"step": "0.5"}),
        help_text=gettext_lazy("Empty: the usual one, none under a handicap. Black without komi: no stones and 0."),
    )

    revision = forms.IntegerField(required=False, widget=forms.HiddenInput)

    def clean_komi(self) -> float | None:
        komi: float | None = self.cleaned_data["komi"]
        try:
            check_komi(komi)
        except Refused as refusal:
            raise forms.ValidationError(str(refusal)) from None
        return komi


def handicap(request: HttpRequest, key: int) -> HttpResponse:
    """Stones and komi of one game: written at once before it is rated, else what it moves first."""
    game = game_of(request, key)
    back, standing = board_page(game, request.user), own_handicap(game)
    asked = request.POST if request.method == "POST" else request.GET
    form = HandicapForm(asked if "stones" in asked else None, initial={**standing._asdict(), "revision": game.revision})
    form.fields["stones"].help_text = suggestion(game)
    title = _("Stones and komi")
    if not form.is_valid():
        at_once = "" if game.result in RATED_RESULTS else _("Nothing is rated by it yet: it is saved at once.")
        return ask(request, f"{title}{sign(': ')}{called(game)}", form, back=back, parent=_("Board"), at_once=at_once)
    given = Handicap(form.cleaned_data["stones"], form.cleaned_data["komi"])
    if game.result:
        given = with_usual_komi(given, game.tournament)
    if game.result not in RATED_RESULTS and request.method == "POST":
        known = form.cleaned_data["revision"]
        seen = game.revision if known is None else known
        try:
            set_handicap(game=game.pk, given=given, revision=seen, by=officer(request))
        except Refused as refusal:
            messages.error(request, str(refusal))
        return redirect(back)
    if request.method == "POST" and request.POST.get("do") != "commit":
        komi = "" if given.komi is None else given.komi
        return redirect(f"{request.path}?{urlencode({'stones': given.stones, 'komi': komi})}")
    texts = CorrectionPage(
        title=title,
        says=[f"{called(game)}{sign(': ')}{handicap_words(*standing)} → {handicap_words(*given)}"],
        hidden=[("stones", str(given.stones)), ("komi", "" if given.komi is None else f"{given.komi}")],
        back=back,
        reason=AuditEvent.Reason.ENTRY_ERROR,
    )
    return correction(request, HandicapChange(key, given.stones, given.komi, game.revision), texts)


def suggestion(game: Game) -> str:
    """What the grades of both would suggest, in a sentence; empty where one of them is not known."""
    found = ratings_on_go_scale(game.pool, [game.white_id, game.black_id])
    if len(found) < 2:
        return ""
    white, black = found[game.white_id], found[game.black_id]
    values = {
        "white": f"{shown_name(game.white, OFFICER)}{sign(' (')}{grade_words(white)}{sign(')')}",
        "black": f"{shown_name(game.black, OFFICER)}{sign(' (')}{grade_words(black)}{sign(')')}",
    }
    if usual := usual_handicap(white, black):
        text = _("White is %(white)s, Black is %(black)s: the grades suggest %(handicap)s.")
        return text % {**values, "handicap": handicap_words(*usual)}
    if usual_handicap(black, white):
        return _("White is %(white)s, Black is %(black)s: by their grades they would exchange colours.") % values
    return _("White is %(white)s, Black is %(black)s: by their grades it is an even game.") % values
