"""An event's importance: chosen from the club's scale, copied to its games, multiplied into K; changed later it is a
correction with preview, reason, trail and undo."""

from datetime import timedelta

import pytest
from django.contrib.auth.models import Permission, User
from django.db.models import F
from django.test import Client
from django.urls import reverse

from players.club.services import importance_scale, scale_of, update_club
from players.models import AuditEvent, Club
from players.refusals import Refused, Stale
from ratings.lists.services import create_list
from ratings.models import LedgerEntry, RatingList
from tests import factory
from tests.tournaments.admin_pages import fields_of, hidden_of, url
from tests.tournaments.contests.contest_cases import make_evening, play
from tests.tournaments.corrections.correction_cases import correct, dump, is_exact, stream
from tests.tournaments.entries.entry_cases import club_and_list
from tournaments.corrections.services.changes import ImportanceChange
from tournaments.corrections.services.corrections import preview, undo_of
from tournaments.corrections.services.jobs import from_payload, to_payload
from tournaments.events.services.closing import close_event
from tournaments.events.services.copying import copy_event
from tournaments.events.services.events import NewTournament, create_tournament
from tournaments.events.services.importance import change_importance, first_following
from tournaments.interchange.games_csv import read_games
from tournaments.loading.services.streams import load_games
from tournaments.models import Contest, Game, Tournament
from tournaments.rated_games.services.rebuilding import rebuild_list
from tournaments.results.services.results import correct_result, record_result
from tournaments.standings.points import Result

pytestmark = pytest.mark.django_db


standard = club_and_list


@pytest.fixture
def club(standard: RatingList) -> Club:
    return Club.objects.get()


@pytest.fixture
def cup(standard: RatingList) -> Tournament:
    """Four players, the first of three rounds played."""
    cup = factory.make_round_robin(factory.make_players(4))
    factory.play_round(cup, 1, [Result.WHITE_WINS, Result.DRAW])
    return cup


def ks() -> set[float]:
    live = LedgerEntry.objects.filter(rating_list__slug="standard", generation=F("rating_list__live_generation"))
    return {k for pair in live.values_list("white_k", "black_k") for k in pair}


@pytest.mark.extended
def test_lists_that_rate_by_periods_follow_too(standard: RatingList) -> None:
    for period in ("game", "event", "month"):
        create_list(name=f"By {period}", slug=period, pool="standard", by=None, settings={"period": period})
    players = factory.make_players(4)
    before = factory.make_round_robin(players[:2], name="Before", first_day=factory.MONDAY - timedelta(days=3))
    factory.play_all(before, Result.DRAW)  # in the same month
    cup = factory.make_round_robin(players)
    factory.play_all(cup, Result.WHITE_WINS)
    for importance in (2.0, 0.5):
        lists = correct(ImportanceChange(cup.pk, importance)).lists
        assert is_exact()
        still = [row.rating_list.slug for row in lists if not row.moves]
        assert still == ["event"], "a running event has moved nobody yet"
    close_event(cup, by=None)
    assert all(row.moves for row in correct(ImportanceChange(cup.pk, 3.0)).lists)
    assert is_exact()


@pytest.mark.extended
def test_games_recorded_from_then_on_take_it_and_a_preview_moves_those_played(cup: Tournament) -> None:
    before = dump()
    change = ImportanceChange(cup.pk, 1.5)
    shown = preview(change, by=None)
    assert dump() == before
    assert (shown.behind, len(shown.lists[0].moves)) == (2, 2)  # a draw of equals moves nobody
    assert ks() == {40}
    correct(change, note="decided in May")
    assert ks() == {60}
    assert is_exact()
    factory.play_round(cup, 2, [Result.WHITE_WINS, Result.DRAW])
    assert set(Game.objects.values_list("importance", "result")) >= {(1.5, "1-0"), (1.5, "1/2")}
    assert ks() == {60}
    assert is_exact()
    (event,) = AuditEvent.objects.filter(action="event.importance")
    assert (event.before["importance"], event.after["importance"], event.reason) == (1.0, 1.5, "appeal")
    assert (event.effect["standard"]["games"], event.note) == (2, "decided in May")
    undo = undo_of(event)
    assert undo == ImportanceChange(cup.pk, 1.0)
    correct(undo)
    assert ks() == {40}
    assert is_exact()
    assert undo_of(event) is None


