"""FIDE's list meets the club: known by number, proposed by name, conflicts left alone, carried out as it was seen."""

from collections.abc import Iterable
from datetime import date
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import CommandError, call_command
from django.test import Client
from django.utils import timezone

from clubrating.site.federation_list import admin
from clubrating.site.federation_list.services import (
    Wanted,
    add_from_list,
    commit_list,
    find_rows,
    plan_list,
    rate_of,
)
from players.models import AuditEvent, Player, PlayerIdentity
from players.people.services import NewPlayer, create_player, create_players, set_identities, update_player
from players.refusals import Refused, Stale
from ratings.lists.services import NewStart
from ratings.models import PlayerRating, RatingList, StartingRating
from tests import factory
from tests.tournaments.admin_pages import hidden_of
from tests.tournaments.interchange.test_fide_list import CARLSEN, HOU, listed, zipped
from tournaments.interchange.fide_list import FideRow
from tournaments.interchange.tables_csv import BadRow
from tournaments.rated_games.services.people import bring_starting_ratings
from tournaments.rated_games.services.rebuilding import check_list
from tournaments.standings.points import Result

pytestmark = pytest.mark.django_db
TODAY = date(2026, 1, 5)


def row(fide_id: str, name: str, **data: Any) -> FideRow:
    return FideRow(1, fide_id, name, **data)


@pytest.fixture
def magnus(standard: RatingList) -> Player:
    player = create_player(NewPlayer("Magnus Carlsen"), by=None)
    set_identities(player, {"fide": "1503014", "national": "N-1"}, by=None)
    return player


def commit(rows: Iterable[FideRow], wanted: Wanted = Wanted(), **data: Any) -> list[Any]:  # noqa: B008 — frozen
    return commit_list(rows, wanted, by=None, on=TODAY, **data)


def played_as_a_child(player: Player) -> int:
    """A game won, known after fifty others, by somebody whose wrong year of birth gives him a child's K."""
    year = timezone.localdate().year - 10
    update_player(player.pk, {"birth_year": year}, by=None)
    bring_starting_ratings(RatingList.objects.get(), [NewStart(player.pk, TODAY, 1500, 50)], by=None)
    factory.play_all(factory.make_round_robin([player, *factory.make_players(1)]), Result.WHITE_WINS)
    return year


# --- who is meant ---------------------------------------------------------------------------------------------------
def test_the_number_decides_and_brings_the_data(magnus: Player) -> None:
    rows = [row("1503014", "Carlsen, Magnus", title="GM", sex="m", birth_year=1990)]
    (match,) = plan_list(rows, Wanted()).changing
    assert match.changes == {"title": ("", "GM"), "sex": ("", "m"), "birth_year": (None, 1990)}
    assert len(commit(rows)) == 1
    magnus.refresh_from_db()
    assert (magnus.title, magnus.sex, magnus.birth_year) == ("GM", "m", 1990)
    assert dict(magnus.identities.values_list("scheme", "value")) == {"fide": "1503014", "national": "N-1"}
    assert AuditEvent.objects.get(action="player.federation").after == {"fields": ["birth_year", "sex", "title"]}
    assert commit(rows) == [], "a second time nothing changes"
    assert not plan_list([row("1503014", "Carlsen, Magnus")], Wanted()).changing, "what is left open deletes nothing"


def test_a_name_is_a_proposal_only(standard: RatingList) -> None:
    ada = create_player(NewPlayer("Ada Álvarez", birth_year=1980), by=None)
    rows = [row("11", "Alvarez, Ada", birth_year=1980, title="FM"), row("12", "Alvarez, Ada", birth_year=1985)]
    rows.append(row("13", "Alvarez, Adam", birth_year=1980))
    plan = plan_list(rows, Wanted())
    assert [match.row.fide_id for match in plan.proposals] == ["11"]
    assert commit(rows) == []
    twice = [rows[0], row("12", "Alvarez, Ada")]
    with pytest.raises(Refused, match="confirmed twice"):
        commit(twice, confirmed=["11", "12"])
    with pytest.raises(Refused, match="no proposal with the FIDE number 99"):
        commit(twice, confirmed=["99"])
    assert not PlayerIdentity.objects.exists()
    commit(rows, confirmed=["11"])
    ada.refresh_from_db()
    assert ada.title == "FM"
    assert ada.identities.get().value == "11"


