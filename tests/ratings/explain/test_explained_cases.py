"""Figures of an explanation, each from a case of its own."""

from dataclasses import replace
from datetime import date
from math import sqrt
from typing import Any

import pytest

from ratings.explain import EXPLAINERS, explainer
from ratings.explain.base import MOST_SHARES, Case, Explainer, Moved, new_rating, period_lines
from ratings.explain.elo import EloExplainer, k_of, steps_of
from ratings.explain.federations import rated_mates
from ratings.explain.glicko import Glicko2Explainer
from ratings.systems import rating_system
from ratings.systems.base import PlayedGame, Side, order_key
from ratings.systems.elo import Elo
from ratings.systems.glicko2 import Glicko2, Q
from ratings.systems.rules import DatedRule

DAY = date(2026, 5, 4)


SIDE = Side(1500, 40, 1500, 80, 0.06, None, 0, None, 0, 0.5, 10, 5, None)


def case_of(last_day: date | None = None, mates: tuple[Side, ...] = ()) -> Case:
    """A game by monthly Glicko-2 on the day, of two who played last on `last_day`, deviation 80, volatility 0.06."""
    side = SIDE._replace(last_day=last_day.toordinal() if last_day else None)
    rule = DatedRule(date(2026, 1, 1), Glicko2(), Glicko2().read_settings({"period": "month"}))
    played = PlayedGame(1, 1, 2, 1.0, order_key(DAY, 1), DAY.toordinal())
    return Case(side, side, is_white=True, played=played, rule=rule, probation=30, mates=mates)


@pytest.mark.parametrize(
    ("last", "missed"),
    [(None, 0), (date(2026, 4, 30), 0), (date(2026, 3, 31), 1), (date(2026, 3, 1), 1), (date(2025, 5, 4), 11)],
)
def test_the_deviation_has_grown_by_the_months_without_a_game(last: date | None, missed: int) -> None:
    case = case_of(last)
    grown = sqrt((80 * Q) ** 2 + missed * 0.06**2) / Q
    assert Glicko2Explainer().deviation_before(case, case.own) == pytest.approx(grown)


def test_only_games_that_are_rated_for_him_count_against_the_limit_of_k() -> None:
    assert rated_mates(case_of(mates=(SIDE, SIDE._replace(expected=None, change=None), SIDE))) == 2


@pytest.mark.parametrize(
    ("raw", "words"),
    [
        ({}, None),
        ({"margin": False}, None),
        ({"margin": True}, "K grows with the margin: the factor is 1 up to a margin of 1 and 2 from 3 on."),
        (
            {"margin": "log", "margin_unit": 100, "margin_cap": 3},
            "K grows with the margin: the factor is 1 up to a margin of 100 and 3 from 700 on.",
        ),
        ({"margin": "log", "margin_cap": 100}, "K grows with the margin: the factor is 1 up to a margin of 1."),
        ({"margin": "nfl"}, "K grows with the margin, less for a favourite’s win and more for an outsider’s."),
        ({"margin": "share"}, "So a winner falls who won by less than was expected."),
        ({"margin": "capped", "margin_cap": 9}, "The lead is the score that is rated: level is ½, a lead of 9 is 1."),
        ({"sides": "sum"}, "The rating of a side is the sum of its members’ ratings."),
        ({"normaliser": "none"}, "A table counts as one game against every other side."),
        (
            {"newcomer_k": "until-known"},
            "Newcomers keep their K until their games tell enough, whether these are fewer than 30 or more.",
        ),
        ({"normaliser": "half"}, "A table of n sides counts as 2 × (n − 1) / n games."),
    ],
)
def test_a_list_says_what_it_takes_from_points_and_tables(raw: dict[str, object], words: str | None) -> None:
    elo, plain = Elo(), EloExplainer().settings_in_words(Elo().read_settings({}), {})
    found = EloExplainer().settings_in_words(elo.read_settings(raw), {})
    assert words in found if words else found == plain
    assert found[: len(plain)] == plain


