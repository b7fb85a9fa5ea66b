"""Officers' accounts in the administration. Each has one of five roles instead of single permissions; that of officers
of clubs opens the pages of their own clubs and nothing here.

Beside the form stand buttons (one-time link, second factor, lock, sessions), each recorded in the audit trail. The
one-time link is shown once, in the answer to its button, and stored nowhere.

Also unregisters the packages' own tables: groups (made by migration), the queue's rows (background jobs have their own
page), and the keys of second factors, which nobody may read.
"""

from collections.abc import Callable
from functools import wraps
from typing import Any

from django import forms
from django.contrib import admin, messages
from django.contrib.admin import ModelAdmin
from django.contrib.auth.admin import UserAdmin
from django.contrib.auth.models import Group, User
from django.core.exceptions import PermissionDenied, ValidationError
from django.db.models import Exists, OuterRef, QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.urls import URLPattern, path
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_POST
from django_otp.plugins.otp_static.admin import StaticDevice
from django_otp.plugins.otp_totp.admin import TOTPDevice
from django_tasks_db.admin import DBTaskResult

from clubrating.accounts.views.passwords import NewPasswordForm, address_of_link, password_field
from clubrating.web.admin import RefusableForm, RefusalsAnswered, admin_page, officer
from clubrating.web.forms import RowsField
from players.models import Passkey
from players.officers.roles import (
    ADMINISTRATOR,
    ALL_ROLES,
    ARBITER,
    ASSISTANT,
    CLUB_OFFICER,
    RATING_OFFICER,
    role_of,
)
from players.officers.services.credentials import (
    has_factor,
    lift_lock,
    locked_until,
    make_link,
    reset_factor,
    set_password,
    sign_out_everywhere,
)
from players.officers.services.officers import DATA, set_role, update_officer
from players.refusals import Refused, sign
from tournaments.models import LeagueClub
from tournaments.teams.services.club_officers import make_account, set_clubs


def link(request: HttpRequest, user: User) -> HttpResponse:
    """Make the one-time link and show it."""
    made = make_link(user, by=officer(request))
    address = address_of_link(request, made)
    return _page(request, user, "link", _("One-time link"), address=address, until=made.until)


def reset(request: HttpRequest, user: User) -> HttpResponse:
    reset_factor(user, by=officer(request))
    messages.success(request, _("The second factor is off, and the account is signed out everywhere."))
    return _back(user)


def unlock(request: HttpRequest, user: User) -> HttpResponse:
    lift_lock(user, by=officer(request))
    messages.success(request, _("The name may sign in again from everywhere."))
    return _back(user)


def sign_out(request: HttpRequest, user: User) -> HttpResponse:
    by = officer(request)
    keep = request.session.session_key if by.pk == user.pk else None
    sign_out_everywhere(user, by=by, keep=keep)
    messages.success(request, _("The account is signed out everywhere."))
    return _back(user)


def password(request: HttpRequest, user: User) -> HttpResponse:
    """Type a password for somebody; one's own is changed under “My account”, with the present one."""
    if user.pk == officer(request).pk:
        return redirect("account-password")
    form = NewPasswordForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        try:
            set_password(user, form.cleaned_data["password1"], by=officer(request))
        except Refused as refusal:
            form.add_error("password1", str(refusal))
        else:
            messages.success(request, _("The password is set, and the account is signed out everywhere."))
            return _back(user)
    return _page(request, user, "password", _("Set a password"), form=form)


OfficerView = Callable[[HttpRequest, User], HttpResponse]
BUTTONS: dict[str, OfficerView] = {"link": link, "reset": reset, "unlock": unlock, "sign-out": sign_out}


def officer_urls(model_admin: ModelAdmin) -> list[URLPattern]:
    """The addresses of these pages, for those who may change accounts."""
    views = {name: require_POST(_for(model_admin, view)) for name, view in BUTTONS.items()}
    views["password"] = sensitive_post_parameters()(_for(model_admin, password))
    return [
        path(f"<int:key>/{name}/", admin.site.admin_view(view), name=f"auth_user_{name.replace('-', '_')}")
        for name, view in views.items()
    ]


def _for(model_admin: ModelAdmin, view: OfficerView) -> Callable[[HttpRequest, int], HttpResponse]:
    @wraps(view)
    def of_officer(request: HttpRequest, key: int) -> HttpResponse:
        if not model_admin.has_change_permission(request):
            raise PermissionDenied
        user = get_object_or_404(User, pk=key)
        try:
            return view(request, user)
        except Refused as refusal:
            messages.error(request, str(refusal))
            return _back(user)

    return of_officer


def _back(user: User) -> HttpResponse:
    return redirect("admin:auth_user_change", user.pk)


def _page(request: HttpRequest, user: User, name: str, title: str, **context: Any) -> HttpResponse:
    return admin_page(request, f"admin/auth/user/{name}.html", title, account=user, **context)


admin.site.unregister([User, Group, DBTaskResult, StaticDevice, TOTPDevice])

ROLES = {
    CLUB_OFFICER: (
        gettext_lazy("officer of a club"),
        gettext_lazy("line-ups, match cards and players’ lists of its teams; nothing in the administration"),
    ),
    ASSISTANT: (gettext_lazy("assistant"), gettext_lazy("enters results and who has come")),
    ARBITER: (gettext_lazy("arbiter"), gettext_lazy("players, events, results and their corrections")),
    RATING_OFFICER: (
        gettext_lazy("rating officer"),
        gettext_lazy("rating lists, rules, publishing, corrections"),
    ),
    ADMINISTRATOR: (
        gettext_lazy("administrator"),
        gettext_lazy("everything: also accounts, the club, backups"),
    ),
}


