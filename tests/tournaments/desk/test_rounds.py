"""The page of rounds at the desk: made stage by stage, planned, published, taken back."""

import re
from datetime import date, time

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from tests import factory
from tests.tournaments.admin_pages import fields_of, shown, url
from tests.tournaments.rounds.round_cases import entry, make_league, pairs
from tournaments.events.admin.event_page import with_names
from tournaments.formats.services import form_stages
from tournaments.knockouts.services.brackets import redraw_bracket
from tournaments.knockouts.services.rulings import rule_match
from tournaments.models import Entry, Game, Pairing, Round, Stage, Tournament
from tournaments.results.services.results import record_result
from tournaments.rounds.selectors.progress import rounds_of
from tournaments.rounds.services.by_hand import re_pair
from tournaments.rounds.services.next_round import pair_next_round
from tournaments.standings.points import Result

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("league")]


@pytest.fixture
def cup(league: Stage) -> Tournament:
    return factory.make_round_robin(factory.first_players(5))


# --- the page of rounds -----------------------------------------------------------------------------------------
def test_the_page_leads_from_one_round_to_the_next(desk: Client, league: Stage) -> None:
    assert "Make the first round" in shown(desk, "rounds", league.tournament_id)
    row = pair_next_round(league, by=None)
    html = shown(desk, "rounds", league.tournament_id)
    assert "Round 1 is a draft" in html
    assert url("boards", row.pk) in html
    assert url("next_round", league.pk) not in html
    form = {"do": "publish", "round": str(row.pk), f"revision-{row.pk}": "0"}
    assert fields_of(html)[f"revision-{row.pk}"] == "0"
    desk.post(url("rounds", league.tournament_id), form)
    html = shown(desk, "rounds", league.tournament_id)
    assert url("next_round", league.pk) in html
    assert url("results", row.pk) in html


def test_without_players_or_numbers_the_page_says_what_comes_first(desk: Client, league: Stage) -> None:
    Entry.objects.update(number=None)
    assert "Not everybody has a pairing number yet" in shown(desk, "rounds", league.tournament_id)
    Entry.objects.all().delete()
    assert "A round needs at least two players" in shown(desk, "rounds", league.tournament_id)


def test_rounds_are_planned_together_and_a_bad_plan_plans_nothing(desk: Client, cup: Tournament) -> None:
    first, second, *_ = Round.objects.order_by("number")
    form = fields_of(shown(desk, "rounds", cup.pk)) | {"do": "plan"}
    assert form[f"day-{first.pk}"] == "2026-01-05"
    a_time_without_its_day = {f"day-{first.pk}": "", f"time-{first.pk}": "19:00"}
    day, hour = f"day-{first.pk}", f"time-{first.pk}"
    for typed in ({day: "soon"}, {day: "0001-01-01"}, {hour: "25:00"}, a_time_without_its_day):
        answer = desk.post(url("rounds", cup.pk), form | {f"day-{second.pk}": "2026-03-03"} | typed)
        assert answer.status_code == 409, typed
        assert 'role="alert"' in answer.content.decode(), typed
        assert 'value="2026-03-03"' in answer.content.decode(), typed
    second.refresh_from_db()
    assert second.planned_on == date(2026, 1, 12)
    # The first row could be planned; the second is a time without its day.
    typed = {f"day-{first.pk}": "2026-03-03", f"day-{second.pk}": "", f"time-{second.pk}": "19:00"}
    assert desk.post(url("rounds", cup.pk), form | typed).status_code == 409
    first.refresh_from_db()
    assert first.planned_on == date(2026, 1, 5)
    form |= {f"time-{first.pk}": "19:30", f"day-{second.pk}": "2026-01-13"}
    assert "2 rounds are planned" in desk.post(url("rounds", cup.pk), form, follow=True).content.decode()
    planned = Round.objects.order_by("number").values_list("planned_on", "planned_at", "revision")
    assert list(planned)[:3] == [
        (date(2026, 1, 5), time(19, 30), 1),
        (date(2026, 1, 13), None, 1),
        (date(2026, 1, 19), None, 0),
    ]


