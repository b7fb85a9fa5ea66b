"""How ratings moved lately: the last games of a page of players, and who moved most."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date, timedelta
from operator import itemgetter

from django.db import connection
from django.db.models import ExpressionWrapper, F, FloatField, OuterRef, Subquery
from django.db.models.functions import Abs

from players.models import Player
from players.privacy.rules import Viewer, names_seen
from ratings.lists.selectors.lists import live_ratings, ratings_now
from ratings.lists.sparks import Stop
from ratings.models import ContestEntry, LedgerEntry, PlayerRating, PublishedList, PublishedRow, RatingList
from ratings.systems.base import order_key
from ratings.systems.probation import Record

LAST_GAMES = 12
# What is published so lately has hardly moved since: the list before it tells more.
SETTLED = timedelta(days=7)
A_MONTH = timedelta(days=30)
# Where nothing is published: of a month with more games than these the last ones tell.
MOST_GAMES = 5000


# --- trends -------------------------------------------------------------------------------------------------
# Django cannot say "the last twelve of each": of every player the index is read from its end, as White, as Black and,
# where the list has contests, of those.
_LAST_OF = """SELECT * FROM (SELECT {side}player, {order}, {side}before, {side}games, {side}reentry, {side}deviation
FROM {ledger} WHERE rating_list_id = %s AND generation = %s AND {side}player = %s
ORDER BY {order} DESC LIMIT %s) AS last"""


def trends(rating_list: RatingList, players: Iterable[int], count: int = LAST_GAMES) -> dict[int, list[Stop]]:
    """Of each of those players (by key) his rating before each of his last `count` rated games, oldest first. One
    query, whose work grows with the players asked for and not with their games."""
    keys = list(players)
    if not keys:
        return {}
    names = {"order": connection.ops.quote_name("order"), "ledger": LedgerEntry._meta.db_table}
    parts = [_LAST_OF.format(side=f"{side}_", **names) for side in ("white", "black")]
    if rating_list.has_contests:
        parts.append(_LAST_OF.format(side="", **{**names, "ledger": ContestEntry._meta.db_table}))
    here = (rating_list.pk, rating_list.live_generation)
    values = [value for key in keys for _side in parts for value in (*here, key, count)]
    with connection.cursor() as cursor:
        cursor.execute("\nUNION ALL\n".join(parts * len(keys)), values)
        rows = cursor.fetchall()
    stops: dict[int, list[Stop]] = {}
    probation = rating_list.probation
    for player, _order, before, *known in sorted((row for row in rows if row[2] is not None), key=itemgetter(0, 1)):
        stop = Stop(before, probation.holds(Record(*known)))
        stops.setdefault(player, []).append(stop)
    return {player: own[-count:] for player, own in stops.items()}


# --- movers -------------------------------------------------------------------------------------------------
@dataclass(frozen=True, slots=True)
class Mover:
    """Somebody's row, and the rating it is compared with."""

    row: PlayerRating
    was: float


@dataclass(frozen=True, slots=True)
class Movers:
    """Who moved most since the end of that day; `published` where that is the day of a published list."""

    since: date
    published: bool
    rows: tuple[Mover, ...]


def biggest_movers(rating_list: RatingList, viewer: Viewer, today: date, count: int = 5) -> Movers:
    """Who moved most since the last list that is a week old, or in the last thirty days where there is none. Only
    people whose names this viewer sees: a change may tell an age."""
    settled = PublishedList.objects.filter(rating_list=rating_list, on__lte=today - SETTLED)
    last = settled.only("on").first()
    if last is not None:
        return Movers(last.on, True, _since_list(rating_list, last, viewer, count))
    since = today - A_MONTH
    return Movers(since, False, _since_day(rating_list, since, viewer, count))


def _since_list(rating_list: RatingList, last: PublishedList, viewer: Viewer, count: int) -> tuple[Mover, ...]:
    was = PublishedRow.objects.filter(published_list=last, player=OuterRef("player")).values("rating")
    rows = live_ratings().filter(names_seen(viewer, "player__"), rating_list=rating_list, last_played__gt=last.on)
    rows = rows.annotate(was=Subquery(was[:1], output_field=FloatField())).exclude(was=None)
    moved = Abs(ExpressionWrapper(F("rating") - F("was"), output_field=FloatField()))
    rows = rows.annotate(moved=moved).order_by("-moved", "player__number").select_related("player")
    return tuple(Mover(row, row.was) for row in rows[:count])


def _since_day(rating_list: RatingList, since: date, viewer: Viewer, count: int) -> tuple[Mover, ...]:
    was = _first_before(rating_list, since)
    seen = Player.objects.filter(names_seen(viewer), pk__in=list(was)).values_list("pk", flat=True)
    rows = live_ratings().filter(rating_list=rating_list, player__in=list(seen))
    now = dict(rows.values_list("player_id", "rating"))
    moved = sorted(now, key=lambda player: (-abs(now[player] - was[player]), player))[:count]
    found = {row.player_id: row for row in rows.filter(player__in=moved).select_related("player")}
    return tuple(Mover(found[player], was[player]) for player in moved)


def _first_before(rating_list: RatingList, since: date) -> dict[int, float]:
    """By player (key) the rating before the first game or contest after that day, of the last games of that time."""
    live = {
        "rating_list": rating_list,
        "generation": rating_list.live_generation,
        "order__gte": order_key(since + timedelta(days=1), 0),
    }
    columns = ("order", "white_player", "white_before", "black_player", "black_before")
    games = LedgerEntry.objects.filter(**live).order_by("-order").values_list(*columns)[:MOST_GAMES]
    rows = [row for order, *both in games for row in ((order, *both[:2]), (order, *both[2:]))]
    if rating_list.has_contests:
        members = ContestEntry.objects.filter(**live).order_by("-order").values_list("order", "player", "before")
        rows += members[:MOST_GAMES]
    # From the last back: what stands at the end was written for the first one.
    return {player: before for _order, player, before in sorted(rows, key=lambda row: -row[0]) if before is not None}


# --- of a day -----------------------------------------------------------------------------------------------
def ratings_before(rating_list: RatingList, players: Iterable[int], day: date | None) -> dict[int, float]:
    """What those players (by key) were rated when that day began: before their first game or contest of that day or
    later, else as now; now where no day is given. Whoever had no rating is missing. Three queries, four where the list
    has contests."""
    keys = list(players)
    found: dict[int, float | None] = {key: row.rating for key, row in ratings_now(rating_list, keys).items()}
    rows = _rows_since(rating_list, keys, day) if day else []
    found |= {player: before for _order, player, before in sorted(rows, key=lambda row: -row[0])}
    return {player: rating for player, rating in found.items() if rating is not None}


def _rows_since(rating_list: RatingList, keys: list[int], day: date) -> list[tuple[int, int, float | None]]:
    """Order, player and rating before it of every event of those players on that day or later."""
    live = {"rating_list": rating_list, "generation": rating_list.live_generation, "order__gte": order_key(day, 0)}
    rows: list[tuple[int, int, float | None, int]] = []
    for side in ("white", "black"):
        games = LedgerEntry.objects.filter(**live, **{f"{side}_player__in": keys})
        rows += games.values_list("order", f"{side}_player", f"{side}_before", f"{side}_reached")
    if rating_list.has_contests:
        members = ContestEntry.objects.filter(**live, player__in=keys)
        rows += members.values_list("order", "player", "before", "reached")
    # What a newcomer starts from is no rating of his yet.
    return [(order, player, None if reached in (0, order) else before) for order, player, before, reached in rows]
