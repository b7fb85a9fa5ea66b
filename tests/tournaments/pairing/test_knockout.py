"""Knockouts: who meets whom in every size and with every setting, real brackets, and the places that follow."""

from collections import Counter
from collections.abc import Callable
from itertools import combinations
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.choosing import examples
from tests.tournaments.real_events import DATA, read_rows
from tournaments.pairing import PairingError, pairing_system
from tournaments.pairing.base import Bracket, Match, Source
from tournaments.pairing.knockout import Knockout, is_white_above, round_name, rounds_for, standard_order
from tournaments.standings.formats import BracketMatch, BracketPlace, bracket_places

SIZES = st.integers(2, 256)
SEEDINGS = st.sampled_from(["standard", "lots", "given"])
PAIRS = st.sampled_from(["neighbours", "crossed"])
Key = tuple[int, int]
# The order of the file's first eight rows in FIFA's drawing from top to bottom.
FIFA_DRAWING = (1, 2, 5, 6, 3, 4, 7, 8)


def draw(players: int, *, lots: int = 1, prohibited: tuple[tuple[int, int], ...] = (), **chosen: object) -> Bracket:
    return Knockout().bracket(players, chosen, Random(lots), frozenset(frozenset(pair) for pair in prohibited))


def first_round(bracket: Bracket) -> list[tuple[int | None, int | None]]:
    """The seeds of the first round in order of boards."""
    return [(match.upper.seed, match.lower.seed) for match in bracket if match.round == 1]


def play(bracket: Bracket, beats: Callable[[int, int], bool]) -> dict[Key, BracketMatch]:
    """Play every match in order; `beats` says whether the upper line wins."""
    done: dict[Key, BracketMatch] = {}

    def comes(source: Source) -> int | None:
        if source.match is None:
            return source.seed
        fed = done[source.match]
        return fed.beaten[0] if source.loser else fed.winner

    for match in bracket:
        upper, lower = comes(match.upper), comes(match.lower)
        assert upper is not None
        winner = upper if lower is None or beats(upper, lower) else lower
        done[match.round, match.board] = BracketMatch(match.round, upper, lower, winner, match.third_place)
    return done


def better_seed(upper: int, lower: int) -> bool:
    return upper < lower


def sums(bracket: Bracket) -> dict[int, set[int]]:
    """By round the sums of both seeds where both lines are taken and the better seed always wins."""
    found: dict[int, set[int]] = {}
    for (number, _board), match in play(bracket, better_seed).items():
        if match.upper and match.lower and not match.third_place:
            found.setdefault(number, set()).add(match.upper + match.lower)
    return found


# --- the drawing ----------------------------------------------------------------------------------------------
def test_standard_order_has_as_many_rounds_as_halvings_with_the_names_of_what_is_left() -> None:
    assert standard_order(2) == (1, 2)
    assert standard_order(8) == (1, 8, 4, 5, 2, 7, 3, 6)
    for lines in (0, 3, 6, 100, -4):
        with pytest.raises(PairingError, match="2, 4, 8, 16"):
            standard_order(lines)
    for players, rounds in {2: 1, 3: 2, 4: 2, 5: 3, 8: 3, 9: 4, 256: 8}.items():
        assert rounds_for(players) == rounds == max(match.round for match in draw(players))
    names = ["round-of-32", "round-of-16", "quarter-final", "semi-final", "final"]
    assert [round_name(5, number) for number in range(1, 6)] == names


def test_the_first_round_from_top_to_bottom_and_crossed() -> None:
    assert first_round(draw(8)) == [(1, 8), (4, 5), (2, 7), (3, 6)]
    assert first_round(draw(6)) == [(1, None), (4, 5), (2, None), (3, 6)], "the first two are free"
    assert first_round(draw(8, seeding="given")) == [(1, 2), (3, 4), (5, 6), (7, 8)]
    assert first_round(draw(6, seeding="given")) == [(1, None), (2, 3), (4, None), (5, 6)], "byes are spread"
    assert draw(8, prohibited=((1, 8),)) == draw(8), "seeds are not moved for a prohibited pair"
    bracket = draw(8, seeding="given", pairs="crossed")
    assert first_round(bracket) == [(1, 2), (3, 4), (5, 6), (7, 8)]
    semifinals = [(match.upper.match, match.lower.match) for match in bracket if match.round == 2]
    assert semifinals == [((1, 1), (1, 4)), ((1, 2), (1, 3))]
    assert [match.slot for match in bracket if match.round == 1] == [1, 3, 4, 2], "boards 1, 4, 2, 3 from the top"


