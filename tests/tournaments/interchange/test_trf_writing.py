"""What is written is read again as it was: for anything a report can hold, and for real files."""

from datetime import date
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.choosing import examples
from tests.tournaments.interchange.trf_files import GOOD, players_from, real, report, row
from tournaments.interchange.trf import VERSIONS, Cell, Record, Report, ReportPlayer, read_report, write_report
from tournaments.interchange.trf.games import CODES, points_of, worths
from tournaments.interchange.trf.head import kept_federations, kept_fields, kept_lines
from tournaments.interchange.trf.terms import points_text
from tournaments.standings.points import Result


def again(written: Report, version: int) -> Report:
    return read_report(write_report(written, version))


# --- columns and editions -------------------------------------------------------------------------------------------
def test_a_player_stands_in_the_columns_of_trf16_with_a_blank_where_a_result_comes() -> None:
    line = (
        "001    1 wWIM Hou, Anna                         2345 CHN     8602980 1994/02/27  1.5    1     2 w 1  0000 - H"
    )
    assert write_report(report(line, row(2, "1 b 0"))).decode().splitlines()[-2] == line
    read = report(row(1, "2 w"), row(2, "1 b"))
    assert write_report(read).decode().splitlines()[-2].endswith("     2 w  ")
    assert again(read, 26) == read


def test_the_head_says_rounds_and_first_colour_in_each_edition_its_way_counts_and_days() -> None:
    read = report("XXR 5", "XXC black1", "XXC rank", row(1))
    lines = {version: write_report(read, version).decode().splitlines() for version in VERSIONS}
    assert {"XXR 5", "XXC black1", "XXC rank"} <= set(lines[16])
    assert {"142 5", "152 B", "XXC rank"} <= set(lines[26])
    assert not {"XXR 5", "XXC black1"} & set(lines[26])
    head = write_report(report("062 9", row(1, rating="1500"), row(2), "013 Team")).decode().splitlines()
    assert {"062 2", "072 1", "082 1"} <= set(head)
    read = report(f"{'132':<91}26/01/05            26/01/19", row(1))
    assert read.round_days == (date(2026, 1, 5), None, date(2026, 1, 19))
    line = next(line for line in write_report(read).decode().splitlines() if line.startswith("132"))
    assert (line[91:99], line[111:119]) == ("26/01/05", "26/01/19")
    long = Report(players=(ReportPlayer(1, "Abcdefghijklmnopq, Rstuvwxyzabcdefghi"),))
    assert again(long, 26).players[0].name == "Abcdefghijklmnopq, Rstuvwxyzabcde", "a longer name is cut"


def test_real_reports_come_back_as_they_were_and_every_kept_record_leaves_as_it_came() -> None:
    reports = {name: real(name) for name in GOOD}
    changed = [(name, v) for name, report in reports.items() for v in VERSIONS if again(report, v) != report]
    assert changed == []
    team = real("trf26_team_small.trf")
    came = [record.line for record in team.records]
    for version in VERSIONS:
        lines = write_report(team, version).decode().splitlines()
        assert [line for line in lines if line in came] == came


@pytest.mark.extended
@pytest.mark.real_data
def test_every_report_at_hand_comes_back_as_it_was(real_data: Path) -> None:
    paths = [path for path in real_data.rglob("*") if path.suffix in (".trf", ".tab") and "_bad_" not in path.name]
    assert len(paths) >= 30
    for path in paths:
        read = read_report(path.read_bytes())
        assert [again(read, version) == read for version in VERSIONS] == [True, True], path.name


# --- properties -----------------------------------------------------------------------------------------------------
LETTERS = st.characters(categories=["L", "Nd", "Pd"]) | st.sampled_from(" ,.'-")
NAMES = st.text(LETTERS, max_size=33).map(str.strip)
LINES = st.text(LETTERS, max_size=40).map(str.strip)
DAYS = st.dates(min_value=date(1970, 1, 1), max_value=date(2069, 12, 31))
BYES = st.sampled_from("HFUZ*").map(lambda code: Cell(0, "", code))
KINDS = st.sampled_from(sorted(CODES, key=str))


