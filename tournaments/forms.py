"""Forms of the tools."""

from collections.abc import Sequence
from typing import Any

from crispy_forms.helper import FormHelper
from crispy_forms.layout import Submit
from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from players.names import MAX_NAME, clean_name
from tournaments.pairing.base import SEED_BELOW, Option
from tournaments.pairing.knockout import LOTS, Knockout
from tournaments.pairing.round_robin import RoundRobin

# More complaints than these help nobody: the first ones usually explain the rest.
MAX_PROBLEMS = 5
NO_NAMES = gettext_lazy("Write at least two names, each on a line of its own.")


class SeedField(forms.IntegerField):
    """The seed of a draw of lots, to be drawn again; empty for a new one."""

    def __init__(self, **options: Any) -> None:
        super().__init__(**{"required": False, "min_value": 0, "max_value": SEED_BELOW - 1, **options})


class ScheduleForm(forms.Form):
    """Names, one a line, and how they shall meet. `cleaned_data["names"]` is the list of names."""

    names = forms.CharField(
        label=gettext_lazy("Names, one a line"),
        max_length=10_000,
        strip=False,  # the line numbers of our messages count blank lines too
        widget=forms.Textarea(attrs={"rows": 10, "spellcheck": "false"}),
        help_text=gettext_lazy("Up to 40. They are not stored."),
        error_messages={"required": NO_NAMES},
    )
    order = forms.ChoiceField(
        label=gettext_lazy("Pairing numbers"),
        choices=[("listed", gettext_lazy("in the order of the list")), ("lots", gettext_lazy("by drawing lots"))],
        initial="listed",
    )
    seed = SeedField(
        label=gettext_lazy("Seed of an earlier draw"),
        help_text=gettext_lazy("Optional. The same names and seed give the same draw; leave it empty for a new one."),
    )
    cycles = forms.TypedChoiceField(
        label=gettext_lazy("Everybody meets everybody"),
        choices=[(1, gettext_lazy("once")), (2, gettext_lazy("twice, with both colours"))],
        coerce=int,
        initial=1,
    )
    swap_last_two = forms.BooleanField(
        label=gettext_lazy("Exchange the last two rounds of the first cycle"),
        required=False,
        help_text=gettext_lazy("Only if everybody meets twice: then nobody has one colour three times running."),
    )

    @property
    def helper(self) -> FormHelper:
        """Names are posted, so that they stand in no address and in no log."""
        helper = FormHelper()
        helper.form_method = "post"
        helper.form_class = "form"
        helper.add_input(Submit("", _("Make the schedule")))
        return helper

    def clean_names(self) -> list[str]:
        return read_names(self.cleaned_data["names"], RoundRobin.max_players)


def option_called(key: str) -> Option:
    """The knockout's setting of that key, whose words the form shows."""
    return next(option for option in Knockout.options if option.key == key)


def _choice(key: str) -> forms.ChoiceField:
    option = option_called(key)
    words = [(value, gettext_lazy(text)) for value, text in option.choices]
    return forms.ChoiceField(label=gettext_lazy(option.label), choices=words, initial=option.default)


class BracketForm(forms.Form):
    """Names, the best first, and how the bracket is drawn. `cleaned_data["names"]` is the list of names."""

    names = forms.CharField(
        label=gettext_lazy("Names, one a line, the best first"),
        max_length=50_000,
        strip=False,  # as above
        widget=forms.Textarea(attrs={"rows": 10, "spellcheck": "false"}),
        help_text=gettext_lazy("Up to 256. They are not stored."),
        error_messages={"required": NO_NAMES},
    )
    seeding = _choice("seeding")
    seed = SeedField(
        label=gettext_lazy("Seed of an earlier draw"),
        help_text=gettext_lazy("Optional. The same names and seed give the same draw; leave it empty for a new one."),
    )
    pairs = _choice("pairs")
    third_place = forms.BooleanField(label=gettext_lazy("Match for third place"), required=False)

    @property
    def helper(self) -> FormHelper:
        """Names are posted, so that they stand in no address and in no log."""
        helper = FormHelper()
        helper.form_method = "post"
        helper.form_class = "form"
        helper.add_input(Submit("", _("Draw the bracket")))
        return helper

    def clean_names(self) -> list[str]:
        return read_names(self.cleaned_data["names"], Knockout.max_players)

    def clean(self) -> dict[str, Any]:
        """A typed seed means a draw by lots."""
        data = super().clean() or {}
        if data.get("seed") is not None:
            data["seeding"] = LOTS
        return data


def read_names(text: str, most: int) -> list[str]:
    """The names, one a line. Raises ValidationError with a sentence a problem."""
    lines = [(row, clean_name(line)) for row, line in enumerate(text.splitlines(), start=1)]
    named = [(row, name) for row, name in lines if name]
    problems = name_problems(named, most)
    if problems:
        raise ValidationError(problems[:MAX_PROBLEMS])
    return [name for _row, name in named]


def name_problems(named: Sequence[tuple[int, str]], most: int) -> list[str]:
    """What is wrong with the names (line number, name), one sentence each."""
    problems: list[str] = []
    first_line: dict[str, int] = {}
    for row, name in named:
        if len(name) > MAX_NAME:
            problems.append(
                _("Line %(row)s is longer than %(most)s characters: one name a line.") % {"row": row, "most": MAX_NAME}
            )
        earlier = first_line.setdefault(name.casefold(), row)
        if earlier != row:
            problems.append(
                _("Line %(row)s repeats line %(earlier)s, “%(name)s”: remove one, or tell the two apart.")
                % {"row": row, "earlier": earlier, "name": name[:MAX_NAME]}
            )
    return problems + _count_problems(named, most)


def _count_problems(named: Sequence[tuple[int, str]], most: int) -> list[str]:
    if len(named) > most:
        row = named[most][0]
        return [
            _("%(count)s names are too many: line %(row)s is the first beyond %(most)s. Form groups.")
            % {"count": len(named), "row": row, "most": most}
        ]
    if len(named) == 1:
        return [_("Only line %(row)s holds a name: at least two are needed.") % {"row": named[0][0]}]
    return [] if named else [str(NO_NAMES)]
