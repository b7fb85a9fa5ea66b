"""What the public pages know of an event: entrants, boards, matches, byes and rounds of one stage, as values."""

from collections import Counter
from dataclasses import dataclass
from datetime import date, time

from players.models import Player
from ratings.models import RatingList
from ratings.systems.base import Handicap
from tournaments.events.selectors.clock import Clock
from tournaments.events.selectors.stages import round_limit, system_of
from tournaments.models import Game, Stage, Tournament
from tournaments.pairing.base import BracketSystem, RoundSystem, ScheduleSystem
from tournaments.standings.points import DECIDED_RESULTS, OUTCOMES, Result


@dataclass(frozen=True, slots=True)
class Entrant:
    """Somebody entered, with the rating snapshot: `games` were rated, `of` are needed to leave probation; by evidence
    they tell as much as `told` games. `number` is the one in the stage, `card` the one in the event; `group` the name
    of the group, in an event of several parts."""

    key: int
    number: int | None
    player: Player
    rating: float | None
    games: int | None
    of: int
    withdrawn: bool
    first_round: int = 1
    last_round: int | None = None
    group: str = ""
    card: int | None = None
    told: int | None = None

    @property
    def by_evidence(self) -> bool:
        return self.told is not None

    @property
    def done(self) -> int | None:
        """How much of the probation lay behind, in games."""
        return self.games if self.told is None else self.told

    @property
    def provisional(self) -> bool:
        return self.rating is not None and self.games is not None and (self.done or 0) < self.of


@dataclass(frozen=True, slots=True)
class BoardData:
    """Who meets on a board, and what came of it. `number` is the game's in its match, `phase` the kind of game;
    `armageddon` the armageddon game after a draw, as this game's White sees it; `waits` while that is to be played.
    `score`: "21-15", where the game has one; `handicap`: stones and komi of a game of go that is not even; `footnote`:
    what an arbiter says of the result, as written."""

    board: int
    white: Entrant
    black: Entrant
    result: Result
    played_on: date | None
    number: int = 1
    phase: str = Game.Phase.CLASSICAL
    surplus: bool = False
    armageddon: Result = Result.OPEN
    waits: bool = False
    key: int = 0
    score: str = ""
    handicap: Handicap | None = None
    footnote: str = ""

    @property
    def decided(self) -> bool:
        return self.result in DECIDED_RESULTS and not self.waits

    @property
    def begun(self) -> bool:
        """Whether it was played on the board: forfeits of somebody who left are given beforehand."""
        return OUTCOMES[self.result].played


@dataclass(frozen=True, slots=True)
class MatchData:
    """A match of a knockout: its place `slot` in the bracket from top to bottom, who is in the line above and below
    (None: to come, in a bye nobody), its games, who `advanced` (the entry's key), and where both go from here."""

    key: int
    board: int
    slot: int
    upper: Entrant | None
    lower: Entrant | None
    games: tuple[BoardData, ...]
    advanced: int | None
    walk_over: bool
    ruled: bool
    is_bye: bool
    winner_to: int | None
    loser_to: int | None

    @property
    def decided(self) -> bool:
        return self.advanced is not None or self.ruled or self.neither_came

    @property
    def neither_came(self) -> bool:
        """Whether both are out: nobody goes on."""
        return bool(self.games) and all(game.result == Result.BOTH_FORFEIT for game in self.games)

    @property
    def begun(self) -> bool:
        """Whether a game of it has a result."""
        return any(game.decided for game in self.games)


@dataclass(frozen=True, slots=True)
class ByeData:
    """Who has no opponent, and why (a `ByeKind`)."""

    entrant: Entrant
    kind: str


@dataclass(frozen=True, slots=True)
class RoundData:
    """One round: its boards in order, then its byes; in a knockout its matches in order of slots."""

    number: int
    is_draft: bool
    planned_on: date | None
    boards: tuple[BoardData, ...]
    byes: tuple[ByeData, ...]
    matches: tuple[MatchData, ...] = ()
    planned_at: time | None = None
    clock: Clock | None = None

    @property
    def meetings(self) -> tuple[BoardData | MatchData, ...]:
        """What has to be decided: boards, and matches that are no byes."""
        return (*self.boards, *(match for match in self.matches if not match.is_bye))

    @property
    def games(self) -> tuple[BoardData, ...]:
        """All games, those of matches too."""
        return (*self.boards, *(game for match in self.matches for game in match.games))

    @property
    def decided(self) -> int:
        """How many boards have their result, and matches their winner."""
        return sum(meeting.decided for meeting in self.meetings)

    @property
    def is_complete(self) -> bool:
        return self.decided == len(self.meetings)

    @property
    def begun(self) -> bool:
        """Whether something was played, or all is decided without."""
        return any(meeting.begun for meeting in self.meetings) or (self.decided > 0 and self.is_complete)

    @property
    def day(self) -> date | None:
        """The day most boards were played on; the planned one while none was."""
        played = Counter(game.played_on for game in self.games if game.played_on and game.begun)
        return played.most_common(1)[0][0] if played else self.planned_on


@dataclass(frozen=True, slots=True)
class EventData:
    """A stage with rounds, as one kind of viewer may see it: `rounds` are those shown, of `round_count`; where rounds
    are made one by one, or a part is still to be drawn, that count is not the last (`length_known`). `rating_list` is
    the one its games are rated in. `everybody` are all entered in the event, with the event's numbers."""

    tournament: Tournament
    stage: Stage
    entrants: tuple[Entrant, ...]
    rounds: tuple[RoundData, ...]
    round_count: int
    rating_list: RatingList | None
    length_known: bool = True
    everybody: tuple[Entrant, ...] = ()

    @property
    def is_bracket(self) -> bool:
        """Whether the stage is a knockout."""
        return isinstance(system_of(self.stage), BracketSystem)

    @property
    def is_schedule(self) -> bool:
        """Whether all rounds are known beforehand."""
        return isinstance(system_of(self.stage), ScheduleSystem)

    @property
    def is_by_rounds(self) -> bool:
        """Whether every round is paired from those before it."""
        return isinstance(system_of(self.stage), RoundSystem)

    @property
    def planned_rounds(self) -> int | None:
        """How many rounds there will be altogether, where that is known."""
        return self.round_count if self.length_known else round_limit(self.stage)

    @property
    def rounds_done(self) -> int:
        """Rounds in which every board has its result."""
        return sum(row.is_complete for row in self.rounds)

    @property
    def current_round(self) -> RoundData | None:
        """The round people ask for: the latest one begun, or the one after it once it is complete."""
        begun = [index for index, row in enumerate(self.rounds) if row.begun]
        if not begun:
            return self.rounds[0] if self.rounds else None
        latest = begun[-1]
        return self.rounds[min(latest + self.rounds[latest].is_complete, len(self.rounds) - 1)]

    def round(self, number: int) -> RoundData | None:
        """The round of that number, or None."""
        return next((row for row in self.rounds if row.number == number), None)
