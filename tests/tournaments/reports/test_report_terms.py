"""What a report means before anything is written: format, points, days, boards, byes, who left."""

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.tournaments.interchange.trf_events import round_robin
from tests.tournaments.interchange.trf_files import GOOD, real, report, row
from tournaments.interchange.trf.games import games_of
from tournaments.models import ByeKind
from tournaments.reports.services.terms import (
    BY_HAND,
    Board,
    Format,
    allocated_bye_of,
    boards_of,
    byes_of,
    format_of,
    is_complete,
    kept_apart,
    leavers,
    paired_rounds,
    played_days,
    point_system_of,
)
from tournaments.standings.points import Result

TODAY = date(2026, 11, 21)
HAND = Format(BY_HAND, {})


# --- format -------------------------------------------------------------------------------------------------------
def test_only_what_is_exactly_by_the_tables_is_a_round_robin() -> None:
    for name, key in (
        ("hb2025_western_major_rr6.trf", "round-robin"),
        ("hb2025_junior_club_champ_rr8.trf", "by-hand"),
        ("hb2025_koshnitsky.trf", "dutch"),
        ("py4swiss_bad_comments.trf", "by-hand"),
    ):
        assert format_of(real(name)).key == key, name
    assert format_of(round_robin(40)).is_round_robin
    assert not format_of(round_robin(41)).is_round_robin, "more than the format takes"
    assert format_of(round_robin(6, 4, double=True)) == Format("round-robin", {"cycles": 2})


# --- points -------------------------------------------------------------------------------------------------------
def test_the_point_system_is_the_one_that_brings_the_same() -> None:
    for record, key in (
        ("012 plain", "classic"),
        ("162  W 1.0    D 0.5    L 0.0", "classic"),
        ("XXS W=3 D=1 L=0", "football"),
        ("BBW 3.0", None),
        ("XXS W=10 D=5 L=1", None),
    ):
        system = point_system_of(report(record, row(1)))
        assert (system.key if system else None) == key, record
    for record, worth in (("012 x", "win"), ("XXS PAB=0.5", "draw"), ("XXS PAB=0", "loss")):
        assert allocated_bye_of(report(record, row(1, "- - U"))) == worth
        assert allocated_bye_of(report(record, row(1, "- - H"))) == ""


# --- days ---------------------------------------------------------------------------------------------------------
def test_rounds_are_spread_over_all_that_are_due() -> None:
    first, own = "042 2026/01/05", f"{'132':<91}          26/01/07"
    for lines, days in (
        (("052 2026/01/19", "XXR 3"), [5]),
        (("052 2026/01/19", "XXR 3"), [5, 12]),
        (("052 2026/01/19",), [5, 19]),
        (("052 2026/01/19", "XXR 3"), [5, 12, 19]),
        ((), [5, 5, 5, 5]),
        (("052 2025/01/05",), [5, 5]),  # a last day before the first is not believed
        ((own,), [5, 7, 5]),
    ):
        read = report(first, *lines, row(1, "2 w 1"), row(2, "1 b 0"))
        assert played_days(read, len(days), today=TODAY) == [date(2026, 1, day) for day in days], lines


@given(st.dates(date(2000, 1, 1), date(2030, 1, 1)), st.integers(0, 200), st.integers(1, 15))
def test_days_never_go_back_and_never_lie_ahead(first: date, length: int, rounds: int) -> None:
    last = date.fromordinal(first.toordinal() + length)
    read = report(f"042 {first:%Y/%m/%d}", f"052 {last:%Y/%m/%d}", row(1))
    days = played_days(read, rounds, today=TODAY)
    assert len(days) == rounds
    assert days == sorted(days)
    assert all(min(first, TODAY) <= day <= min(last, TODAY) for day in days)


# --- boards and byes ----------------------------------------------------------------------------------------------
def test_the_leaders_sit_on_the_first_boards_and_byes_stand_last() -> None:
    """Round 2: both boards have a player with one point and one point in all, so the lower number decides."""
    read = report(
        row(1, "2 w 0|5 w 1"),
        row(2, "1 b 1|- - H"),
        row(3, "4 w 1|4 b ="),
        row(4, "3 b 0|3 w ="),
        row(5, "- - U|1 b 0"),
        row(6, "- - Z|- - Z"),
    )
    first, second = boards_of(read, HAND, {})
    assert first == (
        Board(1, 2, Result.BLACK_WINS),
        Board(3, 4, Result.WHITE_WINS),
        Board(5, bye=ByeKind.ALLOCATED),
        Board(6, bye=ByeKind.ZERO),
    )
    assert second == (
        Board(1, 5, Result.WHITE_WINS),
        Board(4, 3, Result.DRAW),
        Board(2, bye=ByeKind.HALF),
        Board(6, bye=ByeKind.ZERO),
    )


