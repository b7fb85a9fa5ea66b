"""One match of a knockout (who goes on, walk-over, lots, extra games), and a bracket drawn again.

Where later matches were played already the page shows which games would be undone, and asks what becomes of them.
"""

from collections.abc import Iterable
from functools import partial
from typing import Any

from django import forms
from django.contrib import messages
from django.contrib.admin import ModelAdmin
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from clubrating.web.admin import officer
from clubrating.web.requests import number_sent
from players.privacy.rules import OFFICER, shown_name
from players.refusals import Refused
from players.trail.services import PAIRING_REASONS, RULING_REASONS
from tournaments.builders.forms import SeedField
from tournaments.corrections.admin.preview import BRACKET_CHOICES, ReasonForm, undone
from tournaments.corrections.admin.starting_ratings import late_starts_shown
from tournaments.events.admin.event_page import page, tournament_for
from tournaments.events.selectors.stages import name_together, system_of
from tournaments.knockouts.services.brackets import redraw_bracket
from tournaments.knockouts.services.matches import (
    BracketMovesError,
    games_of,
    is_match,
    match_settings,
    seats_of_match,
    state_by,
)
from tournaments.knockouts.services.rulings import add_extra_games, rule_match, take_ruling_back
from tournaments.models import Game, Pairing, Stage
from tournaments.pairing.base import BracketSystem
from tournaments.rounds.admin.taking_back import ask_first


# --- one match ----------------------------------------------------------------------------------------------------
class RulingForm(ReasonForm):
    """Who goes on, and why."""

    reasons = RULING_REASONS

    advanced = forms.TypedChoiceField(label=gettext_lazy("Goes on"), coerce=int, widget=forms.RadioSelect)
    walk_over = forms.BooleanField(
        label=gettext_lazy("Walk-over: the other one did not come, or withdrew"), required=False
    )

    def __init__(self, data: Any, pairing: Pairing) -> None:
        super().__init__(data, initial={"advanced": pairing.advanced_id, "reason": "other"})
        seats = seats_of_match(pairing)
        name_together([seat.entry for seat in seats.values()], pairing.stage.tournament)
        self.fields["advanced"].choices = [  # type: ignore[attr-defined]
            (seats[line].entry_id, shown_name(seats[line].entry.player, OFFICER)) for line in sorted(seats)
        ]
        self.order_fields(["advanced", "walk_over", "reason", "note"])


class BracketForm(forms.Form):
    """Follow or keep; nothing is chosen beforehand."""

    bracket = forms.ChoiceField(label=gettext_lazy("Later matches"), widget=forms.RadioSelect, choices=BRACKET_CHOICES)

    def __init__(self, data: Any = None, *, keep: bool = True) -> None:
        super().__init__(data)
        if not keep:
            self.fields["bracket"].choices = BRACKET_CHOICES[:1]  # type: ignore[attr-defined]


class ExtraForm(forms.Form):
    """Extra games after an even match."""

    phase = forms.ChoiceField(label=gettext_lazy("Kind"), choices=Game.Phase.choices, initial=Game.Phase.RAPID)
    games = forms.IntegerField(label=gettext_lazy("Games"), min_value=1, max_value=9, initial=2)


