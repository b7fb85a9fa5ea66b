"""A league of teams: playouts against every ending of a tiny one, sums, postponed matches, and what a team needs."""

from collections.abc import Iterator
from dataclasses import replace
from itertools import product

import numpy
import pytest

from ratings.systems.draws import odds_of
from ratings.systems.elo import expected_score
from tests.tournaments.forecast.playing_cases import RATE, known, rng, unsure
from tournaments.forecast.adviser import Estimate
from tournaments.forecast.needs import Verdict
from tournaments.forecast.posterior import Prior
from tournaments.forecast.team_league import Fixture, League, LeagueEndings, estimate, independent, play_league
from tournaments.forecast.team_match import MatchRule
from tournaments.forecast.team_needs import team_needs
from tournaments.standings.team_event import BoardPoints, TeamEvent, TeamMeeting, TeamPenalty, TeamScoring, team_scores

TWO = TeamScoring(2)
STRENGTHS = known(1600, 1500, 1550, 1480, 1520, 1560)
LINE_UPS = {1: (1, 2), 2: (3, 4), 3: (5, 6)}


def meeting(first: int, second: int, *boards: tuple[int, int] | None) -> TeamMeeting:
    points = (BoardPoints(at, *(board or (0, 0)), decided=board is not None) for at, board in enumerate(boards, 1))
    return TeamMeeting(1, first, second, tuple(points))


def league(
    meetings: tuple[TeamMeeting, ...],
    *fixtures: tuple[int, int],
    scoring: TeamScoring = TWO,
    teams: int = 3,
    **more: object,
) -> League:
    event = TeamEvent(tuple(range(1, teams + 1)), scoring, meetings, **more)
    line_ups = LINE_UPS | {team: (1, 2) if team % 2 else (3, 4) for team in range(4, teams + 1)}
    return League(event, tuple(Fixture(*pair) for pair in fixtures), line_ups, MatchRule(scoring, RATE))


def all_endings(running: League) -> Iterator[tuple[float, TeamEvent]]:
    """Every ending with its chance, written down as finished matches: a second way that shares no playout."""
    ways = []
    for match in running.matches:
        games = []
        for at, (one, other) in enumerate(zip(LINE_UPS[match.first], LINE_UPS[match.second], strict=True)):
            known_board = match.boards[at] if isinstance(match, TeamMeeting) else None
            if known_board is not None and known_board.decided:
                games.append([(1.0, known_board)])
                continue
            own, his = STRENGTHS.draws[0, one - 1], STRENGTHS.draws[0, other - 1]
            odds = odds_of(expected_score(float(own), float(his)), RATE)
            parts = ((odds.win, 2, 0), (odds.draw, 1, 1), (odds.loss, 0, 2))
            games.append([(chance, BoardPoints(at + 1, mine, theirs)) for chance, mine, theirs in parts])
        ways.append((match, list(product(*games))))
    decided = tuple(each for each in running.event.meetings if each.decided)
    for ending in product(*(boards for _match, boards in ways)):
        chance = float(numpy.prod([part for boards in ending for part, _board in boards]))
        pairs = zip(ways, ending, strict=True)
        played = (TeamMeeting(2, m.first, m.second, tuple(b for _c, b in boards)) for (m, _ways), boards in pairs)
        event = running.event
        yield chance, TeamEvent(event.teams, event.scoring, (*decided, *played), penalties=event.penalties)


def exact_places(running: League) -> numpy.ndarray:
    found = numpy.zeros((3, 3))
    for chance, event in all_endings(running):
        scores = [(each.match_points, each.game_points) for each in team_scores(event).values()]
        if event.scoring.primary == "GP":
            scores = [score[::-1] for score in scores]
        for team, own in enumerate(scores):
            ahead, level = sum(score > own for score in scores), scores.count(own)
            found[team, ahead : ahead + level] += chance / level
    return found


@pytest.mark.parametrize(
    "running",
    [
        league((), (1, 2), (2, 3), (3, 1)),
        league((meeting(1, 2, (1, 1), None),), (3, 1), penalties=(TeamPenalty(1, 1, -1, -1),)),
        league((meeting(2, 3, (2, 0), (1, 1)),), (1, 2), (3, 1), scoring=TeamScoring(2, primary="GP")),
        league((), (1, 2), (2, 3), (1, 3), scoring=TeamScoring(2, win=6)),
    ],
    ids=["all to come", "one under way", "game points first", "three points a win"],
)
def test_playouts_agree_with_all_endings_of_a_tiny_league(running: League) -> None:
    endings, exact = play_league(running, STRENGTHS, 20_000, rng()), exact_places(running)
    for at, team in enumerate(running.teams):
        for place in (1, 2, 3):
            found = endings.chance(team, place, place)
            assert abs(found.value - exact[at, place - 1]) <= 4.5 * max(found.error, 1e-4)
            assert found.error < 0.004


