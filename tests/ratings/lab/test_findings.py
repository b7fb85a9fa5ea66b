"""The study's findings: every claim has words and figures, and the committed document is what the code finds."""

import itertools
import json
from typing import Any

import pytest

from clubrating.site.studies.files import findings_lines
from ratings.lab import findings, variants
from ratings.lab.claims import CLAIMS, FIGURES, figure_name, order
from ratings.lab.contenders import STUDY
from ratings.lab.engine import PLAIN
from ratings.lab.findings import RUNS, Run, findings_report, judged, work
from ratings.lab.rules import Verdict, judge, verdict
from ratings.lab.table import Table, disorder
from ratings.lab.variants import (
    EQUAL_STEPS,
    MOVED_STARTS,
    Look,
    around_the_start,
    diligence,
    fresh_row,
    indices,
    long_row,
    looks,
    of_the_top,
    paid_pairs,
    study_row,
    top_row,
    typical_steps,
)
from ratings.lab.world import Stretch, group, stretches
from tests.ratings.lab.golden import committed


@pytest.fixture(scope="module")
def document() -> dict[str, Any]:
    return committed("findings")


@pytest.fixture(scope="module")
def report() -> dict[str, Any]:
    return findings_report(games=1000, replications=1, seed=3, engine=PLAIN, tell=lambda _: None)


@pytest.fixture(scope="module")
def first(report: dict[str, Any]) -> dict[str, float]:
    """Every figure of replication 0 of seed 3, a thousand games."""
    return report["first"]


def test_keys_are_unique_and_every_figure_has_words() -> None:
    assert len({claim.key for claim in CLAIMS}) == len(CLAIMS)
    for claim in CLAIMS:
        assert claim.says
        assert len({part.key for part in claim.parts}) == len(claim.parts)
        assert any(part.counts for part in claim.parts)
        assert {figure_name(part) for part in claim.parts} <= FIGURES.keys()
    used = {figure_name(part) for claim in CLAIMS for part in claim.parts}
    assert used == FIGURES.keys()
    assert {said for claim in CLAIMS for said in claim.because} <= {Verdict.PARTLY, Verdict.FAILS}


def test_the_committed_document_has_every_claim_with_the_verdict_its_figures_give(document: dict[str, Any]) -> None:
    assert [each["key"] for each in document["claims"]] == [claim.key for claim in CLAIMS]
    for claim, each in zip(CLAIMS, document["claims"], strict=True):
        assert list(each["figures"]) == [part.key for part in claim.parts]
        passes = [figures["passes"] for figures in each["figures"].values() if figures["passes"] is not None]
        assert each["verdict"] == ("holds" if all(passes) else "partly" if any(passes) else "fails")
        assert each["verdict"] == "holds" or Verdict(each["verdict"]) in claim.because


