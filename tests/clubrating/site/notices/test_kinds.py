"""Every kind of news, on and off, at once and in one letter a day, by day and by night, and stale; the link that ends a
kind; what a reader gets in an hour; what a killed worker leaves. The moment is handed to what sends."""

from collections.abc import Callable
from datetime import datetime, time, timedelta
from typing import Any
from urllib.parse import urlsplit
from zoneinfo import ZoneInfo

import pytest
from django.core import mail
from django.test import Client
from django.utils import timezone
from django.utils.crypto import get_random_string
from django.utils.module_loading import import_string
from django_tasks_db.models import DBTaskResult
from pytest_django import DjangoAssertNumQueries, Settings

from clubrating.env import MailServer
from clubrating.site.entry_letters.services import send_entry_letter
from clubrating.site.notices.kinds import KIND_OF, KINDS
from clubrating.site.notices.services import note_readers, requeue_notices, send_notices
from players.club.services import update_club
from players.links.services.personal_links import revoke_personal_link
from players.models import AuditEvent, Club, DueNotice, LinkDevice, MailSubscription, PersonalLink, Player, Subscription
from players.notices.services import due
from players.notices.services.due import KEPT, LEASE, MOST_AN_HOUR, MOST_READERS, MOST_TRIES, forget_old_notices
from players.notices.services.readers import COLUMNS, kind_link, kinds_of
from players.trail.services import NOTICED, NOTICED_BY_ONE
from ratings.models import RatingList
from tests import factory
from tests.players.links.link_cases import phone_of, switch_links_on
from tests.tournaments.free_play.test_free_play import make_ladder
from tournaments.challenges.services import accept, challenge, remind, withdraw
from tournaments.events.services.events import update_tournament
from tournaments.free_boards.services.boards import take_off
from tournaments.free_boards.services.rules import NewFreeRules, set_free_rules
from tournaments.models import Challenge, Entry, EntryRequest, Game, Round, Tournament
from tournaments.player_results.services import report_own_result
from tournaments.rated_games.services.past_lists import publish_list
from tournaments.registrations.services.desk import approve, refuse
from tournaments.results.services.results import correct_result, record_result
from tournaments.standings.points import Result

pytestmark = pytest.mark.django_db
WIN, DRAW = Result.WHITE_WINS, Result.DRAW
IMMEDIATE = {"default": {"BACKEND": "django_tasks.backends.immediate.ImmediateBackend", "QUEUES": ["default"]}}
QUEUE = {"default": {"BACKEND": "django_tasks_db.DatabaseBackend", "QUEUES": ["default"]}}


@pytest.fixture(scope="module")
def cup_made(world: None) -> Tournament:
    club = factory.make_club()
    Club.objects.filter(pk=club.pk).update(quiet_from=22, quiet_until=7, letters_at=8)
    factory.make_list()
    switch_links_on()
    people = factory.make_players(6)
    factory.play_round(factory.make_round_robin(people, name="Autumn Cup"), 1, [DRAW] * 3)
    cup = factory.make_round_robin(people, first_day=factory.today())
    Round.objects.filter(stage__tournament=cup).update(planned_on=None)
    for player in Player.objects.all():
        phone_of(player)
    return update_tournament(cup.pk, {"player_results": "agreed"}, by=None)


@pytest.fixture(autouse=True)
def cup(cup_made: Tournament, club_time: None, settings: Settings) -> Tournament:
    settings.MAIL = MailServer("mail.test", 587, "", "", False)
    settings.DEFAULT_FROM_EMAIL = "Chess Club <club@example.org>"
    settings.TASKS = QUEUE
    return Tournament.objects.get(pk=cup_made.pk)


def at(hour: int, days: int = 0) -> datetime:
    """That hour of the club's clock, today or so many days on."""
    day = factory.today() + timedelta(days=days)
    return datetime.combine(day, time(hour), ZoneInfo(factory.ZONE))


def reader(player: Player, kinds: str, *, proven: bool = True, daily: bool = False) -> MailSubscription:
    """An address that wants those kinds, confirmed."""
    now, wanted = timezone.now(), {each: each in kinds.split() for each in COLUMNS}
    device = LinkDevice.objects.get(link__player=player).digest if proven else ""
    return MailSubscription.objects.create(
        **wanted,
        player=player,
        address=f"{player.number}@example.org",
        key=get_random_string(43),
        site="http://testserver/",
        language="en",
        asked_at=now,
        confirmed_at=now,
        also="".join(f",{kind}," for kind in kinds.split() if kind not in wanted),
        device=device,
        daily=daily,
    )


