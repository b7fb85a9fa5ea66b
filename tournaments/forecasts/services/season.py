"""A list at its season's end, forecast in the background: once a month by itself, once a day at most on demand.

What is said is kept with its day and never rewritten (`store`), so that it can be scored when the season is over. The
same list on the same day gives the same figures: random numbers are seeded with the day and the list's revision.
"""

from collections.abc import Sequence
from dataclasses import asdict
from datetime import date, timedelta
from hashlib import sha256
from typing import Any

from django.conf import settings
from django.db import IntegrityError, transaction
from django.utils import timezone
from django.utils.translation import gettext as _
from numpy.random import PCG64, Generator

from players.jobs.services import ask, was_asked
from players.models import Job
from players.refusals import Refused
from players.trail.services import write_audit
from ratings.ledger.services.rows import state_of
from ratings.lists.selectors.listing import listing_of
from ratings.lists.selectors.lists import live_ratings, public_lists
from ratings.lists.services import reentry_of, rules_of
from ratings.lists.words import CLASSES
from ratings.models import LedgerEntry, ListForecast, ListForecastLine, RatingList
from ratings.systems.base import Moment, Period, PlayedGame
from ratings.systems.rules import DatedRules
from tournaments.forecast.outlook import Tell
from tournaments.forecast.season import Season, play_season
from tournaments.forecast.season_habits import YEAR, habits_of
from tournaments.forecast.season_scores import SeasonLine, lines_of
from tournaments.forecasts.selectors.season import LINE_FIGURES, SEASON, said_on, season_end, season_question
from tournaments.forecasts.selectors.season_calendar import calendar_of
from tournaments.forecasts.selectors.strengths import strengths_in
from tournaments.rated_games.selectors.games import rated_games

DRAWS = 1000  # of strengths
SAMPLES = 1000  # a standard error of a percentage point and a half at most
MOST_PEOPLE = 1000  # who played within the year: more take too long
MOST_LISTED = 3000  # with a place, or played within the year: of each every look of every sample is held in memory
STRENGTHS_SHARE = 30  # per cent of the work, as far as a progress bar can know


def why_no_season(rating_list: RatingList) -> str:
    """Why the list is not forecast; empty where it is."""
    if not settings.FORECASTS:
        return _("This club makes no forecasts.")
    if any(rule.period == Period.ALL for rule in rules_of(rating_list).all):
        return _("A list that is fitted to all its games at once is not forecast.")
    return ""


def ask_season_forecasts(today: date) -> int:
    """Ask for the forecast of every public list that nobody has asked for this month; how many were asked for."""
    asked = 0
    for rating_list in public_lists():
        month = today.replace(day=1)
        made = ListForecast.objects.filter(rating_list=rating_list, made_on__gte=month).exists()
        # What was refused this month would be refused tomorrow, and fill the officers' desk.
        if made or was_asked(SEASON, rating_list.pk, month) or why_no_season(rating_list):
            continue
        if live_ratings().filter(rating_list=rating_list, last_played__gte=today - timedelta(days=YEAR)).exists():
            ask(season_question(rating_list, today))
            asked += 1
    return asked


def answer_season(job: Job, tell: Tell) -> dict[str, Any]:
    """The forecast of the list the job is about, as of today; kept, and the answer says on which day. Raises Refused
    where there is none to be made."""
    rating_list = RatingList.objects.filter(pk=job.subject_key or 0).first()
    if rating_list is None:
        raise Refused(_("The list was deleted meanwhile."))
    if reason := why_no_season(rating_list):
        raise Refused(reason)
    today = timezone.localdate()
    if said_on(rating_list, today) is None:
        work_out_season(rating_list, today, tell)
    return {"on": today.isoformat()}


def work_out_season(rating_list: RatingList, today: date, tell: Tell, *, samples: int = SAMPLES) -> None:
    """Forecast the list as of that day, and keep it. Raises Refused where too little is known, or too many play."""
    stamp = f"{rating_list.slug}/{today}/{rating_list.live_generation}/{rating_list.revision}"
    seed = int(sha256(stamp.encode()).hexdigest()[:12], 16)
    rng = Generator(PCG64(seed))
    season = season_of(rating_list, today, rng)
    people = sorted({*(season.habits.players if season.habits else ()), *_planned_for(season)})
    if len(people) < 2 or (season.habits is None and not season.calendar.planned):
        raise Refused(_("Too few play days within the last year to know what is usual, and nothing is planned."))
    if len(people) > MOST_PEOPLE:
        raise Refused(
            _("More than %(most)s people played within a year: too many to be played out.") % {"most": MOST_PEOPLE}
        )
    if len(season.states) > MOST_LISTED:
        raise Refused(
            _("More than %(most)s people stand in the list: too many to be played out.") % {"most": MOST_LISTED}
        )
    share = _part(tell, 0, STRENGTHS_SHARE)
    # A sample takes one draw: of more than that none would be looked at.
    strengths = strengths_in(rating_list, people, draws=min(DRAWS, samples), rng=rng, tell=share)
    outlook = play_season(season, strengths, samples, rng, _part(tell, STRENGTHS_SHARE, 100))
    lines = lines_of(season, outlook, _bounds(rating_list, season.rules, today))
    store(rating_list, today, season, lines, samples=samples, seed=seed, draw_rate=strengths.rate)


