"""The exercises on tie-breaks of FIDE's Technical Commission (2024): a Swiss of sixteen with every kind of unplayed
round, and a round robin with a forfeit. The paper prints the rules of 2023; what the ceiling of the dummy changes in
2026 is named cell by cell. The crosstable and the answers as in the tests of Sharly-Chess (data)."""

import json
from fractions import Fraction

import pytest

from tests.tournaments.crosstables import Rows, places, swiss, value, values, worths
from tests.tournaments.interchange.trf_files import real
from tests.tournaments.real_events import DATA
from tournaments.interchange.standings_of_report import contest_of
from tournaments.standings.tiebreaks.direct_encounter import DirectEncounter
from tournaments.standings.tiebreaks.unplayed import adjusted_scores, as_if_drawn

EXERCISE: Rows = {
    1: (2200, "9 w 1|13 b =|2 w =|15 b 1|4 w ="),
    2: (2150, "10 b 1|7 w 1|1 b =|16 w 1|3 b ="),
    3: (2100, "11 w =|6 b 1|8 w 1|4 b =|2 w ="),
    4: (2050, "12 b 1|- - H|13 w 1|3 w =|1 b ="),
    5: (2000, "13 w 0|15 b 0|11 w 1|7 b =|10 w 1"),
    6: (1950, "14 b 0|3 w 0|- - U|10 w 1|8 b 1"),
    7: (1900, "15 w 1|2 b 0|16 b 0|5 w =|11 b 0"),
    8: (1850, "16 b =|14 w 1|3 b 0|13 w 1|6 w 0"),
    9: (1800, "1 b 0|10 w 0|- - H|11 b -|- - U"),
    10: (1750, "2 w 0|9 b 1|15 w 0|6 b 0|5 b 0"),
    11: (1700, "3 b =|16 w 0|5 b 0|9 w +|7 w 1"),
    12: (1650, "4 w 0|- - U|14 b +|- - Z|- - Z"),
    13: (1600, "5 b 1|1 w =|4 b 0|8 b 0|14 w 0"),
    14: (1550, "6 w 1|8 b 0|12 w -|- - Z|13 b 1"),
    15: (1500, "7 b 0|5 w 1|10 b 1|1 w 0|16 b 0"),
    16: (1450, "8 w =|11 b 1|7 w 1|2 b 0|15 w 1"),
}
NEW, OLD = swiss(EXERCISE, 2026), swiss(EXERCISE, 2023)


def in_order(*numbers: float) -> dict[int, float]:
    return dict(enumerate(numbers, start=1))


