"""The page from which an arbiter prints the sheets of a round: a form to choose, and below it what the printer gives.

Everybody may open it and prints what he may see: drafts are for officers, and so are the names that are not public.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from crispy_forms.helper import FormHelper
from django import forms
from django.http import HttpResponse, QueryDict
from django.shortcuts import render
from django.utils import timezone
from django.utils.formats import time_format
from django.utils.functional import Promise
from django.utils.http import urlencode
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from clubrating.web.formatting import day_text
from clubrating.web.forms import one_button
from clubrating.web.requests import ClubRequest
from players.privacy.rules import Viewer
from players.refusals import sign
from tournaments.event_pages.views.event import event_context, pages_or_404
from tournaments.event_pages.views.rounds import corrections_of
from tournaments.event_pages.views.sections import Section, sections_of
from tournaments.events.selectors.event_data import EventData, RoundData
from tournaments.events.selectors.events import stages_at
from tournaments.printing.selectors import facts_until
from tournaments.printing.views.evening import evening
from tournaments.printing.views.sheets import Press, Sheet, sheets_of

NORMAL, LARGE = "normal", "large"
# What is printed together: before the games of a round, and after them.
PRESETS = (
    (gettext_lazy("The evening’s set"), ("pairings", "names", "slips", "board-cards")),
    (gettext_lazy("After the round"), ("standings", "crosstable", "bracket")),
)


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

    def __init__(self, data: QueryDict, *, rounds: Sequence[RoundData], sheets: Sequence[Sheet]) -> None:
        super().__init__(data)
        self.fields["sheets"].choices = [(sheet.kind.key, sheet.kind.name) for sheet in sheets]  # type: ignore[attr-defined]
        if rounds:
            self.fields["round"].choices = [(row.number, _round_words(row)) for row in rounds]  # type: ignore[attr-defined]
        else:
            del self.fields["round"]

    @property
    def helper(self) -> FormHelper:
        return one_button(_("Show the sheets"), "form print-form", method="get")


def printing(request: ClubRequest, slug: str) -> HttpResponse:
    """The form, and the sheets chosen in it; without a choice the pairings of the present round. Of an event without
    rounds an evening's tables."""
    stages = stages_at(slug)
    if stages and stages[0].tournament.open_ended:
        return evening(request, stages[0].tournament)
    event, sections = pages_or_404(request, slug)
    asked = request.GET.copy()
    row = _round_asked(event, asked)
    sections = _as_of(sections, row, request.viewer)
    in_round = tuple(section for section in sections if row is None or section.facts.round(row.number))
    press = Press(event, in_round, row, request.viewer)
    sheets = sheets_of(press)
    _choose(asked, sheets)
    form = PrintForm(asked, rounds=event.rounds, sheets=sheets)
    now = timezone.localtime()
    chosen = form.cleaned_data["sheets"] if form.is_valid() else []
    context = event_context(event, sections, "print") | {
        "form": form,
        "presets": _presets(form, sheets, chosen),
        "round": row,
        "sheets": [sheet for sheet in sheets if sheet.kind.key in chosen],
        "large": form.is_valid() and form.cleaned_data["size"] == LARGE,
        "as_of": now,
        "corrections": corrections_of(event, press.sections, row, now) if row else None,
    }
    return render(request, "tournaments/print/page.html", context)


def _round_asked(event: EventData, asked: QueryDict) -> RoundData | None:
    """The round the address asks for, the present one where it asks for none; None for one that is not there."""
    if "round" not in asked and event.current_round is not None:
        asked["round"] = str(event.current_round.number)
    number = asked.get("round", "")
    return event.round(int(number)) if number.isascii() and number.isdigit() and len(number) < 5 else None


def _choose(asked: QueryDict, sheets: Sequence[Sheet]) -> None:
    """What the address leaves open. Sheets this round has no use for are dropped, the rest of a choice is kept."""
    offered = [sheet.kind.key for sheet in sheets]
    if "sheets" not in asked:
        asked.setlist("sheets", offered[:1])
    asked.setlist("sheets", [key for key in asked.getlist("sheets") if key in offered])
    asked.setdefault("size", NORMAL)


def _presets(form: PrintForm, sheets: Sequence[Sheet], chosen: Sequence[str]) -> list[Preset]:
    """What this round has of every set, in its round and the type that is chosen."""
    query = {key: form.cleaned_data[key] for key in ("round", "size") if form.cleaned_data.get(key)}
    presets = []
    for name, wanted in PRESETS:
        own = tuple(sheet for sheet in sheets if sheet.kind.key in wanted)
        keys = [sheet.kind.key for sheet in own]
        address = f"?{urlencode(query | {'sheets': keys}, doseq=True)}"
        presets.append(Preset(name, own, address, keys == list(chosen)))
    return [preset for preset in presets if preset.sheets]


def _as_of(sections: list[Section], row: RoundData | None, viewer: Viewer) -> list[Section]:
    """The sections as they stood in that round."""
    if row is None:
        return sections
    facts = [facts_until(section.facts, row.number) for section in sections]
    if all(then is section.facts for then, section in zip(facts, sections, strict=True)):
        return sections
    lots = {section.facts.stage.pk: section.lots for section in sections if section.lots}
    return sections_of(facts, {}, lots, viewer)


def _round_words(row: RoundData) -> str:
    words = [_("Round %(number)s") % {"number": row.number}]
    if row.day:
        words.append(day_text(row.day))
    if row.planned_at:
        words.append(time_format(row.planned_at, "H:i"))
    if row.is_draft:
        words.append(_("draft"))
    return sign(", ").join(words)
