"""Entries, numbers and rounds: who may be entered, drawn and paired, and what is refused with which words."""

from datetime import date, timedelta

import pytest

from players.models import AuditEvent, Player
from players.people.services import NewPlayer, create_players
from players.refusals import Refused, Stale
from ratings.lists.services import NewStart
from ratings.models import LedgerEntry, RatingList
from tests import factory
from tests.tournaments.entries.entry_cases import club_and_list, make_event
from tournaments.entries.services import entries as services
from tournaments.entries.services.entries import (
    enter_players,
    number_by_lot,
    number_by_rating,
    number_in_order,
    remove_entry,
)
from tournaments.events.services import events
from tournaments.events.services.events import NewTournament, create_tournament, open_event, update_tournament
from tournaments.formats.services import form_stages
from tournaments.free_boards.services.boards import set_board
from tournaments.free_play.services import record_free_game
from tournaments.models import Entry, Game, Pairing, Round, Seat, Tournament
from tournaments.rated_games.services.people import bring_starting_ratings
from tournaments.rated_games.services.rebuilding import check_list
from tournaments.rounds.services.rounds import delete_rounds, pair_all_rounds, plan_round, publish_round
from tournaments.standings.points import Result

pytestmark = pytest.mark.django_db


standard = club_and_list


@pytest.fixture
def cast(standard: RatingList) -> list[Player]:
    return factory.make_players(5)


@pytest.fixture
def cup(cast: list[Player]) -> Tournament:
    return create_tournament(NewTournament("Cup", settings={"cycles": 1}), by=None)


def numbers(tournament: Tournament) -> list[tuple[int | None, int]]:
    return list(Entry.objects.filter(tournament=tournament).order_by("number").values_list("number", "player__number"))


def test_nobody_is_entered_twice(cup: Tournament, cast: list[Player]) -> None:
    enter_players(cup, cast[:2], by=None)
    with pytest.raises(Refused, match="Player #1 is entered already"):
        enter_players(cup, [cast[2], cast[0]], by=None)
    with pytest.raises(Refused, match="Player #4 is entered already"):
        enter_players(cup, [cast[2], cast[3], cast[3]], by=None)
    assert Entry.objects.count() == 2, "nothing of a refused list is entered"


def test_pasted_names_are_matched_and_every_problem_is_named(cast: list[Player]) -> None:
    for typed in ("ada alvarez", "ALVAREZ, Ada", "Alvarez Ada"):
        assert "did you mean Ada Alvarez (#1)?" in services.match_names([typed]).problems[0], typed
    create_players([NewPlayer("Ada Alvarez")], by=None)
    lines = ["Bo Brandt", "", "  Cleo   Costa ", "#4", "Nobody Known", "Ada Alvarez", "Bo Brandt", "#99"]
    found = services.match_names(lines)
    assert [player.number for player in found.players] == [2, 3, 4]
    assert [problem.split(":")[0] for problem in found.problems] == ["Line 5", "Line 6", "Line 7", "Line 8"]
    assert "add the player first" in found.problems[0]
    assert "#1, #6" in found.problems[1]
    assert "twice" in found.problems[2]
    assert "nobody is called" in services.match_names(["#" + "9" * 30]).problems[0], "a number longer than any"


def test_a_gap_left_by_an_entry_taken_back_wants_new_numbers(cup: Tournament, cast: list[Player]) -> None:
    entries = enter_players(cup, cast, by=None)
    factory.make_round_robin(cast, name="Old Cup")
    stage = factory.stage_of(cup)
    number_by_lot(stage, by=None, seed=1)
    remove_entry(entries[0].pk, by=None)  # games in another event hold nobody back
    with pytest.raises(Refused, match="draw lots or sort by rating first"):
        pair_all_rounds(stage, by=None)
    officer = factory.make_arbiter()
    number_in_order(stage, entries[1:], by=officer)
    given = {"by": "order", "entries": [entry.pk for entry in entries[1:]]}
    assert factory.told("numbers.given", cup, officer).after == given
    stage.refresh_from_db()
    assert stage.lots_seed is None, "numbers given in order are not drawn by lot"
    assert len(pair_all_rounds(stage, by=officer)) == 3
    assert factory.told("rounds.paired", cup, officer).after == {"rounds": 3, "published": True}


