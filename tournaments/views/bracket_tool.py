"""The bracket builder: names in, the knockout's bracket out, to print and to fill in. No login, no database."""

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random
from secrets import randbelow
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from tournaments.forms import BracketForm
from tournaments.pairing.base import SEED_BELOW, Bracket, Match, Source
from tournaments.pairing.knockout import LOTS, Knockout, round_name
from tournaments.selectors.brackets import Feed

# With more columns the bracket scrolls in a frame of its own, as on an event's page.
MOST_COLUMNS = 4


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


def bracket_tool(request: HttpRequest) -> HttpResponse:
    """The form and, for good input, the bracket. A new draw's seed is shown, so that it can be repeated."""
    form = BracketForm(request.POST or None)
    context: dict[str, Any] = {"form": form}
    if form.is_valid():
        asked = form.cleaned_data
        seed = asked["seed"] if asked["seed"] is not None else randbelow(SEED_BELOW)
        settings = {key: asked[key] for key in ("seeding", "pairs", "third_place")}
        rounds = draw(asked["names"], settings, seed)
        drawn = asked["seeding"] == LOTS
        context |= {"names": asked["names"], "rounds": rounds, "seed": seed if drawn else None}
        context |= {"is_wide": len(rounds) > MOST_COLUMNS}
    return render(request, "tools/bracket.html", context)


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
