"""Knockout: who loses a match is out. Draws the bracket; the rest follows from who wins.

A bracket has P lines, P the next power of two. The matches of a round lie in it from top to bottom (their `slot`), and
those in slots 1 and 2, 3 and 4 … send their winners to the same match. Boards are the matches' own numbers.

Source: standard seeding as in the FIDE World Cup (1 against P, 2 against P−1 …, byes to the top seeds; 206 players in
2025). `crossed`: eight by lot, the winner of match 1 meets the winner of match 4, 2 meets 3 (a study of xiangqi
masters). Elsewhere: a bracket of those who lost (`double_elimination`); mini-matches and what follows an even one
(`matches`).
"""

from collections.abc import Mapping
from itertools import pairwise
from random import Random
from typing import Any

from clubrating.ground.marks import marked, sentence
from tournaments.pairing.base import Bracket, Match, Option, PairingError, Source, read_options
from tournaments.pairing.matches import EXTRA_CHOICES
from tournaments.pairing.matching import maximum_matching

STANDARD, LOTS, GIVEN = "standard", "lots", "given"
NEIGHBOURS, CROSSED = "neighbours", "crossed"
Prohibited = frozenset[frozenset[int]]
Lines = list[tuple[int, int | None]]  # the first round's matches in order of slots: above, below (None: nobody)
# Draws thrown away before the pairs to be kept apart are kept apart by force.
DRAWS = 200

OPTIONS: tuple[Option, ...] = (
    Option(
        "seeding",
        marked("First round"),
        STANDARD,
        choices=(
            (STANDARD, marked("seeded: first against last, the first two can meet only in the final")),
            (LOTS, marked("drawn by lots")),
            (GIVEN, marked("in the order of the numbers: 1–2, 3–4 …")),
        ),
    ),
    Option(
        "pairs",
        marked("Who meets next"),
        NEIGHBOURS,
        choices=(
            (NEIGHBOURS, marked("the winners of matches 1 and 2, of 3 and 4 …")),
            (CROSSED, marked("the winners of the first match and the last, the second and the last but one …")),
        ),
    ),
    Option("third_place", marked("Match for third place"), False),
    Option(
        "games",
        marked("Games of a match"),
        1,
        lowest=1,
        highest=9,
        help=marked("The match ends as soon as it is decided."),
    ),
    Option("extra", marked("After an even match"), "", choices=EXTRA_CHOICES),
    Option(
        "first_colour",
        marked("White in the first game"),
        "seed",
        choices=(
            ("seed", marked("the higher seed")),
            ("lots", marked("by lots")),
            ("upper", marked("the upper line")),
            ("alternate", marked("alternating down the bracket: the upper line, then the lower …")),
            ("alternate-lower", marked("alternating down the bracket: the lower line, then the upper …")),
            ("odd", marked("lines of odd numbers, number 1 among them")),
            ("even", marked("lines of even numbers, so that number 1 has Black")),
        ),
        help=marked("Odd and even: a line has the number of the seed that comes there if the better one always wins."),
    ),
)


def standard_order(lines: int) -> tuple[int, ...]:
    """The seeds from top to bottom: each s of a bracket half as large is followed by its opponent, lines + 1 − s. Of
    eight: 1, 8, 4, 5, 2, 7, 3, 6. Raises PairingError where `lines` is no power of two."""
    if lines < 1 or lines & (lines - 1):
        raise PairingError(sentence("A bracket has 2, 4, 8, 16 … lines, not %(lines)s.", lines=lines))
    order = [1]
    while len(order) < lines:
        order = [seed for above in order for seed in (above, 2 * len(order) + 1 - above)]
    return tuple(order)


def is_white_above(rule: str, slot: int, upper_is_higher: bool) -> bool:
    """Whether the line above has White in the first game of the match in that slot, by a rule that needs no lots. One
    line of a match has an odd number in `standard_order`: the one above where slot − 1 has an even number of binary
    ones, however large the bracket is, since from a bracket to one twice as large each seed is followed by one of the
    other parity."""
    if rule in ("alternate", "alternate-lower"):
        return (slot % 2 == 1) == (rule == "alternate")
    if rule in ("odd", "even"):
        return ((slot - 1).bit_count() % 2 == 0) == (rule == "odd")
    return upper_is_higher if rule == "seed" else True


def round_name(rounds: int, number: int) -> str:
    """What round `number` of so many is called: "final", "semi-final", "quarter-final", "round-of-16" …"""
    left = 2 ** (rounds - number + 1)
    return {2: "final", 4: "semi-final", 8: "quarter-final"}.get(left, f"round-of-{left}")


def rounds_for(players: int) -> int:
    """How many rounds a knockout of so many players has."""
    return (players - 1).bit_length()


