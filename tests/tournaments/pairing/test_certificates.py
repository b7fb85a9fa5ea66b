"""Certificates of Swiss rounds: right ones are accepted, altered ones refused, and the checker stands alone."""

import ast
import json
import os
import shutil
import subprocess
import sys
from copy import deepcopy
from itertools import islice, pairwise
from pathlib import Path
from random import Random
from typing import Any

import pytest
from django.conf import settings

from tests.tournaments.pairing.dutch_fields import Case, odd_case, seeded_case
from tests.tournaments.pairing.test_dutch_real_events import swiss
from tournaments.interchange.pairing_of_report import edition_of, round_as_paired
from tournaments.interchange.trf import Report, read_report
from tournaments.pairing.base import SWISS_EDITIONS, PairingError
from tournaments.pairing.certificates import checker, rules
from tournaments.pairing.certificates.checker import Question, Unusable, candidates_of, check, check_file
from tournaments.pairing.certificates.maker import certificate_of
from tournaments.pairing.certificates.rules import BYE, Bracket, Facts, Refused
from tournaments.pairing.certificates.trial import ALTERATIONS, as_tables, kind_of, random_rounds, try_out


def rounds_of(report: Report) -> list[dict[str, Any]]:
    """Certificates of every round that has been played."""
    paired = (round_as_paired(report, at, edition_of(report)) for at in range(1, report.played_rounds + 1))
    return [certificate_of(one.field, one.settings) for one in paired]


def certified(case: Case) -> dict[str, Any] | None:
    """None where the field cannot be paired."""
    try:
        return certificate_of(case.field, case.settings)
    except PairingError:
        return None


@pytest.fixture(scope="module")
def document() -> dict[str, Any]:
    """Round 3 of a club's event."""
    return rounds_of(swiss("hb2024_rapid2"))[2]


# --- both ways ----------------------------------------------------------------------------------------------------
def test_random_rounds_are_accepted_and_whatever_is_altered_is_refused() -> None:
    trial = try_out(50, seed=4, most=20)
    assert trial.failed == []
    assert {kind: found["wrong"] for kind, found in trial.altered.items()} == dict.fromkeys(ALTERATIONS, 0)
    assert min(found["refused"] for found in trial.altered.values()) > 15


def test_whoever_asked_for_a_bye_is_not_in_the_field_of_that_random_round() -> None:
    found = 0
    for one, following in pairwise(each.field for each in islice(random_rounds(Random(4), 20), 80)):
        if following.byes[: len(one.byes)] == one.byes and following.round == one.round + 1:
            asked = {bye.player for bye in following.byes if bye.round == one.round and bye.kind != "pab"}
            assert not asked & one.present
            found += len(asked)
    assert found > 5


def test_boards_that_are_forged_are_legal_and_seat_everybody_once() -> None:
    rng = Random(4)
    forge, refused = ALTERATIONS["other legal boards, proven as well as can be"], 0
    for one in islice(random_rounds(rng, 20), 40):
        if made := forge(one, deepcopy(one.document), rng):
            seated = [number for board in made.boards for number in board if number != BYE]
            assert sorted(seated) == sorted(one.field.present)
            assert not (made.reason or "").startswith("Boards:")
            refused += made.reason is not None
    assert refused > 5


@pytest.mark.slow
def test_larger_ones_too() -> None:
    assert try_out(60, seed=5, most=60).failed == []


@pytest.mark.parametrize("count", [20, pytest.param(60, marks=pytest.mark.slow)])
def test_histories_no_rules_made_are_certified_with_every_kind_of_proof(count: int) -> None:
    drawn = [seeded_case(seed, 12, edition) for seed in range(count) for edition in SWISS_EDITIONS]
    drawn += [odd_case(seed, edition) for seed in range(count) for edition in SWISS_EDITIONS]
    found = [made for made in map(certified, drawn) if made is not None]
    for made in found:
        check(json.loads(json.dumps(made)))
    kinds = {kind_of(proof) for made in found for proof in made["proofs"]}
    assert kinds == {"none needed", "bracket", "everybody", "stuck"}


