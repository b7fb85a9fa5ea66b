"""The search box over a list of people. What may be found by name is decided where the names are (`names_seen`)."""

from crispy_forms.helper import FormHelper
from crispy_forms.layout import Submit
from django import forms
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from players.people.names import clean_name

LONGEST = 100


class SearchForm(forms.Form):
    """One word or more of a name, in any script. `show` keeps a list's filter."""

    q = forms.CharField(
        label=_("Find a player"),
        required=False,
        max_length=LONGEST,
        widget=forms.TextInput(attrs={"type": "search", "autocomplete": "off"}),
    )
    show = forms.CharField(required=False, widget=forms.HiddenInput)

    @property
    def helper(self) -> FormHelper:
        helper = FormHelper()
        helper.form_method = "get"
        helper.form_class = "form row gap-below"
        helper.attrs = {"role": "search"}
        helper.disable_csrf = True
        helper.add_input(Submit("", _("Search"), css_class="plain"))
        return helper


def asked_for(request: HttpRequest) -> str:
    """What is searched for: cut to a sensible length, without the characters no name has."""
    return clean_name(request.GET.get("q", "")[: 4 * LONGEST])[:LONGEST]
