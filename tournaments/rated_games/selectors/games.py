"""Streams of games and contests: the rated ones in order of replay, and where somebody's begin."""

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import date
from typing import Any

from django.db.models import Exists, Func, IntegerField, Q, QuerySet

from players.models import Player
from ratings.systems.base import SEQUENCE_BITS, Handicap, Moment, Period, PlayedGame
from ratings.systems.sides import GamesAndContests, Played, PlayedContest, PlayedSide
from tournaments.models import Contest, ContestMember, EntryMember, Game, Tournament
from tournaments.standings.points import RATED_RESULTS, SCORES

PAGE = 20_000
_new = tuple.__new__  # a named tuple's own constructor costs as much as reading it
_WHOLE = (1.0,)  # the share of somebody who plays alone


class Day(Func):
    """A date as its proleptic ordinal, computed by the database: reading dates as objects costs more than a rating."""

    output_field = IntegerField()
    arity = 1

    def get_db_converters(self, connection: Any) -> list[Any]:
        """None: both databases answer with a whole number."""
        return []

    def as_sqlite(self, compiler: Any, connection: Any, **context: Any) -> Any:
        return self.as_sql(compiler, connection, template="CAST(julianday(%(expressions)s) - 1721424.5 AS INTEGER)")

    def as_postgresql(self, compiler: Any, connection: Any, **context: Any) -> Any:
        return self.as_sql(compiler, connection, template="(%(expressions)s - DATE '0001-01-01' + 1)")


_COLUMNS: tuple[Any, ...] = (
    "pk",
    "white_id",
    "black_id",
    "result",
    Day("played_on"),
    "sequence",
    "tournament_id",
    "importance",
    "white_points",
    "black_points",
)


@dataclass(frozen=True, slots=True)
class _Event:
    """What a game takes from its event. `rules_day`: the day its rules are read by (None: the day of the game)."""

    rules_day: int | None
    over: bool


# An event whose games are rated as games.
RATED_EVENT = {"tournament__rated": True, "tournament__entry_size": 1}


def rated_in(pool: str) -> QuerySet[Game]:
    """The pool's rated games: no byes, forfeits and penalties, and nothing played after its match was decided. Of
    entries of more than one it is the contest behind the game that is rated."""
    return Game.objects.filter(pool=pool, result__in=RATED_RESULTS, surplus=False, **RATED_EVENT)


def contests_in(pool: str) -> QuerySet[Contest]:
    """The pool's rated contests: whatever was not withdrawn."""
    return Contest.objects.filter(pool=pool, withdrawn=False, tournament__rated=True)


def count_rated(pool: str, since: Moment | None = None) -> int:
    """How many games and contests of the pool are rated, in all or from `since` on."""
    since_then = Q() if since is None else _from(since)
    return sum(rows.filter(since_then).count() for rows in (rated_in(pool), contests_in(pool)))


def moment_of_last(pool: str, games: int) -> Moment | None:
    """The moment at which the pool's last so many rated games begin; None where it has no more than those."""
    found = list(rated_in(pool).order_by("-played_on", "-sequence")[games - 1 : games + 1])
    return found[0].moment if len(found) == 2 else None


def rated_play(pool: str, since: Moment | None = None, *, handicaps: bool = False) -> Played:
    """The pool's rated games, and its rated contests where it has any, in order of replay, all or from `since` on;
    `handicaps` as for `rated_games`."""
    events = _Events(pool)
    games = rated_games(pool, since, events=events, handicaps=handicaps)
    return GamesAndContests(games, rated_contests(pool, since, events=events)) if events.contests else games


def rated_contests(
    pool: str,
    since: Moment | None = None,
    *,
    among: Collection[int] | None = None,
    events: "_Events | None" = None,
) -> list[PlayedContest]:
    """The pool's rated contests in order of replay, all or from `since` on; `among`: of these (keys) only. Two queries
    in no order: sorting is quicker here. Places are kept as 1-2-2-4 already. What is changed between the queries is
    left out: whoever reads without the lock of the lists catches up with it."""
    known = events or _Events(pool)
    contests = contests_in(pool) if since is None else contests_in(pool).filter(_from(since))
    contests = (contests if among is None else contests.filter(pk__in=among)).order_by()
    heads = contests.values_list("pk", Day("played_on"), "sequence", "tournament_id", "importance")
    in_order = sorted(
        (day << SEQUENCE_BITS | sequence, pk, day, key, weight) for pk, day, sequence, key, weight in heads
    )
    sides = _sides_of(contests)
    event_of = known.with_all({key for _, _, _, key, _ in in_order})
    found = []
    for order, pk, day, key, weight in in_order:
        if pk in sides:
            event, form = event_of[key], tuple(sorted(sides[pk]))
            found.append(_new(PlayedContest, (pk, form, order, event.rules_day or day, key, event.over, weight)))
    return found