def test_rounds_of_events_are_certified() -> None:
    for name in ("hb2024_rapid2", "rtg_gacrux_t6_30_0000"):
        for made in rounds_of(swiss(name)):
            check(made)


@pytest.mark.slow
@pytest.mark.real_data
def test_all_published_swisses_are_certified(real_data: Path) -> None:
    files = [*(real_data / "swiss").glob("hb*.trf"), *(real_data / "swiss" / "rtg").glob("*.trf")]
    made = [made for file in files for made in rounds_of(read_report(file.read_bytes()))]
    for one in made:
        check(one)
    assert len(made) > 43


# --- what is refused ----------------------------------------------------------------------------------------------
def altered(document: dict[str, Any], *path: str | int, to: object) -> dict[str, Any]:
    made: Any = deepcopy(document)
    place = made
    for step in path[:-1]:
        place = place[step]
    place[path[-1]] = to
    return made  # type: ignore[no-any-return]


@pytest.mark.parametrize(
    ("path", "to", "words"),
    [
        (("format",), "another", "not of the format"),
        (("facts", "edition"), 2024, "the edition"),
        (("facts", "players", 0, "rounds", 0), None, "Facts: round 1 of number"),
        (("facts", "games"), 3, "return game"),
        (("facts", "round"), 3.0, "whole number"),
        (("facts", "players", 0, "number"), 0, "whole number|number 0"),
        (("facts", "players", 0, "number"), True, "whole number"),
        (("facts", "players", 0, "here"), "no", "number 1, its rounds, or whether it is here"),
        (("facts", "players", 0, "rounds"), [None] * 3, "number 1, its rounds"),
        (("facts", "players", 0, "virtual"), [float("nan")], "whole number"),
        (("facts", "players", 0, "rounds", 0, 2), 0.5, "whole number"),
        (("facts", "players", 0, "rounds", 0, 2), 10**9, "whole number"),
        (("facts", "prohibited"), [[1, "2"]], "whole number"),
        (("boards", 0, 0), 1.0, "whole number"),
        (("facts", "players", 0, "rounds", 0, 1), "x", "Facts: round 1 of number 1"),
        (("facts", "players", 0, "rounds", 0), [0, "", 2], "Facts: round 1 of number 1"),
        (("facts", "players", 0, "rounds", 0), [1, "f", 2], "Facts: round 1 of number 1"),
        (("boards",), [], "not everybody has just one"),
        (("proofs",), [], "nothing proves"),
        (("proofs", 9), {}, "more proofs than brackets"),
    ],
)
def test_a_refusal_says_where(document: dict[str, Any], path: tuple[Any, ...], to: object, words: str) -> None:
    if path == ("proofs", 9):
        path, to = ("proofs",), [*document["proofs"], {}]
    with pytest.raises(Refused, match=words):
        check(altered(document, *path, to=to))


SMALL: dict[str, Any] = {  # round 2 of three players: 1 beat 2, and 3 had the bye
    "format": checker.FORMAT,
    "facts": {
        "edition": 2026,
        "round": 2,
        "rounds": 3,
        "games": 1,
        "first_colour": "white",
        "prohibited": [],
        "points": {"unit": 2, "win": 2, "loss": 0},
        "players": [
            {"number": number, "here": True, "virtual": [], "rounds": [entry]}
            for number, entry in enumerate(([2, "w", 2], [1, "b", 0], [BYE, "p", 2]), start=1)
        ],
    },
    "boards": [[3, 1], [2, BYE]],
    "proofs": [{}, {}],
}
ENTRY = ("facts", "players", 0, "rounds", 0)