@examples(100)
@given(players=SIZES, seeding=SEEDINGS, pairs=PAIRS, third=st.booleans(), lots=st.integers(0, 999_999))
def test_every_drawing_is_whole(players: int, seeding: str, pairs: str, third: bool, lots: int) -> None:
    bracket = draw(players, seeding=seeding, pairs=pairs, third_place=third, lots=lots)
    assert bracket == draw(players, seeding=seeding, pairs=pairs, third_place=third, lots=lots), "the same lots"
    sources = [source for match in bracket for source in (match.upper, match.lower)]
    assert sorted(source.seed for source in sources if source.seed) == list(range(1, players + 1)), "each seed once"
    feeds = Counter((source.match, source.loser) for source in sources if source.match)
    assert set(feeds.values()) == {1} or not feeds, "every match feeds once"
    winners_go = {match for match, loser in feeds if not loser}
    rounds = rounds_for(players)
    assert winners_go == {(match.round, match.board) for match in bracket if not match.third_place} - {(rounds, 1)}
    assert [match for match in bracket if match.upper.is_nobody] == [], "nobody meets nobody"
    assert [match.round for match in bracket if match.lower.is_nobody] == [1] * (2**rounds - players)
    played = [match for match in bracket if not match.third_place]
    for number in range(1, rounds + 1):
        expected = list(range(1, 2 ** (rounds - number) + 1))
        here = [match for match in played if match.round == number]
        assert [match.board for match in here] == expected
        assert sorted(match.slot for match in here) == expected
    slots = {(match.round, match.board): match.slot for match in played}
    for match in played:
        if match.round > 1:
            fed = [slots[source.match] for source in (match.upper, match.lower) if source.match]
            assert fed == [2 * match.slot - 1, 2 * match.slot], "two neighbouring slots feed the match between them"


# --- standard seeding -----------------------------------------------------------------------------------------
@given(players=SIZES, pairs=PAIRS)
def test_byes_go_to_the_top_seeds(players: int, pairs: str) -> None:
    free = sorted(match.upper.seed or 0 for match in draw(players, pairs=pairs) if match.lower.is_nobody)
    assert free == list(range(1, 2 ** rounds_for(players) - players + 1))


@given(players=SIZES, pairs=PAIRS)
def test_the_best_seeds_can_meet_only_in_the_end(players: int, pairs: str) -> None:
    """Seeds 1 and 2 in the final, the first four not before the semifinals, the first eight in the quarter-finals …"""
    bracket = draw(players, pairs=pairs)
    lines = {match.upper.seed: match.slot for match in bracket if match.round == 1}
    lines |= {match.lower.seed: match.slot for match in bracket if match.round == 1}
    for one, other in combinations(range(1, min(players, 16) + 1), 2):
        met, above, below = 1, lines[one], lines[other]
        while above != below:
            met, above, below = met + 1, (above + 1) // 2, (below + 1) // 2
        assert 2 ** (rounds_for(players) - met) < other, "of the best 2^k one round's matches hold one each"


@given(players=SIZES, pairs=PAIRS)
@examples(100)
def test_a_winner_takes_over_the_better_seed_of_his_pair(players: int, pairs: str) -> None:
    lines = 2 ** rounds_for(players)
    assert all(found == {(lines >> (number - 1)) + 1} for number, found in sums(draw(players, pairs=pairs)).items())


def test_the_world_cup_2025_had_206_players_fifty_byes_and_these_sums() -> None:
    bracket = draw(206)
    assert sum(match.lower.is_nobody for match in bracket) == 50
    found = sums(bracket)
    assert [found[number] for number in range(1, 6)] == [{257}, {129}, {65}, {33}, {17}]


# --- White in the first game --------------------------------------------------------------------------------------
def whites(players: int, rule: str) -> dict[int, list[int]]:
    """The seeds with White in the first games, round by round, where the better one always wins; matches from top to
    bottom."""
    winners: dict[tuple[int, int], int] = {}
    found: dict[int, list[int]] = {}
    for match in sorted(draw(players), key=lambda match: (match.round, match.slot)):
        pair = [source.seed or winners.get(source.match or (0, 0), 0) for source in (match.upper, match.lower)]
        winners[match.round, match.board] = min(filter(None, pair))
        if all(pair):
            above = is_white_above(rule, match.slot, pair[0] < pair[1])
            found.setdefault(match.round, []).append(pair[not above])
    return found


@pytest.mark.parametrize("players", [2, 3, 7, 8, 23, 64, 103, 128, 206, 256])
def test_odd_and_even_lines_have_white_in_every_round_of_every_bracket(players: int) -> None:
    for rule, parity in (("odd", 1), ("even", 0)):
        assert {seed % 2 for seeds in whites(players, rule).values() for seed in seeds} == {parity}


