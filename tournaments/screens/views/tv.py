"""`/tournaments/<slug>/tv/`: the event on a big screen in the hall, one screen after the other.

It needs no script: every screen is a page, and the answer's `Refresh` header leads to the next one; `?seconds=0` stops.
It hangs where everybody walks by: whoever is signed in on that machine, it shows what the public may see.
"""

from dataclasses import dataclass

from crispy_forms.helper import FormHelper
from crispy_forms.layout import Submit
from django import forms
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.utils.functional import Promise
from django.utils.http import urlencode
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from clubrating.web.formatting import qr_code
from clubrating.web.requests import ClubRequest
from players.privacy.rules import NOBODY
from tournaments.event_list.selectors import state_of_facts
from tournaments.event_pages.views.sections import sections_of
from tournaments.events.selectors.events import facts_of, stages_at, whole_of
from tournaments.screens.views.screens import KINDS, screens_of

SECONDS, SHORTEST, LONGEST = 12, 5, 120
# How many lines a screen may have, and how many are still read from ten metres.
ROWS, READABLE = (5, 8, 12, 16), 12
THEMES: dict[str, Promise] = {"light": gettext_lazy("Light"), "dark": gettext_lazy("Dark")}


@dataclass(frozen=True, slots=True)
class Asked:
    """What the address asks for: which screen, how long each stays (0: for good), which kinds, how many lines on each
    at most, and on what ground."""

    screen: int
    seconds: int
    kinds: tuple[str, ...]
    rows: int
    theme: str

    def address(self, **changes: str | int) -> str:
        """The address with that changed; what is as usual is left out."""
        said: dict[str, str | int] = {"screen": self.screen, "seconds": self.seconds, "rows": self.rows}
        said |= {"show": ",".join(self.kinds), "theme": self.theme} | changes
        usual: dict[str, str | int] = {"seconds": SECONDS, "rows": READABLE, "show": ",".join(KINDS), "theme": ""}
        return "?" + urlencode({name: value for name, value in said.items() if usual.get(name) != value})


@dataclass(frozen=True, slots=True)
class Bar:
    """The links below, and the form for all else: stop or go on, back and forth."""

    turn: str
    back: str
    on: str
    form: "ScreenForm"


class ScreenForm(forms.Form):
    """How the screens are shown. A form and no links: nothing that follows links goes through every way to look at
    them."""

    show = forms.ChoiceField(label=gettext_lazy("Shown"), required=False)
    seconds = forms.IntegerField(label=gettext_lazy("Seconds a screen"), min_value=SHORTEST, max_value=LONGEST)
    rows = forms.ChoiceField(label=gettext_lazy("Lines at most"), choices=[(rows, rows) for rows in ROWS])
    theme = forms.ChoiceField(label=gettext_lazy("Ground"), required=False)

    def __init__(self, asked: Asked) -> None:
        show = ",".join(asked.kinds) if len(asked.kinds) < len(KINDS) else ""
        seconds = asked.seconds or SECONDS
        super().__init__(
            initial={"show": show, "seconds": seconds, "rows": asked.rows, "theme": asked.theme},
        )
        self.fields["show"].choices = [("", _("everything")), *KINDS.items()]  # type: ignore[attr-defined]
        self.fields["theme"].choices = [("", _("as the machine is set")), *THEMES.items()]  # type: ignore[attr-defined]

    @property
    def helper(self) -> FormHelper:
        helper = FormHelper()
        helper.form_method = "get"
        helper.form_class = "form row"
        helper.disable_csrf = True
        helper.add_input(Submit("", _("Show it so"), css_class="plain"))
        return helper


def tv(request: ClubRequest, slug: str) -> HttpResponse:
    """One screen, and the way to the next. Everything is as the public sees it, in as many queries as an event page."""
    stages = stages_at(slug)
    if not stages or stages[0].tournament.open_ended:
        raise Http404
    facts = facts_of(stages, NOBODY)
    event, sections = whole_of(stages, facts), sections_of(facts, {}, {}, NOBODY)
    state = state_of_facts(event, timezone.localdate())
    asked = asked_for(request)
    screens = screens_of(event, sections, state, asked.kinds, asked.rows)
    at = asked.screen if 1 <= asked.screen <= len(screens) else 1
    context = {
        "viewer": NOBODY,
        "event": event,
        "tournament": event.tournament,
        "state": state,
        "screen": screens[at - 1],
        "at": at,
        "count": len(screens),
        "asked": asked,
        "now": timezone.localtime(),
        "qr": qr_code(request.build_absolute_uri(event.tournament.get_absolute_url())),
        "bar": _bar(asked, at, len(screens)),
    }
    following = asked.address(screen=at % len(screens) + 1)
    return _turning(render(request, "tournaments/tv/page.html", context), request.path + following, asked.seconds)


def _turning(response: HttpResponse, address: str, seconds: int) -> HttpResponse:
    """The page leads on by itself. Nobody keeps it: it tells the time."""
    response.headers["Cache-Control"] = "no-store"
    if seconds:
        response.headers["Refresh"] = f"{seconds}; url={address}"
    return response


def asked_for(request: HttpRequest) -> Asked:
    """What the address asks for; what it cannot mean is as usual."""
    seconds = _number(request, "seconds", SECONDS)
    rows, theme = _number(request, "rows", READABLE), request.GET.get("theme", "")
    kinds = tuple(kind for kind in request.GET.get("show", "").split(",") if kind in KINDS)
    return Asked(
        screen=_number(request, "screen", 1),
        seconds=seconds and min(max(seconds, SHORTEST), LONGEST),
        kinds=tuple(dict.fromkeys(kinds)) or tuple(KINDS),
        rows=rows if rows in ROWS else READABLE,
        theme=theme if theme in THEMES else "",
    )


def _number(request: HttpRequest, name: str, usual: int) -> int:
    text = request.GET.get(name, "")
    return int(text) if text.isascii() and text.isdigit() and len(text) < 5 else usual


def _bar(asked: Asked, at: int, count: int) -> Bar:
    return Bar(
        turn=asked.address(screen=at, seconds=0 if asked.seconds else SECONDS),
        back=asked.address(screen=(at - 2) % count + 1),
        on=asked.address(screen=at % count + 1),
        form=ScreenForm(asked),
    )
