"""Who will be there: notices of absence, and check-in.

A notice may be given for the public rounds with a board that waits for its result, and for the next ones of formats
that make them one by one. It is shown at the check-in, in the checklist before a round and on the form of the next
round.

Not here: who is to be paired in a round (`tournaments.rounds.selectors.field.attendance`).
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date

from django.db.models import Max, Q

from clubrating.ground.numbers import whole_number
from players.models import Player
from players.people.selectors import named, words_of
from players.privacy.rules import Viewer, sees_name, shown_name
from tournaments.events.selectors.stages import name_together, played_stages, round_limit, system_of
from tournaments.models import AbsenceNotice, ByeKind, ByeRequest, CheckIn, Entry, EntryMember, Round, Tournament
from tournaments.pairing.base import RoundSystem
from tournaments.pairing.free import Teams
from tournaments.standings.points import Result
from tournaments.teams.selectors.matches import open_rounds_of_teams

# --- notices of absence -------------------------------------------------------------------------------------------
AHEAD = 3  # so many rounds that are not made yet
_MOST = 12


@dataclass(frozen=True, slots=True)
class OpenRound:
    """A round one may still say about; `made`: its boards are paired."""

    number: int
    made: bool


def open_rounds(tournament: Tournament) -> list[OpenRound]:
    """Those of an event that is not over, in order. Five queries at most in a simple event."""
    if tournament.closed or tournament.open_ended:
        return []
    rounds = Round.objects.filter(stage__tournament=tournament)
    waits = Q(pairings__games__result=Result.OPEN, pairings__superseded=False)
    made = set(rounds.filter(waits).exclude(state=Round.State.DRAFT).values_list("number", flat=True))
    return [OpenRound(number, number in made) for number in sorted(made | _to_come(tournament))[:_MOST]]


def _to_come(tournament: Tournament) -> set[int]:
    """The next rounds of stages that make them one by one; a draft is still to come for the public. Of a team event
    those with matches whose boards are still to be made."""
    found: set[int] = set()
    for stage in played_stages(tournament):
        if stage.pairing_system == Teams.key:
            found |= open_rounds_of_teams(tournament.pk)
            continue
        if not isinstance(system_of(stage), RoundSystem):
            continue
        public = Round.objects.filter(stage__tournament=tournament, stage__part__lte=stage.part)
        last = public.exclude(state=Round.State.DRAFT).aggregate(last=Max("number"))["last"] or 0
        end = min(round_limit(stage) or last + AHEAD, last + AHEAD)
        found |= set(range(last + 1, end + 1))
    return found


def absence_notices_for(tournament: Tournament, number: int) -> dict[int, bool]:
    """Who gave notice to miss that round, by the entry's key: whether the round was made by then. One query."""
    rows = AbsenceNotice.objects.filter(entry__tournament=tournament, round_number=number)
    return dict(rows.values_list("entry_id", "late"))


def absence_notices_from(tournament: Tournament, number: int) -> dict[int, list[int]]:
    """Who gave notice to miss that round or later ones, by the entry's key: which rounds. One query."""
    rows = AbsenceNotice.objects.filter(entry__tournament=tournament, round_number__gte=number)
    found: dict[int, list[int]] = {}
    for key, row in rows.order_by("round_number").values_list("entry_id", "round_number"):
        found.setdefault(key, []).append(row)
    return found


def open_absence_notices(tournament: Tournament) -> dict[int, list[int]]:
    """The same from the first open round on. One query where there are no notices, three else."""
    found = absence_notices_from(tournament, 1)
    if not found:
        return {}
    # The first public round with a board that waits for its result, or the one after the last.
    rounds = Round.objects.filter(stage__tournament=tournament).exclude(state=Round.State.DRAFT)
    waits = rounds.filter(pairings__games__result=Result.OPEN, pairings__superseded=False).order_by("number")
    first = waits.values_list("number", flat=True).first()
    first = first or (rounds.aggregate(last=Max("number"))["last"] or 0) + 1
    return {key: later for key, missed in found.items() if (later := [number for number in missed if number >= first])}


