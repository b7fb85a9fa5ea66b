"""Members' access: the club's pass-phrase makes a session a member's, without an account."""

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache

from clubrating.web.devices import MEMBER, counted_as, remember_device
from clubrating.web.rate_limits import RateLimit
from clubrating.web.requests import ClubRequest
from players.club.forms import LeaveForm, PassPhraseForm
from players.club.services import is_pass_phrase
from players.people.selectors import SESSION_KEY
from players.privacy.rules import NOBODY

# Per address and ten minutes. A whole club may share one address, so the limit is high, but it prevents guessing.
# Beyond it tries are taken slowly. The device of a member who has entered the phrase of today is counted for itself.
WRONG_TRIES = 20
WRONG_PHRASES = RateLimit("wrong-pass-phrase", WRONG_TRIES, 600, pace=15)


@never_cache
def members(request: ClubRequest) -> HttpResponse:
    """Enter with the pass-phrase, or leave (`leave` in the form). `?next=` is where one wanted to go."""
    if request.method == "POST" and "leave" in request.POST:
        request.session.pop(SESSION_KEY, None)
        messages.success(request, _("You see the public pages again."))
        return redirect("members")
    form = PassPhraseForm(request.POST or None)
    who = counted_as(request, MEMBER)
    if request.method == "POST" and WRONG_PHRASES.is_exceeded_by(who):
        said = _(
            "Too many wrong pass-phrases came from here in ten minutes: one is taken every %(seconds)s seconds now."
        )
        form.add_error("pass_phrase", said % {"seconds": WRONG_PHRASES.pace})
        return render(request, "players/members.html", {"form": form, "is_member": False}, status=429)
    if request.method == "POST" and form.is_valid():
        if is_pass_phrase(request.club, form.cleaned_data["pass_phrase"]):
            request.session.cycle_key()
            request.session[SESSION_KEY] = request.club.pass_phrase_version
            messages.success(request, _("Welcome. You see the names members see, until you leave."))
            response = redirect(_back(request))
            remember_device(request, response, MEMBER)
            return response
        WRONG_PHRASES.count(who)
        form.add_error("pass_phrase", _("That is not the pass-phrase. Ask an officer of the club for it."))
    context = {"form": form, "leave_form": LeaveForm(), "is_member": request.viewer != NOBODY}
    return render(request, "players/members.html", context)


def _back(request: ClubRequest) -> str:
    """The page of this site the visitor came from, or the front page."""
    wanted = request.GET.get("next", "")
    own = url_has_allowed_host_and_scheme(wanted, allowed_hosts=None) and wanted.startswith("/")
    return wanted if own else "home"
