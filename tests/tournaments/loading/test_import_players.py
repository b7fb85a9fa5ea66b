"""PLAYERS.csv: the reader, and bringing a club's spreadsheet into a list."""

from datetime import date, timedelta
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from players.models import AuditEvent, Player, Visibility
from players.people.services import NewPlayer, create_player, create_players
from ratings.models import PlayerRating, RatingList, StartingRating
from tests import factory
from tests.factory import MONDAY
from tests.tournaments.entries.entry_cases import club_and_list
from tournaments.entries.services.names import BadRows
from tournaments.interchange.players_csv import RUN_COLUMNS, PlayerRow, read_players
from tournaments.interchange.tables_csv import BadRow, UnreadableFileError
from tournaments.loading.services.starting_ratings import DayNeededError, ImportReport, import_players
from tournaments.models import Game
from tournaments.rated_games.services.people import change_people, change_player
from tournaments.rated_games.services.rebuilding import check_list

TODAY = date(2026, 1, 31)
ON = date(2026, 1, 1)

standard = club_and_list


# --- the reader -----------------------------------------------------------------------------------------------
def test_a_player_with_everything_and_one_called_by_an_id() -> None:
    data = 'player,rating,games,deviation,peak,birth_year,town\n"Ní Bhriain, Aoife",1632.5,44,80,1700,1998,Cork\n'
    aoife = PlayerRow(2, "Ní Bhriain, Aoife", 1632.5, 44, 80.0, 1700.0, 1998)
    assert read_players(data.encode(), today=TODAY).rows == (aoife,)
    rows = (PlayerRow(2, "P1", 1632.5), PlayerRow(3, "P2"))
    assert read_players(b"id;rating\nP1;1632,5\nP2;\n", today=TODAY).rows == rows, "decimals may have a comma"


@pytest.mark.parametrize(
    ("columns", "values", "reason"),
    [
        ("rating", "4001", "rating “4001” is not known: write a number from 0 to 4000"),
        ("rating", "1_500", "rating “1_500” is not known: write a number from 0 to 4000"),
        ("rating", "strong", "rating “strong” is not known: write a number from 0 to 4000"),
        ("rating,games", "1500,-3", "games “-3” is not known: write a whole number from 0 to 1000000"),
        ("rating,deviation", "1500,0", "deviation “0” is not known: write a number from 1 to 1000"),
        ("birth_year", "2027", "birth_year “2027” is not known: write a whole number from 1850 to 2026"),
        ("birth_year", "1.5.1980", "birth_year “1.5.1980” is not known: write a whole number from 1850 to 2026"),
        ("games", "30", "games, peak or deviation without a rating: write the rating too"),
        ("rating,peak", "1600,1500", "peak 1500 lies below the rating 1600: the peak is the best rating ever reached"),
    ],
)
def test_a_bad_row_is_told_with_its_line_and_the_remedy(columns: str, values: str, reason: str) -> None:
    file = read_players(f"player,{columns}\nAda,{values}\n".encode(), today=TODAY)
    assert (file.rows, [str(row) for row in file.bad]) == ((), [f"line 2: {reason}"])


def test_what_fixes_a_single_run_is_read_and_checked_only_where_it_is_asked_for() -> None:
    data = b"player,rating,volatility,k_factor\nAda,1500,0.05,12.5\nBo,,,24\n"
    ada, bo = PlayerRow(2, "Ada", 1500.0, volatility=0.05, k_factor=12.5), PlayerRow(3, "Bo", k_factor=24.0)
    assert read_players(data, today=TODAY, also=RUN_COLUMNS).rows == (ada, bo)
    assert read_players(data, today=TODAY).rows == (PlayerRow(2, "Ada", 1500.0), PlayerRow(3, "Bo"))
    k = "0.1 to 1000"
    for column, value, limits in (("volatility", "0", "0.001 to 1"), ("k_factor", "0.05", k), ("k_factor", "1001", k)):
        data = f"player,{column}\nAda,{value}\n".encode()
        (bad,) = read_players(data, today=TODAY, also=RUN_COLUMNS).bad
        assert str(bad) == f"line 2: {column} “{value}” is not known: write a number from {limits}"
        assert read_players(data, today=TODAY).rows == (PlayerRow(2, "Ada"),)


