"""The schedule builder: names in; rounds, Berger table and empty crosstable out, as a page, as CSV and for calendars.
No login, no database (`tournaments.builders.views.builders` says where the names stand)."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from hashlib import sha256
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.csrf import csrf_exempt

from tournaments.builders.forms import ScheduleForm
from tournaments.builders.views.builders import Question, answer, asked_of, question_of
from tournaments.downloads.views import CSV, as_file
from tournaments.event_pages.tables import ScheduleRow, ScheduleTable
from tournaments.interchange.ics import CalendarEvent, write_calendar
from tournaments.interchange.sheets import Sheet, as_csv
from tournaments.pairing import Board
from tournaments.pairing.round_robin import RoundRobin, draw_lots

TEMPLATE = "tools/schedule.html"
COLUMNS = ("round", "date", "time", "board", "white", "black")
_UID = "%s-%s@schedule.club-rating"


@dataclass(frozen=True, slots=True)
class ScheduledRound:
    """A round in names: the boards as a table, who has the bye, on which day; `boards` in numbers."""

    number: int
    table: ScheduleTable
    byes: tuple[str, ...]
    boards: tuple[Board, ...]
    day: date | None = None


@csrf_exempt
def schedule(request: HttpRequest) -> HttpResponse:
    """The form and, for good input, the schedule."""
    return answer(request, TEMPLATE, ScheduleForm(asked_of(request)), _plan)


def _plan(form: ScheduleForm, question: Question) -> dict[str, Any]:
    asked = form.cleaned_data
    names, rounds = plan_of(form, question)
    return {
        "names": names,
        "rounds": rounds,
        "at": asked["at"],
        "cycles": range(asked["cycles"]),
        "play": "twice" if asked["cycles"] == 2 else "once",
        "swap_last_two": asked["swap_last_two"],
    }


@csrf_exempt
def schedule_csv(request: HttpRequest) -> HttpResponse:
    """The rounds as CSV."""
    form = ScheduleForm(asked_of(request))
    if not form.is_valid():
        return render(request, TEMPLATE, {"form": form}, status=400)
    _names, rounds = plan_of(form, question_of(form))
    return as_file(as_csv(sheet_of(rounds, form.cleaned_data["at"])), "schedule", CSV)


@csrf_exempt
def schedule_ics(request: HttpRequest) -> HttpResponse:
    """The rounds for a calendar: a day is needed."""
    form = ScheduleForm(asked_of(request))
    if form.is_valid() and form.cleaned_data["first_day"] is None:
        form.add_error("first_day", _("A calendar needs days: say the first one."))
    if not form.is_valid():
        return render(request, TEMPLATE, {"form": form}, status=400)
    question = question_of(form)
    _names, rounds = plan_of(form, question)
    title = form.cleaned_data["title"] or _("Round robin")
    # The same question has the same entries: a calendar that takes it twice shows it once.
    plain = sorted((name, value) for name, value in question.fields if name not in ("first_day", "every", "at"))
    key = sha256(repr(plain).encode()).hexdigest()[:16]
    events = [event_of(row, title, form.cleaned_data["at"], key) for row in rounds]
    return as_file(write_calendar(title, events, stamp=timezone.now()), "schedule", "ics")


def plan_of(form: ScheduleForm, question: Question) -> tuple[list[str], list[ScheduledRound]]:
    """The names in order of their numbers, and the rounds with their days."""
    asked = form.cleaned_data
    names = asked["names"] if question.seed is None else by_lot(asked["names"], question.seed)
    settings = {"cycles": asked["cycles"], "swap_last_two": asked["swap_last_two"]}
    return names, rounds_of(names, settings, first_day=asked["first_day"], every=asked["every"])


def by_lot(names: Sequence[str], seed: int) -> list[str]:
    """The names in the order of the numbers they drew."""
    numbers = draw_lots(len(names), seed)
    return [name for _number, name in sorted(zip(numbers, names, strict=True))]


def rounds_of(
    names: Sequence[str], settings: dict[str, int | bool], *, first_day: date | None = None, every: int = 7
) -> list[ScheduledRound]:
    """All rounds of the field, with names for numbers; with a first day, `every` so many days one."""
    rounds = []
    for number, boards in enumerate(RoundRobin().schedule(len(names), settings), start=1):
        games = [
            ScheduleRow(row, names[board.white - 1], names[board.black - 1])
            for row, board in enumerate(boards, start=1)
            if board.black is not None
        ]
        byes = tuple(names[board.white - 1] for board in boards if board.is_bye)
        day = first_day and first_day + timedelta(days=every * (number - 1))
        rounds.append(ScheduledRound(number, ScheduleTable(games), byes, tuple(boards), day))
    return rounds


def sheet_of(rounds: Sequence[ScheduledRound], at: time | None) -> Sheet:
    """The rounds as a table: a line a board; who has the bye stands alone, without a board."""
    begin = "" if at is None else f"{at:%H:%M}"
    rows = [
        (one.number, one.day, begin, row.record.board, row.record.white, row.record.black)
        for one in rounds
        for row in one.table.rows
    ]
    rows += [(one.number, one.day, begin, None, name, None) for one in rounds for name in one.byes]
    return Sheet("schedule", COLUMNS, tuple(sorted(rows, key=lambda row: (row[0], row[3] is None, row[3] or 0))))


def event_of(one: ScheduledRound, title: str, at: time | None, key: str) -> CalendarEvent:
    """A round as an entry of a calendar; at an hour, by the clock of whoever reads it."""
    day = one.day or date.min
    boards = [f"{row.record.white} – {row.record.black}" for row in one.table.rows]
    free = [_("%(name)s has the bye.") % {"name": name} for name in one.byes]
    return CalendarEvent(
        uid=_UID % (key, one.number),
        start=day if at is None else datetime.combine(day, at),
        summary=_("%(title)s, round %(number)s") % {"title": title, "number": one.number},
        note="\n".join([*boards, *free]),
        wall_clock=at is not None,
    )
