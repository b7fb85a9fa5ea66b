"""A player's card in an event: his rounds in every stage, the changes of his rating, and the working of tie-breaks.

Not done here: who may see the changes (`players.privacy.rules.sees_name` decides it on the page).
"""

from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass

from ratings.lists.selectors.lists import ledger_rows_of
from tournaments.event_pages.selectors.formats import KeizerPlace, is_keizer, keizer_places
from tournaments.event_pages.selectors.progress import Step, steps_of
from tournaments.events.selectors.event_data import Entrant, EventData
from tournaments.events.selectors.standings import EventStandings
from tournaments.knockouts.selectors.brackets import DrawnMatch, drawn_match
from tournaments.standings.rank import Standing
from tournaments.standings.tiebreaks import GroupTiebreak, Part, Rule, Tiebreak, Worth
from tournaments.standings.tiebreaks.unplayed import turns_of

_BY_POINTS_OF_OPPONENTS = frozenset(("BH", "FB", "SB", "KS"))


@dataclass(frozen=True, slots=True)
class WorkLine:
    """A summand of a tie-break: the part, the opponent with the points he has, and the points the round brought (both
    in the smallest unit). What the part counts for can differ from the opponent's points: then its note says why.
    `due`: who was met only on paper, in a forfeited game. `reason`: why the part is cut, where its value does not say
    it: a round "missed" of one's own will, or the "lowest" or "highest" opponent's product."""

    part: Part
    opponent: Entrant | None = None
    score: int | None = None
    taken: int | None = None
    due: Entrant | None = None
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Working:
    """A tie-break of one player: the rule, the value (None where it cannot be used), and its summands."""

    rule: Tiebreak
    worth: Worth | None
    lines: tuple[WorkLine, ...]

    @property
    def is_for_ties(self) -> bool:
        """Whether only those who are tied have a value."""
        return isinstance(self.rule, GroupTiebreak)

    @property
    def reads_points(self) -> bool:
        """Whether the value is made from the points the opponents have."""
        return self.rule.code.partition("/")[0] in _BY_POINTS_OF_OPPONENTS


@dataclass(frozen=True, slots=True)
class Change:
    """What a game did to the player's rating; `game` is its key."""

    game: int
    change: float


@dataclass(frozen=True, slots=True)
class Card:
    """A player in one stage. `standing` is None while nothing is paired, and where another way of telling takes its
    place: the `keizer` list's, or the `matches` of a knockout."""

    person: Entrant
    standing: Standing | None = None
    steps: tuple[Step, ...] = ()
    workings: tuple[Working, ...] = ()
    keizer: KeizerPlace | None = None
    matches: tuple[DrawnMatch, ...] = ()


def card_of(event: EventData, ranked: EventStandings, key: int) -> Card | None:
    """The card of the entry of that key in the stage; None for somebody who does not play in it."""
    person = next((person for person in event.entrants if person.key == key), None)
    if person is None or event.is_bracket:
        return Card(person, matches=_matches(event, key)) if person else None
    standing = next((row for row in ranked.rows if row.player == person.number), None)
    if standing is None:
        return Card(person)
    steps = steps_of(event, ranked)[standing.player]
    if is_keizer(event):
        place = next((place for place in keizer_places(event) if place.entrant.key == key), None)
        return Card(person, steps=steps, keizer=place)
    return Card(person, standing, steps, _workings(ranked, standing, steps))


def changes_of(event: EventData, person: Entrant) -> Mapping[tuple[int, int], Change]:
    """What the event's games did to somebody's rating, by stage (its key) and round. One query; none if not rated."""
    if event.rating_list is None:
        return {}
    player = person.player.pk
    own = ledger_rows_of(player, [event.rating_list.pk])
    rows = own.filter(game__tournament=event.tournament).values_list(
        "game__pairing__stage_id",
        "game__pairing__round__number",
        "game_id",
        "game__white_id",
        "white_change",
        "black_change",
    )
    changes: dict[tuple[int, int], Change] = {}
    for stage, row, game, white, white_change, black_change in rows.order_by("game__number"):
        change = white_change if white == player else black_change
        if change is not None and row is not None:
            earlier = changes.get((stage, row))
            changes[stage, row] = Change(game, change + (earlier.change if earlier else 0.0))
    return changes


def _workings(ranked: EventStandings, standing: Standing, steps: tuple[Step, ...]) -> tuple[Working, ...]:
    by_round = {step.round: step for step in steps}
    missed = frozenset(turn.round for turn in turns_of(ranked.contest)[standing.player] if turn.voluntary)
    return tuple(
        Working(rule, worth, _lines(rule, worth, ranked, by_round, missed) if worth else ())
        for rule, worth in zip(ranked.tiebreaks, standing.tiebreaks, strict=True)
    )


def _lines(
    rule: Tiebreak, worth: Worth, ranked: EventStandings, steps: Mapping[int, Step], missed: frozenset[int]
) -> tuple[WorkLine, ...]:
    reasons = cut_reasons(worth.parts, missed, rule.modifiers.low if isinstance(rule, Rule) else 0)
    lines = []
    for part, reason in zip(worth.parts, reasons, strict=True):
        step = steps.get(part.round)
        taken = step.points if step else None
        if part.opponent:
            opponent, score = ranked.entrants[part.opponent], ranked.table[part.opponent].points
            lines.append(WorkLine(part, opponent, score, taken, reason=reason))
        else:
            lines.append(WorkLine(part, taken=taken, due=step.opponent if step else None, reason=reason))
    return tuple(lines)


def cut_reasons(parts: Sequence[Part], missed: Container[int], low: int) -> list[str]:
    """Why each of the parts is cut where its value does not say it (C.07 art. 14.1.1, 16.5), else empty; the rounds
    `missed` of one's own will go first of the `low` that are cut as the lowest."""
    own_will = [part for part in parts if not part.opponent and part.note and part.round in missed]
    first = sorted(own_will, key=lambda part: part.amount)[:low]
    kept = [part for part in parts if not part.cut]
    return ["missed" if part.cut and part in first else _by_opponent(part, kept) for part in parts]


def _by_opponent(part: Part, kept: Sequence[Part]) -> str:
    """Of products the opponent's score chooses which is cut, not the product."""
    if not part.cut or not part.factors or not kept:
        return ""
    scores, amounts = [other.factors[0] for other in kept], [other.amount for other in kept]
    if part.amount > min(amounts) and part.factors[0] <= min(scores):
        return "lowest"
    return "highest" if part.amount < max(amounts) and part.factors[0] >= max(scores) else ""


def _matches(event: EventData, key: int) -> tuple[DrawnMatch, ...]:
    """The matches somebody is in, byes among them."""
    matches = [match for row in event.rounds for match in row.matches]
    own = [match for match in matches if key in {side.key for side in (match.upper, match.lower) if side is not None}]
    return tuple(drawn_match(match) for match in own)
