"""Which lists have a luck ledger, the question that makes one, and what its answer says of a player's season.

One answer tells of everybody in a list. It is asked for once for the list as it stands; whoever reads it is shown what
belongs to one player, where that player's changes may be seen.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

from players.jobs.services import Question
from ratings.lab.luck import FEWEST_GAMES, PARTS, Estimate
from ratings.lists.services import rules_of
from ratings.models import RatingList
from ratings.systems.base import Period
from ratings.systems.margins import SHARES, Margin
from ratings.systems.rules import DatedRule

LUCK = "luck"  # the kind of question
MOST_GAMES = 20_000  # the last ones of a list: the fit holds all of them in memory
_EDITION = 1  # increased when the computation changes


def luck_question(rating_list: RatingList) -> Question:
    """What are all changes in the list made of? Every change of the ledger makes it another question."""
    facts = f"{_EDITION}/{rating_list.live_generation}/{rating_list.revision}"
    return Question(LUCK, facts=facts, about=rating_list.pk)


def is_split(rating_list: RatingList) -> bool:
    """Whether its changes can be split: by all its rules points are Elo's, and a game has an expected score and a K."""
    return all(map(_splits, rules_of(rating_list).all))


def _splits(rule: DatedRule) -> bool:
    by_points = getattr(rule.settings, "margin", Margin.NONE) in SHARES
    return rule.is_on_elos_scale and not by_points and rule.period != Period.ALL


ALL_YEARS = 0  # the season that holds all of them


# --- what is stored of a player's season -----------------------------------------------------------------------------
@dataclass(frozen=True, slots=True)
class SeasonLuck:
    """A calendar year of a player in a list, or ALL_YEARS: from the rating `start` to `end` in so many games, the
    `score` in them, and by name what is known of each part (`ratings.lab.luck`). `gain`: probability of having become
    stronger."""

    year: int
    games: int
    start: float
    end: float
    score: float
    parts: Mapping[str, Estimate]
    gain: float

    @property
    def name(self) -> str:
        """As an address has it."""
        return str(self.year) if self.year else "all"

    @property
    def is_enough(self) -> bool:
        """Whether there are games enough to tell luck from strength."""
        return self.games >= FEWEST_GAMES

    def row(self) -> list[float]:
        """As it is stored."""
        figures = [value for name in KNOWN for value in self.parts[name]]
        values = (self.start, self.end, self.score, self.gain, *figures)
        return [self.year, self.games, *(round(each, 3) for each in values)]


KNOWN = (*PARTS, "above", "due")


def season_of(row: Sequence[float]) -> SeasonLuck:
    """A season as it was stored."""
    year, games, start, end, score, gain, *figures = row
    parts = {name: Estimate(*figures[2 * at : 2 * at + 2]) for at, name in enumerate(KNOWN)}
    return SeasonLuck(int(year), int(games), start, end, score, parts, gain)


def seasons_in(answer: Mapping[str, Any], player: int) -> list[SeasonLuck]:
    """The player's seasons in an answer, the latest first."""
    return [season_of(row) for row in reversed(answer["players"].get(str(player), ()))]


def year_of(day: int) -> int:
    """The season a day (ordinal) belongs to."""
    return date.fromordinal(day).year
