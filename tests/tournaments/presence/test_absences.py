"""I'm absent tonight: told by a member, seen by the arbiters, and nobody is moved by it."""

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from players.club.services import update_club
from players.models import AuditEvent, Player
from players.privacy.rules import OFFICER
from players.refusals import Refused
from ratings.models import RatingList
from tests import factory
from tests.desk_scene import facts
from tests.players.links.link_cases import phone_of, switch_links_on
from tests.tournaments.admin_pages import fields_of
from tests.tournaments.entries.entry_cases import club_and_list
from tests.tournaments.event_pages import page_cases
from tests.visitor import Visitor
from tournaments.events.services.closing import close_event
from tournaments.models import AbsenceNotice, ByeKind, ByeRequest, Entry, Pairing, Seat, Stage, Tournament
from tournaments.presence.selectors import (
    AHEAD,
    absence_notices_for,
    absence_notices_from,
    entries_of,
    half_byes_of,
    open_rounds,
    who_may_miss,
)
from tournaments.presence.services import (
    cancel_own_bye,
    check_in,
    report_absence,
    request_bye,
    request_own_bye,
    rounds_with_byes,
    take_absence_back,
)
from tournaments.presence.views import LIMIT
from tournaments.rounds.services.next_round import pair_next_round
from tournaments.rounds.services.rounds import publish_round
from tournaments.standings.points import Result

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("club_time", "empty_cache")]
PHRASE = "open sesame"


standard = club_and_list


@pytest.fixture(scope="module", autouse=True)
def arbiter(standard: RatingList) -> User:
    return factory.make_arbiter()


@pytest.fixture(scope="module", autouse=True)
def swiss(standard: RatingList) -> Tournament:
    """Six players, the first of five rounds played."""
    update_club({"pass_phrase": PHRASE}, by=None)
    event = page_cases.make_event(factory.make_players(6), "dutch", name="Open", rounds=5)
    pair_next_round(page_cases.first_stage(event), by=None, day=factory.MONDAY, publish=True)
    page_cases.play_open_round(event, *[Result.DRAW] * 3)
    return event


@pytest.fixture
def cup(swiss: Tournament) -> Tournament:
    """Five of them in a round robin."""
    return factory.make_round_robin(factory.first_players(5))


def entry_of(event: Tournament, number: int) -> Entry:
    return Entry.objects.get(tournament=event, number=number)


def page(event: Tournament) -> str:
    return reverse("tournaments:absent", args=[event.slug])


def member() -> Visitor:
    visitor = Visitor()
    visitor.client.post("/members/", {"pass_phrase": PHRASE})
    return visitor


def numbers(event: Tournament) -> list[tuple[int, bool]]:
    return [(row.number, row.made) for row in open_rounds(Tournament.objects.get(pk=event.pk))]


# --- which rounds -------------------------------------------------------------------------------------------------
def test_the_rounds_to_come_are_open_whatever_another_event_has_made(swiss: Tournament, cup: Tournament) -> None:
    assert numbers(swiss) == [(number, False) for number in range(2, 2 + AHEAD)]
    draft = pair_next_round(page_cases.first_stage(swiss), by=None, day=factory.MONDAY, publish=False)
    assert numbers(swiss)[0] == (2, False), "a draft is still to come"
    publish_round(draft.pk, by=None)
    assert numbers(swiss) == [(2, True), (3, False), (4, False), (5, False)]
    Stage.objects.filter(tournament=swiss).update(settings={"rounds": 4})
    assert numbers(swiss) == [(2, True), (3, False), (4, False)], "no more than the event has"
    Tournament.objects.filter(pk=swiss.pk).update(closed=True)
    assert numbers(swiss) == []


@pytest.mark.extended
def test_where_all_rounds_are_made_those_that_are_not_played_are_open(cup: Tournament) -> None:
    factory.play_round(cup, 1, [Result.DRAW] * 2)
    assert numbers(cup) == [(number, True) for number in range(2, 6)]
    boards = Pairing.objects.filter(stage__tournament=cup, round__number=5)
    boards.update(superseded=True)
    assert numbers(cup) == [(number, True) for number in range(2, 5)], "of boards drawn again nobody is absent"
    boards.update(superseded=False)
    for number in range(2, 6):
        factory.play_round(cup, number, [Result.DRAW] * 2)
    assert numbers(cup) == []
    close_event(cup, by=None)
    assert numbers(cup) == []
    with pytest.raises(Refused, match="The event is over"):
        report_absence(entry_of(cup, 1).pk, 1, by=None)


