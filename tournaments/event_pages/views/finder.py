"""Find your board: a name typed on an event's page says where its bearer plays, and marks the row."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from crispy_forms.helper import FormHelper
from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from clubrating.web.forms import LONGEST, asked_for, one_button
from clubrating.web.requests import ClubRequest
from tournaments.event_pages.selectors.finding import Found, people_called, where_is
from tournaments.event_pages.selectors.formats import is_keizer
from tournaments.event_pages.views.rounds import RoundPart
from tournaments.event_pages.views.sections import Section
from tournaments.events.selectors.event_data import EventData, RoundData

MOST = 5  # people of one name; further ones are counted


class BoardForm(forms.Form):
    """A part of a name in any script, or a start number."""

    q = forms.CharField(
        label=gettext_lazy("Find your board"),
        required=False,
        max_length=LONGEST,
        widget=forms.TextInput(attrs={"type": "search", "autocomplete": "off", "required": True}),
    )

    @property
    def helper(self) -> FormHelper:
        helper = one_button(_("Find"), "form row gap-below on-screen", "plain", method="get")
        helper.attrs = {"role": "search"}
        return helper


@dataclass(frozen=True, slots=True)
class Finder:
    """The form, what was asked, in which round, who was found (with the words of a bye), and how many more."""

    form: BoardForm
    asked: str
    round: RoundData
    hits: tuple[tuple[Found, str], ...]
    more: int


def finder_of(
    request: ClubRequest,
    event: EventData,
    sections: Sequence[Section],
    row: RoundData,
    parts: Sequence[RoundPart] = (),
) -> dict[str, Any]:
    """The form with its answer; whoever is found is marked in the tables of the sections and of the round's `parts`."""
    asked = asked_for(request)
    people = people_called(asked, event.entrants, request.viewer)
    keys = frozenset(person.key for person in people)
    for table in [*(section.table for section in sections), *(part.table for part in parts)]:
        if table is not None:
            table.found = keys
    lines = [(section.facts, section.ranked) for section in sections if not section.bracket]
    lines = [(facts, ranked) for facts, ranked in lines if not is_keizer(facts)]
    words = {kind: said for part in parts for bye, said in part.byes for kind in [bye.kind]}
    found = [where_is(person, lines, row, request.viewer) for person in people[:MOST]]
    hits = tuple((one, words.get(one.seat.bye, _("bye")) if one.seat and one.seat.bye else "") for one in found)
    form = BoardForm(initial={"q": asked})
    return {"finder": Finder(form, asked, row, hits, max(0, len(people) - MOST))}
