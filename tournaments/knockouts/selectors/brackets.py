"""A knockout as it is drawn: rounds as columns, matches in pairs that send their winners to the same match.

Read off the stage's facts, without a query. Scores are half-points of the games that count, apart from who goes on.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

from players.models import Player
from tournaments.events.selectors.event_data import BoardData, Entrant, EventData, MatchData, RoundData
from tournaments.models import Game
from tournaments.pairing.knockout import round_name
from tournaments.standings.formats import BracketMatch, bracket_places
from tournaments.standings.points import OUTCOMES

_SHARES = {"win": 2, "draw": 1, "loss": 0, None: 0}


@dataclass(frozen=True, slots=True)
class MatchLine:
    """One line of a match: who is in it (None: to come), half-points (None: no game has a result yet)."""

    entrant: Entrant | None
    points: int | None
    advanced: bool
    is_out: bool


@dataclass(frozen=True, slots=True)
class DrawnMatch:
    """A match as it is drawn. `by`: the kind of game that decided it, where it was no classical one."""

    facts: MatchData
    lines: tuple[MatchLine, ...]
    by: str
    third_place: bool

    @property
    def is_current(self) -> bool:
        """Whether it is being played: begun, and open."""
        return self.facts.begun and not self.facts.decided

    @property
    def is_unplayed(self) -> bool:
        """Whether it was decided without a game played on the board, by a walk-over or a forfeit."""
        decided = [OUTCOMES[game.result] for game in counted(self.facts) if game.decided]
        return self.facts.walk_over or (bool(decided) and not any(outcome.played for outcome in decided))

    @property
    def winner(self) -> Entrant | None:
        return next((line.entrant for line in self.lines if line.advanced), None)

    @property
    def loser(self) -> Entrant | None:
        return next((line.entrant for line in self.lines if line.is_out), None)


@dataclass(frozen=True, slots=True)
class Feed:
    """The match that waits for the winners of a pair: its key, the name of its round, its number there."""

    key: int
    round: str
    board: int


@dataclass(frozen=True, slots=True)
class MatchPair:
    """The matches whose winners meet; one alone in the final. `feeds` is the match they meet in."""

    matches: tuple[DrawnMatch, ...]
    feeds: Feed | None


@dataclass(frozen=True, slots=True)
class BracketRound:
    """A column of the bracket. `name`: "final", "semi-final", "quarter-final" or "round-of-16" …."""

    number: int
    name: str
    day: date | None
    pairs: tuple[MatchPair, ...]
    third: DrawnMatch | None
    decided: int
    count: int

    @property
    def matches(self) -> tuple[DrawnMatch, ...]:
        """The round's matches that are no byes, the one for third place last."""
        drawn = [match for pair in self.pairs for match in pair.matches if not match.facts.is_bye]
        return (*drawn, self.third) if self.third else tuple(drawn)


@dataclass(frozen=True, slots=True)
class Bracket:
    """The whole bracket; `is_wide` where it has more columns than a page is broad."""

    rounds: tuple[BracketRound, ...]

    @property
    def is_wide(self) -> bool:
        return len(self.rounds) > 4

    @property
    def final(self) -> DrawnMatch | None:
        """The last match, or None while there is no bracket."""
        return self.rounds[-1].pairs[0].matches[0] if self.rounds and self.rounds[-1].name == "final" else None

    @property
    def current(self) -> BracketRound | None:
        """The first round with a match that is not decided; the last one when all are."""
        waiting = (row for row in self.rounds if row.decided < row.count)
        return next(waiting, self.rounds[-1] if self.rounds else None)


@dataclass(frozen=True, slots=True)
class KnockoutNews:
    """What there is to say of a knockout: who has won, against whom and who came third; or who is in the final and how
    the present round stands. `score` are the half-points of the other semi-final's lines while it is being played."""

    winner: Player | None
    runner_up: Player | None
    third: Player | None
    finalists: tuple[Player, ...]
    score: tuple[int, ...]
    current: BracketRound | None


def bracket_of(event: EventData) -> Bracket:
    """The bracket of a knockout stage; empty while nothing is drawn."""
    rows = [row for row in event.rounds if row.matches]
    # Rounds this viewer may not see yet come after those shown.
    total = max(event.round_count, len(rows))
    names = [round_name(total, number) for number in range(1, len(rows) + 1)]
    feeds = {
        match.key: Feed(match.key, name, match.board)
        for row, name in zip(rows, names, strict=True)
        for match in row.matches
    }
    return Bracket(tuple(_round(row, name, feeds) for row, name in zip(rows, names, strict=True)))


