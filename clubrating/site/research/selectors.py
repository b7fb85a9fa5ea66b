"""The club's own games of one list as the lab's back-test takes them, read as a rebuild reads them; and the questions
about a list's rules that are answered in the background."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date
from typing import Any

from clubrating.ground.marks import marked
from players.jobs.services import Question
from players.models import Job
from ratings.lab.backtest import CONTENDERS
from ratings.lab.measures import Entrant, History, entrant, ruled
from ratings.ledger.services.ledger import birth_years
from ratings.lists.selectors.lists import main_of
from ratings.lists.services import reentry_of, rules_of, starts_of
from ratings.models import RatingList
from tournaments.rated_games.selectors.games import moment_of_last, rated_games, rated_in

CLUB = "club"  # the key of the list's own rules among the systems
COIN = "coin"
BACKTEST, PROPOSAL = "backtest", "proposal"  # kinds of questions
# A back-test holds all its games in memory and runs a dozen systems over them, one of which is fitted twenty times; so
# only the last games are used. With this number it takes some minutes, and 10,000 games are scored.
MOST_GAMES = 20_000
FEWEST_GAMES = 100  # half of them are scored; with fewer the intervals are too wide to tell systems apart
# Increased when the computation changes, so that earlier answers are computed anew.
_EDITION = 2


@dataclass(frozen=True, slots=True)
class ClubHistory:
    """The list's games, and all who can be tried on them: its own dated rules first, then the lab's systems. `whole`:
    whether these are all the games there are."""

    rating_list: RatingList
    history: History
    entrants: tuple[Entrant, ...]
    whole: bool = True


def main_list() -> RatingList | None:
    """The club's main list, shown to the public or not; None where there is no list."""
    return main_of(RatingList.objects.all())


def club_history(rating_list: RatingList, *, most: int | None = None) -> ClubHistory:
    """The rated games of the list's pool; `most`: only so many, the last ones. Starting ratings are on Elo's scale, so
    every system on that scale begins with them, and the others without."""
    starts = starts_of(rating_list)
    since = None if most is None else moment_of_last(rating_list.pool, most)
    history = History(tuple(rated_games(rating_list.pool, since, handicaps=True)), birth_years(), dated=True, given={})
    own = ruled(CLUB, marked("The club’s rules"), rules_of(rating_list), starts, reentry_of(rating_list))
    others = (entrant(each, starts if each.system.elo_scale else ()) for each in CONTENDERS)
    return ClubHistory(rating_list, history, (own, *others), whole=since is None)


def has_enough_games(rating_list: RatingList) -> bool:
    """Whether there is enough to judge a system by."""
    return games_up_to_enough(rating_list) == FEWEST_GAMES


def games_up_to_enough(rating_list: RatingList) -> int:
    """How many rated games there are, counted no further than FEWEST_GAMES."""
    return rated_in(rating_list.pool).order_by()[:FEWEST_GAMES].count()


# --- questions ------------------------------------------------------------------------------------------------------
def facts_of(rating_list: RatingList) -> str:
    """What moves whenever a result, a rule, a starting rating or a birth year of the list moves, without reading any
    of them: each of these changes the ledger, and every change of the ledger is counted."""
    return f"{_EDITION}/{rating_list.live_generation}/{rating_list.revision}"


def backtest_question(rating_list: RatingList) -> Question:
    """How well do the list's rules, and others in their place, predict the list's games?"""
    return Question(BACKTEST, facts=facts_of(rating_list), about=rating_list.pk)


def proposal_question(rating_list: RatingList, system: str, settings: Mapping[str, Any], since: date) -> Question:
    """What would the list be, had it been rated so from that day on? `settings` as a rule stores them."""
    payload = {"system": system, "settings": dict(sorted(settings.items())), "from": since.isoformat()}
    return Question(PROPOSAL, payload, facts_of(rating_list), rating_list.pk)


def proposals_of(lists: Iterable[RatingList], most: int, *, done: bool) -> list[Job]:
    """The proposals for those lists, the latest first; `done`: only those that were worked out. One query."""
    jobs = Job.objects.filter(kind=PROPOSAL, subject_key__in=[row.pk for row in lists])
    return list((jobs.filter(state=Job.State.DONE) if done else jobs).order_by("-pk")[:most])
