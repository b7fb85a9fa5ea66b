"""What the page of sheets asks: which round, which sheets, how large the type is; and sets that are one click."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, time

from crispy_forms.helper import FormHelper
from django import forms
from django.http import QueryDict
from django.utils.formats import time_format
from django.utils.functional import Promise
from django.utils.http import urlencode
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from clubrating.web.formatting import day_text
from clubrating.web.forms import one_button
from players.refusals import sign
from tournaments.printing.views.sheets import Sheet

NORMAL, LARGE = "normal", "large"


@dataclass(frozen=True, slots=True)
class Preset:
    """Sheets that are printed together, in one click: their name and address, and whether they are on the page."""

    name: Promise
    sheets: tuple[Sheet, ...]
    address: str
    chosen: bool


class PrintForm(forms.Form):
    """Which round, which sheets, and how large the type is."""

    round = forms.TypedChoiceField(label=gettext_lazy("Round"), coerce=int)
    size = forms.ChoiceField(
        label=gettext_lazy("Type"),
        choices=[(NORMAL, gettext_lazy("normal")), (LARGE, gettext_lazy("large, for the notice board"))],
    )
    sheets = forms.MultipleChoiceField(label=gettext_lazy("Sheets"), widget=forms.CheckboxSelectMultiple)

    def __init__(self, data: QueryDict, *, rounds: Sequence[tuple[int, str]], sheets: Sequence[Sheet]) -> None:
        super().__init__(data)
        self.fields["sheets"].choices = [(sheet.kind.key, sheet.kind.name) for sheet in sheets]  # type: ignore[attr-defined]
        if rounds:
            self.fields["round"].choices = list(rounds)  # type: ignore[attr-defined]
        else:
            del self.fields["round"]

    @property
    def helper(self) -> FormHelper:
        return one_button(_("Show the sheets"), "form print-form", method="get")


def choose(asked: QueryDict, sheets: Sequence[Sheet]) -> None:
    """What the address leaves open. Sheets this round has no use for are dropped, the rest of a choice is kept."""
    offered = [sheet.kind.key for sheet in sheets]
    if "sheets" not in asked:
        asked.setlist("sheets", offered[:1])
    asked.setlist("sheets", [key for key in asked.getlist("sheets") if key in offered])
    asked.setdefault("size", NORMAL)


def presets_of(
    presets: Sequence[tuple[Promise, tuple[str, ...]]], form: PrintForm, sheets: Sequence[Sheet], chosen: Sequence[str]
) -> list[Preset]:
    """What this round has of every set, in its round and the type that is chosen."""
    query = {key: form.cleaned_data[key] for key in ("round", "size") if form.cleaned_data.get(key)}
    found = []
    for name, wanted in presets:
        own = tuple(sheet for sheet in sheets if sheet.kind.key in wanted)
        keys = [sheet.kind.key for sheet in own]
        address = f"?{urlencode(query | {'sheets': keys}, doseq=True)}"
        found.append(Preset(name, own, address, keys == list(chosen)))
    return [preset for preset in found if preset.sheets]


def round_words(number: int, day: date | None, at: time | None, *, is_draft: bool) -> str:
    """A round with its day and hour, as the form offers it."""
    words = [_("Round %(number)s") % {"number": number}]
    if day:
        words.append(day_text(day))
    if at:
        words.append(time_format(at, "H:i"))
    if is_draft:
        words.append(_("draft"))
    return sign(", ").join(words)
