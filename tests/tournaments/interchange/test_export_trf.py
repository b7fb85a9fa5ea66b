"""What was imported leaves as it came; and both commands as they are typed."""

from collections.abc import Callable
from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from players.people.services import NewPlayer, create_player
from players.refusals import Refused
from ratings.models import RatingList
from tests import factory
from tests.tournaments.interchange.trf_events import CUP, HEAD, PEOPLE, bring, everything, round_robin
from tests.tournaments.interchange.trf_files import FOLDER, GOOD, real, report, row, text
from tests.tournaments.loading.test_commands import run
from tournaments.interchange.trf import LARGEST, VERSIONS, Cell, read_report, write_report
from tournaments.interchange.trf.games import games_of
from tournaments.models import Entry, Game, Round, Tournament
from tournaments.rated_games.services.rebuilding import check_list
from tournaments.reports.selectors import report_of
from tournaments.reports.services.terms import format_of
from tournaments.results.services.results import record_result
from tournaments.standings.points import Result


# --- out ----------------------------------------------------------------------------------------------------------
def comparable(cells: tuple[Cell, ...]) -> list[Cell]:
    """The rounds that are paired: what follows is not in the club's books."""
    left = list(cells)
    while left and not left[-1].opponent and left[-1].code in "Z*":
        left.pop()
    return left


@pytest.mark.extended
@pytest.mark.parametrize("version", VERSIONS)
@pytest.mark.parametrize("name", GOOD)
def test_what_was_imported_leaves_as_it_came(name: str, version: int, standard: RatingList) -> None:
    read = real(name)
    out = read_report(write_report(report_of(bring(read, name="file").tournament, version=version), version))
    assert list(games_of(out)) == list(games_of(read))
    for ours, theirs in zip(out.players, read.players, strict=True):
        assert comparable(ours.cells) == comparable(theirs.cells)
        assert ours.name == " ".join(theirs.name.split())
        assert (ours.sex, ours.rating, ours.federation) == (theirs.sex, theirs.rating, theirs.federation)
    for field in ("city", "federation", "starts_on", "ends_on", "chief_arbiter", "deputies"):
        assert getattr(out, field) == getattr(read, field), field
    kind = format_of(read)
    for field in ("rounds", "first_colour"):
        assert getattr(out, field) == getattr(read, field) or (kind.key == "dutch" and not getattr(read, field)), field
    assert format_of(out) == kind


@pytest.mark.parametrize("version", VERSIONS)
def test_second_lines_of_the_head_leave_as_records(version: int, standard: RatingList) -> None:
    twice = ("012 Another Cup", "022 Ghent", "042 2025/01/01", "052 2025/02/02")
    cup = bring(report(*HEAD, *twice, *CUP[len(HEAD) :])).tournament
    out = read_report(write_report(report_of(cup, version=version), version))
    assert (out.name, out.city, out.starts_on, out.ends_on) == ("Winter Cup", "Antwerp", cup.starts_on, cup.ends_on)
    assert [record.line for record in out.records if record.line in twice] == list(twice)


@pytest.mark.extended
@pytest.mark.real_data
@pytest.mark.parametrize("every", [4, pytest.param(1, marks=pytest.mark.slow)])
def test_every_report_at_hand_goes_in_and_out(real_data: Path, standard: RatingList, every: int) -> None:
    """Every fourth of them, or each."""
    paths = sorted(path for path in real_data.rglob("*.trf") if "_bad_" not in path.name)
    assert len(paths) >= 28
    for path in paths[::every]:
        read = replace(read_report(path.read_bytes()), name=path.stem)
        cup = bring(read).tournament
        out = read_report(write_report(report_of(cup)))
        assert list(games_of(out)) == list(games_of(read)), path.name
        assert [comparable(one.cells) for one in out.players] == [comparable(one.cells) for one in read.players]
        wrong = sum("these count" in note.text for note in read.notes)
        assert sum(a.points != b.points for a, b in zip(out.players, read.players, strict=True) if b.points) == wrong
    assert check_list(standard) == []


