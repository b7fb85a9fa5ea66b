"""The form that takes the clubs' files. They are read in memory and kept nowhere."""

from collections import defaultdict
from typing import Any

from django import forms
from django.utils.text import format_lazy
from django.utils.translation import gettext as _now
from django.utils.translation import gettext_lazy as _

from clubrating.site.one_scale.inputs import BRIDGES, KEYS, UnusableInputError, games_file_of, list_of
from clubrating.web.forms import ToolForm
from players.refusals import first_of, said

MOST_TOLD = 8  # mistakes of a file
REQUIRED, MORE = "AB", "CD"


class OneScaleForm(ToolForm):
    """Two to four clubs' lists and games, keys, and the games between the clubs."""

    method = "post"
    asks = True
    button = _("Join the lists")
    more = tuple(name(letter) for letter in MORE for name in (list_of, games_file_of))
    more_words = _("A third and a fourth club")

    def __init__(self, *args: Any) -> None:
        super().__init__(*args)
        for letter in REQUIRED + MORE:
            for name, label in ((list_of, _("Club {club}: rating list")), (games_file_of, _("Club {club}: games"))):
                self.fields[name(letter)] = _file(format_lazy(label, club=letter), required=letter in REQUIRED)
        self.fields[KEYS] = _file(_("Keys"), _("Columns: club, number, key."))
        self.fields[BRIDGES] = _file(_("Games between the clubs"), _("Columns: date, white, black, result, by key."))

    def clean(self) -> None:
        for letter in MORE:
            there = [bool(self.cleaned_data.get(name(letter))) for name in (list_of, games_file_of)]
            if there == [True, False]:
                self.add_error(games_file_of(letter), _now("Choose the games of this club too."))
            elif there == [False, True]:
                self.add_error(list_of(letter), _now("Choose the list of this club too."))

    def read(self) -> dict[str, bytes]:
        """The files of a valid form, by name."""
        return {name: file.read() for name, file in self.cleaned_data.items() if file}

    def refuse(self, refusal: UnusableInputError) -> None:
        """Says at each file what is wrong with it."""
        told: dict[str, list[str]] = defaultdict(list)
        for problem in refusal.problems:
            told[problem.file].append(said(problem.text))
        for name, lines in told.items():
            self.add_error(name, first_of(lines, MOST_TOLD))


def _file(label: Any, words: Any = "", *, required: bool = True) -> forms.FileField:
    widget = forms.FileInput(attrs={"accept": ".csv,text/csv"})
    return forms.FileField(label=label, help_text=words, required=required, widget=widget)
