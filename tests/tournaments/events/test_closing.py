"""Lists that rate by the event take an event in when it is closed, and out again when it is opened."""

from collections.abc import Callable
from datetime import date

import pytest

from players.models import AuditEvent
from players.refusals import Refused
from ratings.lists.services import NewRule, NewStart, create_list, set_rules
from ratings.models import LedgerEntry, PlayerRating, RatingList, RatingStep
from tests import factory
from tests.tournaments.entries.entry_cases import make_event
from tests.tournaments.undo.undo_cases import facts
from tournaments.entries.services.entries import enter_players, number_by_lot, remove_entry
from tournaments.events.services.closing import close_event, reopen_event
from tournaments.events.services.events import open_event
from tournaments.knockouts.services.brackets import draw_bracket
from tournaments.knockouts.services.rulings import rule_match
from tournaments.models import Entry, Game, Pairing, Seat, Tournament
from tournaments.rated_games.services.people import bring_starting_ratings
from tournaments.rated_games.services.rebuilding import check_list
from tournaments.results.services.results import correct_result, record_result
from tournaments.rounds.services.next_round import pair_next_round
from tournaments.rounds.services.rounds import delete_rounds, pair_all_rounds, unpublish_round
from tournaments.standings.points import Result
from tournaments.undo.services import stack as undo_steps
from tournaments.withdrawals.services.withdrawals import withdraw_entry

pytestmark = pytest.mark.django_db
DAY = factory.MONDAY


@pytest.fixture(scope="module", autouse=True)
def standard(world: None) -> RatingList:
    """A list of five players, with nothing to be rated yet."""
    factory.make_club()
    standard = factory.make_list()
    factory.make_players(5)
    return standard


@pytest.fixture
def by_event(standard: RatingList) -> RatingList:
    set_rules(standard, [NewRule(date(1900, 1, 1), "elo", {"preset": "fide"})], by=None)
    return standard


@pytest.fixture
def cup(by_event: RatingList) -> Tournament:
    players = factory.first_players(4)
    starts = [NewStart(player.pk, DAY, 1700.0 + 10 * player.number, 40) for player in players]
    bring_starting_ratings(by_event, starts, by=None)
    return factory.make_round_robin(players)


def ratings() -> list[float]:
    return list(PlayerRating.objects.order_by("player__number").values_list("rating", flat=True))


@pytest.mark.extended
def test_a_running_event_shows_the_ratings_before_it_and_what_it_adds_so_far(
    by_event: RatingList, cup: Tournament
) -> None:
    factory.play_all(cup, Result.WHITE_WINS)
    assert ratings() == [1710, 1720, 1730, 1740]
    assert LedgerEntry.objects.filter(white_change__gt=0, white_after=None).count() == 6
    assert check_list(by_event) == []


def test_closing_rates_the_event_and_opening_takes_it_out_again(by_event: RatingList, cup: Tournament) -> None:
    factory.play_all(cup, Result.WHITE_WINS)
    close_event(cup, by=None)
    assert ratings() != [1710, 1720, 1730, 1740]
    assert all(rating == int(rating) for rating in ratings()), "FIDE's change is a whole number"
    assert RatingStep.objects.filter(kind="event").count() == 4
    assert check_list(by_event) == []
    (moved,) = undo_steps.preview(cup, undo_steps.last_steps(cup)[0].event.pk, by=None).lists
    assert len(moved.moves) == 4, "and taking the step back says so"
    before = ratings()
    last = Game.objects.filter(tournament=cup).order_by("-sequence")[0]
    correct_result(game=last.pk, result=Result.BLACK_WINS, by=None)
    assert ratings() != before
    assert check_list(by_event) == []
    reopen_event(Tournament.objects.get(pk=cup.pk), by=None)
    assert ratings() == [1710, 1720, 1730, 1740]
    found = AuditEvent.objects.filter(action__startswith="event.").order_by("id")
    assert [event.action for event in found] == ["event.closed", "event.reopened"]