def test_a_row_that_may_mean_two_people_is_confirmed_for_neither(standard: RatingList) -> None:
    create_players([NewPlayer("Ada Álvarez"), NewPlayer("Ada Alvarez", birth_year=1980)], by=None)
    rows = [row("11", "Alvarez, Ada", birth_year=1980)]
    assert len(plan_list(rows, Wanted()).proposals) == 2
    with pytest.raises(Refused, match="11 is confirmed twice"):
        commit(rows, confirmed=["11"])
    assert not PlayerIdentity.objects.exists()


def test_a_number_under_another_name_is_a_conflict_and_nothing_is_taken(magnus: Player) -> None:
    rows = [row("1503014", "Hou, Yifan", title="WGM", sex="f")]
    plan = plan_list(rows, Wanted())
    assert [match.player for match in plan.conflicts] == [magnus]
    assert not plan.known
    assert commit(rows) == []
    assert plan_list([row("1503014", "Carlsen, M.")], Wanted()).conflicts == (), "a name cut short is the same name"


def test_somebody_found_to_be_a_minor_is_shown_by_initials_and_merged_and_erased_people_are_nobodys(
    magnus: Player,
) -> None:
    commit([row("1503014", "Carlsen, Magnus", birth_year=timezone.localdate().year - 10)])
    assert Player.objects.get(pk=magnus.pk).visibility == "initials"
    ada, bo = create_players([NewPlayer("Ada Alvarez"), NewPlayer("Bo Brandt")], by=None)
    Player.objects.filter(pk=ada.pk).update(name="", sort_name="")
    Player.objects.filter(pk=bo.pk).update(merged_into=ada)
    assert not plan_list([row("1", "Alvarez, Ada"), row("2", "Brandt, Bo")], Wanted()).proposals


# --- ratings --------------------------------------------------------------------------------------------------------
def test_starting_ratings_come_for_those_without_games_where_asked(magnus: Player, standard: RatingList) -> None:
    rows = [row("1503014", "Carlsen, Magnus", ratings={"standard": 2839, "rapid": 2824})]
    assert not plan_list(rows, Wanted()).changing
    rapid = factory.make_list("rapid", pool="rapid", primary=False)
    commit(rows, Wanted(standard))
    commit(rows, Wanted(rapid))
    brought = StartingRating.objects.order_by("rating").values_list("rating", "source")
    assert list(brought) == [(2824.0, "federation"), (2839.0, "federation")]
    assert PlayerRating.objects.get(rating_list=standard).rating == 2839
    assert commit(rows, Wanted(standard)) == [], "the same rating is not brought again"


def test_whoever_has_played_keeps_the_clubs_own_rating(magnus: Player, standard: RatingList) -> None:
    cup = factory.make_round_robin([magnus, *factory.make_players(1)])
    factory.play_all(cup, Result.WHITE_WINS)
    before = PlayerRating.objects.get(player=magnus).rating
    commit([row("1503014", "Carlsen, Magnus", ratings={"standard": 2839})], Wanted(standard))
    assert PlayerRating.objects.get(player=magnus).rating == before
    assert not StartingRating.objects.exists()
    PlayerRating.objects.update(wins=0, draws=1)
    assert not plan_list([row("1503014", "Carlsen, Magnus", ratings={"standard": 2839})], Wanted(standard)).changing
    rapid = factory.make_list("rapid", pool="rapid", primary=False)
    commit([row("1503014", "Carlsen, Magnus", ratings={"rapid": 2824})], Wanted(rapid))
    assert StartingRating.objects.get().rating_list == rapid, "nothing is played in that one"


