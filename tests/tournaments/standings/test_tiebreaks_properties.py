"""What holds for the tie-breaks of every contest: Swisses and round robins with any results, byes and absences."""

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tournaments.pairing.round_robin import cycles
from tournaments.standings.crosstable import Bye, Meeting, build_crosstable
from tournaments.standings.points import DECIDED_RESULTS, OUTCOMES, POINT_SYSTEMS, PointSystem, Result
from tournaments.standings.rank import Standing, rank
from tournaments.standings.tiebreaks import TIEBREAKS, Contest, Rule, Worth, tiebreak

CODES = [rule.code for rule in TIEBREAKS]
CODES += ["BH/C1", "BH/C2", "BH/M1", "BH/P", "BH/F", "FB/C1", "SB/C1", "SB/C2/P", "PS/C1", "ARO/C1", "KS/L-1", "DE/P"]
RULES = [tiebreak(code) for code in CODES]
# Last resorts name the number itself, or are drawn for it.
BY_NUMBER = ("TPN", "LOTS")
WORTHS = {"pab": 1, "full": 1, "half": 0, "zero": -1}


@st.composite
def contests(draw: st.DrawFn, *, swiss: bool | None = None, all_played: bool = False) -> Contest:
    """A contest of up to ten players: in every round some meet, the others have byes or are away."""
    points = draw(st.sampled_from(POINT_SYSTEMS))
    players, rounds = draw(st.sampled_from([2, 4, 6, 8, 10] if all_played else range(2, 11))), draw(st.integers(1, 7))
    is_swiss = draw(st.booleans()) if swiss is None else swiss
    results = [code for code in DECIDED_RESULTS if OUTCOMES[code].played or not all_played]
    meetings: list[Meeting] = []
    byes: list[Bye] = []
    for number in range(1, rounds + 1):
        order = draw(st.permutations(range(1, players + 1)))
        boards = players // 2 if all_played else draw(st.integers(0, players // 2))
        for white, black in zip(order[: 2 * boards : 2], order[1 : 2 * boards : 2], strict=True):
            meetings.append(Meeting(number, white, black, draw(st.sampled_from(results))))
        free = order[2 * boards :] if not all_played and is_swiss else ()
        byes += [_bye(number, player, draw(st.sampled_from([*WORTHS, "nothing"])), points) for player in free]
    return Contest(
        build_crosstable(range(1, players + 1), meetings, [bye for bye in byes if bye.kind != "nothing"], points),
        points,
        rounds,
        is_swiss,
        draw(st.sampled_from([2023, 2026])),
        {player: draw(st.integers(1400, 2600)) for player in range(1, players + 1)},
        lots=draw(st.integers(0, 9)),
    )


def _bye(number: int, player: int, kind: str, points: PointSystem) -> Bye:
    worth = {"pab": points.allocated_bye, "full": points.win, "half": points.draw}.get(kind, 0)
    return Bye(number, player, worth, kind)


def renumbered(contest: Contest, numbers: Sequence[int]) -> Contest:
    """The same contest, player n being called `numbers[n - 1]`; lines and games stand in another order too."""
    new = {old: numbers[old - 1] for old in contest.table}

    def moved(old: int) -> object:
        line = contest.table[old]
        cells = tuple(replace(cell, opponent=new[cell.opponent]) for cell in line.cells)
        return replace(
            line, player=new[old], cells=cells, byes=tuple(replace(bye, player=new[old]) for bye in line.byes)
        )

    table = {new[old]: moved(old) for old in sorted(contest.table, key=lambda old: new[old])}
    return replace(contest, table=table, ratings={new[old]: rating for old, rating in contest.ratings.items()})


def everybody(contest: Contest, rules: Sequence[Rule]) -> dict[int, Standing]:
    return {row.player: row for row in rank(contest, rules)}


def number(worth: Worth | None) -> Fraction | None:
    return worth.number if worth else None


@pytest.mark.extended
@given(contest=contests(), data=st.data())
def test_points_and_parts_add_up_in_whatever_order_all_is_told(contest: Contest, data: st.DataObject) -> None:
    """Points are those of games and byes; the parts of a tie-break make its number; the order in which players and
    games are told changes nothing."""
    rows = rank(contest, RULES)
    given_away = sum(cell.points for line in contest.table.values() for cell in line.cells)
    byes = sum(bye.points for line in contest.table.values() for bye in line.byes)
    assert sum(row.points for row in rows) == given_away + byes
    for row in rows:
        for rule, worth in zip(RULES, row.tiebreaks, strict=True):
            if worth is not None:
                explain(rule, worth)
    found = data.draw(st.permutations(sorted(contest.table)))
    assert rank(replace(contest, table={player: contest.table[player] for player in found}), RULES) == rows


