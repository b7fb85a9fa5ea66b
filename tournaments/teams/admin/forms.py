"""Forms of a team event: the event and its rules."""

from collections.abc import Iterator
from typing import Any

from django import forms
from django.core.validators import MaxValueValidator, MinValueValidator
from django.forms.models import fields_for_model
from django.utils.translation import gettext as _now
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from players.refusals import Refused, said
from ratings.lists.selectors.lists import pool_choices
from tournaments.events.admin.forms import LATEST_DAY, DayInput
from tournaments.models import League, Primary, TeamRules
from tournaments.pairing.base import PairingError
from tournaments.pairing.team_base import ALTERNATING, colour_sequence
from tournaments.pairing.team_formats import team_format
from tournaments.results.services.results import EARLIEST_DAY
from tournaments.teams.admin.access import PointsField, with_capitals
from tournaments.teams.services.events import FIXED_WITH_ROUNDS
from tournaments.teams.services.tiebreaks import read_team_tiebreaks

# What an arbiter chooses: the format's key with the settings that belong to it.
FORMATS: dict[str, tuple[str, dict[str, Any]]] = {
    "once": ("team-round-robin", {"cycles": 1}),
    "twice": ("team-round-robin", {"cycles": 2}),
    "swiss": ("team-swiss", {}),
    "knockout": ("team-knockout", {}),
    "match": ("team-match", {"matches": 1}),
    "scheveningen": ("team-scheveningen", {"cycles": 1}),
    "scheveningen-twice": ("team-scheveningen", {"cycles": 2}),
}
SIMPLE = ("play", "swiss_rounds", "boards", "first_white", "order", "primary")
ADVANCED = (
    "colours",
    *("minimum_boards", "win", "draw", "loss", "bye_match_points", "bye_game_points", "tiebreaks", "tie_rule"),
    *("tolerance", "unrated_as", "swaps", "substitute_margin", "nominated", "games_up", "several_teams"),
    *("line_up_hours", "card_days"),
    *("of_league", "new_league", "season", "division", "promoted", "relegated"),
)
_OF_THE_MODEL = (
    *("boards", "first_white", "colours", "order", "primary", "minimum_boards", "tiebreaks", "tie_rule", "tolerance"),
    *(
        "unrated_as",
        "swaps",
        "substitute_margin",
        "nominated",
        "games_up",
        "several_teams",
        "line_up_hours",
        "card_days",
        "season",
        "division",
    ),
    *("promoted", "relegated"),
)
_HELP = {
    "boards": _("How many players of a team play in a match."),
    "minimum_boards": _("With fewer players a line-up needs a reason. 0: no such rule."),
    "first_white": _("On the even boards it is the other team."),
    "colours": _(
        "Of the team with White on board 1, from there down, over and over: WB alternates, WBBW is White, Black, "
        "Black, White. A Scheveningen has colours of its own."
    ),
    "tiebreaks": _("Codes in the order they decide, with commas, as MPvGP, EDE, BC."),
    "tolerance": _("Where the order goes by rating: so much stronger may somebody be who sits lower."),
    "substitute_margin": _("Empty: no such rule."),
    "games_up": _("0: no such rule."),
    "nominated": _("They may not play for a lower team. 0: no such rule."),
    "line_up_hours": _("0: until the match begins."),
    "several_teams": _("Of the same event."),
}


def formats() -> list[tuple[str, str]]:
    """The formats of teams, in an arbiter's words."""
    return [
        ("once", _now("Every team meets every other once")),
        ("twice", _now("Every team meets every other twice, at home and away")),
        ("swiss", _now("Swiss: each round from the standings")),
        ("knockout", _now("Knockout: the winners go on")),
        ("match", _now("A single match of two teams")),
        ("scheveningen", _now("Scheveningen: everybody meets everybody of the other team")),
        ("scheveningen-twice", _now("Scheveningen twice, the second time with the other colour")),
    ]


