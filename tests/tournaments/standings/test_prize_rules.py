"""Prizes given out: the printed examples, and what holds whatever the standings are."""

from collections.abc import Sequence
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tournaments.standings.prizes import PLACES, Award, Finisher, Handout, Offer, Sharing, hand_out

FULL, HORT, NONE = Sharing.FULL, Sharing.HORT, Sharing.NONE
# The example of the Hort system's page in the German Wikipedia: 100, 80, 60, 40, 20, 10 euros, in cents.
FUND = [10_000, 8_000, 6_000, 4_000, 2_000, 1_000]
POINTS = [80, 80, 75, 70, 70, 70]


def field(points: Sequence[int], **categories: Sequence[int]) -> list[Finisher]:
    """Finishers 1, 2, … with those points; who is in which category by number."""
    return [
        Finisher(number, worth, frozenset(name for name, own in categories.items() if number in own))
        for number, worth in enumerate(points, start=1)
    ]


def places(*amounts: int) -> list[Offer]:
    return [Offer(rank, PLACES, rank, amount) for rank, amount in enumerate(amounts, start=1)]


def paid(handout: Handout) -> dict[int, int]:
    return {award.finisher: award.amount for award in handout.awards}


def test_hort_as_printed() -> None:
    done = hand_out(field(POINTS), places(*FUND), sharing=HORT, step=100)
    assert [paid(done)[number] for number in range(1, 7)] == [9_500, 8_500, 6_000, 3_100, 2_100, 1_600]
    # The page cuts twice (35 € in three are 11.67 €, and 12 are written); exactly it is 31.67, 21.67, 16.67.
    exact = {award.finisher: award.exact for award in done.awards}
    assert exact[4] == Fraction(9_500, 3)
    assert done.rest == 200


def test_shared_fully_a_tie_is_added_and_divided_not_shared_the_place_decides() -> None:
    done = hand_out(field([4, 3, 3, 3, 2]), places(200_000, 100_000, 50_000, 30_000, 20_000), sharing=FULL)
    assert paid(done) == {1: 200_000, 2: 60_000, 3: 60_000, 4: 60_000, 5: 20_000}
    assert paid(hand_out(field([4, 4]), places(100, 50), sharing=NONE)) == {1: 100, 2: 50}


def test_more_share_than_there_are_prizes_and_what_is_left_over_is_told() -> None:
    done = hand_out(field([5, 4, 4, 4]), places(100, 60), sharing=FULL)
    assert paid(done) == {1: 100, 2: 20, 3: 20, 4: 20}
    assert paid(hand_out(field([5, 4, 4, 4]), places(100, 60), sharing=HORT)) == {1: 100, 2: 40, 3: 10, 4: 10}
    done = hand_out(field([4, 4, 4]), places(100, 0, 0), sharing=FULL, step=10)
    assert (paid(done), done.rest) == ({1: 30, 2: 30, 3: 30}, 10), "by rounding"
    done = hand_out(field([4]), [*places(100, 50), Offer(9, "junior", 1, 30)], sharing=FULL)
    assert (paid(done), done.unclaimed, done.rest) == ({1: 100}, (2, 9), 0), "prizes nobody reached are named"


def test_one_prize_each_is_the_greatest_and_those_below_move_up() -> None:
    """Number 2 is the best junior too: 80 for the place, 90 as junior; number 3 moves up to the second place."""
    offers = [*places(100, 80), Offer(9, "junior", 1, 90), Offer(10, "junior", 2, 10)]
    finishers = field([4, 3, 2, 1], junior=[2, 4])
    done = hand_out(finishers, offers, sharing=FULL, one_each=True)
    awards = {(award.finisher, award.category, award.amount) for award in done.awards}
    assert awards == {(1, PLACES, 100), (3, PLACES, 80), (2, "junior", 90), (4, "junior", 10)}
    both = hand_out(finishers, offers, sharing=FULL, one_each=False)
    assert sum(award.amount for award in both.awards if award.finisher == 2) == 170
    done = hand_out(field([4, 3], junior=[1]), [*places(50), Offer(9, "junior", 1, 50)], sharing=FULL)
    assert [(award.finisher, award.category) for award in done.awards] == [(1, PLACES)], "of equal shares the place"
    assert done.unclaimed == (9,)


def test_a_thing_goes_to_its_place_is_not_divided_and_money_goes_before_it() -> None:
    offers = [Offer(1, PLACES, 1, 100, is_thing=True), Offer(2, PLACES, 2, 50), Offer(3, PLACES, 3, 0, is_thing=True)]
    done = hand_out(field([4, 4, 3]), offers, sharing=FULL)
    awards = [(award.finisher, award.amount, award.thing) for award in done.awards]
    assert awards == [(1, 75, 1), (2, 75, None), (3, 0, 3)]
    offers = [Offer(1, PLACES, 1, 0, is_thing=True), Offer(2, "woman", 1, 20)]
    done = hand_out(field([4, 3], woman=[1]), offers, sharing=FULL)
    assert [(award.finisher, award.category) for award in done.awards] == [(2, PLACES), (1, "woman")]


