"""An event changed, copied, counted or deleted: others beside it stay as they are, and hold nothing up."""

from typing import Any

import pytest
from django.db.models import QuerySet

from players.models import AuditEvent, Player
from players.refusals import Refused
from ratings.models import RatingList
from tests import factory
from tests.tournaments.contests.contest_cases import make_evening, play
from tests.tournaments.entries.entry_cases import club_and_list, make_event
from tests.tournaments.teams.team_cases import make_team_event, match_between, team
from tournaments.entries.services.entries import enter_players
from tournaments.events.selectors.events import count_results
from tournaments.events.services.events import (
    NewTournament,
    change_settings,
    create_tournament,
    delete_tournament,
    open_event,
    update_tournament,
)
from tournaments.formats.services import form_stages
from tournaments.knockouts.services.rulings import rule_match
from tournaments.models import Contest, Game, Pairing, Round, Seat, Stage, TeamMatch, Tournament
from tournaments.standings.points import Result
from tournaments.teams.services.matches import Ruling, penalise, rule_on_match, set_absent

pytestmark = pytest.mark.django_db
standard = club_and_list


@pytest.fixture(scope="module")
def cast(standard: RatingList) -> list[Player]:
    return factory.make_players(4)


@pytest.fixture(scope="module")
def cup(cast: list[Player]) -> Tournament:
    """A round robin whose rounds are made; nothing is played."""
    return factory.make_round_robin(cast)


# --- deleted ----------------------------------------------------------------------------------------------------------
@pytest.mark.extended
def test_what_others_played_and_decided_keeps_only_them(cup: Tournament, cast: list[Player]) -> None:
    played, tables = factory.make_round_robin(cast, name="Played"), make_evening("Tables")
    factory.play_round(played, 1, [Result.DRAW] * 2)
    play(tables, "1: 1; 2: 2; 3: 3")
    teams = [make_team_event() for _event in range(3)]
    set_absent(match_between(teams[0], "Anchor", "Bridge").pk, "home", by=None, reason="other")
    rule_on_match(match_between(teams[1], "Anchor", "Bridge").pk, Ruling(4, 0, "Both agreed."), by=None)
    penalise(team(teams[2], "Delta").pk, by=None, reason="late", match_points=-2)
    bracket = factory.make_knockout(cast, name="Bracket")
    final = factory.match_of(bracket, 1, 1)
    rule_match(final.pk, advanced=Seat.objects.filter(pairing=final)[0].entry_id, by=None)
    assert [count_results(event) for event in (cup, played, tables)] == [0, 2, 1]
    rounds = Round.objects.exclude(stage__tournament=cup).count()
    delete_tournament(cup.pk, by=None)
    assert Round.objects.count() == rounds
    decided = ((each, "matches or penalties") for each in (*teams, bracket))
    kept = [(played, "has results"), (tables, "has tables"), *decided]
    for event, words in kept:
        with pytest.raises(Refused, match=words):
            delete_tournament(event.pk, by=None)
    assert AuditEvent.objects.filter(action="tournament.deleted").count() == 1


def test_each_thing_an_arbiter_decided_keeps_its_event(cup: Tournament, cast: list[Player]) -> None:
    league, bracket = make_team_event(), factory.make_knockout(cast, name="Bracket")
    match, final = match_between(league, "Anchor", "Bridge"), factory.match_of(bracket, 1, 1)
    decisions: list[tuple[Tournament, QuerySet[Any], dict[str, Any], dict[str, Any]]] = [
        (league, TeamMatch.objects.filter(pk=match.pk), {"absent": "home"}, {"absent": ""}),
        (
            league,
            TeamMatch.objects.filter(pk=match.pk),
            {"ruled_home": 4, "ruled_away": 0},
            {"ruled_home": None, "ruled_away": None},
        ),
        (bracket, Pairing.objects.filter(pk=final.pk), {"ruled": True}, {"ruled": False}),
    ]
    for event, rows, made, undone in decisions:
        rows.update(**made)
        with pytest.raises(Refused, match="matches or penalties"):
            delete_tournament(event.pk, by=None)
        rows.update(**undone)
    penalise(team(league, "Delta").pk, by=None, reason="late", match_points=-2)
    with pytest.raises(Refused, match="matches or penalties"):
        delete_tournament(league.pk, by=None)
    delete_tournament(cup.pk, by=None)


# --- changed ----------------------------------------------------------------------------------------------------------
def test_another_pool_takes_the_games_and_tables_of_that_event_along(cup: Tournament, cast: list[Player]) -> None:
    """A game that a file put into a pool of its own stays there."""
    other, *evenings = factory.make_round_robin(cast, name="Other"), make_evening("First"), make_evening("Second")
    for evening in evenings:
        play(evening, "1: 1; 2: 2; 3: 3")
    own = Game.objects.filter(tournament=cup)[0]
    Game.objects.filter(pk=own.pk).update(pool="own")
    own_table = play(evenings[0], "1: 4; 2: 3; 3: 2")
    Contest.objects.filter(pk=own_table.pk).update(pool="own")
    update_tournament(cup.pk, {"pool": "rapid"}, by=None)
    update_tournament(evenings[0].pk, {"pool": "rapid"}, by=None)
    pools = sorted(Game.objects.filter(tournament=cup).values_list("pool", flat=True))
    assert pools == ["own", *["rapid"] * 5]
    assert set(Game.objects.filter(tournament=other).values_list("pool", flat=True)) == {"standard"}
    found = [sorted(evening.contests.values_list("pool", flat=True)) for evening in evenings]
    assert found == [["own", "rapid"], ["tables"]]


