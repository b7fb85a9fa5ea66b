"""What several clubs are joined from: each club's list with the games it follows from, keys, bridge games (pure).

Everything is read and checked before anything is computed, and all that is wrong is told at once, each with its file.
A club's list must follow from its games, as `verify_list` says; all lists are of one day and in Elo points. Of a list
whose rules look at years of birth, which games for other clubs do not tell, only the digest is checked.
"""

from collections.abc import Callable, Mapping, Sequence, Set
from dataclasses import dataclass, field
from datetime import date
from functools import cached_property, partial
from hashlib import sha256
from itertools import pairwise
from typing import NamedTuple, Protocol, TypeVar

from clubrating.ground.marks import marked, sentence
from clubrating.site.lists.list_check import BirthsMissingError, check_list, games_of
from ratings.history.one_scale import Bridge, Member, Same, joined_to
from ratings.systems.base import PlayedGame
from ratings.systems.published import SealedRow, list_digest
from tournaments.interchange.bridges_csv import BridgeRow, KeyRow, read_bridges, read_keys
from tournaments.interchange.games_csv import ExportedGames, read_exported_games
from tournaments.interchange.list_csv import ListFile, read_list
from tournaments.interchange.tables_csv import BadRow, Rows, UnreadableFileError

LETTERS = "ABCDEFGH"
KEYS, BRIDGES = "keys", "bridges"
T = TypeVar("T")
F = TypeVar("F", bound="_File")


class Problem(NamedTuple):
    """What is wrong, and with which file: `list_a`, `games_a`, …, `keys`, `bridges`."""

    file: str
    text: str


class UnusableInputError(ValueError):
    """The files cannot be joined; every reason."""

    def __init__(self, problems: Sequence[Problem]) -> None:
        self.problems = tuple(problems)
        super().__init__("\n".join(problem.text for problem in problems))


@dataclass(frozen=True, slots=True)
class Most:
    """How much is joined at once. Work grows with members × games, and with the cube of the bridge games."""

    members: int = 2_000  # with a place, of all clubs
    games: int = 100_000  # of all clubs
    bridges: int = 1_000
    rules: int = 50  # dated ones, of a club's list


@dataclass(frozen=True)
class Club:
    """A club's list and its games up to the list's day; the keys of its members by number."""

    letter: str
    list: ListFile
    games: Sequence[PlayedGame]
    keys: Mapping[int, str]

    @cached_property
    def first_days(self) -> Mapping[int, date]:
        """Everybody's first game."""
        found: dict[int, date] = {}
        for game in self.games:
            for player in (game.white, game.black):
                found.setdefault(player, game.played_on)
        return found

    @cached_property
    def ratings(self) -> Mapping[int, SealedRow]:
        """The rows of those with a place and a rated game, by number."""
        rows = {row.sealed.number: row.sealed for row in self.list.rows if row.place is not None}
        return {number: row for number, row in sorted(rows.items()) if number in self.first_days}

    @cached_property
    def met(self) -> Set[tuple[int, int, date]]:
        """Who met whom when, either way round."""
        pairs = {(game.white, game.black, game.played_on) for game in self.games}
        return pairs | {(black, white, day) for white, black, day in pairs}


@dataclass(frozen=True)
class Inputs:
    """Clubs in order, the games between them, and who belongs to two clubs; `digests`: of the files as they came;
    `unchecked`: the clubs whose lists could not be computed again, for want of years of birth."""

    on: date
    clubs: tuple[Club, ...]
    bridges: tuple[Bridge, ...]
    same: tuple[Same, ...]
    digests: Mapping[str, str]
    unchecked: tuple[str, ...]


def list_of(letter: str) -> str:
    """The list's file of a club."""
    return f"list_{letter.lower()}"


def games_file_of(letter: str) -> str:
    """The games' file of a club."""
    return f"games_{letter.lower()}"


def month_of(day: date) -> int:
    """Games count as of the first of their month (ordinal): strengths hardly move within one."""
    return day.replace(day=1).toordinal()