class Knockout:
    """Settings: `seeding` standard, lots or given; `pairs` neighbours or crossed; `third_place`; `games` of a match;
    `extra`: what follows an even match; `first_colour`: who has White in its first game."""

    key = "knockout"
    name = marked("Knockout")
    # Without an opponent one goes on to the next round; there are no points to be had.
    allocated_bye_scores = False
    min_players = 2
    max_players = 256
    options = OPTIONS

    def bracket(
        self, players: int, settings: Mapping[str, Any], lots: Random, prohibited: Prohibited = frozenset()
    ) -> Bracket:
        """All matches for the numbers 1 … `players`. Pairs in `prohibited` are kept apart in a first round drawn by
        lots, as far as possible; elsewhere the seeds decide."""
        if players < self.min_players:
            raise PairingError(marked("A knockout needs at least two players."))
        if players > self.max_players:
            raise PairingError(
                sentence(
                    "A knockout takes up to %(most)s players, not %(players)s.", most=self.max_players, players=players
                )
            )
        chosen = read_options(self.options, settings)
        matches, rounds = winners_tree(players, chosen["seeding"], chosen["pairs"], lots, prohibited)
        if chosen["third_place"] and rounds > 1 and players > 3:
            above, below = (Source(match=(rounds - 1, board), loser=True) for board in (1, 2))
            matches.append(Match(rounds, 2, 2, above, below, third_place=True))
        return tuple(sorted(matches, key=lambda match: (match.round, match.board)))


def winners_tree(
    players: int, seeding: str, pairs: str, lots: Random, prohibited: Prohibited
) -> tuple[list[Match], int]:
    """The matches whose winners go on, from the first round to the one that two are left in; and how many rounds."""
    boards = _boards(2 ** rounds_for(players), pairs)
    first = _first_round(players, seeding, boards[0], lots, prohibited)
    matches = [
        Match(1, boards[0][slot - 1], slot, Source(seed=above), Source(seed=below))
        for slot, (above, below) in enumerate(first, start=1)
    ]
    return matches + _later_matches(boards), len(boards)


def _boards(lines: int, pairs: str) -> list[tuple[int, ...]]:
    """For every round the numbers of its matches from top to bottom. Crossed is the standard order of the matches."""
    sizes = [lines >> number for number in range(1, lines.bit_length())]
    return [standard_order(size) if pairs == CROSSED else tuple(range(1, size + 1)) for size in sizes]


# --- the first round ------------------------------------------------------------------------------------------
def _first_round(players: int, seeding: str, boards: tuple[int, ...], lots: Random, prohibited: Prohibited) -> Lines:
    if seeding == STANDARD:
        return _seeded(players)
    # The byes lie where the top seeds would have them: spread over the drawing, never two in one match.
    free = [below is None for _above, below in _seeded(players)]
    if seeding == GIVEN:
        return _filled(list(range(1, players + 1)), free, boards)
    return _drawn(players, free, boards, lots, prohibited)


def _seeded(players: int) -> Lines:
    order = standard_order(2 ** rounds_for(players))
    return [(above, below if below <= players else None) for above, below in zip(order[::2], order[1::2], strict=True)]


def _filled(numbers: list[int], free: list[bool], boards: tuple[int, ...]) -> Lines:
    """The numbers in order of the matches' own numbers; a match with a bye takes one."""
    left = iter(numbers)
    by_board = sorted(range(len(free)), key=lambda slot: boards[slot])
    filled = {slot: (next(left), None if free[slot] else next(left)) for slot in by_board}
    return [filled[slot] for slot in range(len(free))]


def _drawn(players: int, free: list[bool], boards: tuple[int, ...], lots: Random, prohibited: Prohibited) -> Lines:
    """A draw in which nobody meets whom he must not. Drawing anew until one fits keeps all that fit equally likely."""
    numbers = list(range(1, players + 1))
    for _draw in range(DRAWS):
        lots.shuffle(numbers)
        lines = _filled(numbers, free, boards)
        if not any(frozenset(match) in prohibited for match in lines):
            return lines
    return _kept_apart(numbers, free, lots, prohibited)


def _kept_apart(numbers: list[int], free: list[bool], lots: Random, prohibited: Prohibited) -> Lines:
    """As few prohibited pairs as there can be: a maximum matching of those who may meet, byes being opponents too."""
    byes = [-number for number in range(1, sum(free) + 1)]
    graph = {
        one: [other for other in numbers if other != one and frozenset((one, other)) not in prohibited] + byes
        for one in numbers
    }
    graph |= dict.fromkeys(byes, numbers)
    mates = maximum_matching(graph)
    left = [number for number in numbers if number not in mates]
    pairs = [(one, mates[one]) for one in numbers if mates.get(one, 0) > one or mates.get(one, 0) < 0]
    pairs += list(zip(left[::2], left[1::2], strict=True))
    lots.shuffle(pairs)
    free_ones = iter([one for one, other in pairs if other < 0])
    meetings = iter([pair for pair in pairs if pair[1] > 0])
    return [(next(free_ones), None) if is_free else next(meetings) for is_free in free]


# --- the matches ----------------------------------------------------------------------------------------------
def _later_matches(boards: list[tuple[int, ...]]) -> list[Match]:
    matches = []
    for number, (before, here) in enumerate(pairwise(boards), start=2):
        for slot, board in enumerate(here, start=1):
            above, below = (Source(match=(number - 1, before[2 * slot - step])) for step in (2, 1))
            matches.append(Match(number, board, slot, above, below))
    return matches