def test_rounds_are_made_as_drafts_and_published_together(desk: Client) -> None:
    stage = make_league(4, system="round-robin")
    answer = desk.post(url("rounds", stage.tournament_id), {"days_between": "7", "drafts": "on", "stage": stage.pk})
    assert answer.status_code == 302
    html = shown(desk, "rounds", stage.tournament_id)
    assert "Publish all 3 drafts" in html
    assert "Enter results" not in html, "a draft takes no results"
    form = {**fields_of(html), "do": "publish", "stage": stage.pk}
    desk.post(url("rounds", stage.tournament_id), form)
    assert set(Round.objects.values_list("state", flat=True)) == {"published"}
    other = Stage.objects.create(tournament_id=stage.tournament_id, order=2, pairing_system="round-robin")
    draft = Round.objects.create(stage=other, number=1, state=Round.State.DRAFT)
    assert desk.post(url("rounds", stage.tournament_id), {**form, f"revision-{draft.pk}": "0"}).status_code == 409
    assert Round.objects.get(pk=draft.pk).state == Round.State.DRAFT, "it is another group's"


def test_a_published_round_stays_and_is_taken_out_of_sight_with_a_reason(desk: Client, league: Stage) -> None:
    row = pair_next_round(league, by=None, publish=True)
    answer = desk.post(url("rounds", league.tournament_id), {"do": "publish", "round": str(row.pk)})
    assert answer.status_code == 409
    assert "Round 1 is published already" in answer.content.decode()
    assert "Round 1 is published" in desk.post(url("delete_round", row.pk), follow=True).content.decode()
    assert Round.objects.exists()
    assert 'name="reason"' in shown(desk, "unpublish", row.pk)
    assert desk.post(url("unpublish", row.pk), {"reason": ""}).status_code == 200
    row.refresh_from_db()
    assert row.state == "published"
    assert desk.post(url("unpublish", row.pk), {"reason": "other"})["Location"] == url("rounds", league.tournament_id)
    row.refresh_from_db()
    assert row.state == "draft"


def test_a_draft_that_was_paired_otherwise_meanwhile_is_not_published(desk: Client, league: Stage) -> None:
    row = pair_next_round(league, by=None)
    re_pair(row.pk, pairs(league, (1, 6), (2, 5), (3, 4)), by=None)
    form = {"do": "publish", "round": str(row.pk)}
    for revision in ("0", "", "x", "٣"):
        answer = desk.post(url("rounds", league.tournament_id), form | {f"revision-{row.pk}": revision})
        assert answer.status_code == 409, revision
        assert "Round 1 was changed meanwhile: look at its boards again" in answer.content.decode()
        row.refresh_from_db()
        assert row.state == "draft", revision
    assert desk.post(url("rounds", league.tournament_id), fields_of(answer.content.decode()) | form).status_code == 302


def test_a_draft_that_is_not_there_or_a_form_that_cannot_be_read_does_nothing(desk: Client, cup: Tournament) -> None:
    for form in ({"round": "0"}, {"stage": str(factory.stage_of(cup).pk)}, {}):
        answer = desk.post(url("rounds", cup.pk), {"do": "publish", **form})
        assert answer.status_code == 409
        assert "no such draft any more" in answer.content.decode()
    stage = make_league(4, system="round-robin")
    for said in ({"days_between": "often"}, {"days_between": "7", "first_day": "soon"}):
        assert desk.post(url("rounds", stage.tournament_id), said).status_code == 200
        assert not stage.rounds.exists()
    assert desk.post(url("rounds", stage.tournament_id), {"stage": "0", "days_between": "7"}).status_code == 404