def match(model_admin: ModelAdmin, request: HttpRequest, key: int) -> HttpResponse:
    """The match and its buttons; `do` says which was pressed."""
    rows = Pairing.objects.select_related("stage__tournament", "round", "advanced__player")
    pairing = get_object_or_404(rows, pk=key, superseded=False)
    tournament = tournament_for(model_admin, request, pairing.stage.tournament_id)
    if not is_match(pairing) or pairing.bye:
        raise Http404
    asked = request.POST.get("do", "") if request.method == "POST" else ""
    ruling = RulingForm(request.POST if asked in ("rule", "take_back") else None, pairing)
    if asked == "take_back":
        ruling.fields["advanced"].required = False
    extra = ExtraForm(request.POST if asked == "extra" else None)
    choice, problem, moved = BracketForm(), "", None
    if asked and (not ruling.is_bound or ruling.is_valid()) and (not extra.is_bound or extra.is_valid()):
        try:
            messages.success(request, _carry_out(request, asked, pairing, ruling, extra))
        except BracketMovesError as refusal:
            problem, moved, choice = str(refusal), undone(refusal), BracketForm(keep=False)
        except Refused as refusal:
            problem = str(refusal)
        else:
            return redirect(request.path)
    games = games_of(pairing)
    context = {
        "title": _("Round %(round)s, match %(board)s")
        % {"round": pairing.round.number if pairing.round else "–", "board": pairing.board},
        "pairing": pairing,
        "lines": _lines(pairing, games),
        "games": games,
        "ruling_form": ruling,
        "extra_form": extra,
        "extra_by_plan": match_settings(pairing.stage)["extra"],
        "problem": problem,
        "undone": moved,
        "choice_form": choice,
        "pending": asked,
        **late_starts_shown(request, tournament),
    }
    return page(model_admin, request, "match", tournament, status=409 if problem else 200, **context)


def _carry_out(request: HttpRequest, asked: str, pairing: Pairing, ruling: RulingForm, extra: ExtraForm) -> str:
    """Do what was asked; the sentence for it. Raises Refused or BracketMovesError."""
    by = officer(request)
    if asked == "extra":
        count = len(add_extra_games(pairing.pk, by=by, **extra.cleaned_data))
        return _("%(count)s extra games are made.") % {"count": count}
    if asked not in ("rule", "take_back"):
        raise Refused(_("This page has no such button: look at the match again."))
    data, choice = ruling.cleaned_data, BracketForm(request.POST)
    knew = number_sent(request, "knew")
    bracket = choice.cleaned_data["bracket"] if choice.is_valid() else ""
    how = {"reason": data["reason"], "note": data["note"], "bracket": bracket, "knew": knew}
    if asked == "take_back":
        take_ruling_back(pairing.pk, by=by, **how)
        return _("The games decide again.")
    rule_match(pairing.pk, advanced=data["advanced"], walk_over=data["walk_over"], by=by, **how)
    return _("Who goes on is written down.")


def _lines(pairing: Pairing, games: Iterable[Game]) -> list[dict[str, Any]]:
    seats = seats_of_match(pairing)
    state = state_by(pairing, seats, games)
    lines = []
    for line, score in ((1, state.upper), (2, state.lower)):
        entry = seats[line].entry if line in seats else None
        lines.append({"entry": entry, "score": score, "advanced": entry and entry.pk == pairing.advanced_id})
    return lines


# --- drawing again ------------------------------------------------------------------------------------------------
class RedrawForm(ReasonForm):
    """Why, and with which lots."""

    reasons = PAIRING_REASONS

    seed = SeedField(
        label=gettext_lazy("Seed of the lots"),
        help_text=gettext_lazy("Where the settings draw lots. Empty: by chance; the same seed draws the same bracket."),
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["reason"].help_text = _("Kept in the audit trail.")
        self.order_fields(["seed", "reason", "note"])


def redraw(model_admin: ModelAdmin, request: HttpRequest, key: int) -> HttpResponse:
    """Asks for the reason; refused once a match was played or ruled on."""
    stage = get_object_or_404(Stage.objects.select_related("tournament"), pk=key)
    tournament = tournament_for(model_admin, request, stage.tournament_id)
    if not isinstance(system_of(stage), BracketSystem) or not stage.rounds.exists():
        raise Http404
    form = RedrawForm(request.POST if request.method == "POST" else None)
    context = {
        "title": _("Draw the bracket again"),
        "standfirst": _(
            "Rounds and days stay, all matches are drawn anew. The old bracket is kept, superseded. Refused once a"
            " match was played or decided."
        ),
        "yes": _("Draw again"),
        "no": _("Keep the bracket"),
        "stage": stage,
    }
    done = _("The bracket is drawn again; the old one is kept in the books."), "bracket.superseded"
    return ask_first(model_admin, request, tournament, form, partial(redraw_bracket, stage), done, **context)
