"""Answering a committee's question in the background: what would change under another system or another K?

The list's games are rated twice in memory, under its rules and under the same rules with the proposed one from its day
on, exactly as adopting it would; nothing is written. The proposed rule holds until the list's next one, as it would.
Its predictions are measured as if it had held from the first game on: a rule that begins today has predicted nothing
yet.
"""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from datetime import date
from typing import Any

from clubrating.ground.marks import marked
from clubrating.site.research.selectors import CLUB, MOST_GAMES, club_history, has_enough_games
from clubrating.site.research.services.backtests import list_of, tried
from players.models import Job
from ratings.lab.backtest import report
from ratings.lab.measures import entrant_of_rule
from ratings.lab.proposal import Course, Worths, run_course
from ratings.ledger.services.ledger import activity, birth_years
from ratings.ledger.services.rows import is_ranked
from ratings.lists.services import check_rule, reentry_of, rules_of, starts_of
from ratings.models import RatingList
from ratings.systems import rating_system
from ratings.systems.base import PlayerState, Start
from ratings.systems.replay import DatedRule, DatedRules
from tournaments.forecast.outlook import Tell
from tournaments.rated_games.selectors.games import count_rated, rated_games

PROPOSED = "proposed"
MOST_MOVERS = 200  # listed by name; the number of all who move is given too
MEANS = 60  # points of the drift's curve
MOVED = 0.05  # rating points: smaller changes are invisible at one decimal
_COURSES, _TRIED = 40, 20  # shares of the progress: each of the two courses, and the back-test


@dataclass(frozen=True, slots=True)
class Stand:
    """Where somebody stands at a course's end; `place` None: not ranked. `reentry`: games of a probation begun anew."""

    rating: float
    place: int | None
    games: int
    reentry: int


def answer_proposal(job: Job, tell: Tell) -> dict[str, Any]:
    """What the page shows, as plain values; players by key. Raises Refused for a list that is gone or settings the
    system refuses."""
    rating_list = list_of(job)
    proposed, since = _rule_of(job.payload)
    games = count_rated(rating_list.pool)
    present = rules_of(rating_list)
    starts = starts_of(rating_list)

    def course(rules: DatedRules, before: int) -> Course:
        return run_course(
            rated_games(rating_list.pool),
            starts,
            rules=rules,
            birth_years=birth_years(),
            reentry=reentry_of(rating_list),
            since=since.toordinal(),
            every=max(games // MEANS, 1),
            tell=lambda rated: tell(before + _COURSES * rated // max(games, 1), 2 * _COURSES + _TRIED),
        )

    now = course(present, 0)
    then = course(with_rule(present, proposed), _COURSES)
    return {
        "games": now.games,
        "rated": now.rated,
        **_people(rating_list, now, then),
        "means": {"now": list(now.means.items()), "then": list(then.means.items())},
        "worths": {"now": _worths(now.worths), "then": _worths(then.worths)},
        "prediction": _prediction(rating_list, proposed, starts, tell),
    }


def _rule_of(payload: Mapping[str, Any]) -> tuple[DatedRule, date]:
    check_rule(payload["system"], payload["settings"])
    system, since = rating_system(payload["system"]), date.fromisoformat(payload["from"])
    return DatedRule(since, system, system.read_settings(payload["settings"])), since


def with_rule(rules: DatedRules, rule: DatedRule) -> DatedRules:
    """The list's rules once that one is adopted; one that begins on the same day gives way to it."""
    return DatedRules([*(each for each in rules.all if each.valid_from != rule.valid_from), rule])


# --- people ---------------------------------------------------------------------------------------------------------
def _people(rating_list: RatingList, now: Course, then: Course) -> dict[str, Any]:
    """Who moves: how many, how far, and the biggest movers as [player, now, then]."""
    active = activity()
    before, after = (stands_of(rating_list, course.states, active) for course in (now, then))
    both = [player for player in before if player in after]
    moves = {player: after[player].rating - before[player].rating for player in both}
    moved = sorted(
        (player for player in both if _is_moved(before[player], after[player])),
        key=lambda player: (-abs(moves[player]), before[player].place or len(before), player),
    )
    return {
        "listed": len(before),
        "moved": len(moved),
        "mean_move": sum(abs(move) for move in moves.values()) / len(moves) if moves else 0.0,
        "places": sum(before[player].place != after[player].place for player in both),
        "movers": [[player, asdict(before[player]), asdict(after[player])] for player in moved[:MOST_MOVERS]],
    }


def _is_moved(before: Stand, after: Stand) -> bool:
    return abs(after.rating - before.rating) >= MOVED or before.place != after.place


def stands_of(
    rating_list: RatingList, states: Mapping[int, PlayerState], active: Mapping[int, bool]
) -> dict[int, Stand]:
    """Where everybody stands, by player (key), in the list's order: of equal ratings the one reached first is ahead."""
    order = sorted(states, key=lambda player: (-states[player].rating, states[player].reached, player))
    stands, place = {}, 0
    for player in order:
        state = states[player]
        ranked = is_ranked(rating_list, state.games, state.reentry, active.get(player, False))
        place += ranked
        stands[player] = Stand(state.rating, place if ranked else None, state.games, state.reentry)
    return stands


# --- figures --------------------------------------------------------------------------------------------------------
def _worths(worths: Worths) -> dict[str, float | None]:
    return {"k": worths.mean_k, "low": worths.k_low, "high": worths.k_high, "move": worths.mean_move}


def _prediction(rating_list: RatingList, proposed: DatedRule, starts: list[Start], tell: Tell) -> dict[str, Any] | None:
    """The report of the back-test of the list's rules and the proposed one; None with too few games."""
    if not has_enough_games(rating_list):
        return None
    found = club_history(rating_list, most=MOST_GAMES)
    entrants = (
        found.entrants[0],
        entrant_of_rule(PROPOSED, marked("The proposed rule"), proposed, starts, reentry_of(rating_list)),
    )

    def further(done: int, of: int) -> None:
        tell(2 * _COURSES + _TRIED * done // of, 2 * _COURSES + _TRIED)

    return {**report(tried(found.history, entrants, CLUB, further)), "whole": found.whole}
