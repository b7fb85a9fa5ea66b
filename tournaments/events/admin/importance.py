"""How much an event counts: set on its form from the club's scale; once results are in, previewed as a correction."""

from typing import Any

from django import forms
from django.contrib.admin import ModelAdmin
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from players.club.services import scale_of
from players.models import AuditEvent, Club
from players.refusals import listed, sign
from ratings.explain.base import plain
from ratings.lists.services import rules_of
from ratings.models import RatingList
from tournaments.corrections.admin.preview import CorrectionPage, ReasonForm, correction
from tournaments.corrections.services.changes import ImportanceChange
from tournaments.events.admin.event_page import tournament_for
from tournaments.events.selectors.officers import may_correct
from tournaments.models import Game, Tournament
from tournaments.templatetags.events import importance as written

_Reason = AuditEvent.Reason


class ImportanceReasonForm(ReasonForm):
    reasons = (_Reason.OTHER, _Reason.ENTRY_ERROR, _Reason.APPEAL)


class ImportanceInput(forms.NumberInput):
    """A factor, with the club's scale to choose from."""

    def __init__(self) -> None:
        super().__init__({"step": "any", "list": "importance-scale"})

    def format_value(self, value: Any) -> str | None:
        return f"{value:g}" if isinstance(value, float) else super().format_value(value)

    def render(self, name: str, value: Any, attrs: Any = None, renderer: Any = None) -> SafeString:
        options = format_html_join(
            "", '<option value="{}">{}</option>', ((each, name) for name, each in scale_of(Club.objects.first()))
        )
        box = super().render(name, value, attrs, renderer)
        return format_html('{}<datalist id="importance-scale">{}</datalist>', box, options)


def scale_in_words() -> str:
    """What stands under the field."""
    steps = listed(f"{name} {plain(factor)}" for name, factor in scale_of(Club.objects.first()))
    return _("A factor on K. The club’s scale: %(steps)s.") % {"steps": steps}


def importance(model_admin: ModelAdmin, request: HttpRequest, key: int) -> HttpResponse:
    """Another importance for an event with results: what would move, then the reason."""
    event = tournament_for(model_admin, request, key)
    if not may_correct(request.user, event):
        raise PermissionDenied
    asked = (request.POST if request.method == "POST" else request.GET).get("importance", "")
    try:
        wanted = float(asked)
    except ValueError:
        raise Http404 from None
    return correction(request, ImportanceChange(event.pk, wanted), _page(event, wanted, asked))


def _page(event: Tournament, wanted: float, asked: str) -> CorrectionPage:
    club = Club.objects.first()
    was, now = written(event.importance, club), written(wanted, club)
    return CorrectionPage(
        title=_("Importance of an event"),
        says=[f"{event.name}{sign(': ')}{was} → {now}"],
        hidden=[("importance", asked)],
        back=reverse("admin:tournaments_tournament_change", args=[event.pk]),
        reason=_Reason.OTHER,
        form=ImportanceReasonForm,
        button=_("Change the importance"),
        stays=[*_own(event), *_uncounted(event)],
    )


def _own(event: Tournament) -> list[str]:
    count = Game.objects.filter(tournament=event, own_importance=True).count()
    text = ngettext(
        "%(count)s game keeps the importance that its file gave it.",
        "%(count)s games keep the importance that their file gave them.",
        count,
    )
    return [text % {"count": count}] if count else []


def _uncounted(event: Tournament) -> list[str]:
    """The lists that rate its games without a look at the importance."""
    pools = Game.objects.filter(tournament=event).order_by().values_list("pool", flat=True).distinct()
    lists = RatingList.objects.filter(pool__in=pools)
    text = _("The importance of events does not count in “%(list)s”.")
    return [
        text % {"list": row.shown_name}
        for row in lists
        if not any(getattr(rule.settings, "importance", False) for rule in rules_of(row).all)
    ]
