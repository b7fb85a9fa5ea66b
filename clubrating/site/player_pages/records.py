"""What a record says beyond wins and losses: form, average opponent, score by the opponent's strength, and rivals."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from clubrating.ground.figures import round_half_away
from ratings.lists.selectors.history import CareerRow
from ratings.systems.base import Tally
from ratings.systems.performance import average_opponents
from tournaments.meetings.selectors import Met

LATEST = 10
EQUAL = 50  # points: nearer opponents are of equal strength
FEWEST = 3  # games: whoever was met less often is no rival


@dataclass(slots=True)
class Strengths:
    """The score against opponents who then stood higher, about equal and lower. Games in which either side had no
    rating are in none of them."""

    stronger: Tally = field(default_factory=Tally)
    equal: Tally = field(default_factory=Tally)
    weaker: Tally = field(default_factory=Tally)


@dataclass(frozen=True, slots=True)
class Form:
    """The latest rated games, oldest first: their score, what they changed, and the opponents' mean rating."""

    rows: tuple[CareerRow, ...]
    tally: Tally
    change: float | None
    average: int | None


@dataclass(frozen=True, slots=True)
class Record:
    """All of it, for one list; `average` is the opponents' mean rating, as they stood before the games."""

    form: Form
    average: int | None
    strengths: Strengths


def record_of(rows: Sequence[CareerRow]) -> Record:
    """The record behind one list's rows, oldest first."""
    return Record(form_of(rows), average_of(rows), strengths_of(rows))


def form_of(rows: Sequence[CareerRow]) -> Form:
    """The last ten games, or as many as there are. The change is None where no game has one of its own."""
    latest = tuple(rows[-LATEST:])
    tally = Tally()
    for row in latest:
        tally.add(row.score)
    changes = [row.change for row in latest if row.change is not None]
    return Form(latest, tally, sum(changes) if changes else None, average_of(latest))


def average_of(rows: Iterable[CareerRow]) -> int | None:
    """The mean rating of the rated opponents as FIDE's ARO has it, a game each; None where nobody rated was met."""
    opponents = [row.opponent for row in rows if row.opponent is not None]
    return average_opponents(opponents) if opponents else None


def strengths_of(rows: Iterable[CareerRow]) -> Strengths:
    """The score by strength, from both ratings before the game as they are shown. Exactly `EQUAL` apart is equal."""
    found = Strengths()
    for row in rows:
        if row.before is None or row.opponent is None:
            continue
        ahead = round_half_away(row.opponent) - round_half_away(row.before)
        side = found.stronger if ahead > EQUAL else found.weaker if ahead < -EQUAL else found.equal
        side.add(row.score)
    return found


def toughest(met: Iterable[Met]) -> Met | None:
    """The opponent lost to more often than beaten, by the widest margin; of equal ones the first. None where there is
    none, or only somebody met less than `FEWEST` times."""
    return max(_rivals(met, -1), key=lambda each: each.tally.losses - each.tally.wins, default=None)


def favourite(met: Iterable[Met]) -> Met | None:
    """The opponent beaten more often than lost to, by the widest margin, in the same way."""
    return max(_rivals(met, 1), key=lambda each: each.tally.wins - each.tally.losses, default=None)


def _rivals(met: Iterable[Met], sign: int) -> list[Met]:
    return [each for each in met if each.tally.games >= FEWEST and sign * (each.tally.wins - each.tally.losses) > 0]
