"""Who may still be entered in a tournament, and people who may be in the list of players twice.

Duplicates: the same words in another order, other accents, or one letter off. Names are put into buckets, by their
words and by their words with one letter left out, so that nobody is compared with everybody. Never a pair: two with
FIDE numbers of their own, two who met in a game, and one letter apart with different years of birth. Not done: "not the
same" is not remembered.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations

from django.db.models import Count, Q

from players.models import Player, PlayerIdentity
from players.people.names import latin_name, sort_key
from players.people.selectors import list_players
from players.privacy.rules import OFFICER
from ratings.lists.selectors.lists import main_list_of, ratings_now
from ratings.models import PlayerRating
from tournaments.models import Entry, EntryMember, Game, Tournament

# --- who may be entered -------------------------------------------------------------------------------------------
MOST_TO_TICK = 200  # longer lists are cut; a search narrows them down
MOST_TO_ENTER = 900  # at once: a form has a thousand fields


@dataclass(frozen=True, slots=True)
class Candidate:
    """Somebody who may still be entered. `rating` is empty for the unrated."""

    player: Player
    rating: PlayerRating | None
    ticked: bool


@dataclass(frozen=True, slots=True)
class Candidates:
    rows: list[Candidate]
    more: int


def candidates_for(
    tournament: Tournament, *, search: str, ticked: Collection[int], tick_all: bool = False
) -> Candidates:
    """Active players not yet entered, by name, those ticked always among them. `more` did not fit on the list;
    `tick_all` ticks everybody found, up to MOST_TO_ENTER."""
    most = MOST_TO_ENTER if tick_all else MOST_TO_TICK
    entered = Q(entries__tournament=tournament)
    if tournament.entry_size > 1:
        entered = Q(pk__in=EntryMember.objects.filter(tournament=tournament).values("player"))
    free = list_players(OFFICER).filter(active=True).exclude(entered)
    chosen = list(free.filter(pk__in=ticked))
    found = list_players(OFFICER, search=search.replace(",", " ")).filter(active=True)
    found = found.exclude(entered).exclude(pk__in=ticked)
    others = list(found[: most + 1])
    more = found.count() - most if len(others) > most else 0
    people = sorted([*chosen, *others[:most]], key=lambda player: (player.sort_name, player.number))
    rating_list = main_list_of(tournament.pool)
    ratings = ratings_now(rating_list, [player.pk for player in people]) if rating_list else {}
    rows = [Candidate(player, ratings.get(player.pk), tick_all or player.pk in ticked) for player in people]
    return Candidates(rows, more)


def with_the_one_ticked(found: Candidates) -> Candidates:
    """The same with a tick for the only one that a search has found beside those ticked already."""
    new = [row for row in found.rows if not row.ticked]
    if len(new) != 1:
        return found
    return Candidates([replace(row, ticked=True) for row in found.rows], found.more)


def entries_of(tournament: Tournament, players: Collection[Player]) -> dict[int, Entry]:
    """The entry in which each of those plays, by the player's key; whoever is not entered is missing."""
    rows: Iterable[Entry] = Entry.objects.filter(tournament=tournament, player__in=players)
    found = {row.player_id: row for row in rows}
    if tournament.entry_size > 1:
        members = EntryMember.objects.filter(tournament=tournament, player__in=players).select_related("entry")
        found |= {row.player_id: row.entry for row in members}
    return found


# --- possible duplicates ------------------------------------------------------------------------------------------
MOST_PAIRS = 100
_LARGEST_BUCKET = 20  # so many more people of one name are namesakes, not duplicates
_SHORTEST_WORD = 4  # letters; in shorter words one other letter makes another name


@dataclass(frozen=True, slots=True)
class Twins:
    """Two records that may be one person's, with their games; `is_exact`: the words of the names are the same."""

    first: Player
    second: Player
    is_exact: bool
    first_games: int
    second_games: int


def possible_duplicates() -> tuple[list[Twins], int]:
    """The pairs, the surest first, and how many more there are. Five queries, however many people."""
    people = {player.pk: player for player in Player.objects.filter(merged_into=None, active=True).exclude(name="")}
    pairs = _pairs(people.values())
    numbered = set(PlayerIdentity.objects.filter(scheme=PlayerIdentity.Scheme.FIDE).values_list("player", flat=True))
    likely = [pair for pair in pairs if not set(pair) <= numbered and _may_be_one(people, pair, pairs[pair])]
    likely.sort(key=lambda pair: (not pairs[pair], people[pair[0]].sort_name, pair))
    shown = likely[: 2 * MOST_PAIRS]
    people_shown = {key for pair in shown for key in pair}
    games_shown = Game.objects.filter(white__in=people_shown, black__in=people_shown)
    met = {frozenset(row) for row in games_shown.values_list("white", "black").distinct()}
    left = [pair for pair in shown if frozenset(pair) not in met]
    games = _games({key for pair in left for key in pair})
    twins = [
        Twins(people[one], people[two], pairs[one, two], games.get(one, 0), games.get(two, 0))
        for one, two in left[:MOST_PAIRS]
    ]
    return twins, len(likely) - (len(shown) - len(left)) - len(twins)


