"""The log of every game: what it says is what the systems compute, and their tables are where it ends."""

from collections.abc import Sequence
from typing import NamedTuple

import pytest

from ratings.lab.contenders import CONTENDERS, STUDY, Contender, contender, contenders
from ratings.lab.engine import PLAIN
from ratings.lab.game_log import FIELDS, GameLog, number
from ratings.lab.table import Table
from ratings.lab.vectorised import column_rater
from ratings.lab.world import Person, group
from tests.ratings.lab.golden import STRENGTHS, golden_games


class Line(NamedTuple):
    game: int
    system: str
    winner: str
    winner_before: float
    loser: str
    loser_before: float
    computed: dict[str, float]
    winner_after: float
    loser_after: float

    @classmethod
    def read(cls, text: str) -> "Line":
        game, system, winner, winner_before, loser, loser_before, computed, winner_after, loser_after = text.split("\t")
        pairs = (part.split("=") for part in computed.split())
        figures = {name: float("nan" if value == "-" else value) for name, value in pairs}
        ratings = (float(value) for value in (winner_before, loser_before, winner_after, loser_after))
        one, two, three, four = ratings
        return cls(int(game), system, winner, one, loser, two, figures, three, four)


def played(
    results: Sequence[tuple[int, int, float]], each: Sequence[Contender] = STUDY, people: int = 35
) -> list[Line]:
    log = GameLog(each)
    log.join(group()[:people])
    return [Line.read(line) for line in log.lines(*zip(*results, strict=True))]


def many(count: int, people: int = 6) -> list[tuple[int, int, float]]:
    """Games in which everybody meets everybody in turn and the one with the higher number wins two of three."""
    pairs = [(one, two) for one in range(people) for two in range(people) if one != two]
    return [(*pairs[at % len(pairs)], float((at % 3 < 2) == (at % 2 == 0))) for at in range(count)]


def test_one_line_a_game_and_system_in_their_order_under_a_heading() -> None:
    lines = played([(0, 1, 1.0), (2, 1, 0.0)])
    assert [(line.game, line.system) for line in lines] == [(game, each.key) for game in (1, 2) for each in STUDY]
    assert (lines[0].winner, lines[0].loser) == ("10-10 #1", "10-20 #2")
    assert (lines[6].winner, lines[6].loser) == ("10-20 #2", "10-40 #3")
    log = GameLog(STUDY)
    log.join(group())
    assert log.heading().split("\t") == list(FIELDS)
    assert len(next(log.lines([0], [1], [1.0])).split("\t")) == len(FIELDS)


def test_the_first_game_of_all_as_the_study_prints_it() -> None:
    by_system = {line.system: line for line in played([(0, 1, 1.0)])}
    assert by_system["league"].computed == {"gap": 0, "stake": 30, "bonus": 40}
    assert by_system["solo-zerg"].computed == {"gap": 0, "bonus": 100}
    assert by_system["r2"].computed | {"K_loser_after": 0.9524} == {
        "K_winner": 1, "K_loser": 1, "gap": 0, "bonus": 100, "K_winner_after": 1.05, "K_loser_after": 0.9524,
    }  # fmt: skip
    assert by_system["kd"].computed == {"stake": 2}
    assert by_system["elo"].computed == {"expected": 0.5, "K_winner": 15, "K_loser": 15}
    assert by_system["glicko"].computed["RD_winner"] == 350
    assert [(line.winner_after, line.loser_after) for line in by_system.values()] == [
        (790, 720), (1100, 1000), (1100, 1000), (16.6831, 14.7030), (1007.5, 992.5), (1162.2120, 837.7880),
    ]  # fmt: skip


@pytest.mark.parametrize("each", CONTENDERS, ids=lambda each: each.key)
def test_the_log_goes_on_where_it_stopped_and_ends_at_the_tables_ratings(each: Contender) -> None:
    games = many(300)
    table = Table(each, PLAIN, [person.strength for person in group()[:6]])
    table.play(*zip(*games, strict=True))
    last: dict[str, float] = {}
    for line in played(games, [each], people=6):
        if "normalised" in line.computed:
            last.clear()  # everybody's rating has moved
        for name, before in ((line.winner, line.winner_before), (line.loser, line.loser_before)):
            assert last.get(name, before) == before
        last[line.winner], last[line.loser] = line.winner_after, line.loser_after
    found = {int(name.split("#")[1]) - 1: rating for name, rating in last.items()}
    assert found
    for place, rating in found.items():
        assert rating == pytest.approx(table.ratings[place], abs=5e-5)


