"""Entries once rounds exist: what a late one means is for the format to say.

- Rounds paired one by one: paired from the next round on, with the next free number at the end of the list; in a
  Swiss, until round 4 is paired, with the number of the rating, and everybody below moves (`numbering`).
- Round robin with an odd field: the free number of the Berger table is taken, so every bye becomes a board with the
  colours of the table; games of rounds that are past are played later.
- Everything else is full: the refusal says how to make room.

Who was entered by mistake and was in no round yet is taken back, and the numbers below close up.
"""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from itertools import chain

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import Max, QuerySet
from django.utils.translation import gettext as _

from players.models import Player
from players.refusals import Refused, said
from players.trail.services import write_audit
from ratings.lists.services import lock_lists
from tournaments.entries.services.entries import (
    ALONE,
    Partners,
    audit_removal,
    below_of,
    find_entry,
    image_before_removal,
    make_entries,
    next_number,
)
from tournaments.entries.services.numbering import give_numbers, may_correct, moves_numbers, number_among
from tournaments.events.selectors.stages import played_stages, round_limit, system_of
from tournaments.models import ByeKind, Colour, Entry, Game, Pairing, Round, Seat, Stage, Tournament
from tournaments.pairing.base import BracketSystem, PairingError, RoundSystem, ScheduleSystem
from tournaments.rounds.selectors import field
from tournaments.withdrawals.services.forfeits import forfeits_for, games_of, write_forfeits


@dataclass(frozen=True, slots=True)
class LateTerms:
    """What coming late means now: how many `places` there are (None: any number), the `first_round`, and a sentence."""

    places: int | None
    first_round: int
    says: str


def late_terms(tournament: Tournament) -> LateTerms:
    """The terms of an event whose rounds are made."""
    if tournament.closed:
        return _nobody(_("The event is over: open it again before you enter somebody."))
    stages = played_stages(tournament)
    if len(stages) != 1 or not stages[0].takes_everybody:
        return _nobody(_("The groups are formed. To take somebody in, delete the rounds and form them anew."))
    system = system_of(stages[0])
    if isinstance(system, RoundSystem):
        return _paired_terms(stages[0])
    if isinstance(system, ScheduleSystem):
        return _schedule_terms(stages[0])
    if isinstance(system, BracketSystem):
        return _nobody(
            _("The bracket is drawn. While nothing was played, delete the rounds, enter the player and draw anew.")
        )
    return _nobody(_("This format has no rounds that somebody could come late to."))


def _nobody(says: str) -> LateTerms:
    return LateTerms(0, 0, says)


def _paired_terms(stage: Stage) -> LateTerms:
    first, last = field.next_number(stage), round_limit(stage)
    if last is not None and first > last:
        return _nobody(_("All %(rounds)s rounds are made: nobody can come any more.") % {"rounds": last})
    if moves_numbers(stage):
        says = _(
            "The player is paired from round %(round)s on, with the number that goes with the rating; whoever stands "
            "below moves down. The rounds before bring no points."
        )
    else:
        says = _(
            "The player is paired from round %(round)s on, with number %(number)s; the others keep theirs. "
            "The rounds before bring no points."
        )
    return LateTerms(None, first, says % {"round": first, "number": next_number(stage.tournament)})


def _schedule_terms(stage: Stage) -> LateTerms:
    if not _byes(stage).exists():
        return _nobody(
            _(
                "Everybody has an opponent in every round, so no number is free. While nothing was played, delete the "
                "rounds and make them anew; else play another group."
            )
        )
    says = _(
        "Number %(number)s is free. Whoever takes it meets each player in the round in which that one has no "
        "opponent, with the colours of the table; rounds that are past are played later."
    )
    return LateTerms(1, 1, says % {"number": next_number(stage.tournament)})


@transaction.atomic
def enter_late(
    tournament: Tournament,
    players: Sequence[Player],
    *,
    by: User | None,
    on: date | None = None,
    partners: Partners = ALONE,
) -> list[Entry]:
    """Enter players in an event whose rounds are made, as `enter_players` does.
    Raises Refused where the format has no room (see `late_terms`), one is entered already, or outside the tier."""
    lock_lists()
    locked = Tournament.objects.select_for_update(no_key=True).get(pk=tournament.pk)
    if not Round.objects.filter(stage__tournament=locked).exists():
        raise Refused(_("There are no rounds yet, so nobody is late: enter the players as usual."))
    if not players:
        raise Refused(_("Nobody was chosen: name the player who comes late."))
    terms = late_terms(locked)
    if terms.places == 0:
        raise Refused(terms.says)
    if terms.places is not None and len(players) > terms.places:
        raise Refused(_("One number is free: choose one player."))
    stage = played_stages(locked)[0]
    if moves_numbers(stage):  # among the others where their ratings put them
        made = make_entries(locked, players, by=by, on=on, first_round=terms.first_round, partners=partners)
        keys = [row.pk for row in made]
        number_among(locked, keys, by=by)
        return list(Entry.objects.filter(pk__in=keys).order_by("number"))
    number = next_number(locked)
    entries = make_entries(
        locked, players, by=by, on=on, number=number, first_round=terms.first_round, partners=partners
    )
    if isinstance(system_of(stage), ScheduleSystem):
        _take_free_number(stage, entries[0], by)
    return entries