@pytest.fixture(scope="module")
def endings() -> LeagueEndings:
    """Six teams, one match played, all others to come."""
    pairs = [(one, other) for one in range(1, 7) for other in range(one + 1, 7)][1:]
    running = league((meeting(1, 2, (2, 0), (1, 1)),), *pairs, teams=6)
    return play_league(running, unsure(*STRENGTHS.draws[0], draws=50), 2_000, rng())


def test_chances_of_places_add_up_and_going_up_and_down_are_their_sums(endings: LeagueEndings) -> None:
    places = endings.places()
    assert numpy.abs(places.sum(axis=0) - 1.0).max() < 1e-9
    assert numpy.abs(places.sum(axis=1) - 1.0).max() < 1e-9
    assert endings.title(2).value == pytest.approx(places[1, 0])
    assert endings.promotion(2, 2).value == pytest.approx(places[1, :2].sum())
    assert endings.relegation(2, 2).value == pytest.approx(places[1, 4:].sum())


def test_every_match_to_come_is_played_and_brings_all_its_points(endings: LeagueEndings) -> None:
    """Fifteen matches of four half match points and four half game points: a postponed one is never 0–0."""
    assert set(endings.match_points.sum(axis=1)) == {60}
    assert set(endings.game_points.sum(axis=1)) == {60}
    assert sum(endings.expected(team)[0].value for team in range(1, 7)) == pytest.approx(60.0)


def test_playouts_with_the_same_strengths_are_not_counted_as_independent() -> None:
    rows = numpy.repeat(numpy.arange(4), 25)
    found = estimate(rows.astype(float), rows)
    assert (found.value, found.error) == (1.5, pytest.approx(numpy.std([0, 1, 2, 3], ddof=1) / 2))
    assert estimate(numpy.ones(100), rows).error == 0.0
    assert estimate(numpy.array([2.0]), numpy.array([0])) == Estimate(2.0, 0.0), "one playout is taken for certain"


def test_a_team_without_players_is_beaten_and_one_that_left_is_not_ranked() -> None:
    running = league((), (1, 2), (1, 3), annulled=frozenset({3}))
    short = League(running.event, running.fixtures, {1: (1, 2), 2: ()}, MatchRule(TWO, RATE, minimum=1))
    found = play_league(short, STRENGTHS, 5, rng())
    assert found.places().tolist() == [[1.0, 0.0], [0.0, 1.0]]
    assert found.game_points.tolist() == [[4, 0]] * 5
    needs = team_needs(found, 2).needs
    assert (needs.verdict, needs.opponents) == (Verdict.LOST, ())


def test_a_first_team_below_the_minimum_loses_though_its_games_may_count_and_a_match_that_has_begun_goes_on() -> None:
    event = league((), (1, 2)).event
    short = League(event, (Fixture(1, 2),), {1: (1,), 2: (3, 4, 5)}, MatchRule(TWO, RATE, minimum=2, games_count=True))
    found = play_league(short, STRENGTHS, 50, rng())
    assert (set(found.results[:, 0]), set(found.match_points[:, 0])) == ({0}, {0})
    assert set(found.game_points[:, 0]) == {0, 1, 2}
    begun = TeamEvent((1, 2, 3), TWO, (meeting(1, 2, (2, 0), None),))
    found = play_league(League(begun, (), short.line_ups, MatchRule(TWO, RATE, minimum=2)), STRENGTHS, 5, rng())
    assert found.game_points[:, :2].tolist() == [[2, 2]] * 5, "board 2 has nobody, the match is drawn"


def test_strengths_by_mean_and_deviation_are_drawn_independently() -> None:
    found = independent({4: Prior(1500.0, 100.0), 7: Prior(1700.0, 0.0)}, RATE, 4_000, rng())
    assert (found.players, found.mean(7), found.deviation(7)) == ((4, 7), 1700.0, 0.0)
    assert abs(found.mean(4) - 1500.0) < 4 * 100.0 / 4_000**0.5
    assert found.deviation(4) == pytest.approx(100.0, rel=0.05)


def test_wrong_fixtures_and_missing_line_ups_are_named() -> None:
    for pair in ((1, 1), (1, 9)):
        with pytest.raises(ValueError, match="no match of two teams"):
            league((), pair)
    with pytest.raises(ValueError, match="who plays for team 2"):
        League(league(()).event, (Fixture(1, 2),), {1: (1, 2)}, MatchRule(TWO, RATE))
    with pytest.raises(ValueError, match="At least one draw"):
        independent({}, RATE, 0, rng())
    assert len(independent({4: Prior(1500.0, 100.0)}, RATE, 1, rng()).draws) == 1


