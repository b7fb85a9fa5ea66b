"""Photos of score sheets: who adds, sees and deletes them, and that nothing of them is left after the event."""

import re
from datetime import timedelta
from pathlib import Path

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.utils import timezone

from clubrating.ops.backups.archive import opened
from clubrating.ops.backups.store import make_now
from clubrating.ops.limits import LARGEST
from clubrating.site.export.selectors import own_data
from players.models import AuditEvent, Player
from players.refusals import Refused
from tests import factory
from tests.players.links.link_cases import phone_of, switch_links_on
from tests.tournaments.score_sheets.photo_cases import SECRETS, noise, photo
from tests.visitor import Page
from tournaments.erasure.services.erasure import anonymise_player
from tournaments.events.selectors.stages import games_with
from tournaments.events.services.copying import copy_event
from tournaments.events.services.events import update_tournament
from tournaments.models import Game, ScoreSheet, Tournament
from tournaments.player_results.services import report_own_result
from tournaments.result_reports.services import decline_report, report_result
from tournaments.results.services.results import record_result
from tournaments.score_sheets.services import (
    DAYS_AFTER,
    MOST_A_SIDE,
    add_score_sheet,
    delete_score_sheet,
    forget_score_sheets,
)
from tournaments.score_sheets.views import LIMIT
from tournaments.standings.points import Result

pytestmark = pytest.mark.django_db
PHOTO = photo()


@pytest.fixture(scope="module")
def cup(world: None) -> Tournament:
    factory.make_club()
    factory.make_list()
    switch_links_on()
    cup = factory.make_round_robin(factory.make_players(4), first_day=factory.today())
    return update_tournament(cup.pk, {"player_results": "agreed", "score_sheets": True}, by=None)


@pytest.fixture
def game(cup: Tournament, club_time: None) -> Game:
    """Its sides say different things."""
    rows = Game.objects.filter(tournament=cup, pairing__round__number=1).select_related("white", "black")
    game = rows.order_by("pairing__board")[0]
    for player in (game.white_id, game.black_id):
        own = Result.WHITE_WINS if player == game.white_id else Result.BLACK_WINS
        report_own_result(game.pk, player, own, revision=game.revision)
    return game


def path_of(game: Game) -> str:
    return f"/tournaments/winter-cup/games/{game.pk}/"


def send(client: Client, game: Game, player: Player | None, data: bytes = PHOTO) -> int:
    values = {"player": player.number if player else "", "photo": SimpleUploadedFile("IMG_1.jpg", data)}
    return client.post(path_of(game) + "sheets/", values).status_code


def decided(game: Game) -> None:
    record_result(game=game.pk, result=Result.DRAW, played_on=factory.today(), by=None)


# --- adding -------------------------------------------------------------------------------------------------------
def test_both_players_and_an_officer_add_photos_from_the_page_of_the_board(game: Game) -> None:
    white, officer = phone_of(game.white), Client()
    officer.force_login(factory.make_assistant())
    (form,) = [form for form in Page(white.get(path_of(game)).text).forms if "photo" in form.files]
    assert form.values["player"] == [str(game.white.number)]
    large = noise((1900, 1400))
    assert len(large) > LARGEST, "more than other forms may send"
    for client, player, data in (
        (white, game.white, PHOTO),
        (phone_of(game.black), game.black, large),
        (officer, None, PHOTO),
    ):
        assert send(client, game, player, data) == 302
    kept = [bytes(image) for image in ScoreSheet.objects.values_list("image", flat=True)]
    assert len(kept) == 3
    assert not [secret for secret in SECRETS if any(secret in image for image in kept)]
    lines = AuditEvent.objects.filter(action="score-sheet.added")
    assert [line.role for line in lines.order_by("pk")] == ["player", "player", "assistant"]
    assert all((line.before, line.after, line.note) == ({}, {}, "") for line in lines)


def test_a_guardians_phone_is_the_players(game: Game) -> None:
    Player.objects.filter(pk=game.white_id).update(birth_year=factory.today().year - 9)
    assert send(phone_of(game.white, guardian="mother"), game, game.white) == 302


