"""Forms of the builders, and how the names pasted into them are read."""

import re
from collections.abc import Sequence
from datetime import date
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from clubrating.web.forms_tool_form import ToolForm
from players.people.names import MAX_NAME, clean_name
from tournaments.pairing.base import SEED_BELOW, Option
from tournaments.pairing.knockout import LOTS, Knockout
from tournaments.pairing.round_robin import RoundRobin

# More complaints than these help nobody: the first ones usually explain the rest.
MAX_PROBLEMS = 5
NO_NAMES = gettext_lazy("Write at least two names, each on a line of its own.")
EARLIEST, LATEST = date(1950, 1, 1), date(2200, 1, 1)
_COUNTED = re.compile(r"^\d{1,3}[.)]\s+")


class SeedField(forms.IntegerField):
    """The seed of a draw of lots, to be drawn again; empty for a new one."""

    def __init__(self, **options: Any) -> None:
        super().__init__(**{"required": False, "min_value": 0, "max_value": SEED_BELOW - 1, **options})


class BuilderForm(ToolForm):
    """What both builders ask. Posted, since nobody knows beforehand whether all names find room in an address; where
    they do, the answer leads to the address that holds them. `cleaned_data["names"]` is the list of names."""

    method = "post"
    most_names = 0
    names: Any = None

    title = forms.CharField(
        label=gettext_lazy("Name of the event"),
        required=False,
        max_length=MAX_NAME,
        help_text=gettext_lazy("Stands above the sheet and in the calendar."),
    )
    seed = SeedField(
        label=gettext_lazy("Seed of an earlier draw"),
        help_text=gettext_lazy("The same names and seed give the same draw; leave it empty for a new one."),
    )
    private = forms.BooleanField(
        label=gettext_lazy("Keep the names out of the address"),
        required=False,
        help_text=gettext_lazy("The page can then be printed and kept, but not sent as a link."),
    )

    def clean_names(self) -> list[str]:
        return read_names(self.cleaned_data["names"], self.most_names)

    def clean_title(self) -> str:
        return clean_name(self.cleaned_data["title"])

    @property
    def by_lots(self) -> bool:
        """Whether the order is drawn. A typed seed means a draw."""
        raise NotImplementedError

    def question(self, seed: int | None) -> list[tuple[str, str]]:
        """The question as the address holds it: what is filled in, the names one a line, the seed of the draw."""
        data = {name: str(self.data.get(name, "")).strip() for name in self.fields}
        data |= {"names": "\n".join(self.cleaned_data["names"]), "seed": "" if seed is None else str(seed)}
        return [(name, value) for name, value in data.items() if value and value != str(self.fields[name].initial)]


def _names_field(label: Any, help_text: Any, most: int) -> forms.CharField:
    return forms.CharField(
        label=label,
        max_length=most,
        strip=False,  # the line numbers of our messages count blank lines too
        widget=forms.Textarea(attrs={"rows": 10, "spellcheck": "false"}),
        help_text=help_text,
        error_messages={"required": NO_NAMES},
    )


