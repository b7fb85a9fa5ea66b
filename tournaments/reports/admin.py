"""Tournament reports at the desk: one comes in (upload, preview with who is meant, import), one goes out.

The preview carries the file's key and, for every line, who is meant; what is imported is what was seen.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django import forms
from django.contrib import messages
from django.contrib.admin import ModelAdmin
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from clubrating.ground.numbers import number_in
from clubrating.web.admin import admin_page, officer
from players.models import Player
from players.privacy.rules import OFFICER, shown_name
from players.refusals import Refused, first_of, said, sign
from ratings.lists.selectors.lists import pool_choices
from tournaments.corrections.services.uploads import drop_upload, keep_upload, read_upload
from tournaments.downloads.views import as_file
from tournaments.entries.services.names import BadRows
from tournaments.events.admin.event_page import check_may, tournament_for
from tournaments.interchange.tables_csv import UnreadableFileError
from tournaments.interchange.trf import VERSIONS, ReportError, read_report, write_report
from tournaments.reports.selectors import report_of
from tournaments.reports.services.importing import check_plan, import_report
from tournaments.reports.services.people import How, Meant
from tournaments.reports.services.plan import Plan, Terms, plan_import

MOST_SHOWN = 20
AS_NEW = "new"
_LINE = "line-"
_PERMISSIONS = ("tournaments.add_tournament", "players.add_player")
_WORDS = {
    How.FIDE: gettext_lazy("by FIDE number"),
    How.NAME: gettext_lazy("by name"),
    How.CHOSEN: gettext_lazy("as you chose"),
    How.NEW: gettext_lazy("new: will be added"),
    How.OPEN: gettext_lazy("choose"),
}


class ReportForm(forms.Form):
    """A report, and what it leaves open."""

    file = forms.FileField(
        label=gettext_lazy("Tournament report"), help_text=gettext_lazy("TRF16 or TRF26, up to 5 MB.")
    )
    pool = forms.ChoiceField(label=gettext_lazy("Pool its games are rated in"))
    rated = forms.BooleanField(label=gettext_lazy("The event is rated"), required=False, initial=True)
    individual = forms.BooleanField(
        label=gettext_lazy("A report of teams becomes an event of single players"), required=False
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        field = self.fields["pool"]
        if isinstance(field, forms.ChoiceField):
            field.choices = pool_choices()


@dataclass(frozen=True, slots=True)
class _Upload:
    """A report between the steps: the key of the file, and what the form said."""

    key: str
    pool: str
    rated: bool
    individual: bool


# --- in -------------------------------------------------------------------------------------------------------------
def bring(model_admin: ModelAdmin, request: HttpRequest) -> HttpResponse:
    """First the form, then the preview, then the import."""
    check_may(request, *_PERMISSIONS)
    if request.method != "POST":
        return _ask(request, ReportForm())
    again = "kept" in request.POST
    form = ReportForm(request.POST, request.FILES)
    if again:
        del form.fields["file"]
    if not form.is_valid():
        return _ask(request, form)
    data = form.cleaned_data
    try:
        key = request.POST["kept"] if again else keep_upload(data["file"].read())
        return _carry_on(request, _Upload(key, data["pool"], data["rated"], data["individual"]))
    except ReportError as refusal:
        problems = first_of([said(problem) for problem in refusal.problems], MOST_SHOWN)
    except (Refused, UnreadableFileError) as refusal:
        problems = [said(refusal)]
    return _ask(request, ReportForm(initial={name: data[name] for name in ("pool", "rated", "individual")}), problems)


def _carry_on(request: HttpRequest, upload: _Upload) -> HttpResponse:
    """The preview, or the import. Raises Refused or UnreadableFileError where the file is of no use."""
    report = read_report(read_upload(upload.key))
    today = timezone.localdate()
    terms = Terms(
        today=today,
        name=_("Tournament"),
        pool=upload.pool,
        rated=upload.rated,
        chosen=_chosen(request),
        individual=upload.individual,
    )
    problem = ""
    if request.POST.get("do") == "import":
        try:
            done = import_report(report, terms, by=officer(request))
        except Refused as refusal:
            problem = str(refusal)
        else:
            drop_upload(upload.key)
            text = _("“%(name)s” is imported.") if done.written else _("“%(name)s” was here already: nothing changed.")
            messages.success(request, text % {"name": done.tournament.name})
            return redirect(reverse("admin:tournaments_tournament_change", args=[done.tournament.pk]))
    plan = plan_import(report, terms)
    return _page(request, "tournaments/reports/preview", **_preview(plan, upload, problem))


def _preview(plan: Plan, upload: _Upload, problem: str) -> dict[str, Any]:
    blocked = problem or _problem(plan)
    return {
        "plan": plan,
        "rows": [_row(meant) for meant in plan.people],
        "notes": first_of(plan.notes(), MOST_SHOWN),
        "conflicts": first_of(plan.conflicts, MOST_SHOWN) if plan.known else [],
        "kept": upload.key,
        "pool": upload.pool,
        "rated": upload.rated,
        "individual": upload.individual,
        "is_ready": not plan.known and not blocked,
        "problem": blocked if not plan.known else "",
    }


def _problem(plan: Plan) -> str:
    """Why the plan cannot be carried out, beside lines that are open: those show it themselves."""
    try:
        check_plan(plan)
    except BadRows as refusal:
        lines = {meant.row.line for meant in plan.open}
        others = [said(row) for row in refusal.rows if row.line not in lines]
        return sign("; ").join(others) or _("Choose who is meant where a line is open.")
    except Refused as refusal:
        return str(refusal)
    return ""


def _chosen(request: HttpRequest) -> dict[int, Player | None]:
    """Who the starting numbers are, as the preview's form says it; nobody yet for a line left open."""
    sent = ((name, str(value)) for name, value in request.POST.items() if name.startswith(_LINE))
    said = {number_in(name.removeprefix(_LINE)): value for name, value in sent}
    numbers = {number: value for number, value in said.items() if number >= 0}
    keys = [number_in(value) for value in numbers.values()]
    players = {str(player.pk): player for player in Player.objects.filter(pk__in=keys, merged_into=None)}
    found: dict[int, Player | None] = {number: None for number, value in numbers.items() if value == AS_NEW}
    return found | {number: players[value] for number, value in numbers.items() if value in players}


