"""The page of gaps and scores: one value looked up, and the printed tables, without a database."""

from django.test import RequestFactory
from django.utils.translation import override

from ratings.calculators.tables import gap_words
from ratings.calculators.views.expected import ANCHORS, band_row, difference_row, expected
from ratings.systems.fide_tables import expected_percent, rating_difference


def ask(rf: RequestFactory, **asked: object) -> str:
    """The page's text, made by the view alone: no client, no session, no database."""
    return " ".join(expected(rf.get("/tools/expected/", asked)).content.decode().split())


def test_one_gap_or_one_score_by_every_law_or_both(rf: RequestFactory) -> None:
    text = ask(rf, gap=200)
    part = text[text.index("A gap of 200") : text.index('id="anchors"')]
    for figure in ("0.760", "0.758", "0.750", "0.240", "0.242", "0.250"):
        assert figure in part
    assert "A score of" not in text
    text = ask(rf, score=76)
    part = text[text.index("A score of 76 %") : text.index('id="anchors"')]
    for figure in ("202", "198 to 206", "200", "208"):
        assert figure in part
    assert "A gap of" not in text
    assert "A gap of 200.5" in ask(rf, gap="200.5")
    text = ask(rf, gap=-433, score="50")
    for said in ("A gap of −433", "A score of 50 %", "−3 to 3"):
        assert said in text


def test_an_example_stands_there_ready_with_figures_as_the_language_writes_them(rf: RequestFactory) -> None:
    text = ask(rf)
    for said in ("an example", "tables 8.1.1 and 8.1.2", "620–735*"):
        assert said in text
    with override("ru"):
        assert "0,760" in ask(rf, gap=200)


def test_bad_input_is_answered_at_its_field(rf: RequestFactory) -> None:
    for asked, said in (
        ({"gap": "x"}, "Enter a number."),
        ({"gap": "4001"}, "Write a number from -4000 to 4000."),
        ({"score": "101"}, "Write a number from 0 to 100."),
        ({"gap": "", "score": ""}, "Write a gap or a score."),
        ({"gap": "nan"}, "Enter a number."),
    ):
        text = ask(rf, **asked)
        assert said in text
        assert 'class="error"' in text
        assert "From the gap to the score" in text, "the tables stay"


def test_the_tables_cover_every_gap_once_and_are_the_regulations() -> None:
    rows = [band_row(percent) for percent in range(50, 101)]
    assert rows[0].low == 0
    assert [row.high + 1 for row in rows[:-1] if row.high is not None] == [row.low for row in rows[1:]]
    assert all(expected_percent(row.low) == row.percent for row in rows)
    assert [row.percent for row in rows if row.xiangqi] == [99, 100]
    assert [difference_row(percent).difference for percent in (50, 75, 100)] == [0, 193, 800]
    assert difference_row(100).curve is None
    assert all(difference_row(percent).difference == rating_difference(percent) for percent in range(50, 101))
    assert list(ANCHORS) == sorted(ANCHORS)
    assert {0, 200, 400, 600, 735} <= set(ANCHORS)


def test_gaps_in_words() -> None:
    inf = float("inf")
    assert gap_words(None) == "–"
    assert gap_words((193.0, 193.0)) == "193"
    assert gap_words((-193.0, -193.0)) == "−193"
    assert gap_words((189, 197)) == "189 to 197"
    assert gap_words((736, inf)) == "from 736 on"
    assert gap_words((-inf, -736)) == "up to −736"
    assert gap_words((inf, inf)) == "without end"
    assert gap_words((-0.2, -0.2)) == "0"