def test_a_prize_of_a_place_goes_to_that_place_though_none_is_announced_before_it() -> None:
    offers = [Offer(1, PLACES, 1, 100), Offer(4, PLACES, 4, 40, is_thing=True), Offer(9, "woman", 2, 30)]
    finishers = field([5, 4, 3, 2, 1], woman=[3, 5])
    for sharing in Sharing:
        done = hand_out(finishers, offers, sharing=sharing)
        assert [(award.finisher, award.amount) for award in done.awards] == [(1, 100), (4, 40), (5, 30)]
        assert hand_out(finishers[:3], offers, sharing=sharing).unclaimed == (4, 9)
    done = hand_out(field([5, 4, 4, 4, 1]), offers, sharing=FULL, step=10)
    assert paid(done) == {1: 100, 2: 10, 3: 10, 4: 10}, "three share the one that their places have reached"
    assert done.rest == 10
    assert [award.finisher for award in done.awards if award.thing == 4] == [4]


def test_nonsense_is_refused() -> None:
    with pytest.raises(ValueError, match="one coin"):
        hand_out([], [], sharing=FULL, step=0)
    with pytest.raises(ValueError, match="same rank"):
        hand_out([], [Offer(1, PLACES, 1, 5), Offer(2, PLACES, 1, 5)], sharing=FULL)


# --- whatever the standings are -----------------------------------------------------------------------------------
NAMES = ("junior", "woman")


@st.composite
def standings(draw: st.DrawFn) -> list[Finisher]:
    points = sorted(draw(st.lists(st.integers(0, 6), max_size=12)), reverse=True)
    sets = st.frozensets(st.sampled_from(NAMES))
    return [Finisher(number, worth, draw(sets)) for number, worth in enumerate(points, start=1)]


@st.composite
def funds(draw: st.DrawFn, *, gaps: bool = False) -> list[Offer]:
    """Prizes of falling amounts in every list, of all ranks from the first on or of some."""
    offers = []
    for name in (PLACES, *NAMES):
        amounts = sorted(draw(st.lists(st.integers(0, 500), max_size=5)), reverse=True)
        ranks = draw(st.permutations(range(1, 9))) if gaps else range(1, 9)
        for rank, amount in zip(sorted(ranks[: len(amounts)]), amounts, strict=True):
            is_thing = draw(st.booleans()) or amount == 0
            offers.append(Offer(len(offers) + 1, name, rank, amount, is_thing))
    return offers


SHARINGS, STEPS = st.sampled_from(list(Sharing)), st.sampled_from([1, 5, 10, 100])


def awards_in(done: Handout, name: str) -> list[Award]:
    return [award for award in done.awards if award.category == name]


@given(standings(), funds(gaps=True), SHARINGS, STEPS, st.booleans())
def test_the_fund_is_kept_to_the_coin(
    finishers: list[Finisher], offers: list[Offer], sharing: Sharing, step: int, one_each: bool
) -> None:
    done = hand_out(finishers, offers, sharing=sharing, step=step, one_each=one_each)
    unclaimed = sum(offer.amount for offer in offers if offer.key in done.unclaimed)
    assert sum(paid_out.amount for paid_out in done.awards) + done.rest + unclaimed == sum(o.amount for o in offers)
    assert done.rest >= 0
    assert all(award.amount % step == 0 and 0 <= award.exact - award.amount < step for award in done.awards)
    things = [award.thing for award in done.awards if award.thing is not None]
    assert len(set(things)) == len(things)


@given(standings(), funds(gaps=True))
def test_without_sharing_each_prize_is_of_the_rank_it_says(finishers: list[Finisher], offers: list[Offer]) -> None:
    done = hand_out(finishers, offers, sharing=NONE, one_each=False)
    won = {(award.category, key): award.finisher for award in done.awards for key in award.offers}
    for offer in offers:
        own = [row.key for row in finishers if offer.category in (PLACES, *row.categories)]
        winner = own[offer.rank - 1] if offer.rank <= len(own) else None
        assert won.get((offer.category, offer.key)) == winner
        assert (offer.key in done.unclaimed) == (winner is None)


@given(standings(), funds(), SHARINGS)
def test_nobody_gets_more_of_a_list_than_whoever_stood_before_him(
    finishers: list[Finisher], offers: list[Offer], sharing: Sharing
) -> None:
    done = hand_out(finishers, offers, sharing=sharing, one_each=False)
    for name in (PLACES, *NAMES):
        exact = [award.exact for award in awards_in(done, name)]
        assert exact == sorted(exact, reverse=True)
    each = hand_out(finishers, offers, sharing=sharing, one_each=True)
    winners = [award.finisher for award in each.awards]
    assert len(set(winners)) == len(winners), "one prize each is one prize each"


@given(standings(), funds(), st.booleans())
def test_equal_points_bring_equal_money_of_a_list_where_it_is_shared(
    finishers: list[Finisher], offers: list[Offer], one_each: bool
) -> None:
    done = hand_out(finishers, offers, sharing=FULL, one_each=one_each)
    points = {row.key: row.points for row in finishers}
    for name in (PLACES, *NAMES):
        by_points: dict[object, set[int]] = {}
        for award in awards_in(done, name):
            by_points.setdefault(points[award.finisher], set()).add(award.amount)
        assert all(len(amounts) == 1 for amounts in by_points.values())


@given(standings(), funds())
def test_hort_lies_half_way(finishers: list[Finisher], offers: list[Offer]) -> None:
    """Between the place alone and the tie alone, for everybody."""
    shares = [
        {(award.finisher, award.category): award.exact for award in done.awards}
        for sharing in (NONE, FULL, HORT)
        for done in [hand_out(finishers, offers, sharing=sharing, one_each=False)]
    ]
    for key, exact in shares[2].items():
        assert exact == (shares[0].get(key, Fraction(0)) + shares[1].get(key, Fraction(0))) / 2
