"""Double elimination: nobody is out before a second loss, how late rematches come, eight as printed, and places."""

from collections import Counter
from itertools import permutations
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.choosing import examples
from tests.tournaments.pairing.test_knockout import shown
from tournaments.pairing import PairingError, double_elimination
from tournaments.pairing.base import Bracket, Match, Source
from tournaments.pairing.double_elimination import LOSERS, WINNERS, DoubleElimination, column_name, part_of
from tournaments.pairing.knockout import rounds_for
from tournaments.standings.formats import BracketMatch, bracket_places

Key = tuple[int, int]
# The first losers' round in which two who met can meet again, by players.
REMATCH = {4: 2, 8: 3, 16: 4, 32: 5, 64: 7, 128: 8, 256: 9}
# Match numbers as they are commonly printed: all winners' matches of a round before those of the losers.
EIGHT = """
1: 1 – 8 | 2: 4 – 5 | 3: 2 – 7 | 4: 3 – 6
5: W1 – W2 | 6: W3 – W4 | 7: L1 – L2 | 8: L3 – L4
9: L6 – W7 | 10: L5 – W8
11: W5 – W6 | 12: W9 – W10
13: L11 – W12
14: W11 – W13
"""


def draw(players: int, *, lots: int = 1, **chosen: object) -> Bracket:
    return DoubleElimination().bracket(players, chosen, Random(lots))


def play(bracket: Bracket, coin: Random) -> tuple[list[BracketMatch], Counter[int]]:
    """Every match by the coin, and a second final where it is needed; and how often everybody lost."""
    fed_by = {source.match: match for match in bracket for source in (match.upper, match.lower) if source.loser}
    done: dict[Key, BracketMatch] = {}
    lost: Counter[int] = Counter()

    def comes(source: Source) -> int | None:
        return (
            source.seed if source.match is None else (done[source.match].beaten[0] if source.loser else winner(source))
        )

    def winner(source: Source) -> int | None:
        return done[source.match or (0, 0)].winner

    for match in bracket:
        upper, lower = comes(match.upper), comes(match.lower)
        assert upper is not None
        assert upper != lower
        assert match.round == 1 or lower is not None, "byes only in the first round"
        assert max(lost[upper], lost[lower or 0]) < 2, "who lost twice is out"
        won = coin.choice([upper, lower]) if lower else upper
        lost.update(player for player in (upper, lower) if player and player != won)
        falls = fed_by.get((match.round, match.board))
        done[match.round, match.board] = BracketMatch(
            match.round, upper, lower, won, falls_to=falls.round if falls else 0
        )
    matches, last = list(done.values()), bracket[-1]
    if done[last.round, last.board].winner == done[last.round, last.board].lower:
        one = matches.pop()
        again = coin.choice(one.players)
        lost.update(player for player in one.players if player != again)
        after = BracketMatch(one.round + 1, one.upper, one.lower, again)
        matches += [BracketMatch(one.round, one.upper, one.lower, one.winner, falls_to=after.round), after]
    return matches, lost


@pytest.mark.extended
@given(players=st.integers(3, 64), lots=st.integers(0, 9999), seeding=st.sampled_from(["standard", "lots", "given"]))
@examples(300)
def test_everybody_but_the_winner_loses_twice_and_has_his_place(players: int, lots: int, seeding: str) -> None:
    matches, lost = play(draw(players, lots=lots, seeding=seeding), Random(lots))
    places = bracket_places(matches)
    first = places[0].player
    assert lost.pop(first, 0) <= 1
    assert lost == dict.fromkeys(set(range(1, players + 1)) - {first}, 2)
    met = sum(len(match.players) == 2 for match in matches)
    assert met in (2 * players - 2, 2 * players - 1)
    assert not any(place.still_in for place in places)
    ranges = Counter((place.first, place.last) for place in places)
    assert sorted(ranges)[:3] == [(1, 1), (2, 2), (3, 3)]
    assert sorted(n for one, last in ranges for n in range(one, last + 1)) == list(range(1, players + 1))


@pytest.mark.parametrize("players", range(3, 65))
def test_the_bracket_of_every_size(players: int) -> None:
    bracket = draw(players)
    assert sum(not (match.upper.is_nobody or match.lower.is_nobody) for match in bracket) == 2 * players - 2
    rounds = rounds_for(players)
    assert {match.round for match in bracket} == set(range(1, 2 * rounds + 1)), "no round is empty"
    for number in range(2, 2 * rounds + 1):
        places = [(match.board, match.slot) for match in bracket if match.round == number]
        assert places == [(board, board) for board in range(1, len(places) + 1)]
    for match in bracket:
        place = part_of(rounds, match.round, match.slot)
        has_lost = [source.loser or is_of_losers(source, rounds) for source in (match.upper, match.lower)]
        assert place not in (WINNERS, LOSERS) or set(has_lost) == {place == LOSERS}
        assert place in (WINNERS, LOSERS) or has_lost == [False, True], "the winner of the losers' bracket is below"
        keys = [source.match for source in (match.upper, match.lower) if source.match]
        assert keys == sorted(keys), "lines follow from the order of the matches before"