def test_everything_that_is_open_is_told(cup: Tournament) -> None:
    factory.play_round(cup, 1, [Result.DRAW, Result.ADJOURNED])
    with pytest.raises(Refused, match=r"\(4 boards without a result, 1 adjourned game\): enter, clear or decide"):
        close_event(cup, by=None)
    assert not Tournament.objects.get(pk=cup.pk).closed


@pytest.mark.extended
def test_what_is_open_elsewhere_or_was_replaced_holds_nothing_up(cup: Tournament) -> None:
    other = factory.make_round_robin(factory.first_players(4), name="Other")
    factory.play_round(other, 1, [Result.DRAW, Result.ADJOURNED])
    knockout = factory.make_knockout(factory.first_players(2))
    factory.play_match(factory.match_of(knockout, 1, 1), Result.DRAW)
    factory.play_all(cup, Result.WHITE_WINS)
    replaced = Game.objects.filter(tournament=cup).order_by("-sequence")[0]
    correct_result(game=replaced.pk, result=Result.OPEN, by=None)
    Pairing.objects.filter(games=replaced).update(superseded=True)
    close_event(cup, by=None)
    assert list(Tournament.objects.filter(closed=True)) == [cup]
    with pytest.raises(Refused, match="1 match not decided"):
        close_event(knockout, by=None)
    Pairing.objects.filter(stage__tournament=knockout).update(superseded=True)
    close_event(knockout, by=None)


def test_a_board_and_a_match_that_were_replaced_hold_nothing_up() -> None:
    pair = factory.first_players(2)
    robin, knockout = factory.make_round_robin(pair, name="Robin"), factory.make_knockout(pair, name="Even")
    factory.play_match(factory.match_of(knockout, 1, 1), Result.DRAW)
    for event, words in ((robin, "1 board without a result"), (knockout, "1 match not decided")):
        with pytest.raises(Refused, match=words):
            close_event(event, by=None)
        Pairing.objects.filter(stage__tournament=event).update(superseded=True)
        close_event(event, by=None)


def test_a_knockout_with_an_even_match_is_not_closed() -> None:
    """The final waits for its second player, and has no board that could be open."""
    cup = factory.make_knockout(factory.first_players(4))
    factory.play_match(factory.match_of(cup, 1, 1), Result.WHITE_WINS)
    even = factory.match_of(cup, 1, 2)
    factory.play_match(even, Result.DRAW)
    with pytest.raises(Refused, match=r"\(1 match not decided\)"):
        close_event(cup, by=None)
    rule_match(even.pk, advanced=Seat.objects.get(pairing=even, line=1).entry_id, by=None, reason="other")
    with pytest.raises(Refused, match=r"\(1 board without a result\)"):
        close_event(cup, by=None)
    factory.play_match(factory.match_of(cup, 2, 1), Result.WHITE_WINS)
    close_event(cup, by=None)
    assert Tournament.objects.get(pk=cup.pk).closed


def test_a_match_nobody_can_come_to_any_more_keeps_no_event_open() -> None:
    """Both losers of the semi-finals went home: the match for third place has no players, and waits for nobody."""
    cup = factory.make_knockout(factory.first_players(4), third_place=True)
    for board in (1, 2):
        match = factory.match_of(cup, 1, board)
        withdraw_entry(Seat.objects.get(pairing=match, line=2).entry_id, by=None)
    final, third = (factory.match_of(cup, 2, board) for board in (1, 2))
    if Seat.objects.filter(pairing=final).count() < 2:
        final, third = third, final
    assert not Seat.objects.filter(pairing=third).exists()
    factory.play_match(final, Result.WHITE_WINS)
    close_event(cup, by=None)
    assert Tournament.objects.get(pk=cup.pk).closed


