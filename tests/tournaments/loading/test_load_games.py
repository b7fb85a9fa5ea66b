"""Loading streams: whole or not at all, once or again, and what the ratings make of it."""

from datetime import date
from typing import Any

import pytest

from players.models import AuditEvent, Player
from players.people.services import NewPlayer, create_player, create_players
from players.refusals import Refused
from ratings.models import LedgerEntry, PlayerRating, RatingList
from tests import ROOT, factory
from tests.tournaments.entries.entry_cases import club_and_list
from tournaments.entries.services.names import BadRows
from tournaments.events.services.events import update_tournament
from tournaments.interchange.games_csv import GameRow, read_games
from tournaments.interchange.tables_csv import BadRow
from tournaments.loading.services.streams import LoadReport, load_games
from tournaments.models import Game, Tournament
from tournaments.rated_games.services.rebuilding import check_list
from tournaments.results.services.results import correct_result
from tournaments.standings.points import Result

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("standard")]
standard = club_and_list
TODAY = date(2026, 1, 31)
DAY = date(2026, 1, 8)
WIN, DRAW, LOSS = Result.WHITE_WINS, Result.DRAW, Result.BLACK_WINS


def game(white: str, black: str, result: Result = WIN, **more: Any) -> GameRow:
    return GameRow(**{"line": 2, "white": white, "black": black, "result": result, "played_on": DAY, **more})


def load(*rows: GameRow, **more: Any) -> LoadReport:
    return load_games(rows, **{"by": None, "event_name": "Club evenings", "today": TODAY, **more})


def bad_rows(*rows: GameRow, **more: Any) -> list[str]:
    with pytest.raises(BadRows) as caught:
        load(*rows, **more)
    return [str(row) for row in caught.value.rows]


# --- what is loaded -----------------------------------------------------------------------------------------------


def test_games_take_their_places_in_the_order_of_the_file_without_rounds_and_seats() -> None:
    load(game("A", "B", label="3.1"), game("C", "D"), game("A", "D", played_on=None))
    played = Game.objects.order_by("sequence").values_list("white__name", "black__name", "sequence", "played_on")
    assert list(played) == [("A", "B", 16, DAY), ("C", "D", 32, DAY), ("A", "D", 48, TODAY)], "undated is of today"
    pairing = Game.objects.order_by("sequence")[0].pairing
    assert (pairing.round, pairing.board, pairing.label, pairing.seats.count()) == (None, None, "3.1", 0)


def test_each_event_value_is_an_open_ended_event_with_one_audit_event_and_the_rest_go_to_the_named_one() -> None:
    load(game("Ada", "Bo", event="League"), game("Ada", "C"), game("Ada", "D", event="League"), event_name="Winter")
    assert dict(Tournament.objects.values_list("name", "open_ended")) == {"League": True, "Winter": True}
    assert Game.objects.filter(tournament__name="League").count() == 2
    events = AuditEvent.objects.filter(action="games.loaded")
    assert [event.after["games"] for event in events.order_by("subject_key")] == [2, 1]
    assert "Ada" not in str(list(events.values_list("before", "after"))), "no names in it"


def test_ratings_follow_and_equal_a_fresh_replay_also_after_earlier_games(standard: RatingList) -> None:
    report = load(game("A", "B", Result.BLACK_FORFEITS), game("A", "B", Result.BOTH_FORFEIT))
    assert (report.loaded, report.rated, Game.objects.count()) == (2, 0, 2), "forfeits are kept and not rated"
    assert not LedgerEntry.objects.exists()
    load(game("A", "B"), game("C", "D", DRAW))
    ratings = {row.player.name: row.rating for row in PlayerRating.objects.select_related("player")}
    assert ratings == {"A": 1520.0, "B": 1480.0, "C": 1500.0, "D": 1500.0}
    assert check_list(standard) == []
    load(game("D", "A", played_on=date(2025, 12, 1)))
    assert list(LedgerEntry.objects.order_by("id").values_list("game__white__name", flat=True)) == ["D", "A", "C"]
    assert check_list(standard) == []


def test_pool_margin_and_importance_are_facts_of_the_row() -> None:
    rapid = factory.make_list("rapid", pool="rapid", primary=False)
    load(game("A", "B", pool="rapid"), game("A", "C", white_points=3, black_points=1, importance=2.0))
    assert LedgerEntry.objects.get(rating_list=rapid).game.black.name == "B"
    facts = Game.objects.filter(black__name="C").values_list("white_points", "black_points", "importance")
    assert facts.get() == (3, 1, 2.0)