def read_inputs(files: Mapping[str, bytes], *, today: date, most: Most) -> Inputs:
    """All files by name, those of club A first. Raises UnusableInputError with everything that is wrong."""
    letters = [letter for letter in LETTERS if list_of(letter) in files]
    reading = _Reading(files, most)
    keys = reading.rows(KEYS, partial(read_keys, clubs=letters))
    bridges = reading.rows(BRIDGES, partial(read_bridges, today=today))
    clubs, exported = [], []
    for letter in letters:
        found = reading.whole(list_of(letter), read_list)
        if found and found.terms.on > today:
            reading.say(list_of(letter), marked("The list is of a day that has not come: download it anew."))
            found = None
        pool = found.terms.pool if found else ""
        games = reading.whole(games_file_of(letter), partial(read_exported_games, today=today, default_pool=pool))
        if found and games:
            own = {row.number: row.key for row in keys if row.club == letter}
            clubs.append(Club(letter, found, games_of(found.terms, games), own))
            exported.append(games)
    reading.end()
    reading.check_sizes(clubs, bridges)
    reading.check_rules(clubs)
    reading.end()
    reading.check_terms(clubs)
    reading.end()
    unchecked = [
        club.letter for club, games in zip(clubs, exported, strict=True) if not reading.check_list(club, games)
    ]
    reading.check_keys(clubs, keys)
    played, same = reading.bridges(clubs, bridges), same_people(clubs)
    reading.end()
    reading.check_joined(clubs, played, same)
    reading.end()
    digests = {name: sha256(data).hexdigest() for name, data in sorted(files.items())}
    return Inputs(clubs[0].list.terms.on, tuple(clubs), tuple(played), same, digests, tuple(unchecked))


def same_people(clubs: Sequence[Club]) -> tuple[Same, ...]:
    """Those with one key in two clubs, as far as both lists have them."""
    return tuple(
        (one, other)
        for members in members_by_key(clubs).values()
        for one, other in pairwise([each for each in members if each.player in clubs[each.club].ratings])
    )


def unused_keys(clubs: Sequence[Club]) -> int:
    """How many keys of two clubs join nothing, because a list has no place for their holder."""
    return sum(
        1
        for members in members_by_key(clubs).values()
        if len(members) > 1 and any(each.player not in clubs[each.club].ratings for each in members)
    )


def members_by_key(clubs: Sequence[Club]) -> dict[str, list[Member]]:
    """In order of clubs."""
    found: dict[str, list[Member]] = {}
    for at, club in enumerate(clubs):
        for number, key in sorted(club.keys.items()):
            found.setdefault(key, []).append(Member(at, number))
    return found


# --- checks ---------------------------------------------------------------------------------------------------------
class _File(Protocol):
    """What a reader makes of a file."""

    @property
    def bad(self) -> tuple[BadRow, ...]: ...


