"""A person erased: everybody's ratings stay to the last bit, and no table keeps the name."""

import json
from datetime import date
from typing import Any

import pytest
from django.apps import apps
from django.contrib.auth.models import User
from django.contrib.sessions.backends.db import SessionStore
from django.core.management import call_command
from django.db import models
from django.test import Client
from django.utils import timezone
from pytest_django import DjangoCaptureOnCommitCallbacks

from players.models import (
    AuditEvent,
    Erasure,
    Guardian,
    Job,
    MailSubscription,
    PersonalLink,
    Player,
    PlayerIdentity,
    Subscription,
)
from players.people.selectors import list_players
from players.people.services import NewPlayer, create_player, create_players, set_identities, update_player
from players.privacy.rules import MEMBER, NOBODY, OFFICER, sees_page, shown_name
from players.refusals import Refused
from ratings.models import LedgerEntry, PlayerRating, PublishedRow, RatingList, RatingListRule
from tests import factory
from tournaments.entries.services.names import look_up
from tournaments.erasure.services.erasure import anonymise_player, erase_again, tidy_storage, what_goes
from tournaments.erasure.services.free_text import FREE_TEXT, accounts_called
from tournaments.events.services.events import NewTournament, create_tournament
from tournaments.merging.services import merge_players
from tournaments.models import Game, ResultReport, Tournament
from tournaments.rated_games.services.past_lists import publish_list
from tournaments.reports.selectors import report_of
from tournaments.results.services.results import correct_result
from tournaments.standings.points import Result

pytestmark = pytest.mark.django_db
NAME = "Zoë Plantedname"
READING = "Зоя Плантова"
SPELT = ("plantedname", "zoë", "плантова", "plantova", "zoe planted")
# Columns of text in which no name can stand: codes, keys, digests, addresses of ours, what accounts and Django keep.
NO_NAMES = {
    "players.Counter": {"name"},
    "players.Club": {"name", "time_zone", "pass_phrase"},
    "players.AuditEvent": {"role", "origin", "action", "subject_kind"},
    "players.Job": {"kind", "question"},
    "players.Passkey": {"name", "digest", "credential"},
    "players.ApiToken": {"name", "digest", "scopes"},
    "players.ApiAnswer": {"key", "digest", "body"},
    "players.Webhook": {"name", "url", "salt"},
    "players.WebhookDelivery": {"kind", "problem"},
    "tournaments.Forecast": {"method", "facts"},
    "tournaments.ForecastLine": {"places"},
    "ratings.RatingList": {"slug", "pool", "evidence"},
    "ratings.RatingListRule": {"system", "settings"},
    "ratings.RatingTier": {"slug"},
    "ratings.PublishedList": {"settings", "digest"},
    "ratings.ListForecast": {"looks"},
    "ratings.ListForecastLine": {"ends", "fan", "places"},
    "tournaments.Tournament": {"pool", "point_system", "tiebreaks"},
    "tournaments.Stage": {"pairing_system", "pool"},
    "tournaments.Entry": {"rating_list", "federation"},
    "tournaments.EventPapers": {"federation", "time_control"},
    "tournaments.Round": {"clock_note"},
    "tournaments.Pairing": {"label"},
    "tournaments.Game": {"pool", "loaded_as"},
    "tournaments.Contest": {"pool", "label"},
    "tournaments.Reading": {"result"},
    "tournaments.PrizeFund": {"currency"},
    "tournaments.Season": {"place_points"},
    "tournaments.TeamRules": {"format", "settings", "tiebreaks", "colours"},
    "tournaments.CaptainLink": {"digest"},
    "players.DueNotice": {"kind"},
    "tournaments.Evening": {"door_code"},
    "tournaments.EntryRequest": {"language", "site", "byes", "digest", "letter_digest", "told"},
    "admin.LogEntry": {"object_id"},
    "axes.AccessFailureLog": {"user_agent", "http_accept", "ip_address"},
    "axes.AccessAttempt": {"user_agent", "http_accept", "ip_address"},
    "axes.AccessLog": {"user_agent", "http_accept", "ip_address", "session_hash"},
    "django_tasks_database.DBTaskResult": {
        "task_path", "worker_ids", "queue_name", "backend_name", "exception_class_path",
    },
}  # fmt: skip
# Searched in their own way, blanked as rows, or somebody's account.
ELSEWHERE = {"players.Player", "players.PlayerIdentity", "players.Guardian", "sessions.Session"}
ELSEWHERE |= {"players.Subscription", "players.MailSubscription", "players.PersonalLink", "players.LinkDevice"}
ELSEWHERE |= {"players.LinkPasskey"}
ACCOUNTS = {"auth", "contenttypes", "otp_totp", "otp_static"}


