"""A made-up Swiss: believable, by the rules, the same for the same seed, and a report that checks itself."""

import subprocess
import sys
from collections import Counter
from pathlib import Path
from random import Random
from statistics import fmean

import pytest
from django.core.management import CommandError, call_command
from hypothesis import given
from hypothesis import strategies as st

from tests.choosing import examples
from tests.tournaments.interchange.trf_files import FOLDER
from tournaments.interchange.checking import check_swiss
from tournaments.interchange.standings_of_report import report_of_simulation
from tournaments.interchange.trf import VERSIONS, read_report, write_report
from tournaments.interchange.trf.games import points_of, worths
from tournaments.pairing.base import CLASSIC, SWISS_EDITIONS, Board, Field, PairedRound, PairingError
from tournaments.pairing.dutch.system import Dutch
from tournaments.pairing.simulation import Habits, Plan, SimulatedEvent, played_result, simulate
from tournaments.standings.points import OUTCOMES, PointSystem, Result, point_system

FEW = examples(25)
ROOT = FOLDER.parent.parent.parent
NEVER = Habits(late=0, half_bye=0, zero_bye=0, leaves=0, forfeit=0, both_forfeit=0)
OFTEN = Habits(late=0.2, half_bye=0.1, zero_bye=0.1, leaves=0.05, forfeit=0.1, both_forfeit=0.05)


def event(
    seed: int, players: int = 20, rounds: int = 5, *, habits: Habits = OFTEN, points: PointSystem = CLASSIC, **more: str
) -> SimulatedEvent:
    chosen = {"rounds": rounds, "first_colour": "white", **more}
    return simulate(Plan(Dutch(), players, chosen, points=points, habits=habits), Random(seed))


def absences(played: SimulatedEvent, number: int) -> set[int]:
    """Who is in neither a board nor a bye of the round."""
    there = {player for game in played.meetings if game.round == number for player in (game.white, game.black)}
    there |= {bye.player for bye in played.byes if bye.round == number}
    return {one.number for one in played.entrants} - there


# --- the event ------------------------------------------------------------------------------------------------------
def test_the_same_seed_makes_the_same_event_whose_numbers_follow_the_ratings() -> None:
    assert event(1) == event(1)
    assert event(1) != event(2)
    ratings = [one.rating for one in event(3, players=200, rounds=1).entrants]
    rated = [rating for rating in ratings if rating is not None]
    assert rated == sorted(rated, reverse=True)
    assert set(ratings[len(rated) :]) == {None}, "the unrated come last"
    assert (min(rated) >= 1400, max(rated) <= 2800) == (True, True)


@FEW
@given(seed=st.integers(0, 10_000), players=st.integers(8, 24), rounds=st.integers(1, 5))
def test_nobody_meets_twice_and_nobody_has_two_allocated_byes(seed: int, players: int, rounds: int) -> None:
    played = event(seed, players, rounds)
    met = Counter(frozenset((game.white, game.black)) for game in played.meetings if OUTCOMES[game.result].played)
    assert set(met.values()) <= {1}
    allocated = Counter(bye.player for bye in played.byes if bye.kind == "pab")
    assert set(allocated.values()) <= {1}


@FEW
@given(seed=st.integers(0, 10_000))
def test_everybody_has_one_place_a_round_at_most_and_leavers_do_not_come_back(seed: int) -> None:
    played = event(seed)
    for number, boards in enumerate(played.boards, start=1):
        seats = [player for board in boards for player in (board.white, board.black) if player]
        seats += [bye.player for bye in played.byes if bye.round == number and bye.kind != "pab"]
        assert len(seats) == len(set(seats))
        assert {one.number for one in played.entrants} - set(seats) == absences(played, number)
    for one in played.entrants:
        missed = [number for number in range(1, 6) if one.number in absences(played, number)]
        before = list(range(1, one.first_round))
        after = missed[len(before) :]
        assert missed[: len(before)] == before
        assert after == list(range(6 - len(after), 6))


