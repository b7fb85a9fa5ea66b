"""What somebody needs, off the facts of an event: on points at once, with tie-breaks as a question, in words."""

from typing import Any

import pytest

from clubrating.site.jobs.services import answer_chunk
from players.jobs.services import answer_of, ask, job_of, write_question
from players.models import Job
from players.refusals import Refused
from tests import factory
from tests.factory import MONDAY, make_knockout, make_players, make_round_robin, play_round
from tests.tournaments.event_pages.page_cases import DRAW, WHITE, form_groups
from tests.tournaments.forecast.playing_cases import needs_by_trying
from tests.tournaments.forecasts.forecast_cases import facts
from tests.tournaments.swiss_events import make_swiss, play_rounds
from tournaments.forecast.clinching import Ties
from tournaments.forecast.everybody import endings
from tournaments.forecast.needs import Line, Needs, Verdict
from tournaments.forecasts.selectors.needs import (
    NeedsAnswer,
    needs_from,
    needs_of,
    needs_question,
    plain_needs,
    reaches_of,
    stand,
)
from tournaments.forecasts.selectors.running import running_of
from tournaments.forecasts.services.forecasts import answer_needs
from tournaments.forecasts.words import goal_words, need_lines, reach_words, sentences
from tournaments.models import Game, Pairing, Seat, Stage, Tournament
from tournaments.results.services.results import record_result
from tournaments.withdrawals.services.withdrawals import withdraw_entry

pytestmark = pytest.mark.django_db
SURE, HELP, LOST, OPEN = Verdict.SURE, Verdict.HELP, Verdict.LOST, Verdict.OPEN


@pytest.fixture(scope="module", autouse=True)
def cup(world: None) -> Tournament:
    """Four players, Berger: 1–4 2–3 | 4–3 1–2 | 2–4 3–1. 1 has won twice, 2 and 4 once; the last round is to come."""
    factory.make_club()
    factory.make_list()
    cup = make_round_robin(make_players(4))
    play_round(cup, 1, [WHITE, WHITE])
    play_round(cup, 2, [WHITE, WHITE])
    return cup


def told(event: Tournament, number: int, top: int = 1) -> NeedsAnswer:
    found = needs_of(facts(event), number, top)
    assert found is not None
    return found


def words(event: Tournament, number: int, top: int = 1) -> list[str]:
    return sentences(told(event, number, top), counts_halves=True)


def points_in(stage: Stage) -> dict[int, int]:
    running = running_of(facts(stage.tournament))
    return {number: line.points for number, line in running.table(running.meetings).items()}


def worked_out(event: Tournament, top: int = 1) -> Any:
    """The question about the event, asked; in tests a worker is at hand."""
    job = ask(needs_question(facts(event), top))
    job.refresh_from_db()
    assert job.state == Job.State.DONE, job.message
    return answer_of(job)


# --- a round robin ----------------------------------------------------------------------------------------------------
def test_on_points_it_is_told_at_once(cup: Tournament) -> None:
    assert dict(stand(facts(cup))) == {1: OPEN, 2: OPEN, 3: LOST, 4: OPEN}
    assert told(cup, 1).needs == Needs(1, 1, Ties.SHARED, (3,), (Line((0,), OPEN), Line((1,), SURE), Line((2,), SURE)))
    draw = "A draw is enough, whatever the others do."
    assert words(cup, 1) == [draw, "Where points are level the tie-breaks decide."]
    assert words(cup, 3) == ["Out of the race: not to be reached any more."]
    assert dict(stand(facts(cup), 3))[1] is SURE, "among the first three is another question"
    assert words(cup, 1, 3) == ["Reached, whatever happens."]


def test_with_tiebreaks_it_is_a_question_for_the_background(cup: Tournament, monkeypatch: pytest.MonkeyPatch) -> None:
    assert told(cup, 1).asks
    for limit, fewest in (("MOST_ENDINGS", endings(running_of(facts(cup)))), ("MOST_OWN_GAMES", 1)):
        for most in (fewest, fewest - 1):
            with monkeypatch.context() as patch:
                patch.setattr(f"tournaments.forecasts.selectors.needs.{limit}", most)
                assert told(cup, 1).asks is (most == fewest), limit
    found = worked_out(cup)
    running = running_of(facts(cup))
    for number in (1, 2, 3, 4):
        assert needs_from(found, number, 1) == needs_by_trying(running, number)
    decided = needs_of(facts(cup), 1, 1, found)
    assert decided is not None
    assert OPEN not in {line.verdict for line in decided.needs.lines if decided.needs}  # type: ignore[union-attr]
    assert not decided.asks
    needs = needs_by_trying(running, 2)
    assert needs_from(plain_needs({2: needs}), 2, 1) == needs, "stored and read again"
    assert needs_from(plain_needs({2: needs}), 3, 1) is None