def _sides_of(contests: QuerySet[Contest]) -> dict[int, list[PlayedSide]]:
    """The sides of each of those contests, by key. Sorted they stand in a contest's one form (`ratings.systems.sides`):
    by place, then by their lowest player."""
    first: dict[int, tuple[int, PlayedSide]] = {}  # by side, with its contest
    others: dict[int, list[tuple[int, float]]] = {}
    own = ContestMember.objects.filter(contest__in=contests.values("pk")).order_by()
    columns = ("contest_id", "side_id", "side__place", "side__score", "player_id", "weight")
    for contest, side, place, score, player, share in own.values_list(*columns):
        if side in first:
            others.setdefault(side, []).append((player, share))
        else:
            shares = _WHOLE if share == 1.0 else (share,)
            first[side] = contest, _new(PlayedSide, (place, (player,), shares, score, 0))
    sides: dict[int, list[PlayedSide]] = {}
    for side, (contest, form) in first.items():
        if side in others:
            players, shares = zip(*sorted([(form.players[0], form.weights[0]), *others[side]]), strict=True)
            form = form._replace(players=players, weights=shares)
        if contest in sides:
            sides[contest].append(form)
        else:
            sides[contest] = [form]
    return sides


def rated_games(
    pool: str,
    since: Moment | None = None,
    *,
    among: Collection[int] | None = None,
    events: "_Events | None" = None,
    handicaps: bool = False,
) -> Iterator[PlayedGame]:
    """The pool's rated games in order of replay, all or from `since` on; `among`: of these games (keys) only.
    `handicaps`: with stones and komi, in one query more; for lists whose system reads them."""
    games = _read_games(pool, since, among, events or _Events(pool))
    if not handicaps:
        return games
    rows = rated_in(pool) if since is None else rated_in(pool).filter(_from(since))
    rows = (rows if among is None else rows.filter(pk__in=among)).exclude(handicap=0, komi=None).order_by()
    given = {pk: Handicap(stones, komi) for pk, stones, komi in rows.values_list("pk", "handicap", "komi")}
    return (game._replace(handicap=given[game.game]) if game.game in given else game for game in games)


def _read_games(
    pool: str, since: Moment | None, among: Collection[int] | None, known: "_Events"
) -> Iterator[PlayedGame]:
    """The same without them.

    Rules are read by the event's first day, in an open-ended event by the day of the game. Read in pages: no question
    to the database stays open while a rebuild writes.
    """
    games = rated_in(pool).order_by("played_on", "sequence")
    games = games if among is None else games.filter(pk__in=among)
    page = games if since is None else games.filter(_from(since))
    while rows := list(page.values_list(*_COLUMNS)[:PAGE]):
        last = rows[-1]
        of = known.with_all({row[6] for row in rows})
        for pk, white, black, result, day, sequence, key, importance, own, other in rows:
            event = of[key]
            yield PlayedGame(
                pk,
                white,
                black,
                SCORES[result],
                day << SEQUENCE_BITS | sequence,
                event.rules_day or day,
                key,
                event.over,
                importance,
                None if own is None or other is None else abs(own - other),
                None if own is None or other is None else (own, other),
            )
        if len(rows) < PAGE:
            return
        page = games.filter(_from(Moment(date.fromordinal(last[4]), last[5] + 1)))


class _Events:
    """The rated events by key: there are few, so no game needs to join its own. `contests`: whether the pool has any,
    which is asked with them."""

    def __init__(self, pool: str) -> None:
        self._pool = pool
        self._read()

    def _read(self) -> None:
        self.contests = False
        self._known: dict[int, _Event] = {}
        has_contests = Exists(Contest.objects.filter(pool=self._pool))
        rows = Tournament.objects.filter(rated=True)
        columns = rows.values_list("pk", "starts_on", "open_ended", "closed", has_contests)
        for pk, on, open_ended, closed, self.contests in columns:
            self._known[pk] = _Event(on.toordinal() if on and not open_ended else None, open_ended or closed)

    def with_all(self, keys: set[int]) -> Mapping[int, _Event]:
        """The events by key, read again where one of those is new."""
        if not keys <= self._known.keys():
            self._read()
        return self._known