# --- telling ------------------------------------------------------------------------------------------------------
def test_a_member_tells_and_takes_it_back(swiss: Tournament) -> None:
    visitor = member()
    visitor.open(f"/tournaments/{swiss.slug}/rounds/1/")
    visitor.click("I’m absent")
    visitor.send("Tell the arbiters", entry=entry_of(swiss, 3).pk, round=2)
    visitor.sees("The arbiters are told", "Told so far", "Cleo Costa")
    notice = AbsenceNotice.objects.get()
    assert (notice.entry, notice.round_number, notice.late) == (entry_of(swiss, 3), 2, False)
    event = AuditEvent.objects.get(action="absence.told")
    assert (event.role, event.actor, event.after) == ("member", None, {"round": 2, "late": False})
    visitor.send("Comes after all")
    visitor.sees("Taken back")
    assert not AbsenceNotice.objects.exists()
    officer = factory.make_arbiter("petra")
    visitor.client.force_login(officer)
    assert visitor.client.post(page(swiss), {"entry": entry_of(swiss, 3).pk, "round": 2}).status_code == 302
    assert factory.told("absence.told", entry_of(swiss, 3), officer).role == "arbiter"


def test_it_gives_no_bye_and_moves_nobody(swiss: Tournament) -> None:
    pair_next_round(page_cases.first_stage(swiss), by=None, day=factory.MONDAY, publish=True)
    before = facts()
    report_absence(entry_of(swiss, 1).pk, 2, by=None, role="member")
    report_absence(entry_of(swiss, 1).pk, 3, by=None, role="member")
    moved = {label for label, rows in facts().items() if rows != before[label]}
    assert moved == {"tournaments.AbsenceNotice", "players.AuditEvent"}
    assert not ByeRequest.objects.exists()
    key = entry_of(swiss, 1).pk
    assert [absence_notices_for(swiss, number) for number in (2, 3)] == [{key: True}, {key: False}]
    assert absence_notices_from(swiss, 3) == {key: [3]}


def test_nobody_is_led_to_the_members_door_and_back_and_nowhere_else(swiss: Tournament) -> None:
    visitor = Visitor()
    visitor.open(page(swiss))
    visitor.sees("This is for members")
    assert "Cleo" not in visitor.page.words
    visitor.click("For members")
    visitor.send("Enter", pass_phrase=PHRASE)
    assert visitor.address == page(swiss)
    visitor.sees("Tell the arbiters")
    for foreign in ("https://example.org/", "//example.org/", "javascript:alert(1)", "x", "\\\\x"):
        assert Client().post(f"/members/?next={foreign}", {"pass_phrase": PHRASE})["Location"] == "/", foreign


def test_nobody_tells_by_guessing_the_form_and_the_page_is_throttled(swiss: Tournament) -> None:
    assert Client().post(page(swiss), {"entry": entry_of(swiss, 1).pk, "round": 2}).status_code == 403
    assert not AbsenceNotice.objects.exists()
    for _time in range(LIMIT.tries - 1):
        LIMIT.count("127.0.0.1")
    told = [member().client.post(page(swiss), {"entry": entry_of(swiss, 1).pk, "round": row}) for row in (2, 3)]
    assert [answer.status_code for answer in told] == [302, 429], "what was told counts"


def test_nonsense_or_somebody_of_another_event_is_refused(swiss: Tournament, cup: Tournament) -> None:
    other = entry_of(cup, 1)
    report_absence(other.pk, 1, by=None)
    assert entries_of(cup, [other.player]) == [other]
    visitor = member()
    for back in ("", "1", "1-2-3", "x-1", "999999-2", "²-1", f"{other.pk}-1"):
        assert visitor.client.post(page(swiss), {"back": back}).status_code == 409, back
    assert AbsenceNotice.objects.exists()


def test_a_round_that_was_made_meanwhile_is_for_the_arbiters(swiss: Tournament) -> None:
    entry = entry_of(swiss, 1)
    for number in (2, 3, 4):
        report_absence(entry.pk, number, by=None)
    take_absence_back(entry.pk, 3, by=None)
    assert set(AbsenceNotice.objects.values_list("round_number", flat=True)) == {2, 4}
    pair_next_round(page_cases.first_stage(swiss), by=None, day=factory.MONDAY, publish=True)
    with pytest.raises(Refused, match="was made meanwhile"):
        take_absence_back(entry.pk, 2, by=None)
    report_absence(entry_of(swiss, 2).pk, 2, by=None)
    take_absence_back(entry_of(swiss, 2).pk, 2, by=(officer := factory.make_assistant()))
    assert factory.told("absence.taken-back", entry_of(swiss, 2), officer).before["round"] == 2
    with pytest.raises(Refused, match="Nobody said"):
        take_absence_back(entry_of(swiss, 2).pk, 2, by=None)


