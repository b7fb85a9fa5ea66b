"""For feed readers and calendars: the latest results, round by round, and the dates of rounds, without names."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from datetime import date, datetime, tzinfo

from django.db.models import F, QuerySet
from django.urls import reverse
from django.utils.translation import gettext as _

from players.privacy.rules import Level, Viewer
from tournaments.contests.selectors import ShownContest, shown_contests
from tournaments.interchange.ics import CalendarEvent
from tournaments.models import Contest, Game, Pairing, Round, Tournament
from tournaments.standings.points import DECIDED_RESULTS, OUTCOMES
from tournaments.teams.selectors.facts import MatchFacts, TeamFacts, all_team_facts

MOST_RESULTS = 400  # are looked through
MOST_TABLES = 200
LOOKED_AT = 4 * MOST_RESULTS  # games: forfeits, drafts and loaded streams are among them
_PLAYED = [code for code in DECIDED_RESULTS if OUTCOMES[code].played]


@dataclass(frozen=True, slots=True)
class News:
    """The results of a round, or of an evening of free play (`round` 0): games by boards, and tables as they were
    played; of a team event the round's `matches` as well; `at`: when the last came in."""

    tournament: Tournament
    round: int
    on: date | None
    at: datetime
    games: tuple[Game, ...] = ()
    tables: tuple[ShownContest, ...] = ()
    matches: tuple[tuple[TeamFacts, MatchFacts], ...] = ()

    def get_absolute_url(self) -> str:
        if self.round:
            return reverse("tournaments:round", args=[self.tournament.slug, self.round])
        return f"{self.tournament.get_absolute_url()}#{self.on:%Y-%m-%d}"


def recent_news(count: int = 30, *, slug: str = "") -> list[News]:
    """The rounds and evenings in which a result came in last, the latest first; of one event where `slug` names it.
    Forfeits are no news. Three queries at most, one of them where there are tables."""
    games = Game.objects.filter(recorded_at__isnull=False, result__in=_PLAYED, pairing__superseded=False)
    games = games.filter(tournament__entry_size=1)  # of entries of more than one the contests are told
    games = games.exclude(pairing__round__state=Round.State.DRAFT)
    if slug:
        games = games.filter(tournament__slug=slug)
    else:
        # Results get their number when they are recorded: what came in last has the largest.
        last = Game.objects.filter(sequence__isnull=False).order_by("-sequence").values("pk")[:LOOKED_AT]
        games = games.filter(pk__in=last)
    rows = games.select_related("white", "black", "tournament", "pairing__round").order_by("-recorded_at", "-sequence")
    contests = Contest.objects.filter(withdrawn=False).exclude(pairing__superseded=True)
    contests = contests.exclude(pairing__round__state=Round.State.DRAFT)
    if slug:
        contests = contests.filter(tournament__slug=slug)
    tables = contests.select_related("tournament", "pairing__round", "game__pairing__round").order_by(
        "-recorded_at", "-sequence"
    )
    return _with_matches(_together(_grouped(rows[:MOST_RESULTS]), _tables(tables[:MOST_TABLES]))[:count])


def _with_matches(found: list[News]) -> list[News]:
    """The same; rounds of team events have their matches. One query where there are none, nine else."""
    facts = all_team_facts({news.tournament.pk for news in found if news.round})
    return [
        replace(news, matches=tuple((own, match) for match in own.matches if _is_news(match, news.round)))
        if (own := facts.get(news.tournament.pk))
        else news
        for news in found
    ]


def _is_news(match: MatchFacts, number: int) -> bool:
    return match.round.number == number and match.row.away_id is not None


# An event, the number of a round or 0, and then the day.
_Key = tuple[int, int, date | None]


def _key(event: int, pairing: Pairing | None, on: date | None) -> _Key:
    row = pairing.round if pairing else None
    return (event, row.number, None) if row else (event, 0, on)


def _together(games: dict[_Key, News], tables: dict[_Key, News]) -> list[News]:
    """Games and tables of one round or evening as one piece of news, the latest first."""
    for key, news in tables.items():
        if key in games:
            games[key] = replace(games[key], tables=news.tables, at=max(games[key].at, news.at))
        else:
            games[key] = news
    return sorted(
        games.values(), key=lambda news: (news.at, news.tournament.pk, news.round, news.on or date.min), reverse=True
    )


def _tables(contests: Iterable[Contest]) -> dict[_Key, News]:
    groups: dict[_Key, list[ShownContest]] = {}
    for shown in shown_contests(contests):
        row = shown.contest
        pairing = row.game.pairing if row.game else row.pairing
        groups.setdefault(_key(row.tournament_id, pairing, row.played_on), []).append(shown)
    found = {}
    for key, own in groups.items():
        at, first = max(shown.contest.recorded_at for shown in own), own[0].contest
        in_order = tuple(sorted(own, key=lambda shown: shown.contest.sequence))
        found[key] = News(first.tournament, key[1], first.played_on, at, tables=in_order)
    return found


def _grouped(games: Iterable[Game]) -> dict[_Key, News]:
    groups: dict[_Key, list[Game]] = {}
    for game in games:
        groups.setdefault(_key(game.tournament_id, game.pairing, game.played_on), []).append(game)
    found = {}
    for key, own in groups.items():
        _event, number, on = key
        at = max(game.recorded_at for game in own if game.recorded_at is not None)
        in_order = sorted(own, key=lambda game: (game.pairing.board or 0, game.sequence or 0))
        found[key] = News(own[0].tournament, number, on or own[0].played_on, at, tuple(in_order))
    return found


# Part of every entry's identity, so it never changes, whatever the site is called.
_IDENTITY = "club-rating"
Address = Callable[[str], str]  # a path on this site → its full address


def rounds_of_event(tournament: Tournament, viewer: Viewer, zone: tzinfo, address: Address) -> list[CalendarEvent]:
    """The event's rounds that have a day. One query."""
    return [_entry(row, zone, address) for row in _planned(viewer).filter(stage__tournament=tournament)]


def coming_rounds(today: date, viewer: Viewer, zone: tzinfo, address: Address) -> list[CalendarEvent]:
    """Every event's rounds from today on, without those of team events, which have matches. One query."""
    rounds = _planned(viewer).filter(planned_on__gte=today, stage__tournament__team_rules=None)
    return [_entry(row, zone, address) for row in rounds]


def _planned(viewer: Viewer) -> QuerySet[Round]:
    """Rounds with a day, in order of time; drafts are for officers."""
    rounds = Round.objects.filter(planned_on__isnull=False).select_related("stage__tournament")
    if viewer.level < Level.OFFICER:
        rounds = rounds.exclude(state=Round.State.DRAFT)
    at = F("planned_at").asc(nulls_first=True)
    return rounds.order_by("planned_on", at, "stage__tournament", "stage__order", "number")


def _entry(row: Round, zone: tzinfo, address: Address) -> CalendarEvent:
    stage, tournament = row.stage, row.stage.tournament
    text = _("%(event)s, %(stage)s, round %(number)s") if stage.name else _("%(event)s, round %(number)s")
    day = row.planned_on or date.min
    return CalendarEvent(
        uid=f"{tournament.slug}.{stage.order}.{row.number}@{_IDENTITY}",
        start=day if row.planned_at is None else datetime.combine(day, row.planned_at, zone),
        summary=text % {"event": tournament.name, "stage": stage.name, "number": row.number},
        place=tournament.place,
        url=address(reverse("tournaments:round", args=[tournament.slug, row.number])),
        sequence=row.revision,
        tentative=row.state == Round.State.DRAFT,
    )
