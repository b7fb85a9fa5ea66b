"""The two kinds of model pages the admin has, and what their forms share.

`ServiceAdmin`   rows people edit. Every save and deletion goes through a service; a refusal comes back on the form with
                 everything typed still in it.
`ReadOnlyAdmin`  rows that are computed or written by services.

Django's own log of admin actions is not written: the audit trail is `players.models.AuditEvent`, which holds no names.
"""

from typing import Any

from django import forms
from django.contrib import admin, messages
from django.contrib.admin.utils import flatten_fieldsets
from django.contrib.auth.models import User
from django.core.exceptions import PermissionDenied, ValidationError
from django.db import models
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.text import capfirst
from django.utils.translation import gettext as _now
from django.utils.translation import gettext_lazy as _

from clubrating.web.requests import number_sent
from players.officers.roles import ADMINISTRATOR, role_of
from players.refusals import Refused, Stale, listed, sign


def key_sent(request: HttpRequest, name: str, rows: QuerySet[Any]) -> int:
    """The key that was sent, of one of those rows. Raises Stale."""
    key = number_sent(request, name)
    if not rows.filter(pk=key).exists():
        raise Stale(_now("This is not on the page any more: look at it again."))
    return key


def officer(request: HttpRequest) -> User:
    """The user who is signed in, for the services' `by`. Raises PermissionDenied where there is none."""
    if not isinstance(request.user, User):
        raise PermissionDenied
    return request.user


def administrator(request: HttpRequest) -> User:
    """The administrator who is signed in. Raises PermissionDenied for everybody else."""
    user = officer(request)
    if role_of(user) != ADMINISTRATOR:
        raise PermissionDenied
    return user


def admin_page(request: HttpRequest, template: str, title: str, *, status: int = 200, **context: Any) -> HttpResponse:
    """A page of the administration that belongs to no model."""
    everything = {**admin.site.each_context(request), "title": title, **context}
    return render(request, template, everything, status=status)


class RefusableForm(forms.ModelForm):
    """A form that comes back with the sentence of the service that refused it."""

    refusal: Refused | None = None

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or self.cleaned_data
        if self.refusal:
            raise ValidationError([str(self.refusal), *self.what_stands()])
        return cleaned

    def what_stands(self) -> list[str]:
        """Further sentences beside the refusal."""
        return []


class ServiceForm(RefusableForm):
    """A form whose row a service writes. `revision` travels with it, so that a stale form is noticed."""

    revision = forms.IntegerField(label="", widget=forms.HiddenInput, required=False)

    data: Any

    def __init__(self, data: Any = None, *args: Any, **kwargs: Any) -> None:
        super().__init__(data, *args, **kwargs)
        revision = getattr(self.instance, "revision", None)
        self.initial["revision"] = revision
        if isinstance(self.refusal, Stale) and self.is_bound:
            # What was typed stays, beside what stands now; saving again is a decision with both in sight.
            self.data = self.data.copy()
            self.data["revision"] = revision

    def changes(self) -> dict[str, Any]:
        """What was changed on the form: field → new value."""
        return {name: self.cleaned_data[name] for name in self.changed_data if name != "revision"}

    def what_stands(self) -> list[str]:
        """After a stale form: each changed field's present value."""
        if not isinstance(self.refusal, Stale):
            return []
        text = _("%(field)s: “%(value)s” stands now.")
        return [
            str(text % {"field": self.fields[name].label, "value": self._shown(name)})
            for name in self.changed_data
            if name in self.initial and name != "revision"
        ]

    def _shown(self, name: str) -> str:
        value = self.initial[name]
        choices = dict(getattr(self.fields[name], "choices", ()))
        if isinstance(value, list):
            return listed(choices.get(part, part) for part in value) or "–"
        return str(choices.get(value, "–" if value in (None, "") else value))


class NamedRows(forms.BaseInlineFormSet):
    """Rows of fields under a heading: each field has its name and row as a label for screen readers."""

    def add_fields(self, form: Any, index: int | None) -> None:
        super().add_fields(form, index)
        row = _("row %(number)s") % {"number": index + 1} if index is not None else _("new row")
        for field in form.fields.values():
            if not field.widget.is_hidden and field.label:
                field.widget.attrs["aria-label"] = f"{capfirst(field.label)}{sign(', ')}{row}"


