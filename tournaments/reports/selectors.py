"""An event as a tournament report: for officers with everybody's full name and what the desk knows besides, for others
with what the event's pages show them.

Points and ranks are those of the standings. What the event came with and has no place for (`foreign_records`) leaves
as it came, with an officer's report; what officers typed for its papers goes before it (`EventPapers`, federations). An
event without rounds cannot be told in a report, nor can matches of several games.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any

from django.utils.translation import gettext as _

from clubrating.ground.figures import round_half_away
from players.models import Player, PlayerIdentity
from players.people.names import clean_name
from players.privacy.rules import OFFICER, Viewer, sees_name, shown_name
from players.refusals import Refused
from tournaments.events.selectors.event_data import BoardData, EventData, RoundData
from tournaments.events.selectors.events import facts_of, stages_at, whole_of
from tournaments.events.selectors.standings import standings_of
from tournaments.interchange.rate_of_play import read_rate
from tournaments.interchange.trf import Cell, Record, Report, ReportPlayer
from tournaments.interchange.trf.games import CODES
from tournaments.interchange.trf.head import kept_federations, kept_fields
from tournaments.interchange.trf.records import ABSENT, BLACK, BYE_KINDS, NO_COLOUR, OPEN, WHITE, ZERO
from tournaments.interchange.trf.terms import points_text
from tournaments.knockouts.selectors.brackets import places_of
from tournaments.models import ByeKind, ByeRequest, ByeWorth, Entry, EventPapers, Tournament
from tournaments.pairing.base import read_options
from tournaments.pairing.dutch.system import BAKU, Dutch
from tournaments.pairing.dutch.system import BLACK as FIRST_BLACK
from tournaments.pairing.free import Teams
from tournaments.rounds.selectors.field import bye_points, prohibited_in
from tournaments.standings.points import OUTCOMES, point_system
from tournaments.standings.tiebreaks.lots import Lots
from tournaments.teams.selectors.facts import team_facts
from tournaments.teams.selectors.reports import with_teams

_BYES = {ByeKind(kind): code for code, kind in BYE_KINDS.items()}
_TYPES = {
    (1, False): ("Individual: Round-Robin", "BERGER_ROUNDROBIN"),
    (2, False): ("Individual: Double Round-Robin", "BERGER_DOUBLEROUNDROBIN"),
    (2, True): ("Individual: Double Round-Robin", "FIDE_DOUBLEROUNDROBIN"),
}
_SHARES = {CODES[result][0]: OUTCOMES[result].white for result in CODES}
_SEXES = {Player.Sex.MALE: "m", Player.Sex.FEMALE: "w"}
PROGRAM = "Club Rating"
_YEARS_IN_132 = range(1970, 2070)  # two figures tell them apart


def report_of(tournament: Tournament, *, version: int = 26, viewer: Viewer = OFFICER) -> Report:
    """The event's published rounds as a report, as that viewer may see it. Nine queries, however many rounds and
    players. Raises Refused for an event that cannot be told so."""
    if tournament.entry_size > 1:
        raise Refused(_("A tournament report knows single players: an event of pairs has none."))
    is_officers = viewer == OFFICER
    event = _facts(tournament)
    entries = _entries(tournament)
    rounds = [row for row in event.rounds if not row.is_draft]
    kept, (kind, code) = kept_fields(tournament.foreign_records if is_officers else ""), _types(event)
    papers = papers_of(tournament) if is_officers else EventPapers()
    own = {
        "name": clean_name(tournament.name),
        "city": clean_name(tournament.place),
        "starts_on": tournament.starts_on,
        "ends_on": tournament.ends_on,
        "kind": kept.get("kind") or kind,
        "rounds": kept.get("rounds") or (event.round_count if event.length_known and event.round_count else None),
        "round_days": _round_days(rounds),
        **_swiss(event),
        **_typed(papers),
    }
    lines = [*_records(tournament, kept, code, version), *_program(event, papers, kept, version)]
    if is_officers:
        lines += _apart(event, entries, own["rounds"], version)
        lines += _away(event, entries, len(rounds), version)
    written = {record.tag for record in lines} & {"222"}
    own["records"] = (*lines, *(record for record in kept["records"] if record.tag not in written))
    report = Report(players=tuple(_players(event, rounds, entries, viewer)), **{**kept, **own})
    return with_teams(report, team_facts(tournament), version=version) if _is_of_teams(event) else report


def papers_of(tournament: Tournament) -> EventPapers:
    """What was typed for the event's papers; a new row, not saved, where nothing was."""
    return EventPapers.objects.filter(tournament=tournament).first() or EventPapers(tournament=tournament)


def _is_of_teams(event: EventData) -> bool:
    return event.stage.pairing_system == Teams.key


def _facts(tournament: Tournament) -> EventData:
    stages = stages_at(tournament.slug)
    if tournament.open_ended or not stages:
        raise Refused(_("“%(name)s” has no rounds: a tournament report needs some.") % {"name": tournament.name})
    return whole_of(stages, facts_of(stages, OFFICER))


