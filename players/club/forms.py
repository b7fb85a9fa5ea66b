"""Forms of the members' pass-phrase and of the first run."""

from crispy_forms.helper import FormHelper
from django import forms
from django.utils.translation import gettext_lazy as _

from clubrating.web.forms import one_button
from players.club.services import time_zones


def zone_choices() -> list[tuple[str, str]]:
    """The world's time zones by place, and UTC; the historical names without a place are left out."""
    places = sorted(zone for zone in time_zones() if "/" in zone and not zone.startswith("Etc/"))
    return [(zone, zone) for zone in ("UTC", *places)]


class PassPhraseForm(forms.Form):
    pass_phrase = forms.CharField(
        label=_("Pass-phrase"),
        max_length=200,
        widget=forms.PasswordInput(attrs={"autocomplete": "current-password"}),
        help_text=_("The club tells it to its members. It opens names that are not public."),
    )

    @property
    def helper(self) -> FormHelper:
        return one_button(_("Enter"))


class LeaveForm(forms.Form):
    """A button: back to what the public sees."""

    leave = forms.CharField(widget=forms.HiddenInput, initial="1")

    @property
    def helper(self) -> FormHelper:
        return one_button(_("Leave"), css_class="plain")


class WelcomeForm(forms.Form):
    """Everything a club needs to begin."""

    name = forms.CharField(label=_("Name of the club"), max_length=100)
    time_zone = forms.ChoiceField(label=_("Time zone"), choices=zone_choices, initial="UTC")
    list_name = forms.CharField(
        label=_("First rating list"),
        max_length=60,
        initial=_("Standard"),
        help_text=_("Elo, newcomers start at 1500, 30 games on probation. More lists can follow."),
    )
    username = forms.CharField(label=_("Administrator’s user name"), max_length=150)
    password = forms.CharField(
        label=_("Administrator’s password"),
        widget=forms.PasswordInput(render_value=True, attrs={"autocomplete": "new-password"}),
        help_text=_("At least 10 characters, not only digits, nothing common."),
    )

    @property
    def helper(self) -> FormHelper:
        return one_button(_("Set up the club"))
