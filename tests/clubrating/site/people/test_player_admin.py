"""People, the club and the audit trail in the admin: saved by services, refused in words, read-only where computed."""

import re
from datetime import date, timedelta

import pytest
from django.contrib.auth.models import Permission, User
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from players.club.services import is_pass_phrase, update_club
from players.models import AuditEvent, Club, Guardian, Player, PlayerIdentity, Visibility
from players.people.services import update_player
from players.refusals import Refused
from ratings.lists.services import NewStart
from ratings.models import PlayerRating, RatingList, StartingRating
from tests import desk_scene, factory
from tests.players.links.link_cases import switch_links_on
from tests.tournaments.admin_pages import save_shown
from tournaments.merging.services import merge_players
from tournaments.models import Entry, Round, Tournament
from tournaments.rated_games.services.people import bring_starting_ratings
from tournaments.rated_games.services.rebuilding import check_list
from tournaments.standings.points import Result
from tournaments.withdrawals.services.withdrawals import withdraw_entry

pytestmark = pytest.mark.django_db
NO_NUMBERS = {"identities-TOTAL_FORMS": "0", "identities-INITIAL_FORMS": "0"}


@pytest.fixture
def office(client: Client, standard: RatingList) -> Client:
    client.force_login(factory.make_administrator())
    return client


def add(desk: Client, **data: str) -> str:
    """Post the add form; the page that follows."""
    form = {**NO_NUMBERS, "active": "on", **data}
    return desk.post(reverse("admin:players_player_add"), form, follow=True).content.decode()


def change_url(player: Player) -> str:
    return reverse("admin:players_player_change", args=[player.pk])


def person_form(player: Player, **data: str) -> dict[str, str]:
    form = {**NO_NUMBERS, "name": player.name, "visibility": player.visibility, "active": "on"}
    return {**form, "revision": str(player.revision), **data}


def change(desk: Client, player: Player, **data: str) -> str:
    return desk.post(change_url(player), person_form(player, **data), follow=True).content.decode()


# --- new people -----------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("name", "said"),
    [
        (
            "Оксана Гриценко",
            "Proposed by its letters: Oksana Gritsenko (Russian, Bulgarian), Oksana Hrytsenko (Ukrainian)",
        ),
        ("佐藤はるか", "Nothing is proposed"),
        ("Ada Alvarez", ""),
    ],
)
def test_a_reading_is_proposed_and_stored_only_when_it_is_entered(desk: Client, name: str, said: str) -> None:
    add(desk, name=name)
    player = Player.objects.get()
    page = desk.get(change_url(player)).text
    assert said in page
    assert ("roposed" in page) == bool(said)
    change(desk, player)
    player.refresh_from_db()
    assert player.reading == "", "saving the form takes nothing over"
    change(desk, player, reading="Satō Haruka")
    player.refresh_from_db()
    assert player.reading == "Satō Haruka"
    assert "Satō Haruka" in desk.get(reverse("admin:players_player_changelist"), {"q": "sato"}).text


def test_a_new_player_is_shown_by_name_and_logged_by_number(desk: Client) -> None:
    html = add(desk, name="Анна Соколова", birth_year="1990")
    player = Player.objects.get()
    assert "Анна Соколова (#1) is in the list." in html
    event = AuditEvent.objects.get(action="player.created")
    assert (event.actor, event.role) == (User.objects.get(), "arbiter")
    assert "Анна" not in str(event.after)
    assert player.visibility == Visibility.PUBLIC


def test_by_age_shows_a_minor_by_initials(desk: Client) -> None:
    add(desk, name="Mia Minor", birth_year=str(timezone.localdate().year - 10))
    assert Player.objects.get().visibility == Visibility.INITIALS


@pytest.mark.parametrize("name", ["Ada Alvarez", "ada  alvarez", "Adá Alvarez", "Alvarez, Ada"])
def test_a_namesake_needs_a_word(desk: Client, name: str) -> None:
    factory.make_players(1)
    html = add(desk, name=name, birth_year="1970")
    assert "Ada Alvarez is in the list already, as player 1" in html
    assert 'value="1970"' in html
    assert Player.objects.count() == 1
    add(desk, name=name, another_person="on")
    assert Player.objects.count() == 2


@pytest.mark.extended
@pytest.mark.parametrize(
    "wrong",
    [
        *({"birth_year": year} for year in ("1700", "2190", "x", "19900")),
        *({"name": no_letter} for no_letter in ("", "   ", "...", "\u200b")),
        *({"start_games": "5"}, {"start_rating": "5000"}, {"start_rating": "nan"}),
    ],
)
def test_a_wrong_year_a_name_without_a_letter_and_a_brought_rating_without_sense_are_told(
    desk: Client, wrong: dict[str, str]
) -> None:
    assert "errorlist" in add(desk, **{"name": "Ada Alvarez", **wrong})
    assert not Player.objects.exists()


