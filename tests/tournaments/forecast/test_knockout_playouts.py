"""Where a knockout may end: exact from line to line, as playing out every bracket finds, and as sampled."""

from random import Random

import numpy
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ratings.systems.draws import odds_of
from ratings.systems.elo import expected_score
from tests.tournaments.forecast.playing_cases import RATE, adds_up, known, near, quiet, rng, unsure
from tests.tournaments.forecast.test_knockout_reach import EIGHT, WITH_THIRD, places, played_out
from tournaments.forecast import knockout_playouts
from tournaments.forecast.knockout_playouts import KnockoutToCome, goes_on, play_knockout
from tournaments.forecast.outlook import EXACT, SAMPLED, Outlook, Strengths
from tournaments.pairing.base import Match, Source
from tournaments.pairing.knockout import Knockout


def played(to_come: KnockoutToCome, strengths: Strengths, samples: int = 1) -> Outlook:
    with pytest.MonkeyPatch.context() as few:
        few.setattr(knockout_playouts, "AT_ONCE", 32)  # less than one draw of eight
        return play_knockout(to_come, strengths, samples, rng(), quiet)


def strong(players: int) -> list[float]:
    return [1800.0 - 50 * player for player in range(players)]


def chance_by_hand(own: float, other: float, lead: int, left: int) -> float:
    """Of a match, game by game."""
    odds = odds_of(expected_score(own, other), RATE)
    if left == 0 or abs(lead) > 2 * left:
        return odds.win / (odds.win + odds.loss) if lead == 0 else float(lead > 0)
    ends = ((odds.win, 2), (odds.draw, 0), (odds.loss, -2))
    return sum(share * chance_by_hand(own, other, lead + more, left - 1) for share, more in ends)


def by_hand(to_come: KnockoutToCome, strengths: Strengths) -> list[list[float]]:
    """Every way the bracket can go on, with every draw of strengths."""
    size = len(to_come.seeds)
    found = [[0.0] * size for _player in range(size)]
    for row in strengths.draws.tolist():
        for ways in played_out(to_come.bracket, to_come.winners):
            chance = 1.0 / len(strengths.draws)
            for key, (upper, lower, winner) in ways.items():
                if upper is not None and lower is not None and key not in to_come.winners:
                    lead, left = to_come.leads.get(key, (0, to_come.games))
                    above = chance_by_hand(row[upper - 1], row[lower - 1], lead, left)
                    chance *= above if winner == upper else 1.0 - above
            for player, (first, last) in places(to_come.bracket, ways).items():
                for place in range(first, last + 1):
                    found[player - 1][place - 1] += chance / (last - first + 1)
    return found


@given(
    players=st.integers(2, 8),
    third=st.booleans(),
    pairs=st.sampled_from(["neighbours", "crossed"]),
    games=st.integers(1, 3),
    data=st.data(),
)
def test_exact_is_every_bracket_played_out(
    players: int, third: bool, pairs: str, games: int, data: st.DataObject
) -> None:
    bracket = Knockout().bracket(players, {"third_place": third, "pairs": pairs}, Random(0))
    truth = data.draw(st.sampled_from(list(played_out(bracket, {}))[:256]))
    decided = list(truth.items())[: data.draw(st.integers(0, len(bracket)))]
    winners = {key: winner for key, (upper, lower, winner) in decided if upper and lower and winner}
    to_come = KnockoutToCome(bracket, winners, games=games)
    strengths = unsure(*strong(players), draws=2)
    outlook = played(to_come, strengths)
    assert adds_up(outlook)
    assert (outlook.method, outlook.samples, outlook.points) == (EXACT, 0, None)
    assert outlook.places == pytest.approx(numpy.array(by_hand(to_come, strengths)))


@pytest.mark.parametrize("bracket", [EIGHT, WITH_THIRD], ids=["plain", "third place"])
@pytest.mark.parametrize("winners", [{}, {(1, 1): 8, (1, 2): 4, (1, 3): 2, (1, 4): 3, (2, 1): 4}], ids=["new", "semis"])
def test_sampled_agrees_with_exact(
    bracket: tuple[Match, ...], winners: dict[tuple[int, int], int], monkeypatch: pytest.MonkeyPatch
) -> None:
    to_come, strengths = KnockoutToCome(bracket, winners, games=2), unsure(*strong(8))
    exact = played(to_come, strengths)
    monkeypatch.setattr(knockout_playouts, "MOST_MATCHES", len(strengths.draws) * 8**2)
    assert played(to_come, strengths).method == EXACT
    monkeypatch.setattr(knockout_playouts, "MOST_MATCHES", len(strengths.draws) * 8**2 - 1)
    estimate = played(to_come, strengths, 4000)
    assert (estimate.method, estimate.samples) == (SAMPLED, 4000)
    assert adds_up(estimate)
    assert near(estimate, exact.places, 4000)
    with pytest.raises(ValueError, match="at least once"):
        played(to_come, strengths, 0)


@pytest.mark.parametrize(("lead", "left"), [(0, 1), (2, 1), (-2, 2), (3, 1), (0, 0), (1, 0), (4, 2), (0, 4)])
def test_a_match_goes_on_from_where_it_stands(lead: int, left: int) -> None:
    chance = goes_on(numpy.array([1600.0]), numpy.array([1500.0]), RATE, lead, left)
    assert chance[0] == pytest.approx(chance_by_hand(1600, 1500, lead, left))


def test_a_lead_counts_for_the_upper_line() -> None:
    equals = known(*[1500.0] * 8)
    ahead = played(KnockoutToCome(EIGHT, leads={(1, 1): (2, 1)}, games=2), equals)
    assert ahead.places[0, 4:].sum() < 0.3 < ahead.places[7, 4:].sum()
    odds = odds_of(0.5, RATE)
    assert ahead.places[7, 4:].sum() == pytest.approx(1.0 - odds.loss / 2)


def test_what_cannot_have_happened_is_refused() -> None:
    strengths = known(*strong(8))
    for winners in ({(1, 1): 3}, {(2, 1): 1}, {(1, 1): 1, (2, 1): 1}):
        with pytest.raises(ValueError, match="cannot have won match 1"):
            played(KnockoutToCome(EIGHT, winners), strengths)
    with pytest.raises(ValueError, match="its players are not known"):
        played(KnockoutToCome(EIGHT, leads={(2, 1): (2, 1)}), strengths)
    with pytest.raises(ValueError, match="how strong number 8 is"):
        played(KnockoutToCome(EIGHT), known(*strong(7)))
    second_chance = Match(2, 1, 1, Source(match=(1, 1), loser=True), Source(match=(1, 2), loser=True))
    with pytest.raises(ValueError, match="double elimination"):
        KnockoutToCome((*EIGHT[:4], second_chance))


def test_how_far_it_is_is_told_up_to_the_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(knockout_playouts, "AT_ONCE", 15 * 64)
    lines: list[tuple[int, int]] = []
    play_knockout(KnockoutToCome(EIGHT), unsure(*strong(8)), 1, rng(), lambda done, of: lines.append((done, of)))
    assert lines == [(15, 40), (30, 40), (40, 40)]