def test_who_has_left_has_no_bye_any_more() -> None:
    read = report(row(1, "2 w 1|- - U"), row(2, "1 b 0|3 w 1"), row(3, "- - Z|2 b 0"), row(4, "- - Z|- - Z"))
    left = leavers(read, HAND)
    assert left == {4: 0}
    free = [[board.white for board in boards if board.bye] for boards in boards_of(read, HAND, left)]
    assert free == [[3], [1]]


def test_one_missed_round_makes_a_leaver_only_at_the_end_two_while_it_runs() -> None:
    people = (row(1, "3 w 1|2 w 1|2 b 0"), row(2, "- - U|1 b 0|1 w 1"), row(3, "1 b 0|- - U|- - Z"))
    for rounds, left in (("XXR 3", {3: 2}), ("XXR 4", {}), ("012 x", {3: 2})):
        assert leavers(report(rounds, *people), HAND) == left, rounds
    assert leavers(report("XXR 9", *people[:2], row(3, "1 b 0")), HAND) == {3: 1}
    people = (row(1, "2 w 1|2 b 0"), row(2, "1 b 0|1 w 1"), row(3, "- - Z|- - Z"))
    assert leavers(report("XXR 9", *people), HAND) == {}, "who was in no round yet comes late"
    assert leavers(report("XXR 2", *people), HAND) == {3: 0}


def test_who_is_away_from_all_rounds_to_come_has_left() -> None:
    people = (row(1, "2 w 1"), row(2, "1 b 0"), row(3, "4 w 1"), row(4, "3 b 0"))
    away: tuple[tuple[list[str], dict[int, int]], ...] = (
        (["240 Z   3    3    1"], {3: 1}),
        (["240 H   3    3"], {}),
        ([], {}),
    )
    for lines, left in away:
        read = report("092 Swiss", "XXR 3", "240 Z   2    3", *lines, *people)
        assert leavers(read, format_of(read)) == left, lines
        assert leavers(read, HAND) == {}


def test_the_free_day_of_a_round_robin_is_no_leaving() -> None:
    read = round_robin(5)
    assert leavers(read, format_of(read)) == {}
    assert {bye.kind for bye in byes_of(read, format_of(read))} == {ByeKind.ALLOCATED}
    assert {bye.kind for bye in byes_of(read, HAND)} == {ByeKind.ZERO}


def test_an_event_is_over_when_nothing_is_to_be_played() -> None:
    assert paired_rounds(real("trf26_team_small.trf")) == 2
    assert paired_rounds(real("py4swiss_bad_comments.trf")) == 0
    read, whole = round_robin(6, 2), round_robin(6)
    rounds = tuple(boards_of(read, format_of(read), {}))
    assert (len(rounds), is_complete(read, rounds)) == (5, False), "a round robin has all its rounds"
    assert is_complete(whole, tuple(boards_of(whole, format_of(whole), {})))
    for line, complete in (("012 x", True), ("XXR 1", True), ("XXR 2", False)):
        read = report(line, row(1, "2 w 1"), row(2, "1 b 0"))
        assert is_complete(read, tuple(boards_of(read, HAND, {}))) is complete
        still = report(line, row(1, "2 w"), row(2, "1 b"))
        assert not is_complete(still, tuple(boards_of(still, HAND, {})))


@pytest.mark.parametrize("name", GOOD)
def test_everybody_sits_once_a_round_or_has_left(name: str) -> None:
    read = real(name)
    kind = format_of(read)
    left = leavers(read, kind)
    rounds = list(boards_of(read, kind, left))
    for number, boards in enumerate(rounds, start=1):
        seated = [side for board in boards for side in (board.white, board.black) if side]
        here = {player.number for player in read.players if number <= left.get(player.number, number)}
        assert sorted(seated) == sorted(here)
    games = [(board.white, board.black) for boards in rounds for board in boards if board.black]
    assert sorted(games) == sorted((game.white, game.black) for game in games_of(read))


# --- who should not meet ------------------------------------------------------------------------------------------
def test_groups_that_should_not_meet() -> None:
    for lines, groups in (
        (["XXP 1 2"], ((1, 2),)),
        (["XXP 1 2 3", "XXP 2   3"], ((1, 2, 3), (2, 3))),
        (["XXP 1 2", "XXP 1 3 3"], ()),
        (["XXP 1"], ()),
        (["XXP"], ()),
        (["012 x"], ()),
    ):
        assert kept_apart(report(*lines, row(1), row(2), row(3))) == groups, lines
