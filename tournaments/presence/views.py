"""`/tournaments/<slug>/absent/`: "I’m absent tonight", reported by whoever has the club's pass-phrase, or for oneself
from a device that is known by a personal link; from there also with a half-point bye, where the event gives such."""

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

from clubrating.ground.numbers import number_in
from clubrating.web.links import own_players
from clubrating.web.rate_limits import RateLimit, address_of
from clubrating.web.requests import ClubRequest
from players.links.services.personal_links import PLAYER
from players.privacy.rules import Level, Viewer, shown_name
from players.refusals import Refused, listed
from tournaments.events.selectors.stages import played_stages
from tournaments.models import Entry, Tournament
from tournaments.presence.selectors import OpenRound, entries_of, half_byes_of, notices_of, open_rounds, who_may_miss
from tournaments.presence.services import (
    cancel_own_bye,
    is_excusing,
    report_absence,
    request_own_bye,
    rounds_with_byes,
    take_absence_back,
)

# A whole club may sit behind one address, before a snowy evening.
LIMIT = RateLimit("absence", 40, 600)
MEMBER = "member"


class AbsenceForm(forms.Form):
    """Who, and which round; of a single one nothing is asked."""

    entry = forms.TypedChoiceField(label=gettext_lazy("Who"), coerce=int)
    round = forms.TypedChoiceField(label=gettext_lazy("Absent in"), coerce=int)
    bye = forms.BooleanField(label=gettext_lazy("with a half-point bye"), required=False)

    def __init__(
        self,
        *args: Any,
        entries: Sequence[Entry],
        rounds: Sequence[OpenRound],
        byes: Sequence[int],
        viewer: Viewer,
        **kwargs: Any,
    ) -> None:
        """`byes`: the rounds in which a half-point bye may be asked for here; empty: it is not asked."""
        super().__init__(*args, **kwargs)
        if byes:
            named = {"rounds": listed(f"{number}" for number in byes), "count": entries[0].tournament.half_byes}
            text = _("Possible in these rounds, until they are made: %(rounds)s. At most %(count)s in the event.")
            self.fields["bye"].help_text = text % named
        else:
            del self.fields["bye"]
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
    is_member = request.viewer.level >= Level.MEMBER
    # Who knows the pass-phrase may speak for others too, from a device of one's own as well.
    others = is_member and ("others" in request.GET or request.viewer.level >= Level.OFFICER)
    own = [] if others else entries_of(tournament, own_players(request))
    if request.viewer.level < Level.MEMBER and not own:
        return render(request, "tournaments/absent.html", context, status=403 if request.method == "POST" else 200)
    entries = own or who_may_miss(tournament, request.viewer)
    taken_back = {"back", "no-bye"} & set(request.POST)
    posted = request.POST if request.method == "POST" and not taken_back else None
    byes = rounds_with_byes(own, [row.number for row in rounds if not row.made])
    form = AbsenceForm(posted, entries=entries, rounds=rounds, byes=byes, viewer=request.viewer)
    problem, status = "", 200
    if request.method == "POST" and LIMIT.is_exceeded_by(address_of(request)):
        problem, status = _("Much was told from here just now: try again in ten minutes."), 429
    elif request.method == "POST" and (taken_back or form.is_valid()):
        try:
            return _carry_out(request, form, {entry.pk for entry in entries}, PLAYER if own else MEMBER)
        except Refused as refusal:
            problem, status = str(refusal), 409
    notices = notices_of(tournament, {row.number: row for row in rounds})
    if own:
        notices = [notice for notice in notices if notice.entry in own]
        context["byes"] = half_byes_of(own, [row.number for row in rounds if not row.made])
    context |= {"is_member": True, "form": form, "notices": notices, "problem": problem}
    context |= {"excuses": any(map(is_excusing, played_stages(tournament))), "may_tell_of_others": own and is_member}
    return render(request, "tournaments/absent.html", context, status=status)


def _carry_out(request: ClubRequest, form: AbsenceForm, entries: set[int], role: str) -> HttpResponse:
    """Give notice, or take it back. Raises Refused, also for somebody of another event."""
    by = request.user if isinstance(request.user, User) and request.user.is_staff else None
    role = "" if by else role
    back = request.POST.get("back", request.POST.get("no-bye"))
    entry, number = _pair(back) if back is not None else (form.cleaned_data["entry"], form.cleaned_data["round"])
    if entry not in entries:
        raise Refused(_("This player is not in the event any more."))
    LIMIT.count(address_of(request))
    if back is None and form.cleaned_data.get("bye"):
        request_own_bye(entry, number, role=role)
        messages.success(
            request, _("The bye is noted: nobody pairs this player in round %(round)s.") % {"round": number}
        )
    elif "no-bye" in request.POST and role == PLAYER:
        cancel_own_bye(entry, number, role=role)
        messages.success(request, _("Taken back: the player comes."))
    elif back is None:
        report_absence(entry, number, by=by, role=role)
        messages.success(request, _("The arbiters are told. A board that is paired already stays until they decide."))
    else:
        take_absence_back(entry, number, by=by, role=role)
        messages.success(request, _("Taken back: the player comes."))
    return redirect(request.get_full_path())


def _pair(text: str) -> tuple[int, int]:
    """ "17-3" as entry 17 and round 3; -1, which nobody has, for what is no number."""
    entry, _dash, number = text.partition("-")
    return number_in(entry), number_in(number)
