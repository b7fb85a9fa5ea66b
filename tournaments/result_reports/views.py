"""`/tournaments/<slug>/games/<key>/wrong/`: anybody tells the arbiters that a result is wrong. Nothing moves by it."""

from typing import Any

from crispy_forms.helper import FormHelper
from crispy_forms.layout import Submit
from django import forms
from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.cache import never_cache

from clubrating.web.rate_limits import RateLimit, address_of
from clubrating.web.requests import ClubRequest
from players.privacy.rules import Level, Viewer
from players.refusals import Refused, sign
from tournaments.models import Game
from tournaments.result_reports.selectors import game_to_report
from tournaments.result_reports.services import CLAIMS, is_public, report_result
from tournaments.results.services.results import notation
from tournaments.results.words import result_words
from tournaments.standings.points import Result

# A whole club may sit behind one address, and after a round several have something to say.
LIMIT = RateLimit("result-report", 20, 600)
VISITOR = "visitor"


class ReportForm(forms.Form):
    """Which result it should be, and what the arbiters should know."""

    claimed = forms.ChoiceField(label=gettext_lazy("It should be"), widget=forms.RadioSelect)
    words = forms.CharField(
        label=gettext_lazy("In a few words, if there is something to say"),
        required=False,
        max_length=500,
        widget=forms.Textarea(attrs={"rows": 3}),
    )
    contact = forms.CharField(
        label=gettext_lazy("Your e-mail or phone number, if the arbiters may ask back"),
        required=False,
        max_length=200,
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
        help_text=gettext_lazy("Seen by officers only, and deleted when they have decided."),
    )

    def __init__(self, *args: Any, game: Game, viewer: Viewer, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        words = result_words(game.white, game.black, viewer)
        codes = [code for code in CLAIMS if code != game.result and code in words]
        self.fields["claimed"].choices = [  # type: ignore[attr-defined]
            (code.value, f"{notation(code)}{sign(': ')}{words[code]}") for code in codes
        ]

    @property
    def helper(self) -> FormHelper:
        helper = FormHelper()
        helper.form_class = "form fit"
        helper.add_input(Submit("", _("Tell the arbiters")))
        return helper


@never_cache
def report_page(request: ClubRequest, slug: str, key: int) -> HttpResponse:
    """The form, and what was sent. 429 where too many came from one address lately."""
    game = game_to_report(slug, key)
    if game is None or not game.result or not is_public(game):
        raise Http404
    form = ReportForm(request.POST or None, game=game, viewer=request.viewer)
    address, problem, status = address_of(request), "", 200
    if request.method == "POST" and LIMIT.is_exceeded_by(address):
        problem, status = _("Many reports came from here just now: try again in ten minutes."), 429
    elif request.method == "POST" and form.is_valid():
        try:
            return _send(request, game, form, address)
        except Refused as refusal:
            problem, status = str(refusal), 409
    context = {"game": game, "tournament": game.tournament, "round": game.pairing.round, "form": form}
    values = {"problem": problem, "stands": notation(game.result), "back": _back(game)}
    return render(request, "tournaments/report.html", context | values, status=status)


def _send(request: ClubRequest, game: Game, form: ReportForm, address: str) -> HttpResponse:
    found, level = form.cleaned_data, request.viewer.level
    # For the audit trail: a report names nobody, not even the officer who happens to send one.
    role = VISITOR if level == Level.NOBODY else level.name.lower()
    report_result(game.pk, Result(found["claimed"]), role=role, words=found["words"], contact=found["contact"])
    LIMIT.count(address)
    messages.success(request, _("The arbiters have your report. The result stays as it is until they decide."))
    return redirect(_back(game))


def _back(game: Game) -> str:
    row = game.pairing.round
    if row is None:
        return game.tournament.get_absolute_url()
    return reverse("tournaments:round", args=[game.tournament.slug, row.number])
