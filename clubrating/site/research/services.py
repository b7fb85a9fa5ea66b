"""Answers about a list's rules, worked out in the background: back-tests, and what would change under a proposed rule.

Back-test: the list's own rules, the lab's systems and a coin, on the list's own games. `ask_backtests` asks for it
every day for the lists whose facts have changed, so that the page has an answer before somebody opens it.

Proposal: the list's games are rated twice in memory, under its rules and under the same rules with the proposed one
from its day on, until the list's next one, exactly as adopting it would; nothing is written. Its predictions are
measured as if it had held from the first game on: a rule that begins today has predicted nothing yet.
"""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from datetime import date
from typing import Any

from django.utils import timezone
from django.utils.translation import gettext as _

from clubrating.ground.marks import marked
from clubrating.site.research.selectors import (
    BACKTEST,
    CLUB,
    COIN,
    FEWEST_GAMES,
    MOST_GAMES,
    ClubHistory,
    backtest_question,
    club_history,
    has_enough_games,
)
from players.jobs.services import ask, job_of
from players.models import Job
from players.refusals import Refused
from ratings.lab.backtest import backtest, report
from ratings.lab.measures import Entrant, History, Predictions, coin, entrant_of_rule
from ratings.lab.proposal import Course, Worths, run_course
from ratings.ledger.services.ledger import activity, birth_years
from ratings.lists.selectors.lists import public_lists
from ratings.lists.services import check_rule, reentry_of, rules_of, starts_of
from ratings.models import RatingList
from ratings.systems import rating_system
from ratings.systems.base import PlayerState, Start
from ratings.systems.probation import Probation
from ratings.systems.replay import DatedRule, DatedRules
from tournaments.forecast.outlook import Tell
from tournaments.rated_games.selectors.games import count_rated, rated_games


# --- back-tests -------------------------------------------------------------------------------------------------------
def answer_backtest(job: Job, tell: Tell) -> dict[str, Any]:
    """The report of `ratings.lab.backtest` on the last MOST_GAMES games of the list the job is about, and `whole`:
    whether these are all. Raises Refused for too few games."""
    rating_list = list_of(job)
    if not has_enough_games(rating_list):
        words = _("Too few rated games to judge by: there must be at least %(count)s.")
        raise Refused(words % {"count": FEWEST_GAMES})
    found = club_history(rating_list, most=MOST_GAMES)
    return _report(found, (*found.entrants, coin(COIN, marked("A coin"))), tell)


def list_of(job: Job) -> RatingList:
    """The list a job is about. Raises Refused where it is gone."""
    found = RatingList.objects.filter(pk=job.subject_key or 0).first()
    if found is None:
        raise Refused(_("The list was deleted meanwhile."))
    return found


def _report(found: ClubHistory, entrants: Sequence[Entrant], tell: Tell) -> dict[str, Any]:
    """The report of their back-test, and `whole`: whether these are all games there are; `tell` is called before each
    system."""

    def reporting(each: Entrant, at: int) -> Entrant:
        def predict(history: History, first: int) -> Predictions:
            tell(at, len(entrants))
            return each.tell(history, first)

        return replace(each, tell=predict)

    lines = [reporting(each, at) for at, each in enumerate(entrants)]
    return {**report(backtest(found.history, lines, CLUB)), "whole": found.whole}


def ask_backtests(today: date) -> int:
    """Have every public list's back-test worked out anew where its facts moved, at most once a day each; how many."""
    asked = 0
    for rating_list in public_lists():
        question = backtest_question(rating_list)
        if _asked_on(rating_list.pk) == today or job_of(question) is not None or not has_enough_games(rating_list):
            continue
        ask(question)
        asked += 1
    return asked


def _asked_on(list_key: int) -> date | None:
    """The day a list's back-test was last asked for, by whomever."""
    jobs = Job.objects.filter(kind=BACKTEST, subject_key=list_key).order_by("-pk")
    last = jobs.values_list("requested_at", flat=True).first()
    return None if last is None else timezone.localdate(last)


# --- proposals --------------------------------------------------------------------------------------------------------
PROPOSED = "proposed"
MOST_MOVERS = 200  # listed by name; the number of all who move is given too
MEANS = 60  # points of the drift's curve
MOVED = 0.05  # rating points: smaller changes are invisible at one decimal
_COURSES, _TRIED = 40, 20  # shares of the progress: each of the two courses, and the back-test


@dataclass(frozen=True, slots=True)
class Stand:
    """Where somebody stands at a course's end; `place` None: not ranked. `reentry`: games of a probation begun anew;
    `provisional`: whether he is on one."""

    rating: float
    place: int | None
    games: int
    reentry: int
    deviation: float | None
    provisional: bool


