"""The form in which a visitor types a rating system. What was typed stands in the address, which is the link to share;
what is wrong is said at its field, with line and character."""

from collections.abc import Mapping
from typing import Any
from urllib.parse import urlencode

from django import forms
from django.http import QueryDict
from django.utils.translation import gettext_lazy as _

from clubrating.web.forms import ToolForm
from players.refusals import said
from ratings.lab.formulas import MOST_CHARACTERS, FormulaError
from ratings.lab.typed import MOST_START, TypedRules, program

LONGEST_ADDRESS = 3500  # our server takes 4094 letters of a request's first line, and some programs cut links before
# Formulas are no words of any language ("zxx"), so nobody corrects, completes or reads them as such.
PLAIN = {"lang": "zxx", "spellcheck": "false", "autocapitalize": "off", "autocomplete": "off", "class": "mono"}


def _formula(label: Any, help_text: Any, *, required: bool = False, rows: int = 0) -> forms.CharField:
    """A field of formulas; nothing of it is cut off, so that characters count as they were typed."""
    widget = forms.Textarea(attrs={**PLAIN, "rows": rows}) if rows else forms.TextInput(attrs=PLAIN)
    return forms.CharField(
        label=label, help_text=help_text, required=required, strip=False, max_length=MOST_CHARACTERS, widget=widget
    )


def _number(label: Any, low: float, high: float, **more: Any) -> forms.FloatField:
    return forms.FloatField(label=label, min_value=low, max_value=high, **more)


class TypedForm(ToolForm):
    """A rating system: numbers and formulas."""

    method = "post"
    asks = True
    button = _("Check it")
    more_words = _("More: a helper value, a floor, bringing the field down")
    more = ("winner_helper", "loser_helper", "helper_start", "floor", "above", "factor")

    start = _number(_("Rating of a newcomer"), -MOST_START, MOST_START, initial=1000)
    expected = _formula(
        _("Expected score"),
        _("Of r against o, between 0 and 1. It may stay empty: then a curve is fitted to the gaps in rating."),
    )
    k = _formula(_("K"), _("Of r, gr games played, and the gap. It is Kw and Kl below."))
    values = _formula(
        _("Intermediate values"), _("One a line: a name, = and a formula; lines below may use it."), rows=5
    )
    winner = _formula(_("The winner’s new rating"), _("Of w, l and all names above."), required=True)
    loser = _formula(_("The loser’s new rating"), _("Of w, l and all names above."), required=True)
    winner_helper = _formula(
        _("The winner’s new helper value"), _("Everybody carries one value beside the rating: hw and hl, or hr and ho.")
    )
    loser_helper = _formula(_("The loser’s new helper value"), _("Empty: it stays as it is."))
    helper_start = _number(_("A newcomer’s helper value"), -MOST_START, MOST_START, initial=1, required=False)
    floor = _number(_("Nobody falls below"), -MOST_START, MOST_START, required=False)
    above = _number(
        _("Bring the field down when somebody stands above"), -MOST_START, MOST_START, required=False,
        help_text=_("Then all ratings are multiplied by the factor."),
    )  # fmt: skip
    factor = _number(_("Factor"), 0.01, 0.99, required=False)

    rules: TypedRules

    def clean(self) -> dict[str, Any]:
        """The numbers together, then the formulas. The first formula that is wrong is named."""
        data: dict[str, Any] = super().clean() or {}
        if self.errors:
            return data
        self._check_numbers(data)
        given = {name: _plain(value) for name, value in data.items() if value not in (None, "")}
        self.rules = TypedRules(**given)
        if not self.errors:
            self._check_formulas()
        return data

    def _check_numbers(self, data: Mapping[str, Any]) -> None:
        start, floor, above = data["start"], data["floor"], data["above"]
        if floor is not None and floor > start:
            self.add_error("floor", _("A newcomer would stand below it: at most the rating of a newcomer."))
        if above is not None and above < start:
            self.add_error("above", _("A newcomer would stand above it: at least the rating of a newcomer."))
        if (above is None) != (data["factor"] is None):
            self.add_error("factor", _("The factor and the rating above which it is used go together."))

    def _check_formulas(self) -> None:
        try:
            program(self.rules)
        except FormulaError as refused:
            self.add_error(refused.place.field, said(refused))
        if len(self.query) > LONGEST_ADDRESS:
            self.add_error(None, _("All formulas together are too long for a link: shorten names and formulas."))

    @property
    def query(self) -> str:
        """The address's query that asks for these rules."""
        return urlencode(written(self.rules))


def _plain(value: Any) -> Any:
    """Text without blanks at its end, its lines ended alike; a number as it is."""
    return "\n".join(value.splitlines()).rstrip() if isinstance(value, str) else value


def written(rules: TypedRules) -> dict[str, str]:
    """The rules as fields of the form; numbers as short as they can be."""
    rows = {"start": rules.start, **rules.document}
    return {name: f"{value:g}" if _is_short(value) else str(value) for name, value in rows.items()}


def _is_short(value: Any) -> bool:
    return isinstance(value, float) and float(f"{value:g}") == value


def filled_in(query: QueryDict) -> dict[str, str]:
    """The fields of an address, with what it leaves out as a form just opened has it."""
    opened = {name: str(each.initial) for name, each in TypedForm.base_fields.items() if each.initial is not None}
    return opened | {name: str(query[name]) for name in TypedForm.base_fields if name in query}
