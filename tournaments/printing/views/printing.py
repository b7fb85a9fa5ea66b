"""The page from which an arbiter prints the sheets of a round: a form to choose, and below it what the printer gives.

Everybody may open it and prints what he may see: drafts are for officers, and so are the names that are not public.
"""

from django.http import HttpResponse, QueryDict
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext_lazy

from clubrating.ground.numbers import number_in
from clubrating.web.requests import ClubRequest
from players.privacy.rules import Viewer
from tournaments.event_pages.views.event import event_context, pages_or_404, team_event_of
from tournaments.event_pages.views.rounds import corrections_of
from tournaments.event_pages.views.sections import Section, sections_of
from tournaments.events.selectors.event_data import EventData, RoundData
from tournaments.events.selectors.events import stages_at
from tournaments.printing.selectors import facts_until
from tournaments.printing.views.choosing import LARGE, PrintForm, choose, presets_of, round_words
from tournaments.printing.views.evening import evening
from tournaments.printing.views.sheets import Press, sheets_of
from tournaments.printing.views.teams import team_sheets

# What is printed together: before the games of a round, and after them.
PRESETS = (
    (gettext_lazy("The evening’s set"), ("pairings", "names", "slips", "board-cards")),
    (gettext_lazy("After the round"), ("standings", "crosstable", "bracket")),
)


def printing(request: ClubRequest, slug: str) -> HttpResponse:
    """The form, and the sheets chosen in it; without a choice the pairings of the present round. Of an event without
    rounds an evening's tables."""
    stages = stages_at(slug)
    if stages and stages[0].tournament.open_ended:
        return evening(request, stages[0].tournament)
    if teams := team_event_of(stages):
        return team_sheets(request, teams)
    event, sections = pages_or_404(request, slug)
    asked = request.GET.copy()
    row = _round_asked(event, asked)
    sections = _as_of(sections, row, request.viewer)
    in_round = tuple(section for section in sections if row is None or section.facts.round(row.number))
    press = Press(event, in_round, row, request.viewer, _boards_at(request, event))
    sheets = sheets_of(press)
    choose(asked, sheets)
    rounds = [
        (row.number, round_words(row.number, row.day, row.planned_at, is_draft=row.is_draft)) for row in event.rounds
    ]
    form = PrintForm(asked, rounds=rounds, sheets=sheets)
    now = timezone.localtime()
    chosen = form.cleaned_data["sheets"] if form.is_valid() else []
    context = event_context(event, sections, "print") | {
        "form": form,
        "presets": presets_of(PRESETS, form, sheets, chosen),
        "round": row,
        "sheets": [sheet for sheet in sheets if sheet.kind.key in chosen],
        "large": form.is_valid() and form.cleaned_data["size"] == LARGE,
        "as_of": now,
        "corrections": corrections_of(event, press.sections, row, now) if row else None,
    }
    return render(request, "tournaments/print/page.html", context)


def _boards_at(request: ClubRequest, event: EventData) -> str:
    tournament = event.tournament
    if not (tournament.player_results and request.club.personal_links):
        return ""
    return request.build_absolute_uri(reverse("tournaments:board", args=[tournament.slug, 0])).removesuffix("0/")


def _round_asked(event: EventData, asked: QueryDict) -> RoundData | None:
    """The round the address asks for, the present one where it asks for none; None for one that is not there."""
    if "round" not in asked and event.current_round is not None:
        asked["round"] = str(event.current_round.number)
    return event.round(number_in(asked.get("round", "")))


def _as_of(sections: list[Section], row: RoundData | None, viewer: Viewer) -> list[Section]:
    """The sections as they stood in that round."""
    if row is None:
        return sections
    facts = [facts_until(section.facts, row.number) for section in sections]
    if all(then is section.facts for then, section in zip(facts, sections, strict=True)):
        return sections
    lots = {section.facts.stage.pk: section.lots for section in sections if section.lots}
    return sections_of(facts, {}, lots, viewer)
