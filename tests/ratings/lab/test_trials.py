"""The trials: all contenders see one and the same world, each figure is what its own module says, and the committed
document comes out of the code as it stands."""

import json
from statistics import fmean

import pytest

from ratings.lab.ceiling import ceiling, sample_points
from ratings.lab.contenders import CONTENDERS, contenders
from ratings.lab.convergence import newcomer_errors, own_curve, probation_table
from ratings.lab.engine import PLAIN
from ratings.lab.summary import summarise
from ratings.lab.table import Table
from ratings.lab.trials import (
    FOLLOWED,
    Jump,
    ceilings,
    farm,
    farming,
    jump_curve,
    jump_games,
    probation,
    pump,
    trials_report,
    weakest,
)
from ratings.lab.world import STRENGTHS, stretches
from tests.ratings.lab.golden import committed

GAMES, FEW, SEED = 4000, 1000, 3
LOOKS = (1, 5, 10)
KEPT = committed("trials")
ELO, LEAGUE = contenders(["elo-k32", "league"])


@pytest.fixture(scope="module")
def jump() -> Jump:
    return jump_games(GAMES, SEED, 0, PLAIN, length=15)


@pytest.fixture(scope="module")
def report():
    lines: list[int] = []
    found = trials_report([ELO, LEAGUE], games=FEW, seed=SEED, replications=2, engine=PLAIN, tell=lines.append)
    assert lines == [1, 2]
    return found