@pytest.mark.extended
@given(contest=contests(), data=st.data())
def test_other_numbers_change_nothing_but_the_names(contest: Contest, data: st.DataObject) -> None:
    rules = [rule for rule in RULES if rule.base not in BY_NUMBER]
    numbers = data.draw(st.permutations(sorted(contest.table)))
    ours, theirs = everybody(contest, rules), everybody(renumbered(contest, numbers), rules)
    for old, row in ours.items():
        other = theirs[numbers[old - 1]]
        assert (other.place, other.points) == (row.place, row.points)
        assert [number(worth) for worth in other.tiebreaks] == [number(worth) for worth in row.tiebreaks]


def explain(rule: Rule, worth: Worth) -> None:
    kept = [part.amount for part in worth.parts if not part.cut]
    total = sum(kept, Fraction(0))
    if worth.how in ("sum", "count"):
        assert total == worth.number, rule.code
    elif worth.how == "mean" and kept:
        assert abs(total / len(kept) - worth.number) <= Fraction(1, 2), rule.code
    for part in worth.parts:
        assert not part.factors or rule.base in ("TPR", "PTP") or part.factors[0] * part.factors[1] == part.amount


@given(contest=contests(swiss=True, all_played=True))
def test_both_editions_agree_where_every_round_is_played(contest: Contest) -> None:
    rules = [rule for rule in RULES if rule.since == 2023]
    old, new = (rank(replace(contest, edition=year), rules) for year in (2023, 2026))
    assert old == new


@pytest.mark.extended
@given(contest=contests(swiss=True))
def test_a_dummy_is_never_worth_more_since_2026_and_a_cut_never_adds(contest: Contest) -> None:
    old, new = (replace(contest, edition=year) for year in (2023, 2026))
    for code, more, less in (("BH", old, new), ("SB", old, new), ("FB", old, new), ("BH/C1", contest, contest),
                             ("SB/C1", contest, contest)):  # fmt: skip
        most = everybody(more, [tiebreak(code[:2])])
        for player, row in everybody(less, [tiebreak(code)]).items():
            assert (number(row.tiebreaks[0]) or 0) <= (number(most[player].tiebreaks[0]) or 0), code


@given(contest=contests(), rules=st.lists(st.sampled_from(RULES), min_size=1, max_size=4))
def test_a_tie_break_parts_only_those_whom_the_ones_before_left_tied(contest: Contest, rules: list[Rule]) -> None:
    before, after = everybody(contest, rules[:-1]), everybody(contest, rules)
    for one in contest.table:
        for other in contest.table:
            if before[one].place < before[other].place:
                assert after[one].place < after[other].place


@given(contest=contests())
def test_a_place_in_the_encounter_is_one_among_those_with_equal_points(contest: Contest) -> None:
    rows = rank(contest, [tiebreak("DE")])
    for row in rows:
        tied = [other for other in rows if other.points == row.points]
        places = [number(other.tiebreaks[0]) for other in tied]
        assert set(places) == {None} or (min(p for p in places if p) == 1 and len(set(places)) > 1)


@given(players=st.integers(3, 10), data=st.data())
def test_in_a_round_robin_sonneborn_berger_adds_up_both_ways(players: int, data: st.DataObject) -> None:
    """All played, 1 – ½ – 0: every point taken from somebody is weighted with his points, so the sum over all is that
    of points times what each lost."""
    codes = [Result.WHITE_WINS, Result.DRAW, Result.BLACK_WINS]
    meetings = [
        Meeting(at, white, black, data.draw(st.sampled_from(codes)))
        for at, boards in enumerate(cycles(players + players % 2), start=1)
        for white, black in boards
        if max(white, black) <= players
    ]
    classic = POINT_SYSTEMS[0]
    contest = Contest(build_crosstable(range(1, players + 1), meetings, [], classic), classic, players)
    points = {player: Fraction(line.points, 2) for player, line in contest.table.items()}
    total = sum((number(row.tiebreaks[0]) or Fraction(0) for row in rank(contest, [tiebreak("SB")])), Fraction(0))
    assert total == sum(own * (players - 1 - own) for own in points.values())
