"""Where somebody stands on probation, as pages explain it: how far, why, and what the end of it changes."""

from dataclasses import dataclass
from datetime import date

from ratings.ledger.services.rows import state_of
from ratings.models import PlayerRating, RatingList
from ratings.systems.elo import EloSettings, Method, evidence_of, k_rule_of
from ratings.systems.replay import DatedRule


@dataclass(frozen=True, slots=True)
class Standing:
    """`done` of `of` games; `returning`: after a long absence, not as a newcomer. `k_now`, `k_after`: K by the list's
    present rule, None where K follows from no table."""

    done: int
    of: int
    returning: bool = False
    k_now: float | None = None
    k_after: float | None = None

    @property
    def left(self) -> int:
        return max(self.of - self.done, 0)

    @property
    def provisional(self) -> bool:
        return self.left > 0


def standing_at(rating_list: RatingList, games: int, reentry: int) -> Standing:
    """Somebody with so many rated games, and so many still to play after a return."""
    first = rating_list.provisional_games
    if reentry > max(first - games, 0):
        of = max(rating_list.reentry_games, reentry)
        return Standing(of - reentry, of, returning=True)
    return Standing(min(games, first), first)


def standing_of(row: PlayerRating, birth_year: int | None, rule: DatedRule, on: date) -> Standing:
    """The same for a current rating, with K now and after the exit by the rule in force `on` that day."""
    here = standing_at(row.rating_list, row.games, row.reentry)
    settings = rule.settings
    if not isinstance(settings, EloSettings) or settings.method == Method.US_CHESS:
        return here
    if evidence_of(settings) is not None:
        return here  # K does not follow the number of games
    state = state_of(row, birth_year)
    step = k_rule_of(settings).step
    age = state.age_on(on.year)
    k_now = step(state.rating, state.games, state.peak, age).k
    k_after = step(state.rating, max(state.games, row.rating_list.provisional_games), state.peak, age).k
    return Standing(here.done, here.of, here.returning, k_now, k_after)
