"""An officer's tokens for programs, and the club's webhooks: pages below *My account*.

To make either asks for the password: whoever finds a desk left open leaves no way in behind. What is secret is shown
once.
"""

from typing import Any

from crispy_forms.helper import FormHelper
from django import forms
from django.contrib import messages
from django.contrib.auth.models import User
from django.db.models import Q
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters

from clubrating.accounts.views.passwords import is_password_in, password_field
from clubrating.accounts.views.sign_in import FORM
from clubrating.site.programs.services import send_now, switch_on
from clubrating.web.admin import admin_page, administrator, officer
from clubrating.web.forms import one_button
from clubrating.web.requests import number_sent
from players.models import ApiToken, Webhook, WebhookDelivery
from players.officers.roles import ADMINISTRATOR, role_of
from players.programs.services import (
    CHECK_IN,
    ENTRIES,
    KINDS,
    LONGEST_NAME,
    MOST_DAYS,
    NOT_PUBLIC,
    REDIRECTED,
    RESULTS,
    SCOPES,
    UNKNOWN_HOST,
    UNREACHABLE,
    delete_webhook,
    live_tokens,
    make_token,
    make_webhook,
    may_use,
    renew_secret,
    revoke_token,
    secret_of,
    switch_webhook,
)
from players.refusals import Refused, listed
from tournaments.events.selectors.officers import run_by
from tournaments.models import Tournament

SCOPE_WORDS = {
    RESULTS: gettext_lazy("enter and correct results"),
    ENTRIES: gettext_lazy("enter players and withdraw them"),
    CHECK_IN: gettext_lazy("note who is here and who will be absent"),
}
PROBLEMS = {
    NOT_PUBLIC: gettext_lazy("its address is not a public one"),
    UNKNOWN_HOST: gettext_lazy("its host is not known"),
    UNREACHABLE: gettext_lazy("it could not be reached"),
    REDIRECTED: gettext_lazy("it sends elsewhere, which is not followed"),
}
MOST_SHOWN = 20
_WRONG = gettext_lazy("That is not your password.")


