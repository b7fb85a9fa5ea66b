"""`manage.py forecast SLUG`: an event of the club, as JSON or as a table; nothing is stored."""

import json
from functools import partial
from io import StringIO
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from players.models import Job, Player, Visibility
from tests import factory
from tournaments.events.services.events import NewTournament, create_tournament
from tournaments.forecasts.services.making import work_out
from tournaments.management.commands import forecast as command
from tournaments.models import Forecast, Tournament
from tournaments.standings.points import Result

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("club_time")]


@pytest.fixture(scope="module")
def cup(world: None) -> Tournament:
    factory.make_club()
    factory.make_list()
    cup = factory.make_round_robin(factory.make_players(4))
    factory.play_round(cup, 1, [Result.WHITE_WINS, Result.DRAW])
    return cup


@pytest.fixture(autouse=True)
def _few_draws(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(command, "work_out", partial(work_out, draws=40))


def forecast(*arguments: str) -> str:
    out = StringIO()
    call_command("forecast", *arguments, stdout=out, stderr=StringIO())
    return out.getvalue()


def refused(*arguments: str) -> str:
    with pytest.raises(CommandError) as caught:
        forecast(*arguments)
    assert caught.value.returncode == 2
    return str(caught.value)


def test_the_object_names_people_by_number(cup: Tournament) -> None:
    found: dict[str, Any] = json.loads(forecast(cup.slug, "--json", "--samples", "200", "--seed", "5"))
    assert list(found) == ["event", "method", "samples", "seed", "draw_rate", "sampler", "players", "games"]
    assert (found["event"], found["method"], found["seed"]) == (cup.slug, "exact", 5)
    assert {row["player"] for row in found["players"]} == set(Player.objects.values_list("number", flat=True))
    assert sum(row["title"] for row in found["players"]) == pytest.approx(1.0)
    assert [game["round"] for game in found["games"]] == [2, 2]
    assert all(sum(game[name] for name in ("win", "draw", "loss")) == pytest.approx(1.0) for game in found["games"])


def test_the_table_says_who_and_how_with_names_as_everybody_may_read_them(cup: Tournament) -> None:
    table = forecast(cup.slug, "--samples", "200")
    assert table.startswith("Winter Cup: exact; in percent\n")
    assert "Ada Alvarez" in table
    assert "Round 2: win, draw, loss of White" in table
    assert (Forecast.objects.count(), Job.objects.count()) == (0, 0), "nothing is stored"
    Player.objects.filter(name="Ada Alvarez").update(visibility=Visibility.HIDDEN)
    assert "Alvarez" not in forecast(cup.slug, "--json", "--samples", "200") + forecast(cup.slug, "--samples", "200")


def test_what_cannot_be_forecast_is_refused(cup: Tournament) -> None:
    assert "There is no event “summer-cup”" in refused("summer-cup")
    create_tournament(NewTournament("Free play", pairing_system="free"), by=None)
    assert "must be a round robin, a knockout, groups, rated stations or a Swiss" in refused("free-play")
    create_tournament(NewTournament("To come"), by=None)
    assert "have a published round" in refused("to-come")
    for option in (("--rule", "draws"), ("--method", "mc")):
        assert "belong to the masters’ final" in refused(cup.slug, *option).replace("'", "’")
