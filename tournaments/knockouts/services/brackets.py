"""Brackets: drawn with all their matches and links, and drawn again while nothing was played.

A match is a pairing; its links say where winner and loser go. A bye is a pairing with one seat, and whoever has it
stands in the next round at once. A bracket drawn again keeps the old one, superseded.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import date, timedelta
from random import Random
from secrets import randbelow
from typing import Any

from django.contrib.auth.models import User
from django.db import transaction
from django.utils.translation import gettext as _

from players.refusals import Refused, said
from players.trail.services import write_audit
from ratings.lists.services import lock_lists
from tournaments.entries.services.entries import numbered
from tournaments.events.selectors.stages import field_of, system_of
from tournaments.events.services.unplayed import played_among, ruled_among
from tournaments.knockouts.services.matches import LOWER, UPPER, games_to_make, has_white_above, match_settings
from tournaments.models import ByeKind, Colour, Entry, Game, Pairing, Round, Seat, Stage
from tournaments.pairing import PairingError
from tournaments.pairing.base import SEED_BELOW, Bracket, BracketSystem, Match
from tournaments.rounds.selectors.field import prohibited_in, rounds_before
from tournaments.rounds.services.follow_up import queue_follow_up
from tournaments.rounds.services.rounds import lock_open_event
from tournaments.undo.services.snapshots import image_of_rounds, stand_of

Place = tuple[int, int]  # round and board of a match


@transaction.atomic
def draw_bracket(
    stage: Stage,
    *,
    by: User | None,
    seed: int | None = None,
    first_day: date | None = None,
    days_between: int = 7,
    publish: bool = True,
) -> list[Round]:
    """Draw the bracket of a knockout; its rounds, planned as those of a round robin. `seed` of the lots, where the
    settings ask for lots; the same seed draws the same bracket. Raises Refused where numbers are missing or the
    bracket is there."""
    lock_open_event(stage)
    if Pairing.objects.filter(stage=stage, superseded=False).exists():
        raise Refused(_("The bracket is drawn already: draw it again, or delete it first."))
    rounds, matches = _draw(stage, seed, (first_day, days_between), publish=publish)
    after = {"rounds": len(rounds), "published": publish, "seed": stage.lots_seed, "matches": matches}
    write_audit("bracket.drawn", stage.tournament, by=by, after=after)
    queue_follow_up(stage)
    return rounds


def _draw(stage: Stage, seed: int | None, plan: tuple[date | None, int], *, publish: bool) -> tuple[list[Round], int]:
    """Write the bracket; its rounds, and how many matches it has. `plan`: the first day, and the days between."""
    system = system_of(stage)
    if not isinstance(system, BracketSystem):
        raise Refused(_("This format has no bracket."))
    entries = field_of(stage)
    if not entries or not numbered(entries):
        raise Refused(_("Not everybody has a pairing number: draw lots or sort by rating first."))
    settings = match_settings(stage)
    if "lots" in (settings["seeding"], settings["first_colour"]):
        stage.lots_seed = randbelow(SEED_BELOW) if seed is None else seed
        stage.save(update_fields=["lots_seed"])
    playing = [entries[number] for number in sorted(entries) if not entries[number].withdrawn]
    seeds = dict(enumerate(playing, start=1))  # who withdrew before the draw leaves no gap
    bracket = _bracket(system, stage, seeds)
    first, between = plan
    steps = range(max(match.round for match in bracket))
    days = [first + timedelta(days=between * step) if first else None for step in steps]
    rounds = _rounds(stage, days, publish=publish)
    _Drawing(stage, seeds, rounds).write(bracket)
    return list(rounds.values()), len(bracket)


@transaction.atomic
def redraw_bracket(stage: Stage, *, by: User | None, reason: str, note: str = "", seed: int | None = None) -> None:
    """Draw a bracket again, in the rounds it has. Raises Refused where a result is recorded or a match was ruled on."""
    lock_lists()
    lock_open_event(stage)
    old = Pairing.objects.filter(stage=stage, superseded=False)
    if played_among(Game.objects.filter(pairing__in=old)) or ruled_among(old):
        raise Refused(_("Matches were played or decided: take those results back before you draw again."))
    published = not stage.rounds.filter(state=Round.State.DRAFT).exists()
    before = {"seed": stage.lots_seed, "image": image_of_rounds(stage.rounds.all())}
    Game.objects.filter(pairing__in=old).delete()
    Seat.objects.filter(pairing__in=old).update(superseded=True)
    old.update(superseded=True, winner_to=None, loser_to=None)
    rounds, matches = _draw(stage, seed, (None, 0), publish=published)
    # Fewer players may need fewer rounds.
    stage.rounds.filter(number__gt=max(row.number for row in rounds)).delete()
    after = {"seed": stage.lots_seed, "matches": matches, "stage": stage.pk, "stand": stand_of(stage.tournament_id)}
    write_audit("bracket.superseded", stage.tournament, by=by, before=before, after=after, reason=reason, note=note)


def _bracket(system: BracketSystem, stage: Stage, entries: Mapping[int, Entry]) -> Bracket:
    prohibited = prohibited_in({entry.pk: number for number, entry in entries.items()})
    try:
        return system.bracket(len(entries), stage.settings, Random(stage.lots_seed or 0), prohibited)
    except PairingError as refusal:
        raise Refused(said(refusal)) from None


def _rounds(stage: Stage, days: Iterable[date | None], *, publish: bool) -> dict[int, Round]:
    """The stage's rounds, by their number within it; those that are there already stay."""
    offset, rounds = rounds_before(stage), {}
    state = Round.State.PUBLISHED if publish else Round.State.DRAFT
    for step, day in enumerate(days):
        rounds[step + 1], _new = Round.objects.get_or_create(
            stage=stage, number=offset + step + 1, defaults={"planned_on": day, "state": state}
        )
    return rounds