def test_a_brought_rating_counts_from_the_joining_day(desk: Client, standard: RatingList) -> None:
    add(desk, name="Ada Alvarez", joined_on="2020-05-01", start_rating="1834.5", start_games="61")
    start = StartingRating.objects.get()
    assert (start.on.isoformat(), start.rating, start.games) == ("2020-05-01", 1834.5, 61)
    assert PlayerRating.objects.get(rating_list=standard).rating == 1834.5
    tomorrow = factory.today() + timedelta(days=1)
    add(desk, name="Bo Brandt", joined_on=tomorrow.isoformat(), start_rating="1500")
    assert StartingRating.objects.latest("pk").on == factory.today()


def test_a_brought_rating_needs_a_list(desk: Client, standard: RatingList) -> None:
    standard.delete()
    assert "There is no rating list yet" in add(desk, name="Ada Alvarez", start_rating="1834")
    assert not Player.objects.exists()


def test_outside_numbers_are_kept_and_audited_without_the_number(desk: Client) -> None:
    rows = {"identities-TOTAL_FORMS": "1", "identities-0-scheme": "fide", "identities-0-value": "4100018"}
    add(desk, name="Ada Alvarez", **rows)
    assert PlayerIdentity.objects.get().value == "4100018"
    told = factory.told("player.identities", Player.objects.get(), User.objects.get())
    assert told.after == {"fields": ["fide"]}
    assert "Another player has this number" in add(desk, name="Bo Brandt", **rows)
    assert Player.objects.count() == 1


# --- changes ----------------------------------------------------------------------------------------------------
def test_a_change_goes_through_the_service(desk: Client) -> None:
    [ada] = factory.make_players(1)
    assert "Ada Alvarez (#1)" in desk.get(change_url(ada)).content.decode()
    assert "Ada Alvarez (#1) was changed." in change(desk, ada, title="FM")
    ada.refresh_from_db()
    assert (ada.title, ada.revision) == ("FM", 1)
    assert AuditEvent.objects.get(action="player.changed").after["fields"] == ["title"]


def test_a_stale_form_overwrites_nothing_and_keeps_what_was_typed(desk: Client) -> None:
    [ada] = factory.make_players(1)
    update_player(ada.pk, {"title": "GM"}, by=None)
    html = change(desk, ada, title="FM", birth_year="1971")
    assert "Somebody else changed this player meanwhile" in html
    assert "“GM” stands now" in html
    assert 'value="1971"' in html
    assert Player.objects.get().title == "GM"
    assert re.search(r'name="revision" value="1"', html)


def test_somebody_who_turns_out_a_minor_is_hidden_though_the_form_names_the_old_level(desk: Client) -> None:
    [ada] = factory.make_players(1)
    change(desk, ada, birth_year=str(timezone.localdate().year - 9))
    assert Player.objects.get().visibility == Visibility.INITIALS


@pytest.mark.extended
@pytest.mark.parametrize(("year", "moved"), [("2012", 2), ("1980", 0)])
def test_another_year_of_birth_shows_first_what_it_moves(
    desk: Client, standard: RatingList, year: str, moved: int
) -> None:
    ada, bo = factory.make_players(2)
    bring_starting_ratings(standard, [NewStart(each.pk, date(2025, 1, 1), 1500, 50) for each in (ada, bo)], by=None)
    factory.play_all(factory.make_round_robin([ada, bo]), Result.WHITE_WINS)
    address = change_url(ada)
    form = person_form(ada, birth_year=year, title="FM")
    shown = desk.post(address, form)
    assert [len(row.shown) for row in shown.context["preview"].lists] == [moved and 1]
    ada.refresh_from_db()
    assert (ada.birth_year, ada.title) == (None, ""), "only shown"
    assert save_shown(desk, address, form, "entry-error").status_code == 302
    ada.refresh_from_db()
    assert (ada.birth_year, ada.title) == (int(year), "FM"), "the form is saved as a whole"
    event = AuditEvent.objects.get(action="player.changed")
    assert (event.reason, event.effect["standard"]["games"]) == ("entry-error", 1)
    assert year not in str((event.before, event.after))
    assert check_list(standard) == []


