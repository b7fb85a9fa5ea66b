"""People through the services: numbers, visibility by age, changes, deletion, and an audit trail without names."""

import json
from datetime import date

import pytest
from django.db import IntegrityError, connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from players.club.services import found_club, is_pass_phrase, update_club
from players.counters import take_numbers
from players.models import AuditEvent, Club, Player, PlayerIdentity, Visibility
from players.people.selectors import players_like, visible_players
from players.people.services import (
    NewPlayer,
    create_player,
    create_players,
    delete_player,
    set_identities,
    update_player,
)
from players.privacy.rules import NOBODY, OFFICER
from players.refusals import Refused, Stale
from tests import factory

pytestmark = pytest.mark.django_db


def test_a_number_is_given_once_and_never_again(club: Club) -> None:
    first = create_player(NewPlayer("Ada"), by=None)
    delete_player(first.pk, by=None)
    assert create_player(NewPlayer("Bo"), by=None).number == first.number + 1


def test_numbers_are_taken_in_one_go_with_gaps() -> None:
    assert take_numbers("x", 3, step=16) == [16, 32, 48]
    assert take_numbers("x", step=16) == [64]


def test_a_minor_is_shown_by_initials_unless_a_level_is_chosen(club: Club) -> None:
    young = timezone.localdate().year - 12
    assert create_player(NewPlayer("Kim", birth_year=young), by=None).visibility == Visibility.INITIALS
    chosen = create_player(NewPlayer("Lou", birth_year=young, visibility="members"), by=None)
    assert chosen.visibility == Visibility.MEMBERS


def test_whoever_turns_out_to_be_a_minor_is_shown_by_initials_from_then_on(club: Club) -> None:
    player = create_player(NewPlayer("Kim"), by=None)
    changed, fields = update_player(player.pk, {"birth_year": timezone.localdate().year - 9}, by=None)
    assert changed.visibility == Visibility.INITIALS
    assert fields == {"birth_year", "visibility"}
    hidden = create_player(NewPlayer("Lou", visibility="hidden"), by=None)
    found = update_player(hidden.pk, {"birth_year": timezone.localdate().year - 9}, by=None)[0]
    assert found.visibility == Visibility.HIDDEN, "nobody is shown more by it"


def test_a_change_that_names_no_level_keeps_it_and_by_age_works_it_out_anew(club: Club) -> None:
    hidden = create_player(NewPlayer("Kim", visibility="hidden"), by=None)
    assert update_player(hidden.pk, {"title": "FM"}, by=None)[0].visibility == Visibility.HIDDEN
    assert update_player(hidden.pk, {"visibility": ""}, by=None)[0].visibility == Visibility.PUBLIC
    adult = {"birth_year": timezone.localdate().year - 50}
    changed = update_player(hidden.pk, adult, by=None)[0]
    assert changed.visibility == Visibility.PUBLIC
    again, fields = update_player(hidden.pk, adult, by=None)
    assert (fields, again.revision) == (set(), changed.revision), "where nothing moves nothing is written"


def test_a_new_adult_gets_the_clubs_default(club: Club) -> None:
    update_club({"default_visibility": Visibility.MEMBERS}, by=None)
    assert create_player(NewPlayer("Ada"), by=None).visibility == Visibility.MEMBERS


def test_a_stale_change_is_refused_and_changes_nothing(club: Club) -> None:
    player = create_player(NewPlayer("Ada"), by=None)
    update_player(player.pk, {"name": "Ada A.", "number": 99}, by=None, revision=0)
    with pytest.raises(Stale, match="Somebody else"):
        update_player(player.pk, {"name": "Other"}, by=None, revision=0)
    assert (Player.objects.get().name, Player.objects.get().number) == ("Ada A.", player.number)


@pytest.mark.parametrize("name", ["", "   ", "\u200b", "…", "x" * 101])
def test_a_player_needs_a_name(club: Club, name: str) -> None:
    with pytest.raises(Refused):
        create_player(NewPlayer(name), by=None)
    assert not Player.objects.exists()
    assert create_player(NewPlayer("x" * 100), by=None).name


def test_a_player_with_games_is_not_deleted(standard: object) -> None:
    players = factory.make_players(2)
    factory.make_round_robin(players)
    with pytest.raises(Refused, match="set the player inactive"):
        delete_player(players[0].pk, by=None)
    assert Player.objects.count() == 2
    assert not AuditEvent.objects.filter(action="player.deleted").exists()


def test_the_audit_trail_holds_no_name(club: Club) -> None:
    player = create_player(NewPlayer("Zebedee Planted"), by=None)
    update_player(player.pk, {"name": "Quentin Planted", "title": "IM"}, by=None)
    delete_player(player.pk, by=None)
    trail = json.dumps(list(AuditEvent.objects.values("before", "after", "note", "action")))
    assert "Planted" not in trail
    assert [event.action for event in AuditEvent.objects.filter(subject_kind="player").order_by("pk")] == [
        "player.created",
        "player.changed",
        "player.deleted",
    ]