def test_colours_alternate_down_the_bracket() -> None:
    assert whites(8, "alternate") == {1: [1, 5, 2, 6], 2: [1, 3], 3: [1]}
    assert whites(8, "alternate-lower") == {1: [8, 4, 7, 3], 2: [4, 2], 3: [2]}
    assert whites(8, "seed") == {1: [1, 4, 2, 3], 2: [1, 2], 3: [1]}


def test_first_colours_of_world_cups_are_those_reported() -> None:
    # 2023, 206 players: White for number 1, who came in round 2, and for number 51, the first in round 1. 103 women:
    # Black for number 1, White for number 26. 2017, 128 players: White for 1, 3 and 7, Black for 2 and 48.
    men, women = whites(206, "odd"), whites(103, "even")
    assert (1 in men[2], 51 in men[1]) == (True, True)
    assert (1 in women[2], 26 in women[1]) == (False, True)
    assert {1, 3, 7} < set(whites(128, "odd")[1])
    assert not {2, 48} & set(whites(128, "odd")[1])


# --- lots -----------------------------------------------------------------------------------------------------
def test_other_lots_draw_another_bracket_and_byes_go_by_lot() -> None:
    drawn = {tuple(first_round(draw(6, seeding="lots", lots=lots))) for lots in range(60)}
    assert len(drawn) > 40
    assert {above for draws in drawn for above, below in draws if below is None} == set(range(1, 7))


