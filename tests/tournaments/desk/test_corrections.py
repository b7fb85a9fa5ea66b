"""Corrections at the desk: every kind shows first what it moves; nothing is written before the arbiter says so."""

from datetime import date
from io import BytesIO

import pytest
from django.contrib.auth.models import User
from django.http import HttpResponse
from django.test import Client
from django.urls import reverse

from players.models import AuditEvent, Job, Player
from players.people.services import NewPlayer, create_player
from ratings.models import LedgerEntry, PlayerRating, PublishedList, RatingList
from tests import factory
from tests.tournaments.admin_pages import carried_out, fields_of, games_of, hidden_of, shown_form, url
from tests.tournaments.swiss_events import make_swiss, play_rounds
from tournaments.corrections.admin import games_brought
from tournaments.corrections.admin import preview as correction
from tournaments.corrections.services import corrections, uploads
from tournaments.interchange.games_csv import read_games
from tournaments.loading.services.streams import load_games
from tournaments.models import Game, Round, Tournament
from tournaments.rated_games.services.rebuilding import check_list
from tournaments.results.services.results import correct_result
from tournaments.rounds.services.next_round import pair_next_round
from tournaments.rounds.services.rounds import delete_round
from tournaments.standings.points import Result

pytestmark = pytest.mark.django_db
EVENING = b"date,white,black,result\n2026-01-05,Ada Alvarez,Bo Brandt,1\n2026-01-12,Cleo Costa,Ada Alvarez,1\n"


@pytest.fixture
def cup(standard: RatingList) -> Tournament:
    return factory.make_round_robin(factory.make_players(5))


@pytest.fixture
def evening(standard: RatingList) -> list[Game]:
    load_games(read_games(EVENING, today=date(2026, 2, 1)).rows, by=None, event_name="Mondays", today=factory.MONDAY)
    return list(Game.objects.order_by("sequence"))


@pytest.fixture
def played(cup: Tournament) -> Round:
    """The first of two rounds that are played: a win of White and a draw."""
    for number in (1, 2):
        factory.play_round(cup, number, [Result.WHITE_WINS, Result.DRAW])
    return factory.round_of(cup, 1)


def preview(desk: Client, row: Round, *results: str) -> HttpResponse:
    """What saving these results of the first boards leads to."""
    typed = {f"board-{number}": result for number, result in enumerate(results, start=1)}
    answer = desk.post(url("results", row.pk), shown_form(desk, row) | typed)
    return desk.get(answer["Location"])  # type: ignore[return-value]


def at(name: str, *keys: int) -> str:
    return reverse(f"admin:tournaments_game_{name}", args=keys)


def corrected(**having: object) -> AuditEvent:
    return AuditEvent.objects.filter(**having).exclude(reason="")[0]


# --- boards -------------------------------------------------------------------------------------------------------
@pytest.mark.extended
def test_a_changed_board_leads_to_what_it_moves_and_back(desk: Client, played: Round, standard: RatingList) -> None:
    PublishedList.objects.create(rating_list=standard, on=date(2026, 1, 31), settings={}, digest="")
    page = preview(desk, played, "0-1")
    html = page.content.decode()
    game = games_of(played)[0]
    assert f"{game.white.name} – {game.black.name} (Winter Cup, round 1, board 1): 1–0 → 0–1" in html
    assert "4 games are rated anew" in html
    assert "One published list is of a day this touches; it stays as it is: 31 Jan 2026." in " ".join(html.split())
    assert "Standings of the event" in html
    assert "paired" not in html, "a round robin is paired by no result"
    assert game.result == "1-0", "nothing is written yet"
    assert "This field is required." in carried_out(desk, page, reason="").content.decode()
    assert games_of(played)[0].result == "1-0", "a correction needs a reason"
    answer = carried_out(desk, page, reason="appeal", note="sheets compared")
    assert answer["Location"] == url("results", played.pk)
    event = corrected(action="result.corrected")
    assert (event.reason, event.note, event.effect["standard"]["games"]) == ("appeal", "sheets compared", 4)
    assert check_list(standard) == []


