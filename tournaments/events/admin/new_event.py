"""A new event begins with a choice: a template, an event of before once more, names from a builder, or the empty form.
Nothing is written here but the copy, which is shown first."""

from datetime import date
from typing import Any

from django import forms
from django.contrib import messages
from django.contrib.admin import ModelAdmin
from django.core.validators import MaxValueValidator, MinValueValidator
from django.db.models import Count, F
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.http import urlencode
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from clubrating.web.admin import officer
from players.people.names import clean_name
from players.refusals import Refused, listed
from ratings.lists.selectors.lists import pool_names
from tournaments.corrections.services.uploads import keep_upload
from tournaments.events.admin.event_page import check_may, page, tournament_for
from tournaments.events.admin.form import called
from tournaments.events.admin.forms import LATEST_DAY, DayInput, NamesForm
from tournaments.events.selectors.officers import run_by
from tournaments.events.services.copying import copy_event, next_year, what_is_copied
from tournaments.events.services.templates import EVENT_TEMPLATES
from tournaments.interchange.sheets import Code, Sheet, as_csv
from tournaments.models import Tournament
from tournaments.results.services.results import EARLIEST_DAY

MOST_RECENT = 12


class CopyForm(forms.Form):
    """What of a copy is its own."""

    name = forms.CharField(label=gettext_lazy("Name"), max_length=100)
    starts_on = forms.DateField(
        label=gettext_lazy("First day"),
        required=False,
        widget=DayInput(),
        validators=[MinValueValidator(EARLIEST_DAY), MaxValueValidator(LATEST_DAY)],
        help_text=gettext_lazy("The last day moves with it."),
    )
    with_entries = forms.BooleanField(label=gettext_lazy("Enter the same players"), required=False, initial=True)


def choose(model_admin: ModelAdmin, request: HttpRequest) -> HttpResponse:
    """The templates, the recent events the user runs, and the empty form."""
    check_may(request, "tournaments.add_tournament")
    events = (
        Tournament.objects.filter(run_by(request.user))
        .exclude(stages__pairing_system="")
        .annotate(entered=Count("entries", distinct=True))
    )
    recent = events.order_by(F("starts_on").desc(nulls_last=True), "-pk")[:MOST_RECENT]
    title = _("New tournament")
    return page(model_admin, request, "new", None, title=title, templates=EVENT_TEMPLATES, recent=recent)


def copy(model_admin: ModelAdmin, request: HttpRequest, key: int) -> HttpResponse:
    """Shows what is taken over, then makes the copy and leads to it."""
    check_may(request, "tournaments.add_tournament")
    source = tournament_for(model_admin, request, key)
    first = {"name": _next_name(source), "starts_on": next_year(source)}
    form = CopyForm(request.POST if request.method == "POST" else None, initial=first)
    copied, problem = None, ""
    try:
        copied = what_is_copied(source)
        if form.is_bound and form.is_valid():
            made = copy_event(source, by=officer(request), **form.cleaned_data)
            messages.success(request, _("“%(name)s” is made.") % {"name": made.name})
            return redirect("admin:tournaments_tournament_change", made.pk)
    except Refused as refusal:
        problem = str(refusal)
    pool = pool_names().get(source.pool, source.pool)
    context: dict[str, Any] = {"source": source, "pool": pool, "copied": copied, "form": form, "problem": problem}
    if copied:
        context["officers"] = listed(called(user) for user in copied.officers)
    title = _("Once more: %(name)s") % {"name": source.name}
    return page(model_admin, request, "copy", None, status=409 if problem else 200, title=title, **context)


def from_names(model_admin: ModelAdmin, request: HttpRequest) -> HttpResponse:
    """Names that one of the public builders hands over, in the order of their numbers: kept for a day, while the form
    that comes next is filled in. Who is meant by them is asked once the event is made."""
    check_may(request, "tournaments.add_tournament")
    form = NamesForm(request.POST)
    typed = form.cleaned_data["names"] if request.method == "POST" and form.is_valid() else ""
    names = [name for line in typed.splitlines() if (name := clean_name(line))]
    if not names:
        return redirect("admin:tournaments_tournament_new")
    kept = keep_upload(as_csv(Sheet("names", ("name",), tuple((Code(name),) for name in names))).encode())
    text = ngettext(
        "%(count)s name is taken over in the order of the builder: make the event, then confirm who is meant.",
        "%(count)s names are taken over in the order of the builder: make the event, then confirm who is meant.",
        len(names),
    )
    messages.info(request, text % {"count": len(names)})
    asked = {key: request.POST[key] for key in ("name", "play", "swap_last_two") if request.POST.get(key)}
    return redirect(f"{reverse('admin:tournaments_tournament_add')}?{urlencode({**asked, 'kept': kept})}")


def _next_name(source: Tournament) -> str:
    """With the year moved on, where it stands in the name."""
    if source.starts_on is None:
        return source.name
    year = source.starts_on.year
    later = (next_year(source) or date.max).year
    return source.name.replace(str(year), str(max(later, year + 1)))