def test_the_committed_document_is_found_again(document: dict[str, Any]) -> None:
    """Index 1 of all contenders in replication 0: its games are the first tenth."""
    found = {}
    for stretch in stretches(document["games"] // 10, document["seed"], 0, PLAIN):
        for each in (*STUDY, *variants.VARIANTS):
            table = Table(each, PLAIN, [person.strength for person in stretch.joining])
            index = table.play(stretch.white, stretch.black, stretch.scores)
            found[f"{each.key}.1"] = sum(index) / len(index)
    assert found == {name: value for name, value in document["first"].items() if name.endswith(".1")}


def test_the_same_seed_gives_the_same_figures_and_progress_is_told_row_by_row(
    first: dict[str, float], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(findings, "RUNS", (Run("study", study_row, 1), Run("top", top_row, 5)))
    lines: list[int] = []
    found = findings_report(games=1000, replications=2, seed=3, engine=PLAIN, tell=lines.append)
    assert found["first"].items() <= first.items(), "whatever follows the first replication"
    assert lines == list(range(1, work(2) + 1)) == [1, 2, 3, 4]
    assert found["replications"] == {"study": 2, "top": 2}
    json.dumps(found, allow_nan=False)
    other = study_row(1000, 4, 0, PLAIN)
    assert other != {name: first[name] for name in other}


def test_what_was_not_measured_is_left_open(report: dict[str, Any]) -> None:
    """In a thousand games no newcomer joins, so nothing is known of their probation."""
    verdicts = {each["key"]: each for each in report["claims"]}
    assert verdicts["probation"] == {"key": "probation", "verdict": "open", "figures": {}}
    assert verdicts["elo-best"]["verdict"] != "open"
    json.dumps(report, allow_nan=False)


def test_long_runs_are_made_less_often_but_not_too_rarely_and_too_little_is_refused() -> None:
    run = Run("long", long_row, 10)
    assert [run.replications(asked) for asked in (1, 5, 40, 200)] == [1, 5, 5, 20]
    assert work(200) == sum(each.replications(200) for each in RUNS)
    for games, replications in ((999, 1), (1000, 0)):
        with pytest.raises(ValueError, match="at least"):
            findings_report(games=games, replications=replications, seed=1, engine=PLAIN, tell=lambda _: None)


def test_a_made_up_world_can_turn_every_claim_of_order_down() -> None:
    """KD, Elo, Glicko, then the others: of the four parts of the order two are wrong."""
    row = {"kd.2": 1.0, "elo.2": 2.0, "glicko.2": 3.0, "league.2": 4.0, "solo-zerg.2": 5.0, "r2.2": 6.0}
    passes = [bool(found and found.passes) for found in (judge(part, [row]) for part in order("2"))]
    assert passes == [False, False, True, True]
    best = next(claim for claim in CLAIMS if claim.key == "elo-best")
    assert judged(best, [row])["verdict"] == Verdict.FAILS
    assert judged(best, [row | {"elo.2": 0.5}])["verdict"] == Verdict.HOLDS
    assert verdict([judge(part, []) for part in best.parts]) == Verdict.OPEN


def test_long_streams_begin_as_the_study_does(first: dict[str, float]) -> None:
    """The first range is not in the long row, so it is taken from the same stream here."""
    short, longer = (next(stretches(games, 3, 0, PLAIN)) for games in (1000, 5000))
    assert list(longer.white[:1000]) == list(short.white)
    assert {name for name in first if ".x" in name} == {f"{each.key}.x{times}" for each in STUDY for times in (2, 5)}


def test_without_newcomers_the_variant_is_the_study_and_equal_steps_reach_as_far(first: dict[str, float]) -> None:
    for each in STUDY:
        assert [first[f"{each.key}.new-{name}"] for name in "12"] == [first[f"{each.key}.{name}"] for name in "12"]
    assert {after - before for before, after in itertools.pairwise(EQUAL_STEPS)} == {105.0}
    assert (group(EQUAL_STEPS)[0].strength, group(EQUAL_STEPS)[-1].strength) == (10.0, 640.0)
    assert first["elo.equal-pairs"] < first["elo.pairs"]


def test_looks_are_those_of_the_table() -> None:
    """Looking does not disturb: the last look is the table played in one go."""
    stretch = next(stretches(1000, 3, 0, PLAIN))
    table = Table(variants.ELO, PLAIN, [person.strength for person in stretch.joining])
    index = table.play(stretch.white, stretch.black, stretch.scores)
    seen = list(looks(variants.ELO, stretch, PLAIN, 100))
    assert [look.games for look in seen] == list(range(100, 1001, 100))
    assert [disorder(look.order, look.strengths) for look in seen] == index
    assert (seen[-1].ratings, seen[-1].order) == (table.ratings, table.order)


def test_the_kinder_rule_for_equals_never_costs_more_and_lowered_penalties_less(first: dict[str, float]) -> None:
    for each in STUDY:
        for name in "12":
            assert first[f"{each.key}.kind-{name}"] <= first[f"{each.key}.creation-{name}"]
            assert first[f"{each.key}.lowered-{name}"] < first[f"{each.key}.{name}"]
    assert {f"{key}.moves-{part}" for key in ("elo", "glicko") for part in ("5", "15", "last")} <= first.keys()


def test_paid_pairs_and_ranges_by_hand() -> None:
    """10 over 40 is dark red, 40 over 20 free, 20 over 40 red, 40 over 10 dark green."""
    strengths = [10.0, 40.0, 20.0, 40.0, 10.0]
    assert paid_pairs(range(5), strengths) == (3, 1)
    assert disorder(range(5), strengths) == 3 + 0 + 2 + 1
    assert indices([10, *range(9)]) == (10, 4.0, 4.6)
    with pytest.raises(ValueError, match="ten looks"):
        indices([1] * 9)


def test_ratings_around_the_start_on_one_game() -> None:
    """After one game Elo's winner stands at 1007.5 and the loser at 992.5; the other two draw and stay at 1000."""
    stretch = Stretch(group()[:4], [0] + [2] * 99, [1] + [3] * 99, [1.0] + [0.5] * 99)
    figures = around_the_start(variants.ELO, stretch, PLAIN)
    assert figures["step"] == pytest.approx(1 / 3)
    assert figures["gap"] == 2 * 4 * 90  # nobody stands in the strips beside


def test_the_strips_around_the_start_by_hand(monkeypatch: pytest.MonkeyPatch) -> None:
    offs = [-75.5, -75.0, -50.5, -50.0, -25.0, -24.0, 0.0, 25.0, 25.5, 49.5, 50.0, 75.0, 75.5]
    look = variants.Look(1, [1000.0 + off for off in offs], [], [])
    monkeypatch.setattr(variants, "looks", lambda *_asked: iter([look]))
    figures = around_the_start(variants.ELO, Stretch([], [0] * 100, [1] * 100, [0.5] * 100), PLAIN)
    assert figures == {"gap": 2 * 4 / 7, "step": 3 / 4}


def test_a_moved_start_is_looked_at_where_it_is_and_at_1000(first: dict[str, float]) -> None:
    stretch = next(stretches(1000, 3, 0, PLAIN))
    for each in MOVED_STARTS:
        at_1000 = around_the_start(each, stretch, PLAIN)
        assert at_1000 == {name: first[f"{each.key}.{name}"] for name in ("gap", "step")}
        assert first[f"{each.key}.own-gap"] > at_1000["gap"], "after a thousand games the crowd is still near its start"


def test_the_top_ten_and_the_rest_by_hand(first: dict[str, float]) -> None:
    """Twelve places: the last two are the wrong way round, and of the first ten one is weaker than both."""
    strengths = [640.0] * 9 + [10.0, 20.0, 80.0]
    found = of_the_top(Look(1, [float(12 - place) for place in range(12)], strengths, list(range(12))))
    pairs = 9 * 3 + 2  # nine strong ones over three, the tenth over two
    assert found == {"top-pairs": 27 / pairs, "rest-pairs": 0.0, "top-cost": (1 + 2) / 10, "rest-cost": 3.0}
    assert 0.5 < first["elo.rest-pairs"] < first["elo.top-pairs"] < 1.0


def test_diligence_is_between_equals_and_needs_no_strength() -> None:
    """Among the strong more games go with a higher rating, among the weak with a lower one."""
    strong, weak = [640.0] * 3, [10.0] * 3
    games = [1, 2, 3, 1, 2, 3]
    assert diligence([100, 101, 102, 5, 6, 7], games, strong + weak) == 1.0
    assert diligence([100, 101, 102, 7, 6, 5], games, strong + weak) == 0.0
    assert fresh_row(1000, 3, 0, PLAIN) == {}, "nobody joins in a thousand games"


def test_typical_steps_are_medians_of_both_players_changes() -> None:
    """Every game between two who stay level: a draw moves nobody; then one win moves both by 7.5."""
    stretch = Stretch(group()[:2], [0] * 200, [1] * 200, [0.5] * 198 + [1.0, 0.5])
    moves = typical_steps(variants.ELO, stretch, PLAIN)
    assert moves["moves-5"] == moves["moves-15"] == 0.0
    assert 0.0 < moves["moves-last"] < 7.5
    before = Stretch(group()[:2], [0] * 200, [1] * 200, [0.5] * 9 + [1.0] + [0.5] * 190)
    assert typical_steps(variants.ELO, before, PLAIN)["moves-5"] < 1.0, "the tenth game is not among them"


def test_the_report_is_told_in_lines(document: dict[str, Any]) -> None:
    lines = list(findings_lines(document))
    assert lines[0] == "elo-best: holds"
    assert len(lines) == len(CLAIMS) + sum(len(each["figures"]) for each in document["claims"])
    assert any(line.endswith("(200), asked 45.000 to 75.000: no") for line in lines)