def _from(since: Moment) -> Q:
    # The first condition says nothing new, but an index can follow it; of the alternative it cannot.
    return Q(played_on__gte=since.on) & (Q(played_on__gt=since.on) | Q(sequence__gte=since.sequence))


def whole_periods_from(pool: str, since: Moment, periods: Iterable[Period], event: int | None = None) -> Moment:
    """The latest moment at or before `since` at which none of those periods is under way: rated from there, every
    period has all its games. `event`: one that changed, and counts even if its last game has gone."""
    wanted = set(periods)
    if Period.ALL in wanted:
        return Moment(since.on.min)
    while True:
        begin = since
        if Period.DAY in wanted:
            begin = min(begin, Moment(begin.on))
        if Period.MONTH in wanted:
            begin = min(begin, Moment(begin.on.replace(day=1)))
        if Period.EVENT in wanted:
            begin = min(begin, _first_of_running_events(pool, begin, event))
        if begin == since:
            return since
        since = begin


def _first_of_running_events(pool: str, since: Moment, event: int | None) -> Moment:
    """The first game of the events that began before `since` and have games after it, or are not over."""
    games = rated_in(pool)
    later = games.filter(_from(since)).values("tournament")
    running = Q(tournament__in=later) | Q(tournament__closed=False, tournament__open_ended=False) | Q(tournament=event)
    first = games.filter(running).order_by("played_on", "sequence").first()
    return min(since, first.moment) if first and first.moment else since


def people_at(games: Iterable[Game]) -> set[int]:
    """Keys of whoever sat at those boards, partners too; their event is joined in."""
    rows = list(games)
    found = {player for game in rows for player in (game.white_id, game.black_id)}
    if together := {game.tournament_id for game in rows if game.tournament.entry_size > 1}:
        entries = EntryMember.objects.filter(tournament__in=together, entry__player__in=found)
        found |= set(entries.values_list("player", flat=True))
    return found


def earliest(moments: Iterable[tuple[str, Moment]]) -> dict[str, Moment]:
    """The earliest of those moments in each pool."""
    first: dict[str, Moment] = {}
    for pool, moment in moments:
        first[pool] = min(first.get(pool, moment), moment)
    return first


def first_moments_of(games: Iterable[Game | Contest]) -> dict[str, Moment]:
    """The moment of the earliest of those games and contests in each pool; a game without a moment is left out."""
    return earliest((game.pool, game.moment) for game in games if game.moment)


def first_rated_moments(player: Player) -> dict[str, Moment]:
    """For each pool the moment of the player's first rated game or contest."""
    return first_rated_moments_of([player.pk])[player.pk]


def first_rated_moments_of(players: Collection[int]) -> dict[int, dict[str, Moment]]:
    """The same for each of those players, by key; in two queries."""
    found: dict[int, dict[str, Moment]] = {key: {} for key in players}
    games = Game.objects.filter(Q(white__in=players) | Q(black__in=players), result__in=RATED_RESULTS)
    rows = games.filter(tournament__rated=True).order_by("played_on", "sequence")
    for game in rows.only("white", "black", "pool", "played_on", "sequence"):
        for key in found.keys() & {game.white_id, game.black_id}:
            if game.moment:
                found[key].setdefault(game.pool, game.moment)
    contests = ContestMember.objects.filter(player__in=players, contest__withdrawn=False)
    columns = ("player", "contest__pool", "contest__played_on", "contest__sequence")
    for key, pool, on, sequence in contests.filter(contest__tournament__rated=True).values_list(*columns):
        found[key] = earliest([*found[key].items(), (pool, Moment(on, sequence))])
    return found


def first_moment(tournament: Tournament) -> Moment | None:
    """The moment of the event's first recorded game or contest, or None."""
    recorded = Game.objects.filter(tournament=tournament, sequence__isnull=False)
    game = recorded.order_by("played_on", "sequence").first()
    contest = Contest.objects.filter(tournament=tournament).order_by("played_on", "sequence").first()
    return min((moment for row in (game, contest) if row and (moment := row.moment)), default=None)
