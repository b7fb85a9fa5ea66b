"""Random fields for the Swiss: events played in part, plausible or nasty, for seeded runs and for Hypothesis.

Everything is drawn from one random generator, so a seed names a field (`seeded_case`) and Hypothesis can shrink one
(`cases`).
"""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from random import Random

from hypothesis import strategies as st

from tournaments.pairing.base import Field
from tournaments.standings.crosstable import Bye, Meeting
from tournaments.standings.points import OUTCOMES, PointSystem, Result, point_system, with_allocated_bye

CLASSIC = point_system("classic")
POINT_SYSTEMS = (
    point_system("football"),
    point_system("armageddon"),
    with_allocated_bye(CLASSIC, "draw"),
    with_allocated_bye(CLASSIC, "loss"),
)
DECIDERS = (Result.WHITE_WINS, Result.DRAW, Result.BLACK_WINS, Result.OPEN)
FORFEITS = (Result.WHITE_FORFEITS, Result.BLACK_FORFEITS, Result.BOTH_FORFEIT)
PENALTIES = (Result.NO_POINTS, Result.WHITE_DRAWS_BLACK_PENALISED, Result.BLACK_DRAWS_WHITE_PENALISED)
OTHERS = (*PENALTIES, Result.WHITE_WINS_UNRATED, Result.DRAW_UNRATED, Result.ADJOURNED, Result.OPEN)


@dataclass(frozen=True, slots=True)
class Case:
    """A field to be paired, and the settings of the system."""

    field: Field
    rounds: int
    first_colour: str = "white"
    acceleration: str = "none"

    @property
    def settings(self) -> dict[str, object]:
        return {"rounds": self.rounds, "first_colour": self.first_colour, "acceleration": self.acceleration}


@dataclass(frozen=True, slots=True)
class Habits:
    """How often, in percent, what happens in a random event. `nasty`: colours and opponents are drawn at random."""

    forfeits: int = 0
    byes: int = 0
    late: int = 0
    absent: int = 0
    prohibited: int = 0
    odd_results: int = 0
    draws: int = 30
    nasty: bool = False


QUIET = Habits()
CLUB = Habits(forfeits=4, byes=8, late=8, absent=8, prohibited=2)
NASTY = Habits(forfeits=12, byes=15, late=15, absent=15, prohibited=8, odd_results=5, nasty=True)


@dataclass(slots=True)
class Story:
    """An event on its way: what has happened so far."""

    rng: Random
    habits: Habits
    players: tuple[int, ...]
    points: PointSystem
    arrival: dict[int, int]
    meetings: list[Meeting] = field(default_factory=list)
    byes: list[Bye] = field(default_factory=list)

    def happens(self, percent: int) -> bool:
        return self.rng.randrange(100) < percent

    def here(self, round_: int) -> list[int]:
        return [number for number in self.players if self.arrival[number] <= round_]

    def score(self, number: int) -> int:
        won = sum(bye.points for bye in self.byes if bye.player == number)
        for meeting in self.meetings:
            outcome = OUTCOMES[meeting.result]
            won += self.points.share(outcome.white) if meeting.white == number else 0
            won += self.points.share(outcome.black) if meeting.black == number else 0
        return won

    def have_met(self, one: int, other: int) -> bool:
        return any(
            {one, other} == {meeting.white, meeting.black} and OUTCOMES[meeting.result].played
            for meeting in self.meetings
        )

    def whites(self, number: int) -> int:
        return sum((meeting.white == number) - (meeting.black == number) for meeting in self.meetings)

    def had_bye(self, number: int) -> bool:
        return any(bye.player == number and bye.points >= self.points.win for bye in self.byes)


