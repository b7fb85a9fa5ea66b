"""Each tie-break by itself, the codes and their modifiers, and how places come about; unplayed rounds have tests of
their own (`test_tiebreaks_unplayed`)."""

import re
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest

from tests.tournaments.crosstables import contest_with, places, plain, swiss, unrated, value, values, worths
from tests.tournaments.real_events import CLASSIC, DATA, candidates_2024, crosstable_of, read_rows
from tournaments.interchange.crosstable_csv import read_crosstable
from tournaments.standings.crosstable import Bye, Crosstable, Meeting, build_crosstable
from tournaments.standings.points import Result, point_system
from tournaments.standings.rank import rank
from tournaments.standings.tiebreaks import Contest, tiebreak, tiebreaks_of
from tournaments.standings.tiebreaks.direct_encounter import DirectEncounter
from tournaments.standings.tiebreaks.performance import BY_TABLE

FOOTBALL, ARMAGEDDON = point_system("football"), point_system("armageddon")
WIN, DRAW, LOSS = Result.WHITE_WINS, Result.DRAW, Result.BLACK_WINS


def table(*meetings: tuple[int, int, int, Result], players: int = 4) -> Crosstable:
    return build_crosstable(range(1, players + 1), [Meeting(*meeting) for meeting in meetings], [], CLASSIC)


# --- codes ------------------------------------------------------------------------------------------------------
def test_a_list_of_codes_is_read_in_its_order_and_modifiers_say_what_they_do() -> None:
    assert [rule.code for rule in tiebreaks_of(" bh/c1, BH ,,sb")] == ["BH/C1", "BH", "SB"]
    assert tiebreaks_of("") == ()
    rule = tiebreak("BH/C1/P")
    assert (rule.code, rule.name) == ("BH/C1/P", "Buchholz")
    assert rule.variations == ("The lowest value is cut.", "Forfeited games count as played.")
    assert tiebreak("BH/C5").variations == ("The lowest values are cut, as many as the code says.",)
    assert (rule.modifiers.low, rule.modifiers.high, rule.modifiers.as_played) == (1, 0, True)
    assert (tiebreak("BH/M2").modifiers.low, tiebreak("BH/M2").modifiers.high) == (2, 2)


def test_what_is_no_code_is_unknown_and_modifiers_are_answered_with_those_that_do_exist() -> None:
    for code in ("", "XX", "B H", "PTS", "BH-C1", "OTHER_LOTS", "/C1"):
        with pytest.raises(KeyError):
            tiebreak(code)
    of_buchholz = "BH can be followed by /C1, /C2, /M1, /M2, /P, /F."
    for code, sentence in {
        "KS/C1": "There is no “KS/C1”: KS can be followed by /L+1, /L-1.",
        "BH/X": f"There is no “BH/X”: {of_buchholz}",
        "BH/": f"There is no “BH/”: {of_buchholz}",
        "BH/C1/C2": f"There is no “BH/C1/C2”: {of_buchholz}",
        "WIN/P": "There is no “WIN/P”: WIN stands without anything after it.",
        "BH/C": "“/C” after “BH” says nothing: BH can be followed by /C1, /C2.",
        "BH/C0": "“/C0” after “BH” says nothing: BH can be followed by /C1, /C2.",
        "KS/L--1": "“/L--1” after “KS” says nothing: KS can be followed by /L+1, /L-1.",
    }.items():
        with pytest.raises(ValueError, match=f"^{re.escape(sentence)}$"):
            tiebreak(code)


# --- places -----------------------------------------------------------------------------------------------------
def test_a_tie_break_orders_only_those_who_are_still_tied() -> None:
    """Wins part 1 from 2 and 3; the game against each other then parts 2 and 3, though 1 beat both of them."""
    contest = contest_with(table((1, 1, 2, WIN), (2, 1, 3, WIN), (3, 4, 1, WIN), (1, 3, 4, WIN), (2, 2, 4, WIN),
                                 (3, 3, 2, DRAW)))  # fmt: skip
    assert places(contest) == {1: 1, 2: 2, 3: 2, 4: 4}
    assert places(contest, "DE") == {1: 1, 2: 2, 3: 2, 4: 4}
    assert places(contest, "DE", "BPG") == {1: 1, 2: 2, 3: 3, 4: 4}