class ScheduleForm(BuilderForm):
    """Names and how they shall meet; days and hour, where a calendar is wanted."""

    button = gettext_lazy("Make the schedule")
    more_words = gettext_lazy("Days, seed, name of the event")
    more = ("first_day", "every", "at", "seed", "swap_last_two", "title", "private")
    most_names = RoundRobin.max_players
    field_order = ("names", "order", "cycles")

    names = _names_field(
        gettext_lazy("Names, one a line"), gettext_lazy("Up to 40, or a number instead. They are not stored."), 10_000
    )
    order = forms.ChoiceField(
        label=gettext_lazy("Pairing numbers"),
        choices=[("listed", gettext_lazy("in the order of the list")), ("lots", gettext_lazy("by drawing lots"))],
        initial="listed",
        required=False,
    )
    cycles = forms.TypedChoiceField(
        label=gettext_lazy("Everybody meets everybody"),
        choices=[(1, gettext_lazy("once")), (2, gettext_lazy("twice, with both colours"))],
        coerce=int,
        initial=1,
        required=False,
    )
    swap_last_two = forms.BooleanField(
        label=gettext_lazy("Exchange the last two rounds of the first cycle"),
        required=False,
        help_text=gettext_lazy("Only if everybody meets twice: then nobody has one colour three times running."),
    )
    first_day = forms.DateField(
        label=gettext_lazy("First day"),
        required=False,
        widget=forms.DateInput(format="%Y-%m-%d", attrs={"type": "date"}),
    )
    every = forms.IntegerField(
        label=gettext_lazy("Days between rounds"),
        required=False,
        min_value=0,
        max_value=366,
        initial=7,
        help_text=gettext_lazy("0: all on one day. Empty: a week."),
    )
    at = forms.TimeField(
        label=gettext_lazy("Begin"),
        required=False,
        widget=forms.TimeInput(format="%H:%M", attrs={"type": "time"}),
        help_text=gettext_lazy("Empty: the calendar’s rounds last the whole day."),
    )

    def clean_first_day(self) -> date | None:
        day: date | None = self.cleaned_data["first_day"]
        if day is not None and not EARLIEST <= day <= LATEST:
            text = _("The day lies between %(first)s and %(last)s.")
            raise ValidationError(text % {"first": EARLIEST.year, "last": LATEST.year})
        return day

    def clean_cycles(self) -> int:
        return int(self.cleaned_data["cycles"] or 1)

    def clean_every(self) -> int:
        every = self.cleaned_data["every"]
        return 7 if every is None else int(every)

    @property
    def by_lots(self) -> bool:
        return self.cleaned_data["order"] == "lots" or self.cleaned_data["seed"] is not None

    def want_a_day(self) -> None:
        """A calendar was asked for, and there is no day."""
        self.add_error("first_day", _("A calendar needs days: say the first one."))


def option_called(key: str) -> Option:
    """The knockout's setting of that key, whose words the form shows."""
    return next(option for option in Knockout.options if option.key == key)


def _choice(key: str) -> forms.ChoiceField:
    option = option_called(key)
    words = [(value, gettext_lazy(text)) for value, text in option.choices]
    label = gettext_lazy(option.label)
    return forms.TypedChoiceField(
        label=label, choices=words, initial=option.default, required=False, empty_value=str(option.default)
    )


class BracketForm(BuilderForm):
    """Names, the best first, and how the bracket is drawn."""

    button = gettext_lazy("Draw the bracket")
    more_words = gettext_lazy("Seed, who meets next, games, name")
    more = ("pairs", "games", "seed", "title", "private")
    most_names = Knockout.max_players
    field_order = ("names", "seeding", "third_place")

    names = _names_field(
        gettext_lazy("Names, one a line, the best first"),
        gettext_lazy("Up to 256, or a number instead. They are not stored."),
        50_000,
    )
    seeding = _choice("seeding")
    third_place = forms.BooleanField(label=gettext_lazy("Match for third place"), required=False)
    pairs = _choice("pairs")
    games = forms.IntegerField(
        label=gettext_lazy("Games of a match"),
        required=False,
        min_value=option_called("games").lowest,
        max_value=option_called("games").highest,
        initial=1,
        help_text=gettext_lazy("Best of so many; stands above the sheet."),
    )

    def clean(self) -> dict[str, Any]:
        """A typed seed means a draw by lots."""
        data = super().clean() or {}
        if data.get("seed") is not None:
            data["seeding"] = LOTS
        data["games"] = data.get("games") or 1
        return data

    @property
    def by_lots(self) -> bool:
        return bool(self.cleaned_data["seeding"] == LOTS)


def read_names(text: str, most: int) -> list[str]:
    """The names, one a line; a number in front ("3. Ada") is left out, a number alone stands for so many players.
    Raises ValidationError with a sentence a problem."""
    lines = [(row, _COUNTED.sub("", clean_name(line))) for row, line in enumerate(text.splitlines(), start=1)]
    named = [(row, name) for row, name in lines if name]
    if len(named) == 1 and named[0][1].isdecimal() and len(named[0][1]) < 10:
        return _numbered(int(named[0][1]), most)
    problems = name_problems(named, most)
    if problems:
        raise ValidationError(problems[:MAX_PROBLEMS])
    return [name for _row, name in named]


def _numbered(count: int, most: int) -> list[str]:
    if not 2 <= count <= most:
        text = _("For %(count)s players there is no plan here: from 2 to %(most)s can be made.")
        raise ValidationError(text % {"count": count, "most": most})
    return [_("Player %(number)s") % {"number": number} for number in range(1, count + 1)]


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