def test_the_answer_is_asked_once_for_everybody_and_anew_once_a_result_is_in(cup: Tournament) -> None:
    before = needs_question(facts(cup), 1)
    assert before.payload == {"stage": factory.stage_of(cup).pk, "top": 1}
    worked_out(cup)
    play_round(cup, 3, [WHITE, DRAW])
    assert job_of(needs_question(facts(cup), 1)) is None
    assert job_of(before) is not None
    gone = Job.objects.create(kind="needs", payload={"stage": 0, "top": 1})
    with pytest.raises(Refused):
        answer_needs(gone, lambda done, of: None)


def test_where_results_came_in_meanwhile_the_answer_is_that_of_now(cup: Tournament) -> None:
    job, chunk = write_question(needs_question(facts(cup), 1), by=None)
    assert chunk is not None
    open_game = Game.objects.filter(tournament=cup, result="").order_by("pairing__board")[0]
    record_result(game=open_game.pk, result=WHITE, played_on=MONDAY, by=None)
    answer_chunk.call(chunk.pk)
    job.refresh_from_db()
    assert job_of(needs_question(facts(cup), 1)) == job
    assert needs_from(answer_of(job), 2, 1) == needs_by_trying(running_of(facts(cup)), 2)


@pytest.mark.extended
def test_who_left_has_nothing_to_need_and_early_in_a_long_event_nothing_is_gone_through() -> None:
    cup = make_round_robin(make_players(6))
    play_round(cup, 1, [WHITE] * 3)
    withdraw_entry(cup.entries.get(number=6).pk, by=None)
    assert needs_of(facts(cup), 6, 1) is None
    assert told(cup, 1).verdict is HELP
    cup = make_round_robin(make_players(10), name="Long Cup")
    found = told(cup, 1)
    assert (found.verdict, found.needs, found.asks) == (HELP, None, False)
    assert words(cup, 1) == ["Still open: on points alone nothing is certain yet, one way or the other."]


