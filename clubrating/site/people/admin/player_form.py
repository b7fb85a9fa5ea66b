"""What stands on a player's page in the admin: the person, outside numbers, and who speaks for a minor."""

from typing import Any

from django import forms
from django.contrib import admin
from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.http import HttpRequest
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from clubrating.web.admin import NamedRows, ServiceForm
from players.models import Guardian, Player, PlayerIdentity, Visibility
from players.people.names import MAX_NAME, clean_name
from players.privacy.services import MOST_GUARDIANS
from ratings.lists.selectors.lists import primary_list
from tournaments.reports.services.people import who_are_called


class PlayerForm(ServiceForm):
    """One person. The two fields about a starting rating stand on the add form only."""

    another_person = forms.BooleanField(
        label=_("This is another person"),
        required=False,
        help_text=_("Only where somebody of the same name is in the list already and this is not that person."),
    )
    start_rating = forms.FloatField(
        label=_("Rating brought along"),
        required=False,
        min_value=0,
        max_value=4000,
        help_text=_("In the club's main list, from the day the player joined, or from today."),
    )
    start_games = forms.IntegerField(label=_("Rated games behind it"), required=False, min_value=0, max_value=100_000)

    class Meta:
        model = Player
        fields = ("name", "birth_year", "sex", "title", "visibility", "active", "joined_on")

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        # Both fields are missing where the user may only view.
        visibility, birth_year = self.fields.get("visibility"), self.fields.get("birth_year")
        if isinstance(visibility, forms.ChoiceField):
            visibility.required = False
            visibility.choices = [("", _("by age: initials for minors, else the club's rule")), *Visibility.choices]
        if birth_year:
            limits = (MinValueValidator(1850), MaxValueValidator(timezone.localdate().year))
            birth_year.validators = [*birth_year.validators, *limits]

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean()
        name = clean_name(cleaned.get("name") or "")
        if 0 < len(name) <= MAX_NAME and "name" in self.changed_data and not cleaned.get("another_person"):
            self._refuse_namesake(name)
        if cleaned.get("start_games") and cleaned.get("start_rating") is None:
            self.add_error("start_rating", _("Games need a rating: write both, or none."))
        if cleaned.get("start_rating") is not None and primary_list() is None:
            self.add_error("start_rating", _("There is no rating list yet: an administrator makes it first."))
        return cleaned

    def _refuse_namesake(self, name: str) -> None:
        """An error where another player's name has the same words, in any order and with any accents."""
        alike = (player for player in who_are_called([name])[name] if player.pk != self.instance.pk)
        if same := next(alike, None):
            text = _("%(name)s is in the list already, as player %(number)s. Tick the box if this is another person.")
            self.add_error("name", text % {"name": same.name, "number": same.number})


class _PartOfThePerson(admin.options.InlineModelAdmin):
    """Whoever may write the person may write these rows too, and nobody else sees them."""

    def has_view_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return request.user.has_perm("players.change_player" if obj else "players.add_player")

    has_add_permission = has_change_permission = has_delete_permission = has_view_permission


class IdentityInline(_PartOfThePerson, admin.TabularInline):
    model = PlayerIdentity
    formset = NamedRows
    extra = 0
    max_num = len(PlayerIdentity.Scheme)


class GuardianInline(_PartOfThePerson, admin.StackedInline):
    """On a minor's page only; nothing of it is shown anywhere else."""

    model = Guardian
    extra = 0
    max_num = MOST_GUARDIANS
    formfield_overrides = {models.DateField: {"widget": forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d")}}
