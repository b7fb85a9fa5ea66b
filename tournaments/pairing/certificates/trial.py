"""Certificates tried out on random rounds (pure): each must be accepted, and whatever is altered refused.

The rounds are those of simulated events of both editions: odd and even fields, late entries, byes, forfeits, virtual
points, pairs that must not meet, people who stay away. An altered certificate may be accepted only where the engine
pairs the altered facts just so. One alteration is that of somebody who knows how certificates are made: other boards,
legal, with the right colours and in order, are proven as well as they can be.
"""

import json
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from itertools import combinations
from random import Random
from typing import Any

from tournaments.pairing.base import SWISS_EDITIONS, Field, PairingError, read_options
from tournaments.pairing.certificates.checker import Check, Unusable, board_order, check
from tournaments.pairing.certificates.maker import Document, Maker, certificate_of, facts_of
from tournaments.pairing.certificates.rules import BYE, WHITE, Facts, Player, Refused, colour_of
from tournaments.pairing.dutch.legal import Legal
from tournaments.pairing.dutch.system import Dutch
from tournaments.pairing.simulation import Habits, Plan, SimulatedEvent, simulate
from tournaments.standings.points import POINT_SYSTEMS, Result, with_allocated_bye

MOST = 60  # players, where nothing else is said
_BUSY = Habits(late=0.1, half_bye=0.08, zero_bye=0.06, leaves=0.02, forfeit=0.08, both_forfeit=0.02)
_STEP = 10  # of the sizes of fields that are counted together
_TRIES = 20
_RESULTS = (Result.WHITE_WINS, Result.DRAW, Result.BLACK_WINS)


@dataclass(frozen=True, slots=True)
class RandomRound:
    """A field to be paired, the settings of the system, and the certificate."""

    field: Field
    settings: dict[str, Any]
    document: Document