PRINTED = {
    "WIN": in_order(2, 3, 2, 2, 2, 3, 1, 2, 1, 1, 2, 2, 1, 2, 2, 3),
    "WON": in_order(2, 3, 2, 2, 2, 2, 1, 2, 0, 1, 1, 0, 1, 2, 2, 3),
    "BPG": in_order(2, 3, 2, 2, 2, 2, 3, 2, 1, 3, 2, 0, 3, 2, 3, 2),
    "BWG": in_order(1, 1, 1, 1, 0, 1, 0, 0, 0, 1, 0, 0, 1, 1, 1, 1),
    "REP": in_order(5, 5, 5, 4, 5, 5, 5, 5, 3, 5, 5, 3, 5, 3, 5, 5),
    "PS": in_order(11, 13, 11, 11.5, 5, 6, 6, 8.5, 2.5, 4, 5.5, 7, 7, 6, 7, 10.5),
    "PS/C1": in_order(10, 12, 10.5, 10.5, 5, 6, 5, 8, 2.5, 4, 5, 7, 6, 5, 7, 10),
    "BH": in_order(12.5, 13, 15.5, 15, 8.5, 12, 14.5, 13.5, 9, 13, 13.5, 11.5, 14, 11, 12, 12.5),
    "FB": in_order(13.5, 13.5, 15, 15.5, 10, 12, 13.5, 12.5, 9.5, 12.5, 12.5, 11.5, 13.5, 10.5, 12, 13.5),
    "SB": in_order(8, 9.5, 10.5, 9.75, 4.25, 6.5, 3.25, 5.25, 2.25, 1.5, 5.75, 4, 4.25, 4.5, 3.5, 7.25),
    "SB/C1": in_order(7.25, 8.5, 9.25, 8, 3.25, 5.5, 1.25, 3.75, 2.25, 0, 4.25, 4, 4.25, 3, 2.5, 5.75),
    "ARO": in_order(1820, 1880, 1940, 1888, 1690, 1813, 1760, 1730, 1975, 1880, 1863, 2050, 1930, 1800, 1860, 1820),
    "ARO/C1": in_order(1900, 1988, 2000, 1983, 1738, 1900, 1838, 1800, 2200, 1975, 2000, 0, 2025, 1900, 1963, 1900),
    "TPR": in_order(1969, 2120, 2089, 2081, 1690, 1813, 1611, 1730, 1175, 1640, 1776, 1250, 1781, 1925, 1788, 1969),
    "PTP": in_order(2029, 2216, 2112, 2168, 1689, 1810, 1531, 1715, 950, 1575, 1763, 1250, 1744, 1942, 1768, 2013),
    "APRO": in_order(1789, 1856, 1904, 1772, 1719, 1846, 1869, 1915, 1805, 1717, 1840, 2081, 1879, 1775, 1776, 1805),
    "APPO": in_order(1769, 1852, 1934, 1784, 1676, 1836, 1890, 1924, 1802, 1687, 1836, 2168, 1909, 1756, 1767, 1799),
    "RTNG": in_order(*range(2200, 1400, -50)),
    "TPN": in_order(*range(1, 17)),
}  # fmt: skip
# What is lower in 2026: a dummy has no more than the opponent due (forfeits), or a draw in every round (byes).
SINCE_2026 = {
    "BH": {4: 14, 6: 11.5, 11: 12.5},
    "FB": {4: 14.5, 11: 12, 12: 11},
    "SB": {4: 9.25, 6: 6, 11: 4.75},
    "SB/C1": {4: 7.75, 6: 5, 11: 3.25},
}
CUT_1 = {1: 11, 3: 13, 4: 11.5, 5: 7.5, 7: 12.5, 8: 12, 9: 7.5, 11: 12, 12: 9.5, 13: 12, 14: 9, 15: 11, 16: 11}
AVERAGES = in_order(12.6, 13.6, 13.4, 13.38, 13.4, 13.25, 11.9, 13, 12.75, 10.9, 12.75, 15, 12.1, 13.17, 12.2, 13.3)
AVERAGES_2026 = in_order(12.4, 13.6, 12.9, 13.38, 13.2, 13.25, 11.7, 12.9, 12.75, 10.8, 12.75, 14, 11.9, 13, 12.2, 13.1)


@pytest.mark.parametrize("code", PRINTED)
def test_every_value_of_the_exercise_is_the_printed_one_and_in_2026_only_the_dummies_change(code: str) -> None:
    assert values(OLD, code) == PRINTED[code]
    assert values(NEW, code) == {**PRINTED[code], **SINCE_2026.get(code, {})}


def test_forfeits_as_played_count_the_opponent_due_and_buchholz_as_if_drawn_is_fore_buchholz() -> None:
    assert values(NEW, "SB/P") == {**PRINTED["SB"], **SINCE_2026["SB"]}
    assert value(NEW, "BH/P", 11) == 12.5
    assert value(NEW, "BH/P", 12) == value(NEW, "BH", 12)
    assert value(NEW, "BH/P", 9) == value(NEW, "BH", 9) + 1, "2½ of the opponent due in place of 1½ of his own"
    assert values(NEW, "BH/F") == values(NEW, "FB")