@pytest.mark.extended
def test_what_a_file_says_of_a_game_wins_and_the_rest_follow_their_event(standard: RatingList) -> None:
    text = b"date,white,black,result,importance\n2026-01-05,A,B,1,\n2026-01-05,C,D,1,2\n2026-01-06,A,C,1,1\n"
    load_games(read_games(text, today=factory.today()).rows, by=None, event_name="Cup", today=factory.today())
    cup = Tournament.objects.get()

    def counts() -> list[float]:
        return list(Game.objects.order_by("sequence").values_list("importance", flat=True))

    assert counts() == [1, 2, 1]
    for importance in (2.0, 3.0, 1.0):  # passing the game's own by changes nothing of it
        correct(ImportanceChange(cup.pk, importance))
        assert counts() == [importance, 2, 1]
        assert is_exact()
    change_importance(cup.pk, 4.0, by=None)
    with pytest.raises(Stale):
        change_importance(cup.pk, 5.0, by=None, revision=cup.revision)
    load_games(stream("2026-01-07,A,D,1"), by=None, event_name="Cup", today=factory.today())
    assert counts() == [4, 2, 1, 4]
    own = Game.objects.get(importance=2)
    correct_result(game=own.pk, result=Result.OPEN, by=None)
    record_result(game=own.pk, result=Result.DRAW, played_on=factory.MONDAY, by=None)
    assert counts() == [4, 2, 1, 4]
    assert is_exact()


def test_games_and_tables_of_another_event_do_not_follow(cup: Tournament) -> None:
    other = factory.make_round_robin(factory.first_players(4), name="Other Cup")
    evenings = [make_evening(name) for name in ("First", "Second")]
    tables = [play(evening, "1: 1; 2: 2; 3: 3", day) for day, evening in enumerate((*evenings, evenings[0]))]
    Contest.objects.filter(pk=tables[2].pk).update(own_importance=True)
    for event in (cup, evenings[0]):
        change_importance(event.pk, 2.0, by=None)
    found = {event: set(event.games.values_list("importance", flat=True)) for event in (cup, other)}
    assert found == {cup: {2.0}, other: {1.0}}
    kept = dict(Contest.objects.values_list("pk", "importance"))
    assert [kept[table.pk] for table in tables] == [2.0, 1.0, 1.0], "what a table's own file said stays"
    told = AuditEvent.objects.filter(action="event.importance").order_by("pk")
    assert [event.after["games"] for event in told] == [6, 1]
    assert undo_of(told[0]) == ImportanceChange(cup.pk, 1.0)
    Tournament.objects.filter(pk=cup.pk).update(importance=3)
    assert undo_of(told[0]) is None, "it was changed again"


def test_lists_are_rated_anew_from_the_first_that_follows_in_each_pool(cup: Tournament) -> None:
    first, second = Game.objects.filter(tournament=cup).exclude(result="").order_by("sequence")
    evening = make_evening("Tables")
    tables = [play(evening, "1: 1; 2: 2; 3: 3", day) for day in range(2)]
    assert first_following(cup) == {"standard": first.moment}
    Game.objects.filter(pk=first.pk).update(pool="own")
    assert first_following(cup) == {"own": first.moment, "standard": second.moment}
    for own in ({"own_importance": True}, {"own_importance": False, "surplus": True}):
        Game.objects.filter(pk=first.pk).update(**own)
        assert first_following(cup) == {"standard": second.moment}, own
    assert first_following(evening) == {"tables": tables[0].moment}
    Contest.objects.filter(pk=tables[0].pk).update(withdrawn=True)
    assert first_following(evening) == {"tables": tables[1].moment}
    Tournament.objects.update(rated=False)
    assert [first_following(event) for event in (cup, evening)] == [{}, {}]


