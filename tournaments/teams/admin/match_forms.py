"""Forms of a match's page: its plan, the toss, a late change, and what the arbiter decides."""

from typing import Any

from django import forms
from django.core.validators import MaxValueValidator, MinValueValidator
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from players.privacy.rules import OFFICER, shown_name
from players.trail.services import PAIRING_REASONS, RULING_REASONS
from tournaments.corrections.admin.preview import ReasonForm
from tournaments.events.admin.forms import LATEST_DAY, DayInput
from tournaments.models import Team, TeamMatch
from tournaments.results.services.results import EARLIEST_DAY
from tournaments.rounds.admin.next_round import TimeInput
from tournaments.teams.admin.access import HALF, PointsField, with_capitals
from tournaments.teams.selectors.lists import on_the_list


def sides_of(match: TeamMatch) -> list[tuple[str, Team]]:
    """Both sides by their word, home first; of a bye only one."""
    return [(side, team) for side, team in (("home", match.home), ("away", match.away)) if team is not None]


class PlanForm(forms.Form):
    """When and where."""

    day = forms.DateField(
        label=gettext_lazy("Day"),
        required=False,
        widget=DayInput(),
        validators=[MinValueValidator(EARLIEST_DAY), MaxValueValidator(LATEST_DAY)],
    )
    at = forms.TimeField(label=gettext_lazy("Time"), required=False, widget=TimeInput())
    where = forms.CharField(label=gettext_lazy("venue"), max_length=200, required=False)

    def __init__(self, data: Any, match: TeamMatch) -> None:
        super().__init__(data, initial={"day": match.played_on, "at": match.starts_at, "where": match.venue})
        with_capitals(self)


class OpenForm(forms.Form):
    """Who has White on board 1, where the captains toss."""

    toss = forms.ChoiceField(label=gettext_lazy("White on board 1"), required=False, widget=forms.RadioSelect)

    def __init__(self, data: Any, match: TeamMatch) -> None:
        super().__init__(data)
        self.fields["toss"].choices = [(side, team.name) for side, team in sides_of(match)]  # type: ignore[attr-defined]
        if match.first_white:
            del self.fields["toss"]


class DecisionForm(ReasonForm):
    """Whatever an arbiter decides about a match, with a reason."""

    reasons = RULING_REASONS

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["reason"].help_text = _("Kept in the audit trail.")
        del self.fields["note"]


class ChangeForm(ReasonForm):
    """Somebody else on a board, or nobody. `who`: the side, and the key of a row of its list."""

    reasons = PAIRING_REASONS

    board = forms.TypedChoiceField(label=gettext_lazy("Board"), coerce=int)
    who = forms.ChoiceField(label=gettext_lazy("Plays there"))

    def __init__(self, data: Any, match: TeamMatch, boards: int) -> None:
        super().__init__(data)
        self.fields["reason"].help_text = _("Kept in the audit trail.")
        self.fields["board"].choices = [(number, number) for number in range(1, boards + 1)]  # type: ignore[attr-defined]
        self.fields["who"].choices = [("", "–"), *map(_group(match), sides_of(match))]  # type: ignore[attr-defined]
        self.order_fields(["board", "who", "reason", "note"])


def _group(match: TeamMatch) -> Any:
    day = match.played_on or match.round.planned_on

    def of(side: tuple[str, Team]) -> tuple[str, list[tuple[str, str]]]:
        word, team = side
        people = [(f"{word}-{row.pk}", shown_name(row.entry.player, OFFICER)) for row in on_the_list(team, day)]
        return team.name, [*people, (f"{word}-", _("nobody"))]

    return of


class AbsentForm(DecisionForm):
    """Who did not come."""

    gone = forms.ChoiceField(label=gettext_lazy("Who did not come"), required=False)

    def __init__(self, data: Any, match: TeamMatch) -> None:
        super().__init__(data, initial={"gone": match.absent, "reason": "did-not-come"})
        named = [(side, team.name) for side, team in sides_of(match)]
        choices = [("", _("nobody: the match is played")), *named, ("both", _("neither team came"))]
        self.fields["gone"].choices = choices  # type: ignore[attr-defined]
        self.order_fields(["gone", "reason"])


class RulingForm(forms.Form):
    """Match points, game points or both in place of those of the boards."""

    why = forms.CharField(label=gettext_lazy("Reason"), max_length=200, help_text=gettext_lazy("Everybody sees it."))

    def __init__(self, data: Any, match: TeamMatch, unit: int) -> None:
        games = {"games_home": match.ruled_home_games, "games_away": match.ruled_away_games}
        first = {"for_home": match.ruled_home, "for_away": match.ruled_away, "why": match.ruling, **games}
        super().__init__(data, initial=first)
        texts = {"games": (_("Game points of “%(team)s”"), unit), "for": (_("Match points of “%(team)s”"), HALF)}
        for kind, (text, worth) in texts.items():
            for side, team in sides_of(match):
                label = text % {"team": team.name}
                self.fields[f"{kind}_{side}"] = PointsField(
                    unit=worth, label=label, required=False, min_value=0, max_value=99
                )
        self.fields["for_away"].help_text = _("Match points left empty follow from the game points.")
        self.order_fields(["games_home", "games_away", "for_home", "for_away", "why"])


class MatchPenaltyForm(forms.Form):
    """Points taken from one of the two teams."""

    of = forms.TypedChoiceField(label=gettext_lazy("Team"), coerce=int)
    off_match = PointsField(
        label=gettext_lazy("Match points"), required=False, help_text=gettext_lazy("−1 takes one away.")
    )
    off_game = PointsField(label=gettext_lazy("Game points"), required=False)
    cause = forms.CharField(
        label=gettext_lazy("Reason"), max_length=200, help_text=gettext_lazy("Stands below the public table.")
    )

    def __init__(self, data: Any, match: TeamMatch, unit: int) -> None:
        super().__init__(data)
        self.fields["of"].choices = [(team.pk, team.name) for _side, team in sides_of(match)]  # type: ignore[attr-defined]
        self.fields["off_game"] = PointsField(unit=unit, label=_("Game points"), required=False)
        self.order_fields(["of", "off_match", "off_game", "cause"])


class AdvanceForm(DecisionForm):
    """Who goes on from a match of a knockout."""

    winner = forms.TypedChoiceField(label=gettext_lazy("Goes on"), coerce=int, empty_value=None, required=False)

    def __init__(self, data: Any, match: TeamMatch) -> None:
        super().__init__(data, initial={"winner": match.advanced_id, "reason": "other"})
        named = [(team.pk, team.name) for _side, team in sides_of(match)]
        self.fields["winner"].choices = [("", _("as the boards say")), *named]  # type: ignore[attr-defined]
        self.order_fields(["winner", "reason"])
