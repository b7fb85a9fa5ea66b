"""Why this pairing, why not another: what the engine says when it is asked again with a pair forced."""

from collections.abc import Iterator
from dataclasses import replace

import pytest

from tests.tournaments.rounds.swiss_cases import drawn, played_out
from tournaments.pairing.base import ExplainingSystem, Field, PairingError, Remark
from tournaments.pairing.dutch.costs import ways_of
from tournaments.pairing.dutch.criteria import CRITERIA
from tournaments.pairing.dutch.legal import Legal
from tournaments.pairing.dutch.pairing import PairedBracket, pair_players, where_they_part
from tournaments.pairing.dutch.system import Dutch

DUTCH = Dutch()
TWO_ROUNDS = ("1-5 1-0, 6-2 ½, 3-7 1-0, 8-4 0-1", "3-1 ½, 2-4 ½, 6-5 1-0, 7-8 0-1")


def told(remarks: tuple[Remark, ...]) -> str:
    return " ".join(
        remark.text % {**remark.values, **{place: f"#{number}" for place, number in remark.players.items()}}
        for remark in remarks
    )


def test_in_order() -> None:
    assert told(DUTCH.why(drawn(8), {}, 5)) == (
        "In score group 0 (8 players) the upper half meets the lower half in order: #1 meets #5. "
        "Colours: neither is due one; they follow the colour drawn before round 1, and the numbers."
    )
    assert told(DUTCH.why_not(drawn(8), {}, 1, 6)) == (
        "In score group 0 both would be equally good; "
        "the order in which pairings are tried comes to the other one first."
    )
    assert "(5 players) the upper half meets the lower half in order: #1 meets #3." in told(DUTCH.why(drawn(5), {}, 1))
    assert isinstance(DUTCH, ExplainingSystem)


def test_they_have_met_or_do_meet_or_are_prohibited() -> None:
    field = drawn(8, *TWO_ROUNDS)
    assert told(DUTCH.why_not(field, {}, 5, 1)) == "#5 and #1 have met in round 1 (C1)."
    board = DUTCH.pair_round(field, {})[0]
    assert board.black is not None
    assert told(DUTCH.why_not(field, {}, board.white, board.black)) == "They do meet in this round."
    apart = replace(drawn(8), prohibited=frozenset({frozenset({1, 5})}))
    assert "the arbiter has prohibited" in told(DUTCH.why_not(apart, {}, 1, 5))
    assert "#1 meets #6" in told(DUTCH.why(apart, {}, 1))


def test_both_must_have_the_same_colour_or_the_others_could_not_be_paired() -> None:
    field = drawn(6, "1-4 ½, 2-5 ½, 3-6 ½", "1-5 ½, 2-6 ½, 4-3 ½")
    assert told(DUTCH.why_not(field, {}, 1, 2)) == "#1 and #2 must both have Black (C3)."
    assert told(DUTCH.why_not(field, {}, 5, 6)) == "#5 and #6 must both have White (C3)."
    field = drawn(4, "1-3 1-0, 4-2 1-0", "4-1 1-0, 2-3 1-0")
    assert DUTCH.pair_round(field, {})  # 1-2 and 3-4 are left
    apart = frozenset({frozenset({2, 3})})
    prohibited = Field(field.players, field.present, field.meetings[:2], (), apart, 2, edition=2026)
    assert "(completion, C4)" in told(DUTCH.why_not(prohibited, {}, 1, 4))


def test_another_score_or_a_colour_denied() -> None:
    """1 and 3 had White, 2 and 4 Black: 1 would meet 3 by the numbers alone."""
    field = drawn(8, "1-5 1-0, 6-2 0-1, 3-7 1-0, 8-4 0-1")
    assert told(DUTCH.why_not(field, {}, 1, 8)) == (
        "In score group 1 criterion C6 would be worse. It keeps small: players who float down – with this pair 2, as "
        "paired 0."
    )
    denied = "C12 would be worse. It keeps small: players who do not get the colour they prefer"
    assert denied in told(DUTCH.why(field, {}, 1))
    field = drawn(6, "1-5 1-0, 2-6 ½, 3 H, 4 Z", absent=[5, 6])
    assert told(DUTCH.why_not(field, {}, 2, 3)) == (
        "In score group ½ criterion C7 would be worse. It keeps small: scores of the players who float down – with "
        "this pair 1, as paired ½."
    )


def test_one_of_the_lower_half_and_one_moved_down_alone_to_the_last() -> None:
    only_two = replace(drawn(5), prohibited=frozenset(frozenset({1, other}) for other in (3, 4, 5)))
    assert told(DUTCH.why(only_two, {}, 3)).startswith("In score group 0 (5 players) #3 meets #4. Colours")
    lower = replace(drawn(4, "1-3 1-0, 2 H, 4 H"), prohibited=frozenset({frozenset({1, 4})}))
    assert "#4 was moved down to score group 0 (2 players" in told(DUTCH.why(lower, {}, 3))


def test_the_bye_and_who_cannot_be_asked_about() -> None:
    field = drawn(5, "1-3 1-0, 4-2 0-1, 5 U")
    assert "had the bye already" in told(DUTCH.why_not(field, {}, 5, 0))
    assert "(C5)" in told(DUTCH.why_not(field, {}, 1, 0))
    free = DUTCH.pair_round(field, {})[-1].white
    assert "lowest score" in told(DUTCH.why(field, {}, free))
    assert told(DUTCH.why_not(field, {}, free, 0)) == f"#{free} does have the bye in this round."
    assert "even" in told(DUTCH.why_not(drawn(4), {}, 1, 0))
    with pytest.raises(PairingError, match="Number 2 is not paired in round 1"):
        DUTCH.why(drawn(4, absent=[2]), {}, 2)
    with pytest.raises(PairingError, match="Nobody plays against themselves"):
        DUTCH.why_not(drawn(4), {}, 1, 1)


SOME_EVENTS = pytest.mark.parametrize("seeds", [range(1), pytest.param(range(1, 6), marks=pytest.mark.slow)])


def fields(seeds: range) -> Iterator[Field]:
    for edition in (2025, 2026):
        for seed in seeds:
            yield from played_out(9 + seed, 5, seed, edition)


def paired(field: Field, forced: tuple[int, int] | None = None) -> list[PairedBracket] | None:
    players = DUTCH.competitors(field, {"rounds": 5, "acceleration": "none", "games": 1})
    legal = Legal(players, field.prohibited, forced)
    return pair_players(players, legal, field.edition, field.points.unit) if legal.has_round(players) else None


@SOME_EVENTS
def test_every_pair_has_an_answer_and_none_is_better_than_what_was_paired(seeds: range) -> None:
    """The second way: whatever pair is forced, the first criterion that differs speaks for the engine's round."""
    asked = 0
    for field in fields(seeds):
        chosen = paired(field)
        assert chosen is not None
        here = sorted(field.present)
        for one, other in zip(here, here[2:], strict=False):
            made = paired(field, (one, other))
            parting = where_they_part(chosen, made, CRITERIA[field.edition]) if made else None
            assert parting is None or parting.chosen <= parting.other
            assert DUTCH.why_not(field, {"rounds": 5}, one, other)
            asked += 1
    assert asked > 50 * len(seeds)


@SOME_EVENTS
def test_who_was_moved_down_together_does_not_meet(seeds: range) -> None:
    for field in fields(seeds):
        for made in paired(field) or ():
            for one, other in ways_of(made.bracket, Legal(made.bracket.players, ()), ahead=False).here:
                assert not (made.bracket.is_moved_down(one) and made.bracket.is_moved_down(other))
