"""Forms of the arbiter's tournament pages: the event itself, entries, rounds, and what stands above the boards."""

from datetime import date
from typing import Any

from django import forms
from django.core.validators import MaxValueValidator, MinValueValidator
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext_lazy as _

from clubrating.admin_site import ServiceForm
from players.services.refusals import Refused
from ratings.models import RatingList
from tournaments.models import Tournament
from tournaments.services.results import EARLIEST_DAY, check_day

LATEST_DAY = date(2200, 1, 1)
# A format in an arbiter's words → pairing system and its settings.
FORMATS: dict[str, tuple[str, dict[str, Any]]] = {
    "once": ("round-robin", {"cycles": 1}),
    "twice": ("round-robin", {"cycles": 2}),
}


def _pools() -> list[tuple[str, str]]:
    """The pools of the rating lists, each with the lists that rate it."""
    pools: dict[str, list[str]] = {}
    for pool, name in RatingList.objects.values_list("pool", "name"):
        pools.setdefault(pool, []).append(name)
    return [(pool, f"{pool} ({', '.join(names)})") for pool, names in pools.items()] or [("standard", "standard")]


class DayInput(forms.DateInput):
    input_type = "date"

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(format="%Y-%m-%d", **kwargs)


class TournamentForm(ServiceForm):
    """An event with its format. The format is fixed as long as there are rounds."""

    play = forms.ChoiceField(
        label=_("Format"),
        choices=[("once", _("round robin: everybody meets everybody once")), ("twice", _("round robin: twice"))],
        initial="once",
    )
    swap_last_two = forms.BooleanField(
        label=_("Swap the last two rounds of the first cycle"),
        required=False,
        help_text=_(
            "Only when played twice: nobody then has the same colour three times running where the cycles join."
        ),
    )
    pool = forms.ChoiceField(label=_("Pool"), help_text=_("Which ratings the games count for."))
    re_rate = forms.BooleanField(
        label=_("Re-rate the games played"),
        required=False,
        help_text=_("Needed to change “rated”, the pool or the first day once results are in: ratings move with it."),
    )

    class Meta:
        model = Tournament
        fields = ("name", "place", "starts_on", "ends_on", "rated", "pool", "tier_from", "tier_below")

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        pool = self.fields["pool"]
        if isinstance(pool, forms.ChoiceField):
            here = {self.instance.pool: self.instance.pool} if self.instance.pk else {}
            pool.choices = list({**here, **dict(_pools())}.items())
        if self.instance.pk:
            self._read_stage()
        if not self._results():
            self.fields.pop("re_rate", None)

    def _results(self) -> int:
        return self.instance.games.exclude(result="").count() if self.instance.pk else 0

    def _read_stage(self) -> None:
        stage = self.instance.stages.first()
        if stage is None or not stage.pairing_system:  # open-ended: games without rounds
            del self.fields["play"], self.fields["swap_last_two"]
            return
        self.initial["play"] = "twice" if stage.settings.get("cycles", 1) == 2 else "once"
        self.initial["swap_last_two"] = bool(stage.settings.get("swap_last_two"))
        if stage.rounds.exists():
            self.fields["play"].disabled = self.fields["swap_last_two"].disabled = True
            self.fields["play"].help_text = _("The rounds are made: delete them to change the format.")

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean()
        moves = {"rated", "pool", "starts_on"} & set(self.changed_data)
        if moves and "re_rate" in self.fields and not cleaned.get("re_rate"):
            text = _("%(count)s results are in and would be rated anew. If that is what you want, tick this box.")
            self.add_error("re_rate", text % {"count": self._results()})
        if cleaned.get("swap_last_two") and cleaned.get("play") == "once":
            self.add_error("swap_last_two", _("There is only one cycle: choose “twice”, or leave this box empty."))
        return cleaned

    def changes(self) -> dict[str, Any]:
        """With the format put as the services know it."""
        changes = super().changes()
        changes.pop("re_rate", None)
        asked = {changes.pop("play", None), changes.pop("swap_last_two", None)}
        return {**changes, **self.format()} if asked != {None} else changes

    def format(self) -> dict[str, Any]:
        """The chosen pairing system and its settings."""
        system, settings = FORMATS[self.cleaned_data["play"]]
        swap = {"swap_last_two": True} if self.cleaned_data.get("swap_last_two") else {}
        return {"pairing_system": system, "settings": {**settings, **swap}}


class NamesForm(forms.Form):
    names = forms.CharField(
        label=_("Paste names"),
        required=False,
        max_length=20_000,
        widget=forms.Textarea(attrs={"rows": 6, "spellcheck": "false"}),
        help_text=_("One per line, as they stand in the list of players; #17 for player number 17."),
    )


class LotsForm(forms.Form):
    seed = forms.IntegerField(
        label=_("Seed"),
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
        day: date = self.cleaned_data["played_on"]
        try:
            check_day(day)
        except Refused as refusal:
            raise forms.ValidationError(str(refusal)) from None
        if self.event.starts_on and day < self.event.starts_on <= timezone.localdate():
            first = date_format(self.event.starts_on, "j F Y")
            raise forms.ValidationError(
                _("The event began on %(first)s: correct this day, or the event’s first day.") % {"first": first}
            )
        return day
