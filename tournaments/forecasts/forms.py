"""The form of a masters' forecast of one's own. Its question has room in an address: players stand there by number."""

import re
from collections.abc import Sequence
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.http import urlencode
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from clubrating.web.forms import ToolForm
from players.models import Player
from players.people.names import clean_name
from players.people.selectors import players_by_name
from ratings.models import RatingList
from tournaments.forecast.masters import K_STEP, MOST_K, Rule
from tournaments.forecast.masters_chain import MOST_STATIONS, STATIONS
from tournaments.forecasts.masters_words import RULES
from tournaments.forecasts.selectors.own_masters import FIXED, LOTS, SIZES, OwnEvent, may_be_chosen, own_event

LONGEST = 2000  # letters
USUAL_K = 20
_NUMBER = re.compile(r"#?(\d{1,9})\b")
MAX_PROBLEMS = 3


class OwnMastersForm(ToolForm):
    """Who plays, and how. `event`: what is asked, once the form is valid."""

    method, asks = "post", True
    button = gettext_lazy("Work out the forecast")
    more = ("stations", "rule", "draw", "k")
    more_words = gettext_lazy("Stations, rule, draw, K")

    list = forms.ChoiceField(label=gettext_lazy("Rating list"))
    people = forms.CharField(
        label=gettext_lazy("Players, one a line"),
        max_length=LONGEST,
        widget=forms.Textarea(attrs={"rows": 8, "autocomplete": "off"}),
        help_text=gettext_lazy("2, 4, 8 or 16, by number or by name as it is shown on the site."),
    )
    stations = forms.TypedChoiceField(
        label=gettext_lazy("Stations"), coerce=int, choices=[(n, str(n)) for n in range(1, MOST_STATIONS + 1)],
        initial=STATIONS, required=False,
    )  # fmt: skip
    rule = forms.ChoiceField(
        label=gettext_lazy("Who goes on"), choices=[(rule.value, words.name) for rule, words in RULES.items()],
        initial=Rule.SCORE_RATE.value, required=False,
    )  # fmt: skip
    draw = forms.ChoiceField(
        label=gettext_lazy("Draw"),
        choices=[
            (LOTS, gettext_lazy("every station by lots")),
            (FIXED, gettext_lazy("fixed: lines 1 and 2 meet, 3 and 4 …")),
        ],
        initial=LOTS, required=False,
        help_text=gettext_lazy("The winner of the first match meets the winner of the last."),
    )  # fmt: skip
    k = forms.TypedChoiceField(
        label="K", coerce=int, choices=[(n, str(n)) for n in range(K_STEP, MOST_K + 1, K_STEP)],
        initial=USUAL_K, required=False,
        help_text=gettext_lazy("How far a game moves a rating on the way."),
    )  # fmt: skip

    def __init__(self, *args: Any, lists: Sequence[RatingList], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.lists = {row.slug: row for row in lists}
        self.event: OwnEvent | None = None
        self.fields["list"].choices = [(row.slug, row.shown_name) for row in lists]  # type: ignore[attr-defined]

    @property
    def query(self) -> str:
        """The question as the address holds it: players by number, one a line."""
        assert self.event is not None
        numbers = "\n".join(str(number) for number in self.event.written)
        return urlencode({**self._asked(), "list": self.cleaned_data["list"], "people": numbers})

    def _asked(self) -> dict[str, Any]:
        chosen = {name: self.cleaned_data.get(name) for name in self.more}
        return {name: value or self.fields[name].initial for name, value in chosen.items()}

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or self.cleaned_data
        if not self.errors:
            self.event = self._event(cleaned["people"])
        return cleaned

    def _event(self, text: str) -> OwnEvent | None:
        try:
            numbers = _numbers(text)
            event = own_event(self.lists[self.cleaned_data["list"]], numbers, self._asked())
            if event is None:
                raise ValidationError(
                    _("Each of them needs a rating in the list: look there who is missing, or choose others.")
                )
        except ValidationError as problem:
            self.add_error("people", problem)
            return None
        return event


def _numbers(text: str) -> list[int]:
    """The numbers of the players, in the order of the lines. Raises ValidationError with a sentence a problem."""
    lines = [(row, clean_name(line)) for row, line in enumerate(text.splitlines(), start=1)]
    named = [(row, line) for row, line in lines if line]
    if len(named) not in SIZES:
        raise ValidationError(_("There are %(count)s lines with players: write 2, 4, 8 or 16.") % {"count": len(named)})
    by_number = {row: int(found.group(1)) for row, line in named if (found := _NUMBER.match(line))}
    known = Player.objects.filter(number__in=by_number.values(), merged_into=None).in_bulk(field_name="number")
    by_name = players_by_name(line for row, line in named if row not in by_number)
    first_line: dict[int, int] = {}
    problems = []
    for row, line in named:
        people = [known[by_number[row]]] if by_number.get(row) in known else by_name.get(line, [])
        chosen = [player for player in people if may_be_chosen(player)]
        if len(chosen) != 1:
            problems.append(_unclear(row, line, len(chosen)))
        elif (earlier := first_line.setdefault(chosen[0].number, row)) != row:
            problems.append(_("Line %(row)s repeats line %(earlier)s.") % {"row": row, "earlier": earlier})
    if problems:
        raise ValidationError(problems[:MAX_PROBLEMS])
    return [*first_line]


def _unclear(row: int, line: str, count: int) -> str:
    """Nobody tells whether somebody is hidden, under age, or not there at all."""
    words = {"row": row, "line": line[:60]}
    if count:
        return _("Line %(row)s: several are called “%(line)s”. Write the number of one.") % words
    return _("Line %(row)s: nobody who is shown to everybody by name is “%(line)s”.") % words
