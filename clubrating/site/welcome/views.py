"""The first run: name, time zone, administrator and first rating list. Open only to whoever holds the printed key."""

from django.conf import settings
from django.contrib import messages
from django.contrib.auth import login
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache

from clubrating.site.welcome.services import is_setup_key, set_up_club
from players.club.forms import WelcomeForm
from players.people.selectors import current_club
from players.refusals import Refused


@never_cache
def welcome(request: HttpRequest) -> HttpResponse:
    """The form for the key's holder; a word on where to find the key for everybody else; home once set up."""
    if current_club() is not None:
        return redirect("home")
    key = request.GET.get("key", "")
    if not is_setup_key(key):
        return render(request, "welcome.html", {"form": None}, status=403 if key else 200)
    form = WelcomeForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        try:
            user = set_up_club(**form.cleaned_data)
        except Refused as refusal:
            form.add_error(None, str(refusal))
        else:
            login(request, user, backend=settings.OFFICERS)
            messages.success(request, _("The club stands. Add its players first, then open a tournament."))
            return redirect("admin:index")
    return render(request, "welcome.html", {"form": form})
