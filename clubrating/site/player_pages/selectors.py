"""What a player's page asks of events: the places the player took, and the next game."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, timedelta

from django.db.models import Case, Count, F, When

from clubrating.site.mine.selectors import Board
from players.models import Player
from ratings.lists.selectors.history import contest_rows_of
from ratings.models import ContestEntry, RatingList
from tournaments.contests.selectors import ShownContest, shown_contests
from tournaments.event_list.selectors import State, state_of_facts
from tournaments.events.selectors.events import public_facts, whole_of
from tournaments.events.selectors.stages import games_with, name_sides, sits_at
from tournaments.models import Contest, Game, Round, Stage, Tournament
from tournaments.prizes.selectors import final_places
from tournaments.standings.points import DECIDED_RESULTS, Result

# Places are worked out from all boards of an event, so of the latest events only those of together so many entries.
MOST_ENTRIES = 500
OVERDUE = timedelta(days=60)
_OPEN = [code.value for code in Result if code not in DECIDED_RESULTS]


@dataclass(frozen=True, slots=True)
class Placing:
    """Places `first` to `last` (one unless shared) of `players`; `final`: the event is over."""

    first: int
    last: int
    players: int
    final: bool


def placings_of(player: Player, slugs: Sequence[str], today: date) -> dict[str, Placing]:
    """The player's places in those events, by their addresses; the first of them come first where they are too large
    to be looked at altogether. Whoever has no place, and free play, which has none, are missing. Five queries."""
    events = Tournament.objects.filter(slug__in=slugs, open_ended=False).annotate(size=Count("entries"))
    chosen, entries = [], 0
    for event in sorted(events, key=lambda each: slugs.index(each.slug)):
        entries += event.size
        if entries > MOST_ENTRIES:
            break
        chosen.append(event)
    stages: dict[int, list[Stage]] = {event.pk: [] for event in chosen}
    for stage in Stage.objects.filter(tournament__in=chosen).select_related("tournament").order_by("order"):
        stages[stage.tournament_id].append(stage)
    found: dict[str, Placing] = {}
    for key, facts in public_facts({key: own for key, own in stages.items() if own}).items():
        places = final_places(facts) or []
        own_place = next((row for row in places if sits_at(row.entrant.player, player.pk)), None)
        if own_place is not None:
            is_over = state_of_facts(whole_of(stages[key], facts), today) == State.FINISHED
            slug = facts[0].tournament.slug
            found[slug] = Placing(own_place.first, own_place.last, len(places), is_over)
    return found


@dataclass(frozen=True, slots=True)
class OwnContest:
    """A row of the ledger, and the contest it is of."""

    entry: ContestEntry
    shown: ShownContest

    @property
    def others(self) -> Sequence[Player]:
        """Whoever sat on the player's side too."""
        return [player for player in self._people(own=True) if player.pk != self.entry.player]

    @property
    def opponents(self) -> Sequence[Player]:
        """Whoever sat on another side, best placed first."""
        return self._people(own=False)

    def _people(self, *, own: bool) -> list[Player]:
        sides = self.shown.sides
        return [
            member.player
            for side in sides
            if any(each.player_id == self.entry.player for each in side.members) == own
            for member in side.members
        ]


def contests_played(rating_list: RatingList, player: Player, first: int, end: int) -> list[OwnContest]:
    """Some of the player's contests in that list, counted from the latest on. Three queries."""
    entries = list(contest_rows_of(rating_list, player)[first:end])
    rows = Contest.objects.select_related("tournament").in_bulk([entry.contest_id for entry in entries])
    shown = shown_contests(rows[entry.contest_id] for entry in entries)
    return [OwnContest(entry, contest) for entry, contest in zip(entries, shown, strict=True)]


def next_game_of(player: Player, today: date) -> Board | None:
    """The player's next game of a published round that has no result yet, the event and the people joined in. Of
    several the earliest of the days to come, else the one overdue; long overdue it will not be played. One query."""
    games = Game.objects.filter(games_with([player.pk]), result__in=_OPEN, pairing__superseded=False)
    games = games.filter(tournament__closed=False, pairing__round__state=Round.State.PUBLISHED)
    games = games.select_related("white", "black", "tournament", "pairing__round")
    planned = F("pairing__round__planned_on")
    games = games.exclude(pairing__round__planned_on__lt=today - OVERDUE)
    overdue = Case(When(pairing__round__planned_on__lt=today, then=1), default=0)
    game = games.order_by(overdue, planned.asc(nulls_last=True), "pairing__round__number", "pk").first()
    if game is None:
        return None
    name_sides([game])
    return Board(game, sits_at(game.white, player.pk))
