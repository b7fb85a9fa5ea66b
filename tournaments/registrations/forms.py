"""The form by which somebody enters, and the stamp that keeps programs from sending it."""

import secrets
from datetime import timedelta
from typing import Any

from django import forms
from django.conf import settings
from django.core import signing
from django.core.cache import caches
from django.core.validators import EmailValidator
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from clubrating.web.rate_limits import TRIES
from players.models import Player
from players.people.names import MAX_NAME
from players.refusals import Refused
from tournaments.models import EntryRules
from tournaments.registrations.services.requests import NewRequest
from tournaments.registrations.services.rules import bye_rounds

_SALT = "tournaments.registrations"
_OPEN_FOR = timedelta(days=1)


class EntryForm(forms.Form):
    """Who enters: a chosen player, or the name of a newcomer. What the event does not need is not asked."""

    name = forms.CharField(
        label=gettext_lazy("Your name"),
        max_length=MAX_NAME,
        help_text=gettext_lazy("Only officers read it, until they have added you."),
        widget=forms.TextInput(attrs={"autocomplete": "name", "spellcheck": "false"}),
    )
    birth_year = forms.IntegerField(
        label=gettext_lazy("Year of birth"),
        min_value=1900,
        required=False,
        widget=forms.TextInput(attrs={"inputmode": "numeric", "size": 4, "autocomplete": "bday-year"}),
    )
    address = forms.EmailField(
        label=gettext_lazy("E-mail address"),
        max_length=254,
        validators=[EmailValidator(allowlist=[])],
        help_text=gettext_lazy("A letter with a link comes to it: the entry counts when you confirm."),
        widget=forms.EmailInput(attrs={"autocomplete": "email", "size": 32}),
    )
    byes = forms.TypedMultipleChoiceField(
        label=gettext_lazy("Half-point byes"), coerce=int, required=False, widget=forms.CheckboxSelectMultiple
    )

    def __init__(self, *args: Any, rules: EntryRules, player: Player | None, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.player = player
        if player is not None:
            del self.fields["name"]
        self._ask_year(rules, newcomer=player is None)
        if not settings.MAIL:
            del self.fields["address"]
        rounds = bye_rounds(rules)
        if rounds:
            words = [(number, _("round %(number)s") % {"number": number}) for number in rounds]
            self.fields["byes"].choices = words  # type: ignore[attr-defined]
            most = _("At most %(count)s of these rounds.") % {"count": rules.tournament.half_byes}
            self.fields["byes"].help_text = most
        else:
            del self.fields["byes"]

    def _ask_year(self, rules: EntryRules, *, newcomer: bool) -> None:
        field = self.fields["birth_year"]
        if not rules.asks_year and not newcomer:
            del self.fields["birth_year"]
            return
        field.required = rules.asks_year
        field.max_value = timezone.localdate().year  # type: ignore[attr-defined]
        if not rules.asks_year:
            field.help_text = _("So that minors are shown by their initials.")

    def clean_birth_year(self) -> int | None:
        year: int | None = self.cleaned_data.get("birth_year")
        if year is not None and year > timezone.localdate().year:
            raise forms.ValidationError(_("This year is still to come: write the year of birth."))
        return year

    def clean_address(self) -> str:
        address: str = self.cleaned_data["address"]
        if set('["') & set(address):  # a number in brackets would name a server of the sender's choice
            raise forms.ValidationError(_("This is no e-mail address: write it like name@example.org."))
        return address

    def wish(self, *, language: str, site: str, source: str) -> NewRequest:
        """What was filled in."""
        data = self.cleaned_data
        return NewRequest(
            player=self.player,
            name=data.get("name", ""),
            birth_year=data.get("birth_year"),
            address=data.get("address", ""),
            byes=tuple(data.get("byes", ())),
            language=language,
            site=site,
            source=source,
        )


# --- the stamp ----------------------------------------------------------------------------------------------------
def new_stamp() -> str:
    """What a form carries from the moment it was shown: signed, and of this form alone."""
    return signing.dumps(secrets.token_hex(8), salt=_SALT)


def check_stamp(stamp: str) -> str:
    """What tells this form from all others. Raises Refused for a form that was sent at once, as only programs do, and
    for one that is a day old or not ours; whoever sees the answer may send it again."""
    try:
        own: str = signing.loads(stamp, salt=_SALT, max_age=_OPEN_FOR)
    except signing.BadSignature:
        raise Refused(_("This page was open for long. Nothing is lost: look it over and send it again.")) from None
    try:
        signing.loads(stamp, salt=_SALT, max_age=settings.QUICKEST_FORM)
    except signing.SignatureExpired:
        return own
    raise Refused(_("That was quicker than anybody writes. Look it over and send it again."))


def is_sent_twice(own: str) -> bool:
    """Whether that form was taken already: a double tap, or a page that was loaded again."""
    return not caches[TRIES].add(f"entry-form:{own}", 1, timeout=_OPEN_FOR.total_seconds())


def may_be_sent_again(own: str) -> None:
    """The form was refused after all."""
    caches[TRIES].delete(f"entry-form:{own}")