def test_without_any_list_games_are_kept_and_the_pool_is_named() -> None:
    RatingList.objects.all().delete()
    assert load(game("A", "B")).unlisted == ("standard",)
    assert Game.objects.count() == 1


# --- again ----------------------------------------------------------------------------------------------------------
def test_loading_again_changes_nothing_and_only_the_surplus_is_loaded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tournaments.loading.services.streams._BATCH", 1)
    rows = (game("A", "B"), game("A", "B"), game("B", "A", DRAW, label="1.1"), game("C", "D", event="League"))
    load(*rows)
    before = (Game.objects.count(), Player.objects.count(), AuditEvent.objects.count())
    report = load(*rows)
    assert (report.loaded, report.known, report.events) == (0, 4, ())
    assert (Game.objects.count(), Player.objects.count(), AuditEvent.objects.count()) == before
    report = load(*rows, game("A", "B"), game("A", "B", LOSS))
    assert (report.loaded, report.known) == (2, 4)
    load(game("A", "C", played_on=None))
    assert load(game("A", "C", played_on=None), today=date(2026, 3, 1)).known == 1, "undated, on another day"
    assert load(game("A", "C", played_on=None), event_name="Summer").loaded == 1, "in another event"


def test_another_result_under_the_same_label_is_a_bad_row() -> None:
    load(game("A", "B", WIN, label="3.1"))
    here = "game 3.1 of “Club evenings” is here with the result 1–0"
    text = f"line 7: {here}: correct it in the administration, or correct the file"
    assert bad_rows(game("A", "B", LOSS, label="3.1", line=7)) == [text]
    correct_result(game=Game.objects.get().pk, result=Result.OPEN, by=None)
    assert "with the result cleared: correct" in bad_rows(game("A", "B", LOSS, label="3.1"))[0]


@pytest.mark.parametrize("label", ["1.1", ""])
def test_a_corrected_game_is_not_loaded_a_second_time(label: str) -> None:
    load(game("A", "B", WIN, label=label))
    correct_result(game=Game.objects.get().pk, result=DRAW, by=None)
    assert load(game("A", "B", WIN, label=label)).known == 1, "the file as it was"
    assert load(game("A", "B", DRAW, label=label)).known == 1, "the file corrected too"
    assert Game.objects.get().result == DRAW


@pytest.mark.extended
@pytest.mark.parametrize("label", ["1.1", ""])
def test_a_game_cleared_or_moved_to_another_day_is_not_loaded_again(label: str) -> None:
    load(game("A", "B", WIN, label=label), game("A", "C", WIN, label=label))
    cleared, moved = Game.objects.order_by("pk")
    correct_result(game=cleared.pk, result=Result.OPEN, by=None)
    correct_result(game=moved.pk, result=WIN, by=None, played_on=factory.MONDAY)
    assert load(game("A", "B", WIN, label=label), game("A", "C", WIN, label=label)).known == 2
    assert Game.objects.count() == 2


def test_a_renamed_event_is_still_known_by_the_name_in_the_file() -> None:
    load(game("A", "B"))
    event = Tournament.objects.get()
    update_tournament(event.pk, {"name": "Evenings of old"}, by=None)
    assert load(game("A", "B")).known == 1
    assert Tournament.objects.count() == 1


def test_a_game_of_an_event_with_rounds_of_the_same_name_is_another_one() -> None:
    players = create_players([NewPlayer("A"), NewPlayer("B")], by=None)
    cup = factory.make_round_robin(players, name="Club evenings")
    factory.play_all(cup, WIN)
    Game.objects.update(played_on=DAY)
    cup.stages.update(name="Club evenings")
    assert load(game("A", "B"), game("B", "A")).loaded == 2
    assert Game.objects.filter(tournament=cup).count() == 1


def test_games_of_an_unrated_event_move_nothing_and_a_late_load_of_two_says_once_what_it_moved() -> None:
    load(game("A", "B", event="Friendly"))
    Tournament.objects.update(rated=False)
    load(game("A", "C", event="Friendly", played_on=DAY.replace(day=1)))
    assert (Game.objects.count(), LedgerEntry.objects.count()) == (2, 1)
    load(game("C", "D", event="League"))
    late = DAY.replace(day=2)
    load(game("C", "D", event="League", played_on=late), game("D", "A", event="Winter", played_on=late))
    told = AuditEvent.objects.filter(action="games.loaded").order_by("-pk")[:2]
    assert sorted(len(event.effect) for event in told) == [0, 1]
    assert {event.reason for event in told} == {"late-report"}


