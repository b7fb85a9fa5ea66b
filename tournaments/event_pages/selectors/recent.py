"""What came in last, round by round: for feeds, in which a round is one piece of news."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date, datetime

from django.urls import reverse

from tournaments.models import Game, Round, Tournament
from tournaments.standings.points import DECIDED_RESULTS, OUTCOMES

# So many results are looked through.
MOST_RESULTS = 400
LOOKED_AT = 4 * MOST_RESULTS  # games: forfeits, drafts and loaded streams are among them
_PLAYED = [code for code in DECIDED_RESULTS if OUTCOMES[code].played]


@dataclass(frozen=True, slots=True)
class News:
    """The results of a round, or of an evening of free play (`round` 0), in order of boards; `at` is when the last of
    them came in."""

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
    return [_news(number, on, own) for (_event, number, on), own in groups.items()]


def _news(number: int, on: date | None, games: list[Game]) -> News:
    at = max(game.recorded_at for game in games if game.recorded_at is not None)
    in_order = sorted(games, key=lambda game: (game.pairing.board or 0, game.sequence or 0))
    return News(games[0].tournament, number, on or games[0].played_on, at, tuple(in_order))
