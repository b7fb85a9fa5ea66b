"""The order of a starting list, and what becomes of its numbers while a Swiss is under way (FIDE C.04.2)."""

import pytest

from players.models import Player
from players.people.services import NewPlayer, create_players
from players.refusals import Refused
from ratings.lists.services import NewStart
from ratings.models import RatingList
from tests import factory
from tests.tournaments.entries.entry_cases import club_and_list, events, make_others
from tests.tournaments.rounds.round_cases import boards_of, entry
from tests.tournaments.swiss_events import make_swiss, numbers_of, play_rounds, rate
from tournaments.entries.services import numbering
from tournaments.entries.services.entries import enter_players, number_by_rating, number_in_order
from tournaments.entries.services.late import enter_late, late_terms
from tournaments.entries.services.numbering import FIXED_FROM, correct_entry_rating, moves_numbers, renumber_by_rating
from tournaments.events.services.closing import close_event
from tournaments.events.services.events import NewTournament, create_tournament
from tournaments.models import Entry, Seat, Stage, Tournament
from tournaments.rated_games.services.people import bring_starting_ratings
from tournaments.rounds.services.next_round import pair_next_round

pytestmark = pytest.mark.django_db
standard = club_and_list


@pytest.fixture(scope="module")
def cast(standard: RatingList) -> list[Player]:
    """Twelve players rated 2100, 2000 … 1000."""
    players = factory.make_players(12)
    rate(standard, players, *range(2100, 900, -100))
    return players


@pytest.fixture(scope="module")
def swiss(cast: list[Player]) -> Stage:
    """Ten of the cast; 3 and 6 are still at home."""
    make_others(cast)
    return make_swiss([cast[place] for place in (0, 1, 3, 4, 6, 7, 8, 9, 10, 11)])


def listed(*people: tuple[str, str, float | None]) -> list[str]:
    """Names of people (name, title, rating) in the order of their numbers; who is called so is hidden."""
    hidden = {True: "hidden", False: "public"}
    new = [NewPlayer(name, title=title, visibility=hidden["Hidden" in name]) for name, title, _rating in people]
    cup = create_tournament(NewTournament("Cup", pairing_system="dutch"), by=None)
    entries = enter_players(cup, create_players(new, by=None), by=None)
    for row, (_name, _title, rating) in zip(entries, people, strict=True):
        Entry.objects.filter(pk=row.pk).update(rating=rating)
    number_by_rating(factory.stage_of(cup), by=None)
    return list(cup.entries.order_by("number").values_list("player__name", flat=True))


def test_the_list_goes_by_rating_as_shown_then_title_then_name_the_hidden_behind(standard: RatingList) -> None:
    """The unrated come last."""
    assert listed(("Ann", "GM", None), ("Bob", "", 1500.0), ("Cid", "", 1900.0)) == ["Cid", "Bob", "Ann"]
    assert listed(("Ann Low", "", 1800.4), ("Bob High", "GM", 1799.6)) == ["Bob High", "Ann Low"]
    titles = ["", "WCM", "WFM", "CM", "WIM", "FM", "WGM", "IM", "GM"]
    people = [(f"Player {title or 'none'}", title, 2000.0) for title in titles]
    assert listed(*people) == [name for name, _title, _rating in reversed(people)]
    people = [("Zoe Adams", "FM", 2000.0), ("Adam Zorn", "FM", 2000.0), ("Bea Moor", "FM", 2000.0)]
    assert listed(*people) == ["Adam Zorn", "Bea Moor", "Zoe Adams"]
    # Neither the title nor the place in the alphabet tells who it is.
    people = [("Zed Hidden", "", 1800.0), ("Abe Hidden", "GM", 1800.0), ("Mia Shown", "", 1800.0)]
    assert listed(*people) == ["Mia Shown", "Zed Hidden", "Abe Hidden"]


# --- who comes late -----------------------------------------------------------------------------------------------
def test_a_late_one_has_his_place_and_everybody_below_moves(swiss: Stage, cast: list[Player]) -> None:
    play_rounds(swiss, 1)
    before = {(seat.round_id, seat.entry_id) for seat in Seat.objects.all()}
    assert "with the number that goes with the rating" in late_terms(swiss.tournament).says
    [late] = enter_late(swiss.tournament, [cast[2]], by=None)
    assert (late.number, late.first_round) == (3, 2)
    assert events("entry.made")[-1].after["first_round"] == 2
    assert numbers_of(swiss) == {1: 1, 2: 2, 3: 3, 4: 4, 5: 5, 7: 6, 8: 7, 9: 8, 10: 9, 11: 10, 12: 11}
    assert {(seat.round_id, seat.entry_id) for seat in Seat.objects.all()} == before, "rounds refer to entries"
    [moved] = events("numbers.moved")
    assert set(moved.after.values()) == set(range(3, 12))
    assert moved.before[str(late.pk)] is None


