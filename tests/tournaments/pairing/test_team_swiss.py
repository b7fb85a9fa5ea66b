"""The team Swiss (FIDE C.04.6, 2026) against the text itself."""

from dataclasses import replace

import pytest

from tests.tournaments.pairing.team_swiss_by_the_book import book_pairs
from tests.tournaments.pairing.team_swiss_fields import seeded_field
from tournaments.pairing.base import PairingError
from tournaments.pairing.team_swiss.field import TeamField
from tournaments.pairing.team_swiss.pairing import pair_teams


def engine_pairs(field: TeamField) -> list[tuple[int, int]] | None:
    """White and Black, 0 for the bye; None where the round cannot be paired. The last match is told first."""
    try:
        return [(pair.white, pair.black or 0) for pair in pair_teams(replace(field, meetings=field.meetings[::-1]))]
    except PairingError:
        return None


def differing(seeds: range, most: int) -> list[int]:
    """The seeds of the fields that engine and text pair otherwise."""
    fields = ((seed, seeded_field(seed, most)) for seed in seeds)
    return [seed for seed, field in fields if engine_pairs(field) != book_pairs(field)]


def test_the_engine_is_the_text_on_small_fields() -> None:
    assert differing(range(500), 7) == []


@pytest.mark.slow
def test_the_engine_is_the_text_on_many_fields() -> None:
    assert differing(range(500, 1000), 7) == []
    assert differing(range(1_000_000, 1_005_000), 8) == []
    assert differing(range(2_000_000, 2_000_200), 10) == []
