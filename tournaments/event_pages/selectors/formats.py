"""What the pages of Keizer, ladder, free play and Scheveningen show.

In a Scheveningen match the first half of the numbers is one team, the second half the other. Their names are the
setting `teams`, else A and B.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from fractions import Fraction

from django.db.models import Count, QuerySet, Sum

from players.models import Player
from players.privacy.rules import Viewer, sees_name
from ratings.lists.selectors.lists import main_list_of
from ratings.models import LedgerEntry, RatingList
from tournaments.events.selectors.event_data import Entrant, EventData
from tournaments.events.selectors.stages import field_of, system_of
from tournaments.events.selectors.standings import EventStandings, by_number, byes_of, meetings_of
from tournaments.models import Entry, Game, Stage, Tournament
from tournaments.pairing.base import read_options
from tournaments.pairing.keizer import Keizer
from tournaments.standings.crosstable import Meeting
from tournaments.standings.formats import LadderStep, ladder_order
from tournaments.standings.keizer import KeizerGain, keizer_list
from tournaments.standings.points import DECIDED_RESULTS, OUTCOMES, Result, point_system


# --- Keizer -------------------------------------------------------------------------------------------------------
@dataclass(frozen=True, slots=True)
class Gain:
    """What a round brought: `worth` for a "win", "draw" or "loss" against the opponent, or for a bye of that `kind`."""

    round: int
    kind: str
    opponent: Entrant | None
    worth: Fraction


@dataclass(frozen=True, slots=True)
class KeizerPlace:
    """A line of the list: the list value is what a win against this player is worth today."""

    place: int
    entrant: Entrant
    value: Fraction
    score: Fraction
    played: int
    gains: tuple[Gain, ...]


def is_keizer(event: EventData) -> bool:
    """Whether the stage is ranked by a Keizer list."""
    return isinstance(system_of(event.stage), Keizer)


def keizer_places(event: EventData) -> list[KeizerPlace]:
    """The list as it is now, best first; empty while nobody has a number."""
    system = system_of(event.stage)
    people = by_number(event)
    if not isinstance(system, Keizer) or not people:
        return []
    byes = byes_of(event, event.rounds)
    kinds = {(bye.player, bye.round): bye.kind for bye in byes}
    places = []
    for line in keizer_list(sorted(people), meetings_of(event.rounds), byes, system.rules(event.stage.settings)):
        gains = tuple(_gain(gain, people, kinds.get((line.player, gain.round), "")) for gain in line.gains)
        places.append(KeizerPlace(line.place, people[line.player], line.value, line.score, line.played, gains))
    return places


def _gain(gain: KeizerGain, people: dict[int, Entrant], bye: str) -> Gain:
    if gain.opponent is None:
        return Gain(gain.round, bye, None, gain.worth)
    kind = "win" if gain.share == 1 else "draw" if gain.share else "loss"
    return Gain(gain.round, kind, people[gain.opponent], gain.worth)


# --- ladder and free play -----------------------------------------------------------------------------------------
@dataclass(frozen=True, slots=True)
class LadderData:
    """The entries in the order of their places, those who left among them, and what each game did, by its key."""

    order: tuple[Entry, ...]
    steps: Mapping[int, LadderStep]
    entries: Mapping[int, Entry]


def ladder_of(stage: Stage) -> LadderData:
    """The ladder as it is now, from the numbers everybody came with and the games in order of replay. Two queries."""
    field = field_of(stage)
    numbers = {entry.player_id: number for number, entry in field.items()}
    games = Game.objects.filter(tournament=stage.tournament_id, sequence__isnull=False)
    keys, meetings = [], []
    for pk, white, black, result in games.order_by("played_on", "sequence").values_list(
        "pk", "white_id", "black_id", "result"
    ):
        if white in numbers and black in numbers:
            keys.append(pk)
            meetings.append(Meeting(0, numbers[white], numbers[black], Result(result)))
    system = system_of(stage)
    reach = int(read_options(system.options, stage.settings)["reach"]) if system else 0
    made = ladder_order(tuple(field), meetings, reach)
    return LadderData(tuple(field[number] for number in made.order), dict(zip(keys, made.steps, strict=True)), field)


@dataclass(frozen=True, slots=True)
class LadderPlace:
    """A place of the ladder and who holds it; the last climb from place `was` to `now` on that day, 0 for none."""

    place: int | None
    entry: Entry
    was: int
    now: int
    moved_on: date | None


@dataclass(frozen=True, slots=True)
class Season:
    """A player's games of a season. `change` is what they did to the rating; None where it is not shown."""

    player: Player
    games: int
    points: int
    wins: int
    draws: int
    losses: int
    change: float | None