# --- one round ------------------------------------------------------------------------------------------------
def play_round(story: Story, round_: int) -> None:
    """One more round: some have asked for a bye, the rest is paired in a simple way."""
    waiting = []
    for number in story.here(round_):
        if story.happens(story.habits.byes):
            story.byes.append(asked_for(story, round_, number))
        elif not story.happens(story.habits.absent // 2):
            waiting.append(number)
    waiting = seated(story, waiting)
    while waiting:
        first = waiting.pop(0)
        others = [other for other in waiting if not story.have_met(first, other)]
        if others:
            waiting.remove(others[0])
            story.meetings.append(game(story, round_, first, others[0]))
        elif not story.had_bye(first) and not any(bye.round == round_ and bye.kind == "pab" for bye in story.byes):
            story.byes.append(Bye(round_, first, story.points.allocated_bye, "pab"))
        else:
            story.byes.append(Bye(round_, first, story.points.loss, "zero"))


def asked_for(story: Story, round_: int, number: int) -> Bye:
    kind = story.rng.choice(("half", "half", "zero", "zero", "full"))
    worth = {"half": story.points.draw, "zero": story.points.loss, "full": story.points.win}
    return Bye(round_, number, worth[kind], kind)


def seated(story: Story, waiting: Sequence[int]) -> list[int]:
    """In the order in which they look for an opponent."""
    if story.habits.nasty:
        return story.rng.sample(list(waiting), len(waiting))
    return sorted(waiting, key=lambda number: (-story.score(number) - story.rng.randrange(2), story.rng.randrange(99)))


def game(story: Story, round_: int, one: int, other: int) -> Meeting:
    lead = story.whites(one) - story.whites(other)
    turned = lead > 0 if lead and not story.habits.nasty else story.happens(50)
    white, black = (other, one) if turned else (one, other)
    outcome = result(story, white, black)
    decided = story.points.after_draw and outcome == Result.DRAW
    return Meeting(round_, white, black, outcome, story.rng.choice(DECIDERS) if decided else Result.OPEN)


def result(story: Story, white: int, black: int) -> Result:
    if story.happens(story.habits.forfeits):
        return story.rng.choice(FORFEITS)
    if story.happens(story.habits.odd_results):
        return story.rng.choice(OTHERS)
    if story.happens(story.habits.draws):
        return Result.DRAW
    stronger_wins = story.happens(65)
    return Result.WHITE_WINS if (white < black) == stronger_wins else Result.BLACK_WINS


# --- a field --------------------------------------------------------------------------------------------------
def random_case(rng: Random, most: int = 9, edition: int = 2026) -> Case:
    """A field of two to `most` players before a round from the first to the eighth."""
    habits = rng.choice((QUIET, CLUB, CLUB, NASTY, replace(NASTY, nasty=False), replace(QUIET, nasty=True, draws=5)))
    count = rng.randint(2, most)
    played = rng.randint(0, min(7, max(1, count - (3 if rng.randrange(8) else 0))))
    rounds = played + 1 if rng.randrange(3) == 0 else played + rng.randint(1, 4)
    story = begun(rng, habits, count, rng.choice((CLASSIC, CLASSIC, CLASSIC, *POINT_SYSTEMS)))
    for round_ in range(1, played + 1):
        play_round(story, round_)
    acceleration = rng.choice(("none", "none", "none", "baku"))
    return Case(before_round(story, played + 1, edition), rounds, rng.choice(("white", "black")), acceleration)


def odd_case(seed: int, edition: int) -> Case:
    """An odd field of 9 to 15 before a round from the fourth to the seventh, in which many may not have the bye: they
    had it, or won without playing."""
    rng = Random(seed)
    habits = rng.choice((replace(QUIET, forfeits=20), replace(QUIET, forfeits=35), replace(NASTY, late=0, byes=0)))
    story = begun(rng, habits, rng.choice((9, 11, 13, 15)), CLASSIC)
    played = rng.randint(3, 6)
    for round_ in range(1, played + 1):
        play_round(story, round_)
    field = replace(before_round(story, played + 1, edition), present=frozenset(story.players))
    return Case(field, played + rng.randint(1, 3))


def begun(rng: Random, habits: Habits, count: int, points: PointSystem) -> Story:
    """An event before its first round. Now and then numbers are missing from the list."""
    numbers = range(1, count + 1)
    if rng.randrange(5) == 0:
        numbers = sorted(rng.sample(range(1, 2 * count + 1), count))
    arrival = {number: rng.randint(2, 4) if rng.randrange(100) < habits.late else 1 for number in numbers}
    return Story(rng, habits, tuple(numbers), points, arrival)


def before_round(story: Story, round_: int, edition: int) -> Field:
    present = [number for number in story.here(round_) if not story.happens(story.habits.absent)]
    pairs = [frozenset((one, other)) for one in story.players for other in story.players if one < other]
    return Field(
        players=story.players,
        present=frozenset(present),
        meetings=tuple(story.meetings),
        byes=tuple(story.byes),
        prohibited=frozenset(pair for pair in pairs if story.happens(story.habits.prohibited)),
        round=round_,
        points=story.points,
        edition=edition,
        accelerated=extra_points(story) if story.happens(5) else {},
    )


def extra_points(story: Story) -> dict[int, tuple[int, ...]]:
    """Virtual points as a file may bring them."""
    upper = story.players[: len(story.players) // 2]
    win = story.points.win
    return {number: tuple(story.rng.choice(((win, win), (win, 0), (win,)))) for number in upper}


def seeded_case(seed: int, most: int = 9, edition: int = 2026) -> Case:
    return random_case(Random(seed), most, edition)


def cases(most: int = 9, edition: int = 2026) -> st.SearchStrategy[Case]:
    """Hypothesis draws the same random fields, and makes them smaller where one fails."""
    return st.randoms(use_true_random=False).map(lambda rng: random_case(rng, most, edition))
