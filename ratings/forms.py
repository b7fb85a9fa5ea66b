"""Forms of the rating pages."""

from typing import Any

from crispy_forms.helper import FormHelper
from crispy_forms.layout import Submit
from django import forms
from django.utils.translation import gettext_lazy as _

from ratings.systems import SYSTEMS, RatingSystem
from ratings.words import PRESETS

HIGHEST = {"kd": 100}


def way_choices() -> list[tuple[str, str]]:
    """Every system, with every preset it has, for the calculator's menu: "elo" is the club's own, "elo-fide" …"""
    return [(key, name) for key, (name, _system, _preset) in ways().items()]


def ways() -> dict[str, tuple[str, RatingSystem, dict[str, str]]]:
    """Key in the address → words, system and what of its settings is given. A system's first preset is its own way."""
    found: dict[str, tuple[str, RatingSystem, dict[str, str]]] = {}
    for system in SYSTEMS:
        if not system.presets:
            found[system.key] = (system.name, system, {})
        for place, preset in enumerate(system.presets):
            words = str(PRESETS.get((system.key, preset), f"{system.name}, {preset}"))
            found[f"{system.key}-{preset}" if place else system.key] = (words, system, {"preset": preset})
    return found


def system_choices() -> list[tuple[str, str]]:
    """Every rating system, for a menu."""
    return [(system.key, system.name) for system in SYSTEMS]


class RankForm(forms.Form):
    """From which place on ten are shown."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["from"] = forms.IntegerField(label=_("Ten places from"), min_value=1, max_value=10_000_000)

    @property
    def helper(self) -> FormHelper:
        helper = FormHelper()
        helper.form_method = "get"
        helper.form_class = "form row gap-below"
        helper.disable_csrf = True
        helper.add_input(Submit("", _("Show"), css_class="plain"))
        return helper


class EloForm(forms.Form):
    """Two ratings and what K depends on."""

    a = forms.FloatField(label=_("Your rating"), min_value=0, max_value=4000)
    ga = forms.IntegerField(
        label=_("Your rated games"),
        min_value=0,
        max_value=100_000,
        help_text=_("Fewer than 30: on probation, K is 40."),
    )
    b = forms.FloatField(label=_("Opponent’s rating"), min_value=0, max_value=4000)
    gb = forms.IntegerField(label=_("Opponent’s rated games"), min_value=0, max_value=100_000)
    system = forms.ChoiceField(label=_("System"), choices=way_choices)

    def clean(self) -> dict[str, Any]:
        """KD counts in percent."""
        cleaned = super().clean() or self.cleaned_data
        highest = HIGHEST.get(cleaned.get("system", ""))
        for name in ("a", "b"):
            if highest is not None and cleaned.get(name, 0) > highest:
                self.add_error(name, _("In this system nobody stands above %(highest)s.") % {"highest": highest})
        return cleaned

    @property
    def helper(self) -> FormHelper:
        helper = FormHelper()
        helper.form_method = "get"
        helper.form_class = "form"
        helper.add_input(Submit("", _("Calculate")))
        return helper


MOST_GAMES = 200
RESULTS = {"1": 1.0, "0": 0.0, "½": 0.5, "0.5": 0.5, "0,5": 0.5, "1/2": 0.5, "=": 0.5, "+": 1.0, "-": 0.0, "−": 0.0}


class PerformanceForm(forms.Form):
    """Opponents, one a line: the rating, then the result; or ratings alone, with the score below."""

    opponents = forms.CharField(
        label=_("Opponents’ ratings and results"),
        widget=forms.Textarea(attrs={"rows": 8}),
        max_length=10_000,
        help_text=_("One game a line: the rating, then 1, ½ or 0. Or ratings alone, and the score in the next field."),
    )
    score = forms.CharField(
        label=_("Score, if no results are given"), required=False, max_length=10, help_text=_("For example 4½ or 4.5.")
    )
    own = forms.FloatField(
        label=_("Own rating"),
        required=False,
        min_value=0,
        max_value=4000,
        help_text=_("For the expected score. May stay empty."),
    )

    opponents_read: tuple[list[float], list[float | None]] = ([], [])

    def clean_opponents(self) -> str:
        text = str(self.cleaned_data["opponents"])
        lines = [(row, line.split()) for row, line in enumerate(text.splitlines(), start=1) if line.split()]
        if len(lines) > MOST_GAMES:
            raise forms.ValidationError(_("At most %(most)s games.") % {"most": MOST_GAMES})
        problems = [problem for row, words in lines if (problem := _line_problem(row, words))]
        if problems:
            raise forms.ValidationError(problems[:5])
        results = [RESULTS[words[1]] if len(words) > 1 else None for _row, words in lines]
        if None in results and set(results) != {None}:
            row = next(row for row, words in lines if len(words) == 1)
            raise forms.ValidationError(_("Line %(row)s has no result, others have one.") % {"row": row})
        self.opponents_read = ([float(words[0]) for _row, words in lines], results)
        return text

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or self.cleaned_data
        opponents, results = self.opponents_read
        if not opponents:
            return cleaned
        if None not in results:
            self.scores: list[float] = [result for result in results if result is not None]
            return cleaned
        half_points = _half_points(cleaned.get("score", ""))
        if half_points is None:
            self.add_error("score", _("Write the score, for example 4½, or a result behind every rating."))
        elif half_points > 2 * len(opponents):
            words = _("No more than %(games)s points can be made in %(games)s games.")
            self.add_error("score", words % {"games": len(opponents)})
        else:
            full, half = divmod(half_points, 2)
            self.scores = [1.0] * full + [0.5] * half + [0.0] * (len(opponents) - full - half)
        return cleaned

    @property
    def rated(self) -> list[float]:
        """The opponents' ratings."""
        return self.opponents_read[0]

    @property
    def helper(self) -> FormHelper:
        helper = FormHelper()
        helper.form_method = "get"
        helper.form_class = "form"
        helper.disable_csrf = True
        helper.add_input(Submit("", _("Calculate")))
        return helper


def _line_problem(row: int, words: list[str]) -> str:
    """What is wrong with a line; empty where nothing is."""
    said = {"row": row, "word": words[0]}
    try:
        rating = float(words[0])
    except ValueError:
        return str(_("Line %(row)s: “%(word)s” is no rating.") % said)
    if not 0 <= rating <= 4000:
        return str(_("Line %(row)s: a rating lies between 0 and 4000, not %(word)s.") % said)
    if len(words) > 2:
        return str(_("Line %(row)s has more than a rating and a result.") % said)
    if len(words) == 2 and words[1] not in RESULTS:
        return str(_("Line %(row)s: “%(word)s” is no result; write 1, ½ or 0.") % {"row": row, "word": words[1]})
    return ""


def _half_points(text: str) -> int | None:
    """A score as half-points: 4½, 4.5, 4,5 and ½ are read; None for anything else."""
    plain = text.strip().replace("½", ".5").replace(",", ".")
    try:
        doubled = 2 * float(plain)
    except ValueError:
        return None
    return int(doubled) if 0 <= doubled <= 2 * MOST_GAMES and doubled == int(doubled) else None
