"""Players say what happened on their own boards; what both say is entered, once; everything else is the arbiter's."""

from datetime import timedelta

import pytest
from django.db import connection
from django.db.models import Q
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries

from clubrating.web.rate_limits import RateLimit
from players.links.services.personal_links import revoke_personal_link
from players.models import AuditEvent, PersonalLink, Player
from players.refusals import Refused, Stale
from ratings.models import LedgerEntry
from tests import factory
from tests.players.links.link_cases import phone_of, switch_links_on
from tests.tournaments.pairs.pair_cases import game_between, make_doubles, make_lists
from tests.tournaments.teams.team_cases import make_team_event
from tests.visitor import Page
from tournaments.corrections.services.game_changes import swap_colours
from tournaments.events.services.events import update_tournament
from tournaments.free_boards.services.boards import set_board
from tournaments.models import AbsenceNotice, Game, Pairing, PlayerResult, Round, Tournament
from tournaments.player_results import services, views
from tournaments.player_results.selectors import RoundSaid, own_side, said_in, said_of
from tournaments.player_results.services import Said, enter_agreed, report_own_result
from tournaments.results.services.quick import change_quickly
from tournaments.results.services.results import correct_result, record_result
from tournaments.standings.points import Result

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("club_time")]
WIN, DRAW, LOSS = Result.WHITE_WINS, Result.DRAW, Result.BLACK_WINS


@pytest.fixture(scope="module")
def cup(world: None) -> Tournament:
    factory.make_club()
    factory.make_list()
    switch_links_on()
    cup = factory.make_round_robin(factory.make_players(5), first_day=factory.today())
    return update_tournament(cup.pk, {"player_results": "agreed"}, by=None)


@pytest.fixture
def game(cup: Tournament) -> Game:
    return Game.objects.filter(tournament=cup, pairing__round__number=1).order_by("pairing__board")[0]


def says(game: Game, player: int, result: str, revision: int | None = None) -> Said:
    return report_own_result(game.pk, player, result, revision=game.revision if revision is None else revision)


def say_of_the_next_board(player: int) -> None:
    later = Game.objects.filter(Q(white=player) | Q(black=player), pairing__round__number__gt=1)
    board = later.order_by("pairing__round__number")[0]
    Round.objects.filter(pk=board.pairing.round_id).update(planned_on=None)
    assert says(board, player, WIN) == Said.WAITS


def ticked(cup: Tournament) -> None:
    Tournament.objects.filter(pk=cup.pk).update(player_results="ticked")


# --- what both say ------------------------------------------------------------------------------------------------
def test_what_both_say_is_entered_and_rated_like_an_arbiters_result(game: Game) -> None:
    say_of_the_next_board(game.black_id)
    assert says(game, game.white_id, WIN) == Said.WAITS
    assert Game.objects.get(pk=game.pk).result == ""
    assert says(game, game.black_id, WIN) == Said.ENTERED
    assert Game.objects.get(pk=game.pk).result == WIN
    assert LedgerEntry.objects.filter(game=game).exists()
    lines = AuditEvent.objects.filter(action__in=("result.claimed", "result.recorded"))
    assert set(lines.values_list("role", "actor")) == {("player", None)}
    assert lines.count() == 4


def test_said_twice_it_is_said_once(game: Game) -> None:
    seen = game.revision
    for player, expected in ((game.white_id, Said.WAITS), (game.black_id, Said.ENTERED)):
        assert {says(game, player, DRAW, seen) for _tap in range(3)} == {expected}
    assert says(game, game.white_id, DRAW, seen) == Said.ENTERED, "the phone sends it again after the answer was lost"
    assert AuditEvent.objects.filter(action="result.recorded").count() == 1
    assert PlayerResult.objects.filter(game=game).count() == 2


def test_only_a_report_that_enters_a_result_waits_for_the_lists(game: Game) -> None:
    locked = []
    for player in (game.white_id, game.black_id):
        with CaptureQueriesContext(connection) as queries:
            says(game, player, WIN)
        locked.append(any('FROM "ratings_ratinglist"' in row["sql"] for row in queries))
    assert locked == [False, True]