def test_on_a_ladder_those_below_move_up_and_nobody_else(cast: list[Player]) -> None:
    """The same people stand on another ladder, where a game was played, and in groups."""
    others = [make_event(cast[:4], "groups", groups=2), factory.make_ladder(cast, name="Other").tournament]
    form_stages(factory.stage_of(others[0]), by=None, seed=1)
    record_free_game(others[1], cast[0], cast[1], Result.WHITE_WINS, factory.MONDAY, by=None)
    before = [numbers(other) for other in others]
    ladder = factory.make_ladder(cast[:4]).tournament
    remove_entry(ladder.entries.get(number=2).pk, by=None)
    assert numbers(ladder) == [(1, 1), (2, 3), (3, 4)]
    kept = AuditEvent.objects.get(action="entry.removed").before["numbers"]
    assert kept == {str(ladder.entries.get(number=place).pk): place + 1 for place in (2, 3)}
    enter_players(ladder, [cast[4]], by=None)
    assert numbers(ladder)[-1] == (4, 5)
    made = AuditEvent.objects.filter(action="entry.made").latest("pk")
    assert made.after == {"tournament": "ladder", "player": 5, "number": 4}
    set_board(ladder, cast[0].pk, cast[2].pk, by=None)  # not played yet, so it moves no place
    number_by_lot(factory.stage_of(ladder), by=None)
    assert [numbers(other) for other in others] == before
    record_free_game(ladder, cast[0], cast[2], Result.DRAW, factory.MONDAY, by=None)
    for player in (cast[0], cast[2]):
        with pytest.raises(Refused, match="has games in this event"):
            remove_entry(ladder.entries.get(player=player).pk, by=None)


@pytest.mark.parametrize(
    ("lowest", "below", "out"),
    [
        (1500, None, []),
        (1501, None, [3]),
        (1700, 1901, [3]),
        (1701, 1900, [0, 2, 3]),
        (None, 1501, [0, 1, 2]),
        (None, 1500, [0, 1, 2, 3]),
        (None, None, []),
    ],
)
def test_a_tier_holds_from_its_first_rating_to_below_its_last(
    cast: list[Player], standard: RatingList, lowest: int | None, below: int | None, out: list[int]
) -> None:
    """Players rated 1700, 1800 and 1900; whoever has no rating counts with the list's 1500."""
    starts = [NewStart(cast[place].pk, factory.MONDAY, 1700 + 100 * place, 40) for place in range(3)]
    bring_starting_ratings(standard, starts, by=None)
    event = Tournament(name="Cup", tier_from=lowest, tier_below=below)
    assert set(services.outside_tier(event, cast[:4])) == {cast[place].pk for place in out}


def test_numbers_in_order_are_for_everybody_once(cup: Tournament, cast: list[Player]) -> None:
    entries = enter_players(cup, cast[:4], by=None)
    for places in ([0, 1], [0, 1, 2, 2], [0, 1, 2, 3, 3]):
        with pytest.raises(Refused, match="look at them again"):
            number_in_order(factory.stage_of(cup), [entries[place] for place in places], by=None)
    assert set(numbers(cup)) == {(None, 1), (None, 2), (None, 3), (None, 4)}


def test_an_entry_has_no_number_yet_plays_from_the_first_round_and_keeps_the_rating_of_its_day(
    cup: Tournament, cast: list[Player], standard: RatingList
) -> None:
    bring_starting_ratings(standard, [NewStart(cast[0].pk, factory.MONDAY, 1800, 40)], by=None)
    [entry] = enter_players(cup, cast[:1], by=None, on=factory.MONDAY)
    entry.refresh_from_db()
    assert entry.rating_on == factory.MONDAY
    assert (entry.number, entry.first_round, services.next_number(cup)) == (None, 1, 1)
    assert (entry.rating, entry.rating_games, entry.rating_list) == (1800, 40, "standard")
    assert AuditEvent.objects.get(action="entry.made").after == {"tournament": "cup", "player": 1}


