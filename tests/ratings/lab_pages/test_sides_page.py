"""The page on sides: every answer is chosen by the figures, and stands there in every language."""

import copy
from collections.abc import Callable
from typing import Any

import pytest

from ratings.lab_pages.charts import result_document
from ratings.lab_pages.views.sides import ANSWERS, carried_answer, combine_answer, margin_answer, side_of, table_answer
from ratings.lab_pages.words import SIDES_WORLDS

pytestmark = pytest.mark.django_db
ABOVE, BELOW, OPEN = ({"mean": mean, "low": mean - 1.0, "high": mean + 1.0} for mean in (2.0, -2.0, 0.5))


@pytest.fixture
def document() -> dict[str, Any]:
    return copy.deepcopy(result_document("sides"))


def test_an_interval_decides_only_where_the_value_is_not_in_it() -> None:
    assert [side_of(found) for found in (ABOVE, BELOW, OPEN)] == [1, -1, 0]
    assert side_of(ABOVE, 2.5) == 0
    assert side_of({"mean": 1.0, "low": None, "high": None}) == 0


@pytest.mark.parametrize(
    ("worth", "said"),
    [(5.0, "Less than the seven games"), (9.0, "More than the seven games"), (7.0, "not for every system")],
)
def test_a_table_of_eight_is_held_against_seven_games(document: dict[str, Any], worth: float, said: str) -> None:
    figures = {"mean": worth, "low": worth - 1.0, "high": worth + 1.0, "reached": document["replications"]}
    document["tables"] = {"elo-mean": {"8": figures}, "trueskill": {"8": figures}}
    found = table_answer(document)
    assert said in found.verdict
    assert f"{worth:.1f} " in found.verdict
    document["tables"]["trueskill"]["8"] = figures | {"reached": 1, "mean": 100.0}  # of whom too little is known
    assert "100" not in table_answer(document).verdict
    document["tables"] = {"trueskill": document["tables"]["trueskill"]}
    assert table_answer(document).verdict == "The runs were too short to say."


@pytest.mark.parametrize(
    ("told", "far", "said"),
    [
        (BELOW, ABOVE, "predicts better than K/(n − 1)"),
        (BELOW, OPEN, "wastes what a table tells"),
        (ABOVE, ABOVE, "ratings swing"),
        (OPEN, OPEN, "do not decide"),
    ],
)
def test_what_dividing_k_costs_is_said_by_both_figures(
    document: dict[str, Any], told: dict[str, float], far: dict[str, float], said: str
) -> None:
    document["worlds"]["alone-8"]["differences"]["elo-none"] = {"log_loss": told, "rms": far}
    assert said in table_answer(document).more


@pytest.mark.parametrize(
    ("mean", "total", "said"),
    [
        (ABOVE, BELOW, "As the game is"),
        (ABOVE, ABOVE, "The mean, whatever"),
        (BELOW, BELOW, "The sum, whatever"),
        (OPEN, BELOW, "do not decide it"),
    ],
)
def test_mean_or_sum_is_asked_in_both_worlds(
    document: dict[str, Any], mean: dict[str, float], total: dict[str, float], said: str
) -> None:
    for key, found in (("uneven-mean", mean), ("uneven-sum", total)):
        document["worlds"][key]["differences"]["elo-sum"]["log_loss"] = found
    assert said in combine_answer(document).verdict
    sentences = set()
    for found in (ABOVE, BELOW, OPEN):
        document["worlds"]["pairs"]["differences"]["elo-sum"]["log_loss"] = found
        sentences.add(combine_answer(document).more)
    assert len(sentences) == 3


@pytest.mark.parametrize(
    ("whole", "settled", "said"),
    [
        (BELOW, BELOW, "Yes: "),
        (BELOW, OPEN, "it does not show."),
        (BELOW, ABOVE, "once ratings have settled, worse."),
        (OPEN, OPEN, "Not that it shows: "),
        (ABOVE, ABOVE, "No: "),
        (OPEN, ABOVE, "It depends"),
    ],
)
def test_the_margin_is_asked_about_all_evenings_and_about_settled_ones(
    document: dict[str, Any], whole: dict[str, float], settled: dict[str, float], said: str
) -> None:
    document["margin"]["all"]["difference"], document["margin"]["settled"]["difference"] = whole, settled
    assert said in margin_answer(document).verdict


@pytest.mark.parametrize(
    ("newcomer", "strong", "said"),
    [
        (ABOVE, BELOW, "The newcomer gains and the strong player pays"),
        (ABOVE, OPEN, "The newcomer gains in every system;"),
        (OPEN, BELOW, "The strong player pays in every system;"),
        (OPEN, OPEN, "In no system"),
        (BELOW, ABOVE, "It depends"),
    ],
)
def test_who_gains_is_said_of_both(
    document: dict[str, Any], newcomer: dict[str, float], strong: dict[str, float], said: str
) -> None:
    document["carried"] = {key: {"newcomer": newcomer, "strong": strong} for key in ("elo-mean", "trueskill")}
    assert carried_answer(document).verdict.startswith(said)
    mixed = copy.deepcopy(document)
    mixed["carried"]["trueskill"] = {"newcomer": BELOW, "strong": ABOVE}
    assert carried_answer(mixed).verdict == "It depends on the system."


@pytest.mark.extended
@pytest.mark.parametrize("language", ["", "/ru", "/zh-hans", "/zh-hant"])
def test_the_page_answers_in_every_language_and_asks_the_database_nothing(
    opened: Callable[[str], Any], document: dict[str, Any], language: str
) -> None:
    page = opened(f"{language}/lab/sides/")
    text = page.text
    assert document["made_by"] in text
    assert text.count("<table") == len(ANSWERS) + 1 + len(SIDES_WORLDS)  # the first answer has two
    if not language:
        assert all(answer(document).verdict in text for answer in ANSWERS)