def _row(meant: Meant) -> dict[str, Any]:
    """A line as the page shows it: who is meant, and who else may be chosen."""
    people = [*([meant.player] if meant.player else []), *meant.candidates]
    options = [
        (str(player.pk), f"{shown_name(player, OFFICER)}{sign(' (')}#{player.number}{sign(')')}") for player in people
    ]
    options.append((AS_NEW, _("somebody new")))
    if meant.how is How.OPEN:
        options.insert(0, ("", _("– choose –")))
    choice = AS_NEW if meant.how is How.NEW else str(meant.player.pk) if meant.player else ""
    return {
        "meant": meant,
        "name": f"{_LINE}{meant.row.number}",
        "options": options,
        "choice": choice,
        "says": _WORDS[meant.how],
    }


def _ask(request: HttpRequest, form: ReportForm, problems: Sequence[str] = ()) -> HttpResponse:
    status = 400 if problems or form.errors else 200
    context = {
        "parent": _("Tournaments"),
        "back": reverse("admin:tournaments_tournament_changelist"),
        "told": _("First you see what is new and who is meant; nothing is changed before you say so."),
        "button": _("Show what it brings"),
    }
    return _page(request, "ask", status=status, form=form, problems=problems, **context)


def _page(request: HttpRequest, name: str, *, status: int = 200, **context: Any) -> HttpResponse:
    return admin_page(request, f"admin/{name}.html", _("Import a tournament report"), status=status, **context)


# --- out ------------------------------------------------------------------------------------------------------------
def take_out(model_admin: ModelAdmin, request: HttpRequest, key: int) -> HttpResponse:
    """The event's report as a file, with full names: `?version=16` for TRF16."""
    tournament = tournament_for(model_admin, request, key)
    wanted = request.GET.get("version", "")
    version = int(wanted) if wanted in {str(known) for known in VERSIONS} else VERSIONS[-1]
    try:
        report = report_of(tournament, version=version)
    except Refused as refusal:
        messages.error(request, str(refusal))
        return redirect(reverse("admin:tournaments_tournament_change", args=[tournament.pk]))
    return as_file(write_report(report, version), tournament.slug, "trf")
