"""Who runs an event, and whether its results are read twice: said on its form, changed by whoever runs it."""

import pytest
from django.contrib.auth.models import User
from django.core.files.uploadedfile import SimpleUploadedFile
from django.http import HttpResponse
from django.test import Client
from django.urls import reverse

from players.officers.roles import ASSISTANT, RATING_OFFICER, group_of
from players.refusals import Refused
from ratings.models import RatingList
from tests import factory
from tests.tournaments.admin_pages import fields_of, url
from tests.tournaments.entries.entry_cases import club_and_list, events
from tournaments.corrections.admin.corrections import correct_address
from tournaments.corrections.services.changes import ResultChange
from tournaments.events.selectors.officers import may_correct, may_enter, who_enters, who_may_run
from tournaments.events.services.events import NewTournament, create_tournament, open_event, update_tournament
from tournaments.interchange.games_csv import read_games
from tournaments.loading.services.streams import load_games
from tournaments.models import Game, Tournament
from tournaments.standings.points import Result

pytestmark = pytest.mark.django_db
ADD = reverse("admin:tournaments_tournament_add")
LIST = reverse("admin:tournaments_tournament_changelist")
LOAD = reverse("admin:tournaments_game_load")
INSERT = reverse("admin:tournaments_game_insert")


standard = club_and_list


@pytest.fixture(scope="module")
def cup(standard: RatingList) -> Tournament:
    return factory.make_round_robin(factory.make_players(5))


@pytest.fixture
def other(standard: RatingList) -> User:
    return factory.make_arbiter("other")


def form_of(desk: Client, event: Tournament) -> dict[str, object]:
    """The change form as a browser would post it, without its lists, which stand as they are."""
    form = fields_of(desk.get(url("change", event.pk)).content.decode())
    form.pop("run_by", None)
    return {**form, "play": "once", "pool": "standard", "second_reading": event.second_reading}


def officers(event: Tournament) -> set[str]:
    return set(event.officers.values_list("username", flat=True))


# --- the services -----------------------------------------------------------------------------------------------------


def test_a_change_is_kept_with_keys_before_and_after(cup: Tournament, arbiter: User, other: User) -> None:
    update_tournament(cup.pk, {"officers": [arbiter.pk, other.pk], "second_reading": "other"}, by=arbiter)
    event = events("tournament.changed")[0]
    assert (event.before["officers"], event.after["officers"]) == ([], sorted([arbiter.pk, other.pk]))
    assert (event.before["second_reading"], event.after["second_reading"]) == ("", "other")
    update_tournament(cup.pk, {"officers": [other.pk, arbiter.pk]}, by=arbiter)
    assert "officers" not in events("tournament.changed")[1].after, "the same people in another order"
    with pytest.raises(Refused, match="no such second reading"):
        update_tournament(cup.pk, {"second_reading": "third"}, by=None)


def test_only_who_runs_it_or_an_administrator_says_who_runs_it(cup: Tournament, arbiter: User, other: User) -> None:
    cup.officers.set([other])
    with pytest.raises(Refused, match="is run by others"):
        update_tournament(cup.pk, {"officers": []}, by=arbiter)
    assert officers(cup) == {"other"}
    update_tournament(cup.pk, {"officers": []}, by=factory.make_administrator())
    assert not officers(cup)


