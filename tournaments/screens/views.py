"""`/tournaments/<slug>/tv/`: the event on a big screen in the hall, one screen after the other.

No script is needed: every screen is a page, and the answer's `Refresh` header leads to the next one; `?seconds=0`
stops. It is meant for a public place: it shows what the public may see, whoever is signed in on that machine.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from crispy_forms.helper import FormHelper
from django import forms
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.utils.functional import Promise
from django.utils.http import urlencode
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext

from clubrating.ground.figures import fraction_text, points_text
from clubrating.ground.numbers import whole_number
from clubrating.web.formatting import qr_code, written
from clubrating.web.forms import one_button
from clubrating.web.requests import ClubRequest
from players.privacy.rules import NOBODY
from tournaments.event_list.selectors import State, state_of_facts
from tournaments.event_pages.selectors.formats import is_keizer, keizer_places
from tournaments.event_pages.views.rounds import title_of_round, words_of_byes
from tournaments.event_pages.views.sections import Section, sections_of
from tournaments.events.selectors.event_data import BoardData, Entrant, EventData
from tournaments.events.selectors.events import facts_of, stages_at, whole_of
from tournaments.knockouts.selectors.brackets import BracketRound, DrawnMatch, places_of
from tournaments.teams.selectors.facts import MatchFacts, TeamFacts, team_facts
from tournaments.teams.selectors.matches import current_round, matches_of_day
from tournaments.teams.selectors.table import league_table
from tournaments.templatetags.cards import worth_text
from tournaments.templatetags.events import round_title
from tournaments.templatetags.teams import game_points, match_points, match_score, match_state

# --- what is on the screens ---------------------------------------------------------------------------------------
# So many lines fit on a screen, from the largest type to the smallest.
SIZES = (5, 8, 10, 12, 16)
PAIRINGS, STANDINGS, BRACKET, ENTRIES = "pairings", "standings", "bracket", "entries"
MATCHES, LEAGUE = "matches", "league"  # what a team event has in the place of pairings and standings
# What an arbiter may choose from; entries are shown as long as there is nothing else.
KINDS: dict[str, Promise] = {
    PAIRINGS: gettext_lazy("Pairings"),
    STANDINGS: gettext_lazy("Standings"),
    BRACKET: gettext_lazy("Bracket"),
}


@dataclass(frozen=True, slots=True)
class Line:
    """A line of a screen: a board, a match, or a place; `words` stand where there is no opponent. Of a match
    of teams, or a line of their table, the names of the `teams`."""

    label: str
    one: Entrant | None = None
    other: Entrant | None = None
    board: BoardData | None = None
    match: DrawnMatch | None = None
    words: str = ""
    figures: tuple[str, ...] = ()
    teams: tuple[str, ...] = ()

    @property
    def provisional(self) -> bool:
        return any(person is not None and person.provisional for person in (self.one, self.other))


@dataclass(frozen=True, slots=True)
class Screen:
    """Page `page` of `pages` of a list, in type of which `size` lines fit; `heads` name the figures of its lines."""

    kind: str
    title: str
    lines: tuple[Line, ...]
    heads: tuple[str, ...] = ()
    part: str = ""
    page: int = 1
    pages: int = 1
    size: int = SIZES[0]

    @property
    def template(self) -> str:
        return f"tournaments/tv/{self.kind}.html"

    @property
    def provisional(self) -> bool:
        """Whether the mark of probation has to be explained."""
        return any(line.provisional for line in self.lines)


def screens_of(
    event: EventData, sections: Sequence[Section], state: State, kinds: Sequence[str], rows: int
) -> list[Screen]:
    """All screens of the event in order, at most `rows` lines on each, at least one. Once it is over: how it ended."""
    finished = state == State.FINISHED
    wanted = [kind for kind in kinds if kind in KINDS and not (finished and kind == PAIRINGS)]
    screens = {
        PAIRINGS: _pairings(event, sections),
        STANDINGS: _standings(sections, finished),
        BRACKET: _brackets(sections),
    }
    found = [screen for kind in wanted for screen in screens[kind]]
    if not any(screen.lines for screen in found):
        entries = tuple(Line(f"{person.number or '–'}", person) for person in event.entrants)
        found = [Screen(ENTRIES, _("Entries"), entries, (_("Rating at entry"),))]
    return [page for screen in found for page in _pages(screen, rows)]


def _pages(screen: Screen, rows: int) -> Iterator[Screen]:
    """The list in pages as even as can be, all in one size: nobody stands alone on the last one."""
    pages = max(1, -(-len(screen.lines) // rows))
    even, longer = divmod(len(screen.lines), pages)
    size = next(size for size in SIZES if size >= even + bool(longer))
    at = 0
    for page in range(1, pages + 1):
        until = at + even + (page <= longer)
        yield replace(screen, lines=screen.lines[at:until], page=page, pages=pages, size=size)
        at = until


# --- teams --------------------------------------------------------------------------------------------------------
def screens_of_teams(facts: TeamFacts, kinds: Sequence[str], rows: int) -> list[Screen]:
    """The matches of today, or of the round that is next, with running scores; then the league table."""
    finished = facts.tournament.closed
    found = [*_matches_of_teams(facts)] if PAIRINGS in kinds and not finished else []
    if STANDINGS in kinds or not found:
        title = _("Final table") if finished else pgettext("league", "Table")
        heads = (_("Match points"), _("Game points"))
        found.append(Screen(LEAGUE, title, tuple(_league_lines(facts)), heads))
    return [page for screen in found for page in _pages(screen, rows)]


def _matches_of_teams(facts: TeamFacts) -> Iterator[Screen]:
    now = current_round(facts)
    today = list(matches_of_day(facts, timezone.localdate()))
    shown = today or [match for match in facts.matches if now is not None and match.round.pk == now.pk]
    if shown:
        title = _("Matches today") if today else _("Round %(number)s") % {"number": shown[0].round.number}
        yield Screen(MATCHES, title, tuple(_match_line(facts, match) for match in shown))


def _match_line(facts: TeamFacts, match: MatchFacts) -> Line:
    names = tuple(side.name if side else "–" for side in (match.row.home, match.row.away))
    words = "" if match.decided else match_state(match)
    return Line(f"{match.row.number}", teams=names, words=words, figures=(match_score(match, facts),))


def _league_lines(facts: TeamFacts) -> Iterator[Line]:
    for row in league_table(facts).rows:
        score = row.standing.score
        figures = (match_points(score.match_points), game_points(score.game_points, facts))
        yield Line(f"{row.place or '–'}", teams=(row.team.name,), figures=figures)


# --- pairings -----------------------------------------------------------------------------------------------------
def _pairings(event: EventData, sections: Sequence[Section]) -> Iterator[Screen]:
    """The present round of every part, board by board, then who has none. Matches stand on the bracket's screens."""
    current = event.current_round
    if current is None:
        return
    title = _("Round %(number)s") % {"number": current.number}
    for section in sections:
        row = section.facts.round(current.number)
        if row is None or section.bracket is not None:
            continue
        words = words_of_byes(section.facts)
        boards = [Line(f"{board.board}", board.white, board.black, board) for board in row.boards]
        byes = [Line("–", bye.entrant, words=words[bye.kind]) for bye in row.byes]
        yield Screen(PAIRINGS, title, (*boards, *byes), part=title_of_round(section, row))