def test_the_same_seed_draws_the_same_lots_and_sorted_by_rating_the_unrated_come_last(
    cup: Tournament, cast: list[Player], standard: RatingList
) -> None:
    starts = [NewStart(cast[3].pk, factory.MONDAY, 1700, 40), NewStart(cast[1].pk, factory.MONDAY, 1900, 40)]
    bring_starting_ratings(standard, starts, by=None)
    enter_players(cup, cast, by=None)
    other = factory.make_round_robin(cast, name="Old Cup")
    before = numbers(other)
    stage = factory.stage_of(cup)
    assert number_by_lot(stage, by=None, seed=4711) == 4711
    first = numbers(cup)
    number_by_lot(stage, by=None, seed=5)
    number_by_lot(stage, by=None, seed=4711)
    assert numbers(cup) == first
    assert [number for number, _ in first] == [1, 2, 3, 4, 5]
    stage.refresh_from_db()
    assert stage.lots_seed == 4711
    given = AuditEvent.objects.filter(action="numbers.given", subject_key=cup.pk).latest("pk").after
    drawn = list(cup.entries.order_by("number").values_list("pk", flat=True))
    assert given == {"by": "lot", "seed": 4711, "entries": drawn}
    assert (numbers(other), factory.stage_of(other).lots_seed) == (before, None), "another event keeps its numbers"
    number_by_rating(stage, by=None)
    assert [player for _, player in numbers(cup)] == [2, 4, 1, 3, 5], "the unrated by name"


def test_without_numbers_or_with_one_player_there_are_no_rounds(cup: Tournament, cast: list[Player]) -> None:
    entries = enter_players(cup, cast[:2], by=None)
    stage = factory.stage_of(cup)
    with pytest.raises(Refused, match="draw lots or sort by rating first"):
        pair_all_rounds(stage, by=None)
    remove_entry(entries[1].pk, by=None)
    number_by_lot(stage, by=None)
    with pytest.raises(Refused, match="at least two players"):
        pair_all_rounds(stage, by=None)
    assert not Round.objects.exists()


def test_five_players_play_five_rounds_with_one_bye_each(cast: list[Player]) -> None:
    cup = factory.make_round_robin(cast)
    assert Round.objects.count() == 5
    assert Game.objects.count() == 10
    byes = Seat.objects.filter(colour="").values_list("entry__player__number", flat=True)
    assert sorted(byes) == [1, 2, 3, 4, 5]
    assert not Game.objects.filter(pairing__bye="pab").exists(), "a bye has no game"
    days = Round.objects.filter(stage__tournament=cup).values_list("planned_on", flat=True)
    assert list(days) == [factory.MONDAY + timedelta(days=7 * week) for week in range(5)]
    for game in Game.objects.select_related("pairing"):
        seats = dict(Seat.objects.filter(pairing=game.pairing).values_list("colour", "entry__player"))
        assert seats == {"w": game.white_id, "b": game.black_id}
    with pytest.raises(Refused, match="made already"):
        pair_all_rounds(factory.stage_of(cup), by=None)


def test_with_rounds_entries_and_numbers_stand(cast: list[Player]) -> None:
    cup = factory.make_round_robin(cast[:4])
    other = {"pairing_system": "round-robin", "settings": {"cycles": 2}}
    for change in (
        lambda: enter_players(cup, cast[4:], by=None),
        lambda: remove_entry(Entry.objects.all()[0].pk, by=None),
        lambda: number_by_lot(factory.stage_of(cup), by=None),
        lambda: update_tournament(cup.pk, other, by=None),
    ):
        with pytest.raises(Refused, match="delete them"):
            change()


def test_rounds_are_deleted_and_made_anew_unless_they_have_results(cast: list[Player]) -> None:
    cup = factory.make_round_robin(cast[:4])
    delete_rounds(factory.stage_of(cup), by=None)
    assert [model.objects.count() for model in (Pairing, Seat, Game)] == [0, 0, 0]
    assert len(pair_all_rounds(factory.stage_of(cup), by=None)) == 3
    factory.play_round(cup, 1, [Result.DRAW, Result.WHITE_FORFEITS])
    with pytest.raises(Refused, match="2 results are recorded"):
        delete_rounds(factory.stage_of(cup), by=None)
    with pytest.raises(Refused, match="has results"):
        events.delete_tournament(cup.pk, by=None)
    assert Game.objects.count() == 6
    events.delete_tournament(factory.make_round_robin(cast, name="Next Cup").pk, by=None)
    assert Tournament.objects.get() == cup, "one without results is deleted whole"