def test_who_finds_the_other_side_agreed_at_the_same_moment_notes_nothing_before_the_lists_are_locked(
    game: Game,
) -> None:
    says(game, game.white_id, WIN)
    with pytest.raises(services._ListsFirstError):
        services._report(game.pk, game.black_id, WIN, game.revision, lists=False)
    assert services._report(game.pk, game.white_id, WIN, game.revision, lists=False) == Said.WAITS, "sent twice at once"
    assert PlayerResult.objects.filter(game=game).count() == 1


def test_who_reported_reports_no_other_result(game: Game) -> None:
    says(game, game.white_id, WIN)
    with pytest.raises(Refused, match="reported 1–0 already"):
        says(game, game.white_id, DRAW)


def test_both_say_different_things_and_the_arbiter_decides(game: Game) -> None:
    says(game, game.white_id, WIN)
    assert says(game, game.black_id, LOSS) == Said.DISPUTED
    assert Game.objects.get(pk=game.pk).result == ""
    record_result(game=game.pk, result=DRAW, played_on=factory.today(), by=None)
    with pytest.raises(Stale, match="½–½ was entered meanwhile"):
        says(game, game.black_id, LOSS)


def test_an_arbiters_entry_before_the_answer_wins(game: Game) -> None:
    says(game, game.white_id, WIN)
    record_result(game=game.pk, result=WIN, played_on=factory.today(), by=None)
    assert says(game, game.black_id, WIN) == Said.ENTERED
    assert AuditEvent.objects.filter(action="result.recorded").count() == 1


def test_after_a_slip_was_cleared_or_taken_back_both_say_it_anew(game: Game) -> None:
    says(game, game.white_id, WIN)
    says(game, game.black_id, WIN)
    seen = game.revision
    change_quickly(game=game.pk, result=Result.OPEN, by=factory.make_arbiter(), revision=seen + 1)
    game.refresh_from_db()
    assert game.result == ""
    assert getattr(own_side(game, game.white_id), "before", "no side") is None
    with pytest.raises(Stale, match="changed meanwhile"):
        says(game, game.white_id, WIN, seen)
    assert says(game, game.white_id, DRAW) == Said.WAITS
    assert says(game, game.black_id, DRAW) == Said.ENTERED
    correct_result(game=game.pk, result=Result.OPEN, by=None, reason="entry-error")
    game.refresh_from_db()
    assert says(game, game.white_id, LOSS) == Said.WAITS


def test_after_colours_were_exchanged_what_was_said_counts_no_more(game: Game) -> None:
    says(game, game.white_id, WIN)
    swap_colours(game=game.pk, mirror=False, by=None, reason="wrong-colours")
    swapped = Game.objects.get(pk=game.pk)
    assert swapped.white_id == game.black_id
    assert (said_of([swapped]), said_in(game.pairing.round, timezone.now())) == ({}, RoundSaid())
    assert says(swapped, swapped.white_id, WIN) == Said.WAITS, "and is not agreed"


def test_one_partner_speaks_for_the_pair(cup: Tournament) -> None:
    make_lists()
    ana, ben, cem, dan = factory.make_players(4)
    doubles = make_doubles([ana, ben, cem, dan])
    Tournament.objects.filter(pk=doubles.pk).update(player_results="agreed")
    game = game_between(doubles, ana, cem)
    assert says(game, ben.pk, DRAW) == Said.WAITS
    assert says(game, ana.pk, DRAW) == Said.WAITS, "and not for the other side"
    with pytest.raises(Refused, match="already"):
        says(game, ana.pk, WIN)
    assert says(game, dan.pk, DRAW) == Said.ENTERED


def test_a_board_set_on_a_ladder_is_reported_until_the_ladder_is_closed(cup: Tournament) -> None:
    ladder = factory.make_ladder(factory.first_players(3)).tournament
    Tournament.objects.filter(pk=ladder.pk).update(player_results="agreed")
    one, other, third = ladder.entries.order_by("number")
    board = set_board(ladder, one.player_id, other.player_id, by=None)
    assert says(board, other.player_id, DRAW) == Said.WAITS
    assert PlayerResult.objects.get().entry == other, "not his entry in the cup"
    for closed, player, words in ((False, third, "do not sit"), (True, one, "not being played")):
        Tournament.objects.filter(pk=ladder.pk).update(closed=closed)
        with pytest.raises(Refused, match=words):
            says(board, player.player_id, DRAW)


