"""The team Swiss article by article (FIDE C.04.6, 2026): positions worked by hand, and whole events."""

from collections.abc import Iterator, Sequence
from itertools import combinations
from operator import attrgetter
from random import Random
from typing import Any

import pytest

from tests.tournaments.pairing.team_swiss_fields import seeded_field
from tournaments.pairing.base import PairingError
from tournaments.pairing.team_swiss.bracket import Pair, PairedBracket, failures_of, pair_bracket
from tournaments.pairing.team_swiss.field import Contender, TeamField, contenders_of
from tournaments.pairing.team_swiss.legal import Legal
from tournaments.pairing.team_swiss.pairing import pair_teams, paired_round
from tournaments.pairing.team_swiss.preference import Preference, preference_of
from tournaments.pairing.team_swiss.system import TeamSwiss
from tournaments.pairing.team_swiss.why import why, why_not
from tournaments.standings.team_event import BoardPoints, TeamBye, TeamMeeting, TeamScoring

SCORING = TeamScoring(boards=2)
WON, DRAWN = (BoardPoints(1, 2, 0), BoardPoints(2, 2, 0)), (BoardPoints(1, 2, 0), BoardPoints(2, 0, 2))
DEFAULTED = tuple(BoardPoints(board, 2, 0, played=False) for board in (1, 2))
NAMES = {"W": True, "B": False}


def field(count: int, meetings: list[TeamMeeting] | None = None, **changes: Any) -> TeamField:
    """A field of teams 1 to `count` before the round after the last meeting."""
    played = tuple(meetings or ())
    given: dict[str, Any] = {"byes": (), "rounds": 9, "scoring": SCORING, "present": frozenset(range(1, count + 1))}
    given |= {"round": 1 + max((meeting.round for meeting in played), default=0)} | changes
    return TeamField(teams=tuple(range(1, count + 1)), meetings=played, **given)


def pairs(of: TeamField) -> list[tuple[int, int]]:
    return [(pair.white, pair.black or 0) for pair in pair_teams(of)]


# --- art. 1.7 -----------------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("had", "type_a", "type_b"),
    [
        ("", "", ""),
        ("W", "", "b"),
        ("B", "", "w"),
        ("WW", "B", "B"),
        ("WB", "", "w"),
        ("WWB", "", "b"),
        ("WBB", "W", "W"),
        ("WWBB", "W", "W"),
        ("WWWBB", "", "b"),  # two Blacks running, but more Whites than Blacks
        ("BBWBW", "", "w"),
        ("WBWW", "B", "B"),
    ],
)
def test_a_team_is_due_a_colour(had: str, type_a: str, type_b: str) -> None:
    colours = tuple(NAMES[colour] for colour in had)
    for kind, due in (("A", type_a), ("B", type_b), ("none", "")):
        expected = Preference(NAMES[due.upper()], strong=due.isupper()) if due else Preference()
        assert preference_of(colours, kind) == expected  # type: ignore[arg-type]


def test_before_the_last_round_only_mild_preferences_of_balanced_colours_go() -> None:
    assert preference_of((True, False), "B", last=True) == Preference()
    assert preference_of((True,), "B", last=True) == Preference(False)
    assert preference_of((True, True, False, False), "B", last=True) == Preference(True, strong=True)


# --- art. 2 and 3 -------------------------------------------------------------------------------------------------
def test_the_first_round_is_the_upper_half_against_the_lower() -> None:
    assert pairs(field(4)) == [(1, 3), (4, 2)]
    assert pairs(field(6)) == [(1, 4), (5, 2), (3, 6)]
    assert pairs(field(6, **TeamSwiss().field_settings({"first_colour": "black"}))) == [(4, 1), (2, 5), (6, 3)]
    assert pairs(field(5)) == [(1, 3), (4, 2), (5, 0)]


def test_odd_and_even_are_counted_among_teams_that_have_come() -> None:
    assert pairs(field(5, present=frozenset({1, 3, 4, 5}))) == [(1, 4), (5, 3)]


