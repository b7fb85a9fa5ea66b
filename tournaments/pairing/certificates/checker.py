"""Checks the certificate of a Swiss round without the engine: beside `rules` it needs Python's own library only (pure).

    python3 -m tournaments.pairing.certificates.checker certificate.json

A certificate has the facts before a round, the boards, and for every bracket a proof that no candidate comes before the
one that was paired. From the facts follows what is legal and what fails (`rules`). Of the rest of the certificate
nothing is believed.

How a proof works. All that the rules weigh, the failures criterion by criterion and then the place in the order of
candidates, becomes the digits of one whole number for each pair and each floater: a cost. A candidate is a matching.
Of two candidates the rules prefer the one at the smaller sum, and no two have the same. A pair saves what it costs less
than its two players as floaters. The proof is a price for every player, and for some odd circles of players. No pair
saves more than the prices of its two and of the circles around both; so no matching saves more than all prices
together, a circle counted as often as it has room for pairs. Where the boards save just that, nothing comes before
them. That some players cannot all be paired is proven alike: by prices that are too low for it. All is counted double,
so that it stays whole.

Sources: FIDE C.04.3, C.04.2 art. 3.6 for the order of boards; J. Edmonds, Maximum matching and a polyhedron with
0,1-vertices, Journal of Research of the National Bureau of Standards 69B (1965).
"""

import json
import sys
from collections import defaultdict
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain, groupby
from pathlib import Path
from typing import Any

from tournaments.pairing.certificates.rules import (
    BYE,
    ORDER,
    WHITE,
    Bracket,
    Digit,
    Facts,
    Player,
    Refused,
    colour_of,
    demand,
    whole,
)

FORMAT = "club-rating pairing certificate 1"
LARGEST = 32_000_000  # bytes
MOST_BITS = 1 << 33  # of all costs of a bracket: a gigabyte
Way = tuple[int, int]  # a pair by numbers, the higher ranked first
Proof = Mapping[str, Any]


class Unusable(ValueError):  # noqa: N818
    """This is no certificate."""