# --- what a team needs --------------------------------------------------------------------------------------------
def verdicts(running: League, team: int, top: int = 1) -> dict[tuple[int, ...], str]:
    needs = team_needs(play_league(running, STRENGTHS, 400, rng()), team, top).needs
    return {line.own: line.verdict.value for line in needs.lines}


def test_what_a_leader_needs_by_hand() -> None:
    """1 has 2 match points and meets 3, who has 2 as well; 2, with none, is out of reach of nobody it still meets."""
    running = league((meeting(1, 2, (2, 0), (2, 0)), meeting(3, 2, (2, 0), (2, 0))), (1, 3))
    assert verdicts(running, 1) == {(0,): "lost", (1,): "open", (2,): "sure"}
    assert verdicts(running, 2, top=2) == {(): "lost"}


@pytest.mark.parametrize("team", [1, 2, 3])
@pytest.mark.parametrize("top", [1, 2])
def test_verdicts_hold_in_every_ending(team: int, top: int) -> None:
    running = league((meeting(1, 2, (1, 1), None), meeting(3, 2, (2, 0), (1, 1))), (3, 1), (2, 3))
    said = verdicts(running, team, top)
    met: dict[tuple[int, ...], set[bool]] = {}
    for _chance, event in all_endings(running):
        scores = team_scores(event)
        own = tuple(
            scoring[side] // 2
            for match in event.meetings[1:]
            for side, number in enumerate((match.first, match.second))
            if number == team
            for scoring in [event.scoring.match_points(match)]
        )
        key = {number: (each.match_points, each.game_points) for number, each in scores.items()}
        met.setdefault(own, set()).add(sum(each > key[team] for each in key.values()) < top)
    assert set(said) == set(met)
    for own, verdict in said.items():
        expected = {"sure": {True}, "lost": {False}}.get(verdict)
        assert expected is None or met[own] == expected


def test_a_match_the_boards_have_decided_is_no_longer_open_and_impossible_results_are_left_out() -> None:
    won = league((meeting(1, 2, (2, 0), (2, 0), None),), scoring=TeamScoring(3), teams=2)
    won = League(won.event, (), {1: (1, 2, 5, 6), 2: (3, 4, 6)}, won.rule)
    assert verdicts(won, 1) == {(): "sure"}
    by_games = replace(won.event, scoring=TeamScoring(3, primary="GP"))
    assert verdicts(League(by_games, (), won.line_ups, won.rule), 1) == {(): "open"}
    ahead = league((meeting(1, 2, (2, 0), None),), (1, 3))
    assert set(verdicts(ahead, 2)) == {(0,), (1,)}


def test_chances_beside_the_lines_are_those_of_the_playouts_with_these_results() -> None:
    running = league((), (1, 2), (3, 1))
    needs = team_needs(play_league(running, STRENGTHS, 8_000, rng()), 1)
    exact: dict[tuple[int, ...], list[float]] = {}
    for chance, event in all_endings(running):
        key = [(each.match_points, each.game_points) for each in team_scores(event).values()]
        own = (
            event.scoring.match_points(event.meetings[0])[0] // 2,
            event.scoring.match_points(event.meetings[1])[1] // 2,
        )
        part = exact.setdefault(own, [0.0, 0.0])
        part[0] += chance
        part[1] += chance / key.count(key[0]) if max(key) == key[0] else 0.0
    assert set(needs.chances) == set(exact)
    for own, found in needs.chances.items():
        assert abs(found.value - exact[own][1] / exact[own][0]) <= 4.5 * found.error


def test_where_game_points_come_first_or_wins_bring_three_only_chances_are_told() -> None:
    for scoring in (TeamScoring(2, primary="GP"), TeamScoring(2, win=6), TeamScoring(2, loss=1)):
        running = league((meeting(1, 3, (2, 0), (2, 0)),), (1, 2), (2, 3), scoring=scoring)
        assert verdicts(running, 1) == dict.fromkeys(((0,), (1,), (2,)), "open")
    consoled = league((), (1, 2), (2, 3), scoring=TeamScoring(2, loss=1))
    assert set(verdicts(consoled, 1, top=2).values()) == {"open"}, "a loss brings a point"
    odd = league((), (1, 2), penalties=(TeamPenalty(1, 1, match_points=-1),))
    assert set(verdicts(odd, 1).values()) == {"open"}
    for team, top, said in ((9, 1, "not in the table"), (1, 0, "is nobody")):
        with pytest.raises(ValueError, match=said):
            team_needs(play_league(odd, STRENGTHS, 5, rng()), team, top)