def test_a_match_that_nobody_came_to_may_be_paired_again_and_its_winner_has_no_bye() -> None:
    gone = [TeamMeeting(1, 1, 2, DEFAULTED)]
    assert pairs(field(2, gone)) == [(1, 2)]
    assert not contenders_of(field(2, gone))[0].may_have_bye
    one_came = [TeamMeeting(1, 1, 2, (BoardPoints(1, 2, 0), BoardPoints(2, 2, 0, played=False)))]
    assert contenders_of(field(2, one_came))[0].may_have_bye
    with pytest.raises(PairingError, match="cannot all be paired"):
        pair_teams(field(2, one_came))


def test_the_bye_goes_to_the_lowest_score_then_the_most_matches_then_the_largest_number() -> None:
    first = [TeamMeeting(1, 1, 4, WON), TeamMeeting(1, 5, 2, WON)]
    bye = (SCORING.bye(1, 3, "pab"),)
    assert (bye[0].match_points, bye[0].game_points) == (2, 2)  # a drawn match of two boards (art. 1.4)
    assert pairs(field(5, first, byes=bye))[-1] == (4, 0)
    assert "had a bye" in why_not(field(5, first, byes=bye), 3, 0)[0].text
    assert "lowest score" in why_not(field(5, first, byes=bye), 1, 0)[0].text
    absent = (*bye, TeamBye(1, 6, "zero", 0, 0), TeamBye(1, 7, "zero", 0, 0))
    assert pairs(field(7, first, byes=absent))[-1] == (4, 0)


