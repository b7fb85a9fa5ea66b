"""For feed readers and calendars: the latest results, round by round, and the dates of rounds, without names."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import date, datetime, tzinfo

from django.db.models import F, QuerySet
from django.urls import reverse
from django.utils.translation import gettext as _

from players.privacy.rules import Level, Viewer
from tournaments.interchange.ics import CalendarEvent
from tournaments.models import Game, Round, Tournament
from tournaments.standings.points import DECIDED_RESULTS, OUTCOMES

MOST_RESULTS = 400  # are looked through
LOOKED_AT = 4 * MOST_RESULTS  # games: forfeits, drafts and loaded streams are among them
_PLAYED = [code for code in DECIDED_RESULTS if OUTCOMES[code].played]


@dataclass(frozen=True, slots=True)
class News:
    """The results of a round, or of an evening of free play (`round` 0), by boards; `at`: when the last came in."""

    tournament: Tournament
    round: int
    on: date | None
    at: datetime
    games: tuple[Game, ...]

    def get_absolute_url(self) -> str:
        if self.round:
            return reverse("tournaments:round", args=[self.tournament.slug, self.round])
        return f"{self.tournament.get_absolute_url()}#{self.on:%Y-%m-%d}"


def recent_news(count: int = 30, *, slug: str = "") -> list[News]:
    """The rounds and evenings in which a result came in last, the latest first; of one event where `slug` names it.
    Forfeits are no news. One query."""
    games = Game.objects.filter(recorded_at__isnull=False, result__in=_PLAYED, pairing__superseded=False)
    games = games.exclude(pairing__round__state=Round.State.DRAFT)
    if slug:
        games = games.filter(tournament__slug=slug)
    else:
        # Results get their number when they are recorded: what came in last has the largest.
        last = Game.objects.filter(sequence__isnull=False).order_by("-sequence").values("pk")[:LOOKED_AT]
        games = games.filter(pk__in=last)
    rows = games.select_related("white", "black", "tournament", "pairing__round").order_by("-recorded_at", "-sequence")
    return _grouped(rows[:MOST_RESULTS])[:count]


def _grouped(games: Iterable[Game]) -> list[News]:
    groups: dict[tuple[int, int, date | None], list[Game]] = {}
    for game in games:
        row = game.pairing.round
        key = (game.tournament_id, row.number, None) if row else (game.tournament_id, 0, game.played_on)
        groups.setdefault(key, []).append(game)
    found = []
    for (_event, number, on), own in groups.items():
        at = max(game.recorded_at for game in own if game.recorded_at is not None)
        in_order = sorted(own, key=lambda game: (game.pairing.board or 0, game.sequence or 0))
        found.append(News(own[0].tournament, number, on or own[0].played_on, at, tuple(in_order)))
    return found


# Part of every entry's identity, so it never changes, whatever the site is called.
_IDENTITY = "club-rating"
Address = Callable[[str], str]  # a path on this site → its full address


def rounds_of_event(tournament: Tournament, viewer: Viewer, zone: tzinfo, address: Address) -> list[CalendarEvent]:
    """The event's rounds that have a day. One query."""
    return [_entry(row, zone, address) for row in _planned(viewer).filter(stage__tournament=tournament)]


def coming_rounds(today: date, viewer: Viewer, zone: tzinfo, address: Address) -> list[CalendarEvent]:
    """Every event's rounds from today on. One query."""
    return [_entry(row, zone, address) for row in _planned(viewer).filter(planned_on__gte=today)]


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
