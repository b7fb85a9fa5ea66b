"""Entries from a file: upload it, see who is meant line by line, decide what is open, enter everybody. A list that one
of the public builders handed over (`new_event.from_names`) is there already: its key stands in the address."""

from typing import Any

from django import forms
from django.contrib import messages
from django.contrib.admin import ModelAdmin
from django.core.files.uploadedfile import UploadedFile
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from clubrating.web.admin import officer
from players.privacy.rules import OFFICER, shown_name
from players.refusals import Refused, first_of, said, sign
from tournaments.corrections.services.uploads import LARGEST, drop_upload, keep_upload, read_upload
from tournaments.entries.services.files import (
    AS_NEW,
    LEFT_OUT,
    EntryList,
    Fate,
    ListLine,
    enter_list,
    left_of,
    preview_entries,
    read_list,
)
from tournaments.entries.services.names import BadRows
from tournaments.events.admin.event_page import page, tournament_for
from tournaments.interchange.tables_csv import UnreadableFileError
from tournaments.models import Tournament

MOST_BAD_ROWS = 20
_CHOICE = "line-"
_WORDS = {
    Fate.KNOWN: gettext_lazy("known"),
    Fate.NEW: gettext_lazy("new: will be added"),
    Fate.OPEN: gettext_lazy("choose"),
    Fate.ENTERED: gettext_lazy("entered already"),
    Fate.LEFT_OUT: gettext_lazy("left out"),
    Fate.ALONE: gettext_lazy("not entered: the partner is left out or entered already"),
}


class EntryFileForm(forms.Form):
    """A file of players."""

    file = forms.FileField(
        label=gettext_lazy("File of players"),
        help_text=gettext_lazy(
            "CSV (UTF-8) or Excel: a column name, and any of number, fide_id, birth_year, sex, title, seed; up to 5 MB."
        ),
    )

    def clean_file(self) -> UploadedFile:
        file: UploadedFile = self.cleaned_data["file"]
        if file.size and file.size > LARGEST:
            raise forms.ValidationError(_("The file is larger than 5 MB: leave out what is not needed."))
        return file


def entry_list(model_admin: ModelAdmin, request: HttpRequest, key: int) -> HttpResponse:
    """First the form; then the preview, which carries the file's key and the choices from step to step."""
    tournament = tournament_for(model_admin, request, key)
    if request.method != "POST" and "kept" not in request.GET:
        return _ask(model_admin, request, tournament, EntryFileForm())
    again = "kept" in request.POST or request.method != "POST"
    form = EntryFileForm(request.POST, request.FILES)
    if not again and not form.is_valid():
        return _ask(model_admin, request, tournament, form)
    try:
        kept = str(_asked(request)["kept"]) if again else keep_upload(form.cleaned_data["file"].read())
        return _carry_on(model_admin, request, tournament, kept)
    except BadRows as refusal:
        problems = first_of([said(row) for row in refusal.rows], MOST_BAD_ROWS)
    except (Refused, UnreadableFileError) as refusal:
        problems = [said(refusal)]
    return _ask(model_admin, request, tournament, EntryFileForm(), problems)


def _carry_on(model_admin: ModelAdmin, request: HttpRequest, tournament: Tournament, kept: str) -> HttpResponse:
    """The preview, or the commit. Raises BadRows, Refused or UnreadableFileError where the file is of no use."""
    content = read_upload(kept)
    rows, problem = read_list(content, tournament.entry_size), ""
    # What was chosen, by the rows' keys.
    choices = {
        name.removeprefix(_CHOICE): str(value) for name, value in request.POST.items() if name.startswith(_CHOICE)
    }
    if request.POST.get("do") == "enter":
        try:
            plan = preview_entries(tournament, rows, choices)
            if plan.count(Fate.NEW) and not request.user.has_perm("players.add_player"):
                raise Refused(_("You may not add people: leave the new ones out, or ask an administrator."))
            in_order = request.POST.get("order") == "list"
            seal = request.POST.get("seal", "")
            done = enter_list(tournament, rows, choices, by=officer(request), seal=seal, in_order=in_order)
        except Refused as refusal:
            problem = str(refusal)
        else:
            drop_upload(kept)
            messages.success(request, _what_was_done(done, tournament.entry_size))
            return redirect("admin:tournaments_tournament_entries", tournament.pk)
    plan = preview_entries(tournament, rows, choices)
    by_seed = any(row.seed for row in rows)
    columns, lines = left_of(content)
    context: dict[str, Any] = {
        "plan": plan,
        "rows": [_row(line) for line in plan.lines],
        "left": [column.replace("_", " ") for column in columns],
        "footers": [said(row) for row in lines],
        "kept": kept,
        "by_seed": by_seed,
        # The seeds are taken unless somebody says no.
        "in_order": _asked(request).get("order") == "list" or (by_seed and "kept" not in _asked(request)),
        "problem": problem,
    }
    return page(model_admin, request, "entry_list", tournament, title=_("Entries from a file"), **context)


def _what_was_done(done: EntryList, together: int) -> str:
    new, count = done.count(Fate.NEW), done.count(Fate.NEW) + done.count(Fate.KNOWN)
    if together > 1:
        made = count // together
        return ngettext("%(count)s entry is made.", "%(count)s entries are made.", made) % {"count": made}
    text = ngettext("%(count)s player is entered", "%(count)s players are entered", count) % {"count": count}
    return _("%(said)s, %(new)s of them new.") % {"said": text, "new": new}


def _asked(request: HttpRequest) -> QueryDict:
    return request.POST if request.method == "POST" else request.GET


def _row(line: ListLine) -> dict[str, Any]:
    """A line as the page shows it: the fate in words, and what may be chosen."""
    options = [
        (str(player.pk), f"{shown_name(player, OFFICER)}{sign(' (')}#{player.number}{sign(')')}")
        for player in line.candidates
    ]
    if line.may_be_new:
        options.append((AS_NEW, _("somebody new")))
    options.append((LEFT_OUT, _("leave out")))
    if line.fate is Fate.OPEN:
        options.insert(0, ("", _("– choose –")))
    return {"line": line, "name": f"{_CHOICE}{line.row.key}", "options": options, "says": _WORDS[line.fate]}


def _ask(
    model_admin: ModelAdmin,
    request: HttpRequest,
    tournament: Tournament,
    form: EntryFileForm,
    problems: list[str] | None = None,
) -> HttpResponse:
    if tournament.entry_size > 1:
        together = _("Those who enter together stand in one line, with + between: Ada Alvarez + Bo Brandt.")
        form.fields["file"].help_text = f"{form.fields['file'].help_text} {together}"
    context: dict[str, Any] = {"title": _("Entries from a file"), "form": form, "problems": problems or []}
    status = 400 if problems or form.errors else 200
    return page(model_admin, request, "entry_list", tournament, status=status, **context)