def _planned_for(season: Season) -> set[int]:
    planned = season.calendar.planned
    return {player for each in planned for pair in each.pairs for player in pair} | {
        player for each in planned for player in each.comes
    }


def _part(tell: Tell, begin: int, end: int) -> Tell:
    """Progress within a part of the work, in per cent of the whole."""
    return lambda done, of: tell(begin + (end - begin) * done // max(of, 1), 100)


def season_of(rating_list: RatingList, today: date, rng: Generator) -> Season:
    """The list as it stands, and what is to come: everybody with a place, and whoever played within the year."""
    since, until = today - timedelta(days=YEAR), season_end(today)
    stored = live_ratings().filter(rating_list=rating_list).select_related("player", "rating_list").order_by("player")
    rows = [row for row in stored if row.ranked or (row.last_played and row.last_played > since)]
    states = {row.player_id: state_of(row, row.player.birth_year) for row in rows}
    listing = listing_of(rating_list)
    recent = {
        row.player_id: listing.value(row.rating, row.deviation)
        for row in rows
        if row.player.active and row.last_played and row.last_played > since
    }
    games = list(rated_games(rating_list.pool, Moment(since)))
    calendar, waiting = calendar_of(rating_list, today, until, states.keys()), _waiting(rating_list)
    # An event is rated by the rules of its first day, which may be older than today's.
    days = [each.rules_day for each in calendar.planned] + [game.rules_day for game in waiting]
    first = min([today.toordinal(), *(day for day in days if day)])
    return Season(
        calendar,
        states,
        frozenset(row.player_id for row in rows if row.player.active),
        _rules_from(rules_of(rating_list), first),
        habits_of(games, recent, today.toordinal(), rng) if recent else None,
        rating_list.probation,
        reentry_of(rating_list),
        {row.player_id: row.player.birth_year for row in rows},
        waiting,
    )


def _rules_from(rules: DatedRules, day: int) -> DatedRules:
    """The rules that hold from that day (ordinal) on."""
    return DatedRules([rules.on(day), *(rule for rule in rules.all if rule.valid_from.toordinal() > day)])


def _waiting(rating_list: RatingList) -> tuple[PlayedGame, ...]:
    """Games of running events that have moved nobody yet: their events are rated as a whole."""
    rows = LedgerEntry.objects.filter(
        rating_list=rating_list, generation=rating_list.live_generation, pending=True
    ).values_list("game", flat=True)
    keys = list(rows)
    found = rated_games(rating_list.pool, among=keys) if keys else ()
    return tuple(game._replace(closed=True) for game in found)


def _bounds(rating_list: RatingList, rules: DatedRules, today: date) -> list[float]:
    """The lowest ratings of the list's leagues, or of the classes where it has none and its points are Elo's."""
    tiers = [float(tier.below) for tier in rating_list.tiers.all() if tier.below is not None]
    if tiers or not rules.on(today).is_on_elos_scale:
        return tiers
    return [float(lowest) for lowest, _words in CLASSES if lowest is not None]


@transaction.atomic
def store(
    rating_list: RatingList,
    today: date,
    season: Season,
    lines: Sequence[SeasonLine],
    *,
    samples: int,
    seed: int,
    draw_rate: float,
) -> ListForecast | None:
    """Keep what was said; None where another forecast of that day is kept already."""
    habits = season.habits
    try:
        with transaction.atomic():
            forecast = ListForecast.objects.create(
                rating_list=rating_list,
                made_on=today,
                until=date.fromordinal(season.calendar.until),
                samples=samples,
                seed=seed,
                draw_rate=draw_rate,
                planned=len(season.calendar.planned),
                usual=len(season.calendar.weeks) if habits else 0,
                weekly=habits.rounds_a_week if habits else 0.0,
                looks=[date.fromordinal(day).isoformat() for day in season.looks],
            )
    except IntegrityError:  # kept at the same moment
        return None
    ListForecastLine.objects.bulk_create(
        ListForecastLine(
            forecast=forecast, player_id=line.player, **{name: asdict(line)[name] for name in LINE_FIGURES}
        )
        for line in lines
    )
    write_audit("list.forecast", rating_list, by=None, after={"on": today.isoformat(), "people": len(lines)})
    return forecast
