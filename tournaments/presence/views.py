"""`/tournaments/<slug>/absent/`: "I’m absent tonight", reported by whoever has the club's pass-phrase, or for oneself
from a device that is known by a personal link."""

from collections.abc import Sequence
from typing import Any

from django import forms
from django.contrib import messages
from django.contrib.auth.models import User
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.cache import never_cache

from clubrating.web.links import own_players
from clubrating.web.rate_limits import RateLimit, address_of
from clubrating.web.requests import ClubRequest
from players.links.services.personal_links import PLAYER
from players.privacy.rules import Level, Viewer, shown_name
from players.refusals import Refused
from tournaments.models import Entry, Tournament
from tournaments.presence.selectors import OpenRound, entries_of, notices_of, open_rounds, who_may_miss
from tournaments.presence.services import report_absence, take_absence_back

# A whole club may sit behind one address, before a snowy evening.
LIMIT = RateLimit("absence", 40, 600)
MEMBER = "member"


class AbsenceForm(forms.Form):
    """Who, and which round; of a single one nothing is asked."""

    entry = forms.TypedChoiceField(label=gettext_lazy("Who"), coerce=int)
    round = forms.TypedChoiceField(label=gettext_lazy("Absent in"), coerce=int)

    def __init__(
        self, *args: Any, entries: Sequence[Entry], rounds: Sequence[OpenRound], viewer: Viewer, **kwargs: Any
    ) -> None:
        super().__init__(*args, **kwargs)
        people = [(entry.pk, shown_name(entry.player, viewer)) for entry in entries]
        first = [("", _("choose one"))] if len(people) > 1 else []
        self.fields["entry"].choices = [*first, *people]  # type: ignore[attr-defined]
        paired, open_round = _("round %(number)s, already paired"), _("round %(number)s")
        numbers = [(row.number, (paired if row.made else open_round) % {"number": row.number}) for row in rounds]
        self.fields["round"].choices = numbers  # type: ignore[attr-defined]


@never_cache
def absence(request: ClubRequest, slug: str) -> HttpResponse:
    """The form for members, with what was reported already; others are led to the members' page and back. 409 where
    it is refused, 429 where too many came from one address lately."""
    tournament = get_object_or_404(Tournament, slug=slug)
    if tournament.open_ended:
        raise Http404
    rounds = open_rounds(tournament)
    context: dict[str, Any] = {"tournament": tournament, "rounds": rounds, "is_member": False}
    own = entries_of(tournament, own_players(request)) if request.viewer.level < Level.MEMBER else []
    if request.viewer.level < Level.MEMBER and not own:
        return render(request, "tournaments/absent.html", context, status=403 if request.method == "POST" else 200)
    entries = own or who_may_miss(tournament, request.viewer)
    posted = request.POST if request.method == "POST" and "back" not in request.POST else None
    form = AbsenceForm(posted, entries=entries, rounds=rounds, viewer=request.viewer)
    problem, status = "", 200
    if request.method == "POST" and LIMIT.is_exceeded_by(address_of(request)):
        problem, status = _("Much was told from here just now: try again in ten minutes."), 429
    elif request.method == "POST" and ("back" in request.POST or form.is_valid()):
        try:
            return _carry_out(request, form, {entry.pk for entry in entries}, PLAYER if own else MEMBER)
        except Refused as refusal:
            problem, status = str(refusal), 409
    notices = notices_of(tournament, {row.number: row for row in rounds})
    if own:
        notices = [notice for notice in notices if notice.entry in own]
    context |= {"is_member": True, "form": form, "notices": notices, "problem": problem}
    return render(request, "tournaments/absent.html", context, status=status)


def _carry_out(request: ClubRequest, form: AbsenceForm, entries: set[int], role: str) -> HttpResponse:
    """Give notice, or take it back. Raises Refused, also for somebody of another event."""
    by = request.user if isinstance(request.user, User) and request.user.is_staff else None
    role = "" if by else role
    back = request.POST.get("back")
    entry, number = _pair(back) if back is not None else (form.cleaned_data["entry"], form.cleaned_data["round"])
    if entry not in entries:
        raise Refused(_("This player is not in the event any more."))
    LIMIT.count(address_of(request))
    if back is None:
        report_absence(entry, number, by=by, role=role)
        messages.success(request, _("The arbiters are told. A board that is paired already stays until they decide."))
    else:
        take_absence_back(entry, number, by=by, role=role)
        messages.success(request, _("Taken back: the player comes."))
    return redirect(request.path)


def _pair(text: str) -> tuple[int, int]:
    """ "17-3" as entry 17 and round 3; zeros, which are nobody's, for anything else."""
    entry, _dash, number = text.partition("-")
    digits = entry.isascii() and entry.isdigit() and number.isascii() and number.isdigit()
    return (int(entry), int(number)) if digits and len(text) < 19 else (0, 0)