class TitledList(admin.ModelAdmin):
    """The list's title is the model's plural name."""

    def changelist_view(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> HttpResponse:
        title = {"title": capfirst(self.opts.verbose_name_plural)}
        return super().changelist_view(request, {**title, **(extra_context or {})})

    def get_object(self, request: HttpRequest, object_id: str, from_field: str | None = None) -> Any:
        """For an empty `?_to_field=` Django would look for a column without a name."""
        return super().get_object(request, object_id, from_field or None)


class RefusalsAnswered(TitledList):
    """A refusal comes back on its form, and Django's own log stays empty."""

    def get_form(
        self, request: HttpRequest, obj: Any = None, change: bool = False, **kwargs: Any
    ) -> type[forms.ModelForm]:
        form: Any = super().get_form(request, obj, change=change, **kwargs)
        form.refusal = getattr(request, "refusal", None)  # a class of its own for every request
        return form

    def changeform_view(
        self,
        request: HttpRequest,
        object_id: str | None = None,
        form_url: str = "",
        extra_context: dict[str, Any] | None = None,
    ) -> HttpResponse:
        """Where a service refuses, its transaction is rolled back and the form comes back with the sentence."""
        try:
            return super().changeform_view(request, object_id, form_url, extra_context)
        except Refused as refusal:
            request.refusal = refusal  # type: ignore[attr-defined]
            return super().changeform_view(request, object_id, form_url, extra_context)

    def _log_nothing(self, *args: Any, **kwargs: Any) -> list[Any]:
        """Nothing is written into Django's own log."""
        return []

    construct_change_message = log_addition = log_change = log_deletions = _log_nothing  # type: ignore[assignment]

    def history_view(
        self, request: HttpRequest, object_id: str, extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        """The audit trail of this row, for whoever may read it."""
        if not request.user.has_perm("players.view_auditevent"):
            raise PermissionDenied
        audit = reverse("admin:players_auditevent_changelist")
        return redirect(f"{audit}?subject_kind={self.opts.model_name}&subject_key={object_id}")


class ServiceAdmin(RefusalsAnswered):
    """Model pages whose saves go through services. Subclasses write `save_model` and `delete_model`."""

    form = ServiceForm
    actions_on_top = True
    show_full_result_count = False
    show_facets = admin.ShowFacets.NEVER
    list_per_page = 50
    # The browser's own date picker: works on phones, and without script.
    formfield_overrides = {models.DateField: {"widget": forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d")}}

    def get_form(
        self, request: HttpRequest, obj: models.Model | None = None, change: bool = False, **kwargs: Any
    ) -> type[forms.ModelForm]:
        # The hidden field is declared on the form; asked for by name Django would look for an editable column.
        fields = kwargs.pop("fields", None) or flatten_fieldsets(self.get_fieldsets(request, obj))
        wanted = [name for name in fields if name != "revision"]
        return super().get_form(request, obj, change=change, fields=wanted, **kwargs)

    def delete_view(
        self, request: HttpRequest, object_id: str, extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        try:
            return super().delete_view(request, object_id, extra_context)
        except Refused as refusal:
            self.message_user(request, str(refusal), messages.ERROR)
            return redirect(reverse(f"admin:{self.opts.app_label}_{self.opts.model_name}_change", args=[object_id]))

    def get_deleted_objects(self, objs: Any, request: HttpRequest) -> tuple[list[Any], dict[str, int], set[str], list]:
        """No list of related objects: the service decides whether it may be deleted."""
        return [self.label(obj) for obj in objs], {}, set(), []

    def label(self, obj: Any) -> str:
        """What an officer calls the row."""
        return str(obj)

    def render_change_form(
        self, request: HttpRequest, context: dict[str, Any], *args: Any, **kwargs: Any
    ) -> HttpResponse:
        if context.get("original"):
            context["subtitle"] = self.label(context["original"])
        return super().render_change_form(request, context, *args, **kwargs)


class ReadOnlyAdmin(TitledList):
    """Rows to look at; the list shows everything, so nothing links to a page of one."""

    list_display_links = None
    show_full_result_count = False
    show_facets = admin.ShowFacets.NEVER
    list_per_page = 50

    def _nobody_may(self, request: HttpRequest, obj: models.Model | None = None) -> bool:
        return False

    has_add_permission = has_change_permission = has_delete_permission = _nobody_may

    def history_view(
        self, request: HttpRequest, object_id: str, extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        """There is none: nobody changes these rows by hand."""
        raise PermissionDenied

    def render_change_form(
        self, request: HttpRequest, context: dict[str, Any], *args: Any, **kwargs: Any
    ) -> HttpResponse:
        """Without a link to a history, and without the row's keys as a heading."""
        context |= {"subtitle": None, "has_no_trail": True}
        return super().render_change_form(request, context, *args, **kwargs)
