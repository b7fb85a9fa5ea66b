"""The page every correction goes through: what would move, and the button that does it.

It works without script: the fields of the change travel hidden, beside the `seen` of the preview. A commit that is
refused because something moved meanwhile shows the new preview with the sentence.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, cast
from urllib.parse import urlencode

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.html import format_html
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from clubrating.web.admin import admin_page, officer
from players.models import AuditEvent, Job
from players.privacy.rules import OFFICER, shown_name
from players.refusals import Refused, sign
from players.trail.services import RESULT_REASONS
from tournaments.corrections.services.changes import Change
from tournaments.corrections.services.corrections import Seen, commit, preview, undo_of
from tournaments.corrections.services.jobs import LONG_TAIL
from tournaments.knockouts.services.matches import FOLLOW, KEEP, BracketMovesError
from tournaments.results.services.results import notation

SHOWN = 25
BRACKET_CHOICES = (
    (FOLLOW, gettext_lazy("The bracket follows: what was played there is cleared and played again")),
    (KEEP, gettext_lazy("The bracket stays as it is: only the result is corrected")),
)


class ReasonForm(forms.Form):
    """Why a correction is made: a reason anybody may read, a note for officers. `reasons` are those that fit."""

    reasons: Sequence[AuditEvent.Reason] = RESULT_REASONS

    reason = forms.ChoiceField(
        label=gettext_lazy("Reason"),
        help_text=gettext_lazy("Stands in the public list of corrections."),
    )
    note = forms.CharField(
        label=gettext_lazy("Note"),
        required=False,
        max_length=500,
        help_text=gettext_lazy("For officers only: no names of players."),
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        reason = cast(forms.ChoiceField, self.fields["reason"])
        reason.choices = [("", _("choose one")), *((code.value, code.label) for code in self.reasons)]


@dataclass(frozen=True, slots=True)
class CorrectionPage:
    """What a page says about its change."""

    title: str
    says: Sequence[str]  # what changes, one line each
    hidden: Sequence[tuple[str, str]]  # the fields that carry the change through the form
    back: str  # where cancelling leads
    done: str = ""  # where the correction leads
    reason: str = ""
    button: str = ""
    other: tuple[str, str] | None = None  # another way to read the wish: the words of a link, and its address
    success: str = ""  # the message afterwards, where it is no correction
    stays: Sequence[str] = ()  # what does not follow the change
    rules: Sequence[str] = ()  # what the format says of it
    form: type[ReasonForm] = ReasonForm


def correction(request: HttpRequest, change: Change, texts: CorrectionPage) -> HttpResponse:
    """The preview of a change, or its commit where the form says so. 409 where a commit was refused."""
    committing = request.method == "POST" and request.POST.get("do") == "commit"
    bracket = (request.POST if request.method == "POST" else request.GET).get("bracket", "")
    bracket = bracket if bracket in (FOLLOW, KEEP) else ""
    form = texts.form(request.POST if committing else None, initial={"reason": texts.reason})
    problem = ""
    if committing and form.is_valid():
        try:
            _commit(request, change, form, bracket, texts.success)
        except Refused as refusal:
            problem = str(refusal)
        else:
            return redirect(texts.done or texts.back)
    try:
        shown = preview(change, by=officer(request), bracket=bracket)
    except BracketMovesError as asked:
        return _ask_bracket(request, texts, asked)
    except Refused as refusal:
        messages.error(request, problem or str(refusal))
        return redirect(texts.back)
    context = {
        "correction": texts,
        "preview": shown,
        "bracket": bracket,
        "form": form,
        "problem": problem,
        "lists": [(row, row.shown[:SHOWN], len(row.moves) - len(row.shown[:SHOWN])) for row in shown.lists],
        "long_tail": LONG_TAIL,
    }
    status = 409 if problem else 200
    return admin_page(request, "admin/tournaments/correction/preview.html", texts.title, status=status, **context)


def _ask_bracket(request: HttpRequest, texts: CorrectionPage, asked: BracketMovesError) -> HttpResponse:
    """The page that says what would be undone, with both ways as links to their previews."""
    address = {name: request.GET.getlist(name) for name in request.GET if name != "bracket"}
    ways = [(f"?{urlencode({**address, 'bracket': way}, doseq=True)}", words) for way, words in BRACKET_CHOICES]
    context: dict[str, Any] = {"correction": texts, "undone": undone(asked), "ways": ways}
    return admin_page(request, "admin/tournaments/correction/bracket.html", texts.title, **context)


def undone(asked: BracketMovesError) -> list[str]:
    """What would be undone, one line a match or game."""
    lines = []
    for match in asked.matches:
        place = {"round": match.round.number if match.round else "–", "board": match.board}
        games = [game for game in asked.games if game.pairing_id == match.pk]
        for game in games:
            names = f"{shown_name(game.white, OFFICER)} – {shown_name(game.black, OFFICER)}"
            where = _("round %(round)s, match %(board)s") % place
            lines.append(f"{names} {notation(game.result)}{sign(' (')}{where}{sign(')')}")
        if not games:
            lines.append(_("who went on in round %(round)s, match %(board)s") % place)
    return lines


def _commit(request: HttpRequest, change: Change, form: ReasonForm, bracket: str, success: str) -> None:
    seen, data = Seen.read(request.POST.get("seen", "")), form.cleaned_data
    done = commit(change, seen, reason=data["reason"], note=data["note"], by=officer(request), bracket=bracket)
    job = done if isinstance(done, Job) else None
    say_done(request, job, success or _("Corrected, and every rating behind it with it."))


def say_done(request: HttpRequest, job: Job | None, text: str) -> None:
    """Say that a correction was carried out, with the way back; or that the job will do it, and where that stands."""
    if job:
        text = _("The correction is being carried out in the background.")
        sees_all = request.user.has_perm("players.view_job")  # else his own stand on the desk
        address = reverse("admin:players_job_changelist" if sees_all else "admin:index")
        messages.info(request, format_html('{} <a href="{}">{}</a>', text, address, _("How far it is")))
        return
    event = AuditEvent.objects.filter(actor=officer(request)).first()
    if event and undo_of(event):
        address = reverse("admin:tournaments_game_undo", args=[event.pk])
        text = format_html('{} <a href="{}">{}</a>', text, address, _("Undo"))
    messages.success(request, text)


def own_address(address: str) -> str:
    """The address if it is one of the administration, else empty: a form must not redirect elsewhere."""
    return address if address.startswith(reverse("admin:index")) and "//" not in address else ""
