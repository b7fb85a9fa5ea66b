"""Every kind of news, on and off, at once and in one letter a day, by day and by night, and stale; the link that ends a
kind. The moment is handed to what sends."""

from datetime import timedelta
from urllib.parse import urlsplit

import pytest
from django.core import mail
from django.db.models import Q
from django.test import Client
from django.utils import timezone
from django_tasks_db.models import DBTaskResult
from pytest_django import Settings

from clubrating.site.entry_letters.services import send_entry_letter
from clubrating.site.notices.kinds import KIND_OF, KINDS
from players.club.services import update_club
from players.links.services.personal_links import revoke_personal_link
from players.models import AuditEvent, DueNotice, LinkDevice, MailSubscription, PersonalLink, Player, Subscription
from players.notices.services.readers import kind_link, kinds_of
from players.trail.services import NOTICED, NOTICED_BY_ONE
from ratings.models import PublishedRow, RatingList
from tests import factory
from tests.clubrating.site.notices import news_cases
from tests.clubrating.site.notices.news_cases import (
    DRAW,
    IMMEDIATE,
    WIN,
    Do,
    at,
    board,
    entered,
    happens,
    listed,
    paired,
    reader,
    told,
)
from tests.players.links.link_cases import phone_of
from tournaments.challenges.services import accept, challenge, remind, withdraw
from tournaments.free_boards.services.boards import take_off
from tournaments.free_boards.services.rules import NewFreeRules, set_free_rules
from tournaments.models import Challenge, Entry, EntryRequest, Game, Pairing, Round, Tournament
from tournaments.player_results.services import report_own_result
from tournaments.registrations.services.desk import approve, refuse
from tournaments.results.services.results import correct_result
from tournaments.standings.points import Result

pytestmark = pytest.mark.django_db
cup_made, cup = news_cases.cup_made, news_cases.cup


# --- each kind: whom it concerns, what happens, and what makes it stale ---------------------------------------------
def report(game: Game, player: Player, said: Result) -> None:
    report_own_result(game.pk, player.pk, said, revision=game.revision)


def reported() -> None:
    report(board(), board().black, WIN)


def disputed() -> None:
    report(board(), board().white, DRAW)
    report(board(), board().black, WIN)


def ruled() -> None:
    report(board(), board().white, DRAW)
    entered()


def requested() -> int:
    values = {"state": "waits", "asked_at": timezone.now(), "turn": 1, "address": "parent@example.org"}
    return EntryRequest.objects.create(tournament=board().tournament, player=board().white, **values).pk


def refused() -> None:
    refuse(requested(), by=None, answer="Full.")


def approved() -> None:
    approve(requested(), by=None)


def over() -> None:
    Tournament.objects.update(closed=True)


def cleared() -> None:
    correct_result(game=board().pk, result=Result.OPEN, reason="entry_error", by=None)


def challenged() -> Challenge:
    """White of that board is challenged by Black on a ladder."""
    return _ask(board().white, board().black)


def _ask(upper: Player, lower: Player) -> Challenge:
    ladder = factory.make_ladder([upper, lower], reach=1).tournament
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
SAID: dict[Do, str] = {
    paired: "Board 1: White against Finn Falk",
    reported: "Winter Cup: Finn Falk reported 1–0. Confirm it, or say what happened.",
    disputed: "Winter Cup: Finn Falk reported 1–0. An arbiter decides.",
    ruled: "Winter Cup: your game with Finn Falk. You reported ½–½, 1–0 was entered.",
    entered: "Winter Cup: your game with Finn Falk",
    approved: "You have a place.",
    refused: "Full.",
    challenged: "Ladder: Finn Falk waits for your answer until the end of ",
    reminded: "Ladder: play Finn Falk until the end of ",
    listed: "Your rating: 1500",
}


@pytest.mark.parametrize(("kind", "do", "undo", "subject"), CASES, ids=[f"{row[0]}-{row[1].__name__}" for row in CASES])
class TestEveryKind:
    def test_is_told_once_to_whom_it_concerns(self, kind: str, do: Do, undo: Do, subject: str) -> None:
        reader(board().white, kind)
        happens(do, at(12))
        assert told(at(12)) == [subject]
        assert mail.outbox[0].body.startswith(SAID[do])
        assert told(at(13)) == []

    def test_names_nobody_whom_the_public_does_not_see(self, kind: str, do: Do, undo: Do, subject: str) -> None:
        reader(board().white, kind)
        Player.objects.filter(pk=board().black_id).update(visibility="initials")
        happens(do, at(12))
        assert told(at(12)) == [subject]
        assert board().black.name not in mail.outbox[0].body

    @pytest.mark.extended
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


def drawn_again() -> None:
    Pairing.objects.filter(games=board().pk).update(superseded=True)


def left() -> None:
    EntryRequest.objects.update(state="withdrawn")