@pytest.mark.parametrize(
    ("path", "to", "words"),
    [
        (("facts", "points", "unit"), 0, "unit of points"),
        (("facts", "players", 1, "number"), 1, "number twice"),
        (("facts", "players"), [{"number": number} for number in range(1, 502)], "too many players"),
        (("facts", "round"), 0, "edition, or the round"),
        (("facts", "round"), 61, "edition, or the round"),
        (("facts", "games"), 2, "return game"),
        (("facts", "games"), 0, "return game"),
        (("facts", "players", 0, "number"), BYE, "Facts: number 0"),
        (("facts", "players", 0, "rounds"), [[2, "w", 2]] * 2, "number 1, its rounds"),
        (("facts", "players", 0, "here"), 1, "whether it is here"),
        (("facts", "players", 0, "virtual"), [-2], "-2 stands where"),
        (ENTRY, [2, "x", 2], "round 1 of number 1"),
        (ENTRY, [2, "b", 2], "round 1 of number 1"),
        (ENTRY, [3, "w", 2], "round 1 of number 1"),
        (ENTRY, [2, "w", -1], "-1 stands where"),
        (("facts", "players", 1, "rounds", 0), None, "round 1 of number 1"),
        (("facts", "players", 2, "rounds", 0), [1, "p", 2], "round 1 of number 3"),
        (("facts", "players", 2, "rounds", 0), [3, "f", 0], "round 1 of number 3"),
        (("facts", "players", 2, "rounds", 0), [1, "b", 0], "round 1 of number 3"),
        (("facts", "players", 2, "rounds", 0), [BYE, "", 2], "round 1 of number 3"),
        (("facts", "players", 2, "rounds", 0), [BYE, "x", 2], "round 1 of number 3"),
        (("facts", "prohibited"), [[1, 3]], "3 and 1 may not meet"),
        (("boards",), [[3, 1], [2, BYE], [2, BYE]], "not everybody has just one"),
        (("boards",), [[3, BYE], [2, 1]], "3 may not have the bye"),
        (("boards",), [[2, 1], [3, BYE]], "2 and 1 may not meet"),
        (("boards",), [[1, 3], [2, BYE]], "the colours of 1, 3"),
        (("boards",), [[2, BYE], [3, 1]], "not in order"),
    ],
)
def test_a_small_certificate_is_refused_for_that_very_reason(path: tuple[Any, ...], to: object, words: str) -> None:
    check(SMALL)
    with pytest.raises(Refused, match=words):
        check(altered(SMALL, *path, to=to))


def test_nobody_has_the_bye_while_somebody_with_fewer_points_can() -> None:
    made = altered(SMALL, "facts", "players", 2, "rounds", 0, to=[BYE, "a", 1])
    for row in made["facts"]["players"][:2]:
        row["rounds"] = [None]
    with pytest.raises(Refused, match="All of them may be pairable"):
        check({**made, "boards": [[1, 2], [3, BYE]], "proofs": [{"prices": ["1"] * 4, "circles": []}, {}, {}]})


def test_two_who_were_moved_down_together_do_not_meet() -> None:
    facts = Facts(altered(SMALL, "facts", "players", 1, "rounds", 0, to=[1, "b", 0])["facts"])
    one, three, two = facts.players
    with pytest.raises(Refused, match="Two moved down together meet"):
        candidates_of(Bracket(facts, frozenset({2}), (one, three), (two,), (), {1: 3, 3: 1}), everybody=False)


THREE = Question([1, 2, 3], {(1, 2): 3, (1, 3): 2, (2, 3): 2})
ALL_FOUR = Question([1, 2, 3, 4], {(1, 2): 3, (3, 4): 0, (1, 3): 1, (2, 4): 1}, everybody=True)
BEST, PRICES, AROUND = {1: 2, 2: 1}, ["1", "1", "0"], [[[1, 2, 3], "4"]]


def test_prices_prove_the_best_pairs_and_that_somebody_is_left_over() -> None:
    THREE.check_best(BEST, {"prices": PRICES, "circles": AROUND})
    ALL_FOUR.check_best({1: 2, 2: 1, 3: 4, 4: 3}, {"prices": ["3", "3", "0", "0"], "circles": []})
    ALL_FOUR.check_best({1: 2, 2: 1, 3: 4, 4: 3}, {"prices": ["4", "2", "-1", "1"], "circles": []})
    star = Question([1, 2, 3, 4], {(1, 2): 1, (1, 3): 1, (1, 4): 1})
    star.check_impossible({"prices": ["2", "0", "0", "0"], "circles": []})
    with pytest.raises(Refused, match="All of them may be pairable"):
        star.check_impossible({"prices": ["2", "2", "0", "0"], "circles": []})