def test_it_is_made_and_copied_with_the_event_and_refused_out_of_proportion(desk: Client) -> None:
    cup = create_tournament(NewTournament("Cup", importance=1.25), by=None)
    assert "× 1.25 (League)" in desk.get(url("copy", cup.pk)).text
    assert copy_event(cup, name="Cup 2", starts_on=None, with_entries=False, by=None).importance == 1.25
    for wrong in (0.0, -1.0, 101.0, float("nan"), float("inf")):
        with pytest.raises(Refused, match=r"from 0\.01 to 100"):
            change_importance(cup.pk, wrong, by=None)
        with pytest.raises(Refused, match=r"from 0\.01 to 100"):
            create_tournament(NewTournament("Cup", importance=wrong), by=None)
    with pytest.raises(Refused, match="already"):
        change_importance(cup.pk, 1.25, by=None)
    with pytest.raises(Stale):
        change_importance(cup.pk, 2.0, by=None, revision=cup.revision + 1)


@pytest.mark.extended
def test_a_cleared_result_an_unrated_event_and_another_pool_are_no_exception(cup: Tournament) -> None:
    game = Game.objects.filter(result="1-0").get()
    correct_result(game=game.pk, result=Result.OPEN, by=None)
    correct(ImportanceChange(cup.pk, 2.0))
    correct_result(game=game.pk, result=Result.BLACK_WINS, by=None)
    assert ks() == {80}
    assert is_exact()
    blitz = create_list(name="Blitz", slug="blitz", pool="blitz", by=None)
    Game.objects.filter(pk=game.pk).update(pool="blitz")
    for row in RatingList.objects.all():
        rebuild_list(row)
    shown = preview(ImportanceChange(cup.pk, 3.0), by=None)
    assert [row.rating_list for row in shown.lists if row.moves] == [blitz]
    Tournament.objects.update(rated=False)
    assert preview(ImportanceChange(cup.pk, 3.0), by=None).lists == ()


def test_a_job_carries_it(cup: Tournament) -> None:
    change = ImportanceChange(cup.pk, 1.5)
    assert from_payload(to_payload(change)) == change


# --- pages ------------------------------------------------------------------------------------------------------------
def save(desk: Client, cup: Tournament, **typed: str) -> str:
    """The event's form as it stands, with what is typed: where it leads."""
    address = url("change", cup.pk)
    fields = fields_of(desk.get(address).text)
    wanted = {
        "play": "once",
        "pool": cup.pool,
        "second_reading": "",
        "leaver_rule": "fide",
        **fields,
        "rated": "on",
        **typed,
    }
    answer = desk.post(address, wanted)
    assert answer.status_code == 302, answer.context["adminform"].form.errors
    return str(answer["Location"])


def test_the_form_offers_the_clubs_scale_and_leads_to_the_preview(desk: Client, cup: Tournament, club: Club) -> None:
    update_club({"importance_scale": "Friendly: 0,5\nGrand prix 1.5"}, by=None)
    form = desk.get(url("change", cup.pk)).text
    assert '<option value="1.5">Grand prix</option>' in form
    assert "Friendly 0.5, Grand prix 1.5" in form
    create_list(name="Glicko", slug="glicko", pool="standard", by=None, system="glicko2")
    address = save(desk, cup, importance="1.5", name="Spring Cup")
    cup.refresh_from_db()
    assert (cup.name, cup.importance) == ("Spring Cup", 1.0)  # what moves no rating is saved at once
    page = desk.get(address).text
    for words in ("Spring Cup: × 1 → × 1.5 (Grand prix)", "2 ratings move", "does not count in “Glicko”", "choose one"):
        assert words in page, words
    fields = hidden_of(page)
    assert desk.post(address, {**fields, "do": "commit", "reason": "other"})["Location"] == url("change", cup.pk)
    assert ks() == {60}
    assert "× 1.5 (Grand prix) → × 1" in desk.get(save(desk, cup, importance="")).text, "left empty: an ordinary event"
    assert is_exact()
    assert "× 1.5 (Grand prix)" in desk.get(cup.get_absolute_url()).text
    assert "importance: 1.0 → 1.5" in desk.get(url("trail", cup.pk)).text
    public = Client().get("/ratings/corrections/").text
    assert "importance of the event" in public
    assert "× 1 → × 1.5" in public
    game = Game.objects.filter(result="1-0").get()
    why = [reverse("ratings:why", args=[slug, game.pk, game.white.number]) for slug in ("standard", "glicko")]
    assert "K = 40 × 1.5 = 60" in desk.get(why[0]).text
    assert "× 1.5, does not count in this list" in desk.get(why[1]).text
    undo = reverse("admin:tournaments_game_undo", args=[AuditEvent.objects.filter(action="event.importance")[0].pk])
    page = desk.get(undo).text
    assert "Spring Cup: × 1.5 → × 1" in page
    desk.post(undo, {**hidden_of(page), "do": "commit", "reason": "entry-error"})
    assert ks() == {40}
    assert is_exact()