@given(players=st.integers(4, 64), lots=st.integers(0, 999_999), data=st.data())
@examples(100)
def test_prohibited_pairs_do_not_meet_in_a_first_round_by_lots(players: int, lots: int, data: st.DataObject) -> None:
    families = data.draw(st.lists(st.integers(0, players // 2), min_size=players, max_size=players))
    prohibited = tuple(
        (one + 1, other + 1) for one, other in combinations(range(players), 2) if families[one] == families[other]
    )
    met = [match for match in first_round(draw(players, seeding="lots", lots=lots, prohibited=prohibited)) if match[1]]
    size = max(Counter(families).values())
    # Who is not of the largest family, and its byes, are opponents enough.
    if size <= players - size:
        assert not set(met) & {pair for one, other in prohibited for pair in ((one, other), (other, one))}


def test_prohibited_pairs_are_kept_apart_although_hardly_a_draw_does_so_and_else_as_few_meet_as_can_be() -> None:
    clubs = (range(1, 17), range(17, 33))
    prohibited = tuple(pair for club in clubs for pair in combinations(club, 2))
    for lots in range(5):
        met = first_round(draw(32, seeding="lots", lots=lots, prohibited=prohibited))
        assert all((one <= 16) != (other <= 16) for one, other in met if one and other)
        assert sorted(number for match in met for number in match if number) == list(range(1, 33))
    met = first_round(draw(8, seeding="lots", prohibited=tuple(combinations(range(1, 7), 2))))
    assert sum(one <= 6 and other <= 6 for one, other in met if one and other) == 2
    for lots in range(20):
        met = first_round(draw(3, seeding="lots", lots=lots, prohibited=((1, 2),)))
        assert sorted(met, key=str) not in ([(1, 2), (3, None)], [(2, 1), (3, None)]), "a bye parts them"


# --- third place, settings ------------------------------------------------------------------------------------
def test_the_losers_of_two_semifinals_play_for_third_place() -> None:
    last = draw(8, third_place=True)[-1]
    lost = tuple(Source(match=(2, board), loser=True) for board in (1, 2))
    assert last == Match(3, 2, 2, *lost, third_place=True)
    assert [draw(players, third_place=True) == draw(players) for players in (2, 3, 4)] == [True, True, False]


def test_a_field_or_a_setting_that_is_none_is_refused() -> None:
    for players in (-1, 0, 1, 257, 1000):
        with pytest.raises(PairingError, match="knockout"):
            draw(players)
    for chosen in ({"games": 0}, {"games": 10}, {"seeding": "magic"}, {"extra": "x"}, {"rounds": 3}):
        with pytest.raises(PairingError, match="setting"):
            draw(8, **chosen)
    assert pairing_system("knockout").name == "Knockout"


# --- places ---------------------------------------------------------------------------------------------------
def shown(places: list[BracketPlace]) -> dict[int, str]:
    """Places as on the page: 3, 5–8, and a star for who is still in."""
    return {
        place.player: f"{place.first}{'' if place.first == place.last else f'–{place.last}'}{'*' * place.still_in}"
        for place in places
    }


def test_who_loses_in_the_same_round_shares_the_places() -> None:
    places = shown(bracket_places(play(draw(8), better_seed).values()))
    assert [places[seed] for seed in range(1, 9)] == ["1", "2", *["3–4"] * 2, *["5–8"] * 4]
    third = play(draw(8, third_place=True), lambda upper, lower: upper > lower)
    places = shown(bracket_places(third.values()))
    assert [player for player, place in places.items() if place in {"1", "2", "3", "4"}] == [8, 7, 6, 5]
    places = shown(bracket_places(play(draw(6), better_seed).values()))
    assert (places[5], places[6]) == ("5–6", "5–6"), "with byes the last places are those of the field"


def test_who_is_still_in_has_an_open_range() -> None:
    waiting = BracketMatch(1, 2, 3)
    drawn = [BracketMatch(1, 1, 4), waiting, BracketMatch(2, None, None)]
    assert shown(bracket_places(drawn)) == dict.fromkeys((1, 2, 3, 4), "1–4*"), "before the first match"
    drawn = [BracketMatch(1, 1, 4, winner=1), waiting, BracketMatch(2, None, None)]
    assert shown(bracket_places(drawn)) == {1: "1–2*", 2: "1–4*", 3: "1–4*", 4: "3–4"}
    drawn = [BracketMatch(1, 1, 4, winner=4), waiting, BracketMatch(2, 4, None)]
    assert shown(bracket_places(drawn)) == {4: "1–2*", 2: "1–4*", 3: "1–4*", 1: "3–4"}
    drawn = [BracketMatch(1, 1, 4, winner=1), BracketMatch(1, 2, 3, winner=2)]
    drawn += [BracketMatch(2, 1, 2, winner=2), BracketMatch(2, 4, 3, third_place=True)]
    assert shown(bracket_places(drawn)) == {2: "1", 1: "2", 3: "3–4*", 4: "3–4*"}, "both can be third"
    drawn = [BracketMatch(1, 1, 4, nobody_goes_on=True), BracketMatch(1, 2, 3, winner=2)]
    drawn.append(BracketMatch(2, 2, None, winner=2))
    assert shown(bracket_places(drawn)) == {2: "1", 1: "3–4", 3: "3–4", 4: "3–4"}, "where neither came both are out"
    assert bracket_places([]) == []


@given(players=st.integers(2, 64), lots=st.integers(0, 999), third=st.booleans())
@examples(100)
def test_places_of_a_finished_knockout_are_all_there_once(players: int, lots: int, third: bool) -> None:
    coin = Random(lots)
    done = play(draw(players, third_place=third), lambda _upper, _lower: coin.random() < 0.5)
    places = bracket_places(done.values())
    assert not any(place.still_in for place in places)
    assert sorted(place.player for place in places) == list(range(1, players + 1))
    ranges = Counter((place.first, place.last) for place in places)
    assert all(number == last - first + 1 for (first, last), number in ranges.items())
    assert sorted(place for first, last in ranges for place in range(first, last + 1)) == list(range(1, players + 1))


@pytest.mark.parametrize("year", [2018, 2022])
def test_the_football_world_cup_goes_through_our_bracket(year: int) -> None:
    rows = read_rows(DATA / f"fifa_world_cup_{year}_knockout.csv")
    teams = [rows[place - 1][side] for place in FIFA_DRAWING for side in ("team_a", "team_b")]
    played = {frozenset((row["team_a"], row["team_b"])): row for row in rows}
    names = {"quarter-final": "quarterfinal", "semi-final": "semifinal"}

    def row_of(upper: int, lower: int) -> dict[str, str]:
        return played[frozenset((teams[upper - 1], teams[lower - 1]))]

    def beats(upper: int, lower: int) -> bool:
        return row_of(upper, lower)["winner"] == teams[upper - 1]

    bracket = draw(16, seeding="given", third_place=True)
    done = play(bracket, beats)
    assert len(done) == len(rows)
    for match in done.values():
        assert match.upper is not None
        assert match.lower is not None
        expected = "third-place" if match.third_place else round_name(4, match.round)
        assert row_of(match.upper, match.lower)["round"].replace("_", "-") == names.get(expected, expected)
    first, second, third, fourth = (teams[place.player - 1] for place in bracket_places(done.values())[:4])
    assert (first, second) == {2018: ("France", "Croatia"), 2022: ("Argentina", "France")}[year]
    assert (third, fourth) == {2018: ("Belgium", "England"), 2022: ("Croatia", "Morocco")}[year]
