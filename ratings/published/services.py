"""How a list stood at the end of an earlier day, as it is known now: read off the live ledger.

Every player's state is what his first event after the day says of the state before it, or his current one where
nothing followed (`ratings.ledger.services.old_tail`). So a list that rates game by game is read without rating anything.
Where games are rated together, those of the periods under way that day are rated once more, up to that day: a month
stands as its games so far, and an event with games still to come has moved nobody yet. Where the ledger cannot be
read backwards (the whole field was normalised since, or the system remembers more than the columns hold), and where so
much followed that reading is slower, the facts are replayed up to the day.

It equals a fresh replay of the facts up to that day, always. Nothing is written. What the ledger does not tell is as
it is today: years of birth, and who is active.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta

from ratings.models import PlayerRating, RatingList
from ratings.ledger.services.ledger import activity, birth_years
from ratings.lists.services import reentry_of, rules_of, starts_of
from ratings.ledger.services.old_tail import old_tail, states_before, undo_returns
from ratings.ledger.services.rows import is_ranked, state_of
from ratings.systems.base import Moment, PlayedGame, PlayerState
from ratings.systems.replay import replay


@dataclass(frozen=True, slots=True)
class PastGames:
    """What `states_on` is handed: the list's rated games from `begin` to the end of the day, in order of replay.

    No period spans `begin` (`ratings.ledger.services.ledger.Scope`); with `from_nothing` they are all the list has. An event
    with games after the day is not `closed` in them.
    """

    begin: Moment
    games: Sequence[PlayedGame] = ()
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
    rows = replay(
        past.games,
        [start for start in starts if start.order < end],
        states=states,
        birth_years=births,
        rules=rules_of(rating_list),
        reentry=reentry_of(rating_list),
    )
    for _row in rows:
        pass
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


def standings_of_states(rating_list: RatingList, states: Mapping[int, PlayerState]) -> list[Standing]:
    """The list those states make, best first; of equal ratings the one reached first is ahead."""
    active = activity()
    found, place = [], 0
    for player, state in sorted(states.items(), key=lambda item: (-item[1].rating, item[1].reached, item[0])):
        provisional = state.games < rating_list.provisional_games or state.reentry > 0
        ranked = is_ranked(rating_list, state.games, state.reentry, active[player])
        place += ranked
        found.append(
            Standing(player, place if ranked else None, state.rating, state.games, provisional, state.deviation)
        )
    return found