@pytest.mark.parametrize(
    ("question", "mates", "prices", "circles", "words"),
    [
        (THREE, BEST, PRICES[:2], AROUND, "not as many prices"),
        (THREE, BEST, PRICES, [*AROUND, *[[[1], "0"]] * 3], "not as many prices"),
        (THREE, {1: 3, 3: 1}, ["0", "0", "-2"], [[[1, 2, 3], "6"]], "below nought"),
        (THREE, BEST, PRICES, [*AROUND, [[1, 2], "0"]], "circle is even"),
        (THREE, BEST, ["3", "3", "1"], [[[1, 2, 3], "-1"]], "circle is even, or below"),
        (THREE, {}, ["0"] * 3, [], "1 and 2 save more"),
        (THREE, BEST, ["3", "3", "0"], [], "1 and 3 save more"),
        (THREE, {1: 3, 3: 1}, PRICES, AROUND, "Another candidate"),
        (THREE, BEST, ["2", "1", "0"], AROUND, "Another candidate"),
        (THREE, {1: 2, 2: 3, 3: 2}, PRICES, AROUND, "paired twice"),
        (ALL_FOUR, BEST, ["3", "3", "0", "0"], [], "left over"),
    ],
)
def test_a_forged_proof_is_refused_for_that_very_reason(
    question: Question, mates: dict[int, int], prices: list[str], circles: list[Any], words: str
) -> None:
    with pytest.raises(Refused, match=words):
        question.check_best(mates, {"prices": prices, "circles": circles})


@pytest.mark.parametrize(
    ("path", "to"),
    [
        (("facts",), None),
        (("facts", "players", 0, "number"), {}),
        (("facts", "players", 0, "rounds"), []),
        (("facts", "games"), "x"),
        (("facts", "points", "win"), {}),
        (("boards", 0), [1]),
        (("proofs", 0), [1, 2]),
        (("proofs", 0), {"prices": ["zz"], "circles": []}),
        (("proofs", 0), {"prices": 5, "circles": 5}),
    ],
)
def test_what_is_no_certificate_is_said_to_be_none(document: dict[str, Any], path: tuple[Any, ...], to: object) -> None:
    with pytest.raises((Unusable, Refused)):
        check(altered(document, *path, to=to))


@pytest.mark.parametrize("data", [b"", b"[]", b"\xff\xfe", b"[" * 100_000, b"7", b'{"format": 1}'])
def test_any_bytes_can_be_asked_about(data: bytes) -> None:
    with pytest.raises((Unusable, Refused)):
        check_file(data)


def test_a_floater_paired_with_himself_hides_nothing() -> None:
    """These boards, with proofs made for them, were others than the rules' by C.7: nothing looked ahead."""
    made = certificate_of(seeded_case(371, 8, 2025).field, seeded_case(371, 8, 2025).settings)
    proofs = [
        {"prices": ["0", "0"], "circles": [], "pairs": [[5, 5], [6, 6]]},
        {"prices": ["0", "2471186c", "0", "7c082013630"], "circles": [], "pairs": [[6, 3], [5, 5], [1, 1]]},
        {"prices": ["0", "2ceb6f6d1144", "2ceb6f6d1144"], "circles": [], "pairs": [[1, 4], [5, 5]]},
        {"prices": ["f8528", "f8528"], "circles": []},
    ]
    assert made["boards"] == [[3, 5], [6, 4], [2, 1]]
    with pytest.raises(Refused, match="paired twice"):
        check({**made, "boards": [[6, 3], [2, 5], [4, 1]], "proofs": proofs})


