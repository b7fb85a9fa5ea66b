"""A busy evening of teams over HTTP: twelve matches of eight boards. Both captains of each match hand in their line-ups
by their links and send the same card at once; arbiters press the boards of two matches. Every acknowledged result
stands once, nobody sits twice, no page fails, and the ledger equals its replay.
"""

import json
import os
import signal
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from random import Random
from typing import Any

import pytest

from tests import factory
from tests.live import Browser, Site
from tests.ports import free_port
from tests.test_busy_evening import serve

BOARDS, BY_ARBITERS = 8, 2
PREPARE = """
import json
from importlib import import_module
from pathlib import Path
from django.conf import settings
from tests import factory
from tests.tournaments.teams import team_cases
from tournaments.captains.services import make_link
from tournaments.captains.views import SESSION_KEY
from tournaments.models import TeamMatch, TeamPlayer
factory.make_club(); factory.make_list()
team_cases.NAMES = [f"Team {n}" for n in range(1, 25)]
event = team_cases.make_team_event(24, boards=8, size=8, card_days=0)
def cookie(team):
    session = import_module(settings.SESSION_ENGINE).SessionStore()
    session[SESSION_KEY] = [make_link(team.pk, by=None)[0].pk]
    session.save()
    return session.session_key
def side(team):
    rows = TeamPlayer.objects.filter(team=team).order_by("place")
    return {"team": team.pk, "cookie": cookie(team), "list": list(rows.values_list("pk", flat=True))}
rows = TeamMatch.objects.filter(round__number=1, round__stage__tournament=event).select_related("home", "away")
matches = [{"match": row.pk, "round": row.round_id, "sides": [side(row.home), side(row.away)]} for row in rows]
(Path(settings.DATA_DIR) / "matches.json").write_text(json.dumps(matches))
"""
GAMES = """
import django, json; django.setup()
from tournaments.models import Game
rows = Game.objects.order_by("pk").values_list("pairing__match", "pairing__match_board", "pk")
print(json.dumps(list(rows)))
"""
# What stands: results by match and board, how many were recorded, seats and people who sit, the points of all teams.
STANDS = """
import django, json, sys; django.setup()
from django.core.management import call_command
from players.models import AuditEvent
from tournaments.models import Game, Seat, Tournament
from tournaments.standings.team_event import team_scores
from tournaments.teams.selectors.facts import team_facts
games = Game.objects.values_list("pairing__match", "pairing__match_board", "result")
seats = Seat.objects.count(), Seat.objects.values("round", "entry").distinct().count()
scores = team_scores(team_facts(Tournament.objects.get()).event).values()
told = AuditEvent.objects.filter(action="result.recorded").count()
print(json.dumps([list(games), told, seats, sum(score.game_points for score in scores)]))
call_command("rebuild_ratings", check=True, stdout=sys.stderr)
"""


def results_of(match: dict[str, Any]) -> dict[int, str]:
    rng = Random(match["match"])
    return {board: rng.choice(("1-0", "1/2", "0-1")) for board in range(1, BOARDS + 1)}


def hand_in(port: int, match: dict[str, Any], side: dict[str, Any]) -> int:
    values = {f"board-{board}": key for board, key in enumerate(side["list"], start=1)}
    page = f"/captain/matches/{match['match']}/{side['team']}/"
    return Browser(port, side["cookie"]).post(page, {"do": "line-up", "revision": 0, **values}).status


def send_card(port: int, match: dict[str, Any], side: dict[str, Any]) -> int:
    values = {f"board-{board}": code for board, code in results_of(match).items()}
    page = f"/captain/matches/{match['match']}/{side['team']}/"
    browser = Browser(port, side["cookie"])
    status = browser.post(page, {"do": "card", **values}).status
    return status if browser.get(page).status == 200 else 500


def press(port: int, cookie: str, match: dict[str, Any], games: dict[int, int]) -> int:
    for board, code in results_of(match).items():
        values = {"game": games[board], "result": code, "revision": 0, "played_on": factory.today().isoformat()}
        path = f"/admin/tournaments/tournament/round/{match['round']}/board/"
        answer = Browser(port, cookie).send(path, values)
        assert answer.status == 200, answer.text[:300]
    return 302


def all_at_once(work: list[Callable[[], int]]) -> list[int]:
    with ThreadPoolExecutor(len(work)) as crowd:
        return [done.result(timeout=300) for done in [crowd.submit(each) for each in work]]


def spend_an_evening(site: Site) -> None:
    arbiters, port = site.prepare(PREPARE, BY_ARBITERS), free_port()
    matches = json.loads((site.data / "matches.json").read_text())
    server = serve(site, port)
    sides = [(match, side) for match in matches for side in match["sides"]]
    try:
        handed = all_at_once([lambda m=m, s=s: hand_in(port, m, s) for m, s in sides])  # type: ignore[misc]
        assert handed == [302] * len(sides)
        games: dict[int, dict[int, int]] = {}
        for match, board, key in json.loads(site.run("-c", GAMES)):
            games.setdefault(match, {})[board] = key
        pressed = list(zip(arbiters, matches, strict=False))
        work: list[Callable[[], int]] = [
            lambda m=m, s=s: send_card(port, m, s)  # type: ignore[misc]
            for m, s in sides[2 * BY_ARBITERS :]
        ]
        work += [lambda c=c, m=m: press(port, c, m, games[m["match"]]) for c, m in pressed]  # type: ignore[misc]
        assert all_at_once(work) == [302] * len(work)
    finally:
        os.killpg(server.pid, signal.SIGTERM)
        server.wait(timeout=120)
    found, told, (seats, sitting), points = json.loads(site.run("-c", STANDS))
    wanted = [[match["match"], board, code] for match in matches for board, code in results_of(match).items()]
    assert sorted(found) == sorted(wanted)
    assert told == len(wanted)
    assert seats == sitting == 2 * len(wanted)
    assert points == 2 * len(wanted)  # in half-points: one point a board


@pytest.mark.slow
@pytest.mark.usefixtures("django_db_setup")
def test_a_busy_evening_of_matches_on_sqlite(tmp_path: Path) -> None:
    spend_an_evening(Site(tmp_path))


@pytest.mark.slow
def test_a_busy_evening_of_matches_on_postgresql(tmp_path: Path, migrated_postgres: str) -> None:
    spend_an_evening(Site(tmp_path, migrated_postgres))