@pytest.mark.extended
def test_all_that_happens_in_a_hall_happens_but_where_nobody_has_such_habits() -> None:
    played = [event(seed) for seed in range(20)]
    over_the_board = {Result.WHITE_WINS, Result.DRAW, Result.BLACK_WINS}
    forfeits = {Result.WHITE_FORFEITS, Result.BLACK_FORFEITS, Result.BOTH_FORFEIT}
    assert {game.result for one in played for game in one.meetings} == over_the_board | forfeits
    assert {bye.kind for one in played for bye in one.byes} == {"pab", "half", "zero"}
    halves = {bye.round for one in played for bye in one.byes if bye.kind == "half"}
    assert halves == {1, 2, 3, 4}, "none in the last round"
    assert {entrant.first_round for one in played for entrant in one.entrants} == {1, 2, 3}
    assert any(absences(one, 5) for one in played)
    never = event(5, habits=NEVER)
    assert (never.byes, {len(boards) for boards in never.boards}) == ((), {10})
    assert {game.result for game in never.meetings} <= over_the_board


def test_half_of_the_players_stay_and_are_there_in_round_1_whatever_they_ask_for() -> None:
    everybody = Habits(late=0, half_bye=0.5, zero_bye=0.4, leaves=0.1)
    for seed in range(5):
        assert all(2 * len(boards) >= 9 for boards in event(seed, players=20, habits=everybody).boards)
    always = Habits(late=1, half_bye=0, zero_bye=0, leaves=0, forfeit=0, both_forfeit=0)
    for players, late in ((3, 1), (4, 2), (5, 3), (9, 5), (20, 10)):
        assert len(absences(event(1, players, 2, habits=always), 1)) == late, players


def test_the_stronger_scores_more_and_nobody_wins_for_sure() -> None:
    rng = Random(1)
    thousand = [played_result(200, rng.random()) for _game in range(10_000)]
    score = fmean({Result.WHITE_WINS: 1.0, Result.DRAW: 0.5, Result.BLACK_WINS: 0.0}[result] for result in thousand)
    assert score == pytest.approx(0.76, abs=0.01)
    equals = Counter(played_result(0, rng.random()) for _game in range(10_000))
    assert equals[Result.DRAW] / 10_000 == pytest.approx(0.4, abs=0.02)
    decided = [played_result(0, chance) for chance in (0.0, 0.5, 0.999)]
    assert decided == [Result.WHITE_WINS, Result.DRAW, Result.BLACK_WINS], "chance decides between equals"


class Refusing:
    """Pairs the first round only."""

    key = name = "refusing"
    allocated_bye_scores = True
    min_players, max_players = 2, 10
    options = ()

    def pair_round(self, field: Field, settings: object) -> PairedRound:
        if field.round > 1:
            raise PairingError("no more")
        return tuple(Board(player, player + 1) for player in sorted(field.present)[::2])


def test_a_round_that_cannot_be_paired_ends_the_event() -> None:
    lines: list[int] = []
    with pytest.raises(PairingError, match="no more"):
        simulate(Plan(Refusing(), 4, {"rounds": 3}, habits=NEVER), Random(1), lines.append)
    assert lines == [1]


# --- the report -----------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("version", VERSIONS)
@FEW
@given(seed=st.integers(0, 1000))
def test_the_report_is_read_as_it_was_written(version: int, seed: int) -> None:
    report = report_of_simulation(event(seed, points=point_system("football")), "Open")
    read = read_report(write_report(report, version))
    assert (read, read.notes) == (report, ())


@FEW
@given(seed=st.integers(0, 1000), points=st.sampled_from(("classic", "football")))
def test_points_of_the_report_are_those_of_its_rounds_and_ranks_follow_them(seed: int, points: str) -> None:
    report = report_of_simulation(event(seed, points=point_system(points)), "Open")
    counted = {player.number: points_of(player, worths(report)) for player in report.players}
    assert all(float(player.points) == counted[player.number] for player in report.players)
    ranked = sorted(report.players, key=lambda player: player.rank or 0)
    assert [counted[player.number] for player in ranked] == sorted(counted.values(), reverse=True)


@pytest.mark.parametrize("edition", SWISS_EDITIONS)
@pytest.mark.parametrize("acceleration", ["none", "baku"])
@pytest.mark.parametrize("points", ["classic", "football"])
@pytest.mark.parametrize("version", VERSIONS)
def test_the_report_is_paired_again_as_it_was(edition: int, acceleration: str, points: str, version: int) -> None:
    chosen = {"rounds": 6, "first_colour": "black", "acceleration": acceleration}
    plan = Plan(Dutch(), 25, chosen, points=point_system(points), edition=edition, habits=OFTEN)
    played = simulate(plan, Random(4))
    read = read_report(write_report(report_of_simulation(played, "Open"), version))
    check = check_swiss(read)
    assert (check.edition, check.rounds, check.differences) == (edition, 6, ())


