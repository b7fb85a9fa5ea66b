"""A club of any size, to see what size costs: invented people and games in bulk, rated by the same replay as any club.

What is written are facts; the ledger follows from them by a rebuild, so `rebuild_ratings --check` holds here as
everywhere. The same numbers and seed give the same club. The audit trail has one entry for all of it.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import date, timedelta
from itertools import groupby, islice
from random import Random

from django.db import transaction
from django.utils.translation import gettext as _

from players.club.services import found_club
from players.counters import GAME_SEQUENCE, GAME_SEQUENCE_STEP, PLAYER_NUMBER, take_numbers
from players.models import Club, Player, Visibility
from players.people.names import search_key, sort_key
from players.privacy.rules import is_minor
from players.refusals import Refused
from players.trail.services import write_audit
from ratings.lists.services import create_list
from tournaments.events.services.counts import count_games_in
from tournaments.events.services.events import open_event
from tournaments.models import Game, Pairing, Stage
from tournaments.rated_games.services.rebuilding import rebuild_list
from tournaments.standings.points import Result

CLUB_NAME = "Scale Club"
POOL = "standard"
YEARS = 10
AT_ONCE = 2000  # rows per INSERT
_SYLLABLES = ("ba", "den", "fi", "gor", "hal", "ju", "kem", "lo", "mar", "nie", "os", "pel", "ri", "sun", "ta", "vik")
_ONE_IN_TEN_IS = (Visibility.MEMBERS, Visibility.HIDDEN)
Tell = Callable[[int], None]
Drawn = tuple[date, int, int, Result]  # day, White's and Black's place among the players, result


@dataclass(frozen=True, slots=True)
class Scale:
    """What was made."""

    players: int
    games: int
    rated: int


def seed_scale(players: int, games: int, *, today: date, seed: int = 1, tell: Tell | None = None) -> Scale:
    """Fill an empty database with so many people, who played so many games in the ten years up to `today`.

    Raises Refused where somebody is in the database already, and for fewer than two people.
    """
    if players < 2 or games < 0:
        raise Refused(_("A club needs two players to play, and no fewer than no games."))
    if Club.objects.exists() or Player.objects.exists():
        raise Refused(_("This database is in use already: a club of that size needs an empty one."))
    rng = Random(seed)
    with transaction.atomic():
        club = found_club(name=CLUB_NAME, time_zone="UTC")
        rating_list = create_list(name="Standard", slug="standard", pool=POOL, by=None, primary=True)
        keys = _make_people(players, rng, today)
    _play(keys, games, rng, today, tell)
    rated = rebuild_list(rating_list)
    write_audit("club.scaled", club, by=None, after={"players": players, "games": games, "seed": seed})
    return Scale(players, games, rated)


def _make_people(count: int, rng: Random, today: date) -> list[int]:
    """Keys of new people of all ages; minors by initials, some adults at narrower levels, one in twenty inactive."""
    rows = []
    for number in take_numbers(PLAYER_NUMBER, count):
        name, born = f"{_word(rng)} {_word(rng)}", today.year - rng.randrange(7, 90)
        chosen = rng.choice(_ONE_IN_TEN_IS) if rng.random() < 0.1 else Visibility.PUBLIC
        visibility = Visibility.INITIALS if is_minor(born, today) else chosen
        rows.append(
            Player(
                number=number,
                name=name,
                sort_name=sort_key(name),
                search_name=search_key(name),
                birth_year=born,
                visibility=visibility,
                active=rng.random() > 0.05,
            )
        )
    return [player.pk for player in Player.objects.bulk_create(rows, batch_size=AT_ONCE)]


def _word(rng: Random) -> str:
    return "".join(rng.choice(_SYLLABLES) for _syllable in range(rng.randint(2, 3))).title()


def _play(keys: list[int], games: int, rng: Random, today: date, tell: Tell | None) -> None:
    """The games, in one open-ended event a year, in the order in which they were played."""
    written = 0
    for year, drawn in groupby(_drawn(len(keys), games, rng, today), key=lambda row: row[0].year):
        with transaction.atomic():
            stage = open_event(f"Evenings {year}", pool=POOL, by=None)
            while some := list(islice(drawn, AT_ONCE)):
                _write(stage, keys, some)
                written += len(some)
                if tell:
                    tell(written)


def _drawn(people: int, games: int, rng: Random, today: date) -> Iterator[Drawn]:
    """Games of people of spread strengths; the better one wins more often, a quarter are drawn."""
    strengths = [rng.gauss(1500, 250) for _person in range(people)]
    days = YEARS * 365
    for number in range(games):
        white = rng.randrange(people)
        black = (white + rng.randrange(1, people)) % people
        share = 1 / (1 + 10 ** ((strengths[black] - strengths[white]) / 400))
        luck = rng.random()
        decided = Result.WHITE_WINS if luck < 0.75 * share else Result.BLACK_WINS
        on = today - timedelta(days=days - 1 - days * number // games)
        yield on, white, black, Result.DRAW if luck >= 0.75 else decided


def _write(stage: Stage, keys: list[int], some: list[Drawn]) -> None:
    pairings = Pairing.objects.bulk_create([Pairing(stage=stage) for _row in some])
    sequences = take_numbers(GAME_SEQUENCE, len(some), step=GAME_SEQUENCE_STEP)
    written = Game.objects.bulk_create(
        Game(
            tournament_id=stage.tournament_id,
            pairing=pairing,
            pool=POOL,
            white_id=keys[white],
            black_id=keys[black],
            result=result,
            played_on=on,
            sequence=sequence,
        )
        for pairing, sequence, (on, white, black, result) in zip(pairings, sequences, some, strict=True)
    )
    count_games_in(stage.tournament, written)