# --- standings ----------------------------------------------------------------------------------------------------
def _standings(sections: Sequence[Section], finished: bool) -> Iterator[Screen]:
    """Of every part in which something was played. How far it is, the page says beside the title."""
    title = _("Final standings") if finished else _("Standings")
    for section in sections:
        if not any(row.begun for row in section.facts.rounds):
            continue
        if section.bracket is not None:
            if finished:
                yield Screen(STANDINGS, title, tuple(_reached(section)), part=section.title)
        elif is_keizer(section.facts):
            heads = (_("Points"), _("List value"))
            yield Screen(STANDINGS, title, tuple(_by_value(section)), heads, section.title)
        else:
            codes = [rule.code for rule in section.ranked.tiebreaks[:1]]
            yield Screen(STANDINGS, title, tuple(_by_points(section)), (_("Points"), *codes), section.title)


def _by_points(section: Section) -> Iterator[Line]:
    unit = section.ranked.points.unit
    for row in section.ranked.rows:
        worths = tuple(worth_text(worth) for worth in row.tiebreaks[:1])
        place = f"{row.place}" if row.counts else "–"
        yield Line(place, section.ranked.entrants[row.player], figures=(points_text(row.points, unit), *worths))


def _by_value(section: Section) -> Iterator[Line]:
    for row in keizer_places(section.facts):
        figures = (written(fraction_text(row.score)), written(fraction_text(row.value)))
        yield Line(f"{row.place}", row.entrant, figures=figures)