def test_points_and_standard_points_are_the_same_where_a_win_is_one() -> None:
    points = {player: line.points / 2 for player, line in NEW.table.items()}
    assert points == in_order(3.5, 4, 3.5, 3.5, 2.5, 3, 1.5, 2.5, 1.5, 1, 2.5, 2, 1.5, 2, 2, 3.5)
    assert values(NEW, "STD") == points


def test_cut_1_takes_the_rounds_missed_on_purpose_first() -> None:
    assert {player: value(OLD, "BH/C1", player) for player in CUT_1} == CUT_1
    assert {player: value(NEW, "BH/C1", player) for player in CUT_1} == {**CUT_1, 11: 11}


def test_opponents_see_the_last_rounds_of_who_stayed_away_as_draws_for_fore_buchholz_those_of_all() -> None:
    points = {player: line.points for player, line in NEW.table.items()}
    assert adjusted_scores(NEW) == {**points, 12: points[12] + 2}
    halves = in_order(7, 8, 7, 7, 4, 5, 4, 6, 3, 3, 4, 6, 4, 3, 5, 6)
    assert adjusted_scores(as_if_drawn(NEW)) == halves


def test_the_average_of_buchholz_is_the_printed_one_to_two_decimals() -> None:
    for contest, printed in ((OLD, AVERAGES), (NEW, AVERAGES_2026)):
        assert {player: round(number, 2) for player, number in values(contest, "AOB").items()} == printed
    assert value(NEW, "AOB/F", 1) == (9.5 + 13.5 + 13.5 + 12 + 14.5) / 5, "of Fore Buchholz"


def test_four_of_the_exercise_who_have_all_met_are_ranked_by_their_games() -> None:
    """Franck, Alyx, David and Bruno of the exercise: 2, 1½, 1½ and 1 point against each other; the two drew."""
    four = swiss({1: (0, "2 w =|3 b =|4 w ="), 2: (0, "1 b =|4 w 0|3 b ="), 3: (0, "4 b =|1 w =|2 w ="),
                  4: (0, "3 w =|2 b 1|1 b =")})  # fmt: skip
    places = DirectEncounter().places([1, 2, 3, 4], four)
    assert {player: worth.number for player, worth in places.items()} == {4: 1, 1: 2, 3: 2, 2: 4}


# --- the round robin ------------------------------------------------------------------------------------------------
ROUND_ROBIN = contest_of(real("tec_round_robin.trf"))
ANSWERS = json.loads((DATA / "standings" / "tec_round_robin.expected.json").read_text(encoding="utf-8"))["expected"]


def test_the_answers_of_the_round_robin() -> None:
    answers = {"SB": "sonneborn_berger_round_robin", "SB/C1": "sb_cut1_round_robin", "KS": "koya"}
    for code, answer in answers.items():
        assert values(ROUND_ROBIN, code) == {int(player): number for player, number in ANSWERS[answer].items()}


def test_its_direct_encounter_counts_the_forfeit_its_performances_leave_it_out_and_round_half_up() -> None:
    assert not ROUND_ROBIN.swiss
    assert values(ROUND_ROBIN, "DE") == {1: 1, 2: 2, 3: 2, 6: 1, 5: 2, 4: 3}
    assert places(ROUND_ROBIN, "DE") == {1: 1, 2: 2, 3: 2, 6: 4, 5: 5, 4: 6}
    assert values(ROUND_ROBIN, "TPR") == {1: 2199, 2: 2209, 3: 2219, 4: 1931, 5: 2038, 6: 1803}
    assert values(ROUND_ROBIN, "APRO") == {1: 2040, 2: 2038, 3: 2036, 4: 2094, 5: 2140, 6: 2140}


def test_koya_says_who_is_below_the_limit() -> None:
    parts = worths(ROUND_ROBIN, "KS")[1].parts
    assert {part.opponent: part.cut for part in parts} == {2: False, 3: False, 4: True, 5: True, 6: True}
    assert sum((part.amount for part in parts if not part.cut), Fraction(0)) == 2