def test_told_twice_is_told_once_and_a_round_nobody_knows_or_who_left_is_refused(swiss: Tournament) -> None:
    for _time in range(2):
        report_absence(entry_of(swiss, 1).pk, 2, by=None)
    assert AbsenceNotice.objects.count() == 1
    assert AuditEvent.objects.filter(action="absence.told").count() == 1
    entry = entry_of(swiss, 1)
    for number in (1, 77):
        with pytest.raises(Refused, match="is over, or nobody knows"):
            report_absence(entry.pk, number, by=None)
    late = entry_of(swiss, 2).pk
    Entry.objects.filter(pk=late).update(first_round=3)
    with pytest.raises(Refused, match="nobody knows"):
        report_absence(late, 2, by=None)
    assert report_absence(late, 3, by=None).round_number == 3
    Entry.objects.filter(pk=entry.pk).update(withdrawn=True)
    with pytest.raises(Refused, match="has left the event"):
        report_absence(entry.pk, 2, by=None)
    assert entries_of(swiss, [entry.player]) == []


def test_the_page_shows_ones_own_half_point_byes_of_rounds_to_come(swiss: Tournament) -> None:
    own, other = entry_of(swiss, 3), entry_of(swiss, 4)
    asked = ((own, 3, "half"), (own, 1, "half"), (own, 4, "zero"), (other, 3, "half"))
    rows = [ByeRequest.objects.create(entry=entry, round_number=number, kind=kind) for entry, number, kind in asked]
    assert half_byes_of([own], [2, 3, 4]) == rows[:1]


def test_the_page_says_who_may_tell_of_whom(swiss: Tournament, cup: Tournament) -> None:
    """Whoever knows the pass-phrase tells of everybody, a device with a link of its own player."""
    switch_links_on()
    known, phone, both = member().client, phone_of(entry_of(swiss, 3).player), member().client
    phone_of(entry_of(swiss, 3).player, client=both)
    told = "About somebody else", "Told so far", "Whoever tells in time is excused"

    def said(client: Client, query: str = "") -> list[bool]:
        text = client.get(page(swiss) + query).text
        assert 'role="alert"' not in text
        return [words in text for words in told]

    assert said(known) == said(phone) == said(both, "?others=1") == [False] * 3
    assert said(both) == [True, False, False]
    assert "A half-point bye is given only where you ask for it." in phone.get(page(swiss)).text
    assert "A half-point bye is given only" not in known.get(page(swiss)).text
    report_absence(entry_of(swiss, 4).pk, 2, by=None)
    assert (said(known)[1], said(phone)[1]) == (True, False)
    refused = phone.post(page(swiss), {"back": f"{entry_of(swiss, 4).pk}-2"}).text
    assert "This player is not in the event any more." in refused
    stranger = Client().get(page(swiss)).text
    assert "enter with the club’s pass-phrase" in stranger
    update_club({"pass_phrase": ""}, by=None)
    assert "The club has no pass-phrase, so nothing can be told here" in Client().get(page(swiss)).text
    factory.play_all(cup)
    assert "No round is open in which somebody could be absent." in phone.get(page(cup)).text


def test_names_are_those_the_member_may_see(swiss: Tournament) -> None:
    Player.objects.filter(number__in=(2, 4)).update(visibility="hidden")
    Player.objects.filter(number=2).update(sort_name="zz")
    AbsenceNotice.objects.create(entry=entry_of(swiss, 1), round_number=1)
    answer = member().client.get(page(swiss))
    assert "Bo Brandt" not in answer.text
    assert answer.context["notices"] == [], "that round is over"
    names = [str(name) for key, name in answer.context["form"].fields["entry"].choices if key]
    assert names[4:] == ["Player 2", "Player 4"], "at the end, and not by their names"
    assert names[:4] == [Player.objects.get(number=number).name for number in (1, 3, 5, 6)]
    Entry.objects.filter(tournament=swiss, number=6).update(withdrawn=True)
    assert [row.number for row in who_may_miss(swiss, OFFICER)] == [1, 3, 4, 5, 2], "whoever left misses nothing"


# --- at the desk --------------------------------------------------------------------------------------------------
def sheet(desk: Client, event: Tournament) -> str:
    stage = page_cases.first_stage(event)
    return desk.get(reverse("admin:tournaments_tournament_next_round", args=[stage.pk])).text


def test_check_in_and_sheet_begin_with_it_and_the_arbiter_decides(
    desk: Client, swiss: Tournament, arbiter: User
) -> None:
    entry = entry_of(swiss, 3)
    report_absence(entry.pk, 2, by=None)
    text = desk.get(reverse("admin:tournaments_tournament_check_in", args=[swiss.pk])).text
    assert text.count("told: absent in round 2") == 1
    text = sheet(desk, swiss)
    assert "Told us that they will be absent:" in text
    assert fields_of(text)[f"p-{entry.pk}"] == "zero"
    check_in(swiss, {entry.pk: True}, on=factory.today(), by=arbiter)
    text = sheet(desk, swiss)
    assert fields_of(text)[f"p-{entry.pk}"] == "here", "whoever is seen at the door is here"
    assert "Told us that they will be absent:" not in text