@dataclass(slots=True)
class Trial:
    """What came of it. `altered`: of each kind, how often it was refused and how often it was right after all (and
    accepted). `sizes`: bytes of each certificate by the number of players. `failed`: what must not be, in words."""

    rounds: int = 0
    proofs: Counter[str] = field(default_factory=Counter)
    altered: dict[str, Counter[str]] = field(default_factory=dict)
    sizes: dict[int, list[int]] = field(default_factory=dict)
    failed: list[str] = field(default_factory=list)

    def told(self) -> dict[str, Any]:
        """For a file."""
        sizes = sorted((most, sorted(sizes)) for most, sizes in self.sizes.items())
        return {
            "rounds": self.rounds,
            "accepted": self.rounds - sum(line.startswith("right") for line in self.failed),
            "altered": {kind: dict(sorted(found.items())) for kind, found in self.altered.items()},
            "proofs": dict(sorted(self.proofs.items())),
            "bytes": [{"players": most, "middle": sizes[len(sizes) // 2], "most": sizes[-1]} for most, sizes in sizes],
            "failed": self.failed,
        }

    def add(self, other: "Trial") -> None:
        """What came of other rounds too."""
        self.rounds += other.rounds
        self.proofs += other.proofs
        self.failed += other.failed
        for kind, found in other.altered.items():
            self.altered.setdefault(kind, Counter()).update(found)
        for most, sizes in other.sizes.items():
            self.sizes.setdefault(most, []).extend(sizes)


def try_out(rounds: int, seed: int, most: int = MOST, part: int = 0) -> Trial:
    """That many random rounds of up to `most` players; parts of a trial have rounds of their own."""
    rng, trial = Random(f"{seed} {part}"), Trial()  # a text: the same numbers on every machine
    made = random_rounds(rng, most)
    while trial.rounds < rounds:
        _try_one(trial, next(made), rng)
    return trial


def _try_one(trial: Trial, one: RandomRound, rng: Random) -> None:
    trial.rounds += 1
    text = json.dumps(one.document, separators=(",", ":"))
    players = len(one.field.present)
    trial.sizes.setdefault(-(-players // _STEP) * _STEP, []).append(len(text))
    trial.proofs.update(kind_of(proof) for proof in one.document["proofs"])
    if (reason := refusal(json.loads(text))) is not None:
        trial.failed.append(f"right, but refused (round {trial.rounds}): {reason}")
    for kind, alter in ALTERATIONS.items():
        altered = alter(one, json.loads(text), rng)
        if altered is None:
            continue
        found = "refused" if altered.reason is not None else "right" if altered.is_right() else "wrong"
        trial.altered.setdefault(kind, Counter())[found] += 1
        if found == "wrong":
            trial.failed.append(f"wrong, but accepted (round {trial.rounds}): {kind}")


def kind_of(proof: Document) -> str:
    """What a proof had to look at."""
    if "stuck" in proof:
        return "stuck"
    return "none needed" if "prices" not in proof else "everybody" if "everybody" in proof else "bracket"


def refusal(document: Document) -> str | None:
    """Why the checker refuses it; None where it accepts."""
    try:
        check(document)
    except (Refused, Unusable) as reason:
        return str(reason)
    return None


# --- random rounds ------------------------------------------------------------------------------------------------
def random_rounds(rng: Random, most: int) -> Iterator[RandomRound]:
    """Without end. Rounds that cannot be paired are left out."""
    while True:
        players = rng.randint(2, most)
        settings = {
            "rounds": rng.randint(1, min(9, players - 1)),
            "first_colour": rng.choice(("white", "black")),
            "acceleration": rng.choice(("none", "none", "none", "baku")),
        }
        points = with_allocated_bye(rng.choice((*POINT_SYSTEMS[:1] * 3, *POINT_SYSTEMS)), rng.choice(("", "", "draw")))
        plan = Plan(Dutch(), players, settings, points, rng.choice(SWISS_EDITIONS), rng.choice((Habits(), _BUSY)))
        try:
            event = simulate(plan, rng)
        except PairingError:
            continue
        for number in range(1, plan.rounds + 1):
            paired = _before(event, number, rng)
            try:
                yield RandomRound(paired, settings, certificate_of(paired, settings))
            except PairingError:
                continue


def _before(event: SimulatedEvent, number: int, rng: Random) -> Field:
    """The field of that round; in some rounds pairs must not meet, or somebody stays away."""
    numbers = [one.number for one in event.entrants]
    there = [one for board in event.boards[number - 1] for one in (board.white, board.black) if one is not None]
    away, apart = rng.choice((0.0, 0.0, 0.1)), rng.choice((0.0, 0.0, 0.05))
    return Field(
        players=tuple(numbers),
        present=frozenset(one for one in there if rng.random() >= away),
        meetings=tuple(meeting for meeting in event.meetings if meeting.round < number),
        byes=tuple(bye for bye in event.byes if bye.round < number),
        prohibited=frozenset(frozenset(pair) for pair in combinations(numbers, 2) if rng.random() < apart),
        round=number,
        points=event.plan.points,
        edition=event.plan.edition,
        accelerated=event.accelerated,
    )


# --- alterations --------------------------------------------------------------------------------------------------
@dataclass(frozen=True, slots=True)
class Altered:
    """Why it is refused (None: it is accepted), and of which facts it says which boards."""

    reason: str | None
    field: Field
    settings: dict[str, Any]
    boards: list[list[int]]

    def is_right(self) -> bool:
        """Whether the engine pairs just so."""
        try:
            made = Dutch().pair_round(self.field, self.settings)
        except PairingError:
            return False
        return [[board.white, board.black or BYE] for board in made] == self.boards


Alteration = Callable[[RandomRound, Document, Random], Altered | None]


def _read(one: RandomRound, document: Document) -> Altered:
    return Altered(refusal(document), one.field, one.settings, document["boards"])


def _two_boards(one: RandomRound, document: Document, rng: Random) -> Altered | None:
    """Two players exchange their places: their partners, or who has the bye."""
    boards = document["boards"]
    if len(boards) < 2:
        return None
    left, right = rng.sample(range(len(boards)), 2)
    sides = [0 if boards[at][1] == BYE else rng.randrange(2) for at in (left, right)]
    first, second = boards[left][sides[0]], boards[right][sides[1]]
    boards[left][sides[0]], boards[right][sides[1]] = second, first
    return _read(one, document)


def _the_bye(one: RandomRound, document: Document, rng: Random) -> Altered | None:
    boards = document["boards"]
    if boards[-1][1] != BYE or len(boards) < 2:
        return None
    board, side = boards[rng.randrange(len(boards) - 1)], rng.randrange(2)
    board[side], boards[-1][0] = boards[-1][0], board[side]
    return _read(one, document)


def _colours(one: RandomRound, document: Document, rng: Random) -> Altered | None:
    rng.choice([board for board in document["boards"] if board[1] != BYE]).reverse()
    return _read(one, document)


def _order(one: RandomRound, document: Document, rng: Random) -> Altered | None:
    boards = document["boards"]
    if len(boards) < 2:
        return None
    at = rng.randrange(len(boards) - 1)
    boards[at : at + 2] = boards[at : at + 2][::-1]
    return _read(one, document)


def _price(one: RandomRound, document: Document, rng: Random) -> Altered | None:
    proofs = [proof for proof in document["proofs"] if "prices" in proof]
    if not proofs:
        return None
    prices = rng.choice(proofs)["prices"]
    at = rng.randrange(len(prices))
    prices[at] = f"{int(prices[at], 16) + rng.choice((-1, 1)):x}"
    return _read(one, document)


def _no_proof(one: RandomRound, document: Document, rng: Random) -> Altered | None:
    proofs = document["proofs"]
    if not any(proofs):
        return None
    proofs.remove(rng.choice([proof for proof in proofs if proof]))
    return _read(one, document)


def _facts(one: RandomRound, document: Document, rng: Random) -> Altered | None:
    """A result, or colours, of a round before are others; or two who meet must not."""
    meetings = list(one.field.meetings)
    if meetings and rng.randrange(4):
        at = rng.randrange(len(meetings))
        game = meetings[at]
        result = rng.choice(
            [each for each in (Result.WHITE_WINS, Result.DRAW, Result.BLACK_WINS) if each != game.result]
        )
        turned = replace(game, white=game.black, black=game.white)
        meetings[at] = rng.choice((replace(game, result=result), turned))
        field = replace(one.field, meetings=tuple(meetings))
    else:
        board = rng.choice([board for board in document["boards"] if board[1] != BYE])
        field = replace(one.field, prohibited=one.field.prohibited | {frozenset(board)})
    document["facts"] = json.loads(json.dumps(facts_of(field, one.settings)))
    return replace(_read(one, document), field=field)


def _forged(one: RandomRound, document: Document, rng: Random) -> Altered | None:
    """Two pairs exchange partners, all else is made right, and every proof is the best there is."""
    facts = Facts(document["facts"])
    boards = _other_boards(facts, document["boards"], rng)
    if boards is None:
        return None
    players = Dutch().competitors(one.field, read_options(Dutch.options, one.settings))
    reason = None
    try:
        Check(facts, boards, Maker(players, Legal(players, one.field.prohibited)).prove)
    except Refused as refused:
        reason = str(refused)
    return Altered(reason, one.field, one.settings, boards)


def _other_boards(facts: Facts, boards: list[list[int]], rng: Random) -> list[list[int]] | None:
    """Other legal boards, with the right colours and in order; None where none were found."""
    players = {player.number: player for player in facts.players}
    for _try in range(_TRIES if len(boards) > 1 else 0):
        (one, two), (three, four) = rng.sample([board[:: rng.choice((-1, 1))] for board in boards], 2)
        kept = [board for board in boards if not {one, two, three, four} & set(board) - {BYE}]
        seats = [[players[number] for number in board if number] for board in (*kept, (one, four), (three, two))]
        pairs = sorted((sorted(pair, key=facts.players.index) for pair in seats if len(pair) == 2), key=board_order)
        free = [pair[0] for pair in seats if len(pair) == 1]
        if all(facts.legal(*pair) for pair in pairs) and all(player.may_have_bye for player in free):
            return [
                *(_seated(pair[0], pair[1], facts.first) for pair in pairs),
                *([player.number, BYE] for player in free),
            ]
    return None


def _seated(higher: Player, lower: Player, first: int) -> list[int]:
    white = colour_of(higher, lower, first) == WHITE
    return [higher.number, lower.number] if white else [lower.number, higher.number]


ALTERATIONS: dict[str, Alteration] = {
    "two exchange places": _two_boards,
    "the bye goes to another": _the_bye,
    "colours of a board exchanged": _colours,
    "boards in another order": _order,
    "a price changed by one": _price,
    "a proof left out": _no_proof,
    "a fact changed": _facts,
    "other legal boards, proven as well as can be": _forged,
}


# --- told ---------------------------------------------------------------------------------------------------------
def as_tables(told: dict[str, Any]) -> str:
    """What `Trial.told` says, as docs/algorithms/certificate.md has it."""
    rows = [f"{told['accepted']:,} of {told['rounds']:,} rounds were accepted.", "", "| Altered | refused | right |"]
    rows.append("|---|---|---|")
    for kind, counts in told["altered"].items():
        rows.append(f"| {kind} | {counts.get('refused', 0):,} | {counts.get('right', 0):,} |")
    proofs = ", ".join(f"{count:,} {kind}" for kind, count in told["proofs"].items())
    rows += [
        "",
        f"Brackets by what the proof looks at: {proofs}.",
        "",
        "| Players up to | bytes, middle | most |",
        "|---|---|---|",
    ]
    rows += [f"| {size['players']} | {size['middle']:,} | {size['most']:,} |" for size in told["bytes"]]
    return "\n".join(rows) + "\n"
