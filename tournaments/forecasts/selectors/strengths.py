"""How strong the players of a stage are, with what is not known about it: drawn from their rated games.

The list is the one the stage's games are rated in and everybody may read. Evidence are the latest rated games of the
field in that list, over so many years (`YEARS`) and at most `MOST_GAMES`, those of the running event among them. How
they become strengths: `tournaments.forecasts.evidence` and `posterior`, docs/algorithms/forecast-strengths.md.

Where there is no such list, and where its points are not Elo's, nobody has a rating here: everybody begins alike, and
what tells are the field's games against each other in the stage's pool. Six queries at most, however many play.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from statistics import fmean
from typing import Any

import numpy
from django.db.models import Q
from django.utils import timezone

from players.models import Player
from ratings.lists.selectors.history import drawn_share
from ratings.lists.selectors.lists import latest_games, main_of, ratings_now
from ratings.lists.services import rules_of
from ratings.models import RatingList
from ratings.systems.base import Period, order_key
from ratings.systems.draws import draw_rate
from ratings.systems.rules import DatedRule
from tournaments.events.selectors.stages import field_of
from tournaments.forecast.outlook import Strengths, Tell
from tournaments.forecast.posterior import USUAL, Plan, Prior, posterior
from tournaments.forecasts.evidence import EVENNESS, UNKNOWN, Evidence, Known, Rated, evidence_of, prior_of
from tournaments.models import Entry, Game, Stage
from tournaments.standings.points import RATED_RESULTS, SCORES

YEARS = 5
MOST_GAMES = 10_000
NOBODY_NEW: Mapping[int, Known] = {}
_SIDES = tuple(f"{side}_{name}" for side in ("white", "black") for name in ("before", "games", "deviation"))


@dataclass(frozen=True, slots=True)
class PlayerStrength:
    """One player: `number` in the stage, `player` his key, `rating` in the list on Elo's scale (None: none), the
    `prior`, how many `games` count, `mean` and `deviation` of what they make of it. Elo points."""

    number: int
    player: int
    rating: float | None
    prior: Prior
    games: int
    mean: float
    deviation: float


@dataclass(frozen=True, slots=True)
class SamplerReport:
    """How well the chains have mixed: `games` of evidence since the day `since`, the share of steps `accepted`, the
    largest split-R̂ of all players and the smallest effective sample size. `rate`: Davidson's ν."""

    games: int
    since: date
    rate: float
    chains: int
    draws: int
    accepted: float
    rhat: float
    effective: float


@dataclass(frozen=True, slots=True)
class StageStrengths:
    """Strengths of a stage's players, by their numbers there. `rating_list`: whose ratings they began with, None where
    they began alike."""

    strengths: Strengths
    rating_list: RatingList | None
    people: tuple[PlayerStrength, ...]
    sampler: SamplerReport

    def by_rating(self) -> Strengths:
        """What the ratings alone say, as one draw; whoever has none stands where his prior does."""
        ratings = [each.prior.mean if each.rating is None else each.rating for each in self.people]
        return Strengths(self.strengths.players, numpy.array([ratings]), self.strengths.rate)


