"""A club evening: a sheet of ten lines, saved as they are right; and the games entered last.

Good lines are written at once, the others stay as they were typed. A name like one player's only (case, accents, order)
means that player. Games of a day after which others are rated go on to the preview every correction has.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from urllib.parse import urlencode

from django.contrib import messages
from django.contrib.admin import ModelAdmin
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from clubrating.ground.numbers import number_in
from clubrating.web.admin import officer
from clubrating.web.formatting import day_text
from players.models import AuditEvent, Player
from players.people.names import MAX_NAME, clean_name
from players.people.selectors import list_players
from players.privacy.rules import OFFICER, shown_name
from players.refusals import Refused, sign
from tournaments.anomalies.selectors import Mark, marks_of_games
from tournaments.corrections.admin.games_brought import DayForm, day_asked
from tournaments.corrections.admin.preview import CorrectionPage, correction
from tournaments.corrections.admin.starting_ratings import late_starts_shown
from tournaments.corrections.services.game_changes import ForgottenGame
from tournaments.entries.services.entries import is_ladder
from tournaments.entries.services.names import People, look_up_alike, nobody
from tournaments.event_pages.selectors.formats import LadderData, ladder_of
from tournaments.events.admin.event_page import open_event_for, page
from tournaments.events.selectors.events import free_games
from tournaments.free_play.services import (
    EnteredAlreadyError,
    LateGameError,
    LateGames,
    check_on_ladder,
    record_free_game,
)
from tournaments.interchange.go_csv import known_handicap
from tournaments.models import BoardGame, Game, Stage, Tournament
from tournaments.results.services.handicap import STONES
from tournaments.results.services.results import notation
from tournaments.results.words import handicap_words
from tournaments.standings.points import RATED_RESULTS, Result

LINES = 10
MOST_SUGGESTED = 500
SHOWN = 20


@dataclass(slots=True)
class Line:
    """A line of the sheet as it was typed, and what is wrong with it. `ask_again`: the game stands there already."""

    number: int
    white: str = ""
    black: str = ""
    result: str = ""
    again: bool = False
    trouble: str = ""
    ask_again: bool = False
    stones: str = ""

    @property
    def is_empty(self) -> bool:
        return not (self.white or self.black or self.result)


@dataclass(frozen=True, slots=True)
class Entered:
    """A game entered before, what it did on a ladder, in words, and what is odd about it."""

    game: Game
    result: str
    ladder: str
    marks: tuple[Mark, ...] = ()


def evening(model_admin: ModelAdmin, request: HttpRequest, key: int) -> HttpResponse:
    """The sheet, and what was posted on it."""
    tournament = open_event_for(model_admin, request, key)
    posted = request.POST if request.method == "POST" else None
    form = DayForm(posted, initial={"played_on": day_asked(request)})
    lines, problem = read_lines(posted or {}), ""
    if posted is not None and not form.is_valid():
        problem = _("Nothing is saved yet: look at the day.")
    elif posted is not None:
        day = form.cleaned_data["played_on"]
        saved, late = save_lines(tournament, lines, day, request)
        _say(request, saved, lines)
        lines = [line for line in lines if line.trouble]
        if not lines and not late:
            return redirect(f"{request.path}?{urlencode({'day': day})}")
        if not lines:
            games = [("g", _written(game)) for _line, game in late]
            address = reverse("admin:tournaments_tournament_evening_late", args=[tournament.pk])
            return redirect(f"{address}?{urlencode(games)}")
        lines += _waiting(late)
    return _show(model_admin, request, tournament, form, lines, problem)


# --- reading and saving -------------------------------------------------------------------------------------------
def read_lines(posted: Mapping[str, str]) -> list[Line]:
    """The lines with something on them."""
    lines = []
    for number in range(1, LINES + 1):
        white, black = (clean_name(posted.get(f"{side}-{number}", "")[: MAX_NAME + 1]) for side in ("white", "black"))
        result, again = posted.get(f"result-{number}", ""), bool(posted.get(f"again-{number}"))
        line = Line(number, white, black, result, again, stones=posted.get(f"stones-{number}", "")[:2])
        if not line.is_empty:
            lines.append(line)
    return lines


def save_lines(
    tournament: Tournament, lines: Sequence[Line], day: date, request: HttpRequest
) -> tuple[int, list[tuple[Line, ForgottenGame]]]:
    """Write each line that is right, by itself. How many were written, and the games that are corrections by now."""
    people = look_up_alike(name for line in lines for name in (line.white, line.black) if name)
    saved, late = 0, list[tuple[Line, ForgottenGame]]()
    for line in lines:
        line.trouble = _trouble(line, people)
        if line.trouble:
            continue
        white, black, result = people.found[line.white], people.found[line.black], Result(line.result)
        given = known_handicap(int(line.stones or 0), None)
        new = ForgottenGame(tournament.pk, white.pk, black.pk, result, day, given)
        if not line.again and any(game == new for _line, game in late):
            line.trouble, line.ask_again = _("This game stands on the sheet already: tick to enter it again."), True
            continue
        try:
            record_free_game(
                tournament, white, black, result, day, by=officer(request), again=line.again, handicap=given
            )
        except EnteredAlreadyError as refusal:
            line.trouble, line.ask_again = str(refusal), True
        except LateGameError:
            late.append((line, new))
        except Refused as refusal:
            line.trouble = str(refusal)
        else:
            saved += 1
    _say_who(request, lines, people)
    return saved, late


def _say_who(request: HttpRequest, lines: Sequence[Line], people: People) -> None:
    """Who was taken for a name that nobody has exactly, in the lines that are right."""
    typed = dict.fromkeys(name for line in lines if not line.trouble for name in (line.white, line.black))
    for name in typed:
        player = people.found[name]
        if not name.startswith("#") and name != player.name:
            values = {"name": name, "player": shown_name(player, OFFICER), "number": f"#{player.number}"}
            messages.info(request, _("“%(name)s” is taken as %(player)s (%(number)s).") % values)


def _trouble(line: Line, people: People) -> str:
    names = [name for name in (line.white, line.black) if name]
    if len(names) < 2:
        return _("Both players are needed.")
    unknown = [people.problems.get(name) or nobody(name) for name in names if name not in people.found]
    if unknown:
        return sign("; ").join(unknown)
    if line.stones not in ("", *map(str, STONES)):
        return _("A handicap is 2 to 9 stones.")
    return "" if line.result in RATED_RESULTS else _("Choose a result.")


def _waiting(late: Iterable[tuple[Line, ForgottenGame]]) -> list[Line]:
    """Lines that would go on to their preview, were the others right."""
    lines = [line for line, _game in late]
    for line in lines:
        line.ask_again = line.again
        line.trouble = _("Games of later days are rated already: with the other lines right, you see what this moves.")
    return lines


def _say(request: HttpRequest, saved: int, lines: Sequence[Line]) -> None:
    bad = sum(bool(line.trouble) for line in lines)
    if saved:
        text = ngettext("%(count)s game is saved and rated.", "%(count)s games are saved and rated.", saved)
        messages.success(request, text % {"count": saved})
    if bad:
        text = ngettext("%(count)s line is not saved.", "%(count)s lines are not saved.", bad)
        messages.error(request, text % {"count": bad})
    if not lines:
        messages.info(request, _("The sheet was empty, so nothing was saved."))


# --- showing ------------------------------------------------------------------------------------------------------
def _show(
    model_admin: ModelAdmin,
    request: HttpRequest,
    tournament: Tournament,
    form: DayForm,
    lines: list[Line],
    problem: str,
) -> HttpResponse:
    filled = [Line(number) for number in range(1, LINES + 1)]
    for place, line in enumerate(lines):
        line.number = place + 1
        filled[place] = line
    stage = Stage.objects.filter(tournament=tournament).select_related("tournament").order_by("order").first()
    ladder = ladder_of(stage) if stage and is_ladder(tournament) else None
    context = {
        "title": _("Enter games"),
        "form": form,
        "lines": filled,
        "results": [(code.value, notation(code)) for code in RATED_RESULTS],
        "stones": [str(count) for count in STONES if count] if tournament.game == BoardGame.GO else [],
        "suggestions": _suggestions(ladder),
        "entered": _entered(tournament, ladder),
        "is_ladder": ladder is not None,
        "problem": problem,
        **late_starts_shown(request, tournament),
    }
    return page(model_admin, request, "evening", tournament, status=409 if lines or problem else 200, **context)


def _suggestions(ladder: LadderData | None) -> list[tuple[str, str]]:
    """What can be typed, and who is meant: the name, for namesakes the number."""
    if ladder is None:
        people = list(list_players(OFFICER).filter(active=True)[:MOST_SUGGESTED])
    else:
        people = [entry.player for entry in ladder.order if not entry.withdrawn]
    names = Counter(player.name for player in people)
    shown = ((player, shown_name(player, OFFICER)) for player in people)
    return [(f"#{player.number}" if names[player.name] > 1 else name, name) for player, name in shown]


def _entered(tournament: Tournament, ladder: LadderData | None) -> list[Entered]:
    games = list(free_games(tournament).order_by("-sequence")[:SHOWN])
    marks = marks_of_games(Game.objects.filter(pk__in=[game.pk for game in games]))
    return [
        Entered(game, notation(game.result, "–"), _step_words(game, ladder), marks.get(game.pk, ())) for game in games
    ]


def _step_words(game: Game, ladder: LadderData | None) -> str:
    step = ladder.steps.get(game.pk) if ladder else None
    if ladder is None or step is None:
        return ""
    if step.beyond_reach:
        return _("beyond reach: places stay, rated all the same")
    if not step.moved:
        return _("places stay")
    name = shown_name(ladder.entries[step.climber].player, OFFICER)
    return _("%(name)s climbs from %(was)s to %(now)s") % {"name": name, "was": step.was, "now": step.now}


# --- games of days that are rated already ---------------------------------------------------------------------------
def evening_late(model_admin: ModelAdmin, request: HttpRequest, key: int) -> HttpResponse:
    """Lines of a sheet that came late: what they move, then the button that enters them."""
    tournament = open_event_for(model_admin, request, key)
    asked = (request.POST if request.method == "POST" else request.GET).getlist("g")[:LINES]
    try:
        games = [_read(tournament, text) for text in asked]
    except ValueError:
        raise Http404 from None
    people = Player.objects.in_bulk({key for game in games for key in (game.white, game.black)})
    if not games or any(key not in people for game in games for key in (game.white, game.black)):
        raise Http404
    back = reverse("admin:tournaments_tournament_evening", args=[tournament.pk])
    try:
        check_on_ladder(tournament, people.values())
    except Refused as refusal:
        messages.error(request, str(refusal))
        return redirect(back)
    texts = CorrectionPage(
        title=_("Enter games of an earlier day"),
        says=[_sentence(game, people) for game in games],
        hidden=[("g", text) for text in asked],
        back=back,
        reason=AuditEvent.Reason.LATE_REPORT,
        button=ngettext("Enter the game", "Enter the games", len(games)),
        success=ngettext(
            "The game is entered, and every rating behind it is counted anew.",
            "The games are entered, and every rating behind them is counted anew.",
            len(games),
        ),
    )
    return correction(request, LateGames(tuple(games)), texts)


def _read(tournament: Tournament, text: str) -> ForgottenGame:
    """Raises ValueError for something this page did not write."""
    *sides, code, day, stones = text.split(",") if text.count(",") == 4 else [*text.split(","), ""]
    white, black = (number_in(key) for key in sides)
    if code not in RATED_RESULTS or -1 in (white, black):
        raise ValueError(text)
    if stones not in ("", *map(str, STONES)):
        raise ValueError(text)
    given = known_handicap(int(stones or 0), None)
    return ForgottenGame(tournament.pk, white, black, Result(code), date.fromisoformat(day), given)


def _written(game: ForgottenGame) -> str:
    """What `_read` reads."""
    stones = f",{game.handicap.stones}" if game.handicap else ""
    return f"{game.white},{game.black},{game.result},{game.played_on}{stones}"


def _sentence(game: ForgottenGame, people: Mapping[int, Player]) -> str:
    names = " – ".join(shown_name(people[key], OFFICER) for key in (game.white, game.black))
    stones = f"{sign(', ')}{handicap_words(*game.handicap)}" if game.handicap else ""
    return f"{names}{sign(': ')}{notation(game.result)}{sign(', ')}{day_text(game.played_on)}{stones}"
