"""Double elimination: who loses twice is out. The knockout's bracket, and a second one for those who lost there (pure).

P = 2^k lines. Winners' round w is played in round 1, 2, 4, 6 … 2k − 2, losers' round j in round j + 1, the final in
round 2k. In odd losers' rounds those left there meet; in even ones each meets a loser of winners' round j/2 + 1. Where
a bye leaves a place empty, the other one goes on to the next losers' round without a match.

Rematches are put off by where losers come in (`comes_in_at`): those of winners' rounds 2, 4, 6 … into the opposite half
of the losers' bracket, those of rounds 3 and 4, 7 and 8 … into the opposite quarter of their half, and so on. That two
who met cannot meet again before the round that no other order of the losers could put off further is shown in
`docs/algorithms/double-elimination.md`. Matches have the numbers of their boards; the second final is made when it is
needed (`tournaments.knockouts.services.matches`).
"""

from collections.abc import Mapping
from dataclasses import replace
from random import Random
from typing import Any

from clubrating.ground.marks import marked, sentence
from tournaments.pairing.base import Bracket, Match, Option, PairingError, Source, read_options
from tournaments.pairing.knockout import NEIGHBOURS, OPTIONS, Prohibited, round_name, winners_tree

WINNERS, LOSERS, FINAL = "winners", "losers", "final"
SECOND_FINAL = "second_final"
# A line's number goes by the seeds of one bracket: in the losers' bracket there is none.
_COLOURS = ("seed", "lots", "upper", "alternate", "alternate-lower")
_NOBODY = Source()


def _options() -> tuple[Option, ...]:
    kept = {option.key: option for option in OPTIONS if option.key in ("seeding", "games", "extra", "first_colour")}
    colour = kept["first_colour"]
    choices = tuple(choice for choice in colour.choices if choice[0] in _COLOURS)
    kept["first_colour"] = replace(colour, choices=choices, help="")
    second = Option(
        SECOND_FINAL,
        marked("A second final"),
        True,
        help=marked("Played only if the winner of the losers’ bracket wins the final: then both have lost once."),
    )
    return (kept["seeding"], second, kept["games"], kept["extra"], kept["first_colour"])


class DoubleElimination:
    """Settings: `seeding`, `games`, `extra` and `first_colour` as in a knockout; `second_final`: whether one is played
    where the winner of the losers' bracket wins the first."""

    key = "double-elimination"
    name = marked("Double elimination")
    allocated_bye_scores = False
    min_players = 3
    max_players = 256
    options = _options()

    def bracket(
        self, players: int, settings: Mapping[str, Any], lots: Random, prohibited: Prohibited = frozenset()
    ) -> Bracket:
        """All matches for the numbers 1 … `players`, but a second final. Raises PairingError."""
        if not self.min_players <= players <= self.max_players:
            raise PairingError(
                sentence(
                    "Double elimination takes %(least)s to %(most)s players, not %(players)s.",
                    least=self.min_players,
                    most=self.max_players,
                    players=players,
                )
            )
        chosen = read_options(self.options, settings)
        tree, rounds = winners_tree(players, chosen["seeding"], NEIGHBOURS, lots, prohibited)
        winners = [_moved(match) for match in tree]
        losers, last = _losers(winners, rounds)
        final = Match(2 * rounds, 1, 1, Source(match=(2 * rounds - 2, 1)), last)
        return tuple(sorted([*winners, *losers, final], key=lambda match: (match.round, match.board)))


def round_of(winners_round: int) -> int:
    """The round in which that round of the winners' bracket is played."""
    return max(1, 2 * winners_round - 2)


def comes_in_at(winners_round: int, place: int, rounds: int) -> int:
    """Where the loser of match `place` (from 0) of that winners' round comes into the losers' bracket. The binary
    figures of the round less one, the last first, say which of halves, quarters, eighths … are exchanged."""
    width = rounds - winners_round
    exchanged = sum(((winners_round - 1) >> figure & 1) << (width - 1 - figure) for figure in range(width))
    return place ^ exchanged


def part_of(rounds: int, number: int, slot: int) -> str:
    """Which bracket the match in that slot of round `number` is in, of `rounds` winners' rounds."""
    if number >= 2 * rounds:
        return FINAL
    if number == 1 or (number % 2 == 0 and slot <= 2 ** (rounds - number // 2 - 1)):
        return WINNERS
    return LOSERS


def column_name(rounds: int, number: int, part: str, first_losers: int = 2) -> str:
    """What the matches of a part in that round are called: "winners-semi-final", "losers-2", "losers-final",
    "grand-final", "second-final". Losers' rounds count from the first with a match, in round `first_losers`."""
    if part == FINAL:
        return "grand-final" if number == 2 * rounds else "second-final"
    if part == WINNERS:
        return f"winners-{round_name(rounds, 1 if number == 1 else number // 2 + 1)}"
    return "losers-final" if number == 2 * rounds - 1 else f"losers-{number - first_losers + 1}"


def _moved(match: Match) -> Match:
    """A match of the winners' bracket in the round in which it is played here."""
    upper, lower = (
        replace(source, match=(round_of(source.match[0]), source.match[1])) if source.match else source
        for source in (match.upper, match.lower)
    )
    return replace(match, round=round_of(match.round), upper=upper, lower=lower)


def _losers(winners: list[Match], rounds: int) -> tuple[list[Match], Source]:
    """The matches of the losers' bracket, and who comes out of it."""
    matches: list[Match] = []
    left = _beaten(winners, 1, rounds)
    for number in range(2, rounds + 1):
        among = list(zip(left[::2], left[1::2], strict=True))
        left = _met(among, 2 * number - 2, 2 ** (rounds - number), matches)
        left = _met(list(zip(_beaten(winners, number, rounds), left, strict=True)), 2 * number - 1, 0, matches)
    return matches, left[0]


def _beaten(winners: list[Match], number: int, rounds: int) -> list[Source]:
    """The losers of a winners' round, by the places at which they come into the losers' bracket."""
    placed = [_NOBODY] * 2 ** (rounds - number)
    for match in winners:
        if match.round == round_of(number) and not (match.upper.is_nobody or match.lower.is_nobody):
            at = comes_in_at(number, match.slot - 1, rounds)
            placed[at] = Source(match=(match.round, match.board), loser=True)
    return placed


def _met(pairs: list[tuple[Source, Source]], number: int, boards: int, matches: list[Match]) -> list[Source]:
    """Who goes on from each of the pairs; those of two are matches of that round, behind `boards` others."""
    ahead = []
    for pair in pairs:
        present = sorted((source for source in pair if source.match), key=lambda source: source.match or (0, 0))
        if len(present) < 2:
            ahead.append(present[0] if present else _NOBODY)
            continue
        boards += 1
        matches.append(Match(number, boards, boards, present[0], present[1]))
        ahead.append(Source(match=(number, boards)))
    return ahead