def test_stages_stand_under_their_names(desk: Client, league: Stage) -> None:
    league.name = "Autumn"
    league.save()
    final = Stage.objects.create(
        tournament=league.tournament, order=2, part=2, name="Final", pairing_system="round-robin", takes_everybody=False
    )
    for number in (1, 2):
        final.field.create(entry=entry(league, number), number=number)
    row = pair_next_round(league, by=None, publish=True)
    html = shown(desk, "rounds", league.tournament_id)
    assert [html.index(name) for name in (">Autumn<", ">Final<")] == sorted(
        html.index(name) for name in (">Autumn<", ">Final<")
    )
    desk.post(url("rounds", league.tournament_id), {"days_between": "0", "stage": final.pk})
    assert final.rounds.get().number == row.number + 1
    address = f"{url('delete_rounds', league.tournament_id)}?stage={final.pk}"
    assert "“Final”" in desk.get(address).content.decode()
    desk.post(address, {"stage": final.pk})
    assert list(Round.objects.values_list("stage__name", flat=True)) == ["Autumn"]


def test_a_draft_is_deleted_after_asking(desk: Client, league: Stage) -> None:
    row = pair_next_round(league, by=None)
    assert "Yes, delete the draft" in shown(desk, "delete_round", row.pk)
    assert Round.objects.exists()
    assert desk.post(url("delete_round", row.pk))["Location"] == url("next_round", league.pk)
    assert not Round.objects.exists()


# --- who may, and how much is asked -----------------------------------------------------------------------------
def test_only_arbiters_come_here(client: Client, league: Stage) -> None:
    row = pair_next_round(league, by=None)
    client.force_login(User.objects.create_user("staff", is_staff=True))
    pages = {"rounds": league.tournament_id, "next_round": league.pk, "by_hand": league.pk}
    for name, key in (pages | dict.fromkeys(("boards", "unpublish", "delete_round"), row.pk)).items():
        assert client.get(url(name, key)).status_code == 403, name
        assert client.post(url(name, key), {"do": "publish"}).status_code == 403, name
    row.refresh_from_db()
    assert row.state == "draft"


def test_a_large_league_asks_as_much_as_a_small_one(desk: Client, league: Stage) -> None:
    asked: dict[str, list[int]] = {"next_round": [], "by_hand": [], "boards": []}
    for stage in (league, make_league(24, name="Large")):
        for name, counts in asked.items():
            key = pair_next_round(stage, by=None).pk if name == "boards" else stage.pk
            with CaptureQueriesContext(connection) as queries:
                shown(desk, name, key)
            counts.append(len(queries))
    for name, most in (("next_round", 39), ("by_hand", 18), ("boards", 28)):
        few, many = asked[name]
        assert few == many <= most, name


def test_the_page_asks_as_much_for_many_rounds_or_groups_as_for_few(desk: Client) -> None:
    small = factory.make_round_robin(factory.first_players(4), name="Small")
    factory.make_players(6)
    large = factory.make_round_robin(factory.first_players(12), name="Large", cycles=2)
    counts = []
    for tournament in (small, large):
        with CaptureQueriesContext(connection) as queries:
            html = shown(desk, "rounds", tournament.pk)
        counts.append(len(queries))
    assert html.count('type="time"') == 22
    assert counts[0] == counts[1]
    assert counts[0] <= 17
    counts = []
    for count, groups in ((8, 2), (16, 4)):
        plan = make_league(count, system="groups", name=f"{groups} groups")
        Stage.objects.filter(pk=plan.pk).update(settings={"groups": groups})
        plan.refresh_from_db()
        form_stages(plan, by=None, seed=1)
        with CaptureQueriesContext(connection) as queries:
            shown(desk, "rounds", plan.tournament_id)
        counts.append(len(queries))
    assert counts[0] == counts[1]


# --- other formats ----------------------------------------------------------------------------------------------
def test_a_bracket_is_drawn_here(desk: Client) -> None:
    stage = make_league(4, system="knockout", name="Knockout")
    html = shown(desk, "rounds", stage.tournament_id)
    assert "Draw the bracket" in html
    assert 'name="seed"' in html
    answer = desk.post(url("rounds", stage.tournament_id), {"days_between": "7", "first_day": "2026-01-05"})
    assert answer.status_code == 302
    assert list(stage.rounds.values_list("number", "planned_on")) == [(1, date(2026, 1, 5)), (2, date(2026, 1, 12))]