def test_a_name_that_stands_twice_is_told_and_another_scale_may_go_below_zero() -> None:
    file = read_players(b"player\nAda\n Ada \n", today=TODAY)
    assert [str(row) for row in file.bad] == ["line 3: “Ada” stands in line 2 already: remove one of the two"]
    with pytest.raises(UnreadableFileError, match="The header lacks “player”: its columns are “name”, “elo”"):
        read_players(b"Name,Elo\nAda,1500\n", today=TODAY)
    data = b"player,rating,peak\nAda,-250.5,-10\n"
    assert read_players(data, today=TODAY, ratings=(-100_000, 100_000)).rows[0].rating == -250.5
    assert len(read_players(data, today=TODAY).bad) == 2


@given(st.binary(max_size=200))
def test_no_bytes_make_the_reader_fall_over(data: bytes) -> None:
    try:
        file = read_players(b"player,rating,games,peak,birth_year,deviation\n" + data, today=TODAY)
    except UnreadableFileError:
        return
    assert all(row.name and (row.rating is None or 0 <= row.rating <= 4000) for row in file.rows)


# --- the import -----------------------------------------------------------------------------------------------
def bring(rating_list: RatingList, *rows: PlayerRow, **more: Any) -> ImportReport:
    return import_players(rows, **{"rating_list": rating_list, "on": ON, "by": None, **more})


def outcomes(report: ImportReport) -> list[str]:
    return [str(item.outcome) for item in report.rows]


def test_unknown_people_are_added_with_rating_and_game_count(standard: RatingList) -> None:
    report = bring(standard, PlayerRow(2, "Ada", 1800.0, 120, peak=1900.0), PlayerRow(3, "Bo"))
    assert outcomes(report) == ["new", "new"]
    row = PlayerRating.objects.get()
    assert (row.player.name, row.rating, row.games, row.peak, row.ranked) == ("Ada", 1800.0, 120, 1900.0, True)
    assert AuditEvent.objects.filter(action="starting-rating.entered").count() == 1


def test_importing_again_changes_nothing_not_even_later(standard: RatingList) -> None:
    rows = (PlayerRow(2, "Ada", 1800.0, 120, birth_year=1980), PlayerRow(3, "Bo"))
    bring(standard, *rows)
    before = AuditEvent.objects.count()
    assert outcomes(bring(standard, *rows)) == ["known", "known"]
    assert outcomes(bring(standard, *rows, on=TODAY)) == ["known", "known"]
    assert (AuditEvent.objects.count(), StartingRating.objects.count(), Player.objects.count()) == (before, 1, 2)


def test_another_rating_replaces_that_of_the_same_day_and_is_a_second_start_later(standard: RatingList) -> None:
    bring(standard, PlayerRow(2, "Ada", 1800.0, 120))
    assert outcomes(bring(standard, PlayerRow(2, "Ada", 1810.0, 121))) == ["changed"]
    assert StartingRating.objects.values_list("rating", "games").get() == (1810.0, 121)
    assert outcomes(bring(standard, PlayerRow(2, "Ada", 1850.0, 120), on=TODAY)) == ["changed"]
    assert PlayerRating.objects.get().rating == 1850.0
    assert list(StartingRating.objects.order_by("on").values_list("rating", flat=True)) == [1810.0, 1850.0]


def test_games_played_since_are_rated_anew_from_the_start(standard: RatingList) -> None:
    players = factory.make_players(2)
    factory.play_all(factory.make_round_robin(players))
    bring(standard, PlayerRow(2, "Ada Alvarez", 2000.0, 200), on=MONDAY)
    ada = PlayerRating.objects.get(player=players[0])
    assert ada.games == 201
    assert ada.rating < 2000  # a draw against 1500
    assert check_list(standard) == []


def test_a_year_of_birth_is_taken_over_and_decides_k(standard: RatingList) -> None:
    players = factory.make_players(2)
    bring(standard, PlayerRow(2, "Ada Alvarez", 1500.0, 50), on=date(2025, 12, 1))
    factory.play_all(factory.make_round_robin(players), factory.Result.WHITE_WINS)
    before = PlayerRating.objects.get(player=players[0]).rating
    report = bring(standard, PlayerRow(2, "Ada Alvarez", birth_year=2012))
    assert outcomes(report) == ["changed"]
    players[0].refresh_from_db()
    assert (players[0].birth_year, players[0].visibility) == (2012, Visibility.INITIALS)
    assert abs(PlayerRating.objects.get(player=players[0]).rating - 1500) == 2 * abs(before - 1500)
    assert check_list(standard) == []