def _entries(tournament: Tournament) -> dict[int, Entry]:
    """The entries by number. Raises Refused where somebody has none, or numbers are left out."""
    rows = list(Entry.objects.filter(tournament=tournament).select_related("player").order_by("number"))
    entries = {entry.number: entry for entry in rows if entry.number is not None}
    if len(entries) < len(rows) or not entries or set(entries) != set(range(1, len(rows) + 1)):
        raise Refused(_("A report needs pairing numbers from 1 on without a gap: draw lots or sort by rating first."))
    return entries


# --- players --------------------------------------------------------------------------------------------------------
def _players(
    event: EventData, rounds: Sequence[RoundData], entries: Mapping[int, Entry], viewer: Viewer
) -> Iterator[ReportPlayer]:
    """Everybody by number, with points and place of the standings."""
    cells = _cells(event, rounds, entries)
    stands, unit = _stands(event, cells), point_system(event.tournament.point_system).unit
    scheme = PlayerIdentity.Scheme.FIDE
    known = PlayerIdentity.objects.filter(scheme=scheme, player__entries__tournament=event.tournament)
    ids = dict(known.values_list("player_id", "value"))
    federations = kept_federations(event.tournament.foreign_records)
    for number, entry in entries.items():
        points, rank = stands.get(number, (0, None))
        yield replace(
            _as_seen(
                entry.player, viewer, ids.get(entry.player_id, ""), entry.federation or federations.get(number, "")
            ),
            number=number,
            rating=round_half_away(entry.rating) if entry.rating else None,
            points=points_text(Fraction(points, unit)),
            rank=rank,
            cells=tuple(cells[number]),
        )


def _stands(event: EventData, cells: Mapping[int, Sequence[Cell]]) -> dict[int, tuple[int, int | None]]:
    """Points in the system's unit, and place, by number. In a bracket, which has no standings, the points of the games
    and the first of the places reached."""
    if not event.is_bracket:
        return {row.player: (row.points, row.place) for row in standings_of(event).rows}
    system, places = point_system(event.tournament.point_system), {row.entrant.number: row for row in places_of(event)}
    return {
        number: (
            sum(system.share(_SHARES.get(cell.code)) for cell in own),
            places[number].first if number in places else None,
        )
        for number, own in cells.items()
    }


def _as_seen(player: Player, viewer: Viewer, fide_id: str, federation: str) -> ReportPlayer:
    """The person: title and federation number go with the name; year of birth, sex and federation are for officers."""
    seen = ReportPlayer(number=0, name=shown_name(player, viewer))
    if sees_name(player, viewer):
        seen = replace(seen, title=player.title, fide_id=fide_id)
    if viewer == OFFICER:
        sex = _SEXES.get(Player.Sex(player.sex), "") if player.sex else ""
        birth = f"{player.birth_year}/00/00" if player.birth_year else ""
        seen = replace(seen, sex=sex, birth=birth, federation=federation)
    return seen


def _cells(event: EventData, rounds: Iterable[RoundData], entries: Mapping[int, Entry]) -> dict[int, list[Cell]]:
    """Every player's rounds; nobody without a seat was there."""
    cells: dict[int, list[Cell]] = {number: [] for number in entries}
    numbers = {entry.pk: number for number, entry in entries.items()}
    for row in rounds:
        for own in cells.values():
            own.append(ABSENT)
        for board in _boards(row):
            white, black = numbers[board.white.key], numbers[board.black.key]
            mine, theirs = CODES.get(board.result, (OPEN, OPEN))
            cells[white][-1] = Cell(black, WHITE, mine)
            cells[black][-1] = Cell(white, BLACK, theirs)
        for bye in row.byes:
            cells[numbers[bye.entrant.key]][-1] = Cell(0, NO_COLOUR, _bye_code(event, bye.kind))
    return cells


def _boards(row: RoundData) -> Iterator[BoardData]:
    yield from row.boards
    for match in row.matches:
        if len(match.games) > 1:
            values = {"round": row.number}
            raise Refused(_("Round %(round)s has matches of several games: a report has one a round.") % values)
        yield from match.games


def _bye_code(event: EventData, kind: str) -> str:
    """The free day of a round robin, which brings nothing, is a zero-point bye."""
    nothing = kind == ByeKind.ALLOCATED and not event.tournament.allocated_bye and not bye_points(event.stage, kind)
    return ZERO if nothing else _BYES[ByeKind(kind)]


# TRF26 calls the rules of 1 February 2026 by the year they were written in; it has no year for those before.
_DUTCH_CODES = {2025: "FIDE_DUTCH", 2026: "FIDE_DUTCH_2025"}


# --- the head -------------------------------------------------------------------------------------------------------
def _types(event: EventData) -> tuple[str, str]:
    """The event's type in words and as TRF26's code; no code for formats that have none."""
    settings = event.stage.settings
    if event.stage.pairing_system == "round-robin":
        return _TYPES[settings.get("cycles", 1), bool(settings.get("swap_last_two")) and settings.get("cycles") == 2]
    if event.stage.pairing_system == Dutch.key:
        if settings.get("games") == 2:  # a reader would take every round for a pairing by the rules
            return "Individual: Swiss-System, two games against each opponent", ""
        baku = "_BAKU" if settings.get("acceleration") == BAKU else ""
        return "Individual: Swiss-System (Dutch)", f"{_DUTCH_CODES[event.tournament.swiss_edition]}{baku}"
    return "", ""


