"""Forms of the calculators, and the reading of pasted games.

Pasted games are a line each, with the opponent's rating and the result; anything else in the line is ignored. "2777 ½",
"3. Anand 2770 =", "1800;0,5" and "１８００ 1" are all read. Words are taken for names and skipped, and so is a number
with a full stop or a bracket at the beginning. Results: 1, ½ or 0; 0.5, 0,5, 1/2; =, + and −; w, d and l. A line that
cannot be read is reported with its number; nothing of it is guessed.
"""

import re
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from typing import Any

from django import forms
from django.utils.text import format_lazy
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from clubrating.web.formatting import decimals
from clubrating.web.forms import ToolForm
from ratings.lists.forms import way_choices
from ratings.systems.base import PlayerState

# --- pasted games ----------------------------------------------------------------------------------------------------
LOWEST, HIGHEST = 0, 4000
MOST_GAMES = 200
MOST_PROBLEMS = 5
RESULTS = {
    **dict.fromkeys(("1", "1.0", "1,0", "+", "w"), 1.0),
    **dict.fromkeys(("½", "0.5", "0,5", ".5", ",5", "1/2", "1⁄2", "=", "d"), 0.5),
    **dict.fromkeys(("0", "0.0", "0,0", "-", "−", "–", "l"), 0.0),
}
_COUNTED = re.compile(r"^\s*\d{1,3}[.)]\s+")
_RATING = re.compile(r"[-−]?\d+(?:[.,]\d+)?")
_JOINED = re.compile(r"^(\d{2,}(?:\.\d+)?)[,:](.+)$")
_AFTER_NAMES = re.compile(r"\d{3,4}(?:[.,]\d+)?")


@dataclass(frozen=True, slots=True)
class GameLine:
    """One line: where it stands, the opponent's rating, the score or None where none is written."""

    row: int
    rating: float
    score: float | None


@dataclass(frozen=True, slots=True)
class GameLines:
    """All lines that could be read, and a sentence for each that could not (the first ones)."""

    games: tuple[GameLine, ...]
    problems: tuple[str, ...]

    @property
    def ratings(self) -> list[float]:
        return [game.rating for game in self.games]

    @property
    def scores(self) -> list[float | None]:
        return [game.score for game in self.games]


def read_games(text: str) -> GameLines:
    """Every line of a pasted text that is not blank."""
    games: list[GameLine] = []
    problems: list[str] = []
    for row, line in enumerate(text.splitlines(), start=1):
        if not line.strip():
            continue
        found = _read(row, line)
        if isinstance(found, str):
            problems.append(found)
        else:
            games.append(found)
        if len(games) + len(problems) > MOST_GAMES:
            return GameLines((), (_("At most %(most)s games.") % {"most": MOST_GAMES},))
    return GameLines(tuple(games), tuple(problems[:MOST_PROBLEMS]))


def without_result(lines: GameLines) -> str:
    """A sentence where some lines have a result and others none; "" where they agree."""
    bare = [game.row for game in lines.games if game.score is None]
    if not bare or len(bare) == len(lines.games):
        return ""
    return _("Line %(row)s has no result, others have one.") % {"row": bare[0]}


def _read(row: int, line: str) -> GameLine | str:
    """The line, or what is wrong with it."""
    words = _words(line)
    if not words:
        return _("Line %(row)s: there is no rating in it.") % {"row": row}
    *names, first = _up_to_rating(words)
    rest = words[len(names) + 1 :]
    if not _RATING.fullmatch(first):
        return _("Line %(row)s: “%(word)s” is no rating.") % {"row": row, "word": words[0][:40]}
    rating = float(first.replace(",", ".").replace("−", "-"))
    if not LOWEST <= rating <= HIGHEST:
        said = {"row": row, "low": LOWEST, "high": HIGHEST, "word": first[:40]}
        return _("Line %(row)s: a rating lies between %(low)s and %(high)s, not %(word)s.") % said
    if len(rest) > 1:
        return _("Line %(row)s has more than a rating and a result.") % {"row": row}
    if rest and rest[0].casefold() not in RESULTS:
        return _("Line %(row)s: “%(word)s” is no result; write 1, ½ or 0.") % {"row": row, "word": rest[0][:40]}
    return GameLine(row, rating, RESULTS[rest[0].casefold()] if rest else None)