def test_rounds_made_one_by_one_may_end_with_any_of_them_and_club_evenings_never() -> None:
    cup = make_event(factory.first_players(4), "keizer")
    pair_next_round(cup.stages.get(), by=None, publish=True)
    with pytest.raises(Refused, match=r"\(2 boards without a result\)"):
        close_event(cup, by=None)
    for game in Game.objects.filter(tournament=cup):
        record_result(game=game.pk, result=Result.DRAW, played_on=DAY, by=None)
    close_event(cup, by=None)
    assert Tournament.objects.get(pk=cup.pk).closed
    with pytest.raises(Refused, match="no end"):
        close_event(open_event("Evenings", pool="standard", by=None).tournament, by=None)


KINDS: list[tuple[str, dict[str, object]]] = [
    ("elo", {"period": "event"}), ("elo", {"preset": "us-chess"}), ("glicko", {"period": "month"}), ("glicko2", {}),
    ("glicko", {"c": 40, "period": "day"}), ("bradley-terry", {}), ("league", {}), ("kd", {}),
    ("r2", {"normalise_above": 1150}), ("solo-zerg", {"normalise_above": 1150}),
]  # fmt: skip


@pytest.mark.extended
def test_every_kind_of_list_stays_equal_to_its_replay() -> None:
    """Results in any order, corrections, closings: after each every ledger is what a fresh replay gives."""
    lists = [
        create_list(name=f"List {at}", slug=f"{system}-{at}", pool="standard", by=None, system=system, settings=rule)
        for at, (system, rule) in enumerate(KINDS)
    ]

    def check() -> None:
        for row in lists:
            assert check_list(row) == [], row.slug

    players = factory.first_players(5)
    first = factory.make_round_robin(players[:3], name="First")
    second = factory.make_round_robin(players[1:4], name="Second", first_day=date(2026, 1, 20))
    for event in (second, first):
        factory.play_all(event, Result.WHITE_WINS)
        check()
    for event in (first, second):
        close_event(event, by=None)
        check()
    for game in Game.objects.filter(result=Result.WHITE_WINS).order_by("sequence")[::3]:
        correct_result(game=game.pk, result=Result.BLACK_WINS, by=None)
        check()
    by_day = Game.objects.exclude(result="").order_by("played_on", "sequence")
    for game in (by_day.last(), by_day.first(), by_day.filter(tournament=first).last()):
        assert game is not None
        correct_result(game=game.pk, result=Result.OPEN, by=None)
        check()
    moved = by_day.filter(tournament=first).last()
    assert moved is not None
    for day in (date(2026, 2, 20), date(2025, 12, 1)):
        correct_result(game=moved.pk, result=Result.DRAW, played_on=day, by=None)
        check()
    assert all(PlayerRating.objects.filter(rating_list=row).exists() for row in lists)


# --- an event that is over --------------------------------------------------------------------------------------------
def test_an_event_that_is_over_without_rounds_gets_none_and_keeps_its_entries() -> None:
    cup = make_event(factory.first_players(4), "round-robin")
    stage, entry = factory.stage_of(cup), Entry.objects.filter(tournament=cup)[0]
    more = factory.make_players(1, visibility="hidden")
    close_event(cup, by=None)
    knockout = make_event(factory.first_players(4), "knockout")
    close_event(knockout, by=None)
    before = facts()
    tries: list[Callable[[], object]] = [
        lambda: pair_all_rounds(stage, by=None),
        lambda: remove_entry(entry.pk, by=None),
        lambda: enter_players(cup, more, by=None),
        lambda: number_by_lot(stage, by=None),
        lambda: delete_rounds(stage, by=None),
        lambda: draw_bracket(factory.stage_of(knockout), by=None),
    ]
    for attempt in tries:
        with pytest.raises(Refused, match="is over"):
            attempt()
    assert facts() == before


@pytest.mark.extended
def test_no_round_of_an_event_that_is_over_goes_out_of_sight(cup: Tournament) -> None:
    """Its boards cleared by a correction, it would be a closed event with a draft in it."""
    factory.play_all(cup)
    close_event(cup, by=None)
    for game in Game.objects.filter(pairing__round__number=1):
        correct_result(game=game.pk, result=Result.OPEN, by=None)
    with pytest.raises(Refused, match="is over"):
        unpublish_round(factory.round_of(cup, 1).pk, reason="other", by=None)
