"""Forms of the builders (schedule, bracket) and of the format adviser, and how what is pasted into them is read.

`read_names`: names, one a line. `read_field`: ratings, a line a player, his rating the only number of three or four
figures in it; any other text of the line, such as a name, is passed over and not kept.
"""

import re
import unicodedata
from collections.abc import Sequence
from datetime import date
from typing import Any
from urllib.parse import urlencode

from django import forms
from django.core.exceptions import ValidationError
from django.core.validators import MaxValueValidator, MinValueValidator
from django.utils.text import format_lazy
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from clubrating.ground.figures import round_half_away
from clubrating.web.forms import ToolForm
from players.people.names import MAX_NAME, clean_name
from players.refusals import listed
from tournaments.builders.selectors import MOST_DRAWS
from tournaments.forecast.adviser import even_steps
from tournaments.forecast.formats import Hall
from tournaments.pairing.base import SEED_BELOW, Option
from tournaments.pairing.knockout import LOTS, Knockout
from tournaments.pairing.round_robin import RoundRobin

# --- the builders -------------------------------------------------------------------------------------------------
MAX_PROBLEMS = 5  # are shown: the first ones usually explain the rest
NO_NAMES = gettext_lazy("Write at least two names, each on a line of its own.")
EARLIEST, LATEST = date(1950, 1, 1), date(2200, 1, 1)
_COUNTED = re.compile(r"^\d{1,3}[.)]\s+")


class SeedField(forms.IntegerField):
    """The seed of a draw of lots, to be drawn again; empty for a new one."""

    def __init__(self, **options: Any) -> None:
        super().__init__(**{"required": False, "min_value": 0, "max_value": SEED_BELOW - 1, **options})


class UsualNumber(forms.IntegerField):
    """A whole number, the `usual` one where nothing is written."""

    def __init__(self, *, usual: int, **options: Any) -> None:
        super().__init__(**{"required": False, "initial": usual, **options})
        self.usual = usual

    def clean(self, value: Any) -> int:
        number = super().clean(value)
        return self.usual if number is None else int(number)


class BuilderForm(ToolForm):
    """What both builders ask. Posted, since nobody knows beforehand whether all names find room in an address; where
    they do, the answer leads to the address that holds them. `cleaned_data["names"]` is the list of names."""

    method = "post"
    most_names = 0
    order_field = ""  # says whether lots are drawn
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
        return self.cleaned_data[self.order_field] == LOTS or self.cleaned_data["seed"] is not None

    def question(self, seed: int | None) -> list[tuple[str, str]]:
        """The question as the address holds it: what is filled in, the names one a line, the seed of the draw."""
        data = {name: str(self.data.get(name, "")).strip() for name in self.fields}
        data |= {"names": "\n".join(self.cleaned_data["names"]), "seed": "" if seed is None else str(seed)}
        return [(name, value) for name, value in data.items() if value and value != str(self.fields[name].initial)]


def _lines_field(label: Any, help_text: Any, most: int, *, required: Any = NO_NAMES, rows: int = 10) -> forms.CharField:
    """A field for lines, of `most` characters together; the words where it is empty are `required`."""
    return forms.CharField(
        label=label,
        max_length=most,
        strip=False,  # the line numbers of our messages count blank lines too
        widget=forms.Textarea(attrs={"rows": rows, "spellcheck": "false"}),
        help_text=help_text,
        error_messages={"required": required},
    )