def is_of_losers(source: Source, rounds: int) -> bool:
    return source.match is not None and part_of(rounds, *source.match) == LOSERS


def test_eight_players_are_drawn_as_commonly_printed() -> None:
    bracket = draw(8)
    number = {(match.round, match.board): at for at, match in enumerate(bracket, start=1)}

    def line(source: Source) -> str:
        return f"{source.seed or ''}" or f"{'L' if source.loser else 'W'}{number[source.match or (0, 0)]}"

    rows: dict[int, list[str]] = {}
    for at, match in enumerate(bracket, start=1):
        rows.setdefault(match.round, []).append(f"{at}: {line(match.upper)} – {line(match.lower)}")
    assert "\n".join(" | ".join(row) for row in rows.values()) == EIGHT.strip()
    columns = dict.fromkeys(column_name(3, one.round, part_of(3, one.round, one.slot)) for one in bracket)
    assert list(columns) == [
        *("winners-quarter-final", "winners-semi-final", "losers-1", "losers-2"),
        *("winners-final", "losers-3", "losers-final", "grand-final"),
    ]


# --- rematches ------------------------------------------------------------------------------------------------
def first_rematch(bracket: Bracket) -> int:
    """The first losers' round in which the loser of a match can meet its winner, who has lost a later one."""
    lines = [(source, match) for match in bracket for source in (match.upper, match.lower) if source.match]
    up = {source.match: match for source, match in lines if not source.loser}
    down = {source.match: match for source, match in lines if source.loser}

    def way(match: Match | None) -> list[Match]:
        return [] if match is None else [match, *way(up.get((match.round, match.board)))]

    found = []
    for match in bracket:
        mine = way(down.get((match.round, match.board)))[:-1]  # but the final
        for later in way(up.get((match.round, match.board))):
            his = way(down.get((later.round, later.board)))
            found += [one.round - 1 for one in mine if one in his][:1]
    return min(found)


@pytest.mark.parametrize("players", REMATCH)
def test_two_who_met_cannot_meet_again_before_that_losers_round(players: int) -> None:
    assert first_rematch(draw(players)) == REMATCH[players]
    if players <= 64:
        smaller = range(players // 2 + 1, players)
        assert min(map(first_rematch, map(draw, smaller)), default=9) >= REMATCH[players], "byes bring none nearer"


@pytest.mark.parametrize(
    ("winners_round", "places"),
    [
        (1, [0, 1, 2, 3, 4, 5, 6, 7]),  # as they are drawn
        (2, [4, 5, 6, 7, 0, 1, 2, 3]),  # into the other half
        (3, [1, 0, 3, 2]),  # into the other quarter of the same half
        (4, [1, 0]),
    ],
)
def test_losers_of_each_round_of_32_come_in_where_the_figures_of_the_round_say(
    winners_round: int, places: list[int]
) -> None:
    assert [double_elimination.comes_in_at(winners_round, place, 5) for place in range(len(places))] == places


@pytest.mark.parametrize("players", [8, 16])
def test_no_other_order_of_the_losers_puts_rematches_off_longer(players: int, monkeypatch: pytest.MonkeyPatch) -> None:
    latest = 0
    for second in permutations(range(players // 4)):
        for third in permutations(range(players // 8)):
            orders = {2: second, 3: third}
            monkeypatch.setattr(
                double_elimination,
                "comes_in_at",
                lambda at, place, _all, orders=orders: orders.get(at, range(99))[place],
            )
            latest = max(latest, first_rematch(draw(players)))
    assert latest == REMATCH[players]


# --- places ---------------------------------------------------------------------------------------------------
def test_who_is_still_in_can_fall_as_far_as_a_second_loss_takes_him() -> None:
    first = [BracketMatch(1, 1, 4, 1, falls_to=2), BracketMatch(1, 2, 3, falls_to=2)]
    later = [BracketMatch(number, None, None, falls_to=falls) for number, falls in ((2, 3), (2, 0), (3, 0), (4, 0))]
    drawn = [*first, BracketMatch(2, 1, None, falls_to=3), BracketMatch(2, 4, None), *later[2:]]
    assert shown(bracket_places(drawn)) == {1: "1–3*", 4: "1–4*", 2: "1–4*", 3: "1–4*"}
    neither = BracketMatch(1, 2, 3, nobody_goes_on=True, falls_to=2)
    places = shown(bracket_places([first[0], neither, *drawn[2:]]))
    assert (places[2], places[3]) == ("4", "4"), "where neither came both are out"


def test_what_cannot_be_drawn_is_refused() -> None:
    for players in (2, 257):
        with pytest.raises(PairingError, match="takes 3 to 256 players"):
            draw(players)
    with pytest.raises(PairingError, match="no value of the setting"):
        draw(8, first_colour="odd")