@pytest.fixture
def season(standard: RatingList) -> tuple[Player, Tournament]:
    """Zoë in an event, in a published list, in notes and in the name of a cup."""
    told = NewPlayer(NAME, birth_year=1970, title="FM", sex="f", joined_on=date(2020, 1, 1), reading=READING)
    zoe = create_player(told, by=None)
    players = [zoe, *factory.make_players(3)]
    set_identities(zoe, {"fide": "4100018", "national": "Z-1"}, by=None)
    cup = factory.make_round_robin(players)
    for number in (1, 2, 3):
        factory.play_round(cup, number, [Result.WHITE_WINS, Result.DRAW])
    publish_list(standard, date(2026, 1, 20), by=None)
    game = zoe.games_as_white.first() or zoe.games_as_black.first()
    assert game
    wanted = Result.BLACK_WINS if game.result != Result.BLACK_WINS else Result.WHITE_WINS
    correct_result(
        game=game.pk, result=wanted, by=None, reason="appeal", note="Plantedname was right, said the arbiter"
    )
    create_tournament(NewTournament(f"{NAME} Memorial"), by=None)
    return zoe, cup


def everything() -> str:
    """Every row of every table, as text."""
    rows = [str(list(table._base_manager.values_list())) for table in apps.get_models(include_auto_created=True)]
    sessions = [
        str(SessionStore().decode(row))
        for row in apps.get_model("sessions.Session").objects.values_list("session_data", flat=True)
    ]
    return "\n".join([*rows, *sessions]).casefold()


def figures() -> list[Any]:
    """What ratings and results rest on, bit for bit."""
    ratings = PlayerRating.objects.order_by("pk").values_list(
        "player", "rating", "games", "peak", "wins", "draws", "losses"
    )
    return [
        list(LedgerEntry.objects.order_by("pk").values_list()),
        list(PublishedRow.objects.order_by("pk").values_list()),
        list(ratings),
    ]


def test_nobodys_rating_moves_and_the_ledger_equals_its_replay(season: tuple[Player, Tournament]) -> None:
    before = figures()
    anonymise_player(season[0].pk, by=None)
    assert figures() == before
    call_command("rebuild_ratings", "--check")


def test_a_juniors_year_stays_with_the_number_for_his_k(standard: RatingList) -> None:
    junior = create_player(NewPlayer("Kid Plantedname", birth_year=2012), by=None)
    idle = create_player(NewPlayer("Idle Plantedname", birth_year=2012), by=None)
    cup = factory.make_round_robin([junior, *factory.make_players(3)])
    factory.play_all(cup, Result.WHITE_WINS)
    other = factory.make_round_robin([idle, factory.first_players(3)[2]], name="Other Cup")
    (game,) = factory.play_round(other, 1, [Result.DRAW])
    correct_result(game=game.pk, result=Result.OPEN, by=None)
    assert what_goes(junior).keeps_year
    assert not what_goes(idle).keeps_year, "his only result was taken back"
    rules = standard.rules.get().settings
    for year, preset, keeps in ((2000, "", True), (1999, "", False), (1999, "us-chess", True)):
        Player.objects.filter(pk=junior.pk).update(birth_year=year)
        RatingListRule.objects.update(settings={**rules, "preset": preset} if preset else rules)
        assert what_goes(Player.objects.get(pk=junior.pk)).keeps_year is keeps, (year, preset)
    Player.objects.filter(pk=junior.pk).update(birth_year=2012)
    RatingListRule.objects.update(settings=rules)
    assert anonymise_player(junior.pk, by=None).birth_year == 2012
    assert anonymise_player(idle.pk, by=None).birth_year is None
    call_command("rebuild_ratings", "--check")


def test_no_table_keeps_the_name(season: tuple[Player, Tournament]) -> None:
    zoe, cup = season
    Tournament.objects.filter(pk=cup.pk).update(foreign_records=f"XXX 1 {NAME.upper()}\nXXX 2 Bo Brandt")
    Job.objects.create(
        kind="load", payload={"names": [NAME, "Bo Brandt"]}, message=f"done: Plantedname, Zoë ({READING})"
    )
    for address in ("player-1-memorial", "player-1-memorial-2"):  # taken already
        Tournament.objects.create(name=address, slug=address)
    store = SessionStore()
    store["_messages"] = json.dumps([["__json_message", 0, 25, f"{NAME} was changed."]])
    store["typed"] = f"[{NAME}"  # begins as JSON and is none
    store["_auth_user_id"] = "5"
    store["_session_expiry"] = 600
    store.create()
    assert all(word in everything() for word in SPELT[:4])
    anonymise_player(zoe.pk, by=None, note=f"wish of {NAME}")
    left = everything()
    assert not [word for word in SPELT if word in left]
    assert "bo brandt" in left
    assert SessionStore(store.session_key)["_auth_user_id"] == "5"
    assert "4100018" not in left
    assert Tournament.objects.filter(name="#1 Memorial", slug="player-1-memorial-3").exists()
    assert AuditEvent.objects.get(action="player.erased").note == "wish of #1"