# --- with an arbiter's tick ---------------------------------------------------------------------------------------
def test_with_a_tick_nothing_counts_before_it_and_what_changed_meanwhile_is_left_out(cup: Tournament) -> None:
    ticked(cup)
    games = list(Game.objects.filter(pairing__round=factory.round_of(cup, 1)).order_by("pairing__board"))
    for game in games:
        assert says(game, game.white_id, DRAW) == Said.WAITS
        assert says(game, game.black_id, DRAW) == Said.AGREED
    assert not Game.objects.exclude(result="").exists()
    seen = [(game.pk, game.revision) for game in games]
    record_result(game=games[0].pk, result=WIN, played_on=factory.today(), by=None)
    row = factory.round_of(cup, 1)
    assert enter_agreed(factory.round_of(cup, 2).pk, seen, by=None) == 0, "boards of another round"
    assert enter_agreed(row.pk, [(key, seen_as - 1) for key, seen_as in seen], by=None) == 0, "as they were before"
    board = Pairing.objects.filter(pk=games[1].pairing_id)
    board.update(superseded=True)
    assert enter_agreed(row.pk, seen, by=None) == 0, "a board that is played no more"
    board.update(superseded=False)
    assert enter_agreed(row.pk, seen, by=None) == 1
    assert enter_agreed(row.pk, seen, by=None) == 0, "pressed twice"
    assert [Game.objects.get(pk=game.pk).result for game in games] == [WIN, DRAW]