def test_games_of_a_generation_that_is_not_shown_are_no_games(magnus: Player, standard: RatingList) -> None:
    cup = factory.make_round_robin([magnus, *factory.make_players(1)])
    factory.play_all(cup, Result.WHITE_WINS)
    PlayerRating.objects.update(generation=standard.live_generation + 1)
    (match,) = commit([row("1503014", "Carlsen, Magnus", ratings={"standard": 2839})], Wanted(standard))
    assert match.changes == {"rating": (None, 2839)}


def test_a_number_that_stands_twice_is_taken_once(magnus: Player) -> None:
    twice = [FideRow(line, "1503014", "Carlsen, Magnus", title=title) for line, title in ((3, "GM"), (7, "IM"))]
    others = [FideRow(line, "99", "Nobody, Here") for line in (8, 9)]
    plan = plan_list([*twice, *others], Wanted())
    assert (plan.rows, [str(each) for each in plan.bad]) == (3, ["line 7: its FIDE number stands on line 3 too"])
    assert len(commit(twice)) == 1
    magnus.refresh_from_db()
    assert magnus.title == "GM"


def test_only_what_was_seen_is_carried_out_and_bad_rows_are_counted(magnus: Player) -> None:
    bad = [BadRow(number, "of no use") for number in range(300)]
    plan = plan_list([*bad, row("1503014", "Carlsen, Magnus")], Wanted())
    assert (plan.rows, plan.bad_rows, len(plan.bad), plan.missing) == (1, 300, 200, 0)
    assert find_rows([*bad, row("6", "Müller, Max")], "muller") == [row("6", "Müller, Max")]
    many = [row(f"{number}", "Müller, Max") for number in range(1, 202)]
    assert len(find_rows(many, "max")) == len(plan_list(many, Wanted(find="max")).found) == 200
    rows = [row("1503014", "Carlsen, Magnus", title="GM")]
    seal = plan_list(rows, Wanted()).seal
    with pytest.raises(Stale, match="look at it again"):
        commit([row("1503014", "Carlsen, Magnus", title="IM")], seal=seal)
    update_player(magnus.pk, {"active": False}, by=None)
    with pytest.raises(Stale):
        commit(rows, seal=seal)
    assert Player.objects.get().title == ""


def test_somebody_is_added_with_all_his_data(standard: RatingList) -> None:
    set_identities(factory.make_players(1)[0], {"fide": "77", "national": "8602980"}, by=None)
    hou = row("8602980", "Hou, Yifan", title="GM", sex="f", birth_year=1994, ratings={"standard": 2633})
    player = add_from_list(hou, rating_list=standard, on=TODAY, by=None)
    assert (player.name, player.title, player.sex, player.birth_year) == ("Hou, Yifan", "GM", "f", 1994)
    assert player.identities.get().value == "8602980"
    assert PlayerRating.objects.get(player=player).rating == 2633
    with pytest.raises(Refused, match="8602980 is in the club already"):
        add_from_list(hou, rating_list=None, on=TODAY, by=None)
    assert Player.objects.count() == 2
    add_from_list(row("5", "New, Nora"), rating_list=standard, on=TODAY, by=None)
    assert StartingRating.objects.get().player == player, "whom the list gives no rating has none"
    assert [rate_of(RatingList(pool=pool)) for pool in ("rapid", "club")] == ["rapid", "standard"]


# --- the command ----------------------------------------------------------------------------------------------------
def run(*arguments: str) -> tuple[str, str]:
    out, err = StringIO(), StringIO()
    call_command("import_fide_list", *arguments, stdout=out, stderr=err)
    return out.getvalue(), err.getvalue()


@pytest.fixture
def file(tmp_path: Path) -> str:
    path = tmp_path / "players_list_xml.zip"
    path.write_bytes(zipped(("players_list.xml", listed(CARLSEN, HOU))))
    return str(path)