def test_in_a_note_on_a_game_of_others_a_first_name_is_anothers(season: tuple[Player, Tournament]) -> None:
    zoe, cup = season
    games = Game.objects.filter(tournament=cup, result=Result.DRAW)
    other = games.exclude(white=zoe).exclude(black=zoe)[0]
    correct_result(game=other.pk, result=Result.WHITE_WINS, by=None, reason="appeal", note="Zoë of Oz watched")
    anonymise_player(zoe.pk, by=None)
    assert AuditEvent.objects.filter(note="Zoë of Oz watched", subject_key=other.pk).exists()


def test_every_column_of_text_is_searched_or_known_to_hold_no_name() -> None:
    kinds = (models.CharField, models.TextField, models.JSONField, models.GenericIPAddressField)
    for table in apps.get_models(include_auto_created=True):
        label = table._meta.label
        if label in ELSEWHERE or table._meta.app_label in ACCOUNTS:
            continue
        text = {field.name for field in table._meta.concrete_fields if isinstance(field, kinds) and not field.choices}
        keys = {field.name for field in table._meta.concrete_fields if field.primary_key}
        known = set(FREE_TEXT.get(label, ())) | NO_NAMES.get(label, set())
        assert text - keys <= known, f"{label}: {text - keys - known} holds names, or is named in NO_NAMES"


def test_who_is_erased_is_a_number_for_everybody(client: Client, season: tuple[Player, Tournament]) -> None:
    zoe, cup = season
    slug = zoe.slug
    anonymise_player(zoe.pk, by=None)
    zoe = Player.objects.get(pk=zoe.pk)
    assert [shown_name(zoe, viewer) for viewer in (NOBODY, MEMBER, OFFICER)] == ["Player 1"] * 3
    assert not any(sees_page(zoe, viewer) for viewer in (NOBODY, MEMBER, OFFICER))
    assert (zoe.title, zoe.sex, zoe.birth_year, zoe.joined_on, zoe.active) == ("", "", None, None, False)
    client.force_login(factory.make_administrator())
    assert [client.get(f"/players/{address}/").status_code for address in (slug, "1")] == [404, 404]
    for address in ("", "standings/", "crosstable/", "rounds/1/", "entries/", "print/start-list/"):
        assert "Plantedname" not in client.get(f"/tournaments/winter-cup/{address}", follow=True).text
    assert "Player 1" in client.get("/tournaments/winter-cup/standings/").text
    assert list(list_players(OFFICER))[-1] == zoe, "behind everybody with a name"
    assert not list_players(OFFICER, search="Plantedname").exists()
    assert [row.name for row in report_of(cup).players if row.name.startswith("Player")] == ["Player 1"]


def test_it_is_final(season: tuple[Player, Tournament]) -> None:
    zoe, _cup = season
    anonymise_player(zoe.pk, by=None)
    with pytest.raises(Refused, match="Player 1 is erased already"):
        anonymise_player(zoe.pk, by=None)
    with pytest.raises(Refused, match="was erased: that is final"):
        update_player(zoe.pk, {"name": "Back Again"}, by=None)
    assert "was erased" in look_up(["#1"]).problems["#1"]
    again = create_player(NewPlayer(NAME), by=None)
    set_identities(again, {"fide": "4100018"}, by=None)
    assert again.number != zoe.number, "the same name is a new person"


def test_only_an_administrator_erases(season: tuple[Player, Tournament]) -> None:
    for who in (factory.make_arbiter(), factory.make_rating_officer(), factory.make_assistant()):
        with pytest.raises(Refused, match="Only an administrator"):
            anonymise_player(season[0].pk, by=who)
    assert Player.objects.filter(name=NAME).exists()
    boss = factory.make_administrator()
    anonymise_player(season[0].pk, by=boss)
    event = AuditEvent.objects.get(action="player.erased")
    assert (event.actor, event.role, event.after["number"]) == (boss, "administrator", 1)