class ScheduleForm(BuilderForm):
    """Names and how they shall meet; days and hour, where a calendar is wanted."""

    button = gettext_lazy("Make the schedule")
    more_words = gettext_lazy("Days, seed, name of the event")
    more = ("first_day", "every", "at", "seed", "swap_last_two", "title", "private")
    most_names = RoundRobin.max_players
    order_field = "order"
    field_order = ("names", "order", "cycles")

    names = _lines_field(
        gettext_lazy("Names, one a line"), gettext_lazy("Up to 40, or a number instead. They are not stored."), 10_000
    )
    order = forms.ChoiceField(
        label=gettext_lazy("Pairing numbers"),
        choices=[("listed", gettext_lazy("in the order of the list")), (LOTS, gettext_lazy("by drawing lots"))],
        initial="listed",
        required=False,
    )
    cycles = forms.TypedChoiceField(
        label=gettext_lazy("Everybody meets everybody"),
        choices=[(1, gettext_lazy("once")), (2, gettext_lazy("twice, with both colours"))],
        coerce=int,
        initial=1,
        required=False,
        empty_value=1,  # type: ignore[arg-type]
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
    every = UsualNumber(
        label=gettext_lazy("Days between rounds"),
        usual=7,
        min_value=0,
        max_value=366,
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
    order_field = "seeding"
    field_order = ("names", "seeding", "third_place")

    names = _lines_field(
        gettext_lazy("Names, one a line, the best first"),
        gettext_lazy("Up to 256, or a number instead. They are not stored."),
        50_000,
    )
    seeding = _choice("seeding")
    third_place = forms.BooleanField(label=gettext_lazy("Match for third place"), required=False)
    pairs = _choice("pairs")
    games = UsualNumber(
        label=gettext_lazy("Games of a match"),
        usual=1,
        min_value=option_called("games").lowest,
        max_value=option_called("games").highest,
        help_text=gettext_lazy("Best of so many; stands above the sheet."),
    )

    def clean(self) -> dict[str, Any]:
        """A typed seed means a draw by lots."""
        data = super().clean() or {}
        if data.get("seed") is not None:
            data["seeding"] = LOTS
        return data


def read_names(text: str, most: int) -> list[str]:
    """The names, one a line; a number in front ("3. Ada") is left out, a number alone stands for so many players.
    Raises ValidationError with a sentence a problem."""
    lines = [(row, _COUNTED.sub("", clean_name(line))) for row, line in enumerate(text.splitlines(), start=1)]
    named = [(row, name) for row, name in lines if name]
    if len(named) == 1 and named[0][1].isdecimal() and len(named[0][1]) < 10:
        count = int(named[0][1])
        if not 2 <= count <= most:
            text = _("For %(count)s players there is no plan here: from 2 to %(most)s can be made.")
            raise ValidationError(text % {"count": count, "most": most})
        return [_("Player %(number)s") % {"number": number} for number in range(1, count + 1)]
    if problems := _name_problems(named, most):
        raise ValidationError(problems[:MAX_PROBLEMS])
    return [name for _row, name in named]


def _name_problems(named: Sequence[tuple[int, str]], most: int) -> list[str]:
    """What is wrong with the names (line number, name), one sentence each."""
    problems: list[str] = []
    first_line: dict[str, int] = {}
    for row, name in named:
        if len(name) > MAX_NAME:
            text = _("Line %(row)s is longer than %(most)s characters: one name a line.")
            problems.append(text % {"row": row, "most": MAX_NAME})
        earlier = first_line.setdefault(name.casefold(), row)
        if earlier != row:
            text = _("Line %(row)s repeats line %(earlier)s, “%(name)s”: remove one, or tell the two apart.")
            problems.append(text % {"row": row, "earlier": earlier, "name": name[:MAX_NAME]})
    if len(named) > most:
        text = _("%(count)s names are too many: line %(row)s is the first beyond %(most)s. Form groups.")
        problems.append(text % {"count": len(named), "row": named[most][0], "most": most})
    elif len(named) == 1:
        problems.append(_("Only line %(row)s holds a name: at least two are needed.") % {"row": named[0][0]})
    return problems if named else [str(NO_NAMES)]


# --- the format adviser -------------------------------------------------------------------------------------------
MOST_PLAYERS = 200
LOWEST, HIGHEST = 100, 4000
WIDEST = 3000  # points from the strongest to the weakest
ASSUMED_DRAWS = 30  # of 100 games between equals: what the lists assume before they have games of their own
NOBODY_YET = gettext_lazy("Write the ratings, one a line, or the number of players alone.")
_RATING = re.compile(r"(?<![\w.,])\d{3,4}(?:[.,]\d+)?(?!\w)")


def _whole(label: Any, low: int, high: int, *, usual: int | None = None, **options: Any) -> forms.IntegerField:
    beyond = format_lazy(gettext_lazy("Write a number from {low} to {high}."), low=low, high=high)
    words = dict.fromkeys(("min_value", "max_value", "invalid"), beyond)
    options |= {"label": label, "min_value": low, "max_value": high, "error_messages": words}
    return forms.IntegerField(**options) if usual is None else UsualNumber(usual=usual, **options)


class FormatForm(ToolForm):
    """Who plays, and what the club has. `cleaned_data["field"]` is the list of ratings in whole points, best first."""

    method, asks = "post", True
    button = gettext_lazy("Compare the formats")
    more_words = gettext_lazy("Dates, draws")
    more = ("first_evening", "every", "draws")

    field = _lines_field(
        gettext_lazy("Ratings, one a line"),
        gettext_lazy("Up to 200; a name beside a rating is passed over and not kept. Or a number of players."),
        20_000,
        required=NOBODY_YET,
        rows=8,
    )
    spread = _whole(
        gettext_lazy("Points from the strongest to the weakest"),
        0,
        WIDEST,
        usual=600,
        help_text=gettext_lazy("For a number of players: the others stand at equal steps between."),
    )
    evenings = _whole(gettext_lazy("Number of evenings"), 1, 100)
    boards = _whole(
        gettext_lazy("Boards in the hall"),
        1,
        100,
        required=False,
        help_text=gettext_lazy("Empty: enough for everybody."),
    )
    rounds_an_evening = _whole(gettext_lazy("Rounds an evening"), 1, 20, usual=1)
    first_evening = forms.DateField(
        label=gettext_lazy("First evening"),
        required=False,
        widget=forms.DateInput(format="%Y-%m-%d", attrs={"type": "date"}),
        validators=[MinValueValidator(EARLIEST), MaxValueValidator(LATEST)],
        help_text=gettext_lazy("Then each format has the day of its last evening."),
    )
    every = _whole(gettext_lazy("Days between evenings"), 0, 366, usual=7)
    draws = _whole(
        gettext_lazy("Draws, of 100 games between equals"),
        0,
        MOST_DRAWS,
        usual=ASSUMED_DRAWS,
        initial=None,
        help_text=gettext_lazy("Empty: 30."),
    )

    def __init__(self, data: Any = None, *, draws: int | None = None, **options: Any) -> None:
        """`draws`: as many as the club's list knows."""
        super().__init__(data, **options)
        if draws is not None:
            self.fields["draws"].initial = draws
            self.fields["draws"].help_text = _("Empty: 30. In the club’s list it is %(draws)s.") % {"draws": draws}

    def clean(self) -> dict[str, Any]:
        """The field, once the spread is known: a number of players is one too."""
        data = super().clean() or {}
        if "field" in data and "spread" in data:
            try:
                data["field"] = read_field(data["field"], data["spread"])
            except ValidationError as problem:
                self.add_error("field", problem)
        return data

    @property
    def hall(self) -> Hall:
        """Of a valid form. As many boards as everybody needs, where nobody says how many there are."""
        data = self.cleaned_data
        boards = data["boards"] or len(data["field"]) // 2
        return Hall(data["evenings"], boards, data["rounds_an_evening"])

    @property
    def query(self) -> str:
        """The question of a valid form as its address holds it: ratings without names, and what else is filled in."""
        size = player_count(str(self.data["field"]))
        field = "\n".join(map(str, self.cleaned_data["field"])) if size is None else str(size)
        given = {name: str(self.data.get(name, "")).strip() for name in self.fields} | {"field": field}
        given["first_evening"] = str(self.cleaned_data["first_evening"] or "")
        plain = {name: str(box.initial) for name, box in self.fields.items() if name != "draws"}
        return urlencode([(name, value) for name, value in given.items() if value and value != plain.get(name)])


def player_count(text: str) -> int | None:
    """The number of players, where the text is a number of up to three figures alone."""
    alone = unicodedata.normalize("NFKC", text).strip()
    return int(alone) if alone.isdecimal() and len(alone) <= 3 else None


def read_field(text: str, spread: int) -> list[int]:
    """The ratings in whole points, best first. Raises ValidationError with a sentence a problem."""
    count = player_count(text)
    if count is not None:
        if not 2 <= count <= MOST_PLAYERS:
            problem = _("For %(count)s players there is no advice here: from 2 to %(most)s can be compared.")
            raise ValidationError(problem % {"count": count, "most": MOST_PLAYERS})
        return [round_half_away(rating) for rating in even_steps(count, spread)]
    read = [_read(row, line) for row, line in enumerate(text.splitlines(), start=1) if line.strip()]
    if problems := [found for found in read if isinstance(found, str)]:
        raise ValidationError(problems[:MAX_PROBLEMS])
    if len(read) > MOST_PLAYERS:
        problem = _("%(count)s ratings are too many: up to %(most)s can be compared.")
        raise ValidationError(problem % {"count": len(read), "most": MOST_PLAYERS})
    if len(read) < 2:
        raise ValidationError(_("One rating alone: at least two players are needed.") if read else NOBODY_YET)
    return sorted((found for found in read if isinstance(found, int)), reverse=True)


def _read(row: int, line: str) -> int | str:
    """The line's rating, or what is wrong with the line."""
    found = _RATING.findall(unicodedata.normalize("NFKC", line))
    if not found:
        return _("Line %(row)s: there is no rating in it.") % {"row": row}
    if len(found) > 1:
        said = {"row": row, "numbers": listed(found[:MAX_PROBLEMS])}
        return _("Line %(row)s has several numbers, %(numbers)s: leave the rating only.") % said
    rating = float(found[0].replace(",", "."))
    if not LOWEST <= rating <= HIGHEST:
        said = {"row": row, "low": LOWEST, "high": HIGHEST, "word": found[0]}
        return _("Line %(row)s: a rating lies between %(low)s and %(high)s, not %(word)s.") % said
    return round_half_away(rating)