def test_the_command_previews_and_commits(magnus: Player, file: str) -> None:
    create_player(NewPlayer("Hou Yifan"), by=None)
    out, err = run(file, "--dry-run")
    assert "known     #1 is 1503014 Carlsen, Magnus NOR GM 1990 standard 2839 rapid 2824: title – → GM" in out
    assert "perhaps   #2 is 8602980 Hou, Yifan" in out
    assert "2 rows read" in err
    assert "Nothing was written" in err
    assert not Player.objects.exclude(title="").exists()
    out, err = run(file, "--list", "standard", "--confirm", "8602980")
    assert "confirmed #2" in out
    assert "Brought up to date: 2." in err
    assert set(Player.objects.values_list("title", flat=True)) == {"GM"}
    assert StartingRating.objects.count() == 2


def test_the_command_finds_and_adds(standard: RatingList, file: str) -> None:
    assert run(file, "--find", "Carlsen")[0].startswith("1503014 Carlsen, Magnus")
    assert run(file, "--add", "8602980", "--dry-run")[0].startswith("8602980")
    assert not Player.objects.exists()
    run(file, "--add", "8602980", "--list", "standard")
    assert Player.objects.get().name == "Hou, Yifan"
    with pytest.raises(CommandError, match="no FIDE number 77"):
        run(file, "--add", "77")
    for reason in (("--reason", "other"), ("--note", "a newcomer")):
        with pytest.raises(CommandError, match="leave --reason and --note out") as refused:
            run(file, "--add", "1503014", *reason)
        assert (refused.value.returncode, Player.objects.count()) == (2, 1)


def test_a_damaged_file_changes_nothing_and_is_told(magnus: Player, tmp_path: Path) -> None:
    path = tmp_path / "list.xml"
    path.write_bytes(listed(CARLSEN, HOU)[:-30])
    with pytest.raises(CommandError, match="no whole XML") as caught:
        run(str(path))
    assert caught.value.returncode == 2
    with pytest.raises(CommandError, match="cannot be read"):
        run(str(tmp_path / "nowhere.xml"))
    assert Player.objects.get().title == ""


def test_a_dry_run_says_which_ratings_would_move(magnus: Player, file: str) -> None:
    young = played_as_a_child(magnus)
    before = dict(PlayerRating.objects.values_list("player__number", "rating"))
    err = run(file, "--dry-run")[1]
    assert "Standard: 1 games would be rated anew, 1 ratings would move:" in err
    assert f"Magnus Carlsen (#1) {before[1]:.1f} → " in err
    assert dict(PlayerRating.objects.values_list("player__number", "rating")) == before
    assert Player.objects.get(pk=magnus.pk).birth_year == young
    run(file, "--reason", "entry-error", "--note", "from the list")
    changed = AuditEvent.objects.exclude(effect={}).get(reason="entry-error", note="from the list")
    assert (changed.subject_key, changed.effect["standard"]["games"]) == (magnus.pk, 1)


# --- the page -------------------------------------------------------------------------------------------------------
PAGE = "/admin/players/player/fide-list/"


def upload(desk: Client, content: bytes, **data: str) -> Any:
    return desk.post(PAGE, {"file": SimpleUploadedFile("players_list.xml", content), **data})


def test_the_page_shows_and_commits_what_was_seen(desk: Client, magnus: Player, standard: RatingList) -> None:
    create_player(NewPlayer("Yifan Hou"), by=None)
    answer = upload(desk, listed(CARLSEN, HOU), starts=str(standard.pk), find="hou")
    html = answer.content.decode()
    assert answer.status_code == 200
    assert "title: GM; year of birth: 1990" in html.replace("sex: m; ", "")
    form = {"kept": answer.context["kept"], "name": "players_list.xml", "starts": str(standard.pk), "find": ""}
    form |= {"seal": answer.context["plan"].seal, "do": "commit"}
    update_player(magnus.pk, {"active": False}, by=None)
    again = desk.post(PAGE, form | {"meant": ["8602980"]})
    assert (again.status_code, "look at it again" in again.content.decode()) == (400, True), "a stale preview"
    assert Player.objects.get(pk=magnus.pk).title == ""
    form["seal"] = again.context["plan"].seal
    done = desk.post(PAGE, form | {"meant": ["8602980"]}, follow=True)
    assert "2 players were brought up to date." in done.content.decode()
    assert PlayerIdentity.objects.filter(value="8602980").exists()
    gone = desk.post(PAGE, form)
    assert (gone.status_code, "upload it again" in gone.content.decode()) == (400, True)


