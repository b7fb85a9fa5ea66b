"""Importing a tournament report: event, people, entries, rounds, games and byes, in one transaction, rated once.

Everything comes from the plan (`tournaments.reports.services.plan`), made again behind the locks. Rows are written in
bulk, results take their places in the order of replay as every other result does, and one audit event says what came;
where games of others were rated after, it also says what the import moved. Importing a report again writes nothing.
"""

from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import date

from django.contrib.auth.models import User
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from players.counters import GAME_SEQUENCE, GAME_SEQUENCE_STEP, take_numbers
from players.models import AuditEvent, Player, PlayerIdentity
from players.people.names import clean_name
from players.people.services import NewPlayer, create_players, set_identities
from players.refusals import Refused, first_of
from players.trail.services import write_audit
from ratings.lists.services import lock_lists
from ratings.systems.base import Moment
from tournaments.entries.services.names import BadRows
from tournaments.entries.services.prohibited import prohibit
from tournaments.events.services.events import free_slug
from tournaments.events.services.tiebreaks import ROUND_ROBIN, default_tiebreaks, draw_lots, read_tiebreaks
from tournaments.interchange.trf import Report
from tournaments.interchange.trf.cells import year_of
from tournaments.interchange.trf.head import kept_lines
from tournaments.loading.services.streams import unlisted_pool
from tournaments.models import ByeRequest, Colour, Entry, Game, Pairing, Round, Seat, Stage, Tournament
from tournaments.pairing.base import swiss_edition_on, tiebreak_edition_on
from tournaments.rated_games.services.rating import rerate
from tournaments.rated_games.services.rating_impact import Effect, ImpactRecorder, has_later
from tournaments.reports.services.people import How, Meant, fide_number
from tournaments.reports.services.plan import Plan, Terms, plan_import
from tournaments.reports.services.team_importing import used_tags, write_teams
from tournaments.reports.services.terms import (
    Board,
    allocated_bye_of,
    asked_byes,
    is_complete,
    kept_apart,
    point_system_of,
)
from tournaments.results.services.results import check_day
from tournaments.standings.points import OUTCOMES, PointSystem, Result

_BATCH = 500
_SEXES = {"m": Player.Sex.MALE, "w": Player.Sex.FEMALE}
_LONGEST_PLACE = 100
_MOST_CONFLICTS = 10
_EARLIEST_BIRTH, _LATEST_BIRTH = 1850, 2200
TIEBREAK_TAGS = ("202", "212")


@dataclass(frozen=True, slots=True)
class Imported:
    """What an import did: the event, whether it was written now (or was here before), and the plan it followed."""

    tournament: Tournament
    written: bool
    plan: Plan


def import_report(report: Report, terms: Terms, *, by: User | None, reason: str = "", note: str = "") -> Imported:
    """Write the report's event and rate its games. Raises BadRows where a person cannot be told, Refused where the
    event is here and differs, or the report cannot be an event."""
    with transaction.atomic():
        lock_lists()
        take_numbers(GAME_SEQUENCE, 0)  # locks the counter: of two imports of one file the second finds the first's
        plan = plan_import(report, terms)
        check_plan(plan)
        if plan.known:
            return Imported(plan.known, False, plan)
        return Imported(_write(plan, by=by, reason=reason, note=note), True, plan)


def check_plan(plan: Plan) -> None:
    """Raises BadRows or Refused for a plan that must not be carried out."""
    if bad := plan.bad_rows():
        raise BadRows(bad)
    if plan.known and plan.conflicts:
        text = _("“%(name)s” is here already (%(slug)s) and differs; nothing was changed:")
        here = text % {"name": plan.known.name, "slug": plan.known.slug}
        raise Refused("\n".join([here, *first_of(plan.conflicts, _MOST_CONFLICTS)]))
    if not plan.known and (problem := unlisted_pool(plan.terms.pool)):
        raise Refused(problem)
    if not plan.name:
        raise Refused(_("The report has no name (012): give it one."))
    for day in plan.days:
        check_day(day)