# --- each kind: whom it concerns, what happens, and what makes it stale ---------------------------------------------
def board() -> Game:
    return Game.objects.filter(tournament__name="Winter Cup", pairing__round__number=1).order_by("pairing__board")[0]


def report(game: Game, player: Player, said: Result) -> None:
    report_own_result(game.pk, player.pk, said, revision=game.revision)


def paired() -> None:
    round_key = board().pairing.round_id
    AuditEvent.objects.create(action="round.published", subject_kind="round", subject_key=round_key)


def reported() -> None:
    report(board(), board().black, WIN)


def disputed() -> None:
    report(board(), board().white, DRAW)
    report(board(), board().black, WIN)


def ruled() -> None:
    report(board(), board().white, DRAW)
    entered()


def entered() -> None:
    record_result(game=board().pk, result=WIN, played_on=factory.today(), by=None)


def requested() -> int:
    values = {"state": "waits", "asked_at": timezone.now(), "turn": 1, "address": "parent@example.org"}
    return EntryRequest.objects.create(tournament=board().tournament, player=board().white, **values).pk


def refused() -> None:
    refuse(requested(), by=None, answer="Full.")


def approved() -> None:
    approve(requested(), by=None)


def listed() -> None:
    publish_list(RatingList.objects.get(), factory.today(), by=None)


def over() -> None:
    Tournament.objects.update(closed=True)


def cleared() -> None:
    correct_result(game=board().pk, result=Result.OPEN, reason="entry_error", by=None)


def challenged() -> Challenge:
    """White of that board is challenged by Black on a ladder."""
    return _ask(board().white, board().black)


def _ask(upper: Player, lower: Player) -> Challenge:
    ladder = make_ladder([upper, lower], reach=1).tournament
    set_free_rules(ladder, NewFreeRules(challenges=True, play_days=1), by=None)
    return challenge(ladder, lower.pk, Entry.objects.get(tournament=ladder, player=upper).pk)


def reminded() -> None:
    """White challenged Black, who accepted; by tomorrow they have to play."""
    accept(_ask(board().black, board().white).pk, board().black.pk)
    assert (remind(factory.today()), remind(factory.today())) == (1, 0)


def taken_back() -> None:
    row = Challenge.objects.get()
    withdraw(row.pk, row.challenger.player_id)


def taken_off() -> None:
    take_off(Challenge.objects.get().game_id, by=None)


def unlisted() -> None:
    RatingList.objects.update(public=False)


Do = Callable[[], object]
CASES: list[tuple[str, Do, Do, str]] = [
    ("paired", paired, entered, "You are paired: Winter Cup"),
    ("reported", reported, entered, "Confirm your result"),
    ("disputed", disputed, over, "Your opponent says otherwise"),
    ("disputed", ruled, cleared, "Another result was entered than you reported"),
    ("result", entered, cleared, "Your result was entered"),
    ("entry", approved, over, "You are entered: Winter Cup"),
    ("entry", refused, over, "Your entry was refused: Winter Cup"),
    ("challenge", challenged, taken_back, "You are challenged"),
    ("challenge", reminded, taken_off, "Play your challenge"),
    ("new_list", listed, unlisted, "New list: Standard"),
]


def happens(do: Do, now: datetime) -> None:
    """It happens, and who is to be told is noted at that moment."""
    last = AuditEvent.objects.order_by("pk").last()
    do()
    for event in AuditEvent.objects.filter(pk__gt=last.pk if last else 0).order_by("pk"):
        note_readers(event, now)


def told(now: datetime) -> list[str]:
    """The subjects of the letters that are sent at that moment."""
    mail.outbox.clear()
    send_notices(now)
    return [letter.subject for letter in mail.outbox]


