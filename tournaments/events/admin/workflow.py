"""The steps of a tournament as its page in the administration shows them, what comes next in a stage, and warnings."""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from clubrating.web.formatting import day_text
from players.privacy.rules import OFFICER, shown_name
from players.refusals import listed
from tournaments.entries.services.entries import numbered
from tournaments.events.selectors.events import byes_too_late, count_results, rounds_outside
from tournaments.events.selectors.stages import is_plan, round_limit, system_of
from tournaments.models import Entry, Round, Stage, Tournament
from tournaments.pairing.base import BracketSystem, FreeSystem, PairingSystem, RoundSystem
from tournaments.registrations.selectors import count_waiting
from tournaments.rounds.selectors.progress import RoundProgress, rounds_of
from tournaments.templatetags.events import format_name


# --- steps --------------------------------------------------------------------------------------------------------
@dataclass(frozen=True, slots=True)
class Step:
    """One step of a tournament: what it is, how it stands, where to do it; whether it `asks` for the arbiter now."""

    title: str
    state: str
    done: bool
    url: str
    link: str
    asks: bool = False


@dataclass(frozen=True, slots=True)
class Todo:
    """What comes next: in words, and where it is done."""

    words: str
    url: str


def next_of(steps: Iterable[Step]) -> Step | None:
    """What comes next: the first step that asks for the arbiter."""
    return next((step for step in steps if step.asks), None)


def steps_of(tournament: Tournament) -> list[Step]:
    """The steps from the format to the last result; of an event without rounds those that lead to its games."""
    stage = tournament.stages.order_by("order").first()
    system = system_of(stage) if stage else None
    numbers = list(Entry.objects.filter(tournament=tournament).values_list("number", flat=True))
    to_entries = reverse("admin:tournaments_tournament_entries", args=[tournament.pk])
    if stage is None or tournament.open_ended:
        return _open_steps(tournament, system, len(numbers), to_entries)
    rounds = rounds_of(tournament)
    made = bool(rounds)
    to_rounds = reverse("admin:tournaments_tournament_rounds", args=[tournament.pk])
    enter = _("See the entries") if made else _("Enter players")
    ready = not tournament.closed and (made or (len(numbers) > 1 and numbered(numbers)))
    todo = _rounds_todo(system, rounds, stage) if ready else None
    make = todo or Todo(_("See the rounds"), to_rounds)
    draw = _("Sort by rating") if isinstance(system, RoundSystem) else _("Draw lots or sort by rating")
    draw = _("See the numbers") if made else draw
    few, unnumbered = len(numbers) < 2, not numbered(numbers)
    return [
        *_format_step(tournament, stage, system),
        *_requests_step(tournament),
        Step(_("Entries"), _entries_state(len(numbers)), bool(numbers), to_entries, enter, asks=not made and few),
        Step(
            _("Numbers"),
            numbers_state(stage, numbers),
            numbered(numbers),
            to_entries,
            draw,
            asks=not made and unnumbered,
        ),
        *_stages_step(tournament, stage),
        Step(_("Rounds"), _rounds_state(len(rounds), stage), made, make.url, make.words, asks=todo is not None),
        _results_step(rounds, to_rounds),
        *_closing_step(tournament, rounds, stage),
    ]


def _format_step(tournament: Tournament, stage: Stage, system: PairingSystem | None) -> list[Step]:
    """Formats with settings of their own; those of a round robin stand on the event's form."""
    if system is None or not system.options or system.key == "round-robin":
        return []
    to_format = reverse("admin:tournaments_tournament_format", args=[tournament.pk])
    return [Step(_("Format"), format_name(stage), True, to_format, _("Settings of the format"))]


def _requests_step(tournament: Tournament) -> list[Step]:
    """Of an event that takes entries on its page: how many wait for an officer."""
    waiting = count_waiting(tournament)
    if waiting is None:
        return []
    state = (
        ngettext("%(count)s waits", "%(count)s wait", waiting) % {"count": waiting} if waiting else _("nobody waits")
    )
    to_requests = reverse("admin:tournaments_tournament_requests", args=[tournament.pk])
    return [Step(_("Requests"), state, not waiting, to_requests, _("See the requests"), asks=bool(waiting))]


def _stages_step(tournament: Tournament, stage: Stage) -> list[Step]:
    if not is_plan(stage):
        return []
    count = tournament.stages.count() - 1
    to_format = reverse("admin:tournaments_tournament_format", args=[tournament.pk])
    state = ngettext("%(count)s stage", "%(count)s stages", count) % {"count": count} if count else _("not formed")
    return [
        Step(
            _("Stages"),
            state,
            bool(count),
            to_format,
            _("See the stages") if count else _("Form the stages"),
            not count,
        )
    ]


def _rounds_todo(system: PairingSystem | None, rounds: Sequence[RoundProgress], stage: Stage) -> Todo | None:
    """Of the rounds themselves; results have a step of their own."""
    if isinstance(system, RoundSystem):
        todo = todo_of(stage, rounds)
        return todo if todo and not any(_waits(row) for row in rounds) else None
    if rounds:
        return None
    words = _("Draw the bracket") if isinstance(system, BracketSystem) else _("Make all rounds")
    return Todo(words, reverse("admin:tournaments_tournament_rounds", args=[stage.tournament_id]))