def _words(line: str) -> list[str]:
    """The line's words, signs of other widths made plain, the number before everything left out."""
    plain = unicodedata.normalize("NFKC", line.replace("½", " 0.5 ")).replace(";", " ")
    joined = [part for word in _COUNTED.sub("", plain).split() for part in _parted(word.strip("()[]"))]
    return [word for word in joined if word]


def _parted(word: str) -> list[str]:
    """ "1800,1" and "1800:½" are two words."""
    found = _JOINED.match(word)
    return [found[1], found[2]] if found and found[2] in RESULTS else [word.rstrip(":")] if len(word) > 1 else [word]


def _up_to_rating(words: list[str]) -> list[str]:
    """The words up to the rating: the first word, or after a name the first number of three figures or more."""
    if not _RATING.fullmatch(words[0]):
        for place, word in enumerate(words):
            if _AFTER_NAMES.fullmatch(word):
                return words[: place + 1]
    return words[:1]


# --- forms -----------------------------------------------------------------------------------------------------------
# Systems that count on a scale of their own, and its highest value.
HIGHEST_OF = {"kd": 100}
EARLIEST, LATEST = date(1950, 1, 1), date(2100, 1, 1)


def _between(low: float, high: float, keys: str) -> dict[str, Any]:
    """The limits of a field, named in its complaint, and the keys a phone shows for it."""
    beyond = format_lazy(gettext_lazy("Write a number from {low} to {high}."), low=f"{low:g}", high=f"{high:g}")
    return {
        "min_value": low,
        "max_value": high,
        "error_messages": {"min_value": beyond, "max_value": beyond},
        "widget": forms.TextInput(attrs={"inputmode": keys}),
    }


def _rating(label: Any, **options: Any) -> forms.FloatField:
    return forms.FloatField(label=label, **_between(LOWEST, HIGHEST, "decimal"), **options)


def _number(label: Any, low: float, high: float, **options: Any) -> forms.FloatField:
    return forms.FloatField(label=label, required=False, **_between(low, high, "decimal"), **options)


def _whole(label: Any, low: int, high: int, **options: Any) -> forms.IntegerField:
    return forms.IntegerField(label=label, **_between(low, high, "numeric"), **options)


def _figures(side: str, whose: Mapping[str, Any]) -> dict[str, forms.Field]:
    """What only some systems ask of a player: best rating, age, K, deviation, volatility, coefficient."""
    return {
        f"p{side}": _rating(whose["peak"], required=False, help_text=gettext_lazy("FIDE: 10 is K for good from 2400.")),
        f"y{side}": _whole(whose["age"], 1, 120, required=False, help_text=gettext_lazy("FIDE: 40 is K up to 18.")),
        f"k{side}": _number(whose["k"], 0.1, 1000, help_text=gettext_lazy("Instead of what the Elo rules say.")),
        f"d{side}": _number(whose["deviation"], 1, 1000, help_text=gettext_lazy("Glicko; a newcomer’s is 350.")),
        f"v{side}": _number(whose["volatility"], 0.0001, 1, help_text=gettext_lazy("Glicko-2; a newcomer’s is 0.06.")),
        f"c{side}": _number(whose["coefficient"], 0.5, 2, help_text=gettext_lazy("R2; a newcomer’s is 1.")),
    }


YOURS = {
    "peak": gettext_lazy("Your best rating so far"),
    "age": gettext_lazy("Your age"),
    "k": gettext_lazy("Your own K"),
    "deviation": gettext_lazy("Your deviation"),
    "volatility": gettext_lazy("Your volatility"),
    "coefficient": gettext_lazy("Your coefficient"),
}
THEIRS = {
    "peak": gettext_lazy("Opponent’s best rating so far"),
    "age": gettext_lazy("Opponent’s age"),
    "k": gettext_lazy("Opponent’s own K"),
    "deviation": gettext_lazy("Opponent’s deviation"),
    "volatility": gettext_lazy("Opponent’s volatility"),
    "coefficient": gettext_lazy("Opponent’s coefficient"),
}
FIGURES = ("p", "y", "k", "d", "v", "c")


