"""What to look at before a round is made: results that are missing, adjourned, unread or odd, and who will be there.

A line stops nobody: what cannot be is refused by the services.
"""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date

from django.db.models import Max
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from players.refusals import listed
from tournaments.anomalies.selectors import marks_of
from tournaments.events.selectors.stages import field_of, sits_at
from tournaments.models import ByeKind, Entry, Game, Round, SecondReading, Stage
from tournaments.presence.selectors import absence_notices_for, absence_notices_from, here_on
from tournaments.rated_games.selectors.late_starts import late_starts
from tournaments.rounds.selectors.field import Attendance, rounds_before
from tournaments.standings.points import DECIDED_RESULTS, OUTCOMES, Result
from tournaments.verification.selectors import NO_OTHER_READER, games_to_read, lack_another, read_games

MISSING, ADJOURNED, UNREAD, MARKED = "missing", "adjourned", "unread", "marked"
AWAY, UNKNOWN, BYES, LATE, LEFT, DRAFT = "away", "unknown", "byes", "late", "left", "draft"
NOTICE, STARTS = "told", "starts"
_PLAYED = [code.value for code, outcome in OUTCOMES.items() if outcome.played]


@dataclass(frozen=True, slots=True)
class Line:
    """One thing looked at: whether it is `fine`, what was found, what to do where it is not. `boards` are of rounds,
    `people` whom it is about, each with a word (the kind of bye) or none."""

    code: str
    fine: bool
    words: str
    remedy: str = ""
    boards: tuple[tuple[Round, int], ...] = ()
    people: tuple[tuple[Entry, str], ...] = ()


@dataclass(frozen=True, slots=True)
class _Before:
    """The rounds of a stage before the one to come: those published, a draft in the way, the games that are open."""

    stage: Stage
    rounds: Sequence[Round]
    draft: Round | None
    open: Sequence[Game]

    @property
    def last(self) -> Round | None:
        return self.rounds[-1] if self.rounds else None


def checklist_of(stage: Stage, who: Attendance, *, today: date) -> list[Line]:
    """What there is to look at before the stage's round of that attendance; lines with nothing to say are left out.
    Nineteen queries at most, whatever the size of the field."""
    before = _before(stage, who.number)
    lines = [*_results(before), *_readings(before), *_people(stage, who, today), *_moved(stage, who)]
    return [*lines, *_starts(stage, who)]


def doubts_of(stage: Stage, *, today: date) -> list[Line]:
    """What asks for something in a stage whose rounds are all known: in the rounds up to the last one that was played
    (one that only has forfeits of somebody who left was not), and among its people. Nobody is paired here, so nothing
    is said of byes. Sixteen queries at most."""
    played = Round.objects.filter(stage=stage, pairings__superseded=False, pairings__games__result__in=_PLAYED)
    last = played.aggregate(last=Max("number"))["last"]
    if last is None:
        return []
    before, seen = _before(stage, last + 1), here_on(stage.tournament, today)
    away = [row for row in field_of(stage).values() if not row.withdrawn and seen.get(row.pk) is False]
    people = [Line(AWAY, False, _("Not here today:"), people=_named(away))] if away else []
    found = absence_notices_from(stage.tournament, last)
    missing = [row for row in field_of(stage).values() if not row.withdrawn and row.pk in found]
    if missing:
        named = []
        for row in missing:
            text = ngettext("round %(numbers)s", "rounds %(numbers)s", len(found[row.pk]))
            named.append((row, text % {"numbers": listed(found[row.pk])}))
        people.append(Line(NOTICE, False, _("Told us that they will be absent:"), people=tuple(named)))
    results = (line for line in (*_results(before), *_readings(before)) if not line.fine)
    return [replace(line, remedy="") if line.code in (MISSING, ADJOURNED) else line for line in results] + people


def _before(stage: Stage, number: int) -> _Before:
    rounds = list(Round.objects.filter(stage=stage, number__lt=number).order_by("number"))
    public = [row for row in rounds if row.state != Round.State.DRAFT]
    games = Game.objects.filter(pairing__round__in=public, pairing__superseded=False)
    games = games.exclude(result__in=DECIDED_RESULTS).select_related("pairing__round")
    draft = next((row for row in rounds if row.state == Round.State.DRAFT), None)
    return _Before(stage, public, draft, list(games.order_by("pairing__round__number", "pairing__board")))


# --- the rounds before --------------------------------------------------------------------------------------------
def _results(before: _Before) -> Iterator[Line]:
    if before.draft:
        text = _("Round %(number)s is still a draft.") % {"number": before.draft.number}
        yield Line(DRAFT, False, text, _("Publish it, or delete it to make it anew."))
    if not before.rounds:
        return
    missing = [game for game in before.open if game.result != Result.ADJOURNED]
    if missing:
        text = ngettext("%(count)s result is missing.", "%(count)s results are missing.", len(missing))
        remedy = _("Enter them, or pair anyway: they then count as draws for the pairing.")
        yield _about_games(MISSING, missing, text, remedy)
    else:
        yield Line(MISSING, True, _("Every result is entered."))
    adjourned = [game for game in before.open if game.result == Result.ADJOURNED]
    if adjourned:
        text = ngettext("%(count)s game is adjourned.", "%(count)s games are adjourned.", len(adjourned))
        remedy = _("Have them played to the end, or pair anyway: they then count as draws for the pairing.")
        yield _about_games(ADJOURNED, adjourned, text, remedy)