# --- writing --------------------------------------------------------------------------------------------------------
def _write(plan: Plan, *, by: User | None, reason: str, note: str) -> Tournament:
    players = _people(plan.people, by)
    tournament = _tournament(plan)
    draw_lots(tournament, by=by)
    tournament.save(update_fields=["tiebreak_lots"])
    stage = Stage.objects.create(tournament=tournament, pairing_system=plan.format.key, settings=plan.format.settings)
    entries = _entries(plan, tournament, players)
    if plan.teams is None:
        _write_wishes(plan, tournament, entries, by)
    rounds, pairings, games = _games(plan, tournament, stage, entries)
    if plan.teams is not None:
        write_teams(plan.teams, tournament, rounds, pairings, entries, by=by)
    first = _first_moment(games, tournament)
    effect: Effect = {}
    if first:
        late = has_later(tournament.pool, first)
        reason = reason or (AuditEvent.Reason.LATE_REPORT if late else "")
        impact = ImpactRecorder({tournament.pool: first} if late else {}, None)
        rerate(tournament.pool, first, event=tournament.pk)
        effect = impact.effect()
    _write_audit(plan, tournament, games, by=by, effect=effect, reason=reason, note=note)
    return tournament


def _write_wishes(plan: Plan, tournament: Tournament, entries: Mapping[int, Entry], by: User | None) -> None:
    """Who should not meet, and the byes asked for."""
    for group in (*kept_apart(plan.report), *kept_apart(plan.report, "260")):
        prohibit(tournament, [entries[number] for number in group], by=by)
    ByeRequest.objects.bulk_create(
        ByeRequest(entry=entries[number], round_number=at, kind=kind) for (at, number), kind in plan.asked.items()
    )


def _people(people: Iterable[Meant], by: User | None) -> dict[int, Player]:
    """The players by starting number; those nobody knew are added, with their FIDE numbers."""
    known = {meant.row.number: meant.player for meant in people if meant.player}
    new = [meant for meant in people if meant.how == How.NEW]
    created = create_players([_new_player(meant) for meant in new], by=by)
    taken: set[str] = set()
    for meant, player in zip(new, created, strict=True):
        number = fide_number(meant.row)
        if number and number not in taken:
            set_identities(player, {PlayerIdentity.Scheme.FIDE: number}, by=by)
            taken.add(number)
    return {**known, **{meant.row.number: player for meant, player in zip(new, created, strict=True)}}


def _new_player(meant: Meant) -> NewPlayer:
    row = meant.row
    year = year_of(row.birth)
    return NewPlayer(
        name=clean_name(row.name),
        birth_year=year if year and _EARLIEST_BIRTH <= year <= _LATEST_BIRTH else None,
        sex=_SEXES.get(row.sex, ""),
        title=row.title if row.title in Player.Title.values else "",
    )


def _tournament(plan: Plan) -> Tournament:
    report, points = plan.report, point_system_of(plan.report)
    starts_on, ends_on = report.starts_on, report.ends_on
    used, tiebreaks = (used_tags(plan.teams), "") if plan.teams else _used(plan, points)
    return Tournament.objects.create(
        name=plan.name,
        slug=free_slug(plan.name),
        place=clean_name(report.city)[:_LONGEST_PLACE],
        starts_on=starts_on,
        ends_on=ends_on if not starts_on or not ends_on or ends_on >= starts_on else None,
        rated=plan.terms.rated,
        pool=plan.terms.pool,
        closed=is_complete(report, plan.rounds) and (plan.teams is None or plan.teams.is_decided),
        point_system=points.key if points else "classic",
        allocated_bye=allocated_bye_of(report),
        foreign_records=kept_lines(report, used),
        swiss_edition=swiss_edition_on(starts_on or plan.terms.today),
        tiebreak_edition=tiebreak_edition_on(starts_on or plan.terms.today),
        tiebreaks=tiebreaks or default_tiebreaks(plan.format.key) or ROUND_ROBIN,
    )


def _used(plan: Plan, points: PointSystem | None) -> tuple[frozenset[str], str]:
    """The records the event's own tables hold, and the tie-breaks among them."""
    report = plan.report
    used, tiebreaks = _tiebreaks(report, plan.format.key)
    used |= frozenset({"162", "XXS"} if points else ())
    used |= frozenset({"240", "XXZ"} if plan.format.is_swiss and asked_byes(report, {}) else ())
    return used | frozenset(tag for tag in ("XXP", "260") if kept_apart(report, tag)), tiebreaks


def _tiebreaks(report: Report, system: str) -> tuple[frozenset[str], str]:
    """The event's tie-breaks, where the report names some and all of them can be used, and the records they came
    from."""
    for tag in TIEBREAK_TAGS:
        said = ",".join(report.texts(tag))
        with suppress(Refused):
            if codes := read_tiebreaks(said.removeprefix("PTS,"), system):
                return frozenset({tag}), codes
    return frozenset(), ""