# --- as it is run ---------------------------------------------------------------------------------------------------
UNPAIRABLE = "0"  # of six players and five rounds
OPTIONS = {"--system": "dutch", "--players": "12", "--rounds": "4", "--seed": "1"}


def options(**changed: str | None) -> list[str]:
    chosen = OPTIONS | {f"--{name}": value for name, value in changed.items()}
    return [word for name, value in chosen.items() if value is not None for word in (name, value)]


@pytest.mark.extended
def test_the_report_comes_on_stdout_and_progress_on_stderr() -> None:
    command = [sys.executable, str(ROOT / "manage.py"), "simulate_tournament", *options()]
    done = subprocess.run(command, env={}, capture_output=True, check=False, cwd="/")
    assert done.returncode == 0
    assert read_report(done.stdout).rounds == 4
    assert done.stderr.decode().splitlines() == [f"round {number} of 4" for number in range(1, 5)]


def test_the_same_options_make_the_same_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    files = [tmp_path / "one.trf", tmp_path / "two.trf"]
    for file in files:
        call_command("simulate_tournament", *options(out=str(file)))
    assert files[0].read_bytes() == files[1].read_bytes()
    capsys.readouterr()
    call_command("simulate_tournament", *options())
    assert capsys.readouterr().out.encode() == files[0].read_bytes()


def test_the_edition_of_the_report_can_be_chosen(capsys: pytest.CaptureFixture[str]) -> None:
    for version, said in ((None, {"XXR", "XXC"}), ("16", {"XXR", "XXC"}), ("26", {"142", "152"})):
        call_command("simulate_tournament", *options(version=version))
        assert {line[:3] for line in capsys.readouterr().out.splitlines()} & {"XXR", "XXC", "142", "152"} == said


def test_the_event_checks_itself(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "open.trf"
    call_command("simulate_tournament", *options(players="23", rounds="7", acceleration="baku", out=str(file)))
    call_command("check_pairings", str(file))
    assert "All 7 rounds are those of the FIDE (Dutch) System, 2026 (23 players)." in capsys.readouterr().err


def test_options_out_of_range_are_refused_with_a_sentence() -> None:
    refused: tuple[tuple[dict[str, str | None], str], ...] = (
        ({"players": "1"}, f"--players: a Swiss has 2 to {Dutch.max_players}, not 1."),
        ({"players": "9999"}, f"--players: a Swiss has 2 to {Dutch.max_players}, not 9999."),
        ({"rounds": "0"}, "--rounds: a Swiss has 1 to 30, not 0."),
        ({"rounds": "31", "players": "100"}, "--rounds: a Swiss has 1 to 30, not 31."),
        ({"rounds": "12"}, "--rounds: 12 players cannot play 12 rounds without meeting again."),
        ({"players": "3", "rounds": "4"}, "--rounds: 3 players cannot play 4 rounds without meeting again."),
        ({"seed": "-1"}, "--seed: expected a whole number from 0 on"),
        ({"seed": "9" * 40}, "--seed: expected a whole number from 0 on"),
        ({"players": "many"}, "invalid int value"),
        ({"system": "keizer"}, "invalid choice"),
        ({"version": "17"}, "invalid choice"),
        ({"edition": "1999"}, "invalid choice"),
        ({"players": None}, "--players"),
    )
    for changed, found in refused:
        with pytest.raises(CommandError) as refusal:
            call_command("simulate_tournament", *options(**changed))
        assert found in str(refusal.value)
        assert refusal.value.returncode == 2 or found in ("invalid int value", "invalid choice", "--players"), found


def test_an_event_that_cannot_be_played_to_the_end_has_the_status_one(tmp_path: Path) -> None:
    file = tmp_path / "small.trf"
    with pytest.raises(CommandError, match=r"Round 5: .* Nothing was written") as refusal:
        call_command("simulate_tournament", *options(players="6", rounds="5", seed=UNPAIRABLE, out=str(file)))
    assert (refusal.value.returncode, file.exists()) == (1, False)