@dataclass(slots=True)
class _Drawing:
    """A bracket on its way into the tables: the last round first, so that every match knows where it leads."""

    stage: Stage
    entries: Mapping[int, Entry]
    rounds: Mapping[int, Round]
    settings: dict[str, Any] = field(default_factory=dict)
    rows: dict[Place, Pairing] = field(default_factory=dict)

    def write(self, bracket: Bracket) -> None:
        self.settings = match_settings(self.stage)
        seated = _seated(bracket)
        winner_to, loser_to = _links(bracket)
        for number in sorted({match.round for match in bracket}, reverse=True):
            matches = [match for match in bracket if match.round == number]
            made = Pairing.objects.bulk_create(
                self._pairing(match, seated, winner_to.get(_place(match)), loser_to.get(_place(match)))
                for match in matches
            )
            self.rows |= dict(zip(map(_place, matches), made, strict=True))
        seats: list[Seat] = []
        games: list[Game] = []
        for match in bracket:
            here = self._seats(match, seated[_place(match)])
            seats += here.values()
            games += games_to_make(self.rows[_place(match)], here)
        Seat.objects.bulk_create(seats)
        Game.objects.bulk_create(games)

    def _pairing(
        self, match: Match, seated: Mapping[Place, Mapping[int, int]], winner: Place | None, loser: Place | None
    ) -> Pairing:
        here = seated[_place(match)]
        free = next(iter(here.values())) if _is_bye(match) else None
        return Pairing(
            stage=self.stage,
            round=self.rounds[match.round],
            board=match.board,
            slot=match.slot,
            bye=ByeKind.ALLOCATED if free else "",
            advanced=self.entries[free] if free else None,
            winner_to=self.rows[winner] if winner else None,
            loser_to=self.rows[loser] if loser else None,
        )

    def _seats(self, match: Match, here: Mapping[int, int]) -> dict[int, Seat]:
        pairing = self.rows[_place(match)]
        seats = {
            line: Seat(pairing=pairing, round=pairing.round, entry=self.entries[number], line=line)
            for line, number in here.items()
        }
        if len(seats) == 2:
            above = has_white_above(self.settings["first_colour"], pairing, here[UPPER], here[LOWER])
            colours = (Colour.WHITE, Colour.BLACK) if above else (Colour.BLACK, Colour.WHITE)
            seats[UPPER].colour, seats[LOWER].colour = colours
        return seats


def _place(match: Match) -> Place:
    return match.round, match.board


def _is_bye(match: Match) -> bool:
    return match.upper.is_nobody or match.lower.is_nobody


def _links(bracket: Bracket) -> tuple[dict[Place, Place], dict[Place, Place]]:
    """Where the winner of each match goes, and where its loser goes."""
    winner_to: dict[Place, Place] = {}
    loser_to: dict[Place, Place] = {}
    for match in bracket:
        for source in (match.upper, match.lower):
            if source.match is not None:
                (loser_to if source.loser else winner_to)[source.match] = _place(match)
    return winner_to, loser_to


def _seated(bracket: Bracket) -> dict[Place, dict[int, int]]:
    """Who is known to sit where, by line: the seeds, and in the second round whoever had a bye."""
    free = {_place(match): match.upper.seed or match.lower.seed for match in bracket if _is_bye(match)}
    seated: dict[Place, dict[int, int]] = {}
    for match in bracket:
        here = seated.setdefault(_place(match), {})
        for line, source in ((UPPER, match.upper), (LOWER, match.lower)):
            number = source.seed or (free.get(source.match) if source.match and not source.loser else None)
            if number:
                here[line] = number
    return seated
