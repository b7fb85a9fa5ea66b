"""A bracket as it is drawn: rounds as columns, matches in pairs that send their winners to the same match.

A double elimination has three parts beside each other: winners' bracket, losers' bracket, final.

Read off the stage's facts, without a query. Scores are half-points of the games that count, apart from who goes on.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date

from players.models import Player
from tournaments.events.selectors.event_data import BoardData, Entrant, EventData, MatchData, RoundData
from tournaments.events.selectors.stages import system_of
from tournaments.models import Game
from tournaments.pairing.base import read_options
from tournaments.pairing.double_elimination import (
    FINAL,
    LOSERS,
    SECOND_FINAL,
    WINNERS,
    DoubleElimination,
    column_name,
    part_of,
)
from tournaments.pairing.knockout import round_name
from tournaments.standings.formats import BracketMatch, bracket_places
from tournaments.standings.points import OUTCOMES

PARTS = ("", WINNERS, LOSERS, FINAL)
_FINALS = ("final", "grand-final", "second-final")
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
    """A match as it is drawn. `by`: the kind of game that decided it, where it was no classical one; `drops`: the match
    of the losers' bracket that waits for its loser."""

    facts: MatchData
    lines: tuple[MatchLine, ...]
    by: str
    third_place: bool
    drops: "Feed | None" = None

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
    """A column of the bracket. `name` as in `knockout.round_name` or `double_elimination.column_name`; `part` of the
    latter, empty in a knockout."""

    number: int
    name: str
    day: date | None
    pairs: tuple[MatchPair, ...]
    third: DrawnMatch | None
    part: str = ""

    @property
    def key(self) -> str:
        """Names the column on its page: of both brackets one may be played in the same round."""
        return f"{self.part}{self.number}"

    @property
    def matches(self) -> tuple[DrawnMatch, ...]:
        """The round's matches that are no byes, the one for third place last."""
        drawn = [match for pair in self.pairs for match in pair.matches if not match.facts.is_bye]
        return (*drawn, self.third) if self.third else tuple(drawn)

    @property
    def count(self) -> int:
        return len(self.matches)

    @property
    def decided(self) -> int:
        return sum(match.facts.decided for match in self.matches)


@dataclass(frozen=True, slots=True)
class BracketPart:
    """What stands in one frame: the whole of a knockout (`key` empty), or a part of a double elimination."""

    key: str
    rounds: tuple[BracketRound, ...]

    @property
    def is_wide(self) -> bool:
        """Whether it has more columns than a page is broad."""
        return len(self.rounds) > 4


@dataclass(frozen=True, slots=True)
class Bracket:
    """The whole bracket, columns in the order in which they are played. `may_go_on`: a second final may come."""

    rounds: tuple[BracketRound, ...]
    may_go_on: bool = False

    @property
    def parts(self) -> tuple[BracketPart, ...]:
        """What is drawn by itself."""
        keys = dict.fromkeys(row.part for row in sorted(self.rounds, key=lambda row: PARTS.index(row.part)))
        return tuple(BracketPart(key, tuple(row for row in self.rounds if row.part == key)) for key in keys)

    @property
    def final(self) -> DrawnMatch | None:
        """The last match, or None while it is not drawn."""
        return self.rounds[-1].pairs[0].matches[0] if self.rounds and self.rounds[-1].name in _FINALS else None

    @property
    def third(self) -> Entrant | None:
        """Who is third: the winner of the match for it, or the loser of the losers' final."""
        last = next((row.pairs[0].matches[0] for row in self.rounds if row.name == "losers-final"), None)
        if last is not None:
            return last.loser
        match = self.rounds[-1].third if self.rounds else None
        return match.winner if match else None

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
    """The bracket of the stage; empty while nothing is drawn."""
    columns = _columns(event)
    # Boards count through the round; in its column a match of the losers' bracket is found by its place there.
    feeds = {
        match.key: Feed(match.key, at.name, match.board - at.matches[0].board + 1)
        for at in columns
        for match in at.matches
    }
    drawn = tuple(_round(at, feeds) for at in columns)
    return Bracket(drawn, may_go_on=bool(drawn) and may_have_second_final(event) and drawn[-1].name == "grand-final")


def may_have_second_final(event: EventData) -> bool:
    """Whether the settings want a second final where the winner of the losers' bracket wins the first."""
    system = system_of(event.stage)
    return system is not None and bool(read_options(system.options, event.stage.settings).get(SECOND_FINAL))


@dataclass(frozen=True, slots=True)
class _Column:
    row: RoundData
    name: str
    part: str
    matches: tuple[MatchData, ...]


def _columns(event: EventData) -> list[_Column]:
    rows = [row for row in event.rounds if row.matches]
    if event.stage.pairing_system == DoubleElimination.key:
        return _columns_of_both(rows)
    # Rounds this viewer may not see yet come after those shown.
    total = max(event.round_count, len(rows))
    return [_Column(row, round_name(total, at), "", row.matches) for at, row in enumerate(rows, start=1)]