@pytest.mark.parametrize("data", [b"GIF89a", b"<svg/>", PHOTO[:200], b""])
def test_what_is_no_photo_is_refused_on_the_page(game: Game, data: bytes) -> None:
    assert send(phone_of(game.white), game, game.white, data) == 409
    assert not ScoreSheet.objects.exists()


def test_who_does_not_sit_there_adds_nothing(cup: Tournament, game: Game) -> None:
    other = Player.objects.exclude(pk__in=(game.white_id, game.black_id)).order_by("pk")[0]
    assert send(Client(), game, game.white) == 403
    assert send(phone_of(other), game, game.white) == 409
    assert send(phone_of(other), game, other) == 409
    cup.officers.add(factory.make_arbiter("own"))
    foreign = Client()
    foreign.force_login(factory.make_arbiter("foreign"))
    assert send(foreign, game, None) == 403
    none_chosen = phone_of(game.white).post(path_of(game) + "sheets/", {"player": game.white.number})
    assert (none_chosen.status_code, "No photo was chosen" in none_chosen.text) == (409, True)
    phone = phone_of(game.white)
    sent = [send(phone, game, other) for _ in range(LIMIT.tries + 1)]
    assert sent[-2:] == [409, 429], "one device sends much"
    assert not ScoreSheet.objects.exists()


