"""How likely each side of a table is placed first, by the list its pool is rated in and the ratings of now."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

from clubrating.ground.figures import percents
from players.models import Player
from ratings.ledger.services.rows import state_of
from ratings.lists.selectors.lists import live_ratings
from ratings.lists.services import rules_of
from ratings.models import PlayerRating, RatingList
from ratings.systems.base import PlayerState
from ratings.systems.replay import DatedRule
from ratings.systems.rules import Weights
from ratings.systems.sides import Chances

Sides = Sequence[Sequence[Player]]


@dataclass(frozen=True, slots=True)
class SaidChances:
    """Whole per cents that add up to 100: each side's chance of first place alone; `tied`: that of a shared one, where
    the system knows it."""

    sides: tuple[int, ...]
    tied: int | None = None


@dataclass(frozen=True, slots=True)
class PoolChances:
    """What a pool's list says of some tables, one after the other; no list: none of the pool says who will be first."""

    rating_list: RatingList | None
    tables: tuple[SaidChances, ...]

    @property
    def knows_ties(self) -> bool:
        """Whether the list says how likely a first place is shared."""
        return any(table.tied is not None for table in self.tables)


def said_chances(chances: Chances) -> SaidChances:
    """The chances as pages write them."""
    *sides, tied = percents([*chances.first, chances.tied])
    return SaidChances(tuple(sides), tied if chances.tied else None)


def chances_at(pool: str, tables: Sequence[Sides], on: date, weights: Weights = None) -> PoolChances:
    """Of the pool's lists the foremost one that knows such chances speaks for all. `weights`: everybody's share, where
    there is one table. Somebody without a rating has a newcomer's. Three queries, where the first list knows."""
    rows = RatingList.objects.filter(pool=pool).prefetch_related("rules").order_by("-primary", "order", "pk")
    people = {player.pk: player for sides in tables for side in sides for player in side}
    for rating_list in rows:
        rule = rules_of(rating_list).on(on)
        if rule.system.contest_rater(rule.settings) is None:
            continue
        known = {row.player_id: row for row in live_ratings().filter(rating_list=rating_list, player__in=people)}
        states = {key: _state(rule, known.get(key), player, on) for key, player in people.items()}
        found = [_chances(rule, sides, states, weights) for sides in tables]
        said = tuple(said_chances(each) for each in found if each is not None)
        if len(said) == len(tables):
            return PoolChances(rating_list, said)
    return PoolChances(None, ())


def _chances(rule: DatedRule, sides: Sides, states: dict[int, PlayerState | None], weights: Weights) -> Chances | None:
    before: list[list[PlayerState]] = []
    for side in sides:
        known = [state for player in side if (state := states[player.pk])]
        if len(known) < len(side):
            return None
        before.append(known)
    return rule.system.chances(rule.settings, before, weights)


def _state(rule: DatedRule, row: PlayerRating | None, player: Player, on: date) -> PlayerState | None:
    if row is not None:
        return state_of(row, player.birth_year)
    return rule.system.newcomer(rule.settings, player.birth_year, on.toordinal())
