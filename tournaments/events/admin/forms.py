"""Forms of the arbiter's tournament pages: entries, rounds, and what stands above the boards."""

from datetime import date
from typing import Any

from django import forms
from django.core.validators import MaxValueValidator, MinValueValidator
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from clubrating.web.formatting import day_text
from players.refusals import Refused
from tournaments.models import Tournament
from tournaments.results.services.results import EARLIEST_DAY, check_day

LATEST_DAY = date(2200, 1, 1)


class DayInput(forms.DateInput):
    input_type = "date"

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(format="%Y-%m-%d", **kwargs)


class NamesForm(forms.Form):
    names = forms.CharField(
        label=_("Paste names"),
        required=False,
        max_length=20_000,
        widget=forms.Textarea(attrs={"rows": 6, "spellcheck": "false"}),
        help_text=_("One per line, as they stand in the list of players; #17 for player number 17."),
    )


def day_that_has_come(day: date) -> date:
    """The day a game was played on. Raises ValidationError for one to come."""
    try:
        check_day(day)
    except Refused as refusal:
        raise forms.ValidationError(str(refusal)) from None
    return day


class LotsForm(forms.Form):
    seed = forms.IntegerField(
        label=_("Seed of the lots"),
        required=False,
        min_value=0,
        max_value=999_999_999,
        help_text=_("Empty: by chance. The same seed and entries give the same numbers."),
    )


class RoundsForm(forms.Form):
    first_day = forms.DateField(
        label=_("First day"),
        required=False,
        widget=DayInput(),
        validators=[MinValueValidator(EARLIEST_DAY), MaxValueValidator(LATEST_DAY)],
    )
    days_between = forms.IntegerField(
        label=_("Days between rounds"),
        min_value=0,
        max_value=366,
        initial=7,
        help_text=_("0: all on one day."),
    )


class SittingForm(forms.Form):
    """What holds for all boards saved together."""

    played_on = forms.DateField(label=_("Played on"), widget=DayInput())
    move_day = forms.BooleanField(
        label=_("Move the boards that have a result to this day too"),
        required=False,
    )

    def __init__(self, *args: Any, corrections: bool, event: Tournament, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.event = event
        if not corrections:
            del self.fields["move_day"]

    def clean_played_on(self) -> date:
        """A day that has come, and not before the event: a slip in the year would re-rate everything since."""
        day = day_that_has_come(self.cleaned_data["played_on"])
        if self.event.starts_on and day < self.event.starts_on <= timezone.localdate():
            first = day_text(self.event.starts_on, "long")
            raise forms.ValidationError(
                _("The event began on %(first)s: correct this day, or the event’s first day.") % {"first": first}
            )
        return day
