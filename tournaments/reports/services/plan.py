"""What importing a tournament report would do, found out without writing anything: the plan that preview and import
share.

A report is known again by its name (or the address made of it), its first day and its people: an event of that name
and day in which at least half of them are entered. If everything else agrees too, there is nothing to do. If something
differs, that is a conflict: it is told, and nothing is written. Results corrected here since are no conflict, nor are
those that the file lacks.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date

from django.db.models import Q
from django.utils.translation import gettext as _

from players.models import Player
from players.people.names import MAX_NAME, clean_name, slug_part
from players.refusals import said
from tournaments.corrections.services.game_changes import SWAPPED
from tournaments.interchange.tables_csv import BadRow
from tournaments.interchange.trf import Report
from tournaments.interchange.trf.teams import is_team_report
from tournaments.models import ByeKind, Entry, Game, Seat, Tournament
from tournaments.pairing.free import Teams
from tournaments.reports.services.people import How, Meant, who_is_meant
from tournaments.reports.services.team_plan import TeamPlan, team_plan_of
from tournaments.reports.services.terms import Board, Format, asked_byes, boards_of, format_of, leavers, played_days
from tournaments.results.services.results import notation
from tournaments.rounds.selectors.progress import BRACKETS
from tournaments.standings.points import Result, seen_from_black


@dataclass(frozen=True, slots=True)
class Terms:
    """What the report leaves open. `name`: of the event where the report has none; `today` counts as the first day
    where it has none; `chosen`: who a starting number is, as the arbiter says (None: somebody new); `individual`: a
    report of teams becomes an event of single players."""

    today: date
    name: str = ""
    pool: str = "standard"
    rated: bool = True
    chosen: Mapping[int, Player | None] = field(default_factory=dict)
    individual: bool = False


@dataclass(frozen=True, slots=True)
class Plan:
    """What an import would write. `asked`: byes in the rounds to come of a Swiss, by round and number; `known`: the
    event that is here already; `conflicts`: where it differs; `open`: the lines whose person the arbiter has to
    choose; `teams`: of an event of teams."""

    report: Report
    terms: Terms
    name: str
    format: Format
    people: tuple[Meant, ...]
    rounds: tuple[tuple[Board, ...], ...]
    days: tuple[date, ...]
    left: Mapping[int, int]
    asked: Mapping[tuple[int, int], ByeKind]
    known: Tournament | None
    conflicts: tuple[str, ...]
    teams: TeamPlan | None = None

    @property
    def open(self) -> tuple[Meant, ...]:
        return tuple(meant for meant in self.people if meant.how == How.OPEN)

    @property
    def new_people(self) -> int:
        """How many people would be added."""
        return sum(meant.how == How.NEW for meant in self.people)

    @property
    def games(self) -> int:
        """How many games with a result the report has."""
        return sum(board.bye is None and bool(board.result) for boards in self.rounds for board in boards)

    @property
    def byes(self) -> int:
        """How many byes of whatever kind."""
        return sum(board.bye is not None for boards in self.rounds for board in boards)

    def bad_rows(self) -> tuple[BadRow, ...]:
        """Every reason not to import it; an empty name of a player is one too."""
        unsure = _(
            "“%(name)s” cannot be told: %(doubt)s. Import the report in the administration, where you can choose, or "
            "give the player the FIDE number"
        )
        values = [(meant.row.line, {"name": clean_name(meant.row.name), "doubt": meant.doubt}) for meant in self.open]
        rows = [BadRow(line, unsure % named) for line, named in values]
        rows += [
            BadRow(meant.row.line, _("the player’s name is missing"))
            for meant in self.people
            if meant.how == How.NEW and not any(char.isalnum() for char in meant.row.name)
        ]
        return tuple(sorted(rows, key=lambda row: row.line))

    def notes(self) -> tuple[str, ...]:
        """What the arbiter should know before: oddities of the file, doubts about people, a missing day."""
        lines = [said(note) for note in self.report.notes]
        lines += [str(BadRow(meant.row.line, meant.doubt)) for meant in self.people if meant.doubt and meant.player]
        if self.report.played_rounds and not self.rounds and not self.asked:
            lines.append(_("No round of the report has a game: its byes are left out."))
        if not self.report.starts_on and not self.report.round_days:
            lines.append(_("The report names no day: its games count as played today."))
        elif any(day > self.terms.today for day in (self.report.starts_on, *self.report.round_days) if day):
            lines.append(_("The report’s days lie in the future: games with a result count as played today."))
        return tuple(lines)


def plan_import(report: Report, terms: Terms) -> Plan:
    """What importing the report would do."""
    name = clean_name(report.name)[:MAX_NAME].strip() or clean_name(terms.name)[:MAX_NAME]
    teams = team_plan_of(report) if is_team_report(report) and not terms.individual else None
    kind = Format(Teams.key, {}) if teams else format_of(report)
    left = {} if teams else leavers(report, kind)
    rounds = teams.boards() if teams else tuple(boards_of(report, kind, left))
    known, people = _recognise(report, terms, name)
    conflicts = tuple(_conflicts(known, people, rounds)) if known else ()
    return Plan(
        report=report,
        terms=terms,
        name=name,
        format=kind,
        people=people,
        rounds=rounds,
        days=tuple(played_days(report, len(rounds), today=terms.today)),
        left=left,
        asked=asked_byes(report, left) if kind.is_swiss else {},
        known=known,
        conflicts=conflicts,
        teams=teams,
    )


# --- the event that is here already -------------------------------------------------------------------------------
def _recognise(report: Report, terms: Terms, name: str) -> tuple[Tournament | None, tuple[Meant, ...]]:
    """The event the report is of, and who its lines mean."""
    for tournament in _called_so(name, report.starts_on):
        entered = dict(Entry.objects.filter(tournament=tournament).values_list("player_id", "number"))
        numbers = {number: player for player, number in entered.items() if number is not None}
        people = who_is_meant(report.players, chosen=terms.chosen, entered=numbers)
        if 2 * sum(meant.player is not None and meant.player.pk in entered for meant in people) >= len(people):
            return tournament, people
    return None, who_is_meant(report.players, chosen=terms.chosen)


def _called_so(name: str, starts_on: date | None) -> list[Tournament]:
    """Events of that name and first day, also those that were renamed since: they keep their address."""
    base = slug_part(name) or "event"
    rows = Tournament.objects.filter(Q(name=name) | Q(slug__startswith=base), starts_on=starts_on, open_ended=False)
    numbered = re.compile(f"{re.escape(base)}(-[0-9]+)?")
    return [row for row in rows.order_by("pk") if row.name == name or numbered.fullmatch(row.slug)]


def _conflicts(known: Tournament, people: Sequence[Meant], rounds: Sequence[Iterable[Board]]) -> Iterator[str]:
    """Where the event that is here says otherwise than the report."""
    entries = dict(Entry.objects.filter(tournament=known).values_list("player_id", "number"))
    keys = {meant.row.number: meant.player.pk for meant in people if meant.player}
    for meant in people:
        if meant.how != How.OPEN and entries.get(keys.get(meant.row.number, 0)) != meant.row.number:
            values = {"number": meant.row.number, "name": clean_name(meant.row.name)}
            yield _("Number %(number)s, “%(name)s”, is not entered with that number.") % values
    if len(entries) > len(people):
        counts = {"here": len(entries), "there": len(people)}
        yield _("%(here)s players are entered here, and the report has %(there)s.") % counts
    yield from _conflicting_rounds(known, keys, rounds)


def _conflicting_rounds(known: Tournament, keys: Mapping[int, int], rounds: Sequence[Iterable[Board]]) -> Iterator[str]:
    games, byes = _games_here(known), _byes_here(known)
    # The first round of everybody who came late: in a report the rounds before are missed ones.
    late = dict(Entry.objects.filter(tournament=known, first_round__gt=1).values_list("player_id", "first_round"))
    has_bracket = known.stages.filter(pairing_system__in=BRACKETS).exists()
    for number, boards in enumerate(rounds, start=1):
        for board in boards:
            white, black = keys.get(board.white, 0), keys.get(board.black or 0, 0)
            if board.bye is not None:
                here = byes.pop((number, white), "")
                # A bye in a bracket brings nothing, so a report has a zero-point one.
                as_zero = number < late.get(white, 1) or (has_bracket and here == ByeKind.ALLOCATED)
                if here != board.bye and not (board.bye == ByeKind.ZERO and as_zero):
                    yield _bye_differs(number, board)
            elif board.result or (number, white, black) in games:
                results = games.pop((number, white, black), frozenset())
                # One that is still open in the report may have its result by now.
                if board.result and board.result not in results:
                    yield _game_differs(number, board)
    yield from (_("Round %(round)s has games here that are not in the report.") % {"round": at} for at in _left(games))
    yield from (_("Round %(round)s has byes here that are not in the report.") % {"round": at} for at in _left(byes))


_Here = dict[tuple[int, int, int], frozenset[str]]


def _games_here(known: Tournament) -> _Here:
    """The results of every game by round, White and Black: the present one and the one a file gave it."""
    rows = Game.objects.filter(tournament=known, pairing__round__isnull=False, pairing__superseded=False)
    columns = ("pairing__round__number", "white_id", "black_id", "result", "loaded_as")
    here: _Here = {}
    for number, white, black, result, loaded_as in rows.values_list(*columns):
        swapped = loaded_as.endswith(SWAPPED)
        loaded = loaded_as.removesuffix(SWAPPED).partition(" ")[2]
        now = str(seen_from_black(Result(result))) if swapped else result
        pair = (black, white) if swapped else (white, black)
        here[(number, *pair)] = frozenset({now, loaded} if loaded_as else {now})
    return here


def _byes_here(known: Tournament) -> dict[tuple[int, int], str]:
    rows = Seat.objects.filter(round__stage__tournament=known, superseded=False).exclude(pairing__bye="")
    columns = ("round__number", "entry__player", "pairing__bye")
    return {(number, player): kind for number, player, kind in rows.values_list(*columns)}


def _left(rows: Mapping[tuple[int, int], str] | _Here) -> list[int]:
    """The rounds of what the report does not have; boards that are still open do no harm."""
    return sorted({key[0] for key, said in rows.items() if said != frozenset({""})})


# --- words ----------------------------------------------------------------------------------------------------------
def _game_differs(number: int, board: Board) -> str:
    result = notation(board.result) if board.result else "–"
    values = {"round": number, "white": board.white, "black": board.black, "result": result}
    return (
        _("Round %(round)s, %(white)s – %(black)s: the report has %(result)s, and that is not what is here.") % values
    )


def _bye_differs(number: int, board: Board) -> str:
    values = {"round": number, "number": board.white, "bye": board.bye.label if board.bye else ""}
    return _("Round %(round)s, number %(number)s: the report has a %(bye)s, and that is not what is here.") % values
