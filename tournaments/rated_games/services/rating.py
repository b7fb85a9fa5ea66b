"""Facts changed: hand the games down and let the lists follow. The only place where tournaments feed the ratings.

At a board where entries of more than one meet the game is the score sheet: boards, standings and brackets read it, and
it names each entry by its first player. It is in no list. What is rated, and counts for the people who played, is the
contest that follows it (`follow_board`).
"""

from collections.abc import Iterable, Mapping

from django.db import transaction
from django.db.models import prefetch_related_objects
from django.utils import timezone

from ratings.ledger.services.ledger import replay_from, scope_of
from ratings.lists.services import lock_lists
from ratings.models import RatingList
from ratings.systems.base import Moment
from ratings.systems.sides import GamesAndContests, Played
from tournaments.models import Contest, ContestMember, ContestSide, EntryMember, Game, Tournament
from tournaments.rated_games.selectors.games import first_moment, rated_play, whole_periods_from
from tournaments.standings.points import RATED_RESULTS, SCORES

# Behind the number of its game, and before that of any other: numbers are given 16 apart.
BEHIND_ITS_GAME = 1
PLACES = {1.0: (1, 2), 0.5: (1, 1), 0.0: (2, 1)}  # by White's score
# What lists have read, by where it begins (None: everything) and whether stones and komi are with it.
Read = dict[tuple[Moment | None, bool], Played]


@transaction.atomic
def rerate(pool: str, since: Moment, *, event: int | None = None) -> None:
    """Rate every list of the pool anew from `since` on. `event`: the one (by key) in which a game changed; lists that
    rate by the event take it as a whole."""
    read: Read = {}
    lists = lock_lists(pool)
    prefetch_related_objects(lists, "rules")  # read twice of each
    for rating_list in lists:
        rerate_list(rating_list, since, read, event)


def rerate_list(
    rating_list: RatingList,
    since: Moment,
    read: Read | None = None,
    event: int | None = None,
) -> None:
    """Rate one list, locked and as it is stored, anew from `since`, or from where its periods begin. `read`: games
    other lists had read."""
    begin, games, from_nothing = tail_games(rating_list, since, {} if read is None else read, event)
    replay_from(rating_list, begin, games, from_nothing=from_nothing)


def tail_games(
    rating_list: RatingList,
    since: Moment,
    read: Read,
    event: int | None = None,
) -> tuple[Moment, Played, bool]:
    """The games and contests a list needs to be rated from `since` on: where they begin, what was played, and whether
    that is all the list has. `read`: what other lists had read."""
    scope = scope_of(rating_list, since)
    begin = whole_periods_from(rating_list.pool, since, scope.periods, event)
    first = None if scope.from_nothing else begin
    key = first, scope.handicaps
    if key not in read:
        read[key] = _read(rated_play(rating_list.pool, first, handicaps=scope.handicaps))
    return begin, read[key], scope.from_nothing


def _read(play: Played) -> Played:
    """The same, to be gone through more than once."""
    return GamesAndContests(list(play.games), play.contests) if isinstance(play, GamesAndContests) else list(play)


def rerate_event(tournament: Tournament, pools: Iterable[str]) -> None:
    """Re-rate those pools from the event's first game on, after the event entered or left them."""
    since = first_moment(tournament)
    if since is not None:
        for pool in sorted(set(pools)):
            rerate(pool, since)


# --- entries of more than one -------------------------------------------------------------------------------------
def follow_board(game: Game) -> None:
    """Bring the contest of a board up to its game as it is stored; one that is not rated any more leaves the lists. The
    lists of the pool are locked. Of two single players there is none, and no query."""
    if game.tournament.entry_size > 1:
        _follow(game.pk)


@transaction.atomic
def _follow(game: int) -> None:
    row = Game.objects.get(pk=game)
    contest = Contest.objects.filter(game=row).first()
    if row.result not in RATED_RESULTS or row.surplus or row.played_on is None or row.sequence is None:
        if contest is not None and not contest.withdrawn:
            contest.withdrawn = True
            contest.revision += 1
            contest.save(update_fields=["withdrawn", "revision"])
        return
    contest = contest or Contest(tournament_id=row.tournament_id, game=row, label=f"board-{row.pk}", revision=-1)
    contest.pool, contest.played_on, contest.sequence = row.pool, row.played_on, row.sequence + BEHIND_ITS_GAME
    contest.importance, contest.own_importance = row.importance, row.own_importance
    contest.withdrawn, contest.recorded_at = False, row.recorded_at or timezone.now()
    contest.revision += 1
    contest.save()
    _seat(contest, row)


def _seat(contest: Contest, row: Game) -> None:
    ContestSide.objects.filter(contest=contest).delete()
    members = _sides_at(row)
    firsts, scores = (row.white_id, row.black_id), (row.white_points, row.black_points)
    for line, (first, place, score) in enumerate(zip(firsts, PLACES[SCORES[row.result]], scores, strict=True), 1):
        side = ContestSide.objects.create(
            contest=contest, line=line, place=place, score=None if None in scores else score
        )
        ContestMember.objects.bulk_create(
            ContestMember(contest=contest, side=side, player_id=player) for player in members[first]
        )


def _sides_at(game: Game) -> Mapping[int, list[int]]:
    """Keys of the members of both entries at a board, by the key of the player who stands for each in the game."""
    rows = EntryMember.objects.filter(tournament=game.tournament_id, entry__player__in=(game.white_id, game.black_id))
    found: dict[int, list[int]] = {game.white_id: [], game.black_id: []}
    for first, player in rows.order_by("player").values_list("entry__player", "player"):
        found[first].append(player)
    return found
