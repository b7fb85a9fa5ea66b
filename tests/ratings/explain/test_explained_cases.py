"""Figures of an explanation, each from a case of its own."""

from datetime import date
from math import sqrt

import pytest

from ratings.explain.base import Case
from ratings.explain.elo import EloExplainer, steps_of
from ratings.explain.federations import rated_mates
from ratings.explain.glicko import Glicko2Explainer
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
        ({"margin": True}, "K grows with the margin: the factor is 1 up to a margin of 1 and 2 from 3 on."),
        (
            {"margin": "log", "margin_unit": 100, "margin_cap": 3},
            "K grows with the margin: the factor is 1 up to a margin of 100 and 3 from 700 on.",
        ),
        ({"margin": "log", "margin_cap": 100}, "K grows with the margin: the factor is 1 up to a margin of 1."),
        ({"margin": "nfl"}, "K grows with the margin, less for a favourite’s win and more for an outsider’s."),
        ({"margin": "share"}, "So a winner falls who won by less than was expected."),
        (
            {"margin": "capped", "margin_cap": 9},
            "The lead is the score that is rated: level is ½, a lead of 9 is 1.",
        ),
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
