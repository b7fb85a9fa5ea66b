"""What a tie-break is: a number for one player, read off a contest, with the parts that make it.

Source: FIDE C.07, editions of 2023 (until 28 February 2026) and of 1 March 2026; article numbers are those of 2026.
A rule is written once and takes modifiers (art. 14) from its code: "BH/C1" is `Buchholz` without its lowest value.
Teams are ranked by the same rules with matches for games, and by some of their own: `team_tiebreaks`.
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import ClassVar, Literal, Protocol, runtime_checkable

from tournaments.standings.crosstable import Crosstable
from tournaments.standings.points import PointSystem
from tournaments.standings.tiebreaks.modifiers import PLAIN, Modifiers

How = Literal["sum", "mean", "count", "place", "table", "number"]


@dataclass(frozen=True, slots=True, eq=False)
class Contest:
    """Everything a tie-break may read. `rounds`: the last round that counts; `swiss`: unplayed rounds by article 16,
    else by article 15 (round robin); `edition` of C.07, 2023 or 2026; `ratings` by player, the unrated left out;
    `lots`: seed of the drawing of lots, None where none was drawn. Two contests are equal only where they are the same
    one, so that what follows from one is worked out once (`functools.lru_cache`)."""

    table: Crosstable
    points: PointSystem
    rounds: int
    swiss: bool = False
    edition: int = 2026
    ratings: Mapping[int, int] = field(default_factory=dict)
    lots: int | None = None

    def by_score(self, score: str) -> "Contest":
        """The contest by one of its scores: a contest of players has only one."""
        return self


@dataclass(frozen=True, slots=True)
class Part:
    """One summand: the round it comes from (0: of none), against whom (0: nobody, or a dummy), what it adds, and the
    factors where it is a product (Sonneborn-Berger: adjusted score, points taken). `cut`: left out by a modifier.
    `note`: an English sentence where something needs saying."""

    round: int
    opponent: int
    amount: Fraction
    factors: tuple[Fraction, ...] = ()
    cut: bool = False
    note: str = ""


@dataclass(frozen=True, slots=True)
class Worth:
    """A tie-break's value and what makes it. `how` the parts give the number: their "sum" or "mean" (rounded where the
    rule rounds) without the cut ones; a "count" of rounds, one each; a "place" within the group that is tied; read from
    a "table" (performances, the parts are the opponents' ratings); or just a "number" without parts."""

    number: Fraction
    parts: tuple[Part, ...] = ()
    how: How = "sum"


@runtime_checkable
class PlayerTiebreak(Protocol):
    """Has a value for everybody, tied or not."""

    def worth(self, player: int, contest: Contest) -> Worth | None:
        """The player's value, exact, in shown points (or a count, or rating points); None where the tie-break cannot
        be used in this contest. Raises KeyError for a player not in the table."""
        ...


@runtime_checkable
class GroupTiebreak(Protocol):
    """Looks at the players of one tied group only (type A)."""

    def places(self, group: Collection[int], contest: Contest) -> Mapping[int, Worth]:
        """Everybody's place within the group, 1 the best; equal places stay tied. Empty where it parts nobody."""
        ...


@dataclass(frozen=True)
class Rule:
    """What all of them are made from. `code` is FIDE's `base` with its modifiers, `name` the field's word, `rule` one
    sentence for the legend, `variations` one for each modifier; `takes`: the letters of the modifiers there are for it;
    `since`: the edition it came with; more is better, or less where `ascending` (`low_first`, unless reversed);
    `round_robins`: may be used there; `by_rating`: nobody has a value where somebody has no rating; `scored`: it reads
    points, so that in an event of teams there is one for each score."""

    modifiers: Modifiers = PLAIN
    base: ClassVar[str] = ""
    name: ClassVar[str] = ""
    rule: ClassVar[str] = ""
    takes: ClassVar[str] = ""
    since: ClassVar[int] = 2023
    low_first: ClassVar[bool] = False
    round_robins: ClassVar[bool] = True
    by_rating: ClassVar[bool] = False
    scored: ClassVar[bool] = False

    @property
    def code(self) -> str:
        return f"{self.base}{self.modifiers}"

    @property
    def variations(self) -> tuple[str, ...]:
        return self.modifiers.words

    @property
    def ascending(self) -> bool:
        return self.low_first != self.modifiers.reverse

    def read_from(self, contest: Contest) -> Contest:
        """What the rule reads. Of teams: rounds are counted by the results of the matches, that is by match points."""
        return contest.by_score(self.modifiers.score if self.scored else "MP")

    def may_part(self, group: Collection[int], contest: Contest) -> bool:
        """Whether the values of a tied group may be compared."""
        return True


Tiebreak = Rule  # what the pages and the forecast call one