def test_a_list_says_its_floor_whole_numbers_and_one_k() -> None:
    ways: tuple[dict[str, Any], ...] = ({"floor": 1000, "whole": True, "one_k": True}, {})
    own, plain = (EloExplainer().settings_in_words(Elo().read_settings(raw), {}) for raw in ways)
    assert set(own) - set(plain) == {
        "No rating falls below 1000.",
        "Ratings are whole numbers, halves rounded away from zero.",
        "Both players of a game move by one K.",
    }


def test_k_by_evidence_is_said_with_a_reason_juniors_share_and_without_a_game_at_which_it_ends() -> None:
    elo = Elo()
    rule = DatedRule(date(2026, 1, 1), elo, elo.read_settings({"newcomer_k": "evidence"}))
    played = PlayedGame(1, 1, 2, 1.0, order_key(DAY, 1), DAY.toordinal())
    own = SIDE._replace(games=3, deviation=150.0, k=115.0, change=57.5)
    case = Case(own, SIDE._replace(games=40, deviation=45.0), is_white=True, played=played, rule=rule, probation=30)
    text = " ".join(f"{line.numbers} {line.note}" for line in EloExplainer().lines(case))
    assert "for whoever’s games do not tell enough yet, and juniors" in text
    assert "From game" not in text
    assert "30 rated games" not in text


@pytest.mark.parametrize(
    ("kind", "ks"),
    [
        ("rule", [("newcomer", 40), ("regular", 20)]),
        ("until-known", [("little-known-or-junior", 40), ("regular", 20)]),
        ("evidence", [("regular", 20)]),
    ],
)
def test_the_table_of_ks_counts_no_games_where_evidence_counts(kind: str, ks: list[tuple[str, float]]) -> None:
    steps = steps_of(Elo().read_settings({"newcomer_k": kind}))
    assert [(step.reason, step.k) for step in steps if step.reason not in ("reached-2400", "junior")] == ks


# --- what a case may lack -----------------------------------------------------------------------------------------
def case_by(
    system: str, own: Side = SIDE, other: Side = SIDE, *, played: dict[str, Any] | None = None, **raw: Any
) -> Case:
    """A game won by White, whose case it is, under that system."""
    known = rating_system(system)
    rule = DatedRule(date(2026, 1, 1), known, known.read_settings(raw))
    game = PlayedGame(1, 1, 2, 1.0, order_key(DAY, 1), DAY.toordinal())._replace(**played or {})
    return Case(own, other, is_white=True, played=game, rule=rule, probation=30, mates=(own,))


def text_of(case: Case) -> str:
    return " ".join(" ".join(line) for line in explainer(case.rule.system.key).lines(case))


NOBODY_YET = SIDE._replace(before=None)


@pytest.mark.parametrize("system", [key for key in EXPLAINERS if key != "bradley-terry"])
def test_a_game_of_somebody_without_a_rating_is_explained_by_what_the_ledger_has(system: str) -> None:
    for case in (case_by(system, NOBODY_YET), case_by(system, other=NOBODY_YET)):
        assert explainer(system).lines(case) == Explainer().lines(case)
        assert ("E = 0.500" in text_of(case), "K = 10" in text_of(case)) == (True, True)


@pytest.mark.parametrize(
    ("preset", "own", "other", "words"),
    [
        ("fide", NOBODY_YET, SIDE, "the results against rated players make the first one"),
        ("fide", SIDE, NOBODY_YET, "The opponent had no rating: the game rates nobody."),
        ("fide", SIDE._replace(expected=None), SIDE, "too great to be rated in rapid and blitz"),
        ("us-chess", NOBODY_YET, SIDE, "It is still running"),
        ("us-chess", SIDE, NOBODY_YET, "It is still running"),
    ],
)
def test_why_a_federation_does_not_rate_a_game(preset: str, own: Side, other: Side, words: str) -> None:
    text = text_of(case_by("elo", own, other, preset=preset))
    assert words in text
    assert "What was expected?" not in text


