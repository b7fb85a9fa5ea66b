"""FIDE's list in the admin: upload it, see what it would change, confirm who is meant by name, carry it out; and add
somebody of it with all his data. Whole lists are too large for a browser: `manage.py import_fide_list` reads those.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from io import BytesIO
from typing import Any
from zlib import crc32

from django import forms
from django.contrib import messages
from django.core.files.uploadedfile import UploadedFile
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from clubrating.site.federation_list.services import (
    ListPlan,
    Match,
    Wanted,
    add_from_list,
    agreed,
    commit_list,
    find_rows,
    plan_list,
    touched_by,
)
from clubrating.web.admin import admin_page, officer
from players.models import AuditEvent
from players.people.names import MAX_NAME
from players.refusals import Refused, first_of, said, sign
from ratings.models import RatingList
from tournaments.corrections.admin.games_brought import called
from tournaments.corrections.admin.preview import CorrectionPage
from tournaments.corrections.admin.saving import Moving, bring_upload
from tournaments.corrections.services.changes import Why
from tournaments.corrections.services.uploads import LARGEST, keep_upload, read_upload
from tournaments.events.admin.event_page import check_may
from tournaments.interchange.fide_list import FideRow, read_fide_list
from tournaments.interchange.tables_csv import BadRow, UnreadableFileError
from tournaments.rated_games.services.people import reach_of

MOST_SHOWN = 20
MOST_UNPACKED = 150 * 1024 * 1024  # bytes: larger lists take longer than a browser waits
_PERMISSIONS = ("players.change_player", "players.add_player")
_FIELDS = {
    "title": gettext_lazy("title"),
    "sex": gettext_lazy("sex"),
    "birth_year": gettext_lazy("year of birth"),
    "fide_id": gettext_lazy("FIDE number"),
    "rating": gettext_lazy("starting rating"),
}


class _TermsForm(forms.Form):
    """What is asked of the list, from step to step."""

    starts = forms.ModelChoiceField(
        label=gettext_lazy("Starting ratings for"),
        queryset=RatingList.objects.all(),
        required=False,
        empty_label=gettext_lazy("no list: data only"),
        help_text=gettext_lazy("Of people without a rated game in that list, from today."),
    )
    find = forms.CharField(
        label=gettext_lazy("Somebody to add"),
        max_length=MAX_NAME,
        required=False,
        help_text=gettext_lazy("A FIDE number, or words of the name."),
    )


class ListForm(_TermsForm):
    """The file, and what is asked of it."""

    file = forms.FileField(
        label=gettext_lazy("Rating list"),
        help_text=gettext_lazy("XML or TXT as FIDE gives it, also zipped, up to 5 MB: a country’s list, for example."),
    )
    field_order = ("file", "starts", "find")

    def clean_file(self) -> UploadedFile:
        file: UploadedFile = self.cleaned_data["file"]
        if file.size and file.size > LARGEST:
            raise forms.ValidationError(
                _("The file is larger than 5 MB: zip it, or load it with “manage.py import_fide_list”.")
            )
        return file


@dataclass(frozen=True, slots=True)
class _Upload:
    """A list between the steps: the key of the kept file, its name, and what is asked of it."""

    key: str
    name: str
    terms: Wanted

    def rows(self) -> Iterator[FideRow | BadRow]:
        """The list, read again. Raises Refused where the file is gone."""
        return read_fide_list(BytesIO(read_upload(self.key)), self.name, most=MOST_UNPACKED)


def federation_list(request: HttpRequest) -> HttpResponse:
    """First the form, then the preview, then what was seen is carried out."""
    check_may(request, *_PERMISSIONS)
    if request.method != "POST":
        return _ask(request, ListForm())
    again = "kept" in request.POST
    form: forms.Form = _TermsForm(request.POST) if again else ListForm(request.POST, request.FILES)
    if not form.is_valid():
        return _ask(request, ListForm() if again else form, status=400)
    data = form.cleaned_data
    terms = Wanted(data["starts"], data["find"])
    try:
        if again:
            key, name = request.POST["kept"], request.POST.get("name", "")
        else:
            key, name = keep_upload(data["file"].read(), is_table=False), str(data["file"].name)
        return _carry_on(request, _Upload(key, name[:MAX_NAME], terms))
    except (Refused, UnreadableFileError) as refusal:
        return _ask(request, ListForm(initial={"starts": terms.rating_list, "find": terms.find}), said(refusal), 400)


def _carry_on(request: HttpRequest, upload: _Upload) -> HttpResponse:
    """The preview, or what was decided on it. Raises Refused or UnreadableFileError where the file is of no use."""
    problem = ""
    try:
        if request.POST.get("do") in ("bring", "commit"):
            return _commit(request, upload)
        if request.POST.get("add"):
            _add(request, upload, request.POST["add"])
    except Refused as refusal:
        problem = str(refusal)
    return _preview(request, upload, plan_list(upload.rows(), upload.terms), problem)


def _commit(request: HttpRequest, upload: _Upload) -> HttpResponse:
    """At once where no rated game follows, else by way of what it would move."""
    seal, meant = request.POST.get("seal", ""), request.POST.getlist("meant")
    rating_list, today = upload.terms.rating_list, timezone.localdate()
    done = agreed(plan_list(upload.rows(), upload.terms), seal, meant)
    text = ngettext("%(count)s player was brought up to date.", "%(count)s players were brought up to date.", len(done))

    def carry_out(why: Why) -> None:
        how: dict[str, Any] = {"seal": seal, "confirmed": meant, "reason": why.reason, "note": why.note}
        commit_list(upload.rows(), upload.terms, by=why.by, on=today, **how)

    begin, people = reach_of(touched_by(done), rating_list.pool if rating_list else "", today)
    says = [sign("; ").join([called(match.player), *_changes(match)]) for match in done if match.player.pk in people]
    asked = {"kept": upload.key, "name": upload.name, "find": upload.terms.find, "seal": seal}
    asked["starts"] = str(rating_list.pk) if rating_list else ""
    page = CorrectionPage(
        title=_("What this moves"),
        says=first_of(says, MOST_SHOWN),
        hidden=[*asked.items(), *(("meant", number) for number in meant)],
        back=reverse("admin:players_player_federation"),
        done=reverse("admin:players_player_changelist"),
        reason=AuditEvent.Reason.ENTRY_ERROR,
        button=_("Carry it out"),
        success=text % {"count": len(done)},
    )
    fact = ("federation", rating_list.pk if rating_list else 0, crc32(seal.encode()))
    moving = Moving(begin, people, [fact], says) if begin else None
    return bring_upload(request, upload.key, moving, carry_out, page)


def _add(request: HttpRequest, upload: _Upload, fide_id: str) -> None:
    row = next(iter(find_rows(upload.rows(), fide_id)), None) if fide_id.isascii() and fide_id.isdigit() else None
    if row is None:
        raise Refused(_("That number is not in the list."))
    on = timezone.localdate()
    player = add_from_list(row, rating_list=upload.terms.rating_list, on=on, by=officer(request))
    messages.success(request, _("%(player)s is in the list.") % {"player": called(player)})


# --- pages ----------------------------------------------------------------------------------------------------------
def _ask(request: HttpRequest, form: forms.Form, problem: str = "", status: int = 200) -> HttpResponse:
    context = {
        "parent": _("Players"),
        "back": reverse("admin:players_player_changelist"),
        "told": _(
            "Titles, years of birth and numbers of the club’s people, and newcomers with all their data. First you see"
            " what it would change."
        ),
        "button": _("Show what it changes"),
        "foot": _("The whole world’s list is read by the command “manage.py import_fide_list”."),
    }
    return _page(request, "ask", status=status, form=form, problem=problem, **context)


def _preview(request: HttpRequest, upload: _Upload, plan: ListPlan, problem: str) -> HttpResponse:
    context = {
        "plan": plan,
        "known": [_line(match) for match in plan.changing],
        "proposals": [_line(match) for match in plan.proposals],
        "conflicts": [_line(match) for match in plan.conflicts],
        "found": [_offered(row) for row in plan.found[:MOST_SHOWN]],
        "bad": [said(row) for row in plan.bad[:MOST_SHOWN]],
        "more_bad": plan.bad_rows - min(len(plan.bad), MOST_SHOWN),
        "kept": upload.key,
        "file_name": upload.name,
        "terms": upload.terms,
        "problem": problem,
    }
    return _page(request, "players/player/federation_preview", status=400 if problem else 200, **context)


def _line(match: Match) -> dict[str, Any]:
    return {"match": match, "who": called(match.player), "changes": _changes(match)}


def _changes(match: Match) -> list[str]:
    return [
        f"{_FIELDS[name]}{sign(': ')}{now} → {new}" if now else f"{_FIELDS[name]}{sign(': ')}{new}"
        for name, (now, new) in match.changes.items()
    ]


def _offered(row: FideRow) -> dict[str, Any]:
    facts: Sequence[object] = (row.country, row.title, row.birth_year, *row.ratings.values())
    return {"row": row, "facts": " · ".join(str(fact) for fact in facts if fact)}


def _page(request: HttpRequest, name: str, *, status: int = 200, **context: Any) -> HttpResponse:
    return admin_page(request, f"admin/{name}.html", _("FIDE rating list"), status=status, **context)