def test_where_too_many_ways_would_have_to_be_tried_it_is_said(
    cup: Tournament, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tournaments.forecast.clinching.MOST_SETS", 0)
    assert dict(stand(facts(cup))) == {}
    assert needs_of(facts(cup), 1, 1) is None
    job, _chunk = write_question(needs_question(facts(cup), 1), by=None)
    with pytest.raises(Refused, match="too many endings"):
        answer_needs(job, lambda done, of: None)


def test_with_three_points_a_win_nothing_is_put_down_to_tiebreaks_that_points_decide(cup: Tournament) -> None:
    """1 has six points and 2 and 4 three: who wins the last round may draw level, 3 cannot. What a result is worth only
    the endings tell."""
    Tournament.objects.filter(pk=cup.pk).update(point_system="football")
    cup.refresh_from_db()
    assert stand(facts(cup)) == {1: OPEN, 2: OPEN, 3: LOST, 4: OPEN}
    found = told(cup, 1)
    assert (found.needs, found.asks) == (None, True)
    assert words(cup, 1) == ["On points alone nothing is certain yet; the endings tell more."]
    answered = needs_of(facts(cup), 1, 1, worked_out(cup))
    assert answered is not None
    assert answered.needs is not None
    assert {line.verdict for line in answered.needs.lines} == {SURE}  # whoever draws level has lost to him
    play_round(cup, 3, [DRAW, DRAW])
    assert stand(facts(cup)) == {1: SURE, 2: LOST, 3: LOST, 4: LOST}


# --- a knockout and a Swiss -------------------------------------------------------------------------------------------
def test_a_knockout_tells_places_wins_and_opponents_and_who_has_won() -> None:
    cup = make_knockout(make_players(8))
    factory.play_match(factory.match_of(cup, 1, 1), WHITE)
    out = next(number for number, verdict in stand(facts(cup)).items() if verdict is LOST)
    assert sum(verdict is LOST for verdict in stand(facts(cup)).values()) == 1
    assert reach_words(reaches_of(facts(cup))[out], 1) == ["Places that can still come: 5–8."]
    found = told(cup, 1)
    assert found.reach is not None
    assert found.verdict is HELP
    assert reach_words(found.reach, 1)[0].startswith("Winning the next ")
    assert sentences(found, counts_halves=True) == []
    cup = make_knockout(make_players(4))
    for number, board in ((1, 1), (1, 2), (2, 1)):
        factory.play_match(factory.match_of(cup, number, board), WHITE)
    assert sorted(stand(facts(cup)).values()) == sorted([SURE, LOST, LOST, LOST])
    final = factory.match_of(cup, 2, 1)
    beaten = Seat.objects.filter(round__stage__tournament=cup, round__number=1).exclude(
        entry__in=[seat.entry_id for seat in final.seats.all()]
    )
    final.seats.filter(line=1).update(entry=beaten[0].entry_id)
    Pairing.objects.filter(pk=final.pk).update(advanced=beaten[0].entry_id)
    assert dict(stand(facts(cup))) == {}, "somebody plays on who did not win"
    groups = form_groups(make_players(8), groups=2)
    assert dict(stand(facts(groups[0].tournament))) == {}


def test_in_a_swiss_only_a_lead_that_cannot_be_made_up_is_certain() -> None:
    stage = make_swiss(make_players(8), rounds=4)
    play_rounds(stage, 2, WHITE, WHITE, WHITE, WHITE)
    stands = stand(facts(stage.tournament))
    points = points_in(stage)
    assert set(stands.values()) == {OPEN}, "two rounds are to come, and the last is two points behind"
    assert max(points.values()) - min(points.values()) == 4
    play_rounds(stage, 1, WHITE, WHITE, WHITE, WHITE)
    late = stand(facts(stage.tournament))
    points = points_in(stage)
    behind = {number for number, made in points.items() if made + 2 < max(points.values())}
    assert {number for number in late if late[number] is LOST} == behind
    assert told(stage.tournament, 1).needs is None


# --- words ------------------------------------------------------------------------------------------------------------
def needs(*verdicts: tuple[tuple[int, ...], Verdict]) -> Needs:
    lines = tuple(Line(own, verdict) for own, verdict in sorted(verdicts, key=lambda line: (sum(line[0]), line[0])))
    return Needs(1, 1, Ties.SHARED, tuple(range(2, 2 + len(lines[0].own))), lines)


def said(one: Needs, *, counts_halves: bool = True) -> list[str]:
    return sentences(NeedsAnswer(one.verdict, one), counts_halves=counts_halves)


def test_games_in_words() -> None:
    assert said(needs(((2,), SURE), ((1,), HELP), ((0,), HELP))) == ["A win is enough, whatever the others do."]
    assert said(needs(((2,), HELP), ((1,), LOST), ((0,), LOST))) == [
        "Needs help: no result of one’s own is enough by itself.",
        "Without a win there is no chance.",
    ]
    assert said(needs(((2,), HELP), ((1,), HELP), ((0,), LOST)))[1] == "A loss ends all chances."
    assert said(needs(((1,), OPEN))) == ["Still open."]
    assert said(needs(((), HELP))) == ["All own games are played: it is for the others now."]
    two = {(a, b): a + b for a in range(3) for b in range(3)}
    from_three = needs(*((own, SURE if made >= 3 else HELP if made else LOST) for own, made in two.items()))
    assert said(from_three) == [
        "1½ points from the 2 games to come are enough, whatever the others do.",
        "With less than ½ from those 2 games there is no chance.",
    ]
    from_two = needs(*((own, SURE if made >= 2 else HELP) for own, made in two.items()))
    assert said(from_two) == ["1 point from the 2 games to come is enough, whatever the others do."]
    all_of_them = needs(*((own, SURE if made == 4 else HELP) for own, made in two.items()))
    assert said(all_of_them) == ["Winning all 2 games to come is enough, whatever the others do."]


def test_where_points_do_not_tell_it_the_table_does() -> None:
    """It matters whom one beats, or a win is three points. The best results stand first, of many games only what is
    enough."""
    table = "Some results are enough whatever the others do; the table tells which."
    assert said(needs(((2, 0), SURE), ((0, 2), HELP), ((1, 1), HELP)))[0] == table
    assert said(needs(((2,), SURE), ((1,), LOST), ((0,), LOST)), counts_halves=False) == [table]
    listed = need_lines(needs(((2,), SURE), ((1,), OPEN), ((0,), LOST)))
    assert [(*line.results, line.worth, line.is_sure) for line in listed] == [
        ("win", "is enough", True), ("draw", "tie-breaks decide", False), ("loss", "not enough", False),
    ]  # fmt: skip
    three = [(a, b, c) for a in range(3) for b in range(3) for c in range(3)]
    listed = need_lines(needs(*((own, SURE if sum(own) >= 5 else HELP) for own in three)))
    assert sorted(" ".join(line.results) for line in listed) == ["draw win win", "win draw win", "win win draw"]
    assert (goal_words(1), goal_words(3)) == ("first place", "among the first 3")