def test_without_results_it_is_saved_with_the_form(desk: Client, standard: RatingList) -> None:
    cup = create_tournament(NewTournament("Cup"), by=None)
    assert "importance" not in save(desk, cup, importance="2")
    cup.refresh_from_db()
    assert cup.importance == 2
    assert "importance" not in save(desk, cup)
    save(desk, cup, importance="")
    cup.refresh_from_db()
    assert cup.importance == 1
    refused = desk.post(
        url("change", cup.pk), {**fields_of(desk.get(url("change", cup.pk)).text), "importance": "1000"}
    )
    assert refused.status_code == 200
    assert "less than or equal to 100" in refused.text


def test_only_who_corrects_its_games_opens_the_preview_and_takes_it_back(client: Client, cup: Tournament) -> None:
    address = url("importance", cup.pk)
    arbiter, assistant = factory.make_arbiter("one"), factory.make_assistant()
    half = User.objects.create_user("half", is_staff=True)  # changes events, corrects no games
    half.user_permissions.set(Permission.objects.filter(codename="change_tournament"))
    asked = [(assistant, "2", 403), (half, "2", 403), (arbiter, "2", 200), (arbiter, "x", 404), (arbiter, "", 404)]
    for user, wanted, status in asked:
        client.force_login(user)
        assert client.get(address, {"importance": wanted}).status_code == status, (user, wanted)
    assert client.get(address, {"importance": "nan"}).status_code == 302  # the sentence stands on the event's page
    correct(ImportanceChange(cup.pk, 1.5))
    undo = reverse("admin:tournaments_game_undo", args=[AuditEvent.objects.get(action="event.importance").pk])
    assert client.get(undo).status_code == 200
    cup.officers.set([factory.make_arbiter("other")])
    assert client.get(address, {"importance": "2"}).status_code == 403
    assert client.get(undo).status_code == 403


@pytest.mark.parametrize(
    "text",
    [
        "Championship",
        "1.5",
        ": 1.5",
        "Cup 0",
        "Cup 101",
        "Cup 1\nCup 2",
        "Cup -1",
        "\n".join(f"C{n} 1" for n in range(21)),
    ],
)
def test_a_scale_that_cannot_be_read_is_refused(club: Club, text: str) -> None:
    with pytest.raises(Refused):
        update_club({"importance_scale": text}, by=None)


def test_the_scale_is_the_clubs_own_or_the_usual_one(client: Client, club: Club) -> None:
    assert [factor for _name, factor in importance_scale("")] == [0.5, 1, 1.25, 1.5]
    assert scale_of(Club(importance_scale="#1 2\n#1 3")) == ()  # two names that were taken out of it
    assert len(importance_scale("\n".join(f"C{n} 1" for n in range(20)))) == 20
    assert importance_scale(" Cup final:  2\r\n\r\nB-league = 0,75 ") == (("Cup final", 2.0), ("B-league", 0.75))
    client.force_login(factory.make_administrator())
    address = reverse("admin:players_club_change", args=[club.pk])
    page = client.get(address).text
    assert "Championship 1.5</textarea>" in page
    wanted = {**fields_of(page), "time_zone": club.time_zone, "default_visibility": "public"}
    usual = page.partition('name="importance_scale"')[2].partition(">")[2].partition("</textarea>")[0].strip()
    client.post(address, {**wanted, "importance_scale": usual.replace("\r\n", "\n").replace("\n", "\r\n")})
    assert Club.objects.get().importance_scale == "", "nobody wrote it down"
    wanted["revision"] = "1"
    client.post(address, {**wanted, "importance_scale": "Cup 3"})
    assert Club.objects.get().importance_scale == "Cup 3"
    assert (
        "write a name of its own" in client.post(address, {**wanted, "revision": "2", "importance_scale": "Cup"}).text
    )