def test_only_where_it_is_on_and_something_is_disputed_and_so_many(
    cup: Tournament, game: Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    for _each in range(MOST_A_SIDE):
        add_score_sheet(game.pk, PHOTO, player=game.white_id)
    with pytest.raises(Refused, match="2 photos already"):
        add_score_sheet(game.pk, PHOTO, player=game.white_id)
    quiet = Game.objects.filter(tournament=cup, pairing__round__number=1).order_by("pairing__board")[1]
    with pytest.raises(Refused, match="Nothing is disputed"):
        add_score_sheet(quiet.pk, PHOTO, player=quiet.white_id)
    report_own_result(quiet.pk, quiet.white_id, Result.DRAW, revision=quiet.revision)
    with pytest.raises(Refused, match="Nothing is disputed"):
        add_score_sheet(quiet.pk, PHOTO, player=quiet.white_id)
    decided(quiet)
    report = report_result(quiet.pk, Result.WHITE_WINS, role="visitor")
    add_score_sheet(quiet.pk, PHOTO, player=quiet.white_id)
    for _each in range(MOST_A_SIDE):
        ScoreSheet.objects.create(game=game, image=b"x", at=timezone.now())
    add_score_sheet(quiet.pk, PHOTO, by=factory.make_arbiter())
    ScoreSheet.objects.filter(entry=None).delete()
    decline_report(report.pk, by=None, answer="Both signed.")
    with pytest.raises(Refused, match="Nothing is disputed"):
        add_score_sheet(quiet.pk, PHOTO, player=quiet.black_id)
    monkeypatch.setattr("tournaments.score_sheets.services.MOST_IN_EVENT", 3)
    elsewhere = factory.make_round_robin(factory.make_players(2), name="Other")
    Tournament.objects.update(score_sheets=True)
    other = factory.play_round(elsewhere, 1, [Result.DRAW])[0]
    report_result(other.pk, Result.WHITE_WINS, role="visitor")
    with pytest.raises(Refused, match="Nothing is disputed"):
        add_score_sheet(quiet.pk, PHOTO, player=quiet.black_id)
    add_score_sheet(other.pk, PHOTO, player=other.white_id)
    with pytest.raises(Refused, match="as many photos as it may"):
        add_score_sheet(game.pk, PHOTO, player=game.black_id)
    with pytest.raises(Refused, match="This photo is not there any more"):
        delete_score_sheet(0, player=game.white_id)
    assert ScoreSheet.objects.filter(game__tournament=cup).count() == 3
    Tournament.objects.update(score_sheets=False)
    with pytest.raises(Refused, match="not kept in this event"):
        add_score_sheet(game.pk, PHOTO, player=game.black_id)


def test_each_photo_says_from_whom_it_is_and_has_a_button_for_who_may_delete_it(game: Game) -> None:
    officer = Client()
    officer.force_login(factory.make_assistant())
    phones = {"White": phone_of(game.white), "Black": phone_of(game.black)}
    add_score_sheet(game.pk, PHOTO, player=game.white_id)
    add_score_sheet(game.pk, PHOTO, player=game.black_id)
    add_score_sheet(game.pk, PHOTO, by=factory.make_arbiter())

    def deletes(client: Client) -> dict[str, str | None]:
        """By the photo: as whom this device deletes it."""
        found = {}
        for part in client.get(path_of(game)).text.split("<figure")[1:]:
            figure = part.split("</figure>")[0]
            (whose,) = re.findall(r"<figcaption>([^<,]*),", figure)
            assert f"Photo of a score sheet, from {whose}" in figure
            values = re.findall(r'name="player" value="([^"]*)"', figure)
            assert len(values) == figure.count("Delete this photo")
            found[whose] = values[0] if values else None
        return found

    for colour, phone in phones.items():
        player = game.white if colour == "White" else game.black
        assert deletes(phone) == {"White": None, "Black": None, "an officer": None, colour: str(player.number)}
    assert deletes(officer) == {"White": "", "Black": "", "an officer": ""}
    decided(game)
    assert deletes(phones["White"]) == {"White": None, "Black": None, "an officer": None}
    assert deletes(officer) == {"White": "", "Black": "", "an officer": ""}


def test_where_there_is_no_photo_and_none_to_come_none_is_spoken_of(cup: Tournament, game: Game) -> None:
    phone = phone_of(game.white)
    assert "Score sheets" in phone.get(path_of(game)).text
    decided(game)
    assert "Score sheets" not in phone.get(path_of(game)).text


@pytest.mark.extended
def test_an_event_allows_it_in_its_settings(cup: Tournament, client: Client) -> None:
    client.force_login(factory.make_arbiter())
    path = f"/admin/tournaments/tournament/{cup.pk}/change/"
    for sent, stands in (({"player_results": "agreed"}, False), ({}, False), ({"score_sheets": "on"}, True)):
        form = next(form for form in Page(client.get(path).text).forms if "score_sheets" in form.names)
        kept = {name: value for name, value in form.values.items() if name and name != "score_sheets"}
        client.post(path, {**kept, **sent})
        assert Tournament.objects.get(pk=cup.pk).score_sheets == stands
    form = next(form for form in Page(client.get(path).text).forms if "score_sheets" in form.names)
    silent = {name: form.values[name] for name in form.values if name not in ("", "player_results", "score_sheets")}
    client.post(path, {**silent, "place": "Hall"})
    cup.refresh_from_db()
    assert (cup.place, cup.score_sheets) == ("Hall", True)


# --- seeing -------------------------------------------------------------------------------------------------------
def test_the_two_players_and_the_events_officers_see_it_and_nobody_else(cup: Tournament, game: Game) -> None:
    ScoreSheet.objects.create(game=game, image=b"another", at=timezone.now())
    sheet = add_score_sheet(game.pk, PHOTO, player=game.white_id)
    address = f"{path_of(game)}sheets/{sheet.pk}.jpg"
    own, foreign, officer = factory.make_arbiter("own"), factory.make_arbiter("foreign"), Client()
    cup.officers.add(own)
    officer.force_login(own)
    stranger, signed_in = phone_of(Player.objects.exclude(pk__in=(game.white_id, game.black_id))[0]), Client()
    signed_in.force_login(foreign)
    for client in (Client(), stranger, signed_in):
        assert client.get(address).status_code == 404
        assert address not in client.get(path_of(game)).text
        assert 'type="file"' not in client.get(path_of(game)).text
    for client in (phone_of(game.white), phone_of(game.black), officer):
        answer = client.get(address)
        assert answer.content == bytes(sheet.image)
        assert {"no-store", "private"} <= set(answer.headers["Cache-Control"].split(", "))
        assert answer.headers["Content-Type"] == "image/jpeg"
        assert answer.headers["X-Content-Type-Options"] == "nosniff"
        assert answer.headers["Content-Disposition"] == "inline"
        assert answer.headers["Content-Security-Policy"] == "sandbox; default-src 'none'"
        assert not answer.has_header("ETag")
        assert address in client.get(path_of(game)).text
    elsewhere = Game.objects.exclude(pk=game.pk)[0]
    assert officer.get(f"{path_of(elsewhere)}sheets/{sheet.pk}.jpg").status_code == 404
    assert f"{sheet.pk}.jpg" not in officer.get(path_of(elsewhere)).text
    assert officer.post(f"{path_of(elsewhere)}sheets/", {"sheet": sheet.pk}).status_code == 409
    assert ScoreSheet.objects.filter(pk=sheet.pk).exists()
    assert officer.get(f"{path_of(game)}sheets/{9**30}.jpg").status_code == 404


# --- going --------------------------------------------------------------------------------------------------------
def test_a_player_deletes_his_own_until_it_is_decided_and_an_officer_any(game: Game) -> None:
    phone, other = phone_of(game.white), phone_of(game.black)
    second, first = (add_score_sheet(game.pk, PHOTO, player=game.white_id).pk for _each in range(2))
    path = path_of(game) + "sheets/"
    assert other.post(path, {"player": game.black.number, "sheet": first}).status_code == 409
    assert phone.post(path, {"player": game.white.number, "sheet": first}).status_code == 302
    decided(game)
    assert phone.post(path, {"player": game.white.number, "sheet": second}).status_code == 409
    assert "Delete this photo" not in phone.get(path_of(game)).text
    assert f"{second}.jpg" in phone.get(path_of(game)).text
    delete_score_sheet(second, by=factory.make_arbiter())
    assert AuditEvent.objects.filter(action="score-sheet.deleted", before={}, after={}, note="").count() == 2
    assert not ScoreSheet.objects.exists()


@pytest.mark.parametrize(
    ("ended", "closed", "added", "goes"),
    [
        (DAYS_AFTER + 1, None, DAYS_AFTER + 2, True),
        (DAYS_AFTER, None, DAYS_AFTER + 2, False),
        (DAYS_AFTER + 2, None, DAYS_AFTER - 2, False),
        (DAYS_AFTER - 2, DAYS_AFTER + 2, DAYS_AFTER + 2, False),
        (None, DAYS_AFTER + 2, DAYS_AFTER + 2, True),
        (None, DAYS_AFTER - 2, DAYS_AFTER + 2, False),
        (None, None, 300, False),
        (None, None, 400, True),
    ],
)
def test_after_the_event_it_is_deleted(
    cup: Tournament, game: Game, ended: int | None, closed: int | None, added: int, goes: bool
) -> None:
    now = timezone.now()
    add_score_sheet(game.pk, PHOTO, player=game.white_id)
    ScoreSheet.objects.update(at=now - timedelta(days=added))
    other = Game.objects.get(tournament=factory.make_round_robin(factory.first_players(2), name="Other"))
    stays = ScoreSheet.objects.create(game=other, image=b"x", at=now)
    last = None if ended is None else factory.today() - timedelta(days=ended)
    Tournament.objects.filter(pk=cup.pk).update(
        starts_on=None, ends_on=last, closed_at=None if closed is None else now - timedelta(days=closed)
    )
    assert forget_score_sheets() == goes
    assert ScoreSheet.objects.exclude(pk=stays.pk).exists() != goes
    assert ScoreSheet.objects.filter(pk=stays.pk).exists(), "of another event, added today"
    lines = AuditEvent.objects.filter(action="score-sheets.expired")
    assert [(line.subject_key, line.before, line.after) for line in lines] == [(cup.pk, {}, {})] * goes


def test_it_goes_with_the_person_and_is_in_no_backup_nor_copy(
    cup: Tournament, game: Game, settings: object, tmp_path: Path
) -> None:
    settings.DATA_DIR = tmp_path  # type: ignore[attr-defined]
    add_score_sheet(game.pk, PHOTO, player=game.white_id)
    assert own_data(game.white)["tournaments.ScoreSheet"][0].keys() == {"id", "game", "entry", "at"}
    with opened(make_now().path) as reader:
        assert "tournaments_scoresheet" not in {table.name for table in reader.manifest.tables}
    assert copy_event(cup, name="Next", starts_on=None, with_entries=True, by=None).score_sheets
    others = Game.objects.exclude(games_with([game.white_id, game.black_id]))
    stays = ScoreSheet.objects.create(game=others[0], image=b"x", at=timezone.now())
    anonymise_player(game.black_id, by=None)
    assert list(ScoreSheet.objects.all()) == [stays], "both stand on the one that is gone"
