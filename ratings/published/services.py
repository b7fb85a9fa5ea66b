"""Rating lists of the past: as now known for the end of an earlier day, and as published.

As now known, a list is read from the live ledger. Every player's state is that before his first event after the day, or
his current one where nothing followed (`ratings.ledger.services.old_tail`); so a list that rates game by game is read
without rating anything. Where games are rated by periods, those of the periods under way that day are rated once more,
up to that day: a month counts as its games so far, and an event with games still to come has changed no rating yet.
Where the ledger cannot be read backwards (the whole field was normalised since, or the system remembers more than the
columns hold), and where so much followed that reading is slower, the facts are replayed up to the day. The result
always equals a fresh replay of the facts up to that day. Nothing is written. What the ledger does not hold is as of
today: years of birth, and who is active.

Published lists are stored once, with their settings and a digest over their rows, and never rewritten. The rows come
from the caller (`tournaments.rated_games.services.past_lists`). They name players by key; names are joined when shown.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta

from django.contrib.auth.models import User
from django.db import transaction

from players.models import Player
from players.trail.services import write_audit
from ratings.ledger.services.ledger import activity, birth_years, replay_list
from ratings.ledger.services.old_tail import old_tail, states_before, undo_returns
from ratings.ledger.services.rows import state_of
from ratings.lists.selectors.listing import listing_of
from ratings.lists.services import reentry_of, rules_of, starts_of
from ratings.models import PlayerRating, PublishedList, PublishedRow, RatingList, StartingRating
from ratings.systems.base import Moment, PlayerState, Start
from ratings.systems.published import SealedRow, Terms, list_digest, plain_terms
from ratings.systems.sides import Played


# --- as now known ----------------------------------------------------------------------------------------------------
@dataclass(frozen=True, slots=True)
class PastGames:
    """What `states_on` is handed: the list's rated games and contests from `begin` to the end of the day, in order of
    replay.

    No period spans `begin` (`ratings.ledger.services.ledger.Scope`); with `from_nothing` they are all the list has. An
    event with games after the day is not `closed` in them.
    """

    begin: Moment
    games: Played = ()
    from_nothing: bool = False


@dataclass(frozen=True, slots=True)
class Standing:
    """One row of a list as it stood: the player by key, and a place for whoever takes one."""

    player: int
    place: int | None
    rating: float
    games: int
    provisional: bool
    deviation: float | None


def after(day: date) -> Moment:
    """The first moment that is no longer that day."""
    return Moment(day + timedelta(days=1))


def states_on(rating_list: RatingList, day: date, past: PastGames) -> dict[int, PlayerState]:
    """Everybody's state at the end of that day, by key; whoever was not in the list then is missing."""
    end = after(day).order
    births = birth_years()
    if past.from_nothing:
        states: dict[int, PlayerState] = {}
        starts = starts_of(rating_list)
    else:
        states = _states_at(rating_list, past.begin, births)
        starts = starts_of(rating_list, since=past.begin)
    for _row in replay_list(rating_list, past.games, [start for start in starts if start.order < end], states, births):
        pass  # the states move with the rows
    return states


def _states_at(rating_list: RatingList, moment: Moment, births: Mapping[int, int | None]) -> dict[int, PlayerState]:
    """Everybody's state just before a moment at which no period is under way."""
    live = rating_list.live_generation
    rows = PlayerRating.objects.filter(rating_list=rating_list, generation=live)
    current = {row.player_id: state_of(row, births.get(row.player_id)) for row in rows}
    old = old_tail(rating_list, live, moment)
    states = states_before(old, current)
    reentry = reentry_of(rating_list)
    if reentry:
        undo_returns(states, old, rating_list, live, reentry)
    return states


def standings_of_states(
    rating_list: RatingList, states: Mapping[int, PlayerState], on: date | None = None
) -> list[Standing]:
    """The list those states make, best first by what the list shows by the rule `on` that day (today where none is
    given); of equal figures the one reached first is ahead."""
    active, listing, probation = activity(), listing_of(rating_list, on), rating_list.probation
    found, place = [], 0

    def rank(item: tuple[int, PlayerState]) -> tuple[float, int, int]:
        player, state = item
        return -listing.value(state.rating, state.deviation), state.reached, player

    for player, state in sorted(states.items(), key=rank):
        provisional = probation.holds(state)
        ranked = active[player] and not provisional
        place += ranked
        found.append(
            Standing(player, place if ranked else None, state.rating, state.games, provisional, state.deviation)
        )
    return found


# --- published lists -------------------------------------------------------------------------------------------------
def is_published(rating_list: RatingList, on: date) -> bool:
    """Whether the list is published for that very day."""
    return PublishedList.objects.filter(rating_list=rating_list, on=on).exists()


def terms_of(rating_list: RatingList, on: date, running: Sequence[str] = ()) -> Terms:
    """What the list of that day is computed from besides the games, as it stands now. `running`: see `Terms`."""
    starts = StartingRating.objects.filter(rating_list=rating_list, on__lte=on).order_by("on", "player__number")
    values = starts.values_list("player__number", "on", "rating", "games", "peak", "deviation")
    rules = rules_of(rating_list).all
    return Terms(
        rating_list=rating_list.slug,
        pool=rating_list.pool,
        on=on,
        rules=tuple(
            (rule.valid_from, rule.system.key, rule.system.stored_settings(rule.settings))
            for rule in rules
            if rule.valid_from <= on or rule is rules[0]
        ),
        probation=rating_list.probation,
        reentry=reentry_of(rating_list),
        starts=tuple(Start(*row) for row in values),
        running=tuple(sorted(running)),
    )


@transaction.atomic
def freeze(rating_list: RatingList, terms: Terms, rows: Sequence[Standing], *, by: User | None) -> PublishedList:
    """Write the list of the day the terms name: one row a player, in the order given."""
    settings = plain_terms(terms)
    numbers = dict(Player.objects.values_list("pk", "number"))
    sealed = [SealedRow(numbers[row.player], row.rating, row.games, row.provisional) for row in rows]
    published = PublishedList.objects.create(
        rating_list=rating_list, on=terms.on, settings=settings, digest=list_digest(sealed, settings)
    )
    PublishedRow.objects.bulk_create(
        (
            PublishedRow(
                published_list=published,
                player_id=row.player,
                **{name: getattr(row, name) for name in ("place", "rating", "games", "provisional", "deviation")},
            )
            for row in rows
        ),
        batch_size=1000,
    )
    after = {"list": rating_list.slug, "on": terms.on.isoformat(), "players": len(rows), "digest": published.digest}
    write_audit("list.published", published, by=by, after=after)
    return published
