"""People and the club in the admin: forms for officers, who see real names.

Saves go through `players.people.services` and, where ratings depend on a change, through
`tournaments.rated_games.services.people`. Another year of birth shows first what it moves.
"""

from collections.abc import Callable
from dataclasses import fields
from typing import Any

from django import forms
from django.contrib import admin
from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.db.models import Case, QuerySet, Value, When
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import URLPattern, path, reverse
from django.utils import timezone
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from clubrating.ground.numbers import whole_number
from clubrating.site.federation_list.admin import federation_list
from clubrating.site.people.admin import links
from clubrating.site.people.admin.members import members
from clubrating.site.people.admin.merging import duplicates, merge
from clubrating.site.people.admin.privacy import anonymise, of_age, own_data_page
from clubrating.web.admin import NamedRows, ServiceAdmin, ServiceForm, officer
from players.club.forms import zone_choices
from players.club.services import EDITABLE, importance_scale, update_club
from players.models import Club, Guardian, Player, PlayerIdentity, Visibility
from players.people.names import MAX_NAME, clean_name, is_latin, scripts_of
from players.people.romanisation import proposals
from players.people.selectors import named, words_of
from players.people.services import NewPlayer, create_player, delete_player, set_identities
from players.privacy.rules import OFFICER, is_minor, shown_name
from players.privacy.services import MOST_GUARDIANS, NewGuardian, of_age_now, set_guardians
from players.refusals import listed, sign
from ratings.lists.selectors.lists import primary_list
from ratings.lists.services import NewStart
from tournaments.corrections.admin.corrections import last_undo
from tournaments.corrections.admin.games_brought import called
from tournaments.corrections.admin.saving import Moving, PreviewedAdmin
from tournaments.corrections.services.changes import Why
from tournaments.rated_games.selectors.games import first_rated_moments
from tournaments.rated_games.services.people import bring_starting_ratings, change_player
from tournaments.reports.services.people import who_are_called

# Who sees the name, as the list of players shows it.
_SEEN_BY: dict[str, Any] = {
    Visibility.PUBLIC: _("everybody"),
    Visibility.INITIALS: _("public: initials"),
    Visibility.MEMBERS: _("members"),
    Visibility.HIDDEN: _("officers"),
}


_READING_HELP = Player._meta.get_field("reading").help_text


def proposal_words(name: str) -> str:
    """What is proposed as the reading of a name, by language; why nothing is; nothing for a name in Latin letters."""
    if not scripts_of(name) or is_latin(name):
        return ""
    found = proposals(name)
    if not found:
        return gettext("Nothing is proposed: the letters alone do not say how this name is spoken. Ask the person.")
    each = (f"{each.reading}{sign(' (')}{listed(map(gettext, each.languages))}{sign(')')}" for each in found)
    return gettext("Proposed by its letters: %(readings)s.") % {"readings": listed(each)}


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
        fields = ("name", "reading", "birth_year", "sex", "title", "visibility", "active", "joined_on")

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        # These fields are missing where the user may only view.
        if "reading" in self.fields:
            self._propose_readings()
        visibility, birth_year = self.fields.get("visibility"), self.fields.get("birth_year")
        if isinstance(visibility, forms.ChoiceField):
            visibility.required = False
            visibility.choices = [("", _("by age: initials for minors, else the club's rule")), *Visibility.choices]
        if birth_year:
            limits = (MinValueValidator(1850), MaxValueValidator(timezone.localdate().year))
            birth_year.validators = [*birth_year.validators, *limits]

    def _propose_readings(self) -> None:
        """What the letters of the name say, for the officer to take or leave: nothing of it is filled in."""
        typed = self.data.get("name") if self.is_bound else self.instance.name
        name = clean_name(str(typed or ""))[:MAX_NAME]
        self.fields["reading"].help_text = f"{_READING_HELP} {proposal_words(name)}".strip()
        self.fields["reading"].widget.attrs["autocomplete"] = "off"

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


