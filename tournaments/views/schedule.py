"""The schedule builder: names in, all rounds of a round robin and the empty crosstable out. No login, no database."""

from collections.abc import Sequence
from dataclasses import dataclass
from secrets import randbelow

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from tournaments.forms import ScheduleForm
from tournaments.pairing import Board
from tournaments.pairing.base import SEED_BELOW
from tournaments.pairing.round_robin import RoundRobin, draw_lots
from tournaments.tables import ScheduleRow, ScheduleTable


@dataclass(frozen=True, slots=True)
class ScheduledRound:
    """A round in names: the boards as a table, and who has the bye."""

    number: int
    table: ScheduleTable
    byes: tuple[str, ...]


def schedule(request: HttpRequest) -> HttpResponse:
    """The form and, for good input, the schedule. A new draw's seed is shown, so that it can be repeated."""
    form = ScheduleForm(request.POST or None)
    context: dict[str, object] = {"form": form}
    if form.is_valid():
        asked = form.cleaned_data
        seed = asked["seed"] if asked["seed"] is not None else randbelow(SEED_BELOW)
        drawn = asked["order"] == "lots" or asked["seed"] is not None
        names = by_lot(asked["names"], seed) if drawn else asked["names"]
        settings = {"cycles": asked["cycles"], "swap_last_two": asked["swap_last_two"]}
        context |= {"names": names, "rounds": rounds_of(names, settings), "seed": seed if drawn else None}
        context |= {"cycles": range(asked["cycles"])}
    return render(request, "tools/schedule.html", context)


def by_lot(names: Sequence[str], seed: int) -> list[str]:
    """The names in the order of the numbers they drew."""
    numbers = draw_lots(len(names), seed)
    return [name for _number, name in sorted(zip(numbers, names, strict=True))]


def rounds_of(names: Sequence[str], settings: dict[str, int | bool]) -> list[ScheduledRound]:
    """All rounds of the field, with names for numbers."""
    paired = RoundRobin().schedule(len(names), settings)
    return [_round(number, boards, names) for number, boards in enumerate(paired, start=1)]


def _round(number: int, boards: Sequence[Board], names: Sequence[str]) -> ScheduledRound:
    games = [
        ScheduleRow(row, names[board.white - 1], names[board.black - 1])
        for row, board in enumerate(boards, start=1)
        if board.black is not None
    ]
    byes = tuple(names[board.white - 1] for board in boards if board.is_bye)
    return ScheduledRound(number, ScheduleTable(games), byes)
