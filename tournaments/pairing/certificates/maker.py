"""Makes the certificate of a Swiss round (pure): the facts it is paired from, the boards the engine makes, and
the prices that prove them.

The checker asks; each of its questions is solved as a matching of greatest weight, whose prices are the proof
(`weighted_matching`). So a certificate is checked while it is made: there is none where the engine pairs otherwise than
the checker reads the rules.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import chain
from typing import Any

from tournaments.pairing.base import Field, read_options
from tournaments.pairing.certificates.checker import FORMAT, Check, Proof, Question, candidates_of, completion_of
from tournaments.pairing.certificates.rules import BYE, Bracket, Facts, Refused
from tournaments.pairing.dutch import competitor as engine
from tournaments.pairing.dutch.candidate import best_candidate
from tournaments.pairing.dutch.criteria import CRITERIA_2025
from tournaments.pairing.dutch.legal import Legal
from tournaments.pairing.dutch.system import BAKU, Dutch, baku, since_round_one
from tournaments.pairing.weighted_matching import heaviest_with_prices
from tournaments.standings.crosstable import build_crosstable

Document = dict[str, Any]


def certificate_of(field: Field, settings: Mapping[str, Any]) -> Document:
    """The certificate of the round the engine makes. Raises PairingError where there is none, Refused where the engine
    pairs otherwise than the checker reads the rules."""
    system = Dutch()
    boards = [[board.white, board.black or BYE] for board in system.pair_round(field, settings)]
    facts = facts_of(field, settings)
    players = system.competitors(field, read_options(system.options, settings))
    maker = Maker(players, Legal(players, field.prohibited))
    Check(Facts(facts), boards, maker.prove)
    return {"format": FORMAT, "facts": facts, "boards": boards, "proofs": maker.proofs}


# --- facts --------------------------------------------------------------------------------------------------------
def facts_of(field: Field, settings: Mapping[str, Any]) -> dict[str, Any]:
    """All that a round follows from, by numbers."""
    chosen = read_options(Dutch.options, settings)
    virtual = field.accelerated
    if not virtual and chosen["acceleration"] == BAKU:
        virtual = baku(field.players, since_round_one(field), chosen["rounds"], field.points, chosen["games"])
    points = field.points
    return {
        "edition": field.edition,
        "round": field.round,
        "rounds": chosen["rounds"],
        "games": chosen["games"],
        "first_colour": chosen["first_colour"],
        "points": {"unit": points.unit, "win": points.win, "loss": points.loss},
        "prohibited": sorted(sorted(pair) for pair in field.prohibited if pair <= field.present),
        "players": [
            {
                "number": number,
                "here": number in field.present,
                "virtual": list(virtual.get(number, ())),
                "rounds": rounds,
            }
            for number, rounds in _rounds_of(field).items()
        ],
    }


def _rounds_of(field: Field) -> dict[int, list[list[Any] | None]]:
    """What everybody did in the rounds before."""
    found: dict[int, list[list[Any] | None]] = {player: [None] * (field.round - 1) for player in field.players}
    table = build_crosstable(field.players, map(engine.settled, field.meetings), (), field.points)
    for player, line in table.items():
        for cell in line.cells:
            how = "f" if not cell.played else "w" if cell.is_white else "b"
            found[player][cell.round - 1] = [cell.opponent, how, cell.points]
    for bye in field.byes:
        found[bye.player][bye.round - 1] = [BYE, "p" if bye.kind == "pab" else "a", bye.points]
    return found


# --- proofs -------------------------------------------------------------------------------------------------------
class Maker:
    """Answers what the checker asks, and notes the proofs in the order in which it asked."""

    def __init__(self, players: Sequence[engine.Competitor], legal: Legal) -> None:
        self.players, self.legal = {player.number: player for player in players}, legal
        self.proofs: list[Document] = []

    def prove(self, asked: Bracket | Question) -> Proof:
        """The proof."""
        proof = solved(asked)[1] if isinstance(asked, Question) else self._of_bracket(asked)
        self.proofs.append(proof)
        return proof

    def _of_bracket(self, bracket: Bracket) -> Document:
        if bracket.is_first:
            return {}
        return _completing(bracket) if bracket.complete else self._freely(bracket)

    def _freely(self, bracket: Bracket) -> Document:
        """Edition 2025: the bracket as it is best without asking for the rest, and whether the rest is stuck then."""
        pairs = self._engine_pairs(bracket)
        freely = replace(bracket, mates=_both_ways(pairs))
        proof: Document = {}
        if not freely.is_first:
            question = candidates_of(freely, everybody=False)
            mates, proof = solved(question)
            if freely.pairs == bracket.pairs and _proves(question, bracket.mates, proof):
                return proof
            pairs = [(one, other) for one, other in sorted(mates.items()) if one < other]
        proof["pairs"] = pairs
        if freely.pairs != bracket.pairs:
            left = [*freely.floaters, *chain.from_iterable(bracket.below)]
            proof["stuck"] = solved(completion_of(bracket.facts, left, bracket.byes))[1]
        return proof

    def _engine_pairs(self, bracket: Bracket) -> list[tuple[int, int]]:
        """How the engine pairs it freely."""
        moved, residents, following, rest = (
            tuple(self.players[player.number] for player in group)
            for group in (bracket.moved, bracket.residents, bracket.below[0], chain.from_iterable(bracket.below[1:]))
        )
        barred = frozenset(self.legal.opponents) - self.legal.byes if self.legal.odd and not rest else frozenset()
        asked = engine.Bracket(moved, residents, following, rest, bracket.facts.points["unit"], barred)
        found = best_candidate(asked, self.legal, CRITERIA_2025, complete=False)
        return [(one.number, other.number) for one, other in found.pairs] if found else []


def _completing(bracket: Bracket) -> Document:
    """The bracket looked at alone, or with the following group; where that is not enough, with everybody below."""
    question = candidates_of(bracket, everybody=False)
    proof = solved(question)[1]
    if _proves(question, bracket.mates, proof):
        return proof
    return {"everybody": True, **solved(candidates_of(bracket, everybody=True))[1]}


def _both_ways(pairs: Iterable[tuple[int, int]]) -> dict[int, int]:
    return {one: other for pair in pairs for one, other in (pair, pair[::-1])}


def _proves(question: Question, mates: Mapping[int, int], proof: Proof) -> bool:
    try:
        question.check_best(mates, proof)
    except Refused:
        return False
    return True


def solved(question: Question) -> tuple[dict[int, int], Document]:
    """The matching that saves the most, and its prices."""
    lift = 0
    if question.everybody:
        # A pair more is worth more than all that can be saved otherwise.
        least, most = min(question.savings.values()), max(question.savings.values())
        lift = 1 - least + (most - least + 1) * len(question.numbers)
    weights = {way: saved + lift for way, saved in question.savings.items()}
    found = heaviest_with_prices({way: weight for way, weight in weights.items() if weight > 0})
    prices = [found.prices.get(number, lift) - lift for number in question.numbers]
    circles = sorted((sorted(inside), price) for inside, price in found.circles)
    return found.mates, {
        "prices": [f"{price:x}" for price in prices],
        "circles": [[inside, f"{price:x}"] for inside, price in circles],
    }