def test_where_rated_games_follow_what_moves_is_shown_first(desk: Client, magnus: Player, standard: RatingList) -> None:
    played_as_a_child(magnus)
    before = PlayerRating.objects.get(player=magnus).rating
    answer = upload(desk, listed(CARLSEN))
    form = {"kept": answer.context["kept"], "name": "players_list.xml", "starts": "", "find": ""}
    form |= {"seal": answer.context["plan"].seal, "do": "bring"}
    shown = desk.post(PAGE, form)
    assert [move.player for move in shown.context["preview"].lists[0].moves] == [magnus]
    assert "→ 1990" in shown.text
    wish = {**hidden_of(shown.text), "do": "commit"}
    assert "This field is required" in desk.post(PAGE, wish).text
    assert PlayerRating.objects.get(player=magnus).rating == before
    done = desk.post(PAGE, {**wish, "reason": "entry-error"}, follow=True)
    assert "1 player was brought up to date." in done.text
    assert PlayerRating.objects.get(player=magnus).rating != before
    assert check_list(standard) == []
    event = AuditEvent.objects.get(action="player.changed", reason="entry-error")
    assert event.effect["standard"]["games"] == 1


def test_somebody_is_added_from_the_page(desk: Client, standard: RatingList) -> None:
    answer = upload(desk, listed(CARLSEN, HOU), find="hou")
    form = {"kept": answer.context["kept"], "name": "players_list.xml", "starts": str(standard.pk), "find": "hou"}
    html = desk.post(PAGE, {**form, "add": "8602980"}).content.decode()
    assert "Hou, Yifan (#1) is in the list." in html
    again = desk.post(PAGE, {**form, "add": "8602980"})
    assert again.status_code == 400
    assert "in the club already" in again.content.decode()
    assert "not in the list" in desk.post(PAGE, {**form, "add": "9"}).content.decode()
    assert Player.objects.count() == 1


def test_a_file_of_no_use_and_a_made_up_step_are_refused(desk: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    for content in (b"", b"hello", listed(CARLSEN)[:-30], zipped(("a", b"<x>"), ("b", b""))):
        assert upload(desk, content).status_code == 400, content
    for data in ({"kept": "x"}, {"kept": "0" * 64}, {"kept": "../etc", "add": "1"}, {"starts": "99"}):
        assert desk.post(PAGE, data).status_code == 400, data
    monkeypatch.setattr(admin, "MOST_SHOWN", 1)
    assert "and 1 more" in upload(desk, listed(*[CARLSEN.replace("1503014", "x")] * 2)).text
    for less in (1, 0):
        monkeypatch.setattr(admin, "LARGEST", len(listed(CARLSEN)) - less)
        assert ("larger than 5 MB: zip it" in upload(desk, listed(CARLSEN)).text) is bool(less)


def test_who_may_not_write_people_has_no_page(client: Client, standard: RatingList) -> None:
    for who in (factory.make_assistant(), factory.make_rating_officer()):
        client.force_login(who)
        assert client.get(PAGE).status_code == 403


def test_the_preview_asks_no_more_of_the_database_for_more_people(standard: RatingList, at_most: Any) -> None:
    create_players([NewPlayer(f"Person {chr(97 + index % 26)}{index}") for index in range(60)], by=None)
    rows = [row(str(index), f"Person {chr(97 + index % 26)}{index}") for index in range(60)]
    with at_most(4):
        assert len(plan_list(rows, Wanted(standard)).proposals) == 60