@pytest.mark.parametrize(("kind", "do", "undo", "subject"), CASES, ids=[f"{row[0]}-{row[1].__name__}" for row in CASES])
class TestEveryKind:
    def test_is_told_once_to_whom_it_concerns(self, kind: str, do: Do, undo: Do, subject: str) -> None:
        reader(board().white, kind)
        happens(do, at(12))
        assert (told(at(12)), told(at(13))) == ([subject], [])

    def test_is_not_told_to_whom_does_not_want_it(self, kind: str, do: Do, undo: Do, subject: str) -> None:
        row = reader(board().white, " ".join(KIND_OF.keys() - {kind}))
        happens(do, at(12))
        assert subject not in told(at(12))
        MailSubscription.objects.filter(pk=row.pk).delete()
        assert not DueNotice.objects.exists(), "what waits goes with its reader"

    def test_comes_with_the_daily_letter(self, kind: str, do: Do, undo: Do, subject: str) -> None:
        reader(board().white, kind, daily=True)
        happens(do, at(12))
        assert (told(at(21)), told(at(8, 1))) == ([], [subject])

    def test_waits_for_the_morning(self, kind: str, do: Do, undo: Do, subject: str) -> None:
        reader(board().white, kind)
        happens(do, at(23))
        assert (told(at(23)), told(at(6, 1)), told(at(7, 1))) == ([], [], [subject])

    def test_is_dropped_where_it_is_stale(self, kind: str, do: Do, undo: Do, subject: str) -> None:
        reader(board().white, kind)
        happens(do, at(23))
        undo()
        assert told(at(7, 1)) == []
        assert not DueNotice.objects.exists()

    def test_is_for_a_known_device_where_the_public_does_not_see_it(
        self, kind: str, do: Do, undo: Do, subject: str
    ) -> None:
        unknown = reader(board().white, kind, proven=False)
        happens(do, at(12))
        assert bool(told(at(12))) is not KIND_OF[kind].is_private
        MailSubscription.objects.filter(pk=unknown.pk).delete()


def test_the_trail_queues_what_kinds_are_made_of() -> None:
    assert {action for kind in KINDS for action in kind.actions} == {*NOTICED, *NOTICED_BY_ONE}
    assert all(set(kind.actions) <= set(NOTICED_BY_ONE) | {"result.recorded"} for kind in KINDS if kind.is_private)
    assert max(len(kind.key) for kind in KINDS) <= 20


# --- together -----------------------------------------------------------------------------------------------------
def test_a_night_is_one_letter_and_leads_out_of_each_kind(client: Client) -> None:
    row = reader(board().white, "paired result disputed new_list")
    for do in (paired, listed, ruled):
        happens(do, at(23))
    assert told(at(7, 1)) == ["News from Test Club"]
    (letter,) = mail.outbox
    assert "Another result was entered" in letter.body
    assert "You are paired" not in letter.body, "the game is over"
    first, *_between, last = (
        DueNotice.objects.filter(sent_at__isnull=False).order_by("event").values_list("event", flat=True)
    )
    name = letter.extra_headers["Message-ID"]
    assert name.startswith(f"<club-{row.pk}-{first}-{last}@"), "sent again it is the same letter"
    ways = [urlsplit(line).path for line in letter.body.splitlines() if "/mine/mail/off/" in line]
    assert len(ways) == len(["disputed", "new_list"])
    program = Client(enforce_csrf_checks=True)
    assert program.get(ways[1]).status_code == 200
    row.refresh_from_db()
    assert row.new_list, "a scanner opens links, too"
    for _twice in range(2):
        assert program.post(ways[1], {"List-Unsubscribe": "One-Click"}).status_code == 200
    row.refresh_from_db()
    assert (row.new_list, row.paired, row.also) == (False, True, ",disputed,")
    assert letter.extra_headers["List-Unsubscribe"].endswith(f"/mine/mail/{row.key}/>")


def test_a_link_ends_its_own_kind_of_its_own_reader_and_nothing_else() -> None:
    ada, bo = (reader(side, "paired result") for side in (board().white, board().black))
    good = kind_link(ada, "paired")
    number, _kind, signature = good.split("-", 2)
    foreign = f"{bo.pk}-paired-{signature}"
    made_up = [foreign, f"{number}-result-{signature}", f"{good}x", "1", f"{'9' * 30}-paired-x", "x-y-z"]
    nobody = Client(enforce_csrf_checks=True)
    answers = {nobody.post(f"/mine/mail/off/{link}/").status_code for link in made_up}
    assert answers == {410}
    assert not MailSubscription.objects.exclude(paired=True, result=True).exists()
    assert nobody.get(f"/mine/mail/off/{kind_link(bo, 'paired')}/").status_code == 200
    page = nobody.get(f"/mine/mail/off/{good}/")
    assert page.headers["Referrer-Policy"] == "no-referrer"
    assert not any(secret in page.text for secret in (ada.address, ada.key))
    MailSubscription.objects.filter(pk=ada.pk).update(result=False, also="")
    assert nobody.post(f"/mine/mail/off/{good}/").status_code == 200
    assert not MailSubscription.objects.filter(pk=ada.pk).exists(), "the address goes with its last kind"
    assert nobody.get(f"/mine/mail/off/{good}/").status_code == 410