def test_a_jump_cuts_the_games_in_half_and_those_who_rose_are_followed(jump) -> None:
    assert [len(column) for column in (*jump.before, *jump.after)] == [GAMES // 2] * 6
    born, now = jump.strengths
    ratios = [after / before for before, after in zip(born, now, strict=True)]
    assert ratios == [4.0] * 35 + [0.25] * 35 + [1.0] * 70
    assert jump.jumped == tuple(range(70))
    played = [*jump.after[0], *jump.after[1]]
    assert jump.followed
    for place in range(140):
        rose_to_equals = place < 35 and jump.strengths[1][place] <= STRENGTHS[-1]
        assert (place in jump.followed) == (rose_to_equals and played.count(place) >= 15)


def test_the_curve_is_the_share_of_the_way_to_where_the_equals_stand(jump):
    """By hand from the table: everybody followed is to reach the mean of the seventy who kept that strength."""
    table = Table(ELO, PLAIN, jump.strengths[0])
    table.play(*jump.before)
    ratings = table.ratings
    stood = fmean(ratings[place] for place in jump.followed)
    kept = {
        strength: fmean(ratings[place] for place in range(70, 140) if jump.strengths[0][place] == strength)
        for strength in STRENGTHS
    }
    target = fmean(kept[jump.strengths[1][place]] for place in jump.followed)
    _, white_after, black_after = table.trace(*jump.after)
    curve = own_curve(jump.after[0], jump.after[1], white_after, black_after, jump.followed, 15)
    expected = [(rating - stood) / (target - stood) for rating in curve]
    assert jump_curve(ELO, jump, PLAIN, length=15) == pytest.approx(expected)
    assert curve[-1] > curve[0] > stood


def test_where_nobody_plays_enough_nobody_is_followed_and_trials_of_nothing_are_refused() -> None:
    lonely = jump_games(GAMES, SEED, 0, PLAIN, length=GAMES)
    assert lonely.followed == ()
    assert jump_curve(ELO, lonely, PLAIN) == ()
    for games, replications in ((999, 1), (GAMES, 0)):
        with pytest.raises(ValueError, match="at least one replication"):
            trials_report([ELO], games=games, seed=1, replications=replications, engine=PLAIN, tell=print)
    assert trials_report([], games=1000, seed=1, replications=1, engine=PLAIN, tell=int)["replications"] == 1


def test_newcomers_join_a_settled_table_in_the_middle_of_the_games() -> None:
    first, second = stretches(GAMES, SEED, 0, PLAIN, newcomers=True, every=GAMES // 2)
    assert len(first.scores) == len(second.scores) == GAMES // 2
    table = Table(ELO, PLAIN, [person.strength for person in first.joining])
    table.play(first.white, first.black, first.scores)
    table.join([person.strength for person in second.joining])
    errors = newcomer_errors(
        table, second.white, second.black, second.scores, range(140, 175), elo_scale=True, after=LOOKS
    )
    rows = probation(ELO, GAMES, SEED, 0, PLAIN, LOOKS)
    assert rows == probation_table(errors, LOOKS)
    assert [row.own_games for row in rows] == [1, 5, 10]
    assert probation(ELO, GAMES + 1, SEED, 0, PLAIN, LOOKS)


def test_the_farmer_is_the_strongest_and_his_victims_the_weakest():
    settled = next(stretches(GAMES, SEED, 0, PLAIN))
    strengths = [person.strength for person in settled.joining]
    table = Table(ELO, PLAIN, strengths)
    table.play(settled.white, settled.black, settled.scores)
    assert settled.joining[34].name == "640-160"
    assert {strengths[place] for place in weakest(strengths, 10)} == {10.0}
    gain = farm(table, 34, weakest(strengths, 10)).gain
    found = farming(ELO, GAMES, SEED, 0, PLAIN)
    assert (found["farmed"], found["farmed_spreads"]) == (gain.per_hundred, gain.spreads)


def test_who_is_pumped_is_of_middle_strength_and_plays_most() -> None:
    settled = next(stretches(GAMES, SEED, 0, PLAIN))
    table = Table(ELO, PLAIN, [person.strength for person in settled.joining])
    table.play(settled.white, settled.black, settled.scores)
    one, two, *_ = (place for place, person in enumerate(settled.joining) if person.name == "80-160")
    assert farming(ELO, GAMES, SEED, 0, PLAIN)["pumped"] == pump(table, one, two).per_hundred


def test_one_k_keeps_what_two_swap_and_the_ceiling_is_fitted_to_the_study_s_own_games() -> None:
    assert farming(ELO, GAMES, SEED, 0, PLAIN)["swapped"] == pytest.approx(0, abs=1e-6)
    assert farming(LEAGUE, GAMES, SEED, 0, PLAIN)["swapped"] == 1000
    stretch = next(stretches(GAMES, SEED, 0, PLAIN))
    strengths = [person.strength for person in stretch.joining]
    own = ceiling(stretch.white, stretch.black, stretch.scores, strengths, sample_points(GAMES, 2))
    assert ceilings(GAMES, SEED, 0, PLAIN, fits=2) == own


def test_the_document_sums_up_the_replications_in_json(report) -> None:
    farmed = [farming(ELO, FEW // 2, SEED, replication, PLAIN) for replication in (0, 1)]
    assert report["systems"]["elo-k32"]["farming"]["pumped"] == summarise([each["pumped"] for each in farmed])._asdict()
    taus = [ceilings(FEW, SEED, replication, PLAIN, fits=1)[-1].tau for replication in (0, 1)]
    assert report["ceiling"][-1]["tau"] == summarise(taus)._asdict()
    assert (report["games"], report["replications"], report["seed"]) == (FEW, 2, SEED)
    assert json.loads(json.dumps(report, allow_nan=False)) == report
    found = report["systems"]["league"]
    assert (found["probation"], found["enough"]) == ([], None)
    assert found["jump"] == {"half": None, "ninety": None, "every": 10, "mean": []}
    assert found["farming"]["swapped"]["mean"] == 1000


def test_the_committed_document_knows_all_contenders_and_how_it_was_made() -> None:
    assert list(KEPT["systems"]) == [each.key for each in CONTENDERS]
    assert KEPT["made_by"] == "manage.py run_study trials --games 44000 --replications 20 --seed 1"
    counts = {row["newcomers"] for found in KEPT["systems"].values() for row in found["probation"]}
    assert len(counts) == 1
    assert all(len(found["jump"]["mean"]) == FOLLOWED // 10 for found in KEPT["systems"].values())


@pytest.mark.slow  # short tests fit games by hand, and other documents' first figures come from the same games
def test_its_first_ceiling_comes_out_again():
    """A part that takes no settling: the first fit of every replication, the mean of the index."""
    first = KEPT["ceiling"][0]
    found = []
    for replication in range(KEPT["replications"]):
        stretch = next(stretches(first["games"], KEPT["seed"], replication, PLAIN))
        strengths = [person.strength for person in stretch.joining]
        points = [first["games"]]
        found.append(ceiling(stretch.white, stretch.black, stretch.scores, strengths, points)[0].index)
    assert summarise(found)._asdict() == first["index"]


def test_what_it_says_of_farming_comes_out_again():
    """Elo with K 32, every replication anew."""
    half, seed = KEPT["games"] // 2, KEPT["seed"]
    found = [farming(ELO, half, seed, replication, PLAIN)["pumped"] for replication in range(3)]
    known = KEPT["systems"]["elo-k32"]["farming"]["pumped"]
    assert abs(fmean(found) - known["mean"]) < 4 * known["sd"]