def knockout_news(bracket: Bracket) -> KnockoutNews | None:
    """The news of a bracket; None while nothing is drawn."""
    final = bracket.final
    if bracket.current is None:
        return None
    third = bracket.rounds[-1].third
    finalists = tuple(line.entrant.player for line in final.lines if line.entrant) if final else ()
    people = (final.winner if final else None, final.loser if final else None, third.winner if third else None)
    winner, runner_up, third_place = (person.player if person else None for person in people)
    return KnockoutNews(
        winner=winner,
        runner_up=runner_up,
        third=third_place,
        finalists=finalists,
        score=_other_semi_final(bracket) if len(finalists) == 1 else (),
        current=bracket.current,
    )


@dataclass(frozen=True, slots=True)
class KnockoutPlace:
    """Somebody's place: of `first` to `last`, reached in the round of that name, or still open."""

    entrant: Entrant
    first: int
    last: int
    round: str
    still_in: bool


def places_of(event: EventData) -> list[KnockoutPlace]:
    """The places of everybody in the bracket, best first."""
    bracket = bracket_of(event)
    matches = []
    for number, row in enumerate(bracket.rounds, start=1):
        drawn = [match for pair in row.pairs for match in pair.matches]
        matches += [_bracket_match(match, number) for match in [*drawn, *([row.third] if row.third else [])]]
    people = {person.number: person for person in event.entrants}
    return [
        KnockoutPlace(people[at.player], at.first, at.last, bracket.rounds[at.round - 1].name, at.still_in)
        for at in bracket_places(matches)
    ]


def _bracket_match(drawn: DrawnMatch, number: int) -> BracketMatch:
    match = drawn.facts
    people = {person.key: person.number for person in (match.upper, match.lower) if person}
    upper, lower = (person.number if person else None for person in (match.upper, match.lower))
    winner = people.get(match.advanced or 0)
    return BracketMatch(number, upper, lower, winner, drawn.third_place, match.decided and winner is None)


def counted(match: MatchData) -> list[BoardData]:
    """The games that count: those after the decision do not."""
    return [game for game in match.games if not game.surplus]


def match_points(match: MatchData) -> tuple[int, int]:
    """Half-points of the line above and the line below."""
    upper = lower = 0
    for game in counted(match):
        outcome = OUTCOMES[game.result]
        white, black = _SHARES[outcome.white], _SHARES[outcome.black]
        above, below = (white, black) if game.white == match.upper else (black, white)
        upper, lower = upper + above, lower + below
    return upper, lower


def drawn_match(match: MatchData, *, third_place: bool = False) -> DrawnMatch:
    """A match as it is drawn."""
    points: Sequence[int | None] = match_points(match) if match.begun else (None, None)
    people = (match.upper, match.lower)
    lines = tuple(_line(match, person, score) for person, score in zip(people, points, strict=True))
    if match.is_bye:
        lines = tuple(line for line in lines if line.entrant)
    played = [game for game in counted(match) if game.decided]
    late = played[-1].phase if played and match.decided and not match.ruled else Game.Phase.CLASSICAL
    return DrawnMatch(match, lines, "" if late == Game.Phase.CLASSICAL else late, third_place)


def _line(match: MatchData, person: Entrant | None, points: int | None) -> MatchLine:
    goes_on = person is not None and person.key == match.advanced
    return MatchLine(person, points, goes_on, person is not None and match.decided and not goes_on)


def _round(row: RoundData, name: str, feeds: dict[int, Feed]) -> BracketRound:
    # Beside the final stands the match of those who lost the semi-finals, below it.
    third = row.matches[1] if name == "final" and len(row.matches) > 1 else None
    pairs: dict[int, list[DrawnMatch]] = {}
    for match in row.matches:
        if match is not third:
            pairs.setdefault(match.winner_to or -match.key, []).append(drawn_match(match))
    return BracketRound(
        number=row.number,
        name=name,
        day=row.day,
        pairs=tuple(MatchPair(tuple(matches), feeds.get(target)) for target, matches in pairs.items()),
        third=drawn_match(third, third_place=True) if third else None,
        decided=row.decided,
        count=len(row.meetings),
    )


def _other_semi_final(bracket: Bracket) -> tuple[int, ...]:
    """The score of the semi-final that is being played while one finalist is known."""
    playing = [match for row in bracket.rounds[-2:-1] for match in row.matches if match.is_current]
    return tuple(line.points or 0 for line in playing[0].lines) if len(playing) == 1 else ()