@admin.register(Player)
class PlayerAdmin(PreviewedAdmin):
    form = PlayerForm
    list_display = ("shown", "number", "birth_year", "who_sees", "active")
    list_filter = ("active", "visibility")
    list_select_related = ("merged_into",)
    search_fields = ("search_name",)
    search_help_text = _("A part of the name in any script, or the number.")

    def get_inlines(self, request: HttpRequest, obj: Player | None) -> list[Any]:
        """Guardians on the page of a minor, and of whoever has some still."""
        minor = obj is not None and bool(obj.name) and is_minor(obj.birth_year, timezone.localdate())
        return [IdentityInline, *([GuardianInline] if minor or (obj and obj.guardians.exists()) else [])]

    def get_ordering(self, request: HttpRequest) -> Any:
        """By name, and behind all names whoever was erased."""
        return (Case(When(name="", then=Value(1)), default=Value(0)), "sort_name", "number")

    def has_change_permission(self, request: HttpRequest, obj: Player | None = None) -> bool:
        """Nobody can change an erased player."""
        return super().has_change_permission(request, obj) and (obj is None or bool(obj.name))

    def changelist_view(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> HttpResponse:
        may = self.has_change_permission(request)
        grown = of_age_now(timezone.localdate()).count() if may else 0
        return super().changelist_view(request, {"of_age": grown, "may_change": may, **(extra_context or {})})

    @admin.display(description=_("name"), ordering="sort_name")
    def shown(self, player: Player) -> str:
        name = " · ".join(filter(None, (shown_name(player, OFFICER), player.reading)))
        merged = player.merged_into
        return f"{name} → #{merged.number}" if merged else name

    @admin.display(description=_("seen by"), ordering="visibility")
    def who_sees(self, player: Player) -> str:
        return str(_SEEN_BY.get(player.visibility, player.visibility))

    def label(self, player: Player) -> str:
        return called(player)

    def get_fieldsets(self, request: HttpRequest, obj: Player | None = None) -> Any:
        name, reading, *others = PlayerForm.Meta.fields
        person = (None, {"fields": (name, "another_person", reading, *others, "revision")})
        start = (_("Starting rating"), {"fields": ("start_rating", "start_games")})
        return [person] if obj else [person, start]

    def get_search_results(
        self, request: HttpRequest, queryset: QuerySet[Player], search_term: str
    ) -> tuple[QuerySet[Player], bool]:
        """By any spelling of the name (`search_name` is case-folded, databases do not fold every script) or number."""
        number = whole_number(search_term.strip().removeprefix("#"))
        if number is not None:
            return queryset.filter(number=number), False
        return queryset.filter(named(words_of(search_term))), False

    def has_delete_permission(self, request: HttpRequest, obj: Player | None = None) -> bool:
        """Whoever may change a player may delete one without games: the service refuses every other."""
        return self.has_change_permission(request, obj)

    def get_urls(self) -> list[URLPattern]:
        pages: dict[str, tuple[str, Callable[..., HttpResponse]]] = {
            "merge": ("<int:key>/merge/", merge),
            "erase": ("<int:key>/erase/", anonymise),
            "own_data": ("<int:key>/data/", own_data_page),
            "links": ("<int:key>/links/", links.links),
            "link_sheet": ("links/", links.sheet),
            "duplicates": ("duplicates/", duplicates),
            "federation": ("fide-list/", federation_list),
            "members": ("members/", members),
            "of_age": ("of-age/", of_age),
        }
        own = [
            path(address, self.admin_site.admin_view(view), name=f"players_player_{name}")
            for name, (address, view) in pages.items()
        ]
        return [*own, *super().get_urls()]

    def render_change_form(
        self, request: HttpRequest, context: dict[str, Any], *args: Any, **kwargs: Any
    ) -> HttpResponse:
        player = context.get("original")
        if player and self.has_change_permission(request, player):
            context["undo"] = last_undo("player", player.pk)
            context["may_erase"] = request.user.is_superuser and player.merged_into_id is None
        return super().render_change_form(request, context, *args, **kwargs)

    def moving(self, obj: Player, form: Any, formsets: Any, change: bool) -> Moving | None:
        """Another year of birth is another K, for somebody who has rated games."""
        if not change or "birth_year" not in form.changes() or not (since := first_rated_moments(obj)):
            return None
        years = (form.initial["birth_year"] or "–", form.cleaned_data["birth_year"] or "–")
        says = [f"{called(obj)}{sign(': ')}{form.fields['birth_year'].label} {years[0]} → {years[1]}"]
        revision = form.cleaned_data.get("revision") or 0
        return Moving(since, [obj.pk], [("player", obj.pk, revision)], says)

    def write(self, request: HttpRequest, form: Any, formsets: Any, change: bool, why: Why) -> None:
        """Guardians before who sees the name: with the consent given on this form it may be public."""
        obj, data, wished = form.instance, form.cleaned_data, ""
        if change:
            changes = form.changes()
            if changes.get("visibility") == Visibility.PUBLIC:
                wished = changes.pop("visibility")
            how: dict[str, Any] = {"revision": data.get("revision"), "reason": why.reason, "note": why.note}
            change_player(obj.pk, changes, by=why.by, **how)
        else:
            new = NewPlayer(**{name: data[name] for name in PlayerForm.Meta.fields})
            obj.pk = create_player(new, by=why.by).pk
            _bring_rating(obj.pk, data, request)
        obj.refresh_from_db()
        for formset in formsets:
            self.save_formset(request, form, formset, change)
        if wished:
            change_player(obj.pk, {"visibility": wished}, by=why.by)

    def save_formset(self, request: HttpRequest, form: Any, formset: Any, change: bool) -> None:
        if not formset.has_changed():
            return
        kept = [row.cleaned_data for row in formset.forms if row.cleaned_data and not row.cleaned_data["DELETE"]]
        if formset.model is Guardian:
            wanted = [NewGuardian(**{each.name: row[each.name] for each in fields(NewGuardian)}) for row in kept]
            set_guardians(form.instance.pk, wanted, by=officer(request))
        else:
            set_identities(form.instance, {row["scheme"]: row["value"] for row in kept}, by=officer(request))

    def delete_model(self, request: HttpRequest, obj: Player) -> None:
        delete_player(obj.pk, by=officer(request))

    def response_add(self, request: HttpRequest, obj: Player, post_url_continue: str | None = None) -> HttpResponse:
        return self._answer(request, obj, _("%(player)s is in the list.")) or super().response_add(request, obj)

    def response_change(self, request: HttpRequest, obj: Player) -> HttpResponse:
        return self._answer(request, obj, _("%(player)s was changed.")) or super().response_change(request, obj)

    def _answer(self, request: HttpRequest, obj: Player, text: Any) -> HttpResponse | None:
        """With the name, where Django would say "#17"."""
        if "_continue" in request.POST or "_popup" in request.POST:
            return None
        self.message_user(request, text % {"player": self.label(obj)})
        page = "add" if "_addanother" in request.POST else "changelist"
        return redirect(reverse(f"admin:players_player_{page}"))


def _bring_rating(player: int, data: dict[str, Any], request: HttpRequest) -> None:
    """The starting rating given with a new player, in the club's main list."""
    rating_list, rating = primary_list(), data.get("start_rating")
    if rating is None or rating_list is None:
        return
    today = timezone.localdate()
    start = NewStart(player, min(data.get("joined_on") or today, today), rating, data.get("start_games") or 0)
    bring_starting_ratings(rating_list, [start], by=officer(request))


class ClubForm(ServiceForm):
    time_zone = forms.ChoiceField(label=_("Time zone"), choices=zone_choices)
    new_phrase = forms.CharField(
        label=_("New pass-phrase for members"),
        required=False,
        max_length=200,
        widget=forms.PasswordInput(attrs={"autocomplete": "new-password"}),
        help_text=_("Empty: the present one stays. A new one ends every member's session."),
    )
    close_door = forms.BooleanField(
        label=_("No pass-phrase"),
        required=False,
        help_text=_("Closes the members' door: nobody gets in by pass-phrase."),
    )

    class Meta:
        model = Club
        fields = EDITABLE
        help_texts = {
            "quiet_from": _(
                "Full hours, 0 to 23: from this hour until the next nobody is sent notices. What is still news by then "
                "comes in the morning. Two equal hours: notices at any time."
            ),
            "letters_at": _("A full hour, 0 to 23: for readers who want one letter a day."),
            "personal_links": _(
                "Officers make them on a player’s page. A device that opens one is known as that player’s: for results "
                "by players and for absences. Switched off, no link opens anything."
            ),
            "importance_scale": _(
                "One a line: what an event is called, and the factor on K of its games, like “Championship 1.5”. "
                "Arbiters choose from it; an event keeps the factor it has."
            ),
        }
        widgets = {"importance_scale": forms.Textarea(attrs={"rows": 5})}

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        # The usual scale as a browser sends it back: whoever saves the rest does not write it down.
        usual = "\r\n".join(f"{name} {factor:g}" for name, factor in importance_scale(""))
        self.initial["importance_scale"] = self.instance.importance_scale or usual

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean()
        if cleaned.get("new_phrase") and cleaned.get("close_door"):
            self.add_error("close_door", _("Either a new pass-phrase or none: not both."))
        return cleaned


@admin.register(Club)
class ClubAdmin(ServiceAdmin):
    """The club's settings: one row, made at set-up."""

    form = ClubForm
    fields = (
        *EDITABLE,
        *("new_phrase", "close_door", "revision"),
    )

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Club | None = None) -> bool:
        return False

    def changelist_view(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> HttpResponse:
        club = Club.objects.first()
        if club is None or not self.has_view_permission(request):
            return super().changelist_view(request, extra_context)
        return redirect(reverse("admin:players_club_change", args=[club.pk]))

    def save_model(self, request: HttpRequest, obj: Club, form: ClubForm, change: bool) -> None:
        changes = form.changes()
        phrase, close = changes.pop("new_phrase", ""), changes.pop("close_door", False)
        if phrase or close:
            changes["pass_phrase"] = "" if close else phrase
        update_club(changes, by=officer(request), revision=form.cleaned_data.get("revision"))
        obj.refresh_from_db()
