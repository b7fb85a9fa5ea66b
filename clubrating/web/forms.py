"""Forms shared by pages: the base of the tools' forms, and the search box over a list of people.

A tool's form has its question in the address, and its rarer fields are folded away.

The search box only reads the words; whose name may be found is decided in `players.privacy.rules.names_seen`.
"""

from collections.abc import Sequence
from typing import Any

from crispy_forms.helper import FormHelper
from crispy_forms.layout import Submit
from django import forms
from django.forms import BoundField
from django.http import HttpRequest
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from django.utils.translation import gettext_noop

from clubrating.ground.numbers import whole_number
from players.people.names import clean_name

# Django's own: the sign behind a field's name and what it must not stand behind, and titles of the admin. Chinese has
# signs of its own, and no spaces.
FROM_DJANGO = (
    *(gettext_noop(":"), gettext_noop(":?.!"), gettext_noop("Add %s"), gettext_noop("Change %s")),
    *(gettext_noop("View %s"), gettext_noop("Add another %(verbose_name)s"), gettext_noop("Action:")),
)

TRAP = "website"  # a field people do not see and programs fill in (`_trap.html`)


def one_button(
    words: Promise | str, form_class: str = "form fit", css_class: str = "", *, method: str = "post"
) -> FormHelper:
    """The layout of a narrow form with one button."""
    helper = FormHelper()
    helper.form_method, helper.disable_csrf = method, method == "get"
    helper.form_class = form_class
    helper.add_input(Submit("", words, css_class=css_class))
    return helper


class RowsField(forms.ModelMultipleChoiceField):
    """Any number of rows, by their keys. Django asks the database for every number that is sent, and fails where one is
    larger than any column takes."""

    def clean(self, value: Any) -> Any:
        wrong = next((key for key in value or () if whole_number(str(key)) is None), None)
        if wrong is not None:
            refusal = self.error_messages["invalid_pk_value"]
            raise forms.ValidationError(refusal, code="invalid_pk_value", params={"pk": wrong})
        return super().clean(value)


class ToolForm(forms.Form):
    """A question to a tool. `more`: names of the fields that are folded away; they are open as soon as one of them is
    filled in or wrong. `button`: its words. `method`: "post" where the answer may be too long for an address. `asks`:
    work is begun by sending it, so it carries a token."""

    more: Sequence[str] = ()
    button: Promise | str = ""
    method = "get"
    asks = False

    @property
    def shown(self) -> list[BoundField]:
        return [field for field in self if field.name not in self.more]

    @property
    def folded(self) -> list[BoundField]:
        return [self[name] for name in self.more if name in self.fields]

    @property
    def is_open(self) -> bool:
        """Whether the folded fields must be seen."""
        return any(field.errors or _is_filled(field) for field in self.folded)


def _is_filled(field: BoundField) -> bool:
    value: Any = field.value()
    return bool(value) and str(value) != str(field.field.initial)


LONGEST = 100


class SearchForm(forms.Form):
    """One word or more of a name, in any script. `show` keeps a list's filter."""

    q = forms.CharField(
        label=_("Find a player"),
        required=False,
        max_length=LONGEST,
        widget=forms.TextInput(attrs={"type": "search", "autocomplete": "off", "required": True}),
    )
    show = forms.CharField(required=False, widget=forms.HiddenInput)

    @property
    def helper(self) -> FormHelper:
        helper = one_button(_("Search"), "form row gap-below", "plain", method="get")
        helper.attrs = {"role": "search"}
        return helper


def asked_for(request: HttpRequest) -> str:
    """What is searched for: cut to a sensible length, without the characters no name has."""
    return clean_name(request.GET.get("q", "")[: 4 * LONGEST])[:LONGEST]