def answer_proposal(job: Job, tell: Tell) -> dict[str, Any]:
    """What the page shows, as plain values; players by key. Raises Refused for a list that is gone or settings the
    system refuses."""
    rating_list = list_of(job)
    check_rule(job.payload["system"], job.payload["settings"])
    proposed, present = rule_of(job.payload), rules_of(rating_list)
    games = count_rated(rating_list.pool)
    starts = starts_of(rating_list)

    def course(rules: DatedRules, before: int) -> Course:
        return run_course(
            rated_games(rating_list.pool, handicaps=any(rule.system.reads_handicap for rule in rules.all)),
            starts,
            rules=rules,
            birth_years=birth_years(),
            reentry=reentry_of(rating_list),
            since=proposed.valid_from.toordinal(),
            every=max(games // MEANS, 1),
            tell=lambda rated: tell(before + _COURSES * rated // max(games, 1), 2 * _COURSES + _TRIED),
        )

    now = course(present, 0)
    # A rule that begins on the same day gives way to the proposed one.
    others = (each for each in present.all if each.valid_from != proposed.valid_from)
    rules = DatedRules([*others, proposed])
    then = course(rules, _COURSES)
    ends = rules.probation(rating_list.provisional_games, max(proposed.valid_from, timezone.localdate()))
    return {
        "games": now.games,
        "rated": now.rated,
        **_people(_stands(now.states, rating_list.probation), _stands(then.states, ends)),
        "means": {"now": list(now.means.items()), "then": list(then.means.items())},
        "worths": {"now": _worths(now.worths), "then": _worths(then.worths)},
        "prediction": _prediction(rating_list, proposed, starts, tell),
    }


def rule_of(payload: Mapping[str, Any]) -> DatedRule:
    """The rule a proposal's job is about. Raises KeyError or ValueError where the system is no more, or knows such
    settings no more."""
    system = rating_system(payload["system"])
    return DatedRule(date.fromisoformat(payload["from"]), system, system.read_settings(payload["settings"]))


def _people(before: Mapping[int, Stand], after: Mapping[int, Stand]) -> dict[str, Any]:
    """Who moves: how many, how far, who would come off probation and who on it again, and the biggest movers as
    [player, now, then]."""
    both = [player for player in before if player in after]
    moves = {player: after[player].rating - before[player].rating for player in both}
    placed = {player for player in both if before[player].place != after[player].place}
    moved = sorted(
        (player for player in both if abs(moves[player]) >= MOVED or player in placed),
        key=lambda player: (-abs(moves[player]), before[player].place or len(before), player),
    )
    return {
        "listed": len(before),
        "moved": len(moved),
        "mean_move": sum(abs(move) for move in moves.values()) / len(moves) if moves else 0.0,
        "places": len(placed),
        "off": sum(before[player].provisional and not after[player].provisional for player in both),
        "again": sum(after[player].provisional and not before[player].provisional for player in both),
        "movers": [[player, asdict(before[player]), asdict(after[player])] for player in moved[:MOST_MOVERS]],
    }


def _stands(states: Mapping[int, PlayerState], probation: Probation) -> dict[int, Stand]:
    """Where everybody stands, by player (key), in the list's order: of equal ratings the one reached first is ahead."""
    order = sorted(states, key=lambda player: (-states[player].rating, states[player].reached, player))
    active, stands, place = activity(), {}, 0
    for player in order:
        state, provisional = states[player], probation.holds(states[player])
        ranked = active.get(player, False) and not provisional
        place += ranked
        at = place if ranked else None
        stands[player] = Stand(state.rating, at, state.games, state.reentry, state.deviation, provisional)
    return stands


def _worths(worths: Worths) -> dict[str, float | None]:
    return {"k": worths.mean_k, "low": worths.k_low, "high": worths.k_high, "move": worths.mean_move}


def _prediction(rating_list: RatingList, proposed: DatedRule, starts: list[Start], tell: Tell) -> dict[str, Any] | None:
    """The report of the back-test of the list's rules and the proposed one; None with too few games."""
    if not has_enough_games(rating_list):
        return None
    found = club_history(rating_list, most=MOST_GAMES)
    then = entrant_of_rule(PROPOSED, marked("The proposed rule"), proposed, starts, reentry_of(rating_list))

    def further(done: int, of: int) -> None:
        tell(2 * _COURSES + _TRIED * done // of, 2 * _COURSES + _TRIED)

    return _report(found, (found.entrants[0], then), further)
