"""What the tests of pairs share: a round robin of three pairs, rated by the mean of a side's members."""

from collections.abc import Sequence
from datetime import date

from players.models import Player
from ratings.lists.services import NewRule, create_list, set_rules
from ratings.models import RatingList
from tests import factory
from tournaments.entries.services.entries import enter_players, number_in_order
from tournaments.events.services.events import NewTournament, create_tournament
from tournaments.models import Entry, Game, Tournament
from tournaments.rounds.services.rounds import pair_all_rounds


def make_lists() -> tuple[RatingList, RatingList]:
    """A pool with a list that rates sides, K 20 from the first contest on, and one that rates games only."""
    sides = create_list(name="Doubles", slug="doubles", pool="doubles", by=None)
    set_rules(sides, [NewRule(date(1900, 1, 1), "elo", {"preset": "constant", "k": 20})], by=None)
    games = create_list(name="Singles", slug="singles", pool="doubles", by=None, system="glicko", primary=False)
    return sides, games


def enter_pairs(event: Tournament, players: Sequence[Player]) -> list[Entry]:
    """Neighbours enter together, in that order."""
    partners = {one.pk: (other,) for one, other in zip(players[::2], players[1::2], strict=True)}
    return enter_players(event, players[::2], by=None, partners=partners)


def make_event(players: Sequence[Player], system: str = "round-robin", **facts: object) -> Tournament:
    """An event of pairs, entered and numbered in that order."""
    new = NewTournament(
        "Doubles Cup", pairing_system=system, starts_on=factory.MONDAY, pool="doubles", **{"entry_size": 2, **facts}
    )  # type: ignore[arg-type]
    event = create_tournament(new, by=None)
    number_in_order(factory.stage_of(event), enter_pairs(event, players), by=None)
    return event


def make_doubles(players: Sequence[Player], **facts: object) -> Tournament:
    """The same with its rounds."""
    event = make_event(players, **facts)
    pair_all_rounds(factory.stage_of(event), by=None, first_day=factory.MONDAY)
    return event


def game_between(event: Tournament, one: Player, other: Player) -> Game:
    """The board of the entries whose first players these are, White first or not."""
    keys = (one.pk, other.pk)
    return Game.objects.get(tournament=event, white__in=keys, black__in=keys)