def test_years_of_several_are_followed_though_one_was_written_by_somebody_else(standard: RatingList) -> None:
    players = factory.make_players(2)
    rows = (PlayerRow(2, "Ada Alvarez", 1500.0, 50), PlayerRow(3, "Bo Brandt", 1500.0, 50))
    bring(standard, *rows, on=date(2025, 12, 1))
    factory.play_all(factory.make_round_robin(players), factory.Result.WHITE_WINS)
    change_player(players[1].pk, {"birth_year": 2012}, by=None)
    change_people({player.pk: {"birth_year": 2012} for player in players}, by=None)
    assert check_list(standard) == []


def test_a_reading_is_taken_over_and_an_empty_cell_takes_none_away(standard: RatingList) -> None:
    data = "player,reading\n佐藤はるか,Satō Haruka\nBo,\n".encode()
    rows = read_players(data, today=TODAY).rows
    bring(standard, PlayerRow(2, "佐藤はるか"))
    assert outcomes(bring(standard, *rows)) == ["changed", "new"]
    assert outcomes(bring(standard, *rows)) == ["known", "known"]
    bring(standard, PlayerRow(2, "佐藤はるか"))
    assert list(Player.objects.order_by("number").values_list("reading", flat=True)) == ["Satō Haruka", ""]
    (bad,) = read_players(b"player,reading\nBo,--\n", today=TODAY).bad
    assert str(bad) == "line 2: the reading “--” has neither letter nor digit: correct it"


def test_one_bad_row_and_nothing_is_imported_but_all_are_told(standard: RatingList) -> None:
    create_players([NewPlayer("Ada"), NewPlayer("Ada"), NewPlayer("Cleo")], by=None)
    rows = (PlayerRow(2, "New"), PlayerRow(3, "Ada", 1500.0), PlayerRow(5, "Cleo"), PlayerRow(6, "#3"))
    with pytest.raises(BadRows) as caught:
        bring(standard, *rows, bad=[BadRow(4, "is wrong")])
    assert [str(row) for row in caught.value.rows] == [
        "line 3: several players are called “Ada”: write one of #1, #2 instead of the name",
        "line 4: is wrong",
        "line 6: “#3” is the same person as in line 5: remove one of the two",
    ]
    assert (Player.objects.count(), StartingRating.objects.count()) == (3, 0)


def test_the_import_belongs_to_one_list_and_a_dry_run_writes_nothing(standard: RatingList) -> None:
    create_player(NewPlayer("Ada"), by=None)
    report = bring(standard, PlayerRow(2, "Ada", 1500.0), PlayerRow(3, "Bo"), dry_run=True)
    assert outcomes(report) == ["changed", "new"]
    assert (Player.objects.count(), StartingRating.objects.count()) == (1, 0)
    rapid = factory.make_list("rapid", pool="rapid", primary=False)
    bring(standard, PlayerRow(2, "Ada", 1500.0), on=TODAY)
    assert outcomes(bring(rapid, PlayerRow(2, "Ada", 1500.0))) == ["changed"]
    starts = StartingRating.objects.values_list("rating_list__slug", "on")
    assert set(starts) == {("standard", TODAY), ("rapid", ON)}


def test_the_day_is_asked_for_by_earlier_games_that_the_list_rates(standard: RatingList) -> None:
    players = factory.make_players(3)
    rapid, names = factory.make_list("rapid", pool="rapid", primary=False), [player.name for player in players]
    for later in (0, 7):
        factory.play_all(event := factory.make_round_robin(players[:2]))
        event.games.update(played_on=MONDAY + timedelta(days=later))
    rows = [PlayerRow(line, name, 1800.0) for line, name in enumerate(names, start=2)]
    assert outcomes(bring(rapid, *rows, on=None)) == ["changed"] * 3
    with pytest.raises(DayNeededError) as caught:
        bring(standard, *rows, on=None)
    assert (caught.value.names, caught.value.first) == (tuple(names[:2]), MONDAY)
    Game.objects.update(played_on=factory.today())
    assert outcomes(bring(standard, *rows, on=None, dry_run=True)) == ["changed"] * 3, "a game of today is none"


@pytest.mark.real_data
def test_the_elo_of_the_candidates_as_a_spreadsheet(standard: RatingList, real_data: Path) -> None:
    # The real standings file names its columns as organisers do; two of them are renamed to ours.
    text = (real_data / "rr" / "candidates2024.standings.csv").read_text().replace("name", "player", 1)
    file = read_players(text.replace("elo", "rating", 1).encode(), today=TODAY)
    assert (len(file.rows), file.bad) == (8, ())
    bring(standard, *file.rows)
    assert PlayerRating.objects.order_by("-rating").first().rating == 2803.0  # type: ignore[union-attr]