def test_the_database_refuses_an_impossible_year_and_a_shared_outside_number(club: Club) -> None:
    ada, bo = factory.make_players(2)
    PlayerIdentity.objects.create(player=ada, scheme="fide", value="123")
    with pytest.raises(IntegrityError):
        PlayerIdentity.objects.create(player=bo, scheme="fide", value="123")


def test_outside_numbers_are_replaced_and_never_shared(club: Club) -> None:
    ada, bo = factory.make_players(2)
    set_identities(ada, {"fide": " 123 ", "national": ""}, by=None)
    assert dict(ada.identities.values_list("scheme", "value")) == {"fide": "123"}
    with pytest.raises(Refused, match="Another player has the number 123"):
        set_identities(bo, {"fide": "123"}, by=None)
    # Another number of the same body, and the same number of another body.
    set_identities(bo, {"fide": "99", "national": "123"}, by=None)
    set_identities(ada, {"fide": "124"}, by=None)
    set_identities(ada, {"fide": "124"}, by=None)
    set_identities(ada, {"fide": "124", "national": "7"}, by=None)
    assert dict(ada.identities.values_list("scheme", "value")) == {"fide": "124", "national": "7"}
    assert dict(bo.identities.values_list("scheme", "value")) == {"fide": "99", "national": "123"}
    events = AuditEvent.objects.filter(action="player.identities", subject_key=ada.pk).order_by("pk")
    bodies = [{"fields": [body]} for body in ("fide", "fide", "national")]
    assert [event.after for event in events] == bodies, "which body, never the number"


@pytest.mark.parametrize("name", ["", "…", "x" * 101])
def test_a_club_needs_a_name(db: None, name: str) -> None:
    with pytest.raises(Refused):
        found_club(name=name, time_zone="UTC")


def test_there_is_one_club(club: Club) -> None:
    assert factory.told("club.founded", club).after == {"name": "Test Club", "time_zone": factory.ZONE}
    with pytest.raises(Refused, match="set up already"):
        found_club(name="Second", time_zone="UTC")


def test_the_pass_phrase_is_stored_hashed_and_a_new_one_ends_old_sessions(club: Club) -> None:
    changed = update_club({"pass_phrase": "rook on the seventh"}, by=None)
    assert "rook" not in changed.pass_phrase
    assert is_pass_phrase(changed, "rook on the seventh")
    assert not is_pass_phrase(changed, "rook on the eighth")
    again = update_club({"pass_phrase": "a new one"}, by=None)
    assert again.pass_phrase_version == changed.pass_phrase_version + 1
    with pytest.raises(Stale, match="the club's settings meanwhile"):
        update_club({"pass_phrase": "a third one"}, by=None, revision=changed.revision)


def test_an_unknown_time_zone_is_refused(club: Club) -> None:
    with pytest.raises(Refused, match="Europe/Berlin"):
        update_club({"time_zone": "Mars/Olympus"}, by=None)


def test_a_name_that_grows_in_latin_letters_fits_its_columns(club: Club) -> None:
    create_player(NewPlayer("Щ" * 100, reading="Ж" * 100), by=None).clean_fields()


def test_joining_day_is_kept(club: Club) -> None:
    assert create_player(NewPlayer("Ada", joined_on=date(2020, 1, 1)), by=None).joined_on == date(2020, 1, 1)


def test_whoever_adds_many_people_asks_for_the_club_once(club: Club) -> None:
    with CaptureQueriesContext(connection) as asked:
        create_players([NewPlayer("Ada"), NewPlayer("Bo"), NewPlayer("Cleo", birth_year=2020)], by=None)
    assert sum('FROM "players_club"' in query["sql"] for query in asked) == 1


def test_a_merged_record_leads_to_the_one_kept_where_both_may_be_opened(club: Club) -> None:
    kept, twin = create_players([NewPlayer("Ada Alvarez"), NewPlayer("Ada Twin")], by=None)
    Player.objects.filter(pk=twin.pk).update(merged_into=kept)
    assert visible_players([twin.number], NOBODY) == {twin.number: kept}
    assert (players_like("alvarez ada"), players_like("twin ada")) == ([kept], [])
    many = create_players([NewPlayer(f"Bo {given} Many") for given in ("Dan", "Cid", "Bob", "Al")], by=None)
    assert players_like("many bo") == many[:3], "three, by number"
    for each in (kept, twin):
        Player.objects.update(visibility="public")
        Player.objects.filter(pk=each.pk).update(visibility="hidden")
        found = [visible_players([twin.number], viewer) for viewer in (NOBODY, OFFICER)]
        assert found == [{}, {twin.number: kept}]