@pytest.mark.extended
def test_a_correction_says_which_rounds_are_paired_already(desk: Client) -> None:
    swiss = make_swiss(factory.make_players(8), rounds=5)
    first, *_later = play_rounds(swiss, 3, Result.WHITE_WINS)
    draft = pair_next_round(swiss, by=None)
    html = preview(desk, first, "0-1").content.decode()
    assert "Rounds 2 to 3 are published and stay as they are paired." in html
    assert "Round 4 is a draft, paired by the result as it was" in html
    delete_round(draft.pk, by=None)
    assert "draft" not in preview(desk, first, "0-1").content.decode()
    assert "stay as they are paired" in desk.get(at("swap", games_of(first)[0].pk)).content.decode()


@pytest.mark.extended
def test_two_boards_entered_on_each_other_are_one_preview(desk: Client, played: Round) -> None:
    page = preview(desk, played, "1/2", "1-0")
    assert page.content.decode().count(" → ½–½") == 1
    assert len(hidden_of(page.content.decode())["c"]) == 2
    carried_out(desk, page)
    assert [game.result for game in games_of(played)] == ["1/2", "1-0"]
    assert AuditEvent.objects.filter(action="result.corrected").count() == 2


def test_first_results_are_saved_while_corrections_wait(desk: Client, cup: Tournament) -> None:
    row = factory.round_of(cup, 1)
    desk.post(url("results", row.pk), shown_form(desk, row) | {"board-1": "1-0"})
    answer = desk.post(
        url("results", row.pk), shown_form(desk, row) | {"board-1": "1/2", "board-2": "0-1"}, follow=True
    )
    assert "1 board is saved." in answer.content.decode()
    assert "Correct a result" in answer.content.decode()
    assert [game.result for game in games_of(row)] == ["1-0", "0-1"]


@pytest.mark.extended
def test_a_commit_that_came_too_late_shows_the_new_preview(desk: Client, played: Round, cup: Tournament) -> None:
    page = preview(desk, played, "0-1")
    both = {games_of(played)[0].white_id, games_of(played)[0].black_id}
    later = next(game for game in games_of(factory.round_of(cup, 2)) if {game.white_id, game.black_id} & both)
    correct_result(game=later.pk, result=Result.OPEN, by=None)
    again = carried_out(desk, page)
    assert again.status_code == 409
    assert "the effect is another now" in again.content.decode()
    assert games_of(played)[0].result == "1-0"
    assert carried_out(desk, again).status_code == 302
    assert games_of(played)[0].result == "0-1"


def test_a_preview_of_a_board_others_changed_says_so(desk: Client, played: Round) -> None:
    answer = desk.post(url("results", played.pk), shown_form(desk, played) | {"board-1": "0-1"})
    correct_result(game=games_of(played)[0].pk, result=Result.DRAW, by=None)
    assert "Somebody else entered ½–½ here meanwhile" in desk.get(answer["Location"], follow=True).content.decode()


def test_a_wish_no_page_wrote_is_404_and_none_leads_away_from_the_desk(desk: Client, played: Round) -> None:
    for wish in ("", "c=1", "c=x,0,1-0,", "c=1,0,2-0,", "c=999999,0,1-0,", f"c={10**30},0,1-0,"):
        assert desk.get(f"{at('correct')}?{wish}").status_code == 404, wish
    game = games_of(played)[0]
    for back in ("https://evil.example/", "//evil.example", "/admin//evil.example"):
        page = desk.get(at("correct"), {"c": f"{game.pk},{game.revision},0-1,", "back": back})
        assert page.status_code == 200
        assert "evil" not in page.content.decode(), back


