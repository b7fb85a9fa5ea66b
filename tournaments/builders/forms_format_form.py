"""The format adviser's form, and how the ratings pasted into it are read: a line a player, his rating the only number
of three or four figures in it. What else stands there, a name say, is passed over and not kept."""

import re
import unicodedata
from typing import Any
from urllib.parse import urlencode

from django import forms
from django.core.exceptions import ValidationError
from django.core.validators import MaxValueValidator, MinValueValidator
from django.http import QueryDict
from django.utils.text import format_lazy
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from clubrating.ground.figures import round_half_away
from clubrating.web.forms_tool_form import ToolForm
from tournaments.forecast.adviser import even_steps
from tournaments.forecast.formats import Hall
from tournaments.builders.forms import EARLIEST, LATEST, MAX_PROBLEMS
from tournaments.builders.selectors import MOST_DRAWS

MOST_PLAYERS = 200
LOWEST, HIGHEST = 100, 4000
WIDEST = 3000  # points from the strongest to the weakest
ASSUMED_DRAWS = 30  # of 100 games between equals, as the lists assume before they know
NOBODY_YET = gettext_lazy("Write the ratings, one a line, or the number of players alone.")
_RATING = re.compile(r"(?<![\w.,])\d{3,4}(?:[.,]\d+)?(?!\w)")


def _whole(label: Any, low: int, high: int, **options: Any) -> forms.IntegerField:
    beyond = format_lazy(gettext_lazy("Write a number from {low} to {high}."), low=low, high=high)
    told = dict.fromkeys(("min_value", "max_value", "invalid"), beyond)
    return forms.IntegerField(label=label, min_value=low, max_value=high, error_messages=told, **options)


class FormatForm(ToolForm):
    """Who plays, and what the club has. `cleaned_data["field"]` is the list of ratings in whole points, best first."""

    method, asks = "post", True
    button = gettext_lazy("Compare the formats")
    more_words = gettext_lazy("Dates, draws")
    more = ("first_evening", "every", "draws")

    field = forms.CharField(
        label=gettext_lazy("Ratings, one a line"),
        max_length=20_000,
        strip=False,  # the line numbers of our messages count blank lines too
        widget=forms.Textarea(attrs={"rows": 8, "spellcheck": "false"}),
        help_text=gettext_lazy(
            "Up to 200; a name beside a rating is passed over and not kept. Or a number of players."
        ),
        error_messages={"required": NOBODY_YET},
    )
    spread = _whole(
        gettext_lazy("Points from the strongest to the weakest"),
        0,
        WIDEST,
        required=False,
        initial=600,
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
    rounds_an_evening = _whole(gettext_lazy("Rounds an evening"), 1, 20, required=False, initial=1)
    first_evening = forms.DateField(
        label=gettext_lazy("First evening"),
        required=False,
        widget=forms.DateInput(format="%Y-%m-%d", attrs={"type": "date"}),
        validators=[MinValueValidator(EARLIEST), MaxValueValidator(LATEST)],
        help_text=gettext_lazy("Then each format has the day of its last evening."),
    )
    every = _whole(gettext_lazy("Days between evenings"), 0, 366, required=False, initial=7)
    draws = _whole(
        gettext_lazy("Draws, of 100 games between equals"),
        0,
        MOST_DRAWS,
        required=False,
        help_text=gettext_lazy("Empty: 30."),
    )

    def __init__(self, data: Any = None, *, draws: int | None = None, **options: Any) -> None:
        """`draws`: as many as the club's list knows."""
        super().__init__(data, **options)
        if draws is not None:
            known = _("Empty: 30. In the club’s list it is %(draws)s.") % {"draws": draws}
            self.fields["draws"].initial, self.fields["draws"].help_text = draws, known

    def clean_spread(self) -> int:
        return self._or_first("spread")

    def clean_rounds_an_evening(self) -> int:
        return self._or_first("rounds_an_evening")

    def clean_every(self) -> int:
        return self._or_first("every")

    def clean_draws(self) -> int:
        draws = self.cleaned_data["draws"]
        return ASSUMED_DRAWS if draws is None else int(draws)

    def clean(self) -> dict[str, Any]:
        """The field, once the spread is known: a number of players is one too."""
        data = super().clean() or {}
        if "field" in data and "spread" in data:
            try:
                data["field"] = read_field(data["field"], data["spread"])
            except ValidationError as problem:
                self.add_error("field", problem)
        return data

    def _or_first(self, name: str) -> int:
        value = self.cleaned_data[name]
        return int(self.fields[name].initial if value is None else value)

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


def filled_in(query: QueryDict) -> QueryDict:
    """The question of an address with what it leaves out: fields that say what they say anyhow."""
    data = query.copy()
    for name, box in FormatForm.base_fields.items():
        if box.initial is not None:
            data.setdefault(name, str(box.initial))
    return data


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
    problems = [found for found in read if isinstance(found, str)] or _count_problems(len(read))
    if problems:
        raise ValidationError(problems[:MAX_PROBLEMS])
    return sorted((found for found in read if isinstance(found, int)), reverse=True)


def _read(row: int, line: str) -> int | str:
    """The line's rating, or what is wrong with the line."""
    found = _RATING.findall(unicodedata.normalize("NFKC", line))
    if not found:
        return _("Line %(row)s: there is no rating in it.") % {"row": row}
    if len(found) > 1:
        said = {"row": row, "numbers": ", ".join(found[:MAX_PROBLEMS])}
        return _("Line %(row)s has several numbers, %(numbers)s: leave the rating only.") % said
    rating = float(found[0].replace(",", "."))
    if not LOWEST <= rating <= HIGHEST:
        said = {"row": row, "low": LOWEST, "high": HIGHEST, "word": found[0]}
        return _("Line %(row)s: a rating lies between %(low)s and %(high)s, not %(word)s.") % said
    return round_half_away(rating)


def _count_problems(count: int) -> list[str]:
    if count > MOST_PLAYERS:
        problem = _("%(count)s ratings are too many: up to %(most)s can be compared.")
        return [problem % {"count": count, "most": MOST_PLAYERS}]
    if count == 1:
        return [_("One rating alone: at least two players are needed.")]
    return [] if count else [str(NOBODY_YET)]