def test_a_tie_break_without_values_parts_nobody_and_whoever_does_not_count_stands_last() -> None:
    contest = contest_with(table((1, 1, 2, DRAW), (1, 3, 4, DRAW)))
    for code in ("ARO", "LOTS"):
        assert places(contest, code) == {1: 1, 2: 1, 3: 1, 4: 1}
    assert values(contest, "ARO") == {}
    meetings = [Meeting(1, 1, 2, WIN), Meeting(2, 2, 3, WIN), Meeting(3, 1, 3, LOSS)]
    contest = contest_with(build_crosstable([1, 2, 3], meetings, [], CLASSIC, annulled={1}))
    rows = rank(contest, tiebreaks_of("SB,TPN,DE"))
    assert [(row.place, row.player, row.counts) for row in rows] == [(1, 2, True), (2, 3, True), (3, 1, False)]
    assert rows[-1].tiebreaks == (None, None, None)


# --- direct encounter ---------------------------------------------------------------------------------------------
def encounter(contest: Contest, *group: int, forfeits: bool = False) -> dict[int, int | float]:
    rule = tiebreak("DE/P") if forfeits else tiebreak("DE")
    assert isinstance(rule, DirectEncounter)
    return {player: plain(worth.number) for player, worth in rule.places(group, contest).items()}


def test_direct_encounter_goes_on_among_those_it_leaves_tied() -> None:
    """1 beat everybody; 2, 3 and 4 have a point each of their own games, and nobody is parted from anybody."""
    circle = table((1, 1, 2, WIN), (1, 3, 4, WIN), (2, 1, 3, WIN), (2, 4, 2, WIN), (3, 1, 4, WIN), (3, 2, 3, WIN))
    assert encounter(contest_with(circle), 1, 2, 3, 4) == {1: 1, 2: 2, 3: 2, 4: 2}
    assert encounter(contest_with(circle), 2, 3, 4) == {}
    drawn = table((1, 1, 2, WIN), (1, 3, 4, DRAW), (2, 1, 3, LOSS), (2, 4, 2, DRAW), (3, 1, 4, WIN), (3, 2, 3, WIN))
    # 1 and 3 have 2 and 1½, 2 has 1½, 4 has 1: of 2 and 3, level, 2 won their game.
    assert encounter(contest_with(drawn), 1, 2, 3, 4) == {1: 1, 2: 2, 3: 3, 4: 4}


def test_of_two_games_against_each_other_the_average_counts() -> None:
    contest = contest_with(table((1, 1, 2, WIN), (2, 2, 1, DRAW), (3, 1, 3, WIN), (4, 3, 1, WIN), players=3))
    parts = DirectEncounter().places([1, 2], contest)[1].parts
    assert [(part.round, part.opponent, part.amount) for part in parts] == [(1, 2, Fraction(3, 4))]


def test_in_a_swiss_whoever_cannot_be_caught_is_first() -> None:
    """Of four, 1 beat 2 and 3; 2 beat 4. Whatever 1–4 and the rest would bring, nobody else reaches 2 points but 4."""
    games = table((1, 1, 2, WIN), (2, 1, 3, WIN), (3, 2, 4, WIN))
    assert encounter(contest_with(games, swiss=True), 1, 2, 3, 4) == {}
    met = table((1, 1, 2, WIN), (2, 1, 3, WIN), (3, 1, 4, WIN), (4, 2, 4, WIN))
    # 2 may have one more of 3, who may then have two; only the first place is sure, then 2–4 alone are no table yet.
    assert encounter(contest_with(met, swiss=True), 1, 2, 3, 4) == {1: 1, 2: 2, 3: 2, 4: 2}
    chain = table((1, 1, 2, WIN), (2, 1, 3, WIN), (3, 1, 4, WIN), (4, 2, 3, WIN), (5, 2, 4, WIN))
    assert encounter(contest_with(chain, swiss=True), 1, 2, 3, 4) == {1: 1, 2: 2, 3: 3, 4: 3}
    # A loss is worth 1 of 3: 1 has 7 even by losing to 4, nobody else more than 6.
    paid, games = replace(FOOTBALL, draw=2, loss=1), [(1, 1, 2), (2, 1, 3), (4, 2, 4), (5, 3, 4)]
    met = build_crosstable([1, 2, 3, 4], [Meeting(3, 2, 3, DRAW), *(Meeting(*game, WIN) for game in games)], [], paid)
    assert encounter(contest_with(met, paid, swiss=True), 1, 2, 3, 4) == {1: 1, 2: 2, 3: 2, 4: 4}