def test_a_bracket_is_drawn_again_with_a_reason_and_not_once_it_is_in_play(desk: Client) -> None:
    cup = factory.make_knockout([*factory.first_players(6), *factory.make_players(2)], seeding="lots")
    stage = factory.stage_of(cup)
    assert url("redraw", stage.pk) in shown(desk, "rounds", cup.pk)
    assert 'name="reason"' in shown(desk, "redraw", stage.pk)
    assert desk.post(url("redraw", stage.pk), {"reason": "", "seed": "4"}).status_code == 200
    assert desk.post(url("redraw", stage.pk), {"reason": "other", "seed": "-1"}).status_code == 200
    assert not Pairing.objects.filter(superseded=True).exists()
    answer = desk.post(url("redraw", stage.pk), {"reason": "other", "seed": "4"})
    assert answer["Location"] == url("rounds", cup.pk)
    stage.refresh_from_db()
    assert (stage.lots_seed, Pairing.objects.filter(superseded=True).count()) == (4, 7)
    assert shown(desk, "results", factory.round_of(cup, 1).pk).count('id="board-1"') == 1
    assert desk.get(url("match", Pairing.objects.filter(superseded=True)[0].pk)).status_code == 404
    factory.play_match(factory.match_of(cup, 1, 1), Result.WHITE_WINS)
    answer = desk.post(url("redraw", stage.pk), {"reason": "other"})
    assert answer.status_code == 409
    assert "take those results back" in answer.content.decode()
    played, ruled = (factory.make_knockout(factory.first_players(4), name=name) for name in ("Played", "Ruled"))
    factory.play_match(factory.match_of(played, 1, 1), Result.WHITE_WINS)
    match = factory.match_of(ruled, 1, 1)
    rule_match(match.pk, advanced=match.seats.get(line=1).entry_id, by=None, reason="other")
    for cup in (played, ruled):
        html = shown(desk, "rounds", cup.pk)
        assert "Draw again" not in html
        assert "Delete the rounds" in html


def test_a_bracket_without_numbers_is_not_offered(desk: Client) -> None:
    stage = make_league(4, system="knockout", name="Knockout")
    Entry.objects.filter(number=4).update(number=None)
    html = shown(desk, "rounds", stage.tournament_id)
    assert "Not everybody has a pairing number yet" in html
    assert "Draw the bracket" not in html
    Entry.objects.all().delete()
    html = shown(desk, "rounds", stage.tournament_id)
    assert "At least two players are needed" in html
    assert "Draw the bracket" not in html


def test_rounds_of_a_bracket_nobody_has_played_are_not_done(desk: Client) -> None:
    cup = factory.make_knockout(factory.make_players(8))
    html = shown(desk, "rounds", cup.pk)
    assert "✓" not in html
    assert [row.strip() for row in re.findall(r'<td class="num">([^<]*)</td>', html)] == ["0/4", "0/2", "0/1"]
    assert "Look or correct" not in html
    for board in range(1, 5):
        factory.play_match(factory.match_of(cup, 1, board), Result.WHITE_WINS)
    html = shown(desk, "rounds", cup.pk)
    assert [row.strip() for row in re.findall(r'<td class="num">([^<]*)</td>', html)] == ["✓ 4/4", "0/2", "0/1"]
    assert html.count("Look or correct") == 1


