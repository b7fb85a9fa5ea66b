"""The prizes of an event on one page: how they are given, and a row for each. A row without money and thing is none."""

from collections.abc import Mapping
from decimal import Decimal
from typing import Any

from django import forms
from django.contrib import messages
from django.contrib.admin import ModelAdmin
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.text import capfirst
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from clubrating.web.admin import officer
from players.refusals import Refused, Stale, sign
from tournaments.events.admin.event_page import page, tournament_for
from tournaments.models import Prize, PrizeFund, Tournament
from tournaments.prizes.selectors import fund_of
from tournaments.prizes.services import LARGEST, MOST_PRIZES, Fund, NewPrize, prizes_digest, set_prizes

_EMPTY_ROWS = 5


class FundForm(forms.ModelForm):
    """How the prizes are given."""

    class Meta:
        model = PrizeFund
        fields = ("currency", "sharing", "step", "one_each")


class PrizeForm(forms.Form):
    """One prize, the money in whole coins of the currency with two decimals."""

    kind = forms.ChoiceField(label=gettext_lazy("For"), choices=Prize.Kind.choices, required=False)
    limit = forms.IntegerField(label=gettext_lazy("age or rating"), required=False, min_value=1, max_value=4000)
    rank = forms.IntegerField(label=gettext_lazy("rank"), required=False, min_value=1, max_value=500)
    money = forms.DecimalField(
        label=gettext_lazy("money"), required=False, min_value=0, max_value=LARGEST // 100, decimal_places=2
    )
    thing = forms.CharField(label=gettext_lazy("a thing"), required=False, max_length=100)

    def prize(self) -> NewPrize | None:
        """What was entered; None for a row without money and thing."""
        data = self.cleaned_data
        amount, thing = int((data.get("money") or Decimal(0)) * 100), data.get("thing", "").strip()
        if not amount and not thing:
            return None
        return NewPrize(data.get("kind") or Prize.Kind.PLACE, data.get("limit"), data.get("rank") or 1, amount, thing)


class _Rows(forms.BaseFormSet):
    """The rows; each field tells its name and its row to who hears the page."""

    def add_fields(self, form: Any, index: int | None) -> None:
        super().add_fields(form, index)
        row = _("row %(number)s") % {"number": (index or 0) + 1}
        for field in form.fields.values():
            field.widget.attrs["aria-label"] = f"{capfirst(field.label)}{sign(', ')}{row}"


PrizeRows = forms.formset_factory(
    PrizeForm, formset=_Rows, extra=_EMPTY_ROWS, max_num=MOST_PRIZES + _EMPTY_ROWS, absolute_max=MOST_PRIZES + 50
)


def prizes(model_admin: ModelAdmin, request: HttpRequest, key: int) -> HttpResponse:
    """The page; 409 where it is refused, with everything typed still in it."""
    tournament = tournament_for(model_admin, request, key)
    fund = fund_of(tournament)
    posted = request.POST if request.method == "POST" else None
    form = FundForm(posted, instance=fund or PrizeFund(tournament=tournament))
    rows = PrizeRows(posted, initial=_rows_of(fund), prefix="prize")
    problem, seen = "", prizes_digest(tournament)
    if posted is not None and form.is_valid() and rows.is_valid():
        try:
            return _save(request, tournament, form, rows)
        except Stale as refusal:
            problem = str(refusal)
        except Refused as refusal:
            problem, seen = str(refusal), request.POST.get("seen", "")
    context: dict[str, Any] = {
        "title": _("Prizes"),
        "form": form,
        "rows": rows,
        "seen": seen,
        "problem": problem,
        "shown": fund is not None,
    }
    return page(model_admin, request, "prizes", tournament, status=409 if problem else 200, **context)


def _rows_of(fund: PrizeFund | None) -> list[Mapping[str, Any]]:
    """The prizes there are; for a new event three places to begin with."""
    if fund is None:
        return [{"kind": Prize.Kind.PLACE, "rank": rank} for rank in (1, 2, 3)]
    return [
        {
            "kind": prize.kind,
            "limit": prize.limit,
            "rank": prize.rank,
            "money": Decimal(prize.amount) / 100 if prize.amount else None,
            "thing": prize.thing,
        }
        for prize in fund.prizes.all()
    ]


def _save(request: HttpRequest, tournament: Tournament, form: FundForm, rows: Any) -> HttpResponse:
    found = [prize for row in rows.forms if row.has_changed() or row.initial for prize in [row.prize()] if prize]
    known = form.cleaned_data
    fund = Fund(known["currency"].strip(), known["sharing"], int(known["step"]), known["one_each"])
    count = set_prizes(tournament, fund, found, by=officer(request), seen=request.POST.get("seen", ""))
    if count:
        text = ngettext("%(count)s prize is saved.", "%(count)s prizes are saved.", count) % {"count": count}
    else:
        text = _("The event has no prizes.")
    messages.success(request, text)
    return redirect(reverse("admin:tournaments_tournament_prizes", args=[tournament.pk]))