def ladder_places(stage: Stage) -> list[LadderPlace]:
    """The places as they are now, first place first; who has left holds none. Three queries."""
    ladder = ladder_of(stage)
    numbers = {entry.pk: number for number, entry in ladder.entries.items()}
    climbs = {step.climber: (key, step) for key, step in ladder.steps.items() if step.moved}
    days = dict(Game.objects.filter(pk__in=[key for key, _step in climbs.values()]).values_list("pk", "played_on"))
    places, place = [], 0
    for entry in ladder.order:
        place += not entry.withdrawn
        key, step = climbs.get(numbers[entry.pk], (0, None))
        was, now = (step.was, step.now) if step else (0, 0)
        places.append(LadderPlace(None if entry.withdrawn else place, entry, was, now, days.get(key)))
    return places


def seasons_of(tournament: Tournament) -> list[int]:
    """The years with games, the latest first. A season is a calendar year."""
    games = Game.objects.filter(tournament=tournament).exclude(result="")
    return [day.year for day in games.dates("played_on", "year", order="DESC")]


def season_table(tournament: Tournament, season: int | None, viewer: Viewer) -> list[Season]:
    """Everybody who played in that year (None: ever), most points first. Five queries."""
    games = Game.objects.filter(tournament=tournament, result__in=DECIDED_RESULTS)
    if season is not None:
        games = games.filter(played_on__year=season)
    tally = _tally(games)
    changes = _changes(games, main_list_of(tournament.pool)) if tournament.rated else {}
    points = point_system(tournament.point_system)
    rows = []
    for player in Player.objects.filter(pk__in=tally):
        own = tally[player.pk]
        total = sum(points.share(share) * count for share, count in own.items())
        # K, and so that somebody is a junior, could be read off a change: shown only where the name is.
        change = changes.get(player.pk) if sees_name(player, viewer) else None
        rows.append(Season(player, sum(own.values()), total, own["win"], own["draw"], own["loss"], change))
    return sorted(rows, key=lambda row: (-row.points, row.games, row.player.number))


def _tally(games: QuerySet[Game]) -> dict[int, dict[str, int]]:
    """How many wins, draws and losses everybody has, by player's key."""
    tally: dict[int, dict[str, int]] = {}
    for side in ("white", "black"):
        for key, code, count in games.order_by().values_list(side, "result").annotate(count=Count("pk")):
            outcome = OUTCOMES[Result(code)]
            share = outcome.white if side == "white" else outcome.black
            own = tally.setdefault(key, {"win": 0, "draw": 0, "loss": 0})
            own[share or "loss"] += count
    return tally


def _changes(games: QuerySet[Game], rating_list: RatingList | None) -> dict[int, float]:
    if rating_list is None or not rating_list.public:
        return {}
    rows = LedgerEntry.objects.filter(rating_list=rating_list, generation=rating_list.live_generation, game__in=games)
    changes: dict[int, float] = {}
    for side in ("white", "black"):
        for key, change in rows.values_list(f"game__{side}").annotate(sum=Sum(f"{side}_change")).order_by():
            changes[key] = changes.get(key, 0.0) + (change or 0.0)
    return changes


# --- teams --------------------------------------------------------------------------------------------------------
SYSTEM = "scheveningen"


@dataclass(frozen=True, slots=True)
class Team:
    """A team: its name, its letter, its players' numbers by number, and the sum of their points."""

    name: str
    letter: str
    numbers: tuple[int, ...]
    points: int

    def label(self, number: int) -> str:
        """What a player is called in the table: A1, B4."""
        return f"{self.letter}{self.numbers.index(number) + 1}"


def teams_of(event: EventData, ranked: EventStandings) -> tuple[Team, ...]:
    """The two teams; none in another format."""
    if event.stage.pairing_system != SYSTEM or not ranked.entrants:
        return ()
    numbers = sorted(ranked.entrants)
    half = len(numbers) // 2
    named = event.stage.settings.get("teams") or ("A", "B")
    sides = zip(named, "AB", (numbers[:half], numbers[half:]), strict=True)
    return tuple(
        Team(str(name), letter, tuple(own), sum(ranked.table[number].points for number in own))
        for name, letter, own in sides
    )