def test_nobody_but_arbiters_and_assistants_can_be_named(cup: Tournament, arbiter: User) -> None:
    rating, gone = factory.make_rating_officer(), factory.make_arbiter("gone")
    User.objects.filter(pk=gone.pk).update(is_active=False)
    outside = factory.make_arbiter("outside")
    User.objects.filter(pk=outside.pk).update(is_staff=False)
    for key in (rating.pk, gone.pk, outside.pk, 987654):
        with pytest.raises(Refused, match="Only an active arbiter or assistant"):
            update_tournament(cup.pk, {"officers": [arbiter.pk, key]}, by=arbiter)
        with pytest.raises(Refused, match="Only an active arbiter or assistant"):
            create_tournament(NewTournament("Another", officers=[arbiter.pk, key]), by=arbiter)
    assert not officers(cup)
    arbiter.groups.add(group_of(ASSISTANT))
    assert list(who_may_run()) == [arbiter], "once, in whatever roles"
    named = [factory.make_arbiter(name) for name in ("second", "third", "first")]
    for user, last, first in zip(named, ("Brandt", "Brandt", "Alvarez"), ("Bo", "Ada", "Cleo"), strict=True):
        User.objects.filter(pk=user.pk).update(last_name=last, first_name=first)
    assert list(who_may_run()) == [arbiter, *named[::-1]], "by name"
    administrator = factory.make_administrator()
    own = create_tournament(NewTournament("Own", officers=(administrator.pk,)), by=administrator)
    assert officers(own) == {administrator.username}, "one may always name oneself"
    cup.officers.set([arbiter, gone])
    update_tournament(cup.pk, {"officers": [arbiter.pk, gone.pk]}, by=arbiter)
    assert officers(cup) == {"arbiter", "gone"}, "who has lost the role may stay, but not come again"
    update_tournament(cup.pk, {"officers": [arbiter.pk]}, by=arbiter)
    with pytest.raises(Refused):
        update_tournament(cup.pk, {"officers": [arbiter.pk, gone.pk]}, by=arbiter)


# --- the form ---------------------------------------------------------------------------------------------------------
def test_a_new_event_says_both(desk: Client, arbiter: User, other: User) -> None:
    form = fields_of(desk.get(ADD).content.decode())
    form.pop("run_by", None)
    said = {"name": "Open", "play": "once", "pool": "standard", "second_reading": "other"}
    desk.post(ADD, {**form, **said, "run_by": [arbiter.pk, other.pk]})
    event = Tournament.objects.get(name="Open")
    assert (officers(event), event.second_reading) == ({"arbiter", "other"}, "other")
    assert sorted(events("tournament.created")[-1].after["officers"]) == sorted([arbiter.pk, other.pk])


def test_nobody_gives_an_event_away_unseen(desk: Client, cup: Tournament, other: User) -> None:
    form = form_of(desk, cup) | {"run_by": [other.pk]}
    html = desk.post(url("change", cup.pk), form).content.decode()
    assert "You would lose this event" in html
    assert not officers(cup)
    answer = desk.post(url("change", cup.pk), form | {"without_me": "on"})
    assert answer.status_code == 302
    assert officers(cup) == {"other"}
    assert desk.get(url("entries", cup.pk)).status_code == 403


def test_the_question_is_asked_only_where_it_matters(desk: Client, cup: Tournament, arbiter: User, other: User) -> None:
    assert "without_me" not in desk.get(url("change", cup.pk)).content.decode()
    desk.post(url("change", cup.pk), form_of(desk, cup) | {"run_by": [arbiter.pk, other.pk]})
    assert officers(cup) == {"arbiter", "other"}
    desk.force_login(factory.make_administrator())
    desk.post(url("change", cup.pk), form_of(desk, cup) | {"run_by": [other.pk]})
    assert officers(cup) == {"other"}, "an administrator is never asked"


def test_a_stale_form_keeps_every_tick(desk: Client, cup: Tournament, arbiter: User, other: User) -> None:
    form = form_of(desk, cup) | {"run_by": [arbiter.pk, other.pk]}
    update_tournament(cup.pk, {"place": "Hall", "officers": [arbiter.pk]}, by=None)
    html = desk.post(url("change", cup.pk), form).content.decode()
    assert "Somebody else changed this tournament meanwhile" in html
    assert "“Run by”" in html or "Run by: “arbiter” stands now." in html
    boxes = [tag for tag in html.split("<input") if 'name="run_by"' in tag.split(">")[0]]
    assert sum(" checked" in tag.split(">")[0] for tag in boxes) == 2
    assert officers(cup) == {"arbiter"}


def test_keys_that_are_nobodys_are_refused_on_the_form(desk: Client, cup: Tournament) -> None:
    for wrong in ("x", "-1", "999999", "\x00"):
        answer = desk.post(url("change", cup.pk), form_of(desk, cup) | {"run_by": [wrong], "without_me": "on"})
        assert (answer.status_code, officers(cup)) == (200, set()), wrong


