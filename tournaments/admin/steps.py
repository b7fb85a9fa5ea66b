"""The four steps of a tournament as the desk shows them: how each stands, and where to do it."""

from collections.abc import Collection
from dataclasses import dataclass

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from tournaments.models import Entry, Tournament
from tournaments.selectors.rounds import RoundProgress, rounds_of
from tournaments.services.entries import numbered


@dataclass(frozen=True, slots=True)
class Step:
    """One step of a tournament: what it is, how it stands, where to do it."""

    title: str
    state: str
    done: bool
    url: str
    link: str


def steps_of(tournament: Tournament) -> list[Step]:
    """The four steps from the first entry to the last result."""
    numbers = list(Entry.objects.filter(tournament=tournament).values_list("number", flat=True))
    rounds = rounds_of(tournament)
    made = bool(rounds)
    to_entries = reverse("admin:tournaments_tournament_entries", args=[tournament.pk])
    to_rounds = reverse("admin:tournaments_tournament_rounds", args=[tournament.pk])
    enter = _("See the entries") if made else _("Enter players")
    draw = _("See the numbers") if made else _("Draw lots or sort by rating")
    make = _("See the rounds") if made else _("Make all rounds")
    return [
        Step(_("Entries"), _entries_state(len(numbers)), bool(numbers), to_entries, enter),
        Step(_("Numbers"), numbers_state(tournament, numbers), numbered(numbers), to_entries, draw),
        Step(_("Rounds"), _rounds_state(len(rounds)), made, to_rounds, make),
        _results_step(rounds, to_rounds),
    ]


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


def _rounds_state(count: int) -> str:
    return ngettext("%(count)s round", "%(count)s rounds", count) % {"count": count} if count else _("not made")