def test_records_merged_into_the_person_go_too(standard: RatingList) -> None:
    zoe, twin, third = create_players(
        [NewPlayer(NAME), NewPlayer("Zoe Plantedtwin"), NewPlayer("Z. Plantedthird")], by=None
    )
    merge_players(keep=twin.pk, gone=third.pk, by=None, reason="duplicate")
    merge_players(keep=zoe.pk, gone=twin.pk, by=None, reason="duplicate")
    with pytest.raises(Refused, match="was merged into player 1: erase that one"):
        anonymise_player(twin.pk, by=None)
    assert what_goes(zoe).merged == (2, 3)
    anonymise_player(zoe.pk, by=None)
    assert "planted" not in everything()
    assert set(Erasure.objects.values_list("number", flat=True)) == {1, 2, 3}
    Player.objects.update(name=NAME, sort_name="zoe plantedname")
    assert erase_again() == 3, "a restored backup has all of them"
    assert "planted" not in everything()
    assert AuditEvent.objects.filter(action="player.erased").count() == 2, "one line for one person"


def test_the_preview_counts_what_goes_and_what_stays(season: tuple[Player, Tournament]) -> None:
    zoe, _cup = season
    User.objects.create_user("zoe", first_name="Zoë", last_name="Plantedname")
    found = what_goes(zoe)
    assert (found.entries, found.games, found.published, found.identities) == (1, 3, 1, 2)
    assert found.accounts == ("zoe",)
    User.objects.create_user("zoe.plantedname")
    assert what_goes(zoe).accounts == ("zoe", "zoe.plantedname")
    assert accounts_called([]) == []
    assert found.texts >= 2
    assert not found.keeps_year
    assert Player.objects.get(pk=zoe.pk).name == NAME, "a preview writes nothing"


def test_a_report_of_his_result_is_emptied_whichever_field_of_it_says_something(
    season: tuple[Player, Tournament],
) -> None:
    zoe, _cup = season
    game, before = Game.objects.filter(white=zoe)[0], what_goes(zoe).texts
    for said in ({}, {"words": "He lost"}, {"contact": "a@example.org"}, {"answer": "He did"}):
        ResultReport.objects.create(game=game, stood=game.result, claimed=Result.DRAW, **said)
    assert what_goes(zoe).texts == before + 3
    anonymise_player(zoe.pk, by=None)
    assert set(ResultReport.objects.values_list("words", "contact", "answer")) == {("", "", "")}


def test_a_restored_backup_is_erased_again(
    season: tuple[Player, Tournament], django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks
) -> None:
    zoe, _cup = season
    anonymise_player(zoe.pk, by=None)
    assert erase_again() == 0
    Player.objects.filter(pk=zoe.pk).update(name=NAME, sort_name="zoe plantedname", visibility="public")
    PlayerIdentity.objects.create(player=zoe, scheme="fide", value="4100018")
    Guardian.objects.create(player=zoe, name="Gudrun Plantedname")
    with django_capture_on_commit_callbacks() as afterwards:
        assert erase_again() == 1
    assert tidy_storage in afterwards
    assert "planted" not in everything()
    PlayerIdentity.objects.create(player=zoe, scheme="fide", value="4100018")
    assert erase_again() == 1, "without a name to look for, too"
    assert not PlayerIdentity.objects.exists()
    assert erase_again() == 0


def test_a_guardians_name_goes_too(standard: RatingList) -> None:
    kid = create_player(NewPlayer("Kid Small", birth_year=2018), by=None)
    Guardian.objects.create(player=kid, name="Gudrun Plantedname", contact="gudrun@plantedname.example")
    AuditEvent.objects.create(
        role="system", action="x", subject_kind="club", subject_key=1, note="Gudrun Plantedname rang"
    )
    anonymise_player(kid.pk, by=None)
    assert "planted" not in everything()


def test_what_hangs_on_somebody_else_stays(standard: RatingList) -> None:
    zoe, bo = create_players([NewPlayer(NAME), NewPlayer("Bo Brandt")], by=None)
    now = timezone.now()
    for each in (zoe, bo):
        key = str(each.pk)
        PlayerIdentity.objects.create(player=each, scheme="fide", value=key)
        Guardian.objects.create(player=each, name=f"Gudrun {each.name}")
        Subscription.objects.create(player=each, endpoint=key)
        MailSubscription.objects.create(player=each, address="a@example.org", key=key, asked_at=now)
        PersonalLink.objects.create(player=each, digest=key, devices_left=0, expires_at=now)
    AuditEvent.objects.create(
        role="system", action="x", subject_kind="club", subject_key=1, note="Gudrun Bo Brandt rang"
    )
    found = what_goes(zoe)
    assert (found.identities, found.guardians) == (1, 1)
    anonymise_player(zoe.pk, by=None)
    for table in (PlayerIdentity, Guardian, Subscription, MailSubscription, PersonalLink):
        assert list(table._base_manager.values_list("player", flat=True)) == [bo.pk], table
    assert "gudrun bo brandt rang" in everything()


@pytest.mark.django_db(transaction=True)
def test_storage_is_tidied_outside_a_transaction() -> None:
    assert tidy_storage()