def _reached(section: Section) -> Iterator[Line]:
    for row in places_of(section.facts):
        place = f"{row.first}" if row.first == row.last else f"{row.first}–{row.last}"
        yield Line("–" if row.still_in else place, row.entrant)


# --- knockouts ----------------------------------------------------------------------------------------------------
def _brackets(sections: Sequence[Section]) -> Iterator[Screen]:
    """The round that is on and the one after it: who waits there, and for whom."""
    for section in sections:
        drawn = section.bracket
        if drawn is None or drawn.current is None:
            continue
        at = drawn.rounds.index(drawn.current)
        for row in drawn.rounds[at : at + 2]:
            yield Screen(BRACKET, round_title(row.name), tuple(_matches(row)), part=section.title)


def _matches(row: BracketRound) -> Iterator[Line]:
    for match in row.matches:
        facts = match.facts
        words = _("Third place") if match.third_place else ""
        yield Line(f"{facts.board}", facts.upper, facts.lower, match=match, words=words)


# --- the page -----------------------------------------------------------------------------------------------------
SECONDS, SHORTEST, LONGEST = 12, 5, 120
# How many lines a screen may have, and how many are still read from ten metres.
ROWS, READABLE = (5, 8, 12, 16), 12
THEMES: dict[str, Promise] = {"light": gettext_lazy("Light"), "dark": gettext_lazy("Dark")}


@dataclass(frozen=True, slots=True)
class Asked:
    """What the address asks for: which screen, how long each stays (0: for good), kinds, lines at most, and theme."""

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


class ScreenForm(forms.Form):
    """How the screens are shown. A form and no links, so that crawlers do not go through every combination."""

    show = forms.ChoiceField(label=gettext_lazy("Shown"), required=False)
    seconds = forms.IntegerField(label=gettext_lazy("Seconds a screen"), min_value=SHORTEST, max_value=LONGEST)
    rows = forms.ChoiceField(label=gettext_lazy("Lines at most"), choices=[(rows, rows) for rows in ROWS])
    theme = forms.ChoiceField(label=gettext_lazy("Ground"), required=False)

    def __init__(self, asked: Asked) -> None:
        show = ",".join(asked.kinds) if len(asked.kinds) < len(KINDS) else ""
        seconds = asked.seconds or SECONDS
        super().__init__(initial={"show": show, "seconds": seconds, "rows": asked.rows, "theme": asked.theme})
        self.fields["show"].choices = [("", _("everything")), *KINDS.items()]  # type: ignore[attr-defined]
        self.fields["theme"].choices = [("", _("as the machine is set")), *THEMES.items()]  # type: ignore[attr-defined]

    @property
    def helper(self) -> FormHelper:
        return one_button(_("Show it so"), "form row", "plain", method="get")


def tv(request: ClubRequest, slug: str) -> HttpResponse:
    """One screen, and the way to the next. Everything is as the public sees it, in as many queries as an event page."""
    stages = stages_at(slug)
    if not stages or stages[0].tournament.open_ended:
        raise Http404
    facts = facts_of(stages, NOBODY)
    event, sections = whole_of(stages, facts), sections_of(facts, {}, {}, NOBODY)
    state = state_of_facts(event, timezone.localdate())
    asked = asked_for(request)
    if hasattr(event.tournament, "team_rules"):
        screens = screens_of_teams(team_facts(event.tournament), asked.kinds, asked.rows)
    else:
        screens = screens_of(event, sections, state, asked.kinds, asked.rows)
    at = asked.screen if 1 <= asked.screen <= len(screens) else 1
    following = asked.address(screen=at % len(screens) + 1)
    context = {
        "viewer": NOBODY,
        "event": event,
        "tournament": event.tournament,
        "state": state,
        "clock": event.current_round.clock if event.current_round else None,
        "screen": screens[at - 1],
        "at": at,
        "count": len(screens),
        "asked": asked,
        "now": timezone.localtime(),
        "qr": qr_code(request.build_absolute_uri(event.tournament.get_absolute_url())),
        "bar": {
            "turn": asked.address(screen=at, seconds=0 if asked.seconds else SECONDS),
            "back": asked.address(screen=(at - 2) % len(screens) + 1),
            "on": following,
            "form": ScreenForm(asked),
        },
    }
    response = render(request, "tournaments/tv/page.html", context)
    response.headers["Cache-Control"] = "no-store"  # the page shows the time
    if asked.seconds:
        response.headers["Refresh"] = f"{asked.seconds}; url={request.path}{following}"
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
    number = whole_number(request.GET.get(name, ""), digits=4)
    return usual if number is None else number
