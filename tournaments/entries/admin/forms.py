"""Forms of an entry's life: leaving, byes, who should not meet, numbers drawn in the hall."""

from collections.abc import Sequence
from typing import Any

from django import forms
from django.core.validators import MaxValueValidator
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from players.privacy.rules import OFFICER, shown_name
from tournaments.events.selectors.stages import round_limit
from tournaments.models import ByeKind, Entry, LeaverRule, Stage
from tournaments.presence.services import FURTHEST, is_excusing

NOTE_HELP = gettext_lazy("For officers only: no names of players.")


class NoteForm(forms.Form):
    note = forms.CharField(label=gettext_lazy("Note"), required=False, max_length=500, help_text=NOTE_HELP)


class WithdrawForm(NoteForm):
    """Why, and by which rule; the rule is asked where it makes a difference."""

    rule = forms.ChoiceField(
        label=gettext_lazy("The games played"),
        choices=LeaverRule.choices,
        widget=forms.RadioSelect,
        help_text=gettext_lazy("Holds for everybody who leaves this event."),
    )
    field_order = ("rule", "note")

    def __init__(self, *args: Any, with_rule: bool, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if not with_rule:
            del self.fields["rule"]


class ByeForm(forms.Form):
    """A round to be missed. Under Keizer a half-point bye is an excuse."""

    round_number = forms.IntegerField(label=gettext_lazy("Round"), min_value=1)
    kind = forms.ChoiceField(label=gettext_lazy("Kind"))
    against_rules = forms.BooleanField(
        label=gettext_lazy("A full point is meant, against FIDE’s rules"), required=False
    )

    def __init__(self, *args: Any, stage: Stage, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        number, kind = self.fields["round_number"], self.fields["kind"]
        last = round_limit(stage) or FURTHEST
        number.validators.append(MaxValueValidator(last))
        number.widget.attrs["max"] = last
        if isinstance(kind, forms.ChoiceField):
            kind.choices = bye_choices(stage)


def bye_choices(stage: Stage) -> list[tuple[str, str]]:
    """The kinds of byes in the words of the stage's format."""
    if is_excusing(stage):
        half, zero = _("excused"), _("absent without excuse")
    else:
        half, zero = _("half-point bye"), _("zero-point bye")
    return [(ByeKind.HALF, half), (ByeKind.ZERO, zero), (ByeKind.FULL, _("full-point bye"))]


class RatingForm(forms.Form):
    """The rating a Swiss is paired by, while it may still be corrected."""

    rating = forms.IntegerField(
        label=gettext_lazy("Rating in this event"),
        required=False,
        min_value=1,
        help_text=gettext_lazy("Empty: unrated. The number follows the rating; the rating lists are not touched."),
    )


class GroupForm(forms.Form):
    names = forms.CharField(
        label=gettext_lazy("Players who should not meet each other"),
        max_length=5_000,
        widget=forms.Textarea(attrs={"rows": 5, "spellcheck": "false"}),
        help_text=gettext_lazy(
            "One per line, two or more: a family, a club. As they stand in the list of players; #17 for player 17."
        ),
    )


class HallNumbersForm(forms.Form):
    """One field an entry: the number drawn in the hall, each from 1 to n once."""

    def __init__(self, *args: Any, entries: Sequence[Entry], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.entries = entries
        for entry in entries:
            self.fields[self.name_of(entry)] = forms.IntegerField(
                label=shown_name(entry.player, OFFICER),
                min_value=1,
                max_value=len(entries),
                initial=entry.number,
                widget=forms.NumberInput(attrs={"inputmode": "numeric"}),
            )

    @staticmethod
    def name_of(entry: Entry) -> str:
        return f"number-{entry.pk}"

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or self.cleaned_data
        given: dict[int, Entry] = {}
        for entry in self.entries:
            number = cleaned.get(self.name_of(entry))
            if number in given:
                other = shown_name(given[number].player, OFFICER)
                text = _("%(number)s is given to %(other)s already: each number belongs to one player.")
                self.add_error(self.name_of(entry), text % {"number": number, "other": other})
            elif number is not None:
                given[number] = entry
        return cleaned

    def in_order(self) -> list[Entry]:
        """The entries in the order of their numbers."""
        return sorted(self.entries, key=lambda entry: self.cleaned_data[self.name_of(entry)])
