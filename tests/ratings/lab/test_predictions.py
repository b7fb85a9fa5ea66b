"""What a system said before a game: from the club's own replay, and from nothing that came later."""

from datetime import date
from math import isnan, log

import numpy
import pytest
from hypothesis import given as having
from hypothesis import settings
from hypothesis import strategies as st

from ratings.lab.backtest import CONTENDERS
from ratings.lab.contenders import contender
from ratings.lab.engine import PLAIN
from ratings.lab.measures import Entrant, History, entrant, given, ruled
from ratings.lab.table import Table
from ratings.systems.base import PlayedGame, Start
from ratings.systems.replay import DatedRule, DatedRules
from tests.ratings.lab.streams import FIRST_DAY, history, invented

K20 = next(each for each in CONTENDERS if each.key == "elo-k20")
EVERYBODY = (*(entrant(each) for each in CONTENDERS), given("given", "Given"))


def test_elo_tells_what_elos_formula_says_of_the_ratings_before() -> None:
    """K 20, both at 1500: a win moves the two to 1510 and 1490, and 20 points ahead tell 0.5288."""
    found = entrant(K20).tell(history([(0, 1, 1.0), (0, 1, 0.0), (1, 2, 0.5)]), 1)
    assert found.expected.tolist() == pytest.approx([0.5, 0.528751, 0.500827], abs=1e-6)
    assert found.gaps.tolist() == pytest.approx([0.0, 20.0, 0.575021], abs=1e-5)


@pytest.mark.parametrize("key", [each.key for each in CONTENDERS if each.key != "bradley-terry"])
def test_the_labs_columns_tell_the_same_to_the_last_bit(key: str) -> None:
    """A second way: the columns of the studies, which never saw the replay."""
    games = invented(200)
    one = next(each for each in CONTENDERS if each.key == key)
    columns = tuple(zip(*((game.white, game.black, game.score) for game in games.games), strict=True))
    expected = Table(one, PLAIN, [1.0] * 8).trace(*columns)[0]
    gaps = Table(one, PLAIN, [1.0] * 8).trace(*columns, gaps=True)[0]
    found = entrant(one).tell(games, 100)
    numpy.testing.assert_array_equal(found.expected, expected)
    numpy.testing.assert_array_equal(found.gaps, gaps)


def test_within_a_period_nobodys_rating_moves() -> None:
    """Rated by the day, the second game of a day is told like the first."""
    by_day = entrant(contender("by-day", "By day", "elo", {"preset": "constant", "k": 20, "period": "day"}))
    found = by_day.tell(history([(0, 1, 1.0), (0, 1, 1.0), (0, 1, 1.0)], days=[0, 0, 1]), 1)
    assert found.gaps.tolist() == [0.0, 0.0, 40.0]


def test_whom_a_system_does_not_know_it_says_nothing_of() -> None:
    """FIDE's own rating by events knows no newcomers; whoever brings a rating is known."""
    fide = contender("fide-events", "FIDE", "elo", {"preset": "fide"})
    starts = [Start(player, date.fromordinal(FIRST_DAY), 1800.0 + 100.0 * player) for player in (0, 1)]
    found = entrant(fide, starts).tell(history([(0, 1, 1.0), (0, 2, 1.0)], days=[0, 1]), 1)
    assert found.expected[0] == pytest.approx(0.36)  # table 8.1.2 at 100 points
    assert isnan(found.expected[1])
    assert isnan(found.gaps[1])


def test_a_list_is_told_by_the_rule_of_the_games_day() -> None:
    """League to the first day's end, Elo from the second day on: the gap is there throughout, Elo's word only then."""
    league, elo = (contender(key, key, key) for key in ("league", "elo"))
    rules = DatedRules(
        [
            DatedRule(date.min, league.system, league.settings),
            DatedRule(date.fromordinal(FIRST_DAY + 1), elo.system, elo.settings),
        ]
    )
    found = ruled("club", "Club", rules).tell(history([(0, 1, 1.0), (0, 1, 1.0)], days=[0, 1]), 1)
    assert isnan(found.expected[0])
    assert found.gaps.tolist() == [0.0, 70.0]  # +40, −30
    assert found.expected[1] == pytest.approx(1.0 / (1.0 + 10.0 ** (-70.0 / 400.0)))


def test_given_ratings_tell_by_their_gap_where_both_are_known() -> None:
    found = given("given", "Given").tell(history([(0, 1, 1.0)] * 2, given={2: (1800.0, 1750.0)}), 1)
    assert numpy.isnan(found.expected).all()
    assert isnan(found.gaps[0])
    assert found.gaps[1] == 50.0


def test_bradley_terry_is_fitted_to_what_came_before() -> None:
    """One win before: with the virtual draws, half a win and half a loss each, θ = ±t has 2 p(t) + p(2t) = 2 with
    p the logistic law; the next game is told as p(2t). Of strangers it says ½."""
    bradley_terry = entrant(next(each for each in CONTENDERS if each.key == "bradley-terry"))
    found = bradley_terry.tell(history([(0, 1, 1.0), (0, 1, 1.0), (2, 3, 1.0)]), 1)
    assert isnan(found.expected[0])
    assert found.expected[2] == 0.5
    lead = log(found.expected[1] / (1.0 - found.expected[1]))
    own = 1.0 / (1.0 + numpy.exp(-lead / 2.0))
    # White's points, 1 won and ½ drawn, are those expected of him in his two games.
    assert own + found.expected[1] == pytest.approx(1.5)


def with_another_future(games: History, since: int, order: list[int], scores: list[float]) -> History:
    """From the game at `since` on other people meet, with other results, on the same days."""
    later = games.games[since:]
    mixed = [
        PlayedGame(own.game, later[at].black, later[at].white, score, own.order, own.rules_day)
        for own, at, score in zip(later, order, scores, strict=True)
    ]
    return History((*games.games[:since], *mixed), games.birth_years, games.dated, games.given)


@pytest.mark.extended
@pytest.mark.parametrize("one", EVERYBODY, ids=lambda one: str(one.key))
@settings(max_examples=5, deadline=None)
@having(data=st.data())
def test_another_future_changes_nothing_that_was_said_before(one: Entrant, data: st.DataObject) -> None:
    count, first = 60, 30
    games = invented(count, seed=data.draw(st.integers(0, 1000)), days=data.draw(st.sampled_from([None, 12])))
    games = History(games.games, {}, games.dated, {at: (1500.0 + at, 1500.0) for at in range(1, count + 1)})
    since = data.draw(st.integers(first, count - 1))
    order = data.draw(st.permutations(range(count - since)))
    scores = data.draw(st.lists(st.sampled_from([0.0, 0.5, 1.0]), min_size=count - since, max_size=count - since))
    found, other = (one.tell(each, first) for each in (games, with_another_future(games, since, order, scores)))
    numpy.testing.assert_array_equal(found.expected[:since], other.expected[:since])
    numpy.testing.assert_array_equal(found.gaps[:since], other.gaps[:since])


@pytest.mark.parametrize("one", EVERYBODY, ids=lambda one: str(one.key))
def test_a_games_own_result_is_not_in_what_was_said_of_it(one: Entrant) -> None:
    games = invented(60)
    games = History(games.games, {}, False, dict.fromkeys(range(1, 61), (1600.0, 1500.0)))
    last = games.games[-1]
    turned = History((*games.games[:-1], last._replace(score=1.0 - last.score)), {}, False, games.given)
    found, other = one.tell(games, 30), one.tell(turned, 30)
    numpy.testing.assert_array_equal(found.expected, other.expected)
    numpy.testing.assert_array_equal(found.gaps, other.gaps)