def test_an_arbiter_sees_all_events_and_can_look_for_his_own(desk: Client, cup: Tournament, other: User) -> None:
    theirs = factory.make_round_robin([row.player for row in cup.entries.all()], name="Their Cup")
    theirs.officers.set([other])
    assert "Their Cup" in desk.get(LIST).content.decode()
    own = factory.make_round_robin([row.player for row in cup.entries.all()], name="Own Cup")
    own.officers.set([User.objects.get(username="arbiter"), other])
    assert desk.get(LIST, {"mine": "x"}, follow=True).status_code == 200
    mine = desk.get(LIST, {"mine": "1"}).content.decode()
    assert "Winter Cup" in mine
    assert "Own Cup" in mine
    assert "Their Cup" not in mine
    page = desk.get(url("change", theirs.pk))
    assert page.status_code == 200
    assert 'name="_save"' not in page.content.decode()
    assert desk.post(url("delete", theirs.pk), {"post": "yes"}).status_code == 403


def test_in_an_event_of_others_nobody_corrects_a_result_or_enters_a_forgotten_game(
    desk: Client, cup: Tournament, other: User
) -> None:
    game = factory.play_round(cup, 1, [Result.DRAW, Result.DRAW])[0]
    evenings = open_event("Mondays", pool="standard", by=None).tournament
    correct = correct_address([ResultChange(game.pk, Result.WHITE_WINS, game.played_on, game.revision)], LIST)
    wish = {"tournament": evenings.pk, "white": "Ada Alvarez", "black": "Bo Brandt", "result": "1-0"}
    wish |= {"played_on": factory.MONDAY.isoformat()}
    for status in (200, 403):
        assert desk.get(correct).status_code == status
        assert desk.post(INSERT, wish).status_code == status
        for event in (cup, evenings):
            event.officers.set([other])
    desk.force_login(factory.make_rating_officer())
    assert desk.get(correct).status_code == 200, "who answers for the ratings corrects every event"
    cup.officers.clear()
    rights = {
        made: (may_enter(user, cup), may_correct(user, cup), user.pk in who_enters())
        for made, user in (("assistant", factory.make_assistant()), ("arbiter", User.objects.get(username="arbiter")))
    }
    assert rights == {"assistant": (True, False, True), "arbiter": (True, True, True)}
    rating = User.objects.get(groups__name=RATING_OFFICER)
    User.objects.filter(username="arbiter").update(is_staff=False)
    assert (may_enter(rating, cup), set(who_enters().values())) == (False, {False})
    assert set(who_enters()) == set(
        User.objects.filter(is_staff=True).exclude(pk=rating.pk).values_list("pk", flat=True)
    )


GAMES = b"white,black,result,event\nAda Alvarez,Bo Brandt,1,Mondays\nBo Brandt,Cleo Costa,1,\n"


def load(desk: Client, **wish: str) -> HttpResponse:
    file = SimpleUploadedFile("games.csv", GAMES)
    return desk.post(LOAD, {"file": file, "event": "Tuesdays", "pool": "standard", **wish})  # type: ignore[return-value]


@pytest.mark.parametrize("taken", ["Mondays", "Tuesdays"])
def test_a_file_brings_no_games_into_an_event_of_others(
    desk: Client, cup: Tournament, arbiter: User, other: User, taken: str
) -> None:
    """Named by a row, or for the rows that name none."""
    event = open_event(taken, pool="standard", by=None).tournament
    event.officers.set([other])
    before = Game.objects.count()
    answer = load(desk)
    assert (answer.status_code, "is run by others" in answer.text) == (400, True)
    rows = read_games(GAMES, today=factory.MONDAY).rows
    with pytest.raises(Refused, match="is run by others"):
        load_games(rows, by=arbiter, event_name="Tuesdays", today=factory.MONDAY)
    assert Game.objects.count() == before
    event.officers.add(arbiter)
    assert load(desk).status_code == 200
    load_games(rows, by=arbiter, event_name="Tuesdays", today=factory.MONDAY)
    assert Game.objects.count() == before + 2