# --- entered by mistake -------------------------------------------------------------------------------------------
def removable(tournament: Tournament) -> set[int]:
    """Keys of the entries that were in no round yet, in an event whose rounds are made one by one. Four queries."""
    stages = played_stages(tournament)
    if tournament.closed or len(stages) != 1 or not stages[0].takes_everybody:
        return set()
    if not isinstance(system_of(stages[0]), RoundSystem):
        return set()
    unseated = Entry.objects.filter(tournament=tournament, seats=None)
    if not may_correct(stages[0]):  # who stands above somebody who was paired leaves a gap
        seated = Entry.objects.filter(tournament=tournament, seats__isnull=False)
        unseated = unseated.filter(number__gt=seated.aggregate(last=Max("number"))["last"] or 0)
    return set(unseated.values_list("pk", flat=True))


@transaction.atomic
def remove_late(entry_key: int, *, by: User | None) -> None:
    """Take an entry back that was in no round yet; whoever stands below moves up. Raises Refused for any other."""
    entry = find_entry(entry_key)
    tournament = Tournament.objects.select_for_update(no_key=True).get(pk=entry.tournament_id)
    entry = find_entry(entry_key)
    if entry.pk not in removable(tournament):
        text = _("Player %(number)s is in rounds of this event, or the event is over: withdraw the entry instead.")
        raise Refused(text % {"number": f"#{entry.player.number}"})
    before = image_before_removal(entry, below_of(entry))
    entry.delete()
    if entry.number is not None:
        below = Entry.objects.filter(tournament=tournament, number__gt=entry.number).order_by("number")
        give_numbers(tournament, below, by=by, first=entry.number)
    audit_removal(entry_key, tournament, before, by=by)


# --- the free number of a round robin -----------------------------------------------------------------------------
def _byes(stage: Stage) -> QuerySet[Pairing]:
    byes = Pairing.objects.filter(stage=stage, bye=ByeKind.ALLOCATED, superseded=False)
    return byes.order_by("round__number")


def _take_free_number(stage: Stage, entry: Entry, by: User | None) -> None:
    colours = _colours(stage, entry.number or 0)
    games = []
    for pairing in _byes(stage).select_related("round"):
        free = Seat.objects.select_related("entry").get(pairing=pairing)
        left = colours[free.entry.number or 0]
        if not left:
            raise Refused(_("The byes are no longer those of the table: nobody can take the free number."))
        games.append(_make_board(stage, pairing, free, entry, white=left.pop(0)))
    # Those who left do not come to this game either.
    forfeits = write_forfeits(forfeits_for(entry, games_of(entry), left=False), by=by)
    values = {"number": entry.number, "games": [game.pk for game in games], "forfeits": forfeits}
    write_audit("entry.boards-made", entry, by=by, after=values)


def _colours(stage: Stage, number: int) -> dict[int, list[bool]]:
    """Whether that number has White against each other one, in order of rounds, in the table it completes."""
    system = system_of(stage)
    try:
        rounds = system.schedule(number, stage.settings) if isinstance(system, ScheduleSystem) else ()
    except PairingError as refusal:
        raise Refused(said(refusal)) from None
    found: dict[int, list[bool]] = defaultdict(list)
    for board in chain.from_iterable(rounds):
        if board.white == number and board.black is not None:
            found[board.black].append(True)
        elif board.black == number:
            found[board.white].append(False)
    return found


def _make_board(stage: Stage, pairing: Pairing, free: Seat, entry: Entry, *, white: bool) -> Game:
    """The bye becomes a board with an open game. It keeps its number: what was published stays where it was."""
    pairing.bye = ""
    pairing.save(update_fields=["bye"])
    row = free.round
    free.colour = Colour.BLACK if white else Colour.WHITE
    free.save(update_fields=["colour"])
    Seat.objects.create(pairing=pairing, round=row, entry=entry, colour=Colour.WHITE if white else Colour.BLACK)
    if row.state == Round.State.CLOSED:
        row.state = Round.State.PUBLISHED
    row.revision += 1
    row.save(update_fields=["state", "revision"])
    upper, lower = (entry, free.entry) if white else (free.entry, entry)
    return Game.objects.create(
        tournament_id=stage.tournament_id,
        pairing=pairing,
        pool=stage.pool or stage.tournament.pool,
        white_id=upper.player_id,
        black_id=lower.player_id,
    )