def played() -> None:
    values = {"result": DRAW, "played_on": factory.today(), "sequence": 10**6}
    Game.objects.filter(challenge__isnull=False).update(**values)


@pytest.mark.parametrize(
    ("kind", "do", "undo"),
    [("paired", paired, drawn_again), ("entry", approved, left), ("challenge", reminded, played)],
)
def test_what_was_settled_meanwhile_is_told_to_nobody(kind: str, do: Do, undo: Do) -> None:
    do()
    event = AuditEvent.objects.filter(action__in=KIND_OF[kind].actions).latest("pk")
    assert board().white_id in KIND_OF[kind].told(event, None, at(12))
    undo()
    assert board().white_id not in KIND_OF[kind].told(event, None, at(12))


def test_a_new_list_tells_each_the_rating_in_that_list() -> None:
    listed()
    event = AuditEvent.objects.latest("pk")
    row = PublishedRow.objects.select_related("published_list").get(player=board().white)
    later = row.published_list
    later.pk, later.on = None, factory.today() - timedelta(days=1)
    later.save()
    row.pk, row.published_list, row.rating = None, later, 1999
    row.save()
    said = KIND_OF["new_list"].told(event, [row.player_id], at(12))[row.player_id]
    assert said().body == "Your rating: 1500"


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
    other = reader(board().black, "new_list result")
    for _twice in range(2):
        assert program.post(ways[1], {"List-Unsubscribe": "One-Click"}).status_code == 200
    row.refresh_from_db()
    assert (row.new_list, row.paired, row.also) == (False, True, ",disputed,")
    other.refresh_from_db()
    assert kinds_of(other) == {"new_list", "result"}, "of nobody else"
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
    assert nobody.post(f"/mine/mail/off/{kind_link(ada, 'result')}/").status_code == 200
    assert list(MailSubscription.objects.filter(paired=True, result=True)) == [bo]
    assert nobody.post(f"/mine/mail/off/{good}/").status_code == 200
    assert MailSubscription.objects.get(paired=True) == bo, "an address goes with its last kind"
    assert nobody.get(f"/mine/mail/off/{good}/").status_code == 410


def past() -> None:
    Round.objects.filter(stage__tournament=board().tournament, number=1).update(planned_on=factory.today())


def hidden_again() -> None:
    Round.objects.filter(stage__tournament=board().tournament, number=1).update(state=Round.State.DRAFT)


@pytest.mark.parametrize("do", [past, hidden_again, over])
def test_a_round_is_no_news_once_its_day_is_over_or_it_is_hidden_or_the_event_closed(do: Do) -> None:
    reader(board().white, "paired", daily=True)
    happens(paired, at(12))
    do()
    assert told(at(8, 1)) == []


def test_of_rounds_that_are_paired_at_once_the_first_is_told() -> None:
    """Of the event they are of: the players of another's open rounds are the same."""
    reader(board().white, "paired")
    event = board().tournament_id
    row = {"action": "rounds.paired", "subject_kind": "tournament", "subject_key": event}
    happens(lambda: AuditEvent.objects.create(**row), at(12))
    assert told(at(12)) == ["You are paired: Winter Cup"]
    assert mail.outbox[0].body.startswith(SAID[paired])


def test_a_result_contradicts_nobody_who_reported_another_game() -> None:
    reader(board().white, "disputed")
    games = Game.objects.filter(tournament=board().tournament, pairing__round__number=2)
    report(games.get(Q(white=board().white) | Q(black=board().white)), board().white, DRAW)
    happens(entered, at(12))
    assert told(at(12)) == []


def test_news_of_an_entry_are_for_the_record_that_was_kept_and_of_no_other_request() -> None:
    ada, twin = board().white, Player.objects.latest("number")
    asked = {"tournament": board().tournament, "asked_at": timezone.now()}
    EntryRequest.objects.create(**asked, player=ada, state="refused", answer="Too late.")
    reader(ada, "entry")
    key = requested()
    EntryRequest.objects.filter(pk=key).update(player=twin)
    Player.objects.filter(pk=twin.pk).update(merged_into=ada)
    happens(lambda: refuse(key, by=None, answer="Full."), at(12))
    assert told(at(12)) == ["Your entry was refused: Winter Cup"]
    assert mail.outbox[0].body.startswith("Full.")


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


@pytest.mark.parametrize("end", ["off", "back", "over", "grown"])
def test_a_link_that_ended_ends_what_only_its_holder_is_told(end: str) -> None:
    reader(board().white, "reported")
    happens(reported, at(23))
    if end == "off":
        update_club({"personal_links": False}, by=None)
    elif end == "grown":
        PersonalLink.objects.update(guardian="mother")
    elif end == "over":
        PersonalLink.objects.update(expires_at=timezone.now())
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