def test_a_draft_is_published_once_and_may_be_planned_for_another_day(cup: Tournament, cast: list[Player]) -> None:
    enter_players(cup, cast[:2], by=None)
    stage = factory.stage_of(cup)
    number_by_lot(stage, by=None)
    (row,) = pair_all_rounds(stage, by=None, publish=False, first_day=factory.MONDAY)
    assert publish_round(row.pk, by=None).state == Round.State.PUBLISHED
    with pytest.raises(Refused, match="published already"):
        publish_round(row.pk, by=None)
    assert plan_round(row.pk, date(2026, 2, 2), by=None).planned_on == date(2026, 2, 2)
    event = AuditEvent.objects.get(action="round.planned")
    assert (event.before["planned_on"], event.after["planned_on"]) == ("2026-01-05", "2026-02-02")


def test_a_bad_tournament_and_a_stale_change_are_refused(cup: Tournament) -> None:
    for new, words in (
        (NewTournament("  "), "needs a name"),
        (NewTournament("X", pairing_system="roulette"), "no format"),
        (NewTournament("X", starts_on=date(2026, 2, 2), ends_on=date(2026, 2, 1)), "before the first"),
    ):
        with pytest.raises(Refused, match=words):
            create_tournament(new, by=None)
    update_tournament(cup.pk, {"place": "Hall 2"}, by=None, revision=0)
    with pytest.raises(Stale):
        update_tournament(cup.pk, {"place": "Hall 3"}, by=None, revision=0)


def test_addresses_of_events_are_latin_free_and_never_reserved() -> None:
    for name in ("Кубок", "Cup", "Cup", "Masters", "…"):
        create_tournament(NewTournament(name), by=None)
    slugs = list(Tournament.objects.order_by("pk").values_list("slug", flat=True))
    assert slugs == ["kubok", "cup", "cup-2", "masters-2", "event"]
    assert events.free_slug("Cup") == "cup-3"


def test_an_evening_is_one_open_event_by_name_without_entries(cast: list[Player]) -> None:
    stage = open_event("Thursdays", pool="standard", by=None)
    assert stage == open_event("Thursdays", pool="standard", by=None)
    with pytest.raises(Refused, match="has no entries"):
        enter_players(stage.tournament, cast[:1], by=None)


def test_ratings_at_entry_follow_the_pool_until_there_are_rounds(
    cup: Tournament, cast: list[Player], standard: RatingList
) -> None:
    rapid = factory.make_list("rapid", pool="rapid", primary=False)
    for rating_list, rating in ((standard, 1800), (rapid, 1600)):
        bring_starting_ratings(rating_list, [NewStart(cast[0].pk, factory.MONDAY, rating, 40)], by=None)
    other = factory.make_round_robin(cast[:2], name="Old Cup")
    enter_players(cup, cast[:1], by=None)
    update_tournament(cup.pk, {"pool": "rapid"}, by=None)
    assert cup.entries.get().rating == 1600
    assert other.entries.get(player=cast[0]).rating == 1800, "another event keeps its ratings"
    update_tournament(other.pk, {"pool": "rapid"}, by=None)
    assert other.entries.get(player=cast[0]).rating == 1800, "with its rounds they stand"


def test_an_event_that_is_not_rated_leaves_the_ledger_and_one_of_another_pool_moves_to_its_list(
    cast: list[Player], standard: RatingList
) -> None:
    rapid = factory.make_list("rapid", pool="rapid", primary=False)
    cup = factory.make_round_robin(cast[:2])
    factory.play_round(cup, 1, [Result.WHITE_WINS])
    for change, lists in (({"rated": False}, []), ({"rated": True}, ["standard"]), ({"pool": "rapid"}, ["rapid"])):
        update_tournament(cup.pk, change, by=None)
        assert list(LedgerEntry.objects.values_list("rating_list__slug", flat=True)) == lists
        assert check_list(standard) == check_list(rapid) == []