def test_many_movers_are_cut_and_counted(desk: Client, played: Round, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(correction, "SHOWN", 2)
    html = preview(desk, played, "0-1").content.decode()
    assert "and 2 more, by less" in html or "and 3 more, by less" in html


def test_a_long_tail_is_left_to_the_background(desk: Client, played: Round, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(corrections, "LONG_TAIL", 2)
    page = preview(desk, played, "0-1")
    assert "4 games stand behind this change" in page.content.decode()
    done = desk.get(carried_out(desk, page)["Location"]).content.decode()
    assert "being carried out in the background" in done
    assert reverse("admin:players_job_changelist") not in done, "an arbiter follows it on his desk"
    job = Job.objects.get()
    assert (job.kind, job.payload["kind"]) == ("correct", "ResultChange")


# --- a game's own page --------------------------------------------------------------------------------------------
def test_colours_are_exchanged_either_way(desk: Client, evening: list[Game], standard: RatingList) -> None:
    html = desk.get(at("change", evening[0].pk)).content.decode()
    assert at("swap", evening[0].pk) in html
    assert "White is Bo Brandt, Black is Ada Alvarez: 1–0 → 0–1" in desk.get(at("swap", evening[0].pk)).content.decode()
    page = desk.get(at("swap", evening[0].pk), {"mirror": "0"})
    assert "1–0 → 1–0" in page.content.decode()
    carried_out(desk, page)
    game = Game.objects.get(pk=evening[0].pk)
    assert (game.white.name, game.result) == ("Bo Brandt", "1-0")
    assert check_list(standard) == []


def test_a_loaded_game_is_removed_by_clearing_it_and_can_be_put_back(
    desk: Client, evening: list[Game], standard: RatingList
) -> None:
    page = desk.get(at("remove", evening[0].pk))
    assert "The result is cleared" in page.content.decode()
    carried_out(desk, page, reason="duplicate")
    assert Game.objects.get(pk=evening[0].pk).result == ""
    html = desk.get(at("change", evening[0].pk)).content.decode()
    event = corrected(action="result.corrected")
    assert at("undo", event.pk) in html
    page = desk.get(at("undo", event.pk))
    assert "no result → 1–0" in page.content.decode()
    carried_out(desk, page)
    assert Game.objects.get(pk=evening[0].pk).result == "1-0"
    assert desk.get(at("undo", event.pk)).status_code == 404, "it no longer stands as that correction left it"
    assert check_list(standard) == []


def test_a_day_moved_and_moved_back_is_told_in_words(desk: Client, evening: list[Game]) -> None:
    form = {"result": "1-0", "played_on": "2026-01-05", "revision": "0"}
    assert desk.post(at("change", evening[0].pk), form)["Location"] == at("changelist")
    assert not AuditEvent.objects.filter(action="result.corrected").exists(), "nothing changed is no correction"
    correct_result(game=evening[0].pk, result=Result.WHITE_WINS, played_on=date(2026, 1, 4), by=None)
    html = desk.get(at("undo", corrected(action="result.corrected").pk)).content.decode()
    assert "4 Jan 2026 → 5 Jan 2026" in html


def test_a_game_is_found_changed_and_cleared_on_its_page(
    desk: Client, evening: list[Game], standard: RatingList
) -> None:
    page, other = (at("change", game.pk) for game in evening)
    found = desk.get(at("changelist"), {"q": "ada brandt"}).content.decode()
    assert page in found
    assert other not in found
    form = fields_of(desk.get(page).content.decode())
    assert carried_out(desk, desk.post(page, form | {"result": "1/2"}), note="sheet found").status_code == 302
    event = AuditEvent.objects.get(action="result.corrected")
    assert (event.before["result"], event.after["result"], event.reason) == ("1-0", "1/2", "appeal")
    assert LedgerEntry.objects.order_by("id")[0].score == 0.5
    assert check_list(standard) == []
    answer = desk.post(page, form | {"result": "0-1"}, follow=True)
    assert "Somebody else entered ½–½ here meanwhile" in answer.content.decode(), "the form is stale"
    assert Game.objects.get(pk=evening[0].pk).result == "1/2"
    assert "A result needs the day" in desk.post(page, form | {"result": "0-1", "played_on": ""}).text
    page = at("change", evening[1].pk)
    form = fields_of(desk.get(page).content.decode())
    carried_out(desk, desk.post(page, form | {"result": ""}))
    assert PlayerRating.objects.count() == 2
    form = fields_of(desk.get(page).content.decode())
    desk.post(page, form | {"result": "1/2"})
    assert Game.objects.get(pk=evening[1].pk).result == "1/2"


def test_games_are_neither_added_nor_deleted_here_nor_changed_by_half_a_form(desk: Client, evening: list[Game]) -> None:
    assert desk.get(at("add")).status_code == 403
    assert desk.post(at("delete", evening[0].pk)).status_code == 403
    page = at("change", evening[0].pk)
    form = fields_of(desk.get(page).content.decode())
    for missing in (("result",), ("played_on",), ("result", "played_on")):
        answer = desk.post(page, {name: value for name, value in form.items() if name not in missing})
        assert answer.status_code in (200, 302), missing
        game = Game.objects.get(pk=evening[0].pk)
        assert (game.result, game.played_on) == (evening[0].result, evening[0].played_on), missing


# --- a game forgotten, a file -------------------------------------------------------------------------------------
def test_a_forgotten_game_is_entered_with_its_old_date(desk: Client, evening: list[Game], standard: RatingList) -> None:
    assert at("insert") in desk.get(at("changelist")).content.decode()
    event = Tournament.objects.get(open_ended=True)
    wish = {"tournament": event.pk, "white": "Cleo Costa", "black": "#2", "result": "1/2", "played_on": "2026-01-06"}
    assert "nobody is called" in desk.post(at("insert"), wish | {"white": "Cleo"}).content.decode()
    assert "lies in the future" in desk.post(at("insert"), wish | {"played_on": "2190-01-01"}).content.decode()
    page = desk.post(at("insert"), wish)
    assert "2 games are rated anew" in page.content.decode()
    assert "½–½, 6 Jan 2026" in page.content.decode()
    assert Game.objects.count() == 2
    done = carried_out(desk, page, reason="late-report")
    said = desk.get(done["Location"]).content.decode()
    assert "The game is entered, and every rating behind it" in said
    assert "Corrected" not in said, "what is entered is no correction"
    made = Game.objects.order_by("-pk")[0]
    assert (made.white.name, made.black.name, made.played_on) == ("Cleo Costa", "Bo Brandt", date(2026, 1, 6))
    page = desk.get(at("remove", made.pk))
    assert "The game is deleted." in page.content.decode()
    assert carried_out(desk, page)["Location"] == at("changelist")
    assert Game.objects.count() == 2
    assert check_list(standard) == []


def upload(desk: Client, content: bytes, **wish: str) -> HttpResponse:
    file = BytesIO(content)
    file.name = "games.csv"
    said = {"file": file, "event": "Mondays", "pool": "standard", **wish}
    return desk.post(at("load"), said)  # type: ignore[return-value]


def test_a_file_is_previewed_and_then_loaded(desk: Client, evening: list[Game]) -> None:
    content = EVENING + b"2026-01-08,Bo Brandt,Dora New,0.5\n"
    page = upload(desk, content)
    html = page.content.decode()
    assert "3 rows in the file." in html
    assert "2 games are rated anew" in html
    assert not Player.objects.filter(name="Dora New").exists()
    key = hidden_of(html)["kept"][0]
    assert uploads.read_upload(key) == content
    assert carried_out(desk, page, reason="late-report").status_code == 302
    assert Game.objects.count() == 3
    event = corrected(action="games.loaded")
    assert (event.reason, event.effect["standard"]["games"]) == ("late-report", 2)
    with pytest.raises(uploads.Refused):
        uploads.read_upload(key)
    assert "Everything in the file is here already" in upload(desk, content).content.decode()


def test_bad_rows_of_a_file_are_all_told(desk: Client, evening: list[Game], monkeypatch: pytest.MonkeyPatch) -> None:
    content = EVENING + b"2026-01-08,Bo Brandt,Dora New,7\n2026-01-08,Bo Brandt,Bo Brandt,1\n"
    html = upload(desk, content).content.decode()
    assert "line 4:" in html
    assert "line 5:" in html
    monkeypatch.setattr(games_brought, "MOST_BAD_ROWS", 1)
    assert "and 1 more" in upload(desk, content).content.decode()
    unknown = EVENING + b"2026-01-08,Bo Brandt,Dora New,1\n"
    assert "nobody is called “Dora New”" in upload(desk, unknown, known_players_only="on").content.decode()
    assert "! Nothing was changed." in upload(desk, b"\xff\xfe").content.decode()


def test_a_file_too_large_or_gone_is_told(desk: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(uploads, "LARGEST", 10)
    assert uploads.keep_upload(b"x" * 10)
    assert "larger than 5 MB" in upload(desk, EVENING).content.decode()
    for key in ("0" * 64, "../../secret", ""):
        html = desk.post(at("load"), {"kept": key, "event": "Mondays", "pool": "standard"}).content.decode()
        assert "no longer here" in html
    key = uploads.keep_upload(b"old")
    monkeypatch.setattr(uploads, "_KEPT_FOR", -1)
    uploads.keep_upload(b"new")
    with pytest.raises(uploads.Refused, match="upload it again"):
        uploads.read_upload(key)


@pytest.mark.parametrize("sent", [b"name\n" + b"a\n" * 50_000, b"name\r" * 50_001, b"a" + b";" * 500_001])
def test_a_table_of_too_many_lines_or_values_is_refused_before_it_is_read(desk: Client, sent: bytes) -> None:
    """2,600,000 lines of 5 MB used to take a gigabyte."""
    assert "divide it into several" in upload(desk, sent).content.decode()
    assert uploads.keep_upload(sent, is_table=False)
    assert uploads.keep_upload(sent[:100_000])


@pytest.mark.parametrize("sent", [b"a\n" * 50_000, b"a" + b";" * 500_000])
def test_a_table_of_as_many_lines_or_values_as_may_be_is_read(sent: bytes) -> None:
    assert uploads.keep_upload(sent)


# --- two records of one person ------------------------------------------------------------------------------------
def test_two_records_are_merged_and_parted_again(desk: Client, evening: list[Game], standard: RatingList) -> None:
    ada = Player.objects.get(name="Ada Alvarez")
    met = desk.post(reverse("admin:players_player_merge", args=[ada.pk]), {"into": "Bo Brandt"}, follow=True)
    assert "They met each other in “Mondays”" in met.content.decode()
    bo, cleo = Player.objects.get(name="Bo Brandt"), Player.objects.get(name="Cleo Costa")
    page = reverse("admin:players_player_change", args=[cleo.pk])
    merge = reverse("admin:players_player_merge", args=[cleo.pk])
    assert merge in desk.get(page).content.decode()
    assert "nobody is called" in desk.post(merge, {"into": "Somebody"}).content.decode()
    shown = desk.post(merge, {"into": "Bo Brandt"})
    assert f"Cleo Costa (#{cleo.number}) is the same person as Bo Brandt (#{bo.number})." in shown.content.decode()
    carried_out(desk, shown, reason="duplicate")
    cleo.refresh_from_db()
    assert cleo.merged_into == bo
    assert f"Cleo Costa → #{bo.number}" in desk.get(reverse("admin:players_player_changelist")).content.decode()
    event = corrected(action="players.merged")
    assert at("undo", event.pk) in desk.get(page).content.decode()
    assert merge not in desk.get(page).content.decode()
    carried_out(desk, desk.get(at("undo", event.pk)), reason="wrong-player")
    cleo.refresh_from_db()
    assert cleo.merged_into is None
    assert check_list(standard) == []
    assert desk.get(reverse("admin:players_auditevent_changelist")).status_code in (200, 403)


# --- who may, and what nobody may ---------------------------------------------------------------------------------
def test_nobody_else_gets_in(client: Client, evening: list[Game]) -> None:
    key = evening[0].pk
    spare = create_player(NewPlayer("Spare"), by=None)
    correct_result(game=key, result=Result.DRAW, by=None)
    event = AuditEvent.objects.get(action="result.corrected")
    pages = [at("swap", key), at("remove", key), at("insert"), at("load"), at("undo", event.pk), at("correct")]
    pages.append(reverse("admin:players_player_merge", args=[spare.pk]))
    for page in pages:
        assert client.get(page)["Location"].startswith(reverse("admin:login")), page
    client.force_login(User.objects.create_user("looker", is_staff=True))
    for page in pages:
        assert client.post(page, {"do": "commit"}).status_code == 403, page


def test_the_trail_can_be_neither_edited_nor_deleted_by_anybody(client: Client, evening: list[Game]) -> None:
    correct_result(game=evening[0].pk, result=Result.DRAW, by=None, note="kept")
    event = AuditEvent.objects.get(action="result.corrected")
    client.force_login(factory.make_administrator())
    pages = {name: reverse(f"admin:players_auditevent_{name}", args=[event.pk]) for name in ("change", "delete")}
    everything = list(AuditEvent.objects.order_by("pk").values())
    assert client.get(pages["change"]).status_code == 200
    assert 'name="_save"' not in client.get(pages["change"]).content.decode()
    for page in (*pages.values(), reverse("admin:players_auditevent_add")):
        assert client.post(page, {"note": "other", "post": "yes"}).status_code == 403, page
    bulk = {"action": "delete_selected", "_selected_action": [event.pk], "post": "yes"}
    client.post(reverse("admin:players_auditevent_changelist"), bulk)
    assert list(AuditEvent.objects.order_by("pk").values()) == everything
