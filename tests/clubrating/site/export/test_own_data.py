"""A person's own data: everything, for the person alone, and nothing of anybody else's."""

import io
import json
import zipfile

import pytest
from django.apps import apps
from django.db import connection, models
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from clubrating.site.export.selectors import ABOUT, ELSEWHERE, LEDGER, TRAIL, own_data
from clubrating.site.export.services import hand_out_own_data
from players.models import AuditEvent, Player
from players.people.services import NewPlayer, create_player, create_players, set_identities
from players.privacy.services import NewGuardian, set_guardians
from players.refusals import Refused
from ratings.models import PlayerRating, RatingList
from tests import factory
from tests.tournaments.entries.entry_cases import club_and_list
from tests.tournaments.loading.test_commands import run
from tournaments.merging.services import merge_players
from tournaments.models import Entry, Game
from tournaments.presence.services import check_in, report_absence
from tournaments.rated_games.services.past_lists import publish_list
from tournaments.result_reports.services import report_result
from tournaments.standings.points import Result

pytestmark = pytest.mark.django_db
OURS = ("players", "ratings", "tournaments")
SECRETS = {"digest", "letter_digest", "key", "endpoint", "p256dh", "auth", "device", "credential", "address", "contact"}
OTHERS = ("plantedhidden", "plantedguardian", "plantedcontact", "plantedwords", "planted-officer")
standard = club_and_list


@pytest.fixture(scope="module", autouse=True)
def zoe(standard: RatingList) -> Player:
    """A minor with a guardian, in an event with somebody hidden, reported on, and published."""
    zoe = create_player(NewPlayer("Zoë Planted", birth_year=factory.today().year - 12), by=None)
    set_guardians(zoe.pk, [NewGuardian("Gudrun Plantedguardian", "plantedcontact@example.org")], by=None)
    set_identities(zoe, {"fide": "410001877"}, by=None)
    hidden = create_player(NewPlayer("Hilde Plantedhidden", visibility="hidden", birth_year=1980), by=None)
    cup = factory.make_round_robin([zoe, hidden, *factory.make_players(2)])
    games = factory.play_round(cup, 1, [Result.WHITE_WINS, Result.DRAW])
    own = next(game for game in games if zoe.pk in (game.white_id, game.black_id))
    report_result(own.pk, Result.NO_POINTS, role="visitor", words="plantedwords", contact="plantedcontact")
    entry = Entry.objects.get(player=zoe)
    report_absence(entry.pk, 2, by=None, role="member")
    check_in(cup, {entry.pk: True}, on=factory.today(), by=factory.make_arbiter("planted-officer"))
    publish_list(standard, factory.today(), by=None)
    return zoe


# --- complete -----------------------------------------------------------------------------------------------------
def test_every_table_that_points_at_a_person_an_entry_or_a_game_is_told() -> None:
    """A table that is added later fails here until it stands in `ABOUT`, or in `ELSEWHERE` with a reason."""
    pointing = {
        table._meta.label
        for table in apps.get_models(include_auto_created=True)
        if table._meta.app_label in OURS
        for column in table._meta.concrete_fields
        if isinstance(column, models.ForeignKey) and column.related_model in (Player, Entry, Game)
    }
    assert pointing - set(ABOUT) - set(ELSEWHERE) == set()
    assert set(ELSEWHERE) <= pointing
    assert all(ELSEWHERE.values())
    for label, about in ABOUT.items():
        columns = {column.name for column in apps.get_model(label)._meta.concrete_fields}
        assert about.without <= columns, f"{label}: what is left out of a row is a column there is"
        assert not SECRETS & (columns - about.without), f"{label}: what opens something is in no copy"


def test_everything_kept_is_in_it(zoe: Player) -> None:
    rebuilt = PlayerRating.objects.get(player=zoe)
    rebuilt.pk, rebuilt.generation = None, rebuilt.generation + 1  # by a rebuild that is under way
    rebuilt.save()
    found = own_data(zoe)
    expected = {
        "players.Player", "players.PlayerIdentity", "players.Guardian", "ratings.PlayerRating", "ratings.PublishedRow",
        LEDGER, "tournaments.Entry", "tournaments.Seat", "tournaments.CheckIn", "tournaments.AbsenceNotice",
        "tournaments.Game", "tournaments.ResultReport", TRAIL,
    }  # fmt: skip
    assert expected <= set(found)
    [person] = found["players.Player"]
    assert (person["name"], person["birth_year"]) == (zoe.name, zoe.birth_year)
    assert found["players.PlayerIdentity"][0]["value"] == "410001877"
    assert len(found["tournaments.Game"]) == 3
    assert found["tournaments.Entry"][0]["tournament"] == "winter-cup"
    assert [row["rating_list"] for row in found["ratings.PlayerRating"]] == ["standard"]
    assert {line["action"] for line in found[TRAIL]} >= {"player.created", "entry.made", "absence.told"}