def test_disputes_silence_and_agreement_are_told_apart_oldest_first(
    cup: Tournament, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    ticked(cup)
    row = Round.objects.select_related("stage__tournament").get(pk=factory.round_of(cup, 1).pk)
    one, other = Game.objects.filter(pairing__round=row).order_by("pairing__board")
    says(one, one.white_id, WIN)
    says(other, other.black_id, DRAW)
    say_of_the_next_board(one.white_id)
    now = timezone.now()
    found = said_in(row, now)
    assert (len(found.waiting), found.disputed, found.agreed) == (2, (), ())
    late = said_in(row, now + timedelta(minutes=16)).silent
    assert [(board.game, board.white_says, board.black_says) for board in late] == [
        (one, "1–0", ""),
        (other, "", "½–½"),
    ]
    exact = said_in(row, PlayerResult.objects.get(game=one).at + timedelta(minutes=15))
    assert [[board.game for board in boards] for boards in (exact.silent, exact.waiting)] == [[one], [other]]
    assert list(said_of([other])) == [other.pk]
    says(one, one.black_id, LOSS)
    says(other, other.white_id, DRAW)
    with django_assert_max_num_queries(1):
        found = said_in(row, now)
    assert [board.game for board in found.disputed] == [one]
    assert [board.game for board in found.agreed] == [other]
    Pairing.objects.filter(pk=one.pairing_id).update(superseded=True)
    assert said_in(row, now).disputed == (), "played no more"


# --- where players report nothing ---------------------------------------------------------------------------------
def test_nobody_reports_a_board_of_others(cup: Tournament, game: Game) -> None:
    stranger = Player.objects.exclude(pk__in=(game.white_id, game.black_id)).order_by("pk")[0]
    with pytest.raises(Refused, match="do not sit"):
        says(game, stranger.pk, WIN)


@pytest.mark.parametrize("code", ["0-0", "--", "adj", "", "nonsense", "1/2-0"])
def test_what_is_the_arbiters_is_not_a_players(game: Game, code: str) -> None:
    with pytest.raises(Refused, match="tell the arbiter"):
        says(game, game.white_id, code)


def test_where_the_event_does_not_ask_or_is_over_or_the_round_is_no_public_one(cup: Tournament, game: Game) -> None:
    for changes in ({"player_results": ""}, {"closed": True}):
        Tournament.objects.filter(pk=cup.pk).update(**changes)
        with pytest.raises(Refused, match="tell the arbiter"):
            says(game, game.white_id, WIN)
        Tournament.objects.filter(pk=cup.pk).update(player_results="agreed", closed=False)
    rounds = Round.objects.filter(pk=game.pairing.round_id)
    for changes in ({"state": "draft"}, {"state": "closed"}, {"planned_on": factory.today() + timedelta(days=1)}):
        was = rounds.values("state", "planned_on").get()
        rounds.update(**changes)
        with pytest.raises(Refused, match="tell the arbiter"):
            says(game, game.white_id, WIN)
        rounds.update(**was)


def test_matches_of_teams_stay_the_captains(cup: Tournament) -> None:
    league = make_team_event()
    with pytest.raises(Refused, match="captains’ card"):
        update_tournament(league.pk, {"player_results": "agreed"}, by=None)
    for changes in ({"player_results": "always"}, {"silent_minutes": 0}, {"silent_minutes": 1441}):
        with pytest.raises(Refused, match="choose again"):
            update_tournament(cup.pk, changes, by=None)


# --- pages --------------------------------------------------------------------------------------------------------
def path_of(game: Game) -> str:
    return f"/tournaments/winter-cup/games/{game.pk}/"


def offered(phone: Client, game: Game) -> list[str]:
    return [choice.code for side in phone.get(path_of(game)).context["sides"] for choice in side.choices]


def tap(phone: Client, game: Game, player: Player, code: str, revision: int | None = None) -> int:
    seen = game.revision if revision is None else revision
    return phone.post(path_of(game), {"player": player.number, "revision": seen, "claimed": code}).status_code


def test_two_phones_report_and_confirm(game: Game) -> None:
    white, black = phone_of(game.white), phone_of(game.black)
    say_of_the_next_board(game.white_id)
    assert "What happened?" in white.get(path_of(game)).text
    assert "What happened?" in white.get("/mine/").text
    assert offered(white, game) == [WIN, DRAW, LOSS, Result.BLACK_FORFEITS], "not his own absence"
    assert tap(white, game, game.white, Result.BLACK_FORFEITS) == 302
    assert offered(white, game) == []
    assert "It counts when your opponent says the same" in white.get(path_of(game)).text
    page = black.get(path_of(game)).text
    assert page.index("opponent says + −.") < page.index("That is right: ") < page.index("I lost") < page.index("I won")
    assert offered(black, game) == [Result.BLACK_FORFEITS, WIN, DRAW, LOSS, Result.WHITE_FORFEITS]
    assert [tap(black, game, game.black, code) for code in ("+-", "+-", LOSS)] == [302, 302, 409]
    assert offered(black, game) == []
    assert "Tell the arbiters" in black.get(path_of(game)).text


@pytest.mark.parametrize(("code", "told"), [(WIN, False), (LOSS, True)])
def test_who_said_otherwise_than_was_entered_is_told(game: Game, code: str, told: bool) -> None:
    white = phone_of(game.white)
    tap(white, game, game.white, WIN)
    record_result(game=game.pk, result=Result(code), played_on=factory.today(), by=None)
    assert ("You had said 1–0. Another result was entered" in white.get(path_of(game)).text) == told


def test_what_was_said_is_nobody_elses(game: Game) -> None:
    tap(phone_of(game.white), game, game.white, LOSS)
    other = Player.objects.exclude(pk__in=(game.white_id, game.black_id)).order_by("pk")[0]
    for client in (Client(), phone_of(other)):
        answer = client.get(path_of(game))
        assert answer.status_code == 200
        assert "0–1" not in answer.text
        assert 'name="claimed"' not in answer.text
        assert "no-store" in answer.headers["Cache-Control"]


def test_only_the_own_device_reports(cup: Tournament, game: Game) -> None:
    other = Player.objects.exclude(pk__in=(game.white_id, game.black_id)).order_by("pk")[0]
    assert tap(Client(), game, game.white, WIN) == 403
    assert tap(phone_of(other), game, game.white, WIN) == 409, "not for another"
    assert tap(phone_of(other), game, other, WIN) == 409, "not on another’s board"
    phone = phone_of(game.white)
    revoke_personal_link(PersonalLink.objects.filter(player=game.white).get().pk, by=None)
    assert tap(phone, game, game.white, WIN) == 403
    assert not PlayerResult.objects.exists()


def test_a_device_that_sends_too_much_is_told_to_wait(game: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(views, "LIMIT", RateLimit("player-result", 1, 600))
    phone = phone_of(game.white)
    assert [tap(phone, game, game.white, WIN) for _time in range(2)] == [302, 429]


def test_a_guardian_with_two_children_says_it_for_each(game: Game) -> None:
    Player.objects.update(birth_year=factory.today().year - 9)
    phone = phone_of(game.white, guardian="mother")
    phone_of(game.black, guardian="mother", client=phone)
    game = Game.objects.select_related("white", "black").get(pk=game.pk)
    assert phone.get(path_of(game)).text.count('class="own-result"') == 2
    assert [tap(phone, game, player, DRAW) for player in (game.white, game.black)] == [302, 302]
    assert Game.objects.get(pk=game.pk).result == DRAW
    assert not AuditEvent.objects.filter(role__icontains="guardian").exists()


def test_the_arbiter_sees_them_on_top_and_enters_the_agreed_with_one_button(cup: Tournament, client: Client) -> None:
    ticked(cup)
    row = factory.round_of(cup, 1)
    one, other = Game.objects.filter(pairing__round=row).order_by("pairing__board")
    for board, white, black in ((one, WIN, LOSS), (other, DRAW, DRAW)):
        says(board, board.white_id, white)
        says(board, board.black_id, black)
    client.force_login(factory.make_assistant())
    path = f"/admin/tournaments/tournament/round/{row.pk}/"
    page = client.get(path + "results/").text
    at = [page.index(words) for words in ("White says 1–0, Black says 0–1", "Enter 1 agreed board", 'id="sitting"')]
    assert at == sorted(at)
    values = {"board": [f"{other.pk}.{other.revision}", f"{one.pk}.{one.revision}", "x.1", "9" * 30]}
    assert "1 board was changed meanwhile" in client.post(path + "agreed/", values, follow=True).text
    assert [Game.objects.get(pk=each.pk).result for each in (one, other)] == ["", DRAW]
    assert client.get(path + "agreed/").status_code == 405
    assert Client().post(path + "agreed/", values).status_code == 302, "to sign in"


def test_a_known_device_tells_its_own_absence_without_the_pass_phrase(cup: Tournament, game: Game) -> None:
    phone, path = phone_of(game.white), "/tournaments/winter-cup/absent/"
    assert game.white.name in phone.get(path).text
    assert game.black.name not in phone.get(path).text
    own, others = (cup.entries.get(player=player) for player in (game.white, game.black))
    assert phone.post(path, {"entry": own.pk, "round": 1}).status_code == 302
    assert phone.post(path, {"entry": others.pk, "round": 1}).status_code == 200
    assert phone.post(path, {"back": f"{others.pk}-1"}).status_code == 409
    assert Client().post(path, {"entry": own.pk, "round": 1}).status_code == 403
    assert list(AbsenceNotice.objects.values_list("entry", flat=True)) == [own.pk]
    assert AuditEvent.objects.filter(action="absence.told", role="player").count() == 1


def test_an_event_switches_it_on_in_its_settings_and_keeps_what_is_not_sent(cup: Tournament, client: Client) -> None:
    client.force_login(factory.make_arbiter())
    path = f"/admin/tournaments/tournament/{cup.pk}/change/"
    form = next(form for form in Page(client.get(path).text).forms if "player_results" in form.names)
    values = {name: value for name, value in form.values.items() if name}
    client.post(path, {**values, "player_results": "ticked", "silent_minutes": "30"})
    cup.refresh_from_db()
    assert (cup.player_results, cup.silent_minutes) == ("ticked", 30)
    silent = {name: value for name, value in values.items() if name not in ("player_results", "silent_minutes")}
    client.post(path, {**silent, "revision": cup.revision, "place": "Hall"})
    cup.refresh_from_db()
    assert (cup.place, cup.player_results, cup.silent_minutes) == ("Hall", "ticked", 30)


def test_slips_lead_to_the_board_where_players_report(cup: Tournament) -> None:
    path = "/tournaments/winter-cup/print/?round=1&sheets=slips"
    assert Client().get(path).text.count("card-code") == 2
    Tournament.objects.update(player_results="")
    update_tournament(cup.pk, {"place": "Hall"}, by=None)
    assert "card-code" not in Client().get(path).text