def notices_of(tournament: Tournament, rounds: Mapping[int, OpenRound]) -> list[AbsenceNotice]:
    """The notices about those rounds, in order of rounds. One query."""
    rows = AbsenceNotice.objects.filter(entry__tournament=tournament, round_number__in=list(rounds))
    notices = list(rows.select_related("entry__player").order_by("round_number", "entry__number", "pk"))
    name_together([notice.entry for notice in notices], tournament)
    return notices


def half_byes_of(entries: Iterable[Entry], rounds: Iterable[int]) -> list[ByeRequest]:
    """The half-point byes these entries asked for in those rounds. One query."""
    rows = ByeRequest.objects.filter(entry__in=list(entries), round_number__in=list(rounds), kind=ByeKind.HALF)
    return list(rows.select_related("entry__player").order_by("round_number", "entry"))


def who_may_miss(tournament: Tournament, viewer: Viewer) -> list[Entry]:
    """Everybody in the event, by the name this viewer sees; whoever is not seen by name stands at the end."""
    entries = Entry.objects.filter(tournament=tournament, withdrawn=False).select_related("player")
    rows = list(entries.order_by("player__sort_name", "player__number"))
    name_together(rows, tournament)
    hidden = [row for row in rows if not sees_name(row.player, viewer)]
    shown = [row for row in rows if sees_name(row.player, viewer)]
    return shown + sorted(hidden, key=lambda row: shown_name(row.player, viewer))


def entries_of(tournament: Tournament, players: Iterable[Player]) -> list[Entry]:
    """The entries of these players in the event, of those who have not left. One query, none for nobody."""
    keys = [player.pk for player in players]
    own = Q(player__in=keys) | Q(members__player__in=keys)
    rows = Entry.objects.filter(own, tournament=tournament, withdrawn=False) if keys else Entry.objects.none()
    found = list(rows.select_related("player").distinct().order_by("pk"))
    name_together(found, tournament)
    return found


# --- check-in -----------------------------------------------------------------------------------------------------
@dataclass(frozen=True, slots=True)
class Awaited:
    """Somebody to be checked in; `here` is None while nobody said so. `missing`: rounds of notices of absence."""

    entry: Entry
    here: bool | None
    missing: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Counts:
    """How many are awaited, there, not there."""

    everybody: int
    here: int
    away: int

    @property
    def unknown(self) -> int:
        return self.everybody - self.here - self.away


def awaited(tournament: Tournament, on: date, *, search: str = "") -> list[Awaited]:
    """Everybody awaited by name; `search`: only those whose name has all these words, or of that pairing number.
    Three queries, five where there are notices of absence."""
    entries = Entry.objects.filter(tournament=tournament, withdrawn=False).select_related("player")
    if (number := whole_number(search)) is not None:
        entries = entries.filter(number=number)
    elif words := words_of(search):
        partner = EntryMember.objects.filter(named(words, "player__"), tournament=tournament)
        entries = entries.filter(named(words, "player__") | Q(pk__in=partner.values("entry")))
    seen = here_on(tournament, on)
    found = open_absence_notices(tournament)
    rows = list(entries.order_by("player__sort_name", "player__number"))
    name_together(rows, tournament)
    return [Awaited(entry, seen.get(entry.pk), tuple(found.get(entry.pk, ()))) for entry in rows]


def counts_of(tournament: Tournament, on: date) -> Counts:
    """How many of those awaited are there. Two queries."""
    keys = Entry.objects.filter(tournament=tournament, withdrawn=False).values_list("pk", flat=True)
    seen = here_on(tournament, on)
    answers = [seen.get(key) for key in keys]
    return Counts(len(answers), answers.count(True), answers.count(False))


def here_on(tournament: Tournament, on: date) -> dict[int, bool]:
    """Whether somebody was there on that day, by the entry's key; whoever is missing is not known. One query."""
    return dict(CheckIn.objects.filter(entry__tournament=tournament, on=on).values_list("entry", "here"))