def test_an_even_match_without_a_game_to_come_is_still_to_do_a_bye_or_a_superseded_match_is_not() -> None:
    cup = factory.make_knockout(factory.first_players(2), extra="")
    assert [(row.boards, row.done, row.waiting) for row in rounds_of(cup)] == [(1, 0, 0)]
    match = factory.match_of(cup, 1, 1)
    factory.play_match(match, Result.DRAW)
    assert [(row.boards, row.done, row.complete) for row in rounds_of(cup)] == [(2, 1, False)]
    rule_match(match.pk, advanced=match.seats.get(line=1).entry_id, by=None, reason="other")
    assert [(row.boards, row.done, row.complete) for row in rounds_of(cup)] == [(1, 1, True)]
    cup = factory.make_knockout(factory.first_players(5), seeding="lots")
    redraw_bracket(factory.stage_of(cup), by=None, reason="other", seed=3)
    assert [(row.boards, row.waiting) for row in rounds_of(cup)] == [(1, 0), (2, 1), (1, 1)]


def test_a_refusal_names_whom_it_means() -> None:
    assert with_names("Player #1 met player #2.") == "Player #1 Ada Alvarez met player #2 Bo Brandt."
    assert with_names("Ada Alvarez (#1) is here.") == "Ada Alvarez (#1) is here.", "the name stands there already"
    assert with_names("#17 is nobody's") == "#17 is nobody's"
    assert with_names("Nobody") == "Nobody"


def test_only_a_bracket_is_drawn_again(desk: Client, cup: Tournament, league: Stage) -> None:
    for stage in (factory.stage_of(cup), league):
        assert desk.get(url("redraw", stage.pk)).status_code == 404
    Stage.objects.filter(pk=league.pk).update(pairing_system="knockout")
    assert desk.get(url("redraw", league.pk)).status_code == 404, "nothing is drawn yet"


def test_groups_are_made_one_by_one_and_the_knockout_when_all_are_over(desk: Client) -> None:
    plan = make_league(8, system="groups", name="Groups")
    assert "Form the stages" in shown(desk, "rounds", plan.tournament_id)
    form_stages(plan, by=None, seed=1)
    *groups, knockout = plan.tournament.stages.exclude(pk=plan.pk).order_by("order")
    html = shown(desk, "rounds", plan.tournament_id)
    assert "decided by the part before" in html
    assert "Draw the bracket" not in html, "what can only be refused is not offered"
    assert html.count("Make all rounds") == 2
    form = {"days_between": "7", "stage": str(knockout.pk)}
    answer = desk.post(url("rounds", plan.tournament_id), form)
    assert answer.status_code == 409
    assert "is not over: enter its results first" in answer.content.decode()
    assert 'name="lots"' in answer.content.decode()
    for done, group in enumerate(groups, start=1):
        assert desk.post(url("rounds", plan.tournament_id), form | {"stage": str(group.pk)}).status_code == 302
        assert set(Round.objects.values_list("stage", flat=True)) == {made.pk for made in groups[:done]}
        assert "Draw the bracket" not in shown(desk, "rounds", plan.tournament_id)
        for game in Game.objects.filter(pairing__stage=group):
            record_result(game=game.pk, result=Result.DRAW, played_on=factory.MONDAY, by=None)
    html = shown(desk, "rounds", plan.tournament_id)
    assert "which is over" in html
    assert html.count('name="lots"') == 1
    html = desk.post(url("rounds", plan.tournament_id), form).content.decode()
    assert re.search("In Group A these are equal in everything: #\\d+ Ada Alvarez, ", html)
    assert re.search("In Group B these are equal in everything: #\\d+ Bo Brandt, ", html), "all groups at once"
    assert html.count("Let lots decide") == 1
    assert desk.post(url("rounds", plan.tournament_id), form | {"lots": "on"}).status_code == 302
    assert knockout.pairings.count() == 3
    goes_on = knockout.field.values_list("entry__player", flat=True)
    others_win = [
        f"{game.pk},{game.revision},{'0-1' if game.white_id in goes_on else '1-0'},"
        for game in Game.objects.filter(pairing__stage=groups[0])
    ]
    html = desk.get(reverse("admin:tournaments_game_correct"), {"c": others_win}).content.decode()
    assert "others would play in “Knockout”" in html
    assert "Station" not in shown(desk, "format", plan.tournament_id)