def test_a_round_whose_day_is_over_is_no_news() -> None:
    reader(board().white, "paired", daily=True)
    Round.objects.filter(pk=board().pairing.round_id).update(planned_on=factory.today())
    happens(paired, at(12))
    assert told(at(8, 1)) == []


def test_whoever_has_a_letter_of_the_entry_gets_no_second_one() -> None:
    row = reader(board().white, "entry")
    MailSubscription.objects.filter(pk=row.pk).update(address="Parent@example.org")
    happens(approved, at(12))
    assert told(at(12)) == []


def test_private_kinds_are_offered_on_a_known_device_alone(client: Client, settings: Settings) -> None:
    settings.TASKS = IMMEDIATE
    settings.PUSH_KEY, settings.PUSH_PUBLIC_KEY = "k" * 43, f"{__name__}.public"
    ada, asked = board().white, {"kind": ["reported", "result"], "often": "daily"}
    browser = {"endpoint": "https://fcm.googleapis.com/fcm/send/", "p256dh": "B" * 87, "auth": "a" * 22}
    for phone, is_known in ((client, False), (phone_of(board().black), False), (phone_of(ada), True)):
        for page in ("mail", "notices"):
            text = phone.get(f"/mine/{page}/?player={ada.number}").text
            assert ('value="reported"' in text) is is_known
            assert ("a device on which your personal link" in text) is not is_known
        sent = browser | {"player": ada.number, "kind": ["reported", "result"]}
        assert phone.post("/mine/notices/", sent).status_code == 200
        row = Subscription.objects.get()
        assert ("reported" in kinds_of(row), bool(row.device)) == (is_known, is_known)
        status = phone.post(f"/mine/mail/?player={ada.number}", {**asked, "address": "ada@example.org"}).status_code
        assert status == (200 if is_known else 400)
    letters, stranger = MailSubscription.objects.get(), Client()
    stranger.post(f"/ru/mine/mail/{letters.key}/", asked)
    letters.refresh_from_db()
    assert (letters.daily, letters.language, sorted(kinds_of(letters))) == (True, "ru", ["reported", "result"])
    PersonalLink.objects.update(expires_at=timezone.now())
    assert stranger.post(f"/mine/mail/{letters.key}/", asked).status_code == 400, "the link is over"


def public(_key: str) -> str:
    return "the club’s key"


@pytest.mark.parametrize("is_for_all", [True, False])
def test_a_link_taken_back_ends_what_only_its_holder_is_told(is_for_all: bool) -> None:
    reader(board().white, "reported")
    happens(reported, at(23))
    if is_for_all:
        update_club({"personal_links": False}, by=None)
    else:
        revoke_personal_link(LinkDevice.objects.get(link__player=board().white).link_id, by=None)
    assert told(at(7, 1)) == []


def test_letters_about_entries_wait_for_the_morning_but_for_the_question() -> None:
    hour = timezone.localtime().hour
    update_club({"quiet_from": hour, "quiet_until": (hour + 2) % 24}, by=None)
    request = requested()
    for state, sent in (("waits", 0), ("new", 1)):
        EntryRequest.objects.filter(pk=request).update(state=state)
        DBTaskResult.objects.all().delete()
        send_entry_letter.call(request, 1)
        assert len(mail.outbox) == sent
        assert [task.run_after > timezone.now() for task in DBTaskResult.objects.all()] == [True] * (not sent)


def test_what_is_tried_again_later_does_not_take_the_place_of_newer() -> None:
    reader(board().white, "paired")
    for row in Round.objects.filter(stage__tournament=board().tournament, number__lte=2).order_by("number"):
        event = AuditEvent.objects.create(action="round.published", subject_kind="round", subject_key=row.pk)
        note_readers(event, at(12))
    DueNotice.objects.filter(pk=DueNotice.objects.earliest("event").pk).update(due_at=at(13))
    assert told(at(13)) == ["You are paired: Winter Cup"]
    assert "/rounds/2/" in mail.outbox[0].body


# --- so often -----------------------------------------------------------------------------------------------------
def test_what_is_beyond_an_hours_letters_waits_and_comes_together() -> None:
    row = reader(board().white, "result new_list")
    sent = at(12) - timedelta(minutes=30)
    for number in range(MOST_AN_HOUR):
        minute = sent + timedelta(seconds=number)
        DueNotice.objects.create(mail=row, event=-number, kind="result", due_at=minute, sent_at=minute)
    tomorrow = reader(board().black, "result", daily=True)
    happens(entered, at(12))
    happens(listed, at(12))
    assert (told(at(12)), told(at(13))) == ([], ["News from Test Club"])
    assert DueNotice.objects.get(mail=tomorrow).due_at == at(8, 1), "of others nothing is put off"