def test_guardians_left_of_somebody_of_age_stand_on_the_page(desk: Client) -> None:
    [ada] = factory.make_players(1)
    assert "Gertrud" not in desk.get(change_url(ada)).text
    Guardian.objects.create(player=ada, name="Gertrud Guardian")
    assert "Gertrud Guardian" in desk.get(change_url(ada)).text


# --- deletion -----------------------------------------------------------------------------------------------------
def test_a_player_without_games_can_be_deleted(desk: Client) -> None:
    [ada] = factory.make_players(1)
    url = reverse("admin:players_player_delete", args=[ada.pk])
    assert "Ada Alvarez" in desk.get(url).content.decode()
    desk.post(url, {"post": "yes"})
    assert not Player.objects.exists()
    assert AuditEvent.objects.filter(action="player.deleted").exists()


def test_a_player_with_games_stays_and_the_message_says_what_to_do(desk: Client) -> None:
    ada, *_ = factory.make_players(4)
    factory.make_round_robin(list(Player.objects.all()))
    url = reverse("admin:players_player_delete", args=[ada.pk])
    answer = desk.post(url, {"post": "yes"}, follow=True)
    assert answer.redirect_chain[-1][0] == change_url(ada)
    assert "set the player inactive" in answer.content.decode()
    assert Player.objects.count() == 4


def test_no_bulk_action_goes_past_the_services(office: Client) -> None:
    players = factory.make_players(2)
    url = reverse("admin:players_player_changelist")
    assert "delete_selected" not in office.get(url).content.decode()
    form = {"action": "delete_selected", "_selected_action": [player.pk for player in players], "post": "yes"}
    office.post(url, form)
    assert Player.objects.count() == 2


# --- search -------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("term", ["СОКОЛОВА", "sokolova", "анна", "#1", "1", "Соколова, Анна"])
def test_names_are_found_in_any_script_and_case(desk: Client, term: str) -> None:
    add(desk, name="Анна Соколова")
    factory.make_players(2)
    html = desk.get(reverse("admin:players_player_changelist"), {"q": term}).content.decode()
    assert "Анна Соколова" in html
    assert "Bo Brandt" not in html


# --- the club and the trail ---------------------------------------------------------------------------------------
def test_the_club_opens_on_its_one_form(office: Client, club: Club) -> None:
    answer = office.get(reverse("admin:players_club_changelist"))
    assert answer["Location"] == reverse("admin:players_club_change", args=[club.pk])
    assert "Test Club" in office.get(reverse("admin:index")).content.decode()


def test_club_settings_and_pass_phrase(office: Client, club: Club) -> None:
    url = reverse("admin:players_club_change", args=[club.pk])
    form = {"name": "New Name", "time_zone": "Asia/Tokyo", "default_visibility": "public", "revision": "0"}
    form |= {"quiet_from": "23", "quiet_until": "7", "letters_at": "8"}
    assert "Hours are whole numbers from 0 to 23." in office.post(url, {**form, "quiet_from": "24"}).text
    office.post(url, {**form, "new_phrase": "open sesame"})
    club.refresh_from_db()
    assert (club.name, club.time_zone, club.quiet_from) == ("New Name", "Asia/Tokyo", 23)
    assert is_pass_phrase(club, "open sesame")
    assert "open sesame" not in office.get(url).content.decode()

    assert "Somebody else changed the club" in office.post(url, {**form, "name": "Stale"}).content.decode()
    office.post(url, {**form, "revision": "1"})
    club.refresh_from_db()
    assert is_pass_phrase(club, "open sesame"), "an empty field leaves the pass-phrase alone"
    closing = {**form, "revision": str(club.revision), "close_door": "on"}
    assert "Either a new pass-phrase or none: not both." in office.post(url, {**closing, "new_phrase": "another"}).text
    office.post(url, closing)
    club.refresh_from_db()
    assert not club.pass_phrase


def test_the_clubs_name_is_stored_without_needless_blanks_and_never_empty(club: Club) -> None:
    assert update_club({"name": " Old  Club "}, by=None).name == "Old Club"
    with pytest.raises(Refused, match="The club needs a name"):
        update_club({"name": " "}, by=None)


def test_the_trail_reads_in_words_and_nobody_edits_it(office: Client, club: Club) -> None:
    factory.make_players(1)
    update_club({"name": "Other"}, by=None)
    event = AuditEvent.objects.first()
    assert event is not None
    html = office.get(reverse("admin:players_auditevent_changelist")).content.decode()
    assert "name: Test Club → Other" in html
    page = reverse("admin:players_auditevent_change", args=[event.pk])
    shown = office.get(page).content.decode()
    assert "Test Club → Other" in shown
    assert "{&#x27;" not in shown
    assert office.post(page, {"note": "x"}).status_code == 403
    for verb in ("add", "delete"):
        address = reverse(f"admin:players_auditevent_{verb}", args=[] if verb == "add" else [event.pk])
        assert office.post(address, {"post": "yes"}).status_code == 403
    history = office.get(reverse("admin:players_player_history", args=[Player.objects.get().pk]), follow=True)
    assert "player.created" in history.content.decode()
    assert "club.changed</td>" not in history.content.decode()