def test_two_who_did_not_meet_in_a_swiss_stay_tied_and_a_forfeit_counts_only_if_the_event_says_so() -> None:
    assert encounter(contest_with(table((1, 1, 3, WIN), (2, 2, 4, WIN)), swiss=True), 1, 2) == {}
    games = table((1, 1, 2, Result.BLACK_FORFEITS))
    assert encounter(contest_with(games), 1, 2) == {1: 1, 2: 2}, "in a round robin it does"
    assert encounter(contest_with(games, swiss=True), 1, 2) == {}
    assert encounter(contest_with(games, swiss=True), 1, 2, forfeits=True) == {1: 1, 2: 2}


# --- own results ------------------------------------------------------------------------------------------------
OWN = swiss(
    unrated(
        "2 w 1|3 b 1|- - U|4 w +|5 b W",
        "1 b 0|- - H|3 w =|- - F|4 b 0",
        "- - Z|1 w 0|2 b =|5 w -|- - U",
        "5 b 0|- - Z|- - Z|1 b -|2 w 1",
        "4 w 1|- - U|- - H|3 b +|1 w L",
    )
)


def test_own_results() -> None:
    for code, *expected in (
        ("WIN", 5, 1, 1, 1, 3),
        ("WON", 3, 0, 0, 1, 1),
        ("BPG", 2, 2, 1, 1, 0),
        ("BWG", 2, 0, 0, 0, 0),
        ("REP", 5, 4, 3, 2, 4),
        ("STD", 5, 2, 1.5, 1, 3.5),
        ("PS", 15, 5.5, 2.5, 1, 12.5),
        ("PS/C1", 14, 5.5, 2.5, 1, 11.5),
        ("PS/C2", 12, 5, 2.5, 1, 9.5),
    ):
        assert values(OWN, code) == dict(enumerate(expected, start=1)), code


def test_standard_points_came_in_2026_and_are_those_of_1_half_0_whatever_the_points() -> None:
    assert values(contest_with(table((1, 1, 2, WIN)), edition=2023), "STD") == {}
    meetings = [Meeting(1, 1, 2, WIN), Meeting(2, 1, 2, DRAW), Meeting(3, 1, 2, Result.WHITE_DRAWS_BLACK_PENALISED)]
    football = build_crosstable([1, 2], meetings, [Bye(4, 1, 1, "half"), Bye(4, 2, 3, "pab")], FOOTBALL)
    contest = contest_with(football, FOOTBALL, rounds=4, swiss=True)
    assert values(contest, "STD") == {1: 1 + 0.5 + 1 + 0.5, 2: 0.5 + 1}
    armageddon = build_crosstable([1, 2], [Meeting(1, 1, 2, DRAW, Result.BLACK_WINS)], [], ARMAGEDDON)
    assert values(contest_with(armageddon, ARMAGEDDON), "STD") == {1: 0, 2: 1}


def test_a_progressive_score_has_a_part_for_every_round() -> None:
    parts = [(part.round, part.opponent, plain(part.amount), part.cut) for part in worths(OWN, "PS/C1")[2].parts]
    assert parts == [(1, 1, 0, True), (2, 0, 0.5, False), (3, 3, 1, False), (4, 0, 2, False), (5, 4, 2, False)]
    assert [worth.parts for worth in worths(contest_with(table(players=2)), "PS").values()] == [(), ()]


# --- Koya ---------------------------------------------------------------------------------------------------------
def test_koya_counts_opponents_with_half_of_the_points_possible_and_the_limit_moves_by_halves() -> None:
    """Points 2½, 1½, 1, 1 of 3: half of the most is 1½."""
    contest = contest_with(table((1, 1, 2, DRAW), (1, 3, 4, DRAW), (2, 1, 3, WIN), (2, 4, 2, DRAW), (3, 1, 4, WIN),
                                 (3, 2, 3, DRAW)))  # fmt: skip
    assert values(contest, "KS") == {1: 0.5, 2: 0.5, 3: 0.5, 4: 0.5}
    assert values(contest, "KS/L-1") == {1: 2.5, 2: 1.5, 3: 1, 4: 1}
    assert values(contest, "KS/L+1") == {1: 0, 2: 0.5, 3: 0, 4: 0}
    assert values(contest, "KS/L-0.5") == values(contest, "KS/L-1")
    assert values(contest, "KS/L100") == {1: 0, 2: 0, 3: 0, 4: 0}
    three = contest_with(table((1, 1, 2, WIN), (2, 2, 3, WIN), (3, 3, 1, WIN), players=3))
    assert values(three, "KS") == {1: 1, 2: 1, 3: 1}, "each has half of two points: none are to be had in a free round"