def _swiss(event: EventData) -> dict[str, Any]:
    """How many rounds a Swiss has and which colour number 1 began with, as its settings are now."""
    if event.stage.pairing_system != Dutch.key:
        return {}
    chosen = read_options(Dutch.options, event.stage.settings)
    return {"rounds": chosen["rounds"], "first_colour": BLACK if chosen["first_colour"] == FIRST_BLACK else WHITE}


def _typed(papers: EventPapers) -> dict[str, Any]:
    """The head's fields that officers typed; empty ones leave what the event came with."""
    fields = {
        "federation": papers.federation,
        "chief_arbiter": papers.chief_arbiter,
        "deputies": tuple(papers.deputies.splitlines()),
        "time_control": papers.time_control,
    }
    return {name: value for name, value in fields.items() if value}


def _program(event: EventData, papers: EventPapers, kept: Mapping[str, Any], version: int) -> Iterator[Record]:
    """Who paired and the coded rate of play, as TRF26 has them, for an event whose papers are kept here."""
    if version != 26 or not papers.pk:
        return
    if event.is_by_rounds and not any(record.tag == "182" for record in kept["records"]):
        yield Record("182", f"182 {PROGRAM}")
    if papers.time_control:
        yield Record("222", f"222 {read_rate(papers.time_control).coded}")


def _round_days(rounds: Iterable[RoundData]) -> tuple[Any, ...]:
    days = [row.planned_on if row.planned_on and row.planned_on.year in _YEARS_IN_132 else None for row in rounds]
    while days and days[-1] is None:
        days.pop()
    return tuple(days)


def _apart(event: EventData, entries: Mapping[int, Entry], rounds: int | None, version: int) -> Iterator[Record]:
    """Pairs that should not meet, a line each; both editions' programs read XXP. A Swiss of TRF26 says it for all its
    rounds."""
    pairs = prohibited_in({entry.pk: number for number, entry in entries.items()})
    in_order = sorted(sorted(pair) for pair in pairs)
    if version == 26 and event.stage.pairing_system == Dutch.key:
        yield from (Record("260", "260   1 {:>3} {:>4} {:>4}".format(rounds, *pair)) for pair in in_order)
    else:
        yield from (Record("XXP", "XXP {} {}".format(*pair)) for pair in in_order)


def _away(event: EventData, entries: Mapping[int, Entry], made: int, version: int) -> Iterator[Record]:
    """Who is not in the rounds that are not public yet, a line for each round and kind: the byes asked for, and who has
    left. Programs of TRF16 know who is away in the next round (XXZ)."""
    if event.stage.pairing_system != Dutch.key:
        return
    rows = ByeRequest.objects.filter(entry__tournament=event.tournament, round_number__gt=made, entry__withdrawn=False)
    last = read_options(Dutch.options, event.stage.settings)["rounds"]
    left = [own for own, entry in entries.items() if entry.withdrawn]
    found = {(number, ZERO): [*left] for number in range(made + 1, last + 1) if left}
    for number, kind, entry in rows.values_list("round_number", "kind", "entry__number"):
        found.setdefault((number, _BYES[ByeKind(kind)]), []).append(entry or 0)
    for (number, code), asking in sorted(found.items()):
        text = "".join(f" {entry:>4}" for entry in sorted(asking))
        yield Record("240", f"240 {code} {number:>3}{text}")
    away = sorted(entry for (number, _code), asking in found.items() for entry in asking if number == made + 1)
    if version == 16 and away:
        yield Record("XXZ", "XXZ " + " ".join(map(str, away)))


def _records(tournament: Tournament, kept: Mapping[str, Any], code: str, version: int) -> Iterator[Record]:
    """What an edition says of points, type and tie-breaks, as far as the event did not bring its own lines."""
    there = {record.tag for record in kept["records"]}
    points = point_system(tournament.point_system)
    win, draw, loss = (points_text(Fraction(value, points.unit)) for value in (points.win, points.draw, points.loss))
    worth = {ByeWorth.DRAW: draw, ByeWorth.LOSS: loss}.get(ByeWorth(tournament.allocated_bye or ByeWorth.WIN), win)
    # Lots are a word of our own: no other program knows it.
    tiebreaks = ",".join(code for code in tournament.tiebreaks.split(",") if code != Lots.base)
    lines = {}
    if version == 26:
        lines = {
            "162": f"162  W {win}    D {draw}    L {loss}    P {worth}",
            "192": f"192 {code}" if code else "",
            "202": f"202 {tiebreaks}" if tiebreaks else "",
        }
    elif tournament.point_system != "classic" or worth != win:
        lines = {"XXS": f"XXS W={win} D={draw} L={loss} PAB={worth}"}
    if there & {"162", "XXS"}:
        lines = {tag: line for tag, line in lines.items() if tag not in ("162", "XXS")}
    yield from (Record(tag, line) for tag, line in lines.items() if line and tag not in there)