def test_an_arbiter_sees_neither_club_nor_trail(desk: Client, club: Club) -> None:
    for name in ("players_auditevent_changelist", "players_club_changelist", "players_job_changelist"):
        assert desk.get(reverse(f"admin:{name}")).status_code == 403


def test_a_sheet_has_links_for_those_who_are_in_that_event_still(desk: Client) -> None:
    switch_links_on()
    ada, bo, cleo, dara, erased = factory.make_players(5)
    cup, over = factory.make_round_robin([ada, bo, erased]), factory.make_round_robin([cleo, dara], name="Spring Cup")
    withdraw_entry(Entry.objects.get(tournament=cup, player=bo).pk, by=None)
    Player.objects.filter(pk=erased.pk).update(name="")
    sheet, terms = reverse("admin:players_player_link_sheet"), {"days": 30, "devices": 1}
    assert [each.player for each in desk.post(sheet, {**terms, "event": cup.pk}).context["made"]] == [ada]
    Tournament.objects.filter(pk=over.pk).update(closed=True)
    assert desk.post(sheet, {**terms, "event": over.pk}).status_code == 400


def test_who_may_only_look_sees_the_person_and_saves_nothing(client: Client, standard: RatingList) -> None:
    [ada] = factory.make_players(1)
    looker = User.objects.create_user("looker", is_staff=True)
    looker.user_permissions.add(Permission.objects.get(codename="view_player"))
    client.force_login(looker)
    assert "Ada Alvarez" in client.get(change_url(ada)).content.decode()
    assert "Possible duplicates" not in client.get(reverse("admin:players_player_changelist")).text
    assert client.post(change_url(ada), {"name": "Changed"}).status_code == 403
    assert client.get(reverse("admin:players_player_add")).status_code == 403
    assert client.post(reverse("admin:players_player_delete", args=[ada.pk]), {"post": "yes"}).status_code == 403


@pytest.mark.parametrize("may", [["change_tournament"], ["change_tournament", "add_player"]])
def test_entries_lead_to_add_a_player_for_those_who_may(client: Client, club: Club, may: list[str]) -> None:
    cup = factory.make_round_robin(factory.make_players(2))
    Round.objects.all().delete()
    user = User.objects.create_user("arbiter", is_staff=True)
    user.user_permissions.set(Permission.objects.filter(codename__in=may))
    client.force_login(user)
    entries = reverse("admin:tournaments_tournament_entries", args=[cup.pk])
    for html in (client.get(entries), client.post(entries, {"names": "Nobody Here"})):
        assert (reverse("admin:players_player_add") in html.content.decode()) is ("add_player" in may)


def test_anonymous_is_asked_to_sign_in(client: Client, club: Club) -> None:
    for name in ("index", "players_player_changelist", "players_player_add"):
        assert client.get(reverse(f"admin:{name}"))["Location"].startswith(reverse("admin:login"))


def test_a_record_offers_what_may_be_done_with_it_to_who_may(standard: RatingList) -> None:
    kept, gone = factory.make_players(2)
    words = ("Merge into…", "Undo the merge", ">Links<", "All data…", "Erase…", "Audit trail")
    desks = {
        "arbiter": desk_scene.client_of(factory.make_arbiter()),
        "rating officer": desk_scene.client_of(factory.make_rating_officer()),
        "administrator": desk_scene.client_of(factory.make_administrator()),
    }

    def offered(player: Player) -> dict[str, list[str]]:
        pages = {role: desk.get(change_url(player)).text for role, desk in desks.items()}
        return {role: [each for each in words if each in text] for role, text in pages.items()}

    merge, links, everything = (
        "Merge into…",
        ">Links<",
        ["Merge into…", ">Links<", "All data…", "Erase…", "Audit trail"],
    )
    living = {"arbiter": [merge, links], "rating officer": ["Audit trail"], "administrator": everything}
    assert offered(kept) == living
    merge_players(keep=kept.pk, gone=gone.pk, by=None, reason="duplicate")
    assert offered(gone) == {
        "arbiter": ["Undo the merge"],
        "rating officer": ["Audit trail"],
        "administrator": ["Undo the merge", "Audit trail"],
    }