# --- ratings ------------------------------------------------------------------------------------------------------
RATED = swiss({1: (2000, "2 w 1|3 b ="), 2: (1901, "1 b 0|4 w 1"), 3: (1800, "4 b =|1 w ="), 4: (1650, "3 w =|2 b 0")})


def test_the_average_of_opponents_rounds_halves_up_and_cuts_the_lowest() -> None:
    assert values(RATED, "ARO") == {1: 1851, 2: 1825, 3: 1825, 4: 1851}  # 1850.5
    assert values(RATED, "ARO/C1") == {1: 1901, 2: 2000, 3: 2000, 4: 1901}
    assert values(RATED, "ARO/M1") == {1: 0, 2: 0, 3: 0, 4: 0}
    parts = worths(RATED, "ARO/C1")[1].parts
    assert [(part.opponent, part.amount, part.cut) for part in parts] == [(2, 1901, False), (3, 1800, True)]
    worth = worths(RATED, "TPR")[1]
    assert (worth.number, worth.how) == (1851 + 193, "table")  # 75 hundredths
    assert (worth.parts[-1].amount, worth.parts[-1].note) == (193, BY_TABLE)
    assert [plain(part.factors[0]) for part in worth.parts[:-1]] == [1, 0.5]


def test_nobody_has_a_value_by_ratings_where_somebody_is_unrated_unless_the_event_gives_one() -> None:
    some = swiss({1: (2000, "2 w 1"), 2: (0, "1 b 0")})
    assert some.ratings == {1: 2000}
    for code in ("ARO", "TPR", "PTP", "APRO", "APPO", "RTNG"):
        assert values(some, code) == {}
    left = build_crosstable([1, 2, 3], [Meeting(1, 1, 2, WIN), Meeting(2, 1, 3, WIN)], [], CLASSIC, annulled={3})
    assert values(contest_with(left, ratings={1: 2000, 2: 1900}), "ARO") == {1: 1900, 2: 2000}, (
        "who left may be unrated"
    )
    given = contest_with(table((1, 1, 2, WIN), players=2), ratings={1: 2000, 2: 1000})
    assert values(given, "ARO") == {1: 1000, 2: 2000}


def test_who_won_everything_performs_736_above_the_strongest_and_who_lost_all_800_below_the_weakest() -> None:
    contest = swiss({1: (2000, "2 w 1|3 b 1"), 2: (1900, "1 b 0|- - Z"), 3: (1500, "- - Z|1 w 0")})
    assert values(contest, "PTP") == {1: 1900 + 736, 2: 2000 - 800, 3: 2000 - 800}
    assert values(contest, "TPR") == {1: 1700 + 800, 2: 2000 - 800, 3: 2000 - 800}


def test_performances_know_1_half_0_count_a_penalised_game_by_what_each_got_and_no_forfeit() -> None:
    games = table((1, 1, 2, Result.WHITE_DRAWS_BLACK_PENALISED), (2, 1, 2, Result.BLACK_FORFEITS), players=2)
    assert values(contest_with(games, ratings={1: 2000, 2: 2000}), "TPR") == {1: 2000, 2: 1200}
    football = build_crosstable([1, 2], [Meeting(1, 1, 2, DRAW)], [], FOOTBALL)
    assert values(contest_with(football, FOOTBALL, ratings={1: 1900, 2: 2000}), "TPR") == {1: 2000, 2: 1900}


# --- last resorts -------------------------------------------------------------------------------------------------
def test_last_resorts_and_their_reverse() -> None:
    contest = contest_with(table((1, 1, 2, DRAW), players=2), ratings={1: 1900, 2: 2000})
    assert places(contest, "TPN") == {1: 1, 2: 2}
    assert places(contest, "TPN/R") == {1: 2, 2: 1}
    assert places(contest, "RTNG") == {1: 2, 2: 1}
    assert places(contest, "RTNG/R") == {1: 1, 2: 2}