@pytest.mark.extended
def test_several_late_ones_come_between_the_others_and_are_paired(swiss: Stage, cast: list[Player]) -> None:
    play_rounds(swiss, 2)
    entries = enter_late(swiss.tournament, [cast[5], cast[2]], by=None)
    assert [row.number for row in entries] == [3, 6]
    assert list(numbers_of(swiss)) == list(range(1, 13))
    row = pair_next_round(swiss, by=None)
    assert {3, 6} <= {number for board in boards_of(row) for number in board}


@pytest.mark.extended
def test_once_round_4_is_paired_numbers_stand(swiss: Stage, cast: list[Player]) -> None:
    play_rounds(swiss, FIXED_FROM - 1)
    assert moves_numbers(swiss)
    draft = pair_next_round(swiss, by=None)
    assert not moves_numbers(swiss)
    assert "with number 11; the others keep theirs" in late_terms(swiss.tournament).says
    [late] = enter_late(swiss.tournament, [cast[2]], by=None)
    assert (late.number, late.first_round) == (11, draft.number + 1)
    assert not events("numbers.moved")


def test_numbers_by_lot_or_by_hand_and_those_of_other_formats_are_left_alone(swiss: Stage, cast: list[Player]) -> None:
    assert moves_numbers(swiss)
    for system in ("keizer", "by-hand"):
        other = Stage(pairing_system=system, settings={}, tournament=swiss.tournament)
        assert not moves_numbers(other), system
    rows = list(Entry.objects.filter(tournament=swiss.tournament).order_by("-number"))
    number_in_order(swiss, rows, by=None)
    play_rounds(swiss, 1)
    [late] = enter_late(swiss.tournament, [cast[2]], by=None)
    assert late.number == 11


def test_an_event_that_came_as_a_report_keeps_its_numbers(swiss: Stage, cast: list[Player]) -> None:
    play_rounds(swiss, 1)
    Tournament.objects.update(foreign_records="FED AUS 1 2")
    stage = factory.stage_of(Tournament.objects.get(pk=swiss.tournament_id))
    assert not numbering.may_correct(stage)
    [late] = enter_late(stage.tournament, [cast[2]], by=None)
    assert late.number == 11


# --- corrections --------------------------------------------------------------------------------------------------
def test_a_corrected_rating_moves_the_number_and_can_be_taken_away(swiss: Stage) -> None:
    play_rounds(swiss, 1)
    last = entry(swiss, 10)
    corrected = correct_entry_rating(last.pk, 2050, by=None)
    assert (corrected.number, corrected.rating, corrected.rating_list) == (2, 2050, "")
    assert list(numbers_of(swiss)) == [1, 12, 2, 4, 5, 7, 8, 9, 10, 11]
    [found] = events("entry.rating-corrected")
    assert (found.before, found.after) == ({"rating": 1000.0, "list": "standard"}, {"rating": 2050})
    for rating in (0, -5, 4001):
        with pytest.raises(Refused, match="between 1 and 4000"):
            correct_entry_rating(entry(swiss, 1).pk, rating, by=None)
    assert correct_entry_rating(entry(swiss, 1).pk, None, by=None).number == 10


def test_sorting_again_by_rating(swiss: Stage) -> None:
    rows = list(Entry.objects.filter(tournament=swiss.tournament).order_by("-number"))
    number_in_order(swiss, rows, by=None)
    play_rounds(swiss, 1)
    renumber_by_rating(swiss, by=None)
    assert list(numbers_of(swiss)) == [1, 2, 4, 5, 7, 8, 9, 10, 11, 12]
    renumber_by_rating(swiss, by=None)
    assert len(events("numbers.moved")) == 1, "where nothing moves nothing is told"
    close_event(swiss.tournament, by=None)
    with pytest.raises(Refused, match="open it again"):
        renumber_by_rating(swiss, by=None)


@pytest.mark.extended
def test_corrections_end_with_the_pairing_of_round_4(swiss: Stage) -> None:
    play_rounds(swiss, FIXED_FROM)
    for correct in (
        lambda: correct_entry_rating(entry(swiss, 1).pk, 1000, by=None),
        lambda: renumber_by_rating(swiss, by=None),
    ):
        with pytest.raises(Refused, match="until round 4 is paired"):
            correct()
    assert numbers_of(swiss)[1] == 1


def test_the_clubs_own_list_is_not_touched(swiss: Stage, cast: list[Player], standard: RatingList) -> None:
    play_rounds(swiss, 1)
    correct_entry_rating(entry(swiss, 10).pk, 2300, by=None)
    bring_starting_ratings(standard, [NewStart(cast[2].pk, factory.MONDAY, 1900, 40)], by=None)
    [late] = enter_late(swiss.tournament, [cast[2]], by=None)
    assert (late.number, late.rating) == (4, 1900)