def test_games_of_an_event_that_others_run_are_loaded_by_them_or_by_a_command() -> None:
    own, other = factory.make_arbiter("own"), factory.make_arbiter("other")
    load(game("A", "B", event="League"), game("A", "B", event="Winter"), by=other)
    Tournament.objects.get(name="League").officers.add(own)
    cup = factory.make_round_robin(create_players([NewPlayer("C"), NewPlayer("D")], by=None))
    cup.officers.add(own)
    cup.stages.update(name="Winter")
    assert load(game("A", "B", DRAW, event="League"), by=own).loaded == 1
    assert load(game("A", "B", DRAW, event="Winter"), by=other).loaded == 1
    with pytest.raises(Refused, match="“League” is run by others"):
        load(game("A", "B", LOSS, event="League"), by=other)
    assert load(game("A", "B", LOSS, event="League")).loaded == 1


# --- whole or not at all ----------------------------------------------------------------------------------------------
def test_one_bad_row_and_nothing_is_loaded_but_all_are_told() -> None:
    create_players([NewPlayer("Ada"), NewPlayer("Ada")], by=None)
    found = bad_rows(game("X", "Y"), game("Ada", "X", line=5), game("#99", "X", line=4), bad=[BadRow(3, "is wrong")])
    assert found == [
        "line 3: is wrong",
        "line 4: there is no player #99: correct the number",
        "line 5: several players are called “Ada”: write one of #1, #2 instead of the name",
    ]
    assert (Game.objects.count(), Player.objects.count(), Tournament.objects.count()) == (0, 2, 0)


def test_names_much_like_somebodys_or_unknown_are_told() -> None:
    create_players([NewPlayer("Muller, Hans")], by=None)
    report = load(game("hans muller", "Bo"))
    assert report.alike == ("“hans muller” is new. If it is Muller, Hans (#1), write that name.",)
    create_player(NewPlayer("Ada"), by=None)
    text = "line 2: nobody is called “Cleo”: add the player first, or correct the spelling"
    assert bad_rows(game("Ada", "Cleo"), known_players_only=True) == [text]


def test_a_number_names_one_person_and_an_endless_one_is_a_name() -> None:
    ada, second = create_players([NewPlayer("Ada"), NewPlayer("Ada")], by=None)
    load(game("#2", "Bo"))
    assert Game.objects.get().white == second
    assert bad_rows(game("Bo", "#3")) == ["line 2: “Bo” and “#3” are one person: correct one of the two names"]
    Player.objects.filter(pk=second.pk).update(merged_into=ada)
    assert bad_rows(game("#2", "Bo")) == ["line 2: player #2 is the same person as #1: write #1"]
    assert load(game("#" + "9" * 40, "Cleo")).new_players == 2


def test_a_pool_no_list_rates_and_an_event_without_a_name_are_refused() -> None:
    unknown = "rates the pool “blits”: choose one of standard"
    assert bad_rows(game("A", "B", pool="blits")) == [f"line 2: no rating list {unknown}"]
    with pytest.raises(Refused, match="No rating list rates the pool “rapid”: choose one of standard"):
        load(game("A", "B"), pool="rapid")
    with pytest.raises(Refused, match="The event’s name is missing"):
        load(game("A", "B"), event_name=" ")


def test_a_dry_run_writes_nothing_then_unknown_people_are_added_and_known_ones_recognised() -> None:
    trail = AuditEvent.objects.count()
    report = load(game("A", "B"), dry_run=True)
    assert (report.loaded, report.new_players, report.events) == (1, 2, ("Club evenings",))
    assert (Game.objects.count(), Player.objects.count(), AuditEvent.objects.count()) == (0, 0, trail)
    ada = create_player(NewPlayer("Ada"), by=None)
    report = load(game("Ada", "Bo"), game("Bo", "Cleo"))
    assert (report.loaded, report.rated, report.new_players) == (2, 2, 2)
    assert list(Player.objects.order_by("number").values_list("name", flat=True)) == ["Ada", "Bo", "Cleo"]
    assert Game.objects.order_by("sequence").first().white == ada  # type: ignore[union-attr]


# --- real games ---------------------------------------------------------------------------------------------------
def test_sixty_real_club_games(standard: RatingList) -> None:
    data = (ROOT / "tests" / "data" / "club_games_2024_head.csv").read_bytes()
    rows = read_games(data, today=TODAY).rows
    assert load(*rows).loaded == 60
    assert load(*rows).known == 60
    assert LedgerEntry.objects.count() == 60
    assert check_list(standard) == []
