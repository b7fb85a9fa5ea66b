"""What holds of every round the Swiss engine pairs, in events played out round by round and in single fields."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import astuple, dataclass, replace
from functools import cache
from itertools import combinations
from random import Random

import networkx
import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from tests.choosing import examples
from tests.tournaments.by_the_book.people import BLACK, WHITE, Person, people_before
from tests.tournaments.pairing import dutch_fields as fields
from tests.tournaments.pairing.dutch_by_the_book import Event
from tests.tournaments.pairing.dutch_fields import (
    CLASSIC,
    CLUB,
    NASTY,
    POINT_SYSTEMS,
    QUIET,
    Case,
    Habits,
    Story,
    cases,
)
from tournaments.pairing.base import SWISS_EDITIONS, Board, PairedRound, PairingError
from tournaments.pairing.dutch.system import Dutch
from tournaments.standings.crosstable import Bye, Meeting

ENGINE = Dutch()
PATIENT = [HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.function_scoped_fixture]
# Who plays is drawn by habit; the colours and opponents are the engine's.
BUSY = replace(NASTY, nasty=False, prohibited=1)


@dataclass(frozen=True, slots=True)
class Played:
    """A round as it was paired, and the people before it."""

    case: Case
    boards: PairedRound
    people: dict[int, Person]


def played_out(rng: Random, players: int, rounds: int, edition: int, habits: Habits) -> Iterator[Played]:
    """An event paired by the engine, until its end or until nothing can be paired any more."""
    story = fields.begun(rng, habits, players, rng.choice((CLASSIC, CLASSIC, *POINT_SYSTEMS)))
    prohibited = prohibited_in(story)
    for round_ in range(1, rounds + 1):
        here = [number for number in story.here(round_) if not story.happens(habits.byes)]
        case = Case(
            replace(fields.before_round(story, round_, edition), present=frozenset(here), prohibited=prohibited), rounds
        )
        try:
            boards = ENGINE.pair_round(case.field, case.settings)
        except PairingError:
            return
        yield Played(case, boards, people_before(case.field, rounds, "none"))
        story.byes += [fields.asked_for(story, round_, number) for number in story.here(round_) if number not in here]
        story.byes += [Bye(round_, board.white, story.points.allocated_bye, "pab") for board in boards if board.is_bye]
        story.meetings += [
            Meeting(round_, board.white, board.black, fields.result(story, board.white, board.black))
            for board in boards
            if board.black is not None
        ]


def prohibited_in(story: Story) -> frozenset[frozenset[int]]:
    return frozenset(
        frozenset(pair) for pair in combinations(story.players, 2) if story.happens(story.habits.prohibited)
    )


def random_event(rng: Random, least: int, most: int) -> list[Played]:
    edition, habits = rng.choice(SWISS_EDITIONS), rng.choice((QUIET, CLUB, BUSY))
    players = rng.randint(least, most)
    return list(played_out(rng, players, rng.randint(2, min(9, players)), edition, habits))


@cache
def seeded_events() -> tuple[Played, ...]:
    """All rounds of 60 small events and of 6 large ones."""
    small = [random_event(Random(seed), 2, 14) for seed in range(60)]
    large = [random_event(Random(seed), 20, 60) for seed in range(6)]
    return tuple(played for event in (*small, *large) for played in event)


# --- in whole events ------------------------------------------------------------------------------------------
def everybody_present_is_seated_once(played: Played) -> None:
    seated = [number for board in played.boards for number in (board.white, board.black) if number is not None]
    assert sorted(seated) == sorted(played.case.field.present)


def the_bye_is_one_and_last(played: Played) -> None:
    byes = [board.is_bye for board in played.boards]
    assert byes[:-1] == [False] * (len(byes) - 1)
    assert byes[-1] == bool(len(played.case.field.present) % 2)


def nobody_meets_again_whom_he_played(played: Played) -> None:
    assert not [board for board in played.boards if board.black in played.people[board.white].met]


def nobody_has_the_bye_twice_or_after_a_win_without_a_game(played: Played) -> None:
    assert all(played.people[board.white].may_have_bye for board in played.boards if board.is_bye)


def prohibited_pairs_never_meet(played: Played) -> None:
    assert not {frozenset((board.white, board.black)) for board in played.boards} & played.case.field.prohibited


def colours_stay_within_two_and_never_thrice_but_for_top_scorers(played: Played) -> None:
    for board in played.boards:
        seats = [played.people[number] for number in (board.white, board.black) if number is not None]
        if len(seats) == 2 and not any(person.is_topscorer for person in seats):
            histories = [(*seats[0].colours, WHITE), (*seats[1].colours, BLACK)]
            assert all(abs(one.count(WHITE) - one.count(BLACK)) <= 2 for one in histories)
            assert all(one[-3:] != (one[-1],) * 3 for one in histories)


def boards_go_down_with_the_score_of_the_better_of_the_two(played: Played) -> None:
    pairs = [board for board in played.boards if board.black is not None]
    better = [max(played.people[board.white].points, played.people[board.black or 0].points) for board in pairs]
    assert better == sorted(better, reverse=True)


def the_bye_goes_to_the_lowest_score_from_which_all_can_be_paired(played: Played) -> None:
    byes = [played.people[board.white] for board in played.boards if board.is_bye]
    if byes and played.case.field.edition == 2026:
        waiting = [played.people[number] for number in sorted(played.case.field.present)]
        lower = [one for one in waiting if one.may_have_bye and one.score < byes[0].score]
        assert not any(can_be_paired(played, [one for one in waiting if one is not bye]) for bye in lower)


def can_be_paired(played: Played, people: Sequence[Person]) -> bool:
    """Whether all of them can meet somebody, by a matching of the graph of legal pairs."""
    event = event_of(played.case)
    pairs = [(one.number, other.number) for one, other in combinations(people, 2) if event.may_meet(one, other)]
    return 2 * len(networkx.max_weight_matching(networkx.Graph(pairs), maxcardinality=True)) == len(people)


def event_of(case: Case) -> Event:
    return Event(case.field.prohibited, case.field.points.unit, case.first_colour)


RULES = (
    everybody_present_is_seated_once,
    the_bye_is_one_and_last,
    nobody_meets_again_whom_he_played,
    nobody_has_the_bye_twice_or_after_a_win_without_a_game,
    prohibited_pairs_never_meet,
    colours_stay_within_two_and_never_thrice_but_for_top_scorers,
    boards_go_down_with_the_score_of_the_better_of_the_two,
    the_bye_goes_to_the_lowest_score_from_which_all_can_be_paired,
)


@pytest.mark.extended
def test_the_events_hold_what_the_rules_speak_of() -> None:
    rounds = seeded_events()
    assert len(rounds) > 250
    assert {played.case.field.edition for played in rounds} == set(SWISS_EDITIONS)
    assert sum(bool(played.case.field.prohibited) for played in rounds) > 20
    assert sum(any(board.is_bye for board in played.boards) for played in rounds) > 50
    assert sum(any(person.is_topscorer for person in played.people.values()) for played in rounds) > 20


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.__name__)
def test_in_every_round(rule: Callable[[Played], None]) -> None:
    for played in seeded_events():
        rule(played)


@settings(examples(80), suppress_health_check=PATIENT)
@given(st.randoms(use_true_random=False))
def test_all_rules_hold_in_random_events(rng: Random) -> None:
    for played in random_event(rng, 2, 14):
        for rule in RULES:
            rule(played)


@pytest.mark.slow
@settings(max_examples=5, suppress_health_check=PATIENT)
@given(st.randoms(use_true_random=False))
def test_all_rules_hold_in_large_random_events(rng: Random) -> None:
    """Short: the large ones of the seeded events."""
    for played in random_event(rng, 20, 60):
        for rule in RULES:
            rule(played)


def paired(case: Case) -> PairedRound | None:
    """None where the engine finds no pairing."""
    try:
        return ENGINE.pair_round(case.field, case.settings)
    except PairingError:
        return None


def people_of(case: Case) -> dict[int, Person]:
    return people_before(case.field, case.rounds, case.acceleration)


def a_field_is_refused_just_where_no_legal_pairing_exists(case: Case) -> None:
    people = people_of(case)
    possible = event_of(case).end(frozenset(people[number] for number in case.field.present))
    assert (paired(case) is None) == (possible is None)


def no_absolute_criterion_is_broken(case: Case) -> None:
    people = people_of(case)
    for board in paired(case) or ():
        if board.black is None:
            assert people[board.white].may_have_bye
        else:
            assert event_of(case).may_meet(people[board.white], people[board.black])


def by_the_rules_of_2026_the_bye_has_the_lowest_possible_score(case: Case) -> None:
    people = people_of(case)
    byes = tuple(people[board.white].score for board in paired(case) or () if board.is_bye)
    lowest = event_of(case).end(frozenset(people[number] for number in case.field.present)) or ()
    assert case.field.edition != 2026 or byes == lowest


def other_numbers_in_the_same_order_give_the_same_round(case: Case) -> None:
    again = {number: 3 * number + 2 for number in case.field.players}
    assert paired(renamed(case, again)) == as_renamed(paired(case), again)


def the_order_in_which_facts_are_told_does_not_matter(case: Case) -> None:
    turned = replace(case.field, meetings=case.field.meetings[::-1], byes=case.field.byes[::-1])
    assert paired(replace(case, field=turned)) == paired(case)


def who_never_came_moves_nobody(case: Case) -> None:
    again = {number: number + 1 for number in case.field.players}
    late = renamed(case, again)
    with_one_more = replace(late.field, players=(1, *late.field.players))
    assert paired(replace(late, field=with_one_more)) == as_renamed(paired(case), again)


def players_of_equal_standing_can_exchange_their_numbers(case: Case) -> None:
    """Whoever bears a number is paired as the number is: what he did in which round matters for his standing only."""

    def standing(case: Case) -> list[tuple[object, ...]]:
        """All that is known of those who are there."""
        people = people_of(case)
        return [*(astuple(people[number]) for number in sorted(case.field.present)), (case.field.prohibited,)]

    for one, other in combinations(sorted(case.field.present), 2):
        again = {number: number for number in case.field.players} | {one: other, other: one}
        exchanged = renamed(case, again)
        if standing(exchanged) == standing(case):
            assert paired(exchanged) == paired(case)


PROPERTIES = (
    a_field_is_refused_just_where_no_legal_pairing_exists,
    no_absolute_criterion_is_broken,
    by_the_rules_of_2026_the_bye_has_the_lowest_possible_score,
    other_numbers_in_the_same_order_give_the_same_round,
    the_order_in_which_facts_are_told_does_not_matter,
    who_never_came_moves_nobody,
    players_of_equal_standing_can_exchange_their_numbers,
)


@pytest.mark.extended
@pytest.mark.parametrize("edition", SWISS_EDITIONS)
@pytest.mark.parametrize("holds", PROPERTIES, ids=lambda holds: holds.__name__)
def test_in_random_fields_of_up_to_eight(holds: Callable[[Case], None], edition: int) -> None:
    @settings(examples(100), suppress_health_check=PATIENT)
    @given(cases(8, edition))
    def in_field(case: Case) -> None:
        assume(len(case.field.present) > 1)
        holds(case)

    in_field()


def renamed(case: Case, to: dict[int, int]) -> Case:
    field = case.field
    again = replace(
        field,
        players=tuple(to[number] for number in field.players),
        present=frozenset(to[number] for number in field.present),
        meetings=tuple(replace(one, white=to[one.white], black=to[one.black]) for one in field.meetings),
        byes=tuple(replace(one, player=to[one.player]) for one in field.byes),
        prohibited=frozenset(frozenset(to[number] for number in pair) for pair in field.prohibited),
        accelerated={to[number]: points for number, points in field.accelerated.items()},
    )
    return replace(case, field=again)


def as_renamed(boards: PairedRound | None, to: dict[int, int]) -> PairedRound | None:
    if boards is None:
        return None
    return tuple(Board(to[board.white], None if board.black is None else to[board.black]) for board in boards)
