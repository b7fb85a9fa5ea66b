"""Forms of the administration whose saving moves ratings of games that are here: what would move is shown first, and a
reason is asked, as for a correction of a result.

What was typed travels hidden through the preview, and the form is saved as a whole where the preview is carried out.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from django.contrib import messages
from django.contrib.auth.models import User
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext as _

from clubrating.web.admin import ServiceAdmin, officer
from players.models import AuditEvent
from tournaments.corrections.admin.preview import CorrectionPage, correction
from tournaments.corrections.services.changes import Begin, Change, Fact, Why
from tournaments.corrections.services.uploads import drop_upload
from tournaments.rated_games.services.rating_impact import ListEffect

_OWN = ("csrfmiddlewaretoken", "do", "seen", "reason", "note", "bracket")  # fields of the preview itself


@dataclass(frozen=True, slots=True)
class Moving:
    """What of a form moves ratings. `since`: from when on the lists of which pools are rated anew; `people`: keys of
    those who may come into the tail, None for anybody; `facts`: what it rests on; `says`: a line each; `stays`: what
    does not follow; `long`: what it moves in a long list, worked out without writing a ledger; `done`: the message."""

    since: Begin
    people: Iterable[int] | None
    facts: Sequence[Fact]
    says: Sequence[str]
    stays: Sequence[str] = ()
    long: Callable[[User | None], Iterable[ListEffect]] | None = None
    done: str = ""


@dataclass(frozen=True, slots=True)
class FormSaved(Change):
    """The whole form, saved."""

    moving: Moving
    save: Callable[[Why], None]

    def facts(self) -> list[Fact]:
        return list(self.moving.facts)

    def begin(self) -> Begin:
        return self.moving.since

    def players(self) -> Iterable[int] | None:
        return self.moving.people

    def effects(self, why: Why) -> Iterable[ListEffect] | None:
        return self.moving.long(why.by) if self.moving.long else None

    def carry_out(self, why: Why) -> None:
        self.save(why)


def bring_upload(
    request: HttpRequest, key: str, moving: Moving | None, bring: Callable[[Why], None], page: CorrectionPage
) -> HttpResponse:
    """Carry out a kept file: at once where no rated game follows (`moving` is None), else by way of the page that shows
    what it would move. The file goes with it."""
    if moving is None:
        bring(Why(officer(request), ""))
        messages.success(request, page.success)
        answer: HttpResponse = redirect(page.done)
    else:
        answer = correction(request, FormSaved(moving, bring), page)
    if answer.status_code == 302:
        drop_upload(key)
    return answer


class _Asked(Exception):  # noqa: N818 — a question, not an error
    """What is to be shown before the form is saved."""

    def __init__(self, change: FormSaved) -> None:
        self.change = change


class PreviewedAdmin(ServiceAdmin):
    """Subclasses write `write`, which saves the form with its inline forms, and `moving`."""

    preview_reason: AuditEvent.Reason = AuditEvent.Reason.ENTRY_ERROR

    def moving(self, obj: Any, form: Any, formsets: Any, change: bool) -> Moving | None:
        """What of the form moves ratings of games; None where nothing does, then it is saved at once."""
        raise NotImplementedError

    def write(self, request: HttpRequest, form: Any, formsets: Any, change: bool, why: Why) -> None:
        """Save everything, by its services. Raises Refused."""
        raise NotImplementedError

    def changeform_view(
        self,
        request: HttpRequest,
        object_id: str | None = None,
        form_url: str = "",
        extra_context: dict[str, Any] | None = None,
    ) -> HttpResponse:
        try:
            return super().changeform_view(request, object_id, form_url, extra_context)
        except _Asked as asked:
            return correction(request, asked.change, self._page(request, asked.change.moving))

    def save_model(self, request: HttpRequest, obj: Any, form: Any, change: bool) -> None:
        """Nothing yet: `save_related` has the inline forms too."""

    def save_related(self, request: HttpRequest, form: Any, formsets: Any, change: bool) -> None:
        def save(why: Why) -> None:
            self.write(request, form, formsets, change, why)

        moving, by = self.moving(form.instance, form, formsets, change), officer(request)
        if moving is None:
            save(Why(by, ""))
            return
        with transaction.atomic():  # a refusal stands on the form, with everything typed still in it
            save(Why(by, self.preview_reason))
            transaction.set_rollback(True)
        raise _Asked(FormSaved(moving, save))

    def _page(self, request: HttpRequest, moving: Moving) -> CorrectionPage:
        typed = [(name, str(value)) for name, values in request.POST.lists() if name not in _OWN for value in values]
        return CorrectionPage(
            title=_("What this moves"),
            says=moving.says,
            hidden=typed,
            back=request.path,
            done=reverse(f"admin:{self.opts.app_label}_{self.opts.model_name}_changelist"),
            reason=self.preview_reason,
            button=_("Save"),
            success=moving.done or _("Saved, and every rating behind it is counted anew."),
            stays=moving.stays,
        )