class RulesForm(forms.Form):
    """The rules of a team event; what few events need is `advanced`. Format and boards stand once there are rounds."""

    play = forms.ChoiceField(label=_("Format"), choices=formats, initial="once")
    swiss_rounds = forms.IntegerField(
        label=_("Rounds"), required=False, min_value=1, max_value=30, help_text=_("Of a Swiss. Empty: five.")
    )
    win = PointsField(label=_("Match points of a win"), min_value=0, max_value=99, initial=4)
    draw = PointsField(label=_("Match points of a draw"), min_value=0, max_value=99, initial=2)
    loss = PointsField(label=_("Match points of a loss"), min_value=0, max_value=99, initial=0)
    bye_match_points = PointsField(
        label=_("Match points of a bye"), min_value=0, max_value=99, required=False, help_text=_("Empty: as a draw.")
    )
    bye_game_points = PointsField(
        label=_("Game points of a bye"), min_value=0, max_value=99, required=False, help_text=_("Empty: as a draw.")
    )
    of_league = forms.ModelChoiceField(label=_("League"), queryset=League.objects.all(), required=False)
    new_league = forms.CharField(label=_("A new league"), max_length=100, required=False)
    revision = forms.IntegerField(label="", widget=forms.HiddenInput, required=False)

    def __init__(self, *args: Any, rules: TeamRules | None = None, unit: int = 2, fixed: bool = False, **kwargs: Any):
        stands = rules or TeamRules()
        super().__init__(*args, **{"initial": _initial(stands), **kwargs})
        self.stands, self.fixed = stands, fixed
        for name, field in fields_for_model(TeamRules, _OF_THE_MODEL).items():
            self.fields[name] = field
            field.help_text = _HELP.get(name, field.help_text)
            field.initial = None
        self.fields["bye_game_points"] = PointsField(
            unit=unit, label=_("Game points of a bye"), min_value=0, required=False, help_text=_("Empty: as a draw.")
        )
        for name in ("play", "swiss_rounds", "boards", "colours") if fixed else ():
            self.fields[name].disabled = True
        self.fields["colours"].required = False
        with_capitals(self)

    def simple(self) -> Iterator[forms.BoundField]:
        return (self[name] for name in SIMPLE)

    def advanced(self) -> Iterator[forms.BoundField]:
        return (self[name] for name in ADVANCED)

    @property
    def advanced_is_wrong(self) -> bool:
        return any(name in self.errors for name in ADVANCED)

    def clean_tiebreaks(self) -> str:
        try:
            return read_team_tiebreaks(self.cleaned_data["tiebreaks"])
        except Refused as refusal:
            raise forms.ValidationError(str(refusal)) from None

    def clean_colours(self) -> str:
        try:
            return colour_sequence(self.cleaned_data["colours"] or ALTERNATING)
        except PairingError as refusal:
            raise forms.ValidationError(said(refusal)) from None

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or self.cleaned_data
        swiss = cleaned.get("play") == "swiss"
        if (cleaned.get("play") or "").startswith("scheveningen") and cleaned.get("primary") == Primary.MATCH_POINTS:
            self.add_error("primary", _now("A Scheveningen is one match over all rounds: game points decide it."))
        if cleaned.get("swiss_rounds") and not swiss and not self.fixed:
            self.add_error("swiss_rounds", _now("How many rounds this format has is not set here: leave this empty."))
        return cleaned

    def values(self) -> dict[str, Any]:
        """The rules as the service takes them, the league left out."""
        data = self.cleaned_data
        names = (*_OF_THE_MODEL, "win", "draw", "loss", "bye_match_points", "bye_game_points")
        values = {name: data[name] for name in names}
        if self.fixed:
            return {name: value for name, value in values.items() if name not in FIXED_WITH_ROUNDS}
        key, own = FORMATS[data["play"]]
        same = self.stands.settings if self.stands.format == key else {}
        rounds = {"rounds": data["swiss_rounds"]} if data.get("swiss_rounds") else {}
        return {**values, "format": key, "settings": {**same, **own, **rounds}}


class NewEventForm(RulesForm):
    """The event itself, and its rules."""

    name = forms.CharField(label=pgettext_lazy("of a thing", "name"), max_length=100)
    starts_on = forms.DateField(
        label=_("First day"),
        required=False,
        widget=DayInput(),
        validators=[MinValueValidator(EARLIEST_DAY), MaxValueValidator(LATEST_DAY)],
    )
    ends_on = forms.DateField(
        label=_("Last day"),
        required=False,
        widget=DayInput(),
        validators=[MinValueValidator(EARLIEST_DAY), MaxValueValidator(LATEST_DAY)],
    )
    place = forms.CharField(label=pgettext_lazy("where it is played", "place"), max_length=100, required=False)
    pool = forms.ChoiceField(label=_("Pool"), choices=pool_choices, help_text=_("Which ratings the games count for."))
    rated = forms.BooleanField(label=_("rated"), required=False, initial=True)
    facts = ("name", "starts_on", "ends_on", "place", "pool", "rated")

    def simple(self) -> Iterator[forms.BoundField]:
        return (self[name] for name in (*self.facts[:4], *SIMPLE, *self.facts[4:]))

    def event(self) -> dict[str, Any]:
        return {name: self.cleaned_data[name] for name in self.facts}


def format_words(rules: TeamRules) -> str:
    """The format in words, with its rounds where they are set."""
    return dict(formats()).get(_play_of(rules)) or said(team_format(rules.format).name)


def _initial(rules: TeamRules) -> dict[str, Any]:
    names = (*_OF_THE_MODEL, "win", "draw", "loss", "bye_match_points", "bye_game_points", "revision")
    values = {name: getattr(rules, name) for name in names}
    rounds = rules.settings.get("rounds")
    return {**values, "play": _play_of(rules), "swiss_rounds": rounds, "of_league": rules.league_id}


def _play_of(rules: TeamRules) -> str:
    def fits(key: str, own: dict[str, Any]) -> bool:
        return key == rules.format and all(rules.settings.get(name, 1) == value for name, value in own.items())

    return next((play for play, (key, own) in FORMATS.items() if fits(key, own)), "once")