def state_of(asked: Mapping[str, Any], side: str, on: date) -> PlayerState:
    """The player as the form describes him; what is not filled in is a newcomer's."""
    rating, age = asked[side], asked.get(f"y{side}")
    return PlayerState(
        rating,
        asked[f"g{side}"],
        max(rating, asked.get(f"p{side}") or 0.0),
        birth_year=None if age is None else on.year - age,
        deviation=asked.get(f"d{side}"),
        volatility=asked.get(f"v{side}"),
        coefficient=asked.get(f"c{side}"),
        fixed_k=asked.get(f"k{side}"),
    )


class EloForm(ToolForm):
    """Two ratings and what a system wants to know of the two."""

    button = gettext_lazy("Calculate")
    more_words = gettext_lazy("Best rating, age, K, deviation, draws")
    more = (*(f"{name}a" for name in FIGURES), *(f"{name}b" for name in FIGURES), "draws")

    a = _rating(gettext_lazy("Your rating"))
    ga = _whole(gettext_lazy("Your rated games"), 0, 100_000, help_text=gettext_lazy("Fewer than 30: on probation."))
    b = _rating(gettext_lazy("Opponent’s rating"))
    gb = _whole(gettext_lazy("Opponent’s rated games"), 0, 100_000)
    system = forms.ChoiceField(label=gettext_lazy("System"), choices=way_choices)
    draws = _number(
        gettext_lazy("Draws, in % of the games"),
        0,
        100,
        help_text=gettext_lazy(
            "An expected score does not tell how many games are drawn: say it, and the bar shows it."
        ),
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields |= _figures("a", YOURS) | _figures("b", THEIRS)

    def clean(self) -> dict[str, Any]:
        """KD counts in percent."""
        cleaned = super().clean() or self.cleaned_data
        highest = HIGHEST_OF.get(cleaned.get("system", ""))
        for name in ("a", "b"):
            if highest is not None and cleaned.get(name, 0) > highest:
                self.add_error(name, _("In this system nobody stands above %(highest)s.") % {"highest": highest})
        return cleaned

    def refuse_draws(self, most: float) -> None:
        """More draws than the expected score leaves room for."""
        text = _("At this expected score at most %(most)s %% of the games can be drawn.")
        self.add_error("draws", text % {"most": decimals(most, 1)})


def _lines_field(label: Any, help_text: Any) -> forms.CharField:
    # Not stripped: the line numbers in error messages count blank lines too.
    widget = forms.Textarea(attrs={"rows": 8, "spellcheck": "false", "autocapitalize": "off"})
    return forms.CharField(label=label, widget=widget, max_length=10_000, strip=False, help_text=help_text)


def _read_lines(text: str) -> GameLines:
    """The games of a field, or its mistakes. Raises ValidationError."""
    lines = read_games(text)
    problems = list(lines.problems) or [problem for problem in (without_result(lines),) if problem]
    if problems:
        raise forms.ValidationError(problems)
    if not lines.games:
        raise forms.ValidationError(_("Write at least one game: the opponent’s rating and the result."))
    return lines


class EventForm(ToolForm):
    """One's own figures and the games of an event, one a line."""

    button = gettext_lazy("Calculate")
    more_words = gettext_lazy("Best rating, age, K, deviation, day")
    more = (*(f"{name}a" for name in FIGURES), "on")

    a = _rating(
        gettext_lazy("Your rating"),
        required=False,
        help_text=gettext_lazy("Empty: you had none; FIDE’s first rating is reckoned."),
    )
    ga = _whole(gettext_lazy("Your rated games"), 0, 100_000, required=False)
    games = _lines_field(
        gettext_lazy("The games"),
        gettext_lazy(
            "One a line: the opponent’s rating, then 1, ½ or 0 (also =, +, −, 0.5). Names may stand before them."
        ),
    )
    system = forms.ChoiceField(label=gettext_lazy("Game by game in"), choices=way_choices)
    on = forms.DateField(
        label=gettext_lazy("Day of the event"),
        required=False,
        widget=forms.DateInput(format="%Y-%m-%d", attrs={"type": "date"}),
        help_text=gettext_lazy(
            "FIDE and US Chess change their rules now and then: those of this day hold. Empty: today."
        ),
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields |= _figures("a", YOURS)
        self.lines = GameLines((), ())

    def clean_games(self) -> str:
        self.lines = _read_lines(str(self.cleaned_data["games"]))
        if None in self.lines.scores:
            row = self.lines.games[0].row
            raise forms.ValidationError(
                _("Line %(row)s has no result; write 1, ½ or 0 behind the rating.") % {"row": row}
            )
        return str(self.cleaned_data["games"])

    def clean_on(self) -> date | None:
        on: date | None = self.cleaned_data["on"]
        if on is not None and not EARLIEST <= on <= LATEST:
            text = _("The day lies between %(first)s and %(last)s.")
            raise forms.ValidationError(text % {"first": EARLIEST.year, "last": LATEST.year})
        return on

    @property
    def scores(self) -> list[float]:
        return [score for score in self.lines.scores if score is not None]


class PerformanceForm(ToolForm):
    """Opponents, one a line: the rating, then the result; or ratings alone, with the score below."""

    button = gettext_lazy("Calculate")

    opponents = _lines_field(
        gettext_lazy("Opponents’ ratings and results"),
        gettext_lazy("One game a line: the rating, then 1, ½ or 0. Or ratings alone, and the score in the next field."),
    )
    score = forms.CharField(
        label=gettext_lazy("Score, if no results are given"),
        required=False,
        max_length=10,
        help_text=gettext_lazy("For example 4½ or 4.5."),
    )
    own = _rating(
        gettext_lazy("Own rating"), required=False, help_text=gettext_lazy("For the expected score. May stay empty.")
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.lines = GameLines((), ())
        self.scores: list[float] = []

    def clean_opponents(self) -> str:
        self.lines = _read_lines(str(self.cleaned_data["opponents"]))
        return str(self.cleaned_data["opponents"])

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or self.cleaned_data
        games = len(self.lines.games)
        if not games:
            return cleaned
        self.scores = [score for score in self.lines.scores if score is not None]
        if len(self.scores) == games:
            return cleaned
        half_points = _half_points(cleaned.get("score", ""))
        if half_points is None:
            self.add_error("score", _("Write the score, for example 4½, or a result behind every rating."))
        elif half_points > 2 * games:
            words = _("No more than %(games)s points can be made in %(games)s games.")
            self.add_error("score", words % {"games": games})
        else:
            full, half = divmod(half_points, 2)
            self.scores = [1.0] * full + [0.5] * half + [0.0] * (games - full - half)
        return cleaned


def _half_points(text: str) -> int | None:
    """A score as half-points: 4½, 4.5, 4,5 and ½ are read; None for anything else."""
    plain = text.strip().replace("½", ".5").replace(",", ".")
    try:
        doubled = 2 * float(plain)
    except ValueError:
        return None
    return int(doubled) if 0 <= doubled <= 2 * MOST_GAMES and doubled == int(doubled) else None


class ExpectedForm(ToolForm):
    """A gap, a score, or both."""

    button = gettext_lazy("Look up")

    gap = _number(
        gettext_lazy("Rating gap"),
        -HIGHEST,
        HIGHEST,
        help_text=gettext_lazy("Own rating minus the opponent’s; below 0 for the lower rated."),
    )
    score = _number(
        gettext_lazy("Score, in %"),
        0,
        100,
        help_text=gettext_lazy("Points of 100 games, for example 64; 5½ of 9 are 61."),
    )

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or self.cleaned_data
        if not self.errors and cleaned.get("gap") is None and cleaned.get("score") is None:
            self.add_error("gap", _("Write a gap or a score."))
        return cleaned