def test_one_team_or_more_than_a_swiss_takes_are_not_paired(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(PairingError, match="two teams at least: 1 are there"):
        pair_teams(field(3, present=frozenset({2})))
    monkeypatch.setattr("tournaments.pairing.team_swiss.field.MOST_TEAMS", 4)
    assert pair_teams(field(4))
    monkeypatch.setattr("tournaments.pairing.team_swiss.field.MOST_TEAMS", 3)
    with pytest.raises(PairingError, match="up to 3 teams, not 4"):
        pair_teams(field(4))


def test_a_requested_bye_and_a_pair_kept_apart() -> None:
    assert pairs(field(5, present=frozenset({1, 2, 3, 4}))) == [(1, 3), (4, 2)]
    assert pairs(field(4, prohibited=frozenset({frozenset({1, 3})}))) == [(1, 4), (3, 2)]


def test_upfloaters_are_chosen_bracket_by_bracket() -> None:
    """1 beat 2, the others drew: of the teams on one point 3 comes first, and leaves the others pairable."""
    made = field(6, [TeamMeeting(1, 1, 2, WON), TeamMeeting(1, 3, 4, DRAWN), TeamMeeting(1, 5, 6, DRAWN)], rounds=3)
    assert pairs(made) == [(3, 1), (4, 6), (2, 5)]
    assert [[team.number for team in bracket.upfloaters] for bracket in paired_round(made).brackets] == [[3], [2]]


@pytest.mark.parametrize(
    ("barred", "upfloaters"),
    [((), [2, 6, 8]), (((2, 6), (2, 8), (6, 8)), [2, 6, 8]), (((4, 8), (7, 8), (9, 8)), [2, 6, 1])],
)
def test_upfloaters_have_the_highest_scores_that_can_be_had(
    barred: tuple[tuple[int, int], ...], upfloaters: list[int]
) -> None:
    """The position of 3.5.4: 2, 6, 8 have more points than 1, 3, 5; 4, 7, 9, who have met, need three upfloaters."""
    scores = {4: 8, 7: 8, 9: 8, 2: 6, 6: 6, 8: 6, 1: 5, 3: 5, 5: 5, 10: 0}
    byes = tuple(TeamBye(1, team, "zero", points, 0) for team, points in scores.items())
    apart = {frozenset(pair) for pair in ((4, 7), (4, 9), (7, 9), *barred)}
    made = paired_round(field(10, byes=byes, round=2, prohibited=frozenset(apart)))
    assert [team.number for team in made.brackets[0].upfloaters] == upfloaters


def team(number: int, score: int, due: str = "", *, floated: bool = False) -> Contender:
    preference = Preference(NAMES[due.upper()], strong=due.isupper()) if due else Preference()
    return Contender(number, score, score, 0, (), preference, frozenset(), True, floated, True)


def bracket(teams: list[Contender], apart: list[tuple[int, int]], last_two: bool = False) -> PairedBracket:
    return pair_bracket(teams, Legal(teams, [frozenset(pair) for pair in apart]), last_two=last_two)


def test_a_group_that_can_be_paired_below_counts_more_than_a_float_of_the_round_before() -> None:
    """1 takes 2, 3 or 4. Without 3 the next group has two who must not meet; but 3 floated last round (C6, C7)."""
    teams = [team(1, 4), team(2, 2), team(3, 2, floated=True), team(4, 2), team(5, 0), team(6, 0)]
    assert [one.number for one in bracket(teams, [(2, 3), (3, 4)]).upfloaters] == [3]
    assert [one.number for one in bracket(teams, []).upfloaters] == [2]
    assert [one.number for one in bracket([teams[0], *teams[2:4], teams[4]], []).upfloaters] == [4]
    assert [one.number for one in bracket([teams[0], *teams[2:4], teams[4]], [], last_two=True).upfloaters] == [3]


def test_all_preferences_count_more_than_the_strong_ones() -> None:
    """1–2 denies one strong preference, 1–3 with 2–4 two mild ones (C8, C9)."""
    apart = [(1, 4), (1, 5), (1, 6), (2, 3), (2, 5), (2, 6)]
    teams = [team(1, 2, "W"), team(2, 2, "W"), team(3, 2, "w"), team(4, 2, "w"), team(5, 2), team(6, 2)]
    met = [{one.number, other.number} for one, other in bracket(teams, [*apart, (3, 4)]).pairs]
    assert {1, 2} in met


def test_virtual_points_of_baku_keep_the_halves_apart() -> None:
    assert pairs(field(8, acceleration="baku")) == [(1, 3), (4, 2), (5, 7), (8, 6)]
    by_games = TeamScoring(boards=2, primary="GP")
    assert pairs(field(8, acceleration="baku", scoring=by_games, round=6)) == [(1, 5), (6, 2), (3, 7), (8, 4)]


@pytest.mark.parametrize(("primary", "win"), [("MP", 4), ("GP", 8)])
def test_a_virtual_win_is_that_of_the_score_which_decides(primary: Any, win: int) -> None:
    """Four boards: a match won brings 2 match points, or 4 game points at most (here in halves)."""
    accelerated = field(4, acceleration="baku", scoring=TeamScoring(boards=4, primary=primary))
    assert [one.score for one in contenders_of(accelerated)] == [win, win, 0, 0]
    matches = [TeamMeeting(1, 1, 3, WON), TeamMeeting(1, 2, 4, WON), TeamMeeting(2, 5, 6, WON)]
    joined = field(8, matches, acceleration="baku")
    assert [one.score for one in contenders_of(joined)] == [8, 8, 4, *[0] * 5], "the halves are those of round 1"


def test_a_match_that_is_not_over_counts_with_its_open_boards_drawn_and_one_of_a_later_round_not() -> None:
    still = BoardPoints(2, 0, 0, decided=False)
    matches = [TeamMeeting(1, at, at + 3, boards) for at, boards in enumerate(((WON[0], still), (still,), ()), 1)]
    scores = {one.number: (one.primary, one.secondary) for one in contenders_of(field(6, matches))}
    assert scores == {1: (4, 3), 4: (0, 1), 2: (2, 1), 5: (2, 1), 3: (2, 2), 6: (2, 2)}
    assert contenders_of(field(6, matches, round=1)) == contenders_of(field(6))


# --- why ----------------------------------------------------------------------------------------------------------
def test_every_team_is_told_why_and_every_other_pair_why_not() -> None:
    asked = 0
    for seed in range(25):
        made = seeded_field(seed, 8)
        try:
            pair_teams(made)
        except PairingError:
            continue
        for team in made.present:
            for remark in why(made, team):
                assert remark.text % {**remark.values, **remark.players}
            for other in made.present | {0} - {team}:
                if other != team:
                    (reason,) = why_not(made, team, other)
                    assert reason.text % {**reason.values, **reason.players}
                    worse, kept = reason.values.get("with", "1"), reason.values.get("without", "0")
                    assert "key" not in reason.values or int(worse) > int(kept), "a criterion that is worse"
                    asked += 1
    assert asked > 500


def test_why_names_the_articles() -> None:
    made = field(6, [TeamMeeting(1, 1, 2, WON), TeamMeeting(1, 3, 4, DRAWN), TeamMeeting(1, 5, 6, DRAWN)])
    said = [remark.text % {**remark.values, **remark.players} for remark in why(made, 3)]
    assert said[0].startswith("3 (1 points) floats up to score group 2.")
    assert said[-1].endswith("(4.3.8).")
    assert "(3.5.4)" in why_not(made, 1, 4)[0].text
    assert why_not(made, 1, 2)[0].values == {"round": 1}
    with pytest.raises(PairingError, match="Team 9 is not paired"):
        why(made, 9)
    for pair in ((1, 9), (9, 1), (9, 0)):
        with pytest.raises(PairingError, match="Team 9 is not paired"):
            why_not(made, *pair)


# --- whole events -------------------------------------------------------------------------------------------------
def better_by_two(bracket: PairedBracket, of: TeamField) -> list[tuple[Pair, Pair]]:
    """Two pairs of a bracket that would be better with their members exchanged."""

    def rank(pairs: Sequence[Pair]) -> list[int]:
        failures = [failures_of(pair, bracket.upfloaters, last_two=of.last_two) for pair in pairs]
        numbers = sorted((top.number, bottom.number) for top, bottom in pairs)
        return [*map(sum, zip(*failures, strict=True)), *(top for top, _ in numbers), *(low for _, low in numbers)]

    def exchanged(one: Pair, other: Pair) -> Iterator[list[Pair]]:
        (a, b), (c, d) = one, other
        for pairs in (((a, c), (b, d)), ((a, d), (b, c))):
            if all(low.number not in top.met for top, low in pairs):
                yield [(min(pair, key=number), max(pair, key=number)) for pair in pairs]

    number = attrgetter("number")
    kept = set(bracket.pairs)
    return [
        (one, other)
        for one, other in combinations(bracket.pairs, 2)
        for new in exchanged(one, other)
        if rank([*(kept - {one, other}), *new]) < rank(bracket.pairs)
    ]


@pytest.mark.parametrize(
    ("count", "kind"),
    [
        (30, "A"),
        (31, "B"),
        pytest.param(60, "A", marks=pytest.mark.slow),
        pytest.param(61, "B", marks=pytest.mark.slow),
    ],
)
def test_a_large_event_goes_through(count: int, kind: str) -> None:
    lots, meetings, byes = Random(count), list[TeamMeeting](), list[TeamBye]()
    for number in range(1, 10):
        made = field(count, meetings, byes=tuple(byes), round=number, preferences=kind)
        assert not any(better_by_two(one, made) for one in paired_round(made).brackets)
        for pair in pair_teams(made):
            if pair.black is None:
                byes.append(SCORING.bye(number, pair.white, "pab"))
            else:
                boards = tuple(BoardPoints(at, *lots.choice(((2, 0), (1, 1), (0, 2)))) for at in (1, 2))
                meetings.append(TeamMeeting(number, pair.white, pair.black, boards))
    assert len({frozenset((match.first, match.second)) for match in meetings}) == len(meetings) == 9 * (count // 2)
    assert len({bye.team for bye in byes}) == len(byes) == 9 * (count % 2)
