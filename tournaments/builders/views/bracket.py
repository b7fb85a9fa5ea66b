"""The bracket builder: names in, the knockout's bracket out, to print and to fill in, and as CSV. No login, no database
(`tournaments.builders.views.builders` says where the names stand)."""

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.csrf import csrf_exempt

from tournaments.builders.forms import BracketForm
from tournaments.builders.views.builders import asked_of, may_make_events, question_of
from tournaments.downloads.views import CSV, as_file
from tournaments.interchange.sheets import Code, Sheet, Value, as_csv
from tournaments.knockouts.selectors.brackets import Feed
from tournaments.pairing.base import Bracket, Match, Source
from tournaments.pairing.knockout import Knockout, round_name

# With more columns the bracket scrolls in a frame of its own, as on an event's page.
MOST_COLUMNS = 4
COLUMNS = ("round", "board", "upper_seed", "upper", "lower_seed", "lower", "winner_to", "third_place")


@dataclass(frozen=True, slots=True)
class EmptyLine:
    """A line of a match: the seed and the name where they are known, else a line to write on."""

    seed: int | None = None
    name: str = ""


@dataclass(frozen=True, slots=True)
class EmptyMatch:
    """A match nobody has played yet; in a bye there is one line."""

    key: int
    lines: tuple[EmptyLine, ...]
    is_bye: bool


@dataclass(frozen=True, slots=True)
class EmptyPair:
    """The matches whose winners meet, and where."""

    matches: tuple[EmptyMatch, ...]
    feeds: Feed | None


@dataclass(frozen=True, slots=True)
class EmptyRound:
    """A column; `third` is the match for third place."""

    number: int
    name: str
    pairs: tuple[EmptyPair, ...]
    third: EmptyMatch | None


@csrf_exempt
def bracket_tool(request: HttpRequest) -> HttpResponse:
    """The form and, for good input, the bracket. A new draw's seed is shown, so that it can be repeated."""
    form = BracketForm(asked_of(request))
    if not form.is_valid():
        return _page(request, form)
    question = question_of(form)
    if question.query and not question.is_asked_by(request):
        return redirect(f"{request.path}?{question.query}")
    asked = form.cleaned_data
    rounds = draw(asked["names"], settings_of(form), question.seed or 0)
    context = {
        "names": asked["names"],
        "names_text": "\n".join(asked["names"]),
        "rounds": rounds,
        "question": question,
        "seed": question.seed,
        "title": asked["title"],
        "best_of": asked["games"],
        "play": Knockout.key,
        "is_wide": len(rounds) > MOST_COLUMNS,
        "may_make": may_make_events(request),
    }
    return _page(request, form, **context)


@csrf_exempt
def bracket_csv(request: HttpRequest) -> HttpResponse:
    """The matches as CSV."""
    form = BracketForm(asked_of(request))
    if not form.is_valid():
        return _page(request, form, status=400)
    seed = question_of(form).seed or 0
    return as_file(as_csv(sheet_of(form.cleaned_data["names"], settings_of(form), seed)), "bracket", CSV)


def _page(request: HttpRequest, form: BracketForm, *, status: int = 200, **context: Any) -> HttpResponse:
    return render(request, "tools/bracket.html", {"form": form, **context}, status=status)


def settings_of(form: BracketForm) -> dict[str, str | bool]:
    """What of the form the pairing system decides by."""
    return {key: form.cleaned_data[key] for key in ("seeding", "pairs", "third_place")}


def sheet_of(names: Sequence[str], settings: dict[str, str | bool], seed: int) -> Sheet:
    """The matches as a table: seeds and names where they are known, and where the winner goes, as round/board."""
    bracket = Knockout().bracket(len(names), settings, Random(seed))
    sides = [(side, match) for match in bracket for side in (match.upper, match.lower)]
    goes_to = {side.match: match for side, match in sides if side.match and not side.loser}
    rows = [_sheet_row(match, names, goes_to.get((match.round, match.board))) for match in bracket]
    return Sheet("bracket", COLUMNS, tuple(rows))


def _sheet_row(match: Match, names: Sequence[str], target: Match | None) -> tuple[Value, ...]:
    sides = [(side.seed, names[side.seed - 1] if side.seed else None) for side in (match.upper, match.lower)]
    winner_to = Code(f"{target.round}/{target.board}") if target else None
    return match.round, match.board, *sides[0], *sides[1], winner_to, Code("yes") if match.third_place else None


def draw(names: Sequence[str], settings: dict[str, str | bool], seed: int) -> list[EmptyRound]:
    """The rounds of the knockout, with names for numbers; `seed` is that of the lots."""
    bracket = Knockout().bracket(len(names), settings, Random(seed))
    drawing = _Drawing(bracket, names)
    return [drawing.round(number) for number in range(1, bracket[-1].round + 1)]


class _Drawing:
    """A bracket and the names that go into it."""

    def __init__(self, bracket: Bracket, names: Sequence[str]) -> None:
        self.names, self.last = names, bracket[-1].round
        self.keys = {(match.round, match.board): key for key, match in enumerate(bracket, start=1)}
        self.matches = {(match.round, match.board): match for match in bracket}
        sides = [(side, match) for match in bracket for side in (match.upper, match.lower)]
        self.next = {side.match: match for side, match in sides if side.match and not side.loser}

    def round(self, number: int) -> EmptyRound:
        here = sorted((match for match in self.matches.values() if match.round == number), key=lambda one: one.slot)
        ties = [match for match in here if not match.third_place]
        pairs = tuple(self._pair(ties[index : index + 2]) for index in range(0, len(ties), 2))
        third = next((self._match(match) for match in here if match.third_place), None)
        return EmptyRound(number, round_name(self.last, number), pairs, third)

    def _pair(self, ties: Sequence[Match]) -> EmptyPair:
        target = self.next.get((ties[0].round, ties[0].board))
        feeds = None
        if target is not None:
            key = self.keys[target.round, target.board]
            feeds = Feed(key, round_name(self.last, target.round), target.board)
        return EmptyPair(tuple(self._match(match) for match in ties), feeds)

    def _match(self, match: Match) -> EmptyMatch:
        sides = [side for side in (match.upper, match.lower) if not side.is_nobody]
        key = self.keys[match.round, match.board]
        return EmptyMatch(key, tuple(self._line(side) for side in sides), len(sides) == 1)

    def _line(self, side: Source) -> EmptyLine:
        """Who comes in: a seed, or the winner of a bye; else nobody knows yet."""
        if side.seed is not None:
            return EmptyLine(side.seed, self.names[side.seed - 1])
        earlier = self.matches.get(side.match or (0, 0))
        if earlier is None or side.loser or not earlier.lower.is_nobody:
            return EmptyLine()
        return self._line(earlier.upper)
