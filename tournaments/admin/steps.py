"""The steps of a tournament as the desk shows them: how each stands, and where to do it."""

from collections.abc import Collection
from dataclasses import dataclass

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from tournaments.models import Entry, Stage, Tournament
from tournaments.pairing.base import BracketSystem, FreeSystem, PairingSystem, RoundSystem
from tournaments.selectors.rounds import RoundProgress, rounds_of
from tournaments.selectors.stages import is_plan, round_limit, system_of
from tournaments.services.entries import numbered
from tournaments.templatetags.events import format_name


@dataclass(frozen=True, slots=True)
class Step:
    """One step of a tournament: what it is, how it stands, where to do it."""

    title: str
    state: str
    done: bool
    url: str
    link: str


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
    draw = _("See the numbers") if made else _("Draw lots or sort by rating")
    rest = [
        Step(_("Entries"), _entries_state(len(numbers)), bool(numbers), to_entries, enter),
        Step(_("Numbers"), numbers_state(tournament, numbers), numbered(numbers), to_entries, draw),
        *_stages_step(tournament, stage),
        Step(_("Rounds"), _rounds_state(len(rounds), stage), made, to_rounds, _rounds_link(system, rounds, stage)),
        _results_step(rounds, to_rounds),
    ]
    return [*_format_step(tournament, stage, system), *rest]


def _format_step(tournament: Tournament, stage: Stage, system: PairingSystem | None) -> list[Step]:
    """Formats with settings of their own; those of a round robin stand on the event's form."""
    if system is None or not system.options or system.key == "round-robin":
        return []
    to_format = reverse("admin:tournaments_tournament_format", args=[tournament.pk])
    return [Step(_("Format"), format_name(stage), True, to_format, _("Settings of the format"))]


def _stages_step(tournament: Tournament, stage: Stage) -> list[Step]:
    if not is_plan(stage):
        return []
    count = tournament.stages.count() - 1
    to_format = reverse("admin:tournaments_tournament_format", args=[tournament.pk])
    state = ngettext("%(count)s stage", "%(count)s stages", count) % {"count": count} if count else _("not formed")
    return [Step(_("Stages"), state, bool(count), to_format, _("See the stages") if count else _("Form the stages"))]


def _rounds_link(system: PairingSystem | None, rounds: list[RoundProgress], stage: Stage) -> str:
    made = len(rounds)
    if isinstance(system, RoundSystem) and made != round_limit(stage):
        return _("Make the next round") if made else _("Make the first round")
    if made:
        return _("See the rounds")
    return _("Draw the bracket") if isinstance(system, BracketSystem) else _("Make all rounds")


def _open_steps(tournament: Tournament, system: PairingSystem | None, entries: int, to_entries: str) -> list[Step]:
    """A club evening has games; a ladder has entries too."""
    games = tournament.games.exclude(result="").count()
    state = ngettext("%(count)s game", "%(count)s games", games) % {"count": games} if games else _("none yet")
    to_evening = reverse("admin:tournaments_tournament_evening", args=[tournament.pk])
    steps = [Step(_("Games"), state, bool(games), to_evening, _("Enter tonight’s games"))]
    if isinstance(system, FreeSystem) and system.ladder:
        entered = _entries_state(entries)
        steps.insert(0, Step(_("Entries"), entered, bool(entries), to_entries, _("Enter players")))
    return steps


def _results_step(rounds: list[RoundProgress], to_rounds: str) -> Step:
    """The last step leads to the first round that waits for a result."""
    games, entered = sum(row.boards for row in rounds), sum(row.done for row in rounds)
    state = _("%(entered)s of %(games)s are in") % {"entered": entered, "games": games} if games else _("none yet")
    waiting = next((row.round for row in rounds if not row.complete), None)
    if waiting is None:
        return Step(_("Results"), state, bool(games), to_rounds, _("See the rounds"))
    to_results = reverse("admin:tournaments_tournament_results", args=[waiting.pk])
    link = _("Enter results of round %(number)s") % {"number": waiting.number}
    return Step(_("Results"), state, False, to_results, link)


def numbers_state(tournament: Tournament, numbers: Collection[int | None]) -> str:
    """How the pairing numbers were given, in words."""
    if not numbered(numbers):
        given = sum(number is not None for number in numbers)
        return _("to be given again: entries changed") if given else _("missing")
    stage = tournament.stages.first()
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