def test_many_games_of_an_event_make_fides_k_smaller() -> None:
    case = case_by("elo", SIDE._replace(games=3), preset="fide")
    assert "K times" not in text_of(case)
    assert "K times the 20 games may not exceed 700: K = 35." in text_of(replace(case, mates=[SIDE] * 20))


def test_of_two_who_stand_level_the_smaller_k_is_for_both() -> None:
    master, beginner = SIDE._replace(before=2000, peak=2500, games=90), SIDE._replace(before=2000, games=2)
    for own, other in ((master, beginner), (beginner, master)):
        both = [k_of(case_by("elo", own, other, one_k=one_k)).used for one_k in (True, False)]
        assert both == [10, 10 if own is master else 40]


def test_what_a_list_chose_stands_in_its_words() -> None:
    for system, raw, words in (
        ("elo", {"curve": "fide-table"}, "Expected scores are FIDE’s, from table 8.1.2."),
        ("elo", {"preset": "xiangqi"}, "Expected scores are the xiangqi association’s, from its table."),
        ("elo", {"period": "event"}, "The games of an event are rated together when it is over."),
        ("elo", {"preset": "fide"}, "A newcomer’s first rating needs five games against rated players."),
        ("elo", {"preset": "us-chess"}, "Unrated players start by their age, at 1300 where it is unknown."),
        ("glicko", {"period": "month"}, "The games of a month are rated together."),
        ("weng-lin", {"model": "bt_part"}, "Every side is compared with those up to four places away"),
    ):
        assert words in " ".join(explainer(system).settings_in_words(rating_system(system).read_settings(raw), {}))


def test_komi_and_the_weight_of_an_event_stand_in_the_numbers() -> None:
    for case, numbers in (
        (case_by("egf", played={"handicap": (0, 8.5)}), "−2 × 100 / 13 = −15.38"),
        (case_by("egf", played={"handicap": (3, 6.5)}), "100 × (3 − ½) − 6.5 × 100 / 13 = 200"),
        (case_by("egf", played={"importance": 0.5}, importance=True), "/ 200)^{1.6} × 0.5 = 10"),
    ):
        assert numbers in text_of(case)


def test_a_share_of_no_points_is_the_result() -> None:
    text = text_of(case_by("elo", played={"margin": 0.0, "scores": (0.0, 0.0)}, margin="share"))
    assert "own points / points of both" not in text
    assert "The game ended 0–0." in text


def test_points_count_for_the_loser_too_and_only_where_the_list_takes_them() -> None:
    better, nfl = SIDE._replace(before=1600), dict[str, Any](played={"margin": 3.0}, margin="nfl")
    for case in (case_by("elo", better, **nfl), replace(case_by("elo", SIDE, better, **nfl), is_white=False)):
        assert "× (1600 − 1500) + 2.2)" in text_of(case)
    capped = case_by("elo", played={"margin": 3.0}, margin="capped", margin_cap=9)
    assert "½ × −3 / 9" in text_of(replace(capped, is_white=False))
    assert "margin" not in text_of(case_by("elo", played={"margin": 3.0}))


def test_what_is_said_when_a_player_falls_out_of_the_list_or_all_are_brought_down() -> None:
    case = case_by("elo", period="event")
    long = [period_lines(replace(case, mates=[SIDE] * count))[0].numbers for count in (MOST_SHARES, MOST_SHARES + 1)]
    assert ["…" in numbers for numbers in long] == [False, True]
    assert ["From game" in text_of(case_by("elo", SIDE._replace(games=games))) for games in (29, 30)] == [True, False]
    far = SIDE._replace(before=9000)
    assert ("→ 0" in text_of(case_by("solo-zerg", far)), "100 − 99 = 1" in text_of(case_by("r2", far))) == (True, True)
    assert period_lines(replace(case, moved=Moved(1405.0, None)))[-1].note.endswith("unrated again.")
    assert new_rating(replace(case_by("r2"), normalised=0.75))[-1].numbers == "× 0.75"
    explain = Glicko2Explainer()
    assert explain.deviation_after(case_of()) is not None
    assert explain.deviation_after(case_by("glicko2", SIDE._replace(k=None))) is None
