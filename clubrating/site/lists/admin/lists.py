"""Rating lists in the admin: settings for administrators, the computed rows for everybody who may view them.

A changed rule or another probation shows first what it moves, and asks for a reason
(`tournaments.corrections.admin.saving`). Starting ratings: `starting_ratings` beside this file. The ledger, its steps
and the current ratings are computed: read only. Publishing and rating anew: `clubrating.site.lists.admin.actions`. Not
done: imports, deletion of a list.
"""

from dataclasses import asdict
from functools import partial
from typing import Any
from zlib import crc32

from django import forms
from django.contrib import admin, messages
from django.db.models import F, QuerySet
from django.http import HttpRequest
from django.urls import reverse_lazy
from django.utils import timezone
from django.utils.functional import lazy
from django.utils.text import format_lazy
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from clubrating.ground import figures
from clubrating.ground.marks import joined
from clubrating.site.lists.admin.actions import ListActions
from clubrating.site.lists.admin.starting_ratings import RowsOfPlayers
from clubrating.site.research.forms import SettingsField, proposed_rule
from clubrating.web.admin import NamedRows, ReadOnlyAdmin, ServiceAdmin, ServiceForm
from clubrating.web.formatting import day_text
from players.models import AuditEvent
from players.privacy.rules import OFFICER, shown_name
from players.refusals import Refused, listed, sign
from ratings.lists.forms import NamesField, system_choices
from ratings.lists.services import (
    LIST_FIELDS,
    NewRule,
    NewTier,
    change_list,
    check_rule,
    create_list,
    rules_of,
    set_tiers,
)
from ratings.lists.words import sides_help
from ratings.models import (
    LedgerEntry,
    PlayerRating,
    RatingList,
    RatingListRule,
    RatingStep,
    RatingTier,
)
from ratings.systems.elo import PRESETS
from tournaments.corrections.admin.saving import Moving, PreviewedAdmin
from tournaments.corrections.services.changes import Why
from tournaments.corrections.services.jobs import LONG_TAIL, rate_anew
from tournaments.corrections.services.list_changes import ListChange, change_rated_list, effects_of_list_change
from tournaments.rated_games.selectors.games import count_rated

_joined: Any = lazy(joined, str)


class _RuleFields(forms.Form):
    """The two fields of a rule, checked by the system that will read them."""

    system = forms.ChoiceField(label=_("System"), choices=system_choices, help_text=lazy(sides_help, str)())
    settings = SettingsField(
        help_text=format_lazy(
            '{} <code>{{"preset": "fide"}}</code>. {} <br>'
            '{} <code>{{"margin": "log", "margin_unit": 100, "margin_cap": 3}}</code>. {} <br>{}{}',
            _("What differs from the system's own values, for example"),
            format_lazy(_("Presets of Elo: {names}."), names=", ".join(PRESETS)),
            _("Where a win by more shall count more, for example"),
            _joined(
                _("The factor on K is 1 up to a margin of margin_unit, and margin_cap at most."),
                _("“nfl” grows without a cap, and a favourite’s win counts less."),
                _("“capped” rates the lead in place of the result: margin_cap times margin_unit is a whole win."),
                _("Then give the list a scale of its own as well, or a winner may fall."),
            ),
            format_lazy(
                '{} <code>{{"newcomer_k": "evidence"}}</code>. <a href="{page}">{}</a><br>',
                _("Where newcomers shall be told by what their games say, not by their number, K and probation both"),
                _("Does it help?"),
                page=reverse_lazy("lab:probation"),
            ),
            _("Where several sat at a table, “sides” is mean or sum, and “normaliser” is n-1, half or none."),
        ),
    )

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or self.cleaned_data
        if "settings" in cleaned and cleaned.get("system"):
            try:
                check_rule(cleaned["system"], cleaned["settings"])
            except Refused as refusal:
                self.add_error("settings", str(refusal))
        return cleaned


class RuleForm(_RuleFields, forms.ModelForm):
    class Meta:
        model = RatingListRule
        fields = ("valid_from", "system", "settings")


def _proposed(request: HttpRequest) -> NewRule | None:
    """The rule the address proposes; none once the form was sent, for then its own fields say it."""
    return proposed_rule(request.GET) if request.method == "GET" else None


class RuleInline(admin.TabularInline):
    model = RatingListRule
    form = RuleForm
    formset = NamedRows
    extra = 0
    min_num = 1
    formfield_overrides = ServiceAdmin.formfield_overrides
    verbose_name_plural = _("rules, each from a day on: a new one rewrites nothing before it")

    def get_formset(self, request: HttpRequest, obj: RatingList | None = None, **kwargs: Any) -> type:
        """A list without any rule could not be rated."""
        return super().get_formset(request, obj, validate_min=True, **kwargs)

    def get_extra(self, request: HttpRequest, obj: RatingList | None = None, **kwargs: Any) -> int:
        """One more for the rule a proposal comes with."""
        return 1 if _proposed(request) else self.extra


