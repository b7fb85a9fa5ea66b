"""The club's own list of members, from a file: uploaded, seen line by line with the day its ratings hold from, then
carried out.

Where rated games of these people follow, what the file moves is shown next, and a reason is asked
(`tournaments.corrections.admin.saving`). Not done: choosing who a line means. Two people of one name are told apart by
their numbers, written like #17.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date
from typing import Any
from zlib import crc32

from django import forms
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from clubrating.web.admin import admin_page, officer
from clubrating.web.formatting import day_text
from players.models import AuditEvent
from players.refusals import Refused, first_of, said, sign
from ratings.lists.selectors.grades import has_grades
from ratings.lists.selectors.lists import primary_list
from ratings.models import RatingList, StartingRating
from tournaments.corrections.admin.games_brought import MOST_BAD_ROWS, called
from tournaments.corrections.admin.preview import CorrectionPage
from tournaments.corrections.admin.saving import Moving, bring_upload
from tournaments.corrections.services.changes import Why
from tournaments.corrections.services.uploads import LARGEST, keep_upload, read_upload
from tournaments.entries.services.names import BadRows
from tournaments.events.admin.event_page import check_may
from tournaments.events.admin.forms import DayInput, day_that_has_come
from tournaments.interchange.players_csv import PlayersFile, columns_left, read_members
from tournaments.interchange.sheets import as_csv_bytes
from tournaments.interchange.tables_csv import UnreadableFileError
from tournaments.loading.services.starting_ratings import (
    DayNeededError,
    ImportedRow,
    ImportReport,
    Outcome,
    import_players,
)
from tournaments.rated_games.selectors.late_starts import LateStart
from tournaments.rated_games.services.people import reach_of

# What the page of starting ratings asks for.
_MAY_RATE = ("ratings.add_startingrating", "ratings.change_startingrating")
MOST_LINES = 2000  # more are imported by the command
_OUTCOMES = {
    Outcome.NEW: gettext_lazy("new"),
    Outcome.CHANGED: gettext_lazy("changes"),
    Outcome.KNOWN: gettext_lazy("here already"),
}


class _TermsForm(forms.Form):
    """What is asked of the file, from step to step."""

    rating_list = forms.ModelChoiceField(
        label=gettext_lazy("Rating list"), queryset=RatingList.objects.all(), empty_label=None
    )
    on = forms.DateField(
        label=gettext_lazy("The ratings hold from"),
        required=False,
        widget=DayInput(),
        help_text=gettext_lazy("Before the games of that day. Empty: from today."),
    )

    def clean_on(self) -> date | None:
        day: date | None = self.cleaned_data["on"]
        return day_that_has_come(day) if day else None


class MembersForm(_TermsForm):
    """The file, and what is asked of it."""

    file = forms.FileField(
        label=gettext_lazy("File of members"),
        help_text=gettext_lazy(
            "CSV (UTF-8) or Excel: a column name, and any of rating, games, peak, deviation, birth year; up to 5 MB."
        ),
    )
    field_order = ("file", "rating_list", "on")

    def clean_file(self) -> Any:
        file = self.cleaned_data["file"]
        if file.size and file.size > LARGEST:
            raise forms.ValidationError(_("The file is larger than 5 MB: leave out what is not needed."))
        return file


@dataclass(frozen=True, slots=True)
class _Upload:
    """The file between the steps, as CSV too, and what is asked of it."""

    key: str
    table: bytes
    people: PlayersFile
    rating_list: RatingList
    on: date | None
    without_ratings: bool = False  # the file has some, and the officer may not enter them

    @property
    def day(self) -> date:
        return self.on or timezone.localdate()

    def bring(self, *, dry_run: bool, why: Why) -> ImportReport:
        """Raises BadRows or DayNeededError."""
        how: dict[str, Any] = {"rating_list": self.rating_list, "on": self.on, "bad": self.people.bad, "by": why.by}
        return import_players(self.people.rows, dry_run=dry_run, reason=why.reason, note=why.note, **how)


def members(request: HttpRequest) -> HttpResponse:
    """First the form, then the preview, then what was seen is carried out."""
    check_may(request, "players.add_player", "players.change_player")
    again = "kept" in request.POST
    if request.method != "POST":
        return _ask(request, MembersForm(initial={"rating_list": primary_list()}))
    form: forms.Form = _TermsForm(request.POST) if again else MembersForm(request.POST, request.FILES)
    if not form.is_valid():
        return _ask(request, MembersForm(request.POST) if again else form)
    data = form.cleaned_data
    try:
        key = request.POST["kept"] if again else keep_upload(data["file"].read())
        return _carry_on(request, _upload(request, key, data["rating_list"], data["on"]))
    except BadRows as refusal:
        problems = first_of([said(row) for row in refusal.rows], MOST_BAD_ROWS)
    except (Refused, UnreadableFileError) as refusal:
        problems = [said(refusal)]
    return _ask(request, MembersForm(initial=data), problems)


def _upload(request: HttpRequest, key: str, rating_list: RatingList, on: date | None) -> _Upload:
    """The kept file as this officer may bring it. Raises Refused or UnreadableFileError."""
    table = as_csv_bytes(read_upload(key))
    people = _people_of(table, rating_list)
    if request.user.has_perms(_MAY_RATE) or all(row.rating is None for row in people.rows):
        return _Upload(key, table, people, rating_list, on)
    bare = tuple(replace(row, rating=None, games=None, peak=None, deviation=None) for row in people.rows)
    return _Upload(key, table, replace(people, rows=bare), rating_list, on, without_ratings=True)


def _people_of(table: bytes, rating_list: RatingList) -> PlayersFile:
    """Raises Refused or UnreadableFileError for a file that is of no use."""
    people = read_members(table, today=timezone.localdate(), grades=has_grades(rating_list))
    if not people.rows and not people.bad:
        raise Refused(_("The file names nobody: below the header stands one player a line."))
    if len(people.rows) > MOST_LINES:
        text = _("The file names more than %(most)s people: load it with “manage.py import_players”.")
        raise Refused(text % {"most": MOST_LINES})
    return people


def _carry_on(request: HttpRequest, upload: _Upload) -> HttpResponse:
    """The preview, or the commit. Raises BadRows, Refused or UnreadableFileError."""
    by, problem = officer(request), ""
    try:
        report = upload.bring(dry_run=True, why=Why(by, ""))
    except DayNeededError as refusal:
        return _ask_day(request, upload, refusal)
    rows = [(item, item.player and item.player.revision) for item in report.rows]
    seal = str(crc32(repr((upload.rating_list.pk, upload.day, rows)).encode()))
    if request.POST.get("do") in ("bring", "commit"):
        if request.POST.get("seal") == seal:
            return _commit(request, upload, report, seal)
        problem = _("The day, the list or the people are no longer those shown here before: look at it again.")
    return _preview(request, upload, report, seal, problem)


def _commit(request: HttpRequest, upload: _Upload, report: ImportReport, seal: str) -> HttpResponse:
    """At once where no rated game follows, else by way of what it would move."""
    done = _("%(new)s people are new, %(changed)s changed, %(known)s were here already.") % {
        outcome.value: report.count(outcome) for outcome in Outcome
    }
    moving = _moving(upload, report, int(seal))
    on = upload.on.isoformat() if upload.on else ""
    page = CorrectionPage(
        title=_("What this moves"),
        says=moving.says if moving else (),
        hidden=[("kept", upload.key), ("rating_list", str(upload.rating_list.pk)), ("on", on), ("seal", seal)],
        back=reverse("admin:players_player_members"),
        done=reverse("admin:players_player_changelist"),
        reason=AuditEvent.Reason.LATE_REPORT,
        button=_("Bring them in"),
        success=done,
        stays=moving.stays if moving else (),
    )

    def bring(why: Why) -> None:
        upload.bring(dry_run=False, why=why)

    return bring_upload(request, upload.key, moving, bring, page)


def _moving(upload: _Upload, report: ImportReport, seal: int) -> Moving | None:
    """What of the file moves ratings of games that are here; None where nothing does."""
    rating_list = upload.rating_list
    begin, firsts = reach_of(report.touched(), rating_list.pool, upload.day)
    if not begin:
        return None
    says = [f"{rating_list.shown_name}{sign(', ')}{day_text(upload.day)}"]
    stays = [
        sentence
        for item in report.rows
        if item.player and item.other_start and (first := firsts.get(item.player.pk, {}).get(rating_list.pool))
        for sentence in _late(upload, item, first.on)
    ]
    return Moving(begin, firsts, [("members", rating_list.pk, seal)], says, stays)


def _late(upload: _Upload, item: ImportedRow, first: date) -> Sequence[str]:
    """Games from before the day stay rated without the rating, unless an earlier one holds."""
    earlier = StartingRating.objects.filter(rating_list=upload.rating_list, player=item.player, on__lt=upload.day)
    if first >= upload.day or earlier.exists():
        return []
    rating = item.row.rating or 0.0
    start = StartingRating(rating_list=upload.rating_list, player=item.player, on=upload.day, rating=rating)
    return [str(LateStart(start, first))]


# --- pages ----------------------------------------------------------------------------------------------------------
def _ask(request: HttpRequest, form: forms.Form, problems: Sequence[str] = ()) -> HttpResponse:
    if not RatingList.objects.exists():
        problems = [*problems, _("There is no rating list yet: an administrator makes it first.")]
    context = {
        "form": form,
        "problems": problems,
        "parent": _("Players"),
        "back": reverse("admin:players_player_changelist"),
        "told": _("People of the club and the ratings they bring. First you see line by line what it would change."),
        "button": _("Show what it changes"),
        "foot": _("The header may be English, Russian or Chinese; of a day of birth only the year is kept."),
    }
    status = 400 if problems or form.errors else 200
    return admin_page(request, "admin/ask.html", _("Members from a file"), status=status, **context)


def _ask_day(request: HttpRequest, upload: _Upload, refusal: DayNeededError) -> HttpResponse:
    """The terms again, with the names and both days one may mean."""
    who = sign("; ").join(first_of(refusal.names, MOST_BAD_ROWS))
    days = {"first": day_text(refusal.first), "today": day_text(timezone.localdate()), "who": who}
    text = _(
        "Rated games stand before today, the first on %(first)s, of: %(who)s. Say from which day the ratings hold: "
        "from %(first)s those games count from these ratings; from %(today)s everybody is set to them after the games."
    )
    form = _TermsForm(initial={"rating_list": upload.rating_list, "on": refusal.first})
    context = {"terms": form, "kept": upload.key, "problem": text % days}
    return admin_page(request, _PREVIEW, _("Members from a file"), status=400, **context)


_PREVIEW = "admin/players/player/members_preview.html"


def _preview(request: HttpRequest, upload: _Upload, report: ImportReport, seal: str, problem: str = "") -> HttpResponse:
    context = {
        "rows": [(item, _OUTCOMES[item.outcome], called(item.player) if item.player else "") for item in report.rows],
        "changing": len(report.rows) - report.count(Outcome.KNOWN),
        "alike": [*map(said, upload.people.left), *report.alike],
        "left": [column.replace("_", " ") for column in columns_left(upload.table)],
        "terms": _TermsForm(initial={"rating_list": upload.rating_list, "on": upload.day}),
        "kept": upload.key,
        "seal": seal,
        "without_ratings": upload.without_ratings,
        "problem": problem,
    }
    status = 400 if problem else 200
    return admin_page(request, _PREVIEW, _("Members from a file"), status=status, **context)