def likely_people(newcomers: Mapping[int, tuple[str, int | None]]) -> dict[int, list[Player]]:
    """Whom newcomers (by any key: name and year of birth) may be by the same rules, the surest first. One query."""
    if not newcomers:
        return {}
    known = {player.pk: player for player in Player.objects.filter(merged_into=None).exclude(name="")}
    new = {-place: key for place, key in enumerate(newcomers, start=1)}
    people = known | {
        place: Player(pk=place, number=0, name=newcomers[key][0], birth_year=newcomers[key][1])
        for place, key in new.items()
    }
    found: dict[int, list[tuple[bool, Player]]] = {}
    for pair, is_exact in _pairs(people.values()).items():
        place, other = sorted(pair)
        if place < 0 < other and _may_be_one(people, pair, is_exact):
            found.setdefault(new[place], []).append((not is_exact, known[other]))
    return {
        key: [player for _near, player in sorted(rows, key=lambda row: (row[0], row[1].number))]
        for key, rows in found.items()
    }


def _pairs(people: Iterable[Player]) -> dict[tuple[int, int], bool]:
    """Pairs of keys that share a bucket, and whether their words are the same."""
    exact: dict[str, list[int]] = {}
    near: dict[str, list[int]] = {}
    for player in sorted(people, key=lambda player: player.number):
        words = sorted(sort_key(latin_name(player.name, player.reading)).split())
        exact.setdefault(" ".join(words), []).append(player.pk)
        for key in {" ".join(words), *_one_letter_less(words)}:
            near.setdefault(key, []).append(player.pk)
    found = dict.fromkeys(_within(near.values()), False)
    return found | dict.fromkeys(_within(exact.values()), True)


def _within(buckets: Iterable[Sequence[int]]) -> Iterator[tuple[int, int]]:
    for bucket in buckets:
        if 1 < len(bucket) <= _LARGEST_BUCKET:
            yield from combinations(bucket, 2)


def _one_letter_less(words: Sequence[str]) -> Iterator[str]:
    """The words in order, with one letter of one of them open or left out."""
    for at, word in enumerate(words):
        if len(word) < _SHORTEST_WORD:
            continue
        others = " ".join((*words[:at], *words[at + 1 :]))
        for index in range(len(word)):
            yield f"{others} {word[:index]}*{word[index + 1 :]}"  # another letter in its place
            yield f"{others} {word[:index]}{word[index + 1 :]}"  # a letter too many
        yield f"{others} {word}"


def _may_be_one(people: dict[int, Player], pair: tuple[int, int], is_exact: bool) -> bool:
    if is_exact:
        return True
    born = {people[key].birth_year for key in pair} - {None}
    one, other = (sort_key(people[key].name).split() for key in pair)
    mine, theirs = [word for word in one if word not in other], [word for word in other if word not in one]
    return len(born) < 2 and len(mine) == len(theirs) == 1 and one_letter_apart(mine[0], theirs[0])


def one_letter_apart(one: str, other: str) -> bool:
    """Whether two words differ by one letter: another, one too many, or two neighbours exchanged."""
    short, long = sorted((one, other), key=len)
    at = next((at for at, letter in enumerate(short) if letter != long[at]), len(short))
    if len(short) == len(long):
        exchanged = short[at : at + 2] == long[at : at + 2][::-1] and short[at + 2 :] == long[at + 2 :]
        return short != long and (short[at + 1 :] == long[at + 1 :] or exchanged)
    return len(long) == len(short) + 1 and short[at:] == long[at + 1 :]


def _games(keys: set[int]) -> dict[int, int]:
    """Games by player."""
    found: dict[int, int] = {}
    for side in ("white", "black"):
        rows = Game.objects.filter(Q(**{f"{side}__in": keys})).values(side).annotate(count=Count("pk"))
        for row in rows.order_by():
            found[row[side]] = found.get(row[side], 0) + row["count"]
    return found