class TierForm(forms.ModelForm):
    names = NamesField(most=RatingTier._meta.get_field("name").max_length or 0, help_text="")

    class Meta:
        model = RatingTier
        fields = ("name", "below", "names")


class TierInline(admin.TabularInline):
    model = RatingTier
    form = TierForm
    formset = NamedRows
    extra = 0
    verbose_name_plural = _("tiers, each down to the next lower one")


_CHANGEABLE = ("provisional_games", "reentry_years", "reentry_games", "public", "primary", "order")


class ListForm(ServiceForm):
    names = NamesField(most=RatingList._meta.get_field("name").max_length or 0)


class NewListForm(_RuleFields, ListForm):
    """A new list with its first rule."""

    class Meta:
        model = RatingList
        fields = ("name", "names", "slug", "pool", *_CHANGEABLE)


@admin.register(RatingList)
class RatingListAdmin(ListActions, PreviewedAdmin):
    form = ListForm
    preview_reason = AuditEvent.Reason.OTHER
    list_display = ("shown", "pool", "system_now", "provisional_games", "primary", "public", "order")
    prepopulated_fields = {"slug": ("name",)}
    actions = ("publish", "rebuild")

    def get_queryset(self, request: HttpRequest) -> QuerySet[RatingList]:
        return super().get_queryset(request).prefetch_related("rules")

    @admin.display(description=pgettext_lazy("of a thing", "name"), ordering="name")
    def shown(self, rating_list: RatingList) -> str:
        return rating_list.shown_name

    @admin.display(description=_("system"))
    def system_now(self, rating_list: RatingList) -> str:
        return str(_(rules_of(rating_list).on(timezone.localdate()).system.name))

    def get_form(self, request: HttpRequest, obj: Any = None, change: bool = False, **kwargs: Any) -> type:
        return super().get_form(request, obj, change, **kwargs, **({} if obj else {"form": NewListForm}))

    def get_fieldsets(self, request: HttpRequest, obj: RatingList | None = None) -> Any:
        rule = () if obj else ("system", "settings")
        return [(None, {"fields": ("name", "names", "slug", "pool", *rule, *_CHANGEABLE)})]

    def get_readonly_fields(self, request: HttpRequest, obj: RatingList | None = None) -> tuple[str, ...]:
        return ("slug", "pool") if obj else ()

    def get_prepopulated_fields(self, request: HttpRequest, obj: RatingList | None = None) -> dict[str, Any]:
        return {} if obj else dict(self.prepopulated_fields)

    def get_inlines(self, request: HttpRequest, obj: RatingList | None) -> list[Any]:
        return [RuleInline, TierInline] if obj else []

    def has_delete_permission(self, request: HttpRequest, obj: RatingList | None = None) -> bool:
        return False

    def get_formset_kwargs(self, request: HttpRequest, obj: Any, inline: Any, prefix: str) -> dict[str, Any]:
        """A proposal's address fills a new rule in; whoever saves the form decides."""
        kwargs = super().get_formset_kwargs(request, obj, inline, prefix)
        rule = _proposed(request) if isinstance(inline, RuleInline) else None
        return kwargs if rule is None else {**kwargs, "initial": [asdict(rule)]}

    def moving(self, obj: RatingList, form: Any, formsets: Any, change: bool) -> Moving | None:
        """Rules and the probation, once there are rated games."""
        wanted = _list_change(form, formsets)
        games = count_rated(obj.pool) if change and wanted.moves else 0
        if not games:
            return None
        rules = obj.rules.values_list("valid_from", "system", "settings")
        facts = [("rules", obj.pk, crc32(repr(list(rules)).encode())), ("probation", obj.pk, obj.provisional_games)]
        lines = [
            f"{day_text(rule.valid_from)}{sign(': ')}{rule.system} {dict(rule.settings)}" for rule in wanted.rules or ()
        ]
        fields = [
            f"{form.fields[name].label}{sign(': ')}{_said(form.cleaned_data[name])}" for name in form.changed_data
        ]
        text = _("The list is being rated anew in the background; the jobs page says how far it is.")
        return Moving(
            {obj.pool: wanted.since()},
            None,
            facts,
            [obj.shown_name, *fields, *lines],
            long=partial(effects_of_list_change, wanted),
            done=str(text) if games > LONG_TAIL else "",
        )

    def write(self, request: HttpRequest, form: Any, formsets: Any, change: bool, why: Why) -> None:
        data, obj = form.cleaned_data, form.instance
        if not change:
            names = ("name", "names", "slug", "pool", "system", "settings", "primary", "order")
            obj.pk = create_list(**{name: data[name] for name in names}, by=why.by).pk
        for rows in formsets:
            if rows.model is RatingTier and rows.has_changed():
                set_tiers(obj, [NewTier(row["name"], row["below"], row["names"]) for row in _kept(rows)], by=why.by)
        wanted = _list_change(form, formsets)
        if change:
            job = change_rated_list(wanted, by=why.by, reason=why.reason, note=why.note)
        else:
            change_list(obj, wanted.fields, by=why.by)
            job = rate_anew(RatingList.objects.get(pk=obj.pk), by=why.by)
        if job and not why.reason:
            text = _("The list is being rated anew in the background; the jobs page says how far it is.")
            self.message_user(request, text, messages.INFO)


