"""Round robin by Berger tables: everybody meets everybody, once or twice.

Source: FIDE General Regulations for Competitions, Annex 1 (Berger tables; swap of the last two rounds of the first
cycle in a double round robin). Checked against 12 club events and four Candidates tournaments.
Not done here: Varma tables (restricted drawing of lots); the drawing of lots itself is `draw_lots` below.
"""

from collections.abc import Mapping
from random import Random
from typing import Any

from clubrating.ground.marks import marked, sentence
from tournaments.pairing.base import Board, Option, PairedRound, PairingError, read_options

Number = tuple[int, int]  # white, black


def berger_table(players: int) -> tuple[tuple[Number, ...], ...]:
    """Annex 1's table for an even number of players: rounds of (white, black) in board order.

    Of the numbers 1…n the last one, n, stands still. In round r it meets a, alternately with the Black and the White
    pieces; on board k+1 meet a+k (White) and a−k (Black), counted round the circle 1…n−1.
    Raises PairingError for an odd or too small number.
    """
    if players < 2 or players % 2:
        raise PairingError(
            sentence("A Berger table needs an even number of players, not %(players)s.", players=players)
        )
    circle = players - 1
    rounds = []
    for number in range(1, players):
        if number % 2:
            first = (number + 1) // 2
            top = (first, players)
        else:
            first = (players + number) // 2
            top = (players, first)
        others = tuple(
            (_on_circle(first + step, circle), _on_circle(first - step, circle)) for step in range(1, players // 2)
        )
        rounds.append((top, *others))
    return tuple(rounds)


def _on_circle(position: int, circle: int) -> int:
    return (position - 1) % circle + 1


def cycles(players: int, *, double: bool = False, swap_last_two: bool = False) -> tuple[tuple[Number, ...], ...]:
    """One or two cycles of the table for an even number of players.

    The second cycle repeats the first with colours reversed. `swap_last_two` exchanges the last two rounds of the
    first cycle, so that nobody has the same colour three times running where the cycles join.
    """
    first = list(berger_table(players))
    if not double:
        return tuple(first)
    second = [tuple((black, white) for white, black in boards) for boards in first]
    if swap_last_two and len(first) > 1:
        first[-2], first[-1] = first[-1], first[-2]
    return (*first, *second)


def draw_lots(entrants: int, seed: int) -> tuple[int, ...]:
    """Pairing numbers 1…n in random order: entrant i gets the i-th. The same seed gives the same lots."""
    numbers = list(range(1, entrants + 1))
    Random(seed).shuffle(numbers)
    return tuple(numbers)


class RoundRobin:
    """Settings: `cycles` 1 or 2; `swap_last_two` true or false (only with two cycles)."""

    key = "round-robin"
    name = marked("Round robin")
    # Everybody is free once in a cycle, so the bye is a free day and brings no points. In a Swiss it brings them.
    allocated_bye_scores = False
    min_players = 2
    max_players = 40
    options: tuple[Option, ...] = (
        Option("cycles", marked("Everybody meets everybody"), 1, choices=((1, marked("once")), (2, marked("twice")))),
        Option(
            "swap_last_two",
            marked("Swap the last two rounds of the first cycle"),
            False,
            help=marked(
                "Only when played twice: nobody then has the same colour three times running where the cycles join."
            ),
        ),
    )

    def schedule(self, players: int, settings: Mapping[str, Any]) -> tuple[PairedRound, ...]:
        """All rounds. With an odd number of players the one drawn against the absent last number has the bye."""
        if players < self.min_players:
            raise PairingError(marked("A round robin needs at least two players."))
        if players > self.max_players:
            raise PairingError(
                sentence(
                    "A round robin takes up to %(most)s players, not %(players)s: form groups.",
                    most=self.max_players,
                    players=players,
                )
            )
        even, chosen = players + players % 2, read_options(self.options, settings)
        rounds = cycles(even, double=chosen["cycles"] == 2, swap_last_two=chosen["swap_last_two"])
        return tuple(_with_byes(boards, players) for boards in rounds)


def _with_byes(boards: tuple[Number, ...], players: int) -> PairedRound:
    played = [Board(white, black) for white, black in boards if white <= players and black <= players]
    free = [Board(min(pair), None) for pair in boards if max(pair) > players]
    return (*played, *free)