# --- proofs -----------------------------------------------------------------------------------------------------------
@dataclass(frozen=True, slots=True)
class Question:
    """What each way saves. `everybody` must have a partner; else whoever has none saves nothing."""

    numbers: Sequence[int]
    savings: Mapping[Way, int]
    everybody: bool = False

    def most(self, proof: Proof) -> int:
        """More than that no matching saves, counted double. Raises Refused where the prices do not prove it."""
        given, circles = proof["prices"], [(set(inside), int(price, 16)) for inside, price in proof["circles"]]
        demand(len(given) == len(self.numbers) >= len(circles), "There are not as many prices as players.")
        prices = {number: int(price, 16) for number, price in zip(self.numbers, given, strict=True)}
        demand(self.everybody or min(prices.values(), default=0) >= 0, "A price is below nought.")
        demand(all(len(inside) % 2 and price >= 0 for inside, price in circles), "A circle is even, or below nought.")
        for (one, other), saved in self.savings.items():
            around = sum(price for inside, price in circles if one in inside and other in inside)
            demand(prices[one] + prices[other] + around >= 2 * saved, f"{one} and {other} save more than their prices.")
        return sum(prices.values()) + sum(len(inside) // 2 * price for inside, price in circles)

    def check_best(self, mates: Mapping[int, int], proof: Proof) -> None:
        """Raises Refused unless nothing saves more than these."""
        demand(all(mates.get(other) == one for one, other in mates.items()), "Somebody is paired twice.")
        chosen = [way for way in self.savings if mates.get(way[0]) == way[1]]
        demand(not self.everybody or 2 * len(chosen) == len(self.numbers), "Somebody is left over.")
        demand(2 * sum(self.savings[way] for way in chosen) == self.most(proof), "Another candidate may come first.")

    def check_impossible(self, proof: Proof) -> None:
        """Raises Refused unless somebody is always left over; each way saves one."""
        demand(self.most(proof) < len(self.numbers), "All of them may be pairable.")


def candidates_of(bracket: Bracket, *, everybody: bool) -> Question:
    """The bracket's candidates, with those of the following group where that matters; with all below where all must be
    pairable and the prices need it (`everybody`)."""
    facts, near = bracket.facts, [*bracket.own.values(), *bracket.following.values()]
    below = [player for player in chain.from_iterable(bracket.below) if player.number not in bracket.following]
    players, moved = [*near, *(below if everybody else ())], {player.number for player in bracket.moved}
    # Those moved down together do not meet: the bracket above would have paired them.
    ways: dict[Any, tuple[Player, Player | None]] = {
        (one.number, other.number): (one, other)
        for one, other in facts.legal_pairs(players)
        if not {one.number, other.number} <= moved
    }
    demand(all((one.number, other.number) in ways for one, other in bracket.pairs), "Two moved down together meet.")
    if everybody and len(facts.players) % 2:
        ways |= {(player.number, BYE): (player, None) for player in players if player.number in bracket.byes}
    alone = {} if everybody else {player.number: (player, None) for player in players}
    costs = costs_of(bracket, {**alone, **ways})
    numbers = [player.number for player in players] + [BYE] * (everybody and len(facts.players) % 2)
    single = {number: costs.get(number, 0) for number in numbers}
    return Question(numbers, {way: single[way[0]] + single[way[1]] - costs[way] for way in ways}, everybody)


def costs_of(bracket: Bracket, ways: Mapping[Any, tuple[Player, Player | None]]) -> dict[Any, int]:
    """The whole numbers made of all digits, the weightiest first."""
    digits: dict[Digit, dict[Any, int]] = defaultdict(lambda: defaultdict(int))
    for way, two in ways.items():
        for failure in bracket.failures(*two):
            digits[failure][way] += 1
        for at, amount in enumerate(bracket.place(*two)):
            if amount:
                digits[ORDER, at, 0][way] += amount
    costs, worth = dict.fromkeys(ways, 0), 1
    for digit in sorted(digits, reverse=True):
        for way, amount in digits[digit].items():
            costs[way] += amount * worth
        worth *= bracket.radix(digit)
        demand(worth.bit_length() * len(ways) < MOST_BITS, "Facts: more different scores than can be weighed.")
    return costs


def completion_of(facts: Facts, players: Sequence[Player], byes: Collection[int]) -> Question:
    """Whether all of them can be paired, one of `byes` having the bye where somebody must."""
    odd = len(facts.players) % 2
    ways = {(one.number, other.number): 1 for one, other in facts.legal_pairs(players)}
    ways |= {(player.number, BYE): 1 for player in players if odd and player.number in byes}
    return Question([player.number for player in players] + [BYE] * odd, ways)


def board_order(pair: Sequence[Player]) -> tuple[int, int, int, int]:
    """What of two boards is the smaller stands first: the points of the better, of both, the better's number."""
    better = min(pair, key=lambda player: (-player.points, player.number))
    return 0, -better.points, -sum(player.points for player in pair), better.number


# --- the round --------------------------------------------------------------------------------------------------------
class Check:
    """A round, checked by its constructor. `prove` gives the proof for a bracket or for a question, in the order in
    which they come up. Raises Refused. `brackets`: those of the round, as they are proven."""

    def __init__(self, facts: Facts, boards: Sequence[Sequence[int]], prove: Callable[[Any], Proof]) -> None:
        self.facts, self.prove, self.brackets = facts, prove, list[Bracket]()
        self.mates = {one: other for board in boards for one, other in (board, board[::-1])}
        self.check_boards(boards)
        byes = [player for player in facts.players if player.may_have_bye] if len(facts.players) % 2 else []
        self.byes = frozenset(player.number for player in self.lowest(byes))
        self.check_brackets()

    def check_boards(self, boards: Sequence[Sequence[int]]) -> None:
        """Everybody once, nothing illegal, the right colours, the boards in order and the bye last."""
        facts, players, order = self.facts, {player.number: player for player in self.facts.players}, []
        seated = sorted(map(whole, chain.from_iterable(boards)))
        demand(seated == sorted([*players, *[BYE] * (len(players) % 2)]), "Boards: not everybody has just one.")
        for white, black in boards:
            if black == BYE:
                demand(players[white].may_have_bye, f"Boards: {white} may not have the bye (C2).")
                order.append((1, 0, 0, 0))
                continue
            pair = sorted((players[white], players[black]), key=lambda player: (-player.score, player.number))
            demand(facts.legal(*pair), f"Boards: {white} and {black} may not meet (C1, C3).")
            colour = colour_of(pair[0], pair[1], facts.first)
            demand((colour == WHITE) == (pair[0].number == white), f"Boards: the colours of {white}, {black}.")
            order.append(board_order(pair))
        demand(order == sorted(order), "Boards: they are not in order.")

    def lowest(self, able: Sequence[Player]) -> Sequence[Player]:
        """Who may have the bye; since 2026 nobody with fewer points can have it (C5)."""
        if not able or self.facts.edition < 2026:
            return able
        score = next(player.score for player in able if player.number == self.mates[BYE])
        lower = [player.number for player in able if player.score < score]
        if lower:
            question = completion_of(self.facts, self.facts.players, lower)
            question.check_impossible(self.prove(question))
        return [player for player in able if player.score == score]

    def check_brackets(self) -> None:
        """From the top score group down. In edition 2025 a bracket is paired without asking for the rest. Where the
        rest is stuck then it is paired again, and all below is one bracket."""
        groups = [list(group) for _score, group in groupby(self.facts.players, key=lambda player: player.score)]
        bracket = Bracket(self.facts, self.byes, (), (), groups, self.mates)
        while bracket.below:
            bracket = Bracket(self.facts, self.byes, bracket.floaters, bracket.below[0], bracket.below[1:], self.mates)
            if self.facts.edition >= 2026 or not bracket.below:
                self.check_bracket(bracket, self.prove(bracket))
            elif not self.goes_on_freely(bracket):
                rest = [[*chain.from_iterable(bracket.below)]]
                bracket = Bracket(self.facts, self.byes, bracket.moved, bracket.residents, rest, self.mates)
                self.check_bracket(bracket, self.prove(bracket))
            self.brackets.append(bracket)

    def goes_on_freely(self, bracket: Bracket) -> bool:
        freely = replace(bracket, complete=False)
        proof = self.prove(freely)
        if "pairs" in proof:  # of the bracket and of the following group, where the boards are others there
            named = [*chain.from_iterable(proof["pairs"])]
            # Whoever met himself would be neither paired nor a floater, and nothing would look ahead for him.
            demand(len(named) == len(set(named)), f"{bracket}: somebody is paired twice.")
            freely = replace(freely, mates={a: b for pair in proof["pairs"] for a, b in (pair, pair[::-1])})
        self.check_bracket(freely, proof)
        if freely.pairs == bracket.pairs:
            return True
        left = [*freely.floaters, *chain.from_iterable(bracket.below)]
        question = completion_of(self.facts, left, self.byes)
        question.check_impossible(proof["stuck"])
        return False

    def check_bracket(self, bracket: Bracket, proof: Proof) -> None:
        try:
            if "prices" in proof:
                everybody = bracket.complete and bool(proof.get("everybody"))
                candidates_of(bracket, everybody=everybody).check_best(bracket.mates, proof)
            else:
                demand(bracket.is_first, "nothing proves that no other candidate comes first.")
        except Refused as reason:
            raise Refused(f"{bracket}: {reason}") from None

    def lines(self) -> list[str]:
        """What was proven, in words: of each bracket how often each criterion fails, which is as seldom as can be."""
        facts, point = self.facts, "C" if self.facts.edition >= 2026 else "C."
        lines = [f"proven: round {facts.round}, {len(facts.players)} players, FIDE C.04.3 of {facts.edition}"]
        for bracket in self.brackets:
            failing = ", ".join(f"{point}{criterion} × {times}" for criterion, times in bracket.counted())
            lines.append(f"{bracket}: {len(bracket.pairs)} pairs; fails: {failing or 'nothing'}")
        return lines


def check(document: Mapping[str, Any]) -> Check:
    """What a certificate proves. Raises Refused where it does not prove its boards, or Unusable."""
    try:
        demand(document["format"] == FORMAT, f"This is not of the format “{FORMAT}”.")
        proofs = iter(document["proofs"])
        facts = Facts(document["facts"])
        found = Check(facts, document["boards"], lambda _asked: next(proofs, {}))
        demand(next(proofs, None) is None, "There are more proofs than brackets.")
    except Refused:
        raise
    except (LookupError, TypeError, AttributeError, ValueError, ArithmeticError, RecursionError) as reason:
        raise Unusable(f"This is no certificate ({type(reason).__name__}: {reason}).") from None
    return found


def check_file(data: bytes) -> Check:
    """The same of a file's bytes."""
    if len(data) > LARGEST:
        raise Unusable(f"This is larger than {LARGEST} bytes.")
    try:
        document = json.loads(data)
    except (ValueError, RecursionError):
        raise Unusable("This is no certificate: no JSON.") from None
    return check(document)


def main(path: str) -> int:
    """0: proven. 1: refused. 2: no certificate."""
    try:
        with Path(path).open("rb") as file:
            found = check_file(file.read(LARGEST + 1))
    except Refused as reason:
        sys.stdout.write(f"refused: {reason}\n")
        return 1
    except (OSError, Unusable) as reason:
        sys.stderr.write(f"{path}: {reason}\n")
        return 2
    sys.stdout.write("".join(f"{line}\n" for line in found.lines()))
    return 0


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.stderr.write("Name one file: python3 -m tournaments.pairing.certificates.checker certificate.json\n")
        sys.exit(2)
    sys.exit(main(sys.argv[1]))