def test_points_ranks_and_tiebreaks_are_those_of_the_standings(standard: RatingList) -> None:
    cup = bring(report(*CUP)).tournament
    points = [(one.points, one.rank) for one in report_of(cup).players]
    assert points == [("2.5", 1), ("2.0", 2), ("0.5", 3), ("0.0", 4)]
    lines = write_report(report_of(bring(round_robin(4)).tournament)).decode().splitlines()
    said = ["142 3", "162  W 1.0    D 0.5    L 0.0    P 1.0", "192 BERGER_ROUNDROBIN", "202 SB,WIN,DE"]
    assert [line for line in said if line not in lines] == []
    assert "092 Individual: Round-Robin" in lines
    for cycles, swap, code in (
        (1, True, "BERGER_ROUNDROBIN"),
        (2, True, "FIDE_DOUBLEROUNDROBIN"),
        (2, False, "BERGER_DOUBLEROUNDROBIN"),
    ):
        event = factory.make_round_robin(factory.first_players(4), name=code, cycles=cycles, swap_last_two=swap)
        Round.objects.filter(stage__tournament=event, number=1).update(planned_on=date(2069, 12, 31))
        Round.objects.filter(stage__tournament=event, number=2).update(planned_on=date(2070, 1, 1))
        read = report_of(event)
        assert (read.round_days[:2], *read.texts("192")) == ((date(2069, 12, 31), None), code)


def test_no_report_without_rounds_or_numbers_or_of_matches_of_several_games(standard: RatingList) -> None:
    evening = Tournament.objects.create(name="Evenings", slug="evenings", open_ended=True)
    match = factory.make_knockout(factory.make_players(2), games=2)
    factory.play_match(factory.match_of(match, 1, 1), Result.DRAW)
    cup = factory.make_round_robin(factory.make_players(4))
    Round.objects.filter(stage__tournament=cup, number=3).update(state=Round.State.DRAFT)
    assert report_of(cup).played_rounds == 2, "a draft is not in the report"
    Entry.objects.filter(tournament=cup, number=2).update(number=None)
    for event, words in (
        (evening, "has no rounds"),
        (match, "has matches of several games"),
        (cup, "pairing numbers from 1 on"),
    ):
        with pytest.raises(Refused, match=words):
            report_of(event)
    Entry.objects.filter(tournament=cup, number=None).update(number=9)
    with pytest.raises(Refused, match="without a gap"):
        report_of(cup)


def test_a_knockout_of_single_games_is_a_report(standard: RatingList) -> None:
    cup = factory.make_knockout(factory.make_players(4), first_day=date(2026, 1, 5))
    for board in (1, 2):
        factory.play_match(factory.match_of(cup, 1, board), Result.WHITE_WINS)
    out = read_report(write_report(report_of(cup)))
    assert [(game.round, game.result) for game in games_of(out)] == [
        (1, Result.WHITE_WINS),
        (1, Result.WHITE_WINS),
        (2, Result.OPEN),
    ]
    assert [(one.points, one.rank) for one in out.players] == [("1.0", 1)] * 2 + [("0.0", 3)] * 2


def test_the_questions_to_the_database_grow_with_nothing(standard: RatingList) -> None:
    asked = []
    for count in (4, 8):
        cup = factory.make_round_robin(factory.make_players(count), name=f"Cup of {count}")
        with CaptureQueriesContext(connection) as queries:
            report_of(cup)
        asked.append(len(queries))
    assert asked[0] == asked[1] <= 9


def test_every_result_of_ours_leaves_and_comes_back(standard: RatingList) -> None:
    """An adjourned game is still open for whoever reads it."""
    cup = factory.make_round_robin(factory.make_players(6))
    results = [code for code in Result if code is not Result.OPEN]
    games = list(Game.objects.filter(tournament=cup).order_by("pk"))
    for game, result in zip(games, results, strict=False):
        record_result(game=game.pk, result=result, played_on=date(2026, 1, 5), by=None)
    out = read_report(write_report(report_of(cup)))
    sent = sorted(game.result for game in games_of(out) if game.result)
    assert sent == sorted(result for result in results if result is not Result.ADJOURNED)


# --- the commands -------------------------------------------------------------------------------------------------
@pytest.fixture
def file(tmp_path: Path) -> Callable[..., Path]:
    def write(*lines: str) -> Path:
        path = tmp_path / "cup.trf"
        path.write_bytes(text(*lines))
        return path

    return write