@pytest.mark.parametrize(
    ("facts", "words"),
    [
        ({"rules": {"point_system": "lots"}}, "no point system “lots”"),
        ({"rules": {"swiss_edition": 1999}}, "no edition 1999"),
        ({"rules": {"tiebreak_edition": 1999}}, "no edition 1999"),
        ({"game": "ludo"}, "no such game"),
        ({"second_reading": "thrice"}, "no such second reading"),
    ],
)
def test_an_event_of_unknown_rules_is_not_made(standard: RatingList, facts: dict[str, Any], words: str) -> None:
    with pytest.raises(Refused, match=words):
        create_tournament(NewTournament("New", **facts), by=None)
    assert not Tournament.objects.filter(name="New").exists()


def test_what_others_have_does_not_bind_an_event(cup: Tournament, cast: list[Player]) -> None:
    """Entries, rounds, results, and rules of teams."""
    make_team_event(2)
    for points in ("armageddon", "classic"):
        assert update_tournament(cup.pk, {"point_system": points}, by=None).point_system == points
    factory.play_all(cup)
    new = create_tournament(NewTournament("New"), by=None)
    changes = {"entry_size": 2, "player_results": "agreed", "point_system": "armageddon"}
    update_tournament(new.pk, {"pairing_system": "dutch", "settings": {"rounds": 5}}, by=None)
    update_tournament(new.pk, changes, by=None)
    new.refresh_from_db()
    assert {name: getattr(new, name) for name in changes} == changes
    update_tournament(new.pk, {"entry_size": 1}, by=None)
    enter_players(new, cast, by=None)
    for event, change, words in (
        (new, {"entry_size": 2}, "entered already"),
        (cup, {"point_system": "armageddon"}, "armageddon"),
        (Tournament.objects.get(name="Team League"), {"player_results": "agreed"}, "captains"),
    ):
        with pytest.raises(Refused, match=words):
            update_tournament(event.pk, change, by=None)


def test_no_event_is_made_or_changed_to_a_format_or_setting_there_is_none_of(cast: list[Player]) -> None:
    swiss = create_tournament(NewTournament("Open", pairing_system="dutch", settings={"rounds": 5}), by=None)
    for wrong, words in (
        ({"pairing_system": "dutch", "settings": {"rounds": 0}}, "rounds"),
        ({"pairing_system": "dutch", "settings": {"colour": 1}}, "colour"),
        ({"pairing_system": "poker", "settings": {}}, "no format “poker”"),
    ):
        with pytest.raises(Refused, match=words):
            create_tournament(NewTournament("New", **wrong), by=None)
        with pytest.raises(Refused, match=words):
            update_tournament(swiss.pk, wrong, by=None)
    stage = Stage.objects.get(tournament=swiss)
    assert (stage.pairing_system, stage.settings, Tournament.objects.filter(name="New").count()) == (
        ("dutch", {"rounds": 5}, 0)
    )


def test_only_a_stage_whose_rounds_are_made_keeps_its_settings(cup: Tournament, cast: list[Player]) -> None:
    """And the plan of several parts keeps them too."""
    plan = factory.stage_of(make_event(cast, "groups", groups=2, qualifiers=1))
    group, *_rest = form_stages(plan, by=None, seed=1)
    assert change_settings(group.pk, {"cycles": 2}, by=None).settings == {"cycles": 2}
    assert factory.told("stage.changed", plan.tournament).after == {"cycles": 2}
    for stage in (factory.stage_of(cup), plan):
        with pytest.raises(Refused, match="rounds are made"):
            change_settings(stage.pk, stage.settings, by=None)


# --- made -------------------------------------------------------------------------------------------------------------
def test_the_evening_of_a_name_is_the_one_without_end(cast: list[Player]) -> None:
    """Neither an event with rounds whose part is called so, nor an evening of another name."""
    Stage.objects.filter(tournament=make_event(cast, "by-hand")).update(name="Thursdays")
    other = open_event("Fridays", pool="standard", by=None)
    stage = open_event("Thursdays", pool="rapid", by=(officer := factory.make_arbiter()))
    made = factory.told("tournament.created", stage.tournament, officer)
    assert made.after == {"slug": "thursdays", "open_ended": True}
    assert (stage.tournament.open_ended, stage.tournament.pool) == (True, "rapid")
    assert stage != other
    assert open_event("Thursdays", pool="standard", by=None) == stage