class TokenForm(forms.Form):
    """A new token of the officer's."""

    name = forms.CharField(
        label=gettext_lazy("Device or program"),
        max_length=LONGEST_NAME,
        help_text=gettext_lazy("As the audit trail is to call it. Not the name of a person."),
    )
    scopes = forms.MultipleChoiceField(label=gettext_lazy("It may"), widget=forms.CheckboxSelectMultiple)
    event = forms.ModelChoiceField(
        Tournament.objects.none(),
        label=gettext_lazy("Only in"),
        required=False,
        empty_label=gettext_lazy("every event you may"),
    )
    days = forms.IntegerField(label=gettext_lazy("Days it lasts"), min_value=1, max_value=MOST_DAYS, initial=90)
    password = password_field(gettext_lazy("Your password"), "current-password")

    def __init__(self, *args: Any, officer: User, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        allowed = [(scope, SCOPE_WORDS[scope]) for scope in SCOPES if may_use(officer, scope)]
        self.fields["scopes"].choices = allowed  # type: ignore[attr-defined]
        events = Tournament.objects.filter(run_by(officer), closed=False)
        self.fields["event"].queryset = events  # type: ignore[attr-defined]

    @property
    def helper(self) -> FormHelper:
        return one_button(_("Make a token"), FORM)


class WebhookForm(forms.Form):
    """A new webhook."""

    name = forms.CharField(label=gettext_lazy("Name"), max_length=LONGEST_NAME)
    url = forms.CharField(
        label=gettext_lazy("Address"), max_length=500, help_text=gettext_lazy("https://example.org/club")
    )
    kinds = forms.MultipleChoiceField(
        label=gettext_lazy("It is told when"),
        widget=forms.CheckboxSelectMultiple,
        choices=lambda: [(kind, Webhook._meta.get_field(kind).verbose_name) for kind in KINDS],  # type: ignore[union-attr]
        initial=KINDS,
    )
    password = password_field(gettext_lazy("Your password"), "current-password")

    @property
    def helper(self) -> FormHelper:
        return one_button(_("Make a webhook"), FORM)


@sensitive_post_parameters()
@never_cache
def programs(request: HttpRequest) -> HttpResponse:
    """One's own tokens, for administrators everybody's: made, shown once, taken back."""
    user = officer(request)
    if "revoke" in request.POST:
        return _tried(request, lambda: revoke_token(number_sent(request, "revoke"), by=user), "account-programs")
    form, secret, status = TokenForm(request.POST or None, officer=user), "", 200
    if request.method == "POST":
        status = 400
        if form.is_valid() and is_password_in(form, "password", user, str(_WRONG)):
            data = form.cleaned_data
            event = data["event"].pk if data["event"] else None
            try:
                _row, secret = make_token(
                    officer=user, name=data["name"], scopes=data["scopes"], days=data["days"], event=event
                )
                form, status = TokenForm(officer=user), 200
            except Refused as refusal:
                form.add_error(None, str(refusal))
    context = {"form": form, "secret": secret, "tokens": _listed(user), "may_any": bool(form.fields["scopes"].choices)}  # type: ignore[attr-defined]
    context |= {"is_administrator": role_of(user) == ADMINISTRATOR}
    return admin_page(request, "admin/account/programs.html", _("Programs"), status=status, **context)


def _listed(user: User) -> list[tuple[ApiToken, str, str]]:
    """Live tokens with what they may and in which event."""
    mine = Q() if role_of(user) == ADMINISTRATOR else Q(officer=user)
    rows = list(live_tokens().filter(mine).select_related("officer").order_by("officer__username", "name", "pk"))
    names = dict(Tournament.objects.filter(pk__in=[row.event for row in rows if row.event]).values_list("pk", "name"))
    words = [listed(str(SCOPE_WORDS[scope]) for scope in row.scopes.split(",")) for row in rows]
    return [(row, may, names.get(row.event or 0, "")) for row, may in zip(rows, words, strict=True)]


@sensitive_post_parameters()
@never_cache
def webhooks(request: HttpRequest) -> HttpResponse:
    """The club's webhooks, with what was not taken; for administrators."""
    user = administrator(request)
    deeds = {
        "switch-off": lambda key: switch_webhook(key, on=False, by=user),
        "switch-on": lambda key: switch_on(key, by=user),
        "again": lambda key: send_now(key, by=user),
        "delete": lambda key: delete_webhook(key, by=user),
    }
    for name, deed in deeds.items():
        if name in request.POST:
            return _tried(request, lambda deed=deed, name=name: deed(number_sent(request, name)), "account-webhooks")
    form, made, status = WebhookForm(request.POST or None), None, 200
    if request.method == "POST":
        status = 400
        form, made = _made(request, user, form)
        status = 200 if made else 400
    rows = Webhook.objects.order_by("name", "pk")
    return admin_page(
        request,
        "admin/account/webhooks.html",
        _("Webhooks"),
        status=status,
        form=form,
        made=made,
        secret=secret_of(made) if made else "",
        rows=[(row, _told(row), _given_up(row)) for row in rows],
    )


def _made(request: HttpRequest, user: User, form: WebhookForm) -> tuple[WebhookForm, Webhook | None]:
    """A new webhook, or an old one with a new secret; None, and the reasons on the form."""
    if not form.is_valid() or not is_password_in(form, "password", user, str(_WRONG)):
        return form, None
    data = form.cleaned_data
    try:
        same = Webhook.objects.filter(name=data["name"], url=data["url"]).first()
        if same is not None:
            return WebhookForm(), renew_secret(same.pk, by=user)
        return WebhookForm(), make_webhook(name=data["name"], url=data["url"], kinds=data["kinds"], by=user)
    except Refused as refusal:
        form.add_error(None, str(refusal))
        return form, None


def _told(row: Webhook) -> str:
    fields = (Webhook._meta.get_field(kind) for kind in KINDS if getattr(row, kind))
    return listed(str(field.verbose_name) for field in fields)  # type: ignore[union-attr]


def _given_up(row: Webhook) -> list[tuple[WebhookDelivery, str]]:
    """Messages not taken so far, the newest first, each with why."""
    states = (WebhookDelivery.State.DEAD, WebhookDelivery.State.WAITING)
    rows = WebhookDelivery.objects.filter(webhook=row, state__in=states, tries__gt=0).order_by("-pk")[:MOST_SHOWN]
    return [(each, problem_in_words(each)) for each in rows]


def problem_in_words(row: WebhookDelivery) -> str:
    """Why a message was not taken."""
    if row.status:
        return _("it answered with status %(status)s") % {"status": row.status}
    return str(PROBLEMS.get(row.problem, PROBLEMS[UNREACHABLE]))


def _tried(request: HttpRequest, deed: Any, page: str) -> HttpResponse:
    try:
        deed()
        messages.success(request, _("Done."))
    except Refused as refusal:
        messages.error(request, str(refusal))
    return redirect(page)