def role_choices() -> list[tuple[str, str]]:
    """Each role with its sentence."""
    return [(role, f"{word}{sign(': ')}{sentence}") for role, (word, sentence) in ROLES.items()]


class AccountForm(RefusableForm):
    """What both forms ask: who, and in which role."""

    role = forms.ChoiceField(label=gettext_lazy("Role"), choices=role_choices, widget=forms.RadioSelect)
    clubs = RowsField(
        label=gettext_lazy("Clubs of leagues"),
        queryset=LeagueClub.objects.all(),
        required=False,
        widget=forms.CheckboxSelectMultiple,
        help_text=gettext_lazy("For officers of clubs: only the matters of these clubs open."),
    )

    class Meta:
        model = User
        fields = DATA

    def clubs_given(self) -> list[int]:
        return [club.pk for club in self.cleaned_data["clubs"]]

    def data_given(self) -> dict[str, str]:
        return {field: self.cleaned_data[field] for field in DATA if field in self.cleaned_data}


class NewOfficerForm(AccountForm):
    password1 = password_field(
        gettext_lazy("Password"),
        "new-password",
        required=False,
        help_text=gettext_lazy("Better left empty: then you make a link, and the officer chooses it."),
    )
    password2 = password_field(gettext_lazy("Password once more"), "new-password", required=False)

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean()
        if cleaned.get("password1", "") != cleaned.get("password2", ""):
            raise ValidationError({"password2": _("The two are not the same: write them again.")})
        return cleaned


class OfficerForm(AccountForm):
    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.initial["role"] = role_of(self.instance)
        self.initial["clubs"] = LeagueClub.objects.filter(officers=self.instance)
        if "is_active" in self.fields:
            self.fields["is_active"].help_text = _("Untick it when somebody leaves: accounts are closed, not deleted.")


@admin.register(User)
class OfficerAdmin(RefusalsAnswered, UserAdmin):
    form = OfficerForm
    add_form = NewOfficerForm
    add_form_template = "admin/auth/user/change_form.html"
    change_form_template = "admin/auth/user/change_form.html"
    list_display = ("username", "first_name", "last_name", "role", "is_active", "second_factor", "last_login")
    list_filter = ("is_active",)
    search_fields = ("username", "first_name", "last_name", "email")
    fieldsets = ((None, {"fields": (*DATA, "role", "clubs", "is_active")}),)
    add_fieldsets = ((None, {"fields": (*DATA, "role", "clubs", "password1", "password2")}),)
    filter_horizontal = ()
    actions = None
    show_facets = admin.ShowFacets.NEVER

    def get_queryset(self, request: HttpRequest) -> QuerySet[User]:
        app = TOTPDevice.objects.filter(user=OuterRef("pk"), confirmed=True)
        factor = Exists(app) | Exists(Passkey.objects.filter(user=OuterRef("pk")))
        return super().get_queryset(request).annotate(factor=factor).prefetch_related("groups")

    @admin.display(description=gettext_lazy("role"))
    def role(self, user: User) -> str:
        names = {group.name for group in user.groups.all()}
        held = ADMINISTRATOR if user.is_superuser else next((role for role in ALL_ROLES if role in names), "")
        return str(ROLES[held][0]) if held else "–"

    @admin.display(description=gettext_lazy("second factor"), boolean=True)
    def second_factor(self, user: User) -> bool:
        return bool(user.factor)  # type: ignore[attr-defined]

    def get_urls(self) -> list[URLPattern]:
        return [*officer_urls(self), *super().get_urls()]

    def changelist_view(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> HttpResponse:
        return super().changelist_view(request, {"title": _("Accounts"), **(extra_context or {})})

    def history_view(
        self, request: HttpRequest, object_id: str, extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        """Whoever sees no account is not led to the trail of one."""
        if not self.has_view_permission(request):
            raise PermissionDenied
        return super().history_view(request, object_id, extra_context)

    def has_delete_permission(self, request: HttpRequest, obj: User | None = None) -> bool:
        """Accounts are closed, not deleted: the audit trail names them."""
        return False

    def save_form(self, request: HttpRequest, form: Any, change: bool) -> User:
        """Nothing is written here, nor by `save_m2m`: the services do."""
        form.save_m2m = lambda: None
        return form.instance

    def save_model(self, request: HttpRequest, obj: User, form: Any, change: bool) -> None:
        by, cleaned = officer(request), form.cleaned_data
        if not change:
            given, password = form.clubs_given(), cleaned["password1"]
            obj.pk = make_account(form.data_given(), cleaned["role"], given, password=password, by=by).pk
            return
        update_officer(obj.pk, form.data_given(), by=by)
        user = User.objects.get(pk=obj.pk)
        set_role(user, cleaned["role"], active=cleaned["is_active"], by=by)
        set_clubs(user, form.clubs_given(), by=by)

    def response_add(self, request: HttpRequest, obj: User, post_url_continue: str | None = None) -> HttpResponse:
        obj.refresh_from_db()
        if not obj.has_usable_password():
            missing = _("Nobody can sign in with this account yet: make a one-time link, below.")
            self.message_user(request, missing, messages.WARNING)
        return super().response_add(request, obj, post_url_continue)

    def render_change_form(
        self, request: HttpRequest, context: dict[str, Any], *args: Any, **kwargs: Any
    ) -> HttpResponse:
        account = context.get("original")
        context["title"] = _("Account") if account else _("New account")
        if account:
            context |= {
                "has_factor": has_factor(account),
                "locked_until": locked_until(account.get_username()),
                "has_password": account.has_usable_password(),
                "is_self": account.pk == officer(request).pk,
            }
        return super().render_change_form(request, context, *args, **kwargs)