def test_import_as_it_is_typed(file: Callable[..., Path], standard: RatingList) -> None:
    before = everything()
    done = run("import_trf", file(*CUP), "--dry-run")
    assert done.out.startswith("Would be imported: “Winter Cup”, Swiss (FIDE Dutch); players: 4 (new: 4), rounds: 3")
    assert everything() == before, "a dry run writes nothing"
    made = "“Winter Cup” (winter-cup), Swiss (FIDE Dutch); players: 4 (new: 4), rounds: 3, games: 5, byes: 1."
    done = run("import_trf", file(*CUP))
    assert (done.status, done.out, done.err) == (0, f"Imported: {made}\n", "")
    assert run("import_trf", file(*CUP)).out == "There already, nothing was changed: “Winter Cup” (winter-cup).\n"


@pytest.mark.django_db
def test_a_database_without_any_list_gets_its_first_one(file: Callable[..., Path]) -> None:
    done = run("import_trf", file(*CUP))
    assert done.err == "There was no rating list: “Standard” is made for the pool standard; 2 games rated.\n"
    assert check_list(RatingList.objects.get()) == []


def test_oddities_are_told_beside_the_result_of_many_twenty(standard: RatingList, tmp_path: Path) -> None:
    done = run("import_trf", FOLDER / "py4swiss_bad_incorrect_points.trf")
    assert (done.status, "line 2, column 81: 4.0 points" in done.err) == (0, True)
    assert Tournament.objects.get().name == "py4swiss_bad_incorrect_points"
    path = tmp_path / "odd.trf"
    path.write_bytes(text(*CUP, *(f"remark {number}" for number in range(30))))
    found = run("import_trf", path).err.splitlines()
    assert (len(found), found[-1][:4], found[-1][-5:]) == (21, "and ", " more")


def test_a_file_that_is_no_report_has_the_status_two(tmp_path: Path, standard: RatingList) -> None:
    large = tmp_path / "large.trf"
    large.write_bytes(b"x" * (LARGEST + 1))
    for path, found in (
        (FOLDER / "py4swiss_bad_incompatible_color.trf", "line 2, column 137: round 5: 2 and 3 both have Black"),
        (FOLDER / "nowhere.trf", "cannot be read"),
        (large, "The file is larger than 5 MB: no tournament report is so long."),
    ):
        done = run("import_trf", path)
        assert (done.status, done.out, found in done.err) == (2, "", True), done.err
    assert not Tournament.objects.exists()


def test_a_report_whose_teams_cannot_be_used_is_imported_by_its_players(standard: RatingList) -> None:
    path = FOLDER / "trf26_team_small.trf"
    done = run("import_trf", path)
    assert (done.status, Tournament.objects.count()) == (2, 0)
    assert "line 45, column 14: 240 says “7”: expected teams’ numbers of 1 to 2" in done.err
    done = run("import_trf", path, "--individual")
    assert (done.status, "players: 8 (new: 8), rounds: 2, games: 8" in done.out) == (0, True), done.out
    kept = Tournament.objects.get().foreign_records.splitlines()
    assert "310   2 Team Beta                        NED     2233     2     3.0   2    5    6    7    8" in kept


def test_who_cannot_be_told_is_a_bad_row(file: Callable[..., Path], standard: RatingList) -> None:
    for _twin in range(2):
        create_player(NewPlayer("Smith, John"), by=None)
    done = run("import_trf", file(*HEAD, row(1, name="Smith, John")))
    assert (done.status, done.err.splitlines()[0][:54]) == (2, "line 5: “Smith, John” cannot be told: several players ")


def test_export_as_it_is_typed(standard: RatingList) -> None:
    cup = bring(report(*CUP)).tournament
    for version in VERSIONS:
        done = run("export_trf", cup.slug, "--version", version)
        assert (done.status, done.err) == (0, "")
        assert done.out.encode() == write_report(report_of(cup, version=version), version)
        assert read_report(done.out.encode()).players[0].name == PEOPLE[1]
    nothing = run("export_trf", "nowhere")
    assert (nothing.status, nothing.err) == (2, "There is no event “nowhere”.")
