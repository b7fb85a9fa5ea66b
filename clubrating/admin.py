"""Who may sign in, in two words instead of a hundred permissions: arbiter or administrator.

Also takes the packages' own tables off the desk: groups (made by `ensure_roles`) and the queue's rows (background jobs
have their own page).
"""

from typing import Any

from django import forms
from django.contrib import admin
from django.contrib.auth.admin import UserAdmin
from django.contrib.auth.forms import UserChangeForm, UserCreationForm
from django.contrib.auth.models import Group, User
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _
from django_tasks_db.admin import DBTaskResult  # its admin registers it, and only then it can be taken off

from clubrating.admin_site import RefusableForm, RefusalsAnswered, officer
from players.services.officers import set_role
from players.services.roles import ADMINISTRATOR, ARBITER, role_of

admin.site.unregister([User, Group, DBTaskResult])

ROLES = [(ARBITER, _("arbiter: players, tournaments, results")), (ADMINISTRATOR, _("administrator: everything"))]


class NewOfficerForm(RefusableForm, UserCreationForm):
    role = forms.ChoiceField(label=_("Role"), choices=ROLES, widget=forms.RadioSelect)


class OfficerForm(RefusableForm, UserChangeForm):
    role = forms.ChoiceField(label=_("Role"), choices=ROLES, widget=forms.RadioSelect)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.initial["role"] = role_of(self.instance)


@admin.register(User)
class OfficerAdmin(RefusalsAnswered, UserAdmin):
    form = OfficerForm
    add_form = NewOfficerForm
    list_display = ("username", "first_name", "last_name", "role", "is_active", "last_login")
    list_filter = ("is_active",)
    fieldsets = ((None, {"fields": ("username", "password", "first_name", "last_name", "role", "is_active")}),)
    add_fieldsets = ((None, {"fields": ("username", "password1", "password2", "role")}),)
    filter_horizontal = ()

    @admin.display(description=_("role"))
    def role(self, user: User) -> str:
        return str(_("administrator")) if user.is_superuser else str(_("arbiter"))

    def has_delete_permission(self, request: HttpRequest, obj: User | None = None) -> bool:
        """Accounts are closed, not deleted: the audit trail names them."""
        return False

    def save_model(self, request: HttpRequest, obj: User, form: Any, change: bool) -> None:
        active = form.cleaned_data.get("is_active", True)
        was = User.objects.filter(pk=obj.pk).values_list("is_superuser", flat=True).first()
        obj.is_superuser = bool(was)
        super().save_model(request, obj, form, change)
        set_role(obj, form.cleaned_data["role"], active=active, by=officer(request))