def test_one_button_pairs_the_round_without_them(desk: Client, swiss: Tournament) -> None:
    entry = entry_of(swiss, 3)
    report_absence(entry.pk, 2, by=None)
    stage = page_cases.first_stage(swiss)
    address = reverse("admin:tournaments_tournament_next_round", args=[stage.pk])
    desk.post(address, {**fields_of(sheet(desk, swiss)), "do": "publish"})
    assert Seat.objects.get(round__stage=stage, round__number=2, entry=entry).pairing.bye == "zero"


def test_a_known_phone_asks_for_its_own_half_point_bye_by_the_rules_until_the_round_is_made(
    desk: Client, swiss: Tournament
) -> None:
    switch_links_on()
    own, other = entry_of(swiss, 3), entry_of(swiss, 4)
    visitor = Visitor()
    phone_of(own.player, client=visitor.client)
    visitor.open(page(swiss))
    visitor.sees("Possible in these rounds, until they are made: 2, 3, 4. At most 1 in the event.")
    visitor.send("Tell the arbiters", entry=own.pk, round=2, bye=True)
    visitor.sees("The bye is noted", "half-point bye")
    assert not AbsenceNotice.objects.exists()
    event = AuditEvent.objects.get(action="bye.requested")
    assert (event.role, event.after) == ("player", {"round": 2, "kind": "half"})
    assert fields_of(sheet(desk, swiss))[f"p-{own.pk}"] == "half"
    for number, words in ((2, "is noted for round 2 already"), (3, "that many are taken")):
        with pytest.raises(Refused, match=words):
            request_own_bye(own.pk, number, role="player")
    with pytest.raises(Refused, match="gives no half-point bye"):
        request_own_bye(other.pk, 5, role="player")
    for none in (f"{other.pk}-2", f"{own.pk}-3"):
        assert visitor.client.post(page(swiss), {"no-bye": none}).status_code == 409, none
    assert member().client.post(page(swiss), {"no-bye": f"{own.pk}-2"}).status_code == 409, "absences only"
    with pytest.raises(Refused, match="No bye is asked for in round 3"):
        cancel_own_bye(own.pk, 3, role="player")
    visitor.send("Comes after all")
    assert not ByeRequest.objects.exists()
    pair_next_round(page_cases.first_stage(swiss), by=None, day=factory.MONDAY, publish=False)
    for act in (request_own_bye, cancel_own_bye):
        with pytest.raises(Refused, match="was made meanwhile"):
            act(own.pk, 2, role="player")
    Tournament.objects.filter(pk=swiss.pk).update(half_byes=0)
    assert "half-point bye" not in visitor.client.get(page(swiss)).text
    stranger = member().client.post(page(swiss), {"entry": own.pk, "round": 3, "bye": "on"})
    assert (stranger.status_code, ByeRequest.objects.count()) == (302, 0)
    request_bye(own.pk, 3, ByeKind.ZERO, by=None)
    with pytest.raises(Refused, match="No bye is asked for in round 3"):
        cancel_own_bye(own.pk, 3, role="player")
    assert ByeRequest.objects.get().kind == ByeKind.ZERO, "what an officer noted stands"
    report_absence(other.pk, 3, by=None)
    told = [notice.entry for notice in visitor.client.get(page(swiss)).context["notices"]]
    assert told == [own], "a phone without the pass-phrase is told of nobody else"


def test_under_keizer_whoever_tells_is_excused(desk: Client) -> None:
    club = page_cases.make_event(factory.first_players(4), "keizer", name="Keizer")
    entry = entry_of(club, 1)
    report_absence(entry.pk, 1, by=None)
    assert fields_of(sheet(desk, club))[f"p-{entry.pk}"] == "half"
    assert absence_notices_for(club, 1) == {entry.pk: False}
    assert rounds_with_byes([entry], [1, 2]) == [], "an excuse is no bye"
    for number in (2, 3):
        assert request_bye(entry.pk, number, ByeKind.HALF, by=None).kind == "half", "and not limited"
    assert "Whoever tells in time is excused" in member().client.get(page(club)).text
    evenings = page_cases.make_event([], "free", name="Evenings")
    assert member().client.get(page(evenings)).status_code == 404, "where nobody is awaited"


def test_rounds_that_are_all_known_tell_it_on_their_page(desk: Client, cup: Tournament) -> None:
    factory.play_round(cup, 1, [Result.DRAW] * 2)
    assert rounds_with_byes([entry_of(cup, 2)], [2, 3]) == []
    report_absence(entry_of(cup, 2).pk, 2, by=None)
    text = desk.get(reverse("admin:tournaments_tournament_rounds", args=[cup.pk])).text
    assert "Told us that they will be absent:" in text
    assert "(round 2)" in text
