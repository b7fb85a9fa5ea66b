"""A record merged into one that was merged itself: whatever names the first means whoever was kept in the end."""

import pytest
from django.core import mail
from django.test import Client
from django.utils import timezone
from pytest_django import Settings

from clubrating.site.export.services import hand_out_own_data
from players.links.selectors import devices_known_by, have_links, links_of, player_of
from players.links.services.personal_links import make_personal_link, open_personal_link
from players.models import AuditEvent, MailSubscription, Player
from players.people.selectors import records_of, visible_players
from players.privacy.rules import NOBODY
from players.refusals import Refused
from tests import factory
from tests.desk_scene import client_of
from tests.players.links.link_cases import phone_of, switch_links_on
from tournaments.entries.services.names import look_up
from tournaments.erasure.services.erasure import anonymise_player
from tournaments.merging.services import merge_players, undo_merge
from tournaments.standings.points import Result

pytestmark = pytest.mark.django_db
ADDRESS = "ada@example.org"


@pytest.fixture(scope="module")
def people(world: None) -> list[Player]:
    """Who went first, through whom, who was kept, and somebody else: the first two had a phone each, the first letters
    about results."""
    factory.make_club()
    factory.make_list()
    switch_links_on()
    people = factory.make_players(4)
    for player in people[:2]:
        phone_of(player)
    now = timezone.now()
    MailSubscription.objects.create(
        player=people[0], address=ADDRESS, key="k", site="http://testserver/", language="ru", paired=False,
        asked_at=now, confirmed_at=now,
    )  # fmt: skip
    merge_players(keep=people[1].pk, gone=people[0].pk, by=None, reason="duplicate")
    merge_players(keep=people[2].pk, gone=people[1].pk, by=None, reason="duplicate")
    return list(Player.objects.order_by("number"))


@pytest.fixture(autouse=True)
def mail_server(settings: Settings) -> None:
    settings.MAIL = factory.MAIL


def test_each_record_knows_who_stands_for_it(people: list[Player]) -> None:
    first, second, kept, other = people
    assert [each.kept for each in people] == [kept, kept, kept, other]
    assert records_of([kept.pk, other.pk]) == {each.pk: each.kept.pk for each in people}
    assert records_of([second.pk]) == {second.pk: second.pk, first.pk: second.pk}
    assert records_of([first.pk, second.pk]) == {first.pk: first.pk, second.pk: second.pk}
    numbers = [each.number for each in people]
    assert visible_players(numbers, NOBODY) == {each.number: each.kept for each in people}


def test_whoever_may_not_be_seen_at_first_or_in_the_end_is_not_found(people: list[Player]) -> None:
    numbers = [each.number for each in people]
    Player.objects.filter(pk=people[0].pk).update(visibility="hidden")
    assert list(visible_players(numbers, NOBODY)) == numbers[1:]
    Player.objects.filter(pk=people[2].pk).update(visibility="hidden")
    assert list(visible_players(numbers, NOBODY)) == numbers[3:]


def test_links_and_phones_are_those_of_whoever_was_kept(people: list[Player]) -> None:
    kept, links = people[2], links_of(people[2])
    assert {link.player for link in links} == set(people[:2])
    assert have_links([kept.pk, people[3].pk]) == {kept.pk}
    desk = client_of(factory.make_arbiter())
    assert desk.post(f"/admin/players/player/{kept.pk}/links/", {"revoke": links[-1].pk}).status_code == 302
    assert len(links_of(kept)) == 1


def test_a_phone_speaks_for_whoever_was_kept_until_the_merge_is_undone(people: list[Player]) -> None:
    first, second, kept, _other = people
    _link, secret = make_personal_link(kept.pk, by=None)
    merge_players(keep=people[3].pk, gone=kept.pk, by=None, reason="duplicate")
    opened = open_personal_link(secret)
    assert opened
    (device,) = devices_known_by(opened[1])
    assert player_of(device) == people[3]
    for subject, stands_for in ((kept, kept), (second, second)):
        undo_merge(AuditEvent.objects.get(action="players.merged", subject_key=subject.pk), by=None, reason="other")
        assert Player.objects.get(pk=first.pk).kept == stands_for


def test_letters_are_about_whoever_was_kept_and_a_link_goes_where_they_were_asked_for(people: list[Player]) -> None:
    kept, other = people[2:]
    cup = factory.make_round_robin([kept, other], first_day=factory.today())
    factory.play_round(cup, 1, [Result.WHITE_WINS])
    (letter,) = mail.outbox
    assert letter.to == [ADDRESS]
    assert kept.name in letter.body
    assert "Ada" not in letter.body
    wish = {"days": 30, "devices": 1, "guardian": "", "address": ADDRESS}
    answer = client_of(factory.make_arbiter()).post(f"/admin/players/player/{kept.pk}/links/", wish)
    assert answer.status_code == 302
    assert "/ru/mine/link/" in mail.outbox[-1].body


def test_a_refusal_names_whoever_was_kept(people: list[Player]) -> None:
    first, _second, kept, _other = people
    assert f"write #{kept.number}" in look_up([f"#{first.number}"]).problems[f"#{first.number}"]
    with pytest.raises(Refused, match=f"merged into player {kept.number}"):
        hand_out_own_data(first.pk, by=None)
    with pytest.raises(Refused, match=f"merged into player {kept.number}"):
        anonymise_player(first.pk, by=None)
    assert Client().get(f"/players/{first.number}/").headers["Location"] == kept.get_absolute_url()
    assert Client().get(f"/api/v1/players/{first.number}/").json()["number"] == kept.number