def test_what_was_computed_makes_the_change() -> None:
    """Each system's rule, applied to the figures of its line, gives the ratings after it."""
    high = contender("elo-high", "Elo, FIDE’s K: who has reached 2400 keeps K 10 below", "elo", {"start": 2390})
    for line in played(many(400), [*STUDY, *contenders(["elo-k32", "glicko-c", "glicko2"]), high], people=6):
        if "normalised" in line.computed:
            continue
        change, loss = line.winner_after - line.winner_before, line.loser_before - line.loser_after
        figures = line.computed
        if line.system == "league":
            assert (change, loss) == (figures["bonus"], figures["stake"])
        elif line.system == "solo-zerg":
            assert change == pytest.approx(figures["bonus"], abs=2e-4)
            assert line.loser_after == pytest.approx(max(1000, line.loser_before - figures["bonus"]), abs=2e-4)
        elif line.system == "r2" and figures["K_winner_after"] < 1.27:
            assert change == pytest.approx(figures["bonus"], abs=2e-4)
        elif line.system == "kd":
            kept = (1 - figures["stake"] / 100_000) ** 1000
            assert line.loser_after == pytest.approx(line.loser_before * kept, abs=2e-4)
        elif line.system in ("elo", "elo-k32", "elo-high"):
            assert change == pytest.approx(figures["K_winner"] * (1 - figures["expected"]), abs=4e-3)
            assert loss == pytest.approx(figures["K_loser"] * (1 - figures["expected"]), abs=4e-3)
        elif line.system.startswith("glicko"):
            assert change == pytest.approx(figures["K_winner"] * (1 - figures["expected_winner"]), abs=0.04)
            assert loss == pytest.approx(figures["K_loser"] * figures["expected_loser"], abs=0.04)


def test_deviations_pass_from_line_to_line_or_have_grown_before_the_game() -> None:
    """Without growth between games a deviation is what the last game left of it."""
    left: dict[str, float] = {}
    for line in played(many(60), contenders(["glicko", "glicko2"]), people=6):
        for name, side in ((line.winner, "winner"), (line.loser, "loser")):
            key = f"{line.system} {name}"
            assert left.get(key, line.computed[f"RD_{side}"]) == line.computed[f"RD_{side}"]
            left[key] = line.computed[f"RD_{side}_after"]
    lines = played([(0, 1, 1.0), (0, 1, 1.0)], contenders(["glicko-c"]))
    before = lines[0].computed["RD_winner_after"]
    assert lines[1].computed["RD_winner"] == pytest.approx((before**2 + 55.47**2) ** 0.5, abs=1e-3)


def test_a_normalisation_is_told_with_its_factor() -> None:
    """It is the only way in which a win lowers a rating; it happens in the golden stream in both systems that have
    one."""
    decided = [game for game in zip(*golden_games(), strict=True) if game[2] != 0.5]
    log = GameLog(STUDY[1:3])
    log.join([Person(strength, 160.0) for strength in STRENGTHS])
    lines = [Line.read(line) for line in log.lines(*zip(*decided, strict=True))]
    found = {(line.system, line.computed["normalised"]) for line in lines if "normalised" in line.computed}
    assert found == {("solo-zerg", 0.75), ("r2", 0.8)}
    for line in lines:
        assert ("normalised" in line.computed) == (line.winner_after < line.winner_before)


def test_a_system_known_only_by_its_own_rater_shows_its_expected_score() -> None:
    by_table = contender("table", "By a table", "elo", {"preset": "xiangqi"})
    assert column_rater(by_table, PLAIN) is None
    line, later = played([(0, 1, 1.0)] * 2, [by_table])
    assert line.computed == {"expected": 0.5}
    assert line.winner_after > line.winner_before
    assert later.computed["expected"] > 0.5


def test_newcomers_take_the_places_behind_the_others() -> None:
    log = GameLog(STUDY[:1])
    log.join([Person(10.0, 20.0)])
    log.join([Person(640.0, 160.0)])
    line = Line.read(next(log.lines([0], [1], [0.0])))
    assert (line.winner, line.loser) == ("640-160 #2", "10-20 #1")


def test_figures_have_four_places_and_whole_ones_none() -> None:
    written = {1000.0: "1000", 0.0: "0", 37.58: "37.5800", -0.25: "-0.2500", float("nan"): "-"}
    assert {value: number(value) for value in written} == written
