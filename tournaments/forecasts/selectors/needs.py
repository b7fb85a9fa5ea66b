"""What somebody needs: the event's facts put to the pure questions of `tournaments.forecast`.

On points an answer is there at once. Where tie-breaks decide and the endings can all be gone through, it is a question
for the background (`tournaments.forecasts.services.forecasts`), asked once for everybody: for who comes first, or among
the first so many. Everything rests on what the public may see, so no draft shines through.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from players.jobs.services import Question
from tournaments.events.selectors.event_data import EventData
from tournaments.events.selectors.standings import points_of
from tournaments.forecast.clinching import DRAW, LOSS, WIN, Ties, TooManyWaysError
from tournaments.forecast.everybody import MOST_ENDINGS, endings, is_quick, needs_by_points, stand_on_points
from tournaments.forecast.knockout_playouts import Reach, knockout_reach
from tournaments.forecast.needs import MOST_OWN_GAMES, Line, Needs, Verdict, by_margin
from tournaments.forecasts.selectors.forecasts import facts_digest, forecast_kind
from tournaments.forecasts.selectors.running import bracket_to_come, running_of, winners_of
from tournaments.models import ForecastKind

NEEDS = "needs"  # the kind of question
OF_PARTS = (ForecastKind.GROUPS, ForecastKind.STATIONS)  # of these nothing is told but chances


@dataclass(frozen=True, slots=True)
class NeedsAnswer:
    """What is known of one player's needs. `needs`: in a round robin, None where there are too many of his own games
    to come to go through them at once, or games are not worth 1 – ½ – 0; `reach`: in a knockout; `verdict`: how he
    stands, in a Swiss all there is. `asks`: some of it is open, and the background can go through the endings."""

    verdict: Verdict
    needs: Needs | None = None
    reach: Reach | None = None
    asks: bool = False


def is_all_published(event: EventData) -> bool:
    """Whether every round the stage will have is there for everybody to see."""
    return len([row for row in event.rounds if not row.is_draft]) >= event.round_count


def counts_halves(event: EventData) -> bool:
    """Whether a win is a point, a draw half of one and a loss nothing, so that needs can be told in points."""
    points = points_of(event)
    return (points.win, points.draw, points.loss) == (WIN, DRAW, LOSS) and points.after_draw is None


# --- how everybody stands ---------------------------------------------------------------------------------------------
def stand(event: EventData, top: int = 1) -> Mapping[int, Verdict]:
    """How everybody with a number stands towards the first `top` places, as far as it is decided whatever happens:
    sure, lost, or not decided. Empty where nothing can be said."""
    kind = forecast_kind(event)
    if kind in OF_PARTS:
        return {}
    if kind is ForecastKind.SWISS:
        return _by_margin(event, top)
    if kind is None or not is_all_published(event):
        return {}
    if kind is ForecastKind.KNOCKOUT:
        return {number: _of_reach(reach, top) for number, reach in reaches_of(event).items()}
    running = running_of(event)
    if not running.is_race:
        counted = running.race().points
        return {number: verdict for number, verdict in _by_margin(event, top).items() if number in counted}
    try:
        return stand_on_points(running, top)
    except TooManyWaysError:
        return {}


def needs_of(event: EventData, number: int, top: int, answer: Mapping[str, Any] | None = None) -> NeedsAnswer | None:
    """What the player of that number needs to be among the first `top`; `answer`: that to `needs_question`, where it
    has been asked. None where nothing can be said of him."""
    kind = forecast_kind(event)
    stands = stand(event, top).get(number)
    if kind is None or stands is None:
        return None
    if kind is ForecastKind.ROUND_ROBIN:
        return _needs_in_race(event, number, top, stands, answer)
    reach = reaches_of(event).get(number) if kind is ForecastKind.KNOCKOUT else None
    return NeedsAnswer(stands, reach=reach)


def _needs_in_race(
    event: EventData, number: int, top: int, stands: Verdict, answer: Mapping[str, Any] | None
) -> NeedsAnswer | None:
    if answer is not None:
        needs = needs_from(answer, number, top)
        return NeedsAnswer(needs.verdict, needs) if needs else NeedsAnswer(stands)
    running = running_of(event)
    race = running.race()
    can_be_tried = endings(running) <= MOST_ENDINGS and len(race.opponents(number)) <= MOST_OWN_GAMES
    later = NeedsAnswer(stands, asks=can_be_tried and stands not in (Verdict.SURE, Verdict.LOST))
    if not running.is_race or not is_quick(race, number, top):
        return later
    try:
        needs = needs_by_points(running, number, top)
    except TooManyWaysError:
        return later
    hangs = any(line.verdict is Verdict.OPEN for line in needs.lines)
    return NeedsAnswer(needs.verdict, needs, asks=hangs and can_be_tried)


def _by_margin(event: EventData, top: int) -> Mapping[int, Verdict]:
    """On points alone, whoever will meet whom; who left may come back. For a Swiss, and where a game is not worth
    one point whatever its result."""
    running, planned = running_of(event), event.planned_rounds
    if planned is None:
        return {}
    table, points = running.table(running.meetings), running.points
    most = points.win  # of a game or a bye
    unpaired = max(planned - len([row for row in event.rounds if not row.is_draft]), 0)
    left = dict.fromkeys(table, most * unpaired)
    for meeting in running.meetings:
        if running.is_open(meeting):
            left[meeting.white] += most
            left[meeting.black] += most
    return by_margin({number: line.points for number, line in table.items()}, left, top)


# --- a knockout -------------------------------------------------------------------------------------------------------
def reaches_of(event: EventData) -> dict[int, Reach]:
    """What everybody in the bracket can still come to, by number; empty where the bracket was changed by hand so that
    somebody plays on who did not win."""
    try:
        return {reach.player: reach for reach in knockout_reach(bracket_to_come(event), winners_of(event))}
    except ValueError:
        return {}


def _of_reach(reach: Reach, top: int) -> Verdict:
    if reach.has_clinched(top):
        return Verdict.SURE
    return Verdict.HELP if reach.can_reach(top) else Verdict.LOST


# --- the question -----------------------------------------------------------------------------------------------------
def needs_question(event: EventData, top: int) -> Question:
    """What everybody needs to be among the first `top`, tie-breaks included: one question for all of them."""
    return Question(NEEDS, {"stage": event.stage.pk, "top": top}, facts_digest(event), event.stage.pk)


def plain_needs(found: Mapping[int, Needs]) -> dict[str, Any]:
    """The answer as it is stored: by number, opponents and every combination with its verdict."""
    return {
        str(number): {
            "opponents": list(needs.opponents),
            "lines": [[list(line.own), line.verdict.value] for line in needs.lines],
        }
        for number, needs in found.items()
    }


def needs_from(answer: Mapping[str, Any], number: int, top: int) -> Needs | None:
    """One player's needs out of the answer; None where he is not in it."""
    own = answer.get(str(number))
    if own is None:
        return None
    lines = tuple(Line(tuple(halves), Verdict(verdict)) for halves, verdict in own["lines"])
    return Needs(number, top, Ties.SHARED, tuple(own["opponents"]), lines)
