"""Contests in their one form, and their replay."""

from collections.abc import Sequence
from datetime import date, timedelta
from itertools import permutations

import pytest

from ratings.systems import SYSTEMS, RatingSystem, rating_system
from ratings.systems.base import PlayedGame, PlayerState, Start, order_key
from ratings.systems.replay import DatedRule, DatedRules, RatedGame, replay
from ratings.systems.sides import GamesAndContests, PlayedContest, PlayedSide, RatedMember, in_one_form
from tests import ROOT

DAY = date(2026, 1, 5)
each_system = pytest.mark.parametrize(
    "system", [each for each in SYSTEMS if each.contest_rater(each.read_settings({}))], ids=lambda system: system.key
)


def side(place: int, *players: int, weight: float = 1.0) -> PlayedSide:
    return PlayedSide(place, players, (weight,) * len(players))


def contest(*sides: PlayedSide, number: int = 1) -> PlayedContest:
    return PlayedContest(number, in_one_form(sides), order_key(DAY, number), DAY.toordinal())


def rated(system: RatingSystem, *contests: PlayedContest) -> dict[int, PlayerState]:
    states: dict[int, PlayerState] = {}
    rows(system, contests, states)
    return states


def rows(
    system: RatingSystem, contests: Sequence[PlayedContest], states: dict[int, PlayerState], **raw: object
) -> list[RatedMember]:
    rules = DatedRules([DatedRule(date.min, system, system.read_settings(raw))])
    found = replay(GamesAndContests((), contests), [], states=states, birth_years={}, rules=rules)
    return [row for row in found if isinstance(row, RatedMember)]


@pytest.mark.parametrize("given", [(1, 2, 2, 4), (1, 2, 2, 3)])
def test_places_after_a_tie_are_written_in_one_way(given: tuple[int, ...]) -> None:
    found = in_one_form([side(place, player) for player, place in enumerate(given, start=1)])
    assert [one.place for one in found] == [1, 2, 2, 4]


def test_sides_stand_by_place_and_lowest_number_members_by_number() -> None:
    given = [PlayedSide(2, (9,), (1.0,), 3.5), PlayedSide(1, (8, 2), (0.5, 1.0)), PlayedSide(1, (7, 1), (1.0, 0.25))]
    assert in_one_form(given) == (
        PlayedSide(1, (1, 7), (0.25, 1.0)),
        PlayedSide(1, (2, 8), (1.0, 0.5)),
        PlayedSide(3, (9,), (1.0,), 3.5),
    )


@pytest.mark.parametrize(
    ("sides", "reason"),
    [
        ([side(1, 1)], "2 to 64 sides, this one has 1"),
        ([side(1, player) for player in range(65)], "this one has 65"),
        ([side(1, 1), side(2)], "1 to 32 players"),
        ([side(1, 1), side(2, *range(2, 35))], "1 to 32 players"),
        ([side(1, 1), side(2, 2, 1)], "twice"),
        ([side(1, 1), side(2, 2, weight=0.0)], "at least 0.001 and at most 1"),
        ([side(1, 1), side(2, 2, weight=1.01)], "at least 0.001 and at most 1"),
        ([side(1, 1), side(2, 2, weight=float("nan"))], "at least 0.001 and at most 1"),
        ([side(1, 1), PlayedSide(2, (2, 3), (1.0,))], "each with a share"),
        ([side(0, 1), side(1, 2)], "the places 0, 1 do not follow from each other: write 1, 2"),
        ([side(1, 1), side(3, 2)], "the places 1, 3 .*: write 1, 2"),
        ([side(1, 1), side(1, 2), side(2, 3), side(4, 4)], "the places 1, 1, 2, 4 .*: write 1, 1, 3, 4"),
    ],
)
def test_what_is_no_contest_is_refused(sides: list[PlayedSide], reason: str) -> None:
    with pytest.raises(ValueError, match=reason):
        in_one_form(sides)


@each_system
def test_every_system_has_its_page_and_reads_its_settings_again(system: RatingSystem) -> None:
    assert (ROOT / "docs" / "algorithms" / f"{system.key}.md").is_file()
    settings = system.read_settings({})
    assert system.read_settings(system.stored_settings(settings)) == settings
    with pytest.raises(ValueError, match="has no setting"):
        system.read_settings({"no such setting": 1})