def _columns_of_both(rows: Sequence[RoundData]) -> list[_Column]:
    """Winners' and losers' matches of one round are two columns. A first round has a match for every two lines."""
    rounds = len(rows[0].matches).bit_length() if rows else 0
    found: dict[tuple[int, str], list[MatchData]] = {}
    for at, row in enumerate(rows, start=1):
        for match in row.matches:
            found.setdefault((at, part_of(rounds, at, match.slot)), []).append(match)
    first = min((at for at, part in found if part == LOSERS), default=2)
    return [
        _Column(rows[at - 1], column_name(rounds, at, part, first), part, tuple(matches))
        for (at, part), matches in found.items()
    ]


def knockout_news(bracket: Bracket) -> KnockoutNews | None:
    """The news of a bracket; None while nothing is drawn."""
    final = bracket.final
    if bracket.current is None:
        return None
    finalists = tuple(line.entrant.player for line in final.lines if line.entrant) if final else ()
    people = (final.winner if final else None, final.loser if final else None, bracket.third)
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
    columns = _columns(event)
    rows = [row for row in event.rounds if row.matches]
    at = {match.key: number for number, row in enumerate(rows, start=1) for match in row.matches}
    drawn = [(at[match.key], column, match) for column in columns for match in column.matches]
    # Who withdrew before the match for third place is in no match of the last round.
    names: dict[tuple[int, int | None], str] = {(number, None): column.name for number, column, _match in drawn}
    names |= {(number, one.number): column.name for number, column, match in drawn for one in _people(match)}
    matches = [_bracket_match(column, match, number, at) for number, column, match in drawn]
    people = {person.number: person for person in event.entrants}
    found = []
    for place in bracket_places(matches):
        name = names.get((place.round, place.player), names[place.round, None])
        found.append(KnockoutPlace(people[place.player], place.first, place.last, name, place.still_in))
    return found


def _people(match: MatchData) -> list[Entrant]:
    return [person for person in (match.upper, match.lower) if person]


def _is_third(column: _Column, match: MatchData) -> bool:
    """Beside the final stands the match of those who lost the semi-finals, below it."""
    return column.name == "final" and match is not column.matches[0]


def _bracket_match(column: _Column, match: MatchData, number: int, at: Mapping[int, int]) -> BracketMatch:
    people = {person.key: person.number for person in _people(match)}
    upper, lower = (person.number if person else None for person in (match.upper, match.lower))
    winner = people.get(match.advanced or 0)
    # Of a knockout the loser may have a match for third place, but is out.
    falls_to = at.get(match.loser_to, number + 1) if column.part and match.loser_to is not None else 0
    nobody = match.decided and winner is None
    return BracketMatch(number, upper, lower, winner, _is_third(column, match), nobody, falls_to)


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


def drawn_match(match: MatchData, *, third_place: bool = False, drops: Feed | None = None) -> DrawnMatch:
    """A match as it is drawn. `drops`: where its loser goes on."""
    points: Sequence[int | None] = match_points(match) if match.begun else (None, None)
    people = (match.upper, match.lower)
    lines = tuple(_line(match, person, score) for person, score in zip(people, points, strict=True))
    if match.is_bye:
        lines = tuple(line for line in lines if line.entrant)
    played = [game for game in counted(match) if game.decided]
    late = played[-1].phase if played and match.decided and not match.ruled else Game.Phase.CLASSICAL
    return DrawnMatch(match, lines, "" if late == Game.Phase.CLASSICAL else late, third_place, drops)


def _line(match: MatchData, person: Entrant | None, points: int | None) -> MatchLine:
    goes_on = person is not None and person.key == match.advanced
    return MatchLine(person, points, goes_on, person is not None and match.decided and not goes_on)


def _round(column: _Column, feeds: Mapping[int, Feed]) -> BracketRound:
    third = next((match for match in column.matches if _is_third(column, match)), None)
    pairs: dict[int, list[DrawnMatch]] = {}
    for match in column.matches:
        if match is not third:
            drops = feeds.get(match.loser_to or 0) if column.part == WINNERS else None
            pairs.setdefault(match.winner_to or -match.key, []).append(drawn_match(match, drops=drops))
    return BracketRound(
        number=column.row.number,
        name=column.name,
        day=column.row.day,
        pairs=tuple(MatchPair(tuple(matches), feeds.get(target)) for target, matches in pairs.items()),
        third=drawn_match(third, third_place=True) if third else None,
        part=column.part,
    )


def _other_semi_final(bracket: Bracket) -> tuple[int, ...]:
    """The score of the semi-final that is being played while one finalist is known."""
    playing = [match for row in bracket.rounds[-2:-1] for match in row.matches if match.is_current]
    return tuple(line.points or 0 for line in playing[0].lines) if len(playing) == 1 else ()