def _readings(before: _Before) -> Iterator[Line]:
    last = before.last
    if last is None:
        return
    event = before.stage.tournament
    if event.second_reading == SecondReading.ANOTHER and lack_another([event.pk]):
        yield Line(UNREAD, True, str(NO_OTHER_READER))
    elif event.second_reading != SecondReading.NONE:
        yield _unread(last)
    marks, read = marks_of(last), read_games(last)
    games = Game.objects.filter(pk__in=set(marks) - read).select_related("pairing__round")
    marked = list(games.order_by("pairing__board", "number"))
    if marked:
        text = ngettext("%(count)s result looks odd.", "%(count)s results look odd.", len(marked))
        remedy = _("Compare with the slips: a second reading settles it.")
        yield _about_games(MARKED, marked, text, remedy)
    else:
        yield Line(MARKED, True, _("No result looks odd."))


def _unread(last: Round) -> Line:
    games = games_to_read(last)
    if not games:
        return Line(UNREAD, True, _("Every result was read a second time."))
    text = ngettext(
        "%(count)s result was not read a second time.", "%(count)s results were not read a second time.", len(games)
    )
    boards = tuple((last, game.pairing.board or 0) for game in games)
    return Line(UNREAD, False, text % {"count": len(games)}, _("Read the slips again."), boards=boards)


def _about_games(code: str, games: Sequence[Game], text: str, remedy: str) -> Line:
    """A match of several games is named once."""
    found = {(game.pairing.round.pk, game.pairing.board): game.pairing for game in games if game.pairing.round}
    boards = tuple((pairing.round, pairing.board or 0) for pairing in found.values() if pairing.round)
    return Line(code, False, text % {"count": len(games)}, remedy, boards=boards)


# --- the people ---------------------------------------------------------------------------------------------------
def _people(stage: Stage, who: Attendance, today: date) -> Iterator[Line]:
    seen, everybody = here_on(stage.tournament, today), list(who.entries.values())
    awaited = [entry for entry in everybody if entry.pk not in who.asked]
    if not any(entry.pk in seen for entry in everybody):
        text = _("Nobody is checked in today: everybody who asked for no bye counts as here.")
        yield Line(UNKNOWN, True, text)
    else:
        away = [entry for entry in awaited if seen.get(entry.pk) is False]
        yield from _said(AWAY, away, _("Not here, and not paired:"))
        unknown = [entry for entry in awaited if entry.pk not in seen]
        if unknown:
            remedy = _("Ask at the door, or say below who is absent: else they are paired.")
            yield Line(UNKNOWN, False, _("Nobody has seen yet:"), remedy, people=_named(unknown))
        else:
            yield Line(UNKNOWN, True, _("Everybody who is awaited is checked in, or said to be away."))
    found = absence_notices_for(stage.tournament, who.number)
    missing = [entry for entry in awaited if entry.pk in found and not seen.get(entry.pk)]
    if missing:
        remedy = _("They begin as absent below: say otherwise where one plays, or give a bye.")
        yield Line(NOTICE, False, _("Told us that they will be absent:"), remedy, people=_named(missing))
    asked = [(entry, str(ByeKind(who.asked[entry.pk]).label)) for entry in everybody if entry.pk in who.asked]
    if asked:
        yield Line(BYES, True, _("Asked for a bye in this round:"), people=tuple(asked))
    come = [(entry, "") for entry in everybody if entry.pk in who.asked and seen.get(entry.pk)]
    if come:
        remedy = _("Say below that they are here, if they play after all.")
        yield Line(BYES, False, _("Asked for a bye, and are here:"), remedy, people=tuple(come))


def _moved(stage: Stage, who: Attendance) -> Iterator[Line]:
    first = rounds_before(stage) + 1
    if who.number == first:
        return
    yield from _said(LATE, [row for row in who.entries.values() if row.first_round == who.number], _("Come in late:"))
    left = [row for row in field_of(stage).values() if row.withdrawn and row.last_round == who.number - 1]
    yield from _said(LEFT, left, _("Left since the last round:"))


def _starts(stage: Stage, who: Attendance) -> Iterator[Line]:
    late = {row.start.player_id: row.start for row in late_starts(stage.tournament)}
    people = [
        (row, date_format(late[key].on)) for row in who.entries.values() for key in late if sits_at(row.player, key)
    ]
    if people:
        remedy = _("One click below lets them hold from the first day they are needed.")
        yield Line(STARTS, False, _("Starting ratings that hold only later:"), remedy, people=tuple(people))


def _said(code: str, people: Collection[Entry], words: str) -> Iterator[Line]:
    if people:
        yield Line(code, True, words, people=_named(people))


def _named(people: Collection[Entry]) -> tuple[tuple[Entry, str], ...]:
    return tuple((entry, "") for entry in people)