def todo_of(stage: Stage, rounds: Sequence[RoundProgress]) -> Todo | None:
    """What comes next in a stage of those rounds: one to be published, entered or made. None after the last."""
    by_one = isinstance(system_of(stage), RoundSystem)
    row = next((row for row in rounds if row.round.state == Round.State.DRAFT or not row.complete), None)
    if row is None:
        if not by_one or len(rounds) == round_limit(stage):
            return None
        words = _("Make the next round") if rounds else _("Make the first round")
        return Todo(words, reverse("admin:tournaments_tournament_next_round", args=[stage.pk]))
    if _waits(row):
        words = _("Enter results of round %(number)s") % {"number": row.round.number}
        return Todo(words, reverse("admin:tournaments_tournament_results", args=[row.round.pk]))
    page, key = ("boards", row.round.pk) if by_one else ("rounds", stage.tournament_id)
    words = _("Publish round %(number)s") % {"number": row.round.number}
    return Todo(words, reverse(f"admin:tournaments_tournament_{page}", args=[key]))


def _waits(row: RoundProgress) -> bool:
    """Whether results of it can be entered."""
    return row.round.state != Round.State.DRAFT and not row.complete


def is_played_out(stage: Stage, rounds: Sequence[RoundProgress]) -> bool:
    """Whether every round of the event with that first stage is made (if their number is known), published, entered."""
    if not rounds or not all(row.complete and row.round.state != Round.State.DRAFT for row in rounds):
        return False
    if is_plan(stage):
        return not stage.tournament.stages.exclude(pk=stage.pk).filter(rounds=None).exists()
    return round_limit(stage) in (None, len(rounds))


def _closing_step(tournament: Tournament, rounds: Sequence[RoundProgress], stage: Stage) -> list[Step]:
    """From the last result on."""
    to_close = reverse("admin:tournaments_tournament_close", args=[tournament.pk])
    if tournament.closed:
        return [Step(_("The end"), _("closed"), True, to_close, _("Open the event again"))]
    if not is_played_out(stage, rounds):
        return []
    return [Step(_("The end"), _("every result is in"), False, to_close, _("Close the event"), asks=True)]


def _open_steps(tournament: Tournament, system: PairingSystem | None, entries: int, to_entries: str) -> list[Step]:
    """A club evening has games; a ladder has entries too."""
    games = count_results(tournament)
    state = ngettext("%(count)s game", "%(count)s games", games) % {"count": games} if games else _("none yet")
    to_evening = reverse("admin:tournaments_tournament_evening", args=[tournament.pk])
    steps = [Step(_("Games"), state, bool(games), to_evening, _("Enter tonight’s games"), asks=True)]
    if isinstance(system, FreeSystem) and system.ladder:
        entered = _entries_state(entries)
        steps.insert(0, Step(_("Entries"), entered, bool(entries), to_entries, _("Enter players"), asks=entries < 2))
    return steps


def _results_step(rounds: list[RoundProgress], to_rounds: str) -> Step:
    """The last step leads to the first round that waits for a result."""
    games, entered = sum(row.boards for row in rounds), sum(row.done for row in rounds)
    state = _("%(entered)s of %(games)s are in") % {"entered": entered, "games": games} if games else _("none yet")
    waiting = next((row.round for row in rounds if _waits(row)), None)
    if waiting is None:
        return Step(_("Results"), state, bool(games) and entered == games, to_rounds, _("See the rounds"))
    to_results = reverse("admin:tournaments_tournament_results", args=[waiting.pk])
    link = _("Enter results of round %(number)s") % {"number": waiting.number}
    return Step(_("Results"), state, False, to_results, link, asks=True)


def numbers_state(stage: Stage | None, numbers: Collection[int | None]) -> str:
    """How the pairing numbers of the first part were given, in words."""
    if not numbered(numbers):
        given = sum(number is not None for number in numbers)
        return _("to be given again: entries changed") if given else _("missing")
    if stage and stage.lots_seed is not None:
        return _("drawn by lot with seed %(seed)s") % {"seed": stage.lots_seed}
    return _("given")


def _entries_state(count: int) -> str:
    return ngettext("%(count)s player", "%(count)s players", count) % {"count": count} if count else _("nobody yet")


def _rounds_state(count: int, stage: Stage) -> str:
    limit = round_limit(stage)
    if count and limit is not None:
        return _("round %(number)s of %(rounds)s") % {"number": count, "rounds": limit}
    return ngettext("%(count)s round", "%(count)s rounds", count) % {"count": count} if count else _("not made")


# --- warnings -----------------------------------------------------------------------------------------------------
def plan_warnings(tournament: Tournament, stage: Stage | None, rounds: Iterable[Round] = ()) -> list[str]:
    """Of rounds outside the event's days, and byes in rounds beyond those of `stage`: a sentence for each."""
    late = byes_too_late(stage) if stage is not None else []
    first, last = day_text(tournament.starts_on, "long"), day_text(tournament.ends_on, "long")
    text = _("Round %(number)s is planned for %(day)s, outside the event’s days (%(first)s to %(last)s).")
    warnings = [
        text % {"number": row.number, "day": day_text(row.planned_on, "long"), "first": first, "last": last}
        for row in rounds_outside(tournament, rounds)
    ]
    text = _("A bye is asked for in round %(number)s, where there is none any more: %(names)s. Take it back, or talk.")
    for number, byes in groupby(late, key=lambda bye: bye.round_number):
        names = listed(shown_name(bye.entry.player, OFFICER) for bye in byes)
        warnings.append(text % {"number": number, "names": names})
    return warnings
