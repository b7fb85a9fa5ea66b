"""The form of a comparison across eras: two people, each on a day."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

from django import forms
from django.http import QueryDict
from django.utils.translation import gettext as _now
from django.utils.translation import gettext_lazy as _

from clubrating.ground.numbers import whole_number
from clubrating.site.eras.selectors import first_days
from clubrating.web.formatting import day_text
from clubrating.web.forms import LONGEST, ToolForm
from players.models import Player
from players.people.names import clean_name
from players.people.selectors import list_players, visible_players
from players.privacy.rules import Viewer, sees_name
from ratings.history.whole_history import When
from ratings.models import RatingList

MOST_FOUND = 8


@dataclass(frozen=True, slots=True)
class Era:
    """Somebody on a day."""

    player: Player
    on: date

    @property
    def when(self) -> When:
        return When(self.player.pk, self.on.toordinal())


def _day(label: Any) -> forms.DateField:
    return forms.DateField(
        label=label,
        required=False,
        widget=forms.DateInput(format="%Y-%m-%d", attrs={"type": "date"}),
        help_text=_("Empty: today."),
    )


def _person(label: Any) -> forms.CharField:
    return forms.CharField(label=label, max_length=LONGEST, widget=forms.TextInput(attrs={"autocomplete": "off"}))


class ErasForm(ToolForm):
    """People are told by name or number. `found`: by field, those whom a name may mean where it is not one alone."""

    button = _("Compare")

    a = _person(_("Player (name or number)"))
    on_a = _day(_("The player’s day"))
    b = _person(_("Against (name or number)"))
    on_b = _day(_("The opponent’s day"))
    list = forms.ChoiceField(label=_("Rating list"), required=False)

    def __init__(self, data: QueryDict | None, *, lists: Sequence[RatingList], viewer: Viewer, today: date) -> None:
        super().__init__(data)
        self.lists, self.viewer, self.today = {row.slug: row for row in lists}, viewer, today
        self.found: dict[str, list[Player]] = {}
        self.people: dict[str, Player] = {}
        self.fields["list"].choices = [(row.slug, row.shown_name) for row in lists]  # type: ignore[attr-defined]
        if len(lists) < 2:
            self.fields["list"].widget = forms.HiddenInput()

    @property
    def eras(self) -> tuple[Era, Era]:
        """Once the form is valid."""
        one, other = (Era(self.people[side], self._day_of(side)) for side in ("a", "b"))
        return one, other

    def list_of(self, otherwise: RatingList) -> RatingList:
        return self.lists.get(self.cleaned_data.get("list") or "", otherwise)

    def clean_a(self) -> str:
        return self._read("a")

    def clean_b(self) -> str:
        return self._read("b")

    def check_days(self, rating_list: RatingList) -> None:
        """Says at its field who had not begun to play, or a day that has not come. Two queries."""
        begun: Mapping[int, date] = first_days(rating_list, list(self.people.values()))
        for side, player in self.people.items():
            first, day = begun.get(player.pk), self._day_of(side)
            if first is None:
                self.add_error(side, _now("No rated game in this list: nothing can be said."))
            elif day < first:
                words = _now("The first rated game was on %(day)s: choose that day or a later one.")
                self.add_error(f"on_{side}", words % {"day": day_text(first)})
            elif day > self.today:
                self.add_error(f"on_{side}", _now("This day has not come yet: choose an earlier one."))

        one, other = self.eras
        if one == other:
            self.add_error("on_b", _now("Choose another day or another player: this is the same one."))

    def _day_of(self, side: str) -> date:
        return self.cleaned_data.get(f"on_{side}") or self.today

    def _read(self, side: str) -> str:
        """Finds who is meant, among those whose names the viewer sees. Raises ValidationError."""
        text = clean_name(self.cleaned_data[side])
        number = whole_number(text.removeprefix("#"))
        if number is not None:
            people = list(visible_players([number], self.viewer).values())
        else:
            people = list(list_players(self.viewer, search=text)[: MOST_FOUND + 1]) if text else []
        seen = [each for each in people if sees_name(each, self.viewer)]
        if not seen:
            raise forms.ValidationError(_now("Nobody of this name or number is found."))
        if len(seen) > 1:
            self.found[side] = seen[:MOST_FOUND]
            raise forms.ValidationError(_now("Several people are found: choose one below."))
        self.people[side] = seen[0]
        return text
