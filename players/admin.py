"""People and the club in the admin: forms for officers, who see real names, and the audit trail to read.

Saves go through `players.services` and, where ratings hang on a change, through `tournaments.services.rating`. Two
records of one person are merged by `tournaments.admin.merging`. Not done: imports.
"""

from typing import Any

from django import forms
from django.contrib import admin
from django.core.validators import MaxValueValidator, MinValueValidator
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import URLPattern, path, reverse
from django.utils import timezone
from django.utils.html import format_html
from django.utils.translation import gettext_lazy as _

from clubrating.admin_site import ReadOnlyAdmin, ServiceAdmin, ServiceForm, officer
from players.forms import zone_choices
from players.models import AuditEvent, Club, Job, Player, PlayerIdentity, Visibility
from players.names import clean_name, sort_key
from players.privacy import OFFICER, shown_name
from players.selectors import named, words_of
from players.services.club import update_club
from players.services.people import NewPlayer, create_player, delete_player, set_identities
from ratings.selectors import primary_list
from ratings.services.lists import NewStart
from tournaments.admin.correction_pages import last_undo
from tournaments.admin.merging import merge
from tournaments.services.rating import bring_starting_ratings, change_player
from tournaments.services.results import notation
from tournaments.standings.points import OUTCOMES, Result

# Who sees the name, in a word for the list.
_SEEN_BY: dict[str, Any] = {
    Visibility.PUBLIC: _("everybody"),
    Visibility.INITIALS: _("public: initials"),
    Visibility.MEMBERS: _("members"),
    Visibility.HIDDEN: _("officers"),
}


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
        # A form for somebody who may only look has neither field.
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
        if name and "name" in self.changed_data and not cleaned.get("another_person"):
            self._refuse_namesake(name)
        if cleaned.get("start_games") and cleaned.get("start_rating") is None:
            self.add_error("start_rating", _("Games need a rating: write both, or none."))
        if cleaned.get("start_rating") is not None and primary_list() is None:
            self.add_error("start_rating", _("There is no rating list yet: an administrator makes it first."))
        return cleaned

    def _refuse_namesake(self, name: str) -> None:
        same = Player.objects.filter(sort_name=sort_key(name), merged_into=None).exclude(pk=self.instance.pk).first()
        if same:
            text = _("%(name)s is in the list already, as player %(number)s. Tick the box if this is another person.")
            self.add_error("name", text % {"name": same.name, "number": same.number})


class IdentityInline(admin.TabularInline):
    model = PlayerIdentity
    extra = 0
    max_num = len(PlayerIdentity.Scheme)

    def has_view_permission(self, request: HttpRequest, obj: Player | None = None) -> bool:
        """The numbers are part of the person: whoever may write the one may write the other."""
        return request.user.has_perm("players.change_player" if obj else "players.add_player")

    has_add_permission = has_change_permission = has_delete_permission = has_view_permission


@admin.register(Player)
class PlayerAdmin(ServiceAdmin):
    form = PlayerForm
    list_display = ("shown", "number", "birth_year", "who_sees", "active")
    list_display_links = ("shown",)
    list_filter = ("active", "visibility")
    list_select_related = ("merged_into",)
    search_fields = ("search_name",)
    search_help_text = _("A part of the name in any script, or the number.")
    inlines = (IdentityInline,)

    @admin.display(description=_("name"), ordering="sort_name")
    def shown(self, player: Player) -> str:
        name = shown_name(player, OFFICER)
        merged = player.merged_into
        return f"{name} → #{merged.number}" if merged else name

    @admin.display(description=_("seen by"), ordering="visibility")
    def who_sees(self, player: Player) -> str:
        return str(_SEEN_BY.get(player.visibility, player.visibility))

    def label(self, player: Player) -> str:
        return f"{shown_name(player, OFFICER)} (#{player.number})"

    def get_fieldsets(self, request: HttpRequest, obj: Player | None = None) -> Any:
        person = (
            "name",
            "another_person",
            "birth_year",
            "sex",
            "title",
            "visibility",
            "active",
            "joined_on",
            "revision",
        )
        start = (_("Starting rating"), {"fields": ("start_rating", "start_games")})
        return [(None, {"fields": person}), *([] if obj else [start])]

    def get_search_results(
        self, request: HttpRequest, queryset: QuerySet[Player], search_term: str
    ) -> tuple[QuerySet[Player], bool]:
        """By any spelling of the name (`search_name` is case-folded, databases do not fold every script) or number."""
        number = search_term.strip().removeprefix("#")
        if number.isascii() and number.isdigit() and len(number) < 10:
            return queryset.filter(number=int(number)), False
        return queryset.filter(named(words_of(search_term))), False

    def has_delete_permission(self, request: HttpRequest, obj: Player | None = None) -> bool:
        """Whoever may change a player may delete one without games: the service refuses every other."""
        return self.has_change_permission(request, obj)

    def get_urls(self) -> list[URLPattern]:
        page = self.admin_site.admin_view(merge)
        return [path("<int:key>/merge/", page, name="players_player_merge"), *super().get_urls()]

    def render_change_form(
        self, request: HttpRequest, context: dict[str, Any], *args: Any, **kwargs: Any
    ) -> HttpResponse:
        player = context.get("original")
        if player and self.has_change_permission(request, player):
            context["undo"] = last_undo("player", player.pk)
        return super().render_change_form(request, context, *args, **kwargs)

    def save_model(self, request: HttpRequest, obj: Player, form: PlayerForm, change: bool) -> None:
        data = form.cleaned_data
        if change:
            change_player(obj.pk, form.changes(), by=officer(request), revision=data.get("revision"))
        else:
            new = NewPlayer(**{name: data[name] for name in PlayerForm.Meta.fields})
            obj.pk = create_player(new, by=officer(request)).pk
            _bring_rating(obj.pk, data, request)
        obj.refresh_from_db()

    def save_formset(self, request: HttpRequest, form: Any, formset: Any, change: bool) -> None:
        if formset.has_changed():
            kept = [row.cleaned_data for row in formset.forms if row.cleaned_data and not row.cleaned_data["DELETE"]]
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
        fields = ("name", "time_zone", "default_visibility")

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean()
        if cleaned.get("new_phrase") and cleaned.get("close_door"):
            self.add_error("close_door", _("Either a new pass-phrase or none: not both."))
        return cleaned


