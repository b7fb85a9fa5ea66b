"""Erased means: the bytes of the name are in no file any more, neither the database, its log nor the backups."""

import zipfile
from pathlib import Path

from tests.databases import copy_template
from tests.live import Site

PLANT = """
import json
from datetime import date
import django; django.setup()
from django.contrib.sessions.backends.db import SessionStore
from clubrating.ops.backups.store import make_now
from players.models import Job, Player
from players.privacy.services import NewGuardian, set_guardians
from players.people.services import NewPlayer, create_player, set_identities, update_player
from tests import factory
from tests.tournaments.teams.team_cases import make_team_event, match_between, team
from tournaments.models import Tournament
from tournaments.events.services.events import NewTournament, create_tournament
from tournaments.rated_games.services.past_lists import publish_list
from tournaments.result_reports.services import report_result
from tournaments.results.services.results import correct_result
from tournaments.corrections.services.uploads import keep_upload
from tournaments.standings.points import Result
from tournaments.teams.services.line_ups import hand_in
from tournaments.teams.services.matches import Ruling, penalise, rule_on_match
from tournaments.teams.services.teams import add_players
factory.make_club(); standard = factory.make_list()
zoe = create_player(NewPlayer("Zoë Plantedmaiden", birth_year=date.today().year - 12), by=None)
update_player(zoe.pk, {"name": "Plantedname, Zoë"}, by=None)
set_guardians(zoe.pk, [NewGuardian("Gudrun Plantedguardian", "plantedcontact@example.org")], by=None)
set_identities(zoe, {"fide": "410001877"}, by=None)
cup = factory.make_round_robin([zoe, *factory.make_players(3)])
factory.play_all(cup, Result.DRAW)
publish_list(standard, date(2026, 2, 20), by=None)
game = (zoe.games_as_white.all() | zoe.games_as_black.all()).first()
correct_result(game=game.pk, result=Result.WHITE_WINS, by=None, reason="appeal", note="Plantedname was right")
report_result(game.pk, Result.DRAW, role="visitor", words="Plantednick slipped", contact="plantedcontact by phone")
Tournament.objects.filter(pk=cup.pk).update(foreign_records="XXX PLANTEDNAME, ZOË")
create_tournament(NewTournament("Zoë Plantedname Cup"), by=None)
Job.objects.create(kind="x", payload={"names": ["Zoë Plantedname"]}, message="Plantedname, Zoë")
store = SessionStore(); store["_messages"] = json.dumps(["Zoë Plantedname was changed."]); store.create()
event = make_team_event()
anchor, match = team(event, "Anchor"), match_between(event, "Anchor", "Bridge")
[row] = add_players(anchor.pk, [zoe], by=None)
hand_in(match.pk, anchor.pk, [row.pk], by=None, note="Plantedname is late")
rule_on_match(match.pk, Ruling(2, 2, "Plantedname was ill"), by=None)
penalise(anchor.pk, by=None, reason="Plantedname again", match_points=-2)
keep_upload("name\\nZoë Plantedname\\n".encode())
make_now()
"""
ERASE = """
import django; django.setup()
from clubrating.ops.backups.erased_people import erase_from_backups
from players.models import Player
from tournaments.erasure.services.erasure import anonymise_player
from django.core.management import call_command
anonymise_player(Player.objects.get(number=1).pk, by=None)
erase_from_backups({1})
call_command("rebuild_ratings", check=True)
"""
NAMES = ("plantedname", "plantedguardian", "plantedcontact", "plantedmaiden", "plantednick", "410001877")


def found(data: Path) -> set[tuple[str, str]]:
    """Which of the names stand in which files, in whatever case; packed files are opened."""
    hits = set()
    for path in (path for path in data.rglob("*") if path.is_file()):
        contents = [path.read_bytes()]
        if zipfile.is_zipfile(path):
            with zipfile.ZipFile(path) as packed:
                contents += [packed.read(name) for name in packed.namelist()]
        hits |= {(path.name, name) for name in NAMES for content in contents if name.encode() in content.lower()}
    return hits


def test_the_names_bytes_are_nowhere(tmp_path: Path, django_db_setup: None) -> None:
    copy_template(tmp_path)
    site = Site(tmp_path)
    site.run("-c", PLANT)
    before = found(tmp_path)
    assert {name for _file, name in before} >= set(NAMES) - {"plantedmaiden"}
    assert len({file for file, _name in before}) >= 3, "the database, an upload and a backup"
    site.run("-c", ERASE)
    assert not found(tmp_path)