def test_a_bracket_paired_freely_is_proven_just_so_and_that_the_rest_is_stuck() -> None:
    case = seeded_case(92, 5, 2025)
    made = certificate_of(case.field, case.settings)
    stuck = made["proofs"][1]["stuck"]["prices"]
    with pytest.raises(Refused, match="All of them may be pairable"):
        check(altered(made, "proofs", 1, "stuck", "prices", to=["1"] * len(stuck)))
    prices = ["-569e3", "-569e3", "-1f261ea1", "-2231ae9f"]
    with pytest.raises(Refused, match="below nought"):  # right where everybody must have a partner
        check(altered(made, "proofs", 1, to={"everybody": True, "prices": prices, "circles": []}))


def test_two_winners_of_one_game_are_refused(document: dict[str, Any]) -> None:
    made = deepcopy(document)
    for row in made["facts"]["players"]:
        for entry in filter(None, row["rounds"]):
            entry[2] = 2
    with pytest.raises(Refused, match="Facts: round 1 of number"):
        check(made)


def test_facts_made_to_fill_the_memory_are_refused(document: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(checker, "MOST_BITS", 1000)
    with pytest.raises(Refused, match="more different scores"):
        check(document)


# --- without the engine -------------------------------------------------------------------------------------------
def test_the_checker_imports_nothing_but_its_rules_and_pythons_library() -> None:
    for module in (checker, rules):
        nodes = list(ast.walk(ast.parse(Path(str(module.__file__)).read_text(encoding="utf-8"))))
        names = {node.module or "" for node in nodes if isinstance(node, ast.ImportFrom)}
        names |= {alias.name for node in nodes if isinstance(node, ast.Import) for alias in node.names}
        assert {name for name in names if name.split(".")[0] not in sys.stdlib_module_names} <= {rules.__name__}


def test_the_two_files_alone_check_a_certificate(document: dict[str, Any], tmp_path: Path) -> None:
    folder = tmp_path / "tournaments" / "pairing" / "certificates"
    folder.mkdir(parents=True)
    for module in (checker, rules):
        shutil.copy(str(module.__file__), folder)
    (tmp_path / "right.json").write_text(json.dumps(document), encoding="utf-8")
    wrong = altered(document, "boards", 0, to=document["boards"][0][::-1])
    (tmp_path / "wrong.json").write_text(json.dumps(wrong), encoding="utf-8")

    def status(name: str) -> int:
        command = [sys.executable, "-S", "-m", checker.__name__, name]
        environment = {"PATH": os.environ["PATH"]}
        return subprocess.run(command, cwd=tmp_path, env=environment, check=False, capture_output=True).returncode

    assert [status(name) for name in ("right.json", "wrong.json", "none.json")] == [0, 1, 2]


def test_the_status_says_what_was_found_and_the_output_why(
    document: dict[str, Any], tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "certificate.json"
    for content, status, words in (
        (document, 0, ""),
        (altered(document, "boards", 0, to=document["boards"][0][::-1]), 1, "refused: "),
        ([], 2, f"{file}: This is no certificate"),
    ):
        file.write_text(json.dumps(content), encoding="utf-8")
        assert checker.main(str(file)) == status
        told = capsys.readouterr()
        assert (told.err if status == 2 else told.out).startswith(words)
    monkeypatch.setattr(checker, "LARGEST", 2)  # as large as the last one
    assert checker.main(str(file)) == 2
    assert "no certificate" in capsys.readouterr().err
    monkeypatch.setattr(checker, "LARGEST", 1)
    assert checker.main(str(file)) == 2
    assert "larger than 1 bytes" in capsys.readouterr().err


@pytest.mark.parametrize("name", ["certificate", "certificate-large"])
def test_the_page_has_the_figures_of_the_trial(name: str) -> None:
    folder = settings.BASE_DIR / "docs" / "algorithms"
    told = json.loads((folder / f"{name}.json").read_text(encoding="utf-8"))
    assert told["failed"] == []
    assert as_tables(told) in (folder / "certificate.md").read_text(encoding="utf-8")
