"""What waits for the arbiter of a team event: line-ups and cards that are late, disputes, matches without a day."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, time, timedelta

from django.utils import timezone
from django.utils.translation import gettext as _

from tournaments.models import TeamMatch, TeamRules
from tournaments.teams.selectors.facts import MatchFacts, TeamFacts
from tournaments.teams.selectors.matches import MatchState, state_of_match

MOST_NAMED = 6


@dataclass(frozen=True, slots=True)
class Waiting:
    """One thing to look at: in words, with the remedy, and the matches it is about; `more` are not named."""

    words: str
    remedy: str
    matches: tuple[MatchFacts, ...]
    more: int = 0


def due_at(match: TeamMatch, rules: TeamRules) -> datetime | None:
    """When line-ups of a match are due; None where there is no such rule, or no time of day yet."""
    if not rules.line_up_hours or match.played_on is None or match.starts_at is None:
        return None
    starts = datetime.combine(match.played_on, match.starts_at, timezone.get_current_timezone())
    return starts - timedelta(hours=rules.line_up_hours)


def checklist_of(facts: TeamFacts, disputed: Callable[[MatchFacts], int], now: datetime) -> list[Waiting]:
    """What waits in the published rounds, most pressing first. `disputed`: how many results of a match somebody says
    are wrong. No query."""
    public = [match for match in facts.matches if match.round.state != match.round.State.DRAFT and match.row.away_id]
    found = (
        (
            _("Disputed results:"),
            _("Decide them: until then the results stand as they are."),
            [match for match in public if disputed(match)],
        ),
        (
            _("Line-ups that were due and are not in:"),
            _("Enter them, or make the boards: who handed nothing in sits down as the list and the rules say."),
            [match for match in public if _is_late(facts, match, now)],
        ),
        (
            _("Played, and results are missing:"),
            _("Ask for the match card, or enter the results."),
            [match for match in public if _lacks_card(match, now)],
        ),
        (
            _("Postponed without a new day:"),
            _("Have the captains agree on a day, or decide the match."),
            [match for match in public if state_of_match(match) == MatchState.POSTPONED],
        ),
    )
    return [
        Waiting(words, remedy, tuple(matches[:MOST_NAMED]), len(matches[MOST_NAMED:]))
        for words, remedy, matches in found
        if matches
    ]


def _is_late(facts: TeamFacts, match: MatchFacts, now: datetime) -> bool:
    """Whether a line-up is missing after it was due, or where no hour is set, on the day after the match."""
    if state_of_match(match) not in (MatchState.PLANNED, MatchState.LINE_UPS):
        return False
    due = due_at(match.row, facts.rules) or _day_after(match.row)
    return due is not None and now >= due


def _lacks_card(match: MatchFacts, now: datetime) -> bool:
    after = _day_after(match.row)
    return state_of_match(match) in (MatchState.READY, MatchState.PLAYING) and after is not None and now >= after


def _day_after(match: TeamMatch) -> datetime | None:
    if match.played_on is None:
        return None
    return datetime.combine(match.played_on + timedelta(days=1), time(), timezone.get_current_timezone())