def test_of_others_it_tells_what_the_public_sees(zoe: Player) -> None:
    text = json.dumps(own_data(zoe), ensure_ascii=False).casefold()
    assert not [word for word in OTHERS if word in text]
    assert "#2 player 2" in text
    [row] = own_data(zoe)[LEDGER]
    own = "white" if row.get("white_k") is not None else "black"
    other = {"white": "black", "black": "white"}[own]
    assert {name for name in row if name.startswith(other)} == {f"{other}_before"}, "K would tell an age"
    assert row[f"{own}_player"] == zoe.pk
    assert "by" not in own_data(zoe)["tournaments.CheckIn"][0], "an officer's account"


def test_records_merged_into_it_belong_to_it() -> None:
    zoe, twin, third = create_players([NewPlayer("Zoë One"), NewPlayer("Zoë Two"), NewPlayer("Bo")], by=None)
    factory.play_all(factory.make_round_robin([twin, third]))
    merge_players(keep=zoe.pk, gone=twin.pk, by=None, reason="wrong-player")
    found = own_data(zoe)
    assert [row["name"] for row in found["players.Player"]] == ["Zoë One", "Zoë Two"]
    assert [line["action"] for line in found[TRAIL]].count("player.created") == 2
    with pytest.raises(Refused, match="ask for that one"):
        hand_out_own_data(twin.pk, by=None)


@pytest.mark.extended
def test_it_costs_the_same_however_much_was_played() -> None:
    costs = []
    for count in (2, 6):
        players = create_players([NewPlayer(f"Player{number} Of{count}") for number in range(count)], by=None)
        factory.play_all(factory.make_round_robin(players, name=f"Cup {count}"))
        with CaptureQueriesContext(connection) as seen:
            own_data(players[0])
        costs.append(len(seen))
    assert costs[0] == costs[1]


def test_an_administrator_and_nobody_else_hands_out_a_file_to_read_and_one_for_programs(
    client: Client, zoe: Player
) -> None:
    page = reverse("admin:players_player_own_data", args=[zoe.pk])
    for user in (factory.make_arbiter(), factory.make_rating_officer(), factory.make_assistant()):
        client.force_login(user)
        assert client.get(page).status_code == client.post(page).status_code == 403, user
        with pytest.raises(Refused, match="Only an administrator"):
            hand_out_own_data(zoe.pk, by=user)
    client.force_login(factory.make_administrator())
    page = reverse("admin:players_player_own_data", args=[zoe.pk])
    assert page in client.get(reverse("admin:players_player_change", args=[zoe.pk])).text
    assert not AuditEvent.objects.filter(action="player.data-handed-out").exists()
    assert "make sure that it is that person" in client.get(page).text
    answer = client.post(page)
    assert answer["Content-Type"] == "application/zip"
    assert "no-store" in answer["Cache-Control"]
    with zipfile.ZipFile(io.BytesIO(answer.content)) as packed:
        data = json.loads(packed.read("person-1.json"))
        html = packed.read("person-1.html").decode()
    assert data["person"] == 1
    assert data["tables"]["players.Player"][0]["name"] == "Zoë Planted"
    assert "Zoë Planted" in html
    assert '@top-left { content: "What the club keeps about player 1"' in html, "every sheet of it says what it is"
    assert not [word for word in OTHERS if word in html.casefold()]
    event = AuditEvent.objects.get(action="player.data-handed-out")
    assert (event.role, event.subject_key) == ("administrator", zoe.pk)
    assert "Planted" not in str(event.after)
    done, missing = run("export_person", zoe.number), run("export_person", 999)
    assert done.status == 0
    assert json.loads(done.out)["tables"]["players.Player"] == data["tables"]["players.Player"]
    assert (missing.status, missing.out) == (2, "")
    assert "no player with the number 999" in missing.err