def _said(value: Any) -> str:
    return listed(value.values()) if isinstance(value, dict) else str(value)


def _kept(formset: Any) -> list[dict[str, Any]]:
    return [row.cleaned_data for row in formset.forms if row.cleaned_data and not row.cleaned_data["DELETE"]]


def _list_change(form: Any, formsets: Any) -> ListChange:
    """Only what was changed on the form: results entered meanwhile change the row's revision and generation."""
    changed = {name: form.cleaned_data[name] for name in form.changed_data if name in LIST_FIELDS}
    rules = next((rows for rows in formsets if rows.model is RatingListRule and rows.has_changed()), None)
    if rules is None:
        return ListChange(form.instance.pk, changed)
    new = [NewRule(row["valid_from"], row["system"], row["settings"]) for row in _kept(rules)]
    return ListChange(form.instance.pk, changed, new)


class _ComputedAdmin(ReadOnlyAdmin):
    """The live generation only: the others are being written or dropped."""

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        return super().get_queryset(request).filter(generation=F("rating_list__live_generation"))


@admin.register(PlayerRating)
class PlayerRatingAdmin(RowsOfPlayers, _ComputedAdmin):
    list_display = (
        *("shown", "rating_list", "figure", "games", "wins", "draws", "losses"),
        *("best", "last_played", "ranked"),
    )
    list_filter = ("rating_list", "ranked")
    fields = list_display

    @admin.display(description=_("rating"), ordering="rating")
    def figure(self, row: PlayerRating) -> int:
        return figures.round_half_away(row.rating)

    @admin.display(description=_("peak"), ordering="peak")
    def best(self, row: PlayerRating) -> int:
        return figures.round_half_away(row.peak)


@admin.register(LedgerEntry)
class LedgerEntryAdmin(RowsOfPlayers, _ComputedAdmin):
    paths = ("game__white", "game__black")
    list_display = ("played_on", "rating_list", "white", "white_move", "black", "black_move")
    list_filter = ("rating_list",)
    list_select_related = ("rating_list", "game__white", "game__black")
    search_fields = ("game__white__search_name",)
    ordering = ("-id",)
    fields = list_display

    @admin.display(description=_("played on"))
    def played_on(self, row: LedgerEntry) -> Any:
        return row.game.played_on

    @admin.display(description=_("White"))
    def white(self, row: LedgerEntry) -> str:
        return shown_name(row.game.white, OFFICER)

    @admin.display(description=_("Black"))
    def black(self, row: LedgerEntry) -> str:
        return shown_name(row.game.black, OFFICER)

    @admin.display(description=_("White’s rating"))
    def white_move(self, row: LedgerEntry) -> str:
        return _move(row.white_before, row.white_after, row.white_k, row.white_expected)

    @admin.display(description=_("Black’s rating"))
    def black_move(self, row: LedgerEntry) -> str:
        return _move(row.black_before, row.black_after, row.black_k, row.black_expected)


def _move(before: float | None, after: float | None, k: float | None, expected: float | None) -> str:
    """ "1500 → 1520 (K 40, expected 0.50)"; a dash where the system does not rate per game."""
    if before is None or after is None or k is None or expected is None:
        return "–"
    figures_of = {"before": figures.round_half_away(before), "after": figures.round_half_away(after)}
    return _("%(before)s → %(after)s (K %(k)g, expected %(expected).2f)") % {**figures_of, "k": k, "expected": expected}


@admin.register(RatingStep)
class RatingStepAdmin(_ComputedAdmin):
    list_display = ("rating_list", "kind", "shown", "from_to")
    list_filter = ("rating_list", "kind")
    list_select_related = ("rating_list", "player")
    fields = list_display

    @admin.display(description=_("player"))
    def shown(self, step: RatingStep) -> str:
        return shown_name(step.player, OFFICER) if step.player else str(_("the whole field"))

    @admin.display(description=_("before → after"))
    def from_to(self, step: RatingStep) -> str:
        rounded = ["–" if value is None else str(figures.round_half_away(value)) for value in (step.before, step.after)]
        return " → ".join(rounded)