@dataclass
class _Reading:
    """What was found wrong so far."""

    files: Mapping[str, bytes]
    most: Most
    problems: list[Problem] = field(default_factory=list)

    def end(self) -> None:
        """Raises UnusableInputError where something was."""
        if self.problems:
            raise UnusableInputError(self.problems)

    def say(self, file: str, text: str, line: int | None = None) -> None:
        self.problems.append(Problem(file, text if line is None else str(BadRow(line, text))))

    def whole(self, file: str, read: Callable[[bytes], F]) -> F | None:
        """A file; None where it is none. Its bad rows are told."""
        try:
            found = read(self.files[file])
        except UnreadableFileError as refusal:
            self.say(file, str(refusal))
            return None
        for row in found.bad:
            self.say(file, str(row))
        return found

    def rows(self, file: str, read: Callable[[bytes], Rows[T]]) -> tuple[T, ...]:
        """The good rows of a table."""
        found = self.whole(file, read)
        return found.rows if found else ()

    def check_sizes(self, clubs: Sequence[Club], bridges: Sequence[BridgeRow]) -> None:
        most = self.most
        members, games = sum(len(club.ratings) for club in clubs), sum(len(club.games) for club in clubs)
        for file, count, limit, words in (
            (list_of(LETTERS[0]), members, most.members, _TOO_MANY_MEMBERS),
            (games_file_of(LETTERS[0]), games, most.games, _TOO_MANY_GAMES),
            (BRIDGES, len(bridges), most.bridges, _TOO_MANY_BRIDGES),
        ):
            if count > limit:
                self.say(file, sentence(words, count=count, most=limit))

    def check_rules(self, clubs: Sequence[Club]) -> None:
        for club in clubs:
            if (count := len(club.list.terms.rules)) > self.most.rules:
                words = marked("The list has %(count)s dated rules; at most %(most)s are read here.")
                self.say(list_of(club.letter), sentence(words, count=count, most=self.most.rules))

    def check_terms(self, clubs: Sequence[Club]) -> None:
        first = clubs[0].list
        for club in clubs:
            terms, file = club.list.terms, list_of(club.letter)
            if terms.on != first.terms.on:
                words = marked("The list is of %(day)s and that of club A of %(first)s: download both of one day.")
                self.say(file, sentence(words, day=terms.on, first=first.terms.on))
            if not terms.dated_rules().on(terms.on).is_on_elos_scale:
                self.say(file, marked("The list is not in Elo points, so it cannot be shifted onto another’s scale."))
            if not club.ratings:
                self.say(file, marked("Nobody with a place in the list has a rated game: nothing can be joined."))
            if any(game.handicap is not None for game in club.games):
                self.say(
                    games_file_of(club.letter), marked("There are games with stones or komi; they cannot be joined.")
                )
            if club is not clubs[0] and club.list.digest == first.digest:
                self.say(file, marked("This is the list of club A once more: choose that of the other club."))

    def check_list(self, club: Club, games: ExportedGames) -> bool:
        """Whether the list could be computed again; tells where it differs."""
        file = list_of(club.letter)
        try:
            differences = check_list(club.list, games).differences
        except BirthsMissingError:
            if list_digest([row.sealed for row in club.list.rows], club.list.settings) != club.list.digest:
                self.say(file, marked("The list was changed since it was downloaded: download it anew."))
            return False
        except ArithmeticError:
            self.say(file, marked("The list’s settings hold numbers nobody can compute with: download it anew."))
        except ValueError as reason:
            self.say(file, str(reason))
        else:
            if differences:
                words = marked(
                    "The list does not follow from its games. Lines that differ: %(count)s. “manage.py verify_list” "
                    "names them."
                )
                self.say(file, sentence(words, count=len(differences)))
        return True

    def check_keys(self, clubs: Sequence[Club], keys: Sequence[KeyRow]) -> None:
        listed = {club.letter: {row.sealed.number for row in club.list.rows} for club in clubs}
        for row in keys:
            if row.number not in listed[row.club]:
                words = marked("the list of club %(club)s has no number %(number)s: correct it")
                self.say(KEYS, sentence(words, club=row.club, number=row.number), row.line)

    def bridges(self, clubs: Sequence[Club], rows: Sequence[BridgeRow]) -> list[Bridge]:
        """The bridge games by members, as far as they are some."""
        members, found = members_by_key(clubs), []
        for row in rows:
            try:
                found.append(_bridge(clubs, members, row))
            except ValueError as reason:
                self.say(BRIDGES, str(reason), row.line)
        return found

    def check_joined(self, clubs: Sequence[Club], bridges: Sequence[Bridge], same: Sequence[Same]) -> None:
        reached = joined_to(bridges, 0, same)
        for at, club in enumerate(clubs):
            if at not in reached:
                words = marked("No bridge game and no shared member joins club %(club)s to club A: add one.")
                self.say(BRIDGES, sentence(words, club=club.letter))


def _bridge(clubs: Sequence[Club], members: Mapping[str, Sequence[Member]], row: BridgeRow) -> Bridge:
    """A game between two clubs. Of somebody who belongs to two clubs that one counts that is not the opponent's, the
    first of them. Raises ValueError with the remedy."""
    if row.played_on > clubs[0].list.terms.on:
        raise ValueError(marked("the game was played after the day of the lists: leave it out"))
    for key in (row.white, row.black):
        if key not in members:
            raise ValueError(sentence("key “%(key)s” stands in no club’s keys: add it there", key=key))
    pairs = [(one, other) for one in members[row.white] for other in members[row.black]]
    for one, other in pairs:
        club = clubs[one.club]
        if one.club == other.club and (one.player, other.player, row.played_on) in club.met:
            raise ValueError(sentence("the game stands in club %(club)s’s own games: leave it out", club=club.letter))
    between = next(((one, other) for one, other in pairs if one.club != other.club and row.white != row.black), None)
    if between is None:
        raise ValueError(marked("both play for the same club: a bridge game is between two clubs; leave it out"))
    for key, side in zip((row.white, row.black), between, strict=True):
        first = clubs[side.club].first_days.get(side.player)
        if first is None or month_of(first) > month_of(row.played_on):
            raise ValueError(
                sentence(
                    "“%(key)s” had no rated game in club %(club)s by that day: leave the bridge game out",
                    key=key,
                    club=clubs[side.club].letter,
                )
            )
    return Bridge(*between, month_of(row.played_on), row.score)


_TOO_MANY_MEMBERS = marked("The lists have %(count)s members with a place; at most %(most)s are joined here.")
_TOO_MANY_GAMES = marked("The clubs have %(count)s games; at most %(most)s are joined here.")
_TOO_MANY_BRIDGES = marked("There are %(count)s bridge games; at most %(most)s are joined here.")
