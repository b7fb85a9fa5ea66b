"""The bracket builder: names in, the knockout's bracket out, to print and to fill in, and as CSV. No login, no database
(`tournaments.builders.views.builders` says where the names stand)."""

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.csrf import csrf_exempt

from tournaments.builders.forms import BracketForm
from tournaments.builders.views.builders import Question, answer, asked_of, question_of
from tournaments.downloads.views import CSV, as_file
from tournaments.interchange.sheets import Code, Sheet, Value, as_csv
from tournaments.knockouts.selectors.brackets import Feed
from tournaments.pairing.base import Bracket, Match, Source
from tournaments.pairing.knockout import Knockout, round_name

TEMPLATE = "tools/bracket.html"
MOST_COLUMNS = 4  # with more the bracket scrolls by itself, as on an event's page
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
    """The form and, for good input, the bracket."""
    return answer(request, TEMPLATE, BracketForm(asked_of(request)), _plan)


def _plan(form: BracketForm, question: Question) -> dict[str, Any]:
    names = form.cleaned_data["names"]
    rounds = draw(names, settings_of(form), question.seed or 0)
    return {
        "names": names,
        "rounds": rounds,
        "best_of": form.cleaned_data["games"],
        "play": Knockout.key,
        "is_wide": len(rounds) > MOST_COLUMNS,
    }


@csrf_exempt
def bracket_csv(request: HttpRequest) -> HttpResponse:
    """The matches as CSV."""
    form = BracketForm(asked_of(request))
    if not form.is_valid():
        return render(request, TEMPLATE, {"form": form}, status=400)
    seed = question_of(form).seed or 0
    return as_file(as_csv(sheet_of(form.cleaned_data["names"], settings_of(form), seed)), "bracket", CSV)


def settings_of(form: BracketForm) -> dict[str, str | bool]:
    """What of the form the pairing system decides by."""
    return {key: form.cleaned_data[key] for key in ("seeding", "pairs", "third_place")}


def sheet_of(names: Sequence[str], settings: dict[str, str | bool], seed: int) -> Sheet:
    """The matches as a table: seeds and names where they are known, and where the winner goes, as round/board."""
    bracket = Knockout().bracket(len(names), settings, Random(seed))
    goes_to = winners_go_to(bracket)
    rows: list[tuple[Value, ...]] = []
    for match in bracket:
        sides = [(side.seed, names[side.seed - 1] if side.seed else None) for side in (match.upper, match.lower)]
        target = goes_to.get((match.round, match.board))
        winner_to = Code(f"{target.round}/{target.board}") if target else None
        third = Code("yes") if match.third_place else None
        rows.append((match.round, match.board, *sides[0], *sides[1], winner_to, third))
    return Sheet("bracket", COLUMNS, tuple(rows))


def winners_go_to(bracket: Bracket) -> dict[tuple[int, int], Match]:
    """The match that waits for the winner of another, by that one's round and board."""
    sides = [(side, match) for match in bracket for side in (match.upper, match.lower)]
    return {side.match: match for side, match in sides if side.match and not side.loser}


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
        self.next = winners_go_to(bracket)

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