def test_of_many_readers_some_are_told_and_the_next_task_tells_the_others(monkeypatch: pytest.MonkeyPatch) -> None:
    for side in (board().white, board().black):
        reader(side, "result")
    happens(entered, at(12))
    monkeypatch.setattr(due, "MOST_READERS", 1)
    for queued in (1, 0):
        DBTaskResult.objects.all().delete()
        assert (len(told(at(12))), DBTaskResult.objects.count()) == (1, queued)


def test_what_is_stale_is_dropped_alone() -> None:
    reader(board().white, "paired")
    tomorrow = reader(board().black, "result", daily=True)
    for do in (paired, entered):
        happens(do, at(12))
    assert told(at(12)) == []
    assert [row.mail for row in DueNotice.objects.all()] == [tomorrow]


def test_what_a_killed_worker_took_is_sent_by_another(monkeypatch: pytest.MonkeyPatch) -> None:
    reader(board().white, "result")
    happens(entered, at(12))
    with monkeypatch.context() as killed:
        killed.setattr("clubrating.site.notices.services.deliver", _killed)
        with pytest.raises(KeyboardInterrupt):
            send_notices(at(12))
    assert told(at(12)) == [], "it may be under way"
    assert told(at(12) + LEASE) == ["Your result was entered"]
    DueNotice.objects.update(sent_at=None, tries=MOST_TRIES, due_at=at(12))
    assert told(at(13)) == []
    assert not DueNotice.objects.exists(), "given up"


def _killed(_letter: Any) -> None:
    raise KeyboardInterrupt


def test_what_is_overdue_is_queued_again_and_what_was_sent_forgotten() -> None:
    row = reader(board().white, "result")
    now = timezone.now()
    DueNotice.objects.create(mail=row, event=1, kind="result", due_at=now - LEASE - timedelta(minutes=1))
    DueNotice.objects.create(mail=row, event=2, kind="result", due_at=now, sent_at=now - KEPT - timedelta(minutes=1))
    before = DBTaskResult.objects.count()
    assert (requeue_notices(), forget_old_notices()) == (1, 1)
    assert DBTaskResult.objects.count() == before + 1
    DueNotice.objects.all().delete()
    assert requeue_notices() == 0


def test_what_an_older_version_queued_is_sent_once_after_the_upgrade(settings: Settings) -> None:
    settings.TASKS = IMMEDIATE
    update_club({"quiet_from": 0, "quiet_until": 0}, by=None)
    entered()
    paired()  # the line of the result is not the newest any more
    MailSubscription.objects.filter(pk=reader(board().white, "result").pk).update(address="other@example.org")
    row, event = (
        reader(board().white, "result"),
        AuditEvent.objects.get(action="result.recorded", subject_key=board().pk),
    )
    knows = reader(board().black, "result")
    MailSubscription.objects.filter(pk=knows.pk).update(last_event=event.pk)
    send, send_letter = (import_string(f"clubrating.site.notices.services.{name}") for name in ("send", "send_letter"))
    for key, about in (
        (knows.pk, event.pk),
        (row.pk, event.pk),
        (row.pk, event.pk),
        (row.pk, None),
        (0, event.pk),
        (row.pk, 0),
    ):
        send_letter.enqueue(key, about, 1)
    send.enqueue(0, event.pk, 1)
    assert [letter.subject for letter in mail.outbox] == ["Your result was entered", "Your letters from Test Club"]


def test_queries_do_not_grow_with_readers(django_assert_max_num_queries: DjangoAssertNumQueries) -> None:
    people = list(Player.objects.all())
    counts = []
    for copies in (1, 3):
        MailSubscription.objects.all().delete()
        for number in range(copies):
            for player in people:
                row = reader(player, "paired")
                MailSubscription.objects.filter(pk=row.pk).update(address=f"{number}-{player.pk}@example.org")
        paired()
        with django_assert_max_num_queries(100) as noted:
            note_readers(AuditEvent.objects.order_by("pk").last(), at(12))  # type: ignore[arg-type]
        with django_assert_max_num_queries(100) as sent:
            assert len(told(at(12))) == copies * len(people) <= MOST_READERS
        counts.append((len(noted), len(sent) - copies * len(people)))
    assert counts[0] == counts[1], "but for the note of each letter"
