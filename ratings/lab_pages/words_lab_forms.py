"""The form that asks for a study."""

from django import forms
from django.utils.translation import gettext_lazy as _

from clubrating.web.forms_tool_form import ToolForm
from ratings.lab_pages.words import STUDIES
from ratings.lab_pages.services import MOST_GAMES, MOST_REPLICATIONS, StudyOrder


class StudyForm(ToolForm):
    """Which study, how long, how often, from which seed."""

    method = "post"
    button = _("Run the study")

    study = forms.ChoiceField(label=_("Study"), choices=list(STUDIES.items()))
    games = forms.IntegerField(
        label=_("Games in each replication"), min_value=1000, max_value=MOST_GAMES, initial=100_000
    )
    replications = forms.IntegerField(
        label=_("Replications"), min_value=1, max_value=MOST_REPLICATIONS, initial=20,
        help_text=_("The more, the narrower the bands."),
    )  # fmt: skip
    seed = forms.IntegerField(
        label=_("Random seed"), min_value=0, max_value=2**31 - 1, initial=1, help_text=_("Same seed, same figures.")
    )

    @property
    def order(self) -> StudyOrder:
        """What was asked for, once the form is valid."""
        return StudyOrder(**self.cleaned_data)