def test_the_same_seed_draws_the_same_lots_and_a_late_entry_moves_nobody_before_another() -> None:
    def drawn(players: int, seed: int) -> list[int]:
        contest = contest_with(table(players=players), lots=seed)
        return [row.player for row in rank(contest, [tiebreak("LOTS")])]

    assert drawn(20, 7) == drawn(20, 7)
    assert [player for player in drawn(21, 7) if player != 21] == drawn(20, 7)
    assert len({tuple(drawn(20, seed)) for seed in range(5)}) == 5
    lots = contest_with(table(players=5), lots=7)
    assert sorted(values(lots, "LOTS").values()) == [1, 2, 3, 4, 5]


# --- real tables ----------------------------------------------------------------------------------------------------
def test_the_candidates_of_2024_have_their_places_and_averages() -> None:
    ratings = {1: 2803, 2: 2632, 3: 2760, 4: 2743, 5: 2727, 6: 2747, 7: 2758, 8: 2789}
    contest = contest_with(crosstable_of(candidates_2024()), ratings=ratings)
    assert places(contest, "SB", "WIN", "DE") == {4: 1, 8: 2, 7: 3, 1: 4, 6: 5, 5: 6, 3: 7, 2: 8}
    assert values(contest, "SB") == {4: 57, 8: 56, 7: 56, 1: 54, 6: 42.5, 5: 40.25, 3: 32.75, 2: 25.5}
    assert values(contest, "BWG") == {4: 3, 8: 2, 7: 1, 1: 1, 6: 2, 5: 1, 3: 0, 2: 0}


@pytest.mark.real_data
def test_the_candidates_are_those_of_the_delivered_file(real_data: Path) -> None:
    rows = {int(row["draw_no"]): row for row in read_rows(real_data / "rr" / "candidates2024.standings.csv")}
    ratings = {number: int(row["elo"]) for number, row in rows.items()}
    contest = contest_with(crosstable_of(candidates_2024()), ratings=ratings)
    columns = {"SB": "sonneborn_berger", "WIN": "wins", "BWG": "wins_with_black", "BPG": "games_with_black"}
    for code, column in {**columns, "ARO": "aro_rounded"}.items():
        assert values(contest, code) == {number: float(row[column]) for number, row in rows.items()}


@pytest.mark.real_data
def test_the_sinquefield_cup_of_2014_has_its_sonneborn_berger_and_wins(real_data: Path) -> None:
    rows = read_rows(real_data / "rr" / "sinquefield_cup_2014.standings.csv")
    numbers = {row["name"]: number for number, row in enumerate(rows, start=1)}
    results = {"1-0": WIN, "1/2-1/2": DRAW, "0-1": LOSS}
    games = read_rows(real_data / "rr" / "sinquefield_cup_2014.games.csv")
    contest = contest_with(
        build_crosstable(
            sorted(numbers.values()),
            [Meeting(int(g["round"]), numbers[g["white"]], numbers[g["black"]], results[g["result"]]) for g in games],
            [],
            CLASSIC,
        )
    )
    assert values(contest, "SB") == {numbers[row["name"]]: float(row["sonneborn_berger_computed"]) for row in rows}
    assert values(contest, "WIN") == {numbers[row["name"]]: float(row["wins"]) for row in rows}
    assert places(contest, "SB", "WIN") == {numbers[row["name"]]: place for place, row in enumerate(rows, start=1)}


def test_norway_chess_of_2019_scores_its_own_points() -> None:
    """2 for a win, 1½ and ½ after armageddon; by hand from the printed cells."""
    printed = read_crosstable((DATA / "altibox_norway_2019_armageddon_scoring.csv").read_bytes())
    meetings = [Meeting(game.round, game.white, game.black, game.result, game.armageddon) for game in printed.games]
    norway = contest_with(build_crosstable(range(1, 11), meetings, [], ARMAGEDDON), ARMAGEDDON)
    by_hand = 12 + 15.75 + 11 + 8.25 + 12 + 12.75 + 15 + 21 + 5
    assert (value(norway, "SB", 1), value(norway, "WIN", 1), value(norway, "STD", 1)) == (by_hand, 2, 8)
    assert places(norway, "SB") == {number: number for number in range(1, 11)} | {2: 2, 3: 3}