def _entries(plan: Plan, tournament: Tournament, players: Mapping[int, Player]) -> dict[int, Entry]:
    day = plan.report.starts_on or plan.terms.today
    entries = Entry.objects.bulk_create(
        [
            Entry(
                tournament=tournament,
                player=players[row.number],
                number=row.number,
                rating=row.rating,
                rating_on=day if row.rating else None,
                withdrawn=row.number in plan.left,
                last_round=plan.left.get(row.number),
            )
            for row in plan.report.players
        ],
        batch_size=_BATCH,
    )
    return {entry.number: entry for entry in entries if entry.number is not None}


def _games(
    plan: Plan, tournament: Tournament, stage: Stage, entries: Mapping[int, Entry]
) -> tuple[list[Round], list[Pairing], list[Game]]:
    """All rounds with their boards; the games, in the order in which they were played."""
    days = plan.report.round_days
    rounds = Round.objects.bulk_create(
        Round(
            stage=stage,
            number=number,
            state=Round.State.PUBLISHED,
            planned_on=days[number - 1] if number <= len(days) else None,
        )
        for number in range(1, len(plan.rounds) + 1)
    )
    placed = [
        (row, board, Pairing(stage=stage, round=row, board=board.place or at, bye=board.bye or ""))
        for row, boards in zip(rounds, plan.rounds, strict=True)
        for at, board in enumerate(boards, start=1)
    ]
    pairings = Pairing.objects.bulk_create([pairing for _row, _board, pairing in placed], batch_size=_BATCH)
    Seat.objects.bulk_create(
        [seat for row, board, pairing in placed for seat in _seats(row, board, pairing, entries)], batch_size=_BATCH
    )
    games = [
        _game(tournament, pairing, board, entries, plan.days[row.number - 1])
        for row, board, pairing in placed
        if board.black is not None
    ]
    return rounds, pairings, _in_order(games)


def _seats(row: Round, board: Board, pairing: Pairing, entries: Mapping[int, Entry]) -> list[Seat]:
    white, black = board.lines
    if board.black is None:
        return [Seat(pairing=pairing, round=row, entry=entries[board.white], colour=Colour.NONE, line=white)]
    sides = ((board.white, Colour.WHITE, white), (board.black, Colour.BLACK, black))
    return [
        Seat(pairing=pairing, round=row, entry=entries[number], colour=colour, line=line)
        for number, colour, line in sides
    ]


def _game(tournament: Tournament, pairing: Pairing, board: Board, entries: Mapping[int, Entry], day: date) -> Game:
    game = Game(
        tournament=tournament,
        pairing=pairing,
        pool=tournament.pool,
        white_id=entries[board.white].player_id,
        black_id=entries[board.black or 0].player_id,
        result=board.result,
    )
    if board.result:
        game.played_on, game.recorded_at = day, timezone.now()
        game.loaded_as = f"{day.isoformat()} {board.result}"
    return game


def _in_order(games: list[Game]) -> list[Game]:
    """The games written, those with a result with their places in the order of replay."""
    played = [game for game in games if game.result]
    for game, sequence in zip(played, take_numbers(GAME_SEQUENCE, len(played), step=GAME_SEQUENCE_STEP), strict=True):
        game.sequence = sequence
    return Game.objects.bulk_create(games, batch_size=_BATCH)


def _first_moment(games: Iterable[Game], tournament: Tournament) -> Moment | None:
    """The moment of the first game that is rated."""
    moments = [
        Moment(game.played_on, game.sequence)
        for game in games
        if game.played_on and game.sequence and OUTCOMES[Result(game.result)].rated
    ]
    return min(moments, default=None) if tournament.rated else None


def _write_audit(
    plan: Plan,
    tournament: Tournament,
    games: Sequence[Game],
    *,
    by: User | None,
    effect: Effect,
    reason: str,
    note: str,
) -> None:
    days = sorted(game.played_on.isoformat() for game in games if game.played_on)
    sequences = sorted(game.sequence for game in games if game.sequence)
    after = {
        "tournament": tournament.slug,
        "players": len(plan.people),
        "new_players": plan.new_people,
        "rounds": len(plan.rounds),
        "games": len(sequences),
        **({"days": [days[0], days[-1]], "sequences": [sequences[0], sequences[-1]]} if days else {}),
    }
    write_audit("report.imported", tournament, by=by, after=after, effect=effect, reason=reason, note=note)