@admin.register(Club)
class ClubAdmin(ServiceAdmin):
    """The club's settings: one row, made at set-up."""

    form = ClubForm
    fields = ("name", "time_zone", "default_visibility", "new_phrase", "close_door", "revision")

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


# What the audit trail calls a value, in an officer's words.
_VALUE_NAMES = {
    "result": _("result"), "played_on": _("played on"), "number": _("number"), "player": _("player"),
    "tournament": _("tournament"), "rating": _("rating"), "games": _("games"), "on": _("from"),
    "source": _("taken from"), "visibility": _("who sees the name"), "active": _("active"), "title": _("title"),
    "fields": _("changed"),
    "rounds": _("rounds"), "seed": _("seed"), "by": _("by"), "pool": _("pool"), "name": _("name"),
    "mirror": _("winner kept"), "keep": _("kept"), "gone": _("merged"), "white": _("White"), "black": _("Black"),
    "rated": _("rated"), "starts_on": _("first day"), "ends_on": _("last day"), "place": _("place"),
}  # fmt: skip
# What the trail keeps for undoing, and nobody reads.
_KEYS = {"revision", "revisions"}
_MERGED_KEYS = {"white", "black", "entries", "starts", "identities"}
# Kinds of rows an audit line can lead to.
_PAGES = {"player": "players_player", "tournament": "tournaments_tournament", "ratinglist": "ratings_ratinglist",
          "game": "tournaments_game"}  # fmt: skip


def _words(value: Any) -> str:
    if isinstance(value, bool):
        return str(_("yes") if value else _("no"))
    if isinstance(value, list):
        return ", ".join(_words(item) for item in value) or "–"
    return "–" if value in (None, "") else str(value)


def _result(code: Any) -> str:
    """ "1/2" as ½–½."""
    return notation(Result(code)) if code in OUTCOMES and code else ""


def change_in_words(event: AuditEvent) -> str:
    """ "result: ½–½ → 1–0; played on: 2026-01-05", from the event's two images."""
    parts = []
    for name in dict.fromkeys([*event.before, *event.after]):
        if name in _KEYS or (event.action == "players.merged" and name in _MERGED_KEYS):
            continue
        was, now = event.before.get(name), event.after.get(name)
        if was == now or (was is None and now in (None, "", [])):
            continue
        if name == "result":
            was, now = _result(was), _result(now)
        value = _words(now) if name not in event.before else f"{_words(was)} → {_words(now)}"
        parts.append(f"{_VALUE_NAMES.get(name, name.replace('_', ' '))}: {value}")
    return "; ".join(parts)


@admin.register(AuditEvent)
class AuditEventAdmin(ReadOnlyAdmin):
    list_display = ("at", "actor", "role", "what", "about", "change", "reason", "note")
    list_filter = ("action", "role", "reason")
    list_select_related = ("actor",)
    fields = list_display

    @admin.display(description=_("what"), ordering="action")
    def what(self, event: AuditEvent) -> str:
        """ "result.corrected" as "result corrected"."""
        return event.action.replace(".", " ").replace("-", " ")

    @admin.display(description=_("about"))
    def about(self, event: AuditEvent) -> str:
        words = f"{event.subject_kind} {event.subject_key}"
        page = _PAGES.get(event.subject_kind)
        if page is None or event.action.endswith((".deleted", ".removed")):
            return words
        return format_html('<a href="{}">{}</a>', reverse(f"admin:{page}_change", args=[event.subject_key]), words)

    @admin.display(description=_("before → after"))
    def change(self, event: AuditEvent) -> str:
        return change_in_words(event)


@admin.register(Job)
class JobAdmin(ReadOnlyAdmin):
    list_display = ("requested_at", "kind", "state", "done_so_far", "requested_by", "finished_at", "message")
    list_filter = ("state", "kind")
    list_select_related = ("requested_by",)
    fields = list_display

    @admin.display(description=_("done"))
    def done_so_far(self, job: Job) -> str:
        return format_html('<progress max="100" value="{0}">{0} %</progress> {0} %', job.progress)
