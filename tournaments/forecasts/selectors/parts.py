"""Events of several parts as the forecasts take them: groups and their knockout, stations and what moves ratings there.

The parts are handed in with their drafts (`OFFICER`), as for a round robin and a bracket: what is drawn already is to
come as well, and nobody reads it off the figures.
"""

from collections.abc import Mapping, Sequence
from copy import copy
from datetime import date
from random import Random

from django.utils import timezone

from ratings.ledger.services.rows import state_of
from ratings.lists.selectors.lists import ratings_now
from ratings.lists.services import reentry_of, rules_of
from ratings.models import RatingList
from ratings.systems.base import SEQUENCE_BITS, Memory, Period, PlayedGame, PlayerState
from ratings.systems.replay import replay
from tournaments.events.selectors.event_data import Entrant, EventData
from tournaments.events.selectors.overall import has_overall_order, overall_order
from tournaments.events.selectors.stages import system_of
from tournaments.events.selectors.standings import by_number
from tournaments.forecast.groups_playouts import Group, GroupsToCome
from tournaments.forecast.knockout_playouts import KnockoutToCome
from tournaments.forecast.stations_playouts import Played, Standing, Station, StationsToCome
from tournaments.forecasts.selectors.running import knockout_to_come, running_of
from tournaments.models import Tournament
from tournaments.pairing.base import Bracket, BracketSystem, read_options
from tournaments.pairing.groups import GroupsThenKnockout, seeds


def is_played_out(event: EventData) -> bool:
    """Whether the stations can be: their list moves both ratings with every game, and remembers nothing else."""
    if not has_overall_order(event) or event.rating_list is None:
        return False
    rule = rules_of(event.rating_list).on(_rules_day(event.tournament))
    return rule.period == Period.GAME and rule.memory == Memory.LEDGER


def _rules_day(tournament: Tournament) -> date:
    """The day whose rules rate the event's games: its first."""
    return tournament.starts_on or timezone.localdate()


# --- groups -------------------------------------------------------------------------------------------------------
def groups_to_come(event: EventData, parts: Sequence[EventData]) -> GroupsToCome:
    """The groups of the whole event, with the bracket as it will be drawn: nothing of it is left to lots."""
    chosen = read_options(GroupsThenKnockout.options, event.stage.settings)
    members = seeds(chosen["groups"], chosen["qualifiers"])
    return GroupsToCome(
        tuple(_group(part) for part in parts if not part.is_bracket),
        members,
        KnockoutToCome(_bracket(knockout_of(parts), len(members)), games=chosen["games"]),
    )


def knockout_of(parts: Sequence[EventData]) -> EventData:
    """The part after the groups."""
    return next(part for part in parts if part.is_bracket)


def numbers_of(part: EventData, bracket: KnockoutToCome) -> tuple[int, ...]:
    """The event's numbers of the bracket's seeds."""
    people = by_number(part)
    return tuple(people[seed].card or 0 for seed in bracket.seeds)


def _group(part: EventData) -> Group:
    people = by_number(part)
    running = running_of(part)
    gone = frozenset(number for number, person in people.items() if person.withdrawn)
    return Group(running, tuple(people[number].card or 0 for number in running.players), gone)


def _bracket(part: EventData, players: int) -> Bracket:
    system = system_of(part.stage)
    assert isinstance(system, BracketSystem)
    return system.bracket(players, part.stage.settings, Random(0))


# --- stations -----------------------------------------------------------------------------------------------------
def stations_to_come(event: EventData, parts: Sequence[EventData], rate: "ListRate") -> StationsToCome:
    """The stations of the whole event. `rate` knows where newcomers begin."""
    ratings = {}
    for row in overall_order(event, parts):
        number, start = row.entrant.number or 0, rate.states[row.entrant.number or 0].rating
        ratings[number] = Standing(start if row.before is None else row.before, start if row.now is None else row.now)
    return StationsToCome(tuple(_station(part) for part in parts), ratings)


def _station(part: EventData) -> Station:
    if part.rounds:
        to_come = knockout_to_come(part)
        return Station(to_come, numbers_of(part, to_come), drawn=True)
    system = system_of(part.stage)
    assert system is not None
    games = int(read_options(system.options, part.stage.settings)["games"])
    numbers = tuple(person.card or 0 for person in part.entrants if not person.withdrawn)
    return Station(KnockoutToCome(_bracket(part, len(numbers)), games=games), numbers, drawn=False)


class ListRate:
    """What games of an event played today would do to ratings in a list, from everybody's present state (`states`, by
    the event's numbers): the list's own rules in the one loop that rates (`replay`). Two queries."""

    def __init__(self, rating_list: RatingList, people: Mapping[int, Entrant], event: Tournament) -> None:
        self.rules, self.reentry = rules_of(rating_list), reentry_of(rating_list)
        self.day, self.rules_day = timezone.localdate().toordinal(), _rules_day(event).toordinal()
        self.importance = event.importance
        self.births = {number: person.player.birth_year for number, person in people.items()}
        rows = ratings_now(rating_list, [person.player.pk for person in people.values()])
        self.states = {
            number: state_of(rows[person.player.pk], self.births[number])
            if person.player.pk in rows
            else self._newcomer(number)
            for number, person in people.items()
        }

    def _newcomer(self, number: int) -> PlayerState:
        rule = self.rules.on(self.rules_day)
        state = rule.system.newcomer(rule.settings, self.births[number], self.day)
        assert state is not None, "a system that rates game by game knows where everybody begins"
        return state

    def __call__(self, games: Sequence[Played]) -> Mapping[int, float]:
        states = {player: copy(self.states[player]) for game in games for player in (game.white, game.black)}
        played = [
            PlayedGame(at, *game, self.day << SEQUENCE_BITS | at, self.rules_day, importance=self.importance)
            for at, game in enumerate(games, start=1)
        ]
        rows = replay(played, (), states=states, birth_years=self.births, rules=self.rules, reentry=self.reentry)
        for _row in rows:
            pass
        return {player: state.rating - self.states[player].rating for player, state in states.items()}
