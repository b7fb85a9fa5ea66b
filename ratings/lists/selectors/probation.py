"""Where somebody stands on probation, as pages explain it: how far, why, and what the end of it changes."""

from dataclasses import dataclass
from datetime import date

from ratings.ledger.services.rows import state_of
from ratings.models import PlayerRating, RatingList
from ratings.systems.elo import EloSettings, Method, evidence_of, k_rule_of
from ratings.systems.probation import Known
from ratings.systems.replay import DatedRule


@dataclass(frozen=True, slots=True)
class Standing:
    """`done` of `of` games; `returning`: after a long absence, not as a newcomer. By evidence `deviation` ends it, and
    `done` says how many games between equals tell as much; at the latest it ends after `latest` games. `k_now`,
    `k_after`: K by the list's present rule, None where K follows from no table."""

    done: int
    of: int
    returning: bool = False
    k_now: float | None = None
    k_after: float | None = None
    deviation: float | None = None
    latest: int = 0

    @property
    def left(self) -> int:
        return self.of - self.done

    @property
    def by_evidence(self) -> bool:
        return self.deviation is not None

    @property
    def provisional(self) -> bool:
        return self.left > 0


def standing_at(rating_list: RatingList, who: Known) -> Standing:
    """Somebody's standing, from his row, his state, or his half of a game before it."""
    probation = rating_list.probation
    done, first = probation.done(who), probation.of
    if who.reentry > first - done:
        of = max(rating_list.reentry_games, who.reentry)
        return Standing(of - who.reentry, of, returning=True)
    return Standing(done, first, deviation=probation.deviation, latest=probation.latest)


def standing_of(row: PlayerRating, birth_year: int | None, rule: DatedRule, on: date) -> Standing:
    """The same for a current rating, with K now and after the exit by the rule in force `on` that day."""
    here = standing_at(row.rating_list, row)
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
