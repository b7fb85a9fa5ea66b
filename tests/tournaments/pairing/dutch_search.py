"""Odd fields in which many may not have the bye, paired by the engine and by exhaustive search.

    .venv/bin/python -m tests.tournaments.pairing.dutch_search 30000 31000

pairs the fields of those seeds (the last one not among them) in every edition. Each seed whose rounds differ is
printed; the status is 1 then. The suite tries the first hundreds (`test_dutch_by_the_book`).
"""

import argparse
import sys

from tests.tournaments.pairing.dutch_by_the_book import book_pairs
from tests.tournaments.pairing.dutch_fields import Case, odd_case
from tournaments.pairing.base import SWISS_EDITIONS, PairedRound, PairingError
from tournaments.pairing.dutch.system import Dutch

_ENGINE, _TOLD_EVERY = Dutch(), 1000


def by_the_book(case: Case) -> PairedRound | None:
    return book_pairs(case.field, case.rounds, case.first_colour, case.acceleration)


def by_the_engine(case: Case) -> PairedRound | None:
    """None where it says that the field cannot be paired."""
    try:
        return _ENGINE.pair_round(case.field, case.settings)
    except PairingError:
        return None


def differing(seed: int) -> list[int]:
    """The editions in which the two do not pair the field of that seed alike."""
    drawn = ((edition, odd_case(seed, edition)) for edition in SWISS_EDITIONS)
    return [edition for edition, case in drawn if by_the_engine(case) != by_the_book(case)]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("first", type=int, help="first seed")
    parser.add_argument("last", type=int, help="seed after the last one")
    options = parser.parse_args()
    found = 0
    for done, seed in enumerate(range(options.first, options.last), start=1):
        for edition in differing(seed):
            found += 1
            sys.stdout.write(f"seed {seed}, rules of {edition}: the engine pairs otherwise\n")
            sys.stdout.flush()
        if not done % _TOLD_EVERY or seed == options.last - 1:
            sys.stderr.write(f"{done} fields in {len(SWISS_EDITIONS)} editions, {found} differences\n")
    sys.exit(1 if found else 0)


if __name__ == "__main__":
    main()
