"""Loading a stream of real games (GAMES.csv): into open-ended events, in one transaction, rated once at the end.

A free game is a pairing without round and without seats, and its game names both players. The games take their
places in the order of replay as they stand in the file; those a later file adds to a day follow the day's others.
Loading a file again loads only what is not there yet, so a file may grow and be loaded every week; a game corrected
meanwhile is known by what the file said. Forfeits are kept and never rated.

Not done: correcting. A game that is here with another result is a bad row; corrections need a reason and an actor,
and are made in the administration.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import date

from django.contrib.auth.models import User
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from players.counters import GAME_SEQUENCE, GAME_SEQUENCE_STEP, take_numbers
from players.models import AuditEvent, Counter, Player
from players.people.services import NewPlayer, create_players
from players.refusals import Refused
from players.trail.services import write_audit
from ratings.lists.services import lock_lists
from ratings.models import RatingList
from ratings.systems.base import Moment
from tournaments.corrections.services.game_changes import SWAPPED
from tournaments.entries.services.names import BadRows, People, look_alikes, look_up, nobody
from tournaments.events.selectors.officers import may_correct
from tournaments.events.services.counts import count_games_in
from tournaments.events.services.events import open_event
from tournaments.interchange.games_csv import GameRow
from tournaments.interchange.tables_csv import BadRow, in_order, read_name
from tournaments.models import Game, Pairing, Stage
from tournaments.rated_games.selectors.late_starts import late_starts_for
from tournaments.rated_games.services.rating import rerate
from tournaments.rated_games.services.rating_impact import Effect, ImpactRecorder, has_later
from tournaments.results.services.handicap import handicap_columns
from tournaments.results.services.results import notation
from tournaments.standings.points import OUTCOMES, Result

_BATCH = 500


@dataclass(frozen=True, slots=True)
class LoadReport:
    """What a load did, or would do: games `loaded` and those `known` before, how many of the loaded are `rated`
    (forfeits are not), how many people are new, and the events touched. `unlisted` pools are rated by no list;
    `alike` has a sentence for each new name that is much like somebody's; `late_starts` one for each starting rating
    that holds only after games of the load. `left_out`: the bad rows, where the others were to be loaded."""

    loaded: int
    known: int
    rated: int
    new_players: int
    events: tuple[str, ...]
    unlisted: tuple[str, ...]
    alike: tuple[str, ...]
    late_starts: tuple[str, ...] = ()
    left_out: tuple[BadRow, ...] = ()


@dataclass(frozen=True, slots=True)
class _Wanted:
    """A row with what the file left open filled in."""

    row: GameRow
    event: str
    day: date
    pool: str


@dataclass(frozen=True, slots=True)
class _Plan:
    """What is to be written, found out without writing anything."""

    games: tuple[_Wanted, ...]
    known: int
    people: People
    bad: tuple[BadRow, ...]

    def new_names(self) -> list[str]:
        """Names nobody has, in the order they appear."""
        names = dict.fromkeys(name for wanted in self.games for name in (wanted.row.white, wanted.row.black))
        return [name for name in names if self.people.is_new(name)]


def load_games(
    rows: Sequence[GameRow],
    *,
    by: User | None,
    event_name: str,
    today: date,
    pool: str = "standard",
    known_players_only: bool = False,
    dry_run: bool = False,
    bad: Sequence[BadRow] = (),
    skip_bad: bool = False,
    reason: str = "",
    note: str = "",
) -> LoadReport:
    """Load the games that are not here yet, make the people and events they name, and rate each pool once.

    Rows without event go to `event_name`, those without pool to `pool`, undated ones to `today`. `bad`: the rows the
    reader refused; with any bad row nothing is loaded, but all are checked and told at once, unless `skip_bad` leaves
    them out. `dry_run` writes nothing. A load that brings games from before others is a correction: its audit event
    has what it moved, and `reason` (without one: reported late). Raises BadRows, or Refused for a pool no list rates,
    an event name that is none, or an event whose games others correct.
    """
    _check_defaults(pool, event_name)
    with transaction.atomic():
        if not dry_run:
            lock_lists()
            take_numbers(GAME_SEQUENCE, 0)  # locks the counter: of two loads of one file the second finds the first's
        plan = _plan(rows, event_name, today, pool, known_players_only=known_players_only)
        refused = in_order([*bad, *plan.bad])
        if refused and not skip_bad:
            raise BadRows(refused)
        _check_officers(plan, by)
        report = replace(_report(plan), left_out=refused)
        if not dry_run and plan.games:
            _write(plan, by=by, reason=reason, note=note)
        return report


def first_new_moments(rows: Sequence[GameRow], *, event_name: str, today: date, pool: str) -> dict[str, Moment]:
    """For each pool the moment at which the first game would be rated that a load would bring."""
    sequence = Counter.objects.filter(name=GAME_SEQUENCE).values_list("value", flat=True).first() or 0
    first: dict[str, Moment] = {}
    for wanted in _plan(rows, event_name, today, pool, known_players_only=False).games:
        if OUTCOMES[wanted.row.result].rated:
            moment = Moment(wanted.day, sequence + GAME_SEQUENCE_STEP)
            first[wanted.pool] = min(first.get(wanted.pool, moment), moment)
    return first


def _check_defaults(pool: str, event_name: str) -> None:
    try:
        read_name(event_name, _("The event’s name"))
    except ValueError as reason:
        raise Refused(f"{reason}.") from None
    if problem := unlisted_pool(pool):
        raise Refused(problem)


def unlisted_pool(pool: str) -> str:
    """A sentence where no list rates the pool; empty where one does, or there is no list."""
    pools = _listed_pools()
    if not pools or pool in pools:
        return ""
    values = {"pool": pool, "pools": ", ".join(pools)}
    return _("No rating list rates the pool “%(pool)s”: choose one of %(pools)s.") % values


def _check_officers(plan: _Plan, by: User | None) -> None:
    """Raises Refused where games would come into an event that others run; a command may load into any."""
    if by is None:
        return
    names = sorted({wanted.event for wanted in plan.games})
    for start in range(0, len(names), _BATCH):
        stages = Stage.objects.filter(name__in=names[start : start + _BATCH], tournament__open_ended=True)
        for stage in stages.select_related("tournament"):
            if not may_correct(by, stage.tournament):
                text = _("“%(name)s” is run by others: they load its games, or another event takes them.")
                raise Refused(text % {"name": stage.tournament.name})


def _listed_pools() -> list[str]:
    return list(dict.fromkeys(RatingList.objects.values_list("pool", flat=True)))


# --- the plan: what is new, and what cannot be -----------------------------------------------------------------
def _plan(rows: Sequence[GameRow], event_name: str, today: date, pool: str, *, known_players_only: bool) -> _Plan:
    filled = [_Wanted(row, row.event or event_name, row.played_on or today, row.pool or pool) for row in rows]
    people = look_up(name for wanted in filled for name in (wanted.row.white, wanted.row.black))
    pools = _listed_pools()
    bad: list[BadRow] = []
    usable: list[_Wanted] = []
    for wanted in filled:
        problems = list(_problems(wanted, people, pools, known_players_only))
        bad += [BadRow(wanted.row.line, problem) for problem in problems]
        if not problems:
            usable.append(wanted)
    new, conflicts = _compare(usable, people)
    return _Plan(tuple(new), len(usable) - len(new) - len(conflicts), people, (*bad, *conflicts))


def _problems(wanted: _Wanted, people: People, pools: Sequence[str], known_players_only: bool) -> Iterable[str]:
    row = wanted.row
    for name in (row.white, row.black):
        if name in people.problems:
            yield people.problems[name]
        elif known_players_only and people.is_new(name):
            yield nobody(name)
    white, black = people.found.get(row.white), people.found.get(row.black)
    if white and white == black:
        names = {"white": row.white, "black": row.black}
        yield _("“%(white)s” and “%(black)s” are one person: correct one of the two names") % names
    if pools and wanted.pool not in pools:
        values = {"pool": wanted.pool, "pools": ", ".join(pools)}
        yield _("no rating list rates the pool “%(pool)s”: choose one of %(pools)s") % values


_Key = tuple[object, ...]


@dataclass(slots=True)
class _Here:
    """A game that is here: the result its file gave, and the one that stands now (corrected, or cleared). `taken`: a
    row of this file means it."""

    loaded: str
    now: str
    taken: bool = False


def _compare(usable: Sequence[_Wanted], people: People) -> tuple[list[_Wanted], list[BadRow]]:
    """Rows that are not here yet, and those here with another result.

    Equal are games of one event, day, label and pair whose result is the row's, in the file then or by a correction
    since; counted: two such games in the file and one here leave one to load. An undated row is equal whatever day it
    was loaded on. Without a label two players may have met twice in an evening, so only a labelled game can
    contradict the file.
    """
    dated = any(wanted.row.played_on for wanted in usable)
    here = _games_here({wanted.event for wanted in usable}, dated=dated)
    unmatched = [wanted for wanted in usable if not _strike_out(here.get(_key(wanted, people, dated), []), wanted)]
    new: list[_Wanted] = []
    conflicts: list[BadRow] = []
    for wanted in unmatched:
        left = [game for game in here.get(_key(wanted, people, dated), []) if wanted.row.label and not game.taken]
        if left:
            conflicts.append(_conflict(wanted, Result(left[0].now)))
        else:
            new.append(wanted)
    return new, conflicts


def _games_here(events: Iterable[str], *, dated: bool) -> dict[_Key, list[_Here]]:
    """The games of open-ended events that files call by those names, under the day and pair the files gave them.

    Moved to another day or cleared since: the file that brought a game still knows it. Where the colours were
    exchanged since, both ways are known. A game entered by hand is known as it stands.
    """
    names = sorted(events)
    games: dict[_Key, list[_Here]] = {}
    for start in range(0, len(names), _BATCH):
        rows = Game.objects.filter(pairing__stage__name__in=names[start : start + _BATCH], tournament__open_ended=True)
        columns = ("pairing__stage__name", "loaded_as", "pairing__label", "played_on", "result", "white_id", "black_id")
        for event, loaded_as, label, played_on, result, *pair in rows.values_list(*columns):
            day, _blank, loaded = (loaded_as or f"{played_on} {result}").removesuffix(SWAPPED).partition(" ")
            game = _Here(loaded, result)
            for white, black in (pair, pair[::-1]) if loaded_as.endswith(SWAPPED) else (pair,):
                games.setdefault((event, day if dated else None, label, white, black), []).append(game)
    return games


def _key(wanted: _Wanted, people: People, dated: bool) -> _Key:
    # A name nobody has stands for itself: it equals no player's key.
    white, black = (
        people.found[name].pk if name in people.found else name for name in (wanted.row.white, wanted.row.black)
    )
    return (wanted.event, wanted.day.isoformat() if dated else None, wanted.row.label, white, black)


def _strike_out(games: list[_Here], wanted: _Wanted) -> bool:
    """Take the game that the row means off those left; whether there was one."""
    result = str(wanted.row.result)
    left = [game for game in games if not game.taken]
    found = next((game for game in left if game.loaded == result), None)
    found = found or next((game for game in left if game.now == result), None)
    if found is not None:
        found.taken = True
    return found is not None


def _conflict(wanted: _Wanted, stands: Result) -> BadRow:
    values = {"label": wanted.row.label, "event": wanted.event, "stands": notation(stands) if stands else _("cleared")}
    text = _(
        "game %(label)s of “%(event)s” is here with the result %(stands)s: "
        "correct it in the administration, or correct the file"
    )
    return BadRow(wanted.row.line, text % values)


def _report(plan: _Plan) -> LoadReport:
    pools = _listed_pools()
    return LoadReport(
        loaded=len(plan.games),
        known=plan.known,
        rated=sum(OUTCOMES[wanted.row.result].rated and wanted.pool in pools for wanted in plan.games),
        new_players=len(plan.new_names()),
        events=tuple(dict.fromkeys(wanted.event for wanted in plan.games)),
        alike=look_alikes(plan.new_names()),
        late_starts=tuple(map(str, late_starts_for(_first_days(plan)))),
        unlisted=tuple(dict.fromkeys(wanted.pool for wanted in plan.games if wanted.pool not in pools)),
    )


def _first_days(plan: _Plan) -> dict[tuple[str, int], date]:
    """The first day on which each of the people who are here plays a rated game of the load, by pool."""
    firsts: dict[tuple[str, int], date] = {}
    for wanted in plan.games:
        for name in (wanted.row.white, wanted.row.black):
            if OUTCOMES[wanted.row.result].rated and name in plan.people.found:
                key = (wanted.pool, plan.people.found[name].pk)
                firsts[key] = min(firsts.get(key, wanted.day), wanted.day)
    return firsts


# --- writing ------------------------------------------------------------------------------------------------
def _write(plan: _Plan, *, by: User | None, reason: str, note: str) -> None:
    new = plan.new_names()
    created = create_players([NewPlayer(name) for name in new], by=by)
    players = {**plan.people.found, **dict(zip(new, created, strict=True))}
    stages: dict[str, Stage] = {}
    for wanted in plan.games:
        if wanted.event not in stages:
            stages[wanted.event] = open_event(wanted.event, pool=wanted.pool, by=by)
    games = _write_games(plan.games, players, stages)
    first = _first_moments(games)
    late = {pool: moment for pool, moment in first.items() if has_later(pool, moment)}
    impact = ImpactRecorder(late, None)
    for pool, since in first.items():
        rerate(pool, since)
    reason, effect = reason or (AuditEvent.Reason.LATE_REPORT if late else ""), impact.effect()
    for stage in stages.values():
        new_here = [game for game in games if game.tournament_id == stage.tournament_id]
        count_games_in(stage.tournament, new_here)
        _write_audit(stage, new_here, by=by, effect=effect, reason=reason, note=note)
        effect = {}  # of one load, so it stands once


def _write_games(wanted: Sequence[_Wanted], players: dict[str, Player], stages: dict[str, Stage]) -> list[Game]:
    pairings = Pairing.objects.bulk_create(
        [Pairing(stage=stages[game.event], label=game.row.label) for game in wanted], batch_size=_BATCH
    )
    sequences = take_numbers(GAME_SEQUENCE, len(wanted), step=GAME_SEQUENCE_STEP)
    now = timezone.now()
    return Game.objects.bulk_create(
        [
            Game(
                tournament=stages[game.event].tournament,
                pairing=pairing,
                pool=game.pool,
                white=players[game.row.white],
                black=players[game.row.black],
                result=game.row.result,
                white_points=game.row.white_points,
                black_points=game.row.black_points,
                **handicap_columns(game.row.handicap, stages[game.event].tournament),
                importance=game.row.importance or stages[game.event].tournament.importance,
                own_importance=game.row.importance is not None,
                played_on=game.day,
                sequence=sequence,
                recorded_at=now,
                loaded_as=f"{game.day.isoformat()} {game.row.result}",
            )
            for game, pairing, sequence in zip(wanted, pairings, sequences, strict=True)
        ],
        batch_size=_BATCH,
    )


def _write_audit(
    stage: Stage, games: Sequence[Game], *, by: User | None, effect: Effect, reason: str, note: str
) -> None:
    days = [game.played_on.isoformat() for game in games if game.played_on]
    sequences = [game.sequence for game in games]
    after = {"games": len(games), "days": [min(days), max(days)], "sequences": [sequences[0], sequences[-1]]}
    write_audit("games.loaded", stage.tournament, by=by, after=after, effect=effect, reason=reason, note=note)


def _first_moments(games: Iterable[Game]) -> dict[str, Moment]:
    """For each pool the moment of its first new game that counts."""
    first: dict[str, Moment] = {}
    for game in games:
        if game.played_on and game.sequence and game.tournament.rated and OUTCOMES[Result(game.result)].rated:
            moment = Moment(game.played_on, game.sequence)
            first[game.pool] = min(first.get(game.pool, moment), moment)
    return first