def strengths_of(
    stage: Stage, *, draws: int, rng: numpy.random.Generator, tell: Tell = lambda done, of: None
) -> StageStrengths:
    """So many draws of the strengths of everybody with a number in the stage. Raises ValueError where nobody has."""
    today = timezone.localdate()
    since = today - timedelta(days=round(365.25 * YEARS))
    field = field_of(stage)
    found = _list_of(stage, today)
    keys = {entry.player_id: number for number, entry in field.items()}
    if found is None:
        evidence, now = _among_themselves(stage, keys, since), dict[int, Known]()
        draws_among = sum(game.score == 0.5 for game in evidence.meetings)
        rate = draw_rate(len(evidence.meetings), draws_among, EVENNESS)
    else:
        rating_list, rule = found
        new = {entry.player_id: _newcomer(rule, entry.player, today) for entry in field.values()}
        evidence, now = evidence_in(rating_list, rule, list(keys), since, new=new)
        drawn = drawn_share(found[0])
        rate = draw_rate(drawn.games, drawn.draws, drawn.even)
    plan = Plan(kept=max(-(-draws // USUAL.chains), 4))
    known = posterior(
        {keys[player]: prior for player, prior in evidence.priors.items()},
        [game._replace(one=keys[game.one], other=keys[game.other]) for game in evidence.meetings],
        [game._replace(player=keys[game.player]) for game in evidence.outside],
        rate,
        plan=plan,
        rng=rng,
        tell=tell,
    )
    strengths = known.strengths(draws)
    people = []
    for key, number in keys.items():
        rating = now[key].rating if key in now else None
        mean, deviation = strengths.mean(number), strengths.deviation(number)
        people.append(PlayerStrength(number, key, rating, evidence.priors[key], evidence.games[key], mean, deviation))
    report = SamplerReport(
        games=len(evidence.meetings) + len(evidence.outside),
        since=since,
        rate=known.rate,
        chains=known.chains.shape[1],
        draws=len(strengths.draws),
        accepted=fmean(known.accepted),
        rhat=max(map(known.rhat, field)),
        effective=min(map(known.effective, field)),
    )
    return StageStrengths(strengths, found[0] if found else None, tuple(people), report)


def priors_now(stage: Stage, entries: Sequence[Entry]) -> tuple[dict[int, Prior], float]:
    """What the list the stage's games are rated in says at present of those players alone, by their numbers in the
    club, and Davidson's ν. Without such a list everybody begins alike. Four queries at most, and nothing is drawn."""
    today = timezone.localdate()
    found = _list_of(stage, today)
    if found is None:
        return {entry.player.number: prior_of(UNKNOWN) for entry in entries}, draw_rate(0, 0, EVENNESS)
    rating_list, rule = found
    rows = ratings_now(rating_list, [entry.player_id for entry in entries])
    known = {key: Known(row.rating, row.games, row.deviation) for key, row in rows.items()}
    drawn = drawn_share(rating_list)
    priors = {
        entry.player.number: prior_of(known.get(entry.player_id) or _newcomer(rule, entry.player, today))
        for entry in entries
    }
    return priors, draw_rate(drawn.games, drawn.draws, drawn.even)


def evidence_on(
    stage: Stage, people: Sequence[Player], since: date
) -> tuple[Evidence, dict[int, Known], RatingList | None]:
    """The games of those people since that day, by their keys, what the list the stage's games are rated in knows of
    them at present, and that list. Without such a list everybody begins alike. Six queries at most, and nothing is
    drawn."""
    today = timezone.localdate()
    found = _list_of(stage, today)
    keys = [player.pk for player in people]
    if found is None:
        return _among_themselves(stage, keys, since), {}, None
    rating_list, rule = found
    new = {player.pk: _newcomer(rule, player, today) for player in people}
    evidence, now = evidence_in(rating_list, rule, keys, since, new=new)
    return evidence, {key: now[key] for key in keys if key in now}, found[0]


def _list_of(stage: Stage, today: date) -> tuple[RatingList, DatedRule] | None:
    """The list the stage's games are rated in, with its rule today; None where there is none on Elo's scale."""
    if not stage.tournament.rated:
        return None
    found = main_of(RatingList.objects.filter(pool=_pool_of(stage), public=True))
    if found is None:
        return None
    rule = rules_of(found).on(today)
    return (found, rule) if rule.is_on_elos_scale else None


def strengths_in(
    rating_list: RatingList, keys: Sequence[int], *, draws: int, rng: numpy.random.Generator, tell: Tell
) -> Strengths:
    """So many draws of the strengths of those players (by key) as the list's games tell, in four queries at most.
    Where its points are not Elo's, everybody begins alike. Raises ValueError for nobody."""
    today = timezone.localdate()
    since = today - timedelta(days=round(365.25 * YEARS))
    rule = rules_of(rating_list).on(today)
    if rule.is_on_elos_scale:
        evidence, _now = evidence_in(rating_list, rule, keys, since)
        drawn = drawn_share(rating_list)
        rate = draw_rate(drawn.games, drawn.draws, drawn.even)
    else:
        alike = [Rated(*game[:3], UNKNOWN, UNKNOWN) for game in _ledger_of(rating_list, keys, since)]
        evidence = evidence_of(keys, alike, {})
        rate = draw_rate(len(alike), sum(game.score == 0.5 for game in alike), EVENNESS)
    plan = Plan(kept=max(-(-draws // USUAL.chains), 4))
    found = posterior(evidence.priors, evidence.meetings, evidence.outside, rate, plan=plan, rng=rng, tell=tell)
    return found.strengths(draws)


def _pool_of(stage: Stage) -> str:
    return stage.pool or stage.tournament.pool


# --- a list on Elo's scale ----------------------------------------------------------------------------------------
def evidence_in(
    rating_list: RatingList, rule: DatedRule, keys: Sequence[int], since: date, *, new: Mapping[int, Known] = NOBODY_NEW
) -> tuple[Evidence, dict[int, Known]]:
    """The evidence of the list's ledger on those players (by key), and what the list knows at present of them and of
    those they met; `new`: where it puts whoever it has never seen."""
    rated = _ledger_of(rating_list, keys, since)
    if rule.period == Period.ALL:
        # A fit of everything has no rating before a game, and its present ones know all of them.
        rated = [game._replace(white_known=UNKNOWN, black_known=UNKNOWN) for game in rated]
    met = {key for game in rated for key in (game.white, game.black)}
    rows = ratings_now(rating_list, [*{*keys, *met}])
    now = {key: Known(row.rating, row.games, row.deviation) for key, row in rows.items()}
    start = {key: known for key, known in new.items() if key not in now}
    return evidence_of(keys, rated, start | now), now


def _ledger_of(rating_list: RatingList, keys: Sequence[int], since: date) -> list[Rated]:
    """The latest rated games of those players (by key) since that day, oldest first."""
    of_field = Q(white_player__in=keys) | Q(black_player__in=keys)
    rows = latest_games(rating_list).filter(of_field, order__gte=order_key(since, 0))
    columns: tuple[Any, ...] = ("white_player", "black_player", "score", *_SIDES)
    latest = list(rows.values_list(*columns)[:MOST_GAMES])
    return [Rated(row[0], row[1], row[2], Known(*row[3:6]), Known(*row[6:])) for row in reversed(latest)]


def _newcomer(rule: DatedRule, player: Player, today: date) -> Known:
    """Where the list puts somebody it has never seen."""
    state = rule.system.newcomer(rule.settings, player.birth_year, today.toordinal())
    return UNKNOWN if state is None else Known(state.rating, 0)


# --- no list, or points of another kind ------------------------------------------------------------------------------
def _among_themselves(stage: Stage, keys: Collection[int], since: date) -> Evidence:
    """The field's games against each other in the stage's pool, rated or not."""
    games = Game.objects.filter(
        white__in=keys, black__in=keys, pool=_pool_of(stage), result__in=RATED_RESULTS, played_on__gte=since
    )
    latest = list(games.order_by("-played_on", "-sequence").values_list("white", "black", "result")[:MOST_GAMES])
    rated = [Rated(white, black, SCORES[result], UNKNOWN, UNKNOWN) for white, black, result in reversed(latest)]
    return evidence_of(list(keys), rated, {})