@each_system
def test_the_order_of_entry_moves_no_bit(system: RatingSystem) -> None:
    """Ties of three as well."""
    sides = [side(1, 4, 2), side(1, 3), side(1, 1, 6, weight=0.5), side(4, 5)]
    found = [
        rated(system, contest(*(one._replace(players=one.players[::-1]) for one in mixed)))
        for mixed in permutations(sides)
    ]
    assert all(states == found[0] for states in found)


@each_system
@pytest.mark.parametrize("score", [1.0, 0.5, 0.0])
def test_two_sides_of_one_are_a_game(system: RatingSystem, score: float) -> None:
    settings = system.read_settings({})
    states: dict[int, PlayerState] = {}
    game = PlayedGame(1, 7, 3, score, order_key(DAY, 1), DAY.toordinal())
    rules = DatedRules([DatedRule(DAY, system, settings)])
    for _ in replay([game], [], states=states, birth_years={}, rules=rules):
        pass
    places = {1.0: (1, 2), 0.5: (1, 1), 0.0: (2, 1)}[score]
    assert states == rated(system, contest(side(places[0], 7), side(places[1], 3)))


@each_system
def test_a_contest_counts_once(system: RatingSystem) -> None:
    """Alone in first place is a win, first place shared a draw, all else a loss."""
    states = rated(
        system,
        contest(side(1, 1, 2), side(2, 3), side(2, 4), number=1),
        contest(side(1, 1), side(1, 3), side(3, 4), number=2),
    )
    records = {player: (state.wins, state.draws, state.losses) for player, state in sorted(states.items())}
    assert records == {1: (1, 1, 0), 2: (1, 0, 0), 3: (0, 1, 1), 4: (0, 0, 2)}
    assert [states[player].games for player in (1, 2, 3, 4)] == [2, 1, 2, 2]


def test_rows_say_what_was_before_and_after() -> None:
    system = rating_system("trueskill")
    states: dict[int, PlayerState] = {}
    found = rows(system, [contest(side(2, 1), side(1, 2))], states)
    assert [(row.player, row.side, row.place, row.before) for row in found] == [(2, 1, 1, 25.0), (1, 2, 2, 25.0)]
    assert [row.games for row in found] == [0, 0]
    two = [contest(side(1, 1, 2), side(2, 3)), contest(side(1, 3), side(2, 1, 2), number=2)]
    counted = [(row.contest.contest, row.player) for row in rows(system, two, {}) if row.is_rated]
    assert counted == [(1, 1), (2, 3)], "one row stands for each contest"
    assert found[0].after == pytest.approx(29.395832)
    assert found[0].deviation_after == pytest.approx(7.171476)
    assert system.listed(system.read_settings({}), states[2]) == pytest.approx(29.395832 - 3 * 7.171476)


@pytest.mark.parametrize(("period", "before"), [("month", 1540.0), ("event", 1500.0)])
def test_a_period_that_is_over_counts_before_a_contest_and_an_event_under_way_is_not_moved_by_one(
    period: str, before: float
) -> None:
    """Two games under a rule by the period, one of them before and one after a contest by a rule by the game."""
    elo, since = rating_system("elo"), DAY + timedelta(30)
    raw: list[tuple[date, dict[str, str]]] = [(date.min, {"period": period}), (since, {})]
    rules = DatedRules([DatedRule(day, elo, elo.read_settings(settings)) for day, settings in raw])
    on = since + timedelta(1)
    cup = PlayedGame(1, 1, 2, 1.0, order_key(DAY, 1), DAY.toordinal())._replace(event="cup", closed=True)
    other = cup._replace(game=2, order=order_key(DAY, 9))
    games = [cup, other if period == "month" else other._replace(white=3, order=order_key(on, 9))]
    sides = in_one_form([side(1, 3), side(2, 1), side(3, 4)])
    table = PlayedContest(3, sides, order_key(on, 3), on.toordinal())
    known = [Start(3, DAY - timedelta(1), 1500, 40)]
    found = list(replay(GamesAndContests(games, [table]), known, states={}, birth_years={}, rules=rules))
    assert [row.before for row in found if isinstance(row, RatedMember)] == [1500.0, before, 1500.0]
    assert [row.white.before for row in found if isinstance(row, RatedGame)] == [1500.0] * 2


def test_a_list_shows_nothing_for_a_newcomer_of_trueskill() -> None:
    system = rating_system("trueskill")
    settings = system.read_settings({})
    newcomer = system.newcomer(settings, None, DAY.toordinal())
    assert newcomer is not None
    assert system.listed(settings, newcomer) == pytest.approx(0)
    assert system.expected(settings, newcomer, newcomer) == 0.5
