"""Forms of the rating pages."""

from crispy_forms.helper import FormHelper
from crispy_forms.layout import Submit
from django import forms
from django.utils.translation import gettext_lazy as _

from ratings.systems import SYSTEMS


def system_choices() -> list[tuple[str, str]]:
    """Every rating system, for a menu."""
    return [(system.key, system.name) for system in SYSTEMS]


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
    system = forms.ChoiceField(label=_("System"), choices=system_choices)

    @property
    def helper(self) -> FormHelper:
        helper = FormHelper()
        helper.form_method = "get"
        helper.form_class = "form"
        helper.add_input(Submit("", _("Calculate")))
        return helper
