"""Compute a downloaded list again from exported games, and say where it differs. No database.

The games up to the list's day are rated from nothing, with the rules and starting ratings that stand in the list.
Compared are the digest the list claims with its own rows, every row (rating to four decimals, games, probation), the
digest with the rows computed, and the order of the places. Who is active is no fact of the games: whoever has a place
must be off probation, but somebody off probation may have none.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from itertools import pairwise

from clubrating.ground.marks import marked
from ratings.systems.base import PlayedGame, PlayerState, order_key
from ratings.systems.published import SealedRow, Terms, list_digest
from ratings.systems.replay import replay
from ratings.systems.rules import Listing
from ratings.systems.sides import GamesAndContests, Played, PlayedContest, players_in
from tournaments.interchange.games_csv import ExportedGames
from tournaments.interchange.list_csv import ListFile, ListRow


@dataclass(frozen=True, slots=True)
class Checked:
    """What came out: `differences` name players by number; `digest` is that of the rows computed."""

    games: int
    digest: str
    differences: tuple[str, ...]


class BirthsMissingError(ValueError):
    """The list's rules look at years of birth, and the games do not tell them."""


PooledContests = Sequence[tuple[str, PlayedContest]]  # each with its pool


def check_list(found: ListFile, games: ExportedGames, contests: PooledContests = ()) -> Checked:
    """Compute the list again, from contests with sides too where there are any, and compare. Raises
    BirthsMissingError, and ValueError where it cannot be rated."""
    played = play_of(found.terms, games, contests)
    states = recompute(found.terms, played, games.births)
    if not games.knows_births and _births_matter(found.terms, played, states):
        raise BirthsMissingError(
            marked(
                "The rules of this list give juniors another K or start, and the games have no columns white_born and "
                "black_born: export them without --public."
            )
        )
    rows = {
        player: SealedRow(player, state.rating, state.games, found.terms.probation.holds(state))
        for player, state in states.items()
    }
    digest = list_digest(rows.values(), found.settings)
    return Checked(count_of(played), digest, tuple(_differences(found, rows, states, digest)))


def games_of(terms: Terms, games: ExportedGames) -> list[PlayedGame]:
    """The games of the list's pool up to its day, as they stood then: events that were running are not over."""
    end = order_key(terms.on + timedelta(days=1), 0)
    running = set(terms.running)
    return [
        game._replace(closed=game.event not in running)
        for pool, game in games.rows
        if pool == terms.pool and game.order < end
    ]


def play_of(terms: Terms, games: ExportedGames, contests: PooledContests) -> Played:
    """The same with the contests of the pool up to that day."""
    end = order_key(terms.on + timedelta(days=1), 0)
    own = [contest for pool, contest in contests if pool == terms.pool and contest.order < end]
    played = games_of(terms, games)
    return GamesAndContests(played, own) if own else played


def count_of(played: Played) -> int:
    """How many games and contests."""
    return sum(1 for _ in played)


def recompute(terms: Terms, games: Played, births: Mapping[int, int | None]) -> dict[int, PlayerState]:
    """Everybody's state after those games, by number."""
    states: dict[int, PlayerState] = {}
    starts = sorted(terms.starts, key=lambda start: (start.order, start.player))
    rules, reentry = terms.dated_rules(), terms.reentry
    for _row in replay(games, starts, states=states, birth_years=births, rules=rules, reentry=reentry):
        pass
    return states


def _births_matter(terms: Terms, games: Played, without: Mapping[int, PlayerState]) -> bool:
    """Whether any rating would be another one if everybody were a junior."""
    players = players_in(games)
    # Born in the year of the list: below the age limit of every rule.
    children = recompute(terms, games, dict.fromkeys(players, terms.on.year))
    return any(children[player].rating != state.rating for player, state in without.items() if player in children)


def _differences(
    found: ListFile, rows: Mapping[int, SealedRow], states: Mapping[int, PlayerState], digest: str
) -> Iterator[str]:
    claimed = list_digest([row.sealed for row in found.rows], found.settings)
    if claimed != found.digest:
        yield f"digest: the list says {found.digest}, its own rows and settings give {claimed}"
    listed = {row.sealed.number: row for row in found.rows}
    for number in sorted({*listed, *rows}):
        yield from _row_differences(number, listed.get(number), rows.get(number))
    if digest != found.digest and claimed == found.digest:
        yield f"digest: the list says {found.digest}, the rows computed give {digest}"
    rule = found.terms.dated_rules().on(found.terms.on)
    yield from _place_differences(found.rows, states, rule.system.listing(rule.settings))


def _row_differences(number: int, listed: ListRow | None, computed: SealedRow | None) -> Iterator[str]:
    if computed is None:
        yield f"#{number}: in the list, and has neither a rated game nor a starting rating"
    elif listed is None:
        yield f"#{number}: not in the list; computed: rating {computed.figure}, {computed.games} games"
    else:
        found = listed.sealed
        pairs = (
            ("rating", found.figure, computed.figure),
            ("games", found.games, computed.games),
            ("provisional", int(found.provisional), int(computed.provisional)),
        )
        for what, stands, comes in pairs:
            if stands != comes:
                yield f"#{number}: {what} is {stands}, computed {comes}"


def _place_differences(rows: Sequence[ListRow], states: Mapping[int, PlayerState], listing: Listing) -> Iterator[str]:
    placed = sorted((row for row in rows if row.place is not None), key=lambda row: row.place or 0)
    for expected, row in enumerate(placed, start=1):
        if row.place != expected:
            yield f"#{row.sealed.number}: place is {row.place}, and place {expected} is missing"
            return
    for row in placed:
        if row.sealed.provisional:
            yield f"#{row.sealed.number}: has place {row.place} while on probation"
    for ahead, behind in pairwise(placed):
        first, second = states.get(ahead.sealed.number), states.get(behind.sealed.number)
        if first and second and _rank(second, listing) < _rank(first, listing):
            yield f"#{behind.sealed.number}: place {behind.place}, computed ahead of #{ahead.sealed.number}"


def _rank(state: PlayerState, listing: Listing) -> tuple[float, int]:
    return -round(listing.value(state.rating, state.deviation), 4), state.reached