@st.composite
def rounds(draw: st.DrawFn, count: int) -> list[Cell]:
    """A round of `count` players: some meet, with any result and colours, the others have byes."""
    order = draw(st.permutations(range(1, count + 1)))
    cells = {number: draw(BYES) for number in order}
    for white, black in zip(order[::2], order[1::2], strict=False):
        if draw(st.booleans()):
            result = draw(KINDS)
            forfeited = result in (Result.WHITE_FORFEITS, Result.BLACK_FORFEITS, Result.BOTH_FORFEIT)
            white_is, black_is = ("", "") if forfeited and draw(st.booleans()) else ("w", "b")
            mine, theirs = CODES[result]
            cells[white], cells[black] = Cell(black, white_is, mine), Cell(white, black_is, theirs)
    return [cells[number] for number in range(1, count + 1)]


@st.composite
def people(draw: st.DrawFn) -> tuple[ReportPlayer, ...]:
    count = draw(st.integers(min_value=1, max_value=8))
    played = [draw(rounds(count)) for _round in range(draw(st.integers(min_value=0, max_value=5)))]
    return tuple(
        ReportPlayer(
            number=number,
            name=draw(NAMES),
            sex=draw(st.sampled_from(["", "m", "w"])),
            title=draw(st.sampled_from(["", "GM", "IM", "WIM", "WCM"])),
            rating=draw(st.none() | st.integers(min_value=1, max_value=3500)),
            federation=draw(st.sampled_from(["", "IRL", "FID"])),
            fide_id=draw(st.sampled_from(["", "8602980", "12345678901"])),
            birth=draw(st.sampled_from(["", "1994", "1994/00/00", "1994/02/27"])),
            points=draw(st.sampled_from(["", "0.0", "11.5"])),
            rank=draw(st.none() | st.integers(min_value=1, max_value=9999)),
            cells=tuple(row[number - 1] for row in played),
        )
        for number in range(1, count + 1)
    )


@st.composite
def reports(draw: st.DrawFn) -> Report:
    players = draw(people())
    days = draw(st.lists(st.none() | DAYS, max_size=6))
    while days and days[-1] is None:
        days.pop()
    texts = {name: draw(LINES) for name in ("name", "city", "federation", "kind", "chief_arbiter", "time_control")}
    first = len(players[0].cells)
    return Report(
        players=players,
        **texts,
        starts_on=draw(st.none() | DAYS),
        ends_on=draw(st.none() | DAYS),
        deputies=tuple(draw(st.lists(LINES.filter(bool), max_size=2))),
        round_days=tuple(days),
        rounds=draw(st.none() | st.integers(min_value=max(first, 1), max_value=20)),
        first_colour=draw(st.sampled_from(["", "w", "b"])),
        by_rank=draw(st.booleans()),
        records=tuple(Record(tag, f"{tag} {draw(LINES)}") for tag in draw(st.lists(st.sampled_from(TAGS), max_size=4))),
        comments=tuple(draw(st.lists(LINES.filter(bool), max_size=2))),
    )


TAGS = ["013", "172", "202", "222", "310", "801", "AUS", "QQQ"]
TAGS += ["012", "022", "052"]  # once is the head's, a second line is a record


@pytest.mark.extended
@examples(100)
@given(written=reports())
def test_whatever_is_written_in_either_edition_is_read_as_it_was(written: Report) -> None:
    for version in VERSIONS:
        assert again(written, version) == written, version


@pytest.mark.extended
@examples(100)
@given(written=reports())
def test_what_an_event_keeps_comes_back(written: Report) -> None:
    kept = kept_fields(kept_lines(written))
    for name in ("records", "comments", "deputies"):
        assert kept[name] == getattr(written, name)
    assert kept.get("federation", "") == written.federation
    federations = {player.number: player.federation for player in written.players if player.federation}
    assert kept_federations(kept_lines(written)) == federations
    assert (kept.get("rounds"), kept.get("first_colour", "")) == (written.rounds, written.first_colour)
    assert not {"name", "starts_on"} & set(kept)


@pytest.mark.extended
@given(people())
def test_points_of_a_round_are_at_most_a_win_each(players: tuple[ReportPlayer, ...]) -> None:
    worth = worths(Report(players=players))
    assert all(0 <= points_of(player, worth) <= len(player.cells) for player in players)


def test_points_are_written_with_as_many_decimals_as_they_need() -> None:
    player = players_from([[(1, 2, "=", "=")], [(2, 1, "0", "1")]], 2)[0]
    assert points_text(points_of(player, worths(Report(players=(player,))))) == "1.5"
